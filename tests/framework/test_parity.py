"""The same seed and data give the same losses here and in d2l 1.0.3, batch by batch.

Where a defect of the original makes it differ, the test says which (numbers as in test_defects.py).
"""
from itertools import pairwise

import d2l_utils as ours  # first: it cures torchvision, which d2l imports

import pytest  # isort: skip
import torch  # isort: skip
from d2l import torch as theirs  # isort: skip
from torch import nn  # isort: skip
from torch.nn import functional as F  # isort: skip

N, BATCH, EPOCHS = 768, 64, 3  # the batch size divides N: else defect 11 makes validation differ


def losses(lib, model, data, seed=1):
    """Train and return {label: value of every batch (train) or epoch (val)}."""
    model.plot_train_per_epoch = len(data.train_dataloader())  # a point for every batch
    model.board.display = False
    torch.manual_seed(seed)
    lib.Trainer(max_epochs=EPOCHS).fit(model, data)
    return {label: torch.tensor([float(p.y) for p in points]) for label, points in model.board.data.items()}


def assert_same(a, b, labels=('train_loss', 'val_loss')):
    assert set(labels) <= set(a) and set(a) == set(b)
    assert len(a['train_loss']) > EPOCHS
    for label in labels:
        torch.testing.assert_close(a[label], b[label], rtol=2e-5, atol=1e-6)
    assert a['train_loss'][-1] < a['train_loss'][0], 'it must have learnt something'


def regression(lib, d=2):
    torch.manual_seed(0)
    w = torch.tensor([2, -3.4]) if d == 2 else torch.full((d,), 0.1)
    return lib.SyntheticRegressionData(w=w, b=4.2, num_train=N, num_val=N, batch_size=BATCH)


@pytest.fixture(scope='module')
def images():
    data = ours.FashionMNIST()
    (X, y), (X_val, y_val) = data.train[:N], data.val[:N]
    return X, y, X_val, y_val


def image_data(lib, images):
    class Data(lib.DataModule):
        def __init__(self):
            super().__init__()
            self.batch_size = BATCH

        def get_dataloader(self, train):
            return self.get_tensorloader(images[:2] if train else images[2:], train)
    return Data()


def both(make, data):
    """Make the same model for each library from the same seed, and train both."""
    runs = []
    for lib in (ours, theirs):
        torch.manual_seed(0)
        runs.append(losses(lib, make(lib), data(lib)))
    return runs


def test_linear_regression_scratch():
    assert_same(*both(lambda lib: lib.LinearRegressionScratch(2, lr=0.03), regression))


def started_alike(model, reference, X):
    """Defect 2: the original's start is torch's default, not N(0, 0.01^2). Give it ours."""
    model(X), reference(X)
    reference.net.load_state_dict(model.net.state_dict())
    return model, reference


def test_linear_regression_concise():
    pair = started_alike(ours.LinearRegression(lr=0.03), theirs.LinearRegression(lr=0.03), torch.ones(1, 2))
    assert_same(*(losses(lib, model, regression(lib)) for lib, model in zip((ours, theirs), pair)))


def test_weight_decay_scratch():
    class Reference(theirs.LinearRegressionScratch):
        def loss(self, y_hat, y):
            return super().loss(y_hat, y) + 3 * self.w.norm() ** 2 / 2

    torch.manual_seed(0)
    model = ours.WeightDecayScratch(20, lambd=3, lr=0.01)
    a = losses(ours, model, regression(ours, 20))
    torch.manual_seed(0)
    b = losses(theirs, Reference(20, lr=0.01), regression(theirs, 20))
    assert_same(a, b, labels=['train_loss'])
    # Defect 13: the original's validation loss has the penalty in it.
    penalty = 3 * ours.l2_penalty(model.w.detach())
    torch.testing.assert_close(a['val_loss'][-1] + penalty, b['val_loss'][-1], rtol=1e-5, atol=1e-6)


def test_weight_decay_concise():
    class Reference(theirs.LinearRegression):
        def configure_optimizers(self):
            decayed = {'params': [self.net.weight], 'weight_decay': 3}
            return torch.optim.SGD([decayed, {'params': [self.net.bias]}], lr=0.01)

    pair = started_alike(ours.WeightDecay(wd=3, lr=0.01), Reference(lr=0.01), torch.ones(1, 20))
    assert_same(*(losses(lib, model, regression(lib, 20)) for lib, model in zip((ours, theirs), pair)))


class ReferenceScratch(theirs.Classifier):
    """Layers of plain tensors, drawn in the order of the book; probabilities if there is one layer."""

    def __init__(self, sizes, draw, lr):
        super().__init__()
        self.lr, self.layers = lr, []
        for n, m in pairwise(sizes):
            self.layers.append((draw(n, m).requires_grad_(), torch.zeros(m, requires_grad=True)))

    def parameters(self):
        return [p for layer in self.layers for p in layer]

    def forward(self, X):
        X = X.flatten(1)
        for W, b in self.layers[:-1]:
            X = F.relu(torch.addmm(b, X, W))
        return torch.addmm(self.layers[-1][1], X, self.layers[-1][0])


ALL = ('train_loss', 'val_loss', 'val_acc')


def test_softmax_regression_scratch(images):
    def make(lib):
        if lib is ours:
            return lib.SoftmaxRegressionScratch(784, 10, lr=0.1)
        return ReferenceScratch([784, 10], lambda n, m: torch.normal(0, 0.01, (n, m)), lr=0.1)
    assert_same(*both(make, lambda lib: image_data(lib, images)), labels=ALL)


def test_softmax_regression_concise(images):
    assert_same(*both(lambda lib: lib.SoftmaxRegression(10, lr=0.1), lambda lib: image_data(lib, images)), labels=ALL)


@pytest.mark.parametrize('several', [False, True])
def test_mlp_scratch(images, several):
    def make(lib):
        if lib is theirs:
            return ReferenceScratch([784, 32, 10], lambda n, m: torch.randn(n, m) * 0.01, lr=0.5)
        return lib.MulMLPScratch(784, 10, [32], lr=0.5) if several else lib.MLPScratch(784, 10, 32, lr=0.5)
    assert_same(*both(make, lambda lib: image_data(lib, images)), labels=ALL)


def sequential(*layers, lr):
    """A d2l Classifier over torch's layers."""
    model = theirs.Classifier()
    model.lr, model.net = lr, nn.Sequential(nn.Flatten(), *layers)
    return model


@pytest.mark.parametrize('several', [False, True])
def test_mlp_concise(images, several):
    def make(lib):
        if lib is theirs:
            return sequential(nn.LazyLinear(32), nn.ReLU(), nn.LazyLinear(10), lr=0.1)
        return lib.MulMLP(10, [32], lr=0.1) if several else lib.MLP(10, 32, lr=0.1)
    assert_same(*both(make, lambda lib: image_data(lib, images)), labels=ALL)


def test_dropout_concise(images):
    def make(lib):
        if lib is ours:
            return lib.DropoutMLP(10, 32, 16, 0.3, 0.5, lr=0.1)
        return sequential(nn.LazyLinear(32), nn.ReLU(), nn.Dropout(0.3), nn.LazyLinear(16), nn.ReLU(), nn.Dropout(0.5),
                          nn.LazyLinear(10), lr=0.1)
    assert_same(*both(make, lambda lib: image_data(lib, images)), labels=ALL)


def test_dropout_scratch(images):
    class Drop(nn.Module):
        def __init__(self, p):
            super().__init__()
            self.p = p

        def forward(self, X):  # keeps where a uniform number exceeds p, as the book draws it
            return X.masked_fill(torch.rand(X.shape) <= self.p, 0) / (1 - self.p) if self.training else X

    def make(lib):
        if lib is ours:
            return lib.DropoutMLPScratch(10, 32, 16, 0.3, 0.5, lr=0.1)
        return sequential(nn.LazyLinear(32), nn.ReLU(), Drop(0.3), nn.LazyLinear(16), nn.ReLU(), Drop(0.5),
                          nn.LazyLinear(10), lr=0.1)
    assert_same(*both(make, lambda lib: image_data(lib, images)), labels=ALL)


def test_gradient_clipping():
    def clipped(lib):  # defect 7: the original clips only models whose tensors are parameters
        torch.manual_seed(0)
        model = lib.SoftmaxRegression(3, lr=1.0)
        model.board.display = False
        data = image_data(lib, (torch.randn(64, 5), torch.arange(64) % 3, torch.randn(64, 5), torch.arange(64) % 3))
        lib.Trainer(max_epochs=2, gradient_clip_val=0.05).fit(model, data)
        return torch.cat([p.detach().flatten() for p in model.parameters()])
    torch.testing.assert_close(clipped(ours), clipped(theirs))


@pytest.mark.slow
@pytest.mark.parametrize('resize', [(28, 28), (32, 32), (17, 40)])
def test_fashion_mnist_batches(resize, tmp_path, monkeypatch):
    """The same shuffled batches; resized values within one grey level, for Pillow rounds in between."""
    raw = tmp_path / 'data/FashionMNIST/raw'
    raw.mkdir(parents=True)
    for path in (ours.data_root() / 'FashionMNIST/raw').glob('*.gz'):
        (raw / path.name).symlink_to(path)
    (tmp_path / 'here').mkdir()
    monkeypatch.chdir(tmp_path / 'here')  # the original reads ../data
    reference, data = theirs.FashionMNIST(batch_size=100, resize=resize), ours.FashionMNIST(batch_size=100, resize=resize)
    reference.num_workers = 0
    assert (len(data.train), len(data.val)) == (len(reference.train), len(reference.val)) == (60000, 10000)
    for loader in ('train_dataloader', 'val_dataloader'):
        batches = []
        for module in (data, reference):
            torch.manual_seed(0)
            batches.append(next(iter(getattr(module, loader)())))
        (X, y), (X_ref, y_ref) = batches
        assert (type(batches[0]), X.shape, X.dtype, y.dtype) == (type(batches[1]), X_ref.shape, X_ref.dtype, y_ref.dtype)
        assert torch.equal(y, y_ref)
        torch.testing.assert_close(X, X_ref, rtol=0, atol=0 if resize == (28, 28) else 1.01 / 255)
    assert len(data.train_dataloader()) == len(reference.train_dataloader())
    assert data.text_labels(y) == reference.text_labels(y)
    image, label = data.train[5]
    assert torch.equal(image, reference.train[5][0]) or resize != (28, 28)
    assert label == reference.train[5][1] and isinstance(label, int)
