"""Parts of an automatic differentiation engine for NumPy arrays, with the interface of chapter A (A.2 to A.5).

Each page of that chapter builds on the pages before it. With these parts it runs whatever the reader has written
there. torch differentiates and walks the graph here, so this module answers no exercise.
"""
from .engine import (
    Autograd,
    GradientBuffer,
    Operation,
    add_backward,
    div_backward,
    exp_backward,
    gradient_of,
    gradients,
    identity_backward,
    log_backward,
    matmul_backward,
    mul_backward,
    relu_backward,
    sigmoid_backward,
    sub_backward,
    sum_backward,
    tanh_backward,
    unbroadcast,
)
from .network import Linear, Network, ReLU, SoftmaxCrossEntropy, network, train_epoch
from .switch import lend, switched_off, switched_on
from .trials import sound

__all__ = [
    "Autograd", "GradientBuffer", "Linear", "Network", "Operation", "ReLU", "SoftmaxCrossEntropy", "add_backward",
    "div_backward", "exp_backward", "gradient_of", "gradients", "identity_backward", "lend", "log_backward", "matmul_backward",
    "mul_backward", "network", "relu_backward", "sigmoid_backward", "sound", "sub_backward", "sum_backward",
    "switched_off", "switched_on", "tanh_backward", "train_epoch", "unbroadcast",
]
