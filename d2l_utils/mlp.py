"""Multilayer perceptrons and dropout, from scratch and concise (chapter 5 of D2L)."""
import itertools

import torch
from torch import nn

from .classification import Classifier


def relu(X):
    """max(x, 0), element by element (section 5.1)."""
    return torch.max(X, torch.zeros_like(X))


class MLPScratch(Classifier):
    """One hidden layer from scratch (section 5.2): `W1` (num_inputs, num_hiddens) and `W2` (num_hiddens,
    num_outputs) from N(0, sigma^2), `b1` and `b2` zero."""

    def __init__(self, num_inputs, num_outputs, num_hiddens, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W1 = nn.Parameter(torch.randn(num_inputs, num_hiddens) * sigma)
        self.b1 = nn.Parameter(torch.zeros(num_hiddens))
        self.W2 = nn.Parameter(torch.randn(num_hiddens, num_outputs) * sigma)
        self.b2 = nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        """(n, ...) with num_inputs values in each row -> logits (n, num_outputs)."""
        H = relu(X.reshape(len(X), -1) @ self.W1 + self.b1)
        return H @ self.W2 + self.b2


class MLP(Classifier):
    """One hidden layer with torch's layers (section 5.2)."""

    def __init__(self, num_outputs, num_hiddens, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(num_hiddens), nn.ReLU(), nn.LazyLinear(num_outputs))


class MulMLPScratch(Classifier):
    """`MLPScratch` for a list of hidden sizes: `Ws[i]` and `bs[i]` belong to layer i, from the input on."""

    def __init__(self, num_inputs, num_outputs, num_hiddens, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        sizes = list(itertools.pairwise([num_inputs, *num_hiddens, num_outputs]))
        self.Ws = nn.ParameterList(torch.randn(n, m) * sigma for n, m in sizes)
        self.bs = nn.ParameterList(torch.zeros(m) for _, m in sizes)

    def forward(self, X):
        """(n, ...) with num_inputs values in each row -> logits (n, num_outputs)."""
        H = X.reshape(len(X), -1)
        for W, b in zip(self.Ws[:-1], self.bs[:-1]):
            H = relu(H @ W + b)
        return H @ self.Ws[-1] + self.bs[-1]


class MulMLP(Classifier):
    """`MLP` for a list of hidden sizes."""

    def __init__(self, num_outputs, num_hiddens, lr):
        super().__init__()
        self.save_hyperparameters()
        hidden = itertools.chain.from_iterable((nn.LazyLinear(n), nn.ReLU()) for n in num_hiddens)
        self.net = nn.Sequential(nn.Flatten(), *hidden, nn.LazyLinear(num_outputs))


def dropout_layer(X, dropout):
    """Set each element of X to 0 with probability `dropout` and divide the others by 1 - dropout, which keeps the
    expectation (equation 5.6.1). Same shape, dtype and device as X."""
    if not 0 <= dropout <= 1:
        raise ValueError(f'dropout is a probability from 0 to 1, got {dropout}')
    if dropout == 1:
        return torch.zeros_like(X)
    mask = (torch.rand(X.shape, device=X.device) > dropout).to(X.dtype)
    return mask * X / (1.0 - dropout)


class DropoutMLPScratch(Classifier):
    """Two hidden layers, each followed by `dropout_layer` in training (section 5.6)."""

    def __init__(self, num_outputs, num_hiddens_1, num_hiddens_2, dropout_1, dropout_2, lr):
        super().__init__()
        self.save_hyperparameters()
        self.lin1 = nn.LazyLinear(num_hiddens_1)
        self.lin2 = nn.LazyLinear(num_hiddens_2)
        self.lin3 = nn.LazyLinear(num_outputs)
        self.relu = nn.ReLU()

    def forward(self, X):
        """(n, ...) -> logits (n, num_outputs)."""
        H1 = self.relu(self.lin1(X.reshape(len(X), -1)))
        if self.training:
            H1 = dropout_layer(H1, self.dropout_1)
        H2 = self.relu(self.lin2(H1))
        if self.training:
            H2 = dropout_layer(H2, self.dropout_2)
        return self.lin3(H2)


class DropoutMLP(Classifier):
    """The same network with torch's layers (section 5.6)."""

    def __init__(self, num_outputs, num_hiddens_1, num_hiddens_2, dropout_1, dropout_2, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(
            nn.Flatten(), nn.LazyLinear(num_hiddens_1), nn.ReLU(), nn.Dropout(dropout_1),
            nn.LazyLinear(num_hiddens_2), nn.ReLU(), nn.Dropout(dropout_2), nn.LazyLinear(num_outputs))
