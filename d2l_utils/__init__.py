"""The book's framework: `import d2l_utils as d2l`. A drop-in for `from d2l import torch as d2l`, chapters 2 to 5.

Read it in this order: hyperparameters, board, module, trainer; then linear, classification, mlp.
"""
from .board import ProgressBoard
from .classification import Classifier, SoftmaxRegression, SoftmaxRegressionScratch, cross_entropy, softmax
from .fashion_mnist import FashionMNIST
from .files import DATA_HUB, DATA_URL, data_file, data_root, extract
from .graphs import show_dot, show_graph
from .history import History
from .houses import KaggleHouse, download, k_fold, k_fold_data
from .hyperparameters import HyperParameters, add_to_class
from .lazy import ALIASES, LAZY, cure_torchvision, load
from .linear import (
    SGD,
    LinearRegression,
    LinearRegressionScratch,
    SyntheticRegressionData,
    WeightDecay,
    WeightDecayScratch,
    l2_penalty,
)
from .mlp import MLP, DropoutMLP, DropoutMLPScratch, MLPScratch, MulMLP, MulMLPScratch, dropout_layer, relu
from .module import DataModule, Module
from .plots import plot, set_axes, set_figsize, show_images, use_svg_display
from .system import Timer, best_device, cpu, gpu, num_gpus, try_all_gpus, try_gpu
from .trainer import Trainer

__all__ = [
    'DATA_HUB', 'DATA_URL', 'MLP', 'SGD', 'Classifier', 'DataModule', 'DropoutMLP', 'DropoutMLPScratch',
    'FashionMNIST', 'History', 'HyperParameters', 'KaggleHouse', 'LinearRegression', 'LinearRegressionScratch',
    'MLPScratch', 'Module', 'MulMLP', 'MulMLPScratch', 'ProgressBoard', 'SoftmaxRegression',
    'SoftmaxRegressionScratch', 'SyntheticRegressionData', 'Timer', 'Trainer', 'WeightDecay', 'WeightDecayScratch',
    'add_to_class', 'best_device', 'cpu', 'cross_entropy', 'data_file', 'data_root', 'download', 'dropout_layer',
    'extract', 'gpu', 'k_fold', 'k_fold_data', 'l2_penalty', 'num_gpus', 'plot', 'relu', 'set_axes', 'set_figsize',
    'show_dot', 'show_graph', 'show_images', 'softmax', 'try_all_gpus', 'try_gpu', 'use_svg_display',
]

globals().update(ALIASES)  # d2l.reshape, d2l.reduce_sum, ...
_torchvision_schemas = cure_torchvision()


def __getattr__(name):
    return load(name)  # d2l.plt, d2l.pd, ...: imported when first used


def __dir__():
    return sorted({*globals(), *LAZY})
