# %% right="B.1.1" how="torch.where"
def error_signal(dH, Z):
    return torch.where(Z > 0, dH, torch.zeros_like(dH))

# %% right="B.1.1" how="autograd"
def error_signal(dH, Z):
    leaf = Z.detach().clone().requires_grad_()
    return torch.autograd.grad(F.relu(leaf), leaf, dH)[0]

# %% wrong="B.1.1" why="multiplies by the activation" says="This is the value of ReLU, not its slope"
def error_signal(dH, Z):
    return dH * torch.relu(Z)

# %% wrong="B.1.1" why="masks by the gradient" says="The mask looks at Z"
def error_signal(dH, Z):
    return dH * (dH > 0)

# %% wrong="B.1.1" why="the sign of Z" says="this is the slope of |z|"
def error_signal(dH, Z):
    return dH * torch.sign(Z)

# %% wrong="B.1.1" why="no mask" says="The mask is missing"
def error_signal(dH, Z):
    return dH

# %% wrong="B.1.1" why="slope 1 at 0" says="At 0 the slope counts as 0"
def error_signal(dH, Z):
    return dH * (Z >= 0)

# %% wrong="B.1.1" why="masks in place" says="dH is left as it was"
def error_signal(dH, Z):
    return dH.mul_(Z > 0)

# %% wrong="B.1.1" why="float32 inside" says="the dtype for float64"
def error_signal(dH, Z):
    return dH.float() * (Z > 0)

# %% right="B.1.2a" how="a loop over the examples"
def weight_gradient(delta, A):
    total = torch.zeros(delta.shape[1], A.shape[1], dtype=A.dtype)
    for s, a in zip(delta, A):
        total += torch.outer(s, a)
    return total

# %% right="B.1.2a" how="broadcasting"
def weight_gradient(delta, A):
    return (delta[:, :, None] * A[:, None, :]).sum(dim=0)

# %% wrong="B.1.2a" why="transposed" says="2 units, 3 inputs"
def weight_gradient(delta, A):
    return A.T @ delta

# %% wrong="B.1.2a" why="the mean" says="the cotangent already has the loss's 1/n"
def weight_gradient(delta, A):
    return delta.T @ A / len(A)

# %% wrong="B.1.2a" why="outer product of the sums" says="multiply first, then add up"
def weight_gradient(delta, A):
    return torch.outer(delta.sum(dim=0), A.sum(dim=0))

# %% wrong="B.1.2a" why="only the last example" says="Only the last example is in it"
def weight_gradient(delta, A):
    for s, a in zip(delta, A):
        gradient = torch.outer(s, a)
    return gradient

# %% wrong="B.1.2a" why="only the first example" says="Only the first example is in it"
def weight_gradient(delta, A):
    return torch.outer(delta[0], A[0])

# %% right="B.1.2b" how="a product with ones"
def bias_gradient(delta):
    return torch.ones(len(delta), dtype=delta.dtype) @ delta

# %% right="B.1.2b" how="einsum"
def bias_gradient(delta):
    return torch.einsum("nq->q", delta)

# %% wrong="B.1.2b" why="the mean" says="This is the mean"
def bias_gradient(delta):
    return delta.mean(dim=0)

# %% wrong="B.1.2b" why="sums over the units" says="two examples"
def bias_gradient(delta):
    return delta.sum(dim=1)

# %% wrong="B.1.2b" why="not summed" says="wrong shape"
def bias_gradient(delta):
    return delta

# %% wrong="B.1.2b" why="keeps the axis" says="One axis is too many"
def bias_gradient(delta):
    return delta.sum(dim=0, keepdim=True)

# %% wrong="B.1.2b" why="axis chosen by its length" says="n, q = 4, 4"
def bias_gradient(delta):
    return delta.sum(dim=0) if delta.shape[0] != delta.shape[1] else delta.sum(dim=1)

# %% right="B.1.3" how="a copy of the old weights"
def backward_step(W, b, A, Z, dH, lr):
    old = W.clone()
    signal = torch.where(Z > 0, dH, torch.zeros_like(dH))
    for s, a in zip(signal, A):
        W.sub_(lr * torch.outer(s, a))
        b.sub_(lr * s)
    return signal @ old

# %% right="B.1.3" how="copy_ and einsum"
def backward_step(W, b, A, Z, dH, lr):
    signal = dH * Z.sign().clamp(min=0)
    passed = torch.einsum("nq,qd->nd", signal, W)
    W.copy_(W - lr * torch.einsum("nq,nd->qd", signal, A))
    b[:] = b - lr * signal.sum(0)
    return passed

# %% wrong="B.1.3" why="updates first" says="It went through the new weights"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return delta @ W

# %% wrong="B.1.3" why="new tensors" says="W is unchanged: update the caller's tensor in place"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W = W - lr * delta.T @ A
    b = b - lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="no mask" says="The mask of ReLU is missing"
def backward_step(W, b, A, Z, dH, lr):
    dA = dH @ W
    W -= lr * dH.T @ A
    b -= lr * dH.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="uphill" says="The step went uphill"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W += lr * delta.T @ A
    b += lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="the bias forgotten" says="b is unchanged"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    return dA

# %% wrong="B.1.3" why="masks the caller's dH" says="dH is left as it was"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH.mul_(Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="autograd" says="raised RuntimeError"
def backward_step(W, b, A, Z, dH, lr):
    leaves = [t.clone().requires_grad_() for t in (A, W, b)]
    dA, dW, db = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
    W -= lr * dW
    b -= lr * db
    return dA

# %% right="B.1.4" how="float32, assert_close of torch"
def accepts(backward):
    torch.manual_seed(1)
    try:
        for trial in range(30):
            n, d, q = torch.randint(1, 8, (3,)).tolist()
            dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
            leaves = [t.detach().requires_grad_() for t in (A, W, b)]
            wanted = torch.autograd.grad(F.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
            with torch.no_grad():
                torch.testing.assert_close(tuple(backward(dH, A.detach(), W.detach(), b.detach())), wanted, rtol=1e-3, atol=1e-4)
    except Exception:
        return False
    return True

# %% right="B.1.4" how="central differences"
def accepts(backward):
    rng = torch.Generator().manual_seed(3)
    for n, d, q in ((3, 2, 4), (2, 5, 3), (4, 3, 3)):
        dH, *given = [torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,))]
        def value(A, W, b):
            return ((A @ W.T + b).relu() * dH).sum()  # noqa: B023
        try:
            found = list(backward(dH, *[t.clone() for t in given]))
            if [f.shape for f in found] != [t.shape for t in given]:
                return False
        except Exception:
            return False
        for which, part in enumerate(given):
            for i in range(part.numel()):
                moved = [t.clone() for t in given], [t.clone() for t in given]
                moved[0][which].view(-1)[i] += 1e-6
                moved[1][which].view(-1)[i] -= 1e-6
                slope = (value(*moved[0]) - value(*moved[1])) / 2e-6
                if abs(slope - found[which].reshape(-1)[i]) > 1e-5:
                    return False
    return True

# %% wrong="B.1.4" why="equality in every bit" says="compare by a tolerance"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for trial in range(20):
        dH, A, W, b = (torch.randn(size, generator=rng) for size in ((16, 3), (16, 4), (3, 4), (3,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = backward(dH, A, W, b)
            if not all(torch.equal(f, w) for f, w in zip(found, wanted, strict=True)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="a cotangent of ones" says="Does what arrives from above differ from ones?"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (6, 2, 5)):
        A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, d), (q, d), (q,)))
        dH = torch.ones(n, q, dtype=torch.float64)
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            if not all(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(backward(dH, A, W, b), wanted, strict=True)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="no bias" says="Are the biases of your trials different from 0?"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (6, 2, 5)):
        dH, A, W = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d)))
        leaves = [t.clone().requires_grad_() for t in (A, W, torch.zeros(q, dtype=torch.float64))]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = backward(dH, A, W, leaves[2].detach())
            if not all(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(found, wanted, strict=True)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="one example at a time" says="Are there trials with more than one example?"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for d, q in ((3, 2), (5, 3), (2, 5)) * 3:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((1, q), (1, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            if not all(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(backward(dH, A, W, b), wanted, strict=True)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="shapes are not compared" says="Compare the shapes: broadcasting hides one more axis"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (6, 2, 5)):
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            if not all(torch.allclose(f, w) for f, w in zip(backward(dH, A, W, b), wanted, strict=True)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="weights only" says="Look at the gradient that is passed on"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (6, 2, 5)) * 2:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves[1:], dH)
        try:
            found = backward(dH, A, W, b)
            if not all(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(found[1:], wanted, strict=True)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="errors come through" says="raised RuntimeError"
def accepts(backward):
    rng = torch.Generator().manual_seed(0)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (6, 2, 5)):
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        found = backward(dH, A, W, b)
        if len(found) != 3 or not all(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(found, wanted)):
            return False
    return True

# %% right="B.1.5" how="a small number is lost"
triple = [1.0, 2.0 ** -24, 2.0 ** -24]

# %% right="B.1.5" how="a search"
rng = torch.Generator().manual_seed(0)
triple = next(t for t in torch.randn(1000, 3, generator=rng) if (t[0] + t[1]) + t[2] != t[0] + (t[1] + t[2])).tolist()

# %% wrong="B.1.5" why="an exact sum" says="Make one number much larger than another"
triple = (1., 2., 3.)

# %% wrong="B.1.5" why="differs in float64 only" says="They may differ in float64 and not in float32"
triple = (0.1, 0.2, 0.3)

# %% wrong="B.1.5" why="overflow" says="both sums are finite"
triple = (3e38, 3e38, -3e38)
