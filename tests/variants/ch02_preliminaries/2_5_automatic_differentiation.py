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

# %% wrong="2.5.1" why="counts ways, not nodes" says="reached twice counts once"
def graph_size(y):
    def count(node):
        return 0 if node is None else 1 + sum(count(n) for n, _ in node.next_functions)
    return count(y.grad_fn)

# %% wrong="2.5.1" why="leaves out AccumulateGrad" says="AccumulateGrad nodes count"
def graph_size(y):
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen and "AccumulateGrad" not in node.name():
            seen.add(node)
            waiting += [n for n, _ in node.next_functions]
    return len(seen)

# %% wrong="2.5.1" why="follows the first input only" says="Both sines count"
def graph_size(y):
    node, count = y.grad_fn, 0
    while node is not None:
        count += 1
        node = node.next_functions[0][0] if node.next_functions else None
    return count

# %% wrong="2.5.1" why="tells nodes apart by their kind" says="Both sines count"
def graph_size(y):
    seen, names, waiting = set(), set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            names.add((node.name(), id(node) if "Accumulate" in node.name() else 0))
            waiting += [n for n, _ in node.next_functions]
    return len(names)

# %% wrong="2.5.1" why="counts None" says="a tensor without a graph"
def graph_size(y):
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [n for n, _ in node.next_functions] if node is not None else []
    return len(seen)

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

# %% wrong="2.5.2a" why="believes that every second call raises" says="x.sum(): values differ"
def second_call_raises(f, x):
    return True

# %% wrong="2.5.2a" why="keeps the graph" says="(x * x).sum()"
def second_call_raises(f, x):
    y = f(x.clone().requires_grad_())
    y.backward(retain_graph=True)
    try:
        y.backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="makes the caller's x a leaf" says="neither requires_grad nor a .grad"
def second_call_raises(f, x):
    x.requires_grad_()
    y = f(x)
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="computes f again for the second call" says="(x * x).sum()"
def second_call_raises(f, x):
    leaf = x.clone().requires_grad_()
    f(leaf).backward()
    try:
        f(leaf).backward()
    except RuntimeError:
        return True
    return False

# %% wrong="2.5.2a" why="answers the four visible functions only" says="a function with"
def second_call_raises(f, x):
    leaf = x.clone().requires_grad_()
    return f(leaf).grad_fn.name() == "SumBackward0" and "Mul" in f(leaf).grad_fn.next_functions[0][0].name()

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

# %% wrong="2.5.2b" why="does not keep the graph" says="second time"
def backward_times(y, n):
    for _ in range(n):
        y.backward()

# %% wrong="2.5.2b" why="keeps the graph in the last call, too" says="still there after your last call"
def backward_times(y, n):
    for _ in range(n):
        y.backward(retain_graph=True)

# %% wrong="2.5.2b" why="calls once" says="the gradient once"
def backward_times(y, n):
    y.backward()

# %% wrong="2.5.2b" why="one call with the gradient n clears what was there" says="cleared"
def backward_times(y, n):
    node = y.grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    node.variable.grad = None
    y.backward(gradient=torch.full_like(y, n))

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

# %% wrong="2.5.3a" why="backward on a vector" says="grad can be implicitly created only for scalar"
def stretch_gradient(a):
    leaf = a.clone().requires_grad_()
    stretch(leaf).backward()
    return leaf.grad

# %% wrong="2.5.3a" why="the gradient of the mean" says="gradient of the mean"
def stretch_gradient(a):
    leaf = a.clone().requires_grad_()
    stretch(leaf).mean().backward()
    return leaf.grad

# %% wrong="2.5.3a" why="d / a, which is nan where a is 0" says="Where a is 0, d / a is 0/0"
def stretch_gradient(a):
    return stretch(a) / a

# %% wrong="2.5.3a" why="uses the caller's a as the leaf" says="added up in the caller's a"
def stretch_gradient(a):
    a.requires_grad_()
    stretch(a).sum().backward()
    return a.grad

# %% wrong="2.5.3a" why="turns everything into float32" says="dtype"
def stretch_gradient(a):
    leaf = torch.tensor(a.tolist(), requires_grad=True)
    stretch(leaf).sum().backward()
    return leaf.grad

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

# %% wrong="2.5.3b" why="exact equality" says="right gradient"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool((grad == d / a).all())

# %% wrong="2.5.3b" why="broadcasts over the shapes" says="shape ()"
def accepts(grad, d, a):
    return torch.allclose(grad, d / a, rtol=1e-4)

# %% wrong="2.5.3b" why="an absolute tolerance" says="off by 1 part in 1000"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(((grad - d / a).abs() < 300).all())

# %% wrong="2.5.3b" why="looks for a large error, which nan is not" says="nan"
def accepts(grad, d, a):
    if grad.shape != a.shape:
        return False
    return not bool(((grad - d / a).abs() > 1e-4 * (d / a).abs()).any())

# %% wrong="2.5.3b" why="compares the sums" says="of the wrong sign"
def accepts(grad, d, a):
    return grad.shape == a.shape and abs(abs(grad.sum().item()) - abs((d / a).sum().item())) <= 1e-4 * abs(
        (d / a).sum().item()
    )

# %% wrong="2.5.3b" why="any entry suffices" says="one wrong entry"
def accepts(grad, d, a):
    return grad.shape == a.shape and bool(torch.isclose(grad, d / a, rtol=1e-4).any())

# %% right="2.5.4a" how="gradient=ones, .grad of an own leaf"
def slope(f, x):
    leaf = x.clone().detach().requires_grad_()
    y = f(leaf)
    y.backward(gradient=torch.ones_like(y))
    return leaf.grad

# %% right="2.5.4a" how="torch.func.jvp"
def slope(f, x):
    return torch.func.jvp(f, (x.detach(),), (torch.ones_like(x),))[1].detach()

# %% wrong="2.5.4a" why="returns the cosine, whatever f is" says="x³ - 2x at 1 and 2"
def slope(f, x):
    return torch.cos(x)

# %% wrong="2.5.4a" why="the gradient of the mean" says="gradient of the mean"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).mean().backward()
    return leaf.grad

# %% wrong="2.5.4a" why="leaves the graph attached" says="no graph attached"
def slope(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)[0]

# %% wrong="2.5.4a" why="accumulates in the caller's x" says="has added up"
def slope(f, x):
    x = x.float().requires_grad_()
    f(x).sum().backward()
    return x.grad

# %% wrong="2.5.4a" why="adds to the caller's .grad" says="caller's .grad"
def slope(f, x):
    x.requires_grad_()
    before = torch.zeros_like(x) if x.grad is None else x.grad.clone()
    f(x).sum().backward()
    return x.grad - before

# %% wrong="2.5.4a" why="differences in float32 with a small step" says="sine at 0, π/2, π"
def slope(f, x):
    x = x.detach()
    return (f(x + 1e-6) - f(x)) / 1e-6

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

# %% wrong="2.5.4b" why="draws into the current axes" says="labels of the curves in your axes"
def draw(ax, x):
    from matplotlib import pyplot as plt
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    plt.plot(x.detach(), x.detach().sin(), label="sin")
    plt.plot(x.detach(), leaf.grad, label="derivative")
    plt.legend()

# %% wrong="2.5.4b" why="gives matplotlib a tensor that requires a gradient" says="requires grad"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    y = leaf.sin()
    y.sum().backward()
    ax.plot(leaf, y, label="sin")
    ax.plot(leaf, leaf.grad, label="derivative")
    ax.legend()

# %% wrong="2.5.4b" why="swaps the labels" says="the curve `sin`"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    ax.plot(x.detach(), x.detach().sin(), label="derivative")
    ax.plot(x.detach(), leaf.grad, label="sin")
    ax.legend()

# %% wrong="2.5.4b" why="forgets the legend" says="legend"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    ax.plot(x.detach(), x.detach().sin(), label="sin")
    ax.plot(x.detach(), leaf.grad, label="derivative")

# %% wrong="2.5.4b" why="the gradient of the mean" says="the curve `derivative`"
def draw(ax, x):
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().mean().backward()
    ax.plot(x.detach(), x.detach().sin(), label="sin")
    ax.plot(x.detach(), leaf.grad, label="derivative")
    ax.legend()

# %% right="2.5.5" how="other names and order, the square as a product, lists"
graph = {"y": ["add", "inverse", "product"], "product": ["mul", "s", "l"], "l": ["log", "q"],
         "q": ["mul", "x", "x"], "s": ["sin", "x"], "inverse": ["reciprocal", "x"]}

# %% right="2.5.5" how="the square root of the way: 1/x as x / x²"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "i": ("reciprocal", "a"), "e": ("mul", "i", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="2 log x for log x²" says="x < 0 is legal"
graph = {"l": ("log", "x"), "a": ("add", "l", "l"), "c": ("sin", "x"), "d": ("mul", "a", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="the square of the logarithm" says="y at x = 2"
graph = {"l": ("log", "x"), "a": ("square", "l"), "c": ("sin", "x"), "d": ("mul", "a", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="an operation that does not exist" says="with an operation of"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"), "e": ("div", "1", "x"),
         "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="an entry for the input" says="this is the input; it needs no entry"
graph = {"x": ("x",), "a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="an addition of three" says="takes 2 input(s)"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e", "x")}

# %% wrong="2.5.5" why="a node that nothing reads" says="nothing reads this node"
graph = {"a": ("square", "x"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"), "e": ("reciprocal", "x"),
         "f": ("log", "x"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="edges from reader to source" says="x: this is the input"
graph = {"a": ("square", "b"), "b": ("log", "d"), "c": ("sin", "d"), "d": ("mul", "y", "y"), "e": ("reciprocal", "y"),
         "x": ("square", "a", "c", "e"), "y": ("add", "d", "e")}

# %% wrong="2.5.5" why="a circle" says="waits for its own result"
graph = {"a": ("square", "b"), "b": ("log", "a"), "c": ("sin", "x"), "d": ("mul", "b", "c"),
         "e": ("reciprocal", "x"), "y": ("add", "d", "e")}

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

# %% wrong="2.5.6" why="differentiates log a with respect to x" says="with respect to x, not to a"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 2 / x, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="swaps the factors" says="This is b. The derivative of b · c with respect to b"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": a.log(), "dd/dc": x.sin(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="leaves out a way" says="The way over c and d is missing"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() - 1 / a
    return r

# %% wrong="2.5.6" why="2 log x, which is nan for negative x" says="nan"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": 2 * x.log(), "de/dx": -1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + 2 * x.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="a number where a tensor is asked for" says="Each entry is a tensor of the shape of x"
def chain_rule(x):
    a = x ** 2
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": -1 / a,
         "dy/dd": 1.0, "dy/de": 1.0}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() - 1 / a
    return r

# %% wrong="2.5.6" why="the sign of the derivative of 1/x" says="mind the sign"
def chain_rule(x):
    a, one = x ** 2, torch.ones_like(x)
    r = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": x.cos(), "dd/db": x.sin(), "dd/dc": a.log(), "de/dx": 1 / a,
         "dy/dd": one, "dy/de": one}
    r["dy/dx"] = 2 / x * x.sin() + a.log() * x.cos() + 1 / a
    return r

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

# %% wrong="2.5.7a" why="local derivatives, without the chain" says="Multiply by the one that a brings along"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"x": (x, one), "a": (a, 2 * x), "b": (b, 1 / a), "c": (c, x.cos()), "d": (b * c, c / a + b * x.cos()),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, c / a + b * x.cos() - 1 / a)}

# %% wrong="2.5.7a" why="the derivative of a product as the product of derivatives" says="The product rule has two terms"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * x.cos()
    return {"x": (x, torch.ones_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="2 log x, which is nan for negative x" says="nan"
def forward_mode(x):
    a = x ** 2
    b, c = 2 * x.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": (x, torch.ones_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="the input without its derivative of 1" says="the derivative of x with respect to x"
def forward_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": (x, torch.zeros_like(x)), "a": (a, 2 * x), "b": (b, 2 / x), "c": (c, x.cos()), "d": (b * c, d_),
            "e": (1 / x, -1 / a), "y": (b * c + 1 / x, d_ - 1 / a)}

# %% wrong="2.5.7a" why="only the result" says="the names of the nodes"
def forward_mode(x):
    y = (x ** 2).log() * x.sin() + 1 / x
    return {"y": (y, 2 * x.sin() / x + (x ** 2).log() * x.cos() - 1 / x ** 2)}

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

# %% wrong="2.5.7b" why="overwrites instead of adding: the way over e is left" says="each adds its part"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    g = {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / a}
    g["x"] = g["a"] * 2 * x
    g["x"] = g["c"] * x.cos()
    g["x"] = -g["e"] / a
    return g

# %% wrong="2.5.7b" why="forgets that e reads x, too" says="The way over e is missing"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / a, "x": c / a * 2 * x + b * x.cos()}

# %% wrong="2.5.7b" why="forward mode's derivatives" says="dy/dy at x = 2"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    d_ = 2 / x * c + b * x.cos()
    return {"x": d_ - 1 / a, "a": 2 * x, "b": 2 / x, "c": x.cos(), "d": d_, "e": -1 / a, "y": d_ - 1 / a}

# %% wrong="2.5.7b" why="local derivative of log, without what comes back" says="what came back to b is a factor"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": 1 / a, "x": 2 / x + b * x.cos() - 1 / a}

# %% wrong="2.5.7b" why="swaps the factors of the product" says="is multiplied by the other one"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.ones_like(x)
    return {"y": one, "d": one, "e": one, "b": b, "c": c, "a": b / a, "x": b / a * 2 * x + c * x.cos() - 1 / a}

# %% wrong="2.5.7b" why="2 log x, which is nan for negative x" says="nan"
def reverse_mode(x):
    log, sin, one = 2 * x.log(), x.sin(), torch.ones_like(x)
    return dict(y=one, d=one, e=one, b=sin, c=log, a=sin / x ** 2, x=2 * sin / x + log * x.cos() - x ** -2)

# %% wrong="2.5.7b" why="ones without the shape of x" says="wrong shape"
def reverse_mode(x):
    a = x ** 2
    b, c = a.log(), x.sin()
    one = torch.tensor(1., dtype=x.dtype)
    return {"y": one, "d": one, "e": one, "b": c, "c": b, "a": c / a, "x": 2 * c / x + b * x.cos() - 1 / a}

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

# %% wrong="2.5.8a" why="counts the first Jacobian as a product" says="takes no multiplication"
def multiplications(sizes):
    pairs = list(zip(sizes, sizes[1:]))
    return sum(sizes[0] * a * b for a, b in pairs), sum(sizes[-1] * a * b for a, b in pairs)

# %% wrong="2.5.8a" why="swaps the modes" says="The two are swapped"
def multiplications(sizes):
    def walk(s):
        return sum(s[0] * s[i] * s[i + 1] for i in range(1, len(s) - 1))
    return walk(sizes[::-1]), walk(sizes)

# %% wrong="2.5.8a" why="one vector through the chain" says="carries one vector"
def multiplications(sizes):
    one = sum(a * b for a, b in zip(sizes, sizes[1:]))
    return one, one

# %% wrong="2.5.8a" why="leaves out the length that stays" says="the one that never changes is missing"
def multiplications(sizes):
    return (sum(a * b for a, b in zip(sizes[1:], sizes[2:])), sum(a * b for a, b in zip(sizes[:-2], sizes[1:-1])))

# %% wrong="2.5.8a" why="each Jacobian with its neighbour" says="keeps its n₀ columns"
def multiplications(sizes):
    total = sum(a * b * c for a, b, c in zip(sizes, sizes[1:], sizes[2:]))
    return total, total

# %% wrong="2.5.8a" why="knows the visible chains only" says="a chain of"
def multiplications(sizes):
    return (90, 64) if len(sizes) == 4 else (24, 24)

# %% wrong="2.5.8a" why="fails for a single Jacobian" says="a chain of 1 Jacobians"
def multiplications(sizes):
    def walk(s):
        total = s[0] * s[1] * s[2] if len(s) > 2 else s[0] * s[1]
        return total + sum(s[0] * s[i] * s[i + 1] for i in range(2, len(s) - 1))
    return walk(sizes), walk(sizes[::-1])

# %% right="2.5.8b" how="by the counts"
modes = {letter: "forward" if n < m else "reverse" for letter, n, m in (
    ("A", 10 ** 6, 1), ("B", 3, 10 ** 5), ("C", 1, 3), ("D", 40000, 1), ("E", 1, 1000), ("F", 1000, 1))}

# %% right="2.5.8b" how="letters grouped by mode"
modes = {letter: mode for mode, letters in (("reverse", "DAF"), ("forward", "ECB")) for letter in letters}

# %% wrong="2.5.8b" why="reverse mode always" says="case B"
modes = dict.fromkeys("ABCDEF", "reverse")

# %% wrong="2.5.8b" why="the rule the wrong way round" says="case A"
modes = {"A": "forward", "B": "reverse", "C": "reverse", "D": "forward", "E": "reverse", "F": "forward"}

# %% wrong="2.5.8b" why="takes a product with a vector for a whole Jacobian" says="case E"
modes = {"A": "reverse", "B": "forward", "C": "forward", "D": "reverse", "E": "reverse", "F": "reverse"}

# %% wrong="2.5.8b" why="no decision" says="every entry is"
modes = {"A": "reverse", "B": "forward", "C": "forward", "D": "reverse", "E": "either", "F": "either"}

# %% right="2.5.9" how="a list"
has_gradient = ["v", "p"]

# %% wrong="2.5.9" why="every tensor with requires_grad" says="detach() cuts"
has_gradient = {"p", "r", "s", "v"}

# %% wrong="2.5.9" why="results, too" says="keep no .grad"
has_gradient = {"p", "t", "v"}

# %% wrong="2.5.9" why="overlooks that v is a leaf of its own" says="is missing"
has_gradient = {"p"}

# %% wrong="2.5.9" why="no_grad does not stop s" says="under no_grad()"
has_gradient = {"p", "s", "v"}

# %% wrong="2.5.9" why="plain tensors, too" says="without requires_grad"
has_gradient = {"p", "q", "v"}

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

# %% wrong="2.5.10" why="never clears" says="one tensor stands several times"
def gradients(functions, x):
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad)
    return found

# %% wrong="2.5.10" why="copies but never clears" says="The gradients before it are contained"
def gradients(functions, x):
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad.clone())
    return found

# %% wrong="2.5.10" why="clears the tensor that it kept" says="one tensor stands several times"
def gradients(functions, x):
    found = []
    for f in functions:
        if x.grad is not None:
            x.grad.zero_()
        f(x).backward()
        found.append(x.grad)
    return found

# %% wrong="2.5.10" why="clears after keeping, without a copy" says="without a copy"
def gradients(functions, x):
    found = []
    for f in functions:
        x.grad.zero_()
        f(x).backward()
        found.append(x.grad)
        x.grad.zero_()
    return found

# %% wrong="2.5.10" why="does not clear what was there before" says="What .grad held before"
def gradients(functions, x):
    found = []
    for f in functions:
        f(x).backward()
        found.append(x.grad.clone())
        x.grad = None
    return found

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

# %% wrong="2.5.11" why="no detach" says="gone through the weights"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r ** 2)).sum()

# %% wrong="2.5.11" why="detaches everything" says="does not require grad"
def robust_loss(w, X, y):
    r = (X @ w - y).detach()
    return (r ** 2 / (1 + r ** 2)).sum()

# %% wrong="2.5.11" why="the mean for the sum" says="the mean, not the sum"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r ** 2 / (1 + r.detach() ** 2)).mean()

# %% wrong="2.5.11" why="holds the residual fixed instead of the weight" says="the other way round"
def robust_loss(w, X, y):
    r = X @ w - y
    return (r.detach() ** 2 / (1 + r ** 2)).sum()

# %% wrong="2.5.11" why="targets as a column: residuals of all pairs" says="residuals of all pairs"
def robust_loss(w, X, y):
    r = X @ w - y[:, None]
    return (r ** 2 / (1 + r.detach() ** 2)).sum()

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

# %% wrong="2.5.12" why="transposed" says="shape"
def jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x).T

# %% wrong="2.5.12" why="accumulates over the rows" says="contains the rows before it"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    rows = []
    for v in torch.eye(len(y), dtype=y.dtype):
        y.backward(gradient=v, retain_graph=True)
        rows.append(leaf.grad.clone())
    return torch.stack(rows)

# %% wrong="2.5.12" why="ones for every row" says="gradient of the sum of the outputs"
def jacobian(f, x):
    rows = []
    for _ in range(len(f(x))):
        leaf = x.detach().clone().requires_grad_()
        f(leaf).sum().backward()
        rows.append(leaf.grad)
    return torch.stack(rows)

# %% wrong="2.5.12" why="frees the graph after the first row" says="second time"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    return torch.stack([torch.autograd.grad(y, leaf, v)[0] for v in torch.eye(len(y), dtype=y.dtype)])

# %% wrong="2.5.12" why="leaves the graph attached" says="graph attached"
def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.functional.jacobian(f, leaf, create_graph=True)

# %% wrong="2.5.12" why="marks the caller's x" says="does not require a gradient afterwards"
def jacobian(f, x):
    x.requires_grad_()
    y = f(x)
    return torch.stack([torch.autograd.grad(y, x, v, retain_graph=True)[0] for v in torch.eye(len(y), dtype=y.dtype)])
