"""Code of sections 2.1 to 5.7 of D2L, written for `from d2l import torch as d2l`, finds what it needs in d2l_utils.

The cells of those sections were run as they are with `import d2l_utils as d2l`; here is what they rely on.
"""
import numpy as np
import pytest
import torch
from torch import nn

import d2l_utils as d2l

# Section -> the names that its cells reach through `d2l`. Sections without an entry use torch and pandas alone.
NAMES = {
    '2.4': 'plt',
    '2.6': 'plt set_figsize',
    '3.1': 'ones plot zeros',
    '3.2': 'HyperParameters ProgressBoard cpu nn_Module numpy to',
    '3.3': 'DataModule add_to_class matmul randn reshape tensor',
    '3.4': 'HyperParameters Module SyntheticRegressionData Trainer add_to_class matmul normal reduce_mean reshape tensor '
           'zeros',
    '3.5': 'Module SyntheticRegressionData Trainer add_to_class reshape tensor',
    '3.7': 'DataModule LinearRegression LinearRegressionScratch Trainer matmul ones randn reduce_sum',
    '4.2': 'DataModule add_to_class show_images use_svg_display',
    '4.3': 'Module add_to_class argmax astype float32 reduce_mean reshape',
    '4.4': 'Classifier FashionMNIST Trainer add_to_class argmax astype exp log matmul rand reduce_mean reduce_sum reshape '
           'tensor',
    '4.5': 'Classifier FashionMNIST Trainer add_to_class reshape',
    '5.1': 'plot',
    '5.2': 'Classifier FashionMNIST Trainer add_to_class matmul reshape',
    '5.4': 'plot',
    '5.6': 'Classifier FashionMNIST Trainer',
    '5.7': 'DATA_URL DataModule LinearRegression Trainer add_to_class concat download exp float32 log numpy reduce_mean '
           'reshape tensor',
}


@pytest.mark.parametrize('section', NAMES)
def test_the_names_of_a_section_are_there(section):
    assert [name for name in NAMES[section].split() if not hasattr(d2l, name)] == []


def test_the_tensor_operations_do_what_their_names_say():
    X = d2l.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert d2l.reduce_sum(X, 0, keepdims=True).tolist() == [[5, 7, 9]]
    assert d2l.reduce_sum(X, 1).tolist() == [6, 15]
    assert d2l.reduce_mean(X) == 3.5
    assert d2l.argmax(X, axis=1).tolist() == [2, 2]
    assert d2l.reshape(X, (-1, 2)).shape == (3, 2) and d2l.reshape(X, -1).shape == (6,)
    assert d2l.matmul(X, d2l.ones((3, 1))).tolist() == [[6], [15]]
    assert torch.allclose(d2l.log(d2l.exp(X)), X)
    assert d2l.concat([X, X], 1).shape == (2, 6)
    assert d2l.astype(X > 2, d2l.float32).tolist() == [[0, 0, 1], [1, 1, 1]]
    assert d2l.zeros(3).tolist() == [0, 0, 0] and d2l.zeros(1, requires_grad=True).is_leaf
    assert d2l.normal(0, 0.01, (3, 1), requires_grad=True).requires_grad
    assert d2l.rand((2, 5)).shape == (2, 5) and d2l.randn(4, 2).shape == (4, 2)
    assert type(d2l.numpy(d2l.to(X, d2l.cpu()))) is np.ndarray


def fit(model, data, **kwargs):
    trainer = d2l.Trainer(max_epochs=2, **kwargs)
    trainer.fit(model, data)
    return trainer.history


def test_a_loader_registered_on_the_base_class_serves_the_librarys_data(regression, monkeypatch):
    """Section 3.3 gives DataModule a get_tensorloader of its own, after objects have been made."""
    monkeypatch.setattr(d2l.DataModule, 'get_tensorloader', d2l.DataModule.get_tensorloader)  # undone afterwards

    @d2l.add_to_class(d2l.DataModule)
    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows = torch.utils.data.TensorDataset(*(t[indices] for t in tensors))
        return torch.utils.data.DataLoader(rows, self.batch_size, shuffle=train)

    assert regression.train_dataloader().batch_size == 16
    history = fit(d2l.LinearRegression(0.1), regression)
    assert history['val_loss'][-1] < history['val_loss'][0]


def test_data_that_skips_the_base_classes_init(capsys):
    """Section 3.7 saves the arguments and never calls super().__init__()."""
    class Line(d2l.DataModule):
        def __init__(self, n, batch_size):
            self.save_hyperparameters()
            self.X = torch.randn(n, 3)

        def get_dataloader(self, train):
            return self.get_tensorloader([self.X, self.X.sum(1, keepdim=True)], train)

    class Penalised(d2l.LinearRegressionScratch):
        def __init__(self, num_inputs, factor, lr):
            super().__init__(num_inputs, lr)
            self.save_hyperparameters()

        def loss(self, y_hat, y):
            return super().loss(y_hat, y) + self.factor * self.w.abs().sum()

    data, model = Line(20, batch_size=5), Penalised(3, 0.01, lr=0.1)
    model.board.yscale = 'log'
    history = fit(model, data)
    assert history['val_loss'][-1] < history['val_loss'][0]


def test_a_classifier_whose_parameters_are_a_list_of_plain_tensors(capsys):
    """Section 4.4 overrides parameters() and leaves the optimizer to the base class."""
    class Plain(d2l.Classifier):
        def __init__(self, lr):
            super().__init__()
            self.save_hyperparameters()
            self.W = d2l.normal(0, 0.01, (4, 2), requires_grad=True)

        def parameters(self):
            return [self.W]

        def forward(self, X):
            return d2l.matmul(d2l.reshape(X, (-1, 4)), self.W)

    class Signs(d2l.DataModule):
        batch_size = 8

        def get_dataloader(self, train):
            X = torch.randn(32, 1, 2, 2)
            return self.get_tensorloader((X, (X.sum((1, 2, 3)) > 0).long()), train)

    assert fit(Plain(0.5), Signs(), gradient_clip_val=1)['val_acc'][-1] > 0.7


def test_folds_of_a_data_module_of_ones_own():
    """Section 5.7 reads the last point of a board, and puts the predictions of several models side by side."""
    data = d2l.SyntheticRegressionData(torch.ones(3), 0.0, num_train=40, num_val=8)
    models, losses = [], []
    for i in range(2):
        model = d2l.LinearRegression(0.1)
        model.board.display = i == 0
        history = fit(model, data)
        losses.append(float(model.board.data['val_loss'][-1].y))
        assert losses[-1] == pytest.approx(history[-1]['val_loss'])
        models.append(model)
    both = d2l.reduce_mean(d2l.exp(d2l.concat([model(data.X) for model in models], 1)), 1)
    assert d2l.numpy(both).shape == (48,)


class Masked(d2l.Classifier):
    """As in section 5.6, a mask is made on the CPU whatever the device of X. No GPU is here to complain: we do."""

    def __init__(self, lr=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.LazyLinear(2)

    def to(self, device):
        return self

    def forward(self, X):
        if self.trainer.device.type != 'cpu':
            raise RuntimeError('Expected all tensors to be on the same device, but found at least two devices, '
                               f'{self.trainer.device} and cpu!')
        return self.net(X * (torch.rand(X.shape) > 0.5))


class Rows(d2l.DataModule):
    batch_size = 4

    def get_dataloader(self, train):
        return self.get_tensorloader((torch.randn(8, 3), torch.zeros(8, dtype=torch.long)), train)


def test_code_written_for_the_cpu_is_trained_there(monkeypatch, capsys):
    """num_gpus=0 is the CPU in D2L; here the trainer takes a GPU, and goes back where the model cannot follow."""
    monkeypatch.setattr('d2l_utils.trainer.best_device', lambda: torch.device('meta'))
    trainer = d2l.Trainer(max_epochs=2)
    assert trainer.device.type == 'meta'
    trainer.fit(Masked(), Rows())
    assert trainer.device.type == 'cpu' and len(trainer.history['val_acc']) == 2
    assert len(trainer.history.steps['train_loss']) == 4
    assert 'mixes tensors on meta and on the CPU: training on the CPU' in capsys.readouterr().out
    with pytest.raises(RuntimeError, match='same device'):  # who chose the device keeps it
        d2l.Trainer(1, device='meta').fit(Masked(), Rows())
