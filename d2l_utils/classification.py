"""Classifiers and softmax regression, from scratch and concise (chapter 4 of D2L)."""
import torch
from torch import nn
from torch.nn import functional as F

from .module import Module


class Classifier(Module):
    """The base class of classifiers: cross-entropy loss, and accuracy in validation (section 4.3).

    The model's output Y_hat has one score (logit) for each class in its last axis; Y holds classes, int64.
    """

    def validation_step(self, batch):
        """Put loss and accuracy of a validation batch on the board."""
        Y_hat = self(*batch[:-1])
        self.plot('loss', self.loss(Y_hat, batch[-1]), train=False)
        self.plot('acc', self.accuracy(Y_hat, batch[-1]), train=False)

    def accuracy(self, Y_hat, Y, averaged=True):
        """Share of rows whose largest score is at Y; with averaged=False a float32 1 or 0 for each row."""
        Y_hat = Y_hat.reshape(-1, Y_hat.shape[-1])
        hits = (Y_hat.argmax(dim=1) == Y.reshape(-1)).float()     # d2l converts to Y.dtype: 256 is 0 as uint8
        return hits.mean() if averaged else hits

    def loss(self, Y_hat, Y, averaged=True):
        """Cross-entropy of the logits Y_hat (..., classes) and the classes Y (...), mean or one a row (4.5)."""
        return F.cross_entropy(Y_hat.reshape(-1, Y_hat.shape[-1]), Y.reshape(-1),
                               reduction='mean' if averaged else 'none')

    def layer_summary(self, X_shape):
        """Print the shape of each layer's output for an input of shape `X_shape` (section 7.6)."""
        X = torch.randn(*X_shape)
        for layer in self.net:
            X = layer(X)
            print(layer.__class__.__name__, 'output shape:\t', X.shape)


def softmax(X):
    """Row by row exp(x_j) / sum_k exp(x_k), (n, classes) -> (n, classes) (equation 4.4.1). As in the book this is
    the bare formula: beyond 88 float32 overflows to NaN (exercise 4.4.1)."""
    X_exp = torch.exp(X)
    return X_exp / X_exp.sum(1, keepdim=True)


def cross_entropy(y_hat, y):
    """Mean of -log y_hat[i, y[i]] for probabilities y_hat (n, classes) and classes y (n,) (section 4.4)."""
    return -torch.log(y_hat[range(len(y_hat)), y]).mean()


class SoftmaxRegressionScratch(Classifier):
    """Softmax regression from scratch: `W` (num_inputs, num_outputs) from N(0, sigma^2), `b` zero (section 4.4).
    Its output are probabilities."""

    def __init__(self, num_inputs, num_outputs, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W = nn.Parameter(torch.normal(0, sigma, size=(num_inputs, num_outputs)))
        self.b = nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        """(n, ...) with num_inputs values in each row -> (n, num_outputs)."""
        return softmax(X.reshape(len(X), -1) @ self.W + self.b)

    def loss(self, y_hat, y):
        """`cross_entropy` of probabilities."""
        return cross_entropy(y_hat, y)


class SoftmaxRegression(Classifier):
    """Softmax regression with torch's layers; its output are logits (section 4.5)."""

    def __init__(self, num_outputs, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(num_outputs))
