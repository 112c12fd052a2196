"""Linear regression, from scratch and concise, with and without weight decay (chapter 3 of D2L)."""
import torch
from torch import nn

from .hyperparameters import HyperParameters
from .module import DataModule, Module


class SyntheticRegressionData(DataModule):
    """y = X w + b + noise with standard normal X (section 3.3).

    w: tensor of d weights; b: number; noise: standard deviation of the noise.
    `X` is (num_train + num_val, d) and `y` (num_train + num_val, 1), float32; training rows come first.
    """

    def __init__(self, w, b, noise=0.01, num_train=1000, num_val=1000, batch_size=32):
        super().__init__()
        self.save_hyperparameters()
        n = num_train + num_val
        self.X = torch.randn(n, len(w))
        self.y = self.X @ w.reshape(-1, 1) + b + torch.randn(n, 1) * noise

    def get_dataloader(self, train):
        """Batches of X (batch, d) and y (batch, 1)."""
        rows = slice(0, self.num_train) if train else slice(self.num_train, None)
        return self.get_tensorloader((self.X, self.y), train, rows)


def _check_same_shape(y_hat, y):  # (n, 1) against (n,) would broadcast to (n, n) and train on nonsense
    if y_hat.shape != y.shape:
        raise ValueError(f'predictions have shape {tuple(y_hat.shape)} but targets {tuple(y.shape)}; both must be '
                         f'equal, so reshape the targets, for example y.reshape(-1, 1)')


class SGD(HyperParameters):
    """Minibatch stochastic gradient descent, p <- p - lr * gradient (section 3.4)."""

    def __init__(self, params, lr):
        self.save_hyperparameters()

    @torch.no_grad()
    def step(self):
        """Move every parameter that has a gradient."""
        for param in self.params:
            if param.grad is not None:
                param -= self.lr * param.grad

    def zero_grad(self):
        """Set all gradients to zero."""
        for param in self.params:
            if param.grad is not None:
                param.grad.zero_()


class LinearRegressionScratch(Module):
    """Linear regression from scratch: `w` (num_inputs, 1) from N(0, sigma^2), `b` (1,) zero (section 3.4)."""

    def __init__(self, num_inputs, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.w = nn.Parameter(torch.normal(0, sigma, (num_inputs, 1)))
        self.b = nn.Parameter(torch.zeros(1))

    def forward(self, X):
        """(n, num_inputs) -> (n, 1)."""
        return X @ self.w + self.b

    def loss(self, y_hat, y):
        """Mean of (y_hat - y)^2 / 2 (equation 3.1.5). With its factor 1/2 it is half the loss of
        `LinearRegression`, so at the same lr the steps are half as long."""
        _check_same_shape(y_hat, y)
        return ((y_hat - y) ** 2 / 2).mean()

    def configure_optimizers(self):
        """The `SGD` above."""
        return SGD([self.w, self.b], self.lr)


class _NormalLazyLinear(nn.LazyLinear):
    """LazyLinear whose weight, once its shape is known, is drawn from N(0, 0.01^2) and whose bias is 0."""

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_features:
            nn.init.normal_(self.weight, 0, 0.01)
            nn.init.zeros_(self.bias)


class LinearRegression(Module):
    """Linear regression with torch's layers (section 3.5). The first batch fixes the number of inputs; then the
    weight is drawn from N(0, 0.01^2) and the bias set to 0."""

    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = _NormalLazyLinear(1)

    def loss(self, y_hat, y):
        """Mean of (y_hat - y)^2, twice the loss of `LinearRegressionScratch`: there is no factor 1/2."""
        _check_same_shape(y_hat, y)
        return nn.functional.mse_loss(y_hat, y)

    def get_w_b(self):
        """The weight (1, d) and the bias (1,), without gradients."""
        return self.net.weight.data, self.net.bias.data


def l2_penalty(w):
    """|w|^2 / 2, a tensor of one element (section 3.7)."""
    return (w ** 2).sum() / 2


class WeightDecayScratch(LinearRegressionScratch):
    """Linear regression with the penalty lambd * l2_penalty(w) (section 3.7)."""

    def __init__(self, num_inputs, lambd, lr, sigma=0.01):
        super().__init__(num_inputs, lr, sigma)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        """The squared loss, plus the penalty in training mode. Validation measures the fit alone."""
        fit = super().loss(y_hat, y)
        return fit + self.lambd * l2_penalty(self.w) if self.training else fit


class WeightDecay(LinearRegression):
    """Linear regression whose optimizer decays the weight by `wd`, and not the bias (section 3.7)."""

    def __init__(self, wd, lr):
        super().__init__(lr)
        self.save_hyperparameters()

    def configure_optimizers(self):
        """torch's SGD with weight decay on the weight."""
        return torch.optim.SGD([{'params': self.net.weight, 'weight_decay': self.wd}, {'params': self.net.bias}],
                               lr=self.lr)
