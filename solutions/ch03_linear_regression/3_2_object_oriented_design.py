# %% [markdown]
# # 3.2 Object-oriented design for implementation
#
# Section 3.1 fitted a line in some ten lines of code. The next model will need ten other lines, and the one after it
# again, and most of them will be the same: take a batch, predict, compare, differentiate, move. Who copies them forty
# times makes a mistake in some copy, and a wrong training loop seldom stops with an error. It trains a little worse.
#
# So this book writes the loop once and keeps it apart from what changes. Three classes share the work: one has the
# data, one has the model, one has the loop. At the end of this section you can use them, read their source, say which
# of them a change belongs to, and write a small version of each that behaves in the same way.

# %% tags=["setup"]
from d2l_utils.check import *
import inspect
import torch
from torch import nn
import d2l_utils as d2l

# %% [markdown] teaches="minibatch, epoch, validation set"
# ## One program, three jobs
#
# Here is a whole training program in one piece. It learns the line $y = 2x + 4.2$ from noisy points. Four words for it:
#
# - A **minibatch**, or batch, is the handful of rows that one step uses, here 20.
# - An **epoch** is one pass over all training rows, here 10 steps, since $200 / 20 = 10$.
# - The rows that the steps use are the *training set*.
# - The **validation set** are rows put aside. The program looks at the loss on them after each epoch, and never learns
#   from them: that tells how good the model is on rows that it has not seen.

# %% tags=["demo"]
torch.manual_seed(0)
X_all = torch.randn(300, 1)                                       # data
y_all = 2 * X_all + 4.2 + 0.5 * torch.randn(300, 1)               # data
w, b = torch.zeros(1, 1, requires_grad=True), torch.zeros(1, requires_grad=True)      # model
for epoch in range(5):                                            # loop
    for rows in torch.randperm(200).split(20):                    # data: the first 200 rows train, in random order
        y_hat = X_all[rows] @ w + b                               # model: prediction, shape (20, 1)
        loss = ((y_hat - y_all[rows]) ** 2 / 2).mean()            # model: loss
        w.grad = b.grad = None                                    # model: forget the old gradients
        loss.backward()                                           # loop
        with torch.no_grad():
            w -= 0.1 * w.grad                                     # model: how its parameters move
            b -= 0.1 * b.grad                                     # model
    with torch.no_grad():                                         # loop: the validation rows
        val_loss = ((X_all[200:] @ w + b - y_all[200:]) ** 2 / 2).mean()              # data, model
    print(f"epoch {epoch + 1}: validation loss {val_loss:.3f}")
print(f"slope {w.item():.2f}, intercept {b.item():.2f}")
with torch.no_grad():
    print(f"the true line on the validation rows: {((2 * X_all[200:] + 4.2 - y_all[200:]) ** 2 / 2).mean():.3f}")

# %% [markdown]
# The noise has standard deviation 0.5, and a loss of about $0.5^2 / 2 = 0.125$ remains that no line can remove. (On these
# 100 rows the true line itself has 0.147, as the last line says.) The program gets there in five epochs.
#
# Now look at the comments. *Data*, *model* and *loop* are knotted together: a new model changes seven lines, which stand
# in four places, and other data change four lines. What would never change are the three lines marked "loop" alone. The
# plan of this section is to pull the three threads apart:
#
# | class | knows | does not know |
# |---|---|---|
# | `d2l.DataModule` | where rows come from, which of them train, how large a batch is | the model |
# | `d2l.Module` | parameters, predictions, loss, how its parameters are moved | where a batch comes from, how many epochs there are |
# | `d2l.Trainer` | the number of epochs, the order of the steps, the device | the formula of the loss |

# %% tags=["demo"]
import matplotlib.pyplot as plt

def box(ax, x, y, text):
    ax.text(x, y, text, ha="center", va="center", fontsize=10, bbox={"boxstyle": "round,pad=0.6", "fc": "white", "ec": "C0"})

fig, ax = plt.subplots(figsize=(7.5, 2), layout="constrained")
box(ax, 0.5, 0.5, "Trainer\nepochs, order of the steps")
box(ax, 0.1, 0.5, "DataModule\nrows, batches")
box(ax, 0.9, 0.5, "Module\npredictions, loss")
for start, end in ((0.335, 0.2), (0.66, 0.78)):
    ax.annotate("", (end, 0.5), (start, 0.5), arrowprops={"arrowstyle": "->"})
ax.text(0.1, 0.3, "train_dataloader()\nval_dataloader()", ha="center", va="top", family="monospace", fontsize=9)
ax.text(0.9, 0.3, "configure_optimizers()\ntraining_step(batch)\nvalidation_step(batch)", ha="center", va="top", family="monospace", fontsize=9)
ax.set(xlim=(-0.1, 1.1), ylim=(0, 0.7))
ax.axis("off")
plt.show()

# %% [markdown]
# The arrows say who calls whom: the trainer calls five methods, whose names stand below the boxes. Data and model do
# not know each other. They meet in one line, `d2l.Trainer(max_epochs=5).fit(model, data)`.

# %% [markdown] teaches="class and instance, subclass, overriding a method, abstract method, super"
# ## A base class leaves a hole
#
# How can a loop call a loss that nobody has written yet? A *class* is a plan for objects; an object made by it,
# `Total()`, is an *instance*. A method gets the instance as its first argument, by custom called `self`. The class below
# adds up a cost over a list of numbers. Which cost, it leaves open.

# %% tags=["setup"]
class Total:
    """Adds up the costs of numbers. A subclass says what the cost of one number is."""

    def __init__(self, unit="euro"):
        self.unit = unit

    def cost(self, x):
        raise NotImplementedError(f"{type(self).__name__} has no cost: define cost(self, x)")

    def over(self, numbers):
        result = 0
        for x in numbers:
            result += self.cost(x)
        return result

# %% [markdown]
# A *subclass*, `class Squares(Total)`, has all methods of its base class. A method that it defines again *overrides* the
# one of the base class. `self.cost(x)` in `over` looks for `cost` in the class of the instance first, so the old loop
# calls the new method:

# %% tags=["demo"]
class Squares(Total):
    def __init__(self, factor):
        super().__init__(unit="square metre")        # the base class sets what it needs
        self.factor = factor

    def cost(self, x):
        return self.factor * x ** 2

squares = Squares(factor=10)
print("over [1, 2, 3]:", squares.over([1, 2, 3]), squares.unit)
try:
    Total().over([1, 2, 3])
except NotImplementedError as error:
    print("without a cost:", error)

# %% [markdown]
# `super().__init__(...)` runs the method of the base class; left out, `squares.unit` would not exist. And a hole that a
# subclass must fill, an *abstract method*, raises `NotImplementedError` and says what is missing. That is the whole trick
# of this section: the loop stands once, in a base class or in a class of its own, and calls methods that others fill in.

# %% [markdown] task="3.2.A" kind="code" minutes=3 difficulty=1 core=true needs="subclass, overriding a method, super"
# ### Fill the hole
#
# Write `Distances(centre, unit="euro")`, a subclass of `Total`. The cost of x is its distance from the centre,
# $|x - \text{centre}|$. The loop stays where it is, in `Total`.
#
# **You are done when**
# - **cost**: `Distances(3).cost(x)` is the distance of `x` from 3, whatever other instances there are;
# - **total**: `over` adds the distances up; for an empty list it gives 0;
# - **unit**: an instance has the unit that was given, an empty string too, and `"euro"` where none was; `Distances(3, "metre")` and
#   `unit="metre"` both give it;
# - **inherited**: it is a subclass, and `over` is that of `Total`: whoever replaces `Total.over` changes yours, too.

# %% exercise="3.2.A"
class Distances(Total):
    """Adds up the distances of numbers from a centre."""
    ### BEGIN SOLUTION
    def __init__(self, centre, unit="euro"):
        super().__init__(unit)
        self.centre = centre

    def cost(self, x):
        return abs(x - self.centre)
    ### END SOLUTION

# %% [markdown] hints="3.2.A"
# 1. Which of the three methods of `Total` are right for you as they stand?
# 2. Two remain: `__init__`, which hands the unit on to the base class and keeps the centre, and `cost`.
# 3. For temperatures: `class Warm(Total):` with `def cost(self, x): return max(x, 0)` counts the degrees above zero.

# %% check="3.2.A" points=1
@probe
def cost_from(centre, x):
    return Distances(centre).cost(x)

@probe
def total_from(centre, numbers):
    return Distances(centre).over(numbers)

@probe
def units_of(centre, unit):
    units = [getattr(made, "unit", "no unit") for made in (Distances(centre), Distances(centre, unit=unit))]
    try:
        return units + [getattr(Distances(centre, unit), "unit", "no unit")]
    except TypeError:
        return units + ["a TypeError"]

@probe
def cost_beside(centre, other, x):
    made = Distances(centre)
    Distances(other)
    return made.cost(x)

@probe
def classes_above():
    return [kind.__name__ for kind in Distances.__mro__]

@probe
def total_of_another_loop(centre, numbers):
    kept = Total.over
    Total.over = lambda self, numbers: [self.cost(x) for x in numbers]
    try:
        return Distances(centre).over(numbers)
    finally:
        Total.over = kept

@probe
def parts_of_distances():
    return [name for name in ("__init__", "cost") if name in vars(Distances)]

assert_true(len(parts_of_distances()) > 0, "Distances defines __init__ or cost", of="cost")
assert_equal(cost_from(3, 5), 2, "Distances(3).cost(5)", of="cost", hint=lambda: "" if cost_from(3, 5) is None else "The distance of 5 from 3 is |5 - 3| = 2.",
             mistakes={"This is the square of the distance.": 4, "This is the distance of 5 from 0: the 3, the first argument, is to be the centre.": 5, "A distance is never negative: take the absolute value of the difference.": -2})
assert_equal(cost_from(3, 1), 2, "Distances(3).cost(1)", of="cost", hint="The distance of 1 from 3 is |1 - 3| = 2.",
             mistakes={"A distance is never negative: take the absolute value of the difference.": -2})
assert_close(cost_from(-2, 1.5), 3.5, "Distances(-2).cost(1.5)", of="cost", hint="The distance of 1.5 from -2 is |1.5 - (-2)| = 3.5.",
             mistakes={"The centre is the one that the instance was made with, not always 3.": 1.5, "The distance is rounded: keep what is behind the point.": 3,
                       "The distance is rounded up: keep what is behind the point.": 4, "The sign of the centre is lost.": 0.5,
                       "Take the absolute value of the difference, not of its two parts.": -0.5})
assert_equal(cost_beside(3, 100, 5), 2, "Distances(3).cost(5), after Distances(100) was made, too", of="cost", hint="The centre belongs to the instance: self.centre.")
assert_equal(total_from(3, [1, 3, 8]), 7, "Distances(3).over([1, 3, 8])", of="total",
             hint="The distances of 1, 3 and 8 from 3 are 2, 0 and 5; the loop of Total adds them up.",
             mistakes={"The cost is the distance of x alone: yours adds up from call to call, and over adds up once more.": 11})
assert_equal(total_from(3, []), 0, "Distances(3).over([])", of="total", hint="Here the loop of Total adds nothing to the 0 with which it begins.")
assert_equal(units_of(3, "metre"), ["euro", "metre", "metre"],
             'the units of Distances(3), Distances(3, unit="metre") and Distances(3, "metre")', of="unit",
             mistakes={"The unit that was given does not arrive: super().__init__(unit) lets the base class set the attribute.": ["euro"] * 3,
                       "There is no attribute unit: super().__init__(unit) lets the base class set the attribute.": ["no unit"] * 3,
                       "The centre arrives as the unit: Total's __init__ has one argument, and that is the unit.": [3, 3, 3],
                       "Where no unit was given it is None: the default is \"euro\".": [None, "metre", "metre"],
                       "The unit is taken by name alone: as the second argument by position, behind the centre, it is to be taken, too.": ["euro", "metre", "a TypeError"]},
             hint=lambda: "" if units_of(3, "metre") in (["euro"] * 3, ["no unit"] * 3) else "The default is \"euro\"; super().__init__(unit) lets the base class set the attribute.")
assert_equal(units_of(3, "")[1:], ["", ""], 'the units of Distances(3, unit="") and Distances(3, "")', of="unit",
             mistakes={"An empty string is a unit that was given: the default is for where none was.": ["euro", "euro"]})
assert_true("Total" in classes_above(), "Distances is a subclass of Total", of="inherited")
assert_equal(total_of_another_loop(3, [1, 3, 8]), [2, 0, 5], "Distances(3).over([1, 3, 8]) after Total.over was replaced by a function that lists the costs",
             of="inherited", hint="Do not define `over` again: a subclass has it already.")
### BEGIN HIDDEN TESTS
for centre_, numbers_ in ((-2, [4, -7, 0.5]), (0.25, [0.25, 1, -1, 3])):
    assert_close([cost_from(centre_, x) for x in numbers_], [abs(x - centre_) for x in numbers_], f"the costs of {numbers_} from {centre_}", of="cost")
    assert_close(total_from(centre_, numbers_), sum(abs(x - centre_) for x in numbers_), f"the total of {numbers_} from {centre_}", of="total")
    assert_close(total_of_another_loop(centre_, numbers_), [abs(x - centre_) for x in numbers_],
                 f"over({numbers_}) from {centre_} after Total.over was replaced", of="inherited")
assert_equal(cost_beside(-4, 9, 1), 5, "the cost of 1 from -4, beside another instance", of="cost")
assert_true("Total" in classes_above(), "Distances is a subclass of Total", of="inherited")
assert_equal(units_of(1, "mile"), ["euro", "mile", "mile"], "the units of three instances", of="unit")
assert_equal(units_of(1, ""), ["euro", "", ""], "the units of three instances, two of them with an empty string", of="unit")
### END HIDDEN TESTS

# %% [markdown] teaches="decorator, add_to_class"
# ## A class that grows over several cells
#
# In a notebook a long class is hard to discuss: all of it must stand in one cell. But Python looks a method up in the
# class at the moment of the call, so a class can get a method later, by `setattr(Class, name, function)`. Instances that
# exist already have it, too:

# %%
class Thermometer:
    def __init__(self, celsius):
        self.celsius = celsius

outside = Thermometer(20.0)

def fahrenheit(self):
    return 9 / 5 * self.celsius + 32

setattr(Thermometer, "fahrenheit", fahrenheit)
print(outside.fahrenheit(), fahrenheit(outside))

# %% [markdown]
# `outside.fahrenheit()` and `fahrenheit(outside)` are the same call. The line with `setattr` is easily forgotten, and
# there is a nicer way to write it. `@decorate` above `def f` means `f = decorate(f)`: a *decorator* takes the new function
# and gives back what the name `f` is to stand for. With an argument, `@decorate(C)`, Python calls `decorate(C)` first,
# and what *that* returns is the decorator. One that announces its function:

# %%
def announced(word):
    def decorate(function):
        print(word, function.__name__)          # a function knows its own name
        return function
    return decorate

@announced("defined:")
def half(x):
    return x / 2

print(half(3))

# %% [markdown]
# `@d2l.add_to_class(C)` is such a decorator: it puts the function into the class `C`, under the function's own name. ⚠ A
# decorator that forgets its `return` gives back `None`, and then the decorated name is `None`. The method works all the
# same, so one notices only later. (The library of the D2L book, version 1.0.3, does this.)

# %% tags=["demo"]
def forgetful(Class):
    def register(function):
        setattr(Class, function.__name__, function)     # and no return
    return register

@forgetful(Thermometer)
def kelvin(self):
    return self.celsius + 273.15

print("the method: ", outside.kelvin())
print("the name:   ", kelvin)

# %% [markdown] task="3.2.3" kind="code" minutes=8 difficulty=2 core=true needs="decorator, class and instance, subclass"
# ### add_to_class
#
# Write `add_to_class(Class)`, to be used as `@add_to_class(Class)` above a function.
#
# **You are done when**
# - **method**: the function is a method of `Class` under its own name, with its arguments and defaults, for instances
#   that exist already, for new ones, and for those of subclasses; a method of that name which `Class` has or inherits gives way;
# - **name kept**: the decorated name goes on meaning the function itself, not another one that calls it;
# - **nothing else**: `Class` gets that one attribute and no other, and no other class gets any.

# %% exercise="3.2.3"
def add_to_class(Class):
    """Decorator that makes a function a method of `Class` and returns the function."""
    ### BEGIN SOLUTION
    def register(function):
        setattr(Class, function.__name__, function)
        return function
    return register
    ### END SOLUTION

# %% [markdown] hints="3.2.3"
# 1. `@add_to_class(C)` above `def f` means `f = add_to_class(C)(f)`. How many functions does this need?
# 2. `setattr(owner, "size", 3)` is `owner.size = 3`; a function knows its own name as `function.__name__`.
# 3. `announced` above has the same shape: it takes a word where yours takes a class, and prints where yours stores.

# %% check="3.2.3" points=2
@probe
def kinds_returned():
    class Plain:
        pass

    decorate = add_to_class(Plain)
    return decorate if decorate is None else "something"

@probe
def grown(value):
    class Plain:
        pass

    class Sub(Plain):
        pass

    old, young = Plain(), Sub()
    old.value, young.value = value, value + 1

    def scaled(self, factor=2):
        return factor * self.value if isinstance(self, Plain) else "not the instance"

    scaled.__qualname__ = "scaled"
    add_to_class(Plain)(scaled)
    found = [thing.scaled() if hasattr(thing, "scaled") else "no method" for thing in (old, young)]
    try:
        return found + [young.scaled(factor=5) if hasattr(young, "scaled") else "no method"]
    except TypeError as error:
        return found + [f"TypeError: {error}"]

@probe
def name_of_method(inner, outer):
    class Plain:
        pass

    def shown(self):
        return 1

    shown.__name__, shown.__qualname__ = inner, outer
    add_to_class(Plain)(shown)
    return [name for name in (inner, outer) if name in vars(Plain)]

@probe
def decorated_name(value):
    class Plain:
        pass

    thing = Plain()
    thing.value = value

    @add_to_class(Plain)
    def tripled(self):
        return 3 * self.value

    if tripled is None:
        return "None"
    return tripled(thing) if callable(tripled) and not isinstance(tripled, type) else "no function"

@probe
def decorated_twice(value):
    class One:
        pass

    class Two:
        pass

    thing = Two()
    thing.value = value

    @add_to_class(One)
    @add_to_class(Two)
    def plus(self, number=1):
        return getattr(self, "value", 0) + number

    return [thing.plus(4) if hasattr(thing, "plus") else "no method", getattr(plus, "__name__", "no name")]

@probe
def note_of_name(note):
    class Plain:
        pass

    def plus(self):
        return note

    name = add_to_class(Plain)(plus)
    plus.note = note
    return getattr(name, "note", "no note")

@probe
def sizes_after(number):
    class Base:
        def size(self):
            return 0

    class Own(Base):
        def size(self):
            return 1

    class Heir(Base):
        pass

    def size(self):
        return number

    add_to_class(Own)(size)
    add_to_class(Heir)(size)
    return [Own().size(), Heir().size()]

@probe
def names_of_classes():
    class Base:
        pass

    class One(Base):
        pass

    class Two(Base):
        pass

    class Below(One):
        pass

    kinds = (One, Two, Base, Below)
    before = [set(vars(kind)) for kind in kinds]

    @add_to_class(One)
    def first(self):
        return 1

    @add_to_class(One)
    def second(self, *numbers, **named):
        return [self.first(), sum(numbers), sorted(named)]

    return [One().second(4, 5, unit="m") if hasattr(One, "second") else "no method"] + [
        sorted(set(vars(kind)) - names) for kind, names in zip(kinds, before)]

assert_type(kinds_returned(), str, "what add_to_class(Class) returns", of="method", hint="It returns the decorator, a function of one argument.")
with part(0.5, "the method"):
    found_ = grown(10)
    assert_equal(found_, [20, 22, 55], "the method of an old instance, of a subclass's instance, and with factor=5", of="method",
                 mistakes={"The class has no method by the name of the decorated function.": ["no method"] * 3, "The method did not get the instance as its first argument.": ["not the instance"] * 3},
                 hint="The method takes the function's own arguments, here factor=5: store the function itself." if found_[:2] == [20, 22] else "")
    assert_equal(name_of_method("shown", "Other.shown"), ["shown"], "the method's name, for a function whose __name__ is shown and whose __qualname__ is Other.shown", of="method",
                 mistakes={"A function's own name is __name__; __qualname__ names the place where it was defined, too.": ["Other.shown"]})
    assert_equal(sizes_after(8), [8, 8], "size() of a class with a method size, and of one that inherits it, where both got a new one", of="method",
                 hint="Set the attribute, whatever was there.")
    assert_equal(names_of_classes()[1:], [["first", "second"], [], [], []], "the new names in the class that got two methods, in a sister class, in their base class, and in a subclass",
                 of="nothing else", mistakes={"The base class got the methods, too: `Class` alone gets them.": [["first", "second"], [], ["first", "second"], []],
                                              "The subclass got the methods, too: it inherits them, so `Class` alone gets them.": [["first", "second"], [], [], ["first", "second"]]},
                 hint="Only the decorated functions become attributes, and only of `Class`.")
with part(0.5, "the decorated name"):
    assert_equal(decorated_name(7), 21, "the decorated name, called as a function", of="name kept",
                 mistakes={"The decorator must return the function, or the name becomes None.": "None",
                           "The name must go on meaning the function, not the class or something else.": "no function"})
    twice_ = decorated_twice(5)
    assert_equal(twice_[0], 9, "plus(4) of an instance with value 5, where one decorator stands above the other and plus adds its argument to the value", of="method",
                 mistakes={"The class has no method by the name of the decorated function.": "no method", "The method did not get the instance as its first argument.": 1,
                           "The method got something else than the instance as its first argument.": 4})
    assert_equal(twice_[1], "plus", "the own name, __name__, of what the name plus means, where one decorator stands above the other", of="name kept",
                 hint="Return the function itself, not another one that calls it.")
    assert_equal(note_of_name("n"), "n", "a note that was written on the function after the decoration, plus.note, read through the decorated name", of="name kept",
                 mistakes={"The name means another object: return the function itself, not one that calls it.": "no note"})
### BEGIN HIDDEN TESTS
with part(0.5, "the method, other values"):
    for value_ in (7, -3):
        assert_equal(grown(value_), [2 * value_, 2 * value_ + 2, 5 * value_ + 5], "a method with a default, called in three ways", of="method")
    assert_equal(names_of_classes()[0], [1, 9, ["unit"]], "two methods, one of which calls the other", of="method")
    assert_equal(name_of_method("half", "f.<locals>.half"), ["half"], "the method's name, for a function that was defined in another one", of="method")
    assert_equal(sizes_after(-3), [-3, -3], "a method that was there, and one that was inherited", of="method")
    assert_equal(names_of_classes()[1:], [["first", "second"], [], [], []], "the new names in four classes", of="nothing else")
with part(0.5, "the decorated name, other values"):
    assert_equal(decorated_name(-4), -12, "the decorated name, called as a function", of="name kept")
    assert_equal(decorated_twice(6)[0], 10, "a function added to two classes, one decorator above the other: the method of one", of="method")
    assert_equal(decorated_twice(6)[1], "plus", "a function added to two classes, one decorator above the other: its own name", of="name kept")
    assert_equal(note_of_name(5), 5, "a note on the function, read through the decorated name", of="name kept")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="save_hyperparameters, hyperparameter as an attribute"
# ## Hyperparameters without typing
#
# A *hyperparameter* is a number that you choose and that training does not change: a learning rate, a width, the number
# of epochs. They come in as arguments of `__init__`, and nearly every class of this book begins by storing them:
# `self.lr = lr`, `self.sigma = sigma`, ... `d2l.HyperParameters` has a method that does so for all of them at once. It
# also puts them into the dictionary `self.hparams`.

# %% tags=["demo"]
class Box(d2l.HyperParameters):
    def __init__(self, a, b=3):
        area = a * b
        self.save_hyperparameters()

vars(Box(2))

# %% [markdown] teaches="frame of a function, getargvalues"
# `vars(thing)` is the dictionary of an object's attributes. `a` and `b` are there, and `area`, a local variable, is not.
#
# How can a method know the *arguments of the method that called it*? While a function runs, Python keeps its names and
# values in a *frame*. `inspect.currentframe()` is the frame of the running function; its `.f_back` is that of the caller.

# %%
def who_called():
    caller = inspect.currentframe().f_back
    return caller.f_code.co_name, inspect.getargvalues(caller)

def bake(minutes, heat=200, *toppings, **notes):
    double = 2 * minutes
    name, (arguments, star, starstar, values) = who_called()
    print("the caller:      ", name)
    print("its arguments:   ", arguments)
    print("its stars:       ", star, "and", starstar)
    print("all local values:", values)

bake(30, 180, "olives", oven="left")

# %% [markdown]
# `inspect.getargvalues(frame)` gives four things: the names of the arguments, the name of the starred one and of the
# double-starred one (`None` where there is none), and the dictionary of *all* local values at this moment. `double` is in
# it, too. ⚠ Who stores all of that dictionary stores stray local variables with it; the arguments are those that the first
# three name. In a method the first argument is `self`, the object itself, which is not to be stored in itself.

# %% tags=["setup"]
class Kept(d2l.HyperParameters):
    def __init__(self, a, b=5):
        self.save_hyperparameters()

class Removed(d2l.HyperParameters):
    def __init__(self, a, b=5):
        pass

class WithLocal(d2l.HyperParameters):
    def __init__(self, a, b=5):
        c = a + b
        self.save_hyperparameters()

class Changed(d2l.HyperParameters):
    def __init__(self, a, b=5):
        a = 2 * a
        self.save_hyperparameters()
        b = 2 * b

class Ignoring(d2l.HyperParameters):
    def __init__(self, a, b=5):
        self.save_hyperparameters(ignore=["a"])

class Child(Kept):
    def __init__(self, a, c):
        super().__init__(100 * a)
        self.save_hyperparameters()

class Heir(Kept):
    def __init__(self, a):
        super().__init__(10 * a)

# %% [markdown] task="3.2.2a" kind="answer" minutes=8 difficulty=2 core=true needs="save_hyperparameters, frame of a function, super"
# ### What is stored, and the error when nothing is
#
# The cell above defines seven small classes; `ignore` lists names that are not to be stored. *Before you run anything*,
# say what each of these eight expressions gives:
#
# | entry | expression |
# |---|---|
# | 0 | `Kept(2).b` |
# | 1 | `Removed(2).a` |
# | 2 | `WithLocal(2).c` |
# | 3 | `Changed(2).a` |
# | 4 | `Changed(2).b` |
# | 5 | `Ignoring(2).a` |
# | 6 | `Child(2, 3).a` |
# | 7 | `Heir(2).a` |
#
# Bind `outcomes`, a list of eight entries: the number, or the *name of the error's class* as a string. Then run them, and
# find the line that explains what you did not expect.
#
# **You are done when**
# - **stored or not**: entries 0, 1, 2 and 5 are right;
# - **moment of the call**: entries 3 and 4 are right;
# - **base class**: entries 6 and 7 are right.

# %% exercise="3.2.2a"
### BEGIN SOLUTION
outcomes = [5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 2, 20]
### END SOLUTION

# %% [markdown] hints="3.2.2a"
# 1. Which values does the frame of `__init__` hold *at the moment* of the call?
# 2. Reading an attribute that an object and its classes do not have raises `AttributeError`. A later store under the
#    same name replaces an earlier one.
# 3. Another class: if `__init__(self, n)` sets `n = n + 1`, then saves, then sets `n = 0`, the attribute is the
#    argument plus 1.

# %% check="3.2.2a" points=2
def outcome(make, name):
    try:
        return getattr(make(), name)
    except AttributeError:
        return "AttributeError"

assert_type(outcomes, (list, tuple), "outcomes", of="stored or not")
assert_equal(len(outcomes), 8, "the number of entries of outcomes", of="stored or not")
kinds_ = "An entry is a number, or a string: the name of the error's class, not the class and not None."
another_error = {"Right: it is not stored. A missing `obj.name` raises an AttributeError; a NameError is for a bare name.": "NameError",
                 "Right: it is not stored. A missing `obj.name` raises an AttributeError; a KeyError is for a dictionary.": "KeyError"}
with part(0.5, "stored or not", of="stored or not"):
    for i_, shown_ in ((0, "Kept(2).b"), (1, "Removed(2).a"), (2, "WithLocal(2).c"), (5, "Ignoring(2).a")):
        assert_type(outcomes[i_], (int, float, str), f"entry {i_}, {shown_}", of="stored or not", hint=kinds_)
    assert_equal(outcomes[0], outcome(lambda: Kept(2), "b"), "entry 0, Kept(2).b", of="stored or not", hint="A default is an argument, too.")
    assert_equal(outcomes[1], outcome(lambda: Removed(2), "a"), "entry 1, Removed(2).a", of="stored or not",
                 hint="Without the call nothing is stored; reading what is not there raises an error of class AttributeError.", mistakes=another_error)
    assert_equal(outcomes[2], outcome(lambda: WithLocal(2), "c"), "entry 2, WithLocal(2).c", of="stored or not", hint="c is no argument.", mistakes=another_error)
    assert_equal(outcomes[5], outcome(lambda: Ignoring(2), "a"), "entry 5, Ignoring(2).a", of="stored or not", hint="a stands in ignore, so the call does not store it.", mistakes=another_error)
with part(0.5, "moment of the call", of="moment of the call"):
    for i_, shown_ in ((3, "Changed(2).a"), (4, "Changed(2).b")):
        assert_type(outcomes[i_], (int, float, str), f"entry {i_}, {shown_}", of="moment of the call", hint=kinds_)
    assert_equal(outcomes[3], outcome(lambda: Changed(2), "a"), "entry 3, Changed(2).a", of="moment of the call",
                 hint="The frame holds the value at the moment of the call.")
    assert_equal(outcomes[4], outcome(lambda: Changed(2), "b"), "entry 4, Changed(2).b", of="moment of the call",
                 hint="An assignment after the call comes too late." if outcomes[4] == 10 else
                 "b is an argument, as one whose default is used, too: it is stored with its value at the call.")
with part(0.5, "base class", of="base class"):
    for i_, shown_ in ((6, "Child(2, 3).a"), (7, "Heir(2).a")):
        assert_type(outcomes[i_], (int, float, str), f"entry {i_}, {shown_}", of="base class", hint=kinds_)
    assert_equal(outcomes[6], outcome(lambda: Child(2, 3), "a"), "entry 6, Child(2, 3).a", of="base class",
                 mistakes={"Two calls store a: that of Kept comes first, and the later one replaces its value.": 200},
                 hint="" if outcomes[6] == 200 else "Two calls store a; which one comes last?")
    assert_equal(outcomes[7], outcome(lambda: Heir(2), "a"), "entry 7, Heir(2).a", of="base class",
                 mistakes={"The call stands in the __init__ of Kept, so it stores the argument which that one gets, 10 * a.": 2,
                           "The call stands in the __init__ of Kept, and Heir calls that one: which arguments does it get?": "AttributeError"},
                 hint="" if outcomes[7] in (2, "AttributeError") else "The call stands in the __init__ of Kept: which arguments does that one get?")
### BEGIN HIDDEN TESTS
with part(0.5, "all entries"):
    assert_equal([outcomes[i] for i in (0, 1, 2, 5)], [5, "AttributeError", "AttributeError", "AttributeError"], "entries 0, 1, 2 and 5", of="stored or not")
    assert_equal([outcomes[i] for i in (3, 4)], [4, 5], "entries 3 and 4", of="moment of the call")
    assert_equal([outcomes[i] for i in (6, 7)], [2, 20], "entries 6 and 7", of="base class")
total()
### END HIDDEN TESTS

# %% [markdown] task="3.2.2b" kind="code" minutes=8 difficulty=2 needs="save_hyperparameters, class and instance"
# ### By hand
#
# The call saves typing, no more. Write the class `ByHand` that does what this class does, without
# `save_hyperparameters` and without `d2l.HyperParameters`:
#
# ```python
# class Automatic(d2l.HyperParameters):
#     def __init__(self, width, depth=2, *names, **options):
#         self.save_hyperparameters()
# ```
#
# **You are done when**
# - **attributes**: every instance has the attributes `width`, `depth`, `names`, `options` and `hparams`, and no others;
# - **values**: `width` and `depth` are as they were given, 0 and None too, and `depth` is 2 where it was not given;
# - **stars**: `names` is a tuple and `options` a dictionary, whole, both empty where nothing was given;
# - **hparams**: it is a dictionary of the four values under their names, and each instance has its own;
# - **by hand**: `d2l.HyperParameters` is no base class of yours, and nothing is missing where `save_hyperparameters` stores nothing.

# %% exercise="3.2.2b"
class ByHand:
    """The attributes width, depth, names, options and hparams, set one by one."""
    ### BEGIN SOLUTION
    def __init__(self, width, depth=2, *names, **options):
        self.width = width
        self.depth = depth
        self.names = names
        self.options = options
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}
    ### END SOLUTION

# %% [markdown] hints="3.2.2b"
# 1. What does `vars(obj)` show for an instance of `Automatic`, written down by you and run?
# 2. Inside the method `names` is a tuple and `options` a dictionary; they are stored whole, under these names.
# 3. For one argument: `def __init__(self, size): self.size = size; self.hparams = {"size": size}`.

# %% check="3.2.2b" points=1
@probe
def attribute_names(args, kwargs):
    return sorted(vars(ByHand(*args, **kwargs)))

@probe
def attribute_values(args, kwargs, names):
    made = ByHand(*args, **kwargs)
    return [getattr(made, name) for name in names]

@probe
def kinds_of(args, kwargs, names):
    made = ByHand(*args, **kwargs)
    return [type(getattr(made, name)).__name__ for name in names]

@probe
def hparams_of_first(first, second):
    made = ByHand(*first[0], **first[1])
    ByHand(*second[0], **second[1])
    kept, seen = made.hparams, vars(made)
    if kept is seen:
        return {name: "the dictionary itself" if name == "hparams" else value for name, value in kept.items()}
    return {name: "the object itself" if value is made else value for name, value in kept.items()} if isinstance(kept, dict) else kept

@probe
def names_without_saver(args, kwargs):
    kept = d2l.HyperParameters.save_hyperparameters
    d2l.HyperParameters.save_hyperparameters = lambda self, ignore=(): None
    try:
        return sorted(vars(ByHand(*args, **kwargs)))
    finally:
        d2l.HyperParameters.save_hyperparameters = kept

def check_by_hand(args, kwargs, what):
    width, depth, names = args[0], kwargs.get("depth", args[1] if len(args) > 1 else 2), tuple(args[2:])
    options = {name: value for name, value in kwargs.items() if name != "depth"}
    five = ["depth", "hparams", "names", "options", "width"]
    assert_equal(attribute_names(args, kwargs), five, f"the attributes of {what}", of="attributes",
                 mistakes={"`hparams` is no attribute of the instance itself; one that stands in the class would be shared by all instances.": ["depth", "names", "options", "width"]}
                 | ({"The options became attributes of their own: they stay whole, in `options`.": sorted(five + list(options))} if options else {}))
    assert_equal(attribute_values(args, kwargs, ["width", "depth"]), [width, depth], f"width and depth of {what}", of="values",
                 hint="Both are stored as they came; the depth is 2 only where none was given.",
                 mistakes={} if len(args) < 2 else {"0 and None are depths that were given: only where none was is the depth 2.": [width, 2]} if not depth else
                 {"The second argument by position is the depth, and it does not arrive there.": [width, 2]})
    assert_equal(kinds_of(args, kwargs, ["names", "options"]), ["tuple", "dict"], f"the types of names and options of {what}", of="stars",
                 mistakes={"`names` stays the tuple that it is inside the method.": ["list", "dict"]})
    assert_equal(attribute_values(args, kwargs, ["names", "options"]), [names, options], f"names and options of {what}", of="stars",
                 hint="`names` holds what came by position after the depth, `options` what came by name, the depth and the width left out: "
                      "both are stored as the stars bring them.")
    four, kept = {"width": width, "depth": depth, "names": names, "options": options}, hparams_of_first((args, kwargs), ((5, 6, "y"), {"lr": 7}))
    missing, more = ([name for name in one if name not in other] for one, other in ((four, kept), (kept, four))) if isinstance(kept, dict) else ([], [])
    assert_equal(kept, four, f'hparams of {what}, after ByHand(5, 6, "y", lr=7) was made', of="hparams",
                 hint=" ".join([f"Missing: {', '.join(missing)}."] * bool(missing) + [f"Too many: {', '.join(map(str, more))}."] * bool(more)
                               + ["The entries are width, depth, names and options, each with its value."]),
                 mistakes={"`self` is the object itself, and is not kept in it.": four | {"self": "the object itself"},
                           "`hparams` is the dictionary of all attributes, as vars(self) gives it, so it holds itself, too: make a dictionary of the four alone.":
                           four | {"hparams": "the dictionary itself"},
                           "`options` has an entry of its own, under its name: it is not spread out.": {"width": width, "depth": depth, "names": names, **options},
                           "These are the values of the other instance: each instance has its own dictionary.": {"width": 5, "depth": 6, "names": ("y",), "options": {"lr": 7}}})

@probe
def classes_with_init():
    return [kind.__name__ for kind in ByHand.__mro__ if "__init__" in vars(kind)]

@probe
def classes_above_by_hand():
    return ["d2l.HyperParameters" if kind is d2l.HyperParameters else kind.__name__ for kind in ByHand.__mro__[1:]]

assert_true(classes_with_init()[0] != "object", "ByHand has an __init__", of="attributes")
check_by_hand([8], {}, "ByHand(8)")
check_by_hand([8, 3, "a", "b"], {"dropout": 0.5}, 'ByHand(8, 3, "a", "b", dropout=0.5)')
check_by_hand([8, 0], {}, "ByHand(8, 0)")
check_by_hand([8, None], {}, "ByHand(8, None)")
assert_equal(attribute_values([], {"width": 3, "depth": 0}, ["width", "depth"]), [3, 0], "width and depth of ByHand(width=3, depth=0)", of="values")
assert_equal(names_without_saver([8], {}), ["depth", "hparams", "names", "options", "width"], "the attributes of ByHand(8), while save_hyperparameters stores nothing", of="by hand",
             hint="Write the five assignments yourself.")
assert_true("d2l.HyperParameters" not in classes_above_by_hand(), "d2l.HyperParameters is no base class of ByHand", of="by hand", hint="Begin with `class ByHand:`.")
### BEGIN HIDDEN TESTS
check_by_hand([-1, None], {}, "ByHand(-1, None)")
check_by_hand([4], {"depth": 7, "lr": 0.1, "wd": 0}, "ByHand(4, depth=7, lr=0.1, wd=0)")
check_by_hand([0, 1, [2]], {"self_test": "yes"}, 'ByHand(0, 1, [2], self_test="yes")')
assert_equal(attribute_values([], {"depth": 5, "width": None}, ["width", "depth"]), [None, 5], "width and depth, both by name", of="values")
assert_equal(names_without_saver([1, 2, 3], {"p": 4}), ["depth", "hparams", "names", "options", "width"], "the attributes, while save_hyperparameters stores nothing", of="by hand")
assert_true("d2l.HyperParameters" not in classes_above_by_hand(), "d2l.HyperParameters is no base class of ByHand", of="by hand")
### END HIDDEN TESTS

# %% [markdown] task="3.2.4" kind="code" minutes=15 difficulty=3 core=true needs="save_hyperparameters, frame of a function, getargvalues, subclass"
# ### save_hyperparameters
#
# Write the class `HyperParameters` with the method `save_hyperparameters(self, ignore=())`. Called in a method of a
# subclass, often `__init__`, it stores each *argument* of that method as an attribute of `self`. The first argument of the
# method is the object itself and is not stored.
#
# **You are done when**
# - **arguments**: each argument is an attribute, keyword-only ones too: the object itself that was passed, not a copy, in place
#   of what stood under that name before;
# - **nothing else**: local variables that are no arguments, and the object itself, whatever its name, are not stored;
# - **stars**: `*args` and `**kwargs` are stored whole, under the names that they have there;
# - **left out**: names in `ignore`, a list or a tuple that stays as it was, are not stored, nor are names that begin with an underscore;
# - **hparams**: all that is stored, and nothing else, is in the dictionary `self.hparams`, too. Where a base class has stored there before, its
#   entries stay, and an entry of the same name is replaced. Each instance has its own dictionary;
# - **any method**: it works in methods other than `__init__`, too;
# - **by hand**: it does so without `d2l.HyperParameters`.

# %% exercise="3.2.4"
class HyperParameters:
    """Base class that keeps the arguments of a method as attributes."""

    def save_hyperparameters(self, ignore=()):
        """Store the caller's arguments as attributes, and in `self.hparams`."""
        ### BEGIN SOLUTION
        frame = inspect.currentframe().f_back
        arguments, star, starstar, values = inspect.getargvalues(frame)
        names = arguments[1:] + [name for name in (star, starstar) if name]
        new = {name: values[name] for name in names if name not in ignore and not name.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)
        ### END SOLUTION

# %% [markdown] hints="3.2.4"
# 1. Which frame holds the arguments: the one of `save_hyperparameters`, or the one that called it?
# 2. `inspect.currentframe().f_back` is the caller's frame; `inspect.getargvalues(frame)` gives the argument names,
#    the name of `*args` or `None`, the name of `**kwargs` or `None`, and the values of all locals. `getattr(self, "hparams", {})`
#    is `{}` where there is none yet.
# 3. `bake` above prints what `getargvalues` gives; for `def boil(self, t, *, salt=1)` the names are
#    `["self", "t", "salt"]`.

# %% check="3.2.4" points=3
@probe
def stored(source, args, kwargs):
    names = {"Base": HyperParameters}
    exec(source, names)
    kept = vars(names["Example"](*args, **kwargs))

    def shown(value):
        if value is kept:
            return "the dictionary of all attributes, in which it stands itself"
        if isinstance(value, dict):
            return {name: shown(entry) for name, entry in value.items()}
        return "the object itself" if isinstance(value, names["Example"]) else value

    return {name: shown(value) for name, value in kept.items()}

@probe
def hparams_of_two(first, second):
    class Example(HyperParameters):
        def __init__(self, lr, steps=3):
            self.save_hyperparameters()

    one, two = Example(first), Example(second, 7)
    return [getattr(one, "hparams", "no hparams"), getattr(two, "hparams", "no hparams")]

@probe
def ignore_after(names):
    class Example(HyperParameters):
        def __init__(self, lr, loss):
            self.save_hyperparameters(ignore=names)

    Example(0.1, "squared")
    return names

@probe
def rows_that_grow(first, later):
    class Example(HyperParameters):
        def __init__(self, rows):
            self.save_hyperparameters()

    rows = [first]
    made = Example(rows)
    rows.append(later)
    kept = getattr(made, "hparams", {})
    return [getattr(made, "rows", "no rows"), kept.get("rows", "no rows") if isinstance(kept, dict) else "no dictionary"]

@probe
def stored_without_library(number):
    class Example(HyperParameters):
        def __init__(self, lr, steps=3):
            self.save_hyperparameters()

    library, found = d2l.HyperParameters.save_hyperparameters, [sorted(vars(Example(number)))]
    kept = library.__code__
    library.__code__ = (lambda self, ignore=(): None).__code__
    try:
        return found + [sorted(vars(Example(number)))]
    finally:
        library.__code__ = kept

def wanted_of(code, args, kwargs):
    names = {"Base": d2l.HyperParameters}
    exec(code, names)
    return dict(vars(names["Example"](*args, **kwargs)))

def compare_stored(what, code, args, kwargs, of, mistakes=None, values=None):
    wanted = wanted_of(code, args, kwargs)
    got = stored(code, list(args), kwargs)
    got_names, wanted_names = (sorted(name for name in each if name != "hparams") for each in (got, wanted))
    assert_equal(got_names, wanted_names, f"the attributes besides hparams, {what}", of=of, mistakes=mistakes or {})
    assert_equal([got[name] for name in wanted_names], [wanted[name] for name in wanted_names], f"the values of {', '.join(wanted_names)}, {what}", of=of, mistakes=values or {})

def compare_hparams(what, code, args, mistakes=None):
    assert_equal(stored(code, list(args), {}).get("hparams", "no hparams"), wanted_of(code, args, {})["hparams"], f"hparams {what}", of="hparams", mistakes=mistakes or {})

def source_of(signature, body="self.save_hyperparameters()", base="Base"):
    return f"class Example({base}):\n    def __init__(self, {signature}):\n        {body}\n"

two_savers_ = """
class Parent(Base):
    def __init__(self, lr, sigma=0.01):
        self.save_hyperparameters()

class Example(Parent):
    def __init__(self, wd, lr):
        super().__init__(10 * lr)
        self.save_hyperparameters()
"""
ignoring_ = """
class Parent(Base):
    def __init__(self, lr):
        self.save_hyperparameters()

class Example(Parent):
    def __init__(self, lr, wd):
        super().__init__(10 * lr)
        self.save_hyperparameters(ignore=["lr"])
"""
this_ = """
class Example(Base):
    def __init__(this, lr):
        this.save_hyperparameters()
"""
later_ = """
class Example(Base):
    def __init__(self, lr):
        self.later(lr, 7)

    def later(self, rate, steps):
        self.save_hyperparameters()
"""
assert_true(len(stored(source_of("a, b"), [2, 3], {})) > 0, "save_hyperparameters() stores something", of="arguments")
with part(0.5, "arguments"):
    compare_stored("with arguments a and b and a local variable area", source_of("a, b=3", "area = a * b; self.save_hyperparameters()"), [2], {}, "nothing else",
                   {"`area` is a local variable, and no argument.": ["a", "area", "b"], "`self` is not stored.": ["a", "b", "self"],
                    "These are the arguments of save_hyperparameters; those of its caller are asked for.": ["ignore"]})
    compare_stored("with lr and, keyword-only, sigma", source_of("lr, *, sigma=0.01"), [0.5], {"sigma": -1}, "arguments",
                   {"A keyword-only argument is an argument, too.": ["lr"]})
    compare_stored("with width=0 and act=None", source_of("width, act=None"), [0], {}, "arguments",
                   {"An argument that is None is stored, too.": ["width"], "An argument that is 0 is stored, too.": ["act"], "Arguments that are 0 or None are stored, too.": []})
    compare_stored("where __init__ calls another method, which saves its arguments rate and steps", later_, [0.2], {}, "any method",
                   {"These are the arguments of __init__; those of the method that calls save_hyperparameters are asked for.": ["lr"], "Nothing is stored where another method than __init__ calls.": []})
    compare_stored("where __init__ has the arguments this and lr, and this is the object", this_, [0.2], {}, "nothing else",
                   {"The object itself is stored: it is the first argument, whatever its name.": ["lr", "this"]})
    compare_stored("of a subclass that saves wd=3 and lr=0.1 after its base class saved lr=1.0", two_savers_, [3, 0.1], {}, "arguments",
                   values={"The later call replaces what stood under that name before, here lr.": [1.0, 0.01, 3]})
    assert_equal(rows_that_grow(1, 2)[0], [1, 2], "the attribute rows, a list to which 2 was appended after it was stored as [1]", of="arguments", hint="Store the object, not a copy.")
with part(0.5, "stars, and names left out"):
    compare_stored("with *layers and **options", source_of("lr, *layers, **options"), [0.1, 8, 4], {"act": "relu"}, "stars",
                   {"The starred arguments are missing.": ["lr"], "The entries of **options are spread out: store the dictionary whole, as options.": ["act", "layers", "lr"]})
    compare_stored("with *layers and **options, none of them given", source_of("lr, *layers, **options"), [0.1], {}, "stars",
                   {"A starred argument that is empty is stored, too.": ["lr"]})
    compare_stored('with arguments lr, loss, wd and ignore=["loss"]', source_of("lr, loss, wd=0", 'self.save_hyperparameters(ignore=["loss"])'), [0.1, "squared"], {}, "left out",
                   {"Names in `ignore` are to be left out.": ["loss", "lr", "wd"]})
    compare_stored('with arguments w, loss, lossy and ignore=["loss", "wd"]', source_of("w, loss, lossy=0", 'self.save_hyperparameters(ignore=["loss", "wd"])'), [0.1, "squared"], {}, "left out",
                   {"`lossy` does not stand in `ignore`, and `loss` is another name: names are compared whole.": ["w"],
                    "`w` does not stand in `ignore`, and `wd` is another name: names are compared whole.": ["lossy"],
                    "`w` and `lossy` do not stand in `ignore`, though their letters do: names are compared whole.": []})
    compare_stored("with arguments lr, batch_size and _secret", source_of("lr, batch_size=4, _secret=1"), [0.1], {}, "left out",
                   {"A name that begins with an underscore is to be left out.": ["_secret", "batch_size", "lr"], "An underscore inside a name does no harm.": ["lr"]})
    compare_stored("with *_rest and **_more", source_of("lr, *_rest, **_more"), [0.1, 2], {"p": 3}, "left out", {"A starred name that begins with an underscore is to be left out, too.": ["_more", "_rest", "lr"]})
    compare_stored('with arguments lr, *layers and ignore=("layers",)', source_of("lr, *layers", 'self.save_hyperparameters(ignore=("layers",))'), [0.1, 8], {}, "left out",
                   {"Starred names in `ignore` are to be left out, too.": ["layers", "lr"]})
    assert_equal(ignore_after(["loss"]), ["loss"], 'the list ["loss"] after save_hyperparameters(ignore=...) with it', of="left out", hint="Do not change the caller's list.")
with part(0.5, "hparams"):
    kept_ = hparams_of_two(0.5, 0.1)[1]
    assert_type(kept_, dict, "the hparams of an instance with lr=0.1 and steps=7", of="hparams",
                hint="There is no attribute hparams." if kept_ == "no hparams" else "hparams is a dictionary, from the names to the values.")
    assert_equal(kept_, {"lr": 0.1, "steps": 7}, "the hparams of an instance with lr=0.1 and steps=7", of="hparams",
                 hint="hparams is empty: all that is stored is in there, too." if not kept_ else
                 "Each instance has its own dictionary: one that stands in the class is shared by all instances." if {"lr", "steps"} <= {*kept_} else
                 "These are not the arguments of the method that called save_hyperparameters, or not all of them.")
    assert_equal(hparams_of_two(0.5, 0.1)[0], {"lr": 0.5, "steps": 3}, "the hparams of an instance with lr=0.5, after another instance was made", of="hparams",
                 hint="Each instance has its own dictionary: one that stands in the class is shared by all instances.")
    lost_ = ("The entries that the base class stored are lost." if "sigma" in stored(two_savers_, [3, 0.1], {}) else
             "What the base class's __init__ saves is not stored: its arguments are those of the method that calls.")
    compare_hparams("of a subclass and its base class, which both save", two_savers_, [3, 0.1], {lost_: {"wd": 3, "lr": 0.1},
                     "An entry of the same name is replaced: the later call has lr=0.1.": {"lr": 1.0, "sigma": 0.01, "wd": 3}})
    compare_hparams('of a subclass that saves with ignore=["lr"] after its base class saved lr=1.0', ignoring_, [0.1, 3],
                    {"The entry lr, which the base class stored, is lost: `ignore` leaves out arguments of this call alone.": {"wd": 3}, "A name in `ignore` was stored.": {"lr": 0.1, "wd": 3}})
    compare_hparams('with arguments lr, loss, *layers and ignore=["loss"]', source_of("lr, loss, *layers", 'self.save_hyperparameters(ignore=["loss"])'), [0.1, "squared", 4],
                    {"A name in `ignore` stands in hparams.": {"lr": 0.1, "loss": "squared", "layers": (4,)}, "The starred arguments are missing.": {"lr": 0.1}})
    compare_hparams("where self.colour = 1 stands before the call, with the argument lr", source_of("lr", "self.colour = 1; self.save_hyperparameters()"), [0.1],
                    {"An attribute that is no argument stands in hparams.": {"colour": 1, "lr": 0.1}})
    assert_equal(rows_that_grow(1, 2)[1], [1, 2], "the entry rows of hparams, a list to which 2 was appended after it was stored as [1]", of="hparams", hint="Store the object, not a copy.")
usual_, alone_ = stored_without_library(0.1)
assert_true(usual_ == alone_, "your class stores as much while d2l.HyperParameters stores nothing", of="by hand", hint="Yours leaves the work to d2l.HyperParameters: write it yourself.")
### BEGIN HIDDEN TESTS
with part(0.5, "arguments, other classes"):
    compare_stored("with three arguments and two local variables", source_of("u, v, w", "x = 1; y = [u]; self.save_hyperparameters()"), [2, 3, None], {}, "nothing else")
    compare_stored("with two keyword-only arguments", source_of("*, depth, num_hidden=4"), [], {"depth": 9}, "arguments")
    compare_stored("where a method saves that __init__ calls", later_.replace("rate", "gain"), [0.7], {}, "any method")
    compare_stored("where a method saves whose object has another name", later_.replace("self, rate", "me, rate").replace("        self.save", "        me.save"), [0.7], {}, "nothing else")
    compare_stored("of two classes that save", two_savers_, [-1, 0.4], {}, "arguments")
    assert_equal(rows_that_grow("p", "q")[0], ["p", "q"], "a list that grows after it was stored", of="arguments")
with part(0.5, "stars, and names left out, other classes"):
    compare_stored("with **kw alone", source_of("**kw"), [], {"p": 1, "q": 2}, "stars")
    compare_stored("with empty stars", source_of("a, *more, **kw"), [1], {}, "stars")
    compare_stored("with two names to ignore, one of them starred", source_of("lr, device, *rest", 'self.save_hyperparameters(ignore=("rest", "device"))'), [0.1, "cpu", 3], {}, "left out")
    compare_stored("with underscores", source_of("_a, b, **_c"), [1, 2], {"d": 3}, "left out")
    compare_stored("with names that are parts of names in ignore", source_of("d, de, devices", 'self.save_hyperparameters(ignore=("device", "id"))'), [1, 2, 3], {}, "left out")
    assert_equal(ignore_after(["lr", "none"]), ["lr", "none"], "the list ignore after the call", of="left out")
with part(0.5, "hparams, other values"):
    assert_equal(hparams_of_two(-2, "x"), [{"lr": -2, "steps": 3}, {"lr": "x", "steps": 7}], "the hparams of two instances", of="hparams")
    compare_hparams("of two classes that save", two_savers_.replace("wd", "momentum"), [5, 0.3])
    compare_hparams("with attributes that are no arguments", source_of("u, v", "self.w = v; self.save_hyperparameters(); self.x = u"), [4, 5])
    compare_hparams("where a subclass ignores what its base class stored", ignoring_.replace("wd", "momentum"), [0.4, 2])
    compare_hparams("with names to ignore", source_of("lr, loss, _wd=0, *layers", 'self.save_hyperparameters(ignore=["loss"])'), [0.1, "squared"])
usual_, alone_ = stored_without_library(-3)
assert_true(usual_ == alone_, "your class stores as much while d2l.HyperParameters stores nothing", of="by hand")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="data module, dataset, data loader, get_tensorloader"
# ## Data: rows in, batches out
#
# Now the first of the three classes. A *loader* is what the loop goes through: `for batch in loader`, a batch at a time,
# as often as one likes. torch makes one in two steps. A `TensorDataset` ties tensors of equal length together, row by row;
# a `DataLoader` cuts it into batches. `len(loader)` is the number of batches.

# %%
hours = torch.arange(5.).reshape(5, 1)
euros = 12 * hours
dataset = torch.utils.data.TensorDataset(hours, euros)
print("row 3:", dataset[3])
loader = torch.utils.data.DataLoader(dataset, 2)
print(len(loader), "batches")
for X_batch, y_batch in loader:
    print(X_batch.flatten().tolist(), y_batch.flatten().tolist())

# %% [markdown]
# Five rows in batches of two make three batches, the last one smaller: five divided by two, rounded *up*. With
# `shuffle=True` each pass takes the rows in a new random order, but never tears a row of `hours` from its row of `euros`:

# %% tags=["demo"]
torch.manual_seed(1)
shuffled = torch.utils.data.DataLoader(dataset, 2, shuffle=True)
for i in range(2):
    print("pass", i + 1, [[X_batch.flatten().tolist(), y_batch.flatten().tolist()] for X_batch, y_batch in shuffled])

# %% [markdown]
# Training wants a new order each time, so that the same rows do not always meet; validation wants none, since the order
# changes nothing there. `d2l.DataModule` puts this together. Here is the heart of it, as it stands in the library:

# %% tags=["demo"]
for method in (d2l.DataModule.get_dataloader, d2l.DataModule.train_dataloader, d2l.DataModule.val_dataloader, d2l.DataModule.get_tensorloader):
    print(inspect.getsource(method))

# %% [markdown]
# One hole, `get_dataloader(train)`, and two methods that ask it for the training and for the validation loader. The
# trainer calls these two. `get_tensorloader` is a helper for data that lie in tensors: it takes the rows `indices` of
# each tensor, in random order if `train`. (`batch_loader` is the two torch steps, made faster.) A data module that fills
# the hole, with one pair of tensors for training and one for validation:

# %% tags=["demo"]
class TwoPairs(d2l.DataModule):
    def __init__(self, train_pair, val_pair, batch_size=2):
        super().__init__()
        self.save_hyperparameters()

    def get_dataloader(self, train):
        return self.get_tensorloader(self.train_pair if train else self.val_pair, train)

pairs = TwoPairs((hours, euros), (hours[:3] + 10, euros[:3] + 120))
for X_batch, y_batch in pairs.val_dataloader():
    print(X_batch.flatten().tolist(), y_batch.flatten().tolist())

# %% [markdown] task="3.2.B" kind="code" minutes=5 difficulty=2 core=true needs="data module, get_tensorloader, subclass, save_hyperparameters"
# ### A ramp
#
# Write `Ramp(n, batch_size)`, a subclass of `d2l.DataModule`. It has n rows: x = 0, 1, ..., n - 1 and y = 2x + 1. The
# first `3 * n // 4` rows are for training, the others for validation.
#
# **You are done when**
# - **columns**: a batch is a pair X, y of float32 tensors of shape (rows, 1);
# - **targets**: y is 2x + 1 in every row;
# - **training rows**: the training loader has the first `3 * n // 4` rows, each once, in random order;
# - **validation rows**: the validation loader has the others, in order;
# - **batch size**: batches have `batch_size` rows; the last one may be smaller.

# %% exercise="3.2.B"
class Ramp(d2l.DataModule):
    """x = 0, 1, ..., n - 1 and y = 2x + 1: the first 3n // 4 rows for training, the others for validation."""
    ### BEGIN SOLUTION
    def __init__(self, n, batch_size):
        super().__init__()
        self.save_hyperparameters()
        self.X = torch.arange(float(n)).reshape(n, 1)
        self.y = 2 * self.X + 1

    def get_dataloader(self, train):
        split = 3 * self.n // 4
        return self.get_tensorloader((self.X, self.y), train, slice(0, split) if train else slice(split, None))
    ### END SOLUTION

# %% [markdown] hints="3.2.B"
# 1. Which method is the hole that you must fill, and which attribute does `get_tensorloader` read?
# 2. `slice(0, 6)` is the part `[0:6]`, `slice(6, None)` is `[6:]`; both can be handed over as `indices`. `torch.arange(3.)` is float32.
# 3. Rows with an even number alone: `self.get_tensorloader((self.X, self.y), train, slice(0, None, 2))`.

# %% check="3.2.B" points=1
@probe
def ramp_batches(n, batch_size, train):
    data = Ramp(n, batch_size)
    try:
        return [list(batch) for batch in (data.train_dataloader() if train else data.val_dataloader())]
    except AttributeError as error:
        if "no attribute 'batch_size'" in str(error):
            return "no attribute batch_size"
        raise

@probe
def ramp_orders(n, batch_size, times):
    loader = Ramp(n, batch_size).train_dataloader()
    return [[x for batch in loader for x in batch[0].flatten().tolist()] for _ in range(times)]

def check_ramp(n, batch_size):
    split, case = 3 * n // 4, f"Ramp({n}, {batch_size})"
    for train, rows in ((True, range(0, split)), (False, range(split, n))):
        kind, wanted = "training" if train else "validation", [float(x) for x in (range(0, split) if train else range(split, n))]
        batches = ramp_batches(n, batch_size, train)
        assert_type(batches, list, f"the {kind} batches of {case}", of="batch size",
                    hint="self.batch_size is read, as get_tensorloader does, and nothing has set it: self.save_hyperparameters() or self.batch_size = batch_size does.")
        assert_true(all(len(batch) == 2 for batch in batches), f"each {kind} batch of {case} is a pair", of="columns")
        for X, y in batches[:1]:
            for name, values in (("X", X), ("y", y)):
                assert_shape(values, (len(X), 1), f"{name} of the first {kind} batch of {case}", of="columns",
                             hint="A row for each x, a single column: `reshape(n, 1)` makes one.",
                             mistakes={f"These numbers stand in one axis: as a column, `reshape(n, 1)`, {name} has two.": (len(X),)})
                assert_dtype(values, torch.float32, f"{name} of {case}", of="columns", hint="`torch.arange(3.)` is float32.",
                             mistakes={"These are whole numbers: `torch.arange(3.)`, with a point, is float32.": torch.int64})
        sizes = [min(batch_size, len(rows) - i) for i in range(0, len(rows), batch_size)]
        seen, targets = ([value for batch in batches for value in batch[k].flatten().tolist()] for k in (0, 1))
        gone = ("The first row is missing: a slice begins with the row that it names." if rows[0] not in seen else
                "The last row is missing: a slice that ends at -1 leaves it out.")
        known = {"All n rows are in this loader.": n, "The last, smaller batch is left out.": len(rows) // batch_size * batch_size,
                 f"Multiply first, then divide: 3 * n // 4 is {split} for n = {n}, n // 4 * 3 is {n // 4 * 3}.": n // 4 * 3 if train else n - n // 4 * 3,
                 gone: len(rows) - 1 if not train else len(rows),
                 "These are as many as the other loader has: `train` tells for which of the two it is asked.": split if not train else n - split}
        assert_equal(len(seen), len(rows), f"the number of the {kind} rows of {case}", of=f"{kind} rows", mistakes={why: number for why, number in known.items() if number != len(rows)},
                     hint=f"For n = {n} the first {split} rows are for training, the other {n - split} for validation.")
        assert_equal(len(batches[0][0]), sizes[0], f"the number of rows of the first {kind} batch of {case}", of="batch size",
                     mistakes={"All rows came as one batch.": len(rows)} if len(rows) != sizes[0] else {})
        assert_equal([len(batch[0]) for batch in batches], sizes, f"the sizes of the {kind} batches of {case}", of="batch size")
        known = {"x begins at 0.": [x + 1 for x in wanted], "These are 2x + 1: a batch is the pair X, y, with X first.": [2 * x + 1 for x in wanted],
                 "These are the rows from 0 on: the validation rows are the others.": wanted if train else [float(x) for x in range(len(rows))]}
        assert_equal(sorted(seen), wanted, f"the {kind} rows of {case}, sorted", of=f"{kind} rows",
                     hint=next((f"x = {x:g} is among them: these rows are those with x from {rows[0]} to {rows[-1]}." for x in seen if x not in wanted),
                               "Some x comes twice, and another one is missing."),
                     mistakes={why: values for why, values in known.items() if values != wanted})
        if not train:
            assert_equal(seen, wanted, f"the validation rows of {case}, in order", of="validation rows", hint="Validation takes its rows in order: nothing is shuffled there.")
        apart = sorted(targets) == [2 * x + 1 for x in wanted] and targets != [2 * x + 1 for x in seen]
        assert_close([y - 2 * x for x, y in zip(seen, targets)], [1.0] * len(rows), f"y - 2x in the {kind} rows of {case}", of="targets",
                     mistakes={"This is y = 2x: the 1 is missing.": [0.0] * len(rows)}, hint="y has the right numbers, but not beside their x: shuffle rows, not a column." if apart else "")
    orders = ramp_orders(n, batch_size, 3)
    assert_equal([len(order) for order in orders], [split] * 3, f"the numbers of rows in three passes through the same training loader of {case}", of="training rows",
                 hint="Return a loader, which can be gone through again; an iterator ends.")
    assert_true(len({tuple(order) for order in orders}) == 3, f"the order of the training rows of {case} is random: three passes differ", of="training rows",
                hint=lambda: "Every pass has the rows from 0 on, in order: with train=True get_tensorloader shuffles them." if all(order == sorted(order) for order in orders) else
                "A random order comes again in a later pass: shuffle anew in each pass, as get_tensorloader does with train=True.")

@probe
def parts_of_ramp():
    return [name for name in ("__init__", "get_dataloader", "train_dataloader", "val_dataloader") if name in vars(Ramp)]

assert_true(len(parts_of_ramp()) > 0, "Ramp defines __init__ or get_dataloader", of="columns")
check_ramp(30, 8)
check_ramp(21, 6)
### BEGIN HIDDEN TESTS
check_ramp(41, 5)
check_ramp(63, 63)
### END HIDDEN TESTS

# %% [markdown] task="3.2.5" kind="code" minutes=15 difficulty=3 needs="data module, dataset, data loader, abstract method"
# ### A small DataModule
#
# Now the class itself. Write the base class `MiniDataModule` with the four methods below. A subclass of it sets
# `self.batch_size` and defines `get_dataloader`.
#
# - `get_dataloader(train)` is the hole;
# - `train_dataloader()` and `val_dataloader()` ask it for `train=True` and `train=False`;
# - `get_tensorloader(tensors, train, indices=slice(0, None))` gives a loader over the rows `indices` of each of the
#   tensors, one or several; `indices` is a slice or a tensor of row numbers.
#
# **You are done when**
# - **two loaders**: `train_dataloader()` and `val_dataloader()` give what `get_dataloader` gives for True and for False;
# - **sizes**: a batch holds `self.batch_size` rows of each tensor, the last one what is left; `len(loader)` is the number of batches;
# - **rows**: each row of `indices` comes once in every pass, in two loops taken in turns, too, the rows of all tensors stay together, and the
#   tensors themselves stay as they were;
# - **validation order**: without `train` the order is that of `indices`;
# - **training order**: with `train` every order of the rows is equally likely, and it is new in each pass and in each loader;
# - **hole**: `get_dataloader` of the base class raises `NotImplementedError` with a message that names the subclass;
# - **by hand**: it does so without `d2l.DataModule`.

# %% exercise="3.2.5"
class MiniDataModule:
    """The base class of data: a loader for training and one for validation."""
    ### BEGIN SOLUTION
    def get_dataloader(self, train):
        raise NotImplementedError(f"{type(self).__name__} has no data: define get_dataloader(self, train)")

    def train_dataloader(self):
        return self.get_dataloader(train=True)

    def val_dataloader(self):
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        dataset = torch.utils.data.TensorDataset(*[tensor[indices] for tensor in tensors])
        return torch.utils.data.DataLoader(dataset, self.batch_size, shuffle=train)
    ### END SOLUTION

# %% [markdown] hints="3.2.5"
# 1. Which of torch's two classes ties tensors row by row, and which one cuts batches? Which arguments do they take?
# 2. `TensorDataset(X, y)` takes the tensors one by one: for a list of them write a star, `TensorDataset(*tensors)`.
#    `DataLoader(dataset, batch_size, shuffle=...)`. `type(self).__name__` is the name of the subclass.
# 3. Three letters in batches of two: `list(torch.utils.data.DataLoader(["a", "b", "c"], 2))` is
#    `[["a", "b"], ["c"]]`.

# %% check="3.2.5" points=3
@probe
def methods_written():
    return [name for name in ("get_dataloader", "train_dataloader", "val_dataloader", "get_tensorloader") if hasattr(MiniDataModule, name)]

@probe
def asked_for():
    class Asked(MiniDataModule):
        def get_dataloader(self, train):
            return ["for training" if train else "for validation", type(train).__name__]

    return [Asked().train_dataloader(), Asked().val_dataloader()]

@probe
def passes(tensors, batch_size, rows, train, times):
    class Cut(MiniDataModule):
        def __init__(self):
            self.batch_size = batch_size

    loader = Cut().get_tensorloader(tuple(tensors), train) if rows is None else Cut().get_tensorloader(tuple(tensors), train, slice(*rows) if isinstance(rows, list) else rows)
    try:
        length = len(loader)
    except TypeError:
        if loader is None:
            return {"length": loader, "passes": []}
        length = "no length"
    except IndexError:
        return {"length": "an IndexError", "passes": []}
    return {"length": length, "passes": [[list(batch) for batch in loader] for _ in range(times)]}

@probe
def rows_in_turns(n, batch_size, train):
    """The rows of two loops over one loader, taken in turns to their ends."""
    class Cut(MiniDataModule):
        def __init__(self):
            self.batch_size = batch_size

    from itertools import zip_longest
    loader = Cut().get_tensorloader((torch.arange(n),), train)
    turns = list(zip_longest(iter(loader), iter(loader)))
    return [[i for turn in turns if turn[k] is not None for i in turn[k][0].tolist()] for k in (0, 1)]

def check_turns(n, batch_size):
    for train in (False, True):
        assert_equal([sorted(rows) for rows in rows_in_turns(n, batch_size, train)], [list(range(n))] * 2,
                     f"the rows, sorted, of two loops over one {'training' if train else 'validation'} loader of {n} rows, "
                     f"taken in turns, batch_size {batch_size}",
                     of="rows", hint="Each loop begins a pass of its own, whatever another one does: what a pass has reached is "
                                     "kept by its iterator, not by the loader.")

@probe
def tensors_after(tensors, batch_size, rows):
    class Cut(MiniDataModule):
        def __init__(self):
            self.batch_size = batch_size

    for _ in range(3):
        list(Cut().get_tensorloader(tuple(tensors), True, slice(*rows)))
    return list(tensors)

@probe
def orders_of(n, batch_size, loaders, times):
    class Cut(MiniDataModule):
        def __init__(self):
            self.batch_size = batch_size

    column = torch.arange(n)
    found = []
    for _ in range(loaders):
        loader = Cut().get_tensorloader((column, column + 100), True)
        found += [[i for batch in loader for i in batch[0].tolist()] for _ in range(times)]
    return found

@probe
def hole_of(name):
    class NoLoaderYet(MiniDataModule):
        batch_size = 3

    NoLoaderYet.__name__ = NoLoaderYet.__qualname__ = name
    try:
        given = NoLoaderYet().train_dataloader()
    except Exception as error:
        return [type(error).__name__, str(error)]
    returned = given is NotImplemented or isinstance(given, BaseException) or isinstance(given, type) and issubclass(given, BaseException)
    return ["an error that is returned" if returned else "no error", ""]

@probe
def passes_without_library(n, batch_size):
    class Cut(MiniDataModule):
        def __init__(self):
            self.batch_size = batch_size

        def get_dataloader(self, train):
            return self.get_tensorloader((torch.arange(n), torch.arange(n) + 0.5), train)

    def numbers():
        try:
            return [[len(batch) for batch in loader or ()] for loader in (Cut().train_dataloader(), Cut().val_dataloader())]
        except Exception as error:
            return type(error).__name__

    names, found = ("__init__", "get_dataloader", "train_dataloader", "val_dataloader", "get_tensorloader"), [numbers()]
    kept = {name: vars(d2l.DataModule)[name] for name in names if name in vars(d2l.DataModule)}
    for name in kept:
        setattr(d2l.DataModule, name, lambda self, *args, **kwargs: None)
    try:
        return found + [numbers()]
    finally:
        for name, method in kept.items():
            setattr(d2l.DataModule, name, method)

def sizes_of_mistakes(n_all, n, batch_size):
    """Sizes of batches that a known mistake gives, where they are not the right ones."""
    known = {"The last, smaller batch is missing.": [batch_size] * (n // batch_size)}
    if n_all != n:
        known["`indices` is ignored: these batches hold all rows of the tensors."] = [min(batch_size, n_all - i) for i in range(0, n_all, batch_size)]
    return {sentence: sizes for sentence, sizes in known.items() if sizes != [min(batch_size, n - i) for i in range(0, n, batch_size)]}

def order_hint(found, wanted):
    """What kind of order this is, where the rows are right."""
    if found.shape != wanted.shape or torch.equal(found, wanted) or not torch.equal(found.flatten().sort().values, wanted.flatten().sort().values):
        return ""
    if torch.equal(found, wanted.sort(dim=0).values):
        return "These are the right rows, sorted: without `train` the order is that of `indices`."
    return "These are the right rows in another order: without `train` nothing is shuffled."

def size_hint(found, wanted, batch_size):
    if found != wanted and sorted(found) == sorted(wanted):
        return "The smaller batch comes last: shuffle the rows, then cut batches."
    return f"Here self.batch_size is {batch_size}." if found[:1] and found[0] != wanted[0] else ""

def check_loader(tensors, batch_size, rows, numbers, case):
    found, wanted = passes(tensors, batch_size, rows, False, 2), [min(batch_size, len(numbers) - i) for i in range(0, len(numbers), batch_size)]
    if not found["passes"]:
        assert_type(found["length"], int, f"len(loader), {case}", of="rows", hint=lambda: "" if found["length"] is None else
                    "A dataset without any tensor gives this error: `indices` are rows of each tensor, tensor[indices], and do not pick among the tensors.")
    for p, batches in enumerate(found["passes"]):
        assert_equal([len(batch) for batch in batches], [len(tensors)] * len(batches), f"the number of tensors in each batch, {case}", of="rows",
                     hint=f"Every tensor has its part in each batch: here there {'is 1' if len(tensors) == 1 else f'are {len(tensors)}'}, and there may be any number.")
        sizes = [len(batch[0]) for batch in batches]
        assert_equal(sizes, wanted, f"the sizes of the validation batches, pass {p + 1}, {case}", of="sizes" if 0 < sum(sizes) <= len(numbers) else "rows",
                     mistakes=sizes_of_mistakes(len(tensors[0]), len(numbers), batch_size) | ({"The second pass is empty: an iterator ends, a loader can be gone through again.": []} if p else {}),
                     hint=lambda: size_hint(sizes, wanted, batch_size))
        for k, tensor in enumerate(tensors):
            joined = torch.cat([batch[k] for batch in batches])
            assert_close(joined, tensor[numbers], f"tensor {k} of the validation batches, joined, {case}", of="validation order", hint=lambda: order_hint(joined, tensor[numbers]))
    assert_equal(found["length"], -(-len(numbers) // batch_size), f"len(loader), {case}", of="sizes",
                 mistakes={"The loader has no length: len(loader) is the number of batches.": "no length"}
                 | ({"This is the number of rows; len(loader) is the number of batches.": len(numbers)} if batch_size > 1 else {}))
    batches = passes(tensors, batch_size, rows, True, 1)["passes"][0]
    sizes = [len(batch[0]) for batch in batches]
    assert_equal(sizes, wanted, f"the sizes of the training batches, {case}", of="sizes", mistakes=sizes_of_mistakes(len(tensors[0]), len(numbers), batch_size),
                 hint=lambda: size_hint(sizes, wanted, batch_size))
    order = torch.cat([batch[0] for batch in batches])
    assert_close(order.sort().values, numbers.sort().values, f"the training rows of tensor 0, sorted, {case}", of="rows",
                 hint="Some row comes twice: each one comes once in every pass." if len(order.unique()) < len(order) else "")
    for k, tensor in enumerate(tensors):
        assert_close(torch.cat([batch[k] for batch in batches]), tensor[order], f"tensor {k} of the training batches beside tensor 0, {case}", of="rows",
                     hint="Rows of all tensors must stay together.")

def check_orders(n, batch_size):
    found = orders_of(n, batch_size, 1, 4)
    assert_true(len({tuple(order) for order in found}) == 4, f"four passes over {n} rows in batches of {batch_size} have four training orders", of="training order")
    found = orders_of(n, batch_size, 4, 1)
    assert_true(len({tuple(order) for order in found}) == 4, f"four loaders over {n} rows in batches of {batch_size} have four training orders", of="training order",
                hint="A seed that you set yourself brings the same order again.")

def check_all_orders(batch_size):
    found = [tuple(order) for order in orders_of(4, batch_size, 1, 600)]
    assert_equal(len([order for order in found if sorted(order) != [0, 1, 2, 3]]), 0, f"how many of 600 training passes over 4 rows, in batches of {batch_size}, do not hold each row once",
                 of="rows", mistakes={"All but the first pass: an iterator ends, a loader can be gone through again.": 599})
    times = [found.count(order) for order in itertools.permutations(range(4))]
    uneven = sum((number - 25) ** 2 / 25 for number in times)    # about 23 for equally likely orders
    assert_true(uneven < 80, f"each of the 24 orders of 4 rows, in batches of {batch_size}, comes about 25 times in 600 training passes (here from {min(times)} to {max(times)} times)",
                of="training order", hint="Every pass had the same order: shuffle, and anew in each pass." if len(set(found)) == 1 else
                "Every order of all the rows must be able to come, and none more often than another.")

def check_places(batch_size):
    """Finds swaps that favour some orders a little: each row comes to each place equally often."""
    times, n, count = torch.zeros(16, 16), 16, 1500
    for order in orders_of(n, batch_size, 1, count):
        times[torch.tensor(order), torch.arange(n)] += 1
    uneven = ((times - count / n) ** 2 / (count / n)).sum().item()    # about 240 for equally likely orders
    assert_true(uneven < 380, f"each of 16 rows, in batches of {batch_size}, stands about 94 times at each place in 1500 training passes (here from {int(times.min())} to {int(times.max())} times)",
                of="training order", hint="Some rows come more often to some places: torch.randperm(n) and shuffle=True make every order equally likely.")

import itertools

ids_ = torch.arange(16)
assert_true(len(methods_written()) > 0, "MiniDataModule has some of its four methods", of="two loaders")
with part(0.5, "two loaders and the hole"):
    assert_equal(asked_for(), [["for training", "bool"], ["for validation", "bool"]], "what get_dataloader is asked for by train_dataloader() and by val_dataloader()", of="two loaders",
                 mistakes={"val_dataloader() asks for train=False.": [["for training", "bool"]] * 2, "The two are exchanged.": [["for validation", "bool"], ["for training", "bool"]],
                           "train_dataloader() asks for train=True.": [["for validation", "bool"]] * 2,
                           "get_dataloader is asked with True or False, not with a word.": [["for training", "str"]] * 2})
    assert_equal(hole_of("NoLoaderYet")[0], "NotImplementedError", "the error of a subclass NoLoaderYet that does not define get_dataloader", of="hole",
                 mistakes={"NotImplemented is no error class: raise NotImplementedError.": "TypeError", "An error is raised, not returned: write raise.": "an error that is returned",
                           "get_dataloader of the base class must raise an error.": "no error"})
    assert_true("NoLoaderYet" in hole_of("NoLoaderYet")[1], "the error's message names the subclass, NoLoaderYet", of="hole", hint="type(self).__name__ is the name of the subclass.")
with part(0.5, "batches"):
    check_loader([ids_, -ids_.reshape(16, 1).float()], 4, [6, None], ids_[6:], "two tensors of 16 rows, indices = slice(6, None), batch_size 4")
    check_loader([ids_, ids_.float() / 2, ids_ + 50], 5, torch.tensor([3, 1, 12, 7, 8, 15]), torch.tensor([3, 1, 12, 7, 8, 15]), "three tensors, indices = tensor([3, 1, 12, 7, 8, 15]), batch_size 5")
    check_loader([ids_], 16, None, ids_, "one tensor, no indices given, batch_size 16")
    check_loader([ids_, ids_.float() / 3], 4, [1, None, 3], ids_[1::3], "two tensors, indices = slice(1, None, 3), batch_size 4")
    check_turns(7, 3)
    for k, (after_, before_) in enumerate(zip(tensors_after([ids_.clone(), -ids_.float()], 4, [0, 12]), [ids_, -ids_.float()])):
        assert_close(after_, before_, f"tensor {k} after three training passes over the rows slice(0, 12)", of="rows", hint="Shuffle row numbers or copies, not the caller's tensors.")
with part(0.5, "training order"):
    check_all_orders(2)
    check_places(8)
    check_orders(40, 2)
usual_, alone_ = passes_without_library(7, 3)
assert_true(usual_ == alone_, "your two loaders have as many batches while the methods of d2l.DataModule do nothing", of="by hand",
            hint="Yours leaves the work to d2l.DataModule: write the methods yourself.")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(21)
many_ = torch.arange(50)
with part(0.5, "two loaders and the hole, again"):
    assert_equal(asked_for()[0][0], "for training", "what train_dataloader() asks for", of="two loaders")
    assert_equal(asked_for()[1][0], "for validation", "what val_dataloader() asks for", of="two loaders")
    assert_equal(hole_of("Pictures")[0], "NotImplementedError", "the error of a subclass Pictures that does not define get_dataloader", of="hole")
    assert_true("Pictures" in hole_of("Pictures")[1], "the message names the subclass, Pictures", of="hole")
with part(0.5, "batches, other tensors"):
    check_loader([many_, torch.randn(50, 2, 3, generator=rng_), torch.randn(50, 1, generator=rng_)], 7, [0, 31], many_[:31], "three tensors of 50 rows, indices = slice(0, 31), batch_size 7")
    check_loader([many_, torch.randn(50, generator=rng_)], 1, [44, None], many_[44:], "two tensors, six rows, batch_size 1")
    check_loader([many_], 9, torch.tensor([49, 0, 20]), torch.tensor([49, 0, 20]), "one tensor, three rows in their own order, batch_size 9")
    check_loader([many_, many_ * 0.5], 6, [3, 40, 4], many_[3:40:4], "two tensors, indices = slice(3, 40, 4), batch_size 6")
    check_turns(10, 4)
    for k, (after_, before_) in enumerate(zip(tensors_after([many_.clone(), many_ + 0.5], 7, [5, None]), [many_, many_ + 0.5])):
        assert_close(after_, before_, f"tensor {k} after three training passes over the rows slice(5, None)", of="rows")
with part(0.5, "training order, other sizes"):
    check_all_orders(3)
    check_all_orders(4)
    check_places(6)
    check_orders(33, 33)
    check_orders(12, 1)
usual_, alone_ = passes_without_library(9, 2)
assert_true(usual_ == alone_, "your two loaders have as many batches while the methods of d2l.DataModule do nothing", of="by hand")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="module, forward, registered parameter"
# ## The model: predictions, a loss, an optimizer
#
# torch has a base class for models, `nn.Module`. Two things about it matter here.
#
# **Calling is forward.** `model(X)` runs `model.forward(X)`. So a class defines `forward` and the model is used like a
# function. **Parameters register themselves.** Whoever assigns an `nn.Parameter`, or a layer that has some, to an
# attribute, finds it in `model.parameters()`; that is where an optimizer looks. `nn.Linear(1, 1)` is such a layer: it
# holds a weight and a bias and computes $X W^\top + b$, here a line (section 3.5 looks at it closely).

# %%
class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Parameter(torch.tensor(3.0))            # registered
        self.plain = torch.tensor(5.0, requires_grad=True)  # a tensor like any other: not registered

    def forward(self, X):
        return X + self.c + self.plain

shift = Shift()
print("Shift()(X):", shift(torch.tensor([1.0, 2.0])).tolist())
print("parameters:", [name for name, _ in shift.named_parameters()])
print("of a layer:", [name for name, _ in nn.Linear(1, 1).named_parameters()])

# %% [markdown]
# ⚠ `plain` takes part in the prediction, has a gradient, and is never trained: an optimizer that is given
# `shift.parameters()` does not see it, and nothing complains. Write `nn.Parameter`.

# %% [markdown] teaches="optimizer, training step, validation step"
# An **optimizer** holds the parameters and moves them. `optimizer.step()` subtracts learning rate times gradient from
# each, $p \leftarrow p - \eta \cdot \partial L / \partial p$, as the two lines `w -= ...` and `b -= ...` did above;
# `optimizer.zero_grad()` forgets the old gradients, to which `backward()` would add. `torch.optim.SGD(parameters, lr=0.1)`
# is the plain one. One step for a line that starts as $\hat y = 0$, with the loss $\tfrac12 (\hat y - y)^2$ at the
# point (1, 2): the prediction is 0, so the slope of the loss is $-2$ in the weight and in the bias.

# %%
line = nn.Linear(1, 1)
nn.init.zeros_(line.weight)
nn.init.zeros_(line.bias)
optimizer = torch.optim.SGD(line.parameters(), lr=0.1)
line_loss = ((line(torch.tensor([[1.0]])) - 2) ** 2 / 2).mean()
optimizer.zero_grad()
line_loss.backward()
optimizer.step()
print("weight", round(line.weight.item(), 3), " bias", round(line.bias.item(), 3))

# %% [markdown]
# Both have moved by $0.1 \cdot 2 = 0.2$. `d2l.Module` is `nn.Module` with the five methods that the trainer calls or
# needs. Read them in the library:

# %% tags=["demo"]
for method in (d2l.Module.forward, d2l.Module.loss, d2l.Module.training_step, d2l.Module.validation_step, d2l.Module.configure_optimizers):
    print(inspect.getsource(method))

# %% [markdown]
# - `batch` is a tuple `(inputs..., targets)`. `batch[-1]` are the targets, `*batch[:-1]` hands over all the others, one or
#   more; `self(...)` calls the model.
# - `loss` is the hole. `forward` has a default, the network in `self.net`, and may be overridden.
# - `training_step` *returns* the loss, since the trainer must differentiate it. `validation_step` only shows it.
# - `configure_optimizers` is plain SGD over all parameters, with the learning rate `self.lr`. A model that wants another
#   optimizer overrides it.
# - `self.plot` puts the loss on a board, which draws a curve while the model trains. It asks the trainer how far it is, so
#   it works only during `fit`.
#
# With that the model of the first page is seven lines:

# %%
class Slope(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Linear(1, 1)

    def loss(self, y_hat, y):
        return ((y_hat - y) ** 2 / 2).mean()

# %% [markdown] task="3.2.C" kind="code" minutes=5 difficulty=2 core=true needs="forward, registered parameter, optimizer, save_hyperparameters"
# ### A parabola
#
# Write `Parabola(lr)`, a subclass of `d2l.Module` with one parameter a, which starts at 1. It predicts $a x^2$ for every
# entry x of its input. Its loss is the mean of the absolute errors. What is left is inherited.
#
# **You are done when**
# - **predictions**: `Parabola(lr)(X)` has the shape of `X` and at the start the entries $x^2$;
# - **loss**: `loss(y_hat, y)` is the mean of $|\hat y - y|$, one number, which can be differentiated;
# - **trained**: a is the model's only parameter, and one step of the optimizer from `configure_optimizers()` moves it by
#   learning rate times gradient.

# %% exercise="3.2.C"
class Parabola(d2l.Module):
    """Predicts a x² for a parameter a that starts at 1; the loss is the mean absolute error."""
    ### BEGIN SOLUTION
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.a = nn.Parameter(torch.tensor(1.0))

    def forward(self, X):
        return self.a * X ** 2

    def loss(self, y_hat, y):
        return (y_hat - y).abs().mean()
    ### END SOLUTION

# %% [markdown] hints="3.2.C"
# 1. Which three methods are particular to this model?
# 2. `nn.Parameter(torch.tensor(1.0))` must be an attribute, and `super().__init__()` must come before it. `configure_optimizers` reads `self.lr`.
# 3. `Shift` above has a parameter `c` and a `forward` of its own.

# %% check="3.2.C" points=2
@probe
def parabola_predictions(X):
    return Parabola(0.1)(X)

@probe
def parabola_of_flat(X):
    try:
        return Parabola(0.1)(X)
    except RuntimeError as error:
        if "cannot be multiplied" in str(error) or "size mismatch" in str(error):
            return "a matrix product that does not fit"
        raise

@probe
def parabola_loss(y_hat, y):
    return Parabola(0.1).loss(y_hat, y)

@probe
def parabola_sizes():
    return [parameter.numel() for parameter in Parabola(0.1).parameters()]

@probe
def parabola_shapes():
    return [list(parameter.shape) for parameter in Parabola(0.1).parameters()]

@probe
def parabola_after_step(lr, X, factor):
    model = Parabola(lr)
    if any(not parameter.requires_grad for parameter in model.parameters()):
        return "no gradient"
    try:
        optimizer = model.configure_optimizers()
    except AttributeError as error:
        if "'lr'" in str(error):
            return "no attribute lr"
        raise
    optimizer.zero_grad()
    outcome = (factor * model(X)).sum()
    if not outcome.requires_grad:
        return "no graph"
    outcome.backward()
    optimizer.step()
    return model(torch.full((1,), 2.0)) / 4      # a, where the prediction at 2 is 4a

@probe
def parabola_loss_slopes(y_hat, y):
    y_hat = y_hat.clone().requires_grad_()
    loss = Parabola(0.1).loss(y_hat, y)
    if not getattr(loss, "requires_grad", False):
        return "a loss without a graph"
    loss.backward()
    return y_hat.grad

@probe
def parts_of_parabola():
    return [name for name in ("__init__", "forward", "loss") if name in vars(Parabola)]

assert_true(len(parts_of_parabola()) > 0, "Parabola defines __init__, forward or loss", of="predictions")
assert_close(parabola_predictions(torch.tensor([[1.0], [-2.0], [3.0]])), torch.tensor([[1.0], [4.0], [9.0]]), "Parabola(0.1)(X) for X = [[1], [-2], [3]]", of="predictions",
             mistakes={"These are the inputs themselves: take their squares.": torch.tensor([[1.0], [-2.0], [3.0]])},
             hint="Here a is to be 1, so each is x²." + (
                 " A layer such as nn.Linear brings a random weight and a bias." if any(len(shape) > 1 for shape in parabola_shapes()) else ""))
many_axes_ = [shape for shape in parabola_shapes() if len(shape) > 1]
flat_ = parabola_of_flat(torch.tensor([0.5, 0.0]))
assert_type(flat_, torch.Tensor, "Parabola(0.1)(X) for X = [0.5, 0]", of="predictions",
            hint=lambda: "" if flat_ is None else "`@` and nn.Linear are matrix products, which take inputs of one width alone: multiply the squares by the number a instead, entry by entry.")
assert_close(flat_, torch.tensor([0.25, 0.0]), "Parabola(0.1)(X) for X = [0.5, 0]", of="predictions",
             hint=f"A parameter of shape {tuple(many_axes_[0])} gives its axes to every product: a is one number, torch.tensor(1.0)."
             if many_axes_ else "The prediction has the shape of X, whatever that is, and the entries x².")
assert_close(parabola_loss(torch.tensor([[1.0], [4.0], [10.0]]), torch.tensor([[2.0], [2.0], [7.0]])), torch.tensor(2.0), "the loss of predictions 1, 4, 10 against 2, 2, 7", of="loss",
             mistakes={"This is the sum, not the mean.": torch.tensor(6.0), "Take the absolute value of each error.": torch.tensor(4 / 3),
                       "The targets are left out: an error is a prediction minus its target.": torch.tensor(5.0),
                       "These are the squares of the errors, not their absolute values.": torch.tensor(14 / 3),
                       "These are half the squares of the errors, not their absolute values.": torch.tensor(7 / 3),
                       "This is the root of the mean square.": torch.tensor(14 / 3).sqrt(),
                       "This is a loss that is square near 0 (smooth_l1_loss): the absolute error itself is asked for.": torch.tensor(1.5)},
             hint="It is one number, a tensor: the errors are 1, 2 and 3 in size, and their mean is asked for.")
assert_close(parabola_loss(torch.tensor([[1.0, 4.0], [9.0, 2.0]]), torch.tensor([[2.0, 2.0], [6.0, 8.0]])), torch.tensor(3.0), "the loss of predictions [[1, 4], [9, 2]] against [[2, 2], [6, 8]]", of="loss",
             mistakes={"The sum is divided by the number of rows: divide by the number of all entries.": torch.tensor(6.0)})
slopes_ = parabola_loss_slopes(torch.tensor([1.0, 4.0, 9.0, 2.0]), torch.tensor([2.0, 2.0, 6.0, 8.0]))
assert_type(slopes_, torch.Tensor, "the slopes of the loss in the predictions", of="loss", hint="Keep the graph: a loss that went through item(), detach() or torch.tensor() cannot be differentiated.")
assert_close(slopes_, torch.tensor([-0.25, 0.25, 0.25, -0.25]), "the slopes of the loss in the predictions 1, 4, 9, 2 against 2, 2, 6, 8", of="loss",
             hint="The slope of |e| is 1 or -1, and each of the four errors counts a quarter in the mean.")
assert_equal(parabola_sizes(), [1], "the number of entries of each of the model's parameters", of="trained",
             mistakes={"No parameter is registered. A plain tensor is not registered; an nn.Parameter that is an attribute is.": [],
                       "There are two parameters: a alone is asked for.": [1, 1]}, hint="The only parameter is one number, a.")
step_ = parabola_after_step(0.1, torch.tensor([1.0, 2.0]), 1.0)
assert_type(step_, torch.Tensor, "a after one step of the optimizer from configure_optimizers()", of="trained",
            hint="The prediction has no graph that leads to a: use the parameter itself, without item() or detach()." if step_ == "no graph" else
            "a must require a gradient, as an nn.Parameter does unless told otherwise." if step_ == "no gradient" else
            "configure_optimizers reads self.lr, and there is no such attribute: self.save_hyperparameters() or self.lr = lr stores it.")
assert_close(step_.flatten(), torch.tensor([0.5]), "a, a quarter of the prediction at x = 2, after one step with lr 0.1 and gradient 5", of="trained",
             mistakes={"a has not moved.": torch.tensor([1.0]), "a moves by twice as much: is the prediction (a x)²?": torch.tensor([0.0]),
                       "a is a factor, not an exponent.": 4 ** (1 - 0.8 * torch.tensor([2.0]).log()) / 4,
                       "a moves by the rate alone, whatever the gradient, as Adam's first step does.": torch.tensor([0.9])})
assert_close(parabola_after_step(0.02, torch.tensor([1.0, 2.0]), 1.0).flatten(), torch.tensor([0.9]), "a, a quarter of the prediction at x = 2, after one step with lr 0.02 and gradient 5", of="trained",
             hint="The rate is the lr that the model was made with.")
### BEGIN HIDDEN TESTS
X_ = torch.tensor([[0.5, -1.5, 2.0], [0.0, 4.0, -0.25]])
assert_close(parabola_predictions(X_), X_ ** 2, "X of shape (2, 3)", of="predictions")
assert_close(parabola_loss(X_, X_.flip(0) - 1), (X_ - X_.flip(0) + 1).abs().mean(), "the loss of predictions of shape (2, 3)", of="loss")
assert_close(parabola_loss_slopes(X_, X_.flip(0) - 1), (X_ - X_.flip(0) + 1).sign() / 6, "the slopes of the loss in predictions of shape (2, 3)", of="loss")
assert_equal(parabola_sizes(), [1], "the parameters", of="trained")
assert_close(parabola_after_step(0.03, torch.tensor([[3.0], [-1.0]]), -2.0).flatten(), torch.tensor([1.6]), "a after one step with lr 0.03 and gradient -20", of="trained")
### END HIDDEN TESTS

# %% [markdown] task="3.2.6" kind="code" minutes=15 difficulty=3 needs="module, forward, optimizer, training step, validation step, abstract method"
# ### A small Module
#
# Write the base class `MiniModule`, a subclass of `nn.Module`, without the board. A subclass of yours sets `self.lr`, sets
# `self.net` or defines `forward`, and defines `loss(y_hat, y)`. Yours has `forward`, `loss`, `training_step`,
# `validation_step` and `configure_optimizers`. A batch is a tuple or list `(inputs..., targets)` with *one or more* inputs.
#
# **You are done when**
# - **forward**: the model's prediction for X is `self.net` of X, of whatever dtype; where a subclass has a `forward` of its own, all methods use it;
# - **training step**: `training_step(batch)` is the loss of the predictions against the targets, in this order of arguments;
# - **several inputs**: all inputs of a batch go to the model, two, three or more; the batch stays as it was;
# - **graph**: the loss that `training_step` returns can be differentiated;
# - **validation step**: `validation_step(batch)` gives the same value, and leaves the model in its mode (the trainer is the one who stops the
#   recording and calls `eval()`);
# - **optimizer**: `configure_optimizers()` is plain SGD, as `torch.optim.SGD`, over *all* parameters of the model, with the rate `self.lr`;
# - **hole**: `loss` of the base class raises `NotImplementedError` with a message that names the subclass.

# %% exercise="3.2.6"
class MiniModule(nn.Module):
    """The base class of models: predictions, loss, and one step of training and of validation."""
    ### BEGIN SOLUTION
    def forward(self, X):
        return self.net(X)

    def loss(self, y_hat, y):
        raise NotImplementedError(f"{type(self).__name__} has no loss: define loss(self, y_hat, y)")

    def training_step(self, batch):
        *inputs, y = batch
        return self.loss(self(*inputs), y)

    def validation_step(self, batch):
        return self.training_step(batch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)
    ### END SOLUTION

# %% [markdown] hints="3.2.6"
# 1. In a batch `(A, B, y)`, which slice holds the inputs, whatever their number?
# 2. `self(*batch[:-1])` calls the model; `batch[-1]` are the targets. The loss takes predictions first, targets
#    second.
# 3. For a list `row = [1, 2, 3]`, `max(*row[:-1])` is 2: the star hands the entries over one by one.

# %% check="3.2.6" points=3
@probe
def methods_of_module():
    return [name for name in ("loss", "training_step", "validation_step", "configure_optimizers") if hasattr(MiniModule, name)]

@probe
def line_values(weight, X, y):
    class Line(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Linear(weight.shape[1], 1).to(weight.dtype), 0.1
            with torch.no_grad():
                self.net.weight.copy_(weight)
                self.net.bias.zero_()

        def loss(self, y_hat, y):
            return ((y_hat - 2 * y) ** 2).mean()    # not symmetric: the order of the arguments shows

    model = Line()
    values = [model.training_step((X, y)), model.validation_step([X, y])]
    return [model(X)] + [value.item() if hasattr(value, "item") else value for value in values]

@probe
def slopes_of_line(weight, X, y):
    class Line(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Linear(weight.shape[1], 1).to(weight.dtype), 0.1
            with torch.no_grad():
                self.net.weight.copy_(weight)
                self.net.bias.zero_()

        def loss(self, y_hat, y):
            return ((y_hat - y) ** 2).mean()

    model = Line()
    loss = model.training_step((X, y))
    if not hasattr(loss, "backward"):
        return [type(loss).__name__]
    if loss.grad_fn is None:
        return ["a tensor without a graph"]
    loss.backward()
    if model.net.weight.grad is None:
        return ["a tensor whose graph does not lead to the parameters"]
    return ["a tensor with a graph", model.net.weight.grad]

@probe
def product_values(A, B, y):
    class Product(MiniModule):
        def __init__(self):
            super().__init__()
            self.scale, self.lr = nn.Parameter(torch.tensor(3.)), 0.1
            self.net = nn.Identity()

        def forward(self, A, B=None):
            if isinstance(A, (list, tuple)):
                raise TypeError(f"forward takes the inputs one by one; it was called with one {type(A).__name__} of {len(A)}")
            return self.scale * A * (1 if B is None else B)

        def loss(self, y_hat, y):
            return (y_hat - y).abs().sum()

    model = Product()
    values = [model.training_step((A, B, y)), model.validation_step([A, B, y])]
    return [value.item() if hasattr(value, "item") else value for value in values]

@probe
def sum_values(inputs, y):
    class Sum(MiniModule):
        def __init__(self):
            super().__init__()
            self.scale, self.lr = nn.Parameter(torch.tensor(2.)), 0.1

        def forward(self, *inputs):
            return self.scale * sum((k + 1) * each for k, each in enumerate(inputs))

        def loss(self, y_hat, y):
            return (y_hat - y).sum()

    model, batch = Sum(), [*inputs, y]
    values = [model.training_step(batch), model.validation_step(batch)]
    return {"values": [value.item() if hasattr(value, "item") else value for value in values], "batch": batch}

@probe
def picked_values(X, y):
    class Picker(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Identity(), 0.1

        def loss(self, y_hat, y):
            return -y_hat[torch.arange(len(y)), y].mean()

    model = Picker()
    values = [model.training_step((X, y)), model.validation_step((X, y))]
    return [value.item() if hasattr(value, "item") else value for value in values]

@probe
def shapes_for_loss(X, y):
    seen = []

    class Shapes(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Identity(), 0.1

        def loss(self, y_hat, y):
            seen.append([list(y_hat.shape), list(y.shape)])
            return y_hat.sum()

    model = Shapes()
    model.training_step((X, y))
    model.validation_step((X, y))
    return seen

@probe
def own_forward_values(X, y):
    class Doubling(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Identity(), 0.1

        def forward(self, X):
            return 2 * self.net(X) + 1

        def loss(self, y_hat, y):
            return (y_hat - y).sum()

    model = Doubling()
    values = [model.training_step((X, y)), model.validation_step((X, y))]
    return [value.item() if hasattr(value, "item") else value for value in values]

@probe
def values_by_mode(X, y, training):
    """Both steps, and training_step again, of a model that predicts X + 1 in training mode and X in evaluation."""
    class Flagged(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Identity(), 0.1

        def forward(self, X):
            return X + 1.0 * self.training

        def loss(self, y_hat, y):
            return (y_hat - y).sum()

    model = Flagged().train(training)
    values = [step((X, y)) for step in (model.training_step, model.validation_step, model.training_step)]
    return [value.item() if hasattr(value, "item") else value for value in values]

@probe
def moved(lr, gradients, times):
    class Parts(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Linear(1, 1, bias=False), lr
            self.offset, self.shift = nn.Parameter(torch.full((1, 1), 10.0)), nn.Parameter(torch.full((1,), 10.0))
            with torch.no_grad():
                self.net.weight.fill_(10.0)

    model = Parts()
    optimizer = model.configure_optimizers()
    for _ in range(times):
        model.net.weight.grad, model.offset.grad = torch.full((1, 1), gradients[0]), torch.full((1, 1), gradients[1])
        model.shift.grad = torch.full((1,), gradients[1])
        optimizer.step()
    return [model.net.weight.item(), model.offset.item(), model.shift.item()]

@probe
def hole_of_loss(X, y, name):
    class Lossless(MiniModule):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(X.shape[1], 1)

    Lossless.__name__ = Lossless.__qualname__ = name
    try:
        given = Lossless().training_step((X, y))
    except Exception as error:
        return [type(error).__name__, str(error)]
    returned = isinstance(given, BaseException) or isinstance(given, type) and issubclass(given, BaseException)
    return ["an error that is returned" if returned else "no error", ""]

two_X_, two_y_ = torch.tensor([[1.], [2.]]), torch.tensor([[1.], [3.]])
assert_true(len(methods_of_module()) > 0, "MiniModule has some of its methods", of="training step")
with part(0.5, "one input"):
    found_ = line_values(torch.tensor([[3.]]), two_X_, two_y_)
    assert_close(found_[0], torch.tensor([[3.], [6.]]), "the prediction of a model with net 3x for x = 1, 2", of="forward",
                 hint="The prediction for X is self.net(X), with nothing done to it.")
    assert_type(found_[1], float, "what training_step returns", of="training step",
                hint="" if found_[1] is None else "The loss is one number, as the subclass's loss returns it: nothing is put around it.")
    assert_close(found_[1], 0.5, "training_step for predictions 3, 6 and targets 1, 3, where the loss is the mean of (y_hat - 2y)²", of="training step", rtol=1e-5,
                 mistakes={"The loss takes the predictions first, then the targets.": 53.0,
                           "The inputs themselves were compared with the targets: call the model first.": 8.5})
    assert_type(found_[2], float, "what validation_step returns", of="validation step", hint="Return the loss.")
    assert_close(found_[2], 0.5, "validation_step of the same batch", of="validation step", rtol=1e-5,
                 mistakes={"The loss takes the predictions first, then the targets.": 53.0, "The inputs themselves were compared with the targets: call the model first.": 8.5},
                 hint="Both steps give the same value, that of self.loss.")
    assert_equal(shapes_for_loss(two_X_, two_y_), [[[2, 1], [2, 1]]] * 2, "the shapes of y_hat and y that loss gets in both steps, for predictions and targets of shape (2, 1)", of="training step",
                 hint="Hand over both as they are.")
    assert_close(picked_values(torch.tensor([[1., 5., 2.], [7., 3., 4.]]), torch.tensor([1, 2])), [-4.5, -4.5],
                 "both steps of a model with loss(y_hat, y) = -mean of y_hat[i, y[i]], for predictions [[1, 5, 2], [7, 3, 4]] and targets [1, 2]", of="training step", rtol=1e-5,
                 mistakes={"Hand the targets over as they are, in their own shape.": [-3.5, -3.5]})
    assert_dtype(line_values(torch.tensor([[3.]], dtype=torch.float64), two_X_.double(), two_y_.double())[0], torch.float64, "the prediction of a model with a net in float64, for X in float64", of="forward")
with part(0.5, "several inputs, a forward of its own"):
    A_, B_, t_ = torch.tensor([[1., 2.]]), torch.tensor([[3., -1.]]), torch.tensor([[1., 1.]])
    own_ = own_forward_values(two_X_, two_y_ * 3)
    assert_type(own_[1], (int, float), "what validation_step returns, for a subclass with a forward of its own", of="validation step",
                hint="Return the loss.")
    assert_close(own_[0], -4.0, "training_step of a subclass whose forward is 2x + 1 for the net x", of="forward", rtol=1e-5,
                 mistakes={"Call the model, self(...): that uses the subclass's forward.": -9.0, "The loss takes the predictions first, then the targets.": 4.0})
    assert_close(own_[1], -4.0, "validation_step of a subclass whose forward is 2x + 1 for the net x", of="forward", rtol=1e-5,
                 mistakes={"Call the model, self(...): that uses the subclass's forward.": -9.0, "The loss takes the predictions first, then the targets.": 4.0})
    for mode_, right_ in ((True, 1.0), (False, -1.0)):
        assert_close(values_by_mode(two_X_, two_y_, mode_), [right_] * 3, "training_step, validation_step and training_step again, of a model with "
                     f"model.training = {mode_} that predicts x + 1 where it is True, else x", of="validation step", rtol=1e-5,
                     hint="No step calls train() or eval(): the mode is the trainer's business.")
    assert_close(product_values(A_, B_, t_), [15.0, 15.0], "training_step and validation_step of a batch (A, B, y) with forward(A, B) = 3 A B", of="several inputs", rtol=1e-5,
                 mistakes={"Hand the targets over as they are, in their own shape.": [30.0, 30.0], "The first input alone went to the model, in both steps.": [7.0, 7.0], "The first input alone went to the model, in validation_step.": [15.0, 7.0],
                           "The first input alone went to the model, in training_step.": [7.0, 15.0]},
                 hint="All entries of a batch but the last are inputs.")
    three_ = sum_values([A_.clone(), B_.clone(), 2 * A_], t_.clone())
    assert_equal(len(three_["batch"]), 4, "the length of the list [A, B, 2A, y] after both steps", of="several inputs", hint="Do not change the batch that you are given.")
    assert_close(three_["values"], [48.0, 48.0], "training_step and validation_step of a batch [A, B, 2A, y] with forward(A, B, C) = 2 (A + 2B + 3C)", of="several inputs", rtol=1e-5,
                 mistakes={"Hand the targets over as they are, in their own shape.": [96.0, 96.0]},
                 hint="All entries of a batch but the last are inputs.")
    assert_close(three_["batch"][3], t_, "the targets in that list after both steps", of="several inputs")
with part(0.5, "graph, optimizer, hole"):
    assert_equal(slopes_of_line(torch.tensor([[3.]]), two_X_, two_y_)[0], "a tensor with a graph", "what training_step returns", of="graph",
                 mistakes={"The loss that training_step returns has no graph: neither detach it nor stop the recording.": "a tensor without a graph",
                           "training_step must return the loss as a tensor, with its graph, not as a number.": "float",
                           "The loss has a graph, but it does not lead to the model's weight: do not detach the predictions.": "a tensor whose graph does not lead to the parameters"})
    assert_close(slopes_of_line(torch.tensor([[3.]]), two_X_, two_y_)[1], torch.tensor([[8.]]), "the slope of training_step's loss, the mean of (y_hat - y)², in the weight 3 at (1, 1) and (2, 3)", of="graph")
    assert_close(moved(0.1, [5., -2.], 1), [9.5, 10.2, 10.2], "net's weight and two parameters beside net, of shapes (1, 1) and (1,), all 10, after one step with lr 0.1 and gradients 5, -2 and -2", of="optimizer", rtol=1e-5,
                 mistakes={"A parameter that is not part of net was not moved: hand over all of the model's parameters.": [9.5, 10.0, 10.0],
                           "All moved by the rate, whatever their gradients, as Adam's first step does: plain SGD moves by rate times gradient.": [9.9, 10.1, 10.1],
                           "This is the step for torch's own rate, 0.001: the rate is self.lr.": [9.995, 10.002, 10.002]},
                 hint="Plain SGD moves each parameter by rate times gradient, and by nothing else.")
    assert_close(moved(0.02, [5., -2.], 1), [9.9, 10.04, 10.04], "all three after one step with lr 0.02 and the same gradients", of="optimizer", rtol=1e-5,
                 mistakes={"This is the step for the rate 0.1: the rate is self.lr.": [9.5, 10.2, 10.2]})
    assert_close(moved(0.02, [5., -2.], 3), [9.7, 10.12, 10.12], "all three after three steps with lr 0.02 and the same gradients", of="optimizer", rtol=1e-5, hint="The first step was right: plain SGD has no momentum, each step goes by rate times gradient.")
    assert_equal(hole_of_loss(two_X_, two_y_, "Lossless")[0], "NotImplementedError", "the error of a subclass Lossless that does not define loss, in training_step", of="hole",
                 mistakes={"An error is raised, not returned: write raise.": "an error that is returned",
                           "The base class must not have a loss of its own.": "no error"})
    assert_true("Lossless" in hole_of_loss(two_X_, two_y_, "Lossless")[1], "the error's message names the subclass, Lossless", of="hole", hint="type(self).__name__ is the name of the subclass.")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(31)
W_, X_, y_ = (torch.randn(*shape, generator=rng_) for shape in ((1, 3), (7, 3), (7, 1)))
with part(0.5, "one input, other sizes"):
    found_ = line_values(W_, X_, y_)
    assert_type(found_[2], (int, float), "what validation_step returns, 7 examples with 3 features", of="validation step", hint="Return the loss.")
    assert_close(found_[0], X_ @ W_.T, "predictions for 7 examples with 3 features", of="forward",
                 hint="The prediction for X is self.net(X), with nothing done to it.")
    assert_close(found_[1], ((X_ @ W_.T - 2 * y_) ** 2).mean().item(), "training_step, 7 examples with 3 features", of="training step", rtol=1e-4,
                 hint="It is self.loss of the predictions and the targets, in this order.")
    picks_ = torch.arange(7) % 3
    assert_equal(shapes_for_loss(X_[:1], y_[:1]), [[[1, 3], [1, 1]]] * 2, "the shapes of y_hat and y that loss gets in both steps, for one example", of="training step")
    assert_close(picked_values(X_, picks_), [-X_[torch.arange(7), picks_].mean().item()] * 2, "both steps of a model whose targets are row numbers, 7 examples", of="training step", rtol=1e-4)
    assert_dtype(line_values(W_.double(), X_.double(), y_.double())[0], torch.float64, "predictions in float64", of="forward")
    assert_close(found_[2], ((X_ @ W_.T - 2 * y_) ** 2).mean().item(), "validation_step, 7 examples with 3 features", of="validation step", rtol=1e-4,
                 hint="It is the value that training_step returns for the same batch.")
with part(0.5, "several inputs, a forward of its own, other sizes"):
    A_, B_, t_ = (torch.randn(5, 2, generator=rng_) for _ in range(3))
    assert_type(own_forward_values(X_, 3 * X_)[1], (int, float),
                "what validation_step returns, for a subclass with a forward of its own", of="validation step", hint="Return the loss.")
    assert_close(own_forward_values(X_, 3 * X_), [(1 - X_).sum().item()] * 2, "both steps of a subclass with a forward of its own", of="forward", atol=1e-4)
    for mode_ in (False, True):
        assert_close(values_by_mode(X_, y_, mode_), [(X_ + mode_ - y_).sum().item()] * 3,
                     f"three steps of a model with model.training = {mode_}", of="validation step", rtol=1e-4, atol=1e-4)
    assert_close(product_values(A_, B_, t_), [(3 * A_ * B_ - t_).abs().sum().item()] * 2, "both steps of a batch with two inputs", of="several inputs", rtol=1e-4)
    four_ = sum_values([A_.clone(), B_.clone(), t_ - A_, B_ + 1], t_.clone())
    assert_equal(len(four_["batch"]), 5, "the length of a batch with four inputs after both steps", of="several inputs")
    assert_close(four_["values"], [(2 * (A_ + 2 * B_ + 3 * (t_ - A_) + 4 * (B_ + 1)) - t_).sum().item()] * 2, "both steps of a batch with four inputs", of="several inputs", rtol=1e-3)
with part(0.5, "graph, optimizer, hole, other values"):
    assert_equal(slopes_of_line(W_, X_, y_)[0], "a tensor with a graph", "what training_step returns, 7 examples with 3 features", of="graph")
    assert_close(slopes_of_line(W_, X_, y_)[1], 2 * (X_ @ W_.T - y_).T @ X_ / 7, "the slopes in three weights", of="graph", atol=1e-5)
    assert_close(moved(0.5, [-1., 3.], 4), [12.0, 4.0, 4.0], "three parameters after four steps", of="optimizer", rtol=1e-5,
                 hint="Plain SGD moves every parameter of the model, in every step by self.lr times its gradient.")
    assert_equal(hole_of_loss(X_, y_, "Quiet")[0], "NotImplementedError", "the error of a subclass Quiet that does not define loss", of="hole")
    assert_true("Quiet" in hole_of_loss(X_, y_, "Quiet")[1], "the message names the subclass, Quiet", of="hole")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="trainer, number of batches"
# ## The loop: every step in its place
#
# Two of the three threads are out. What is left is the loop, and the trainer is nothing else. Its method `fit` makes ready
# and then counts the epochs. Without what it can do besides (checkpoints, messages, a progress bar) it reads
#
# ```python
# def fit(self, model, data):
#     self.epoch = self.train_batch_idx = self.val_batch_idx = 0
#     self.prepare_data(data)                          # ask data for the two loaders, count their batches
#     self.prepare_model(model)                        # model.trainer = self; put the model on the device
#     self.optim = model.configure_optimizers()        # in the library: self._optimizer(), which calls this
#     for epoch in range(self.max_epochs):
#         self.epoch = epoch
#         self.fit_epoch()
# ```
#
# and `fit_epoch`, the heart of every training in this book, goes once through the training rows and once through the
# validation rows. Here it is, unchanged:

# %% tags=["demo"]
print(inspect.getsource(d2l.Trainer.fit_epoch))

# %% [markdown]
# - `self._step(method, batch)` calls `self.prepare_batch`, which moves the batch to the device, and then the method with it.
# - Every training batch is followed by *one* step of the optimizer; `zero_grad()` stands before `backward()`, which adds to
#   what is in `.grad`. The branch with `gradient_clip_val` shortens gradients that are too long; its default, 0, means never.
#   The block `no_grad` around `step()` is for optimizers that you write yourself; torch's stop the recording in `step()` on their own.
# - `train_batch_idx` counts the training batches of all epochs: the board needs it to know where on the x axis it is.
#   `val_batch_idx` counts the validation batches.
# - A data module may have no validation rows: then its loader is `None`.
#
# So the whole of it is a matter of counting. With 200 training rows, 100 validation rows, batches of 32 and 5 epochs there
# are 7 training batches in each epoch, the last with 8 rows, so $5 \cdot 7 = 35$ steps of the optimizer; and 4 validation
# batches, so 20 validation steps. Let us ask the trainer:

# %% tags=["demo"]
torch.manual_seed(0)
data = d2l.SyntheticRegressionData(w=torch.tensor([2.0]), b=4.2, noise=0.5, num_train=200, num_val=100, batch_size=32)
model, trainer = Slope(lr=0.1), d2l.Trainer(max_epochs=5, device="cpu")
model.board.ylabel = "loss"
trainer.fit(model, data)
print("training batches in an epoch:", trainer.num_train_batches, "  steps in all:", trainer.train_batch_idx)
print("validation batches in an epoch:", trainer.num_val_batches)
print(f"slope {model.net.weight.item():.2f}, intercept {model.net.bias.item():.2f}")

# %% [markdown]
# The curves grew while the model trained: the training loss, a point for three batches, and the validation loss, a point for each epoch. Both come
# near the 0.125 that the noise leaves. `d2l.SyntheticRegressionData` is the data module of section 3.3; not one line of
# `Slope` had to know it.

# %% [markdown] task="3.2.D" kind="code" minutes=3 difficulty=1 core=true needs="number of batches, epoch, validation set"
# ### How many steps?
#
# Write `counts(num_train, num_val, batch_size, epochs)`: for `d2l.Trainer(epochs)` and a loader that keeps the smaller last
# batch, the pair of the number of steps of the optimizer and the number of calls of `validation_step`, in the whole
# training. `num_val` may be 0.
#
# **You are done when**
# - **whole numbers**: both are of type `int`;
# - **updates**: the first is the number of steps of the optimizer;
# - **validation steps**: the second is the number of calls of `validation_step`.

# %% exercise="3.2.D"
def counts(num_train, num_val, batch_size, epochs):
    """(steps of the optimizer, validation steps) of a whole training."""
    ### BEGIN SOLUTION
    train_batches = (num_train + batch_size - 1) // batch_size
    val_batches = (num_val + batch_size - 1) // batch_size
    return epochs * train_batches, epochs * val_batches
    ### END SOLUTION

# %% [markdown] hints="3.2.D"
# 1. How many batches of 4 are there in 8 rows, in 9, in 12, in 0?
# 2. `a // b` rounds down; `(a + b - 1) // b` rounds up.
# 3. Boxes for 6 eggs each: 13 eggs need `(13 + 5) // 6 = 3` boxes, and three such deliveries 9.

# %% check="3.2.D" points=1
seven_ = counts(200, 100, 32, 5)
assert_type(seven_, (tuple, list), "counts(200, 100, 32, 5)", of="whole numbers")
assert_equal(len(seven_), 2, "the number of entries of counts(200, 100, 32, 5)", of="whole numbers")
assert_type(seven_[0], int, "the first entry of counts(200, 100, 32, 5)", of="whole numbers", hint="`/`, float() and np.ceil() give floats; `//` and math.ceil() give whole numbers of type int.")
assert_type(seven_[1], int, "the second entry of counts(200, 100, 32, 5)", of="whole numbers", hint="`/`, float() and np.ceil() give floats; `//` and math.ceil() give whole numbers of type int.")
assert_equal(counts(100, 40, 32, 3)[0], 12, "the steps for 100 training rows in batches of 32, 3 epochs", of="updates",
             hint="100 rows make three batches of 32 and one of 4: four steps in an epoch.",
             mistakes={"The last, smaller batch counts as well: round up, neither down nor to the nearest whole number.": 9,
                       "There is a step for each batch, not for each row.": 300, "These are the steps of one epoch.": 4,
                       "Round up in each epoch, then multiply: every epoch ends with its own smaller batch.": 10,
                       "This is the number of validation steps: that of the optimizer's steps comes first.": 6,
                       "The optimizer makes no step in validation: these are the batches of both kinds.": 18,
                       "These are 5 steps in an epoch. 100 training rows make 4 batches, and validation rows bring no step.": 15})
assert_equal(counts(64, 40, 32, 3)[0], 6, "the steps for 64 training rows in batches of 32, 3 epochs", of="updates",
             hint="64 rows make exactly two batches of 32: two steps in an epoch.", mistakes={"64 rows make exactly two batches.": 9})
assert_equal(counts(100, 72, 32, 4)[1], 12, "the validation steps for 72 validation rows in batches of 32, 4 epochs", of="validation steps",
             hint="72 rows make two batches of 32 and one of 8: three validation steps in an epoch.",
             mistakes={"72 validation rows make three batches, the smaller last one of 8 rows included; two are counted here.": 8,
                       "There is a step for each batch, not for each row.": 288, "There is validation after every epoch, not only at the end.": 3,
                       "There is a validation step for each batch, not one for each epoch.": 4, "Round up in each epoch, then multiply: every epoch ends with its own smaller batch.": 9,
                       "There is no validation before the first epoch.": 15})
assert_equal(counts(100, 64, 32, 3)[1], 6, "the validation steps for 64 validation rows in batches of 32, 3 epochs", of="validation steps", mistakes={"64 rows make exactly two batches.": 9})
assert_equal(counts(100, 0, 32, 3)[1], 0, "the validation steps without validation rows", of="validation steps", mistakes={"0 rows make no batch, so there is no validation step.": 3})
### BEGIN HIDDEN TESTS
for train_, val_, size_, epochs_ in ((1, 0, 7, 2), (35, 70, 7, 4), (36, 71, 7, 1), (34, 6, 10, 6), (5, 9, 1, 3)):
    assert_type(counts(train_, val_, size_, epochs_)[0], int, "the first entry for other numbers", of="whole numbers")
    assert_equal(counts(train_, val_, size_, epochs_)[0], epochs_ * -(-train_ // size_), f"the steps for {train_} training rows in batches of {size_}, {epochs_} epochs", of="updates",
                 hint="How many batches has one epoch, the smaller last one included? Each of them is one step, in every epoch.")
    assert_equal(counts(train_, val_, size_, epochs_)[1], epochs_ * -(-val_ // size_), f"the validation steps for {val_} validation rows in batches of {size_}, {epochs_} epochs", of="validation steps",
                 hint="How many batches do the validation rows make, the smaller last one included? All of them come after every epoch.")
### END HIDDEN TESTS

# %% [markdown] task="3.2.1a" kind="code" minutes=10 difficulty=2 core=true needs="trainer, number of batches, optimizer"
# ### Who is called, and when
#
# To change a framework you must know when it calls your code.
#
# Write `call_order(num_epochs, num_train_batches, num_val_batches)`. It returns the list of names that
# `d2l.Trainer(num_epochs).fit(model, data)` calls, in order. List only these eight:
#
# - of the trainer: `"prepare_data"`, `"prepare_model"`, `"fit_epoch"`;
# - of the model: `"configure_optimizers"`, `"training_step"`, `"validation_step"`;
# - of the optimizer: `"zero_grad"`, `"step"`.
#
# There is at least one epoch and one training batch. `num_val_batches` may be 0: there is no validation loader then.
#
# **You are done when**
# - **before the epochs**: what comes before the first `"fit_epoch"` is right;
# - **training batches**: batch by batch, the three names that belong to it follow in order;
# - **validation batches**: the names for the validation batches stand where they belong;
# - **every epoch**: what is repeated in every epoch is repeated, from `"fit_epoch"` on.

# %% exercise="3.2.1a"
def call_order(num_epochs, num_train_batches, num_val_batches):
    """The names called during fit, in order: a list of strings."""
    ### BEGIN SOLUTION
    names = ["prepare_data", "prepare_model", "configure_optimizers"]
    for _ in range(num_epochs):
        names += ["fit_epoch"]
        names += ["training_step", "zero_grad", "step"] * num_train_batches
        names += ["validation_step"] * num_val_batches
    return names
    ### END SOLUTION

# %% [markdown] hints="3.2.1a"
# 1. Which of the eight happen once, which once for each epoch, which once for each batch?
# 2. `print(inspect.getsource(d2l.Trainer.fit))` shows all of it. A subclass whose methods print their names and then call
#    `super()` shows it while it runs.
# 3. For a kitchen: `["open"] + (["course"] + ["dish", "wash"] * 2) * 3 + ["close"]` is an evening with three courses
#    of two dishes.

# %% check="3.2.1a" points=2
import itertools

def blocks_of(names):
    """The names of each epoch, without fit_epoch."""
    blocks = []
    for name in names:
        if name == "fit_epoch":
            blocks.append([])
        elif blocks:
            blocks[-1].append(name)
    return blocks

def epoch_hint(blocks, val_batches, right):
    once = [name for name in ("prepare_data", "prepare_model", "configure_optimizers") if any(name in block for block in blocks)]
    if once:
        return f"{once[0]} is called once, before the first epoch."
    if blocks and not blocks[-1]:
        return "Nothing stands behind the last fit_epoch: fit_epoch comes first, then what its epoch holds."
    if val_batches and any("validation_step" not in block for block in blocks):
        return "Every epoch ends with the validation batches, not only the last one."
    for name in ("training_step", "zero_grad", "step", "validation_step"):
        if blocks and len(blocks) == len(right) and all(block.count(name) > other.count(name) for block, other in zip(blocks, right)):
            return f"{name} comes too often in each epoch."
    return ""

def check_calls(epochs, train_batches, val_batches, of, hint, wanted):
    """`wanted`: the names that are right, in order."""
    case = f"call_order({epochs}, {train_batches}, {val_batches})"
    names = list(call_order(epochs, train_batches, val_batches))
    start = names.index("fit_epoch") if "fit_epoch" in names else len(names)
    if of == "before the epochs":
        early = [name for name in names[:start] if name in ("training_step", "zero_grad", "step", "validation_step")]
        assert_equal(early, [], f"the names of an epoch that stand before the first fit_epoch in {case}", of="before the epochs", hint="fit_epoch is called first; what an epoch holds is called by it.")
        assert_equal(names[:start], wanted[:3], f"what comes before the first fit_epoch in {case}", of="before the epochs", hint=hint,
                     mistakes={"fit prepares the data first, then the model.": ["prepare_model", "prepare_data", "configure_optimizers"],
                               "The optimizer is asked for after the model was prepared.": ["prepare_data", "configure_optimizers", "prepare_model"],
                               "configure_optimizers is called before the first epoch.": ["prepare_data", "prepare_model"]})
    elif of == "training batches":
        trio = ("training_step", "zero_grad", "step")
        assert_equal([name for name in names if name in trio], [name for name in wanted if name in trio], f"training_step, zero_grad and step in {case}", of="training batches", hint=hint,
                     mistakes={"The optimizer moves after every batch, not once for an epoch.": ["training_step"] * train_batches + ["zero_grad", "step"],
                               "One step for the epoch's last batch alone is too few: the optimizer moves after every batch.": ["training_step", "zero_grad"] * train_batches + ["step"],
                               "The loss is computed first: zero_grad stands after training_step.": ["zero_grad", "training_step", "step"] * train_batches,
                               "zero_grad stands before step: behind it, what stood in .grad before the first batch would be added to that batch's gradients.": ["training_step", "step", "zero_grad"] * train_batches,
                               "A batch is finished, its step included, before the next one begins.": ["training_step"] * train_batches + ["zero_grad", "step"] * train_batches,
                               "All three names come for one batch before the first of them comes for the next: here each name comes for all batches at once.":
                                   ["training_step"] * train_batches + ["zero_grad"] * train_batches + ["step"] * train_batches,
                               "zero_grad is called for each batch, after its training_step, and not once in an epoch.": ["zero_grad"] + ["training_step", "step"] * train_batches,
                               "There is no training batch here: their number is the second argument.": []})
    elif of == "validation batches":
        steps = ("training_step", "validation_step")
        assert_equal([name for name in names if name in steps], [name for name in wanted if name in steps], f"training_step and validation_step in {case}", of="validation batches", hint=hint,
                     mistakes={} if epochs > 1 or val_batches < 2 else {
                         "validation_step is called for each validation batch, not once for all.": ["training_step"] * train_batches + ["validation_step"],
                         "In an epoch the training batches come first, then the validation batches.": ["validation_step"] * val_batches + ["training_step"] * train_batches,
                         "All training batches are done before the first validation batch.": ["training_step", "validation_step"] * val_batches,
                         "validation_step is missing.": ["training_step"] * train_batches})
        assert_equal(max(0, names.count("step") - wanted.count("step")), 0, f"how many calls of step there are too many in {case}", of="validation batches",
                     hint="Each training batch has one step. The optimizer moves nothing in validation.")
        for name in ("zero_grad", "step"):
            mine, theirs = ([key for key, _ in itertools.groupby(each for each in every if each in (name, "validation_step"))] for every in (names, wanted))
            assert_equal(mine, theirs, f"how {name} and validation_step take turns in {case}", of="validation batches",
                         hint="The optimizer has no part in validation." if names.count(name) > wanted.count(name) else "All training batches are done before the first validation batch.")
    else:
        eight = {"prepare_data", "prepare_model", "fit_epoch", "configure_optimizers", "training_step", "validation_step", "zero_grad", "step"}
        assert_equal(sorted(set(map(str, names)) - eight), [], f"the names in {case} that are not among the eight", of="every epoch", hint="List only the eight names.")
        assert_equal(len(blocks_of(names)), epochs, f"how often fit_epoch is called in {case}", of="every epoch",
                     mistakes={"fit_epoch is called once for every epoch, not once in all.": 1, "fit_epoch is among the names that are asked for.": 0})
        assert_equal([sorted(block) for block in blocks_of(names)], [sorted(block) for block in blocks_of(wanted)], f"what each epoch of {case} calls, in alphabetical order", of="every epoch",
                     hint=lambda: epoch_hint(blocks_of(names), val_batches, blocks_of(wanted)) or hint)

twice_validated = ["prepare_data", "prepare_model", "configure_optimizers", "fit_epoch", "training_step", "zero_grad", "step", "validation_step",
                   "fit_epoch", "training_step", "zero_grad", "step", "validation_step"]
assert_type(call_order(1, 1, 0), (list, tuple), "call_order(1, 1, 0)", of="before the epochs")
with part(0.25, "before the epochs"):
    check_calls(1, 1, 0, "before the epochs", "Read fit from the top: data, model, optimizer, then the epochs.",
                ["prepare_data", "prepare_model", "configure_optimizers", "fit_epoch", "training_step", "zero_grad", "step"])
    check_calls(2, 1, 1, "before the epochs", "Read fit from the top: data, model, optimizer, then the epochs.", twice_validated)
with part(0.25, "training batches"):
    check_calls(1, 2, 0, "training batches", "One epoch, no validation: fit_epoch, and then three names for each training batch. Where does zero_grad stand?",
                ["prepare_data", "prepare_model", "configure_optimizers", "fit_epoch", "training_step", "zero_grad", "step", "training_step", "zero_grad", "step"])
with part(0.25, "validation batches"):
    check_calls(1, 2, 2, "validation batches", "The validation batches follow the training batches; no optimizer has a part in them.",
                ["prepare_data", "prepare_model", "configure_optimizers", "fit_epoch", "training_step", "zero_grad", "step", "training_step", "zero_grad", "step",
                 "validation_step", "validation_step"])
    check_calls(2, 2, 0, "validation batches", "Without a validation loader validation_step is not called.",
                ["prepare_data", "prepare_model", "configure_optimizers", "fit_epoch", "training_step", "zero_grad", "step", "training_step", "zero_grad", "step",
                 "fit_epoch", "training_step", "zero_grad", "step", "training_step", "zero_grad", "step"])
with part(0.25, "every epoch"):
    check_calls(2, 1, 1, "every epoch", "What fit_epoch does, it does in every epoch, validation too; what stands before the loop in fit happens once.", twice_validated)
### BEGIN HIDDEN TESTS
def traced(epochs, train_batches, val_batches):
    """Trains with classes that note each call."""
    seen = []

    def logged(parent, *names):
        def log(name):
            def method(self, *args, **kwargs):
                seen.append(name)
                return getattr(parent, name)(self, *args, **kwargs)
            method.__name__ = name
            return method
        return type(parent.__name__, (parent,), {name: log(name) for name in names})

    Optimizer = logged(torch.optim.SGD, "zero_grad", "step")

    class Model(d2l.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(1, 1)
            self.board.display = False

        def loss(self, y_hat, y):
            return ((y_hat - y) ** 2).mean()

        def configure_optimizers(self):
            return Optimizer(self.parameters(), lr=0.1)

    class Data(d2l.DataModule):
        batch_size = 4

        def get_dataloader(self, train):
            n = 4 * (train_batches if train else val_batches)
            return self.get_tensorloader((torch.zeros(n, 1), torch.zeros(n, 1)), False) if n else None

    model = logged(Model, "configure_optimizers", "training_step", "validation_step")()
    logged(d2l.Trainer, "prepare_data", "prepare_model", "fit_epoch")(epochs, device="cpu", verbose=False).fit(
        model, Data())
    return seen

with part(0.25, "before the epochs, other numbers"):
    check_calls(3, 2, 2, "before the epochs", "Read fit from the top.", traced(3, 2, 2))
with part(0.25, "training batches, other numbers"):
    check_calls(1, 4, 0, "training batches", "Three names for each training batch.", traced(1, 4, 0))
with part(0.25, "validation batches, other numbers"):
    check_calls(1, 3, 5, "validation batches", "They follow the training batches.", traced(1, 3, 5))
with part(0.25, "every epoch, other numbers"):
    check_calls(4, 1, 0, "every epoch", "What fit_epoch does, it does in every epoch, and nothing else is done there.", traced(4, 1, 0))
    check_calls(3, 2, 4, "every epoch", "What fit_epoch does, it does in every epoch, and nothing else is done there.", traced(3, 2, 4))
total()
### END HIDDEN TESTS

# %% [markdown] teaches="flag of training mode, flag and recording"
# ## Two switches that are easily confused
#
# `fit_epoch` has two switches around the validation half, `model.eval()` and `torch.no_grad()`. They do different things.
#
# - `model.train()` and `model.eval()` only set the flag `model.training`, True or False. Some layers look at it. One is
#   dropout (section 5.6): in training it sets outputs to zero at random and doubles the others (at rate 0.5), in evaluation it
#   lets all through. Without `eval()` the validation loss would be that of a model with holes.
# - `torch.no_grad()` only stops autograd from recording. Without it the values are the same, but each validation batch
#   builds a graph that nobody uses, which costs time and memory.

# %% tags=["demo"]
torch.manual_seed(2)
holes = nn.Dropout(0.5)
ones = torch.ones(6)
holes.train()
print("training mode:  ", holes(ones).tolist())
holes.eval()
print("evaluation mode:", holes(ones).tolist())

layer = nn.Linear(1, 1)
layer.eval()
print("after eval():      flag", layer.training, " gradients recorded:", layer(torch.ones(1, 1)).requires_grad)
layer.train()
with torch.no_grad():
    print("inside no_grad():  flag", layer.training, " gradients recorded:", layer(torch.ones(1, 1)).requires_grad)

# %% [markdown]
# ⚠ `eval()` does not switch gradients off, and `no_grad()` does not set the flag. The flag stays as it was set until
# somebody sets it again, `no_grad()` ends with its block.

# %% [markdown] task="3.2.E" kind="answer" minutes=3 difficulty=2 core=true needs="flag and recording, no_grad"
# ### Flag and recording
#
# ```python
# layer, x = nn.Linear(1, 1), torch.ones(1, 1)
# layer.eval()
# out = layer(x)              # A
# with torch.no_grad():
#     out = layer(x)          # B
#     layer.train()
#     out = layer(x)          # C
#     layer.eval()
# out = layer(x)              # D
# ```
#
# Bind `states`, a dictionary with the keys `"A"` to `"D"`. Each value is a pair: `layer.training` and
# `out.requires_grad` after that line, True or False. Work it out before you run it.
#
# **You are done when**
# - **form**: there are the four keys, each with a pair of truth values;
# - **flag**: the first of each pair is right;
# - **recording**: the second of each pair is right.

# %% exercise="3.2.E"
### BEGIN SOLUTION
states = {"A": (False, True), "B": (False, False), "C": (True, False), "D": (False, True)}
### END SOLUTION

# %% [markdown] hints="3.2.E"
# 1. Which lines set the flag? Which lines stand inside the block of `no_grad`?
# 2. The two switches do not touch each other.
# 3. In `layer.train()` and then `out = layer(x)`, without a block, the pair is `(True, True)`.

# %% check="3.2.E" points=1
def watched_states():
    found, layer, x = {}, nn.Linear(1, 1), torch.ones(1, 1)

    def note(key):
        found[key] = (layer.training, layer(x).requires_grad)

    layer.eval()
    note("A")
    with torch.no_grad():
        note("B")
        layer.train()
        note("C")
        layer.eval()
    note("D")
    return found

assert_type(states, dict, "states", of="form")
assert_equal(sorted(map(str, states)), ["A", "B", "C", "D"], "the keys of states", of="form")
for letter_ in "ABCD":
    assert_type(states[letter_], (tuple, list), f"the entry {letter_}", of="form")
    assert_equal([type(each).__name__ for each in states[letter_]], ["bool", "bool"], f"the types of the entry {letter_}", of="form")
turned_ = all(tuple(states[letter])[::-1] == pair for letter, pair in watched_states().items())
for letter_, wanted_ in watched_states().items():
    assert_equal(states[letter_][0], wanted_[0], f"layer.training after line {letter_}", of="flag",
                 hint="All four pairs are the other way round: layer.training comes first." if turned_ else "Only train() and eval() set the flag, wherever they stand.")
for letter_, wanted_ in watched_states().items():
    assert_equal(states[letter_][1], wanted_[1], f"out.requires_grad after line {letter_}", of="recording", hint="Only the block of no_grad stops the recording, and only inside it.")
### BEGIN HIDDEN TESTS
assert_equal(len(states), 4, "the number of entries", of="form")
assert_equal([states[letter_][0] for letter_ in "ABCD"], [False, False, True, False], "the flags", of="flag")
assert_equal([states[letter_][1] for letter_ in "ABCD"], [True, False, False, True], "the recordings", of="recording")
### END HIDDEN TESTS

# %% [markdown]
# ## Your own trainer
#
# The next exercise writes the loop; its check must see what the loop does. `record_training` builds a linear model (that of
# section 3.4, which comes later; here only its loss matters) whose steps note what they meet, trains it with the trainer that `make_trainer(epochs)` returns, on `X` (n, d) and `y` (n, 1)
# in the given order, the first `num_train` rows for training, and returns what happened. Where `num_train` is n there is
# no validation loader.

# %% tags=["setup"]
def record_training(make_trainer, w, X, y, num_train, batch_size, epochs, lr):
    """Train a line from the weight w (d, 1) and the bias 0.

    Returns a dictionary: "w" and "b" at the end; "seen", a list with an entry for each step, which is [0 in training or
    1 in validation, the flag model.training, gradients recorded, trainer.epoch, trainer.train_batch_idx, loss], with -1
    where the trainer has no such attribute; "optimizers", how often configure_optimizers was called; and "after", the
    trainer's num_train_batches, num_val_batches, len(train_dataloader), len(val_dataloader) or 0 for None,
    train_batch_idx, and 1 if model.trainer is the trainer, else 0.
    """
    seen, optimizers = [], []

    class Watched(d2l.LinearRegressionScratch):
        def note(self, kind, loss):
            tied = getattr(self, "trainer", None)
            seen.append([kind, int(self.training), int(torch.is_grad_enabled()), getattr(tied, "epoch", -1),
                         getattr(tied, "train_batch_idx", -1), float(loss.detach())])
            return loss

        def training_step(self, batch):
            return self.note(0, self.loss(self(*batch[:-1]), batch[-1]))

        def validation_step(self, batch):
            self.note(1, self.loss(self(*batch[:-1]), batch[-1]))

        def configure_optimizers(self):
            optimizers.append(super().configure_optimizers())
            return optimizers[-1]

    class Rows(d2l.DataModule):
        def get_dataloader(self, train):
            rows = slice(0, num_train) if train else slice(num_train, None)
            return self.get_tensorloader((X, y), False, rows) if train or num_train < len(X) else None

    def length(name):
        loader = getattr(trainer, name, -1)
        return 0 if loader is None else len(loader) if hasattr(loader, "__len__") else -1

    model, data = Watched(X.shape[1], lr), Rows()
    data.batch_size = batch_size
    model.board.display = False
    with torch.no_grad():
        model.w.copy_(w)
    trainer = make_trainer(epochs)
    trainer.fit(model, data)
    return {"w": model.w.detach(), "b": model.b.detach(), "seen": seen, "optimizers": len(optimizers),
            "after": [getattr(trainer, "num_train_batches", -1), getattr(trainer, "num_val_batches", -1), length("train_dataloader"),
                      length("val_dataloader"), getattr(trainer, "train_batch_idx", -1), int(getattr(model, "trainer", None) is trainer)]}

def d2l_trainer(epochs):
    """The trainer of d2l_utils, silent and on the CPU."""
    return d2l.Trainer(epochs, device="cpu", verbose=False)

# %%
rehearsal = record_training(d2l_trainer, w=torch.tensor([[1.0]]), X=torch.tensor([[1.0], [2.0], [3.0]]),
                            y=torch.tensor([[3.0], [5.0], [7.0]]), num_train=2, batch_size=1, epochs=2, lr=0.1)
for in_validation, flag, recorded, epoch_now, batch_now, loss_now in rehearsal["seen"]:
    print(f"{'validation' if in_validation else 'training  '}  flag {flag}  recorded {recorded}  epoch {epoch_now}  "
          f"batch {batch_now}  loss {loss_now:.3f}")

# %% [markdown]
# Two epochs of two training batches and one validation batch: six steps. The flag and the recording go down in
# validation and up again; the batches of both epochs are counted on.

# %% [markdown] task="3.2.7" kind="code" minutes=20 difficulty=4 core=true needs="trainer, number of batches, flag and recording, optimizer, data module, no_grad"
# ### A small Trainer
#
# Write `MiniTrainer(max_epochs)` with the method `fit(model, data)`, which trains a `d2l.Module` on a
# `d2l.DataModule` as `d2l.Trainer` does, on the CPU, without plots, checkpoints and messages of its own.
#
# **You are done when**
# - **set-up**: `fit` stores the loaders as `self.train_dataloader` and `self.val_dataloader`, their lengths as
#   `self.num_train_batches` and `self.num_val_batches` (0 for a loader that is `None`), and the trainer as `model.trainer`; it
#   asks the model for an optimizer once, and the data once for each loader;
# - **order**: in each epoch the loaders are gone through anew: every training batch goes through `model.training_step`, then
#   every validation batch, where there are any, through `model.validation_step`;
# - **flag**: `model.training`, and with it the flag of each layer, is True in training steps and False in validation steps, in every epoch,
#   however it stood before `fit`;
# - **recording**: gradients are recorded in training steps and not in validation steps, and after `fit` as before;
# - **counters**: during a step `self.epoch` is the number of the epoch, from 0 on, and `self.train_batch_idx` the number of training
#   batches done before, in all epochs together; after `fit` `self.train_batch_idx` is the number of all training batches; a second `fit` counts from 0 again;
# - **updates**: each training batch is followed by one `step()` of the optimizer (its `zero_grad()` and `step()` take no arguments)
#   with the gradients of that batch alone, whatever stood in `.grad` before, and nothing else moves the parameters;
# - **by hand**: it does so without `d2l.Trainer`.
#
# `d2l.Module.plot` reads these attributes.

# %% exercise="3.2.7"
class MiniTrainer:
    """Trains a model on data: `MiniTrainer(max_epochs).fit(model, data)`."""
    ### BEGIN SOLUTION
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, model, data):
        self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else len(self.val_dataloader)
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
            model.eval()
            with torch.no_grad():
                for batch in self.val_dataloader or ():
                    model.validation_step(batch)
    ### END SOLUTION

# %% [markdown] hints="3.2.7"
# 1. Which of `train`, `eval`, `no_grad`, `zero_grad` must be repeated in every epoch, and which for every batch?
# 2. The order for one batch is: loss, gradients to zero, backward, step. The error "has no trainer yet" says that
#    `model.trainer` was not set.
# 3. Without classes: `for batch in batches: loss = f(w, batch); w.grad = None; loss.backward(); ...` and the update
#    of `w` inside `torch.no_grad()`, as on the first page of this section.

# %% check="3.2.7" points=4
@probe
def trained_by_you(w, X, y, num_train, batch_size, epochs, lr):
    return record_training(MiniTrainer, w, X, y, num_train, batch_size, epochs, lr)

@probe
def watched_fit(rows, val_rows, epochs):
    """Two calls of fit, whose loader begins each pass with another row; what was seen."""
    seen = {"rows": [], "validation rows": [], "layers in training": [], "layers in validation": [], "asked": [0, 0], "steps": 0, "optimizers": 0, "counters": [], "weights": []}

    class Counted(d2l.SGD):
        def step(self):
            seen["steps"] += 1
            super().step()

    class Turning:
        def __init__(self, n):
            self.n, self.passes = n, 0

        def __len__(self):
            return self.n

        def __iter__(self):
            self.passes += 1
            for i in range(self.n):
                x = float((i + self.passes) % self.n)
                yield torch.full((1, 1), x), torch.full((1, 1), x + 1)

    class Data(d2l.DataModule):
        def get_dataloader(self, train):
            seen["asked"][0 if train else 1] += 1
            return Turning(rows if train else val_rows)

    class Pupil(d2l.Module):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Dropout(0.0)), 0.1
            self.board.display = False

        def loss(self, y_hat, y):
            return ((y_hat - y) ** 2 / 2).mean()

        def training_step(self, batch):
            seen["rows"].append(batch[0].item())
            seen["layers in training"].append(int(self.net[1].training))
            seen["counters"].append(getattr(getattr(self, "trainer", None), "train_batch_idx", -1))
            seen["weights"].append(self.net[0].weight.item())
            return self.loss(self(*batch[:-1]), batch[-1])

        def validation_step(self, batch):
            seen["validation rows"].append(batch[0].item())
            seen["layers in validation"].append(int(self.net[1].training))
            return self.loss(self(*batch[:-1]), batch[-1])

        def configure_optimizers(self):
            seen["optimizers"] += 1
            return Counted(list(self.parameters()), self.lr)

    recorded = torch.is_grad_enabled()
    try:
        model, data, trainer = Pupil(), Data(), MiniTrainer(epochs)
        with torch.no_grad():
            model.net[0].weight.zero_()
        model.net[0].weight.grad = torch.full((1, 1), 7.0)     # left from an earlier training
        model.eval()
        trainer.fit(model, data)
        seen["recorded after"] = int(torch.is_grad_enabled())
        torch.set_grad_enabled(True)
        trainer.fit(model, data)
    finally:
        torch.set_grad_enabled(recorded)
    return seen

@probe
def steps_without_library(w, X, y, num_train, batch_size, epochs, lr):
    def number():
        try:
            return len(record_training(MiniTrainer, w, X, y, num_train, batch_size, epochs, lr)["seen"])
        except Exception as error:
            return type(error).__name__

    kept, found = {name: vars(d2l.Trainer)[name] for name in ("fit", "fit_epoch")}, [number()]
    for name in kept:
        setattr(d2l.Trainer, name, lambda self, *args, **kwargs: None)
    try:
        return found + [number()]
    finally:
        for name, method in kept.items():
            setattr(d2l.Trainer, name, method)

@probe
def has_fit():
    return [name for name in ("fit",) if hasattr(MiniTrainer, name)]

def case_of(seed, n, d, num_train, batch_size, epochs):
    rng = torch.Generator().manual_seed(seed)
    X, w = torch.randn(n, d, generator=rng), torch.randn(d, 1, generator=rng)
    y = X @ torch.randn(d, 1, generator=rng) + 1.5 + 0.1 * torch.randn(n, 1, generator=rng)
    held_out = f"{n - num_train} validation rows" if n > num_train else "no validation rows, so that val_dataloader() gives None"
    name = f"{num_train} training rows in batches of {batch_size}, {epochs} epochs, {held_out}"
    return (w, X, y, num_train, batch_size, epochs, 0.1), name

def other_than(wanted, known):
    """The known mistakes that do not give the right values here."""
    return {sentence: values for sentence, values in known.items() if values != wanted}

def batches_of(case):
    """The numbers of training batches, of validation batches, and of epochs."""
    X, num_train, batch_size, epochs = case[1], *case[3:6]
    return -(-num_train // batch_size), -(-(len(X) - num_train) // batch_size), epochs

def losses_of(case, mistake):
    """The losses of the training steps of a line, where gradients are used in a wrong way."""
    w, X, y, num_train, batch_size, epochs, lr = case
    w, b, losses, sums = w.clone(), torch.zeros(1), [], (0.0, 0.0)
    for _ in range(epochs):
        if mistake == "set to zero once in an epoch":
            sums = (0.0, 0.0)
        for rows in torch.arange(num_train).split(batch_size):
            errors = X[rows] @ w + b - y[rows]
            losses.append((errors ** 2 / 2).mean().item())
            slopes = X[rows].T @ errors / len(rows), errors.mean()
            sums = (sums[0] + slopes[0], sums[1] + slopes[1])
            if mistake == "two steps":
                w, b, sums = w - 2 * lr * sums[0], b - 2 * lr * sums[1], (0.0, 0.0)
            if mistake in ("add up", "set to zero once in an epoch"):
                w, b = w - lr * sums[0], b - lr * sums[1]
        if mistake == "one step in an epoch":
            w, b, sums = w - lr * sums[0], b - lr * sums[1], (0.0, 0.0)
        if mistake == "one step by the last batch":
            w, b = w - lr * slopes[0], b - lr * slopes[1]
    return losses

def check_order_of_steps(case, name):
    yours, theirs = trained_by_you(*case), record_training(d2l_trainer, *case)
    (t, v, epochs), wanted = batches_of(case), "".join("TV"[row[0]] for row in theirs["seen"])
    letters = "".join("TV"[row[0]] for row in yours["seen"])
    assert_equal(letters, wanted, f"the steps in order (T training_step, V validation_step); {name}", of="order",
                 mistakes=other_than(wanted, {"There is validation after every epoch, not only after the last.": "T" * t * epochs + "V" * v, f"These are the steps of one epoch; there are {epochs}.": "T" * t + "V" * v,
                                              "In each epoch the training batches come first.": ("V" * v + "T" * t) * epochs, "A validation batch goes through validation_step, not through training_step.": "T" * (t + v) * epochs,
                                              "One training batch of each epoch is missing.": ("T" * (t - 1) + "V" * v) * epochs, "There is no validation.": "T" * t * epochs,
                                              "Each epoch has as many validation steps as training batches: they are to go through val_dataloader.": ("T" * t + "V" * t) * epochs if v else "-",
                                              "There is no step at all.": "", f"There is an epoch too many: there are {epochs}.": ("T" * t + "V" * v) * (epochs + 1)}))
    assert_equal(yours["after"][:2], theirs["after"][:2], f"num_train_batches and num_val_batches (-1 means that there is no such attribute); {name}", of="set-up",
                 mistakes=other_than([t, v], {"num_val_batches is not set where the loader is None: there it is 0.": [t, -1]} if v == 0 else {}))
    assert_equal(yours["after"][2:4], theirs["after"][2:4], f"the lengths of train_dataloader and val_dataloader (-1: no such attribute, 0: None); {name}", of="set-up",
                 mistakes={"The loaders are not stored: they are to be self.train_dataloader and self.val_dataloader.": [-1, -1]})
    assert_equal(yours["after"][5], 1, f"whether model.trainer is the trainer (1 yes, 0 no); {name}", of="set-up", hint="fit stores the trainer itself: model.trainer = self.")
    assert_equal(yours["optimizers"], 1, f"how often configure_optimizers was called; {name}", of="set-up",
                 mistakes=other_than(1, {"It is called in every epoch: one optimizer serves the whole fit.": epochs, "It is never called.": 0}))

def check_numbers_of_steps(case, name):
    """The other parts look at single steps: are there as many as there should be?"""
    t, v, epochs = batches_of(case)
    seen = trained_by_you(*case)["seen"]
    assert_equal([len([row for row in seen if row[0] == kind]) for kind in (0, 1)], [t * epochs, v * epochs], f"the numbers of training steps and of validation steps; {name}", of="order")

def check_flags_of_steps(case, name):
    check_numbers_of_steps(case, name)
    yours, (t, v, epochs) = trained_by_you(*case)["seen"], batches_of(case)
    for kind, word in ((0, "training"), (1, "validation")):
        mine = [row for row in yours if row[0] == kind]
        flags, wanted = [row[1] for row in mine], [1 - kind] * len(mine)
        assert_equal(flags, wanted, f"the flag model.training in the {word} steps (1 True, 0 False); {name}", of="flag",
                     mistakes=other_than(wanted, {"After the first validation the flag stays down: train() belongs in every epoch.": [1] * t + [0] * (len(mine) - t)} if kind == 0 else
                                         {"The flag is not down here: eval() is missing, or stands after the validation batches.": [1] * len(mine)}),
                     hint="train() and eval() set the flag; each epoch needs both.")
        assert_equal([row[2] for row in mine], wanted, f"whether gradients are recorded in the {word} steps (1 yes, 0 no); {name}", of="recording",
                     hint="Training records them, validation runs inside torch.no_grad().")

def check_counters_of_steps(case, name):
    check_numbers_of_steps(case, name)
    yours, theirs, (t, v, epochs) = trained_by_you(*case), record_training(d2l_trainer, *case), batches_of(case)
    unknown = "Nothing is there: model.trainer is to be the trainer, and the attribute is to be set before the first step."
    wanted = [row[3] for row in theirs["seen"]]
    assert_equal([row[3] for row in yours["seen"]], wanted, f"self.epoch during the steps (-1: model.trainer has no such attribute); {name}", of="counters",
                 mistakes=other_than(wanted, {"Epochs count from 0.": [epoch + 1 for epoch in wanted], unknown: [-1] * len(wanted), "It stays 0: it is the number of the epoch.": [0] * len(wanted),
                                              "It is raised before the validation steps, which belong to the same epoch.": [row[3] + row[0] for row in theirs["seen"]]}),
                 hint="It is the same number in all steps of one epoch, 0 in the first one, and 1 more in each later one.")
    wanted = [row[4] for row in theirs["seen"]]
    assert_equal([row[4] for row in yours["seen"]], wanted, f"self.train_batch_idx during the steps (-1: model.trainer has no such attribute); {name}", of="counters",
                 mistakes=other_than(wanted, {"It begins again in each epoch: count on over all epochs.": [row[4] - row[3] * t for row in theirs["seen"]],
                                              "It begins again in each epoch, and ends one too low: count all batches that are done.": [min(row[4] - row[3] * t, t - 1) for row in theirs["seen"]],
                                              "It is raised before a batch's training step instead of after it.": [row[4] + 1 - row[0] for row in theirs["seen"]],
                                              "It is never raised.": [0] * len(wanted), unknown: [-1] * len(wanted)}))
    assert_equal(yours["after"][4], theirs["after"][4], f"self.train_batch_idx after fit; {name}", of="counters",
                 mistakes={"The last batch is not counted: after fit it is the number of all training batches.": theirs["after"][4] - 1})

def check_updates_of_steps(case, name):
    yours, theirs = trained_by_you(*case), record_training(d2l_trainer, *case)
    mine, wanted = ([row[5] for row in run["seen"] if row[0] == 0] for run in (yours, theirs))
    assert_equal(len(mine), len(wanted), f"the number of training steps; {name}", of="order")
    known = {"The gradients of all batches add up: set them to zero before each backward.": losses_of(case, "add up"),
             "Gradients are set to zero once in an epoch: set them to zero before each backward.": losses_of(case, "set to zero once in an epoch"),
             "The parameters move once in an epoch, by the sum of its gradients: step after each batch.": losses_of(case, "one step in an epoch"),
             "The parameters move once in an epoch, by the gradients of its last batch: step after each batch.": losses_of(case, "one step by the last batch"),
             "In each step the parameters move twice as far as they should, as by two calls of step().": losses_of(case, "two steps"),
             "Nothing moves: zero_grad between backward and step takes the gradients away, and without step or backward nothing moves either.": losses_of(case, "no step")}
    assert_close(mine, wanted, f"the losses of the training steps, one after the other; {name}", rtol=1e-4, of="updates",
                 mistakes={why: losses for why, losses in known.items() if max(abs(p - q) for p, q in zip(losses, wanted)) > 1e-3},
                 hint="Between two of these losses the parameters move once, by zero_grad, backward and step for the batch before, and by nothing else.")
    assert_close(yours["w"], theirs["w"], f"the weight at the end; {name}", of="updates", rtol=1e-4)
    assert_close(yours["b"], theirs["b"], f"the bias at the end; {name}", of="updates", rtol=1e-4)

def rows_of_passes(n, epochs):
    return [float((i + k) % n) for k in range(1, epochs + 1) for i in range(n)]

small_, bare_ = case_of(40, 8, 1, 5, 2, 2), case_of(39, 5, 2, 5, 2, 2)
assert_true(len(has_fit()) == 1, "MiniTrainer has a method fit", of="set-up")
with part(0.5, "order and set-up"):
    check_order_of_steps(*small_)
    check_order_of_steps(*bare_)
    twice_ = watched_fit(3, 2, 2)
    assert_equal(twice_["asked"], [2, 2], "how often data was asked for the training loader and for the validation loader, in two calls of fit", of="set-up",
                 mistakes={"Each loader is asked for in every epoch: ask once in each fit, and use the loaders that you stored.": [4, 4]},
                 hint="Ask once in each fit, and use the loaders that you stored.")
    assert_equal(twice_["optimizers"], 2, "how often configure_optimizers was called in two calls of fit", of="set-up",
                 mistakes={"The optimizer of the first fit is kept: it would not move the parameters of another model. Ask the model in each fit.": 1})
    assert_equal(twice_["rows"][:6], rows_of_passes(3, 2), "the inputs of the training steps, for a loader of 3 batches that begins each pass with another row, 2 epochs", of="order",
                 hint="Go through the loader again in each epoch: a shuffled one then brings a new order.")
    assert_equal(twice_["validation rows"][:4], rows_of_passes(2, 2), "the inputs of the validation steps, for a loader of 2 batches that begins each pass with another row, 2 epochs", of="order", hint="Go through the validation loader again in each epoch.")
with part(0.5, "flag and recording"):
    check_flags_of_steps(*small_)
    twice_ = watched_fit(3, 2, 2)
    assert_equal(twice_["layers in training"], [1] * 12, "the flag of a layer in the training steps of two calls of fit, before which model.eval() was called (1 True, 0 False)", of="flag",
                 mistakes={"The first epoch leaves the flag as it finds it: every epoch begins with train().": [0] * 3 + [1] * 9},
                 hint="" if twice_["layers in training"] == [0] * 3 + [1] * 9 else "model.train() tells the layers; an assignment to model.training does not.")
    assert_equal(twice_["layers in validation"], [0] * 8, "the flag of a layer in the validation steps of two calls of fit (1 True, 0 False)", of="flag",
                 hint="model.eval() tells the layers; an assignment to model.training does not.")
    assert_equal(twice_["recorded after"], 1, "whether gradients are recorded after fit (1 yes, 0 no)", of="recording", hint="The recording stops for the validation only.")
with part(0.5, "counters"):
    check_counters_of_steps(*small_)
    assert_equal(watched_fit(3, 2, 2)["counters"], [0, 1, 2, 3, 4, 5] * 2, "self.train_batch_idx during the training steps of two calls of fit, 2 epochs of 3 batches each", of="counters",
                 mistakes={"The second fit counts on: each fit counts from 0.": list(range(12))}, hint="Each fit counts from 0, over all of its epochs.")
with part(0.5, "updates"):
    check_updates_of_steps(*small_)
    twice_ = watched_fit(3, 2, 2)
    assert_equal(twice_["steps"], 12, "how often the optimizer's step() was called in two calls of fit, 2 epochs of 3 batches each", of="updates", hint="The model's optimizer moves the parameters: call its step().")
    assert_close(twice_["weights"][1], 0.2, "the weight after the first step from 0 with the learning rate 0.1, for x = 1, y = 2, where 7.0 stood in its .grad before fit", of="updates", rtol=1e-4,
                 mistakes={"What stood in .grad before was added: set gradients to zero before backward.": -0.5})
usual_, alone_ = steps_without_library(*small_[0])
assert_true(usual_ == alone_, f"your trainer makes as many steps while fit and fit_epoch of d2l.Trainer do nothing; {small_[1]}", of="by hand",
            hint="Yours leaves the work to d2l.Trainer: write the loop yourself.")
### BEGIN HIDDEN TESTS
with part(0.5, "order and set-up, other data"):
    for case_ in (case_of(41, 23, 3, 23, 5, 1), case_of(42, 23, 3, 17, 4, 3)):
        check_order_of_steps(*case_)
    assert_equal(watched_fit(5, 1, 3)["asked"], [2, 2], "how often data was asked for each loader in two calls of fit", of="set-up")
    assert_equal(watched_fit(2, 3, 3)["optimizers"], 2, "how often configure_optimizers was called in two calls of fit", of="set-up", hint="Ask the model in each fit, once.")
    assert_equal(watched_fit(5, 1, 3)["rows"], rows_of_passes(5, 3) * 2, "the inputs of the training steps of two calls of fit, whose loader begins each pass with another row", of="order")
    assert_equal(watched_fit(2, 4, 2)["validation rows"], rows_of_passes(4, 2) * 2, "the inputs of the validation steps of two calls of fit, whose loader begins each pass with another row", of="order")
with part(0.5, "flag and recording, other data"):
    for case_ in (case_of(43, 19, 2, 13, 6, 3), case_of(44, 9, 2, 9, 9, 2)):
        check_flags_of_steps(*case_)
    twice_ = watched_fit(2, 3, 1)
    assert_equal([twice_["layers in training"], twice_["layers in validation"]], [[1] * 4, [0] * 6], "the flags of a layer in the training and in the validation steps", of="flag")
    assert_equal(twice_["recorded after"], 1, "whether gradients are recorded after fit", of="recording")
with part(0.5, "counters, other data"):
    for case_ in (case_of(45, 12, 1, 7, 7, 4), case_of(46, 23, 3, 18, 6, 2)):
        check_counters_of_steps(*case_)
    assert_equal(watched_fit(4, 1, 3)["counters"], [*range(12)] * 2, "self.train_batch_idx during the training steps of two calls of fit", of="counters")
with part(0.5, "updates, other data"):
    for case_ in (case_of(47, 23, 3, 17, 4, 3), case_of(48, 10, 4, 9, 2, 1), case_of(49, 7, 1, 7, 3, 2)):
        check_updates_of_steps(*case_)
    twice_ = watched_fit(4, 1, 3)
    assert_equal(twice_["steps"], 24, "how often the optimizer's step() was called", of="updates")
    assert_close(twice_["weights"][1], 0.2, "the weight after the first step, where .grad was not empty before fit", of="updates", rtol=1e-4)
usual_, alone_ = steps_without_library(*case_of(50, 9, 2, 6, 4, 3)[0])
assert_true(usual_ == alone_, "your trainer makes as many steps while fit and fit_epoch of d2l.Trainer do nothing", of="by hand")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="progress board, history of a training"
# ## What a training leaves behind
#
# The trainer keeps the numbers, the board draws them. `ProgressBoard.draw(x, y, label, every_n)` collects points and shows
# their mean after every `every_n`: a smoother curve, with fewer points.

# %% tags=["demo"]
torch.manual_seed(3)
board = d2l.ProgressBoard(xlabel="step", ylabel="value", figsize=(5, 3))
for step in range(300):
    value = torch.sin(torch.tensor(step / 40)) + 0.3 * torch.randn(())
    board.draw(step, value, "every value", every_n=1)
    board.draw(step, value, "mean of 30", every_n=30)

# %% [markdown]
# Both curves show the same numbers. The thin forest of single values blurs the wave; the ten means show it alone. In the same
# way a loss on single batches jumps about, and the training curve above shows means of three batches.
#
# `trainer.history` has a row for each epoch, and `trainer.history.steps` the value of every single batch:

# %% tags=["demo"]
print(trainer.history.to_frame().round(3).to_string(index=False))
print("training batches kept:", len(trainer.history.steps["train_loss"]))

# %% [markdown] teaches="place of a change"
# ## Where does a change belong?
#
# Three classes are worth their trouble only if each change has one place. Ask: who must know about it, *this* model,
# *this* data set, or *every* training? Then: which method holds the line that is to change, and who else calls it? Two
# examples. "Predictions are to be clipped at 0" concerns one model, and both its steps: `Module.forward`. "After every
# epoch the date is to be printed" concerns any training and stands beside the call of `fit_epoch`: `Trainer.fit_epoch` or
# the loop in `Trainer.fit`. A subclass overrides that method, with `super()` where the old work is still to be done:

# %% tags=["demo"]
class Clipped(Slope):
    def forward(self, X):
        return super().forward(X).clamp(min=0)

clipped = Clipped(lr=0.1)
nn.init.ones_(clipped.net.weight)
nn.init.zeros_(clipped.net.bias)
print([round(v, 2) for v in clipped(torch.tensor([[-3.0], [3.0]])).flatten().tolist()])

# %% [markdown] task="3.2.1b" kind="explain" minutes=25 difficulty=3 needs="place of a change, overriding a method, data module, training step, trainer, add_to_class, flag and recording"
# ### Seven wishes
#
# Seven wishes come in. Each one needs exactly one method of `d2l.Module`, `d2l.DataModule` or `d2l.Trainer` to be
# overridden in a subclass; names that begin with an underscore are the library's own and stay as they are. Bind `place`, a dictionary from the wish to class and method, written like `"Module.forward"`:
#
# | key | wish |
# |---|---|
# | `"absolute"` | the model is to be trained *and* validated with absolute errors |
# | `"adam"` | this model is to be trained by the optimizer Adam |
# | `"second_metric"` | the largest error on each *validation* batch is to be plotted, too |
# | `"csv"` | both training and validation batches are to come from CSV files |
# | `"convert"` | any model, on any data: each batch is to be converted to float64 before the model sees it |
# | `"accumulate"` | any model: the optimizer is to move the parameters only after every fourth batch |
# | `"early_stop"` | any model: the loop over the epochs is to end once the validation loss rises |
#
# Then answer in words, in the cell below the check, with the source at hand:
# 1. Why does the loop in `Trainer.fit_epoch` hold no formula of a loss and no name of a layer, and what is gained?
# 2. What do `model.eval()` and `torch.no_grad()` each do in the validation half? What goes wrong if one is left out?
# 3. What does `add_to_class` give in a notebook, and what does it cost in a larger program?
#
# **You are done when**
# - **names**: `place` has the seven keys, each with a class and a method of that class, in the form `"Class.method"`;
# - **model and data**: the first four wishes are in their place;
# - **trainer**: the last three are;
#
# and your words answer all three questions with a line of the source as evidence.

# %% exercise="3.2.1b"
### BEGIN SOLUTION
place = {
    "absolute": "Module.loss",
    "adam": "Module.configure_optimizers",
    "second_metric": "Module.validation_step",
    "csv": "DataModule.get_dataloader",
    "convert": "Trainer.prepare_batch",
    "accumulate": "Trainer.fit_epoch",
    "early_stop": "Trainer.fit",
}
### END SOLUTION

# %% [markdown] hints="3.2.1b"
# 1. Who must know about the change: this one model, this one data set, or every training?
# 2. Both `train_dataloader` and `val_dataloader` call the same third method. Search the source of `d2l.Trainer` for the line that
#    holds the loop over epochs, for the one that holds the loop over batches, and for what `_step` does first.
# 3. Another wish: "predictions are to be clipped at 0" concerns one model's output, so it goes to `Module.forward`.

# %% check="3.2.1b" points=2 hidden_only="the places themselves would be told by a visible check"
def methods_of(wishes):
    return {wish: str(name).removesuffix("()").removeprefix("d2l.") for wish, name in wishes.items()}

assert_type(place, dict, "place", of="names")
assert_equal(sorted(map(str, place)), ["absolute", "accumulate", "adam", "convert", "csv", "early_stop", "second_metric"],
             "the keys of `place`", of="names")
known_places_ = {f"{kind.__name__}.{name}" for kind in (d2l.Module, d2l.DataModule, d2l.Trainer) for name in dir(kind) if not name.startswith("_")}
assert_equal([name for name in methods_of(place).values() if name not in known_places_], [],
             "the values of `place` that are no class and method of it", of="names", hint='Write them like "Module.forward", without names that begin with an underscore.')
with part(0.25, "a model's wish"):
    assert_equal(methods_of(place)["adam"].split(".")[0], "Module", 'the class for the wish "adam"', of="model and data", hint="This model alone is concerned.")
with part(0.25, "a trainer's wish"):
    assert_equal(methods_of(place)["early_stop"].split(".")[0], "Trainer", 'the class for the wish "early_stop"', of="trainer", hint="Any model is concerned.")
### BEGIN HIDDEN TESTS
assert_equal([name for name in methods_of(place).values() if name not in known_places_], [], "values that are no class and method of it", of="names")
why_not_ = {
    ("absolute", "Module.training_step"): "This leaves validation with the old errors: both steps call one method.",
    ("absolute", "Module.validation_step"): "This leaves training with the old errors: both steps call one method.",
    ("absolute", "Module.forward"): "forward gives predictions; where are they compared with the targets?",
    ("second_metric", "Module.plot"): "training_step calls plot, too; the wish concerns validation batches alone.",
    ("second_metric", "Module.training_step"): "training_step gets training batches; the wish concerns validation batches.",
    ("csv", "DataModule.train_dataloader"): "val_dataloader would go on as before: both ask one method.",
    ("csv", "DataModule.val_dataloader"): "train_dataloader would go on as before: both ask one method.",
    ("csv", "DataModule.get_tensorloader"): "get_tensorloader cuts batches from tensors that are there already.",
    ("convert", "Module.forward"): "This changes one model; any model is meant.",
    ("convert", "Module.training_step"): "This changes one model; any model is meant.",
    ("convert", "DataModule.get_dataloader"): "This changes one data module; any data are meant.",
    ("convert", "Trainer.prepare_data"): "prepare_data sees the data once, before there is a batch: who sees each batch?",
    ("convert", "Trainer.fit"): "fit holds the loop over epochs, and sees no batch.",
    ("convert", "Trainer.fit_epoch"): "Each batch passes through a smaller method on its way to the model: what does _step call first?",
    ("convert", "Trainer.prepare_model"): "prepare_model sees the model, and no batch.",
    ("accumulate", "Module.configure_optimizers"): "This changes one model; any model is meant.",
    ("accumulate", "Module.training_step"): "This changes one model, and training_step moves no parameters.",
    ("accumulate", "Trainer.fit"): "fit holds the loop over epochs; the optimizer's step stands in that over batches.",
    ("early_stop", "Trainer.fit_epoch"): "fit_epoch is one epoch; the loop over the epochs calls it.",
    ("early_stop", "Module.validation_step"): "This changes one model; any model is meant."}

def check_place(wish, wanted, hint, of):
    mine = methods_of(place)[wish]
    assert_equal(mine, wanted, f'the wish "{wish}"', hint=why_not_.get((wish, mine), hint), of=of)

with part(0.75, "the wishes for model and data"):
    check_place("absolute", "Module.loss", "Training and validation share one method.", "model and data")
    check_place("adam", "Module.configure_optimizers", "The model names its optimizer.", "model and data")
    check_place("second_metric", "Module.validation_step", "It concerns validation batches alone.", "model and data")
    check_place("csv", "DataModule.get_dataloader", "One method serves training and validation.", "model and data")
with part(0.75, "the wishes for the trainer"):
    check_place("convert", "Trainer.prepare_batch", "It is to hold for any model, any data and each batch.", "trainer")
    check_place("accumulate", "Trainer.fit_epoch", "Find the loop over batches.", "trainer")
    check_place("early_stop", "Trainer.fit", "Find the loop over epochs.", "trainer")
total()
### END HIDDEN TESTS

# %% [markdown] written="3.2.1b" points=3
# ### BEGIN SOLUTION
# 1. `fit_epoch` only calls `self.model.training_step` (through `_step`), `loss.backward()`, and the optimizer that
#    the model configured. Formula and layers are behind these names, so one loop trains every model of the book, and
#    a new model or data set needs no new loop. A mistake in the loop is mended once, for all of them.
# 2. `self.model.eval()` sets the flag `training` to False, which layers such as dropout read; left out, validation
#    measures a model with dropout switched on. `torch.no_grad()` stops recording; left out, values stay the same, but
#    each validation batch builds a graph for nothing, in time and memory. Neither does the other's work.
# 3. It lets a class be written and explained piece by piece, and instances that exist get the method, too: Python looks it up in the class
#    when it is called (`setattr(Class, function.__name__, function)`). The price: the class's
#    definition is spread over cells and depends on the order in which they ran, editors and readers do not find the
#    method in the class.
#
# **Rubric**
# - [1] The loop talks to the model only through method names (training_step, configure_optimizers), so that one loop serves
#   all models; evidence: a line of fit_epoch or fit, or one of these names; also accepted: "polymorphism", "separation of concerns" with
#   an example; lost by: "the loss is in the Trainer"
# - [1] eval() sets a flag for layers, no_grad() stops recording, and what each omission costs; evidence: the lines in
#   fit_epoch or a small run; lost by: "eval() switches gradients off"
# - [1] add_to_class: one benefit (short cells, or instances updated) and one cost (scattered definition, order of
#   cells, or methods that editors do not find); lost by: "it makes a subclass" or "a copy of the class"
# ### END SOLUTION

# %% [markdown] teaches="test of a trainer"
# ## Loops that are almost right
#
# A training loop with a mistake often still makes the loss fall, so nobody notices. Here is one that forgets
# `zero_grad()`. Its steps go along the sum of all gradients so far:

# %% tags=["demo"]
class Forgetful(d2l.Trainer):
    def fit_epoch(self):
        self.model.train()
        for batch in self.train_dataloader:
            self.model.training_step(batch).backward()      # gradients add up
            with torch.no_grad():
                self.optim.step()
            self.train_batch_idx += 1

trial = dict(w=torch.zeros(1, 1), X=torch.linspace(-1, 1, 12).reshape(12, 1), y=3 * torch.linspace(-1, 1, 12).reshape(12, 1),
             num_train=12, batch_size=3, epochs=3, lr=0.03)
for name, make in (("sound", d2l_trainer), ("forgetful", lambda epochs: Forgetful(epochs, device="cpu", verbose=False))):
    run = record_training(make, **trial)
    print(f"{name:10} mean loss of the epochs:", [round(sum(row[-1] for row in run["seen"][i:i + 4]) / 4, 3) for i in (0, 4, 8)])

# %% [markdown]
# After three epochs the broken loop has the *lower* loss: who looks only at whether the loss falls prefers it. What tells
# the two apart is a comparison, step by step, with a loop that is known to be right, on the same rows from the same start.

# %% [markdown] task="3.2.8" kind="break it" minutes=20 difficulty=4 needs="test of a trainer, trainer, flag and recording"
# ### A test that tells sound trainers from broken ones
#
# Write `accepts(Trainer)`: it gets a class, trains something with `Trainer(max_epochs).fit(model, data)`, looks at what
# happened, and returns `True` if the trainer is sound and `False` if it is not. You may use `record_training` and compare
# with `d2l_trainer`.
#
# Sound means: it meets the requirements of exercise 3.2.7 from *set-up* to *updates*, as far as `record_training` can show
# it, however it is written. The check hands in sound trainers and broken ones, each of these with one mistake. A broken
# trainer may also raise an error; a sound one may differ from `d2l_trainer` in the last digits of its numbers.
#
# **You are done when**
# - **sound trainers**: every sound one is accepted, and one that does nothing is not;
# - **updates**: trainers with a mistake in gradients, batches or the number of epochs are rejected;
# - **flag and recording**: trainers that set the flag wrongly, or record wrongly, are rejected;
# - **validation**: trainers that learn from the validation rows, or validate too seldom, are rejected;
# - **set-up and counters**: trainers that store, count or tie wrongly, or that fail where there are no validation rows, are rejected.
#
# A test that rejects everything earns nothing.

# %% exercise="3.2.8"
def accepts(Trainer):
    """True if `Trainer(max_epochs).fit(model, data)` trains soundly, else False."""
    ### BEGIN SOLUTION
    rng = torch.Generator().manual_seed(0)
    X, y, w = (torch.randn(*shape, generator=rng) for shape in ((14, 2), (14, 1), (2, 1)))
    for num_train in (9, 14):           # a smaller last batch, several epochs, with and without validation rows
        case = (w, X, y, num_train, 4, 3, 0.1)
        try:
            run, sound = record_training(Trainer, *case), record_training(d2l_trainer, *case)
        except Exception:
            return False
        steps, sound_steps = torch.tensor(run["seen"]), torch.tensor(sound["seen"])
        if steps.shape != sound_steps.shape or run["after"] != sound["after"] or run["optimizers"] != 1:
            return False
        if not all(torch.allclose(p, q, atol=1e-5) for p, q in ((steps, sound_steps), (run["w"], sound["w"]), (run["b"], sound["b"]))):
            return False
    return True
    ### END SOLUTION

# %% [markdown] hints="3.2.8"
# 1. Which data would hide the mistake "the last, smaller batch is left out"? Which number of epochs would hide
#    the mistake "training mode is set once, before the first epoch"? And what shows only where there are no validation rows?
# 2. Two runs from the same weights on the same batches in the same order must agree in every number, up to rounding:
#    compare the lists `"seen"`, after their lengths. `torch.allclose(torch.tensor(p), torch.tensor(q))` compares lists of numbers.
#    `try: ... except Exception: return False` catches an error.
# 3. For two sorting functions: `f([3, 1, 2]) == sorted([3, 1, 2])` says nothing about equal entries; add one list
#    that has them, one that is empty.

# %% check="3.2.8" points=4
@probe
def answers_for(mistakes):
    scales = {"sound, 1000 times the loss": 1000, "sound, 0.3 times the loss": 0.3, "sound, 7 times the loss": 7}

    def make(mistake):
        if mistake == "does nothing":
            return type("Idle", (), {"__init__": lambda self, max_epochs: None, "fit": lambda self, model, data: None})

        class Loop:
            def __init__(self, max_epochs):
                self.max_epochs = max_epochs

            def fit(self, model, data):
                self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
                self.num_train_batches, self.num_val_batches = len(self.train_dataloader), 0
                if self.val_dataloader is not None or mistake == "fails where there are no validation rows":
                    self.num_val_batches = len(self.val_dataloader)
                if mistake == "num_val_batches counts rows, not batches":
                    self.num_val_batches *= data.batch_size
                model.trainer, self.train_batch_idx = self, 0
                if mistake == "model.trainer is not set":
                    model.trainer = None
                self.optim = model.configure_optimizers()
                for epoch in range(self.max_epochs - (mistake == "one epoch too few")):
                    if mistake != "self.epoch is never set":
                        self.epoch = epoch + (mistake == "epochs are counted from 1")
                    if mistake == "asks for a new optimizer in each epoch":
                        self.optim = model.configure_optimizers()
                    if mistake == "train_batch_idx begins again in each epoch":
                        self.train_batch_idx = 0
                    if epoch == 0 or mistake != "the flag is set to True only once":
                        model.train()
                    for i, batch in enumerate(self.train_dataloader):
                        if mistake == "the last batch is left out" and i == self.num_train_batches - 1:
                            continue
                        if mistake == "a smaller last batch is left out" and len(batch[0]) < data.batch_size:
                            continue
                        if mistake == "sound, gradients to zero first":
                            self.optim.zero_grad()
                        loss = model.training_step(batch)
                        kept = mistake in ("gradients are never set to zero", "sound, gradients to zero first", "gradients are set to zero after backward")
                        if not kept and (i == 0 or mistake != "gradients are set to zero only once in each epoch"):
                            self.optim.zero_grad()
                        if mistake in scales:
                            (scales[mistake] * loss).backward()
                            for parameter in model.parameters():
                                parameter.grad /= scales[mistake]
                        else:
                            loss.backward()
                        if mistake == "gradients are set to zero after backward":
                            self.optim.zero_grad()
                        with torch.no_grad():
                            if i == self.num_train_batches - 1 or mistake != "steps only once in each epoch, after its last batch":
                                self.optim.step()
                            if mistake == "two steps for each batch":
                                self.optim.step()
                        self.train_batch_idx += 1
                    if mistake == "ends after the first epoch where there are no validation rows" and self.val_dataloader is None:
                        break
                    if mistake == "validates after the last epoch only" and epoch < self.max_epochs - 1:
                        continue
                    if mistake != "validates in training mode":
                        model.eval()
                    for batch in self.val_dataloader or ():
                        if mistake == "learns from the validation rows":
                            self.optim.zero_grad()
                            model.loss(model(*batch[:-1]), batch[-1]).backward()
                            with torch.no_grad():
                                self.optim.step()
                        with torch.set_grad_enabled(mistake == "records gradients in validation"):
                            model.validation_step(batch)
        return Loop
    answers = []
    for mistake in mistakes:
        try:
            answers.append(accepts(d2l_trainer if mistake == "d2l.Trainer" else make(mistake)))
        except TypeError:
            if mistake != "fails where there are no validation rows":
                raise
            answers.append("its error")
    return [answer if answer is None else answer if answer == "its error" else "a string" if isinstance(answer, str) else ["rejected", "accepted"][bool(answer)] for answer in answers]

shown_by_ = {
    "gradients are never set to zero": "The losses and the weights show it, from the second batch on.",
    "gradients are set to zero after backward": "The losses and the weights show it: nothing moves.",
    "the last batch is left out": "The number of training steps shows it.",
    "a smaller last batch is left out": "The number of training steps shows it, where num_train is no multiple of batch_size.",
    "gradients are set to zero only once in each epoch":
        "The losses and the weights show it, from the second batch of an epoch on, where they are compared closely.",
    "steps only once in each epoch, after its last batch":
        "The losses show it, from the second batch of an epoch on, where they are compared closely.",
    "one epoch too few": "The number of steps shows it.",
    "two steps for each batch": "The losses and the weights show it.",
    "validates in training mode": "The flag of the validation steps shows it, entry 1 in \"seen\".",
    "the flag is set to True only once": "The flag of the training steps shows it, from the second epoch on: train for several epochs, with validation rows.",
    "records gradients in validation": "Entry 2 of the validation steps in \"seen\" shows it.",
    "learns from the validation rows":
        "The weights at the end and the losses of the second epoch show it, with validation rows, where they are compared closely.",
    "validates after the last epoch only": "The number and the order of the steps show it: train for several epochs, with validation rows.",
    "train_batch_idx begins again in each epoch": "Entry 4 in \"seen\" shows it, from the second epoch on: train for several epochs.",
    "epochs are counted from 1": "Entry 3 in \"seen\" shows it.",
    "self.epoch is never set": "Entry 3 in \"seen\" shows it.",
    "num_val_batches counts rows, not batches": "The list \"after\" shows it.",
    "fails where there are no validation rows": "A run with num_train = n shows it, in which there are no validation rows.",
    "ends after the first epoch where there are no validation rows": "A run with num_train = n shows it, with several epochs.",
    "asks for a new optimizer in each epoch": "The entry \"optimizers\" shows it: train for several epochs.",
    "model.trainer is not set": "The list \"after\" shows it."}

def check_library_accepted():
    assert_equal(answers_for(["d2l.Trainer"])[0], "accepted", "your answer for d2l_trainer, which is sound", of="sound trainers",
                 mistakes={"A string that is not empty counts as true: return True or False themselves.": "a string",
                           "A test that rejects what is sound is of no use: which of its conditions does d2l_trainer not meet?": "rejected"})

def check_rejected(mistakes, of):
    check_library_accepted()
    for mistake in mistakes:
        mine = answers_for([mistake])[0]
        assert_equal(mine, "rejected", f"your answer for a trainer with this mistake: {mistake}", of=of,
                     mistakes={"The trainer's error went through your test: catch it with try and except, and return False.": "its error"}, hint="" if mine == "its error" else shown_by_[mistake])

assert_type(answers_for(["d2l.Trainer"])[0], str, "what accepts(d2l_trainer) returns", of="sound trainers")
with part(0.5, "sound trainers"):
    check_library_accepted()
    assert_equal(answers_for(["no mistake"]), ["accepted"], "your answer for another sound trainer, a loop of its own", of="sound trainers", hint="A test that rejects what is sound is of no use.")
    for scale in ("1000", "0.3", "7"):
        assert_equal(answers_for([f"sound, {scale} times the loss"]), ["accepted"],
                     f"your answer for a sound trainer that differentiates {scale} times the loss and divides the gradients by {scale}", of="sound trainers",
                     hint="Its numbers differ in the last digits: compare them up to rounding.")
    assert_equal(answers_for(["does nothing"]), ["rejected"], "your answer for a trainer whose fit does nothing", of="sound trainers",
                 hint="Its list \"seen\" is empty: compare the lengths of the lists before their entries.")
with part(0.5, "mistakes in the updates"):
    check_rejected(["gradients are never set to zero", "the last batch is left out", "a smaller last batch is left out",
                    "gradients are set to zero only once in each epoch"], "updates")
with part(0.5, "mistakes in flag and recording"):
    check_rejected(["validates in training mode", "the flag is set to True only once"], "flag and recording")
with part(0.25, "mistakes in the validation"):
    check_rejected(["learns from the validation rows"], "validation")
with part(0.25, "mistakes in set-up and counters"):
    check_rejected(["train_batch_idx begins again in each epoch", "epochs are counted from 1", "num_val_batches counts rows, not batches", "fails where there are no validation rows"], "set-up and counters")
### BEGIN HIDDEN TESTS
with part(0.5, "other sound trainers"):
    assert_equal(answers_for(["d2l.Trainer", "no mistake", "sound, gradients to zero first", *(f"sound, {scale} times the loss" for scale in ("1000", "0.3", "7"))]),
                 ["accepted"] * 6, "your answers for six sound trainers: the library's, two that set gradients to zero after or before the training step, "
                 "and three that scale the loss and the gradients back", of="sound trainers")
    assert_equal(answers_for(["does nothing"]), ["rejected"], "your answer for a trainer whose fit does nothing", of="sound trainers")
with part(0.5, "other mistakes in the updates"):
    check_rejected(["one epoch too few", "a smaller last batch is left out", "gradients are set to zero after backward",
                    "two steps for each batch", "steps only once in each epoch, after its last batch"], "updates")
with part(0.5, "other mistakes in flag and recording"):
    check_rejected(["the flag is set to True only once", "validates in training mode", "records gradients in validation"], "flag and recording")
with part(0.25, "other mistakes in the validation"):
    check_rejected(["validates after the last epoch only", "learns from the validation rows"], "validation")
with part(0.25, "other mistakes in set-up and counters"):
    check_rejected(["asks for a new optimizer in each epoch", "self.epoch is never set", "model.trainer is not set", "ends after the first epoch where there are no validation rows"], "set-up and counters")
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A training program has three parts, and a class for each: data (`DataModule`), model with loss and optimizer (`Module`), loop (`Trainer`).
# - A base class leaves a hole, a subclass fills it: `get_dataloader`, `loss`, and `forward` or `net`. The loop is written once.
# - In every epoch: the flag up, then loss, `zero_grad`, `backward`, `step` for each training batch; the flag down, no recording, and the validation batches.
# - `add_to_class` lets a class grow over cells, `save_hyperparameters` stores the arguments of `__init__`, `nn.Parameter` makes a tensor that an optimizer sees.
# - Section 3.3 fills the hole of the data module, section 3.4 that of the module by hand, section 3.5 with torch's parts.
