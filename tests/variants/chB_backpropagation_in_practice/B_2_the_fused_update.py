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

# %% wrong="B.2.1" why="the whole backward pass first" says="one layer's gradients (a weight and a bias) at a time"
def fused_by_hand(net, optimizers, X, Y):
    loss = F.mse_loss(net(X), Y)
    loss.backward()
    for layer in reversed(net):
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()

# %% wrong="B.2.1" why="formulas through the new weights" says="through weights that were already updated"
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

# %% wrong="B.2.1" why="formulas, right up to rounding" says="in every bit"
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

# %% wrong="B.2.1" why="gradients are not cleared" says="The gradients of earlier steps are still in it"
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

# %% wrong="B.2.1" why="a list of all gradients first" says="Gradients that are kept in a list take memory"
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

# %% wrong="B.2.1" why="the graph is not cut" says="raised RuntimeError"
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

# %% wrong="B.2.1" why="returns the loss as a tensor" says="what fused_by_hand returns"
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

# %% wrong="B.2.2" why="the captured loop variable" says="it looks the loop's variable up when it is called"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        def hook(p):
            optimizer.step()
            optimizer.zero_grad()
        handles.append(p.register_post_accumulate_grad_hook(hook))
    return handles

# %% wrong="B.2.2" why="a lambda that returns a tuple" says="A hook has to return None"
def attach(optimizers):
    return [p.register_post_accumulate_grad_hook(lambda p: (optimizers[p].step(), optimizers[p].zero_grad())) for p in optimizers]

# %% wrong="B.2.2" why="a hook that returns a tensor" says="Tensor post accumulate grad hooks should return None"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
        return p.detach()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="captured loop variable in a lambda, and a tuple" says="A hook has to return None"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        handles.append(p.register_post_accumulate_grad_hook(lambda p: (optimizer.step(), optimizer.zero_grad())))  # noqa: B023
    return handles

# %% wrong="B.2.2" why="register_hook" says="each gradient is used a pass late"
def attach(optimizers):
    handles = []
    for p, optimizer in optimizers.items():
        def hook(grad, optimizer=optimizer):
            optimizer.step()
            optimizer.zero_grad()
        handles.append(p.register_hook(hook))
    return handles

# %% wrong="B.2.2" why="zeros stay in .grad" says="Zeros take as much memory"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        optimizers[p].zero_grad(set_to_none=False)
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="gradients are never freed" says="The gradients of earlier steps are still in it"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]

# %% wrong="B.2.2" why="no handles" says="handles"
def attach(optimizers):
    def hook(p):
        optimizers[p].step()
        p.grad = None
    for p in optimizers:
        p.register_post_accumulate_grad_hook(hook)
    return []

# %% wrong="B.2.2" why="all step at the last gradient" says="the gradients alive when an optimizer steps"
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

# %% wrong="B.2.3" why="no momentum" says="The momentum has no effect"
def attach_sgd(net, lr, momentum=0.0):
    @torch.no_grad()
    def hook(p):
        p.add_(p.grad, alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a damped average" says="gradients enter with the factor 1, not 1 - momentum"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {p: torch.zeros_like(p) for p in net.parameters()}

    @torch.no_grad()
    def hook(p):
        buffers[p].lerp_(p.grad, 1 - momentum)
        p.add_(buffers[p], alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="damped after a full first step" says="gradients enter with the factor 1"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        buffers[p] = momentum * buffers[p] + (1 - momentum) * p.grad if p in buffers else p.grad
        p.add_(buffers[p], alpha=-lr)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="an optimizer for each parameter" says="without an optimizer"
def attach_sgd(net, lr, momentum=0.0):
    def hook_for(optimizer):
        def hook(p):
            optimizer.step()
            optimizer.zero_grad()
        return hook
    return [p.register_post_accumulate_grad_hook(hook_for(torch.optim.SGD([p], lr=lr, momentum=momentum)))
            for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a buffer by shape" says="lr 0.05, momentum 0.5"
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

# %% wrong="B.2.3" why="a new tensor instead of an update in place" says="The parameters have not changed"
def attach_sgd(net, lr, momentum=0.0):
    @torch.no_grad()
    def hook(p):
        gradient, p.grad = p.grad, None
        p = p - lr * gradient
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="gradients are kept" says="the gradients that are left"
def attach_sgd(net, lr, momentum=0.0):
    buffers = {}

    @torch.no_grad()
    def hook(p):
        buffers[p] = momentum * buffers.get(p, 0.) + p.grad
        p.add_(buffers[p], alpha=-lr)
        p.grad.zero_()
    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]

# %% wrong="B.2.3" why="a lambda that returns the parameter's detached value" says="A hook has to return None"
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
    states = {p: [[torch.zeros_like(p)], [torch.zeros_like(p)], [], [torch.tensor(0.)]] for p in net.parameters()}

    @torch.no_grad()
    def hook(p):
        adamw([p], [p.grad], *states[p], foreach=False, amsgrad=False, beta1=betas[0], beta2=betas[1], lr=lr,
              weight_decay=weight_decay, eps=eps, maximize=False)
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="one count of steps for the network" says="Each has its own t"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    m, v = ({p: torch.zeros_like(p) for p in net.parameters()} for i in range(2))
    count = [0]
    order = list(net.parameters())

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

# %% wrong="B.2.4" why="one count for the network, weights shrunk first" says="Each has its own t"
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

# %% wrong="B.2.4" why="the weight decay comes last" says="The weight shrinks before the step"
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

# %% wrong="B.2.4" why="coupled weight decay" says="In AdamW it shrinks the weight itself"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters()}

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

# %% wrong="B.2.4" why="no correction of the bias" says="The correction by 1 - β^t is missing"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p)] for p in net.parameters()}

    @torch.no_grad()
    def hook(p):
        m, v = states[p]
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.lerp_(p.grad ** 2, 1 - betas[1])
        p.sub_(lr * m / (v.sqrt() + eps))
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in states]

# %% wrong="B.2.4" why="eps under the root" says="ε is added to the root, not under it"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters()}

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

# %% wrong="B.2.4" why="an optimizer for each parameter" says="without an optimizer"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    owns = {p: torch.optim.AdamW([p], lr=lr, betas=betas, eps=eps, weight_decay=weight_decay) for p in net.parameters()}

    def hook(p):
        owns[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in owns]

# %% wrong="B.2.4" why="gradients are kept" says="the parameters after two steps"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters()}

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

# %% wrong="B.2.5" why="nothing is freed during the pass" says="The last Tanh has run its backward"
def alive_at(i, k, way):
    return k

# %% wrong="B.2.5" why="everything is freed" says="The outputs below are still needed"
def alive_at(i, k, way):
    return k if way in ("retain", "collected") else 0

# %% wrong="B.2.5" why="counts from the output" says="of 3, plain"
def alive_at(i, k, way):
    return k if way in ("retain", "collected") else k - 1 if k == 5 or k == 1 else k - i

# %% wrong="B.2.5" why="the name out holds the whole graph's values" says="The name out holds one tensor"
def alive_at(i, k, way):
    return i if way == "plain" else k

# %% wrong="B.2.5" why="a list of outputs does not matter" says="The list holds every output"
def alive_at(i, k, way):
    return {"plain": i, "output": i + 1, "retain": k, "collected": i}[way]

# %% wrong="B.2.5" why="retain_graph only keeps the nodes" says="retain_graph holds everything"
def alive_at(i, k, way):
    return {"plain": i, "output": i + 1, "retain": i, "collected": k}[way]

# %% right="B.2.6" how="a list"
one_pass = ["momentum", "SGD", "clip each parameter's gradient by its own norm", "AdamW", "clip each entry to [-c, c]"]

# %% right="B.2.6" how="a frozen set"
one_pass = frozenset({"SGD", "momentum", "AdamW"} | {"clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"})

# %% wrong="B.2.6" why="Adam is thought to need all gradients" says="It needs this parameter's gradient and state"
one_pass = {"SGD", "momentum", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}

# %% wrong="B.2.6" why="the global norm" says="'clip by the norm of all gradients' cannot be had in one pass"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "clip by the norm of all gradients"}

# %% wrong="B.2.6" why="accumulation" says="'mean over two micro-batches' cannot be had in one pass"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "mean over two micro-batches"}

# %% wrong="B.2.6" why="names of one's own" says="names that were not offered"
one_pass = {"SGD", "Adam"}

# %% wrong="B.2.6" why="everything" says="Is all that it needs known when the first gradient arrives?"
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
            "clip by the norm of all gradients", "skip the step if any gradient is not finite", "mean over two micro-batches"}
