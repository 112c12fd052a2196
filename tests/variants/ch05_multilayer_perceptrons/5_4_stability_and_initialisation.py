# Variants of the answers of solutions/ch05_multilayer_perceptrons/5_4_stability_and_initialisation.py.

# %% right="5.4.A" how="logarithms"
def layers_until(factor, limit):
    return math.ceil(math.log(limit) / math.log(factor))

# %% right="5.4.A" how="powers, one after the other"
def layers_until(factor, limit):
    n = 0
    while abs(math.log(factor ** n)) <= abs(math.log(limit)):
        n += 1
    return n

# %% wrong="5.4.A" why="rounds to the nearest" breaks="shrinking" says="still above the limit"
def layers_until(factor, limit):
    n = math.log(limit) / math.log(factor)
    return round(n) if factor < 1 else math.ceil(n)

# %% wrong="5.4.A" why="rounds down" breaks="shrinking" says="still above the limit"
def layers_until(factor, limit):
    n = math.log(limit) / math.log(factor)
    return math.floor(n) if factor < 1 else math.ceil(n)

# %% wrong="5.4.A" why="one too many" breaks="growing" says="One layer fewer"
def layers_until(factor, limit):
    n = math.ceil(math.log(limit) / math.log(factor))
    return n if factor < 1 else n + 1

# %% wrong="5.4.A" why="only for factors below 1" breaks="growing" says="layers_until(1.5, 3000)"
def layers_until(factor, limit):
    layers, size = 0, 1.0
    while factor < 1 and size >= limit:
        layers, size = layers + 1, size * factor
    return layers

# %% wrong="5.4.A" why="no rounding" breaks="whole" says="wrong type"
def layers_until(factor, limit):
    return math.log(limit) / math.log(factor)

# %% wrong="5.4.A" why="a whole number as a float" breaks="whole" says="wrong type"
def layers_until(factor, limit):
    return float(math.ceil(math.log(limit) / math.log(factor)))

# %% right="5.4.5" how="backward and .grad"
def gradient_sizes(Ws, X, C, activation):
    Ws = [W.clone().detach().requires_grad_(True) for W in Ws]
    H = X
    for W in Ws:
        H = ACTIVATIONS[activation](torch.matmul(H, W))
    (H * C).sum(dim=1).mean().backward()
    return [float(W.grad.square().sum().sqrt()) for W in Ws]

# %% right="5.4.5" how="the formulas of the page, with f' by autograd"
def gradient_sizes(Ws, X, C, activation):
    f, H, kept = ACTIVATIONS[activation], X, []
    for W in Ws:
        Z = (H @ W.detach()).requires_grad_()
        slope, = torch.autograd.grad(f(Z).sum(), Z)
        kept.append((H, slope, W.detach()))
        H = f(Z).detach()
    G, sizes = C / len(X), []
    for H, slope, W in reversed(kept):
        sizes.append((H.T @ (G * slope)).norm())
        G = (G * slope) @ W.T
    return torch.stack(sizes[::-1])

# %% right="5.4.5" how="an array of norms"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    loss = (H * C).sum() / len(X)
    gradients = torch.autograd.grad(loss, leaves)
    import numpy as np
    return np.array([g.norm().item() for g in gradients])

# %% wrong="5.4.5" why="the last layer first" breaks="one for each layer" says="the wrong way round"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    return [g.norm().item() for g in torch.autograd.grad((H * C).sum() / len(X), leaves)][::-1]

# %% wrong="5.4.5" why="one number for all" breaks="one for each layer" says="how many numbers"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    return [math.sqrt(sum(g.square().sum().item() for g in torch.autograd.grad((H * C).sum() / len(X), leaves)))]

# %% wrong="5.4.5" why="the sum over the rows" breaks="size" says="divided by the number of rows"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    return [g.norm().item() for g in torch.autograd.grad((H * C).sum(), leaves)]

# %% wrong="5.4.5" why="the mean over all entries" breaks="size" says="values differ"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    return [g.norm().item() for g in torch.autograd.grad((H * C).mean(), leaves)]

# %% wrong="5.4.5" why="root mean squares of the gradients" breaks="size" says="the norm does not divide"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    return [rms(g) for g in torch.autograd.grad((H * C).sum() / len(X), leaves)]

# %% wrong="5.4.5" why="always tanh" breaks="activation" says="sigmoid"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = torch.tanh(H @ W)
    return [g.norm().item() for g in torch.autograd.grad((H * C).sum() / len(X), leaves)]

# %% wrong="5.4.5" why="no activation after the last layer" breaks="activation" says="after the last layer, too"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves[:-1]:
        H = ACTIVATIONS[activation](H @ W)
    H = H @ leaves[-1]
    return [g.norm().item() for g in torch.autograd.grad((H * C).sum() / len(X), leaves)]

# %% wrong="5.4.5" why="the gradients themselves" breaks="size" says="take its Frobenius norm"
def gradient_sizes(Ws, X, C, activation):
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    loss = (H * C).sum() / len(X)
    gradients = torch.autograd.grad(loss, leaves)
    return list(gradients)

# %% wrong="5.4.5" why="divided by the number of features" breaks="size" says="not that of its columns"
def gradient_sizes(Ws, X, C, activation):
    Ws = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in Ws:
        H = ACTIVATIONS[activation](H @ W)
    return [g.norm().item() for g in torch.autograd.grad((H * C).sum() / X.shape[1], Ws)]

# %% wrong="5.4.5" why="no activation after the first layer" breaks="activation" says="after the first layer, too"
def gradient_sizes(Ws, X, C, activation):
    Ws = [W.detach().clone().requires_grad_() for W in Ws]
    H = X @ Ws[0]
    for W in Ws[1:]:
        H = ACTIVATIONS[activation](H @ W)
    return [g.norm().item() for g in torch.autograd.grad((H * C).sum() / len(X), Ws)]

# %% right="5.4.B" how="the norm of the rows"
def output_std(X, sigma):
    return sigma * X.norm(dim=1)

# %% right="5.4.B" how="mean square times d"
def output_std(X, sigma):
    return (X.shape[1] * sigma ** 2 * (X * X).mean(1)) ** 0.5

# %% wrong="5.4.B" why="the variance" breaks="value" says="This is the variance"
def output_std(X, sigma):
    return sigma ** 2 * X.square().sum(dim=1)

# %% wrong="5.4.B" why="sigma squared outside the root" breaks="value" says="is the root taken of both"
def output_std(X, sigma):
    return sigma ** 2 * X.norm(dim=1)

# %% wrong="5.4.B" why="the standard deviation of the row" breaks="value" says="values differ"
def output_std(X, sigma):
    return sigma * math.sqrt(X.shape[1]) * X.std(dim=1, correction=0)

# %% wrong="5.4.B" why="the sum of the inputs" breaks="value" says="added up before"
def output_std(X, sigma):
    return sigma * X.sum(dim=1)

# %% wrong="5.4.B" why="one number for the batch" breaks="shape" says="wrong shape"
def output_std(X, sigma):
    return sigma * X.norm()

# %% wrong="5.4.B" why="over the columns" breaks="shape" says="wrong shape"
def output_std(X, sigma):
    return sigma * X.norm(dim=0)

# %% right="5.4.6" how="a cumulative product"
def predicted_rms(widths, stds, activation):
    factors = torch.tensor(widths[:-1], dtype=torch.float64) * torch.tensor(stds, dtype=torch.float64) ** 2
    if activation == "relu":
        factors[1:] /= 2
    return factors.cumprod(0).sqrt()

# %% right="5.4.6" how="root mean squares from the start, a tuple"
def predicted_rms(widths, stds, activation):
    size, result = 1.0, []
    for i, std in enumerate(stds):
        size *= std * math.sqrt(widths[i] / (2 if i and activation == "relu" else 1))
        result.append(size)
    return tuple(result)

# %% right="5.4.6" how="an array"
import numpy as np
def predicted_rms(widths, stds, activation):
    f = np.array(widths[:-1]) * np.array(stds) ** 2
    f[1:] *= 0.5 if activation == "relu" else 1.0
    return np.sqrt(np.cumprod(f))

# %% wrong="5.4.6" why="the input counts as gone through ReLU" breaks="relu" says="input has not gone through"
def predicted_rms(widths, stds, activation):
    q, result = 1.0, []
    for m, std in zip(widths, stds):
        q = m * std ** 2 * q * (0.5 if activation == "relu" else 1)
        result.append(math.sqrt(q))
    return result

# %% wrong="5.4.6" why="ReLU is ignored" breaks="relu" says="without ReLU"
def predicted_rms(widths, stds, activation):
    q, result = 1.0, []
    for m, std in zip(widths, stds):
        q = m * std ** 2 * q
        result.append(math.sqrt(q))
    return result

# %% wrong="5.4.6" why="ReLU halves the root mean square" breaks="relu" says="not the root mean square"
def predicted_rms(widths, stds, activation):
    q, result = 1.0, []
    for m, std in zip(widths, stds):
        q = m * std ** 2 * q
        result.append(math.sqrt(q))
        q *= 0.25 if activation == "relu" else 1
    return result

# %% wrong="5.4.6" why="mean squares without a bend" breaks="identity" says="take the root"
def predicted_rms(widths, stds, activation):
    q, result = 1.0, []
    for m, std in zip(widths, stds):
        q = m * std ** 2 * q
        result.append(math.sqrt(q) if activation == "relu" else q)
        q *= 0.5 if activation == "relu" else 1
    return result

# %% wrong="5.4.6" why="fan-out" breaks="identity" says="not that of its outputs"
def predicted_rms(widths, stds, activation):
    q, result = 1.0, []
    for m, std in zip(widths[1:], stds):
        q = m * std ** 2 * q
        result.append(math.sqrt(q))
        q *= 0.5 if activation == "relu" else 1
    return result

# %% wrong="5.4.6" why="the layers do not multiply" breaks="identity" says="the layer before"
def predicted_rms(widths, stds, activation):
    return [math.sqrt(m) * std for m, std in zip(widths, stds)]

# %% wrong="5.4.6" why="only the last layer" breaks="one for each layer" says="how many numbers"
def predicted_rms(widths, stds, activation):
    q = 1.0
    for i, (m, std) in enumerate(zip(widths, stds)):
        q = m * std ** 2 * q * (0.5 if i and activation == "relu" else 1)
    return [math.sqrt(q)]

# %% wrong="5.4.6" why="the input is in the list" breaks="one for each layer" says="how many numbers"
def predicted_rms(widths, stds, activation):
    q, result = 1.0, [1.0]
    for i, (m, std) in enumerate(zip(widths, stds)):
        q = m * std ** 2 * q * (0.5 if i and activation == "relu" else 1)
        result.append(math.sqrt(q))
    return result

# %% right="5.4.C" how="root three times the standard deviation"
def xavier_bound(m, k):
    return math.sqrt(3) * math.sqrt(2 / (m + k))

# %% right="5.4.C" how="a tensor"
def xavier_bound(m, k):
    return torch.tensor(6 / (m + k)).sqrt()

# %% wrong="5.4.C" why="the standard deviation" breaks="value" says="standard deviation: the bound"
def xavier_bound(m, k):
    return math.sqrt(2 / (m + k))

# %% wrong="5.4.C" why="the variance" breaks="value" says="This is the variance"
def xavier_bound(m, k):
    return 2 / (m + k)

# %% wrong="5.4.C" why="no root" breaks="value" says="Take the root"
def xavier_bound(m, k):
    return 6 / (m + k)

# %% wrong="5.4.C" why="fan-in only" breaks="both sides" says="xavier_bound"
def xavier_bound(m, k):
    return math.sqrt(3 / m) if m > k else math.sqrt(6 / (m + k))

# %% wrong="5.4.C" why="outputs forgotten where there are more of them" breaks="both sides" says="Only the inputs are counted"
def xavier_bound(m, k):
    return math.sqrt(3 / m) if k > m > 1 else math.sqrt(6 / (m + k))

# %% right="5.4.7" how="the library's functions, on the transposed view"
def initial_weights(m, k, activation, distribution, seed):
    W, generator = torch.empty(k, m), torch.Generator().manual_seed(seed)
    if activation == "tanh":
        fill = torch.nn.init.xavier_normal_ if distribution == "normal" else torch.nn.init.xavier_uniform_
        return fill(W, generator=generator).T
    fill = torch.nn.init.kaiming_normal_ if distribution == "normal" else torch.nn.init.kaiming_uniform_
    return fill(W, nonlinearity="relu", generator=generator).T

# %% right="5.4.7" how="the global generator, in-place draws"
def initial_weights(m, k, activation, distribution, seed):
    torch.manual_seed(seed)
    variance = 2 / m if activation == "relu" else 2 / (m + k)
    if distribution == "uniform":
        return torch.empty(m, k, dtype=torch.float64).uniform_(-math.sqrt(3 * variance), math.sqrt(3 * variance))
    return torch.empty(m, k, dtype=torch.float64).normal_(0, math.sqrt(variance))

# %% right="5.4.7" how="NumPy's generator"
import numpy as np

def initial_weights(m, k, activation, distribution, seed):
    rng, std = np.random.default_rng(seed), math.sqrt(2 / m if activation == "relu" else 2 / (m + k))
    W = rng.normal(0, std, (m, k)) if distribution == "normal" else rng.uniform(-std * 3 ** 0.5, std * 3 ** 0.5, (m, k))
    return torch.tensor(W)

# %% wrong="5.4.7" why="the standard deviation as the bound" breaks="variance" says="√3 times"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(seed)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    return std * (2 * torch.rand(m, k, generator=generator) - 1)

# %% wrong="5.4.7" why="the library reads the axes the other way round" breaks="variance" says="outputs for the inputs"
def initial_weights(m, k, activation, distribution, seed):
    W, generator = torch.empty(m, k), torch.Generator().manual_seed(seed)
    if activation == "tanh":
        fill = torch.nn.init.xavier_normal_ if distribution == "normal" else torch.nn.init.xavier_uniform_
        return fill(W, generator=generator)
    fill = torch.nn.init.kaiming_normal_ if distribution == "normal" else torch.nn.init.kaiming_uniform_
    return fill(W, nonlinearity="relu", generator=generator)

# %% wrong="5.4.7" why="Xavier for both" breaks="variance" says="ReLU takes He's"
def initial_weights(m, k, activation, distribution, seed):
    std, generator = math.sqrt(2 / (m + k)), torch.Generator().manual_seed(seed)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    return math.sqrt(3) * std * (2 * torch.rand(m, k, generator=generator) - 1)

# %% wrong="5.4.7" why="only positive uniform entries" breaks="variance" says="as often negative"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(seed)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    return math.sqrt(12) * std * torch.rand(m, k, generator=generator)

# %% wrong="5.4.7" why="normal for both" breaks="distribution" says="number of the normal distribution"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    return std * torch.randn(m, k, generator=torch.Generator().manual_seed(seed))

# %% wrong="5.4.7" why="two values only" breaks="distribution" says="two values alone"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(seed)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    return std * torch.randn(m, k, generator=generator).sign()

# %% wrong="5.4.7" why="one column of draws, repeated" breaks="distribution" says="entries of a matrix"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator, few = torch.Generator().manual_seed(seed), max(1, k // 4)
    if distribution == "normal":
        return std * torch.randn(m, few, generator=generator).repeat(1, 5)[:, :k]
    return math.sqrt(3) * std * (2 * torch.rand(m, few, generator=generator) - 1).repeat(1, 5)[:, :k]

# %% wrong="5.4.7" why="the shape of nn.Linear" breaks="shape" says="wrong shape"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(seed)
    W = std * torch.randn(m, k, generator=generator) if distribution == "normal" else math.sqrt(3) * std * (2 * torch.rand(m, k, generator=generator) - 1)
    return W.T

# %% wrong="5.4.7" why="the seed is ignored" breaks="seed" says="different matrices"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(0)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    return math.sqrt(3) * std * (2 * torch.rand(m, k, generator=generator) - 1)

# %% wrong="5.4.7" why="the generator is not used" breaks="seed" says="two matrices with the seed 7"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    if distribution == "normal":
        return std * torch.randn(m, k)
    return math.sqrt(3) * std * (2 * torch.rand(m, k) - 1)

# %% wrong="5.4.7" why="tails cut at three standard deviations" breaks="distribution" says="tails of the normal distribution are not cut"
def initial_weights(m, k, activation, distribution, seed):
    generator = torch.Generator().manual_seed(seed)
    variance = 2 / (m + k) if activation == "tanh" else 2 / m
    std = math.sqrt(variance)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator).clamp(-3, 3)
    a = math.sqrt(3) * std
    return a * (2 * torch.rand(m, k, generator=generator) - 1)

# %% wrong="5.4.7" why="half of the rows mirrored" breaks="distribution" says="nothing is mirrored"
def initial_weights(m, k, activation, distribution, seed):
    generator = torch.Generator().manual_seed(seed)
    variance = 2 / (m + k) if activation == "tanh" else 2 / m
    std = math.sqrt(variance)
    if distribution == "normal":
        half = torch.randn((m + 1) // 2, k, generator=generator)
        return std * torch.cat([half, -half])[:m]
    a = math.sqrt(3) * std
    return a * (2 * torch.rand(m, k, generator=generator) - 1)

# %% wrong="5.4.7" why="uniform entries corrected to the exact variance" breaks="distribution" says="left to chance"
def initial_weights(m, k, activation, distribution, seed):
    generator = torch.Generator().manual_seed(seed)
    variance = 2 / (m + k) if activation == "tanh" else 2 / m
    std = math.sqrt(variance)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    a = math.sqrt(3) * std
    u = torch.rand(m, k, generator=generator)
    return std * (u - u.mean()) / u.std()

# %% wrong="5.4.7" why="seed 0 taken for no seed" breaks="seed" says="the seeds 0 and 1"
def initial_weights(m, k, activation, distribution, seed):
    generator = torch.Generator().manual_seed(seed or 1)
    variance = 2 / (m + k) if activation == "tanh" else 2 / m
    std = math.sqrt(variance)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    a = math.sqrt(3) * std
    return a * (2 * torch.rand(m, k, generator=generator) - 1)

# %% wrong="5.4.7" why="each row has its exact length" breaks="distribution" says="in each row and column"
def initial_weights(m, k, activation, distribution, seed):
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(seed)
    if distribution == "normal":
        W = torch.randn(m, k, generator=generator)
        return W * std * math.sqrt(k) / W.norm(dim=1, keepdim=True)
    return math.sqrt(3) * std * (2 * torch.rand(m, k, generator=generator) - 1)

# %% right="5.4.8" how="the library's gain"
def leaky_std(m, s):
    return torch.nn.init.calculate_gain("leaky_relu", s) / math.sqrt(m)

# %% right="5.4.8" how="the mean of the two halves"
def leaky_std(m, s):
    kept = (1 + s * s) / 2
    return (m * kept) ** -0.5

# %% wrong="5.4.8" why="the slope is not squared" breaks="any slope" says="factor s²"
def leaky_std(m, s):
    return math.sqrt(2 / (m * (1 + abs(s))))

# %% wrong="5.4.8" why="He whatever the slope" breaks="known cases" says="nothing is cut"
def leaky_std(m, s):
    return math.sqrt(2 / m)

# %% wrong="5.4.8" why="the variance" breaks="known cases" says="This is the variance"
def leaky_std(m, s):
    return 2 / (m * (1 + s ** 2))

# %% wrong="5.4.8" why="no half" breaks="known cases" says="rule of the identity"
def leaky_std(m, s):
    return math.sqrt(1 / (m * (1 + s ** 2)))

# %% wrong="5.4.8" why="interpolates between He and the identity" breaks="any slope" says="not halfway"
def leaky_std(m, s):
    return math.sqrt((2 - abs(s)) / m) if abs(s) <= 2 else math.sqrt(1 / m)

# %% right="5.4.D" how="index_select"
def permuted(W1, b1, W2, order):
    index = torch.tensor(order)
    return W1.index_select(1, index), b1.index_select(0, index), W2.index_select(0, index)

# %% right="5.4.D" how="a permutation matrix, a list"
def permuted(W1, b1, W2, order):
    P = torch.eye(len(order))[order]
    return [W1 @ P.T, P @ b1, P @ W2]

# %% wrong="5.4.D" why="the inverse order" breaks="units" says="not the other way round"
def permuted(W1, b1, W2, order):
    back = torch.tensor(order).argsort()
    return W1[:, back], b1[back], W2[back]

# %% wrong="5.4.D" why="the bias is forgotten" breaks="units" says="still in the old order"
def permuted(W1, b1, W2, order):
    return W1[:, order], b1, W2[order]

# %% wrong="5.4.D" why="the second matrix is forgotten" breaks="same function" says="still in the old order"
def permuted(W1, b1, W2, order):
    return W1[:, order], b1[order], W2

# %% wrong="5.4.D" why="the second matrix by the inverse order" breaks="same function" says="not the other way round"
def permuted(W1, b1, W2, order):
    return W1[:, order], b1[order], W2[torch.tensor(order).argsort()]

# %% wrong="5.4.D" why="the bias is not returned" breaks="units" says="how many tensors"
def permuted(W1, b1, W2, order):
    return W1[:, order], W2[order]

# %% wrong="5.4.D" why="one exchange of two units" breaks="units" says="is to stand there"
def permuted(W1, b1, W2, order):
    swapped = list(range(len(order)))
    swapped[0], swapped[order[0]] = swapped[order[0]], swapped[0]
    return W1[:, swapped], b1[swapped], W2[swapped]

# %% right="5.4.2a" how="autograd"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        loss = (X @ w - y).square().mean() / 2
        gradient, = torch.autograd.grad(loss, w)
        w = (w - lr * gradient).detach().requires_grad_()
    return w.detach()

# %% right="5.4.2a" how="an optimizer"
def regression_from(X, y, c, lr, steps):
    w = torch.nn.Parameter(torch.ones(X.shape[1], dtype=X.dtype) * c)
    optimizer = torch.optim.SGD([w], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        (0.5 * F.mse_loss(X @ w, y)).backward()
        optimizer.step()
    return w.detach()

# %% wrong="5.4.2a" why="the factor 2 of the square" breaks="descent" says="no factor 2"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * 2 * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="5.4.2a" why="the sum over the rows" breaks="descent" says="divided by n"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y)
    return w

# %% wrong="5.4.2a" why="starts at 0" breaks="start" says="exactly c"
def regression_from(X, y, c, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="5.4.2a" why="keeps the weights equal by the mean gradient" breaks="descent" says="values differ"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * (X.T @ (X @ w - y)).mean() / len(X)
    return w

# %% wrong="5.4.2a" why="a column" breaks="start" says="wrong shape"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1], 1), c, dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y[:, None]) / len(X)
    return w

# %% wrong="5.4.2a" why="the steps are ignored" breaks="descent" says="one step too few"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    return w - lr * X.T @ (X @ w - y) / len(X) if steps else w

# %% wrong="5.4.2a" why="one step fewer" breaks="descent" says="one step too few"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps - 1):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="5.4.2a" why="stops where a step raises the loss" breaks="descent" says="also one that raises the loss"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps):
        new = w - lr * X.T @ (X @ w - y) / len(X)
        if (X @ new - y).norm() > (X @ w - y).norm():
            break
        w = new
    return w

# %% right="5.4.2b" how="autograd"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype)
    for _ in range(steps):
        W.requires_grad_()
        gradient, = torch.autograd.grad(F.cross_entropy(X @ W, y), W)
        W = W.detach() - lr * gradient
    return W

# %% right="5.4.2b" how="from 0, and the constant added at the end"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.zeros(X.shape[1], q, dtype=X.dtype)
    for _ in range(steps):
        P = torch.softmax(X @ W, dim=1)
        P[torch.arange(len(y)), y] -= 1
        W -= lr / len(X) * X.T @ P
    return W + c

# %% wrong="5.4.2b" why="the sum over the rows" breaks="descent" says="mean over the rows, not the sum"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q))
    return W

# %% wrong="5.4.2b" why="walks uphill" breaks="descent" says="uphill"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (F.one_hot(y, q) - torch.softmax(X @ W, dim=1)) / len(X)
    return W

# %% wrong="5.4.2b" why="softmax over the rows" breaks="descent" says="values differ"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=0) - F.one_hot(y, q)) / len(X)
    return W

# %% wrong="5.4.2b" why="starts at 0" breaks="start" says="exactly c"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.zeros(X.shape[1], q, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q)) / len(X)
    return W

# %% wrong="5.4.2b" why="as many columns as labels occur" breaks="start" says="wrong shape"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], int(y.max()) + 1), c, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y)) / len(X)
    return W

# %% wrong="5.4.2b" why="mean over rows and classes" breaks="descent" says="not over all n times q"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q)) / len(X) / q
    return W

# %% wrong="5.4.2b" why="the softmax twice" breaks="descent" says="softmax was applied twice"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        g, = torch.autograd.grad(F.cross_entropy(torch.softmax(X @ W, dim=1), y), W)
        W = (W - lr * g).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.2b" why="the mean of each row is taken off" breaks="start" says="exactly c"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q)) / len(X)
    return W - W.mean(dim=1, keepdim=True)

# %% right="5.4.2b" how="from 0, and c added at the end"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.zeros(X.shape[1], q, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q)) / len(X)
    return W + c

# %% wrong="5.4.2b" why="exp of large scores" breaks="descent" says="work for them, too"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        E = torch.exp(X @ W)
        W = W - lr * X.T @ (E / E.sum(dim=1, keepdim=True) - F.one_hot(y, q)) / len(X)
    return W

# %% wrong="5.4.2b" why="stops where a step raises the loss" breaks="descent" says="also one that raises the loss"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    for _ in range(steps):
        new = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q)) / len(X)
        if F.cross_entropy(X @ new, y) > F.cross_entropy(X @ W, y):
            break
        W = new
    return W

# %% wrong="5.4.2b" why="the start is lost after the first step" breaks="descent" says="c too small"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c if steps == 0 else 0.0, dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - F.one_hot(y, q)) / len(X)
    return W

# %% right="5.4.1" how="a vector of factors"
def scaled_unit(W1, b1, W2, unit, c):
    factor = torch.ones_like(b1)
    factor[unit] = c
    return W1 * factor, b1 * factor, W2 / factor[:, None]

# %% right="5.4.1" how="torch.where, a list"
def scaled_unit(W1, b1, W2, unit, c):
    chosen = torch.arange(len(b1)) == unit
    return [torch.where(chosen, c * W1, W1), torch.where(chosen, c * b1, b1), torch.where(chosen[:, None], W2 / c, W2)]

# %% wrong="5.4.1" why="changes the arguments" breaks="arguments kept" says="work on clones"
def scaled_unit(W1, b1, W2, unit, c):
    W1[:, unit] *= c
    b1[unit] *= c
    W2[unit] /= c
    return W1, b1, W2

# %% wrong="5.4.1" why="the bias is forgotten" breaks="the unit" says="the new b1"
def scaled_unit(W1, b1, W2, unit, c):
    W1, W2 = W1.clone(), W2.clone()
    W1[:, unit] *= c
    W2[unit] /= c
    return W1, b1, W2

# %% wrong="5.4.1" why="all units" breaks="the unit" says="All units were changed"
def scaled_unit(W1, b1, W2, unit, c):
    return c * W1, c * b1, W2 / c

# %% wrong="5.4.1" why="multiplies what goes out" breaks="same function" says="What goes out is divided"
def scaled_unit(W1, b1, W2, unit, c):
    W1, b1, W2 = W1.clone(), b1.clone(), W2.clone()
    W1[:, unit] *= c
    b1[unit] *= c
    W2[unit] *= c
    return W1, b1, W2

# %% wrong="5.4.1" why="the outgoing weights are forgotten" breaks="same function" says="as it was"
def scaled_unit(W1, b1, W2, unit, c):
    W1, b1 = W1.clone(), b1.clone()
    W1[:, unit] *= c
    b1[unit] *= c
    return W1, b1, W2.clone()

# %% wrong="5.4.1" why="the row of W1 for the column" breaks="the unit" says="the new W1"
def scaled_unit(W1, b1, W2, unit, c):
    W1, b1, W2 = W1.clone(), b1.clone(), W2.clone()
    W1[unit % len(W1)] *= c
    b1[unit] *= c
    W2[unit] /= c
    return W1, b1, W2

# %% right="5.4.3a" how="spectral norms, also of the inverse"
def product_bounds(Ws):
    high = math.prod(torch.linalg.norm(W, 2).item() for W in Ws)
    low = math.prod(torch.linalg.norm(W, -2).item() for W in Ws)
    return low, high

# %% right="5.4.3a" how="all at once, a tensor"
def product_bounds(Ws):
    s = torch.linalg.svdvals(torch.stack(list(Ws)))
    return torch.stack([s[:, -1].prod(), s[:, 0].prod()])

# %% right="5.4.3a" how="roots of the eigenvalues of the Gram matrices"
def product_bounds(Ws):
    low = high = 1.0
    for W in Ws:
        values = torch.linalg.eigvalsh(W.double().T @ W.double()).clamp(min=0).sqrt()
        low, high = low * values[0], high * values[-1]
    return low, high

# %% right="5.4.3a" how="singular values by NumPy, an array"
import numpy as np
def product_bounds(Ws):
    s = np.array([np.linalg.svd(np.asarray(W), compute_uv=False) for W in Ws])
    return np.array([s[:, -1].prod(), s[:, 0].prod()])

# %% wrong="5.4.3a" why="the singular values of the product" breaks="high" says="from the single matrices"
def product_bounds(Ws):
    M = Ws[0]
    for W in Ws[1:]:
        M = M @ W
    s = torch.linalg.svdvals(M)
    return s[-1].item(), s[0].item()

# %% wrong="5.4.3a" why="eigenvalues in size" breaks="high" says="products of eigenvalues"
def product_bounds(Ws):
    low = high = 1.0
    for W in Ws:
        e = torch.linalg.eigvals(W).abs()
        low, high = low * e.min().item(), high * e.max().item()
    return low, high

# %% wrong="5.4.3a" why="the smaller of the two for low" breaks="low" says="the lower bound"
def product_bounds(Ws):
    s = [torch.linalg.svdvals(W) for W in Ws]
    return min(v[-1].item() for v in s), math.prod(v[0].item() for v in s)

# %% wrong="5.4.3a" why="a Frobenius bound" breaks="high" says="the upper bound"
def product_bounds(Ws):
    return math.prod(torch.linalg.svdvals(W)[-1].item() for W in Ws), math.prod(W.norm().item() for W in Ws)

# %% wrong="5.4.3a" why="low is 0" breaks="low" says="the lower bound"
def product_bounds(Ws):
    return 0.0, math.prod(torch.linalg.svdvals(W)[0].item() for W in Ws)

# %% wrong="5.4.3a" why="exchanged" breaks="high" says="lower bound stands first"
def product_bounds(Ws):
    s = [torch.linalg.svdvals(W) for W in Ws]
    return math.prod(v[0].item() for v in s), math.prod(v[-1].item() for v in s)

# %% wrong="5.4.3a" why="low is never below a thousandth" breaks="low" says="However small the product"
def product_bounds(Ws):
    low, high = 1.0, 1.0
    for W in Ws:
        s = torch.linalg.svdvals(W)
        low, high = low * s[-1].item(), high * s[0].item()
    return max(low, 1e-3), high

# %% wrong="5.4.3a" why="the lower bound from the inverse" breaks="low" says="not invertible"
def product_bounds(Ws):
    return (math.prod(1 / torch.linalg.norm(torch.linalg.inv(W), 2).item() for W in Ws), math.prod(torch.linalg.norm(W, 2).item() for W in Ws))

# %% wrong="5.4.3a" why="singular values never below 0.001" breaks="low" says="the bound is a product"
def product_bounds(Ws):
    s = [torch.linalg.svdvals(W).clamp(min=1e-3) for W in Ws]
    return math.prod(v[-1].item() for v in s), math.prod(v[0].item() for v in s)

# %% wrong="5.4.3a" why="singular values 0 left out" breaks="low" says="A singular value 0 counts"
def product_bounds(Ws):
    s = [torch.linalg.svdvals(W) for W in Ws]
    return math.prod(v[v > 1e-9].min().item() for v in s), math.prod(v[0].item() for v in s)

# %% wrong="5.4.3a" why="the first and the last matrix" breaks="high" says="first and the last"
def product_bounds(Ws):
    ends = [Ws[0], Ws[-1]] if len(Ws) > 1 else Ws
    s = [torch.linalg.svdvals(W) for W in ends]
    return math.prod(v[-1].item() for v in s), math.prod(v[0].item() for v in s)

# %% right="5.4.3b" how="a matrix and its transpose"
def misleading_pair(size):
    A = torch.tensor([[0.5, math.sqrt(size)], [0.0, 0.5]], dtype=torch.float64)
    return A, A.T

# %% right="5.4.3b" how="mirrored, a list"
def misleading_pair(size):
    return [torch.tensor([[0.0, 0.0], [-2.0 * size, 0.0]]), torch.tensor([[0.1, 1.0], [0.0, -0.4]])]

# %% right="5.4.3b" how="whole numbers"
def misleading_pair(size):
    return torch.tensor([[0, math.ceil(size)], [0, 0]]), torch.tensor([[0, 0], [1, 0]])

# %% wrong="5.4.3b" why="two upper triangular matrices" breaks="product" says="yours reach"
def misleading_pair(size):
    A = torch.tensor([[0.5, float(size)], [0.0, 0.5]])
    return A, A.clone()

# %% wrong="5.4.3b" why="large eigenvalues" breaks="eigenvalues" says="at most 0.5"
def misleading_pair(size):
    A = torch.eye(2) * math.sqrt(size)
    return A, A

# %% wrong="5.4.3b" why="symmetric matrices" breaks="eigenvalues" says="at most 0.5"
def misleading_pair(size):
    A = torch.tensor([[0.0, math.sqrt(size)], [math.sqrt(size), 0.0]])
    return A, A

# %% wrong="5.4.3b" why="the size is ignored" breaks="product" says="A @ B for the size 2500"
def misleading_pair(size):
    return torch.tensor([[0.0, 100.0], [0.0, 0.0]]), torch.tensor([[0.0, 0.0], [1.0, 0.0]])

# %% wrong="5.4.3b" why="nested lists" breaks="shape" says="expected a tensor"
def misleading_pair(size):
    return [[0.0, size], [0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]

# %% wrong="5.4.3b" why="NumPy arrays" breaks="shape" says="expected a tensor"
def misleading_pair(size):
    import numpy as np
    t = math.sqrt(size)
    return np.array([[0.5, t], [0., 0.5]]), np.array([[0.5, 0.], [t, 0.5]])

# %% right="5.4.4a" how="two nested passes"
def unit_scale(Ws, X, activation):
    new = []
    for W in Ws:
        H = X
        for V in new:
            H = ACTIVATIONS[activation](H @ V)
        new.append(W / ((H @ W) ** 2).mean() ** 0.5)
    return new

# %% right="5.4.4a" how="in float32, a tuple"
def unit_scale(Ws, X, activation):
    H, result = X.float(), []
    for W in Ws:
        V = W.float() * (1 / rms(H @ W.float()))
        result.append(V)
        H = ACTIVATIONS[activation](H @ V)
    return tuple(result)

# %% wrong="5.4.4a" why="measured in the old network" breaks="unit size" says="layer 2 in the new network"
def unit_scale(Ws, X, activation):
    H, result = X, []
    for W in Ws:
        Z = H @ W
        result.append(W / rms(Z))
        H = ACTIVATIONS[activation](Z)
    return result

# %% wrong="5.4.4a" why="measured after the activation" breaks="unit size" says="of layer 1"
def unit_scale(Ws, X, activation):
    H, result = X, []
    for W in Ws:
        H = ACTIVATIONS[activation](H @ W)
        result.append(W / rms(H))
        H = H / rms(H)
    return result

# %% wrong="5.4.4a" why="the standard deviation for the root mean square" breaks="unit size" says="root mean square of Z"
def unit_scale(Ws, X, activation):
    H, result = X, []
    for W in Ws:
        Z = H @ W
        result.append(W / Z.std())
        H = ACTIVATIONS[activation](Z / Z.std())
    return result

# %% wrong="5.4.4a" why="each column by itself" breaks="positive multiples" says="One positive number"
def unit_scale(Ws, X, activation):
    H, result = X, []
    for W in Ws:
        Z = H @ W
        size = Z.square().mean(dim=0).sqrt().clamp(min=1e-9)
        result.append(W / size)
        H = ACTIVATIONS[activation](Z / size)
    return result

# %% wrong="5.4.4a" why="the activation is ignored" breaks="unit size" says="layer 2 in the new network"
def unit_scale(Ws, X, activation):
    H, result = X, []
    for W in Ws:
        Z = H @ W
        result.append(W / rms(Z))
        H = Z / rms(Z)
    return result

# %% wrong="5.4.4a" why="draws new weights of the right size" breaks="positive multiples" says="new and old"
def unit_scale(Ws, X, activation):
    H, result = X, []
    for W in Ws:
        V = torch.randn_like(W)
        V = V / rms(H @ V)
        result.append(V)
        H = ACTIVATIONS[activation](H @ V)
    return result

# %% wrong="5.4.4a" why="in place" breaks="arguments kept" says="changed in place"
def unit_scale(Ws, X, activation):
    H = X
    for W in Ws:
        W /= rms(H @ W)
        H = ACTIVATIONS[activation](H @ W)
    return Ws

# %% wrong="5.4.4a" why="divided by the mean square" breaks="unit size" says="mean square: the root is missing"
def unit_scale(Ws, X, activation):
    H, new = X, []
    for W in Ws:
        V = W / rms(H @ W) ** 2
        new.append(V)
        H = ACTIVATIONS[activation](H @ V)
    return new

# %% wrong="5.4.4a" why="entries of the list replaced" breaks="arguments kept" says="were replaced"
def unit_scale(Ws, X, activation):
    H, new = X, []
    for W in Ws:
        V = W / rms(H @ W)
        new.append(V)
        H = ACTIVATIONS[activation](H @ V)
    Ws[:] = new
    return new

# %% wrong="5.4.4a" why="a small number added to the root mean square" breaks="unit size" says="was added to the root mean square"
def unit_scale(Ws, X, activation):
    H, new = X, []
    for W in Ws:
        new.append(W / (rms(H @ W) + 1e-5))
        H = ACTIVATIONS[activation](H @ new[-1])
    return new

# %% wrong="5.4.4a" why="a floor under the root mean square" breaks="unit size" says="is smaller"
def unit_scale(Ws, X, activation):
    H, new = X, []
    for W in Ws:
        new.append(W / max(rms(H @ W), 1e-6))
        H = ACTIVATIONS[activation](H @ new[-1])
    return new

# %% right="5.4.4b" how="unit directions"
def layer_steps(Ws, gradients, lr):
    return [W - lr * W.norm() * F.normalize(g.flatten(), dim=0, eps=1e-30).reshape(g.shape) for W, g in zip(Ws, gradients)]

# %% right="5.4.4b" how="numbers, a tuple"
def layer_steps(Ws, gradients, lr):
    new = []
    for W, g in zip(Ws, gradients):
        if g.abs().max() == 0:
            new.append(W)
            continue
        new.append(W - g * (lr * math.sqrt(float((W ** 2).sum())) / math.sqrt(float((g ** 2).sum()))))
    return tuple(new)

# %% right="5.4.4b" how="nan of the step replaced by 0"
def layer_steps(Ws, gradients, lr):
    return [W - torch.nan_to_num(lr * W.norm() * (g / g.norm())) for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="the plain step" breaks="step" says="plain step"
def layer_steps(Ws, gradients, lr):
    return [W - lr * g for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="without the norm of the weights" breaks="step" says="norm of the weights is missing"
def layer_steps(Ws, gradients, lr):
    return [W - lr * g / g.norm() if g.any() else W.clone() for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="norms exchanged" breaks="step" says="changed places"
def layer_steps(Ws, gradients, lr):
    return [W - lr * g.norm() / W.norm() * g for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="global norms" breaks="each layer by itself" says="norms of all layers together"
def layer_steps(Ws, gradients, lr):
    w, g_all = (math.sqrt(sum(T.square().sum().item() for T in Ts)) for Ts in (Ws, gradients))
    return [W - lr * w / g_all * g for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="the first layer's factor for all" breaks="each layer by itself" says="matrix 2 of 2"
def layer_steps(Ws, gradients, lr):
    factor = next((W.norm() / g.norm() for W, g in zip(Ws, gradients) if g.any()), 0.0)
    return [W - lr * factor * g for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="divides by 0" breaks="zero gradient" says="0 / 0 would be nan"
def layer_steps(Ws, gradients, lr):
    return [W - lr * W.norm() / g.norm() * g for W, g in zip(Ws, gradients)]

# %% wrong="5.4.4b" why="in place" breaks="arguments kept" says="changed in place"
def layer_steps(Ws, gradients, lr):
    for W, g in zip(Ws, gradients):
        if g.any():
            W -= lr * W.norm() / g.norm() * g
    return list(Ws)

# %% wrong="5.4.4b" why="a threshold for zero" breaks="step" says="takes the full step, like any other"
def layer_steps(Ws, gradients, lr):
    new = []
    for W, g in zip(Ws, gradients):
        if g.norm() < 1e-6:
            new.append(W.clone())
        else:
            new.append(W - lr * W.norm() / g.norm() * g)
    return new

# %% wrong="5.4.4b" why="a small number added to the norm" breaks="step" says="takes the full step, like any other"
def layer_steps(Ws, gradients, lr):
    new = []
    for W, g in zip(Ws, gradients):
        if False:
            new.append(W.clone())
        else:
            new.append(W - lr * W.norm() / (g.norm() + 1e-8) * g)
    return new

# %% wrong="5.4.4b" why="the sum of the entries tells zero" breaks="zero gradient" says="own gradient is 0 everywhere"
def layer_steps(Ws, gradients, lr):
    new = []
    for W, g in zip(Ws, gradients):
        if g.sum() == 0:
            new.append(W.clone())
        else:
            new.append(W - lr * W.norm() / g.norm() * g)
    return new

# %% wrong="5.4.A" why="a fixed amount per layer" breaks="shrinking" says="does not take the same amount off"
def layers_until(factor, limit):
    return math.ceil(abs(1 - limit) / abs(1 - factor))

# %% wrong="5.4.A" why="logarithms of two bases" breaks="shrinking" says="the same base"
def layers_until(factor, limit):
    return math.ceil(math.log10(limit) / math.log(factor))

# %% wrong="5.4.5" why="a squared distance from C" breaks="size" says="no squared distance"
def gradient_sizes(Ws, X, C, activation):
    Ws = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in Ws:
        H = ACTIVATIONS[activation](H @ W)
    loss = ((H - C) ** 2).sum() / len(X)
    return [g.norm().item() for g in torch.autograd.grad(loss, Ws)]

# %% wrong="5.4.5" why="the mean without C" breaks="size" says="not divided by the number of columns"
def gradient_sizes(Ws, X, C, activation):
    Ws = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in Ws:
        H = ACTIVATIONS[activation](H @ W)
    return [g.norm().item() for g in torch.autograd.grad(H.mean(), Ws)]

# %% wrong="5.4.5" why="the slope of the activation at H" breaks="size" says="not at H"
def gradient_sizes(Ws, X, C, activation):
    Hs = [X]
    for W in Ws:
        Hs.append(ACTIVATIONS[activation](Hs[-1] @ W.detach()))
    slope = {"identity": lambda Z: torch.ones_like(Z), "sigmoid": lambda Z: torch.sigmoid(Z) * (1 - torch.sigmoid(Z)),
             "tanh": lambda Z: 1 - torch.tanh(Z) ** 2, "relu": lambda Z: (Z > 0).to(Z.dtype)}[activation]
    G, out = C / len(X), []
    for W, H_in, H_out in zip(reversed(Ws), reversed(Hs[:-1]), reversed(Hs[1:])):
        D = G * slope(H_out)
        out.insert(0, (H_in.T @ D).norm().item())
        G = D @ W.detach().T
    return out

# %% wrong="5.4.B" why="simulated" breaks="value" says="not simulated"
def output_std(X, sigma):
    rng = torch.Generator().manual_seed(0)
    return (X @ (sigma * torch.randn(X.shape[1], 2000, generator=rng))).std(dim=1)

# %% wrong="5.4.B" why="σ once, and no root" breaks="value" says="the root is missing"
def output_std(X, sigma):
    return sigma * X.square().sum(dim=1)

# %% wrong="5.4.6" why="the first width for all layers" breaks="identity" says="takes the first for all"
def predicted_rms(widths, stds, activation):
    q, out = 1.0, []
    for s in stds:
        q *= widths[0] * s ** 2
        out.append(math.sqrt(q))
        q /= 2 if activation == "relu" else 1
    return out

# %% wrong="5.4.6" why="ReLU doubles" breaks="relu" says="does not double"
def predicted_rms(widths, stds, activation):
    q, out = 1.0, []
    for m, s in zip(widths, stds):
        q *= m * s ** 2
        out.append(math.sqrt(q))
        q *= 2 if activation == "relu" else 1
    return out

# %% wrong="5.4.C" why="√3 times the variance" breaks="value" says="not times the variance"
def xavier_bound(m, k):
    return math.sqrt(3) * 2 / (m + k)

# %% wrong="5.4.C" why="the mean of two bounds" breaks="value" says="before the root"
def xavier_bound(m, k):
    return (math.sqrt(3 / m) + math.sqrt(3 / k)) / 2

# %% wrong="5.4.C" why="the roots added" breaks="value" says="not the sum of the roots"
def xavier_bound(m, k):
    return math.sqrt(6) / (math.sqrt(m) + math.sqrt(k))

# %% wrong="5.4.C" why="a² / 2" breaks="value" says="not a² / 2"
def xavier_bound(m, k):
    return math.sqrt(2 * 2 / (m + k))

# %% right="5.4.7" how="Box and Muller, and the library's uniform_"
def initial_weights(m, k, activation, distribution, seed):
    g = torch.Generator()
    g.manual_seed(seed)
    std = (2 / (m + k if activation == "tanh" else m)) ** 0.5
    if distribution == "uniform":
        return torch.empty(m, k, dtype=torch.float64).uniform_(-std * 3 ** 0.5, std * 3 ** 0.5, generator=g)
    u, v = torch.rand(m, k, generator=g, dtype=torch.float64), torch.rand(m, k, generator=g, dtype=torch.float64)
    return std * (-2 * torch.log1p(-u)).sqrt() * torch.cos(2 * math.pi * v)

# %% wrong="5.4.8" why="(1 + s)² / 2" breaks="known cases" says="here it is 2"
def leaky_std(m, s):
    return math.sqrt(2 / m) / abs(1 + s) if s != -1 else math.sqrt(2 / m)

# %% wrong="5.4.8" why="2 - s² for the inverse" breaks="any slope" says="is not its inverse"
def leaky_std(m, s):
    return math.sqrt((2 - s * s) / m) if s * s < 2 else 0.0

# %% wrong="5.4.2a" why="stops after a step that raised the loss" breaks="descent" says="after a step that raised the loss"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype)
    last = float("inf")
    for _ in range(steps):
        loss = ((X @ w - y) ** 2).sum()
        if loss > last:
            break
        last = loss
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="5.4.2a" why="a rate that falls" breaks="descent" says="falls from step to step"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype)
    for t in range(steps):
        w = w - lr / (1 + t) * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="5.4.2a" why=".grad piles up" breaks="descent" says="empty `.grad`"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        (((X @ w - y) ** 2).sum() / (2 * len(X))).backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.detach()

# %% wrong="5.4.2a" why="the gradient one step ahead" breaks="descent" says="not at those that the step"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype)
    grad = lambda w: X.T @ (X @ w - y) / len(X)
    for _ in range(steps):
        w = w - lr * grad(w - lr * grad(w))
    return w

# %% wrong="5.4.2a" why="Adam" breaks="descent" says="Adam's steps"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype, requires_grad=True)
    opt = torch.optim.Adam([w], lr=lr)
    for _ in range(steps):
        opt.zero_grad()
        (((X @ w - y) ** 2).sum() / (2 * len(X))).backward()
        opt.step()
    return w.detach()

# %% wrong="5.4.2b" why="a small number in the logarithm" breaks="descent" says="added in the logarithm"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        P = torch.softmax(X @ W, dim=1)
        loss = -torch.log(P[torch.arange(len(X)), y] + 1e-9).mean()
        W = (W - lr * torch.autograd.grad(loss, W)[0]).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.2b" why="biases" breaks="descent" says="no biases"
def softmax_from(X, y, q, c, lr, steps):
    W, b = torch.full((X.shape[1], q), float(c), dtype=X.dtype), torch.zeros(q, dtype=X.dtype)
    Y = F.one_hot(y, q).to(X.dtype)
    for _ in range(steps):
        D = (torch.softmax(X @ W + b, dim=1) - Y) / len(X)
        W, b = W - lr * X.T @ D, b - lr * D.sum(dim=0)
    return W

# %% wrong="5.4.2b" why="stops after a step that raised the loss, too late for the first" breaks="descent" says="after a step that raised the loss"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype, requires_grad=True)
    last = float("inf")
    for _ in range(steps):
        loss = F.cross_entropy(X @ W, y)
        if loss > last:
            break
        last = loss.item()
        W = (W - lr * torch.autograd.grad(loss, W)[0]).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.2b" why="a squared error of the probabilities" breaks="descent" says="not a squared error"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype, requires_grad=True)
    Y = F.one_hot(y, q).to(X.dtype)
    for _ in range(steps):
        loss = ((torch.softmax(X @ W, dim=1) - Y) ** 2).sum(dim=1).mean()
        W = (W - lr * torch.autograd.grad(loss, W)[0]).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.2b" why="the one-hot rows missing" breaks="descent" says="one-hot rows are missing"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ torch.softmax(X @ W, dim=1) / len(X)
    return W

# %% wrong="5.4.3a" why="column sums" breaks="high" says="sizes in a column"
def product_bounds(Ws):
    s = [torch.linalg.svdvals(W) for W in Ws]
    return math.prod(v[-1].item() for v in s), math.prod(torch.linalg.matrix_norm(W, 1).item() for W in Ws)

# %% wrong="5.4.3b" why="entries too small" breaks="product" says="have the product"
def misleading_pair(size):
    r = float(size) ** 0.25
    return torch.tensor([[0.5, r], [0., 0.5]]), torch.tensor([[0.5, 0.], [r, 0.5]])

# %% right="5.4.3b" how="a nilpotent matrix that is not triangular"
def misleading_pair(size):
    t = math.sqrt(size)
    A = t * torch.tensor([[1., 1.], [-1., -1.]], dtype=torch.float64)
    return A, A.T

# %% wrong="5.4.4a" why="the input scaled first" breaks="unit size" says="scaled before Z was measured"
def unit_scale(Ws, X, activation):
    H, new = X / rms(X), []
    for W in Ws:
        V = W / rms(H @ W)
        new.append(V)
        H = ACTIVATIONS[activation](H @ V)
    return new

# %% wrong="5.4.4b" why="shortens large gradients only" breaks="step" says="plain step"
def layer_steps(Ws, gradients, lr):
    return [W - lr * g * min(1.0, (W.norm() / g.norm()).item() if g.norm() > 0 else 1.0) for W, g in zip(Ws, gradients)]

# %% wrong="5.4.A" why="squares the factor instead of multiplying on" breaks="shrinking" says="After 5 layers"
def layers_until(factor, limit):
    layers = 1
    while (factor > limit) if limit < 1 else (factor < limit):
        factor *= factor
        layers += 1
    return layers

# %% wrong="5.4.5" why="the bend before each layer, on the input too" breaks="activation" says="here it stands in front"
def gradient_sizes(Ws, X, C, activation):
    leaves, H = [W.detach().clone().requires_grad_() for W in Ws], X
    for W in leaves:
        H = ACTIVATIONS[activation](H) @ W
    loss = (H * C).sum() / len(X)
    return [g.norm().item() for g in torch.autograd.grad(loss, leaves)]

# %% wrong="5.4.5" why="by hand, what is passed on has not gone through the bend" breaks="activation" says="in every layer that it passes"
def gradient_sizes(Ws, X, C, activation):
    slopes = {"identity": lambda Z: torch.ones_like(Z), "sigmoid": lambda Z: torch.sigmoid(Z) * (1 - torch.sigmoid(Z)),
              "tanh": lambda Z: 1 - torch.tanh(Z) ** 2, "relu": lambda Z: (Z > 0).to(Z.dtype)}
    with torch.no_grad():
        Hs, Zs = [X], []
        for W in Ws:
            Zs.append(Hs[-1] @ W)
            Hs.append(ACTIVATIONS[activation](Zs[-1]))
        G, found = C / len(X), []
        for i in reversed(range(len(Ws))):
            found.insert(0, (Hs[i].T @ (G * slopes[activation](Zs[i]))).norm().item())
            G = G @ Ws[i].T
    return found

# %% wrong="5.4.5" why="the squares of the outputs, weighed with C" breaks="size" says="For a single layer with the identity, too"
def gradient_sizes(Ws, X, C, activation):
    leaves, H = [W.detach().clone().requires_grad_() for W in Ws], X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    loss = (H ** 2 * C).sum() / len(X)
    return [g.norm().item() for g in torch.autograd.grad(loss, leaves)]

# %% wrong="5.4.B" why="by the mean of the row" breaks="value" says="the mean of a row"
def output_std(X, sigma):
    return sigma * math.sqrt(X.shape[1]) * X.mean(dim=1).abs()

# %% wrong="5.4.B" why="the norm of the whole batch for each row" breaks="value" says="that of the whole batch"
def output_std(X, sigma):
    return sigma * X.square().sum().sqrt().expand(len(X))

# %% wrong="5.4.6" why="the number of inputs is forgotten" breaks="identity" says="Layer 1 has 4 inputs"
def predicted_rms(widths, stds, activation):
    q, found = 1.0, []
    for std in stds:
        q = std ** 2 * q
        found.append(math.sqrt(q))
        if activation == "relu":
            q = q / 2
    return found

# %% wrong="5.4.C" why="brackets forgotten" breaks="value" says="it needs brackets"
def xavier_bound(m, k):
    return math.sqrt(6 / m + k)

# %% wrong="5.4.C" why="root below the line alone" breaks="value" says="of the 6, too"
def xavier_bound(m, k):
    return 6 / math.sqrt(m + k)

# %% wrong="5.4.C" why="the larger of the two for both" breaks="value" says="the larger one of the two"
def xavier_bound(m, k):
    return math.sqrt(3 / max(m, k))

# %% wrong="5.4.8" why="brackets: s² is added to m" breaks="known cases" says="σ is to be half as large"
def leaky_std(m, s):
    return math.sqrt(2 / (m + s ** 2))

# %% wrong="5.4.8" why="the root of m alone" breaks="known cases" says="together with m"
def leaky_std(m, s):
    return math.sqrt(1 / m) * 2 / (1 + s ** 2)

# %% wrong="5.4.D" why="the columns of W2" breaks="units" says="The columns of W2 were taken"
def permuted(W1, b1, W2, order):
    return W1[:, order], b1[order], W2.T[order].T

# %% wrong="5.4.D" why="exchanges, one after the other" breaks="units" says="old number 1 stands at place 0"
def permuted(W1, b1, W2, order):
    W1, b1, W2 = W1.clone(), b1.clone(), W2.clone()
    for i, j in enumerate(order):
        W1[:, [i, j]], b1[[i, j]], W2[[i, j]] = W1[:, [j, i]], b1[[j, i]], W2[[j, i]]
    return W1, b1, W2

# %% wrong="5.4.2a" why="gradients are clipped to norm 1" breaks="descent" says="neither fixed nor limited"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps):
        g = X.T @ (X @ w - y) / len(X)
        w = w - lr * g * min(1.0, 1.0 / g.norm().item())
    return w

# %% wrong="5.4.2a" why="the average of the weights on the way" breaks="descent" says="0.5 times as far"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    total = w.clone()
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        total += w
    return total / (steps + 1)

# %% wrong="5.4.2b" why="one maximum for the whole table" breaks="descent" says="its own largest score"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype)
    Y = F.one_hot(y, q).to(X.dtype)
    for _ in range(steps):
        S = X @ W
        E = torch.exp(S - S.max())
        P = E / E.sum(dim=1, keepdim=True)
        W = W - lr * X.T @ (P - Y) / len(X)
    return W

# %% wrong="5.4.2b" why="scores are cut before exp" breaks="descent" says="large scores that get lost"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype)
    for _ in range(steps):
        E = torch.exp((X @ W).clamp(-20, 20))
        P = E / E.sum(dim=1, keepdim=True)
        W = W - lr * X.T @ (P - F.one_hot(y, q)) / len(X)
    return W

# %% wrong="5.4.3a" why="low by the determinant" breaks="low" says="for two rows alone"
def product_bounds(Ws):
    high, det = 1.0, 1.0
    for W in Ws:
        high *= torch.linalg.matrix_norm(W, 2).item()
        det *= abs(torch.linalg.det(W).item())
    return det / high, high

# %% wrong="5.4.4a" why="one factor for all layers" breaks="unit size" says="multiplied by the same number"
def unit_scale(Ws, X, activation):
    H = X
    for W in Ws:
        Z = H @ W
        H = ACTIVATIONS[activation](Z)
    factor = rms(Z) ** (-1 / len(Ws))
    return [factor * W for W in Ws]

# %% wrong="5.4.7" why="twelve uniform draws added up" breaks="distribution" says="large entries are too rare"
def initial_weights(m, k, activation, distribution, seed):
    g = torch.Generator().manual_seed(seed)
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    if distribution == "normal":
        return std * (torch.rand(12, m, k, generator=g).sum(dim=0) - 6)
    return math.sqrt(3) * std * (2 * torch.rand(m, k, generator=g) - 1)

# %% wrong="5.4.6" why="measured on a draw" breaks="identity" says="measured on a random draw"
def predicted_rms(widths, stds, activation):
    g = torch.Generator().manual_seed(0)
    H, found = torch.randn(2000, widths[0], generator=g), []
    for m, k, std in zip(widths, widths[1:], stds):
        Z = H @ (std * torch.randn(m, k, generator=g))
        found.append(rms(Z))
        H = ACTIVATIONS[activation](Z)
    return found

# %% wrong="5.4.2a" why="the rate is limited to 1" breaks="descent" says="the steps with rate 1"
def regression_from(X, y, c, lr, steps):
    lr = min(lr, 1.0)
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="5.4.2a" why="every entry of the gradient is cut off" breaks="descent" says="neither cut off nor limited"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c), dtype=X.dtype)
    for _ in range(steps):
        g = X.T @ (X @ w - y) / len(X)
        w = w - lr * g.clamp(-1, 1)
    return w

# %% wrong="5.4.2b" why="nll_loss of the probabilities" breaks="descent" says="the logarithm is missing"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        g, = torch.autograd.grad(F.nll_loss(torch.softmax(X @ W, dim=1), y), W)
        W = (W - lr * g).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.3a" why="eigenvalues as of symmetric matrices" breaks="high" says="one half of a matrix"
def product_bounds(Ws):
    low = high = 1.0
    for W in Ws:
        e = torch.linalg.eigvalsh(W).abs()
        low, high = low * e.min().item(), high * e.max().item()
    return low, high

# %% wrong="5.4.5" why="n times the rms, as measure has it" breaks="size" says="n times the root mean square"
def gradient_sizes(Ws, X, C, activation):
    Ws = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in Ws:
        H = ACTIVATIONS[activation](H @ W)
    loss = (H * C).sum() / len(X)
    return [len(X) * rms(g) for g in torch.autograd.grad(loss, Ws)]

# %% wrong="5.4.5" why="by hand, without the own slope of each layer" breaks="size" says="the f' of its own layer"
def gradient_sizes(Ws, X, C, activation):
    f = ACTIVATIONS[activation]
    H, Hs, Zs = X, [X], []
    for W in Ws:
        Z = H @ W.detach()
        H = f(Z)
        Zs.append(Z)
        Hs.append(H)
    G = C / len(X)
    out = []
    for l in reversed(range(len(Ws))):
        out.insert(0, (Hs[l].T @ G).norm().item())
        z = Zs[l].clone().requires_grad_()
        slope = torch.autograd.grad(f(z).sum(), z)[0]
        G = (G * slope) @ Ws[l].detach().T
    return out

# %% wrong="5.4.B" why="sigma once under the root, and divided by d" breaks="value" says="yours is 2 times as large"
def output_std(X, sigma):
    return (X.square().sum(dim=1) * sigma).sqrt() / X.shape[1]

# %% wrong="5.4.C" why="the library's default" breaks="value" says="the default of nn.Linear"
def xavier_bound(m, k):
    return 1 / math.sqrt(m)

# %% wrong="5.4.C" why="half of m + k as a whole number" breaks="value" says="not cut to a whole number"
def xavier_bound(m, k):
    return math.sqrt(3 / ((m + k) // 2))

# %% wrong="5.4.8" why="multiplies by the factor of the bend" breaks="known cases" says="below the line, not above"
def leaky_std(m, s):
    return math.sqrt((1 + s ** 2) / (2 * m))

# %% wrong="5.4.2a" why="from 0, and c added at the end, as for softmax regression" breaks="descent" says="c is added at the end"
def regression_from(X, y, c, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w + c

# %% wrong="5.4.2b" why="one-hot rows with as many columns as the largest label wants" breaks="descent" says="so have the one-hot rows"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype)
    Y = F.one_hot(y).to(X.dtype)
    for _ in range(steps):
        P = torch.softmax(X @ W, dim=1)
        W = W - lr * X.T @ (P - Y) / len(X)
    return W

# %% wrong="5.4.2b" why="probabilities limited from below" breaks="descent" says="the second one leaves them where they are"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        P = torch.softmax(X @ W, dim=1).clamp(min=1e-7)
        loss = -torch.log(P[torch.arange(len(y)), y]).mean()
        g, = torch.autograd.grad(loss, W)
        W = (W - lr * g).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.5" why="backward() on the caller's matrices, so that a second call adds to .grad" breaks="size" says="where the gradient of the first call still is"
def gradient_sizes(Ws, X, C, activation):
    H = X
    for W in Ws:
        W.requires_grad_()
        H = ACTIVATIONS[activation](H @ W)
    ((H * C).sum() / len(X)).backward()
    return [W.grad.norm().item() for W in Ws]

# %% wrong="5.4.2a" why="weights of float32" breaks="start" says="different dtypes"
def regression_from(X, y, c, lr, steps):
    w = torch.full((X.shape[1],), float(c))
    for _ in range(steps):
        w = w - lr / len(X) * X.T @ (X @ w - y)
    return w

# %% wrong="5.4.2b" why="weights of float32" breaks="descent" says="different dtypes"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), float(c), requires_grad=True)
    for _ in range(steps):
        g, = torch.autograd.grad(F.cross_entropy(X @ W, y), W)
        W = (W - lr * g).detach().requires_grad_()
    return W.detach()

# %% right="5.4.2b" how="by hand, a column for each class"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.ones(X.shape[1], q, dtype=torch.float64) * c
    for _ in range(steps):
        S = X @ W
        E = torch.exp(S - S.max(dim=1, keepdim=True).values)
        P = E / E.sum(dim=1, keepdim=True)
        P[torch.arange(len(y)), y] -= 1
        W = W - lr * torch.stack([(X * P[:, j:j + 1]).mean(dim=0) for j in range(q)], dim=1)
    return W.float()

# %% wrong="5.4.4b" why="the norm of the weights is at least 1" breaks="step" says="also where this is below 1"
def layer_steps(Ws, gradients, lr):
    return [W - lr * max(W.norm().item(), 1.) / g.norm() * g if g.any() else W.clone() for W, g in zip(Ws, gradients)]

# %% wrong="5.4.3b" why="the size cut to a whole number" breaks="product" says="only zeros beside its diagonal"
def misleading_pair(size):
    return torch.tensor([[0., float(int(size))], [0., 0.]]), torch.tensor([[0., 0.], [1., 0.]])

# %% wrong="5.4.5" why="norms of the weights" breaks="size" says="norms of the matrices"
def gradient_sizes(Ws, X, C, activation):
    return [W.detach().norm().item() for W in Ws]

# %% wrong="5.4.7" why="mean and size corrected after the draw" breaks="distribution" says="The mean of each is 0"
def initial_weights(m, k, activation, distribution, seed):
    g = torch.Generator().manual_seed(seed)
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    W = torch.randn(m, k, generator=g) if distribution == "normal" else torch.rand(m, k, generator=g)
    W = W - W.mean()
    return W / W.square().mean().sqrt() * std

# %% wrong="5.4.7" why="four uniform draws added up" breaks="distribution" says="large entries are too rare"
def initial_weights(m, k, activation, distribution, seed):
    g = torch.Generator().manual_seed(seed)
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    if distribution == "normal":
        return std * (torch.rand(m, k, 4, generator=g) - 0.5).sum(dim=2) * math.sqrt(3)
    return std * math.sqrt(3) * (2 * torch.rand(m, k, generator=g) - 1)

# %% wrong="5.4.8" why="the square of the mean slope" breaks="known cases" says="their mean is not"
def leaky_std(m, s):
    return math.sqrt(4 / (m * (1 + s) ** 2)) if s != -1 else math.inf

# %% wrong="5.4.8" why="the root of 2 / m alone" breaks="known cases" says="belongs under it"
def leaky_std(m, s):
    return math.sqrt(2 / m) / (1 + s ** 2)

# %% wrong="5.4.2b" why="the logarithm of the softmax, which may be 0" breaks="descent" says="its logarithm is -inf"
def softmax_from(X, y, q, c, lr, steps):
    W = torch.full((X.shape[1], q), c, dtype=X.dtype, requires_grad=True)
    for _ in range(steps):
        P = torch.softmax(X @ W, dim=1)
        loss = -torch.log(P[torch.arange(len(y)), y]).mean()
        (g,) = torch.autograd.grad(loss, W)
        W = (W - lr * g).detach().requires_grad_()
    return W.detach()

# %% wrong="5.4.3a" why="the most extreme of all singular values" breaks="high" says="most extreme of all singular values"
def product_bounds(Ws):
    s = [torch.linalg.svdvals(W) for W in Ws]
    return min(v[-1].item() for v in s), max(v[0].item() for v in s)

# %% wrong="5.4.4b" why="the signs of the gradient" breaks="step" says="The signs of the gradient are not enough"
def layer_steps(Ws, gradients, lr):
    return [W - lr * W.norm() * g.sign() for W, g in zip(Ws, gradients)]
