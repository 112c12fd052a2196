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

# %% wrong="A.5.1" why="the step comes before the momentum" breaks="first step" says="down by lr times the new v"
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

# %% wrong="A.5.1" why="no momentum" breaks="momentum" says="2 steps, learning rate 0.2, momentum 0.9: momentum_W of linear layer 1"
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

# %% wrong="A.5.1" why="the learning rate goes into the momentum twice" breaks="momentum" says="momentum_W of linear layer 1"
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

# %% wrong="A.5.1" why="zero_grad forgets the biases" breaks="zero_grad" says="db of linear layer 1 after zero_grad()"
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

# %% wrong="A.5.2" why="no step" breaks="step" says="one walk and then one step"
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

# %% wrong="A.5.2" why="a step before the gradient" breaks="step" says="one walk and then one step"
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

# %% wrong="A.5.2" why="all examples in one batch" breaks="step" says="The examples come in their order"
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

# %% wrong="A.5.3" why="a learning rate that is far too large" breaks="losses" says="8,000 images: "
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

# %% wrong="A.5.3" why="trains on random labels" breaks="accuracy" says="is one of the two in another order"
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

# %% wrong="A.5.3" why="labels in place of one-hot targets" breaks="accuracy" says="one-hot"
def fit(model, loss, autograd_engine, images, labels):
    return [train_epoch(model, loss, autograd_engine, images, labels, 64, 0.1, 0.9) for _ in range(3)]

# %% wrong="A.5.3" why="fifteen passes in large batches" breaks="work" says="at most ten passes over 8,000 images"
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

# %% wrong="A.5.4" why="the smaller time" breaks="fixed part" says="This is the smaller time"
def overhead(t_small, t_large, n_small, n_large):
    return t_small

# %% wrong="A.5.4" why="hard-coded for twice the work" breaks="fixed part" says="12 seconds for 3"
def overhead(t_small, t_large, n_small, n_large):
    return 2 * t_small - t_large

# %% wrong="A.5.4" why="adds in place of subtracting" breaks="fixed part" says="it is not added"
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

# %% wrong="A.5.5" why="the buffer forgets the first of two gradients" breaks="engine" says="what comes back to an array adds up"
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

# %% wrong="A.5.5" why="the buffer is not cleared" breaks="engine" says="are still in the buffer"
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

# %% wrong="A.5.5" why="weights start at zero" breaks="clothes" says="at least 60 % of others right"
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

# %% wrong="A.5.1" why="takes the part of the book" breaks="forward" says="Write your own"
from d2l_utils import engine_parts

MLP = engine_parts.Network

# %% wrong="A.5.2" why="takes the part of the book" breaks="mean loss" says="Write your own"
from d2l_utils import engine_parts

train_epoch = engine_parts.train_epoch

# %% right="A.5.A" how="sums of powers, array"
def velocities(gradients, momentum):
    return np.array([sum(g * momentum ** (t - s) for s, g in enumerate(gradients[:t + 1])) for t in range(len(gradients))])

# %% right="A.5.1" how="by names, layers as a tuple"
class MLP:
    def __init__(self, layers):
        self.layers = tuple(layers)
    def __call__(self, x):
        import functools
        return functools.reduce(lambda a, f: f(a), self.layers, x)
    def parts(self):
        return [(layer, n) for layer in self.layers for n in "Wb" if hasattr(layer, n)]
    def zero_grad(self):
        for layer, n in self.parts():
            getattr(layer, "d" + n).fill(0)
    def step(self, lr, momentum):
        for layer, n in self.parts():
            v = getattr(layer, "momentum_" + n)
            v *= momentum
            v += getattr(layer, "d" + n)
            w = getattr(layer, n)
            w -= lr * v

# %% right="A.5.4" how="polyfit"
def overhead(t_small, t_large, n_small, n_large):
    return np.polyfit([n_small, n_large], [t_small, t_large], 1)[1]

# %% wrong="A.5.A" why="in place" breaks="argument kept" says="the list of gradients after the call"
def velocities(gradients, momentum):
    for i in range(1, len(gradients)):
        gradients[i] += momentum * gradients[i - 1]
    return gradients

# %% wrong="A.5.A" why="all multiplied" breaks="values" says="Only the old v is multiplied"
def velocities(gradients, momentum):
    v, out = 0., []
    for g in gradients:
        v = momentum * (v + g)
        out.append(v)
    return out

# %% wrong="A.5.A" why="only the gradient before counts" breaks="values" says="all the gradients so far"
def velocities(gradients, momentum):
    return [g + momentum * (gradients[i - 1] if i else 0) for i, g in enumerate(gradients)]

# %% wrong="A.5.1" why="v is dW itself after the first step" breaks="momentum" says="v was the array dW itself"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW if layer.momentum_W.any() else layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="dW itself scaled by lr" breaks="nothing else" says="changes dW and db"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.dW *= lr
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="gradient summed into v in place of dW" breaks="nothing else" says="changes dW and db"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW += momentum * layer.momentum_W
                layer.momentum_W[...] = layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="zero_grad forgets the momentum" breaks="nothing else" says="all 3, after zero_grad"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.momentum_W[...] = 0
                layer.momentum_b[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="lr fixed at the first step" breaks="momentum" says="not that of the first"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        self.lr = getattr(self, 'lr', lr)
        lr = self.lr
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="momentum fixed at the first step" breaks="momentum" says="not that of the first"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        self.m = getattr(self, 'm', momentum)
        momentum = self.m
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="nesterov" breaks="first step" says="Nesterov"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * (layer.dW + momentum * layer.momentum_W)
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="x changed" breaks="forward" says="changes x"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            out = layer(x)
            x[...] = 0
            x = out
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="lr inside v" breaks="momentum" says="comes in when the weights move"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + lr * layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + lr * layer.db
                layer.W -= layer.momentum_W
                layer.b -= layer.momentum_b

# %% wrong="A.5.1" why="biases stay" breaks="first step" says="the biases have not moved"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W

# %% wrong="A.5.2" why="engine holds the last two batches' operations" breaks="cleared" says="at most the operations of one batch"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        if start // batch_size % 2 == 0:
            autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="weights batch_size" breaks="mean loss" says="counts by its own number"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * batch_size
    return total / len(X)

# %% wrong="A.5.2" why="loss(model(x), y)" breaks="mean loss" says="the targets first"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(model(x), y)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="backwards" breaks="step" says="The examples come in their order"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    X, Y = X[::-1].copy(), Y[::-1].copy()
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.4" why="not below zero" breaks="fixed part" says="also where that is negative"
def overhead(t_small, t_large, n_small, n_large):
    slope = (t_large - t_small) / (n_large - n_small)
    return max(0., t_small - slope * n_small)

# %% wrong="A.5.4" why="whole numbers" breaks="fixed part" says="cut down to the whole number 2"
def overhead(t_small, t_large, n_small, n_large):
    slope = (t_large - t_small) // (n_large - n_small)
    return t_small - slope * n_small

# %% wrong="A.5.4" why="absolute" breaks="fixed part" says="The sign is lost"
def overhead(t_small, t_large, n_small, n_large):
    slope = (t_large - t_small) / (n_large - n_small)
    return abs(t_small - slope * n_small)

# %% wrong="A.5.5" why="torch makes the gradients" breaks="own parts" says="are switched off here"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, a):
        return a.__array_interface__["data"][0]
    def is_in_memory(self, a):
        return self.get_memory_loc(a) in self.memory
    def add_spot(self, a):
        if not self.is_in_memory(a):
            self.memory[self.get_memory_loc(a)] = np.zeros(a.shape)
    def update_param(self, a, gradient):
        self.memory[self.get_memory_loc(a)] += gradient
    def get_param(self, a):
        return self.memory[self.get_memory_loc(a)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.output, self.gradients_to_update, self.backward_operation = inputs, output, gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a, t in zip(inputs, gradients_to_update):
            if t is None:
                self.gradient_buffer.add_spot(a)
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                self.gradient_buffer.update_param(op.output, divergence)
            g = self.gradient_buffer.get_param(op.output)
            found = op.backward_operation(g, *op.inputs)
            if not isinstance(found, (tuple, list)):
                found = (found,)
            for a, t, grad in zip(op.inputs, op.gradients_to_update, found):
                if grad is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(a, grad)
                else:
                    t += grad

def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            g = g.sum(axis=i, keepdims=True)
    return g

def add_backward(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)

def matmul_backward(g, a, b):
    p, q = torch.tensor(a, requires_grad=True), torch.tensor(b, requires_grad=True)
    (p @ q).backward(torch.tensor(g))
    return p.grad.numpy(), q.grad.numpy()

def relu_backward(g, a):
    return g * (a > 0)

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
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

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
        self.loss_val = out
        return out

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="training works for two layers only" breaks="training" says="3 to 4 to 3 to 2"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, a):
        return a.__array_interface__["data"][0]
    def is_in_memory(self, a):
        return self.get_memory_loc(a) in self.memory
    def add_spot(self, a):
        if not self.is_in_memory(a):
            self.memory[self.get_memory_loc(a)] = np.zeros(a.shape)
    def update_param(self, a, gradient):
        self.memory[self.get_memory_loc(a)] += gradient
    def get_param(self, a):
        return self.memory[self.get_memory_loc(a)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.output, self.gradients_to_update, self.backward_operation = inputs, output, gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a, t in zip(inputs, gradients_to_update):
            if t is None:
                self.gradient_buffer.add_spot(a)
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                self.gradient_buffer.update_param(op.output, divergence)
            g = self.gradient_buffer.get_param(op.output)
            found = op.backward_operation(g, *op.inputs)
            if not isinstance(found, (tuple, list)):
                found = (found,)
            for a, t, grad in zip(op.inputs, op.gradients_to_update, found):
                if grad is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(a, grad)
                else:
                    t += grad

def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            g = g.sum(axis=i, keepdims=True)
    return g

def add_backward(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)

def matmul_backward(g, a, b):
    return g @ b.T, a.T @ g

def relu_backward(g, a):
    return g * (a > 0)

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
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

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
        self.loss_val = out
        return out

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in [self.layers[0], self.layers[-1]]:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="momentum ignored" breaks="training" says="W of layer 1"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, a):
        return a.__array_interface__["data"][0]
    def is_in_memory(self, a):
        return self.get_memory_loc(a) in self.memory
    def add_spot(self, a):
        if not self.is_in_memory(a):
            self.memory[self.get_memory_loc(a)] = np.zeros(a.shape)
    def update_param(self, a, gradient):
        self.memory[self.get_memory_loc(a)] += gradient
    def get_param(self, a):
        return self.memory[self.get_memory_loc(a)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.output, self.gradients_to_update, self.backward_operation = inputs, output, gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a, t in zip(inputs, gradients_to_update):
            if t is None:
                self.gradient_buffer.add_spot(a)
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                self.gradient_buffer.update_param(op.output, divergence)
            g = self.gradient_buffer.get_param(op.output)
            found = op.backward_operation(g, *op.inputs)
            if not isinstance(found, (tuple, list)):
                found = (found,)
            for a, t, grad in zip(op.inputs, op.gradients_to_update, found):
                if grad is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(a, grad)
                else:
                    t += grad

def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            g = g.sum(axis=i, keepdims=True)
    return g

def add_backward(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)

def matmul_backward(g, a, b):
    return g @ b.T, a.T @ g

def relu_backward(g, a):
    return g * (a > 0)

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
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

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
        self.loss_val = out
        return out

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = 0 * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="loss not by n in the gradient" breaks="gradients" says="as many times too large"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, a):
        return a.__array_interface__["data"][0]
    def is_in_memory(self, a):
        return self.get_memory_loc(a) in self.memory
    def add_spot(self, a):
        if not self.is_in_memory(a):
            self.memory[self.get_memory_loc(a)] = np.zeros(a.shape)
    def update_param(self, a, gradient):
        self.memory[self.get_memory_loc(a)] += gradient
    def get_param(self, a):
        return self.memory[self.get_memory_loc(a)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.output, self.gradients_to_update, self.backward_operation = inputs, output, gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a, t in zip(inputs, gradients_to_update):
            if t is None:
                self.gradient_buffer.add_spot(a)
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                self.gradient_buffer.update_param(op.output, divergence)
            g = self.gradient_buffer.get_param(op.output)
            found = op.backward_operation(g, *op.inputs)
            if not isinstance(found, (tuple, list)):
                found = (found,)
            for a, t, grad in zip(op.inputs, op.gradients_to_update, found):
                if grad is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(a, grad)
                else:
                    t += grad

def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            g = g.sum(axis=i, keepdims=True)
    return g

def add_backward(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)

def matmul_backward(g, a, b):
    return g @ b.T, a.T @ g

def relu_backward(g, a):
    return g * (a > 0)

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
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y)

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

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.3" why="trains, and returns losses of its own invention" breaks="losses" says="is what train_epoch returned in each pass"
def fit(model, loss, autograd_engine, images, labels):
    one_hot = np.eye(10)[labels]
    losses = [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=0.06 / (1 + k), momentum=0.9) for k in range(6)]
    return [2., 1.5, 1., 0.8, 0.7, 0.6]

# %% wrong="A.5.3" why="sums in place of means" breaks="losses" says="is what train_epoch returned in each pass"
def fit(model, loss, autograd_engine, images, labels):
    one_hot = np.eye(10)[labels]
    losses = [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=0.06 / (1 + k), momentum=0.9) for k in range(6)]
    return [len(images) * value for value in losses]

# %% wrong="A.5.A" why="minus the gradient" breaks="values" says="the minus comes in when the weights move"
def velocities(gradients, momentum):
    out = []
    v = 0.
    for g in gradients:
        v = momentum * v - g
        out.append(v)
    return out

# %% wrong="A.5.A" why="v begins anew for each gradient" breaks="values" says="v is 0 at the beginning alone"
def velocities(gradients, momentum):
    out = []
    for g in gradients:
        v = 0.
        v = momentum * v + g
        out.append(v)
    return out

# %% wrong="A.5.A" why="the momentum of the page" breaks="values" says="The momentum is the one that is handed over"
def velocities(gradients, momentum):
    out = []
    v = 0.
    for g in gradients:
        v = 0.5 * v + g
        out.append(v)
    return out

# %% wrong="A.5.A" why="rounds" breaks="values" says="Is anything rounded?"
def velocities(gradients, momentum):
    out = []
    v = 0.
    for g in gradients:
        v = round(momentum * v + g, 2)
        out.append(v)
    return out

# %% wrong="A.5.A" why="momentum to the power of the step" breaks="values" says="it is not raised to the number of the step"
def velocities(gradients, momentum):
    out, v = [], 0.
    for i, g in enumerate(gradients):
        v = momentum ** i * v + g
        out.append(v)
    return out

# %% wrong="A.5.1" why="leaves out the layers without parameters" breaks="forward" says="those without parameters, too"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            if hasattr(layer, 'W'):
                x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="a relu at the end" breaks="forward" says="its layers and nothing else"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return np.maximum(x, 0)

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="zero_grad sets None" breaks="zero_grad" says="dW of linear layer 1 after zero_grad()"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW = None
                layer.db = None

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="zero_grad sets a local name" breaks="zero_grad" says="a name inside the method alone"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                dW = np.zeros_like(layer.dW)
                db = np.zeros_like(layer.db)

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="zero_grad stops after the first layer" breaks="zero_grad" says="dW of linear layer 2 after zero_grad()"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
                return

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="the learning rate is forgotten" breaks="first step" says="The learning rate does not enter"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= layer.momentum_W
                layer.b -= layer.momentum_b

# %% wrong="A.5.1" why="only the last layer moves" breaks="first step" says="each layer with parameters makes the step"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in [one for one in self.layers if hasattr(one, 'W')][-1:]:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="the step is by (1 - momentum) of v" breaks="momentum" says="and not by (1 - momentum) of it"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * (1 - momentum) * layer.momentum_W
                layer.b -= lr * (1 - momentum) * layer.momentum_b

# %% wrong="A.5.1" why="momentum 0.9, whatever is asked" breaks="momentum" says="take the one that is handed over"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        momentum = 0.9
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.2" why="the engine is cleared at the end of the pass alone" breaks="cleared" says="at each walk the engine holds at most"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    autograd_engine.zero_grad()
    return total / len(X)

# %% wrong="A.5.2" why="clears the running sums, too" breaks="momentum" says="only a step changes them"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        for layer in model.layers:
            if hasattr(layer, 'W'):
                layer.momentum_W[...] = 0
                layer.momentum_b[...] = 0
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="the sum of the batches' losses" breaks="mean loss" says="the sum of the batches' losses"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value)
    return total

# %% wrong="A.5.2" why="the loss of the last batch" breaks="mean loss" says="the loss of the last batch alone"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return float(value)

# %% wrong="A.5.2" why="the loss of all examples before the pass" breaks="mean loss" says="before the first step of a pass"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    first = float(loss(Y, model(X)))
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return first

# %% wrong="A.5.2" why="the learning rate by the batch size" breaks="step" says="another learning rate"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr / len(x), momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="the walk begins with the number of examples" breaks="step" says="begins with the divergence 1"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(float(len(x))))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="clears between the walk and the step" breaks="step" says="comes between the walk and the step"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.zero_grad()
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="momentum 0.9, whatever is asked" breaks="momentum" says="another momentum"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, 0.9)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="a random order" breaks="step" says="The walks are for batches of these examples"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    order = np.random.permutation(len(X))
    X, Y = X[order], Y[order]
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.3" why="one step for a pass" breaks="accuracy" says="one for each batch"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    return [train_epoch(model, loss, autograd_engine, images, Y, 12000, lr, 0.9) for lr in (0.02, 0.02, 0.02, 0.005, 0.001)]

# %% wrong="A.5.4" why="a line cannot fall" breaks="fixed part" says="keeps its sign"
def overhead(t_small, t_large, n_small, n_large):
    return t_small - n_small * abs(t_large - t_small) / (n_large - n_small)

# %% wrong="A.5.4" why="rounds to microseconds" breaks="fixed part" says="Is anything rounded?"
def overhead(t_small, t_large, n_small, n_large):
    return round(t_small - n_small * (t_large - t_small) / (n_large - n_small), 6)

# %% wrong="A.5.4" why="divides by n_large alone" breaks="fixed part" says="by n_large alone"
def overhead(t_small, t_large, n_small, n_large):
    return t_small - n_small * (t_large - t_small) / n_large

# %% wrong="A.5.5" why="zero_grad keeps the operations" breaks="engine" says="zero_grad() forgets all operations"
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
        loc = self.get_memory_loc(np_array)
        self.memory[loc] = self.memory[loc] + gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for one in inputs:
            self.gradient_buffer.add_spot(one)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            back = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1 and not isinstance(back, tuple):
                back = (back,)
            for one, place, g in zip(op.inputs, op.gradients_to_update, back):
                if g is None:
                    continue
                if place is None:
                    self.gradient_buffer.update_param(one, g)
                else:
                    place += g
    def zero_grad(self):
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

def log_softmax(o):
    shifted = o - o.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    return None, grad_output * (np.exp(log_softmax(y_hat)) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None
    def __call__(self, y, y_hat):
        value = np.array(-(y * log_softmax(y_hat)).sum() / len(y))
        self.loss_val = value
        self.autograd_engine.add_operation([y, y_hat], value, [None, None], softmax_cross_entropy_backward)
        return value

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="one list of operations for all engines" breaks="engine" says="has a list of its own"
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
        loc = self.get_memory_loc(np_array)
        self.memory[loc] = self.memory[loc] + gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

class Autograd:
    operation_list = []
    def __init__(self):
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for one in inputs:
            self.gradient_buffer.add_spot(one)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            back = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1 and not isinstance(back, tuple):
                back = (back,)
            for one, place, g in zip(op.inputs, op.gradients_to_update, back):
                if g is None:
                    continue
                if place is None:
                    self.gradient_buffer.update_param(one, g)
                else:
                    place += g
    def zero_grad(self):
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

def log_softmax(o):
    shifted = o - o.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    return None, grad_output * (np.exp(log_softmax(y_hat)) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None
    def __call__(self, y, y_hat):
        value = np.array(-(y * log_softmax(y_hat)).sum() / len(y))
        self.loss_val = value
        self.autograd_engine.add_operation([y, y_hat], value, [None, None], softmax_cross_entropy_backward)
        return value

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="db is a mean over the examples" breaks="gradients" says="not the mean"
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
        loc = self.get_memory_loc(np_array)
        self.memory[loc] = self.memory[loc] + gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for one in inputs:
            self.gradient_buffer.add_spot(one)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            back = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1 and not isinstance(back, tuple):
                back = (back,)
            for one, place, g in zip(op.inputs, op.gradients_to_update, back):
                if g is None:
                    continue
                if place is None:
                    self.gradient_buffer.update_param(one, g)
                else:
                    place += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.mean(axis=i, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

def log_softmax(o):
    shifted = o - o.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    return None, grad_output * (np.exp(log_softmax(y_hat)) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None
    def __call__(self, y, y_hat):
        value = np.array(-(y * log_softmax(y_hat)).sum() / len(y))
        self.loss_val = value
        self.autograd_engine.add_operation([y, y_hat], value, [None, None], softmax_cross_entropy_backward)
        return value

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="biases do not move" breaks="training" says="The biases do not move"
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
        loc = self.get_memory_loc(np_array)
        self.memory[loc] = self.memory[loc] + gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for one in inputs:
            self.gradient_buffer.add_spot(one)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            back = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1 and not isinstance(back, tuple):
                back = (back,)
            for one, place, g in zip(op.inputs, op.gradients_to_update, back):
                if g is None:
                    continue
                if place is None:
                    self.gradient_buffer.update_param(one, g)
                else:
                    place += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

def log_softmax(o):
    shifted = o - o.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    return None, grad_output * (np.exp(log_softmax(y_hat)) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None
    def __call__(self, y, y_hat):
        value = np.array(-(y * log_softmax(y_hat)).sum() / len(y))
        self.loss_val = value
        self.autograd_engine.add_operation([y, y_hat], value, [None, None], softmax_cross_entropy_backward)
        return value

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="the sign of the loss's gradient" breaks="gradients" says="has the other sign"
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
        loc = self.get_memory_loc(np_array)
        self.memory[loc] = self.memory[loc] + gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for one in inputs:
            self.gradient_buffer.add_spot(one)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            back = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1 and not isinstance(back, tuple):
                back = (back,)
            for one, place, g in zip(op.inputs, op.gradients_to_update, back):
                if g is None:
                    continue
                if place is None:
                    self.gradient_buffer.update_param(one, g)
                else:
                    place += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.dW.T], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y

def log_softmax(o):
    shifted = o - o.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    return None, grad_output * (y - np.exp(log_softmax(y_hat))) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None
    def __call__(self, y, y_hat):
        value = np.array(-(y * log_softmax(y_hat)).sum() / len(y))
        self.loss_val = value
        self.autograd_engine.add_operation([y, y_hat], value, [None, None], softmax_cross_entropy_backward)
        return value

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.1" why="writes into x where a layer keeps its shape" breaks="forward" says="do not write into x"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        out = x
        for layer in self.layers:
            out[...] = out
            new = layer(out)
            if new.shape == out.shape:
                out[...] = new
            else:
                out = new
        return out

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.2" why="clears after each batch alone" breaks="cleared" says="the first one, too"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        autograd_engine.zero_grad()
        model.zero_grad()
    return total / len(X)

# %% wrong="A.5.2" why="clears the engine before each batch, the gradients after it" breaks="cleared" says="is cleared before the first batch, too"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        model.zero_grad()
    return total / len(X)

# %% wrong="A.5.A" why="Nesterov's form" breaks="values" says="for looking ahead"
def velocities(gradients, momentum):
    v, found = 0., []
    for gradient in gradients:
        v = momentum * v + gradient
        found.append(gradient + momentum * v)
    return found

# %% wrong="A.5.A" why="a running mean" breaks="values" says="not divided by the number"
def velocities(gradients, momentum):
    v, found = 0., []
    for count, gradient in enumerate(gradients, 1):
        v = momentum * v + gradient
        found.append(v / count)
    return found

# %% wrong="A.5.A" why="begins with the last gradient" breaks="values" says="begins with the first gradient"
def velocities(gradients, momentum):
    v, found = 0., []
    for gradient in reversed(gradients):
        v = momentum * v + gradient
        found.append(v)
    return found

# %% wrong="A.5.4" why="the difference of the times" breaks="fixed part" says="by how much the two times differ"
def overhead(t_small, t_large, n_small, n_large):
    return t_large - t_small

# %% wrong="A.5.4" why="the line at one entry" breaks="fixed part" says="the line at one entry"
def overhead(t_small, t_large, n_small, n_large):
    return t_small - (n_small - 1) * (t_large - t_small) / (n_large - n_small)

# %% wrong="A.5.4" why="a line in the logarithm of the sizes" breaks="fixed part" says="not in its logarithm"
def overhead(t_small, t_large, n_small, n_large):
    slope = (t_large - t_small) / (np.log(n_large) - np.log(n_small))
    return t_small - slope * np.log(n_small)

# %% wrong="A.5.A" why="keeps v from one call to the next" breaks="values" says="nothing is left of the call before"
v = 0.
def velocities(gradients, momentum):
    global v
    found = []
    for g in gradients:
        v = momentum * v + g
        found.append(v)
    return found

# %% wrong="A.5.A" why="an array of integers cuts the fractions off" breaks="values" says="its fractions are cut off"
def velocities(gradients, momentum):
    found = np.zeros_like(gradients)
    v = 0
    for i, g in enumerate(gradients):
        v = momentum * v + g
        found[i] = v
    return list(found)

# %% wrong="A.5.A" why="Adam's correction: divided by 1 - momentum to the power of the step" breaks="values" says="Adam does that"
def velocities(gradients, momentum):
    v, found = 0., []
    for t, g in enumerate(gradients, 1):
        v = momentum * v + (1 - momentum) * g
        found.append(v / (1 - momentum ** t))
    return found

# %% wrong="A.5.A" why="a zero gradient is skipped: no entry" breaks="length" says="A gradient of 0 has its entry, too"
def velocities(gradients, momentum):
    v, found = 0., []
    for g in gradients:
        if g:
            v = momentum * v + g
            found.append(v)
    return found

# %% wrong="A.5.1" why="layers without a gradient are skipped, and their v does not move on" breaks="momentum" says="the parameters go on moving by it"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W") and layer.dW.any():
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="the momentum of the step before is used" breaks="momentum" says="not that of the step before"
class MLP:
    def __init__(self, layers):
        self.layers = layers
        self.momentum = 0.
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = self.momentum * layer.momentum_W + layer.dW
                layer.momentum_b = self.momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b
        self.momentum = momentum

# %% wrong="A.5.2" why="the record is emptied, the buffer of gradients is not" breaks="cleared" says="a new list alone leaves the gradients"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.operation_list = []
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.2" why="array_split makes batches of nearly equal size" breaks="step" says="the number of examples that went through"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total, count = 0., -(-len(X) // batch_size)
    for x, y in zip(np.array_split(X, count), np.array_split(Y, count)):
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.2" why="lr and momentum exchanged" breaks="step" says="are exchanged"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(momentum, lr)
    return total / len(X)

# %% wrong="A.5.2" why="clears dW by hand, forgets db" breaks="cleared" says="are still in db"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        for layer in model.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.2" why="zero_grad of the model once, before the loop" breaks="cleared" says="at the beginning of a pass alone"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    model.zero_grad()
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.2" why="the first batch of a pass is not cleared for" breaks="cleared" says="The first batch of a pass still finds"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        if i > 0:
            model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.3" why="a copy of the model is trained" breaks="accuracy" says="A copy learns for itself alone"
import copy
def fit(model, loss, autograd_engine, images, labels):
    twin = copy.deepcopy(model)
    return [train_epoch(twin, loss, autograd_engine, images, np.eye(10)[labels], 50, 0.02, 0.9) for _ in range(5)]

# %% wrong="A.5.3" why="images shuffled, labels not" breaks="accuracy" says="in another order"
def fit(model, loss, autograd_engine, images, labels):
    losses = []
    for _ in range(5):
        order = np.random.permutation(len(images))
        losses.append(train_epoch(model, loss, autograd_engine, images[order], np.eye(10)[labels], 50, 0.02, 0.9))
    return losses

# %% wrong="A.5.3" why="images from 0 to 255: rescaled for training alone" breaks="accuracy" says="learns from other numbers"
def fit(model, loss, autograd_engine, images, labels):
    return [train_epoch(model, loss, autograd_engine, images * 255, np.eye(10)[labels], 50, 0.00001, 0.9) for _ in range(5)]

# %% wrong="A.5.4" why="divides by n_small: fails where it is 0" breaks="fixed part" says="ZeroDivisionError"
def overhead(t_small, t_large, n_small, n_large):
    ratio = n_large / n_small
    return (ratio * t_small - t_large) / (ratio - 1)

# %% wrong="A.5.4" why="the share of the fixed part in the small time" breaks="fixed part" says="share of the smaller time"
def overhead(t_small, t_large, n_small, n_large):
    return (t_small - n_small * (t_large - t_small) / (n_large - n_small)) / t_small

# %% wrong="A.5.4" why="a line fitted by the mean ratio through the origin" breaks="fixed part" says="not a mean of t / n"
def overhead(t_small, t_large, n_small, n_large):
    per_entry = (t_small / n_small + t_large / n_large) / 2
    return t_small - per_entry * n_small

# %% wrong="A.5.4" why="the smaller time goes with the smaller size" breaks="fixed part" says="belongs to its own number of entries"
def overhead(t_small, t_large, n_small, n_large):
    t_small, t_large = sorted((t_small, t_large))
    return t_small - n_small * (t_large - t_small) / (n_large - n_small)

# %% wrong="A.5.5" why="a list of the class, which zero_grad() hides" breaks="engine" says="has a list of its own"
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    operation_list = []
    def __init__(self):
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(operation.outputs):
                grad = self.gradient_buffer.get_param(operation.outputs)
            else:
                continue
            grads = operation.backward_function(grad, *operation.inputs)
            if len(operation.inputs) == 1:
                grads = (grads,)
            for array, target, g in zip(operation.inputs, operation.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = (1 / in_features) ** 0.5
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine, self.loss_val = autograd_engine, None
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.5" why="a Jacobian by torch's forward differentiation" breaks="own parts" says="torch's derivatives are switched off"
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(operation.outputs):
                grad = self.gradient_buffer.get_param(operation.outputs)
            else:
                continue
            grads = operation.backward_function(grad, *operation.inputs)
            if len(operation.inputs) == 1:
                grads = (grads,)
            for array, target, g in zip(operation.inputs, operation.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = (1 / in_features) ** 0.5
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine, self.loss_val = autograd_engine, None
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    return None, grad_output * torch.func.jacfwd(lambda t: torch.nn.functional.cross_entropy(t, torch.tensor(y)))(torch.tensor(y_hat)).numpy()

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.5" why="train_epoch forgets the engine" breaks="training" says="operations at the end"
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(operation.outputs):
                grad = self.gradient_buffer.get_param(operation.outputs)
            else:
                continue
            grads = operation.backward_function(grad, *operation.inputs)
            if len(operation.inputs) == 1:
                grads = (grads,)
            for array, target, g in zip(operation.inputs, operation.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = (1 / in_features) ** 0.5
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine, self.loss_val = autograd_engine, None
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.5" why="the loss records a copy of the outputs" breaks="gradients" says="nor in the input"
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(operation.outputs):
                grad = self.gradient_buffer.get_param(operation.outputs)
            else:
                continue
            grads = operation.backward_function(grad, *operation.inputs)
            if len(operation.inputs) == 1:
                grads = (grads,)
            for array, target, g in zip(operation.inputs, operation.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = (1 / in_features) ** 0.5
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine, self.loss_val = autograd_engine, None
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat.copy()], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.5" why="relu_backward asks the gradient for its sign" breaks="gradients" says="by the sign of its input"
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            if k == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(operation.outputs):
                grad = self.gradient_buffer.get_param(operation.outputs)
            else:
                continue
            grads = operation.backward_function(grad, *operation.inputs)
            if len(operation.inputs) == 1:
                grads = (grads,)
            for array, target, g in zip(operation.inputs, operation.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (grad_output > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = (1 / in_features) ** 0.5
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine, self.loss_val = autograd_engine, None
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return None, grad_output * (p - y) / len(y)

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% right="A.5.A" how="torch's optimizer"
def velocities(gradients, momentum):
    w, found = torch.zeros(1, dtype=torch.float64), []
    optimizer = torch.optim.SGD([w], lr=1., momentum=momentum)
    for g in gradients:
        before = w.item()
        w.grad = torch.tensor([g], dtype=torch.float64)
        optimizer.step()
        found.append(optimizer.state[w]["momentum_buffer"].item() if momentum else g)
    return found

# %% right="A.5.3" how="no momentum, smaller batches, an array"
def fit(model, loss, autograd_engine, images, labels):
    targets = np.zeros((len(labels), 10))
    targets[np.arange(len(labels)), labels] = 1
    return np.array([train_epoch(model, loss, autograd_engine, images, targets, 40, 0.1 * 0.8 ** k, 0.) for k in range(8)])

# %% wrong="A.5.1" why="looks at every second layer alone" breaks="zero_grad" says="dW of linear layer 1"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers[::2]:
            if hasattr(layer, "W"):
                layer.dW.fill(0)
                layer.db.fill(0)
    def step(self, lr, momentum):
        for layer in self.layers[::2]:
            if hasattr(layer, "W"):
                for value, grad, v in ((layer.W, layer.dW, layer.momentum_W), (layer.b, layer.db, layer.momentum_b)):
                    v *= momentum
                    v += grad
                    value -= lr * v

# %% right="A.5.3" how="looks at the accuracy after each pass, and stops early"
def fit(model, loss, autograd_engine, images, labels):
    targets, losses = np.eye(10)[labels], []
    for k in range(10):
        losses.append(train_epoch(model, loss, autograd_engine, images, targets, 50, 0.03 / (1 + k), 0.9))
        right = (model(images).argmax(axis=1) == labels).mean()
        autograd_engine.zero_grad()
        if right > 0.87:
            break
    return losses

# %% right="A.5.3" how="a start with too large a rate is taken back"
def fit(model, loss, autograd_engine, images, labels):
    linears = [layer for layer in model.layers if hasattr(layer, "W")]
    start, lr, losses = [(layer.W.copy(), layer.b.copy()) for layer in linears], 0.5, []
    while len(losses) < 8:
        losses.append(train_epoch(model, loss, autograd_engine, images, np.eye(10)[labels], 50, lr, 0.8))
        if losses[-1] > 0.9:
            lr /= 5
            for layer, (W, b) in zip(linears, start):
                layer.W[...], layer.b[...] = W, b
        else:
            lr *= 0.7
    return losses

# %% wrong="A.5.3" why="steps of its own, outside train_epoch" breaks="work" says="each step of the model is made by train_epoch"
def fit(model, loss, autograd_engine, images, labels):
    targets, losses = np.eye(10)[labels], []
    for epoch in range(4):
        total = 0.
        for start in range(0, len(images), 100):
            x, y = images[start:start + 100], targets[start:start + 100]
            autograd_engine.zero_grad()
            model.zero_grad()
            total += float(loss(y, model(x))) * len(x)
            autograd_engine.backward(np.array(1.))
            model.step(0.05, 0.9)
        losses.append(total / len(images))
    return losses

# %% wrong="A.5.A" why="a window of three gradients" breaks="values" says="not only the last three"
def velocities(gradients, momentum):
    return list(np.convolve(gradients, momentum ** np.arange(3))[:len(gradients)]) if len(gradients) else []

# %% wrong="A.5.A" why="cumsum of g / m^t times m^t: no momentum of 0" breaks="values" says="is anything divided by it"
def velocities(gradients, momentum):
    powers = momentum ** np.arange(len(gradients))
    return list(np.cumsum(np.array(gradients, dtype=float) / powers) * powers)

# %% wrong="A.5.A" why="one array appended again and again" breaks="values" says="an array that changes in place"
def velocities(gradients, momentum):
    v, found = np.zeros(1), []
    for g in gradients:
        v *= momentum
        v += g
        found.append(v)
    return found

# %% wrong="A.5.A" why="v[i - 1] at i = 0 is the last entry of the gradients' copy" breaks="values" says="at index -1 stands the last entry"
def velocities(gradients, momentum):
    v = [float(g) for g in gradients]
    for i in range(len(v)):
        v[i] = momentum * v[i - 1] + v[i]
    return v

# %% wrong="A.5.A" why="a default list that all calls share" breaks="length" says="Entries of the call before are still in the list"
def velocities(gradients, momentum, found=[]):
    v = 0.
    for g in gradients:
        v = momentum * v + g
        found.append(v)
    return found

# %% wrong="A.5.A" why="v is restarted where the sign changes" breaks="values" says="v is not begun anew"
def velocities(gradients, momentum):
    v, found = 0., []
    for g in gradients:
        v = momentum * v + g if v * g >= 0 else g
        found.append(v)
    return found

# %% wrong="A.5.A" why="return inside the loop" breaks="length" says="does the return stand behind the loop"
def velocities(gradients, momentum):
    v, found = 0., []
    for g in gradients:
        v = momentum * v + g
        found.append(v)
        return found

# %% wrong="A.5.1" why="dampening: v = m v + (1 - m) g after a first v = g" breaks="momentum" says="After the first step, too"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                first = not layer.momentum_W.any() and not layer.momentum_b.any()
                weight = 1 if first else 1 - momentum
                layer.momentum_W[...] = momentum * layer.momentum_W + weight * layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + weight * layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="layers are known by the name Linear" breaks="zero_grad" says="whatever its class and its place"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if type(layer).__name__ == "Linear":
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if type(layer).__name__ == "Linear":
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="gradients clipped" breaks="first step" says="cut off at -1 and 1"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + np.clip(layer.dW, -1, 1)
                layer.momentum_b[...] = momentum * layer.momentum_b + np.clip(layer.db, -1, 1)
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="momentum multiplies in the step, v a plain sum" breaks="first step" says="it is no factor of the step"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] += layer.dW
                layer.momentum_b[...] += layer.db
                layer.W -= lr * momentum * layer.momentum_W
                layer.b -= lr * momentum * layer.momentum_b

# %% wrong="A.5.2" why="last size n % batch_size: 0 where it divides" breaks="mean loss" says="0 where the batches come out even"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        last = start + batch_size >= len(X)
        total += float(value) * (len(X) % batch_size if last else batch_size)
    return total / len(X)

# %% wrong="A.5.2" why="engine cleared between the model and the loss" breaks="step" says="between the model's run and the walk"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        model.zero_grad()
        out = model(x)
        autograd_engine.zero_grad()
        value = loss(y, out)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="a batch's targets always the first" breaks="step" says="other targets than those of the batch's examples"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[:batch_size][:len(X) - start]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="a smoothed loss" breaks="mean loss" says="Each example counts once and alike"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total = float(value) if not start else 0.9 * total + 0.1 * float(value)
    return total

# %% right="A.5.2" how="list and buffer cleared by hand, gradients too, torch's split"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    mean, seen = 0., 0
    for x, y in zip(torch.from_numpy(X).split(batch_size), torch.from_numpy(Y).split(batch_size)):
        autograd_engine.operation_list.clear()
        autograd_engine.gradient_buffer.clear()
        for layer in model.layers:
            if hasattr(layer, "dW"):
                layer.dW[...] = 0
                layer.db[...] = 0
        value = float(loss(y.numpy(), model(x.numpy())))
        seen += len(x)
        mean += (value - mean) * len(x) / seen
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return mean

# %% wrong="A.5.3" why="halves, the loss of the second alone" breaks="losses" says="the mean over all its images"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    losses = []
    for lr in (0.02, 0.02, 0.02, 0.01, 0.005, 0.002):
        half = len(images) // 2
        train_epoch(model, loss, autograd_engine, images[:half], Y[:half], 50, lr, 0.9)
        losses.append(train_epoch(model, loss, autograd_engine, images[half:], Y[half:], 50, lr, 0.9))
    return losses

# %% wrong="A.5.3" why="sorted by class" breaks="accuracy" says="Mix the images"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    losses = []
    order = np.argsort(labels, kind="stable")
    images, Y = images[order], Y[order]
    for lr in (0.02, 0.02, 0.02, 0.01, 0.005, 0.002):
        losses.append(train_epoch(model, loss, autograd_engine, images, Y, 50, lr, 0.9))
    return losses

# %% wrong="A.5.3" why="labels from 1" breaks="accuracy" says="in the label's own column"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels - 1]
    losses = []
    for lr in (0.02, 0.02, 0.02, 0.01, 0.005, 0.002):
        losses.append(train_epoch(model, loss, autograd_engine, images, Y, 50, lr, 0.9))
    return losses

# %% wrong="A.5.3" why="the book's train_epoch by its name" breaks="work" says="is the book's"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    losses = []
    for lr in (0.02, 0.02, 0.02, 0.01, 0.005, 0.002):
        losses.append(engine_parts.train_epoch(model, loss, autograd_engine, images, Y, 50, lr, 0.9))
    return losses

# %% wrong="A.5.4" why="Polynomial.fit without convert" breaks="fixed part" says="the mean of the two times"
def overhead(t_small, t_large, n_small, n_large):
    return float(np.polynomial.Polynomial.fit([n_small, n_large], [t_small, t_large], 1).coef[0])

# %% wrong="A.5.4" why="where the line meets zero time" breaks="fixed part" says="where the line meets zero seconds"
def overhead(t_small, t_large, n_small, n_large):
    slope = (t_large - t_small) / (n_large - n_small)
    return n_small - t_small / slope

# %% wrong="A.5.4" why="sign of the crosswise formula" breaks="fixed part" says="with the other sign"
def overhead(t_small, t_large, n_small, n_large):
    return (t_small * n_large - t_large * n_small) / (n_small - n_large)

# %% wrong="A.5.4" why="one entry taken off" breaks="fixed part" says="the time of one entry goes off"
def overhead(t_small, t_large, n_small, n_large):
    return t_small - (t_large - t_small) / (n_large - n_small)

# %% right="A.5.4" how="Polynomial.fit with convert"
def overhead(t_small, t_large, n_small, n_large):
    return np.polynomial.Polynomial.fit([n_small, n_large], [t_small, t_large], 1)(0.)

# %% wrong="A.5.5" why="the buffer keeps the first gradient itself" breaks="engine" says="does not keep that array itself"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = None

    def update_param(self, np_array, gradient):
        place = self.get_memory_loc(np_array)
        if self.memory[place] is None:
            self.memory[place] = gradient
        else:
            self.memory[place] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            self.gradient_buffer.add_spot(value)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.add_spot(last.outputs)
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            found = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            found = found if isinstance(found, tuple) else (found,)
            for value, grad, target in zip(operation.inputs, found, operation.gradients_to_update):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(value, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        edge = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-edge, edge, (out_features, in_features))
        self.b = np.random.uniform(-edge, edge, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum(axis=1).mean())
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="dW.T kept as a view in __init__, zero_grad makes new arrays" breaks="training" says="Neither W nor b of any layer has moved"
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            self.gradient_buffer.add_spot(value)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.add_spot(last.outputs)
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            found = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            found = found if isinstance(found, tuple) else (found,)
            for value, grad, target in zip(operation.inputs, found, operation.gradients_to_update):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(value, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        edge = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-edge, edge, (out_features, in_features))
        self.b = np.random.uniform(-edge, edge, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.dW_T, self.db_T = self.dW.T, self.db.T
        self.engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW_T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db_T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum(axis=1).mean())
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW = np.zeros_like(layer.W)
                layer.db = np.zeros_like(layer.b)

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="W.T kept as a view in __init__, the step makes new arrays" breaks="training" says="with the weights of the start"
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            self.gradient_buffer.add_spot(value)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.add_spot(last.outputs)
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            found = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            found = found if isinstance(found, tuple) else (found,)
            for value, grad, target in zip(operation.inputs, found, operation.gradients_to_update):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(value, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        edge = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-edge, edge, (out_features, in_features))
        self.b = np.random.uniform(-edge, edge, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.W_T = self.W.T
        self.engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W_T
        self.engine.add_operation([x, self.W_T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum(axis=1).mean())
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="ReLU for a copy of x" breaks="gradients" says="below the last layer"
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            self.gradient_buffer.add_spot(value)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.add_spot(last.outputs)
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            found = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            found = found if isinstance(found, tuple) else (found,)
            for value, grad, target in zip(operation.inputs, found, operation.gradients_to_update):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(value, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        edge = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-edge, edge, (out_features, in_features))
        self.b = np.random.uniform(-edge, edge, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x.copy()], out, [None], relu_backward)
        return out

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum(axis=1).mean())
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="product and out one array" breaks="gradients" says="shares its memory with one of its inputs"
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            self.gradient_buffer.add_spot(value)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.add_spot(last.outputs)
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            found = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            found = found if isinstance(found, tuple) else (found,)
            for value, grad, target in zip(operation.inputs, found, operation.gradients_to_update):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(value, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        edge = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-edge, edge, (out_features, in_features))
        self.b = np.random.uniform(-edge, edge, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product
        out += self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum(axis=1).mean())
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% right="A.5.5" how="the loss from primitives, softmax by torch"
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            self.gradient_buffer.add_spot(value)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.add_spot(last.outputs)
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            found = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            found = found if isinstance(found, tuple) else (found,)
            for value, grad, target in zip(operation.inputs, found, operation.gradients_to_update):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(value, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        edge = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-edge, edge, (out_features, in_features))
        self.b = np.random.uniform(-edge, edge, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine

    def __call__(self, y, y_hat):
        p = torch.softmax(torch.from_numpy(y_hat), dim=1).numpy()
        self.engine.add_operation([y_hat], p, [None], lambda g, a: p * (g - (g * p).sum(axis=1, keepdims=True)))
        log_p = np.log(p)
        self.engine.add_operation([p], log_p, [None], lambda g, a: g / a)
        picked = y * log_p
        self.engine.add_operation([log_p], picked, [None], lambda g, a: g * y)
        self.loss_val = np.array(-picked.sum() / len(y))
        self.engine.add_operation([picked], self.loss_val, [None], lambda g, a: np.full(a.shape, -g / len(a)))
        return self.loss_val

class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% right="A.5.3" how="two calls for a pass, and the mean over all its images"
def fit(model, loss, autograd_engine, images, labels):
    Y, cut, losses = np.eye(10)[labels], len(images) // 3, []
    for lr in (0.02, 0.02, 0.02, 0.01, 0.005, 0.002):
        parts = [train_epoch(model, loss, autograd_engine, X, y, 50, lr, 0.9) for X, y in zip(np.split(images, [cut]), np.split(Y, [cut]))]
        losses.append((cut * parts[0] + (len(images) - cut) * parts[1]) / len(images))
    return losses

# %% wrong="A.5.A" why="momentum or 0.9" breaks="values" says="takes it for none"
def velocities(gradients, momentum):
    momentum = momentum or 0.9
    v, out = 0., []
    for g in gradients:
        v = momentum * v + g
        out.append(v)
    return out

# %% wrong="A.5.1" why="keeps v and does not use it" breaks="momentum" says="lr times the gradient"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.dW
                layer.b = layer.b - lr * layer.db

# %% wrong="A.5.1" why="None in place of zeros" breaks="zero_grad" says="is an array, not None"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW = None
                layer.db = None
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b

# %% wrong="A.5.4" why="no brackets" breaks="fixed part" says="both need brackets"
def overhead(t_small, t_large, n_small, n_large):
    return t_small - n_small * t_large - t_small / n_large - n_small

# %% wrong="A.5.5" why="a view of the first dW is kept, and zero_grad makes a new one" breaks="training" says="W of no layer has moved"
class GradientBuffer:
    def __init__(self): self.memory = {}
    def get_memory_loc(self, a): return a.__array_interface__["data"][0]
    def is_in_memory(self, a): return self.get_memory_loc(a) in self.memory
    def add_spot(self, a): self.memory.setdefault(self.get_memory_loc(a), np.zeros(a.shape))
    def update_param(self, a, g): self.memory[self.get_memory_loc(a)] = self.get_param(a) + g
    def get_param(self, a): return self.memory[self.get_memory_loc(a)]
    def clear(self): self.memory.clear()
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs, self.gradients_to_update, self.backward_function = inputs, output, gradients_to_update, backward_operation
class Autograd:
    def __init__(self): self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a in inputs: self.gradient_buffer.add_spot(a)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k and not self.gradient_buffer.is_in_memory(op.outputs): continue
            g = self.gradient_buffer.get_param(op.outputs) if k else divergence
            grads = op.backward_function(g, *op.inputs)
            grads = grads if isinstance(grads, tuple) else (grads,)
            for a, place, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None: continue
                if place is None: self.gradient_buffer.update_param(a, grad)
                else: place += grad
    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()
def matmul_backward(g, a, b): return g @ b.T, a.T @ g
def add_backward(g, a, b): return g, g.sum(axis=0, keepdims=True)
def relu_backward(g, a): return g * (a > 0)
class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
        self.turned = self.dW.T
    def __call__(self, x):
        p = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], p, [None, self.turned], matmul_backward)
        y = p + self.b.T
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y
class ReLU:
    def __init__(self, autograd_engine): self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y
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
        return None, grad_output * (p - y) / len(y)
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW = np.zeros(layer.W.shape)
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="W without momentum" breaks="training" says="those of W have none"
class GradientBuffer:
    def __init__(self): self.memory = {}
    def get_memory_loc(self, a): return a.__array_interface__["data"][0]
    def is_in_memory(self, a): return self.get_memory_loc(a) in self.memory
    def add_spot(self, a): self.memory.setdefault(self.get_memory_loc(a), np.zeros(a.shape))
    def update_param(self, a, g): self.memory[self.get_memory_loc(a)] = self.get_param(a) + g
    def get_param(self, a): return self.memory[self.get_memory_loc(a)]
    def clear(self): self.memory.clear()
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs, self.gradients_to_update, self.backward_function = inputs, output, gradients_to_update, backward_operation
class Autograd:
    def __init__(self): self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a in inputs: self.gradient_buffer.add_spot(a)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k and not self.gradient_buffer.is_in_memory(op.outputs): continue
            g = self.gradient_buffer.get_param(op.outputs) if k else divergence
            grads = op.backward_function(g, *op.inputs)
            grads = grads if isinstance(grads, tuple) else (grads,)
            for a, place, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None: continue
                if place is None: self.gradient_buffer.update_param(a, grad)
                else: place += grad
    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()
def matmul_backward(g, a, b): return g @ b.T, a.T @ g
def add_backward(g, a, b): return g, g.sum(axis=0, keepdims=True)
def relu_backward(g, a): return g * (a > 0)
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
        self.autograd_engine.add_operation([p, self.b.T], y, [None, self.db.T], add_backward)
        return y
class ReLU:
    def __init__(self, autograd_engine): self.autograd_engine = autograd_engine
    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y
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
        return None, grad_output * (p - y) / len(y)
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.dW
                layer.b = layer.b - lr * layer.momentum_b
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.A" why="the old v subtracted" breaks="values" says="The old v is subtracted"
def velocities(gradients, momentum):
    v, found = 0., []
    for g in gradients:
        v = g - momentum * v
        found.append(v)
    return found

# %% wrong="A.5.A" why="the first gradient counted twice" breaks="values" says="counted twice"
def velocities(gradients, momentum):
    if not gradients:
        return []
    v, found = gradients[0], []
    for g in gradients:
        v = momentum * v + g
        found.append(v)
    return found

# %% wrong="A.5.1" why="weight decay, by habit" breaks="first step" says="they move all the same"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * (layer.momentum_W + 1e-4 * layer.W)
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.2" why="the learning rate halves with each batch" breaks="step" says="in step 2"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        lr = lr / 2
        total_loss += float(value) * len(x)
    return total_loss / len(X)

# %% wrong="A.5.2" why="clears the engine after the loss" breaks="cleared" says="it belongs before the model"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.zero_grad()
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total_loss += float(value) * len(x)
    return total_loss / len(X)

# %% wrong="A.5.4" why="t_small / n_small for n_large entries off t_large" breaks="fixed part" says="goes from t_large by n_large times"
def overhead(t_small, t_large, n_small, n_large):
    return t_large - n_large * t_small / n_small

# %% wrong="A.5.5" why="the softmax backward runs over the examples" breaks="gradients" says="runs over the examples"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def add_spot(self, array):
        self.memory[id(array)] = (array, np.zeros(array.shape))

    def is_in_memory(self, array):
        return id(array) in self.memory

    def get_param(self, array):
        return self.memory[id(array)][1]

    def update_param(self, array, gradient):
        if not self.is_in_memory(array):
            self.add_spot(array)
        self.memory[id(array)][1][...] += gradient

    def clear(self):
        self.memory = {}


class Operation:
    def __init__(self, inputs, outputs, gradients_to_update, backward_function):
        self.inputs, self.outputs = inputs, outputs
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_function


class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_function):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_function))

    def backward(self, divergence):
        buffer = self.gradient_buffer
        buffer.update_param(self.operation_list[-1].outputs, divergence)
        for operation in reversed(self.operation_list):
            if not buffer.is_in_memory(operation.outputs):
                continue
            gradients = operation.backward_function(buffer.get_param(operation.outputs), *operation.inputs)
            for array, target, gradient in zip(operation.inputs, operation.gradients_to_update, gradients):
                if target is not None:
                    target += gradient
                elif gradient is not None:
                    buffer.update_param(array, gradient)

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def linear_backward(g, x, W, b):
    return g @ W, g.T @ x, g.sum(axis=0)[:, None]


def relu_backward(g, x):
    return (g * (x > 0),)


def loss_backward(g, y, y_hat):
    e = np.exp(y_hat - y_hat.max())
    return None, g * (e / e.sum(axis=0, keepdims=True) - y) / len(y)


class Linear:
    def __init__(self, n, m, engine):
        self.engine, bound = engine, (1 / n) ** 0.5
        self.W, self.b = np.random.uniform(-bound, bound, (m, n)), np.random.uniform(-bound, bound, (m, 1))
        self.dW, self.db = np.zeros((m, n)), np.zeros((m, 1))
        self.momentum_W, self.momentum_b = np.zeros((m, n)), np.zeros((m, 1))

    def __call__(self, x):
        out = x @ self.W.T + self.b.T
        self.engine.add_operation([x, self.W, self.b], out, [None, self.dW, self.db], linear_backward)
        return out


class ReLU:
    def __init__(self, engine):
        self.engine = engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out


class SoftmaxCrossEntropy:
    def __init__(self, engine):
        self.engine = engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        value = np.array((np.log(np.exp(shifted).sum(axis=1)) - (y * shifted).sum(axis=1)).mean())
        self.engine.add_operation([y, y_hat], value, [None, None], loss_backward)
        return value


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total_loss += float(value) * len(x)
    return total_loss / len(X)

# %% wrong="A.5.A" why="the old v times 1 - momentum" breaks="values" says="not by 1 minus the momentum"
def velocities(gradients, momentum):
    v, out = 0., []
    for g in gradients:
        v = (1 - momentum) * v + g
        out.append(v)
    return out

# %% wrong="A.5.A" why="powers counted from the front: the oldest gradient keeps its weight" breaks="values" says="the other way round"
def velocities(gradients, momentum):
    out, total = [], 0.
    for i, g in enumerate(gradients):
        total += g * momentum ** i
        out.append(total)
    return out

# %% wrong="A.5.A" why="begins with the first gradient: an error for an empty list" breaks="length" says="Without a gradient there is no first one"
def velocities(gradients, momentum):
    result = [gradients[0]]
    for g in gradients[1:]:
        result.append(momentum * result[-1] + g)
    return result

# %% wrong="A.5.1" why="the step clears dW and db" breaks="nothing else" says="a step does not"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b
        self.zero_grad()

# %% wrong="A.5.1" why="b goes by an array of the shape of W" breaks="first step" says="two arrays of different shapes"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_W

# %% wrong="A.5.1" why="momentum_b is made from the mean of dW" breaks="first step" says="not right after the step, either"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.dW.mean(axis=1, keepdims=True)
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.2" why="divides by batch_size times the number of batches" breaks="mean loss" says="times the number of batches"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total, count = 0., 0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
        count += batch_size
    return total / count

# %% wrong="A.5.3" why="the first thousand images, ten times" breaks="losses" says="each call got 1,000 images"
def fit(model, loss, autograd_engine, images, labels):
    return [train_epoch(model, loss, autograd_engine, images[:1000], np.eye(10)[labels[:1000]], 50, 0.02, 0.9) for _ in range(10)]

# %% wrong="A.5.4" why="t_small / n_large as the time of an entry" breaks="fixed part" says="not t_small / n_large"
def overhead(t_small, t_large, n_small, n_large):
    return t_small * (1 - n_small / n_large)

# %% wrong="A.5.4" why="the best line through the origin, and what is left of t_small" breaks="fixed part" says="1 second higher"
def overhead(t_small, t_large, n_small, n_large):
    slope = (t_small * n_small + t_large * n_large) / (n_small ** 2 + n_large ** 2)
    return t_small - slope * n_small

# %% wrong="A.5.5" why="the product's gradient for its input is a mean" breaks="gradients" says="hands back to its input"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def is_in_memory(self, array):
        return id(array) in self.memory
    def get_param(self, array):
        return self.memory[id(array)][1]
    def add(self, array, gradient):
        if id(array) in self.memory:
            kept = self.memory[id(array)]
            self.memory[id(array)] = (array, kept[1] + gradient)
        else:
            self.memory[id(array)] = (array, np.array(gradient, dtype=float))
    def clear(self):
        self.memory = {}


class Operation:
    def __init__(self, inputs, outputs, gradients_to_update, backward_function):
        self.inputs, self.outputs = inputs, outputs
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_function


class Autograd:
    def __init__(self):
        self.gradient_buffer, self.operation_list = GradientBuffer(), []
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        self.gradient_buffer.add(self.operation_list[-1].outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            above = self.gradient_buffer.get_param(operation.outputs)
            gradients = operation.backward_function(above, *operation.inputs)
            for value, target, gradient in zip(operation.inputs, operation.gradients_to_update, gradients):
                if target is None:
                    self.gradient_buffer.add(value, gradient)
                else:
                    target += gradient
    def zero_grad(self):
        self.gradient_buffer.clear()
        self.operation_list = []


def matmul_backward(above, a, b):
    return above @ b.T / len(above), a.T @ above


def add_backward(above, a, b):
    return above, above.sum(axis=0, keepdims=True)


def relu_backward(above, x):
    return (above * (x > 0),)


class Linear:
    def __init__(self, n_in, n_out, autograd_engine):
        bound = n_in ** -0.5
        self.W, self.b = np.random.uniform(-bound, bound, (n_out, n_in)), np.random.uniform(-bound, bound, (n_out, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        weight, bias = self.W.T, self.b.T
        product = x @ weight
        self.engine.add_operation([x, weight], product, [None, self.dW.T], matmul_backward)
        out = product + bias
        self.engine.add_operation([product, bias], out, [None, self.db.T], add_backward)
        return out


class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def cross_entropy_backward(above, y, z):
    return np.zeros_like(y), above * (softmax(z) - y) / len(y)


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        out = np.array((np.log(np.exp(shifted).sum(axis=1)) - (shifted * y).sum(axis=1)).mean())
        self.engine.add_operation([y, y_hat], out, [None, None], cross_entropy_backward)
        return out


class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="the softmax of the backward function runs over everything" breaks="gradients" says="all examples and classes"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def is_in_memory(self, array):
        return id(array) in self.memory
    def get_param(self, array):
        return self.memory[id(array)][1]
    def add(self, array, gradient):
        if id(array) in self.memory:
            kept = self.memory[id(array)]
            self.memory[id(array)] = (array, kept[1] + gradient)
        else:
            self.memory[id(array)] = (array, np.array(gradient, dtype=float))
    def clear(self):
        self.memory = {}


class Operation:
    def __init__(self, inputs, outputs, gradients_to_update, backward_function):
        self.inputs, self.outputs = inputs, outputs
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_function


class Autograd:
    def __init__(self):
        self.gradient_buffer, self.operation_list = GradientBuffer(), []
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        self.gradient_buffer.add(self.operation_list[-1].outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            above = self.gradient_buffer.get_param(operation.outputs)
            gradients = operation.backward_function(above, *operation.inputs)
            for value, target, gradient in zip(operation.inputs, operation.gradients_to_update, gradients):
                if target is None:
                    self.gradient_buffer.add(value, gradient)
                else:
                    target += gradient
    def zero_grad(self):
        self.gradient_buffer.clear()
        self.operation_list = []


def matmul_backward(above, a, b):
    return above @ b.T, a.T @ above


def add_backward(above, a, b):
    return above, above.sum(axis=0, keepdims=True)


def relu_backward(above, x):
    return (above * (x > 0),)


class Linear:
    def __init__(self, n_in, n_out, autograd_engine):
        bound = n_in ** -0.5
        self.W, self.b = np.random.uniform(-bound, bound, (n_out, n_in)), np.random.uniform(-bound, bound, (n_out, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.engine = autograd_engine
    def __call__(self, x):
        weight, bias = self.W.T, self.b.T
        product = x @ weight
        self.engine.add_operation([x, weight], product, [None, self.dW.T], matmul_backward)
        out = product + bias
        self.engine.add_operation([product, bias], out, [None, self.db.T], add_backward)
        return out


class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def cross_entropy_backward(above, y, z):
    return np.zeros_like(y), above * (np.exp(z) / np.exp(z).sum() - y) / len(y)


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        out = np.array((np.log(np.exp(shifted).sum(axis=1)) - (shifted * y).sum(axis=1)).mean())
        self.engine.add_operation([y, y_hat], out, [None, None], cross_entropy_backward)
        return out


class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.5" why="momentum_W is dW at the beginning" breaks="training" says="share their numbers"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def is_in_memory(self, array):
        return id(array) in self.memory
    def get_param(self, array):
        return self.memory[id(array)][1]
    def add(self, array, gradient):
        if id(array) in self.memory:
            kept = self.memory[id(array)]
            self.memory[id(array)] = (array, kept[1] + gradient)
        else:
            self.memory[id(array)] = (array, np.array(gradient, dtype=float))
    def clear(self):
        self.memory = {}


class Operation:
    def __init__(self, inputs, outputs, gradients_to_update, backward_function):
        self.inputs, self.outputs = inputs, outputs
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_function


class Autograd:
    def __init__(self):
        self.gradient_buffer, self.operation_list = GradientBuffer(), []
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        self.gradient_buffer.add(self.operation_list[-1].outputs, divergence)
        for operation in reversed(self.operation_list):
            if not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
            above = self.gradient_buffer.get_param(operation.outputs)
            gradients = operation.backward_function(above, *operation.inputs)
            for value, target, gradient in zip(operation.inputs, operation.gradients_to_update, gradients):
                if target is None:
                    self.gradient_buffer.add(value, gradient)
                else:
                    target += gradient
    def zero_grad(self):
        self.gradient_buffer.clear()
        self.operation_list = []


def matmul_backward(above, a, b):
    return above @ b.T, a.T @ above


def add_backward(above, a, b):
    return above, above.sum(axis=0, keepdims=True)


def relu_backward(above, x):
    return (above * (x > 0),)


class Linear:
    def __init__(self, n_in, n_out, autograd_engine):
        bound = n_in ** -0.5
        self.W, self.b = np.random.uniform(-bound, bound, (n_out, n_in)), np.random.uniform(-bound, bound, (n_out, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = self.dW, self.db
        self.engine = autograd_engine
    def __call__(self, x):
        weight, bias = self.W.T, self.b.T
        product = x @ weight
        self.engine.add_operation([x, weight], product, [None, self.dW.T], matmul_backward)
        out = product + bias
        self.engine.add_operation([product, bias], out, [None, self.db.T], add_backward)
        return out


class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def cross_entropy_backward(above, y, z):
    return np.zeros_like(y), above * (softmax(z) - y) / len(y)


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        out = np.array((np.log(np.exp(shifted).sum(axis=1)) - (shifted * y).sum(axis=1)).mean())
        self.engine.add_operation([y, y_hat], out, [None, None], cross_entropy_backward)
        return out


class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="one batch too many, an empty one, where they come out even" breaks="mean loss" says="One of the batches is empty"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(len(X) // batch_size + 1):
        x, y = X[i * batch_size:(i + 1) * batch_size], Y[i * batch_size:(i + 1) * batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.2" why="one example at a time, without the axis of the batch" breaks="mean loss" says="goes through the model by itself"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for x, y in zip(X, Y):
        x, y = x, y
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += float(value) * len(x)
    return total / len(X)

# %% wrong="A.5.3" why="the loss before training in the list, too" breaks="losses" says="one loss more than passes"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    losses = [float(loss(Y, model(images)))]
    for _ in range(5):
        losses.append(train_epoch(model, loss, autograd_engine, images, Y, 50, 0.02, 0.9))
    return losses

# %% wrong="A.5.1" why="squares of the gradients in v, as Adagrad has them" breaks="first step" says="nor a multiple of it"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW, layer.db = 0 * layer.dW, 0 * layer.db
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW ** 2
                layer.momentum_b = momentum * layer.momentum_b + layer.db ** 2
                layer.W -= lr * layer.dW / np.sqrt(layer.momentum_W)
                layer.b -= lr * layer.db / np.sqrt(layer.momentum_b)

# %% wrong="A.5.1" why="the step leaves out the last of the list" breaks="first step" says="each layer with parameters makes the step"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers[:-1]:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.1" why="zero_grad leaves out the last of the list" breaks="zero_grad" says="its place in the list"
class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers[:-1]:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

# %% wrong="A.5.3" why="one batch of all images" breaks="accuracy" says="smaller batches make more of them"
def fit(model, loss, autograd_engine, images, labels):
    Y, losses = np.eye(10)[labels], []
    for k in range(10):
        losses.append(train_epoch(model, loss, autograd_engine, images, Y, len(images), 0.1, 0.9))
    return losses

# %% wrong="A.5.5" why="unstable softmax and eps in the log" breaks="gradients" says="a small number is added"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]
    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory
    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(np.shape(array))
    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] += gradient
    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.gradient_buffer.add_spot(output)
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            grad = divergence if k == 0 else self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, g, target in zip(operation.inputs, grads, operation.gradients_to_update):
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def add_bias_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def cross_entropy_backward(grad_output, y, y_hat):
    p = np.exp(y_hat) + 1e-7
    p = p / p.sum(axis=1, keepdims=True)
    return np.zeros(y.shape), grad_output * (p - y) / len(y)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_bias_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], cross_entropy_backward)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += len(x) * float(value)
    return total / len(X)

# %% wrong="A.5.5" why="the loss returns its gradients in the other order" breaks="gradients" says="in the order of the recorded inputs"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]
    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory
    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(np.shape(array))
    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] += gradient
    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.gradient_buffer.add_spot(output)
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            grad = divergence if k == 0 else self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, g, target in zip(operation.inputs, grads, operation.gradients_to_update):
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def add_bias_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def cross_entropy_backward(grad_output, y, y_hat):
    p = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return grad_output * (p - y) / len(y), np.zeros(y.shape)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_bias_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], cross_entropy_backward)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += len(x) * float(value)
    return total / len(X)

# %% wrong="A.5.5" why="zero_grad leaves the operations, and clears the buffer" breaks="engine" says="still holds after zero_grad()"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]
    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory
    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(np.shape(array))
    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] += gradient
    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.gradient_buffer.add_spot(output)
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            grad = divergence if k == 0 else self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, g, target in zip(operation.inputs, grads, operation.gradients_to_update):
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.gradient_buffer.clear()

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def add_bias_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def cross_entropy_backward(grad_output, y, y_hat):
    p = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return np.zeros(y.shape), grad_output * (p - y) / len(y)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_bias_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], cross_entropy_backward)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += len(x) * float(value)
    return total / len(X)

# %% wrong="A.5.5" why="the list of operations is an attribute of the class" breaks="engine" says="two engines share one"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]
    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory
    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(np.shape(array))
    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] += gradient
    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    operation_list = []
    def __init__(self):
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.gradient_buffer.add_spot(output)
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            grad = divergence if k == 0 else self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, g, target in zip(operation.inputs, grads, operation.gradients_to_update):
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def add_bias_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def cross_entropy_backward(grad_output, y, y_hat):
    p = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return np.zeros(y.shape), grad_output * (p - y) / len(y)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_bias_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], cross_entropy_backward)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += len(x) * float(value)
    return total / len(X)

# %% wrong="A.5.5" why="the gradient of the bias is not summed over the examples" breaks="gradients" says="to a smaller one"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]
    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory
    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(np.shape(array))
    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] += gradient
    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.gradient_buffer.add_spot(output)
    def backward(self, divergence):
        for k, operation in enumerate(reversed(self.operation_list)):
            grad = divergence if k == 0 else self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, g, target in zip(operation.inputs, grads, operation.gradients_to_update):
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def add_bias_backward(grad_output, a, b):
    return grad_output, grad_output

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def cross_entropy_backward(grad_output, y, y_hat):
    p = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return np.zeros(y.shape), grad_output * (p - y) / len(y)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_bias_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], cross_entropy_backward)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        value = loss(y, model(x))
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
        total += len(x) * float(value)
    return total / len(X)

# %% wrong="A.5.A" why="the size of the old v" breaks="values" says="keeps its sign, also where it is negative"
def velocities(gradients, momentum):
    v, out = 0., []
    for g in gradients:
        v = momentum * abs(v) + g
        out.append(v)
    return out

# %% wrong="A.5.3" why="returns the last loss alone" breaks="losses" says="These are 6 passes over 8,000 images"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    for _ in range(6):
        value = train_epoch(model, loss, autograd_engine, images, Y, 50, 0.01, 0.9)
    return [value]

# %% wrong="A.5.5" why="the loss's gradient is divided by the number of entries" breaks="gradients" says="divided by the number of classes, too"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]

    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory

    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(array.shape)

    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] = self.memory[self.get_memory_loc(array)] + gradient

    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]

    def clear(self):
        self.memory = {}


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
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            grads = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
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
    return shrink_to(grad_output, a.shape), shrink_to(grad_output, b.shape)

def shrink_to(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1 and grad.shape[axis] != 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return np.zeros(y.shape), grad_output * (p - y) / y.size


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W, self.b = np.random.uniform(-k, k, (out_features, in_features)), np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        logp = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * logp).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.5" why="zero_grad of the model clears db alone" breaks="training" says="the db are cleared"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]

    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory

    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(array.shape)

    def update_param(self, array, gradient):
        self.memory[self.get_memory_loc(array)] = self.memory[self.get_memory_loc(array)] + gradient

    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]

    def clear(self):
        self.memory = {}


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
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        last = self.operation_list[-1]
        self.gradient_buffer.update_param(last.outputs, divergence)
        for operation in reversed(self.operation_list):
            grads = operation.backward_function(self.gradient_buffer.get_param(operation.outputs), *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
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
    return shrink_to(grad_output, a.shape), shrink_to(grad_output, b.shape)

def shrink_to(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1 and grad.shape[axis] != 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return np.zeros(y.shape), grad_output * (p - y) / len(y)


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = np.sqrt(1 / in_features)
        self.W, self.b = np.random.uniform(-k, k, (out_features, in_features)), np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        out = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], out, [None, self.db.T], add_backward)
        return out


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        logp = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * logp).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db
                layer.W = layer.W - lr * layer.momentum_W
                layer.b = layer.b - lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.1" why="takes every second layer for one with parameters" breaks="forward" says="tells which layers of the list have parameters"
class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers[::2]:
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.layers[::2]:
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W = layer.W - lr * layer.momentum_W
            layer.b = layer.b - lr * layer.momentum_b

# %% wrong="A.5.3" why="exchanges loss and autograd_engine in the call" breaks="accuracy" says="object has no attribute 'zero_grad'"
def fit(model, loss, autograd_engine, images, labels):
    one_hot = np.eye(10)[labels]
    return [train_epoch(model, autograd_engine, loss, images, one_hot, batch_size=100, lr=0.06 / (1 + k), momentum=0.9)
            for k in range(6)]

# %% wrong="A.5.3" why="a learning rate of 0.0001" breaks="accuracy" says="they are too small"
def fit(model, loss, autograd_engine, images, labels):
    Y = np.eye(10)[labels]
    return [train_epoch(model, loss, autograd_engine, images, Y, 50, 0.0001, 0.9) for _ in range(10)]

# %% wrong="A.5.5" why="the new v is used in the next step only" breaks="training" says="go by the v of the step before"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    @staticmethod
    def get_memory_loc(array):
        return str(array.__array_interface__["data"][0])
    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory
    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(np.shape(array))
    def update_param(self, array, gradient):
        self.add_spot(array)
        loc = self.get_memory_loc(array)
        self.memory[loc] = self.memory[loc] + gradient
    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]
    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    def __init__(self):
        self.gradient_buffer = GradientBuffer()
        self.operation_list = []
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            grad = divergence if i == 0 else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(grad, *op.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for x, g, target in zip(op.inputs, grads, op.gradients_to_update):
                if target is None:
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g.reshape(target.shape)
    def zero_grad(self):
        self.gradient_buffer.clear()
        self.operation_list = []

def linear_backward(grad, x, W, b):
    return grad @ W, grad.T @ x, grad.sum(axis=0).reshape(b.shape)

def relu_backward(grad, x):
    return grad * (x > 0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        k = 1 / np.sqrt(in_features)
        self.engine = autograd_engine
        self.W = np.random.uniform(-k, k, (out_features, in_features))
        self.b = np.random.uniform(-k, k, (out_features, 1))
        self.dW, self.db = np.zeros(self.W.shape), np.zeros(self.b.shape)
        self.momentum_W, self.momentum_b = np.zeros(self.W.shape), np.zeros(self.b.shape)
    def __call__(self, x):
        out = x @ self.W.T + self.b.T
        self.engine.add_operation([x, self.W, self.b], out, [None, self.dW, self.db], linear_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, x):
        out = np.maximum(x, 0)
        self.engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.engine = autograd_engine
    def __call__(self, y, y_hat):
        z = y_hat - y_hat.max(axis=1, keepdims=True)
        logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * logp).sum() / len(y))
        def back(grad, y, y_hat):
            return np.zeros_like(y), grad * (np.exp(logp) - y) / len(y)
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], back)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0
    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b
                layer.momentum_W = momentum * layer.momentum_W + layer.dW
                layer.momentum_b = momentum * layer.momentum_b + layer.db

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.
    for i in range(0, len(X), batch_size):
        x, y = X[i:i + batch_size], Y[i:i + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)

# %% wrong="A.5.A" why="weighs with 1 - momentum from the second gradient on" breaks="values" says="the second one, too"
def velocities(gradients, momentum):
    v, result = 0, []
    for i, g in enumerate(gradients):
        v = g if i == 0 else momentum * v + (1 - momentum) * g
        result.append(v)
    return result

# %% wrong="A.5.5" why="biases with a single axis" breaks="gradients" says="b is a column, (out, 1)"
import numpy as np

class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, array):
        return array.__array_interface__["data"][0]

    def is_in_memory(self, array):
        return self.get_memory_loc(array) in self.memory

    def add_spot(self, array):
        if not self.is_in_memory(array):
            self.memory[self.get_memory_loc(array)] = np.zeros(array.shape)

    def update_param(self, array, gradient):
        loc = self.get_memory_loc(array)
        self.memory[loc] = self.memory[loc] + gradient

    def get_param(self, array):
        return self.memory[self.get_memory_loc(array)]

    def clear(self):
        self.memory = {}

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array, target in zip(inputs, gradients_to_update):
            if target is None:
                self.gradient_buffer.add_spot(array)
        self.gradient_buffer.add_spot(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        self.gradient_buffer.update_param(self.operation_list[-1].outputs, divergence)
        for operation in reversed(self.operation_list):
            grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

def softmax_cross_entropy_backward(grad_output, y, y_hat):
    shifted = y_hat - y_hat.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -grad_output * log_p / len(y), grad_output * (np.exp(log_p) * y.sum(axis=1, keepdims=True) - y) / len(y)

def linear_backward(grad_output, x, W, b):
    return grad_output @ W, grad_output.T @ x, grad_output.sum(axis=0)

class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
        bound = 1 / np.sqrt(in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, out_features)
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        out = x @ self.W.T + self.b
        self.autograd_engine.add_operation([x, self.W, self.b], out, [None, self.dW, self.db], linear_backward)
        return out

class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        out = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], out, [None], relu_backward)
        return out

class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_p).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val

class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def zero_grad(self):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.dW[...] = 0
                layer.db[...] = 0

    def step(self, lr, momentum):
        for layer in self.layers:
            if hasattr(layer, "W"):
                layer.momentum_W[...] = momentum * layer.momentum_W + layer.dW
                layer.momentum_b[...] = momentum * layer.momentum_b + layer.db
                layer.W -= lr * layer.momentum_W
                layer.b -= lr * layer.momentum_b

def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total = 0.0
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total / len(X)
