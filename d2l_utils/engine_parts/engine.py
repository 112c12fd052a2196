"""Backward functions and an engine, with torch inside."""
import numpy as np
import torch
from torch.nn import functional as F

from d2l_utils.engine_parts.switch import needed, no_answer


def gradients(forward, grad_output, *arrays):
    """The gradients of (grad_output * forward(*arrays)).sum() with respect to each array, by torch, in float64."""
    no_answer("gradients")
    return by_torch(forward, grad_output, *arrays)


def by_torch(forward, grad_output, *arrays):
    """The same for the parts of the book, which may ask torch inside a backward function."""
    leaves = [torch.tensor(np.asarray(a), dtype=torch.float64, requires_grad=True) for a in arrays]
    out = forward(*leaves)
    grad = torch.tensor(np.asarray(grad_output), dtype=torch.float64)
    grad = grad.expand_as(out) if grad.dim() <= out.dim() else grad.reshape(out.shape)
    return [g.numpy() for g in torch.autograd.grad(out, leaves, grad)]


def _backward(name, forward, doc):
    def function(grad_output, *inputs):
        needed(name)
        try:
            found = by_torch(forward, grad_output, *inputs)
        except RuntimeError:
            shapes = " and ".join(str(np.shape(a)) for a in inputs)
            raise ValueError(f"{name} got inputs of shapes {shapes} and a gradient of shape {np.shape(grad_output)}, which do "
                             "not fit: are the recorded inputs the arrays that the operation got?") from None
        return found[0] if len(found) == 1 else tuple(found)
    function.__name__, function.__doc__ = name, doc
    return function


add_backward = _backward("add_backward", torch.add, "The gradients of a and b for a + b.")
sub_backward = _backward("sub_backward", torch.sub, "The gradients of a and b for a - b.")
mul_backward = _backward("mul_backward", torch.mul, "The gradients of a and b for a * b.")
div_backward = _backward("div_backward", torch.div, "The gradients of a and b for a / b.")
matmul_backward = _backward("matmul_backward", torch.matmul, "The gradients of a and b for a @ b.")
exp_backward = _backward("exp_backward", torch.exp, "The gradient of a for exp(a).")
log_backward = _backward("log_backward", torch.log, "The gradient of a for log(a).")
sigmoid_backward = _backward("sigmoid_backward", torch.sigmoid, "The gradient of a for 1 / (1 + exp(-a)).")
tanh_backward = _backward("tanh_backward", torch.tanh, "The gradient of a for tanh(a).")
relu_backward = _backward("relu_backward", torch.relu, "The gradient of a for max(a, 0).")
identity_backward = _backward("identity_backward", torch.clone, "The gradient of a for a copy of a.")
linear_backward = _backward("linear_backward", F.linear, "The gradients of x, W and b for x @ W.T + b.")


def sum_backward(grad_output, a):
    """The gradient of a for a.sum(), or a.sum(axis, keepdims=True) where grad_output has that shape."""
    needed("sum_backward")
    shape = np.shape(grad_output) if np.ndim(grad_output) == np.ndim(a) else ()
    return by_torch(lambda t: t.sum_to_size(shape) if shape else t.sum(), np.reshape(grad_output, shape), a)[0]


def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated."""
    needed("unbroadcast")
    return torch.as_tensor(np.asarray(grad)).sum_to_size(tuple(shape)).numpy()


class GradientBuffer:
    """Gradients of arrays that are no parameters: `memory` has them by the number that get_memory_loc gives."""

    def __init__(self):
        needed("GradientBuffer")
        self.memory, self._alive = {}, []

    def get_memory_loc(self, np_array):
        return id(np_array)

    def is_in_memory(self, np_array):
        return id(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self._alive.append(np_array)        # as long as it lives, no other array gets its number
            self.memory[id(np_array)] = torch.zeros(np.shape(np_array), dtype=torch.float64).numpy()

    def _entry(self, np_array):
        if self.is_in_memory(np_array):
            return self.memory[id(np_array)]
        raise LookupError(f"there is no gradient of an array of shape {np.shape(np_array)}: does add_operation make a spot for "
                          "each input, does the walk begin at the last operation, and is it this very array that was recorded, "
                          "not a copy?")

    def update_param(self, np_array, gradient):
        torch.as_tensor(self._entry(np_array)).add_(torch.as_tensor(np.asarray(gradient)))

    def get_param(self, np_array):
        return self._entry(np_array)

    def clear(self):
        self.memory, self._alive = {}, []


class Operation:
    """What ran: `inputs`, `outputs`, `gradients_to_update`, `backward_function`."""

    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        needed("Operation")
        vars(self).update(inputs=inputs, outputs=output, output=output, gradients_to_update=gradients_to_update,
                          backward_function=backward_operation, backward_operation=backward_operation)


class _Recorded(torch.autograd.Function):
    """A recorded operation as a node of torch's graph, with its own backward function."""

    @staticmethod
    def forward(ctx, operation, *inputs):
        ctx.operation = operation
        return torch.tensor(np.asarray(operation.outputs), dtype=torch.float64)

    @staticmethod
    def backward(ctx, grad):
        operation = ctx.operation
        with torch.enable_grad():       # torch's own walk records nothing; a backward function may use torch as elsewhere
            found = operation.backward_function(grad.numpy().copy(), *operation.inputs)
        found = found if isinstance(found, (tuple, list)) else (found,)
        name = getattr(operation.backward_function, "__name__", "a backward function")
        if len(found) != len(operation.inputs):
            raise ValueError(f"{name} returned {len(found)} gradient(s) for an operation that was recorded with "
                             f"{len(operation.inputs)} input(s)")
        for grad, array in zip(found, operation.inputs):
            if grad is not None and np.shape(grad) != np.shape(array):
                raise ValueError(f"{name} returned a gradient of shape {np.shape(grad)} for an input of shape {np.shape(array)}")
        return (None, *(None if g is None else torch.tensor(np.asarray(g), dtype=torch.float64) for g in found))


class Autograd:
    """Records operations; torch walks the record in reverse, with the backward function of each operation."""

    def __init__(self):
        needed("Autograd")
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            if not isinstance(value, np.ndarray):
                raise TypeError(f"an input of an operation is a {type(value).__name__}, not an array: wrap it, np.array(...)")
        if len(inputs) != len(gradients_to_update):
            raise ValueError(f"{len(inputs)} inputs, but {len(gradients_to_update)} entries in gradients_to_update")
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def zero_grad(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def backward(self, divergence):
        if not self.operation_list:
            raise RuntimeError("no operation is recorded: nothing to go back through")
        nodes, values = {}, []
        for operation in self.operation_list:
            tensors = []
            for array, target in zip(operation.inputs, operation.gradients_to_update):
                if target is not None or _place(array) not in nodes:
                    leaf = torch.tensor(array, dtype=torch.float64, requires_grad=True)
                    values.append((array, target, leaf))
                    nodes |= {_place(array): leaf} if target is None else {}
                tensors.append(leaf if target is not None else nodes[_place(array)])
            nodes[_place(operation.outputs)] = result = _Recorded.apply(operation, *tensors)
            result.retain_grad()
            values.append((operation.outputs, None, result))
        given = torch.as_tensor(np.asarray(divergence), dtype=torch.float64)
        if given.dim() and given.shape != result.shape:
            raise ValueError(f"the divergence has shape {tuple(given.shape)} and the last recorded output {tuple(result.shape)}: "
                             "a number, or an array of the output's shape, is what goes back from it")
        result.backward(given.expand_as(result))
        for array, target, tensor in values:
            if tensor.grad is not None and target is not None:
                target += tensor.grad.numpy()
            elif tensor.grad is not None:
                self.gradient_buffer.add_spot(array)
                self.gradient_buffer.update_param(array, tensor.grad.numpy())


def _place(array):
    array = np.asarray(array)
    return array.__array_interface__["data"][0], array.shape, array.strides


def gradient_of(engine, array):
    """What an engine holds for the array after a walk; zeros where it holds nothing."""
    buffer = engine.gradient_buffer
    return np.array(buffer.get_param(array)) if buffer.is_in_memory(array) else np.zeros(np.shape(array))
