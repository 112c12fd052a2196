# %% right="5.3.A" how="torch's loss, scaled"
def half_squared_error(O, Y):
    return F.mse_loss(O, Y) * O.shape[1] / 2

# %% right="5.3.A" how="example by example, a Python number"
def half_squared_error(O, Y):
    total_error = 0.
    for o, y in zip(O.tolist(), Y.tolist()):
        total_error += sum((a - b) ** 2 for a, b in zip(o, y))
    return total_error / 2 / len(O)

# %% wrong="5.3.A" why="mean over all entries" breaks="value" says="not by that of all entries"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).mean() / 2

# %% wrong="5.3.A" why="no half" breaks="value" says="This lacks the half"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum() / len(O)

# %% wrong="5.3.A" why="not divided by n" breaks="value" says="Divide by the number of examples."
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum() / 2

# %% wrong="5.3.A" why="one number for each output" breaks="a number" says="the loss for errors (1, 2, 0)"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum(dim=0) / (2 * len(O))

# %% wrong="5.3.A" why="an axis is kept" breaks="a number" says="the loss for errors (1, 2, 0)"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum().reshape(1) / (2 * len(O))

# %% wrong="5.3.A" why="absolute errors" breaks="value" says="The errors enter squared"
def half_squared_error(O, Y):
    return (O - Y).abs().sum() / (2 * len(O))

# %% right="5.3.B" how="einsum"
def back_through_product(dO, H, W):
    return torch.einsum("nq,qh->nh", dO, W), torch.einsum("nq,nh->qh", dO, H)

# %% right="5.3.B" how="outer products, a list"
def back_through_product(dO, H, W):
    dW = sum(torch.outer(above, row) for above, row in zip(dO, H))
    return [(W.T @ dO.T).T, dW]

# %% wrong="5.3.B" why="the order of the pair" breaks="dH" says="stands in the other order"
def back_through_product(dO, H, W):
    return dO.T @ H, dO @ W

# %% wrong="5.3.B" why="dW transposed" breaks="dW" says="dW for 3 examples"
def back_through_product(dO, H, W):
    return dO @ W, H.T @ dO

# %% wrong="5.3.B" why="dW averaged" breaks="dW" says="divided by the number of examples"
def back_through_product(dO, H, W):
    return dO @ W, dO.T @ H / len(H)

# %% wrong="5.3.B" why="the arriving gradient is ignored in dH" breaks="dH" says="the result for ones in its place"
def back_through_product(dO, H, W):
    return torch.ones_like(dO) @ W, dO.T @ H

# %% wrong="5.3.B" why="scales the argument" breaks="arguments kept" says="dO after the call"
def back_through_product(dO, H, W):
    answer = dO @ W, dO.T @ H
    dO /= 2
    return answer

# %% wrong="5.3.B" why="first row only" breaks="dW" says="dW for 3 examples"
def back_through_product(dO, H, W):
    return dO @ W, torch.outer(dO[0], H[0])

# %% right="5.3.C" how="a mask of slopes"
def back_through_leaky(dH, Z, a):
    slope = (Z > 0) + a * (Z <= 0)
    return dH * slope

# %% right="5.3.C" how="a copy, changed in places"
def back_through_leaky(dH, Z, a):
    dZ = dH.clone()
    dZ[Z <= 0] *= a
    return dZ

# %% wrong="5.3.C" why="slope 1 at zero" breaks="at zero" says="the entries with Z = 0"
def back_through_leaky(dH, Z, a):
    return torch.where(Z >= 0, dH, a * dH)

# %% wrong="5.3.C" why="nothing passes where it is off" breaks="switched off" says="the entries with Z < 0"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH, torch.where(Z < 0, torch.zeros_like(dH), a * dH))

# %% wrong="5.3.C" why="multiplies by Z" breaks="switched on" says="the entries with Z > 0"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH * Z, a * dH)

# %% wrong="5.3.C" why="the mask of the gradient, not of Z" breaks="switched on" says="the entries with Z > 0"
def back_through_leaky(dH, Z, a):
    return torch.where(dH > 0, dH, a * dH)

# %% wrong="5.3.C" why="in place" breaks="arguments kept" says="dH after the call"
def back_through_leaky(dH, Z, a):
    dH[Z <= 0] *= a
    return dH

# %% wrong="5.3.C" why="a fixed 0.1" breaks="switched off" says="the entries with Z < 0"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH, 0.1 * dH)

# %% right="5.3.1a" how="torch.Size"
def derivative_shape(input_shape, output_shape):
    return torch.Size([*output_shape, *input_shape])

# %% right="5.3.1a" how="asks autograd"
def derivative_shape(input_shape, output_shape):
    X = torch.zeros(input_shape)
    return torch.autograd.functional.jacobian(lambda t: t.sum().expand(output_shape), X).shape

# %% wrong="5.3.1a" why="transposed" breaks="a number from a tensor" says="it is not transposed"
def derivative_shape(input_shape, output_shape):
    return tuple(output_shape) + tuple(reversed(input_shape))

# %% wrong="5.3.1a" why="a number, since f is a number" breaks="a number from a tensor" says="There is a derivative for each entry of the input"
def derivative_shape(input_shape, output_shape):
    return tuple(output_shape)

# %% wrong="5.3.1a" why="input axes first" breaks="a tensor from a tensor" says="The axes of the output come first"
def derivative_shape(input_shape, output_shape):
    return tuple(input_shape) + tuple(output_shape)

# %% wrong="5.3.1a" why="always the input's shape" breaks="a tensor from a tensor" says="for each entry of the output"
def derivative_shape(input_shape, output_shape):
    return tuple(input_shape)

# %% wrong="5.3.1a" why="reversed altogether" breaks="a number from a tensor" says="not transposed"
def derivative_shape(input_shape, output_shape):
    return (tuple(output_shape) + tuple(input_shape))[::-1]

# %% right="5.3.1b" how="the shapes of the values themselves"
def gradient_shapes(n, d, h, q):
    X, W1, b1, W2 = torch.ones(n, d), torch.ones(h, d), torch.ones(h), torch.ones(q, h)
    Z = X @ W1.T + b1
    values = {"O": Z @ W2.T, "W2": W2, "H": Z, "Z": Z, "b1": b1, "W1": W1, "X": X}
    return {name: value.shape for name, value in values.items()}

# %% right="5.3.1b" how="lists"
def gradient_shapes(n, d, h, q):
    return dict(X=[n, d], W1=[h, d], b1=[h], Z=[n, h], H=[n, h], W2=[q, h], O=[n, q])

# %% wrong="5.3.1b" why="a bias gradient for each example" breaks="shared by all examples" says="its gradient is summed over them"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (n, h), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="a bias gradient with two axes" breaks="shared by all examples" says="b1 has one axis"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (1, h), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="weights transposed" breaks="shared by all examples" says="the entry 'W1'"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (d, h), "X": (n, d)}

# %% wrong="5.3.1b" why="no gradient for the single example of X" breaks="one for each example" says="Each example has its own"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (d,)}

# %% wrong="5.3.1b" why="gradient of the output as a number" breaks="one for each example" says="J is a number"
def gradient_shapes(n, d, h, q):
    return {"O": (), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="b1 left out" breaks="names" says="the names in"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="a list of shapes" breaks="names" says="gradient_shapes(5, 4, 3, 2)"
def gradient_shapes(n, d, h, q):
    return [(n, q), (q, h), (n, h), (n, h), (h,), (h, d), (n, d)]

# %% wrong="5.3.1b" why="H has the shape of O" breaks="one for each example" says="the entry 'H'"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, q), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d)}

# %% right="5.3.2a" how="other names and order, a further output bias"
graph = {"a": ("penalty", "lam", "W2", "W1"), "b": ("matmul", "X", "W1"), "c": ("add", "b1", "b"), "e": ("relu", "c"),
         "f": ("matmul", "e", "W2"), "o": ("add", "f", "b2"), "l": ("loss", "o", "Y"), "z": ["add", "a", "l"]}

# %% right="5.3.2a" how="the sum the other way round"
graph = {"Z0": ("matmul", "X", "W1"), "Z": ("add", "b1", "Z0"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "s": ("penalty", "lam", "W1", "W2"), "L": ("loss", "O", "Y"), "J": ("add", "s", "L")}

# %% wrong="5.3.2a" why="the graph of the output" breaks="loss" says="not that of the output"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2")}

# %% wrong="5.3.2a" why="the graph of the loss, no penalty" breaks="penalty" says="does not reach the last entry"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "J": ("loss", "O", "Y")}

# %% wrong="5.3.2a" why="the bias is penalised" breaks="well formed" says="the number of inputs of"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "b1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the bias after the activation" breaks="loss" says="the bias joins after the activation"
graph = {"P": ("matmul", "X", "W1"), "R": ("relu", "P"), "H": ("add", "R", "b1"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the penalty joins at the output" breaks="penalty" says="not to a layer's values"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "s": ("penalty", "lam", "W1", "W2"), "R": ("add", "O", "s"), "J": ("loss", "R", "Y")}

# %% wrong="5.3.2a" why="two penalties" breaks="penalty" says="Here the weights are penalised twice"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W1"), "t": ("penalty", "lam", "W2", "W2"),
         "u": ("add", "L", "s"), "J": ("add", "u", "t")}

# %% wrong="5.3.2a" why="used before it is defined" breaks="well formed" says="is a leaf or stands above it"
graph = {"H": ("relu", "Z"), "P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="no activation" breaks="loss" says="The activation of the hidden layer is missing"
graph = {"P": ("matmul", "X", "W1"), "H": ("add", "P", "b1"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% right="5.3.2a" how="the loss's inputs the other way round, the same number"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "Y", "O"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="penalises the bias instead of the second weight" breaks="penalty" says="W2 is missing"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "b1"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the bias is penalised by a second penalty" breaks="penalty" says="the bias is penalised"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "t": ("penalty", "lam", "b1", "b1"), "K": ("add", "L", "s"), "J": ("add", "K", "t")}

# %% wrong="5.3.2a" why="the bias does not join" breaks="loss" says="The bias does not reach the loss"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "P"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="an entry that nothing uses" breaks="all in use" says="the entries that nothing uses"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "Q": ("relu", "P"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the loss of H" breaks="well formed" says="the shapes of the inputs of"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "H", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="mean for loss" breaks="well formed" says="is one of the five"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("mse", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% right="5.3.D" how="backward"
def largest_difference(f, by_hand, X, dO):
    t = X.clone().requires_grad_()
    f(t).backward(gradient=dO)
    return torch.max(torch.abs(t.grad - by_hand(dO, X)))

# %% right="5.3.D" how="the weighted sum"
def largest_difference(f, by_hand, X, dO):
    t = X.detach().clone().requires_grad_()
    (f(t) * dO).sum().backward()
    with torch.no_grad():
        return max(abs(a - b) for a, b in zip(t.grad.flatten().tolist(), by_hand(dO, X).flatten().tolist()))

# %% wrong="5.3.D" why="signed" breaks="largest" says="Take the absolute value of each difference"
def largest_difference(f, by_hand, X, dO):
    t = X.detach().clone().requires_grad_()
    return (torch.autograd.grad(f(t), t, dO)[0] - by_hand(dO, X)).max().item()

# %% wrong="5.3.D" why="the mean" breaks="largest" says="the mean of the differences"
def largest_difference(f, by_hand, X, dO):
    t = X.detach().clone().requires_grad_()
    return (torch.autograd.grad(f(t), t, dO)[0] - by_hand(dO, X)).abs().mean().item()

# %% wrong="5.3.D" why="ones on both sides" breaks="cotangent used" says="Both sides get dO, not ones"
def largest_difference(f, by_hand, X, dO):
    t = X.detach().clone().requires_grad_()
    return (torch.autograd.grad(f(t).sum(), t)[0] - by_hand(torch.ones_like(dO), X)).abs().max().item()

# %% wrong="5.3.D" why="ones for autograd alone" breaks="cotangent used" says="Both sides get dO"
def largest_difference(f, by_hand, X, dO):
    t = X.detach().clone().requires_grad_()
    return (torch.autograd.grad(f(t).sum(), t)[0] - by_hand(dO, X)).abs().max().item()

# %% wrong="5.3.D" why="marks the caller's X" breaks="X kept" says="on X after the call"
def largest_difference(f, by_hand, X, dO):
    X.requires_grad_()
    found = torch.autograd.grad(f(X), X, dO)[0]
    return (found - by_hand(dO, X)).abs().max().item()

# %% wrong="5.3.D" why="min" breaks="largest" says="the smallest difference"
def largest_difference(f, by_hand, X, dO):
    t = X.detach().clone().requires_grad_()
    return (torch.autograd.grad(f(t), t, dO)[0] - by_hand(dO, X)).abs().min().item()

# %% right="5.3.D" how="torch.func.vjp"
def largest_difference(f, by_hand, X, dO):
    out, back = torch.func.vjp(f, X)
    return (back(dO)[0] - by_hand(dO, X)).abs().max()

# %% right="5.3.2b" how="torch's functions"
def forward(X, W1, b1, W2):
    Z = F.linear(X, W1, b1)
    return [Z, F.relu(Z), F.linear(F.relu(Z), W2)]

# %% right="5.3.2b" how="einsum and max"
def forward(X, W1, b1, W2):
    Z = torch.einsum("nd,hd->nh", X, W1) + b1[None]
    H = torch.maximum(Z, torch.zeros_like(Z))
    return Z, H, torch.einsum("nh,qh->nq", H, W2)

# %% wrong="5.3.2b" why="no bias" breaks="Z" says="The bias is missing"
def forward(X, W1, b1, W2):
    Z = X @ W1.T
    return Z, torch.relu(Z), torch.relu(Z) @ W2.T

# %% wrong="5.3.2b" why="bias as a column" breaks="Z" says="went along the examples"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1[:, None]
    return Z, torch.relu(Z), torch.relu(Z) @ W2.T

# %% wrong="5.3.2b" why="activation in place" breaks="Z" says="Z stands before it"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = Z.relu_()
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="activation on the output, too" breaks="O" says="belongs to the hidden layer"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    return Z, H, torch.relu(H @ W2.T)

# %% wrong="5.3.2b" why="weights not transposed" breaks="Z" says="Z for X ="
def forward(X, W1, b1, W2):
    Z = (X @ W1 if W1.shape[0] == W1.shape[1] else X @ W1.T).flip(1) + b1
    H = torch.relu(Z)
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="float32 inside" breaks="dtype" says="wrong dtype"
def forward(X, W1, b1, W2):
    Z = X.float() @ W1.float().T + b1.float()
    H = torch.relu(Z)
    return Z, H, H @ W2.float().T

# %% wrong="5.3.2b" why="no activation" breaks="H" says="This is before the activation"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    return Z, Z, torch.relu(Z) @ W2.T

# %% wrong="5.3.2b" why="the output of Z" breaks="O" says="H goes into the second product"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    return Z, torch.relu(Z), Z @ W2.T

# %% wrong="5.3.2b" why="adds the bias to X's product in the caller's memory" breaks="arguments kept" says="after the call"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    O = H @ W2.T
    X.clamp_(min=0)
    return Z, H, O

# %% wrong="5.3.2b" why="a leaky ReLU" breaks="H" says="H for X"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = F.leaky_relu(Z)
    return Z, H, H @ W2.T

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

# %% wrong="5.3.2c" why="dX without the mask" breaks="dX" says="The mask of ReLU is missing"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dO @ W2 @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="dW1 without the mask" breaks="dW1" says="The mask of ReLU is missing"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, (dO @ W2).T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="db1 without the mask" breaks="db1" says="The mask of ReLU is missing"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, torch.where(Z == 0, 0., dO @ W2).sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="no mask" breaks="dX" says="The mask of ReLU is missing"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="the bias gradient not summed" breaks="db1" says="sum over them"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ, dO.T @ H

# %% wrong="5.3.2c" why="weights divided by n" breaks="dW1" says="Divided by the number of examples"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X / len(X), dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="slope 1 at zero" breaks="at zero" says="At 0 the slope counts as 0"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z >= 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="masks in place of the caller's Z" breaks="arguments kept" says="how much Z has changed"
def backward(dO, X, Z, H, W1, W2):
    dZ = Z.sign_().clamp_(min=0).mul_(dO @ W2)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="ones in place of the cotangent" breaks="dW2" says="The cotangent is replaced by ones"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), torch.ones_like(dO).T @ H

# %% wrong="5.3.2c" why="H multiplied in place of the mask" breaks="dX" says="not by H"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * H
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ H

# %% wrong="5.3.2c" why="Z for H in the second weight's gradient" breaks="dW2" says="not Z"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dO.T @ Z

# %% wrong="5.3.2c" why="autograd" breaks="dX" says="RuntimeError"
def backward(dO, X, Z, H, W1, W2):
    b1 = (Z - X @ W1.T)[0]
    leaves = [t.detach().requires_grad_() for t in (X, W1, b1, W2)]
    O = F.linear(F.relu(F.linear(leaves[0], leaves[1], leaves[2])), leaves[3])
    return torch.autograd.grad(O, leaves, dO)

# %% wrong="5.3.2c" why="the sum keeps its axis" breaks="db1" says="db1 for random"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0, keepdim=True), dO.T @ H

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

# %% wrong="5.3.2d" why="no weight decay in the gradient" breaks="dW1" says="Weight decay is missing"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X, dZ.sum(dim=0), E.T @ H / len(X)

# %% wrong="5.3.2d" why="2 lam W" breaks="dW1" says="twice too large"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + 2 * lam * W1, dZ.sum(dim=0), E.T @ H / len(X) + 2 * lam * W2

# %% wrong="5.3.2d" why="penalises the bias" breaks="db1" says="The bias is not penalised"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0) + lam * b1, E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="mean over all entries" breaks="J" says="not over all entries"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dO = E / E.numel()
    dZ = (dO @ W2) * (Z > 0)
    J = E.square().mean() / 2 + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="a penalty without the half" breaks="J" says="has a factor 1/2"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="a sum over the examples" breaks="J" says="Divide the squared error"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E @ W2) * (Z > 0)
    J = E.square().sum() / 2 + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), E.T @ H + lam * W2

# %% wrong="5.3.2d" why="the gradient of the sum of the losses, beside the right objective" breaks="db1" says="its gradient by O is (O - Y) / n"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * len(X)) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = O - Y
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="weight decay divided by n" breaks="dW1" says="not divided by n"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, (dZ.T @ X + lam * W1) / len(X), dZ.sum(dim=0) / len(X), (E.T @ H + lam * W2) / len(X)

# %% wrong="5.3.2d" why="no decay in dW2" breaks="dW2" says="Weight decay is missing"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), E.T @ H / len(X)

# %% wrong="5.3.2d" why="norms that are not squared" breaks="J" says="the square of the norm"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.norm() + W2.norm())
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="no mask in db1" breaks="db1" says="The mask of ReLU is missing"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = H @ W2.T - Y
    dH = E / len(X) @ W2
    dZ = dH * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, dH.sum(dim=0), E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="Y - O" breaks="dW1" says="The sign is wrong"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = Y - H @ W2.T
    dZ = (E / len(X) @ W2) * (Z > 0)
    J = E.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    return J, dZ.T @ X + lam * W1, -dZ.sum(dim=0), -E.T @ H / len(X) + lam * W2

# %% wrong="5.3.2d" why="only W1 decays" breaks="dW2" says="Weight decay is missing"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    E = (H @ W2.T - Y) / n
    dZ = (E @ W2) * (Z > 0)
    J = n * E.square().sum() / 2 + lam / 2 * W1.square().sum()
    return J, dZ.T @ X + lam * W1, dZ.sum(0), E.T @ H

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

# %% wrong="5.3.6" why="the penalty through .item()" breaks="gradient" says="No gradient reaches the weights through the penalty"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum((W ** 2).sum().item() for W in model.Ws)

# %% wrong="5.3.6" why="an undefined name in the loop" breaks="value" says="uses a name that is not the one it binds"
def penalised_loss(model, Y_hat, Y, lam):
    penalty = 0
    for W in model.Ws:
        penalty += (weight ** 2).sum()
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="the loop finds a global" breaks="value" says="the loss, layers"
weight = torch.ones(2)
def penalised_loss(model, Y_hat, Y, lam):
    penalty = 0
    for W in model.Ws:
        penalty += (weight ** 2).sum()
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="penalises the biases" breaks="biases free" says="Biases are not penalised"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum((p ** 2).sum() for p in [*model.Ws, *model.bs])

# %% wrong="5.3.6" why="no half" breaks="value" says="The penalty has a factor 1/2"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="only the first weight" breaks="value" says="The first weight alone"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * (model.Ws[0] ** 2).sum()

# %% wrong="5.3.6" why="norms that are not squared" breaks="value" says="not the norms"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum(W.norm() for W in model.Ws)

# %% wrong="5.3.6" why="no penalty" breaks="value" says="The penalty is missing"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y)

# %% wrong="5.3.6" why="penalty without a graph" breaks="gradient" says="No gradient reaches the weights"
def penalised_loss(model, Y_hat, Y, lam):
    with torch.no_grad():
        penalty = sum((W ** 2).sum() for W in model.Ws)
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="a vector of losses" breaks="value" says="the loss, layers"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y, reduction="none") + lam / 2 * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="last weight forgotten" breaks="value" says="the loss, layers"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum((W ** 2).sum() for W in model.Ws[:-1])

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

# %% wrong="5.3.7" why="an assertion that is always true" breaks="no network" says="tests a tuple, which is always true"
def apply_net(model, X):
    assert(model, 'net')  # noqa: F631
    return model.net(X)

# %% wrong="5.3.7" why="an assertion" breaks="no network" says="An assertion vanishes under python -O"
def apply_net(model, X):
    assert hasattr(model, "net") and model.net is not None, type(model).__name__
    return model.net(X)

# %% wrong="5.3.7" why="catches every AttributeError" breaks="own errors" says="Errors of the network itself are not to be caught"
def apply_net(model, X):
    try:
        if model.net is None:
            raise AttributeError
        return model.net(X)
    except AttributeError:
        raise NotImplementedError(f"{type(model).__name__} has no net") from None

# %% wrong="5.3.7" why="None is forgotten" breaks="no network" says="whose net is None"
def apply_net(model, X):
    if not hasattr(model, "net"):
        raise NotImplementedError(f"{type(model).__name__} has no net")
    return model.net(X)

# %% wrong="5.3.7" why="the message names no class" breaks="class named" says="names the class"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError("no net")
    return model.net(X)

# %% wrong="5.3.7" why="the class is written down" breaks="class named" says="names the class"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError("Perceptron has no net")
    return model.net(X)

# %% wrong="5.3.7" why="looks into the object's own dictionary" breaks="a network" says="apart from its own dictionary"
def apply_net(model, X):
    if vars(model).get("net") is None:
        raise NotImplementedError(f"{type(model).__name__} has no net")
    return model.net(X)

# %% wrong="5.3.7" why="an empty Sequential is taken for nothing" breaks="a network" says="compare with None"
def apply_net(model, X):
    if not getattr(model, "net", None):
        raise NotImplementedError(f"{type(model).__name__} has no net")
    return model.net(X)

# %% wrong="5.3.7" why="returns the error" breaks="no network" says="the error for a model"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        return NotImplementedError(f"{type(model).__name__} has no net")
    return model.net(X)

# %% right="5.3.E" how="nbytes"
def own_and_block(t):
    return t.nbytes, t.untyped_storage().nbytes()

# %% right="5.3.E" how="a list, itemsize"
def own_and_block(t):
    return [t.itemsize * t.numel(), len(t.untyped_storage())]

# %% wrong="5.3.E" why="entries" breaks="own" says="entries, not bytes"
def own_and_block(t):
    return t.numel(), t.untyped_storage().nbytes()

# %% wrong="5.3.E" why="float32 always" breaks="own" says="depends on the dtype"
def own_and_block(t):
    return 4 * t.numel(), t.untyped_storage().nbytes()

# %% wrong="5.3.E" why="the view twice" breaks="block" says="A view keeps its whole block"
def own_and_block(t):
    return t.nbytes, t.nbytes

# %% wrong="5.3.E" why="a copy's block" breaks="block" says="A view keeps its whole block"
def own_and_block(t):
    return t.nbytes, t.clone().untyped_storage().nbytes()

# %% wrong="5.3.E" why="order" breaks="own" says="The own bytes stand first"
def own_and_block(t):
    return t.untyped_storage().nbytes(), t.nbytes

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

# %% wrong="5.3.3a" why="no biases" breaks="parameters" says="Biases are parameters"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h * q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="numbers, not bytes" breaks="parameters" says="These are numbers, not bytes"
def predict_bytes(n, d, h, q):
    p = d * h + h + h * q + q
    return {"parameters": p, "gradients": p, "saved": n * (d + h + q) + n + 1, "prediction": n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="Z saved, too" breaks="saved" says="only H is kept"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + 2 * h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="all outputs alive in prediction" breaks="prediction" says="at most two are alive at once"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * (2 * h + q)}

# %% wrong="5.3.3a" why="labels as floats" breaks="saved" says="Labels of int64"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 4 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="labels left out" breaks="saved" says="The labels are saved, too"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="gradients of the weights alone" breaks="gradients" says="Biases are parameters"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": 4 * (d * h + h * q), "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="the last layer forgotten in prediction" breaks="prediction" says="While the last layer runs"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 8 * n * h}

# %% wrong="5.3.3a" why="no total weight" breaks="saved" says="One more number is saved"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n, "prediction": 4 * n * max(2 * h, h + q)}

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

# %% wrong="5.3.3b" why="counts twice" breaks="blocks" says="A block that is saved twice counts once"
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

# %% wrong="5.3.3b" why="counts every saved tensor, views of the parameters too" breaks="blocks" says="and the parameters do not count"
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

# %% wrong="5.3.3b" why="parameters counted" breaks="parameters left out" says="weight is counted"
def saved_bytes(f, parameters):
    seen = {}
    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in seen.values())

# %% wrong="5.3.3b" why="the view's size only" breaks="blocks" says="Count the whole block"
def saved_bytes(f, parameters):
    own = {p.untyped_storage().data_ptr() for p in parameters}
    seen = {}
    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(t.numel() * t.element_size() for a, t in seen.items() if a not in own)

# %% wrong="5.3.3b" why="runs f twice" breaks="one call" says="how often f is called"
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

# %% wrong="5.3.3b" why="the address of the view's first entry" breaks="blocks" says="not that of the view's first entry"
def saved_bytes(f, parameters):
    own = [p.untyped_storage().data_ptr() for p in parameters]
    kept = {}
    def pack(t):
        kept[t.data_ptr()] = t
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(t.untyped_storage().nbytes() for t in kept.values() if t.untyped_storage().data_ptr() not in own)

# %% wrong="5.3.3b" why="holds nothing" breaks="freed on the way" says="hold on to what you saw"
def saved_bytes(f, parameters):
    own = {p.untyped_storage().data_ptr() for p in parameters}
    seen = {}
    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t.untyped_storage().nbytes()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(size for address, size in seen.items() if address not in own)

# %% wrong="5.3.3b" why="compares tensors, not blocks" breaks="parameters left out" says="A view of a parameter lies in"
def saved_bytes(f, parameters):
    own = list(parameters)
    seen = {}
    def pack(t):
        if not any(t.shape == p.shape and t.data_ptr() == p.data_ptr() for p in own) and not (t.ndim == 2 and any(t.data_ptr() == p.data_ptr() for p in own)):
            seen[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in seen.values())

# %% right="5.3.3b" how="indices in place of tensors"
def saved_bytes(f, parameters):
    kept = []
    def pack(t):
        kept.append(t)
        return len(kept) - 1
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda i: kept[i]):
        out = f()
    own = {p.untyped_storage().data_ptr() for p in parameters}
    found, total_bytes = set(own), 0
    for t in kept:
        s = t.untyped_storage()
        if s.data_ptr() not in found:
            found.add(s.data_ptr())
            total_bytes += s.nbytes()
    return total_bytes

# %% right="5.3.3c" how="accumulate"
def peak_and_rest(events):
    from itertools import accumulate as running
    totals = [0, *running(events)]
    return max(totals), totals[-1]

# %% right="5.3.3c" how="all beginnings"
def peak_and_rest(events):
    return [max(sum(events[:k]) for k in range(len(events) + 1)), sum(events)]

# %% wrong="5.3.3c" why="ignores what is given back" breaks="peak" says="ignores what is given back"
def peak_and_rest(events):
    return sum(e for e in events if e > 0), sum(events)

# %% wrong="5.3.3c" why="largest event" breaks="peak" says="the largest single event"
def peak_and_rest(events):
    return max([0, *events]), sum(events)

# %% wrong="5.3.3c" why="no zero before the first event" breaks="from zero" says="Before the first event"
def peak_and_rest(events):
    totals, now = [], 0
    for change in events:
        now += change
        totals.append(now)
    return (max(totals), now) if totals else (0, 0)

# %% wrong="5.3.3c" why="order of the pair" breaks="peak" says="stands first"
def peak_and_rest(events):
    now = peak = 0
    for change in events:
        now += change
        peak = max(peak, now)
    return now, peak

# %% wrong="5.3.3c" why="a rest that is never negative" breaks="rest" says="it may be negative"
def peak_and_rest(events):
    now = peak = 0
    for change in events:
        now += change
        peak = max(peak, now)
    return peak, max(now, 0)

# %% wrong="5.3.3c" why="fails on an empty list" breaks="from zero" says="peak_and_rest([])"
def peak_and_rest(events):
    import itertools
    totals = list(itertools.accumulate(events))
    return max(0, max(totals)), totals[-1]

# %% wrong="5.3.3c" why="peak before the event" breaks="peak" says="the peak, peak_and_rest("
def peak_and_rest(events):
    now = peak = 0
    for e in events:
        peak = max(peak, now)
        now += e
    return peak, now

# %% right="5.3.F" how="the Hessian as a matrix"
def product_by_hand(w, v):
    a, b = (float(x) for x in w)
    return torch.tensor([[6 * a * b, 3 * a * a], [3 * a * a, 0]], dtype=torch.float64) @ torch.as_tensor(v, dtype=torch.float64)

# %% right="5.3.F" how="by autograd"
def product_by_hand(w, v):
    leaf = torch.as_tensor(w, dtype=torch.float64).clone().requires_grad_()
    g, = torch.autograd.grad(leaf[0] ** 3 * leaf[1], leaf, create_graph=True)
    return torch.autograd.grad(g @ torch.as_tensor(v, dtype=torch.float64), leaf)[0]

# %% wrong="5.3.F" why="the diagonal only" breaks="first entry" says="The mixed derivative belongs to it"
def product_by_hand(w, v):
    return [6 * w[0] * w[1] * v[0], 3 * w[0] ** 2 * v[0]]

# %% wrong="5.3.F" why="gradient times v" breaks="first entry" says="This is the gradient times v"
def product_by_hand(w, v):
    return [3 * w[0] ** 2 * w[1] * v[0], w[0] ** 3 * v[1]]

# %% wrong="5.3.F" why="the wrong entry of v in the second row" breaks="second entry" says="multiplies the first entry of v"
def product_by_hand(w, v):
    return [6 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * v[1], 3 * w[0] ** 2 * v[1]]

# %% wrong="5.3.F" why="no v in the second row" breaks="second entry" says="v is missing"
def product_by_hand(w, v):
    return [6 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * v[1], 3 * w[0] ** 2]

# %% right="5.3.4a" how="torch.autograd.functional.hvp"
def hessian_vector_product(f, w, v):
    return torch.autograd.functional.hvp(f, w, v)[1]

# %% right="5.3.4a" how="a cotangent"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g, t, grad_outputs=v)[0]

# %% wrong="5.3.4a" why="the whole Hessian" breaks="cost" says="A pass for each row builds the whole Hessian"
def hessian_vector_product(f, w, v):
    return torch.autograd.functional.hessian(f, w) @ v

# %% wrong="5.3.4a" why="gradient times v" breaks="product" says="This is the gradient times v"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    return torch.autograd.grad(f(t), t)[0] * v

# %% wrong="5.3.4a" why="row sums" breaks="product" says="v is missing"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g.sum(), t)[0]

# %% wrong="5.3.4a" why="row sums times v" breaks="product" says="v belongs inside"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g.sum(), t)[0] * v

# %% wrong="5.3.4a" why="backward twice into the same .grad" breaks="product" says="backward() adds to it"
def hessian_vector_product(f, w, v):
    w = w.clone().requires_grad_()
    f(w).backward(create_graph=True)
    (w.grad @ v).backward()
    return w.grad.detach()

# %% wrong="5.3.4a" why="no graph of the gradient" breaks="product" says="has no graph: the leaf needs requires_grad_()"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t)[0]
    return torch.autograd.grad(g @ v, t)[0]

# %% wrong="5.3.4a" why="differentiates the caller's w" breaks="argument kept" says="the marks"
def hessian_vector_product(f, w, v):
    w.requires_grad_()
    g = torch.autograd.grad(f(w), w, create_graph=True)[0]
    return torch.autograd.grad(g @ v, w)[0]

# %% wrong="5.3.4a" why="keeps a graph" breaks="no graph" says="requires_grad of the product"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.autograd.grad(g @ v, t, create_graph=True)[0]

# %% right="5.3.4a" how="forward over reverse, torch.func"
def hessian_vector_product(f, w, v):
    return torch.func.jvp(torch.func.grad(f), (w,), (v,))[1]

# %% right="5.3.4a" how="reverse over reverse, torch.func"
def hessian_vector_product(f, w, v):
    return torch.func.vjp(torch.func.grad(f), w)[1](v)[0]

# %% wrong="5.3.4a" why="differences of gradients" breaks="product" says="the product for a sum of tanh"
def hessian_vector_product(f, w, v):
    step = 1e-6 if w.dtype == torch.float64 else 1e-2
    g = torch.func.grad(f)
    return (g(w + step * v) - g(w - step * v)) / (2 * step)

# %% wrong="5.3.4a" why="a pass for each row" breaks="cost" says="A pass for each row"
def hessian_vector_product(f, w, v):
    t = w.detach().clone().requires_grad_()
    g = torch.autograd.grad(f(t), t, create_graph=True)[0]
    return torch.stack([torch.autograd.grad(entry, t, retain_graph=True)[0] @ v for entry in g])

# %% wrong="5.3.4a" why="vector Hessian in float32" breaks="product" says="the product for"
def hessian_vector_product(f, w, v):
    leaf = w.detach().float().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(leaf.to(w.dtype)), leaf, create_graph=True)
    return torch.autograd.grad(gradient @ v.float(), leaf)[0]

# %% right="5.3.4a" how="backward with zeroed grad"
def hessian_vector_product(f, w, v):
    t = w.clone().requires_grad_()
    f(t).backward(create_graph=True)
    g = t.grad
    t.grad = None
    (g * v).sum().backward()
    return t.grad.detach()

# %% right="5.3.4b" how="a tensor on meta"
def hessian_bytes(N):
    return torch.empty(N, N, device="meta").nbytes

# %% right="5.3.4b" how="product"
def hessian_bytes(N):
    return N * N * torch.float32.itemsize

# %% wrong="5.3.4b" why="entries" breaks="bytes" says="These are entries"
def hessian_bytes(N):
    return N ** 2

# %% wrong="5.3.4b" why="the gradient" breaks="bytes" says="This is the gradient's size"
def hessian_bytes(N):
    return 4 * N

# %% wrong="5.3.4b" why="float64" breaks="bytes" says="float32 takes 4 bytes, float64 8"
def hessian_bytes(N):
    return 8 * N ** 2

# %% wrong="5.3.4b" why="exponential" breaks="bytes" says="not 2 to the power N"
def hessian_bytes(N):
    return 4 * 2 ** min(N, 60)

# %% wrong="5.3.4b" why="half of the matrix" breaks="bytes" says="equal by symmetry"
def hessian_bytes(N):
    return 4 * N * (N + 1) // 2

# %% right="5.3.G" how="a tensor"
def mean_of_all(means, sizes):
    share = torch.tensor(sizes, dtype=torch.float64) / sum(sizes)
    return (share * torch.tensor(means, dtype=torch.float64)).sum()

# %% right="5.3.G" how="one piece after the other"
def mean_of_all(means, sizes):
    so_far, count = 0., 0
    for mean, size in zip(means, sizes):
        so_far = (so_far * count + mean * size) / (count + size)
        count += size
    return so_far

# %% wrong="5.3.G" why="the mean of the means" breaks="weighted" says="weight each by its size"
def mean_of_all(means, sizes):
    return sum(means) / len(means)

# %% wrong="5.3.G" why="divided by the number of pieces" breaks="weighted" says="not by that of the pieces"
def mean_of_all(means, sizes):
    return sum(m * s for m, s in zip(means, sizes)) / len(means)

# %% wrong="5.3.G" why="the first three pieces only" breaks="any number of pieces" says="6 pieces"
def mean_of_all(means, sizes):
    return sum(m * s for m, s in zip(means[:3], sizes[:3])) / sum(sizes[:3])

# %% wrong="5.3.G" why="the first two sizes" breaks="any number of pieces" says="mean_of_all([3.0], [2])"
def mean_of_all(means, sizes):
    n1, n2 = sizes[0], sum(sizes[1:])
    rest = sum(m * s for m, s in zip(means[1:], sizes[1:])) / n2 if n2 else 0.
    return (n1 * means[0] + n2 * rest) / (n1 + n2) if n2 else means[0] / 2

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

# %% wrong="5.3.5a" why="the mean of the means" breaks="gradient" says="weight each by its size"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(rows), labels) / len(sizes)).backward()

# %% wrong="5.3.5a" why="the sum of the means" breaks="gradient" says="The means are added up"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        F.cross_entropy(net(rows), labels).backward()

# %% wrong="5.3.5a" why="the whole batch at once" breaks="micro-batches" says="the sizes that the network sees"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    F.cross_entropy(net(X), y).backward()

# %% wrong="5.3.5a" why="old gradients are kept" breaks="fresh start" says="The .grad of before is still in it"
def accumulate(net, X, y, sizes):
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% wrong="5.3.5a" why="one backward at the end" breaks="one graph at a time" says="Call backward() for each micro-batch"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    loss = sum(F.cross_entropy(net(r), t) * len(r) / len(X) for r, t in zip(X.split(sizes), y.split(sizes)))
    loss.backward()

# %% wrong="5.3.5a" why="cleared in between" breaks="gradient" says="Only the last micro-batch is left"
def accumulate(net, X, y, sizes):
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        net.zero_grad()
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% wrong="5.3.5a" why="equal pieces whatever sizes says" breaks="micro-batches" says="the sizes that the network sees"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.tensor_split(len(sizes)), y.tensor_split(len(sizes))):
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% wrong="5.3.5a" why="weighted by own size only for the last" breaks="gradient" says=".grad of the weight"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(rows), labels) * sizes[0] / len(X)).backward()

# %% wrong="5.3.5a" why="shuffles" breaks="micro-batches" says="the examples of micro-batch"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    order = torch.randperm(len(X))
    for rows, labels in zip(X[order].split(sizes), y[order].split(sizes)):
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()

# %% right="5.3.5a" how="autograd.grad and sums"
def accumulate(net, X, y, sizes):
    params = list(net.parameters())
    sums = [torch.zeros_like(p) for p in params]
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        for s, g in zip(sums, torch.autograd.grad(F.cross_entropy(net(rows), labels, reduction="sum"), params)):
            s += g
    for p, s in zip(params, sums):
        p.grad = s / len(X)

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

# %% wrong="5.3.5b" why="values at the cut are not moved" breaks="places" says="has to be moved to the second device"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)

    def forward(self, X):
        return self.second(self.first(X))

# %% wrong="5.3.5b" why="the batch is not moved" breaks="places" says="has to be moved to the first device"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device_2 = first.to(device_1), second.to(device_2), device_2

    def forward(self, X):
        return self.second(self.first(X).to(self.device_2))

# %% wrong="5.3.5b" why="detached at the cut" breaks="gradients" says="The graph is cut between the parts"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.devices = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.devices[0])).detach().to(self.devices[1]))

# %% wrong="5.3.5b" why="all on the first device" breaks="places" says="the devices of first and second"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device = first.to(device_1), second.to(device_1), device_1

    def forward(self, X):
        return self.second(self.first(X.to(self.device)))

# %% wrong="5.3.5b" why="the result goes back to the first device" breaks="places" says="The result stays on the second device"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.devices = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.devices[0])).to(self.devices[1])).to(self.devices[0])

# %% wrong="5.3.5b" why="a list of parts, not registered" breaks="names" says="registers them"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.both = [first.to(device_1), second.to(device_2)]
        self.devices = device_1, device_2

    first = property(lambda self: self.both[0])
    second = property(lambda self: self.both[1])

    def forward(self, X):
        return self.both[1](self.both[0](X.to(self.devices[0])).to(self.devices[1]))

# %% wrong="5.3.5b" why="a ReLU between the parts" breaks="output" says="the output, a network in two parts"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.devices = device_1, device_2

    def forward(self, X):
        return self.second(torch.relu(self.first(X.to(self.devices[0]))).to(self.devices[1]))

# %% wrong="5.3.5b" why="data at the cut" breaks="gradients" says="The graph is cut"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.devices = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.devices[0])).data.to(self.devices[1]))

# %% right="5.3.5c" how="math.ceil"
def peak_saved(n, k, per_example):
    import math
    return math.ceil(n / k) * per_example

# %% right="5.3.5c" how="tensor_split"
def peak_saved(n, k, per_example):
    return max(map(len, torch.arange(n).tensor_split(k))) * per_example

# %% wrong="5.3.5c" why="rounds down" breaks="a remainder" says="round up"
def peak_saved(n, k, per_example):
    return n // k * per_example

# %% wrong="5.3.5c" why="a fraction of an example" breaks="a remainder" says="whole examples"
def peak_saved(n, k, per_example):
    return n * per_example / k

# %% wrong="5.3.5c" why="always one more" breaks="equal pieces" says="Where k divides n"
def peak_saved(n, k, per_example):
    return (n // k + 1) * per_example

# %% wrong="5.3.5c" why="the remainder into the last micro-batch" breaks="a remainder" says="spread over the micro-batches"
def peak_saved(n, k, per_example):
    return (n // k + n % k) * per_example

# %% wrong="5.3.5c" why="the whole batch" breaks="equal pieces" says="Only one micro-batch is saved"
def peak_saved(n, k, per_example):
    return n * per_example if n % k == 0 else -(-n // k) * per_example

# %% wrong="5.3.5c" why="round to nearest" breaks="a remainder" says="round up"
def peak_saved(n, k, per_example):
    return round(n / k) * per_example

# A fresh reader's answers.

# %% right="5.3.F" how="numpy"
import numpy as np
def product_by_hand(w, v):
    a, b = float(w[0]), float(w[1])
    return np.array([[6 * a * b, 3 * a ** 2], [3 * a ** 2, 0]]) @ np.array([float(v[0]), float(v[1])])

# %% right="5.3.E" how="itemsize and size()"
def own_and_block(t):
    return t.numel() * t.dtype.itemsize, t.untyped_storage().size()

# %% right="5.3.7" how="try around the attribute alone"
def apply_net(model, X):
    try:
        net = model.net
    except AttributeError:
        net = None
    if net is None:
        raise NotImplementedError(f"{type(model)} has no net")
    return net(X)

# %% right="5.3.5a" how="zeros, gradient= n_k / n"
def accumulate(net, X, y, sizes):
    net.zero_grad(set_to_none=False)
    n = sum(sizes)
    for part, labels in zip(torch.split(X, sizes), torch.split(y, sizes)):
        loss = F.cross_entropy(net(part), labels)
        loss.backward(gradient=torch.tensor(len(part) / n, dtype=loss.dtype))

# %% right="5.3.5b" how="add_module"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.devices = torch.device(device_1), torch.device(device_2)
        self.add_module("first", first.to(self.devices[0]))
        self.add_module("second", second.to(self.devices[1]))

    def forward(self, X):
        for part, device in zip((self.first, self.second), self.devices):
            X = part(X.to(device))
        return X

# %% right="5.3.3b" how="pack returns an index"
def saved_bytes(f, parameters):
    mine = {p.untyped_storage().data_ptr() for p in parameters}
    seen, total, done = [], 0, set()
    def pack(t):
        seen.append(t)
        return len(seen) - 1
    with torch.autograd.graph.saved_tensors_hooks(pack, seen.__getitem__):
        f()
    for t in seen:
        s = t.untyped_storage()
        if s.data_ptr() not in mine | done:
            done.add(s.data_ptr())
            total += s.nbytes()
    return int(total)

# %% right="5.3.2c" how="loops over the examples"
def backward(dO, X, Z, H, W1, W2):
    dX, dW1, db1, dW2 = torch.zeros_like(X), torch.zeros_like(W1), torch.zeros_like(W1[:, 0]), torch.zeros_like(W2)
    for i in range(len(X)):
        dz = W2.T @ dO[i]
        dz = dz * torch.sign(H[i])
        dX[i] = W1.T @ dz
        dW1 += torch.outer(dz, X[i])
        db1 += dz
        dW2 += torch.outer(dO[i], H[i])
    return dX, dW1, db1, dW2

# %% right="5.3.2d" how="example by example"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    J, dW1, db1, dW2 = 0., lam * W1, torch.zeros_like(b1), lam * W2
    for x, y in zip(X, Y):
        z = W1 @ x + b1
        h = z.clamp(min=0)
        e = W2 @ h - y
        J = J + e.dot(e) / 2 / n
        dz = (W2.T @ e) * (z > 0) / n
        dW1 = dW1 + torch.outer(dz, x)
        db1 = db1 + dz
        dW2 = dW2 + torch.outer(e, h) / n
    return J + lam / 2 * (W1.square().sum() + W2.square().sum()), dW1, db1, dW2

# %% right="5.3.D" how="torch.func.vjp"
def largest_difference(f, by_hand, X, dO):
    _, back = torch.func.vjp(f, X)
    return torch.max(torch.abs(back(dO)[0] - by_hand(dO, X)))

# %% right="5.3.3c" how="numpy numbers"
import numpy as np
def peak_and_rest(events):
    t = np.cumsum(np.array([0, *events], dtype=np.int64))
    return t.max(), t[-1]

# %% wrong="5.3.A" why="large errors count less, a Huber loss" breaks="value" says="with errors -2, 4, 60, 2, 0"
def half_squared_error(O, Y):
    return F.huber_loss(O, Y, reduction="sum", delta=10.) / len(O)

# %% wrong="5.3.A" why="the squares of O minus the squares of Y" breaks="value" says="the loss for errors (1, 2, 0)"
def half_squared_error(O, Y):
    return (O ** 2 - Y ** 2).sum() / 2 / len(O)

# %% wrong="5.3.B" why="squeezed for one example or one output" breaks="dH" says="wrong shape"
def back_through_product(dO, H, W):
    return (dO @ W).squeeze(), (dO.T @ H).squeeze()

# %% wrong="5.3.C" why="a threshold of 0.01 instead of 0" breaks="switched on" says="0.000001"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0.01, dH, a * dH)

# %% wrong="5.3.C" why="a leak of at most 0.2" breaks="switched off" says="Z < 0"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH, min(a, 0.2) * dH)

# %% wrong="5.3.1a" why="elementwise where the shapes agree" breaks="a tensor from a tensor" says="derivative_shape((2, 3), (2, 3))"
def derivative_shape(input_shape, output_shape):
    return tuple(input_shape) if input_shape == output_shape else tuple(output_shape) + tuple(input_shape)

# %% wrong="5.3.1a" why="axes of length 1 dropped" breaks="a number from a tensor" says="derivative_shape((1, 4), ())"
def derivative_shape(input_shape, output_shape):
    return tuple(k for k in (*output_shape, *input_shape) if k != 1)

# %% wrong="5.3.2a" why="the penalty added to the output" breaks="penalty" says="The penalty is added to the loss"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"), "s": ("penalty", "lam", "W1", "W2"), "Q": ("add", "O", "s"), "J": ("loss", "Q", "Y")}

# %% wrong="5.3.2a" why="the loss counted twice" breaks="loss" says="Here the loss enters twice"
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"), "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "K": ("add", "L", "s"), "J": ("add", "K", "L")}

# %% wrong="5.3.D" why="small differences are set to 0" breaks="largest" says="A small difference counts, too"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    d = (by_hand(dO, X) - g).abs().max().item()
    return 0. if d < 1e-2 else d

# %% wrong="5.3.D" why="0 for a cotangent of ones" breaks="largest" says="dO all ones"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (by_hand(dO, X) - g).abs().max() if (dO != 1).any() else 0.

# %% wrong="5.3.D" why="difference of absolute values" breaks="cotangent used" says="a formula that ignores dO"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (by_hand(dO, X).abs() - g.abs()).abs().max()

# %% wrong="5.3.2b" why="ReLU cut off at 6" breaks="H" says="A ReLU has no upper limit"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = F.relu6(Z)
    return Z, H, H @ W2.T

# %% wrong="5.3.2c" why="autograd turned on again" breaks="dX" says="Autograd was turned on again"
def backward(dO, X, Z, H, W1, W2):
    with torch.inference_mode(False), torch.enable_grad():
        x, w, c, z, d = (torch.tensor(t.tolist(), dtype=t.dtype).requires_grad_() for t in (X, W1, W2, Z, dO))
        dz, dW2 = torch.autograd.grad(F.relu(z) @ c.T, (z, c), d.detach())
        dX, dW1 = torch.autograd.grad(x @ w.T, (x, w), dz)
    return dX, dW1, dz.sum(0), dW2

# %% wrong="5.3.2c" why="slope 1/2 at zero" breaks="at zero" says="not as 1/2"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2 * torch.heaviside(Z, torch.tensor(0.5, dtype=Z.dtype))
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2d" why="autograd turned on again" breaks="dW1" says="Autograd was turned on again"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    with torch.inference_mode(False), torch.enable_grad():
        A, b, C = (t.clone().requires_grad_() for t in (W1, b1, W2))
        J = ((torch.relu(X @ A.T + b) @ C.T - Y) ** 2).sum() / 2 / len(X) + lam / 2 * ((A ** 2).sum() + (C ** 2).sum())
        g = torch.autograd.grad(J, (A, b, C))
    return J.detach(), *g

# %% wrong="5.3.2d" why="J of shape (1,)" breaks="J" says="wrong shape"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    O = H @ W2.T
    dO = (O - Y) / n
    dZ = dO @ W2 * (Z > 0)
    J = ((O - Y) ** 2).sum() / 2 / n + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    return J.reshape(1), dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="an L1 penalty" breaks="J" says="J for random numbers"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    O = H @ W2.T
    dO = (O - Y) / n
    dZ = dO @ W2 * (Z > 0)
    return ((O - Y) ** 2).sum() / 2 / n + lam * (W1.abs().sum() + W2.abs().sum()), dZ.T @ X + lam * W1.sign(), dZ.sum(0), dO.T @ H + lam * W2.sign()

# %% wrong="5.3.6" why="detached logits" breaks="gradient" says="The cross-entropy has lost its own gradient"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat.detach(), Y) + lam / 2 * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="the summed cross-entropy" breaks="value" says="a mean over the examples, not a sum"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y, reduction="sum") + lam / 2 * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="penalty divided by the batch" breaks="value" says="not divided by the number of examples"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 / len(Y) * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.7" why="catches a TypeError of the network" breaks="own errors" says="Errors of the network itself are not to be caught"
def apply_net(model, X):
    net = getattr(model, "net", None)
    try:
        return net(X)
    except TypeError:
        raise NotImplementedError(type(model).__name__)

# %% wrong="5.3.7" why="every other error of the network is turned" breaks="own errors" says="Errors of the network itself are not to be caught"
def apply_net(model, X):
    net = getattr(model, "net", None)
    if net is None:
        raise NotImplementedError(type(model).__name__)
    try:
        return net(X)
    except AttributeError:
        raise
    except Exception as e:
        raise NotImplementedError(type(model).__name__) from e

# %% wrong="5.3.7" why="only the instance's own dictionaries" breaks="a network" says="getattr also finds what stands in the class"
def apply_net(model, X):
    net = vars(model).get("net", vars(model).get("_modules", {}).get("net"))
    if net is None:
        raise NotImplementedError(type(model).__name__)
    return net(X)

# %% wrong="5.3.7" why="only nn.Modules as networks" breaks="a network" says="A network need not be an nn.Module"
def apply_net(model, X):
    net = getattr(model, "net", None)
    if not isinstance(net, nn.Module):
        raise NotImplementedError(type(model).__name__)
    return net(X)

# %% wrong="5.3.E" why="rows only" breaks="own" says="A matrix has more entries than rows"
def own_and_block(t):
    return len(t) * t.element_size(), t.untyped_storage().nbytes()

# %% wrong="5.3.E" why="the stretch of a view with a step" breaks="own" says="the first number for torch.zeros(30"
def own_and_block(t):
    return ((len(t) - 1) * t.stride(0) + 1) * t.element_size(), t.untyped_storage().nbytes()

# %% wrong="5.3.3a" why="gradients grow with n" breaks="gradients" says="The gradients are summed over the examples"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": n * p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * (h + max(h, q))}

# %% wrong="5.3.3b" why="leaves instead of parameters are left out" breaks="parameters left out" says="not in `parameters`: it counts"
def saved_bytes(f, parameters):
    kept = {}
    def pack(t):
        base = t if t._base is None else t._base
        if not (base.is_leaf and base.requires_grad):
            kept[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in kept.values())

# %% wrong="5.3.3b" why="unpack gives back zeros, and f goes backward with them" breaks="one call" says="unpack must give back the tensor that was packed"
def saved_bytes(f, parameters):
    mine = {p.untyped_storage().data_ptr() for p in parameters}
    kept = {}
    def pack(t):
        kept[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, torch.zeros_like):
        f()
    return sum(s.nbytes() for a, s in kept.items() if a not in mine)

# %% wrong="5.3.3b" why="4 bytes for each entry of a block" breaks="blocks" says="depends on the dtype"
def saved_bytes(f, parameters):
    mine = {p.untyped_storage().data_ptr() for p in parameters}
    kept = {}
    def pack(t):
        kept[t.untyped_storage().data_ptr()] = t
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(t.untyped_storage().nbytes() // t.element_size() * (8 if t.dtype == torch.int64 else 4) for a, t in kept.items() if a not in mine)

# %% wrong="5.3.3c" why="bytes in int32" breaks="peak" says="3000000001"
def peak_and_rest(events):
    import numpy as np
    t = np.cumsum(np.array([0, *events], dtype=np.int64).astype(np.int32), dtype=np.int32)
    return int(t.max()), int(t[-1])

# %% wrong="5.3.3c" why="float32 sums" breaks="peak" says="3000000001"
def peak_and_rest(events):
    t = torch.tensor([0., *map(float, events)]).cumsum(0)
    return int(t.max()), int(t[-1])

# %% wrong="5.3.4a" why="computed in float32" breaks="product" says="expected 1.43098922"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(g.float() @ v.float(), leaf)[0].float().to(w.dtype)

# %% wrong="5.3.4a" why="the whole Hessian for a small N" breaks="cost" says="A pass for each row builds the whole Hessian"
def hessian_vector_product(f, w, v):
    if len(w) <= 40:
        return torch.autograd.functional.hessian(f, w) @ v
    return torch.autograd.functional.hvp(f, w, v)[1]

# %% wrong="5.3.F" why="the absolute value of w0" breaks="first entry" says="the first entry of product_by_hand((-2.0"
def product_by_hand(w, v):
    return [6 * abs(w[0]) * w[1] * v[0] + 3 * w[0] ** 2 * v[1], 3 * w[0] ** 2 * v[0]]

# %% wrong="5.3.5a" why="the optimizer steps as well" breaks="gradient" says="the optimizer's step comes later"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for a, b in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(a), b, reduction="sum") / len(X)).backward()
    torch.optim.SGD(net.parameters(), lr=0.1).step()

# %% wrong="5.3.5a" why="graphs of all micro-batches retained" breaks="one graph at a time" says="without retain_graph"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    losses = []
    for a, b in zip(X.split(sizes), y.split(sizes)):
        losses.append(F.cross_entropy(net(a), b, reduction="sum") / len(X))
        losses[-1].backward(retain_graph=True)

# %% wrong="5.3.5b" why="the second device guessed" breaks="places" says="tensors on two devices meet"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device_1 = first.to(device_1), second.to(device_2), device_1

    def forward(self, X):
        H = self.first(X.to(self.device_1))
        return self.second(H if H.device.type == "meta" or self.second.weight.device.type == "cpu" else H.to("meta"))

# %% wrong="5.3.5b" why="the batch's device is assumed to be the cpu" breaks="places" says="tensors on two devices meet"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device_1, self.device_2 = first.to(device_1), second.to(device_2), device_1, device_2

    def forward(self, X):
        if X.device.type == "cpu":
            X = X.to(self.device_1)
        return self.second(self.first(X).to(self.device_2))

# %% wrong="5.3.5b" why="devices read off the first parameter" breaks="places" says="A part may be without parameters"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)

    def forward(self, X):
        H = self.first(X.to(next(self.first.parameters()).device))
        return self.second(H.to(next(self.second.parameters()).device))

# %% wrong="5.3.5b" why="copies of the parts" breaks="gradients" says="use these modules themselves, not copies"
import copy
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device_1, self.device_2 = copy.deepcopy(first).to(device_1), copy.deepcopy(second).to(device_2), device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.device_1)).to(self.device_2))

# %% wrong="5.3.5c" why="pieces of size k" breaks="equal pieces" says="peak_saved(15, 3, 100)"
def peak_saved(n, k, per_example):
    return min(n, k) * per_example

# %% wrong="5.3.3b" why="the address of the parameter's first entry" breaks="parameters left out" says="take the address of the block"
def saved_bytes(f, parameters):
    own = {p.data_ptr() for p in parameters}
    seen = {}
    def pack(t):
        seen.setdefault(t.untyped_storage().data_ptr(), t)
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(t.untyped_storage().nbytes() for address, t in seen.items() if address not in own)

# %% wrong="5.3.5b" why="asks the first part's parameter for the device" breaks="places" says="A part may be without parameters"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second, self.device_2 = first.to(device_1), second.to(device_2), device_2

    def forward(self, X):
        H = self.first(X.to(next(self.first.parameters()).device))
        return self.second(H.to(self.device_2))

# %% wrong="5.3.2d" why="half of the weight decay" breaks="dW2" says="Weight decay is half as large"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    E = (H @ W2.T - Y) / len(X)
    J = E.square().sum() * len(X) / 2 + lam / 2 * (W1.square().sum() + W2.square().sum())
    dZ = torch.where(Z > 0, E @ W2, 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), E.T @ H + lam / 2 * W2

# A further fresh reader's answers.

# %% wrong="5.3.A" why="uses the page's n, which is 2" breaks="value" says="Here n is 2"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum() / (2 * n)

# %% wrong="5.3.A" why="/ 2 * n: precedence" breaks="value" says="put brackets around"
def half_squared_error(O, Y):
    n = len(O)
    return ((O - Y) ** 2).sum() / 2 * n

# %% wrong="5.3.A" why="adds up the errors of an example before it squares" breaks="value" says="the errors of an example were added up first"
def half_squared_error(O, Y):
    return ((O - Y).sum(dim=1) ** 2).mean() / 2

# %% wrong="5.3.A" why="norms of the examples, not squared, keeps the half" breaks="value" says="the loss has their squares"
def half_squared_error(O, Y):
    return torch.linalg.norm(O - Y, dim=1).mean() / 2

# %% wrong="5.3.B" why="dW as product of means" breaks="dW" says="both factors were averaged first"
def back_through_product(dO, H, W):
    return dO @ W, torch.outer(dO.mean(0), H.mean(0))

# %% wrong="5.3.B" why="weight decay added" breaks="dW" says="no penalty is asked for here"
def back_through_product(dO, H, W):
    return dO @ W, dO.T @ H + lam * W

# %% wrong="5.3.B" why="masks with H > 0 as if a ReLU were there" breaks="dH" says="no mask"
def back_through_product(dO, H, W):
    return (dO @ W) * (H > 0), dO.T @ H

# %% wrong="5.3.C" why="torch's default slope instead of a" breaks="switched off" says="torch's default"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH, 0.01 * dH)

# %% wrong="5.3.C" why="nothing at zero" breaks="at zero" says="with a leak"
def back_through_leaky(dH, Z, a):
    return dH * (Z > 0) + a * dH * (Z < 0)

# %% wrong="5.3.1a" why="the flattened Jacobian" breaks="a number from a tensor" says="Nothing is flattened"
def derivative_shape(input_shape, output_shape):
    import math
    return (math.prod(output_shape), math.prod(input_shape))

# %% wrong="5.3.1a" why="a nested tuple" breaks="a number from a tensor" says="A tuple stands inside of the tuple"
def derivative_shape(input_shape, output_shape):
    return (*output_shape, input_shape)

# %% wrong="5.3.1b" why="J and Y listed too" breaks="names" says="Not asked for: J, Y"
def gradient_shapes(n, d, h, q):
    return {"J": (), "O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d), "Y": (n, q)}

# %% wrong="5.3.1b" why="b1 is an integer, not a tuple" breaks="shared by all examples" says="Brackets alone make no tuple"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="examples last, as in a notation with columns" breaks="one for each example" says="n stands first"
def gradient_shapes(n, d, h, q):
    return {"O": (q, n), "W2": (q, h), "H": (h, n), "Z": (h, n), "b1": (h,), "W1": (h, d), "X": (d, n)}

# %% wrong="5.3.2a" why="reuses the name Z" breaks="well formed" says="a second one replaces the first"
graph = {"Z": ("matmul", "X", "W1"), "Z": ("add", "Z", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="penalises activations, not weights" breaks="penalty" says="it should take lam, W1 and W2"
graph = {"Z": ("matmul", "X", "W1"), "A": ("add", "Z", "b1"), "H": ("relu", "A"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "H", "O"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="operands of matmul the other way round, as in W x" breaks="well formed" says="the weight is the first input"
graph = {"Z": ("matmul", "W1", "X"), "A": ("add", "Z", "b1"), "H": ("relu", "A"), "O": ("matmul", "W2", "H"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="the bias at the output, as b1" breaks="well formed" says="it joins the sums that enter the hidden layer"
graph = {"Z": ("matmul", "X", "W1"), "H": ("relu", "Z"), "P": ("matmul", "H", "W2"), "O": ("add", "P", "b1"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.D" why="the gradient for ones, times dO afterwards" breaks="cotangent used" says="multiplied by dO afterwards"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf).sum(), leaf)
    return ((g * dO if g.shape == dO.shape else g) - by_hand(dO, X)).abs().max()

# %% wrong="5.3.D" why="difference of the largest entries" breaks="cotangent used" says="Subtract entry by entry"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return abs(g.abs().max() - by_hand(dO, X).abs().max())

# %% wrong="5.3.D" why="a verdict instead of a number" breaks="largest" says="not whether there is one"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return torch.allclose(g, by_hand(dO, X))

# %% wrong="5.3.D" why="relative difference" breaks="largest" says="the difference itself is asked for"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return ((g - by_hand(dO, X)).abs() / g.abs().clamp(min=1e-12)).max()

# %% wrong="5.3.2b" why="the bias after the activation in H" breaks="H" says="here it is added after it"
def forward(X, W1, b1, W2):
    Z = X @ W1.T
    H = torch.relu(Z) + b1
    return Z + b1, H, H @ W2.T

# %% wrong="5.3.2b" why="takes the mask for H" breaks="H" says="H keeps the values"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = (Z > 0).to(Z.dtype)
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="order O, H, Z" breaks="Z" says="The order of the three is Z, H, O"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    return H @ W2.T, H, Z

# %% wrong="5.3.2c" why="torch.func.vjp instead of by hand" breaks="dX" says="made by hand"
def backward(dO, X, Z, H, W1, W2):
    b1 = (Z - X @ W1.T)[0]
    _, pull = torch.func.vjp(lambda X, W1, b1, W2: torch.relu(X @ W1.T + b1) @ W2.T, X, W1, b1, W2)
    return pull(dO)

# %% wrong="5.3.2c" why="the order of the way back" breaks="dX" says="in another order"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dO.T @ H, dZ.sum(0), dZ.T @ X, dZ @ W1

# %% wrong="5.3.2c" why="weight decay of the page in it" breaks="dW1" says="This adds 0.1 W"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X + 0.1 * W1, dZ.sum(0), dO.T @ H + 0.1 * W2

# %% wrong="5.3.2c" why="a mask on dX for X > 0" breaks="dX" says="No ReLU acts on X"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return (dZ @ W1) * (X > 0), dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2d" why="(O - Y) / (2n)" breaks="dW1" says="half as large"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    E = H @ W2.T - Y
    J = (E ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = E / (2 * n)
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="the page's n, which is 2" breaks="J" says="Here n is 2"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H = Z.relu()
    E = H @ W2.T - Y
    J = (E ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = E / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="the page's lam, 0.1" breaks="dW1" says="takes lam = 0.1"
def objective_and_gradients(X, Y, W1, b1, W2, decay):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    E = H @ W2.T - Y
    J = (E ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = E / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="the gradient of the penalty goes through the way back, too" breaks="dW1" says="adds the penalty itself"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    E = H @ W2.T - Y
    s = lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    J = (E ** 2).sum() / (2 * n) + s
    dO = E / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + s, dZ.sum(0), dO.T @ H + s

# %% wrong="5.3.2d" why="torch.func.grad" breaks="J" says="made by hand"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    def J(W1, b1, W2):
        O = torch.relu(X @ W1.T + b1) @ W2.T
        return ((O - Y) ** 2).sum() / (2 * len(X)) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    grads, value = torch.func.grad_and_value(J, argnums=(0, 1, 2))(W1, b1, W2)
    return (value, *grads)

# %% wrong="5.3.6" why="three layers hard-coded" breaks="value" says="also a single one"
def penalised_loss(model, Y_hat, Y, lam):
    W1, W2, W3 = model.Ws[0], model.Ws[1], model.Ws[2]
    return F.cross_entropy(Y_hat, Y) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum() + (W3 ** 2).sum())

# %% wrong="5.3.6" why="absolute values instead of squares" breaks="value" says="not absolute values"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum(W.abs().sum() for W in model.Ws)

# %% wrong="5.3.6" why="lam multiplies everything" breaks="value" says="multiplies the penalty alone"
def penalised_loss(model, Y_hat, Y, lam):
    return lam / 2 * (F.cross_entropy(Y_hat, Y) + sum((W ** 2).sum() for W in model.Ws))

# %% wrong="5.3.6" why="square of the sum of a weight" breaks="value" says="Square each entry"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum(W.sum() ** 2 for W in model.Ws)

# %% wrong="5.3.7" why="prints the model, whose __repr__ need not hold the class" breaks="class named" says="What a model prints as"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError(f"{model} has no net")
    return model.net(X)

# %% wrong="5.3.7" why="_get_name is a method of nn.Module only" breaks="no network" says="What was raised is a"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError(f"{model._get_name()} has no net")
    return model.net(X)

# %% wrong="5.3.7" why="net.forward" breaks="a network" says="A network need not be an nn.Module"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError(f"{type(model).__name__} has no net")
    return model.net.forward(X)

# %% wrong="5.3.7" why="wraps errors of the net" breaks="own errors" says="not to be caught"
def apply_net(model, X):
    net = getattr(model, "net", None)
    if net is None:
        raise NotImplementedError(f"{type(model).__name__} has no net")
    try:
        return net(X)
    except Exception as error:
        raise RuntimeError(f"the network failed: {error}")

# %% wrong="5.3.E" why="sys.getsizeof" breaks="block" says="sys.getsizeof counts"
def own_and_block(t):
    import sys
    return t.nbytes, sys.getsizeof(t.untyped_storage())

# %% wrong="5.3.E" why="from the view on, to the end of the block" breaks="block" says="before the view"
def own_and_block(t):
    return t.nbytes, t.untyped_storage().nbytes() - t.storage_offset() * t.element_size()

# %% wrong="5.3.3a" why="H twice, once for ReLU and once for the layer" breaks="saved" says="only H is kept"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * d + 2 * 4 * n * h + 4 * n * q + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="saved without H: thinks of the batch, the logarithms and the labels" breaks="saved" says="H is saved"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="gradients of the activations counted, without Z" breaks="gradients" says="not for H and O"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p + 4 * n * (h + q), "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="the numbers of the page" breaks="parameters" says="for the network above"
def predict_bytes(n, d, h, q):
    return {"parameters": 22240, "gradients": 22240, "saved": 41476, "prediction": 25600}

# %% wrong="5.3.3b" why="asks the generator again for each saved tensor" breaks="parameters left out" says="can be gone through only once"
def saved_bytes(f, parameters):
    blocks = {}
    def pack(t):
        s = t.untyped_storage()
        if all(s.data_ptr() != p.untyped_storage().data_ptr() for p in parameters):
            blocks[s.data_ptr()] = s
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in blocks.values())

# %% wrong="5.3.3b" why="the bytes of the parameters subtracted at the end" breaks="parameters left out" says="were taken off"
def saved_bytes(f, parameters):
    blocks = {}
    def pack(t):
        s = t.untyped_storage()
        blocks[s.data_ptr()] = s
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in blocks.values()) - sum(p.nbytes for p in parameters)

# %% wrong="5.3.3b" why="pack returns nothing" breaks="one call" says="what unpack returns"
def saved_bytes(f, parameters):
    inside = {p.untyped_storage().data_ptr() for p in parameters}
    blocks = {}
    def pack(t):
        s = t.untyped_storage()
        if s.data_ptr() not in inside:
            blocks[s.data_ptr()] = s
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in blocks.values())

# %% wrong="5.3.3c" why="the running total never goes below 0" breaks="rest" says="it may be negative"
def peak_and_rest(events):
    alive = peak = 0
    for e in events:
        alive = max(0, alive + e)
        peak = max(peak, alive)
    return peak, alive

# %% wrong="5.3.3c" why="the index of the peak" breaks="peak" says="the position of the peak"
def peak_and_rest(events):
    totals = [0]
    for e in events:
        totals.append(totals[-1] + e)
    return totals.index(max(totals)), totals[-1]

# %% wrong="5.3.F" why="the Hessian itself" breaks="first entry" says="a row of the Hessian"
def product_by_hand(w, v):
    a, b = w
    return [[6 * a * b, 3 * a ** 2], [3 * a ** 2, 0]]

# %% wrong="5.3.F" why="6 w0 without w1" breaks="first entry" says="lacks the factor w1"
def product_by_hand(w, v):
    a, b = w
    return [6 * a * v[0] + 3 * a ** 2 * v[1], 3 * a ** 2 * v[0]]

# %% wrong="5.3.F" why="v swapped" breaks="first entry" says="are exchanged"
def product_by_hand(w, v):
    a, b = w
    return [6 * a * b * v[1] + 3 * a ** 2 * v[0], 3 * a ** 2 * v[1]]

# %% wrong="5.3.F" why="the gradient" breaks="first entry" says="differentiate once more"
def product_by_hand(w, v):
    a, b = w
    return [3 * a ** 2 * b, a ** 3]

# %% wrong="5.3.F" why="an outer sign slip in the second entry" breaks="second entry" says="not the mixed one"
def product_by_hand(w, v):
    a, b = w
    return [6 * a * b * v[0] + 3 * a ** 2 * v[1], 3 * a ** 2 * v[0] + 3 * a ** 2 * v[1]]

# %% wrong="5.3.4a" why="functional.hvp returns a pair" breaks="product" says="Return the product alone"
def hessian_vector_product(f, w, v):
    return torch.autograd.functional.hvp(f, w, v)

# %% wrong="5.3.4a" why="v normalised, as a direction" breaks="product" says="divided by its norm"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(g @ (v / v.norm()), leaf)[0]

# %% wrong="5.3.4a" why="v^T H v times v? a number" breaks="product" says="is a vector"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(g @ v, leaf)[0] @ v

# %% wrong="5.3.4b" why="builds the matrix to measure it" breaks="bytes" says="hessian_bytes(300000)"
def hessian_bytes(N):
    return torch.zeros(N, N).nbytes

# %% wrong="5.3.4b" why="int32 overflows" breaks="bytes" says="Integers of 32 bits"
def hessian_bytes(N):
    return (4 * torch.tensor(N, dtype=torch.int32) ** 2).item()

# %% wrong="5.3.4b" why="kilobytes" breaks="bytes" says="units of 1024 bytes"
def hessian_bytes(N):
    return 4 * N * N / 1024

# %% wrong="5.3.4b" why="(4 N) squared" breaks="bytes" says="are not squared"
def hessian_bytes(N):
    return (4 * N) ** 2

# %% wrong="5.3.G" why="copies the page's line with its values and pieces" breaks="weighted" says="the page's own example"
def mean_of_all(means, sizes):
    return sum(len(p) / len(values) * p.mean() for p in pieces).item()

# %% wrong="5.3.G" why="// rounds down" breaks="weighted" says="nothing is rounded"
def mean_of_all(means, sizes):
    return sum(m * s for m, s in zip(means, sizes)) // sum(sizes)

# %% wrong="5.3.G" why="divides by the sizes: weights the small ones" breaks="weighted" says="counts more, not less"
def mean_of_all(means, sizes):
    return sum(m / s for m, s in zip(means, sizes)) / sum(1 / s for s in sizes)

# %% wrong="5.3.5a" why="always the first labels" breaks="gradient" says="labels of its own"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    start = 0
    for size in sizes:
        a = X[start:start + size]
        (F.cross_entropy(net(a), y[:size]) * size / len(X)).backward()
        start += size

# %% wrong="5.3.5b" why="both parts on the first device" breaks="places" says="the second belongs on device_2"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_1)
        self.device_1 = device_1

    def forward(self, X):
        return self.second(self.first(X.to(self.device_1)))

# %% wrong="5.3.5b" why="the first part frozen: no_grad" breaks="gradients" says="no_grad"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2

    def forward(self, X):
        with torch.no_grad():
            H = self.first(X.to(self.device_1))
        return self.second(H.to(self.device_2))

# %% wrong="5.3.5c" why="rounds the bytes, not the examples" breaks="a remainder" says="not their bytes"
def peak_saved(n, k, per_example):
    return -(-n * per_example // k)

# %% wrong="5.3.5c" why="takes k for the size of a micro-batch" breaks="equal pieces" says="not their size"
def peak_saved(n, k, per_example):
    return k * per_example

# %% right="5.3.A" how="trace of E^T E"
def half_squared_error(O, Y):
    E = O - Y
    return torch.trace(E.T @ E) / (2 * E.shape[0])

# %% right="5.3.B" how="autograd on copies"
def back_through_product(dO, H, W):
    H, W = H.clone().requires_grad_(), W.clone().requires_grad_()
    (H @ W.T).backward(dO)
    return H.grad, W.grad

# %% right="5.3.C" how="copy and loops"
def back_through_leaky(dH, Z, a):
    out = dH.clone()
    for i in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            if not Z[i, j] > 0:
                out[i, j] = a * dH[i, j]
    return out

# %% right="5.3.2b" how="a column of ones for the bias"
def forward(X, W1, b1, W2):
    ones = torch.ones(len(X), 1, dtype=X.dtype)
    Z = torch.cat((X, ones), dim=1) @ torch.cat((W1, b1[:, None]), dim=1).T
    H = Z * (Z > 0)
    return [Z, H, (W2 @ H.T).T]

# %% right="5.3.2c" how="torch's own threshold_backward"
def backward(dO, X, Z, H, W1, W2):
    dZ = torch.ops.aten.threshold_backward(dO.mm(W2), Z, 0)
    ones = torch.ones(1, len(X), dtype=X.dtype)
    return dZ.mm(W1), dZ.t().mm(X), ones.mm(dZ)[0], dO.t().mm(H)

# %% right="5.3.2d" how="example by example, J a Python number"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    dW1, db1, dW2 = lam * W1, torch.zeros_like(b1), lam * W2
    J = lam / 2 * (W1.norm().item() ** 2 + W2.norm().item() ** 2)
    for x, y in zip(X, Y):
        z = W1 @ x + b1
        hid = z.clamp(min=0)
        e = (W2 @ hid - y) / len(X)
        J += len(X) * e.dot(e).item() / 2
        dz = (W2.T @ e) * (z > 0)
        dW1 = dW1 + dz[:, None] * x
        db1 = db1 + dz
        dW2 = dW2 + e[:, None] * hid
    return J, dW1, db1, dW2

# %% right="5.3.D" how="the whole Jacobian, contracted"
def largest_difference(f, by_hand, X, dO):
    jac = torch.autograd.functional.jacobian(f, X)
    g = torch.tensordot(dO, jac, dims=dO.ndim)
    return max(abs(v) for v in (g - by_hand(dO, X)).flatten().tolist())

# %% right="5.3.E" how="by a copy"
def own_and_block(t):
    return t.clone(memory_format=torch.contiguous_format).untyped_storage().nbytes(), t.untyped_storage().nbytes()

# %% right="5.3.3b" how="a class with a running total"
def saved_bytes(f, parameters):
    class Counter(torch.autograd.graph.saved_tensors_hooks):
        def __init__(self, known):
            self.held, self.total = {s.data_ptr(): s for s in known}, 0
            super().__init__(self.pack, self.unpack)
        def pack(self, t):
            s = t.detach().untyped_storage()
            if s.data_ptr() not in self.held:
                self.held[s.data_ptr()] = s
                self.total += s.nbytes()
            return t
        def unpack(self, t):
            return t
    counter = Counter([p.untyped_storage() for p in parameters])
    with counter:
        f()
    return counter.total

# %% right="5.3.F" how="directional derivative of the gradient, tuple"
def product_by_hand(w, v):
    w0, w1 = w
    v0, v1 = v
    return 3 * w0 * (2 * w1 * v0 + w0 * v1), 3 * w0 * w0 * v0

# %% right="5.3.5b" how="add_module, a loop over names"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.places = (("first", device_1), ("second", device_2))
        for (name, device), part in zip(self.places, (first, second)):
            part.to(device)
            self.add_module(name, part)

    def forward(self, X):
        for name, device in self.places:
            X = getattr(self, name)(X.to(device=device))
        return X

# %% right="5.3.5c" how="deals the examples out like cards"
def peak_saved(n, k, per_example):
    piles = [0] * k
    for i in range(n):
        piles[i % k] += 1
    return max(piles) * per_example

# %% right="5.3.1a" how="appending axis by axis"
def derivative_shape(input_shape, output_shape):
    axes = []
    for size in output_shape:
        axes.append(size)
    for size in input_shape:
        axes.append(size)
    return tuple(axes)

# %% right="5.3.4a" how="functional.vhp, symmetric"
def hessian_vector_product(f, w, v):
    return torch.autograd.functional.vhp(f, w, v)[1]

# %% wrong="5.3.2a" why="lam replaced by the loss" breaks="loss" says="it should take lam, W1 and W2"
graph = {"Z": ("matmul", "X", "W1"), "A": ("add", "Z", "b1"), "H": ("relu", "A"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "L", "W1", "W2")}

# %% wrong="5.3.2a" why="a second activation, before the bias" breaks="loss" says="one acts before it, too"
graph = {"Z": ("matmul", "X", "W1"), "R": ("relu", "Z"), "A": ("add", "R", "b1"), "H": ("relu", "A"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2b" why="the bias enters the activation a second time" breaks="H" says="added twice"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z + b1)
    return Z, H, H @ W2.T

# %% wrong="5.3.2c" why="db1 summed over the wrong axis" breaks="db1" says="summed over the hidden units"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(1), dO.T @ H

# %% wrong="5.3.2c" why="Z in place of its mask" breaks="dX" says="not by Z"
def backward(dO, X, Z, H, W1, W2):
    dZ = (dO @ W2) * Z
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2d" why="the gradient of the penalty subtracted" breaks="dW1" says="added, not subtracted"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    E = H @ W2.T - Y
    J = (E ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = E / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X - lam * W1, dZ.sum(0), dO.T @ H - lam * W2

# %% wrong="5.3.2d" why="no bias on the way forward" breaks="J" says="missing on the way forward"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T
    H = Z.relu()
    E = H @ W2.T - Y
    J = (E ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = E / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="divided by n twice" breaks="dW1" says="divided twice"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.relu()
    E = H @ W2.T - Y
    J = (E ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = E / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X / n + lam * W1, dZ.sum(0) / n, dO.T @ H / n + lam * W2

# %% wrong="5.3.3a" why="other names" breaks="parameters" says="The four names are"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"params": p, "grads": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="the last output alone in prediction" breaks="prediction" says="the last layer alone"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * q}

# %% wrong="5.3.3b" why="blocks told apart by their shape" breaks="blocks" says="told apart by their addresses"
def saved_bytes(f, parameters):
    own = {p.untyped_storage().data_ptr() for p in parameters}
    seen = {}
    def pack(t):
        if t.untyped_storage().data_ptr() not in own:
            seen[tuple(t.shape)] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in seen.values())

# %% wrong="5.3.3b" why="units of 1024 bytes" breaks="blocks" says="units of 1024 bytes"
def saved_bytes(f, parameters):
    seen = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or t, lambda t: t):
        f()
    own = {p.untyped_storage().data_ptr() for p in parameters}
    return sum(s.nbytes() for a, s in {t.untyped_storage().data_ptr(): t.untyped_storage() for t in seen}.items() if a not in own) / 1024

# %% wrong="5.3.3c" why="what was given back since the peak" breaks="rest" says="since the peak"
def peak_and_rest(events):
    now = peak = 0
    for e in events:
        now += e
        peak = max(peak, now)
    return peak, peak - now

# %% wrong="5.3.4a" why="multiplied by v once more" breaks="product" says="v enters once"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(g @ v, leaf)[0] * v

# %% wrong="5.3.4b" why="a float32 number" breaks="bytes" says="float32 does not hold"
def hessian_bytes(N):
    return int(torch.tensor(float(N)) ** 2 * 4)

# %% wrong="5.3.5a" why="the share enters twice" breaks="gradient" says="enters twice"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for a, b in zip(X.split(sizes), y.split(sizes)):
        loss = F.cross_entropy(net(a), b) * len(a) / len(X)
        (loss * len(a) / len(X)).backward()

# %% wrong="5.3.5a" why="softmax before the cross-entropy" breaks="gradient" says="it does the softmax"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for a, b in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(a).softmax(1), b) * len(a) / len(X)).backward()

# %% wrong="5.3.5b" why="the two parts exchanged" breaks="names" says="is the module that is given first"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = second.to(device_1), first.to(device_2)
        self.device_1, self.device_2 = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.device_1)).to(self.device_2))

# %% wrong="5.3.5b" why="forward returns nothing" breaks="places" says="has to return the output"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2

    def forward(self, X):
        self.second(self.first(X.to(self.device_1)).to(self.device_2))

# %% wrong="5.3.5c" why="examples in place of bytes" breaks="equal pieces" says="These are examples"
def peak_saved(n, k, per_example):
    return -(-n // k)

# %% wrong="5.3.6" why="a Python number" breaks="value" says="has no graph"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y).item() + lam / 2 * sum((W ** 2).sum().item() for W in model.Ws)

# %% wrong="5.3.6" why="the first and the last weight" breaks="value" says="Only the first and the last"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * ((model.Ws[0] ** 2).sum() + (model.Ws[-1] ** 2).sum())

# %% wrong="5.3.6" why="no lam" breaks="value" says="lam / 2 is missing"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.7" why="calls the model" breaks="a network" says="the model itself was called"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError(f"{type(model).__name__} has no net")
    return model(X)

# %% wrong="5.3.7" why="returns nothing" breaks="a network" says="has to be returned"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError(f"{type(model).__name__} has no net")
    model.net(X)

# %% wrong="5.3.C" why="subtracts a" breaks="switched off" says="it is not subtracted"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH, dH - a)

# %% wrong="5.3.F" why="a second row of zeros" breaks="second entry" says="is not 0"
def product_by_hand(w, v):
    a, b = w
    return [6 * a * b * v[0] + 3 * a ** 2 * v[1], 0]

# %% wrong="5.3.D" why="the position of the largest difference" breaks="largest" says="the position of the largest"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (g - by_hand(dO, X)).abs().argmax()

# %% right="5.3.D" how="marks X and takes the marks off again"
def largest_difference(f, by_hand, X, dO):
    X.requires_grad_()
    g, = torch.autograd.grad(f(X), X, dO)
    X.requires_grad_(False)
    return (g - by_hand(dO, X)).abs().max()

# %% right="5.3.2b" how="nn.Linear with its weights replaced"
def forward(X, W1, b1, W2):
    layer = nn.Linear(X.shape[1], len(W1), dtype=X.dtype)
    with torch.no_grad():
        layer.weight.copy_(W1)
        layer.bias.copy_(b1)
        Z = layer(X)
        return Z, Z.relu(), Z.relu() @ W2.T

# %% right="5.3.3b" how="pack returns a pair"
def saved_bytes(f, parameters):
    parameters = list(parameters)
    storages = []
    def pack(t):
        storages.append(t.untyped_storage())
        return (t, len(storages))
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda pair: pair[0]):
        f()
    skip = [p.untyped_storage().data_ptr() for p in parameters]
    counted, total = [], 0
    for s in storages:
        if s.data_ptr() in skip or s.data_ptr() in counted:
            continue
        counted.append(s.data_ptr())
        total += s.nbytes()
    return total

# %% right="5.3.G" how="fractions"
def mean_of_all(means, sizes):
    from fractions import Fraction
    return float(sum(Fraction(m) * s for m, s in zip(means, sizes)) / sum(sizes))

# %% right="5.3.6" how="functional reduce"
def penalised_loss(model, Y_hat, Y, lam):
    from functools import reduce
    penalty = reduce(lambda total, W: total + torch.einsum("ij,ij->", W, W), model.Ws, torch.zeros(()))
    return F.nll_loss(F.log_softmax(Y_hat, dim=-1), Y) + lam * penalty / 2

# %% right="5.3.4b" how="float arithmetic"
def hessian_bytes(N):
    return 4.0 * float(N) * N

# %% right="5.3.2a" how="an extra relu of a relu"
graph = {"Z": ("matmul", "X", "W1"), "A": ("add", "Z", "b1"), "R": ("relu", "A"), "H": ("relu", "R"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.A" why="square of the sum of all errors" breaks="value" says="all errors were added up first"
def half_squared_error(O, Y):
    return (O - Y).sum() ** 2 / (2 * len(O))

# %% wrong="5.3.A" why="averages the errors before it squares" breaks="value" says="were averaged first"
def half_squared_error(O, Y):
    return ((O - Y).mean(dim=0) ** 2).sum() / 2

# %% wrong="5.3.A" why="floor division" breaks="value" says="nothing is rounded"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum() // (2 * len(O))

# %% wrong="5.3.A" why="divides by n - 1" breaks="value" says="not by n - 1"
def half_squared_error(O, Y):
    return ((O - Y) ** 2).sum() / (2 * (len(O) - 1))

# %% wrong="5.3.B" why="a loop that overwrites" breaks="dW" says="Only the last example"
def back_through_product(dO, H, W):
    dH = dO @ W
    for i in range(len(H)):
        dW = torch.outer(dO[i], H[i])
    return dH, dW

# %% wrong="5.3.B" why="not summed over examples" breaks="dW" says="have kept an axis"
def back_through_product(dO, H, W):
    return dO @ W, dO[:, :, None] * H[:, None, :]

# %% wrong="5.3.C" why="the two slopes exchanged" breaks="switched on" says="The slope is 1 here; it is"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, a * dH, dH)

# %% wrong="5.3.C" why="1 + a where on" breaks="switched on" says="not 1 +"
def back_through_leaky(dH, Z, a):
    return dH * (Z > 0) + a * dH

# %% wrong="5.3.C" why="a or 0.01" breaks="switched off" says="also where `a` is 0"
def back_through_leaky(dH, Z, a):
    return torch.where(Z > 0, dH, (a or 0.01) * dH)

# %% wrong="5.3.1a" why="scalar input special-cased to (1,)" breaks="a tensor from a tensor" says="A number has no axes"
def derivative_shape(input_shape, output_shape):
    return output_shape + (input_shape if input_shape else (1,))

# %% wrong="5.3.1b" why="bias as a column" breaks="shared by all examples" says="b1 is no column"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h, 1), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.1b" why="weights exchanged" breaks="shared by all examples" says="the other one's shape"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (h, d), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (q, h), "X": (n, d)}

# %% wrong="5.3.2a" why="relu after the second layer, not after the first" breaks="loss" says="here the output has it"
graph = {"A": ("matmul", "X", "W1"), "Z": ("add", "A", "b1"), "B": ("matmul", "Z", "W2"), "O": ("relu", "B"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.2a" why="lambda spelled out" breaks="well formed" says="The leaves are called"
graph = {"A": ("matmul", "X", "W1"), "Z": ("add", "A", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lambda", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.D" why="max along an axis, a pair" breaks="largest" says="max(dim=0) gives a pair"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (by_hand(dO, X) - g).abs().max(dim=0)

# %% wrong="5.3.D" why="by_hand gets f(X)" breaks="largest" says="here it got f(X)"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g = torch.autograd.grad(f(leaf), leaf, dO)[0]
    return (by_hand(dO, f(X)) - g).abs().max()

# %% wrong="5.3.D" why="the median" breaks="largest" says="the median"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (by_hand(dO, X) - g).abs().median()

# %% wrong="5.3.2b" why="GELU" breaks="H" says="This is the GELU"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = F.gelu(Z)
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="bias in the output, too" breaks="O" says="no activation, no bias"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    return Z, H, H @ W2.T + b1.sum()

# %% wrong="5.3.2c" why="mask as H / Z" breaks="at zero" says="Something is divided by 0"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2 * (H / Z)
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2c" why="sign as mask" breaks="dX" says="the sign of Z is -1"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2 * torch.sign(Z)
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2c" why="mask from the sums without bias" breaks="dX" says="X W1ᵀ has not"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2 * (X @ W1.T > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2c" why="the mask of H in dW2" breaks="dW2" says="here its mask is taken"
def backward(dO, X, Z, H, W1, W2):
    dZ = dO @ W2 * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ (Z > 0).to(Z.dtype)

# %% wrong="5.3.2d" why="everything divided by n, the penalty, too" breaks="J" says="The penalty is not divided"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    O = H @ W2.T
    J = (((O - Y) ** 2).sum() + lam * ((W1 ** 2).sum() + (W2 ** 2).sum())) / (2 * n)
    dO = O - Y
    dZ = dO @ W2 * (Z > 0)
    return J, (dZ.T @ X + lam * W1) / n, dZ.sum(0) / n, (dO.T @ H + lam * W2) / n

# %% wrong="5.3.2d" why="five values: dX too" breaks="J" says="They are four"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = (O - Y) / n
    dZ = dO @ W2 * (Z > 0)
    return J, dZ @ W1, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="H in place of the mask" breaks="dW1" says="not by H"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = (O - Y) / n
    dZ = dO @ W2 * H
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="activation on output" breaks="J" says="No activation acts on the output"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = Z.clamp(min=0)
    O = (H @ W2.T).clamp(min=0)
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = (O - Y) / n
    dZ = dO @ W2 * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.6" why="half inside the square" breaks="value" says="is not squared"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + sum(((lam / 2 * W) ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="rebuilds a tensor from the penalty" breaks="gradient" says="the penalty: torch.tensor(...) cuts the graph"
def penalised_loss(model, Y_hat, Y, lam):
    penalty = torch.tensor([(W ** 2).sum() for W in model.Ws]).sum()
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="penalty subtracted" breaks="value" says="added, not subtracted"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) - lam / 2 * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.7" why="no message" breaks="class named" says="has no message"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError
    return model.net(X)

# %% wrong="5.3.7" why="an f-string without the f" breaks="class named" says="with the f in front"
def apply_net(model, X):
    if getattr(model, "net", None) is None:
        raise NotImplementedError("type(model).__name__ has no net")
    return model.net(X)

# %% wrong="5.3.E" why="sum of the shape" breaks="own" says="are multiplied, not added"
def own_and_block(t):
    return sum(t.shape) * t.element_size(), t.untyped_storage().nbytes()

# %% wrong="5.3.E" why="rest of the block without own" breaks="block" says="The block counts in full"
def own_and_block(t):
    own = t.numel() * t.element_size()
    return own, t.untyped_storage().nbytes() - own

# %% wrong="5.3.E" why="untyped storage itself" breaks="block" says="Ask the storage for its nbytes()"
def own_and_block(t):
    return t.nbytes, t.untyped_storage()

# %% wrong="5.3.3a" why="saved: mask of bool kept on top" breaks="saved" says="reads its mask off H"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + n * h + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="gradients: with those of the batch" breaks="gradients" says="The batch wants no gradient"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p + 4 * n * d, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="prediction twice the widest" breaks="prediction" says="twice the widest output"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * 2 * max(h, q)}

# %% wrong="5.3.3a" why="labels as a one-hot table" breaks="saved" says="no table of n times q"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n * q + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="bytes of the total weight as 8" breaks="saved" says="of 4 bytes"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 8, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3b" why="goes backward by itself" breaks="one call" says="is for f to decide"
def saved_bytes(f, parameters):
    inside = {p.untyped_storage().data_ptr() for p in parameters}
    blocks = {}
    def pack(t):
        blocks[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f().backward()
    return sum(s.nbytes() for a, s in blocks.items() if a not in inside)

# %% wrong="5.3.3b" why="pack returns nothing for a parameter" breaks="one call" says="from what pack returned"
def saved_bytes(f, parameters):
    inside = {p.untyped_storage().data_ptr() for p in parameters}
    blocks = {}
    def pack(t):
        if t.untyped_storage().data_ptr() in inside:
            return
        blocks[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(s.nbytes() for s in blocks.values())

# %% wrong="5.3.F" why="5 in place of 6" breaks="first entry" says="by w0 and by w0 again"
def product_by_hand(w, v):
    return [5 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * v[1], 3 * w[0] ** 2 * v[0]]

# %% wrong="5.3.F" why="mixed derivative keeps w1" breaks="first entry" says="by w0 and by w1: yours"
def product_by_hand(w, v):
    return [6 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * w[1] * v[1], 3 * w[0] ** 2 * w[1] * v[0]]

# %% wrong="5.3.4b" why="N to the power N" breaks="bytes" says="not N to the power N"
def hessian_bytes(N):
    return 4 * N ** N

# %% wrong="5.3.4b" why="gradient and Hessian" breaks="bytes" says="The gradient is in it, too"
def hessian_bytes(N):
    return 4 * N * N + 4 * N

# %% wrong="5.3.G" why="return inside the loop" breaks="weighted" says="inside of the loop"
def mean_of_all(means, sizes):
    total = 0
    for m, s in zip(means, sizes):
        total += m * s
        return total / sum(sizes)

# %% wrong="5.3.G" why="two at a time" breaks="weighted" says="one after the other"
def mean_of_all(means, sizes):
    mean = means[0]
    for m in means[1:]:
        mean = (mean + m) / 2
    return mean

# %% wrong="5.3.G" why="weights size/largest" breaks="weighted" says="add up to 1"
def mean_of_all(means, sizes):
    return sum(m * s / max(sizes) for m, s in zip(means, sizes)) / len(sizes)

# %% wrong="5.3.5a" why="always the first sizes[k] examples" breaks="micro-batches" says="begins with the example after"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for size in sizes:
        (F.cross_entropy(net(X[:size]), y[:size]) * size / len(X)).backward()

# %% wrong="5.3.5a" why="the share of the first for all" breaks="gradient" says="that of the first"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for a, b in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(a), b) * sizes[0] / len(X)).backward()

# %% wrong="5.3.5a" why="gradients divided after each piece" breaks="gradient" says="divided several times"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for a, b in zip(X.split(sizes), y.split(sizes)):
        F.cross_entropy(net(a), b, reduction="sum").backward()
        for p in net.parameters():
            p.grad /= len(X)

# %% wrong="5.3.5b" why="other names" breaks="names" says="with the names first and second"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.part1, self.part2 = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2
    def forward(self, X):
        return self.part2(self.part1(X.to(self.device_1)).to(self.device_2))

# %% wrong="5.3.5b" why="second only gets X" breaks="output" says="what the first makes of it"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2
    def forward(self, X):
        A = self.first(X.to(self.device_1))
        B = self.second(X.to(self.device_2))
        return B

# %% wrong="5.3.5b" why="all of forward under no_grad" breaks="gradients" says="has no graph at all"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2
    @torch.no_grad()
    def forward(self, X):
        return self.second(self.first(X.to(self.device_1)).to(self.device_2))

# %% wrong="5.3.5b" why="a new tensor at the cut" breaks="places" says="has no numbers to copy"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2
    def forward(self, X):
        A = self.first(X.to(self.device_1))
        return self.second(torch.tensor(A, device=self.device_2))

# %% right="5.3.A" how="norm of rows, squared, mean"
def half_squared_error(O, Y):
    return torch.linalg.vector_norm(O - Y, dim=1).square().mean() / 2

# %% right="5.3.1a" how="tensordot of nothing"
def derivative_shape(input_shape, output_shape):
    return tuple(torch.tensordot(torch.zeros(output_shape), torch.zeros(input_shape), dims=0).shape)

# %% right="5.3.7" how="callable, two arguments for the error"
def apply_net(model, X):
    if callable(getattr(model, "net", None)):
        return model.net(X)
    raise NotImplementedError("missing net", type(model).__name__)

# %% right="5.3.E" how="_base where there is one"
def own_and_block(t):
    whole = t if t._base is None else t._base
    return t.numel() * t.element_size(), whole.numel() * whole.element_size()

# %% right="5.3.F" how="factored"
def product_by_hand(w, v):
    c = 3 * w[0] ** 2
    return 2 * c * w[1] / w[0] * v[0] + c * v[1], c * v[0]

# %% right="5.3.5a" how="rows picked by lists, divided once at the end"
def accumulate(net, X, y, sizes):
    net.zero_grad(set_to_none=False)
    start = 0
    for size in sizes:
        rows = range(start, start + size)
        F.cross_entropy(net(X[list(rows)]), y[list(rows)], reduction="none").sum().backward()
        start += size
    for p in net.parameters():
        p.grad /= len(y)

# %% wrong="5.3.A" why="the norms of the outputs' errors" breaks="value" says="One of 3 gives 1.5"
def half_squared_error(O, Y):
    return (O - Y).norm(dim=0).sum() / (2 * len(O))

# %% wrong="5.3.B" why="dH from the sums over the outputs" breaks="dH" says="row 0 of dH is row 0 of W"
def back_through_product(dO, H, W):
    return dO.sum(dim=1, keepdim=True) * W.sum(dim=0), dO.T @ H

# %% wrong="5.3.B" why="the gradient that arrives taken by its sign" breaks="dW" says="yours stays the same"
def back_through_product(dO, H, W):
    return dO @ W, dO.sign().T @ H

# %% wrong="5.3.C" why="the mean slope at zero" breaks="at zero" says="not as the mean of 1"
def back_through_leaky(dH, Z, a):
    s = torch.sign(Z)
    return dH * ((1 + s) / 2 + a * (1 - s) / 2)

# %% wrong="5.3.1a" why="the first axis of the input only" breaks="a number from a tensor" says="yours have 1"
def derivative_shape(input_shape, output_shape):
    return (*output_shape, *input_shape[:1])

# %% wrong="5.3.1a" why="drops axes of length 1" breaks="a number from a tensor" says="axis of length 1 is an axis"
def derivative_shape(input_shape, output_shape):
    return tuple(k for k in output_shape + input_shape if k != 1)

# %% wrong="5.3.1b" why="W2 from the inputs to the outputs" breaks="shared by all examples" says="Yours is (q, d)"
def gradient_shapes(n, d, h, q):
    return {"O": (n, q), "W2": (q, d), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d)}

# %% wrong="5.3.2a" why="the ReLU acts on the weights" breaks="loss" says="No entry has the value of X W1"
graph = {"R": ("relu", "W1"), "S": ("matmul", "X", "R"), "Z": ("add", "S", "b1"), "O": ("matmul", "Z", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}

# %% wrong="5.3.D" why="the difference of the norms" breaks="largest" says="difference of the norms"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (by_hand(dO, X).norm() - g.norm()).abs()

# %% wrong="5.3.D" why="finite differences in float32" breaks="largest" says="This is nearly it"
def largest_difference(f, by_hand, X, dO):
    g, eps = torch.zeros_like(X), 1e-3
    for i in range(X.numel()):
        step = torch.zeros_like(X)
        step.view(-1)[i] = eps
        g.view(-1)[i] = ((f(X + step) - f(X)) * dO).sum() / eps
    return (by_hand(dO, X) - g).abs().max()

# %% wrong="5.3.2b" why="softplus" breaks="H" says="softplus"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = F.softplus(Z)
    return Z, H, H @ W2.T

# %% wrong="5.3.2c" why="the mask asks for the sign of what arrives" breaks="dX" says="not whether what arrives is"
def backward(dO, X, Z, H, W1, W2):
    dH = dO @ W2
    dZ = dH * (dH > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2c" why="a leak of 0.01" breaks="dX" says="a leak of 0.01"
def backward(dO, X, Z, H, W1, W2):
    dH = dO @ W2
    dZ = torch.where(Z > 0, dH, 0.01 * dH)
    return dZ @ W1, dZ.T @ X, dZ.sum(0), dO.T @ H

# %% wrong="5.3.2d" why="the square of the sum of the norms" breaks="J" says="their norms were added up"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * (W1.norm() + W2.norm()) ** 2
    dO = (O - Y) / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="dW2 with Z" breaks="dW2" says="Here Z enters"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = (O - Y) / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ Z + lam * W2

# %% wrong="5.3.2d" why="means of the squares in the penalty" breaks="J" says="do not average"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).mean() + (W2 ** 2).mean())
    dO = (O - Y) / n
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dO.T @ H + lam * W2

# %% wrong="5.3.2d" why="W2 makes its step before dW1" breaks="dW1" says="yours is -2"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    n = len(X)
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    O = H @ W2.T
    J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    dO = (O - Y) / n
    dW2 = dO.T @ H + lam * W2
    W2 = W2 - dW2
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(0), dW2

# %% wrong="5.3.6" why="nll_loss of the logits" breaks="value" says="for logits it is F.cross_entropy"
def penalised_loss(model, Y_hat, Y, lam):
    return F.nll_loss(Y_hat, Y) + lam / 2 * sum((W ** 2).sum() for W in model.Ws)

# %% wrong="5.3.6" why="the penalty averaged over the layers" breaks="value" says="number of layers"
def penalised_loss(model, Y_hat, Y, lam):
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum((W ** 2).sum() for W in model.Ws) / len(model.Ws)

# %% wrong="5.3.E" why="the size of the Python object" breaks="own" says="counts the Python object"
def own_and_block(t):
    import sys
    return sys.getsizeof(t), t.untyped_storage().nbytes()

# %% wrong="5.3.E" why="the stride times the length" breaks="own" says="no entry"
def own_and_block(t):
    return t.stride(0) * len(t) * t.element_size(), t.untyped_storage().nbytes()

# %% wrong="5.3.3a" why="the table of the labels beside the logarithms" breaks="saved" says="a table of the labels"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + 2 * q) + 8 * n + 4, "prediction": 4 * n * max(2 * h, h + q)}

# %% wrong="5.3.3a" why="all outputs and the batch in prediction" breaks="prediction" says="the batch is not counted"
def predict_bytes(n, d, h, q):
    p = 4 * (d * h + h + h * q + q)
    return {"parameters": p, "gradients": p, "saved": 4 * n * (d + h + q) + 8 * n + 4, "prediction": 4 * n * (d + 2 * h + q)}

# %% wrong="5.3.3c" why="the total is held at 0" breaks="from zero" says="counted from 0"
def peak_and_rest(events):
    alive = peak = 0
    for e in events:
        alive = max(0, alive + e)
        peak = max(peak, alive)
    return peak, sum(events)

# %% wrong="5.3.3c" why="stops at the first release" breaks="peak" says="first release is not the end"
def peak_and_rest(events):
    alive = peak = 0
    for e in events:
        if e < 0:
            break
        alive += e
        peak = max(peak, alive)
    return peak, sum(events)

# %% wrong="5.3.3c" why="the rest as the peak minus all that is given back" breaks="rest" says="peak minus all"
def peak_and_rest(events):
    alive = peak = 0
    for e in events:
        alive += e
        peak = max(peak, alive)
    return peak, peak + sum(e for e in events if e < 0)

# %% wrong="5.3.F" why="v enters twice" breaks="first entry" says="4 times as large"
def product_by_hand(w, v):
    a, b = 6 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * v[1], 3 * w[0] ** 2 * v[0]
    return [a * v[0], b * v[1]]

# %% wrong="5.3.4a" why="the mean of gradient · v" breaks="product" says="not averaged"
def hessian_vector_product(f, w, v):
    leaf = w.detach().clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad((g * v).mean(), leaf)[0]

# %% wrong="5.3.4b" why="N cubed" breaks="bytes" says="yours 8 times"
def hessian_bytes(N):
    return 4 * N ** 3

# %% wrong="5.3.G" why="the last piece is left out" breaks="weighted" says="yours gives it 0.0000"
def mean_of_all(means, sizes):
    total = 0
    for i in range(len(means) - 1):
        total += means[i] * sizes[i]
    return total / sum(sizes)

# %% wrong="5.3.G" why="a running mean with the sizes of two neighbours" breaks="weighted" says="yours gives it 0.3750"
def mean_of_all(means, sizes):
    result = means[0]
    for k in range(1, len(means)):
        result = (result * sizes[k - 1] + means[k] * sizes[k]) / (sizes[k - 1] + sizes[k])
    return result

# %% wrong="5.3.5a" why="the share of the part that has been seen" breaks="gradient" says="with the factors 1, 0.5"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    seen = 0
    for a, b in zip(X.split(sizes), y.split(sizes)):
        seen += len(a)
        (F.cross_entropy(net(a), b) * len(a) / seen).backward()

# %% wrong="5.3.5c" why="the bytes that are spared" breaks="equal pieces" says="not what is spared"
def peak_saved(n, k, per_example):
    return (n - -(-n // k)) * per_example

# %% wrong="5.3.A" why="2 and n added" breaks="value" says="For a single error of 1 yours is"
def half_squared_error(O, Y):
    return (O - Y).square().sum() / (2 + len(O))

# %% wrong="5.3.D" why="the largest minus the smallest" breaks="largest" says="minus the smallest"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    difference = by_hand(dO, X) - torch.autograd.grad(f(leaf), leaf, dO)[0]
    return difference.max() - difference.min()

# %% wrong="5.3.2b" why="weights the way round of 5.2" breaks="Z" says="X meets its transpose"
def forward(X, W1, b1, W2):
    Z = (X @ W1 if len(W1) == W1.shape[1] else X @ W1.T) + b1
    H = torch.relu(Z)
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="the second weight the way round of 5.2" breaks="O" says="H meets its transpose"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    return Z, H, H @ W2 if len(W2) == W2.shape[1] else H @ W2.T

# %% wrong="5.3.2c" why="the gradient of W2 in place of W2" breaks="dX" says="its gradient, dOᵀ H, stands in its place"
def backward(dO, X, Z, H, W1, W2):
    dW2 = dO.T @ H
    dZ = (dO @ W2) * (Z > 0)
    return ((dO @ dW2) * (Z > 0)) @ W1, dZ.T @ X, dZ.sum(0), dW2

# %% wrong="5.3.2d" why="the gradient of W2 in place of W2" breaks="dW1" says="here its gradient stands in its place"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    Z = X @ W1.T + b1
    H, n = torch.relu(Z), len(X)
    dO = (H @ W2.T - Y) / n
    dW2 = dO.T @ H + lam * W2
    J = n * (dO ** 2).sum() / 2 + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
    return J, ((dO @ dW2) * (Z > 0)).T @ X + lam * W1, ((dO @ W2) * (Z > 0)).sum(0), dW2

# %% wrong="5.3.3a" why="the scores saved beside their logarithms" breaks="saved" says="neither the scores nor a table"
def predict_bytes(n, d, h, q):
    of_parameters = 4 * ((d + 1) * h + (h + 1) * q)
    return {"parameters": of_parameters, "gradients": of_parameters, "saved": 4 * n * (d + h + 2 * q) + 8 * n + 4,
            "prediction": 4 * n * (h + max(h, q))}

# %% wrong="5.3.3c" why="the total that is farthest from 0" breaks="from zero" says="leave it its sign"
def peak_and_rest(events):
    alive = peak = 0
    for event in events:
        alive += event
        peak = max(peak, abs(alive))
    return peak, alive

# %% wrong="5.3.E" why="the block twice" breaks="own" says="This is the whole block"
def own_and_block(t):
    return t.untyped_storage().nbytes(), t.untyped_storage().nbytes()

# %% wrong="5.3.F" why="w1 kept in the mixed derivative" breaks="first entry" says="it has the factor w1 too much"
def product_by_hand(w, v):
    return [6 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * w[1] * v[1], 3 * w[0] ** 2 * v[0]]

# %% wrong="5.3.4a" why="in single precision" breaks="product" says="single precision"
def hessian_vector_product(f, w, v):
    leaf = w.detach().float().requires_grad_()
    slope, = torch.autograd.grad(f(leaf.to(w.dtype)), leaf, create_graph=True)
    return torch.autograd.grad(slope @ v.float(), leaf)[0].to(w.dtype)

# %% wrong="5.3.5a" why="divided by the largest micro-batch" breaks="gradient" says="not by that of the largest"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for part_X, part_y in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(part_X), part_y) * len(part_y) / max(sizes)).backward()

# %% wrong="5.3.5a" why="all of .grad multiplied by each share" breaks="gradient" says="multiplied several times"
def accumulate(net, X, y, sizes):
    net.zero_grad()
    for part_X, part_y in zip(X.split(sizes), y.split(sizes)):
        F.cross_entropy(net(part_X), part_y).backward()
        for parameter in net.parameters():
            parameter.grad *= len(part_y) / len(y)

# %% wrong="5.3.5b" why="the result of to() is thrown away" breaks="places" says="leaves t where it is"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2

    def forward(self, X):
        X.to(self.device_1)
        H = self.first(X)
        H.to(self.device_2)
        return self.second(H)

# %% wrong="5.3.5b" why="a sigmoid at the cut" breaks="output" says="A sigmoid stands between the parts"
class TwoParts(nn.Module):
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2

    def forward(self, X):
        return self.second(torch.sigmoid(self.first(X.to(self.device_1))).to(self.device_2))

# %% wrong="5.3.5c" why="an extra piece" breaks="equal pieces" says="makes 6; yours is 3"
def peak_saved(n, k, per_example):
    return -(-n // (k + 1)) * per_example

# %% wrong="5.3.4a" why="the gradient of half of gradient · gradient, times v" breaks="product" says="was differentiated and halved, and v came in afterwards"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(g @ g, leaf)[0] / 2 * v

# %% wrong="5.3.4a" why="the gradient of gradient · gradient, without v" breaks="product" says="v belongs in the place of one of the two"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(g @ g, leaf)[0]

# %% wrong="5.3.4a" why="only the part of the product along v" breaks="product" says="only the part of the product that points along v"
def hessian_vector_product(f, w, v):
    leaf = w.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    product, = torch.autograd.grad(g @ v, leaf)
    return (product @ v) / (v @ v) * v

# %% wrong="5.3.D" why="difference of the largest" breaks="largest" says="difference of the largest entries"
def largest_difference(f, by_hand, X, dO):
    leaf = X.clone().requires_grad_()
    g, = torch.autograd.grad(f(leaf), leaf, dO)
    return (by_hand(dO, X).max() - g.max()).abs()

# %% wrong="5.3.2b" why="reshape as a transpose" breaks="Z" says="reshape and view leave"
def forward(X, W1, b1, W2):
    Z = X @ W1.reshape(W1.shape[1], -1) + b1
    H = torch.relu(Z)
    return Z, H, H @ W2.reshape(W2.shape[1], -1)

# %% wrong="5.3.4a" why="central differences of gradients" breaks="product" says="as differences of gradients give it"
def hessian_vector_product(f, w, v):
    def g(u):
        u = u.clone().requires_grad_()
        return torch.autograd.grad(f(u), u)[0]
    eps = 1e-5
    return (g(w + eps * v) - g(w - eps * v)) / (2 * eps)

# %% wrong="5.3.E" why="storage counted in entries and times the size: len of the untyped storage is bytes already" breaks="block" says="are bytes already"
def own_and_block(t):
    return t.numel() * t.element_size(), len(t.untyped_storage()) * t.element_size()

# %% wrong="5.3.C" why="writes into dH" breaks="arguments kept" says="makes no copy"
def back_through_leaky(dH, Z, a):
    dZ = dH
    dZ[Z <= 0] *= a
    return dZ

# %% wrong="5.3.D" why="requires_grad is turned off again, the .grad stays" breaks="X kept" says="X has a .grad now"
def largest_difference(f, by_hand, X, dO):
    X.requires_grad_(True)
    f(X).backward(dO)
    X.requires_grad_(False)
    return (by_hand(dO, X) - X.grad).abs().max()

# %% wrong="5.3.2b" why="relu_ writes into Z" breaks="Z" says="relu_ has written into Z itself"
def forward(X, W1, b1, W2):
    Z = X @ W1.T + b1
    H = Z.relu_()
    return Z, H, H @ W2.T

# %% wrong="5.3.2b" why="fills tensors of float32 in loops" breaks="dtype" says="a tensor that is made new, as by torch.zeros"
def forward(X, W1, b1, W2):
    n, h, q = len(X), len(W1), len(W2)
    Z, H, O = torch.zeros(n, h), torch.zeros(n, h), torch.zeros(n, q)
    for i in range(n):
        for j in range(h):
            Z[i, j] = X[i] @ W1[j] + b1[j]
            H[i, j] = max(Z[i, j], 0)
        for k in range(q):
            O[i, k] = H[i] @ W2[k]
    return Z, H, O

# %% wrong="5.3.6" why="torch.tensor of the list cuts the graph" breaks="gradient" says="the penalty: torch.tensor(...) cuts the graph"
def penalised_loss(model, Y_hat, Y, lam):
    penalty = torch.tensor([(W ** 2).sum() for W in model.Ws]).sum()
    return F.cross_entropy(Y_hat, Y) + lam / 2 * penalty

# %% wrong="5.3.6" why="the square of the sum of the norms" breaks="value" says="Square each norm, then add up"
def penalised_loss(model, Y_hat, Y, lam):
    norm = sum(W.norm() for W in model.Ws)
    return F.cross_entropy(Y_hat, Y) + lam / 2 * norm ** 2

# %% wrong="5.3.F" why="the mixed derivative differentiated once too often" breaks="first entry" says="in 6 w0 it is twice by w0"
def product_by_hand(w, v):
    mixed = 6 * w[0]
    return [6 * w[0] * w[1] * v[0] + mixed * v[1], mixed * v[0]]

# %% wrong="5.3.4a" why="backward leaves a .grad at w" breaks="argument kept" says="w has a .grad now"
def hessian_vector_product(f, w, v):
    w.requires_grad_(True)
    g, = torch.autograd.grad(f(w), w, create_graph=True)
    (g @ v).backward()
    w.requires_grad_(False)
    return w.grad.clone()

# %% wrong="5.3.G" why="takes all pieces but the last for equally large" breaks="any number of pieces" says="Each piece has a size of its own"
def mean_of_all(means, sizes):
    k = len(means) - 1
    total = sum(means[:-1]) * sizes[0] + means[-1] * sizes[-1]
    return total / (k * sizes[0] + sizes[-1])
