# %% right="B.3.1a" how="a context of handles, two running maxima"
def count_gradients(net, run):
    import contextlib
    most = [0, 0]

    def hook(g):
        grads = [p.grad for p in net.parameters() if p.grad is not None] + [g]
        most[0] = max(most[0], len(grads))
        most[1] = max(most[1], sum(one.numel() * one.element_size() for one in grads))

    with contextlib.ExitStack() as stack:
        for p in net.parameters():
            if p.requires_grad:
                stack.callback(p.register_hook(hook).remove)
        run()
    return most

# %% right="B.3.1a" how="a class"
class Counter:
    def __init__(self, net):
        self.net, self.numbers, self.sizes = net, [0], [0]

    def __call__(self, arriving):
        alive = [arriving, *(p.grad for p in self.net.parameters() if isinstance(p.grad, torch.Tensor))]
        self.numbers.append(len(alive))
        self.sizes.append(sum(g.nbytes for g in alive))

def count_gradients(net, run):
    counter = Counter(net)
    handles = [p.register_hook(counter) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        [handle.remove() for handle in handles]
    return max(counter.numbers), max(counter.sizes)

# %% wrong="B.3.1a" why="the arriving gradient is left out" breaks="number" says="The gradient that arrives is not yet in .grad"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="counts after the run" breaks="number" says="count those alive at one moment"
def count_gradients(net, run):
    calls = []
    handles = [p.register_hook(lambda g: calls.append(g.nbytes)) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return len(calls), sum(calls)

# %% wrong="B.3.1a" why="post-accumulate hooks, which run after the one that frees" breaks="number" says="another hook may have freed it"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrived(p):
        alive = [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    handles = [p.register_post_accumulate_grad_hook(arrived) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="entries for bytes" breaks="bytes" says="float32 takes 4 bytes"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.numel() for g in alive)))
    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="hooks stay" breaks="hooks removed" says="your hooks that are left on the parameters"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    for p in net.parameters():
        if p.requires_grad:
            p.register_hook(arrives)
    run()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="hooks stay after an error" breaks="hooks removed" says="remove them in a finally"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    run()
    for handle in handles:
        handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="frozen parameters get a hook" breaks="number" says="raised RuntimeError"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    handles = [p.register_hook(arrives) for p in net.parameters()]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% right="B.3.1b" how="measured by torch on meta"
def gradient_bytes(widths, way):
    net = deep_mlp(widths, 0).to("meta")
    layers = [[p.nbytes for p in layer.parameters()] for layer in net if list(layer.parameters())]
    if way == "plain":
        return sum(map(sum, layers))
    return max(map(sum if way == "by hand" else max, layers))

# %% right="B.3.1b" how="a loop"
def gradient_bytes(widths, way):
    total = layer = single = 0
    for i in range(len(widths) - 1):
        weight, bias = widths[i] * widths[i + 1], widths[i + 1]
        total, layer, single = total + weight + bias, max(layer, weight + bias), max(single, weight)
    return 4 * {"plain": total, "by hand": layer}.get(way, single)

# %% wrong="B.3.1b" why="no biases" breaks="plain" says="Biases have gradients, too"
def gradient_bytes(widths, way):
    sizes = [4 * a * b for a, b in zip(widths, widths[1:])]
    return sum(sizes) if way == "plain" else max(sizes)

# %% wrong="B.3.1b" why="entries" breaks="plain" says="float32 takes 4 bytes"
def gradient_bytes(widths, way):
    sizes = [(a + 1) * b for a, b in zip(widths, widths[1:])]
    return sum(sizes) if way == "plain" else max(sizes)

# %% wrong="B.3.1b" why="hooks free whole layers" breaks="hooks" says="Hooks free each parameter for itself"
def gradient_bytes(widths, way):
    sizes = [4 * (a + 1) * b for a, b in zip(widths, widths[1:])]
    return sum(sizes) if way == "plain" else max(sizes)

# %% wrong="B.3.1b" why="the first layer is taken for the largest" breaks="by hand" says="the largest layer decides, wherever it stands"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in zip(widths, widths[1:])]
    return sum(map(sum, sizes)) if way == "plain" else sum(sizes[0]) if way == "by hand" else sizes[0][0]

# %% right="B.3.2" how="Timer of the book, numpy minima"
def run(config):
    import d2l_utils as d2l
    import numpy as np
    torch.manual_seed(config["seed"])
    X, Y = (torch.randn(config["examples"], config["widths"][i]) for i in (0, -1))
    steps = [make(deep_mlp(config["widths"], config["seed"]), 0.01) for make in VARIANTS.values()]
    seconds = np.zeros((config["rounds"], len(steps)))
    for i in range(config["rounds"]):
        for j, step in enumerate(steps):
            timer = d2l.Timer()
            for k in range(config["steps"]):
                step(X, Y)
            seconds[i, j] = timer.stop() / config["steps"]
    rows = []
    for name, step, least in zip(VARIANTS, steps, seconds.min(axis=0)):
        with MemoryMeter() as meter:
            loss = step(X, Y)
        rows.append(dict(variant=name, seconds=float(least), peak=max(meter.history), loss=loss))
    return rows

# %% right="B.3.2" how="lists of times"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps, times = {}, {}
    for name in VARIANTS:
        steps[name], times[name] = VARIANTS[name](deep_mlp(config["widths"], config["seed"]), 0.01), []
    for _ in range(config["rounds"]):
        for name in VARIANTS:
            start = time.perf_counter_ns()
            [steps[name](X, Y) for _ in range(config["steps"])]
            times[name].append((time.perf_counter_ns() - start) / config["steps"])
    table = []
    for name in VARIANTS:
        row = {"variant": name, "seconds": min(times[name]) * 1e-9}
        row["peak"] = max(memory_history(lambda: row.update(loss=steps[name](X, Y))))  # noqa: B023
        table.append(row)
    return table

# %% wrong="B.3.2" why="one network for all variants" breaks="start" says="They share one"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    net = deep_mlp(config["widths"], config["seed"])
    table = []
    steps = {name: make(net, 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(steps, 9.)
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], (time.perf_counter() - start) / config["steps"])
    for name, step in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best[name], "peak": max(history), "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="one variant after the other" breaks="turns" says="in each round every variant has its turn"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    table = []
    for name, make in VARIANTS.items():
        step = make(deep_mlp(config["widths"], config["seed"]), 0.01)
        best = 9.
        for _ in range(config["rounds"]):
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best = min(best, (time.perf_counter() - start) / config["steps"])
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best, "peak": max(history), "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="the sum of the history" breaks="peak" says="take its largest number"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(VARIANTS, float("inf"))
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], (time.perf_counter() - start)/config["steps"])
    table = []
    for name, step in steps.items():
        losses = []
        peak = sum(memory_history(lambda: losses.append(step(X, Y))))
        table.append({"variant": name, "seconds": best[name], "peak": peak, "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="the first entries of the history" breaks="peak" says="the peak of 'plain'"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(steps, 9.)
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], (time.perf_counter() - start) / config["steps"])
    table = []
    for name, step in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best[name], "peak": history[1], "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="the loss of before the training" breaks="loss" says="This is the loss of the first step"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best, first = dict.fromkeys(steps, 9.), {}
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                first.setdefault(name, step(X, Y))
            best[name] = min(best[name], (time.perf_counter() - start) / config["steps"])
    return [{"variant": name, "seconds": best[name], "peak": max(memory_history(lambda: steps[name](X, Y))), "loss": first[name]}  # noqa: B023
            for name in steps]

# %% wrong="B.3.2" why="another seed for each variant's data" breaks="start" says="on the same batch in every step"
def run(config):
    torch.manual_seed(config["seed"])
    table, steps, best = [], {}, {}
    for name, make in VARIANTS.items():
        X, Y = torch.randn(config["examples"], config["widths"][0]), torch.randn(config["examples"], config["widths"][-1])
        state = torch.get_rng_state()
        steps[name] = make(deep_mlp(config["widths"], config["seed"]), 0.01), X, Y
        torch.set_rng_state(state)
        best[name] = 9.
    for _ in range(config["rounds"]):
        for name, (step, X, Y) in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], (time.perf_counter() - start) / config["steps"])
    for name, (step, X, Y) in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best[name], "peak": max(history), "loss": losses[0]})
    return table

# %% right="B.3.3" how="one forward pass, retain_graph"
def clipped_step(net, X, Y, lr, max_norm):
    loss = F.mse_loss(net(X), Y)
    total = [0.]

    def square(p):
        total[0] += p.grad.norm().item() ** 2
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(square) for p in net.parameters()]
    loss.backward(retain_graph=True)
    for handle in handles:
        handle.remove()
    norm = total[0] ** 0.5

    def update(p):
        p.data -= lr * p.grad * (max_norm / (norm + 1e-6) if norm + 1e-6 > max_norm else 1)
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for handle in handles:
        handle.remove()
    return norm

# %% right="B.3.3" how="a flag instead of two sets of hooks"
def clipped_step(net, X, Y, lr, max_norm):
    state = {"norm": None, "squares": 0.}

    def hook(p):
        if state["norm"] is None:
            state["squares"] += (p.grad ** 2).sum().item()
        else:
            with torch.no_grad():
                p.sub_(lr * p.grad * min(1, max_norm / (state["norm"] + 1e-6)))
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    try:
        for i in range(2):
            F.mse_loss(net(X), Y).backward()
            state["norm"] = state["squares"] ** 0.5
    finally:
        for handle in handles:
            handle.remove()
    return state["norm"]

# %% wrong="B.3.3" why="each parameter by its own norm" breaks="parameters" says="all share one factor"
def clipped_step(net, X, Y, lr, max_norm):
    squares = []

    @torch.no_grad()
    def hook(p):
        norm = p.grad.norm().item()
        squares.append(norm ** 2)
        p.add_(p.grad, alpha=-lr * min(1., max_norm / (norm + 1e-6)))
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for handle in handles:
        handle.remove()
    return sum(squares) ** 0.5

# %% wrong="B.3.3" why="one pass with the norm so far" breaks="parameters" says="used the norm of what had arrived so far"
def clipped_step(net, X, Y, lr, max_norm):
    squares = [0.]

    @torch.no_grad()
    def hook(p):
        squares[0] += p.grad.square().sum().item()
        p.add_(p.grad, alpha=-lr * min(1., max_norm / (squares[0] ** 0.5 + 1e-6)))
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for handle in handles:
        handle.remove()
    return squares[0] ** 0.5

# %% wrong="B.3.3" why="small gradients are blown up" breaks="parameters" says="the factor is at most 1"
def clipped_step(net, X, Y, lr, max_norm):
    squares = []

    def first(p):
        squares.append(p.grad.square().sum().item())
        p.grad = None

    def second(p):
        p.data.add_(p.grad, alpha=-lr * max_norm / (sum(squares) ** 0.5 + 1e-6))
        p.grad = None
    for hook in (first, second):
        handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
        F.mse_loss(net(X), Y).backward()
        for handle in handles:
            handle.remove()
    return sum(squares) ** 0.5

# %% wrong="B.3.3" why="holds all gradients" breaks="one at a time" says="Free each gradient in its hook"
def clipped_step(net, X, Y, lr, max_norm):
    net.zero_grad()
    F.mse_loss(net(X), Y).backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm).item()
    for p in net.parameters():
        p.data -= lr * p.grad
    net.zero_grad()
    return norm

# %% wrong="B.3.3" why="norms added up" breaks="parameters" says="Norms do not add up, their squares do"
def clipped_step(net, X, Y, lr, max_norm):
    norms = []

    def first(p):
        norms.append(p.grad.norm().item())
        p.grad = None

    def second(p):
        p.data.add_(p.grad, alpha=-lr * min(1, max_norm / (sum(norms) + 1e-6)))
        p.grad = None
    for hook in (first, second):
        handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
        F.mse_loss(net(X), Y).backward()
        for handle in handles:
            handle.remove()
    return sum(norms)

# %% wrong="B.3.3" why="hooks stay" breaks="left clean" says="call remove() after each pass"
def clipped_step(net, X, Y, lr, max_norm):
    squares, norm = [], []

    def hook(p):
        if norm:
            p.data.add_(p.grad, alpha=-lr * min(1, max_norm / (norm[0] + 1e-6)))
        else:
            squares.append(p.grad.square().sum().item())
        p.grad = None
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(hook)
    F.mse_loss(net(X), Y).backward()
    norm.append(sum(squares) ** 0.5)
    F.mse_loss(net(X), Y).backward()
    return norm[0]

# %% wrong="B.3.3" why="no clipping" breaks="parameters" says="The gradients were not clipped"
def clipped_step(net, X, Y, lr, max_norm):
    squares = []

    def hook(p):
        squares.append(p.grad.square().sum().item())
        p.data.add_(p.grad, alpha=-lr)
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for handle in handles:
        handle.remove()
    return sum(squares) ** 0.5

# %% right="B.3.4" how="means"
def accumulated(w, batches, lr):
    total, number = 0., 0
    for batch in batches:
        for target in batch:
            total += target
            number += 1
    return w - lr * (w - total / number)

def fused(w, batches, lr):
    n = len(sum(batches, []))
    for batch in batches:
        mean = sum(batch) / len(batch)
        w -= lr * len(batch) / n * (w - mean)
    return w

# %% right="B.3.4" how="autograd"
def gradient(w, batch, n):
    leaf = torch.tensor(float(w), dtype=torch.float64, requires_grad=True)
    (0.5 * (leaf - torch.tensor(batch, dtype=torch.float64)) ** 2).sum().div(n).backward()
    return leaf.grad.item()

def accumulated(w, batches, lr):
    n = sum(map(len, batches))
    return w - lr * sum(gradient(w, batch, n) for batch in batches)

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for batch in batches:
        w = w - lr * gradient(w, batch, n)
    return w

# %% wrong="B.3.4" why="both accumulate" breaks="fused" says="Each gradient is taken at the weight of the start"
def accumulated(w, batches, lr):
    targets = sum(batches, [])
    return w - lr * sum(w - t for t in targets) / len(targets)

def fused(w, batches, lr):
    return accumulated(w, batches, lr)

# %% wrong="B.3.4" why="each micro-batch counts as a whole" breaks="fused" says="divide by the number of all examples"
def accumulated(w, batches, lr):
    targets = sum(batches, [])
    return w - lr * sum(w - t for t in targets) / len(targets)

def fused(w, batches, lr):
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / len(batch)
    return w

# %% wrong="B.3.4" why="a sum for the mean" breaks="accumulated" says="without dividing by the number of examples"
def accumulated(w, batches, lr):
    return w - lr * sum(w - t for batch in batches for t in batch)

def fused(w, batches, lr):
    n = len(sum(batches, []))
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / n
    return w

# %% wrong="B.3.4" why="the mean of the means" breaks="accumulated" says="The means of all micro-batches count alike"
def accumulated(w, batches, lr):
    return w - lr * sum(w - sum(batch) / len(batch) for batch in batches) / len(batches)

def fused(w, batches, lr):
    for batch in batches:
        w = w - lr * (w - sum(batch) / len(batch)) / len(batches)
    return w

# %% right="B.3.5a" how="meta tensors"
def errors_averaged(shape_a, shape_b):
    try:
        return (torch.empty(shape_a, device="meta") - torch.empty(shape_b, device="meta")).numel()
    except RuntimeError:
        return 0

# %% right="B.3.5a" how="by the rule"
def errors_averaged(shape_a, shape_b):
    number, a, b = 1, list(shape_a), list(shape_b)
    while a or b:
        one, other = a.pop() if a else 1, b.pop() if b else 1
        if one != other and 1 not in (one, other):
            return 0
        number *= max(one, other)
    return number

# %% wrong="B.3.5a" why="counts the predictions" breaks="number" says="Each of the 3 is set against each of the 4"
def errors_averaged(shape_a, shape_b):
    return torch.Size(shape_a).numel()

# %% wrong="B.3.5a" why="shapes that differ do not fit" breaks="number" says="an axis of length 1, or a missing one, is stretched"
def errors_averaged(shape_a, shape_b):
    return torch.zeros(shape_a).numel() if shape_a == shape_b else 0

# %% wrong="B.3.5a" why="always each against each" breaks="number" says="are not each against each"
def errors_averaged(shape_a, shape_b):
    return torch.Size(shape_a).numel() * torch.Size(shape_b).numel()

# %% wrong="B.3.5a" why="an error where shapes do not fit" breaks="no fit" says="raised RuntimeError"
def errors_averaged(shape_a, shape_b):
    return torch.Size(torch.broadcast_shapes(shape_a, shape_b)).numel()

# %% wrong="B.3.5a" why="aligned at the left" breaks="number" says="shapes are aligned at the right"
def errors_averaged(shape_a, shape_b):
    number = 1
    for i in range(max(len(shape_a), len(shape_b))):
        a, b = (shape[i] if i < len(shape) else 1 for shape in (shape_a, shape_b))
        if len(shape_a) == 2 and len(shape_b) == 1 and shape_a[1] == 1 and shape_a[0] == shape_b[0]:
            return shape_a[0] ** 2
        if a != b and 1 not in (a, b):
            return 0
        number *= max(a, b)
    return number

# %% right="B.3.5b" how="torch's loss"
def strict_mse(Y_hat, Y):
    if tuple(Y_hat.shape) == tuple(Y.shape):
        return F.mse_loss(Y_hat, Y)
    raise ValueError("shapes " + str(tuple(Y_hat.shape)) + " and " + str(tuple(Y.shape)))

# %% right="B.3.5b" how="by the norm"
def strict_mse(Y_hat, Y):
    if Y_hat.size() != Y.size():
        raise ValueError(f"{list(map(str, (tuple(Y_hat.size()), tuple(Y.size()))))}")
    return torch.linalg.vector_norm(Y_hat - Y) ** 2 / Y.numel()

# %% wrong="B.3.5b" why="no check" breaks="error" says="compare the whole shapes"
def strict_mse(Y_hat, Y):
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="an assertion" breaks="error" says="An assertion vanishes under python -O"
def strict_mse(Y_hat, Y):
    assert Y_hat.shape == Y.shape, f"{tuple(Y_hat.shape)} {tuple(Y.shape)}"
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="compares the numbers of entries" breaks="error" says="Both have 5 entries"
def strict_mse(Y_hat, Y):
    if Y_hat.numel() != Y.numel():
        raise ValueError(f"{tuple(Y_hat.shape)} {tuple(Y.shape)}")
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="compares the numbers of axes" breaks="error" says="2 axes"
def strict_mse(Y_hat, Y):
    if Y_hat.ndim != Y.ndim:
        raise ValueError(f"{tuple(Y_hat.shape)} {tuple(Y.shape)}")
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="a message without the shapes" breaks="both shapes" says="the message of the error holds"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError("the shapes differ")
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="a number" breaks="gradients" says="item() and detach() cut the graph"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"{tuple(Y_hat.shape)} {tuple(Y.shape)}")
    return ((Y_hat - Y) ** 2).mean().detach()

# %% wrong="B.3.5b" why="reshapes silently" breaks="error" says="the error for (5, 1) against (5,)"
def strict_mse(Y_hat, Y):
    return ((Y_hat - Y.reshape(Y_hat.shape)) ** 2).mean()

# %% right="B.3.A" how="a quotient of counts"
def gradient_share(state):
    numbers = {"parameter": 1, "gradient": 1, "state": state}
    return numbers["gradient"] / sum(numbers.values())

# %% right="B.3.A" how="one minus the rest"
def gradient_share(state):
    return 1 - (1 + state) / (2 + state)

# %% wrong="B.3.A" why="the parameter is forgotten" breaks="share" says="The parameter itself counts, too"
def gradient_share(state):
    return 1 / (1 + state)

# %% wrong="B.3.A" why="the rest" breaks="share" says="everything but the gradients"
def gradient_share(state):
    return (1 + state) / (2 + state)

# %% wrong="B.3.A" why="Adam only" breaks="share" says="This is the share for two numbers of state"
def gradient_share(state):
    return 0.25

# %% right="B.3.B" how="torch's norm, no 1e-6"
def clip_factor(norms, c):
    norm = torch.tensor(norms).norm().item()
    return c / norm if norm > c else 1

# %% right="B.3.B" how="math.hypot"
def clip_factor(norms, c):
    import math
    return min(c / (math.hypot(*norms) + 1e-6), 1.0)

# %% wrong="B.3.B" why="norms added" breaks="factor" says="Norms do not add up"
def clip_factor(norms, c):
    return min(1., c / (sum(norms) + 1e-6))

# %% wrong="B.3.B" why="no root" breaks="factor" says="Take the root"
def clip_factor(norms, c):
    return min(1., c / (sum(n * n for n in norms) + 1e-6))

# %% wrong="B.3.B" why="the largest norm" breaks="factor" says="The largest norm alone"
def clip_factor(norms, c):
    return min(1., c / (max(norms) + 1e-6))

# %% wrong="B.3.B" why="enlarges" breaks="never enlarged" says="Small gradients are not enlarged"
def clip_factor(norms, c):
    return c / (sum(n * n for n in norms) ** 0.5 + 1e-6)

# %% wrong="B.3.B" why="divides by 0" breaks="never enlarged" says="ZeroDivisionError"
def clip_factor(norms, c):
    return min(1., c / sum(n * n for n in norms) ** 0.5)

# %% wrong="B.3.1a" why="an empty list has no maximum" breaks="no gradient" says="ValueError"
def count_gradients(net, run):
    found = []

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="runs twice" breaks="run once" says="how often run is called"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    run()
    net.zero_grad()
    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1a" why="clears the gradients at the end" breaks="gradients kept" says="no .grad is changed"
def count_gradients(net, run):
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))
    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
        for p in net.parameters():
            if p.grad is not None:
                p.grad = torch.zeros_like(p.grad)
    return max(a for a, b in found), max(b for a, b in found)

# %% wrong="B.3.1b" why="one parameter of all for plain" breaks="plain" says="widths 5, 4, 3, 2, plain"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in zip(widths, widths[1:])]
    return max(map(sum, sizes)) if way in ("plain", "by hand") else max(a for a, b in sizes)

# %% wrong="B.3.1b" why="hooks: the first weight" breaks="hooks" says="The largest weight decides"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in zip(widths, widths[1:])]
    return sum(map(sum, sizes)) if way == "plain" else max(map(sum, sizes)) if way == "by hand" else sizes[0][0]

# %% wrong="B.3.2" why="the end of the history" breaks="peak" says="This is the end of the history"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(steps, 9e9)
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], (time.perf_counter() - start) / config["steps"])
    table = []
    for name, step in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best[name], "peak": history[-1], "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="seconds of all steps" breaks="seconds" says="Divide by the number of steps"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(steps, 9e9)
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], time.perf_counter() - start)
    table = []
    for name, step in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best[name], "peak": max(history), "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="the mean of the rounds" breaks="seconds" says="This is the mean over the rounds"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(steps, 0.)
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] += (time.perf_counter() - start) / config["steps"] / config["rounds"]
    table = []
    for name, step in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))  # noqa: B023
        table.append({"variant": name, "seconds": best[name], "peak": max(history), "loss": losses[0]})
    return table

# %% wrong="B.3.2" why="no key for the loss" breaks="rows" says="the keys of a row"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    table = []
    for name, make in VARIANTS.items():
        step = make(deep_mlp(config["widths"], config["seed"]), 0.01)
        start = time.perf_counter()
        step(X, Y)
        table.append({"variant": name, "seconds": time.perf_counter() - start, "peak": max(memory_history(lambda: step(X, Y)))})  # noqa: B023
    return table

# %% wrong="B.3.3" why="one pass that keeps all gradients together" breaks="one at a time" says="keep no copy of it"
def clipped_step(net, X, Y, lr, max_norm):
    kept = []

    def hook(p):
        kept.append((p, p.grad))
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for handle in handles:
        handle.remove()
    norm = sum(g.square().sum().item() for p, g in kept) ** 0.5
    for p, g in kept:
        p.data -= lr * min(1., max_norm / (norm + 1e-6)) * g
    return norm

# %% wrong="B.3.3" why="one pass by autograd.grad" breaks="one at a time" says="the peak of new memory"
def clipped_step(net, X, Y, lr, max_norm):
    params = list(net.parameters())
    grads = torch.autograd.grad(F.mse_loss(net(X), Y), params)
    norm = torch.cat([g.flatten() for g in grads]).norm().item()
    for p, g in zip(params, grads):
        p.data -= lr * min(1., max_norm / (norm + 1e-6)) * g
    return norm

# %% right="B.3.3" how="without 1e-6"
def clipped_step(net, X, Y, lr, max_norm):
    squares, state = [], {}

    def hook(p):
        if "norm" in state:
            p.data.add_(p.grad, alpha=-lr * (max_norm / state["norm"] if state["norm"] > max_norm else 1.))
        else:
            squares.append(p.grad.square().sum().item())
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    state["norm"] = sum(squares) ** 0.5
    F.mse_loss(net(X), Y).backward()
    for handle in handles:
        handle.remove()
    return state["norm"]

# %% wrong="B.3.3" why="returns the clipped norm" breaks="norm" says="This is the norm after clipping"
def clipped_step(net, X, Y, lr, max_norm):
    squares, state = [], {}

    def hook(p):
        if "norm" in state:
            p.data.add_(p.grad, alpha=-lr * min(1., max_norm / (state["norm"] + 1e-6)))
        else:
            squares.append(p.grad.square().sum().item())
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    state["norm"] = sum(squares) ** 0.5
    F.mse_loss(net(X), Y).backward()
    for handle in handles:
        handle.remove()
    return min(max_norm, state["norm"])

# %% right="B.3.5b" how="shapes as torch.Size writes them"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"shapes {Y_hat.shape} and {Y.shape}")
    return ((Y_hat - Y)**2).mean()

# %% wrong="B.3.5b" why="the sum" breaks="loss" says="This is the sum"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"shapes {Y_hat.shape} and {Y.shape}")
    return ((Y_hat - Y)**2).sum()

# %% wrong="B.3.5b" why="one shape only" breaks="both shapes" says="the message of the error holds"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"the predictions have the shape {tuple(Y_hat.shape)}, the targets another one")
    return ((Y_hat - Y)**2).mean()

# %% wrong="B.3.A" why="the share of the state" breaks="share" says="the optimizer's state"
def gradient_share(state):
    return state / (2 + state)

# %% wrong="B.3.A" why="0 taken for nothing said" breaks="share" says="that of plain SGD"
def gradient_share(state):
    return 1 / (2 + (state or 2))

# %% right="B.3.A" how="Fraction as it is"
from fractions import Fraction

def gradient_share(state):
    return Fraction(1, state + 2)

# %% wrong="B.3.1a" why="gradients cleared before the run" breaks="number" says="clear none"
def count_gradients(net, run):
    seen = [(0, 0)]
    net.zero_grad()

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="gradients cleared afterwards" breaks="gradients kept" says="neither before the run nor after it"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    net.zero_grad()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="bytes of the moment with the largest number" breaks="bytes" says="another moment with as many gradients may have more bytes"
def count_gradients(net, run):
    best = [0, 0]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        if len(alive) > best[0]:
            best[:] = [len(alive), sum((a.nbytes for a in alive))]
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return tuple(best)

# %% wrong="B.3.1a" why="bytes of the last moment with the largest number" breaks="bytes" says="an earlier one has more bytes"
def count_gradients(net, run):
    best = [0, 0]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        if len(alive) >= best[0]:
            best[:] = [len(alive), sum((a.nbytes for a in alive))]
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return tuple(best)

# %% wrong="B.3.1a" why="largest pair: number first, then bytes" breaks="bytes" says="take each maximum for itself"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return max(seen)

# %% wrong="B.3.1a" why="frozen parameters' .grad is not counted" breaks="number" says="a frozen one's, too"
def count_gradients(net, run):
    seen = [(0, 0)]
    params = [p for p in net.parameters() if p.requires_grad]

    def hook(g):
        alive = [g] + [p.grad for p in params if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    handles = [p.register_hook(hook) for p in params]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="entries times 4" breaks="bytes" says="A float64 takes 8 bytes"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.numel() * 4 for a in alive))))
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="error swallowed" breaks="hooks removed" says="without except"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    except RuntimeError:
        pass
    for h in handles:
        h.remove()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="the parameter's own .grad counts only once with the arriving one" breaks="number" says="beside the one that it will be added to"
def count_gradients(net, run):
    seen = [(0, 0)]

    def make(p):

        def hook(g):
            alive = [g] + [q.grad for q in net.parameters() if q.grad is not None and q is not p]
            seen.append((len(alive), sum((a.nbytes for a in alive))))
        return hook
    handles = [p.register_hook(make(p)) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="removes everybody's hooks" breaks="other hooks" says="your own hooks alone"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    for p in net.parameters():
        if p.requires_grad:
            p.register_hook(hook)
    try:
        run()
    finally:
        for p in net.parameters():
            if p._backward_hooks:
                p._backward_hooks.clear()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1a" why="only layers' weights get hooks" breaks="number" says="biases, too"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    handles = [p.register_hook(hook) for p in net.parameters() if p.requires_grad and p.ndim > 1]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return (max((a for a, b in seen)), max((b for a, b in seen)))

# %% wrong="B.3.1b" why="the largest weight plus the largest bias" breaks="by hand" says="may stand in two layers"
def gradient_bytes(widths, way):
    sizes = [(a * b, b) for a, b in itertools.pairwise(widths)]
    if way == 'plain':
        return 4 * sum((w + b for w, b in sizes))
    return 4 * (max((w for w, b in sizes)) + (max((b for w, b in sizes)) if way == 'by hand' else 0))

# %% wrong="B.3.1b" why="the layer with the most outputs" breaks="by hand" says="not the one with most outputs"
def gradient_bytes(widths, way):
    sizes = [(a * b, b) for a, b in itertools.pairwise(widths)]
    if way == 'plain':
        return 4 * sum((w + b for w, b in sizes))
    w, b = max(sizes, key=lambda s: s[1])
    return 4 * (w + b if way == 'by hand' else w)

# %% wrong="B.3.2" why="each step timed for itself, least of all steps" breaks="seconds" says="the quickest single step"
def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config['rounds']):
        for name, step in steps.items():
            for i in range(config['steps']):
                t = time.perf_counter()
                step(X, Y)
                times[name].append(time.perf_counter() - t)
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': min(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.2" why="divides by a fixed number of steps" breaks="seconds" says="divided by config"
def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config['rounds']):
        for name, step in steps.items():
            t = time.perf_counter()
            for i in range(config['steps']):
                step(X, Y)
            times[name].append((time.perf_counter() - t) / 2)
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': min(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.2" why="batch of a fixed seed" breaks="start" says="right after torch.manual_seed"
def run(config):
    torch.manual_seed(0)
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config['rounds']):
        for name, step in steps.items():
            t = time.perf_counter()
            for i in range(config['steps']):
                step(X, Y)
            times[name].append((time.perf_counter() - t) / config['steps'])
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': min(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.2" why="turns within a round by steps: A B C D, A B C D" breaks="turns" says="take turns after each single step"
def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.01) for name, make in VARIANTS.items()}
    times = {name: [0.0] * config['rounds'] for name in steps}
    for r in range(config['rounds']):
        for i in range(config['steps']):
            for name, step in steps.items():
                t = time.perf_counter()
                step(X, Y)
                times[name][r] += (time.perf_counter() - t) / config['steps']
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': min(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.2" why="the median of the rounds" breaks="seconds" says="This is the median"
import statistics

def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config['rounds']):
        for name, step in steps.items():
            t = time.perf_counter()
            for i in range(config['steps']):
                step(X, Y)
            times[name].append((time.perf_counter() - t) / config['steps'])
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': statistics.median(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.2" why="rates of 0.1" breaks="start" says="with the rate 0.01"
def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.1) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config['rounds']):
        for name, step in steps.items():
            t = time.perf_counter()
            for i in range(config['steps']):
                step(X, Y)
            times[name].append((time.perf_counter() - t) / config['steps'])
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': min(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% right="B.3.2" how="perf_counter imported by name"
from time import perf_counter

def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {name: make(deep_mlp(config['widths'], config['seed']), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config['rounds']):
        for name, step in steps.items():
            t = perf_counter()
            for i in range(config['steps']):
                step(X, Y)
            times[name].append((perf_counter() - t) / config['steps'])
    rows = []
    for name, step in steps.items():
        out = []
        h = memory_history(lambda: out.append(step(X, Y)))
        rows.append({'variant': name, 'seconds': min(times[name]), 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.B" why="only two norms" breaks="factor" says="All norms of the list count"
def clip_factor(norms, c):
    n = (norms[0] ** 2 + norms[1] ** 2) ** 0.5
    return min(1, c / (n + 1e-06))

# %% wrong="B.3.B" why="mean of squares" breaks="factor" says="Add the squares up"
def clip_factor(norms, c):
    n = (sum((x * x for x in norms)) / len(norms)) ** 0.5
    return min(1, c / (n + 1e-06))

# %% wrong="B.3.B" why="clips when one gradient alone is larger" breaks="factor" says="The common norm decides"
def clip_factor(norms, c):
    n = sum((x * x for x in norms)) ** 0.5
    return c / n if max(norms) > c else 1.0

# %% wrong="B.3.3" why="norm of the parameters" breaks="norm" says="This is the norm of the parameters"
def clipped_step(net, X, Y, lr, max_norm):
    total = sum((p.detach().square().sum().item() for p in net.parameters())) ** 0.5
    f = min(1, max_norm / (total + 1e-06))

    def h(p):
        with torch.no_grad():
            p.sub_(lr * f * p.grad)
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(h) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    return total

# %% wrong="B.3.3" why="no small number: breaks at a gradient of 0" breaks="zero gradients" says="ZeroDivisionError"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.0

    def first(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    norm = total ** 0.5
    f = min(1.0, max_norm / norm)

    def second(p):
        p.data -= lr * f * p.grad
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(second) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    return norm

# %% wrong="B.3.3" why="clips entries to [-c, c]" breaks="parameters" says="Every entry was clipped for itself"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.0

    def first(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()

    def second(p):
        p.data -= lr * p.grad.clamp(-max_norm, max_norm)
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(second) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    return total ** 0.5

# %% wrong="B.3.3" why="the sum of errors, not their mean" breaks="norm" says="F.mse_loss is a mean"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.0

    def first(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    (net(X) - Y).square().sum().backward()
    for one in hs:
        one.remove()
    norm = total ** 0.5
    f = min(1.0, max_norm / (norm + 1e-06))

    def second(p):
        p.data -= lr * f * p.grad
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(second) for p in net.parameters()]
    (net(X) - Y).square().sum().backward()
    for one in hs:
        one.remove()
    return norm

# %% wrong="B.3.3" why="returns a tensor" breaks="norm" says=".item()"
def clipped_step(net, X, Y, lr, max_norm):
    total = torch.zeros(())

    def first(p):
        total.add_(p.grad.square().sum())
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    norm = total.sqrt()
    f = (max_norm / (norm + 1e-06)).clamp(max=1)

    def second(p):
        p.data -= lr * f * p.grad
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(second) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    return norm

# %% wrong="B.3.3" why="gradients kept in half precision in a list" breaks="parameters" says="keep their precision"
def clipped_step(net, X, Y, lr, max_norm):
    kept, total = ({}, 0.0)

    def first(p):
        nonlocal total
        total += p.grad.square().sum().item()
        kept[p] = p.grad.to(torch.bfloat16)
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    norm = total ** 0.5
    f = min(1.0, max_norm / (norm + 1e-06))
    for p, g in kept.items():
        p.data -= lr * f * g
    return norm

# %% right="B.3.3" how="layer by layer by hand, twice"
def clipped_step(net, X, Y, lr, max_norm):
    layers = list(net)

    def back(use):
        ins = []
        with torch.no_grad():
            H = X
            for layer in layers:
                ins.append(H)
                H = layer(H)
        top = H.detach().requires_grad_()
        above, = torch.autograd.grad(F.mse_loss(top, Y), top)
        for layer, I in zip(reversed(layers), reversed(ins)):
            start = I.detach().requires_grad_()
            ps = list(layer.parameters())
            above, *gs = torch.autograd.grad(layer(start), [start, *ps], above)
            for p, g in zip(ps, gs):
                use(p, g)
    squares = []
    back(lambda p, g: squares.append(float((g * g).sum())))
    norm = sum(squares) ** 0.5
    scale = max_norm / (norm + 1e-06) if norm > max_norm else 1.0
    back(lambda p, g: p.data.sub_(lr * scale * g))
    return norm

# %% wrong="B.3.4" why="fused: every example steps" breaks="fused" says="every example steps for itself"
def accumulated(w, batches, lr):
    n = sum(map(len, batches))
    return w - lr * sum((w - t for b in batches for t in b)) / n

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for b in batches:
        for t in b:
            w = w - lr * (w - t) / n
    return w

# %% wrong="B.3.4" why="only two micro-batches" breaks="accumulated" says="Every micro-batch counts"
def accumulated(w, batches, lr):
    n = len(batches[0]) + len(batches[1])
    return w - lr * (sum((w - t for t in batches[0])) + sum((w - t for t in batches[1]))) / n

def fused(w, batches, lr):
    n = len(batches[0]) + len(batches[1])
    w = w - lr * sum((w - t for t in batches[0])) / n
    return w - lr * sum((w - t for t in batches[1])) / n

# %% wrong="B.3.4" why="rate fixed at 0.5" breaks="accumulated" says="The rate is an argument"
def accumulated(w, batches, lr):
    n = sum(map(len, batches))
    return w - 0.5 * sum((w - t for b in batches for t in b)) / n

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for b in batches:
        w = w - 0.5 * sum((w - t for t in b)) / n
    return w

# %% wrong="B.3.4" why="loss without the half" breaks="accumulated" says="without a factor 2"
def accumulated(w, batches, lr):
    n = sum(map(len, batches))
    return w - lr * sum((2 * (w - t) for b in batches for t in b)) / n

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for b in batches:
        w = w - lr * sum((2 * (w - t) for t in b)) / n
    return w

# %% right="B.3.4" how="autograd"
def accumulated(w, batches, lr):
    w = torch.tensor(float(w), requires_grad=True)
    n = sum(map(len, batches))
    for b in batches:
        (0.5 * (w - torch.tensor(b)) ** 2).sum().div(n).backward()
    return (w - lr * w.grad).item()

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for b in batches:
        v = torch.tensor(float(w), requires_grad=True)
        (0.5 * (v - torch.tensor(b)) ** 2).sum().div(n).backward()
        w = (v - lr * v.grad).item()
    return w

# %% right="B.3.5a" how="the larger one of each pair of axes"
import math

def errors_averaged(a, b):
    n = max(len(a), len(b))
    a, b = ((1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b))
    if any((x != y and 1 not in (x, y) for x, y in zip(a, b))):
        return 0
    return math.prod((max(x, y) for x, y in zip(a, b)))

# %% wrong="B.3.5a" why="product of both" breaks="number" says="meet entry by entry"
import math

def errors_averaged(a, b):
    return math.prod(a) * math.prod(b) if a != b else math.prod(a)

# %% wrong="B.3.5a" why="only the last axis is compared" breaks="no fit" says="not the last one alone"
import math

def errors_averaged(a, b):
    n = max(len(a), len(b))
    a, b = ((1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b))
    if a and a[-1] != b[-1] and (1 not in (a[-1], b[-1])):
        return 0
    return math.prod((max(x, y) for x, y in zip(a, b)))

# %% right="B.3.5a" how="numpy integer"
import numpy as np

def errors_averaged(a, b):
    try:
        return np.broadcast(np.empty(a), np.empty(b)).size
    except ValueError:
        return 0

# %% wrong="B.3.5b" why="last axis only" breaks="error" says="before the whole shapes were compared"
def strict_mse(Y_hat, Y):
    if Y_hat.ndim != Y.ndim or Y_hat.shape[-1] != Y.shape[-1]:
        raise ValueError(f'{Y_hat.shape} {Y.shape}')
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="mean over the first axis only" breaks="loss" says="not of rows"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f'{Y_hat.shape} {Y.shape}')
    return ((Y_hat - Y) ** 2).sum() / len(Y)

# %% wrong="B.3.5b" why="no gradient" breaks="gradients" says="cut the graph"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f'{Y_hat.shape} {Y.shape}')
    return ((Y_hat.detach() - Y) ** 2).mean().requires_grad_()

# %% right="B.3.5b" how="a subclass of ValueError"
class ShapesDiffer(ValueError):
    pass

def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ShapesDiffer(f'{tuple(Y_hat.shape)} against {tuple(Y.shape)}')
    return F.mse_loss(Y_hat, Y)

# %% right="B.3.1a" how="hooks on the nodes that add to .grad, the nodes held"
def count_gradients(net, run):
    most = [0, 0]

    def hook(grads):
        alive = [g for g in grads if g is not None] + [p.grad for p in net.parameters() if p.grad is not None]
        most[0] = max(most[0], len(alive))
        most[1] = max(most[1], sum(g.nbytes for g in alive))
    nodes = [torch.autograd.graph.get_gradient_edge(p).node for p in net.parameters() if p.requires_grad]
    handles = [node.register_prehook(hook) for node in nodes]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return most

# %% wrong="B.3.5a" why="an axis stretches to its multiple" breaks="no fit" says="Only an axis of length 1 is stretched"
import math

def errors_averaged(shape_a, shape_b):
    number, a, b = 1, list(shape_a), list(shape_b)
    while a or b:
        one, other = a.pop() if a else 1, b.pop() if b else 1
        small, large = sorted((one, other))
        if large % small:
            return 0
        number *= large
    return number

# %% wrong="B.3.3" why="0 / 0" breaks="zero gradients" says="0 / 0 is NaN"
def clipped_step(net, X, Y, lr, max_norm):
    squares = []

    def first(p):
        squares.append(p.grad.square().sum())
        p.grad = None

    def second(p):
        norm = torch.stack(squares).sum().sqrt()
        p.data -= lr * torch.minimum(norm, torch.tensor(max_norm)) * p.grad / norm
        p.grad = None
    for hook in (first, second):
        handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
        F.mse_loss(net(X), Y).backward()
        for handle in handles:
            handle.remove()
    return torch.stack(squares).sum().sqrt().item()

# %% wrong="B.3.A" why="share of parameters and gradients" breaks="share" says="parameters and gradients together"
def gradient_share(state):
    return 2 / (2 + state)

# %% wrong="B.3.1a" why="hook doubles the gradient" breaks="gradients kept" says="return nothing"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
        return g * 2
    hs = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in hs:
            h.remove()
    return (max((a for a, _ in seen)), max((b for _, b in seen)))

# %% wrong="B.3.1a" why="frozen weights thawed" breaks="number" says="its requires_grad stays False"
def count_gradients(net, run):
    seen = [(0, 0)]

    def hook(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        seen.append((len(alive), sum((a.nbytes for a in alive))))
    hs = [p.requires_grad_().register_hook(hook) for p in net.parameters()]
    try:
        run()
    finally:
        for h in hs:
            h.remove()
    return (max((a for a, _ in seen)), max((b for _, b in seen)))

# %% wrong="B.3.2" why="one measured step only" breaks="seconds" says="not the last one alone"
def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {n: m(deep_mlp(config['widths'], config['seed']), 0.01) for n, m in VARIANTS.items()}
    best = dict.fromkeys(steps, 1000000000.0)
    for r in range(config['rounds']):
        for n, s in steps.items():
            for i in range(config['steps'] - 1):
                s(X, Y)
            t = time.perf_counter()
            s(X, Y)
            best[n] = min(best[n], time.perf_counter() - t)
    rows = []
    for n, s in steps.items():
        out = []
        h = memory_history(lambda: out.append(s(X, Y)))
        rows.append({'variant': n, 'seconds': best[n], 'peak': max(h), 'loss': out[0]})
    return rows

# %% right="B.3.2" how="default_timer under another name"
from timeit import default_timer as clock

def run(config):
    torch.manual_seed(config['seed'])
    X, Y = (torch.randn(config['examples'], config['widths'][0]), torch.randn(config['examples'], config['widths'][-1]))
    steps = {n: m(deep_mlp(config['widths'], config['seed']), 0.01) for n, m in VARIANTS.items()}
    best = dict.fromkeys(steps, 1000000000.0)
    for r in range(config['rounds']):
        for n, s in steps.items():
            t = clock()
            for i in range(config['steps']):
                s(X, Y)
            best[n] = min(best[n], (clock() - t) / config['steps'])
    rows = []
    for n, s in steps.items():
        out = []
        h = memory_history(lambda: out.append(s(X, Y)))
        rows.append({'variant': n, 'seconds': best[n], 'peak': max(h), 'loss': out[0]})
    return rows

# %% wrong="B.3.3" why="second pass leaves gradients" breaks="left clean" says="in the second pass, too"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.0

    def first(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    norm = total ** 0.5
    F.mse_loss(net(X), Y).backward()
    for p in net.parameters():
        p.data -= lr * min(1.0, max_norm / (norm + 1e-06)) * p.grad
    return norm

# %% wrong="B.3.3" why="the rate is forgotten" breaks="parameters" says="lr times the clipped gradient"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.0

    def first(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    norm = total ** 0.5
    f = min(1.0, max_norm / (norm + 1e-06))

    def second(p):
        p.data -= f * p.grad
        p.grad = None
    hs = [p.register_post_accumulate_grad_hook(second) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for one in hs:
        one.remove()
    return norm

# %% wrong="B.3.4" why="ascent" breaks="accumulated" says="against the gradient"
def accumulated(w, batches, lr):
    n = sum(map(len, batches))
    return w + lr * sum((w - t for b in batches for t in b)) / n

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for b in batches:
        w = w + lr * sum((w - t for t in b)) / n
    return w

# %% right="B.3.4" how="numpy float32, 0-d tensors"
import numpy as np

def accumulated(w, batches, lr):
    t = np.concatenate([np.array(b, dtype=np.float32) for b in batches])
    return torch.tensor(w - lr * (w - t).mean())

def fused(w, batches, lr):
    n = sum(map(len, batches))
    w = torch.tensor(float(w))
    for b in batches:
        w = w - lr * (w - torch.tensor(b)).sum() / n
    return w

# %% wrong="B.3.5a" why="the larger of the two numbers of entries" breaks="number" says="each is set against each"
def errors_averaged(shape_a, shape_b):
    try:
        torch.broadcast_shapes(shape_a, shape_b)
    except RuntimeError:
        return 0
    return max(torch.Size(shape_a).numel(), torch.Size(shape_b).numel())

# %% wrong="B.3.1b" why="the last layer by hand" breaks="by hand" says="This is the last layer"
def gradient_bytes(widths, way):
    sizes = [4 * (a + 1) * b for a, b in itertools.pairwise(widths)]
    return sum(sizes) if way == "plain" else sizes[-1] if way == "by hand" else max(4 * a * b for a, b in itertools.pairwise(widths))

# %% wrong="B.3.A" why="in percent" breaks="share" says="not percent"
def gradient_share(state):
    return 100 / (2 + state)

# %% wrong="B.3.1a" why="looks before and after the run, too" breaks="no gradient" says="whatever lies in .grad"
def count_gradients(net, run):
    numbers, sizes = [], []
    def look(g=None):
        alive = ([] if g is None else [g.nbytes]) + [q.grad.nbytes for q in net.parameters() if q.grad is not None]
        numbers.append(len(alive))
        sizes.append(sum(alive))
    handles = [p.register_hook(lambda g: look(g)) for p in net.parameters() if p.requires_grad]
    try:
        look()
        run()
        look()
    finally:
        for h in handles:
            h.remove()
    return max(numbers), max(sizes)

# %% wrong="B.3.1a" why="only the Linear layers that stand directly in the net" breaks="number" says="may lie deeper"
def count_gradients(net, run):
    params = [p for layer in net if isinstance(layer, nn.Linear) for p in (layer.weight, layer.bias)]
    numbers, sizes = [0], [0]
    def hook(g):
        alive = [g.nbytes] + [q.grad.nbytes for q in params if q.grad is not None]
        numbers.append(len(alive))
        sizes.append(sum(alive))
    handles = [p.register_hook(hook) for p in params if p.requires_grad]
    try:
        run()
    finally:
        for h in handles:
            h.remove()
    return max(numbers), max(sizes)

# %% wrong="B.3.1a" why="each hook looks once" breaks="number" says="in a later pass, too"
def count_gradients(net, run):
    numbers, sizes, handles = [0], [0], {}
    def make(p):
        def hook(g):
            alive = [g.nbytes] + [q.grad.nbytes for q in net.parameters() if q.grad is not None]
            numbers.append(len(alive))
            sizes.append(sum(alive))
            handles[p].remove()
        return hook
    for p in net.parameters():
        if p.requires_grad:
            handles[p] = p.register_hook(make(p))
    try:
        run()
    finally:
        for h in handles.values():
            h.remove()
    return max(numbers), max(sizes)

# %% wrong="B.3.1b" why="the layer with the largest weight" breaks="by hand" says="compare weight and bias together"
def gradient_bytes(widths, way):
    layers = [(a * b, b) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return 4 * sum(map(sum, layers))
    largest = max(layers, key=lambda layer: layer[0])
    return 4 * (sum(largest) if way == "by hand" else largest[0])

# %% wrong="B.3.1b" why="a bias for the input" breaks="plain" says="the input of the network has none"
def gradient_bytes(widths, way):
    weights = [a * b for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return 4 * (sum(weights) + sum(widths))
    if way == "by hand":
        return 4 * max(w + b for w, b in zip(weights, widths[1:]))
    return 4 * max(weights)

# %% wrong="B.3.1b" why="the output layer left out" breaks="plain" says="The last Linear counts"
def gradient_bytes(widths, way):
    layers = [(4 * a * b, 4 * b) for a, b in zip(widths[:-2], widths[1:-1])]
    if way == "plain":
        return sum(w + b for w, b in layers)
    if way == "by hand":
        return max(w + b for w, b in layers)
    return max(w for w, b in layers)

# %% wrong="B.3.1b" why="the gradient of the layer's input counted" breaks="by hand" says="not that of the layer's input"
def gradient_bytes(widths, way):
    layers = [(4 * a * b, 4 * b, 4 * a) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return sum(w + b for w, b, a in layers)
    if way == "by hand":
        return max(w + b + a for w, b, a in layers)
    return max(w for w, b, a in layers)

# %% wrong="B.3.1b" why="hooks count biases" breaks="hooks" says="a weight, not a bias"
def gradient_bytes(widths, way):
    layers = [(4 * a * b, 4 * b) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return sum(w + b for w, b in layers)
    if way == "by hand":
        return max(w + b for w, b in layers)
    return max(b for w, b in layers)

# %% right="B.3.1b" how="measured in a step, by hooks"
def gradient_bytes(widths, way):
    net = deep_mlp(widths, 0)
    step = VARIANTS[way](net, 0.01)
    seen = []
    handles = [p.register_hook(lambda g: seen.append(g.nbytes + sum(q.grad.nbytes for q in net.parameters() if q.grad is not None)))
               for p in net.parameters()]
    step(torch.ones(1, widths[0]), torch.ones(1, widths[-1]))
    for h in handles:
        h.remove()
    return max(seen)

# %% wrong="B.3.2" why="the meter is on in the timed steps" breaks="seconds" says="keep it out of the timing"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            memory_history(lambda: [step(X, Y) for _ in range(config["steps"])])
            times[name].append((time.perf_counter() - start) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[0]})
    return rows

# %% wrong="B.3.2" why="time.time" breaks="seconds" says="No time has passed by this clock"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.time()
            for _ in range(config["steps"]):
                step(X, Y)
            times[name].append((time.time() - start) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[0]})
    return rows

# %% wrong="B.3.2" why="a step for warming up" breaks="loss" says="none for warming up"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for step in steps.values():
        step(X, Y)
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            times[name].append((time.perf_counter() - start) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[0]})
    return rows

# %% wrong="B.3.2" why="Y drawn before X" breaks="start" says="Y was drawn before X"
def run(config):
    torch.manual_seed(config["seed"])
    Y = torch.randn(config["examples"], config["widths"][-1])
    X = torch.randn(config["examples"], config["widths"][0])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            times[name].append((time.perf_counter() - start) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[0]})
    return rows

# %% wrong="B.3.2" why="the batch drawn after the networks" breaks="start" says="right after the seed"
def run(config):
    torch.manual_seed(config["seed"])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    times = {name: [] for name in steps}
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            times[name].append((time.perf_counter() - start) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[0]})
    return rows

# %% wrong="B.3.2" why="the metered step in the last round" breaks="turns" says="not inside of the last one"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    rows = [{"variant": name, "seconds": float("inf"), "peak": 0, "loss": 0.} for name in VARIANTS]
    steps = [make(deep_mlp(config["widths"], config["seed"]), 0.01) for make in VARIANTS.values()]
    for turn in range(config["rounds"]):
        for row, step in zip(rows, steps):
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            row["seconds"] = min(row["seconds"], (time.perf_counter() - start) / config["steps"])
            if turn == config["rounds"] - 1:
                row["peak"] = max(memory_history(lambda: row.update(loss=step(X, Y))))
    return rows

# %% wrong="B.3.2" why="ratios in the table" breaks="peak" says="belong to your words"
def run(config):
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            times[name].append((time.perf_counter() - start) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[0]})
    for row in reversed(rows):
        row["seconds"] /= rows[0]["seconds"]
        row["peak"] /= rows[0]["peak"]
    return rows

# %% right="B.3.2" how="a class that takes its turns"
from time import perf_counter
class Runner:
    def __init__(self, name, widths, seed):
        self.name, self.step, self.best = name, VARIANTS[name](deep_mlp(widths, seed), 0.01), float("inf")
    def turn(self, X, Y, k):
        t = perf_counter()
        for _ in range(k):
            self.step(X, Y)
        self.best = min(self.best, perf_counter() - t)
    def last(self, X, Y):
        self.loss = self.step(X, Y)
def run(config):
    widths, n, seed = config["widths"], config["examples"], config["seed"]
    runners = [Runner(name, widths, seed) for name in VARIANTS]
    torch.manual_seed(seed)
    X, Y = torch.randn(n, widths[0]), torch.randn(n, widths[-1])
    for _ in range(config["rounds"]):
        for r in runners:
            r.turn(X, Y, config["steps"])
    table = []
    for r in runners:
        peak = max(memory_history(lambda: r.last(X, Y)))
        table.append(dict(loss=r.loss, peak=peak, seconds=r.best / config["steps"], variant=r.name))
    return table

# %% wrong="B.3.B" why="the norm after clipping" breaks="factor" says="the factor is asked for"
def clip_factor(norms, c):
    total = sum(n * n for n in norms) ** 0.5
    return min(c, total)

# %% wrong="B.3.B" why="c compared with the square" breaks="never enlarged" says="not with its square"
def clip_factor(norms, c):
    square = sum(n * n for n in norms)
    return c / square ** 0.5 if square > c else 1.

# %% wrong="B.3.B" why="0 where all norms are 0" breaks="never enlarged" says="so the factor is 1"
def clip_factor(norms, c):
    total = sum(n * n for n in norms) ** 0.5
    if total == 0:
        return 0.
    return min(1., c / total)

# %% right="B.3.B" how="by clip_grad_norm_"
def clip_factor(norms, c):
    params = [nn.Parameter(torch.zeros(1, dtype=torch.float64)) for _ in norms]
    for p, n in zip(params, norms):
        p.grad = torch.full((1,), float(n), dtype=torch.float64)
    before = max(norms)
    torch.nn.utils.clip_grad_norm_(params, c)
    return 1. if before == 0 else max(p.grad.item() for p in params) / before

# %% wrong="B.3.3" why="the first pass keeps .grad" breaks="parameters" says="counts again in the second"
def clipped_step(net, X, Y, lr, max_norm):
    loss = F.mse_loss(net(X), Y)
    loss.backward(retain_graph=True)
    norm = sum(p.grad.square().sum().item() for p in net.parameters()) ** 0.5
    factor = min(1., max_norm / (norm + 1e-6))
    @torch.no_grad()
    def update(p):
        p -= lr * factor * p.grad
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for h in handles:
        h.remove()
    return norm

# %% wrong="B.3.3" why="the first hooks free in the second pass, too" breaks="parameters" says="no update reached them"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.
    def measure(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(measure) for p in net.parameters()]
    loss = F.mse_loss(net(X), Y)
    loss.backward(retain_graph=True)
    norm = total ** 0.5
    factor = min(1., max_norm / (norm + 1e-6))
    @torch.no_grad()
    def update(p):
        if p.grad is not None:
            p -= lr * factor * p.grad
            p.grad = None
    handles += [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for h in handles:
        h.remove()
    return norm

# %% wrong="B.3.3" why="each layer by its own norm" breaks="parameters" says="Each layer was clipped by its own norm"
def clipped_step(net, X, Y, lr, max_norm):
    squares = {}
    owner = {p: layer for layer in net for p in layer.parameters()}
    def measure(p):
        squares[owner[p]] = squares.get(owner[p], 0.) + p.grad.square().sum().item()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(measure) for p in net.parameters()]
    loss = F.mse_loss(net(X), Y)
    loss.backward(retain_graph=True)
    for h in handles:
        h.remove()
    @torch.no_grad()
    def update(p):
        factor = min(1., max_norm / (squares[owner[p]] ** 0.5 + 1e-6))
        p -= lr * factor * p.grad
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for h in handles:
        h.remove()
    return sum(squares.values()) ** 0.5

# %% wrong="B.3.3" why="biases left out of the norm" breaks="norm" says="the biases' belong to it, too"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.
    def measure(p):
        nonlocal total
        if p.ndim == 2:
            total += p.grad.square().sum().item()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(measure) for p in net.parameters()]
    loss = F.mse_loss(net(X), Y)
    loss.backward(retain_graph=True)
    for h in handles:
        h.remove()
    norm = total ** 0.5
    factor = min(1., max_norm / (norm + 1e-6))
    @torch.no_grad()
    def update(p):
        p -= lr * factor * p.grad
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for h in handles:
        h.remove()
    return norm

# %% wrong="B.3.3" why="the rate inside of the norm" breaks="norm" says="the rate has no part in it"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.
    def measure(p):
        nonlocal total
        total += (lr * p.grad).square().sum().item()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(measure) for p in net.parameters()]
    loss = F.mse_loss(net(X), Y)
    loss.backward(retain_graph=True)
    for h in handles:
        h.remove()
    norm = total ** 0.5
    factor = min(1., max_norm / (norm + 1e-6))
    @torch.no_grad()
    def update(p):
        p -= lr * factor * p.grad
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for h in handles:
        h.remove()
    return norm

# %% wrong="B.3.4" why="micro-batches of equal size" breaks="accumulated" says="differ in size"
def accumulated(w, batches, lr):
    n = len(batches) * len(batches[0])
    return w - lr * sum(w - t for batch in batches for t in batch) / n
def fused(w, batches, lr):
    n = len(batches) * len(batches[0])
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / n
    return w

# %% wrong="B.3.4" why="fused: the shares are added up" breaks="fused" says="the earlier shares are gone"
def accumulated(w, batches, lr):
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(w - t for t in targets) / len(targets)
def fused(w, batches, lr):
    n = sum(map(len, batches))
    grad = 0.
    for batch in batches:
        grad += sum(w - t for t in batch) / n
        w = w - lr * grad
    return w

# %% wrong="B.3.4" why="fused: divides by the examples so far" breaks="fused" says="that have come so far"
def accumulated(w, batches, lr):
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(w - t for t in targets) / len(targets)
def fused(w, batches, lr):
    n = 0
    for batch in batches:
        n += len(batch)
        w = w - lr * sum(w - t for t in batch) / n
    return w

# %% wrong="B.3.4" why="fused: the first target of each micro-batch" breaks="fused" says="not the first alone"
def accumulated(w, batches, lr):
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(w - t for t in targets) / len(targets)
def fused(w, batches, lr):
    n = sum(map(len, batches))
    for batch in batches:
        w -= lr * (w - batch[0]) / n
    return w

# %% wrong="B.3.5a" why="only one of the two is stretched" breaks="number" says="each of the two is stretched"
def errors_averaged(shape_a, shape_b):
    a, b = torch.empty(shape_a), torch.empty(shape_b)
    try:
        return b.expand_as(a).numel()
    except RuntimeError:
        pass
    try:
        return a.expand_as(b).numel()
    except RuntimeError:
        return 0

# %% wrong="B.3.5a" why="missing axes ignored" breaks="number" says="only one of the two has counts"
def errors_averaged(shape_a, shape_b):
    n = 1
    for a, b in zip(reversed(shape_a), reversed(shape_b)):
        if a != b and 1 not in (a, b):
            return 0
        n *= max(a, b)
    return n

# %% wrong="B.3.5a" why="() taken for no entries" breaks="number" says="the shape of a single number"
def errors_averaged(shape_a, shape_b):
    if not shape_a or not shape_b:
        return 0
    try:
        return torch.broadcast_shapes(shape_a, shape_b).numel()
    except RuntimeError:
        return 0

# %% wrong="B.3.5a" why="the last two axes alone" breaks="number" says="not the last two alone"
def errors_averaged(shape_a, shape_b):
    try:
        shape = torch.broadcast_shapes(shape_a, shape_b)
    except RuntimeError:
        return 0
    return shape[-1] * shape[-2] if len(shape) > 1 else shape[0]

# %% wrong="B.3.5b" why="squeezes first" breaks="error" says="Both have 5 entries"
def strict_mse(Y_hat, Y):
    if Y_hat.squeeze().shape != Y.squeeze().shape:
        raise ValueError(f"{tuple(Y_hat.shape)} against {tuple(Y.shape)}")
    return F.mse_loss(Y_hat.squeeze(), Y.squeeze())

# %% wrong="B.3.5b" why="axes and rows compared" breaks="error" says="2 axes and 4 rows"
def strict_mse(Y_hat, Y):
    if Y_hat.ndim != Y.ndim or len(Y_hat) != len(Y):
        raise ValueError(f"{tuple(Y_hat.shape)} against {tuple(Y.shape)}")
    return F.mse_loss(Y_hat, Y)

# %% wrong="B.3.5b" why="no brackets in the message" breaks="both shapes" says="in brackets"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError("x".join(map(str, Y_hat.shape)) + " against " + "x".join(map(str, Y.shape)))
    return F.mse_loss(Y_hat, Y)

# %% right="B.3.5b" how="the warning of mse_loss as an error"
import warnings
def strict_mse(Y_hat, Y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return F.mse_loss(Y_hat, Y)
        except (UserWarning, RuntimeError):
            raise ValueError(f"Y_hat has the shape {list(Y_hat.shape)} and Y has {list(Y.shape)}") from None

# %% wrong="B.3.1a" why="bytes of frozen weights' gradients left out" breaks="bytes" says="has bytes, too"
def count_gradients(net, run):
    numbers, sizes = [0], [0]
    def hook(g):
        alive = [p for p in net.parameters() if p.grad is not None]
        numbers.append(len(alive) + 1)
        sizes.append(g.nbytes + sum(p.grad.nbytes for p in alive if p.requires_grad))
    hs = [p.register_hook(hook) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for h in hs:
            h.remove()
    return max(numbers), max(sizes)

# %% right="B.3.2" how="copies of one network, made ready in the first round"
import copy
def run(config):
    w = config["widths"]
    base = deep_mlp(w, config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn((config["examples"], w[0]))
    Y = torch.randn((config["examples"], w[-1]))
    steps, least = {}, {}
    for r in range(config["rounds"]):
        for name in VARIANTS:
            if name not in steps:
                steps[name] = VARIANTS[name](copy.deepcopy(base), 0.01)
            begin = time.perf_counter()
            for _ in range(config["steps"]):
                steps[name](X, Y)
            took = (time.perf_counter() - begin) / config["steps"]
            least[name] = took if r == 0 else min(took, least[name])
    result = []
    for name in VARIANTS:
        box = {}
        def f():
            box["loss"] = steps[name](X, Y)
        result.append({"variant": name, "seconds": least[name], "peak": max(memory_history(f)), "loss": box["loss"]})
    return result

# %% wrong="B.3.2" why="the peak of another network" breaks="start" says="one network for all of its steps"
def run(config):
    torch.manual_seed(config["seed"])
    X, Y = torch.randn(config["examples"], config["widths"][0]), torch.randn(config["examples"], config["widths"][-1])
    steps = {n: m(deep_mlp(config["widths"], config["seed"]), 0.01) for n, m in VARIANTS.items()}
    best = dict.fromkeys(steps, 1e9)
    for _ in range(config["rounds"]):
        for n, step in steps.items():
            t = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[n] = min(best[n], (time.perf_counter() - t) / config["steps"])
    rows = []
    for n, step in steps.items():
        fresh = VARIANTS[n](deep_mlp(config["widths"], config["seed"]), 0.01)
        peak = max(memory_history(lambda: fresh(X, Y)))
        rows.append({"variant": n, "seconds": best[n], "peak": peak, "loss": step(X, Y)})
    return rows

# %% right="B.3.3" how="one parameter after another by torch.autograd.grad"
def clipped_step(net, X, Y, lr, max_norm):
    order = [p for layer in net if isinstance(layer, nn.Linear) for p in (layer.bias, layer.weight)]
    loss = F.mse_loss(net(X), Y)
    norm = sum(torch.autograd.grad(loss, p, retain_graph=True)[0].square().sum().item() for p in order) ** 0.5
    factor = min(1., max_norm / (norm + 1e-6))
    for p in order:
        g, = torch.autograd.grad(loss, p, retain_graph=True)
        p.data -= lr * factor * g
    return norm

# %% wrong="B.3.3" why="the largest norm alone" breaks="norm" says="The largest norm alone"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.
    def measure(p):
        nonlocal total
        total = max(total, p.grad.norm().item())
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(measure) for p in net.parameters()]
    loss = F.mse_loss(net(X), Y)
    loss.backward(retain_graph=True)
    for h in handles:
        h.remove()
    factor = min(1., max_norm / (total + 1e-6))
    @torch.no_grad()
    def update(p):
        p -= lr * factor * p.grad
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    loss.backward()
    for h in handles:
        h.remove()
    return total

# %% wrong="B.3.1b" why="one of the two ways with hooks" breaks="hooks" says="Both ways with hooks"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in itertools.pairwise(widths)]
    if way == "hooks, the rule":
        return max(max(s) for s in sizes)
    if way == "by hand":
        return max(sum(s) for s in sizes)
    return sum(sum(s) for s in sizes)

# %% wrong="B.3.1b" why="two layers at a time" breaks="by hand" says="not those of two layers"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return sum(sum(s) for s in sizes)
    if way == "by hand":
        return sum(sorted(sum(s) for s in sizes)[-2:])
    return max(s[0] for s in sizes)

# %% wrong="B.3.1b" why="the largest width twice" breaks="by hand" says="not the largest width twice"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return sum(sum(s) for s in sizes)
    if way == "by hand":
        return 4 * (max(widths) ** 2 + max(widths))
    return 4 * max(widths) ** 2

# %% wrong="B.3.B" why="the squares divided" breaks="factor" says="not their squares"
def clip_factor(norms, c):
    return min(1., c ** 2 / (sum(n * n for n in norms) + 1e-6))

# %% wrong="B.3.B" why="the other way round" breaks="factor" says="not the other way round"
def clip_factor(norms, c):
    return max(1., sum(n * n for n in norms) ** 0.5 / c)

# %% wrong="B.3.B" why="the root of the squares divided by the number" breaks="factor" says="nothing is divided by the number"
def clip_factor(norms, c):
    return min(1., c / (sum(n * n for n in norms) ** 0.5 / len(norms) + 1e-6))

# %% wrong="B.3.3" why="the first hooks stay for the second pass" breaks="left clean" says="hook frees it first"
def clipped_step(net, X, Y, lr, max_norm):
    squares = []
    @torch.no_grad()
    def first(p):
        squares.append(p.grad.square().sum().item())
        p.grad = None
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(first)
    F.mse_loss(net(X), Y).backward()
    norm = sum(squares) ** 0.5
    factor = min(1., max_norm / (norm + 1e-6))
    @torch.no_grad()
    def hook(p):
        p.sub_(lr * factor * p.grad)
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for h in handles:
        h.remove()
    return norm

# %% wrong="B.3.3" why="the largest entry" breaks="norm" says="The largest entry is not the norm"
def clipped_step(net, X, Y, lr, max_norm):
    squares = []
    @torch.no_grad()
    def first(p):
        squares.append(p.grad.abs().max().item())
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(first) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for h in handles:
        h.remove()
    norm = max(squares)
    factor = min(1., max_norm / (norm + 1e-6))
    @torch.no_grad()
    def hook(p):
        p.sub_(lr * factor * p.grad)
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for h in handles:
        h.remove()
    return norm

# %% wrong="B.3.4" why="divided by the number of micro-batches" breaks="accumulated" says="not by that of micro-batches"
def accumulated(w, batches, lr):
    return w - lr * sum(w - t for b in batches for t in b) / len(batches)

def fused(w, batches, lr):
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / len(batches)
    return w

# %% wrong="B.3.4" why="the loss in place of its derivative" breaks="accumulated" says="its derivative is asked for"
def accumulated(w, batches, lr):
    n = sum(map(len, batches))
    return w - lr * sum(0.5 * (w - t) ** 2 for b in batches for t in b) / n

def fused(w, batches, lr):
    n = sum(map(len, batches))
    for batch in batches:
        w = w - lr * sum(0.5 * (w - t) ** 2 for t in batch) / n
    return w

# %% wrong="B.3.5a" why="a single number counts once" breaks="number" says="The single number is set against"
def errors_averaged(shape_a, shape_b):
    if not shape_a or not shape_b:
        return 1
    try:
        return (torch.zeros(shape_a) - torch.zeros(shape_b)).numel()
    except RuntimeError:
        return 0

# %% wrong="B.3.5a" why="the first and the last axis" breaks="number" says="not the first and the last alone"
def errors_averaged(shape_a, shape_b):
    try:
        d = torch.zeros(shape_a) - torch.zeros(shape_b)
        return d.shape[0] * d.shape[-1] if d.ndim > 1 else len(d)
    except RuntimeError:
        return 0

# %% wrong="B.3.5b" why="absolute differences" breaks="loss" says="squared before the mean"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"{tuple(Y_hat.shape)} against {tuple(Y.shape)}")
    return (Y_hat - Y).abs().mean()

# %% wrong="B.3.A" why="state is counted twice" breaks="share" says="not for its gradient as well"
def gradient_share(state):
    return 1 / (2 * (1 + state))

# %% wrong="B.3.A" why="no state is taken for a share of 1" breaks="share" says="there are still two numbers"
def gradient_share(state):
    return 1 / (2 + state) if state else 1.0

# %% wrong="B.3.A" why="rounded to two places" breaks="share" says="nothing is rounded"
def gradient_share(state):
    return round(1 / (2 + state), 2)

# %% wrong="B.3.1b" why="bits" breaks="plain" says="32 bits"
def gradient_bytes(widths, way):
    layers = [(a * b, b) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return 32 * sum(w + b for w, b in layers)
    return 32 * max(w + b for w, b in layers) if way == "by hand" else 32 * max(w for w, b in layers)

# %% wrong="B.3.2" why="peak in KiB" breaks="peak" says="These are KiB"
def run(config):
    torch.manual_seed(config["seed"])
    X, Y = torch.randn(config["examples"], config["widths"][0]), torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config["rounds"]):
        for name, step in steps.items():
            begin = time.perf_counter()
            for i in range(config["steps"]):
                step(X, Y)
            times[name].append((time.perf_counter() - begin) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y)))) / 1024
        rows.append({"variant": name, "seconds": min(times[name]), "peak": peak, "loss": losses[-1]})
    return rows

# %% wrong="B.3.2" why="seconds as ratios to plain" breaks="seconds" says="This is the ratio to plain"
def run(config):
    torch.manual_seed(config["seed"])
    X, Y = torch.randn(config["examples"], config["widths"][0]), torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    times = {name: [] for name in steps}
    for r in range(config["rounds"]):
        for name, step in steps.items():
            begin = time.perf_counter()
            for i in range(config["steps"]):
                step(X, Y)
            times[name].append((time.perf_counter() - begin) / config["steps"])
    rows = []
    for name, step in steps.items():
        losses = []
        peak = max(memory_history(lambda: losses.append(step(X, Y))))
        rows.append({"variant": name, "seconds": min(times[name]) / min(times["plain"]), "peak": peak, "loss": losses[-1]})
    return rows

# %% wrong="B.3.B" why="the share that is cut off" breaks="factor" says="the share that is cut off"
def clip_factor(norms, c):
    common = sum(n * n for n in norms) ** 0.5
    return (common - c) / common if common > c else 1.0

# %% wrong="B.3.B" why="one factor for each gradient" breaks="factor" says="the same factor for all gradients"
def clip_factor(norms, c):
    return [min(1.0, c / (n + 1e-6)) for n in norms]

# %% wrong="B.3.3" why="norm right, but the factor is max_norm over the squared norm" breaks="parameters" says="it is the factor that is not"
def clipped_step(net, X, Y, lr, max_norm):
    total = 0.0
    def add(p):
        nonlocal total
        total += p.grad.square().sum().item()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(add) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for h in handles:
        h.remove()
    factor = min(1.0, max_norm / (total + 1e-6))
    @torch.no_grad()
    def update(p):
        p -= lr * factor * p.grad
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in net.parameters()]
    F.mse_loss(net(X), Y).backward()
    for h in handles:
        h.remove()
    return total ** 0.5

# %% wrong="B.3.4" why="the half of the loss stays in the gradient" breaks="accumulated" says="the half and the 2 of the square cancel"
def accumulated(w, batches, lr):
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(0.5 * (w - t) for t in targets) / len(targets)

def fused(w, batches, lr):
    n = sum(len(batch) for batch in batches)
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / n
    return w

# %% wrong="B.3.4" why="the fused share is divided by what is still to come" breaks="fused" says="those that are still to come"
def accumulated(w, batches, lr):
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(w - t for t in targets) / len(targets)

def fused(w, batches, lr):
    for i, batch in enumerate(batches):
        w = w - lr * sum(w - t for t in batch) / sum(len(b) for b in batches[i:])
    return w

# %% wrong="B.3.4" why="the sum of the micro-batches' steps, each from its mean" breaks="accumulated" says="The means of the micro-batches are added up"
def accumulated(w, batches, lr):
    return w - lr * sum(sum(w - t for t in batch) / len(batch) for batch in batches)

def fused(w, batches, lr):
    n = sum(len(batch) for batch in batches)
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / n
    return w

# %% wrong="B.3.5a" why="the shape itself" breaks="number" says="This is a shape"
def errors_averaged(shape_a, shape_b):
    try:
        return tuple(torch.broadcast_shapes(shape_a, shape_b))
    except RuntimeError:
        return 0

# %% wrong="B.3.1a" why="looks at .grad after run" breaks="number" says="Look when one arrives"
def count_gradients(net, run):
    run()
    alive = [p.grad for p in net.parameters() if p.grad is not None]
    return len(alive), sum(g.nbytes for g in alive)

# %% wrong="B.3.1b" why="the gradients of the outputs, too" breaks="plain" says="not those of the layers' outputs"
def gradient_bytes(widths, way):
    sizes = [(a * b, b) for a, b in itertools.pairwise(widths)]
    if way == "plain":
        return 4 * (sum(map(sum, sizes)) + sum(widths[1:]))
    return 4 * max(map(sum if way == "by hand" else max, sizes))

# %% right="B.3.B" how="math.sqrt"
def clip_factor(norms, c):
    return min(1., c / (math.sqrt(sum(n ** 2 for n in norms)) + 1e-6))

# %% wrong="B.3.3" why="the mean of the squares of each parameter" breaks="norm" says="takes their mean over each parameter"
def clipped_step(net, X, Y, lr, max_norm):
    def one_pass(use):
        def hook(p):
            with torch.no_grad():
                use(p)
            p.grad = None
        handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]
        F.mse_loss(net(X), Y).backward()
        for handle in handles:
            handle.remove()
    squares = []
    one_pass(lambda p: squares.append(p.grad.square().mean().item()))
    norm = sum(squares) ** 0.5
    one_pass(lambda p: p.sub_(lr * min(1., max_norm / (norm + 1e-6)) * p.grad))
    return norm

# %% wrong="B.3.5b" why="a TypeError" breaks="error" says="the error has another name"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise TypeError(f"{tuple(Y_hat.shape)} against {tuple(Y.shape)}")
    return F.mse_loss(Y_hat, Y)

# %% wrong="B.3.1b" why="a Linear of the two largest widths" breaks="by hand" says="do not stand side by side"
def gradient_bytes(widths, way):
    if way == "by hand":
        a, b = sorted(widths)[-2:]
        return 4 * (a + 1) * b
    sizes = [(a * b, b) for a, b in itertools.pairwise(widths)]
    return 4 * sum(map(sum, sizes)) if way == "plain" else 4 * max(map(max, sizes))

# %% wrong="B.3.4" why="w once a micro-batch in fused" breaks="fused" says="w counts once for each target"
def fused(w, batches, lr):
    n = sum(len(b) for b in batches)
    for b in batches:
        w = w - lr * (w - sum(b)) / n
    return w


def accumulated(w, batches, lr):
    targets = [t for b in batches for t in b]
    return w - lr * (w - sum(targets) / len(targets))

# %% wrong="B.3.4" why="w once in accumulated" breaks="accumulated" says="w counts once for each target"
def fused(w, batches, lr):
    n = sum(len(b) for b in batches)
    for b in batches:
        w = w - lr * sum(w - t for t in b) / n
    return w


def accumulated(w, batches, lr):
    targets = [t for b in batches for t in b]
    return w - lr * (w - sum(targets)) / len(targets)

# %% wrong="B.3.5a" why="the length of the first axis of a - b" breaks="number" says="the length of one axis alone"
def errors_averaged(shape_a, shape_b):
    try:
        shape = torch.broadcast_shapes(shape_a, shape_b)
    except RuntimeError:
        return 0
    return shape[0] if shape else 1

# %% wrong="B.3.B" why="clips only where the common norm is 1 or more" breaks="factor" says="and not with 1"
def clip_factor(norms, c):
    total = sum(n ** 2 for n in norms) ** 0.5
    return c / total if total >= 1 and total > c else 1.0


# %% wrong="B.3.5b" why="raises only where the shapes do not broadcast" breaks="error" says="only where the shapes do not broadcast"
def strict_mse(Y_hat, Y):
    try:
        torch.broadcast_shapes(Y_hat.shape, Y.shape)
    except RuntimeError:
        raise ValueError(f"{Y_hat.shape} against {Y.shape}")
    return ((Y_hat - Y) ** 2).mean()


# %% right="B.3.3" how="autograd.grad for one parameter after the other, twice; no hooks"
def clipped_step(net, X, Y, lr, max_norm):
    loss = F.mse_loss(net(X), Y)
    params = list(net.parameters())
    norm = math.sqrt(sum(torch.autograd.grad(loss, p, retain_graph=True)[0].square().sum().item() for p in params))
    factor = min(1.0, max_norm / (norm + 1e-6))

    @torch.no_grad()
    def update(p):
        p.add_(p.grad, alpha=-lr * factor)
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(update) for p in params]
    loss.backward()
    for handle in handles:
        handle.remove()
    return norm


# %% right="B.3.1a" how="ExitStack"
def count_gradients(net, run):
    import contextlib
    moments = []
    with contextlib.ExitStack() as stack:
        for p in net.parameters():
            if p.requires_grad:
                def look(gradient):
                    others = [q.grad for q in net.parameters() if q.grad is not None]
                    moments.append((1 + len(others), gradient.nbytes + sum(map(lambda g: g.nbytes, others))))
                stack.callback(p.register_hook(look).remove)
        run()
    return max((m for m, b in moments), default=0), max((b for m, b in moments), default=0)


# %% right="B.3.2" how="MemoryMeter-free numpy minima, seeds set again before the draw"
def run(config):
    steps = {}
    for name, make in VARIANTS.items():
        steps[name] = make(deep_mlp(config["widths"], config["seed"]), lr=0.01)
    torch.manual_seed(config["seed"])
    batch = [torch.randn(config["examples"], config["widths"][i]) for i in (0, -1)]
    table = torch.zeros(config["rounds"], len(steps), dtype=torch.float64)
    for r, (place, step) in itertools.product(range(config["rounds"]), enumerate(steps.values())):
        start = time.perf_counter()
        for _ in range(config["steps"]):
            step(*batch)
        table[r, place] = time.perf_counter() - start
    least = (table.min(dim=0).values / config["steps"]).tolist()
    rows = []
    for name, seconds in zip(steps, least):
        out = []
        peak = max(memory_history(lambda: out.append(steps[name](*batch))))
        rows.append(dict(variant=name, seconds=seconds, peak=peak, loss=out[-1]))
    return rows

# %% wrong="B.3.A" why="percent, rounded" breaks="share" says="not percent, and nothing is rounded"
def gradient_share(state):
    return round(100 / (2 + state))
