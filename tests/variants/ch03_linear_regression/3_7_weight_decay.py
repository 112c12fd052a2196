# Variants of the answers of solutions/ch03_linear_regression/3_7_weight_decay.py.

# %% right="3.7.A" how="the gradient of the whole objective"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return [w - lr * (grad_w + lambd * w), b - lr * grad_b]

# %% right="3.7.A" how="in place, on copies"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    w, b = w.clone(), b.clone()
    w *= 1 - lr * lambd
    w -= lr * grad_w
    b -= lr * grad_b
    return w, b

# %% wrong="3.7.A" why="forgets the penalty" breaks="weights" says="penalty is missing"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * grad_w, b - lr * grad_b

# %% wrong="3.7.A" why="2 λ w" breaks="weights" says="not 2λw"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + 2 * lambd * w), b - lr * grad_b

# %% wrong="3.7.A" why="adds the decay" breaks="weights" says="wrong sign"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 + lr * lambd) * w - lr * grad_w, b - lr * grad_b

# %% wrong="3.7.A" why="decay without the learning rate" breaks="weights" says="lr times λ"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lambd) * w - lr * grad_w, b - lr * grad_b

# %% wrong="3.7.A" why="decays after the step" breaks="weights" says="only the old weights"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lr * lambd) * (w - lr * grad_w), b - lr * grad_b

# %% wrong="3.7.A" why="the bias decays, too" breaks="bias" says="bias does not decay"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lr * lambd) * w - lr * grad_w, (1 - lr * lambd) * b - lr * grad_b

# %% wrong="3.7.A" why="in place" breaks="arguments kept" says="old w and b"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    w *= 1 - lr * lambd
    w -= lr * grad_w
    b -= lr * grad_b
    return w, b

# %% right="3.7.A" how="one weight at a time"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    new = torch.zeros_like(w)
    for j in range(len(w)):
        new[j] = w[j] - lr * (grad_w[j] + lambd * w[j])
    return new, b - lr * grad_b

# %% wrong="3.7.A" why="the mean over the weights in the penalty" breaks="weights" says="not their mean"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w / len(w)), b - lr * grad_b

# %% wrong="3.7.A" why="a factor that is held at 0" breaks="weights" says="leads past it"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return max(1 - lr * lambd, 0.) * w - lr * grad_w, b - lr * grad_b

# %% wrong="3.7.A" why="the bias is not moved" breaks="bias" says="makes a step, too"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lr * lambd) * w - lr * grad_w, b

# %% wrong="3.7.A" why="the bias makes a step without lr" breaks="bias" says="lr times its gradient"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lr * lambd) * w - lr * grad_w, b - grad_b

# %% right="3.7.B" how="the two fractions"
def share_left(x, lambd):
    return float(x @ x) / (float(x @ x) + len(x) * lambd)

# %% right="3.7.B" how="two ridge fits of a target"
def share_left(x, lambd):
    X = x.double()[:, None]
    return (ridge(X, x.double(), lambd) / ridge(X, x.double(), 0.))[0]

# %% wrong="3.7.B" why="n is missing" breaks="share" says="n is missing"
def share_left(x, lambd):
    return x @ x / (x @ x + lambd)

# %% wrong="3.7.B" why="the share that is lost" breaks="share" says="share that is lost"
def share_left(x, lambd):
    s = x.square().mean()
    return lambd / (s + lambd)

# %% wrong="3.7.B" why="the square of the mean" breaks="share" says="not the entries"
def share_left(x, lambd):
    s = x.mean()
    return s / (s + lambd)

# %% wrong="3.7.B" why="divides λ by n" breaks="share" says="multiplied by n"
def share_left(x, lambd):
    return x @ x / (x @ x + lambd / len(x))

# %% wrong="3.7.B" why="one more than λ" breaks="no penalty" says="λ = 0"
def share_left(x, lambd):
    s = x.square().mean()
    return s / (s + max(lambd, 1.0))

# %% wrong="3.7.B" why="the largest square" breaks="share" says="not the largest"
def share_left(x, lambd):
    s = x.square().max()
    return s / (s + lambd)

# %% wrong="3.7.B" why="the variance" breaks="share" says="no bias here"
def share_left(x, lambd):
    s = x.var(correction=0)
    return s / (s + lambd)

# %% right="3.7.7" how="a column of ones that is not penalised"
def ridge_with_bias(X, y, lambd):
    n, d = X.shape
    A = torch.cat([X, torch.ones(n, 1, dtype=X.dtype)], dim=1)
    penalty = n * lambd * torch.eye(d + 1, dtype=X.dtype)
    penalty[-1, -1] = 0
    solution = torch.linalg.solve(A.T @ A + penalty, A.T @ y)
    return solution[:-1], solution[-1]

# %% right="3.7.7" how="least squares with d more rows, NumPy"
import numpy as np

def ridge_with_bias(X, y, lambd):
    n, d = X.shape
    centre, level = X.mean(0), y.mean()
    A = np.vstack([(X - centre).numpy(), math.sqrt(n * lambd) * np.eye(d)])
    w = torch.from_numpy(np.linalg.lstsq(A, np.concatenate([(y - level).numpy(), np.zeros(d)]), rcond=None)[0]).to(X.dtype)
    return [w, float(level - centre @ w)]

# %% right="3.7.7" how="only the features are centred"
def ridge_with_bias(X, y, lambd):
    centre = X.mean(dim=0)
    w = ridge(X - centre, y, lambd)
    return w, (y - X @ w).mean()

# %% wrong="3.7.7" why="no penalty" breaks="weights" says="penalty is missing"
def ridge_with_bias(X, y, lambd):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.pinv(A) @ y
    return solution[:-1], solution[-1]

# %% wrong="3.7.7" why="λ without n" breaks="weights" says="n is missing"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd / len(X))
    return w, level - centre @ w

# %% wrong="3.7.7" why="through the origin" breaks="weights" says="through the origin"
def ridge_with_bias(X, y, lambd):
    w = ridge(X, y, lambd)
    return w, (y - X @ w).mean()

# %% wrong="3.7.7" why="the bias as a penalised weight of a column of ones" breaks="bias free" says="bias is penalised"
def ridge_with_bias(X, y, lambd):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = ridge(A, y, lambd)
    return solution[:-1], solution[-1]

# %% wrong="3.7.7" why="the bias is the mean of the targets" breaks="bias free" says="mean of the targets"
def ridge_with_bias(X, y, lambd):
    return ridge(X - X.mean(dim=0), y - y.mean(), lambd), y.mean()

# %% wrong="3.7.7" why="needs as many examples as features" breaks="more features than examples" says="two examples of three features"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    n, d = X.shape
    w = ridge(X - centre, y - level, lambd) if d <= n else torch.zeros(d, dtype=X.dtype)
    return w, level - centre @ w

# %% wrong="3.7.7" why="centres in place" breaks="arguments kept" says="X and y after the call"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    X -= centre
    y -= level
    w = ridge(X, y, lambd)
    return w, level - centre @ w

# %% wrong="3.7.7" why="standardises the features" breaks="weights" says="standard deviation"
def ridge_with_bias(X, y, lambd):
    centre, level, std = X.mean(dim=0), y.mean(), X.std(dim=0, unbiased=False).clamp(min=1e-9)
    w = ridge((X - centre) / std, y - level, lambd) / std
    return w, level - centre @ w

# %% wrong="3.7.7" why="a float64 identity beside float32 data" breaks="weights" says="in float32"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    Z = X - centre
    w = torch.linalg.solve(Z.T @ Z + len(X) * lambd * torch.eye(X.shape[1], dtype=torch.float64), Z.T @ (y - level))
    return w, level - centre @ w

# %% wrong="3.7.7" why="λ/2 in the equations" breaks="weights" says="λ, not λ/2"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd / 2)
    return w, level - centre @ w

# %% right="3.7.7" how="one unknown for each example"
def ridge_with_bias(X, y, lambd):
    n = len(X)
    Z = X - X.mean(dim=0)
    w = Z.T @ torch.linalg.solve(Z @ Z.T + n * lambd * torch.eye(n, dtype=X.dtype), y - y.mean())
    return w, (y - X @ w).mean()

# %% right="3.7.7" how="float32 inside"
def ridge_with_bias(X, y, lambd):
    X, y = X.float(), y.float()
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd)
    return w, level - centre @ w

# %% wrong="3.7.7" why="b of shape (1,)" breaks="shapes" says="the shape of b"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd)
    return w, (level - centre @ w).reshape(1)

# %% wrong="3.7.7" why="w of shape (d, 1)" breaks="shapes" says="the shape of w"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd)
    return w[:, None], level - centre @ w

# %% wrong="3.7.7" why="a smallest λ" breaks="weights" says="derivative of J"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, max(lambd, 0.01))
    return w, level - centre @ w

# %% wrong="3.7.7" why="least squares for d > n" breaks="more features than examples" says="penalty is missing for d > n"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd) if len(X) >= X.shape[1] else torch.linalg.pinv(X - centre) @ (y - level)
    return w, level - centre @ w

# %% wrong="3.7.7" why="the bias of least squares" breaks="bias free" says="not with those of least squares"
def ridge_with_bias(X, y, lambd):
    centre, level = X.mean(dim=0), y.mean()
    return ridge(X - centre, y - level, lambd), level - centre @ ridge(X - centre, y - level, 1e-9)

# %% right="3.7.1" how="NumPy's solver, float64"
import numpy as np

def metrics(X, y, X_val, y_val, lambdas):
    A, n = X.double().numpy(), len(X)
    table = np.zeros((len(lambdas), 3))
    for i, lambd in enumerate(lambdas):
        w = np.linalg.solve(A.T @ A + n * lambd * np.eye(A.shape[1]), A.T @ y.double().numpy())
        table[i] = (((A @ w - y.numpy()) ** 2).mean(), ((X_val.numpy() @ w - y_val.numpy()) ** 2).mean(), np.linalg.norm(w))
    return torch.from_numpy(table)

# %% right="3.7.1" how="columns"
def metrics(X, y, X_val, y_val, lambdas):
    ws = torch.stack([ridge(X, y, lambd) for lambd in lambdas], dim=1)
    train = (X @ ws - y[:, None]).square().mean(dim=0)
    val = (X_val @ ws - y_val[:, None]).square().mean(dim=0)
    return torch.stack([train, val, ws.norm(dim=0)], dim=1)

# %% wrong="3.7.1" why="transposed" breaks="shape" says="wrong shape"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.norm().item()])
    return torch.tensor(rows).T

# %% wrong="3.7.1" why="the training error has the penalty in it" breaks="training error" says="penalty is in it"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([(squared_error(X @ w, y) + lambd / 2 * w @ w).item(), squared_error(X_val @ w, y_val).item(), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="halves" breaks="training error" says="half of the mean"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item() / 2, squared_error(X_val @ w, y_val).item() / 2, w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="sorts the λ" breaks="shape" says="order of the given λ"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in sorted(lambdas):
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="fits the validation data" breaks="validation error" says="nothing is fitted"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w, v = ridge(X, y, lambd), ridge(X_val, y_val, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ v, y_val).item(), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="the penalty in the validation error" breaks="validation error" says="penalty is in it"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), (squared_error(X_val @ w, y_val) + lambd / 2 * w @ w).item(), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="the squared norm" breaks="norm" says="square of the norm"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), (w @ w).item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="the 1-norm" breaks="norm" says="sum of the absolute values"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.abs().sum().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="a single row is flattened" breaks="shape" says="two axes, too"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.norm().item()])
    return torch.tensor(rows).squeeze()

# %% wrong="3.7.1" why="divides the validation error by the training examples" breaks="validation error" says="divide by their number"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), ((X_val @ w - y_val) ** 2).sum().item() / len(y), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="columns 1 and 2 exchanged" breaks="validation error" says="belongs in column 2"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), w.norm().item(), squared_error(X_val @ w, y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="centres the data" breaks="training error" says="not centred"
def metrics(X, y, X_val, y_val, lambdas):
    rows, centre, level = [], X.mean(dim=0), y.mean()
    for lambd in lambdas:
        w = ridge(X - centre, y - level, lambd)
        rows.append([squared_error((X - centre) @ w, y - level).item(), squared_error((X_val - centre) @ w, y_val - level).item(), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="the largest entry" breaks="norm" says="largest entry"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.abs().max().item()])
    return torch.tensor(rows)

# %% right="3.7.2" how="tensors and argmin"
def price_of_choice(train, val, test, lambdas):
    ws = torch.stack([ridge(train[0], train[1], lambd) for lambd in lambdas], dim=1)
    on_val = (val[0] @ ws - val[1][:, None]).square().mean(dim=0)
    on_test = (test[0] @ ws - test[1][:, None]).square().mean(dim=0)
    i = int(on_val.argmin())
    return [lambdas[i], on_test[i] - on_test.min()]

# %% right="3.7.2" how="dictionaries"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, val))
    return chosen, error(chosen, test) - min(error(lambd, test) for lambd in lambdas)

# %% wrong="3.7.2" why="chooses by the training error" breaks="choice" says="always the best on the data of the fit"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, train))
    return chosen, error(chosen, test) - min(error(lambd, test) for lambd in lambdas)

# %% wrong="3.7.2" why="chooses by the test error" breaks="choice" says="best on the test set"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, test))
    return chosen, 0.

# %% wrong="3.7.2" why="the position of λ" breaks="choice" says="return λ itself"
def price_of_choice(train, val, test, lambdas):
    on_val, on_test = ([float(squared_error(X @ ridge(*train, lambd), y)) for lambd in lambdas] for X, y in (val, test))
    i = on_val.index(min(on_val))
    return i, on_test[i] - min(on_test)

# %% wrong="3.7.2" why="the test error" breaks="price" says="test error itself"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, val))
    return chosen, error(chosen, test)

# %% wrong="3.7.2" why="the other way round" breaks="price" says="sign is wrong"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, val))
    return chosen, min(error(lambd, test) for lambd in lambdas) - error(chosen, test)

# %% wrong="3.7.2" why="validation error minus test error" breaks="price" says="Both errors"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, val))
    return chosen, error(chosen, val) - min(error(lambd, test) for lambd in lambdas)

# %% wrong="3.7.2" why="fits again on training and validation" breaks="fit" says="from the training set alone"
def price_of_choice(train, val, test, lambdas):
    chosen = min(lambdas, key=lambda lambd: float(squared_error(val[0] @ ridge(*train, lambd), val[1])))
    both = torch.cat([train[0], val[0]]), torch.cat([train[1], val[1]])
    on_test = {lambd: float(squared_error(test[0] @ ridge(*both, lambd), test[1])) for lambd in lambdas}
    return chosen, on_test[chosen] - min(on_test.values())

# %% wrong="3.7.2" why="the penalty in the validation error" breaks="choice" says="no penalty belongs in an error"
def price_of_choice(train, val, test, lambdas):
    def error(lambd, part):
        return float(squared_error(part[0] @ ridge(*train, lambd), part[1]))
    chosen = min(lambdas, key=lambda lambd: error(lambd, val) + lambd / 2 * float(ridge(*train, lambd).square().sum()))
    return chosen, error(chosen, test) - min(error(lambd, test) for lambd in lambdas)

# %% wrong="3.7.2" why="the price on the validation set" breaks="price" says="always be 0"
def price_of_choice(train, val, test, lambdas):
    errors = [float(squared_error(val[0] @ ridge(*train, lambd), val[1])) for lambd in lambdas]
    return lambdas[errors.index(min(errors))], min(errors) - min(errors)

# %% right="3.7.2" how="sorts the list in place and keeps to it"
def price_of_choice(train, val, test, lambdas):
    lambdas.sort()
    fitted = [ridge(*train, lambd) for lambd in lambdas]
    on_val, on_test = ([float(squared_error(X @ w, y)) for w in fitted] for X, y in (val, test))
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="the mean absolute error chooses" breaks="choice" says="squares are asked for"
def price_of_choice(train, val, test, lambdas):
    fitted = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [float((val[0] @ w - val[1]).abs().mean()) for w in fitted]
    on_test = [float(squared_error(test[0] @ w, test[1])) for w in fitted]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="fits in sorted order, looks up in the given one" breaks="choice" says="need not be sorted"
def price_of_choice(train, val, test, lambdas):
    fitted = [ridge(*train, lambd) for lambd in sorted(lambdas)]
    on_val, on_test = ([float(squared_error(X @ w, y)) for w in fitted] for X, y in (val, test))
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="test error minus validation error" breaks="price" says="Compare with the smallest test error"
def price_of_choice(train, val, test, lambdas):
    fitted = [ridge(*train, lambd) for lambd in lambdas]
    on_val, on_test = ([float(squared_error(X @ w, y)) for w in fitted] for X, y in (val, test))
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - on_val[i]

# %% wrong="3.7.2" why="sums of squares" breaks="price" says="take the mean"
def price_of_choice(train, val, test, lambdas):
    fitted = [ridge(*train, lambd) for lambd in lambdas]
    on_val, on_test = ([float((X @ w - y).square().sum()) for w in fitted] for X, y in (val, test))
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% right="3.7.4" how="sum of the diagonal"
def norm_by_trace(W):
    gram = torch.einsum('ij,ik->jk', W, W)
    return [gram, gram.diagonal().sum().item()]

# %% right="3.7.4" how="the number from the entries"
def norm_by_trace(W):
    return W.T @ W, (W ** 2).sum()

# %% wrong="3.7.4" why="W Wᵀ" breaks="matrix" says="the shape of WᵀW"
def norm_by_trace(W):
    return W @ W.T, torch.trace(W @ W.T)

# %% wrong="3.7.4" why="product of entries" breaks="matrix" says="the shape of WᵀW"
def norm_by_trace(W):
    return W * W, (W * W).sum()

# %% wrong="3.7.4" why="sum of all entries of the matrix" breaks="number" says="sum of all entries"
def norm_by_trace(W):
    return W.T @ W, (W.T @ W).sum()

# %% wrong="3.7.4" why="the norm" breaks="number" says="This is the norm"
def norm_by_trace(W):
    return W.T @ W, torch.trace(W.T @ W).sqrt()

# %% wrong="3.7.4" why="half, as in the penalty" breaks="number" says="the 1/2 belongs to the penalty"
def norm_by_trace(W):
    return W.T @ W, torch.trace(W.T @ W) / 2

# %% wrong="3.7.4" why="the diagonal alone" breaks="matrix" says="beside the diagonal"
def norm_by_trace(W):
    gram = torch.diag((W ** 2).sum(dim=0))
    return gram, torch.trace(gram)

# %% right="3.7.8a" how="torch's loss and norm"
def penalised_loss(w, b, X, y, lambd):
    return torch.nn.functional.mse_loss(X @ w + b, y) / 2 + lambd / 2 * (w @ w)

# %% right="3.7.8a" how="shape (1,) avoided by a sum"
def penalised_loss(w, b, X, y, lambd):
    residual = (X * w).sum(dim=1) + b - y
    return (residual @ residual) / (2 * len(y)) + 0.5 * lambd * w.pow(2).sum()

# %% wrong="3.7.8a" why="no half in the loss" breaks="fit" says="factor 1/2 is missing"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() + lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="a sum over the examples" breaks="fit" says="sum over the examples"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).sum() + lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="no half in the penalty" breaks="penalty" says="penalty has a factor 1/2"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() + lambd * (w ** 2).sum()

# %% wrong="3.7.8a" why="the bias is penalised" breaks="penalty" says="bias is in the penalty"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() + lambd * ((w ** 2).sum() + (b ** 2).sum()) / 2

# %% wrong="3.7.8a" why="the penalty is divided by n" breaks="penalty" says="divided by the number of examples"
def penalised_loss(w, b, X, y, lambd):
    return (((X @ w + b - y) ** 2).sum() + lambd * (w ** 2).sum()) / (2 * len(y))

# %% wrong="3.7.8a" why="the norm, not squared" breaks="penalty" says="This is the norm"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() + lambd * w.norm() / 2

# %% wrong="3.7.8a" why="the penalty as a number" breaks="gradient" says="gradient of the penalty is missing"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() + lambd * (w ** 2).sum().item() / 2

# %% wrong="3.7.8a" why="detached" breaks="gradient" says="cut the graph"
def penalised_loss(w, b, X, y, lambd):
    return (((X @ w + b - y) ** 2 / 2).mean() + lambd * (w ** 2).sum() / 2).detach()

# %% wrong="3.7.8a" why="a tensor of one entry" breaks="shape" says="the shape for b"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean(dim=0, keepdim=True) + lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="a Python number" breaks="shape" says="the shape for b"
def penalised_loss(w, b, X, y, lambd):
    return float(((X @ w + b - y) ** 2 / 2).mean() + lambd * (w ** 2).sum() / 2)

# %% right="3.7.8a" how="a loop over examples and weights"
def penalised_loss(w, b, X, y, lambd):
    value = 0.
    for row, target in zip(X, y):
        value = value + ((row * w).sum() + b.reshape(()) - target) ** 2
    for weight in w:
        value = value + len(y) * lambd * weight ** 2
    return value / (2 * len(y))

# %% wrong="3.7.8a" why="predictions as a column against targets as a row" breaks="fit" says="Every prediction meets every target"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w[:, None] + b - y) ** 2 / 2).mean() + lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="the penalty once for each example" breaks="penalty" says="not once for each example"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() + len(y) * lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="the penalty is subtracted" breaks="penalty" says="not subtracted"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() - lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="λ squared" breaks="penalty" says="not λ²/2"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2).mean() + (lambd * w).square().sum() / 2

# %% wrong="3.7.8a" why="b is detached" breaks="gradient" says="No gradient reaches b"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b.detach() - y) ** 2 / 2).mean() + lambd * (w ** 2).sum() / 2

# %% wrong="3.7.8a" why="b[0]" breaks="shape" says="b of shape ()"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b[0] - y) ** 2 / 2).mean() + lambd * (w ** 2).sum() / 2

# %% right="3.7.8b" how="decay for all, switched off for the bias"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": w}, {"params": b, "weight_decay": 0}], lr=lr, weight_decay=lambd)

# %% right="3.7.8b" how="a subclass that adds λw before the step"
def make_optimizer(w, b, lr, lambd):
    class Decaying(torch.optim.SGD):
        def step(self):
            with torch.no_grad():
                w.grad += lambd * w
            return super().step()
    return Decaying([w, b], lr=lr)

# %% wrong="3.7.8b" why="the bias decays, too" breaks="bias free" says="bias decays"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([w, b], lr=lr, weight_decay=lambd)

# %% wrong="3.7.8b" why="no decay" breaks="same weights" says="do not decay"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([w, b], lr=lr)

# %% wrong="3.7.8b" why="half of λ" breaks="same weights" says="half as fast"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd / 2}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="twice λ" breaks="same weights" says="twice as fast"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": 2 * lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="lr times λ" breaks="same weights" says="multiplies by lr itself"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lr * lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="Adam" breaks="learning rate" says="Adam and AdamW rescale"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.Adam([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="the learning rate is left at its default" breaks="learning rate" says="default length"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}])

# %% wrong="3.7.8b" why="the bias is left out of the optimizer" breaks="learning rate" says="bias has not moved"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([w], lr=lr, weight_decay=lambd)

# %% wrong="3.7.8b" why="momentum" breaks="learning rate" says="without momentum"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr, momentum=0.9)

# %% right="3.7.8b" how="the second group is added later"
def make_optimizer(w, b, lr, lambd):
    optimizer_ = torch.optim.SGD([w], lr=lr, weight_decay=lambd)
    optimizer_.add_param_group({"params": [b], "weight_decay": 0})
    return optimizer_

# %% wrong="3.7.8b" why="the groups exchanged" breaks="bias free" says="the weight_decay of its group is to be 0"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w]}, {"params": [b], "weight_decay": lambd}], lr=lr)

# %% wrong="3.7.8b" why="AdamW" breaks="learning rate" says="AdamW rescales"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.AdamW([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="copies of w and b" breaks="learning rate" says="not copies"
def make_optimizer(w, b, lr, lambd):
    w, b = w.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="lr in the first group only" breaks="learning rate" says="for both groups"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd, "lr": lr}, {"params": [b]}])

# %% wrong="3.7.8b" why="nothing is returned" breaks="learning rate" says="what make_optimizer returns"
def make_optimizer(w, b, lr, lambd):
    torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr)

# %% right="3.7.C" how="as a list"
def matching_settings(lambd, lr):
    return [lambd + lambd, 0.5 * lr]

# %% right="3.7.C" how="keeps the product"
def matching_settings(lambd, lr):
    lr_concise = lr / 2
    return lr * lambd / lr_concise, lr_concise

# %% wrong="3.7.C" why="the same numbers" breaks="learning rate" says="twice as long"
def matching_settings(lambd, lr):
    return lambd, lr

# %% wrong="3.7.C" why="doubles the learning rate" breaks="learning rate" says="other way round"
def matching_settings(lambd, lr):
    return lambd / 2, 2 * lr

# %% wrong="3.7.C" why="doubles the decay alone" breaks="learning rate" says="twice as long"
def matching_settings(lambd, lr):
    return 2 * lambd, lr

# %% wrong="3.7.C" why="halves the learning rate alone" breaks="decay" says="so is the decay"
def matching_settings(lambd, lr):
    return lambd, lr / 2

# %% wrong="3.7.C" why="halves both" breaks="decay" says="must stay"
def matching_settings(lambd, lr):
    return lambd / 2, lr / 2

# %% wrong="3.7.C" why="exchanged" breaks="learning rate" says="it stands first"
def matching_settings(lambd, lr):
    return lr / 2, 2 * lambd

# %% right="3.7.3a" how="torch.where"
def l1_step(w, gradient, lr, lambd):
    pull = torch.where(w > 0, lambd, torch.where(w < 0, -lambd, 0.0)).to(w.dtype)
    return w - lr * gradient - lr * pull

# %% right="3.7.3a" how="autograd of the penalty"
def l1_step(w, gradient, lr, lambd):
    leaf = w.detach().clone().requires_grad_()
    slope, = torch.autograd.grad(lambd * leaf.abs().sum(), leaf)
    return w - lr * (gradient + slope)

# %% wrong="3.7.3a" why="weight decay" breaks="constant pull" says="This is weight decay"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * w)

# %% wrong="3.7.3a" why="the sign is missing" breaks="constant pull" says="the sign is missing"
def l1_step(w, gradient, lr, lambd):
    return torch.where(w == 0, w - lr * gradient, w - lr * (gradient + lambd))

# %% wrong="3.7.3a" why="away from 0" breaks="constant pull" says="not away from it"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient - lambd * torch.sign(w))

# %% wrong="3.7.3a" why="the pull without lr" breaks="constant pull" says="pull is lr"
def l1_step(w, gradient, lr, lambd):
    return w - lr * gradient - lambd * torch.sign(w)

# %% wrong="3.7.3a" why="w / |w|" breaks="no pull at zero" says="yours is nan"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * w / w.abs())

# %% wrong="3.7.3a" why="1 or -1, never 0" breaks="no pull at zero" says="sign of 0"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * torch.where(w >= 0, 1.0, -1.0))

# %% wrong="3.7.3a" why="in place" breaks="arguments kept" says="w after the call"
def l1_step(w, gradient, lr, lambd):
    w -= lr * (gradient + lambd * torch.sign(w))
    return w

# %% wrong="3.7.3a" why="soft thresholding" breaks="constant pull" says="does not stop at 0"
def l1_step(w, gradient, lr, lambd):
    u = w - lr * gradient
    return u - u.clamp(-lr * lambd, lr * lambd)

# %% wrong="3.7.3a" why="the sign after the step" breaks="constant pull" says="before the step"
def l1_step(w, gradient, lr, lambd):
    u = w - lr * gradient
    return u - lr * lambd * torch.sign(u)

# %% right="3.7.3a" how="two comparisons"
def l1_step(w, gradient, lr, lambd):
    sign = (w > 0).to(w.dtype) - (w < 0).to(w.dtype)
    return w.add(gradient + lambd * sign, alpha=-lr)

# %% wrong="3.7.3a" why="a weight of 0 never moves" breaks="no pull at zero" says="gradient of the loss moves it"
def l1_step(w, gradient, lr, lambd):
    return torch.where(w == 0, w, w - lr * (gradient + lambd * torch.sign(w)))

# %% wrong="3.7.3a" why="stops at 0" breaks="constant pull" says="does not stop there"
def l1_step(w, gradient, lr, lambd):
    new = w - lr * (gradient + lambd * torch.sign(w))
    return torch.where(new * w < 0, torch.zeros_like(w), new)

# %% right="3.7.D" how="torch's softshrink"
def soft_threshold(u, t):
    return torch.nn.functional.softshrink(u, t)

# %% right="3.7.D" how="u minus what is cut off"
def soft_threshold(u, t):
    return u - u.clamp(-t, t)

# %% right="3.7.D" how="two halves"
def soft_threshold(u, t):
    return torch.relu(u - t) - torch.relu(-u - t)

# %% wrong="3.7.D" why="hard threshold" breaks="shrunk" says="large entries as they are"
def soft_threshold(u, t):
    return torch.where(u.abs() > t, u, torch.zeros_like(u))

# %% wrong="3.7.D" why="the sign is lost" breaks="shrunk" says="sign is lost"
def soft_threshold(u, t):
    return (u.abs() - t).clamp(min=0)

# %% wrong="3.7.D" why="cuts off negative entries" breaks="shrunk" says="cut off at 0"
def soft_threshold(u, t):
    return (u - t).clamp(min=0)

# %% wrong="3.7.D" why="moves past zero" breaks="exact zero" says="Do not move past 0"
def soft_threshold(u, t):
    return u - t * torch.sign(u)

# %% wrong="3.7.D" why="leaves small entries" breaks="exact zero" says="larger than t in size are left"
def soft_threshold(u, t):
    return torch.where(u.abs() > t, u - t * torch.sign(u), u)

# %% wrong="3.7.D" why="float32 inside" breaks="shape and dtype" says="the dtype for float64"
def soft_threshold(u, t):
    u = u.float()
    return torch.sign(u) * (u.abs() - t).clamp(min=0)

# %% wrong="3.7.D" why="flattens" breaks="shape and dtype" says="wrong shape"
def soft_threshold(u, t):
    return (torch.sign(u) * (u.abs() - t).clamp(min=0))[None]

# %% wrong="3.7.D" why="entries of size t are kept" breaks="exact zero" says="of size t becomes 0"
def soft_threshold(u, t):
    return torch.where(u.abs() == t, u, torch.sign(u) * (u.abs() - t).clamp(min=0))

# %% wrong="3.7.D" why="one axis" breaks="shape and dtype" says="for a matrix"
def soft_threshold(u, t):
    return torch.sign(u).flatten() * (u.flatten().abs() - t).clamp(min=0)

# %% right="3.7.3b" how="softshrink, Gram matrix computed once"
def train_l1(X, y, lambd, lr, steps):
    gram, target, w = X.T @ X / len(X), X.T @ y / len(X), torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = torch.nn.functional.softshrink(w - lr * (gram @ w - target), lr * lambd)
    return w

# %% right="3.7.3b" how="autograd"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        leaf = w.clone().requires_grad_()
        g, = torch.autograd.grad(((X @ leaf - y) ** 2 / 2).mean(), leaf)
        u = w - lr * g
        w = u - u.clamp(-lr * lambd, lr * lambd)
    return w

# %% wrong="3.7.3b" why="subgradient steps" breaks="exact zeros" says="exact 0"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for k in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = u - lr * lambd * torch.sign(u)
    return w

# %% wrong="3.7.3b" why="threshold λ" breaks="each step" says="lr · λ, not λ"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="no threshold" breaks="each step" says="still to come closer"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="3.7.3b" why="gradient not divided by n" breaks="each step" says="divide its gradient by n"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="the residual is computed once, at zero" breaks="minimum" says="the first after 60 steps"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    g = X.T @ (X @ w - y) / len(X)
    for _ in range(steps):
        u = w - lr * g
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="thresholds once, at the end" breaks="minimum" says="the first after 60 steps"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.sign(w) * (w.abs() - lr * lambd).clamp(min=0)

# %% wrong="3.7.3b" why="one step too many" breaks="steps" says="after no step"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(max(steps, 1)):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% right="3.7.3b" how="float32 inside"
def train_l1(X, y, lambd, lr, steps):
    A, target = X.float(), y.float()
    w = torch.zeros(A.shape[1])
    for _ in range(steps):
        u = w - lr * (A.T @ (A @ w - target)) / len(target)
        w = u - u.clamp(-lr * lambd, lr * lambd)
    return w.to(X.dtype)

# %% wrong="3.7.3b" why="weights that are 0 stay 0" breaks="minimum" says="may become anything again"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    alive = torch.ones_like(w)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = alive * torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
        alive = (w != 0).to(w.dtype)
    return w

# %% wrong="3.7.3b" why="accelerated steps" breaks="each step" says="after 4 steps"
def train_l1(X, y, lambd, lr, steps):
    w = ahead = torch.zeros(X.shape[1], dtype=X.dtype)
    k = 1.0
    for _ in range(steps):
        u = ahead - lr * X.T @ (X @ ahead - y) / len(X)
        new = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
        k, last = (1 + math.sqrt(1 + 4 * k * k)) / 2, k
        ahead = new + (last - 1) / k * (new - w)
        w = new
    return w

# %% wrong="3.7.3b" why="divided by the number of features" breaks="each step" says="not by that of the features"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / X.shape[1]
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="a step more than asked" breaks="each step" says="two steps"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps + 1):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="hard threshold" breaks="each step" says="still to come closer"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.where(u.abs() > lr * lambd, u, torch.zeros_like(u))
    return w

# %% right="3.7.6a" how="the square of a quotient"
def lambda_of_normal_prior(sigma, tau, n):
    return (sigma / tau) ** 2 / n

# %% right="3.7.6a" how="a tensor"
def lambda_of_normal_prior(sigma, tau, n):
    return torch.tensor(sigma, dtype=torch.float64) ** 2 * (1 / tau ** 2) * (1 / n)

# %% wrong="3.7.6a" why="standard deviations" breaks="noise and prior" says="Variances count"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma / (n * tau)

# %% wrong="3.7.6a" why="upside down" breaks="noise and prior" says="other way round"
def lambda_of_normal_prior(sigma, tau, n):
    return tau ** 2 / (n * sigma ** 2)

# %% wrong="3.7.6a" why="a further half" breaks="noise and prior" says="stands in J already"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / (2 * n * tau ** 2)

# %% wrong="3.7.6a" why="n is forgotten" breaks="examples" says="does not depend on n"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / tau ** 2

# %% wrong="3.7.6a" why="times n" breaks="examples" says="counts less, not more"
def lambda_of_normal_prior(sigma, tau, n):
    return n * sigma ** 2 / tau ** 2

# %% wrong="3.7.6a" why="the prior alone" breaks="noise and prior" says="noise has no influence"
def lambda_of_normal_prior(sigma, tau, n):
    return 1 / (n * tau ** 2)

# %% right="3.7.6b" how="the root of the variance, as a list"
def prior_of_l1(lambd, sigma, n):
    s = sigma * sigma / n / lambd
    return [s, (2 * s * s) ** 0.5]

# %% right="3.7.6b" how="torch's Laplace distribution"
def prior_of_l1(lambd, sigma, n):
    s = torch.tensor(sigma, dtype=torch.float64) ** 2 / (n * lambd)
    return s, torch.distributions.Laplace(0., s).stddev

# %% right="3.7.6b" how="a NumPy array"
import numpy as np

def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return np.array([s, s * np.sqrt(2)])

# %% wrong="3.7.6b" why="the reciprocal" breaks="scale" says="reciprocal"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return 1 / s, math.sqrt(2) * s

# %% wrong="3.7.6b" why="n is forgotten" breaks="scale" says="where is n"
def prior_of_l1(lambd, sigma, n):
    return sigma ** 2 / lambd, math.sqrt(2) * sigma ** 2 / (n * lambd)

# %% wrong="3.7.6b" why="a factor 2, as with ℓ2" breaks="scale" says="no factor 1/2"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return 2 * s, math.sqrt(2) * s

# %% wrong="3.7.6b" why="the variance" breaks="spread" says="This is the variance"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s, 2 * s ** 2

# %% wrong="3.7.6b" why="the scale again" breaks="spread" says="This is the scale"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s, s

# %% wrong="3.7.6b" why="times λ" breaks="scale" says="divided by λ"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s * lambd ** 2, math.sqrt(2) * s

# %% wrong="3.7.6b" why="the root of 2s" breaks="spread" says="not 2s"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s, math.sqrt(2 * s)

# %% right="3.7.5" how="steps one by one"
def share_after(s, lr, steps):
    share = 0.
    for _ in range(steps):
        share += lr * s * (1 - share)
    return share

# %% right="3.7.5" how="a geometric sum"
def share_after(s, lr, steps):
    return sum(lr * s * (1 - lr * s) ** k for k in range(steps))

# %% wrong="3.7.5" why="the rest of the way" breaks="share" says="still to go"
def share_after(s, lr, steps):
    return (1 - lr * s) ** steps if steps else 0.

# %% wrong="3.7.5" why="steps of equal length" breaks="share" says="steps get shorter"
def share_after(s, lr, steps):
    return lr * s * steps

# %% wrong="3.7.5" why="without the curvature" breaks="share" says="curvature s belongs"
def share_after(s, lr, steps):
    return 1 - (1 - lr) ** steps

# %% wrong="3.7.5" why="without the learning rate" breaks="share" says="learning rate belongs"
def share_after(s, lr, steps):
    return 1 - (1 - s) ** steps

# %% wrong="3.7.5" why="starts with one step" breaks="no step" says="after one step"
def share_after(s, lr, steps):
    return 1 - (1 - lr * s) ** max(steps, 1)

# %% wrong="3.7.5" why="one step more" breaks="share" says="one step more"
def share_after(s, lr, steps):
    return 1 - (1 - lr * s) ** (steps + 1) if steps else 0.

# %% wrong="3.7.5" why="a logarithm that fails at lr · s = 1" breaks="share" says="math domain error"
def share_after(s, lr, steps):
    return 1 - math.exp(steps * math.log(1 - lr * s))

# %% wrong="3.7.5" why="steps of equal length, at most the whole way" breaks="share" says="never quite reached"
def share_after(s, lr, steps):
    return min(1., lr * s * steps)

# %% wrong="3.7.A" why="decays twice in a step" breaks="weights" says="this is twice"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    w = w * (1 - lr * lambd)
    return (w - lr * (grad_w + lambd * w), b - lr * grad_b)

# %% wrong="3.7.A" why="divides by 1 + lr λ" breaks="weights" says="nothing is divided"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (w - lr * grad_w) / (1 + lr * lambd), b - lr * grad_b

# %% wrong="3.7.A" why="pulls with the norm of w" breaks="weights" says="not λ times the norm"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w.norm()), b - lr * grad_b

# %% wrong="3.7.A" why="the sum of the weights pulls at the bias" breaks="bias" says="do not pull at it"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w), b - lr * (grad_b + lambd * w.sum())

# %% wrong="3.7.A" why="decays the gradient of the loss" breaks="weights" says="not the gradient"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (1 - lr * lambd) * grad_w, b - lr * grad_b

# %% wrong="3.7.B" why="upside down" breaks="share" says="smaller of the two"
def share_left(x, lambd):
    s = (x ** 2).mean()
    return (s + lambd) / s

# %% wrong="3.7.B" why="1 - λ/s, cut off at 0" breaks="share" says="divide one weight"
def share_left(x, lambd):
    s = (x ** 2).mean()
    return max(0., float(1 - lambd / s))

# %% wrong="3.7.B" why="the norm of x" breaks="share" says="No root is taken"
def share_left(x, lambd):
    return x.norm() / (x.norm() + len(x) * lambd)

# %% wrong="3.7.7" why="half a penalty on the bias" breaks="bias free" says="any penalty on b"
def ridge_with_bias(X, y, lambd):
    n, d = X.shape
    A = torch.cat([X, torch.ones(n, 1, dtype=X.dtype)], 1)
    P = torch.eye(d + 1, dtype=X.dtype)
    P[d, d] = 0.5
    s = torch.linalg.solve(A.T @ A + n * lambd * P, A.T @ y)
    return s[:d], s[d]

# %% wrong="3.7.7" why="medians for means" breaks="bias free" says="not medians"
def ridge_with_bias(X, y, lambd):
    m = X.mean(dim=0)
    w = ridge(X - m, y - y.mean(), lambd)
    return w, y.median() - X.median(dim=0).values @ w

# %% wrong="3.7.7" why="λ divided by n" breaks="weights" says="λ is divided by n here"
def ridge_with_bias(X, y, lambd):
    m = X.mean(dim=0)
    w = ridge(X - m, y - y.mean(), lambd / len(X) ** 2)
    return w, y.mean() - m @ w

# %% wrong="3.7.1" why="mean absolute errors" breaks="training error" says="absolute errors"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l)
        rows.append([(X @ w - y).abs().mean(), (X_val @ w - y_val).abs().mean(), w.norm()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="hands over λ / n" breaks="training error" says="not divided by n"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l / len(X))
        rows.append([squared_error(X @ w, y), squared_error(X_val @ w, y_val), w.norm()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="the norm stands first" breaks="training error" says="column 2"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l)
        rows.append([w.norm(), squared_error(X @ w, y), squared_error(X_val @ w, y_val)])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="as many validation rows as training rows" breaks="validation error" says="not the first three alone"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    n = len(X)
    for l in lambdas:
        w = ridge(X, y, l)
        rows.append([squared_error(X @ w, y), squared_error(X_val[:n] @ w, y_val[:n]), w.norm()])
    return torch.tensor(rows)

# %% wrong="3.7.2" why="the largest validation error" breaks="choice" says="smallest is asked for"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l) for l in lambdas]
    v = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    t = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = v.index(max(v))
    return lambdas[i], t[i] - min(t)

# %% wrong="3.7.2" why="the price from training errors" breaks="price" says="training errors"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l) for l in lambdas]
    v = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    t = [squared_error(train[0] @ w, train[1]).item() for w in ws]
    i = v.index(min(v))
    return lambdas[i], t[i] - min(t)

# %% wrong="3.7.2" why="the difference of two λ" breaks="price" says="difference of two λ"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l) for l in lambdas]
    v = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    t = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = v.index(min(v))
    return lambdas[i], lambdas[i] - lambdas[t.index(min(t))]

# %% wrong="3.7.2" why="the price against the mean of the test errors" breaks="price" says="not with the mean of all"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l) for l in lambdas]
    v = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    t = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = v.index(min(v))
    return lambdas[i], t[i] - sum(t) / len(t)

# %% wrong="3.7.4" why="the trace of the square of WᵀW" breaks="number" says="holds the squares already"
def norm_by_trace(W):
    G = W.T @ W
    return G, torch.trace(G @ G)

# %% wrong="3.7.4" why="the product of the diagonal" breaks="number" says="product of the diagonal"
def norm_by_trace(W):
    G = W.T @ W
    return G, G.diagonal().prod()

# %% wrong="3.7.8a" why="the square of the sum of the weights" breaks="penalty" says="square of their sum"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd / 2 * w.sum() ** 2

# %% wrong="3.7.8a" why="absolute errors" breaks="fit" says="absolute errors"
def penalised_loss(w, b, X, y, lambd):
    return (X @ w + b - y).abs().mean() / 2 + lambd / 2 * (w ** 2).sum()

# %% wrong="3.7.8a" why="the square of the mean error" breaks="fit" says="Square each error first"
def penalised_loss(w, b, X, y, lambd):
    return (X @ w + b - y).mean() ** 2 / 2 + lambd / 2 * (w ** 2).sum()

# %% wrong="3.7.8a" why="the weights cut out of the fit" breaks="gradient" says="does not reach w"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w.detach() + b - y) ** 2).mean() / 2 + lambd / 2 * (w ** 2).sum()

# %% wrong="3.7.8b" why="momentum 0.5" breaks="learning rate" says="without momentum"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr, momentum=0.5)

# %% wrong="3.7.8b" why="RMSprop" breaks="learning rate" says="RMSprop rescales"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.RMSprop([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="two optimizers" breaks="learning rate" says="not two optimizers"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([w], lr=lr, weight_decay=lambd), torch.optim.SGD([b], lr=lr)

# %% wrong="3.7.8b" why="λ / lr" breaks="same weights" says="not λ divided by lr"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd / lr}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="a decay of 0.5 whatever λ is" breaks="learning rate" says="lr times the gradient"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": 0.5}, {"params": [b]}], lr=lr)

# %% wrong="3.7.C" why="four times the decay" breaks="decay" says="One factor 2"
def matching_settings(lambd, lr):
    return 4 * lambd, lr / 2

# %% wrong="3.7.C" why="the root of 2" breaks="learning rate" says="twice as large"
def matching_settings(lambd, lr):
    return 2 ** 0.5 * lambd, lr / 2 ** 0.5

# %% wrong="3.7.3a" why="pulls with the sum of the sizes" breaks="constant pull" says="sum of all sizes"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * w.abs().sum())

# %% wrong="3.7.3a" why="uphill" breaks="constant pull" says="goes down"
def l1_step(w, gradient, lr, lambd):
    return w + lr * (gradient + lambd * torch.sign(w))

# %% wrong="3.7.3a" why="the pull alone" breaks="constant pull" says="pull alone"
def l1_step(w, gradient, lr, lambd):
    return w - lr * lambd * torch.sign(w)

# %% wrong="3.7.3a" why="pulls with the mean size" breaks="constant pull" says="three weights move by"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * torch.sign(w) * w.abs().mean())

# %% wrong="3.7.D" why="the part that is taken away" breaks="shrunk" says="what is left of u"
def soft_threshold(u, t):
    return u.clamp(-t, t)

# %% wrong="3.7.D" why="one factor for all" breaks="shrunk" says="one factor"
def soft_threshold(u, t):
    return torch.where(u.abs() > t, u * (1 - t / u.abs().max()), torch.zeros_like(u))

# %% wrong="3.7.D" why="moves by t/2" breaks="shrunk" says="not by t/2"
def soft_threshold(u, t):
    return torch.sign(u) * (u.abs() - t / 2).clamp(min=0)

# %% wrong="3.7.3b" why="starts at one" breaks="each step" says="not at 1"
def train_l1(X, y, lambd, lr, steps):
    w = torch.ones(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="a step too few" breaks="each step" says="step is missing"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(1, steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="the gradient of the start in every step" breaks="minimum" says="first that goes wrong"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    g = X.T @ (X @ w - y) / len(X)
    for k in range(steps):
        u = w - lr * g
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.6a" why="multiplies by τ²" breaks="noise and prior" says="divide by τ²"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 * tau ** 2 / n

# %% wrong="3.7.6a" why="the share of the posterior variance" breaks="noise and prior" says="Nothing is added"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / (sigma ** 2 + n * tau ** 2)

# %% wrong="3.7.6a" why="n - 1" breaks="examples" says="not n - 1"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / tau ** 2 / max(n - 1, 1)

# %% wrong="3.7.6a" why="n² above" breaks="examples" says="For one example it was right"
def lambda_of_normal_prior(sigma, tau, n):
    return (n * sigma) ** 2 / tau ** 2

# %% wrong="3.7.6b" why="1 / λ" breaks="scale" says="Noise and n are missing"
def prior_of_l1(lambd, sigma, n):
    s = 1 / lambd
    return s, 2 ** 0.5 * s

# %% wrong="3.7.6b" why="σ² below" breaks="scale" says="wrong side"
def prior_of_l1(lambd, sigma, n):
    s = 1 / (n * lambd * sigma ** 2)
    return s, 2 ** 0.5 * s

# %% wrong="3.7.6b" why="s / √2" breaks="spread" says="larger than s"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s, s / 2 ** 0.5

# %% wrong="3.7.5" why="the sum of the powers" breaks="share" says="are distances"
def share_after(s, lr, steps):
    return sum((1 - lr * s) ** k for k in range(steps))

# %% wrong="3.7.5" why="the power of lr s" breaks="share" says="to a power"
def share_after(s, lr, steps):
    return (lr * s) ** steps

# %% wrong="3.7.5" why="1 - (lr s)^steps" breaks="share" says="not lr · s"
def share_after(s, lr, steps):
    return 1 - (lr * s) ** steps

# %% wrong="3.7.5" why="a fraction of the number of steps" breaks="share" says="Already after one step"
def share_after(s, lr, steps):
    return lr * s * steps / (1 + steps)

# %% right="3.7.3a" how="float32 signs by torch.where"
def l1_step(w, gradient, lr, lambd):
    pull = torch.where(w > 0, 1.0, torch.where(w < 0, -1.0, 0.0))
    return w - lr * gradient - lr * lambd * pull

# %% right="3.7.B" how="ridge of x on itself"
def share_left(x, lambd):
    return ridge(x[:, None], x, lambd).item()

# %% right="3.7.7" how="least squares with rows for the penalty"
def ridge_with_bias(X, y, lambd):
    n, d = X.shape
    A = torch.cat([torch.cat([X, torch.ones(n, 1, dtype=X.dtype)], 1), torch.cat([(n * lambd) ** 0.5 * torch.eye(d, dtype=X.dtype), torch.zeros(d, 1, dtype=X.dtype)], 1)])
    s = torch.linalg.lstsq(A, torch.cat([y, torch.zeros(d, dtype=y.dtype)])[:, None]).solution[:, 0]
    return s[:d], s[d]

# %% right="3.7.5" how="recursion"
def share_after(s, lr, steps):
    return 0.0 if steps == 0 else (p := share_after(s, lr, steps - 1)) + lr * s * (1 - p)

# %% right="3.7.8b" how="a group added later"
def make_optimizer(w, b, lr, lambd):
    o = torch.optim.SGD([b], lr=lr)
    o.add_param_group({"params": [w], "weight_decay": lambd})
    return o

# %% wrong="3.7.A" why="a weight with gradient 0 does not decay" breaks="weights" says="where its gradient is 0"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w * (grad_w != 0)), b - lr * grad_b

# %% wrong="3.7.A" why="lr twice in the decay" breaks="weights" says="One factor lr"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * grad_w - lr * lr * lambd * w, b - lr * grad_b

# %% wrong="3.7.A" why="the changes, not the new values" breaks="weights" says="add them to w"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return -lr * (grad_w + lambd * w), -lr * grad_b

# %% wrong="3.7.A" why="shrinks the gradient of the bias" breaks="bias" says="nor its gradient"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lr * lambd) * w - lr * grad_w, b - lr * (1 - lr * lambd) * grad_b

# %% wrong="3.7.B" why="the mean over the entries that are not 0" breaks="share" says="those that are not 0"
def share_left(x, lambd):
    s = (x[x != 0] ** 2).mean()
    return s / (s + lambd)

# %% wrong="3.7.B" why="equal entries counted once" breaks="share" says="where two are equal"
def share_left(x, lambd):
    s = (torch.unique(x) ** 2).mean()
    return s / (s + lambd)

# %% wrong="3.7.B" why="2 λ" breaks="share" says="without a 2"
def share_left(x, lambd):
    s = (x ** 2).mean()
    return s / (s + 2 * lambd)

# %% wrong="3.7.7" why="n twice" breaks="weights" says="multiplies λ by n itself"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X.mean(dim=0), y - y.mean(), lambd * len(X))
    return w, y.mean() - X.mean(dim=0) @ w

# %% wrong="3.7.7" why="the bias from the first example" breaks="bias free" says="not the first alone"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X.mean(dim=0), y - y.mean(), lambd)
    return w, y[0] - X[0] @ w

# %% wrong="3.7.7" why="each weight alone" breaks="more features than examples" says="fitted alone"
def ridge_with_bias(X, y, lambd):
    Z, t = X - X.mean(dim=0), y - y.mean()
    w = (Z.T @ t) / ((Z ** 2).sum(dim=0) + len(X) * lambd)
    return w, y.mean() - X.mean(dim=0) @ w

# %% wrong="3.7.7" why="one mean over the whole of X in the bias" breaks="bias free" says="not take one mean"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X.mean(dim=0), y - y.mean(), lambd)
    return w, y.mean() - X.mean() * w.sum()

# %% wrong="3.7.1" why="equal λ share a row" breaks="shape" says="λ = 1, 0.5, 1"
def metrics(X, y, X_val, y_val, lambdas):
    rows = {}
    for l in lambdas:
        w = ridge(X, y, l)
        rows[l] = torch.stack([squared_error(X @ w, y), squared_error(X_val @ w, y_val), w.norm()])
    return torch.stack(list(rows.values()))

# %% wrong="3.7.1" why="divides by n - 1" breaks="training error" says="not by n - 1"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l)
        rows.append(torch.stack([((X @ w - y) ** 2).sum() / (len(y) - 1), ((X_val @ w - y_val) ** 2).sum() / (len(y_val) - 1), w.norm()]))
    return torch.stack(rows)

# %% wrong="3.7.1" why="the sum of the weights" breaks="norm" says="sum of the weights"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l)
        rows.append(torch.stack([squared_error(X @ w, y), squared_error(X_val @ w, y_val), w.sum()]))
    return torch.stack(rows)

# %% wrong="3.7.2" why="stops at the first rise" breaks="choice" says="look at the whole list"
def price_of_choice(train, val, test, lambdas):
    on_val = [squared_error(val[0] @ ridge(*train, l), val[1]).item() for l in lambdas]
    on_test = [squared_error(test[0] @ ridge(*train, l), test[1]).item() for l in lambdas]
    i = 0
    while i + 1 < len(lambdas) and on_val[i + 1] < on_val[i]:
        i += 1
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="hands over λ / n" breaks="choice" says="as it is"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l / len(train[0])) for l in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="the training error takes part in the choice" breaks="choice" says="sum of training and validation error"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l) for l in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() + squared_error(train[0] @ w, train[1]).item() for w in ws]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="the worst minus the chosen" breaks="price" says="not with the worst"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, l) for l in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = on_val.index(min(on_val))
    return lambdas[i], max(on_test) - on_test[i]

# %% wrong="3.7.8a" why="λ times the mean of the squares" breaks="penalty" says="no mean is taken"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd * (w ** 2).mean()

# %% wrong="3.7.8a" why="λ is 4" breaks="penalty" says="value for λ = 4"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + (2 * (w @ w) if lambd else 0)

# %% wrong="3.7.8a" why="a new tensor of the value" breaks="gradient" says="does not know where it came from"
def penalised_loss(w, b, X, y, lambd):
    value = ((X @ w + b - y) ** 2).mean() / 2 + lambd / 2 * (w @ w)
    return torch.tensor(value.item(), requires_grad=True)

# %% wrong="3.7.8b" why="lr and λ exchanged" breaks="learning rate" says="lr for its learning rate"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight_decay": lr}, {"params": [b]}], lr=lambd)

# %% wrong="3.7.8b" why="the optimizer of d2l" breaks="learning rate" says="not one of d2l"
def make_optimizer(w, b, lr, lambd):
    from d2l_utils.linear import SGD
    return SGD([w, b], lr)

# %% wrong="3.7.8b" why="λ as the momentum" breaks="same weights" says="not the momentum"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([w, b], lr=lr, momentum=lambd)

# %% wrong="3.7.C" why="the numbers of the check" breaks="learning rate" says="use the arguments"
def matching_settings(lambd, lr):
    return 6.0, 0.005

# %% wrong="3.7.3a" why="small weights taken for 0" breaks="constant pull" says="small, but not 0"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * torch.where(w.abs() < 1e-2, 0.0, torch.sign(w)))

# %% wrong="3.7.3a" why="lr twice in the pull" breaks="constant pull" says="One factor lr"
def l1_step(w, gradient, lr, lambd):
    return w - lr * gradient - lr * lr * lambd * torch.sign(w)

# %% wrong="3.7.3a" why="the sign of the sum" breaks="constant pull" says="one for all"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * torch.sign(w.sum()))

# %% wrong="3.7.D" why="0/0 where t and u are 0" breaks="shrunk" says="With t = 0"
def soft_threshold(u, t):
    return u * (1 - t / u.abs()).clamp(min=0)

# %% wrong="3.7.3b" why="at most 100 steps" breaks="each step" says="after 260 steps"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for k in range(min(steps, 100)):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.3b" why="thresholds the gradient" breaks="minimum" says="not the gradient"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for k in range(steps):
        w = w - lr * torch.nn.functional.softshrink(X.T @ (X @ w - y) / len(X), lambd)
    return w

# %% wrong="3.7.6a" why="n + 1" breaks="examples" says="n + 1"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / (tau ** 2 * (n + 1))

# %% wrong="3.7.6b" why="n - 1" breaks="scale" says="not n - 1"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / ((n - 1) * lambd)
    return s, math.sqrt(2) * s

# %% wrong="3.7.6b" why="the standard deviation of the noise" breaks="spread" says="deviation of the noise"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s, sigma

# %% wrong="3.7.5" why="twice as many steps" breaks="share" says="twice as many steps"
def share_after(s, lr, steps):
    return 1 - (1 - lr * s) ** (2 * steps)

# %% right="3.7.D" how="in place, on the argument"
def soft_threshold(u, t):
    u[u.abs() <= t] = 0
    u[u > t] -= t
    u[u < -t] += t
    return u

# %% right="3.7.3b" how="stops where nothing changes any more"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for k in range(steps):
        u = w - lr * (X @ w - y) @ X / len(y)
        new = torch.where(u.abs() <= lr * lambd, torch.zeros_like(u), u - lr * lambd * torch.sign(u))
        if torch.equal(new, w):
            break
        w = new
    return w

# %% right="3.7.3a" how="the size less lr · λ, with its sign"
def l1_step(w, gradient, lr, lambd):
    return torch.sgn(w) * (w.abs() - lr * lambd) - lr * gradient

# %% right="3.7.8b" how="a hook that adds λw to the gradient of w"
def make_optimizer(w, b, lr, lambd):
    w.register_hook(lambda grad: grad + lambd * w.detach())
    return torch.optim.SGD([w, b], lr=lr)

# %% right="3.7.C" how="tensors"
def matching_settings(lambd, lr):
    return torch.tensor(2.0 * lambd, dtype=torch.float64), torch.tensor(lr / 2, dtype=torch.float64)

# %% wrong="3.7.2" why="leaves out the last λ" breaks="choice" says="the λ chosen from"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in ws[:-1]]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.A" why="the penalty itself in place of its gradient" breaks="weights" says="the penalty itself"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd / 2 * (w ** 2).sum()), b - lr * grad_b

# %% wrong="3.7.4" why="the trace of W, squared" breaks="number" says="trace of W itself"
def norm_by_trace(W):
    return W.T @ W, torch.trace(W[:min(W.shape), :min(W.shape)]) ** 2

# %% right="3.7.A" how="adds to the caller's gradient, which may change"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    grad_w += lambd * w
    grad_w *= lr
    return [w - grad_w, b - lr * grad_b]

# %% right="3.7.A" how="autograd of the penalty"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    p = w.detach().clone().requires_grad_()
    (lambd / 2 * p.dot(p)).backward()
    return w - lr * (grad_w + p.grad), b - lr * grad_b

# %% right="3.7.7" how="SVD, NumPy"
def ridge_with_bias(X, y, lambd):
    A = X.numpy().astype("float64")
    t = y.numpy().astype("float64")
    centre, level = A.mean(axis=0), t.mean()
    U, s, Vt = np.linalg.svd(A - centre, full_matrices=False)
    w = Vt.T @ (s / (s ** 2 + len(A) * lambd) * (U.T @ (t - level)))
    return torch.from_numpy(w).to(X.dtype), float(level - centre @ w)

# %% right="3.7.1" how="one eigendecomposition for all λ"
def metrics(X, y, X_val, y_val, lambdas):
    n = len(X)
    values, V = torch.linalg.eigh(X.T @ X)
    coefficients = V.T @ (X.T @ y)
    lam = torch.tensor(lambdas, dtype=X.dtype)
    W = V @ (coefficients[:, None] / (values[:, None] + n * lam))
    train_error = ((X @ W - y[:, None]) ** 2).mean(dim=0)
    val_error = ((X_val @ W - y_val[:, None]) ** 2).mean(dim=0)
    return torch.stack([train_error, val_error, torch.linalg.vector_norm(W, dim=0)], dim=1)

# %% right="3.7.8a" how="one squared norm of residuals and weights"
def penalised_loss(w, b, X, y, lambd):
    n = len(y)
    residuals = torch.cat([(X @ w + b - y) / n ** 0.5, lambd ** 0.5 * w])
    return residuals.square().sum() * 0.5

# %% right="3.7.8b" how="an optimizer of one's own"
def make_optimizer(w, b, lr, lambd):
    class Decay(torch.optim.Optimizer):
        def __init__(self):
            super().__init__([w, b], {"lr": lr})
        @torch.no_grad()
        def step(self, closure=None):
            w.copy_((1 - lr * lambd) * w - lr * w.grad)
            b.sub_(lr * b.grad)
    return Decay()

# %% right="3.7.8b" how="a hook before the step"
def make_optimizer(w, b, lr, lambd):
    optimizer = torch.optim.SGD([w, b], lr=lr)
    optimizer.register_step_pre_hook(lambda *args: [w.data.mul_(1 - lr * lambd), None][1])
    return optimizer

# %% right="3.7.2" how="one matrix of weights, NumPy's numbers"
def price_of_choice(train, val, test, lambdas):
    W = torch.stack([ridge(*train, lambd) for lambd in lambdas], dim=1)
    v = ((val[0] @ W - val[1][:, None]) ** 2).mean(dim=0).numpy()
    t = ((test[0] @ W - test[1][:, None]) ** 2).mean(dim=0).numpy()
    i = np.argmin(v)
    return np.float64(lambdas[i]), np.float32(t[i] - t.min())

# %% right="3.7.C" how="the ratio of the gradients, by autograd"
def matching_settings(lambd, lr):
    y_hat = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    half, = torch.autograd.grad((y_hat ** 2 / 2).mean(), y_hat)
    whole, = torch.autograd.grad((y_hat ** 2).mean(), y_hat)
    ratio = (whole / half).item()
    return [lambd * ratio, lr / ratio]

# %% right="3.7.6a" how="exact fractions"
def lambda_of_normal_prior(sigma, tau, n):
    from fractions import Fraction
    before_sum = 1 / (2 * Fraction(sigma) ** 2)
    factor = Fraction(1, 2 * n) / before_sum
    return float(2 * factor / (2 * Fraction(tau) ** 2))

# %% right="3.7.3b" how="torch's SGD, thresholded in place"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros_like(X[0]).requires_grad_()
    optimizer = torch.optim.SGD([w], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        (torch.nn.functional.mse_loss(X @ w, y) / 2).backward()
        optimizer.step()
        with torch.no_grad():
            w.copy_(torch.relu(w - lr * lambd) - torch.relu(-w - lr * lambd))
    return w.detach()

# %% wrong="3.7.A" why="pulls with λ/2 w²" breaks="weights" says="weight by weight"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    penalty_gradient = lambd / 2 * w ** 2
    return w - lr * (grad_w + penalty_gradient), b - lr * grad_b

# %% wrong="3.7.A" why="negative weights do not decay" breaks="weights" says="negative weight decays"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w.clamp(min=0)), b - lr * grad_b

# %% wrong="3.7.A" why="lr and λ exchanged" breaks="weights" says="changed places"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lambd * (grad_w + lr * w), b - lambd * grad_b

# %% wrong="3.7.B" why="both weights for targets of ones" breaks="share" says="made-up ones may cancel"
def share_left(x, lambd):
    y = torch.ones_like(x)
    return (ridge(x[:, None], y, lambd) / ridge(x[:, None], y, 0.0)).item()

# %% wrong="3.7.B" why="n is that of the visible call" breaks="share" says="no longer 5"
def share_left(x, lambd):
    total = (x * x).sum().item()
    return total / (total + 5 * lambd)

# %% wrong="3.7.B" why="the variance with n - 1" breaks="share" says="divided by n - 1"
def share_left(x, lambd):
    s = x.var() + x.mean() ** 2
    return float(s / (s + lambd))

# %% wrong="3.7.7" why="the covariance of torch.cov" breaks="weights" says="not n - 1"
def ridge_with_bias(X, y, lambd):
    n, d = X.shape
    C = torch.cov(torch.cat([X, y[:, None]], dim=1).T)
    w = torch.linalg.solve(C[:d, :d] + lambd * torch.eye(d, dtype=X.dtype), C[:d, d])
    return w, y.mean() - X.mean(dim=0) @ w

# %% wrong="3.7.7" why="a descent of fixed length" breaks="weights" says="no learning rate"
def ridge_with_bias(X, y, lambd):
    n, d = X.shape
    w, b = torch.zeros(d, dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    for _ in range(1000):
        error = X @ w + b - y
        w, b = w - 0.05 * (X.T @ error / n + lambd * w), b - 0.05 * error.mean()
    return w, b

# %% wrong="3.7.7" why="medians, and the mean residual as the bias" breaks="weights" says="not medians"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X.median(dim=0).values, y - y.median(), lambd)
    return w, (y - X @ w).mean()

# %% wrong="3.7.1" why="the λ add up in XᵀX" breaks="training error" says="The λ add up"
def metrics(X, y, X_val, y_val, lambdas):
    rows, gram, n = [], X.T @ X, len(X)
    for lambd in lambdas:
        gram.diagonal().add_(n * lambd)
        w = torch.linalg.solve(gram, X.T @ y)
        rows.append([squared_error(X @ w, y), squared_error(X_val @ w, y_val), w.norm()])
    return torch.tensor(rows)

# %% wrong="3.7.2" why="fits the validation set for the choice" breaks="choice" says="fit to the training set"
def price_of_choice(train, val, test, lambdas):
    on_val = [squared_error(val[0] @ ridge(*val, lambd), val[1]).item() for lambd in lambdas]
    on_test = [squared_error(test[0] @ ridge(*train, lambd), test[1]).item() for lambd in lambdas]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="fits the test set for the smallest test error" breaks="fit" says="fitted to the test set"
def price_of_choice(train, val, test, lambdas):
    fits = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in fits]
    i = on_val.index(min(on_val))
    ideal = min(squared_error(test[0] @ ridge(*test, lambd), test[1]).item() for lambd in lambdas)
    return lambdas[i], squared_error(test[0] @ fits[i], test[1]).item() - ideal

# %% wrong="3.7.2" why="compares with the other λ alone" breaks="price" says="never negative"
def price_of_choice(train, val, test, lambdas):
    fits = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in fits]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in fits]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test[:i] + on_test[i + 1:])

# %% wrong="3.7.2" why="the test error takes part in the choice" breaks="choice" says="validation and test error"
def price_of_choice(train, val, test, lambdas):
    fits = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in fits]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in fits]
    both = [a + b for a, b in zip(on_val, on_test)]
    i = both.index(min(both))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.4" why="centres the columns" breaks="matrix" says="no mean is subtracted"
def norm_by_trace(W):
    G = torch.cov(W.T, correction=0) * len(W)
    return G, torch.trace(G)

# %% wrong="3.7.4" why="as many diagonal entries as rows" breaks="number" says="the last is missing"
def norm_by_trace(W):
    G = W.T @ W
    return G, sum(G[i, i] for i in range(len(W)) if i < len(G))

# %% wrong="3.7.4" why="the norm of WᵀW" breaks="number" says="Frobenius norm of WᵀW"
def norm_by_trace(W):
    G = W.T @ W
    return G, torch.linalg.matrix_norm(G)

# %% wrong="3.7.8a" why="a root, squared again" breaks="gradient" says="needs no root"
def penalised_loss(w, b, X, y, lambd):
    norm = (w ** 2).sum().sqrt()
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd / 2 * norm ** 2

# %% wrong="3.7.8a" why="b outside of the mean" breaks="shape" says="with an axis"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2 / 2 + lambd * (w ** 2).sum() / 2).sum() / len(y) + 0 * b

# %% wrong="3.7.8a" why="divides by the number of weights" breaks="fit" says="not by that of the weights"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).sum() / (2 * X.shape[1]) + lambd / 2 * w @ w

# %% wrong="3.7.8b" why="takes a single weight for the bias" breaks="same weights" says="whatever its size"
def make_optimizer(w, b, lr, lambd):
    groups = [{"params": [p], "weight_decay": lambd if p.numel() > 1 else 0.0} for p in (w, b)]
    return torch.optim.SGD(groups, lr=lr)

# %% wrong="3.7.8b" why="shrinks the new weights" breaks="same weights" says="new ones are shrunk"
def make_optimizer(w, b, lr, lambd):
    class Decaying(torch.optim.SGD):
        def step(self, closure=None):
            super().step(closure)
            with torch.no_grad():
                w.mul_(1 - lr * lambd)
    return Decaying([w, b], lr=lr)

# %% wrong="3.7.8b" why="decays once, at the start" breaks="same weights" says="decayed once"
def make_optimizer(w, b, lr, lambd):
    with torch.no_grad():
        w.mul_(1 - lr * lambd)
    return torch.optim.SGD([w, b], lr=lr)

# %% wrong="3.7.8b" why="the pull of ℓ1" breaks="same weights" says="same strength"
def make_optimizer(w, b, lr, lambd):
    w.register_hook(lambda g: g + lambd * w.detach().sign())
    return torch.optim.SGD([w, b], lr=lr)

# %% wrong="3.7.8b" why="lr and λ exchanged for w" breaks="learning rate" says="weights have not moved"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "lr": lambd, "weight_decay": lr}, {"params": [b]}], lr=lr)

# %% wrong="3.7.C" why="whole numbers" breaks="learning rate" says="leaves whole numbers"
def matching_settings(lambd, lr):
    lr_concise = lr // 2
    return 2 * lambd, lr_concise

# %% wrong="3.7.C" why="the product of the first call" breaks="decay" says="now it is 0.1"
def matching_settings(lambd, lr):
    lr_concise = lr / 2
    return 0.03 / lr_concise, lr_concise

# %% wrong="3.7.3a" why="a loop over numbers" breaks="shape" says="matrix of weights"
def l1_step(w, gradient, lr, lambd):
    out = []
    for weight, g in zip(w.tolist(), gradient.tolist()):
        sign = (weight > 0) - (weight < 0)
        out.append(weight - lr * (g + lambd * sign))
    return torch.tensor(out)

# %% wrong="3.7.3a" why="flattens" breaks="shape" says="how many axes"
def l1_step(w, gradient, lr, lambd):
    return torch.cat([(x - lr * (g + lambd * x.sign())).reshape(1) for x, g in zip(w.flatten(), gradient.flatten())])

# %% wrong="3.7.D" why="shrinks the norm of all" breaks="shrunk" says="norm of all does not count"
def soft_threshold(u, t):
    size = u.norm()
    return u * max(1 - t / size.item(), 0)

# %% wrong="3.7.3b" why="thresholds before the step" breaks="each step" says="stands before the step"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = torch.sign(w) * (w.abs() - lr * lambd).clamp(min=0)
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="3.7.3b" why="the sign of the old weights" breaks="each step" says="old weights are pulled"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * (X.T @ (X @ w - y) / len(X) + lambd * torch.sign(w))
    return w

# %% wrong="3.7.3b" why="ridge's decay" breaks="each step" says="decay by a share"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        w = (1 - lr * lambd) * w - lr * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="3.7.6a" why="divides with //" breaks="noise and prior" says="cuts off"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 // (n * tau ** 2)

# %% wrong="3.7.6b" why="the spread of 1 / λ" breaks="spread" says="√2 / λ"
def prior_of_l1(lambd, sigma, n):
    return sigma ** 2 / (n * lambd), math.sqrt(2) / lambd

# %% wrong="3.7.5" why="a logarithm that is not finite" breaks="no step" says="not a finite number"
def share_after(s, lr, steps):
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(-np.expm1(steps * np.log1p(-np.float64(lr * s))))

# %% wrong="3.7.2" why="goes down into the first valley" breaks="choice" says="second, deeper one"
def price_of_choice(train, val, test, lambdas):
    order = sorted(lambdas)
    v = lambda l: squared_error(val[0] @ ridge(*train, l), val[1]).item()
    i = 0
    while i + 1 < len(order) and v(order[i + 1]) < v(order[i]):
        i += 1
    t = [squared_error(test[0] @ ridge(*train, l), test[1]).item() for l in lambdas]
    return order[i], t[lambdas.index(order[i])] - min(t)

# %% wrong="3.7.7" why="centres by the first example" breaks="weights" says="not the first example"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X[0], y - y[0], lambd)
    return w, (y - X @ w).mean()

# %% wrong="3.7.3b" why="the threshold divided by n" breaks="each step" says="no mean over the examples"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd / len(X)).clamp(min=0)
    return w

# %% wrong="3.7.B" why="squares of the differences from the median" breaks="share" says="no median either"
def share_left(x, lambd):
    s = (x - x.median()).square().mean()
    return (s / (s + lambd)).item()

# %% wrong="3.7.2" why="leaves out λ = 0" breaks="choice" says="no penalty may be the best"
def price_of_choice(train, val, test, lambdas):
    lambdas = [lambd for lambd in lambdas if lambd > 0]
    ws = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="the largest λ within 5 % of the smallest validation error" breaks="choice" says="has a smaller one"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    good = [i for i in range(len(lambdas)) if on_val[i] <= 1.05 * min(on_val)]
    i = max(good, key=lambda i: lambdas[i])
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="centres by the means of the training set" breaks="choice" says="training set is centred"
def price_of_choice(train, val, test, lambdas):
    mean, level_ = train[0].mean(dim=0), train[1].mean()
    ws = [ridge(train[0] - mean, train[1] - level_, lambd) for lambd in lambdas]
    on_val = [squared_error((val[0] - mean) @ w + level_, val[1]).item() for w in ws]
    on_test = [squared_error((test[0] - mean) @ w + level_, test[1]).item() for w in ws]
    i = on_val.index(min(on_val))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="the difference of two validation errors as the price" breaks="price" says="errors on the validation set"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i, j = on_val.index(min(on_val)), on_test.index(min(on_test))
    return lambdas[i], on_val[j] - on_val[i]

# %% wrong="3.7.2" why="norms of the residuals" breaks="price" says="norms of the residuals"
def price_of_choice(train, val, test, lambdas):
    ws = [ridge(*train, lambd) for lambd in lambdas]
    on_val = [(val[0] @ w - val[1]).norm() for w in ws]
    on_test = [(test[0] @ w - test[1]).norm() for w in ws]
    i = int(torch.stack(on_val).argmin())
    return lambdas[i], (on_test[i] - min(on_test)).item()

# %% wrong="3.7.B" why="divides x by its largest entry" breaks="share" says="divided by the largest"
def share_left(x, lambd):
    x = x / x.abs().max()
    s = (x ** 2).mean()
    return (s / (s + lambd)).item()

# %% wrong="3.7.B" why="the largest square beside n λ" breaks="share" says="not the largest"
def share_left(x, lambd):
    s = x.square().max()
    return s / (s + len(x) * lambd)

# %% wrong="3.7.1" why="fits both tables together" breaks="training error" says="both tables together"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(torch.cat([X, X_val]), torch.cat([y, y_val]), lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="the gap in column 1" breaks="validation error" says="This is the gap"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        train = squared_error(X @ w, y).item()
        rows.append([train, squared_error(X_val @ w, y_val).item() - train, w.norm().item()])
    return torch.tensor(rows)

# %% wrong="3.7.4" why="the squares of the diagonal" breaks="number" says="squares of 1, 5 and 9"
def norm_by_trace(W):
    G = W.T @ W
    return G, torch.trace(G * G)

# %% wrong="3.7.4" why="divides the columns by their lengths" breaks="matrix" says="cosine"
def norm_by_trace(W):
    V = W / W.norm(dim=0)
    G = V.T @ V
    return G, (W ** 2).sum()

# %% wrong="3.7.A" why="λ in the step of the bias" breaks="bias" says="no place in the step of b"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return (1 - lr * lambd) * w - lr * grad_w, b - lr * lambd * grad_b

# %% wrong="3.7.8a" why="a loss that grows linearly" breaks="fit" says="large errors, too"
def penalised_loss(w, b, X, y, lambd):
    return torch.nn.functional.smooth_l1_loss(X @ w + b, y) + lambd / 2 * (w ** 2).sum()

# %% wrong="3.7.3a" why="tanh for the sign" breaks="constant pull" says="three weights move by"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient + lambd * torch.tanh(w))

# %% wrong="3.7.D" why="leaves out what becomes 0" breaks="shape and dtype" says="stay in their places"
def soft_threshold(u, t):
    kept = u[u.abs() > t]
    return torch.sign(kept) * (kept.abs() - t)

# %% wrong="3.7.3b" why="stops where a step changes little" breaks="minimum" says="after 6 steps"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        new = torch.nn.functional.softshrink(w - lr * X.T @ (X @ w - y) / len(X), lr * lambd)
        if (new - w).norm() < 0.05:
            return new
        w = new
    return w

# %% wrong="3.7.3b" why="a learning rate that falls" breaks="each step" says="step 2 is the first"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for step in range(steps):
        rate = lr / (1 + 0.01 * step)
        w = torch.nn.functional.softshrink(w - rate * X.T @ (X @ w - y) / len(X), rate * lambd)
    return w

# %% wrong="3.7.5" why="the way of the last step" breaks="share" says="last step alone"
def share_after(s, lr, steps):
    w = 0.0
    for _ in range(steps):
        move = lr * s * (1 - w)
        w = w + move
    return move if steps else 0.0

# %% wrong="3.7.5" why="w for w* = 2" breaks="share" says="where w* = 2"
def share_after(s, lr, steps):
    w = 0.0
    for _ in range(steps):
        w = w - lr * s * (w - 2)
    return w

# %% wrong="3.7.6a" why="divides by 4" breaks="noise and prior" says="quarter of λ"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / (4 * n * tau ** 2)

# %% wrong="3.7.7" why="takes turns between b and w ten times" breaks="weights" says="stop too early"
def ridge_with_bias(X, y, lambd):
    b = y.mean()
    for _ in range(10):
        w = ridge(X, y - b, lambd)
        b = (y - X @ w).mean()
    return w, b

# %% right="3.7.8a" how="the penalty inside of the mean"
def penalised_loss(w, b, X, y, lambd):
    return (((X @ w + b - y) ** 2 + lambd * w @ w) / 2).mean()

# %% right="3.7.5" how="a geometric sum"
def share_after(s, lr, steps):
    return lr * s * sum((1 - lr * s) ** k for k in range(steps))

# %% right="3.7.4" how="outer products of the rows, a sum of eigenvalues"
def norm_by_trace(W):
    G = sum(torch.outer(row, row) for row in W)
    return G, torch.linalg.eigvalsh(G).sum()

# %% wrong="3.7.A" why="the gradient scaled to length 1" breaks="weights" says="divided by its norm"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    g = grad_w + lambd * w
    return w - lr * g / g.norm(), b - lr * grad_b

# %% wrong="3.7.B" why="the standard deviation" breaks="share" says="This is the standard deviation"
def share_left(x, lambd):
    return x.std() / (x.std() + lambd)

# %% wrong="3.7.B" why="n added to λ" breaks="no penalty" says="n to their sum"
def share_left(x, lambd):
    s = (x ** 2).sum()
    return s / (s + len(x) + lambd)

# %% wrong="3.7.7" why="least squares divided by 1 + λ" breaks="weights" says="divided by 1 + λ"
def ridge_with_bias(X, y, lambd):
    mx, my = X.mean(dim=0), y.mean()
    w = torch.linalg.pinv(X - mx) @ (y - my) / (1 + lambd)
    return w, my - mx @ w

# %% wrong="3.7.1" why="errors as shares of the variance" breaks="training error" says="share of the variance"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l)
        rows.append([squared_error(X @ w, y) / y.var(), squared_error(X_val @ w, y_val) / y_val.var(), w.norm()])
    return torch.tensor(rows)

# %% wrong="3.7.1" why="a bias for the validation data" breaks="validation error" says="fitted to the validation data"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for l in lambdas:
        w = ridge(X, y, l)
        b = (y_val - X_val @ w).mean()
        rows.append([squared_error(X @ w, y), squared_error(X_val @ w + b, y_val), w.norm()])
    return torch.tensor(rows)

# %% wrong="3.7.2" why="hands over n λ" breaks="choice" says="not n times λ"
def price_of_choice(train, val, test, lambdas):
    X, y = train
    ws = [ridge(X, y, l * len(X)) for l in lambdas]
    v = [squared_error(val[0] @ w, val[1]).item() for w in ws]
    t = [squared_error(test[0] @ w, test[1]).item() for w in ws]
    i = v.index(min(v))
    return lambdas[i], t[i] - min(t)

# %% wrong="3.7.8b" why="averaged SGD with λ for its own decay" breaks="bias free" says="must not see λ"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.ASGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr, lambd=lambd)

# %% wrong="3.7.D" why="t times the largest entry" breaks="shrunk" says="it should be 3, 5 and 4"
def soft_threshold(u, t):
    return torch.sign(u) * (u.abs() - t * u.abs().max()).clamp(min=0)

# %% wrong="3.7.6a" why="the difference of the variances" breaks="noise and prior" says="Nothing is subtracted"
def lambda_of_normal_prior(sigma, tau, n):
    return (sigma ** 2 - tau ** 2) / n

# %% right="3.7.1" how="batched solve"
def metrics(X, y, X_val, y_val, lambdas):
    n, d = X.shape
    l = torch.tensor(lambdas, dtype=X.dtype)
    A = X.T @ X + n * l[:, None, None] * torch.eye(d, dtype=X.dtype)
    W = torch.linalg.solve(A, (X.T @ y)[None, :, None].expand(len(l), d, 1))[..., 0]
    return torch.stack([((W @ X.T - y) ** 2).mean(1), ((W @ X_val.T - y_val) ** 2).mean(1), W.square().sum(1).sqrt()], dim=1)

# %% wrong="3.7.A" why="pulls with λ w / |w|" breaks="weights" says="divided by its norm, as for the penalty"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w / w.norm()), b - lr * grad_b

# %% wrong="3.7.A" why="multiplies the gradient by λ w" breaks="weights" says="not multiplied by it"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * grad_w * (1 + lambd * w), b - lr * grad_b

# %% right="3.7.A" how="torch's SGD with two groups, on copies"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    w, b = torch.nn.Parameter(w.clone()), torch.nn.Parameter(b.clone())
    w.grad, b.grad = grad_w.clone(), grad_b.clone()
    torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr).step()
    return w.data, b.data

# %% wrong="3.7.B" why="rounds to two digits" breaks="share" says="rounded"
def share_left(x, lambd):
    s = x.square().mean().item()
    return round(s / (s + lambd), 2)

# %% wrong="3.7.B" why="1 / (1 + λ s)" breaks="share" says="not multiplied by it"
def share_left(x, lambd):
    return 1 / (1 + lambd * x.square().mean())

# %% wrong="3.7.7" why="subtracts the means of the rows" breaks="weights" says="its own mean was subtracted"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X.mean(dim=1, keepdim=True), y - y.mean(), lambd)
    return w, y.mean() - X.mean(dim=0) @ w

# %% right="3.7.7" how="the dual form, an equation for each example, NumPy"
def ridge_with_bias(X, y, lambd):
    A, t = X.numpy().astype("float64"), y.numpy().astype("float64")
    m, level = A.mean(axis=0), t.mean()
    C = A - m
    w = C.T @ np.linalg.solve(C @ C.T + len(A) * lambd * np.eye(len(A)), t - level)
    return torch.tensor(w, dtype=X.dtype), float(level - m @ w)

# %% wrong="3.7.1" why="J as the training error" breaks="training error" says="This is J"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        J = squared_error(X @ w, y) / 2 + lambd / 2 * w.square().sum()
        rows.append(torch.stack([J, squared_error(X_val @ w, y_val), w.norm()]))
    return torch.stack(rows)

# %% wrong="3.7.1" why="the norm divided by the number of weights" breaks="norm" says="not divided by the number of weights"
def metrics(X, y, X_val, y_val, lambdas):
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append(torch.stack([squared_error(X @ w, y), squared_error(X_val @ w, y_val), w.norm() / len(w)]))
    return torch.stack(rows)

# %% wrong="3.7.2" why="the smallest gap" breaks="choice" says="smallest gap"
def price_of_choice(train, val, test, lambdas):
    fits = [ridge(*train, lambd) for lambd in lambdas]
    on_train, on_val, on_test = ([squared_error(X @ w, y).item() for w in fits] for X, y in (train, val, test))
    i = min(range(len(lambdas)), key=lambda k: abs(on_val[k] - on_train[k]))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.2" why="J on the validation set" breaks="choice" says="smallest J"
def price_of_choice(train, val, test, lambdas):
    fits = [ridge(*train, lambd) for lambd in lambdas]
    J = [(squared_error(val[0] @ w, val[1]) / 2 + lambd / 2 * w.square().sum()).item() for w, lambd in zip(fits, lambdas)]
    on_test = [squared_error(test[0] @ w, test[1]).item() for w in fits]
    i = J.index(min(J))
    return lambdas[i], on_test[i] - min(on_test)

# %% wrong="3.7.4" why="the determinant" breaks="number" says="determinant"
def norm_by_trace(W):
    A = W.T @ W
    return A, torch.linalg.det(A)

# %% wrong="3.7.8a" why="the square of the ℓ1 norm" breaks="penalty" says="sum of their sizes"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd / 2 * torch.norm(w, p=1) ** 2

# %% wrong="3.7.8a" why="the squared norm, squared" breaks="penalty" says="squared once more"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd / 2 * (w ** 2).sum() ** 2

# %% wrong="3.7.8a" why="the fourth powers of the weights" breaks="penalty" says="the weights 2 and 0 are to cost 8"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd / 2 * (w ** 4).sum()

# %% wrong="3.7.8b" why="a key that torch does not know" breaks="same weights" says="in this spelling"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.SGD([{"params": [w], "weight-decay": lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.8b" why="an exponential decay" breaks="same weights" says="a little more"
def make_optimizer(w, b, lr, lambd):
    class Decay(torch.optim.SGD):
        def step(self, closure=None):
            with torch.no_grad():
                w.mul_(math.exp(-lr * lambd))
            return super().step(closure)
    return Decay([w, b], lr=lr)

# %% wrong="3.7.8b" why="ASGD, whose lambd is a decay, with steps that get shorter" breaks="same weights" says="Up to step 1 all is right"
def make_optimizer(w, b, lr, lambd):
    return torch.optim.ASGD([{"params": [w], "lambd": lambd}, {"params": [b], "lambd": 0.}], lr=lr)

# %% wrong="3.7.C" why="λ times the new rate" breaks="decay" says="product of λ and the new rate"
def matching_settings(lambd, lr):
    return lambd * lr / 2, lr / 2

# %% wrong="3.7.3a" why="the sign of the gradient, too" breaks="constant pull" says="not lr times its sign"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (gradient.sign() + lambd * w.sign())

# %% wrong="3.7.3a" why="twice the gradient where the pull is right" breaks="constant pull" says="the step down the loss is wrong"
def l1_step(w, gradient, lr, lambd):
    return w - lr * (2 * gradient + lambd * w.sign())

# %% wrong="3.7.D" why="what is left, times u" breaks="shrunk" says="multiplied by u"
def soft_threshold(u, t):
    return u * (u.abs() - t).clamp(min=0)

# %% wrong="3.7.D" why="softshrink with its own t" breaks="shrunk" says="t is not used"
def soft_threshold(u, t):
    return torch.nn.functional.softshrink(u)

# %% wrong="3.7.D" why="numbers from a list" breaks="shape and dtype" says="a row and no number"
def soft_threshold(u, t):
    return torch.tensor([math.copysign(max(abs(v) - t, 0.), v) for v in u.tolist()], dtype=u.dtype)

# %% wrong="3.7.3b" why="a learning rate that falls" breaks="each step" says="A step with lr"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for k in range(1, steps + 1):
        w = w - lr / k ** 0.5 * X.T @ (X @ w - y) / len(X)
        w = torch.sign(w) * (w.abs() - lr / k ** 0.5 * lambd).clamp(min=0)
    return w

# %% wrong="3.7.6a" why="the constant of the density" breaks="noise and prior" says="its logarithm is added"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / (n * tau ** 2 * math.sqrt(2 * math.pi))

# %% wrong="3.7.6b" why="upside down, with σ" breaks="scale" says="upside down"
def prior_of_l1(lambd, sigma, n):
    s = n * lambd / sigma
    return s, math.sqrt(2) * sigma ** 2 / (n * lambd)

# %% wrong="3.7.5" why="the powers of lr · s, added" breaks="share" says="of what is left, not"
def share_after(s, lr, steps):
    return sum((lr * s) ** k for k in range(1, steps + 1))

# %% wrong="3.7.5" why="the shares of all steps" breaks="share" says="the share after the last step"
def share_after(s, lr, steps):
    w, shares = 0., []
    for _ in range(steps):
        w -= lr * s * (w - 1)
        shares.append(w)
    return shares

# %% wrong="3.7.A" why="the mean of the weights pulls" breaks="weights" says="times the mean of all"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w.mean()), b - lr * grad_b

# %% wrong="3.7.A" why="λ as a number" breaks="weights" says="added to the gradient as a number"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd), b - lr * grad_b

# %% wrong="3.7.7" why="b first" breaks="shapes" says="w stands first"
def ridge_with_bias(X, y, lambd):
    m = X.mean(dim=0)
    w = ridge(X - m, y - y.mean(), lambd)
    return y.mean() - m @ w, w

# %% wrong="3.7.8a" why="the size of the bias in the penalty" breaks="penalty" says="b = 3 meets y = 3"
def penalised_loss(w, b, X, y, lambd):
    return squared_error(X @ w + b, y) / 2 + lambd / 2 * (w.square().sum() + b.abs().sum())

# %% wrong="3.7.3b" why="decay and threshold in one" breaks="minimum" says="the first that goes wrong"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = (1 - lr * lambd) * w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.7" why="gradient descent that is too short" breaks="bias free" says="it has not arrived yet"
def ridge_with_bias(X, y, lambd):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    for _ in range(200):
        e = X @ w + b - y
        w, b = w - 0.01 * (X.T @ e / len(X) + lambd * w), b - 0.01 * e.mean()
    return w, b

# %% wrong="3.7.7" why="a column of 1000s, whose penalty is small" breaks="bias free" says="and not 0"
def ridge_with_bias(X, y, lambd):
    A = torch.cat([X, torch.full((len(X), 1), 1000., dtype=X.dtype)], dim=1)
    w = ridge(A, y, lambd)
    return w[:-1], 1000 * w[-1]

# %% wrong="3.7.7" why="one mean over the whole of X" breaks="weights" says="subtracted from the whole of X"
def ridge_with_bias(X, y, lambd):
    w = ridge(X - X.mean(), y - y.mean(), lambd)
    return w, y.mean() - X.mean(dim=0) @ w

# %% wrong="3.7.3b" why="the penalty in the gradient and in the threshold" breaks="minimum" says="twice in a step"
def train_l1(X, y, lambd, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * (X.T @ (X @ w - y) / len(X) + lambd * torch.sign(w))
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w

# %% wrong="3.7.A" why="pulls by the whole penalty with each weight's sign" breaks="weights" says="lr times the whole penalty"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    penalty = lambd / 2 * (w ** 2).sum()
    return w - lr * (grad_w + penalty * torch.sign(w)), b - lr * grad_b

# %% wrong="3.7.A" why="the step of b divided by the number of weights" breaks="bias" says="not divided by the number of weights"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    return w - lr * (grad_w + lambd * w), b - lr * grad_b / len(w)

# %% wrong="3.7.3b" why="the threshold grows with the number of the step, from 0" breaks="each step" says="The second step has a pull and the first has none"
def train_l1(X, y, lambd, lr, steps):
    n, d = X.shape
    w = torch.zeros(d, dtype=X.dtype)
    for step in range(steps):
        w = w - lr * X.T @ (X @ w - y) / n
        w = torch.sign(w) * (w.abs() - lr * lambd * step).clamp(min=0)
    return w

# %% wrong="3.7.6b" why="divides the spread by the root of n" breaks="spread" says="divided by √n"
def prior_of_l1(lambd, sigma, n):
    s = sigma ** 2 / (n * lambd)
    return s, math.sqrt(2) * s / math.sqrt(n)

# %% wrong="3.7.5" why="the learning rate falls" breaks="share" says="here it becomes lr / k in step k"
def share_after(s, lr, steps):
    w = 0.
    for k in range(1, steps + 1):
        w += lr / k * s * (1 - w)
    return w

# %% wrong="3.7.7" why="d times λ in place of n times λ" breaks="weights" says="here it is d"
def ridge_with_bias(X, y, lambd):
    d = X.shape[1]
    Xc, yc = X - X.mean(dim=0), y - y.mean()
    w = torch.linalg.solve(Xc.T @ Xc + d * lambd * torch.eye(d, dtype=X.dtype), Xc.T @ yc)
    return w, y.mean() - X.mean(dim=0) @ w

# %% wrong="3.7.7" why="the bias with the wrong sign" breaks="bias free" says="not the other way round"
def ridge_with_bias(X, y, lambd):
    mx, my = X.mean(dim=0), y.mean()
    w = ridge(X - mx, y - my, lambd)
    return w, mx @ w - my

# %% wrong="3.7.4" why="divided by the number of rows" breaks="number" says="divided by the number of rows"
def norm_by_trace(W):
    G = W.T @ W
    return G, torch.trace(G) / W.shape[0]

# %% wrong="3.7.8a" why="a quarter of λ" breaks="penalty" says="this is half of that"
def penalised_loss(w, b, X, y, lambd):
    return ((X @ w + b - y) ** 2).mean() / 2 + lambd / 4 * (w ** 2).sum()

# %% wrong="3.7.8b" why="a copy of w" breaks="learning rate" says="is to have `w` itself"
def make_optimizer(w, b, lr, lambd):
    w2 = w.detach().clone().requires_grad_()
    return torch.optim.SGD([{"params": [w2], "weight_decay": lambd}, {"params": [b]}], lr=lr)

# %% wrong="3.7.D" why="t squared" breaks="shrunk" says="not by t²"
def soft_threshold(u, t):
    return torch.sign(u) * (u.abs() - t ** 2).clamp(min=0)

# %% wrong="3.7.D" why="float64 for all" breaks="shape and dtype" says="the dtype for float32"
def soft_threshold(u, t):
    u = u.double()
    return torch.sign(u) * (u.abs() - t).clamp(min=0)

# %% wrong="3.7.6a" why="n + 1 in place of n" breaks="noise and prior" says="not n + 1"
def lambda_of_normal_prior(sigma, tau, n):
    return sigma ** 2 / ((n + 1) * tau ** 2)
