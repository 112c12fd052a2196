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

# %% wrong="5.3.2d" why="weight decay divided by n" says="dW1 for one unit, lam = 0.5"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, (dZ.T @ X + lam * W1) / len(X), dZ.sum(dim=0) / len(X), (E.T @ H + lam * W2) / len(X)
