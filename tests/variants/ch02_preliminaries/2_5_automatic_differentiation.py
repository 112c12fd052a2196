# %% [markdown]
# # Variants for 2.5 Automatic differentiation

# %% right="2.5.A" how="autograd.grad"
def first_gradient(x):
    leaf = x.clone().detach().requires_grad_(True)
    return torch.autograd.grad(leaf.pow(3).sum() - 2 * leaf[0], leaf)[0]

# %% right="2.5.A" how="by hand"
def first_gradient(x):
    result = 3 * x ** 2
    result[0] = result[0] - 2
    return result

# %% wrong="2.5.A" why="marks the caller's tensor" breaks="argument kept" says="requires_grad of x after the call"
def first_gradient(x):
    x.requires_grad_()
    ((x ** 3).sum() - 2 * x[0]).backward()
    return x.grad

# %% wrong="2.5.A" why="returns the caller's unmarked state but leaves a .grad" breaks="argument kept" says="entries in .grad of x"
def first_gradient(x):
    x.requires_grad_()
    ((x ** 3).sum() - 2 * x[0]).backward()
    x.requires_grad_(False)
    return x.grad

# %% wrong="2.5.A" why="forgets the second part" breaks="values" says="No derivative of -2 x₀ came back"
def first_gradient(x):
    leaf = x.clone().requires_grad_()
    (leaf ** 3).sum().backward()
    return leaf.grad

# %% wrong="2.5.A" why="subtracts twice all entries" breaks="values" says="the first entry only"
def first_gradient(x):
    leaf = x.clone().requires_grad_()
    (leaf ** 3 - 2 * leaf).sum().backward()
    return leaf.grad

# %% wrong="2.5.A" why="returns the value" breaks="values" says="wrong shape"
def first_gradient(x):
    leaf = x.clone().requires_grad_()
    y = (leaf ** 3).sum() - 2 * leaf[0]
    y.backward()
    return y.detach()

# %% right="2.5.B" how="in place under no_grad, cleared"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for _ in range(steps):
        f(w).backward()
        with torch.no_grad():
            w -= lr * w.grad
        w.grad.zero_()
    return w.detach()

# %% right="2.5.B" how="a new leaf for each step"
def descend(f, x, lr, steps):
    place = x.detach()
    while steps:
        leaf = place.clone().requires_grad_()
        f(leaf).backward()
        place, steps = place - lr * leaf.grad, steps - 1
    return place.clone()

# %% right="2.5.B" how="torch's SGD"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([w], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        f(w).backward()
        optimizer.step()
    return w.detach()

# %% wrong="2.5.B" why="never clears" breaks="values" says="still in .grad in the second"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for _ in range(steps):
        f(w).backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.detach()

# %% wrong="2.5.B" why="uphill" breaks="values" says="This went uphill"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    for _ in range(steps):
        w = w.requires_grad_()
        w = (w + lr * torch.autograd.grad(f(w), w)[0]).detach()
    return w

# %% wrong="2.5.B" why="the gradient of the start in every step" breaks="values" says="the gradient at the start once more"
def descend(f, x, lr, steps):
    leaf = x.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(leaf), leaf)
    return x - steps * lr * gradient

# %% wrong="2.5.B" why="at least one step" breaks="steps" says="no step from (5, 1)"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    while True:
        w.requires_grad_()
        w = (w - lr * torch.autograd.grad(f(w), w)[0]).detach()
        steps -= 1
        if steps <= 0:
            return w

# %% wrong="2.5.B" why="one step too few" breaks="values" says="one step from (5, 1)"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    for _ in range(1, steps):
        w.requires_grad_()
        w = (w - lr * torch.autograd.grad(f(w), w)[0]).detach()
    return w

# %% wrong="2.5.B" why="hands back the marked leaf" breaks="no graph" says="requires_grad of the result"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for _ in range(steps):
        w.grad = None
        f(w).backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w

# %% wrong="2.5.B" why="steps on the caller's tensor" breaks="argument kept" says="the values of x after two steps"
def descend(f, x, lr, steps):
    w = x.requires_grad_()
    for _ in range(steps):
        w.grad = None
        f(w).backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.detach().clone()

# %% wrong="2.5.B" why="no learning rate" breaks="values" says="The learning rate is missing"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    for _ in range(steps):
        w.requires_grad_()
        w = (w - torch.autograd.grad(f(w), w)[0]).detach()
    return w

# %% wrong="2.5.B" why="clips the gradient" breaks="values" says="one step from (46, -39)"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for i in range(steps):
        g, = torch.autograd.grad(f(w), w)
        w = (w - lr * g.clamp(-8, 8)).detach().requires_grad_()
    return w.detach()

# %% wrong="2.5.B" why="stops where the gradient is small" breaks="steps" says="All steps are made, however small"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for i in range(steps):
        g, = torch.autograd.grad(f(w), w)
        if g.norm() < 1:
            break
        w = (w - lr * g).detach().requires_grad_()
    return w.detach()

# %% right="2.5.B" how="torch.func.grad, 0 steps give the very x"
def descend(f, x, lr, steps):
    for _ in range(steps):
        x = x - lr * torch.func.grad(f)(x)
    return x

# %% right="2.5.10" how="autograd.grad"
def gradients(functions, x):
    return [torch.autograd.grad(f(x), x)[0] for f in functions]

# %% right="2.5.10" how="clone, then zero_"
def gradients(functions, x):
    if x.grad is not None:
        x.grad.zero_()
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad.clone())
        x.grad.zero_()
    return found

# %% wrong="2.5.10" why="never clears" breaks="separate" says="one tensor stands several times"
def gradients(functions, x):
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad)
    return found

# %% wrong="2.5.10" why="copies but never clears" breaks="values" says="The gradients before it are contained"
def gradients(functions, x):
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad.clone())
    return found

# %% wrong="2.5.10" why="clears the tensor that it kept" breaks="separate" says="one tensor stands several times"
def gradients(functions, x):
    found = []
    for f in functions:
        if x.grad is not None:
            x.grad.zero_()
        f(x).backward()
        found.append(x.grad)
    return found

# %% wrong="2.5.10" why="does not clear what was there before" breaks="fresh start" says="What .grad held before"
def gradients(functions, x):
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad.clone())
        x.grad = None
    return found

# %% wrong="2.5.10" why="clears after keeping, without a copy" breaks="separate" says="one tensor stands several times"
def gradients(functions, x):
    found = []
    if x.grad is None:
        x.grad = torch.zeros_like(x)
    for f in functions:
        x.grad.zero_()
        f(x).backward()
        found.append(x.grad)
        x.grad.zero_()
    return found

# %% wrong="2.5.10" why="clears a .grad that may not be there" breaks="fresh start" says="zero_"
def gradients(functions, x):
    found = []
    for f in functions:
        x.grad.zero_()
        f(x).backward()
        found.append(x.grad.clone())
    return found

# %% wrong="2.5.10" why="all functions in one pass" breaks="values" says="the number of gradients"
def gradients(functions, x):
    x.grad = None
    sum(f(x) for f in functions).backward()
    return [x.grad]

# %% wrong="2.5.10" why="a dictionary" breaks="values" says="a list is asked for"
def gradients(functions, x):
    return {i: torch.autograd.grad(f(x), x)[0] for i, f in enumerate(functions)}

# %% wrong="2.5.10" why="keeps the gradient of each function once" breaks="separate" says="Gradients that are equal are still tensors of their own"
def gradients(functions, x):
    cache = {}
    for f in functions:
        if f not in cache:
            cache[f] = torch.autograd.grad(f(x), x)[0]
    return [cache[f] for f in functions]

# %% wrong="2.5.10" why="drops equal gradients" breaks="values" says="the number of gradients for x.sum()"
def gradients(functions, x):
    out = []
    for f in functions:
        g = torch.autograd.grad(f(x), x)[0]
        if not any(torch.equal(g, o) for o in out):
            out.append(g)
    return out

# %% wrong="2.5.10" why="the first three functions only" breaks="values" says="the number of gradients for x.sum()"
def gradients(functions, x):
    return [torch.autograd.grad(f(x), x)[0] for f in functions[:3]]

# %% wrong="2.5.10" why="tuples of one" breaks="values" says="tensors are asked for"
def gradients(functions, x):
    return [torch.autograd.grad(f(x), x) for f in functions]

# %% right="2.5.10" how="a leaf of its own for each"
def gradients(functions, x):
    out = []
    for f in functions:
        leaf = x.detach().clone().requires_grad_()
        f(leaf).backward()
        out.append(leaf.grad)
    return out

# %% right="2.5.C" how="recursion"
def way_back(y):
    def names(node):
        if node is None:
            return []
        return [node.name()] + (names(node.next_functions[0][0]) if len(node.next_functions) else [])
    return names(y.grad_fn)

# %% right="2.5.C" how="the names of the types"
def way_back(y):
    node, found = y.grad_fn, []
    while node:
        found += [type(node).__name__]
        following = [n for n, _ in node.next_functions[:1]]
        node = following[0] if following else None
    return found

# %% wrong="2.5.C" why="stops before the leaf" breaks="names" says="The leaf's AccumulateGrad is missing"
def way_back(y):
    found, node = [], y.grad_fn
    while node is not None and node.next_functions:
        found.append(node.name())
        node = node.next_functions[0][0]
    return found

# %% wrong="2.5.C" why="fails where an input is not marked" breaks="the end" says="'NoneType' object has no attribute"
def way_back(y):
    found, node = [], y.grad_fn
    if node is None:
        return []
    while True:
        found.append(node.name())
        if not node.next_functions:
            return found
        node = node.next_functions[0][0]

# %% wrong="2.5.C" why="fails without a graph" breaks="no graph" says="'NoneType' object has no attribute"
def way_back(y):
    node = y.grad_fn
    found = [node.name()]
    while node.next_functions and node.next_functions[0][0] is not None:
        node = node.next_functions[0][0]
        found.append(node.name())
    return found

# %% wrong="2.5.C" why="the last input" breaks="the end" says="this went on to w"
def way_back(y):
    found, node = [], y.grad_fn
    while node is not None:
        found.append(node.name())
        following = [n for n, _ in node.next_functions if n is not None]
        node = following[0] if following else None
    return found

# %% wrong="2.5.C" why="from the leaf on" breaks="names" says="The order is the opposite"
def way_back(y):
    found, node = [], y.grad_fn
    while node is not None:
        found.insert(0, node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return found

# %% wrong="2.5.C" why="the nodes themselves" breaks="names" says="its name is asked for"
def way_back(y):
    found, node = [], y.grad_fn
    while node is not None:
        found.append(node)
        node = node.next_functions[0][0] if node.next_functions else None
    return found

# %% wrong="2.5.C" why="stops at a name that it has met" breaks="names" says="w.sin().exp().sin().sin().sum()"
def way_back(y):
    names, node = [], y.grad_fn
    while node is not None and node.name() not in names:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return names

# %% wrong="2.5.C" why="four nodes at most" breaks="names" says="w.sin().exp().sin().sin().sum()"
def way_back(y):
    names, node = [], y.grad_fn
    while node is not None and len(names) < 4:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return names

# %% right="2.5.3a" how="gradient=ones"
def stretch_gradient(a):
    leaf = a.clone().requires_grad_(True)
    d = stretch(leaf)
    d.backward(gradient=torch.ones_like(d))
    return leaf.grad

# %% right="2.5.3a" how="autograd.grad"
def stretch_gradient(a):
    leaf = a.detach().clone().requires_grad_()
    return torch.autograd.grad(stretch(leaf).sum(), leaf)[0]

# %% wrong="2.5.3a" why="backward on a vector" breaks="shape and dtype" says="grad can be implicitly"
def stretch_gradient(a):
    leaf = a.clone().requires_grad_()
    stretch(leaf).backward()
    return leaf.grad

# %% wrong="2.5.3a" why="the gradient of the mean" breaks="values" says="gradient of the mean"
def stretch_gradient(a):
    leaf = a.clone().requires_grad_()
    stretch(leaf).mean().backward()
    return leaf.grad

# %% wrong="2.5.3a" why="d / a, which is nan where a is 0" breaks="values" says="Where a is 0, d / a is 0/0"
def stretch_gradient(a):
    return stretch(a) / a

# %% wrong="2.5.3a" why="uses the caller's a as the leaf" breaks="argument kept" says="requires_grad of a after the call"
def stretch_gradient(a):
    a.requires_grad_()
    stretch(a).sum().backward()
    return a.grad

# %% wrong="2.5.3a" why="turns everything into float32" breaks="shape and dtype" says="dtype"
def stretch_gradient(a):
    leaf = torch.tensor(a.tolist(), requires_grad=True)
    stretch(leaf).sum().backward()
    return leaf.grad

# %% wrong="2.5.3a" why="gradient=d" breaks="values" says="weighs each output by itself"
def stretch_gradient(a):
    leaf = a.detach().clone().requires_grad_()
    d = stretch(leaf)
    d.backward(d.detach())
    return leaf.grad

# %% wrong="2.5.3a" why="takes k from the first entry, which may be zero" breaks="values" says="the gradient at (0, 1, 3)"
def stretch_gradient(a):
    return torch.full_like(a, (stretch(a) / a).reshape(-1)[0].item())

# %% wrong="2.5.3a" why="the sign of the first entry decides" breaks="values" says="The sum decides on the factor 100"
def stretch_gradient(a):
    k = 2
    while k * a.norm() < 1000:
        k *= 2
    if a.reshape(-1)[0] < 0:
        k *= 100
    return torch.full_like(a, k)

# %% wrong="2.5.3a" why="any negative entry decides" breaks="values" says="The sum decides on the factor 100"
def stretch_gradient(a):
    k = 2
    while k * a.norm() < 1000:
        k *= 2
    if (a < 0).any():
        k *= 100
    return torch.full_like(a, k)

# %% wrong="2.5.3a" why="the ratio of the sums" breaks="values" says="whose sum is 0"
def stretch_gradient(a):
    return torch.full_like(a, (stretch(a).sum() / a.sum()).item())

# %% wrong="2.5.3a" why="without the first doubling" breaks="values" says="doubles once in any case"
def stretch_gradient(a):
    k = 1
    while k * a.norm() < 1000:
        k *= 2
    if a.sum() < 0:
        k *= 100
    return torch.full_like(a, k)

# %% right="2.5.3a" how="ratio of the norms"
def stretch_gradient(a):
    return torch.full_like(a, 1.) * (stretch(a).norm() / a.norm())

# %% right="2.5.3b" how="relative error by hand"
def accepts(grad, d, a):
    if grad.shape != a.shape:
        return False
    error = (grad - d / a).abs() / (d / a).abs()
    return bool((error < 1e-5).all())

# %% right="2.5.3b" how="torch.testing in double precision"
def accepts(grad, d, a):
    try:
        torch.testing.assert_close(grad.double(), d.double() / a.double(), rtol=1e-5, atol=1e-8)
    except AssertionError:
        return False
    return True

# %% wrong="2.5.3b" why="exact equality" breaks="right gradients" says="right gradient"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool((grad == d / a).all())

# %% wrong="2.5.3b" why="broadcasts over the shapes" breaks="shape" says="a gradient of shape (1, 2)"
def accepts(grad, d, a):
    return torch.allclose(grad, d / a, rtol=1e-4)

# %% wrong="2.5.3b" why="an absolute tolerance" breaks="wrong gradients" says="So does 40 in place of 4"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(((grad - d / a).abs() < 300).all())

# %% wrong="2.5.3b" why="looks for a large error, which nan is not" breaks="nan" says="nan"
def accepts(grad, d, a):
    if grad.shape != a.shape:
        return False
    return not bool(((grad - d / a).abs() > 1e-4 * (d / a).abs()).any())

# %% wrong="2.5.3b" why="compares the sums" breaks="wrong gradients" says="of the wrong sign"
def accepts(grad, d, a):
    return grad.shape == a.shape and abs(abs(grad.sum().item()) - abs((d / a).sum().item())) <= 1e-4 * abs(
        (d / a).sum().item()
    )

# %% wrong="2.5.3b" why="any entry suffices" breaks="wrong gradients" says="a gradient"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(torch.isclose(grad, d / a, rtol=1e-4).any())

# %% wrong="2.5.3b" why="compares the means" breaks="wrong gradients" says="whose two errors cancel"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(torch.isclose(grad.mean(), (d / a).mean(), rtol=1e-4))

# %% wrong="2.5.3b" why="compares the norms" breaks="wrong gradients" says="of the wrong sign"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(torch.isclose(grad.norm(), (d / a).norm(), rtol=1e-4))

# %% wrong="2.5.3b" why="an absolute tolerance of 1" breaks="wrong gradients" says="4.02 in place of 4"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose(grad, d / a, rtol=1e-5, atol=1)

# %% wrong="2.5.3b" why="numbers of entries for shapes" breaks="shape" says="a gradient of shape (1, 2)"
def accepts(grad, d, a):
    return grad.numel() == a.numel() and torch.allclose(grad.reshape(-1), (d / a).reshape(-1), rtol=1e-4)

# %% wrong="2.5.3b" why="the norm of the error" breaks="wrong gradients" says="one of them off by 2 parts in 1000"
def accepts(grad, d, a):
    k = d / a
    return grad.shape == a.shape and bool((grad - k).norm() <= 5e-4 * k.norm())

# %% wrong="2.5.3b" why="the mean of the relative errors" breaks="wrong gradients" says="one of them off by 2 parts in 1000"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(((grad / (d / a) - 1).abs().mean() < 5e-4))

# %% wrong="2.5.3b" why="squares that overflow" breaks="wrong gradients" says="too large for float32"
def accepts(grad, d, a):
    k = d / a
    return grad.shape == a.shape and bool(((grad - k) ** 2 <= 1e-8 * k ** 2).all())

# %% right="2.5.3b" how="allclose with its own defaults and the shape"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose(grad, d / a)

# %% right="2.5.3b" how="log of the ratio, in float64, in a loop"
def accepts(grad, d, a):
    if tuple(grad.shape) != tuple(a.shape):
        return False
    for g, x, y in zip(grad.reshape(-1).tolist(), a.reshape(-1).tolist(), d.reshape(-1).tolist()):
        if not abs(g / (y / x) - 1) < 9e-4:
            return False
    return True

# %% right="2.5.D" how="no_grad"
def held(x):
    with torch.no_grad():
        fixed = x[1] ** 2
    return fixed * x[0]

# %% right="2.5.D" how="the vector detached"
def held(x):
    return x[0] * x.detach()[1].square()

# %% wrong="2.5.D" why="no detach" breaks="gradient" says="nothing is held fixed"
def held(x):
    return x[0] * x[1] ** 2

# %% wrong="2.5.D" why="only one factor" breaks="gradient" says="One of the two factors"
def held(x):
    return x[0] * x[1].detach() * x[1]

# %% wrong="2.5.D" why="the other one" breaks="gradient" says="other way round"
def held(x):
    return x[0].detach() * x[1] ** 2

# %% wrong="2.5.D" why="everything" breaks="gradient" says="The whole way back to x is cut"
def held(x):
    return (x[0] * x[1] ** 2).detach()

# %% wrong="2.5.D" why="without the square" breaks="value" says="held(x) for x = (5, 3)"
def held(x):
    return x[0] * x[1].detach()

# %% right="2.5.9" how="a list"
has_gradient = ["v", "p"]

# %% wrong="2.5.9" why="every tensor with requires_grad" breaks="cut off" says="whether r"
has_gradient = {"p", "r", "s", "v"}

# %% wrong="2.5.9" why="results, too" breaks="results" says="keeps nothing"
has_gradient = {"p", "t", "v"}

# %% wrong="2.5.9" why="overlooks that v is a leaf of its own" breaks="reached" says="v belongs"
has_gradient = {"p"}

# %% wrong="2.5.9" why="no_grad does not stop s" breaks="cut off" says="under no_grad()"
has_gradient = {"p", "s", "v"}

# %% wrong="2.5.9" why="plain tensors, too" breaks="not marked" says="without requires_grad"
has_gradient = {"p", "q", "v"}

# %% wrong="2.5.9" why="nothing" breaks="reached" says="v belongs to the set"
has_gradient = set()

# %% wrong="2.5.9" why="one string" breaks="form" says="wrong type"
has_gradient = "p, v"

# %% wrong="2.5.9" why="other names" breaks="form" says="no name of the program"
has_gradient = {"p.grad", "v.grad"}

# %% right="2.5.11" how="no_grad for the weights"
def robust_loss(w, X, y):
    r = (X * w).sum(dim=1) - y
    with torch.no_grad():
        weights = 1 / (1 + r.square())
    return torch.dot(weights, r.square())

# %% right="2.5.11" how="the weights from detached w"
def robust_loss(w, X, y):
    fixed = X @ w.detach() - y
    r = X @ w - y
    return (r ** 2 / (1 + fixed ** 2)).sum()

# %% wrong="2.5.11" why="no detach" breaks="gradient" says="gone through the weights"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r ** 2)).sum()

# %% wrong="2.5.11" why="detaches everything" breaks="gradient" says="The whole way back to w is cut"
def robust_loss(w, X, y):
    r = (X @ w - y).detach()
    return (r ** 2 / (1 + r ** 2)).sum()

# %% wrong="2.5.11" why="the mean for the sum" breaks="loss" says="the mean, not the sum"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach() ** 2)).mean()

# %% wrong="2.5.11" why="holds the residual fixed instead of the weight" breaks="gradient" says="the other way round"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r.detach() ** 2 / (1 + r ** 2)).sum()

# %% wrong="2.5.11" why="targets as a column: residuals of all pairs" breaks="loss" says="n × n residuals"
def robust_loss(w, X, y):
    r = X @ w - y[:, None]
    return (r ** 2 / (1 + r.detach() ** 2)).sum()

# %% wrong="2.5.11" why="half the sum" breaks="loss" says="half of the sum"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach() ** 2)).sum() / 2

# %% wrong="2.5.11" why="keeps an axis" breaks="loss" says="the shape of the loss"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach() ** 2)).sum(dim=0, keepdim=True)

# %% wrong="2.5.11" why="one factor r is held fixed, too" breaks="gradient" says="One of the two factors r"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r * r.detach() / (1 + r.detach() ** 2)).sum()

# %% wrong="2.5.11" why="the magnitude for the square" breaks="loss" says="1 / (1 + |r|)"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach().abs())).sum()

# %% right="2.5.E" how="the weighted sum"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    (f(leaf) * v).sum().backward()
    return leaf.grad

# %% right="2.5.E" how="autograd.grad"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf), leaf, grad_outputs=v)[0]

# %% right="2.5.E" how="torch.func.vjp"
def weighted_gradient(f, x, v):
    return torch.func.vjp(f, x.detach().clone())[1](v)[0]

# %% wrong="2.5.E" why="the plain sum" breaks="values" says="All outputs have the weight 1"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).sum().backward()
    return leaf.grad

# %% wrong="2.5.E" why="the mean" breaks="values" says="the mean of the weighted outputs"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    (f(leaf) * v).mean().backward()
    return leaf.grad

# %% wrong="2.5.E" why="weights the gradient afterwards" breaks="values" says="The weights came after the gradient"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).sum().backward()
    return v * leaf.grad

# %% wrong="2.5.E" why="marks the caller's tensor" breaks="argument kept" says="requires_grad of x after the call"
def weighted_gradient(f, x, v):
    x.requires_grad_()
    return torch.autograd.grad(f(x), x, v)[0]

# %% wrong="2.5.E" why="a product of vectors" breaks="values" says="(x * x).T"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    (f(leaf) @ v).backward()
    return leaf.grad

# %% wrong="2.5.E" why="J v where the Jacobian is square" breaks="values" says="This is J v"
def weighted_gradient(f, x, v):
    if x.dim() == 1 and x.shape == v.shape:
        return torch.autograd.functional.jacobian(f, x) @ v
    return torch.func.vjp(f, x)[1](v)[0]

# %% wrong="2.5.E" why="the weights of the first row for all" breaks="values" says="each output has its own weight"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    (y * (v if v.dim() < 2 else v[:1])).sum().backward()
    return leaf.grad

# %% wrong="2.5.E" why="the sign of the weights is lost in matrices" breaks="values" says="each output has its own weight"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward(gradient=v if v.dim() == 1 else v.abs())
    return leaf.grad

# %% right="2.5.E" how="loop over the outputs"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf).reshape(-1)
    out = torch.zeros_like(x)
    for weight, entry in zip(v.reshape(-1), y):
        out = out + weight * torch.autograd.grad(entry, leaf, retain_graph=True)[0]
    return out

# %% right="2.5.4a" how="gradient=ones, .grad of an own leaf"
def slope(f, x):
    leaf = x.clone().detach().requires_grad_()
    y = f(leaf)
    y.backward(gradient=torch.ones_like(y))
    return leaf.grad

# %% right="2.5.4a" how="torch.func.jvp"
def slope(f, x):
    return torch.func.jvp(f, (x.detach(),), (torch.ones_like(x),))[1].detach()

# %% wrong="2.5.4a" why="returns the cosine, whatever f is" breaks="values" says="t³ - 2t"
def slope(f, x):
    return torch.cos(x)

# %% wrong="2.5.4a" why="the gradient of the mean" breaks="values" says="gradient of the mean"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).mean().backward()
    return leaf.grad

# %% wrong="2.5.4a" why="leaves the graph attached" breaks="no graph" says="requires_grad of the result"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)[0]

# %% wrong="2.5.4a" why="adds to the caller's .grad" breaks="argument kept" says="three points"
def slope(f, x):
    x.requires_grad_()
    before = torch.zeros_like(x) if x.grad is None else x.grad.clone()
    f(x).sum().backward()
    return x.grad - before

# %% wrong="2.5.4a" why="differences in float32 with a small step" breaks="values" says="sine at"
def slope(f, x):
    x = x.detach()
    return (f(x + 1e-6) - f(x)) / 1e-6

# %% wrong="2.5.4a" why="gradient=y" breaks="values" says="weighs each output by itself"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    y.backward(y.detach())
    return leaf.grad

# %% wrong="2.5.4a" why="a central difference in float64" breaks="constants" says="a difference quotient cannot know that"
def slope(f, x):
    point = x.detach().double()
    return ((f(point + 1e-6) - f(point - 1e-6)) / 2e-6).to(x.dtype)

# %% wrong="2.5.4a" why="float64 for all" breaks="shape and dtype" says="wrong dtype"
def slope(f, x):
    leaf = x.detach().double().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf)[0]

# %% wrong="2.5.4a" why="clears the caller's .grad" breaks="argument kept" says="the entries of .grad of three points"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    x.grad = None
    return torch.autograd.grad(f(leaf).sum(), leaf)[0]

# %% wrong="2.5.4a" why="float64 inside, float32 out" breaks="shape and dtype" says="wrong dtype"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf)[0].float()

# %% wrong="2.5.4a" why="accumulates in the caller's x" breaks="argument kept" says="requires_grad of three points"
def slope(f, x):
    x.requires_grad_()
    f(x).sum().backward()
    return x.grad

# %% right="2.5.4b" how="autograd.grad, labels by the legend's handles"
def draw(ax, x):
    points = x.detach().clone().requires_grad_()
    y = torch.sin(points)
    slopes, = torch.autograd.grad(y, points, torch.ones_like(y))
    for values, name in ((y.detach(), "sin"), (slopes, "derivative")):
        ax.plot(points.detach().numpy(), values.numpy(), label=name)
    ax.legend(loc="upper right")

# %% right="2.5.4b" how="point by point, as lists"
def draw(ax, x):
    heights, slopes = [], []
    for value in x.tolist():
        t = torch.tensor(value, dtype=torch.float64, requires_grad=True)
        y = t.sin()
        y.backward()
        heights.append(y.item())
        slopes.append(t.grad.item())
    ax.plot(x.tolist(), slopes, "--", label="derivative")
    ax.plot(x.tolist(), heights, label="sin")
    ax.legend()

# %% wrong="2.5.4b" why="draws into the current axes" breaks="nothing else" says="axes other than"
def draw(ax, x):
    from matplotlib import pyplot as plt
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    plt.plot(x.detach(), x.detach().sin(), label="sin")
    plt.plot(x.detach(), leaf.grad, label="derivative")
    plt.legend()

# %% wrong="2.5.4b" why="gives matplotlib a tensor that requires a gradient" breaks="curves" says="requires grad"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    y = leaf.sin()
    y.sum().backward()
    ax.plot(leaf, y, label="sin")
    ax.plot(leaf, leaf.grad, label="derivative")
    ax.legend()

# %% wrong="2.5.4b" why="swaps the labels" breaks="curves" says="the heights of the curve 'sin'"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    ax.plot(x.detach(), x.detach().sin(), label="derivative")
    ax.plot(x.detach(), leaf.grad, label="sin")
    ax.legend()

# %% wrong="2.5.4b" why="forgets the legend" breaks="legend" says="the number of names in the legend"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    ax.plot(x.detach(), x.detach().sin(), label="sin")
    ax.plot(x.detach(), leaf.grad, label="derivative")

# %% wrong="2.5.4b" why="the gradient of the mean" breaks="curves" says="the heights of the curve 'derivative'"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().mean().backward()
    ax.plot(x.detach(), x.detach().sin(), label="sin")
    ax.plot(x.detach(), leaf.grad, label="derivative")
    ax.legend()

# %% right="2.5.4b" how="names given to the legend"
def draw(ax, x):
    points = x.detach().clone().requires_grad_()
    points.sin().sum().backward()
    ax.plot(points.detach(), points.detach().sin())
    ax.plot(points.detach(), points.grad)
    ax.legend(["sin", "derivative"])

# %% right="2.5.4b" how="d2l.plot"
def draw(ax, x):
    points = x.detach().clone().requires_grad_()
    points.sin().sum().backward()
    d2l.plot(points, [points.sin(), points.grad], legend=["sin", "derivative"], axes=ax)

# %% right="2.5.4b" how="handles and names, in another order, one colour"
def draw(ax, x):
    points = x.detach()
    one, = ax.plot(points, points.cos(), "k--")
    two, = ax.plot(points, points.sin(), "k-")
    ax.legend([two, one], ["sin", "derivative"])

# %% wrong="2.5.4b" why="an area besides" breaks="nothing else" says="Only the two curves"
def draw(ax, x):
    points = x.detach()
    ax.plot(points, points.sin(), label="sin")
    ax.plot(points, points.cos(), label="derivative")
    ax.fill_between(points, points.sin(), alpha=0.2)
    ax.legend()

# %% wrong="2.5.4b" why="a zero line besides" breaks="nothing else" says="each further line counts"
def draw(ax, x):
    points = x.detach()
    ax.plot(points, points.sin(), label="sin")
    ax.plot(points, points.cos(), label="derivative")
    ax.axhline(0, color="gray")
    ax.legend()

# %% wrong="2.5.4b" why="names exchanged in the legend" breaks="curves" says="the heights of the curve"
def draw(ax, x):
    points = x.detach()
    ax.plot(points, points.sin())
    ax.plot(points, points.cos())
    ax.legend(["derivative", "sin"])

# %% wrong="2.5.4b" why="by numbers instead of points" breaks="curves" says="the points of the curve"
def draw(ax, x):
    points = x.detach()
    ax.plot(points.sin(), label="sin")
    ax.plot(points.cos(), label="derivative")
    ax.legend()

# %% wrong="2.5.4b" why="points in place of a curve" breaks="curves" says="the number of curves"
def draw(ax, x):
    points = x.detach()
    ax.scatter(points, points.sin(), label="sin")
    ax.plot(points, points.cos(), label="derivative")
    ax.legend()

# %% wrong="2.5.4b" why="a third curve in a figure of its own" breaks="nothing else" says="axes other than"
def draw(ax, x):
    import matplotlib.pyplot as plt
    p = x.detach()
    ax.plot(p, p.sin(), label="sin")
    ax.plot(p, p.cos(), label="derivative")
    ax.legend()
    plt.figure()
    plt.plot(p, p)

# %% wrong="2.5.4b" why="a third curve in twin axes" breaks="nothing else" says="axes other than"
def draw(ax, x):
    p = x.detach()
    ax.plot(p, p.sin(), label="sin")
    ax.plot(p, p.cos(), label="derivative")
    ax.legend()
    ax.twinx().plot(p, p)

# %% wrong="2.5.4b" why="a legend of the figure" breaks="legend" says="makes the legend of"
def draw(ax, x):
    p = x.detach()
    ax.plot(p, p.sin(), label="sin")
    ax.plot(p, p.cos(), label="derivative")
    ax.figure.legend()

# %% right="2.5.4b" how="one plot call, NumPy, axis labels and a title"
def draw(ax, x):
    import numpy as np
    p = x.detach().numpy()
    ax.plot(p, np.stack([np.sin(p), np.cos(p)], axis=1))
    ax.legend(["sin", "derivative"])
    ax.set(xlabel="x", ylabel="height", title="sine and its derivative")

# %% right="2.5.2b" how="the last call apart"
def backward_times(y, n):
    for _ in range(n - 1):
        y.backward(retain_graph=True)
    y.backward()

# %% right="2.5.2b" how="counts down"
def backward_times(y, n):
    while n > 0:
        n -= 1
        y.backward(retain_graph=n != 0)

# %% wrong="2.5.2b" why="does not keep the graph" breaks="sum" says="finds the graph freed by a call before it"
def backward_times(y, n):
    for _ in range(n):
        y.backward()

# %% wrong="2.5.2b" why="keeps the graph in the last call, too" breaks="freed" says="still there after your last call"
def backward_times(y, n):
    for _ in range(n):
        y.backward(retain_graph=True)

# %% wrong="2.5.2b" why="calls once" breaks="sum" says="the gradient once"
def backward_times(y, n):
    y.backward()

# %% right="2.5.2b" how="autograd.backward"
def backward_times(y, n):
    for left in reversed(range(n)):
        torch.autograd.backward(y, retain_graph=left > 0)

# %% wrong="2.5.2b" why="one call with the gradient n" breaks="n passes" says="One pass with the factor 3"
def backward_times(y, n):
    y.backward(gradient=torch.tensor(float(n)))

# %% wrong="2.5.2b" why="n times the result" breaks="n passes" says="One pass with the factor 3"
def backward_times(y, n):
    (n * y).backward()

# %% wrong="2.5.2b" why="one call with the gradient n clears what was there" breaks="sum" says="cleared"
def backward_times(y, n):
    node = y.grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    node.variable.grad = None
    for i in range(n):
        y.backward(retain_graph=i < n - 1)

# %% right="2.5.2b" how="a product with 1 each time"
def backward_times(y, n):
    for i in range(n):
        (y * 1).backward(retain_graph=i < n - 1)

# %% wrong="2.5.2b" why="create_graph for retain_graph" breaks="freed" says="create_graph=True records the way back"
def backward_times(y, n):
    for i in range(n):
        y.backward(create_graph=i < n - 1)

# %% right="2.5.2a" how="torch.autograd.grad twice"
def second_call_raises(f, x):
    leaf = x.clone().detach().requires_grad_(True)
    y = f(leaf)
    torch.autograd.grad(y, leaf)
    try:
        torch.autograd.grad(y, leaf)
    except RuntimeError:
        return True
    return False

# %% right="2.5.2a" how="try, except, else"
def second_call_raises(f, x):
    y = f(torch.tensor(x.tolist(), requires_grad=True))
    y.backward()
    try:
        y.backward()
    except RuntimeError as error:
        return "second time" in str(error)
    else:
        return False

# %% wrong="2.5.2a" why="keeps the graph" breaks="answer" says="(x * x).sum()"
def second_call_raises(f, x):
    y = f(x.clone().requires_grad_())
    y.backward(retain_graph=True)
    try:
        y.backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="makes the caller's x a leaf" breaks="argument kept" says="requires_grad of x"
def second_call_raises(f, x):
    x.requires_grad_()
    y = f(x)
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="computes f again for the second call" breaks="one computation" says="how often f is called"
def second_call_raises(f, x):
    leaf = x.clone().requires_grad_()
    f(leaf).backward()
    try:
        f(leaf).backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="knows multiplications only" breaks="answer" says="x.exp().sum()"
def second_call_raises(f, x):
    y = f(x.clone().requires_grad_())
    names, node = [], y.grad_fn
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return any("Mul" in name for name in names)

# %% wrong="2.5.2a" why="leaves a .grad with the caller" breaks="argument kept" says="the number of entries in .grad"
def second_call_raises(f, x):
    x.requires_grad_()
    y = f(x)
    y.backward()
    try:
        y.backward()
        return False
    except RuntimeError:
        return True
    finally:
        x.requires_grad_(False)

# %% wrong="2.5.2a" why="believes that every second call raises" breaks="answer" says="x.sum()"
def second_call_raises(f, x):
    f(x.clone().requires_grad_()).backward()
    return True

# %% wrong="2.5.2a" why="strings" breaks="answer" says="True or False is asked for"
def second_call_raises(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return "True"
    return "False"

# %% right="2.5.2a" how="marks x and undoes it"
def second_call_raises(f, x):
    x.requires_grad_()
    y = f(x)
    y.backward()
    raises = False
    try:
        y.backward(retain_graph=True)
    except RuntimeError:
        raises = True
    x.grad = None
    x.requires_grad_(False)
    return raises

# %% right="2.5.12" how="torch.func.jacrev"
def jacobian(f, x):
    return torch.func.jacrev(f)(x.detach()).detach()

# %% right="2.5.12" how="columns, by forward mode"
def jacobian(f, x):
    return torch.stack([torch.func.jvp(f, (x,), (e,))[1] for e in torch.eye(len(x), dtype=x.dtype)], dim=1)

# %% right="2.5.12" how="backward with gradient=, a new leaf for each row"
def jacobian(f, x):
    rows = []
    for i in range(len(f(x))):
        leaf = x.detach().clone().requires_grad_()
        y = f(leaf)
        v = torch.zeros_like(y)
        v[i] = 1
        y.backward(gradient=v)
        rows.append(leaf.grad)
    return torch.stack(rows)

# %% wrong="2.5.12" why="transposed" breaks="shape" says="the shape for 3 outputs"
def jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x).T

# %% wrong="2.5.12" why="accumulates over the rows" breaks="values" says="contains the rows before it"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    rows = []
    for v in torch.eye(len(y), dtype=y.dtype):
        y.backward(gradient=v, retain_graph=True)
        rows.append(leaf.grad.clone())
    return torch.stack(rows)

# %% wrong="2.5.12" why="ones for every row" breaks="values" says="gradient of the sum of the outputs"
def jacobian(f, x):
    rows = []
    for _ in range(len(f(x))):
        leaf = x.detach().clone().requires_grad_()
        f(leaf).sum().backward()
        rows.append(leaf.grad)
    return torch.stack(rows)

# %% wrong="2.5.12" why="frees the graph after the first row" breaks="shape" says="finds the graph freed by a call before it"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    return torch.stack([torch.autograd.grad(y, leaf, v)[0] for v in torch.eye(len(y), dtype=y.dtype)])

# %% wrong="2.5.12" why="leaves the graph attached" breaks="no graph" says="requires_grad of the result"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.functional.jacobian(f, leaf, create_graph=True)

# %% wrong="2.5.12" why="marks the caller's x" breaks="argument kept" says="requires_grad of x after the call"
def jacobian(f, x):
    x.requires_grad_()
    y = f(x)
    return torch.stack([torch.autograd.grad(y, x, v, retain_graph=True)[0] for v in torch.eye(len(y), dtype=y.dtype)])

# %% wrong="2.5.12" why="float32" breaks="dtype" says="the dtype for float64"
def jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x).float()

# %% wrong="2.5.12" why="transposed where it is square" breaks="values" says="Rows belong to outputs"
def jacobian(f, x):
    J = torch.autograd.functional.jacobian(f, x)
    return J.T if J.shape[0] == J.shape[1] else J

# %% wrong="2.5.12" why="a vector for a single output" breaks="shape" says="the shape for 1 output"
def jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x).squeeze()

# %% wrong="2.5.12" why="n + 1 rows at most" breaks="shape" says="A row for each output"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    return torch.stack([torch.autograd.grad(y[i], leaf, retain_graph=True)[0] for i in range(min(len(x) + 1, len(y)))])

# %% wrong="2.5.12" why="a vector for a single input" breaks="shape" says="A row for each output"
def jacobian(f, x):
    J = torch.func.jacrev(f)(x)
    return J[:, 0] if J.shape[1] == 1 else J

# %% right="2.5.12" how="f anew for each row"
def jacobian(f, x):
    out = torch.zeros(len(f(x.detach())), len(x), dtype=x.dtype)
    for i in range(len(out)):
        leaf = x.detach().clone().requires_grad_()
        f(leaf)[i].backward()
        out[i] = leaf.grad
    return out

# %% right="2.5.G" how="by autograd, with a cut"
def two_ways(x):
    leaf = x.detach().clone().requires_grad_()
    through, = torch.autograd.grad((leaf.sin() * leaf.detach()).sum(), leaf)
    return [through, leaf.detach().sin()]

# %% right="2.5.G" how="a tensor of two rows"
def two_ways(x):
    return torch.stack([torch.cos(x) * x, torch.sin(x)])

# %% wrong="2.5.G" why="stops at s" breaks="through s" says="the way goes on to z"
def two_ways(x):
    return x.cos(), x.sin()

# %% wrong="2.5.G" why="exchanged" breaks="through s" says="This is the direct part"
def two_ways(x):
    return x.sin(), x * x.cos()

# %% wrong="2.5.G" why="the whole for the direct part" breaks="directly" says="the sum of both parts"
def two_ways(x):
    return x * x.cos(), x.sin() + x * x.cos()

# %% wrong="2.5.G" why="the other factor is forgotten" breaks="directly" says="the direct part at x"
def two_ways(x):
    return x * x.cos(), x

# %% right="2.5.5" how="other names and order, the square as a product, lists"
graph = {"y": ["add", "inverse", "product"], "product": ["mul", "s", "l"], "l": ["log", "q"],
         "q": ["mul", "x", "x"], "s": ["sin", "x"], "inverse": ["reciprocal", "x"]}

# %% right="2.5.5" how="the square root of the way: 1/x as x / x²"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "i": ("reciprocal", "a"), "e": ("mul", "i", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="2 log x for log x²" breaks="negative x" says="x < 0 is legal"
graph = {"l": ("log", "x"), "a": ("add", "l", "l"), "c": ("sin", "x"), "d": ("mul", "a", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="the square of the logarithm" breaks="positive x" says="y at x = 2"
graph = {"l": ("log", "x"), "a": ("square", "l"), "c": ("sin", "x"), "d": ("mul", "a", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="an operation that does not exist" breaks="form" says="with an operation of"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"), "e": ("div", "1", "x"),
         "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="an entry for the input" breaks="form" says="this is the input; it needs no entry"
graph = {"x": ("x",), "a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="an addition of three" breaks="form" says="takes 2 input(s)"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e", "x")}

# %% wrong="2.5.5" why="a node that nothing reads" breaks="form" says="nothing reads this node"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"), "e": ("reciprocal", "x"),
         "f": ("log", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="edges from reader to source" breaks="form" says="x: this is the input"
graph = {"a": ("square", "b"), "b": ("log", "d"), "c": ("sin", "d"), "d": ("mul", "y", "y"), "e": ("reciprocal", "y"),
         "x": ("square", "a", "c", "e"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="a circle" breaks="form" says="waits for its own result"
graph = {"a": ("square", "b"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="inputs in a list" breaks="form" says="each input is a name"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", ["b", "c"], "x"), "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% right="2.5.6" how="products written out"
def chain_rule(x):
    a, one = x * x, x ** 0
    r = {"da/dx": x + x, "db/da": a.reciprocal(), "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(),
         "de/dx": -x ** -2, "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 * x.sin() / x + a.log() * x.cos() - 1 / (x * x)
    return r

# %% right="2.5.6" how="each edge by autograd"
def chain_rule(x):
    def edge(f, v):
        v = v.detach().clone().requires_grad_()
        return torch.autograd.grad(f(v).sum(), v)[0]
    a = x ** 2
    b, c = a.log(), x.sin()
    r = {
        "da/dx": edge(torch.square, x),
        "db/da": edge(torch.log, a),
        "dc/dx": edge(torch.sin, x),
        "dd/db": c,
        "dd/dc": b,
        "de/dx": edge(torch.reciprocal, x),
        "dy/dd": torch.ones_like(x),
        "dy/de": torch.ones_like(x),
    }
    r["dy/dx"] = r["da/dx"] * r["db/da"] * c + r["dc/dx"] * b + r["de/dx"]
    return r

# %% wrong="2.5.6" why="differentiates log a with respect to x" breaks="edges" says="with respect to x, not to a"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 2 / x, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="swaps the factors" breaks="edges" says="This is b. The derivative of b · c with respect to b"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": a.log(), "dd/dc": x.sin(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="leaves out a way" breaks="whole" says="The way over c and d is missing"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() - 1 / a
    return r

# %% wrong="2.5.6" why="2 log x, which is nan for negative x" breaks="edges" says="nan"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": 2 * x.log(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + 2 * x.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="a number where a tensor is asked for" breaks="shape" says="Each entry is a tensor of the shape of x"
def chain_rule(x):
    a = x ** 2
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
         "dy/dd": 1.0, "dy/de": 1.0}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="the sign of the derivative of 1/x" breaks="edges" says="mind the sign"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": 1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() + 1 / a
    return r

# %% wrong="2.5.6" why="the result only" breaks="names" says="the names of the entries"
def chain_rule(x):
    return {"dy/dx": 2 * x.sin() / x + (x * x).log() * x.cos() - 1 / x ** 2}

# %% right="2.5.7a" how="torch.func.jvp for each node"
def forward_mode(x):
    nodes = {
        "x": lambda t: t,
        "a": torch.square,
        "b": lambda t: (t * t).log(),
        "c": torch.sin,
        "d": lambda t: (t * t).log() * t.sin(),
        "e": torch.reciprocal,
        "y": lambda t: (t * t).log() * t.sin() + 1 / t,
    }
    return {name: torch.func.jvp(f, (x,), (torch.ones_like(x),)) for name, f in nodes.items()}

# %% right="2.5.7a" how="lists for pairs, formulas simplified"
def forward_mode(x):
    log, sin, cos = (x * x).log(), x.sin(), x.cos()
    slope = 2 * sin / x + log * cos
    return {"y": [log * sin + 1 / x, slope - 1 / x / x], "e": [1 / x, -1 / x / x], "d": [log * sin, slope],
            "c": [sin, cos], "b": [log, 2 / x], "a": [x * x, 2 * x], "x": [x, torch.ones_like(x)]}

# %% wrong="2.5.7a" why="local derivatives, without the chain" breaks="derivatives" says="Multiply by the one that a brings along"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"x": (x, one), "a": (a, 2 * x), "b": (b, 1 / a), "c": (c, x.cos()), "d": (b * c, c / a + b * x.cos()),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, c / a + b * x.cos() - 1 / a)}

# %% wrong="2.5.7a" why="the derivative of a product as the product of derivatives" breaks="derivatives" says="The product rule has two terms"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * x.cos()
    return {"x": (x, torch.ones_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="2 log x, which is nan for negative x" breaks="values" says="nan"
def forward_mode(x):
    a = x ** 2
    b, c = 2 * x.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": (x, torch.ones_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="the input without its derivative of 1" breaks="derivatives" says="the derivative of x with respect to x"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": (x, torch.zeros_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="only the result" breaks="names" says="the names of the nodes"
def forward_mode(x):
    y = (x ** 2).log() * x.sin() + 1 / x
    return {"y": (y, 2 * x.sin() / x + (x ** 2).log() * x.cos() - 1 / x ** 2)}

# %% wrong="2.5.7a" why="numbers without the shape of x" breaks="shape" says="the shape of the derivative of x"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": (x, torch.tensor(1., dtype=x.dtype)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="the derivative first" breaks="values" says="the value comes first"
def forward_mode(x):
    a, c, e, o = x ** 2, x.sin(), 1 / x, torch.ones_like(x)
    b = a.log()
    da, db, dc, de = 2 * x, 2 / x, x.cos(), -1 / x ** 2
    dd = db * c + b * dc
    return {"x": (o, x), "a": (da, a), "b": (db, b), "c": (dc, c), "d": (dd, b * c), "e": (de, e), "y": (dd + de, b * c + e)}

# %% wrong="2.5.7a" why="reverse mode's derivatives" breaks="derivatives" says="This is dy/dx"
def forward_mode(x):
    a, c, e, o = x ** 2, x.sin(), 1 / x, torch.ones_like(x)
    b = a.log()
    return {"x": (x, 2 / x * c + b * x.cos() - 1 / x ** 2), "a": (a, c / a), "b": (b, c), "c": (c, b), "d": (b * c, o), "e": (e, o), "y": (b * c + e, o)}

# %% right="2.5.7b" how="parts added as they come"
def reverse_mode(x):
    a = x * x
    b, c = a.log(), x.sin()
    g = {name: torch.zeros_like(x) for name in "xabcde"}
    g["y"] = torch.ones_like(x)
    g["d"] = g["d"] + g["y"]
    g["e"] = g["e"] + g["y"]
    g["x"] = g["x"] - g["e"] * x ** -2
    g["b"] = g["b"] + g["d"] * c
    g["c"] = g["c"] + g["d"] * b
    g["x"] = g["x"] + g["c"] * x.cos()
    g["a"] = g["a"] + g["b"] / a
    g["x"] = g["x"] + g["a"] * 2 * x
    return g

# %% right="2.5.7b" how="formulas for each node"
def reverse_mode(x):
    one = torch.ones_like(x)
    log, sin = x.abs().log() * 2, x.sin()
    return dict(y=one, d=one, e=one, b=sin, c=log, a=sin / x ** 2, x=2 * sin / x + log * x.cos() - x ** -2)

# %% wrong="2.5.7b" why="overwrites instead of adding: the way over e is left" breaks="input" says="each adds its part"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    g = {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / a}
    g["x"] = g["a"] * 2 * x
    g["x"] = g["c"] * x.cos()
    g["x"] = -g["e"] / a
    return g

# %% wrong="2.5.7b" why="forgets that e reads x, too" breaks="input" says="The way over e is missing"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / a, "x": c / a * 2 * x + b * x.cos()}

# %% wrong="2.5.7b" why="forward mode's derivatives" breaks="nodes" says="dy/dy at x = 3"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": d_ - 1 / a, "a": 2 * x, "b": 2 / x, "c": x.cos(), "d": d_, "e": -1 / a, "y": d_ - 1 / a}

# %% wrong="2.5.7b" why="local derivative of log, without what comes back" breaks="nodes" says="what came back to b is a factor"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": 1 / a, "x": 2 / x + b * x.cos() - 1 / a}

# %% wrong="2.5.7b" why="swaps the factors of the product" breaks="nodes" says="is multiplied by the other one"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"y": one, "d": one, "e": one, "b": b, "c": c, "a": b / a, "x": b / a * 2 * x + c * x.cos() - 1 / a}

# %% wrong="2.5.7b" why="2 log x, which is nan for negative x" breaks="nodes" says="nan"
def reverse_mode(x):
    log, sin, one = 2 * x.log(), x.sin(), torch.ones_like(x)
    return dict(y=one, d=one, e=one, b=sin, c=log, a=sin / x ** 2, x=2 * sin / x + log * x.cos() - x ** -2)

# %% wrong="2.5.7b" why="ones without the shape of x" breaks="shape" says="wrong shape"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.tensor(1., dtype=x.dtype)
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / a, "x": 2 * c / x + b * x.cos() - 1 / a}

# %% wrong="2.5.7b" why="without the result itself" breaks="names" says="the names of the nodes"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"d": one, "e": one, "b": c, "c": b, "a": c / a, "x": c / a * 2 * x + b * x.cos() - 1 / a}

# %% right="2.5.8a" how="loops"
def multiplications(sizes):
    first, *_, last = sizes
    forward = reverse = 0
    for before, after in zip(sizes[1:], sizes[2:]):
        forward += first * before * after
    for before, after in zip(sizes[:-2], sizes[1:-1]):
        reverse += last * before * after
    return [forward, reverse]

# %% right="2.5.8a" how="walks over shapes"
def multiplications(sizes):
    def walk(s):
        return sum(s[0] * s[i] * s[i + 1] for i in range(1, len(s) - 1))
    return walk(sizes), walk(sizes[::-1])

# %% wrong="2.5.8a" why="counts the first Jacobian as a product" breaks="forward" says="takes no multiplication"
def multiplications(sizes):
    pairs = list(zip(sizes, sizes[1:]))
    return sum(sizes[0] * a * b for a, b in pairs), sum(sizes[-1] * a * b for a, b in pairs)

# %% wrong="2.5.8a" why="swaps the modes" breaks="forward" says="This is reverse mode"
def multiplications(sizes):
    def walk(s):
        return sum(s[0] * s[i] * s[i + 1] for i in range(1, len(s) - 1))
    return walk(sizes[::-1]), walk(sizes)

# %% wrong="2.5.8a" why="one vector through the chain" breaks="forward" says="carries one vector"
def multiplications(sizes):
    one = sum(a * b for a, b in zip(sizes, sizes[1:]))
    return one, one

# %% wrong="2.5.8a" why="leaves out the length that stays" breaks="forward" says="the one that never changes is missing"
def multiplications(sizes):
    return (sum(a * b for a, b in zip(sizes[1:], sizes[2:])), sum(a * b for a, b in zip(sizes[:-2], sizes[1:-1])))

# %% wrong="2.5.8a" why="each Jacobian with its neighbour" breaks="forward" says="keeps its n₀ columns"
def multiplications(sizes):
    total = sum(a * b * c for a, b, c in zip(sizes, sizes[1:], sizes[2:]))
    return total, total

# %% wrong="2.5.8a" why="knows the visible chains only" breaks="forward" says="the sizes 100, 50, 20, 1"
def multiplications(sizes):
    return (90, 64) if len(sizes) == 4 else (24, 24)

# %% wrong="2.5.8a" why="counts a product for a single Jacobian" breaks="short chains" says="a single Jacobian"
def multiplications(sizes):
    def walk(s):
        total = s[0] * s[1] * s[2] if len(s) > 2 else s[0] * s[1]
        return total + sum(s[0] * s[i] * s[i + 1] for i in range(2, len(s) - 1))
    return walk(sizes), walk(sizes[::-1])

# %% wrong="2.5.8a" why="reverse as forward" breaks="reverse" says="This is forward mode"
def multiplications(sizes):
    forward = sum(sizes[0] * a * b for a, b in zip(sizes[1:], sizes[2:]))
    return forward, forward

# %% right="2.5.8b" how="by the counts"
modes = {letter: "forward" if n < m else "reverse" for letter, n, m in (
    ("A", 10 ** 6, 1), ("B", 3, 10 ** 5), ("C", 1, 3), ("D", 40000, 1), ("E", 1, 1000), ("F", 1000, 1))}

# %% right="2.5.8b" how="letters grouped by mode"
modes = {letter: mode for mode, letters in (("reverse", "DAF"), ("forward", "ECB")) for letter in letters}

# %% wrong="2.5.8b" why="reverse mode always" breaks="many outputs" says="case B"
modes = dict.fromkeys("ABCDEF", "reverse")

# %% wrong="2.5.8b" why="the rule the wrong way round" breaks="many inputs" says="case A"
modes = {"A": "forward", "B": "reverse", "C": "reverse", "D": "forward", "E": "reverse", "F": "forward"}

# %% wrong="2.5.8b" why="takes a product with a vector for a whole Jacobian" breaks="products" says="case E"
modes = {"A": "reverse", "B": "forward", "C": "forward", "D": "reverse", "E": "reverse", "F": "reverse"}

# %% wrong="2.5.8b" why="no decision" breaks="six entries" says="the letters that have an entry"
modes = {"A": "reverse", "B": "forward", "C": "forward", "D": "reverse"}

# %% right="2.5.H" how="slope of the slope, with grad_outputs"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    ones = torch.ones_like(y)
    first = torch.autograd.grad(y, leaf, ones, create_graph=True)[0]
    first.backward(gradient=ones)
    return leaf.grad

# %% right="2.5.H" how="torch.func"
def second_slope(f, x):
    flat = x.detach().reshape(-1)
    one = torch.func.grad(torch.func.grad(lambda t: f(t)))
    return torch.stack([one(t) for t in flat]).reshape(x.shape)

# %% wrong="2.5.H" why="the first derivative" breaks="values" says="This is the first derivative"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf)[0]

# %% wrong="2.5.H" why="retain_graph for create_graph" breaks="values" says="only by create_graph=True"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    first, = torch.autograd.grad(f(leaf).sum(), leaf, retain_graph=True)
    return torch.autograd.grad(first.sum(), leaf)[0]

# %% wrong="2.5.H" why="the square of the slope" breaks="values" says="the square of the first derivative"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf)[0] ** 2

# %% wrong="2.5.H" why="leaves a graph attached" breaks="no graph" says="require a gradient"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    first, = torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)
    return torch.autograd.grad(first.sum(), leaf, create_graph=True)[0]

# %% wrong="2.5.H" why="the sum of all" breaks="values" says="the shape for two points"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    first, = torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)
    return torch.autograd.grad(first.sum(), leaf)[0].sum()

# %% right="2.5.1" how="recursion with a set"
def graph_size(y):
    seen = set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        for following, _ in node.next_functions:
            visit(following)

    visit(y.grad_fn)
    return len(seen)

# %% right="2.5.1" how="level by level, with sets"
def graph_size(y):
    level, found = {y.grad_fn} - {None}, set()
    while level:
        found |= level
        level = {n for node in level for n, _ in node.next_functions if n is not None} - found
    return len(found)

# %% wrong="2.5.1" why="counts ways, not nodes" breaks="each node once" says="reached twice counts once"
def graph_size(y):
    def count(node):
        return 0 if node is None else 1 + sum(count(n) for n, _ in node.next_functions)
    return count(y.grad_fn)

# %% wrong="2.5.1" why="leaves out AccumulateGrad" breaks="leaves" says="AccumulateGrad nodes count"
def graph_size(y):
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen and "AccumulateGrad" not in node.name():
            seen.add(node)
            waiting += [n for n, _ in node.next_functions]
    return len(seen)

# %% wrong="2.5.1" why="follows the first input only" breaks="each node once" says="follows the first input of each node only"
def graph_size(y):
    node, count = y.grad_fn, 0
    while node is not None:
        count += 1
        node = node.next_functions[0][0] if node.next_functions else None
    return count

# %% wrong="2.5.1" why="tells nodes apart by their kind" breaks="each node once" says="the five sines have one name, and are five"
def graph_size(y):
    seen, names, waiting = set(), set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            names.add((node.name(), id(node) if "Accumulate" in node.name() else 0))
            waiting += [n for n, _ in node.next_functions]
    return len(names)

# %% wrong="2.5.1" why="counts None" breaks="unmarked inputs" says="`None` is no node"
def graph_size(y):
    if y.grad_fn is None:
        return 0
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [n for n, _ in node.next_functions] if node is not None else []
    return len(seen)

# %% wrong="2.5.1" why="a leaf counts as one" breaks="no graph" says="A leaf has no grad_fn"
def graph_size(y):
    if y.grad_fn is None:
        return int(y.requires_grad)
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [n for n, _ in node.next_functions]
    return len(seen)

# %% right="2.5.1" how="counts in the drawing"
def graph_size(y):
    if y.grad_fn is None:
        return 0
    text = d2l.show_graph(y).source
    return text.count("Backward") + text.count("AccumulateGrad")

# %% wrong="2.5.1" why="one AccumulateGrad for all leaves" breaks="each node once" says="Every node counts for itself"
def graph_size(y):
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [n for n, _ in node.next_functions]
    leaves = [n for n in seen if not n.next_functions]
    return len(seen) - max(0, len(leaves) - 1)

# %% wrong="2.5.A" why="squares" breaks="values" says="This is the gradient for squares"
def first_gradient(x):
    leaf = x.detach().clone().requires_grad_()
    ((leaf ** 2).sum() - 2 * leaf[0]).backward()
    return leaf.grad

# %% wrong="2.5.A" why="three entries, one by one" breaks="values" says="a vector with one entry"
def first_gradient(x):
    leaf = x.detach().clone().requires_grad_()
    (leaf[0] ** 3 + leaf[1] ** 3 + leaf[2] ** 3 - 2 * leaf[0]).backward()
    return leaf.grad

# %% wrong="2.5.B" why="returns the best place on the way" breaks="steps" says="though the loss rises"
def descend(f, x, lr, steps):
    place = best = x.detach().clone()
    for _ in range(steps):
        leaf = place.clone().requires_grad_()
        gradient, = torch.autograd.grad(f(leaf), leaf)
        place = place - lr * gradient
        if f(place) < f(best):
            best = place
    return best

# %% wrong="2.5.B" why="stops where the loss no longer falls" breaks="steps" says="though the loss rises"
def descend(f, x, lr, steps):
    place = x.detach().clone()
    for _ in range(steps):
        leaf = place.clone().requires_grad_()
        loss = f(leaf)
        gradient, = torch.autograd.grad(loss, leaf)
        further = place - lr * gradient
        if f(further) > loss:
            break
        place = further
    return place

# %% wrong="2.5.B" why="momentum" breaks="values" says="0.9 times the first step"
def descend(f, x, lr, steps):
    place, velocity = x.detach().clone(), torch.zeros_like(x)
    for _ in range(steps):
        leaf = place.clone().requires_grad_()
        gradient, = torch.autograd.grad(f(leaf), leaf)
        velocity = 0.9 * velocity + gradient
        place = place - lr * velocity
    return place

# %% wrong="2.5.10" why="from the last to the first" breaks="values" says="the order of the functions is kept"
def gradients(functions, x):
    return [torch.autograd.grad(f(x), x)[0] for f in reversed(functions)]

# %% wrong="2.5.10" why="flat gradients" breaks="values" says="the shape of a gradient at a 2 by 3 matrix"
def gradients(functions, x):
    return [torch.autograd.grad(f(x), x)[0].reshape(-1) for f in functions]

# %% wrong="2.5.C" why="the first input that is marked" breaks="the end" says="this went on to w"
def way_back(y):
    names, node = [], y.grad_fn
    while node is not None:
        names.append(node.name())
        node = next((source for source, _ in node.next_functions if source is not None), None)
    return names

# %% wrong="2.5.C" why="None as a name" breaks="the end" says="`None` is no node"
def way_back(y):
    names, node = [], y.grad_fn
    while node is not None:
        names.append(node.name())
        if not node.next_functions:
            break
        node = node.next_functions[0][0]
        if node is None:
            names.append("None")
    return names

# %% wrong="2.5.C" why="all nodes, level by level" breaks="names" says="One way only"
def way_back(y):
    names, waiting = [], [y.grad_fn]
    while waiting:
        node = waiting.pop(0)
        if node is not None:
            names.append(node.name())
            waiting += [source for source, _ in node.next_functions]
    return names

# %% right="2.5.C" how="goes until an IndexError"
def way_back(y):
    nodes, node = [], y.grad_fn
    try:
        while node is not None:
            nodes.append(node)
            node = node.next_functions[0][0]
    except IndexError:
        pass
    return [node.name() for node in nodes]

# %% wrong="2.5.3a" why="puts 0 in place of nan" breaks="values" says="Where a is 0 the gradient is not 0"
def stretch_gradient(a):
    return torch.nan_to_num(stretch(a) / a)

# %% wrong="2.5.3a" why="counts the doublings, forgets the factor 100" breaks="values" says="the factor 100 is missing"
def stretch_gradient(a):
    k = 2
    while (k * a).norm() < 1000:
        k *= 2
    return torch.full_like(a, k)

# %% right="2.5.3a" how="k counted, without autograd"
def stretch_gradient(a):
    k = 2
    while (k * a).norm() < 1000:
        k *= 2
    return torch.full_like(a, 100 * k if a.sum() < 0 else k)

# %% wrong="2.5.3b" why="an error upwards only" breaks="wrong gradients" says="an error counts in both directions"
def accepts(grad, d, a):
    return grad.shape == a.shape and not bool(grad.isnan().any()) and bool((grad - d / a <= 1e-4 * (d / a).abs()).all())

# %% wrong="2.5.3b" why="lengths for shapes" breaks="shape" says="a gradient of shape (2, 1)"
def accepts(grad, d, a):
    return grad.dim() == 0 and a.dim() == 0 or len(grad) == len(a) and torch.allclose(grad, d / a, rtol=1e-4, atol=0)

# %% wrong="2.5.3b" why="double precision for float32 numbers" breaks="right gradients" says="a tolerance below 1 part in 10⁷"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose(grad.double(), d.double() / a.double(), rtol=1e-9, atol=0)

# %% right="2.5.3b" how="without a division"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(((grad * a - d).abs() <= 2e-4 * d.abs()).all())

# %% wrong="2.5.D" why="the square of the other entry" breaks="value" says="The square belongs to x₁"
def held(x):
    return x[0] ** 2 * x[1].detach()

# %% wrong="2.5.11" why="weights without the square" breaks="loss" says="r is not squared"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach())).sum()

# %% right="2.5.11" how="the value, with the gradient by hand"
def robust_loss(w, X, y):
    with torch.no_grad():
        r = X @ w - y
        u = 1 / (1 + r ** 2)
        gradient = 2 * X.T @ (u * r)
        value, start = u @ r ** 2, gradient @ w
    return value + (gradient @ w - start)

# %% wrong="2.5.E" why="weights that add up to 1" breaks="values" says="divided by their sum"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward(v / v.sum())
    return leaf.grad

# %% wrong="2.5.4a" why="differentiates at x itself, on top of what .grad held" breaks="values" says="What .grad of x held before"
def slope(f, x):
    marked, before = x.requires_grad, None if x.grad is None else x.grad.clone()
    x.requires_grad_()
    f(x).sum().backward()
    result = x.grad.clone()
    x.grad = before
    x.requires_grad_(marked)
    return result

# %% wrong="2.5.4a" why="along the first axis only" breaks="shape and dtype" says="grad can be implicitly"
def slope(f, x):
    if x.dim() == 0:
        return slope(f, x[None])[0]
    slopes = []
    for entry in x.detach():
        leaf = entry.clone().requires_grad_()
        f(leaf).backward()
        slopes.append(leaf.grad)
    return torch.stack(slopes)

# %% right="2.5.4a" how="on x itself, everything put back"
def slope(f, x):
    marked, before = x.requires_grad, x.grad
    x.grad = None
    x.requires_grad_()
    f(x).sum().backward()
    result, x.grad = x.grad, None
    x.requires_grad_(marked)
    x.grad = before
    return result

# %% wrong="2.5.4b" why="points of its own" breaks="curves" says="A curve has a point over each entry of x"
def draw(ax, x):
    points = torch.linspace(x.min().item(), x.max().item(), 200)
    ax.plot(points, points.sin(), label="sin")
    ax.plot(points, points.cos(), label="derivative")
    ax.legend()

# %% wrong="2.5.4b" why="another name" breaks="legend" says="the names in the legend"
def draw(ax, x):
    points = x.detach()
    ax.plot(points, points.sin(), label="sin")
    ax.plot(points, points.cos(), label="cos")
    ax.legend()

# %% wrong="2.5.4b" why="slopes between neighbouring points" breaks="curves" says="slopes between neighbouring points"
def draw(ax, x):
    points = x.detach()
    ax.plot(points, points.sin(), label="sin")
    ax.plot(points, torch.gradient(points.sin(), spacing=(points,))[0], label="derivative")
    ax.legend()

# %% right="2.5.4b" how="plt, with ax as the current axes"
def draw(ax, x):
    points = x.detach()
    plt.sca(ax)
    plt.plot(points, points.sin(), label="sin")
    plt.plot(points, points.cos(), label="derivative")
    plt.legend()

# %% wrong="2.5.2b" why="never fewer than two calls" breaks="sum" says="There was one call too many"
def backward_times(y, n):
    y.backward(retain_graph=True)
    for _ in range(n - 2):
        y.backward(retain_graph=True)
    y.backward()

# %% wrong="2.5.2b" why="passes over the error" breaks="sum" says="the gradient once"
def backward_times(y, n):
    for _ in range(n):
        try:
            y.backward()
        except RuntimeError:
            pass

# %% wrong="2.5.2a" why="the other way round" breaks="answer" says="True and False are exchanged"
def second_call_raises(f, x):
    y = f(x.detach().clone().requires_grad_())
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return False
    return True

# %% wrong="2.5.12" why="a difference quotient" breaks="values" says="a difference quotient does not"
def jacobian(f, x):
    h = 1e-3
    steps = h * torch.eye(len(x), dtype=x.dtype)
    return torch.stack([(f(x + step) - f(x)) / h for step in steps], dim=1)

# %% right="2.5.12" how="all rows at once"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    return torch.autograd.grad(y, leaf, torch.eye(len(y), dtype=y.dtype), is_grads_batched=True)[0]

# %% wrong="2.5.G" why="both parts and their sum" breaks="through s" says="Return a pair"
def two_ways(x):
    return x * x.cos(), x.sin(), x * x.cos() + x.sin()

# %% wrong="2.5.G" why="the sum of the parts" breaks="through s" says="There is one number for each point"
def two_ways(x):
    return x * x.cos() + x.sin()

# %% wrong="2.5.5" why="the sine squared" breaks="positive x" says="The sine is not squared"
graph = {"a": ("square", "x"), "b": ("log", "a"), "s": ("sin", "x"), "c": ("square", "s"), "d": ("mul", "b", "c"), "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="the reciprocal of the product" breaks="positive x" says="here it is that of the product"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"), "e": ("reciprocal", "d"), "y": ("add", "d", "e")}

# %% wrong="2.5.6" why="leaves out the way over a, b and d" breaks="whole" says="The way over a, b and d is missing"
def chain_rule(x):
    one = torch.ones_like(x)
    log = (x ** 2).log()
    return {"da/dx": 2 * x, "db/da": 1 / x ** 2, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": log, "de/dx": -1 / x ** 2, "dy/dd": one, "dy/de": one,
            "dy/dx": x.cos() * log - 1 / x ** 2}

# %% wrong="2.5.6" why="a in place of its derivative" breaks="edges" says="This is a itself"
def chain_rule(x):
    one = torch.ones_like(x)
    log = (x ** 2).log()
    return {"da/dx": x ** 2, "db/da": 1 / x ** 2, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": log, "de/dx": -1 / x ** 2, "dy/dd": one, "dy/de": one,
            "dy/dx": 2 / x * x.sin() + x.cos() * log - 1 / x ** 2}

# %% wrong="2.5.6" why="the sign of x is lost" breaks="edges" says="This is the value at x = 3"
def chain_rule(x):
    one = torch.ones_like(x)
    log = (x ** 2).log()
    return {"da/dx": 2 * x.abs(), "db/da": 1 / x ** 2, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": log, "de/dx": -1 / x ** 2, "dy/dd": one, "dy/de": one,
            "dy/dx": 2 / x * x.sin() + x.cos() * log - 1 / x ** 2}

# %% right="2.5.6" how="ones of torch's own dtype"
def chain_rule(x):
    log = 2 * x.abs().log()
    return {"da/dx": 2 * x, "db/da": x ** -2, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": log, "de/dx": -x ** -2, "dy/dd": torch.ones(x.shape), "dy/de": torch.ones(x.shape),
            "dy/dx": 2 / x * x.sin() + x.cos() * log - x ** -2}

# %% wrong="2.5.7a" why="the product rule with a minus" breaks="derivatives" says="The product rule adds its two terms"
def forward_mode(x):
    a, c, e = x ** 2, x.sin(), 1 / x
    b = a.log()
    slope_d = 2 / x * c - b * x.cos()
    return {"x": (x, torch.ones_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, slope_d), "e": (e, -e * e), "y": (b * c + e, slope_d - e * e)}

# %% wrong="2.5.7b" why="y as a difference" breaks="nodes" says="it grows with e"
def reverse_mode(x):
    c, one = x.sin(), torch.ones_like(x)
    b = (x ** 2).log()
    return {"y": one, "d": one, "e": -one, "b": c, "c": b, "a": c / x ** 2, "x": 2 / x * c + b * x.cos() - 1 / x ** 2}

# %% wrong="2.5.8a" why="one product too few" breaks="forward" says="The last product"
def multiplications(sizes):
    n, m = sizes[0], sizes[-1]
    return sum(n * sizes[i] * sizes[i + 1] for i in range(1, len(sizes) - 2)), sum(m * sizes[i] * sizes[i + 1] for i in range(len(sizes) - 2))

# %% wrong="2.5.8b" why="capital letters" breaks="six entries" says="small letters"
modes = {"A": "Reverse", "B": "Forward", "C": "Forward", "D": "Reverse", "E": "Forward", "F": "Reverse"}

# %% wrong="2.5.H" why=".grad adds up" breaks="values" says="The first derivative is contained in it"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).sum().backward(create_graph=True)
    leaf.grad.sum().backward()
    return leaf.grad.detach()

# %% wrong="2.5.H" why="f twice" breaks="values" says="f was taken twice"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    f(f(leaf)).sum().backward()
    return leaf.grad

# %% wrong="2.5.1" why="does not count the result's node" breaks="leaves" says="The node of y itself"
def graph_size(y):
    seen, waiting = set(), [] if y.grad_fn is None else [y.grad_fn]
    while waiting:
        for source, _ in waiting.pop().next_functions:
            if source is not None and source not in seen:
                seen.add(source)
                waiting.append(source)
    return len(seen)

# %% wrong="2.5.1" why="the node and its inputs" breaks="each node once" says="the walk goes on from these"
def graph_size(y):
    return 0 if y.grad_fn is None else 1 + len({source for source, _ in y.grad_fn.next_functions if source is not None})

# %% wrong="2.5.1" why="pairs of node and output for nodes" breaks="each node once" says="it counts once"
def graph_size(y):
    seen, waiting = set(), [(y.grad_fn, 0)]
    while waiting:
        pair = waiting.pop()
        if pair[0] is not None and pair not in seen:
            seen.add(pair)
            waiting += pair[0].next_functions
    return len(seen)

# %% wrong="2.5.B" why="stops where a step is short" breaks="steps" says="All steps are made, however short they are"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for _ in range(steps):
        g, = torch.autograd.grad(f(w), w)
        if (lr * g).norm() < 1e-6:
            break
        w = (w - lr * g).detach().requires_grad_()
    return w.detach()

# %% wrong="2.5.B" why="w is no leaf after the first step" breaks="values" says="as the .grad of a tensor that is no leaf"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for _ in range(steps):
        f(w).backward()
        w = w - lr * w.grad
    return w.detach()

# %% wrong="2.5.B" why="zeroes a .grad that is not there yet" breaks="values" says="until the first backward()"
def descend(f, x, lr, steps):
    w = x.detach().clone().requires_grad_()
    for _ in range(steps):
        w.grad.zero_()
        f(w).backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.detach()

# %% wrong="2.5.3a" why="doubles at a norm of exactly 1000, too" breaks="values" says="1000 is not less than 1000"
def stretch_gradient(a):
    k = 2.
    while (k * a).norm() <= 1000:
        k *= 2
    if a.sum() < 0:
        k *= 100
    return torch.full_like(a, k)

# %% wrong="2.5.3a" why="takes a sum of 0 for negative" breaks="values" says="0 is not negative"
def stretch_gradient(a):
    k = 2.
    while (k * a).norm() < 1000:
        k *= 2
    return torch.full_like(a, k if a.sum() > 0 else 100 * k)

# %% wrong="2.5.3b" why="puts the right value in place of nan" breaks="nan" says="would hide it"
def accepts(grad, d, a):
    if grad.shape != a.shape:
        return False
    grad = torch.nan_to_num(grad, nan=(d / a).flatten()[0].item())
    return torch.allclose(grad, d / a, rtol=1e-4, atol=0)

# %% wrong="2.5.D" why="works on a marked copy of x" breaks="gradient" says="the way back ends at another leaf"
def held(x):
    leaf = x.detach().clone().requires_grad_()
    return leaf[0] * leaf[1].detach() ** 2

# %% wrong="2.5.D" why="a plain number" breaks="value" says="a plain number"
def held(x):
    return x[0].item() * x[1].item() ** 2

# %% wrong="2.5.11" why="another loss with the right gradient" breaks="loss" says="the sum of log(1 + r²)"
def robust_loss(w, X, y):
    r = X @ w - y
    return torch.log(1 + r ** 2).sum()

# %% wrong="2.5.11" why="takes the mark from a result" breaks="gradient" says="at a leaf only"
def robust_loss(w, X, y):
    r = X @ w - y
    u = 1 / (1 + r ** 2)
    u.requires_grad_(False)
    return (u * r ** 2).sum()

# %% wrong="2.5.11" why="the root of the weights" breaks="loss" says="not their roots"
def robust_loss(w, X, y):
    r = X @ w - y
    u = 1 / (1 + r.detach() ** 2).sqrt()
    return (u * r ** 2).sum()

# %% wrong="2.5.E" why="a matrix product for the weighted sum" breaks="values" says="entry by entry"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    (f(leaf) @ v).sum().backward()
    return leaf.grad

# %% wrong="2.5.E" why="weighs the inputs" breaks="values" says="The weights were put on the inputs"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    f(leaf * v).sum().backward()
    return leaf.grad

# %% wrong="2.5.4a" why="a clone of a marked x for a leaf" breaks="argument kept" says="clone() alone does not"
def slope(f, x):
    leaf = x.clone().requires_grad_()
    f(leaf).sum().backward()
    return leaf.grad

# %% wrong="2.5.12" why="weights of the length of x" breaks="shape" says="the weights have another shape than the outputs"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    return torch.stack([torch.autograd.grad(y, leaf, v, retain_graph=True)[0] for v in torch.eye(len(x), dtype=x.dtype)])

# %% wrong="2.5.G" why="s as a factor of the way through s" breaks="through s" says="s itself is no factor"
def two_ways(x):
    return x * x.cos() * x.sin(), x.sin()

# %% wrong="2.5.G" why="adds along the way" breaks="through s" says="here they are added"
def two_ways(x):
    return x + x.cos(), x.sin()

# %% wrong="2.5.5" why="the logarithm times a sum" breaks="positive x" says="1/x is added to it, not to the sine"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "e": ("reciprocal", "x"),
         "d": ("add", "c", "e"), "y": ("mul", "b", "d")}

# %% wrong="2.5.6" why="derivatives with respect to x for local ones" breaks="edges" says="A factor too many, db/dx"
def chain_rule(x):
    one, a = torch.ones_like(x), x ** 2
    return {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin() * 2 / x, "dd/dc": a.log() * x.cos(), "de/dx": -1 / a,
            "dy/dd": one, "dy/de": one, "dy/dx": x.sin() * 2 / x + a.log() * x.cos() - 1 / a}

# %% wrong="2.5.6" why="|x| in the derivative of the logarithm" breaks="whole" says="The way over a, b and d has the wrong sign where x is negative"
def chain_rule(x):
    one, a = torch.ones_like(x), x ** 2
    return {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
            "dy/dd": one, "dy/de": one, "dy/dx": x.sin() * 2 / x.abs() + a.log() * x.cos() - 1 / a}

# %% wrong="2.5.7a" why="forgets the derivative of c" breaks="derivatives" says="In the second term c is not differentiated"
def forward_mode(x):
    a, c, e = (x ** 2, 2 * x), (x.sin(), x.cos()), (1 / x, -1 / x ** 2)
    b = (a[0].log(), a[1] / a[0])
    d = (b[0] * c[0], b[1] * c[0] + b[0] * c[0])
    return dict(x=(x, torch.ones_like(x)), a=a, b=b, c=c, d=d, e=e, y=(d[0] + e[0], d[1] + e[1]))

# %% wrong="2.5.7a" why="the minus of e twice" breaks="derivatives" says="the minus of e"
def forward_mode(x):
    a, c, e = (x ** 2, 2 * x), (x.sin(), x.cos()), (1 / x, -1 / x ** 2)
    b = (a[0].log(), a[1] / a[0])
    d = (b[0] * c[0], b[1] * c[0] + b[0] * c[1])
    return dict(x=(x, torch.ones_like(x)), a=a, b=b, c=c, d=d, e=e, y=(d[0] + e[0], d[1] - e[1]))

# %% wrong="2.5.7b" why="one arrow too far at each node" breaks="nodes" says="one arrow too far"
def reverse_mode(x):
    a, b, c = x ** 2, (x ** 2).log(), x.sin()
    one = torch.ones_like(x)
    return dict(y=one, d=one, e=one, b=c / a, c=b * x.cos(), a=c * 2 / x, x=c * 2 / x + b * x.cos() - 1 / a)

# %% wrong="2.5.H" why="differentiates f at the slope" breaks="values" says="f was applied to the slope"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    first, = torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)
    return torch.autograd.grad(f(first).sum(), leaf)[0]

# %% wrong="2.5.H" why="the slope at a new place" breaks="values" says="the slope of f at f'(t)"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    first, = torch.autograd.grad(f(leaf).sum(), leaf)
    first = first.detach().requires_grad_()
    return torch.autograd.grad(f(first).sum(), first)[0]

# %% right="2.5.10" how="what each backward pass has added"
def gradients(functions, x):
    x.grad = torch.zeros_like(x)
    result = []
    for f in functions:
        before = x.grad.clone()
        f(x).backward()
        result.append(x.grad - before)
    return result

# %% right="2.5.2a" how="counts the calls that went through"
def second_call_raises(f, x):
    y, done = f(x.detach().clone().requires_grad_()), 0
    try:
        for _ in range(2):
            y.backward()
            done += 1
    except RuntimeError:
        pass
    return done == 1

# %% right="2.5.7a" how="a class of pairs with a product and a sum"
class Dual:
    def __init__(self, v, g):
        self.v, self.g = v, g
    def __mul__(self, o):
        return Dual(self.v * o.v, self.g * o.v + self.v * o.g)
    def __add__(self, o):
        return Dual(self.v + o.v, self.g + o.g)

def forward_mode(x):
    n = {"x": Dual(x, torch.ones_like(x))}
    n["a"] = n["x"] * n["x"]
    n["b"] = Dual(n["a"].v.log(), n["a"].g / n["a"].v)
    n["c"] = Dual(x.sin(), x.cos() * n["x"].g)
    n["d"] = n["b"] * n["c"]
    n["e"] = Dual(1 / x, -n["x"].g / x ** 2)
    n["y"] = n["d"] + n["e"]
    return {k: [d.v, d.g] for k, d in n.items()}

# %% right="2.5.7b" how="retain_grad"
def reverse_mode(x):
    leaf = x.detach().clone().requires_grad_()
    a = leaf ** 2
    b, c, e = a.log(), leaf.sin(), 1 / leaf
    d = b * c
    y = d + e
    named = dict(x=leaf, a=a, b=b, c=c, d=d, e=e, y=y)
    for node in named.values():
        node.retain_grad()
    y.backward(torch.ones_like(y))
    return {k: v.grad for k, v in named.items()}

# %% right="2.5.H" how="forward mode twice"
def second_slope(f, x):
    t = x.detach()
    one = torch.ones_like(t)
    d = lambda g: lambda t: torch.func.jvp(g, (t,), (one,))[1]
    return d(d(f))(t)

# %% wrong="2.5.A" why="leaves -2 x₀ as it is" breaks="values" says="The derivative of -2 x₀ is -2"
def first_gradient(x):
    g = 3 * x ** 2
    g[0] = g[0] - 2 * x[0]
    return g

# %% wrong="2.5.11" why="the 2 of the gradient in the loss" breaks="loss" says="This is twice the sum"
def robust_loss(w, X, y):
    r = X @ w - y
    u = (1 / (1 + r ** 2)).detach()
    return (2 * u * r ** 2).sum()

# %% wrong="2.5.E" why=".grad adds up over the outputs" breaks="values" says=".grad adds up"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    total = torch.zeros_like(x)
    for i in range(len(v)):
        f(leaf)[i].backward()
        total += v[i] * leaf.grad
    return total

# %% wrong="2.5.6" why="multiplies the ways that meet at d" breaks="whole" says="The ways that meet at d are added"
def chain_rule(x):
    one, a = torch.ones_like(x), x ** 2
    return {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
            "dy/dd": one, "dy/de": one, "dy/dx": (x.sin() * 2 / x) * (a.log() * x.cos()) - 1 / a}

# %% wrong="2.5.10" why="reads .grad of x after a pass to another leaf" breaks="fresh start" says="no backward pass has reached"
def gradients(functions, x):
    out = []
    for f in functions:
        leaf = x.detach().clone().requires_grad_()
        f(leaf).backward()
        out.append(x.grad)
    return out

# %% wrong="2.5.2a" why="catches the error of the first call only" breaks="answer" says="nothing catches its error"
def second_call_raises(f, x):
    y = f(x.detach().clone().requires_grad_())
    try:
        y.backward()
    except RuntimeError:
        return True
    y.backward()
    return False

# %% wrong="2.5.A" why="3t for 3t²" breaks="values" says="it is the cubes that are not"
def first_gradient(x):
    result = 3 * x.detach()
    result[0] -= 2
    return result

# %% wrong="2.5.10" why="the gradient of the sum in every place" breaks="separate" says="it holds the sum of the three gradients"
def gradients(functions, x):
    return list(torch.autograd.grad(sum(f(x) for f in functions), x)) * len(functions)

# %% wrong="2.5.3a" why="weights of the length of a, for vectors only" breaks="values" says="one for each entry of the matrix"
def stretch_gradient(a):
    leaf = a.detach().clone().requires_grad_()
    stretch(leaf).backward(gradient=torch.ones(len(a), dtype=a.dtype))
    return leaf.grad

# %% wrong="2.5.3b" why="a relative tolerance of 2 parts in 1000" breaks="wrong gradients" says="the tolerance is too wide"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose(grad, d / a, rtol=2e-3, atol=0)

# %% wrong="2.5.3b" why="a fixed bound of a hundredth" breaks="right gradients" says="that is a fixed bound"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose(grad, d / a, rtol=0, atol=1e-2)

# %% wrong="2.5.11" why="the square of 1 + r" breaks="loss" says="as if r² = 1 had the weight 0.25"
def robust_loss(w, X, y):
    r = X @ w - y
    u = (1 / (1 + r) ** 2).detach()
    return (u * r ** 2).sum()

# %% wrong="2.5.E" why="as many outputs as inputs" breaks="values" says="The third output is missing"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    return sum(v[i] * torch.autograd.grad(y[i], leaf, retain_graph=True)[0] for i in range(len(x)))

# %% wrong="2.5.4b" why="one slope for each gap" breaks="curves" says="One point is missing"
def draw(ax, x):
    x = x.detach()
    ax.plot(x, x.sin(), label='sin')
    ax.plot(x[:-1], x.sin().diff() / x.diff(), label='derivative')
    ax.legend()

# %% wrong="2.5.2a" why="no marked leaf, and both calls in the try block" breaks="answer" says="already the first backward() raises"
def second_call_raises(f, x):
    y = f(x)
    try:
        y.backward()
        y.backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="no return where nothing is raised" breaks="answer" says="ends without `return`"
def second_call_raises(f, x):
    y = f(x.detach().clone().requires_grad_())
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return True

# %% wrong="2.5.6" why="the power -1 in the way over e" breaks="whole" says="that over e: it is"
def chain_rule(x):
    one = torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / x ** 2, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": (x ** 2).log(), "de/dx": -1 / x ** 2,
         "dy/dd": one, "dy/de": one}
    return r | {"dy/dx": r["da/dx"] * r["db/da"] * r["dd/db"] + r["dc/dx"] * r["dd/dc"] - 1 / x}

# %% wrong="2.5.7a" why="x for 2x" breaks="derivatives" says="the factor 2 is missing"
def forward_mode(x):
    a, b, c, e = x ** 2, (x ** 2).log(), x.sin(), 1 / x
    a_, c_, e_ = x, x.cos(), -1 / x ** 2
    d, d_ = b * c, a_ / a * c + b * c_
    return {"x": (x, torch.ones_like(x)), "a": (a, a_), "b": (b, a_ / a), "c": (c, c_), "d": (d, d_), "e": (e, e_),
            "y": (d + e, d_ + e_)}

# %% wrong="2.5.7b" why="the sine for its derivative on the way over c" breaks="input" says="that over c and d"
def reverse_mode(x):
    one, b, c = torch.ones_like(x), (x ** 2).log(), x.sin()
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / x ** 2, "x": 2 * c / x + b * x.sin() - 1 / x ** 2}

# %% right="2.5.3b" how="the answer as a tensor"
def accepts(grad, d, a):
    if grad.shape != a.shape:
        return torch.tensor(False)
    return ((grad - d / a).abs() <= 1e-4 * (d / a).abs()).all()

# %% wrong="2.5.11" why="the weights squared" breaks="loss" says="The weights are squared here"
def robust_loss(w, X, y):
    r = X @ w - y
    u = (1 / (1 + r ** 2) ** 2).detach()
    return (u * r ** 2).sum()

# %% wrong="2.5.11" why="one weight for all, from the mean square" breaks="loss" says="For each row alone it is right"
def robust_loss(w, X, y):
    r = X @ w - y
    return ((1 / (1 + (r ** 2).mean())).detach() * r ** 2).sum()

# %% wrong="2.5.11" why="one of the two r in the weights is not held" breaks="gradient" says="yours is [0.75, 1.5]"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach() * r)).sum()

# %% wrong="2.5.B" why="a learning rate that falls" breaks="values" says="or lr 0.225"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    for step in range(steps):
        leaf = w.clone().requires_grad_()
        w = w - lr * 0.9 ** step * torch.autograd.grad(f(leaf), leaf)[0]
    return w

# %% wrong="2.5.B" why="the square of the learning rate" breaks="values" says="With lr = 0.5 the step is to be twice as long"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    for step in range(steps):
        leaf = w.clone().requires_grad_()
        w = w - lr ** 2 * torch.autograd.grad(f(leaf), leaf)[0]
    return w

# %% wrong="2.5.A" why="subtracts the square" breaks="values" says="The first entry alone is wrong"
def first_gradient(x):
    leaf = x.detach().clone().requires_grad_()
    ((leaf ** 3).sum() - 2 * leaf[0] ** 2).backward()
    return leaf.grad

# %% wrong="2.5.4b" why="gives matplotlib a marked x as it is" breaks="marked points" says="NumPy knows no graph"
def draw(ax, x):
    ax.plot(x, x.sin(), label='sin')
    ax.plot(x, x.cos(), label='derivative')
    ax.legend()

# %% wrong="2.5.A" why="the cubes of the absolute values" breaks="values" says="gradient for |t|³"
def first_gradient(x):
    leaf = x.detach().clone().requires_grad_()
    y = (leaf.abs() ** 3).sum() - 2 * leaf[0]
    y.backward()
    return leaf.grad

# %% wrong="2.5.A" why="one backward for the cubes and one for the whole" breaks="values" says="The cubes count twice"
def first_gradient(x):
    leaf = x.detach().clone().requires_grad_()
    cubes = (leaf ** 3).sum()
    cubes.backward(retain_graph=True)
    (cubes - 2 * leaf[0]).backward()
    return leaf.grad

# %% wrong="2.5.3b" why="compares grad * a with d by a fixed bound of 1" breaks="wrong gradients" says="So does one in which all 100 are off"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose(grad * a, d, rtol=0, atol=1)

# %% wrong="2.5.3b" why="the norm of the difference relative to the whole norm" breaks="wrong gradients" says="a mean or a norm over all entries hides one"
def accepts(grad, d, a):
    if grad.shape != a.shape or grad.isnan().any():
        return False
    right = d / a
    return bool((grad - right).norm() <= 1e-3 * right.norm())

# %% wrong="2.5.D" why="cuts the whole product off and marks it" breaks="gradient" says="a mark does not bring it back"
def held(x):
    return (x[0] * x[1] ** 2).detach().requires_grad_()

# %% wrong="2.5.D" why="calls backward itself" breaks="gradient" says="held itself has called backward()"
def held(x):
    value = x[0] * x[1].detach() ** 2
    value.backward()
    return value

# %% wrong="2.5.2a" why="asks whether .grad changed" breaks="answer" says=".grad stays the same at a second call"
def second_call_raises(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    y.backward()
    once = leaf.grad.clone()
    try:
        y.backward()
    except RuntimeError:
        pass
    return bool((leaf.grad == once).all())

# %% wrong="2.5.12" why="keeps .grad without a copy and overwrites it with zeros" breaks="values" says="Every row is the gradient of the last output"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    rows = []
    for i in range(len(y)):
        if leaf.grad is not None:
            leaf.grad.zero_()
        y[i].backward(retain_graph=True)
        rows.append(leaf.grad)
    return torch.stack(rows)

# %% wrong="2.5.8a" why="n₁ and n_(k-1) in each product" breaks="forward" says="here n₁ stands in each product"
def multiplications(sizes):
    k = len(sizes) - 1
    f = sum(sizes[0] * sizes[1] * sizes[i] for i in range(2, k + 1))
    r = sum(sizes[-1] * sizes[-2] * sizes[i] for i in range(0, k - 1))
    return f, r

# %% wrong="2.5.8a" why="reverse with the pairs of forward mode" breaks="reverse" says="here they take n₃ n₂ and n₂ n₁"
def multiplications(sizes):
    f = sum(sizes[0] * p * q for p, q in zip(sizes[1:], sizes[2:]))
    r = sum(sizes[-1] * p * q for p, q in zip(sizes[1:], sizes[2:]))
    return f, r

# %% wrong="2.5.H" why="differentiates f times its slope" breaks="values" says="only f'(t) is to be differentiated"
def second_slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    g, = torch.autograd.grad(y.sum(), leaf, create_graph=True)
    h, = torch.autograd.grad((y * g).sum(), leaf)
    return h

# %% wrong="2.5.5" why="arrows the other way round: each node with its readers" breaks="form" says="An entry has the name of a result"
graph = {"x": ("square", "a"), "a": ("log", "b"), "b": ("mul", "d"), "d": ("add", "y")}

# %% wrong="2.5.A" why="item() of the first entry" breaks="values" says="not a plain number"
def first_gradient(x):
    leaf = x.detach().clone().requires_grad_()
    y = (leaf ** 3).sum() - 2 * leaf[0].item()
    y.backward()
    return leaf.grad

# %% wrong="2.5.B" why="the loss in place of its gradient" breaks="values" says="lr times the loss, 16"
def descend(f, x, lr, steps):
    w = x.detach().clone()
    for _ in range(steps):
        w = w - lr * f(w)
    return w

# %% wrong="2.5.10" why="one gradient of the sum for all" breaks="values" says="the sum of all three gradients"
def gradients(functions, x):
    x.grad = None
    sum(f(x) for f in functions).backward()
    return [x.grad.clone() for _ in functions]

# %% wrong="2.5.C" why="the text of the node" breaks="names" says="the text that `print` shows"
def way_back(y):
    names, node = [], y.grad_fn
    while node is not None:
        names.append(str(node))
        node = node.next_functions[0][0] if node.next_functions else None
    return names

# %% wrong="2.5.3a" why="stretches each entry by itself" breaks="values" says="here each entry was stretched by itself"
def stretch_gradient(a):
    result = torch.zeros_like(a)
    flat, out = a.flatten(), result.view(-1)
    for i in range(len(flat)):
        leaf = flat[i].detach().clone().requires_grad_()
        stretch(leaf).backward()
        out[i] = leaf.grad
    return result

# %% wrong="2.5.3b" why="compares the sums" breaks="wrong gradients" says="a sum, a mean or a norm"
def accepts(grad, d, a):
    return grad.shape == a.shape and torch.allclose((grad * a).sum(), d.sum(), rtol=1e-4)

# %% wrong="2.5.D" why="the sum of x times x_1 squared" breaks="value" says="the sum of both entries"
def held(x):
    y = x.detach()[1] ** 2
    return (x * y).sum()

# %% wrong="2.5.11" why="marks the loss, whose way back is cut" breaks="gradient" says="The loss is marked, but has no history"
def robust_loss(w, X, y):
    r = X @ w.detach() - y
    u = 1 / (1 + r ** 2)
    return (u * r ** 2).sum().requires_grad_()

# %% wrong="2.5.E" why="squares the outputs" breaks="values" says="the weighted squares of the outputs"
def weighted_gradient(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    (v * f(leaf) ** 2).sum().backward()
    return leaf.grad

# %% wrong="2.5.4b" why="two backward passes" breaks="curves" says="twice as high"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    y = leaf.sin()
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    ax.plot(leaf.detach(), y.detach(), label='sin')
    ax.plot(leaf.detach(), leaf.grad, label='derivative')
    ax.legend()

# %% wrong="2.5.4b" why="writes a text" breaks="nothing else" says="no text is asked for"
def draw(ax, x):
    x = x.detach()
    ax.plot(x, x.sin(), label='sin')
    ax.plot(x, x.cos(), label='derivative')
    ax.text(0, 0, 'slope 1')
    ax.legend()

# %% wrong="2.5.2b" why="works on clones and detaches y at the end" breaks="freed" says="The graph is still there"
def backward_times(y, n):
    for _ in range(n):
        y.clone().backward(retain_graph=True)
    y.detach_()

# %% wrong="2.5.2a" why="asks whether .grad changed, kept without a copy" breaks="answer" says="not by what .grad holds"
def second_call_raises(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    y.backward()
    once = leaf.grad
    try:
        y.backward()
    except RuntimeError:
        pass
    return not torch.equal(leaf.grad, 2 * once)

# %% wrong="2.5.2a" why="asks whether the gradient has a graph" breaks="answer" says="where f is not linear"
def second_call_raises(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    g, = torch.autograd.grad(y, leaf, create_graph=True)
    return g.requires_grad

# %% wrong="2.5.12" why="repeats the gradient of the sum" breaks="values" says="row i is that of output i alone"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    y.sum().backward()
    return leaf.grad.repeat(len(y), 1)

# %% wrong="2.5.12" why="the diagonal where it is square" breaks="values" says="Only the diagonal is filled"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    if len(y) == len(x):
        return torch.diag(torch.autograd.grad(y.sum(), leaf)[0])
    return torch.stack([torch.autograd.grad(y[i], leaf, retain_graph=True)[0] for i in range(len(y))])

# %% wrong="2.5.G" why="the cosine of s" breaks="through s" says="here it is that of s"
def two_ways(x):
    return x * x.sin().cos(), x.sin()

# %% wrong="2.5.7a" why="the cosine for the sine" breaks="values" says="not its value"
def forward_mode(x):
    one = torch.ones_like(x)
    a = x ** 2, 2 * x
    b = a[0].log(), a[1] / a[0]
    c = x.cos(), -x.sin()
    d = b[0] * c[0], b[1] * c[0] + b[0] * c[1]
    e = 1 / x, -1 / x ** 2
    return {"x": (x, one), "a": a, "b": b, "c": c, "d": d, "e": e, "y": (d[0] + e[0], d[1] + e[1])}

# %% wrong="2.5.7a" why="1/x for the derivative of log a" breaks="derivatives" says="was multiplied by 1/x"
def forward_mode(x):
    one = torch.ones_like(x)
    a = x ** 2, 2 * x
    b = a[0].log(), a[1] / x
    c = x.sin(), x.cos()
    d = b[0] * c[0], b[1] * c[0] + b[0] * c[1]
    e = 1 / x, -1 / x ** 2
    return {"x": (x, one), "a": a, "b": b, "c": c, "d": d, "e": e, "y": (d[0] + e[0], d[1] + e[1])}

# %% wrong="2.5.8a" why="multiplies the products' counts" breaks="forward" says="here they are multiplied"
def multiplications(sizes):
    k = len(sizes) - 1
    forward = math.prod(sizes[i + 1] * sizes[i] * sizes[0] for i in range(1, k))
    reverse = math.prod(sizes[k] * sizes[i] * sizes[i - 1] for i in range(1, k))
    return forward, reverse

# %% wrong="2.5.8a" why="n_0 in both orders" breaks="reverse" says="here n₀ stands in place of n_k"
def multiplications(sizes):
    k = len(sizes) - 1
    forward = sum(sizes[i + 1] * sizes[i] * sizes[0] for i in range(1, k))
    back = sizes[::-1]
    reverse = sum(back[i + 1] * back[i] * sizes[0] for i in range(1, k))
    return forward, reverse

# %% wrong="2.5.H" why="a second difference" breaks="values" says="a difference quotient does not"
def second_slope(f, x):
    h = 1e-3
    x = x.detach()
    return (f(x + h) - 2 * f(x) + f(x - h)) / h ** 2

# %% wrong="2.5.1" why="the longest way" breaks="each node once" says="the longest way"
def graph_size(y):
    def depth(node):
        return 0 if node is None else 1 + max([depth(n) for n, _ in node.next_functions], default=0)
    return depth(y.grad_fn)

# %% wrong="2.5.3a" why="marks a itself where double() makes no copy" breaks="argument kept" says="for float64"
def stretch_gradient(a):
    leaf = a.double().requires_grad_()
    stretch(leaf).sum().backward()
    return leaf.grad.to(a.dtype)

# %% wrong="2.5.2a" why="marks x itself where double() makes no copy" breaks="argument kept" says="for float64"
def second_call_raises(f, x):
    leaf = x.double().requires_grad_()
    y = f(leaf)
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.5" why="the logarithm of x² sin x" breaks="positive x" says="here it is that of x² sin x"
graph = {"a": ("square", "x"), "c": ("sin", "x"), "m": ("mul", "a", "c"), "b": ("log", "m"), "e": ("reciprocal", "x"),
         "y": ("add", "b", "e")}

# %% wrong="2.5.1" why="counts arrows" breaks="leaves" says="the number of arrows"
def graph_size(y):
    seen, todo, arrows = set(), [y.grad_fn] if y.grad_fn is not None else [], 0
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            following = [n for n, _ in node.next_functions if n is not None]
            arrows += len(following)
            todo += following
    return arrows

# %% wrong="2.5.7b" why="one tensor under all names" breaks="nodes" says="names stand for one tensor"
def reverse_mode(x):
    a = x ** 2; b = a.log(); c = x.sin(); e = 1 / x
    g = dict.fromkeys("xabcdey", torch.zeros_like(x))
    g["y"] += 1
    g["d"] += g["y"]; g["e"] += g["y"]
    g["b"] += g["d"] * c; g["c"] += g["d"] * b
    g["a"] += g["b"] / a
    g["x"] += g["a"] * 2 * x + g["c"] * x.cos() + g["e"] / a
    return g

# %% wrong="2.5.1" why="breaks off at the first None" breaks="unmarked inputs" says="those after it lead on"
def graph_size(y):
    seen, todo = set(), [y.grad_fn] if y.grad_fn is not None else []
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        for other, _ in node.next_functions:
            if other is None:
                break
            todo.append(other)
    return len(seen)

# %% wrong="2.5.12" why="filled into torch.zeros(m, n): float32" breaks="dtype" says="f was called with float64"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    J = torch.zeros(len(y), len(x))
    for i in range(len(y)):
        J[i] = torch.autograd.grad(y[i], leaf, retain_graph=True)[0]
    return J
