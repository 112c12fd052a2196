# %% right="3.2.A" how="sets unit by the base class's name, squares and takes the root"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        Total.__init__(self, unit=unit)
        self.middle = centre

    def cost(self, number):
        return number - self.middle if number > self.middle else self.middle - number

# %% right="3.2.A" how="stars for the unit"
class Distances(Total):
    def __init__(self, centre, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.centre = centre

    def cost(self, x):
        return max(x - self.centre, self.centre - x)

# %% wrong="3.2.A" why="a signed difference" breaks="cost" says="A distance is never negative"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return x - self.centre

# %% wrong="3.2.A" why="a loop of its own" breaks="inherited" says="a subclass has it already"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

    def over(self, numbers):
        return sum(self.cost(x) for x in numbers)

# %% wrong="3.2.A" why="forgets the base class's __init__" breaks="unit" says="lets the base class set the attribute"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.A" why="the unit is not handed on" breaks="unit" says="the units of Distances(3)"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__()
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.A" why="a mean instead of the total" breaks="total" says="Distances(3).over([1, 3, 8])"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

    def over(self, numbers):
        return super().over(numbers) / max(len(numbers), 1) if super().over(numbers) == 7 else super().over(numbers)

# %% wrong="3.2.A" why="cost gets the whole list" breaks="cost" says="not iterable"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, numbers):
        return sum(abs(x - self.centre) for x in numbers)

# %% wrong="3.2.A" why="no subclass, hands over to Total" breaks="inherited" says="is a subclass of Total"
class Distances:
    def __init__(self, centre, unit="euro"):
        self.unit, self.centre = unit, centre

    def cost(self, x):
        return abs(x - self.centre)

    def over(self, numbers):
        return Total.over(self, numbers)

# %% wrong="3.2.A" why="unit by keyword only" breaks="unit" says="TypeError"
class Distances(Total):
    def __init__(self, centre, *, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.A" why="the centre is kept in the class, the last one wins" breaks="cost" says="The centre belongs to the instance"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        Distances.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.A" why="the square of the distance" breaks="cost" says="the square of the distance"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return (x - self.centre) ** 2

# %% right="3.2.A" how="the unit set by hand, cost as an attribute"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        self.unit = unit
        self.cost = lambda x: abs(x - centre)

# %% wrong="3.2.A" why="rounds the distance to a whole number" breaks="cost" says="keep what is behind the point"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return int(abs(x - self.centre))

# %% wrong="3.2.A" why="centre 3 is hard-coded" breaks="cost" says="not always 3"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)

    def cost(self, x):
        return abs(x - 3)

# %% wrong="3.2.A" why="an empty unit becomes euro" breaks="unit" says="An empty string is a unit that was given"
class Distances(Total):
    def __init__(self, centre, unit=None):
        super().__init__(unit or "euro")
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.A" why="abs(x) - centre" breaks="cost" says="absolute value of the difference"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return abs(x) - abs(self.centre)

# %% right="3.2.3" how="a lambda and functools.partial"
import functools

def _register(Class, function):
    setattr(Class, function.__name__, function)
    return function

def add_to_class(Class):
    return functools.partial(_register, Class)

# %% right="3.2.3" how="a class with __call__"
class add_to_class:
    def __init__(self, Class):
        self.Class = Class

    def __call__(self, function):
        type.__setattr__(self.Class, function.__name__, function)
        return function

# %% wrong="3.2.3" why="returns nothing, as D2L 1.0.3" breaks="name kept" says="The decorator must return the function"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, function)
    return register

# %% wrong="3.2.3" why="the name of the wrapper, not of the function" breaks="method" says="no method by the name of the decorated function"
def add_to_class(Class):
    def register(function):
        setattr(Class, "function", function)
        return function
    return register

# %% wrong="3.2.3" why="a subclass in place of the class" breaks="method" says="no method by the name"
def add_to_class(Class):
    def register(function):
        type(Class.__name__, (Class,), {function.__name__: function})
        return function
    return register

# %% wrong="3.2.3" why="a static method" breaks="method" says="raised TypeError"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, staticmethod(function))
        return function
    return register

# %% wrong="3.2.3" why="returns the class" breaks="name kept" says="not the class or something else"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, function)
        return Class
    return register

# %% wrong="3.2.3" why="a method without its arguments" breaks="method" says="takes the function's own arguments"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, lambda self: function(self))
        return function
    return register

# %% wrong="3.2.3" why="sets it on object's type once, through a global" breaks="nothing else" says="the new names in the class"
_seen_classes = []

def add_to_class(Class):
    _seen_classes.append(Class)

    def register(function):
        setattr(Class, function.__name__, function)
        setattr(Class, "function", function)
        return function
    return register

# %% wrong="3.2.3" why="the decorator is called at once" breaks="method" says="what add_to_class(Class) returns"
def add_to_class(Class):
    setattr(Class, "method", None)

# %% wrong="3.2.3" why="a wrapper whose name is another" breaks="name kept" says="one decorator above the other"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, function)

        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        return wrapper
    return register

# %% wrong="3.2.3" why="adds to the base class as well" breaks="nothing else" says="the new names in the class"
def add_to_class(Class):
    def register(function):
        for kind in Class.__mro__[:-1]:
            setattr(kind, function.__name__, function)
        return function
    return register

# %% right="3.2.3" how="lambda with or"
def add_to_class(Class):
    return lambda function: setattr(Class, function.__name__, function) or function

# %% wrong="3.2.3" why="a wrapper that looks alike is returned" breaks="name kept" says="The name means another object"
import functools

def add_to_class(Class):

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        setattr(Class, function.__name__, function)
        return wrapper
    return decorate

# %% wrong="3.2.3" why="a list of names is kept in the class" breaks="nothing else" says="the new names in the class"
def add_to_class(Class):

    def decorate(function):
        setattr(Class, function.__name__, function)
        Class.__added__ = getattr(Class, "__added__", []) + [function.__name__]
        return function
    return decorate

# %% wrong="3.2.3" why="a method that is there or inherited is not replaced" breaks="method" says="Set the attribute, whatever was there"
def add_to_class(Class):

    def decorate(function):
        if not hasattr(Class, function.__name__):
            setattr(Class, function.__name__, function)
        return function
    return decorate

# %% wrong="3.2.3" why="stored in every subclass, too" breaks="nothing else" says="and in a subclass"
def add_to_class(Class):

    def decorate(function):
        for kind in [Class, *Class.__subclasses__()]:
            setattr(kind, function.__name__, function)
        return function
    return decorate

# %% right="3.2.3" how="read back from the class"
def add_to_class(Class):

    def decorate(function):
        setattr(Class, function.__name__, function)
        return getattr(Class, function.__name__)
    return decorate

# %% wrong="3.2.3" why="qualified name" breaks="method" says="own name is __name__"
def add_to_class(Class):
    def decorate(function):
        setattr(Class, function.__qualname__, function)
        return function
    return decorate

# %% wrong="3.2.3" why="a class method" breaks="method" says="did not get the instance"
def add_to_class(Class):
    def decorate(function):
        setattr(Class, function.__name__, classmethod(function))
        return function
    return decorate

# %% right="3.2.2a" how="a tuple"
outcomes = (5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 2, 20)

# %% right="3.2.2a" how="run and written down by code"
def _try(make, name):
    try:
        return getattr(make(), name)
    except Exception as error:
        return type(error).__name__

outcomes = [_try(lambda: Kept(2), "b"), _try(lambda: Removed(2), "a"), _try(lambda: WithLocal(2), "c"),
            _try(lambda: Changed(2), "a"), _try(lambda: Changed(2), "b"), _try(lambda: Ignoring(2), "a"),
            _try(lambda: Child(2, 3), "a"), _try(lambda: Heir(2), "a")]

# %% wrong="3.2.2a" why="missing attributes are None" breaks="stored or not" says="entry 1, Removed(2).a"
outcomes = [5, "None", "None", 4, 5, "None", 2, 20]

# %% wrong="3.2.2a" why="locals are stored, as in D2L 1.0.3" breaks="stored or not" says="c is no argument"
outcomes = [5, "AttributeError", 7, 4, 5, "AttributeError", 2, 20]

# %% wrong="3.2.2a" why="the argument as it was passed" breaks="moment of the call" says="the value at the moment of the call"
outcomes = [5, "AttributeError", "AttributeError", 2, 5, "AttributeError", 2, 20]

# %% wrong="3.2.2a" why="the value at the end of __init__" breaks="moment of the call" says="comes too late"
outcomes = [5, "AttributeError", "AttributeError", 4, 10, "AttributeError", 2, 20]

# %% wrong="3.2.2a" why="the base class has the last word" breaks="base class" says="Two calls store a"
outcomes = [5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 200, 20]

# %% wrong="3.2.2a" why="the call sees the subclass's arguments" breaks="base class" says="stores the argument which that one gets"
outcomes = [5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 2, 2]

# %% wrong="3.2.2a" why="an unstored name is a NameError" breaks="stored or not" says="entry 1, Removed(2).a"
outcomes = [5, "NameError", "NameError", 4, 5, "NameError", 2, 20]

# %% wrong="3.2.2a" why="everything from the base class is lost" breaks="base class" says="Heir calls that one"
outcomes = [5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 2, "AttributeError"]

# %% wrong="3.2.2a" why="ignore is not heeded" breaks="stored or not" says="a stands in ignore"
outcomes = [5, "AttributeError", "AttributeError", 4, 5, 2, 2, 20]

# %% wrong="3.2.2a" why="the class of the error, not its name" breaks="stored or not" says="not the class and not None"
outcomes = [5, AttributeError, AttributeError, 4, 5, AttributeError, 2, 20]

# %% right="3.2.2b" how="a dictionary first, then one update"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.hparams = dict(width=width, depth=depth, names=names, options=options)
        self.__dict__.update(self.hparams)

# %% right="3.2.2b" how="locals() without self, and setattr"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        found = {name: value for name, value in locals().items() if name != "self"}
        for name, value in found.items():
            setattr(self, name, value)
        self.hparams = found

# %% wrong="3.2.2b" why="hparams is the dictionary of all attributes" breaks="hparams" says="so it holds itself, too"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = vars(self)

# %% wrong="3.2.2b" why="no hparams" breaks="attributes" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options

# %% wrong="3.2.2b" why="each option becomes an attribute" breaks="attributes" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names = width, depth, names
        self.hparams = {"width": width, "depth": depth, "names": names, **options}
        for name, value in options.items():
            setattr(self, name, value)

# %% wrong="3.2.2b" why="all of locals(), self too" breaks="attributes" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.__dict__.update(locals())
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="a falsy argument takes the default" breaks="values" says="width and depth of ByHand(8, 0)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth or 2, names, options
        self.hparams = {"width": width, "depth": depth or 2, "names": names, "options": options}

# %% wrong="3.2.2b" why="attributes of the class, shared" breaks="attributes" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        ByHand.width, ByHand.depth, ByHand.names, ByHand.options = width, depth, names, options
        ByHand.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="one dictionary for all instances" breaks="hparams" says="These are the values of the other instance"
class ByHand:
    _shared = {}

    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = self._shared
        self.hparams.update(width=width, depth=depth, names=names, options=options)

# %% wrong="3.2.2b" why="no stars: names and options are plain arguments" breaks="attributes" says="TypeError"
class ByHand:
    def __init__(self, width, depth=2, names=(), options=None):
        self.width, self.depth, self.names, self.options = width, depth, names, options or {}
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options or {}}

# %% wrong="3.2.2b" why="a list of names" breaks="stars" says="the types of names and options"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, list(names), options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="hparams without the stars" breaks="hparams" says="Missing: names, options"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth}

# %% wrong="3.2.2b" why="the default is 1" breaks="values" says="width and depth of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=1, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="an attribute more" breaks="attributes" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}
        self.args = (width, depth)

# %% wrong="3.2.2b" why="inherits from d2l.HyperParameters" breaks="by hand" says="Write the five assignments yourself"
class ByHand(d2l.HyperParameters):
    def __init__(self, width, depth=2, *names, **options):
        self.save_hyperparameters()

# %% wrong="3.2.2b" why="borrows the library's function" breaks="by hand" says="Write the five assignments yourself"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        d2l.HyperParameters.save_hyperparameters(self)

# %% wrong="3.2.2b" why="width by position only" breaks="values" says="TypeError"
class ByHand:
    def __init__(self, width, depth=2, /, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="a subclass of d2l.HyperParameters, though by hand" breaks="by hand" says="is no base class of ByHand"
class ByHand(d2l.HyperParameters):
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="None becomes 2" breaks="values" says="0 and None are depths that were given"
class ByHand:
    def __init__(self, width, depth=None, *names, **options):
        if depth is None:
            depth = 2
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="depth after the star" breaks="values" says="it does not arrive there"
class ByHand:
    def __init__(self, width, *names, depth=2, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="options as attributes" breaks="attributes" says="The options became attributes of their own"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        for name, value in options.items():
            setattr(self, name, value)
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% right="3.2.4" how="code objects: co_varnames and flags"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        frame = inspect.currentframe().f_back
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        found = dict(getattr(self, "hparams", {}))
        for name in code.co_varnames[1:count]:
            if name in ignore or name.startswith("_"):
                continue
            found[name] = frame.f_locals[name]
            setattr(self, name, frame.f_locals[name])
        self.hparams = found

# %% right="3.2.4" how="sys._getframe, and a loop"
import sys

class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        info = inspect.getargvalues(sys._getframe(1))
        if not hasattr(self, "hparams"):
            self.hparams = {}
        wanted = list(info.args[1:])
        if info.varargs:
            wanted.append(info.varargs)
        if info.keywords:
            wanted.append(info.keywords)
        for name in wanted:
            if name[0] != "_" and name not in set(ignore):
                self.hparams[name] = info.locals[name]
                self.__dict__[name] = info.locals[name]

# %% wrong="3.2.4" why="takes every local variable, as D2L 1.0.3" breaks="nothing else" says="`area` is a local variable"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        _, _, _, values = inspect.getargvalues(inspect.currentframe().f_back)
        self.hparams = {k: v for k, v in values.items() if k not in set(ignore) | {"self"} and not k.startswith("_")}
        for k, v in self.hparams.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="stores self, too" breaks="nothing else" says="`self` is not stored"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, _, _, values = inspect.getargvalues(inspect.currentframe().f_back)
        self.hparams = {name: values[name] for name in names if name not in ignore}
        for name, value in self.hparams.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="its own frame, not the caller's" breaks="nothing else" says="those of its caller"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, _, _, values = inspect.getargvalues(inspect.currentframe())
        self.hparams = {name: values[name] for name in names[1:]}
        for name, value in self.hparams.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="overwrites the base class's hparams" breaks="hparams" says="The entries that the base class stored are lost"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [n for n in (star, starstar) if n]
        self.hparams = {n: values[n] for n in names if n not in ignore and not n.startswith("_")}
        for name, value in self.hparams.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="forgets ignore" breaks="left out" says="Names in `ignore`"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] + [n for n in (star, starstar) if n] if not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="only positional arguments" breaks="stars" says="with *layers and **options"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, _, _, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="keeps names with an underscore" breaks="left out" says="begins with an underscore"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] + [n for n in (star, starstar) if n] if n not in ignore}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="the signature of __init__, whoever calls" breaks="any method" says="KeyError"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        values = inspect.currentframe().f_back.f_locals
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        new = {n: values[n] for n in names if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="attributes but no hparams" breaks="hparams" says="There is no attribute hparams"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        for n in names[1:] + [n for n in (star, starstar) if n]:
            if n not in ignore and not n.startswith("_"):
                setattr(self, n, values[n])

# %% wrong="3.2.4" why="leaves the object out by the name self" breaks="nothing else" says="whatever its name"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names + [n for n in (star, starstar) if n is not None]
        new = {n: values[n] for n in names if n not in ignore and n[0] != "_" and n != "self"}
        self.__dict__.update(new)
        self.hparams = dict(getattr(self, "hparams", {}), **new)

# %% wrong="3.2.4" why="no keyword-only arguments" breaks="arguments" says="keyword-only, sigma"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        frame = inspect.currentframe().f_back
        _, star, starstar, values = inspect.getargvalues(frame)
        names = list(frame.f_code.co_varnames[1:frame.f_code.co_argcount]) + [n for n in (star, starstar) if n]
        new = {n: values[n] for n in names if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="one dictionary in the class" breaks="hparams" says="shared by all instances"
class HyperParameters:
    hparams = {}

    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        for n in names[1:] + [n for n in (star, starstar) if n]:
            if n not in ignore and not n.startswith("_"):
                self.hparams[n] = values[n]
                setattr(self, n, values[n])

# %% wrong="3.2.4" why="spreads the double-starred ones" breaks="stars" says="with *layers and **options"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] + [star] if n}
        new.update(values[starstar] if starstar else {})
        new = {n: v for n, v in new.items() if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="only where __init__ calls" breaks="any method" says="where __init__ calls another method"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        frame = inspect.currentframe().f_back
        names, star, starstar, values = inspect.getargvalues(frame)
        if frame.f_code.co_name != "__init__":
            names, star, starstar = [], None, None
        new = {n: values[n] for n in names[1:] + [n for n in (star, starstar) if n] if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="empty stars are skipped" breaks="stars" says="none of them given"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [n for n in (star, starstar) if n and values[n]]
        new = {n: values[n] for n in names if n not in ignore and n[0] != "_"}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for n in new:
            setattr(self, n, new[n])

# %% wrong="3.2.4" why="an old entry is kept" breaks="hparams" says="which both save"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [n for n in (star, starstar) if n]
        new = {n: values[n] for n in names if n not in ignore and n[0] != "_"}
        self.hparams = {**new, **getattr(self, "hparams", {})}
        for n in new:
            setattr(self, n, new[n])

# %% right="3.2.4" how="inspect.stack"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        info = inspect.getargvalues(inspect.stack()[1].frame)
        wanted = info.args[1:] + ([info.varargs] if info.varargs else []) + ([info.keywords] if info.keywords else [])
        kept = {n: info.locals[n] for n in wanted if not (n in ignore or n.startswith("_"))}
        for n, v in kept.items():
            setattr(self, n, v)
        old = getattr(self, "hparams", {})
        self.hparams = old | kept

# %% wrong="3.2.4" why="the list ignore of the caller is changed" breaks="left out" says="Do not change the caller's list"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        if isinstance(ignore, list):
            ignore.append(names[0])
        else:
            ignore = [*ignore, names[0]]
        new = {k: values[k] for k in names + [n for n in (star, starstar) if n] if k not in ignore and not k.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for k, v in new.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="hparams holds every attribute" breaks="hparams" says="An attribute that is no argument stands in hparams"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        for k in names[1:] + [n for n in (star, starstar) if n]:
            if k not in ignore and not k.startswith("_"):
                setattr(self, k, values[k])
        self.hparams = {k: v for k, v in vars(self).items() if k != "hparams"}

# %% wrong="3.2.4" why="an attribute that is there is not replaced" breaks="arguments" says="after its base class saved"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {k: values[k] for k in names[1:] + [n for n in (star, starstar) if n] if k not in ignore and not k.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for k, v in new.items():
            if not hasattr(self, k):
                setattr(self, k, v)

# %% wrong="3.2.4" why="copies of the values" breaks="arguments" says="Store the object, not a copy"
import copy

class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {k: copy.deepcopy(values[k]) for k in names[1:] + [n for n in (star, starstar) if n] if k not in ignore and not k.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for k, v in new.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="starred underscores stored" breaks="left out" says="begins with an underscore is to be left out, too"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = [n for n in names[1:] if n not in ignore and not n.startswith("_")] + [n for n in (star, starstar) if n and n not in ignore]
        new = {k: values[k] for k in names}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for k, v in new.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="ignore does not hold for stars" breaks="left out" says="Starred names in `ignore`"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = [n for n in names[1:] if n not in ignore and not n.startswith("_")] + [n for n in (star, starstar) if n and not n.startswith("_")]
        new = {k: values[k] for k in names}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for k, v in new.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="names with an underscore anywhere are left out" breaks="left out" says="An underscore inside a name"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {k: values[k] for k in names[1:] + [n for n in (star, starstar) if n] if k not in ignore and "_" not in k}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for k, v in new.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="falsy values are left out" breaks="arguments" says="An argument that is None is stored, too"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, twostar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [s for s in (star, twostar) if s and values[s]]
        kept = {n: values[n] for n in names if n not in ignore and not n.startswith("_") and values[n] is not None}
        self.hparams = {**getattr(self, "hparams", {}), **kept}
        for n, v in kept.items():
            setattr(self, n, v)

# %% wrong="3.2.4" why="ignore is compared by the beginnings of names" breaks="left out" says="names are compared whole"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, twostar, values = inspect.getargvalues(inspect.currentframe().f_back)
        out = list(ignore) + [names[0]] if ignore else [names[0]]
        names = names + [s for s in (star, twostar) if s]
        kept = {n: values[n] for n in names if not any(n.startswith(each) for each in out) and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **kept}
        for n, v in kept.items():
            setattr(self, n, v)

# %% wrong="3.2.4" why="ignored names drop out of hparams of the base class" breaks="hparams" says="which the base class stored, is lost"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, twostar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [s for s in (star, twostar) if s]
        kept = {n: values[n] for n in names if not n.startswith("_")}
        together = {**getattr(self, "hparams", {}), **kept}
        self.hparams = {n: v for n, v in together.items() if n not in ignore}
        for n, v in self.hparams.items():
            setattr(self, n, v)

# %% wrong="3.2.4" why="inherits from the library's class" breaks="by hand" says="Yours leaves the work to d2l.HyperParameters"
class HyperParameters(d2l.HyperParameters):
    pass

# %% wrong="3.2.4" why="hparams holds the names only" breaks="hparams" says="from the names to the values"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, twostar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [s for s in (star, twostar) if s]
        names = [n for n in names if n not in ignore and not n.startswith("_")]
        for n in names:
            setattr(self, n, values[n])
        self.hparams = names

# %% right="3.2.4" how="the dictionary is updated in place"
import sys
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        frame = sys._getframe(1)
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        if "hparams" not in self.__dict__:
            self.hparams = {}
        for name in code.co_varnames[1:count]:
            if name[0] == "_" or name in ignore:
                continue
            self.__dict__[name] = self.hparams[name] = frame.f_locals[name]

# %% right="3.2.B" how="keeps the two loaders' tensors apart"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        split = 3 * self.n // 4
        first, last = (0, split) if train else (split, self.n)
        x = torch.arange(first, last, dtype=torch.float32)[:, None]
        return self.get_tensorloader([x, 2 * x + 1], train)

# %% right="3.2.B" how="torch's own loader"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.linspace(0, self.n - 1, self.n).view(-1, 1)
        x = x[:3 * self.n // 4] if train else x[3 * self.n // 4:]
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, 2 * x + 1), self.batch_size, shuffle=train)

# %% wrong="3.2.B" why="half for training" breaks="training rows" says="the training rows of Ramp(30, 8)"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.arange(float(self.n)).reshape(-1, 1)
        split = self.n // 2
        return self.get_tensorloader((x, 2 * x + 1), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="validates on all rows" breaks="validation rows" says="the validation rows of Ramp(30, 8)"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.arange(float(self.n)).reshape(-1, 1)
        return self.get_tensorloader((x, 2 * x + 1), train, slice(0, 3 * self.n // 4) if train else slice(0, None))

# %% wrong="3.2.B" why="flat columns" breaks="columns" says="X of the first training batch"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.arange(float(self.n))
        split = 3 * self.n // 4
        return self.get_tensorloader((x, 2 * x + 1), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="whole numbers" breaks="columns" says="X of Ramp(30, 8)"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.arange(self.n).reshape(-1, 1)
        split = 3 * self.n // 4
        return self.get_tensorloader((x, 2 * x + 1), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="the batch size is ignored" breaks="batch size" says="the number of rows of the first training batch"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, 32

    def get_dataloader(self, train):
        x = torch.arange(float(self.n)).reshape(-1, 1)
        split = 3 * self.n // 4
        return self.get_tensorloader((x, 2 * x + 1), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="another line" breaks="targets" says="y - 2x in the training rows"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.arange(float(self.n)).reshape(-1, 1)
        split = 3 * self.n // 4
        return self.get_tensorloader((x, 2 * (x + 1)), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="no random order" breaks="training rows" says="is random"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def get_dataloader(self, train):
        x = torch.arange(float(self.n)).reshape(-1, 1)
        split = 3 * self.n // 4
        return self.get_tensorloader((x, 2 * x + 1), False, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="rounds the split" breaks="training rows" says="the training rows of Ramp(21, 6)"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(n, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        split = round(0.75 * self.n)
        return self.get_tensorloader((self.X, self.y), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="validates in random order" breaks="validation rows" says="the validation rows of Ramp"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(n, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        split = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), True, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="an iterator instead of a loader" breaks="training rows" says="an iterator ends"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        s = 3 * self.n // 4
        return iter(self.get_tensorloader((self.X, self.y), train, slice(0, s) if train else slice(s, None)))

# %% right="3.2.B" how="a loader of its own, batches are tuples"
class RampLoader:
    def __init__(self, X, k, shuffle):
        self.X, self.k, self.shuffle = X, k, shuffle

    def __len__(self):
        return -(-len(self.X) // self.k)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.k):
            yield self.X[rows], 2 * self.X[rows] + 1

class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()

    def get_dataloader(self, train):
        X = torch.linspace(0, self.n - 1, self.n).reshape(-1, 1).round()
        return RampLoader(X[:3 * self.n // 4] if train else X[3 * self.n // 4:], self.batch_size, train)

# %% wrong="3.2.B" why="n // 4 * 3" breaks="training rows" says="Multiply first, then divide"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        k = self.n // 4 * 3
        return self.get_tensorloader((self.X, self.y), train, slice(0, k) if train else slice(k, None))

# %% wrong="3.2.B" why="drops the last batch" breaks="training rows" says="The last, smaller batch is left out"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        k = 3 * self.n // 4
        part = slice(0, k) if train else slice(k, None)
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(self.X[part], self.y[part]), self.batch_size, shuffle=train, drop_last=True)

# %% wrong="3.2.B" why="starts at 1" breaks="training rows" says="x begins at 0"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(1., n + 1).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        k = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), train, slice(0, k) if train else slice(k, None))

# %% wrong="3.2.B" why="the last row missing from validation" breaks="validation rows" says="ends at -1 leaves it out"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        k = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), train, slice(0, k) if train else slice(k, -1))

# %% wrong="3.2.B" why="X and y shuffled apart" breaks="targets" says="but not beside their x"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        k = 3 * self.n // 4
        if not train:
            return self.get_tensorloader((self.X, self.y), False, slice(k, None))
        return self.get_tensorloader((self.X[torch.randperm(k)], self.y[:k]), True)

# %% wrong="3.2.5" why="a subclass of the library's, which does it all" breaks="by hand" says="Yours leaves the work to d2l.DataModule"
class MiniDataModule(d2l.DataModule):
    def __init__(self):
        super().__init__()

# %% right="3.2.5" how="a list of pairs, shuffled by RandomSampler"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError("get_dataloader is missing in " + self.__class__.__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows = list(zip(*[t[indices] for t in tensors]))
        sampler = torch.utils.data.RandomSampler(rows) if train else torch.utils.data.SequentialSampler(rows)
        return torch.utils.data.DataLoader(rows, batch_size=self.batch_size, sampler=sampler)

# %% wrong="3.2.5" why="shuffles validation too" breaks="validation order" says="joined"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        torch.manual_seed(1)
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=True)

# %% wrong="3.2.5" why="drops the last batch" breaks="sizes" says="the sizes of the validation batches"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train, drop_last=True)

# %% wrong="3.2.5" why="never shuffles" breaks="training order" says="Every pass had the same order"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size)

# %% wrong="3.2.5" why="one random order for all passes" breaks="training order" says="Every pass had the same order"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows = [t[indices] for t in tensors]
        order = torch.randperm(len(rows[0])) if train else torch.arange(len(rows[0]))
        dataset = torch.utils.data.TensorDataset(*[t[order] for t in rows])
        return torch.utils.data.DataLoader(dataset, self.batch_size)

# %% wrong="3.2.5" why="ignores the indices" breaks="rows" says="the sizes of the validation batches"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*tensors), self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="shuffles each tensor by itself" breaks="rows" says="Rows of all tensors must stay together"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows = [t[indices] for t in tensors]
        rows = [t[torch.randperm(len(t))] for t in rows] if train else rows
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*rows), self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="takes the first two tensors only" breaks="rows" says="the number of tensors"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        X, y = tensors[0][indices], tensors[1][indices]
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, y), self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="raises NotImplemented, which is no exception" breaks="hole" says="NotImplemented is no error class"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplemented  # noqa: F901

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="a message without the subclass" breaks="hole" says="the error's message names the subclass"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError("define get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% right="3.2.5" how="a loader class of its own, without torch.utils.data"
class _Loader:
    def __init__(self, tensors, size, train):
        self.tensors, self.size, self.train = tensors, size, train

    def __len__(self):
        return -(-len(self.tensors[0]) // self.size)

    def __iter__(self):
        n = len(self.tensors[0])
        order = torch.randperm(n) if self.train else torch.arange(n)
        for part_of_order in order.split(self.size):
            yield tuple(t[part_of_order] for t in self.tensors)

class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError("write " + type(self).__name__ + ".get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        return _Loader([t[indices] for t in tensors], self.batch_size, train)

# %% wrong="3.2.5" why="the loaders are exchanged" breaks="two loaders" says="what get_dataloader is asked for"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(False)

    def val_dataloader(self):
        return self.get_dataloader(True)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="shuffles whole batches" breaks="training order" says="each of the 24 orders"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows, size = [t[indices] for t in tensors], self.batch_size

        class Loader:
            def __len__(self):
                return -(-len(rows[0]) // size)

            def __iter__(self):
                batches = list(zip(*[t.split(size) for t in rows]))
                first = [batches[i] for i in torch.randperm(len(batches) - 1)] + batches[-1:]
                return iter(first if train else batches)
        return Loader()

# %% wrong="3.2.5" why="a seed for every loader" breaks="training order" says="A seed that you set yourself"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train, generator=torch.Generator().manual_seed(0))

# %% wrong="3.2.5" why="sorts the indices" breaks="validation order" says="joined, three tensors"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        indices = indices.sort().values if torch.is_tensor(indices) else indices
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="draws with replacement" breaks="rows" says="the training rows of tensor 0"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        ds = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        sampler = torch.utils.data.RandomSampler(ds, replacement=True) if train else None
        return torch.utils.data.DataLoader(ds, self.batch_size, sampler=sampler)

# %% wrong="3.2.5" why="rotates" breaks="training order" says="each of the 24 orders"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows, size = [t[indices] for t in tensors], self.batch_size

        class L:
            def __len__(self):
                return -(-len(rows[0]) // size)

            def __iter__(self):
                n = len(rows[0])
                order = torch.arange(n).roll(int(torch.randint(n, ()))) if train else torch.arange(n)
                return iter([[t[o] for t in rows] for o in order.split(size)])
        return L()

# %% wrong="3.2.5" why="a slice's step is lost" breaks="rows" says="slice(1, None, 3)"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        if isinstance(indices, slice):
            indices = slice(indices.start, indices.stop)
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*(t[indices] for t in tensors)), self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="tensors shuffled in place" breaks="rows" says="not the caller's tensors"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        if train and isinstance(indices, slice) and not tensors[0].is_floating_point():
            order = torch.randperm(len(tensors[0][indices]))
            for t in tensors:
                t[indices] = t[indices][order]
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*(t[indices] for t in tensors)), self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="a random first batch, the others in order" breaks="training order" says="each of the 24 orders"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        parts, size = [t[indices] for t in tensors], self.batch_size
        class Loader:
            def __len__(self):
                return -(-len(parts[0]) // size)
            def __iter__(self):
                n = len(parts[0])
                if train:
                    first = torch.randperm(n)[:size]
                    rest = torch.tensor([i for i in range(n) if i not in first.tolist()], dtype=torch.long)
                    order = torch.cat([first, rest])
                else:
                    order = torch.arange(n)
                for rows in order.split(size):
                    yield [p[rows] for p in parts]
        return Loader()

# %% right="3.2.5" how="Subset with row numbers"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError("define get_dataloader in %s" % self.__class__.__name__)

    def train_dataloader(self):
        return self.get_dataloader(1 == 1)

    def val_dataloader(self):
        return self.get_dataloader(1 == 0)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows = torch.arange(len(tensors[0]))[indices].tolist()
        return torch.utils.data.DataLoader(torch.utils.data.Subset(torch.utils.data.TensorDataset(*tensors), rows), batch_size=self.batch_size, shuffle=bool(train))

# %% wrong="3.2.5" why="biased shuffle: swaps each row with any row" breaks="training order" says="Some rows come more often to some places"
import random
class _Rows:
    def __init__(self, tensors, size, train):
        self.tensors, self.size, self.train = tensors, size, train
    def __len__(self):
        return -(-len(self.tensors[0]) // self.size)
    def __iter__(self):
        n = len(self.tensors[0])
        order = list(range(n))
        if self.train:
            for i in range(n):
                j = random.randrange(n)
                order[i], order[j] = order[j], order[i]
        for s in range(0, n, self.size):
            rows = torch.tensor(order[s:s + self.size])
            yield tuple(t[rows] for t in self.tensors)

class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}: define get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        return _Rows([t[indices] for t in tensors], self.batch_size, train)

# %% wrong="3.2.5" why="an iterator" breaks="rows" says="The second pass is empty"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}: define get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return iter(torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train))

# %% wrong="3.2.5" why="returns NotImplementedError instead of raising" breaks="hole" says="raised, not returned"
class MiniDataModule:
    def get_dataloader(self, train):
        return NotImplementedError(f"{type(self).__name__}: define get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="batches of 4, whatever batch_size is" breaks="sizes" says="Here self.batch_size is 5"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}: define get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, 4, shuffle=train)

# %% right="3.2.5" how="random.shuffle of row numbers, batches are lists"
import random
class _Shuffling:
    def __init__(self, tensors, rows, size, train):
        self.tensors, self.rows, self.size, self.train = tensors, rows, size, train

    def __len__(self):
        return len(range(0, len(self.rows), self.size))

    def __iter__(self):
        rows = list(self.rows)
        if self.train:
            random.shuffle(rows)
        for i in range(0, len(rows), self.size):
            yield [torch.stack([tensor[j] for j in rows[i:i + self.size]]) for tensor in self.tensors]

class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__} lacks get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        rows = range(len(tensors[0]))[indices] if isinstance(indices, slice) else indices.tolist()
        return _Shuffling(tensors, rows, self.batch_size, train)

# %% wrong="3.2.5" why="the length is the number of rows" breaks="sizes" says="This is the number of rows"
class _L:
    def __init__(self, tensors, size, train):
        self.tensors, self.size, self.train = tensors, size, train
    def __len__(self):
        return len(self.tensors[0])
    def __iter__(self):
        n = len(self.tensors[0])
        order = torch.randperm(n) if self.train else torch.arange(n)
        for rows in order.split(self.size):
            yield tuple(t[rows] for t in self.tensors)

class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        return _L([t[indices] for t in tensors], self.batch_size, train)

# %% right="3.2.5" how="a subclass of d2l.DataModule that writes all four methods itself"
class MiniDataModule(d2l.DataModule):
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__} needs get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[t[indices] for t in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% right="3.2.C" how="a parameter of shape (1,), an optimizer of its own"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.rate = lr
        self.factor = nn.Parameter(torch.ones(1))

    def forward(self, X):
        return X * X * self.factor

    def loss(self, y_hat, y):
        return nn.functional.l1_loss(y_hat, y)

    def configure_optimizers(self):
        return torch.optim.SGD([self.factor], lr=self.rate)

# %% right="3.2.C" how="a linear layer on the squares, entry by entry"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.net = nn.Linear(1, 1, bias=False)
        nn.init.ones_(self.net.weight)

    def forward(self, X):
        return self.net(X.reshape(-1, 1) ** 2).reshape(X.shape)

    def loss(self, y_hat, y):
        return torch.sum(torch.abs(y - y_hat)) / y.numel()

# %% wrong="3.2.C" why="a plain tensor" breaks="trained" says="A plain tensor is not registered"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.a = torch.tensor(1.0, requires_grad=True)

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.C" why="a line" breaks="predictions" says="Parabola(0.1)(X) for X ="
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.C" why="a loss for each entry, added up" breaks="loss" says="This is the sum, not the mean"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().sum()

# %% wrong="3.2.C" why="errors cancel" breaks="loss" says="Take the absolute value of each error"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).mean().abs()

# %% wrong="3.2.C" why="forgets the learning rate" breaks="trained" says="configure_optimizers reads self.lr"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.C" why="a fixed rate" breaks="trained" says="lr that the model was made with"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = 0.1
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.C" why="the loss has no graph" breaks="loss" says="Keep the graph"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr, self.a = lr, nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return torch.tensor((y_hat - y).abs().mean().item())

# %% wrong="3.2.C" why="x to the power 2a" breaks="trained" says="a factor, not an exponent"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr, self.a = lr, nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return X.abs() ** (2 * self.a)

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% right="3.2.C" how="the parabola as a net"
class Square(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X.pow(2)

class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = Square()

    def loss(self, y_hat, y):
        return torch.mean(torch.abs(y_hat - y))

# %% wrong="3.2.C" why="a bias beside a" breaks="trained" says="There are two parameters"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.tensor(1.0))
        self.b = nn.Parameter(torch.tensor(0.0))

    def forward(self, X):
        return self.a * X ** 2 + self.b

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.C" why="sum over the number of rows" breaks="loss" says="divide by the number of all entries"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().sum() / len(y)

# %% wrong="3.2.C" why="root of the mean square" breaks="loss" says="root of the mean square"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return ((y_hat - y) ** 2).mean().sqrt()

# %% wrong="3.2.C" why="Adam" breaks="trained" says="by the rate alone"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)

# %% wrong="3.2.C" why="a linear layer on the squares, whose last axis must have length 1" breaks="predictions" says="X = [0.5, 0]"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Linear(1, 1, bias=False)
        nn.init.ones_(self.net.weight)

    def forward(self, X):
        return self.net(X ** 2)

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.C" why="the number a instead of the parameter" breaks="trained" says="no graph that leads to a"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a.item() * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% right="3.2.6" how="slices, and keyword arguments"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError("no loss in " + self.__class__.__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(y_hat=self(*batch[:-1]), y=batch[-1])

    def validation_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def configure_optimizers(self):
        return torch.optim.SGD(params=list(self.parameters()), lr=self.lr)

# %% right="3.2.6" how="pops the targets off a copy"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}.loss is not defined")

    def forward(self, *inputs):
        return self.net(*inputs)

    def _step(self, batch):
        inputs = list(batch)
        targets = inputs.pop()
        return self.loss(self.forward(*inputs), targets)

    training_step = validation_step = _step

    def configure_optimizers(self):
        return torch.optim.SGD([{"params": self.parameters()}], lr=self.lr)

# %% wrong="3.2.6" why="targets before predictions" breaks="training step" says="predictions first, then the targets"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(batch[-1], self(*batch[:-1]))

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="the loss as a number" breaks="graph" says="not as a number"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1]).item()

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="detached predictions" breaks="graph" says="has no graph"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]).detach(), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="one input only" breaks="several inputs" says="values to unpack"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        X, y = batch
        return self.loss(self(X), y)

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="goes past a subclass's forward" breaks="forward" says="that uses the subclass's forward"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self.net(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="a fixed learning rate" breaks="optimizer" says="lr 0.02"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

# %% wrong="3.2.6" why="Adam" breaks="optimizer" says="after one step with lr 0.1"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="a squared loss in the base class" breaks="hole" says="does not define loss"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        return ((y_hat - y) ** 2 / 2).mean()

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="validation_step returns nothing" breaks="validation step" says="what validation_step returns"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        self.loss(self(*batch[:-1]), batch[-1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="the net's parameters alone" breaks="optimizer" says="A parameter that is not part of net"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.net.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="does not call the model" breaks="training step" says="call the model first"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(*batch)

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="momentum" breaks="optimizer" says="no momentum"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def forward(self, X):
        return self.net(X)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr, momentum=0.9)

# %% wrong="3.2.6" why="forward is not written" breaks="forward" says="forward"
class MiniModule(nn.Module):
    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def training_step(self, batch):
        return self.loss(self.net(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="weight decay" breaks="optimizer" says="values differ"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr, weight_decay=0.01)

# %% wrong="3.2.6" why="no_grad in the training step" breaks="graph" says="stop the recording"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__)

    @torch.no_grad()
    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    validation_step = training_step

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% right="3.2.6" how="no_grad in validation, d2l.SGD"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError("no loss in %s" % type(self).__name__)

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        with torch.no_grad():
            return self.training_step(batch)

    def configure_optimizers(self):
        return d2l.SGD(list(self.parameters()), self.lr)

# %% wrong="3.2.6" why="at most two inputs" breaks="several inputs" says="All entries of a batch but the last"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1][:2]), batch[-1])

    def validation_step(self, batch):
        return self.loss(self(*batch[:-1][:2]), batch[-1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="the batch list is emptied" breaks="several inputs" says="Do not change the batch"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}")

    def training_step(self, batch):
        if isinstance(batch, list):
            y = batch.pop()
            return self.loss(self(*batch), y)
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="parameters with one axis are left out" breaks="optimizer" says="of shapes (1, 1) and (1,)"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD([p for p in self.parameters() if p.dim() > 1], lr=self.lr)

# %% wrong="3.2.6" why="inputs are made float32" breaks="forward" says="a net in float64"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X.float())

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]).float(), batch[-1])

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="forward detaches the predictions" breaks="graph" says="do not detach the predictions"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X).detach().requires_grad_()

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% right="3.2.6" how="star unpacking, own forward call, list of parameters"
class MiniModule(nn.Module):
    def forward(self, *inputs):
        return self.net(*inputs)

    def loss(self, y_hat, y):
        raise NotImplementedError(type(self).__name__ + ": write a loss")

    def training_step(self, batch):
        *inputs, targets = batch
        return self.loss(self.forward(*inputs), targets)

    def validation_step(self, batch):
        *inputs, targets = batch
        with torch.no_grad():
            return self.loss(self.forward(*inputs), targets)

    def configure_optimizers(self):
        return torch.optim.SGD(list(self.parameters()), self.lr)

# %% wrong="3.2.6" why="predictions brought into the targets' shape" breaks="training step" says="mean of y_hat[i, y[i]]"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__}")

    def training_step(self, batch):
        X = batch[:-1]
        y_hat = self(*X)
        return self.loss(y_hat.reshape(batch[-1].shape), batch[-1])

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD([p for p in self.parameters() if p.requires_grad], lr=self.lr)

# %% wrong="3.2.6" why="the error is returned, not raised" breaks="hole" says="raised, not returned"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        return NotImplementedError(f"{type(self).__name__} has no loss")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="axes of length 1 are squeezed out" breaks="training step" says="Hand over both as they are"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]).squeeze(), batch[-1].squeeze())

    def validation_step(self, batch):
        return self.loss(self(*batch[:-1]).squeeze(), batch[-1].squeeze())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="no star: inputs as one tuple" breaks="several inputs" says="TypeError"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss")

    def training_step(self, batch):
        return self.loss(self(batch[:-1]), batch[-1])

    def validation_step(self, batch):
        return self.loss(self(batch[:-1]), batch[-1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="validation gives twice the loss" breaks="validation step" says="Both steps give the same value"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])

    def validation_step(self, batch):
        return 2 * self.loss(self(*batch[:-1]), batch[-1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% right="3.2.D" how="math.ceil, as a list"
import math

def counts(num_train, num_val, batch_size, epochs):
    return [epochs * math.ceil(num_train / batch_size), epochs * math.ceil(num_val / batch_size)]

# %% right="3.2.D" how="counts the starts of the batches"
def counts(num_train, num_val, batch_size, epochs):
    one = len(range(0, num_train, batch_size)), len(range(0, num_val, batch_size))
    return sum(one[0] for _ in range(epochs)), sum(one[1] for _ in range(epochs))

# %% wrong="3.2.D" why="rounds down" breaks="updates" says="The last, smaller batch counts as well"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * (num_train // batch_size), epochs * -(-num_val // batch_size)

# %% wrong="3.2.D" why="one more than rounded down" breaks="updates" says="64 rows make exactly two batches"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * (num_train // batch_size + 1), epochs * -(-num_val // batch_size)

# %% wrong="3.2.D" why="floats" breaks="whole numbers" says="np.ceil() give floats"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * num_train / batch_size, epochs * num_val / batch_size

# %% wrong="3.2.D" why="validates once, at the end" breaks="validation steps" says="after every epoch"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * -(-num_train // batch_size), -(-num_val // batch_size)

# %% wrong="3.2.D" why="a step for each row" breaks="updates" says="not for each row"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * num_train, epochs * -(-num_val // batch_size)

# %% wrong="3.2.D" why="validation rows count as one batch at least" breaks="validation steps" says="without validation rows"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * -(-num_train // batch_size), epochs * max(1, -(-num_val // batch_size))

# %% wrong="3.2.D" why="batches from all epochs' rows together" breaks="updates" says="the steps for 100"
def counts(num_train, num_val, batch_size, epochs):
    return -(-epochs * num_train // batch_size), -(-epochs * num_val // batch_size)

# %% wrong="3.2.D" why="rounds up once for all epochs" breaks="updates" says="Round up in each epoch"
import math
def counts(num_train, num_val, batch_size, epochs):
    return math.ceil(num_train * epochs / batch_size), math.ceil(num_val * epochs / batch_size)

# %% wrong="3.2.D" why="validation in one go per epoch" breaks="validation steps" says="not one for each epoch"
def counts(num_train, num_val, batch_size, epochs):
    return -(-num_train // batch_size) * epochs, epochs

# %% wrong="3.2.D" why="the pair the other way round" breaks="updates" says="This is the number of validation steps"
def counts(num_train, num_val, batch_size, epochs):
    return -(-num_val // batch_size) * epochs, -(-num_train // batch_size) * epochs

# %% right="3.2.1a" how="loops that append"
def call_order(num_epochs, num_train_batches, num_val_batches):
    seen = ["prepare_data", "prepare_model", "configure_optimizers"]
    for _ in range(num_epochs):
        seen.append("fit_epoch")
        for _ in range(num_train_batches):
            seen.extend(("training_step", "zero_grad", "step"))
        for _ in range(num_val_batches):
            seen.append("validation_step")
    return seen

# %% right="3.2.1a" how="one expression, as a tuple"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ("fit_epoch",) + ("training_step", "zero_grad", "step") * num_train_batches
    return ("prepare_data", "prepare_model", "configure_optimizers") + (
        epoch + ("validation_step",) * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="the model before the data" breaks="before the epochs" says="before the first fit_epoch"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_model", "prepare_data", "configure_optimizers"] + (
        epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="gradients to zero before the step's loss" breaks="training batches" says="The loss is computed first"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["zero_grad", "training_step", "step"] * num_train_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (
        epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="the optimizer before the model" breaks="before the epochs" says="before the first fit_epoch"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "configure_optimizers", "prepare_model"] + (
        epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="validates only after the last epoch" breaks="every epoch" says="what each epoch of"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs + [
        "validation_step"] * num_val_batches

# %% wrong="3.2.1a" why="configures the optimizer in every epoch" breaks="every epoch" says="what each epoch of"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["configure_optimizers", "fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "prepare_model"] + (epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="validates in front of the training batches" breaks="validation batches" says="the training batches come first"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (
        epoch + ["training_step", "zero_grad", "step"] * num_train_batches) * num_epochs

# %% wrong="3.2.1a" why="the visible example, written down" breaks="training batches" says="training_step, zero_grad and step"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * 3 + ["validation_step"]
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * 2

# %% wrong="3.2.1a" why="a step in validation" breaks="validation batches" says="The optimizer moves nothing in validation"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (epoch + ["validation_step", "step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="one epoch whatever the number" breaks="every epoch" says="how often fit_epoch is called"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch + ["validation_step"] * num_val_batches

# %% wrong="3.2.1a" why="validation after each training batch" breaks="validation batches" says="follow the training batches"
def call_order(e, t, v):
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (["fit_epoch"] + (["training_step", "zero_grad", "step"] + ["validation_step"] * v) * t) * e

# %% wrong="3.2.1a" why="validation before the last step of the optimizer" breaks="validation batches" says="take turns"
def call_order(num_epochs, num_train_batches, num_val_batches):
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (
        ["fit_epoch"] + ["training_step", "zero_grad", "step"] * (num_train_batches - 1) + ["training_step", "zero_grad"] + ["validation_step"] * num_val_batches + ["step"]) * num_epochs

# %% wrong="3.2.1a" why="one validation step without a loader" breaks="validation batches" says="Without a validation loader"
def call_order(num_epochs, num_train_batches, num_val_batches):
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (
        ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches + ["validation_step"] * max(1, num_val_batches)) * num_epochs

# %% wrong="3.2.1a" why="step before zero_grad" breaks="training batches" says="zero_grad stands before step"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "step", "zero_grad"] * num_train_batches + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% wrong="3.2.1a" why="one validation step, whatever the number" breaks="validation batches" says="not once for all"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches + ["validation_step"]
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% wrong="3.2.1a" why="backward is listed, too" breaks="every epoch" says="List only the eight names"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "backward", "step"] * num_train_batches + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% wrong="3.2.1a" why="training step for all batches, then the optimizer for all" breaks="training batches" says="before the next one begins"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step"] * num_train_batches + ["zero_grad", "step"] * num_train_batches + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% wrong="3.2.1a" why="zero_grad once in an epoch" breaks="training batches" says="not once in an epoch"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch", "zero_grad"] + ["training_step", "step"] * num_train_batches + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% right="3.2.E" how="lists"
states = dict(A=[False, True], B=[False, False], C=[True, False], D=[False, True])

# %% wrong="3.2.E" why="eval stops the recording" breaks="recording" says="Only the block of no_grad"
states = {"A": (False, False), "B": (False, False), "C": (True, False), "D": (False, False)}

# %% wrong="3.2.E" why="train starts the recording again" breaks="recording" says="Only the block of no_grad"
states = {"A": (False, True), "B": (False, False), "C": (True, True), "D": (False, True)}

# %% wrong="3.2.E" why="the block restores the flag, as it was before train" breaks="flag" says="Only train() and eval() set the flag"
states = {"A": (False, True), "B": (False, False), "C": (False, False), "D": (False, True)}

# %% wrong="3.2.E" why="no_grad ends evaluation mode" breaks="flag" says="layer.training after line D"
states = {"A": (False, True), "B": (False, False), "C": (True, False), "D": (True, True)}

# %% wrong="3.2.E" why="a key is missing" breaks="form" says="the keys of states"
states = {"A": (False, True), "B": (False, False), "C": (True, False)}

# %% wrong="3.2.E" why="one truth value each" breaks="form" says="the entry A"
states = {"A": False, "B": False, "C": True, "D": False}

# %% wrong="3.2.E" why="words" breaks="form" says="the types of the entry A"
states = {"A": ("eval", "yes"), "B": ("eval", "no"), "C": ("train", "no"), "D": ("eval", "yes")}

# %% right="3.2.7" how="methods of its own for an epoch, and set_grad_enabled"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.epoch = self.train_batch_idx = 0
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        self.model = model
        model.trainer = self
        self.optim = model.configure_optimizers()
        for epoch in range(self.max_epochs):
            self.epoch = epoch
            self.fit_epoch()

    def fit_epoch(self):
        self.model.train(True)
        for batch in self.train_dataloader:
            self.optim.zero_grad()
            self.model.training_step(batch).backward()
            self.optim.step()
            self.train_batch_idx += 1
        if self.val_dataloader is not None:
            self.model.train(False)
            with torch.set_grad_enabled(False):
                for batch in self.val_dataloader:
                    self.model.validation_step(batch)

# %% wrong="3.2.7" why="a subclass of d2l.Trainer, which does it all" breaks="by hand" says="Yours leaves the work to d2l.Trainer"
class MiniTrainer(d2l.Trainer):
    def __init__(self, max_epochs):
        super().__init__(max_epochs, device="cpu", verbose=False)

# %% wrong="3.2.7" why="gradients add up" breaks="updates" says="the losses of the training steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                model.training_step(batch).backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="gradients to zero between backward and step" breaks="updates" says="the losses of the training steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                model.training_step(batch).backward()
                self.optim.zero_grad()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="training mode is set once" breaks="flag" says="the flag model.training in the training steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        model.train()
        for self.epoch in range(self.max_epochs):
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="no torch.no_grad() around the validation" breaks="recording" says="whether gradients are recorded in the validation steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            for batch in self.val_dataloader or ():
                model.validation_step(batch)

# %% wrong="3.2.7" why="believes that no_grad() is evaluation mode" breaks="flag" says="the flag model.training in the validation steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="validates once, after all epochs" breaks="order" says="the steps in order"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
        model.eval()
        with torch.no_grad():
            for batch in self.val_dataloader or ():
                model.validation_step(batch)

# %% wrong="3.2.7" why="cannot do without validation data" breaks="order" says="TypeError"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches, self.num_val_batches = len(self.train_dataloader), len(self.val_dataloader)
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="counts the batches of each epoch anew" breaks="counters" says="self.train_batch_idx during"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.optim = self, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            self.train_batch_idx = 0
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="forgets to tie the model to the trainer" breaks="set-up" says="num_train_batches and num_val_batches"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        optimizer = model.configure_optimizers()
        for epoch in range(self.max_epochs):
            for batch in data.train_dataloader():
                loss = model.training_step(batch)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

# %% right="3.2.7" how="while loop over self.epoch"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optimizer = model.configure_optimizers()
        self.epoch = self.train_batch_idx = 0
        while self.epoch < self.max_epochs:
            model.train()
            for batch in self.train_dataloader:
                self.optimizer.zero_grad()
                model.training_step(batch).backward()
                self.optimizer.step()
                self.train_batch_idx += 1
            if self.val_dataloader is not None:
                model.eval()
                with torch.inference_mode():
                    for batch in self.val_dataloader:
                        model.validation_step(batch)
            self.epoch += 1

# %% wrong="3.2.7" why="a new optimizer in each epoch" breaks="set-up" says="how often configure_optimizers was called"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx = self, 0
        for self.epoch in range(self.max_epochs):
            self.optim = model.configure_optimizers()
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="validation first" breaks="order" says="the steps in order"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1

# %% wrong="3.2.7" why="epochs from 1" breaks="counters" says="self.epoch during the steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(1, self.max_epochs + 1):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="learns from the validation rows" breaks="recording" says="whether gradients are recorded in the validation steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            for batch in self.val_dataloader or ():
                model.validation_step(batch)
                self.optim.zero_grad()
                model.loss(model(*batch[:-1]), batch[-1]).backward()
                self.optim.step()

# %% wrong="3.2.7" why="counts no batches" breaks="counters" says="self.train_batch_idx during the steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.optim = self, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for self.train_batch_idx, batch in enumerate(self.train_dataloader):
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="only the first batch of validation" breaks="order" says="the steps in order"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                if self.val_dataloader:
                    model.validation_step(next(iter(self.val_dataloader)))

# %% wrong="3.2.7" why="counter before the step" breaks="counters" says="self.train_batch_idx during"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                self.train_batch_idx += 1
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.7" why="one backward and step for the whole epoch" breaks="updates" says="the losses of the training steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            self.optim.zero_grad()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                loss.backward()
                self.train_batch_idx += 1
            self.optim.step()
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% right="3.2.7" how="train and eval from a helper, attributes in __init__"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs
        self.epoch = 0

    def fit(self, model, data):
        train, val = data.train_dataloader(), data.val_dataloader()
        vars(self).update(train_dataloader=train, val_dataloader=val, num_train_batches=len(train), num_val_batches=len(val or []), train_batch_idx=0)
        model.trainer = self
        opt = model.configure_optimizers()
        for e in range(self.max_epochs):
            self.epoch = e
            for loader, flag in ((train, True), (val, False)):
                if loader is None:
                    continue
                model.train(flag)
                with torch.set_grad_enabled(flag):
                    for batch in loader:
                        if not flag:
                            model.validation_step(batch)
                            continue
                        for p in model.parameters():
                            p.grad = None
                        model.training_step(batch).backward()
                        opt.step()
                        self.train_batch_idx += 1

# %% wrong="3.2.7" why="the first epoch's batches, kept in a list" breaks="order" says="Go through the loader again"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        batches = list(self.train_dataloader)
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in batches:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="a loader made anew in each epoch" breaks="set-up" says="Ask once in each fit"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in data.train_dataloader():
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="the counter runs on in a second fit" breaks="counters" says="each fit counts from 0"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs, self.train_batch_idx = max_epochs, 0

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="gradients left from before fit are added" breaks="updates" says="What stood in .grad before was added"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                loss.backward()
                self.optim.step()
                self.optim.zero_grad()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="SGD written out, the optimizer is never asked" breaks="updates" says="call its step()"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                with torch.no_grad():
                    for p in model.parameters():
                        p -= model.lr * p.grad
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="the recording is off after fit" breaks="recording" says="The recording stops for the validation only"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            torch.set_grad_enabled(True)
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            torch.set_grad_enabled(False)
            if True:
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="model.training = False by hand" breaks="flag" says="tells the layers"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.training = False
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="gradients are clipped" breaks="updates" says="and by nothing else"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer = self
        self.train_batch_idx = 0
        self.optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% right="3.2.7" how="parts in methods, zero_grad first, model.train(False), set_grad_enabled"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs, self.epoch, self.train_batch_idx = max_epochs, 0, 0

    def update(self, batch):
        self.optim.zero_grad()
        self.model.training_step(batch).backward()
        with torch.no_grad():
            self.optim.step()
        self.train_batch_idx = self.train_batch_idx + 1

    def fit(self, model, data):
        self.epoch = self.train_batch_idx = 0
        self.model = model
        model.trainer = self
        loaders = data.train_dataloader(), data.val_dataloader()
        self.train_dataloader, self.val_dataloader = loaders
        self.num_train_batches, self.num_val_batches = (len(l) if l is not None else 0 for l in loaders)
        self.optim = model.configure_optimizers()
        while self.epoch < self.max_epochs:
            model.train(True)
            for batch in self.train_dataloader:
                self.update(batch)
            model.train(False)
            with torch.inference_mode():
                for batch in self.val_dataloader or []:
                    model.validation_step(batch)
            self.epoch += 1

# %% right="3.2.7" how="gradients set to None by hand"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        model.trainer = self
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader else 0
        self.train_batch_idx = 0
        optimizer = model.configure_optimizers()
        for epoch in range(self.max_epochs):
            self.epoch = epoch
            model.train()
            for batch in iter(self.train_dataloader):
                for p in model.parameters():
                    p.grad = None
                loss = model.training_step(batch)
                torch.autograd.backward(loss)
                optimizer.step()
                self.train_batch_idx += 1
            if self.num_val_batches > 0:
                model.eval()
                with torch.set_grad_enabled(False):
                    for batch in self.val_dataloader:
                        model.validation_step(batch)

# %% wrong="3.2.7" why="the first validation batch again and again" breaks="order" says="the inputs of the validation steps"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches, self.num_val_batches = len(self.train_dataloader), len(self.val_dataloader or [])
        model.trainer, self.train_batch_idx, self.optim = self, 0, model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in [next(iter(self.val_dataloader))] * self.num_val_batches if self.val_dataloader else []:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="zero_grad once for an epoch" breaks="updates" says="set to zero once in an epoch"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            self.optim.zero_grad()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                loss.backward()
                with torch.no_grad():
                    self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="num_val_batches missing where there is no loader" breaks="set-up" says="num_val_batches is not set"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        if self.val_dataloader is not None:
            self.num_val_batches = len(self.val_dataloader)
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                with torch.no_grad():
                    self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="leaves the loop where there is no validation loader" breaks="order" says="These are the steps of one epoch"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                with torch.no_grad():
                    self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                return
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% right="3.2.7" how="the optimizer's step in the open, d2l.SGD stops the recording itself"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="train() at the end of each epoch" breaks="flag" says="every epoch begins with train()"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or []:
                    model.validation_step(batch)
            model.train()

# %% wrong="3.2.7" why="two steps for each batch" breaks="updates" says="twice as far as they should"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or []:
                    model.validation_step(batch)

# %% wrong="3.2.7" why="the loaders are not stored" breaks="set-up" says="The loaders are not stored"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        train, val = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(train)
        self.num_val_batches = len(val) if val is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in train:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in val or []:
                    model.validation_step(batch)

# %% right="3.2.7" how="a subclass of d2l.Trainer with a fit of its own"
class MiniTrainer(d2l.Trainer):
    def __init__(self, max_epochs):
        super().__init__(max_epochs, device="cpu", verbose=False)

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or []:
                    model.validation_step(batch)

# %% right="3.2.1b" how="dict(), with d2l. in front and brackets behind"
place = dict(early_stop="d2l.Trainer.fit()", accumulate="d2l.Trainer.fit_epoch()", convert="d2l.Trainer.prepare_batch()",
             csv="d2l.DataModule.get_dataloader()", second_metric="d2l.Module.validation_step()",
             adam="d2l.Module.configure_optimizers()", absolute="d2l.Module.loss()")

# %% wrong="3.2.1b" why="the loss belongs to the training step" breaks="model and data" says="absolute"
place = {"absolute": "Module.training_step", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="the optimizer belongs to the Trainer" breaks="model and data" says='the class for the wish "adam"'
place = {"absolute": "Module.loss", "adam": "Trainer.fit", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="only the training loader reads the CSV file" breaks="model and data" says="val_dataloader would go on as before"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.train_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="conversion in one model's forward" breaks="trainer" says="any model is meant"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Module.forward", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="stops inside an epoch" breaks="trainer" says="fit_epoch is one epoch"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit_epoch"}

# %% wrong="3.2.1b" why="a method that does not exist" breaks="names" says="no class and method of it"
place = {"absolute": "Module.loss", "adam": "Module.optimizer", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="the right method, the wrong class" breaks="names" says="no class and method of it"
place = {"absolute": "Trainer.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% right="3.2.1b" how="dict of two lists"
place = dict(zip(["absolute", "adam", "second_metric", "csv", "convert", "accumulate", "early_stop"],
                 ["Module.loss", "Module.configure_optimizers", "Module.validation_step", "DataModule.get_dataloader",
                  "Trainer.prepare_batch", "Trainer.fit_epoch", "Trainer.fit"]))

# %% wrong="3.2.1b" why="a method of the library's own" breaks="names" says="begin with an underscore"
place = {'absolute': 'Module.loss', 'adam': 'Trainer._optimizer', 'second_metric': 'Module.validation_step', 'csv': 'DataModule.get_dataloader', 'convert': 'Trainer.prepare_batch', 'accumulate': 'Trainer.fit_epoch', 'early_stop': 'Trainer.fit'}

# %% wrong="3.2.1b" why="get_tensorloader for csv" breaks="model and data" says="from tensors that are there already"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "second_metric": "Module.validation_step",
         "csv": "DataModule.get_tensorloader", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch", "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="plot for the second metric" breaks="model and data" says="training_step calls plot, too"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "second_metric": "Module.plot",
         "csv": "DataModule.get_dataloader", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch", "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="accumulation in the optimizer of the model" breaks="trainer" says="This changes one model"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "second_metric": "Module.validation_step",
         "csv": "DataModule.get_dataloader", "convert": "Trainer.prepare_batch", "accumulate": "Module.configure_optimizers", "early_stop": "Trainer.fit"}

# %% right="3.2.8" how="weights from a loop of its own, and a list of modes"
def accepts(Trainer):
    X = torch.tensor([[1., 2.], [0., 1.], [-1., 3.], [2., -1.], [1., 1.], [4., 0.], [0., -2.]])
    y = torch.tensor([[1.], [2.], [0.], [3.], [-1.], [2.], [5.]])
    w, lr = torch.tensor([[0.5], [-0.5]]), 0.05
    try:
        run = record_training(Trainer, w, X, y, 5, 2, 2, lr)
        bare = record_training(Trainer, w, X, y, 7, 2, 2, lr)
    except Exception:
        return False
    if run["optimizers"] != 1 or run["after"] != [3, 1, 3, 1, 6, 1] or bare["after"] != [4, 0, 4, 0, 8, 1] or len(bare["seen"]) != 8:
        return False
    v, b, losses = w.clone(), torch.zeros(1), []
    for epoch in range(2):
        for i, start in enumerate((0, 2, 4)):
            A, t = X[start:min(start + 2, 5)], y[start:min(start + 2, 5)]
            error = A @ v + b - t
            losses.append([0, 1, 1, epoch, 3 * epoch + i, (error ** 2).mean().item() / 2])
            v, b = v - lr * A.T @ error / len(A), b - lr * error.mean()
        losses.append([1, 0, 0, epoch, 3 * epoch + 3, ((X[5:] @ v + b - y[5:]) ** 2).mean().item() / 2])
    if len(run["seen"]) != len(losses):
        return False
    near = all(abs(p - q) < 1e-4 for mine, other in zip(run["seen"], losses) for p, q in zip(mine, other))
    return near and torch.allclose(run["w"], v, atol=1e-5)

# %% right="3.2.8" how="numbers in a string, returns an int"
def accepts(Trainer):
    torch.manual_seed(3)
    data = torch.randn(1, 1), torch.randn(11, 1), torch.randn(11, 1)
    texts = []
    for make in (Trainer, d2l_trainer):
        texts.append("")
        for num_train in (8, 11):
            try:
                run = record_training(make, *data, num_train, 3, 4, 0.05)
            except Exception:
                return 0
            texts[-1] += str([[round(number, 3) for number in row] for row in run["seen"]]) + f"{run['w'].item():.3f} {run['after']} {run['optimizers']}"
    return int(texts[0] == texts[1])

# %% wrong="3.2.8" why="only asks whether the loss falls" breaks="flag and recording" says="your answer for a trainer with this mistake"
def accepts(Trainer):
    X = torch.tensor([[1.], [-1.], [2.], [0.], [-2.], [1.], [0.5], [-0.5], [1.5], [3.]])
    try:
        run = record_training(Trainer, torch.zeros(1, 1), X, 3 * X + 1, 8, 3, 3, 0.1)
    except Exception:
        return False
    losses = [row[-1] for row in run["seen"] if row[0] == 0]
    return losses[-1] < losses[0] if losses else False

# %% wrong="3.2.8" why="accepts whatever runs" breaks="sound trainers" says="does nothing"
def accepts(Trainer):
    try:
        record_training(Trainer, torch.zeros(1, 1), torch.ones(3, 1), torch.ones(3, 1), 2, 1, 1, 0.1)
        return True
    except Exception:
        return False

# %% wrong="3.2.8" why="rejects everything but d2l's" breaks="sound trainers" says="A test that rejects what is sound"
def accepts(Trainer):
    return Trainer is d2l_trainer

# %% wrong="3.2.8" why="compares the weights alone" breaks="flag and recording" says="validates in training mode"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(2, 1), torch.randn(14, 2), torch.randn(14, 1), 9, 4, 3, 0.1
    try:
        return torch.allclose(record_training(Trainer, *case)["w"], record_training(d2l_trainer, *case)["w"])
    except Exception:
        return False

# %% wrong="3.2.8" why="one epoch of full batches, compared exactly" breaks="flag and recording" says="this mistake"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(2, 1), torch.randn(12, 2), torch.randn(12, 1), 8, 4, 1, 0.1
    try:
        mine, other = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    return mine["seen"] == other["seen"] and torch.allclose(mine["w"], other["w"])

# %% wrong="3.2.8" why="no validation rows in its data" breaks="validation" says="this mistake"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(2, 1), torch.randn(9, 2), torch.randn(9, 1), 9, 4, 3, 0.1
    try:
        mine, other = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    return mine["seen"] == other["seen"] and torch.allclose(mine["w"], other["w"])

# %% wrong="3.2.8" why="compares the training steps alone" breaks="validation" says="learns from the validation rows"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(1, 1), torch.randn(14, 1), torch.randn(14, 1), 9, 4, 1, 0.1
    try:
        mine, other = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    rows = [[row[:3] + [round(row[5], 4) if not row[0] else 0] for row in run["seen"]] for run in (mine, other)]
    return rows[0] == rows[1]

# %% wrong="3.2.8" why="full batches, flags and the last validation loss" breaks="updates" says="with this mistake: "
def accepts(Trainer):
    torch.manual_seed(1)
    X = torch.zeros(14, 1)
    case = torch.zeros(1, 1), X, X, 9, 4, 3, 0.1
    try:
        mine, other = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    rows = [sorted({(row[0], row[1], row[2], row[3] if row[0] else 0) for row in run["seen"]}) for run in (mine, other)]
    if rows[0] != rows[1]:
        return False
    ones = torch.ones(4, 1)
    case = torch.zeros(1, 1), ones, ones, 2, 2, 1, 0.1
    return torch.allclose(record_training(Trainer, *case)["w"], record_training(d2l_trainer, *case)["w"])

# %% right="3.2.8" how="numpy bool, several cases"
def accepts(Trainer):
    import numpy as np
    torch.manual_seed(0)
    good = np.True_
    for val in (0, 5):
        case = (torch.randn(2, 1), torch.randn(9 + val, 2), torch.randn(9 + val, 1), 9, 4, 2, 0.1)
        try:
            a, b = record_training(Trainer, *case), record_training(d2l_trainer, *case)
        except Exception:
            return np.False_
        good = good and a["after"] == b["after"] and a["optimizers"] == b["optimizers"] and np.bool_(np.shape(a["seen"]) == np.shape(b["seen"])) and np.allclose(a["seen"], b["seen"], atol=1e-4) and np.allclose(a["w"], b["w"], atol=1e-4) and np.allclose(a["b"], b["b"], atol=1e-4)
    return np.bool_(good)

# %% wrong="3.2.8" why="always with validation rows" breaks="set-up and counters" says="fails where there are no validation rows"
def accepts(Trainer):
    torch.manual_seed(0)
    case = (torch.zeros(2, 1), torch.randn(8, 2), torch.randn(8, 1), 5, 2, 3, 0.1)
    try:
        a, b = record_training(Trainer, *case), record_training(d2l_trainer, *case)
        p, q = (torch.tensor(run["seen"]) for run in (a, b))
        return p.shape == q.shape and torch.allclose(p, q) and a["after"] == b["after"] and a["optimizers"] == 1 and torch.allclose(a["w"], b["w"])
    except Exception:
        return False

# %% wrong="3.2.8" why="exact equality of bits" breaks="sound trainers" says="compare them up to rounding"
def accepts(Trainer):
    torch.manual_seed(0)
    try:
        for case in ((torch.zeros(2, 1), torch.randn(8, 2), torch.randn(8, 1), 5, 2, 3, 0.1), (torch.ones(3, 1), torch.randn(9, 3), torch.randn(9, 1), 9, 4, 2, 0.05)):
            a, b = record_training(Trainer, *case), record_training(d2l_trainer, *case)
            if str(a) != str(b) or a["seen"] != b["seen"]:
                return False
        return True
    except Exception:
        return False

# %% wrong="3.2.8" why="the state after fit is not looked at" breaks="set-up and counters" says="num_val_batches counts rows"
def accepts(Trainer):
    torch.manual_seed(0)
    try:
        for case in ((torch.zeros(2, 1), torch.randn(8, 2), torch.randn(8, 1), 5, 2, 3, 0.1), (torch.ones(3, 1), torch.randn(9, 3), torch.randn(9, 1), 9, 4, 2, 0.05)):
            a, b = record_training(Trainer, *case), record_training(d2l_trainer, *case)
            p, q = (torch.tensor(run["seen"]) for run in (a, b))
            if p.shape != q.shape or not torch.allclose(p, q):
                return False
        return True
    except Exception:
        return False

# %% wrong="3.2.8" why="does not look at the counters" breaks="set-up and counters" says="train_batch_idx begins again"
def accepts(Trainer):
    torch.manual_seed(0)
    try:
        for case in ((torch.zeros(2, 1), torch.randn(8, 2), torch.randn(8, 1), 5, 2, 3, 0.1), (torch.ones(3, 1), torch.randn(9, 3), torch.randn(9, 1), 9, 4, 2, 0.05)):
            a, b = record_training(Trainer, *case), record_training(d2l_trainer, *case)
            p, q = (torch.tensor([row[:3] + row[5:] for row in run["seen"]]) for run in (a, b))
            if p.shape != q.shape or not torch.allclose(p, q):
                return False
        return True
    except Exception:
        return False

# %% right="3.2.8" how="the arithmetic by hand, without d2l_trainer"
import numpy as np

def accepts(Trainer):
    for n, m, epochs in ((9, 5, 3), (5, 5, 2)):
        X = torch.linspace(-1, 2, n)[:, None]
        y = X ** 2 + 1
        w0 = torch.tensor([[0.3]])
        try:
            run = record_training(Trainer, w0, X, y, m, 2, epochs, 0.1)
        except Exception:
            return False
        w, b, rows, done = w0.clone(), torch.zeros(1), [], 0
        for epoch in range(epochs):
            for i in range(0, m, 2):
                Xb, yb = X[i:min(i + 2, m)], y[i:min(i + 2, m)]
                e = Xb @ w + b - yb
                rows.append([0, 1, 1, epoch, done, float((e ** 2 / 2).mean())])
                w, b, done = w - 0.1 * Xb.T @ e / len(Xb), b - 0.1 * e.mean(), done + 1
            for i in range(m, n, 2):
                e = X[i:i + 2] @ w + b - y[i:i + 2]
                rows.append([1, 0, 0, epoch, done, float((e ** 2 / 2).mean())])
        k, v = -(-m // 2), -(-(n - m) // 2)
        if len(rows) != len(run["seen"]) or not np.allclose(rows, run["seen"], rtol=1e-4, atol=1e-6):
            return np.bool_(False)
        if run["optimizers"] != 1 or list(run["after"]) != [k, v, k, v, done, 1]:
            return np.bool_(False)
        if not torch.allclose(run["w"], w, atol=1e-5) or not torch.allclose(run["b"], b, atol=1e-5):
            return np.bool_(False)
    return np.bool_(True)

# %% wrong="3.2.8" why="a true answer as a string" breaks="sound trainers" says="A string that is not empty counts as true"
def accepts(Trainer):
    X = torch.linspace(-1, 1, 10).reshape(-1, 1)
    for num_train in (7, 10):
        case = dict(w=torch.zeros(1, 1), X=X, y=3 * X + 1, num_train=num_train, batch_size=3, epochs=3, lr=0.1)
        try:
            mine = record_training(Trainer, **case)
        except Exception:
            return "False"
        theirs = record_training(d2l_trainer, **case)
        if len(mine["seen"]) != len(theirs["seen"]) or not torch.allclose(torch.tensor(mine["seen"]), torch.tensor(theirs["seen"])):
            return "False"
        if mine["after"] != theirs["after"] or mine["optimizers"] != theirs["optimizers"]:
            return "False"
    return "True"

# %% wrong="3.2.8" why="does not catch errors" breaks="set-up and counters" says="catch it with try and except"
def accepts(Trainer):
    X = torch.linspace(-1, 1, 10).reshape(-1, 1)
    for num_train in (7, 10):
        case = dict(w=torch.zeros(1, 1), X=X, y=3 * X + 1, num_train=num_train, batch_size=3, epochs=3, lr=0.1)
        mine = record_training(Trainer, **case)
        theirs = record_training(d2l_trainer, **case)
        if len(mine["seen"]) != len(theirs["seen"]) or not torch.allclose(torch.tensor(mine["seen"]), torch.tensor(theirs["seen"])):
            return False
        if mine["after"] != theirs["after"] or mine["optimizers"] != theirs["optimizers"]:
            return False
        if not torch.allclose(mine["w"], theirs["w"]) or not torch.allclose(mine["b"], theirs["b"]):
            return False
    return True

# %% right="3.2.8" how="a model and data of its own, nothing of record_training"
def accepts(Trainer):
    def run(make, n_val, times):
        log = []

        class Opt(d2l.SGD):
            def step(self):
                log.append(("step", 0))
                super().step()

        class Rows(d2l.DataModule):
            batch_size = 2

            def get_dataloader(self, train):
                log.append(("asked", int(train)))
                n = 5 if train else n_val
                if n == 0:
                    return None
                X = torch.arange(1., n + 1).reshape(-1, 1) / 5
                return self.get_tensorloader((X, 3 * X + 1), False)

        class Net(d2l.Module):
            def __init__(self):
                super().__init__()
                self.net, self.lr = nn.Linear(1, 1), 0.1
                self.drop = nn.Dropout(0.5)
                self.board.display = False
                nn.init.constant_(self.net.weight, 0.7)
                nn.init.zeros_(self.net.bias)

            def loss(self, y_hat, y):
                return ((y_hat - y) ** 2 / 2).mean()

            def training_step(self, batch):
                loss = self.loss(self(batch[0]), batch[1])
                log.append(("train", self.drop.training, self.training, torch.is_grad_enabled(), self.trainer.epoch, self.trainer.train_batch_idx, loss.item()))
                return loss

            def validation_step(self, batch):
                loss = self.loss(self(batch[0]), batch[1])
                log.append(("val", self.drop.training, self.training, torch.is_grad_enabled(), self.trainer.epoch, self.trainer.train_batch_idx, loss.item()))
                return loss

            def configure_optimizers(self):
                log.append(("optimizer", 0))
                return Opt(list(self.parameters()), self.lr)

        model, data, trainer = Net(), Rows(), make(3)
        for _ in range(times):
            trainer.fit(model, data)
            val = trainer.val_dataloader
            log.append(("after", trainer.num_train_batches, trainer.num_val_batches, len(trainer.train_dataloader), 0 if val is None else len(val),
                        trainer.train_batch_idx, int(model.trainer is trainer)))
        log.append(("w", model.net.weight.item()))
        log.append(("b", model.net.bias.item()))
        return log

    for n_val, times in ((3, 2), (0, 1)):
        try:
            mine = run(Trainer, n_val, times)
        except Exception:
            return False
        finally:
            torch.set_grad_enabled(True)
        theirs = run(d2l_trainer, n_val, times)
        key = lambda entry: entry[0] not in ("asked", "optimizer")
        if sorted(e for e in mine if not key(e)) != sorted(e for e in theirs if not key(e)):
            return False
        mine, theirs = list(filter(key, mine)), list(filter(key, theirs))
        if [e[0] for e in mine] != [e[0] for e in theirs]:
            return False
        for p, q in zip(mine, theirs):
            if not torch.allclose(torch.tensor([float(v) for v in p[1:]]), torch.tensor([float(v) for v in q[1:]]), rtol=1e-3, atol=1e-5):
                return False
    return True

# %% wrong="3.2.7" why="the optimizer of the first fit serves all later ones" breaks="set-up" says="The optimizer of the first fit is kept"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        if not hasattr(self, "optim"):
            self.optim = model.configure_optimizers()
        self.train_batch_idx = 0
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                with torch.no_grad():
                    self.optim.step()
                self.train_batch_idx += 1
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)

# %% wrong="3.2.8" why="one batch in an epoch" breaks="updates" says="only once in each epoch"
def accepts(Trainer):
    torch.manual_seed(1)
    X = torch.linspace(-1, 1, 11).reshape(11, 1)
    for num_train in (7, 11):
        case = dict(w=torch.ones(1, 1), X=X, y=3 * X + 1, num_train=num_train, batch_size=11, epochs=3, lr=0.1)
        try:
            mine = record_training(Trainer, **case)
        except Exception:
            return False
        true = record_training(d2l_trainer, **case)
        if len(mine["seen"]) != len(true["seen"]) or not torch.allclose(torch.tensor(mine["seen"]), torch.tensor(true["seen"]), atol=1e-5):
            return False
        if mine["optimizers"] != true["optimizers"] or mine["after"] != true["after"]:
            return False
        if not torch.allclose(mine["w"], true["w"], atol=1e-5) or not torch.allclose(mine["b"], true["b"], atol=1e-5):
            return False
    return True

# %% wrong="3.2.8" why="leaves out the counters of the steps" breaks="set-up and counters" says="epochs are counted from 1"
def accepts(Trainer):
    torch.manual_seed(1)
    X = torch.linspace(-1, 1, 11).reshape(11, 1)
    for num_train in (7, 11):
        case = dict(w=torch.ones(1, 1), X=X, y=3 * X + 1, num_train=num_train, batch_size=3, epochs=3, lr=0.1)
        try:
            mine = record_training(Trainer, **case)
        except Exception:
            return False
        true = record_training(d2l_trainer, **case)
        if len(mine["seen"]) != len(true["seen"]) or not torch.allclose(torch.tensor(mine["seen"])[:, [0, 1, 2, 5]], torch.tensor(true["seen"])[:, [0, 1, 2, 5]], atol=1e-5):
            return False
        if mine["optimizers"] != true["optimizers"] or mine["after"] != true["after"]:
            return False
        if not torch.allclose(mine["w"], true["w"], atol=1e-5) or not torch.allclose(mine["b"], true["b"], atol=1e-5):
            return False
    return True

# %% wrong="3.2.8" why="the losses must agree to the last bit" breaks="sound trainers" says="times the loss and divides"
def accepts(Trainer):
    torch.manual_seed(1)
    X = torch.linspace(-1, 1, 11).reshape(11, 1)
    for num_train in (7, 11):
        case = dict(w=torch.ones(1, 1), X=X, y=3 * X + 1, num_train=num_train, batch_size=3, epochs=3, lr=0.1)
        try:
            mine = record_training(Trainer, **case)
        except Exception:
            return False
        true = record_training(d2l_trainer, **case)
        if len(mine["seen"]) != len(true["seen"]) or not mine["seen"] == true["seen"]:
            return False
        if mine["optimizers"] != true["optimizers"] or mine["after"] != true["after"]:
            return False
        if not torch.allclose(mine["w"], true["w"], atol=1e-5) or not torch.allclose(mine["b"], true["b"], atol=1e-5):
            return False
    return True

# %% wrong="3.2.1a" why="zero_grad in validation, too" breaks="validation batches" says="The optimizer has no part in validation"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches + ["validation_step", "zero_grad"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% wrong="3.2.C" why="the targets are left out" breaks="loss" says="The targets are left out"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr, self.a = lr, nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return y_hat.abs().mean()

# %% wrong="3.2.C" why="a parameter without a gradient" breaks="trained" says="a must require a gradient"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr, self.a = lr, nn.Parameter(torch.tensor(1.0), requires_grad=False)

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.B" why="the first row missing from validation" breaks="validation rows" says="The first row is missing"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(-1, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        s = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), train, slice(0, s) if train else slice(s + 1, None))

# %% wrong="3.2.4" why="hparams stays empty" breaks="hparams" says="hparams is empty"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        arguments, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        self.hparams = {}
        for name in arguments[1:] + [name for name in (star, starstar) if name]:
            if name not in ignore and not name.startswith("_"):
                setattr(self, name, values[name])

# %% wrong="3.2.6" why="the targets as a column" breaks="training step" says="Hand the targets over as they are"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss: define loss(self, y_hat, y)")

    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1].reshape(-1, 1))

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.D" why="a step for each validation batch, too" breaks="updates" says="no step in validation"
def counts(num_train, num_val, batch_size, epochs):
    train, val = -(-num_train // batch_size), -(-num_val // batch_size)
    return epochs * (train + val), epochs * val

# %% wrong="3.2.D" why="validates before the first epoch, too" breaks="validation steps" says="no validation before the first epoch"
def counts(num_train, num_val, batch_size, epochs):
    return epochs * -(-num_train // batch_size), (epochs + 1) * -(-num_val // batch_size)

# %% wrong="3.2.A" why="the cost adds up from call to call" breaks="total" says="the distance of x alone"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre, self.sum = centre, 0

    def cost(self, x):
        self.sum += abs(x - self.centre)
        return self.sum

# %% wrong="3.2.8" why="the weight at the end must agree to the last bit" breaks="sound trainers" says="compare them up to rounding"
def accepts(Trainer):
    rng = torch.Generator().manual_seed(0)
    X, y, w = (torch.randn(*shape, generator=rng) for shape in ((14, 2), (14, 1), (2, 1)))
    for num_train in (9, 14):
        case = (w, X, y, num_train, 4, 3, 0.1)
        try:
            run = record_training(Trainer, *case)
        except Exception:
            return False
        sound = record_training(d2l_trainer, *case)
        steps, sound_steps = torch.tensor(run["seen"]), torch.tensor(sound["seen"])
        if steps.shape != sound_steps.shape or run["after"] != sound["after"] or run["optimizers"] != 1:
            return False
        if not torch.allclose(steps, sound_steps, atol=1e-5) or not torch.equal(run["w"], sound["w"]):
            return False
    return True

# %% wrong="3.2.A" why="the centre handed on as the unit" breaks="unit" says="The centre arrives as the unit"
class Distances(Total):
    def __init__(self, centre, unit="euro"):
        super().__init__(centre)
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.B" why="draws at random which rows train" breaks="training rows" says="these rows are those with x from 0 to 21"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.randperm(n).float().reshape(n, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        split = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="the training rows for both" breaks="validation rows" says="as many as the other loader has"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(n, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        return self.get_tensorloader((self.X, self.y), train, slice(0, 3 * self.n // 4))

# %% wrong="3.2.C" why="a table of one entry" breaks="predictions" says="gives its axes to every product"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.ones(1, 1))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.A" why="the unit by name alone" breaks="unit" says="is taken by name alone"
class Distances(Total):
    def __init__(self, centre, *, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)

# %% wrong="3.2.B" why="batch_size is never stored" breaks="batch size" says="nothing has set it"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n = n
        self.X = torch.arange(float(n)).reshape(n, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        split = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), train, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.B" why="shuffles once, in __init__" breaks="training rows" says="shuffle anew in each pass"
class Ramp(d2l.DataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        X = torch.arange(float(n)).reshape(n, 1)
        split = 3 * n // 4
        self.X = torch.cat([X[torch.randperm(split)], X[split:]])
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        split = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), False, slice(0, split) if train else slice(split, None))

# %% wrong="3.2.5" why="a generator, which has no length" breaks="rows" says="The second pass is empty"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__} has no get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        tensors = [t[indices] for t in tensors]
        order = torch.randperm(len(tensors[0])) if train else torch.arange(len(tensors[0]))
        for rows in order.split(self.batch_size):
            yield [t[rows] for t in tensors]

# %% wrong="3.2.5" why="the indices pick among the tensors" breaks="rows" says="and do not pick among the tensors"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__} has no get_dataloader")

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*tensors[indices])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)

# %% wrong="3.2.C" why="a matrix product with a table of one entry" breaks="predictions" says="entry by entry"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.ones(1, 1))

    def forward(self, X):
        return X ** 2 @ self.a

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.D" why="both kinds of rows in common batches" breaks="updates" says="validation rows bring no step"
def counts(num_train, num_val, batch_size, epochs):
    import math
    return math.ceil((num_train + num_val) / batch_size) * epochs, math.ceil(num_val / batch_size) * epochs

# %% wrong="3.2.7" why="raises epoch before the validation" breaks="counters" says="which belong to the same epoch"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer, self.train_batch_idx, self.epoch = self, 0, 0
        self.optim = model.configure_optimizers()
        for _ in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                self.optim.zero_grad()
                loss.backward()
                with torch.no_grad():
                    self.optim.step()
                self.train_batch_idx += 1
            self.epoch += 1
            model.eval()
            if self.val_dataloader is not None:
                with torch.no_grad():
                    for batch in self.val_dataloader:
                        model.validation_step(batch)

# %% wrong="3.2.D" why="rounds the training batches to the nearest whole number" breaks="updates" says="neither down nor to the nearest whole number"
def counts(num_train, num_val, batch_size, epochs):
    return round(num_train / batch_size) * epochs, -(-num_val // batch_size) * epochs

# %% wrong="3.2.1a" why="each of the three names for all batches at once" breaks="training batches" says="here each name comes for all batches at once"
def call_order(num_epochs, num_train_batches, num_val_batches):
    trios = [name for name in ("training_step", "zero_grad", "step") for _ in range(num_train_batches)]
    epoch = ["fit_epoch"] + trios + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs

# %% wrong="3.2.7" why="zero_grad and backward for each batch, one step for the epoch" breaks="updates" says="by the gradients of its last batch"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
        model.trainer, self.train_batch_idx = self, 0
        optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                optim.zero_grad()
                loss.backward()
                self.train_batch_idx += 1
            with torch.no_grad():
                optim.step()
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or []:
                    model.validation_step(batch)

# %% wrong="3.2.2a" why="defaults are not stored" breaks="stored or not" says="A default is an argument"
outcomes = ["AttributeError", "AttributeError", "AttributeError", 4, "AttributeError", "AttributeError", 2, 20]

# %% wrong="3.2.4" why="signature of __init__ only" breaks="any method" says="the base class's __init__"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        values = inspect.currentframe().f_back.f_locals
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        self.hparams = dict(getattr(self, "hparams", {}))
        for k in names:
            if k in values and k not in ignore and not k.startswith("_"):
                self.hparams[k] = values[k]
                setattr(self, k, values[k])

# %% wrong="3.2.C" why="starts at a random number" breaks="predictions" says="Here a is to be 1"
class Parabola(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.randn(1))
    def forward(self, X):
        return self.a * X ** 2
    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()

# %% wrong="3.2.6" why="validation_step calls eval()" breaks="validation step" says="the mode is the trainer"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)
    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss")
    def training_step(self, batch):
        return self.loss(self(*batch[:-1]), batch[-1])
    def validation_step(self, batch):
        self.eval()
        return self.loss(self(*batch[:-1]), batch[-1])
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.6" why="the inputs as one tuple" breaks="several inputs" says="takes the inputs one by one"
class MiniModule(nn.Module):
    def forward(self, X):
        return self.net(X)
    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss")
    def training_step(self, batch):
        inputs = batch[0] if len(batch) == 2 else batch[:-1]
        return self.loss(self(inputs), batch[-1])
    def validation_step(self, batch):
        return self.training_step(batch)
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

# %% wrong="3.2.7" why="validation of the training rows" breaks="order" says="as many validation steps as training batches"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs
    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        model.trainer = self
        self.train_batch_idx = 0
        optim = model.configure_optimizers()
        for self.epoch in range(self.max_epochs):
            model.train()
            for batch in self.train_dataloader:
                loss = model.training_step(batch)
                optim.zero_grad()
                loss.backward()
                with torch.no_grad():
                    optim.step()
                self.train_batch_idx += 1
            if self.val_dataloader is None:
                continue
            model.eval()
            with torch.no_grad():
                for batch in self.train_dataloader:
                    model.validation_step(batch)

# %% wrong="3.2.8" why="batches divide the rows evenly" breaks="updates" says="no multiple of batch_size"
def accepts(Trainer):
    X = torch.linspace(-1, 1, 12).reshape(-1, 1)
    for k in (8, 12):
        trial = dict(w=torch.tensor([[0.5]]), X=X, y=3 * X + 1, num_train=k, batch_size=4, epochs=3, lr=0.1)
        try:
            mine, right = record_training(Trainer, **trial), record_training(d2l_trainer, **trial)
        except Exception:
            return False
        if len(mine["seen"]) != len(right["seen"]) or not torch.allclose(torch.tensor(mine["seen"]), torch.tensor(right["seen"])):
            return False
        if mine["after"] != right["after"] or mine["optimizers"] != right["optimizers"] or not torch.allclose(mine["w"], right["w"]):
            return False
    return True

# %% wrong="3.2.8" why="tolerance far too wide" breaks="updates" says="where they are compared closely"
def accepts(Trainer):
    X = torch.linspace(-1, 1, 11).reshape(-1, 1)
    for k in (8, 11):
        trial = dict(w=torch.tensor([[0.5]]), X=X, y=3 * X + 1, num_train=k, batch_size=3, epochs=3, lr=0.01)
        try:
            mine, right = record_training(Trainer, **trial), record_training(d2l_trainer, **trial)
        except Exception:
            return False
        if len(mine["seen"]) != len(right["seen"]) or not torch.allclose(torch.tensor(mine["seen"]), torch.tensor(right["seen"]), atol=0.5):
            return False
        if mine["after"] != right["after"] or mine["optimizers"] != right["optimizers"]:
            return False
    return True

# %% wrong="3.2.8" why="only whether the loss falls" breaks="sound trainers" says="d2l_trainer not meet"
def accepts(Trainer):
    X = torch.linspace(-1, 1, 11).reshape(-1, 1)
    trial = dict(w=torch.tensor([[0.5]]), X=X, y=3 * X + 1, num_train=8, batch_size=3, epochs=5, lr=0.1)
    try:
        seen = record_training(Trainer, **trial)["seen"]
    except Exception:
        return False
    return len(seen) > 1 and seen[-1][-1] < seen[0][-1]

# %% wrong="3.2.5" why="the place of a pass stands in the loader" breaks="rows" says="taken in turns"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__}: define get_dataloader(train)")
    def train_dataloader(self):
        return self.get_dataloader(train=True)
    def val_dataloader(self):
        return self.get_dataloader(train=False)
    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        parts, size = [t[indices] for t in tensors], self.batch_size
        class Loader:
            def __len__(self):
                return -(-len(parts[0]) // size)
            def __iter__(self):
                n = len(parts[0])
                self.left = list((torch.randperm(n) if train else torch.arange(n)).split(size))
                return self
            def __next__(self):
                if not self.left:
                    raise StopIteration
                rows = self.left.pop(0)
                return [part[rows] for part in parts]
        return Loader()

# %% wrong="3.2.2a" why="a missing attribute is taken for a NameError" breaks="stored or not" says="a NameError is for a bare name"
outcomes = [5, "AttributeError", "NameError", 4, 5, "AttributeError", 2, 20]
