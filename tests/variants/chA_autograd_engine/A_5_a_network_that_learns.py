# %% right="A.5.A" how="the sum by powers"
def velocities(gradients, momentum):
    return [sum(momentum ** (k - i) * gradients[i] for i in range(k + 1)) for k in range(len(gradients))]

# %% right="A.5.A" how="accumulate"
from itertools import accumulate
def velocities(gradients, momentum):
    return tuple(accumulate(gradients, lambda v, gradient: momentum * v + gradient))

# %% wrong="A.5.A" why="weighs the gradient with 1 - momentum" breaks="values" says="The gradient enters with its full weight"
def velocities(gradients, momentum):
    """v after each gradient."""
    v, found = 0., []
    for gradient in gradients:
        v = momentum * v + (1 - momentum) * gradient
        found.append(v)
    return found

# %% wrong="A.5.A" why="momentum times the gradient" breaks="values" says="The momentum multiplies what was there"
def velocities(gradients, momentum):
    v, found = 0., []
    for gradient in gradients:
        v = v + momentum * gradient
        found.append(v)
    return found

# %% wrong="A.5.A" why="forgets nothing" breaks="values" says="The sum forgets"
def velocities(gradients, momentum):
    """v after each gradient."""
    v, found = 0., []
    for gradient in gradients:
        v = v + gradient
        found.append(v)
    return found

# %% wrong="A.5.A" why="the last value alone" breaks="length" says="what velocities returns"
def velocities(gradients, momentum):
    """v after each gradient."""
    v, found = 0., []
    for gradient in gradients:
        v = momentum * v + gradient
        found.append(v)
    return v

# %% wrong="A.5.A" why="the start, too" breaks="length" says="how many entries there are for three gradients"
def velocities(gradients, momentum):
    """v after each gradient."""
    v, found = 0., [0.]
    for gradient in gradients:
        v = momentum * v + gradient
        found.append(v)
    return found

# %% wrong="A.5.A" why="v of the step before" breaks="values" says="v for the gradients 4, 4, -2"
def velocities(gradients, momentum):
    v, found = 0., []
    for gradient in gradients:
        found.append(v)
        v = momentum * v + gradient
    return found

# %% right="A.5.1" how="new arrays instead of changes in place"
class MLP:
    def __init__(self, layers):
        self.layers = list(layers)

    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW.fill(0.)
                layer.db.fill(0.)

    def step(self, lr, momentum):
        for layer in self.layers:
            if not hasattr(layer, "W"):
                continue
            layer.momentum_W = layer.momentum_W * momentum + layer.dW
            layer.momentum_b = layer.momentum_b * momentum + layer.db
            layer.W = layer.W - lr * layer.momentum_W
            layer.b = layer.b - lr * layer.momentum_b

# %% right="A.5.1" how="attributes by name"
from functools import reduce

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        return reduce(lambda value, layer: layer(value), self.layers, x)

    def parameters(self):
        return [(layer, name) for layer in self.layers if hasattr(layer, "W") for name in "Wb"]

    def zero_grad(self):
        for layer, name in self.parameters():
            grad = getattr(layer, "d" + name)
            grad *= 0

    def step(self, lr, momentum):
        for layer, name in self.parameters():
            v = getattr(layer, "momentum_" + name)
            v *= momentum
            v += getattr(layer, "d" + name)
            value = getattr(layer, name)
            value -= lr * v

# %% wrong="A.5.1" why="goes up the gradient" breaks="first step" says="A step goes against the gradient"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W += lr * layer.momentum_W
            layer.b += lr * layer.momentum_b

# %% wrong="A.5.1" why="weighs the gradient with 1 - momentum" breaks="first step" says="The gradient enters with its full weight"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + (1 - momentum) * layer.dW
            layer.momentum_b = momentum * layer.momentum_b + (1 - momentum) * layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="the step comes before the momentum" breaks="first step" says="the new v is used in the same step"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="no momentum" breaks="momentum" says="2 steps, learning rate 0.1, momentum 0.9: the weights"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = layer.dW + 0
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="the learning rate goes into the momentum twice" breaks="momentum" says="momentum_W and momentum_b"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + lr * layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= layer.momentum_W
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="zero_grad forgets the biases" breaks="zero_grad" says="dW and db after zero_grad()"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...] = 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="biases do not move" breaks="first step" says="the biases"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= 0 * layer.momentum_b

# %% wrong="A.5.1" why="only the first layer moves" breaks="first step" says="2 linear layers"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears()[:1]:
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="applies layers in reverse" breaks="forward" says="the output"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in reversed(self.layers):
            x = layer(x) + 1
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="the learning rate goes into v, with the sign" breaks="momentum" says="the learning rate comes in when the weights move"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for l in self.layers:
            x = l(x)
        return x
    def zero_grad(self):
        for l in self.layers:
            if hasattr(l, "W"):
                l.dW = np.zeros_like(l.W)
                l.db = np.zeros_like(l.b)
    def step(self, lr, momentum):
        for l in self.layers:
            if hasattr(l, "W"):
                l.momentum_W = momentum*l.momentum_W - lr*l.dW
                l.momentum_b = momentum*l.momentum_b - lr*l.db
                l.W += l.momentum_W
                l.b += l.momentum_b

# %% right="A.5.2" how="array_split at the batch borders, weights of the mean"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    borders = list(range(batch_size, len(X), batch_size))
    means, counts = [], []
    for x, y in zip(np.split(X, borders), np.split(Y, borders)):
        model.zero_grad()
        autograd_engine.zero_grad()
        loss(y, model(x))
        means.append(float(np.asarray(loss.loss_val).reshape(())))
        counts.append(len(y))
        autograd_engine.backward(1.)
        model.step(lr, momentum)
    return np.average(means, weights=counts)

# %% right="A.5.2" how="clears at the end of each step and before the first"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    autograd_engine.zero_grad()
    model.zero_grad()
    seen, start = 0., 0
    while start < len(X):
        y = Y[start:start + batch_size]
        value = loss(y, model(X[start:start + batch_size]))
        autograd_engine.backward(np.ones_like(value))
        model.step(lr, momentum)
        seen += float(value) * len(y)
        autograd_engine.zero_grad()
        model.zero_grad()
        start += batch_size
    return seen / len(X)

# %% wrong="A.5.2" why="a mean over the batches" breaks="mean loss" says="A smaller last batch counts less"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x)))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / -(-len(X) // batch_size)

# %% wrong="A.5.2" why="the sum over the examples" breaks="mean loss" says="not the sum"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss

# %% wrong="A.5.2" why="the last batch is left out" breaks="mean loss" says="which is smaller, are missing in the sum"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X) - batch_size + 1, batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.2" why="gradients are not set to zero" breaks="cleared" says="are still in dW and db"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.2" why="the engine is not cleared" breaks="cleared" says="at most the operations of one batch"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.2" why="no step" breaks="step" says="Nothing has moved"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
    return total_loss / len(X)

# %% wrong="A.5.2" why="a step before the gradient" breaks="step" says="4 examples in batches of 4"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        model.step(lr, momentum)
        autograd_engine.backward(np.array(1.))
    return total_loss / len(X)

# %% wrong="A.5.2" why="the divergence is the loss" breaks="step" says="The divergence is 1"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(loss.loss_val)
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.2" why="the last batch is left out, the mean of the others" breaks="mean loss" says="which is smaller, is left out"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    losses = []
    for i in range(len(X) // batch_size):
        x, y = (part[i * batch_size:(i + 1) * batch_size] for part in (X, Y))
        autograd_engine.zero_grad()
        model.zero_grad()
        losses.append(float(loss(y, model(x))))
        autograd_engine.backward(1.)
        model.step(lr, momentum)
    return np.mean(losses)

# %% wrong="A.5.2" why="all examples in one batch" breaks="mean loss" says="the mean loss"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss, batch_size = 0., len(X)
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.2" why="momentum is not handed on" breaks="momentum" says="The momentum is not handed on"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, 0.)
    return total_loss / len(X)

# %% wrong="A.5.2" why="the loss after the step" breaks="mean loss" says="the mean loss"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(loss(y, model(x))) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="a list of the losses" breaks="mean loss" says="what train_epoch returns"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return [total_loss / len(X)]

# %% wrong="A.5.2" why="clears after the forward pass" breaks="step" says="4 examples in batches of 4"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.zero_grad()
        model.step(lr, momentum)
        autograd_engine.zero_grad()
    return total / len(X)

# %% right="A.5.3" how="another choice, without momentum"
def fit(model, loss, autograd_engine, images, labels):
    targets = (labels[:, None] == np.arange(10)).astype(float)
    losses = []
    for epoch in range(6):
        losses.append(train_epoch(model, loss, autograd_engine, images, targets, 50, 0.3 / (1 + epoch), 0.))
    return losses

# %% right="A.5.3" how="a learning rate that falls, shuffled"
def fit(model, loss, autograd_engine, images, labels):
    rng, losses = np.random.default_rng(0), []
    for epoch in range(6):
        order = rng.permutation(len(images))
        losses.append(train_epoch(model, loss, autograd_engine, images[order], np.eye(10)[labels[order]], 64, 0.06 / (1 + epoch), 0.9))
    return tuple(losses)

# %% wrong="A.5.3" why="a learning rate that is far too large" breaks="losses" says="12,000 images: "
def fit(model, loss, autograd_engine, images, labels):
    """Trains the model; the mean loss of each pass."""
    np.seterr(all='ignore')
    one_hot = np.eye(10)[labels]
    return [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=20., momentum=0.9)
            for k in range(6)]

# %% wrong="A.5.3" why="a learning rate that is far too small" breaks="accuracy" says="an accuracy of at least 80"
def fit(model, loss, autograd_engine, images, labels):
    """Trains the model; the mean loss of each pass."""
    one_hot = np.eye(10)[labels]
    return [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=0.00002, momentum=0.9)
            for k in range(6)]

# %% wrong="A.5.3" why="trains on random labels" breaks="accuracy" says="an accuracy of at least 80"
def fit(model, loss, autograd_engine, images, labels):
    """Trains the model; the mean loss of each pass."""
    one_hot = np.eye(10)[np.random.default_rng(0).integers(0, 10, len(labels))]
    return [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=0.06 / (1 + k), momentum=0.9)
            for k in range(6)]

# %% wrong="A.5.3" why="a single pass over a hundred images" breaks="losses" says="a loss for each pass over all the images"
def fit(model, loss, autograd_engine, images, labels):
    """Trains the model; the mean loss of each pass."""
    one_hot = np.eye(10)[labels]
    return [train_epoch(model, loss, autograd_engine, images[:100], one_hot[:100], batch_size=100, lr=0.06 / (1 + k), momentum=0.9)
            for k in range(6)]

# %% wrong="A.5.3" why="invents the losses" breaks="losses" says="a loss for each pass over all the images"
def fit(model, loss, autograd_engine, images, labels):
    return [1.0, 0.5]

# %% wrong="A.5.3" why="returns nothing" breaks="losses" says="what fit returns"
def fit(model, loss, autograd_engine, images, labels):
    """Trains the model; the mean loss of each pass."""
    one_hot = np.eye(10)[labels]
    losses = [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=0.06 / (1 + k), momentum=0.9)
            for k in range(6)]

# %% wrong="A.5.3" why="labels in place of one-hot targets" breaks="accuracy" says="expected (n, classes): one-hot targets"
def fit(model, loss, autograd_engine, images, labels):
    return [train_epoch(model, loss, autograd_engine, images, labels, 64, 0.1, 0.9) for _ in range(3)]

# %% wrong="A.5.3" why="fifteen passes in large batches" breaks="work" says="at most ten passes over 12,000 images"
def fit(model, loss, autograd_engine, images, labels):
    return [train_epoch(model, loss, autograd_engine, images, np.eye(10)[labels], 1000, 0.1, 0.9) for _ in range(15)]

# %% wrong="A.5.3" why="the last loss alone" breaks="losses" says="what fit returns"
def fit(model, loss, autograd_engine, images, labels):
    for k in range(2):
        value = train_epoch(model, loss, autograd_engine, images, np.eye(10)[labels], 200, 0.05, 0.9)
    return value

# %% right="A.5.4" how="a linear system"
def overhead(t_small, t_large, n_small, n_large):
    return np.linalg.solve([[1., n_small], [1., n_large]], [t_small, t_large])[0]

# %% right="A.5.4" how="weights of the two points"
def overhead(t_small, t_large, n_small, n_large):
    return (t_small * n_large - t_large * n_small) / (n_large - n_small)

# %% wrong="A.5.4" why="the slope" breaks="fixed part" says="the time of an entry"
def overhead(t_small, t_large, n_small, n_large):
    return (t_large - t_small) / (n_large - n_small)

# %% wrong="A.5.4" why="the smaller time" breaks="fixed part" says="3 seconds for 10"
def overhead(t_small, t_large, n_small, n_large):
    return t_small

# %% wrong="A.5.4" why="hard-coded for twice the work" breaks="fixed part" says="2 seconds for 1 entry"
def overhead(t_small, t_large, n_small, n_large):
    return 2 * t_small - t_large

# %% wrong="A.5.4" why="adds in place of subtracting" breaks="fixed part" says="3 seconds for 10"
def overhead(t_small, t_large, n_small, n_large):
    return t_small + n_small * (t_large - t_small) / (n_large - n_small)

# %% wrong="A.5.4" why="forgets to divide" breaks="fixed part" says="Divide by n_large - n_small"
def overhead(t_small, t_large, n_small, n_large):
    return n_large * t_small - n_small * t_large

# %% right="A.5.5" how="the primitives in full, with unbroadcast and sound sums"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    def reduced(grad, shape):
        lead = grad.ndim - len(shape)
        axes = tuple(range(lead)) + tuple(i + lead for i, k in enumerate(shape) if k == 1)
        return grad.sum(axis=axes).reshape(shape)
    return reduced(grad_output, a.shape), reduced(grad_output, b.shape)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db, self.momentum_W, self.momentum_b = (np.zeros(a.shape) for a in (self.W, self.b, self.W, self.b))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% right="A.5.5" how="a layer as one operation"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x @ self.W.T + self.b.T
        def layer_backward(g, x, W, b):
            return g @ W, g.T @ x, g.sum(0)[:, None]
        self.autograd_engine.add_operation([x, self.W, self.b], y, [None, self.dW, self.db], layer_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="dW and momentum_W are one array" breaks="training" says="3 passes in batches of 3, momentum 0.9: W of layer 1"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
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


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W *= momentum
            layer.momentum_W += layer.dW
            layer.momentum_b *= momentum
            layer.momentum_b += layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="takes the engine from the book" breaks="engine" says="switched off"
from d2l_utils.engine_parts import Autograd, GradientBuffer, Linear, Operation, ReLU, SoftmaxCrossEntropy, train_epoch
from d2l_utils.engine_parts import Network as MLP

# %% wrong="A.5.5" why="derives from the parts of the book" breaks="engine" says="switched off"
class GradientBuffer(engine_parts.GradientBuffer):
    pass
class Operation(engine_parts.Operation):
    pass
class Autograd(engine_parts.Autograd):
    pass
class Linear(engine_parts.Linear):
    pass
class ReLU(engine_parts.ReLU):
    pass
class SoftmaxCrossEntropy(engine_parts.SoftmaxCrossEntropy):
    pass
class MLP(engine_parts.Network):
    pass
train_epoch = engine_parts.train_epoch

# %% wrong="A.5.5" why="the buffer forgets the first of two gradients" breaks="engine" says="the gradient of a for b = a + a"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
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
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="the buffer is not cleared" breaks="engine" says="in each of three rounds"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
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
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="the gradient goes into a copy of dW" breaks="gradients" says="dW of layer 1"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
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


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="the bias is not summed over the batch" breaks="gradients" says="ValueError"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
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
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="ReLU passes everything back" breaks="gradients" says="dW of layer 1"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * 1.


class Linear:
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
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="a momentum that begins at one" breaks="training" says="W of layer 1"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.ones_like(self.W), np.ones_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="gradients are not set to zero" breaks="training" says="W of layer 1"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
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
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)

# %% wrong="A.5.5" why="weights start at zero" breaks="clothes" says="at least 70 % of others right"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.zeros((out_features, in_features))
        self.b = np.zeros((out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)
