# %% right="5.3.1a" how="torch.Size"
def derivative_shape(input_shape, output_shape):
    return torch.Size([*output_shape, *input_shape])

# %% right="5.3.1a" how="asks autograd"
def derivative_shape(input_shape, output_shape):
    X = torch.zeros(input_shape)
    return torch.autograd.functional.jacobian(lambda t: t.sum().expand(output_shape), X).shape

# %% wrong="5.3.1a" why="transposed" says="it is not transposed"
def derivative_shape(input_shape, output_shape):
    return tuple(output_shape) + tuple(reversed(input_shape))

# %% wrong="5.3.1a" why="a number, since f is a number" says="there is one for each entry"
def derivative_shape(input_shape, output_shape):
    return tuple(output_shape)

# %% wrong="5.3.1a" why="input axes first" says="The axes of the output come first"
def derivative_shape(input_shape, output_shape):
    return tuple(input_shape) + tuple(output_shape)

# %% wrong="5.3.1a" why="always the input's shape" says="a vector of 4 from a matrix"
def derivative_shape(input_shape, output_shape):
    return tuple(input_shape)

# %% right="5.3.1b" how="the shapes of the values themselves"
def gradient_shapes(n, d, h, q):
    X, W1, b1, W2 = torch.ones(n, d), torch.ones(h, d), torch.ones(h), torch.ones(q, h)
    Z = X @ W1.T + b1
    values = {"O": Z @ W2.T, "W2": W2, "H": Z, "Z": Z, "b1": b1, "W1": W1, "X": X}
    return {name: value.shape for name, value in values.items()}

# %% right="5.3.1b" how="lists"
def gradient_shapes(n, d, h, q):
    return dict(X=[n, d], W1=[h, d], b1=[h], Z=[n, h], H=[n, h], W2=[q, h], O=[n, q])

# %% wrong="5.3.1b" why="a bias gradient for each example" says="its gradient is summed over them"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (n, h), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="a bias gradient with two axes" says="b1 has one axis"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (1, h), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="weights transposed" says="with respect to W1 for n, d, h, q"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (d, h), "X": (n, d)}

# %% wrong="5.3.1b" why="no gradient for the single example of X" says="with respect to X for n, d, h, q"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (d,)}

# %% wrong="5.3.1b" why="gradient of the output as a number" says="the output of 5 examples"
def gradient_shapes(n, d, h, q):
    return {"O": (), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d)}

# %% right="5.3.2a" how="other names and order, a further output bias"
graph = {"a": ("penalty", "lam", "W2", "W1"), "b": ("matmul", "X", "W1"), "c": ("add", "b1", "b"), "e": ("relu", "c"),
         "f": ("matmul", "e", "W2"), "o": ("add", "f", "b2"), "l": ("loss", "o", "Y"), "z": ["add", "a", "l"]}

# %% right="5.3.2a" how="the sum the other way round"
graph = {"Z0": ("matmul", "X", "W1"), "Z": ("add", "b1", "Z0"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "s": ("penalty", "lam", "W1", "W2"), "L": ("loss", "O", "Y"), "J": ("add", "s", "L")}

# %% wrong="5.3.2a" why="the graph of the output" says="the graph of the objective, with loss and penalty"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2")}

# %% wrong="5.3.2a" why="the graph of the loss, no penalty" says="the leaves that nothing uses"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "J": ("loss", "O", "Y")}

# %% wrong="5.3.2a" why="the bias is penalised" says="Both weights, and no bias"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "b1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the bias after the activation" says="added before the activation"
graph = {"P": ("matmul", "X", "W1"), "R": ("relu", "P"), "H": ("add", "R", "b1"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the penalty joins at the output" says="Its last step adds the penalty to the loss"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "s": ("penalty", "lam", "W1", "W2"), "R": ("add", "O", "s"), "J": ("loss", "R", "Y")}

# %% wrong="5.3.2a" why="two penalties" says="the number of penalties"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W1"), "t": ("penalty", "lam", "W2", "W2"),
         "u": ("add", "L", "s"), "J": ("add", "u", "t")}

# %% wrong="5.3.2a" why="used before it is defined" says="leaves or defined before it"
graph = {"H": ("relu", "Z"), "P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="no activation" says="the hidden layer is relu"
graph = {"P": ("matmul", "X", "W1"), "H": ("add", "P", "b1"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% right="5.3.2b" how="torch's functions"
def forward(X, W1, b1, W2):
    Z = F.linear(X, W1, b1)
    return [Z, F.relu(Z), F.linear(F.relu(Z), W2)]

# %% right="5.3.2b" how="einsum and max"
def forward(X, W1, b1, W2):
    Z = torch.einsum("nd,hd->nh", X, W1) + b1[None]
    H = torch.maximum(Z, torch.zeros_like(Z))
    return Z, H, torch.einsum("nh,qh->nq", H, W2)

# %% wrong="5.3.2b" why="no bias" says="The bias is missing"
def forward(X, W1, b1, W2):
    Z = X @ W1.T
    return Z, torch.relu(Z), torch.relu(Z) @ W2.T

# %% wrong="5.3.2b" why="bias as a column" says="went along the examples"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1[:, None]
    return Z, torch.relu(Z), torch.relu(Z) @ W2.T

# %% wrong="5.3.2b" why="activation in place" says="Z for two examples"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = Z.relu_()
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="activation on the output, too" says="O for n, d, h, q"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    return Z, H, torch.relu(H @ W2.T)

# %% wrong="5.3.2b" why="weights not transposed" says="Z for two examples: values differ"
def forward(X, W1, b1, W2):
    Z = (X @ W1 if W1.shape[0] == W1.shape[1] else X @ W1.T).flip(1) + b1
    H = torch.relu(Z)
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="float32 inside" says="the dtype of Z"
def forward(X, W1, b1, W2):
    Z = X.float() @ W1.float().T + b1.float()
    H = torch.relu(Z)
    return Z, H, H @ W2.float().T

# %% right="5.3.2c" how="sums of outer products"
def backward(dO, X, Z, H, W1, W2):
    dZ = torch.where(Z > 0, dO @ W2, torch.zeros_like(Z))
    dW1, dW2 = torch.zeros_like(W1), torch.zeros_like(W2)
    for i in range(len(X)):
        dW1 += torch.outer(dZ[i], X[i])
        dW2 += torch.outer(dO[i], H[i])
    return dZ @ W1, dW1, dZ.sum(0), dW2

# %% right="5.3.2c" how="einsum, the mask from H"
def backward(dO, X, Z, H, W1, W2):
    dZ = torch.einsum("nq,qh->nh", dO, W2) * H.sign()
    return [torch.einsum("nh,hd->nd", dZ, W1), torch.einsum("nh,nd->hd", dZ, X), torch.ones(len(X), dtype=X.dtype) @ dZ,
            torch.einsum("nq,nh->qh", dO, H)]

# %% wrong="5.3.2c" why="no mask" says="The mask of ReLU is missing"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="the bias gradient not summed" says="the shape of db1"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ, dO.T @ H

# %% wrong="5.3.2c" why="the mean of the bias gradient" says="it has to be a sum"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.mean(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="weights divided by n" says="divided by the number of examples"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X / len(X), dZ.sum(dim=0), dO.T @ H / len(X)

# %% wrong="5.3.2c" why="slope 1 at zero" says="At 0 the slope counts as 0"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z >= 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="masks in place of the caller's Z" says="Z is left as it was"
def backward(dO, X, Z, H, W1, W2):
    dZ = Z.sign_().clamp_(min=0).mul_(dO @ W2)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="ones in place of the cotangent" says="db1 for two examples"
def backward(dO, X, Z, H, W1, W2):
    dO = torch.ones_like(dO)
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="H multiplied in place of the mask" says="db1 for two examples: values differ"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * H
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="Z for H in the second weight's gradient" says="dW2 for a random cotangent"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ Z

# %% wrong="5.3.2c" why="autograd" says="raised RuntimeError"
def backward(dO, X, Z, H, W1, W2):
    b1 = (Z - X @ W1.T)[0]
    leaves = [t.detach().requires_grad_() for t in (X, W1, b1, W2)]
    O = F.linear(F.relu(F.linear(leaves[0], leaves[1], leaves[2])), leaves[3])
    return torch.autograd.grad(O, leaves, dO)

# %% right="5.3.2d" how="torch's loss, example by example"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    O = F.linear(F.relu(F.linear(X, W1, b1)), W2)
    J = F.mse_loss(O, Y) * Y.shape[1] / 2 + lam * 0.5 * (W1.norm() ** 2 + W2.norm() ** 2)
    dW1, db1, dW2 = lam * W1, torch.zeros_like(b1), lam * W2
    for x, y, o in zip(X, Y, O):
        z = W1 @ x + b1
        dz = (W2.T @ (o - y) / n).where(z > 0, torch.zeros_like(z))
        dW1, db1, dW2 = dW1 + dz[:, None] * x, db1 + dz, dW2 + torch.outer((o - y) / n, z.clamp(min=0))
    return J, dW1, db1, dW2

# %% right="5.3.2d" how="a number for J"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    H = (X @ W1.T + b1).clamp(min=0)
    dO = (H @ W2.T - Y) / len(X)
    J = len(X) * dO.square().sum() / 2 + lam / 2 * sum((W ** 2).sum() for W in (W1, W2))
    dZ = (dO @ W2) * H.sign()
    return [J.item(), dZ.T @ X + lam * W1, dZ.T @ torch.ones(len(X), dtype=X.dtype), dO.T @ H + lam * W2]

# %% wrong="5.3.2d" why="no weight decay in the gradient" says="dW1 for one unit, lam = 0.5"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X, dZ.sum(dim=0), E.T @ H / len(X)

# %% wrong="5.3.2d" why="2 lam W" says="dW1 for one unit, lam = 0.5: values differ"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + 2 * lam * W1, dZ.sum(dim=0), E.T @ H / len(X) + 2 * lam * W2

# %% wrong="5.3.2d" why="penalises the bias" says="The bias is not penalised"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0) + lam * b1, E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="mean over all entries" says="J for n, d, h, q"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dO = E / E.numel()
    dZ = (dO @ W2) * (Z > 0)
    J = E.square().mean() / 2 + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="a penalty without the half" says="Is the penalty halved?"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="a sum over the examples" says="Divide the squared error by the number of examples"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E @ W2) * (Z > 0)
    J = E.square().sum() / 2 + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), E.T @ H + lam * W2

# %% wrong="5.3.2d" why="the gradient of the sum of the losses, beside the right objective" says="its gradient by O is (O - Y) / n"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * len(X)) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = O - Y
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="weight decay divided by n" says="dW1 for one unit, lam = 0.5"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, (dZ.T @ X + lam * W1) / len(X), dZ.sum(dim=0) / len(X), (E.T @ H + lam * W2) / len(X)

# %% right="5.3.3a" how="a network on meta"
def predict_bytes(n, d, h, q):
    net = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, q)).to("meta")
    size = sum(p.nbytes for p in net.parameters())
    x = torch.empty(n, d, device="meta")
    outs = [x]
    for layer in net:
        outs.append(layer(outs[-1]))
    return {"parameters": size, "gradients": size, "saved": outs[0].nbytes + outs[2].nbytes + outs[3].nbytes + 8 * n + 4,
            "prediction": max(outs[1].nbytes + outs[2].nbytes, outs[2].nbytes + outs[3].nbytes)}

# %% right="5.3.3a" how="cases"
def predict_bytes(n, d, h, q):
    count = (d + 1) * h + (h + 1) * q
    return dict(parameters=count * 4, gradients=count * 4, saved=(n * d + n * h + n * q + 1) * 4 + n * 8,
                prediction=8 * n * h if h > q else 4 * n * (h + q))

# %% wrong="5.3.3a" why="no biases" says="Biases are parameters"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h * q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="numbers, not bytes" says="These are numbers, not bytes"
def predict_bytes(n, d, h, q):
    p = d * h + h + h * q + q
    return {"parameters": p, "gradients": p, "saved": n * (d + h + q) + n + 1, "prediction": n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="Z saved, too" says="Z is not kept"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + 2 * h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="all outputs alive in prediction" says="at most two are alive at once"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * (2 * h + q)}

# %% wrong="5.3.3a" why="labels as floats" says="Labels of int64"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 4 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% right="5.3.3b" how="keeps the tensors"
def saved_bytes(f, parameters):
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
        f()
    own = [p.untyped_storage().data_ptr() for p in parameters]
    blocks = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in kept}
    return sum(size for address, size in blocks.items() if address not in own)

# %% right="5.3.3b" how="adds up as it goes"
def saved_bytes(f, parameters):
    known = [p.untyped_storage() for p in parameters]
    state = {"bytes": 0}
    def pack(t):
        storage = t.untyped_storage()
        if all(storage.data_ptr() != s.data_ptr() for s in known):
            known.append(storage)
            state["bytes"] += storage.nbytes()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return state["bytes"]

# %% wrong="5.3.3b" why="counts twice" says="A storage that is saved twice counts once"
def saved_bytes(f, parameters):
    own = {p.untyped_storage().data_ptr() for p in parameters}
    sizes = []
    def pack(t):
        if t.untyped_storage().data_ptr() not in own:
            sizes.append(t.untyped_storage().nbytes())
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(sizes)

# %% wrong="5.3.3b" why="counts every saved tensor, views of the parameters too" says="and the parameters do not count"
def saved_bytes(f, parameters):
    total = 0

    def pack(t):
        nonlocal total
        if not any(t is p for p in parameters):
            total += t.numel() * t.element_size()
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return total

# %% wrong="5.3.3b" why="parameters counted" says="leave them out"
def saved_bytes(f, parameters):
    seen = {}
    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in seen.values())

# %% wrong="5.3.3b" why="the view's size only" says="Count the whole storage"
def saved_bytes(f, parameters):
    own = {p.untyped_storage().data_ptr() for p in parameters}
    seen = {}
    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(t.numel() * t.element_size() for a, t in seen.items() if a not in own)

# %% wrong="5.3.3b" why="runs f twice" says="how often f is called"
def saved_bytes(f, parameters):
    f()
    own = {p.untyped_storage().data_ptr() for p in parameters}
    seen = {}
    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for a, s in seen.items() if a not in own)

# %% right="5.3.3c" how="accumulate"
def peak_and_rest(events):
    from itertools import accumulate as running
    totals = [0, *running(events)]
    return max(totals), totals[-1]

# %% right="5.3.3c" how="all beginnings"
def peak_and_rest(events):
    return [max(sum(events[:k]) for k in range(len(events) + 1)), sum(events)]

# %% wrong="5.3.3c" why="ignores what is given back" says="ignores what is given back"
def peak_and_rest(events):
    return sum(e for e in events if e > 0), sum(events)

# %% wrong="5.3.3c" why="largest event" says="the events of one prediction"
def peak_and_rest(events):
    return max([0, *events]), sum(events)

# %% wrong="5.3.3c" why="no zero before the first event" says="2 events"
def peak_and_rest(events):
    totals, now = [], 0
    for change in events:
        now += change
        totals.append(now)
    return (max(totals), now) if totals else (0, 0)

# %% wrong="5.3.3c" why="order of the pair" says="the events of one prediction"
def peak_and_rest(events):
    now = peak = 0
    for change in events:
        now += change
        peak = max(peak, now)
    return now, peak

# %% right="5.3.4a" how="torch.autograd.functional.hvp"
def hessian_vector_product(f, w, v):
    return torch.autograd.functional.hvp(f, w, v)[1]

# %% right="5.3.4a" how="a cotangent"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g, t, grad_outputs=v)[0]

# %% wrong="5.3.4a" why="the whole Hessian" says="A pass for each row builds the whole Hessian"
def hessian_vector_product(f, w, v):
    return torch.autograd.functional.hessian(f, w) @ v

# %% wrong="5.3.4a" why="gradient times v" says="This is the gradient times v"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    return torch.autograd.grad(f(t), t)[0] * v

# %% wrong="5.3.4a" why="row sums" says="v is missing"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g.sum(), t)[0]

# %% wrong="5.3.4a" why="row sums times v" says="w₀²w₁ at (1, 2), v = (1, 10): values differ"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g.sum(), t)[0] * v

# %% wrong="5.3.4a" why="backward twice into the same .grad" says="backward() adds to it"
def hessian_vector_product(f, w, v):
    w = w.clone().requires_grad_()
    f(w).backward(create_graph=True)
    (w.grad @ v).backward()
    return w.grad.detach()

# %% wrong="5.3.4a" why="no graph of the gradient" says="raised RuntimeError"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t)[0]
    return torch.autograd.grad(g @ v, t)[0]

# %% wrong="5.3.4a" why="differentiates the caller's w" says="the caller's w does not require a gradient afterwards"
def hessian_vector_product(f, w, v):
    w.requires_grad_()
    g = torch.autograd.grad(f(w), w, create_graph=True)[0]
    return torch.autograd.grad(g @ v, w)[0]

# %% wrong="5.3.4a" why="keeps a graph" says="the result has no graph"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g @ v, t, create_graph=True)[0]

# %% right="5.3.4b" how="a tensor on meta"
def hessian_bytes(N):
    return torch.empty(N, N, device="meta").nbytes

# %% right="5.3.4b" how="product"
def hessian_bytes(N):
    return N * N * torch.float32.itemsize

# %% wrong="5.3.4b" why="entries" says="These are entries"
def hessian_bytes(N):
    return N ** 2

# %% wrong="5.3.4b" why="the gradient" says="This is the gradient's size"
def hessian_bytes(N):
    return 4 * N

# %% wrong="5.3.4b" why="float64" says="float32 takes 4 bytes, float64 8"
def hessian_bytes(N):
    return 8 * N ** 2

# %% wrong="5.3.4b" why="exponential" says="the bytes for 1000 parameters"
def hessian_bytes(N):
    return 4 * 2 ** min(N, 60)

# %% right="5.3.5a" how="sums divided by n"
def accumulate(net, X, y, sizes):
    for p in net.parameters():
        p.grad = None
    start = 0
    for size in sizes:
        part = slice(start, start + size)
        loss = F.cross_entropy(net(X[part]), y[part], reduction="sum") / len(y)
        loss.backward()
        start += size

# %% right="5.3.5a" how="scales the gradients at the end"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(torch.split(X, sizes), torch.split(y, sizes)):
        F.cross_entropy(net(rows), labels, reduction="sum").backward()
    for p in net.parameters():
        p.grad /= len(X)

# %% wrong="5.3.5a" why="the mean of the means" says="weight each by its size"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(rows), labels) / len(sizes)).backward()

# %% wrong="5.3.5a" why="the sum of the means" says="The means are added up"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        F.cross_entropy(net(rows), labels).backward()

# %% wrong="5.3.5a" why="the whole batch at once" says="the sizes that the network sees"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    F.cross_entropy(net(X), y).backward()

# %% wrong="5.3.5a" why="old gradients are kept" says="The .grad of before is still in it"
def accumulate(net, X, y, sizes):
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% wrong="5.3.5a" why="one backward at the end" says="Call backward() for each micro-batch"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    loss = sum(F.cross_entropy(net(r), t) * len(r) / len(X) for r, t in zip(X.split(sizes), y.split(sizes)))
    loss.backward()

# %% wrong="5.3.5a" why="cleared in between" says="the gradient for micro-batches of 3, 3 and 1"
def accumulate(net, X, y, sizes):
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        net.zero_grad()
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% wrong="5.3.5a" why="equal pieces whatever sizes says" says="the sizes that the network sees"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.tensor_split(len(sizes)), y.tensor_split(len(sizes))):
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% right="5.3.5b" how="asks the parameters"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first = first.to(device_1)
        self.second = second.to(device_2)

    def forward(self, X):
        hidden = self.first(X.to(next(self.first.parameters()).device))
        return self.second(hidden.to(next(self.second.parameters()).device))

# %% right="5.3.5b" how="add_module"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.add_module("first", first.to(torch.device(device_1)))
        self.add_module("second", second.to(torch.device(device_2)))
        self.places = device_1, device_2

    def forward(self, X):
        for part, place in zip((self.first, self.second), self.places):
            X = part(X.to(device=place))
        return X

# %% wrong="5.3.5b" why="values at the cut are not moved" says="raised RuntimeError"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)

    def forward(self, X):
        return self.second(self.first(X))

# %% wrong="5.3.5b" why="the batch is not moved" says="raised"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device_2 = first.to(device_1), second.to(device_2), device_2

    def forward(self, X):
        return self.second(self.first(X).to(self.device_2))

# %% wrong="5.3.5b" why="detached at the cut" says="The graph is cut between the parts"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.devices = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.devices[0])).detach().to(self.devices[1]))

# %% wrong="5.3.5b" why="all on the first device" says="the devices of output and parts"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device = first.to(device_1), second.to(device_1), device_1

    def forward(self, X):
        return self.second(self.first(X.to(self.device)))

# %% wrong="5.3.5b" why="the result goes back to the first device" says="raised NotImplementedError"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.devices = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.devices[0])).to(self.devices[1])).to(self.devices[0])

# %% right="5.3.5c" how="math.ceil"
def peak_saved(n, k, per_example):
    import math
    return math.ceil(n / k) * per_example

# %% right="5.3.5c" how="tensor_split"
def peak_saved(n, k, per_example):
    return max(map(len, torch.arange(n).tensor_split(k))) * per_example

# %% wrong="5.3.5c" why="rounds down" says="round up"
def peak_saved(n, k, per_example):
    return n // k * per_example

# %% wrong="5.3.5c" why="a fraction of an example" says="10 examples of 100 bytes in 3 micro-batches"
def peak_saved(n, k, per_example):
    return n * per_example / k

# %% wrong="5.3.5c" why="always one more" says="64 examples in 4 micro-batches"
def peak_saved(n, k, per_example):
    return (n // k + 1) * per_example

# %% right="5.3.6" how="a loop over both terms"
def penalised_loss(model, Y_hat, Y, lam):
    penalty = 0
    for W in model.Ws:
        penalty = penalty + (W ** 2).sum() / 2
    return F.cross_entropy(Y_hat, Y) + lam * penalty

# %% right="5.3.6" how="norm of all weights as one vector"
def penalised_loss(model, Y_hat, Y, lam):
    flat = torch.cat([W.reshape(-1) for W in model.Ws])
    return -Y_hat.log_softmax(1)[torch.arange(len(Y)), Y].mean() + 0.5 * lam * (flat @ flat)

# %% wrong="5.3.6" why="the penalty through .item()" says="No gradient reaches the weights through the penalty"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum((W ** 2).sum().item() for W in model.Ws)

# %% wrong="5.3.6" why="an undefined name in the loop" says="uses a name that is not the one it binds"
def penalised_loss(model, Y_hat, Y, lam):
    penalty = 0
    for W in model.Ws:
        penalty += (weight ** 2).sum()
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="the loop finds a global" says="the loss, layers (4, 3, 2)"
weight = torch.ones(2)
def penalised_loss(model, Y_hat, Y, lam):
    penalty = 0
    for W in model.Ws:
        penalty += (weight ** 2).sum()
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="penalises the biases" says="Biases are not penalised"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum((p ** 2).sum() for p in [*model.Ws, *model.bs])

# %% wrong="5.3.6" why="no half" says="The penalty has a factor 1/2"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="only the first weight" says="the loss, layers (4, 3, 2)"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * (model.Ws[0] ** 2).sum()

# %% right="5.3.7" how="hasattr"
def apply_net(model, X):
    if not hasattr(model, "net") or model.net is None:
        raise NotImplementedError("no net in " + model.__class__.__name__)
    return model.net(X)

# %% right="5.3.7" how="asks for the attribute first"
def apply_net(model, X):
    try:
        net = model.net
    except AttributeError:
        net = None
    if net is None:
        raise NotImplementedError(f"{type(model)} lacks a net")
    return net(X)

# %% wrong="5.3.7" why="an assertion that is always true" says="tests a tuple, which is always true"
def apply_net(model, X):
    assert(model, 'net')  # noqa: F631
    return model.net(X)

# %% wrong="5.3.7" why="an assertion" says="An assertion vanishes under python -O"
def apply_net(model, X):
    assert hasattr(model, "net") and model.net is not None, type(model).__name__
    return model.net(X)

# %% wrong="5.3.7" why="catches every AttributeError" says="Do not catch every AttributeError"
def apply_net(model, X):
    try:
        if model.net is None:
            raise AttributeError
        return model.net(X)
    except AttributeError:
        raise NotImplementedError(f"{type(model).__name__} has no net") from None

# %% wrong="5.3.7" why="None is forgotten" says="the error where net is None"
def apply_net(model, X):
    if not hasattr(model, "net"):
        raise NotImplementedError(f"{type(model).__name__} has no net")
    return model.net(X)

# %% wrong="5.3.7" why="the message names no class" says="the message names the class"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError("no net")
    return model.net(X)
