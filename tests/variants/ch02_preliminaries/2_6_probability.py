# %% right="2.6.A" how="uniform numbers against the cumulated probabilities"
def rolls(p, n, seed):
    u = torch.rand(n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    borders = p.double().cumsum(0)
    return (u[:, None] >= borders[None, :-1]).sum(dim=1)

# %% right="2.6.A" how="NumPy's generator"
def rolls(p, n, seed):
    import numpy as np
    q = p.double().numpy()
    return torch.from_numpy(np.random.default_rng(seed).choice(len(q), size=n, p=q / q.sum())).to(torch.int64)

# %% wrong="2.6.A" why="draws without replacement" breaks="shape" says="without replacement"
def rolls(p, n, seed):
    return torch.multinomial(p, n, generator=torch.Generator().manual_seed(seed))

# %% wrong="2.6.A" why="counts of the faces instead of rolls" breaks="shape" says="50 rolls of a die with 3 faces"
def rolls(p, n, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(p, n, replacement=True, generator=generator).bincount(minlength=len(p))

# %% wrong="2.6.A" why="floats" breaks="shape" says="dtype"
def rolls(p, n, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(p, n, replacement=True, generator=generator).float()

# %% wrong="2.6.A" why="a fair die" breaks="distribution" says="All faces are equally likely"
def rolls(p, n, seed):
    return torch.randint(len(p), (n,), generator=torch.Generator().manual_seed(seed))

# %% wrong="2.6.A" why="faces from 1 on" breaks="distribution" says="the faces of a die with 3 faces are 0, 1 and 2"
def rolls(p, n, seed):
    return 1 + torch.multinomial(p, n, replacement=True, generator=torch.Generator().manual_seed(seed))

# %% wrong="2.6.A" why="sorted rolls" breaks="distribution" says="must not depend on another"
def rolls(p, n, seed):
    return torch.multinomial(p, n, replacement=True, generator=torch.Generator().manual_seed(seed)).sort().values

# %% wrong="2.6.A" why="a generator without the seed" breaks="seed" says="a second call with seed 3 gives the same"
def rolls(p, n, seed):
    generator = torch.Generator()
    generator.seed()
    return torch.multinomial(p, n, replacement=True, generator=generator)

# %% wrong="2.6.A" why="always the same seed" breaks="seed" says="seeds 3 and 4 give different rolls"
def rolls(p, n, seed):
    return torch.multinomial(p, n, replacement=True, generator=torch.Generator().manual_seed(0))

# %% wrong="2.6.A" why="sets the global generator" breaks="own generator" says="must make a generator of its own"
def rolls(p, n, seed):
    torch.manual_seed(seed)
    return torch.multinomial(p, n, replacement=True)

# %% right="2.6.A" how="the global generator in a fork that is put back"
def rolls(p, n, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return torch.distributions.Categorical(p).sample((n,))

# %% right="2.6.B" how="a loop over means"
def running_share(x):
    x = x.float()
    return torch.stack([x[:i].mean() for i in range(1, len(x) + 1)])

# %% right="2.6.B" how="a triangular matrix of weights"
def running_share(x):
    n = len(x)
    weights = torch.ones(n, n).tril() / torch.arange(1, n + 1)[:, None]
    return weights @ x.to(torch.float32)

# %% wrong="2.6.B" why="a single number" breaks="shape" says="the shares for five tosses"
def running_share(x):
    return x.float().mean()

# %% wrong="2.6.B" why="a leading zero" breaks="shape" says="the shares for five tosses"
def running_share(x):
    return torch.cat([torch.zeros(1), x.cumsum(dim=0) / torch.arange(1, len(x) + 1)])

# %% wrong="2.6.B" why="divides by n" breaks="values" says="not by all n"
def running_share(x):
    return x.cumsum(dim=0) / len(x)

# %% wrong="2.6.B" why="no division" breaks="values" says="These are numbers of ones"
def running_share(x):
    return x.float().cumsum(dim=0)

# %% wrong="2.6.B" why="counts from 0" breaks="values" says="the shares for 1, 1, 0, 0, 1"
def running_share(x):
    return x.cumsum(dim=0) / torch.arange(len(x))

# %% wrong="2.6.B" why="mean needs floating point" breaks="any dtype" says="raised RuntimeError"
def running_share(x):
    return torch.stack([x[:i].mean() for i in range(1, len(x) + 1)])

# %% wrong="2.6.B" why="back to the dtype of x" breaks="any dtype" says="the result is floating point"
def running_share(x):
    shares = x.cumsum(dim=0) / torch.arange(1, len(x) + 1)
    return shares.to(x.dtype)

# %% wrong="2.6.B" why="from the end" breaks="values" says="the shares for 1, 1, 0, 0, 1"
def running_share(x):
    return x.flip(0).cumsum(0) / torch.arange(1, len(x) + 1)

# %% right="2.6.C" how="the formula (2m - 1) / k²"
def largest_of_two(k):
    m = torch.arange(1, k + 1)
    return (2 * m - 1) / k ** 2

# %% right="2.6.C" how="differences of P(M ≤ m)"
def largest_of_two(k):
    at_most = (torch.arange(k + 1, dtype=torch.float64) / k) ** 2
    return at_most.diff()

# %% wrong="2.6.C" why="keeps the impossible 0" breaks="shape" says="wrong shape"
def largest_of_two(k):
    faces = torch.arange(1, k + 1)
    return torch.cartesian_prod(faces, faces).max(dim=1).values.bincount() / k ** 2

# %% wrong="2.6.C" why="the smaller one" breaks="values" says="the smaller number"
def largest_of_two(k):
    faces = torch.arange(1, k + 1)
    return torch.cartesian_prod(faces, faces).min(dim=1).values.bincount()[1:] / k ** 2

# %% wrong="2.6.C" why="counts" breaks="values" says="divide by the number of pairs"
def largest_of_two(k):
    return 2.0 * torch.arange(1, k + 1) - 1

# %% wrong="2.6.C" why="at most" breaks="values" says="This is P(M ≤ i + 1)"
def largest_of_two(k):
    return (torch.arange(1, k + 1) / k) ** 2

# %% wrong="2.6.C" why="unordered pairs" breaks="values" says="are two outcomes"
def largest_of_two(k):
    counts = torch.arange(1, k + 1)
    return counts / counts.sum()

# %% wrong="2.6.C" why="simulated" breaks="values" says="no pair is drawn"
def largest_of_two(k):
    a = torch.randint(1, k + 1, (2, 200_000)).max(0).values
    return a.bincount(minlength=k + 1)[1:] / 200_000

# %% wrong="2.6.C" why="k always 3" breaks="values" says="have k · k pairs"
def largest_of_two(k):
    m = torch.arange(1, k + 1)
    return (2 * m - 1) / 9

# %% right="2.6.C" how="difference of the cdf"
def largest_of_two(k):
    c = (torch.arange(k + 1) / k) ** 2
    return c.diff()

# %% right="2.6.5a" how="from the bounds of the intersection"
def union_bounds(p, q):
    overlap = (max(0, p + q - 1), min(p, q))
    return p + q - overlap[1], p + q - overlap[0]

# %% right="2.6.5a" how="a list, with conditions"
def union_bounds(p, q):
    low = p if p > q else q
    high = p + q
    if high > 1:
        high = 1
    return [low, high]

# %% wrong="2.6.5a" why="takes independence for the extreme" breaks="low" says="p + q - pq is one possible value"
def union_bounds(p, q):
    return p + q - p * q, min(1, p + q)

# %% wrong="2.6.5a" why="the smaller of the two" breaks="low" says="low for p = 0.5, q = 0.25"
def union_bounds(p, q):
    return min(p, q), min(1, p + q)

# %% wrong="2.6.5a" why="always p" breaks="low" says="here q is larger"
def union_bounds(p, q):
    return p, min(1, p + q)

# %% wrong="2.6.5a" why="a probability above 1" breaks="high" says="cannot be larger than 1"
def union_bounds(p, q):
    return max(p, q), p + q

# %% wrong="2.6.5a" why="always 1" breaks="high" says="It cannot be that much"
def union_bounds(p, q):
    return max(p, q), 1

# %% wrong="2.6.5a" why="high first" breaks="low" says="The order is (low, high)"
def union_bounds(p, q):
    return min(1, p + q), max(p, q)

# %% right="2.6.5b" how="from the bounds of the union"
def intersection_bounds(p, q):
    union = (max(p, q), min(1, p + q))
    return p + q - union[1], p + q - union[0]

# %% right="2.6.5b" how="by the complements: not both is at most (1 - p) + (1 - q)"
def intersection_bounds(p, q):
    low = 1 - min(1, (1 - p) + (1 - q))
    return (low, p if p < q else q)

# %% wrong="2.6.5b" why="always apart" breaks="low" says="cannot be kept apart"
def intersection_bounds(p, q):
    return 0, min(p, q)

# %% wrong="2.6.5b" why="a negative probability" breaks="low" says="cannot be negative"
def intersection_bounds(p, q):
    return p + q - 1, min(p, q)

# %% wrong="2.6.5b" why="the product as the smallest" breaks="low" says="p times q is one possible value"
def intersection_bounds(p, q):
    return p * q, min(p, q)

# %% wrong="2.6.5b" why="the larger of the two" breaks="high" says="the rarer of the two"
def intersection_bounds(p, q):
    return max(0, p + q - 1), max(p, q)

# %% wrong="2.6.5b" why="the product as the largest" breaks="high" says="p times q is one possible value"
def intersection_bounds(p, q):
    return max(0, p + q - 1), p * q

# %% wrong="2.6.5b" why="low abs" breaks="low" says="not the size of p + q - 1"
def intersection_bounds(p, q):
    return (abs(p + q - 1), min(p, q))

# %% wrong="2.6.5b" why="high p" breaks="high" says="here that is B"
def intersection_bounds(p, q):
    return (max(0, p + q - 1), p)

# %% right="2.6.5b" how="from the union"
def intersection_bounds(p, q):
    return (p + q - min(1, p + q), p + q - max(p, q))

# %% right="2.6.D" how="the sums as a column, by None"
def given_row(joint):
    return joint / joint.sum(dim=1)[:, None]

# %% right="2.6.D" how="row by row"
def given_row(joint):
    result = torch.empty_like(joint)
    for i, row in enumerate(joint):
        result[i] = row / sum(row)
    return result

# %% wrong="2.6.D" why="without keepdim" breaks="values" says="Without keepdim"
def given_row(joint):
    return joint / joint.sum(dim=1)

# %% wrong="2.6.D" why="the marginal" breaks="shape" says="wrong shape"
def given_row(joint):
    return joint.sum(dim=1)

# %% wrong="2.6.D" why="transposed" breaks="values" says="Rows and columns are exchanged"
def given_row(joint):
    return (joint / joint.sum(dim=1, keepdim=True)).T

# %% wrong="2.6.D" why="given the column" breaks="values" says="conditional on the column"
def given_row(joint):
    return joint / joint.sum(dim=0, keepdim=True)

# %% wrong="2.6.D" why="by the total" breaks="values" says="not the whole table"
def given_row(joint):
    return joint / joint.sum()

# %% wrong="2.6.D" why="in place" breaks="argument kept" says="Do not work in place"
def given_row(joint):
    joint /= joint.sum(dim=1, keepdim=True)
    return joint

# %% wrong="2.6.D" why="softmax" breaks="values" says="This is softmax"
def given_row(joint):
    return joint.softmax(dim=1)

# %% right="2.6.E" how="keepdim and broadcasting"
def independence_gap(joint):
    return float((joint - joint.sum(1, keepdim=True) * joint.sum(0, keepdim=True)).abs().amax())

# %% right="2.6.E" how="two loops"
def independence_gap(joint):
    rows, columns = joint.sum(dim=1), joint.sum(dim=0)
    gap = 0.0
    for i in range(joint.shape[0]):
        for j in range(joint.shape[1]):
            gap = max(gap, abs(joint[i, j] - rows[i] * columns[j]).item())
    return gap

# %% wrong="2.6.E" why="compares with a uniform table" breaks="independent tables" says="a table of equal entries"
def independence_gap(joint):
    return (joint - 1 / joint.numel()).abs().max()

# %% wrong="2.6.E" why="conditional against marginal" breaks="largest" says="(0.1, 0.05, 0.4, 0.05), (0.05, 0.075, 0, 0.075)"
def independence_gap(joint):
    return (joint / joint.sum(dim=1, keepdim=True) - joint.sum(dim=0)).abs().max()

# %% wrong="2.6.E" why="the sum" breaks="largest" says="This is the sum"
def independence_gap(joint):
    return (joint - joint.sum(1, keepdim=True) * joint.sum(0)).abs().sum()

# %% wrong="2.6.E" why="the mean" breaks="largest" says="This is the mean"
def independence_gap(joint):
    return (joint - joint.sum(1, keepdim=True) * joint.sum(0)).abs().mean()

# %% wrong="2.6.E" why="signed" breaks="absolute" says="An entry may also be smaller"
def independence_gap(joint):
    return (joint - joint.sum(1, keepdim=True) * joint.sum(0)).max()

# %% wrong="2.6.E" why="the diagonal only" breaks="largest" says="(0.1, 0.05, 0.4, 0.05), (0.05, 0.075, 0, 0.075)"
def independence_gap(joint):
    return (joint - joint.sum(1, keepdim=True) * joint.sum(0)).abs().diagonal().max()

# %% right="2.6.6" how="from the end"
factors = {"P(C)", "P(B|C)", "P(A|B)"}

# %% right="2.6.6" how="from the middle, with blanks"
factors = ("P(B)", "P(A | B)", "P(C | B)")

# %% wrong="2.6.6" why="the product rule, not simplified" breaks="form" says="At most one letter stands behind the bar"
factors = ["P(A)", "P(B|A)", "P(C|A,B)"]

# %% wrong="2.6.6" why="forgets the start" breaks="form" says="the number of factors"
factors = ["P(B|A)", "P(C|B)"]

# %% wrong="2.6.6" why="independent" breaks="product" says="None of your factors has a bar"
factors = ["P(A)", "P(B)", "P(C)"]

# %% wrong="2.6.6" why="both depend on A" breaks="product" says="joins A and C directly"
factors = ["P(A)", "P(B|A)", "P(C|A)"]

# %% wrong="2.6.6" why="the arrows read as bars" breaks="product" says="No factor is without a bar"
factors = ["P(A|B)", "P(B|C)", "P(C|B)"]

# %% right="2.6.7a" how="from the outside in"
def healthy_table(false_alarm, both):
    table = torch.zeros(2, 2, dtype=torch.float64)
    table[1, 1] = both
    table[1, 0] = table[0, 1] = false_alarm - both
    table[0, 0] = 1 - table.sum()
    return table

# %% right="2.6.7a" how="inclusion and exclusion for the corner"
def healthy_table(false_alarm, both):
    at_least_one = 2 * false_alarm - both
    return torch.tensor([[1 - at_least_one, false_alarm - both], [false_alarm - both, both]])

# %% wrong="2.6.7a" why="a flat vector" breaks="shape" says="wrong shape"
def healthy_table(false_alarm, both):
    one = false_alarm - both
    return torch.tensor([1 - 2 * one - both, one, one, both])

# %% wrong="2.6.7a" why="a list of lists" breaks="shape" says="expected a tensor"
def healthy_table(false_alarm, both):
    one = false_alarm - both
    return [[1 - 2 * one - both, one], [one, both]]

# %% wrong="2.6.7a" why="independent tests" breaks="both positive" says="the tests are not independent"
def healthy_table(false_alarm, both):
    a = torch.tensor([1 - false_alarm, false_alarm])
    return a[:, None] * a[None, :]

# %% wrong="2.6.7a" why="axes start with positive" breaks="both positive" says="entry (1, 1)"
def healthy_table(false_alarm, both):
    one = false_alarm - both
    return torch.tensor([[both, one], [one, 1 - 2 * one - both]])

# %% wrong="2.6.7a" why="the margins as entries" breaks="one positive" says="0.1 is what the row"
def healthy_table(false_alarm, both):
    return torch.tensor([[1 - 2 * false_alarm + both, false_alarm], [false_alarm, both]])

# %% wrong="2.6.7a" why="1 less one margin" breaks="none positive" says="two of them have one positive test"
def healthy_table(false_alarm, both):
    one = false_alarm - both
    return torch.tensor([[1 - false_alarm, one], [one, both]])

# %% wrong="2.6.7a" why="(1-f)f off the diagonal" breaks="one positive" says="not a part of it"
def healthy_table(false_alarm, both):
    o = false_alarm * (1 - both)
    return torch.tensor([[1 - 2 * o - both, o], [o, both]])

# %% right="2.6.7b" how="odds"
def after_one(prior, miss, false_alarm):
    if prior == 0:
        return 0.0
    against = (1 - prior) * false_alarm / (prior * (1 - miss))
    return 1 / (1 + against)

# %% right="2.6.7b" how="tensors of two hypotheses"
def after_one(prior, miss, false_alarm):
    both = torch.tensor([1 - prior, prior]) * torch.tensor([false_alarm, 1 - miss])
    return both[1] / both.sum()

# %% wrong="2.6.7b" why="no prior" breaks="value" says="Each hypothesis has its own prior"
def after_one(prior, miss, false_alarm):
    return (1 - miss) / (1 - miss + false_alarm)

# %% wrong="2.6.7b" why="the same prior for both" breaks="value" says="Each hypothesis has its own prior"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / (prior * (1 - miss) + prior * false_alarm)

# %% wrong="2.6.7b" why="the likelihood" breaks="value" says="turn it around"
def after_one(prior, miss, false_alarm):
    return 1 - miss

# %% wrong="2.6.7b" why="the joint probability" breaks="value" says="divide by P(D₁ = 1)"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss)

# %% wrong="2.6.7b" why="the odds" breaks="value" says="These are the odds"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / ((1 - prior) * false_alarm)

# %% wrong="2.6.7b" why="miss for found" breaks="value" says="with probability 1 - miss"
def after_one(prior, miss, false_alarm):
    return prior * miss / (prior * miss + (1 - prior) * false_alarm)

# %% wrong="2.6.7b" why="rounded" breaks="value" says="prior 0.2, miss 0.25, false_alarm 0.1"
def after_one(prior, miss, false_alarm):
    return round(prior * (1 - miss) / (prior * (1 - miss) + (1 - prior) * false_alarm), 3)

# %% right="2.6.7c" how="a first and a second step: P(D2 = 1 | D1 = 1, H)"
def after_both(prior, miss, false_alarm, both):
    ill, healthy = prior * (1 - miss), (1 - prior) * false_alarm
    ill, healthy = ill * (1 - miss), healthy * (both / false_alarm)
    return ill / (ill + healthy)

# %% right="2.6.7c" how="tensors"
def after_both(prior, miss, false_alarm, both):
    weights = torch.tensor([1 - prior, prior]) * torch.tensor([both, (1 - miss) ** 2])
    return (weights / weights.sum())[1].item()

# %% wrong="2.6.7c" why="one test of the ill" breaks="ill patients" says="(1 - miss) squared"
def after_both(prior, miss, false_alarm, both):
    return prior * (1 - miss) / (prior * (1 - miss) + (1 - prior) * both)

# %% wrong="2.6.7c" why="misses squared" breaks="ill patients" says="prior 0.5, miss 0.4, false_alarm 1, both 1"
def after_both(prior, miss, false_alarm, both):
    return prior * (1 - miss ** 2) / (prior * (1 - miss ** 2) + (1 - prior) * both)

# %% wrong="2.6.7c" why="independent for the healthy" breaks="healthy patients" says="the tests are not independent"
def after_both(prior, miss, false_alarm, both):
    ill = prior * (1 - miss) ** 2
    return ill / (ill + (1 - prior) * false_alarm ** 2)

# %% wrong="2.6.7c" why="both times false_alarm" breaks="healthy patients" says="not `both` times `false_alarm`"
def after_both(prior, miss, false_alarm, both):
    ill = prior * (1 - miss) ** 2
    return ill / (ill + (1 - prior) * false_alarm * both)

# %% wrong="2.6.7c" why="no prior" breaks="prior" says="Each hypothesis has its own prior"
def after_both(prior, miss, false_alarm, both):
    return (1 - miss) ** 2 / ((1 - miss) ** 2 + both)

# %% wrong="2.6.7c" why="both squared" breaks="healthy patients" says="it is not squared"
def after_both(prior, miss, false_alarm, both):
    i = prior * (1 - miss) ** 2
    return i / (i + (1 - prior) * both ** 2)

# %% wrong="2.6.7c" why="at least one positive in healthy" breaks="healthy patients" says="not at least one"
def after_both(prior, miss, false_alarm, both):
    i = prior * (1 - miss) ** 2
    return i / (i + (1 - prior) * (2 * false_alarm - both))

# %% right="2.6.F" how="a loop"
def posterior_of(prior, likelihood):
    total = sum(p * q for p, q in zip(prior, likelihood))
    return torch.stack([p * q / total for p, q in zip(prior, likelihood)])

# %% right="2.6.F" how="a dot product as divisor"
def posterior_of(prior, likelihood):
    return prior * likelihood / (prior @ likelihood)

# %% wrong="2.6.F" why="ignores the prior" breaks="ratios" says="The prior does not count"
def posterior_of(prior, likelihood):
    return likelihood / likelihood.sum()

# %% wrong="2.6.F" why="adds" breaks="ratios" says="posterior[1] / posterior[0]"
def posterior_of(prior, likelihood):
    both = prior + likelihood
    return both / both.sum()

# %% wrong="2.6.F" why="only the number for the first" breaks="ratios" says="the posterior of three hypotheses"
def posterior_of(prior, likelihood):
    return (prior * likelihood / (prior * likelihood).sum())[0]

# %% wrong="2.6.F" why="not divided" breaks="sum" says="Divide by the sum of the products"
def posterior_of(prior, likelihood):
    return prior * likelihood

# %% wrong="2.6.F" why="divides by the sum of the likelihoods" breaks="sum" says="the sum of the posterior"
def posterior_of(prior, likelihood):
    return prior * likelihood / likelihood.sum()

# %% wrong="2.6.F" why="in place" breaks="arguments kept" says="prior after the call"
def posterior_of(prior, likelihood):
    prior *= likelihood
    return prior / prior.sum()

# %% wrong="2.6.F" why="softmax of the product" breaks="ratios" says="This is softmax of the products"
def posterior_of(prior, likelihood):
    return torch.softmax(prior * likelihood, 0)

# %% right="2.6.G" how="a loop"
def cheapest(costs, p):
    expected = [sum(c * q for c, q in zip(row.tolist(), p.tolist())) for row in costs]
    return expected.index(min(expected)), min(expected)

# %% right="2.6.G" how="torch.min with a dimension"
def cheapest(costs, p):
    result = (costs * p).sum(dim=1).min(dim=0)
    return result.indices.item(), result.values.item()

# %% wrong="2.6.G" why="plain means" breaks="cost" says="Weight the costs"
def cheapest(costs, p):
    expected = costs.mean(dim=1)
    return expected.argmin(), expected.min()

# %% wrong="2.6.G" why="the mean of the products" breaks="cost" says="do not divide by k"
def cheapest(costs, p):
    expected = (costs * p).mean(dim=1)
    return expected.argmin(), expected.min()

# %% wrong="2.6.G" why="the most expensive" breaks="cost" says="the largest expected cost"
def cheapest(costs, p):
    expected = costs @ p
    return expected.argmax(), expected.max()

# %% wrong="2.6.G" why="the row of the smallest single cost" breaks="choice" says="Row 0 holds the smallest single cost"
def cheapest(costs, p):
    return costs.min(dim=1).values.argmin(), (costs @ p).min()

# %% wrong="2.6.G" why="counts rows from 1" breaks="choice" says="Rows are counted from 0"
def cheapest(costs, p):
    expected = costs @ p
    return expected.argmin() + 1, expected.min()

# %% wrong="2.6.G" why="cost first" breaks="cost" says="The order is (choice, cost)"
def cheapest(costs, p):
    expected = costs @ p
    return expected.min(), expected.argmin()

# %% right="2.6.H" how="E[X²] - E[X]²"
def mean_and_deviation(values, p):
    mean = (values * p).sum()
    return mean, ((values ** 2 * p).sum() - mean ** 2).clamp(min=0).sqrt()

# %% right="2.6.H" how="Python numbers in a list"
def mean_and_deviation(values, p):
    pairs = list(zip(values.tolist(), p.tolist()))
    mean = sum(v * q for v, q in pairs)
    return [mean, math.sqrt(sum(q * (v - mean) ** 2 for v, q in pairs))]

# %% wrong="2.6.H" why="plain mean" breaks="mean" says="Weight the values"
def mean_and_deviation(values, p):
    mean = values @ p
    return values.mean(), ((values - mean) ** 2 @ p).sqrt()

# %% wrong="2.6.H" why="mean of the products" breaks="mean" says="do not divide by k"
def mean_and_deviation(values, p):
    mean = values @ p
    return (values * p).mean(), ((values - mean) ** 2 @ p).sqrt()

# %% wrong="2.6.H" why="the variance" breaks="deviation" says="This is the variance"
def mean_and_deviation(values, p):
    mean = values @ p
    return mean, (values - mean) ** 2 @ p

# %% wrong="2.6.H" why="std of the list" breaks="deviation" says="without `p`"
def mean_and_deviation(values, p):
    return values @ p, values.std()

# %% wrong="2.6.H" why="no centring" breaks="deviation" says="the mean is missing"
def mean_and_deviation(values, p):
    return values @ p, (values ** 2 @ p).sqrt()

# %% wrong="2.6.H" why="mean absolute deviation" breaks="deviation" says="absolute size"
def mean_and_deviation(values, p):
    mean = values @ p
    return mean, (values - mean).abs() @ p

# %% right="2.6.I" how="E[XY] - E[X]E[Y] as vector-matrix products, in float64"
def covariance(joint, x, y):
    joint, x, y = joint.double(), x.double(), y.double()
    return x @ joint @ y - (x @ joint.sum(1)) * (y @ joint.sum(0))

# %% right="2.6.I" how="centres first"
def covariance(joint, x, y):
    a = x - (joint.sum(1) * x).sum()
    b = y - (joint.sum(0) * y).sum()
    return (a @ joint @ b).item()

# %% wrong="2.6.I" why="E[XY]" breaks="centre" says="This is E[XY]"
def covariance(joint, x, y):
    return (x[:, None] * y[None, :] * joint).sum()

# %% wrong="2.6.I" why="plain means as centres" breaks="centre" says="weighted with their probabilities"
def covariance(joint, x, y):
    return ((x - x.mean())[:, None] * (y - y.mean())[None, :] * joint).sum()

# %% wrong="2.6.I" why="product of the margins as weights" breaks="weights" says="the margins alone are the same"
def covariance(joint, x, y):
    a, b = x - x @ joint.sum(1), y - y @ joint.sum(0)
    return (a[:, None] * b[None, :] * joint.sum(1)[:, None] * joint.sum(0)).sum()

# %% wrong="2.6.I" why="the correlation" breaks="weights" says="This is the correlation"
def covariance(joint, x, y):
    a, b = x - x @ joint.sum(1), y - y @ joint.sum(0)
    return (a @ joint @ b) / ((a ** 2 @ joint.sum(1)).sqrt() * (b ** 2 @ joint.sum(0)).sqrt())

# %% wrong="2.6.I" why="its size only" breaks="weights" says="A covariance can be negative"
def covariance(joint, x, y):
    a, b = x - x @ joint.sum(1), y - y @ joint.sum(0)
    return (a @ joint @ b).abs()

# %% right="2.6.3a" how="E[X²] - E[X]² over n"
def share_variance(p, n):
    return (p - p ** 2) / n

# %% right="2.6.3a" how="the weighted squares"
def share_variance(p, n):
    one = (1 - p) ** 2 * p + (0 - p) ** 2 * (1 - p)
    return n * one / n ** 2

# %% wrong="2.6.3a" why="the standard deviation" breaks="one toss" says="This is the standard deviation"
def share_variance(p, n):
    return (p * (1 - p) / n) ** 0.5

# %% wrong="2.6.3a" why="p over n" breaks="one toss" says="This is E[X²]"
def share_variance(p, n):
    return p / n

# %% wrong="2.6.3a" why="the number of heads" breaks="scaling" says="the number of heads"
def share_variance(p, n):
    return n * p * (1 - p)

# %% wrong="2.6.3a" why="root of n" breaks="scaling" says="falls like the root"
def share_variance(p, n):
    return p * (1 - p) / n ** 0.5

# %% wrong="2.6.3a" why="n squared" breaks="scaling" says="not like its square"
def share_variance(p, n):
    return p * (1 - p) / n ** 2

# %% right="2.6.1" how="a search"
def tosses_for(deviation):
    n = 1
    while (0.25 / n) ** 0.5 > deviation:
        n += 1
    return n

# %% right="2.6.1" how="through k = 0.5 / deviation"
def tosses_for(deviation):
    root = 0.5 / deviation
    return int(root * root) + (root * root > int(root * root))

# %% wrong="2.6.1" why="rounds to the nearest" breaks="enough" says="Round up, not down"
def tosses_for(deviation):
    return round(1 / (4 * deviation ** 2))

# %% wrong="2.6.1" why="not rounded" breaks="smallest" says="This is not a whole number"
def tosses_for(deviation):
    return 1 / (4 * deviation ** 2)

# %% wrong="2.6.1" why="one toss to spare" breaks="smallest" says="tosses for a deviation of 0.03"
def tosses_for(deviation):
    return int(1 / (4 * deviation ** 2)) + 2

# %% wrong="2.6.1" why="variance 1" breaks="smallest" says="no coin strays so much"
def tosses_for(deviation):
    return math.ceil(1 / deviation ** 2)

# %% wrong="2.6.1" why="a coin with p = 0.3" breaks="enough" says="a fair coin strays by at most 0.03"
def tosses_for(deviation):
    return math.ceil(0.3 * 0.7 / deviation ** 2)

# %% wrong="2.6.1" why="deviation not squared" breaks="enough" says="the deviation must be squared"
def tosses_for(deviation):
    return math.ceil(1 / (4 * deviation))

# %% right="2.6.2" how="one fraction"
def prediction_variance(variance, n):
    return variance * (n + 1) / n

# %% right="2.6.2" how="the weights of the n + 1 draws, squared"
def prediction_variance(variance, n):
    weights = torch.cat([torch.ones(1), torch.full((n,), -1 / n)])
    return variance * (weights @ weights)

# %% wrong="2.6.2" why="the mean only" breaks="value" says="the next draw strays too"
def prediction_variance(variance, n):
    return variance / n

# %% wrong="2.6.2" why="the draw only" breaks="value" says="the mean strays too"
def prediction_variance(variance, n):
    return variance

# %% wrong="2.6.2" why="subtracts" breaks="value" says="is the sum"
def prediction_variance(variance, n):
    return variance - variance / n

# %% wrong="2.6.2" why="adds deviations" breaks="value" says="Deviations do not add"
def prediction_variance(variance, n):
    return (variance ** 0.5 + (variance / n) ** 0.5) ** 2

# %% right="2.6.8a" how="sum of products"
def mean_return(alpha, mu):
    return (alpha * mu).sum().item()

# %% right="2.6.8a" how="a loop"
def mean_return(alpha, mu):
    return sum(float(a) * float(m) for a, m in zip(alpha, mu))

# %% wrong="2.6.8a" why="plain mean" breaks="value" says="Weight the returns"
def mean_return(alpha, mu):
    return mu.mean()

# %% wrong="2.6.8a" why="mean of the products" breaks="value" says="do not divide by d"
def mean_return(alpha, mu):
    return (alpha * mu).mean()

# %% wrong="2.6.8a" why="squared weights" breaks="value" says="not squared in a mean"
def mean_return(alpha, mu):
    return alpha ** 2 @ mu

# %% wrong="2.6.8a" why="a vector" breaks="value" says="wrong shape"
def mean_return(alpha, mu):
    return alpha * mu

# %% wrong="2.6.8a" why="return of the largest weight" breaks="value" says="with the largest weight alone"
def mean_return(alpha, mu):
    return mu[alpha.argmax()]

# %% right="2.6.8b" how="a comparison, divided by its sum: ties share"
def boldest(mu):
    best = (mu == mu.max()).float()
    return best / best.sum()

# %% right="2.6.8b" how="a row of the unit matrix"
def boldest(mu):
    return torch.eye(len(mu))[mu.argmax()]

# %% wrong="2.6.8b" why="the largest return, not the weights" breaks="weights" says="wrong shape"
def boldest(mu):
    return mu.max()

# %% wrong="2.6.8b" why="proportional to mu" breaks="largest" says="not the best one"
def boldest(mu):
    return mu / mu.sum()

# %% wrong="2.6.8b" why="borrows from the worst" breaks="weights" says="no weight is negative"
def boldest(mu):
    alpha = torch.zeros(len(mu))
    alpha[mu.argmin()] -= 1
    alpha[mu.argmax()] += 2
    return alpha

# %% wrong="2.6.8b" why="weights that do not make 1" breaks="weights" says="the sum of the weights"
def boldest(mu):
    return (mu >= mu.mean()).float()

# %% wrong="2.6.8b" why="equal shares" breaks="largest" says="the mean return of equal weights"
def boldest(mu):
    return torch.full((len(mu),), 1 / len(mu))

# %% wrong="2.6.8b" why="softmax" breaks="largest" says="not the best one"
def boldest(mu):
    return mu.softmax(dim=0)

# %% wrong="2.6.8b" why="the least return" breaks="largest" says="not in the best one"
def boldest(mu):
    alpha = torch.zeros(len(mu))
    alpha[mu.argmin()] = 1
    return alpha

# %% wrong="2.6.8b" why="nothing if all returns are negative" breaks="weights" says="must be in some stock"
def boldest(mu):
    a = torch.zeros(len(mu))
    if mu.max() > 0:
        a[mu.argmax()] = 1
    return a

# %% wrong="2.6.8b" why="largest size" breaks="largest" says="compare the returns with their signs"
def boldest(mu):
    a = torch.zeros(len(mu))
    a[mu.abs().argmax()] = 1
    return a

# %% right="2.6.8c" how="the double sum"
def portfolio_variance(alpha, Sigma):
    return (alpha[:, None] * alpha[None, :] * Sigma).sum()

# %% right="2.6.8c" how="variances plus twice the pairs"
def portfolio_variance(alpha, Sigma):
    total = 0.0
    for i in range(len(alpha)):
        total += alpha[i] ** 2 * Sigma[i, i]
        for j in range(i):
            total += 2 * alpha[i] * alpha[j] * Sigma[i, j]
    return float(total)

# %% wrong="2.6.8c" why="weights not squared" breaks="variances" says="The weights are squared in a variance"
def portfolio_variance(alpha, Sigma):
    return (Sigma @ alpha).sum()

# %% wrong="2.6.8c" why="the standard deviation" breaks="variances" says="This is the standard deviation"
def portfolio_variance(alpha, Sigma):
    return (alpha @ Sigma @ alpha).sqrt()

# %% wrong="2.6.8c" why="a vector" breaks="variances" says="wrong shape"
def portfolio_variance(alpha, Sigma):
    return alpha * (Sigma @ alpha)

# %% wrong="2.6.8c" why="no covariances" breaks="covariances" says="The covariances are missing"
def portfolio_variance(alpha, Sigma):
    return alpha ** 2 @ Sigma.diagonal()

# %% wrong="2.6.8c" why="each pair once" breaks="covariances" says="Each pair counts twice"
def portfolio_variance(alpha, Sigma):
    return (alpha[:, None] * alpha[None, :] * Sigma).tril().sum()

# %% right="2.6.8d" how="masks, and minus infinity for what is not allowed"
def best_allowed(candidates, mu, Sigma, bound):
    variance = ((candidates @ Sigma) * candidates).sum(dim=1)
    allowed = (candidates >= 0).all(dim=1) & ((candidates.sum(dim=1) - 1).abs() <= 1e-4) & (variance <= bound)
    if not allowed.any():
        return -1
    gain = torch.where(allowed, candidates @ mu, torch.tensor(-math.inf, dtype=mu.dtype))
    return gain.argmax()

# %% right="2.6.8d" how="a list of the allowed, sorted"
def best_allowed(candidates, mu, Sigma, bound):
    found = []
    for i in range(len(candidates)):
        a = candidates[i]
        if (a < 0).any() or not math.isclose(a.sum().item(), 1, abs_tol=1e-4):
            continue
        if float(a @ (Sigma @ a)) > bound:
            continue
        found.append((float(a @ mu), i))
    return max(found)[1] if found else -1

# %% wrong="2.6.8d" why="the smallest variance" breaks="largest return" says="it is the mean return that counts"
def best_allowed(candidates, mu, Sigma, bound):
    best, least = -1, bound
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= least:
            best, least = i, a @ Sigma @ a
    return best

# %% wrong="2.6.8d" why="starts with a return of 0" breaks="largest return" says="compared with a number such as 0 or -1"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, 0
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound and a @ mu > most:
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="the first allowed row" breaks="largest return" says="nor the first place"
def best_allowed(candidates, mu, Sigma, bound):
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound:
            return i
    return -1

# %% wrong="2.6.8d" why="bounds the standard deviation" breaks="bound" says="16 is the variance, 4 the standard deviation"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, None
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and (a @ Sigma @ a).sqrt() <= bound and (most is None or a @ mu > most):
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="no bound at all" breaks="bound" says="Row 1 has variance 16"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, None
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and (most is None or a @ mu > most):
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="equal is not allowed" breaks="bound" says="A variance equal to the bound is allowed"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, None
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a < bound and (most is None or a @ mu > most):
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="no condition on the sum" breaks="sum" says="Its weights make 1.25"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, None
    for i, a in enumerate(candidates):
        if a.min() >= 0 and a @ Sigma @ a <= bound and (most is None or a @ mu > most):
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="the sum is bounded from above only" breaks="sum" says="Its weights make 0.5"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, None
    for i, a in enumerate(candidates):
        if a.min() >= 0 and a.sum() <= 1 + 1e-4 and a @ Sigma @ a <= bound and (most is None or a @ mu > most):
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="negative weights" breaks="no negative weight" says="It has a negative weight"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, None
    for i, a in enumerate(candidates):
        if abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound and (most is None or a @ mu > most):
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="0 where no row is allowed" breaks="none allowed" says="where no row is, the result is -1"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = 0, -math.inf
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound and a @ mu > most:
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="the number among the allowed rows" breaks="largest return" says="Count all rows"
def best_allowed(candidates, mu, Sigma, bound):
    allowed = [a for a in candidates if a.min() >= 0 and abs(a.sum() - 1) < 1e-4 and a @ Sigma @ a <= bound]
    return torch.stack([a @ mu for a in allowed]).argmax().item() if allowed else -1

# %% wrong="2.6.8d" why="compares the sum with == 1" breaks="sum" says="near enough to 1"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, -math.inf
    for i, a in enumerate(candidates):
        if a.min() >= 0 and a.sum() == 1 and a @ Sigma @ a <= bound and a @ mu > most:
            best, most = i, a @ mu
    return best

# %% right="2.6.J" how="torch.distributions"
def normal_density(x, mu, sigma):
    return torch.distributions.Normal(mu, sigma).log_prob(x).exp()

# %% right="2.6.J" how="in float64, one exponential"
def normal_density(x, mu, sigma):
    x = x.double()
    return (-(x - mu).square() / (2 * sigma ** 2) - math.log(sigma) - 0.5 * math.log(2 * math.pi)).exp()

# %% wrong="2.6.J" why="adds up" breaks="shape" says="wrong shape"
def normal_density(x, mu, sigma):
    return (torch.exp(-((x - mu) / sigma) ** 2 / 2) / (sigma * math.sqrt(2 * math.pi))).sum()

# %% wrong="2.6.J" why="flattened" breaks="shape" says="x of shape (2, 4)"
def normal_density(x, mu, sigma):
    x = x.reshape(-1)
    return torch.exp(-((x - mu) / sigma) ** 2 / 2) / (sigma * math.sqrt(2 * math.pi))

# %% wrong="2.6.J" why="no 1/σ" breaks="values" says="The factor 1/σ is missing"
def normal_density(x, mu, sigma):
    return torch.exp(-((x - mu) / sigma) ** 2 / 2) / math.sqrt(2 * math.pi)

# %% wrong="2.6.J" why="sigma as the variance" breaks="values" says="not the variance"
def normal_density(x, mu, sigma):
    return torch.exp(-(x - mu) ** 2 / (2 * sigma)) / math.sqrt(2 * math.pi * sigma)

# %% wrong="2.6.J" why="no half" breaks="values" says="The 2 in the exponent is missing"
def normal_density(x, mu, sigma):
    return torch.exp(-((x - mu) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))

# %% wrong="2.6.J" why="σ not squared in the exponent" breaks="values" says="σ is squared in the exponent"
def normal_density(x, mu, sigma):
    return torch.exp(-(x - mu) ** 2 / (2 * sigma)) / (sigma * math.sqrt(2 * math.pi))

# %% wrong="2.6.J" why="the logarithm" breaks="values" says="This is the logarithm"
def normal_density(x, mu, sigma):
    return torch.distributions.Normal(mu, sigma).log_prob(x)

# %% right="2.6.K" how="tensors"
def coin_log_likelihood(p, heads, tails):
    p = torch.tensor(p)
    return heads * p.log() + tails * (1 - p).log()

# %% right="2.6.K" how="a sum over all tosses"
def coin_log_likelihood(p, heads, tails):
    return sum([math.log(p)] * heads + [math.log1p(-p)] * tails)

# %% wrong="2.6.K" why="the likelihood" breaks="value" says="take its logarithm"
def coin_log_likelihood(p, heads, tails):
    return p ** heads * (1 - p) ** tails

# %% wrong="2.6.K" why="the loss" breaks="value" says="The sign is wrong"
def coin_log_likelihood(p, heads, tails):
    return -heads * math.log(p) - tails * math.log(1 - p)

# %% wrong="2.6.K" why="number of heads, any order" breaks="value" says="The order is given"
def coin_log_likelihood(p, heads, tails):
    return math.log(math.comb(heads + tails, heads)) + heads * math.log(p) + tails * math.log(1 - p)

# %% wrong="2.6.K" why="heads and tails exchanged" breaks="value" says="Heads have probability p"
def coin_log_likelihood(p, heads, tails):
    return tails * math.log(p) + heads * math.log(1 - p)

# %% wrong="2.6.K" why="logarithm of the product" breaks="many tosses" says="is 0 in floating point"
def coin_log_likelihood(p, heads, tails):
    return torch.tensor(p ** heads * (1 - p) ** tails, dtype=torch.float64).log()

# %% wrong="2.6.K" why="an epsilon in the logarithm" breaks="many tosses" says="Take the logarithms before"
def coin_log_likelihood(p, heads, tails):
    return math.log(p ** heads * (1 - p) ** tails + 1e-300)

# %% right="2.6.L" how="torch.distributions"
def normal_log_likelihood(mu, x, sigma):
    return torch.distributions.Normal(mu, sigma).log_prob(x).sum()

# %% right="2.6.L" how="mean of the squares times n, in float64"
def normal_log_likelihood(mu, x, sigma):
    z = (x.double() - mu) / sigma
    return float(-0.5 * len(x) * ((z @ z) / len(x) + 2 * math.log(sigma) + math.log(2 * math.pi)))

# %% wrong="2.6.L" why="the constant once" breaks="value" says="once for each observation"
def normal_log_likelihood(mu, x, sigma):
    return -math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="no constants" breaks="value" says="The constants are missing"
def normal_log_likelihood(mu, x, sigma):
    return -((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="the mean" breaks="value" says="This is the mean"
def normal_log_likelihood(mu, x, sigma):
    return torch.distributions.Normal(mu, sigma).log_prob(x).mean()

# %% wrong="2.6.L" why="the loss" breaks="value" says="The sign is wrong"
def normal_log_likelihood(mu, x, sigma):
    return -torch.distributions.Normal(mu, sigma).log_prob(x).sum()

# %% wrong="2.6.L" why="σ not squared" breaks="value" says="σ is squared"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / (2 * sigma)

# %% wrong="2.6.L" why="the logarithm of the product" breaks="many observations" says="take the logarithm on paper"
def normal_log_likelihood(mu, x, sigma):
    density = torch.exp(-((x - mu) / sigma) ** 2 / 2) / (sigma * math.sqrt(2 * math.pi))
    return density.prod().log()

# %% wrong="2.6.L" why="the logarithms of densities that are 0" breaks="many observations" says="take the logarithm on paper"
def normal_log_likelihood(mu, x, sigma):
    density = torch.exp(-((x - mu) / sigma) ** 2 / 2) / (sigma * math.sqrt(2 * math.pi))
    return density.log().sum()

# %% right="2.6.M" how="one over the mean"
def best_rate(x):
    return 1 / x.double().mean().item()

# %% right="2.6.M" how="Newton's method on the slope"
def best_rate(x):
    n, total = len(x), float(x.double().sum())
    rate = 0.5 / total
    for _ in range(60):
        rate = rate * (2 - rate * total / n)
    return rate

# %% wrong="2.6.M" why="the mean" breaks="maximum" says="This is the mean waiting time"
def best_rate(x):
    return x.mean()

# %% wrong="2.6.M" why="one over the median" breaks="maximum" says="one over the median"
def best_rate(x):
    return 1 / x.median()

# %% wrong="2.6.M" why="without n" breaks="maximum" says="has a factor λ"
def best_rate(x):
    return 1 / x.sum()

# %% wrong="2.6.M" why="n - 1" breaks="maximum" says="not for n - 1"
def best_rate(x):
    return (len(x) - 1) / x.sum()

# %% wrong="2.6.M" why="a grid of rates" breaks="any scale" says="0.000002, 0.000004, 0.000009"
def best_rate(x):
    rates = torch.arange(1, 100_001, dtype=torch.float64) / 10_000
    return rates[(len(x) * rates.log() - rates * x.double().sum()).argmax()]

# %% wrong="2.6.M" why="log 2 over median" breaks="maximum" says="log 2 over the median"
def best_rate(x):
    return math.log(2) / x.median().item()

# %% wrong="2.6.M" why="epsilon" breaks="any scale" says="not even a small number"
def best_rate(x):
    return 1 / (x.mean() + 1e-6)

# %% right="2.6.9" how="gather"
def label_loss(probabilities, labels):
    return -probabilities.gather(1, labels[:, None]).log().mean()

# %% right="2.6.9" how="a loop over the pictures"
def label_loss(probabilities, labels):
    total = 0.0
    for row, label in zip(probabilities, labels):
        total -= math.log(row[label])
    return total / len(labels)

# %% right="2.6.9" how="one-hot labels"
def label_loss(probabilities, labels):
    one_hot = torch.eye(probabilities.shape[1], dtype=probabilities.dtype)[labels]
    return -(one_hot * probabilities.log()).sum() / len(labels)

# %% wrong="2.6.9" why="the largest of each row" breaks="labels" says="not that of the label"
def label_loss(probabilities, labels):
    return -probabilities.max(dim=1).values.log().mean()

# %% wrong="2.6.9" why="slices with the labels" breaks="labels" says="Each row with its own label"
def label_loss(probabilities, labels):
    return -probabilities[:, labels].log().mean()

# %% wrong="2.6.9" why="a softmax on top" breaks="labels" says="no softmax"
def label_loss(probabilities, labels):
    return torch.nn.functional.cross_entropy(probabilities, labels)

# %% wrong="2.6.9" why="no logarithm" breaks="loss" says="The logarithm is missing"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].mean()

# %% wrong="2.6.9" why="logarithm of the mean" breaks="loss" says="the logarithm of a mean"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].mean().log()

# %% wrong="2.6.9" why="the sum" breaks="loss" says="This is the sum"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].log().sum()

# %% wrong="2.6.9" why="no minus" breaks="loss" says="The sign is wrong"
def label_loss(probabilities, labels):
    return probabilities[torch.arange(len(labels)), labels].log().mean()

# %% wrong="2.6.9" why="the product first" breaks="many pictures" says="is 0 in floating point"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].prod().log() / len(labels)

# %% right="2.6.3b" how="through k"
def chebyshev_bound(p, n, eps):
    k = eps / (p * (1 - p) / n) ** 0.5
    return 1 / k ** 2 if k > 1 else 1

# %% right="2.6.3b" how="a tensor, clamped"
def chebyshev_bound(p, n, eps):
    return torch.tensor(p * (1 - p) / n / eps / eps).clamp(max=1)

# %% wrong="2.6.3b" why="the worst coin" breaks="bound" says="the worst coin"
def chebyshev_bound(p, n, eps):
    return min(1, 1 / (4 * n * eps ** 2))

# %% wrong="2.6.3b" why="distance not squared" breaks="bound" says="The distance is squared"
def chebyshev_bound(p, n, eps):
    return min(1, p * (1 - p) / (n * eps))

# %% wrong="2.6.3b" why="without n" breaks="bound" says="divided by n"
def chebyshev_bound(p, n, eps):
    return min(1, p * (1 - p) / eps ** 2)

# %% wrong="2.6.3b" why="the standard deviation" breaks="bound" says="in place of the variance"
def chebyshev_bound(p, n, eps):
    return min(1, (p * (1 - p) / n) ** 0.5 / eps ** 2)

# %% wrong="2.6.3b" why="eps taken for k" breaks="bound" says="not a number k of standard deviations"
def chebyshev_bound(p, n, eps):
    return min(1, 1 / eps ** 2)

# %% wrong="2.6.3b" why="no limit" breaks="at most 1" says="never above 1"
def chebyshev_bound(p, n, eps):
    return p * (1 - p) / (n * eps ** 2)

# %% right="2.6.3c" how="the error function"
def normal_estimate(p, n, eps):
    return math.erfc(eps / math.sqrt(2 * p * (1 - p) / n))

# %% right="2.6.3c" how="a normal distribution of the share"
def normal_estimate(p, n, eps):
    share = torch.distributions.Normal(p, math.sqrt(p * (1 - p) / n))
    return share.cdf(torch.tensor(p - eps)) + 1 - share.cdf(torch.tensor(p + eps))

# %% wrong="2.6.3c" why="divides by the variance" breaks="scale" says="not by its variance"
def normal_estimate(p, n, eps):
    k = eps / (p * (1 - p) / n)
    return 2 * (1 - torch.distributions.Normal(0., 1.).cdf(torch.tensor(k)))

# %% wrong="2.6.3c" why="the deviation of one toss" breaks="scale" says="not of one toss"
def normal_estimate(p, n, eps):
    k = eps / (p * (1 - p)) ** 0.5
    return 2 * (1 - torch.distributions.Normal(0., 1.).cdf(torch.tensor(k)))

# %% wrong="2.6.3c" why="a fair coin" breaks="scale" says="not of a fair one"
def normal_estimate(p, n, eps):
    k = eps / (0.25 / n) ** 0.5
    return 2 * (1 - torch.distributions.Normal(0., 1.).cdf(torch.tensor(k)))

# %% wrong="2.6.3c" why="one side" breaks="two sides" says="one side only"
def normal_estimate(p, n, eps):
    k = eps / (p * (1 - p) / n) ** 0.5
    return 1 - torch.distributions.Normal(0., 1.).cdf(torch.tensor(k))

# %% wrong="2.6.3c" why="inside instead of outside" breaks="two sides" says="nearer than eps"
def normal_estimate(p, n, eps):
    k = eps / (p * (1 - p) / n) ** 0.5
    return 2 * torch.distributions.Normal(0., 1.).cdf(torch.tensor(k)) - 1

# %% right="2.6.3d" how="one toss of a fair coin"
surprise = [0.5, 1, 0.5]

# %% right="2.6.3d" how="two tosses"
surprise = (0.5, 2, 0.5)

# %% wrong="2.6.3d" why="the order" breaks="form" says="The order is p, n, eps"
surprise = (4, 0.5, 0.25)

# %% wrong="2.6.3d" why="two numbers" breaks="form" says="how many numbers surprise holds"
surprise = (4, 0.25)

# %% wrong="2.6.3d" why="eps 0" breaks="form" says="eps in surprise is positive"
surprise = (0.5, 10, 0)

# %% wrong="2.6.3d" why="many tosses: they agree" breaks="gap" says="by at least 0.1"
surprise = (0.5, 500, 0.05)

# %% wrong="2.6.3d" why="eps just above a jump" breaks="gap" says="It is smaller here"
surprise = (0.5, 4, 0.26)

# %% right="2.6.4a" how="1 over the larger one"
def covariance_of_averages(m, k):
    return 1 / max(m, k)

# %% right="2.6.4a" how="dot product of the weights"
def covariance_of_averages(m, k):
    a, b = torch.zeros(max(m, k)), torch.zeros(max(m, k))
    a[:m], b[:k] = 1 / m, 1 / k
    return a @ b

# %% wrong="2.6.4a" why="independent" breaks="different m and n" says="they are not independent"
def covariance_of_averages(m, k):
    return 1 / m if m == k else 0.0

# %% wrong="2.6.4a" why="1 over the smaller one" breaks="different m and n" says="variance of the shorter average, as if"
def covariance_of_averages(m, k):
    return 1 / min(m, k)

# %% wrong="2.6.4a" why="always the second" breaks="different m and n" says="yours is 1/5, that of the longer one"
def covariance_of_averages(m, k):
    return 1 / k

# %% wrong="2.6.4a" why="one shared draw" breaks="variance" says="how many draws occur in both"
def covariance_of_averages(m, k):
    return 1 / (m * k)

# %% wrong="2.6.4a" why="the standard deviation" breaks="variance" says="m = 5, n = 5"
def covariance_of_averages(m, k):
    return 1 / max(m, k) ** 0.5

# %% right="2.6.4b" how="a loop over m"
def share_outside(x, k):
    paths, M = x.shape
    ever = torch.zeros(paths, dtype=torch.bool)
    for m in range(1, M + 1):
        now = x[:, :m].mean(dim=1).abs() >= k / m ** 0.5
        ever = ever | now
    return now.float().mean().item(), ever.float().mean().item()

# %% right="2.6.4b" how="the largest of |sum| / √m"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1, dtype=x.dtype)
    size = x.cumsum(1).abs() / m.sqrt()
    return [(size[:, -1] >= k).sum() / len(x), (size.max(dim=1).values >= k).sum() / len(x)]

# %% wrong="2.6.4b" why="draws in place of means" breaks="last" says="These are the draws"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = x.abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="the variance as limit" breaks="last" says="yours is k/4"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="larger only" breaks="last" says="Equality counts as outside"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() > k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="above only" breaks="last" says="Means far below 0"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m) >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="one limit for all m" breaks="ever" says="Each m has its own limit"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / x.shape[1] ** 0.5
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="the share of the entries" breaks="ever" says="not the entries"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.double().mean()

# %% wrong="2.6.4b" why="numbers of rows" breaks="last" says="not a share"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].sum(), outside.any(dim=1).sum()

# %% wrong="2.6.4b" why="outside at every m" breaks="ever" says="it need not be all"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.all(dim=1).double().mean()

# %% wrong="2.6.4b" why="without the last draw" breaks="ever" says="The last draw counts"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside[:, :-1].any(dim=1).double().mean()

# %% wrong="2.6.A" why="exact numbers of each face, shuffled" breaks="distribution" says="the rolls are shuffled, not drawn"
def rolls(p, n, seed):
    counts = (p * n).round().long()
    counts[counts.argmax()] += n - counts.sum()
    faces = torch.repeat_interleave(torch.arange(len(p)), counts)
    return faces[torch.randperm(n, generator=torch.Generator().manual_seed(seed))]

# %% wrong="2.6.B" why="divides with //" breaks="values" says="drops everything after the point"
def running_share(x):
    return (x.cumsum(dim=0) // torch.arange(1, len(x) + 1)).float()

# %% wrong="2.6.1" why="floor and one more" breaks="smallest" says="exactly 0.25, and that is allowed"
def tosses_for(deviation):
    return math.floor(1 / (4 * deviation ** 2)) + 1

# %% wrong="2.6.1" why="two deviations (95 %)" breaks="smallest" says="not two"
def tosses_for(deviation):
    return math.ceil(4 * 0.25 / deviation ** 2)

# %% wrong="2.6.E" why="the largest drop only" breaks="absolute" says="An entry above the product"
def independence_gap(joint):
    return -(joint - joint.sum(1, keepdim=True) * joint.sum(0)).min()

# %% wrong="2.6.E" why="the difference with its sign" breaks="absolute" says="with its sign"
def independence_gap(joint):
    gaps = (joint - joint.sum(1, keepdim=True) * joint.sum(0)).flatten()
    return gaps[gaps.abs().argmax()]

# %% wrong="2.6.E" why="the last entry only" breaks="largest" says="Another entry differs by more"
def independence_gap(joint):
    return abs(joint[-1, -1] - joint[-1].sum() * joint[:, -1].sum())

# %% wrong="2.6.G" why="the size of the costs" breaks="cost" says="leave its sign"
def cheapest(costs, p):
    expected = costs.abs() @ p
    return expected.argmin(), expected.min()

# %% wrong="2.6.G" why="the smallest size of an expected cost" breaks="cost" says="leave the sign of the expected cost"
def cheapest(costs, p):
    expected = (costs @ p).abs()
    return expected.argmin(), expected.min()

# %% wrong="2.6.G" why="the search starts at 1000" breaks="cost" says="With what is the first row compared?"
def cheapest(costs, p):
    row, best = 0, 1000.0
    for i, cost in enumerate((costs @ p).tolist()):
        if cost < best:
            row, best = i, cost
    return row, best

# %% wrong="2.6.G" why="three rows only" breaks="cost" says="compare the expected costs of all rows"
def cheapest(costs, p):
    expected = costs[:3] @ p
    return expected.argmin(), expected.min()

# %% wrong="2.6.G" why="the row of the smallest plain mean" breaks="choice" says="Row 2 has the smallest plain mean"
def cheapest(costs, p):
    return costs.mean(dim=1).argmin(), (costs @ p).min()

# %% wrong="2.6.G" why="most likely outcome only" breaks="cost" says="weight the whole row"
def cheapest(costs, p):
    c = costs[:, p.argmax()]
    return c.argmin().item(), c.min().item()

# %% wrong="2.6.G" why="minimax" breaks="choice" says="the mildest worst case"
def cheapest(costs, p):
    e = costs @ p
    i = costs.max(1).values.argmin()
    return i.item(), e[i].item()

# %% wrong="2.6.G" why="right row, its smallest cost" breaks="cost" says="its expected cost is asked"
def cheapest(costs, p):
    i = (costs @ p).argmin().item()
    return i, costs[i].min().item()

# %% wrong="2.6.G" why="last row never looked at" breaks="choice" says="the last row is cheaper"
def cheapest(costs, p):
    e = (costs @ p)[:-1]
    return e.argmin().item(), e.min().item()

# %% wrong="2.6.8d" why="a tolerance of 0.01" breaks="sum" says="Its weights make 1.005"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, -math.inf
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 0.01 and a @ Sigma @ a <= bound and a @ mu > most:
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="starts with a return of -1" breaks="largest return" says="compared with a number such as 0 or -1"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, -1.0
    for i, a in enumerate(candidates):
        if a.min() >= 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound and a @ mu > most:
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="a weight of 0 is refused" breaks="no negative weight" says="A weight of 0 is not negative"
def best_allowed(candidates, mu, Sigma, bound):
    best, most = -1, -math.inf
    for i, a in enumerate(candidates):
        if a.min() > 0 and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound and a @ mu > most:
            best, most = i, a @ mu
    return best

# %% wrong="2.6.8d" why="tolerance 1e-6" breaks="sum" says="it is allowed"
def best_allowed(candidates, mu, Sigma, bound):
    best, r = -1, -math.inf
    for i, a in enumerate(candidates):
        if (a >= 0).all() and abs(a.sum() - 1) <= 1e-6 and a @ Sigma @ a <= bound and a @ mu > r:
            best, r = i, a @ mu
    return best

# %% wrong="2.6.8d" why="masks with 0" breaks="largest return" says="by being given a return such as 0"
def best_allowed(candidates, mu, Sigma, bound):
    ok = (candidates >= 0).all(1) & ((candidates.sum(1) - 1).abs() <= 1e-4) & (((candidates @ Sigma) * candidates).sum(1) <= bound)
    if not ok.any():
        return -1
    return int(((candidates @ mu) * ok).argmax())

# %% wrong="2.6.8d" why="only diagonal variances" breaks="bound" says="the covariances count, too"
def best_allowed(candidates, mu, Sigma, bound):
    best, r = -1, -math.inf
    for i, a in enumerate(candidates):
        if (a >= 0).all() and abs(a.sum() - 1) <= 1e-4 and a ** 2 @ Sigma.diagonal() <= bound and a @ mu > r:
            best, r = i, a @ mu
    return best

# %% wrong="2.6.8d" why="small negative weights allowed" breaks="no negative weight" says="though a small one"
def best_allowed(candidates, mu, Sigma, bound):
    best, r = -1, -math.inf
    for i, a in enumerate(candidates):
        if (a >= -0.01).all() and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound and a @ mu > r:
            best, r = i, a @ mu
    return best

# %% wrong="2.6.8d" why="best return first, -1 if it is not allowed" breaks="largest return" says="Row 0 is allowed"
def best_allowed(candidates, mu, Sigma, bound):
    i = int((candidates @ mu).argmax())
    a = candidates[i]
    return i if (a >= 0).all() and abs(a.sum() - 1) <= 1e-4 and a @ Sigma @ a <= bound else -1

# %% right="2.6.8d" how="sorted by return"
def best_allowed(candidates, mu, Sigma, bound):
    order = (candidates @ mu).argsort(descending=True).tolist()
    for i in order:
        a = candidates[i]
        if a.min() >= 0 and abs(float(a.double().sum()) - 1) <= 0.0001 and float(a @ (Sigma @ a)) <= bound:
            return i
    return -1

# %% wrong="2.6.8c" why="at most 1, as for a probability" breaks="variances" says="A variance may be larger than 1"
def portfolio_variance(alpha, Sigma):
    return (alpha @ Sigma @ alpha).clamp(max=1)

# %% wrong="2.6.8c" why="the size of the covariances" breaks="covariances" says="A covariance may be negative"
def portfolio_variance(alpha, Sigma):
    return alpha @ Sigma.abs() @ alpha

# %% wrong="2.6.8c" why="deviations added" breaks="variances" says="Deviations do not add"
def portfolio_variance(alpha, Sigma):
    return (alpha @ Sigma.diagonal().sqrt()) ** 2

# %% wrong="2.6.8c" why="covariances of neighbours only" breaks="covariances" says="side by side"
def portfolio_variance(alpha, Sigma):
    v = alpha ** 2 @ Sigma.diagonal()
    for i in range(len(alpha) - 1):
        v = v + 2 * alpha[i] * alpha[i + 1] * Sigma[i, i + 1]
    return v

# %% wrong="2.6.4b" why="ever first" breaks="last" says="The order is (last, ever)"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside.any(dim=1).double().mean(), outside[:, -1].double().mean()

# %% wrong="2.6.4b" why="sums in place of means" breaks="last" says="These are sums so far"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = x.cumsum(dim=1).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="any along the columns" breaks="ever" says="not along the columns"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=0).double().mean()

# %% wrong="2.6.3b" why="no bound at all" breaks="bound" says="far below 1 here"
def chebyshev_bound(p, n, eps):
    return 1

# %% wrong="2.6.3b" why="the exact probability" breaks="bound" says="This is the exact probability"
def chebyshev_bound(p, n, eps):
    return 1 - sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) for k in range(n + 1) if abs(k / n - p) < eps - 1e-9)

# %% wrong="2.6.3c" why="the deviation of the number of heads" breaks="scale" says="not of the number of heads"
def normal_estimate(p, n, eps):
    return math.erfc(eps / math.sqrt(2 * n * p * (1 - p)))

# %% wrong="2.6.3c" why="the exact probability" breaks="scale" says="This is the exact probability"
def normal_estimate(p, n, eps):
    return 1 - sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) for k in range(n + 1) if abs(k / n - p) < eps - 1e-9)

# %% wrong="2.6.3c" why="Chebyshev's bound" breaks="scale" says="This is Chebyshev's bound"
def normal_estimate(p, n, eps):
    return min(1.0, p * (1 - p) / (n * eps ** 2)) if eps else 1.0

# %% wrong="2.6.3c" why="a correction for whole numbers" breaks="scale" says="Leave the correction"
def normal_estimate(p, n, eps):
    return math.erfc(max(0.0, eps - 0.5 / n) / math.sqrt(2 * p * (1 - p) / n))

# %% wrong="2.6.3c" why="density" breaks="scale" says="asked is an area"
def normal_estimate(p, n, eps):
    s = (p * (1 - p) / n) ** 0.5
    return 2 * math.exp(torch.distributions.Normal(0., 1.).log_prob(torch.tensor(eps / s)).item())

# %% wrong="2.6.3a" why="a fair coin" breaks="one toss" says="for a fair coin"
def share_variance(p, n):
    return 0.25 / n

# %% wrong="2.6.5a" why="nothing need be covered" breaks="low" says="as the longer stretch"
def union_bounds(p, q):
    return 0, min(1, p + q)

# %% wrong="2.6.5a" why="high p + q - pq where the sum is above 1" breaks="high" says="not the largest"
def union_bounds(p, q):
    return (max(p, q), p + q if p + q <= 1 else p + q - p * q)

# %% wrong="2.6.5a" why="high always 1 for large p" breaks="high" says="as little as they can"
def union_bounds(p, q):
    return (max(p, q), 1.0 if max(p, q) > 0.5 else p + q)

# %% wrong="2.6.7b" why="the healthy without their prior" breaks="value" says="has the prior 1 - `prior`"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / (prior * (1 - miss) + false_alarm)

# %% wrong="2.6.7b" why="the posterior of a healthy patient" breaks="value" says="of a healthy patient"
def after_one(prior, miss, false_alarm):
    ill = prior * (1 - miss)
    return 1 - ill / (ill + (1 - prior) * false_alarm)

# %% wrong="2.6.7b" why="1 - false_alarm for the healthy" breaks="value" says="with probability `false_alarm`"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / (prior * (1 - miss) + (1 - prior) * (1 - false_alarm))

# %% wrong="2.6.7b" why="miss ignored" breaks="value" says="what does `miss` say"
def after_one(prior, miss, false_alarm):
    return prior / (prior + (1 - prior) * false_alarm)

# %% wrong="2.6.2" why="whole-number division" breaks="value" says="Divide with"
def prediction_variance(variance, n):
    return variance + variance // n

# %% wrong="2.6.2" why="twice the variance" breaks="value" says="strays less than one draw"
def prediction_variance(variance, n):
    return 2 * variance

# %% wrong="2.6.2" why="n - 1" breaks="value" says="not n - 1"
def prediction_variance(variance, n):
    return variance + variance / max(n - 1, 1)

# %% wrong="2.6.4a" why="the product of the deviations" breaks="different m and n" says="averages that always agree"
def covariance_of_averages(m, n):
    return 1 / math.sqrt(m * n)

# %% wrong="2.6.4a" why="correlation sqrt(min/max)" breaks="different m and n" says="asked is the covariance"
def covariance_of_averages(m, n):
    return math.sqrt(min(m, n) / max(m, n)) if m != n else 1 / m

# %% wrong="2.6.4a" why="covariance of the sums" breaks="variance" says="divided by its number of draws"
def covariance_of_averages(m, n):
    return min(m, n)

# %% wrong="2.6.I" why="from the first values" breaks="weights" says="not from their first values"
def covariance(joint, x, y):
    return ((x - x[0])[:, None] * (y - y[0])[None, :] * joint).sum()

# %% right="2.6.I" how="Y measured from the mean of X: any constant will do once X is centred"
def covariance(joint, x, y):
    mx = x @ joint.sum(1)
    return ((x - mx)[:, None] * (y - mx) * joint).sum()

# %% wrong="2.6.I" why="variance of X" breaks="weights" says="the variance of X"
def covariance(joint, x, y):
    px = joint.sum(1)
    m = x @ px
    return (x - m) ** 2 @ px

# %% wrong="2.6.K" why="the tails subtracted" breaks="value" says="added, not subtracted"
def coin_log_likelihood(p, heads, tails):
    return heads * math.log(p) - tails * math.log(1 - p)

# %% wrong="2.6.K" why="no tails" breaks="value" says="The tails are missing"
def coin_log_likelihood(p, heads, tails):
    return heads * math.log(p)

# %% wrong="2.6.K" why="log of the numbers" breaks="value" says="one factor 1 - p"
def coin_log_likelihood(p, heads, tails):
    return p * math.log(heads) + (1 - p) * math.log(tails)

# %% wrong="2.6.L" why="three observations for all" breaks="value" says="There are five observations here"
def normal_log_likelihood(mu, x, sigma):
    return -3 * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="σ² in the first term" breaks="value" says="has σ, not σ²"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma ** 2 * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="distances from the sample mean" breaks="value" says="not from the mean of `x`"
def normal_log_likelihood(mu, x, sigma):
    n = len(x)
    return -n * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - x.mean()) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="square of the sum" breaks="value" says="Square each distance"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma * math.sqrt(2 * math.pi)) - (x - mu).sum() ** 2 / (2 * sigma ** 2)

# %% wrong="2.6.L" why="sqrt(2 pi) missing" breaks="value" says="in the first term is missing"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="precedence" breaks="value" says="brackets around the divisor"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / 2 * sigma ** 2

# %% right="2.6.L" how="mean and variance of the sample"
def normal_log_likelihood(mu, x, sigma):
    n, x = len(x), x.double()
    s = n * x.var(correction=0) + n * (x.mean() - mu) ** 2
    return -n * math.log(sigma * math.sqrt(2 * math.pi)) - s / (2 * sigma ** 2)

# %% wrong="2.6.J" why="the area to the left" breaks="values" says="not the density at x"
def normal_density(x, mu, sigma):
    return torch.distributions.Normal(mu, sigma).cdf(x)

# %% wrong="2.6.J" why="mu ignored" breaks="values" says="measured from `mu`"
def normal_density(x, mu, sigma):
    return torch.exp(-x ** 2 / (2 * sigma ** 2)) / (sigma * math.sqrt(2 * math.pi))

# %% wrong="2.6.J" why="normalised to sum 1" breaks="values" says="its area is 1"
def normal_density(x, mu, sigma):
    d = torch.exp(-(x - mu) ** 2 / (2 * sigma ** 2))
    return d / d.sum()

# %% wrong="2.6.J" why="sigma squared in front" breaks="values" says="σ, not σ²"
def normal_density(x, mu, sigma):
    return torch.exp(-(x - mu) ** 2 / (2 * sigma ** 2)) / (sigma ** 2 * math.sqrt(2 * math.pi))

# %% wrong="2.6.J" why="precedence: divided by sigma times root multiplied" breaks="values" says="brackets around the divisor"
def normal_density(x, mu, sigma):
    return 1 / sigma * math.sqrt(2 * math.pi) * torch.exp(-(x - mu) ** 2 / (2 * sigma ** 2))

# %% wrong="2.6.J" why="precedence in the exponent: / 2 * sigma ** 2" breaks="values" says="divisor of the exponent"
def normal_density(x, mu, sigma):
    return 1 / (sigma * math.sqrt(2 * math.pi)) * torch.exp(-(x - mu) ** 2 / 2 * sigma ** 2)

# %% wrong="2.6.H" why="not weighted squares" breaks="deviation" says="added up without their probabilities"
def mean_and_deviation(values, p):
    mean = values @ p
    return mean, ((values - mean) ** 2).sum().sqrt()

# %% wrong="2.6.H" why="most likely value as mean" breaks="mean" says="One value is not the mean"
def mean_and_deviation(values, p):
    m = values[p.argmax()]
    return m, ((values - m) ** 2 @ p).sqrt()

# %% wrong="2.6.H" why="correction k / (k - 1)" breaks="deviation" says="No sample is used"
def mean_and_deviation(values, p):
    m = values @ p
    k = len(p)
    return m, ((values - m) ** 2 @ p * k / (k - 1)).sqrt()

# %% right="2.6.H" how="numpy"
import numpy as np
def mean_and_deviation(values, p):
    m = np.average(values.numpy(), weights=p.numpy())
    return m, np.sqrt(np.average((values.numpy() - m) ** 2, weights=p.numpy()))

# %% wrong="2.6.9" why="classes counted from 1" breaks="labels" says="Classes are counted from 0"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels - 1].log().mean()

# %% wrong="2.6.9" why="also the other classes (binary)" breaks="labels" says="Only the true class counts"
def label_loss(probabilities, labels):
    one = torch.nn.functional.one_hot(labels, probabilities.shape[1]).float()
    return torch.nn.functional.binary_cross_entropy(probabilities, one)

# %% wrong="2.6.9" why="mean over classes first (balanced)" breaks="loss" says="Each picture counts once"
def label_loss(probabilities, labels):
    p = probabilities[torch.arange(len(labels)), labels]
    return torch.stack([-p[labels == c].log().mean() for c in labels.unique()]).mean()

# %% wrong="2.6.3d" why="p above 1" breaks="form" says="p in surprise lies between 0 and 1"
surprise = (1.5, 4, 0.25)

# %% wrong="2.6.E" why="the first row only" breaks="absolute" says="Another entry differs by more"
def independence_gap(joint):
    return (joint - joint.sum(1, keepdim=True) * joint.sum(0)).abs()[0].max()

# %% wrong="2.6.E" why="relative to the product" breaks="largest" says="Do not divide by the product"
def independence_gap(joint):
    t = joint.sum(1, keepdim=True) * joint.sum(0)
    return ((joint - t).abs() / t).max()

# %% wrong="2.6.E" why="largest minus smallest" breaks="largest" says="the largest in size"
def independence_gap(joint):
    d = joint - joint.sum(1, keepdim=True) * joint.sum(0)
    return d.max() - d.min()

# %% wrong="2.6.4b" why="m counted from 2" breaks="last" says="m counts from 1, not from 2"
def share_outside(x, k):
    m = torch.arange(x.shape[1]) + 2
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="k fixed at 2" breaks="last" says="Take the k of the call"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = (x.cumsum(1) / m).abs() >= 2 / m.sqrt()
    return out[:, -1].double().mean(), out.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="ever: any of all rows" breaks="ever" says="nor in the whole table"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = (x.cumsum(1) / m).abs() >= k / m.sqrt()
    return out[:, -1].double().mean(), float(out.any())

# %% wrong="2.6.4b" why="divides by the sample's deviation" breaks="last" says="or are divided by a deviation"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = (x.cumsum(1) / m).abs() >= k * x.std() / m.sqrt()
    return out[:, -1].double().mean(), out.any(1).double().mean()

# %% wrong="2.6.4b" why="cumsum down the columns" breaks="last" says="down the columns"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = (x.cumsum(0) / m).abs() >= k / m.sqrt()
    return out[:, -1].double().mean(), out.any(1).double().mean()

# %% right="2.6.4b" how="squares of sums"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = x.double().cumsum(1) ** 2 >= k ** 2 * m
    return out[:, -1].double().mean().item(), out.any(1).double().mean().item()

# %% wrong="2.6.A" why="one draw from each of n equal stretches, shuffled" breaks="distribution" says="not drawn"
def rolls(p, n, seed):
    generator = torch.Generator().manual_seed(seed)
    u = (torch.arange(n) + torch.rand(n, generator=generator)) / n
    faces = torch.searchsorted(p.cumsum(0), u).clamp(max=len(p) - 1)
    return faces[torch.randperm(n, generator=generator)]

# %% wrong="2.6.A" why="puts back only where there are more rolls than faces" breaks="distribution" says="however few rolls there are"
def rolls(p, n, seed):
    return torch.multinomial(p, n, replacement=n > len(p), generator=torch.Generator().manual_seed(seed))

# %% wrong="2.6.A" why="the last digit of the seed" breaks="seed" says="five different samples"
def rolls(p, n, seed):
    return torch.multinomial(p, n, replacement=True, generator=torch.Generator().manual_seed(seed % 10))

# %% right="2.6.A" how="the global generator, put back afterwards"
def rolls(p, n, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return torch.multinomial(p, n, replacement=True)

# %% wrong="2.6.B" why="counts in a byte" breaks="values" says="1,217 tosses"
def running_share(x):
    return x.to(torch.uint8).cumsum(0, dtype=torch.uint8) / torch.arange(1, len(x) + 1)

# %% wrong="2.6.5a" why="forgets equal p and q" breaks="low" says="together they cover as much as one"
def union_bounds(p, q):
    low = p if p > q else q if q > p else 0.0
    return low, min(1.0, p + q)

# %% wrong="2.6.5b" why="forgets equal p and q" breaks="high" says="may lie one on the other"
def intersection_bounds(p, q):
    high = p if p < q else q if q < p else 0.0
    return max(0.0, p + q - 1), high

# %% wrong="2.6.5b" why="0 if one of the two is below one half" breaks="low" says="cannot be kept apart"
def intersection_bounds(p, q):
    return 0.0 if min(p, q) < 0.5 else p + q - 1, min(p, q)

# %% right="2.6.D" how="the sums as a product with ones"
def given_row(joint):
    return joint / (joint @ torch.ones(joint.shape[1]))[:, None]

# %% wrong="2.6.E" why="the largest sum of a row" breaks="largest" says="not the sum of those in a row"
def independence_gap(joint):
    return (joint - torch.outer(joint.sum(1), joint.sum(0))).abs().sum(1).max()

# %% wrong="2.6.F" why="the likelihood is made to sum to 1 in place" breaks="arguments kept" says="likelihood after the call"
def posterior_of(prior, likelihood):
    likelihood /= likelihood.sum()
    products = prior * likelihood
    return products / products.sum()

# %% wrong="2.6.7a" why="how often the second is positive once the first is" breaks="both positive" says="how often both results come"
def healthy_table(false_alarm, both):
    return torch.tensor([[(1 - 2 * false_alarm + both) / (1 - false_alarm), (false_alarm - both) / (1 - false_alarm)],
                         [(false_alarm - both) / false_alarm, both / false_alarm]])

# %% right="2.6.7b" how="by the odds"
def after_one(prior, miss, false_alarm):
    odds = prior / (1 - prior) * (1 - miss) / false_alarm
    return odds / (1 + odds)

# %% wrong="2.6.7b" why="error rates exchanged" breaks="value" says="The two error rates are exchanged"
def after_one(prior, miss, false_alarm):
    return prior * (1 - false_alarm) / (prior * (1 - false_alarm) + (1 - prior) * miss)

# %% right="2.6.7c" how="one over one plus the odds of being healthy"
def after_both(prior, miss, false_alarm, both):
    return 1 / (1 + (1 - prior) / prior * both / (1 - miss) ** 2)

# %% right="2.6.7c" how="in two steps"
def after_both(prior, miss, false_alarm, both):
    first = prior * (1 - miss) / (prior * (1 - miss) + (1 - prior) * false_alarm)
    return first * (1 - miss) / (first * (1 - miss) + (1 - first) * both / false_alarm)

# %% wrong="2.6.7c" why="takes both off" breaks="healthy patients" says="nothing is taken off"
def after_both(prior, miss, false_alarm, both):
    ill = prior * (1 - miss) ** 2
    return ill / (ill + (1 - prior) * (false_alarm - both))

# %% wrong="2.6.G" why="the search starts at 0" breaks="cost" says="with what is the first row compared?"
def cheapest(costs, p):
    choice, cost = 0, 0.0
    for i, row in enumerate(costs):
        if (row * p).sum().item() < cost:
            choice, cost = i, (row * p).sum().item()
    return choice, cost

# %% wrong="2.6.I" why="distances without their signs" breaks="weights" says="A distance from the mean has a sign"
def covariance(joint, x, y):
    return ((x - x @ joint.sum(1)).abs()[:, None] * (y - y @ joint.sum(0)).abs()[None, :] * joint).sum()

# %% wrong="2.6.3a" why="divides E[X²] alone by n" breaks="scaling" says="not p alone"
def share_variance(p, n):
    return p / n - p ** 2

# %% wrong="2.6.3a" why="right for the one p of the check" breaks="one toss" says="0.75"
def share_variance(p, n):
    return 0.8 * p / n

# %% wrong="2.6.1" why="at least two tosses" breaks="smallest" says="0.8"
def tosses_for(deviation):
    return max(2, math.ceil(0.25 / deviation ** 2))

# %% wrong="2.6.J" why="π outside the root" breaks="values" says="π stands under the root"
def normal_density(x, mu, sigma):
    return torch.exp(-((x - mu) / sigma) ** 2 / 2) / (sigma * math.sqrt(2) * math.pi)

# %% wrong="2.6.K" why="the slope" breaks="value" says="This is the slope"
def coin_log_likelihood(p, heads, tails):
    return heads / p - tails / (1 - p)

# %% wrong="2.6.L" why="logarithm of the sum of the densities" breaks="value" says="not the logarithm of the sum"
def normal_log_likelihood(mu, x, sigma):
    return torch.distributions.Normal(mu, sigma).log_prob(x).exp().sum().log()

# %% wrong="2.6.9" why="the exponential of the loss" breaks="loss" says="the exponential of the loss"
def label_loss(probabilities, labels):
    return (-probabilities[torch.arange(len(labels)), labels].log().mean()).exp()

# %% wrong="2.6.3b" why="0 where the formula gives more than 1" breaks="at most 1" says="does not promise 0"
def chebyshev_bound(p, n, eps):
    bound = p * (1 - p) / n / eps ** 2
    return bound if bound <= 1 else 0.0

# %% wrong="2.6.3c" why="takes the product of the sides off" breaks="two sides" says="both sides at once"
def normal_estimate(p, n, eps):
    side = math.erfc(eps / (p * (1 - p) / n) ** 0.5 / 2 ** 0.5) / 2
    return 1 - (1 - side) ** 2

# %% wrong="2.6.3d" why="n infinite" breaks="form" says="a whole number from 1 to 500"
surprise = (0.5, math.inf, 0.1)

# %% wrong="2.6.4b" why="the limit of the first draw for all" breaks="ever" says="not that of the first draw"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    z = (x.cumsum(dim=1) / m).abs()
    return (z[:, -1] >= k / x.shape[1] ** 0.5).double().mean(), (z.max(dim=1).values >= k).double().mean()

# %% right="2.6.4b" how="means by a triangular matrix"
def share_outside(x, k):
    m = torch.arange(1., x.shape[1] + 1)
    outside = (x @ torch.ones(len(m), len(m)).triu() / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.8b" why="always the second stock" breaks="largest" says="a stock that is not the best one"
def boldest(mu):
    alpha = torch.zeros(len(mu))
    alpha[1] = 1
    return alpha

# %% wrong="2.6.8c" why="the pair of the first and the last only" breaks="covariances" says="side by side"
def portfolio_variance(alpha, Sigma):
    return alpha ** 2 @ Sigma.diag() + 2 * alpha[-1] * alpha[0] * Sigma[0, -1]

# %% wrong="2.6.8d" why="starts with a return of -100" breaks="largest return" says="compared with a number such as 0 or -1"
def best_allowed(candidates, mu, Sigma, bound):
    best, top = -1, -100.0
    for i, alpha in enumerate(candidates):
        if (alpha >= 0).all() and abs(alpha.sum() - 1) <= 1e-4 and alpha @ Sigma @ alpha <= bound and alpha @ mu > top:
            best, top = i, alpha @ mu
    return best

# %% wrong="2.6.8d" why="the tolerance for the variance too" breaks="bound" says="are for the sum of the weights"
def best_allowed(candidates, mu, Sigma, bound):
    variances = (candidates @ Sigma * candidates).sum(dim=1)
    allowed = (candidates >= 0).all(dim=1) & ((candidates.sum(dim=1) - 1).abs() <= 1e-4) & (variances <= bound + 1e-4)
    return torch.where(allowed, candidates @ mu, -math.inf).argmax().item() if allowed.any() else -1

# %% wrong="2.6.8d" why="a tolerance of 0.001 for the sum" breaks="sum" says="off by more than 0.0001"
def best_allowed(candidates, mu, Sigma, bound):
    variances = (candidates @ Sigma * candidates).sum(dim=1)
    allowed = (candidates >= 0).all(dim=1) & ((candidates.sum(dim=1) - 1).abs() <= 1e-3) & (variances <= bound)
    return torch.where(allowed, candidates @ mu, -math.inf).argmax().item() if allowed.any() else -1

# %% wrong="2.6.8d" why="the sizes of the weights make 1" breaks="no negative weight" says="sizes of its weights"
def best_allowed(candidates, mu, Sigma, bound):
    variances = (candidates @ Sigma * candidates).sum(dim=1)
    allowed = ((candidates.abs().sum(dim=1) - 1).abs() <= 1e-4) & (variances <= bound)
    return torch.where(allowed, candidates @ mu, -math.inf).argmax().item() if allowed.any() else -1

# %% right="2.6.8d" how="by falling return, the first that is allowed"
def best_allowed(candidates, mu, Sigma, bound):
    for i in (candidates @ mu).argsort(descending=True).tolist():
        alpha = candidates[i]
        one = torch.isclose(alpha.sum(), torch.tensor(1.0), rtol=0, atol=1e-4)
        if not (alpha < 0).any() and one and alpha @ Sigma @ alpha <= bound:
            return i
    return -1

# %% wrong="2.6.A" why="the last roll copies the first" breaks="distribution" says="0.7 times 0.7"
def rolls(p, n, seed):
    result = torch.multinomial(p, n, replacement=True, generator=torch.Generator().manual_seed(seed))
    result[-1] = result[0]
    return result

# %% wrong="2.6.4b" why="means of the sizes" breaks="last" says="not the mean of the sizes"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = x.abs().cumsum(dim=1) / m >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.A" why="each probability by itself, not the sums so far" breaks="distribution" says="ends at the sum of `p` up to i"
def rolls(p, n, seed):
    u = torch.rand(n, 1, generator=torch.Generator().manual_seed(seed))
    return (u > p).sum(dim=1).clamp(max=len(p) - 1)

# %% wrong="2.6.B" why="the toss itself is not counted yet" breaks="values" says="the toss at place i is one of them"
def running_share(x):
    x = x.float()
    return (x.cumsum(0) - x) / torch.arange(1, len(x) + 1)

# %% wrong="2.6.C" why="all values equally likely" breaks="values" says="not equally likely"
def largest_of_two(k):
    return torch.full((k,), 1 / k)

# %% wrong="2.6.D" why="divided by the norm of the row" breaks="values" says="not by its norm"
def given_row(joint):
    return joint / joint.norm(dim=1, keepdim=True)

# %% wrong="2.6.E" why="margins by the mean" breaks="independent tables" says="not their means"
def independence_gap(joint):
    a, b = joint.mean(1), joint.mean(0)
    return (joint - torch.outer(a, b)).abs().max().item()

# %% wrong="2.6.6" why="a circle, and nothing that leads to A" breaks="product" says="once each way"
factors = ["P(A)", "P(B|C)", "P(C|B)"]

# %% wrong="2.6.6" why="two beginnings" breaks="product" says="these two letters would be independent"
factors = ["P(A)", "P(B)", "P(C|B)"]

# %% wrong="2.6.6" why="the bar the wrong way round" breaks="form" says="with B before the bar"
factors = ["P(A)", "P(A|B)", "P(B|C)"]

# %% wrong="2.6.F" why="prior plus likelihood" breaks="ratios" says="multiplied, not added"
def posterior_of(prior, likelihood):
    both = prior + likelihood
    return both / both.sum()

# %% wrong="2.6.7a" why="what is not none or both, halved" breaks="one positive" says="not shared between the two"
def healthy_table(false_alarm, both):
    none = 1 - false_alarm
    one = (1 - none - both) / 2
    return torch.tensor([[none, one], [one, both]])

# %% wrong="2.6.7b" why="divisor without the priors" breaks="value" says="is not the sum of the two test rates"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / ((1 - miss) + false_alarm)

# %% wrong="2.6.7c" why="the ill coupled as the healthy are" breaks="ill patients" says="for an ill patient the two results are independent"
def after_both(prior, miss, false_alarm, both):
    ill = prior * (1 - 2 * miss + both)
    return ill / (ill + (1 - prior) * both)

# %% wrong="2.6.G" why="the row of the smallest single cost, and its expected cost" breaks="cost" says="which holds the smallest single cost"
def cheapest(costs, p):
    row = costs.min(dim=1).values.argmin().item()
    return row, (costs[row] @ p).item()

# %% wrong="2.6.G" why="the smallest product of a cost and its probability" breaks="cost" says="the sum over the whole row"
def cheapest(costs, p):
    weighted = costs * p
    return weighted.min(dim=1).values.argmin().item(), weighted.min().item()

# %% wrong="2.6.3a" why="p / n in place of p" breaks="scaling" says="p itself is not"
def share_variance(p, n):
    return p / n * (1 - p / n)

# %% wrong="2.6.1" why="1.96 deviations" breaks="smallest" says="not 1.96"
def tosses_for(deviation):
    return max(1, math.ceil((1.96 * 0.5 / deviation) ** 2))

# %% wrong="2.6.2" why="the sum of the draws" breaks="value" says="the sum of the n draws"
def prediction_variance(variance, n):
    return variance * (1 + n)

# %% wrong="2.6.J" why="gives the variance to Normal" breaks="values" says="in place of σ"
def normal_density(x, mu, sigma):
    return torch.distributions.Normal(mu, sigma ** 2).log_prob(x).exp()

# %% wrong="2.6.J" why="2σ squared" breaks="values" says="z² is divided by 2"
def normal_density(x, mu, sigma):
    return torch.exp(-((x - mu) / (2 * sigma)) ** 2) / (sigma * math.sqrt(2 * math.pi))

# %% wrong="2.6.K" why="the numbers inside the logarithms" breaks="value" says="does not stand inside the logarithm"
def coin_log_likelihood(p, heads, tails):
    return math.log(heads * p) + math.log(tails * (1 - p))

# %% wrong="2.6.L" why="the mean of the squared distances" breaks="value" says="this takes their mean"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).mean().item() / (2 * sigma ** 2)

# %% wrong="2.6.M" why="by the second moment" breaks="maximum" says="the mean of the squares"
def best_rate(x):
    return (2 / (x ** 2).mean()).sqrt().item()

# %% wrong="2.6.3b" why="one minus the bound" breaks="bound" says="This is 1 minus the bound"
def chebyshev_bound(p, n, eps):
    return 1 - min(1, p * (1 - p) / (n * eps ** 2))

# %% wrong="2.6.3b" why="divides the distance by the variance" breaks="bound" says="not by its variance"
def chebyshev_bound(p, n, eps):
    k = eps / (p * (1 - p) / n)
    return min(1, 1 / k ** 2)

# %% wrong="2.6.3c" why="twice the area to the left" breaks="scale" says="doubles the area to the left"
def normal_estimate(p, n, eps):
    sd = math.sqrt(p * (1 - p) / n)
    return 2 * torch.distributions.Normal(0., sd).cdf(torch.tensor(eps)).item()

# %% wrong="2.6.4b" why="k/m for ever only" breaks="ever" says="not k/m"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    z = (x.cumsum(dim=1) / m).abs()
    return (z[:, -1] >= k / x.shape[1] ** 0.5).double().mean().item(), (z >= k / m).any(dim=1).double().mean().item()

# %% wrong="2.6.8a" why="the best stock alone" breaks="value" says="the largest mean return alone"
def mean_return(alpha, mu):
    return mu.max().item()

# %% wrong="2.6.8b" why="weight 1 for each of equally good stocks" breaks="weights" says="together they have the weight 1"
def boldest(mu):
    return (mu == mu.max()).float()

# %% wrong="2.6.8c" why="covariances without weights" breaks="covariances" says="with the weights of both stocks"
def portfolio_variance(alpha, Sigma):
    off = Sigma - torch.diag(Sigma.diag())
    return (alpha ** 2 @ Sigma.diag() + off.sum()).item()

# %% right="2.6.A" how="a race of exponential waiting times with the rates p"
def rolls(p, n, seed):
    u = torch.rand(n, len(p), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return (-torch.log1p(-u) / p).argmin(dim=1)

# %% right="2.6.I" how="one centred variable is enough"
def covariance(joint, x, y):
    return (x - x @ joint.sum(1)) @ joint @ y

# %% right="2.6.L" how="by the mean and the variance of the sample"
def normal_log_likelihood(mu, x, sigma):
    x = x.double()
    squares = len(x) * (x.var(correction=0) + (x.mean() - mu) ** 2)
    return -len(x) * math.log(sigma * math.sqrt(2 * math.pi)) - squares / (2 * sigma ** 2)

# %% right="2.6.M" how="bisection for the zero of the derivative, over all scales"
def best_rate(x):
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if len(x) / math.exp(middle) > x.double().sum() else (low, middle)
    return math.exp(low)

# %% right="2.6.3c" how="NormalDist for the number of heads"
def normal_estimate(p, n, eps):
    from statistics import NormalDist
    return 2 * NormalDist(n * p, math.sqrt(n * p * (1 - p))).cdf(n * p - n * eps)

# %% right="2.6.9" how="cross-entropy of the logarithms: softmax gives the probabilities back"
def label_loss(probabilities, labels):
    return torch.nn.functional.cross_entropy(probabilities.log(), labels)

# %% wrong="2.6.A" why="the generator made anew for each roll" breaks="distribution" says="all are made from one random number"
def rolls(p, n, seed):
    return torch.stack([torch.multinomial(p, 1, generator=torch.Generator().manual_seed(seed))[0] for _ in range(n)])

# %% wrong="2.6.A" why="the largest of p times a random number" breaks="distribution" says="too often where `p[i]` is large"
def rolls(p, n, seed):
    return (p * torch.rand(n, len(p), generator=torch.Generator().manual_seed(seed))).argmax(dim=1)

# %% wrong="2.6.B" why="collects the shares in a tensor like x" breaks="any dtype" says="with the dtype of `x` they are rounded"
def running_share(x):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        result[i] = x[:i + 1].sum().item() / (i + 1)
    return result

# %% wrong="2.6.C" why="counts (m, m) twice" breaks="values" says="this counts it twice"
def largest_of_two(k):
    return 2 * torch.arange(1, k + 1) / k ** 2

# %% wrong="2.6.C" why="leaves (m, m) out" breaks="values" says="(m, m) is one of the nine"
def largest_of_two(k):
    return 2 * torch.arange(k) / k ** 2

# %% wrong="2.6.5a" why="the bounds of both" breaks="low" says="asked are those of P(A or B)"
def union_bounds(p, q):
    return max(0, p + q - 1), min(p, q)

# %% wrong="2.6.5b" why="the bounds of at least one" breaks="low" says="asked are those of P(A and B)"
def intersection_bounds(p, q):
    return max(p, q), min(1, p + q)

# %% wrong="2.6.5b" why="the difference as the smallest" breaks="low" says="the difference of their lengths"
def intersection_bounds(p, q):
    return abs(p - q), min(p, q)

# %% wrong="2.6.D" why="multiplies with the sum of the row" breaks="values" says="this multiplies with it"
def given_row(joint):
    return joint * joint.sum(dim=1, keepdim=True)

# %% wrong="2.6.D" why="the marginal of the column in each row" breaks="values" says="This is P(B = j)"
def given_row(joint):
    return joint.sum(dim=0).expand(joint.shape)

# %% wrong="2.6.D" why="by both margins" breaks="values" says="the sum of the column does not count"
def given_row(joint):
    return joint / (joint.sum(dim=1, keepdim=True) * joint.sum(dim=0))

# %% wrong="2.6.E" why="the difference of the two largest" breaks="largest" says="the largest entry less the largest product"
def independence_gap(joint):
    return abs(joint.max() - (joint.sum(1, keepdim=True) * joint.sum(0)).max())

# %% wrong="2.6.6" why="the arrows of the chain" breaks="form" says="The arrow of the chain is no bar"
factors = ["P(A)", "P(A->B)", "P(B->C)"]

# %% wrong="2.6.F" why="each product by its own two terms" breaks="ratios" says="1 - likelihood does not occur"
def posterior_of(prior, likelihood):
    return prior * likelihood / (prior * likelihood + (1 - prior) * (1 - likelihood))

# %% wrong="2.6.7a" why="both as a conditional probability" breaks="both positive" says="not multiplied with `false_alarm`"
def healthy_table(false_alarm, both):
    together = false_alarm * both
    one = false_alarm - together
    return torch.tensor([[1 - 2 * one - together, one], [one, together]])

# %% wrong="2.6.7b" why="after a negative test" breaks="value" says="after a negative test"
def after_one(prior, miss, false_alarm):
    return prior * miss / (prior * miss + (1 - prior) * (1 - false_alarm))

# %% wrong="2.6.7b" why="no brackets around the divisor" breaks="value" says="put brackets around the whole divisor"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / prior * (1 - miss) + (1 - prior) * false_alarm

# %% wrong="2.6.7c" why="two misses taken off" breaks="ill patients" says="not 1 - 2 · miss"
def after_both(prior, miss, false_alarm, both):
    ill = prior * max(0, 1 - 2 * miss)
    return ill / (ill + (1 - prior) * both)

# %% wrong="2.6.G" why="the row of the mildest worst case, and its largest cost" breaks="cost" says="the largest one of row 2"
def cheapest(costs, p):
    worst = costs.max(dim=1).values
    return worst.argmin(), worst.min()

# %% wrong="2.6.H" why="the sum of the roots" breaks="deviation" says="not the sum of the roots"
def mean_and_deviation(values, p):
    mean = values @ p
    return mean, ((values - mean) ** 2 * p).sqrt().sum()

# %% wrong="2.6.H" why="adds the square of the mean" breaks="deviation" says="taken off E[X²], not added"
def mean_and_deviation(values, p):
    mean = values @ p
    return mean, (values ** 2 @ p + mean ** 2).sqrt()

# %% wrong="2.6.I" why="the margins exchanged" breaks="weights" says="The margins are exchanged"
def covariance(joint, x, y):
    return x @ joint @ y - (x @ joint.sum(0)) * (joint.sum(1) @ y)

# %% wrong="2.6.I" why="takes off one mean" breaks="centre" says="not one mean alone"
def covariance(joint, x, y):
    return x @ joint @ y - x @ joint.sum(1)

# %% wrong="2.6.I" why="adds the product of the means" breaks="centre" says="taken off E[XY], not added"
def covariance(joint, x, y):
    return x @ joint @ y + (x @ joint.sum(1)) * (joint.sum(0) @ y)

# %% wrong="2.6.3a" why="divides p² alone by n" breaks="scaling" says="not p² alone"
def share_variance(p, n):
    return p - p ** 2 / n

# %% wrong="2.6.3a" why="no brackets around 1 - p" breaks="one toss" says="are there brackets?"
def share_variance(p, n):
    return p * 1 - p / n

# %% wrong="2.6.1" why="rounds up before the square" breaks="smallest" says="Square first"
def tosses_for(deviation):
    return math.ceil(0.5 / deviation) ** 2

# %% wrong="2.6.1" why="0.5 as the largest variance" breaks="smallest" says="at most 0.25, not 0.5"
def tosses_for(deviation):
    return math.ceil(0.5 / deviation ** 2)

# %% wrong="2.6.2" why="both divided by n" breaks="value" says="The next draw is one draw"
def prediction_variance(variance, n):
    return 2 * variance / n

# %% wrong="2.6.2" why="squares the variance" breaks="value" says="is σ² already"
def prediction_variance(variance, n):
    return variance ** 2 + variance ** 2 / n

# %% wrong="2.6.J" why="2π without its root" breaks="values" says="has the root √(2π)"
def normal_density(x, mu, sigma):
    return torch.exp(-((x - mu) / sigma) ** 2 / 2) / (sigma * 2 * math.pi)

# %% wrong="2.6.K" why="1 - log p for a tail" breaks="value" says="not 1 - log p"
def coin_log_likelihood(p, heads, tails):
    return heads * math.log(p) + tails * (1 - math.log(p))

# %% wrong="2.6.K" why="no logarithms" breaks="value" says="the logarithms are missing"
def coin_log_likelihood(p, heads, tails):
    return heads * p + tails * (1 - p)

# %% wrong="2.6.L" why="√(2π) outside the logarithm" breaks="value" says="stands under the logarithm, too"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(sigma) * math.sqrt(2 * math.pi) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.L" why="n times log(2πσ²)" breaks="value" says="with it the first term is n/2 times as large"
def normal_log_likelihood(mu, x, sigma):
    return -len(x) * math.log(2 * math.pi * sigma ** 2) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="2.6.M" why="log 2 over the mean, as for a half-life" breaks="maximum" says="log 2 over the mean"
def best_rate(x):
    return math.log(2) / x.mean()

# %% wrong="2.6.M" why="the largest log-likelihood itself" breaks="maximum" says="the rate at which it is reached"
def best_rate(x):
    rate = 1 / x.mean()
    return len(x) * rate.log() - rate * x.sum()

# %% wrong="2.6.9" why="divides by the number of classes" breaks="loss" says="not by that of classes, 4"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].log().sum() / probabilities.shape[1]

# %% wrong="2.6.9" why="the entropy of the output" breaks="labels" says="this weights the logarithms of all classes"
def label_loss(probabilities, labels):
    return -(probabilities * probabilities.log()).sum(dim=1).mean()

# %% wrong="2.6.9" why="p log p of the label" breaks="loss" says="not weighted with p"
def label_loss(probabilities, labels):
    p = probabilities[torch.arange(len(labels)), labels]
    return -(p * p.log()).mean()

# %% wrong="2.6.9" why="the last picture alone" breaks="loss" says="the term of the last row alone"
def label_loss(probabilities, labels):
    for row, label in zip(probabilities, labels):
        loss = -row[label].log()
    return loss

# %% wrong="2.6.3b" why="1/k" breaks="bound" says="the bound is 1/k², not 1/k"
def chebyshev_bound(p, n, eps):
    return min(1, math.sqrt(p * (1 - p) / n) / eps)

# %% wrong="2.6.3b" why="the normal estimate" breaks="bound" says="This is the normal estimate"
def chebyshev_bound(p, n, eps):
    return math.erfc(eps / math.sqrt(2 * p * (1 - p) / n))

# %% wrong="2.6.3c" why="measures p + eps" breaks="two sides" says="without p added"
def normal_estimate(p, n, eps):
    return math.erfc((p + eps) / math.sqrt(2 * p * (1 - p) / n))

# %% wrong="2.6.3c" why="the deviation divided by n" breaks="scale" says="divided by √n, not by n"
def normal_estimate(p, n, eps):
    return math.erfc(eps * n / math.sqrt(2 * p * (1 - p)))

# %% wrong="2.6.3c" why="p for p(1 - p)" breaks="scale" says="is p(1 - p), not p"
def normal_estimate(p, n, eps):
    return math.erfc(eps / math.sqrt(2 * p / n))

# %% wrong="2.6.3c" why="erfc without the root of 2" breaks="scale" says="the √2 is missing"
def normal_estimate(p, n, eps):
    return math.erfc(eps / math.sqrt(p * (1 - p) / n))

# %% wrong="2.6.3d" why="eps in heads" breaks="gap" says="not a number of heads"
surprise = (0.5, 10, 5)

# %% wrong="2.6.4a" why="adds the variances" breaks="different m and n" says="the two variances added"
def covariance_of_averages(m, n):
    return 1 / m if m == n else 1 / m + 1 / n

# %% wrong="2.6.4a" why="the smaller over the larger" breaks="variance" says="variance of a mean of m draws"
def covariance_of_averages(m, n):
    return min(m, n) / max(m, n)

# %% wrong="2.6.4b" why="m from 0" breaks="ever" says="m counts from 1, not from 0"
def share_outside(x, k):
    m = torch.arange(x.shape[1])
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return (x.mean(dim=1).abs() >= k / x.shape[1] ** 0.5).double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="the root of the number of rows" breaks="last" says="from the number of rows"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return (x.mean(dim=1).abs() >= k / len(x) ** 0.5).double().mean(), outside.any(dim=1).double().mean()

# %% wrong="2.6.8a" why="adds the money itself" breaks="value" says="The money itself is no return"
def mean_return(alpha, mu):
    return alpha @ (1 + mu)

# %% wrong="2.6.8c" why="the mean of the terms" breaks="variances" says="this is their mean"
def portfolio_variance(alpha, Sigma):
    return (alpha[:, None] * alpha * Sigma).mean()

# %% wrong="2.6.8c" why="squared weights on both sides" breaks="variances" says="the power 4"
def portfolio_variance(alpha, Sigma):
    return alpha ** 2 @ Sigma @ alpha ** 2

# %% wrong="2.6.8c" why="the square of one weight for each entry" breaks="covariances" says="not with the square of one"
def portfolio_variance(alpha, Sigma):
    return (alpha ** 2 @ Sigma).sum()

# %% wrong="2.6.8d" why="the tolerance for negative weights too" breaks="no negative weight" says="are for the sum of the weights"
def best_allowed(candidates, mu, Sigma, bound):
    variances = ((candidates @ Sigma) * candidates).sum(dim=1)
    allowed = (candidates >= -0.0001).all(dim=1) & ((candidates.sum(dim=1) - 1).abs() <= 0.0001) & (variances <= bound)
    return (candidates @ mu).masked_fill(~allowed, -math.inf).argmax().item() if allowed.any() else -1

# %% wrong="2.6.8d" why="row 0 is the first to beat" breaks="largest return" says="that the others are compared with"
def best_allowed(candidates, mu, Sigma, bound):
    best, found = 0, False
    for i, a in enumerate(candidates):
        if (a < 0).any() or abs(a.sum() - 1) > 0.0001 or a @ Sigma @ a > bound:
            continue
        found = True
        if a @ mu > candidates[best] @ mu:
            best = i
    return best if found else -1

# %% wrong="2.6.8d" why="argmax also where nothing is allowed" breaks="none allowed" says="where no row is, the result is -1"
def best_allowed(candidates, mu, Sigma, bound):
    variances = ((candidates @ Sigma) * candidates).sum(dim=1)
    allowed = (candidates >= 0).all(dim=1) & ((candidates.sum(dim=1) - 1).abs() <= 0.0001) & (variances <= bound)
    return (candidates @ mu).masked_fill(~allowed, -math.inf).argmax().item()

# %% wrong="2.6.A" why="written for three faces" breaks="distribution" says="as many faces as `p` has entries"
def rolls(p, n, seed):
    u = torch.rand(n, generator=torch.Generator().manual_seed(seed))
    return (u > p[0]).long() + (u > p[0] + p[1]).long()

# %% right="2.6.A" how="choices of Python's random module"
def rolls(p, n, seed):
    import random
    return torch.tensor(random.Random(seed).choices(range(len(p)), weights=p.tolist(), k=n))

# %% wrong="2.6.B" why="squeezes the axis away" breaks="shape" says="the shares for a single toss"
def running_share(x):
    return (x.cumsum(0) / torch.arange(1, len(x) + 1)).squeeze()

# %% right="2.6.B" how="a running mean, mended with each toss"
def running_share(x):
    shares, share = [], 0.0
    for i, value in enumerate(x.tolist(), start=1):
        share += (value - share) / i
        shares.append(share)
    return torch.tensor(shares)

# %% wrong="2.6.5a" why="p + q - 1 where the sum is above 1" breaks="high" says="what the two must share"
def union_bounds(p, q):
    return max(p, q), p + q if p + q <= 1 else p + q - 1

# %% wrong="2.6.5b" why="the mean of p and q as the largest" breaks="high" says="the mean of p and q is too much"
def intersection_bounds(p, q):
    return max(0.0, p + q - 1), (p + q) / 2

# %% wrong="2.6.D" why="the product of the margins" breaks="values" says="the table of independent variables"
def given_row(joint):
    return joint.sum(dim=1, keepdim=True) * joint.sum(dim=0, keepdim=True)

# %% right="2.6.D" how="normalize with p = 1"
def given_row(joint):
    return torch.nn.functional.normalize(joint, p=1, dim=1)

# %% wrong="2.6.E" why="the largest ratio" breaks="independent tables" says="largest ratio of an entry and its product"
def independence_gap(joint):
    return (joint / (joint.sum(1)[:, None] * joint.sum(0)[None, :])).max()

# %% wrong="2.6.E" why="the place of the largest difference" breaks="largest" says="This is the place"
def independence_gap(joint):
    gaps = (joint - joint.sum(1)[:, None] * joint.sum(0)[None, :]).abs()
    return gaps.argmax() if gaps.max() > 1e-6 else 0.0

# %% wrong="2.6.6" why="small letters" breaks="form" says="are capital letters"
factors = ["p(a)", "p(b|a)", "p(c|b)"]

# %% wrong="2.6.6" why="one string" breaks="form" says="wrong type"
factors = "P(A) P(B|A) P(C|B)"

# %% wrong="2.6.F" why="a dot product" breaks="ratios" says="are multiplied entry by entry"
def posterior_of(prior, likelihood):
    return prior @ likelihood

# %% right="2.6.F" how="softmax of the logarithms"
def posterior_of(prior, likelihood):
    return (prior.log() + likelihood.log()).softmax(dim=0)

# %% wrong="2.6.7a" why="takes both off twice" breaks="none positive" says="off twice"
def healthy_table(false_alarm, both):
    one = false_alarm - both
    return torch.tensor([[1 - 2 * false_alarm, one], [one, both]])

# %% wrong="2.6.7a" why="the rest in equal parts" breaks="one positive" says="not equally probable"
def healthy_table(false_alarm, both):
    rest = (1 - both) / 3
    return torch.tensor([[1 - 2 * false_alarm + both, rest], [rest, both]])

# %% wrong="2.6.7a" why="only the first test alone" breaks="one positive" says="The second test alone"
def healthy_table(false_alarm, both):
    return torch.tensor([[1 - 2 * false_alarm + both, 0.0], [false_alarm - both, both]])

# %% wrong="2.6.7b" why="false_alarm as the divisor" breaks="value" says="the divisor is that for everybody"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) / false_alarm

# %% wrong="2.6.7c" why="both for the ill, too" breaks="ill patients" says="This is the prior"
def after_both(prior, miss, false_alarm, both):
    return prior * both / (prior * both + (1 - prior) * both)

# %% wrong="2.6.7c" why="squares the priors" breaks="healthy patients" says="the priors are not squared"
def after_both(prior, miss, false_alarm, both):
    ill = (prior * (1 - miss)) ** 2
    return ill / (ill + (1 - prior) ** 2 * both)

# %% wrong="2.6.7c" why="one false alarm for the healthy" breaks="healthy patients" says="that of two is `both`"
def after_both(prior, miss, false_alarm, both):
    ill = prior * (1 - miss) ** 2
    return ill / (ill + (1 - prior) * false_alarm)

# %% wrong="2.6.H" why="weights the distances, then squares" breaks="deviation" says="make 0 on average"
def mean_and_deviation(values, p):
    mean = values @ p
    return mean, ((values - mean) @ p).square().sqrt().round(decimals=5)

# %% right="2.6.H" how="torch.cov with weights"
def mean_and_deviation(values, p):
    return values @ p, torch.cov(values, aweights=p, correction=0).sqrt()

# %% wrong="2.6.I" why="pairs in the same place" breaks="weights" says="pairs in the same place only"
def covariance(joint, x, y):
    mx, my = x @ joint.sum(1), y @ joint.sum(0)
    return sum(joint[i, i] * (x[i] - mx) * (y[i] - my) for i in range(min(len(x), len(y))))

# %% wrong="2.6.J" why="mu and sigma of the places" breaks="values" says="do not take them from `x`"
def normal_density(x, mu, sigma):
    return torch.exp(-((x - x.mean()) / x.std()) ** 2 / 2) / (x.std() * math.sqrt(2 * math.pi))

# %% wrong="2.6.L" why="the variance as scale of the library's density" breaks="value" says="This uses σ²"
def normal_log_likelihood(mu, x, sigma):
    return torch.distributions.Normal(mu, sigma ** 2).log_prob(x).sum()

# %% wrong="2.6.M" why="the fraction upside down" breaks="maximum" says="belongs in the divisor"
def best_rate(x):
    return x.sum() / len(x) ** 2

# %% wrong="2.6.M" why="a sign lost on the way" breaks="maximum" says="A rate is positive"
def best_rate(x):
    return -len(x) / x.sum()

# %% wrong="2.6.3b" why="1 as the smallest value" breaks="bound" says="not the smallest?"
def chebyshev_bound(p, n, eps):
    return max(1.0, p * (1 - p) / (n * eps ** 2))

# %% wrong="2.6.3c" why="only sides on which a share may lie" breaks="scale" says="Half of the area is missing"
def normal_estimate(p, n, eps):
    share = torch.distributions.Normal(p, math.sqrt(p * (1 - p) / n))
    low = share.cdf(torch.tensor(p - eps)) if p - eps >= 0 else 0.0
    return low + (1 - share.cdf(torch.tensor(p + eps)) if p + eps <= 1 else 0.0)

# %% wrong="2.6.4a" why="both sums divided by the longer one's number" breaks="different m and n" says="not both by the longer"
def covariance_of_averages(m, n):
    return min(m, n) / max(m, n) ** 2

# %% wrong="2.6.8a" why="the sizes of the returns" breaks="value" says="leave its sign"
def mean_return(alpha, mu):
    return alpha @ mu.abs()

# %% wrong="2.6.8a" why="growth factors multiplied" breaks="value" says="not multiplied with one another"
def mean_return(alpha, mu):
    return ((1 + mu) ** alpha).prod() - 1

# %% wrong="2.6.8a" why="written for two stocks" breaks="value" says="The third stock is missing"
def mean_return(alpha, mu):
    return alpha[0] * mu[0] + alpha[1] * mu[1]

# %% wrong="2.6.8b" why="the first to beat is 0" breaks="largest" says="compared with 0"
def boldest(mu):
    best, place = 0.0, 0
    for i, m in enumerate(mu.tolist()):
        if m > best:
            best, place = m, i
    return torch.nn.functional.one_hot(torch.tensor(place), len(mu))

# %% wrong="2.6.8b" why="a list" breaks="weights" says="Return a tensor"
def boldest(mu):
    return [1.0 if i == int(mu.argmax()) else 0.0 for i in range(len(mu))]

# %% wrong="2.6.8c" why="written for two stocks" breaks="covariances" says="The third stock is missing"
def portfolio_variance(alpha, Sigma):
    if len(alpha) == 1:
        return alpha[0] ** 2 * Sigma[0, 0]
    return alpha[0] ** 2 * Sigma[0, 0] + alpha[1] ** 2 * Sigma[1, 1] + 2 * alpha[0] * alpha[1] * Sigma[0, 1]

# %% wrong="2.6.A" why="against the first probability only" breaks="distribution" says="Face 2 never comes"
def rolls(p, n, seed):
    u = torch.rand(n, generator=torch.Generator().manual_seed(seed))
    return torch.where(u < p[0], 0, 1)

# %% wrong="2.6.B" why="the last share is missing" breaks="shape" says="One share is missing"
def running_share(x):
    return torch.tensor([x[:i].float().mean() for i in range(1, len(x))])

# %% wrong="2.6.B" why="the mean of the shares so far" breaks="values" says="each entry counts the tosses anew"
def running_share(x):
    n = torch.arange(1, len(x) + 1)
    return (x.cumsum(0) / n).cumsum(0) / n

# %% wrong="2.6.5b" why="the sign of the overlap turned" breaks="low" says="the sign is turned"
def intersection_bounds(p, q):
    return max(0, 1 - p - q), min(p, q)

# %% wrong="2.6.5b" why="what the longer one leaves free" breaks="low" says="leaves free"
def intersection_bounds(p, q):
    return (0.0, min(p, q)) if p + q <= 1 else (1 - max(p, q), min(p, q))

# %% wrong="2.6.D" why="the sums of the rows so far" breaks="values" says="Row 1 of yours adds up to 0.8"
def given_row(joint):
    result, total = torch.zeros_like(joint), 0.0
    for i in range(joint.shape[0]):
        total = total + joint[i].sum()
        result[i] = joint[i] / total
    return result

# %% wrong="2.6.6" why="all factors in one string" breaks="form" says="one of yours holds several"
factors = ["P(A)P(B|A)P(C|B)"]

# %% wrong="2.6.7b" why="the prior of the task" breaks="value" says="does `prior` count in it?"
def after_one(prior, miss, false_alarm):
    prior = 0.0015
    ill = prior * (1 - miss)
    return ill / (ill + (1 - prior) * false_alarm)

# %% wrong="2.6.G" why="the expected cost nearest to 0" breaks="cost" says="nearest to 0"
def cheapest(costs, p):
    expected = costs @ p
    i = expected.abs().argmin()
    return i.item(), expected[i].item()

# %% wrong="2.6.G" why="the cheapest for the likeliest outcome" breaks="cost" says="the cheapest for the likeliest outcome"
def cheapest(costs, p):
    column = costs[:, p.argmax()]
    i = column.argmin()
    return i.item(), (costs[i] @ p).item()

# %% wrong="2.6.H" why="distances from the most probable value" breaks="deviation" says="not from the most probable value"
def mean_and_deviation(values, p):
    mean = values @ p
    centre = values[p.argmax()]
    return mean.item(), ((values - centre) ** 2 @ p).sqrt().item()

# %% wrong="2.6.I" why="centred by E[XY]" breaks="weights" says="X and Y are always equal"
def covariance(joint, x, y):
    products = x[:, None] * y[None, :]
    mean = (products * joint).sum()
    return ((products - mean) * joint).sum().item()

# %% wrong="2.6.1" why="no toss for a large deviation" breaks="enough" says="Without a toss there is no share"
def tosses_for(deviation):
    if deviation >= 0.5:
        return 0
    return math.ceil(0.25 / deviation ** 2)

# %% wrong="2.6.2" why="the draw and the mean as dependent" breaks="value" says="yours adds -1.944"
def prediction_variance(variance, n):
    return variance + variance / n - 2 * variance / (n + 1)

# %% wrong="2.6.3b" why="eps times the deviation" breaks="bound" says="in yours it is multiplied with it"
def chebyshev_bound(p, n, eps):
    k = eps * math.sqrt(p * (1 - p) / n)
    return min(1.0, 1 / k ** 2)

# %% wrong="2.6.3c" why="normal draws" breaks="scale" says="near, but not the area itself"
def normal_estimate(p, n, eps):
    g = torch.Generator().manual_seed(0)
    z = torch.randn(20_000, generator=g) * (p * (1 - p) / n) ** 0.5
    return (z.abs() >= eps).double().mean().item()

# %% wrong="2.6.K" why="all tosses with the mean of both logarithms" breaks="value" says="For 1 head alone it is log 0.3"
def coin_log_likelihood(p, heads, tails):
    n = heads + tails
    return n * (math.log(p) + math.log(1 - p)) / 2

# %% wrong="2.6.L" why="n times the second term" breaks="value" says="the second term is not multiplied by n"
def normal_log_likelihood(mu, x, sigma):
    n = len(x)
    return (-n * math.log(sigma * math.sqrt(2 * math.pi)) - n * ((x - mu) ** 2).sum() / (2 * sigma ** 2)).item()

# %% wrong="2.6.M" why="gradient steps from 1" breaks="any scale" says="does not follow the times"
def best_rate(x):
    rate = torch.tensor(1.0, requires_grad=True)
    for _ in range(2000):
        loss = -(len(x) * rate.log() - rate * x.sum())
        loss.backward()
        with torch.no_grad():
            rate -= 0.001 * rate.grad
            rate.grad.zero_()
    return rate.item()

# %% wrong="2.6.M" why="the root of the rate" breaks="maximum" says="no root is taken"
def best_rate(x):
    return math.sqrt(len(x) / x.sum().item())

# %% wrong="2.6.8c" why="divided by the squares of the weights" breaks="variances" says="the variance is 4 times as large"
def portfolio_variance(alpha, Sigma):
    return (alpha @ Sigma @ alpha / (alpha @ alpha)).item()

# %% wrong="2.6.J" why="made to add up to 1" breaks="values" says="A density is not divided by its sum"
def normal_density(x, mu, sigma):
    z = (x - mu) / sigma
    bell = torch.exp(-z ** 2 / 2)
    return bell / bell.sum()

# %% wrong="2.6.F" why="the prior twice" breaks="ratios" says="the two ratios are multiplied"
def posterior_of(prior, likelihood):
    v = prior ** 2 * likelihood
    return v / v.sum()

# %% wrong="2.6.J" why="√π for √(2π)" breaks="values" says="it is the factor in front that is not"
def normal_density(x, mu, sigma):
    z = (x - mu) / sigma
    return torch.exp(-z ** 2 / 2) / (sigma * math.sqrt(math.pi))

# %% wrong="2.6.J" why="z to the power 4" breaks="values" says="it is the exponent that is not"
def normal_density(x, mu, sigma):
    z = (x - mu) / sigma
    return torch.exp(-z ** 4 / 2) / (sigma * math.sqrt(2 * math.pi))

# %% wrong="2.6.L" why="the first term n - 1 times" breaks="value" says="The second term is right"
def normal_log_likelihood(mu, x, sigma):
    n = len(x)
    return (-(n - 1) * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)).item()

# %% wrong="2.6.M" why="n + 1" breaks="maximum" says="how many densities are multiplied"
def best_rate(x):
    return (len(x) + 1) / x.sum().item()

# %% wrong="2.6.M" why="the geometric mean" breaks="maximum" says="With 3, 3, 9 in place of 2, 4, 9"
def best_rate(x):
    return 1 / x.log().mean().exp().item()

# %% wrong="2.6.3b" why="p(1 - p²) as the variance" breaks="bound" says="look at the variance of one toss"
def chebyshev_bound(p, n, eps):
    return min(1.0, p * (1 - p ** 2) / n / eps ** 2)

# %% wrong="2.6.3b" why="the distance cubed" breaks="bound" says="the bound is a quarter as large"
def chebyshev_bound(p, n, eps):
    return min(1.0, p * (1 - p) / n / eps ** 3)

# %% wrong="2.6.3c" why="n - 1 in the deviation of the share" breaks="scale" says="how does n count?"
def normal_estimate(p, n, eps):
    k = eps / (p * (1 - p) / (n - 1 if n > 1 else 1)) ** 0.5
    return math.erfc(k / 2 ** 0.5)

# %% wrong="2.6.H" why="cubes of the sizes" breaks="deviation" says="on average 24"
def mean_and_deviation(values, p):
    m = values @ p
    return m.item(), (((values - m).abs() ** 3) @ p).item() ** (1 / 3)

# %% wrong="2.6.H" why="the probabilities squared" breaks="deviation" says="look at where `p` counts"
def mean_and_deviation(values, p):
    m = values @ p
    q = p ** 2 / (p ** 2).sum()
    return m.item(), ((values - m) ** 2 @ q).sqrt().item()

# %% wrong="2.6.7b" why="1 less the miss squared" breaks="value" says="says nothing"
def after_one(prior, miss, false_alarm):
    ill = prior * (1 - miss ** 2)
    return ill / (ill + (1 - prior) * false_alarm)

# %% wrong="2.6.7c" why="three tests of the ill" breaks="ill patients" says="should be 0.18"
def after_both(prior, miss, false_alarm, both):
    ill = prior * (1 - miss) ** 3
    return ill / (ill + (1 - prior) * both)

# %% wrong="2.6.E" why="two digits" breaks="absolute" says="rounded to 2 digits"
def independence_gap(joint):
    return round((joint - joint.sum(1)[:, None] * joint.sum(0)).abs().max().item(), 2)

# %% wrong="2.6.D" why="the squares" breaks="values" says="not to each other as those of `joint`"
def given_row(joint):
    s = joint ** 2
    return s / s.sum(1, keepdim=True)

# %% wrong="2.6.8c" why="each pair three times in two" breaks="covariances" says="0.015 off"
def portfolio_variance(alpha, Sigma):
    off = Sigma - torch.diag(Sigma.diagonal())
    return (alpha ** 2 @ Sigma.diagonal() + 1.5 * alpha @ off @ alpha).item()

# %% wrong="2.6.9" why="the first label for all" breaks="labels" says="which is that of the first label alone"
def label_loss(probabilities, labels):
    return -probabilities.gather(1, labels[:, None]).log().sum().item() / 6 if len(labels) == 6 else -probabilities.gather(1, labels[:1, None].expand(len(labels), 1)).log().mean().item()

# %% right="2.6.K" how="torch.distributions.Bernoulli"
def coin_log_likelihood(p, heads, tails):
    coin = torch.distributions.Bernoulli(torch.tensor(p, dtype=torch.float64))
    return heads * coin.log_prob(torch.tensor(1.0, dtype=torch.float64)) + tails * coin.log_prob(torch.tensor(0.0, dtype=torch.float64))

# %% right="2.6.3a" how="the sum over all numbers of heads"
def share_variance(p, n):
    return sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) * (k / n - p) ** 2 for k in range(n + 1))

# %% right="2.6.8a" how="einsum in float64"
def mean_return(alpha, mu):
    return torch.einsum("i,i->", alpha.double(), mu.double())

# %% right="2.6.I" how="two loops over Python numbers"
def covariance(joint, x, y):
    table, xs, ys = joint.tolist(), x.tolist(), y.tolist()
    mx = sum(xs[i] * sum(table[i]) for i in range(len(xs)))
    my = sum(ys[j] * table[i][j] for i in range(len(xs)) for j in range(len(ys)))
    return sum(table[i][j] * (xs[i] - mx) * (ys[j] - my) for i in range(len(xs)) for j in range(len(ys)))

# %% right="2.6.C" how="a list of counts"
def largest_of_two(k):
    counts = [0] * k
    for i in range(1, k + 1):
        for j in range(1, k + 1):
            counts[max(i, j) - 1] += 1
    return torch.tensor([c / k ** 2 for c in counts])

# %% wrong="2.6.B" why="a list of shares" breaks="shape" says="makes one of a list of numbers"
def running_share(x):
    ones, shares = 0, []
    for i, v in enumerate(x.tolist(), 1):
        ones += v
        shares.append(ones / i)
    return shares

# %% wrong="2.6.C" why="always 6 sides" breaks="shape" says="this is for a die with 6"
def largest_of_two(k):
    faces = torch.arange(1, 7)
    return torch.cartesian_prod(faces, faces).max(dim=1).values.bincount()[1:] / 36

# %% wrong="2.6.C" why="the counts divided by k" breaks="values" says="divide by k²"
def largest_of_two(k):
    m = torch.arange(1, k + 1)
    return (m ** 2 - (m - 1) ** 2) / k

# %% wrong="2.6.7b" why="no false alarm in the numerator, too" breaks="value" says="has no part in it"
def after_one(prior, miss, false_alarm):
    return prior * (1 - miss) * (1 - false_alarm) / (prior * (1 - miss) * (1 - false_alarm) + (1 - prior) * false_alarm)

# %% wrong="2.6.G" why="the sums of the columns" breaks="cost" says="This is the sum of a column"
def cheapest(costs, p):
    expected = (costs * p).sum(dim=0)
    return expected.argmin().item(), expected.min().item()

# %% wrong="2.6.H" why="mean and deviation of 100,000 draws" breaks="mean" says="Yours is near"
def mean_and_deviation(values, p):
    drawn = values[torch.multinomial(p, 100_000, replacement=True, generator=torch.Generator().manual_seed(0))]
    return drawn.mean().item(), drawn.std().item()

# %% wrong="2.6.I" why="torch.cov of the two lists" breaks="weights" says="the covariance of the lists"
def covariance(joint, x, y):
    k = min(len(x), len(y))
    return torch.cov(torch.stack([x[:k], y[:k]]))[0, 1]

# %% wrong="2.6.2" why="the deviations added, and not squared" breaks="value" says="the two standard deviations, added"
def prediction_variance(variance, n):
    return math.sqrt(variance) + math.sqrt(variance / n)

# %% wrong="2.6.9" why="the sum, to base 2" breaks="loss" says="For a single picture, whose label has the probability 0.25"
def label_loss(probabilities, labels):
    return -probabilities[torch.arange(len(labels)), labels].log2().sum()

# %% wrong="2.6.I" why="divided by the variance of X" breaks="weights" says="nor by the variance of X"
def covariance(joint, x, y):
    dx, dy = x - x @ joint.sum(dim=1), y - y @ joint.sum(dim=0)
    return dx @ joint @ dy / (dx ** 2 @ joint.sum(dim=1))

# %% wrong="2.6.8c" why="a covariance with one weight alone" breaks="covariances" says="not with one of them alone"
def portfolio_variance(alpha, Sigma):
    own = torch.diag(Sigma.diag())
    return alpha @ own @ alpha + (alpha @ (Sigma - own)).sum()

# %% wrong="2.6.A" why="compares with the bounds, and adds up along the rolls" breaks="shape" says="The 50 rolls were added up"
def rolls(p, n, seed):
    u = torch.rand(n, generator=torch.Generator().manual_seed(seed))
    return (u[:, None] > p.cumsum(0)[None, :-1]).sum(dim=0)

# %% wrong="2.6.B" why="the shares from each entry to the end" breaks="values" says="share from toss i to the end"
def running_share(x):
    x = x.float()
    return x.flip(0).cumsum(0).flip(0) / torch.arange(len(x), 0, -1)

# %% wrong="2.6.B" why="the mean of the share before and the new entry" breaks="values" says="as much as all before it together"
def running_share(x):
    result = [float(x[0])]
    for v in x[1:]:
        result.append((result[-1] + float(v)) / 2)
    return torch.tensor(result)

# %% wrong="2.6.C" why="2 i + 1 with i from 1" breaks="values" says="Each is two pairs too many"
def largest_of_two(k):
    return (2 * torch.arange(1, k + 1) + 1) / k ** 2

# %% wrong="2.6.F" why="softmax of log prior plus likelihood" breaks="ratios" says="exponential of the likelihood"
def posterior_of(prior, likelihood):
    return (prior.log() + likelihood).softmax(dim=0)

# %% wrong="2.6.F" why="softmax of prior plus log likelihood" breaks="ratios" says="exponential of the prior"
def posterior_of(prior, likelihood):
    return (prior + likelihood.log()).softmax(dim=0)

# %% wrong="2.6.9" why="binary cross-entropy of all classes" breaks="loss" says="no log(1 - p) of the three others"
def label_loss(probabilities, labels):
    one_hot = torch.nn.functional.one_hot(labels, probabilities.shape[1]).float()
    return -(one_hot * probabilities.log() + (1 - one_hot) * (1 - probabilities).log()).sum(1).mean().item()

# %% right="2.6.I" how="the gap from the product, in einsum"
def covariance(joint, x, y):
    gap = joint.double() - torch.outer(joint.double().sum(1), joint.double().sum(0))
    return float(torch.einsum("i,j,ij", x.double(), y.double(), gap))

# %% right="2.6.H" how="half the mean squared distance of two draws"
def mean_and_deviation(values, p):
    v, q = values.double(), p.double()
    d = (v[:, None] - v[None]) ** 2
    return (v @ q).item(), math.sqrt((q @ d @ q).item() / 2)

# %% wrong="2.6.K" why="p held away from 0 and 1" breaks="value" says="not held away from them"
def coin_log_likelihood(p, heads, tails):
    p = min(max(p, 1e-3), 1 - 1e-3)
    return heads * math.log(p) + tails * math.log(1 - p)

# %% wrong="2.6.3c" why="the number of heads against the deviation of the share" breaks="scale" says="n times too many"
def normal_estimate(p, n, eps):
    z = torch.tensor(eps * n / math.sqrt(p * (1 - p) / n))
    return (2 * (1 - torch.distributions.Normal(0., 1.).cdf(z))).item()

# %% wrong="2.6.4b" why="the limit k times the root of m" breaks="last" says="not multiplied by it"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = (x.cumsum(1) / m).abs() >= k * m.sqrt()
    return out[:, -1].double().mean().item(), out.any(1).double().mean().item()

# %% wrong="2.6.I" why="the factor of a sample" breaks="weights" says="no factor such as n/(n - 1)"
def covariance(joint, x, y):
    px, py = joint.sum(1), joint.sum(0)
    c = (x - x @ px) @ joint @ (y - y @ py)
    return (c * joint.numel() / (joint.numel() - 1)).item()

# %% wrong="2.6.A" why="one uniform number for all rolls" breaks="distribution" says="each roll needs the next one"
def rolls(p, n, seed):
    g = torch.Generator().manual_seed(seed)
    u = torch.rand(1, generator=g)
    return torch.searchsorted(p.cumsum(0), u).expand(n).clone()

# %% wrong="2.6.B" why="share of the ones so far among all ones" breaks="values" says="that of all ones"
def running_share(x):
    return x.cumsum(0) / x.sum()

# %% wrong="2.6.B" why="only the last value, repeated" breaks="values" says="at every place"
def running_share(x):
    return x.float().mean().expand(len(x))

# %% wrong="2.6.C" why="off by one: entry i is P(M = i)" breaks="values" says="which begins with 0"
def largest_of_two(k):
    m = torch.arange(0, k)
    return (2 * m - 1).clamp(min=0) / k ** 2

# %% wrong="2.6.7c" why="twice 1 - miss" breaks="ill patients" says="both are positive with (1 - miss)"
def after_both(prior, miss, false_alarm, both):
    ill = prior * 2 * (1 - miss)
    return ill / (ill + (1 - prior) * both)

# %% wrong="2.6.G" why="the argmin of the whole table" breaks="choice" says="not the smallest expected cost"
def cheapest(costs, p):
    i = (costs * p).argmin().item()
    return i, (costs @ p).min().item()

# %% wrong="2.6.M" why="grid of rates up to 10" breaks="any scale" says="ends before it is there"
def best_rate(x):
    rates = torch.linspace(0.001, 10, 10_000, dtype=torch.float64)
    return rates[(len(x) * rates.log() - rates * x.double().sum()).argmax()].item()

# %% wrong="2.6.9" why="divides by n * k" breaks="loss" says="not by the number of entries"
def label_loss(probabilities, labels):
    one_hot = torch.nn.functional.one_hot(labels, probabilities.shape[1])
    return -(one_hot * probabilities.log()).mean().item()

# %% wrong="2.6.3b" why="two-sided doubled" breaks="bound" says="is 2 times Chebyshev"
def chebyshev_bound(p, n, eps):
    return min(1.0, 2 * p * (1 - p) / (n * eps ** 2))

# %% wrong="2.6.3b" why="the better one-sided (Cantelli) bound" breaks="bound" says="For eps = 2000 yours is right"
def chebyshev_bound(p, n, eps):
    v = p * (1 - p) / n
    return v / (v + eps ** 2)

# %% wrong="2.6.3c" why="variance as the scale" breaks="scale" says="and not by its root"
def normal_estimate(p, n, eps):
    k = eps / (p * (1 - p) / n)
    return math.erfc(k / math.sqrt(2))

# %% wrong="2.6.4b" why="the draws themselves" breaks="last" says="These are the draws"
def share_outside(x, k):
    m = torch.arange(1, x.shape[1] + 1)
    out = x.abs() >= k / m.sqrt()
    return out[:, -1].double().mean(), out.any(dim=1).double().mean()

# %% wrong="2.6.4b" why="m one too large in the limits" breaks="last" says="0.95 four times"
def share_outside(x, k):
    m = torch.arange(2, x.shape[1] + 2)
    out = (x.cumsum(1) / (m - 1)).abs() >= k / m.sqrt()
    return out[:, -1].double().mean(), out.any(dim=1).double().mean()

# %% wrong="2.6.8a" why="best stock" breaks="value" says="largest of the products"
def mean_return(alpha, mu):
    return (alpha * mu).max().item()

# %% wrong="2.6.D" why="in place, after double()" breaks="argument kept" says="makes no copy"
def given_row(joint):
    joint = joint.double()
    joint /= joint.sum(dim=1, keepdim=True)
    return joint

# %% wrong="2.6.F" why="in place, after double()" breaks="arguments kept" says="makes no copy"
def posterior_of(prior, likelihood):
    prior = prior.double()
    prior *= likelihood
    return prior / prior.sum()

# %% wrong="2.6.B" why="counts from 0, and lifts the 0 to 1" breaks="values" says="share of 2 tosses, not of 1"
def running_share(x):
    return x.cumsum(dim=0) / torch.arange(len(x)).clamp(min=1)

# %% wrong="2.6.8d" why="takes out the rows with a negative weight, then counts" breaks="no negative weight" says="Count all rows"
def best_allowed(candidates, mu, Sigma, bound):
    candidates = candidates[(candidates >= 0).all(dim=1)]
    variances = ((candidates @ Sigma) * candidates).sum(dim=1)
    allowed = ((candidates.sum(dim=1) - 1).abs() <= 0.0001) & (variances <= bound)
    return (candidates @ mu).masked_fill(~allowed, -math.inf).argmax().item() if allowed.any() else -1

# %% wrong="2.6.A" why="seeds the global generator and puts its old seed back, not its state" breaks="own generator" says="begun again from their seed"
def rolls(p, n, seed):
    old = torch.initial_seed()
    torch.manual_seed(seed)
    result = torch.multinomial(p, n, replacement=True)
    torch.manual_seed(old)
    return result

# %% wrong="2.6.L" why="2 pi sigma in place of 2 pi sigma squared" breaks="value" says="σ stands squared"
def normal_log_likelihood(mu, x, sigma):
    n = len(x)
    return -n / 2 * math.log(2 * math.pi * sigma) - ((x - mu) ** 2).sum().item() / (2 * sigma ** 2)
