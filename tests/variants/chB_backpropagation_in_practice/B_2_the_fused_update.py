# Variants of the answers of solutions/chB_backpropagation_in_practice/B_2_the_fused_update.py.

# %% right="B.2.1" how="runs each layer again on the way back"
def fused_by_hand(net, optimizers, X, Y):
    inputs = []
    with torch.no_grad():
        value = X
        for layer in net:
            inputs.append(value)
            value = layer(value)
    value.requires_grad_()
    loss = F.mse_loss(value, Y)
    passed = torch.autograd.grad(loss, value)[0]
    for i in reversed(range(len(net))):
        params = list(net[i].parameters())
        source = inputs.pop().detach().requires_grad_()
        passed, *gradients = torch.autograd.grad(net[i](source), [source, *params], passed)
        for p, g in zip(params, gradients):
            p.grad = g
        del gradients
        if params:
            optimizers[net[i]].step()
            optimizers[net[i]].zero_grad()
    return loss.item()

# %% right="B.2.1" how="a stack of pairs, autograd.grad"
def fused_by_hand(net, optimizers, X, Y):
    stack = []
    for layer in net:
        start = X.clone().requires_grad_(True)
        stack.append((layer, start, layer(start)))
        X = stack[-1][2].detach()
    X.requires_grad = True
    loss = F.mse_loss(X, Y)
    loss.backward()
    grad = X.grad
    while stack:
        layer, start, end = stack.pop()
        end.backward(grad)
        grad = start.grad
        del start, end
        if layer in optimizers:
            optimizers[layer].step()
        for p in layer.parameters():
            p.grad = None
    return loss.item()

# %% wrong="B.2.1" why="the whole backward pass first" breaks="one layer at a time" says="how many layers have gradients"
def fused_by_hand(net, optimizers, X, Y):
    loss = F.mse_loss(net(X), Y)
    loss.backward()
    for layer in reversed(net):
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="formulas through the new weights" breaks="parameters" says="through weights that were already updated"
def fused_by_hand(net, optimizers, X, Y):
    with torch.no_grad():
        values = [X]
        for layer in net:
            values.append(layer(values[-1]))
        prediction = values.pop()
        passed = 2 * (prediction - Y) / Y.numel()
        for layer in reversed(net):
            value = values.pop()
            if layer in optimizers:
                layer.weight.grad, layer.bias.grad = passed.T @ value, passed.sum(0)
                optimizers[layer].step()
                optimizers[layer].zero_grad()
                passed = passed @ layer.weight
            else:
                passed = passed * (value > 0)
        return F.mse_loss(prediction, Y).item()

# %% wrong="B.2.1" why="formulas, right up to rounding" breaks="same bits" says="in every bit"
def fused_by_hand(net, optimizers, X, Y):
    with torch.no_grad():
        values = [X]
        for layer in net:
            values.append(layer(values[-1]))
        prediction = values.pop()
        passed = 2 * (prediction - Y) / Y.numel()
        for layer in reversed(net):
            value = values.pop()
            if layer in optimizers:
                gradients = passed.T @ value, passed.sum(0)
                passed = passed @ layer.weight
                layer.weight.grad, layer.bias.grad = gradients
                optimizers[layer].step()
                optimizers[layer].zero_grad()
            else:
                passed = passed * (value > 0)
        return F.mse_loss(prediction, Y).item()

# %% wrong="B.2.1" why="gradients are not cleared" breaks="parameters" says="The gradients of earlier steps are still in it"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    for layer in net:
        inputs.append(X.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        X = outputs[-1]
    prediction = X.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
    return loss.item()

# %% wrong="B.2.1" why="a list of all gradients first" breaks="one layer at a time" says="Gradients that are kept in a list take memory"
def fused_by_hand(net, optimizers, X, Y):
    loss = F.mse_loss(net(X), Y)
    gradients = list(torch.autograd.grad(loss, list(net.parameters())))
    for layer in reversed(net):
        for p in reversed(list(layer.parameters())):
            p.grad = gradients.pop()
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="the graph is not cut" breaks="parameters" says="as a step() changes the weights"
def fused_by_hand(net, optimizers, X, Y):
    values = [X]
    for layer in net:
        values.append(layer(values[-1]))
    loss = F.mse_loss(values[-1], Y)
    for layer in reversed(net):
        if layer in optimizers:
            for p, g in zip(layer.parameters(), torch.autograd.grad(loss, list(layer.parameters()), retain_graph=True)):
                p.grad = g
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="returns the loss as a tensor" breaks="loss" says="what fused_by_hand returns"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    for layer in net:
        inputs.append(X.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        X = outputs[-1]
    prediction = X.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.detach()

# %% right="B.2.2" how="a default argument"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        def hook(p, optimizer=optimizer):
            optimizer.step()
            optimizer.zero_grad()
        handles.append(p.register_post_accumulate_grad_hook(hook))
    return handles

# %% right="B.2.2" how="a function that makes the hook"
def hook_for(optimizer):
    def step_and_free(parameter):
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return parameter
    return step_and_free

def attach(optimizers):
    return [p.register_post_accumulate_grad_hook(hook_for(o)) for p, o in optimizers.items()]

# %% wrong="B.2.2" why="the captured loop variable" breaks="steps" says="it looks the loop's variable up when it is called"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        def hook(p):
            optimizer.step()
            optimizer.zero_grad()
        handles.append(p.register_post_accumulate_grad_hook(hook))
    return handles

# %% wrong="B.2.2" why="a lambda that returns a tuple" breaks="steps" says="A hook has to return None"
def attach(optimizers):
    return [p.register_post_accumulate_grad_hook(lambda p: (optimizers[p].step(), optimizers[p].zero_grad())) for p in optimizers]

# %% wrong="B.2.2" why="a hook that returns a tensor" breaks="steps" says="Tensor post accumulate grad hooks should return None"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
        return p.detach()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="captured loop variable in a lambda, and a tuple" breaks="steps" says="A hook has to return None"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        handles.append(p.register_post_accumulate_grad_hook(lambda p: (optimizer.step(), optimizer.zero_grad())))  # noqa: B023
    return handles

# %% wrong="B.2.2" why="register_hook" breaks="same bits" says="each gradient is used a pass late"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        def hook(grad, optimizer=optimizer):
            optimizer.step()
            optimizer.zero_grad()
        handles.append(p.register_hook(hook))
    return handles

# %% wrong="B.2.2" why="zeros stay in .grad" breaks="freed" says="They are zeros, which take as much memory"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        optimizers[p].zero_grad(set_to_none=False)
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="gradients are never freed" breaks="same bits" says="The gradients of earlier steps are still in it"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="no handles" breaks="handles" says="handles"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    for p in optimizers:
        p.register_post_accumulate_grad_hook(hook)
    return []

# %% wrong="B.2.2" why="all step at the last gradient" breaks="freed" says="All gradients have arrived before an optimizer steps"
def attach(optimizers):
    arrived = []

    def hook(p):
        arrived.append(p)
        if len(arrived) == len(optimizers):
            for one in arrived:
                optimizers[one].step()
            for one in arrived:
                one.grad = None
            arrived.clear()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% right="B.2.3" how="p.data and a buffer of zeros"
def attach_sgd(net, lr, momentum=0.0):
    def hook_for(p):
        buffer = torch.zeros_like(p) if momentum else None

        def hook(p):
            if momentum:
                buffer.mul_(momentum)
                buffer.add_(p.grad)
                p.data -= lr * buffer
            else:
                p.data -= lr * p.grad
            p.grad = None
        return hook
    return [p.register_post_accumulate_grad_hook(hook_for(p)) for p in net.parameters() if p.requires_grad]

# %% right="B.2.3" how="state on the parameter"
def attach_sgd(net, lr, momentum=0.0):
    def hook(p):
        with torch.no_grad():
            p.buffer = p.grad if not momentum else momentum * getattr(p, "buffer", 0.) + p.grad
            p -= lr * p.buffer
            if not momentum:
                del p.buffer
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="no momentum" breaks="momentum" says="The momentum has no effect"
def attach_sgd(net, lr, momentum=0.0):
    @torch.no_grad()
    def hook(p):
        p.add_(p.grad, alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a damped average" breaks="rule" says="gradients enter with the factor 1, not 1 - momentum"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {p: torch.zeros_like(p) for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        buffers[p].lerp_(p.grad, 1 - momentum)
        p.add_(buffers[p], alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="damped after a full first step" breaks="momentum" says="all enter with 1"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        buffers[p] = momentum * buffers[p] + (1 - momentum) * p.grad if p in buffers else p.grad
        p.add_(buffers[p], alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="an optimizer for each parameter" breaks="no optimizer" says="without an optimizer"
def attach_sgd(net, lr, momentum=0.0):
    def hook_for(optimizer):
        def hook(p):
            optimizer.step()
            optimizer.zero_grad()
        return hook
    return [p.register_post_accumulate_grad_hook(hook_for(torch.optim.SGD([p], lr=lr, momentum=momentum)))
            for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a buffer by shape" breaks="momentum" says="has a buffer of its own"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        change = p.grad
        if momentum:
            change = buffers[p.shape] = momentum * buffers.get(p.shape, 0.) + p.grad
        p.add_(change, alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a new tensor instead of an update in place" breaks="rule" says="The parameters have not changed"
def attach_sgd(net, lr, momentum=0.0):
    @torch.no_grad()
    def hook(p):
        gradient, p.grad = p.grad, None
        p = p - lr * gradient
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="gradients are kept" breaks="freed" says="how many gradients are left"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        buffers[p] = momentum * buffers.get(p, 0.) + p.grad
        p.add_(buffers[p], alpha=-lr)
        p.grad.zero_()
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a lambda that returns the parameter's detached value" breaks="rule" says="A hook has to return None"
def attach_sgd(net, lr, momentum=0.0):
    return [p.register_post_accumulate_grad_hook(lambda p: p.data.sub_(lr * p.grad)) for p in net.parameters() if p.requires_grad]

# %% right="B.2.4" how="a class for each hook"
class OneAdam:
    def __init__(self, p, lr, betas, eps, decay):
        self.m, self.v, self.t = torch.zeros_like(p.data), torch.zeros_like(p.data), 0
        self.lr, self.betas, self.eps, self.decay = lr, betas, eps, decay

    def __call__(self, p):
        self.t += 1
        p.data -= self.lr * self.decay * p.data
        self.m = self.betas[0] * self.m + (1 - self.betas[0]) * p.grad
        self.v = self.betas[1] * self.v + (1 - self.betas[1]) * p.grad ** 2
        m, v = self.m / (1 - self.betas[0] ** self.t), self.v / (1 - self.betas[1] ** self.t)
        p.data -= self.lr * m / (v.sqrt() + self.eps)
        p.grad = None

def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    return [p.register_post_accumulate_grad_hook(OneAdam(p, lr, betas, eps, weight_decay)) for p in net.parameters() if p.requires_grad]

# %% right="B.2.4" how="torch's function, one parameter at a time"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    from torch.optim.adamw import adamw
    states = {p: [[torch.zeros_like(p)], [torch.zeros_like(p)], [], [torch.tensor(0.)]] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        adamw([p], [p.grad], *states[p], foreach=False, amsgrad=False, beta1=betas[0], beta2=betas[1], lr=lr,
              weight_decay=weight_decay, eps=eps, maximize=False)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="one count of steps for the network" breaks="own t" says="Each has its own t"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v = ({p: torch.zeros_like(p) for p in net.parameters() if p.requires_grad} for i in range(2))
    count = [0]
    order = [p for p in net.parameters() if p.requires_grad]

    @torch.no_grad()
    def update(p):
        count[0] += 1
        p.mul_(1 - lr * weight_decay)
        m[p].lerp_(p.grad, 1 - betas[0])
        v[p].lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m[p] / (1 - betas[0] ** count[0]) / ((v[p] / (1 - betas[1] ** count[0])).sqrt() + eps))
        p.grad = None

    def hook(p):
        if all(q.grad is not None for q in order):
            for q in order:
                update(q)
    return [p.register_post_accumulate_grad_hook(hook) for p in order]

# %% wrong="B.2.4" why="one count for the network, weights shrunk first" breaks="own t" says="Each has its own t"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v = {}, {}
    t = 0
    @torch.no_grad()
    def hook(p):
        nonlocal t
        t += 1
        p.mul_(1 - lr*weight_decay)
        m[p] = betas[0]*m.get(p, 0) + (1-betas[0])*p.grad
        v[p] = betas[1]*v.get(p, 0) + (1-betas[1])*p.grad**2
        p.sub_(lr * (m[p]/(1-betas[0]**t)) / ((v[p]/(1-betas[1]**t)).sqrt()+eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the weight decay comes last" breaks="weight decay" says="The weight shrinks before the step"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t[p] = t.get(p, 0) + 1
        m[p] = betas[0]*m.get(p, 0) + (1-betas[0])*p.grad
        v[p] = betas[1]*v.get(p, 0) + (1-betas[1])*p.grad**2
        p.sub_(lr * (m[p]/(1-betas[0]**t[p])) / ((v[p]/(1-betas[1]**t[p])).sqrt()+eps))
        p.mul_(1 - lr*weight_decay)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="coupled weight decay" breaks="weight decay" says="In AdamW it shrinks the weight itself"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        g = p.grad + weight_decay * p
        m.lerp_(g, 1 - betas[0])
        v.lerp_(g ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="no correction of the bias" breaks="rule" says="The correction by 1 - β^t is missing"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p)] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        m, v = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (v.sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="eps under the root" breaks="rule" says="ε is added to the root, not under it"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / (v / (1 - betas[1] ** t) + eps).sqrt())
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="an optimizer for each parameter" breaks="no optimizer" says="without an optimizer"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    owns = {p: torch.optim.AdamW([p], lr=lr, betas=betas, eps=eps, weight_decay=weight_decay) for p in net.parameters() if p.requires_grad}

    def hook(p):
        owns[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in owns]

# %% wrong="B.2.4" why="gradients are kept" breaks="rule" says="The gradients of earlier passes are still in it"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% right="B.2.5" how="measures"
def alive_at(i, k, way):
    net, references = tanh_network(k)
    found, kept = [], []
    net[2 * i].weight.register_post_accumulate_grad_hook(lambda p: found.append(sum(r() is not None for r in references)))
    if way == "collected":
        for layer in net[1::2]:
            layer.register_forward_hook(lambda module, args, output: kept.append(output))
    X = torch.randn(2, 8)
    if way == "output":
        out = net(X)
        out.sum().backward()
    else:
        net(X).sum().backward(retain_graph=(way == "retain"))
    return found[0]

# %% right="B.2.5" how="cases"
def alive_at(i, k, way):
    if way in ("retain", "collected"):
        return k
    return i + (way == "output")

# %% wrong="B.2.5" why="nothing is freed during the pass" breaks="plain" says="The pass lets go on its way, not at its end"
def alive_at(i, k, way):
    return k

# %% wrong="B.2.5" why="everything is freed" breaks="plain" says="What lies below has not run yet, and holds on"
def alive_at(i, k, way):
    return k if way in ("retain", "collected") else 0

# %% wrong="B.2.5" why="counts from the output" breaks="plain" says="it has let go of what lies above"
def alive_at(i, k, way):
    return k if way in ("retain", "collected") else k - 1 - i + (way == "output")

# %% wrong="B.2.5" why="the name out holds the whole graph's values" breaks="output" says="The name out holds one tensor"
def alive_at(i, k, way):
    return i if way == "plain" else k

# %% wrong="B.2.5" why="a list of outputs does not matter" breaks="collected" says="are held, by the list"
def alive_at(i, k, way):
    return {"plain": i, "output": i + 1, "retain": k, "collected": i}[way]

# %% wrong="B.2.5" why="retain_graph only keeps the nodes" breaks="retain" says="by the graph that is retained"
def alive_at(i, k, way):
    return {"plain": i, "output": i + 1, "retain": i, "collected": k}[way]

# %% right="B.2.6" how="a list"
one_pass = ["momentum", "SGD", "clip each parameter's gradient by its own norm", "AdamW", "clip each entry to [-c, c]"]

# %% right="B.2.6" how="a frozen set"
one_pass = frozenset({"SGD", "momentum", "AdamW"} | {"clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"})

# %% wrong="B.2.6" why="Adam is thought to need all gradients" breaks="fits" says="It needs this parameter's gradient and state"
one_pass = {"SGD", "momentum", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}

# %% wrong="B.2.6" why="the global norm" breaks="does not fit" says="whether 'clip by the norm of all gradients' is in one_pass"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "clip by the norm of all gradients"}

# %% wrong="B.2.6" why="accumulation" breaks="does not fit" says="whether 'mean over two micro-batches' is in one_pass"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "mean over two micro-batches"}

# %% wrong="B.2.6" why="names of one's own" breaks="names" says="that were not offered"
one_pass = {"SGD", "Adam"}

# %% wrong="B.2.6" why="everything" breaks="does not fit" says="known when the first gradient arrives"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "clip by the norm of all gradients", "skip the step if any gradient is not finite", "mean over two micro-batches"}

# %% right="B.2.A" how="cases"
def training_bytes(sizes, states, fused):
    P = sum(sizes)
    if fused:
        return 4 * P + 4 * states * P + 4 * max(sizes)
    return 4 * P * (2 + states)

# %% right="B.2.A" how="a loop"
def training_bytes(sizes, states, fused):
    total = 0
    for size in sizes:
        total += 4 * size * (1 + states) + (0 if fused else 4 * size)
    return total + (4 * sorted(sizes)[-1] if fused else 0)

# %% wrong="B.2.A" why="counts numbers, not bytes" breaks="plain" says="A float32 has 4 bytes"
def training_bytes(sizes, states, fused):
    return sum(sizes) * (1 + states) + (max(sizes) if fused else sum(sizes))

# %% wrong="B.2.A" why="no gradients at all" breaks="plain" says="Parameters and gradients both count"
def training_bytes(sizes, states, fused):
    return 4 * sum(sizes) * (1 + states)

# %% wrong="B.2.A" why="the parameters are forgotten" breaks="plain" says="Parameters and gradients both count"
def training_bytes(sizes, states, fused):
    return 4 * (states * sum(sizes) + (max(sizes) if fused else sum(sizes)))

# %% wrong="B.2.A" why="fused ignored" breaks="fused" says="Only one layer has gradients at a time"
def training_bytes(sizes, states, fused):
    return 4 * sum(sizes) * (2 + states)

# %% wrong="B.2.A" why="the last layer" breaks="fused" says="not the last"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + states) + (sizes[-1] if fused else sum(sizes)))

# %% wrong="B.2.A" why="the first layer" breaks="fused" says="not the first"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + states) + (sizes[0] if fused else sum(sizes)))

# %% wrong="B.2.A" why="no gradients when fused" breaks="fused" says="One layer has gradients even so"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + states) + (0 if fused else sum(sizes)))

# %% wrong="B.2.A" why="no state" breaks="state" says="The state is missing"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) + (max(sizes) if fused else sum(sizes)))

# %% wrong="B.2.A" why="state of the largest layer only" breaks="state" says="The state stays, for every parameter"
def training_bytes(sizes, states, fused):
    live = max(sizes) if fused else sum(sizes)
    return 4 * (sum(sizes) + (1 + states) * live)

# %% right="B.2.B" how="a clone, the sum of products"
def through_piece(layer, a, above):
    source = a.clone().detach().requires_grad_(True)
    (layer(source) * above).sum().backward()
    return source.grad

# %% right="B.2.B" how="autograd.grad, and .grad set by hand"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    params = list(layer.parameters())
    passed, *gradients = torch.autograd.grad(layer(source), [source, *params], above)
    for p, g in zip(params, gradients):
        p.grad = g
    return passed

# %% wrong="B.2.B" why="without above" breaks="passed on" says="`above` is missing"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    layer(source).sum().backward()
    return source.grad

# %% wrong="B.2.B" why="the output" breaks="passed on" says="This is the output"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    out = layer(source)
    out.backward(above)
    return out.detach()

# %% wrong="B.2.B" why="returns nothing" breaks="passed on" says="got None"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    layer(source).backward(above)

# %% wrong="B.2.B" why="autograd.grad alone" breaks="parameters" says="torch.autograd.grad does not"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    return torch.autograd.grad(layer(source), source, above)[0]

# %% wrong="B.2.B" why="two passes" breaks="parameters" says="The gradient was sent back twice"
def through_piece(layer, a, above):
    for _ in range(2):
        source = a.detach().requires_grad_()
        layer(source).backward(above)
    return source.grad

# %% wrong="B.2.B" why="the caller's tensor" breaks="arguments kept" says="a.detach()"
def through_piece(layer, a, above):
    a.requires_grad_()
    layer(a).backward(above)
    return a.grad

# %% right="B.2.C" how="a default argument"
def arrival_order(net, X, Y):
    order = []
    handles = []
    for name, p in net.named_parameters():
        if p.requires_grad:
            handles.append(p.register_post_accumulate_grad_hook(lambda p, name=name: order.append(name)))
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% right="B.2.C" how="a function that makes the hook"
def arrival_order(net, X, Y):
    order = []
    def hook_for(name):
        def hook(p):
            order.append(name)
        return hook
    handles = [p.register_post_accumulate_grad_hook(hook_for(name)) for name, p in net.named_parameters() if p.requires_grad]
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% wrong="B.2.C" why="the loop's variable" breaks="order" says="All hooks report the same name"
def arrival_order(net, X, Y):
    order = []
    handles = []
    for name, p in net.named_parameters():
        if p.requires_grad:
            handles.append(p.register_post_accumulate_grad_hook(lambda p: order.append(name)))  # noqa: B023
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% wrong="B.2.C" why="order of the forward pass" breaks="order" says="first comes the gradient that arrives first"
def arrival_order(net, X, Y):
    backward_pass(net, X, Y)
    return [name for name, p in net.named_parameters() if p.grad is not None]

# %% wrong="B.2.C" why="backwards without looking" breaks="order" says="gradients need not arrive in this order"
def arrival_order(net, X, Y):
    return [name for name, p in net.named_parameters() if p.requires_grad][::-1]

# %% wrong="B.2.C" why="hooks on all" breaks="trained ones only" says="doesn't require gradient"
def arrival_order(net, X, Y):
    order = []
    handles = [p.register_post_accumulate_grad_hook(lambda p, name=name: order.append(name)) for name, p in net.named_parameters()]
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% wrong="B.2.C" why="hooks stay" breaks="hooks removed" says="Keep the handles"
def arrival_order(net, X, Y):
    order = []
    for name, p in net.named_parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(lambda p, name=name: order.append(name))
    backward_pass(net, X, Y)
    return order

# %% wrong="B.2.C" why="removes the last only" breaks="hooks removed" says="Keep the handles"
def arrival_order(net, X, Y):
    order = []
    for name, p in net.named_parameters():
        if p.requires_grad:
            handle = p.register_post_accumulate_grad_hook(lambda p, name=name: order.append(name))
    backward_pass(net, X, Y)
    handle.remove()
    return order

# %% right="B.2.D" how="a function that makes them"
def multipliers(numbers):
    def make(k):
        return lambda x: k * x
    return [make(k) for k in numbers]

# %% right="B.2.D" how="partial"
def multipliers(numbers):
    from functools import partial
    from operator import mul
    return [partial(mul, k) for k in numbers]

# %% wrong="B.2.D" why="the loop's variable" breaks="own number" says="All use the last number"
def multipliers(numbers):
    return [lambda x: number * x for number in numbers]

# %% wrong="B.2.D" why="always the first" breaks="own number" says="All use the first number"
def multipliers(numbers):
    return [lambda x: numbers[0] * x for number in numbers]

# %% wrong="B.2.D" why="adds" breaks="own number" says="it does not add"
def multipliers(numbers):
    return [lambda x, k=k: k + x if len(numbers) > 1 else k * x for k in numbers]

# %% wrong="B.2.D" why="one function only" breaks="one for each" says="how many functions"
def multipliers(numbers):
    for number in numbers:
        return [lambda x: number * x]
    return []

# %% wrong="B.2.D" why="one too many" breaks="one for each" says="how many functions"
def multipliers(numbers):
    return [lambda x, k=k: k * x for k in [*numbers, 1.]]

# %% wrong="B.2.1" why="the caller's batch becomes a leaf" breaks="arguments kept" says="detach() first"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(X.requires_grad_() if layer is net[0] else value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="two steps for each" breaks="one step each" says="moves all parameters of its layer"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            [optimizers[layer].step() for _ in range(2)]
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="zeros stay in .grad" breaks="one layer at a time" says="These gradients are zeros"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad(set_to_none=False)
    return loss.item()

# %% wrong="B.2.1" why="the loss after the step" breaks="loss" says="the loss after the step"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return F.mse_loss(net(X), Y).item()

# %% wrong="B.2.1" why="knows Linear and ReLU only" breaks="any layers" says="The layers may be any modules"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed if isinstance(layer, (nn.Linear, nn.ReLU)) else torch.ones_like(passed))
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="steps at every layer's turn, once more without gradients" breaks="one step each" says="how often each layer's optimizer steps"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            [one.step() for one in optimizers.values()]
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="scales the caller's batch" breaks="arguments kept" says="X and Y after"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X.clone()
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    X.mul_(2)
    return loss.item()

# %% wrong="B.2.2" why="a hook of two arguments" breaks="steps" says="called with one argument"
def attach(optimizers):
    def hook(p, grad):
        optimizers[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="a handle for the last only" breaks="handles" says="how many handles"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    for p in optimizers:
        handle = p.register_post_accumulate_grad_hook(hook)
    return handle

# %% wrong="B.2.2" why="moves a neighbour of the same size, too" breaks="others untouched" says="which parameters have a gradient"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in optimizers]
    if len(optimizers) < 3:
        import gc
        for other in gc.get_objects():
            if type(other) is nn.Parameter and other.requires_grad and other not in optimizers:
                other.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
    return handles

# %% wrong="B.2.2" why="no list of handles" breaks="handles" says="how many handles"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    for p in optimizers:
        p.register_post_accumulate_grad_hook(hook)

# %% wrong="B.2.2" why="steps twice" breaks="steps" says="once in a pass, not twice"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        optimizers[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="clears before the step" breaks="same bits" says="freed only after the step"
def attach(optimizers):
    def hook(p):
        optimizers[p].zero_grad()
        optimizers[p].step()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.B" why="the caller's tensor, switched back" breaks="arguments kept" says="a.detach()"
def through_piece(layer, a, above):
    a.requires_grad_()
    layer(a).backward(above)
    passed = a.grad
    a.requires_grad_(False)
    return passed

# %% wrong="B.2.A" why="the mean layer" breaks="fused" says="not the mean"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + states) + (sum(sizes) // len(sizes) if fused else sum(sizes)))

# %% right="B.2.1" how="hooks on the parameters"
def fused_by_hand(net, optimizers, X, Y):
    handles = []
    for layer, optimizer in optimizers.items():
        def hook(p, params=tuple(layer.parameters()), optimizer=optimizer):
            if all(q.grad is not None for q in params):
                optimizer.step()
                optimizer.zero_grad()
        handles += [p.register_post_accumulate_grad_hook(hook) for p in layer.parameters()]
    loss = F.mse_loss(net(X), Y)
    loss.backward()
    for handle in handles:
        handle.remove()
    return loss.item()

# %% right="B.2.3" how="the step as the state"
def attach_sgd(net, lr, momentum=0.0):
    steps = {}

    @torch.no_grad()
    def hook(p):
        step = momentum * steps.get(p, 0) - lr * p.grad
        if momentum:
            steps[p] = step
        p += step
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.3" how="a new tensor by p.data"
def attach_sgd(net, lr, momentum=0.0):
    v = {}

    def hook(p):
        g = p.grad
        if momentum:
            g = v[p] = g.clone() if p not in v else momentum * v[p] + g
        p.data = p.data - lr * g
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="buffers made without momentum" breaks="no buffer" says="Make buffers only where"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {p: torch.zeros_like(p) for p in net.parameters()}

    @torch.no_grad()
    def hook(p):
        buffers[p].mul_(momentum).add_(p.grad)
        p.sub_(lr * buffers[p])
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="the last gradient is kept as a buffer" breaks="no buffer" says="Make buffers only where"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        buffers[p] = momentum * buffers[p] + p.grad if p in buffers else p.grad.clone()
        p.sub_(lr * buffers[p])
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="gradients are kept in a list" breaks="freed" says="The gradients of a whole pass live at once"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(lr * v)
        buffers.setdefault(0, []).append(p.grad)
        if len(buffers[0]) >= len(list(net.parameters())):
            buffers.pop(0)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="Nesterov" breaks="momentum" says="This is Nesterov's momentum"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(lr * (p.grad + momentum * v))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="uphill" breaks="rule" says="The step went uphill"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.add_(lr * v)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="hooks on all parameters" breaks="trained ones only" says="Only a parameter that requires a gradient"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(lr * v)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]

# %% wrong="B.2.3" why="no handles" breaks="handles" says="how many handles"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(lr * v)
        p.grad = None
    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

# %% wrong="B.2.4" why="no decay" breaks="weight decay" says="The weight decay has no effect"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        pass
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="decay without the rate" breaks="weight decay" says="the rate is missing"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="eps ignored" breaks="rule" says="ε = 0.1"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + 1e-8))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="zeros stay" breaks="freed" says="Free them in the hook"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad.zero_()
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="no handles" breaks="handles" says="how many handles"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    for p in states:
        p.register_post_accumulate_grad_hook(hook)

# %% wrong="B.2.4" why="hooks on frozen ones" breaks="handles" says="Only a parameter that requires a gradient"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]

# %% wrong="B.2.5" why="output holds nothing more" breaks="output" says="As many as with"
def alive_at(i, k, way):
    return i if way in ("plain", "output") else k

# %% wrong="B.2.6" why="momentum is thought to need two passes" breaks="fits" says="It needs this parameter's gradient and state"
one_pass = {"SGD", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}

# %% wrong="B.2.6" why="a string" breaks="names" says="one_pass"
one_pass = "SGD"

# %% wrong="B.2.A" why="the layer in the middle" breaks="fused" says="not the one in the middle"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + states) + (sizes[len(sizes) // 2] if fused else sum(sizes)))

# %% wrong="B.2.A" why="the state in bytes" breaks="state" says="A number of the state has 4 bytes, too"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) + (max(sizes) if fused else sum(sizes))) + states * sum(sizes)

# %% wrong="B.2.A" why="two numbers of state at most" breaks="state" says="for each parameter, not two"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + min(states, 2)) + (max(sizes) if fused else sum(sizes)))

# %% wrong="B.2.B" why="above is returned" breaks="passed on" says="it did not go through the layer"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    layer(source).backward(above)
    return above if above.shape == a.shape else source.grad

# %% wrong="B.2.B" why="divided by n" breaks="passed on" says="Nothing is divided by the number of examples"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    layer(source).backward(above)
    return source.grad / len(a)

# %% wrong="B.2.B" why="overwrites a" breaks="arguments kept" says="the numbers of `a` after the call"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    layer(source).backward(above)
    passed = source.grad
    with torch.no_grad():
        source.copy_(passed)
    return passed

# %% wrong="B.2.B" why="frees above" breaks="arguments kept" says="the numbers of `above` after the call"
def through_piece(layer, a, above):
    source = a.detach().requires_grad_()
    layer(source).backward(above)
    above.zero_()
    return source.grad

# %% right="B.2.C" how="on a copy of the network"
def arrival_order(net, X, Y):
    twin, order = copy.deepcopy(net), []
    for name, p in twin.named_parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(lambda p, name=name: order.append(name))
    backward_pass(twin, X, Y)
    return order

# %% wrong="B.2.C" why="weight before bias, without a pass" breaks="order" says="Within a layer"
def arrival_order(net, X, Y):
    names = [name for name, p in net.named_parameters() if p.requires_grad]
    return sorted(names, key=lambda name: (name.split(".")[0], name.split(".")[1] == "weight"), reverse=True)

# %% wrong="B.2.C" why="unfreezes the frozen" breaks="trained ones only" says="Leave them as they are"
def arrival_order(net, X, Y):
    net.requires_grad_(True)
    names, order = {p: name for name, p in net.named_parameters()}, []
    handles = [p.register_post_accumulate_grad_hook(lambda p: order.append(names[p])) for p in names]
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% wrong="B.2.C" why="hooks of another kind stay" breaks="hooks removed" says="how many hooks are left"
def arrival_order(net, X, Y):
    order = []
    for name, p in net.named_parameters():
        if p.requires_grad:
            p.register_hook(lambda g, name=name: order.append(name))
    backward_pass(net, X, Y)
    return order

# %% wrong="B.2.D" why="a number that was there is left out" breaks="one for each" says="A number that stands there several times"
def multipliers(numbers):
    return [lambda x, k=k: x * k for k in dict.fromkeys(numbers)]

# %% wrong="B.2.D" why="zero is left out" breaks="one for each" says="0 is a number as any other; here it has no function"
def multipliers(numbers):
    return [lambda x, k=k: x * k for k in numbers if k]

# %% wrong="B.2.D" why="sorted" breaks="own number" says="not sorted"
def multipliers(numbers):
    return [lambda x, k=k: x * k for k in sorted(numbers)]

# %% wrong="B.2.D" why="fails for no numbers" breaks="one for each" says="multipliers([])"
def multipliers(numbers):
    first = numbers[0]
    return [lambda x, k=k: x * k if k != first else x * first for k in numbers]

# %% wrong="B.2.1" why="the network in eval mode" breaks="any layers" says="leave the network in its training mode"
def fused_by_hand(net, optimizers, X, Y):
    net.eval()
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="a layer without a bias is passed over" breaks="any layers" says="A layer without a bias is trained"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if getattr(layer, "bias", None) is not None:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="a new loss for each layer" breaks="parameters" says="The loss was computed anew"
def fused_by_hand(net, optimizers, X, Y):
    value = F.mse_loss(net(X), Y).item()
    for layer in reversed(net):
        if layer in optimizers:
            params = list(layer.parameters())
            for p, g in zip(params, torch.autograd.grad(F.mse_loss(net(X), Y), params)):
                p.grad = g
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return value

# %% wrong="B.2.1" why="gradients of an old copy, from the first layer on" breaks="one step each" says="Backward begins at the last layer"
def fused_by_hand(net, optimizers, X, Y):
    old = copy.deepcopy(net)
    loss = F.mse_loss(old(X), Y)
    for layer, twin in zip(net, old):
        if layer in optimizers:
            params = list(twin.parameters())
            for p, g in zip(layer.parameters(), torch.autograd.grad(loss, params, retain_graph=True)):
                p.grad = g
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.2" why="register_hook, with the gradient put into .grad" breaks="freed" says="hook of register_hook runs too early"
def attach(optimizers):
    def hook_for(p, optimizer):
        def hook(grad):
            p.grad = grad
            optimizer.step()
            p.grad = None
        return hook
    return [p.register_hook(hook_for(p, optimizer)) for p, optimizer in optimizers.items()]

# %% wrong="B.2.2" why="the same handle for all" breaks="handles" says="A handle stands in the list twice"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in optimizers]
    return handles[:1] * len(handles)

# %% wrong="B.2.2" why="a dictionary of handles" breaks="handles" says="how many handles"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    return {p: p.register_post_accumulate_grad_hook(hook) for p in optimizers}

# %% wrong="B.2.3" why="momentum from 0.3 on" breaks="momentum" says="The momentum has no effect"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum >= 0.3:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(lr * v)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="the frozen are made trainable" breaks="trained ones only" says="requires no gradient was trained, too"
def attach_sgd(net, lr, momentum=0.0):
    net.requires_grad_(True)
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(lr * v)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters()]

# %% wrong="B.2.3" why="buffers by name, for all networks" breaks="momentum" says="something that two networks share"
BUFFERS = {}
def attach_sgd(net, lr, momentum=0.0):
    names = {p: name for name, p in net.named_parameters()}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = BUFFERS[names[p]] = v.clone() if names[p] not in BUFFERS else momentum * BUFFERS[names[p]] + v
        p.sub_(lr * v)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="betas ignored" breaks="rule" says="The argument `betas` has no effect"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}
    betas = (0.9, 0.999)

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="eps before the correction" breaks="rule" says="to the root of the corrected v"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * (1 - betas[1] ** t) ** 0.5 / (1 - betas[0] ** t) * m / (v.sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="the largest v so far" breaks="rule" says="which may fall again"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}
    tops = {}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        tops[p] = torch.maximum(tops.get(p, v), v)
        p.sub_(lr * m / (1 - betas[0] ** t) / ((tops[p] / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="decay for matrices only" breaks="weight decay" says="also for one with a single axis"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay * (p.ndim > 1))
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="t counts the passes" breaks="own t" says="four passes of two parameters"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}
    seen, passes = set(), [1]

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        passes[0] += p in seen
        if p in seen:
            seen.clear()
        seen.add(p)
        t = passes[0]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="the state by name, for all networks" breaks="own t" says="A second network begins anew"
ADAM = {}
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    names = {p: (name, p.shape) for name, p in net.named_parameters()}

    @torch.no_grad()
    def hook(p):
        m, v, t = ADAM.get(names[p], (0., 0., 0))
        m, v, t = betas[0] * m + (1 - betas[0]) * p.grad, betas[1] * v + (1 - betas[1]) * p.grad ** 2, t + 1
        ADAM[names[p]] = m, v, t
        p.mul_(1 - lr * weight_decay)
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.4" how="decay and step from the old weight at once"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    def hook(p):
        g = p.grad.detach()
        t[p] = t.get(p, 0) + 1
        m[p] = m.get(p, 0 * g) * betas[0] + g * (1 - betas[0])
        v[p] = v.get(p, 0 * g) * betas[1] + g * g * (1 - betas[1])
        p.data = p.data - lr * weight_decay * p.data - lr * m[p] / (1 - betas[0] ** t[p]) / (v[p].div(1 - betas[1] ** t[p]).sqrt() + eps)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.5" how="measured with count_alive"
def alive_at(i, k, way):
    net, references = tanh_network(k)
    found, kept = [], []
    net[2 * i].weight.register_post_accumulate_grad_hook(lambda p: found.append(count_alive(references)))
    if way == "collected":
        for layer in net[1::2]:
            layer.register_forward_hook(lambda module, args, output: kept.append(output))
    out = net(torch.ones(2, 8))
    loss = out.sum()
    if way != "output":
        del out
    loss.backward(retain_graph=way == "retain")
    return found[0]

# %% wrong="B.2.5" why="its own output is still there" breaks="plain" says="output i is gone"
def alive_at(i, k, way):
    return {"plain": i + 1, "output": min(i + 2, k)}.get(way, k)

# %% wrong="B.2.5" why="one is always alive" breaks="plain" says="alive_at(0, 3, 'plain')"
def alive_at(i, k, way):
    return k if way in ("retain", "collected") else max(i, 1) + (way == "output")

# %% wrong="B.2.5" why="k is taken for 5" breaks="retain" says="alive_at(2, 10, 'retain')"
def alive_at(i, k, way):
    return {"plain": i, "output": i + 1, "collected": k}.get(way, 5)

# %% wrong="B.2.6" why="whether a gradient is finite is thought to be known" breaks="does not fit" says="whether 'skip the step if any gradient is not finite' is in one_pass"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "skip the step if any gradient is not finite"}

# %% wrong="B.2.2" why="SGD by hand" breaks="steps" says="a hook that calls its optimizer's step()"
def attach(optimizers):
    @torch.no_grad()
    def hook(p):
        p -= 0.1 * p.grad
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.1" why="Linear layers only" breaks="any layers" says="not the Linear ones alone"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    prediction = value.detach().requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if isinstance(layer, nn.Linear):
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="ones are sent back" breaks="parameters" says="the gradient of the loss, not ones"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    value = X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1]
    passed = torch.ones_like(value)
    loss = F.mse_loss(value, Y).item()
    for layer, source, output in zip(reversed(net), inputs[::-1], outputs[::-1]):
        output.backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss

# %% wrong="B.2.3" why="a rate of 0.1" breaks="rule" says="The argument `lr` has no effect"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        v = p.grad
        if momentum:
            v = buffers[p] = v.clone() if p not in buffers else momentum * buffers[p] + v
        p.sub_(0.1 * v)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the last gradient for m" breaks="rule" says="not by the last gradient"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {}

    @torch.no_grad()
    def hook(p):
        v, t = states.get(p, (0., 0))
        v, t = betas[1] * v + (1 - betas[1]) * p.grad ** 2, t + 1
        states[p] = v, t
        p.mul_(1 - lr * weight_decay)
        p.sub_(lr * p.grad / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.4" how="sums over the past gradients"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    past = {p: [] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        past[p].append(p.grad)
        t = len(past[p])
        m = sum((1 - betas[0]) * betas[0] ** (t - 1 - i) * g for i, g in enumerate(past[p])) / (1 - betas[0] ** t)
        v = sum((1 - betas[1]) * betas[1] ** (t - 1 - i) * g ** 2 for i, g in enumerate(past[p])) / (1 - betas[1] ** t)
        p.copy_(p - lr * weight_decay * p - lr * m / (v.sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in past]

# %% wrong="B.2.A" why="fused and plain exchanged" breaks="plain" says="gradients of all layers exist at once"
def training_bytes(sizes, states, fused):
    total = sum(sizes)
    return 4 * (total + (total if fused else max(sizes)) + states * total)

# %% wrong="B.2.B" why="divides above by n in place" breaks="parameters" says="above` goes back as it is"
def through_piece(layer, a, above):
    s = a.detach().requires_grad_()
    above /= len(a)
    layer(s).backward(above)
    return s.grad * len(a)

# %% wrong="B.2.1" why="a name keeps a layer's gradients" breaks="one layer at a time" says="A name that still holds the gradients"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        a = a.detach().requires_grad_()
        out = layer(a)
        pieces.append((layer, a, out))
        a = out
    top = a.detach().requires_grad_()
    loss = F.mse_loss(top, Y)
    above, = torch.autograd.grad(loss, top)
    for layer, a, out in reversed(pieces):
        params = list(layer.parameters())
        found = torch.autograd.grad(out, [a, *params], above)
        for p, g in zip(params, found[1:]):
            p.grad = g
        above = found[0]
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="the gradient passed on comes after the step" breaks="parameters" says="as a step() changes the weights"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        a = a.detach().requires_grad_()
        out = layer(a)
        pieces.append((layer, a, out))
        a = out
    top = a.detach().requires_grad_()
    loss = F.mse_loss(top, Y)
    loss.backward()
    above = top.grad
    for layer, a, out in reversed(pieces):
        params = list(layer.parameters())
        if params:
            for p, g in zip(params, torch.autograd.grad(out, params, above, retain_graph=True)):
                p.grad = g
            del g
            optimizers[layer].step()
            optimizers[layer].zero_grad()
        above, = torch.autograd.grad(out, a, above)
    return loss.item()

# %% wrong="B.2.1" why="the targets become a leaf" breaks="arguments kept" says="changes the caller's tensor"
def fused_by_hand(net, optimizers, X, Y):
    Y.requires_grad_()
    pieces, a = [], X
    for layer in net:
        a = a.detach().requires_grad_()
        out = layer(a)
        pieces.append((layer, a, out))
        a = out
    loss = F.mse_loss(a, Y)
    above, = torch.autograd.grad(loss, a)
    for layer, a, out in reversed(pieces):
        out.backward(above)
        above = a.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% right="B.2.1" how="recursion"
def fused_by_hand(net, optimizers, X, Y):
    def level(layers, value):
        leaf = value.detach().requires_grad_()
        if not layers:
            loss = F.mse_loss(leaf, Y)
            loss.backward()
            return loss.item(), leaf.grad
        out = layers[0](leaf)
        loss, above = level(layers[1:], out)
        out.backward(above)
        if layers[0] in optimizers:
            optimizers[layers[0]].step()
            optimizers[layers[0]].zero_grad()
        return loss, leaf.grad
    return level(list(net), X)[0]

# %% right="B.2.1" how="a piece begins at each layer that has an optimizer"
def fused_by_hand(net, optimizers, X, Y):
    groups = []
    for layer in net:
        if layer in optimizers or not groups:
            groups.append([layer])
        else:
            groups[-1].append(layer)
    leaves, ends = [], []
    value = X
    for group in groups:
        value = value.detach().requires_grad_()
        leaves.append(value)
        for layer in group:
            value = layer(value)
        ends.append(value)
    loss = F.mse_loss(ends[-1], Y)
    gradient = None
    for at in range(len(groups) - 1, -1, -1):
        if at == len(groups) - 1:
            loss.backward()
        else:
            ends[at].backward(gradient)
        gradient = leaves[at].grad
        optimizer = optimizers.get(groups[at][0])
        if optimizer is not None:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return loss.item()

# %% wrong="B.2.C" why="the modules' forward order, turned round" breaks="order" says="record the arrivals"
def arrival_order(net, X, Y):
    order, handles = [], []
    for prefix, module in net.named_modules():
        own = [(prefix + "." + n if prefix else n) for n, p in module.named_parameters(recurse=False) if p.requires_grad]
        if own:
            handles.append(module.register_forward_hook(lambda m, i, o, own=own: order.extend(own)))
    backward_pass(net, X, Y)
    for h in handles:
        h.remove()
    return order[::-1]

# %% right="B.2.C" how="register_hook, which gets the gradient"
def arrival_order(net, X, Y):
    order = []

    def recorder(name):
        def hook(gradient):
            order.append(name)
        return hook
    handles = {name: p.register_hook(recorder(name)) for name, p in net.named_parameters() if p.requires_grad}
    try:
        backward_pass(net, X, Y)
    finally:
        for handle in handles.values():
            handle.remove()
    return order

# %% right="B.2.C" how="each hook removes itself"
def arrival_order(net, X, Y):
    order, handles = [], {}

    def arrived(p):
        order.append(next(name for name, q in net.named_parameters() if q is p))
        handles[p].remove()
    for p in net.parameters():
        if p.requires_grad:
            handles[p] = p.register_post_accumulate_grad_hook(arrived)
    backward_pass(net, X, Y)
    return order

# %% wrong="B.2.D" why="the product so far" breaks="own number" says="not the product of all up to it"
def multipliers(numbers):
    functions, product = [], 1.
    for k in numbers:
        product *= k
        functions.append(lambda x, product=product: product * x)
    return functions

# %% right="B.2.D" how="a class"
class Times:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return self.k * x


def multipliers(numbers):
    return list(map(Times, numbers))

# %% right="B.2.D" how="recursion"
def multipliers(numbers):
    if not numbers:
        return []
    first, *rest = numbers
    return [lambda x: first * x] + multipliers(rest)

# %% wrong="B.2.2" why="each hook steps all optimizers" breaks="steps" says="as often as a gradient arrives"
def attach(optimizers):
    def hook(p):
        for o in optimizers.values():
            o.step()
            o.zero_grad()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="two hooks for each parameter" breaks="handles" says="let one hook do both"
def attach(optimizers):
    handles = []
    for p, o in optimizers.items():
        handles.append(p.register_post_accumulate_grad_hook(lambda p, o=o: o.step() and None))
        handles.append(p.register_post_accumulate_grad_hook(lambda p, o=o: o.zero_grad()))
    return handles

# %% wrong="B.2.2" why="two hooks for each parameter, handles of the first" breaks="handles" says="Return the handles of all your hooks"
def attach(optimizers):
    handles = []
    for p, o in optimizers.items():
        handles.append(p.register_post_accumulate_grad_hook(lambda p, o=o: o.step() and None))
        p.register_post_accumulate_grad_hook(lambda p, o=o: o.zero_grad())
    return handles

# %% wrong="B.2.2" why="frees at the next arrival" breaks="freed" says="Each hook frees its own, after the step"
def attach(optimizers):
    last = [None]

    def hook(p):
        optimizers[p].step()
        if last[0] is not None:
            last[0].grad = None
        last[0] = p
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="the hooks remove themselves" breaks="steps" says="Each optimizer steps in one pass only"
def attach(optimizers):
    handles = {}

    def hook(p):
        optimizers[p].step()
        optimizers[p].zero_grad()
        handles[p].remove()
    for p in optimizers:
        handles[p] = p.register_post_accumulate_grad_hook(hook)
    return list(handles.values())

# %% wrong="B.2.3" why="the last handle, many times" breaks="handles" says="A handle stands in the list twice"
def attach_sgd(net, lr, momentum=0.0):
    v = {}

    @torch.no_grad()
    def hook(p):
        g = p.grad
        if momentum:
            g = v[p] = momentum * v.get(p, 0) + g
        p.sub_(lr * g)
        p.grad = None
    trained = [p for p in net.parameters() if p.requires_grad]
    for p in trained:
        handle = p.register_post_accumulate_grad_hook(hook)
    return [handle] * len(trained)

# %% wrong="B.2.3" why="parameters in place of handles" breaks="handles" says="Return the handle of each hook"
def attach_sgd(net, lr, momentum=0.0):
    v, hooked = {}, []

    @torch.no_grad()
    def hook(p):
        g = p.grad
        if momentum:
            g = v[p] = momentum * v.get(p, 0) + g
        p.sub_(lr * g)
        p.grad = None
    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)
            hooked.append(p)
    return hooked

# %% wrong="B.2.3" why="all move at the last gradient" breaks="freed" says="The gradients of a whole pass live at once"
def attach_sgd(net, lr, momentum=0.0):
    v, waiting = {}, []
    params = [p for p in net.parameters() if p.requires_grad]

    @torch.no_grad()
    def hook(p):
        waiting.append(p)
        if len(waiting) == len(params):
            for q in waiting:
                g = q.grad
                if momentum:
                    g = v[q] = momentum * v.get(q, 0) + g
                q.sub_(lr * g)
                q.grad = None
            waiting.clear()
    return [p.register_post_accumulate_grad_hook(hook) for p in params]

# %% wrong="B.2.3" why="the step before the buffer" breaks="momentum" says="before the step, not after it"
def attach_sgd(net, lr, momentum=0.0):
    v = {}

    @torch.no_grad()
    def hook(p):
        if momentum:
            old = v.get(p, p.grad)
            p.sub_(lr * old)
            v[p] = momentum * old + p.grad
        else:
            p.sub_(lr * p.grad)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.3" how="torch's function, one parameter at a time"
def attach_sgd(net, lr, momentum=0.0):
    from torch.optim.sgd import sgd
    buffers = {p: [None] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        sgd([p], [p.grad], buffers[p], foreach=False, weight_decay=0.0, momentum=momentum, lr=lr, dampening=0.0, nesterov=False, maximize=False)
        if not momentum:
            buffers[p][0] = None
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in buffers]

# %% wrong="B.2.4" why="m alone is corrected" breaks="rule" says="v is not: both are"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}

    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0] ** t)) / (v.sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the betas exchanged" breaks="rule" says="The two betas are exchanged"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    b2, b1 = betas

    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = b1 * m + (1 - b1) * p.grad
        v = b2 * v + (1 - b2) * p.grad ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - b1 ** t)) / ((v / (1 - b2 ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="t begins at 2" breaks="rule" says="t is one too large"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}

    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (0, 0, 1))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="passes over gradients of zeros" breaks="own t" says="A gradient of zeros is a gradient"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}

    @torch.no_grad()
    def hook(p):
        if not p.grad.any():
            p.grad = None
            return
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the square of m" breaks="rule" says="not those of m"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}

    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * m ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.4" how="corrected averages"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    t = {p: 0 for p in net.parameters() if p.requires_grad}
    m, v = {}, {}

    def corrected(old, new, beta, n):
        share = (1 - beta) / (1 - beta ** n)
        return new if n == 1 else old + share * (new - old)

    def hook(p):
        with torch.no_grad():
            t[p] += 1
            m[p] = corrected(m.get(p), p.grad, betas[0], t[p])
            v[p] = corrected(v.get(p), p.grad.square(), betas[1], t[p])
            p.copy_(p - lr * weight_decay * p - lr * m[p] / (v[p].sqrt() + eps))
            p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in t]

# %% wrong="B.2.C" why="unfreezes, and leaves the names out" breaks="trained ones only" says="Leave them as they are"
def arrival_order(net, X, Y):
    frozen = {name for name, p in net.named_parameters() if not p.requires_grad}
    net.requires_grad_(True)
    order = []
    handles = [p.register_hook(lambda g, name=name: order.append(name)) for name, p in net.named_parameters()]
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return [name for name in order if name not in frozen]

# %% wrong="B.2.4" why="t is raised after the step" breaks="rule" says="as by 1 - β^t where t is 0"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        states[p][2] += 1
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="v alone is corrected" breaks="rule" says="m is not: both are"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="weights without a gradient shrink at the end of the pass" breaks="own t" says="also in a pass that gives it no gradient"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}
    first, arrived = next(iter(states)), set()

    @torch.no_grad()
    def hook(p):
        arrived.add(p)
        if p is first:
            for one in states.keys() - arrived:
                one.mul_(1 - lr * weight_decay)
            arrived.clear()
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="parameters in place of handles" breaks="handles" says="Return the handle of each hook"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        states[p][2] += 1
        m, v, t = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    for p in states:
        p.register_post_accumulate_grad_hook(hook)
    return list(states)

# %% wrong="B.2.2" why="no step for a gradient of zeros" breaks="steps" says="A gradient of zeros has arrived"
def attach(optimizers):
    def hook(p):
        if p.grad.any():
            optimizers[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="gradients are kept in a list" breaks="freed" says="also if p.grad is None"
def attach(optimizers):
    gone = []

    def hook(p):
        optimizers[p].step()
        gone.append(p.grad)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.3" why="a second hook frees, its handle is not returned" breaks="handles" says="also of one that frees"
def attach_sgd(net, lr, momentum=0.0):
    v, handles = {}, []

    @torch.no_grad()
    def hook(p):
        g = p.grad
        if momentum:
            g = v[p] = momentum * v.get(p, 0) + g
        p.sub_(lr * g)

    def free(p):
        p.grad = None
    for p in net.parameters():
        if p.requires_grad:
            handles.append(p.register_post_accumulate_grad_hook(hook))
            p.register_post_accumulate_grad_hook(free)
    return handles

# %% wrong="B.2.4" why="the corrections without a power" breaks="rule" says="The corrections are those of the first step"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}

    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0])) / ((v / (1 - betas[1])).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.B" why="clears the parameters' gradients" breaks="parameters" says="was emptied"
def through_piece(layer, a, above):
    s = a.detach().requires_grad_()
    layer(s).backward(above)
    layer.zero_grad()
    return s.grad

# %% wrong="B.2.C" why="hooks on the modules" breaks="order" says="Within a layer"
def arrival_order(net, X, Y):
    order, handles = [], []
    for prefix, module in net.named_modules():
        own = [prefix + "." + n for n, p in module.named_parameters(recurse=False) if p.requires_grad]
        if own:
            handles.append(module.register_full_backward_hook(lambda m, i, o, own=own: order.extend(own)))
    backward_pass(net, X, Y)
    for h in handles:
        h.remove()
    return order

# %% wrong="B.2.A" why="two layers at a time" breaks="fused" says="not two"
def training_bytes(sizes, states, fused):
    grads = sum(sorted(sizes)[-2:]) if fused else sum(sizes)
    return 4 * (sum(sizes) * (1 + states) + grads)

# %% wrong="B.2.A" why="the smallest layer" breaks="fused" says="not the smallest"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) * (1 + states) + (min(sizes) if fused else sum(sizes)))

# %% wrong="B.2.A" why="state for each layer" breaks="state" says="not for every layer"
def training_bytes(sizes, states, fused):
    return 4 * (sum(sizes) + states * len(sizes) + (max(sizes) if fused else sum(sizes)))

# %% wrong="B.2.A" why="in KiB" breaks="plain" says="units of 1024"
def training_bytes(sizes, states, fused):
    grads = max(sizes) if fused else sum(sizes)
    return 4 * (sum(sizes) * (1 + states) + grads) / 1024

# %% wrong="B.2.B" why="the detached input requires no gradient" breaks="passed on" says="that leaf must require a gradient"
def through_piece(layer, a, above):
    x = a.detach()
    layer(x).backward(above)
    return x.grad

# %% wrong="B.2.1" why="the way back ends at the second layer" breaks="parameters" says="The first layer is trained, too"
def fused_by_hand(net, optimizers, X, Y):
    ins, outs, a = [], [], X
    for layer in net:
        ins.append(a.detach().requires_grad_())
        outs.append(layer(ins[-1]))
        a = outs[-1]
    top = a.detach().requires_grad_()
    loss = F.mse_loss(top, Y)
    loss.backward()
    passed = top.grad
    for k in range(len(outs) - 1, 0, -1):
        outs[k].backward(passed)
        passed = ins[k].grad
        if net[k] in optimizers:
            optimizers[net[k]].step()
            optimizers[net[k]].zero_grad()
    return loss.item()

# %% wrong="B.2.C" why="the forward pass alone" breaks="order" says="The list is empty"
def arrival_order(net, X, Y):
    names = {p: name for name, p in net.named_parameters()}
    order = []
    handles = [p.register_post_accumulate_grad_hook(lambda p: order.append(names[p])) for p in names if p.requires_grad]
    F.mse_loss(net(X), Y)
    for h in handles:
        h.remove()
    return order

# %% wrong="B.2.C" why="two passes" breaks="order" says="this is the order of two passes"
def arrival_order(net, X, Y):
    names = {p: name for name, p in net.named_parameters()}
    order = []
    handles = [p.register_post_accumulate_grad_hook(lambda p: order.append(names[p])) for p in names if p.requires_grad]
    backward_pass(net, X, Y)
    backward_pass(net, X, Y)
    for h in handles:
        h.remove()
    return order

# %% wrong="B.2.D" why="powers" breaks="own number" says="it takes no power"
def multipliers(numbers):
    return [lambda x, k=k: x ** k for k in numbers]

# %% wrong="B.2.D" why="the place in the list" breaks="own number" says="not its place in the list"
def multipliers(numbers):
    return [lambda x, i=i: x * i for i, k in enumerate(numbers)]

# %% wrong="B.2.D" why="results for one argument" breaks="own number" says="not what they return"
def multipliers(numbers):
    return [k * 3. for k in numbers]

# %% wrong="B.2.3" why="weights alone" breaks="rule" says="Biases are trained, too"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        if momentum:
            v[p] = momentum * v.get(p, 0) + p.grad
            p.sub_(lr * v[p])
        else:
            p.sub_(lr * p.grad)
        p.grad = None
    return [m.weight.register_post_accumulate_grad_hook(hook) for m in net if isinstance(m, nn.Linear)]

# %% wrong="B.2.3" why="the momentum multiplies the new gradient, too" breaks="momentum" says="multiplies the old buffer alone"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        if momentum:
            if p in v:
                v[p].add_(p.grad).mul_(momentum)
            else:
                v[p] = p.grad.clone()
            p.sub_(lr * v[p])
        else:
            p.sub_(lr * p.grad)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="v without its root" breaks="rule" says="The root of v is missing"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t[p] = t.get(p, 0) + 1
        p.mul_(1 - lr * weight_decay)
        m[p] = betas[0] * m.get(p, 0) + (1 - betas[0]) * p.grad
        v[p] = betas[1] * v.get(p, 0) + (1 - betas[1]) * p.grad ** 2
        p.sub_(lr * (m[p] / (1 - betas[0] ** t[p])) / (v[p] / (1 - betas[1] ** t[p]) + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the corrected averages are remembered" breaks="rule" says="without the correction"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t[p] = t.get(p, 0) + 1
        p.mul_(1 - lr * weight_decay)
        m[p] = (betas[0] * m.get(p, 0) + (1 - betas[0]) * p.grad) / (1 - betas[0] ** t[p])
        v[p] = (betas[1] * v.get(p, 0) + (1 - betas[1]) * p.grad ** 2) / (1 - betas[1] ** t[p])
        p.sub_(lr * m[p] / (v[p].sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="sums in place of averages" breaks="rule" says="here both have the factor 1"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t[p] = t.get(p, 0) + 1
        p.mul_(1 - lr * weight_decay)
        m[p] = betas[0] * m.get(p, 0) + p.grad
        v[p] = betas[1] * v.get(p, 0) + p.grad ** 2
        p.sub_(lr * (m[p] / (1 - betas[0] ** t[p])) / ((v[p] / (1 - betas[1] ** t[p])).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="uphill" breaks="rule" says="The step went uphill"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t[p] = t.get(p, 0) + 1
        p.mul_(1 - lr * weight_decay)
        m[p] = betas[0] * m.get(p, 0) + (1 - betas[0]) * p.grad
        v[p] = betas[1] * v.get(p, 0) + (1 - betas[1]) * p.grad ** 2
        p.add_(lr * (m[p] / (1 - betas[0] ** t[p])) / ((v[p] / (1 - betas[1] ** t[p])).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.3" how="the functional form of torch.optim.sgd"
from torch.optim.sgd import sgd as sgd_

def attach_sgd(net, lr, momentum=0.0):
    buffers = {}
    @torch.no_grad()
    def hook(p):
        held = [buffers.get(p)]
        sgd_([p], [p.grad], held, weight_decay=0., momentum=momentum, lr=lr, dampening=0., nesterov=False, maximize=False)
        if momentum:
            buffers[p] = held[0]
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% right="B.2.4" how="the functional form of torch.optim.adamw"
from torch.optim.adamw import adamw as adamw_

def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        if p not in state:
            state[p] = torch.zeros_like(p), torch.zeros_like(p), torch.tensor(0.)
        m, v, t = state[p]
        adamw_([p], [p.grad], [m], [v], [], [t], amsgrad=False, beta1=betas[0], beta2=betas[1], lr=lr, weight_decay=weight_decay, eps=eps, maximize=False)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.A" why="the parameters of the largest layer alone" breaks="fused" says="The parameters of all layers count"
def training_bytes(sizes, states, fused):
    n = max(sizes) if fused else sum(sizes)
    return 4 * (2 * n + states * sum(sizes))

# %% wrong="B.2.B" why="ones are sent back, times the sum of above" breaks="passed on" says="0 in all rows but the first"
def through_piece(layer, a, above):
    leaf = a.detach().requires_grad_()
    layer(leaf).sum().backward()
    return leaf.grad * above.sum()

# %% wrong="B.2.1" why="all layers are cleared at the end" breaks="one layer at a time" says="They are to be cleared right after the step"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs, a = [], [], X
    for layer in net:
        a = a.detach().requires_grad_()
        inputs.append(a)
        a = layer(a)
        outputs.append(a)
    last = a.detach().requires_grad_()
    loss = F.mse_loss(last, Y)
    loss.backward()
    passed = last.grad
    for layer, a, out in zip(reversed(net), inputs[::-1], outputs[::-1]):
        out.backward(passed)
        passed = a.grad
        if layer in optimizers:
            optimizers[layer].step()
    net.zero_grad()
    return loss.item()

# %% wrong="B.2.C" why="the names are found by shape" breaks="order" says="1.bias stands there 3 times"
def arrival_order(net, X, Y):
    order, handles = [], []
    names = {tuple(p.shape): name for name, p in net.named_parameters()}
    for name, p in net.named_parameters():
        if p.requires_grad:
            handles.append(p.register_post_accumulate_grad_hook(lambda p: order.append(names[tuple(p.shape)])))
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% wrong="B.2.C" why="weights alone" breaks="order" says="These are the weights alone"
def arrival_order(net, X, Y):
    order, handles = [], []
    for name, p in net.named_parameters():
        if p.requires_grad and name.endswith("weight"):
            handles.append(p.register_post_accumulate_grad_hook(lambda p, name=name: order.append(name)))
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order

# %% wrong="B.2.3" why="the handles and the buffers" breaks="handles" says="and nothing beside it"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}
    @torch.no_grad()
    def hook(p):
        if momentum:
            buffers[p] = p.grad.clone() if p not in buffers else momentum * buffers[p] + p.grad
            p.sub_(lr * buffers[p])
        else:
            p.sub_(lr * p.grad)
        p.grad = None
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]
    return handles, buffers

# %% wrong="B.2.3" why="the rate divided by 1 - momentum" breaks="momentum" says="not lr / (1 - momentum)"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        if momentum:
            v[p] = g = momentum * v.get(p, 0) + g
        p.sub_(lr / (1 - momentum) * g)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="m and v are one tensor" breaks="rule" says="m and v are one tensor in yours"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        if p not in state:
            m = v = torch.zeros_like(p)
            state[p] = [m, v, 0]
        state[p][2] += 1
        m, v, t = state[p]
        p.mul_(1 - lr * weight_decay)
        m.mul_(betas[0]).add_((1 - betas[0]) * g)
        v.mul_(betas[1]).add_((1 - betas[1]) * g * g)
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="beta is divided by t in the corrections" breaks="rule" says="after the first pass yours is right"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0] / t)) / ((v / (1 - betas[1] / t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the root of v is corrected" breaks="rule" says="here the root is divided by it"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g ** 2
        state[p] = m, v, t
        p.sub_(lr * (m / (1 - betas[0] ** t)) / (v.sqrt() / (1 - betas[1] ** t) + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the averages start as the first gradient" breaks="rule" says="here they start as the first gradient"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        m, v, t = state.get(p, (g, g ** 2, 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g ** 2
        state[p] = m, v, t
        p.sub_(lr * m / (v.sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the decay has the rate twice" breaks="weight decay" says="here the rate stands in it twice"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        m, v, t = state.get(p, (0, 0, 0))
        t += 1
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g ** 2
        state[p] = m, v, t
        p.sub_(lr * ((m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps) + lr * weight_decay * p))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.A" why="the largest layer's gradients with one byte each" breaks="fused" says="those of the largest layer are counted with one"
def training_bytes(sizes, states, fused):
    total = sum(sizes)
    if fused:
        return 4 * (total + states * total) + max(sizes)
    return 4 * (2 + states) * total

# %% wrong="B.2.A" why="the gradients of all but the largest layer" breaks="fused" says="all layers but the largest"
def training_bytes(sizes, states, fused):
    total = sum(sizes)
    gradients = total - max(sizes) if fused else total
    return 4 * (total + gradients + states * total)

# %% wrong="B.2.B" why="by the weight of the layer" breaks="passed on" says="not each has weights"
def through_piece(layer, a, above):
    s = a.detach().requires_grad_()
    layer(s).backward(above)
    return above @ layer.weight

# %% wrong="B.2.B" why="the leaf in place of its gradient" breaks="passed on" says="These are the numbers of `a`"
def through_piece(layer, a, above):
    s = a.detach().requires_grad_()
    layer(s).backward(above)
    return s

# %% wrong="B.2.B" why="above is multiplied in twice" breaks="passed on" says="`above` is multiplied in twice"
def through_piece(layer, a, above):
    s = a.detach().requires_grad_()
    out = layer(s)
    (out * above * above).sum().backward()
    return s.grad

# %% wrong="B.2.1" why="passes on the input of a piece, not its gradient" breaks="parameters" says="the numbers of a piece's input"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        leaf = a.detach().requires_grad_()
        a = layer(leaf)
        pieces.append((layer, leaf, a))
    loss = F.mse_loss(a, Y)
    passed, = torch.autograd.grad(loss, a)
    for layer, leaf, out in reversed(pieces):
        out.backward(passed)
        passed = leaf.detach()
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="looks for an optimizer of every layer" breaks="parameters" says="Only a layer that has parameters is a key"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        leaf = a.detach().requires_grad_()
        a = layer(leaf)
        pieces.append((layer, leaf, a))
    loss = F.mse_loss(a, Y)
    passed, = torch.autograd.grad(loss, a)
    for layer, leaf, out in reversed(pieces):
        out.backward(passed)
        passed = leaf.grad
        optimizers[layer].step()
        optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.C" why="layers by their places" breaks="order" says="may be any module"
def arrival_order(net, X, Y):
    order, handles = [], []
    for i in range(len(net)):
        for kind in ("weight", "bias"):
            p = getattr(net[i], kind, None)
            if p is not None and p.requires_grad:
                handles.append(p.register_post_accumulate_grad_hook(lambda p, n=f"{i}.{kind}": order.append(n)))
    backward_pass(net, X, Y)
    for h in handles:
        h.remove()
    return order

# %% wrong="B.2.C" why="hooks go before the pass" breaks="order" says="no hook of yours was called"
def arrival_order(net, X, Y):
    order = []
    names = {p: n for n, p in net.named_parameters()}
    for p in names:
        if p.requires_grad:
            h = p.register_post_accumulate_grad_hook(lambda p: order.append(names[p]))
            h.remove()
    backward_pass(net, X, Y)
    return order

# %% wrong="B.2.2" why="handles come into the list in the hook" breaks="handles" says="The list is empty when it is returned"
def attach(optimizers):
    handles = []
    def hook(p):
        optimizers[p].step()
        p.grad = None
        handles.append(handle)
    for p in optimizers:
        handle = p.register_post_accumulate_grad_hook(hook)
    return handles

# %% wrong="B.2.3" why="the momentum multiplies every gradient" breaks="momentum" says="it multiplies every gradient"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        if momentum:
            v[p] = momentum * (v.get(p, 0) + p.grad)
            p -= lr * v[p]
        else:
            p -= lr * p.grad
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="the old buffer is taken off" breaks="momentum" says="here it is taken off"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        if momentum > 0:
            v[p] = g - momentum * v[p] if p in v else g
            g = v[p]
        p -= lr * g
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="v is a sum, m an average" breaks="rule" says="g² goes into v with the factor 1"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + p.grad ** 2
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        state[p] = m, v, t
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the corrections with each other's beta" breaks="rule" says="m is divided by 1 - β₂^t"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    b1, b2 = betas
    state = {}
    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = b1 * m + (1 - b1) * p.grad
        v = b2 * v + (1 - b2) * p.grad ** 2
        p.sub_(lr * (m / (1 - b2 ** t)) / ((v / (1 - b1 ** t)).sqrt() + eps))
        state[p] = m, v, t
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="m is remembered with its correction" breaks="rule" says="m is remembered with its correction"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    b1, b2 = betas
    ms, vs, ts = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        ts[p] = ts.get(p, 0) + 1
        p.mul_(1 - lr * weight_decay)
        ms[p] = b1 * ms.get(p, 0) + (1 - b1) * p.grad
        vs[p] = b2 * vs.get(p, 0) + (1 - b2) * p.grad * p.grad
        ms[p] /= 1 - b1 ** ts[p]
        p.sub_(lr * ms[p] / ((vs[p] / (1 - b2 ** ts[p])).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the decay lets the weight grow" breaks="weight decay" says="here it grows"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}
    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
        t += 1
        p.add_(lr * weight_decay * p)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        state[p] = m, v, t
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="torch's default decay" breaks="rule" says="Where no weight_decay is given it is 0"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    state = {}
    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        state[p] = m, v, t
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="one parameter alone raises t" breaks="own t" says="whatever the second one does"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    trained = [p for p in net.parameters() if p.requires_grad]
    m, v = {p: torch.zeros_like(p) for p in trained}, {p: torch.zeros_like(p) for p in trained}
    t = 0
    @torch.no_grad()
    def hook(p):
        nonlocal t
        if p is trained[-1]:
            t += 1
        p.mul_(1 - lr * weight_decay)
        m[p].mul_(betas[0]).add_(p.grad, alpha=1 - betas[0])
        v[p].mul_(betas[1]).addcmul_(p.grad, p.grad, value=1 - betas[1])
        p.sub_(lr * (m[p] / (1 - betas[0] ** t)) / ((v[p] / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in trained]

# %% wrong="B.2.5" why="the last output is counted with the graph's" breaks="output" says="As many as with"
def alive_at(i, k, way):
    if way in ("retain", "collected"):
        return k
    if way == "output":
        return i + (i < k - 1)
    return i

# %% wrong="B.2.1" why="layers without parameters are passed over on the way back" breaks="parameters" says="the gradient goes back through it"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        leaf = a.detach().requires_grad_()
        a = layer(leaf)
        pieces.append((layer, leaf, a))
    loss = F.mse_loss(a, Y)
    passed, = torch.autograd.grad(loss, a)
    for layer, leaf, out in reversed(pieces):
        if layer in optimizers:
            out.backward(passed)
            passed = leaf.grad
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="what is passed on is never set anew" breaks="parameters" says="has the shape of this output"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        leaf = a.detach().requires_grad_()
        a = layer(leaf)
        pieces.append((layer, leaf, a))
    loss = F.mse_loss(a, Y)
    passed, = torch.autograd.grad(loss, a)
    for layer, leaf, out in reversed(pieces):
        out.backward(passed)
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="a sum over the columns" breaks="parameters" says="not the sum over the columns"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X
    for layer in net:
        leaf = a.detach().requires_grad_()
        a = layer(leaf)
        pieces.append((layer, leaf, a))
    loss = ((a - Y) ** 2).sum(dim=1).mean()
    passed, = torch.autograd.grad(loss, a)
    for layer, leaf, out in reversed(pieces):
        out.backward(passed)
        passed = leaf.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="requires_grad_ without detach" breaks="parameters" says="got None or nothing"
def fused_by_hand(net, optimizers, X, Y):
    pieces, a = [], X.detach()
    for layer in net:
        leaf = a.requires_grad_()
        a = layer(leaf)
        pieces.append((layer, leaf, a))
    loss = F.mse_loss(a, Y)
    passed, = torch.autograd.grad(loss, a, retain_graph=True)
    for layer, leaf, out in reversed(pieces):
        out.backward(passed)
        passed = leaf.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.C" why="sorted names" breaks="order" says="in the order of the alphabet"
def arrival_order(net, X, Y):
    backward_pass(net, X, Y)
    return sorted(name for name, p in net.named_parameters() if p.requires_grad)

# %% wrong="B.2.3" why="the last gradient as the buffer" breaks="momentum" says="it holds the last one alone"
def attach_sgd(net, lr, momentum=0.0):
    last = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad.clone()
        p -= lr * (g + momentum * last.get(p, 0))
        if momentum:
            last[p] = g
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="the rate stands in the old step twice" breaks="momentum" says="multiplied by it once more"
def attach_sgd(net, lr, momentum=0.0):
    step = {}
    @torch.no_grad()
    def hook(p):
        if momentum:
            step[p] = lr * (p.grad + momentum * step.get(p, 0))
            p -= step[p]
        else:
            p -= lr * p.grad
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="weight decay that nobody asked for" breaks="rule" says="with the gradient 0"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad + 0.01 * p
        if momentum:
            v[p] = momentum * v.get(p, 0) + g
            g = v[p]
        p -= lr * g
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="the sign of the gradient" breaks="rule" says="the gradient itself, 0.4 and 0.8"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad.sign()
        if momentum:
            v[p] = momentum * v.get(p, 0) + g
            g = v[p]
        p -= lr * g
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="β t in place of β^t" breaks="rule" says="1 - 0.6 · 2 is not"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    b1, b2 = betas
    state = {}
    @torch.no_grad()
    def hook(p):
        m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
        t += 1
        p.mul_(1 - lr * weight_decay)
        m, v = b1 * m + (1 - b1) * p.grad, b2 * v + (1 - b2) * p.grad ** 2
        p.sub_(lr * (m / (1 - b1 * t)) / ((v / (1 - b2 * t)).sqrt() + eps))
        state[p] = m, v, t
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="v averages the absolute values" breaks="rule" says="g goes into v, not g²"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    b1, b2 = betas
    m, v, ts = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t = ts[p] = ts.get(p, 0) + 1
        p.mul_(1 - lr * weight_decay)
        m[p] = b1 * m.get(p, 0) + (1 - b1) * p.grad
        v[p] = b2 * v.get(p, 0) + (1 - b2) * p.grad.abs()
        p.sub_(lr * (m[p] / (1 - b1 ** t)) / ((v[p] / (1 - b2 ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="decays by a constant" breaks="weight decay" says="however large it is"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    b1, b2 = betas
    m, v, ts = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t = ts[p] = ts.get(p, 0) + 1
        p.sub_(lr * weight_decay)
        m[p] = b1 * m.get(p, 0) + (1 - b1) * p.grad
        v[p] = b2 * v.get(p, 0) + (1 - b2) * p.grad ** 2
        p.sub_(lr * (m[p] / (1 - b1 ** t)) / ((v[p] / (1 - b2 ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="the decay is divided by the root" breaks="weight decay" says="does not go through the division"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    b1, b2 = betas
    m, v, ts = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        t = ts[p] = ts.get(p, 0) + 1
        m[p] = b1 * m.get(p, 0) + (1 - b1) * p.grad
        v[p] = b2 * v.get(p, 0) + (1 - b2) * p.grad ** 2
        p.sub_(lr * (m[p] / (1 - b1 ** t) + weight_decay * p) / ((v[p] / (1 - b2 ** t)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.5" why="one less" breaks="plain" says="still holds its output i - 1"
def alive_at(i, k, way):
    return {"plain": max(i - 1, 0), "retain": k, "output": max(i - 1, 0) + 1, "collected": k}[way]

# %% wrong="B.2.5" why="the name out counts twice" breaks="output" says="not two"
def alive_at(i, k, way):
    return {"plain": i, "retain": k, "output": i + 2, "collected": k}[way]

# %% wrong="B.2.2" why="an optimizer for each shape" breaks="steps" says="Parameters of one shape share an optimizer"
def attach(optimizers):
    by_shape = {p.shape: one for p, one in optimizers.items()}

    def hook(p):
        by_shape[p.shape].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="the gradient is divided by the rows" breaks="same bits" says="p.grad goes into step() as it arrived"
def attach(optimizers):
    def hook(p):
        p.grad /= len(p)
        optimizers[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.4" why="one v for a whole parameter" breaks="rule" says="Each entry of a parameter has its own v"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {}

    @torch.no_grad()
    def hook(p):
        m, v, t = states.get(p, (0., 0., 0))
        m, v, t = betas[0] * m + (1 - betas[0]) * p.grad, betas[1] * v + (1 - betas[1]) * (p.grad ** 2).mean(), t + 1
        states[p] = m, v, t
        p.sub_(lr * weight_decay * p)
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None

    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.A" why="32 for each number" breaks="plain" says="These are bits"
def training_bytes(sizes, states, fused):
    p = sum(sizes)
    g = max(sizes) if fused else p
    return 32 * (p + g + states * p)

# %% wrong="B.2.A" why="adds states, once" breaks="state" says="here it is added, once"
def training_bytes(sizes, states, fused):
    p = sum(sizes)
    g = max(sizes) if fused else p
    return 4 * (p + g + states)

# %% wrong="B.2.A" why="one state too many" breaks="plain" says="one number too many"
def training_bytes(sizes, states, fused):
    p = sum(sizes)
    g = max(sizes) if fused else p
    return 4 * (p + g + (states + 1) * p)

# %% wrong="B.2.A" why="8 bytes for a number of the state" breaks="state" says="has 4 bytes, not 8"
def training_bytes(sizes, states, fused):
    p = sum(sizes)
    g = max(sizes) if fused else p
    return 4 * (p + g) + 8 * states * p

# %% wrong="B.2.B" why="returns the gradient of the weight" breaks="passed on" says="gradient of the layer's weight"
def through_piece(layer, a, above):
    x = a.detach().requires_grad_()
    out = layer(x)
    out.backward(above)
    return next(layer.parameters()).grad

# %% wrong="B.2.B" why="detaches the output" breaks="passed on" says="from a detached output no way leads back"
def through_piece(layer, a, above):
    x = a.detach().requires_grad_()
    out = layer(x).detach().requires_grad_()
    out.backward(above)
    return x.grad

# %% wrong="B.2.C" why="inserts at the front" breaks="order" says="order of the arrivals, backwards"
def arrival_order(net, X, Y):
    order = []
    names = {p: name for name, p in net.named_parameters()}
    handles = [p.register_post_accumulate_grad_hook(lambda p: order.insert(0, names[p])) for p in names if p.requires_grad]
    backward_pass(net, X, Y)
    for h in handles:
        h.remove()
    return order

# %% wrong="B.2.C" why="backward hooks of the modules" breaks="order" says="of each parameter by a hook of its own"
def arrival_order(net, X, Y):
    order, handles = [], []
    for name, module in net.named_modules():
        own = [f"{name}.{n}" if name else n for n, p in module.named_parameters(recurse=False) if p.requires_grad]
        if own:
            handles.append(module.register_full_backward_hook(lambda m, gi, go, own=own: order.extend(own)))
    backward_pass(net, X, Y)
    for h in handles:
        h.remove()
    return order

# %% wrong="B.2.D" why="1 in place of 0" breaks="own number" says="0 is a number as any other"
def multipliers(numbers):
    def make(k=None):
        k = k or 1
        return lambda x: k * x
    return [make(k) for k in numbers]

# %% wrong="B.2.3" why="the buffer is p.grad, which is overwritten" breaks="momentum" says="the old v has no part in it"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        if momentum:
            if p in v:
                v[p].mul_(momentum).add_(p.grad)
            else:
                v[p] = p.grad
            p.add_(v[p], alpha=-lr)
        else:
            p.add_(p.grad, alpha=-lr)
        p.grad.zero_()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="the buffer starts as the gradient and takes it in again" breaks="momentum" says="stands in the first v twice"
def attach_sgd(net, lr, momentum=0.0):
    v = {}
    @torch.no_grad()
    def hook(p):
        g = p.grad
        if momentum:
            v.setdefault(p, g.clone())
            v[p] = momentum * v[p] + g
            g = v[p]
        p.sub_(lr * g)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.4" why="t is a step behind, but at least 1" breaks="rule" says="t is still 1 in the second step"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v, t = {}, {}, {}
    @torch.no_grad()
    def hook(p):
        k = max(t.get(p, 0), 1)
        t[p] = t.get(p, 0) + 1
        g = p.grad
        p.mul_(1 - lr * weight_decay)
        m[p] = betas[0] * m.get(p, 0) + (1 - betas[0]) * g
        v[p] = betas[1] * v.get(p, 0) + (1 - betas[1]) * g ** 2
        p.sub_(lr * (m[p] / (1 - betas[0] ** k)) / ((v[p] / (1 - betas[1] ** k)).sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.6" why="the complement" breaks="fits" says="not the others"
one_pass = {"clip by the norm of all gradients", "skip the step if any gradient is not finite", "mean over two micro-batches"}


# %% wrong="B.2.B" why="a formula for Linear" breaks="passed on" says="A Tanh has no parameters"
def through_piece(layer, a, above):
    layer(a).backward(above)
    return above @ layer.weight.detach()


# %% wrong="B.2.B" why="autograd.grad for the input alone: the parameters get nothing" breaks="parameters" says="torch.autograd.grad does not"
def through_piece(layer, a, above):
    start = a.detach().requires_grad_()
    return torch.autograd.grad(layer(start), start, above)[0]


# %% wrong="B.2.D" why="returns after the first" breaks="one for each" says="There is a single function"
def multipliers(numbers):
    functions = []
    for number in numbers:
        functions.append(lambda x, number=number: number * x)
        return functions


# %% wrong="B.2.3" why="p = p - ... in the hook: a new tensor" breaks="rule" says="a hook changes `p` itself"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        step = p.grad
        p.grad = None
        if momentum:
            buffers[p] = step = momentum * buffers.get(p, 0) + step
        p = p - lr * step
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]


# %% right="B.2.4" how="running products in place of powers of beta"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    state = {}

    @torch.no_grad()
    def hook(p):
        m, v, one, two = state.get(p, (0., 0., 1., 1.))
        one, two = one * betas[0], two * betas[1]
        m = betas[0] * m + (1 - betas[0]) * p.grad
        v = betas[1] * v + (1 - betas[1]) * p.grad * p.grad
        state[p] = m, v, one, two
        p.copy_(p - lr * weight_decay * p - lr * (m / (1 - one)) / (torch.sqrt(v / (1 - two)) + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]


# %% right="B.2.1" how="a recursive function"
def fused_by_hand(net, optimizers, X, Y):
    layers, answer = list(net), []

    def back(place, a):
        start = a.detach().requires_grad_(place > 0)
        out = layers[place](start)
        if place + 1 < len(layers):
            passed = back(place + 1, out)
        else:
            top = out.detach().requires_grad_()
            loss = F.mse_loss(top, Y)
            answer.append(float(loss))
            passed, = torch.autograd.grad(loss, top)
        if out.requires_grad:
            out.backward(passed)
        if layers[place] in optimizers:
            optimizers[layers[place]].step()
            for p in layers[place].parameters():
                p.grad = None
        return start.grad
    back(0, X)
    return answer[0]

# %% wrong="B.2.1" why="gradients of layers whose turn is over, kept in a list" breaks="one layer at a time" says="keep none of them after its step"
def fused_by_hand(net, optimizers, X, Y):
    inputs, outputs = [], []
    a = X
    for layer in net:
        inputs.append(a.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        a = outputs[-1]
    grads = []
    top = a.detach().requires_grad_()
    loss = F.mse_loss(top, Y)
    loss.backward()
    passed = top.grad
    for layer, start, end in zip(reversed(net), reversed(inputs), reversed(outputs)):
        end.backward(passed)
        grads.append([p.grad for p in layer.parameters()])
        passed = start.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()
