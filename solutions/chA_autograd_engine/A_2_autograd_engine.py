# %% [markdown]
# # A.2 An automatic differentiation engine
#
# `loss.backward()` computes the gradient of any program made of known operations. In this notebook you write the
# machine that does it, with NumPy alone: a list of operations that is walked in reverse.
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
