# %% right="A.0.A" how="one method for both"
class Counted:
    def __init__(self, data, count=0):
        self.data = data
        self.count = count
    def made(self, other, data):
        return Counted(data, 1 + self.count + other.count)
    def __add__(self, other):
        return self.made(other, self.data + other.data)
    def __mul__(self, other):
        return self.made(other, self.data * other.data)

# %% right="A.0.A" how="a data class"
import dataclasses
@dataclasses.dataclass
class Counted:
    data: float
    count: int = 0
    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)
    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count + 1)

# %% wrong="A.0.A" why="forgets the new operation" breaks="count" says="counts one more than both sides"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count)

# %% wrong="A.0.A" why="the left side alone" breaks="count" says="not only the left one"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + 1)

# %% wrong="A.0.A" why="starts again at 1" breaks="count" says="Both sides bring their counts"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, 1)

# %% wrong="A.0.A" why="counts in the operand" breaks="count" says="leaves the count of what went in"
class Counted:
    def __init__(self, data, count=0):
        self.data, self.count = data, count
    def __add__(self, other):
        result = Counted(self.data + other.data, self.count + other.count + 1)
        self.count += 1
        return result
    def __mul__(self, other):
        result = Counted(self.data * other.data, self.count + other.count + 1)
        self.count += 1
        return result

# %% wrong="A.0.A" why="adds in the product" breaks="values" says="for p = 2, q = 3: data"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

# %% right="A.0.B" how="a list of integers"
slopes_of_v = [3, 9]
whole = 27

# %% wrong="A.0.B" why="exchanged" breaks="slopes" says="the slope by u is the smaller one"
slopes_of_v = (9., 3.)
whole = 27.

# %% wrong="A.0.B" why="the whole derivative in the pair" breaks="slopes" says="the slope by x is below 20"
slopes_of_v = (3., 27.)
whole = 27.

# %% wrong="A.0.B" why="the ways through u alone" breaks="whole derivative" says="the three ways from x to v"
slopes_of_v = (3., 9.)
whole = 18.

# %% wrong="A.0.B" why="one way through u only" breaks="whole derivative" says="the three ways from x to v"
slopes_of_v = (3., 9.)
whole = 18.

# %% wrong="A.0.B" why="the direct way alone" breaks="whole derivative" says="the three ways from x to v"
slopes_of_v = (3., 9.)
whole = 9.

# %% wrong="A.0.B" why="3 for both slopes" breaks="slopes" says="the slope by u is the smaller one"
slopes_of_v = (3., 3.)
whole = 27.

# %% right="A.0.1" how="lists, and a name"
def add(a, b):
    return Value(a.data + b.data, inputs=[a, b], slopes=[1, 1], name="sum")
def mul(a, b):
    return Value(a.data * b.data, inputs=[a, b], slopes=[b.data, a.data], name="product")

# %% right="A.0.1" how="filled in afterwards"
def add(a, b):
    v = Value(a.data + b.data)
    v.inputs, v.slopes = (a, b), (1.0, 1.0)
    return v
def mul(a, b):
    v = Value(a.data * b.data)
    v.inputs, v.slopes = (a, b), (b.data, a.data)
    return v

# %% wrong="A.0.1" why="the own factor" breaks="slopes" says="The slope by a factor is the other factor"
def add(a, b):
    """a + b, recorded."""
    return Value(a.data + b.data, (a, b), (1., 1.))


def mul(a, b):
    """a * b, recorded."""
    return Value(a.data * b.data, (a, b), (a.data, b.data))

# %% wrong="A.0.1" why="numbers as inputs" breaks="inputs" says="Keep the objects themselves"
def add(a, b):
    return Value(a.data + b.data, (a.data, b.data), (1., 1.))
def mul(a, b):
    return Value(a.data * b.data, (a.data, b.data), (b.data, a.data))

# %% wrong="A.0.1" why="copies of the inputs" breaks="inputs" says="Keep the objects themselves"
def add(a, b):
    return Value(a.data + b.data, (Value(a.data), Value(b.data)), (1., 1.))
def mul(a, b):
    return Value(a.data * b.data, (Value(a.data), Value(b.data)), (b.data, a.data))

# %% wrong="A.0.1" why="returns a number" breaks="data" says="the class of what"
def add(a, b):
    return a.data + b.data
def mul(a, b):
    return a.data * b.data

# %% wrong="A.0.1" why="multiplies in the sum" breaks="data" says="add(Value(2), Value(3)): data"
def add(a, b):
    """a + b, recorded."""
    return Value(a.data * b.data, (a, b), (1., 1.))


def mul(a, b):
    """a * b, recorded."""
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.1" why="the inputs exchanged" breaks="inputs" says="The order is that of the arguments"
def add(a, b):
    return Value(a.data + b.data, (b, a), (1., 1.))
def mul(a, b):
    return Value(a.data * b.data, (b, a), (a.data, b.data))

# %% wrong="A.0.1" why="one slope" breaks="slopes" says="how many slopes there are"
def add(a, b):
    """a + b, recorded."""
    return Value(a.data + b.data, (a, b), (1.,))


def mul(a, b):
    """a * b, recorded."""
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% right="A.0.2" how="cosh, and a branch"
def power(a, n):
    return Value(pow(a.data, n), [a], [n * pow(a.data, n - 1)])
def tanh(a):
    return Value(math.tanh(a.data), [a], [1 / math.cosh(a.data) ** 2])
def relu(a):
    if a.data > 0:
        return Value(a.data, [a], [1])
    return Value(0, [a], [0])

# %% right="A.0.2" how="exponentials"
def power(a, n):
    result = Value(a.data ** n, (a,), (float(n) * a.data ** (n - 1),))
    return result
def tanh(a):
    e = math.exp(2 * a.data)
    t = (e - 1) / (e + 1)
    return Value(t, (a,), ((1 - t) * (1 + t),))
def relu(a):
    return Value(a.data * (a.data > 0), (a,), (1.0 * (a.data > 0),))

# %% wrong="A.0.2" why="without the factor n" breaks="power" says="n comes down as a factor"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="the exponent is not lowered" breaks="power" says="The exponent is one less"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** n,))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="divides by the input" breaks="power" says="At a = 0 nothing can be divided by a"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** n / a.data,))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="1 - a² for tanh" breaks="activations" says="takes the result, not the input"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - a.data ** 2,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="relu passes everything" breaks="activations" says="Where a is not above 0"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1.,))

# %% wrong="A.0.2" why="relu at 0" breaks="activations" says="relu(Value(0)): the slope"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data >= 0 else 0.,))

# %% wrong="A.0.2" why="relu as the absolute value" breaks="data" says="this is its absolute value"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(abs(a.data), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="tan for tanh" breaks="data" says="tanh(Value(0.5)): data"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tan(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data > 0 else 0.,))

# %% right="A.0.C" how="a string"
orders = "BA"

# %% wrong="A.0.C" why="C as well: p before y" breaks="orders" says="In C, which you named, p stands before y"
orders = {"A", "B", "C"}

# %% wrong="A.0.C" why="E as well: r before q" breaks="orders" says="In E, which you named, r stands before q"
orders = {"A", "B", "E"}

# %% wrong="A.0.C" why="only the order of the program" breaks="orders" says="right lists that are missing"
orders = {"A"}

# %% wrong="A.0.C" why="D as well" breaks="orders" says="D is not among the letters"
orders = {"A", "B", "D"}

# %% wrong="A.0.C" why="the lists that end in r" breaks="orders" says="D is not among the letters"
orders = {"A", "B", "C", "D"}

# %% right="A.0.3" how="a stack with a mark for the second visit"
def topological(result):
    done, seen, stack = [], set(), [(result, False)]
    while stack:
        value, ready = stack.pop()
        if ready:
            done.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            for source in value.inputs:
                stack.append((source, False))
    return done

# %% right="A.0.3" how="sorted by depth"
def topological(result):
    depth, stack = {}, [result]
    while stack:
        value = stack[-1]
        missing = [source for source in value.inputs if source not in depth]
        if missing:
            stack += missing
        else:
            depth[value] = 1 + max([depth[source] for source in value.inputs], default=0)
            stack.pop()
    return tuple(sorted(depth, key=depth.get))

# %% wrong="A.0.3" why="recursion" breaks="long chains" says="a function that calls itself, once for each value below, is 5,000 calls deep"
def topological(result):
    done, seen = [], set()
    def visit(value):
        if value in seen:
            return
        seen.add(value)
        for source in value.inputs:
            visit(source)
        done.append(value)
    visit(result)
    return done

# %% wrong="A.0.3" why="breadth first, reversed" breaks="inputs first" says="which value stands before one of its inputs"
def topological(result):
    found, todo = [], [result]
    while todo:
        value = todo.pop(0)
        if value not in found:
            found.append(value)
            todo += value.inputs
    return found[::-1]

# %% wrong="A.0.3" why="depth first, noted on arrival" breaks="inputs first" says="which value stands before one of its inputs"
def topological(result):
    found, todo, seen = [], [result], set()
    while todo:
        value = todo.pop()
        if value not in seen:
            seen.add(value)
            found.append(value)
            todo += value.inputs
    return found[::-1]

# %% wrong="A.0.3" why="the result first" breaks="inputs first" says="which value stands before one of its inputs"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    uses, todo, seen = {}, [result], {result}
    while todo:
        for source in todo.pop().inputs:
            uses[source] = uses.get(source, 0) + 1
            if source not in seen:
                seen.add(source)
                todo.append(source)
    backwards, ready = [], [result]
    while ready:
        value = ready.pop()
        backwards.append(value)
        for source in value.inputs:
            uses[source] -= 1
            if uses[source] == 0:
                ready.append(source)
    return backwards

# %% wrong="A.0.3" why="without the result" breaks="complete" says="values that are missing"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    uses, todo, seen = {}, [result], {result}
    while todo:
        for source in todo.pop().inputs:
            uses[source] = uses.get(source, 0) + 1
            if source not in seen:
                seen.add(source)
                todo.append(source)
    backwards, ready = [], [result]
    while ready:
        value = ready.pop()
        backwards.append(value)
        for source in value.inputs:
            uses[source] -= 1
            if uses[source] == 0:
                ready.append(source)
    return backwards[:0:-1]

# %% wrong="A.0.3" why="without the leaves" breaks="complete" says="values that are missing"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    uses, todo, seen = {}, [result], {result}
    while todo:
        for source in todo.pop().inputs:
            uses[source] = uses.get(source, 0) + 1
            if source not in seen:
                seen.add(source)
                todo.append(source)
    backwards, ready = [], [result]
    while ready:
        value = ready.pop()
        backwards.append(value)
        for source in value.inputs:
            uses[source] -= 1
            if uses[source] == 0:
                ready.append(source)
    return [value for value in backwards[::-1] if value.inputs]

# %% wrong="A.0.3" why="every value as often as it is used" breaks="once" says="how many entries stand in the list again"
def topological(result):
    found, todo = [], [result]
    while todo:
        if len(found) > 3000:
            break
        value = todo.pop(0)
        found.append(value)
        todo += value.inputs
    return found[::-1]

# %% right="A.0.4" how="by index, from the end"
def backward(values):
    for value in values[:-1]:
        value.grad = 0.0
    values[-1].grad = 1.0
    for k in range(len(values) - 1, -1, -1):
        for i in range(len(values[k].inputs)):
            values[k].inputs[i].grad = values[k].inputs[i].grad + values[k].slopes[i] * values[k].grad

# %% right="A.0.4" how="sums kept aside, written at the end"
def backward(values):
    sums = {value: 0. for value in values}
    sums[values[-1]] = 1.
    for value in values[::-1]:
        value.grad = sums[value]
        for source, slope in zip(value.inputs, value.slopes):
            sums[source] += sums[value] * slope

# %% wrong="A.0.4" why="walks forward" breaks="chains" says="Walk from the end"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in values:
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% wrong="A.0.4" why="sets in place of adding" breaks="fan-out" says="the last one replaced the others"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad = value.grad * slope

# %% wrong="A.0.4" why="slopes without grad" breaks="chains" says="A value passes on its own grad times the slope"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += slope

# %% wrong="A.0.4" why="the result is not set to 1" breaks="chains" says="Nothing was set"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for value in values:
        value.grad = 0.
    pass
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% wrong="A.0.4" why="does not begin at 0" breaks="afresh" says="What stood in grad before counts"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for value in values:
        pass
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% wrong="A.0.4" why="an input twice counts once" breaks="fan-out" says="x is an input twice"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in dict(zip(value.inputs, value.slopes)).items():
            source.grad += value.grad * slope

# %% wrong="A.0.4" why="the first call alone begins at 0" breaks="afresh" says="after call 2"
def backward(values):
    if values[-1].grad != 1.:
        for value in values:
            value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% right="A.0.5" how="closures, a stack with a second visit"
class Scalar:
    def __init__(self, data, inputs=()):
        self.data, self.grad, self.inputs = data, 0, inputs
        self.pass_on = lambda: None

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, other):
        other = Scalar.of(other)
        out = Scalar(self.data + other.data, (self, other))
        def pass_on():
            self.grad += out.grad
            other.grad += out.grad
        out.pass_on = pass_on
        return out

    def __mul__(self, other):
        other = Scalar.of(other)
        out = Scalar(self.data * other.data, (self, other))
        def pass_on():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data
        out.pass_on = pass_on
        return out

    def function(self, value, slope):
        out = Scalar(value, (self,))
        def pass_on():
            self.grad += out.grad * slope
        out.pass_on = pass_on
        return out

    def __pow__(self, n):
        return self.function(self.data ** n, n * self.data ** (n - 1))

    def tanh(self):
        return self.function(math.tanh(self.data), 1 - math.tanh(self.data) ** 2)

    def relu(self):
        return self.function(self.data if self.data > 0 else 0, 1 if self.data > 0 else 0)

    def __neg__(self):
        return -1 * self

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + (-Scalar.of(other))

    def __rsub__(self, other):
        return Scalar.of(other) - self

    def __truediv__(self, other):
        return self * Scalar.of(other) ** -1

    def __rtruediv__(self, other):
        return Scalar.of(other) / self

    def backward(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif id(value) not in seen:
                seen.add(id(value))
                stack += [(value, True)] + [(source, False) for source in value.inputs]
        for value in order:
            value.grad = 0
        self.grad = 1
        for value in reversed(order):
            value.pass_on()

# %% right="A.0.5" how="one common list, in the order of execution"
class Scalar:
    tape = []

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad, self.inputs, self.slopes = data, 0., inputs, slopes
        Scalar.tape.append(self)

    def lift(self, x):
        return x if type(x) is Scalar else Scalar(x)

    def __add__(self, x):
        x = self.lift(x)
        return Scalar(self.data + x.data, (self, x), (1, 1))

    def __sub__(self, x):
        x = self.lift(x)
        return Scalar(self.data - x.data, (self, x), (1, -1))

    def __mul__(self, x):
        x = self.lift(x)
        return Scalar(self.data * x.data, (self, x), (x.data, self.data))

    def __truediv__(self, x):
        x = self.lift(x)
        return Scalar(self.data / x.data, (self, x), (1 / x.data, -self.data / x.data ** 2))

    def __radd__(self, x):
        return self.lift(x) + self

    def __rsub__(self, x):
        return self.lift(x) - self

    def __rmul__(self, x):
        return self.lift(x) * self

    def __rtruediv__(self, x):
        return self.lift(x) / self

    def __neg__(self):
        return Scalar(-self.data, (self,), (-1,))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def tanh(self):
        return Scalar(math.tanh(self.data), (self,), (1 / math.cosh(self.data) ** 2,))

    def relu(self):
        return Scalar(max(0., self.data), (self,), (0. if self.data <= 0 else 1.,))

    def backward(self):
        end = Scalar.tape.index(self)
        for value in Scalar.tape:
            value.grad = 0.
        self.grad = 1.
        for value in Scalar.tape[end::-1]:
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.5" why="passes on by recursion, way by way" breaks="long chains" says="RecursionError"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        def clear(value, seen):
            if value not in seen:
                seen.add(value)
                value.grad = 0.
                for source in value.inputs:
                    clear(source, seen)
        def push(value, grad):
            value.grad += grad
            for source, slope in zip(value.inputs, value.slopes):
                push(source, grad * slope)
        clear(self, set())
        push(self, 1.)

# %% wrong="A.0.5" why="no __radd__" breaks="plain numbers" says="TypeError"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __rmul__ = __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="__rsub__ as __sub__" breaks="plain numbers" says="2 - a at a = 4"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return self - other

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="__rtruediv__ as __truediv__" breaks="plain numbers" says="2 / a at a = 4"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return self / other

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="a quotient without the square" breaks="derivatives" says="a / b at a = 3, b = 4: grad"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data / other.data, (self, other), (1 / other.data, -self.data / other.data))

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="the sign of the subtrahend" breaks="derivatives" says="a - b at a = 2, b = 5: grad"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data - other.data, (self, other), (1., 1.))

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="sets in place of adding" breaks="fan-out" says="a + a at a = 5: grad"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad = value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="breadth first" breaks="fan-out" says="b + c at a = 1.5: grad of a"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order, todo = [], [self]
        while todo:
            value = todo.pop(0)
            if value not in order[-5:]:
                order.append(value)
                value.grad = 0.
                todo += value.inputs
        self.grad = 1.
        seen = set()
        for value in order:
            if value in seen:
                continue
            seen.add(value)
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.5" why="grads are never cleared" breaks="afresh" says="after backward() 2 times"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="changes the left operand" breaks="values" says="data of a, b afterwards"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        result = Scalar(self.data + other.data, (self, other), (1., 1.))
        self.data = result.data
        return result

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% wrong="A.0.5" why="relu as the identity" breaks="values" says="a.relu() at a = -2: data"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(self.data, (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)

# %% right="A.0.6" how="per output 2 d"
def records(n, d, q):
    return 2 * d * n * q

# %% right="A.0.6" how="counted one by one"
def records(n, d, q):
    count = 0
    for _ in range(n):
        for _ in range(q):
            count += d + d
    return count

# %% wrong="A.0.6" why="products alone" breaks="count" says="These are the products alone"
def records(n, d, q):
    return n * q * d

# %% wrong="A.0.6" why="without the bias" breaks="count" says="The bias is a sum, too"
def records(n, d, q):
    return n * q * (2 * d - 1)

# %% wrong="A.0.6" why="one example" breaks="count" says="the count for one example"
def records(n, d, q):
    return 2 * d * q

# %% wrong="A.0.6" why="one sum too many" breaks="count" says="fewer than d sums"
def records(n, d, q):
    return n * q * (2 * d + 1)

# %% wrong="A.0.6" why="a bias for the whole" breaks="count" says="Only one bias is counted"
def records(n, d, q):
    return n * q * (2 * d - 1) + 1

# %% wrong="A.0.6" why="a bias for each example" breaks="count" says="has a bias of its own added"
def records(n, d, q):
    return n * q * (2 * d - 1) + n

# %% wrong="A.0.A" why="the same object counts once" breaks="count" says="both sides are s"
class Counted:

    def __init__(self, data, count=0):
        self.data, self.count = (data, count)

    def __add__(self, o):
        return Counted(self.data + o.data, self.count + o.count + 1)

    def __mul__(self, o):
        return Counted(self.data * o.data, self.count + (0 if o is self else o.count) + 1)

# %% wrong="A.0.A" why="the larger count" breaks="count" says="the larger one alone is not enough"
class Counted:

    def __init__(self, data, count=0):
        self.data, self.count = (data, count)

    def __add__(self, o):
        return Counted(self.data + o.data, max(self.count, o.count) + 1)

    def __mul__(self, o):
        return Counted(self.data * o.data, max(self.count, o.count) + 1)

# %% wrong="A.0.A" why="the count to begin with is ignored" breaks="count" says="The second argument of Counted"
class Counted:

    def __init__(self, data, count=0):
        self.data, self.count = (data, 0)

    def __add__(self, o):
        r = Counted(self.data + o.data)
        r.count = self.count + o.count + 1
        return r

    def __mul__(self, o):
        r = Counted(self.data * o.data)
        r.count = self.count + o.count + 1
        return r

# %% wrong="A.0.1" why="the smaller one first" breaks="inputs" says="The order is that of the arguments"
def add(a, b):
    return Value(a.data + b.data, sorted((a, b), key=lambda v: v.data), (1.0, 1.0))

def mul(a, b):
    lo, hi = sorted((a, b), key=lambda v: v.data)
    return Value(a.data * b.data, (lo, hi), (hi.data, lo.data))

# %% wrong="A.0.1" why="one input for a a" breaks="inputs" says="There are two inputs"
def add(a, b):
    if a is b:
        return Value(2 * a.data, (a,), (2.0,))
    return Value(a.data + b.data, (a, b), (1.0, 1.0))

def mul(a, b):
    if a is b:
        return Value(a.data ** 2, (a,), (2 * a.data,))
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.1" why="computes in place" breaks="data" says="data of both arguments afterwards"
def add(a, b):
    a.data += b.data
    return Value(a.data, (a, b), (1.0, 1.0))

def mul(a, b):
    s = (b.data, a.data)
    a.data *= b.data
    return Value(a.data, (a, b), s)

# %% wrong="A.0.1" why="objects for slopes" breaks="slopes" says="A slope is a plain number"
def add(a, b):
    return Value(a.data + b.data, (a, b), (1.0, 1.0))

def mul(a, b):
    return Value(a.data * b.data, (a, b), (b, a))

# %% wrong="A.0.2" why="the exponent as an input" breaks="power" says="how many inputs there are"
def power(a, n):
    return Value(a.data ** n, (a, Value(n)), (n * a.data ** (n - 1), 0.0))

def tanh(a):
    return Value(math.tanh(a.data), (a,), (1 - math.tanh(a.data) ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1.0 if a.data > 0 else 0.0,))

# %% wrong="A.0.3" why="counts users, not uses" breaks="inputs first" says="stands before one of its inputs"
def topological(result):
    n, todo, seen = ({}, [result], {id(result)})
    while todo:
        v = todo.pop()
        for s in set(v.inputs):
            n[id(s)] = n.get(id(s), 0) + 1
            if id(s) not in seen:
                seen.add(id(s))
                todo.append(s)
    order, ready = ([], [result])
    while ready:
        v = ready.pop()
        order.append(v)
        for s in v.inputs:
            n[id(s)] -= 1
            if n[id(s)] == 0:
                ready.append(s)
    return order[::-1]

# %% wrong="A.0.3" why="a mark is left on the values" breaks="values kept" says="the next call finds this mark"
def topological(result):
    order, todo = ([], [(result, False)])
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v)
        elif not getattr(v, 'seen', False):
            v.seen = True
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs]
    return order

# %% wrong="A.0.3" why="remembers earlier calls" breaks="values kept" says="lives outside of the call"
SEEN = []

def topological(result):
    order, todo = ([], [(result, False)])
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v)
        elif not any((v is w for w in SEEN)):
            SEEN.append(v)
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs]
    return order

# %% wrong="A.0.3" why="the inputs are emptied" breaks="values kept" says="every value has its inputs after the call"
def topological(result):
    seen, order, todo = (set(), [], [(result, False)])
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs]
            v.inputs = ()
    return order

# %% wrong="A.0.3" why="an iterator" breaks="complete" says="is a list"
def topological(result):
    seen, order, todo = (set(), [], [(result, False)])
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs]
    return reversed(order[::-1])

# %% wrong="A.0.3" why="the numbers" breaks="complete" says="The list holds the Value objects"
def topological(result):
    seen, order, todo = (set(), [], [(result, False)])
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v.data)
        elif id(v) not in seen:
            seen.add(id(v))
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs]
    return order

# %% wrong="A.0.4" why="reverses the caller's list" breaks="afresh" says="leave it as it is"
def backward(values):
    for v in values:
        v.grad = 0.0
    values[-1].grad = 1.0
    values.reverse()
    for v in values:
        for s, k in zip(v.inputs, v.slopes):
            s.grad += v.grad * k

# %% wrong="A.0.4" why="empties the caller's list" breaks="afresh" says="leave it as it is"
def backward(values):
    for v in values:
        v.grad = 0.0
    values[-1].grad = 1.0
    while values:
        v = values.pop()
        for s, k in zip(v.inputs, v.slopes):
            s.grad += v.grad * k

# %% wrong="A.0.4" why="two inputs at most" breaks="fan-out" says="more than two inputs"
def backward(values):
    for v in values:
        v.grad = 0.0
    values[-1].grad = 1.0
    for v in reversed(values):
        for s, k in list(zip(v.inputs, v.slopes))[:2]:
            s.grad += v.grad * k

# %% wrong="A.0.4" why="leaves a single number out" breaks="chains" says="if it is the only value"
def backward(values):
    if len(values) == 1:
        return
    for v in values:
        v.grad = 0.0
    values[-1].grad = 1.0
    for v in reversed(values):
        for s, k in zip(v.inputs, v.slopes):
            s.grad += v.grad * k

# %% wrong="A.0.5" why="relu has the slope 1 at 0" breaks="derivatives" says="a.relu() at a = 0"
class Scalar:

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = (float(data), inputs, slopes, 0.0)

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data * o.data, (self, o), (o.data, self.data))
    __radd__, __rmul__ = (__add__, __mul__)

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Scalar.of(o)

    def __rsub__(self, o):
        return Scalar.of(o) - self

    def __truediv__(self, o):
        return self * Scalar.of(o) ** (-1)

    def __rtruediv__(self, o):
        return Scalar.of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.0), (self,), (float(self.data >= 0),))

    def backward(self):
        seen, order, todo = (set(), [], [(self, False)])
        while todo:
            v, ready = todo.pop()
            if ready:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                todo.append((v, True))
                todo += [(s, False) for s in v.inputs]
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            for s, k in zip(v.inputs, v.slopes):
                s.grad += v.grad * k

# %% wrong="A.0.5" why="a tape that the first result empties" breaks="afresh" says="leaves the record as it is"
TAPE = []

class Scalar:

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = (float(data), inputs, slopes, 0.0)
        TAPE.append(self)

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data * o.data, (self, o), (o.data, self.data))
    __radd__, __rmul__ = (__add__, __mul__)

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Scalar.of(o)

    def __rsub__(self, o):
        return Scalar.of(o) - self

    def __truediv__(self, o):
        return self * Scalar.of(o) ** (-1)

    def __rtruediv__(self, o):
        return Scalar.of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def backward(self):
        for v in TAPE:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(TAPE):
            for s, k in zip(v.inputs, v.slopes):
                s.grad += v.grad * k
        TAPE.clear()

# %% wrong="A.0.5" why="clears the values in between" breaks="fan-out" says="grad of a, b, c"
class Scalar:

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = (float(data), inputs, slopes, 0.0)

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data * o.data, (self, o), (o.data, self.data))
    __radd__, __rmul__ = (__add__, __mul__)

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Scalar.of(o)

    def __rsub__(self, o):
        return Scalar.of(o) - self

    def __truediv__(self, o):
        return self * Scalar.of(o) ** (-1)

    def __rtruediv__(self, o):
        return Scalar.of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def backward(self):
        seen, order, todo = (set(), [], [(self, False)])
        while todo:
            v, ready = todo.pop()
            if ready:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                todo.append((v, True))
                todo += [(s, False) for s in v.inputs]
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            for s, k in zip(v.inputs, v.slopes):
                s.grad += v.grad * k
        for v in order:
            if v.inputs:
                v.grad = 0.0

# %% wrong="A.0.5" why="empties the record" breaks="afresh" says="leaves the record as it is"
class Scalar:

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = (float(data), inputs, slopes, 0.0)

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data * o.data, (self, o), (o.data, self.data))
    __radd__, __rmul__ = (__add__, __mul__)

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Scalar.of(o)

    def __rsub__(self, o):
        return Scalar.of(o) - self

    def __truediv__(self, o):
        return self * Scalar.of(o) ** (-1)

    def __rtruediv__(self, o):
        return Scalar.of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def backward(self):
        seen, order, todo = (set(), [], [(self, False)])
        while todo:
            v, ready = todo.pop()
            if ready:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                todo.append((v, True))
                todo += [(s, False) for s in v.inputs]
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            for s, k in zip(v.inputs, v.slopes):
                s.grad += v.grad * k
        for v in order:
            v.inputs = ()

# %% wrong="A.0.5" why="the result's own grad is 0" breaks="derivatives" says="grad of the result itself"
class Scalar:

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = (float(data), inputs, slopes, 0.0)

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data * o.data, (self, o), (o.data, self.data))
    __radd__, __rmul__ = (__add__, __mul__)

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Scalar.of(o)

    def __rsub__(self, o):
        return Scalar.of(o) - self

    def __truediv__(self, o):
        return self * Scalar.of(o) ** (-1)

    def __rtruediv__(self, o):
        return Scalar.of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def backward(self):
        seen, order, todo = (set(), [], [(self, False)])
        while todo:
            v, ready = todo.pop()
            if ready:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                todo.append((v, True))
                todo += [(s, False) for s in v.inputs]
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            for s, k in zip(v.inputs, v.slopes):
                s.grad += v.grad * k
        self.grad = 0.0

# %% wrong="A.0.5" why="drops the record at 0" breaks="derivatives" says="a + b at a = 0, b = 0"
class Scalar:

    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = (float(data), inputs, slopes, 0.0)

    @staticmethod
    def of(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, o):
        o = Scalar.of(o)
        if self.data == 0 and o.data == 0:
            return Scalar(0)
        return Scalar(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = Scalar.of(o)
        return Scalar(self.data * o.data, (self, o), (o.data, self.data))
    __radd__, __rmul__ = (__add__, __mul__)

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Scalar.of(o)

    def __rsub__(self, o):
        return Scalar.of(o) - self

    def __truediv__(self, o):
        return self * Scalar.of(o) ** (-1)

    def __rtruediv__(self, o):
        return Scalar.of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def backward(self):
        seen, order, todo = (set(), [], [(self, False)])
        while todo:
            v, ready = todo.pop()
            if ready:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                todo.append((v, True))
                todo += [(s, False) for s in v.inputs]
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            for s, k in zip(v.inputs, v.slopes):
                s.grad += v.grad * k

# %% right="A.0.1" how="a class derived from Value"
class Sum(Value):
    pass

def add(a, b):
    return Sum(a.data + b.data, (a, b), (1.0, 1.0))

def mul(a, b):
    return Sum(a.data * b.data, (a, b), (b.data, a.data))

# %% right="A.0.2" how="truth values for slopes"
def power(a, n):
    return Value(pow(a.data, n), (a,), (n * pow(a.data, n - 1) if n else 0.0,))

def tanh(a):
    return Value(math.tanh(a.data), [a], [1 / math.cosh(a.data) ** 2])

def relu(a):
    return Value(a.data * (a.data > 0), (a,), (a.data > 0,))

# %% right="A.0.2" how="by torch in float32"
def _by(a, f):
    x = torch.tensor(a.data, requires_grad=True)
    y = f(x)
    y.backward()
    return Value(y.item(), (a,), (x.grad.item(),))

def power(a, n):
    return _by(a, lambda x: x ** n)

def tanh(a):
    return _by(a, torch.tanh)

def relu(a):
    return _by(a, torch.relu)

# %% right="A.0.3" how="the standard library"
from graphlib import TopologicalSorter

def topological(result):
    g, todo = ({}, [result])
    while todo:
        v = todo.pop()
        if v not in g:
            g[v] = set(v.inputs)
            todo += g[v]
    return list(TopologicalSorter(g).static_order())

# %% right="A.0.B" how="an array"
import numpy as np
slopes_of_v = np.array([3.0, 9.0])
whole = np.float32(27)

# %% right="A.0.C" how="a string with commas"
orders = 'A, B'

# %% right="A.0.5" how="torch inside"
class Scalar:

    def __init__(self, data, t=None, leaves=()):
        self.t = torch.tensor(float(data), dtype=torch.float64, requires_grad=True) if t is None else t
        self.t.retain_grad()
        self.made = leaves

    @property
    def data(self):
        return self.t.item()

    @property
    def grad(self):
        return 0.0 if self.t.grad is None else self.t.grad.item()

    def _w(self, t, *src):
        return Scalar(0, t, src)

    def _l(self, o):
        return o if isinstance(o, Scalar) else Scalar(o)

    def __add__(self, o):
        o = self._l(o)
        return self._w(self.t + o.t, self, o)

    def __mul__(self, o):
        o = self._l(o)
        return self._w(self.t * o.t, self, o)

    def __sub__(self, o):
        o = self._l(o)
        return self._w(self.t - o.t, self, o)

    def __truediv__(self, o):
        o = self._l(o)
        return self._w(self.t / o.t, self, o)

    def __radd__(self, o):
        return self._l(o) + self

    def __rmul__(self, o):
        return self._l(o) * self

    def __rsub__(self, o):
        return self._l(o) - self

    def __rtruediv__(self, o):
        return self._l(o) / self

    def __neg__(self):
        return self._w(-self.t, self)

    def __pow__(self, n):
        return self._w(self.t ** n, self)

    def tanh(self):
        return self._w(self.t.tanh(), self)

    def relu(self):
        return self._w(self.t.relu(), self)

    def backward(self):
        todo, seen = ([self], {self})
        while todo:
            v = todo.pop()
            v.t.grad = None
            for s in v.made:
                if s not in seen:
                    seen.add(s)
                    todo.append(s)
        self.t.backward(retain_graph=True)

# %% wrong="A.0.A" why="a product does not count" breaks="count" says="A product is an operation, too"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count)

# %% wrong="A.0.B" why="6 for the slope by x" breaks="slopes" says="not those of u = x x"
slopes_of_v = (3., 6.)
whole = 27.

# %% wrong="A.0.B" why="the slopes of all arrows multiplied" breaks="whole derivative" says="they are not multiplied"
slopes_of_v = (3., 9.)
whole = 81.

# %% wrong="A.0.6" why="the bias once for all examples" breaks="count" says="once for each example"
def records(n, d, q):
    return n * q * (2 * d - 1) + q

# %% wrong="A.0.2" why="tanh without the square" breaks="activations" says="The result is squared"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t,))

def relu(a):
    return Value(max(a.data, 0.), (a,), (float(a.data > 0),))

# %% wrong="A.0.2" why="the result as relu's slope" breaks="activations" says="This is the result"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))

def relu(a):
    return Value(max(a.data, 0.), (a,), (max(a.data, 0.),))

# %% wrong="A.0.A" why="counts all operations so far" breaks="count" says="no part of p + q"
operations = 0
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        global operations
        operations += 1
        return Counted(self.data + other.data, operations)

    def __mul__(self, other):
        global operations
        operations += 1
        return Counted(self.data * other.data, operations)

# %% wrong="A.0.A" why="operations in common count once" breaks="count" says="whatever they have in common"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data = data
        self.count = count
        self.made = set()

    def _new(self, data, other):
        out = Counted(data)
        out.made = self.made | other.made | {out}
        out.count = len(out.made)
        return out

    def __add__(self, other):
        return self._new(self.data + other.data, other)

    def __mul__(self, other):
        return self._new(self.data * other.data, other)

# %% wrong="A.0.A" why="no product" breaks="values" says="Python calls the method __mul__"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

# %% wrong="A.0.A" why="computes in place" breaks="values" says="its result is a new object"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        self.data += other.data
        self.count += other.count + 1
        return self

    def __mul__(self, other):
        self.data *= other.data
        self.count += other.count + 1
        return self

# %% wrong="A.0.1" why="the whole derivative at each of two equal inputs" breaks="slopes" says="the slope of one place alone"
def add(a, b):
    """a + b, recorded."""
    return Value(a.data + b.data, (a, b), (1., 1.))

def mul(a, b):
    if a is b:
        return Value(a.data * a.data, (a, a), (2 * a.data, 2 * a.data))
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.1" why="the slopes of a product in the sum" breaks="slopes" says="These are the slopes of a product"
def add(a, b):
    """a + b, recorded."""
    return Value(a.data + b.data, (a, b), (b.data, a.data))

def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.2" why="the factor n without its sign" breaks="power" says="The factor n keeps its sign"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    r = a.data ** n
    return Value(r, (a,), (abs(n) * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="the slope 0 at a = 0" breaks="power" says="0 to the power of 0"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    r = a.data ** n
    return Value(r, (a,), (0. if a.data == 0 else n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="multiplies n times" breaks="data" says="something to divide by"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    r = 1.
    for _ in range(n):
        r *= a.data
    s = float(n)
    for _ in range(n - 1):
        s *= a.data
    return Value(r, (a,), (s,))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="no comma in the tuples" breaks="power" says="A tuple with one entry has a comma"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a), (n * a.data ** (n - 1)))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a), (1 - t ** 2))

def relu(a):
    return Value(max(a.data, 0), (a), (1. if a.data > 0 else 0.))

# %% wrong="A.0.2" why="hands back a" breaks="activations" says="a new Value with a record of its own"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t ** 2,))

def relu(a):
    if a.data > 0:
        return a
    return Value(0., (a,), (0.,))

# %% wrong="A.0.2" why="1 + tanh²" breaks="activations" says="taken away from 1"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 + t ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.3" why="counts in grad" breaks="values kept" says="grad of all values afterwards"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    todo, seen = [result], {result}
    while todo:
        v = todo.pop()
        for s in v.inputs:
            s.grad += 1
            if s not in seen:
                seen.add(s)
                todo.append(s)
    order, ready = [], [result]
    while ready:
        v = ready.pop()
        order.append(v)
        for s in v.inputs:
            s.grad -= 1
            if s.grad == 0:
                ready.append(s)
    return order[::-1]

# %% wrong="A.0.3" why="knows values by their numbers" breaks="complete" says="it is the object that counts"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    order, seen, todo = [], set(), [(result, False)]
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v)
        elif v.data not in seen:
            seen.add(v.data)
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs]
    return order

# %% wrong="A.0.3" why="a default list as memory" breaks="values kept" says="belong to another result"
def topological(result, done=[]):
    """All values that `result` is made of, each after its inputs."""
    todo = [(result, False)]
    while todo:
        v, ready = todo.pop()
        if v in done:
            continue
        if ready:
            done.append(v)
        else:
            todo.append((v, True))
            todo += [(s, False) for s in v.inputs if s not in done]
    return done

# %% wrong="A.0.4" why="begins with the data of the result" breaks="chains" says="whatever its data is"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for v in values:
        v.grad = 0.
    values[-1].grad = values[-1].data
    for v in reversed(values):
        for s, slope in zip(v.inputs, v.slopes):
            s.grad += v.grad * slope

# %% wrong="A.0.4" why="clears what was passed on" breaks="chains" says="in between keep their grad"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for v in values:
        v.grad = 0.
    values[-1].grad = 1.
    for v in reversed(values):
        for s, slope in zip(v.inputs, v.slopes):
            s.grad += v.grad * slope
        if v.inputs and v is not values[-1]:
            v.grad = 0.

# %% wrong="A.0.4" why="uses the record up" breaks="afresh" says="A second call needs them"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for v in values:
        v.grad = 0.
    values[-1].grad = 1.
    for v in reversed(values):
        for s, slope in zip(v.inputs, v.slopes):
            s.grad += v.grad * slope
        v.inputs, v.slopes = (), ()

# %% wrong="A.0.4" why="multiplies what comes in" breaks="fan-out" says="here they were multiplied"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for v in values:
        v.grad = 1.
    for v in reversed(values):
        for s, slope in zip(v.inputs, v.slopes):
            s.grad *= v.grad * slope

# %% wrong="A.0.5" why="the slope of a ** 1" breaks="derivatives" says="for n = 1 and at a = 0, too"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1) if n != 1 else 0.,))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.5" why="tanh gives a plain number" breaks="values" says="Each operation gives a new Scalar"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return t

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.5" why="2 + a without a record" breaks="plain numbers" says="Nothing came in"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __radd__(self, other):
        return Scalar(self.data + other)

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.5" why="whole powers alone" breaks="values" says="n may be any plain number"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        n = int(n)
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.5" why="clears the leaves alone" breaks="afresh" says="values in between begin at 0"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0. if not v.inputs else v.grad
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.6" why="the parameters" breaks="count" says="These are the parameters"
def records(n, d, q):
    """Operations of numbers in x @ W.T + b for x (n, d), W (q, d), b (q,)."""
    return d * q + q

# %% wrong="A.0.6" why="the sums of the products left out" breaks="count" says="the sums of the d products are missing"
def records(n, d, q):
    """Operations of numbers in x @ W.T + b for x (n, d), W (q, d), b (q,)."""
    return n * q * (d + 1)

# %% right="A.0.3" how="recursion, with Python's limit raised"
import sys

def topological(result):
    """All values that `result` is made of, each after its inputs."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    order, seen = [], set()
    def visit(v):
        if id(v) not in seen:
            seen.add(id(v))
            for s in v.inputs:
                visit(s)
            order.append(v)
    try:
        visit(result)
    finally:
        sys.setrecursionlimit(limit)
    return order

# %% right="A.0.4" how="each value asks its users"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    users = {id(v): [] for v in values}
    for v in values:
        for s, slope in zip(v.inputs, v.slopes):
            users[id(s)].append((v, slope))
    for i in range(len(values) - 1, -1, -1):
        v = values[i]
        v.grad = 1.0 if i == len(values) - 1 else sum(u.grad * slope for u, slope in users[id(v)])
    return values

# %% right="A.0.4" how="a linear system"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    n = len(values)
    at = {id(v): i for i, v in enumerate(values)}
    S = torch.zeros(n, n, dtype=torch.float64)
    for v in values:
        for s, slope in zip(v.inputs, v.slopes):
            S[at[id(v)], at[id(s)]] += slope
    e = torch.zeros(n, dtype=torch.float64)
    e[-1] = 1
    g = torch.linalg.solve(torch.eye(n, dtype=torch.float64) - S.T, e)
    for v, one in zip(values, g.tolist()):
        v.grad = one

# %% right="A.0.5" how="serial numbers in a heap"
import heapq, itertools

class Scalar:
    """A number that records what it was made of, and can go back."""
    serial = itertools.count()

    def __init__(self, data, record=()):
        self.data, self.grad, self.record, self.at = float(data), 0.0, record, next(Scalar.serial)

    def __add__(self, other):
        other = number(other)
        return Scalar(self.data + other.data, [(self, 1.), (other, 1.)])

    def __mul__(self, other):
        other = number(other)
        return Scalar(self.data * other.data, [(self, other.data), (other, self.data)])

    __radd__, __rmul__ = __add__, __mul__
    __neg__ = lambda self: self * -1.
    __sub__ = lambda self, other: self + -number(other)
    __rsub__ = lambda self, other: number(other) + -self
    __pow__ = lambda self, n: Scalar(self.data ** n, [(self, n * self.data ** (n - 1))])
    __truediv__ = lambda self, other: self * number(other) ** -1
    __rtruediv__ = lambda self, other: number(other) * self ** -1
    relu = lambda self: Scalar(max(0., self.data), [(self, 1. * (self.data > 0))])

    def tanh(self):
        return Scalar(math.tanh(self.data), [(self, 1 / math.cosh(self.data) ** 2)])

    def backward(self):
        self.grad = 1.
        heap, seen = [(-self.at, self)], {self.at}
        while heap:
            _, v = heapq.heappop(heap)
            for s, slope in v.record:
                if s.at not in seen:
                    seen.add(s.at)
                    s.grad = 0.
                    heapq.heappush(heap, (-s.at, s))
                s.grad += v.grad * slope

def number(x):
    return x if isinstance(x, Scalar) else Scalar(x)

# %% right="A.0.5" how="a class derived from Value"
class Scalar(Value):
    """A number that records what it was made of, and can go back."""
    @classmethod
    def of(cls, v):
        return cls(v.data, v.inputs, v.slopes)

    def __add__(self, other):
        return Scalar.of(add(self, other if isinstance(other, Scalar) else Scalar(other)))

    def __mul__(self, other):
        return Scalar.of(mul(self, other if isinstance(other, Scalar) else Scalar(other)))

    def __pow__(self, n):
        return Scalar.of(power(self, n))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + other * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __truediv__(self, other):
        return self * (other ** -1)

    def __rtruediv__(self, other):
        return other * self ** -1

    def tanh(self):
        return Scalar.of(tanh(self))

    def relu(self):
        return Scalar.of(relu(self))

    def backward(self):
        backward(topological(self))

# %% wrong="A.0.2" why="the exponent without brackets" breaks="power" says="needs brackets"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** n - 1,))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.5" why="relu hands back a" breaks="values" says="handed back in place of a new one"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return self if self.data > 0 else Scalar(0., (self,), (0.,))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.A" why="counts multiplied in a product" breaks="count" says="are added, not multiplied"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count * other.count + 1)

# %% wrong="A.0.A" why="whole numbers alone" breaks="values" says="need not be whole ones"
class Counted:
    """A number that knows how many operations made it."""
    def __init__(self, data, count=0):
        self.data = int(data)
        self.count = count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count + 1)

# %% wrong="A.0.3" why="sorted by the numbers" breaks="inputs first" says="which value stands before one of its inputs"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    seen, todo = set(), [result]
    while todo:
        v = todo.pop()
        if v not in seen:
            seen.add(v)
            todo.extend(v.inputs)
    return sorted(seen, key=lambda v: v.data)

# %% wrong="A.0.3" why="marks when it is put on the stack" breaks="inputs first" says="which value stands before one of its inputs"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    order, seen, todo = [], {result}, [(result, False)]
    while todo:
        v, ready = todo.pop()
        if ready:
            order.append(v)
        else:
            todo.append((v, True))
            for s in v.inputs:
                if s not in seen:
                    seen.add(s)
                    todo.append((s, False))
    return order

# %% wrong="A.0.4" why="multiplies by data" breaks="chains" says="data has no part in the way back"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for v in values:
        v.grad = 0.
    values[-1].grad = 1.
    for v in reversed(values):
        for s, slope in zip(v.inputs, v.slopes):
            s.grad += v.grad * s.data * slope

# %% wrong="A.0.4" why="adds the slope to grad" breaks="chains" says="multiplied, not added"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    for v in values:
        v.grad = 0.
    values[-1].grad = 1.
    for v in reversed(values):
        for s, slope in zip(v.inputs, v.slopes):
            s.grad += v.grad + slope

# %% wrong="A.0.2" why="tanh of the object" breaks="activations" says="take plain numbers"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a)
    return Value(t, (a,), (1 - t ** 2,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.5" why="the sign of 2 - a on the way back" breaks="plain numbers" says="The sign is the other one"
class Scalar:
    """A number that records what it was made of, and can go back."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-1) * other

    def __rsub__(self, other):
        return Scalar(other - self.data, (self,), (1.,))

    def __truediv__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return self * other ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        order = topological(self)
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope

# %% wrong="A.0.6" why="one output of each example" breaks="count" says="for one output of each example"
def records(n, d, q):
    """Operations of numbers in x @ W.T + b for x (n, d), W (q, d), b (q,)."""
    return n * d * 2

# %% right="A.0.3" how="moves a value back whenever it is met again"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    order, todo = [], [result]
    while todo:
        v = todo.pop(0)
        if v in order:
            order.remove(v)
        order.append(v)
        todo.extend(s for s in v.inputs if s not in todo)
    return order[::-1]

# %% right="A.0.3" how="counts missing inputs, from the leaves"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    found, todo = {}, [result]
    while todo:
        v = todo.pop()
        if id(v) not in found:
            found[id(v)] = v
            todo += v.inputs
    users = {k: [] for k in found}
    missing = {}
    for k, v in found.items():
        ins = {id(s) for s in v.inputs}
        missing[k] = len(ins)
        for i in ins:
            users[i].append(k)
    order, ready = [], [k for k in found if missing[k] == 0]
    while ready:
        k = ready.pop()
        order.append(found[k])
        for u in users[k]:
            missing[u] -= 1
            if missing[u] == 0:
                ready.append(u)
    return order

# %% wrong="A.0.1" why="divides by the factor" breaks="slopes" says="No slope needs a division"
def add(a, b):
    return Value(a.data + b.data, (a, b), (1., 1.))


def mul(a, b):
    product = a.data * b.data
    return Value(product, (a, b), (product / a.data, product / b.data))

# %% wrong="A.0.1" why="slopes and inputs in each other's place" breaks="inputs" says="the two have changed places"
def add(a, b):
    return Value(a.data + b.data, (1., 1.), (a, b))


def mul(a, b):
    return Value(a.data * b.data, (b.data, a.data), (a, b))

# %% wrong="A.0.2" why="one half in relu's corner" breaks="activations" says="the task takes 0 there"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    sign = (a.data > 0) - (a.data < 0)
    return Value((a.data + abs(a.data)) / 2, (a,), ((1 + sign) / 2,))

# %% wrong="A.0.2" why="no record for tanh" breaks="activations" says="Without the input `a` in its record"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    return Value(math.tanh(a.data))


def relu(a):
    return Value(max(a.data, 0.), (a,), (float(a.data > 0),))

# %% wrong="A.0.C" why="small letters" breaks="orders" says="none of the capital letters"
orders = {"a", "b"}

# %% wrong="A.0.3" why="walks through every way" breaks="many ways" says="not once for each way"
def topological(result):
    backwards, todo = [], [result]
    while todo:
        value = todo.pop()
        backwards.append(value)
        todo.extend(value.inputs)
    last = {value: place for place, value in enumerate(backwards)}
    steps, todo = {result: 0}, [result]
    for value in todo:
        for source in value.inputs:
            if steps.get(source, -1) <= steps[value]:
                steps[source] = steps[value] + 1
                todo.append(source)
    return sorted(last, key=lambda value: -steps[value])

# %% wrong="A.0.4" why="shares grad out among the inputs" breaks="fan-out" says="not shared out among the inputs"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope / len(value.inputs)

# %% wrong="A.0.4" why="always two inputs" breaks="fan-out" says="also one alone or none"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        if value.inputs:
            for k in (0, 1):
                value.inputs[k].grad += value.grad * value.slopes[k]

# %% wrong="A.0.6" why="the sums of the products of one output alone" breaks="count" says="In n·d - n there is no q"
def records(n, d, q):
    return n * d * q + n * (d - 1) + n * q

# %% wrong="A.0.6" why="the example of the hint" breaks="count" says="The count depends on n, d and q"
def records(n, d, q):
    return 12

# %% wrong="A.0.A" why="one for each side" breaks="count" says="what counts is the sum, once"
class Counted:
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + 1 + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + 1 + other.count + 1)

# %% wrong="A.0.A" why="another name for data" breaks="values" says="These are their names"
class Counted:
    def __init__(self, value, count=0):
        self.value, self.count = value, count

    def __add__(self, other):
        return Counted(self.value + other.value, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.value * other.value, self.count + other.count + 1)

# %% wrong="A.0.1" why="a minus in the slope by b" breaks="slopes" says="The slope by `a` is right, that by `b` is not"
def add(a, b):
    return Value(a.data + b.data, (a, b), (1., 1.))


def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, -a.data))

# %% wrong="A.0.4" why="the derivatives by the first value" breaks="chains" says="of each value by the first one"
def backward(values):
    for value in values:
        value.grad = 0.
    values[0].grad = 1.
    for value in values[1:]:
        value.grad = sum(source.grad * slope for source, slope in zip(value.inputs, value.slopes))

# %% wrong="A.0.4" why="the sizes of the slopes" breaks="chains" says="without its sign"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * abs(slope)

# %% wrong="A.0.A" why="the left side left out in the sum" breaks="count" says="the left side brings 4"
class Counted:
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        return Counted(self.data + other.data, other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count + 1)

# %% wrong="A.0.A" why="number and count exchanged in the product" breaks="values" says="the number stands in count"
class Counted:
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.count + other.count + 1, self.data * other.data)

# %% wrong="A.0.A" why="a product counts 2 more" breaks="count" says="it is 1, that of the product itself"
class Counted:
    def __init__(self, data, count=0):
        self.data = data
        self.count = count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count + 2)

# %% wrong="A.0.B" why="the slopes of the second operation added" breaks="whole derivative" says="your slope by u and your slope by x, added"
slopes_of_v = (3., 9.)
whole = 12.

# %% wrong="A.0.B" why="u and v themselves" breaks="slopes" says="asked for are slopes"
slopes_of_v = (9., 27.)
whole = 27.

# %% wrong="A.0.1" why="no slope of 0" breaks="slopes" says="Where no factor is 0 yours was right"
def add(a, b):
    return Value(a.data + b.data, (a, b), (1., 1.))


def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data or 1., a.data or 1.))

# %% wrong="A.0.1" why="the product as both slopes" breaks="slopes" says="This is the product itself"
def add(a, b):
    return Value(a.data + b.data, (a, b), (1., 1.))


def mul(a, b):
    return Value(a.data * b.data, (a, b), (a.data * b.data, a.data * b.data))

# %% wrong="A.0.2" why="the power of the object" breaks="power" says="A Value has no operators"
def power(a, n):
    return Value(a ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="the sign as relu's slope" breaks="activations" says="it stays 0"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))

def relu(a):
    return Value(max(a.data, 0), (a,), (math.copysign(1., a.data) if a.data else 0.,))

# %% wrong="A.0.2" why="the slope of the positive power" breaks="power" says="This is the slope of a ** 2"
def power(a, n):
    return Value(a.data ** n, (a,), (abs(n) * a.data ** (abs(n) - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="t (1 - t) for tanh" breaks="activations" says="the rule of another function"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (t * (1 - t),))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="tanh flat at negative a, at some or at all of them" breaks="activations" says="but not here, where a is negative"
def power(a, n):
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t if a.data > 0 else 0.,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.2" why="the derivative of the power by n" breaks="power" says="This is the derivative by n"
def power(a, n):
    return Value(a.data ** n, (a,), (a.data ** n * math.log(abs(a.data) or 1.),))

def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))

def relu(a):
    return Value(max(a.data, 0), (a,), (1. if a.data > 0 else 0.,))

# %% wrong="A.0.4" why="clears those without inputs alone" breaks="afresh" says="only that of a was"
def backward(values):
    for value in values:
        if not value.inputs:
            value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% wrong="A.0.4" why="clears each grad at its turn" breaks="chains" says="are 0 again at the end"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope
        value.grad = 0.

# %% wrong="A.0.4" why="data times slope" breaks="chains" says="not its data times the slope"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.data * slope

# %% wrong="A.0.4" why="a value passes on for each of its users" breaks="fan-out" says="b passed on twice"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    todo = [values[-1]]
    while todo:
        value = todo.pop()
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope
            todo.append(source)

# %% wrong="A.0.4" why="the result set last" breaks="chains" says="last of all"
def backward(values):
    for value in values:
        value.grad = 0.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope
    values[-1].grad = 1.

# %% wrong="A.0.4" why="the result does not pass on" breaks="chains" says="The others passed on, but the result did not"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for i in range(len(values) - 2, -1, -1):
        value = values[i]
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% wrong="A.0.4" why="every grad begins at 1" breaks="chains" says="those of the others began at 1"
def backward(values):
    for value in values:
        value.grad = 1.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope

# %% wrong="A.0.5" why="each value passes on as often as something comes in" breaks="fan-out" says="each time all that it had by then"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.grad = 0.
        self.inputs = inputs
        self.slopes = slopes

    def _scalar(self, other):
        return other if isinstance(other, Scalar) else Scalar(other)

    def __add__(self, other):
        other = self._scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = self._scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + self._scalar(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __truediv__(self, other):
        return self * self._scalar(other) ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    def backward(self, grad=1.):
        self.grad = grad if not hasattr(self, "visited") else self.grad + grad
        self.visited = True
        for source, slope in zip(self.inputs, self.slopes):
            source.backward(self.grad * slope)

# %% wrong="A.0.5" why="a copy of the right side" breaks="derivatives" says="b itself was put down nowhere"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.grad = 0.
        self.inputs = inputs
        self.slopes = slopes

    def _scalar(self, other):
        return Scalar(getattr(other, 'data', other))

    def __add__(self, other):
        other = self._scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = self._scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + self._scalar(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __truediv__(self, other):
        return self * self._scalar(other) ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    def backward(self):
        order, done, stack = [], set(), [(self, False)]
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif value not in done:
                done.add(value)
                stack.append((value, True))
                for source in value.inputs:
                    if source not in done:
                        stack.append((source, False))
        for value in order:
            value.grad = 0.
        self.grad = 1.
        for value in reversed(order):
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.5" why="2 / a as its slope" breaks="plain numbers" says="n / a by a is -n / a²"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.grad = 0.
        self.inputs = inputs
        self.slopes = slopes

    def _scalar(self, other):
        return other if isinstance(other, Scalar) else Scalar(other)

    def __add__(self, other):
        other = self._scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = self._scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + self._scalar(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __truediv__(self, other):
        return self * self._scalar(other) ** -1

    def __rtruediv__(self, other):
        return Scalar(other / self.data, (self,), (other / self.data,))

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    def backward(self):
        order, done, stack = [], set(), [(self, False)]
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif value not in done:
                done.add(value)
                stack.append((value, True))
                for source in value.inputs:
                    if source not in done:
                        stack.append((source, False))
        for value in order:
            value.grad = 0.
        self.grad = 1.
        for value in reversed(order):
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.5" why="what tells that a value is done stays for the next call" breaks="afresh" says="has to begin anew with each call"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.grad = 0.
        self.inputs = inputs
        self.slopes = slopes
        self.done = False

    def _scalar(self, other):
        return other if isinstance(other, Scalar) else Scalar(other)

    def __add__(self, other):
        other = self._scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = self._scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + self._scalar(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __truediv__(self, other):
        return self * self._scalar(other) ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    def backward(self):
        order, done, stack = [], set(), [(self, False)]
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif not value.done:
                value.done = True
                stack.append((value, True))
                for source in value.inputs:
                    if not source.done:
                        stack.append((source, False))
        for value in order:
            value.grad = 0.
        self.grad = 1.
        for value in reversed(order):
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.5" why="values known by their numbers" breaks="fan-out" says="it is the object that counts"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.grad = 0.
        self.inputs = inputs
        self.slopes = slopes

    def _scalar(self, other):
        return other if isinstance(other, Scalar) else Scalar(other)

    def __add__(self, other):
        other = self._scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = self._scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + self._scalar(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __truediv__(self, other):
        return self * self._scalar(other) ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    def backward(self):
        order, done, stack = [], set(), [(self, False)]
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif value.data not in done:
                done.add(value.data)
                stack.append((value, True))
                for source in value.inputs:
                    if source.data not in done:
                        stack.append((source, False))
        for value in order:
            value.grad = 0.
        self.grad = 1.
        for value in reversed(order):
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.5" why="the sign changed in place" breaks="values" says="changed the number of this Scalar"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = float(data)
        self.grad = 0.
        self.inputs = inputs
        self.slopes = slopes

    def _scalar(self, other):
        return other if isinstance(other, Scalar) else Scalar(other)

    def __add__(self, other):
        other = self._scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = self._scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        self.data = -self.data
        return self

    def __sub__(self, other):
        return self + self._scalar(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __truediv__(self, other):
        return self * self._scalar(other) ** -1

    def __rtruediv__(self, other):
        return self ** -1 * other

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    def backward(self):
        order, done, stack = [], set(), [(self, False)]
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif value not in done:
                done.add(value)
                stack.append((value, True))
                for source in value.inputs:
                    if source not in done:
                        stack.append((source, False))
        for value in order:
            value.grad = 0.
        self.grad = 1.
        for value in reversed(order):
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope

# %% wrong="A.0.6" why="a bias for each input" breaks="count" says="3·d - 1 for one output of one example"
def records(n, d, q):
    return n * q * (d + d - 1 + d)

# %% wrong="A.0.6" why="the products of one output alone" breaks="count" says="In n·d there is no q"
def records(n, d, q):
    return n * d + n * q * (d - 1) + n * q

# %% wrong="A.0.6" why="q in place of d" breaks="count" says="there is no d in your count"
def records(n, d, q):
    return 2 * n * q * q

# %% wrong="A.0.6" why="all weights for each output" breaks="count" says="the d stands twice"
def records(n, d, q):
    return n * (d * q) ** 2

# %% wrong="A.0.6" why="sums and biases of one example alone" breaks="count" says="In d·q there is no n"
def records(n, d, q):
    return n * d * q + d * q

# %% wrong="A.0.6" why="divided by the examples" breaks="count" says="as if divided by n"
def records(n, d, q):
    return 2 * d * q / n

# %% wrong="A.0.1" why="the slope of add in brackets, without a comma" breaks="slopes" says="It is the comma that makes a tuple"
def add(a, b):
    return Value(a.data + b.data, (a, b), (1.))

def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.4" why="grad times the sum of an operation's slopes" breaks="fan-out" says="all slopes of the operation, added"
def backward(values):
    grads = {id(value): 0. for value in values}
    grads[id(values[-1])] = 1.
    for value in reversed(values):
        for source in value.inputs:
            grads[id(source)] += grads[id(value)] * sum(value.slopes)
    for value in values:
        value.grad = grads[id(value)]

# %% wrong="A.0.4" why="passes on to the value before it in the list" breaks="fan-out" says="the value before it in the list"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for i in range(len(values) - 1, 0, -1):
        for slope in values[i].slopes:
            values[i - 1].grad += values[i].grad * slope

# %% wrong="A.0.6" why="with one input the bias is forgotten" breaks="count" says="With one input, an output of an example takes two operations"
def records(n, d, q):
    return n * q * (d + (d - 1) + 1) if d > 1 else n * q

# %% wrong="A.0.6" why="a sum for each pair of products" breaks="count" says="the d stands twice"
def records(n, d, q):
    return n * q * (d + d * (d - 1) // 2 + 1)

# %% wrong="A.0.3" why="breadth first with a set of the seen ones, reversed" breaks="inputs first" says="how many steps it is away from the result"
def topological(result):
    order, seen, todo = [], {id(result)}, [result]
    while todo:
        value = todo.pop(0)
        order.append(value)
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)
    return order[::-1]

# %% wrong="A.0.3" why="sorts leaves first: leaves then others by found order" breaks="inputs first" says="whether it was found early or late"
def topological(result):
    found, todo, seen = [], [result], {id(result)}
    while todo:
        value = todo.pop()
        found.append(value)
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)
    found.reverse()
    return [v for v in found if not v.inputs] + [v for v in found if v.inputs]

# %% wrong="A.0.3" why="membership in a list: equal data taken for the same value (compares data)" breaks="complete" says="it is the object that counts"
def topological(result):
    order, todo, seen = [], [(result, False)], set()
    while todo:
        value, ready = todo.pop()
        if ready:
            order.append(value)
        elif value.data not in seen:
            seen.add(value.data)
            todo.append((value, True))
            todo.extend((source, False) for source in value.inputs)
    return order

# %% wrong="A.0.4" why="two inputs unpacked" breaks="fan-out" says="more than two inputs"
def backward(values):
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in values[::-1]:
        if value.inputs:
            a, b = value.inputs[0], value.inputs[-1]
            a.grad += value.grad * value.slopes[0]
            if len(value.inputs) > 1:
                b.grad += value.grad * value.slopes[1]

# %% wrong="A.0.3" why="a count lowered once for each different input" breaks="complete" says="whoever counts how often each is used counts it twice"
def topological(result):
    uses, todo, seen = {}, [result], {result}
    while todo:
        for source in todo.pop().inputs:
            uses[source] = uses.get(source, 0) + 1
            if source not in seen:
                seen.add(source)
                todo.append(source)
    order, ready = [], [result]
    while ready:
        value = ready.pop()
        order.append(value)
        for source in set(value.inputs):
            uses[source] -= 1
            if uses[source] == 0:
                ready.append(source)
    return order[::-1]

# %% wrong="A.0.B" why="the slope 1 by x" breaks="slopes" says="The slope by u is right"
slopes_of_v = (3., 1.)
whole = 19.

# %% wrong="A.0.1" why="the numbers for the slopes of a sum" breaks="slopes" says="the numbers of the inputs"
def add(a, b):
    return Value(a.data + b.data, (a, b), (a.data, b.data))

def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.1" why="the slopes of a mean" breaks="slopes" says="half of what it should be"
def add(a, b):
    s = a.data + b.data
    return Value(s, (a, b), (.5, .5))

def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, a.data))

# %% wrong="A.0.3" why="counts an input used twice once" breaks="once" says="the same stands twice"
def topological(result):
    uses, todo, seen = {}, [result], {id(result)}
    while todo:
        for s in set(todo.pop().inputs):
            uses[id(s)] = uses.get(id(s), 0) + 1
            if id(s) not in seen:
                seen.add(id(s))
                todo.append(s)
    ready, order = [result], []
    while ready:
        v = ready.pop()
        order.append(v)
        for s in v.inputs:
            uses[id(s)] -= 1
            if uses[id(s)] <= 0:
                ready.append(s)
    return order[::-1]

# %% wrong="A.0.4" why="one or two inputs" breaks="fan-out" says="passed nothing on"
def backward(values):
    for v in values:
        v.grad = 0.
    values[-1].grad = 1.
    for v in reversed(values):
        if len(v.inputs) == 1:
            v.inputs[0].grad += v.grad * v.slopes[0]
        elif len(v.inputs) == 2:
            v.inputs[0].grad += v.grad * v.slopes[0]
            v.inputs[1].grad += v.grad * v.slopes[1]

# %% wrong="A.0.5" why="-a without a record" breaks="derivatives" says="was itself put down"
class Scalar:
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = float(data), inputs, slopes, 0.

    def _of(self, other):
        return other if isinstance(other, Scalar) else Scalar(other)

    def __add__(self, other):
        other = self._of(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = self._of(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (1. if self.data > 0 else 0.,))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Scalar(-self.data)

    def __sub__(self, other):
        other = self._of(other)
        return Scalar(self.data - other.data, (self, other), (1., -1.))

    def __rsub__(self, other):
        return self._of(other) - self

    def __truediv__(self, other):
        return self * self._of(other) ** -1

    def __rtruediv__(self, other):
        return self._of(other) / self

    def backward(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            v, ready = stack.pop()
            if ready:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                stack.append((v, True))
                stack += [(s, False) for s in v.inputs]
        for v in order:
            v.grad = 0.
        self.grad = 1.
        for v in reversed(order):
            for s, slope in zip(v.inputs, v.slopes):
                s.grad += v.grad * slope
