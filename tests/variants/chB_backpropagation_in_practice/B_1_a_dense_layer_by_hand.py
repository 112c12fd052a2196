# Variants of the answers of solutions/chB_backpropagation_in_practice/B_1_a_dense_layer_by_hand.py.

# %% right="B.1.A" how="lists"
def shapes_owed(n, d, q):
    return [[q, d], [q], [n, d]]

# %% right="B.1.A" how="the shapes of tensors"
def shapes_owed(n, d, q):
    return torch.zeros(q, d).shape, torch.zeros(q).shape, torch.zeros(n, d).shape

# %% wrong="B.1.A" why="weight transposed" breaks="weights" says="a row for each unit"
def shapes_owed(n, d, q):
    return (d, q), (q,), (n, d)

# %% wrong="B.1.A" why="the examples are not summed" breaks="weights" says="The examples are added up"
def shapes_owed(n, d, q):
    return (n, q, d), (q,), (n, d)

# %% wrong="B.1.A" why="the bias as a row" breaks="bias" says="one axis"
def shapes_owed(n, d, q):
    return (q, d), (1, q), (n, d)

# %% wrong="B.1.A" why="the bias as a number" breaks="bias" says="the shape for b"
def shapes_owed(n, d, q):
    return (q, d), (q), (n, d)

# %% wrong="B.1.A" why="like what arrives" breaks="activations" says="not for each unit"
def shapes_owed(n, d, q):
    return (q, d), (q,), (n, q)

# %% wrong="B.1.A" why="activations first" breaks="weights" says="W comes first"
def shapes_owed(n, d, q):
    return (n, d), (q, d), (q,)

# %% right="B.1.1" how="torch.where"
def error_signal(dH, Z):
    return torch.where(Z > 0, dH, torch.zeros_like(dH))

# %% right="B.1.1" how="autograd"
def error_signal(dH, Z):
    leaf = Z.detach().clone().requires_grad_()
    return torch.autograd.grad(F.relu(leaf), leaf, dH)[0]

# %% right="B.1.1" how="a copy with zeros"
def error_signal(dH, Z):
    delta = dH.clone()
    delta[Z <= 0] = 0
    return delta

# %% wrong="B.1.1" why="multiplies by the activation" breaks="mask" says="This is the value of ReLU, not its slope"
def error_signal(dH, Z):
    return dH * torch.relu(Z)

# %% wrong="B.1.1" why="masks by the gradient" breaks="mask" says="The mask looks at Z"
def error_signal(dH, Z):
    return dH * (dH > 0)

# %% wrong="B.1.1" why="the sign of Z" breaks="mask" says="this is the slope of |z|"
def error_signal(dH, Z):
    return dH * torch.sign(Z)

# %% wrong="B.1.1" why="no mask" breaks="mask" says="The mask is missing"
def error_signal(dH, Z):
    return dH

# %% wrong="B.1.1" why="the mask alone" breaks="mask" says="the gradient that arrives is missing"
def error_signal(dH, Z):
    return (Z > 0).to(dH.dtype)

# %% wrong="B.1.1" why="the wrong way round" breaks="mask" says="the wrong way round"
def error_signal(dH, Z):
    return dH * (Z <= 0)

# %% wrong="B.1.1" why="relu of the product" breaks="mask" says="A negative gradient passes"
def error_signal(dH, Z):
    return torch.relu(dH) * (Z > 0)

# %% wrong="B.1.1" why="slope 1 at 0" breaks="corner" says="At 0 the slope counts as 0"
def error_signal(dH, Z):
    return dH * (Z >= 0)

# %% wrong="B.1.1" why="one half at 0" breaks="corner" says="not as one half"
def error_signal(dH, Z):
    return dH * (Z.sign() + 1) / 2

# %% wrong="B.1.1" why="masks in place" breaks="arguments kept" says="dH after the call"
def error_signal(dH, Z):
    return dH.mul_(Z > 0)

# %% wrong="B.1.1" why="overwrites Z" breaks="arguments kept" says="Z after the call"
def error_signal(dH, Z):
    return Z.gt_(0).mul_(dH)

# %% wrong="B.1.1" why="float32 inside" breaks="dtype" says="the dtype for float64"
def error_signal(dH, Z):
    return dH.float() * (Z > 0)

# %% right="B.1.B" how="broadcasting"
def contribution(delta, A, i):
    return delta[i][:, None] * A[i][None, :]

# %% right="B.1.B" how="a product of a column and a row"
def contribution(delta, A, i):
    return delta[i:i + 1].T @ A[i:i + 1]

# %% wrong="B.1.B" why="transposed" breaks="shape" says="Units along the rows"
def contribution(delta, A, i):
    return torch.outer(A[i], delta[i])

# %% wrong="B.1.B" why="an axis for the example" breaks="shape" says="no axis for the example"
def contribution(delta, A, i):
    return (delta[:, :, None] * A[:, None, :])[i:i + 1]

# %% wrong="B.1.B" why="all examples" breaks="this example alone" says="all examples together"
def contribution(delta, A, i):
    return delta.T @ A

# %% wrong="B.1.B" why="always the first example" breaks="this example alone" says="example 0, whichever"
def contribution(delta, A, i):
    return torch.outer(delta[0], A[0])

# %% wrong="B.1.B" why="divided by n" breaks="this example alone" says="not divided by n"
def contribution(delta, A, i):
    return torch.outer(delta[i], A[i]) / len(A)

# %% right="B.1.2a" how="a loop over the examples"
def weight_gradient(delta, A):
    total = torch.zeros(delta.shape[1], A.shape[1], dtype=A.dtype)
    for s, a in zip(delta, A):
        total += torch.outer(s, a)
    return total

# %% right="B.1.2a" how="broadcasting"
def weight_gradient(delta, A):
    return (delta[:, :, None] * A[:, None, :]).sum(dim=0)

# %% wrong="B.1.2a" why="transposed" breaks="shape" says="It is transposed"
def weight_gradient(delta, A):
    return A.T @ delta

# %% wrong="B.1.2a" why="not summed" breaks="shape" says="not added up: the axis of the examples"
def weight_gradient(delta, A):
    return delta[:, :, None] * A[:, None, :]

# %% wrong="B.1.2a" why="the mean" breaks="sum over the examples" says="what arrives already has the loss's 1/n"
def weight_gradient(delta, A):
    return delta.T @ A / len(A)

# %% wrong="B.1.2a" why="outer product of the sums" breaks="sum over the examples" says="multiply first, then add up"
def weight_gradient(delta, A):
    return torch.outer(delta.sum(dim=0), A.sum(dim=0))

# %% wrong="B.1.2a" why="only the last example" breaks="sum over the examples" says="Only the last example is in it"
def weight_gradient(delta, A):
    for s, a in zip(delta, A):
        gradient = torch.outer(s, a)
    return gradient

# %% wrong="B.1.2a" why="only the first example" breaks="sum over the examples" says="Only the first example is in it"
def weight_gradient(delta, A):
    return torch.outer(delta[0], A[0])

# %% wrong="B.1.2a" why="two examples only" breaks="sum over the examples" says="The last example is missing"
def weight_gradient(delta, A):
    return delta[:2].T @ A[:2]

# %% right="B.1.2b" how="a product with ones"
def bias_gradient(delta):
    return torch.ones(len(delta), dtype=delta.dtype) @ delta

# %% right="B.1.2b" how="einsum"
def bias_gradient(delta):
    return torch.einsum("nq->q", delta)

# %% wrong="B.1.2b" why="the mean" breaks="sum over the examples" says="This is the mean"
def bias_gradient(delta):
    return delta.mean(dim=0)

# %% wrong="B.1.2b" why="sums over the units" breaks="shape" says="an entry for each unit"
def bias_gradient(delta):
    return delta.sum(dim=1)

# %% wrong="B.1.2b" why="not summed" breaks="shape" says="wrong shape"
def bias_gradient(delta):
    return delta

# %% wrong="B.1.2b" why="keeps the axis" breaks="shape" says="It has one axis"
def bias_gradient(delta):
    return delta.sum(dim=0, keepdim=True)

# %% wrong="B.1.2b" why="squeezed" breaks="shape" says="2 examples, 1 unit"
def bias_gradient(delta):
    return delta.sum(dim=0).squeeze()

# %% wrong="B.1.2b" why="one number" breaks="shape" says="It has one axis"
def bias_gradient(delta):
    return delta.sum()

# %% wrong="B.1.2b" why="first example" breaks="sum over the examples" says="Only the first example"
def bias_gradient(delta):
    return delta[0]

# %% wrong="B.1.2b" why="axis chosen by its length" breaks="sum over the examples" says="not over the units"
def bias_gradient(delta):
    return delta.sum(dim=0) if delta.shape[0] != delta.shape[1] or len(delta) == 1 else delta.sum(dim=1)

# %% right="B.1.C" how="einsum"
def passed_on(delta, W):
    return torch.einsum("nq,qd->nd", delta, W)

# %% right="B.1.C" how="broadcasting"
def passed_on(delta, W):
    return (delta[:, :, None] * W[None]).sum(dim=1)

# %% wrong="B.1.C" why="transposed result" breaks="shape" says="the shape for"
def passed_on(delta, W):
    return (delta @ W).T

# %% wrong="B.1.C" why="summed over the examples" breaks="shape" says="the shape for"
def passed_on(delta, W):
    return (delta @ W).sum(dim=0)

# %% wrong="B.1.C" why="forward's transpose where it fits" breaks="values" says="that was forward"
def passed_on(delta, W):
    return delta @ W.T if W.shape[0] == W.shape[1] else delta @ W

# %% wrong="B.1.C" why="the mean" breaks="values" says="divided by the number of examples"
def passed_on(delta, W):
    return delta @ W / len(delta)

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

# %% right="B.1.3" how="autograd for the three gradients"
def backward_step(W, b, A, Z, dH, lr):
    leaves = [t.clone().requires_grad_() for t in (A, W, b)]
    dA, dW, db = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
    W -= lr * dW
    b -= lr * db
    return dA

# %% wrong="B.1.3" why="updates first" breaks="old weights" says="It went through the new weights"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return delta @ W

# %% wrong="B.1.3" why="keeps a second name, not a copy" breaks="old weights" says="It went through the new weights"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    old = W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return delta @ old

# %% wrong="B.1.3" why="new tensors" breaks="W in place" says="W is unchanged: update the caller's tensor in place"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W = W - lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="no mask in what is passed on" breaks="mask" says="The mask of ReLU is missing"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = dH @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="no mask" breaks="mask" says="The mask of ReLU is missing"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="slope 1 at 0" breaks="mask" says="Where Z is 0 the slope counts as 0"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z >= 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="uphill" breaks="W in place" says="The step went uphill"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W += lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="the rate forgotten" breaks="W in place" says="The learning rate is missing"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="the mean over the examples" breaks="W in place" says="The step of W used the mean"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A / len(A)
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="the bias forgotten" breaks="b in place" says="b is unchanged"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    return dA

# %% wrong="B.1.3" why="the bias without mask" breaks="b in place" says="b after the call"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * dH.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="masks the caller's dH" breaks="arguments kept" says="dH after the call"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH.mul_(Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.3" why="writes the result into A" breaks="arguments kept" says="A after the call"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return A.copy_(dA)

# %% right="B.1.D" how="sums of squares, a tensor"
def relative_difference(found, right):
    return ((found - right) ** 2).sum().sqrt() / (right ** 2).sum().sqrt()

# %% right="B.1.D" how="linalg"
def relative_difference(found, right):
    return float(torch.linalg.vector_norm(found - right) / torch.linalg.vector_norm(right))

# %% wrong="B.1.D" why="the absolute one" breaks="value" says="is not relative"
def relative_difference(found, right):
    return (found - right).norm()

# %% wrong="B.1.D" why="divides by found" breaks="value" says="not by that of found"
def relative_difference(found, right):
    return (found - right).norm() / found.norm()

# %% wrong="B.1.D" why="no root" breaks="value" says="This is the square"
def relative_difference(found, right):
    return ((found - right) ** 2).sum() / (right ** 2).sum()

# %% wrong="B.1.D" why="the largest entries" breaks="value" says="The largest entries are not the norm"
def relative_difference(found, right):
    return (found - right).abs().max() / right.abs().max()

# %% wrong="B.1.D" why="difference of the norms" breaks="value" says="not the difference of the norms"
def relative_difference(found, right):
    return abs(found.norm() - right.norm()) / right.norm()

# %% wrong="B.1.D" why="entry by entry" breaks="number" says="One number for the whole array"
def relative_difference(found, right):
    return (found - right) / right.norm()

# %% wrong="B.1.D" why="a tensor of one entry" breaks="number" says="One number for the whole array"
def relative_difference(found, right):
    return ((found - right).norm() / right.norm()).reshape(1)

# %% right="B.1.4" how="float32, assert_close of torch"
def accepts(backward):
    torch.manual_seed(1)
    try:
        for trial in range(1500):
            n, d, q = torch.randint(1, 7, (3,)).tolist()
            dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
            leaves = [t.detach().requires_grad_() for t in (A, W, b)]
            wanted = torch.autograd.grad(F.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
            with torch.no_grad():
                torch.testing.assert_close(tuple(backward(dH, A.detach(), W.detach(), b.detach())), wanted, rtol=1e-3, atol=1e-4)
    except Exception:
        return False
    return True

# %% right="B.1.4" how="formulas instead of autograd"
def accepts(backward):
    for seed in range(250):
        torch.manual_seed(seed)
        n, d, q = 1 + seed % 5, 1 + seed // 5 % 5, 1 + seed // 25 % 5
        dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
        s = dH * (A @ W.T + b > 0)
        wanted = s @ W, s.T @ A, s.sum(0)
        try:
            found = backward(dH, A, W, b)
            if len(found) != 3:
                return False
            for f, w in zip(found, wanted):
                if f.shape != w.shape or (f - w).norm() > 1e-4 * w.norm() + 1e-6:
                    return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="equality in every bit" breaks="right ones" says="compare by a tolerance"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float32) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.equal(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="refuses everything" breaks="right ones" says="a right function"
def accepts(backward):
    return False

# %% wrong="B.1.4" why="a single case of plus and minus" breaks="mask" says="dH"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        dH = dH.abs()
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="a cotangent of ones" breaks="mask" says="Does what arrives from above differ from ones?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        dH = torch.ones_like(dH)
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="no bias" breaks="mask" says="Are the biases of your trials different from 0?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        b = 0 * b
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="all units on" breaks="mask" says="Are there units in your trials that are switched off?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        b = b + 100
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="one example at a time" breaks="sums" says="Are there trials with more than one example?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(1, d, q) for d in range(1, 6) for q in range(1, 6)] * 16:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="directions only" breaks="each gradient" says="compare its size, not the direction alone"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f / f.norm().clamp(min=1e-9), w / w.norm().clamp(min=1e-9)) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="weights and biases only" breaks="each gradient" says="Is dA compared"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found[1:], wanted[1:])):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="one gradient is enough" breaks="each gradient" says="refuses none that has a single one"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted] or not any(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
            if not all(True for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="dW is not compared" breaks="each gradient" says="Is dW compared?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found[::2], wanted[::2])):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="the sign is not compared" breaks="each gradient" says="Is db compared"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f.abs(), w.abs()) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="square shapes only" breaks="every size" says="Are there trials with d ≠ q?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, n, n) for n in range(1, 6)] * 20 + [(8, 8, 8)] * 20:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="all sizes different" breaks="every size" says="Are there trials with n = q?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(4, 3, 2), (5, 2, 3), (6, 5, 4), (20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="sizes from 2" breaks="every size" says="Are there trials with q = 1?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(2, 6) for d in range(1, 6) for q in range(2, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="never a single example" breaks="every size" says="Are there trials with n = 1?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(2, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="a single trial" breaks="rare mistakes" says="hold at least 1,000 different entries"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(20, 6, 10)]:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="whole numbers" breaks="rare mistakes" says="these are whole numbers"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        dH, A, W, b = ((2 * t).round() for t in (dH, A, W, b))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="wide tolerance" breaks="each gradient" says="Is your tolerance too wide?"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all((f - w).norm() < 0.6 * w.norm() + 1e-6 for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="shapes are not compared" breaks="form" says="Compare the shapes: broadcasting hides one more axis"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if len(found) != 3:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="two are enough" breaks="form" says="Count the gradients"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted][:len(found)]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="what comes besides does not matter" breaks="form" says="Count the gradients"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if len(found) < 3 or [f.shape for f in found[:3]] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.4" why="errors come through" breaks="form" says="ValueError"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        if True:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
    return True

# %% wrong="B.1.4" why="an error is taken for a pass" breaks="form" says="the answer is False"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return True
    return True

# %% right="B.1.5" how="a small number is lost"
triple = [1.0, 3e-8, 4e-8]

# %% right="B.1.5" how="a search"
rng = torch.Generator().manual_seed(0)
triple = next(t for t in torch.randn(1000, 3, generator=rng) if (t[0] + t[1]) + t[2] != t[0] + (t[1] + t[2])).tolist()

# %% right="B.1.5" how="whole numbers"
triple = (2 ** 24, 1, 1)

# %% wrong="B.1.5" why="an exact sum" breaks="two sums" says="lost in one order and kept in the other"
triple = (1., 2., 3.)

# %% wrong="B.1.5" why="differs in float64 only" breaks="two sums" says="Sums may differ in float64 and not in float32"
triple = (0.1, 0.2, 0.3)

# %% wrong="B.1.5" why="overflow" breaks="two sums" says="both sums are finite"
triple = (3e38, 3e38, -3e38)

# %% wrong="B.1.5" why="infinite" breaks="three numbers" says="finite in float32"
triple = (1e39, 1., -1.)

# %% wrong="B.1.5" why="that of the page" breaks="three numbers" says="one of your own"
triple = (1e8, -1e8, 1.)

# %% wrong="B.1.5" why="four numbers" breaks="three numbers" says="how many numbers"
triple = (1e9, -1e9, 1., 1.)

# %% wrong="B.1.1" why="the size of what arrives" breaks="mask" says="The sign of what arrives is lost"
def error_signal(dH, Z):
    return dH.abs() * (Z > 0)

# %% wrong="B.1.1" why="a steep sigmoid" breaks="corner" says="not as one half"
def error_signal(dH, Z):
    return dH * torch.sigmoid(1000 * Z)

# %% right="B.1.1" how="heaviside"
def error_signal(dH, Z):
    return torch.heaviside(Z, torch.zeros((), dtype=Z.dtype)) * dH

# %% wrong="B.1.D" why="mean absolute values" breaks="value" says="not sums or means of absolute values"
def relative_difference(found, right):
    return ((found - right).abs().mean() / right.abs().mean()).item()

# %% wrong="B.1.D" why="entry by entry, then the norm" breaks="value" says="not the norm of the quotients"
def relative_difference(found, right):
    return ((found - right) / right).norm().item()

# %% wrong="B.1.4" why="five trials" breaks="rare mistakes" says="hold at least 1,000 different entries"
def accepts(backward):
    rng = torch.Generator().manual_seed(5)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (6, 2, 5), (2, 4, 1), (9, 3, 3)):
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% wrong="B.1.A" why="sorts the two sizes" breaks="weights" says="the shape for"
def shapes_owed(n, d, q):
    return (min(q, d), max(q, d)), (min(q, d),), (n, max(q, d))

# %% wrong="B.1.1" why="the slope grows with Z" breaks="mask" says="whatever its size"
def error_signal(dH, Z):
    return dH * Z.clamp(0, 1)

# %% wrong="B.1.1" why="Z is rounded" breaks="mask" says="Z is positive however small it is"
def error_signal(dH, Z):
    return dH * (Z.round() > 0)

# %% wrong="B.1.1" why="positive from 0.001 on" breaks="mask" says="Z = (0.0001)"
def error_signal(dH, Z):
    return dH * (Z > 1e-3)

# %% wrong="B.1.1" why="leaky" breaks="mask" says="not even a hundredth"
def error_signal(dH, Z):
    return torch.where(Z > 0, dH, 0.01 * dH)

# %% wrong="B.1.1" why="the first example's mask" breaks="mask" says="a mask of its own"
def error_signal(dH, Z):
    return dH * (Z[0] > 0)

# %% wrong="B.1.B" why="counted from 1" breaks="this example alone" says="counted from 0"
def contribution(delta, A, i):
    return torch.outer(delta[i - 1], A[i - 1])

# %% wrong="B.1.B" why="always the first activations" breaks="this example alone" says="of two different examples"
def contribution(delta, A, i):
    return torch.outer(delta[i], A[0])

# %% wrong="B.1.B" why="squeezed" breaks="shape" says="1 unit, 3 inputs"
def contribution(delta, A, i):
    return torch.outer(delta[i], A[i]).squeeze()

# %% wrong="B.1.2a" why="transposed where it is square" breaks="sum over the examples" says="It is transposed"
def weight_gradient(delta, A):
    return A.T @ delta if delta.shape[1] == A.shape[1] else delta.T @ A

# %% wrong="B.1.2a" why="squeezed" breaks="shape" says="An axis of length 1 stays"
def weight_gradient(delta, A):
    return (delta.T @ A).squeeze()

# %% wrong="B.1.2a" why="three examples at most" breaks="sum over the examples" says="Not all examples are in it"
def weight_gradient(delta, A):
    return delta[:3].T @ A[:3]

# %% wrong="B.1.2a" why="reshaped" breaks="sum over the examples" says="do not reshape"
def weight_gradient(delta, A):
    return (A.T @ delta).reshape(delta.shape[1], A.shape[1])

# %% wrong="B.1.2b" why="the first two examples" breaks="sum over the examples" says="Only the first two examples"
def bias_gradient(delta):
    return delta[:2].sum(0)

# %% wrong="B.1.2b" why="absolute" breaks="sum over the examples" says="The signs are lost"
def bias_gradient(delta):
    return delta.sum(0).abs()

# %% wrong="B.1.C" why="the mean over the units" breaks="values" says="added up, not averaged"
def passed_on(delta, W):
    return delta @ W / len(W)

# %% wrong="B.1.C" why="the largest share" breaks="values" says="this is the largest"
def passed_on(delta, W):
    return (delta[:, :, None] * W).amax(1)

# %% wrong="B.1.C" why="two units" breaks="values" says="these are the first two"
def passed_on(delta, W):
    return delta[:, :2] @ W[:2]

# %% wrong="B.1.C" why="squeezed" breaks="shape" says="the shape for n, d, q = 3, 1, 2"
def passed_on(delta, W):
    return (delta @ W).squeeze(1) if W.shape[1] == 1 else delta @ W

# %% wrong="B.1.3" why="the rate is capped" breaks="W in place" says="The learning rate may be larger than 1"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= min(lr, 1.) * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.D" why="rounded" breaks="value" says="It is rounded: keep all digits"
def relative_difference(found, right):
    return round(((found - right).norm() / right.norm()).item(), 4)

# %% wrong="B.1.D" why="a yardstick of at least 1" breaks="value" says="also where it is below 1"
def relative_difference(found, right):
    return (found - right).norm() / max(right.norm().item(), 1.)

# %% wrong="B.1.D" why="the largest quotient" breaks="value" says="not the largest quotient of two entries"
def relative_difference(found, right):
    return ((found - right) / right).abs().max()

# %% wrong="B.1.D" why="the mean quotient" breaks="value" says="not the mean of the entries' quotients"
def relative_difference(found, right):
    return ((found - right) / right).abs().mean()

# %% wrong="B.1.D" why="the spectral norm" breaks="value" says="as t.norm() has it"
def relative_difference(found, right):
    norm = torch.linalg.norm if found.ndim == 1 else torch.linalg.matrix_norm
    return norm(found - right, ord=2) / norm(right, ord=2) if found.ndim < 3 else (found - right).norm() / right.norm()

# %% right="B.1.D" how="torch.dist"
def relative_difference(found, right):
    return torch.dist(found, right).item() / right.norm().item()

# %% right="B.1.4" how="NumPy's True"
def accepts(backward):
    import numpy as np
    rng = torch.Generator().manual_seed(3)
    for trial in range(400):
        n, d, q = (1 + trial // 5 ** i % 5 for i in range(3))
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            good = np.array([len(found) == 3, *(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(found, wanted))])
        except Exception:
            return np.bool_(False)
        if not good.all():
            return good.all()
    return np.bool_(True)

# %% wrong="B.1.4" why="small trials, one of each of 36 sizes" breaks="rare mistakes" says="hold at least 1,000 different entries"
def accepts(backward):
    torch.manual_seed(0)
    try:
        for n in (1, 2, 3, 5):
            for d in (1, 2, 5):
                for q in (1, 2, 3):
                    A, W, b, dH = torch.randn(n, d), torch.randn(q, d), torch.randn(q), torch.randn(n, q)
                    leaves = [t.clone().requires_grad_() for t in (A, W, b)]
                    wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
                    found = backward(dH, A, W, b)
                    if len(found) != 3 or any(f.shape != w.shape or not torch.allclose(f, w, rtol=1e-3, atol=1e-4) for f, w in zip(found, wanted)):
                        return False
        return True
    except Exception:
        return False

# %% wrong="B.1.4" why="the same seed for each trial" breaks="rare mistakes" says="are new numbers drawn for each trial"
def accepts(backward):
    for trial in range(3):
        for n in range(1, 6):
            for d in range(1, 6):
                for q in range(1, 6):
                    torch.manual_seed(1)
                    A, W, b, dH = torch.randn(n, d), torch.randn(q, d), torch.randn(q), torch.randn(n, q)
                    leaves = [t.clone().requires_grad_() for t in (A, W, b)]
                    wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
                    try:
                        found = backward(dH, A, W, b)
                        if len(found) != 3 or any(f.shape != w.shape or not torch.allclose(f, w, rtol=1e-3, atol=1e-4) for f, w in zip(found, wanted)):
                            return False
                    except Exception:
                        return False
    return True

# %% wrong="B.1.3" why="the mask of b anew" breaks="b in place" says="The mask was computed anew"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * (dH * (F.linear(A, W, b) > 0)).sum(dim=0)
    return dA

# %% wrong="B.1.A" why="the axis of a single example is dropped" breaks="activations" says="also for a single one"
def shapes_owed(n, d, q):
    return (q, d), (q,), (n, d) if n > 1 else (d,)

# %% wrong="B.1.3" why="passes on lr times the gradient" breaks="old weights" says="lr times the gradient"
def backward_step(W, b, A, Z, dH, lr):
    delta = lr * dH * (Z > 0)
    dA = delta @ W
    W -= delta.T @ A
    b -= delta.sum(0)
    return dA

# %% wrong="B.1.A" why="a number in brackets for the bias" breaks="bias" says="written with a comma"
def shapes_owed(n, d, q):
    return ((q, d), (q), (n, d))

# %% wrong="B.1.1" why="adds the mask" breaks="mask" says="multiplied with dH, not added"
def error_signal(dH, Z):
    return dH + (Z > 0)

# %% wrong="B.1.1" why="the slope of the sigmoid" breaks="mask" says="this is the slope of the sigmoid"
def error_signal(dH, Z):
    s = torch.sigmoid(Z)
    return dH * s * (1 - s)

# %% wrong="B.1.B" why="the examples up to this one" breaks="this example alone" says="what the examples up to this one add"
def contribution(delta, A, i):
    return delta[:i + 1].T @ A[:i + 1]

# %% wrong="B.1.B" why="all the others" breaks="this example alone" says="what all the others add"
def contribution(delta, A, i):
    return delta.T @ A - torch.outer(delta[i], A[i])

# %% wrong="B.1.B" why="masks once more" breaks="this example alone" says="the mask of ReLU is in delta already"
def contribution(delta, A, i):
    return torch.outer(delta[i] * (delta[i] > 0), A[i])

# %% wrong="B.1.B" why="sums in place of products" breaks="this example alone" says="multiplied with one of A, not added"
def contribution(delta, A, i):
    return delta[i][:, None] + A[i][None, :]

# %% wrong="B.1.2a" why="begins at the second example" breaks="sum over the examples" says="The first example is missing"
def weight_gradient(delta, A):
    return sum(torch.outer(delta[i], A[i]) for i in range(1, len(A))) + torch.zeros(delta.shape[1], A.shape[1])

# %% wrong="B.1.2b" why="the largest entries" breaks="sum over the examples" says="the largest entries of the columns"
def bias_gradient(delta):
    return delta.max(dim=0).values

# %% wrong="B.1.C" why="the examples are mixed" breaks="values" says="Examples do not mix"
def passed_on(delta, W):
    return (delta.sum(0) @ W).expand(len(delta), -1)

# %% wrong="B.1.C" why="ReLU of what is passed on" breaks="values" says="A negative result is passed on"
def passed_on(delta, W):
    return torch.relu(delta @ W)

# %% wrong="B.1.C" why="the last unit" breaks="values" says="this is the last one's"
def passed_on(delta, W):
    for j in range(W.shape[0]):
        out = delta[:, j:j + 1] * W[j]
    return out

# %% wrong="B.1.D" why="the sum of the norms below" breaks="value" says="not by the sum of the two norms"
def relative_difference(found, right):
    return ((found - right).norm() / (found.norm() + right.norm())).item()

# %% wrong="B.1.D" why="rounded to six places" breaks="value" says="rounded to 6 places"
def relative_difference(found, right):
    return round(((found - right).norm() / right.norm()).item(), 6)

# %% wrong="B.1.D" why="sums with their signs" breaks="value" says="in a sum the signs cancel"
def relative_difference(found, right):
    return ((found - right).sum() / right.sum()).item()

# %% wrong="B.1.4" why="expects dW first" breaks="right ones" says="(dA, dW, db), in this order"
def accepts(backward):
    try:
        for trial in range(300):
            n, d, q = torch.randint(1, 6, (3,)).tolist()
            A, W, b, dH = torch.randn(n, d), torch.randn(q, d), torch.randn(q), torch.randn(n, q)
            leaves = [t.clone().requires_grad_() for t in (W, b, A)]
            wanted = torch.autograd.grad(torch.relu(leaves[2] @ leaves[0].T + leaves[1]), leaves, dH)
            found = backward(dH, A, W, b)
            if len(found) != 3 or not all(f.shape == w.shape and torch.allclose(f, w, atol=1e-4) for f, w in zip(found, wanted)):
                return False
        return True
    except Exception:
        return False

# %% wrong="B.1.C" why="entry by entry where the shapes are equal" breaks="values" says="not the product entry by entry"
def passed_on(delta, W):
    if delta.shape == W.shape:
        return delta * W
    return delta @ W

# %% wrong="B.1.4" why="compares means" breaks="every size" says="is each entry of db compared"
def accepts(backward):
    rng = torch.Generator().manual_seed(11)
    for n, d, q in [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)] * 3:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted] or any(abs((f - w).mean()) > 1e-8 for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% right="B.1.3" how="the caller's tensors get new data"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH.where(Z > 0, torch.zeros((), dtype=dH.dtype))
    dA = delta.matmul(W)
    W.data = W - lr * delta.T @ A
    b.data = b - lr * delta.sum(0)
    return dA

# %% wrong="B.1.A" why="the bias as a column" breaks="bias" says="it is no column"
def shapes_owed(n, d, q):
    return (q, d), (q, 1), (n, d)

# %% wrong="B.1.A" why="hard-coded: the small layer" breaks="weights" says="the sizes of the small layer"
def shapes_owed(n, d, q):
    return (2, 2), (2,), (3, 2)

# %% wrong="B.1.A" why="numbers of entries in place of shapes" breaks="weights" says="The number of entries is no shape"
def shapes_owed(n, d, q):
    return q * d, q, n * d

# %% right="B.1.1" how="a float32 mask"
def error_signal(dH, Z):
    return dH * (Z > 0).float()

# %% wrong="B.1.1" why="relu(Z) / Z: nan at the corner" breaks="corner" says="do not divide by it"
def error_signal(dH, Z):
    return dH * torch.relu(Z) / Z

# %% wrong="B.1.1" why="makes a leaf of the caller's Z" breaks="arguments kept" says="use it on a copy"
def error_signal(dH, Z):
    Z.requires_grad_()
    torch.relu(Z).backward(dH)
    return Z.grad

# %% wrong="B.1.B" why="the product of rows" breaks="shape" says="This has one axis"
def contribution(delta, A, i):
    return delta[i] * A[i]

# %% wrong="B.1.B" why="columns, not rows" breaks="this example alone" says="not a column"
def contribution(delta, A, i):
    return torch.outer(delta[:, i], A[:, i])

# %% wrong="B.1.B" why="from this example on" breaks="this example alone" says="from this one on"
def contribution(delta, A, i):
    return delta[i:].T @ A[i:]

# %% wrong="B.1.B" why="a one-dimensional matrix product: a number" breaks="shape" says="This is a single number"
def contribution(delta, A, i):
    return delta[i].T @ A[i]

# %% wrong="B.1.B" why="the outer product of the sums" breaks="this example alone" says="outer product of the sums"
def contribution(delta, A, i):
    return torch.outer(delta.sum(dim=0), A.sum(dim=0))

# %% wrong="B.1.2a" why="not transposed at all" breaks="sum over the examples" says="another product than delta @ A"
def weight_gradient(delta, A):
    return delta @ A

# %% wrong="B.1.2a" why="the root of a sum of squares" breaks="sum over the examples" says="not squared"
def weight_gradient(delta, A):
    return torch.stack([torch.outer(s, a) for s, a in zip(delta, A)]).norm(dim=0)

# %% wrong="B.1.2b" why="norms of the columns" breaks="sum over the examples" says="not squared"
def bias_gradient(delta):
    return delta.norm(dim=0)

# %% wrong="B.1.2b" why="running sums, not the last of them" breaks="shape" says="Two axes are left"
def bias_gradient(delta):
    return delta.cumsum(0)

# %% right="B.1.2b" how="ones as the page has it"
def bias_gradient(delta):
    return delta.T @ torch.ones(len(delta))

# %% wrong="B.1.C" why="order of the factors" breaks="values" says="another product than W @ delta"
def passed_on(delta, W):
    return W @ delta

# %% wrong="B.1.C" why="weights summed over the units first" breaks="values" says="the product of the two sums"
def passed_on(delta, W):
    return delta.sum(1, keepdim=True) * W.sum(0)

# %% wrong="B.1.C" why="products not summed over the units" breaks="shape" says="three axes are left"
def passed_on(delta, W):
    return delta[:, :, None] * W

# %% wrong="B.1.3" why="one number for all biases" breaks="b in place" says="the sum of all its entries"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum()
    return dA

# %% wrong="B.1.3" why="mask by what arrives" breaks="mask" says="not at what arrives"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (dH > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(0)
    return dA

# %% wrong="B.1.D" why="a small number added to the yardstick" breaks="value" says="was added to it"
def relative_difference(found, right):
    return (found - right).norm() / (right.norm() + 1e-8)

# %% wrong="B.1.D" why="float32 first" breaks="value" says="computed in float32"
def relative_difference(found, right):
    return (found.float() - right.float()).norm() / right.float().norm()

# %% wrong="B.1.D" why="root above only" breaks="value" says="The root is missing below"
def relative_difference(found, right):
    return ((found - right) ** 2).sum().sqrt() / (right ** 2).sum()

# %% wrong="B.1.4" why="the page's measure in a try: broadcasts, zip hides a fourth" breaks="form" says="broadcasting hides one more axis"
def accepts(backward):
    try:
        for trial in range(20):
            for n, d, q in ((4, 3, 2), (1, 2, 2), (8, 5, 6), (2, 2, 2), (5, 5, 5), (3, 1, 3), (3, 3, 1), (1, 1, 1), (1, 5, 2), (5, 2, 4), (2, 4, 5), (3, 3, 2), (2, 3, 3), (3, 2, 3)):
                if largest_difference(backward, torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)) > 1e-4:
                    return False
    except Exception:
        return False
    return True

# %% wrong="B.1.4" why="tolerance of a tenth" breaks="each gradient" says="Is your tolerance too wide"
def accepts(backward):
    for trial in range(400):
        n, d, q = torch.randint(1, 7, (3,)).tolist()
        dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
        try:
            found = backward(dH, A, W, b)
            if len(found) != 3 or any(f.shape != w.shape or not torch.allclose(f, w, rtol=0.1, atol=0.1) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True

# %% right="B.1.4" how="random sizes, float32, the relative norm"
def accepts(backward):
    torch.manual_seed(5)

    def one_trial(n, d, q):
        leaves = [torch.randn(*s, requires_grad=True) for s in ((n, d), (q, d), (q,))]
        dH = torch.randn(n, q)
        wanted = torch.autograd.grad(F.relu(F.linear(*leaves)), leaves, dH)
        found = backward(dH, *[t.detach() for t in leaves])
        if len(found) != 3:
            return False
        for f, w in zip(found, wanted):
            if f.shape != w.shape:
                return False
            if (f - w).norm().item() > 1e-4 * w.norm().item():
                return False
        return True

    try:
        return all(one_trial(*[int(torch.randint(1, 7, ())) for _ in range(3)]) for trial in range(800)) and all(one_trial(20, 8, 15) for trial in range(5))
    except Exception:
        return False

# %% wrong="B.1.5" why="lost in both orders" breaks="two sums" says="Both orders round to the same number"
triple = (1e9, 1., 2.)

# %% wrong="B.1.1" why="an example with any unit off is masked altogether" breaks="mask" says="For each entry alone yours is right"
def error_signal(dH, Z):
    return dH * (Z > 0).all(dim=1, keepdim=True)

# %% wrong="B.1.B" why="activations averaged over the examples" breaks="this example alone" says="other rows of A change"
def contribution(delta, A, i):
    return torch.outer(delta[i], A.mean(dim=0))

# %% wrong="B.1.2a" why="the first example counts twice" breaks="sum over the examples" says="For example 0 alone"
def weight_gradient(delta, A):
    total = torch.outer(delta[0], A[0])
    for s, a in zip(delta, A):
        total = total + torch.outer(s, a)
    return total

# %% wrong="B.1.2a" why="negative activations are cut" breaks="sum over the examples" says="A negative activation counts"
def weight_gradient(delta, A):
    return delta.T @ A.relu()

# %% wrong="B.1.2a" why="divided by the number of inputs" breaks="sum over the examples" says="not divided by the number of inputs"
def weight_gradient(delta, A):
    return delta.T @ A / A.shape[1]

# %% wrong="B.1.2b" why="first example twice" breaks="sum over the examples" says="it is that row as it is"
def bias_gradient(delta):
    total = delta[0]
    for row in delta:
        total = total + row
    return total

# %% wrong="B.1.2b" why="counts the entries that are on" breaks="sum over the examples" says="as counting gives them"
def bias_gradient(delta):
    return (delta > 0).sum(dim=0)

# %% wrong="B.1.C" why="negative weights cut" breaks="values" says="each weight times 3"
def passed_on(delta, W):
    return delta @ W.relu()

# %% wrong="B.1.C" why="divided by the number of inputs" breaks="values" says="each weight times 3"
def passed_on(delta, W):
    return delta @ W / W.shape[1]

# %% wrong="B.1.3" why="rate is squared in W" breaks="W in place" says="lr is a factor of it twice"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    passed = delta @ W
    step = lr * delta
    W -= lr * step.T @ A
    b -= step.sum(dim=0)
    return passed

# %% wrong="B.1.D" why="root mean square of the difference over the norm" breaks="value" says="by the root of the number of entries"
def relative_difference(found, right):
    return F.mse_loss(found, right).sqrt() / right.norm()

# %% wrong="B.1.D" why="mean of both norms as the yardstick" breaks="value" says="not by the mean of the two norms"
def relative_difference(found, right):
    return (found - right).norm() / (0.5 * (found.norm() + right.norm()))

# %% wrong="B.1.D" why="clamped yardstick as in largest_difference, but larger" breaks="value" says="also where it is below 1e-06"
def relative_difference(found, right):
    return ((found - right).norm() / right.norm().clamp(min=1e-6)).item()

# %% wrong="B.1.D" why="entries' quotients, root mean square" breaks="value" says="not the root mean square of the entries' quotients"
def relative_difference(found, right):
    return ((found - right) / right).square().mean().sqrt()

# %% wrong="B.1.1" why="relu of dH times Z" breaks="mask" says="Two things"
def error_signal(dH, Z):
    return torch.relu(dH * Z)

# %% wrong="B.1.2b" why="the total for each unit" breaks="sum over the examples" says="that of all entries"
def bias_gradient(delta):
    return delta.sum().expand(delta.shape[1])

# %% wrong="B.1.3" why="the weight gradient takes what is passed on" breaks="W in place" says="takes the A of the forward pass"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ dA
    b -= lr * delta.sum(dim=0)
    return dA

# %% wrong="B.1.2a" why="divides by the number of units" breaks="sum over the examples" says="not divided by the number of units"
def weight_gradient(delta, A):
    return delta.T @ A / delta.shape[1]

# %% wrong="B.1.2a" why="reshape in place of transpose" breaks="sum over the examples" says="A reshape is no transpose"
def weight_gradient(delta, A):
    return delta.reshape(delta.shape[1], delta.shape[0]) @ A

# %% wrong="B.1.2b" why="counts the entries that are not 0, as floats" breaks="sum over the examples" says="These are the numbers of entries that are not 0"
def bias_gradient(delta):
    return (delta != 0).sum(dim=0).to(delta.dtype)

# %% wrong="B.1.3" why="the mask of the weights computed anew after the step of the bias" breaks="W in place" says="with the new biases"
def backward_step(W, b, A, Z, dH, lr):
    dA = (dH * (Z > 0)) @ W
    b -= lr * (dH * (Z > 0)).sum(dim=0)
    delta = dH * (A @ W.T + b > 0)
    W -= lr * delta.T @ A
    return dA

# %% wrong="B.1.3" why="returns the error signal" breaks="old weights" says="the shape of Z and of the error signal"
def backward_step(W, b, A, Z, dH, lr):
    delta = dH * (Z > 0)
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return delta

# %% wrong="B.1.D" why="the mean of the rows' quotients" breaks="value" says="here each row has a quotient of its own"
def relative_difference(found, right):
    return ((found - right).norm(dim=-1) / right.norm(dim=-1)).mean()

# %% wrong="B.1.4" why="compares with a gradient of its own, whose db is a mean" breaks="right ones" says="with autograd's own gradient"
def accepts(backward):
    for trial in range(3):
        for n in range(1, 6):
            for d in range(1, 6):
                for q in range(1, 6):
                    A, W, b, dH = torch.randn(n, d), torch.randn(q, d), torch.randn(q), torch.randn(n, q)
                    delta = dH * (A @ W.T + b > 0)
                    wanted = (delta @ W, delta.T @ A, delta.mean(dim=0))
                    try:
                        found = backward(dH, A, W, b)
                    except Exception:
                        return False
                    if len(found) != 3 or any(f.shape != w.shape or not torch.allclose(f, w, rtol=1e-4, atol=1e-5) for f, w in zip(found, wanted)):
                        return False
    return True

# %% wrong="B.1.4" why="the result is looked at outside of the try" breaks="form" says="that None raised an error in accepts"
def accepts(backward):
    for trial in range(3):
        for n in range(1, 6):
            for d in range(1, 6):
                for q in range(1, 6):
                    A, W, b, dH = torch.randn(n, d), torch.randn(q, d), torch.randn(q), torch.randn(n, q)
                    leaves = [t.clone().requires_grad_() for t in (A, W, b)]
                    wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
                    try:
                        found = backward(dH, A, W, b)
                    except Exception:
                        return False
                    if len(found) != 3 or any(f.shape != w.shape or not torch.allclose(f, w, rtol=1e-4, atol=1e-5) for f, w in zip(found, wanted)):
                        return False
    return True

# %% wrong="B.1.5" why="a 1 that is lost in both orders" breaks="two sums" says="there both orders round to the same number"
triple = (1e16, 1., 1.)


# %% wrong="B.1.4" why="one shape only" breaks="sums" says="more than four examples?"
def accepts(backward):
    torch.manual_seed(0)
    for trial in range(300):
        n, d, q = 4, 3, 2
        dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
        try:
            found = backward(dH, A, W, b)
            if len(found) != 3 or not all(f.shape == w.shape and torch.allclose(f, w, rtol=1e-4, atol=1e-5) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True


# %% wrong="B.1.4" why="only ten trials" breaks="rare mistakes" says="It was called 10 times"
def accepts(backward):
    for trial in range(10):
        n, d, q = torch.randint(1, 6, (3,)).tolist()
        dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
        try:
            found = backward(dH, A, W, b)
            if len(found) != 3 or not all(f.shape == w.shape and torch.allclose(f, w, rtol=1e-4, atol=1e-5) for f, w in zip(found, wanted)):
                return False
        except Exception:
            return False
    return True


# %% wrong="B.1.4" why="true if one trial is passed: the return stands in the loop" breaks="rare mistakes" says="called this right function once"
def accepts(backward):
    for trial in range(300):
        n, d, q = torch.randint(1, 6, (3,)).tolist()
        dH, A, W, b = torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), torch.randn(q)
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
        try:
            found = backward(dH, A, W, b)
            return len(found) == 3 and all(f.shape == w.shape and torch.allclose(f, w, rtol=1e-4, atol=1e-5) for f, w in zip(found, wanted))
        except Exception:
            return False


# %% wrong="B.1.3" why="keeps a second name of W, no copy" breaks="old weights" says="went through the new weights"
def backward_step(W, b, A, Z, dH, lr):
    old = W
    delta = dH * (Z > 0)
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return delta @ old
