# %% [markdown]
# # 3.2 Object-oriented design for implementation
#
# A training program always has the same parts: data, a model with a loss, and a loop that moves the parameters. This
# book keeps them in three classes, so that a new model needs a few new lines and no new loop. In this section you use
# the classes, read them in `d2l_utils`, and write small ones of your own that behave alike.

# %% tags=["setup"]
from d2l_utils.check import *
import inspect
import torch
from torch import nn
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### Three classes and what each one knows
#
# | class | knows | does not know |
# |---|---|---|
# | `d2l.DataModule` | where examples come from, how they are cut into batches, how large a batch is | the model |
# | `d2l.Module` | parameters, predictions, loss, which optimizer fits it | where a batch comes from, how many epochs there are |
# | `d2l.Trainer` | the number of epochs, the order of the steps, the device | the formula of the loss |
#
# They meet in one line: `d2l.Trainer(max_epochs=3).fit(model, data)`. Here is a whole program: a line with slope 2
# and intercept 4.2, with noise, learnt by stochastic gradient descent. The base class gives `Slope` its training
# step, its validation step and its plot; what is left to write is what is particular to this model.

# %%
class Slope(d2l.Module):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Linear(1, 1)

    def loss(self, y_hat, y):
        return ((y_hat - y) ** 2 / 2).mean()

# %% tags=["demo"]
torch.manual_seed(0)
data = d2l.SyntheticRegressionData(w=torch.tensor([2.0]), b=4.2, noise=0.5, num_train=512, num_val=256)
model, trainer = Slope(lr=0.05), d2l.Trainer(max_epochs=5)
trainer.fit(model, data)

# %% [markdown]
# The curve grew while the model trained. The numbers behind it stay in `trainer.history`, one row for each epoch.
# Noise with standard deviation 0.5 leaves a loss of about 0.5² / 2 = 0.125 that no line can remove.

# %% tags=["demo"]
print(trainer.history.to_frame().round(4).to_string(index=False))
print(f"slope {model.net.weight.item():.3f}, intercept {model.net.bias.item():.3f}")

# %% [markdown]
# ### Read the source
#
# The framework is small and meant to be read. `inspect.getsource` shows any part of it; in a notebook `d2l.Trainer??`
# does the same. Read in this order:
#
# 1. `d2l_utils/hyperparameters.py`: `add_to_class` and `HyperParameters`;
# 2. `d2l_utils/module.py`: `Module` and `DataModule`;
# 3. `d2l_utils/trainer.py`: `Trainer.fit`, then `Trainer.fit_epoch`, the heart of every training in this book;
# 4. `d2l_utils/board.py`: `ProgressBoard`, which draws the curves.
#
# `fit_epoch` goes once through the training data and once through the validation data:

# %%
print(inspect.getsource(d2l.Trainer.fit_epoch))

# %% [markdown]
# Three things are easy to overlook there.
#
# - `model.train()` and `model.eval()` only set the flag `model.training`; layers such as dropout look at it. They do
#   not touch gradients.
# - `torch.no_grad()` only stops autograd from recording. It does not set the flag.
# - `zero_grad()` is needed since `backward()` *adds* to `.grad`.

# %%
layer = nn.Linear(1, 1)
layer.eval()
print("eval mode still records gradients:", layer(torch.ones(1, 1)).requires_grad)
layer.train()
with torch.no_grad():
    print("no_grad leaves the flag alone:    ", layer.training, layer(torch.ones(1, 1)).requires_grad)

# %% [markdown]
# ### A class that grows over several cells
#
# In a notebook a long class is hard to discuss. `@d2l.add_to_class(C)` makes a function written in a later cell a
# method of `C`. Python looks methods up in the class when they are called, so instances that exist already have it
# too.

# %%
class Thermometer:
    def __init__(self, celsius):
        self.celsius = celsius

outside = Thermometer(20.0)

@d2l.add_to_class(Thermometer)
def fahrenheit(self):
    return 9 / 5 * self.celsius + 32

outside.fahrenheit(), fahrenheit(outside)

# %% [markdown]
# The second call works since `d2l_utils` returns the function from the decorator. ⚠ In version 1.0.3 of the library
# of the D2L book the decorator returns nothing, so that the decorated name becomes `None`. A decorator without
# `return` shows the effect:

# %%
def forgetful_add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, function)     # and no return
    return register

@forgetful_add_to_class(Thermometer)
def kelvin(self):
    return self.celsius + 273.15

print("the method: ", outside.kelvin())
print("the name:   ", kelvin)

# %% [markdown]
# ### Hyperparameters without typing
#
# `self.save_hyperparameters()` stores every argument of `__init__` as an attribute of the same name, and all of them
# in the dictionary `self.hparams`. It finds them by looking at the *frame* of the method that called it: Python keeps
# the names and values of a running function there.

# %%
def who_called():
    caller = inspect.currentframe().f_back
    return caller.f_code.co_name, inspect.getargvalues(caller)

def bake(minutes, heat=200, *toppings, **notes):
    double = 2 * minutes
    name, (arguments, star, starstar, values) = who_called()
    return name, arguments, star, starstar, values

bake(30, 180, "olives", oven="left")

# %% [markdown]
# `getargvalues` separates the arguments (`minutes`, `heat`), the name of the starred one and of the double-starred
# one, and the dictionary of *all* local values, in which `double` is there too. ⚠ D2L's version stores everything in
# that dictionary, stray local variables included; ours stores arguments only:

# %%
class Box(d2l.HyperParameters):
    def __init__(self, a, b=3):
        area = a * b
        self.save_hyperparameters()

vars(Box(2))

# %% [markdown]
# ### The board
#
# `ProgressBoard.draw(x, y, label, every_n)` collects points and shows their mean after every `every_n`. It only
# *plots*; the trainer keeps the numbers apart from it.

# %% tags=["demo"]
board = d2l.ProgressBoard(xlabel="step")
for step in range(300):
    board.draw(step, torch.sin(torch.tensor(step / 40)) + 0.3 * torch.randn(()), "every value", every_n=1)
    board.draw(step, torch.sin(torch.tensor(step / 40)) + 0.3 * torch.randn(()), "mean of 30", every_n=30)

# %% [markdown]
# ## Exercises
#
# ### Reading the framework

# %% [markdown] task="3.2.1a" kind="code" minutes=12 difficulty=2 core=true
# ### Who is called, and when
#
# To change a framework you must know when it calls your code. Read `d2l.Trainer.fit` and `d2l.Trainer.fit_epoch`.
#
# Write `call_order(num_epochs, num_train_batches, num_val_batches)`. It returns the list of names that
# `d2l.Trainer(num_epochs).fit(model, data)` calls, in order. List only these eight:
#
# - of the trainer: `"prepare_data"`, `"prepare_model"`, `"fit_epoch"`;
# - of the model: `"configure_optimizers"`, `"training_step"`, `"validation_step"`;
# - of the optimizer: `"zero_grad"`, `"step"`.
#
# `num_val_batches` may be 0: there is no validation data then.
#
# **You are done when** the check shows the right number of each name for two epochs of three training batches and one
# validation batch, and a list that begins with the right name.

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
# 2. `print(inspect.getsource(d2l.Trainer.fit))` shows the order of the first three. A subclass whose methods print
#    their names and then call `super()` shows the rest.
# 3. For a kitchen: `["open"] + (["course"] + ["dish", "wash"] * 2) * 3 + ["close"]` is an evening with three courses
#    of two dishes.

# %% check="3.2.1a" points=2
evening = call_order(2, 3, 1)
assert_type(evening, (list, tuple), "what call_order returns")
counted = {name: evening.count(name) for name in ("prepare_data", "prepare_model", "configure_optimizers", "fit_epoch",
                                                  "training_step", "validation_step", "zero_grad", "step")}
assert_equal(evening[0], "prepare_data", "the first name")
assert_equal(counted, {"prepare_data": 1, "prepare_model": 1, "configure_optimizers": 1, "fit_epoch": 2,
                       "training_step": 6, "validation_step": 2, "zero_grad": 6, "step": 6},
             "how often each name is called, for 2 epochs of 3 training batches and 1 validation batch")
### BEGIN HIDDEN TESTS
def traced(epochs, train_batches, val_batches):
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

start = call_order(1, 1, 1)
assert_equal(start[:4], traced(1, 1, 1)[:4], "the first four names, for one epoch of one batch each",
             hint="Read fit from the top: data, model, optimizer, then the epochs.")
assert_equal(start[4:], traced(1, 1, 1)[4:], "the names after fit_epoch, for one epoch of one batch each",
             hint="Read fit_epoch: what comes between the loss and the optimizer's step?")
for sizes in ((3, 2, 2), (1, 4, 0), (2, 1, 3)):
    assert_equal(call_order(*sizes), traced(*sizes),
                 "the order for {} epochs of {} training and {} validation batches".format(*sizes),
                 hint="Validation follows the training batches of every epoch.")
### END HIDDEN TESTS

# %% [markdown] task="3.2.1b" kind="explain" minutes=25 difficulty=3
# ### Where does a change belong
#
# Seven wishes come in. Each one needs exactly one method of `d2l.Module`, `d2l.DataModule` or `d2l.Trainer` to be
# overridden in a subclass. Bind `place`, a dictionary from the wish to the method, written like `"Module.forward"`:
#
# | key | wish |
# |---|---|
# | `"absolute"` | the model is to be trained and validated with absolute errors |
# | `"adam"` | this model is to be trained by Adam |
# | `"second_metric"` | the largest error on each *validation* batch is to be plotted, too |
# | `"csv"` | both training and validation batches are to come from CSV files |
# | `"convert"` | any model, on any data: each batch is to be converted to float64 before the model sees it |
# | `"accumulate"` | any model: the optimizer is to move the parameters only after every fourth batch |
# | `"early_stop"` | any model: no further epoch is to be run once the validation loss rises |
#
# Then answer in words, in the cell below the check, with the source at hand:
# 1. Why does the loop in `Trainer.fit_epoch` hold no formula of a loss and no name of a layer, and what is gained?
# 2. What do `model.eval()` and `torch.no_grad()` each do in the validation half? What goes wrong if one is left out?
# 3. What does `add_to_class` give in a notebook, and what does it cost in a larger program?
#
# **You are done when** the check finds seven methods that exist, and your words answer all three questions with a
# line of the source as evidence.

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
# 2. Both `train_dataloader` and `val_dataloader` call the same third method. Search `trainer.py` for the line that
#    holds the loop over epochs, and for the one that holds the loop over batches.
# 3. Another wish: "predictions are to be clipped at 0" concerns one model's output, so it goes to `Module.forward`.

# %% check="3.2.1b" points=2
assert_equal(sorted(place), ["absolute", "accumulate", "adam", "convert", "csv", "early_stop", "second_metric"],
             "the keys of `place`")
known_methods = {name for kind in (d2l.Module, d2l.DataModule, d2l.Trainer) for name in dir(kind)}
assert_equal([name for name in place.values() if str(name).split(".")[-1].removesuffix("()") not in known_methods], [],
             "names in `place` that no class has")
### BEGIN HIDDEN TESTS
methods = {wish: str(name).split(".")[-1].removesuffix("()") for wish, name in place.items()}
assert_equal(methods["absolute"], "loss", 'the wish "absolute"', hint="Training and validation share one method.")
assert_equal(methods["adam"], "configure_optimizers", 'the wish "adam"', hint="The model names its optimizer.")
assert_equal(methods["second_metric"], "validation_step", 'the wish "second_metric"',
             hint="It concerns validation batches alone.")
assert_equal(methods["csv"], "get_dataloader", 'the wish "csv"',
             hint="One method serves training and validation.")
assert_equal(methods["convert"], "prepare_batch", 'the wish "convert"',
             hint="It is to hold for any model and any data.")
assert_equal(methods["accumulate"], "fit_epoch", 'the wish "accumulate"', hint="Find the loop over batches.")
assert_equal(methods["early_stop"], "fit", 'the wish "early_stop"', hint="Find the loop over epochs.")
### END HIDDEN TESTS

# %% [markdown] written="3.2.1b" points=3
# ### BEGIN SOLUTION
# 1. `fit_epoch` only calls `self.model.training_step` (through `_step`), `loss.backward()`, and the optimizer that
#    the model configured. Formula and layers are behind these names, so one loop trains every model of the book, and
#    a new model or data set needs no new loop.
# 2. `self.model.eval()` sets the flag `training` to False, which layers such as dropout read; left out, validation
#    measures a model with dropout switched on. `torch.no_grad()` stops recording; left out, values stay the same, but
#    each validation batch builds a graph for nothing, in time and memory. Neither does the other's work.
# 3. It lets a class be written and explained piece by piece, and mends instances that exist. The price: the class's
#    definition is spread over cells and depends on the order in which they ran, editors and readers do not find the
#    method in the class.
#
# **Rubric**
# - [1] The loop talks to the model only through method names (training_step, configure_optimizers); evidence: a line
#   of fit_epoch or fit; also accepted: "polymorphism", "separation of concerns" with an example; lost by: "the loss
#   is in the Trainer"
# - [1] eval() sets a flag for layers, no_grad() stops recording, and what each omission costs; evidence: the lines in
#   fit_epoch or a small run; lost by: "eval() switches gradients off"
# - [1] add_to_class: one benefit (short cells, instances updated) and one cost (scattered definition, order of
#   cells); lost by: "it makes a subclass" or "a copy of the class"
# ### END SOLUTION

# %% [markdown]
# ### Arguments that become attributes

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

# %% [markdown] task="3.2.2a" kind="answer" minutes=8 difficulty=2 core=true
# ### What is stored, and the error when nothing is
#
# The cell above defines seven small classes. *Before you run anything*, say what each of these eight expressions
# gives:
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
# Bind `outcomes`, a list of eight entries: the number, or the *name of the error's class* as a string. Then run them.
#
# **You are done when** the check says that entries 0 and 1 are right, and your own runs agree with the other six.

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

assert_equal(len(outcomes), 8, "the number of entries")
assert_equal(outcomes[0], outcome(lambda: Kept(2), "b"), "entry 0, Kept(2).b")
assert_equal(outcomes[1], outcome(lambda: Removed(2), "a"), "entry 1, Removed(2).a",
             hint="Without the call nothing is stored; reading what is not there raises an error.")
### BEGIN HIDDEN TESTS
assert_equal(outcomes[2], outcome(lambda: WithLocal(2), "c"), "entry 2, WithLocal(2).c", hint="c is no argument.")
assert_equal(outcomes[3], outcome(lambda: Changed(2), "a"), "entry 3, Changed(2).a",
             hint="The frame holds the value at the moment of the call.")
assert_equal(outcomes[4], outcome(lambda: Changed(2), "b"), "entry 4, Changed(2).b",
             hint="An assignment after the call comes too late.")
assert_equal(outcomes[5], outcome(lambda: Ignoring(2), "a"), "entry 5, Ignoring(2).a")
assert_equal(outcomes[6], outcome(lambda: Child(2, 3), "a"), "entry 6, Child(2, 3).a",
             hint="Two calls store a; the second comes last.")
assert_equal(outcomes[7], outcome(lambda: Heir(2), "a"), "entry 7, Heir(2).a",
             hint="The call stands in the __init__ of Kept: which arguments does that one get?")
### END HIDDEN TESTS

# %% [markdown] task="3.2.2b" kind="code" minutes=8 difficulty=2
# ### By hand
#
# The call saves typing, no more. Write the class `ByHand` that does what this class does, but without
# `save_hyperparameters` and without `d2l.HyperParameters`:
#
# ```python
# class Automatic(d2l.HyperParameters):
#     def __init__(self, width, depth=2, *names, **options):
#         self.save_hyperparameters()
# ```
#
# Every instance has the attributes `width`, `depth`, `names` (a tuple), `options` (a dictionary), and `hparams`, a
# dictionary of these four under their names; nothing else.
#
# **You are done when** the check shows the right attributes of `ByHand(8)` and of `ByHand(8, 3, "a", "b",
# dropout=0.5)`.

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
def attributes_by_hand(args, kwargs):
    made = ByHand(*args, **kwargs)
    kept = vars(made)
    endless = {id(made): "the object itself", id(kept): "the dictionary of all attributes, in which it stands itself"}
    return {name: endless.get(id(value), value) for name, value in kept.items()}

class Automatic(d2l.HyperParameters):
    def __init__(self, width, depth=2, *names, **options):
        self.save_hyperparameters()

shown = attributes_by_hand([8], {})
assert_equal(sorted(shown), ["depth", "hparams", "names", "options", "width"], "the attributes of ByHand(8)")
assert_equal(shown, vars(Automatic(8)), "the values of ByHand(8)")
assert_equal(attributes_by_hand([8, 3, "a", "b"], {"dropout": 0.5}), vars(Automatic(8, 3, "a", "b", dropout=0.5)),
             'the values of ByHand(8, 3, "a", "b", dropout=0.5)')
### BEGIN HIDDEN TESTS
for args, kwargs in (([-1, 0], {}), ([4], {"depth": 7, "lr": 0.1, "wd": 0}), ([0, 1, [2]], {"self_test": "yes"})):
    wanted = vars(Automatic(*args, **kwargs))
    assert_equal(sorted(attributes_by_hand(args, kwargs)), sorted(wanted), f"the attributes for {args} and {kwargs}")
    assert_equal(attributes_by_hand(args, kwargs), wanted, f"the values for {args} and {kwargs}")

@probe
def first_of_two():
    first = ByHand(1, 2, "x", lr=3)
    ByHand(5, 6, "y", lr=7)
    return [first.width, first.depth, first.names, first.options, first.hparams]

wanted = Automatic(1, 2, "x", lr=3)
assert_equal(first_of_two(), [wanted.width, wanted.depth, wanted.names, wanted.options, wanted.hparams],
             "an instance after another one was made", hint="Attributes of the class are shared by all instances.")
### END HIDDEN TESTS

# %% [markdown]
# ### Your own framework
#
# The next exercises build the classes themselves, in a size that fits on one screen. Each is compared with
# `d2l_utils` and needs none of the others.

# %% [markdown] task="3.2.3" kind="code" minutes=8 difficulty=2 core=true
# ### add_to_class
#
# Write the decorator `add_to_class(Class)`: the decorated function becomes a method of `Class` under its own name,
# for instances that exist, for new ones and for those of subclasses. The decorated name goes on meaning the function.
#
# **You are done when** the check shows that an instance made *before* the decoration has the method, and that the
# decorated name is still a function.

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
# 3. A decorator with an argument that prints a word first:
#    `def saying(word): def register(f): print(word); return f; return register`, written over four lines.

# %% check="3.2.3" points=2
@probe
def grown(value):
    class Plain:
        pass

    class Sub(Plain):
        pass

    old = Plain()
    old.value = value

    def scaled(self, factor=2):
        return factor * self.value

    returned = add_to_class(Plain)(scaled)
    young = Sub()
    young.value = value + 1
    return {"old": old.scaled() if hasattr(old, "scaled") else "no method",
            "sub": young.scaled(factor=3) if hasattr(young, "scaled") else "no method",
            "returned": type(returned).__name__,
            "called": returned(old, 5) if callable(returned) and not isinstance(returned, type) else "no function"}

found = grown(10)
assert_equal(found["old"], 20, "the method of an instance made before the decoration",
             mistakes={"The class has no method by the name of the decorated function.": "no method"})
assert_equal(found["returned"], "function", "what the decorated name stands for",
             hint="The decorator must return the function, or the name becomes None.")
### BEGIN HIDDEN TESTS
for value in (7, -3):
    found = grown(value)
    assert_equal(found["old"], 2 * value, "the method of an old instance, with its default argument")
    assert_equal(found["sub"], 3 * (value + 1), "the method of an instance of a subclass, with its argument")
    assert_equal(found["called"], 5 * value, "the decorated name, called as a function")

@probe
def two_methods():
    class One:
        pass

    class Two:
        pass

    @add_to_class(One)
    def first(self):
        return 1

    @add_to_class(One)
    def second(self, *numbers, **named):
        return [self.first(), sum(numbers), sorted(named)]

    return [One().second(4, 5, unit="m") if hasattr(One, "second") else "no method",
            sorted(name for name in vars(Two) if not name.startswith("_")),
            sorted(name for name in vars(One) if not name.startswith("_"))]

assert_equal(two_methods()[0], [1, 9, ["unit"]], "two methods, one of which calls the other")
assert_equal(two_methods()[1:], [[], ["first", "second"]], "the methods of the class, and of one that was left alone")
### END HIDDEN TESTS

# %% [markdown] task="3.2.4" kind="code" minutes=15 difficulty=3 core=true
# ### save_hyperparameters
#
# Write the class `HyperParameters` with the method `save_hyperparameters(self, ignore=())`. Called in a method, often
# `__init__`, it stores each *argument* of that method as an attribute of `self`, and all of them in the dictionary
# `self.hparams`.
#
# - `self` is not stored, local variables that are no arguments are not stored, nor are names in `ignore`, nor names
#   that begin with an underscore.
# - `*args` and `**kwargs` are stored whole, under the names they have there.
# - Where a base class has stored `hparams` before, its entries stay; an entry of the same name is replaced.
#
# **You are done when** the check shows the attributes of a class with a local variable, and they are the same as with
# `d2l.HyperParameters`.

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
#    the name of `*args` or `None`, the name of `**kwargs` or `None`, and the values of all locals.
# 3. The recap's `bake` prints what `getargvalues` gives; for `def boil(self, t, *, salt=1)` the names are
#    `["self", "t", "salt"]`.

# %% check="3.2.4" points=3
@probe
def stored(source, args, kwargs):
    names = {"Base": HyperParameters}
    exec(source, names)

    def shown(value):
        if isinstance(value, dict):
            return {name: shown(entry) for name, entry in value.items()}
        return "the object itself" if isinstance(value, names["Example"]) else value

    return shown(vars(names["Example"](*args, **kwargs)))

def wanted_with_d2l(source, args, kwargs):
    names = {"Base": d2l.HyperParameters}
    exec(source, names)
    return dict(vars(names["Example"](*args, **kwargs)))

with_local = """
class Example(Base):
    def __init__(self, a, b=3):
        area = a * b
        self.save_hyperparameters()
"""
mine = stored(with_local, [2], {})
assert_equal(sorted(mine), ["a", "b", "hparams"],
             "the attributes of a class with arguments a and b and a local variable",
             mistakes={"`area` is a local variable, and no argument.": ["a", "area", "b", "hparams"],
                       "`self` is not stored.": ["a", "b", "hparams", "self"],
                       "These are not the arguments of `__init__`, which called your method.": ["hparams", "ignore"],
                       "The dictionary `hparams` is missing.": ["a", "b"]})
assert_equal(mine, wanted_with_d2l(with_local, [2], {}), "the values, as d2l.HyperParameters stores them")
### BEGIN HIDDEN TESTS
def compare(what, source, args=(), kwargs=None):
    got, wanted = stored(source, list(args), kwargs or {}), wanted_with_d2l(source, list(args), kwargs or {})
    assert_equal(sorted(got), sorted(wanted), f"the attributes, {what}")
    assert_equal(got, wanted, f"the values, {what}")

compare("where arguments are called otherwise, one by keyword only", """
class Example(Base):
    def __init__(self, lr, *, sigma=0.01):
        self.save_hyperparameters()
""", [0.5], {"sigma": -1})
compare("with names to ignore", """
class Example(Base):
    def __init__(self, lr, loss, wd=0):
        self.save_hyperparameters(ignore=["loss"])
""", [0.1, "squared"])
compare("with a name that begins with an underscore", """
class Example(Base):
    def __init__(self, lr, _secret=1):
        self.save_hyperparameters()
""", [0.1])
compare("with *layers and **options", """
class Example(Base):
    def __init__(self, lr, *layers, **options):
        self.save_hyperparameters()
""", [0.1, 8, 4], {"act": "relu"})
compare("where self has another name", """
class Example(Base):
    def __init__(this, lr):
        this.save_hyperparameters()
""", [0.1])
compare("of a subclass and its base class, which both save", """
class Parent(Base):
    def __init__(self, lr, sigma=0.01):
        self.save_hyperparameters()

class Example(Parent):
    def __init__(self, wd, lr):
        super().__init__(10 * lr)
        self.save_hyperparameters()
""", [3, 0.1])
compare("where a method other than __init__ saves", """
class Example(Base):
    def __init__(self, lr):
        self.later(lr, 7)

    def later(self, rate, steps):
        self.save_hyperparameters()
""", [0.2])
### END HIDDEN TESTS

# %% [markdown] task="3.2.5" kind="code" minutes=15 difficulty=3
# ### A small DataModule
#
# Write the base class `MiniDataModule`. A subclass sets `self.batch_size` and defines `get_dataloader`. Yours has
#
# - `get_dataloader(train)`: raises `NotImplementedError` with a message that names the subclass;
# - `train_dataloader()` and `val_dataloader()`: what `get_dataloader` gives for `train=True` and `train=False`;
# - `get_tensorloader(tensors, train, indices=slice(0, None))`: a `torch.utils.data.DataLoader` over the rows
#   `indices` of each tensor, in batches of `self.batch_size`. The order is random, and new in each pass, if `train`,
#   else as given. The last batch may be smaller; no row is lost.
#
# **You are done when** the check shows batches of 4, 4 and 2 for ten rows, in order for validation.

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
# 1. `torch.utils.data` has a class that zips tensors row by row, and one that cuts batches. Which arguments do they
#    take?
# 2. `TensorDataset(X, y)` and `DataLoader(dataset, batch_size, shuffle=...)`. `type(self).__name__` is the subclass.
# 3. Three letters in batches of two: `list(torch.utils.data.DataLoader(["a", "b", "c"], 2))` is
#    `[["a", "b"], ["c"]]`.

# %% check="3.2.5" points=2
@probe
def passes(tensors, batch_size, num_train, train, times):
    class Cut(MiniDataModule):
        def __init__(self):
            self.batch_size = batch_size

        def get_dataloader(self, train):
            rows = slice(0, num_train) if train else slice(num_train, None)
            return self.get_tensorloader(tuple(tensors), train, rows)

    loader = Cut().train_dataloader() if train else Cut().val_dataloader()
    return {"length": len(loader), "passes": [[list(batch) for batch in loader] for _ in range(times)]}

column = torch.arange(16.).reshape(16, 1)
seen = passes([column, -column], 4, 6, False, 1)["passes"][0]
assert_equal([len(batch[0]) for batch in seen], [4, 4, 2], "the sizes of the validation batches for ten rows",
             mistakes={"These are all 16 rows, not only those of `indices`.": [4, 4, 4, 4],
                       "The last, smaller batch is missing.": [4, 4]})
assert_close(torch.cat([batch[0] for batch in seen]), column[6:], "the validation rows, in order")
assert_close(torch.cat([batch[1] for batch in seen]), -column[6:], "the second tensor's rows")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(21)
ids = torch.arange(50)
three = [ids, torch.randn(50, 2, 3, generator=rng), torch.randn(50, 1, generator=rng)]
for train, rows in ((True, ids[:31]), (False, ids[31:])):
    got = passes(three, 7, 31, train, 2)
    kind = "training" if train else "validation"
    assert_equal(got["length"], -(-len(rows) // 7), f"len() of the {kind} loader")
    for batches in got["passes"]:
        assert_equal([len(batch) for batch in batches], [3] * len(batches), "the number of tensors in a batch of three")
        order = torch.cat([batch[0] for batch in batches])
        assert_equal([len(batch[0]) for batch in batches], [7] * (len(rows) // 7) + [len(rows) % 7],
                     f"the sizes of the {kind} batches, {len(rows)} rows in batches of 7")
        assert_close(order.sort().values, rows, f"the {kind} rows, each once")
        assert_close(torch.cat([batch[1] for batch in batches]), three[1][order], f"the second of three {kind} tensors",
                     hint="Rows of all tensors must stay together.")
        assert_close(torch.cat([batch[2] for batch in batches]), three[2][order], f"the third of three {kind} tensors")
    orders = [torch.cat([batch[0] for batch in batches]).tolist() for batches in got["passes"]]
    if train:
        assert_true(orders[0] != rows.tolist(), "the training order is random")
        assert_true(orders[0] != orders[1], "each pass has a training order of its own")
    else:
        assert_equal(orders, [rows.tolist()] * 2, "the validation order is the given one")

@probe
def whole(X, batch_size):
    data = MiniDataModule()
    data.batch_size = batch_size
    return [list(batch) for batch in data.get_tensorloader([X], False)]

assert_close(torch.cat([batch[0] for batch in whole(three[2], 50)]), three[2], "without indices: all rows, one batch")

@probe
def unfinished():
    class NoLoaderYet(MiniDataModule):
        batch_size = 3

    try:
        NoLoaderYet().train_dataloader()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["no error", ""]

assert_equal(unfinished()[0], "NotImplementedError", "a subclass without get_dataloader")
assert_true("NoLoaderYet" in unfinished()[1], "the error's message names the subclass")
### END HIDDEN TESTS

# %% [markdown] task="3.2.6" kind="code" minutes=15 difficulty=3
# ### A small Module
#
# Write the base class `MiniModule`, a subclass of `nn.Module`. A subclass of yours sets `self.lr`, sets `self.net` or
# defines `forward`, and defines `loss`. Yours has
#
# - `forward(X)`: `self.net` of `X`;
# - `loss(y_hat, y)`: raises `NotImplementedError` with a message that names the subclass;
# - `training_step(batch)`: the loss of the batch, with its graph. A batch is a tuple or list `(inputs..., targets)`
#   with *one or more* inputs. It calls the model itself, so that a subclass's own `forward` counts;
# - `validation_step(batch)`: the same value. (The Trainer is the one who switches gradients off.)
# - `configure_optimizers()`: `torch.optim.SGD` over all parameters with learning rate `self.lr`.
#
# **You are done when** the check shows the loss of a line at two points, and the weight after one step of the
# optimizer.

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
def line_trained(weight, X, y, lr):
    class Line(MiniModule):
        def __init__(self):
            super().__init__()
            self.net, self.lr = nn.Linear(weight.shape[1], 1), lr

        def loss(self, y_hat, y):
            return ((y_hat - 2 * y) ** 2).mean()    # not symmetric: the order of the arguments shows

    model = Line()
    with torch.no_grad():
        model.net.weight.copy_(weight)
        model.net.bias.zero_()
    optimizer, loss = model.configure_optimizers(), model.training_step((X, y))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {"predictions": model(X), "loss": loss, "weight": model.net.weight, "bias": model.net.bias,
            "later": model.validation_step([X, y])}

after = line_trained(torch.tensor([[3.]]), torch.tensor([[1.], [2.]]), torch.tensor([[1.], [2.]]), 0.1)
assert_close(after["loss"], torch.tensor(2.5), "the loss of y = 3 x against 2 y at (1, 1) and (2, 2): (1 + 4) / 2",
             mistakes={"Loss takes the predictions first, then the targets.": torch.tensor(62.5)})
assert_close(after["weight"], torch.tensor([[2.5]]), "the weight after one step with lr 0.1: 3 - 0.1 · 5")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(31)
W, X, y = (torch.randn(*shape, generator=rng) for shape in ((1, 3), (7, 3), (7, 1)))
w = W.clone().requires_grad_()
c = torch.zeros(1, requires_grad=True)
L = ((X @ w.T + c - 2 * y) ** 2).mean()
L.backward()
after = line_trained(W, X, y, 0.03)
assert_close(after["loss"], L.detach(), "the loss, 7 examples with 3 features")
new_w, new_c = (w - 0.03 * w.grad).detach(), (c - 0.03 * c.grad).detach()
assert_close(after["weight"], new_w, "the weight after one step with lr 0.03")
assert_close(after["bias"], new_c, "the bias after one step with lr 0.03")
assert_close(after["predictions"], X @ new_w.T + new_c, "the predictions after the step")
assert_close(after["later"], ((X @ new_w.T + new_c - 2 * y) ** 2).mean(), "the loss of validation_step after the step")

@probe
def two_inputs(A, B, y):
    class Product(MiniModule):
        def __init__(self):
            super().__init__()
            self.scale, self.lr = nn.Parameter(torch.tensor(3.)), 0.1

        def forward(self, A, B):
            return self.scale * A * B

        def loss(self, y_hat, y):
            return (y_hat - y).abs().sum()

    model = Product()
    return [model.training_step((A, B, y)), model.validation_step([A, B, y])]

A, B, t = (torch.randn(5, 2, generator=rng) for _ in range(3))
assert_close(two_inputs(A, B, t)[0], (3 * A * B - t).abs().sum(), "training_step, two inputs and a forward of its own",
             hint="All entries but the last are inputs, and the model is called as self(...).")
assert_close(two_inputs(A, B, t)[1], (3 * A * B - t).abs().sum(),
             "validation_step, two inputs and a forward of its own")

@probe
def without_loss(X, y):
    class Lossless(MiniModule):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(X.shape[1], 1)

    try:
        Lossless().training_step((X, y))
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["no error", ""]

assert_equal(without_loss(X, y)[0], "NotImplementedError", "a subclass without a loss")
assert_true("Lossless" in without_loss(X, y)[1], "the error's message names the subclass")
### END HIDDEN TESTS

# %% [markdown]
# The last two exercises watch a trainer at work. `record_training` builds a linear model whose training and
# validation steps note what they see, trains it with the trainer that `make_trainer(epochs)` returns, on `X` (n, d)
# and `y` (n, 1) in the given order, the first `num_train` rows for training, and returns what happened. `rehearsal`
# uses it.

# %% tags=["setup"]
def record_training(make_trainer, w, X, y, num_train, batch_size, epochs, lr):
    """Train a line from the weight w (d, 1) and the bias 0; returns weights, modes, losses, curve and counters.

    Each entry of "seen" is [0 in training or 1 in validation, training mode, gradients recorded, loss].
    """
    seen = []

    class Watched(d2l.LinearRegressionScratch):
        def training_step(self, batch):
            loss = super().training_step(batch)
            seen.append([0, int(self.training), int(torch.is_grad_enabled()), float(loss.detach())])
            return loss

        def validation_step(self, batch):
            loss = self.loss(self(*batch[:-1]), batch[-1])
            seen.append([1, int(self.training), int(torch.is_grad_enabled()), float(loss.detach())])
            super().validation_step(batch)

    class Rows(d2l.DataModule):
        def get_dataloader(self, train):
            rows = slice(0, num_train) if train else slice(num_train, None)
            return self.get_tensorloader((X, y), False, rows) if train or num_train < len(X) else None

    model, data = Watched(X.shape[1], lr), Rows()
    data.batch_size = batch_size
    model.board.display = False
    with torch.no_grad():
        model.w.copy_(w)
    trainer = make_trainer(epochs)
    trainer.fit(model, data)
    return {"w": model.w.detach(), "b": model.b.detach(), "seen": seen,
            "curve": [list(point) for point in model.board.data.get("train_loss", [])],
            "counters": [getattr(trainer, name, "missing") for name in
                         ("epoch", "train_batch_idx", "num_train_batches", "num_val_batches")]}

def d2l_trainer(epochs):
    """The trainer of d2l_utils, silent and on the CPU."""
    return d2l.Trainer(epochs, device="cpu", verbose=False)

# %%
rehearsal = record_training(d2l_trainer, w=torch.tensor([[1.0]]), X=torch.tensor([[1.0], [2.0], [3.0]]),
                            y=torch.tensor([[3.0], [5.0], [7.0]]), num_train=2, batch_size=1, epochs=1, lr=0.1)
for part_of_run, training_mode, recorded, loss in rehearsal["seen"]:
    print(f"{'validation' if part_of_run else 'training  '}  training mode {training_mode}, "
          f"gradients recorded {recorded}, loss {loss:.3f}")

# %% [markdown] task="3.2.7" kind="code" minutes=20 difficulty=4 core=true
# ### A small Trainer
#
# Write `MiniTrainer(max_epochs)` with the method `fit(model, data)`, which trains a `d2l.Module` on a
# `d2l.DataModule` as `d2l.Trainer` does, on the CPU, without plots, checkpoints and messages of its own.
#
# - Before the first epoch: `self.train_dataloader` and `self.val_dataloader` from `data` (the second may be `None`),
#   their lengths as `self.num_train_batches` and `self.num_val_batches` (0 for `None`), `model.trainer = self`, and
#   `self.optim` from `model.configure_optimizers()`.
# - In each epoch, `self.epoch` counts from 0. Every training batch goes through `model.training_step` in training
#   mode and is followed by one step of the optimizer; `self.train_batch_idx` counts the batches of all epochs from 0
#   and grows after each step. Then every validation batch goes through `model.validation_step` in evaluation mode,
#   without gradients being recorded, and without a change of the parameters.
#
# `d2l.Module.plot` reads these attributes.
#
# **You are done when** the check shows the same weight and bias as after `d2l.Trainer`, with one epoch and one batch.

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
# 2. The order for one batch is: loss, gradients to zero, backward, step. `for self.epoch in range(n):` is legal
#    Python. The error "has no trainer yet" says that `model.trainer` was not set.
# 3. Without classes: `for batch in batches: loss = f(w, batch); w.grad = None; loss.backward(); ...` and the update
#    of `w` inside `torch.no_grad()`.

# %% check="3.2.7" points=4
@probe
def trained_by_you(w, X, y, num_train, batch_size, epochs, lr):
    return record_training(MiniTrainer, w, X, y, num_train, batch_size, epochs, lr)

small = (torch.tensor([[1.]]), torch.tensor([[1.], [2.], [3.]]), torch.tensor([[3.], [5.], [7.]]), 2, 2, 1, 0.1)
yours, theirs = trained_by_you(*small), record_training(d2l_trainer, *small)
assert_close(yours["w"], theirs["w"], "the weight after one epoch of one batch")
assert_close(yours["b"], theirs["b"], "the bias after one epoch of one batch")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(41)
X, w = torch.randn(23, 3, generator=rng), torch.randn(3, 1, generator=rng)
y = X @ torch.randn(3, 1, generator=rng) + 1.5 + 0.1 * torch.randn(23, 1, generator=rng)
for num_train, batch_size, epochs in ((23, 5, 1), (17, 4, 3), (18, 6, 2)):
    case = f"{num_train} training rows in batches of {batch_size}, {epochs} epochs, {23 - num_train} validation rows"
    yours = trained_by_you(w, X, y, num_train, batch_size, epochs, 0.05)
    theirs = record_training(d2l_trainer, w, X, y, num_train, batch_size, epochs, 0.05)
    for kind, name in ((0, "training"), (1, "validation")):
        mine, wanted = ([row[1:] for row in run["seen"] if row[0] == kind] for run in (yours, theirs))
        assert_equal(len(mine), len(wanted), f"the number of {name} steps; {case}")
        assert_equal([row[0] for row in mine], [row[0] for row in wanted],
                     f"the flag `training` in {name} steps; {case}",
                     hint="train() and eval() set it; each epoch needs both.")
        assert_equal([row[1] for row in mine], [row[1] for row in wanted],
                     f"whether gradients are recorded in {name} steps; {case}",
                     hint="Training records them, validation runs inside torch.no_grad().")
        assert_close([row[2] for row in mine], [row[2] for row in wanted], f"the losses of the {name} steps; {case}",
                     rtol=1e-4, hint="Are gradients set to zero, and parameters moved, once for each training batch?")
    assert_equal([row[0] for row in yours["seen"]], [row[0] for row in theirs["seen"]],
                 f"the order of training and validation steps; {case}")
    assert_close(yours["w"], theirs["w"], f"the weight at the end; {case}")
    assert_close(yours["b"], theirs["b"], f"the bias at the end; {case}")
    assert_equal(yours["counters"], theirs["counters"],
                 f"epoch, train_batch_idx, num_train_batches, num_val_batches at the end; {case}")
    assert_close(yours["curve"], theirs["curve"], f"the points of the training curve; {case}", rtol=1e-4,
                 hint="Module.plot reads train_batch_idx during the step.")
### END HIDDEN TESTS

# %% [markdown] task="3.2.8" kind="break it" minutes=20 difficulty=4
# ### A test that tells sound trainers from broken ones
#
# A training loop with a mistake often still makes the loss fall, so nobody notices. Write `accepts(Trainer)`: it gets
# a class, trains something with `Trainer(max_epochs).fit(model, data)`, looks at what happened, and returns `True` if
# the trainer is sound and `False` if it is not. You may use `record_training` and compare with `d2l_trainer`.
#
# Sound means: it does what exercise 3.2.7 asks for, whatever it is called. The hidden tests hand in two sound
# trainers and six broken ones, each with one mistake: in the gradients, in the data, in the number of steps, in the
# mode, or in the validation. A broken trainer may also raise an error. Rejecting a sound trainer costs all points.
#
# **You are done when** the check shows that you accept `d2l_trainer` and reject a trainer that does nothing.

# %% exercise="3.2.8"
def accepts(Trainer):
    """True if `Trainer(max_epochs).fit(model, data)` trains soundly, else False."""
    ### BEGIN SOLUTION
    rng = torch.Generator().manual_seed(0)
    X, y, w = (torch.randn(*shape, generator=rng) for shape in ((14, 2), (14, 1), (2, 1)))
    case = (w, X, y, 9, 4, 3, 0.1)      # a smaller last batch, several epochs, validation rows
    try:
        run, sound = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    steps, sound_steps = torch.tensor(run["seen"]), torch.tensor(sound["seen"])
    return (steps.shape == sound_steps.shape and torch.allclose(steps, sound_steps, atol=1e-5)
            and torch.allclose(run["w"], sound["w"], atol=1e-5) and torch.allclose(run["b"], sound["b"], atol=1e-5))
    ### END SOLUTION

# %% [markdown] hints="3.2.8"
# 1. Which data would hide the mistake "the last, smaller batch is left out"? And which number of epochs would hide
#    the mistake "training mode is set once, before the first epoch"?
# 2. Two runs from the same weights on the same batches in the same order must agree in every number, up to rounding.
# 3. For two sorting functions: `f([3, 1, 2]) == sorted([3, 1, 2])` says nothing about equal entries; add one list
#    that has them, one that is empty.

# %% check="3.2.8" points=4
@probe
def answer_for_two():
    class Idle:
        def __init__(self, max_epochs):
            pass

        def fit(self, model, data):
            pass

    return [str(bool(accepts(d2l_trainer))), str(bool(accepts(Idle)))]

assert_equal(answer_for_two()[0], "True", "your answer for d2l_trainer, which is sound")
assert_equal(answer_for_two()[1], "False", "your answer for a trainer that does nothing")
### BEGIN HIDDEN TESTS
@probe
def answers_for(mistakes):
    def make(mistake):
        class Loop:
            def __init__(self, max_epochs):
                self.max_epochs = max_epochs

            def fit(self, model, data):
                self.train_dataloader, self.val_dataloader = data.train_dataloader(), data.val_dataloader()
                self.num_train_batches, self.num_val_batches = len(self.train_dataloader), 0
                if self.val_dataloader is not None:
                    self.num_val_batches = len(self.val_dataloader)
                model.trainer, self.train_batch_idx = self, 0
                self.optim = model.configure_optimizers()
                for self.epoch in range(self.max_epochs - (mistake == "one epoch too few")):
                    if self.epoch == 0 or mistake != "training mode is set once":
                        model.train()
                    for i, batch in enumerate(self.train_dataloader):
                        if mistake == "the last batch is left out" and i == self.num_train_batches - 1:
                            continue
                        loss = model.training_step(batch)
                        if mistake != "gradients are never set to zero":
                            self.optim.zero_grad()
                        loss.backward()
                        with torch.no_grad():
                            self.optim.step()
                        self.train_batch_idx += 1
                    if mistake != "validation in training mode":
                        model.eval()
                    for batch in self.val_dataloader or ():
                        if mistake == "the model learns from the validation batches":
                            self.optim.zero_grad()
                            model.loss(model(*batch[:-1]), batch[-1]).backward()
                            with torch.no_grad():
                                self.optim.step()
                        with torch.no_grad():
                            model.validation_step(batch)
        return Loop
    return {mistake: str(bool(accepts(make(mistake)))) for mistake in mistakes}

broken = ["gradients are never set to zero", "the last batch is left out", "one epoch too few",
          "training mode is set once", "validation in training mode", "the model learns from the validation batches"]
given = answers_for(["none"] + broken)
assert_equal(given["none"], "True", "your answer for a sound trainer of another kind",
             hint="A test that rejects what is sound is of no use.")
caught = [mistake for mistake in broken if given[mistake] == "False"]
with part(1, "at least three of the six broken trainers rejected"):
    assert_true(len(caught) >= 3, f"rejected {len(caught)} of 6 broken trainers")
with part(1, "mistakes in gradients, data and epochs rejected"):
    assert_equal(sorted(set(broken[:3]) - set(caught)), [], "accepted, though broken")
with part(1, "mistakes in the mode rejected"):
    assert_equal(sorted(set(broken[3:5]) - set(caught)), [], "accepted, though broken")
with part(1, "learning from the validation data rejected"):
    assert_equal(sorted(set(broken[5:]) - set(caught)), [], "accepted, though broken")
total()
### END HIDDEN TESTS
