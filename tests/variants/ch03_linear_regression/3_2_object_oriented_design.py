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

# %% wrong="3.2.1a" why="the model before the data" says="the first name"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_model", "prepare_data", "configure_optimizers"] + (
        epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="gradients to zero before the step's loss" says="what comes between the loss and the optimizer's step"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["zero_grad", "training_step", "step"] * num_train_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (
        epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="the optimizer before the model" says="the first four names"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "configure_optimizers", "prepare_model"] + (
        epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="validates only after the last epoch" says="how often each name is called"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * num_epochs + [
        "validation_step"] * num_val_batches

# %% wrong="3.2.1a" why="configures the optimizer in every epoch" says="how often each name is called"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["configure_optimizers", "fit_epoch"] + ["training_step", "zero_grad", "step"] * num_train_batches
    return ["prepare_data", "prepare_model"] + (epoch + ["validation_step"] * num_val_batches) * num_epochs

# %% wrong="3.2.1a" why="validates in front of the training batches" says="one epoch of one batch each"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["validation_step"] * num_val_batches
    return ["prepare_data", "prepare_model", "configure_optimizers"] + (
        epoch + ["training_step", "zero_grad", "step"] * num_train_batches) * num_epochs

# %% wrong="3.2.1a" why="the visible example, written down" says="the names after fit_epoch"
def call_order(num_epochs, num_train_batches, num_val_batches):
    epoch = ["fit_epoch"] + ["training_step", "zero_grad", "step"] * 3 + ["validation_step"]
    return ["prepare_data", "prepare_model", "configure_optimizers"] + epoch * 2

# %% right="3.2.1b" how="method names alone"
place = {"absolute": "loss", "adam": "configure_optimizers", "second_metric": "validation_step", "csv": "get_dataloader",
         "convert": "prepare_batch", "accumulate": "fit_epoch", "early_stop": "fit"}

# %% right="3.2.1b" how="dict(), with d2l. in front and brackets behind"
place = dict(early_stop="d2l.Trainer.fit()", accumulate="d2l.Trainer.fit_epoch()", convert="d2l.Trainer.prepare_batch()",
             csv="d2l.DataModule.get_dataloader()", second_metric="d2l.Module.validation_step()",
             adam="d2l.Module.configure_optimizers()", absolute="d2l.Module.loss()")

# %% wrong="3.2.1b" why="the loss belongs to the training step" says="absolute"
place = {"absolute": "Module.training_step", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="the optimizer belongs to the Trainer" says="The model names its optimizer"
place = {"absolute": "Module.loss", "adam": "Trainer.fit", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="only the training loader reads the CSV file" says="serves training and validation"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.train_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="conversion in one model's forward" says="any model and any data"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Module.forward", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

# %% wrong="3.2.1b" why="stops inside an epoch" says="Find the loop over epochs"
place = {"absolute": "Module.loss", "adam": "Module.configure_optimizers", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit_epoch"}

# %% wrong="3.2.1b" why="a method that does not exist" says="that no class has"
place = {"absolute": "Module.loss", "adam": "Module.optimizer", "csv": "DataModule.get_dataloader",
         "second_metric": "Module.validation_step", "convert": "Trainer.prepare_batch", "accumulate": "Trainer.fit_epoch",
         "early_stop": "Trainer.fit"}

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

# %% wrong="3.2.2a" why="missing attributes are None" says="entry 1, Removed(2).a"
outcomes = [5, "None", "None", 4, 5, "None", 2, 20]

# %% wrong="3.2.2a" why="locals are stored, as in D2L 1.0.3" says="c is no argument"
outcomes = [5, "AttributeError", 7, 4, 5, "AttributeError", 2, 20]

# %% wrong="3.2.2a" why="the argument as it was passed" says="the value at the moment of the call"
outcomes = [5, "AttributeError", "AttributeError", 2, 5, "AttributeError", 2, 20]

# %% wrong="3.2.2a" why="the value at the end of __init__" says="comes too late"
outcomes = [5, "AttributeError", "AttributeError", 4, 10, "AttributeError", 2, 20]

# %% wrong="3.2.2a" why="the base class has the last word" says="Two calls store a"
outcomes = [5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 200, 20]

# %% wrong="3.2.2a" why="the call sees the subclass's arguments" says="which arguments does that one get"
outcomes = [5, "AttributeError", "AttributeError", 4, 5, "AttributeError", 2, 2]

# %% wrong="3.2.2a" why="an unstored name is a NameError" says="entry 1, Removed(2).a"
outcomes = [5, "NameError", "NameError", 4, 5, "NameError", 2, 20]

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

# %% wrong="3.2.2b" why="hparams is the dictionary of all attributes" says="in which it stands itself"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = vars(self)

# %% wrong="3.2.2b" why="no hparams" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options

# %% wrong="3.2.2b" why="each option becomes an attribute" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names = width, depth, names
        self.hparams = {"width": width, "depth": depth, "names": names, **options}
        for name, value in options.items():
            setattr(self, name, value)

# %% wrong="3.2.2b" why="all of locals(), self too" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.__dict__.update(locals())
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="a falsy argument takes the default" says="the values for [-1, 0]"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth or 2, names, options
        self.hparams = {"width": width, "depth": depth or 2, "names": names, "options": options}

# %% wrong="3.2.2b" why="attributes of the class, shared" says="the attributes of ByHand(8)"
class ByHand:
    def __init__(self, width, depth=2, *names, **options):
        ByHand.width, ByHand.depth, ByHand.names, ByHand.options = width, depth, names, options
        ByHand.hparams = {"width": width, "depth": depth, "names": names, "options": options}

# %% wrong="3.2.2b" why="one dictionary for all instances" says="an instance after another one was made"
class ByHand:
    _shared = {}

    def __init__(self, width, depth=2, *names, **options):
        self.width, self.depth, self.names, self.options = width, depth, names, options
        self.hparams = self._shared
        self.hparams.update(width=width, depth=depth, names=names, options=options)

# %% wrong="3.2.2b" why="no stars: names and options are plain arguments" says="raised TypeError"
class ByHand:
    def __init__(self, width, depth=2, names=(), options=None):
        self.width, self.depth, self.names, self.options = width, depth, names, options or {}
        self.hparams = {"width": width, "depth": depth, "names": names, "options": options or {}}

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

# %% wrong="3.2.3" why="returns nothing, as D2L 1.0.3" says="what the decorated name stands for"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, function)
    return register

# %% wrong="3.2.3" why="the name of the wrapper, not of the function" says="no method by the name of the decorated function"
def add_to_class(Class):
    def register(function):
        setattr(Class, "function", function)
        return function
    return register

# %% wrong="3.2.3" why="a subclass in place of the class" says="the method of an instance made before"
def add_to_class(Class):
    def register(function):
        type(Class.__name__, (Class,), {function.__name__: function})
        return function
    return register

# %% wrong="3.2.3" why="a static method" says="raised TypeError"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, staticmethod(function))
        return function
    return register

# %% wrong="3.2.3" why="returns the class" says="what the decorated name stands for"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, function)
        return Class
    return register

# %% wrong="3.2.3" why="a method without its arguments" says="unexpected keyword argument"
def add_to_class(Class):
    def register(function):
        setattr(Class, function.__name__, lambda self: function(self))
        return function
    return register

# %% wrong="3.2.3" why="sets it on object's type once, through a global" says="the methods of the class"
_seen_classes = []

def add_to_class(Class):
    _seen_classes.append(Class)

    def register(function):
        setattr(Class, function.__name__, function)
        setattr(Class, "function", function)
        return function
    return register

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

# %% wrong="3.2.4" why="takes every local variable, as D2L 1.0.3" says="`area` is a local variable"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        _, _, _, values = inspect.getargvalues(inspect.currentframe().f_back)
        self.hparams = {k: v for k, v in values.items() if k not in set(ignore) | {"self"} and not k.startswith("_")}
        for k, v in self.hparams.items():
            setattr(self, k, v)

# %% wrong="3.2.4" why="stores self, too" says="`self` is not stored"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, _, _, values = inspect.getargvalues(inspect.currentframe().f_back)
        self.hparams = {name: values[name] for name in names if name not in ignore}
        for name, value in self.hparams.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="its own frame, not the caller's" says="the attributes of a class with arguments a and b"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, _, _, values = inspect.getargvalues(inspect.currentframe())
        self.hparams = {name: values[name] for name in names[1:]}
        for name, value in self.hparams.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="overwrites the base class's hparams" says="of a subclass and its base class"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names[1:] + [n for n in (star, starstar) if n]
        self.hparams = {n: values[n] for n in names if n not in ignore and not n.startswith("_")}
        for name, value in self.hparams.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="forgets ignore" says="with names to ignore"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] + [n for n in (star, starstar) if n] if not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="only positional arguments" says="with *layers and **options"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, _, _, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="keeps names with an underscore" says="begins with an underscore"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        new = {n: values[n] for n in names[1:] + [n for n in (star, starstar) if n] if n not in ignore}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="takes self by its name" says="where self has another name"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        names = names + [n for n in (star, starstar) if n]
        new = {n: values[n] for n in names if n not in ignore and not n.startswith("_") and n != "self"}
        self.hparams = {**getattr(self, "hparams", {}), **{n: str(v) if v is self else v for n, v in new.items()}}
        for name, value in new.items():
            setattr(self, name, 0 if value is self else value)

# %% wrong="3.2.4" why="the signature of __init__, whoever calls" says="raised KeyError"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        values = inspect.currentframe().f_back.f_locals
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        new = {n: values[n] for n in names if n not in ignore and not n.startswith("_")}
        self.hparams = {**getattr(self, "hparams", {}), **new}
        for name, value in new.items():
            setattr(self, name, value)

# %% wrong="3.2.4" why="attributes but no hparams" says="the attributes of a class with arguments a and b"
class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        names, star, starstar, values = inspect.getargvalues(inspect.currentframe().f_back)
        for n in names[1:] + [n for n in (star, starstar) if n]:
            if n not in ignore and not n.startswith("_"):
                setattr(self, n, values[n])

# %% right="3.2.5" how="a subclass of d2l's"
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

# %% wrong="3.2.5" why="shuffles validation too" says="the validation rows, in order"
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

# %% wrong="3.2.5" why="drops the last batch" says="The last, smaller batch is missing"
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

# %% wrong="3.2.5" why="never shuffles" says="the training order is random"
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

# %% wrong="3.2.5" why="one random order for all passes" says="each pass has a training order of its own"
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

# %% wrong="3.2.5" why="ignores the indices" says="not only those of `indices`"
class MiniDataModule:
    def get_dataloader(self, train):
        raise NotImplementedError(type(self).__name__)

    def train_dataloader(self):
        return self.get_dataloader(True)

    def val_dataloader(self):
        return self.get_dataloader(False)

    def get_tensorloader(self, tensors, train, indices=slice(0, None)):
        return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*tensors), self.batch_size, shuffle=train)

# %% wrong="3.2.5" why="shuffles each tensor by itself" says="Rows of all tensors must stay together"
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

# %% wrong="3.2.5" why="takes the first two tensors only" says="the number of tensors in a batch"
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

# %% wrong="3.2.5" why="raises NotImplemented, which is no exception" says="a subclass without get_dataloader"
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

# %% wrong="3.2.5" why="a message without the subclass" says="the error's message names the subclass"
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

# %% wrong="3.2.6" why="targets before predictions" says="predictions first, then the targets"
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

# %% wrong="3.2.6" why="the loss as a number" says="a tensor was expected"
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

# %% wrong="3.2.6" why="detached predictions" says="its graph is cut"
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

# %% wrong="3.2.6" why="one input only" says="too many values to unpack"
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

# %% wrong="3.2.6" why="goes past a subclass's forward" says="your code raised AttributeError"
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

# %% wrong="3.2.6" why="a fixed learning rate" says="the weight after one step with lr 0.03"
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

# %% wrong="3.2.6" why="Adam" says="the weight after one step with lr 0.1"
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

# %% wrong="3.2.6" why="a squared loss in the base class" says="a subclass without a loss"
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

# %% wrong="3.2.6" why="validation_step returns nothing" says="the loss of validation_step"
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

# %% right="3.2.7" how="methods of its own for an epoch, and set_grad_enabled"
class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs, self.epoch, self.train_batch_idx = max_epochs, 0, 0

    def fit(self, model, data):
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

# %% right="3.2.7" how="a subclass of d2l.Trainer"
class MiniTrainer(d2l.Trainer):
    def __init__(self, max_epochs):
        super().__init__(max_epochs, device="cpu", verbose=False)

# %% wrong="3.2.7" why="gradients add up" says="the losses of the training steps"
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

# %% wrong="3.2.7" why="gradients to zero between backward and step" says="the weight after one epoch"
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

# %% wrong="3.2.7" why="training mode is set once" says="the flag `training` in training steps"
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

# %% wrong="3.2.7" why="believes that eval() stops the recording" says="whether gradients are recorded in validation steps"
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

# %% wrong="3.2.7" why="believes that no_grad() is evaluation mode" says="the flag `training` in validation steps"
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

# %% wrong="3.2.7" why="validates once, after all epochs" says="the number of validation steps"
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

# %% wrong="3.2.7" why="cannot do without validation data" says="raised TypeError"
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

# %% wrong="3.2.7" why="counts the batches of each epoch anew" says="epoch, train_batch_idx"
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

# %% wrong="3.2.7" why="forgets to tie the model to the trainer" says="has no trainer yet"
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

# %% right="3.2.8" how="weights from a loop of its own, and a list of modes"
def accepts(Trainer):
    X = torch.tensor([[1., 2.], [0., 1.], [-1., 3.], [2., -1.], [1., 1.], [4., 0.], [0., -2.]])
    y = torch.tensor([[1.], [2.], [0.], [3.], [-1.], [2.], [5.]])
    w, lr = torch.tensor([[0.5], [-0.5]]), 0.05
    try:
        run = record_training(Trainer, w, X, y, 5, 2, 2, lr)
    except Exception:
        return False
    v, b, losses = w.clone(), torch.zeros(1), []
    for _ in range(2):
        for start in (0, 2, 4):
            A, t = X[start:min(start + 2, 5)], y[start:min(start + 2, 5)]
            error = A @ v + b - t
            losses.append([0, 1, 1, (error ** 2).mean().item() / 2])
            v, b = v - lr * A.T @ error / len(A), b - lr * error.mean()
        losses.append([1, 0, 0, ((X[5:] @ v + b - y[5:]) ** 2).mean().item() / 2])
    if len(run["seen"]) != len(losses):
        return False
    near = all(abs(p - q) < 1e-4 for mine, other in zip(run["seen"], losses) for p, q in zip(mine, other))
    return near and torch.allclose(run["w"], v, atol=1e-5)

# %% right="3.2.8" how="numbers in a string, returns an int"
def accepts(Trainer):
    torch.manual_seed(3)
    case = torch.randn(1, 1), torch.randn(11, 1), torch.randn(11, 1), 8, 3, 4, 0.05
    texts = []
    for make in (Trainer, d2l_trainer):
        try:
            run = record_training(make, *case)
        except Exception:
            return 0
        texts.append(str([[round(number, 4) for number in row] for row in run["seen"]]) + f"{run['w'].item():.4f}")
    return int(texts[0] == texts[1])

# %% wrong="3.2.8" why="only asks whether the loss falls" says="at least three of the six"
def accepts(Trainer):
    X = torch.tensor([[1.], [-1.], [2.], [0.], [-2.], [1.], [0.5], [-0.5], [1.5], [3.]])
    try:
        run = record_training(Trainer, torch.zeros(1, 1), X, 3 * X + 1, 8, 3, 3, 0.1)
    except Exception:
        return False
    losses = [row[-1] for row in run["seen"] if row[0] == 0]
    return losses[-1] < losses[0] if losses else False

# %% wrong="3.2.8" why="accepts whatever runs" says="a trainer that does nothing"
def accepts(Trainer):
    try:
        record_training(Trainer, torch.zeros(1, 1), torch.ones(3, 1), torch.ones(3, 1), 2, 1, 1, 0.1)
        return True
    except Exception:
        return False

# %% wrong="3.2.8" why="rejects everything but d2l's" says="A test that rejects what is sound"
def accepts(Trainer):
    return Trainer is d2l_trainer

# %% wrong="3.2.8" why="compares the weights alone" says="mistakes in the mode rejected"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(2, 1), torch.randn(14, 2), torch.randn(14, 1), 9, 4, 3, 0.1
    try:
        return torch.allclose(record_training(Trainer, *case)["w"], record_training(d2l_trainer, *case)["w"])
    except Exception:
        return False

# %% wrong="3.2.8" why="one epoch of full batches, compared exactly" says="mistakes in the mode rejected"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(2, 1), torch.randn(12, 2), torch.randn(12, 1), 8, 4, 1, 0.1
    try:
        mine, other = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    return mine["seen"] == other["seen"] and torch.allclose(mine["w"], other["w"])

# %% wrong="3.2.8" why="no validation rows in its data" says="learning from the validation data"
def accepts(Trainer):
    torch.manual_seed(1)
    case = torch.randn(2, 1), torch.randn(9, 2), torch.randn(9, 1), 9, 4, 3, 0.1
    try:
        mine, other = record_training(Trainer, *case), record_training(d2l_trainer, *case)
    except Exception:
        return False
    return mine["seen"] == other["seen"] and torch.allclose(mine["w"], other["w"])
