"""The parts of chapter A's engine that its pages build on: right in themselves, put in where the reader's fail."""
import numpy as np
import pytest
import torch

from d2l_utils import engine_parts as parts

rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def nothing_lent():
    """All parts work, whatever a page that ran in this process before has lent, or lends in a test."""
    with parts.switched_on():
        yield


def test_the_engine_adds_up_what_comes_back_by_several_ways():
    engine, a = parts.Autograd(), np.array([5.])
    b = a + a
    engine.add_operation([a, a], b, [None, None], parts.add_backward)
    c = b * b
    engine.add_operation([b, b], c, [None, None], parts.mul_backward)
    engine.backward(np.array([1.]))
    assert parts.gradient_of(engine, a) == 8 * 5 and parts.gradient_of(engine, b) == 20
    engine.zero_grad()
    assert not engine.operation_list and parts.gradient_of(engine, a) == 0


def test_a_backward_function_may_ask_torch():
    def backward(grad_output, a):
        leaf = torch.tensor(a, requires_grad=True)
        (leaf ** 3).sum().backward()
        return grad_output * leaf.grad.numpy()

    engine, a = parts.Autograd(), np.array([2., -1.])
    engine.add_operation([a], np.array((a ** 3).sum()), [None], backward)
    engine.backward(10.)
    assert parts.gradient_of(engine, a).tolist() == [120., 30.]


def test_what_is_recorded_wrongly_is_named():
    engine, a = parts.Autograd(), np.ones(2)
    with pytest.raises(TypeError, match="float64, not an array"):
        engine.add_operation([a.sum()], a, [None], parts.exp_backward)
    with pytest.raises(ValueError, match="2 inputs, but 1"):
        engine.add_operation([a, a], a + a, [None], parts.add_backward)
    engine.add_operation([a, a, a], a + a, [None] * 3, lambda g, *inputs: (g, g))
    with pytest.raises(ValueError, match="2 gradient.* 3 input"):
        engine.backward(1.)
    with pytest.raises(ValueError, match=r"the divergence has shape \(3,\) and the last recorded output \(2,\)"):
        engine.backward(np.ones(3))
    with pytest.raises(ValueError, match=r"matmul_backward got inputs of shapes \(2,\) and \(3, 1\)"):
        parts.matmul_backward(np.ones(2), a, np.ones((3, 1)))


def test_a_network_trains_as_torch_does():
    engine, model, loss = parts.network((4, 5, 3))
    net = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.ReLU(), torch.nn.Linear(5, 3)).double()
    with torch.no_grad():
        for layer, there in zip(model.layers[::2], net[::2]):
            there.weight.copy_(torch.tensor(layer.W)), there.bias.copy_(torch.tensor(layer.b[:, 0]))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    X, Y = rng.normal(size=(7, 4)), np.eye(3)[rng.integers(0, 3, 7)]
    for _ in range(3):
        engine.zero_grad(), model.zero_grad()
        value = loss(Y, model(X))
        engine.backward(1.)
        model.step(0.1, 0.9)
        optimizer.zero_grad()
        right = torch.nn.functional.cross_entropy(net(torch.tensor(X)), torch.tensor(Y))
        right.backward(), optimizer.step()
        assert np.isclose(value, right.item()) and np.allclose(model.layers[0].W, net[0].weight.detach().numpy())
    assert model.images == 21


def test_sound_puts_the_books_part_only_where_the_readers_fails():
    class Forgets(parts.GradientBuffer):
        def update_param(self, np_array, gradient):
            self._entry(np_array)[...] = torch.as_tensor(gradient)

    def unbroadcast(grad, shape):
        return parts.unbroadcast(grad, shape)

    page = {"GradientBuffer": Forgets, "unbroadcast": unbroadcast, "train_epoch": parts.train_epoch, "other": 1}
    before = dict(page)
    with parts.sound(page, "GradientBuffer", "Operation", "unbroadcast", "train_epoch"):
        assert page["GradientBuffer"] is parts.GradientBuffer and page["Operation"] is parts.Operation
        assert page["unbroadcast"] is unbroadcast and page["train_epoch"] is parts.train_epoch
    assert page == before


@pytest.mark.parametrize("name, mistake", [
    ("GradientBuffer", {"get_param": lambda self, a: self._entry(a) * 0}),
    ("GradientBuffer", {"clear": lambda self: None}),
    ("GradientBuffer", {"is_in_memory": lambda self, a: True}),
    ("Operation", {"inputs": property(lambda self: self.__dict__["inputs"][::-1])}),
    ("Operation", {"gradients_to_update": property(lambda self: [0, 0])}),
])
def test_a_part_with_a_mistake_is_not_built_on(name, mistake):
    part = getattr(parts, name)
    page = {name: type(name, (part,), mistake)}
    with parts.sound(page, name):
        assert page[name] is part
    page = {name: type(name, (part,), {})}
    with parts.sound(page, name):
        assert page[name] is not part


def test_switched_off_nothing_of_the_book_works_not_even_inside_the_readers_part():
    class Mine(parts.Autograd):
        pass

    with parts.switched_off():
        for call in (Mine, lambda: parts.exp_backward(1., np.ones(1)), lambda: parts.network((2, 1))):
            with pytest.raises(RuntimeError, match="switched off"):
                call()
    assert parts.exp_backward(1., np.zeros(1)) == 1


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "matmul", "exp", "log", "sigmoid", "tanh", "relu", "identity"])
def test_backward_functions_against_differences(name):
    a, b = rng.uniform(0.5, 2, size=(2, 2)), rng.uniform(0.5, 2, size=(2, 2))     # positive: there |a| is ReLU
    two = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "matmul": np.matmul}
    one = {"exp": np.exp, "log": np.log, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "relu": abs,
           "identity": np.copy}
    g, u, h = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), 1e-6
    rest = (b,) if name in two else ()
    forward = {**two, **one}[name]
    slope = (g * (forward(a + h * u, *rest) - forward(a - h * u, *rest))).sum() / (2 * h)
    found = getattr(parts, f"{name}_backward")(g, a, *rest)
    assert np.isclose(((found[0] if rest else found) * u).sum(), slope)


def test_sum_and_broadcasting():
    a = rng.normal(size=(3, 2))
    assert np.array_equal(parts.sum_backward(2., a), np.full((3, 2), 2.))
    assert np.array_equal(parts.sum_backward(np.array([[1.], [2.], [3.]]), a), np.repeat([[1.], [2.], [3.]], 2, axis=1))
    assert np.array_equal(parts.unbroadcast(np.ones((4, 3, 2)), (3, 1)), np.full((3, 1), 8.))
    found = parts.add_backward(np.ones((3, 2)), a, np.ones(2))
    assert found[0].shape == (3, 2) and np.array_equal(found[1], [3., 3.])


def test_a_page_lends_some_parts_with_what_they_are_made_of():
    parts.lend("Autograd")
    parts.Autograd().zero_grad()
    for call in (lambda: parts.exp_backward(1., np.ones(1)), lambda: parts.network((2, 1)), lambda: parts.Linear(2, 1, None)):
        with pytest.raises(RuntimeError, match="Write your own"):
            call()
    parts.lend("network")
    parts.network((2, 1))
    with parts.switched_off("Network"), pytest.raises(RuntimeError, match="Network .* switched off"):
        parts.network((2, 1))


def test_a_check_that_builds_on_a_part_gets_it_whatever_the_page_lends():
    parts.lend()
    page = {}
    with parts.sound(page, "unbroadcast", "train_epoch"):
        assert page["unbroadcast"](np.ones((2, 3)), (3,)).tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match="switched off"):
        parts.unbroadcast(np.ones(2), ())


def test_an_unbroadcast_that_aligns_at_the_left_is_not_ready():
    def from_the_left(grad, shape):
        axes, rest = [], list(shape)
        for axis, length in enumerate(grad.shape):
            if rest and rest[0] == length:
                rest.pop(0)
            else:
                axes.append(axis)
        return grad.sum(axis=tuple(axes)).reshape(shape)

    page = {"unbroadcast": from_the_left}
    with parts.sound(page, "unbroadcast"):
        assert page["unbroadcast"](np.arange(9.).reshape(3, 3), (3,)).tolist() == [9, 12, 15]


def test_the_oracle_is_no_answer():
    def my_backward(grad_output, a):
        return parts.gradients(np.exp, grad_output, a)

    def unbroadcast(grad, shape):
        return parts.gradients(lambda t: t.expand(grad.shape), grad, np.zeros(shape))[0]

    def compared(a):
        return parts.gradients(lambda t: 3 * t, np.ones(2), a)

    with pytest.raises(RuntimeError, match="my_backward computes its gradients itself"):
        my_backward(np.ones(2), np.ones(2))
    with pytest.raises(RuntimeError, match="unbroadcast computes its gradients itself"):
        unbroadcast(np.ones((3, 2)), (2,))
    assert compared(np.ones(2))[0].tolist() == [3, 3]
    engine = parts.Autograd()       # the book's own parts may ask torch while a reader's function runs
    a, c = np.ones(2), np.exp(np.ones(2))
    engine.add_operation([a], c, [None], lambda g, x: parts.exp_backward(g, x))
    engine.backward(np.ones(2))
    assert np.allclose(engine.gradient_buffer.get_param(a), np.e)


def test_the_buffers_memory_can_be_read_and_written_by_its_locations():
    buffer, a = parts.GradientBuffer(), np.ones(2)
    buffer.add_spot(a)
    location = buffer.get_memory_loc(a)
    buffer.memory[location] = buffer.memory[location] + 3
    buffer.update_param(a, np.array([1., 2.]))
    assert list(buffer.memory) == [location] and buffer.get_param(a).tolist() == [4., 5.]
    buffer.clear()
    assert not buffer.memory and not buffer.is_in_memory(a)


def adds_in_place(grad, shape):
    while grad.ndim > len(shape):
        grad[0] += grad[1:].sum(axis=0)
        grad = grad[0]
    for axis, length in enumerate(shape):
        if length == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad


def by_length(grad, shape):
    axes = [k for k, length in enumerate(grad.shape) if length not in shape]
    return grad.sum(axis=tuple(axes)).reshape(shape) if axes else grad


def in_float32(grad, shape):
    return parts.unbroadcast(grad.astype(np.float32), shape)


def one_axis(grad, shape):
    grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    return next((grad.sum(axis=k, keepdims=True) for k, length in enumerate(shape) if length < grad.shape[k]), grad)


def without_signs(grad, shape):
    return parts.unbroadcast(abs(grad), shape)


def not_of_a_number(grad, shape):
    return parts.unbroadcast(grad, shape) if isinstance(grad, np.ndarray) else None


@pytest.mark.parametrize("wrong", [adds_in_place, by_length, in_float32, one_axis, without_signs, not_of_a_number])
def test_an_unbroadcast_that_fails_is_replaced(wrong):
    page = {"unbroadcast": wrong}
    with parts.sound(page, "unbroadcast"):
        assert page["unbroadcast"] is parts.unbroadcast
    assert page["unbroadcast"] is wrong


class Zeroes(parts.Operation):
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        super().__init__(inputs, output, gradients_to_update, backward_operation)
        for target in gradients_to_update:
            if target is not None:
                target[...] = 0


class MakesFloats(parts.Operation):
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        super().__init__([np.asarray(x, dtype=float) for x in inputs], output, gradients_to_update, backward_operation)


@pytest.mark.parametrize("wrong", [Zeroes, MakesFloats])
def test_an_operation_that_changes_what_it_keeps_is_replaced(wrong):
    page = {"Operation": wrong}
    with parts.sound(page, "Operation"):
        assert page["Operation"] is parts.Operation
