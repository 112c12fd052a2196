"""Which parts of the book work: what a page lends, and nothing in the checks that run the reader's own parts alone."""
import sys
from contextlib import contextmanager

_INSIDE = {"Autograd": {"GradientBuffer", "Operation"},
           "network": {"Autograd", "GradientBuffer", "Operation", "Linear", "linear_backward", "ReLU", "relu_backward",
                       "SoftmaxCrossEntropy", "Network"}}
_lent = None        # the names of the parts that work; None: all of them


def lend(*names):
    """In a page's first cell: only these parts work there, with what they are made of. The others are the reader's to write."""
    global _lent
    _lent = _with_insides(names)


def needed(name):
    """Each part calls this when it is used."""
    if _lent is not None and name not in _lent:
        raise RuntimeError(f"{name} of d2l_utils.engine_parts is switched off here: this check wants yours. Write your own")


def no_answer(name):
    """The oracle calls this: it refuses to be the inside of a backward function, of `unbroadcast`, or of what one calls."""
    frame = sys._getframe(2)
    while frame is not None:
        asking, ours = frame.f_code.co_name, frame.f_globals.get("__name__", "").startswith("d2l_utils.")
        if asking.endswith(("_backward", "unbroadcast")) and not ours:
            raise RuntimeError(f"{name} is for comparing: {asking} computes its gradients itself, from the rules")
        frame = frame.f_back


@contextmanager
def switched_off(*names):
    """For a while, these parts do not work; without names, none does."""
    parts = set() if not names else (_lent if _lent is not None else _all()) - set(names)
    with _for_a_while(parts):
        yield


@contextmanager
def switched_on(*names):
    """For a while, these parts work, too; without names, all do."""
    with _for_a_while(None if not names or _lent is None else _lent | _with_insides(names)):
        yield


@contextmanager
def _for_a_while(parts):
    global _lent
    before, _lent = _lent, parts
    try:
        yield
    finally:
        _lent = before


def _with_insides(names):
    return {part for name in names for part in {name} | _INSIDE.get(name, set())}


def _all():
    from d2l_utils import engine_parts
    return {"linear_backward", *engine_parts.__all__}
