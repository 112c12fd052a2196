# Variants of the answers of solutions/ch03_linear_regression/3_6_generalisation.py.

# %% right="3.6.A" how="torch's loss, as a list"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return [torch.nn.functional.mse_loss(w * x + b, y) for x, y in ((x_known, y_known), (x_new, y_new))]

# %% right="3.6.A" how="Python floats"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    def error(x, y):
        return sum((w * u + b - v) ** 2 for u, v in zip(x.tolist(), y.tolist())) / len(x)
    return error(x_known, y_known), error(x_new, y_new)

# %% right="3.6.A" how="a tensor of two numbers"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return torch.stack([squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new)])

# %% wrong="3.6.A" why="exchanges the two" breaks="training error first" says="training error stands first"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * x_new + b, y_new), squared_error(w * x_known + b, y_known)

# %% wrong="3.6.A" why="only the new examples" breaks="training error first" says="two_errors returns"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return float(squared_error(w * x_new + b, y_new))

# %% wrong="3.6.A" why="sums" breaks="mean of squares" says="sum of the squares"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return ((w * x_known + b - y_known) ** 2).sum(), ((w * x_new + b - y_new) ** 2).sum()

# %% wrong="3.6.A" why="half of the squares" breaks="mean of squares" says="no factor 1/2"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * x_known + b, y_known) / 2, squared_error(w * x_new + b, y_new) / 2

# %% wrong="3.6.A" why="roots" breaks="mean of squares" says="root of the mean"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * x_known + b, y_known).sqrt(), squared_error(w * x_new + b, y_new).sqrt()

# %% wrong="3.6.A" why="the new error over all examples" breaks="mean of squares" says="known ones do not belong"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    x, y = torch.cat([x_known, x_new]), torch.cat([y_known, y_new])
    return squared_error(w * x_known + b, y_known), squared_error(w * x + b, y)

# %% right="3.6.A" how="a NumPy array"
import numpy as np

def two_errors(w, b, x_known, y_known, x_new, y_new):
    pairs = (x_known, y_known), (x_new, y_new)
    return np.array([((w * x + b - y).numpy() ** 2).mean() for x, y in pairs])

# %% wrong="3.6.A" why="forgets b" breaks="mean of squares" says="Where is b"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * x_known, y_known), squared_error(w * x_new, y_new)

# %% right="3.6.B" how="the cases in another order"
def diagnosis(train_error, new_error, floor):
    if max(train_error, new_error) <= 2 * floor:
        return "fits"
    if train_error <= 2 * floor:
        return "overfits"
    return "underfits"

# %% right="3.6.B" how="ratios"
def diagnosis(train_error, new_error, floor):
    stiff, wild = train_error / floor > 2, new_error / floor > 2
    return "underfits" if stiff else "overfits" if wild else "fits"

# %% wrong="3.6.B" why="asks for the new error first" breaks="underfits" says="training error 50, new examples 900"
def diagnosis(train_error, new_error, floor):
    if new_error > 2 * train_error and new_error > 2 * floor:
        return "overfits"
    return "underfits" if train_error > 2 * floor else "overfits" if new_error > 2 * floor else "fits"

# %% wrong="3.6.B" why="compares the two errors only" breaks="overfits" says="training error 3, new examples 90"
def diagnosis(train_error, new_error, floor):
    return "underfits" if train_error > 2 * floor else "fits"

# %% wrong="3.6.B" why="exactly twice counts as large" breaks="fits" says="*more* than twice"
def diagnosis(train_error, new_error, floor):
    if train_error >= 2 * floor:
        return "underfits"
    return "overfits" if new_error >= 2 * floor else "fits"

# %% wrong="3.6.B" why="the names exchanged" breaks="underfits" says="that decides"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "overfits"
    return "underfits" if new_error > 2 * floor else "fits"

# %% wrong="3.6.B" why="large means above the floor" breaks="fits" says="here more than 20"
def diagnosis(train_error, new_error, floor):
    if train_error > floor:
        return "underfits"
    return "overfits" if new_error > floor else "fits"

# %% wrong="3.6.B" why="asks that both errors are large" breaks="underfits" says="training error 50, new examples 12"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor and new_error > 2 * floor:
        return "underfits"
    return "overfits" if new_error > 2 * floor else "fits"

# %% wrong="3.6.B" why="compares the two errors with each other" breaks="overfits" says="training error 18, new examples 22"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "underfits"
    return "overfits" if new_error > 2 * train_error else "fits"

# %% right="3.6.1a" how="solves the square system"
def through_all_points(x, y):
    return torch.linalg.solve(powers(x, len(x) - 1), y)

# %% right="3.6.1a" how="NumPy's Vandermonde matrix"
import numpy as np

def through_all_points(x, y):
    return torch.from_numpy(np.linalg.solve(np.vander(x.numpy(), increasing=True), y.numpy()))

# %% right="3.6.1a" how="Lagrange's basis, multiplied out"
def through_all_points(x, y):
    total = torch.zeros(len(x), dtype=x.dtype)
    for i in range(len(x)):
        basis = torch.ones(1, dtype=x.dtype)
        for j in range(len(x)):
            if j != i:
                nothing = torch.zeros(1, dtype=x.dtype)
                basis = (torch.cat([nothing, basis]) - x[j] * torch.cat([basis, nothing])) / (x[i] - x[j])
        total = total + y[i] * basis
    return total

# %% wrong="3.6.1a" why="degree n" breaks="as many coefficients as points" says="the shape for three points"
def through_all_points(x, y):
    return fit(x, y, len(x))

# %% wrong="3.6.1a" why="degree n - 2" breaks="as many coefficients as points" says="the shape for three points"
def through_all_points(x, y):
    return fit(x, y, max(len(x) - 2, 0))

# %% wrong="3.6.1a" why="a line through a single point" breaks="as many coefficients as points" says="single point"
def through_all_points(x, y):
    return fit(x, y, max(len(x) - 1, 1))

# %% wrong="3.6.1a" why="highest power first, as numpy.polyfit has it" breaks="lowest power first" says="highest power stands first"
def through_all_points(x, y):
    return fit(x, y, len(x) - 1).flip(0)

# %% wrong="3.6.1a" why="gradient descent, stopped early" breaks="exact" says="values differ"
def through_all_points(x, y):
    F, c = powers(x, len(x) - 1), torch.zeros(len(x), dtype=x.dtype)
    for _ in range(5):
        c = c - 0.3 * F.T @ (F @ c - y) / len(x)
    return torch.cat([y[x == 0.], c[1:]]) if (x == 0.).any() else c

# %% wrong="3.6.1a" why="a lower degree, filled up with 0" breaks="exact" says="values differ"
def through_all_points(x, y):
    if len(x) == 1:
        return y
    lower = fit(x, y, len(x) - 2)
    return torch.cat([y[x == 0.] if (x == 0.).any() else lower[:1], lower[1:], torch.zeros(1, dtype=x.dtype)])

# %% right="3.6.1b" how="fits the polynomial and measures it"
def best_possible(x, y):
    different, position = x.double().unique(return_inverse=True)
    means = torch.zeros(len(different), dtype=torch.float64).index_add(0, position, y.double())
    means = means / position.bincount()
    return [len(different) - 1, (means[position] - y.double()).square().mean()]

# %% right="3.6.1b" how="pandas groups"
def best_possible(x, y):
    table = pd.DataFrame({"x": x.tolist(), "y": y.tolist()})
    rest = table["y"] - table.groupby("x")["y"].transform("mean")
    return table["x"].nunique() - 1, (rest ** 2).mean()

# %% wrong="3.6.1b" why="degree n - 1" breaks="degree" says="Equal places count once"
def best_possible(x, y):
    places = x.unique()
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in places)
    return len(x) - 1, total_error / len(x)

# %% wrong="3.6.1b" why="number of different places" breaks="degree" says="d + 1 coefficients"
def best_possible(x, y):
    places = x.unique()
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in places)
    return len(places), total_error / len(x)

# %% wrong="3.6.1b" why="says that the error is always 0" breaks="error" says="cannot both be met"
def best_possible(x, y):
    return len(x.unique()) - 1, 0.

# %% wrong="3.6.1b" why="the sum" breaks="error" says="the sum of the squares"
def best_possible(x, y):
    places = x.unique()
    return len(places) - 1, sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in places)

# %% wrong="3.6.1b" why="the mean of the variances" breaks="error" says="mean over the places"
def best_possible(x, y):
    places = x.unique()
    return len(places) - 1, sum(((y[x == place] - y[x == place].mean()) ** 2).mean() for place in places) / len(places)

# %% wrong="3.6.1b" why="the variance of y" breaks="error" says="variance of y"
def best_possible(x, y):
    return len(x.unique()) - 1, ((y - y.mean()) ** 2).mean()

# %% wrong="3.6.1b" why="the first target of each place" breaks="error" says="not the first of them"
def best_possible(x, y):
    places = x.unique()
    total_error = sum(((y[x == place] - y[x == place][0]) ** 2).sum() for place in places)
    return len(places) - 1, total_error / len(x)

# %% wrong="3.6.1b" why="counts the repeated places" breaks="degree" says="not that of the repeated ones"
def best_possible(x, y):
    places = x.unique()
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in places)
    return len(x) - len(places), total_error / len(x)

# %% right="3.6.3" how="by the second moment"
def least_error(p, values):
    seen = p.sum(dim=1) > 0
    p = p[seen]
    return (p @ values ** 2).sum() - ((p @ values) ** 2 / p.sum(dim=1)).sum()

# %% right="3.6.3" how="numbers, pair by pair"
def least_error(p, values):
    result = 0.
    for row in p.tolist():
        if sum(row) == 0:
            continue
        mean = sum(q * v for q, v in zip(row, values.tolist())) / sum(row)
        result += sum(q * (v - mean) ** 2 for q, v in zip(row, values.tolist()))
    return result

# %% wrong="3.6.3" why="the variance of y alone" breaks="value" says="without knowing x"
def least_error(p, values):
    q = p.sum(dim=0)
    return q @ (values - q @ values) ** 2

# %% wrong="3.6.3" why="adds the variances" breaks="value" says="Weight each variance"
def least_error(p, values):
    result = 0.
    for row in p:
        if row.sum() > 0:
            q = row / row.sum()
            result = result + q @ (values - q @ values) ** 2
    return result

# %% wrong="3.6.3" why="the mean of the variances" breaks="value" says="plain mean"
def least_error(p, values):
    result, rows = 0., 0
    for row in p:
        if row.sum() > 0:
            q = row / row.sum()
            result, rows = result + q @ (values - q @ values) ** 2, rows + 1
    return result / rows

# %% wrong="3.6.3" why="rows are not divided by their sum" breaks="value" says="Divide each row"
def least_error(p, values):
    return sum(row @ (values - row @ values) ** 2 for row in p)

# %% wrong="3.6.3" why="an impossible x makes NaN" breaks="impossible x" says="0 / 0 is NaN"
def least_error(p, values):
    given_x = p / p.sum(dim=1, keepdim=True)
    means = given_x @ values
    return (p * (values - means[:, None]) ** 2).sum()

# %% wrong="3.6.3" why="a guard that adds error" breaks="determined" says="each x has a single y"
def least_error(p, values):
    given_x = p / (p.sum(dim=1, keepdim=True) + 1e-2)
    means = given_x @ values
    exact = p / p.sum(dim=1, keepdim=True).clamp(min=1e-12) @ values
    if (p.sum(dim=0) > 0).all():
        return (p * (values - exact[:, None]) ** 2).sum()
    return (p * (values - means[:, None]) ** 2).sum()

# %% right="3.6.7" how="NumPy's polyfit"
import numpy as np

def learning_curve(x, y, x_val, y_val, degree, sizes):
    table = np.zeros((len(sizes), 2))
    for i, n in enumerate(sizes):
        c = np.polyfit(x[:n].numpy(), y[:n].numpy(), degree)
        table[i, 0] = ((np.polyval(c, x[:n].numpy()) - y[:n].numpy()) ** 2).mean()
        table[i, 1] = ((np.polyval(c, x_val.numpy()) - y_val.numpy()) ** 2).mean()
    return torch.from_numpy(table)

# %% right="3.6.7" how="two columns, float64"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    fits = [fit(x[:n], y[:n], degree) for n in sizes]
    left = torch.stack([squared_error(predict(c, x[:n]), y[:n]) for c, n in zip(fits, sizes)])
    right = torch.stack([squared_error(predict(c, x_val), y_val) for c in fits])
    return torch.stack([left, right], dim=1)

# %% wrong="3.6.7" why="rows and columns exchanged" breaks="shape" says="wrong shape"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    fits = [fit(x[:n], y[:n], degree) for n in sizes]
    left = [squared_error(predict(c, x[:n]), y[:n]).item() for c, n in zip(fits, sizes)]
    right = [squared_error(predict(c, x_val), y_val).item() for c in fits]
    return torch.tensor([left + right])

# %% wrong="3.6.7" why="training error over all examples" breaks="training errors" says="that the fit used, not to all"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(c, x), y).item(), squared_error(predict(c, x_val), y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="fits all examples each time" breaks="training errors" says="fit again for each"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    c = fit(x, y, degree)
    return torch.tensor([[squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item()]
                         for n in sizes])

# %% wrong="3.6.7" why="the columns exchanged" breaks="training errors" says="which column is which"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(c, x_val), y_val).item(), squared_error(predict(c, x[:n]), y[:n]).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="cuts the validation set too" breaks="validation errors" says="the errors on the targets"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        k = max(1, len(x_val) * n // len(x))
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val[:k]), y_val[:k]).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="the degree is ignored" breaks="validation errors" says="the degree is not used"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], 0)
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="roots" breaks="validation errors" says="the errors on the targets"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).sqrt().item()])
    return torch.tensor(rows)

# %% right="3.6.C" how="torch.split, training first"
def three_sets(order, n_val, n_test):
    return torch.split(order, [len(order) - n_val - n_test, n_val, n_test])

# %% right="3.6.C" how="lists of row numbers, cut from the end"
def three_sets(order, n_val, n_test):
    rows = order.tolist()
    n = len(rows)
    return [rows[:n - n_val - n_test], rows[n - n_val - n_test:n - n_test], rows[n - n_test:]]

# %% wrong="3.6.C" why="cuts from the end with negative numbers" breaks="a set may be empty" says="n_test = 0"
def three_sets(order, n_val, n_test):
    return order[:-(n_val + n_test)], order[-(n_val + n_test):-n_test], order[-n_test:]

# %% wrong="3.6.C" why="numbers of its own instead of those in order" breaks="each row once" says="not their positions"
def three_sets(order, n_val, n_test):
    rows = torch.arange(len(order))
    return rows[n_val + n_test:], rows[:n_val], rows[n_val:n_val + n_test]

# %% wrong="3.6.C" why="test and validation overlap" breaks="each row once" says="all rows of the three sets"
def three_sets(order, n_val, n_test):
    return order[n_val + n_test:], order[:n_val], order[:n_test]

# %% wrong="3.6.C" why="test before validation" breaks="sizes" says="the sizes of training"
def three_sets(order, n_val, n_test):
    return order[n_val + n_test:], order[n_val:n_val + n_test], order[:n_val]

# %% wrong="3.6.C" why="draws with replacement" breaks="each row once" says="all rows of the three sets"
def three_sets(order, n_val, n_test):
    picked = order[torch.randint(0, len(order), (len(order),), generator=torch.Generator().manual_seed(0))]
    return picked[n_val + n_test:], picked[:n_val], picked[n_val:n_val + n_test]

# %% wrong="3.6.C" why="training is everything" breaks="sizes" says="the sizes of training"
def three_sets(order, n_val, n_test):
    return order, order[:n_val], order[n_val:n_val + n_test]

# %% wrong="3.6.C" why="fixed shares" breaks="sizes" says="the sizes of training"
def three_sets(order, n_val, n_test):
    n = len(order)
    return order[:n // 2], order[n // 2:n * 4 // 5], order[n * 4 // 5:]

# %% right="3.6.8" how="a loop, float64 tensors"
def choose_and_report(train, val, test, degrees):
    best = None
    for degree in degrees:
        c = fit(train[0], train[1], degree)
        error = ((predict(c, val[0]) - val[1]) ** 2).mean()
        if best is None or error < best[0]:
            best = error, degree, c
    return best[1], ((predict(best[2], test[0]) - test[1]) ** 2).mean()

# %% right="3.6.8" how="argmin over a list, list returned"
def choose_and_report(train, val, test, degrees):
    errors = torch.stack([squared_error(predict(fit(*train, d), val[0]), val[1]) for d in degrees])
    d = degrees[int(errors.argmin())]
    return [d, float(squared_error(predict(fit(*train, d), test[0]), test[1]))]

# %% wrong="3.6.8" why="chooses on the test set" breaks="choice" says="best on the test set"
def choose_and_report(train, val, test, degrees):
    errors = {d: squared_error(predict(fit(*train, d), test[0]), test[1]).item() for d in degrees}
    best = min(errors, key=errors.get)
    return best, errors[best]

# %% wrong="3.6.8" why="chooses by the training error" breaks="choice" says="most flexible polynomial always wins"
def choose_and_report(train, val, test, degrees):
    best = min(degrees, key=lambda d: squared_error(predict(fit(*train, d), train[0]), train[1]).item())
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="the position of the degree" breaks="choice" says="This is a place in the list"
def choose_and_report(train, val, test, degrees):
    errors = torch.stack([squared_error(predict(fit(*train, d), val[0]), val[1]) for d in degrees])
    best = int(errors.argmin())
    return best, squared_error(predict(fit(*train, degrees[best]), test[0]), test[1]).item()

# %% wrong="3.6.8" why="reports the validation error" breaks="report" says="validation error"
def choose_and_report(train, val, test, degrees):
    errors = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees}
    best = min(errors, key=errors.get)
    return best, errors[best]

# %% wrong="3.6.8" why="reports the training error" breaks="report" says="training error"
def choose_and_report(train, val, test, degrees):
    best = min(degrees, key=lambda d: squared_error(predict(fit(*train, d), val[0]), val[1]).item())
    return best, squared_error(predict(fit(*train, best), train[0]), train[1]).item()

# %% wrong="3.6.8" why="fits again on training and validation" breaks="fit" says="on the training set alone"
def choose_and_report(train, val, test, degrees):
    best = min(degrees, key=lambda d: squared_error(predict(fit(*train, d), val[0]), val[1]).item())
    both = [torch.cat([a, b]) for a, b in zip(train, val)]
    return best, squared_error(predict(fit(*both, best), test[0]), test[1]).item()

# %% right="3.6.D" how="tensor_split"
def fold_sizes(n, k):
    return [len(fold) for fold in torch.tensor_split(torch.arange(n), k)]

# %% right="3.6.D" how="slices with a step, a tuple"
def fold_sizes(n, k):
    return tuple(len(range(i, n, k)) for i in range(k))

# %% wrong="3.6.D" why="leaves out the remainder" breaks="all rows" says="remainder is left out"
def fold_sizes(n, k):
    return [n // k] * k

# %% wrong="3.6.D" why="torch.chunk may give fewer folds" breaks="all rows" says="how many sizes"
def fold_sizes(n, k):
    return [len(fold) for fold in torch.arange(n + 1).chunk(k)]

# %% wrong="3.6.D" why="the remainder goes to the last fold" breaks="even" says="spread it"
def fold_sizes(n, k):
    return [n // k] * (k - 1) + [n // k + n % k]

# %% wrong="3.6.D" why="larger ones last" breaks="even" says="larger folds come first"
def fold_sizes(n, k):
    return sorted(n // k + (i < n % k) for i in range(k))

# %% wrong="3.6.D" why="rounds up, the last takes what is left" breaks="even" says="last gets too few"
def fold_sizes(n, k):
    size = math.ceil(n / k)
    return [min(size, max(0, n - i * size)) for i in range(k)]

# %% right="3.6.9" how="concatenates the other folds"
def k_fold_table(x, y, degrees, k):
    xs, ys = torch.tensor_split(x, k), torch.tensor_split(y, k)
    rows = []
    for degree in degrees:
        row = []
        for j in range(k):
            rest_x = torch.cat([part for i, part in enumerate(xs) if i != j])
            rest_y = torch.cat([part for i, part in enumerate(ys) if i != j])
            row.append(squared_error(predict(fit(rest_x, rest_y, degree), xs[j]), ys[j]))
        rows.append(torch.stack(row))
    return torch.stack(rows)

# %% right="3.6.9" how="a float32 table"
def k_fold_table(x, y, degrees, k):
    folds = torch.tensor_split(torch.arange(len(x)), k)
    table = [[0.] * k for _ in degrees]
    for j in range(k):
        rest = torch.cat([f for i, f in enumerate(folds) if i != j])
        for i, degree in enumerate(degrees):
            c = torch.linalg.lstsq(powers(x[rest], degree), y[rest, None]).solution[:, 0]
            table[i][j] = float((powers(x[folds[j]], degree) @ c - y[folds[j]]).square().mean())
    return torch.tensor(table)

# %% wrong="3.6.9" why="transposed" breaks="shape" says="wrong shape"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(k, len(degrees), dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, degree in enumerate(degrees):
            table[j, i] = squared_error(predict(fit(x[rest], y[rest], degree), x[fold]), y[fold])
    return table

# %% wrong="3.6.9" why="the means only" breaks="shape" says="wrong shape"
def k_fold_table(x, y, degrees, k):
    means = []
    for degree in degrees:
        total = 0.
        for fold in torch.tensor_split(torch.arange(len(x)), k):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            total += squared_error(predict(fit(x[rest], y[rest], degree), x[fold]), y[fold]).item() / k
        means.append(total)
    return torch.tensor(means)

# %% wrong="3.6.9" why="fits on all rows" breaks="held out" says="used all rows"
def k_fold_table(x, y, degrees, k):
    folds = torch.tensor_split(torch.arange(len(x)), k)
    return torch.stack([torch.stack([squared_error(predict(fit(x, y, d), x[f]), y[f]) for f in folds]) for d in degrees])

# %% wrong="3.6.9" why="fits on the fold, measures on the rest" breaks="held out" says="changed places"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, degree in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[fold], y[fold], degree), x[rest]), y[rest])
    return table

# %% wrong="3.6.9" why="fits and measures on the fold" breaks="held out" says="fitted and measured"
def k_fold_table(x, y, degrees, k):
    folds = torch.tensor_split(torch.arange(len(x)), k)
    return torch.stack([torch.stack([squared_error(predict(fit(x[f], y[f], d), x[f]), y[f]) for f in folds]) for d in degrees])

# %% wrong="3.6.9" why="folds of n // k rows, the rest never held out" breaks="errors" says="first folds get one row more"
def k_fold_table(x, y, degrees, k):
    table, size = torch.zeros(len(degrees), k, dtype=x.dtype), len(x) // k
    for j in range(k):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[j * size:(j + 1) * size] = False
        for i, degree in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], degree), x[~rest]), y[~rest])
    return table

# %% wrong="3.6.9" why="sums" breaks="errors" says="sums of the squares"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, degree in enumerate(degrees):
            table[i, j] = (predict(fit(x[rest], y[rest], degree), x[fold]) - y[fold]).square().sum()
    return table

# %% wrong="3.6.9" why="the last fold takes the remainder" breaks="errors" says="not to the last"
def k_fold_table(x, y, degrees, k):
    table, size = torch.zeros(len(degrees), k, dtype=x.dtype), len(x) // k
    for j in range(k):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[j * size:len(x) if j == k - 1 else (j + 1) * size] = False
        for i, degree in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], degree), x[~rest]), y[~rest])
    return table

# %% wrong="3.6.9" why="the degree is ignored" breaks="errors" says="Is the degree used"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        table[:, j] = squared_error(predict(fit(x[rest], y[rest], 0), x[fold]), y[fold])
    return table

# %% wrong="3.6.9" why="every k-th row" breaks="errors" says="not every second row"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j in range(k):
        held_out = torch.arange(len(x)) % k == j
        for i, degree in enumerate(degrees):
            c = fit(x[~held_out], y[~held_out], degree)
            table[i, j] = squared_error(predict(c, x[held_out]), y[held_out])
    return table

# %% right="3.6.4" how="multiplied out, a list"
def k_fold_cost(n, k, c):
    return [k * c, c * n * (k - 1)]

# %% right="3.6.4" how="counts the rounds"
def k_fold_cost(n, k, c):
    trainings = rows = 0
    for _ in range(c):
        for _ in range(k):
            trainings, rows = trainings + 1, rows + n - n // k
    return trainings, rows

# %% wrong="3.6.4" why="one candidate's trainings" breaks="trainings" says="Each candidate is fitted once a fold"
def k_fold_cost(n, k, c):
    return k, c * (k - 1) * n

# %% wrong="3.6.4" why="counts the final fit" breaks="trainings" says="final fit does not count"
def k_fold_cost(n, k, c):
    return c * k + 1, c * (k - 1) * n

# %% wrong="3.6.4" why="each training sees all rows" breaks="rows" says="not on the fold that is held out"
def k_fold_cost(n, k, c):
    return c * k, c * k * n

# %% wrong="3.6.4" why="the rows held out" breaks="rows" says="as are held out in all"
def k_fold_cost(n, k, c):
    return c * k, c * n

# %% wrong="3.6.4" why="one candidate's rows" breaks="rows" says="rows of one candidate"
def k_fold_cost(n, k, c):
    return c * k, (k - 1) * n

# %% right="3.6.5" how="simplified"
def k_fold_bias(n, k, variance):
    return variance / (n * (k - 1))

# %% right="3.6.5" how="the difference of the two errors"
def k_fold_bias(n, k, variance):
    def error(m):
        return variance * (1 + 1 / m)
    return torch.tensor(error((k - 1) * n / k) - error(n))

# %% wrong="3.6.5" why="the other way round" breaks="sign" says="fewer examples are worse"
def k_fold_bias(n, k, variance):
    return variance * (1 / n - 1 / (n - n // k))

# %% wrong="3.6.5" why="fitted on a single fold" breaks="value" says="as if each model were fitted on n/k"
def k_fold_bias(n, k, variance):
    return variance * (k / n - 1 / n)

# %% wrong="3.6.5" why="the variance is left out" breaks="value" says="variance is a factor"
def k_fold_bias(n, k, variance):
    return 1 / (n - n // k) - 1 / n

# %% wrong="3.6.5" why="the estimate itself" breaks="value" says="subtract the error"
def k_fold_bias(n, k, variance):
    return variance * (1 + 1 / (n - n // k))

# %% right="3.6.2" how="a dictionary that deals each new group"
def group_folds(groups, k):
    fold_of = {}
    for g in groups.tolist():
        fold_of.setdefault(g, len(fold_of) % k)
    return torch.tensor([fold_of[g] for g in groups.tolist()])

# %% right="3.6.2" how="pandas.factorize and shuffled groups"
def group_folds(groups, k):
    position = torch.tensor(pd.factorize(groups.numpy())[0])
    order = torch.randperm(int(position.max()) + 1)
    return (order % k)[position]

# %% wrong="3.6.2" why="deals rows" breaks="kept together" says="in different folds"
def group_folds(groups, k):
    return torch.arange(len(groups)) % k

# %% wrong="3.6.2" why="sorts by group, then cuts" breaks="kept together" says="in different folds"
def group_folds(groups, k):
    folds = torch.empty(len(groups), dtype=torch.int64)
    for j, rows in enumerate(torch.tensor_split(groups.argsort(), k)):
        folds[rows] = j
    return folds

# %% wrong="3.6.2" why="the remainder of the group's own number" breaks="no empty fold" says="groups' own numbers"
def group_folds(groups, k):
    return groups % k

# %% wrong="3.6.2" why="one fold for all" breaks="no empty fold" says="k = 3: the folds that got rows"
def group_folds(groups, k):
    return torch.zeros_like(groups)

# %% wrong="3.6.2" why="folds from 1 to k" breaks="a fold for each row" says="numbered from 0"
def group_folds(groups, k):
    return groups.unique(return_inverse=True)[1] % k + 1

# %% wrong="3.6.2" why="a fold for each group" breaks="a fold for each row" says="the shape for 8 rows"
def group_folds(groups, k):
    return torch.arange(len(groups.unique())) % k

# %% wrong="3.6.2" why="numbers the groups and does not take the remainder" breaks="a fold for each row" says="only k folds"
def group_folds(groups, k):
    return groups.unique(return_inverse=True)[1]

# %% wrong="3.6.2" why="deals the groups by chance" breaks="no empty fold" says="deal them out one by one"
def group_folds(groups, k):
    different, position = groups.unique(return_inverse=True)
    return torch.randint(0, k, (len(different),), generator=torch.Generator().manual_seed(1))[position]

# %% right="3.6.6" how="the pseudo-inverse"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.pinv(A) @ labels
    solution = solution / solution.norm() * size * 0.5
    return solution[:-1], solution[-1]

# %% right="3.6.6" how="least squares by SVD, scaled by the sum of the sizes"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0]
    solution = solution / solution.abs().sum() * size
    return solution[:-1], solution[-1].item()

# %% right="3.6.6" how="A transposed times the solution of the Gram system"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones_like(X[:, :1])], dim=1)
    s = A.T @ torch.linalg.solve(A @ A.T, labels)
    s = s * min(1.0, size / s.norm().item() * (1 - 1e-9))
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="meets the labels and forgets the size" breaks="size" says="Scale w and b"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.pinv(A) @ labels
    return solution[:-1], solution[-1]

# %% wrong="3.6.6" why="scales w only" breaks="signs" says="the border moves"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.pinv(A) @ labels
    return solution[:-1] / solution[:-1].norm().clamp(min=1e-12) * size, solution[-1]

# %% wrong="3.6.6" why="no bias" breaks="signs" says="A bias is needed"
def tiny_separator(X, labels, size):
    w = torch.linalg.pinv(X) @ labels
    return w / w.norm().clamp(min=1e-12) * size, 0.

# %% wrong="3.6.6" why="the size bounds w alone" breaks="size" says="The bias counts"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.pinv(A) @ labels
    solution = solution / solution[:-1].norm().clamp(min=1e-3) * size * 0.99
    return solution[:-1], solution[-1]

# %% wrong="3.6.6" why="w with the bias in it" breaks="signs" says="the shape of w"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    solution = torch.linalg.pinv(A) @ labels
    return solution / solution.norm() * size, solution[-1]

# ---- from a fresh reader's round: each was decided wrongly, or got no useful sentence

# %% wrong="3.6.A" why="the larger stands first" breaks="mean of squares" says="even where it is the smaller"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    pair = squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new)
    return max(pair), min(pair)

# %% wrong="3.6.A" why="fits a line of its own" breaks="training error first" says="w and b are given"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    A = torch.stack([x_known, torch.ones_like(x_known)], dim=1)
    w, b = torch.linalg.lstsq(A, y_known[:, None]).solution[:, 0]
    return squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new)

# %% wrong="3.6.A" why="divides by one less" breaks="mean of squares" says="not by one less"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return [((w * x + b - y) ** 2).sum() / max(1, len(x) - 1) for x, y in ((x_known, y_known), (x_new, y_new))]

# %% wrong="3.6.A" why="the second is the difference" breaks="mean of squares" says="not the difference of the two"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    first, second = squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new)
    return first, second - first

# %% wrong="3.6.B" why="a floor of its own" breaks="underfits" says="The floor is an argument"
def diagnosis(train_error, new_error, floor):
    return "underfits" if train_error > 20 else "overfits" if new_error > 20 else "fits"

# %% wrong="3.6.B" why="the new error decides first" breaks="underfits" says="that decides"
def diagnosis(train_error, new_error, floor):
    if new_error > 2 * floor:
        return "overfits"
    return "underfits" if train_error > 2 * floor else "fits"

# %% wrong="3.6.1a" why="sorts x and leaves y" breaks="exact" says="Each y belongs to its x"
def through_all_points(x, y):
    return fit(x.sort().values, y, len(x) - 1)

# %% wrong="3.6.1a" why="normal equations in float32" breaks="exact" says="all the digits of float64"
def through_all_points(x, y):
    F = powers(x.float(), len(x) - 1)
    return torch.linalg.lstsq(F.T @ F, F.T @ y.float()[:, None]).solution[:, 0]

# %% wrong="3.6.1a" why="whole coefficients" breaks="exact" says="the line 0.5 + 5x"
def through_all_points(x, y):
    return fit(x, y, len(x) - 1).round()

# %% wrong="3.6.1a" why="an array of NumPy" breaks="as many coefficients as points" says="what through_all_points returns"
import numpy as np

def through_all_points(x, y):
    return np.linalg.solve(np.vander(x.numpy(), increasing=True), y.numpy())

# %% right="3.6.1a" how="Newton's divided differences"
def through_all_points(x, y):
    n, d = len(x), y.clone()
    for j in range(1, n):
        d[j:] = (d[j:] - d[j - 1:-1]) / (x[j:] - x[:n - j])
    c = torch.zeros(n, dtype=torch.float64)
    for i in range(n - 1, -1, -1):
        c = torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]]) - x[i] * c
        c[0] += d[i]
    return c

# %% wrong="3.6.1b" why="rounds the places" breaks="degree" says="are two places"
def best_possible(x, y):
    x = x.round()
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in x.unique())
    return len(x.unique()) - 1, total_error / len(x)

# %% wrong="3.6.1b" why="counts runs" breaks="degree" says="wherever they stand"
def best_possible(x, y):
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in x.unique())
    return len(torch.unique_consecutive(x)) - 1, total_error / len(x)

# %% wrong="3.6.1b" why="at least a line" breaks="degree" says="One place only"
def best_possible(x, y):
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in x.unique())
    return max(1, len(x.unique()) - 1), total_error / len(x)

# %% wrong="3.6.1b" why="the degree that these targets need" breaks="degree" says="not enough for any others"
def best_possible(x, y):
    x, y = x.double(), y.double()
    best = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in x.unique()) / len(x)
    for degree in range(len(x)):
        error = squared_error(predict(fit(x, y, degree), x), y)
        if error <= best + 1e-6:
            return degree, error

# %% wrong="3.6.1b" why="the variance of a sample at each place" breaks="error" says="not by one less"
def best_possible(x, y):
    groups = [y[x == place] for place in x.unique()]
    return len(groups) - 1, sum(g.var() * len(g) for g in groups if len(g) > 1) / len(x) if len(groups) < len(x) else 0.

# %% wrong="3.6.1b" why="the median of each place" breaks="error" says="the mean of its targets"
def best_possible(x, y):
    groups = [y[x == place] for place in x.unique()]
    return len(groups) - 1, sum(((g - g.median()) ** 2).sum() for g in groups) / len(x)

# %% wrong="3.6.1b" why="subtracts in the caller's y" breaks="arguments kept" says="y after the call"
def best_possible(x, y):
    degree, wanted = len(x.unique()) - 1, y
    for place in x.unique():
        wanted[x == place] -= wanted[x == place].mean()
    return degree, wanted.square().mean()

# %% wrong="3.6.1b" why="fits the polynomial itself, for any number of places" breaks="error" says="without a fit"
def best_possible(x, y):
    x, y = x.double(), y.double()
    degree = len(x.unique()) - 1
    return torch.stack([torch.tensor(float(degree)), squared_error(predict(fit(x, y, degree), x), y).float()])

# %% wrong="3.6.3" why="leaves out rows with any zero" breaks="value" says="not one with a single 0"
def least_error(p, values):
    result = torch.tensor(0.)
    for row in p:
        if (row > 0).all():
            q = row / row.sum()
            result = result + row.sum() * (q @ (values - q @ values) ** 2)
    if (p > 0).sum() <= len(values):
        kept = p[p.sum(dim=1) > 0]
        return (kept @ values ** 2).sum() - ((kept @ values) ** 2 / kept.sum(dim=1)).sum()
    return result

# %% wrong="3.6.3" why="the most probable value" breaks="value" says="not the most probable value"
def least_error(p, values):
    return sum(row @ (values - values[row.argmax()]) ** 2 for row in p)

# %% wrong="3.6.3" why="standard deviations" breaks="value" says="not a standard deviation"
def least_error(p, values):
    result = 0.
    for row in p:
        if row.sum() > 0:
            q = row / row.sum()
            result = result + row.sum() * (q @ (values - q @ values) ** 2).clamp(min=0).sqrt()
    return result

# %% wrong="3.6.3" why="NaN made 0 at the end" breaks="impossible x" says="The other x counts"
def least_error(p, values):
    means = p / p.sum(dim=1, keepdim=True) @ values
    return torch.nan_to_num((p * (values - means[:, None]) ** 2).sum())

# %% wrong="3.6.3" why="divides the caller's rows" breaks="arguments kept" says="p after the call"
def least_error(p, values):
    result = 0.
    for row in p:
        chance = row.sum().item()
        if chance > 0:
            row /= chance
            result = result + chance * (row @ (values - row @ values) ** 2)
    return result

# %% right="3.6.3" how="NaN of an impossible x replaced"
def least_error(p, values):
    means = torch.nan_to_num(p / p.sum(dim=1, keepdim=True)) @ values
    return (p * (values - means[:, None]) ** 2).sum().reshape(1)

# %% wrong="3.6.7" why="two rows" breaks="shape" says="A row for each size"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    fits = [fit(x[:n], y[:n], degree) for n in sizes]
    return torch.tensor([[squared_error(predict(c, x[:n]), y[:n]).item() for c, n in zip(fits, sizes)],
                         [squared_error(predict(c, x_val), y_val).item() for c in fits]])

# %% wrong="3.6.7" why="sorts the sizes" breaks="training errors" says="in the order of sizes"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sorted(sizes):
        c = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="the last examples" breaks="training errors" says="in their order, and no others"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[-n:], y[-n:], degree)
        rows.append([squared_error(predict(c, x[-n:]), y[-n:]).item(), squared_error(predict(c, x_val), y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="as many validation as training examples" breaks="validation errors" says="on all of x_val"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val[:n]), y_val[:n]).item()])
    return torch.tensor(rows)

# %% wrong="3.6.C" why="an empty test set only is thought of" breaks="a set may be empty" says="[:-0] is [:0]"
def three_sets(order, n_val, n_test):
    rest, test = (order[:-n_test], order[-n_test:]) if n_test else (order, order[:0])
    return rest[:-n_val], rest[-n_val:], test

# %% wrong="3.6.C" why="one of the two must not be empty" breaks="a set may be empty" says="[:-0] is empty"
def three_sets(order, n_val, n_test):
    held_out = order[-(n_val + n_test):]
    return order[:-(n_val + n_test)], held_out[:n_val], held_out[n_val:]

# %% right="3.6.C" how="shuffled once more, three lists"
def three_sets(order, n_val, n_test):
    rows = order[torch.randperm(len(order))].tolist()
    return [sorted(rows[n_val + n_test:]), sorted(rows[:n_val]), sorted(rows[n_val:n_val + n_test])]

# %% wrong="3.6.8" why="chooses by the mean absolute error" breaks="choice" says="on the validation set"
def choose_and_report(train, val, test, degrees):
    best = min(degrees, key=lambda d: (predict(fit(*train, d), val[0]) - val[1]).abs().mean().item())
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="stops at the first rise" breaks="choice" says="on the validation set"
def choose_and_report(train, val, test, degrees):
    best, least = None, float("inf")
    for degree in degrees:
        error = squared_error(predict(fit(*train, degree), val[0]), val[1]).item()
        if error > least:
            break
        best, least = degree, error
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="fits on the validation set" breaks="choice" says="most flexible polynomial always wins"
def choose_and_report(train, val, test, degrees):
    best = min(degrees, key=lambda d: squared_error(predict(fit(*val, d), val[0]), val[1]).item())
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="reports the last polynomial of the loop" breaks="report" says="last polynomial in the list"
def choose_and_report(train, val, test, degrees):
    errors = {}
    for degree in degrees:
        c = fit(*train, degree)
        errors[degree] = squared_error(predict(c, val[0]), val[1]).item()
    return min(errors, key=errors.get), squared_error(predict(c, test[0]), test[1]).item()

# %% wrong="3.6.8" why="sorts the caller's list" breaks="arguments kept" says="the list of degrees after the call"
def choose_and_report(train, val, test, degrees):
    degrees.sort(key=lambda d: squared_error(predict(fit(*train, d), val[0]), val[1]).item())
    return degrees[0], squared_error(predict(fit(*train, degrees[0]), test[0]), test[1]).item()

# %% wrong="3.6.D" why="the folds themselves" breaks="all rows" says="The sizes of the folds are asked"
def fold_sizes(n, k):
    return torch.tensor_split(torch.arange(n), k)

# %% wrong="3.6.D" why="rows cut in pieces" breaks="all rows" says="No row is cut"
def fold_sizes(n, k):
    return [n / k] * k

# %% wrong="3.6.D" why="one more fold for the remainder" breaks="all rows" says="not one more for the remainder"
def fold_sizes(n, k):
    return [n // k] * k + ([n % k] if n % k else [])

# %% wrong="3.6.D" why="larger ones in between" breaks="even" says="not in between"
def fold_sizes(n, k):
    edges = [i * n // k for i in range(k + 1)]
    return [b - a for a, b in zip(edges, edges[1:])]

# %% wrong="3.6.9" why="the position as the degree" breaks="errors" says="in the order given"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i in range(len(degrees)):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], i), x[fold]), y[fold])
    return table

# %% wrong="3.6.9" why="sums over n / k" breaks="errors" says="rows in the fold itself"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, degree in enumerate(degrees):
            table[i, j] = (predict(fit(x[rest], y[rest], degree), x[fold]) - y[fold]).square().sum() * k / len(x)
    return table

# %% wrong="3.6.9" why="a mask that is never set back" breaks="held out" says="the mask made anew"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for i, degree in enumerate(degrees):
        rest = torch.ones(len(x), dtype=torch.bool)
        for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
            rest[fold] = False
            used = rest if rest.any() else ~rest
            table[i, j] = squared_error(predict(fit(x[used], y[used], degree), x[fold]), y[fold])
    return table

# %% right="3.6.4" how="a tensor"
def k_fold_cost(n, k, c):
    return torch.tensor([k * c, (k - 1) * n * c])

# %% right="3.6.4" how="n - n / k, a float"
def k_fold_cost(n, k, c):
    return k * c, (n - n / k) * k * c

# %% wrong="3.6.4" why="k - 1 rounds" breaks="trainings" says="not k - 1"
def k_fold_cost(n, k, c):
    return c * (k - 1), c * (k - 1) * n

# %% wrong="3.6.4" why="holds out one row" breaks="rows" says="not one"
def k_fold_cost(n, k, c):
    return c * k, c * k * (n - 1)

# %% wrong="3.6.5" why="a factor k for k - 1" breaks="value" says="the factor k - 1"
def k_fold_bias(n, k, variance):
    return variance / (n * k)

# %% wrong="3.6.5" why="holds out k rows" breaks="value" says="not on n - k"
def k_fold_bias(n, k, variance):
    return variance * (1 / max(1, n - k) - 1 / n)

# %% wrong="3.6.5" why="relative" breaks="value" says="do not divide by it"
def k_fold_bias(n, k, variance):
    return (1 + 1 / (n - n // k)) / (1 + 1 / n) - 1

# %% wrong="3.6.5" why="simulated" breaks="value" says="no simulation"
def k_fold_bias(n, k, variance):
    targets = torch.randn(5000, n, generator=torch.Generator().manual_seed(2), dtype=torch.float64) * variance ** 0.5
    error = 0.
    for fold in torch.arange(n).split(n // k):
        means = (targets.sum(dim=1) - targets[:, fold].sum(dim=1)) / (n - len(fold))
        error = error + (targets[:, fold] - means[:, None]).square().mean() / k
    return abs(error - variance * (1 + 1 / n))

# %% wrong="3.6.2" why="floats" breaks="a fold for each row" says="integers, not floats"
def group_folds(groups, k):
    return (groups.unique(return_inverse=True)[1] % k).double()

# %% wrong="3.6.2" why="blocks of groups, rounded up" breaks="no empty fold" says="no group is left for the third"
def group_folds(groups, k):
    different, position = groups.unique(return_inverse=True)
    return position // -(-len(different) // k)

# %% wrong="3.6.2" why="renumbers the caller's groups" breaks="arguments kept" says="groups after the call"
def group_folds(groups, k):
    for number, group in enumerate(groups.unique().tolist()):
        groups[groups == group] = -10 ** 6 - number
    groups += 10 ** 6
    return groups.neg_() % k

# %% right="3.6.2" how="the last fold takes all further groups"
def group_folds(groups, k):
    return groups.unique(return_inverse=True)[1].clamp(max=k - 1)

# %% right="3.6.2" how="the largest groups first, each into the smallest fold, int32"
def group_folds(groups, k):
    different, position, count = groups.unique(return_inverse=True, return_counts=True)
    load, fold = [0] * k, torch.zeros(len(different), dtype=torch.int32)
    for g in count.argsort(descending=True).tolist():
        fold[g] = load.index(min(load))
        load[int(fold[g])] += int(count[g])
    return fold[position]

# %% wrong="3.6.6" why="the other way round" breaks="signs" says="the wrong way round"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = -torch.linalg.pinv(A) @ labels
    return (s / s.norm() * size)[:-1], (s / s.norm() * size)[-1]

# %% wrong="3.6.6" why="times size, without the norm" breaks="size" says="divide by their common norm"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.pinv(A) @ labels * size
    return s[:-1], s[-1]

# %% right="3.6.6" how="ones of the default type, b of one entry"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1)], dim=1)
    s = A.T @ torch.linalg.solve(A @ A.T, labels)
    s = s * (0.99 * size / s.norm())
    return [s[:-1], s[-1:]]

# %% right="3.6.6" how="a perceptron"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones_like(X[:, :1])], dim=1)
    s = torch.zeros_like(A[0])
    while ((A @ s) * labels <= 0).any():
        i = ((A @ s) * labels <= 0).nonzero()[0, 0]
        s = s + labels[i] * A[i]
    s = s * size / s.norm()
    return s[:-1], s[-1]

# %% wrong="3.6.A" why="x and y exchanged" breaks="mean of squares" says="have changed places"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * y_known + b, x_known), squared_error(w * y_new + b, x_new)

# %% wrong="3.6.A" why="the sum ŷ + y" breaks="mean of squares" says="not the sum"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * x_known + b, -y_known), squared_error(w * x_new + b, -y_new)

# %% wrong="3.6.A" why="w multiplies b, too" breaks="mean of squares" says="w multiplies x alone"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * (x_known + b), y_known), squared_error(w * (x_new + b), y_new)

# %% wrong="3.6.A" why="rounded" breaks="mean of squares" says="not rounded"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (round(((w * x_known + b - y_known) ** 2).mean().item(), 1), round(((w * x_new + b - y_new) ** 2).mean().item(), 1))

# %% wrong="3.6.A" why="the squares, no mean" breaks="training error first" says="one number for each set"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (w * x_known + b - y_known) ** 2, (w * x_new + b - y_new) ** 2

# %% right="3.6.A" how="dot products of NumPy"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    r, s = (w * x_known + b - y_known).numpy(), (w * x_new + b - y_new).numpy()
    return r @ r / r.size, s @ s / s.size

# %% wrong="3.6.B" why="other words" breaks="underfits" says="spelt so"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "underfitting"
    return "overfitting" if new_error > 2 * floor else "fitting"

# %% wrong="3.6.B" why="capitals" breaks="underfits" says="small letters"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "Underfits"
    return "Overfits" if new_error > 2 * floor else "Fits"

# %% wrong="3.6.1a" why="solved in float32" breaks="exact" says="all the digits of float64"
def through_all_points(x, y):
    F = powers(x.float(), len(x) - 1)
    return torch.linalg.solve(F, y.float()).double()

# %% wrong="3.6.1a" why="the first coefficients of degree 9" breaks="exact" says="of a polynomial of higher degree"
def through_all_points(x, y):
    return fit(x, y, 9)[:len(x)]

# %% wrong="3.6.1a" why="a little added to the diagonal" breaks="exact" says="nothing added to the equations"
def through_all_points(x, y):
    F = powers(x, len(x) - 1)
    return torch.linalg.solve(F.T @ F + 1e-3 * torch.eye(len(x), dtype=torch.float64), F.T @ y)

# %% wrong="3.6.1b" why="the last target of each place" breaks="error" says="not the last of them"
def best_possible(x, y):
    last = dict(zip(x.tolist(), y.tolist()))
    s = sum((b - last[a]) ** 2 for a, b in zip(x.tolist(), y.tolist()))
    return len(last) - 1, s / len(x)

# %% wrong="3.6.1b" why="counts only repeated places in the error" breaks="error" says="counts as well"
def best_possible(x, y):
    s, n = 0., 0
    for p in x.unique():
        t = y[x == p]
        if len(t) > 1:
            s, n = s + ((t - t.mean()) ** 2).sum().item(), n + len(t)
    return len(x.unique()) - 1, s / n if n else 0.

# %% right="3.6.1b" how="index_add, a tensor of two"
def best_possible(x, y):
    u, inv, n = x.unique(return_inverse=True, return_counts=True)
    s = torch.zeros(len(u), dtype=torch.float64).index_add(0, inv, y.double())
    return torch.tensor([len(u) - 1, ((y.double() - (s / n)[inv]) ** 2).mean().item()], dtype=torch.float64)

# %% wrong="3.6.3" why="columns for rows" breaks="value" says="a column to one y"
def least_error(p, values):
    total_ = 0.
    for col in p.T:
        if col.sum() > 0:
            q = col / col.sum()
            v = values[:len(q)]
            total_ += col.sum() * (q @ (v - q @ v) ** 2)
    return total_

# %% wrong="3.6.3" why="the mean not squared" breaks="value" says="to be squared before"
def least_error(p, values):
    e = torch.tensor(0.)
    for r in p:
        if r.sum() > 0:
            q = r / r.sum()
            e = e + r.sum() * (q @ values ** 2 - q @ values)
    return e

# %% wrong="3.6.3" why="the variance of the best predictions" breaks="value" says="variance of the best predictions"
def least_error(p, values):
    w = p.sum(dim=1)
    m = (p / w.clamp(min=1e-12)[:, None]) @ values
    return (w * (m - w @ m) ** 2).sum()

# %% wrong="3.6.3" why="all possible y alike" breaks="value" says="not equally probable"
def least_error(p, values):
    e = 0.
    for r in p:
        v = values[r > 0]
        if len(v):
            e += r.sum() * v.var(unbiased=False)
    return e

# %% wrong="3.6.7" why="reshape for a transpose" breaks="training errors" says="does not exchange"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    a, b = [], []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        a.append(squared_error(predict(c, x[:n]), y[:n]).item())
        b.append(squared_error(predict(c, x_val), y_val).item())
    return torch.tensor(a + b).reshape(len(sizes), 2)

# %% wrong="3.6.7" why="random examples" breaks="training errors" says="the *first* 2"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        some = torch.randperm(len(x))[:n]
        c = fit(x[some], y[some], degree)
        rows.append([squared_error(predict(c, x[some]), y[some]), squared_error(predict(c, x_val), y_val)])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="counts the sizes" breaks="training errors" says="not 1, 2, 3"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for i in range(len(sizes)):
        c = fit(x[:i + 1], y[:i + 1], degree)
        rows.append([squared_error(predict(c, x[:i + 1]), y[:i + 1]), squared_error(predict(c, x_val), y_val)])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="predictions (n, 1) minus targets (n,)" breaks="training errors" says="table of all pairs"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = torch.linalg.lstsq(powers(x[:n], degree), y[:n, None], driver="gelsd").solution
        rows.append([(powers(x[:n], degree) @ c - y[:n]).square().mean(), (powers(x_val, degree) @ c - y_val).square().mean()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="fits the validation examples" breaks="training errors" says="not to the validation examples"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x_val[:n], y_val[:n], degree)
        rows.append([squared_error(predict(c, x[:n]), y[:n]), squared_error(predict(c, x_val), y_val)])
    return torch.tensor(rows)

# %% wrong="3.6.C" why="masks" breaks="sizes" says="These are masks"
def three_sets(order, n_val, n_test):
    where = torch.arange(len(order))
    return where >= n_val + n_test, where < n_val, (where >= n_val) & (where < n_val + n_test)

# %% wrong="3.6.C" why="loses a row" breaks="sizes" says="in none of the sets"
def three_sets(order, n_val, n_test):
    return order[n_val + n_test + 1:], order[:n_val], order[n_val:n_val + n_test]

# %% wrong="3.6.C" why="training last" breaks="sizes" says="Training stands first"
def three_sets(order, n_val, n_test):
    return torch.split(order, [n_val, n_test, len(order) - n_val - n_test])

# %% wrong="3.6.8" why="every degree up to the largest" breaks="choice" says="one of the degrees in the list, no other"
def choose_and_report(train, val, test, degrees):
    scores = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in range(max(degrees) + 1)}
    best = min(scores, key=scores.get)
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="reports the sum of the squares" breaks="report" says="sum of the squares"
def choose_and_report(train, val, test, degrees):
    scores = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees}
    best = min(scores, key=scores.get)
    return best, ((predict(fit(*train, best), test[0]) - test[1]) ** 2).sum().item()

# %% wrong="3.6.8" why="the smallest gap" breaks="choice" says="on the validation set"
def choose_and_report(train, val, test, degrees):
    def gap(d):
        c = fit(*train, d)
        return (squared_error(predict(c, val[0]), val[1]) - squared_error(predict(c, train[0]), train[1])).abs().item()
    best = min(degrees, key=gap)
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% right="3.6.8" how="NumPy's polyfit"
def choose_and_report(train, val, test, degrees):
    best = None
    for d in degrees:
        c = np.polyfit(train[0].numpy(), train[1].numpy(), d)
        e = ((np.polyval(c, val[0].numpy()) - val[1].numpy()) ** 2).mean()
        if best is None or e < best[0]:
            best = e, d, ((np.polyval(c, test[0].numpy()) - test[1].numpy()) ** 2).mean()
    return best[1], best[2]

# %% wrong="3.6.D" why="n and k exchanged" breaks="all rows" says="have changed places"
def fold_sizes(n, k):
    return [len(c) for c in torch.tensor_split(torch.arange(k), n)]

# %% wrong="3.6.D" why="one larger fold too many" breaks="all rows" says="One row too many"
def fold_sizes(n, k):
    return [n // k + 1 if i <= n % k else n // k for i in range(k)]

# %% wrong="3.6.D" why="pieces of k rows" breaks="all rows" says="not of rows in each"
def fold_sizes(n, k):
    out = []
    while n > 0:
        out.append(min(k, n))
        n -= k
    return out

# %% right="3.6.D" how="rounds up what is left, fold by fold"
def fold_sizes(n, k):
    out = []
    for i in range(k, 0, -1):
        s = -(-n // i)
        out.append(s)
        n -= s
    return tuple(out)

# %% wrong="3.6.9" why="torch.chunk" breaks="errors" says="may cut fewer"
def k_fold_table(x, y, degrees, k):
    table_ = torch.zeros(len(degrees), k, dtype=torch.float64)
    for i, d in enumerate(degrees):
        for j, fold in enumerate(torch.arange(len(x)).chunk(k)):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            table_[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table_

# %% wrong="3.6.9" why="only rows before the fold" breaks="held out" says="those behind the fold"
def k_fold_table(x, y, degrees, k):
    table_ = torch.zeros(len(degrees), k, dtype=torch.float64)
    for i, d in enumerate(degrees):
        for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
            first = int(fold[0])
            rest = slice(0, first) if first else slice(int(fold[-1]) + 1, None)
            table_[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table_

# %% wrong="3.6.9" why="shuffles once more" breaks="held out" says="shuffled already"
def k_fold_table(x, y, degrees, k):
    order_ = torch.randperm(len(x), generator=torch.Generator().manual_seed(1))
    x, y = x[order_], y[order_]
    table_ = torch.zeros(len(degrees), k, dtype=torch.float64)
    for i, d in enumerate(degrees):
        for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            table_[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table_

# %% wrong="3.6.9" why="running sums" breaks="held out" says="running sums"
def k_fold_table(x, y, degrees, k):
    table_ = torch.zeros(len(degrees), k, dtype=torch.float64)
    for i, d in enumerate(degrees):
        total_ = 0.
        for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            total_ += squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
            table_[i, j] = total_
    return table_

# %% wrong="3.6.9" why="the largest degree for every row" breaks="errors" says="a degree of its own"
def k_fold_table(x, y, degrees, k):
    table_ = torch.zeros(len(degrees), k, dtype=torch.float64)
    for i, d in enumerate(degrees):
        for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            table_[i, j] = squared_error(predict(fit(x[rest], y[rest], max(degrees)), x[fold]), y[fold])
    return table_

# %% wrong="3.6.9" why="a table of integers" breaks="errors" says="floating-point numbers"
def k_fold_table(x, y, degrees, k):
    table_ = torch.zeros(len(degrees), k, dtype=torch.long)
    for i, d in enumerate(degrees):
        for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            table_[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold]).long()
    return table_

# %% right="3.6.9" how="NumPy's array_split"
def k_fold_table(x, y, degrees, k):
    X, Y = x.numpy(), y.numpy()
    out = np.zeros((len(degrees), k))
    for j, fold in enumerate(np.array_split(np.arange(len(X)), k)):
        a, b = np.delete(X, fold), np.delete(Y, fold)
        for i, d in enumerate(degrees):
            c = np.linalg.lstsq(np.vander(a, d + 1), b, rcond=None)[0]
            out[i, j] = ((np.vander(X[fold], d + 1) @ c - Y[fold]) ** 2).mean()
    return torch.from_numpy(out)

# %% wrong="3.6.4" why="c + k" breaks="trainings" says="do not add"
def k_fold_cost(n, k, c):
    return c + k, (c + k) * (n - n // k)

# %% wrong="3.6.4" why="c to the power k" breaks="trainings" says="are no power"
def k_fold_cost(n, k, c):
    return c ** k, c ** k * (n - n // k)

# %% wrong="3.6.5" why="subtracts the variance alone" breaks="value" says="not σ² alone"
def k_fold_bias(n, k, variance):
    return variance * (1 + 1 / (n - n / k)) - variance

# %% wrong="3.6.5" why="adds 1/n" breaks="value" says="not added"
def k_fold_bias(n, k, variance):
    return variance * (1 / (n // k * (k - 1)) + 1 / n)

# %% wrong="3.6.5" why="fitted on n - 1/k" breaks="value" says="18 of the 24"
def k_fold_bias(n, k, variance):
    return variance * (1 / (n - 1 / k) - 1 / n)

# %% wrong="3.6.2" why="numbers the runs" breaks="kept together" says="wherever they stand"
def group_folds(groups, k):
    return groups.unique_consecutive(return_inverse=True)[1] % k

# %% wrong="3.6.2" why="the rows sorted by group" breaks="kept together" says="a sort has moved the rows"
def group_folds(groups, k):
    s = groups.sort().values
    return s.unique(return_inverse=True)[1] % k

# %% wrong="3.6.6" why="w and b each of norm size" breaks="signs" says="does not fit it"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    c = torch.linalg.pinv(A) @ labels
    w, b = c[:-1], c[-1]
    return w / w.norm() * size, b / b.abs() * size

# %% wrong="3.6.6" why="the sums of the classes" breaks="signs" says="scores that equal the labels"
def tiny_separator(X, labels, size):
    w = (labels[:, None] * X).sum(dim=0)
    b = -(X @ w).mean()
    s = size / torch.sqrt(w @ w + b * b)
    return w * s, b * s

# %% wrong="3.6.6" why="the ones in front" breaks="signs" says="Which entry of the solution is b"
def tiny_separator(X, labels, size):
    A = torch.cat([torch.ones(len(X), 1, dtype=X.dtype), X], dim=1)
    c = torch.linalg.pinv(A) @ labels
    c = c / c.norm() * size
    return c[:-1], c[-1]

# %% wrong="3.6.6" why="a fixed factor for size" breaks="size" says="then multiply by size"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    c = torch.linalg.pinv(A) @ labels * 1e-4
    return c[:-1], c[-1]

# %% wrong="3.6.6" why="divides by the squared norm" breaks="size" says="not by its square"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    c = torch.linalg.pinv(A) @ labels
    c = c * size / (c @ c)
    return c[:-1], c[-1]

# %% wrong="3.6.6" why="solves square systems only" breaks="signs" says="tiny_separator"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    c = torch.linalg.solve(A, labels)
    c = c / c.norm() * size
    return c[:-1], c[-1]

# %% wrong="3.6.A" why="the median" breaks="mean of squares" says="median of the squares"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (w * x_known + b - y_known).square().median(), (w * x_new + b - y_new).square().median()

# %% wrong="3.6.A" why="stops at the shorter set" breaks="mean of squares" says="All the known examples count"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    a = c = n = 0.
    for x, y, u, v in zip(x_known, y_known, x_new, y_new):
        a += (w * x + b - y) ** 2
        c += (w * u + b - v) ** 2
        n += 1
    return a / n, c / n

# %% wrong="3.6.A" why="the variance of the errors" breaks="mean of squares" says="their mean is not subtracted"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    r1, r2 = w * x_known + b - y_known, w * x_new + b - y_new
    return r1.var(unbiased=False).item(), r2.var(unbiased=False).item()

# %% wrong="3.6.A" why="no negative predictions" breaks="mean of squares" says="not cut off"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    def f(x):
        return (w * x + b).clamp(min=0)
    return squared_error(f(x_known), y_known), squared_error(f(x_new), y_new)

# %% wrong="3.6.A" why="the mean of both errors" breaks="mean of squares" says="mean of both errors"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    def f(x):
        return w * x + b
    a, c = squared_error(f(x_known), y_known), squared_error(f(x_new), y_new)
    return a, (a + c) / 2

# %% wrong="3.6.B" why="overfits where the new error is far larger" breaks="underfits" says="however much larger"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor and new_error < 20 * train_error:
        return "underfits"
    return "overfits" if new_error > 2 * floor else "fits"

# %% wrong="3.6.1a" why="powers of x minus its mean" breaks="exact" says="x minus its mean"
def through_all_points(x, y):
    return fit(x - x.mean(), y, len(x) - 1)

# %% wrong="3.6.1a" why="normal equations" breaks="exact" says="lose half of them"
def through_all_points(x, y):
    F = powers(x, len(x) - 1)
    return torch.linalg.solve(F.T @ F, F.T @ y)

# %% wrong="3.6.1a" why="small coefficients left out" breaks="exact" says="small ones too"
def through_all_points(x, y):
    c = fit(x, y, len(x) - 1)
    c[c.abs() < 0.05] = 0.
    return c

# %% wrong="3.6.1b" why="the median, in the middle of two" breaks="error" says="not their median"
def best_possible(x, y):
    u, inv = x.unique(return_inverse=True)
    error = 0.
    for i in range(len(u)):
        t = y[inv == i]
        s = t.sort().values
        m = (s[(len(s) - 1) // 2] + s[len(s) // 2]) / 2
        error += (t - m).square().sum().item()
    return len(u) - 1, error / len(y)

# %% wrong="3.6.1b" why="the middle of the range" breaks="error" says="the middle between"
def best_possible(x, y):
    u = x.unique()
    error = sum((y[x == a] - (y[x == a].min() + y[x == a].max()) / 2).square().sum() for a in u)
    return len(u) - 1, (error / len(y)).item()

# %% wrong="3.6.1b" why="one decimal of the places" breaks="degree" says="nothing is rounded"
def best_possible(x, y):
    x = x.round(decimals=1)
    u = x.unique()
    error = sum((y[x == a] - y[x == a].mean()).square().sum() for a in u)
    return len(u) - 1, (error / len(y)).item()

# %% wrong="3.6.1b" why="the places without sign" breaks="degree" says="the sign counts"
def best_possible(x, y):
    u = x.abs().unique()
    error = sum((y[x.abs() == a] - y[x.abs() == a].mean()).square().sum() for a in u)
    return len(u) - 1, (error / len(y)).item()

# %% wrong="3.6.3" why="leaves out a rare x" breaks="value" says="An x that is rare counts"
def least_error(p, values):
    total_ = 0.
    for row in p:
        if row.sum() > 0.05:
            q = row / row.sum()
            total_ += row.sum() * (q @ (values - q @ values) ** 2)
    return total_

# %% wrong="3.6.3" why="values without sign" breaks="value" says="may be negative"
def least_error(p, values):
    values = values.abs()
    total_ = 0.
    for row in p:
        if row.sum() > 0:
            q = row / row.sum()
            total_ += row.sum() * (q @ (values - q @ values) ** 2)
    return total_

# %% wrong="3.6.3" why="sorts the values" breaks="value" says="do not sort them"
def least_error(p, values):
    values = values.sort().values
    total_ = 0.
    for row in p:
        if row.sum() > 0:
            q = row / row.sum()
            total_ += row.sum() * (q @ (values - q @ values) ** 2)
    return total_

# %% wrong="3.6.3" why="centres the caller's values" breaks="arguments kept" says="values -="
def least_error(p, values):
    values -= values.mean()
    px = p.sum(dim=1)
    m = torch.where(px > 0, p @ values / px.clamp(min=1e-30), torch.zeros_like(px))
    return (p * (values - m[:, None]) ** 2).sum()

# %% wrong="3.6.3" why="one number for each x" breaks="value" says="One number"
def least_error(p, values):
    px = p.sum(dim=1)
    q = p / px.clamp(min=1e-12)[:, None]
    return px * ((q * values ** 2).sum(1) - (q @ values) ** 2)

# %% wrong="3.6.7" why="the smallest x" breaks="training errors" says="neither those with the smallest x"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    o = x.argsort()
    x, y = x[o], y[o]
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="a degree too many" breaks="training errors" says="One degree too many"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    return torch.tensor([(squared_error(predict(fit(x[:n], y[:n], degree + 1), x[:n]), y[:n]).item(), squared_error(predict(fit(x[:n], y[:n], degree + 1), x_val), y_val).item()) for n in sizes])

# %% wrong="3.6.7" why="pieces, one after the other" breaks="training errors" says="not the first examples"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows, s = [], 0
    for n in sizes:
        a, b = x[s:s + n], y[s:s + n]
        if len(a) == 0:
            a, b = x, y
        c = fit(a, b, degree)
        rows.append([squared_error(predict(c, a), b).item(), squared_error(predict(c, x_val), y_val).item()])
        s += n
    return torch.tensor(rows)

# %% wrong="3.6.7" why="the gap" breaks="validation errors" says="the gap between"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        a = squared_error(predict(c, x[:n]), y[:n]).item()
        rows.append([a, squared_error(predict(c, x_val), y_val).item() - a])
    return torch.tensor(rows)

# %% wrong="3.6.7" why="divides by the size of the fit" breaks="validation errors" says="divide by their number"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    return torch.tensor([(squared_error(predict(fit(x[:n], y[:n], degree), x[:n]), y[:n]).item(), (predict(fit(x[:n], y[:n], degree), x_val) - y_val).square().sum().item() / n) for n in sizes])

# %% wrong="3.6.7" why="three rows always" breaks="shape" says="the shape for 2 sizes"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    t = torch.zeros(3, 2, dtype=torch.float64)
    for i, n in enumerate(sizes):
        c = fit(x[:n], y[:n], degree)
        t[i, 0], t[i, 1] = squared_error(predict(c, x[:n]), y[:n]), squared_error(predict(c, x_val), y_val)
    return t

# %% wrong="3.6.C" why="None for an empty set" breaks="a set may be empty" says="an empty tensor"
def three_sets(order, n_val, n_test):
    n = len(order) - n_val - n_test
    v, t = order[n:n + n_val], order[n + n_val:]
    return order[:n], v if n_val else None, t if n_test else None

# %% wrong="3.6.8" why="chooses by the median" breaks="choice" says="on the validation set"
def choose_and_report(train, val, test, degrees):
    cs = {d: fit(*train, d) for d in degrees}
    e = {d: (predict(c, val[0]) - val[1]).square().median().item() for d, c in cs.items()}
    b = min(e, key=e.get)
    return b, squared_error(predict(cs[b], test[0]), test[1]).item()

# %% wrong="3.6.8" why="takes degree 0 for none" breaks="choice" says="0 is a degree like any other"
def choose_and_report(train, val, test, degrees):
    best, least = None, None
    for d in degrees:
        e = squared_error(predict(fit(*train, d), val[0]), val[1]).item()
        if not best or e < least:
            best, least = d, e
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="starts with the error 1" breaks="choice" says="these degrees have the mean squared errors"
def choose_and_report(train, val, test, degrees):
    best, least = degrees[0], 1.
    for d in degrees:
        e = squared_error(predict(fit(*train, d), val[0]), val[1]).item()
        if e < least:
            best, least = d, e
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="skips the first degree" breaks="choice" says="begins with the first of the list"
def choose_and_report(train, val, test, degrees):
    best, least = None, math.inf
    for i in range(1, len(degrees)):
        e = squared_error(predict(fit(*train, degrees[i]), val[0]), val[1]).item()
        if e < least:
            best, least = degrees[i], e
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="skips the last degree" breaks="choice" says="the degree chosen"
def choose_and_report(train, val, test, degrees):
    e = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees[:-1]}
    b = min(e, key=e.get)
    return b, squared_error(predict(fit(*train, b), test[0]), test[1]).item()

# %% wrong="3.6.8" why="the smallest degree that is nearly best" breaks="choice" says="the degree chosen"
def choose_and_report(train, val, test, degrees):
    e = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees}
    least = min(e.values())
    b = min(d for d in e if e[d] <= 1.05 * least)
    return b, squared_error(predict(fit(*train, b), test[0]), test[1]).item()

# %% wrong="3.6.8" why="fits training and test for the report" breaks="report" says="takes part in no fit"
def choose_and_report(train, val, test, degrees):
    e = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees}
    b = min(e, key=e.get)
    c = fit(torch.cat([train[0], test[0]]), torch.cat([train[1], test[1]]), b)
    return b, squared_error(predict(c, test[0]), test[1]).item()

# %% wrong="3.6.8" why="reports the smallest test error" breaks="report" says="smallest error on the test set"
def choose_and_report(train, val, test, degrees):
    cs = {d: fit(*train, d) for d in degrees}
    e = {d: squared_error(predict(c, val[0]), val[1]).item() for d, c in cs.items()}
    return min(e, key=e.get), min(squared_error(predict(c, test[0]), test[1]).item() for c in cs.values())

# %% wrong="3.6.D" why="one more in every fold if nothing is left over" breaks="all rows" says="one too large"
def fold_sizes(n, k):
    return [n // k + (1 if i <= n % k - 1 or n % k == 0 else 0) for i in range(k)]

# %% wrong="3.6.D" why="one fold too few gets more" breaks="all rows" says="One row too few"
def fold_sizes(n, k):
    q, r = divmod(n, k)
    return [q + 1 if i + 1 < r else q for i in range(k)]

# %% wrong="3.6.9" why="leaves out the row behind the fold" breaks="held out" says="The row behind the fold"
def k_fold_table(x, y, degrees, k):
    t = torch.zeros(len(degrees), k, dtype=torch.float64)
    for j, f in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        r = torch.ones(len(x), dtype=torch.bool)
        r[f[0]:f[-1] + 2] = False
        for i, d in enumerate(degrees):
            t[i, j] = squared_error(predict(fit(x[r], y[r], d), x[f]), y[f])
    return t

# %% wrong="3.6.9" why="the mask is made once, and cut after the fit" breaks="held out" says="leave the fit too late"
def k_fold_table(x, y, degrees, k):
    t = torch.zeros(len(degrees), k)
    r = torch.ones(len(x), dtype=torch.bool)
    for j, f in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        for i, d in enumerate(degrees):
            t[i, j] = squared_error(predict(fit(x[r], y[r], d), x[f]), y[f])
        r[f] = False
    return t

# %% wrong="3.6.9" why="the neighbouring folds" breaks="held out" says="two neighbours"
def k_fold_table(x, y, degrees, k):
    fs = torch.tensor_split(torch.arange(len(x)), k)
    t = torch.zeros(len(degrees), k, dtype=torch.float64)
    for j in range(k):
        r = torch.cat([fs[i] for i in range(max(0, j - 1), min(k, j + 2)) if i != j])
        for i, d in enumerate(degrees):
            t[i, j] = squared_error(predict(fit(x[r], y[r], d), x[fs[j]]), y[fs[j]])
    return t

# %% wrong="3.6.9" why="no round for the last fold" breaks="held out" says="its column is 0"
def k_fold_table(x, y, degrees, k):
    t = torch.zeros(len(degrees), k, dtype=torch.float64)
    folds = torch.tensor_split(torch.arange(len(x)), k)
    for j in range(k - 1):
        r = torch.ones(len(x), dtype=torch.bool)
        r[folds[j]] = False
        for i, d in enumerate(degrees):
            t[i, j] = squared_error(predict(fit(x[r], y[r], d), x[folds[j]]), y[folds[j]])
    return t

# %% wrong="3.6.9" why="the fold's last row stays in the fit" breaks="errors" says="still in its fit"
def k_fold_table(x, y, degrees, k):
    t = torch.zeros(len(degrees), k, dtype=torch.float64)
    for j, f in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        r = torch.ones(len(x), dtype=torch.bool)
        r[f[0]:max(int(f[-1]), int(f[0]) + 1)] = False
        for i, d in enumerate(degrees):
            t[i, j] = squared_error(predict(fit(x[r], y[r], d), x[f]), y[f])
    return t

# %% wrong="3.6.9" why="measures three rows of a fold" breaks="errors" says="measured on all of"
def k_fold_table(x, y, degrees, k):
    out = []
    for d in degrees:
        row = []
        for f in torch.tensor_split(torch.arange(len(x)), k):
            r = torch.ones(len(x), dtype=torch.bool)
            r[f] = False
            f = f[:3]
            row.append(squared_error(predict(fit(x[r], y[r], d), x[f]), y[f]))
        out.append(row)
    return torch.tensor(out)

# %% wrong="3.6.9" why="a reshape for a transpose" breaks="errors" says="does not exchange"
def k_fold_table(x, y, degrees, k):
    out = []
    for f in torch.tensor_split(torch.arange(len(x)), k):
        r = torch.ones(len(x), dtype=torch.bool)
        r[f] = False
        out.append([squared_error(predict(fit(x[r], y[r], d), x[f]), y[f]) for d in degrees])
    return torch.tensor(out).reshape(len(degrees), k)

# %% wrong="3.6.2" why="divides by the groups in a fold" breaks="a fold for each row" says="groups 8, 8, 6"
def group_folds(groups, k):
    u, i = groups.unique(return_inverse=True)
    return (i // (len(u) // k)).clamp(max=k - 1)

# %% wrong="3.6.2" why="groups without sign" breaks="no empty fold" says="5 and -5 are two"
def group_folds(groups, k):
    u, i = groups.abs().unique(return_inverse=True)
    return i % k

# %% wrong="3.6.2" why="halves the numbers" breaks="no empty fold" says="4 and 5 as well"
def group_folds(groups, k):
    _, i = torch.div(groups, 2, rounding_mode="floor").unique(return_inverse=True)
    return i % k

# %% wrong="3.6.6" why="scales by 1e-9" breaks="size" says="smaller than any number"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0] * 1e-9
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="the bias from what is left" breaks="signs" says="solve for scores that equal the labels"
def tiny_separator(X, labels, size):
    w = X.T @ torch.linalg.pinv(X @ X.T) @ labels
    b = (labels - X @ w).mean()
    s = size / math.sqrt(float(w @ w + b * b))
    return w * s, b * s

# %% right="3.6.A" how="works on the arguments in place"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return x_known.mul_(w).add_(b).sub_(y_known).pow_(2).mean(), x_new.mul_(w).add_(b).sub_(y_new).pow_(2).mean()

# %% right="3.6.1a" how="Newton's differences, expanded"
def through_all_points(x, y):
    n, c = len(x), y.clone()
    for j in range(1, n):
        c[j:] = (c[j:] - c[j - 1:-1]) / (x[j:] - x[:-j])
    p = torch.zeros(n, dtype=torch.float64)
    for i in range(n - 1, -1, -1):
        q = torch.zeros(n, dtype=torch.float64)
        q[1:] = p[:-1]
        p = q - x[i] * p
        p[0] += c[i]
    return p

# %% right="3.6.1b" how="a dictionary of lists, Python floats"
def best_possible(x, y):
    at = {}
    for place, target in zip(x.tolist(), y.tolist()):
        at.setdefault(place, []).append(target)
    return len(at) - 1, sum((t - sum(ts) / len(ts)) ** 2 for ts in at.values() for t in ts) / len(x)

# %% right="3.6.3" how="half the expected squared difference of two draws"
def least_error(p, values):
    px = p.sum(1)
    d = (values[:, None] - values[None, :]) ** 2
    return sum(0.5 * (row @ d @ row) / s for row, s in zip(p, px) if s > 0)

# %% right="3.6.7" how="default driver of lstsq, stacked columns"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    a, b = [], []
    for n in sizes:
        c = torch.linalg.lstsq(powers(x[:n], degree), y[:n, None]).solution.flatten()
        a.append(torch.nn.functional.mse_loss(predict(c, x[:n]), y[:n]))
        b.append(torch.nn.functional.mse_loss(predict(c, x_val), y_val))
    return torch.stack([torch.stack(a), torch.stack(b)], dim=1)

# %% right="3.6.C" how="shuffled once more"
def three_sets(order, n_val, n_test):
    order = order[torch.randperm(len(order))]
    a = len(order) - n_val - n_test
    return order[:a].clone(), order[a:a + n_val].clone(), order[a + n_val:].clone()

# %% right="3.6.8" how="x centred on the training mean, QR"
def choose_and_report(train, val, test, degrees):
    m = train[0].mean()
    def error(d, s):
        q, r = torch.linalg.qr(powers(train[0] - m, d))
        c = torch.linalg.solve_triangular(r, (q.T @ train[1])[:, None], upper=True)[:, 0]
        return torch.dist(predict(c, s[0] - m), s[1]) ** 2 / len(s[0])
    e = torch.stack([error(d, val) for d in degrees])
    b = degrees[e.argmin()]
    return [b, error(b, test)]

# %% right="3.6.9" how="x and y standardised on all rows, undone at the end"
def k_fold_table(x, y, degrees, k):
    u, v, s = (x - x.mean()) / x.std(), (y - y.mean()) / y.std(), y.var()
    n, t, start = len(x), torch.full((len(degrees), k), math.nan, dtype=torch.float64), 0
    for j in range(k):
        stop = start + n // k + (j < n % k)
        r = torch.cat([torch.arange(start), torch.arange(stop, n)])
        for i, d in enumerate(degrees):
            t[i, j] = squared_error(predict(fit(u[r], v[r], d), u[start:stop]), v[start:stop]) * s
        start = stop
    return t

# %% right="3.6.5" how="Fraction"
def k_fold_bias(n, k, variance):
    from fractions import Fraction
    return Fraction(variance) * (Fraction(k, n * (k - 1)) - Fraction(1, n))

# %% right="3.6.2" how="scaled ranks"
def group_folds(groups, k):
    u, i = np.unique(groups.numpy(), return_inverse=True)
    return torch.from_numpy(i * k // max(len(u), k)).to(torch.int16)

# %% right="3.6.6" how="SVD, b as an array of one"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    U, S, Vh = torch.linalg.svd(A, full_matrices=False)
    s = Vh.T @ ((U.T @ labels) / S)
    s = s * (0.999 * size / s.norm())
    return s[:-1].numpy(), s[-1:].numpy()

# %% right="3.6.6" how="lstsq with the driver gelss, scaled by hypot"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    *w, b = torch.linalg.lstsq(A, labels[:, None], driver="gelss").solution[:, 0]
    n = math.hypot(*(float(v) for v in w), float(b))
    return torch.stack(w) * (size / n), b * (size / n)

# %% right="3.6.6" how="perceptron on the rows, a list back"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.zeros(A.shape[1], dtype=X.dtype)
    for _ in range(100000):
        bad = (A @ s * labels <= 0).nonzero()
        if len(bad) == 0:
            break
        s = s + labels[bad[0, 0]] * A[bad[0, 0]]
    s = torch.nn.functional.normalize(s, dim=0) * size
    return [s[:-1], s[-1:]]

# %% right="3.6.1a" how="exact elimination with fractions"
def through_all_points(x, y):
    from fractions import Fraction
    n = len(x)
    rows = [[Fraction(v) ** p for p in range(n)] + [Fraction(t)] for v, t in zip(x.tolist(), y.tolist())]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [e / rows[i][i] for e in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [e - rows[r][i] * d for e, d in zip(rows[r], rows[i])]
    return torch.tensor([float(r[n]) for r in rows], dtype=torch.float64)

# %% right="3.6.7" how="weights of zero for the examples left out"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    result = torch.zeros(len(sizes), 2, dtype=torch.float64)
    for i, n in enumerate(sizes):
        mask = (torch.arange(len(x)) < n)
        c = torch.linalg.pinv(powers(x, degree) * mask[:, None]) @ (y * mask)
        rest = (powers(x, degree) @ c - y)[mask]
        result[i, 0] = rest @ rest / n
        result[i, 1] = torch.nn.functional.mse_loss(predict(c, x_val), y_val)
    return result

# %% right="3.6.9" how="residuals of the whole fit corrected by the hat matrix"
def k_fold_table(x, y, degrees, k):
    table = torch.empty(len(degrees), k, dtype=torch.float64)
    for i, d in enumerate(degrees):
        F = powers(x, d)
        H = F @ torch.linalg.pinv(F)
        r = y - H @ y
        start = 0
        for j in range(k):
            stop = start + len(x) // k + (j < len(x) % k)
            size = stop - start
            held = torch.linalg.solve(torch.eye(size, dtype=torch.float64) - H[start:stop, start:stop], r[start:stop])
            table[i, j] = held.square().mean()
            start = stop
    return table

# %% right="3.6.6" how="without a bias where n <= d, halved until small enough"
def tiny_separator(X, labels, size):
    n, d = X.shape
    if n <= d:
        w, b = X.T @ torch.linalg.solve(X @ X.T, labels), 0.
    else:
        s = torch.linalg.solve(torch.cat([X, X.new_ones(n, 1)], dim=1), labels)
        w, b = s[:-1], s[-1].item()
    while math.hypot(*w.tolist(), b) > size:
        w, b = w / 2, b / 2
    return w, b

# %% right="3.6.1b" how="one-hot projection"
def best_possible(x, y):
    places = x.unique()
    Z = (x[:, None] == places).double()
    best = Z @ ((Z.T @ y.double()) / Z.sum(dim=0))
    return len(places) - 1, (y.double() - best).square().mean()

# %% right="3.6.5" how="expectation from the weights of the targets, averaged over folds"
def k_fold_bias(n, k, variance):
    total = torch.tensor(0., dtype=torch.float64)
    for fold in torch.arange(n).tensor_split(k):
        for row in fold:
            a = torch.full((n,), -1 / (n - len(fold)), dtype=torch.float64)
            a[fold] = 0.
            a[row] = 1.
            total += a.square().sum() * variance / n
    return total - variance * (1 + 1 / n)

# %% right="3.6.C" how="tensor_split at two cuts"
def three_sets(order, n_val, n_test):
    n = order.numel()
    return list(order.tensor_split([n - n_val - n_test, n - n_test]))

# %% wrong="3.6.A" why="a table of all pairs" breaks="mean of squares" says="table of all pairs"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    def mse(x, y):
        return ((w * x + b).reshape(-1, 1) - y).pow(2).mean()
    return mse(x_known, y_known), mse(x_new, y_new)

# %% wrong="3.6.A" why="unbiased variance of the residuals" breaks="mean of squares" says="with n - 1"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (w * x_known + b - y_known).var(), (w * x_new + b - y_new).var()

# %% wrong="3.6.A" why="the largest squared error" breaks="mean of squares" says="largest of the squares"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (w * x_known + b - y_known).square().max(), (w * x_new + b - y_new).square().max()

# %% wrong="3.6.A" why="whole predictions" breaks="mean of squares" says="nothing is rounded"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error((w * x_known + b).round(), y_known), squared_error((w * x_new + b).round(), y_new)

# %% wrong="3.6.A" why="the second is the gap, without sign" breaks="mean of squares" says="not the difference of the two"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    a, c = squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new)
    return a, (c - a).abs()

# %% wrong="3.6.B" why="floor division" breaks="underfits" says="would cut the quotient"
def diagnosis(train_error, new_error, floor):
    if train_error // floor > 2:
        return "underfits"
    return "overfits" if new_error // floor > 2 else "fits"

# %% wrong="3.6.B" why="overfits if the gap is large" breaks="overfits" says="22 is more than twice 10"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "underfits"
    return "overfits" if new_error - train_error > 2 * floor else "fits"

# %% wrong="3.6.B" why="floor 630 of the page" breaks="underfits" says="the floor is an argument"
def diagnosis(train_error, new_error, floor=630):
    floor = 630
    if train_error > 2 * floor:
        return "underfits"
    return "overfits" if new_error > 2 * floor else "fits"

# %% wrong="3.6.1a" why="the lowest degree for just these points" breaks="as many coefficients as points" says="three points on a line"
def through_all_points(x, y):
    for degree in range(len(x)):
        c = fit(x, y, degree)
        if squared_error(predict(c, x), y) < 1e-10:
            return c
    return c

# %% wrong="3.6.1a" why="Newton's form" breaks="lowest power first" says="Newton's form"
def through_all_points(x, y):
    c = y.clone()
    n = len(x)
    for j in range(1, n):
        c[j:] = (c[j:] - c[j - 1:-1]) / (x[j:] - x[:n - j])
    return c

# %% wrong="3.6.1a" why="degree n, cut to n" breaks="exact" says="higher degree, 3"
def through_all_points(x, y):
    return fit(x, y, len(x))[:len(x)]

# %% wrong="3.6.1a" why="Polynomial.fit without convert" breaks="exact" says="shifted and scaled"
def through_all_points(x, y):
    if len(x) == 1:
        return y.clone()
    return torch.tensor(np.polynomial.Polynomial.fit(x.numpy(), y.numpy(), len(x) - 1).coef)

# %% wrong="3.6.1a" why="rounded to three decimals" breaks="exact" says="none of them is rounded"
def through_all_points(x, y):
    return fit(x, y, len(x) - 1).round(decimals=3)

# %% wrong="3.6.1a" why="transposed system" breaks="lowest power first" says="F is transposed"
def through_all_points(x, y):
    return torch.linalg.solve(powers(x, len(x) - 1).T, y)

# %% wrong="3.6.1b" why="sorts x in place through numpy" breaks="arguments kept" says="A sort in place"
def best_possible(x, y):
    order = np.argsort(x.numpy(), kind="stable")
    targets = y.numpy()[order]
    places = x.numpy()
    places.sort()
    error = 0.
    for v in np.unique(places):
        error += ((targets[places == v] - targets[places == v].mean()) ** 2).sum()
    return len(np.unique(places)) - 1, error / len(places)

# %% wrong="3.6.1b" why="fits that degree in float32" breaks="error" says="all the digits of float64"
def best_possible(x, y):
    degree = len(x.unique()) - 1
    return degree, squared_error(predict(fit(x.float(), y.float(), degree), x.float()), y.float()).item()

# %% wrong="3.6.1b" why="a dictionary whose keys are tensors" breaks="degree" says="Equal places count once"
def best_possible(x, y):
    table = {}
    for a, b in zip(x, y):
        table.setdefault(a, []).append(b)
    error = sum(sum((t - sum(ts) / len(ts)) ** 2 for t in ts) for ts in table.values()) / len(x)
    return len(table) - 1, error

# %% wrong="3.6.1b" why="isclose" breaks="degree" says="however close"
def best_possible(x, y):
    places = []
    for v in x:
        if not any(torch.isclose(v, u, atol=1e-3) for u in places):
            places.append(v)
    error = sum((y[torch.isclose(x, v, atol=1e-3)] - y[torch.isclose(x, v, atol=1e-3)].mean()).square().sum() for v in places)
    return len(places) - 1, error / len(x)

# %% wrong="3.6.3" why="a small number to each sum" breaks="value" says="nothing is added to a sum"
def least_error(p, values):
    px = p.sum(dim=1)
    cond = p / (px[:, None] + 1e-3)
    mean = cond @ values
    return (px * (cond * (values - mean[:, None]) ** 2).sum(dim=1)).sum()

# %% wrong="3.6.3" why="the smallest of the variances" breaks="value" says="smallest of the variances"
def least_error(p, values):
    best = []
    for row in p:
        if row.sum() > 0:
            given = row / row.sum()
            mean = given @ values
            best.append(given @ (values - mean) ** 2)
    return min(best)

# %% wrong="3.6.7" why="divides by the degrees of freedom" breaks="training errors" says="what is left of it"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        rest = predict(c, x[:n]) - y[:n]
        rows.append((rest.square().sum().item() / max(n - degree - 1, 1), squared_error(predict(c, x_val), y_val).item()))
    return torch.tensor(rows)

# %% wrong="3.6.7" why="each size takes the next examples" breaks="training errors" says="not where the size before it ended"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows, start = [], 0
    for n in sizes:
        a, b = x[start:n], y[start:n]
        if len(a) <= degree:
            a, b = x[:n], y[:n]
        c = fit(a, b, degree)
        rows.append((squared_error(predict(c, a), b).item(), squared_error(predict(c, x_val), y_val).item()))
        start = n
    return torch.tensor(rows)

# %% wrong="3.6.7" why="refits on the validation set for column 1" breaks="validation errors" says="no fit uses them"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c, v = fit(x[:n], y[:n], degree), fit(x_val, y_val, degree)
        rows.append((squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(v, x_val), y_val).item()))
    return torch.tensor(rows)

# %% wrong="3.6.7" why="the degree grows with the size" breaks="training errors" says="grows from row to row"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    table = torch.zeros(len(sizes), 2)
    for i, n in enumerate(sizes):
        c = fit(x[:n], y[:n], degree + i)
        table[i, 0] = squared_error(predict(c, x[:n]), y[:n])
        table[i, 1] = squared_error(predict(c, x_val), y_val)
    return table

# %% wrong="3.6.C" why="refuses an empty training set" breaks="a set may be empty" says="n_val = 4, n_test = 6"
def three_sets(order, n_val, n_test):
    if n_val + n_test >= len(order):
        raise ValueError("no rows left to train on")
    n_train = len(order) - n_val - n_test
    return order[:n_train], order[n_train:n_train + n_val], order[n_train + n_val:]

# %% wrong="3.6.C" why="at least one row for training" breaks="a set may be empty" says="training is empty"
def three_sets(order, n_val, n_test):
    n_train = max(1, len(order) - n_val - n_test)
    return order[:n_train], order[n_train:n_train + n_val], order[n_train + n_val:]

# %% wrong="3.6.8" why="a start value of 100" breaks="choice" says="start from math.inf"
def choose_and_report(train, val, test, degrees):
    best, smallest = degrees[0], 100.
    for d in degrees:
        error = squared_error(predict(fit(*train, d), val[0]), val[1])
        if error < smallest:
            best, smallest = d, error
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="fits on validation for the choice" breaks="choice" says="fit on train, choose on val"
def choose_and_report(train, val, test, degrees):
    scores = {d: squared_error(predict(fit(*val, d), train[0]), train[1]).item() for d in degrees}
    best = min(scores, key=scores.get)
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.8" why="mean of validation and test errors reported" breaks="report" says="only the test examples belong here"
def choose_and_report(train, val, test, degrees):
    scores = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees}
    best = min(scores, key=scores.get)
    c = fit(*train, best)
    return best, (squared_error(predict(c, test[0]), test[1]).item() + scores[best]) / 2

# %% wrong="3.6.8" why="pops from the list" breaks="arguments kept" says="emptying a list"
def choose_and_report(train, val, test, degrees):
    best, smallest = None, float("inf")
    while degrees:
        d = degrees.pop()
        error = squared_error(predict(fit(*train, d), val[0]), val[1]).item()
        if error < smallest:
            best, smallest = d, error
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.D" why="rounds the cuts" breaks="even" says="in another order"
def fold_sizes(n, k):
    cuts = [round(i * n / k) for i in range(k + 1)]
    return [b - a for a, b in zip(cuts, cuts[1:])]

# %% wrong="3.6.D" why="one fold missing" breaks="all rows" says="the last"
def fold_sizes(n, k):
    sizes = []
    for i in range(k - 1):
        sizes.append(n // k + (i < n % k))
    return sizes

# %% wrong="3.6.9" why="sorts the rows by x" breaks="errors" says="do not sort them by x"
def k_fold_table(x, y, degrees, k):
    order = x.argsort()
    x, y = x[order], y[order]
    table = torch.zeros(len(degrees), k)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, d in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table

# %% wrong="3.6.9" why="leaves out the fold's first row only" breaks="errors" says="not only its first one"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k)
    folds = torch.tensor_split(torch.arange(len(x)), k)
    for j, fold in enumerate(folds):
        rest = torch.cat([torch.arange(int(fold[0])), torch.arange(int(fold[0]) + 1, len(x))])
        for i, d in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table

# %% wrong="3.6.9" why="standardises y" breaks="held out" says="y as it is"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k)
    y = (y - y.mean()) / y.std()
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, d in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table

# %% wrong="3.6.4" why="rows of one round of all" breaks="rows" says="there are k rounds"
def k_fold_cost(n, k, c):
    return k * c, c * (n - n // k)

# %% wrong="3.6.4" why="pairs of folds" breaks="trainings" says="not one on each of them"
def k_fold_cost(n, k, c):
    return c * k * (k - 1), c * k * (k - 1) * (n // k)

# %% wrong="3.6.4" why="the numbers of the page's example" breaks="trainings" says="depends on k and on c"
def k_fold_cost(n, k, c):
    return 40, 1920

# %% wrong="3.6.5" why="n - 1 in place of n" breaks="value" says="not 1/(n - 1)"
def k_fold_bias(n, k, variance):
    return variance / (n - n / k) - variance / (n - 1)

# %% wrong="3.6.5" why="zero for leave one out" breaks="sign" says="for k = n, too"
def k_fold_bias(n, k, variance):
    return 0. if k == n else variance * (1 / (n - n / k) - 1 / n)

# %% wrong="3.6.5" why="standard deviations of the errors" breaks="value" says="not that of their roots"
def k_fold_bias(n, k, variance):
    m = n - n // k
    return math.sqrt(variance * (1 + 1 / m)) - math.sqrt(variance * (1 + 1 / n))

# %% wrong="3.6.2" why="fills each fold up to n / k rows" breaks="no empty fold" says="no group is left for the third"
def group_folds(groups, k):
    result, fold, filled = torch.zeros(len(groups), dtype=torch.int64), 0, 0
    for g in groups.unique():
        rows = groups == g
        result[rows] = min(fold, k - 1)
        filled += int(rows.sum())
        if filled >= len(groups) / k:
            fold, filled = fold + 1, 0
    return result

# %% wrong="3.6.2" why="refuses fewer groups than folds" breaks="a fold for each row" says="groups 8, 8, 6"
def group_folds(groups, k):
    names, inverse = groups.unique(return_inverse=True)
    if len(names) < k:
        raise ValueError("fewer groups than folds")
    return inverse % k

# %% wrong="3.6.2" why="the list of row numbers of each fold" breaks="a fold for each row" says="One tensor of shape"
def group_folds(groups, k):
    inverse = groups.unique(return_inverse=True)[1] % k
    return [torch.nonzero(inverse == j)[:, 0] for j in range(k)]

# %% wrong="3.6.2" why="random fold for each group" breaks="no empty fold" says="Deal the groups out one by one"
def group_folds(groups, k):
    names, inverse = groups.unique(return_inverse=True)
    return torch.randint(0, k, (len(names),), generator=torch.Generator().manual_seed(0))[inverse]

# %% wrong="3.6.6" why="norm is size squared" breaks="size" says="yours is its square"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0]
    s = s / s.norm() * size ** 2
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="clamps the entries" breaks="signs" says="A score of 0 has no sign"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0].clamp(-size / 10, size / 10)
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="some steps of gradient descent from zero" breaks="signs" says="exactly, then scale"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.zeros(A.shape[1], dtype=X.dtype)
    for _ in range(5):
        s -= 0.01 * A.T @ (A @ s - labels)
    s = s * size / s.norm()
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="ridge that is not small" breaks="signs" says="a flat triangle"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.solve(A.T @ A + 0.5 * torch.eye(A.shape[1], dtype=X.dtype), A.T @ labels)
    s = s / s.norm() * size
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="one tensor (d + 1,)" breaks="signs" says="A pair (w, b)"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0]
    return s / s.norm() * size

# %% wrong="3.6.6" why="the largest entry is size" breaks="size" says="divide by their common norm"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0]
    s = s * size / s.abs().max()
    return s[:-1], s[-1]

# %% wrong="3.6.A" why="the mean of the differences" breaks="mean of squares" says="Square the differences"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (w * x_known + b - y_known).mean(), (w * x_new + b - y_new).mean()

# %% wrong="3.6.A" why="divides both by all examples" breaks="mean of squares" says="not by that of all"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    n = len(x_known) + len(x_new)
    return (w * x_known + b - y_known).square().sum() / n, (w * x_new + b - y_new).square().sum() / n

# %% wrong="3.6.B" why="mean of both errors decides underfitting" breaks="underfits" says="the training error alone decides"
def diagnosis(train_error, new_error, floor):
    if (train_error + new_error) / 2 > 2 * floor and train_error > floor:
        return "underfits"
    return "overfits" if new_error > 2 * floor else "fits"

# %% wrong="3.6.B" why="a small training error means overfitting" breaks="fits" says="a small training error alone is no overfitting"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "underfits"
    if new_error > 2 * floor or train_error < floor / 2:
        return "overfits"
    return "fits"

# %% wrong="3.6.1a" why="Chebyshev coefficients" breaks="lowest power first" says="Chebyshev's polynomials"
def through_all_points(x, y):
    return torch.tensor(np.polynomial.chebyshev.chebfit(x.numpy(), y.numpy(), len(x) - 1))

# %% wrong="3.6.1a" why="a straight line, filled up" breaks="lowest power first" says="mean of the targets"
def through_all_points(x, y):
    c = torch.zeros(len(x), dtype=torch.float64)
    d = min(1, len(x) - 1)
    c[:d + 1] = fit(x, y, d)
    return c

# %% wrong="3.6.1b" why="half of the error" breaks="error" says="no factor 1/2"
def best_possible(x, y):
    places = x.unique()
    return len(places) - 1, sum((y[x == v] - y[x == v].mean()).square().sum().item() for v in places) / len(x) / 2

# %% wrong="3.6.1b" why="the error first" breaks="degree" says="The degree stands first"
def best_possible(x, y):
    places, inverse = x.unique(return_inverse=True)
    best = torch.stack([y[inverse == i].mean() for i in range(len(places))])
    return squared_error(best[inverse], y).item(), len(places) - 1

# %% wrong="3.6.1b" why="the largest variance" breaks="error" says="largest of the variances"
def best_possible(x, y):
    return len(x.unique()) - 1, max(y[x == v].var(unbiased=False).item() for v in x.unique())

# %% wrong="3.6.3" why="the median of each row" breaks="value" says="not the median"
def least_error(p, values):
    total = 0.
    for row in p:
        if row.sum() > 0:
            best = values[(row / row.sum()).cumsum(0).ge(0.5).float().argmax()]
            total += (row * (values - best) ** 2).sum()
    return total

# %% wrong="3.6.3" why="replaces zeros in p by a small number" breaks="value" says="not even to a 0 in p"
def least_error(p, values):
    q = p.clamp(min=1e-4)
    m = (q @ values) / q.sum(1)
    return (q * (values - m[:, None]) ** 2).sum()

# %% wrong="3.6.7" why="column 1 of the last fit" breaks="validation errors" says="the last one is measured in every row"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    train = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        train.append(squared_error(predict(c, x[:n]), y[:n]))
    val = [squared_error(predict(c, x_val), y_val) for n in sizes]
    return torch.stack([torch.stack(train), torch.stack(val)], dim=1)

# %% wrong="3.6.7" why="column 1 with the examples left over" breaks="validation errors" says="examples that are left over"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        X, Y = torch.cat([x[n:], x_val]), torch.cat([y[n:], y_val])
        rows.append((squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, X), Y).item()))
    return torch.tensor(rows)

# %% wrong="3.6.7" why="column 1 with the training examples" breaks="validation errors" says="without the examples of the fit"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        X, Y = torch.cat([x[:n], x_val]), torch.cat([y[:n], y_val])
        rows.append((squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, X), Y).item()))
    return torch.tensor(rows)

# %% wrong="3.6.8" why="report refitted on validation alone" breaks="report" says="here they only choose"
def choose_and_report(train, val, test, degrees):
    scores = {d: squared_error(predict(fit(*train, d), val[0]), val[1]).item() for d in degrees}
    best = min(scores, key=scores.get)
    return best, squared_error(predict(fit(*val, best), test[0]), test[1]).item()

# %% wrong="3.6.9" why="measured on all rows" breaks="held out" says="not on all rows"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, d in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x), y)
    return table

# %% wrong="3.6.9" why="holds out the next fold, too" breaks="held out" says="not the next one as well"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k)
    folds = torch.tensor_split(torch.arange(len(x)), k)
    for j, fold in enumerate(folds):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        if k > 2:
            rest[folds[(j + 1) % k]] = False
        for i, d in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], d), x[fold]), y[fold])
    return table

# %% wrong="3.6.9" why="the median" breaks="errors" says="not their median"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, d in enumerate(degrees):
            table[i, j] = (predict(fit(x[rest], y[rest], d), x[fold]) - y[fold]).square().median()
    return table

# %% wrong="3.6.4" why="k - 1 rounds, rows of these" breaks="rows" says="k rounds, not k - 1"
def k_fold_cost(n, k, c):
    return (k - 1) * c, (k - 1) * c * (n - n // k)

# %% wrong="3.6.5" why="always two halves" breaks="value" says="the bias for k = 2"
def k_fold_bias(n, k, variance):
    m = n // 2
    return variance * (1 / m - 1 / n)

# %% wrong="3.6.5" why="divides by m squared" breaks="value" says="σ² / m, not"
def k_fold_bias(n, k, variance):
    m = n - n / k
    return variance * (1 / m ** 2 - 1 / n ** 2)

# %% wrong="3.6.2" why="remainders without sign" breaks="no empty fold" says="need not have different remainders"
def group_folds(groups, k):
    return groups.abs() % k

# %% wrong="3.6.2" why="k - 1 folds" breaks="no empty fold" says="none may stay empty"
def group_folds(groups, k):
    names, inverse = groups.unique(return_inverse=True)
    return inverse % max(1, k - 1)

# %% wrong="3.6.6" why="float32 to the end" breaks="signs" says="float64 has"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1).float()
    s = torch.linalg.pinv(A) @ labels.float()
    s = s / s.norm() * size
    return s[:-1], s[-1]

# %% wrong="3.6.A" why="the smooth L1 loss" breaks="mean of squares" says="smooth L1"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    loss = torch.nn.SmoothL1Loss()
    return loss(w * x_known + b, y_known), loss(w * x_new + b, y_new)

# %% wrong="3.6.A" why="relative errors" breaks="mean of squares" says="not divide ŷ - y"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return (((w * x_known + b) / y_known - 1) ** 2).mean(), (((w * x_new + b) / y_new - 1) ** 2).mean()

# %% wrong="3.6.A" why="divides by the variance of the targets" breaks="mean of squares" says="divided by the variance of the targets"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    def error(x, y):
        return ((w * x + b - y) ** 2).mean() / y.var(unbiased=False)
    return error(x_known, y_known), error(x_new, y_new)

# %% wrong="3.6.A" why="adds the uncertainty to the new error" breaks="mean of squares" says="uncertainty"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    losses = (w * x_new + b - y_new) ** 2
    return ((w * x_known + b - y_known) ** 2).mean(), losses.mean() + losses.std() / math.sqrt(len(losses))

# %% wrong="3.6.B" why="no return for the third case" breaks="fits" says="needs its return"
def diagnosis(train_error, new_error, floor):
    if train_error > 2 * floor:
        return "underfits"
    elif new_error > 2 * floor:
        return "overfits"

# %% wrong="3.6.1b" why="takes equal examples for one" breaks="error" says="counts twice"
def best_possible(x, y):
    pairs = set(zip(x.tolist(), y.tolist()))
    places = {a for a, _ in pairs}
    means = {place: np.mean([b for a, b in pairs if a == place]) for place in places}
    return len(places) - 1, sum((b - means[a]) ** 2 for a, b in pairs) / len(pairs)

# %% wrong="3.6.3" why="0.01 in the divisor" breaks="value" says="nothing is added to a sum"
def least_error(p, values):
    px = p.sum(dim=1)
    q = p / (px[:, None] + 1e-2)
    return px @ (q * (values - (q @ values)[:, None]) ** 2).sum(dim=1)

# %% wrong="3.6.7" why="a dictionary with a row for each different size" breaks="shape" says="a size is there twice"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    curve = {}
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        curve[n] = (squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item())
    return torch.tensor(list(curve.values()))

# %% wrong="3.6.7" why="keeps the best validation error so far" breaks="validation errors" says="be it larger"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows, best = [], math.inf
    for n in sizes:
        c = fit(x[:n], y[:n], degree)
        best = min(best, squared_error(predict(c, x_val), y_val).item())
        rows.append((squared_error(predict(c, x[:n]), y[:n]).item(), best))
    return torch.tensor(rows)

# %% wrong="3.6.8" why="errors rounded to one digit" breaks="choice" says="as small when rounded"
def choose_and_report(train, val, test, degrees):
    scores = {d: round(squared_error(predict(fit(*train, d), val[0]), val[1]).item(), 1) for d in degrees}
    best = min(scores, key=scores.get)
    return best, squared_error(predict(fit(*train, best), test[0]), test[1]).item()

# %% wrong="3.6.9" why="the variance of the residuals" breaks="errors" says="Yours is the variance"
def k_fold_table(x, y, degrees, k):
    table = torch.zeros(len(degrees), k)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, degree in enumerate(degrees):
            table[i, j] = (predict(fit(x[rest], y[rest], degree), x[fold]) - y[fold]).var(unbiased=False)
    return table

# %% wrong="3.6.4" why="a final fit of each candidate" breaks="trainings" says="a final fit does not count"
def k_fold_cost(n, k, c):
    return (k + 1) * c, c * (k - 1) * n

# %% wrong="3.6.4" why="the rows of a final fit of each candidate" breaks="rows" says="fitted on 48"
def k_fold_cost(n, k, c):
    return k * c, c * k * (n - n // k) + c * n

# %% wrong="3.6.4" why="as many trainings as pairs of folds" breaks="trainings" says="pairs of folds"
def k_fold_cost(n, k, c):
    return math.comb(k, 2) * c, c * (k - 1) * n

# %% wrong="3.6.5" why="divides by n and then multiplies by k - 1" breaks="value" says="as if each model were fitted on n/k"
def k_fold_bias(n, k, variance):
    return variance / n * (k - 1)

# %% wrong="3.6.2" why="each group has the fold of its first row" breaks="no empty fold" says="wherever their rows"
def group_folds(groups, k):
    folds = torch.arange(len(groups)) * k // len(groups)
    for g in groups.unique():
        folds[groups == g] = folds[groups == g][0].item()
    return folds

# %% wrong="3.6.6" why="perceptron of twenty rounds" breaks="signs" says="Your b is 0 here"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    s = torch.zeros(A.shape[1], dtype=X.dtype)
    for _ in range(20):
        for a, label in zip(A, labels):
            if (a @ s) * label <= 0:
                s = s + label * a
    s = s / s.norm() * size
    return s[:-1], s[-1]

# %% wrong="3.6.6" why="from the mean of one class to that of the other" breaks="signs" says="from the mean of one class"
def tiny_separator(X, labels, size):
    up, down = X[labels > 0], X[labels < 0]
    if len(up) == 0 or len(down) == 0:
        return torch.zeros(X.shape[1], dtype=X.dtype), labels[0] * size
    w = up.mean(dim=0) - down.mean(dim=0)
    b = -w @ (up.mean(dim=0) + down.mean(dim=0)) / 2
    norm = (w @ w + b * b).sqrt()
    return w * size / norm, b * size / norm

# %% wrong="3.6.9" why="a dictionary with a row for each different degree" breaks="shape" says="a degree is there twice"
def k_fold_table(x, y, degrees, k):
    rows = {}
    for degree in degrees:
        rows[degree] = []
        for fold in torch.tensor_split(torch.arange(len(x)), k):
            rest = torch.ones(len(x), dtype=torch.bool)
            rest[fold] = False
            rows[degree].append(squared_error(predict(fit(x[rest], y[rest], degree), x[fold]), y[fold]))
    return torch.stack([torch.stack(row) for row in rows.values()])

# %% wrong="3.6.A" why="the root of the second error" breaks="mean of squares" says="root of the mean"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    return squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new).sqrt()

# %% wrong="3.6.A" why="how uncertain the mean is" breaks="mean of squares" says="how uncertain the mean is"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    losses = (w * x_new + b - y_new).square()
    return squared_error(w * x_known + b, y_known), losses.std() / math.sqrt(len(losses))

# %% wrong="3.6.1b" why="the mean of the variances of the repeated places" breaks="error" says="of the two variances there"
def best_possible(x, y):
    places = x.unique()
    variances = [y[x == place].var(correction=0) for place in places if (x == place).sum() > 1]
    return len(places) - 1, float(sum(variances) / max(1, len(variances)))

# %% wrong="3.6.3" why="divides each row by 0.05 at least" breaks="value" says="however small that is"
def least_error(p, values):
    px = p.sum(dim=1)
    given = p / px.clamp(min=0.05)[:, None]
    return (px * (given * (values - (given @ values)[:, None]) ** 2).sum(dim=1)).sum()

# %% wrong="3.6.C" why="the last slice ends at n_test" breaks="sizes" says="ends before place b"
def three_sets(order, n_val, n_test):
    return order[n_val + n_test:], order[:n_val], order[n_val:n_test]

# %% wrong="3.6.1a" why="solved in float32, and returned in it" breaks="exact" says="yours come back in float32"
def through_all_points(x, y):
    F = powers(x, len(x) - 1).float()
    return torch.linalg.solve(F, y.float())

# %% wrong="3.6.7" why="degree n - 1 for each size" breaks="training errors" says="as those of degree n - 1 do"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    rows = []
    for n in sizes:
        c = fit(x[:n], y[:n], n - 1)
        rows.append([squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item()])
    return torch.tensor(rows)

# %% wrong="3.6.1b" why="places rounded to four decimals" breaks="degree" says="equal or different, however close"
def best_possible(x, y):
    r = x.round(decimals=4)
    places = r.unique()
    error = sum(((y[r == p] - y[r == p].mean()) ** 2).sum() for p in places) / len(x)
    return len(places) - 1, error

# %% wrong="3.6.1b" why="equal places joined where they are neighbours" breaks="degree" says="wherever they stand, not only next to each other"
def best_possible(x, y):
    _, inverse = x.unique_consecutive(return_inverse=True)
    k = int(inverse.max()) + 1
    means = torch.stack([y[inverse == j].mean() for j in range(k)])
    return k - 1, squared_error(means[inverse], y)

# %% wrong="3.6.1a" why="solved in float32, handed back in float64" breaks="exact" says="numbers of float32"
def through_all_points(x, y):
    F = powers(x.float(), len(x) - 1)
    return torch.linalg.solve(F, y.float()).double()

# %% wrong="3.6.7" why="the degree taken for the number of coefficients" breaks="validation errors" says="not the number of coefficients"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    table = []
    for n in sizes:
        c = fit(x[:n], y[:n], max(degree - 1, 0))
        table.append((squared_error(predict(c, x[:n]), y[:n]).item(), squared_error(predict(c, x_val), y_val).item()))
    return torch.tensor(table, dtype=torch.float64)

# %% wrong="3.6.C" why="drawn with replacement" breaks="each row once" says="cut at two places"
def three_sets(order, n_val, n_test):
    g = torch.Generator().manual_seed(0)
    val = order[torch.randint(len(order), (n_val,), generator=g)]
    test = order[torch.randint(len(order), (n_test,), generator=g)]
    return order[n_val + n_test:], val, test

# %% wrong="3.6.4" why="the rows as a rounded float" breaks="rows" says="right but for its rounding"
def k_fold_cost(n, k, c):
    return k * c, k * c * n * (1 - 1 / k)

# %% wrong="3.6.2" why="the range of the groups' numbers cut into equal parts" breaks="no empty fold" says="whatever their own numbers"
def group_folds(groups, k):
    low, high = int(groups.min()), int(groups.max())
    return ((groups - low) * k // (high - low + 1))

# %% wrong="3.6.6" why="the root of size" breaks="size" says="is the root of size"
def tiny_separator(X, labels, size):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    c = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0]
    c = c * math.sqrt(size) / c.norm()
    return c[:-1], c[-1]

# %% right="3.6.2" how="the groups from number k - 1 on share the last fold"
def group_folds(groups, k):
    return groups.unique(return_inverse=True)[1].clamp(max=k - 1)

# %% wrong="3.6.1b" why="double() taken for a copy: writes into targets of float64" breaks="arguments kept" says="y after the call, of dtype float64"
def best_possible(x, y):
    rest = y.double()
    for place in x.unique():
        rest[x == place] -= rest[x == place].mean()
    return len(x.unique()) - 1, (rest ** 2).mean().item()

# %% wrong="3.6.3" why="double() taken for a copy: writes into a table of float64" breaks="arguments kept" says="p after the call, of dtype float64"
def least_error(p, values):
    table, v = p.double(), values.double()
    px = table.sum(dim=1)
    table /= px.clamp(min=1e-300)[:, None]
    mean = table @ v
    return (px @ (table * (v - mean[:, None]) ** 2).sum(dim=1)).item()

# %% wrong="3.6.A" why="divides the training error by n - 2, two parameters being fitted" breaks="mean of squares" says="not by two less"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    train = ((w * x_known + b - y_known) ** 2).sum() / (len(x_known) - 2)
    new = ((w * x_new + b - y_new) ** 2).mean()
    return train, new

# %% wrong="3.6.4" why="counts a final fit for each candidate" breaks="trainings" says="the final fit does not count"
def k_fold_cost(n, k, c):
    return c * (k + 1), c * k * (n - n // k) + c * n
