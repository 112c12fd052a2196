# %% right="A.4.A" how="by two lines, inherits from Scale"
class Shift(Scale):
    def __init__(self, features, autograd_engine):
        self.t = np.zeros((1, features))
        self.dt = 0 * self.t
        self.engine = autograd_engine

    def __call__(self, x):
        y = np.add(x, self.t)
        self.engine.add_operation(inputs=[x, self.t], output=y, gradients_to_update=[None, self.dt], backward_operation=add_backward)
        return y

# %% right="A.4.A" how="a backward function of its own"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine
    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], lambda g, x, t: (g, g.sum(0, keepdims=True)))
        return y

# %% wrong="A.4.A" why="multiplies" breaks="output" says="2 examples, 3 features: the output"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x * self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="a copy of dt" breaks="gradient of t" says="is not dt itself"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt.copy()], add_backward)
        return y

# %% wrong="A.4.A" why="t counts as an intermediate value" breaks="gradient of t" says="all entries of gradients_to_update are None"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, None], add_backward)
        return y

# %% wrong="A.4.A" why="records a copy of x" breaks="gradient of x" says="x itself is no input"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x.copy(), self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="the backward function of a product" breaks="gradient of t" says="that of a product"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], mul_backward)
        return y

# %% wrong="A.4.A" why="dt begins anew with each call" breaks="gradient of t" says="of the last walk alone"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.dt = np.zeros_like(self.t)
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% right="A.4.1" how="in the manner of the homework: np.transpose, forward"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        high = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-high, high, size=(out_features, in_features))
        self.b = np.random.uniform(-high, high, size=(out_features, 1))
        self.dW = np.zeros(self.W.shape)
        self.db = np.zeros(self.b.shape)
        self.momentum_W = np.zeros(self.W.shape)
        self.momentum_b = np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        z = np.matmul(x, np.transpose(self.W))
        self.autograd_engine.add_operation(inputs=[x, np.transpose(self.W)], output=z, gradients_to_update=[None, np.transpose(self.dW)], backward_operation=matmul_backward)
        y = np.add(z, np.transpose(self.b))
        self.autograd_engine.add_operation(inputs=[z, np.transpose(self.b)], output=y, gradients_to_update=[None, np.transpose(self.db)], backward_operation=add_backward)
        return y

# %% right="A.4.1" how="one operation with a backward function of its own"
def linear_layer_backward(grad_output, x, W, b):
    return grad_output @ W, grad_output.T @ x, grad_output.sum(axis=0)[:, None]

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        self.engine = autograd_engine
        self.W, self.b = (in_features ** -0.5 * (2 * np.random.rand(out_features, n) - 1) for n in (in_features, 1))
        self.dW, self.momentum_W = np.zeros((2, out_features, in_features))
        self.db, self.momentum_b = np.zeros((2, out_features, 1))

    def __call__(self, x):
        y = (self.W @ x.T + self.b).T
        self.engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], linear_layer_backward)
        return y

# %% wrong="A.4.1" why="dW.T is copied" breaks="gradients" says="dW is still zero: no recorded operation has its array"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T.copy()], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the recorded product is another array than the one that is used" breaks="gradients" says="the output of recorded operation 1 is the input of no later one"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        product = product.copy()
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the sum is not recorded" breaks="gradients" says="1 example, 2 features, 3 outputs"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        return y

# %% wrong="A.4.1" why="W of shape (in, out)" breaks="attributes" says="the shape of W"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (in_features, out_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="normal in place of uniform" breaks="draw" says="lie within the bound"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = bound * np.random.randn(out_features, in_features)
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="a bound of 1 / in" breaks="draw" says="fill the range"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = 1 / in_features
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="all layers start equal" breaks="draw" says="of two layers differ"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        np.random.seed(0)
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the bias is not added" breaks="output" says="The bias is not added"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + 0 * self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the bias gradient counts as intermediate" breaks="gradients" says="db is still zero"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, None], add_backward)
        return y

# %% wrong="A.4.1" why="b of shape (out,)" breaks="attributes" says="the shape of b"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features,))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="W in place of W.T is recorded" breaks="gradients" says="those of the product x @ W.T are x and W.T"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1/in_features)
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db, self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape), np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        xw = x @ self.W.T
        self.engine.add_operation([x, self.W], xw, [None, self.dW], matmul_backward)
        y = xw + self.b.T
        self.engine.add_operation([xw, self.b], y, [None, self.db], add_backward)
        return y

# %% wrong="A.4.1" why="gradient and momentum share an array" breaks="six arrays" says="by how much dW changes"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = self.momentum_W = np.zeros_like(self.W)
        self.db = self.momentum_b = np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the gradients are made anew with each call" breaks="used again" says="they add up"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="float32" breaks="attributes" says="the dtype of W"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features)).astype(np.float32)
        self.b = np.random.uniform(-bound, bound, (out_features, 1)).astype(np.float32)
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="uniform from 0 to the bound" breaks="draw" says="have both signs"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(0, bound, (out_features, in_features))
        self.b = np.random.uniform(0, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the end of the range more often" breaks="draw" says="inner half of the range"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.W = bound * np.sin(np.pi / 2 * self.W / bound)
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="adds the bias to W" breaks="output" says="the output"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + 2 * self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% right="A.4.2" how="from primitives, Identity returns its input"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.forward(x)

class Identity(Activation):
    def forward(self, x):
        return x

class Sigmoid(Activation):
    def forward(self, x):
        engine, one, minus_one = self.autograd_engine, np.ones(x.shape), -np.ones(x.shape)
        negative = minus_one * x
        engine.add_operation([minus_one, x], negative, [None, None], mul_backward)
        power = np.exp(negative)
        engine.add_operation([negative], power, [None], exp_backward)
        below = one + power
        engine.add_operation([one, power], below, [None, None], add_backward)
        out = one / below
        engine.add_operation([one, below], out, [None, None], div_backward)
        return out

class Tanh(Activation):
    def forward(self, x):
        out = np.tanh(x)
        self.autograd_engine.add_operation([x], out, [None], tanh_backward)
        return out

class ReLU(Activation):
    def forward(self, x):
        mask = (x > 0) * 1.
        out = x * mask
        self.autograd_engine.add_operation([x, mask], out, [None, None], mul_backward)
        return out

# %% right="A.4.2" how="backward functions of its own"
class Identity:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def values(self, x):
        return np.array(x)

    def slope(self, x):
        return np.ones(x.shape)

    def __call__(self, x):
        y = self.values(x)
        self.engine.add_operation([x], y, [None], lambda grad, x: grad * self.slope(x))
        return y

class Sigmoid(Identity):
    def values(self, x):
        return 1 / (1 + np.exp(-x))

    def slope(self, x):
        return self.values(x) * (1 - self.values(x))

class Tanh(Identity):
    def values(self, x):
        return np.tanh(x)

    def slope(self, x):
        return 1 / np.cosh(x) ** 2

class ReLU(Identity):
    def values(self, x):
        return np.where(x > 0, x, 0.)

    def slope(self, x):
        return np.where(x > 0, 1., 0.)

# %% wrong="A.4.2" why="Identity records a view of itself" breaks="own memory" says="return a copy"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x, identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="ReLU in place" breaks="own memory" says="x after the call"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0, out=x), relu_backward)

# %% wrong="A.4.2" why="records the output as the input" breaks="gradients" says="x itself is an input of a recorded operation"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([y], y + 0, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="tanh for the sigmoid" breaks="values" says="Sigmoid, inputs 0.5, -2 and 1.25: the output"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="the sigmoid's backward for tanh" breaks="gradients" says="Tanh, inputs 0.5"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), lambda g, a: g * np.tanh(a) * (1 - np.tanh(a)))


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="returns a copy of what it recorded" breaks="in a row" says="Return the very array that was recorded"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y + 0


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="ReLU records nothing" breaks="recorded" says="at least one operation is recorded"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return np.maximum(x, 0)

# %% wrong="A.4.2" why="the naive sigmoid with a clipped input" breaks="values" says="Sigmoid, inputs 800 and -800: the output"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 1 / (1 + np.exp(-np.clip(x, -20, 20))), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="works on rows only" breaks="values" says="ReLU, inputs"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0)[:, :1] if x.ndim == 2 else np.maximum(x, 0), relu_backward)

# %% wrong="A.4.2" why="keeps the recorded array and writes the next into it" breaks="in a row" says="in a row: the gradient of x"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        if not hasattr(Tanh, "kept") or Tanh.kept.shape != x.shape:
            Tanh.kept = np.empty(x.shape)
        y = np.tanh(x)
        Tanh.kept[...] = y
        return self.record(x, Tanh.kept, tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)

# %% right="A.4.B" how="lists"
shapes = ([4, 3], [4, 3], [], [])

# %% wrong="A.4.B" why="(1,) for the numbers" breaks="numbers" says="without an axis"
shapes = [(4, 3), (4, 3), (1,), (1,)]

# %% wrong="A.4.B" why="plain numbers" breaks="numbers" says="each shape is a tuple"
shapes = [(4, 3), (4, 3), 1, 1]

# %% wrong="A.4.B" why="a matrix product" breaks="entries" says="how many axes the product has"
shapes = [(4, 3), (4,), (), ()]

# %% wrong="A.4.B" why="a sum over the classes" breaks="numbers" says="without an axis"
shapes = [(4, 3), (4, 3), (4,), ()]

# %% wrong="A.4.B" why="five operations" breaks="entries" says="how many shapes there are"
shapes = [(4, 3), (4, 3), (), (), ()]

# %% right="A.4.3" how="the quotient first, then the sum"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, y, y_hat):
        return self.forward(y, y_hat)

    def forward(self, y, y_hat):
        record = self.autograd_engine.add_operation
        error = y_hat - y
        record([y_hat, y], error, [None, None], sub_backward)
        square = error * error
        record([error, error], square, [None, None], mul_backward)
        size = np.array(y.size * 1.)
        share = square / size
        record([square, size], share, [None, None], div_backward)
        self.loss_val = np.sum(share)
        record([share], self.loss_val, [None], sum_backward)
        return self.loss_val

# %% right="A.4.3" how="a product with 1/n, a plain number as the value"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.engine.add_operation([y, y_hat], d, [None, None], sub_backward)
        s = d * d
        self.engine.add_operation([d, d], s, [None, None], mul_backward)
        scale = np.full(s.shape, 1 / s.size)
        m = s * scale
        self.engine.add_operation([s, scale], m, [None, None], mul_backward)
        out = np.array(m.sum())
        self.engine.add_operation([m], out, [None], sum_backward)
        self.loss_val = float(out)
        return self.loss_val

# %% wrong="A.4.3" why="the sum" breaks="value" says="This is the sum"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(1.)
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.3" why="the mean over the examples" breaks="value" says="This is the mean over the examples only"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(len(squares)))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.3" why="half of the mean" breaks="value" says="No half here"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(2 * squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.3" why="a NumPy number as an input" breaks="gradient" says="raised"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = squares.sum(), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.3" why="an input of the product is a copy" breaks="gradient" says="the gradient of y_hat"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference.copy(), difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.3" why="inputs of the difference swapped" breaks="gradient" says="The sign is wrong"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y_hat, y], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.3" why="loss_val is not kept" breaks="loss_val" says="loss_val"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        value, self.loss_val = self.loss_val, None
        return value

# %% wrong="A.4.3" why="the value is right, the last operation is missing" breaks="gradient" says="the gradient of y_hat"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        return self.loss_val

# %% wrong="A.4.3" why="one operation with a backward function of its own" breaks="primitives" says="at least three operations"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        self.loss_val = np.array(((y - y_hat) ** 2).mean())
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], lambda g, y, y_hat: (None, g * 2 * (y_hat - y) / y.size))
        return self.loss_val

# %% wrong="A.4.3" why="keeps the first value" breaks="loss_val" says="loss_val"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        value = np.array(sum_of_squares / count)
        self.loss_val = np.sqrt(value)
        engine.add_operation([sum_of_squares, count], value, [None, None], div_backward)
        return value

# %% right="A.4.4" how="logaddexp, the gradient kept from the forward pass"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, y, y_hat):
        log_sum = np.logaddexp.reduce(y_hat, axis=1, keepdims=True)
        self.loss_val = ((log_sum - y_hat) * y).sum(axis=1).mean()
        change = (np.exp(y_hat - log_sum) - y) / y.shape[0]
        self.autograd_engine.add_operation([y, y_hat], np.array(self.loss_val), [None, None], lambda grad, y, y_hat: (None, grad * change))
        return self.loss_val

# %% right="A.4.4" how="a gradient for y, too, an array of one entry"
def SoftmaxCrossEntropy_backward(grad_output, pred, ground_truth):
    z = pred - pred.max(axis=1, keepdims=True)
    s = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    return grad_output * (s - ground_truth) / pred.shape[0], np.zeros(ground_truth.shape)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        total = np.log(np.exp(z).sum(axis=1))
        self.loss_val = np.array([np.mean(total - (z * y).sum(axis=1))])
        self.autograd_engine.add_operation([y_hat, y], self.loss_val, [None, None], SoftmaxCrossEntropy_backward)
        return self.loss_val

# %% wrong="A.4.4" why="the sum over the examples" breaks="value" says="The mean over the examples, not the sum"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum())
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.4" why="the gradient of the sum" breaks="gradient" says="It is n times too large"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y)

# %% wrong="A.4.4" why="grad_output is left out" breaks="divergence" says="The divergence does not enter"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.4" why="y minus softmax" breaks="gradient" says="The sign is wrong"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (y - e / e.sum(axis=1, keepdims=True)) / len(y)

# %% wrong="A.4.4" why="no shift" breaks="large outputs" says="with the wrong class far ahead"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        np.seterr(all='ignore')
        shifted = y_hat
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.4" why="softmax over all examples together" breaks="gradient" says="2 examples, 3 classes"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum() - y) / len(y)

# %% wrong="A.4.4" why="two operations" breaks="one operation" says="the number of recorded operations"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        half = np.array(self.loss_val)
        self.autograd_engine.add_operation([self.loss_val], half, [None], lambda g, a: g)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.4" why="one maximum for all, in the backward pass" breaks="large outputs" says="the gradient of y_hat"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max() - 700)
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.4" why="a small number inside the logarithm" breaks="large outputs" says="as if p were"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        self.loss_val = np.array(-(y * np.log(p + 1e-15)).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], lambda g, y, y_hat: (None, g * (p - y) / len(y)))
        return self.loss_val

# %% wrong="A.4.4" why="the value is not kept" breaks="loss_val" says="loss_val is there"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        value = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], value, [None, None], softmax_cross_entropy_backward)
        return value


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.4" why="the mean over all entries" breaks="value" says="not over all entries"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).mean())
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

# %% wrong="A.4.1" why="takes the part of the book" breaks="attributes" says="Write your own"
from d2l_utils import engine_parts

Linear = engine_parts.Linear

# %% right="A.4.1" how="six slices of one array, default_rng"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        n, m, k = in_features, out_features, in_features * out_features
        store = np.zeros(3 * k + 3 * m)
        self.W, self.dW, self.momentum_W = store[:3 * k].reshape(3, m, n)
        self.b, self.db, self.momentum_b = store[3 * k:].reshape(3, m, 1)
        rng = np.random.default_rng()
        self.W[...] = (2 * rng.random((m, n)) - 1) / n ** 0.5
        self.b[...] = (2 * rng.random((m, 1)) - 1) / n ** 0.5
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% right="A.4.2" how="base class"
class Base:
    def __init__(self, autograd_engine):
        self.e = autograd_engine
    def __call__(self, x):
        y = np.asarray(self.f(x))
        self.e.add_operation([x], y, [None], self.back)
        return y
class Identity(Base):
    f, back = staticmethod(np.copy), staticmethod(identity_backward)
class Sigmoid(Base):
    f, back = staticmethod(lambda x: np.where(x < 0, np.exp(np.minimum(x, 0)), 1) / (1 + np.exp(-np.abs(x)))), staticmethod(sigmoid_backward)
class Tanh(Base):
    f, back = staticmethod(np.tanh), staticmethod(tanh_backward)
class ReLU(Base):
    f, back = staticmethod(lambda x: (x + np.abs(x)) / 2), staticmethod(relu_backward)

# %% right="A.4.3" how="copy returned"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        d = y - y_hat
        record([y, y_hat], d, [None, None], sub_backward)
        sq = d * d
        record([d, d], sq, [None, None], mul_backward)
        s = np.array(sq.sum())
        record([sq], s, [None], sum_backward)
        n = np.array(float(y.size))
        out = np.array(s / n)
        record([s, n], out, [None, None], div_backward)
        self.loss_val = out
        return np.array(out)

# %% right="A.4.4" how="zeros for y, not None"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return np.zeros_like(y), grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], softmax_cross_entropy_backward)
        self.loss_val = out
        return out

# %% right="A.4.4" how="loop, backward is a method, loss_val a float"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def back(self, g, y, y_hat):
        rows = []
        for t, o in zip(y, y_hat):
            e = np.exp(o - o.max())
            rows.append(float(g) * (e / e.sum() - t) / len(y))
        return [None, np.array(rows)]

    def __call__(self, y, y_hat):
        total = 0.
        for t, o in zip(y, y_hat):
            m = o.max()
            total += m + np.log(np.exp(o - m).sum()) - (t * o).sum()
        out = np.asarray(total / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], self.back)
        self.loss_val = float(out)
        return out

# %% wrong="A.4.A" why="copy returned" breaks="one operation" says="the recorded output itself"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y.copy()

# %% wrong="A.4.A" why="t drawn, not zeros" breaks="start" says="a new layer with 3 features: t"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.random.randn(1, features), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="dt ones at first" breaks="start" says="a new layer with 3 features: dt"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.ones((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="t and dt one array" breaks="start" says="how many arrays t and dt share"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t = self.dt = np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="two operations" breaks="one operation" says="the number of operations"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        z = x + 0
        self.autograd_engine.add_operation([x], z, [None], identity_backward)
        y = z + self.t
        self.autograd_engine.add_operation([z, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="x in place" breaks="output" says="x after the call"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        x += self.t
        y = x
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.1" why="b only at the ends" breaks="draw" says="entries of b lie in the inner half"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = a * np.random.choice([-1., 1.], (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="b is the first column of W" breaks="draw" says="b is drawn by itself"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = self.W[:, :1].copy()
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="every row the same" breaks="draw" says="each entry of W is drawn by itself"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.repeat(np.random.uniform(-a, a, (1, in_features)), out_features, axis=0)
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="bound by out" breaks="draw" says="lie within the bound"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / out_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="b zeros" breaks="draw" says="each layer draws anew"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.zeros((out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="sum in place" breaks="own memory" says="share memory with"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        p += self.b.T
        y = p
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="records only the first call" breaks="used again" says="3 walks"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine, self.calls = autograd_engine, 0

    def __call__(self, x):
        self.calls += 1
        if self.calls > 1:
            return x @ self.W.T + self.b.T
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="last input remembered in self" breaks="used again" says="applied twice in a row"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        self.x = x
        y = x @ self.W.T + self.b.T
        self.autograd_engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], lambda g, *_: (g @ self.W, g.T @ self.x, g.sum(axis=0)[:, None]))
        return y

# %% wrong="A.4.1" why="mean over examples" breaks="gradients" says="it is their sum"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x @ self.W.T + self.b.T
        self.autograd_engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], lambda g, x, W, b: (g @ W, g.T @ x / len(x), g.sum(axis=0)[:, None] / len(x)))
        return y

# %% wrong="A.4.1" why="copy of x" breaks="gradients" says="x itself is the input of no recorded operation"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros(self.W.shape), np.zeros(self.W.shape)
        self.db, self.momentum_b = np.zeros(self.b.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x.copy(), self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.2" why="Tanh with the output in self" breaks="used twice" says="after the second"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y

class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y

class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: g * (1 - self.y ** 2))
        self.y = y
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="Sigmoid keeps one output array" breaks="used twice" says="after the second"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y

class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        if getattr(self, 'y', np.zeros(0)).shape != x.shape:
            self.y = np.empty(x.shape)
        y = self.y
        y[...] = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y

class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="ReLU returns x where nothing is negative" breaks="own memory" says="return a copy"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y

class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y

class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0) if (x < 0).any() else x
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="Tanh returns an unrecorded copy" breaks="in a row" says="Return the very array that was recorded"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y

class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y

class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y + 0

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="Identity returns an unrecorded copy" breaks="gradients" says="x itself is returned"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return x.copy()

class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y

class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.3" why="loss_val of the first call" breaks="loss_val" says="loss_val"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        d = y - y_hat
        record([y, y_hat], d, [None, None], sub_backward)
        sq = d * d
        record([d, d], sq, [None, None], mul_backward)
        s = np.array(sq.sum())
        record([sq], s, [None], sum_backward)
        n = np.array(float(y.size))
        out = np.array(s / n)
        record([s, n], out, [None, None], div_backward)
        self.loss_val = out if self.loss_val is None else self.loss_val
        return out

# %% wrong="A.4.3" why="one operation padded with copies" breaks="primitives" says="that are no copies"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        d = y - y_hat
        pass
        a = y_hat.copy()
        record([y_hat], a, [None], identity_backward)
        c = a.copy()
        record([a], c, [None], identity_backward)
        out = np.array((d * d).mean())
        record([y, c], out, [None, None], lambda g, a, b: (None, 2 * g * (b - a) / a.size))
        self.loss_val = out
        return out

# %% wrong="A.4.3" why="y in place" breaks="arguments kept" says="change y"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        y -= y_hat
        d = y
        record([y, y_hat], d, [None, None], sub_backward)
        sq = d * d
        record([d, d], sq, [None, None], mul_backward)
        s = np.array(sq.sum())
        record([sq], s, [None], sum_backward)
        n = np.array(float(y.size))
        out = np.array(s / n)
        record([s, n], out, [None, None], div_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.3" why="y_hat in place" breaks="arguments kept" says="change y_hat"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        d = y - y_hat
        record([y, y_hat], d, [None, None], sub_backward)
        y_hat -= y
        sq = d * d
        record([d, d], sq, [None, None], mul_backward)
        s = np.array(sq.sum())
        record([sq], s, [None], sum_backward)
        n = np.array(float(y.size))
        out = np.array(s / n)
        record([s, n], out, [None, None], div_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.3" why="differences remembered in self" breaks="used again" says="What one call recorded"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        d = y - y_hat
        record([y, y_hat], d, [None, None], sub_backward)
        sq = d * d
        self.d = d
        record([d], sq, [None], lambda g, a: 2 * g * self.d)
        s = np.array(sq.sum())
        record([sq], s, [None], sum_backward)
        n = np.array(float(y.size))
        out = np.array(s / n)
        record([s, n], out, [None, None], div_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.3" why="quotient not recorded" breaks="gradient" says="is the quotient recorded"
class MSELoss:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        record = self.engine.add_operation
        d = y - y_hat
        record([y, y_hat], d, [None, None], sub_backward)
        sq = d * d
        record([d, d], sq, [None, None], mul_backward)
        s = np.array(sq.sum())
        record([sq], s, [None], sum_backward)
        n = np.array(float(y.size))
        out = np.array(s / n)
        self.loss_val = out
        return out

# %% wrong="A.4.4" why="loss_val of the first call" breaks="loss_val" says="loss_val"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], softmax_cross_entropy_backward)
        self.loss_val = out if self.loss_val is None else self.loss_val
        return out

# %% wrong="A.4.4" why="y_hat shifted in place" breaks="arguments kept" says="change y_hat"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        y_hat -= y_hat.max(axis=1, keepdims=True)
        z = y_hat
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], softmax_cross_entropy_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.4" why="y_hat shifted in place in the backward function" breaks="arguments kept" says="change y_hat"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    y_hat -= y_hat.max(axis=1, keepdims=True)
    e = np.exp(y_hat)
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], softmax_cross_entropy_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.4" why="p of the last call in self" breaks="used again" says="What one call recorded"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], lambda g, y, y_hat: (None, g * (self.p - y) / len(y)))
        self.p = np.exp(log_p)
        self.loss_val = out
        return out

# %% wrong="A.4.4" why="only y_hat recorded" breaks="one operation" says="are y and y_hat themselves"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y_hat], out, [None], lambda g, y_hat: softmax_cross_entropy_backward(g, y, y_hat)[1])
        self.loss_val = out
        return out

# %% wrong="A.4.4" why="log p for y" breaks="targets" says="the gradient of y"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return -y_hat, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], softmax_cross_entropy_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.4" why="one maximum for the whole batch" breaks="large outputs" says="not one number from all"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max())
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max()
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        out = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], out, [None, None], softmax_cross_entropy_backward)
        self.loss_val = out
        return out

# %% wrong="A.4.A" why="sub_backward from the hint" breaks="gradient of t" says="has the slope 1"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t = np.zeros((1, features))
        self.dt = np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], sub_backward)
        return y

# %% wrong="A.4.A" why="x gets a gradient summed over the examples" breaks="gradient of x" says="the sum over the examples"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t = np.zeros((1, features))
        self.dt = np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], lambda g, x, t: (g.sum(axis=0, keepdims=True) + 0 * x, g.sum(axis=0, keepdims=True)))
        return y

# %% wrong="A.4.1" why="one number for all of W" breaks="draw" says="Each entry is drawn by itself"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.full((out_features, in_features), np.random.uniform(-bound, bound))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="b is not turned" breaks="output" says="is added to each of its rows"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the bias of the first output for all" breaks="output" says="a bias of its own"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T[:, :1]
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="dW itself" breaks="gradients" says="dW.T"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="dW reshaped, not turned" breaks="gradients" says="reshape moves them"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.reshape(self.W.T.shape)], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="db itself" breaks="gradients" says="db.T"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db], add_backward)
        return y

# %% wrong="A.4.1" why="a copy is returned" breaks="gradients" says="Return the very array that was recorded"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y.copy()

# %% wrong="A.4.1" why="two operations in the wrong order" breaks="gradients" says="in the order in which they run"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        return y

# %% wrong="A.4.1" why="an array of its own for the product" breaks="used again" says="keeps and overwrites"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        if getattr(self, "p", np.zeros(0)).shape != (len(x), len(self.W)):
            self.p = np.empty((len(x), len(self.W)))
        p = np.matmul(x, self.W.T, out=self.p)
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the gradient of b replaces" breaks="used again" says="of the last walk alone"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW = np.zeros((out_features, in_features))
        self.db = np.zeros((out_features, 1))
        self.momentum_W = np.zeros((out_features, in_features))
        self.momentum_b = np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, None], self.sum_back)
        return y

    def sum_back(self, g, p, b):
        self.db[...] = g.sum(axis=0, keepdims=True).T
        return g, None

# %% wrong="A.4.2" why="tanh is recorded twice" breaks="recorded" says="recorded twice hands its gradient back twice"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="tanh is recorded at the first call only" breaks="used twice" says="the second call records an operation"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        if not hasattr(self, "done"):
            self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        self.done = True
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="sigmoid without the half inside" breaks="values" says="x is halved"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="the sigmoid's backward function gets the output" breaks="gradients" says="the slope at the output"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: sigmoid_backward(g, y))
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="sigmoid's slope without the second factor" breaks="gradients" says="A factor of the slope is missing"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: g * y)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="ReLU's mask by g" breaks="gradients" says="whatever the sign of the gradient"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: g * (g > 0))
        return y

# %% wrong="A.4.2" why="ReLU's gradient goes into an array" breaks="gradients" says="is an array, to which the gradient was added"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [np.zeros(x.shape)], relu_backward)
        return y

# %% wrong="A.4.2" why="every activation has an engine of its own" breaks="gradients" says="in the engine that it was made with"
class Activation:
    def __init__(self, autograd_engine):
        self.autograd_engine = Autograd()


class Identity(Activation):
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y


class Sigmoid(Activation):
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh(Activation):
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU(Activation):
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.B" why="axes exchanged" breaks="entries" says="the axes of the difference"
shapes = [(3, 4), (3, 4), (), ()]

# %% wrong="A.4.B" why="the product as (3, 3)" breaks="entries" says="no matrix product"
shapes = [(4, 3), (3, 3), (), ()]

# %% wrong="A.4.3" why="the root" breaks="value" says="No root is taken"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.autograd_engine.add_operation([y, y_hat], d, [None, None], sub_backward)
        squares = d * d
        self.autograd_engine.add_operation([d, d], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        self.autograd_engine.add_operation([squares], total, [None], sum_backward)
        n = np.array(float(d.size))
        loss = np.array(total / n)
        self.autograd_engine.add_operation([total, n], loss, [None, None], div_backward)
        self.loss_val = np.sqrt(loss)
        return self.loss_val

# %% wrong="A.4.3" why="loss_val adds up" breaks="loss_val" says="of both calls"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = 0.

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.autograd_engine.add_operation([y, y_hat], d, [None, None], sub_backward)
        squares = d * d
        self.autograd_engine.add_operation([d, d], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        self.autograd_engine.add_operation([squares], total, [None], sum_backward)
        n = np.array(float(d.size))
        loss = np.array(total / n)
        self.autograd_engine.add_operation([total, n], loss, [None, None], div_backward)
        self.loss_val = self.loss_val + loss
        return loss

# %% wrong="A.4.3" why="the number of entries is len(d) in the record" breaks="gradient" says="than the computed one"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.autograd_engine.add_operation([y, y_hat], d, [None, None], sub_backward)
        squares = d * d
        self.autograd_engine.add_operation([d, d], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        self.autograd_engine.add_operation([squares], total, [None], sum_backward)
        n = np.array(float(d.size))
        loss = np.array(total / n)
        self.autograd_engine.add_operation([total, np.array(float(len(d)))], loss, [None, None], div_backward)
        self.loss_val = loss
        return loss

# %% wrong="A.4.3" why="copies of y and y_hat" breaks="gradient" says="A copy would get the gradient"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.autograd_engine.add_operation([y.copy(), y_hat.copy()], d, [None, None], sub_backward)
        squares = d * d
        self.autograd_engine.add_operation([d, d], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        self.autograd_engine.add_operation([squares], total, [None], sum_backward)
        n = np.array(float(d.size))
        loss = np.array(total / n)
        self.autograd_engine.add_operation([total, n], loss, [None, None], div_backward)
        self.loss_val = loss
        return loss

# %% wrong="A.4.3" why="a sum without g" breaks="gradient" says="use the gradient that it gets"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.autograd_engine.add_operation([y, y_hat], d, [None, None], sub_backward)
        squares = d * d
        self.autograd_engine.add_operation([d, d], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        self.autograd_engine.add_operation([squares], total, [None], lambda g, a: np.ones(a.shape))
        n = np.array(float(d.size))
        loss = np.array(total / n)
        self.autograd_engine.add_operation([total, n], loss, [None, None], div_backward)
        self.loss_val = loss
        return loss

# %% right="A.4.3" how="the difference the other way round, recorded so"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, y, y_hat):
        record = self.autograd_engine.add_operation
        d = np.subtract(y_hat, y)
        record([y_hat, y], d, [None, None], sub_backward)
        s = np.square(d)
        record([d], s, [None], lambda g, d: 2 * d * g)
        self.loss_val = np.array(s.mean())
        record([s], self.loss_val, [None], lambda g, s: np.full(s.shape, g / s.size))
        return self.loss_val.item()

# %% wrong="A.4.4" why="softmax over the examples" breaks="value" says="axis 1"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=0, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=0, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=0, keepdims=True))
        p = e / e.sum(axis=0, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.4" why="the first argument is taken for the outputs" breaks="value" says="The first argument is the targets"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y_hat, y):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.4" why="loss_val adds up" breaks="loss_val" says="of both calls"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = 0.

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        loss = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], loss, [None, None], self.backward)
        self.loss_val = self.loss_val + loss
        return loss

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.4" why="the mean over all entries in the gradient" breaks="gradient" says="all entries, not of examples"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / y.size

# %% wrong="A.4.4" why="only softmax" breaks="gradient" says="softmax alone"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * p / len(y)

# %% wrong="A.4.4" why="the slope of -log p, for p" breaks="gradient" says="by p, not by the outputs"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (-y / p) / len(y)

# %% wrong="A.4.4" why="only the sign of grad_output enters" breaks="divergence" says="Only the sign of the divergence"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, np.sign(grad_output) * (p - y) / len(y)

# %% wrong="A.4.4" why="grad_output shifts the softmax" breaks="divergence" says="multiplies the whole difference"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, (grad_output * p - y) / len(y)

# %% wrong="A.4.4" why="softmax with the shift, then the logarithm" breaks="large outputs" says="not as the logarithm of p"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        e = np.exp(shifted)
        p = e / e.sum(axis=1, keepdims=True)
        log_p = np.where(y == 1, np.log(p), 0.)
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.4" why="shifted by the mean of an example" breaks="large outputs" says="its own largest output"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.mean(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val

    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.mean(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.3" why="the engine is cleared at each call" breaks="used again" says="are gone from the engine's list after a second one"
class MSELoss:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def __call__(self, y, y_hat):
        self.e.zero_grad()
        d = y - y_hat
        self.e.add_operation([y, y_hat], d, [None, None], sub_backward)
        p = d * d
        self.e.add_operation([d, d], p, [None, None], mul_backward)
        s = np.array(p.sum())
        self.e.add_operation([p], s, [None], sum_backward)
        n = np.array(float(y.size))
        q = np.array(s / n)
        self.e.add_operation([s, n], q, [None, None], div_backward)
        self.loss_val = q
        return q

# %% wrong="A.4.3" why="squared in place" breaks="gradient" says="the square is taken in place"
class MSELoss:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.e.add_operation([y, y_hat], d, [None, None], sub_backward)
        p = d
        p *= d
        self.e.add_operation([d, d], p, [None, None], mul_backward)
        s = np.array(p.sum())
        self.e.add_operation([p], s, [None], sum_backward)
        n = np.array(float(y.size))
        q = np.array(s / n)
        self.e.add_operation([s, n], q, [None, None], div_backward)
        self.loss_val = q
        return q

# %% wrong="A.4.3" why="the size of the errors, not their squares" breaks="value" says="These are the sizes of the errors"
class MSELoss:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def __call__(self, y, y_hat):
        d = y - y_hat
        self.e.add_operation([y, y_hat], d, [None, None], sub_backward)
        p = np.abs(d) * 1.
        self.e.add_operation([d, d], p, [None, None], mul_backward)
        s = np.array(p.sum())
        self.e.add_operation([p], s, [None], sum_backward)
        n = np.array(float(y.size))
        q = np.array(s / n)
        self.e.add_operation([s, n], q, [None, None], div_backward)
        self.loss_val = q
        return q

# %% wrong="A.4.4" why="the engine is cleared at each call" breaks="used again" says="are gone from the engine's list after a second one"
def entropy_backward_that_is_right(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def __call__(self, y, y_hat):
        self.e.zero_grad()
        s = y_hat - y_hat.max(axis=1, keepdims=True)
        loss = np.array(-(y * (s - np.log(np.exp(s).sum(axis=1, keepdims=True)))).sum() / len(y))
        self.e.add_operation([y, y_hat], loss, [None, None], entropy_backward_that_is_right)
        self.loss_val = loss
        return loss

# %% wrong="A.4.4" why="softmax over the examples in the backward function" breaks="gradient" says="Softmax goes over the classes of an example"
def entropy_backward_over_examples(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=0, keepdims=True))
    return None, grad_output * (e / e.sum(axis=0, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def __call__(self, y, y_hat):
        s = y_hat - y_hat.max(axis=1, keepdims=True)
        loss = np.array(-(y * (s - np.log(np.exp(s).sum(axis=1, keepdims=True)))).sum() / len(y))
        self.e.add_operation([y, y_hat], loss, [None, None], entropy_backward_over_examples)
        self.loss_val = loss
        return loss

# %% wrong="A.4.2" why="ReLU without the sign" breaks="values" says="This is the size of x"
class Activation:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def record(self, x, y, back):
        self.e.add_operation([x], y, [None], back)
        return y

class Identity(Activation):
    def __call__(self, x):
        return x

class Sigmoid(Activation):
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)

class Tanh(Activation):
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)

class ReLU(Activation):
    def __call__(self, x):
        return self.record(x, np.abs(x), relu_backward)

# %% wrong="A.4.2" why="a ReLU that lets a little through" breaks="values" says="lets a little through"
class Activation:
    def __init__(self, autograd_engine):
        self.e = autograd_engine

    def record(self, x, y, back):
        self.e.add_operation([x], y, [None], back)
        return y

class Identity(Activation):
    def __call__(self, x):
        return x

class Sigmoid(Activation):
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)

class Tanh(Activation):
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)

class ReLU(Activation):
    def __call__(self, x):
        return self.record(x, np.where(x > 0, x, 0.01 * x), relu_backward)

# %% wrong="A.4.A" why="the engine is cleared at each call" breaks="one operation" says="are gone after it"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        self.autograd_engine.zero_grad()
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="an array of its own that each call overwrites" breaks="output" says="of two calls share memory"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        if getattr(self, 'y', None) is None or self.y.shape != x.shape:
            self.y = np.empty_like(x)
        y = np.add(x, self.t, out=self.y)
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.A" why="dt for x, too" breaks="gradient of t" says="The entry for x is None"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [self.dt, self.dt], add_backward)
        return y

# %% right="A.4.A" how="two rows of one array, t before x"
class Shift:
    def __init__(self, features, autograd_engine):
        both = np.zeros((2, features))
        self.t, self.dt = both[:1], both[1:]
        self.record = autograd_engine.add_operation

    def __call__(self, x):
        y = np.add(self.t, x)
        self.record([self.t, x], y, [self.dt, None], add_backward)
        return y

# %% wrong="A.4.1" why="the engine is cleared at each call" breaks="used again" says="are gone from the engine's list"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.momentum_W = np.zeros((out_features, in_features)), np.zeros((out_features, in_features))
        self.db, self.momentum_b = np.zeros((out_features, 1)), np.zeros((out_features, 1))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        self.autograd_engine.zero_grad()
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.1" why="the weights that the layer began with" breaks="output" says="that the layer began with"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.momentum_W = np.zeros((out_features, in_features)), np.zeros((out_features, in_features))
        self.db, self.momentum_b = np.zeros((out_features, 1)), np.zeros((out_features, 1))
        self.WT, self.bT = self.W.T.copy(), self.b.T.copy()
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        p = x @ self.WT
        self.autograd_engine.add_operation([x, self.WT], p, [None, self.dW.T], matmul_backward)
        y = p + self.bT
        self.autograd_engine.add_operation([p, self.bT], y, [None, self.db.T], add_backward)
        return y

# %% right="A.4.1" how="the bias first, repeated by a product with ones"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = (1 / in_features) ** 0.5
        def draw(*shape):
            return np.random.rand(*shape) * 2 * bound - bound
        self.W, self.b = draw(out_features, in_features), draw(out_features, 1)
        self.dW, self.db, self.momentum_W, self.momentum_b = (0 * a for a in (self.W, self.b, self.W, self.b))
        self.engine = autograd_engine

    def __call__(self, x):
        ones = np.ones((len(x), 1))
        biases = ones @ self.b.T
        self.engine.add_operation([ones, self.b.T], biases, [None, self.db.T], matmul_backward)
        product = np.dot(x, self.W.T)
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = biases + product
        self.engine.add_operation([biases, product], y, [None, None], add_backward)
        return y

# %% wrong="A.4.2" why="Tanh clears the engine" breaks="in a row" says="are gone from the engine's list"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return x


class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        self.autograd_engine.zero_grad()
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="identity_backward for ReLU" breaks="gradients" says="handed on as it is"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return x


class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y

# %% wrong="A.4.2" why="tanh: the slope by a difference quotient" breaks="gradients" says="This is near the gradient"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return x


class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: g * (np.tanh(a + 1e-5) - np.tanh(a)) / 1e-5)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="ReLU: at most two axes" breaks="values" says="inputs of shape (2, 1, 2)"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return x


class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x.copy()
        for row in np.atleast_2d(y):
            for j in range(len(row)):
                row[j] = max(row[j], 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% right="A.4.2" how="made by a function, torch inside, backward functions of one's own"
def make(function, slope):
    class Made:
        def __init__(self, autograd_engine):
            self.record = autograd_engine.add_operation

        def __call__(self, x):
            y = function(torch.tensor(x)).numpy().copy()
            self.record([x], y, [None], lambda grad_output, a: grad_output * slope(torch.tensor(a)).numpy())
            return y
    return Made


Identity = make(lambda t: t, torch.ones_like)
Sigmoid = make(torch.sigmoid, lambda t: torch.sigmoid(t) * torch.sigmoid(-t))
Tanh = make(torch.tanh, lambda t: 1 - torch.tanh(t) ** 2)
ReLU = make(torch.relu, lambda t: (t > 0) * 1.)

# %% wrong="A.4.B" why="the shapes of the page's example" breaks="entries" says="how many entries the difference has"
shapes = [(1, 2), (1, 2), (), ()]

# %% wrong="A.4.3" why="the recorded last output is the sum, the returned value the mean" breaks="last operation" says="the mean is recorded as the last output"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        difference = y - y_hat
        add([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        add([difference, difference], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        add([squares], total, [None], sum_backward)
        count = np.array(float(y.size))
        mean = np.array(total)
        add([total, count], mean, [None, None], div_backward)
        self.loss_val = float(total / count)
        return self.loss_val

# %% wrong="A.4.3" why="the difference is recorded after the others" breaks="gradient" says="in the order in which they run"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        difference = y - y_hat
        squares = difference * difference
        add([difference, difference], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        add([squares], total, [None], sum_backward)
        count = np.array(float(y.size))
        mean = np.array(total / count)
        add([total, count], mean, [None, None], div_backward)
        add([y, y_hat], difference, [None, None], sub_backward)
        self.loss_val = mean
        return self.loss_val

# %% wrong="A.4.3" why="six entries in every batch" breaks="value" says="divided by 6 here"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        difference = y - y_hat
        add([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        add([difference, difference], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        add([squares], total, [None], sum_backward)
        count = np.array(6.)
        mean = np.array(total / count)
        add([total, count], mean, [None, None], div_backward)
        self.loss_val = mean
        return self.loss_val

# %% wrong="A.4.3" why="the sum is wrapped twice" breaks="gradient" says="the output of recorded operation 3 is the input of no later one"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        difference = y - y_hat
        add([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        add([difference, difference], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        add([squares], np.array(total), [None], sum_backward)
        count = np.array(float(y.size))
        mean = np.array(total / count)
        add([total, count], mean, [None, None], div_backward)
        self.loss_val = mean
        return self.loss_val

# %% right="A.4.3" how="a matrix product of the flat difference with itself"
def flat_backward(grad_output, a):
    return grad_output.reshape(a.shape)


class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        d = np.subtract(y, y_hat)
        add([y, y_hat], d, [None, None], sub_backward)
        row = d.reshape(1, -1).copy()
        add([d], row, [None], flat_backward)
        column = d.reshape(-1, 1).copy()
        add([d], column, [None], flat_backward)
        product = row @ column
        add([row, column], product, [None, None], matmul_backward)
        total = np.array(product.sum())
        add([product], total, [None], sum_backward)
        weight = np.array(1 / y.size)
        loss = np.array(total * weight)
        add([total, weight], loss, [None, None], mul_backward)
        self.loss_val = loss
        return loss

# %% wrong="A.4.4" why="the log-probabilities are recorded as the output" breaks="one operation" says="how many numbers the recorded output holds"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)


class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], log_p, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

# %% wrong="A.4.4" why="the recorded output is the sum over the examples, the returned value the mean" breaks="one operation" says="the recorded output is the mean"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)


class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], np.array(-(y * log_p).sum()), [None, None], softmax_cross_entropy_backward)
        return self.loss_val

# %% right="A.4.4" how="torch inside, y_hat before y"
def by_torch_backward(grad_output, y, y_hat):
    return None, float(grad_output) * (torch.softmax(torch.tensor(y_hat), 1) - torch.tensor(y)).numpy() / y.shape[0]


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        self.loss_val = torch.nn.functional.cross_entropy(torch.tensor(y_hat), torch.tensor(y)).numpy()
        self.engine.add_operation([y_hat, y], self.loss_val, [None, None], lambda g, a, b: by_torch_backward(g, b, a)[::-1])
        return self.loss_val

# %% wrong="A.4.A" why="nothing recorded" breaks="one operation" says="the number of operations that a call records"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x + self.t
        return y

# %% wrong="A.4.2" why="softplus for ReLU" breaks="values" says="This is softplus"
class Identity:
    """x, (…) -> (…)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return x


class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y


class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.log(1 + np.exp(x))
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.3" why="sum per column" breaks="value" says="how many numbers the loss returns"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        difference = y - y_hat
        add([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        add([difference, difference], squares, [None, None], mul_backward)
        total = squares.sum(axis=0)
        add([squares], total, [None], sum_backward)
        count = np.array(float(y.size))
        mean = np.array(total / count)
        add([total, count], mean, [None, None], div_backward)
        self.loss_val = mean
        return self.loss_val

# %% wrong="A.4.3" why="float32 on the way" breaks="value" says="is something float32 on the way"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        difference = y - y_hat
        add([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        add([difference, difference], squares, [None, None], mul_backward)
        total = np.array(squares.sum())
        add([squares], total, [None], sum_backward)
        count = np.array(float(y.size))
        mean = np.array(total / count, dtype=np.float32)
        add([total, count], mean, [None, None], div_backward)
        self.loss_val = mean
        return self.loss_val

# %% wrong="A.4.4" why="p times (1 - p), the sigmoid's slope" breaks="gradient" says="This is the slope of a sigmoid"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * p * (1 - p) / len(y)


class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

# %% wrong="A.4.4" why="1 taken from every class" breaks="gradient" says="Here 1 is subtracted from every class"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - 1) / len(y)


class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

# %% wrong="A.4.4" why="the logarithm to base 2 of the sum" breaks="value" says="the sum of exponentials is the natural one"
def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)


class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log2(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

# %% wrong="A.4.A" why="None for x" breaks="gradient of x" says="though x itself is recorded"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], lambda g, x, t: (None, g.sum(axis=0, keepdims=True)))
        return y

# %% wrong="A.4.1" why="the sum with the bias is not recorded" breaks="gradients" says="is to be recorded, too"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        return y

# %% wrong="A.4.3" why="records the difference the other way round" breaks="gradient" says="in another order than in the difference"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        record = self.autograd_engine.add_operation
        d = y - y_hat
        record([y_hat, y], d, [None, None], sub_backward)
        q = d * d
        record([d, d], q, [None, None], mul_backward)
        s = np.array(q.sum())
        record([q], s, [None], sum_backward)
        n = np.array(float(q.size))
        m = np.array(s / n)
        record([s, n], m, [None, None], div_backward)
        self.loss_val = m
        return m

# %% wrong="A.4.4" why="the class with the largest output counts" breaks="value" says="which y names"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        loss = np.array(-log_p.max(axis=1).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], loss, [None, None], self.backward)
        self.loss_val = loss
        return loss
    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.4" why="two-class cross-entropy of each entry" breaks="value" says="Only the true class has a term"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        loss = np.array(-(y * log_p + (1 - y) * np.log1p(-np.exp(np.minimum(log_p, -1e-12)))).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], loss, [None, None], self.backward)
        self.loss_val = loss
        return loss
    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.A" why="the gradient of t is not added up over the examples" breaks="gradient of t" says="added up over the rows"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], lambda g, x, t: (g, g))
        return y

# %% wrong="A.4.4" why="from four operations" breaks="one operation" says="its steps in between are not recorded"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        p = np.exp(log_p)
        self.engine.add_operation([y_hat], log_p, [None], lambda g, o: g - p * g.sum(axis=1, keepdims=True))
        prod = y * log_p
        self.engine.add_operation([y, log_p], prod, [None, None], mul_backward)
        s = np.array(prod.sum())
        self.engine.add_operation([prod], s, [None], sum_backward)
        n = np.array(-float(len(y)))
        self.loss_val = np.array(s / n)
        self.engine.add_operation([s, n], self.loss_val, [None, None], div_backward)
        return self.loss_val

# %% wrong="A.4.A" why="the backward function adds to dt, too" breaks="gradient of t" says="This is twice the gradient"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x + self.t
        def backward(g, x, t):
            self.dt += g.sum(axis=0, keepdims=True)
            return g, g.sum(axis=0, keepdims=True)
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], backward)
        return y

# %% wrong="A.4.1" why="the product is computed twice" breaks="gradients" says="the output of recorded operation 1 is the input of no later one"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros_like(self.W), np.zeros_like(self.W)
        self.db, self.momentum_b = np.zeros_like(self.b), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x @ self.W.T + self.b.T
        self.autograd_engine.add_operation([x, self.W.T], x @ self.W.T, [None, self.dW.T], matmul_backward)
        self.autograd_engine.add_operation([x @ self.W.T, self.b.T], y, [None, self.db.T], add_backward)
        return y

# %% wrong="A.4.2" why="1 - x² for the slope of tanh" breaks="gradients" says="Here x itself stands"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y
class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y
class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: g * (1 - a ** 2))
        return y
class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="exp(-x) recorded with the input x" breaks="gradients" says="its input is -x"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y
class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        e = np.exp(-x)
        self.autograd_engine.add_operation([x], e, [None], exp_backward)
        one = np.ones(x.shape)
        d = one + e
        self.autograd_engine.add_operation([one, e], d, [None, None], add_backward)
        y = one / d
        self.autograd_engine.add_operation([one, d], y, [None, None], div_backward)
        return y
class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y
class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.2" why="a sigmoid of x cut off at 10" breaks="values" says="is x cut off"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x.copy()
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y
class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = 1 / (1 + np.exp(-np.clip(x, -10, 10)))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y
class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], tanh_backward)
        return y
class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.4" why="p times (p - y)" breaks="gradient" says="multiplied by softmax once more"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val
    def backward(self, grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * p * (p - y) / len(y)

# %% wrong="A.4.B" why="strings" breaks="entries" says="without quotation marks"
shapes = ["(4, 3)", "(4, 3)", "()", "()"]

# %% wrong="A.4.4" why="the squares of p - y" breaks="gradient" says="the rows of p - y add up to 0"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        loss = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], loss, [None, None], self.backward)
        self.loss_val = loss
        return loss
    @staticmethod
    def backward(grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) * np.abs(p - y) / len(y)

# %% wrong="A.4.A" why="the gradient of the first example alone" breaks="gradient of t" says="first example alone"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], lambda g, x, t: (g, g[:1]))
        return y

# %% wrong="A.4.A" why="adds t twice" breaks="output" says="added, once"
class Shift:
    def __init__(self, features, autograd_engine):
        self.t, self.dt = np.zeros((1, features)), np.zeros((1, features))
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x + self.t + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y

# %% wrong="A.4.1" why="sums of W and of the gradient for x" breaks="gradients" says="is to be row 0 of W"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros_like(self.W), np.zeros_like(self.W)
        self.db, self.momentum_b = np.zeros_like(self.b), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x @ self.W.T + self.b.T
        def backward(g, x, W, b):
            return g.sum(axis=1, keepdims=True) * W.sum(axis=0), g.T @ x, g.sum(axis=0).reshape(-1, 1)
        self.autograd_engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], backward)
        return y

# %% wrong="A.4.1" why="the gradient of x is divided by n" breaks="gradients" says="not divided by their number"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros_like(self.W), np.zeros_like(self.W)
        self.db, self.momentum_b = np.zeros_like(self.b), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x @ self.W.T + self.b.T
        def backward(g, x, W, b):
            return g @ W / len(x), g.T @ x, g.sum(axis=0).reshape(-1, 1)
        self.autograd_engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], backward)
        return y

# %% wrong="A.4.1" why="the output as a factor in dW" breaks="gradients" says="row 0 is to be the first example"
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        a = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-a, a, (out_features, in_features))
        self.b = np.random.uniform(-a, a, (out_features, 1))
        self.dW, self.momentum_W = np.zeros_like(self.W), np.zeros_like(self.W)
        self.db, self.momentum_b = np.zeros_like(self.b), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = x @ self.W.T + self.b.T
        def backward(g, x, W, b):
            return g @ W, (g * (x @ W.T)).T @ x, g.sum(axis=0).reshape(-1, 1)
        self.autograd_engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], backward)
        return y

# %% wrong="A.4.2" why="twice the slope of tanh" breaks="gradients" says="is never above 1"
class Identity:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.array(x)
        self.autograd_engine.add_operation([x], y, [None], identity_backward)
        return y
class Sigmoid:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = 0.5 * (1 + np.tanh(x / 2))
        self.autograd_engine.add_operation([x], y, [None], sigmoid_backward)
        return y
class Tanh:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.tanh(x)
        self.autograd_engine.add_operation([x], y, [None], lambda g, a: 2 * g * (1 - np.tanh(a) ** 2))
        return y
class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

# %% wrong="A.4.3" why="a product with one recorded input" breaks="gradient" says="this array as both inputs"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        d = y - y_hat
        add([y, y_hat], d, [None, None], sub_backward)
        q = d * d
        add([d], q, [None], mul_backward)
        s = np.array(q.sum())
        add([q], s, [None], sum_backward)
        n = np.array(float(y.size))
        m = np.array(s / n)
        add([s, n], m, [None, None], div_backward)
        self.loss_val = m
        return m

# %% wrong="A.4.3" why="the quotient is recorded upside down" breaks="gradient" says="its second input divided by the first"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        d = y - y_hat
        add([y, y_hat], d, [None, None], sub_backward)
        q = d * d
        add([d, d], q, [None, None], mul_backward)
        s = np.array(q.sum())
        add([q], s, [None], sum_backward)
        n = np.array(float(y.size))
        m = np.array(s / n)
        add([n, s], m, [None, None], div_backward)
        self.loss_val = m
        return m

# %% wrong="A.4.3" why="mul_backward for the quotient" breaks="gradient" says="its first input divided by the second"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        d = y - y_hat
        add([y, y_hat], d, [None, None], sub_backward)
        q = d * d
        add([d, d], q, [None, None], mul_backward)
        s = np.array(q.sum())
        add([q], s, [None], sum_backward)
        n = np.array(float(y.size))
        m = np.array(s / n)
        add([s, n], m, [None, None], mul_backward)
        self.loss_val = m
        return m

# %% wrong="A.4.3" why="one less than the number of entries" breaks="value" says="not by one less"
class MSELoss:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        add = self.autograd_engine.add_operation
        d = y - y_hat
        add([y, y_hat], d, [None, None], sub_backward)
        q = d * d
        add([d, d], q, [None, None], mul_backward)
        s = np.array(q.sum())
        add([q], s, [None], sum_backward)
        n = np.array(float(y.size - 1))
        m = np.array(s / n)
        add([s, n], m, [None, None], div_backward)
        self.loss_val = m
        return m

# %% wrong="A.4.4" why="a gradient for the true class alone" breaks="gradient" says="Only the true class has a gradient"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val
    def backward(self, grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) * y / len(y)

# %% wrong="A.4.4" why="no gradient for the true class" breaks="gradient" says="The true class has no gradient"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val
    def backward(self, grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * p * (1 - y) / len(y)

# %% wrong="A.4.4" why="the shift in one place only" breaks="value" says="not in both places"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(y_hat).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], self.backward)
        return self.loss_val
    def backward(self, grad_output, y, y_hat):
        e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)

# %% wrong="A.4.4" why="the logarithm of a p that is cut off below" breaks="large outputs" says="as if p were"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.e = autograd_engine
    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
        self.loss_val = np.array(-(y * np.log(np.clip(p, 1e-15, 1))).sum() / len(y))
        self.e.add_operation([y, y_hat], self.loss_val, [None, None], self.back)
        return self.loss_val
    def back(self, grad_output, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
        return None, grad_output * (p - y) / len(y)


# %% wrong="A.4.B" why="the mean divides entry by entry" breaks="numbers" says="a single number, is divided"
shapes = [(4, 3), (4, 3), (), (4, 3)]


# %% wrong="A.4.B" why="sum with kept axes" breaks="numbers" says="but has an axis"
shapes = [(4, 3), (4, 3), (1, 1), (1, 1)]


# %% wrong="A.4.4" why="a small number in the logarithm" breaks="large outputs" says="as if p were 1e-12"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    @staticmethod
    def softmax(o):
        e = np.exp(o - o.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
    @staticmethod
    def back(g, y, y_hat):
        return None, g * (SoftmaxCrossEntropy.softmax(y_hat) - y) / len(y)
    def __call__(self, y, y_hat):
        loss = np.array(-(y * np.log(self.softmax(y_hat) + 1e-12)).sum() / len(y))
        self.engine.add_operation([y, y_hat], loss, [None, None], self.back)
        self.loss_val = loss
        return loss


# %% wrong="A.4.4" why="the logarithm of p, where p is 0 for large outputs" breaks="large outputs" says="For three equal outputs of 1,000 it is right, too"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    @staticmethod
    def softmax(o):
        e = np.exp(o - o.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
    @staticmethod
    def back(g, y, y_hat):
        return None, g * (SoftmaxCrossEntropy.softmax(y_hat) - y) / len(y)
    def __call__(self, y, y_hat):
        loss = np.array(-(y * np.log(self.softmax(y_hat))).sum() / len(y))
        self.engine.add_operation([y, y_hat], loss, [None, None], self.back)
        self.loss_val = loss
        return loss


# %% right="A.4.4" how="logaddexp.reduce, a closure"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, y, y_hat):
        log_p = y_hat - np.logaddexp.reduce(y_hat, axis=1, keepdims=True)
        gradient = (np.exp(log_p) - y) / len(y)
        loss = np.array(-log_p[y.astype(bool)].mean())
        self.engine.add_operation([y, y_hat], loss, [None, None], lambda g, a, b: (np.zeros_like(a), g * gradient))
        self.loss_val = float(loss)
        return self.loss_val


# %% right="A.4.2" how="tanh from the sigmoid: primitives; relu as a product with the mask"
class Identity:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        y = np.array(x)
        self.engine.add_operation([x], y, [None], identity_backward)
        return y
class Tanh:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        y = np.tanh(x)
        self.engine.add_operation([x], y, [None], tanh_backward)
        return y
class Sigmoid:
    def __init__(self, autograd_engine):
        self.engine, self.tanh = autograd_engine, Tanh(autograd_engine)
    def __call__(self, x):
        half, one = np.full((1,), 0.5), np.ones((1,))
        z = x * half
        self.engine.add_operation([x, half], z, [None, None], mul_backward)
        t = self.tanh(z)
        u = t + one
        self.engine.add_operation([t, one], u, [None, None], add_backward)
        y = u * half
        self.engine.add_operation([u, half], y, [None, None], mul_backward)
        return y
class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        mask = (x > 0) * 1.0
        y = x * mask
        self.engine.add_operation([x, mask], y, [None, None], mul_backward)
        return y

# %% right="A.4.4" how="by torch, whose autograd is the backward function"
class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        classes = torch.from_numpy(y.argmax(axis=1))

        def backward(grad_output, y, y_hat):
            logits = torch.tensor(y_hat, requires_grad=True)
            torch.nn.functional.cross_entropy(logits, classes).backward()
            return None, float(grad_output) * logits.grad.numpy()

        loss = np.array(torch.nn.functional.cross_entropy(torch.tensor(y_hat), classes).item())
        self.engine.add_operation([y, y_hat], loss, [None, None], backward)
        self.loss_val = loss.item()
        return self.loss_val
