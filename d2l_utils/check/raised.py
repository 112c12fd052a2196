"""What an exception of Python, torch, NumPy or pandas means, in plain words: for those who meet it the first time.

Each sentence holds wherever the exception's text appears, whoever called what: where there may be several reasons, it names them.
"""
from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import torch

from d2l_utils.check.nothing import said_of_none

_NONE = ("Something is None here, no value: an entry that the data leave open, the result of a function without `return`, or "
         "`.grad` before a backward pass or of what is computed from other tensors.")
_ONE = ("A single True or False is needed, and this has one for each entry: any() or all() makes one of them; "
        "torch.where or np.where, `&` and `|` work entry by entry. (Whether there is a value at all is asked with `is None`.)")
_FLOATS = "This operation needs floats: convert the tensor first, as with `.float()`."
_OF_PYTHON = ("list", "tuple", "dict", "set", "str", "bytes", "int", "float", "bool", "range", "zip", "map", "filter",
              "generator")
_FUNCTIONS = ("function", "method", "builtin_function_or_method")
_OTHERS = ("NoneType", "complex", "ellipsis", "frozenset", "module", "type", "Tensor", "ndarray", "Series", "DataFrame")


def is_own(kind: str) -> bool:
    """Whether a class of this name, as an exception has it, is one of the answer's."""
    return "." not in kind and kind not in (*_OF_PYTHON, *_FUNCTIONS, *_OTHERS)


def _entries(found: re.Match) -> str:
    wanted, there = [int(n) for n in re.findall(r"-?\d+", found[1])], int(found[2])
    product = math.prod(n for n in wanted if n != -1)
    if -1 in wanted:
        return f"The {there} entries cannot be divided among pieces of {product}."
    return f"A tensor of shape {tuple(wanted)} has {product} entries, and there are {there}."


def _position(found: re.Match) -> str:
    index, axis, size = (int(n) for n in found.groups())
    if size == 0:
        return f"Axis {axis} has no entry at all."
    return f"Axis {axis} has {size} {'entry' if size == 1 else 'entries'}, with the indices 0 to {size - 1}: there is no {index}."


def _attribute(found: re.Match) -> str:
    kind, name = found.groups()
    if kind == "NoneType":
        return _NONE
    if kind in _OF_PYTHON:
        owner = "a tensor or an array" if hasattr(np.ndarray, name) else "a tensor"
        return f"`.{name}` belongs to {owner}, and this is a Python {kind}." if hasattr(torch.Tensor, name) else ""
    if kind in _FUNCTIONS:
        return f"This is a function itself, and `.{name}` is asked of it, not of its result: are parentheses missing?"
    if not is_own(kind):
        return ""
    return f"`.{name}` is read before anything has set it: is it misspelt, or set later or on another object?"


def _operands(found: re.Match) -> str:
    sign, left, right = found.groups()
    if "NoneType" in (left, right):
        return _NONE
    return f"`{sign}` is not defined between a {left} and a {right}."


def _without_entries(found: re.Match) -> str:
    kind = next(filter(None, found.groups()))
    if kind == "NoneType":
        return _NONE
    return f"This is a single {kind}, without entries." if kind in ("int", "float", "bool") else ""


# the text of the exception, and the sentence: a template, or a function of the match
_KNOWN: tuple[tuple[str, str | Callable[[re.Match], str]], ...] = (
    # shapes
    (r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
     r"Axes are compared from the right, and only one of length 1 is repeated: at axis \3 they have \1 and \2 entries."),
    (r"The expanded size of the tensor \((-?\d+)\) must match the existing size \((\d+)\) at non-singleton dimension (\d+)",
     r"Axis \3 has \2 entries where \1 are needed, and only an axis of length 1 can be repeated."),
    (r"expand\(\S*\{\[(.*?)\]\}, size=\[(.*?)\]\): the number of sizes provided",
     r"What is put there has the shape [\1], the place for it the shape [\2]: the place must have as many axes, or more."),
    (r"operands could not be broadcast together",
     "Axes are compared from the right: two lengths must be equal, or one of them 1."),
    (r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
     r"What is assigned has shape \1, and the place for it shape \2."),
    (r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)",
     r"A matrix product needs as many columns on the left (here \1) as rows on the right (here \2)."),
    (r"mismatch in its core dimension \d+.*\(size (\d+) is different from (\d+)\)",
     r"A matrix product needs as many columns on the left (here \2) as rows on the right (here \1)."),
    (r"size mismatch, got input \(\d+\), mat \(\d+x(\d+)\), vec \((\d+)\)",
     r"A matrix with \1 columns takes a vector of \1 entries, and this one has \2."),
    (r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]",
     r"Both vectors need the same length: here \1 and \2."),
    (r"shape '\[(.*?)\]' is invalid for input of size (\d+)", _entries),
    (r"cannot reshape array of size (\d+) into shape (\(.*?\))", r"The \1 entries do not fill the shape \2."),
    (r"view size is not compatible with input tensor's size and stride",
     "view() needs the entries in memory in this order, and those of a transposed tensor are not: reshape() copies them "
     "where it must."),
    (r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
     r"There is no axis \3: the axes here are numbered \1 to \2."),
    (r"axis (-?\d+) is out of bounds for array of dimension (\d+)", r"There is no axis \1: this array has \2."),
    (r"Sizes of tensors must match except in dimension (\d+)\. Expected size (\d+) but got size (\d+)",
     r"Along every axis but \1, which joins them, all need the same length: here \2 and \3."),
    (r"stack expects each tensor to be equal size", "stack() needs tensors of one shape."),
    (r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
     r"cat() joins tensors with equally many axes, and these have \1 and \2; stack() makes a new axis."),
    (r"expected sequence of length (\d+) at dim (\d+) \(got (\d+)\)",
     r"The rows must have one length: here \1 and \3."),
    (r"inhomogeneous shape", "The rows must have one length, and these have not."),
    # positions
    (r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)", _position),
    (r"(list|tuple|string) (?:assignment )?index out of range",
     r"The \1 is shorter than this index needs: the last of n entries has the index n - 1."),
    (r"too many indices for tensor of dimension (\d+)",
     r"The tensor has fewer axes (\1) than the brackets have indices."),
    (r"only integer scalar arrays can be converted to a scalar index",
     "A whole number is needed here, and this is an array: of one entry, int() makes a number."),
    (r"too many indices for array", "The array has fewer axes than the brackets have indices."),
    (r"invalid index of a 0-dim tensor|iteration over a 0-d|len\(\) of a 0-d|len\(\) of unsized object",
     "This is a single number without axes: it has no entries to go through or to pick from."),
    (r"selected index k out of range", "topk() asks for more entries than the axis has."),
    (r"(list|tuple) indices must be integers or slices, not (\w+)",
     r"The entries of a \1 are picked by position, and a \2 stands in the brackets."),
    (r"(max|min)\(\) (?:arg is an empty sequence|iterable argument is empty)", r"There is nothing of which \1() could be taken."),
    (r"pop from empty list", "The list has no entry left to take out."),
    # dtypes
    (r"must have the same dtype|expected m1 and m2 to have the same dtype|to have the same dtype"
     r"|expected scalar type (?:Float|Double) but found",
     "The two have different dtypes, which this operation does not mix: convert one, as in `x.to(w.dtype)`."),
    (r"tensors used as indices must be|expected scalar type Long but found|Expected dtype int\S* for index"
     r"|target dtype to be Long|Expected tensor for argument #\d 'indices'",
     "Indices and class numbers are whole numbers: `.long()` makes them so."),
    (r"could not infer output dtype|floating point or complex tensor as input|input dtype should be either floating point"
     r"|must be either a floating point or complex", _FLOATS),
    (r"\"bitwise_\w+\" not implemented for '(?:Float|Double)'",
     "`&`, `|` and `~` work on booleans: put each comparison in parentheses, as in `(a > 0) & (b > 0)`."),
    (r"\"\w*(?:softmax|addmm|addmv|dot|normal)\w*\" not implemented for '(?:Bool|Byte|Char|Short|Int|Long)'", _FLOATS),
    (r"result type (\w+) can't be cast to the desired output type (\w+)",
     r"An operation in place keeps the dtype, and a \1 result does not fit into \2: use the one that makes a new tensor."),
    (r"Cannot cast ufunc '\w+' output from dtype\('O'\)",
     "What is put into the array is neither a number nor an array of numbers: None, say, or a list with a None in it."),
    (r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
     r"An operation in place keeps the dtype, and a \1 result does not fit into \2: use the one that makes a new array."),
    (r"Only Tensors of floating point and complex dtype can require gradients",
     "Whole numbers have no gradient: make the tensor of floats."),
    # one number
    (r"Boolean value of Tensor with more than one value|truth value of an array with more than one"
     r"|truth value of a (?:Series|DataFrame)", _ONE),
    (r"a Tensor with (\d+) elements cannot be converted to Scalar",
     r"A single number is needed, and this tensor has \1 entries."),
    (r"only (?:length-1|0-dimensional) arrays can be converted|only one element tensors can be converted",
     "A single number is needed, and this has several entries or an axis."),
    # autograd
    (r"does not require grad and does not have a grad_fn",
     "What is differentiated has no graph: no tensor with requires_grad=True went into it, or the way there is cut "
     "(detach(), no_grad(), .item(), torch.tensor of a result)."),
    (r"grad can be implicitly created only for scalar outputs",
     "backward() starts from a single number, and this output has several: take their sum or mean first, or hand over "
     "`gradient=`."),
    (r"Trying to backward through the graph a second time",
     "A graph can be gone back through once, then it is freed: compute the output anew, or keep the graph with "
     "retain_graph=True."),
    (r"leaf Variable that requires grad is being used in an in-place operation",
     "A tensor with requires_grad=True is changed in place while operations are recorded: do that under torch.no_grad()."),
    (r"modified by an inplace operation", "A value that the backward pass needs was changed in place after its use."),
    (r"appears to not have been used in the graph",
     "A gradient is asked for by a tensor on which the output does not depend."),
    (r"returned an incorrect number of gradients \(expected (\d+), got (\d+)\)",
     r"`backward` returns one gradient for each argument of `forward` behind ctx (None where there is none): \1, and \2 came."),
    (r"returned an invalid gradient at index (\d+) - got (\[.*?\]) but expected shape compatible with (\[.*?\])",
     r"A gradient has the shape of its argument: number \1 (from 0) has the shape \3, its gradient \2."),
    (r"Mismatch in shape: grad_output\[\d+\] has a shape of torch\.Size\((\[.*?\])\) and output\[\d+\] has a shape of "
     r"torch\.Size\((\[.*?\])\)",
     r"The gradient that is handed over has the shape of the output: that is \2, and this one is \1."),
    (r"Can't call numpy\(\) on Tensor that requires grad",
     "NumPy knows no graph: detach() takes the tensor out of it first."),
    (r"can't retain_grad on Tensor that has requires_grad=False"
     r"|cannot register a hook on a tensor that doesn't require gradient",
     "This tensor waits for no gradient: requires_grad is False, and nothing that it was computed from requires one."),
    # layers, losses
    (r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)",
     r"Each row of scores needs one label: here are \1 rows and \2 labels."),
    (r"multi-target not supported", "The labels have one axis, a class number for each example; these have more."),
    (r"Target (-?\d+) is out of bounds",
     r"There is no class \1: the classes are numbered from 0, and each has a column of scores."),
    (r"cannot assign '.*' as parameter '(\w+)'",
     r"`\1` is a parameter, and a tensor cannot take its place: write into it, as `\1.copy_(...)` does under torch.no_grad(), "
     "or put an nn.Parameter there."),
    (r"Module \[(\w+)\] is missing the required \"forward\" function",
     r"The class `\1` has no method `forward`: is it misspelt, or not indented into the class?"),
    (r"(list|tuple|dict|generator) is not a Module subclass",
     r"Layers are handed over one by one, not in a \1: `nn.Sequential(*layers)` unpacks them."),
    (r"torch\.nn\.\S+ is not a Module subclass", "A layer is an object: the class must be called, as in `nn.ReLU()`."),
    (r"(\S+) is not a Module subclass",
     r"A layer is an object of a subclass of nn.Module, and this is a \1: a class must be called, a function stand in a "
     r"`forward`."),
    (r"(?:assign|register)\w* \w+ before Module\.__init__\(\) call",
     "`super().__init__()` comes first in `__init__`: only then can layers and parameters be attributes."),
    (r"optimizer got an empty parameter list",
     "No parameters were found: layers and nn.Parameter objects must be attributes of the module."),
    (r"expected Tensor as element (\d+) in argument \d+, but got (\w+)",
     r"Tensors are to be joined, and entry \1 is a \2."),
    (r"must be tuple of Tensors, not Tensor",
     "The tensors are handed over in one list or tuple, as in `torch.cat([a, b])`."),
    (r"argument '\w+'(?: \(position \d+\))? must be Tensor, not (\w+)", r"This function takes a tensor, and got a \1."),
    (r"[Mm]atrix is singular|Singular matrix",
     "The matrix is singular: it has no inverse, and the equations no single solution."),
    # Python
    (r"'([\w.]+)' object has no attribute '(\w+)'", _attribute),
    (r"unsupported operand type\(s\) for (\S+)(?: or pow\(\))?: '([\w.]+)' and '([\w.]+)'", _operands),
    (r"can only concatenate (\w+) \(not \"([\w.]+)\"\) to", r"`+` joins a \1 with another \1, and this is of the type \2."),
    (r"'([\w.]+)' object is not (?:subscriptable|iterable)|cannot unpack non-iterable ([\w.]+) object", _without_entries),
    (r"object of type '([\w.]+)' has no len\(\)", _without_entries),
    (r"'([\w.]+)' object is not callable",
     r"Parentheses call what stands before them, and that is a \1 here: is a name used twice, or an operator missing?"),
    (r"not supported between instances of '([\w.]+)' and '([\w.]+)'",
     lambda found: _NONE if "NoneType" in found.groups() else ""),
    (r"^(\w+)\(\) takes no arguments",
     r"The class `\1` has no `__init__` that takes something: is it misspelt, or not indented into the class?"),
    (r"takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) (?:was|were) given",
     r"The `def` line has room for \1, and \2 came (in a method, `self` is one of them)."),
    (r"missing \d+ required (?:positional|keyword-only) arguments?: (.+)",
     r"The function asks for \1, and the call does not give it."),
    (r"got an unexpected keyword argument '(\w+)'", r"The function has no parameter named `\1`."),
    (r"got multiple values for argument '(\w+)'", r"`\1` is given twice, by position and by name."),
    (r"cannot access local variable '(\w+)'",
     r"A function that assigns to `\1` anywhere has a `\1` of its own, which is read here before it has a value."),
    (r"^name '(math|copy|time|random|itertools|functools|collections|statistics|io|os|sys|json|torch)' is not defined",
     r"`\1` is a module: `import \1` is missing, or stands in a cell that was not run."),
    (r"^name '(\w+)' is not defined",
     r"`\1` has no value where this line runs: is it misspelt, or made elsewhere or later?"),
    (r"(?:division|modulo) by zero|float modulo", "The divisor is 0."),
    (r"maximum recursion depth exceeded",
     "Calls are nested deeper than Python allows, about 1000, as they are where no case ends them; a loop has no such limit."),
    (r"math domain error",
     "The function has no value there, like the logarithm of 0 or the square root of a negative number."),
    (r"math range error|Numerical result out of range|Result too large",
     "The result is larger than a float can hold (about 1.8e308)."),
    (r"int too large to convert to float|integer division result too large for a float",
     "This whole number is larger than a float can hold (about 1.8e308); whole numbers among themselves have no such limit."),
    (r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)",
     lambda found: f"{found[1]} names stand on the left, and {found[2]} value{'s' * (found[2] != '1')} came."),
    (r"too many values to unpack \(expected (\d+)", r"\1 names stand on the left, and more values came."),
    (r"could not convert string to float: (.+)", r"The text \1 is no number as it stands."),
    (r"invalid literal for int\(\) with base 10: (.+)", r"The text \1 is no whole number as it stands."),
)
_COMPILED = tuple((re.compile(pattern, re.DOTALL), sentence) for pattern, sentence in _KNOWN)


def meaning(text: str, line: str = "") -> str:
    """A sentence on what an exception with this text means; "" where none is known, and where the answer's `line` raises it
    itself, in words of its own."""
    if line.lstrip().startswith("raise "):
        return ""
    text = " ".join(text.split())
    for pattern, sentence in _COMPILED:
        if found := pattern.search(text):
            said = sentence(found) if callable(sentence) else found.expand(sentence)
            return said_of_none(text, line) or said if said is _NONE else said
    return ""
