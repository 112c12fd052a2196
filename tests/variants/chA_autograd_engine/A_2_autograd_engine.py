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

# %% right="A.3.1" how="axis by axis"
def unbroadcast(grad, shape):
    while np.ndim(grad) > len(shape):
        grad = np.sum(grad, axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            grad = np.sum(grad, axis=axis, keepdims=True)
    return grad

# %% right="A.3.1" how="einsum of the axes that stay"
def unbroadcast(grad, shape):
    axes = list(range(grad.ndim))
    padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
    return np.einsum(grad, axes, [axis for axis in axes if padded[axis] > 1]).reshape(shape)

# %% wrong="A.3.1" why="a mean" says="not averaged"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.mean(axis=axes).reshape(shape)

# %% wrong="A.3.1" why="sums leading axes only" says="(2, 3) back to (2, 1)"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead))
    return grad.sum(axis=axes)

# %% wrong="A.3.1" why="drops the axes of length 1" says="(2, 3) back to (2, 1): wrong shape"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=axes)

# %% wrong="A.3.1" why="reshapes by cutting" says="(2, 3) back to (3,): values differ"
def unbroadcast(grad, shape):
    return np.asarray(grad).reshape(-1)[:int(np.prod(shape))].reshape(shape)

# %% wrong="A.3.1" why="aligns at the left" says="raised ValueError"
def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    padded = tuple(shape) + (1,) * (grad.ndim - len(shape))
    if len(shape) == 1 and shape[0] != grad.shape[0]:
        padded = (1,) * (grad.ndim - 1) + tuple(shape)
    axes = tuple(i for i, n in enumerate(padded) if n == 1)
    return grad.sum(axis=axes).reshape(shape)

# %% wrong="A.3.1" why="sums into the argument" says="grad is left as it was"
def unbroadcast(grad, shape):
    result = np.array(torch.as_tensor(grad).sum_to_size(tuple(shape)))
    if np.ndim(grad) > 2:
        grad[...] = 0
    return result

# %% right="A.3.2" how="written out, reduced by a helper of its own"
def reduced(grad, like):
    axes = tuple(range(grad.ndim - like.ndim))
    grad = grad.sum(axis=axes) if axes else grad
    stretched = tuple(i for i in range(like.ndim) if like.shape[i] == 1)
    return grad.sum(axis=stretched, keepdims=True) if stretched else grad

def add_backward(grad_output, a, b):
    return reduced(grad_output, a), reduced(grad_output, b)

def sub_backward(grad_output, a, b):
    return reduced(grad_output, a), -reduced(grad_output, b)

def mul_backward(grad_output, a, b):
    return reduced(grad_output * b, a), reduced(a * grad_output, b)

def div_backward(grad_output, a, b):
    return reduced(grad_output * (1 / b), a), reduced(grad_output * (-a / np.square(b)), b)

# %% right="A.3.2" how="lists, the quotient as a product"
def add_backward(grad_output, a, b):
    return [unbroadcast(grad_output, np.shape(x)) for x in (a, b)]

def sub_backward(grad_output, a, b):
    return [unbroadcast(sign * grad_output, np.shape(x)) for sign, x in ((1, a), (-1, b))]

def mul_backward(grad_output, a, b):
    return [unbroadcast(grad_output * y, np.shape(x)) for x, y in ((a, b), (b, a))]

def div_backward(grad_output, a, b):
    a_grad, inverse_grad = mul_backward(grad_output, a, 1 / b)
    return a_grad, -inverse_grad / b ** 2

# %% wrong="A.3.2" why="no reduction" says="broadcasting:"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return grad_output * np.ones(a.shape), grad_output * np.ones(b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return grad_output * np.ones(a.shape), -grad_output * np.ones(b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return grad_output * b * np.ones(a.shape), grad_output * a * np.ones(b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return grad_output / b * np.ones(a.shape), -grad_output * a / b ** 2 * np.ones(b.shape)

# %% wrong="A.3.2" why="the sign of the second input of a difference" says="The sign is wrong"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="the factors are swapped" says="mul_backward, inputs of shapes (2,) and (2,): the gradient of input 0"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * a, a.shape), unbroadcast(grad_output * b, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="grad_output does not enter the product" says="grad_output does not enter"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(np.ones_like(grad_output) * b, a.shape), unbroadcast(np.ones_like(grad_output) * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="1/b in place of 1/b² in the quotient" says="div_backward, inputs of shapes (2,) and (2,): the gradient of input 1"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b, b.shape)

# %% wrong="A.3.2" why="negates grad_output in place" says="the arguments after the call"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    first = unbroadcast(grad_output, a.shape) + 0
    grad_output *= -1
    return first, unbroadcast(grad_output, b.shape) + 0


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="one gradient only" says="the number of gradients"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="reduces the leading axes only" says="broadcasting:"
def lead(grad, shape):
    return grad.sum(axis=tuple(range(grad.ndim - len(shape))))


def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return lead(grad_output, a.shape), lead(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return lead(grad_output, a.shape), lead(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return lead(grad_output * b, a.shape), lead(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return lead(grad_output / b, a.shape), lead(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="the first of the four only" says="name 'sub_backward' is not defined"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

# %% wrong="A.3.2" why="the sign of the divisor's gradient" says="The sign is wrong"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), -unbroadcast(grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output*b, a.shape), unbroadcast(grad_output*a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output/b, a.shape), unbroadcast(grad_output*a/b**2, b.shape)

# %% right="A.3.3" how="einsum"
def matmul_backward(grad_output, a, b):
    return np.einsum("nm,km->nk", grad_output, b), np.einsum("nk,nm->km", a, grad_output)

def outer_backward(grad_output, a, b):
    da = np.einsum("ij,j->i", grad_output, b.ravel())
    db = np.einsum("ij,i->j", grad_output, a.ravel())
    return da.reshape(a.shape), db.reshape(b.shape)

# %% right="A.3.3" how="sums of products over a new axis"
def matmul_backward(grad_output, a, b):
    both = grad_output[:, None, :]
    return (both * b).sum(axis=2), (both * a[:, :, None]).sum(axis=0)

def outer_backward(grad_output, a, b):
    return (grad_output * b.ravel()).sum(axis=1).reshape(a.shape), (grad_output.T * a.ravel()).sum(axis=1).reshape(b.shape)

# %% wrong="A.3.3" why="no transpose" says="ValueError"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b, a @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="no transpose where the matrices are square" says="Which factor is transposed?"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    if a.shape == b.shape:
        return grad_output @ b, a @ grad_output
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="transposed gradients" says="This is transposed"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return (grad_output @ b.T).T, (a.T @ grad_output).T


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="swapped" says="The two gradients are swapped"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return a.T @ grad_output, grad_output @ b.T


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="outer: no sum" says="outer_backward, shapes (2,) and (3,)"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return grad_output * b.reshape(1, -1), grad_output * a.reshape(-1, 1)

# %% wrong="A.3.3" why="outer: the other input's vector" says="outer_backward, shapes (2,) and (3,)"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output.sum(axis=1) * a.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="outer: a vector whatever the input's shape" says="outer_backward, shapes (1, 3) and (1, 2): the gradient of input 0: wrong shape"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)), (a.reshape(-1) @ grad_output)

# %% right="A.3.4" how="exponentials of -|a|, where"
def exp_backward(grad_output, a):
    return np.exp(a) * grad_output

def log_backward(grad_output, a):
    return (1 / a) * grad_output

def sigmoid_backward(grad_output, a):
    e = np.exp(-np.abs(a))
    return grad_output * e / (1 + e) ** 2

def tanh_backward(grad_output, a):
    e = np.exp(-2 * np.abs(a))
    return grad_output * 4 * e / (1 + e) ** 2

def relu_backward(grad_output, a):
    return np.where(a > 0, grad_output, 0.)

# %% right="A.3.4" how="tuples of one, slope 1 at zero"
def exp_backward(grad_output, a):
    return (grad_output * np.e ** a,)

def log_backward(grad_output, a):
    return (np.divide(grad_output, a),)

def sigmoid_backward(grad_output, a):
    return (grad_output * (1 - np.tanh(a / 2) ** 2) / 4,)

def tanh_backward(grad_output, a):
    return (grad_output - grad_output * np.tanh(a) * np.tanh(a),)

def relu_backward(grad_output, a):
    return (grad_output * np.heaviside(a, 1.),)

# %% wrong="A.3.4" why="takes the input for the output (sigmoid)" says="This takes it for the output"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    return grad_output * a * (1 - a)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="takes the input for the output (tanh)" says="This takes it for the output"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
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
    return grad_output * (1 - a ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="the derivative without grad_output" says="grad_output does not enter"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return np.exp(a)


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

# %% wrong="A.3.4" why="log of the input" says="The derivative of log at a is 1 / a"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / np.log(a)


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

# %% wrong="A.3.4" why="the naive sigmoid overflows" says="sigmoid_backward for inputs 800 and -800: values differ: yours is nan"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    with np.errstate(all='ignore'):
        return grad_output * np.exp(-a) / (1 + np.exp(-a)) ** 2


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="ReLU writes its mask into the input" says="the arguments after the call"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
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
    a[a > 0] = 1
    a[a <= 0] = 0
    return grad_output * a

# %% wrong="A.3.4" why="ReLU: the sign of grad_output decides" says="The sign of a decides"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
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
    return grad_output * (grad_output > 0)

# %% wrong="A.3.4" why="ReLU passes everything" says="the activations:"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
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
    return grad_output * 1

# %% wrong="A.3.4" why="the derivative of exp at the output" says="The derivative of exp at a is exp(a)"
def exp_backward(grad_output, a): return grad_output * a
def log_backward(grad_output, a): return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 1 / (1 + np.exp(-a))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a): return grad_output * (1 - np.tanh(a)**2)
def relu_backward(grad_output, a): return np.where(a > 0, grad_output, 0)

# %% right="A.3.5" how="broadcast_to, all to the first largest"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape).copy()

def max_backward(grad_output, a):
    grad = np.zeros(a.size)
    grad[np.argmax(a)] = np.asarray(grad_output).reshape(())
    return grad.reshape(a.shape)

# %% right="A.3.5" how="zeros plus"
def sum_backward(grad_output, a):
    return np.zeros_like(a, dtype=float) + grad_output

def max_backward(grad_output, a):
    places = np.argwhere(a == np.max(a))
    grad = np.zeros(a.shape)
    for place in places:
        grad[tuple(place)] = float(grad_output) / len(places)
    return (grad,)

# %% wrong="A.3.5" why="ones, whatever grad_output is" says="grad_output does not enter"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="the gradient of a mean" says="sum_backward of 1, 7, -9"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape) / a.size


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="ReLU's derivative" says="This is ReLU's derivative"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (a > 0)

# %% wrong="A.3.5" why="the largest in size" says="not the one that is largest in size"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = np.abs(a) == np.abs(a).max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="each of the equally large entries gets all" says="Each of them got all of it"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * largest

# %% wrong="A.3.5" why="a number in place of an array of a's shape" says="wrong shape"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="one maximum for each column" says="max_backward:"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max(axis=0)
    return grad_output * (largest / largest.sum() if a.ndim == 1 else largest)

# %% wrong="A.3.5" why="sums always over all axes" says="sum_backward:"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return np.sum(grad_output) * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% right="A.3.6" how="squeeze, arrays made by np.array"
def identity_backward(grad_output, a):
    return np.array(grad_output)

def expand_dims_backward(grad_output, a, axis):
    return np.squeeze(grad_output, axis=int(axis[0])), None

def identity(x, autograd_engine):
    out = np.array(x)
    autograd_engine.add_operation(inputs=[x], output=out, gradients_to_update=[None], backward_operation=identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.array(np.expand_dims(x, axis=axis))
    autograd_engine.add_operation(inputs=[x, np.array([axis])], output=out, gradients_to_update=[None, None], backward_operation=expand_dims_backward)
    return out

# %% right="A.3.6" how="adds zero"
def identity_backward(grad_output, a):
    return (grad_output + 0,)

def expand_dims_backward(grad_output, a, axis):
    return [grad_output.reshape(a.shape), None]

def identity(x, autograd_engine):
    y = x + 0
    autograd_engine.add_operation([x], y, [None], lambda grad, a: identity_backward(grad, a)[0])
    return y

def expand_dims(x, axis, autograd_engine):
    axes = np.array([axis])
    y = np.expand_dims(x, axis) + 0
    autograd_engine.add_operation([x, axes], y, [None, None], lambda grad, a, axis: tuple(expand_dims_backward(grad, a, axis)))
    return y

# %% wrong="A.3.6" why="identity returns its input" says="It shares the address of its input"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="expand_dims returns a view" says="expand_dims, axis 1 of a vector"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
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
    y = np.expand_dims(x, axis)
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="nothing is recorded" says="the number of recorded operations"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="squeezes every axis of length 1" says="Only the axis that was put in goes"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.squeeze(), None


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

# %% wrong="A.3.6" why="the gradient keeps the new axis" says="expand_dims_backward returned a gradient of shape (2, 1) for an input of shape (2,)"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output, None


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

# %% wrong="A.3.6" why="ones for the gradient of identity" says="the gradient of"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return np.ones_like(a)


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

# %% wrong="A.3.6" why="the axis is not an input" says="missing 1 required positional argument: 'axis'"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
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
    autograd_engine.add_operation([x], y, [None], expand_dims_backward)
    return y

# %% right="A.3.7" how="three cases, one for each kind"
rng = np.random.default_rng(3)
cases = [(rng.normal(size=(2, 3)), rng.normal(size=(2, 3))), (rng.normal(size=(4, 4)), rng.normal(size=(4, 4))), (np.array([[2., -1., 3.]]), np.array([[800., 0., 799.]]))]

# %% right="A.3.7" how="a single case, as a tuple"
cases = ((np.array([[1., -2.], [-3., 5.]]), np.array([[1000., 999.], [0.5, -0.5]])),)

# %% wrong="A.3.7" why="a cotangent of ones" says="other numbers"
cases = [(np.ones((3, 3)), np.arange(9.).reshape(3, 3))]

# %% wrong="A.3.7" why="not square: the wrong axis stays unseen" says="C is caught"
cases = [(np.array([[1., -2., 0.5]]), np.array([[0.3, 1., -1.]])), (np.array([[1., -1.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.7" why="positive cotangents: the missing sign stays unseen" says="F is caught"
cases = [(np.array([[1., 2.], [3., 0.5]]), np.array([[0.3, 1.], [2., -1.]])), (np.array([[1., 2.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.7" why="small outputs: the overflow stays unseen" says="D is caught"
cases = [(np.array([[1., -2.], [-3., 0.5]]), np.array([[0.3, 1.], [2., -1.]]))]

# %% wrong="A.3.7" why="numbers that are not finite" says="the numbers in the cases are finite"
cases = [(np.array([[1., np.inf], [-3., 0.5]]), np.array([[0.3, 1.], [2., -1.]]))]

# %% wrong="A.3.7" why="four cases" says="there are one to three cases"
cases = [(np.array([[1., -1.]]), np.array([[1000., 999.]]))] * 4

# %% wrong="A.3.7" why="one overflowing case only" says="the wrong axis and the missing sign:"
cases = [(np.array([[1., -1.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.7" why="one pair in place of a list of pairs" says="cases is a list of pairs"
cases = (np.array([[1., -2.], [3., 4.]]), np.array([[1., 2.], [5., 7.]]))
