# %% [markdown]
# # A.2-A.3 An automatic differentiation engine
#
# `loss.backward()` computes the gradient of any program made of known operations. In this notebook you write the
# machine that does it, with NumPy alone: a list of operations that is walked in reverse (A.2), and a small rule for
# each operation (A.3). Each part builds on your own earlier ones.
#
# The names and interfaces are those of the homework "autograd" of CMU's course 11-785 (part 1, bonus), so that
# solutions fit in both directions.
#
# **A part that fails does not pull down the next ones.** The checks try your own earlier parts first. Where these
# fail, they go on with stand-ins that the book brings along, written with torch, and say so.

# %% tags=["setup"]
import signal
import time
from contextlib import contextmanager
from types import SimpleNamespace
from d2l_utils.check import *
import numpy as np
import torch

# %% [markdown]
# ## A.2 The engine
#
# ### A list is enough
#
# A program runs its operations one after another, so the order in which they ran is an order in which every value is
# made before it is used. Write each operation down when it runs, and you have the computational graph: a plain
# list. Walk it from the end, and every value has received all of its gradient before it is asked for it, for whatever
# uses a value comes later in the list.
#
# By hand, for $c = a + b$ and $d = c \cdot b$ at $a = 2$, $b = 3$. In reverse: the product first, then the sum. The value
# $b$ is used twice, so its two contributions add up.

# %%
a, b = 2., 3.
c = a + b
d = c * b
d_d = 1.
d_c, d_b = d_d * b, d_d * c         # the product: each factor gets the other one
d_a = d_c                           # the sum hands its gradient on to both
d_b = d_b + d_c
t = torch.tensor([2., 3.], requires_grad=True)
((t[0] + t[1]) * t[1]).backward()
d_a, d_b, t.grad

# %% [markdown]
# The engine needs to know very little of an operation: its inputs, its output, and a *backward function*
# `f(grad_output, *inputs)` that returns one gradient for each input. Given the gradient of the result with respect to
# the output, it applies the chain rule for this one operation.
#
# ### Where the gradients are kept
#
# A NumPy array has no attribute `.grad`, and an array cannot be the key of a dictionary. CMU's engine takes the *memory
# address* of an array's first entry as the key. The address is cheap, and the same array passed to two operations is recognised.
#
# ⚠ An address says where data lies, not which array it is. Look at three things that go wrong:

# %%
def address(array):
    return array.__array_interface__["data"][0]

W = np.arange(6.).reshape(2, 3)
print("W.T has the address of W:  ", address(W.T) == address(W), "with shapes", W.T.shape, W.shape)
print("W[None] has it, too:       ", address(W[None]) == address(W))
print("and so has the first row:  ", address(W[:1]) == address(W))

def of_a_temporary():
    return address(np.ones(50_000) * 2)      # this array is gone when the function returns

print("addresses of 20 arrays that no longer exist:", len({of_a_temporary() for _ in range(20)}), "different ones")
first, second = W.sum(), (2 * W).sum()
print("a sum is no array but a", type(first).__name__, "- two of them have one address:", address(first) == address(second))
first, second = np.array(first), np.array(second)
print("as arrays they have one each:", address(first) != address(second))

# %% [markdown]
# The remedies, which the exercises below test:
#
# - an operation in the list holds its inputs and its output. As long as it does, no address is given away again;
# - an operation that would return a view of its input (`identity`, `expand_dims`, a reshape) returns a **copy**;
# - a parameter's gradient is not kept under its address at all: the operation is handed the array to add it to. That is how
#   `W.T` can be an input: its gradient goes into the view `dW.T`, and so into `dW`;
# - a number that is an input or output is wrapped into an array, `np.array(number)`.

# %% [markdown] task="A.2.1" kind="code" minutes=12 difficulty=2 core=true
# ### The gradient buffer
#
# Write the class `GradientBuffer`. Its attribute `memory` is a dictionary from addresses to gradients, empty at first.
#
# - `get_memory_loc(np_array)`: the address of the array's first entry, an integer (as `address` above)
# - `is_in_memory(np_array)`: whether `memory` has an entry for it
# - `add_spot(np_array)`: makes an entry, zeros of floating point in the array's shape; an entry that is there stays as it is
# - `update_param(np_array, gradient)`: adds `gradient` to the entry
# - `get_param(np_array)`: the entry
# - `clear()`: forgets all entries
#
# `update_param` and `get_param` raise an error (of any kind) for an array without an entry.
#
# **You are done when** the check adds two gradients for one array and finds their sum.

# %% exercise="A.2.1"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    ### BEGIN SOLUTION
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()
    ### END SOLUTION

# %% [markdown] hints="A.2.1"
# 1. What must a value that is used in two operations find in the buffer after the second `add_spot`, and after both updates?
# 2. `memory[key]` of a dictionary raises a `KeyError` by itself where there is no entry. `np.zeros(shape)` is of floating point,
#    `np.zeros_like(x)` is of the dtype of `x`.
# 3. A purse for each guest: `if name not in purses: purses[name] = 0.0`, then `purses[name] = purses[name] + coins`.

# %% check="A.2.1" points=2
@probe
def filled(a, b, first, second):
    buffer = GradientBuffer()
    before = len(buffer.memory)
    buffer.add_spot(a)
    buffer.add_spot(b)
    buffer.update_param(a, first)
    buffer.add_spot(a)
    buffer.update_param(a, second)
    found, begin = buffer.get_memory_loc(a), a.__array_interface__["data"][0]

    def from_begin(where):
        return int(where) - begin if isinstance(where, (int, np.integer)) else -1

    return {"kind": type(found).__name__, "a": np.array(buffer.get_param(a)), "b": np.array(buffer.get_param(b)), "handed over": first,
            "sizes": [before, len(buffer.memory)], "offset": [from_begin(key) for key in list(buffer.memory)[:1]],
            "location": from_begin(found)}

found = filled(np.array([1., 2.]), np.zeros(3), np.array([10., 20.]), np.array([0.5, 0.25]))
assert_true(found["kind"] not in ("tuple", "dict", "NoneType"), f"get_memory_loc returns an integer; found: {found['kind']}",
            hint="`__array_interface__` is a dictionary, and its entry \"data\" a pair, the first of which is the address.")
assert_close(found["a"], np.array([10.5, 20.25]), "two gradients for one array", mistakes={
    "The first gradient is lost: update_param adds, and add_spot leaves an entry alone that is there.": np.array([0.5, 0.25]),
    "Was the first gradient counted twice?": np.array([20.5, 40.25])})
assert_close(found["b"], np.zeros(3), "an array without a gradient so far")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(921)
a, b = rng.integers(0, 9, (2, 3)), rng.normal(size=(4, 1))
first, second = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
found = filled(a, b, first.copy(), second)
assert_equal(found["sizes"], [0, 2], "the number of entries of a new buffer, and with two arrays")
assert_equal(found["location"], 0, "get_memory_loc minus the array's address")
assert_equal(found["offset"], [0], "the first key of memory minus the array's address")
assert_close(found["a"], first + second, "two gradients for an array of integers", hint="The entry is of floating point, whatever the array is.")
assert_close(found["b"], np.zeros((4, 1)), "an array of shape (4, 1) without a gradient")
assert_close(found["handed over"], first, "the first gradient handed over is left as it was",
             hint="The entry is the caller's array itself, and adding in place changes it.")

@probe
def others(a, b):
    buffer = GradientBuffer()
    buffer.add_spot(a)
    said = [int(buffer.is_in_memory(a)), int(buffer.is_in_memory(b))]
    for attempt in (lambda: buffer.get_param(b), lambda: buffer.update_param(b, b)):
        try:
            attempt()
            said.append("no error")
        except Exception:
            said.append("error")
    buffer.clear()
    said += [int(buffer.is_in_memory(a)), len(buffer.memory)]
    buffer.add_spot(a)
    buffer.update_param(a, a)
    return said, np.array(buffer.get_param(a))

said, again = others(rng.normal(size=3), rng.normal(size=3))
assert_equal(said[:2], [1, 0], "is_in_memory (1: yes) for an array with an entry and one without")
assert_equal(said[2:4], ["error", "error"], "what get_param and update_param do for an array without an entry")
assert_equal(said[4:], [0, 0], "is_in_memory and the number of entries after clear()")
assert_close(others(first, second)[1], first, "a buffer that is cleared and used again")
### END HIDDEN TESTS

# %% tags=["setup"]
X = np.arange(6.).reshape(2, 3)
expressions = {"A": "X.T", "B": "X.copy()", "C": "X[None]", "D": "X.reshape(6)", "E": "X[1:]", "F": "X[:, :1]", "G": "X + 0",
               "H": "np.expand_dims(X, 1)", "I": "X.astype(float)", "J": "np.asarray(X)", "K": "X.flatten()", "L": "X.ravel()"}

# %% [markdown] task="A.2.2" kind="explain" minutes=12 difficulty=3 core=true
# ### Whose address is it?
#
# The cell above lists twelve expressions. Which of them give an array with the address of `X`? Predict first, then try. Hand in `same_address`,
# a collection of letters, such as `{"A", "B"}`.
#
# Then explain in words: what does an engine with addresses as keys compute for `y = x[None]` recorded as an operation, and why; why is the address of
# an array that nobody holds no good key; and what are the remedies, for views, for freed arrays and for parameters such as `W.T`?
#
# **You are done when** the check agrees on the first two letters, and your text answers the three questions.

# %% exercise="A.2.2"
### BEGIN SOLUTION
same_address = {"A", "C", "D", "F", "H", "J", "L"}
### END SOLUTION

# %% [markdown] hints="A.2.2"
# 1. Which of these have to move numbers in memory, and which only describe the same numbers in another way?
# 2. A view begins where its first entry lies, which is not always the first entry of `X`. `flatten` always copies, `ravel` only if it must;
#    `astype` copies unless told otherwise.
# 3. For a vector `v` of 9 entries: `v[::2]` begins at the first entry and shares the address, `v[::-1]` begins at the last one and does not.

# %% check="A.2.2" points=1
assert_type(same_address, (set, frozenset, list, tuple, str, dict), "same_address", hint='A collection of letters, such as {"A", "B"}.')
assert_true("A" in list(same_address), "A, the transpose, is among the letters", hint="It describes the same numbers in another way; none of them moves.")
assert_true("B" not in list(same_address), "B, the copy, is not among the letters", hint="A copy has memory of its own.")
### BEGIN HIDDEN TESTS
places = {letter: eval(text, {"np": np, "X": X}).__array_interface__["data"][0] for letter, text in expressions.items()}
wanted = {letter for letter, place in places.items() if place == X.__array_interface__["data"][0]}
assert_equal(sorted(set(same_address) - wanted), [], "letters that do not have the address of X",
             hint="A copy lies elsewhere, and so does a view that begins further on.")
assert_equal(len(wanted - set(same_address)), 0, "the number of letters that are missing", hint="Which others begin at the same first entry, without a copy?")
### END HIDDEN TESTS

# %% [markdown] written="A.2.2" points=3
# ### BEGIN SOLUTION
# `x[None]` is a view, so input and output of the operation have one and the same entry in the buffer. In reverse, the gradient of the output is already in that
# entry when the operation is reached; the operation reads it, hands it on to its input, and so adds it to itself: the gradient of x comes out doubled (or the shapes
# clash, since the entry has the shape of the first one of the two). Once an array is freed, the next one of its size may get its address: the engine then takes the new array for the
# old one and mixes their gradients. Remedies: operations return copies in place of views; the operations in the list hold their inputs and outputs, so nothing in it
# is freed before `zero_grad`; gradients of parameters go into arrays that the operation is handed (`dW`, or its view `dW.T`), so no address is looked up.
#
# **Rubric**
# - [1] Input and output share one entry, so the gradient is counted twice or shapes clash; also accepted: a worked number; lost by "the view has no gradient".
# - [1] Freed addresses are used again, so two arrays are taken for one; also accepted: an example with a temporary; lost by "the address changes over time".
# - [1] Remedies for all three: copy, keep references, hand over the gradient's array; also accepted: keys that include shape, or `id` with references held; lost by "call clear() more often".
# ### END SOLUTION

# %% [markdown] task="A.2.3" kind="code" minutes=4 difficulty=1 core=true
# ### An operation
#
# Write the class `Operation` with `__init__(self, inputs, output, gradients_to_update, backward_operation)`. It keeps the four as its
# attributes `inputs`, `outputs`, `gradients_to_update` and `backward_function`; nothing is copied. (Later versions of the homework call the second and the last `output` and
# `backward_operation`; the check takes both.)
#
# **You are done when** the check finds the inputs and the output.

# %% exercise="A.2.3"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    ### BEGIN SOLUTION
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation
    ### END SOLUTION

# %% [markdown] hints="A.2.3"
# 1. What has to be kept so that one can go back later?
# 2. `self.name = value` makes an attribute. The function is kept, not called.
# 3. For a point: `def __init__(self, x, y): self.x, self.y = x, y`.

# %% check="A.2.3" points=1
@probe
def kept(a, b, out, grad):
    def times(g, first, second):
        return g * second, g * first
    made = Operation([a, b], out, [None, grad], times)
    output = made.outputs if hasattr(made, "outputs") else made.output
    function = made.backward_function if hasattr(made, "backward_function") else made.backward_operation
    grad += 1.
    a += 1.
    return {"inputs": list(made.inputs), "output": output, "result": function(2., 3., 4.),
            "targets": ["None" if t is None else t for t in made.gradients_to_update]}

found = kept(np.array([1.]), np.array([2., 3.]), np.array([5.]), np.zeros(2))
assert_close(found["inputs"], [np.array([2.]), np.array([2., 3.])], "the inputs, the first of which changed after the operation was made",
             hint="The arrays themselves are kept, not copies.")
assert_close(found["output"], np.array([5.]), "the output")
### BEGIN HIDDEN TESTS
found = kept(np.array([1., 2.]), np.array([[2.], [3.]]), np.array([[7.]]), np.array([4., 4.]))
assert_close(found["output"], np.array([[7.]]), "an output of shape (1, 1)")
assert_equal(found["targets"][0], "None", "the first entry of gradients_to_update")
assert_close(found["targets"][1], np.array([5., 5.]), "the second one, an array that changed after the operation was made",
             hint="The arrays themselves are kept, not copies.")
assert_close(found["result"], [8., 6.], "what the backward function returns when it is called", hint="Keep the function itself.")
### END HIDDEN TESTS

# %% [markdown]
# The next cell holds what checks use in place of parts of yours that fail. You need not read it. `StandIn` is an engine with the interface of yours
# that leaves the walk to torch.

# %% tags=["setup"]
# Everybody can read this cell, and it runs beside the answers at grading. So it holds no answer: torch walks the graph
# and differentiates, and the values that the results are compared with never come here.
class StandInBuffer:
    """What GradientBuffer does, by looking through a list."""
    def __init__(self):
        self.memory = []

    def get_memory_loc(self, np_array):
        return id(np_array)

    def is_in_memory(self, np_array):
        return any(array is np_array for array, _ in self.memory)

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory.append((np_array, torch.zeros(np.shape(np_array), dtype=torch.float64)))

    def _entry(self, np_array):
        for array, grad in self.memory:
            if array is np_array:
                return grad
        raise LookupError(f"there is no gradient of an array of shape {np.shape(np_array)}: does add_operation make a spot for each input, does the walk begin "
                          "at the last operation, and is it this very array that was recorded, not a copy?")

    def update_param(self, np_array, gradient):
        self._entry(np_array).add_(torch.as_tensor(np.asarray(gradient)))

    def get_param(self, np_array):
        return self._entry(np_array).numpy()

    def clear(self):
        self.memory = []


def stand_in_operation(inputs, output, gradients_to_update, backward_operation):
    return SimpleNamespace(inputs=inputs, outputs=output, output=output, gradients_to_update=gradients_to_update,
                           backward_function=backward_operation, backward_operation=backward_operation)


def summed(a, like):
    """torch's sum of `a` over the axes that makes it the shape `like`."""
    if np.prod(like) == 1:
        return a.sum().reshape(like)
    axes = [i for i in range(a.dim()) if tuple(a.sum(i).shape) == like or tuple(a.sum(i, keepdim=True).shape) == like]
    return a.sum(axes[0]).reshape(like)


BY_TORCH = {"add_backward": torch.add, "sub_backward": torch.sub, "mul_backward": torch.mul, "div_backward": torch.div,
            "matmul_backward": torch.matmul, "exp_backward": torch.exp, "log_backward": torch.log, "sigmoid_backward": torch.sigmoid,
            "tanh_backward": torch.tanh, "relu_backward": torch.relu, "identity_backward": torch.clone, "outer_backward": torch.outer,
            "linear": torch.nn.functional.linear, "cross_entropy": lambda y, y_hat: torch.nn.functional.cross_entropy(y_hat, y)}


def without_derivative(name):
    """A backward function by name only: torch differentiates this operation."""
    def function(grad_output, *inputs):
        raise NotImplementedError(f"torch differentiates {name} in the stand-in engine")
    function.__name__ = name
    return function


class Recorded(torch.autograd.Function):
    """A recorded operation as a node of torch's graph, with its own backward function."""
    @staticmethod
    def forward(ctx, operation, *inputs):
        ctx.operation = operation
        return torch.tensor(np.asarray(operation.outputs), dtype=torch.float64)

    @staticmethod
    def backward(ctx, grad):
        found = ctx.operation.backward_function(grad.numpy().copy(), *ctx.operation.inputs)
        found = found if isinstance(found, (tuple, list)) else (found,)
        name = getattr(ctx.operation.backward_function, "__name__", "a backward function")
        for grad, array in zip(found, ctx.operation.inputs):
            if grad is not None and np.shape(grad) != np.shape(array):
                raise ValueError(f"{name} returned a gradient of shape {np.shape(grad)} for an input of shape {np.shape(array)}")
        return (None, *(None if g is None else torch.tensor(np.asarray(g), dtype=torch.float64) for g in found))


class StandIn:
    """An engine that hands the operations to torch; `by_torch`: with torch's derivatives where it knows the operation."""
    def __init__(self, by_torch=False):
        self.by_torch, self.operation_list, self.gradient_buffer = by_torch, [], StandInBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for value in inputs:
            if not isinstance(value, np.ndarray):
                raise TypeError(f"an input of an operation is a {type(value).__name__}, not an array: wrap it, np.array(...)")
        if len(inputs) != len(gradients_to_update):
            raise ValueError(f"{len(inputs)} inputs, but {len(gradients_to_update)} entries in gradients_to_update")
        self.operation_list.append(stand_in_operation(inputs, output, gradients_to_update, backward_operation))

    def zero_grad(self):
        self.operation_list, self.gradient_buffer = [], StandInBuffer()

    def backward(self, divergence):
        nodes, values, key = {}, [], lambda a: (np.asarray(a).__array_interface__["data"][0], np.shape(a), np.asarray(a).strides)
        for operation in self.operation_list:
            tensors = []
            for array, target in zip(operation.inputs, operation.gradients_to_update):
                if target is not None or key(array) not in nodes:
                    leaf = torch.tensor(array, dtype=torch.float64, requires_grad=True)
                    values.append((array, target, leaf))
                    nodes |= {key(array): leaf} if target is None else {}
                tensors.append(leaf if target is not None else nodes[key(array)])
            nodes[key(operation.outputs)] = result = self._run(operation, tensors)
            result.retain_grad()
            values.append((operation.outputs, None, result))
        result.backward(torch.as_tensor(divergence, dtype=torch.float64).expand_as(result))
        for array, target, tensor in values:
            if tensor.grad is not None and target is not None:
                target += tensor.grad.numpy()
            elif tensor.grad is not None:
                self.gradient_buffer.memory.append((array, tensor.grad))

    def _run(self, operation, tensors):
        name, shape = getattr(operation.backward_function, "__name__", ""), np.shape(operation.outputs)
        if self.by_torch:
            try:
                made = BY_TORCH[name](*tensors) if name in BY_TORCH else summed(*tensors, shape) if name == "sum_backward" else None
            except RuntimeError:
                shapes = " and ".join(str(tuple(t.shape)) for t in tensors)
                raise ValueError(f"{name} is recorded with inputs of shapes {shapes}, which do not fit: are these the arrays that the operation got?") from None
            if made is not None and tuple(made.shape) == shape:
                return made + torch.tensor(np.asarray(operation.outputs) - made.detach().numpy())       # the recorded values
            if made is not None:
                raise ValueError(f"the inputs of {name} give the shape {tuple(made.shape)}, but an output of shape {shape} is recorded")
        return Recorded.apply(operation, *tensors)


@contextmanager
def replaced(**others):
    """Other values for global names, for a while."""
    names = globals()
    before = {name: names[name] for name in others if name in names}
    names.update(others)
    try:
        yield
    finally:
        for name in others:
            del names[name]
        names.update(before)


@contextmanager
def at_most(seconds):
    """TimeoutError after so many seconds of computing in this thread, where the system can (not on Windows)."""
    end = time.thread_time() + seconds

    def stop(number, frame):
        if time.thread_time() >= end:       # the timer also counts the threads of a matrix product
            raise TimeoutError(f"more than {seconds} seconds of computing")
    if not hasattr(signal, "SIGVTALRM"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def an_engine(way):
    """Your engine, or what stands in for it."""
    if way == "yours":
        yield Autograd()
    elif way == "parts":
        with replaced(Operation=stand_in_operation, GradientBuffer=StandInBuffer):
            yield Autograd()
    else:
        names = [*BY_TORCH, "sum_backward"] if way == "torch" else []
        with replaced(**{name: without_derivative(name) for name in names}):
            yield StandIn(by_torch=way == "torch")


def gradient_of(engine, array):
    """What the engine holds for the array after a walk; zeros where it holds nothing."""
    buffer = engine.gradient_buffer
    return np.array(buffer.get_param(array)) if buffer.is_in_memory(array) else np.zeros(np.shape(array))


STAND_INS = {"parts": "A.2.1 and A.2.3", "engine": "your engine of A.2", "torch": "your parts A.2 and A.3", "all": "your parts A.2 to A.4",
             "helper": "your unbroadcast of A.3.1", "before": "your parts A.2 to A.5.2"}


def whichever(check, *ways):
    """Runs check("yours"), and where it fails check(way) with stand-ins for earlier parts, the last of which decides."""
    reason = ""
    for way in ("yours", *ways):
        try:
            check(way)
        except Exception as error:
            if way != ways[-1]:
                reason = reason or " ".join(str(error).split())[:200]
                continue
            if not isinstance(error, CheckFailed):
                raise
            note = f"(The same with the book's stand-ins for {STAND_INS[way]}: the mistake is in this part.)"
            raise CheckFailed(error.what, error.problem, f"{error.hint} {note}".strip()) from None
        if way != "yours":
            assert_true(True, f"with the book's stand-ins for {STAND_INS[way]}, since with yours it fails ({reason})")
        return

# %% [markdown] task="A.2.4" kind="code" minutes=25 difficulty=4 core=true
# ### The engine
#
# Write the class `Autograd`. Its attributes are `operation_list`, an empty list, and `gradient_buffer`, a `GradientBuffer`.
#
# - `add_operation(inputs, output, gradients_to_update, backward_operation)`: makes a spot in the buffer for each input and appends an
#   `Operation` to the list. `inputs` and `gradients_to_update` are lists of equal length.
# - `backward(divergence)`: walks the list from its end. The last operation's `grad_output` is `divergence`, a number or an array; that of each
#   other is what the buffer holds for its output. The operation's backward function is called as `f(grad_output, *inputs)`. The gradient of input $i$ is added, **in place**,
#   to `gradients_to_update[i]` if this is an array (the gradient of a parameter), and to the buffer's entry of the input if it is `None` (an intermediate value).
# - `zero_grad()`: forgets all operations and clears the buffer. Gradients of parameters stay.
#
# Two conventions. A backward function of a single input returns its gradient itself; one of several inputs returns a tuple, a gradient for each. A gradient of
# `None` means that this input needs none (labels, for example): it is left out.
#
# **You are done when** the check gets 4 for $b = a + a$, $c = b + b$. Chains of 1,000 operations are tested, too: do not recurse.

# %% exercise="A.2.4" uses="A.2.1, A.2.3"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    ### BEGIN SOLUTION
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        if len(inputs) != len(gradients_to_update):
            raise ValueError(f"{len(inputs)} inputs, but {len(gradients_to_update)} entries in gradients_to_update")
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
    ### END SOLUTION

# %% [markdown] hints="A.2.4"
# 1. Which operation's gradient is known at the start? In which order must the others follow so that each output's gradient is complete?
# 2. `reversed(list)` walks from the end. `target += grad` changes an array in place, `target = target + grad` makes a new one that nobody else sees.
# 3. For $u = 2p$, $v = 3u$ at a divergence of 1: the list is [double, triple]. `triple` gets 1 and puts 3 into the entry of $u$; `double` reads this 3 and puts
#    6 into the entry of $p$.

# %% check="A.2.4" points=4
@probe
def fan_out(way, a, divergence):
    def both(g, first, second):
        return g, g
    with an_engine(way) as engine:
        b = a + a
        engine.add_operation([a, a], b, [None, None], both)
        c = b + b
        engine.add_operation([b, b], c, [None, None], both)
        count = len(engine.operation_list)
        engine.backward(divergence)
        grads = [gradient_of(engine, x) for x in (a, b)]
        engine.zero_grad()
        return grads, [count, len(engine.operation_list), len(engine.gradient_buffer.memory)]

def four(way):
    grads, counts = fan_out(way, np.array([5.]), np.array([1.]))
    assert_equal(counts[0], 2, "the number of operations in the list")
    assert_close(grads[0], np.array([4.]), "the gradient of a for b = a + a, c = b + b", mistakes={
        "Contributions add up: of an input that an operation has twice, and of several operations.": np.array([1.]),
        "Somewhere a contribution is lost: they add up.": np.array([2.])})

whichever(four, "parts")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(924)

@probe
def program(way, leaves, lines, divergence):
    def add(g, a, b):
        return g, g
    def mul(g, a, b):
        return g * b, g * a
    def sin(g, a):
        return g * np.cos(a)
    with an_engine(way) as engine:
        values = [np.array(leaf) for leaf in leaves]
        for name, *at in lines:
            inputs = [values[i] for i in at]
            if name == "sin":
                values.append(np.array(np.sin(inputs[0])))
                engine.add_operation(inputs, values[-1], [None], sin)
            else:
                values.append(np.array(inputs[0] + inputs[1] if name == "add" else inputs[0] * inputs[1]))
                engine.add_operation(inputs, values[-1], [None, None], add if name == "add" else mul)
        engine.backward(divergence)
        return [gradient_of(engine, v) for v in values[:-1]]

def program_by_torch(leaves, lines, divergence):
    values = [torch.tensor(leaf, dtype=torch.float64, requires_grad=True) for leaf in leaves]
    for name, *at in lines:
        a, b = values[at[0]], values[at[-1]]
        values.append(torch.sin(a) if name == "sin" else a + b if name == "add" else a * b)
    grads = torch.autograd.grad(values[-1], values[:-1], torch.tensor(np.asarray(divergence)))
    return [g.numpy() for g in grads]

def follows(leaves, lines, what):
    divergence = rng.normal(size=np.shape(leaves[0]))
    right = program_by_torch(leaves, lines, divergence)
    def run(way):
        found = program(way, leaves, lines, divergence)
        for i, (yours, grad) in enumerate(zip(found, right)):
            assert_close(yours, grad, f"{what}: the gradient of value {i}", rtol=1e-10, atol=1e-10,
                         hint="A backward function of a single input returns its gradient itself, no tuple. And does each input get its own gradient?")
    whichever(run, "parts")

def random_program(length):
    """Three leaves; each line uses the value before it, so that all of them count, and any earlier one."""
    lines = [["mul", 0, 1], ["add", 3, 2]]
    for last in range(4, 4 + length):
        name = ["add", "mul", "sin"][rng.integers(3)]
        at = [last] if name == "sin" else [last, int(rng.integers(0, last + 1))]
        lines.append([name, *at[::int(rng.choice([1, -1]))]])
    return lines

with part(1, "chains"):
    follows([rng.normal(size=(3, 2)), rng.normal(size=(3, 2))], [["mul", 0, 1], ["sin", 2], ["sin", 3]], "a product and two sines")
    follows([np.array(0.3), np.array(-1.2)], [["add", 0, 1], ["sin", 2], ["mul", 3, 1]], "0-d arrays")
    long = [["mul", 0, 1]] + [["sin" if i % 2 else "add", *([i + 2] if i % 2 else [i + 2, 1])] for i in range(999)]
    follows([rng.normal(size=2) / 9, rng.normal(size=2) / 9], long, "a chain of 1,000 operations")
with part(1, "fan-out and inputs used twice"):
    follows([rng.normal(size=4), rng.normal(size=4)], [["mul", 0, 0], ["mul", 2, 1], ["add", 3, 0], ["mul", 4, 4]], "squares and a value used three times")
    for k in range(5):
        follows([rng.normal(size=(2, 3)) / 2 for _ in range(3)], random_program(8), f"random program {k}")

@probe
def layer(way, x, W, b, labels, dW, db, divergence, times):
    def product(g, x, W_t):
        return g @ W_t.T, x.T @ g
    def shifted(g, z, b):
        return g, g.sum(axis=0)
    no_gradient = None
    def pick(g, z, labels):
        return np.asarray(g) * labels, no_gradient
    with an_engine(way) as engine:
        seen = []
        for i in range(times):
            engine.zero_grad()
            z = x @ W.T
            engine.add_operation([x, W.T], z, [None, dW.T], product)
            y = z + b
            engine.add_operation([z, b], y, [None, db], shifted)
            out = np.array((y * labels).sum())
            engine.add_operation([y, labels], out, [None, None], pick)
            engine.backward(divergence * (i + 1))
            seen.append(gradient_of(engine, x))
        engine.zero_grad()
        return seen, dW, db, [len(engine.operation_list), len(engine.gradient_buffer.memory)]

x, W, b, labels = rng.normal(size=(5, 3)), rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=(5, 2))
start_W, start_b = rng.normal(size=(2, 3)), rng.normal(size=2)

def parameters(way):
    seen, dW, db, sizes = layer(way, x, W, b, labels, start_W.copy(), start_b.copy(), 1.5, 1)
    assert_close(seen[0], 1.5 * labels @ W, "the gradient of the layer's input", rtol=1e-10, atol=1e-10)
    assert_close(dW, start_W + 1.5 * labels.T @ x, "dW, which was not zero before and is updated through its view dW.T", rtol=1e-10, atol=1e-10, mistakes={
        "The array in gradients_to_update is as it was: add to it in place.": start_W,
        "Gradients are added to what is there, they do not replace it.": 1.5 * labels.T @ x})
    assert_close(db, start_b + 1.5 * labels.sum(axis=0), "db", rtol=1e-10, atol=1e-10)

def twice(way):
    seen, dW, db, sizes = layer(way, x, W, b, labels, start_W.copy(), start_b.copy(), -0.5, 2)
    assert_equal(sizes, [0, 0], "the operations in the list and the entries of the buffer after zero_grad()")
    assert_close(seen[1], -1.0 * labels @ W, "the input's gradient in a second pass, after zero_grad()", rtol=1e-10, atol=1e-10,
                 mistakes={"The gradient of the first pass is still in the buffer.": -1.5 * labels @ W})
    assert_close(dW, start_W - 1.5 * labels.T @ x, "dW after two passes, which adds both up", rtol=1e-10, atol=1e-10)

with part(1, "parameters, and inputs without a gradient"):
    whichever(parameters, "parts")
with part(1, "zero_grad and a second pass"):
    whichever(twice, "parts")
total()
### END HIDDEN TESTS

# %% [markdown]
# ⚠ Two backward passes without `zero_grad` between them: the buffer still holds the gradients of the first pass, and the second adds to them on its way. Every value on the way
# counts the old gradient again, so the result is not even twice the right one. torch frees its graph to prevent this (2.5.2).

# %% tags=["demo"]
try:
    engine = Autograd()
    x = np.array([1.])
    y, z = 2 * x, 6 * x
    engine.add_operation([x], y, [None], lambda g, x: 2 * g)
    engine.add_operation([y], z, [None], lambda g, y: 3 * g)
    for attempt in range(2):
        engine.backward(np.array([1.]))
        print("dz/dx after pass", attempt + 1, "is", engine.gradient_buffer.get_param(x), "where 6 is right")
    del engine
except Exception as error:
    print("Come back when A.2.4 is done:", repr(error))

# %% [markdown]
# ## A.3 Backward functions
#
# A backward function knows one operation. It gets $\bar c = \partial L / \partial c$, the gradient of the final result with respect to the operation's output, and the
# inputs. It returns $\bar a = \partial L / \partial a$ for each input, in the shape of the input. For $c = a \cdot b$ entry by entry, $\bar a = \bar c \cdot b$ and
# $\bar b = \bar c \cdot a$. It never needs to know what $L$ is.
#
# ### Two oracles
#
# The checks compare with torch, to ten digits, and with *central differences*, which know no rule at all. Both take a random $\bar c$. A $\bar c$ of ones is a poor test: for a function that
# returns `np.ones_like(a)` for a sum it finds nothing wrong. Both oracles are yours to use.

# %% tags=["setup"]
def by_torch(forward, grad_output, *arrays):
    """The gradients of (grad_output * forward(*arrays)).sum() by torch, as NumPy arrays in float64."""
    leaves = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in arrays]
    out = forward(*leaves)
    grads = torch.autograd.grad(out, leaves, torch.as_tensor(grad_output, dtype=torch.float64).reshape(out.shape))
    return [g.numpy() for g in grads]


def slope(forward, grad_output, arrays, directions, h=1e-6):
    """The central difference of (grad_output * forward(*arrays)).sum() along the directions."""
    def value(t):
        out = forward(*[torch.tensor(a + t * u, dtype=torch.float64) for a, u in zip(arrays, directions)])
        return float((np.reshape(grad_output, tuple(out.shape)) * out.numpy()).sum())
    return (value(h) - value(-h)) / (2 * h)

# %%
a, b, c_bar = np.array([[1., 2.]]), np.array([[3.], [4.]]), np.array([[1., -2.], [0.5, 3.]])

def forward(a, b):
    return a * b

print("by torch:", *by_torch(forward, c_bar, a, b))
u, v = np.array([[1., 0.]]), np.zeros((2, 1))
print("the first entry of the gradient of a, by differences:", slope(forward, c_bar, [a, b], [u, v]))

# %% tags=["setup"]
def one_gradient_each(found, forward, grad_output, arrays, what, mistakes=None):
    """Fails unless `found` holds the gradients of forward at the arrays, by torch and by central differences."""
    found = found if isinstance(found, (tuple, list)) else [found]
    assert_equal(len(found), len(arrays), f"{what}: the number of gradients, one for each input")
    rng = np.random.default_rng(0)
    right = by_torch(forward, grad_output, *arrays)
    directions = [rng.normal(size=np.shape(a)) for a in arrays]
    for i, (yours, wanted) in enumerate(zip(found, right)):
        known = {sentence: values[i] for sentence, values in (mistakes or {}).items()}
        assert_close(yours if yours is None else np.asarray(yours), wanted, f"{what}: the gradient of input {i}", rtol=1e-10, atol=1e-10, mistakes=known)
    along = sum(float((np.asarray(g) * u).sum()) for g, u in zip(found, directions))
    assert_close(along, slope(forward, grad_output, arrays, directions), f"{what}: against central differences", rtol=1e-5, atol=1e-5)

# %% [markdown] task="A.3.1" kind="code" minutes=10 difficulty=3 core=true
# ### Back through broadcasting
#
# If $b$ of shape (3,) is added to $a$ of shape (2, 3), each entry of $b$ is used twice, and the gradients of both uses add up.
#
# Write `unbroadcast(grad, shape)`: `grad` has a shape to which `shape`, a tuple, broadcasts. It returns `grad` summed over the axes that broadcasting put in or stretched, an array of shape `shape`.
# `grad` stays as it is.
#
# **You are done when** the check reduces a (2, 3) array to the shapes (3,), (2, 1) and ().

# %% exercise="A.3.1"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    ### BEGIN SOLUTION
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=axes).reshape(shape)
    ### END SOLUTION

# %% [markdown] hints="A.3.1"
# 1. Write the two shapes below each other, aligned at the right. Along which axes was the smaller array repeated?
# 2. `grad.sum(axis=(0, 2), keepdims=True)` sums over several axes and keeps them with length 1. Axes that were put in stand at the front.
# 3. For shape (4, 1) and a gradient of shape (5, 4, 3): sum over axis 0, which was put in, and axis 2, which was stretched; keep the last with length 1.

# %% check="A.3.1" points=2
grad = np.array([[1., 2., 3.], [10., 20., 30.]])
assert_close(np.asarray(unbroadcast(grad, (3,))), np.array([11., 22., 33.]), "(2, 3) back to (3,)", mistakes={
    "Contributions are added, not averaged.": np.array([5.5, 11., 16.5])})
assert_close(np.asarray(unbroadcast(grad, (2, 1))), np.array([[6.], [60.]]), "(2, 3) back to (2, 1)", mistakes={
    "Contributions are added, not averaged.": np.array([[2.], [20.]])})
assert_close(np.asarray(unbroadcast(grad, ())), np.array(66.), "(2, 3) back to ()")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(931)
for big, small in (((4, 3, 2), (4, 3, 2)), ((4, 3, 2), (3, 1)), ((4, 3, 2), (1, 3, 1)), ((4, 3, 2), (4, 1, 2)), ((4, 3, 2), (2,)),
                   ((4, 3, 2), (1,)), ((3, 3, 3), (3, 1, 3)), ((3, 3), (3,)), ((1, 1), (1,)), ((2, 5), (1, 1)), ((), ()), ((1, 3), (3,)), ((5, 2, 3, 4), (3, 1))):
    grad = rng.normal(size=big)
    right = torch.tensor(grad).sum_to_size(small).numpy()
    assert_close(np.asarray(unbroadcast(grad, small)), right, f"{big} back to {small}", mistakes={
        "Contributions are added, not averaged.": right * max(np.prod(small), 1) / max(np.prod(big), 1)} if big != small else None)

@probe
def argument_after(grad, shape):
    unbroadcast(grad, tuple(shape))
    return grad

assert_close(argument_after(grad.copy(), (3, 1)), grad, "grad is left as it was")
### END HIDDEN TESTS

# %% [markdown] task="A.3.2" kind="code" minutes=12 difficulty=2 core=true
# ### Four operations with two inputs
#
# Write `add_backward`, `sub_backward`, `mul_backward` and `div_backward`, each called as `f(grad_output, a, b)` for $a + b$, $a - b$, $a \cdot b$ and $a / b$, entry by entry. Each returns
# a tuple of two arrays, the gradients of `a` and `b`, in *their* shapes. The inputs may broadcast in any way; your `unbroadcast` helps. Arguments stay as they are.
#
# **You are done when** the check finds the gradients of all four for two vectors.

# %% exercise="A.3.2" uses="A.3.1"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    ### BEGIN SOLUTION
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)
    ### END SOLUTION

# %% [markdown] hints="A.3.2"
# 1. What is the derivative of $a / b$ with respect to $b$? And which shape does `grad_output` have if `a` is (2, 1) and `b` (3,)?
# 2. Each gradient is `grad_output` times a local derivative, in the shape of the output; then it is reduced to the input's shape.
# 3. For $c = a^2 b$: $\bar a = \bar c \cdot 2ab$, $\bar b = \bar c \cdot a^2$, each reduced to its own shape.

# %% check="A.3.2" points=3
@probe
def gradients(way, name, grad_output, a, b):
    others = {"unbroadcast": lambda grad, shape: torch.as_tensor(grad).sum_to_size(shape).numpy()} if way == "helper" else {}
    with replaced(**others):
        found = eval(name)(grad_output, a, b)
    return found, [grad_output, a, b]

FOUR = {"add_backward": lambda a, b: a + b, "sub_backward": lambda a, b: a - b, "mul_backward": lambda a, b: a * b, "div_backward": lambda a, b: a / b}

def agree(shape_a, shape_b, rng):
    for name, forward in FOUR.items():
        a, b = rng.normal(size=shape_a), rng.uniform(0.5, 2, size=shape_b) * rng.choice([-1, 1], size=shape_b)
        a, b, g = np.asarray(a), np.asarray(b), rng.normal(size=np.broadcast_shapes(shape_a, shape_b))
        ones, right = by_torch(forward, np.ones_like(g), a, b), by_torch(forward, g, a, b)
        def run(way):
            found, after = gradients(way, name, np.array(g), a.copy(), b.copy())
            known = {"grad_output does not enter: a gradient is grad_output times the local derivative.": ones,
                     "The sign is wrong.": [-grad for grad in right]}
            one_gradient_each(found, forward, g, [a, b], f"{name}, inputs of shapes {shape_a} and {shape_b}", known)
            assert_close(after, [np.array(g), a, b], f"{name}: the arguments after the call")
        whichever(run, "helper")

agree((2,), (2,), np.random.default_rng(1))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(932)
with part(1, "inputs of equal shape"):
    for shape in ((3, 2), (4, 1, 2), ()):
        agree(shape, shape, rng)
with part(2, "broadcasting"):
    for shape_a, shape_b in (((3, 2), (2,)), ((2,), (3, 2)), ((3, 1), (1, 2)), ((3, 3), (3,)), ((3, 1), (3, 3)), ((4, 3, 2), (4, 1, 2)), ((3, 1), (4, 3, 2)),
                             ((), (2, 3)), ((2, 3), ()), ((1,), (3, 1)), ((5, 3), (1, 3))):
        agree(shape_a, shape_b, rng)
total()
### END HIDDEN TESTS

# %% [markdown] task="A.3.3" kind="code" minutes=12 difficulty=3 core=true
# ### Products of matrices and of vectors
#
# Write `matmul_backward(grad_output, a, b)` for the matrix product `a @ b` of two matrices, and `outer_backward(grad_output, a, b)` for `np.outer(a, b)`, the table of all products of an entry
# of `a` with one of `b`. For the latter, `a` and `b` are vectors, or matrices with a single row or column. Each returns a tuple of two arrays in the shapes of `a` and `b`.
#
# **You are done when** the check finds both gradients of a matrix product of shapes (2, 3) and (3, 4), and of an outer product of two vectors.

# %% exercise="A.3.3"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    ### BEGIN SOLUTION
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)
    ### END SOLUTION

# %% [markdown] hints="A.3.3"
# 1. Of `grad_output`, (n, m), and `b`, (k, m), which product has the shape (n, k) of `a`?
# 2. Entry $(i, j)$ of the output is $\sum_k a_{ik} b_{kj}$. So $a_{ik}$ counts for all $j$, each time with the factor $b_{kj}$. In an outer product, $a_i$ counts for all $j$ with the factor $b_j$.
# 3. For $s = \sum_i x_i y_i$ with $\bar s = 2$, $y = (3, 5)$: $\bar x = (6, 10)$.

# %% check="A.3.3" points=2
def product_agrees(n, k, m, rng):
    a, b, g = rng.normal(size=(n, k)), rng.normal(size=(k, m)), rng.normal(size=(n, m))
    right = by_torch(torch.matmul, g, a, b)
    one_gradient_each(matmul_backward(g, a, b), torch.matmul, g, [a, b], f"matmul_backward, shapes {(n, k)} and {(k, m)}", {
        "This is transposed.": [right[0].T, right[1].T], "The two gradients are swapped.": right[::-1],
        "Which factor is transposed? Each gradient is the product of grad_output with the *transposed* other input.": [g @ b if n == k == m else g, a @ g if n == k == m else g]})

def outer_agrees(shape_a, shape_b, rng):
    a, b = rng.normal(size=shape_a), rng.normal(size=shape_b)
    g = rng.normal(size=(a.size, b.size))
    one_gradient_each(outer_backward(g, a, b), lambda a, b: torch.outer(a.reshape(-1), b.reshape(-1)), g, [a, b], f"outer_backward, shapes {shape_a} and {shape_b}")

product_agrees(2, 3, 4, np.random.default_rng(1))
outer_agrees((2,), (3,), np.random.default_rng(1))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(933)
with part(1, "matmul_backward"):
    for sizes in ((5, 2, 3), (3, 3, 3), (1, 4, 2), (3, 1, 2), (2, 4, 1)):
        product_agrees(*sizes, rng)
with part(1, "outer_backward"):
    for shape_a, shape_b in (((3,), (4,)), ((2,), (2,)), ((1, 3), (1, 2)), ((4, 1), (3,)), ((1,), (5,))):
        outer_agrees(shape_a, shape_b, rng)
total()
### END HIDDEN TESTS

# %% [markdown] task="A.3.4" kind="code" minutes=12 difficulty=2 core=true
# ### Functions of one input
#
# Write `exp_backward`, `log_backward`, `sigmoid_backward`, `tanh_backward` and `relu_backward`, each called as `f(grad_output, a)`, where `a` is the *input* of the function. Each
# returns the gradient of `a`, an array. At 0 ReLU has no derivative, and any value from 0 to 1 will do; `a` may be large in size, in both directions, for the three activations. Arguments stay as they are.
#
# **You are done when** the check finds all five for inputs 0.5 and 2.

# %% exercise="A.3.4"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    ### BEGIN SOLUTION
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)
    ### END SOLUTION

# %% [markdown] hints="A.3.4"
# 1. Which of the five derivatives can be written with the value of the function itself?
# 2. $\sigma' = \sigma (1 - \sigma)$, $\tanh' = 1 - \tanh^2$. `np.exp(800.)` is `inf`, and `inf / inf` is `nan`; $\sigma(a) = \frac12 (1 + \tanh \frac a2)$ never overflows.
# 3. For $\sqrt a$: the gradient is `grad_output / (2 * np.sqrt(a))`.

# %% check="A.3.4" points=3
FIVE = {"exp_backward": torch.exp, "log_backward": torch.log, "sigmoid_backward": torch.sigmoid, "tanh_backward": torch.tanh, "relu_backward": torch.relu}

@probe
def gradient(name, grad_output, a):
    return eval(name)(grad_output, a), [grad_output, a]

def one_agrees(name, g, a, what):
    found, after = gradient(name, g.copy(), a.copy())
    ones = by_torch(FIVE[name], np.ones_like(g), a)
    known = {"grad_output does not enter: the gradient is grad_output times the derivative.": ones,
             "Is a the input of the function? This takes it for the output.": [g * a * (1 - a)] if name.startswith("s") else [g * (1 - a * a)] if name.startswith("t") else [g * np.nan]}
    with np.errstate(all="ignore"):
        known |= {"exp_backward": {"The derivative of exp at a is exp(a).": [g * a]}, "log_backward": {"The derivative of log at a is 1 / a.": [g / np.log(a)]},
                  "relu_backward": {"The sign of a decides, not that of grad_output.": [np.maximum(g, 0)]}}.get(name, {})
    one_gradient_each(found, FIVE[name], g, [a], f"{name}, {what}", known)
    assert_close(after, [g, a], f"{name}, {what}: the arguments after the call")

for name in FIVE:
    one_agrees(name, np.array([1., -3.]), np.array([0.5, 2.]), "for inputs 0.5 and 2")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(934)
with part(1, "exp and log"):
    for shape in ((4, 3), (), (2, 1, 3)):
        one_agrees("exp_backward", np.asarray(rng.normal(size=shape)), np.asarray(rng.normal(size=shape)), f"random inputs of shape {shape}")
        one_agrees("log_backward", np.asarray(rng.normal(size=shape)), np.asarray(rng.uniform(0.1, 3, size=shape)), f"random positive inputs of shape {shape}")
with part(1, "the activations"):
    for name in ("sigmoid_backward", "tanh_backward", "relu_backward"):
        for shape in ((5, 3), (), (2, 1, 3)):
            one_agrees(name, np.asarray(rng.normal(size=shape)), np.asarray(rng.normal(size=shape)) * 2, f"random inputs of shape {shape}")
with part(1, "the activations for large inputs"):
    for name in ("sigmoid_backward", "tanh_backward", "relu_backward"):
        found, _ = gradient(name, np.array([2., -3.]), np.array([800., -800.]))
        found = found[0] if isinstance(found, (tuple, list)) else found
        assert_close(np.asarray(found), np.array([2. * (name[0] == "r"), 0.]), f"{name} for inputs 800 and -800", atol=1e-12)
total()
### END HIDDEN TESTS

# %% [markdown] task="A.3.5" kind="code" minutes=12 difficulty=3
# ### Sum and maximum
#
# Write two functions that return the gradient of `a`, in its shape:
#
# - `sum_backward(grad_output, a)` for `a.sum()` and for `a.sum(axis, keepdims=True)`: `grad_output` is a number or an array that broadcasts to the shape of `a`;
# - `max_backward(grad_output, a)` for `a.max()`, the largest of all entries; `grad_output` is a number (or an array with one entry). Where several entries are largest, the gradient may go to one of them or be
#   shared, but their parts must add up to `grad_output`.
#
# **You are done when** the check finds both for three numbers.

# %% exercise="A.3.5"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    ### BEGIN SOLUTION
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())
    ### END SOLUTION

# %% [markdown] hints="A.3.5"
# 1. By how much does the sum change if one entry grows by a little? And the maximum?
# 2. `np.broadcast_to(x, shape)` and `x * np.ones(shape)` repeat `x`. `a == a.max()` marks the largest entries. `np.argmax(a)` counts through all entries in a row; `np.unravel_index` makes an index for `a` of it.
# 3. For the mean of 4 numbers: each has the gradient `grad_output / 4`.

# %% check="A.3.5" points=2
three = np.array([1., 7., -9.])
for scale in (1., -2.5):
    one_gradient_each(sum_backward(np.array(scale), three), torch.sum, np.array(scale), [three], f"sum_backward of 1, 7, -9 with grad_output {scale:g}",
                      {"grad_output does not enter.": [np.ones(3)]})
    one_gradient_each(max_backward(np.array(scale), three), torch.max, np.array(scale), [three], f"max_backward of 1, 7, -9 with grad_output {scale:g}",
                      {"The largest entry, not the one that is largest in size.": [np.array([0., 0., scale])], "This is ReLU's derivative: here the largest of all entries is taken.": [scale * (three > 0)],
                       "grad_output does not enter.": [np.array([0., 1., 0.])]})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(935)
with part(1, "sum_backward"):
    for shape, axis in (((3, 2), None), ((3, 2), 0), ((3, 2), 1), ((4, 3, 2), 1), ((3, 3), 1), ((), None)):
        a = np.asarray(rng.normal(size=shape))
        g = np.asarray(rng.normal(size=() if axis is None else a.sum(axis, keepdims=True).shape))
        forward = torch.sum if axis is None else lambda t, axis=axis: t.sum(axis, keepdim=True)
        one_gradient_each(sum_backward(g, a), forward, g, [a], f"sum_backward of shape {shape}, axis {axis}")
with part(1, "max_backward"):
    for shape in ((4,), (3, 4), (2, 1, 3), (1,)):
        a, g = -rng.uniform(1, 2, size=shape), np.asarray(rng.normal())
        one_gradient_each(max_backward(g, a), torch.max, g, [a], f"max_backward of negative entries, shape {shape}")
    a = np.array([[2., 5., 5.], [5., 0., 1.]])
    found = max_backward(np.array(3.), a)
    found = np.asarray(found[0] if isinstance(found, (tuple, list)) else found)
    assert_shape(found, (2, 3), "max_backward where the largest entry stands three times: the shape")
    assert_close(found[a < 5], np.zeros(3), "max_backward where the largest entry stands three times: the other entries")
    assert_close(float(found[a == 5].sum()), 3., "max_backward where the largest entry stands three times: the sum of their gradients",
                 mistakes={"Each of them got all of it.": 9.})
    assert_true(bool((found >= 0).all()), "max_backward where the largest entry stands three times: no part has another sign")
total()
### END HIDDEN TESTS

# %% [markdown] task="A.3.6" kind="code" minutes=15 difficulty=3
# ### Operations that only rearrange
#
# `np.expand_dims(a, axis)` puts in an axis of length 1. As an operation of the engine it has two inputs, the array and the axis, an array of one integer such as `np.array([1])`. Write
#
# - `identity_backward(grad_output, a)`, which returns the gradient of `a`;
# - `expand_dims_backward(grad_output, a, axis)`, which returns a tuple: the gradient of `a` and `None`;
# - `identity(x, autograd_engine)` and `expand_dims(x, axis, autograd_engine)` (`axis` an integer), which record their operation in the engine and return its output. The output must not share memory with `x`: A.2.2 says why.
#
# **You are done when** the check finds the gradient of $x$ when $\mathrm{identity}(x)$, and $x$ with another axis, is multiplied by numbers.

# %% exercise="A.3.6" uses="A.2.1, A.2.3, A.2.4"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    ### BEGIN SOLUTION
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y
    ### END SOLUTION

# %% [markdown] hints="A.3.6"
# 1. What does the buffer hold for `x` when the walk reaches `identity`, if input and output have the same address?
# 2. `np.expand_dims` and `reshape` return views, `.copy()` gives an array of its own. A reshape brings a gradient back into the old shape.
# 3. For a flip: `flip_backward` returns `grad_output[::-1]`, and the forward function records `y = x[::-1].copy()` with inputs `[x]`.

# %% check="A.3.6" points=3
@probe
def rearranged(way, x, axis, factor):
    def times(g, a, b):
        return g * b, g * a
    with an_engine(way) as engine:
        middle = identity(x, engine) if axis == "none" else expand_dims(x, axis, engine)
        out = middle * factor
        engine.add_operation([middle, factor], out, [None, None], times)
        distance = abs(middle.__array_interface__["data"][0] - x.__array_interface__["data"][0])
        engine.backward(np.array(1.) * np.ones(out.shape))
        return middle, distance, gradient_of(engine, x), len(engine.operation_list)

def moved(x, axis, factor, what):
    def run(way):
        middle, distance, grad, count = rearranged(way, x, axis, factor)
        assert_close(middle, x if axis == "none" else np.expand_dims(x, axis), f"{what}: its output")
        assert_equal(count, 2, f"{what} and a product: the number of recorded operations")
        assert_true(bool(distance >= x.nbytes), f"{what}: the output has memory of its own", hint="It shares the address of its input: return a copy.")
        assert_close(grad, factor.reshape(x.shape), f"{what}, then a product: the gradient of x", mistakes={
            "It is doubled: input and output share one entry of the buffer.": 2 * factor.reshape(x.shape)})
    whichever(run, "parts", "engine")

moved(np.array([1., 5.]), "none", np.array([2., 2.]), "identity")
moved(np.array([1., 5.]), 1, np.array([[2.], [3.]]), "expand_dims, axis 1 of a vector")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(936)
with part(1, "the backward functions"):
    g = rng.normal(size=(3, 2))
    one_gradient_each(identity_backward(g, rng.normal(size=(3, 2))), lambda t: t * 1, g, [np.zeros((3, 2))], "identity_backward")
    for axis, shape in ((0, (1, 3, 2)), (1, (3, 1, 2)), (2, (3, 2, 1)), (-1, (3, 2, 1))):
        found = expand_dims_backward(g.reshape(shape), np.zeros((3, 2)), np.array([axis]))
        assert_equal(len(found), 2, f"expand_dims_backward, axis {axis}: the number of gradients")
        assert_close(found[0], g, f"expand_dims_backward, axis {axis}: the gradient of a")
    found = expand_dims_backward(g.reshape(1, 1, 3, 2)[:, :, :1], np.zeros((1, 1, 2)), np.array([0]))
    assert_close(found[0], g[:1].reshape(1, 1, 2), "expand_dims_backward for an array that has axes of length 1 before", hint="Only the axis that was put in goes.")
with part(1, "identity"):
    moved(rng.normal(size=(3, 2)), "none", rng.normal(size=(3, 2)), "identity of shape (3, 2)")
with part(1, "expand_dims"):
    for axis, shape in ((0, (1, 3, 2)), (1, (3, 1, 2)), (-1, (3, 2, 1))):
        moved(rng.normal(size=(3, 2)), axis, rng.normal(size=shape), f"expand_dims, axis {axis}")
total()
### END HIDDEN TESTS

# %% [markdown]
# ### Inputs that find mistakes
#
# Here are six backward functions for the softmax of each row, $s = \mathrm{softmax}(a)$. The right gradient is $\bar a = s \cdot (\bar s - \sum_j \bar s_j s_j)$, the sum over the row. Two of
# the six are right, four are not.

# %% tags=["setup"]
def softmax(a):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def softmax_A(g, a):
    s = softmax(a)
    return s * (g - (g * s).sum(axis=1, keepdims=True))

def softmax_B(g, a):
    return np.zeros_like(a)

def softmax_C(g, a):
    s = softmax(a)
    return s * (g - (g * s).sum(axis=0, keepdims=True)) if a.shape[0] == a.shape[1] else softmax_A(g, a)

def softmax_D(g, a):
    s = np.exp(a) / np.exp(a).sum(axis=1, keepdims=True)
    return s * (g - (g * s).sum(axis=1, keepdims=True))

def softmax_E(g, a):
    s = softmax(a)
    return np.stack([(np.diag(row) - np.outer(row, row)) @ one for row, one in zip(s, g)])

def softmax_F(g, a):
    return softmax_A(np.abs(g), a)

suspects = {"A": softmax_A, "B": softmax_B, "C": softmax_C, "D": softmax_D, "E": softmax_E, "F": softmax_F}

# %% [markdown] task="A.3.7" kind="break it" minutes=12 difficulty=3
# ### Expose the four
#
# Hand in `cases`, a list of at most three pairs `(grad_output, a)`, two arrays of floating point of equal shape $(n, m)$. The check runs all six functions on your cases and compares with torch. A function
# is caught if one of its results differs, or is not a number. The two right ones must come out unharmed, so your numbers must be finite.
#
# **You are done when** the check catches B, which returns zeros.

# %% exercise="A.3.7"
### BEGIN SOLUTION
cases = [(np.array([[1., -2., 0.5], [-3., 0.2, 4.], [0.1, 2., -1.]]), np.array([[0.3, 1., -1.], [2., 0., 0.5], [-0.4, 0.6, 0.1]])),
         (np.array([[1., -1.]]), np.array([[1000., 999.]]))]
### END SOLUTION

# %% [markdown] hints="A.3.7"
# 1. For which shape does a sum over the wrong axis raise no error? For which sign of `grad_output` does `abs` change something?
# 2. With `grad_output` of ones the right gradient is 0 in every entry. `np.exp(1000.)` is `inf`.
# 3. To expose `a.sum(axis=0)` in place of `a.sum(axis=1)`: a square table that is not symmetric, `np.array([[1., 2.], [5., 7.]])`.

# %% check="A.3.7" points=3
def caught(cases):
    """The letters of the suspects that differ from torch in one of the cases."""
    found = set()
    for g, a in cases:
        assert_true(isinstance(g, np.ndarray) and isinstance(a, np.ndarray) and g.shape == a.shape and g.ndim == 2 and g.size > 0,
                    "each case is a pair of arrays of equal shape (n, m)")
        assert_true(bool(np.isfinite(g).all() and np.isfinite(a).all()), "the numbers in the cases are finite")
        (right,) = by_torch(lambda t: t.softmax(dim=1), g, np.asarray(a, float))
        for letter, function in suspects.items():
            with np.errstate(all="ignore"):
                near = np.allclose(function(np.asarray(g, float), np.asarray(a, float)), right, rtol=1e-6, atol=1e-9)
            found |= set() if near else {letter}
    return found

assert_type(cases, (list, tuple), "cases")
assert_true(1 <= len(cases) <= 3, "there are one to three cases")
assert_true(all(isinstance(case, (tuple, list)) and len(case) == 2 for case in cases), "each case is a pair",
            hint="cases is a list of pairs, also for a single one: [(grad_output, a)].")
assert_true("B" in caught(cases), "B, which returns zeros, is caught", hint="With a grad_output of ones zeros are right: take other numbers.")
### BEGIN HIDDEN TESTS
letters = caught(cases)
with part(1, "the right ones are left alone, and another mistake is caught"):
    assert_equal(sorted(letters & {"A", "E"}), [], "right functions that are caught", hint="Are the numbers of a size at which float64 is exact enough?")
    assert_true(len(letters & {"C", "D", "F"}) >= 1, "one of C, D and F is caught", hint="Vary the shape, the sign and the size of the numbers.")
with part(1, "the wrong axis and the missing sign"):
    assert_true("C" in letters, "C is caught", hint="C sums over the wrong axis where this raises no error.")
    assert_true("F" in letters, "F is caught", hint="F ignores a sign.")
with part(1, "the overflow"):
    assert_true("D" in letters, "D is caught", hint="D does not subtract the maximum.")
total()
### END HIDDEN TESTS
