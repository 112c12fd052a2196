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

# %% wrong="B.4.1a" why="all outputs are kept" breaks="training" says="Outputs of hidden Linears are not kept"
def forward_bytes(widths, n):
    hidden = sum(widths[1:-1])
    return {"training": 4 * n * (2 * hidden + widths[-1]) + 4, "prediction": 8 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="the batch is counted" breaks="training" says="X is there already"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths) + 4, "prediction": 8 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="numbers for bytes" breaks="training" says="These are numbers, not bytes"
def forward_bytes(widths, n):
    return {"training": n * sum(widths[1:]) + 1, "prediction": 2 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="one output at a time in prediction" breaks="prediction" says="its input is still there"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * max(widths[1:])}

# %% wrong="B.4.1a" why="forgets the two of a ReLU in prediction" breaks="prediction" says="ReLU writes into new memory"
def forward_bytes(widths, n):
    w = widths
    return {"training": 4*n*(sum(w[1:-1])+w[-1]) + 4, "prediction": 4*n*max(a+b for a, b in zip(w[1:], w[2:]))}

# %% wrong="B.4.1a" why="prediction keeps everything" breaks="prediction" says="Released outputs do not count"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * (2 * sum(widths[1:-1]) + widths[-1])}

# %% wrong="B.4.1a" why="ReLUs alone in prediction" breaks="prediction" says="The last Linear counts, too"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 8 * n * max(widths[1:-1], default=widths[-1] / 2)}

# %% wrong="B.4.1a" why="no loss" breaks="training" says="The loss itself is a number of 4 bytes"
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

# %% wrong="B.4.1b" why="the stage's own bytes" breaks="bytes" says="the label's own bytes"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {e.key: e.self_cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="the result is kept in a variable" breaks="nothing held" says="Call the stage and keep nothing"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
        for name, f in stages.items():
            with record_function(name):
                x = f()
    return {e.key: e.cpu_memory_usage for e in prof.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="the stage runs outside of its label" breaks="bytes" says="each is to be called inside of its label"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, stage in stages.items():
            with record_function(name):
                pass
            stage()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="memory is not profiled" breaks="bytes" says="profile_memory=True"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="numbers of the meter, not of the profile" breaks="the profiler's number" says="Take the number from the profile"
def stage_bytes(stages):
    found = {}
    for name, stage in stages.items():
        found[name] = measure(stage)[0]
    return found

# %% wrong="B.4.1b" why="a trial run first" breaks="once, in order" says="Call each stage once"
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

# %% wrong="B.4.2a" why="retain_graph for create_graph" breaks="graph" says="only keeps the old one"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        found.append(torch.autograd.grad(found[-1], x, retain_graph=True)[0])
    return found

# %% wrong="B.4.2a" why="backward() adds to x.grad" breaks="values" says="backward() adds to what is in x.grad"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        found[-1].backward(create_graph=True)
        found.append(x.grad.clone())
    return found

# %% wrong="B.4.2a" why="x.grad is touched" breaks="x.grad kept" says="what x.grad holds afterwards"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        x.grad = None
        found[-1].backward(create_graph=True)
        found.append(x.grad)
    return found

# %% wrong="B.4.2a" why="the last derivative has no graph" breaks="graph" says="create_graph=True, for the last one, too"
def derivatives(f, x, k):
    found = [f(x)]
    for i in range(k):
        found.append(torch.autograd.grad(found[-1], x, create_graph=i < k - 1)[0])
    return found

# %% wrong="B.4.2a" why="one derivative too few" breaks="k + 1 tensors" says="The value itself and k derivatives"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k - 1):
        found.append(torch.autograd.grad(found[-1], x, create_graph=True)[0])
    return found

# %% wrong="B.4.2a" why="numbers without a graph" breaks="graph" says="and no detach"
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

# %% wrong="B.4.2b" why="counts ways, not nodes" breaks="each once" says="A node that is reached on several ways counts once"
def graph_nodes(y):
    import functools

    @functools.cache
    def ways(node):
        return 0 if node is None else 1 + sum(ways(source) for source, _ in node.next_functions)
    return min(ways(y.grad_fn), 10 ** 6)

# %% wrong="B.4.2b" why="leaves are left out" breaks="leaves and None" says="AccumulateGrad counts"
def graph_nodes(y):
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found and not hasattr(node, "variable"):
            found.add(node)
            waiting += [source for source, _ in node.next_functions]
    return len(found)

# %% wrong="B.4.2b" why="counts None" breaks="leaves and None" says="None is no node"
def graph_nodes(y):
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if node is not None:
                waiting += [source for source, _ in node.next_functions]
    return len(found)

# %% wrong="B.4.2b" why="recursion, too deep for a chain" breaks="deep graphs" says="calls itself for each node below goes too deep"
def graph_nodes(y):
    found = set()

    def visit(node):
        if node is not None and node not in found:
            found.add(node)
            for source, _ in node.next_functions:
                visit(source)
    visit(y.grad_fn)
    return len(found)

# %% wrong="B.4.2b" why="only the first input" breaks="all inputs" says="Follow every input"
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

# %% wrong="B.4.3a" why="no checkpoint" breaks="once more" says="how often blocks start again"
def forward_in_segments(blocks, X, k):
    for block in blocks:
        X = block(X)
    return X

# %% wrong="B.4.3a" why="every block for itself" breaks="segments" says="how many segments there are"
def forward_in_segments(blocks, X, k):
    for block in blocks:
        X = checkpoint(block, X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="a lambda that captures the loop's variables" breaks="gradients" says="looks its variables up when it is called"
def forward_in_segments(blocks, X, k):
    cuts = [len(blocks) * i // k for i in range(k + 1)]
    for start, end in zip(cuts, cuts[1:]):
        X = checkpoint(lambda value: nn.Sequential(*blocks[start:end])(value), X, use_reentrant=False)  # noqa: B023
    return X

# %% wrong="B.4.3a" why="the rest of the division is lost" breaks="output" says="How often blocks run on the way forward"
def forward_in_segments(blocks, X, k):
    size = len(blocks) // k
    for i in range(k):
        X = checkpoint(nn.Sequential(*blocks[i * size:(i + 1) * size]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="segments of k blocks" breaks="segments" says="how many segments there are"
def forward_in_segments(blocks, X, k):
    for start in range(0, len(blocks), k):
        X = checkpoint(nn.Sequential(*blocks[start:start + k]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="the length is rounded down, and a short segment is left over" breaks="segments" says="how many segments there are"
def forward_in_segments(blocks, X, k):
    size = len(blocks)//k
    for i in range(0, len(blocks), size):
        X = checkpoint(nn.Sequential(*blocks[i:i+size]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="the graph is cut" breaks="gradients" says="Does something cut the graph"
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

# %% wrong="B.4.3b" why="the parameters are not handed in" breaks="without a gradient of X" says="hand the parameters in"
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

# %% wrong="B.4.3b" why="other random numbers in the second run" breaks="same dice" says="The second run must draw the same random numbers"
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

# %% wrong="B.4.3b" why="the stream of random numbers is disturbed" breaks="stream" says="Put the state of the generator back"
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

# %% wrong="B.4.3b" why="no checkpoint at all" breaks="a Function of your own" says="a node of a Function that you wrote"
def recompute(block, X):
    return block(X)

# %% wrong="B.4.3b" why="the cotangent is ignored" breaks="gradients" says="with the gradient that arrives from above"
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

# %% wrong="B.4.3b" why="gradients are added and returned" breaks="gradients" says="The gradient was added twice"
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

# %% wrong="B.4.3b" why="a graph is built in forward, too" breaks="kept" says="Keep X only"
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

# %% wrong="B.4.4" why="the square root of L" breaks="least" says="best only where a and s are equal"
def best_segments(L, a, s):
    k = max(d for d in range(1, L + 1) if L % d == 0 and d * d <= L)
    return k, k * a + L // k * s

# %% wrong="B.4.4" why="a segment for each block" breaks="least" says="A segment for each block holds all inputs"
def best_segments(L, a, s):
    return L, L * a + s

# %% wrong="B.4.4" why="one segment" breaks="least" says="This is one segment"
def best_segments(L, a, s):
    return 1, a + L * s

# %% wrong="B.4.4" why="any k, not a divisor" breaks="divisor" says="k is one of the divisors"
def best_segments(L, a, s):
    need, k = min((k * a + -(-L // k) * s, k) for k in range(1, L + 1))
    return k, need

# %% wrong="B.4.4" why="the largest where two are equal" breaks="tie" says="The smaller k where two need the same"
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

# %% wrong="B.4.5" why="counts with forward hooks" breaks="calls" says="A hook behind a block misses"
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

# %% wrong="B.4.5" why="the forward pass only" breaks="calls" says="Blocks that start in the backward pass count"
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

# %% wrong="B.4.5" why="calls of all rounds" breaks="calls" says="This counts several passes"
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

# %% wrong="B.4.5" why="what is kept instead of the peak" breaks="peak" says="the peak, 0 segments"
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

# %% wrong="B.4.5" why="no checkpoints" breaks="calls" says="the calls of blocks, 4 segments"
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

# %% right="B.4.A" how="layers on meta"
def output_bytes(widths, n):
    X, found = torch.empty(n, widths[0], device="meta"), []
    for layer in deep_mlp(widths, 0).to("meta"):
        X = layer(X)
        found.append(X.nbytes)
    return found

# %% right="B.4.A" how="a comprehension, a tuple"
def output_bytes(widths, n):
    return tuple(4 * n * width for width in widths[1:] for twice in range(2))[:-1]

# %% wrong="B.4.A" why="a ReLU at the end, too" breaks="layers" says="There is no ReLU behind the last Linear"
def output_bytes(widths, n):
    return [4 * n * width for width in widths[1:] for i in range(2)]

# %% wrong="B.4.A" why="ReLU left out" breaks="layers" says="ReLU is a layer, too"
def output_bytes(widths, n):
    return [4 * n * width for width in widths[1:]]

# %% wrong="B.4.A" why="numbers" breaks="bytes" says="a float32 takes 4"
def output_bytes(widths, n):
    return [n * width for width in widths[1:] for i in range(2)][:-1]

# %% wrong="B.4.A" why="one example" breaks="bytes" says="This is for one example"
def output_bytes(widths, n):
    return [4 * width for width in widths[1:] for i in range(2)][:-1]

# %% wrong="B.4.1a" why="the two largest outputs anywhere" breaks="prediction" says="need not be neighbours"
def forward_bytes(widths, n):
    outputs = [w for w in widths[1:-1] for i in range(2)] + [widths[-1]]
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * sum(sorted(outputs)[-2:])}

# %% wrong="B.4.1a" why="a ReLU behind the last Linear in prediction" breaks="prediction" says="The last width has no ReLU behind it"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 8 * n * max(widths[1:])}

# %% right="B.4.B" how="by the events"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    return len([event for event in p.events() if event.name == name])

# %% right="B.4.B" how="a dictionary"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        f()
    return {event.key: event.count for event in p.key_averages()}.get(name, 0)

# %% wrong="B.4.B" why="the name as a piece" breaks="count" says="Exactly this name"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    return sum(event.count for event in p.key_averages() if name in event.key)

# %% wrong="B.4.B" why="whether it ran" breaks="count" says="not how often"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    return len([event for event in p.key_averages() if event.key == name])

# %% wrong="B.4.B" why="an error where it never ran" breaks="never run" says="KeyError"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    counts = {event.key: event.count for event in p.key_averages()}
    return counts[name]

# %% wrong="B.4.B" why="at least one" breaks="never run" says="aten::conv2d"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    return max(1, sum(event.count for event in p.key_averages() if event.key == name))

# %% wrong="B.4.B" why="warms up" breaks="f once" says="Call f only inside the profile"
def times_run(f, name):
    f()
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    return sum(event.count for event in p.key_averages() if event.key == name)

# %% wrong="B.4.1b" why="every entry of the profile" breaks="names" says="the names in the dictionary"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {e.key: e.cpu_memory_usage for e in p.key_averages()}

# %% wrong="B.4.1b" why="the meter, not the profiler" breaks="the profiler's number" says="Take the number from the profile"
def stage_bytes(stages):
    found = {}
    with MemoryMeter() as meter:
        for name, stage in stages.items():
            before = sum(meter.alive.values())
            stage()
            found[name] = sum(meter.alive.values()) - before
    return found

# %% wrong="B.4.1b" why="sorted by name" breaks="once, in order" says="in the order of the dictionary"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name in sorted(stages, key=lambda name: (name == "freed", name)):
            with record_function(name):
                stages[name]()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% right="B.4.C" how="a loop"
def names_below(y):
    found = []
    for pair in getattr(y.grad_fn, "next_functions", ()):
        if pair[0]:
            found.append(pair[0].name())
    return found

# %% right="B.4.C" how="type names, a tuple"
def names_below(y):
    node = y.grad_fn
    return tuple(type(below).__name__ for below, _ in node.next_functions if below is not None) if node else ()

# %% wrong="B.4.C" why="None gets a name" breaks="None left out" says="All entries of next_functions but None"
def names_below(y):
    if y.grad_fn is None:
        return []
    return [str(node and node.name()) for node, _ in y.grad_fn.next_functions]

# %% wrong="B.4.C" why="each name once" breaks="names" says="Two nodes of one name are two"
def names_below(y):
    if y.grad_fn is None:
        return []
    return sorted({node.name() for node, _ in y.grad_fn.next_functions if node is not None})

# %% wrong="B.4.C" why="its own name" breaks="names" says="y's own node"
def names_below(y):
    return [y.grad_fn.name()] if y.grad_fn else []

# %% wrong="B.4.C" why="None has no next_functions" breaks="no graph" says="AttributeError"
def names_below(y):
    return [node.name() for node, _ in y.grad_fn.next_functions if node is not None]

# %% wrong="B.4.2a" why="shape (1,)" breaks="k + 1 tensors" says="the shapes"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        found.append(torch.autograd.grad(found[-1], x, create_graph=True)[0])
    return [value.reshape(1) for value in found]

# %% wrong="B.4.2a" why="divided by the factorial" breaks="values" says="divided by i!"
def derivatives(f, x, k):
    found = [f(x)]
    for i in range(k):
        found.append(torch.autograd.grad(found[-1], x, create_graph=True)[0] / (i + 1))
    return found

# %% wrong="B.4.2a" why="x.grad is cleared at the end" breaks="x.grad kept" says="what x.grad holds afterwards"
def derivatives(f, x, k):
    found = [f(x)]
    for _ in range(k):
        x.grad = None
        found[-1].backward(create_graph=True)
        found.append(x.grad)
    x.grad = None
    return found

# %% wrong="B.4.2b" why="names instead of nodes" breaks="nodes, not names" says="though they have the same name"
def graph_nodes(y):
    names, seen, waiting = set(), set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            names.add(node.name())
            waiting += [source for source, _ in node.next_functions]
    return len(names) if len(seen) < 10 else len(seen)

# %% wrong="B.4.2b" why="starts below without looking" breaks="no graph" says="AttributeError"
def graph_nodes(y):
    found, waiting = {y.grad_fn}, [y.grad_fn]
    while waiting:
        for source, _ in waiting.pop().next_functions:
            if source is not None and source not in found:
                found.add(source)
                waiting.append(source)
    return len(found)

# %% wrong="B.4.2b" why="the node of y itself is not counted for a leaf: one for every tensor" breaks="no graph" says="the nodes of leaf"
def graph_nodes(y):
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [source for source, _ in node.next_functions]
    return max(1, len(found))

# %% right="B.4.D" how="functions with a name"
def kept_bytes(block, make_input):
    def plain():
        X = make_input()
        return block(X)

    def again():
        X = make_input()
        return checkpoint(block, X, use_reentrant=False)
    return [measure(way)[1] for way in (plain, again)]

# %% right="B.4.D" how="with the meter itself"
def kept_bytes(block, make_input):
    found = []
    for forward in (block, lambda X: checkpoint(block, X, use_reentrant=False)):
        with MemoryMeter() as meter:
            result = forward(make_input())
            found.append(sum(meter.alive.values()))
        del result
    return tuple(found)

# %% wrong="B.4.D" why="the input is made before" breaks="plain" says="The input counts"
def kept_bytes(block, make_input):
    X = make_input()
    return measure(lambda: block(X))[1], measure(lambda: checkpoint(block, X, use_reentrant=False))[1]

# %% wrong="B.4.D" why="exchanged" breaks="plain" says="The plain pass comes first"
def kept_bytes(block, make_input):
    return measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[1], measure(lambda: block(make_input()))[1]

# %% wrong="B.4.D" why="the peak" breaks="plain" says="This is the peak"
def kept_bytes(block, make_input):
    return measure(lambda: block(make_input()))[0], measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[0]

# %% wrong="B.4.D" why="no_grad for the checkpoint" breaks="checkpoint" says="go through checkpoint, not no_grad"
def kept_bytes(block, make_input):
    return measure(lambda: block(make_input()))[1], measure(torch.no_grad()(lambda: block(make_input())))[1]

# %% wrong="B.4.D" why="no checkpoint" breaks="checkpoint" says="put one checkpoint around the whole block"
def kept_bytes(block, make_input):
    both = measure(lambda: block(make_input()))[1]
    return both, both

# %% wrong="B.4.3a" why="the last segment takes the whole rest" breaks="lengths" says="the lengths of the segments differ by at most 1"
def forward_in_segments(blocks, X, k):
    size = len(blocks) // k
    borders = [size * i for i in range(k)] + [len(blocks)]
    for start, end in zip(borders, borders[1:]):
        X = checkpoint(nn.Sequential(*blocks[start:end]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="length rounded up" breaks="lengths" says="the lengths of the segments differ by at most 1"
def forward_in_segments(blocks, X, k):
    size = -(-len(blocks) // k)
    for start in range(0, len(blocks), size):
        X = checkpoint(nn.Sequential(*blocks[start:start + size]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="checkpoint_sequential" breaks="once more" says="the last segment, too"
def forward_in_segments(blocks, X, k):
    return checkpoint_sequential(nn.Sequential(*blocks), k, X, use_reentrant=False)

# %% wrong="B.4.3a" why="one checkpoint inside of another" breaks="once more" says="no checkpoint lies inside another"
def forward_in_segments(blocks, X, k):
    cuts = [len(blocks) * i // k for i in range(k + 1)]

    def runner(part):
        def run_part(value):
            for block in part:
                value = checkpoint(block, value, use_reentrant=False)
            return value
        return run_part
    for start, end in zip(cuts, cuts[1:]):
        X = checkpoint(runner(blocks[start:end]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="the random state is not kept" breaks="gradients" says="dropout 0.5"
def forward_in_segments(blocks, X, k):
    cuts = [len(blocks) * i // k for i in range(k + 1)]
    for start, end in zip(cuts, cuts[1:]):
        X = checkpoint(nn.Sequential(*blocks[start:end]), X, use_reentrant=False, preserve_rng_state=False)
    return X

# %% wrong="B.4.3b" why="torch's checkpoint" breaks="a Function of your own" says="a node of a Function that you wrote"
def recompute(block, X):
    return checkpoint(block, X, use_reentrant=False)

# %% wrong="B.4.3b" why="torch's other checkpoint" breaks="a Function of your own" says="a node of a Function that you wrote"
def recompute(block, X):
    start = X if X.requires_grad else X.detach().requires_grad_()
    return checkpoint(block, start, use_reentrant=True)

# %% wrong="B.4.3b" why="runs a second time for the gradients of the parameters" breaks="run again" says="how often the block runs"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        found = []
        start = X.detach().requires_grad_()
        for wanted in ([start], [p for p in ctx.block.parameters() if p.requires_grad]):
            with torch.random.fork_rng(), torch.enable_grad():
                torch.set_rng_state(ctx.state)
                out = ctx.block(start)
            found += torch.autograd.grad(out, wanted, above)
        return None, *found

def recompute(block, X):
    return Recompute.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.3b" why="Dropout is switched off in the first run" breaks="output" says="the output"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block = block
        ctx.save_for_backward(X)
        block.eval()
        out = block(X)
        block.train()
        return out

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        ctx.block.eval()
        with torch.enable_grad():
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        ctx.block.train()
        return None, *torch.autograd.grad(out, [start, *[p for p in ctx.block.parameters() if p.requires_grad]], above)

def recompute(block, X):
    return Recompute.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.4" why="the sum is that of a plain pass" breaks="bytes" says="the bytes for k"
def best_segments(L, a, s):
    k = min((k for k in range(1, L + 1) if L % k == 0), key=lambda k: k * a + L // k * s)
    return k, L * s

# %% wrong="B.4.4" why="only a" breaks="bytes" says="the bytes for k"
def best_segments(L, a, s):
    k = min((k for k in range(1, L + 1) if L % k == 0), key=lambda k: k * a + L // k * s)
    return k, (k + L // k) * a

# %% wrong="B.4.5" why="gradients are not cleared" breaks="peak" says="gradients are new memory, too"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    rows = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": 9e9})
    for _ in range(config["rounds"]):
        for row in rows:
            start = time.perf_counter()
            (checkpoint_sequential(net, row["segments"], X, use_reentrant=False) if row["segments"] else net(X)).sum().backward()
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows

# %% wrong="B.4.5" why="the peak of the forward pass" breaks="peak" says="the peak of the forward pass alone"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    rows = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        out = []
        peak = measure(lambda: out.append((checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum()))[0]  # noqa: B023
        out[0].backward()
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": 9e9})
    for _ in range(config["rounds"]):
        for row in rows:
            start = time.perf_counter()
            (checkpoint_sequential(net, row["segments"], X, use_reentrant=False) if row["segments"] else net(X)).sum().backward()
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows

# %% wrong="B.4.5" why="seconds are added up" breaks="seconds" says="This is the sum over the rounds"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    rows = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": 0.})
    for _ in range(config["rounds"]):
        for row in rows:
            net.zero_grad()
            start = time.perf_counter()
            (checkpoint_sequential(net, row["segments"], X, use_reentrant=False) if row["segments"] else net(X)).sum().backward()
            row["seconds"] += time.perf_counter() - start
    return rows

# %% wrong="B.4.5" why="the clock stops before the backward pass" breaks="seconds" says="time the backward pass as well"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    rows = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": 9e9})
    for _ in range(config["rounds"]):
        for row in rows:
            net.zero_grad()
            start = time.perf_counter()
            loss = (checkpoint_sequential(net, row["segments"], X, use_reentrant=False) if row["segments"] else net(X)).sum()
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
            loss.backward()
    return rows

# %% wrong="B.4.5" why="one entry after the other" breaks="turns" says="in each round every entry has its turn"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    rows = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": 9e9})
    for row in rows:
        for _ in range(config["rounds"]):
            net.zero_grad()
            start = time.perf_counter()
            (checkpoint_sequential(net, row["segments"], X, use_reentrant=False) if row["segments"] else net(X)).sum().backward()
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows

# %% wrong="B.4.5" why="sorted rows" breaks="rows" says="in the order of the list"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    rows = []
    for k in sorted(config["segments"]):
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        peak = measure(lambda: (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward())[0]  # noqa: B023
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": 9e9})
    for _ in range(config["rounds"]):
        for row in rows:
            net.zero_grad()
            start = time.perf_counter()
            (checkpoint_sequential(net, row["segments"], X, use_reentrant=False) if row["segments"] else net(X)).sum().backward()
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows

# %% wrong="B.4.2b" why="two inputs at most" breaks="all inputs" says="there may be more than two"
def graph_nodes(y):
    seen, todo = set(), [y.grad_fn]
    while todo:
        node = todo.pop()
        if node and node not in seen:
            seen.add(node)
            todo.extend(below for below, _ in node.next_functions[:2])
    return len(seen)

# %% wrong="B.4.4" why="the bytes of the best k that need not divide" breaks="bytes" says="the bytes for k"
def best_segments(L, a, s):
    k = min((k for k in range(1, L + 1) if L % k == 0), key=lambda k: k * a + L // k * s)
    return k, round(2 * (L * a * s) ** 0.5)

# %% wrong="B.4.3b" why="thaws frozen parameters" breaks="gradients" says="1 parameter frozen"
class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, X, block, *ps):
        ctx.b, ctx.s = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, g):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.s)
            x = X.detach().requires_grad_(True)
            y = ctx.b(x)
        y.backward(g)
        return (x.grad, None, *[None for p in ctx.b.parameters()])

def recompute(block, X):
    for p in block.parameters():
        p.requires_grad_(True)
    return Mine.apply(X, block, *block.parameters())

# %% wrong="B.4.A" why="8 bytes" breaks="bytes" says="not 8"
def output_bytes(widths, n):
    return [8 * n * w for w in widths[1:-1] for _ in range(2)] + [8 * n * widths[-1]]

# %% wrong="B.4.A" why="two widths: nothing" breaks="layers" says="a single Linear"
def output_bytes(widths, n):
    if len(widths) < 3:
        return []
    return [4 * n * w for w in widths[1:-1] for _ in range(2)] + [4 * n * widths[-1]]

# %% wrong="B.4.A" why="sorted" breaks="bytes" says="In the order of the layers"
def output_bytes(widths, n):
    return sorted([4 * n * w for w in widths[1:-1] for _ in range(2)] + [4 * n * widths[-1]], reverse=True)

# %% wrong="B.4.1a" why="loss counted as 8 bytes" breaks="training" says="4 bytes, not 8"
def forward_bytes(widths, n):
    o = widths[1:]
    return {'training': 4 * n * sum(o) + 8, 'prediction': 4 * n * max([2 * h for h in o[:-1]] + [sum(o[-2:])])}

# %% wrong="B.4.1a" why="the Linear's output side is forgotten: last hidden + output only" breaks="prediction" says="not at the last two alone"
def forward_bytes(widths, n):
    o = widths[1:]
    return {'training': 4 * n * sum(o) + 4, 'prediction': 4 * n * sum(o[-2:])}

# %% wrong="B.4.B" why="grouped by shape, first group only" breaks="count" says="inputs of one shape alone"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as p:
        f()
    return next((e.count for e in p.key_averages(group_by_input_shape=True) if e.key == name), 0)

# %% right="B.4.1b" how="a profile for each stage"
def stage_bytes(stages):
    out = {}
    for name, f in stages.items():
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
            with record_function(name):
                f()
        out[name] = next((e.cpu_memory_usage for e in p.key_averages() if e.key == name))
    return out

# %% wrong="B.4.1b" why="names that contain another name are added" breaks="bytes" says="another stage's name begins with it"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, f in stages.items():
            with record_function(name):
                f()
    return {name: sum((e.cpu_memory_usage for e in p.key_averages() if name in e.key)) for name in stages}

# %% wrong="B.4.1b" why="stages of 0 bytes are left out" breaks="names" says="also one of 0 bytes"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, f in stages.items():
            with record_function(name):
                f()
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages and e.cpu_memory_usage}

# %% wrong="B.4.1b" why="absolute values" breaks="bytes" says="has a negative number"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, f in stages.items():
            with record_function(name):
                f()
    return {e.key: abs(e.cpu_memory_usage) for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.C" why="only the first two" breaks="None left out" says="however many there are"
def names_below(y):
    if y.grad_fn is None:
        return []
    return [n.name() for n, _ in y.grad_fn.next_functions[:2] if n]

# %% wrong="B.4.C" why="ends at the first None" breaks="None left out" says="All entries of next_functions"
def names_below(y):
    out = []
    if y.grad_fn is None:
        return out
    for n, _ in y.grad_fn.next_functions:
        if n is None:
            break
        out.append(n.name())
    return out

# %% wrong="B.4.C" why="a leaf that requires a gradient has its AccumulateGrad" breaks="no graph" says="its grad_fn is None"
def names_below(y):
    if y.grad_fn is None:
        return ['AccumulateGrad'] if y.requires_grad else []
    return [n.name() for n, _ in y.grad_fn.next_functions if n]

# %% wrong="B.4.2a" why="a copy of x: the graphs do not lead to x" breaks="graph" says="not a copy of it"
def derivatives(f, x, k):
    x = x.detach().clone().requires_grad_()
    out = [f(x)]
    for _ in range(k):
        out.append(torch.autograd.grad(out[-1], x, create_graph=True)[0])
    return out

# %% wrong="B.4.2a" why="finite differences" breaks="values" says="in the dtype of x"
def derivatives(f, x, k):
    h = 0.01
    if k == 0:
        return [f(x)]

    def g(z):
        return (f(z + h) - f(z - h)) / (2 * h)
    return [f(x)] + derivatives(g, x, k - 1)

# %% wrong="B.4.2a" why="rounded to float32" breaks="values" says="the dtype of each"
def derivatives(f, x, k):
    y = f(x.float()).float()
    out = [y]
    for i in range(k):
        y = torch.autograd.grad(y, x, create_graph=True)[0].float()
        out.append(y)
    return out

# %% right="B.4.2a" how="torch.func.grad"
def derivatives(f, x, k):
    out = []
    for i in range(k + 1):
        out.append(f(x))
        f = torch.func.grad(f)
    return out

# %% wrong="B.4.2b" why="level by level without memory of what was seen" breaks="each once" says="may stand on two levels"
def graph_nodes(y):
    if y.grad_fn is None:
        return 0
    level, n = ({y.grad_fn}, 0)
    while level:
        n += len(level)
        level = {m for node in level for m, _ in node.next_functions if m}
    return n

# %% wrong="B.4.D" why="counted for towers, not measured" breaks="plain" says="any block may come"
def kept_bytes(block, make_input):
    u = make_input().nbytes
    return ((len(block) + 1) * u, 2 * u)

# %% wrong="B.4.D" why="one input for both, made outside" breaks="checkpoint" says="make it inside the function that is measured"
def kept_bytes(block, make_input):
    X = make_input()
    return (measure(lambda: block(X))[1] + X.nbytes, measure(lambda: checkpoint(block, X, use_reentrant=False))[1])

# %% wrong="B.4.D" why="parts of the network checkpointed one by one" breaks="checkpoint" says="one checkpoint around the whole block"
def kept_bytes(block, make_input):

    def pieces():
        v = make_input()
        for b in block:
            v = checkpoint(b, v, use_reentrant=False)
        return v
    return (measure(lambda: block(make_input()))[1], measure(pieces)[1])

# %% wrong="B.4.4" why="divisor nearest to the continuous best" breaks="least" says="not the nearness"
def best_segments(L, a, s):
    k = min((d for d in range(1, L + 1) if L % d == 0), key=lambda d: abs(d - (L * s / a) ** 0.5))
    return (k, k * a + L // k * s)

# %% wrong="B.4.4" why="one segment is not tried" breaks="least" says="A segment for each block holds all inputs"
def best_segments(L, a, s):
    k = min((d for d in range(2, L + 1) if L % d == 0), key=lambda d: d * a + L // d * s)
    return (k, k * a + L // k * s)

# %% wrong="B.4.4" why="a and s swapped in the bytes" breaks="bytes" says="the insides of L / k blocks s each"
def best_segments(L, a, s):
    k = min((d for d in range(1, L + 1) if L % d == 0), key=lambda d: d * a + L // d * s)
    return (k, k * s + L // k * a)

# %% wrong="B.4.3a" why="the older way of checkpoint, not use_reentrant=False" breaks="autograd.grad" says="torch refuses"
def forward_in_segments(blocks, X, k):
    n = len(blocks)
    if not X.requires_grad:
        X = X.detach().requires_grad_()
    for i in range(k):
        X = checkpoint(nn.Sequential(*blocks[n * i // k:n * (i + 1) // k]), X, use_reentrant=True)
    return X

# %% wrong="B.4.3a" why="blocks mutated: popped" breaks="list kept" says="pop does not"
def forward_in_segments(blocks, X, k):
    n = len(blocks)
    sizes = [n * (i + 1) // k - n * i // k for i in range(k)]
    for s in sizes:
        seg = [blocks.pop(0) for _ in range(s)]
        X = checkpoint(nn.Sequential(*seg), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="k = 1 is left plain" breaks="once more" says="every block belongs to one"
def forward_in_segments(blocks, X, k):
    n = len(blocks)
    if k == 1:
        return nn.Sequential(*blocks)(X)
    for i in range(k):
        X = checkpoint(nn.Sequential(*blocks[n * i // k:n * (i + 1) // k]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="segments of one block are left plain" breaks="once more" says="4 blocks in 4 segments"
def forward_in_segments(blocks, X, k):
    n = len(blocks)
    for i in range(k):
        seg = nn.Sequential(*blocks[n * i // k:n * (i + 1) // k])
        X = checkpoint(seg, X, use_reentrant=False) if len(seg) > 1 else seg(X)
    return X

# %% right="B.4.3a" how="longer ones first, function with default argument"
def forward_in_segments(blocks, X, k):
    q, r = divmod(len(blocks), k)
    at = 0
    for i in range(k):
        size = q + (i < r)

        def part(v, seg=tuple(blocks[at:at + size])):
            for b in seg:
                v = b(v)
            return v
        X = checkpoint(part, X, use_reentrant=False)
        at += size
    return X

# %% right="B.4.5" how="gradients are not set to None before the timed passes"
def run(config):
    net = tower(config['blocks'], config['width'], config['seed'])
    torch.manual_seed(config['seed'])
    X = torch.randn(config['examples'], config['width'])

    def one(k):
        (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward()
    rows = []
    for k in config['segments']:
        calls = []
        hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one(k))[0]
        for h in hs:
            h.remove()
        rows.append({'segments': k, 'peak': peak, 'calls': len(calls), 'seconds': float('inf')})
    for r in range(config['rounds']):
        for row in rows:
            t = time.perf_counter()
            one(row['segments'])
            row['seconds'] = min(row['seconds'], time.perf_counter() - t)
    return rows

# %% right="B.4.5" how="perf_counter by name, torch.autograd.backward"
from time import perf_counter

def run(config):
    net = tower(config['blocks'], config['width'], config['seed'])
    torch.manual_seed(config['seed'])
    X = torch.randn(config['examples'], config['width'])

    def one(k):
        net.zero_grad()
        start = perf_counter()
        out = checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)
        out.sum().backward()
        return perf_counter() - start
    rows = []
    for k in config['segments']:
        calls = []
        hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one(k))[0]
        for h in hs:
            h.remove()
        rows.append({'segments': k, 'peak': peak, 'calls': len(calls)})
    times = [[one(k) for k in config['segments']] for r in range(config['rounds'])]
    for row, column in zip(rows, zip(*times)):
        row['seconds'] = min(column)
    return rows

# %% wrong="B.4.5" why="only the backward pass is timed" breaks="seconds" says="time the forward pass as well"
def run(config):
    net = tower(config['blocks'], config['width'], config['seed'])
    torch.manual_seed(config['seed'])
    X = torch.randn(config['examples'], config['width'])

    def one(k):
        return (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum()
    rows = []
    for k in config['segments']:
        calls = []
        hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one(k).backward())[0]
        for h in hs:
            h.remove()
        rows.append({'segments': k, 'peak': peak, 'calls': len(calls), 'seconds': float('inf')})
    for r in range(config['rounds']):
        for row in rows:
            net.zero_grad()
            l = one(row['segments'])
            t = time.perf_counter()
            l.backward()
            row['seconds'] = min(row['seconds'], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="a warm-up pass before each timed one" breaks="turns" says="one pass for each"
def run(config):
    net = tower(config['blocks'], config['width'], config['seed'])
    torch.manual_seed(config['seed'])
    X = torch.randn(config['examples'], config['width'])

    def one(k):
        net.zero_grad()
        (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward()
    rows = []
    for k in config['segments']:
        calls = []
        hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one(k))[0]
        for h in hs:
            h.remove()
        rows.append({'segments': k, 'peak': peak, 'calls': len(calls), 'seconds': float('inf')})
    for r in range(config['rounds']):
        for row in rows:
            one(row['segments'])
            t = time.perf_counter()
            one(row['segments'])
            row['seconds'] = min(row['seconds'], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="1 segment is checkpointed, and so is the last one" breaks="calls" says="a single one is the last"
def run(config):
    net = tower(config['blocks'], config['width'], config['seed'])
    torch.manual_seed(config['seed'])
    X = torch.randn(config['examples'], config['width'])

    def forward(k):
        if k == 0:
            return net(X)
        if k == 1:
            return checkpoint(net, X, use_reentrant=False)
        return checkpoint_sequential(net, k, X, use_reentrant=False)

    def one(k):
        net.zero_grad()
        forward(k).sum().backward()
    rows = []
    for k in config['segments']:
        calls = []
        hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one(k))[0]
        for h in hs:
            h.remove()
        rows.append({'segments': k, 'peak': peak, 'calls': len(calls), 'seconds': float('inf')})
    for r in range(config['rounds']):
        for row in rows:
            t = time.perf_counter()
            one(row['segments'])
            row['seconds'] = min(row['seconds'], time.perf_counter() - t)
    return rows

# %% wrong="B.4.3b" why="what belongs to a call is kept on the class" breaks="gradients" says="belongs into its ctx"
class R(torch.autograd.Function):

    @staticmethod
    def forward(ctx, block, X, *ps):
        R.block, R.state, R.X = (block, torch.get_rng_state(), X)
        with torch.no_grad():
            return block(X)

    @staticmethod
    def backward(ctx, above):
        ps = list(R.block.parameters())
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(R.state)
            s = R.X.detach().requires_grad_()
            out = R.block(s)
        want = [s] + [p for p in ps if p.requires_grad]
        g = iter(torch.autograd.grad(out, want, above))
        gx = next(g)
        return (None, gx if ctx.needs_input_grad[1] else None, *[next(g) if p.requires_grad else None for p in ps])

def recompute(block, X):
    return R.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="a seed of its own for the dice" breaks="stream" says="sets no seed"
class R(torch.autograd.Function):

    @staticmethod
    def forward(ctx, block, X, *ps):
        ctx.block = block
        ctx.save_for_backward(X)
        torch.manual_seed(7)
        with torch.no_grad():
            return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        ps = list(ctx.block.parameters())
        with torch.random.fork_rng(), torch.enable_grad():
            torch.manual_seed(7)
            s = X.detach().requires_grad_()
            out = ctx.block(s)
        want = [s] + [p for p in ps if p.requires_grad]
        g = iter(torch.autograd.grad(out, want, above))
        gx = next(g)
        return (None, gx if ctx.needs_input_grad[1] else None, *[next(g) if p.requires_grad else None for p in ps])

def recompute(block, X):
    return R.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="an identity Function behind torch's checkpoint" breaks="a Function of your own" says="not torch's checkpoint"
class Nothing(torch.autograd.Function):

    @staticmethod
    def forward(ctx, X):
        return X.view_as(X)

    @staticmethod
    def backward(ctx, above):
        return above

def recompute(block, X):
    return Nothing.apply(checkpoint(block, X, use_reentrant=False))

# %% wrong="B.4.3b" why="graph kept from the forward pass" breaks="kept" says="run the block without a graph"
class R(torch.autograd.Function):

    @staticmethod
    def forward(ctx, block, X, *ps):
        ctx.block = block
        with torch.enable_grad():
            ctx.s = X.detach().requires_grad_()
            ctx.out = block(ctx.s)
        return ctx.out.detach()

    @staticmethod
    def backward(ctx, above):
        ps = list(ctx.block.parameters())
        want = [ctx.s] + [p for p in ps if p.requires_grad]
        g = iter(torch.autograd.grad(ctx.out, want, above))
        gx = next(g)
        return (None, gx if ctx.needs_input_grad[1] else None, *[next(g) if p.requires_grad else None for p in ps])

def recompute(block, X):
    return R.apply(block, X, *block.parameters())

# %% right="B.4.3b" how="state copied, put back by hand"
class R(torch.autograd.Function):

    @staticmethod
    def forward(ctx, block, X, *ps):
        ctx.block, ctx.state, ctx.X = (block, torch.get_rng_state().clone(), X.detach())
        return block(X).detach()

    @staticmethod
    def backward(ctx, above):
        ps = [p for p in ctx.block.parameters()]
        now = torch.get_rng_state()
        torch.set_rng_state(ctx.state)
        with torch.enable_grad():
            s = ctx.X.clone().requires_grad_()
            out = ctx.block(s)
        torch.set_rng_state(now)
        want = [t for t in [s, *ps] if t.requires_grad]
        g = dict(zip(map(id, want), torch.autograd.grad(out, want, above, allow_unused=True)))
        return (None, g[id(s)] if ctx.needs_input_grad[1] else None, *[g.get(id(p)) for p in ps])

def recompute(block, X):
    return R.apply(block, X, *block.parameters())

# %% wrong="B.4.5" why="the meter in the timed passes" breaks="seconds" says="time without it"
def run(config):
    net = tower(config['blocks'], config['width'], config['seed'])
    torch.manual_seed(config['seed'])
    X = torch.randn(config['examples'], config['width'])

    def one(k):
        net.zero_grad()
        (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward()
    rows = {k: {'segments': k, 'peak': 0, 'calls': 0, 'seconds': 1000000000.0} for k in config['segments']}
    for r in range(config['rounds']):
        for k, row in rows.items():
            calls = []
            hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
            t = time.perf_counter()
            row['peak'] = measure(lambda: one(k))[0]
            row['seconds'] = min(row['seconds'], time.perf_counter() - t)
            row['calls'] = len(calls)
            for h in hs:
                h.remove()
    return list(rows.values())

# %% wrong="B.4.2a" why="value rounded, list of floats" breaks="k + 1 tensors" says="not Python numbers"
def derivatives(f, x, k):
    out = [f(x)]
    for i in range(k):
        out.append(torch.autograd.grad(out[-1], x, create_graph=True)[0])
    return [float(o) for o in out]

# %% wrong="B.4.3a" why="copies of the blocks" breaks="gradients" says="the gradient did not arrive"
import copy

def forward_in_segments(blocks, X, k):
    n = len(blocks)
    for i in range(k):
        X = checkpoint(nn.Sequential(*copy.deepcopy(blocks[n * i // k:n * (i + 1) // k])), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="eval mode" breaks="output" says="in the mode (train or eval)"
def forward_in_segments(blocks, X, k):
    n = len(blocks)
    for i in range(k):
        X = checkpoint(nn.Sequential(*blocks[n * i // k:n * (i + 1) // k]).eval(), X, use_reentrant=False)
    return X

# %% right="B.4.3a" how="recursion over segments"
def forward_in_segments(blocks, X, k):
    if k == 0:
        return X
    size = round(len(blocks) / k)

    def part(v):
        for b in blocks[:size]:
            v = b(v)
        return v
    return forward_in_segments(blocks[size:], checkpoint(part, X, use_reentrant=False), k - 1)

# %% right="B.4.3b" how="setup_context"
class R(torch.autograd.Function):

    @staticmethod
    def forward(block, state, X, *ps):
        return block(X)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.block, ctx.state, X, *ps = inputs
        ctx.save_for_backward(X, *ps)

    @staticmethod
    def backward(ctx, above):
        X, *ps = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            s = X.detach().requires_grad_()
            out = ctx.block(s)
        return (None, None, *torch.autograd.grad(out, [s, *ps], above))

def recompute(block, X):
    return R.apply(block, torch.get_rng_state(), X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.4" why="the divisor L is left out" breaks="least" says="no divisor of 7 needs fewer bytes"
def best_segments(L, a, s):
    need, k = min((k * a + L // k * s, k) for k in range(1, max(2, L)) if L % k == 0)
    return k, need

# %% wrong="B.4.4" why="a and s exchanged" breaks="least" says="have they been exchanged"
def best_segments(L, a, s):
    need, k = min((k * s + L // k * a, k) for k in range(1, L + 1) if L % k == 0)
    return k, need

# %% wrong="B.4.4" why="the bytes first" breaks="least" says="k stands first"
def best_segments(L, a, s):
    return min((k * a + L // k * s, k) for k in range(1, L + 1) if L % k == 0)

# %% wrong="B.4.3b" why="the caller's X is made to require a gradient" breaks="without a gradient of X" says="X.requires_grad_() changes the caller's tensor"
class Second(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *weights):
        ctx.block, ctx.dice = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.dice)
            start = X.requires_grad_()
            out = ctx.block(start)
        weights = [p for p in ctx.block.parameters() if p.requires_grad]
        return None, *torch.autograd.grad(out, [start, *weights], above)


def recompute(block, X):
    return Second.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.A" why="Linears first, then the ReLUs" breaks="bytes" says="all the Linears first"
def output_bytes(widths, n):
    linear = [4 * n * w for w in widths[1:]]
    return linear + linear[:-1]

# %% wrong="B.4.A" why="the inputs of the layers" breaks="bytes" says="the inputs of the layers"
def output_bytes(widths, n):
    sizes = [4 * n * widths[0]]
    for w in widths[1:-1]:
        sizes += [4 * n * w] * 2
    return sizes

# %% wrong="B.4.A" why="bytes of the weights" breaks="bytes" says="the weights and biases"
def output_bytes(widths, n):
    sizes = []
    for a, b in itertools.pairwise(widths):
        sizes += [4 * (a * b + b)] * 2
    return sizes[:-1]

# %% wrong="B.4.A" why="bits instead of bytes" breaks="bytes" says="These are bits"
def output_bytes(widths, n):
    return [32 * n * w for w in widths[1:] for i in range(2)][:-1]

# %% wrong="B.4.A" why="ReLU counted as a mask of one byte" breaks="bytes" says="ReLU writes float32, too"
def output_bytes(widths, n):
    return [size * n * w for w in widths[1:] for size in (4, 1)][:-1]

# %% wrong="B.4.1a" why="peak of training instead of kept" breaks="training" says="This is the peak on the way"
def forward_bytes(widths, n):
    net = deep_mlp(widths, 0)
    X, Y = torch.zeros(n, widths[0]), torch.zeros(n, widths[-1])
    training = measure(lambda: mean_square(net, X, Y))[0]
    with torch.no_grad():
        prediction = measure(lambda: net(X))[0]
    return {"training": training, "prediction": prediction}

# %% wrong="B.4.1a" why="prediction measured without no_grad" breaks="prediction" says="a pass that builds a graph"
def forward_bytes(widths, n):
    net = deep_mlp(widths, 0)
    X = torch.zeros(n, widths[0])
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": measure(lambda: net(X))[0]}

# %% wrong="B.4.1a" why="what prediction keeps at the end" breaks="prediction" says="what is left at the end"
def forward_bytes(widths, n):
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * widths[-1]}

# %% wrong="B.4.1a" why="the gradients are counted" breaks="training" says="There are no gradients yet"
def forward_bytes(widths, n):
    outs = [w for w in widths[1:] for _ in range(2)][:-1]
    grads = sum(a * b + b for a, b in itertools.pairwise(widths))
    return {"training": 4 * (n * sum(widths[1:]) + 1 + grads), "prediction": 4 * n * max(a + b for a, b in zip([0] + outs, outs))}

# %% wrong="B.4.1a" why="a loss for each example" breaks="training" says="one number, not one for each"
def forward_bytes(widths, n):
    outs = [w for w in widths[1:] for _ in range(2)][:-1]
    return {"training": 4 * (n * sum(widths[1:]) + n), "prediction": 4 * n * max(a + b for a, b in zip([0] + outs, outs))}

# %% wrong="B.4.1a" why="squares kept as well" breaks="training" says="nor their squares"
def forward_bytes(widths, n):
    outs = [w for w in widths[1:] for _ in range(2)][:-1]
    return {"training": 4 * (n * (sum(widths[1:]) + widths[-1]) + 1), "prediction": 4 * n * max(a + b for a, b in zip([0] + outs, outs))}

# %% wrong="B.4.1a" why="three neighbours alive" breaks="prediction" says="not three"
def forward_bytes(widths, n):
    outs = [0] + [w for w in widths[1:] for _ in range(2)][:-1]
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * max(sum(outs[i:i + 3]) for i in range(len(outs)))}

# %% right="B.4.B" how="with input shapes, summed"
def times_run(f, name):
    p = profile(activities=[ProfilerActivity.CPU], record_shapes=True)
    p.start()
    f()
    p.stop()
    return sum(e.count for e in p.key_averages(group_by_input_shape=True) if e.key == name)

# %% wrong="B.4.B" why="first entry that starts with the name" breaks="never run" says="only longer ones"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    for e in p.key_averages():
        if e.key.startswith(name):
            return e.count
    return 0

# %% wrong="B.4.B" why="f called before the profile opens" breaks="count" says="but not under a profile"
def times_run(f, name):
    result = f()
    with profile(activities=[ProfilerActivity.CPU]) as p:
        result
    return sum(e.count for e in p.key_averages() if e.key == name)

# %% wrong="B.4.1b" why="results in a list" breaks="nothing held" says="a variable or a list"
def stage_bytes(stages):
    results = []
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, f in stages.items():
            with record_function(name):
                results.append(f())
    return {e.key: e.cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.1b" why="own bytes taken from the total" breaks="bytes" says="has a negative number, not 0"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        for name, f in stages.items():
            with record_function(name):
                f()
    return {e.key: e.cpu_memory_usage - e.self_cpu_memory_usage for e in p.key_averages() if e.key in stages}

# %% wrong="B.4.C" why="the whole graph below" breaks="names" says="one step down"
def names_below(y):
    names, todo = [], [y.grad_fn]
    while todo:
        node = todo.pop(0)
        for one, _ in getattr(node, "next_functions", ()):
            if one is not None:
                names.append(one.name())
                todo.append(one)
    return names

# %% wrong="B.4.C" why="str of the node" breaks="names" says="not its str()"
def names_below(y):
    return [str(node) for node, _ in y.grad_fn.next_functions if node is not None] if y.grad_fn else []

# %% wrong="B.4.C" why="leaves left out" breaks="names" says="is a node as well"
def names_below(y):
    if y.grad_fn is None:
        return []
    return [node.name() for node, _ in y.grad_fn.next_functions if node is not None and "Accumulate" not in node.name()]

# %% right="B.4.2a" how="functional.jacobian with a graph"
def derivatives(f, x, k):
    found = [f]
    for i in range(k):
        found.append(lambda z, g=found[-1]: torch.autograd.functional.jacobian(g, z, create_graph=True))
    return [g(x) for g in found]

# %% right="B.4.2a" how="backward with the old gradient put aside"
def derivatives(f, x, k):
    old, values = x.grad, [f(x)]
    for i in range(k):
        x.grad = None
        values[-1].backward(create_graph=True, inputs=[x])
        values.append(x.grad)
    x.grad = old
    return tuple(values)

# %% wrong="B.4.2a" why="always float64" breaks="values" says="no .double()"
def derivatives(f, x, k):
    z = x.double()
    values = [f(z)]
    for i in range(k):
        values += torch.autograd.grad(values[-1], z, create_graph=True)
    return values

# %% wrong="B.4.2a" why="tuples in the list" breaks="k + 1 tensors" says="not tuples"
def derivatives(f, x, k):
    values = [f(x)]
    y = values[0]
    for i in range(k):
        g = torch.autograd.grad(y, x, create_graph=True)
        values.append(g)
        y = g[0]
    return values

# %% right="B.4.2b" how="recursion with a raised limit"
def graph_nodes(y):
    import sys
    seen = set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        for below, _ in node.next_functions:
            visit(below)

    old = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        visit(y.grad_fn)
    finally:
        sys.setrecursionlimit(old)
    return len(seen)

# %% wrong="B.4.2b" why="counted once, but walked from again" breaks="each once" says="is not walked from again"
def graph_nodes(y):
    seen, todo = set(), [y.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None:
            seen.add(node)
            todo += [below for below, _ in node.next_functions]
    return len(seen)

# %% wrong="B.4.2b" why="arrows counted" breaks="each once" says="These are the arrows"
def graph_nodes(y):
    seen, todo, arrows = set(), [y.grad_fn], 0
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            below = [one for one, _ in node.next_functions if one is not None]
            arrows += len(below)
            todo += below
    return arrows

# %% wrong="B.4.2b" why="only the nodes below, not its own" breaks="leaves and None" says="y's own node counts"
def graph_nodes(y):
    seen, todo = set(), [y.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [below for below, _ in node.next_functions]
    return max(len(seen) - 1, 0)

# %% wrong="B.4.2b" why="all leaves as one" breaks="leaves and None" says="an AccumulateGrad of its own"
def graph_nodes(y):
    seen, todo, leaf = set(), [y.grad_fn], 0
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        if "AccumulateGrad" in node.name():
            leaf = 1
        else:
            seen.add(node)
            todo += [below for below, _ in node.next_functions]
    return len(seen) + leaf

# %% wrong="B.4.D" why="the older way of torch" breaks="checkpoint" says="Write use_reentrant=False"
def kept_bytes(block, make_input):
    return measure(lambda: block(make_input()))[1], measure(lambda: checkpoint(block, make_input(), use_reentrant=True))[1]

# %% wrong="B.4.D" why="the result is thrown away inside" breaks="plain" says="does not return the result"
def kept_bytes(block, make_input):
    def plain():
        block(make_input())

    def saving():
        checkpoint(block, make_input(), use_reentrant=False)
    return measure(plain)[1], measure(saving)[1]

# %% right="B.4.3a" how="recursion from behind, the blocks as arguments"
def forward_in_segments(blocks, X, k):
    if k == 0:
        return X
    cut = len(blocks) - len(blocks) // k
    X = forward_in_segments(blocks[:cut], X, k - 1)
    return checkpoint(lambda value, *parts: [value := part(value) for part in parts][-1], X, *blocks[cut:], use_reentrant=False)

# %% wrong="B.4.3a" why="the list is turned round" breaks="list kept" says="nor reverse"
def forward_in_segments(blocks, X, k):
    blocks.reverse()
    left = list(blocks)
    for i in range(k, 0, -1):
        length = len(left) // i
        X = checkpoint(nn.Sequential(*[left.pop() for j in range(length)]), X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="the list's blocks are replaced by the segments" breaks="list kept" says="assignment to its entries"
def forward_in_segments(blocks, X, k):
    borders = [len(blocks) * i // k for i in range(k + 1)]
    parts = [nn.Sequential(*blocks[a:b]) for a, b in itertools.pairwise(borders)]
    blocks[:] = parts + [nn.Identity()] * (len(blocks) - k)
    for part in parts:
        X = checkpoint(part, X, use_reentrant=False)
    return X

# %% wrong="B.4.3a" why="X gets a gradient that it does not require" breaks="gradients" says="changes the caller's tensor"
def forward_in_segments(blocks, X, k):
    X.requires_grad_()
    borders = [len(blocks) * i // k for i in range(k + 1)]
    for start, end in itertools.pairwise(borders):
        X = checkpoint(nn.Sequential(*blocks[start:end]), X, use_reentrant=False)
    return X

# %% right="B.4.4" how="divisors in pairs, neighbours of the real minimum"
def best_segments(L, a, s):
    divisors = sorted({d for k in range(1, int(L ** 0.5) + 1) if L % k == 0 for d in (k, L // k)})
    real = (L * s / a) ** 0.5
    low = max([d for d in divisors if d <= real], default=divisors[0])
    high = min([d for d in divisors if d >= real], default=divisors[-1])
    pairs = [(d, d * a + L // d * s) for d in (low, high)]
    return pairs[0] if pairs[0][1] <= pairs[1][1] else pairs[1]

# %% wrong="B.4.4" why="divisors only up to the root of L" breaks="least" says="Divisors above the square root of L count, too"
def best_segments(L, a, s):
    k = min((k for k in range(1, int(L ** 0.5) + 1) if L % k == 0), key=lambda k: k * a + L // k * s)
    return k, k * a + L // k * s

# %% wrong="B.4.4" why="2 sqrt(L a s) as bytes" breaks="bytes" says="divides L"
def best_segments(L, a, s):
    k = min((k for k in range(1, L + 1) if L % k == 0), key=lambda k: k * a + L // k * s)
    return k, 2 * (L * a * s) ** 0.5

# %% wrong="B.4.4" why="each block of a segment also has its input" breaks="bytes" says="with s alone"
def best_segments(L, a, s):
    k = min((k for k in range(1, L + 1) if L % k == 0), key=lambda k: k * a + L // k * (a + s))
    return k, k * a + L // k * (a + s)

# %% wrong="B.4.5" why="batch without the second seed" breaks="pass" says="directly before the torch.randn"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def one_pass(k):
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one_pass(k))[0]
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            one_pass(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="network always with seed 0" breaks="pass" says="The network is tower"
def run(config):
    net = tower(config["blocks"], config["width"], 0)
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def one_pass(k):
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one_pass(k))[0]
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            one_pass(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="the batch requires a gradient" breaks="pass" says="The batch needs no gradient"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"], requires_grad=True)
    def one_pass(k):
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one_pass(k))[0]
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            one_pass(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="five rounds whatever config says" breaks="turns" says="is the number of rounds"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def one_pass(k):
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one_pass(k))[0]
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(5):
        for row in rows:
            t = time.perf_counter()
            one_pass(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="only backward calls counted" breaks="calls" says="on the way forward count, too"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def forward(k):
        return net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)
    rows = []
    for k in config["segments"]:
        net.zero_grad()
        peak = measure(lambda: forward(k).sum().backward())[0]
        calls = []
        loss = forward(k).sum()
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        loss.backward()
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            forward(row["segments"]).sum().backward()
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="own segments, the last one checkpointed too" breaks="calls" says="leaves the last segment plain"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def one_pass(k):
        value = X
        if k == 0:
            value = net(X)
        else:
            borders = [len(net) * i // k for i in range(k + 1)]
            for a, b in itertools.pairwise(borders):
                value = checkpoint(net[a:b], value, use_reentrant=False)
        value.sum().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one_pass(k))[0]
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            one_pass(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% wrong="B.4.5" why="back from the mean" breaks="pass" says="not from its mean"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def one_pass(k):
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).mean().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hooks = [b.register_forward_pre_hook(lambda m, a: calls.append(m)) for b in net]
        net.zero_grad()
        peak = measure(lambda: one_pass(k))[0]
        for h in hooks:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            one_pass(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - t)
    return rows

# %% right="B.4.3b" how="vjp of a functional call, class inside the function"
def recompute(block, X):
    names = [name for name, p in block.named_parameters() if p.requires_grad]
    state = torch.get_rng_state()

    class Vjp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, X, *parameters):
            ctx.save_for_backward(X, *parameters)
            return block(X)

        @staticmethod
        def backward(ctx, above):
            X, *parameters = ctx.saved_tensors
            with torch.random.fork_rng():
                torch.set_rng_state(state)
                _, pull = torch.func.vjp(lambda x, *ps: torch.func.functional_call(block, dict(zip(names, ps)), (x,)), X.detach(), *[p.detach() for p in parameters])
            return pull(above)

    return Vjp.apply(X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.3b" why="forward forks the generator too" breaks="stream" says="puts no state back"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters, ctx.state = block, parameters, torch.get_rng_state()
        ctx.save_for_backward(X)
        with torch.random.fork_rng():
            return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.enable_grad(), torch.random.fork_rng():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        return None, *torch.autograd.grad(out, [start, *ctx.parameters], above)


def recompute(block, X):
    return Again.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.3b" why="second run in eval" breaks="same dice" says="in the same mode"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters = block, parameters
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        ctx.block.eval()
        with torch.enable_grad():
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        ctx.block.train()
        return None, *torch.autograd.grad(out, [start, *ctx.parameters], above)


def recompute(block, X):
    return Again.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.3b" why="the state is of the whole class" breaks="same dice" says="dropout 0.5"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters = block, parameters
        Again.state = torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.enable_grad(), torch.random.fork_rng():
            torch.set_rng_state(Again.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        return None, *torch.autograd.grad(out, [start, *ctx.parameters], above)


def recompute(block, X):
    return Again.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% wrong="B.4.B" why="counts what reaches a dispatch mode, without the profiler" breaks="count" says="Ask the profiler"
class Counter(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.name())
        return func(*args, **(kwargs or {}))


def times_run(f, name):
    with Counter() as counter:
        f()
    return [one.split(".")[0] for one in counter.names].count(name)

# %% right="B.4.5" how="torch.autograd.backward, a warm-up round before the rounds, time.time"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])

    def work(k):
        if k:
            total_sum = checkpoint_sequential(net, k, X, use_reentrant=False).sum()
        else:
            total_sum = net(X).sum()
        torch.autograd.backward(total_sum)

    peaks, calls = [], []
    for k in config["segments"]:
        net.zero_grad(set_to_none=True)
        peaks.append(measure(lambda: work(k))[0])
    for k in config["segments"]:
        count = []
        hooks = [b.register_forward_pre_hook(lambda *a: count.append(0)) for b in net]
        work(k)
        [h.remove() for h in hooks]
        calls.append(len(count))
    for k in config["segments"]:
        work(k)
    seconds = []
    for r in range(config["rounds"]):
        line = []
        for k in config["segments"]:
            start = time.time()
            work(k)
            line.append(time.time() - start)
        seconds.append(line)
    return [{"segments": k, "peak": p, "calls": c, "seconds": min(column)} for k, p, c, *column in zip(config["segments"], peaks, calls, *seconds)]

# %% right="B.4.5" how="ones as the gradient, nanoseconds, a new network for each pass"
from time import perf_counter_ns

def run(config):
    def make():
        net = tower(config["blocks"], config["width"], config["seed"])
        torch.manual_seed(config["seed"])
        return net, torch.randn(config["examples"], config["width"])

    def work(k, net, X):
        out = checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)
        out.backward(torch.ones_like(out))

    rows = []
    for k in config["segments"]:
        net, X = make()
        rows.append({"segments": k, "peak": measure(lambda: work(k, net, X))[0]})
    for row in rows:
        net, X = make()
        n = 0
        def tick(m, a):
            nonlocal n
            n += 1
        for b in net:
            b.register_forward_pre_hook(tick)
        work(row["segments"], net, X)
        row["calls"] = n
    best = [10 ** 18] * len(rows)
    for r in range(config["rounds"]):
        for i, row in enumerate(rows):
            net, X = make()
            t = perf_counter_ns()
            work(row["segments"], net, X)
            best[i] = min(best[i], perf_counter_ns() - t)
    for row, b in zip(rows, best):
        row["seconds"] = b * 1e-9
    return rows

# %% wrong="B.4.5" why="an optimizer step after each pass" breaks="pass" says="nothing changes the weights"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    sgd = torch.optim.SGD(net.parameters(), 0.1)

    def work(k):
        (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward()

    rows = []
    for k in config["segments"]:
        count = []
        hooks = [b.register_forward_pre_hook(lambda *a: count.append(0)) for b in net]
        net.zero_grad()
        peak = measure(lambda: work(k))[0]
        [h.remove() for h in hooks]
        rows.append({"segments": k, "peak": peak, "calls": len(count), "seconds": 1e9})
    for r in range(config["rounds"]):
        for row in rows:
            sgd.zero_grad()
            start = time.perf_counter()
            work(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
            sgd.step()
    return rows

# %% wrong="B.4.3b" why="X is not detached: the second run leads into the caller's graph" breaks="gradients" says="a leaf of its own"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters, ctx.state, ctx.X = block, parameters, torch.get_rng_state(), X
        return block(X)

    @staticmethod
    def backward(ctx, above):
        with torch.enable_grad(), torch.random.fork_rng():
            torch.set_rng_state(ctx.state)
            out = ctx.block(ctx.X)
        out.backward(above)
        return None, None, *[None for p in ctx.parameters]


def recompute(block, X):
    return Again.apply(block, X, *[p for p in block.parameters() if p.requires_grad])

# %% right="B.4.2b" how="a stack of iterators"
def graph_nodes(y):
    if not y.requires_grad or y.is_leaf:
        return 0
    stack, seen = [iter([(y.grad_fn, 0)])], set()
    while stack:
        pair = next(stack[-1], None)
        if pair is None:
            stack.pop()
        elif pair[0] is not None and pair[0] not in seen:
            seen.add(pair[0])
            stack.append(iter(pair[0].next_functions))
    return len(seen)

# %% wrong="B.4.A" why="always the first example's numbers" breaks="layers" says="Two for each hidden width"
def output_bytes(widths, n):
    return [12800, 12800, 2560]

# %% wrong="B.4.A" why="ReLU in place" breaks="bytes" says="ReLU writes into new memory"
def output_bytes(widths, n):
    out = []
    for w in widths[1:-1]:
        out += [4 * n * w, 0]
    return out + [4 * n * widths[-1]]

# %% wrong="B.4.A" why="backwards" breaks="bytes" says="this is the list backwards"
def output_bytes(widths, n):
    return [4 * n * w for w in widths[1:] for i in range(2)][:-1][::-1]

# %% wrong="B.4.B" why="the first of an empty list" breaks="never run" says="that is 0 runs"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    return [e.count for e in p.key_averages() if e.key == name][0]

# %% wrong="B.4.B" why="bytes in place of runs" breaks="count" says="the bytes that it took"
def times_run(f, name):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        f()
    return sum(e.cpu_memory_usage for e in p.key_averages() if e.key == name)

# %% wrong="B.4.C" why="None has no name" breaks="None left out" says="An entry of next_functions may be None"
def names_below(y):
    return [node.name() for node, _ in y.grad_fn.next_functions] if y.grad_fn else []

# %% wrong="B.4.C" why="nothing for a leaf" breaks="no graph" says="the list is empty"
def names_below(y):
    if y.grad_fn:
        return [node.name() for node, _ in y.grad_fn.next_functions if node is not None]

# %% wrong="B.4.2a" why="stacked into one tensor" breaks="k + 1 tensors" says="not stacked into one"
def derivatives(f, x, k):
    out = [f(x)]
    for i in range(k):
        g, = torch.autograd.grad(out[-1], x, create_graph=True)
        out.append(g)
    return torch.stack(out)

# %% wrong="B.4.2b" why="None has no inputs" breaks="no graph" says="which is no node"
def graph_nodes(y):
    seen, todo = {y.grad_fn}, [y.grad_fn]
    while todo:
        for n, _ in todo.pop().next_functions:
            if n is not None and n not in seen:
                seen.add(n)
                todo.append(n)
    return len(seen)

# %% wrong="B.4.2b" why="three levels only" breaks="all inputs" says="go on until no node is left to visit"
def graph_nodes(y):
    seen = set()
    level = [y.grad_fn] if y.grad_fn else []
    for depth in range(3):
        seen.update(level)
        level = [n for node in level for n, _ in node.next_functions if n is not None]
    return len(seen)

# %% wrong="B.4.3a" why="every k-th block together" breaks="output" says="in another order than that of the list"
def forward_in_segments(blocks, X, k):
    for i in range(k):
        X = checkpoint(nn.Sequential(*blocks[i::k]), X, use_reentrant=False)
    return X

# %% wrong="B.4.4" why="a single segment is left out" breaks="least" says="Here k = 1 needs 14"
def best_segments(L, a, s):
    k = min((d for d in range(2, L + 1) if L % d == 0), key=lambda k: k * a + L // k * s, default=1)
    return k, k * a + L // k * s

# %% wrong="B.4.3b" why="the sum of the second run" breaks="gradients" says="begins with ones here"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *params):
        ctx.block, ctx.params, ctx.state = block, params, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        need = [p for p in ctx.params if p.requires_grad]
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            found = list(torch.autograd.grad(ctx.block(start).sum(), [start, *need]))
        dX = found.pop(0)
        return None, dX, *[found.pop(0) if p.requires_grad else None for p in ctx.params]

def recompute(block, X):
    return Again.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="asks for the gradients of frozen parameters, too" breaks="gradients" says="leave the frozen parameters out"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *params):
        ctx.block, ctx.params, ctx.state = block, params, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            return None, *torch.autograd.grad(ctx.block(start), [start, *ctx.params], above)

def recompute(block, X):
    return Again.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="the second run is not recorded" breaks="gradients" says="under torch.enable_grad()"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *params):
        ctx.block, ctx.params, ctx.state = block, params, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        need = [p for p in ctx.params if p.requires_grad]
        with torch.random.fork_rng():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            found = list(torch.autograd.grad(ctx.block(start), [start, *need], above))
        dX = found.pop(0)
        return None, dX, *[found.pop(0) if p.requires_grad else None for p in ctx.params]

def recompute(block, X):
    return Again.apply(block, X, *block.parameters())

# %% wrong="B.4.5" why="the last round" breaks="seconds" says="This is the last round"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def go(k):
        (checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)).sum().backward()
    rows = []
    for k in config["segments"]:
        calls = []
        hs = [b.register_forward_pre_hook(lambda m, a: calls.append(1)) for b in net]
        net.zero_grad()
        peak = measure(lambda: go(k))[0]
        for h in hs:
            h.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for r in range(config["rounds"]):
        for row in rows:
            t = time.perf_counter()
            go(row["segments"])
            row["seconds"] = time.perf_counter() - t
    return rows

# %% wrong="B.4.D" why="the checkpoint's result is thrown away" breaks="checkpoint" says="does not return the result"
def kept_bytes(block, make_input):
    def cheap():
        checkpoint(block, make_input(), use_reentrant=False)
    return measure(lambda: block(make_input()))[1], measure(cheap)[1]

# %% wrong="B.4.2a" why="x.grad is cleared first" breaks="x.grad kept" says="an assignment clears it"
def derivatives(f, x, k):
    x.grad = None
    out = [f(x)]
    for i in range(k):
        out.append(torch.autograd.grad(out[-1], x, create_graph=True)[0])
    return out

# %% right="B.4.2a" how="nested torch.func.grad"
def derivatives(f, x, k):
    out = []
    for i in range(k + 1):
        out.append(f(x))
        f = torch.func.grad(f)
    return out

# %% right="B.4.3b" how="setup_context, the state handed in"
class Later(torch.autograd.Function):
    @staticmethod
    def forward(block, state, X, *params):
        return block(X)
    @staticmethod
    def setup_context(ctx, inputs, output):
        block, state, X, *params = inputs
        ctx.block, ctx.state = block, state
        ctx.save_for_backward(X, *params)
    @staticmethod
    def backward(ctx, above):
        X, *params = ctx.saved_tensors
        asked = [i for i, p in enumerate(params) if p.requires_grad]
        with torch.random.fork_rng():
            torch.set_rng_state(ctx.state)
            with torch.enable_grad():
                leaf = X.detach().requires_grad_()
                out = ctx.block(leaf)
        mine = list(ctx.block.parameters())
        found = torch.autograd.grad(out, [leaf] + [mine[i] for i in asked], above)
        rest = [None] * len(params)
        for i, g in zip(asked, found[1:]):
            rest[i] = g
        return None, None, found[0], *rest

def recompute(block, X):
    return Later.apply(block, torch.get_rng_state(), X, *block.parameters())

# %% wrong="B.4.A" why="inputs times outputs" breaks="bytes" says="the number of a layer's weights"
def output_bytes(widths, n):
    return [4 * n * a * b for a, b in itertools.pairwise(widths) for _ in range(2)][:-1]

# %% wrong="B.4.A" why="the first width among the hidden ones" breaks="layers" says="which no layer writes"
def output_bytes(widths, n):
    return [4 * n * w for w in widths[:-1] for _ in range(2)] + [4 * n * widths[-1]]

# %% wrong="B.4.1a" why="the widest hidden layer alone is kept" breaks="training" says="not of one hidden layer alone"
def forward_bytes(widths, n):
    outputs = [w for w in widths[1:] for _ in range(2)][:-1]
    return {"training": 4 * n * (max(widths[1:-1], default=0) + widths[-1]) + 4, "prediction": 4 * n * max([a + b for a, b in zip(outputs, outputs[1:])] or outputs)}

# %% wrong="B.4.1a" why="fails for two widths" breaks="prediction" says="Two widths make a single Linear"
def forward_bytes(widths, n):
    outputs = [w for w in widths[1:] for _ in range(2)][:-1]
    return {"training": 4 * n * sum(widths[1:]) + 4, "prediction": 4 * n * max(a + b for a, b in zip(outputs, outputs[1:]))}

# %% wrong="B.4.1b" why="a stage without its brackets" breaks="once, in order" says="`stage()` calls it"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        for name, stage in stages.items():
            with record_function(name):
                stage
    return {e.key: e.cpu_memory_usage for e in profiler.key_averages() if e.key in stages}

# %% wrong="B.4.2a" why="the first derivative again in place of the second" breaks="values" says="Entries 0 to 1 are right, entry 2 is not"
def derivatives(f, x, k):
    found = [f(x)]
    for i in range(1, k + 1):
        y = f(x)
        for _ in range(max(1, i - 1)):
            y, = torch.autograd.grad(y, x, create_graph=True)
        found.append(y)
    return found

# %% wrong="B.4.D" why="the sum of the result" breaks="plain" says="not its sum or its mean"
def kept_bytes(block, make_input):
    return measure(lambda: block(make_input()).sum())[1], measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[1]

# %% wrong="B.4.D" why="with the way back" breaks="plain" says="without backward()"
def kept_bytes(block, make_input):
    return measure(lambda: block(make_input()).sum().backward())[1], measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[1]

# %% wrong="B.4.C" why="the order turned round" breaks="None left out" says="here they are turned round"
def names_below(y):
    return [] if y.grad_fn is None else [node.name() for node, _ in reversed(y.grad_fn.next_functions) if node is not None]

# %% wrong="B.4.4" why="one input fewer" breaks="bytes" says="4 inputs of 1 each"
def best_segments(L, a, s):
    k = min((k for k in range(1, L + 1) if L % k == 0), key=lambda k: k * a + L // k * s)
    return k, (k - 1) * a + L // k * s

# %% wrong="B.4.A" why="one number more for the bias" breaks="bytes" says="adds no number to an output"
def output_bytes(widths, n):
    return [4 * n * (w + 1) for w in widths[1:] for i in range(2)][:-1]

# %% wrong="B.4.1a" why="the output kept beside the differences, the loss forgotten" breaks="training" says="that is 2 · 216 and 0 more"
def forward_bytes(widths, n):
    outs = [n * w * 4 for w in widths[1:] for i in range(2)][:-1]
    return {"training": 4 * n * (sum(widths[1:-1]) + 2 * widths[-1]), "prediction": max([a + b for a, b in zip(outs, outs[1:])] or [outs[0]])}

# %% wrong="B.4.D" why="measure gets the result in place of a function" breaks="plain" says="measure(f) calls f() itself"
def kept_bytes(block, make_input):
    return measure(block(make_input()))[1], measure(checkpoint(block, make_input(), use_reentrant=False))[1]

# %% wrong="B.4.D" why="a second result is held beside the first" breaks="plain" says="yours is 9 of them"
def kept_bytes(block, make_input):
    def plain():
        X = make_input()
        return X, block(X), block(X)
    return measure(plain)[1], measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[1]

# %% wrong="B.4.5" why="the hook on the network" breaks="calls" says="The network starts once"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])
    def go(k):
        out = checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)
        out.sum().backward()
    rows, starts = [], []
    handle = net.register_forward_pre_hook(lambda module, args: starts.append(1))
    for k in config["segments"]:
        starts.clear()
        net.zero_grad()
        peak = measure(lambda: go(k))[0]
        rows.append({"segments": k, "peak": peak, "calls": len(starts), "seconds": float("inf")})
    handle.remove()
    for i in range(config["rounds"]):
        for row in rows:
            start = time.perf_counter()
            go(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows

# %% wrong="B.4.3b" why="what is made of the second result is not recorded" breaks="gradients" says="what is made of its result has none"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters, ctx.state = block, parameters, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        wanted = [p for p in ctx.parameters if p.requires_grad]
        grads = iter(torch.autograd.grad(out.mean(), [start, *wanted]))
        first = next(grads) * above
        return None, first, *[next(grads) if p.requires_grad else None for p in ctx.parameters]
def recompute(block, X):
    return Again.apply(block, X, *block.parameters())

# %% right="B.4.3b" how="a class inside, the state put back by hand, only what is trained handed in"
def recompute(block, X):
    trained = [p for p in block.parameters() if p.requires_grad]

    class Second(torch.autograd.Function):
        @staticmethod
        def forward(ctx, X, *parameters):
            ctx.before = torch.get_rng_state()
            ctx.save_for_backward(X)
            with torch.no_grad():
                return block(X)

        @staticmethod
        def backward(ctx, above):
            now = torch.get_rng_state()
            torch.set_rng_state(ctx.before)
            start = ctx.saved_tensors[0].detach().requires_grad_(ctx.needs_input_grad[0])
            with torch.enable_grad():
                out = (block(start) * above).sum()
            torch.set_rng_state(now)
            leaves = [start] * ctx.needs_input_grad[0] + trained
            grads = torch.autograd.grad(out, leaves)
            return grads if ctx.needs_input_grad[0] else (None, *grads)
    return Second.apply(X, *trained)

# %% wrong="B.4.1b" why="no stage has a name in the dictionary" breaks="names" says="None of the stages is there"
def stage_bytes(stages):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        with record_function("stages"):
            for name, stage in stages.items():
                stage()
    return {event.key: event.cpu_memory_usage for event in profiler.key_averages() if event.key in stages}

# %% wrong="B.4.2a" why="one derivative too many" breaks="k + 1 tensors" says="one derivative more"
def derivatives(f, x, k):
    found = [f(x)]
    for i in range(k + 1):
        found += torch.autograd.grad(found[-1], x, create_graph=True)
    return found

# %% wrong="B.4.D" why="both numbers of measure" breaks="plain" says="the second alone"
def kept_bytes(block, make_input):
    return measure(lambda: block(make_input())), measure(lambda: checkpoint(block, make_input(), use_reentrant=False))

# %% wrong="B.4.5" why="milliseconds" breaks="seconds" says="These are milliseconds"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn((config["examples"], config["width"]))
    ks, count = list(config["segments"]), [0]
    def one(k):
        for p in net.parameters():
            p.grad = None
        begin = time.perf_counter_ns()
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum().backward()
        return (time.perf_counter_ns() - begin) / 1e6
    peaks = [measure(lambda k=k: one(k))[0] for k in ks]
    def up(module, args):
        count[0] += 1
    handles, calls = [block.register_forward_pre_hook(up) for block in net], []
    for k in ks:
        count[0] = 0
        one(k)
        calls.append(count[0])
    for handle in handles:
        handle.remove()
    table = [[one(k) for k in ks] for _ in range(config["rounds"])]
    return [dict(segments=k, peak=p, calls=c, seconds=min(t)) for k, p, c, t in zip(ks, peaks, calls, zip(*table))]

# %% right="B.4.5" how="process_time_ns"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn((config["examples"], config["width"]))
    ks, count = list(config["segments"]), [0]
    def one(k):
        for p in net.parameters():
            p.grad = None
        begin = time.process_time_ns()
        (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum().backward()
        return (time.process_time_ns() - begin) / 1e9
    peaks = [measure(lambda k=k: one(k))[0] for k in ks]
    def up(module, args):
        count[0] += 1
    handles, calls = [block.register_forward_pre_hook(up) for block in net], []
    for k in ks:
        count[0] = 0
        one(k)
        calls.append(count[0])
    for handle in handles:
        handle.remove()
    table = [[one(k) for k in ks] for _ in range(config["rounds"])]
    return [dict(segments=k, peak=p, calls=c, seconds=min(t)) for k, p, c, t in zip(ks, peaks, calls, zip(*table))]

# %% wrong="B.4.3b" why="backward returns nothing for the parameters" breaks="gradients" says="too many or too few"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters, ctx.state = block, parameters, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        wanted = [p for p in ctx.parameters if p.requires_grad]
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        grads = iter(torch.autograd.grad(out, [start, *wanted], above))
        first = next(grads)
        return None, first
def recompute(block, X):
    return Again.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="the parameters handed in as a list" breaks="gradients" says="one by one"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, parameters):
        ctx.block, ctx.parameters, ctx.state = block, parameters, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        wanted = [p for p in ctx.parameters if p.requires_grad]
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        grads = iter(torch.autograd.grad(out, [start, *wanted], above))
        first = next(grads)
        return None, first, [next(grads) if p.requires_grad else None for p in ctx.parameters]
def recompute(block, X):
    return Again.apply(block, X, list(block.parameters()))

# %% wrong="B.4.3b" why="backward returns the gradients in another order" breaks="gradients" says="the shape of another argument"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters, ctx.state = block, parameters, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        wanted = [p for p in ctx.parameters if p.requires_grad]
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        first, *others = torch.autograd.grad(out, [start, *wanted], above)
        grads = iter([first, *others[::-1]])
        first = next(grads)
        return None, first, *[next(grads) if p.requires_grad else None for p in ctx.parameters]
def recompute(block, X):
    return Again.apply(block, X, *block.parameters())

# %% wrong="B.4.3b" why="calls the class in place of its apply" breaks="output" says="its apply runs the forward"
class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.parameters, ctx.state = block, parameters, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        wanted = [p for p in ctx.parameters if p.requires_grad]
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        grads = iter(torch.autograd.grad(out, [start, *wanted], above))
        first = next(grads)
        return None, first, *[next(grads) if p.requires_grad else None for p in ctx.parameters]
def recompute(block, X):
    return Again(block, X, *block.parameters())

# %% wrong="B.4.A" why="bytes of the parameters of the Linear" breaks="bytes" says="For the Linears these are the weights and biases"
def output_bytes(widths, n):
    sizes = []
    for i, o in itertools.pairwise(widths):
        sizes += [4 * (i * o + o), 4 * n * o]
    return sizes[:-1]

# %% wrong="B.4.B" why="returns after the first entry" breaks="count" says="ends it at the first entry with another name"
def times_run(f, name):
    with quiet(), profile(activities=[ProfilerActivity.CPU]) as p:
        f()
    for e in p.key_averages():
        return e.count if e.key == name else 0

# %% wrong="B.4.C" why="set: twice read once named" breaks="names" says="each has its place in the list"
def names_below(y):
    if y.grad_fn is None:
        return []
    return list({node.name(): 0 for node, _ in y.grad_fn.next_functions if node is not None})


# %% wrong="B.4.A" why="a ReLU at the end, too" breaks="layers" says="no ReLU behind the last Linear."
def output_bytes(widths, n):
    return [4 * n * w for w in widths[1:] for layer in ("Linear", "ReLU")]


# %% wrong="B.4.B" why="f is called before the profile and its result only looked at" breaks="count" says="but not under a profile"
def times_run(f, name):
    result = f()
    with quiet(), profile(activities=[ProfilerActivity.CPU]) as watched:
        result
    return sum(event.count for event in watched.key_averages() if event.key == name)


# %% wrong="B.4.1b" why="profile_memory forgotten" breaks="bytes" says="without profile_memory=True"
def stage_bytes(stages):
    with quiet(), profile(activities=[ProfilerActivity.CPU]) as profiler:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {event.key: event.cpu_memory_usage for event in profiler.key_averages() if event.key in stages}


# %% wrong="B.4.C" why="the own node is in it" breaks="names" says="y's own node stands in the list"
def names_below(y):
    if y.grad_fn is None:
        return []
    return [y.grad_fn.name()] + [node.name() for node, _ in y.grad_fn.next_functions if node is not None]


# %% wrong="B.4.2a" why="a leaf of its own in float64, so that the graph does not lead to x" breaks="graph" says="f gets x itself, not a copy"
def derivatives(f, x, k):
    start = x.detach().double().requires_grad_()
    values = [f(start)]
    for _ in range(k):
        slope, = torch.autograd.grad(values[-1], start, create_graph=True)
        values.append(slope)
    return values


# %% wrong="B.4.D" why="the input is made inside of the checkpointed function" breaks="checkpoint" says="would be made anew on the way back"
def kept_bytes(block, make_input):
    return (measure(lambda: block(make_input()))[1], measure(lambda: checkpoint(lambda: block(make_input()), use_reentrant=False))[1])


# %% wrong="B.4.D" why="without gradients, as for a prediction" breaks="plain" says="gradients are switched off"
def kept_bytes(block, make_input):
    with torch.no_grad():
        return (measure(lambda: block(make_input()))[1], measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[1])


# %% wrong="B.4.5" why="the forward pass alone is timed" breaks="seconds" says="This is the forward pass alone"
def run(config):
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])

    def forward(k):
        return (net(X) if k == 0 else checkpoint_sequential(net, k, X, use_reentrant=False)).sum()
    rows, times = [], {k: [] for k in config["segments"]}
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda module, args: calls.append(1)) for block in net]
        forward(k).backward()
        for handle in handles:
            handle.remove()
        net.zero_grad()
        rows.append({"segments": k, "peak": measure(lambda: forward(k).backward())[0], "calls": len(calls)})
        net.zero_grad()
    for r in range(config["rounds"]):
        for k in config["segments"]:
            start = time.perf_counter()
            loss = forward(k)
            times[k].append(time.perf_counter() - start)
            loss.backward()
    for row in rows:
        row["seconds"] = min(times[row["segments"]])
    return rows


# %% right="B.4.B" how="single events"
def times_run(f, name):
    with quiet(), torch.profiler.profile(activities=[ProfilerActivity.CPU]) as watched:
        f()
    return len([event for event in watched.events() if event.name == name])


# %% right="B.4.3b" how="backward of the second run adds to .grad; the parameters are handed over only for the graph"
class Second(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X, *params):
        ctx.block, ctx.state, ctx.count = block, torch.get_rng_state(), len(params)
        ctx.save_for_backward(X)
        return block(X)
    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.enable_grad(), torch.random.fork_rng():
            torch.set_rng_state(ctx.state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        out.backward(above)
        return (None, start.grad, *[None] * ctx.count)
def recompute(block, X):
    return Second.apply(block, X, *[p for p in block.parameters() if p.requires_grad])
