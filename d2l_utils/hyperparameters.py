"""Two helpers for classes that grow over several notebook cells (section 3.2 of D2L)."""
import inspect


def add_to_class(Class):
    """Decorator that makes a function a method of `Class`, also for instances that exist (section 3.2).

    The function itself is returned, so its name stays usable.
    """
    def register(function):
        setattr(Class, function.__name__, function)
        return function
    return register


class HyperParameters:
    """Base class that keeps the arguments of `__init__` as attributes (section 3.2)."""

    def save_hyperparameters(self, ignore=()):
        """Store each argument of the calling method as an attribute, and all of them in `self.hparams`.

        Local variables are no arguments and are left out, as are names in `ignore` and those that begin with an
        underscore. What a base class has stored in `hparams` stays.
        """
        names, varargs, varkw, values = inspect.getargvalues(inspect.currentframe().f_back)
        arguments = [*names[1:], *filter(None, [varargs, varkw])]  # names[0] is self
        new = {name: values[name] for name in arguments
               if name in values and name not in ignore and not name.startswith('_')}
        self.hparams = {**getattr(self, 'hparams', {}), **new}
        for name, value in new.items():
            setattr(self, name, value)
