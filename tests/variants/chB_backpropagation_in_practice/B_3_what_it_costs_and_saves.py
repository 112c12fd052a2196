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

# %% wrong="B.3.1a" why="the arriving gradient is left out" says="The gradient that arrives is not yet in .grad"
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

# %% wrong="B.3.1a" why="counts after the run" says="number and bytes, by hand"
def count_gradients(net, run):
    calls = []
    handles = [p.register_hook(lambda g: calls.append(g.nbytes)) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return len(calls), sum(calls)

# %% wrong="B.3.1a" why="post-accumulate hooks, which run after the one that frees" says="the hook that frees it may run before"
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

# %% wrong="B.3.1a" why="entries for bytes" says="float32 takes 4 bytes"
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

# %% wrong="B.3.1a" why="hooks stay" says="the hooks that are left afterwards"
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

# %% wrong="B.3.1a" why="hooks stay after an error" says="Remove the hooks in a finally"
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

# %% wrong="B.3.1a" why="frozen parameters get a hook" says="raised RuntimeError"
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

# %% wrong="B.3.1b" why="no biases" says="Biases have gradients, too"
def gradient_bytes(widths, way):
    sizes = [4 * a * b for a, b in zip(widths, widths[1:])]
    return sum(sizes) if way == "plain" else max(sizes)

# %% wrong="B.3.1b" why="entries" says="float32 takes 4 bytes"
def gradient_bytes(widths, way):
    sizes = [(a + 1) * b for a, b in zip(widths, widths[1:])]
    return sum(sizes) if way == "plain" else max(sizes)

# %% wrong="B.3.1b" why="hooks free whole layers" says="Hooks free each parameter for itself"
def gradient_bytes(widths, way):
    sizes = [4 * (a + 1) * b for a, b in zip(widths, widths[1:])]
    return sum(sizes) if way == "plain" else max(sizes)

# %% wrong="B.3.1b" why="the first layer is taken for the largest" says="The largest decides, wherever it stands"
def gradient_bytes(widths, way):
    sizes = [(4 * a * b, 4 * b) for a, b in zip(widths, widths[1:])]
    return sum(map(sum, sizes)) if way == "plain" else sum(sizes[0]) if way == "by hand" else sizes[0][0]

# %% right="B.3.2" how="Timer of the book, numpy minima"
def run(config):
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

# %% wrong="B.3.2" why="one network for all variants" says="raised TypeError"
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

# %% wrong="B.3.2" why="one variant after the other" says="In each round every variant has its turn"
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

# %% wrong="B.3.2" why="the sum of the history" says="Take the largest number of the history, not its sum"
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

# %% wrong="B.3.2" why="the last entry of the history" says="take its largest number"
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

# %% wrong="B.3.2" why="the loss of before the training" says="does the variant train?"
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

# %% wrong="B.3.2" why="another seed for each variant's data" says="the loss of by hand"
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

# %% wrong="B.3.3" why="each parameter by its own norm" says="all share one factor"
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

# %% wrong="B.3.3" why="one pass with the norm so far" says="the parameters after two steps"
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

# %% wrong="B.3.3" why="small gradients are blown up" says="the factor is at most 1"
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

# %% wrong="B.3.3" why="holds all gradients" says="Free each gradient in its hook, in both passes"
def clipped_step(net, X, Y, lr, max_norm):
    net.zero_grad()
    F.mse_loss(net(X), Y).backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm).item()
    for p in net.parameters():
        p.data -= lr * p.grad
    net.zero_grad()
    return norm

# %% wrong="B.3.3" why="norms added up" says="Norms do not add up, their squares do"
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

# %% wrong="B.3.3" why="hooks stay" says="Take your hooks away"
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

# %% wrong="B.3.3" why="no clipping" says="The gradients were not clipped"
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

# %% wrong="B.3.4" why="both accumulate" says="Each gradient is taken at the weight of the start"
def accumulated(w, batches, lr):
    targets = sum(batches, [])
    return w - lr * sum(w - t for t in targets) / len(targets)

def fused(w, batches, lr):
    return accumulated(w, batches, lr)

# %% wrong="B.3.4" why="each micro-batch counts as a whole" says="divide by the number of all examples"
def accumulated(w, batches, lr):
    targets = sum(batches, [])
    return w - lr * sum(w - t for t in targets) / len(targets)

def fused(w, batches, lr):
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / len(batch)
    return w

# %% wrong="B.3.4" why="a sum for the mean" says="without dividing by the number of examples"
def accumulated(w, batches, lr):
    return w - lr * sum(w - t for batch in batches for t in batch)

def fused(w, batches, lr):
    n = len(sum(batches, []))
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / n
    return w

# %% wrong="B.3.4" why="the mean of the means" says="The means of all micro-batches count alike"
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

# %% wrong="B.3.5a" why="counts the predictions" says="They broadcast: each against each"
def errors_averaged(shape_a, shape_b):
    return torch.Size(shape_a).numel()

# %% wrong="B.3.5a" why="shapes that differ do not fit" says="an axis of length 1, or a missing one, is stretched"
def errors_averaged(shape_a, shape_b):
    return torch.zeros(shape_a).numel() if shape_a == shape_b else 0

# %% wrong="B.3.5a" why="always each against each" says="(5, 1) against (5, 1)"
def errors_averaged(shape_a, shape_b):
    return torch.Size(shape_a).numel() * torch.Size(shape_b).numel()

# %% wrong="B.3.5a" why="an error where shapes do not fit" says="raised RuntimeError"
def errors_averaged(shape_a, shape_b):
    return torch.Size(torch.broadcast_shapes(shape_a, shape_b)).numel()

# %% wrong="B.3.5a" why="aligned at the left" says="(7,) against (7, 1)"
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

# %% wrong="B.3.5b" why="no check" says="It averages 25 errors"
def strict_mse(Y_hat, Y):
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="an assertion" says="An assertion vanishes under python -O"
def strict_mse(Y_hat, Y):
    assert Y_hat.shape == Y.shape, f"{tuple(Y_hat.shape)} {tuple(Y.shape)}"
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="compares the numbers of entries" says="It averages 25 errors"
def strict_mse(Y_hat, Y):
    if Y_hat.numel() != Y.numel():
        raise ValueError(f"{tuple(Y_hat.shape)} {tuple(Y.shape)}")
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="compares the numbers of axes" says="Compare the shapes, not the numbers of entries"
def strict_mse(Y_hat, Y):
    if Y_hat.ndim != Y.ndim:
        raise ValueError(f"{tuple(Y_hat.shape)} {tuple(Y.shape)}")
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="a message without the shapes" says="the message holds both shapes"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError("the shapes differ")
    return ((Y_hat - Y) ** 2).mean()

# %% wrong="B.3.5b" why="shapes as torch.Size writes them" says="not torch.Size([5, 1])"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"shapes {Y_hat.shape} and {Y.shape}")
    return ((Y_hat - Y)**2).mean()

# %% wrong="B.3.5b" why="a number" says="gradients flow"
def strict_mse(Y_hat, Y):
    if Y_hat.shape != Y.shape:
        raise ValueError(f"{tuple(Y_hat.shape)} {tuple(Y.shape)}")
    return ((Y_hat - Y) ** 2).mean().detach()

# %% wrong="B.3.5b" why="reshapes silently" says="the error for (5, 1) against (5,)"
def strict_mse(Y_hat, Y):
    return ((Y_hat - Y.reshape(Y_hat.shape)) ** 2).mean()
