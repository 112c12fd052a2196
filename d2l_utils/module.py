"""The two base classes of the book's models and data (section 3.2 of D2L)."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset

from .board import ProgressBoard, as_scalar
from .files import DEFAULT_ROOT, data_root
from .hyperparameters import HyperParameters


class Module(nn.Module, HyperParameters):
    """The base class of models: parameters, loss, one step of training and of validation (section 3.2).

    A subclass sets `self.net` or defines `forward`, and defines `loss`. `board` holds the curves;
    `plot_train_per_epoch` and `plot_valid_per_epoch` say how many points they get in an epoch.
    """

    def __init__(self, plot_train_per_epoch=2, plot_valid_per_epoch=1):
        super().__init__()
        self.save_hyperparameters()
        self.board = ProgressBoard()

    def loss(self, y_hat, y):
        """The loss, a tensor of one element, of predictions `y_hat` against targets `y`."""
        raise NotImplementedError(f'{type(self).__name__} has no loss: define loss(self, y_hat, y)')

    def forward(self, X):
        """Predictions for a batch X, by default those of `self.net`."""
        if not hasattr(self, 'net'):
            raise NotImplementedError(f'{type(self).__name__} has no network: set self.net in __init__, '
                                      'or define forward(self, X)')
        return self.net(X)

    def plot(self, key, value, train):
        """Keep a metric of this batch in the trainer's history and put it on the board.

        The label is 'train_' or 'val_' and `key`; x is the epoch. A point is the mean over several batches; in
        validation each batch counts with its number of examples.
        """
        if not hasattr(self, 'trainer'):
            raise RuntimeError(f'{type(self).__name__} has no trainer yet: call trainer.fit(model, data) first')
        trainer, value = self.trainer, as_scalar(value)
        label = ('train_' if train else 'val_') + key
        rows = getattr(trainer, 'batch_rows', 1)
        if hasattr(trainer, 'record'):  # a trainer written for an exercise may keep no history
            trainer.record(label, value, rows)
        if train:
            x = trainer.train_batch_idx / trainer.num_train_batches
            n = trainer.num_train_batches / self.plot_train_per_epoch
        else:
            x = trainer.epoch + 1
            n = trainer.num_val_batches / self.plot_valid_per_epoch
        self.board.xlabel = 'epoch'
        self.board.draw(x, value, label, every_n=max(1, int(n)), weight=1 if train else rows)

    def training_step(self, batch):
        """The loss of a batch (inputs..., targets), with its graph; the Trainer differentiates it."""
        l = self.loss(self(*batch[:-1]), batch[-1])
        self.plot('loss', l, train=True)
        return l

    def validation_step(self, batch):
        """Put the loss of a validation batch on the board."""
        self.plot('loss', self.loss(self(*batch[:-1]), batch[-1]), train=False)

    def configure_optimizers(self):
        """The optimizer, by default torch's SGD with learning rate `self.lr` (section 4.3)."""
        return torch.optim.SGD(self.parameters(), lr=self.lr)

    def apply_init(self, inputs, init=None):
        """Run the tuple `inputs` through the model, which gives lazy layers their shapes, then apply `init` to
        each layer of `self.net` (section 6.3)."""
        self.forward(*inputs)
        if init is not None:
            self.net.apply(init)


class DataModule(HyperParameters):
    """The base class of data: a loader for training and one for validation (section 3.2).

    A subclass sets `batch_size` and defines `get_dataloader`. `root` is the folder with the data; the default is
    the book's own (see `data_root`). `num_workers` is there for a loader that you write yourself: the loaders
    here cut batches from tensors in memory and need no worker processes.
    """

    def __init__(self, root=DEFAULT_ROOT, num_workers=4):
        self.save_hyperparameters()
        self.root = str(data_root(root))

    def get_dataloader(self, train):
        """The loader of the training data or of the validation data; None where there are none."""
        raise NotImplementedError(f'{type(self).__name__} has no data: define get_dataloader(self, train)')

    def train_dataloader(self):
        """The loader of the training data."""
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        """The loader of the validation data, or None."""
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        """A loader of batches cut from `tensors`, in random order if `train` (section 3.3).

        The tensors have the same length; `indices` selects the rows to use. A batch is a list with
        `self.batch_size` rows of each tensor; the last one may be smaller.
        """
        return batch_loader(TensorDataset(*(a[indices] for a in tensors)), self.batch_size, train)


class Batches(Sampler):
    """The row numbers of each batch, as tensors: one pass over `num_rows` rows, in random order if `shuffle`.

    Draws from torch's random numbers as `DataLoader(..., shuffle=True)` does: the same seed, the same batches.
    """

    def __init__(self, num_rows, batch_size, shuffle):
        self.num_rows, self.batch_size, self.shuffle = num_rows, batch_size, shuffle

    def __len__(self):
        return math.ceil(self.num_rows / self.batch_size)

    def __iter__(self):
        rows = torch.arange(self.num_rows)
        if self.shuffle:
            seed = torch.empty((), dtype=torch.int64).random_().item()
            rows = torch.randperm(self.num_rows, generator=torch.Generator().manual_seed(seed))
        yield from rows.split(self.batch_size) if self.num_rows else ()


def batch_loader(dataset, batch_size, shuffle):
    """A DataLoader that asks `dataset` for a whole batch at once, `dataset[torch.tensor([4, 0, 7])]`, which spares
    the detour over single examples. Errors: ValueError for an empty training set."""
    if shuffle and len(dataset) == 0:
        raise ValueError('the training set is empty: 0 examples, expected at least 1')
    return DataLoader(dataset, sampler=Batches(len(dataset), batch_size, shuffle), batch_size=None)
