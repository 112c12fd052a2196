# %% right="5.2.A" how="a loop"
def count_parameters(sizes):
    total_, a = 0, sizes[0]
    for b in sizes[1:]:
        total_ += a * b + b
        a = b
    return total_

# %% right="5.2.A" how="makes the network"
def count_parameters(sizes):
    net = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
    return sum(p.numel() for p in net.parameters())

# %% wrong="5.2.A" why="no biases" breaks="one hidden layer" says="The biases are parameters, too"
def count_parameters(sizes):
    return sum(a * b for a, b in zip(sizes, sizes[1:]))

# %% wrong="5.2.A" why="a bias for each input" breaks="one hidden layer" says="one for each of its outputs"
def count_parameters(sizes):
    return sum(a * (b + 1) for a, b in zip(sizes, sizes[1:]))

# %% wrong="5.2.A" why="two layers only" breaks="any depth" says="count_parameters([6, 5, 4, 3, 2])"
def count_parameters(sizes):
    if len(sizes) == 2:
        return (sizes[0] + 1) * sizes[1]
    a, b, *_, c = sizes
    return (a + 1) * b + (b + 1) * c

# %% wrong="5.2.A" why="fails without a hidden layer" breaks="any depth" says="count_parameters([7, 5])"
def count_parameters(sizes):
    if len(sizes) == 2:
        return sizes[0] * sizes[1]
    return sum((a + 1) * b for a, b in zip(sizes, sizes[1:]))

# %% wrong="5.2.A" why="a float" breaks="whole number" says="count_parameters([4, 3, 2])"
def count_parameters(sizes):
    return 1.0 * sum((a + 1) * b for a, b in zip(sizes, sizes[1:]))

# %% wrong="5.2.A" why="a tensor" breaks="whole number" says="count_parameters([4, 3, 2])"
def count_parameters(sizes):
    t = torch.tensor(sizes)
    return ((t[:-1] + 1) * t[1:]).sum()

# %% wrong="5.2.A" why="the example learnt by heart" breaks="one hidden layer" says="count_parameters([4, 3, 2])"
def count_parameters(sizes):
    return 203530

# %% right="5.2.B" how="a set of tuples"
def different_units(W1, b1):
    return len({(tuple(c), b) for c, b in zip(W1.T.tolist(), b1.tolist())})

# %% right="5.2.B" how="rows of the transpose"
def different_units(W1, b1):
    return len(torch.unique(torch.hstack([W1.T, b1.reshape(-1, 1)]), dim=0))

# %% wrong="5.2.B" why="without the biases" breaks="biases" says="equal columns with different biases are different units"
def different_units(W1, b1):
    return W1.unique(dim=1).shape[1]

# %% wrong="5.2.B" why="rows for columns" breaks="units are columns" says="The units are the columns of W1"
def different_units(W1, b1):
    return len(W1.unique(dim=0))

# %% wrong="5.2.B" why="counts all" breaks="units are columns" says="This is the number of all units"
def different_units(W1, b1):
    return torch.cat([W1, b1[None, :]]).shape[1]

# %% wrong="5.2.B" why="only the biases" breaks="biases" says="biases alone"
def different_units(W1, b1):
    return len(b1.unique())

# %% wrong="5.2.B" why="a tensor" breaks="whole number" says="what different_units returns"
def different_units(W1, b1):
    return torch.tensor(torch.cat([W1, b1[None, :]]).unique(dim=1).shape[1])

# %% wrong="5.2.B" why="neighbours only" breaks="units are columns" says="different_units for the columns"
def different_units(W1, b1):
    return torch.cat([W1, b1[None, :]]).unique_consecutive(dim=1).shape[1]

# %% wrong="5.2.B" why="bias plus column in one sum" breaks="biases" says="different_units for"
def different_units(W1, b1):
    return (W1 + b1).unique(dim=1).shape[1] if (b1 == 0).all() else len((W1.sum(0) + b1).unique())

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

# %% wrong="5.2.2a" why="ReLU after the last layer" breaks="no ReLU at the end" says="There is a ReLU after the last layer"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return torch.relu(H @ Ws[-1] + bs[-1])

# %% wrong="5.2.2a" why="no ReLU at all" breaks="ReLU between" says="The ReLU between the layers is missing"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = H @ W + b
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="the bias after the ReLU" breaks="ReLU between" says="Add the bias before the ReLU"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W) + b
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="does not flatten" breaks="shape" says="make a row of each example first"
def mlp_forward(X, Ws, bs):
    H = X
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="squeezes a single example" breaks="shape" says="the shape for a single example"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return (H @ Ws[-1] + bs[-1]).squeeze(0)

# %% wrong="5.2.2a" why="two layers only" breaks="any number of layers" says="mlp_forward"
def mlp_forward(X, Ws, bs):
    H = torch.relu(X.reshape(len(X), -1) @ Ws[0] + bs[0])
    return H @ Ws[1] + bs[1]

# %% wrong="5.2.2a" why="a ReLU where there is a single layer" breaks="any number of layers" says="a single layer"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    if len(Ws) == 1:
        H = torch.relu(H)
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="takes the last layer out of the lists" breaks="arguments kept" says="Ws and bs"
def mlp_forward(X, Ws, bs):
    W_last, b_last = Ws.pop(), bs.pop()
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws, bs):
        H = torch.relu(H @ W + b)
    return H @ W_last + b_last

# %% wrong="5.2.2a" why="writes into the example" breaks="arguments kept" says="X after mlp_forward"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    H.clamp_(min=-1e9).mul_(1.0 if len(Ws) > 9 else 0.5).mul_(2.0).add_(0.0)
    H[:, 0] += 1
    H = H.clone()
    H[:, 0] -= 1
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="no biases" breaks="ReLU between" says="The biases are missing"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W)
    return H @ Ws[-1]

# %% right="5.2.C" how="joins lists in a loop"
def layer_names(sizes):
    names = ["Flatten", "Linear"]
    for _ in sizes[2:]:
        names += ["ReLU", "Linear"]
    return names

# %% right="5.2.C" how="a tuple"
def layer_names(sizes):
    return ("Flatten", *(("Linear", "ReLU") * (len(sizes) - 1))[:-1])

# %% wrong="5.2.C" why="a layer for each size" breaks="linear layers" says="The sizes are the numbers between the layers"
def layer_names(sizes):
    return ["Flatten"] + ["Linear", "ReLU"] * (len(sizes) - 1) + ["Linear"]

# %% wrong="5.2.C" why="ReLU at the end" breaks="ReLU between" says="No ReLU after the last layer"
def layer_names(sizes):
    return ["Flatten"] + ["Linear", "ReLU"] * (len(sizes) - 2) + ["Linear", "ReLU"]

# %% wrong="5.2.C" why="no ReLU" breaks="ReLU between" says="two linear layers are one"
def layer_names(sizes):
    return ["Flatten"] + ["Linear"] * (len(sizes) - 2) + ["Linear"]

# %% wrong="5.2.C" why="no Flatten" breaks="flatten first" says="how the list begins"
def layer_names(sizes):
    return ["Linear", "ReLU"] * (len(sizes) - 2) + ["Linear"]

# %% wrong="5.2.C" why="one hidden layer always" breaks="linear layers" says="how many linear layers there are"
def layer_names(sizes):
    return ["Flatten", "Linear", "ReLU", "Linear"]

# %% wrong="5.2.C" why="Flatten before each layer" breaks="flatten first" says="how often Flatten occurs"
def layer_names(sizes):
    return ["Flatten"] + ["Linear", "ReLU", "Flatten"] * (len(sizes) - 2) + ["Linear"]

# %% wrong="5.2.C" why="all linear layers, then all ReLUs" breaks="ReLU between" says="the whole list"
def layer_names(sizes):
    k = len(sizes) - 2
    return ["Flatten"] + ["Linear"] * (k + 1) + ["ReLU"] * k if k != 1 else ["Flatten", "Linear", "ReLU", "Linear"]

# %% right="5.2.2b" how="lazy layers"
def make_mlp(sizes):
    hidden = [layer for m in sizes[1:-1] for layer in (nn.LazyLinear(m), nn.ReLU())]
    return nn.Sequential(nn.Flatten(), *hidden, nn.LazyLinear(sizes[-1]))

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

# %% right="5.2.2b" how="d2l's class"
def make_mlp(sizes):
    return d2l.MulMLP(sizes[-1], sizes[1:-1], lr=0.1)

# %% wrong="5.2.2b" why="ReLU after the last layer" breaks="ReLU between" says="There is a ReLU after the last layer"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers)

# %% wrong="5.2.2b" why="without biases" breaks="parameters" says="Each linear layer has a bias"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m, bias=False), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="no ReLU" breaks="ReLU between" says="The ReLU between the layers is missing"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.Identity()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="no flattening" breaks="flattened" says="make_mlp"
def make_mlp(sizes):
    layers = []
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="sigmoid for ReLU" breaks="ReLU between" says="the outputs of make_mlp"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.Sigmoid()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="a list of layers, no module" breaks="parameters" says="Return a torch module"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return layers[:-1]

# %% wrong="5.2.2b" why="one hidden layer, whatever the list" breaks="parameters" says="the shapes of the parameters"
def make_mlp(sizes):
    return nn.Sequential(nn.Flatten(), nn.Linear(sizes[0], sizes[1]), nn.ReLU(), nn.Linear(sizes[1], sizes[-1]))

# %% wrong="5.2.2b" why="layers in a plain list are not registered" breaks="parameters" says="The module does not know these layers"
class LooseLayers(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(n, m) for n, m in zip(sizes, sizes[1:])]

    def forward(self, X):
        X = X.reshape(len(X), -1)
        for layer in self.layers[:-1]:
            X = torch.relu(layer(X))
        return self.layers[-1](X)


def make_mlp(sizes):
    return LooseLayers(sizes)

# %% wrong="5.2.2b" why="keeps the networks that it has made" breaks="new each time" says="Make new layers in each call"
made = {}


def make_mlp(sizes):
    if tuple(sizes) not in made:
        layers = [nn.Flatten()]
        for n, m in zip(sizes, sizes[1:]):
            layers += [nn.Linear(n, m), nn.ReLU()]
        made[tuple(sizes)] = nn.Sequential(*layers[:-1])
    return made[tuple(sizes)]

# %% right="5.2.D" how="a copy without the diagonal"
def most_confused(confusion):
    c = confusion.clone()
    c.fill_diagonal_(-1)
    place = c.argmax().item()
    return place // c.shape[1], place % c.shape[1]

# %% right="5.2.D" how="largest of sorted triples"
def most_confused(confusion):
    triples = [(count, i, j) for i, row in enumerate(confusion.tolist()) for j, count in enumerate(row) if i != j]
    return max(triples)[1:]

# %% wrong="5.2.D" why="with the diagonal" breaks="off the diagonal" says="The diagonal holds what was right"
def most_confused(confusion):
    best, where = -1, None
    for i in range(len(confusion)):
        for j in range(len(confusion)):
            if confusion[i, j] > best:
                best, where = confusion[i, j], (i, j)
    return where

# %% wrong="5.2.D" why="predicted class first" breaks="true class first" says="The true class, the row, stands first"
def most_confused(confusion):
    best, where = -1, None
    for i in range(len(confusion)):
        for j in range(len(confusion)):
            if i != j and confusion[i, j] > best:
                best, where = confusion[i, j], (j, i)
    return where

# %% wrong="5.2.D" why="above the diagonal only" breaks="off the diagonal" says="Look below the diagonal, too"
def most_confused(confusion):
    best, where = -1, None
    for i in range(len(confusion)):
        for j in range(i + 1, len(confusion)):
            if i != j and confusion[i, j] > best:
                best, where = confusion[i, j], (i, j)
    return where

# %% wrong="5.2.D" why="the flat index" breaks="true class first" says="most_confused of"
def most_confused(confusion):
    c = confusion.clone()
    c.fill_diagonal_(-1)
    return c.argmax().item()

# %% wrong="5.2.D" why="sets the diagonal of the argument to -1" breaks="argument kept" says="after the call"
def most_confused(confusion):
    confusion.fill_diagonal_(-1)
    place = confusion.argmax().item()
    return place // len(confusion), place % len(confusion)

# %% wrong="5.2.D" why="the class with most mistakes, and its commonest" breaks="off the diagonal" says="most_confused of"
def most_confused(confusion):
    c = confusion.clone()
    c.fill_diagonal_(0)
    i = c.sum(dim=0).argmax().item()
    return i, c[i].argmax().item() if c[i].argmax().item() != i else (i + 1) % len(c)

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
            pairs.append((row.log_softmax(0)[label].item(), i))
    return torch.tensor([i for _, i in sorted(pairs)[:k]], dtype=torch.int64)

# %% wrong="5.2.10" why="the smallest loss first" breaks="worst first" says="smallest loss comes first"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort()][:k]

# %% wrong="5.2.10" why="the k largest losses, right or wrong" breaks="mistakes only" says="Rows that are classified correctly do not count"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return losses.argsort(descending=True)[:k]

# %% wrong="5.2.10" why="the k largest losses, then the mistakes among them" breaks="at most k" says="Select the mistakes first"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    first = losses.argsort(descending=True)[:k]
    return first[logits[first].argmax(dim=1) != y[first]]

# %% wrong="5.2.10" why="places within the misclassified" breaks="row numbers" says="places among the misclassified"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return losses[wrong].argsort(descending=True)[:k]

# %% wrong="5.2.10" why="not sorted" breaks="worst first" says="not sorted by their loss"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[:k]

# %% wrong="5.2.10" why="sorts by the largest score" breaks="worst first" says="the rows for"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[logits[wrong].max(dim=1).values.argsort(descending=True)][:k]

# %% wrong="5.2.10" why="sorts by the confidence in the prediction" breaks="worst first" says="the rows for"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[logits[wrong].softmax(dim=1).max(dim=1).values.argsort(descending=True)][:k]

# %% wrong="5.2.10" why="always k, filled up with right rows" breaks="at most k" says="the rows for"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    return (losses + 1000.0 * (logits.argmax(dim=1) != y)).argsort(descending=True)[:k]

# %% wrong="5.2.10" why="a list" breaks="tensor" says="what worst_mistakes returns"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort(descending=True)][:k].tolist()

# %% wrong="5.2.10" why="int32" breaks="tensor" says="the dtype of the result"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort(descending=True)][:k].int()

# %% right="5.2.E" how="all pairs"
def compare_runs(a, b):
    if all(x > y for x in a for y in b):
        return "a"
    if all(x < y for x in a for y in b):
        return "b"
    return "open"

# %% right="5.2.E" how="sorted lists"
def compare_runs(a, b):
    a, b = sorted(a), sorted(b)
    return "a" if a[0] > b[-1] else "b" if b[0] > a[-1] else "open"

# %% wrong="5.2.E" why="compares means" breaks="open" says="compare_runs"
def compare_runs(a, b):
    if sum(a) / len(a) > sum(b) / len(b):
        return "a"
    return "b" if sum(b) / len(b) > sum(a) / len(a) else "open"

# %% wrong="5.2.E" why="equal counts as better" breaks="open" says="compare_runs([0.9, 0.8], [0.8, 0.7])"
def compare_runs(a, b):
    if min(a) >= max(b):
        return "a"
    return "b" if min(b) >= max(a) else "open"

# %% wrong="5.2.E" why="best against best" breaks="open" says="compare_runs"
def compare_runs(a, b):
    if max(a) > max(b):
        return "a"
    return "b" if max(b) > max(a) else "open"

# %% wrong="5.2.E" why="never says b" breaks="b better" says="'b'"
def compare_runs(a, b):
    if min(a) > max(b):
        return "a"
    return "open"

# %% wrong="5.2.E" why="only a can be open" breaks="a better" says="'a'"
def compare_runs(a, b):
    if min(a) > max(b):
        return "open"
    return "b" if min(b) > max(a) else "open"

# %% wrong="5.2.E" why="exchanged" breaks="a better" says="'a'"
def compare_runs(a, b):
    if min(a) > max(b):
        return "b"
    return "a" if min(b) > max(a) else "open"

# %% wrong="5.2.E" why="run against run of the same place" breaks="open" says="compare_runs"
def compare_runs(a, b):
    if all(x > y for x, y in zip(a, b)):
        return "a"
    return "b" if all(x < y for x, y in zip(a, b)) else "open"

# %% right="5.2.1" how="writes the network and the parameters out"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    d, rows = X.shape[1], []
    for width in widths:
        torch.manual_seed(seed)
        layers, n = [], d
        for _ in range(config["depth"]):
            layers += [nn.Linear(n, width), config.get("activation", nn.ReLU)()]
            n = width
        net = nn.Sequential(*layers, nn.Linear(n, 3))
        for module in net[::2] if "std" in config else ():
            nn.init.normal_(module.weight, std=config["std"])
            nn.init.zeros_(module.bias)
        fit(net, X, y, config["epochs"], config["lr"], seed)
        rows.append(dict(val_acc=accuracy(net, X_val, y_val), train_acc=accuracy(net, X, y), width=width,
                         parameters=d * width + width + (config["depth"] - 1) * (width + 1) * width + 3 * width + 3))
    return rows

# %% right="5.2.1" how="a function for one width"
def width_sweep(widths, config, points, seed):
    def row(width):
        changed = dict(config)
        changed["width"] = width
        net = run(changed, points, seed)[0]
        return {"width": width, "parameters": len(nn.utils.parameters_to_vector(net.parameters())),
                "train_acc": accuracy(net, *points[:2]), "val_acc": accuracy(net, *points[2:])}

    return [row(width) for width in widths]

# %% wrong="5.2.1" why="no biases" breaks="parameters" says="The biases are parameters, too"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters() if p.ndim == 2),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="counts tensors" breaks="parameters" says="count the numbers in them"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": len(list(net.parameters())),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="the two accuracies swapped" breaks="validation accuracy" says="exchanged"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X_val, y_val), "val_acc": accuracy(net, X, y)})
    return table

# %% wrong="5.2.1" why="both on the training part" breaks="validation accuracy" says="val_acc for width"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X, y)})
    return table

# %% wrong="5.2.1" why="both on the validation part" breaks="training accuracy" says="train_acc for width"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X_val, y_val), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="does not train" breaks="validation accuracy" says="before training"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width, "epochs": 0}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="base_config, whatever the argument" breaks="rest of the configuration" says="width 20"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**base_config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="another learning rate" breaks="rest of the configuration" says="The learning rate is that of"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width, "lr": 0.3}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="another number of epochs" breaks="rest of the configuration" says="The number of epochs is that of"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width, "epochs": 20}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="always seed 0" breaks="rest of the configuration" says="The seed is `seed`, not 0"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, 0)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="changes the configuration" breaks="arguments kept" says="the configuration after width_sweep"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        config["width"] = width
        net, _ = run(config, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="sorts the widths in place" breaks="arguments kept" says="widths"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table, order = [], list(widths)
    widths.sort()
    for width in order:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="sorted by width" breaks="rows" says="the widths of the rows"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in sorted(widths):
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.1" why="a dictionary by width" breaks="rows" says="what width_sweep returns"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return {row["width"]: row for row in table}

# %% wrong="5.2.1" why="the best width only" breaks="rows" says="the number of rows"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table[-1:]

# %% right="5.2.3" how="two shapes"
def logit_rank(sizes, n):
    *_, hidden, outputs = sizes
    return min([n, hidden, outputs])

# %% right="5.2.3" how="the smallest of three, sorted"
def logit_rank(sizes, n):
    return sorted(sizes[-2:] + [n])[0]

# %% wrong="5.2.3" why="an earlier bottleneck counts as if the network were linear" breaks="earlier bottlenecks" says="An earlier layer of few units does not limit"
def logit_rank(sizes, n):
    return min(n, *sizes)

# %% wrong="5.2.3" why="forgets the number of examples" breaks="outputs and examples" says="more dimensions than examples"
def logit_rank(sizes, n):
    return min(sizes[-2:])

# %% wrong="5.2.3" why="the narrowest hidden layer" breaks="earlier bottlenecks" says="logit_rank([20, 1, 8, 6], 50)"
def logit_rank(sizes, n):
    return min(n, min(sizes[1:-1]), sizes[-1])

# %% wrong="5.2.3" why="the number of outputs" breaks="last bottleneck" says="The last hidden layer limits the rank"
def logit_rank(sizes, n):
    return min(n, sizes[-1])

# %% wrong="5.2.3" why="a bias adds one dimension" breaks="last bottleneck" says="nothing is added"
def logit_rank(sizes, n):
    return min(n, sizes[-2] + 1, sizes[-1])

# %% wrong="5.2.3" why="without the outputs" breaks="outputs and examples" says="more dimensions than outputs"
def logit_rank(sizes, n):
    return min(n, sizes[-2])

# %% wrong="5.2.3" why="a float" breaks="whole number" says="logit_rank([784, 256, 10], 2000)"
def logit_rank(sizes, n):
    return float(min(n, sizes[-2], sizes[-1]))

# %% right="5.2.4" how="a list of all runs first"
def lr_sweep(rates, config, points, seeds):
    X, y, X_val, y_val = points
    results = {}
    for i, lr in enumerate(rates):
        for seed in seeds:
            net, loss = run(dict(config, lr=lr), (X, y), seed)
            results.setdefault(i, []).append((accuracy(net, X_val, y_val), loss))
    return [{"diverged": sum(abs(loss) == float("inf") or loss != loss for _, loss in results[i]), "lr": lr,
             "high": max(a for a, _ in results[i]), "low": min(a for a, _ in results[i]),
             "mean": sum(a for a, _ in results[i]) / len(results[i])} for i, lr in enumerate(rates)]

# %% right="5.2.4" how="tensors"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for lr in rates:
        runs = [run({**config, "lr": lr}, points, s) for s in seeds]
        acc = torch.tensor([accuracy(net, points[2], points[3]) for net, _ in runs], dtype=torch.float64)
        bad = (~torch.tensor([loss for _, loss in runs]).isfinite()).sum()
        rows.append({"lr": lr, "mean": acc.mean(), "low": acc.min(), "high": acc.max(), "diverged": bad.item()})
    return rows

# %% wrong="5.2.4" why="the first seed only" breaks="mean" says="over all seeds"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds[:1]:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="the median for the mean" breaks="mean" says="not the mean"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sorted(values)[len(values) // 2], "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="the best for the mean" breaks="mean" says="not the mean"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": max(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="low and high exchanged" breaks="low and high" says="low is the smallest"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": max(values), "high": min(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="mean minus and plus the deviation" breaks="low and high" says="for rate 0.1"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": sum(values) / len(values) - torch.tensor(values).std().item(), "high": sum(values) / len(values) + torch.tensor(values).std().item(), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="training accuracy" breaks="mean" says="training part"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[:2]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="leaves out the runs that diverged" breaks="rows" says="the number of rows"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        if not diverged:
            table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="counts nan only" breaks="diverged" says="inf is divergence"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += math.isnan(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="counts inf only" breaks="diverged" says="nan is divergence"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += math.isinf(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="a bool for the count" breaks="diverged" says="diverged for rate"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": int(diverged > 0)})
    return table

# %% wrong="5.2.4" why="the rate of the configuration" breaks="mean" says="not that of `config`"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run(config, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="base_config, whatever the argument" breaks="rest of the configuration" says="rate 0.4"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**base_config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="one hidden layer" breaks="rest of the configuration" says="The depth is that of"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr, "depth": 1}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="changes the configuration" breaks="rest of the configuration" says="the configuration after lr_sweep"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            config["lr"] = lr
            net, loss = run(config, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="sorts the rates" breaks="rows" says="the rates of the rows"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in sorted(rates):
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% wrong="5.2.4" why="0, 1, 2 for the seeds" breaks="mean" says="The seeds are those of the list"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in range(len(seeds)):
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table

# %% right="5.2.8" how="checks the names first, best so far"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"unknown: {unknown}")
    found = {}
    for name in names:
        for rate in rates:
            value = accuracy(run(dict(config, lr=rate, activation=known[name]), points, seed)[0], *points[2:])
            if name not in found or value > found[name]["val_acc"]:
                found[name] = {"val_acc": value, "lr": rate}
    return found

# %% right="5.2.8" how="match, own network"
def layer_of(name):
    match name:
        case "relu":
            return nn.ReLU()
        case "sigmoid":
            return nn.Sigmoid()
        case "tanh":
            return nn.Tanh()
        case "identity":
            return nn.Identity()
    raise ValueError("there is no " + str(name))


def best_rates(names, rates, config, points, seed):
    X, y, X_val, y_val = points

    def value(name, rate):
        torch.manual_seed(seed)
        sizes = [X.shape[1]] + [config["width"]] * config["depth"]
        parts = [layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), layer_of(name))]
        net = nn.Sequential(*parts, nn.Linear(sizes[-1], 3))
        for module in net[::2] if "std" in config else ():
            nn.init.normal_(module.weight, std=config["std"])
            nn.init.zeros_(module.bias)
        fit(net, X, y, config["epochs"], rate, seed)
        return accuracy(net, X_val, y_val)

    result = {}
    for name in names:
        layer_of(name)
        table = [(value(name, rate), -i) for i, rate in enumerate(rates)]
        best, place = max(table)
        result[name] = {"lr": rates[-place], "val_acc": best}
    return result

# %% wrong="5.2.8" why="tanh for ReLU" breaks="activation" says="This is what tanh gives in the place of relu"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.Tanh, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="ReLU for every name" breaks="activation" says="This is what relu gives in the place of"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="training accuracy" breaks="accuracy" says="training part"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[0], points[1]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="accuracy of the last rate" breaks="accuracy" says="with the last rate"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[-1]}
    return result

# %% wrong="5.2.8" why="the last rate" breaks="best rate" says="the last rate that was tried"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[-1], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="the index of the rate" breaks="best rate" says="lr of"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": best, "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="the last of equal ones" breaks="equal accuracies" says="Take the first in the list"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = len(values) - 1 - values[::-1].index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="the smallest of equal rates" breaks="equal accuracies" says="Take the first in the list"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = min((i for i in range(len(values)) if values[i] == max(values)), key=lambda i: rates[i])
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="a KeyError for an unknown name" breaks="unknown name" says="raised KeyError"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="skips unknown names" breaks="unknown name" says="to be raised"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            continue
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="the message does not hold the name" breaks="unknown name" says="without"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError("unknown activation function")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="capitals do not matter" breaks="unknown name" says="to be raised"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in map(str.lower, names):
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="one hidden layer" breaks="rest of the configuration" says="that of `config`, not always 1"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate, "depth": 1}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="always seed 0" breaks="rest of the configuration" says="The seed is `seed`, not 0"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, 0)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="another number of epochs" breaks="rest of the configuration" says="that of `config`, not always 20"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate, "epochs": 20}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.8" why="pairs for dictionaries" breaks="names" says="the entry of"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = (rates[best], values[best])
    return result

# %% right="5.2.9a" how="torch.nn.init and apply"
def initialise(net, scheme):
    def one(layer):
        if isinstance(layer, nn.Linear):
            if layer.bias is not None:
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

# %% right="5.2.9a" how="randn by shape"
def initialise(net, scheme):
    for layer in net.modules():
        if type(layer) is nn.Linear:
            b, a = layer.weight.shape
            variance = {"zeros": 0, "normal": 1e-4, "xavier": 2 / (a + b), "kaiming": 2 / a}[scheme]
            layer.weight.data = variance ** 0.5 * torch.randn(b, a)
            if layer.bias is not None:
                layer.bias.data.fill_(0)

# %% wrong="5.2.9a" why="the variance as the deviation" breaks="standard deviation" says="2 / a is the variance"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": 2 / (a + b), "kaiming": 2 / a}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="outputs in place of inputs" breaks="standard deviation" says="a is the number of inputs"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.weight.shape
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="leaves the biases" breaks="biases" says="the bias"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                pass

# %% wrong="5.2.9a" why="draws the biases" breaks="biases" says="the bias"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.normal_(layer.bias, std=0.01)

# %% wrong="5.2.9a" why="fails where there is no bias" breaks="biases" says="NoneType"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="skips layers without bias" breaks="biases" says="A linear layer without a bias is initialised"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear) and layer.bias is not None:
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="only the outermost layers" breaks="inner layers" says="net.children() does not"
def initialise(net, scheme):
    for layer in net.children():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="torch's uniform functions" breaks="normal draws" says="use normal draws"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.uniform_(layer.weight, -std * 3 ** 0.5, std * 3 ** 0.5)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="one row for all units" breaks="normal draws" says="each weight is a draw of its own"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            layer.weight.data = (std * torch.randn(1, a)).repeat(b, 1)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="a seed of its own" breaks="normal draws" says="Set no seed of your own"
def initialise(net, scheme):
    torch.manual_seed(0)
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="all biases, those of other layers too" breaks="other modules" says="the bias of nn.LayerNorm"
def initialise(net, scheme):
    for name, p in net.named_parameters():
        if name.endswith('bias'):
            nn.init.zeros_(p)
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="weights of other layers, too" breaks="other modules" says="the weight of nn.LayerNorm"
def initialise(net, scheme):
    for p in net.parameters():
        if p.ndim == 1 and p[0] == 3:
            nn.init.ones_(p)
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9a" why="a new network, the old one untouched" breaks="standard deviation" says="in place"
def initialise(net, scheme):
    import copy
    net = copy.deepcopy(net)
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% right="5.2.9b" how="backward and .grad"
def scale_table(stds, config, points, seed):
    rows = []
    for std in stds:
        config_ = dict(config, std=std)
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], config_)
        F.cross_entropy(net(points[0]), points[1]).backward()
        size = torch.linalg.norm(next(net.parameters()).grad)
        loss = fit(net, points[0], points[1], config["epochs"], config["lr"], seed)
        rows.append({"val_acc": accuracy(net, points[2], points[3]), "train_loss": loss, "first_gradient": size, "std": std})
    return rows

# %% right="5.2.9b" how="draws the weights itself"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points

    def row(std):
        torch.manual_seed(seed)
        net = make_net(X.shape[1], {name: value for name, value in config.items() if name != "std"})
        for layer in net[::2]:
            layer.weight.data = std * torch.randn(layer.weight.shape)
            layer.bias.data.zero_()
        g, = torch.autograd.grad(-net(X).log_softmax(1)[range(len(y)), y].mean(), [net[0].weight])
        loss = fit(net, X, y, config["epochs"], config["lr"], seed)
        return {"std": std, "first_gradient": float((g ** 2).sum() ** 0.5), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)}

    return [row(std) for std in stds]

# %% wrong="5.2.9b" why="the gradient after training" breaks="first gradient" says="after the training"
def scale_table(stds, config, points, seed):
    table = []
    for std in stds:
        net, loss = run({**config, "std": std}, points, seed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), [net[0].weight])
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(net, *points[2:])})
    return table

# %% wrong="5.2.9b" why="the squared norm" breaks="first gradient" says="Take the root"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.square().sum().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the root mean square" breaks="first gradient" says="do not take their mean"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.square().mean().sqrt().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the output layer" breaks="first gradient" says="output layer"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[-1].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the first batch only" breaks="first gradient" says="first_gradient for std"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X[:30]), y[:30]), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="torch's own start" breaks="rest of the configuration" says="torch's own start"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = config
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the loss before training" breaks="training loss" says="before the training"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": F.cross_entropy(net(X), y).item(), "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="training accuracy" breaks="validation accuracy" says="training part"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X, y)})
    return table

# %% wrong="5.2.9b" why="accuracy before training" breaks="validation accuracy" says="before the training"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the validation loss" breaks="training loss" says="train_loss for std"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": F.cross_entropy(trained(X_val), y_val).item(), "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="base_config, whatever the argument" breaks="rest of the configuration" says="std"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**base_config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="changes the configuration" breaks="rest of the configuration" says="the configuration after scale_table"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        config["std"] = std
        changed = config
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="sorted by scale" breaks="rows" says="the numbers std of the rows"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in sorted(stds):
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="leaves out the scale 0" breaks="rows" says="the number of rows"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in filter(None, stds):
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="always seed 0" breaks="rest of the configuration" says="The seed is `seed`, not 0"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(0)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, 0)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table

# %% right="5.2.F" how="logarithms"
def log_uniform(u, low, high):
    return math.exp(math.log(low) + u * (math.log(high) - math.log(low)))

# %% right="5.2.F" how="weighted product"
def log_uniform(u, low, high):
    return low ** (1 - u) * high ** u

# %% wrong="5.2.F" why="the ordinary scale" breaks="between" says="on the ordinary scale"
def log_uniform(u, low, high):
    return low + u * (high - low)

# %% wrong="5.2.F" why="from high to low" breaks="ends" says="u = 0 is low"
def log_uniform(u, low, high):
    return high * (low / high) ** u

# %% wrong="5.2.F" why="leaves the logarithm" breaks="between" says="log_uniform"
def log_uniform(u, low, high):
    return low if u == 0 else high if u == 1 else (1 - u) * math.log(low) + u * math.log(high)

# %% wrong="5.2.F" why="forgets low" breaks="ends" says="Begin at low"
def log_uniform(u, low, high):
    return high ** u

# %% wrong="5.2.F" why="the middle for every u" breaks="between" says="log_uniform(0.25"
def log_uniform(u, low, high):
    return low if u == 0 else high if u == 1 else (low * high) ** 0.5

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
    import numpy as np
    rng = np.random.default_rng(seed)
    return [dict(lr=math.exp(rng.uniform(math.log(0.01), 0)), width=int(rng.choice([4, 8, 16, 32])),
                 depth=int(rng.integers(1, 3)), epochs=int(rng.integers(5, 21))) for _ in range(n)]

# %% wrong="5.2.5a" why="uniform learning rates" breaks="learning rate" says="draw the exponent"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": rng.uniform(0.01, 1), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="three rates only" breaks="learning rate" says="too few values, 3 in all"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": rng.choice([0.01, 0.1, 1.0]), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="up to 10" breaks="learning rate" says="between 0.01 and 1"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 1), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="one draw for all values" breaks="independent" says="Does each entry have a draw of its own"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        u = rng.random()
        result.append({"lr": 10 ** (2 * u - 2), "width": [4, 8, 16, 32][int(4 * u)], "depth": 1 + int(2 * u), "epochs": 5 + int(16 * u)})
    return result

# %% wrong="5.2.5a" why="a new generator for each configuration" breaks="independent" says="Make the generator once"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        rng = random.Random(seed)
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="depth follows width" breaks="independent" says="Does each entry have a draw of its own"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        w = rng.randrange(4)
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": 2 ** (2 + w), "depth": 1 + w // 2, "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="no seed" breaks="seed" says="called twice"
def draw_configs(n, seed):
    rng, result = random.Random(), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="always the same seed" breaks="seed" says="give different lists"
def draw_configs(n, seed):
    rng, result = random.Random(0), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="the last digit of the seed" breaks="seed" says="the seeds 3 and 13"
def draw_configs(n, seed):
    rng, result = random.Random(seed % 10), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="leaves out the last number of epochs" breaks="epochs" says="the values of epochs"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randrange(5, 20)})
    return result

# %% wrong="5.2.5a" why="epochs in steps of five" breaks="epochs" says="the values of epochs"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.choice([5, 10, 15, 20])})
    return result

# %% wrong="5.2.5a" why="any width between 4 and 32" breaks="width" says="the values of width"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.randint(4, 32), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="wide networks more often" breaks="width" says="equally frequent"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="three depths" breaks="depth" says="the values of depth"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.randint(1, 3), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="one more than n" breaks="keys" says="the number of configurations"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n + 1):
        result.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% wrong="5.2.5a" why="the key of the rate" breaks="keys" says="the keys of a configuration"
def draw_configs(n, seed):
    rng, result = random.Random(seed), []
    for _ in range(n):
        result.append({"rate": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return result

# %% right="5.2.5b" how="the best so far"
def search(configs, points, seed):
    result, champion = {"val_acc": [], "best": None, "test_acc": None}, None
    for i, config in enumerate(configs):
        net, _ = run(config, points[:2], seed)
        value = accuracy(net, points[2], points[3])
        if not result["val_acc"] or value > max(result["val_acc"]):
            result["best"], champion = i, net
        result["val_acc"].append(value)
    result["test_acc"] = accuracy(champion, *points[4:])
    return result

# %% right="5.2.5b" how="trains the best once more"
def search(configs, points, seed):
    X, y, X_val, y_val, X_test, y_test = points
    scores = [accuracy(run(config, (X, y), seed)[0], X_val, y_val) for config in configs]
    best = max(range(len(scores)), key=scores.__getitem__)
    return dict(val_acc=torch.tensor(scores), best=best, test_acc=accuracy(run(configs[best], points, seed)[0], X_test, y_test))

# %% wrong="5.2.5b" why="test accuracy of the network trained last" breaks="test accuracy" says="trained last"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[-1], points[4], points[5])}

# %% wrong="5.2.5b" why="the highest test accuracy" breaks="test accuracy" says="highest test accuracy of all"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": max(accuracy(net, points[4], points[5]) for net in nets)}

# %% wrong="5.2.5b" why="the validation accuracy as test accuracy" breaks="test accuracy" says="This is the validation accuracy"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": max(val_acc)}

# %% wrong="5.2.5b" why="the test part chooses" breaks="best" says="The test part must not choose"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    tests = [accuracy(net, points[4], points[5]) for net in nets]
    best = tests.index(max(tests))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="the training part as validation" breaks="validation accuracies" says="training part"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[0], points[1]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="the test part as validation" breaks="validation accuracies" says="test part"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[4], points[5]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="trains on training and validation part" breaks="validation accuracies" says="Train on X and y alone"
def search(configs, points, seed):
    nets = [run(config, (torch.cat(points[0:4:2]), torch.cat(points[1:4:2])), seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="the best trained once more on both parts" breaks="test accuracy" says="test_acc for"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(run(configs[best], (torch.cat(points[0:4:2]), torch.cat(points[1:4:2])), seed)[0], points[4], points[5])}

# %% wrong="5.2.5b" why="the last of equal ones" breaks="equal accuracies" says="Of equal accuracies take the first"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = len(val_acc) - 1 - val_acc[::-1].index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="one hidden layer, whatever the depth" breaks="validation accuracies" says="Use the depth of each"
def search(configs, points, seed):
    nets = [run({**config, "depth": 1}, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="one learning rate" breaks="validation accuracies" says="Use the lr of each"
def search(configs, points, seed):
    nets = [run({**config, "lr": 0.3}, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="a seed for each configuration" breaks="validation accuracies" says="val_acc for"
def search(configs, points, seed):
    nets = [run(config, points, seed + i)[0] for i, config in enumerate(configs)]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="the best configuration, not its index" breaks="best" says="best for"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": configs[best], "test_acc": accuracy(nets[best], points[4], points[5])}

# %% wrong="5.2.5b" why="the index counts from 1" breaks="best" says="An index counts from 0"
def search(configs, points, seed):
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best + 1, "test_acc": accuracy(nets[best], points[4], points[5])}

# %% right="5.2.6a" how="statistics.median"
def median_seconds(step, repeats, clock=time.perf_counter):
    from statistics import median
    times = []
    for i in range(repeats + 1):
        before = clock()
        step()
        after = clock()
        if i:
            times.append(after - before)
    return median(times)

# %% right="5.2.6a" how="torch's median, list of marks"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    marks = [clock()]
    while len(marks) <= repeats:
        step()
        marks.append(clock())
    return torch.tensor(marks, dtype=torch.float64).diff().median().item()

# %% wrong="5.2.6a" why="the mean" breaks="median" says="This is the mean"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return sum(times) / repeats

# %% wrong="5.2.6a" why="the shortest" breaks="median" says="This is the shortest time"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return min(times)

# %% wrong="5.2.6a" why="not sorted" breaks="median" says="The times are to be sorted"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return times[repeats // 2]

# %% wrong="5.2.6a" why="all calls together" breaks="median" says="all calls together"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return sum(times)

# %% wrong="5.2.6a" why="no warm-up" breaks="number of calls" says="the number of calls of the step"
def median_seconds(step, repeats, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return sorted(times)[repeats // 2]

# %% wrong="5.2.6a" why="the first call counts" breaks="warm-up" says="median_seconds of a step"
def median_seconds(step, repeats, clock=time.perf_counter):
    times = []
    for _ in range(repeats + 1):
        start = clock()
        step()
        times.append(clock() - start)
    return sorted(times)[(repeats + 1) // 2]

# %% wrong="5.2.6a" why="the last call dropped in place of the first" breaks="warm-up" says="median_seconds of a step"
def median_seconds(step, repeats, clock=time.perf_counter):
    times = []
    for _ in range(repeats + 1):
        start = clock()
        step()
        times.append(clock() - start)
    return sorted(times[:-1])[repeats // 2]

# %% wrong="5.2.6a" why="two warm-up calls" breaks="number of calls" says="the number of calls of the step"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    step()
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return sorted(times)[repeats // 2]

# %% wrong="5.2.6a" why="its own clock" breaks="median" says="median_seconds of a step"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return sorted(times)[repeats // 2]

# %% right="5.2.6b" how="backward, gradients cleared"
def make_steps(Ws, bs, X, y):
    own = [t.detach().clone().requires_grad_() for pair in zip(Ws, bs) for t in pair]
    net = nn.Sequential()
    for W, b in zip(Ws, bs):
        layer = nn.Linear(W.shape[0], W.shape[1])
        layer.load_state_dict({"weight": W.T.contiguous(), "bias": b})
        net.append(layer).append(nn.ReLU())
    net = net[:-1]

    def finish(scores, parameters):
        for p in parameters:
            p.grad = None
        loss = F.cross_entropy(scores, y)
        loss.backward()
        return loss.item(), [p.grad.clone() for p in parameters]

    def scratch():
        H = X
        for i in range(0, len(own), 2):
            H = (H.clamp(min=0) if i else H) @ own[i] + own[i + 1]
        return finish(H, own)

    return {"layers": lambda: finish(net(X), list(net.parameters())), "scratch": scratch}

# %% right="5.2.6b" how="gradients by hand for the scratch step"
def make_steps(Ws, bs, X, y):
    layers = [nn.Linear(*W.shape) for W in Ws]
    for layer, W, b in zip(layers, Ws, bs):
        layer.weight.data, layer.bias.data = W.T.clone(), b.clone()

    def scratch():
        inputs, H = [], X
        for i, (W, b) in enumerate(zip(Ws, bs)):
            H = torch.relu(H) if i else H
            inputs.append(H)
            H = H @ W + b
        loss = F.cross_entropy(H, y)
        D = (H.softmax(dim=1) - F.one_hot(y, H.shape[1])) / len(y)
        gradients = []
        for i in reversed(range(len(Ws))):
            gradients = [inputs[i].T @ D, D.sum(dim=0)] + gradients
            D = (D @ Ws[i].T) * (inputs[i] > 0)
        return loss, gradients

    def concise_step():
        H = layers[0](X)
        for layer in layers[1:]:
            H = layer(torch.relu(H))
        loss = F.cross_entropy(H, y)
        return loss, torch.autograd.grad(loss, [p for layer in layers for p in (layer.weight, layer.bias)])

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="the layers keep their random start" breaks="losses" says="no random start"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            pass
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="the biases are not copied" breaks="losses" says="the loss, the first call of 'layers'"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="forward only" breaks="gradients" says="the number of gradients"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, []

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, []

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="ReLU after the last layer" breaks="losses" says="There is a ReLU after the last layer"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers)

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(torch.relu(H @ weights[-1] + biases[-1]), y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="the sum for the mean" breaks="losses" says="sum over the examples"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y, reduction='sum')
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y, reduction='sum')
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="all weights, then all biases" breaks="gradients" says="the gradient for b1"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, weights + biases))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="gradients add up" breaks="gradients" says="adds up"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        loss.backward()
        return loss, [p.grad for p in net.parameters()]

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="a step changes the parameters" breaks="losses" says="a step must change no parameter"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        gradients = torch.autograd.grad(loss, list(net.parameters()))
        with torch.no_grad():
            for p, g in zip(net.parameters(), gradients):
                p -= 0.1 * g
        return loss, list(gradients)

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="products in both" breaks="layers are used" says="how often a call of 'layers'"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": lambda: (scratch()[0], [g.T if g.ndim == 2 else g for g in scratch()[1]])}

# %% wrong="5.2.6b" why="layers in both" breaks="layers are used" says="how often a call of 'scratch'"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": lambda: (concise_step()[0], [g.T if g.ndim == 2 else g for g in concise_step()[1]]), "layers": concise_step}

# %% wrong="5.2.6b" why="marks the caller's tensors" breaks="arguments kept" says="require a gradient"
def make_steps(Ws, bs, X, y):
    weights = [W.requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}

# %% wrong="5.2.6b" why="gradients of the layers transposed back" breaks="gradients" says="This is its transpose: hand over"
def make_steps(Ws, bs, X, y):
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, [g.T for g in torch.autograd.grad(loss, list(net.parameters()))]

    return {"scratch": scratch, "layers": concise_step}

# %% right="5.2.7" how="rand, a generator of times"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        pair = torch.rand(2, n, n)

        def once():
            before = clock()
            multiply(pair[0], pair[1])
            return clock() - before

        once()
        best = min(once() for _ in range(repeats))
        rows.append({"gflops": 2e-9 * n ** 3 / best, "seconds": best, "n": n})
    return rows

# %% right="5.2.7" how="marks in a list"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        A, B, marks = torch.randn(n, n), torch.randn(n, n), []
        for _ in range(repeats + 1):
            multiply(A, B)
            marks.append(clock())
        best = min(later - earlier for earlier, later in zip(marks, marks[1:]))
        rows.append(dict(n=n, seconds=best, gflops=n * n * n / best / 5e8))
    return rows

# %% wrong="5.2.7" why="element-wise product" breaks="matrices" says="multiply is called"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        A * B
        times = []
        for _ in range(repeats):
            start = clock()
            A * B
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="the same matrix twice" breaks="matrices" says="draw a second matrix"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, A)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, A)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="float64" breaks="matrices" says="the dtypes of the matrices"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n, dtype=torch.float64), torch.randn(n, n, dtype=torch.float64)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="matrices of ones" breaks="matrices" says="hold random numbers"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.ones(n, n), torch.ones(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="the mean" breaks="shortest" says="This is the mean, not the shortest"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": sum(times) / repeats, "gflops": 2 * n ** 3 / (sum(times) / repeats) / 1e9})
    return table

# %% wrong="5.2.7" why="the median" breaks="shortest" says="This is the median, not the shortest"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": sorted(times)[repeats // 2], "gflops": 2 * n ** 3 / sorted(times)[repeats // 2] / 1e9})
    return table

# %% wrong="5.2.7" why="one cold shot" breaks="warm-up" says="how often multiply is called"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        times = []
        for _ in range(1):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="no warm-up" breaks="warm-up" says="how often multiply is called"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="the first call counts" breaks="warm-up" says="it does not count"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        times = []
        for _ in range(repeats + 1):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="n³ operations" breaks="rate" says="Each product and each addition counts"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="operations a second" breaks="rate" says="The unit is 10"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times)})
    return table

# %% wrong="5.2.7" why="the time of all repeats" breaks="shortest" says="all products together"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": sum(times), "gflops": 2 * n ** 3 / sum(times) / 1e9})
    return table

# %% wrong="5.2.7" why="milliseconds" breaks="shortest" says="not in milliseconds"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": 1000 * min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="sorted sizes" breaks="rows" says="the sizes of the rows"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sorted(sizes):
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table

# %% wrong="5.2.7" why="rate of the mean time" breaks="rate" says="belongs to the shortest time"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / (sum(times) / repeats) / 1e9})
    return table

# %% wrong="5.2.2a" why="the absolute value in place of ReLU" breaks="ReLU between" says="the outputs for"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = (H @ W + b).abs()
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="ReLU before each layer, the first too" breaks="ReLU between" says="the outputs for"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws, bs):
        H = torch.relu(H) @ W + b
    return H

# %% wrong="5.2.2b" why="leaky relu" breaks="ReLU between" says="the outputs of make_mlp"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.LeakyReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="one layer, used several times, for equal sizes" breaks="parameters" says="the shapes of the parameters"
def make_mlp(sizes):
    layers, made = [nn.Flatten()], {}
    for n, m in zip(sizes, sizes[1:]):
        layers += [made.setdefault((n, m), nn.Linear(n, m)), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.D" why="sums both directions" breaks="off the diagonal" says="most_confused of"
def most_confused(confusion):
    c = confusion + confusion.T
    c = c - 10**6 * torch.eye(len(c), dtype=c.dtype)
    p = c.argmax().item()
    return p // len(c), p % len(c)

# %% wrong="5.2.10" why="one too many" breaks="at most k" says="one row too many"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort(descending=True)][:k + 1]

# %% wrong="5.2.10" why="a column of row numbers" breaks="tensor" says="the number of axes"
def worst_mistakes(logits, y, k):
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero()
    return wrong[losses[wrong.flatten()].argsort(descending=True)][:k]

# %% wrong="5.2.1" why="parameters of one hidden layer" breaks="parameters" says="the number of parameters for width 20"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, loss = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": (X.shape[1] + 1) * width + 3 * (width + 1), "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.4" why="the middle of lowest and highest for the mean" breaks="mean" says="mean for rate"
def lr_sweep(rates, config, points, seeds):
    table = []
    for lr in rates:
        runs = [run({**config, "lr": lr}, points, s) for s in seeds]
        a = [accuracy(n, *points[2:]) for n, _ in runs]
        table.append({"lr": lr, "mean": (min(a) + max(a)) / 2, "low": min(a), "high": max(a), "diverged": sum(not math.isfinite(l) for _, l in runs)})
    return table

# %% wrong="5.2.9a" why="truncated normal draws" breaks="standard deviation" says="the standard deviation of the weights"
def initialise(net, scheme):
    for l in net.modules():
        if isinstance(l, nn.Linear):
            a, b = l.in_features, l.out_features
            s = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            if s:
                nn.init.trunc_normal_(l.weight, std=s, a=-2 * s, b=2 * s)
            else:
                nn.init.zeros_(l.weight)
            if l.bias is not None:
                nn.init.zeros_(l.bias)

# %% wrong="5.2.9a" why="a mean that is not 0" breaks="normal draws" says="the mean of the weights"
def initialise(net, scheme):
    for l in net.modules():
        if isinstance(l, nn.Linear):
            a, b = l.in_features, l.out_features
            s = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(l.weight, mean=s / 2, std=s)
            if l.bias is not None:
                nn.init.zeros_(l.bias)

# %% wrong="5.2.9b" why="the gradient on the validation part" breaks="first gradient" says="first_gradient for std"
def scale_table(stds, config, points, seed):
    table = []
    for std in stds:
        c = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], c)
        g, = torch.autograd.grad(F.cross_entropy(net(points[2]), points[3]), [net[0].weight])
        t, l = run(c, points, seed)
        table.append({"std": std, "first_gradient": g.norm().item(), "train_loss": l, "val_acc": accuracy(t, *points[2:])})
    return table

# %% wrong="5.2.9b" why="no seed before the network for the gradient" breaks="first gradient" says="first_gradient for std"
def scale_table(stds, config, points, seed):
    table = []
    for std in stds:
        c = {**config, "std": std}
        net = make_net(points[0].shape[1], c)
        g, = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), [net[0].weight])
        t, l = run(c, points, seed)
        table.append({"std": std, "first_gradient": g.norm().item(), "train_loss": l, "val_acc": accuracy(t, *points[2:])})
    return table

# %% wrong="5.2.5a" why="the widths in turn" breaks="independent" says="Draw each configuration at random"
def draw_configs(n, seed):
    rng = random.Random(seed)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": [4, 8, 16, 32][i % 4], "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)} for i in range(n)]

# %% wrong="5.2.5a" why="a normal exponent, clipped" breaks="learning rate" says="do not clip"
def draw_configs(n, seed):
    rng = random.Random(seed)
    return [{"lr": 10 ** min(0, max(-2, rng.gauss(-1, 0.6))), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)} for i in range(n)]

# %% wrong="5.2.5b" why="validation and test part choose together" breaks="best" says="The test part must not choose"
def search(configs, points, seed):
    nets = [run(c, points, seed)[0] for c in configs]
    v = [accuracy(n, *points[2:4]) for n in nets]
    t = [accuracy(n, *points[4:]) for n in nets]
    b = max(range(len(v)), key=lambda i: v[i] + t[i])
    return {"val_acc": v, "best": b, "test_acc": t[b]}

# %% wrong="5.2.7" why="the mean of all, measured at once" breaks="shortest" says="This is the mean"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        s = clock()
        for _ in range(repeats):
            multiply(A, B)
        t = (clock() - s) / repeats
        table.append({"n": n, "seconds": t, "gflops": 2 * n ** 3 / t / 1e9})
    return table

# %% right="5.2.2a" how="F.linear, a mask for the ReLU"
def mlp_forward(X, Ws, bs):
    H = X.flatten(start_dim=1)
    last = len(Ws) - 1
    for i, W in enumerate(Ws):
        H = nn.functional.linear(H, W.T, bs[i])
        if i != last:
            H = H * (H > 0)
    return H

# %% right="5.2.B" how="pairwise comparison"
def different_units(W1, b1):
    seen = []
    for k in range(W1.shape[1]):
        unit = torch.cat([W1[:, k], b1[k:k + 1]])
        if not any(torch.equal(unit, s) for s in seen):
            seen.append(unit)
    return len(seen)

# %% right="5.2.D" how="torch.where, tensors in the pair"
def most_confused(confusion):
    off = ~torch.eye(len(confusion), dtype=torch.bool)
    m = torch.where(off, confusion, -1)
    i = m.max(dim=1).values.argmax()
    return i, m[i].argmax()

# %% right="5.2.10" how="loss times mask"
def worst_mistakes(logits, y, k):
    loss = F.cross_entropy(logits, y, reduction="none") * (logits.argmax(1) != y)
    order = loss.argsort(descending=True)
    return order[loss[order] > 0][:k]

# %% right="5.2.2b" how="append, lazy layers"
def make_mlp(sizes):
    net = nn.Sequential(nn.Flatten())
    for k, m in enumerate(sizes[1:], 1):
        net.append(nn.LazyLinear(m))
        if k < len(sizes) - 1:
            net.append(nn.ReLU())
    return net

# %% wrong="5.2.A" why="equal layers counted once" breaks="any depth" says="Layers of equal sizes count"
def count_parameters(sizes):
    return sum(a * b + b for a, b in set(zip(sizes, sizes[1:])))

# %% wrong="5.2.A" why="one bias for each layer" breaks="one hidden layer" says="a bias for each of its outputs, not one"
def count_parameters(sizes):
    return sum(a * b + 1 for a, b in zip(sizes, sizes[1:]))

# %% wrong="5.2.B" why="as functions up to a factor" breaks="units are columns" says="A multiple of a unit"
def different_units(W1, b1):
    M = torch.cat([W1, b1[None]])
    return (M / (M.norm(dim=0) + 1e-12)).unique(dim=1).shape[1]

# %% wrong="5.2.B" why="nearly equal counts as equal" breaks="units are columns" says="compare exactly"
def different_units(W1, b1):
    units, kept = torch.cat([W1, b1[None]]).T, []
    for u in units:
        if not any(torch.allclose(u, v, atol=1e-3) for v in kept):
            kept.append(u)
    return len(kept)

# %% wrong="5.2.B" why="bias added to the weights" breaks="biases" says="Add nothing up"
def different_units(W1, b1):
    return (W1 + b1).unique(dim=1).shape[1]

# %% wrong="5.2.B" why="sums as fingerprints" breaks="units are columns" says="A sum does not tell"
def different_units(W1, b1):
    return len({(w.sum().item(), b.item()) for w, b in zip(W1.T, b1)})

# %% wrong="5.2.2a" why="at most three hidden layers" breaks="any number of layers" says="seven layers"
def mlp_forward(X, Ws, bs):
    H = X.flatten(1)
    for W, b in zip(Ws[:-1][:3], bs[:-1][:3]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2a" why="scales the biases in place by a little" breaks="arguments kept" says="Ws and bs after"
def mlp_forward(X, Ws, bs):
    H = X.flatten(1)
    for i in range(len(Ws)):
        H = H @ Ws[i]
        H += bs[i]
        if i < len(Ws) - 1:
            H.clamp_(min=0)
        bs[i].mul_(1.0001)
    return H

# %% wrong="5.2.2a" why="last bias missing" breaks="ReLU between" says="The last layer has a bias, too"
def mlp_forward(X, Ws, bs):
    H = X.flatten(1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1]

# %% wrong="5.2.2b" why="a seed of its own in each call" breaks="new each time" says="set no seed of your own"
def make_mlp(sizes):
    torch.manual_seed(0)
    layers = [nn.Flatten()]
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.2b" why="softmax at the end" breaks="ReLU between" says="No softmax at the end"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    layers[-1] = nn.Softmax(dim=1)
    return nn.Sequential(*layers)

# %% wrong="5.2.2b" why="dropout between" breaks="ReLU between" says="no dropout"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(0.5)]
    return nn.Sequential(*layers[:-2])

# %% wrong="5.2.D" why="diagonal minus 1000 only" breaks="off the diagonal" says="The diagonal holds what was right"
def most_confused(confusion):
    c = confusion - 1000 * torch.eye(len(confusion))
    p = c.argmax().item()
    return p // len(c), p % len(c)

# %% wrong="5.2.D" why="row by true division" breaks="true class first" says="p / k leaves a fraction"
def most_confused(confusion):
    c = confusion.clone()
    c.fill_diagonal_(-1)
    p = c.argmax().item()
    return p / len(c), p % len(c)

# %% wrong="5.2.D" why="largest share of its row" breaks="off the diagonal" says="not the largest share of its class"
def most_confused(confusion):
    c = confusion / confusion.sum(dim=1, keepdim=True).clamp(min=1)
    c.fill_diagonal_(-1)
    p = c.argmax().item()
    return p // len(c), p % len(c)

# %% wrong="5.2.10" why="log of softmax: infinite losses are ties" breaks="worst first" says="F.cross_entropy takes the scores"
def worst_mistakes(logits, y, k):
    loss = -logits.softmax(dim=1).log()[range(len(y)), y]
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[loss[wrong].argsort(descending=True)][:k]

# %% wrong="5.2.10" why="padded to k with -1" breaks="at most k" says="There is no row -1"
def worst_mistakes(logits, y, k):
    loss = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    found = wrong[loss[wrong].argsort(descending=True)][:k]
    return torch.cat([found, torch.full((k - len(found),), -1)])

# %% wrong="5.2.E" why="with a margin of 0.005" breaks="a better" says="compare_runs([0.9012"
def compare_runs(a, b):
    if min(a) - max(b) > 0.005:
        return "a"
    return "b" if min(b) - max(a) > 0.005 else "open"

# %% wrong="5.2.1" why="activation and std of the configuration lost" breaks="rest of the configuration" says="Keep the entry"
def width_sweep(widths, config, points, seed):
    rows = []
    for w in widths:
        net, loss = run({"width": w, "depth": config["depth"], "lr": config["lr"], "epochs": config["epochs"]}, points, seed)
        rows.append({"width": w, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": accuracy(net, *points[:2]), "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.1" why="accuracies rounded to two decimals" breaks="training accuracy" says="Do not round"
def width_sweep(widths, config, points, seed):
    rows = []
    for w in widths:
        net, loss = run({**config, "width": w}, points, seed)
        rows.append({"width": w, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": round(accuracy(net, *points[:2]), 2), "val_acc": round(accuracy(net, *points[2:]), 2)})
    return rows

# %% wrong="5.2.1" why="one row for each different width" breaks="rows" says="the number of rows"
def width_sweep(widths, config, points, seed):
    rows = {}
    for w in widths:
        net, loss = run({**config, "width": w}, points, seed)
        rows[w] = {"width": w, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": accuracy(net, *points[:2]), "val_acc": accuracy(net, *points[2:])}
    return list(rows.values())

# %% wrong="5.2.1" why="accuracies in percent" breaks="validation accuracy" says="not a percentage"
def width_sweep(widths, config, points, seed):
    rows = []
    for w in widths:
        net, loss = run({**config, "width": w}, points, seed)
        rows.append({"width": w, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": 100 * accuracy(net, *points[:2]), "val_acc": 100 * accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.4" why="runs that diverge are left out of the accuracies" breaks="mean" says="All these runs diverge"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for r in rates:
        values, bad = [], 0
        for s in seeds:
            net, loss = run({**config, "lr": r}, points, s)
            if math.isfinite(loss):
                values.append(accuracy(net, *points[2:]))
            else:
                bad += 1
        rows.append({"lr": r, "mean": sum(values) / max(len(values), 1), "low": min(values, default=0.0), "high": max(values, default=0.0), "diverged": bad})
    return rows

# %% wrong="5.2.4" why="runs that diverge count as nan" breaks="mean" says="All these runs diverge"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for r in rates:
        made = [run({**config, "lr": r}, points, s) for s in seeds]
        values = [accuracy(net, *points[2:]) if math.isfinite(loss) else math.nan for net, loss in made]
        rows.append({"lr": r, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": sum(not math.isfinite(l) for _, l in made)})
    return rows

# %% wrong="5.2.4" why="rounded to two decimals" breaks="mean" says="Do not round"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for r in rates:
        made = [run({**config, "lr": r}, points, s) for s in seeds]
        values = [accuracy(net, *points[2:]) for net, loss in made]
        rows.append({"lr": r, "mean": round(sum(values) / len(values), 2), "low": round(min(values), 2), "high": round(max(values), 2), "diverged": sum(not math.isfinite(l) for _, l in made)})
    return rows

# %% wrong="5.2.4" why="activation and std lost" breaks="rest of the configuration" says="Keep the entry"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for r in rates:
        made = [run({"width": config["width"], "depth": config["depth"], "epochs": config["epochs"], "lr": r}, points, s) for s in seeds]
        values = [accuracy(net, *points[2:]) for net, loss in made]
        rows.append({"lr": r, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": sum(not math.isfinite(l) for _, l in made)})
    return rows

# %% wrong="5.2.8" why="part of a name is enough" breaks="unknown name" says="no part of one"
def best_rates(names, rates, config, points, seed):
    found = {}
    for name in names:
        if name not in "relu sigmoid tanh identity":
            raise ValueError(f"unknown: {name!r}")
        kind = nn.ReLU if name == "relu" else nn.Sigmoid if name == "sigmoid" else nn.Tanh if name == "tanh" else nn.Identity
        values = [accuracy(run({**config, "activation": kind, "lr": r}, points, seed)[0], *points[2:]) for r in rates]
        found[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return found

# %% wrong="5.2.8" why="further functions are known" breaks="unknown name" says="no other function"
def best_rates(names, rates, config, points, seed):
    found = {}
    for name in names:
        kind = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "gelu": nn.GELU, "softplus": nn.Softplus, "identity": nn.Identity}.get(name)
        if kind is None:
            raise ValueError(f"unknown: {name!r}")
        values = [accuracy(run({**config, "activation": kind, "lr": r}, points, seed)[0], *points[2:]) for r in rates]
        found[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return found

# %% wrong="5.2.8" why="rounded, so that nearly equal rates are equal" breaks="accuracy" says="Do not round"
KINDS = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
def best_rates(names, rates, config, points, seed):
    found = {}
    for name in names:
        if name not in KINDS:
            raise ValueError(f"unknown: {name!r}")
        values = [round(accuracy(run({**config, "activation": KINDS[name], "lr": r}, points, seed)[0], *points[2:]), 2) for r in rates]
        found[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return found

# %% wrong="5.2.8" why="std of config lost" breaks="rest of the configuration" says="Keep the entry"
KINDS = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
def best_rates(names, rates, config, points, seed):
    found = {}
    for name in names:
        if name not in KINDS:
            raise ValueError(f"unknown: {name!r}")
        values = [accuracy(run({"width": config["width"], "depth": config["depth"], "epochs": config["epochs"], "activation": KINDS[name], "lr": r}, points, seed)[0], *points[2:]) for r in rates]
        found[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return found

# %% wrong="5.2.9a" why="new parameters in place of the old ones" breaks="in place" says="still the same nn.Parameter"
def initialise(net, scheme):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            a, b = m.in_features, m.out_features
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            m.weight = nn.Parameter(torch.randn(b, a) * std)
            if m.bias is not None:
                m.bias = nn.Parameter(torch.zeros(b))

# %% wrong="5.2.9a" why="misses net itself where it is a linear layer" breaks="inner layers" says="gives net itself"
def initialise(net, scheme):
    for m in net.children():
        if isinstance(m, nn.Linear):
            a, b = m.in_features, m.out_features
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(m.weight, std=std)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        initialise(m, scheme)

# %% wrong="5.2.9a" why="two levels only" breaks="inner layers" says="four modules deep"
def initialise(net, scheme):
    for m in [*net.children(), *[k for c in net.children() for k in c.children()]]:
        if isinstance(m, nn.Linear):
            a, b = m.in_features, m.out_features
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(m.weight, std=std)
            if m.bias is not None:
                nn.init.zeros_(m.bias)

# %% wrong="5.2.9a" why="every matrix, also of an embedding or a convolution" breaks="other modules" says="layer inside net keeps its numbers"
def initialise(net, scheme):
    for m in net.modules():
        w = getattr(m, "weight", None)
        if w is not None and w.ndim >= 2:
            b, a = w.shape[:2]
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(w, std=std)
            if getattr(m, "bias", None) is not None:
                nn.init.zeros_(m.bias)

# %% wrong="5.2.9a" why="weights frozen afterwards" breaks="in place" says="still require a gradient"
def initialise(net, scheme):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            a, b = m.in_features, m.out_features
            std = {"zeros": 0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            m.weight.requires_grad_(False).normal_(0, std) if std else m.weight.requires_grad_(False).zero_()
            if m.bias is not None:
                m.bias.requires_grad_(False).zero_()

# %% wrong="5.2.9b" why="activation of the configuration lost" breaks="rest of the configuration" says="Keep the entry"
def scale_table(stds, config, points, seed):
    rows = []
    for s in stds:
        c = {"width": config["width"], "depth": config["depth"], "lr": config["lr"], "epochs": config["epochs"], "std": s}
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], c)
        g = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), [net[0].weight])[0]
        net, loss = run(c, points, seed)
        rows.append({"std": s, "first_gradient": g.norm().item(), "train_loss": loss, "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.9b" why="the loss after the last epoch" breaks="training loss" says="Take the loss that `run` returns"
def scale_table(stds, config, points, seed):
    rows = []
    for s in stds:
        c = {**config, "std": s}
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], c)
        g = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), [net[0].weight])[0]
        net, loss = run(c, points, seed)
        rows.append({"std": s, "first_gradient": g.norm().item(), "train_loss": F.cross_entropy(net(points[0]), points[1]).item(), "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.9b" why="norm over all parameters" breaks="first gradient" says="not all parameters"
def scale_table(stds, config, points, seed):
    rows = []
    for s in stds:
        c = {**config, "std": s}
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], c)
        g = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), list(net.parameters()))
        net, loss = run(c, points, seed)
        rows.append({"std": s, "first_gradient": torch.cat([t.flatten() for t in g]).norm().item(), "train_loss": loss, "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.F" why="clamped between 0.001 and 100" breaks="between" says="log_uniform(0.9, 1e-07"
def log_uniform(u, low, high):
    return min(max(low * (high / low) ** u, 0.001), 100)

# %% wrong="5.2.5a" why="depth follows width without a trend" breaks="independent" says="as often as chance has it"
import random
def draw_configs(n, seed):
    r = random.Random(seed)
    rows = []
    for _ in range(n):
        w = r.choice([4, 8, 16, 32])
        rows.append({"lr": 10 ** r.uniform(-2, 0), "width": w, "depth": 1 if w in (4, 32) else 2, "epochs": r.randint(5, 20)})
    return rows

# %% wrong="5.2.5a" why="seed + i for configuration i" breaks="seed" says="no configuration in common"
import random
def draw_configs(n, seed):
    rows = []
    for i in range(n):
        r = random.Random(seed + i)
        rows.append({"lr": 10 ** r.uniform(-2, 0), "width": r.choice([4, 8, 16, 32]), "depth": r.choice([1, 2]), "epochs": r.randint(5, 20)})
    return rows

# %% wrong="5.2.5a" why="each configuration twice" breaks="independent" says="Draw each configuration anew"
import random
def draw_configs(n, seed):
    r, rows = random.Random(seed), []
    while len(rows) < n:
        c = {"lr": 10 ** r.uniform(-2, 0), "width": r.choice([4, 8, 16, 32]), "depth": r.choice([1, 2]), "epochs": r.randint(5, 20)}
        rows += [c, dict(c)]
    return rows[:n]

# %% wrong="5.2.5b" why="rounded to two decimals" breaks="validation accuracies" says="Do not round"
def search(configs, points, seed):
    nets = [run(c, points, seed)[0] for c in configs]
    values = [round(accuracy(n, *points[2:4]), 2) for n in nets]
    best = values.index(max(values))
    return {"val_acc": values, "best": best, "test_acc": round(accuracy(nets[best], *points[4:]), 2)}

# %% wrong="5.2.5b" why="activation and std of a configuration lost" breaks="validation accuracies" says="Keep the entry"
def search(configs, points, seed):
    nets = [run({k: c[k] for k in ("lr", "width", "depth", "epochs")}, points, seed)[0] for c in configs]
    values = [accuracy(n, *points[2:4]) for n in nets]
    best = values.index(max(values))
    return {"val_acc": values, "best": best, "test_acc": accuracy(nets[best], *points[4:])}

# %% wrong="5.2.5b" why="best by training loss" breaks="best" says="best for four"
def search(configs, points, seed):
    made = [run(c, points, seed) for c in configs]
    values = [accuracy(n, *points[2:4]) for n, _ in made]
    best = min(range(len(made)), key=lambda i: made[i][1])
    return {"val_acc": values, "best": best, "test_acc": accuracy(made[best][0], *points[4:])}

# %% wrong="5.2.6a" why="rounded to milliseconds" breaks="median" says="Do not round"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        t = clock()
        step()
        times.append(clock() - t)
    return round(sorted(times)[repeats // 2], 3)

# %% wrong="5.2.6b" why="one call made, its result handed out again and again" breaks="work" says="a result that is kept costs no time"
def make_steps(Ws, bs, X, y):
    ps = [t.clone().requires_grad_() for p in zip(Ws, bs) for t in p]
    layers = [nn.Linear(*W.shape) for W in Ws]
    for l, W, b in zip(layers, Ws, bs):
        l.weight.data.copy_(W.T)
        l.bias.data.copy_(b)
    net = nn.Sequential(*[m for l in layers for m in (l, nn.ReLU())][:-1])
    H = X
    for i in range(0, len(ps), 2):
        H = (torch.relu(H) if i else H) @ ps[i] + ps[i + 1]
    loss = F.cross_entropy(H, y)
    ready = loss.item(), list(torch.autograd.grad(loss, ps))
    def lib():
        loss = F.cross_entropy(net(X), y)
        return loss.item(), list(torch.autograd.grad(loss, list(net.parameters())))
    return {"scratch": lambda: ready, "layers": lib}

# %% wrong="5.2.6b" why="results, not functions" breaks="losses" says="A function without arguments"
def make_steps(Ws, bs, X, y):
    ps = [t.clone().requires_grad_() for p in zip(Ws, bs) for t in p]
    H = X
    for i in range(0, len(ps), 2):
        H = (torch.relu(H) if i else H) @ ps[i] + ps[i + 1]
    loss = F.cross_entropy(H, y)
    pair = loss.item(), list(torch.autograd.grad(loss, ps))
    return {"scratch": pair, "layers": pair}

# %% wrong="5.2.7" why="matrices made within the measured time" breaks="shortest" says="made while the clock runs"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        multiply(torch.randn(n, n), torch.randn(n, n))
        times = []
        for _ in range(repeats):
            t = clock()
            multiply(torch.randn(n, n), torch.randn(n, n))
            times.append(clock() - t)
        rows.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return rows

# %% wrong="5.2.7" why="not random: counted up" breaks="matrices" says="none tells the next"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        A = torch.arange(n * n, dtype=torch.float32).reshape(n, n)
        B = A + 0.5
        multiply(A, B)
        times = []
        for _ in range(repeats):
            t = clock()
            multiply(A, B)
            times.append(clock() - t)
        rows.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return rows

# %% wrong="5.2.7" why="one matrix and its transpose" breaks="matrices" says="nor its transpose"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        A = torch.randn(n, n)
        multiply(A, A.T)
        times = []
        for _ in range(repeats):
            t = clock()
            multiply(A, A.T)
            times.append(clock() - t)
        rows.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return rows

# %% right="5.2.7" how="new matrices for each call, made before the clock"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        best = float("inf")
        for i in range(repeats + 1):
            A, B = torch.randn(n, n), torch.randn(n, n)
            before = clock()
            multiply(A, B)
            spent = clock() - before
            if i:
                best = min(best, spent)
        rows.append({"n": n, "seconds": best, "gflops": 2 * n ** 3 / (best * 1e9)})
    return rows

# %% right="5.2.10" how="sort all, then filter"
def worst_mistakes(logits, y, k):
    order = F.cross_entropy(logits, y, reduction="none").sort(descending=True).indices
    return order[logits[order].argmax(dim=1) != y[order]][:k]

# %% right="5.2.9b" how="epochs 0 by run"
def scale_table(stds, config, points, seed):
    rows = []
    for s in stds:
        start, _ = run({**config, "std": s, "epochs": 0}, points, seed)
        F.cross_entropy(start(points[0]), points[1]).backward()
        net, loss = run({**config, "std": s}, points, seed)
        rows.append(dict(std=s, first_gradient=torch.linalg.norm(next(start.parameters()).grad), train_loss=loss, val_acc=accuracy(net, *points[2:])))
    return rows

# %% right="5.2.4" how="tensors"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for r in rates:
        nets, losses = zip(*(run(dict(config, lr=r), points[:2], s) for s in seeds))
        v = torch.tensor([accuracy(net, points[2], points[3]) for net in nets], dtype=torch.float64)
        rows.append({"lr": r, "mean": v.mean().item(), "low": v.min().item(), "high": v.max().item(), "diverged": int((~torch.tensor(losses).isfinite()).sum())})
    return rows

# %% right="5.2.D" how="numpy unravel"
import numpy as np
def most_confused(confusion):
    c = confusion.numpy().copy()
    np.fill_diagonal(c, -1)
    return np.unravel_index(c.argmax(), c.shape)

# %% right="5.2.B" how="numpy unique"
import numpy as np
def different_units(W1, b1):
    return np.unique(np.vstack([W1.numpy(), b1.numpy()]), axis=1).shape[1]

# %% right="5.2.9a" how="no_grad copy"
@torch.no_grad()
def initialise(net, scheme):
    for m in net.modules():
        if not isinstance(m, nn.Linear):
            continue
        m.weight.normal_()
        m.weight *= {"zeros": lambda a, b: 0.0, "normal": lambda a, b: 0.01, "xavier": lambda a, b: math.sqrt(2 / (a + b)), "kaiming": lambda a, b: math.sqrt(2 / a)}[scheme](m.in_features, m.out_features)
        if m.bias is not None:
            m.bias -= m.bias.clone()

# %% right="5.2.9a" how="data"
def initialise(net, scheme):
    for m in net.modules():
        if type(m) is nn.Linear:
            b, a = m.weight.shape
            std = math.sqrt({"zeros": 0, "normal": 1e-4, "xavier": 2 / (a + b), "kaiming": 2 / a}[scheme])
            m.weight.data = std * torch.randn(b, a)
            if m.bias is not None:
                m.bias.data.fill_(0)

# %% right="5.2.5a" how="global seed, lists of draws"
import random
def draw_configs(n, seed):
    random.seed(seed)
    lrs = [math.exp(random.uniform(math.log(0.01), 0)) for _ in range(n)]
    ws, ds, es = random.choices([4, 8, 16, 32], k=n), random.choices((1, 2), k=n), random.choices(range(5, 21), k=n)
    return [dict(lr=a, width=b, depth=c, epochs=d) for a, b, c, d in zip(lrs, ws, ds, es)]

# %% right="5.2.2b" how="one ReLU object, in place"
def make_mlp(sizes):
    bend, layers = nn.ReLU(inplace=True), []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), bend]
    return nn.Sequential(nn.Flatten(), nn.Sequential(*layers[:-1]))

# %% wrong="5.2.8" why="LeakyReLU for ReLU" breaks="activation" says="not nn.LeakyReLU"
def best_rates(names, rates, config, points, seed):
    known = {"relu": nn.LeakyReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    for name in names:
        if name not in known:
            raise ValueError(f"no activation function {name}")
    result = {}
    for name in names:
        values = [accuracy(run({**config, "activation": known[name], "lr": rate}, points, seed)[0], *points[2:]) for rate in rates]
        result[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return result

# %% wrong="5.2.5a" why="rates from an eightieth on" breaks="learning rate" says="the share of rates below 0.013"
def draw_configs(n, seed):
    import random
    rng = random.Random(seed)
    return [{"lr": 9 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.randint(1, 2), "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.E" why="best against best, worst against worst" breaks="open" says="is not enough"
def compare_runs(a, b):
    if min(a) > min(b) and max(a) > max(b):
        return "a"
    if min(b) > min(a) and max(b) > max(a):
        return "b"
    return "open"

# %% wrong="5.2.A" why="one product of all sizes" breaks="one hidden layer" says="Multiply neighbours only"
def count_parameters(sizes):
    return math.prod(sizes) + sum(sizes[1:])

# %% wrong="5.2.B" why="counts units that occur once alone" breaks="units are columns" says="once each"
def different_units(W1, b1):
    _, counts = torch.cat([W1, b1[None, :]]).unique(dim=1, return_counts=True)
    return int((counts == 1).sum())

# %% wrong="5.2.B" why="subtracts each pair of equal units" breaks="units are columns" says="make three pairs"
def different_units(W1, b1):
    k, equal = len(b1), 0
    for i in range(k):
        for j in range(i + 1, k):
            if torch.equal(W1[:, i], W1[:, j]) and b1[i] == b1[j]:
                equal += 1
    return k - equal

# %% wrong="5.2.2a" why="a ReLU after the first layer alone" breaks="any number of layers" says="not the first alone"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for i, (W, b) in enumerate(zip(Ws, bs)):
        H = H @ W + b
        if i == 0 and len(Ws) > 1:
            H = torch.relu(H)
    return H

# %% wrong="5.2.C" why="a ReLU before each linear layer" breaks="ReLU between" says="No ReLU before the first layer"
def layer_names(sizes):
    return ["Flatten"] + ["ReLU", "Linear"] * (len(sizes) - 1)

# %% wrong="5.2.2b" why="a default list in which the layers of all calls pile up" breaks="new each time" says="equally many parameters"
def make_mlp(sizes, layers=[nn.Flatten()]):
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)

# %% wrong="5.2.D" why="looks for the largest count by its value, on the diagonal, too" breaks="off the diagonal" says="one and the same entry"
def most_confused(confusion):
    off = confusion - torch.diag(confusion.diag())
    place = (confusion == off.max()).nonzero()[0]
    return place[0].item(), place[1].item()

# %% wrong="5.2.D" why="the count with the pair" breaks="true class first" says="without the count"
def most_confused(confusion):
    best = (0, 0, -1)
    for i in range(len(confusion)):
        for j in range(len(confusion)):
            if i != j and confusion[i, j] > best[2]:
                best = (i, j, confusion[i, j].item())
    return best

# %% wrong="5.2.10" why="sorts by the margin" breaks="worst first" says="how far the true class is below"
def worst_mistakes(logits, y, k):
    rows = (logits.argmax(dim=1) != y).nonzero().flatten()
    margin = logits.max(dim=1).values - logits[torch.arange(len(y)), y]
    return rows[margin[rows].argsort(descending=True)][:k]

# %% wrong="5.2.10" why="squeezes: a single mistake loses its axis" breaks="at most k" says="the last alone is misclassified"
def worst_mistakes(logits, y, k):
    rows = (logits.argmax(dim=1) != y).nonzero().squeeze()
    losses = F.cross_entropy(logits[rows], y[rows], reduction="none")
    return rows[losses.argsort(descending=True)[:k]]

# %% wrong="5.2.E" why="never open" breaks="open" says="neither is better"
def compare_runs(a, b):
    return "a" if min(a) > max(b) else "b"

# %% wrong="5.2.1" why="activation of the configuration lost, std kept" breaks="rest of the configuration" says="Keep the entry"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for width in widths:
        new = {"width": width, "depth": config["depth"], "lr": config["lr"], "epochs": config["epochs"]}
        if "std" in config:
            new["std"] = config["std"]
        net, _ = run(new, points, seed)
        rows.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.3" why="the inputs limit the rank, too" breaks="earlier bottlenecks" says="The number of inputs does not limit"
def logit_rank(sizes, n):
    return min(n, sizes[0], sizes[-2], sizes[-1])

# %% wrong="5.2.4" why="values are never emptied" breaks="mean" says="Begin anew for each rate"
def lr_sweep(rates, config, points, seeds):
    rows, values, diverged = [], [], 0
    for lr in rates:
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        rows.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return rows

# %% wrong="5.2.4" why="activation of the configuration lost, std kept" breaks="rest of the configuration" says="Keep the entry"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for lr in rates:
        new = {key: value for key, value in config.items() if key in ("width", "depth", "epochs", "std")}
        made = [run({**new, "lr": lr}, points, seed) for seed in seeds]
        values = [accuracy(net, *points[2:]) for net, _ in made]
        rows.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": sum(not math.isfinite(loss) for _, loss in made)})
    return rows

# %% wrong="5.2.8" why="the best is carried over to the next name" breaks="activation" says="begin the search anew"
def best_rates(names, rates, config, points, seed):
    classes = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result, best_lr, best = {}, None, -1.0
    for name in names:
        if name not in classes:
            raise ValueError(f"unknown: {name!r}")
        for lr in rates:
            value = accuracy(run({**config, "activation": classes[name], "lr": lr}, points, seed)[0], *points[2:])
            if value > best:
                best_lr, best = lr, value
        result[name] = {"lr": best_lr, "val_acc": best}
    return result

# %% wrong="5.2.8" why="a seed for each rate" breaks="rest of the configuration" says="The seed is the same for each rate"
def best_rates(names, rates, config, points, seed):
    classes = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in classes:
            raise ValueError(f"unknown: {name!r}")
        values = [accuracy(run({**config, "activation": classes[name], "lr": lr}, points, seed + i)[0], *points[2:]) for i, lr in enumerate(rates)]
        result[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return result

# %% wrong="5.2.9a" why="the standard deviation of the first layer for all" breaks="standard deviation" says="for the first layer"
def initialise(net, scheme):
    std = None
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            if std is None:
                a, b = layer.in_features, layer.out_features
                std = {"zeros": 0.0, "normal": 0.01, "xavier": math.sqrt(2 / (a + b)), "kaiming": math.sqrt(2 / a)}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

# %% wrong="5.2.9b" why="the gradient on the first 30 rows" breaks="first gradient" says="on the first 30"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        start = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(start(X[:30]), y[:30]), [start[0].weight])
        net, loss = run(changed, points, seed)
        rows.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.9b" why="weight and bias in one norm" breaks="first gradient" says="without its bias"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        start = make_net(X.shape[1], changed)
        gradients = torch.autograd.grad(F.cross_entropy(start(X), y), list(start[0].parameters()))
        norm = sum(g.square().sum() for g in gradients).sqrt().item()
        net, loss = run(changed, points, seed)
        rows.append({"std": std, "first_gradient": norm, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.9b" why="the norm of the weight" breaks="first gradient" says="take that of its gradient"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        start = make_net(X.shape[1], changed)
        norm = start[0].weight.norm().item()
        net, loss = run(changed, points, seed)
        rows.append({"std": std, "first_gradient": norm, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.5a" why="the seed 100 * seed + i for configuration i" breaks="seed" says="100 * seed + i"
import random
def draw_configs(n, seed):
    configs = []
    for i in range(n):
        rng = random.Random(100 * seed + i)
        configs.append({"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)})
    return configs

# %% wrong="5.2.5a" why="exp for a power of 10" breaks="learning rate" says="belong to one base"
import random
def draw_configs(n, seed):
    rng = random.Random(seed)
    return [{"lr": math.exp(rng.uniform(-2, 0)), "width": rng.choice([4, 8, 16, 32]), "depth": rng.randint(1, 2), "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5a" why="rates rounded to two decimals" breaks="learning rate" says="do not round a rate"
import random
def draw_configs(n, seed):
    rng = random.Random(seed)
    return [{"lr": round(10 ** rng.uniform(-2, 0), 2), "width": rng.choice([4, 8, 16, 32]), "depth": rng.randint(1, 2), "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5b" why="activation of a configuration lost, std kept" breaks="validation accuracies" says="Keep the entry"
def search(configs, points, seed):
    X, y, X_val, y_val, X_test, y_test = points
    nets = []
    for c in configs:
        new = {"lr": c["lr"], "width": c["width"], "depth": c["depth"], "epochs": c["epochs"]}
        if "std" in c:
            new["std"] = c["std"]
        nets.append(run(new, points, seed)[0])
    val = [accuracy(net, X_val, y_val) for net in nets]
    best = val.index(max(val))
    return {"val_acc": val, "best": best, "test_acc": accuracy(nets[best], X_test, y_test)}

# %% wrong="5.2.6a" why="the clock read once, before the loop" breaks="median" says="from one beginning"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    begin = clock()
    times = []
    for _ in range(repeats):
        step()
        times.append(clock() - begin)
    return sorted(times)[repeats // 2]

# %% wrong="5.2.6a" why="the one after the middle" breaks="median" says="the one after it"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        begin = clock()
        step()
        times.append(clock() - begin)
    times.sort()
    return times[min(repeats // 2 + 1, repeats - 1)]

# %% wrong="5.2.6b" why="forward once, outside: only the gradients anew" breaks="work" says="retain_graph"
def make_steps(Ws, bs, X, y):
    params = [t.clone().requires_grad_() for pair in zip(Ws, bs) for t in pair]
    net = nn.Sequential(*[m for W in Ws for m in (nn.Linear(*W.shape), nn.ReLU())][:-1])
    with torch.no_grad():
        for layer, W, b in zip(net[::2], Ws, bs):
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
    H = X
    for i in range(len(Ws)):
        H = H @ params[2 * i] + params[2 * i + 1]
        if i < len(Ws) - 1:
            H = torch.relu(H)
    loss_scratch = F.cross_entropy(H, y)
    def scratch():
        return loss_scratch.item(), list(torch.autograd.grad(loss_scratch, params, retain_graph=True))
    def layers():
        loss = F.cross_entropy(net(X), y)
        return loss.item(), list(torch.autograd.grad(loss, list(net.parameters())))
    return {"scratch": scratch, "layers": layers}

# %% wrong="5.2.7" why="the times of all sizes in one list" breaks="shortest" says="another size"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows, times = [], []
    for n in sizes:
        A, B = torch.rand(n, n), torch.rand(n, n)
        multiply(A, B)
        for _ in range(repeats):
            begin = clock()
            multiply(A, B)
            times.append(clock() - begin)
        rows.append({"n": n, "seconds": min(times), "gflops": 2 * n**3 / min(times) / 1e9})
    return rows

# %% right="5.2.2a" how="layers filled with the weights"
def mlp_forward(X, Ws, bs):
    net = nn.Sequential(nn.Flatten())
    for i, (W, b) in enumerate(zip(Ws, bs)):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        net.append(layer)
        if i < len(Ws) - 1:
            net.append(nn.ReLU())
    with torch.no_grad():
        return net(X)

# %% right="5.2.6b" how="torch.func on both"
from torch.func import functional_call, grad_and_value
def make_steps(Ws, bs, X, y):
    own = {f"{'Wb'[j]}{i}": t.clone() for i, pair in enumerate(zip(Ws, bs)) for j, t in enumerate(pair)}
    net = nn.Sequential(*[m for W in Ws for m in (nn.Linear(*W.shape), nn.ReLU())][:-1])
    with torch.no_grad():
        for layer, W, b in zip(net[::2], Ws, bs):
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
    held = {name: p.detach() for name, p in net.named_parameters()}
    def loss_own(p):
        H = X
        for i in range(len(Ws)):
            H = H @ p[f"W{i}"] + p[f"b{i}"]
            if i < len(Ws) - 1:
                H = H.relu()
        return F.cross_entropy(H, y)
    def loss_net(p):
        return F.cross_entropy(functional_call(net, p, (X,)), y)
    def step(function, p):
        def go():
            gradients, loss = grad_and_value(function)(p)
            return loss, list(gradients.values())
        return go
    return {"scratch": step(loss_own, own), "layers": step(loss_net, held)}

# %% right="5.2.5a" how="a generator for each configuration, seeded by a text of both numbers"
import random
def draw_configs(n, seed):
    def one(i):
        rng = random.Random(f"configuration {i} of seed {seed}")
        return {"lr": math.exp(rng.uniform(math.log(0.01), math.log(1))), "width": rng.choice((4, 8, 16, 32)), "depth": rng.choice((1, 2)), "epochs": rng.choice(range(5, 21))}
    return [one(i) for i in range(n)]

# %% wrong="5.2.9b" why="an entry std of the configuration wins" breaks="rest of the configuration" says="replaces the entry"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for std in stds:
        changed = {"std": std, **config}
        torch.manual_seed(seed)
        start = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(start(X), y), [start[0].weight])
        net, loss = run(changed, points, seed)
        rows.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.B" why="the different numbers, not the different columns" breaks="units are columns" says="compare whole columns"
def different_units(W1, b1):
    return len(torch.cat([W1, b1[None, :]]).unique())

# %% wrong="5.2.2a" why="rows that mix the examples" breaks="ReLU between" says="These rows mix the examples"
def mlp_forward(X, Ws, bs):
    H = X.reshape(-1, len(X)).T
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.2b" why="a ReLU after the first layer alone" breaks="ReLU between" says="not the first alone"
def make_mlp(sizes):
    net = nn.Sequential(nn.Flatten(), nn.Linear(sizes[0], sizes[1]))
    if len(sizes) > 2:
        net.append(nn.ReLU())
    for a, b in zip(sizes[1:], sizes[2:]):
        net.append(nn.Linear(a, b))
    return net

# %% wrong="5.2.2b" why="GELU for ReLU" breaks="ReLU between" says="no GELU"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.GELU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.D" why="leaves out counts that stand on the diagonal, too" breaks="off the diagonal" says="may be equal to one on it"
def most_confused(confusion):
    best, place = -1, None
    diagonal = confusion.diagonal().tolist()
    for i in range(len(confusion)):
        for j in range(len(confusion)):
            if confusion[i, j].item() not in diagonal and confusion[i, j] > best:
                best, place = confusion[i, j].item(), (i, j)
    return place

# %% wrong="5.2.1" why="the seed set once, before the loop" breaks="rest of the configuration" says="Set the seed anew for each width"
def width_sweep(widths, config, points, seed):
    rows = []
    torch.manual_seed(seed)
    for width in widths:
        c = {**config, "width": width}
        net = make_net(points[0].shape[1], c)
        fit(net, points[0], points[1], c["epochs"], c["lr"], seed)
        rows.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": accuracy(net, *points[:2]), "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.8" why="the rate of the configuration wins" breaks="best rate" says="Train with each rate of the list"
def best_rates(names, rates, config, points, seed):
    kinds = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in kinds:
            raise ValueError(f"unknown: {name!r}")
        values = [accuracy(run({"lr": lr, "activation": kinds[name], **config}, points, seed)[0], *points[2:]) for lr in rates]
        result[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return result

# %% wrong="5.2.8" why="chooses by the training loss" breaks="accuracy" says="not by the training loss"
def best_rates(names, rates, config, points, seed):
    kinds = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in kinds:
            raise ValueError(f"unknown: {name!r}")
        runs = [run({**config, "activation": kinds[name], "lr": lr}, points, seed) for lr in rates]
        losses = [loss for _, loss in runs]
        i = losses.index(min(losses))
        result[name] = {"lr": rates[i], "val_acc": accuracy(runs[i][0], *points[2:])}
    return result

# %% wrong="5.2.9a" why="uniform draws from 0 on" breaks="standard deviation" says="uniform draws from 0"
def initialise(net, scheme):
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            with torch.no_grad():
                layer.weight.copy_(std * torch.rand(b, a))
                if layer.bias is not None:
                    layer.bias.zero_()

# %% wrong="5.2.9b" why="another seed for the order of the rows" breaks="rest of the configuration" says="The order of the rows has the seed"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        c = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], c)
        g = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])[0]
        loss = fit(net, X, y, c["epochs"], c["lr"], 0)
        table.append({"std": std, "first_gradient": g.norm().item(), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="the norm over the weights of all layers" breaks="first gradient" says="not those of all layers"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        c = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], c)
        gs = torch.autograd.grad(F.cross_entropy(net(X), y), [m.weight for m in net if isinstance(m, nn.Linear)])
        loss = fit(net, X, y, c["epochs"], c["lr"], seed)
        table.append({"std": std, "first_gradient": torch.cat([g.flatten() for g in gs]).norm().item(), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.9b" why="biases as torch draws them" breaks="first gradient" says="The biases start as 0"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        plain = {k: v for k, v in config.items() if k != "std"}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], plain)
        for m in net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=std)
        g = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])[0]
        loss = fit(net, X, y, config["epochs"], config["lr"], seed)
        table.append({"std": std, "first_gradient": g.norm().item(), "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table

# %% wrong="5.2.F" why="brackets forgotten" breaks="ends" says="Brackets"
def log_uniform(u, low, high):
    return low * high / low ** u

# %% wrong="5.2.F" why="the difference for the quotient" breaks="ends" says="not the difference"
def log_uniform(u, low, high):
    return low * (high - low) ** u

# %% wrong="5.2.F" why="draws a number" breaks="ends" says="Nothing is drawn here"
def log_uniform(u, low, high):
    import random
    return math.exp(random.uniform(math.log(low), math.log(high)))

# %% wrong="5.2.5a" why="four generators with the same seed" breaks="independent" says="come from the same random numbers"
def draw_configs(n, seed):
    import random
    a, b, c, d = (random.Random(seed) for _ in range(4))
    return [{"lr": 10 ** a.uniform(-2, 0), "width": b.choice([4, 8, 16, 32]), "depth": c.choice([1, 2]), "epochs": d.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5b" why="the seed set once, before the loop" breaks="validation accuracies" says="Set the seed anew for each configuration"
def search(configs, points, seed):
    torch.manual_seed(seed)
    nets = []
    for c in configs:
        net = make_net(points[0].shape[1], c)
        fit(net, points[0], points[1], c["epochs"], c["lr"], seed)
        nets.append(net)
    values = [accuracy(net, *points[2:4]) for net in nets]
    best = values.index(max(values))
    return {"val_acc": values, "best": best, "test_acc": accuracy(nets[best], *points[4:])}

# %% wrong="5.2.5b" why="the best trained once more with another seed" breaks="test accuracy" says="with another seed"
def search(configs, points, seed):
    values = [accuracy(run(config, points, seed)[0], *points[2:4]) for config in configs]
    best = values.index(max(values))
    net, _ = run(configs[best], points, seed + 1)
    return {"val_acc": values, "best": best, "test_acc": accuracy(net, *points[4:])}

# %% wrong="5.2.6a" why="the earlier reading minus the later one" breaks="median" says="not the other way round"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        before = clock()
        step()
        times.append(before - clock())
    return sorted(times)[repeats // 2]

# %% wrong="5.2.6a" why="the warm-up is one of the repeats" breaks="number of calls" says="the number of calls of the step"
def median_seconds(step, repeats, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        before = clock()
        step()
        times.append(clock() - before)
    times = sorted(times[1:])
    return times[len(times) // 2] if times else 0.0

# %% wrong="5.2.2a" why="a ReLU on the bias, too" breaks="ReLU between" says="leave the bias itself as it is"
def mlp_forward(X, Ws, bs):
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + torch.relu(b))
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.A" why="the last layer alone" breaks="one hidden layer" says="This is the last layer alone"
def count_parameters(sizes):
    for a, b in zip(sizes, sizes[1:]):
        total = a * b + b
    return total

# %% wrong="5.2.A" why="the first and the last layer" breaks="any depth" says="counts once"
def count_parameters(sizes):
    return (sizes[0] + 1) * sizes[1] + (sizes[-2] + 1) * sizes[-1]

# %% wrong="5.2.B" why="the shape of the table of different units" breaks="units are columns" says="the shape of a table is a pair"
def different_units(W1, b1):
    return torch.cat([W1, b1[None, :]]).unique(dim=1).shape

# %% wrong="5.2.C" why="names in lower case" breaks="flatten first" says="written with capitals"
def layer_names(sizes):
    return ["flatten"] + (["linear", "relu"] * (len(sizes) - 1))[:-1]

# %% wrong="5.2.2b" why="no bias in the output layer" breaks="parameters" says="The last layer has a bias, too"
def make_mlp(sizes):
    layers = [nn.Flatten()]
    for a, b in zip(sizes[:-1], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1], bias=False))

# %% wrong="5.2.D" why="the table that nonzero gives" breaks="true class first" says="There is one entry, not two"
def most_confused(confusion):
    off = confusion - confusion.diag().diag()
    return (off == off.max()).nonzero()

# %% wrong="5.2.10" why="topk, also where there are fewer mistakes" breaks="at most k" says="wants k entries"
def worst_mistakes(logits, y, k):
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    loss = F.cross_entropy(logits[wrong], y[wrong], reduction="none")
    return wrong[loss.topk(k).indices]

# %% wrong="5.2.3" why="the rank of a random network" breaks="earlier bottlenecks" says="random ones need not reach it"
def logit_rank(sizes, n):
    torch.manual_seed(0)
    H = torch.randn(n, sizes[0])
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        H = torch.relu(H @ torch.randn(a, b) + torch.randn(b))
    return torch.linalg.matrix_rank(H @ torch.randn(sizes[-2], sizes[-1])).item()

# %% wrong="5.2.4" why="a list of the seeds that diverged" breaks="diverged" says="not a list of them"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for lr in rates:
        made = [run({**config, "lr": lr}, points, seed) for seed in seeds]
        values = [accuracy(net, *points[2:]) for net, _ in made]
        rows.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": [s for s, (_, loss) in zip(seeds, made) if not math.isfinite(loss)]})
    return rows

# %% wrong="5.2.8" why="layers in the place of their classes" breaks="activation" says="a layer, already made"
def best_rates(names, rates, config, points, seed):
    layers = {"relu": nn.ReLU(), "sigmoid": nn.Sigmoid(), "tanh": nn.Tanh(), "identity": nn.Identity()}
    found = {}
    for name in names:
        if name not in layers:
            raise ValueError(f"unknown: {name!r}")
        values = [accuracy(run({**config, "activation": layers[name], "lr": lr}, points, seed)[0], *points[2:]) for lr in rates]
        found[name] = {"lr": rates[values.index(max(values))], "val_acc": max(values)}
    return found

# %% wrong="5.2.9b" why="the norm of the weight's gradient plus that of the bias's" breaks="first gradient" says="that of its bias was added"
def scale_table(stds, config, points, seed):
    rows = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], changed)
        grads = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), list(net[0].parameters()))
        norm = sum(g.norm().item() for g in grads)
        net, loss = run(changed, points, seed)
        rows.append({"std": std, "first_gradient": norm, "train_loss": loss, "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.9b" why="the gradient, not its norm" breaks="first gradient" says="not the gradient"
def scale_table(stds, config, points, seed):
    rows = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(points[0].shape[1], changed)
        gradient = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), [net[0].weight])[0]
        net, loss = run(changed, points, seed)
        rows.append({"std": std, "first_gradient": gradient, "train_loss": loss, "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.F" why="the quotient times u" breaks="ends" says="not multiplied by it"
def log_uniform(u, low, high):
    return low * (high / low) * u

# %% wrong="5.2.F" why="logarithms to base 10, and exp" breaks="ends" says="belong to one base"
def log_uniform(u, low, high):
    a, b = math.log10(low), math.log10(high)
    return math.exp(a + u * (b - a))

# %% wrong="5.2.5a" why="one draw for the rate and the epochs" breaks="independent" says="yours: lr and epochs"
import random as _r
def draw_configs(n, seed):
    rng = _r.Random(seed)
    out = []
    for _ in range(n):
        u = rng.random()
        out.append({"lr": 0.01 * 100 ** u, "width": [4, 8, 16, 32][int(4 * rng.random())], "depth": 1 + int(2 * rng.random()), "epochs": 5 + int(16 * u)})
    return out

# %% wrong="5.2.5b" why="test accuracies of all networks" breaks="test accuracy" says="looked at once"
def search(configs, points, seed):
    made = [run(config, points, seed)[0] for config in configs]
    values = [accuracy(net, *points[2:4]) for net in made]
    return {"val_acc": values, "best": values.index(max(values)), "test_acc": [accuracy(net, *points[4:]) for net in made]}

# %% wrong="5.2.6a" why="the lower median, the first call among the times" breaks="warm-up" says="its time is among those"
def median_seconds(step, repeats, clock=time.perf_counter):
    times = []
    for _ in range(repeats + 1):
        before = clock()
        step()
        times.append(clock() - before)
    return torch.tensor(times, dtype=torch.float64).median().item()

# %% wrong="5.2.6b" why="weights of the layers not transposed" breaks="losses" says="goes into it as W.T"
def make_steps(Ws, bs, X, y):
    own = [t.clone().requires_grad_() for pair in zip(Ws, bs) for t in pair]
    net = nn.Sequential()
    for i, (W, b) in enumerate(zip(Ws, bs)):
        layer = nn.Linear(*W.shape)
        layer.weight = nn.Parameter(W.clone())
        layer.bias = nn.Parameter(b.clone())
        net.append(layer)
        if i < len(Ws) - 1:
            net.append(nn.ReLU())
    def scratch():
        H = X
        for i in range(0, len(own), 2):
            H = (torch.relu(H) if i else H) @ own[i] + own[i + 1]
        loss = F.cross_entropy(H, y)
        return loss, list(torch.autograd.grad(loss, own))
    def layers():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))
    return {"scratch": scratch, "layers": layers}

# %% wrong="5.2.7" why="multiply to warm up alone" breaks="warm-up" says="called once in all"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    rows = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            before = clock()
            A @ B
            times.append(clock() - before)
        rows.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return rows

# %% wrong="5.2.B" why="columns and biases counted apart" breaks="units are columns" says="not counted apart"
def different_units(W1, b1):
    return W1.unique(dim=1).shape[1] + b1.unique().numel() - 1

# %% wrong="5.2.2a" why="each hidden layer takes X" breaks="any number of layers" says="takes the result of the one before"
def mlp_forward(X, Ws, bs):
    X = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(X @ W + b)
    return H @ Ws[-1] + bs[-1]

# %% wrong="5.2.C" why="lazy layers" breaks="linear layers" says="A lazy layer is a linear layer, too"
def layer_names(sizes):
    return ["Flatten"] + ["LazyLinear", "ReLU"] * (len(sizes) - 2) + ["LazyLinear"]

# %% wrong="5.2.C" why="appends a list of names" breaks="linear layers" says="no list of names"
def layer_names(sizes):
    names = ["Flatten"]
    for _ in sizes[1:-1]:
        names.append(["Linear", "ReLU"])
    names.append("Linear")
    return names

# %% wrong="5.2.2b" why="each layer takes the inputs of the network" breaks="parameters" says="as many inputs as the one before it has outputs"
def make_mlp(sizes):
    net = nn.Sequential(nn.Flatten())
    for b in sizes[1:-1]:
        net.append(nn.Linear(sizes[0], b)).append(nn.ReLU())
    return net.append(nn.Linear(sizes[0], sizes[-1]))

# %% wrong="5.2.F" why="the product for the quotient, without low" breaks="ends" says="a power with the exponent 0 is 1"
def log_uniform(u, low, high):
    return (low * high) ** u

# %% wrong="5.2.5a" why="rounds the exponent of the width" breaks="width" says="are rarer than the others"
def draw_configs(n, seed):
    rng = random.Random(seed)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": 2 ** round(rng.uniform(2, 5)), "depth": rng.randint(1, 2), "epochs": rng.randint(5, 20)} for _ in range(n)]

# %% wrong="5.2.5a" why="rates in order" breaks="independent" says="follows from its place in the list"
def draw_configs(n, seed):
    rng = random.Random(seed)
    return [{"lr": 10 ** (-2 + 2 * i / max(n - 1, 1)), "width": rng.choice([4, 8, 16, 32]), "depth": rng.randint(1, 2), "epochs": rng.randint(5, 20)} for i in range(n)]

# %% wrong="5.2.1" why="the width of the configuration comes last" breaks="rows" says="is to replace it"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for w in widths:
        net, _ = run({"width": w, **config}, points, seed)
        rows.append({"width": w, "parameters": sum(p.numel() for p in net.parameters()), "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.4" why="one network, trained on from seed to seed" breaks="mean" says="Make a new network for each seed"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for lr in rates:
        torch.manual_seed(seeds[0])
        net = make_net(points[0].shape[1], config)
        accs, bad = [], 0
        for seed in seeds:
            loss = fit(net, points[0], points[1], config["epochs"], lr, seed)
            accs.append(accuracy(net, *points[2:]))
            bad += not math.isfinite(loss)
        rows.append({"lr": lr, "mean": sum(accs) / len(accs), "low": min(accs), "high": max(accs), "diverged": bad})
    return rows

# %% wrong="5.2.8" why="chooses by the training accuracy" breaks="accuracy" says="the training accuracy"
def best_rates(names, rates, config, points, seed):
    classes = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    out = {}
    for n in names:
        if n not in classes:
            raise ValueError(n)
        nets = [run({**config, "activation": classes[n], "lr": r}, points, seed)[0] for r in rates]
        tr = [accuracy(net, *points[:2]) for net in nets]
        i = tr.index(max(tr))
        out[n] = {"lr": rates[i], "val_acc": accuracy(nets[i], *points[2:])}
    return out

# %% wrong="5.2.9b" why="the gradient on the first batch" breaks="first gradient" says="the first batch of 30"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for s in stds:
        c = {**config, "std": s}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], c)
        first = torch.randperm(len(X), generator=torch.Generator().manual_seed(seed))[:30]
        g = torch.autograd.grad(F.cross_entropy(net(X[first]), y[first]), net[0].weight)[0].norm().item()
        net, loss = run(c, points, seed)
        rows.append({"std": s, "first_gradient": g, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% right="5.2.C" how="a text that is split"
def layer_names(sizes):
    return ("Flatten " + " ReLU ".join(["Linear"] * (len(sizes) - 1))).split()

# %% right="5.2.6a" how="readings between the calls"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    readings = [clock()]
    for _ in range(repeats):
        step()
        readings.append(clock())
    return sorted(b - a for a, b in zip(readings, readings[1:]))[repeats // 2]

# %% wrong="5.2.2b" why="seed set inside: two networks with the same numbers" breaks="new each time" says="Is there a seed in make_mlp"
def make_mlp(sizes):
    torch.manual_seed(0)
    layers = [nn.Flatten()]
    for s in sizes[1:]:
        layers += [nn.LazyLinear(s), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

# %% wrong="5.2.8" why="best not reset between names" breaks="names" says="begin anew for identity"
def best_rates(names, rates, config, points, seed):
    out = {}
    best = -1.
    for name in names:
        if name not in layer_classes:
            raise ValueError(f"unknown: {name!r}")
        for rate in rates:
            acc = accuracy(run({**config, "activation": layer_classes[name], "lr": rate}, points, seed)[0], *points[2:])
            if acc > best:
                best = acc
                out[name] = {"lr": rate, "val_acc": acc}
    return out

# %% wrong="5.2.8" why="one best rate for all names (of the first name)" breaks="equal accuracies" says="each name needs a search of its own"
def best_rates(names, rates, config, points, seed):
    out, lr = {}, None
    for name in names:
        if name not in layer_classes:
            raise ValueError(f"unknown: {name!r}")
        c = {**config, "activation": layer_classes[name]}
        if lr is None:
            values = [accuracy(run({**c, "lr": rate}, points, seed)[0], *points[2:]) for rate in rates]
            lr = rates[values.index(max(values))]
        out[name] = {"lr": lr, "val_acc": accuracy(run({**c, "lr": lr}, points, seed)[0], *points[2:])}
    return out

# %% wrong="5.2.5a" why="one and the same dictionary n times, changed in the loop" breaks="independent" says="all the last one drawn"
def draw_configs(n, seed):
    luck, config, out = random.Random(seed), {}, []
    for _ in range(n):
        config["lr"], config["width"], config["depth"], config["epochs"] = 10 ** luck.uniform(-2, 0), luck.choice([4, 8, 16, 32]), luck.choice([1, 2]), luck.randint(5, 20)
        out.append(config)
    return out

# %% wrong="5.2.6b" why="weights reshaped in place of transposed" breaks="losses" says="reshape and view leave the numbers"
def make_steps(Ws, bs, X, y):
    own = [t.clone().requires_grad_() for pair in zip(Ws, bs) for t in pair]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(W.shape[0], W.shape[1])
        with torch.no_grad():
            layer.weight.copy_(W.reshape(W.shape[1], W.shape[0]))
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])
    def scratch():
        H = X
        for i in range(0, len(own), 2):
            H = H @ own[i] + own[i + 1]
            if i + 2 < len(own):
                H = torch.relu(H)
        loss = F.cross_entropy(H, y)
        return loss, list(torch.autograd.grad(loss, own))
    def with_layers():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))
    return {"scratch": scratch, "layers": with_layers}

# %% wrong="5.2.9b" why="the seed is set once before the loop, not before each network" breaks="rest of the configuration" says="Set the seed anew for each row"
def scale_table(stds, config, points, seed):
    rows = []
    torch.manual_seed(seed)
    for std in stds:
        c = {**config, "std": std}
        net = make_net(points[0].shape[1], c)
        g, = torch.autograd.grad(F.cross_entropy(net(points[0]), points[1]), [net[0].weight])
        loss = fit(net, points[0], points[1], c["epochs"], c["lr"], seed)
        rows.append({"std": std, "first_gradient": g.norm().item(), "train_loss": loss, "val_acc": accuracy(net, *points[2:])})
    return rows

# %% right="5.2.6b" how="backward with grads set to None; gradients by hand in scratch"
def make_steps(Ws, bs, X, y):
    Ws2, bs2 = [W.clone() for W in Ws], [b.clone() for b in bs]
    net = nn.ModuleList()
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        layer.load_state_dict({"weight": W.T.clone(), "bias": b.clone()})
        net.append(layer)
    def scratch():
        Hs = [X]
        for i, (W, b) in enumerate(zip(Ws2, bs2)):
            Z = Hs[-1] @ W + b
            Hs.append(Z if i == len(Ws2) - 1 else Z.clamp(min=0))
        logp = Hs[-1].log_softmax(dim=1)
        loss = -logp[torch.arange(len(y)), y].mean()
        d = (logp.exp() - F.one_hot(y, logp.shape[1])) / len(y)
        grads = []
        for i in reversed(range(len(Ws2))):
            grads = [Hs[i].T @ d, d.sum(dim=0)] + grads
            if i:
                d = (d @ Ws2[i].T) * (Hs[i] > 0)
        return loss.item(), grads
    def layers():
        H = X
        for i, layer in enumerate(net):
            H = layer(H if i == 0 else F.relu(H))
        net.zero_grad(set_to_none=True)
        loss = F.cross_entropy(H, y)
        loss.backward()
        return loss.item(), [p.grad for p in net.parameters()]
    return {"scratch": scratch, "layers": layers}

# %% wrong="5.2.6a" why="midrange: mean of the shortest and the longest" breaks="median" says="mean of the shortest and the longest"
def median_seconds(step, repeats, clock=time.perf_counter):
    step()
    times = []
    for _ in range(repeats):
        before = clock()
        step()
        times.append(clock() - before)
    return (min(times) + max(times)) / 2

# %% wrong="5.2.D" why="takes the diagonal out, then counts places as if it were still there" breaks="off the diagonal" says="this place is counted with k"
def most_confused(confusion):
    k = len(confusion)
    off = confusion[~torch.eye(k, dtype=torch.bool)]
    p = off.argmax().item()
    return p // k, p % k

# %% wrong="5.2.E" why="the mean of one above the best run of the other" breaks="open" says="The mean of a is above the best of b"
def compare_runs(a, b):
    if sum(a) / len(a) > max(b):
        return "a"
    if sum(b) / len(b) > max(a):
        return "b"
    return "open"

# %% wrong="5.2.8" why="the best so far is not reset for the next name" breaks="activation" says="so begin the search anew for each name"
def best_rates(names, rates, config, points, seed):
    layers = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result, best, best_rate = {}, -1, None
    for name in names:
        if name not in layers:
            raise ValueError(f"unknown: {name!r}")
        for rate in rates:
            net, _ = run({**config, "activation": layers[name], "lr": rate}, points, seed)
            value = accuracy(net, *points[2:])
            if value > best:
                best, best_rate = value, rate
        result[name] = {"lr": best_rate, "val_acc": best}
    return result

# %% wrong="5.2.F" why="the exponents rounded to whole tens" breaks="ends" says="not the powers of 10 next to them"
def log_uniform(u, low, high):
    a, b = round(math.log10(low)), round(math.log10(high))
    return 10 ** (a + u * (b - a))

# %% wrong="5.2.5a" why="one learning rate in each n-th of the scale, so the configurations depend on each other" breaks="independent" says="dealt out evenly over a list"
def draw_configs(n, seed):
    rng = random.Random(seed)
    places = list(range(n))
    rng.shuffle(places)
    return [{"lr": 0.01 * 100 ** ((place + rng.random()) / n), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]),
             "epochs": rng.randint(5, 20)} for place in places]

# %% wrong="5.2.6a" why="the first reading is before the warm-up, so the first time holds two calls" breaks="warm-up" says="holds two calls"
def median_seconds(step, repeats, clock=time.perf_counter):
    times = []
    before = clock()
    step()
    for _ in range(repeats):
        step()
        now = clock()
        times.append(now - before)
        before = now
    return sorted(times)[repeats // 2]

# %% wrong="5.2.D" why="takes the diagonal out, and forgets the column that is missing" breaks="off the diagonal" says="add it again"
def most_confused(confusion):
    k = len(confusion)
    off = confusion[~torch.eye(k, dtype=torch.bool)]
    return divmod(off.argmax().item(), k - 1)

# %% wrong="5.2.5a" why="the widths dealt out evenly, and shuffled" breaks="independent" says="dealt out evenly over a list"
def draw_configs(n, seed):
    rng = random.Random(seed)
    widths = [[4, 8, 16, 32][i % 4] for i in range(n)]
    rng.shuffle(widths)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": width, "depth": rng.choice([1, 2]), "epochs": rng.randint(5, 20)} for width in widths]

# %% wrong="5.2.A" why="thinks all hidden layers have the width of the first" breaks="any depth" says="takes that of the first for all"
def count_parameters(sizes):
    if len(sizes) == 2:
        return sizes[0] * sizes[1] + sizes[1]
    inputs, width, outputs = sizes[0], sizes[1], sizes[-1]
    hidden = len(sizes) - 2
    return inputs * width + width + (hidden - 1) * (width * width + width) + width * outputs + outputs

# %% wrong="5.2.B" why="counts different columns and different biases apart and takes the larger" breaks="biases" says="the larger of two numbers"
def different_units(W1, b1):
    return max(W1.unique(dim=1).shape[1], len(b1.unique()))

# %% wrong="5.2.C" why="asks by value whether it is the last size, so a hidden layer as wide as the output gets no ReLU" breaks="ReLU between" says="the place says which layer is the last"
def layer_names(sizes):
    names = ["Flatten"]
    for size in sizes[1:]:
        names.append("Linear")
        if size != sizes[-1]:
            names.append("ReLU")
    return names

# %% wrong="5.2.E" why="difference of the means against the larger spread" breaks="a better" says="such as means or spreads"
def compare_runs(a, b):
    difference = sum(a) / len(a) - sum(b) / len(b)
    spread = max(max(a) - min(a), max(b) - min(b))
    if difference > spread:
        return "a"
    if -difference > spread:
        return "b"
    return "open"

# %% wrong="5.2.9b" why="seed set once before the loop, the start is not the one of run" breaks="rest of the configuration" says="the second network drawn since then"
def scale_table(stds, config, points, seed):
    X, y, X_val, y_val = points
    torch.manual_seed(seed)
    rows = []
    for std in stds:
        c = {**config, "std": std}
        trained, loss = run(c, points, seed)
        net = make_net(X.shape[1], c)
        gradient = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])[0]
        rows.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return rows

# %% wrong="5.2.F" why="always one decade: 10 ** u, stretched to the ends" breaks="between" says="as for the factor 10"
def log_uniform(u, low, high):
    return low + (high - low) * (10 ** u - 1) / 9

# %% wrong="5.2.6a" why="sorts first and then drops the first: the shortest, not the warm-up" breaks="warm-up" says="the first of the sorted times is the shortest"
def median_seconds(step, repeats, clock=time.perf_counter):
    measured = []
    for _ in range(repeats + 1):
        before = clock()
        step()
        measured.append(clock() - before)
    later = sorted(measured)[1:]
    return later[repeats // 2]

# %% wrong="5.2.C" why="one hidden layer at least, written as a formula" breaks="linear layers" says="Without a hidden layer there is one linear layer alone"
def layer_names(sizes):
    return ["Flatten", "Linear", "ReLU"] + ["Linear", "ReLU"] * (len(sizes) - 3) + ["Linear"]

# %% wrong="5.2.2a" why="knows the last layer by the length of its bias" breaks="ReLU between" says="the place counts, not the size"
def mlp_forward(X, Ws, bs):
    H = X.flatten(1)
    for W, b in zip(Ws, bs):
        H = H @ W + b
        if len(b) != len(bs[-1]):
            H = torch.relu(H)
    return H

# %% wrong="5.2.2b" why="knows the last layer by its size" breaks="ReLU between" says="as wide as the output has a ReLU, too"
def make_mlp(sizes):
    net = nn.Sequential(nn.Flatten())
    for n, m in zip(sizes, sizes[1:]):
        net.append(nn.Linear(n, m))
        if m != sizes[-1]:
            net.append(nn.ReLU())
    return net

# %% wrong="5.2.2b" why="knows the first layer by its size" breaks="ReLU between" says="as wide as the inputs has a ReLU, too"
def make_mlp(sizes):
    net = nn.Sequential(nn.Flatten())
    for n, m in zip(sizes, sizes[1:]):
        if n != sizes[0]:
            net.append(nn.ReLU())
        net.append(nn.Linear(n, m))
    return net

# %% wrong="5.2.1" why="the formula forgets the biases of the further hidden layers" breaks="parameters" says="those of one layer are missing"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    d, depth = X.shape[1], config["depth"]
    rows = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        parameters = d * width + width + (depth - 1) * width * width + width * 3 + 3
        rows.append({"width": width, "parameters": parameters, "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return rows

# %% wrong="5.2.1" why="two columns, whatever X has" breaks="parameters" says="that of the columns of X, not always 2"
def width_sweep(widths, config, points, seed):
    rows = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        parameters = 3 * width + (config["depth"] - 1) * width * (width + 1) + 3 * (width + 1)
        rows.append({"width": width, "parameters": parameters, "train_acc": accuracy(net, *points[:2]), "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.1" why="the formula forgets the biases of the output layer" breaks="parameters" says="The output layer has biases, too"
def width_sweep(widths, config, points, seed):
    rows = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        sizes = [points[0].shape[1]] + [width] * config["depth"]
        parameters = sum((a + 1) * b for a, b in zip(sizes, sizes[1:])) + 3 * width
        rows.append({"width": width, "parameters": parameters, "train_acc": accuracy(net, *points[:2]), "val_acc": accuracy(net, *points[2:])})
    return rows

# %% wrong="5.2.4" why="low and high leave out the runs that diverged" breaks="low and high" says="here they are left out"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for lr in rates:
        values, good = [], []
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
            if math.isfinite(loss):
                good.append(values[-1])
        rows.append({"lr": lr, "mean": sum(values) / len(values), "low": min(good or values), "high": max(good or values), "diverged": len(values) - len(good)})
    return rows

# %% wrong="5.2.4" why="the mean leaves out the runs that diverged, where others did not" breaks="mean" says="here they are left out"
def lr_sweep(rates, config, points, seeds):
    rows = []
    for lr in rates:
        values, good = [], []
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
            if math.isfinite(loss):
                good.append(values[-1])
        counted = good or values
        rows.append({"lr": lr, "mean": sum(counted) / len(counted), "low": min(values), "high": max(values), "diverged": len(values) - len(good)})
    return rows

# %% wrong="5.2.8" why="max of pairs (accuracy, rate): of equal ones the largest rate" breaks="equal accuracies" says="this is the largest rate of those that are equally good"
def best_rates(names, rates, config, points, seed):
    classes = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in classes:
            raise ValueError(f"unknown: {name!r}")
        found = []
        for rate in rates:
            net, _ = run({**config, "activation": classes[name], "lr": rate}, points, seed)
            found.append((accuracy(net, points[2], points[3]), rate))
        acc, lr = max(found)
        result[name] = {"lr": lr, "val_acc": acc}
    return result

# %% wrong="5.2.E" why="looks only for an end of b within a" breaks="open" says="All of a lies within the range of b"
def compare_runs(a, b):
    if min(a) <= min(b) <= max(a) or min(a) <= max(b) <= max(a):
        return "open"
    return "a" if min(a) > min(b) else "b"

# %% wrong="5.2.D" why="subtracts the diagonal from every row" breaks="off the diagonal" says="takes its numbers from whole columns"
def most_confused(confusion):
    off = confusion - confusion.diagonal()
    p = off.argmax().item()
    return p // len(confusion), p % len(confusion)

# %% wrong="5.2.2a" why="squeezes X first, so that a single example loses its axis" breaks="shape" says="`squeeze()` removes it"
def mlp_forward(X, Ws, bs):
    H = X.squeeze()
    H = H.reshape(len(H), -1)
    for i in range(len(Ws)):
        H = H @ Ws[i] + bs[i]
        if i < len(Ws) - 1:
            H = torch.relu(H)
    return H

# %% wrong="5.2.3" why="the last hidden layer limits only where it has a single unit" breaks="last bottleneck" says="more than one unit"
def logit_rank(sizes, n):
    if sizes[-2] == 1:
        return 1
    return min(sizes[-1], n)

# %% wrong="5.2.8" why="an activation in the configuration wins" breaks="activation" says="that of the name replaces it"
def best_rates(names, rates, config, points, seed):
    result = {}
    for name in names:
        if name not in layer_classes:
            raise ValueError(f"unknown: {name!r}")
        values = [accuracy(run({"activation": layer_classes[name], **config, "lr": rate}, points, seed)[0], points[2], points[3]) for rate in rates]
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result

# %% wrong="5.2.1" why="formula for the parameters of one hidden layer only" breaks="parameters" says="in a formula for its parameters"
def width_sweep(widths, config, points, seed):
    X, y, X_val, y_val = points
    rows = []
    for width in widths:
        net, loss = run({**config, "width": width}, points, seed)
        rows.append({"width": width, "parameters": X.shape[1] * width + width + width * 3 + 3,
                     "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return rows
