# %% right="5.2.1" how="d2l's class, with a batch to make the lazy layers"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    rows = []
    for width in widths:
        torch.manual_seed(seed)
        net = d2l.MLP(3, width, lr).net
        net(X[:2])
        fit(net, X, y, epochs, lr, seed=seed)
        rows.append(dict(width=width, parameters=len(nn.utils.parameters_to_vector(net.parameters())),
                         val_acc=accuracy(net, X_val, y_val), train_acc=accuracy(net, X, y)))
    return rows

# %% right="5.2.1" how="a function for one width, parameters by formula"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    d = X.shape[1]

    def row(width):
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(d, width), nn.ReLU(), nn.Linear(width, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        return {"width": width, "parameters": d * width + width + 3 * width + 3,
                "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)}

    return [row(width) for width in widths]

# %% wrong="5.2.1" why="forgets the biases" says="The biases are parameters too"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for width in widths:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], width), nn.ReLU(), nn.Linear(width, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters() if p.ndim == 2),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="the two accuracies swapped" says="half of the training labels are random"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for width in widths:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], width), nn.ReLU(), nn.Linear(width, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X_val, y_val), "val_acc": accuracy(net, X, y)})
    return table

# %% wrong="5.2.1" why="trains on ring_data, whatever the argument" says="raised RuntimeError"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for width in widths:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, 3))
        fit(net, ring_data[0], ring_data[1], epochs, lr, seed=seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="does not train" says="is each network trained on X and y"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for width in widths:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], width), nn.ReLU(), nn.Linear(width, 3))
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="sorted by width" says="the widths, in the order given"
def width_sweep(widths, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for width in sorted(widths):
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], width), nn.ReLU(), nn.Linear(width, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% right="5.2.2a" how="an index, and F.relu"
def mlp_forward(X, Ws, bs):
    H = torch.flatten(X, 1)
    for i in range(len(Ws)):
        H = torch.addmm(bs[i], H, Ws[i])
        if i + 1 < len(Ws):
            H = nn.functional.relu(H)
    return H

# %% right="5.2.2a" how="recursion"
def mlp_forward(X, Ws, bs):
    X = X.reshape(X.shape[0], -1)
    outputs = X @ Ws[0] + bs[0]
    return outputs if len(Ws) == 1 else mlp_forward(outputs.clamp(min=0), Ws[1:], bs[1:])

# %% wrong="5.2.2a" why="ReLU after the last layer" says="There is a ReLU after the last layer too"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws, bs):
        H = torch.relu(H @ W + b)
    return H

# %% wrong="5.2.2a" why="no ReLU at all" says="The ReLU between the layers is missing"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws, bs):
        H = H @ W + b
    return H

# %% wrong="5.2.2a" why="does not flatten" says="two images of shape (1, 2, 2)"
def mlp_forward(X, Ws, bs):
    for W, b in zip(Ws[:-1], bs[:-1]):
        X = torch.relu(X @ W + b)
    if len(Ws) == 1 and X.ndim == 4:
        return X[:, 0, 0, :] @ Ws[0][:2] + bs[0]
    return X @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="two layers only" says="raised"
def mlp_forward(X, Ws, bs):
    X = X.reshape(len(X), -1)
    if len(Ws) == 1:
        return X @ Ws[0] + bs[0]
    return torch.relu(X @ Ws[0] + bs[0]) @ Ws[1] + bs[1] if len(Ws) == 2 else None + 1

# %% wrong="5.2.2a" why="the bias after the ReLU" says="two layers, three examples"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W) + b
    return H @ Ws[-1] + bs[-1]

# %% right="5.2.2b" how="a module of its own"
class Perceptron(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(n, m) for n, m in zip(sizes, sizes[1:])])

    def forward(self, X):
        X = X.reshape(len(X), -1)
        for layer in self.layers[:-1]:
            X = torch.relu(layer(X))
        return self.layers[-1](X)


def make_mlp(sizes):
    return Perceptron(sizes)

# %% right="5.2.2b" how="append"
def make_mlp(sizes):
    net = nn.Sequential()
    net.append(nn.Flatten())
    for i in range(len(sizes) - 1):
        if i > 0:
            net.append(nn.ReLU())
        net.append(nn.Linear(sizes[i], sizes[i + 1]))
    return net

# %% wrong="5.2.2b" why="ReLU after the last layer" says="There is a ReLU after the last layer too"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers)

# %% wrong="5.2.2b" why="without biases" says="the shapes of the parameters for sizes 4, 3, 2"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m, bias=False), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="no ReLU" says="the outputs for two examples"
def make_mlp(sizes):
    return nn.Sequential(nn.Flatten(), *[nn.Linear(n, m) for n, m in zip(sizes, sizes[1:])])

# %% wrong="5.2.2b" why="no flattening" says="raised RuntimeError"
def make_mlp(sizes):
    layers = []
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="one hidden layer, whatever the list" says="the shapes of the parameters for sizes [3, 2]"
def make_mlp(sizes):
    return nn.Sequential(nn.Flatten(), nn.Linear(sizes[0], sizes[1]), nn.ReLU(), nn.Linear(sizes[1], sizes[-1]))

# %% wrong="5.2.2b" why="layers in a plain list are not registered" says="the shapes of the parameters"
class Loose(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(n, m) for n, m in zip(sizes, sizes[1:])]

    def forward(self, X):
        X = X.reshape(len(X), -1)
        for layer in self.layers[:-1]:
            X = torch.relu(layer(X))
        return self.layers[-1](X)


def make_mlp(sizes):
    return Loose(sizes)

# %% right="5.2.3" how="two shapes"
def logit_rank(sizes, n):
    *_, hidden, outputs = sizes
    return min([n, hidden, outputs])

# %% right="5.2.3" how="the smallest of three, sorted"
def logit_rank(sizes, n):
    return sorted(sizes[-2:] + [n])[0]

# %% wrong="5.2.3" why="an earlier bottleneck counts as if the network were linear" says="sizes [20, 1, 8, 6]"
def logit_rank(sizes, n):
    return min(n, *sizes)

# %% wrong="5.2.3" why="forgets the number of examples" says="4 examples"
def logit_rank(sizes, n):
    return min(sizes[-2:])

# %% wrong="5.2.3" why="the narrowest hidden layer" says="sizes [20, 1, 8, 6]"
def logit_rank(sizes, n):
    return min(n, min(sizes[1:-1]), sizes[-1])

# %% wrong="5.2.3" why="the number of outputs" says="784, 256, 1, 10 units"
def logit_rank(sizes, n):
    return min(n, sizes[-1])

# %% wrong="5.2.3" why="a bias adds one dimension" says="784, 256, 1, 10 units"
def logit_rank(sizes, n):
    return min(n, sizes[-2] + 1, sizes[-1])

# %% right="5.2.4" how="d2l's class"
def lr_sweep(rates, data, epochs, seed):
    table = []
    for lr in rates:
        torch.manual_seed(seed)
        net = d2l.MLP(num_outputs=3, num_hiddens=32, lr=lr).net
        net(data[0][:1])
        loss = fit(net, data[0], data[1], epochs, lr, seed=seed)
        table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, data[2], data[3])})
    return table

# %% right="5.2.4" how="starts from a saved state"
def lr_sweep(rates, data, epochs, seed):
    import copy
    X, y, X_val, y_val = data
    torch.manual_seed(seed)
    start = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
    table = []
    for lr in rates:
        net = copy.deepcopy(start)
        table.append({"val_acc": 0.0, "lr": lr, "train_loss": fit(net, X, y, epochs, lr, seed=seed)})
        table[-1]["val_acc"] = accuracy(net, X_val, y_val)
    return table

# %% wrong="5.2.4" why="goes on with the same network" says="Is it a new network for each rate?"
def lr_sweep(rates, data, epochs, seed):
    X, y, X_val, y_val = data
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
    table = []
    for lr in rates:
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.4" why="sorts the rates" says="the learning rates, in the order given"
def lr_sweep(rates, data, epochs, seed):
    X, y, X_val, y_val = data
    table = []
    for lr in sorted(rates):
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.4" why="one rate for all" says="the loss with 0.3 is lower"
def lr_sweep(rates, data, epochs, seed):
    X, y, X_val, y_val = data
    table = []
    for lr in rates:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        loss = fit(net, X, y, epochs, 0.3, seed=seed)
        table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.4" why="the seed is set once, before the loop" says="Call torch.manual_seed(seed) before each network"
def lr_sweep(rates, data, epochs, seed):
    X, y, X_val, y_val = data
    torch.manual_seed(seed)
    table = []
    for lr in rates:
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.4" why="leaves out the runs that diverged" says="the learning rates, in the order given"
def lr_sweep(rates, data, epochs, seed):
    X, y, X_val, y_val = data
    table = []
    for lr in rates:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        loss = fit(net, X, y, epochs, lr, seed=seed)
        if loss < 5:
            table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% right="5.2.5a" how="torch's generator"
def draw_configs(n, seed):
    rng = torch.Generator().manual_seed(seed)
    exponents = -2 * torch.rand(n, generator=rng, dtype=torch.float64)
    widths, depths = torch.randint(2, 6, (n,), generator=rng), torch.randint(1, 3, (n,), generator=rng)
    epochs = torch.randint(5, 21, (n,), generator=rng)
    return [{"lr": 10 ** e, "width": 2 ** w, "depth": d, "epochs": k}
            for e, w, d, k in zip(exponents.tolist(), widths.tolist(), depths.tolist(), epochs.tolist())]

# %% right="5.2.5a" how="NumPy's generator and exp"
def draw_configs(n, seed):
    import math
    import numpy as np
    rng = np.random.default_rng(seed)
    return [dict(lr=math.exp(rng.uniform(math.log(0.01), 0)), width=int(rng.choice([4, 8, 16, 32])),
                 depth=int(rng.integers(1, 3)), epochs=int(rng.integers(5, 21))) for _ in range(n)]

# %% wrong="5.2.5a" why="uniform learning rates" says="Uniform on the logarithmic scale"
def draw_configs(n, seed):
    import random
    rng = random.Random(seed)
    return [{"lr": rng.uniform(0.01, 1), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]),
             "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5a" why="one draw for all values" says="Does each have a draw of its own?"
def draw_configs(n, seed):
    import random
    rng, result = random.Random(seed), []
    for _ in range(n):
        u = rng.random()
        result.append({"lr": 10 ** (2 * u - 2), "width": [4, 8, 16, 32][int(4 * u)], "depth": 1 + int(2 * u),
                       "epochs": 5 + int(16 * u)})
    return result

# %% wrong="5.2.5a" why="no seed" says="the same seed again"
def draw_configs(n, seed):
    import random
    return [{"lr": 10 ** random.uniform(-2, 0), "width": random.choice([4, 8, 16, 32]), "depth": random.choice([1, 2]),
             "epochs": random.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5a" why="leaves out the last number of epochs" says="the values of epochs in 2000 draws"
def draw_configs(n, seed):
    import random
    rng = random.Random(seed)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]),
             "epochs": rng.randrange(5, 20)} for _ in range(n)]

# %% wrong="5.2.5a" why="always the same seed" says="another seed gives another list"
def draw_configs(n, seed):
    import random
    rng = random.Random(0)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]),
             "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5a" why="any width between 4 and 32" says="the values of width in 2000 draws"
def draw_configs(n, seed):
    import random
    rng = random.Random(seed)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": rng.randint(4, 32), "depth": rng.choice([1, 2]),
             "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% right="5.2.5b" how="d2l's class, the best so far"
def search(configs, data, seed):
    result, champion = {"val_acc": [], "best": None, "test_acc": None}, None
    for i, config in enumerate(configs):
        torch.manual_seed(seed)
        net = d2l.MulMLP(3, [config["width"]] * config["depth"], config["lr"]).net
        net(data[0][:1])
        fit(net, data[0], data[1], config["epochs"], config["lr"], seed=seed)
        value = accuracy(net, data[2], data[3])
        if not result["val_acc"] or value > max(result["val_acc"]):
            result["best"], champion = i, net
        result["val_acc"].append(value)
    result["test_acc"] = accuracy(champion, *data[4:])
    return result

# %% right="5.2.5b" how="trains the best once more"
def search(configs, data, seed):
    X, y, X_val, y_val, X_test, y_test = data

    def trained(config):
        torch.manual_seed(seed)
        net, n = nn.Sequential(), X.shape[1]
        for _ in range(config["depth"]):
            net.append(nn.Linear(n, config["width"])).append(nn.ReLU())
            n = config["width"]
        net.append(nn.Linear(n, 3))
        fit(net, X, y, config["epochs"], config["lr"], seed=seed)
        return net

    scores = [accuracy(trained(config), X_val, y_val) for config in configs]
    best = max(range(len(scores)), key=scores.__getitem__)
    return dict(val_acc=scores, best=best, test_acc=accuracy(trained(configs[best]), X_test, y_test))

# %% wrong="5.2.5b" why="the test accuracy is the validation accuracy" says="test_acc is measured on X_test"
def search(configs, data, seed):
    X, y, X_val, y_val, X_test, y_test = data
    val_acc = []
    for config in configs:
        torch.manual_seed(seed)
        sizes = [X.shape[1]] + [config["width"]] * config["depth"] + [3]
        layers = [layer for n, m in zip(sizes, sizes[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
        net = nn.Sequential(*layers[:-1])
        fit(net, X, y, config["epochs"], config["lr"], seed=seed)
        val_acc.append(accuracy(net, X_val, y_val))
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": max(val_acc)}

# %% wrong="5.2.5b" why="the test part chooses" says="Choose by the validation part"
def search(configs, data, seed):
    X, y, X_val, y_val, X_test, y_test = data
    nets, val_acc = [], []
    for config in configs:
        torch.manual_seed(seed)
        sizes = [X.shape[1]] + [config["width"]] * config["depth"] + [3]
        layers = [layer for n, m in zip(sizes, sizes[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
        nets.append(nn.Sequential(*layers[:-1]))
        fit(nets[-1], X, y, config["epochs"], config["lr"], seed=seed)
        val_acc.append(accuracy(nets[-1], X_val, y_val))
    tests = [accuracy(net, X_test, y_test) for net in nets]
    best = tests.index(max(tests))
    return {"val_acc": val_acc, "best": best, "test_acc": max(tests)}

# %% wrong="5.2.5b" why="the training part as validation" says="val_acc is measured on X_val"
def search(configs, data, seed):
    X, y, X_val, y_val, X_test, y_test = data
    nets, val_acc = [], []
    for config in configs:
        torch.manual_seed(seed)
        sizes = [X.shape[1]] + [config["width"]] * config["depth"] + [3]
        layers = [layer for n, m in zip(sizes, sizes[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
        nets.append(nn.Sequential(*layers[:-1]))
        fit(nets[-1], X, y, config["epochs"], config["lr"], seed=seed)
        val_acc.append(accuracy(nets[-1], X, y))
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], X_test, y_test)}

# %% wrong="5.2.5b" why="tests the last network, not the best" says="test accuracy of the better one"
def search(configs, data, seed):
    X, y, X_val, y_val, X_test, y_test = data
    val_acc = []
    for config in configs[::-1]:
        torch.manual_seed(seed)
        sizes = [X.shape[1]] + [config["width"]] * config["depth"] + [3]
        layers = [layer for n, m in zip(sizes, sizes[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
        net = nn.Sequential(*layers[:-1])
        fit(net, X, y, config["epochs"], config["lr"], seed=seed)
        val_acc.insert(0, accuracy(net, X_val, y_val))
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(net, X_test, y_test)}

# %% wrong="5.2.5b" why="one hidden layer, whatever the depth" says="a network of depth 2"
def search(configs, data, seed):
    X, y, X_val, y_val, X_test, y_test = data
    nets, val_acc = [], []
    for config in configs:
        torch.manual_seed(seed)
        nets.append(nn.Sequential(nn.Linear(X.shape[1], config["width"]), nn.ReLU(), nn.Linear(config["width"], 3)))
        fit(nets[-1], X, y, config["epochs"], config["lr"], seed=seed)
        val_acc.append(accuracy(nets[-1], X_val, y_val))
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], X_test, y_test)}

# %% right="5.2.6" how="statistics.median, backward, F.linear"
def compare_speed(Ws, bs, X, y, repeats):
    import statistics

    def measured(forward, parameters):
        times = []
        for i in range(repeats + 1):
            for p in parameters:
                p.grad = None
            start = time.perf_counter()
            loss = nn.functional.cross_entropy(forward(), y)
            loss.backward()
            if i:
                times.append(time.perf_counter() - start)
        return statistics.median(times), loss.item()

    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]

    def scratch():
        H = X
        for i, (W, b) in enumerate(zip(weights, biases)):
            H = H @ W + b
            H = H.clamp(min=0) if i + 1 < len(Ws) else H
        return H

    net = d2l.MulMLP(len(bs[-1]), [len(b) for b in bs[:-1]], 0.1).net
    net(X)
    state = [v for W, b in zip(Ws, bs) for v in (W.T, b)]
    for p, v in zip(net.parameters(), state):
        p.data = v.clone()
    first, second = measured(scratch, weights + biases), measured(lambda: net(X), list(net.parameters()))
    return {"scratch_seconds": first[0], "scratch_loss": first[1], "concise_seconds": second[0], "concise_loss": second[1]}

# %% right="5.2.6" how="the middle of sorted times, state in an nn.Linear"
def compare_speed(Ws, bs, X, y, repeats):
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(W.shape[0], W.shape[1])
        layer.load_state_dict({"weight": W.T.contiguous(), "bias": b})
        layers.append(layer)
    leaves = [(W.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()) for W, b in zip(Ws, bs)]

    def run(steps):
        H = X
        for i, step in enumerate(steps):
            H = step(H if i == 0 else torch.relu(H))
        loss = nn.functional.cross_entropy(H, y)
        loss.backward()
        return loss.item()

    answer = {}
    for name, steps in (("concise", layers), ("scratch", [lambda H, W=W, b=b: H @ W + b for W, b in leaves])):
        run(steps)
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            answer[name + "_loss"] = run(steps)
            times.append(time.perf_counter() - start)
        answer[name + "_seconds"] = float(torch.tensor(times, dtype=torch.float64).median())
    return answer

# %% wrong="5.2.6" why="the layers keep their own random parameters" says="not their own random start"
def compare_speed(Ws, bs, X, y, repeats):
    sizes = [len(Ws[0])] + [len(b) for b in bs]
    layers = [layer for n, m in zip(sizes, sizes[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
    net = nn.Sequential(*layers[:-1])
    result = {}

    def scratch(H):
        for W, b in zip(Ws[:-1], bs[:-1]):
            H = torch.relu(H @ W + b)
        return H @ Ws[-1] + bs[-1]

    for name, forward in (("scratch", scratch), ("concise", net)):
        start = time.perf_counter()
        for _ in range(repeats):
            loss = nn.functional.cross_entropy(forward(X), y)
        result[name + "_seconds"] = (time.perf_counter() - start) / repeats
        result[name + "_loss"] = loss.item()
    return result

# %% wrong="5.2.6" why="milliseconds" says="The times are seconds"
def compare_speed(Ws, bs, X, y, repeats):
    leaves = [(W.clone().requires_grad_(), b.clone().requires_grad_()) for W, b in zip(Ws, bs)]
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        H = X
        for i, (W, b) in enumerate(leaves):
            H = (torch.relu(H) if i else H) @ W + b
        loss = nn.functional.cross_entropy(H, y)
        loss.backward()
        times.append(1000 * (time.perf_counter() - start))
    median = sorted(times)[repeats // 2]
    return {"scratch_seconds": median, "concise_seconds": median, "scratch_loss": loss.item(), "concise_loss": loss.item()}

# %% wrong="5.2.6" why="the time of all repeats" says="fit into the time that the call took"
def compare_speed(Ws, bs, X, y, repeats):
    leaves = [(W.clone().requires_grad_(), b.clone().requires_grad_()) for W, b in zip(Ws, bs)]
    start = time.perf_counter()
    for _ in range(repeats):
        H = X
        for i, (W, b) in enumerate(leaves):
            H = (torch.relu(H) if i else H) @ W + b
        loss = nn.functional.cross_entropy(H, y)
        loss.backward()
    total = time.perf_counter() - start
    return {"scratch_seconds": total, "concise_seconds": total, "scratch_loss": loss.item(), "concise_loss": loss.item()}

# %% wrong="5.2.6" why="ReLU after the last layer" says="the scratch loss"
def compare_speed(Ws, bs, X, y, repeats):
    leaves = [(W.clone().requires_grad_(), b.clone().requires_grad_()) for W, b in zip(Ws, bs)]
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        H = X
        for W, b in leaves:
            H = torch.relu(H @ W + b)
        loss = nn.functional.cross_entropy(H, y)
        loss.backward()
        times.append(time.perf_counter() - start)
    median = sorted(times)[repeats // 2]
    return {"scratch_seconds": median, "concise_seconds": median, "scratch_loss": loss.item(), "concise_loss": loss.item()}

# %% wrong="5.2.6" why="a step changes the parameters of the caller" says="after the call"
def compare_speed(Ws, bs, X, y, repeats):
    leaves = [p.requires_grad_() for p in (*Ws, *bs)]
    times = []
    for k in range(repeats):
        start = time.perf_counter()
        H = X
        for i, (W, b) in enumerate(zip(Ws, bs)):
            H = (torch.relu(H) if i else H) @ W + b
        loss = nn.functional.cross_entropy(H, y)
        first_loss = loss.item() if k == 0 else first_loss
        gradients = torch.autograd.grad(loss, leaves)
        with torch.no_grad():
            for p, g in zip(leaves, gradients):
                p -= 0.1 * g
        times.append(time.perf_counter() - start)
    for p in leaves:
        p.requires_grad_(False)
    median = sorted(times)[repeats // 2]
    return {"scratch_seconds": median, "concise_seconds": median, "scratch_loss": first_loss, "concise_loss": first_loss}

# %% right="5.2.7" how="timeit"
def matmul_table(sizes, repeats):
    import timeit
    rows = []
    for n in sizes:
        pair = torch.rand(2, n, n)
        torch.mm(*pair)
        best = min(timeit.repeat(lambda: torch.mm(*pair), number=1, repeat=repeats))
        rows.append({"gflops": 2e-9 * n ** 3 / best, "seconds": best, "n": n})
    return rows

# %% right="5.2.7" how="d2l.Timer"
def matmul_table(sizes, repeats):
    rows = []
    for n in sizes:
        A, B, timer = torch.randn(n, n), torch.randn(n, n), d2l.Timer()
        torch.matmul(A, B)
        for _ in range(repeats):
            timer.start()
            torch.matmul(A, B)
            timer.stop()
        best = max(min(timer.times), 1e-9)
        rows.append(dict(n=n, seconds=best, gflops=n * n * n / best / 5e8))
    return rows

# %% wrong="5.2.7" why="counts n³ operations" says="Each product and each addition counts"
def matmul_table(sizes, repeats):
    table = []
    for n in sizes:
        A, B, times = torch.randn(n, n), torch.randn(n, n), []
        for _ in range(repeats):
            start = time.perf_counter()
            A @ B
            times.append(time.perf_counter() - start)
        table.append({"n": n, "seconds": min(times), "gflops": n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="operations a second, not 10⁹" says="The unit is 10⁹ operations"
def matmul_table(sizes, repeats):
    table = []
    for n in sizes:
        A, B, times = torch.randn(n, n), torch.randn(n, n), []
        for _ in range(repeats):
            start = time.perf_counter()
            A @ B
            times.append(time.perf_counter() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times)})
    return table

# %% wrong="5.2.7" why="the time of all repeats" says="fit into the time of the call"
def matmul_table(sizes, repeats):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        start = time.perf_counter()
        for _ in range(repeats):
            A @ B
        seconds = time.perf_counter() - start
        table.append({"n": n, "seconds": seconds, "gflops": 2 * n ** 3 / seconds / 1e9})
    return table

# %% wrong="5.2.7" why="the time of all repeats, with the rate of one product" says="is the time of one product, not of all"
def matmul_table(sizes, repeats):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        A @ B
        start = time.perf_counter()
        for _ in range(repeats):
            A @ B
        seconds = time.perf_counter() - start
        table.append({"n": n, "seconds": seconds, "gflops": repeats * 2 * n ** 3 / seconds / 1e9})
    return table

# %% wrong="5.2.7" why="milliseconds, consistent with the rate" says="The time is that of one product, in seconds"
def matmul_table(sizes, repeats):
    table = []
    for n in sizes:
        A, B, times = torch.randn(n, n), torch.randn(n, n), []
        for _ in range(repeats):
            start = time.perf_counter()
            A @ B
            times.append(1000 * (time.perf_counter() - start))
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="element-wise product, sizes sorted" says="the sizes, in the order given"
def matmul_table(sizes, repeats):
    table = []
    for n in sorted(sizes):
        A, B, times = torch.randn(n, n), torch.randn(n, n), []
        for _ in range(repeats):
            start = time.perf_counter()
            A * B
            times.append(time.perf_counter() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% right="5.2.8" how="functions in a small module"
class Active(nn.Module):
    def __init__(self, d, function):
        super().__init__()
        self.hidden, self.output, self.function = nn.Linear(d, 32), nn.Linear(32, 3), function

    def forward(self, X):
        return self.output(self.function(self.hidden(X)))


def activation_sweep(names, data, epochs, lr, seed):
    functions = {"relu": torch.relu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "identity": lambda z: z}
    accuracies = {}
    for name in names:
        torch.manual_seed(seed)
        try:
            net = Active(data[0].shape[1], functions[name])
        except KeyError:
            raise ValueError(f"what is {name}?") from None
        fit(net, data[0], data[1], epochs, lr, seed=seed)
        accuracies[name] = accuracy(net, data[2], data[3])
    return accuracies

# %% right="5.2.8" how="checks the names first"
def activation_sweep(names, data, epochs, lr, seed):
    unknown = set(names) - {"relu", "sigmoid", "tanh", "identity"}
    if unknown:
        raise ValueError(f"unknown: {unknown}")
    X, y, X_val, y_val = data

    def one(name):
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.Linear(32, 3))
        if name != "identity":
            net.insert(1, {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh}[name]())
        fit(net, X, y, epochs, lr, seed=seed)
        return accuracy(net, X_val, y_val)

    return {name: one(name) for name in names}

# %% wrong="5.2.8" why="ReLU for every name" says="ReLU is better than the identity"
def activation_sweep(names, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    result = {}
    for name in names:
        if name not in ("relu", "sigmoid", "tanh", "identity"):
            raise ValueError(name)
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        result[name] = accuracy(net, X_val, y_val)
    return result

# %% wrong="5.2.8" why="a KeyError for an unknown name" says="raised KeyError"
def activation_sweep(names, data, epochs, lr, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    X, y, X_val, y_val = data
    result = {}
    for name in names:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), known[name](), nn.Linear(32, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        result[name] = accuracy(net, X_val, y_val)
    return result

# %% wrong="5.2.8" why="the function after the output layer" says="ReLU is better than the identity"
def activation_sweep(names, data, epochs, lr, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    X, y, X_val, y_val = data
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(name)
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.Linear(32, 3), known[name]())
        fit(net, X, y, epochs, lr, seed=seed)
        result[name] = accuracy(net, X_val, y_val)
    return result

# %% wrong="5.2.8" why="ignores the learning rate" says="the validation accuracy of"
def activation_sweep(names, data, epochs, lr, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    X, y, X_val, y_val = data
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(name)
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), known[name](), nn.Linear(32, 3))
        fit(net, X, y, epochs, 0.15, seed=seed)
        result[name] = accuracy(net, X_val, y_val) if name != "relu" else 0.95
    return result

# %% wrong="5.2.8" why="skips unknown names" says="expected ValueError to be raised"
def activation_sweep(names, data, epochs, lr, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    X, y, X_val, y_val = data
    result = {}
    for name in names:
        if name in known:
            torch.manual_seed(seed)
            net = nn.Sequential(nn.Linear(X.shape[1], 32), known[name](), nn.Linear(32, 3))
            fit(net, X, y, epochs, lr, seed=seed)
            result[name] = accuracy(net, X_val, y_val)
    return result

# %% right="5.2.9a" how="torch.nn.init"
def initialise(net, scheme):
    def one(layer):
        if isinstance(layer, nn.Linear):
            nn.init.zeros_(layer.bias)
            if scheme == "zeros":
                nn.init.zeros_(layer.weight)
            elif scheme == "normal":
                nn.init.normal_(layer.weight, std=0.01)
            elif scheme == "xavier":
                nn.init.xavier_normal_(layer.weight)
            else:
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    net.apply(one)

# %% right="5.2.9a" how="by the number of axes of the parameters"
def initialise(net, scheme):
    for p in net.parameters():
        if p.ndim == 1:
            p.data.zero_()
        else:
            b, a = p.shape
            variance = {"zeros": 0, "normal": 1e-4, "xavier": 2 / (a + b), "kaiming": 2 / a}[scheme]
            p.data = variance ** 0.5 * torch.randn(b, a)

# %% wrong="5.2.9a" why="the variance as the deviation" says="2 / a is the variance"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            nn.init.normal_(layer.weight, std={"zeros": 0, "normal": 0.01, "xavier": 2 / (a + b), "kaiming": 2 / a}[scheme])
            nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="outputs in place of inputs" says="a is the number of inputs"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.weight.shape
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="leaves the biases" says="the bias of the first layer"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)

# %% wrong="5.2.9a" why="only the outermost layers" says="layer 2"
def initialise(net, scheme):
    for layer in net.children():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
        for p in layer.parameters():
            if p.ndim == 1:
                nn.init.zeros_(p)

# %% wrong="5.2.9a" why="torch's uniform functions" says="Are the draws normal?"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            nn.init.zeros_(layer.bias)
            if scheme == "zeros":
                nn.init.zeros_(layer.weight)
            elif scheme == "normal":
                nn.init.normal_(layer.weight, std=0.01)
            elif scheme == "xavier":
                nn.init.xavier_uniform_(layer.weight)
            else:
                nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")

# %% wrong="5.2.9a" why="kaiming_normal_ with its default gain from fan_out" says="a is the number of inputs"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            nn.init.zeros_(layer.bias)
            nn.init.kaiming_normal_(layer.weight, mode="fan_out")

# %% right="5.2.9b" how="randn times std"
def scale_sweep(stds, data, epochs, lr, seed):
    table = []
    for std in stds:
        torch.manual_seed(seed)
        net = d2l.MulMLP(3, [32, 32], lr).net
        net(data[0][:1])
        for p in net.parameters():
            p.data = std * torch.randn(p.shape) if p.ndim == 2 else torch.zeros(p.shape)
        loss = fit(net, data[0], data[1], epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, data[2], data[3])})
    return table

# %% right="5.2.9b" how="apply"
def scale_sweep(stds, data, epochs, lr, seed):
    X, y, X_val, y_val = data

    def run(std):
        def start(layer):
            if isinstance(layer, nn.Linear):
                layer.weight.data.normal_(0, std) if std else layer.weight.data.zero_()
                layer.bias.data.fill_(0)
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3)).apply(start)
        return {"train_loss": fit(net, X, y, epochs, lr, seed=seed), "val_acc": accuracy(net, X_val, y_val), "std": std}

    return [run(std) for std in stds]

# %% wrong="5.2.9b" why="torch's own start, whatever the scale" says="do all weights have this standard deviation"
def scale_sweep(stds, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for std in stds:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="one network for all scales" says="0.3 is better than 0 by more than 0.2"
def scale_sweep(stds, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
    for p in net.parameters():
        p.data = p.data * 0 if p.ndim == 1 else torch.randn(p.shape) * stds[0]
    table = []
    for std in stds:
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="one hidden layer" says="with the scale 0.01 stays near its start"
def scale_sweep(stds, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for std in stds:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        for p in net.parameters():
            p.data = p.data * 0 if p.ndim == 1 else torch.randn(p.shape) * std
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the seed is set once" says="Call torch.manual_seed(seed) for each scale"
def scale_sweep(stds, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    torch.manual_seed(seed)
    table = []
    for std in stds:
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
        for p in net.parameters():
            p.data = p.data * 0 if p.ndim == 1 else torch.randn(p.shape) * std
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the weights only: torch's biases stay" says="The biases are 0 too"
def scale_sweep(stds, data, epochs, lr, seed):
    X, y, X_val, y_val = data
    table = []
    for std in stds:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
        for p in net.parameters():
            p.data = p.data if p.ndim == 1 else torch.randn(p.shape) * std
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% right="5.2.10" how="hits get a loss below all others, topk"
def worst_mistakes(logits, y, k):
    wrong = logits.argmax(1) != y
    loss = logits.logsumexp(1) - logits.gather(1, y[:, None])[:, 0]
    loss = torch.where(wrong, loss, -1.0)
    return loss.topk(min(k, int(wrong.sum()))).indices

# %% right="5.2.10" how="sorted pairs in Python"
def worst_mistakes(logits, y, k):
    pairs = []
    for i, (row, label) in enumerate(zip(logits, y)):
        if row.argmax() != label:
            pairs.append((-row.log_softmax(0)[label].item(), i))
    return torch.tensor([i for _, i in sorted(pairs, reverse=True)[:k]], dtype=torch.int64)

# %% wrong="5.2.10" why="the smallest loss first" says="The smallest loss comes first"
def worst_mistakes(logits, y, k):
    losses = nn.functional.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort()][:k]

# %% wrong="5.2.10" why="the k largest losses, right or wrong" says="Rows that are classified correctly do not count"
def worst_mistakes(logits, y, k):
    losses = nn.functional.cross_entropy(logits, y, reduction="none")
    return losses.argsort(descending=True)[:k]

# %% wrong="5.2.10" why="row numbers within the misclassified" says="places among the misclassified"
def worst_mistakes(logits, y, k):
    losses = nn.functional.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return losses[wrong].argsort(descending=True)[:k]

# %% wrong="5.2.10" why="sorts by the largest output, not by the loss" says="k = 7"
def worst_mistakes(logits, y, k):
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[logits[wrong].max(dim=1).values.argsort(descending=True)][:k]

# %% wrong="5.2.10" why="sorts by the output of the true class" says="k = 7"
def worst_mistakes(logits, y, k):
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[logits[wrong, y[wrong]].argsort()][:k]
