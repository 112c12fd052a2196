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

# %% wrong="A.2.1" why="the second gradient replaces the first" says="update_param adds, and add_spot leaves"
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

# %% wrong="A.2.1" why="add_spot makes a new entry each time" says="add_spot leaves an entry alone"
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

# %% wrong="A.2.1" why="keeps the array that was handed over and adds to it" says="left as it was"
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

# %% wrong="A.2.1" why="zeros of the array's dtype" says="UFuncTypeError"
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

# %% wrong="A.2.1" why="id in place of the address" says="get_memory_loc minus the array's address"
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

# %% wrong="A.2.1" why="an unknown array gets an entry without a word" says="for an array without an entry"
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

# %% wrong="A.2.1" why="clear sets zeros but keeps the entries" says="after clear()"
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

# %% wrong="A.2.1" why="memory is shared by all buffers" says="the number of entries of a new buffer"
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

# %% wrong="A.2.1" why="the whole entry data, a pair" says="returns an integer; found: tuple"
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

# %% right="A.2.2" how="a string"
same_address = "LACDFHJ"

# %% right="A.2.2" how="asks NumPy"
start = X.__array_interface__["data"][0]
same_address = [letter for letter, text in expressions.items() if eval(text).__array_interface__["data"][0] == start]

# %% wrong="A.2.2" why="takes every view" says="letters that do not have the address"
same_address = {"A", "C", "D", "E", "F", "H", "J", "L"}

# %% wrong="A.2.2" why="takes astype for a view" says="letters that do not have the address"
same_address = {"A", "C", "D", "F", "H", "I", "J", "L"}

# %% wrong="A.2.2" why="takes ravel for a copy" says="the number of letters that are missing"
same_address = {"A", "C", "D", "F", "H", "J"}

# %% wrong="A.2.2" why="takes the transpose for a copy" says="A, the transpose, is among the letters"
same_address = {"C", "D", "F", "H", "J", "L"}

# %% wrong="A.2.2" why="takes flatten for ravel" says="letters that do not have the address"
same_address = {"A", "C", "D", "F", "H", "J", "K"}

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

# %% wrong="A.2.3" why="copies the inputs" says="The arrays themselves are kept"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = [np.array(a) for a in inputs]
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="copies the gradients to update" says="the second one, an array that changed"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = [None if g is None else g.copy() for g in gradients_to_update]
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="keeps the inputs as the output" says="the output"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = inputs[0]
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation

# %% wrong="A.2.3" why="gives zeros for None" says="the first entry of gradients_to_update"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = [np.zeros(1) if g is None else g for g in gradients_to_update]
        self.backward_function = backward_operation

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

# %% wrong="A.2.4" why="walks forward" says="does the walk begin at the last operation"
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

# %% wrong="A.2.4" why="an array that is an input twice counts once" says="of an input that an operation has twice"
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

# %% wrong="A.2.4" why="parameters get a new array" says="add to it in place"
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

# %% wrong="A.2.4" why="parameters are overwritten" says="they do not replace it"
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

# %% wrong="A.2.4" why="the buffer is not cleared" says="after zero_grad()"
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

# %% wrong="A.2.4" why="the list is not cleared" says="zero_grad and a second pass:"
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

# %% wrong="A.2.4" why="None is not skipped" says="parameters, and inputs without a gradient:"
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

# %% wrong="A.2.4" why="every operation gets the divergence" says="for b = a + a, c = b + b: values differ"
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

# %% wrong="A.2.4" why="the parameter's gradient goes into the buffer, too" says="add to it in place"
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

# %% wrong="A.2.4" why="recurses through the graph" says="chains:"
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

# %% wrong="A.2.4" why="the gradient overwrites what the buffer holds" says="Contributions add up"
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

# %% wrong="A.2.4" why="the last operation gets ones of its output's shape" says="chains:"
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

# %% wrong="A.2.4" why="a single input's gradient is taken for a tuple" says="returns its gradient itself, no tuple"
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
