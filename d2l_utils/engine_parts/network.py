"""Layers, a loss, a network and its training, with torch inside."""
import numpy as np
import torch
from torch.nn import functional as F

from d2l_utils.engine_parts.engine import Autograd, by_torch, linear_backward, relu_backward
from d2l_utils.engine_parts.switch import needed


class Linear:
    """x @ W.T + b.T by torch, with the attributes of chapter A's layers: W (out, in), b (out, 1), and their gradients."""

    def __init__(self, in_features, out_features, autograd_engine):
        needed("Linear")
        layer = torch.nn.Linear(in_features, out_features, dtype=torch.float64).requires_grad_(False)
        self.W, self.b, self.engine = layer.weight.numpy(), layer.bias[:, None].numpy(), autograd_engine
        self.dW, self.db, self.momentum_W, self.momentum_b = (
            torch.zeros(array.shape, dtype=torch.float64).numpy() for array in (self.W, self.b, self.W, self.b))

    def __call__(self, x):
        flat, d_flat = self.b[:, 0], self.db[:, 0]
        out = F.linear(torch.as_tensor(x), torch.from_numpy(self.W), torch.from_numpy(flat)).numpy()
        self.engine.add_operation([x, self.W, flat], out, [None, self.dW, d_flat], linear_backward)
        return out


class ReLU:
    """max(x, 0), by torch."""

    def __init__(self, autograd_engine):
        needed("ReLU")
        self.engine = autograd_engine

    def __call__(self, x):
        out = torch.relu(torch.as_tensor(x)).numpy()
        self.engine.add_operation([x], out, [None], relu_backward)
        return out


def _cross_entropy_backward(grad_output, y, y_hat):
    return None, by_torch(lambda t: F.cross_entropy(t, torch.as_tensor(y)), grad_output, y_hat)[0]


class SoftmaxCrossEntropy:
    """The mean cross-entropy of one-hot targets y, (n, q), for logits y_hat, (n, q), by torch."""

    def __init__(self, autograd_engine):
        needed("SoftmaxCrossEntropy")
        self.engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        if np.shape(y) != np.shape(y_hat):
            raise ValueError(f"the loss got targets of shape {np.shape(y)} for outputs of shape {np.shape(y_hat)}: they are "
                             "one-hot, a row for each example")
        self.loss_val = F.cross_entropy(torch.as_tensor(y_hat), torch.as_tensor(y)).numpy()
        self.engine.add_operation([y, y_hat], self.loss_val, [None, None], _cross_entropy_backward)
        return self.loss_val


class Network:
    """Layers one after another; torch makes the steps. `images` counts the examples that went through it."""

    def __init__(self, layers):
        needed("Network")
        self.layers, self.images, self.optimizer = layers, 0, None

    def __call__(self, x):
        self.images += len(x)
        for layer in self.layers:
            x = layer(x)
        return x

    def _pairs(self):
        with_parameters = [layer for layer in self.layers if hasattr(layer, "W")]
        return [pair for layer in with_parameters for pair in ((layer.W, layer.dW), (layer.b, layer.db))]

    def zero_grad(self):
        for _, grad in self._pairs():
            torch.from_numpy(grad).zero_()

    def step(self, lr, momentum):
        if self.optimizer is None:
            self.optimizer = torch.optim.SGD([torch.from_numpy(value) for value, _ in self._pairs()], lr=lr, momentum=momentum)
        for group in self.optimizer.param_groups:
            group.update(lr=lr, momentum=momentum)
            for parameter, (_, grad) in zip(group["params"], self._pairs()):
                parameter.grad = torch.from_numpy(grad)
        self.optimizer.step()


def network(sizes):
    """(engine, model, loss): linear layers of these sizes with ReLU between them, recorded in an engine."""
    engine = Autograd()
    layers = [part for n, m in zip(sizes, sizes[1:]) for part in (ReLU(engine), Linear(n, m, engine))][1:]
    return engine, Network(layers), SoftmaxCrossEntropy(engine)


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples with a model of linear layers and ReLU; torch does the work. The mean loss."""
    needed("train_epoch")
    if np.ndim(Y) != 2:
        raise ValueError(f"train_epoch got Y of shape {np.shape(Y)}, expected (n, classes): one-hot targets")
    linears = [layer for layer in model.layers if hasattr(layer, "W")]
    if not hasattr(model, "optimizer_by_torch"):
        parameters = [torch.tensor(p, requires_grad=True) for layer in linears for p in (layer.W, layer.b)]
        model.optimizer_by_torch = torch.optim.SGD(parameters, lr=lr, momentum=momentum)
    optimizer, losses = model.optimizer_by_torch, []
    optimizer.param_groups[0].update(lr=lr, momentum=momentum)
    parameters = optimizer.param_groups[0]["params"]
    model.images += len(X)
    for x, y in zip(torch.tensor(X).split(batch_size), torch.tensor(Y).split(batch_size)):
        for W, b in zip(parameters[::2], parameters[1::2]):
            x = F.linear(x if W is parameters[0] else x.relu(), W, b[:, 0])
        value = F.cross_entropy(x, y)
        optimizer.zero_grad(), value.backward(), optimizer.step()
        losses += [value.item()] * len(y)
    for layer, W, b in zip(linears, parameters[::2], parameters[1::2]):
        layer.W[...], layer.b[...] = W.detach().numpy(), b.detach().numpy()
    return sum(losses) / len(losses)
