# %% right="A.2.A" how="integers"
q_bar, p_bar, x_bar = 6, 14, 48

# %% wrong="A.2.A" why="the own factor" breaks="q" says="q_bar is the other factor"
q_bar, p_bar, x_bar = 8., 14., 48.

# %% wrong="A.2.A" why="the way through q is forgotten for p" breaks="p" says="p_bar is by more than 7 larger"
q_bar, p_bar, x_bar = 6., 8., 48.

# %% wrong="A.2.A" why="the way through r is forgotten for p" breaks="p" says="p_bar is by more than 7 larger"
q_bar, p_bar, x_bar = 6., 6., 48.

# %% wrong="A.2.A" why="x through p only" breaks="x" says="x_bar is more than 3 times p_bar"
q_bar, p_bar, x_bar = 6., 14., 42.

# %% wrong="A.2.A" why="x through q only" breaks="x" says="x_bar is more than 3 times p_bar"
q_bar, p_bar, x_bar = 6., 14., 6.

# %% wrong="A.2.A" why="p passes on before q has passed on" breaks="x" says="x_bar is more than 3 times p_bar"
q_bar, p_bar, x_bar = 6., 14., 30.

# %% right="A.2.2" how="a string"
same_address = "LACDFHJ"

# %% right="A.2.2" how="asks NumPy"
start = X.__array_interface__["data"][0]
same_address = [letter for letter, text in expressions.items() if eval(text).__array_interface__["data"][0] == start]

# %% wrong="A.2.2" why="takes every view" breaks="letters" says="letters that do not have the address"
same_address = {"A", "C", "D", "E", "F", "H", "J", "L"}

# %% wrong="A.2.2" why="takes astype for a view" breaks="letters" says="letters that do not have the address"
same_address = {"A", "C", "D", "F", "H", "I", "J", "L"}

# %% wrong="A.2.2" why="takes ravel for a copy" breaks="letters" says="the number of letters that are missing"
same_address = {"A", "C", "D", "F", "H", "J"}

# %% wrong="A.2.2" why="takes the transpose for a copy" breaks="letters" says="A, the transpose, is among the letters"
same_address = {"C", "D", "F", "H", "J", "L"}

# %% wrong="A.2.2" why="takes flatten for ravel" breaks="letters" says="letters that do not have the address"
same_address = {"A", "C", "D", "F", "H", "J", "K"}

# %% right="A.2.B" how="a copy at first, then in place"
def put(purses, name, coins):
    if name in purses:
        purses[name] += coins
    else:
        purses[name] = coins.copy()

# %% right="A.2.B" how="get with a default"
def put(purses, name, coins):
    purses[name] = purses.get(name, 0) + coins

# %% wrong="A.2.B" why="replaces what was there" breaks="adds up" says="What was there is lost"
def put(purses, name, coins):
    purses[name] = coins

# %% wrong="A.2.B" why="the first coins are the purse" breaks="coins kept" says="afterwards"
def put(purses, name, coins):
    if name in purses:
        purses[name] += coins
    else:
        purses[name] = coins

# %% wrong="A.2.B" why="a new purse each time" breaks="adds up" says="What was there is lost"
def put(purses, name, coins):
    purses[name] = np.zeros(coins.shape)
    purses[name] = purses[name] + coins

# %% wrong="A.2.B" why="returns a new dictionary" breaks="adds up" says="who has a purse"
def put(purses, name, coins):
    return {**purses, name: purses.get(name, 0) + coins}

# %% wrong="A.2.B" why="the first coins are lost" breaks="adds up" says="the purse of"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros(coins.shape)
    else:
        purses[name] = purses[name] + coins

# %% right="A.2.1" how="adds in place, ctypes for the address, errors by hand"
class GradientBuffer:
    def __init__(self):
        self.memory = dict()

    def get_memory_loc(self, np_array):
        return np_array.ctypes.data

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory.keys()

    def add_spot(self, np_array):
        self.memory.setdefault(self.get_memory_loc(np_array), np.zeros(np_array.shape, dtype=np.float64))

    def update_param(self, np_array, gradient):
        if not self.is_in_memory(np_array):
            raise RuntimeError("no spot for this array")
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        if not self.is_in_memory(np_array):
            raise RuntimeError("no spot for this array")
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = dict()

# %% right="A.2.1" how="lists of contributions, summed when they are asked for"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        location, _ = np_array.__array_interface__["data"]
        return location

    def is_in_memory(self, np_array):
        return self.memory.get(self.get_memory_loc(np_array)) is not None

    def add_spot(self, np_array):
        if self.get_memory_loc(np_array) not in self.memory:
            self.memory[self.get_memory_loc(np_array)] = [np.zeros(np_array.shape)]

    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)].append(np.array(gradient))

    def get_param(self, np_array):
        return sum(self.memory[self.get_memory_loc(np_array)])

    def clear(self):
        for key in list(self.memory):
            del self.memory[key]

# %% wrong="A.2.1" why="the second gradient replaces the first" breaks="adds up" says="update_param adds, and add_spot leaves"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
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
        self.memory[location] = np.array(gradient)

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="add_spot makes a new entry each time" breaks="adds up" says="add_spot leaves an entry alone"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="keeps the array that was handed over and adds to it" breaks="gradient kept" says="handed over, afterwards"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
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
        if not np.any(self.memory[location]):
            self.memory[location] = gradient
        else:
            self.memory[location] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="zeros of the array's dtype" breaks="zeros" says="UFuncTypeError"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros_like(np_array)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="id in place of the address" breaks="address" says="get_memory_loc minus the array's address"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return id(np_array)

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

# %% wrong="A.2.1" why="an unknown array gets an entry without a word" breaks="unknown arrays" says="for an array without an entry"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
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
        self.add_spot(np_array)
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        self.add_spot(np_array)
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="clear sets zeros but keeps the entries" breaks="clear" says="after clear()"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
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
        for key in self.memory:
            self.memory[key] = 0 * self.memory[key]

# %% wrong="A.2.1" why="memory is shared by all buffers" breaks="clear" says="entries of a new buffer"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    memory = {}

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

# %% wrong="A.2.1" why="the whole entry data, a pair" breaks="address" says="returns an integer; found: tuple"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"]
    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)
    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="get_param takes the entry out" breaks="clear" says="the number of entries of a new buffer, and with two arrays"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
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
        return self.memory.pop(self.get_memory_loc(np_array))

    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="zeros in a row, whatever the shape" breaks="zeros" says="arrays of integers"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.size)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()

# %% right="A.2.3" how="the names of later versions of the homework"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.output = inputs, output
        self.gradients_to_update, self.backward_operation = gradients_to_update, backward_operation

# %% right="A.2.3" how="a data class"
from dataclasses import dataclass

@dataclass(init=False)
class Operation:
    inputs: list
    outputs: object
    gradients_to_update: list
    backward_function: object

    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        vars(self).update(inputs=inputs, outputs=output, gradients_to_update=gradients_to_update, backward_function=backward_operation)

# %% wrong="A.2.3" why="copies the inputs" breaks="inputs and output" says="The arrays themselves are kept"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = [np.array(a) for a in inputs]
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="copies the gradients to update" breaks="gradients to update" says="the second one, an array that changed"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = [None if g is None else g.copy() for g in gradients_to_update]
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="keeps the inputs as the output" breaks="inputs and output" says="the output"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = inputs[0]
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="gives zeros for None" breaks="gradients to update" says="the first entry of gradients_to_update is None"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = [np.zeros(1) if g is None else g for g in gradients_to_update]
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="calls the backward function" breaks="backward function" says="TypeError"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation()

# %% wrong="A.2.3" why="a copy of the output" breaks="inputs and output" says="the output, which changed"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = np.array(output)
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="tries the function at once" breaks="backward function" says="how often the backward function was called"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation
        self.gradients = backward_operation(1., *inputs)

# %% right="A.2.4" how="in the manner of the homework: one instance at a time, a counter from the end"
class Autograd:
    def __init__(self):
        if getattr(type(self), "_alive", False):
            raise RuntimeError("only one engine at a time")
        type(self)._alive = True
        self.gradient_buffer = GradientBuffer()
        self.operation_list = []

    def __del__(self):
        type(self)._alive = False

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        if len(inputs) != len(gradients_to_update):
            raise Exception("a gradient to update (or None) is needed for each input")
        for i in range(len(inputs)):
            self.gradient_buffer.add_spot(inputs[i])
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        i = len(self.operation_list) - 1
        while i >= 0:
            op = self.operation_list[i]
            output = op.outputs if hasattr(op, "outputs") else op.output
            function = op.backward_function if hasattr(op, "backward_function") else op.backward_operation
            upstream = divergence if i == len(self.operation_list) - 1 else self.gradient_buffer.get_param(output)
            result = function(upstream, *op.inputs)
            if len(op.inputs) == 1:
                result = [result]
            for k in range(len(op.inputs)):
                if result[k] is None:
                    continue
                if op.gradients_to_update[k] is not None:
                    np.add(op.gradients_to_update[k], result[k], out=op.gradients_to_update[k])
                else:
                    self.gradient_buffer.update_param(op.inputs[k], result[k])
            i -= 1

    def zero_grad(self):
        self.gradient_buffer.clear()
        self.operation_list = []

# %% right="A.2.4" how="works off a copy of the list from the end"
class Autograd:
    operation_list, gradient_buffer = None, None

    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        list(map(self.gradient_buffer.add_spot, inputs))
        self.operation_list += [Operation(list(inputs), output, list(gradients_to_update), backward_operation)]

    def backward(self, divergence):
        rest, grad = list(self.operation_list), divergence
        while rest:
            operation = rest.pop()
            grads = operation.backward_function(grad, *operation.inputs)
            grads = grads if isinstance(grads, tuple) else (grads,)
            for value, own, change in zip(operation.inputs, operation.gradients_to_update, grads):
                if change is not None and own is not None:
                    own[...] = own + change
                elif change is not None:
                    self.gradient_buffer.update_param(value, change)
            if rest:
                grad = self.gradient_buffer.get_param(rest[-1].outputs)

    def zero_grad(self):
        del self.operation_list[:]
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="walks forward" breaks="chains" says="does the walk begin at the last operation"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        for i, operation in enumerate(self.operation_list):
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

# %% wrong="A.2.4" why="an array that is an input twice counts once" breaks="fan-out" says="of an input that an operation has twice"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
            seen = set()
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None or id(array) in seen:
                    continue
                seen.add(id(array))
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="parameters get a new array" breaks="parameters" says="add to it in place"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                    target = target + grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="parameters are overwritten" breaks="parameters" says="they do not replace it"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                    target[...] = grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the buffer is not cleared" breaks="zero_grad" says="a walk, zero_grad()"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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

# %% wrong="A.2.4" why="the list is not cleared" breaks="zero_grad" says="zero_grad"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="None is not skipped" breaks="no gradient" says="parameters, and inputs without a gradient"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="every operation gets the divergence" breaks="fan-out" says="b = x + x, c = b + b: the gradient of x"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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

# %% wrong="A.2.4" why="the parameter's gradient goes into the buffer, and nowhere else" breaks="parameters" says="add to it in place"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                    self.gradient_buffer.update_param(array, grad)

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="recurses through the graph" breaks="long chains" says="RecursionError"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        self.walk(len(self.operation_list) - 1, divergence)

    def walk(self, i, grad_output):
        if i < 0:
            return
        for operation in [self.operation_list[i]]:
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
        if i > 0:
            self.walk(i - 1, self.gradient_buffer.get_param(self.operation_list[i - 1].outputs))

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the gradient overwrites what the buffer holds" breaks="fan-out" says="Contributions add up"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                    self.gradient_buffer.update_param(array, grad - self.gradient_buffer.get_param(array))
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the last operation gets ones of its output's shape" breaks="chains" says="chains:"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        grad_output = np.ones(np.shape(self.operation_list[-1].outputs))
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

# %% wrong="A.2.4" why="a single input's gradient is taken for a tuple" breaks="chains" says="returns its gradient itself, no tuple"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        if len(inputs) != len(gradients_to_update):
            raise ValueError("lengths")
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            grad_output = divergence if k == 0 else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(grad_output, *op.inputs)
            for x, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the gradient of a parameter with one input is kept in the buffer" breaks="parameters" says="ds, which was not zero before"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                if target is None or len(operation.inputs) == 1:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="each array counts once in a walk" breaks="fan-out" says="the gradient of"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        grad_output, seen = divergence, []
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if any(array is other for other in seen) and target is None and len(operation.inputs) == 2 and operation.inputs[0] is not operation.inputs[1]:
                    continue
                seen.append(array)
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the last 1,000 operations only" breaks="long chains" says="1,500 operations in a row: the gradient of x"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        for i, operation in enumerate(reversed(self.operation_list[-1000:])):
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

# %% wrong="A.2.4" why="stops at the first None" breaks="no gradient" says="the gradient of the layer's input"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
                    return
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% right="A.2.4" how="a new buffer in zero_grad"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        self.gradient_buffer = GradientBuffer()

# %% right="A.2.4" how="compares operations with =="
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
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
        for operation in reversed(self.operation_list):
            if not operation == self.operation_list[-1]:
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
