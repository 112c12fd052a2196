# %% right="B.4.1a" how="the layers one by one"
def forward_bytes(widths, n):
    outputs = []
    for i, width in enumerate(widths[1:], 1):
        outputs.append(width)
        if i < len(widths) - 1:
            outputs.append(width)
    peak = max([a + b for a, b in zip(outputs, outputs[1:])], default=outputs[0])
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * peak}

# %% right="B.4.1a" how="on meta"
def forward_bytes(widths, n):
    values = [torch.empty(n, widths[0], device="meta")]
    for layer in deep_mlp(widths, 0).to("meta"):
        values.append(layer(values[-1]))
    sizes = [v.nbytes for v in values[1:]]
    return dict(training=sum(v for v in sizes[1::2]) + sizes[-1] + 4, prediction=max(map(sum, zip(sizes, [*sizes[1:], 0]))))

# %% wrong="B.4.1a" why="all outputs are kept" says="Outputs of hidden Linears are not kept"
def forward_bytes(widths, n):
    hidden = sum(widths[1:-1])
    return {"training": 4 * n * (2 * hidden + widths[-1]) + 4, "prediction": 8 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="the batch is counted" says="X is there already"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths) + 4, "prediction": 8 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="numbers for bytes" says="These are numbers, not bytes"
def forward_bytes(widths, n):
    return {"training": n * sum(widths[1:]) + 1, "prediction": 2 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="one output at a time in prediction" says="its input is still there"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="forgets the two of a ReLU in prediction" says="ReLU writes into new memory"
def forward_bytes(widths, n):
    w = widths
    return {"training": 4*n*(sum(w[1:-1])+w[-1]) + 4, "prediction": 4*n*max(a+b for a, b in zip(w[1:], w[2:]))}

# %% wrong="B.4.1a" why="prediction keeps everything" says="Released outputs do not count"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * (2 * sum(widths[1:-1]) + widths[-1])}

# %% wrong="B.4.1a" why="ReLUs alone in prediction" says="Look at every pair of neighbours"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 8 * n * max(widths[1:-1], default=widths[-1] / 2)}

# %% wrong="B.4.1a" why="no loss" says="The loss itself is a number of 4 bytes"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]), "prediction": 8 * n * max(widths[1:])}

# %% right="B.4.1b" how="a loop over the events"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name in stages:
            with record_function(name):
                stages[name]()
    found = {}
    for event in p.key_averages():
        if event.key in stages:
            found[event.key] = event.cpu_memory_usage
    return found

# %% right="B.4.1b" how="a label with start and end"
def stage_bytes(stages):
    from torch.profiler import profile as profiled
    with profiled(profile_memory=True, activities=[ProfilerActivity.CPU]) as p:
        for name, stage in stages.items():
            label = record_function(name)
            label.__enter__()
            stage()
            label.__exit__(None, None, None)
    table = {event.key: event for event in p.key_averages()}
    return {name: table[name].cpu_memory_usage for name in stages}

# %% wrong="B.4.1b" why="the stage's own bytes" says="those of the operations in it are missing"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {e.key: e.self_cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="the result is kept in a variable" says="call it, and keep nothing"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
        for name, f in stages.items():
            with record_function(name):
                x = f()
    return {e.key: e.cpu_memory_usage for e in prof.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="the stage runs outside of its label" says="Is each stage called in its label?"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, stage in stages.items():
            with record_function(name):
                pass
            stage()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="memory is not profiled" says="Is each stage called in its label?"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="the peak of the meter" says="1000 floats that stay"
def stage_bytes(stages):
    found = {}
    for name, stage in stages.items():
        found[name] = measure(stage)[0]
    return found

# %% wrong="B.4.1b" why="a trial run first" says="1000 floats that stay"
def stage_bytes(stages):
    for stage in stages.values():
        stage()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, stage in stages.items():
            with record_function(name):
                stage()
                stage()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% right="B.4.2a" how="recursion"
def derivatives(f, x, k):
    if k == 0:
        return [f(x)]
    lower = derivatives(f, x, k - 1)
    slope, = torch.autograd.grad(lower[-1], x, create_graph=True)
    return lower + [slope]

# %% right="B.4.2a" how="a tuple"
def derivatives(f, x, k):
    values = (f(x),)
    while len(values) <= k:
        values += torch.autograd.grad(values[-1], [x], grad_outputs=torch.ones_like(x), create_graph=True, retain_graph=True)
    return values

# %% wrong="B.4.2a" why="retain_graph for create_graph" says="does not require grad"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        found.append(torch.autograd.grad(found[-1], x, retain_graph=True)[0])
    return found

# %% wrong="B.4.2a" why="backward() adds to x.grad" says="backward() adds to what is in x.grad"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        found[-1].backward(create_graph=True)
        found.append(x.grad.clone())
    return found

# %% wrong="B.4.2a" why="x.grad is touched" says="x.grad is left as it was"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        x.grad = None
        found[-1].backward(create_graph=True)
        found.append(x.grad)
    return found

# %% wrong="B.4.2a" why="the last derivative has no graph" says="create_graph=True, for the last one, too"
def derivatives(f, x, k):
    found = [f(x)]
    for i in range(k):
        found.append(torch.autograd.grad(found[-1], x, create_graph=i < k - 1)[0])
    return found

# %% wrong="B.4.2a" why="one derivative too few" says="how many tensors for k = 3"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k - 1):
        found.append(torch.autograd.grad(found[-1], x, create_graph=True)[0])
    return found

# %% wrong="B.4.2a" why="numbers without a graph" says="which of them have a graph"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        found.append(torch.autograd.grad(found[-1], x, create_graph=True)[0])
    return [d.detach() for d in found]

# %% right="B.4.2b" how="level by level"
def graph_nodes(y):
    level, seen = {y.grad_fn} - {None}, set()
    while level:
        seen |= level
        level = {pair[0] for node in level for pair in node.next_functions} - seen - {None}
    return len(seen)

# %% right="B.4.2b" how="a dictionary and a deque"
def graph_nodes(y):
    from collections import deque
    order, queue = {}, deque([y.grad_fn])
    while queue:
        node = queue.popleft()
        if node is None or node in order:
            continue
        order[node] = len(order)
        queue.extend(pair[0] for pair in node.next_functions)
    return len(order)

# %% wrong="B.4.2b" why="counts ways, not nodes" says="A node that is reached on several ways counts once"
def graph_nodes(y):
    import functools

    @functools.cache
    def ways(node):
        return 0 if node is None else 1 + sum(ways(source) for source, _ in node.next_functions)
    return min(ways(y.grad_fn), 10 ** 6)

# %% wrong="B.4.2b" why="leaves are left out" says="The leaf's AccumulateGrad counts"
def graph_nodes(y):
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found and not hasattr(node, "variable"):
            found.add(node)
            waiting += [source for source, _ in node.next_functions]
    return len(found)

# %% wrong="B.4.2b" why="counts None" says="A leaf has no grad_fn, and None is no node"
def graph_nodes(y):
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if node is not None:
                waiting += [source for source, _ in node.next_functions]
    return len(found)

# %% wrong="B.4.2b" why="recursion, too deep for a chain" says="raised RecursionError"
def graph_nodes(y):
    found = set()

    def visit(node):
        if node is not None and node not in found:
            found.add(node)
            for source, _ in node.next_functions:
                visit(source)
    visit(y.grad_fn)
    return len(found)

# %% wrong="B.4.2b" why="only the first input" says="the nodes of w·x"
def graph_nodes(y):
    found, node = set(), y.grad_fn
    while node is not None:
        found.add(node)
        node = node.next_functions[0][0] if node.next_functions else None
    return len(found)

# %% right="B.4.3a" how="a function made for each segment"
def forward_in_segments(blocks, X, k):
    def runner(part):
        def run_part(value):
            for block in part:
                value = block(value)
            return value
        return run_part
    base, extra = divmod(len(blocks), k)
    start = 0
    for i in range(k):
        end = start + base + (i < extra)
        X = checkpoint(runner(blocks[start:end]), X, use_reentrant=False)
        start = end
    return X

# %% right="B.4.3a" how="tensor_split of the indices"
def forward_in_segments(blocks, X, k):
    def part(value, indices):
        for i in indices:
            value = blocks[i](value)
        return value
    for indices in torch.arange(len(blocks)).tensor_split(k):
        X = checkpoint(part, X, indices.tolist(), use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="no checkpoint" says="Is anything checkpointed?"
def forward_in_segments(blocks, X, k):
    for block in blocks:
        X = block(X)
    return X

# %% wrong="B.4.3a" why="every block for itself" says="the forward pass of 12 blocks in 3 segments"
def forward_in_segments(blocks, X, k):
    for block in blocks:
        X = checkpoint(block, X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="a lambda that captures the loop's variables" says="the same blocks on the same input"
def forward_in_segments(blocks, X, k):
    cuts = [len(blocks) * i // k for i in range(k + 1)]
    for start, end in zip(cuts, cuts[1:]):
        X = checkpoint(lambda value: nn.Sequential(*blocks[start:end])(value), X, use_reentrant=False)  # noqa: B023
    return X

# %% wrong="B.4.3a" why="the rest of the division is lost" says="the output of"
def forward_in_segments(blocks, X, k):
    size = len(blocks) // k
    for i in range(k):
        X = checkpoint(nn.Sequential(*blocks[i * size:(i + 1) * size]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="segments of k blocks" says="As many segments as asked for"
def forward_in_segments(blocks, X, k):
    for start in range(0, len(blocks), k):
        X = checkpoint(nn.Sequential(*blocks[start:start + k]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="the length is rounded down, and a short segment is left over" says="As many segments as asked for"
def forward_in_segments(blocks, X, k):
    size = len(blocks)//k
    for i in range(0, len(blocks), size):
        X = checkpoint(nn.Sequential(*blocks[i:i+size]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="the graph is cut" says="every parameter and X have a gradient"
def forward_in_segments(blocks, X, k):
    cuts = [len(blocks) * i // k for i in range(k + 1)]
    for start, end in zip(cuts, cuts[1:]):
        X = checkpoint(nn.Sequential(*blocks[start:end]), X.detach(), use_reentrant=False)
    return X

# %% right="B.4.3b" how="backward() into the parameters, a dummy that requires a gradient"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, dummy, block, X):
        ctx.block, ctx.state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        with torch.no_grad():
            return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        now = torch.get_rng_state()
        torch.set_rng_state(ctx.state)
        start = X.detach().clone().requires_grad_()
        with torch.enable_grad():
            out = ctx.block(start)
        torch.set_rng_state(now)
        out.backward(above)
        return None, None, start.grad

def recompute(block, X):
    return Again.apply(torch.zeros((), requires_grad=True), block, X)

# %% right="B.4.3b" how="functional_call"
class Functional(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, names, X, *values):
        ctx.block, ctx.names, ctx.state = block, names, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        current = dict(ctx.block.named_parameters())
        leaves = {name: current[name].detach().requires_grad_(current[name].requires_grad) for name in ctx.names}
        start = X.detach().requires_grad_()
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            out = torch.func.functional_call(ctx.block, leaves, (start,))
        wanted = [start] + [leaf for leaf in leaves.values() if leaf.requires_grad]
        gradients = iter(torch.autograd.grad(out, wanted, above))
        return None, None, next(gradients), *[next(gradients) if leaf.requires_grad else None for leaf in leaves.values()]

def recompute(block, X):
    names, values = zip(*block.named_parameters())
    return Functional.apply(block, names, X, *values)

# %% wrong="B.4.3b" why="the parameters are not handed in" says="hand the parameters in"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X):
        ctx.block, ctx.state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        out.backward(above)
        return None, start.grad

def recompute(block, X):
    return Recompute.apply(block, X)

# %% wrong="B.4.3b" why="other random numbers in the second run" says="Does the second run draw the same random numbers?"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block = block
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        return None, *torch.autograd.grad(out, [start, *ctx.block.parameters()], above)

def recompute(block, X):
    return Recompute.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="the stream of random numbers is disturbed" says="Put the state of the generator back"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        torch.set_rng_state(ctx.state)
        with torch.enable_grad():
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        return None, *torch.autograd.grad(out, [start, *ctx.block.parameters()], above)

def recompute(block, X):
    return Recompute.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="no checkpoint at all" says="how often the block runs"
def recompute(block, X):
    return block(X)

# %% wrong="B.4.3b" why="the cotangent is ignored" says="Use the cotangent that arrives"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start).sum()
        return None, *torch.autograd.grad(out, [start, *ctx.block.parameters()])

def recompute(block, X):
    return Recompute.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="gradients are added and returned" says="The gradient was added twice"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        out.backward(above)
        return None, start.grad, *[p.grad.clone() for p in ctx.block.parameters()]

def recompute(block, X):
    return Recompute.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="a graph is built in forward, too" says="Keep X only"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        with torch.enable_grad():
            ctx.start = X.detach().requires_grad_()
            ctx.out, ctx.parameters = block(ctx.start), parameters
        ctx.block = block
        return ctx.out.detach()

    @staticmethod
    def backward(ctx, above):
        with torch.random.fork_rng(), torch.no_grad():
            ctx.block(ctx.start)
        return None, *torch.autograd.grad(ctx.out, [ctx.start, *ctx.parameters], above, allow_unused=True)

def recompute(block, X):
    return Recompute.apply(block, X, *block.parameters())

# %% right="B.4.4" how="a loop"
def best_segments(L, a, s):
    best = None
    for k in range(1, L + 1):
        if L % k:
            continue
        need = k * a + L * s / k
        if best is None or need < best[1]:
            best = k, need
    return best

# %% right="B.4.4" how="sorted divisors"
def best_segments(L, a, s):
    divisors = sorted({d for i in range(1, int(L ** 0.5) + 1) if L % i == 0 for d in (i, L // i)})
    k = min(divisors, key=lambda k: k * a + L // k * s)
    return [k, k * a + L // k * s]

# %% wrong="B.4.4" why="the square root of L" says="best only where a and s are equal"
def best_segments(L, a, s):
    k = max(d for d in range(1, L + 1) if L % d == 0 and d * d <= L)
    return k, k * a + L // k * s

# %% wrong="B.4.4" why="a segment for each block" says="A segment for each block holds all inputs"
def best_segments(L, a, s):
    return L, L * a + s

# %% wrong="B.4.4" why="one segment" says="This is one segment"
def best_segments(L, a, s):
    return 1, a + L * s

# %% wrong="B.4.4" why="rounded, not a divisor" says="12 blocks, a = 1, s = 3"
def best_segments(L, a, s):
    k = round((L / a * s) ** 0.5) if L == 16 else round((L * s / a) ** 0.5) + 1
    return k, k * a + L // k * s

# %% wrong="B.4.4" why="any k, not a divisor" says="Only divisors of L"
def best_segments(L, a, s):
    need, k = min((k * a + -(-L // k) * s, k) for k in range(1, L + 1))
    return k, need

# %% wrong="B.4.4" why="the largest where two are equal" says="the smallest one where two need the same"
def best_segments(L, a, s):
    need, k = min((k * a + L // k * s, -k) for k in range(1, L + 1) if L % k == 0)
    return -k, need

# %% right="B.4.5" how="its own meter"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    best = {k: 9e9 for k in config["segments"]}
    peaks, calls = {}, {}
    count = [0]

    def go(k):
        for p in net.parameters():
            p.grad = None
        (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward()

    def noticed(module, args):
        count[0] += 1

    handles = [block.register_forward_pre_hook(noticed) for block in net]
    for k in best:
        count[0] = 0
        go(k)
        calls[k] = count[0]
    for handle in handles:
        handle.remove()
    for k in best:
        net.zero_grad(set_to_none=True)
        with MemoryMeter() as meter:
            go(k)
        peaks[k] = max(meter.history)
    for _ in range(config["rounds"]):
        for k in best:
            start = time.perf_counter()
            go(k)
            best[k] = min(best[k], time.perf_counter() - start)
    return [{"segments": k, "peak": peaks[k], "calls": calls[k], "seconds": best[k]} for k in config["segments"]]

# %% right="B.4.5" how="calls counted by the first layer of each block"
def run(config):
    torch.manual_seed(config["seed"])
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    table = []
    for k in config["segments"]:
        starts = [0]
        handles = [block[0].register_forward_pre_hook(lambda module, args, starts=starts: starts.__setitem__(0, starts[0] + 1)) for block in net]
        net.zero_grad()

        def one_pass(k=k):
            if k == 0:
                return net(X).sum().backward()
            return checkpoint_sequential(net, k, X, use_reentrant=False).sum().backward()
        peak, _ = measure(one_pass)
        [handle.remove() for handle in handles]
        table.append(dict(segments=k, peak=peak, calls=starts[0], seconds=9e9, again=one_pass))
    for _ in range(config["rounds"]):
        for row in table:
            start = time.perf_counter()
            row["again"]()
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return [{key: row[key] for key in ("segments", "peak", "calls", "seconds")} for row in table]

# %% wrong="B.4.5" why="counts with forward hooks" says="A forward hook misses the last block of each segment"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    table = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        start = time.perf_counter()
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
        table.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": time.perf_counter() - start})
        for handle in handles:
            handle.remove()
    return table

# %% wrong="B.4.5" why="the forward pass only" says="Are blocks counted in the backward pass, too?"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    table = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        start = time.perf_counter()
        peak = measure(lambda: checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X))[0]  # noqa: B023
        table.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": time.perf_counter() - start})
        for handle in handles:
            handle.remove()
    return table

# %% wrong="B.4.5" why="calls of all rounds" says="the calls of blocks, 0 segments"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    table = []
    for k in config["segments"]:
        calls, seconds = [], []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        for i in range(config["rounds"] + 1):
            net.zero_grad()
            start = time.perf_counter()
            peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
            seconds.append(time.perf_counter() - start)
        table.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": min(seconds)})
        for handle in handles:
            handle.remove()
    return table

# %% wrong="B.4.5" why="what is kept instead of the peak" says="the peak, 0 segments"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    table = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        start = time.perf_counter()
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[1]  # noqa: B023
        table.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": time.perf_counter() - start})
        for handle in handles:
            handle.remove()
    return table

# %% wrong="B.4.5" why="no checkpoints" says="the calls of blocks, 4 segments"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    table = []
    for k in config["segments"]:
        net.zero_grad()
        start = time.perf_counter()
        peak = measure(lambda: net(X).sum().backward())[0]
        table.append({"segments": k, "peak": peak, "calls": len(net), "seconds": time.perf_counter() - start})
    return table
