"""The Fashion-MNIST images, straight from their IDX files (section 4.2 of D2L)."""
import os
import struct
import zlib
from functools import lru_cache

import torch
from torch.nn import functional as F

from .files import DEFAULT_ROOT, data_file
from .module import DataModule, batch_loader
from .plots import show_images

LABELS = ('t-shirt', 'trouser', 'pullover', 'dress', 'coat', 'sandal', 'shirt', 'sneaker', 'bag', 'ankle boot')


def read_idx(path):
    """The uint8 tensor in a gzipped IDX file: a magic number 0, 0, 8 (uint8), number of axes; the length of each
    axis as a big-endian uint32; then the values, last axis fastest."""
    return _read_idx(path, os.stat(path).st_mtime_ns)


@lru_cache(maxsize=4)
def _read_idx(path, mtime_ns):  # the four files stay in memory, 55 MB, so that a second FashionMNIST costs nothing
    with open(path, 'rb') as file:
        raw = bytearray(zlib.decompress(file.read(), wbits=31))
    zeros, kind, num_axes = struct.unpack_from('>HBB', raw)
    if (zeros, kind) != (0, 8):
        raise ValueError(f'{path} is no IDX file of uint8: it begins with {raw[:4].hex()}, expected 000008..')
    shape = struct.unpack_from(f'>{num_axes}I', raw, 4)
    return torch.frombuffer(raw, dtype=torch.uint8, offset=4 + 4 * num_axes).reshape(shape)


class ImageDataset(torch.utils.data.Dataset):
    """Grey images in one tensor, with torchvision's interface.

    `data` is (N, height, width) uint8 and `targets` (N,) int64. `dataset[3]` is an image (1, *size) float32 with
    values from 0 to 1 and its class, an int; with a list, slice or tensor of indices it is a whole batch,
    (n, 1, *size) and (n,). Images are resized, bilinearly and antialiased, in one operation for each batch.
    """

    def __init__(self, data, targets, size):
        self.data, self.targets, self.size = data, targets, size
        self.classes = list(LABELS)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        if isinstance(index, list):
            index = torch.tensor(index)
        if torch.is_tensor(index) and index.dtype == torch.int64 and index.dim():  # a third of the time of data[index]
            X, y = self.data.index_select(0, index), self.targets.index_select(0, index)
        else:
            X, y = self.data[index], self.targets[index]
        X = X.reshape(-1, 1, *X.shape[-2:])
        if X.shape[-2:] != self.size:
            X = F.interpolate(X, self.size, mode='bilinear', antialias=True)
        X = X / 255
        return (X, y) if y.dim() else (X[0], int(y))

    def __getitems__(self, indices):  # what a DataLoader of your own asks for: a list of examples
        X, y = self[indices]
        return list(zip(X, y.tolist()))


class FashionMNIST(DataModule):
    """60,000 images of clothes for training and 10,000 for validation, in ten classes (section 4.2).

    `resize` is (height, width) in pixels. Batches are X (batch, 1, height, width) float32 from 0 to 1 and y
    (batch,) int64. `train` and `val` are the data sets.
    """

    def __init__(self, batch_size=64, resize=(28, 28), root=DEFAULT_ROOT):
        super().__init__(root)
        self.save_hyperparameters(ignore=['root'])
        size = torch.Size([resize, resize] if isinstance(resize, int) else resize)
        self.train, self.val = (self._read(name, size) for name in ('train', 't10k'))

    def _read(self, name, size):
        images, labels = (read_idx(data_file(f'FashionMNIST/raw/{name}-{kind}-ubyte.gz', self.root))
                          for kind in ('images-idx3', 'labels-idx1'))
        return ImageDataset(images, torch.from_numpy(labels.numpy().astype('int64')), size)  # a copy: change it freely

    def text_labels(self, indices):
        """The names of the classes `indices`, a list of str."""
        return [LABELS[int(i)] for i in indices]

    def get_dataloader(self, train):
        """Batches of the training images in random order, or of the validation images in order."""
        return batch_loader(self.train if train else self.val, self.batch_size, shuffle=train)

    def visualize(self, batch, nrows=1, ncols=8, labels=()):
        """Show the first images of a batch (X, y) under their class names, or under `labels`."""
        X, y = batch
        show_images(X.squeeze(1), nrows, ncols, titles=labels or self.text_labels(y))
