"""Which of the reader's earlier parts a check can build on."""
from contextlib import contextmanager

import numpy as np

from d2l_utils.engine_parts.engine import GradientBuffer, Operation, unbroadcast
from d2l_utils.engine_parts.network import network, train_epoch
from d2l_utils.engine_parts.switch import switched_on


def _try_buffer(cls):
    buffer, other, gift = cls(), cls(), np.array([[0.1, 1., 2.]])      # 0.1 in float32 is another number
    a, twin, b, stranger = np.array([[1, 2, 3]]), np.array([[1, 2, 3]]), np.array(4.), np.array([[1, 2, 3]])
    for array in (a, twin, b):
        buffer.add_spot(array)
    buffer.update_param(a, gift), buffer.add_spot(a), buffer.update_param(a, gift)
    for _ in range(2):      # asking changes nothing
        seen = [buffer.get_param(a), buffer.get_param(twin), buffer.get_param(b), gift]
        wanted = ([[0.1 + 0.1, 2., 4.]], [[0., 0., 0.]], 0., [[0.1, 1., 2.]])
        if not all(np.shape(x) == np.shape(y) and np.array_equal(x, y) for x, y in zip(seen, wanted)):
            return False
    kept = [buffer.is_in_memory(a), buffer.is_in_memory(b), buffer.is_in_memory(stranger), len(buffer.memory), len(other.memory)]
    buffer.clear()
    return kept == [True, True, False, 3, 0] and not buffer.is_in_memory(a) and len(buffer.memory) == 0


def _try_operation(cls):
    inputs, output = [np.array([1.]), np.array([3, 4]), np.array(5.)], np.array([2])        # integers stay what they are
    targets = [None, np.array([6., 7.]), np.array(8.)]
    made = cls(inputs, output, targets, np.add)
    kept = vars(made).values()
    return (len(made.inputs) == len(made.gradients_to_update) == 3
            and all(a is b for a, b in zip([*made.inputs, *made.gradients_to_update], [*inputs, *targets]))
            and any(value is output for value in kept) and any(value is np.add for value in kept)
            and targets[1].tolist() == [6., 7.] and targets[2] == 8.)


def _try_unbroadcast(function):
    for big, small in (((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 3), ()), ((4, 3, 2), (3, 1)), ((2, 2), (2, 2)), ((3, 3), (1,)),
                       ((3, 3), (3, 1)), ((3, 3), (1, 3)), ((3, 3), (3,)), ((2, 3), (1, 1)), ((2, 3, 4), (1, 3, 1)),
                       ((2, 3, 2), (2,))):
        grad = (np.arange(float(np.prod(big))).reshape(big) - 3) / 10       # tenths: in float32 they are other numbers
        given = grad.copy()
        found, wanted = function(given, small), unbroadcast(grad, small)
        if (np.shape(found) != np.shape(wanted) or not np.allclose(found, wanted, rtol=1e-12, atol=1e-14)
                or not np.array_equal(given, grad)):
            return False
    return function(np.float64(2.5), ()) == 2.5         # what NumPy makes of a product of two arrays without an axis


def _try_train_epoch(function):
    X, Y = np.linspace(-1, 1, 15).reshape(5, 3), np.eye(2)[[0, 1, 1, 0, 1]]
    found = []
    for way in (function, train_epoch):
        engine, model, loss = network((3, 2))
        model.layers[0].W[...], model.layers[0].b[...] = np.arange(6.).reshape(2, 3) / 6, 0.25
        found.append([way(model, loss, engine, X, Y, 2, 0.1, 0.9) for _ in range(2)] + [model.layers[0].W, model.layers[0].b])
    return all(np.shape(mine) == np.shape(right) and np.allclose(mine, right) for mine, right in zip(*found))


# name -> (the part of the book, a short trial of the reader's)
_PARTS = {"GradientBuffer": (GradientBuffer, _try_buffer), "Operation": (Operation, _try_operation),
          "unbroadcast": (unbroadcast, _try_unbroadcast), "train_epoch": (train_epoch, _try_train_epoch)}


@contextmanager
def sound(names, *wanted):
    """For a while, `names` (the globals of a page) hold a part of the book for each wanted part that is missing there or fails
    a short trial. So a check looks at one part, whatever an earlier one does."""
    missing = object()
    before = {name: names.get(name, missing) for name in wanted}
    for name in wanted:
        part, trial = _PARTS[name]
        try:
            with switched_on():
                fits = before[name] is not missing and trial(before[name])
        except Exception:
            fits = False
        if not fits:
            names[name] = part
    try:
        with switched_on(*wanted):
            yield
    finally:
        for name, value in before.items():
            if value is missing:
                names.pop(name, None)
            else:
                names[name] = value
