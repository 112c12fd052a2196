# %% right="3.4.1a" how="scales standard normal numbers"
def init_params(num_inputs, variance):
    return (variance ** 0.5 * torch.randn(num_inputs, 1)).requires_grad_(), torch.zeros((1,)).requires_grad_()

# %% right="3.4.1a" how="parameters, as a list"
def init_params(num_inputs, variance):
    w = torch.empty(num_inputs, 1).normal_(0, variance ** 0.5)
    return [torch.nn.Parameter(w), torch.nn.Parameter(torch.zeros(1))]

# %% wrong="3.4.1a" why="variance given as standard deviation" says="standard deviation taken for the variance"
def init_params(num_inputs, variance):
    return torch.normal(0.0, float(variance), (num_inputs, 1), requires_grad=True), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="w is a vector" says="the shape of w"
def init_params(num_inputs, variance):
    w = torch.normal(0.0, math.sqrt(variance), (num_inputs,), requires_grad=True)
    return w, torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="w is no leaf" says="so it is no leaf"
def init_params(num_inputs, variance):
    w = math.sqrt(variance) * torch.randn(num_inputs, 1, requires_grad=True)
    return w, torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="the bias needs no gradient" says="The bias requires no gradient"
def init_params(num_inputs, variance):
    return torch.normal(0.0, math.sqrt(variance), (num_inputs, 1), requires_grad=True), torch.zeros(1)

# %% wrong="3.4.1a" why="uniform numbers of the right variance" says="Is the distribution normal?"
def init_params(num_inputs, variance):
    half = math.sqrt(3 * variance)
    w = (torch.rand(num_inputs, 1) * 2 - 1) * half
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="a fixed seed" says="two calls give different weights"
def init_params(num_inputs, variance):
    torch.manual_seed(0)
    return torch.normal(0.0, math.sqrt(variance), (num_inputs, 1), requires_grad=True), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="the visible variance" says="asked for 1000"
def init_params(num_inputs, variance):
    return torch.normal(0.0, 2.0, (num_inputs, 1), requires_grad=True), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="a random bias" says="the bias"
def init_params(num_inputs, variance):
    sigma = math.sqrt(variance)
    return torch.normal(0.0, sigma, (num_inputs, 1), requires_grad=True), torch.normal(0.0, sigma, (1,), requires_grad=True)

# %% right="3.4.1b" how="the gradient by hand, pinv"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).pow(2).sum().sqrt())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.tensor(found)

# %% right="3.4.1b" how="backward and torch.optim.SGD"
def distances(w0, X, y, lr, steps):
    w = w0.clone().requires_grad_()
    best = torch.linalg.solve(X.T @ X, X.T @ y)
    optimizer, found = torch.optim.SGD([w], lr=lr), [torch.dist(w.detach(), best)]
    for _ in range(steps):
        optimizer.zero_grad()
        (0.5 * torch.nn.functional.mse_loss(X @ w, y)).backward()
        optimizer.step()
        found.append(torch.dist(w.detach(), best))
    return torch.stack(found)

# %% wrong="3.4.1b" why="the sum of squares, not the mean" says="values differ, first at [1]"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).norm())
        w = w - lr * X.T @ (X @ w - y)
    return torch.stack(found)

# %% wrong="3.4.1b" why="no first distance" says="wrong shape"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        found.append((w - best).norm())
    return torch.stack(found)

# %% wrong="3.4.1b" why="squared distances" says="values differ"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).square().sum())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="distance from the start" says="from (4, 5) to w*"
def distances(w0, X, y, lr, steps):
    w, found = w0, []
    for _ in range(steps + 1):
        found.append((w - w0).norm())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="always starts at zero" says="from (4, 5) to w*"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, torch.zeros_like(w0), []
    for _ in range(steps + 1):
        found.append((w - best).norm())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="changes w0 in place" says="left as it was"
def distances(w0, X, y, lr, steps):
    best, found = torch.linalg.pinv(X) @ y, []
    for _ in range(steps + 1):
        found.append((w0 - best).norm())
        w0 -= lr * X.T @ (X @ w0 - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="assumes w* of ones, as in the visible check" says="40 noisy examples"
def distances(w0, X, y, lr, steps):
    w, found = w0, []
    for _ in range(steps + 1):
        found.append((w - torch.ones_like(w)).norm())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="gradients add up" says="from (4, 5) to w*"
def distances(w0, X, y, lr, steps):
    best, w = torch.linalg.pinv(X) @ y, w0.clone().requires_grad_()
    found = [(w - best).norm().detach()]
    for _ in range(steps):
        ((X @ w - y) ** 2 / 2).mean().backward()
        with torch.no_grad():
            w -= lr * w.grad
        found.append((w - best).norm().detach())
    return torch.stack(found)

# %% right="3.4.2" how="the closed form"
def fit_resistance(current, voltage):
    return ((current * voltage).sum() / (current * current).sum()).item()

# %% right="3.4.2" how="a learning rate of one over the curvature, result a tensor"
def fit_resistance(current, voltage):
    R = torch.zeros(1, requires_grad=True)
    lr = 0.9 / current.square().mean()
    for _ in range(50):
        loss = ((R * current - voltage) ** 2).mean() / 2
        loss.backward()
        with torch.no_grad():
            R -= lr * R.grad
            R.grad.zero_()
    return R.detach()

# %% wrong="3.4.2" why="a fixed learning rate for amperes" says="does the learning rate suit currents of this size"
def fit_resistance(current, voltage):
    R = torch.zeros(1, requires_grad=True)
    for _ in range(500):
        loss = ((R * current - voltage) ** 2).mean() / 2
        loss.backward()
        with torch.no_grad():
            R -= 0.1 * R.grad
            R.grad.zero_()
    return R.item()

# %% wrong="3.4.2" why="the mean of V / I" says="yours is nan"
def fit_resistance(current, voltage):
    return (voltage / current).mean().item()

# %% wrong="3.4.2" why="the conductance" says="This is the conductance"
def fit_resistance(current, voltage):
    return ((current * voltage).sum() / (voltage * voltage).sum()).item()

# %% wrong="3.4.2" why="a line with a bias" says="no bias"
def fit_resistance(current, voltage):
    A = torch.stack([current, torch.ones_like(current)], 1)
    return torch.linalg.lstsq(A, voltage[:, None]).solution[0].item()

# %% wrong="3.4.2" why="regresses the current on the voltage" says="Least squares without a bias"
def fit_resistance(current, voltage):
    return (voltage.square().sum() / (current * voltage).sum()).item()

# %% wrong="3.4.2" why="the mean voltage over the mean current" says="currents 0, 1, 2, -1 A"
def fit_resistance(current, voltage):
    return (voltage.abs().max() / current.mean()).item()

# %% wrong="3.4.2" why="the ratio of the sums" says="Least squares without a bias"
def fit_resistance(current, voltage):
    return (voltage.sum() / current.sum()).item()

# %% right="3.4.3a" how="exp and minus 1, from the frequency"
def planck(wavelength, T):
    nu = C / wavelength
    return 2 * H * nu ** 3 / C ** 2 / (torch.exp(H * nu / (K * T)) - 1) * C / wavelength ** 2

# %% right="3.4.3a" how="with exp(-x), which cannot overflow"
def planck(wavelength, T):
    q = torch.exp(-H * C / (wavelength * K * T))
    return 2 * H * C * C * wavelength.pow(-5) * q / (1 - q)

# %% wrong="3.4.3a" why="Wien's approximation, without -1" says="beside the exponential is missing"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 * torch.exp(-H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="subtracts 1 in the exponent" says="subtracted from the exponential, not from the exponent"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.exp(H * C / (wavelength * K * T) - 1)

# %% wrong="3.4.3a" why="fourth power" says="the radiance at 1 µm"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 4 / torch.expm1(H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="per frequency, not per wavelength" says="the radiance at 1 µm"
def planck(wavelength, T):
    nu = C / wavelength
    return 2 * H * nu ** 3 / C ** 2 / torch.expm1(H * nu / (K * T))

# %% wrong="3.4.3a" why="takes T out of the graph" says="its graph is cut"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T.detach()))

# %% wrong="3.4.3a" why="one temperature only" says="raised"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T.item()))

# %% wrong="3.4.3a" why="radiance over the half space, times pi" says="the radiance at 1 µm"
def planck(wavelength, T):
    return 2 * math.pi * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))

# %% right="3.4.3b" how="Adam with a falling rate on the logarithm"
def fit_temperature(wavelength, radiance):
    u = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([u], lr=0.1, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.992)
    for _ in range(1000):
        x = H * C / (wavelength * K * 1000 * torch.exp(u))
        log_b = math.log(2 * H * C ** 2) - 5 * torch.log(wavelength) - x - torch.log1p(-torch.exp(-x))
        loss = (log_b - torch.log(radiance)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return 1000 * torch.exp(u).item()

# %% right="3.4.3b" how="solves Planck's law for T at each wavelength"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x)).mean().item()

# %% wrong="3.4.3b" why="Wien's displacement law at the largest radiance" says="values differ"
def fit_temperature(wavelength, radiance):
    return 2.897771955e-3 / wavelength[radiance.argmax()].item()

# %% wrong="3.4.3b" why="in thousands of kelvin" says="in thousands of kelvin"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x)).mean().item() / 1000

# %% wrong="3.4.3b" why="plain descent on raw radiances" says="the sun, six wavelengths"
def fit_temperature(wavelength, radiance):
    T = torch.tensor(3000.0, dtype=torch.float64, requires_grad=True)
    for _ in range(200):
        B = 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))
        gradient, = torch.autograd.grad(((B - radiance) ** 2 / 2).mean(), T)
        with torch.no_grad():
            T -= 1e-30 * gradient
    return T.item()

# %% wrong="3.4.3b" why="the long-wave approximation" says="the sun, six wavelengths"
def fit_temperature(wavelength, radiance):
    return (radiance * wavelength ** 4 / (2 * C * K)).mean().item()

# %% wrong="3.4.3b" why="a coarse table of temperatures" says="the sun, six wavelengths"
def fit_temperature(wavelength, radiance):
    table = torch.arange(200.0, 10001.0, 100.0, dtype=torch.float64)[:, None]
    B = 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * table))
    return table[(B.log() - radiance.log()).square().mean(1).argmin()].item()

# %% wrong="3.4.3b" why="the answer of the visible check" says="wavelengths 4e-07"
def fit_temperature(wavelength, radiance):
    return 5772.0

# %% right="3.4.4" how="torch.autograd.functional"
def hessian(f, w):
    return torch.autograd.functional.hessian(f, w)

# %% right="3.4.4" how="products with unit vectors"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient = torch.autograd.grad(f(v), v, create_graph=True)[0]
    unit = torch.eye(len(w), dtype=w.dtype)
    return torch.stack([torch.autograd.grad(gradient, v, e, retain_graph=True)[0] for e in unit], dim=1)

# %% wrong="3.4.4" why="retain_graph in place of create_graph" says="does not require grad"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, retain_graph=True)
    return torch.stack([torch.autograd.grad(entry, v, retain_graph=True)[0] for entry in gradient])

# %% wrong="3.4.4" why="the gradient of the summed gradient" says="wrong shape"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.autograd.grad(gradient.sum(), v)[0]

# %% wrong="3.4.4" why="the diagonal alone" says="the Hessian of x²y"
def hessian(f, w):
    return torch.diag(torch.autograd.functional.hessian(f, w).diagonal())

# %% wrong="3.4.4" why="the outer product of the gradient" says="the Hessian of x²y"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v)
    return torch.outer(gradient, gradient)

# %% wrong="3.4.4" why="the graph is freed after the first row" says="backward through the graph a second time"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.stack([torch.autograd.grad(entry, v)[0] for entry in gradient])

# %% wrong="3.4.4" why="float32 inside" says="the squared loss"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    rows = [torch.autograd.grad(entry, v, retain_graph=True)[0] for entry in gradient]
    return torch.stack(rows).to(torch.float32).round(decimals=2)

# %% wrong="3.4.4" why="finite differences with a coarse step" says="a function of four variables"
def hessian(f, w):
    unit = 0.1 * torch.eye(len(w), dtype=w.dtype)
    return torch.stack([torch.stack([(f(w + p + q) - f(w + p - q) - f(w - p + q) + f(w - p - q)) / 0.04
                                     for q in unit]) for p in unit])

# %% right="3.4.5a" how="flattens both"
def squared_loss(y_hat, y):
    p, t = y_hat.reshape(-1), y.reshape(-1)
    if len(p) != len(t):
        raise ValueError("shapes " + str(tuple(y_hat.shape)) + " and " + str(tuple(y.shape)))
    return 0.5 * torch.nn.functional.mse_loss(p, t)

# %% right="3.4.5a" how="view_as, and a shape of torch in the message"
def squared_loss(y_hat, y):
    try:
        same = y.contiguous().view_as(y_hat)
    except RuntimeError:
        raise ValueError(f"cannot compare {tuple(y_hat.shape)} with {tuple(y.shape)}") from None
    return (y_hat - same).pow(2).sum() / (2 * y_hat.numel())

# %% wrong="3.4.5a" why="broadcasts" says="broadcast to (3, 3)"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="without the factor 1/2" says="The factor 1/2 is missing"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2).mean()

# %% wrong="3.4.5a" why="the sum" says="the sum, not the mean"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).sum()

# %% wrong="3.4.5a" why="squeezes and lets one target broadcast" says="predictions (4, 1) against targets (1,)"
def squared_loss(y_hat, y):
    return ((y_hat.squeeze() - y.squeeze()) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="leaves the refusal to reshape" says="predictions (4, 1) against targets (1,)"
def squared_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="an assertion in place of ValueError" says="expected ValueError"
def squared_loss(y_hat, y):
    assert y_hat.numel() == y.numel(), f"{tuple(y_hat.shape)} {tuple(y.shape)}"
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="refuses (n, 1) against (n,) too" says="raised ValueError"
def squared_loss(y_hat, y):
    if y_hat.shape != y.shape:
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="a loss without a graph" says="its graph is cut"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return torch.tensor(((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean().item())

# %% right="3.4.5b" how="least squares over all pairs"
def broadcast_optimum(X, y):
    n = len(X)
    A = torch.cat([X.repeat_interleave(n, 0), torch.ones(n * n, 1, dtype=X.dtype)], 1)
    solution = torch.linalg.lstsq(A, y.repeat(n).reshape(-1, 1)).solution
    return solution[:-1] + 0, solution[-1] + 0

# %% right="3.4.5b" how="a list, from the sums"
def broadcast_optimum(X, y):
    return [X.new_zeros((X.shape[1], 1)), (y.sum() / len(y)).unsqueeze(0)]

# %% wrong="3.4.5b" why="ordinary least squares" says="A neighbour has a smaller loss"
def broadcast_optimum(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    solution = torch.linalg.lstsq(A, y[:, None]).solution
    return solution[:-1] + 0, solution[-1] + 0

# %% wrong="3.4.5b" why="w as a vector" says="the shape of w"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], dtype=X.dtype), y.mean().reshape(1)

# %% wrong="3.4.5b" why="the median" says="A neighbour has a smaller loss"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), y.median().reshape(1)

# %% wrong="3.4.5b" why="everything zero" says="A neighbour has a smaller loss"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), torch.zeros(1, dtype=X.dtype)

# %% wrong="3.4.5b" why="the bias as a scalar" says="the shape of b"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), y.mean()

# %% wrong="3.4.5b" why="the numbers of the visible check" says="wrong shape"
def broadcast_optimum(X, y):
    return torch.zeros(1, 1), torch.tensor([3.])

# %% right="3.4.6" how="a list of frames, and concat"
def run(config):
    frames = []
    epochs = config["max_epochs"]
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(torch.tensor([2, -3.4]), 4.2, config["noise"], 512, 256)
        trainer = d2l.Trainer(max_epochs=epochs, verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            print("diverged:", lr)
        found = [v if np.isfinite(v) else float("inf") for v in trainer.history["val_loss"]]
        found += [float("inf")] * (epochs - len(found))
        frames.append(pd.DataFrame({"lr": lr, "epoch": range(1, epochs + 1), "val_loss": found}))
    return pd.concat(frames)

# %% right="3.4.6" how="a loop of its own, epoch by epoch"
def run(config):
    table = {"lr": [], "epoch": [], "val_loss": []}
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        optimizer = model.configure_optimizers()
        for epoch in range(1, config["max_epochs"] + 1):
            for X, y in data.train_dataloader():
                loss = model.loss(model(X), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            with torch.no_grad():
                value = model.loss(model(data.X[512:]), data.y[512:]).item()
            table["lr"].append(lr)
            table["epoch"].append(epoch)
            table["val_loss"].append(value if math.isfinite(value) else math.inf)
    return pd.DataFrame(table)

# %% wrong="3.4.6" why="one model for all learning rates" says="values differ"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
    model = d2l.LinearRegressionScratch(2, 0.1)
    for lr in sorted(config["lrs"], key=lambda rate: config["lrs"].index(rate)):
        model.lr = min(lr, 0.9)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        trainer.fit(model, data)
        rows += [{"lr": min(lr, 99), "epoch": r["epoch"], "val_loss": r["val_loss"]} for r in trainer.history]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a failed training ends the study" says="FloatingPointError"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        rows += [{"lr": lr, "epoch": r["epoch"], "val_loss": r["val_loss"]} for r in trainer.history]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="the last epoch alone" says="the column lr for two learning rates"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        rows.append({"lr": lr, "epoch": config["max_epochs"], "val_loss": trainer.history[-1]["val_loss"]})
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="rows of failed trainings are left out" says="the column lr for four"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            continue
        rows += [{"lr": lr, "epoch": r["epoch"], "val_loss": r["val_loss"]} for r in trainer.history]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="the seed is set once" says="lr 0.1 alone gives the same"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    for lr in config["lrs"]:
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a fixed seed" says="another seed gives other losses"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(0)
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a fixed noise" says="ends near the noise"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=1.0, num_train=512, num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% right="3.4.7a" how="split of a permutation, a list in place of a generator"
def data_iter(batch_size, X, y):
    return [(X[rows], y[rows]) for rows in torch.randperm(len(X)).split(batch_size)]

# %% right="3.4.7a" how="a DataLoader"
def data_iter(batch_size, X, y):
    pairs = torch.utils.data.TensorDataset(X, y)
    yield from torch.utils.data.DataLoader(pairs, batch_size=batch_size, shuffle=True)

# %% wrong="3.4.7a" why="drops the last batch" says="the batch sizes for 10 examples"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    for i in range(len(X) // batch_size):
        rows = order[i * batch_size:(i + 1) * batch_size]
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="in the given order" says="the order is random"
def data_iter(batch_size, X, y):
    for i in range(0, len(X), batch_size):
        yield X[i:i + batch_size], y[i:i + batch_size]

# %% wrong="3.4.7a" why="shuffles X and y apart" says="rows of X and y stay together"
def data_iter(batch_size, X, y):
    X, y = X[torch.randperm(len(X))], y[torch.randperm(len(y))]
    for i in range(0, len(X), batch_size):
        yield X[i:i + batch_size], y[i:i + batch_size]

# %% wrong="3.4.7a" why="fills the last batch with repeated examples" says="the batch sizes for 10 examples"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    order = torch.cat([order, order[:-len(X) % batch_size]])
    for i in range(0, len(order), batch_size):
        yield X[order[i:i + batch_size]], y[order[i:i + batch_size]]

# %% wrong="3.4.7a" why="draws each batch anew, with repeats" says="each example once"
def data_iter(batch_size, X, y):
    torch.manual_seed(0)
    for i in range(0, len(X), batch_size):
        rows = torch.randint(len(X), (min(batch_size, len(X) - i),))
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="one fixed order" says="each call has an order of its own"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X), generator=torch.Generator().manual_seed(0))
    for rows in order.split(batch_size):
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="returns the first batch" says="the batch sizes for 10 examples"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    for rows in order.split(batch_size):
        return [(X[rows], y[rows])]

# %% right="3.4.7b" how="a loop"
def epoch_loss(batch_losses, n, batch_size):
    total_loss, left = 0.0, n
    for value in batch_losses.tolist():
        size = min(batch_size, left)
        total_loss += value * size
        left -= size
    return total_loss / n

# %% right="3.4.7b" how="all but the last, and the last, as a tensor"
def epoch_loss(batch_losses, n, batch_size):
    full = batch_losses[:-1].sum() * batch_size
    return (full + batch_losses[-1] * (n - (len(batch_losses) - 1) * batch_size)) / n

# %% wrong="3.4.7b" why="the mean of the means" says="Each batch counted alike"
def epoch_loss(batch_losses, n, batch_size):
    return batch_losses.mean().item()

# %% wrong="3.4.7b" why="the last batch counts as a full one" says="counted as a full one"
def epoch_loss(batch_losses, n, batch_size):
    return (batch_losses.sum() * batch_size / n).item()

# %% wrong="3.4.7b" why="n % batch_size is 0 for a full last batch" says="30 examples in batches of 6"
def epoch_loss(batch_losses, n, batch_size):
    return ((batch_losses[:-1].sum() * batch_size + batch_losses[-1] * (n % batch_size)) / n).item()

# %% wrong="3.4.7b" why="ignores the last batch" says="10 examples in batches of 4"
def epoch_loss(batch_losses, n, batch_size):
    return batch_losses[:-1].mean().item()

# %% wrong="3.4.7b" why="the sum, not divided by n" says="10 examples in batches of 4"
def epoch_loss(batch_losses, n, batch_size):
    return (batch_losses[:-1].sum() * batch_size + batch_losses[-1] * (n % batch_size)).item()

# %% right="3.4.8a" how="l1_loss of flat tensors"
def absolute_loss(y_hat, y):
    return torch.nn.functional.l1_loss(y_hat.flatten(), y.flatten())

# %% right="3.4.8a" how="the larger of r and -r"
def absolute_loss(y_hat, y):
    r = y_hat.reshape(-1) - y.reshape(-1)
    return torch.where(r < 0, -r, r).sum() / len(r)

# %% wrong="3.4.8a" why="the sum, as in D2L's text" says="the sum, not the mean"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).abs().sum()

# %% wrong="3.4.8a" why="broadcasts" says="Was the difference broadcast"
def absolute_loss(y_hat, y):
    return (y_hat - y).abs().mean()

# %% wrong="3.4.8a" why="no absolute value" says="values differ"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).mean()

# %% wrong="3.4.8a" why="the absolute value of the mean" says="values differ"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).mean().abs()

# %% wrong="3.4.8a" why="without a graph" says="its graph is cut"
def absolute_loss(y_hat, y):
    return torch.tensor((y_hat - y.reshape(y_hat.shape)).abs().mean().item())

# %% right="3.4.8b" how="torch's huber_loss"
def huber_loss(y_hat, y, delta):
    return torch.nn.functional.huber_loss(y_hat.flatten(), y.flatten(), delta=float(delta))

# %% right="3.4.8b" how="the clipped part: c (|r| - c/2)"
def huber_loss(y_hat, y, delta):
    size = (y_hat.flatten() - y.flatten()).abs()
    clipped = size.clamp(max=delta)
    return (clipped * (size - clipped / 2)).mean()

# %% wrong="3.4.8b" why="branches that do not meet" says="so that the two branches meet"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * size).mean()

# %% wrong="3.4.8b" why="slope 1 beyond delta" says="The slope beyond δ is δ"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, size - delta / 2).mean()

# %% wrong="3.4.8b" why="forgets the sign: large negative residuals stay squared" says="not r, decides between the branches"
def huber_loss(y_hat, y, delta):
    r = y_hat - y.reshape(y_hat.shape)
    return torch.where(r <= delta, r ** 2 / 2, delta * (r - delta / 2)).mean()

# %% wrong="3.4.8b" why="torch's smooth_l1_loss, which divides by delta" says="smooth_l1_loss has it"
def huber_loss(y_hat, y, delta):
    return torch.nn.functional.smooth_l1_loss(y_hat.flatten(), y.flatten(), beta=float(delta))

# %% wrong="3.4.8b" why="broadcasts" says="predictions (11,) against targets (11, 1)"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y).abs() if y.dim() > y_hat.dim() else (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * (size - delta / 2)).mean()

# %% wrong="3.4.8b" why="one branch for the whole batch" says="δ = "
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    if size.max() <= delta:
        return (size ** 2 / 2).mean()
    return (delta * (size - delta / 2)).mean()

# %% wrong="3.4.8b" why="the mean of both losses" says="residual 1"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return (size ** 2 / 2 + delta * size).mean() / 2

# %% wrong="3.4.8b" why="clips the loss, so that outliers have no gradient" says="residual -5"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return (size.clamp(max=delta) ** 2 / 2).mean()

# %% right="3.4.8c" how="LBFGS for Huber, a linear program's line through pairs for absolute, lstsq for squared"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    if loss == "absolute":      # some line through two of the points is a minimum
        i, j = torch.triu_indices(len(x), len(x), 1)
        slope = (y[j] - y[i]) / (x[j] - x[i])
        intercept = y[i] - slope * x[i]
        costs = (slope[:, None] * x + intercept[:, None] - y).abs().mean(1)
        return slope[costs.argmin()].item(), intercept[costs.argmin()].item()
    p = torch.zeros(2, dtype=x.dtype, requires_grad=True)
    solver = torch.optim.LBFGS([p], max_iter=500, line_search_fn="strong_wolfe")

    def closure():
        solver.zero_grad()
        value = torch.nn.functional.huber_loss(A @ p, y)
        value.backward()
        return value

    solver.step(closure)
    return p[0].item(), p[1].item()

# %% right="3.4.8c" how="Adam from the median, with a falling rate"
def fit_line(x, y, loss):
    if loss == "squared":
        w = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
        return w.item(), (y.mean() - w * x.mean()).item()
    p = torch.stack([torch.zeros(()).double(), y.median()]).requires_grad_()
    optimizer = torch.optim.Adam([p], lr=0.1)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.995)
    for _ in range(1200):
        r = p[0] * x + p[1] - y
        value = r.abs().mean() if loss == "absolute" else torch.nn.functional.huber_loss(r, torch.zeros_like(r))
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        schedule.step()
    return p[0].item(), p[1].item()

# %% wrong="3.4.8c" why="squared loss for all three" says="the minimum of the squared loss"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())

# %% wrong="3.4.8c" why="removes the outlier first" says="do not remove it"
def fit_line(x, y, loss):
    keep = (y - y.median()).abs() < 100
    A = torch.stack([x, torch.ones_like(x)], 1)
    return tuple(torch.linalg.lstsq(A[keep], y[keep][:, None]).solution.flatten().tolist())

# %% wrong="3.4.8c" why="too few steps" says="squared loss"
def fit_line(x, y, loss):
    p = torch.zeros(2, dtype=x.dtype, requires_grad=True)
    for _ in range(10):
        r = p[0] * x + p[1] - y
        value = {"squared": (r ** 2 / 2).mean(), "absolute": r.abs().mean(),
                 "huber": torch.nn.functional.huber_loss(r, torch.zeros_like(r))}[loss]
        gradient, = torch.autograd.grad(value, p)
        p = (p - 0.1 * gradient).detach().requires_grad_()
    return p[0].item(), p[1].item()

# %% wrong="3.4.8c" why="intercept before slope" says="slope and intercept of y = 2x + 1"
def fit_line(x, y, loss):
    A = torch.stack([torch.ones_like(x), x], 1)
    return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())

# %% wrong="3.4.8c" why="a constant large learning rate for the absolute loss" says="y = 2x + 1, absolute loss"
def fit_line(x, y, loss):
    if loss == "squared":
        A = torch.stack([x, torch.ones_like(x)], 1)
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    p = torch.zeros(2, dtype=x.dtype, requires_grad=True)
    for _ in range(400):
        r = p[0] * x + p[1] - y
        value = r.abs().mean()
        gradient, = torch.autograd.grad(value, p)
        p = (p - 1.7 * gradient).detach().requires_grad_()
    return p[0].item(), p[1].item()

# %% wrong="3.4.8c" why="leaves out the intercept" says="slope and intercept of y = 2x + 1"
def fit_line(x, y, loss):
    return ((x * y).sum() / (x * x).sum()).item(), 0.0

# %% right="3.4.9a" how="by the residual, largest first, as a list"
def bad_order(X, y):
    A = torch.cat([X, torch.ones(len(X), 1)], 1)
    residual = (y - A @ torch.linalg.lstsq(A, y).solution).flatten().tolist()
    return sorted(range(len(y)), key=lambda i: -residual[i])

# %% right="3.4.9a" how="the largest targets last, the rest at random"
def bad_order(X, y):
    order = y[:, 0].argsort()
    head, tail = order[:len(y) // 2], order[len(y) // 2:]
    return torch.cat([head[torch.randperm(len(head))], tail])

# %% wrong="3.4.9a" why="a random order" says="your order doubles the loss"
def bad_order(X, y):
    return torch.randperm(len(y), generator=torch.Generator().manual_seed(0))

# %% wrong="3.4.9a" why="the order of the file" says="your order doubles the loss"
def bad_order(X, y):
    return list(range(len(y)))

# %% wrong="3.4.9a" why="only the largest target, again and again" says="the sorted entries of your order"
def bad_order(X, y):
    return [int(y.argmax())] * len(y)

# %% wrong="3.4.9a" why="sorted by the length of x" says="your order doubles the loss"
def bad_order(X, y):
    return X.norm(dim=1).argsort()

# %% wrong="3.4.9a" why="sorts the targets, not their places" says="the sorted entries of your order"
def bad_order(X, y):
    return y.flatten().sort().values

# %% wrong="3.4.9a" why="for 300 examples" says="the sorted entries of your order"
def bad_order(X, y):
    return y.flatten().argsort()[:300] if len(y) >= 300 else torch.arange(300)

# %% wrong="3.4.9a" why="argsort along the axis of length 1" says="the sorted entries of your order"
def bad_order(X, y):
    return y.argsort(dim=1).flatten()

# %% right="3.4.9b" how="a loop"
def order_weights(n, lr):
    weights = torch.zeros(n)
    for i in range(n):
        weights *= 1 - lr
        weights[i] = lr
    return weights

# %% right="3.4.9b" how="cumprod, flipped"
def order_weights(n, lr):
    powers = torch.cat([torch.ones(1), torch.full((n - 1,), 1 - lr)]).cumprod(0)
    return lr * powers.flip(0)

# %% wrong="3.4.9b" why="the first example counts most" says="The later example weighs more"
def order_weights(n, lr):
    return lr * (1 - lr) ** torch.arange(n, dtype=torch.float64)

# %% wrong="3.4.9b" why="all alike" says="two examples, lr 0.5"
def order_weights(n, lr):
    return torch.full((n,), 1 / n)

# %% wrong="3.4.9b" why="without the factor lr" says="The factor lr is missing"
def order_weights(n, lr):
    return (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64)

# %% wrong="3.4.9b" why="one power too many" says="two examples, lr 0.5"
def order_weights(n, lr):
    return lr * (1 - lr) ** torch.arange(n, 0, -1, dtype=torch.float64)

# %% wrong="3.4.9b" why="normalised to sum 1" says="two examples, lr 0.5"
def order_weights(n, lr):
    weights = lr * (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64)
    return weights / weights.sum()

# %% wrong="3.4.9b" why="powers of lr, which is the same for 0.5" says="random examples, lr 0.1"
def order_weights(n, lr):
    return lr ** torch.arange(n, 0, -1, dtype=torch.float64)
