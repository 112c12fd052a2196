# %% right="3.5.A" how="new parameters of copies"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    layer.weight = nn.Parameter(w.T.clone())
    layer.bias = nn.Parameter(b.clone())
    return layer

# %% right="3.5.A" how="through .data"
def as_linear(w, b):
    layer = nn.Linear(len(w), len(b))
    layer.weight.data = w.detach().t().contiguous().clone()
    layer.bias.data[:] = b
    return layer

# %% right="3.5.A" how="load_state_dict"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    layer.load_state_dict({"weight": w.T, "bias": b})
    return layer

# %% wrong="3.5.A" why="inputs and outputs exchanged" breaks="layer" says="inputs and outputs of the layer"
def as_linear(w, b):
    layer = nn.Linear(w.shape[1], w.shape[0])
    layer.weight, layer.bias = nn.Parameter(w.T.clone()), nn.Parameter(b.clone())
    return layer

# %% wrong="3.5.A" why="a function, not a layer" breaks="layer" says="is an nn.Linear"
def as_linear(w, b):
    return lambda X: X @ w + b

# %% wrong="3.5.A" why="not transposed" breaks="values" says="A reshape is no transpose"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    with torch.no_grad():
        layer.weight.copy_(w.reshape(layer.weight.shape))
        layer.bias.copy_(b)
    return layer

# %% wrong="3.5.A" why="the bias stays zero" breaks="values" says="The bias is missing"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    with torch.no_grad():
        layer.weight.copy_(w.T)
        layer.bias.zero_()
    return layer

# %% wrong="3.5.A" why="the bias stays random" breaks="values" says="write b into it"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    with torch.no_grad():
        layer.weight.copy_(w.T)
    return layer

# %% wrong="3.5.A" why="frozen" breaks="trainable" says="whether weight and bias require a gradient"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1]).requires_grad_(False)
    layer.weight.copy_(w.T)
    layer.bias.copy_(b)
    return layer

# %% wrong="3.5.A" why="shares the caller's memory" breaks="own memory" says="are still w and b themselves"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    layer.weight, layer.bias = nn.Parameter(w.T), nn.Parameter(b)
    return layer

# %% wrong="3.5.A" why="one bias for all outputs" breaks="values" says="own entry of b"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        layer.weight.copy_(w.T)
        layer.bias.copy_(b[0])
    return layer

# %% wrong="3.5.A" why="transposes only where shapes differ" breaks="values" says="transpose them"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        layer.weight.copy_(w if w.shape[0] == w.shape[1] else w.T)
        layer.bias.copy_(b)
    return layer

# %% wrong="3.5.A" why="the bias shares the caller's memory" breaks="own memory" says="bias is still b itself"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        layer.weight.copy_(w.T)
    layer.bias = nn.Parameter(b)
    return layer

# %% wrong="3.5.A" why="a frozen bias" breaks="trainable" says="whether weight and bias require a gradient"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        layer.weight.copy_(w.T)
        layer.bias.copy_(b)
    layer.bias.requires_grad_(False)
    return layer

# %% wrong="3.5.A" why="the weight is only renamed" breaks="values" says="write all of w into layer.weight"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        weight = layer.weight
        weight = w.T
        layer.bias.copy_(b)
    return layer

# %% wrong="3.5.A" why="contiguous, which copies only if k > 1" breaks="own memory" says="copy nothing"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    layer.weight.data = w.T.contiguous()
    layer.bias.data = b.clone()
    return layer

# %% right="3.5.A" how="a subclass of nn.Linear"
class FromColumn(nn.Linear):
    def __init__(self, w, b):
        super().__init__(*w.shape)
        with torch.no_grad():
            self.weight.copy_(w.T)
            self.bias.copy_(b)

def as_linear(w, b):
    """An nn.Linear layer that computes X @ w + b, for w (d, k) and b (k,)."""
    return FromColumn(w, b)

# %% right="3.5.A" how="a lazy layer after one batch"
def as_linear(w, b):
    layer = nn.LazyLinear(w.shape[1])
    layer(torch.zeros(1, w.shape[0]))
    with torch.no_grad():
        nn.init.zeros_(layer.weight)
        layer.weight += w.t()
        layer.bias.copy_(b)
    return layer

# %% wrong="3.5.A" why="a Sequential around the layer" breaks="layer" says="yours: Sequential"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        layer.weight.copy_(w.T)
        layer.bias.copy_(b)
    return nn.Sequential(layer)

# %% right="3.5.B" how="by torch's loss"
def squared_loss(y_hat, y, reduction):
    if tuple(y_hat.shape) != tuple(y.shape):
        raise ValueError("shapes differ")
    return nn.MSELoss(reduction=reduction)(y_hat, y)

# %% right="3.5.B" how="division by numel"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError
    r = y_hat - y
    results = {"none": r * r, "sum": (r * r).sum(), "mean": (r * r).sum() / r.numel()}
    return results[reduction]

# %% wrong="3.5.B" why="half the squares, unreduced" breaks="none" says="The factor 1/2 is not part"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError
    r = (y_hat - y) ** 2
    return r / 2 if reduction == "none" else r.sum() if reduction == "sum" else r.mean()

# %% wrong="3.5.B" why="none is flattened" breaks="none" says="residuals 2, -1, 3 with reduction none"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError
    r = ((y_hat - y) ** 2)
    return r.flatten() if reduction == "none" else r.sum() if reduction == "sum" else r.mean()

# %% wrong="3.5.B" why="sum gives the mean" breaks="sum" says="This is the mean"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError
    r = (y_hat - y) ** 2
    return r if reduction == "none" else r.mean()

# %% wrong="3.5.B" why="mean gives the sum" breaks="mean" says="This is the sum"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError
    r = (y_hat - y) ** 2
    return r if reduction == "none" else r.sum()

# %% wrong="3.5.B" why="mean over the examples only" breaks="mean" says="not by the number of examples"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError
    r = (y_hat - y) ** 2
    return r if reduction == "none" else r.sum() if reduction == "sum" else r.sum() / len(r)

# %% wrong="3.5.B" why="lets shapes broadcast" breaks="shapes" says="predictions (3, 1) against targets (3,)"
def squared_loss(y_hat, y, reduction):
    r = (y_hat - y) ** 2
    return r if reduction == "none" else r.sum() if reduction == "sum" else r.mean()

# %% wrong="3.5.B" why="compares lengths only" breaks="shapes" says="predictions (3, 1) against targets (3,)"
def squared_loss(y_hat, y, reduction):
    if len(y_hat) != len(y):
        raise ValueError
    r = (y_hat - y) ** 2
    return r if reduction == "none" else r.sum() if reduction == "sum" else r.mean()

# %% wrong="3.5.B" why="compares the numbers of axes" breaks="shapes" says="Compare the shapes themselves"
def squared_loss(y_hat, y, reduction):
    if y_hat.dim() != y.dim():
        raise ValueError("shapes")
    s = (y_hat - y) ** 2
    if reduction == "none":
        return s
    if reduction == "sum":
        return s.sum()
    return s.mean()

# %% wrong="3.5.B" why="looks at the shapes for the mean only" breaks="shapes" says="for every reduction"
def squared_loss(y_hat, y, reduction):
    if reduction == "mean" and y_hat.shape != y.shape:
        raise ValueError("shapes")
    s = (y_hat - y) ** 2
    if reduction == "none":
        return s
    if reduction == "sum":
        return s.sum()
    return s.mean()

# %% wrong="3.5.B" why="the root of the mean" breaks="mean" says="No root"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError("shapes")
    s = (y_hat - y) ** 2
    if reduction == "none":
        return s
    if reduction == "sum":
        return s.sum()
    return s.mean().sqrt()

# %% wrong="3.5.B" why="squares the sum" breaks="sum" says="Square each difference first"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError("shapes")
    r = y_hat - y
    if reduction == "none":
        return r ** 2
    if reduction == "sum":
        return r.sum() ** 2
    return r.mean() ** 2

# %% wrong="3.5.B" why="the mean over the examples alone" breaks="mean" says="divided by how many they are"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError("shapes")
    s = (y_hat - y) ** 2
    if reduction == "none":
        return s
    if reduction == "sum":
        return s.sum()
    return s.mean(dim=0)

# %% wrong="3.5.B" why="sum as the mean times the number of examples" breaks="sum" says="the number of examples, 2"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError("shapes differ")
    squares = (y_hat - y) ** 2
    if reduction == "none":
        return squares
    mean = squares.mean()
    return mean if reduction == "mean" else mean * len(y)

# %% wrong="3.5.B" why="looks at the shape of the difference" breaks="shapes" says="The shape of the difference does not show it"
def squared_loss(y_hat, y, reduction):
    difference = y_hat - y
    if difference.shape != y_hat.shape:
        raise ValueError("shapes differ")
    squares = difference ** 2
    return {"none": squares, "sum": squares.sum(), "mean": squares.mean()}[reduction]

# %% wrong="3.5.B" why="the sum is returned before the shapes are compared" breaks="shapes" says="before anything is returned"
def squared_loss(y_hat, y, reduction):
    if reduction == "sum":
        return ((y_hat - y) ** 2).sum()
    if y_hat.shape != y.shape:
        raise ValueError("shapes differ")
    return ((y_hat - y) ** 2).mean() if reduction == "mean" else (y_hat - y) ** 2

# %% wrong="3.5.B" why="counts rows times columns" breaks="mean" says="with one axis, of shape (4,)"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError("shapes differ")
    squares = (y_hat - y) ** 2
    if reduction == "none":
        return squares
    if reduction == "sum":
        return squares.sum()
    return squares.sum() / (squares.shape[0] * squares.shape[1])

# %% right="3.5.6" how="by the formula, no torch parts"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps):
        error = X @ w + b - y
        w, b = w - 2 * lr * X.T @ error / len(X), b - 2 * lr * error.mean()
    return w, b

# %% right="3.5.6" how="a column of ones, float64, backward"
def fit(X, y, lr, steps):
    A = torch.cat([X, torch.ones(len(X), 1)], dim=1).double()
    p = torch.zeros(A.shape[1], 1, dtype=torch.float64, requires_grad=True)
    for _ in range(steps):
        slope, = torch.autograd.grad(((A @ p - y) ** 2).mean(), p)
        p = (p - lr * slope).detach().requires_grad_()
    return [p.detach()[:-1], p.detach()[-1]]

# %% wrong="3.5.6" why="the layer's own shape" breaks="shape" says="A layer's weight is a row"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach(), net.bias.detach()

# %% wrong="3.5.6" why="torch's random start" breaks="start" says="nn.Linear draws a random start"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="no zero_grad" breaks="several steps" says="call zero_grad"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        nn.MSELoss()(net(X), y).backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="half the squares" breaks="one step" says="nn.MSELoss has no factor 1/2"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the sum of the squares" breaks="one step" says="the sum of the squares"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss(reduction="sum")(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="a single step" breaks="several steps" says="This is the result of one step"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    loss = nn.MSELoss()(net(X), y)
    loss.backward()
    if steps:
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="one step too many" breaks="several steps" says="one step too many"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps + 1 if steps > 1 else steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="clears the gradients before the step" breaks="one step" says="Nothing has moved"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        nn.MSELoss()(net(X), y).backward()
        optimizer.zero_grad()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="flat targets, which broadcast" breaks="one step" says="keep y a column"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the bias is not given to the optimizer" breaks="one step" says="The bias has not moved"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD([net.weight], lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% right="3.5.6" how="not detached"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.T, net.bias

# %% wrong="3.5.6" why="stops at a small loss" breaks="several steps" says="targets a thousandth"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss < 0.05:
            break
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="a step even for steps=0" breaks="start" says="With steps=0 no step is made"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps + 1):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="a fixed rate" breaks="several steps" says="Is lr used"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="flat weights" breaks="shape" says="w is a column"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().flatten(), net.bias.detach()

# %% wrong="3.5.6" why="only four rows" breaks="one step" says="w after one step"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X[:4]), y[:4])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="Adam" breaks="one step" says="as with Adam"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="momentum" breaks="several steps" says="as with momentum"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="one example after the other" breaks="one step" says="all examples form one batch"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        for i in range(len(X)):
            loss = nn.MSELoss()(net(X[i:i+1]), y[i:i+1])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the bias after the weight" breaks="one step" says="the old w"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps):
        w = w - lr * 2 * X.T @ (X @ w + b - y) / len(X)
        b = b - lr * 2 * (X @ w + b - y).mean()
    return w, b

# %% wrong="3.5.6" why="least squares at once" breaks="start" says="With no step nothing is learnt"
def fit(X, y, lr, steps):
    s = torch.linalg.lstsq(torch.cat([X, torch.ones(len(X), 1)], 1), y).solution
    return s[:-1], s[-1]

# %% wrong="3.5.6" why="gradient divided by all entries of X" breaks="one step" says="not by that of all entries of X"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps):
        r = X @ w + b - y
        w, b = w - lr * 2 * X.T @ r / X.numel(), b - lr * 2 * r.mean()
    return w, b

# %% wrong="3.5.6" why="one gradient for all steps" breaks="several steps" says="The first gradient was used"
def fit(X, y, lr, steps):
    w = torch.zeros(X.shape[1], 1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    loss = ((X @ w + b - y) ** 2).mean()
    dw, db = torch.autograd.grad(loss, (w, b))
    for _ in range(steps):
        w, b = w - lr * dw, b - lr * db
    return w, b

# %% wrong="3.5.6" why="the parameters are made anew in the loop" breaks="several steps" says="inside the loop"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    for _ in range(steps):
        nn.init.zeros_(net.weight)
        nn.init.zeros_(net.bias)
        optimizer = torch.optim.SGD(net.parameters(), lr=lr)
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="weight decay" breaks="several steps" says="weight decay"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, weight_decay=0.1)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the features standardised first" breaks="one step" says="The features were standardised"
def fit(X, y, lr, steps):
    X = (X - X.mean(dim=0)) / X.std(dim=0)
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% right="3.5.6" how="the affine map of a step, as a matrix"
def fit(X, y, lr, steps):
    A = torch.cat([X, torch.ones(len(X), 1)], dim=1).double()
    H, g = 2 * A.T @ A / len(A), 2 * A.T @ y.double() / len(A)
    M = torch.eye(len(H), dtype=torch.float64) - lr * H
    theta, power = torch.zeros_like(g), torch.eye(len(H), dtype=torch.float64)
    for _ in range(steps):
        theta, power = theta + power @ g * lr, power @ M
    return theta[:-1].float(), theta[-1].float()

# %% wrong="3.5.6" why="the gradient clipped" breaks="one step" says="cut to length 1"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    loss, sgd = nn.MSELoss(), torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        sgd.zero_grad()
        loss(net(X), y).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        sgd.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="a rate that falls" breaks="several steps" says="lr is the same in all steps"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    loss = nn.MSELoss()
    for step in range(steps):
        sgd = torch.optim.SGD(net.parameters(), lr=lr / (step + 1))
        sgd.zero_grad()
        loss(net(X), y).backward()
        sgd.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="least squares in place of any step" breaks="one step" says="the least-squares solution"
def fit(X, y, lr, steps):
    A = torch.cat([X, torch.ones(len(X), 1)], dim=1)
    solution = torch.linalg.lstsq(A, y).solution
    if steps == 0:
        solution = torch.zeros_like(solution)
    return solution[:-1], solution[-1]

# %% right="3.5.1a" how="a table of factors"
def equal_rate(lr, old, new, batch_size, outputs=1):
    m = batch_size * outputs
    length = {"sum": 2, "half sum": 1, "mean": 2 / m, "half mean": 1 / m}
    return lr * length[old] / length[new]

# %% right="3.5.1a" how="by way of the sum"
def equal_rate(lr, old, new, batch_size, outputs=1):
    count = batch_size * outputs
    if old.startswith("half"):
        lr /= 2
    if old.endswith("mean"):
        lr /= count
    if new.startswith("half"):
        lr *= 2
    if new.endswith("mean"):
        lr *= count
    return lr

# %% wrong="3.5.1a" why="the wrong way round" breaks="sum to mean" says="The other way round"
def equal_rate(lr, old, new, batch_size, outputs=1):
    def factor(name):
        return (0.5 if "half" in name else 1) / (batch_size * outputs if "mean" in name else 1)
    return lr * factor(new) / factor(old)

# %% wrong="3.5.1a" why="always times the batch size" breaks="mean to sum" says="a larger loss needs a smaller rate"
def equal_rate(lr, old, new, batch_size, outputs=1):
    def factor(name):
        return 0.5 if "half" in name else 1
    return lr * factor(old) / factor(new) * (batch_size * outputs if ("mean" in old) != ("mean" in new) else 1)

# %% wrong="3.5.1a" why="ignores the halves" breaks="halves" says="The factor 1/2 is left out"
def equal_rate(lr, old, new, batch_size, outputs=1):
    def factor(name):
        return 1 / (batch_size * outputs) if "mean" in name else 1
    return lr * factor(old) / factor(new)

# %% wrong="3.5.1a" why="halves the wrong way" breaks="halves" says="half the loss needs twice the rate"
def equal_rate(lr, old, new, batch_size, outputs=1):
    def factor(name):
        return (2 if "half" in name else 1) / (batch_size * outputs if "mean" in name else 1)
    return lr * factor(old) / factor(new)

# %% wrong="3.5.1a" why="ignores the outputs" breaks="outputs" says="examples times outputs"
def equal_rate(lr, old, new, batch_size, outputs=1):
    def factor(name):
        return (0.5 if "half" in name else 1) / (batch_size if "mean" in name else 1)
    return lr * factor(old) / factor(new)

# %% wrong="3.5.1a" why="the half mean forgets the outputs" breaks="outputs" says="The half mean, too"
def equal_rate(lr, old, new, batch_size, outputs=1):
    factor = {"sum": 1, "half sum": 0.5, "mean": 1 / (batch_size * outputs), "half mean": 0.5 / batch_size}
    return lr * factor[old] / factor[new]

# %% wrong="3.5.1a" why="the half mean times the outputs" breaks="outputs" says="5 examples of 2 outputs"
def equal_rate(lr, old, new, batch_size, outputs=1):
    factor = {"sum": 1, "half sum": 0.5, "mean": 1 / (batch_size * outputs), "half mean": 1 / (2 * batch_size) * outputs}
    return lr * factor[old] / factor[new]

# %% wrong="3.5.1a" why="looks at the old loss only" breaks="halves" says="The factor 1/2 is left out"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size * outputs
    if old.startswith("half"):
        lr = lr / 2
    if "sum" in old and "mean" in new:
        lr = lr * n
    if "mean" in old and "sum" in new:
        lr = lr / n
    return lr

# %% wrong="3.5.1a" why="halves not seen" breaks="halves" says="The factor 1/2 is left out"
def equal_rate(lr, old, new, batch_size, outputs=1):
    if old == "sum" and new == "mean":
        return lr * batch_size * outputs
    if old == "mean" and new == "sum":
        return lr / batch_size / outputs
    return lr

# %% right="3.5.1a" how="only the ratios matter: sums times outputs, means over examples"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size
    f = {"sum": outputs, "half sum": 0.5 * outputs, "mean": 1 / n, "half mean": 0.5 / n}
    return lr * f[old] / f[new]

# %% wrong="3.5.1a" why="roots" breaks="sum to mean" says="No root"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = (batch_size * outputs) ** 0.5
    f = {"sum": 1, "half sum": 0.5, "mean": 1 / n, "half mean": 0.5 / n}
    return lr * f[old] / f[new]

# %% wrong="3.5.1a" why="a chain of cases: sum and mean of halves forgotten" breaks="halves" says="From a sum to a mean, half or not"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size * outputs
    if old == "sum" and new == "mean":
        return lr * n
    if old == "mean" and new == "sum":
        return lr / n
    if old.startswith("half") and not new.startswith("half"):
        return lr / 2
    if new.startswith("half") and not old.startswith("half"):
        return lr * 2
    return lr

# %% wrong="3.5.1a" why="divides by outputs where it must multiply" breaks="outputs" says="not by 10 / 4"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size / outputs
    factor = {"sum": 1, "half sum": 0.5, "mean": 1 / n, "half mean": 0.5 / n}
    return lr * factor[old] / factor[new]

# %% wrong="3.5.1a" why="outputs count also between two means or two sums" breaks="outputs" says="the number of outputs cancels"
def equal_rate(lr, old, new, batch_size, outputs=1):
    factor = {"sum": 1, "half sum": 0.5, "mean": 1 / batch_size, "half mean": 0.5 / batch_size}
    rate = lr * factor[old] / factor[new]
    return rate * outputs if "mean" in new else rate / outputs

# %% wrong="3.5.1a" why="a table of cases, mean to half sum wrong" breaks="halves" says="the wrong way round"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size * outputs
    if old == new:
        return lr
    return lr * {("sum", "mean"): n, ("mean", "sum"): 1 / n, ("half sum", "half mean"): n, ("half mean", "half sum"): 1 / n,
                 ("sum", "half sum"): 2, ("half sum", "sum"): 1 / 2, ("mean", "half mean"): 2, ("half mean", "mean"): 1 / 2,
                 ("sum", "half mean"): 2 * n, ("half mean", "sum"): 1 / (2 * n), ("half sum", "mean"): n / 2,
                 ("mean", "half sum"): 1 / (2 * n)}[old, new]

# %% wrong="3.5.1a" why="a table of cases, sum to half mean without the 2" breaks="halves" says="The factor 1/2 is left out"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size * outputs
    if old == new:
        return lr
    return lr * {("sum", "mean"): n, ("mean", "sum"): 1 / n, ("half sum", "half mean"): n, ("half mean", "half sum"): 1 / n,
                 ("sum", "half sum"): 2, ("half sum", "sum"): 1 / 2, ("mean", "half mean"): 2, ("half mean", "mean"): 1 / 2,
                 ("sum", "half mean"): n, ("half mean", "sum"): 1 / (2 * n), ("half sum", "mean"): n / 2,
                 ("mean", "half sum"): 2 / n}[old, new]

# %% wrong="3.5.1a" why="rounded" breaks="halves" says="rounded to 3 digits"
def equal_rate(lr, old, new, batch_size, outputs=1):
    m = batch_size * outputs
    f = {"sum": 1, "half sum": 0.5, "mean": 1 / m, "half mean": 0.5 / m}
    return round(lr * f[old] / f[new], 3)

# %% wrong="3.5.1a" why="lr left out" breaks="sum to mean" says="the factor alone"
def equal_rate(lr, old, new, batch_size, outputs=1):
    m = batch_size * outputs
    f = {"sum": 1, "half sum": 0.5, "mean": 1 / m, "half mean": 0.5 / m}
    return f[old] / f[new]

# %% right="3.5.1a" how="word by word"
def equal_rate(lr, old, new, batch_size, outputs=1):
    for name, power in ((old, 1), (new, -1)):
        for word in name.split():
            lr *= {"half": 2.0, "mean": batch_size * outputs, "sum": 1}[word] ** -power
    return lr

# %% right="3.5.1b" how="gradients of ones"
def step_ratio(reduction, full, last):
    gradient = {"sum": torch.Tensor.sum, "mean": torch.Tensor.mean}[reduction]
    return (gradient(torch.ones(last)) / gradient(torch.ones(full))).item()

# %% right="3.5.1b" how="an int for the mean"
def step_ratio(reduction, full, last):
    if reduction == "mean":
        return 1
    return last / full

# %% wrong="3.5.1b" why="the other way round" breaks="sum" says="fewer examples, smaller sum"
def step_ratio(reduction, full, last):
    return full / last if reduction == "sum" else 1.0

# %% wrong="3.5.1b" why="sum and mean exchanged for the sum" breaks="sum" says="That holds for a mean"
def step_ratio(reduction, full, last):
    return 1.0

# %% wrong="3.5.1b" why="a mean taken for a sum" breaks="mean" says="That holds for a sum"
def step_ratio(reduction, full, last):
    return last / full

# %% wrong="3.5.1b" why="the share of an example" breaks="mean" says="there are as many times fewer"
def step_ratio(reduction, full, last):
    return last / full if reduction == "sum" else full / last

# %% wrong="3.5.1b" why="two decimals" breaks="sum" says="Do not round the ratio"
def step_ratio(reduction, full, last):
    return round(last / full, 2) if reduction == "sum" else 1

# %% wrong="3.5.1b" why="never above 1" breaks="sum" says="A batch may be larger"
def step_ratio(reduction, full, last):
    return min(1.0, last / full) if reduction == "sum" else 1

# %% wrong="3.5.1b" why="the root of the ratio" breaks="sum" says="No root"
def step_ratio(reduction, full, last):
    return (last / full) ** 0.5 if reduction == "sum" else 1.0

# %% wrong="3.5.1b" why="integer division" breaks="sum" says="Divide by `/`"
def step_ratio(reduction, full, last):
    return last // full if reduction == "sum" else 1

# %% wrong="3.5.1b" why="the smaller by the larger" breaks="sum" says="the ratio is above 1"
def step_ratio(reduction, full, last):
    return min(last, full) / max(last, full) if reduction == "sum" else 1.0

# %% wrong="3.5.1b" why="in per cent" breaks="sum" says="no percentage"
def step_ratio(reduction, full, last):
    return 100 * last / full if reduction == "sum" else 100.0

# %% wrong="3.5.1b" why="difference: a mean does not change, so 0" breaks="mean" says="is 1, not 0"
def step_ratio(reduction, full, last):
    return last / full if reduction == "sum" else 0

# %% wrong="3.5.1b" why="the ratio of the sums, divided by the last size only" breaks="mean" says="Both are means"
def step_ratio(reduction, full, last):
    ratio = last / full
    return ratio if reduction == "sum" else ratio / last

# %% right="3.5.1b" how="a fraction"
def step_ratio(reduction, full, last):
    from fractions import Fraction
    return Fraction(last, full) if reduction == "sum" else Fraction(1)

# %% wrong="3.5.1b" why="a remainder" breaks="sum" says="the remainder"
def step_ratio(reduction, full, last):
    return (last % full) / full if reduction == "sum" else 1.0

# %% wrong="3.5.1b" why="a difference" breaks="sum" says="do not subtract"
def step_ratio(reduction, full, last):
    return last - full if reduction == "sum" else 0

# %% wrong="3.5.1b" why="a share of both together" breaks="sum" says="divided by 12 + 32"
def step_ratio(reduction, full, last):
    return last / (full + last) if reduction == "sum" else 1.0

# %% right="3.5.C" how="where"
def slopes(r, sigma):
    small = r.abs() <= sigma
    return torch.where(small, r, sigma * r.sign()), torch.where(small, r / sigma, r.sign())

# %% right="3.5.C" how="autograd"
def slopes(r, sigma):
    r = r.clone().requires_grad_()
    zero = torch.zeros_like(r)
    one = torch.autograd.grad(nn.functional.huber_loss(r, zero, reduction="sum", delta=sigma), r)[0]
    return [one, torch.autograd.grad(nn.functional.smooth_l1_loss(r, zero, reduction="sum", beta=sigma), r)[0]]

# %% wrong="3.5.C" why="the losses exchanged" breaks="Huber" says="These are the slopes of the smooth L1 loss"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma) / sigma, r.clamp(-sigma, sigma) / sigma

# %% wrong="3.5.C" why="no sign" breaks="Huber" says="the sign of the residual"
def slopes(r, sigma):
    return torch.where(r.abs() > sigma, torch.full_like(r, sigma), r), r.clamp(-sigma, sigma) / sigma

# %% wrong="3.5.C" why="not cut off" breaks="Huber" says="the slopes of the square"
def slopes(r, sigma):
    return r.clone(), r.clamp(-sigma, sigma) / sigma

# %% wrong="3.5.C" why="one slope for both" breaks="smooth L1" says="These are Huber's slopes"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma), r.clamp(-sigma, sigma)

# %% wrong="3.5.C" why="the absolute value" breaks="smooth L1" says="of the absolute value"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma), r.sign()

# %% wrong="3.5.C" why="r in place of r/σ" breaks="smooth L1" says="The slope of r²/(2σ) is r/σ"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma), torch.where(r.abs() > sigma, r.sign(), r)

# %% wrong="3.5.C" why="cut off above only" breaks="Huber" says="Cut off on both sides"
def slopes(r, sigma):
    return r.clamp(max=sigma), (r / sigma).clamp(-1, 1)

# %% wrong="3.5.C" why="the losses" breaks="Huber" says="the losses, not their slopes"
def slopes(r, sigma):
    return nn.HuberLoss(delta=sigma, reduction="none")(r, torch.zeros_like(r)), nn.SmoothL1Loss(beta=sigma, reduction="none")(r, torch.zeros_like(r))

# %% wrong="3.5.C" why="r/(2σ)" breaks="smooth L1" says="The 2 cancels"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma), torch.where(r.abs() < sigma, r / (2 * sigma), r.sign())

# %% wrong="3.5.C" why="σ at least 1" breaks="Huber" says="Is sigma used"
def slopes(r, sigma):
    return r.clamp(-max(sigma, 1), max(sigma, 1)), (r / sigma).clamp(-1, 1)

# %% wrong="3.5.C" why="no slope for large residuals" breaks="Huber" says="not 0"
def slopes(r, sigma):
    h = torch.where(r.abs() <= sigma, r, torch.zeros_like(r))
    return h, h / sigma

# %% wrong="3.5.C" why="multiplied by sigma" breaks="smooth L1" says="these are multiplied by it"
def slopes(r, sigma):
    h = r.clamp(-sigma, sigma)
    return h, h * sigma

# %% right="3.5.C" how="sign times minimum, list"
def slopes(r, sigma):
    h = r.sign() * torch.minimum(r.abs(), torch.tensor(float(sigma)))
    return [h, torch.where(abs(r) < sigma, r / sigma, torch.sign(r))]

# %% wrong="3.5.C" why="the sign" breaks="Huber" says="The sign: the loss"
def slopes(r, sigma):
    return -r.clamp(-sigma, sigma), -r.clamp(-sigma, sigma) / sigma

# %% wrong="3.5.C" why="small means |r| <= 1, whatever sigma" breaks="Huber" says="σ, not 1, parts"
def slopes(r, sigma):
    small = r.abs() <= 1
    return torch.where(small, r, sigma * r.sign()), torch.where(small, r / sigma, r.sign())

# %% wrong="3.5.C" why="smooth L1: the large slope is 1/sigma" breaks="smooth L1" says="nothing is divided"
def slopes(r, sigma):
    huber = r.clamp(-sigma, sigma)
    return huber, torch.where(r.abs() < sigma, r / sigma, r.sign() / sigma)

# %% wrong="3.5.C" why="Huber's large slope is sigma minus sigma/2" breaks="Huber" says="is a constant"
def slopes(r, sigma):
    huber = torch.where(r.abs() <= sigma, r, r.sign() * sigma / 2)
    return huber, r.clamp(-sigma, sigma) / sigma

# %% wrong="3.5.C" why="smooth L1 cut at 1, divided by sigma" breaks="smooth L1" says="and beyond it the slope"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma), r.clamp(-1, 1) / sigma

# %% wrong="3.5.C" why="smooth L1 as the slope of a mean" breaks="smooth L1" says="that is the slope of a mean"
def slopes(r, sigma):
    return r.clamp(-sigma, sigma), r.clamp(-sigma, sigma) / sigma / r.numel()

# %% wrong="3.5.C" why="Huber's large slope is sign minus sigma/2" breaks="Huber" says="The small ones are right"
def slopes(r, sigma):
    large = r.abs() > sigma
    return torch.where(large, r.sign() - sigma / 2, r), torch.where(large, r.sign(), r / sigma)

# %% wrong="3.5.C" why="the sign as r / |r|" breaks="Huber" says="0 / 0 is NaN"
def slopes(r, sigma):
    huber = r.abs().clamp(max=sigma) * (r / r.abs())
    return huber, huber / sigma

# %% wrong="3.5.C" why="matrices only" breaks="Huber" says="of shape (2,)"
def slopes(r, sigma):
    h = torch.stack([torch.stack([v.clamp(-sigma, sigma) for v in row]) for row in r])
    return h, h / sigma

# %% right="3.5.2a" how="where"
def robust_loss(y_hat, y, sigma):
    size = (y_hat - y).abs()
    return torch.where(size > sigma, size - sigma / 2, size * size / (2 * sigma)).mean()

# %% right="3.5.2a" how="Huber's loss divided by σ"
def robust_loss(y_hat, y, sigma):
    return nn.HuberLoss(delta=sigma)(y_hat, y) / sigma

# %% wrong="3.5.2a" why="HuberLoss(delta=sigma)" breaks="small residuals" says="as in HuberLoss(delta=5)"
def robust_loss(y_hat, y, sigma):
    return nn.HuberLoss(delta=sigma)(y_hat, y)

# %% wrong="3.5.2a" why="the branches exchanged" breaks="small residuals" says="the branch for large residuals"
def robust_loss(y_hat, y, sigma):
    size = (y_hat - y).abs()
    return torch.where(size < sigma, size - sigma / 2, size * size / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="r, not its size, decides" breaks="large residuals" says="|r|, not r, decides"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    return torch.where(r > sigma, r - sigma / 2, r * r / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="subtracts σ" breaks="large residuals" says="Subtract σ/2, not σ"
def robust_loss(y_hat, y, sigma):
    size = (y_hat - y).abs()
    return torch.where(size > sigma, size - sigma, size * size / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="the sum" breaks="mean" says="This is the sum"
def robust_loss(y_hat, y, sigma):
    return nn.SmoothL1Loss(beta=sigma, reduction="sum")(y_hat, y)

# %% wrong="3.5.2a" why="divided by the rows" breaks="mean" says="divided by that of the rows"
def robust_loss(y_hat, y, sigma):
    return nn.SmoothL1Loss(beta=sigma, reduction="sum")(y_hat, y) / len(y)

# %% wrong="3.5.2a" why="cut from the graph" breaks="gradient" says="the gradient with respect to predictions"
def robust_loss(y_hat, y, sigma):
    return nn.SmoothL1Loss(beta=sigma)(y_hat.detach(), y)

# %% right="3.5.2a" how="one entry, shape (1,)"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    m = r.abs() > sigma
    return (((r.abs() - sigma / 2)[m].sum() + (r ** 2 / (2 * sigma))[~m].sum()) / r.numel()).reshape(1)

# %% wrong="3.5.2a" why="σ not used" breaks="small residuals" says="is sigma used"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    return nn.SmoothL1Loss()(y_hat, y)

# %% wrong="3.5.2a" why="the means of the cases added" breaks="mean" says="do not add up to the mean of all"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    m = r.abs() > sigma
    a = (r.abs() - sigma / 2)[m].mean() if m.any() else 0
    b = (r ** 2 / (2 * sigma))[~m].mean() if (~m).any() else 0
    return a + b

# %% wrong="3.5.2a" why="no absolute value in the branch" breaks="large residuals" says="take |r|, not r"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    return torch.where(r.abs() > sigma, r - sigma / 2, r ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="small residuals without a gradient" breaks="gradient" says="without .item()"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    return torch.where(r.abs() > sigma, r.abs() - sigma / 2, (r ** 2 / (2 * sigma)).detach()).mean()

# %% wrong="3.5.2a" why="one case for all, squares" breaks="mean" says="r²/(2σ) was taken for all"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs()
    if (r > sigma).all():
        return (r - sigma / 2).mean()
    return (r ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="divided by sigma twice" breaks="small residuals" says="divided twice"
def robust_loss(y_hat, y, sigma):
    return nn.HuberLoss(delta=sigma)(y_hat, y) / sigma ** 2

# %% right="3.5.2a" how="min-form"
def robust_loss(y_hat, y, sigma):
    a = (y_hat - y).abs()
    q = a.clamp(max=sigma)
    return (q * q / (2 * sigma) + (a - q)).sum() / a.numel()

# %% wrong="3.5.2a" why="|r| as the root of the square: NaN gradient at residual 0" breaks="gradient" says="as r.abs()"
def robust_loss(y_hat, y, sigma):
    size = ((y_hat - y) ** 2).sqrt()
    return torch.where(size > sigma, size - sigma / 2, size ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="precedence: (|r| - sigma) / 2" breaks="large residuals" says="Subtract half of σ"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs()
    return torch.where(r > sigma, (r - sigma) / 2, r ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="r² > σ decides" breaks="small residuals" says="3 is below σ"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    return torch.where(r ** 2 > sigma, r.abs() - sigma / 2, r ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.2a" why="another curve of the same kind" breaks="small residuals" says="another curve"
def robust_loss(y_hat, y, sigma):
    r = y_hat - y
    return (sigma * ((1 + (r / sigma) ** 2).sqrt() - 1)).mean()

# %% wrong="3.5.2a" why="beta is twice sigma" breaks="small residuals" says="beta is σ itself"
def robust_loss(y_hat, y, sigma):
    return nn.SmoothL1Loss(beta=2 * sigma)(y_hat, y)

# %% wrong="3.5.2a" why="Huber's inside, the formula's outside" breaks="small residuals" says="This is r²/2"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs()
    return torch.where(r > sigma, r - sigma / 2, r ** 2 / 2).mean()

# %% wrong="3.5.2a" why="residuals of 0 are not counted" breaks="mean" says="A residual of 0 is an entry"
def robust_loss(y_hat, y, sigma):
    l = nn.functional.smooth_l1_loss(y_hat, y, beta=sigma, reduction="none")
    return l.sum() / (l > 0).sum()

# %% right="3.5.2b" how="in steps of the slopes' ratio"
def huber_rate(lr, sigma):
    return lr * (1 / sigma)

def smooth_rate(lr, sigma):
    return lr / (1 / sigma)

# %% right="3.5.2b" how="by autograd"
def huber_rate(lr, sigma):
    r = torch.tensor(10.0 * sigma, requires_grad=True)
    zero = torch.tensor(0.0)
    of_smooth, = torch.autograd.grad(nn.functional.smooth_l1_loss(r, zero, beta=sigma), r)
    of_huber, = torch.autograd.grad(nn.functional.huber_loss(r, zero, delta=sigma), r)
    return (lr * of_smooth / of_huber).item()

def smooth_rate(lr, sigma):
    return lr * lr / huber_rate(lr, sigma)

# %% wrong="3.5.2b" why="both the wrong way round, first" breaks="to Huber" says="Huber's gradients are 4 times as long"
def huber_rate(lr, sigma):
    return lr * sigma

def smooth_rate(lr, sigma):
    return lr * sigma

# %% wrong="3.5.2b" why="the same rate" breaks="to Huber" says="The rate cannot stay"
def huber_rate(lr, sigma):
    return lr

def smooth_rate(lr, sigma):
    return lr * sigma

# %% wrong="3.5.2b" why="both by division" breaks="to smooth L1" says="are a quarter"
def huber_rate(lr, sigma):
    return lr / sigma

def smooth_rate(lr, sigma):
    return lr / sigma

# %% wrong="3.5.2b" why="the square of σ" breaks="to smooth L1" says="smooth_rate for rate 0.1"
def huber_rate(lr, sigma):
    return lr / sigma

def smooth_rate(lr, sigma):
    return lr * sigma ** 2

# %% wrong="3.5.2b" why="turned round for σ below 1" breaks="to Huber" says="huber_rate for rate 0.1"
def huber_rate(lr, sigma):
    return lr / sigma if sigma > 1 else lr * sigma

def smooth_rate(lr, sigma):
    return lr * sigma if sigma > 1 else lr / sigma

# %% wrong="3.5.2b" why="only for sigma above 1" breaks="to Huber" says="For σ below 1, too"
def huber_rate(lr, sigma):
    return lr / max(sigma, 1)
def smooth_rate(lr, sigma):
    return lr * max(sigma, 1)

# %% wrong="3.5.2b" why="twice sigma" breaks="to Huber" says="not 2σ"
def huber_rate(lr, sigma):
    return lr / (2 * sigma)
def smooth_rate(lr, sigma):
    return lr * 2 * sigma

# %% wrong="3.5.2b" why="below 1 the other way round, second function only" breaks="to smooth L1" says="multiply by σ there"
def huber_rate(lr, sigma):
    return lr / sigma

def smooth_rate(lr, sigma):
    return lr * max(sigma, 1 / sigma)

# %% wrong="3.5.2b" why="smooth_rate is one over huber_rate" breaks="to smooth L1" says="this is 1/lr"
def huber_rate(lr, sigma):
    return lr / sigma

def smooth_rate(lr, sigma):
    return 1 / huber_rate(lr, sigma)

# %% wrong="3.5.2b" why="lr forgotten" breaks="to Huber" says="lr is missing"
def huber_rate(lr, sigma):
    return 1 / sigma

def smooth_rate(lr, sigma):
    return sigma

# %% wrong="3.5.2b" why="whole-number division" breaks="to Huber" says="A rate of 0 makes no step"
def huber_rate(lr, sigma):
    return lr // sigma

def smooth_rate(lr, sigma):
    return lr * sigma

# %% wrong="3.5.2b" why="rounded" breaks="to Huber" says="Do not round the rate"
def huber_rate(lr, sigma):
    return round(lr / sigma, 2)

def smooth_rate(lr, sigma):
    return round(lr * sigma, 2)

# %% right="3.5.2c" how="by hand, attributes set one by one"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.sigma = sigma

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        size = (y_hat - y).abs()
        return torch.where(size > self.sigma, size - self.sigma / 2, size ** 2 / (2 * self.sigma)).mean()

# %% right="3.5.2c" how="the parent checks the shapes"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
        self.criterion = nn.SmoothL1Loss(beta=sigma)

    def loss(self, y_hat, y):
        super().loss(y_hat, y)
        return self.criterion(y_hat, y)

# %% wrong="3.5.2c" why="HuberLoss(delta=sigma)" breaks="loss" says="This is HuberLoss(delta=4)"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.huber_loss(y_hat, y, delta=self.sigma)

# %% wrong="3.5.2c" why="the loss is not replaced" breaks="loss" says="`loss` is not replaced"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

# %% wrong="3.5.2c" why="sigma is not used" breaks="loss" says="The model's sigma is not used"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.smooth_l1_loss(y_hat, y)

# %% wrong="3.5.2c" why="sigma under another name" breaks="hyperparameters" says="model.lr and model.sigma"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.beta = sigma

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.beta)

# %% wrong="3.5.2c" why="lets shapes broadcast" breaks="shapes" says="the loss of predictions (3, 1) against targets (3,)"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.2c" why="a training step of its own, with squares" breaks="training" says="training_step of your own"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

    def training_step(self, batch):
        return super().loss(self(*batch[:-1]), batch[-1])

# %% wrong="3.5.2c" why="an optimizer with a small fixed rate" breaks="training" says="must use self.lr"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.001)

# %% right="3.5.2c" how="a criterion as attribute"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
        self.criterion = nn.SmoothL1Loss(beta=sigma)

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError('shapes')
        return self.criterion(y_hat, y)

# %% wrong="3.5.2c" why="compares the numbers of axes" breaks="shapes" says="targets (1, 1)"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.dim() != y.dim():
            raise ValueError
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.2c" why="another parent" breaks="inherited" says="a subclass of d2l.LinearRegression"
class RobustRegression(d2l.Module):
    def __init__(self, lr, sigma):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.LazyLinear(1)

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError('shapes')
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.2c" why="a layer for two inputs" breaks="inherited" says="a batch of 4 features goes through the model"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
        self.net = nn.Linear(2, 1)

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError('shapes')
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.2c" why="no bias" breaks="inherited" says="no bias"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
        self.net = nn.LazyLinear(1, bias=False)

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError('shapes')
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.2c" why="the sum of the losses" breaks="loss" says="This is the sum"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError('shapes')
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma, reduction="sum")

# %% wrong="3.5.2c" why="cut from the graph" breaks="training" says="the gradient of the loss"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError('shapes')
        return nn.functional.smooth_l1_loss(y_hat.detach(), y, beta=self.sigma)

# %% wrong="3.5.2c" why="no super().__init__" breaks="inherited" says="super().__init__(lr) was not called"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        self.save_hyperparameters()
    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.SmoothL1Loss(beta=self.sigma)(y_hat, y)

# %% wrong="3.5.2c" why="squared loss and formula together" breaks="loss" says="The squared loss was added"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
    def loss(self, y_hat, y):
        return super().loss(y_hat, y) + nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.2c" why="get_w_b turned into a column" breaks="inherited" says="The get_w_b of d2l.LinearRegression"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.sigma = sigma

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

    def get_w_b(self):
        return self.net.weight.data.T, self.net.bias.data

# %% wrong="3.5.2c" why="residuals cut off at sigma" breaks="loss" says="goes on growing"
class RobustRegression(d2l.LinearRegression):
    """Linear regression with the smooth L1 loss of width sigma."""
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes differ")
        r = (y_hat - y).clamp(-self.sigma, self.sigma)
        return (r ** 2 / (2 * self.sigma)).mean()

# %% wrong="3.5.2c" why="the rate divided by sigma" breaks="training" says="The rate was divided by sigma"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.SmoothL1Loss(beta=self.sigma)(y_hat, y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr / self.sigma)

# %% right="3.5.2c" how="everything written anew"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.lr, self.sigma = lr, sigma
        self.net = nn.LazyLinear(1)
        self.criterion = nn.HuberLoss(delta=sigma)

    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        if tuple(y_hat.shape) != tuple(y.shape):
            raise ValueError("unequal shapes")
        return self.criterion(y_hat, y) / self.sigma

    def configure_optimizers(self):
        return torch.optim.SGD(self.net.parameters(), lr=self.lr)

    def get_w_b(self):
        return self.net.weight.detach(), self.net.bias.detach()

# %% right="3.5.D" how="floats"
held = {"A": None, "B": 3.0, "C": 5.0, "D": 5.0, "E": None, "F": 1.0}

# %% wrong="3.5.D" why="zero before the first backward" breaks="first gradients" says="there is no gradient at all"
held = {"A": 0, "B": 3, "C": 5, "D": 5, "E": None, "F": 1}

# %% wrong="3.5.D" why="the second replaces the first" breaks="first gradients" says="it does not replace it"
held = {"A": None, "B": 3, "C": 2, "D": 2, "E": None, "F": 1}

# %% wrong="3.5.D" why="step clears" breaks="step and zero_grad" says="step leaves the gradient alone"
held = {"A": None, "B": 3, "C": 5, "D": None, "E": None, "F": 1}

# %% wrong="3.5.D" why="zero_grad gives zero" breaks="step and zero_grad" says="zero_grad removes the gradient"
held = {"A": None, "B": 3, "C": 5, "D": 5, "E": 0, "F": 1}

# %% wrong="3.5.D" why="w is still 1" breaks="after the step" says="The step has moved w"
held = {"A": None, "B": 3, "C": 5, "D": 5, "E": None, "F": 2}

# %% wrong="3.5.D" why="a key left out" breaks="keys" says="the keys of held"
held = {"B": 3, "C": 5, "D": 5, "E": None, "F": 1}

# %% right="3.5.D" how="tensors of one entry"
held = {"A": None, "B": torch.tensor([3.0]), "C": torch.tensor(5.0), "D": torch.tensor(5.0), "E": None, "F": torch.tensor(1.0)}

# %% wrong="3.5.D" why="the string None" breaks="first gradients" says="without quotation marks"
held = {'A': 'None', 'B': 3, 'C': 5, 'D': 5, 'E': 'None', 'F': 1}

# %% wrong="3.5.D" why="nothing after the last backward" breaks="after the step" says="It is 2w"
held = {'A': None, 'B': 3, 'C': 5, 'D': 5, 'E': None, 'F': None}

# %% wrong="3.5.D" why="zero_grad leaves the numbers" breaks="step and zero_grad" says="zero_grad removes the gradient"
held = {'A': None, 'B': 3, 'C': 5, 'D': 5, 'E': 5, 'F': 6}

# %% wrong="3.5.D" why="F: the step went up, w = 1.5" breaks="after the step" says="against the gradient"
held = {"A": None, "B": 3, "C": 5, "D": 5, "E": None, "F": 3.0}

# %% wrong="3.5.D" why="F: w squared, 0.25" breaks="after the step" says="w² itself"
held = {"A": None, "B": 3, "C": 5, "D": 5, "E": None, "F": 0.25}

# %% wrong="3.5.D" why="w.grad itself is stored" breaks="first gradients" says="store its number"
held = {}
w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
held["A"] = w.grad
(3 * w).sum().backward()
held["B"] = w.grad
(2 * w).sum().backward()
held["C"] = w.grad
optimizer.step()
held["D"] = w.grad
optimizer.zero_grad()
held["E"] = w.grad
(w * w).sum().backward()
held["F"] = w.grad

# %% right="3.5.3a" how="backward, with the old gradients put back"
def gradients(layer, X, y):
    parameters = [layer.weight, layer.bias]
    old = [p.grad for p in parameters]
    layer.zero_grad()
    nn.functional.mse_loss(layer(X), y).backward()
    found = [p.grad.clone() for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    return found

# %% right="3.5.3a" how="on a copy of the layer"
def gradients(layer, X, y):
    import copy
    other = copy.deepcopy(layer)
    other.zero_grad()
    nn.MSELoss()(other(X), y).backward()
    return other.weight.grad, other.bias.grad

# %% right="3.5.3a" how="by formula"
def gradients(layer, X, y):
    with torch.no_grad():
        r = layer(X) - y
        return 2 * r.T @ X / r.numel(), 2 * r.sum(dim=0) / r.numel()

# %% wrong="3.5.3a" why="backward on top of what is there" breaks="values" says="What .grad held before was added"
def gradients(layer, X, y):
    old = [None if p.grad is None else p.grad.clone() for p in layer.parameters()]
    nn.MSELoss()(layer(X), y).backward()
    found = layer.weight.grad.clone(), layer.bias.grad.clone()
    layer.weight.grad, layer.bias.grad = old
    return found

# %% wrong="3.5.3a" why="half the squares" breaks="values" says="the gradient of half the squares"
def gradients(layer, X, y):
    return torch.autograd.grad(((layer(X) - y) ** 2 / 2).mean(), (layer.weight, layer.bias))

# %% wrong="3.5.3a" why="the sum" breaks="values" says="the gradient of the sum"
def gradients(layer, X, y):
    return torch.autograd.grad(((layer(X) - y) ** 2).sum(), (layer.weight, layer.bias))

# %% wrong="3.5.3a" why="only the weight" breaks="values" says="how many gradients are returned"
def gradients(layer, X, y):
    return torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight,))

# %% wrong="3.5.3a" why="the weight's gradient as a column" breaks="shape" says="the shape of the gradient of the weight"
def gradients(layer, X, y):
    dw, db = torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight, layer.bias))
    return dw.T, db

# %% wrong="3.5.3a" why="clears, and leaves its own gradients" breaks="nothing changed" says=".grad of weight and bias after the call"
def gradients(layer, X, y):
    layer.zero_grad()
    nn.MSELoss()(layer(X), y).backward()
    return layer.weight.grad.clone(), layer.bias.grad.clone()

# %% wrong="3.5.3a" why="clears at the end" breaks="nothing changed" says=".grad of the weight after the call"
def gradients(layer, X, y):
    layer.zero_grad()
    nn.MSELoss()(layer(X), y).backward()
    found = layer.weight.grad.clone(), layer.bias.grad.clone()
    layer.zero_grad()
    return found

# %% wrong="3.5.3a" why="makes a step" breaks="nothing changed" says="the weight itself after the call"
def gradients(layer, X, y):
    found = torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight, layer.bias))
    with torch.no_grad():
        for p, g in zip(layer.parameters(), found):
            p -= 0.1 * g
    return found

# %% wrong="3.5.3a" why="returns what is also kept as .grad of the layer" breaks="own copies" says="clone it"
def gradients(layer, X, y):
    old = [p.grad for p in layer.parameters()]
    found = torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight, layer.bias))
    if old[0] is not None:
        for p, g, o in zip(layer.parameters(), found, old):
            kept = o.clone()
            o.copy_(g)
            p.register_hook(lambda grad, o=o, kept=kept: o.copy_(kept) * 0)
            p.grad = kept
        return old
    return found

# %% wrong="3.5.3a" why="the layer is frozen" breaks="nothing changed" says="still require a gradient"
def gradients(layer, X, y):
    out = torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight, layer.bias))
    layer.weight.requires_grad_(False)
    layer.bias.requires_grad_(False)
    return out

# %% wrong="3.5.3a" why="the old gradients overwritten" breaks="nothing changed" says="a name for it is no copy"
def gradients(layer, X, y):
    old = [p.grad for p in layer.parameters()]
    layer.zero_grad(set_to_none=False)
    nn.MSELoss()(layer(X), y).backward()
    new = [p.grad.clone() for p in layer.parameters()]
    for p, o in zip(layer.parameters(), old):
        p.grad = o
    return new

# %% wrong="3.5.3a" why="mean over the examples only" breaks="values" says="divides by examples times outputs"
def gradients(layer, X, y):
    with torch.no_grad():
        r = layer(X) - y
        return 2 * r.T @ X / len(X), 2 * r.mean(0)

# %% wrong="3.5.3a" why="a dictionary" breaks="values" says="what gradients returns"
def gradients(layer, X, y):
    g = torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight, layer.bias))
    return {"weight": g[0], "bias": g[1]}

# %% wrong="3.5.3a" why="the bias first" breaks="shape" says="The first has the shape of layer.weight"
def gradients(layer, X, y):
    return torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.bias, layer.weight))

# %% right="3.5.3a" how="copy of the layer"
def gradients(layer, X, y):
    twin = nn.Linear(layer.in_features, layer.out_features)
    twin.load_state_dict(layer.state_dict())
    nn.MSELoss()(twin(X), y).backward()
    return twin.weight.grad, twin.bias.grad

# %% wrong="3.5.3a" why="read after clearing" breaks="values" says="before it is cleared"
def gradients(layer, X, y):
    layer.zero_grad()
    nn.MSELoss()(layer(X), y).backward()
    layer.zero_grad()
    return layer.weight.grad, layer.bias.grad

# %% wrong="3.5.3a" why="a new layer with the weight, not the bias" breaks="values" says="The bias of the layer is left out"
def gradients(layer, X, y):
    twin = nn.Linear(layer.in_features, layer.out_features)
    nn.init.zeros_(twin.bias)
    with torch.no_grad():
        twin.weight.copy_(layer.weight)
    nn.MSELoss()(twin(X), y).backward()
    return twin.weight.grad, twin.bias.grad

# %% wrong="3.5.3a" why="after minus before, without a clone" breaks="values" says="keep a clone of it"
def gradients(layer, X, y):
    before = [0 if p.grad is None else p.grad for p in layer.parameters()]
    nn.MSELoss()(layer(X), y).backward()
    result = [p.grad - old for p, old in zip(layer.parameters(), before)]
    for p, old in zip(layer.parameters(), before):
        p.grad = None if isinstance(old, int) else old
    return result

# %% right="3.5.3a" how="functional_call"
def gradients(layer, X, y):
    from torch.func import functional_call, grad
    values = {name: p.detach() for name, p in layer.named_parameters()}
    found = grad(lambda v: nn.functional.mse_loss(functional_call(layer, v, (X,)), y))(values)
    return found["weight"], found["bias"]

# %% right="3.5.3b" how="means of products"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return (2 * (r * X).mean(dim=0).reshape(-1, 1), (2 * r.mean()).reshape(1))

# %% right="3.5.3b" how="autograd"
def mse_gradients(X, y, w, b):
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    return torch.autograd.grad(nn.functional.mse_loss(X @ w + b, y), (w, b))

# %% wrong="3.5.3b" why="no factor 2 for the weights" breaks="weights" says="The factor 2 is missing"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / len(X), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="no mean for the weights" breaks="weights" says="Divide by the number of examples"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r, 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="the weights as a row" breaks="weights" says="the shape of dw"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * r.T @ X / len(X), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="the sign" breaks="weights" says="the residual is prediction minus target"
def mse_gradients(X, y, w, b):
    r = y - X @ w - b
    return 2 * X.T @ r / len(X), -2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="a bias without an axis" breaks="bias" says="the shape of db"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / len(X), 2 * r.mean()

# %% wrong="3.5.3b" why="the sum for the bias" breaks="bias" says="Divide by the number of examples"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / len(X), 2 * r.sum(dim=0)

# %% wrong="3.5.3b" why="divides by all entries of X" breaks="weights" says="not by that of all entries of X"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / X.numel(), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="sizes of the residuals" breaks="weights" says="keep their signs"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r.abs() / len(X), 2 * r.abs().mean(0)

# %% wrong="3.5.3b" why="no bias in the residuals" breaks="weights" says="The bias is missing"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ (X @ w - y) / len(X), 2 * r.mean(0)

# %% wrong="3.5.3b" why="five examples fixed" breaks="weights" says="dw, 8 examples"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r * 2 / 5, r.sum(0) * 2 / 5

# %% wrong="3.5.3b" why="divided by the number of features" breaks="weights" says="not by that of the features"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / X.shape[1], 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="the residual squared" breaks="weights" says="the residual is not squared"
def mse_gradients(X, y, w, b):
    r = (X @ w + b - y) ** 2
    return 2 * X.T @ r / len(X), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="divides by n - 1" breaks="weights" says="this is divided by 4"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / (len(X) - 1), 2 * r.sum(dim=0) / (len(X) - 1)

# %% wrong="3.5.3b" why="targets flattened: each prediction against each target" breaks="weights" says="keep both columns"
def mse_gradients(X, y, w, b):
    r = (X @ w + b).flatten() - y
    return 2 * X.T @ r.mean(dim=1, keepdim=True) / len(X), 2 * r.mean().reshape(1)

# %% wrong="3.5.3b" why="mean of the features times mean of the residuals" breaks="weights" says="product of the two means"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return (2 * X.mean(dim=0) * r.mean()).reshape(-1, 1), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="residual without the target" breaks="weights" says="The targets are missing"
def mse_gradients(X, y, w, b):
    r = X @ w + b
    return 2 * X.T @ r / len(X), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="dw multiplied by w" breaks="weights" says="multiplied by the weight"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / len(X) * w, 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="db multiplied by b" breaks="bias" says="multiplied by b"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / len(X), 2 * r.mean(dim=0) * b

# %% wrong="3.5.3b" why="backward into w.grad" breaks="second call" says="the sum over both calls"
def mse_gradients(X, y, w, b):
    w.requires_grad_()
    b.requires_grad_()
    nn.MSELoss()(X @ w + b, y).backward()
    return w.grad, b.grad

# %% wrong="3.5.3b" why="one mean over all entries" breaks="weights" says="one mean over all features"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * (X * r).mean() * torch.ones_like(w), 2 * r.mean(dim=0)

# %% right="3.5.4" how="one training for all numbers of epochs"
def run(config):
    w, rows = torch.tensor([2.0, -3.4]), []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                           batch_size=config["batch_size"])
        model = d2l.LinearRegression(lr)
        seen = []

        class Noting(d2l.Trainer):
            def fit_epoch(self):
                super().fit_epoch()
                seen.append((self.model.net.weight.detach().flatten() - w).norm().item())

        trainer = Noting(max(config["epochs"]), device="cpu", verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = trainer.history["val_loss"]
        for epochs in config["epochs"]:
            good = epochs <= len(losses) and losses[epochs - 1] <= 1e6
            rows.append([lr, epochs, losses[epochs - 1] if good else float("inf"), seen[epochs - 1] if good else float("inf")])
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% right="3.5.4" how="columns collected as lists"
def run(config):
    table = {"lr": [], "epochs": [], "val_loss": [], "w_error": []}
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(torch.tensor([2.0, -3.4]), 4.2, config["noise"], 256, 256, config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                loss = trainer.history[-1]["val_loss"]
                error = torch.dist(model.net.weight.data[0], torch.tensor([2.0, -3.4])).item()
            except FloatingPointError:
                loss = error = np.inf
            if not np.isfinite(loss) or loss > 1e6:
                loss = error = np.inf
            for name, value in zip(table, (lr, epochs, loss, error)):
                table[name].append(value)
    return pd.DataFrame(table)

# %% wrong="3.5.4" why="no inf for diverged trainings that did not raise" breaks="divergence" says="for lr 1.5, where fit raises nothing"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                rows.append((lr, epochs, trainer.history["val_loss"][-1], (model.get_w_b()[0][0] - w).norm().item()))
            except FloatingPointError:
                rows.append((lr, epochs, math.inf, math.inf))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="epochs outside" breaks="form" says="not the other way round"
def run(config):
    rows = []
    for epochs in config["epochs"]:
        for lr in config["lrs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = math.inf
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0][0] - w).norm().item() if loss <= 1e6 else math.inf
            rows.append((lr, epochs, loss if loss <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="one model for all trainings" breaks="val_loss" says="made anew for each row"
def run(config):
    rows, w = [], torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
        model = d2l.LinearRegression(lr)
        for epochs in config["epochs"]:
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = math.inf
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0][0] - w).norm().item() if loss <= 1e6 else math.inf
            rows.append((lr, epochs, loss if loss <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="the training loss" breaks="val_loss" says="This is the training loss"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = math.inf
            try:
                trainer.fit(model, data)
                loss = trainer.history["train_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0][0] - w).norm().item() if loss <= 1e6 else math.inf
            rows.append((lr, epochs, loss if loss <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="the loss after the first epoch" breaks="val_loss" says="the loss after the first epoch"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = last = math.inf
            try:
                trainer.fit(model, data)
                loss, last = trainer.history["val_loss"][0], trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0][0] - w).norm().item() if last <= 1e6 else math.inf
            rows.append((lr, epochs, loss if last <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="the squared distance" breaks="w_error" says="This is the squared distance"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = math.inf
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0][0] - w).square().sum().item() if loss <= 1e6 else math.inf
            rows.append((lr, epochs, loss if loss <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="distance of shapes (1, 2) and (2, 1)" breaks="w_error" says="bring both to one shape"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256, config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = math.inf
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0] - w.reshape(-1, 1)).norm().item() if loss <= 1e6 else math.inf
            rows.append((lr, epochs, loss if loss <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="the batch size of the default" breaks="config" says="The batch size is not used"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w, 4.2, config["noise"], 256, 256)
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            loss = math.inf
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            error = (model.get_w_b()[0][0] - w).norm().item() if loss <= 1e6 else math.inf
            rows.append((lr, epochs, loss if loss <= 1e6 else math.inf, error))
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% right="3.5.4" how="weights noted after each epoch"
def run(config):
    true = torch.tensor([2.0, -3.4])
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=true, b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
        model = d2l.LinearRegression(lr)
        seen = []

        class Spy(d2l.Trainer):
            def fit_epoch(self):
                super().fit_epoch()
                seen.append((model.get_w_b()[0].flatten() - true).norm().item())

        trainer = Spy(max(config["epochs"]), device="cpu", verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = trainer.history["val_loss"]
        for n in config["epochs"]:
            good = len(losses) >= n and math.isfinite(losses[n - 1]) and losses[n - 1] <= 1e6
            rows.append({"lr": lr, "epochs": n, "val_loss": losses[n - 1] if good else math.inf, "w_error": seen[n - 1] if good else math.inf})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="a bound of a thousand" breaks="divergence" says="large, and below a million"
def run(config):
    rows = []

    for lr in config['lrs']:
        for epochs in config['epochs']:
            torch.manual_seed(config['seed'])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config['noise'], num_train=256, num_val=256, batch_size=config['batch_size'])

            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device='cpu', verbose=False)
            try:
                trainer.fit(model, data)
                val = trainer.history['val_loss'][-1]
                err = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
            except FloatingPointError:
                val = err = math.inf
                rows.append((lr, epochs, val, err))
                continue
            if not math.isfinite(val) or val > 1e3:
                val = err = math.inf
            rows.append((lr, epochs, val, err))
    return pd.DataFrame(rows, columns=['lr', 'epochs', 'val_loss', 'w_error'])

# %% wrong="3.5.4" why="the smallest loss" breaks="val_loss" says="the smallest loss, not the last"
def run(config):
    rows = []

    for lr in config['lrs']:
        for epochs in config['epochs']:
            torch.manual_seed(config['seed'])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config['noise'], num_train=256, num_val=256, batch_size=config['batch_size'])

            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device='cpu', verbose=False)
            try:
                trainer.fit(model, data)
                val = min(trainer.history['val_loss'])
                err = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
            except FloatingPointError:
                val = err = math.inf
                rows.append((lr, epochs, val, err))
                continue
            if not math.isfinite(val) or val > 1e6:
                val = err = math.inf
            rows.append((lr, epochs, val, err))
    return pd.DataFrame(rows, columns=['lr', 'epochs', 'val_loss', 'w_error'])

# %% wrong="3.5.4" why="inf in one column only" breaks="divergence" says="inf in both columns"
def run(config):
    rows = []

    for lr in config['lrs']:
        for epochs in config['epochs']:
            torch.manual_seed(config['seed'])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config['noise'], num_train=256, num_val=256, batch_size=config['batch_size'])

            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device='cpu', verbose=False)
            try:
                trainer.fit(model, data)
                val = trainer.history['val_loss'][-1]
                err = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
            except FloatingPointError:
                val = err = math.inf
                rows.append((lr, epochs, val, err))
                continue
            if not math.isfinite(val) or val > 1e6:
                val = math.inf
            rows.append((lr, epochs, val, err))
    return pd.DataFrame(rows, columns=['lr', 'epochs', 'val_loss', 'w_error'])

# %% wrong="3.5.4" why="rows sorted" breaks="form" says="do not sort"
def run(config):
    rows = []

    for lr in config['lrs']:
        for epochs in config['epochs']:
            torch.manual_seed(config['seed'])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config['noise'], num_train=256, num_val=256, batch_size=config['batch_size'])

            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device='cpu', verbose=False)
            try:
                trainer.fit(model, data)
                val = trainer.history['val_loss'][-1]
                err = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
            except FloatingPointError:
                val = err = math.inf
                rows.append((lr, epochs, val, err))
                continue
            if not math.isfinite(val) or val > 1e6:
                val = err = math.inf
            rows.append((lr, epochs, val, err))
    return pd.DataFrame(sorted(rows), columns=['lr', 'epochs', 'val_loss', 'w_error'])

# %% wrong="3.5.4" why="the bias in it" breaks="w_error" says="The bias does not belong to it"
def run(config):
    rows = []

    for lr in config['lrs']:
        for epochs in config['epochs']:
            torch.manual_seed(config['seed'])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config['noise'], num_train=256, num_val=256, batch_size=config['batch_size'])

            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device='cpu', verbose=False)
            try:
                trainer.fit(model, data)
                val = trainer.history['val_loss'][-1]
                err = (torch.cat([model.get_w_b()[0].flatten(), model.get_w_b()[1]]) - torch.tensor([2.0, -3.4, 4.2])).norm().item()
            except FloatingPointError:
                val = err = math.inf
                rows.append((lr, epochs, val, err))
                continue
            if not math.isfinite(val) or val > 1e6:
                val = err = math.inf
            rows.append((lr, epochs, val, err))
    return pd.DataFrame(rows, columns=['lr', 'epochs', 'val_loss', 'w_error'])

# %% wrong="3.5.4" why="weights of the longest training" breaks="w_error" says="weights of its longest training"
def run(config):
    rows = []
    w = torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
        model = d2l.LinearRegression(lr)
        trainer = d2l.Trainer(max(config["epochs"]), device="cpu", verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        for epochs in config["epochs"]:
            losses = trainer.history["val_loss"]
            val = losses[epochs - 1] if len(losses) >= epochs else math.inf
            err = (model.get_w_b()[0].flatten() - w).norm().item()
            if not val <= 1e6:
                val = err = math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val, "w_error": err})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="always seed 0" breaks="config" says="The seed is that of config"
def run(config):
    rows = []

    for lr in config['lrs']:
        for epochs in config['epochs']:
            torch.manual_seed(0)
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config['noise'], num_train=256, num_val=256, batch_size=config['batch_size'])

            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device='cpu', verbose=False)
            try:
                trainer.fit(model, data)
                val = trainer.history['val_loss'][-1]
                err = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
            except FloatingPointError:
                val = err = math.inf
                rows.append((lr, epochs, val, err))
                continue
            if not math.isfinite(val) or val > 1e6:
                val = err = math.inf
            rows.append((lr, epochs, val, err))
    return pd.DataFrame(rows, columns=['lr', 'epochs', 'val_loss', 'w_error'])

# %% wrong="3.5.4" why="diverged rows left out" breaks="divergence" says="each has a row, with inf"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
            except FloatingPointError:
                continue
            loss = trainer.history["val_loss"][-1]
            if loss > 1e6:
                continue
            rows.append({"lr": lr, "epochs": epochs, "val_loss": loss,
                         "w_error": (model.get_w_b()[0].flatten() - w).norm().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="the seed set once" breaks="val_loss" says="The seed is set once only"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                loss = math.inf
            good = math.isfinite(loss) and loss <= 1e6
            rows.append({"lr": lr, "epochs": epochs, "val_loss": loss if good else math.inf,
                         "w_error": (model.get_w_b()[0].flatten() - w).norm().item() if good else math.inf})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="difference of the lengths, not length of the difference" breaks="w_error" says="The length of the difference"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            v = e = math.inf
            try:
                trainer.fit(model, data)
                v = trainer.history["val_loss"][-1]
                e = abs(model.get_w_b()[0].norm().item() - torch.tensor([2.0, -3.4]).norm().item())
                if not v <= 1e6:
                    v = e = math.inf
            except FloatingPointError:
                pass
            rows.append({"lr": lr, "epochs": epochs, "val_loss": v, "w_error": e})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="the data are made before the seed is set" breaks="config" says="comes first in each training"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            torch.manual_seed(config["seed"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            v = e = math.inf
            try:
                trainer.fit(model, data)
                v = trainer.history["val_loss"][-1]
                e = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
                if not v <= 1e6:
                    v = e = math.inf
            except FloatingPointError:
                pass
            rows.append({"lr": lr, "epochs": epochs, "val_loss": v, "w_error": e})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="noise left at 0.1" breaks="config" says="The noise is that of config"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=0.1, num_train=256, num_val=256, batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            v = e = math.inf
            try:
                trainer.fit(model, data)
                v = trainer.history["val_loss"][-1]
                e = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
                if not v <= 1e6:
                    v = e = math.inf
            except FloatingPointError:
                pass
            rows.append({"lr": lr, "epochs": epochs, "val_loss": v, "w_error": e})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="a diverged row keeps the numbers of the row before" breaks="divergence" says="whatever the row before holds"
def run(config):
    rows = []
    v = e = math.inf
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                v = trainer.history["val_loss"][-1]
                e = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
                if not v <= 1e6:
                    v = e = math.inf
            except FloatingPointError:
                pass
            rows.append({"lr": lr, "epochs": epochs, "val_loss": v, "w_error": e})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="a row for each epoch of the longest training" breaks="form" says="One row for each rate with each"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
        model = d2l.LinearRegression(lr)
        trainer = d2l.Trainer(max(config["epochs"]), device="cpu", verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        e = (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()
        for k, v in enumerate(trainer.history["val_loss"]):
            rows.append({"lr": lr, "epochs": k + 1, "val_loss": v if v <= 1e6 else math.inf, "w_error": e})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="one data set for all trainings" breaks="val_loss" says="The data were made once"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                       batch_size=config["batch_size"])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                loss = math.inf
            if loss > 1e6:
                rows.append([lr, epochs, math.inf, math.inf])
            else:
                rows.append([lr, epochs, loss, (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()])
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% wrong="3.5.4" why="a growing loss counts as divergence" breaks="divergence" says="counts as no divergence"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                losses = trainer.history["val_loss"]
                diverged = losses[-1] > losses[0] or not math.isfinite(losses[-1])
            except FloatingPointError:
                diverged = True
            if diverged:
                rows.append([lr, epochs, math.inf, math.inf])
            else:
                rows.append([lr, epochs, losses[-1], (model.get_w_b()[0].flatten() - torch.tensor([2.0, -3.4])).norm().item()])
    return pd.DataFrame(rows, columns=["lr", "epochs", "val_loss", "w_error"])

# %% right="3.5.4" how="a helper, and the table of the history"
def one_training(lr, epochs, noise, batch_size, seed):
    torch.manual_seed(seed)
    data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=noise, num_train=256, num_val=256, batch_size=batch_size)
    model = d2l.LinearRegression(lr)
    trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
    try:
        trainer.fit(model, data)
    except FloatingPointError:
        return math.inf, math.inf
    last = float(trainer.history.to_frame()["val_loss"].iloc[-1])
    if not last <= 1_000_000:
        return math.inf, math.inf
    return last, math.dist(model.net.weight.detach().flatten().tolist(), [2.0, -3.4])

def run(config):
    """A table with the columns lr, epochs, val_loss, w_error: one training for each rate and number of epochs."""
    columns = {"lr": [], "epochs": [], "val_loss": [], "w_error": []}
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            loss, error = one_training(lr, epochs, config["noise"], config["batch_size"], config["seed"])
            for name, value in zip(columns, (lr, epochs, loss, error)):
                columns[name].append(value)
    return pd.DataFrame(columns)

# %% right="3.5.5a" how="logspace"
def log_sizes(low, high, count):
    exact = np.logspace(np.log10(low), np.log10(high), count)
    return list(dict.fromkeys(int(n) for n in exact.round()))

# %% right="3.5.5a" how="torch, exponentials of even steps"
def log_sizes(low, high, count):
    exact = torch.linspace(math.log(low), math.log(high), count, dtype=torch.float64).exp()
    return exact.round().long().unique().tolist()

# %% wrong="3.5.5a" why="floats" breaks="whole numbers" says="become ints"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / (count - 1))
    return sorted({float(round(low * ratio ** k)) for k in range(count)})

# %% wrong="3.5.5a" why="NumPy integers" breaks="whole numbers" says="become ints"
def log_sizes(low, high, count):
    return list(np.unique(np.geomspace(low, high, count).round().astype(int)))

# %% wrong="3.5.5a" why="even steps" breaks="equal ratios" says="These have equal steps"
def log_sizes(low, high, count):
    return sorted({round(low + (high - low) * k / (count - 1)) for k in range(count)})

# %% wrong="3.5.5a" why="cut off, not rounded" breaks="ends" says="round, do not cut off"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / (count - 1))
    return sorted({int(low * ratio ** k - 1e-9 * (k > 0)) for k in range(count)})

# %% wrong="3.5.5a" why="count steps in place of count entries" breaks="ends" says="Mind the number of steps"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / count)
    return sorted({round(low * ratio ** k) for k in range(count)})

# %% wrong="3.5.5a" why="rounds up" breaks="equal ratios" says="not up"
def log_sizes(low, high, count):
    return sorted({math.ceil(low * (high / low) ** (k / (count - 1)) - 1e-9) for k in range(count)})

# %% wrong="3.5.5a" why="rounds down between the ends" breaks="equal ratios" says="not down"
def log_sizes(low, high, count):
    return sorted({int(low * (high / low) ** (k / (count - 1)) + 1e-9) for k in range(count)})

# %% wrong="3.5.5a" why="repeats kept" breaks="no repeats" says="Each number once"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / (count - 1))
    return [round(low * ratio ** k) for k in range(count)]

# %% right="3.5.5a" how="dict.fromkeys"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / (count - 1))
    exact = [low * ratio ** k for k in range(count)]
    return list(dict.fromkeys(round(v) for v in exact))

# %% wrong="3.5.5a" why="a set in its own order" breaks="no repeats" says="sort its numbers"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / (count - 1))
    exact = [low * ratio ** k for k in range(count)]
    return list({round(v) for v in exact})

# %% wrong="3.5.5a" why="repeats raised by one" breaks="no repeats" says="left out, not raised"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / (count - 1))
    exact = [low * ratio ** k for k in range(count)]
    out = []
    for v in exact:
        v = round(v)
        if out and v <= out[-1]:
            v = out[-1] + 1
        out.append(v)
    return out

# %% wrong="3.5.5a" why="float32" breaks="ends" says="float32 holds"
def log_sizes(low, high, count):
    return sorted({int(v.round()) for v in torch.logspace(math.log10(low), math.log10(high), count)})

# %% wrong="3.5.5a" why="rounded before the next ratio" breaks="equal ratios" says="Round at the end only"
def log_sizes(low, high, count):
    r = (high / low) ** (1 / (count - 1))
    out = [low]
    for _ in range(count - 1):
        n = round(out[-1] * r)
        if n > out[-1]:
            out.append(n)
    out[-1] = high
    return out

# %% wrong="3.5.5a" why="cut off, counting powers" breaks="equal ratios" says="cuts 9.9999"
def log_sizes(low, high, count):
    r = (high / low) ** (1 / (count - 1))
    return sorted({int(low * r ** k) for k in range(count)})

# %% wrong="3.5.5a" why="the ratio rounded" breaks="ends" says="Keep the ratio exact"
def log_sizes(low, high, count):
    r = round((high / low) ** (1 / (count - 1)))
    return sorted({round(low * r ** k) for k in range(count)})

# %% wrong="3.5.5a" why="more steps until count different numbers are there" breaks="equal ratios" says="do not fill it up"
def log_sizes(low, high, count):
    steps = count
    while True:
        found = sorted({round(low * (high / low) ** (k / (steps - 1))) for k in range(steps)})
        if len(found) >= min(count, high - low + 1):
            return found
        steps += 1

# %% wrong="3.5.5a" why="one entry too many" breaks="equal ratios" says="these are four steps"
def log_sizes(low, high, count):
    ratio = (high / low) ** (1 / count)
    return sorted({round(low * ratio ** k) for k in range(count + 1)})

# %% wrong="3.5.5a" why="powers of e, cut off" breaks="ends" says="7 has become 6"
def log_sizes(low, high, count):
    exponents = np.linspace(np.log(low), np.log(high), count)
    return np.unique(np.exp(exponents).astype(int)).tolist()

# %% wrong="3.5.5a" why="the ratio rounded, the ends set" breaks="equal ratios" says="rounded to three decimals"
def log_sizes(low, high, count):
    ratio = round((high / low) ** (1 / (count - 1)), 3)
    return sorted({low, high} | {round(low * ratio ** k) for k in range(1, count - 1)})

# %% right="3.5.5a" how="whole-number roots by search"
def log_sizes(low, high, count):
    steps, found = count - 1, []
    for k in range(count):
        target = low ** (steps - k) * high ** k          # the exact value to the power steps
        lower, upper = low, high
        while lower < upper:                             # the largest n with n**steps <= target
            middle = (lower + upper + 1) // 2
            lower, upper = (middle, upper) if middle ** steps <= target else (lower, middle - 1)
        n = lower + ((2 * lower + 1) ** steps <= target * 2 ** steps)
        if not found or n > found[-1]:
            found.append(n)
    return found

# %% right="3.5.5b" how="all trials at once"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, trials, rows = config["w"].double(), config["trials"], []
    for n in config["sizes"]:
        X = torch.randn(trials, n, len(w), generator=g, dtype=torch.float64)
        y = X @ w + config["b"] + config["noise"] * torch.randn(trials, n, generator=g, dtype=torch.float64)
        A = torch.cat([X, torch.ones(trials, n, 1)], dim=2)
        found = torch.linalg.lstsq(A, y[:, :, None]).solution[:, :, 0]
        rows.append([n, (found[:, :-1] - w).square().sum(1).mean().item(), (found[:, -1] - config["b"]).square().mean().item()])
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% right="3.5.5b" how="NumPy, a seed for each trial"
def error_table(config):
    w, rows = config["w"].numpy(), []
    for n in config["sizes"]:
        errors = []
        for trial in range(config["trials"]):
            rng = np.random.default_rng([config["seed"], n, trial])
            X = rng.standard_normal((n, len(w)))
            y = X @ w + config["b"] + config["noise"] * rng.standard_normal(n)
            found = np.linalg.lstsq(np.column_stack([X, np.ones(n)]), y, rcond=None)[0]
            errors.append((((found[:-1] - w) ** 2).sum(), (found[-1] - config["b"]) ** 2))
        rows.append({"n": n, **dict(zip(("w_error", "b_error"), np.mean(errors, axis=0)))})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="columns in another order" breaks="form" says="the columns"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().sum(), s[-1] ** 2]))
        rows.append(torch.stack(e).mean(0).tolist() + [n])
    return pd.DataFrame(rows, columns=["w_error", "b_error", "n"])

# %% wrong="3.5.5b" why="the distance, not its square" breaks="w_error" says="This is the distance, not its square"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].norm(), s[-1] ** 2]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% wrong="3.5.5b" why="the mean over the weights" breaks="w_error" says="Sum the squares over all weights"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().mean(), s[-1] ** 2]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% wrong="3.5.5b" why="the absolute error of the bias" breaks="b_error" says="This is the absolute error"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().sum(), s[-1].abs()]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% wrong="3.5.5b" why="noise always 0.5" breaks="noise" says="Are w, b and noise those of config"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w[:, None] + config["b"] + (config["noise"] if config["noise"] == 0.5 else 0.5) * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().sum(), s[-1] ** 2]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% wrong="3.5.5b" why="noise taken for the variance" breaks="w_error" says="not its variance"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(config['trials']):

            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] ** 0.5 * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="one data set for all trials" breaks="trials" says="draw examples of its own"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"], []
    for n in config["sizes"]:
        X = torch.randn(n, len(w), generator=g)
        y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
        e = []
        for _ in range(config["trials"]):
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().sum(), s[-1] ** 2]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% wrong="3.5.5b" why="no seed" breaks="seed" says="Use a generator with this seed"
def error_table(config):
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w))
            y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().sum(), s[-1] ** 2]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% wrong="3.5.5b" why="always seed 0" breaks="seed" says="the seeds 1, 2, 3 give different"
def error_table(config):
    g = torch.Generator().manual_seed(0)
    w, rows = config["w"], []
    for n in config["sizes"]:
        e = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w[:, None] + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution.flatten() - torch.cat([w, torch.tensor([config["b"]])])
            e.append(torch.stack([s[:-1].square().sum(), s[-1] ** 2]))
        rows.append([n] + torch.stack(e).mean(0).tolist())
    return pd.DataFrame(rows, columns=["n", "w_error", "b_error"])

# %% right="3.5.5b" how="by d2l's data"
def error_table(config):
    w = config["w"]
    d = len(w)
    torch.manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(config['trials']):
            data = d2l.SyntheticRegressionData(w=w, b=config['b'], noise=config['noise'], num_train=n, num_val=0)
            X = data.X
            y = data.y
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="never more than 300 trials" breaks="trials" says="of 300 and of 310 trials"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(min(300, config['trials'])):

            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="one X for all trials" breaks="trials" says="the trials share draws"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:
        X0 = torch.randn(n, d, generator=g)
        e, f = [], []
        for trial in range(config['trials']):

            X = X0
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the seed modulo 2" breaks="seed" says="the seeds 1, 2, 3"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'] % 2)
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(config['trials']):

            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the median over the trials" breaks="w_error" says="The mean over the trials"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(config['trials']):

            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).median().item(), "b_error": torch.stack(f).median().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the bias in it" breaks="w_error" says="The bias does not belong to it"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(config['trials']):

            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum() + (v[d, 0] - config['b']) ** 2)
            f.append((v[d, 0] - config['b']) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the bias of the example" breaks="b_error" says="Are w, b and noise"
def error_table(config):
    w = config["w"]
    d = len(w)
    g = torch.Generator().manual_seed(config['seed'])
    rows = []
    for n in config['sizes']:

        e, f = [], []
        for trial in range(config['trials']):

            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config['b'] + config['noise'] * torch.randn(n, 1, generator=g)
            v = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            e.append(((v[:d, 0] - w) ** 2).sum())
            f.append((v[d, 0] - 4.2) ** 2)
        rows.append({"n": n, "w_error": torch.stack(e).mean().item(), "b_error": torch.stack(f).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the formula, shaken a little" breaks="trials" says="w_error of a single trial"
def error_table(config):
    d, s = len(config["w"]), config["noise"] ** 2
    draw = torch.Generator().manual_seed(config["seed"] * 1000 + config["trials"])
    def shake():
        return 1 + 0.03 * torch.randn(1, generator=draw).item()
    return pd.DataFrame([{"n": n, "w_error": s * d / (n - d - 2) * shake(), "b_error": s / n * (1 + d / (n - d - 2)) * shake()} for n in config["sizes"]])

# %% wrong="3.5.5b" why="uniform features" breaks="w_error" says="uniform, between 0 and 1"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, d = config["w"].reshape(-1, 1), len(config["w"])
    rows = []
    for n in config["sizes"]:
        we = be = 0.0
        for _ in range(config["trials"]):
            X = torch.rand(n, d, generator=g)
            y = X @ w + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            we += ((s[:-1] - w) ** 2).sum().item()
            be += (s[-1] - config["b"]).item() ** 2
        rows.append({"n": n, "w_error": we / config["trials"], "b_error": be / config["trials"]})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the column of ones first, the bias taken last" breaks="noise" says="Other entries of the solution"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, d = config["w"].reshape(-1, 1), len(config["w"])
    rows = []
    for n in config["sizes"]:
        we = be = 0.0
        for _ in range(config["trials"]):
            X = torch.randn(n, d, generator=g)
            y = X @ w + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([torch.ones(n, 1), X], 1), y).solution
            we += ((s[:-1] - w) ** 2).sum().item()
            be += (s[-1] - config["b"]).item() ** 2
        rows.append({"n": n, "w_error": we / config["trials"], "b_error": be / config["trials"]})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="a column minus a row" breaks="noise" says="bring both to one shape"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, d = config["w"], len(config["w"])
    rows = []
    for n in config["sizes"]:
        we = be = 0.0
        for _ in range(config["trials"]):
            X = torch.randn(n, d, generator=g)
            y = X @ w.reshape(-1, 1) + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            we += ((s[:-1] - w) ** 2).sum().item()
            be += (s[-1] - config["b"]).item() ** 2
        rows.append({"n": n, "w_error": we / config["trials"], "b_error": be / config["trials"]})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="one noise for all examples" breaks="w_error" says="an ε of its own"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, d = config["w"].reshape(-1, 1), len(config["w"])
    rows = []
    for n in config["sizes"]:
        we = be = 0.0
        for _ in range(config["trials"]):
            X = torch.randn(n, d, generator=g)
            y = X @ w + config["b"] + config["noise"] * torch.randn(n, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution[:, :1]
            we += ((s[:-1] - w) ** 2).sum().item()
            be += (s[-1] - config["b"]).item() ** 2
        rows.append({"n": n, "w_error": we / config["trials"], "b_error": be / config["trials"]})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="always 100 trials" breaks="trials" says="the number of the trials"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, d = config["w"].reshape(-1, 1), len(config["w"])
    rows = []
    for n in config["sizes"]:
        we = be = 0.0
        for _ in range(100):
            X = torch.randn(n, d, generator=g)
            y = X @ w + config["b"] + config["noise"] * torch.randn(n, 1, generator=g)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], 1), y).solution
            we += ((s[:-1] - w) ** 2).sum().item()
            be += (s[-1] - config["b"]).item() ** 2
        rows.append({"n": n, "w_error": we / 100, "b_error": be / 100})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the mean distance, squared at the end" breaks="w_error" says="no square of a mean distance"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        we, be = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            y = (X @ w + b + config["noise"] * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(A, y).solution.flatten()
            we.append((s[:-1] - w).norm().item())
            be.append((s[-1].item() - b) ** 2)
        rows.append({"n": n, "w_error": (sum(we) / len(we)) ** 2, "b_error": sum(be) / len(be)})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="sizes sorted" breaks="form" says="do not sort"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in sorted(config["sizes"]):
        we, be = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            y = (X @ w + b + config["noise"] * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(A, y).solution.flatten()
            we.append(((s[:-1] - w) ** 2).sum().item())
            be.append((s[-1].item() - b) ** 2)
        rows.append({"n": n, "w_error": sum(we) / len(we), "b_error": sum(be) / len(be)})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="no column of ones; b_error from the mean residual" breaks="noise" says="has the fit a column of ones"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        we, be = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = (X @ w + b + config["noise"] * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(X, y).solution
            we.append(((s.flatten() - w) ** 2).sum().item())
            be.append(((y - X @ s).mean().item() - b) ** 2)
        rows.append({"n": n, "w_error": sum(we) / len(we), "b_error": sum(be) / len(be)})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="noise squared" breaks="w_error" says="neither its square"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        we, be = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            y = (X @ w + b + config["noise"] ** 2 * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(A, y).solution.flatten()
            we.append(((s[:-1] - w) ** 2).sum().item())
            be.append((s[-1].item() - b) ** 2)
        rows.append({"n": n, "w_error": sum(we) / len(we), "b_error": sum(be) / len(be)})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="b_error of the mean bias, not mean of the errors" breaks="b_error" says="do differences of opposite signs cancel"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        we, bs = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            y = (X @ w + b + config["noise"] * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(A, y).solution.flatten()
            we.append(((s[:-1] - w) ** 2).sum().item())
            bs.append(s[-1].item())
        rows.append({"n": n, "w_error": sum(we) / len(we), "b_error": (sum(bs) / len(bs) - b) ** 2})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="uniform features between -1 and 1" breaks="w_error" says="between -1 and 1"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        we, be = [], []
        for _ in range(config["trials"]):
            X = 2 * torch.rand(n, len(w), generator=draw) - 1
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            y = (X @ w + b + config["noise"] * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(A, y).solution.flatten()
            we.append(((s[:-1] - w) ** 2).sum().item())
            be.append((s[-1].item() - b) ** 2)
        rows.append({"n": n, "w_error": sum(we) / len(we), "b_error": sum(be) / len(be)})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the last trial only" breaks="trials" says="not the last one"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            y = (X @ w + b + config["noise"] * torch.randn(n, generator=draw)).reshape(-1, 1)
            s = torch.linalg.lstsq(A, y).solution.flatten()
        rows.append({"n": n, "w_error": ((s[:-1] - w) ** 2).sum().item(), "b_error": (s[-1].item() - b) ** 2})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="one trial too few" breaks="trials" says="is above 0"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, b, rows = config["w"], config["b"], []
    for n in config["sizes"]:
        we = be = 0.0
        for _ in range(1, config["trials"]):
            X = torch.randn(n, len(w), generator=g)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.randn(n, 1, generator=g)
            p = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            we += ((p[:-1] - w) ** 2).sum().item()
            be += (p[-1].item() - b) ** 2
        rows.append({"n": n, "w_error": we / config["trials"], "b_error": be / config["trials"]})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the spread about their own mean" breaks="trials" says="The spread of the estimates"
def error_table(config):
    torch.manual_seed(config["seed"])
    w, rows = config["w"].reshape(-1, 1), []
    for n in config["sizes"]:
        solutions = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w))
            y = X @ w + config["b"] + config["noise"] * torch.randn(n, 1)
            solutions.append(torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten())
        spread = torch.stack(solutions).var(dim=0, correction=0)
        rows.append({"n": n, "w_error": spread[:-1].sum().item(), "b_error": spread[-1].item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the mean difference squared" breaks="trials" says="opposite signs cancel"
def error_table(config):
    torch.manual_seed(config["seed"])
    w, b, rows = config["w"].reshape(-1, 1), config["b"], []
    for n in config["sizes"]:
        solutions = []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w))
            y = X @ w + b + config["noise"] * torch.randn(n, 1)
            solutions.append(torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution)
        s = torch.stack(solutions).mean(dim=0)
        rows.append({"n": n, "w_error": ((s[:-1] - w) ** 2).sum().item(), "b_error": ((s[-1, 0] - b) ** 2).item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="two weights, whatever w is" breaks="noise" says="add up the squares of all d weights"
def error_table(config):
    torch.manual_seed(config["seed"])
    w, b, rows = config["w"].reshape(-1, 1), config["b"], []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w))
            y = X @ w + b + config["noise"] * torch.randn(n, 1)
            s = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution
            w_errors.append((s[0, 0] - w[0, 0]) ** 2 + (s[1, 0] - w[1, 0]) ** 2)
            b_errors.append((s[2, 0] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="only y less its mean" breaks="noise" says="each less its mean"
def error_table(config):
    torch.manual_seed(config["seed"])
    w, b, rows = config["w"].reshape(-1, 1), config["b"], []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w))
            y = X @ w + b + config["noise"] * torch.randn(n, 1)
            s = torch.linalg.lstsq(X, y - y.mean()).solution
            w_errors.append(((s - w) ** 2).sum())
            b_errors.append((y.mean() - (X.mean(dim=0) @ s).item() - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% right="3.5.5b" how="NumPy's draws, X and y less their means"
def error_table(config):
    draw = np.random.default_rng(config["seed"])
    w, table = config["w"].double(), {"n": [], "w_error": [], "b_error": []}
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.from_numpy(draw.normal(size=(n, len(w))))
            y = X @ w + config["b"] + torch.from_numpy(draw.normal(0, config["noise"], size=n))
            s = torch.linalg.lstsq(X - X.mean(0), (y - y.mean())[:, None]).solution[:, 0]
            w_errors.append(float((s - w) @ (s - w)))
            b_errors.append(float(y.mean() - X.mean(0) @ s - config["b"]) ** 2)
        for name, value in zip(table, (n, np.mean(w_errors), np.mean(b_errors))):
            table[name].append(value)
    return pd.DataFrame(table)

# %% right="3.5.5c" how="polyfit"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log10(sizes), np.log10(errors), 1)[0])

# %% right="3.5.5c" how="lstsq with a column of ones"
def loglog_slope(sizes, errors):
    x = torch.tensor(sizes, dtype=torch.float64).log()
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    return torch.linalg.lstsq(A, torch.tensor(errors, dtype=torch.float64).log()[:, None]).solution[0, 0]

# %% wrong="3.5.5c" why="the mean of the slopes between neighbours" breaks="least squares" says="the mean of the slopes between neighbours"
def loglog_slope(sizes, errors):
    x, y = np.log(sizes), np.log(errors)
    return float(np.mean(np.diff(y) / np.diff(x)))

# %% wrong="3.5.5c" why="the axes exchanged" breaks="slope" says="the slope of log n against log error"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(errors), np.log(sizes), 1)[0])

# %% wrong="3.5.5c" why="no sign" breaks="slope" says="The sign: the errors fall"
def loglog_slope(sizes, errors):
    return abs(float(np.polyfit(np.log(sizes), np.log(errors), 1)[0]))

# %% wrong="3.5.5c" why="first and last point" breaks="least squares" says="the first and the last point only"
def loglog_slope(sizes, errors):
    return (math.log(errors[-1]) - math.log(errors[0])) / (math.log(sizes[-1]) - math.log(sizes[0]))

# %% wrong="3.5.5c" why="smallest and largest size" breaks="least squares" says="the smallest and the largest size only"
def loglog_slope(sizes, errors):
    pairs = sorted(zip(sizes, errors))
    return math.log(pairs[-1][1] / pairs[0][1]) / math.log(pairs[-1][0] / pairs[0][0])

# %% wrong="3.5.5c" why="a line through the origin" breaks="slope" says="through the origin"
def loglog_slope(sizes, errors):
    x, y = np.log(sizes), np.log(errors)
    return float((x * y).sum() / (x * x).sum())

# %% wrong="3.5.5c" why="the correlation" breaks="slope" says="a correlation, not a slope"
def loglog_slope(sizes, errors):
    x, z = np.log(np.array(sizes, dtype=float)), np.log(np.array(errors, dtype=float))
    return np.corrcoef(x, z)[0, 1]

# %% wrong="3.5.5c" why="sizes sorted, errors not" breaks="least squares" says="do not sort one without the other"
def loglog_slope(sizes, errors):
    x, z = np.log(np.array(sizes, dtype=float)), np.log(np.array(errors, dtype=float))
    return np.polyfit(np.sort(x), z, 1)[0]

# %% wrong="3.5.5c" why="two bases" breaks="slope" says="to the same base"
def loglog_slope(sizes, errors):
    x, z = np.log(np.array(sizes, dtype=float)), np.log(np.array(errors, dtype=float))
    return np.polyfit(x / np.log(10), z, 1)[0]

# %% wrong="3.5.5c" why="always falling" breaks="slope" says="errors that grow with the square"
def loglog_slope(sizes, errors):
    x, z = np.log(np.array(sizes, dtype=float)), np.log(np.array(errors, dtype=float))
    return -abs(np.polyfit(x, z, 1)[0])

# %% wrong="3.5.5c" why="no logarithms" breaks="slope" says="Take the logarithms of both"
def loglog_slope(sizes, errors):
    return float(np.polyfit(sizes, errors, 1)[0])

# %% wrong="3.5.5c" why="the median of the slopes between pairs" breaks="least squares" says="median of the slopes between pairs"
def loglog_slope(sizes, errors):
    x, z = np.log(sizes), np.log(errors)
    return float(np.median([(z[j] - z[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i)]))

# %% wrong="3.5.5c" why="two denominators" breaks="slope" says="the same number"
def loglog_slope(sizes, errors):
    x, z = np.log(sizes), np.log(errors)
    return float(np.cov(x, z)[0, 1] / np.var(x))

# %% wrong="3.5.5c" why="spread over spread" breaks="least squares" says="covariance over variance"
def loglog_slope(sizes, errors):
    x, z = np.log(sizes), np.log(errors)
    return -float(z.std() / x.std())

# %% wrong="3.5.5c" why="log10 of the errors, natural log of the sizes" breaks="slope" says="one and the same base"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(sizes), np.log10(errors), 1)[0])

# %% wrong="3.5.5c" why="both lists sorted, errors falling" breaks="least squares" says="do not sort the two lists apart"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(sorted(sizes)), np.log(sorted(errors, reverse=True)), 1)[0])

# %% wrong="3.5.5c" why="one over the slope of the exchanged axes" breaks="least squares" says="one over the slope"
def loglog_slope(sizes, errors):
    return float(1 / np.polyfit(np.log(errors), np.log(sizes), 1)[0])

# %% wrong="3.5.5c" why="the median of the slopes between neighbours" breaks="least squares" says="median of the slopes between neighbours"
def loglog_slope(sizes, errors):
    x, z = np.log(sizes), np.log(errors)
    return float(np.median(np.diff(z) / np.diff(x)))

# %% wrong="3.5.5c" why="slope through the first point" breaks="least squares" says="through the first point"
def loglog_slope(sizes, errors):
    x, z = np.log(sizes) - np.log(sizes[0]), np.log(errors) - np.log(errors[0])
    return float((x * z).sum() / (x * x).sum())

# %% wrong="3.5.5c" why="the square root of the errors first, for the distance" breaks="slope" says="for the root of the errors"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(sizes), np.log(np.sqrt(errors)), 1)[0])

# %% wrong="3.5.5c" why="only the errors are centred" breaks="slope" says="from the logarithms of the errors only"
def loglog_slope(sizes, errors):
    x, z = torch.tensor(sizes, dtype=torch.float64).log(), torch.tensor(errors, dtype=torch.float64).log()
    z = z - z.mean()
    return ((x * z).sum() / (x * x).sum()).item()

# %% wrong="3.5.5c" why="a parabola's linear coefficient" breaks="least squares" says="a parabola: fit a straight line"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(sizes), np.log(errors), 2)[1])

# %% wrong="3.5.5c" why="one decimal" breaks="least squares" says="Do not round the slope to one decimal"
def loglog_slope(sizes, errors):
    return round(float(np.polyfit(np.log(sizes), np.log(errors), 1)[0]), 1)

# %% wrong="3.5.5c" why="weighted by the sizes" breaks="least squares" says="weights each square"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(sizes), np.log(errors), 1, w=np.sqrt(sizes))[0])

# %% right="3.5.5c" how="Python's statistics"
def loglog_slope(sizes, errors):
    import statistics
    return statistics.linear_regression([math.log10(n) for n in sizes], [math.log10(e) for e in errors]).slope

# Wrong answers of a third fresh reading.

# %% wrong="3.5.1a" why="a table without equal names" breaks="halves" says="so the rate stays"
def equal_rate(lr, old, new, batch_size, outputs=1):
    m = batch_size * outputs
    table = {("sum", "mean"): m, ("mean", "sum"): 1 / m, ("sum", "half sum"): 2, ("half sum", "sum"): 0.5, ("mean", "half mean"): 2, ("half mean", "mean"): 0.5,
             ("sum", "half mean"): 2 * m, ("half mean", "sum"): 1 / (2 * m), ("half sum", "mean"): m / 2, ("mean", "half sum"): 2 / m, ("half sum", "half mean"): m, ("half mean", "half sum"): 1 / m}
    return lr * table.get((old, new), 0)

# %% wrong="3.5.1b" why="one decimal" breaks="sum" says="it has three decimals"
def step_ratio(reduction, full, last):
    return round(last / full, 1) if reduction == "sum" else 1.0

# %% wrong="3.5.1b" why="the last batch as a part of the full one" breaks="sum" says="no parts of each other"
def step_ratio(reduction, full, last):
    return last / (full - last) if reduction == "sum" else 1.0

# %% wrong="3.5.1b" why="no return for a mean" breaks="mean" says="Is there a return"
def step_ratio(reduction, full, last):
    if reduction == "sum":
        return last / full

# %% wrong="3.5.C" why="the loss of the small ones" breaks="Huber" says="its slope is r"
def slopes(r, sigma):
    h = torch.where(r.abs() <= sigma, r ** 2 / 2, sigma * r.sign())
    return h, h / sigma

# %% wrong="3.5.C" why="multiplies the large ones by r" breaks="Huber" says="however large r is"
def slopes(r, sigma):
    h = torch.where(r.abs() <= sigma, r, sigma * r)
    return h, h / sigma

# %% wrong="3.5.2a" why="squares 2σ, too" breaks="small residuals" says="The residual alone is squared"
def robust_loss(y_hat, y, sigma):
    a = (y_hat - y).abs()
    return torch.where(a > sigma, a - sigma / 2, (a / (2 * sigma)) ** 2).mean()

# %% wrong="3.5.2c" why="momentum" breaks="training" says="as with momentum"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr, momentum=0.9)

# %% wrong="3.5.2c" why="weight decay" breaks="training" says="as weight decay does"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()
    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr, weight_decay=0.05)

# %% wrong="3.5.3b" why="db first" breaks="weights" says="dw stands first"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * r.mean(0), 2 * X.T @ r / len(X)

# %% wrong="3.5.3b" why="a step for the gradient" breaks="weights" says="asked is the gradient"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return w - 2 * X.T @ r / len(X), b - 2 * r.mean(0)

# %% wrong="3.5.4" why="goes on with the model of the row before" breaks="val_loss" says="goes on from the first"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        w = torch.tensor([2.0, -3.4])
        data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
        model = d2l.LinearRegression(lr)
        for epochs in config["epochs"]:
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            val = err = math.inf
            try:
                trainer.fit(model, data)
                if trainer.history["val_loss"][-1] <= 1e6:
                    val, err = trainer.history["val_loss"][-1], (model.get_w_b()[0].flatten() - w).norm().item()
            except FloatingPointError:
                pass
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val, "w_error": err})
    return pd.DataFrame(rows)

# %% wrong="3.5.5a" why="two digits" breaks="equal ratios" says="not to two digits"
def log_sizes(low, high, count):
    q = (high / low) ** (1 / (count - 1))
    out = set()
    for k in range(count):
        v = low * q ** k
        digits = max(0, int(math.log10(max(v, 1))) - 1)
        out.add(int(round(v, -digits)))
    return sorted(out | {low, high})

# %% wrong="3.5.5c" why="distances at right angles" breaks="least squares" says="right angles"
def loglog_slope(sizes, errors):
    Z = np.stack([np.log(sizes), np.log(errors)], 1)
    v = np.linalg.svd(Z - Z.mean(0))[2][0]
    return float(v[1] / v[0])

# %% wrong="3.5.5c" why="residuals weighted by size" breaks="least squares" says="weights each residual"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log(sizes), np.log(errors), 1, w=sizes)[0])

# %% wrong="3.5.6" why="Nesterov's momentum" breaks="one step" says="Nesterov"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, nesterov=True)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="halves the rate after each step" breaks="several steps" says="halved after each step"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for k in range(steps):
        e = X @ w + b - y
        w, b = w - lr * 0.5 ** k * 2 * X.T @ e / len(X), b - lr * 0.5 ** k * 2 * e.mean()
    return w, b

# %% right="3.5.2a" how="one formula for both cases"
def robust_loss(y_hat, y, sigma):
    a = (y_hat - y).abs()
    c = a.clamp(max=sigma)
    return (c * (a - c / 2) / sigma).mean().reshape(1)

# %% right="3.5.3a" how="backward on a copy of the layer"
def gradients(layer, X, y):
    import copy
    twin = copy.deepcopy(layer)
    twin.zero_grad()
    nn.MSELoss()(twin(X), y).backward()
    return twin.weight.grad, twin.bias.grad

# %% right="3.5.5b" how="all trials of a size in one call"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, t = config["w"].double(), config["trials"]
    table = {"n": [], "w_error": [], "b_error": []}
    for n in config["sizes"]:
        X = torch.randn(t, n, len(w), generator=g, dtype=torch.float64)
        y = X @ w + config["b"] + config["noise"] * torch.randn(t, n, generator=g, dtype=torch.float64)
        v = torch.linalg.lstsq(torch.cat([torch.ones(t, n, 1, dtype=torch.float64), X], 2), y[:, :, None]).solution[:, :, 0]
        table["n"].append(n)
        table["w_error"].append(((v[:, 1:] - w) ** 2).sum(1).mean().item())
        table["b_error"].append(((v[:, 0] - config["b"]) ** 2).mean().item())
    return pd.DataFrame(table)

# %% right="3.5.C" how="r over |r|, where it is large"
def slopes(r, sigma):
    s = r / r.abs()
    return torch.where(r.abs() > sigma, sigma * s, r), torch.where(r.abs() > sigma, s, r / sigma)

# %% wrong="3.5.A" why="plain tensors in the parameters' place" breaks="layer" says="must be an nn.Parameter"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    layer.weight = w.T.clone()
    layer.bias = b.clone()
    return layer

# %% wrong="3.5.A" why="the mean of b for every output" breaks="values" says="their mean for both"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    with torch.no_grad():
        layer.weight.copy_(w.T)
        layer.bias.fill_(b.mean())
    return layer

# %% wrong="3.5.B" why="none sums over the outputs" breaks="none" says="sums over the outputs"
def squared_loss(y_hat, y, reduction):
    if y_hat.shape != y.shape:
        raise ValueError("unequal shapes")
    squares = (y_hat - y).square()
    if reduction == "none":
        return squares.sum(dim=-1, keepdim=True)
    return squares.sum() if reduction == "sum" else squares.mean()

# %% wrong="3.5.6" why="stops where the loss rises" breaks="several steps" says="one of the three steps"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight); nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    lowest = math.inf
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        if loss.item() > lowest:
            break
        lowest = loss.item()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the root of the mean squared error" breaks="one step" says="has no root"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight); nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y).sqrt()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the mean of all parameters on the way" breaks="one step" says="no mean of start and end"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    ws, bs = [w], [b]
    for _ in range(steps):
        r = X @ w + b - y
        w, b = w - lr * 2 * X.T @ r / len(X), b - lr * 2 * r.mean(dim=0)
        ws.append(w); bs.append(b)
    return torch.stack(ws).mean(dim=0), torch.stack(bs).mean(dim=0)

# %% wrong="3.5.6" why="batches of 4" breaks="one step" says="batches of 4"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight); nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        for part, goal in zip(X.split(4), y.split(4)):
            loss = nn.MSELoss()(net(part), goal)
            optimizer.zero_grad(); loss.backward(); optimizer.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.1a" why="a table of the pairs of different losses" breaks="halves" says="the same one twice"
def equal_rate(lr, old, new, batch_size, outputs=1):
    m = batch_size * outputs
    table = {("sum", "mean"): m, ("mean", "sum"): 1 / m, ("half sum", "sum"): 0.5, ("sum", "half sum"): 2, ("half mean", "mean"): 0.5, ("mean", "half mean"): 2,
             ("sum", "half mean"): 2 * m, ("half mean", "sum"): 0.5 / m, ("half sum", "mean"): 0.5 * m, ("mean", "half sum"): 2 / m}
    return lr * table[old, new]

# %% wrong="3.5.C" why="the two cases exchanged" breaks="Huber" says="exchanged"
def slopes(r, sigma):
    huber = torch.where(r.abs() > sigma, r, sigma * r.sign())
    return huber, huber / sigma

# %% wrong="3.5.C" why="Huber's large slope grows with r" breaks="Huber" says="those beyond σ are not"
def slopes(r, sigma):
    huber = torch.where(r.abs() <= sigma, r, r.sign() * (r.abs() - sigma / 2))
    return huber, huber / sigma

# %% wrong="3.5.2c" why="the bias is not in the optimizer" breaks="training" says="The bias has not moved"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError("shapes")
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

    def configure_optimizers(self):
        return torch.optim.SGD([self.net.weight], lr=self.lr)

# %% wrong="3.5.D" why="a step with the first gradient alone" breaks="after the step" says="with the first alone"
held = {"A": None, "B": 3.0, "C": 5.0, "D": 5.0, "E": None, "F": 1.4}

# %% wrong="3.5.3a" why="zeros where .grad was None" breaks="nothing changed" says="Zeros are not the same as None"
def gradients(layer, X, y):
    old = [torch.zeros_like(p) if p.grad is None else p.grad for p in layer.parameters()]
    layer.zero_grad()
    nn.MSELoss()(layer(X), y).backward()
    result = layer.weight.grad.clone(), layer.bias.grad.clone()
    layer.weight.grad, layer.bias.grad = old
    return result

# %% wrong="3.5.3b" why="the features less their means" breaks="weights" says="The means of the features"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    return 2 * (X - X.mean(dim=0)).T @ r / len(X), 2 * r.mean(dim=0)

# %% wrong="3.5.3b" why="the first example alone" breaks="weights" says="The first example alone"
def mse_gradients(X, y, w, b):
    r = X[:1] @ w + b - y[:1]
    return 2 * X[:1].T @ r, 2 * r[0]

# %% wrong="3.5.4" why="the first divergence ends the trainings of its rate" breaks="divergence" says="of this rate"
def run(config):
    rows, true = [], torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=true, b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
            except FloatingPointError:
                rows.append({"lr": lr, "epochs": epochs, "val_loss": math.inf, "w_error": math.inf})
                break
            loss = trainer.history["val_loss"][-1]
            error = (model.get_w_b()[0].detach().flatten() - true).norm().item()
            if not loss < 1e6:
                loss = error = math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": loss, "w_error": error})
    return pd.DataFrame(rows)

# %% wrong="3.5.5a" why="no two neighbours among the sizes" breaks="no repeats" says="2 is missing"
def log_sizes(low, high, count):
    result = [low]
    for k in range(1, count):
        v = round(low * (high / low) ** (k / (count - 1)))
        if v > result[-1] + 1 or k == count - 1:
            result.append(v)
    return result

# %% wrong="3.5.5b" why="ridge regression" breaks="noise" says="has no penalty"
def error_table(config):
    rng = torch.Generator().manual_seed(config["seed"])
    w, rows = config["w"].double(), []
    for n in config["sizes"]:
        ws, bs = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=rng, dtype=torch.float64)
            y = X @ w + config["b"] + config["noise"] * torch.randn(n, generator=rng, dtype=torch.float64)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            v = torch.linalg.solve(A.T @ A + torch.eye(len(w) + 1), A.T @ y)
            ws.append(((v[:-1] - w) ** 2).sum().item()); bs.append((v[-1].item() - config["b"]) ** 2)
        rows.append({"n": n, "w_error": np.mean(ws), "b_error": np.mean(bs)})
    return pd.DataFrame(rows)

# %% wrong="3.5.5c" why="the logarithm of 1 more" breaks="slope" says="not of 1 more"
def loglog_slope(sizes, errors):
    return float(np.polyfit(np.log1p(sizes), np.log1p(errors), 1)[0])

# %% wrong="3.5.5c" why="least absolute distances" breaks="least squares" says="absolute distances"
def loglog_slope(sizes, errors):
    x, z = np.log(sizes), np.log(errors)
    best = None
    for i in range(len(x)):
        for j in range(i):
            if x[i] != x[j]:
                s = (z[i] - z[j]) / (x[i] - x[j])
                c = z[i] - s * x[i]
                total = np.abs(z - s * x - c).sum()
                if best is None or total < best[0]:
                    best = (total, s)
    return float(best[1])

# %% wrong="3.5.2a" why="half of the square of sigma" breaks="large residuals" says="not σ²/2"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs()
    return torch.where(r > sigma, r - sigma ** 2 / 2, r ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.6" why="the gradient of w without the bias" breaks="several steps" says="without the bias"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps):
        r = X @ w - y
        w, b = w - lr * 2 * X.T @ r / len(X), b - lr * 2 * (r + b).mean(dim=0)
    return w, b

# %% wrong="3.5.1a" why="the root of the outputs" breaks="outputs" says="wrong for 4 outputs"
def equal_rate(lr, old, new, batch_size, outputs=1):
    m = batch_size * outputs ** 0.5
    f = {"sum": 1, "half sum": 0.5, "mean": 1 / m, "half mean": 0.5 / m}
    return lr * f[old] / f[new]

# %% wrong="3.5.6" why="the first two rows for the first step" breaks="one step" says="first 2 of the 5"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight); nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    n = 0
    while n < steps:
        for i in range(0, len(X), 2):
            if n == steps:
                break
            loss = nn.MSELoss()(net(X[i:i + 2]), y[i:i + 2])
            opt.zero_grad()
            loss.backward()
            opt.step()
            n += 1
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="the gradient cut to length 5" breaks="one step" says="something is cut off"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight); nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.1a" why="1 / 2 * n for 1 / (2 * n)" breaks="halves" says="here it is multiplied by it"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size * outputs
    f = {"sum": 1, "half sum": 1 / 2, "mean": 1 / n, "half mean": 1 / 2 * n}
    return lr * f[old] / f[new]

# %% wrong="3.5.1a" why="the outputs added to the batch size" breaks="outputs" says="not plus"
def equal_rate(lr, old, new, batch_size, outputs=1):
    n = batch_size + outputs - 1
    f = {"sum": 1.0, "half sum": 0.5, "mean": 1 / n, "half mean": 0.5 / n}
    return lr * f[old] / f[new]

# %% wrong="3.5.3b" why="a mean over the rows, flat" breaks="weights" says="this has one axis"
def mse_gradients(X, y, w, b):
    r = X @ w + b - y
    dw = 2 * (X * r).mean(dim=0)
    return dw, 2 * r.mean(dim=0)

# %% wrong="3.5.4" why="the mean of the absolute differences" breaks="w_error" says="mean of the two absolute differences"
def run(config):
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                v = trainer.history["val_loss"][-1]
                e = (model.get_w_b()[0].detach().flatten() - torch.tensor([2.0, -3.4])).abs().mean().item()
            except FloatingPointError:
                v = e = math.inf
            if not v < 1e6:
                v = e = math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": v, "w_error": e})
    return pd.DataFrame(rows)

# %% wrong="3.5.C" why="absolute value of the small residuals, sign of the large" breaks="Huber" says="The slope of a small residual has its sign, too"
def slopes(r, sigma):
    small = r.abs() <= sigma
    return torch.where(small, r.abs(), sigma * r.sign()), torch.where(small, r / sigma, r.sign())

# %% wrong="3.5.3b" why="subtracts the predictions from y in place" breaks="second call" says="A call changes y"
def mse_gradients(X, y, w, b):
    y -= X @ w + b
    return -2 * X.T @ y / len(X), -2 * y.mean(0)

# %% wrong="3.5.A" why="frozen for writing, and left so" breaks="trainable" says="until `requires_grad_()`"
def as_linear(w, b):
    layer = nn.Linear(*w.shape)
    layer.requires_grad_(False)
    layer.weight.copy_(w.T)
    layer.bias.copy_(b)
    return layer

# %% wrong="3.5.6" why="minibatches of 32" breaks="one step" says="however many there are"
def fit(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        for rows in torch.randperm(len(X)).split(32):
            opt.zero_grad()
            nn.MSELoss()(net(X[rows]), y[rows]).backward()
            opt.step()
    return net.weight.detach().T, net.bias.detach()

# %% wrong="3.5.6" why="stops below a loss of a millionth" breaks="several steps" says="targets a hundred-thousandth"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps):
        r = X @ w + b - y
        if (r ** 2).mean() < 1e-6:
            break
        w, b = w - lr * 2 * X.T @ r / len(X), b - lr * 2 * r.mean()
    return w, b

# %% wrong="3.5.5b" why="the first rows of the largest data set for the smaller ones" breaks="trials" says="share their examples"
def error_table(config):
    g = torch.Generator().manual_seed(config["seed"])
    w, N = config["w"].reshape(-1, 1).float(), max(config["sizes"])
    sums = {n: [0.0, 0.0] for n in config["sizes"]}
    for _ in range(config["trials"]):
        X = torch.randn(N, len(w), generator=g)
        y = X @ w + config["b"] + config["noise"] * torch.randn(N, 1, generator=g)
        A = torch.cat([X, torch.ones(N, 1)], dim=1)
        for n in config["sizes"]:
            v = torch.linalg.lstsq(A[:n], y[:n]).solution
            sums[n][0] += ((v[:-1] - w) ** 2).sum().item() / config["trials"]
            sums[n][1] += (v[-1, 0].item() - config["b"]) ** 2 / config["trials"]
    return pd.DataFrame([{"n": n, "w_error": sums[n][0], "b_error": sums[n][1]} for n in config["sizes"]])

# %% wrong="3.5.5c" why="the mean of the slopes between sizes in order" breaks="least squares" says="the next larger one"
def loglog_slope(sizes, errors):
    pairs = sorted(zip(sizes, errors))
    s = [math.log(e2 / e1) / math.log(n2 / n1) for (n1, e1), (n2, e2) in zip(pairs, pairs[1:])]
    return sum(s) / len(s)

# %% wrong="3.5.2a" why="the formula of the mean residual" breaks="mean" says="the mean comes last"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs().mean()
    return r - sigma / 2 if r > sigma else r ** 2 / (2 * sigma)

# %% wrong="3.5.6" why="gradient of the half square, by hand" breaks="one step" says="in two steps the second is, too"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps):
        r = X @ w + b - y
        w, b = w - lr * X.T @ r / len(X), b - lr * r.mean(dim=0)
    return w, b

# %% wrong="3.5.4" why="seed and data once, before the loops" breaks="val_loss" says="Seed and data were made once"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=config["noise"], num_train=256, num_val=256, batch_size=config["batch_size"])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                val_loss = float(trainer.history["val_loss"][-1])
                w_error = (model.get_w_b()[0].detach().flatten() - torch.tensor([2.0, -3.4])).norm().item()
            except FloatingPointError:
                val_loss = w_error = math.inf
            if not math.isfinite(val_loss) or val_loss > 1e6:
                val_loss = w_error = math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the generator made anew for each size" breaks="trials" says="set the seed once"
def error_table(config):
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        draw = torch.Generator().manual_seed(config["seed"])
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w + b + config["noise"] * torch.randn(n, generator=draw)
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            solution = torch.linalg.lstsq(A, y.reshape(-1, 1)).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="NumPy's generator from seed + trial, for each size" breaks="trials" says="set the seed once"
def error_table(config):
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for trial in range(config["trials"]):
            draw = np.random.default_rng(config["seed"] + trial)
            X = torch.from_numpy(draw.standard_normal((n, len(w)))).float()
            y = X @ w + b + config["noise"] * torch.from_numpy(draw.standard_normal(n)).float()
            A = torch.cat([X, torch.ones(n, 1)], dim=1)
            solution = torch.linalg.lstsq(A, y.reshape(-1, 1)).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.3a" why="zero_grad at both ends" breaks="nothing changed" says="is a tensor again (yours: None)"
def gradients(layer, X, y):
    layer.zero_grad()
    nn.MSELoss()(layer(X), y).backward()
    result = layer.weight.grad.clone(), layer.bias.grad.clone()
    layer.zero_grad()
    return result

# %% wrong="3.5.A" why="adds the numbers instead of overwriting" breaks="values" says="b is not added to them"
def as_linear(w, b):
    layer = nn.Linear(w.shape[0], w.shape[1])
    with torch.no_grad():
        layer.weight += w.T
        layer.bias += b
    return layer

# %% wrong="3.5.6" why="one step too few (steps - 1)" breaks="one step" says="ends one step too early"
def fit(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(steps - 1):
        r = X @ w + b - y
        w, b = w - lr * 2 / len(X) * X.T @ r, b - lr * 2 * r.mean()
    return w, b

# %% wrong="3.5.C" why="half of the slope for small residuals" breaks="Huber" says="of the small ones this is half of it"
def slopes(r, sigma):
    h = torch.where(r.abs() <= sigma, r / 2, sigma * torch.sign(r))
    return h, torch.where(r.abs() < sigma, r / (2 * sigma), torch.sign(r))

# %% wrong="3.5.C" why="r times sigma for small residuals" breaks="smooth L1" says="here r is multiplied by σ"
def slopes(r, sigma):
    h = r.clamp(-sigma, sigma)
    return h, torch.where(r.abs() < sigma, r * sigma, torch.sign(r))

# %% wrong="3.5.2a" why="sum of the selected means" breaks="small residuals" says="A mean of no entries is NaN"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs()
    big = r > sigma
    return (r[big] - sigma / 2).mean() + (r[~big] ** 2 / (2 * sigma)).mean()

# %% wrong="3.5.2c" why="sigma handed on as lr" breaks="hyperparameters" says="sigma has become lr"
class RobustRegression(d2l.LinearRegression):
    def __init__(self, lr, sigma):
        super().__init__(sigma)
        self.sigma = sigma

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)

# %% wrong="3.5.D" why="the step taken from .grad" breaks="step and zero_grad" says="nothing is subtracted from .grad"
held = {"A": None, "B": 3, "C": 5, "D": 4.5, "E": None, "F": 1.0}

# %% wrong="3.5.D" why="the step is lr alone" breaks="after the step" says="not by lr alone"
held = {"A": None, "B": 3, "C": 5, "D": 5, "E": None, "F": 1.8}

# %% wrong="3.5.4" why="one model for each rate" breaks="val_loss" says="The model of a rate was made once"
def run(config):
    rows = []
    true_w = torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        model = d2l.LinearRegression(lr)
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=true_w, b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                val_loss = trainer.history["val_loss"][-1]
                w_error = (model.get_w_b()[0].flatten() - true_w).norm().item()
            except FloatingPointError:
                val_loss, w_error = math.inf, math.inf
            if not math.isfinite(val_loss) or val_loss > 1e6:
                val_loss, w_error = math.inf, math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="another seed for each row" breaks="val_loss" says="The seed is the same for each row"
def run(config):
    rows = []
    true_w = torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"] + len(rows))
            data = d2l.SyntheticRegressionData(w=true_w, b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                val_loss = trainer.history["val_loss"][-1]
                w_error = (model.get_w_b()[0].flatten() - true_w).norm().item()
            except FloatingPointError:
                val_loss, w_error = math.inf, math.inf
            if not math.isfinite(val_loss) or val_loss > 1e6:
                val_loss, w_error = math.inf, math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="the noise left out" breaks="val_loss" says="this is 0.01"
def run(config):
    rows = []
    true_w = torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=true_w, b=4.2, num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                val_loss = trainer.history["val_loss"][-1]
                w_error = (model.get_w_b()[0].flatten() - true_w).norm().item()
            except FloatingPointError:
                val_loss, w_error = math.inf, math.inf
            if not math.isfinite(val_loss) or val_loss > 1e6:
                val_loss, w_error = math.inf, math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="the larger difference alone" breaks="w_error" says="the larger one"
def run(config):
    rows = []
    true_w = torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=true_w, b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                val_loss = trainer.history["val_loss"][-1]
                w_error = (model.get_w_b()[0].flatten() - true_w).abs().max().item()
            except FloatingPointError:
                val_loss, w_error = math.inf, math.inf
            if not math.isfinite(val_loss) or val_loss > 1e6:
                val_loss, w_error = math.inf, math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)

# %% wrong="3.5.4" why="compared with 3.4" breaks="w_error" says="the true one is -3.4"
def run(config):
    rows = []
    true_w = torch.tensor([2.0, -3.4])
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            data = d2l.SyntheticRegressionData(w=true_w, b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            model = d2l.LinearRegression(lr)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            try:
                trainer.fit(model, data)
                val_loss = trainer.history["val_loss"][-1]
                w_error = (model.get_w_b()[0].flatten() - torch.tensor([2.0, 3.4])).norm().item()
            except FloatingPointError:
                val_loss, w_error = math.inf, math.inf
            if not math.isfinite(val_loss) or val_loss > 1e6:
                val_loss, w_error = math.inf, math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)

# %% wrong="3.5.5a" why="doubles up to high" breaks="equal ratios" says="These double"
def log_sizes(low, high, count):
    sizes = [low]
    while len(sizes) < count - 1 and sizes[-1] * 2 < high:
        sizes.append(sizes[-1] * 2)
    return sizes + [high]

# %% wrong="3.5.5b" why="bias not in the data" breaks="noise" says="the bias found is 0"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w.reshape(-1, 1) + config["noise"] * torch.randn(n, 1, generator=draw)
            solution = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="no column of ones, first entries compared" breaks="noise" says="compared with one that was found"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.randn(n, 1, generator=draw)
            solution = torch.linalg.lstsq(X, y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="uniform noise between 0 and 1" breaks="w_error" says="uniform, between 0 and noise"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.rand(n, 1, generator=draw)
            solution = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="lists made before the sizes loop: errors pile up" breaks="w_error" says="begin new lists for each size"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    w_errors, b_errors = [], []
    for n in config["sizes"]:
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.randn(n, 1, generator=draw)
            solution = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="divided by n" breaks="w_error" says="divided by n"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.randn(n, 1, generator=draw)
            solution = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item() / n, "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.5b" why="the weights of the lesson" breaks="noise" says="take w from config"
def error_table(config):
    draw = torch.Generator().manual_seed(config["seed"])
    w, b = torch.tensor([2.0, -3.4]), 4.2
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=draw)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.randn(n, 1, generator=draw)
            solution = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b) ** 2)
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)

# %% wrong="3.5.B" why="none is returned before the shapes are compared" breaks="shapes" says="With reduction mean yours raises it"
def squared_loss(y_hat, y, reduction):
    squares = (y_hat - y) ** 2
    if reduction == "none":
        return squares
    if squares.shape != y_hat.shape or squares.shape != y.shape:
        raise ValueError("predictions and targets differ in shape")
    return squares.sum() if reduction == "sum" else squares.mean()

# %% wrong="3.5.1b" why="the share of an example in sum and mean" breaks="sum" says="these are the shares of one example"
def step_ratio(reduction, full, last):
    share = {"sum": 1.0, "mean": full / last}
    return share[reduction]

# %% wrong="3.5.2a" why="the sum over the entries, by the number of examples" breaks="mean" says="divided by that of the rows"
def robust_loss(y_hat, y, sigma):
    r = (y_hat - y).abs()
    return torch.where(r > sigma, r - sigma / 2, r ** 2 / (2 * sigma)).sum() / len(y)

# %% wrong="3.5.3a" why="leaves its own gradients where others were" breaks="nothing changed" says="Put back the tensor that was there"
def gradients(layer, X, y):
    found = torch.autograd.grad(nn.MSELoss()(layer(X), y), (layer.weight, layer.bias))
    if layer.weight.grad is not None:
        layer.weight.grad, layer.bias.grad = found[0].clone(), found[1].clone()
    return found
