# %% right="A.2.A" how="integers"
q_bar, p_bar, x_bar = 6, 14, 48

# %% wrong="A.2.A" why="the own factor" breaks="q" says="q_bar is the other factor"
q_bar, p_bar, x_bar = 8., 14., 48.

# %% wrong="A.2.A" why="the way through q is forgotten for p" breaks="p" says="here is one: p is used by q and by r"
q_bar, p_bar, x_bar = 6., 8., 48.

# %% wrong="A.2.A" why="the way through r is forgotten for p" breaks="p" says="here is one: p is used by q and by r"
q_bar, p_bar, x_bar = 6., 6., 48.

# %% wrong="A.2.A" why="x through p only" breaks="x" says="here is one: x is used by p and by q"
q_bar, p_bar, x_bar = 6., 14., 42.

# %% wrong="A.2.A" why="x through q only" breaks="x" says="here is one: x is used by p and by q"
q_bar, p_bar, x_bar = 6., 14., 6.

# %% wrong="A.2.A" why="p passes on before q has passed on" breaks="x" says="before p hands on what it has"
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

# %% wrong="A.2.B" why="the first coins are the purse" breaks="coins kept" says="is the very array that was handed over"
def put(purses, name, coins):
    if name in purses:
        purses[name] += coins
    else:
        purses[name] = coins

# %% wrong="A.2.B" why="a new purse each time" breaks="adds up" says="What was there is lost"
def put(purses, name, coins):
    purses[name] = np.zeros(coins.shape)
    purses[name] = purses[name] + coins

# %% wrong="A.2.B" why="returns a new dictionary" breaks="adds up" says="put changes the dictionary that it is handed"
def put(purses, name, coins):
    return {**purses, name: purses.get(name, 0) + coins}

# %% wrong="A.2.B" why="the first coins are lost" breaks="adds up" says="The purse is still empty"
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

# %% wrong="A.2.1" why="the second gradient replaces the first" breaks="adds up" says="does not put it in its place"
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

# %% wrong="A.2.1" why="add_spot makes a new entry each time" breaks="adds up" says="leaves an entry alone that is there"
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

# %% wrong="A.2.1" why="id in place of the address" breaks="address" says="What id() gives is another number"
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

# %% wrong="A.2.1" why="an unknown array gets an entry without a word" breaks="unknown arrays" says="which has no entry"
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

# %% wrong="A.2.1" why="clear sets zeros but keeps the entries" breaks="clear" says="it does not set them to zero"
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

# %% wrong="A.2.1" why="memory is shared by all buffers" breaks="clear" says="Each buffer has a dictionary of its own"
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

# %% wrong="A.2.1" why="get_param takes the entry out" breaks="adds up" says="leaves it where it is"
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

# %% wrong="A.2.3" why="copies the gradients to update" breaks="gradients to update" says="the second entry of gradients_to_update, an array that changed"
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

# %% wrong="A.2.3" why="calls the backward function" breaks="backward function" says="how often the backward function was called"
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

# %% wrong="A.2.4" why="an array that is an input twice counts once" breaks="fan-out" says="an operation has an input twice"
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

# %% wrong="A.2.4" why="parameters get a new array" breaks="parameters" says="not to a copy or to a new one"
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

# %% wrong="A.2.4" why="the buffer is not cleared" breaks="zero_grad" says="the entries of the buffer"
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

# %% wrong="A.2.4" why="None is not skipped" breaks="no gradient" says="None for the third"
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

# %% wrong="A.2.4" why="every operation gets the divergence" breaks="chains" says="for the last operation of the list alone"
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

# %% wrong="A.2.4" why="the parameter's gradient goes into the buffer, and nowhere else" breaks="parameters" says="and not to the buffer"
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

# %% wrong="A.2.4" why="the gradient overwrites what the buffer holds" breaks="fan-out" says="an operation has an input twice"
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

# %% wrong="A.2.4" why="the last operation gets ones of its output's shape" breaks="chains" says="The divergence does not enter"
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

# %% wrong="A.2.4" why="a single input's gradient is taken for a tuple" breaks="chains" says="its first entry alone was taken"
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

# %% wrong="A.2.4" why="stops at the first None" breaks="no gradient" says="an input with None is left out alone"
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

# %% wrong="A.2.1" why="takes the part of the book" breaks="address" says="Write your own"
from d2l_utils import engine_parts

GradientBuffer = engine_parts.GradientBuffer

# %% wrong="A.2.3" why="takes the part of the book" breaks="inputs and output" says="Write your own"
from d2l_utils import engine_parts

Operation = engine_parts.Operation

# %% wrong="A.2.4" why="takes the part of the book" breaks="chains" says="Write your own"
from d2l_utils import engine_parts

Autograd = engine_parts.Autograd

# %% wrong="A.2.4" why="a gradient of zeros is taken for None" breaks="parameters" says="zeros before"
def out_of(op):
    return op.outputs if hasattr(op, 'outputs') else op.output
def fun_of(op):
    return op.backward_function if hasattr(op, 'backward_function') else op.backward_operation
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for a in inputs:
            self.gradient_buffer.add_spot(a)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            grad = divergence if i == 0 else self.gradient_buffer.get_param(out_of(op))
            grads = fun_of(op)(grad, *op.inputs)
            if not isinstance(grads, tuple):
                grads = (grads,)
            for a, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if g is None:
                    continue
                if not np.any(target):
                    self.gradient_buffer.update_param(a, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the inputs after one with None are left out, too" breaks="no gradient" says="an input with None is left out alone"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
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
                    break
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="one in place of None" breaks="no gradient" says="An input for which None comes back gets nothing"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
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
                    grad = 1.
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="two inputs at most" says="the number of inputs" breaks="chains" says="of three inputs"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
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
            for array, target, grad in zip(operation.inputs[:2], operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the walk takes the operations off the list" breaks="record" says="The walk took the operation off the list"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i in range(len(self.operation_list)):
            operation = self.operation_list.pop()
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

# %% wrong="A.2.4" why="a tuple on the list" breaks="record" says="the entry of the list is an Operation, here: tuple"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append((inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(Operation(*entry) for entry in reversed(self.operation_list)):
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

# %% wrong="A.2.4" why="a parameter's gradient goes to the buffer, too" breaks="parameters" says="and not to the buffer"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
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
                    self.gradient_buffer.update_param(array, grad)

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the divergence wherever the buffer has no entry" breaks="unused" says="The sine got the divergence, too"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            known = self.gradient_buffer.is_in_memory(operation.outputs)
            grad_output = self.gradient_buffer.get_param(operation.outputs) if known else divergence
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

# %% wrong="A.2.4" why="an array is taken for the gradients of the parameters" breaks="parameters" says="returns its gradient itself, no tuple"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if len(operation.inputs) == 1 and operation.gradients_to_update[0] is None:
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

# %% right="A.2.4" how="no spots for parameters, and nothing for outputs that nobody uses"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            if all(array is not value for value, own in zip(inputs, gradients_to_update) if own is not None):
                self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0 and not self.gradient_buffer.is_in_memory(operation.outputs):
                continue
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

# %% wrong="A.2.B" why="purses in float32" breaks="adds up" says="a purse is of float64"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros(coins.shape, np.float32)
    purses[name] += coins.astype(np.float32)

# %% wrong="A.2.B" why="purses outside the dictionary" breaks="adds up" says="in a second dictionary"
def put(purses, name, coins):
    store = put.__dict__
    store[name] = store.get(name, 0) + coins
    purses[name] = store[name]

# %% wrong="A.2.B" why="adds the purse to the coins" breaks="coins kept" says="put changes coins itself"
def put(purses, name, coins):
    if name in purses:
        coins += purses[name]
    purses[name] = coins.copy()

# %% wrong="A.2.1" why="equal arrays are one" breaks="adds up" says="Two arrays lie at two addresses"
class GradientBuffer:
    def __init__(self):
        self.memory, self.known = {}, []
    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array):
        return any(np.array_equal(np_array, k) for k in self.known)
    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.known.append(np_array)
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)
    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory.clear()
        self.known.clear()

# %% wrong="A.2.3" why="a function of two inputs" breaks="backward function" says="called with grad_output and 3 inputs"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = lambda g, a, b: backward_operation(g, a, b)

# %% wrong="A.2.1" why="float32 in place" says="a new entry is of float64" breaks="zeros"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape, np.float32)
    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="a gradient of a second array with the same shape is shared" says="Each array has an entry of its" breaks="adds up"
class GradientBuffer:
    def __init__(self):
        self.memory, self.zeros = {}, {}
    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = self.zeros.setdefault(np_array.shape, np.zeros(np_array.shape))
    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory.clear()

# %% wrong="A.2.3" why="two inputs at most" says="the number of inputs" breaks="inputs and output"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs[:2]
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="one target at most" says="the third entry of gradients_to_update" breaks="gradients to update"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = [t if i < 2 else None for i, t in enumerate(gradients_to_update)]
        self.backward_function = backward_operation

# %% wrong="A.2.A" why="the two contributions to p are multiplied" breaks="p" says="added, not multiplied"
q_bar = 6.0
p_bar = 48.0
x_bar = 150.0

# %% wrong="A.2.A" why="x takes its own value as the slope of p = x y" breaks="x" says="times the other factor, y"
q_bar = 6.0
p_bar = 14.0
x_bar = 34.0

# %% wrong="A.2.A" why="x is counted from q twice" breaks="x" says="x_bar has q_bar in it once"
q_bar = 6.0
p_bar = 14.0
x_bar = 54.0

# %% wrong="A.2.2" why="small letters" breaks="letters" says="a capital"
same_address = {"a", "c", "d", "f", "h", "j", "l"}

# %% right="A.2.B" how="zeros_like, then in place"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros_like(coins)
    purses[name] += coins

# %% wrong="A.2.B" why="the first gift is counted twice" breaks="adds up" says="counted twice"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = coins.copy()
    purses[name] = purses[name] + coins

# %% wrong="A.2.B" why="every purse has two entries" breaks="adds up" says="A purse has the shape of the coins"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros(2)
    purses[name] = purses[name] + coins

# %% wrong="A.2.1" why="the address as text" breaks="address" says="returns an integer; found: str"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return str(np_array.__array_interface__["data"][0])

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

# %% wrong="A.2.1" why="the address of the base of a view" breaks="address" says="A view has an address of its own"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        if np_array.base is not None:
            np_array = np_array.base
        return np_array.__array_interface__["data"][0]

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

# %% wrong="A.2.1" why="the address of a contiguous copy" breaks="address" says="of the array itself, wherever it lies"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np.ascontiguousarray(np_array).__array_interface__["data"][0]

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

# %% wrong="A.2.1" why="memory is keyed by id()" breaks="address" says="The key is what get_memory_loc gives"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return id(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[id(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        self.memory[id(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[id(np_array)]

    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="clear deletes the dictionary" breaks="clear" says="the dictionary itself stays"
class GradientBuffer:
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = None

# %% wrong="A.2.1" why="clear names a local variable" breaks="clear" says="is it `self.memory` that is emptied?"
class GradientBuffer:
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        memory = {}

# %% wrong="A.2.1" why="is_in_memory asks whether any array of this shape is there" breaks="unknown arrays" says="own address is a key"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return any(entry.shape == np_array.shape for entry in self.memory.values())

    def add_spot(self, np_array):
        if self.get_memory_loc(np_array) not in self.memory:
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="a new entry is a copy of the array" breaks="zeros" says="it begins with zeros"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np_array.astype(float)

    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="zeros are made as 0 times the array: NaN stays NaN" breaks="zeros" says="a new entry"
class GradientBuffer:
    def __init__(self):
        self.memory = dict()

    def get_memory_loc(self, np_array):
        address, read_only = np_array.__array_interface__["data"]
        return int(address)

    def is_in_memory(self, np_array):
        return self.memory.get(self.get_memory_loc(np_array)) is not None

    def add_spot(self, np_array):
        where = self.get_memory_loc(np_array)
        if where in self.memory.keys():
            return
        self.memory[where] = 0.0 * np.array(np_array, dtype=np.float64)

    def update_param(self, np_array, gradient):
        where = self.get_memory_loc(np_array)
        self.memory[where] = np.sum([self.memory[where], gradient], axis=0)

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        for key in list(self.memory):
            del self.memory[key]

# %% wrong="A.2.3" why="the name of the function" breaks="backward function" says="neither its name"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation.__name__

# %% wrong="A.2.3" why="inputs and output exchanged" breaks="inputs and output" says="inputs and output exchanged"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = output
        self.outputs = inputs
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="only arrays are kept as places" breaks="gradients to update" says="the number of gradients_to_update"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = [g for g in gradients_to_update if g is not None]
        self.backward_function = backward_operation

# %% wrong="A.2.4" why="the walk turns the list round in place" breaks="record" says="The walk turned the list round"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        self.operation_list.reverse()
        for i, op in enumerate(self.operation_list):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the newest operation is put at the front" breaks="record" says="append puts it at the end"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.insert(0, Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(self.operation_list):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="copies of the inputs are recorded" breaks="record" says="the very arrays that add_operation got"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.originals = getattr(self, "originals", {})
        self.originals[len(self.operation_list)] = inputs
        self.operation_list.append(Operation([np.array(x) for x in inputs], output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(self.originals[len(self.operation_list) - 1 - i], op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the list is one of the class" breaks="record" says="Each engine has a list of its own"
class Autograd:
    operation_list = []

    def __init__(self):
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="an operation whose gradient is all zero gets the divergence" breaks="chains" says="got the divergence in its place"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
                if not np.any(g):
                    g = divergence
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the divergence is summed to a number" breaks="chains" says="here its entries were added up"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = np.sum(divergence)
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the first place decides for all inputs" breaks="parameters" says="each input has its own place"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if op.gradients_to_update[0] is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="copies of the places are recorded" breaks="parameters" says="not to a copy or to a new one"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, [None if t is None else t.copy() for t in gradients_to_update], backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="None is dropped before the gradients are paired" breaks="no gradient" says="None keeps its place"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, [grad for grad in grads if grad is not None]):
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="an operation with None is left out whole" breaks="no gradient" says="an input with None is left out alone"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            if any(grad is None for grad in grads):
                continue
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the walk begins before the first unused one from the end" breaks="unused" says="The sine got ones"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                g = np.ones(op.outputs.shape)
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="zero_grad sets parameter gradients to zero, too" breaks="zero_grad" says="changed the gradient of a parameter"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        for op in self.operation_list:
            for target in op.gradients_to_update:
                if target is not None:
                    target[...] = 0
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the walk ends at an unused output" breaks="unused" says="the walk goes on"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for step, op in enumerate(reversed(self.operation_list)):
            if step == 0:
                grad = divergence
            else:
                if not self.gradient_buffer.is_in_memory(op.outputs):
                    break
                grad = self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for array, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, g)
                else:
                    target += g

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% right="A.2.A" how="torch with retain_grad"
x = torch.tensor(2., requires_grad=True)
y = torch.tensor(3.)
p = x * y
q = p + x
r = q * p
p.retain_grad()
q.retain_grad()
r.backward()
q_bar, p_bar, x_bar = q.grad, p.grad, x.grad

# %% right="A.2.A" how="numpy integers, the walk in a loop"
bar = {"x": np.int64(0), "y": np.int64(0), "p": np.int64(0), "q": np.int64(0), "r": np.int64(1)}
value = {"x": 2, "y": 3, "p": 6, "q": 8}
for out, left, right, kind in (("r", "q", "p", "*"), ("q", "p", "x", "+"), ("p", "x", "y", "*")):
    bar[left] = bar[left] + bar[out] * (value[right] if kind == "*" else 1)
    bar[right] = bar[right] + bar[out] * (value[left] if kind == "*" else 1)
q_bar, p_bar, x_bar = bar["q"], bar["p"], bar["x"]

# %% wrong="A.2.A" why="p = x y hands its gradient on unchanged" breaks="x" says="times the other factor, y"
q_bar, p_bar, x_bar = 6, 14, 14 + 6

# %% wrong="A.2.A" why="arithmetic slip in q" breaks="p" says="Are the values of p and q right?"
q_bar, p_bar = 6., 7. + 6.
x_bar = 13. * 3 + 6

# %% wrong="A.2.A" why="p and x get a contribution too many" breaks="p" says="the rest, 9 in yours, is to be the value of q"
q_bar = 6.
p_bar = 8. + 6. + 1.
x_bar = 15. * 3 + 1.

# %% wrong="A.2.2" why="X + 0 returns X, as 0 changes nothing" breaks="letters" says="letters that do not have the address"
same_address = {"A", "C", "D", "F", "G", "H", "J", "L"}

# %% wrong="A.2.2" why="the expressions in place of the letters" breaks="letters" says="keys of `expressions`"
same_address = [text for text in expressions.values() if address(eval(text)) == address(X)]

# %% right="A.2.B" how="np.add with out"
def put(purses, name, coins):
    """Adds coins to the purse of name, in the dictionary."""
    if purses.get(name) is None:
        purses[name] = np.zeros(coins.shape)
    np.add(purses[name], coins, out=purses[name])

# %% wrong="A.2.B" why="vectors alone: zeros(len(coins))" breaks="adds up" says="two gifts of shape (2, 3)"
def put(purses, name, coins):
    """Adds coins to the purse of name, in the dictionary."""
    if name not in purses:
        purses[name] = np.zeros(len(coins))
    purses[name] = purses[name] + coins

# %% wrong="A.2.B" why="the coins are taken out of the guest's hand" breaks="coins kept" says="put changes coins itself"
def put(purses, name, coins):
    """Adds coins to the purse of name, in the dictionary."""
    if name not in purses:
        purses[name] = np.zeros(coins.shape)
    purses[name] += coins
    coins[...] = 0

# %% right="A.2.1" how="dataclass, new arrays in place of in place"
from dataclasses import dataclass, field
@dataclass
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    memory: dict = field(default_factory=dict)

    def get_memory_loc(self, np_array):
        return int(np_array.__array_interface__["data"][0])

    def is_in_memory(self, np_array):
        return any(key == self.get_memory_loc(np_array) for key in self.memory)

    def add_spot(self, np_array):
        if self.is_in_memory(np_array):
            return
        self.memory[self.get_memory_loc(np_array)] = 0. * np.ones(np.shape(np_array))

    def update_param(self, np_array, gradient):
        assert self.is_in_memory(np_array)
        here = self.get_memory_loc(np_array)
        self.memory[here] = self.memory[here] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        for key in list(self.memory):
            del self.memory[key]

# %% wrong="A.2.1" why="a default argument {} shared by all buffers" breaks="clear" says="Each buffer has a dictionary of its own"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self, memory={}):
        self.memory = memory
    def get_memory_loc(self, np_array):
        return address(np_array)
    def is_in_memory(self, np_array):
        return address(np_array) in self.memory
    def add_spot(self, np_array):
        if address(np_array) not in self.memory:
            self.memory[address(np_array)] = np.zeros(np_array.shape)
    def update_param(self, np_array, gradient):
        self.memory[address(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[address(np_array)]
    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="keys are strings of the address" breaks="address" says="no integer: str"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, np_array):
        return address(np_array)
    def is_in_memory(self, np_array):
        return str(address(np_array)) in self.memory
    def add_spot(self, np_array):
        if str(address(np_array)) not in self.memory:
            self.memory[str(address(np_array))] = np.zeros(np_array.shape)
    def update_param(self, np_array, gradient):
        self.memory[str(address(np_array))] += gradient
    def get_param(self, np_array):
        return self.memory[str(address(np_array))]
    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="an unknown array is passed over in silence by update_param" breaks="unknown arrays" says="which has no entry"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, np_array):
        return address(np_array)
    def is_in_memory(self, np_array):
        return address(np_array) in self.memory
    def add_spot(self, np_array):
        if address(np_array) not in self.memory:
            self.memory[address(np_array)] = np.zeros(np_array.shape)
    def update_param(self, np_array, gradient):
        if self.is_in_memory(np_array):
            self.memory[address(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[address(np_array)]
    def clear(self):
        self.memory = {}

# %% right="A.2.3" how="slots, tuple of inputs"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    __slots__ = ("inputs", "outputs", "gradients_to_update", "backward_function")

    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = tuple(inputs), output
        self.gradients_to_update, self.backward_function = list(gradients_to_update), backward_operation

# %% right="A.2.3" how="properties over private attributes"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.kept = (inputs, output, gradients_to_update, backward_operation)
    inputs = property(lambda self: self.kept[0])
    outputs = property(lambda self: self.kept[1])
    gradients_to_update = property(lambda self: self.kept[2])
    backward_function = property(lambda self: self.kept[3])

# %% wrong="A.2.3" why="attributes of the class, shared by all operations" breaks="inputs and output" says="attributes of its own"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        Operation.inputs = inputs
        Operation.outputs = output
        Operation.gradients_to_update = gradients_to_update
        Operation.backward_function = staticmethod(backward_operation)

# %% wrong="A.2.3" why="makes all inputs float: integers (labels) are copied" breaks="inputs and output" says="The arrays themselves are kept"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = [np.asarray(x, dtype=float) for x in inputs]
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="binds the inputs to the function" breaks="backward function" says="called with grad_output and 2 inputs"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = lambda g: backward_operation(g, *inputs)

# %% right="A.2.4" how="the divergence seeded in the buffer; a new buffer at zero_grad"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.zero_grad()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        end = self.operation_list[-1].outputs
        self.gradient_buffer.add_spot(end)
        self.gradient_buffer.update_param(end, divergence)
        for op in self.operation_list[::-1]:
            if self.gradient_buffer.is_in_memory(op.outputs):
                self.pass_on(op)

    def pass_on(self, op):
        grads = op.backward_function(self.gradient_buffer.get_param(op.outputs), *op.inputs)
        for x, g, target in zip(op.inputs, grads if isinstance(grads, tuple) else (grads,), op.gradients_to_update):
            if g is None:
                continue
            if target is None:
                self.gradient_buffer.update_param(x, g)
            else:
                target[...] += g

    def zero_grad(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

# %% right="A.2.4" how="outputs have spots, too; a zero gradient is passed on as zero"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in (*inputs, output):
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        self.gradient_buffer.update_param(self.operation_list[-1].outputs, divergence)
        for op in reversed(self.operation_list):
            grads = op.backward_function(self.gradient_buffer.get_param(op.outputs), *op.inputs)
            if type(grads) is not tuple:
                grads = (grads,)
            for x, g, target in zip(op.inputs, grads, op.gradients_to_update):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="a single input whose gradient is None is not cared for" breaks="no gradient" says="an operation with one input and None for it"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for op in reversed(self.operation_list):
            if op is self.operation_list[-1]:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                if op.gradients_to_update[0] is None:
                    self.gradient_buffer.update_param(op.inputs[0], grads)
                else:
                    op.gradients_to_update[0] += grads
                continue
            for x, g, target in zip(op.inputs, grads, op.gradients_to_update):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="no spots in add_operation; they are made in backward" breaks="record" says="add_operation makes the spot"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for op in reversed(self.operation_list):
            if op is self.operation_list[-1]:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, g, target in zip(op.inputs, grads, op.gradients_to_update):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.add_spot(x)
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the divergence is handed from operation to operation" breaks="fan-out" says="Half of what comes back is missing"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        grad = divergence
        for op in reversed(self.operation_list):
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, g, target in zip(op.inputs, grads, op.gradients_to_update):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g
            grad = grads[0]
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.3" why="gradients begun at zero" breaks="gradients to update" says="set to zero when the operation was made"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        for g in gradients_to_update:
            if g is not None:
                g[...] = 0
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% right="A.2.A" how="arrays with one entry"
values = {"x": np.array([2.]), "y": np.array([3.])}
values["p"] = values["x"] * values["y"]
values["q"] = values["p"] + values["x"]
bar = {name: np.zeros(1) for name in values}
bar["q"] += values["p"]
bar["p"] += values["q"]
bar["p"] += bar["q"]
bar["x"] += bar["q"]
bar["x"] += bar["p"] * values["y"]
q_bar, p_bar, x_bar = bar["q"], bar["p"], bar["x"]

# %% wrong="A.2.A" why="the walk begins with the value of r" breaks="q" says="the walk begins with 1"
q_bar, p_bar, x_bar = 288., 14., 48.

# %% wrong="A.2.A" why="the derivatives of q and p by x" breaks="q" says="not those of q and of p by x"
q_bar, p_bar, x_bar = 4., 3., 48.

# %% wrong="A.2.A" why="the sum hands on the other part, as a product does" breaks="p" says="p_bar has q_bar in it once"
q_bar, p_bar, x_bar = 6., 8. + 6. * 2., 48.

# %% wrong="A.2.2" why="asks whether the base is X, which is a view itself" breaks="letters" says="`.base is X` holds for none"
same_address = {letter for letter, expression in expressions.items() if eval(expression).base is X}

# %% wrong="A.2.B" why="a new purse has one entry, and coins without an axis get one" breaks="adds up" says="A purse has the shape of the coins"
def put(purses, name, coins):
    """Adds coins to the purse of name, in the dictionary."""
    if name not in purses:
        purses[name] = np.zeros(1)
    purses[name] = purses[name] + coins

# %% right="A.2.B" how="the coins themselves at first, then a new array each time"
def put(purses, name, coins):
    """Adds coins to the purse of name, in the dictionary."""
    try:
        purses[name] = purses[name] + coins
    except KeyError:
        purses[name] = coins

# %% wrong="A.2.1" why="the lowest address that the array uses" breaks="address" says="is not the lowest one that it uses"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np.lib.array_utils.byte_bounds(np_array)[0]

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

# %% wrong="A.2.1" why="clear deletes entries while it walks over them" breaks="clear" says="changed size during iteration"
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
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        for where in self.memory:
            del self.memory[where]

# %% right="A.2.1" how="the buffer is a dictionary itself"
class GradientBuffer(dict):
    """The gradients of arrays that are no parameters, by the address of the array."""
    def __init__(self):
        super().__init__()
        self.memory = self

    @staticmethod
    def get_memory_loc(np_array):
        return int(np_array.__array_interface__["data"][0])

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self

    def add_spot(self, np_array):
        if self.get_memory_loc(np_array) not in self:
            self[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        self[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self[self.get_memory_loc(np_array)]

# %% wrong="A.2.3" why="a comma after the inputs makes a tuple of them" breaks="inputs and output" says="each entry of inputs is an array"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs,
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="a comma after gradients_to_update makes a tuple of them" breaks="gradients to update" says="not a list"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update,
        self.backward_function = backward_operation

# %% wrong="A.2.4" why="None is left out for the buffer alone" breaks="no gradient" says="to an array in gradients_to_update, too"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if target is not None:
                    target += g
                elif g is not None:
                    self.gradient_buffer.update_param(x, g)

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the walk clears the buffer at its end" breaks="record" says="The walk leaves the entries in the buffer"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad = divergence
        for op in reversed(self.operation_list):
            if op is not self.operation_list[-1]:
                if not self.gradient_buffer.is_in_memory(op.outputs):
                    continue
                grad = self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(grad, *op.inputs)
            if not isinstance(grads, tuple):
                grads = (grads,)
            for x, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g
        self.gradient_buffer.clear()

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="makes the inputs float when it records them" breaks="record" says="integers made float are a copy"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        inputs = [np.asarray(x, dtype=np.float64) for x in inputs]
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
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

# %% wrong="A.2.4" why="knows a single gradient by its being an array or None" breaks="chains" says="'numpy.float64' object is not iterable"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if grads is None or isinstance(grads, np.ndarray):
                grads = (grads,)
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

# %% wrong="A.2.4" why="a copy of the output is recorded" breaks="record" says="the output of the entry is the very array"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        output = np.array(output)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for i, op in enumerate(reversed(self.operation_list)):
            if i == 0:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
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

# %% right="A.2.4" how="a heap of positions, from the last operation to those that made its inputs"
import heapq

class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation

class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        if not self.operation_list:
            return
        maker = {self.gradient_buffer.get_memory_loc(op.outputs): i for i, op in enumerate(self.operation_list)}
        last = len(self.operation_list) - 1
        heap, seen = [-last], {last}
        while heap:
            i = -heapq.heappop(heap)
            op = self.operation_list[i]
            grad = divergence if i == last else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(grad, *op.inputs)
            grads = [grads] if len(op.inputs) == 1 else list(grads)
            for x, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if g is None:
                    continue
                if target is not None:
                    np.add(target, g, out=target)
                    continue
                self.gradient_buffer.update_param(x, g)
                made_by = maker.get(self.gradient_buffer.get_memory_loc(x))
                if made_by is not None and made_by not in seen:
                    seen.add(made_by)
                    heapq.heappush(heap, -made_by)

    def zero_grad(self):
        self.__init__()

# %% wrong="A.2.A" why="the sum of x and y in place of their product" breaks="q" says="and not their sum"
q_bar = 5
p_bar = 12
x_bar = 5 + 36

# %% wrong="A.2.B" why="each gift goes into every purse" breaks="adds up" says="Gifts to others are in it"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros(coins.shape)
    for k in purses:
        if purses[k].shape == coins.shape:
            purses[k] = purses[k] + coins

# %% wrong="A.2.B" why="a purse is a list of gifts" breaks="adds up" says="A purse is an array"
def put(purses, name, coins):
    purses.setdefault(name, []).append(coins)

# %% wrong="A.2.1" why="get_param gives None" breaks="unknown arrays" says=".get(key)"
class GradientBuffer:
    def __init__(self): self.memory = {}
    def get_memory_loc(self, np_array): return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array): return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array): self.memory.setdefault(self.get_memory_loc(np_array), np.zeros(np_array.shape))
    def update_param(self, np_array, gradient): self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array): return self.memory.get(self.get_memory_loc(np_array))
    def clear(self): self.memory.clear()

# %% wrong="A.2.1" why="clear puts None in place of the entries" breaks="clear" says="keys and all"
class GradientBuffer:
    def __init__(self): self.memory = {}
    def get_memory_loc(self, np_array): return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array): return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array): self.memory.setdefault(self.get_memory_loc(np_array), np.zeros(np_array.shape))
    def update_param(self, np_array, gradient): self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array): return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        for k in self.memory: self.memory[k] = None

# %% wrong="A.2.1" why="an entry is a number at first" breaks="zeros" says="from the beginning"
class GradientBuffer:
    def __init__(self): self.memory = {}
    def get_memory_loc(self, np_array): return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array): return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array): self.memory.setdefault(self.get_memory_loc(np_array), 0.0)
    def update_param(self, np_array, gradient): self.memory[self.get_memory_loc(np_array)] = self.memory[self.get_memory_loc(np_array)] + gradient
    def get_param(self, np_array): return self.memory[self.get_memory_loc(np_array)]
    def clear(self): self.memory.clear()

# %% right="A.2.1" how="takes the entry out and puts it back"
class GradientBuffer:
    def __init__(self): self.memory = {}
    def get_memory_loc(self, a): return int(a.__array_interface__["data"][0])
    def is_in_memory(self, a): return self.memory.get(self.get_memory_loc(a)) is not None
    def add_spot(self, a): self.memory.setdefault(self.get_memory_loc(a), 0. * np.ones(a.shape))
    def update_param(self, a, g):
        k = self.get_memory_loc(a)
        self.memory[k] = np.add(self.memory.pop(k), g)
    def get_param(self, a): return self.memory[self.get_memory_loc(a)]
    def clear(self):
        while self.memory: self.memory.popitem()

# %% wrong="A.2.3" why="names without self" breaks="inputs and output" says="A name without self"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        inputs = inputs
        outputs = output
        gradients_to_update = gradients_to_update
        backward_function = backward_operation

# %% wrong="A.2.4" why="walks forward and skips what has no entry" breaks="chains" says="here it begins with the first"
class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        g = divergence
        for k, op in enumerate(self.operation_list):
            if k:
                if not self.gradient_buffer.is_in_memory(op.outputs): continue
                g = self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(g, *op.inputs)
            if not isinstance(grads, tuple): grads = (grads,)
            for i, place, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None: continue
                if place is None: self.gradient_buffer.update_param(i, grad)
                else: place += grad
    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.A" why="the rest beside q_bar is not the value of q" breaks="p" says="is to be the value of q"
q_bar, p_bar, x_bar = 6, 10, 36

# %% wrong="A.2.A" why="the sum hands 1 on to x" breaks="x" says="hands q_bar on to x, not 1"
q_bar, p_bar, x_bar = 6, 14, 43

# %% wrong="A.2.B" why="a new purse begins with ones" breaks="adds up" says="it is to begin with zeros"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.ones(coins.shape)
    purses[name] = purses[name] + coins

# %% wrong="A.2.1" why="a set of known addresses beside memory, which clear() forgets" breaks="clear" says="nothing that is kept beside it"
class GradientBuffer:
    def __init__(self):
        self.memory, self.known = {}, set()

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.known

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.known.add(self.get_memory_loc(np_array))
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="the entry is added to the gradient, in place" breaks="gradient kept" says="The entry was added to the second gradient"
class GradientBuffer:
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
        gradient += self.memory[self.get_memory_loc(np_array)]
        self.memory[self.get_memory_loc(np_array)] = gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

# %% wrong="A.2.1" why="an entry is a pair of the array and its gradient" breaks="zeros" says="a new entry is an array, here: list"
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        self.memory.setdefault(self.get_memory_loc(np_array), [np_array, np.zeros(np_array.shape)])

    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)][1] += gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory = {}

# %% wrong="A.2.4" why="all gradients go to the first input" breaks="chains" says="x got what came back for y, too"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            g = divergence if k == 0 else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(op.inputs[0], grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="every operation's gradient is multiplied by the divergence" breaks="chains" says="The divergence enters twice"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            g = divergence if k == 0 else divergence * self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the list of inputs is handed over without the star" breaks="chains" says="one by one, not the list"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            g = divergence if k == 0 else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(g, op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="asks for the truth of an array" breaks="chains" says="is asked by `is None`"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            g = divergence if k == 0 else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target:
                    target += grad
                else:
                    self.gradient_buffer.update_param(x, grad)

    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="takes an entry out when its operation is done" breaks="record" says="still has its entry in the buffer"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            g = divergence if k == 0 else self.gradient_buffer.get_param(op.outputs)
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for x, target, grad in zip(op.inputs, op.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(x, grad)
                else:
                    target += grad
            if k > 0:
                del self.gradient_buffer.memory[self.gradient_buffer.get_memory_loc(op.outputs)]

    def zero_grad(self):
        self.operation_list.clear()
        self.gradient_buffer.clear()

# %% wrong="A.2.A" why="x and y exchanged" breaks="p" says="not at x = 3 and y = 2"
q_bar, p_bar, x_bar = 6., 15., 36.

# %% wrong="A.2.A" why="q as a product" breaks="p" says="is a sum, not a product"
q_bar, p_bar, x_bar = 6., 24., 108.

# %% wrong="A.2.A" why="two names exchanged" breaks="q" says="q_bar and p_bar are not exchanged"
q_bar, p_bar, x_bar = 14., 6., 48.

# %% wrong="A.2.A" why="q hands on the gradient of p" breaks="x" says="hands q_bar on to x, not p_bar"
q_bar, p_bar, x_bar = 6., 14., 56.

# %% wrong="A.2.B" why="a purse of integers" breaks="adds up" says="Whole numbers cannot hold half a coin"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros(coins.shape, dtype=int)
    purses[name] = purses[name] + coins.astype(int)

# %% wrong="A.2.1" why="update_param makes the entry that is not there" breaks="unknown arrays" says="Only add_spot makes an entry"
class GradientBuffer:
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory.clear()

# %% wrong="A.2.4" why="the first of the list is left out" breaks="chains" says="leaves it out"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k in range(len(self.operation_list) - 1, 0, -1):
            op = self.operation_list[k]
            if k == len(self.operation_list) - 1:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t += gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.B" why="a mean" breaks="adds up" says="This is the mean of the gifts"
def put(purses, name, coins):
    if name in purses:
        purses[name] = (purses[name] + coins) / 2
    else:
        purses[name] = coins.copy()

# %% wrong="A.2.B" why="a guest without a purse" breaks="adds up" says="gets its purse first"
def put(purses, name, coins):
    purses[name] = purses[name] + coins

# %% wrong="A.2.1" why="the mean of the gradients" breaks="adds up" says="This is the mean of the two gradients"
class GradientBuffer:
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
        k = self.get_memory_loc(np_array)
        self.memory[k] = (self.memory[k] + gradient) / (2 if self.memory[k].any() else 1)
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="no clear" breaks="clear" says="has the method clear"
class GradientBuffer:
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

# %% wrong="A.2.3" why="the inputs as one array" breaks="inputs and output" says="do not fit into one array"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = np.array(inputs)
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="init with one underscore" breaks="inputs and output" says="two underscores"
class Operation:
    def _init_(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.4" why="Operation gets its arguments in another order" breaks="record" says="It is the fourth thing"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, backward_operation, gradients_to_update))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t += gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="no spots at all" breaks="record" says="makes the spot of each input"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t += gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="takes the gradients of parameters off" breaks="parameters" says="taken off, not added"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t -= gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="asks the buffer for the gradient of its input" breaks="chains" says="its sine gets as grad_output"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.inputs[0])
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t += gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="the mean of the divergence" breaks="chains" says="here its mean was"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                g = np.mean(divergence)
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t += gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="a new buffer in backward" breaks="chains" says="is the buffer a new one by then"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for i in inputs:
            self.gradient_buffer.add_spot(i)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        self.gradient_buffer = GradientBuffer()
        for k, op in enumerate(reversed(self.operation_list)):
            if k == 0:
                g = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                g = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(g, *op.inputs)
            if len(op.inputs) == 1:
                grads = (grads,)
            for i, t, gr in zip(op.inputs, op.gradients_to_update, grads):
                if gr is None:
                    continue
                if t is None:
                    self.gradient_buffer.update_param(i, gr)
                else:
                    t += gr
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.3" why="attributes of the class" breaks="backward function" says="becomes a method"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        Operation.inputs = inputs
        Operation.outputs = output
        Operation.gradients_to_update = gradients_to_update
        Operation.backward_function = backward_operation

# %% wrong="A.2.3" why="turns integers into floats" breaks="inputs and output" says="another dtype is a copy"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = [np.asarray(i, dtype=float) for i in inputs]
        self.outputs = np.asarray(output, dtype=float)
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% right="A.2.B" how="the very array at first, then always a new sum"
def put(purses, name, coins):
    purses[name] = purses[name] + coins if name in purses else coins

# %% wrong="A.2.A" why="the value of q with y in place of x" breaks="p" says="p_bar is q_bar and the value of q"
q_bar, p_bar, x_bar = 6., 15., 51.

# %% wrong="A.2.A" why="r taken for a sum" breaks="q" says="r = q p is a product"
q_bar, p_bar, x_bar = 1., 2., 7.

# %% wrong="A.2.B" why="the local variable is added to, not the entry" breaks="adds up" says="stand in the dictionary"
def put(purses, name, coins):
    if name not in purses:
        purses[name] = np.zeros(coins.shape)
    purse = purses[name]
    purse = purse + coins

# %% wrong="A.2.B" why="a new purse puts the others out" breaks="adds up" says="Only the purse of the last guest is left"
def put(purses, name, coins):
    if name not in purses:
        purses.clear()
        purses[name] = np.zeros(coins.shape)
    purses[name] = purses[name] + coins

# %% wrong="A.2.1" why="entry is a copy of the array" breaks="zeros" says="holds the numbers of its array"
class GradientBuffer:
    def __init__(self):
        self.memory = {}
    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]
    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory
    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.array(np_array, dtype=float)
    def update_param(self, np_array, gradient):
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]
    def clear(self):
        self.memory.clear()

# %% wrong="A.2.1" why="get_param resets the entry to zeros" breaks="adds up" says="when get_param is called a second time"
class GradientBuffer:
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
        self.memory[self.get_memory_loc(np_array)] += gradient
    def get_param(self, np_array):
        key = self.get_memory_loc(np_array)
        found = self.memory[key]
        self.memory[key] = np.zeros(found.shape)
        return found
    def clear(self):
        self.memory.clear()

# %% wrong="A.2.3" why="inputs and output in one list" breaks="inputs and output" says="stands among the inputs"
class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs + [output]
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.4" why="makes the spot for a copy of the input" breaks="record" says="a copy has another address"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x.copy())
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        last = True
        for op in reversed(self.operation_list):
            if last:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            last = False
            grads = op.backward_function(grad, *op.inputs)
            if not isinstance(grads, tuple):
                grads = (grads,)
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

# %% wrong="A.2.4" why="add_operation copies the inputs as float" breaks="record" says="the very arrays"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation([np.array(x, dtype=float) for x in inputs], output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        last = True
        for op in reversed(self.operation_list):
            if last:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            last = False
            grads = op.backward_function(grad, *op.inputs)
            if not isinstance(grads, tuple):
                grads = (grads,)
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

# %% wrong="A.2.4" why="spots only for inputs that are outputs of earlier operations" breaks="record" says="before any walk"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()
    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        known = [op.outputs.ctypes.data for op in self.operation_list]
        for x in inputs:
            if x.ctypes.data in known:
                self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))
    def backward(self, divergence):
        last = True
        for op in reversed(self.operation_list):
            if last:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            last = False
            grads = op.backward_function(grad, *op.inputs)
            if not isinstance(grads, tuple):
                grads = (grads,)
            for x, target, g in zip(op.inputs, op.gradients_to_update, grads):
                if g is None:
                    continue
                if target is None:
                    self.gradient_buffer.add_spot(x)
                    self.gradient_buffer.update_param(x, g)
                else:
                    target += g
    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()

# %% wrong="A.2.4" why="a None of a single input is handed to the buffer" breaks="no gradient" says="it is the gradient of the only input"
class Autograd:
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for x in inputs:
            self.gradient_buffer.add_spot(x)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def _send(self, x, g, place):
        if place is None:
            self.gradient_buffer.update_param(x, g)
        else:
            place += g

    def backward(self, divergence):
        for number in range(len(self.operation_list) - 1, -1, -1):
            op = self.operation_list[number]
            if number == len(self.operation_list) - 1:
                grad = divergence
            elif self.gradient_buffer.is_in_memory(op.outputs):
                grad = self.gradient_buffer.get_param(op.outputs)
            else:
                continue
            grads = op.backward_function(grad, *op.inputs)
            if len(op.inputs) == 1:
                self._send(op.inputs[0], grads, op.gradients_to_update[0])
            else:
                for x, g, place in zip(op.inputs, grads, op.gradients_to_update):
                    if g is not None:
                        self._send(x, g, place)

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
