# %% [markdown]
# # 2.7 Documentation
#
# Nobody knows a library by heart. PyTorch alone has more than a thousand public names, and this book uses perhaps a
# hundred of them. Sooner or later you need one that no book has shown you.
#
# After this page you can find a function when you know what it should do but not what it is called; read from one
# line how it may be called; and tell whether it changes what you give it. All of it works in any library, without a
# connection to the internet.

# %% tags=["setup"]
from d2l_utils.check import *
import inspect
import math
import numpy as np
import torch

# %% [markdown] teaches="dir, public name"
# ## Which names are there?
#
# `dir(thing)` lists the names that can stand after `thing.`: for a module its functions and classes, for a class or
# an object its methods and attributes. A name that begins with an underscore is not meant for you: `_x` is private,
# and `__x__` is called by Python itself, as `__len__` is by `len`. All others are *public*.

# %% teaches="dir, public name"
public = [name for name in dir(torch) if not name.startswith('_')]
print(len(public), 'public names in torch,', len([name for name in dir(torch.Tensor) if not name.startswith('_')]),
      'in torch.Tensor')
print([name for name in public if 'cum' in name])

# %% [markdown] teaches="dir, public name"
# A list of a thousand names is of no use, but a list filtered by a guess is. Which functions accumulate? The piece
# `'cum'` finds six names. In JupyterLab the **Tab** key helps, too: type `torch.cum` and press it. It offers the names
# that *begin* with what you typed; `in` also finds a piece in the middle or at the end.

# %% [markdown] task="2.7.A" kind="code" minutes=3 difficulty=1 core=true needs="dir, public name"
# ### Names with a piece
#
# Write `names_with(thing, piece)`. It returns the list of the public names of `thing` that contain the string
# `piece`. `thing` is a module, a class or any other object.
#
# **You are done when**
# - **piece**: every public name that contains the piece is in the list, at its beginning, middle or end, and no name
#   without it, each once. What a class has from another class counts. The piece is plain text: `''` is in every name, `'.'` in
#   none;
# - **case**: capital and small letters count as equal, in the name and in the piece; the list has the names as they
#   are;
# - **public**: no name in the list begins with an underscore.

# %% exercise="2.7.A"
def names_with(thing, piece):
    """The public names of thing that contain piece, whatever their case."""
    ### BEGIN SOLUTION
    return [name for name in dir(thing) if piece.lower() in name.lower() and not name.startswith('_')]
    ### END SOLUTION

# %% [markdown] hints="2.7.A"
# 1. The cell above has all but one of the steps. Which requirement does it not meet?
# 2. `name.lower()` is the name in small letters. Compare small with small.

# %% check="2.7.A" points=1
@probe
def names_in_a_shop(piece):
    from types import SimpleNamespace
    return names_with(SimpleNamespace(open_door=len, reopen=2, _open=3, OpenAir=4, close=5, opens_late=6, is_opened=7, open_=8,
                                      OPens=9), piece)

listed = names_in_a_shop('open')
assert_type(listed, (list, tuple), "the result for an object with the names open_door, reopen, _open, OpenAir, close, opens_late, is_opened, open_, OPens",
            of="piece", hint="Return a list: square brackets make one, or `list(...)`.")
assert_true(all(isinstance(name, str) for name in listed), "every entry of the list is a name, a string", of="piece",
            hint="The list has the names, not what they stand for.")
shop = {'open_door', 'reopen', '_open', 'openair', 'close', 'opens_late', 'is_opened', 'open_', 'opens'}
assert_equal([name for name in names_in_a_shop('cum') if name[:2] != '__' and name.lower() not in shop], [],
             "names in the list for the piece 'cum' that are no names of this object", of="piece",
             hint="Ask `dir(thing)`: the names are those of the thing that is handed over.")
assert_equal({'open_door', 'reopen', 'opens_late', 'is_opened', 'open_'} - set(listed), set(),
             "the names with 'open' that are missing in the list, for an object with open_door, reopen, _open, OpenAir, close, opens_late, is_opened, open_, OPens",
             of="piece",
             hint="The names come from `dir(thing)`, and the piece is looked for in the name, not the name in the piece.",
             mistakes={"It does not matter what a name stands for: open_door stands for a function here, the others for numbers.":
                       {'reopen', 'opens_late', 'is_opened', 'open_'},
                       "It does not matter what a name stands for: open_door stands for a function here.": {'open_door'},
                       "The piece may stand in the middle or at the end of the name, too.": {'reopen', 'is_opened'},
                       "The piece may stand in the middle of the name, too.": {'is_opened'},
                       "The piece may be a part of a word: a name is not to be split at its underscores.":
                       {'reopen', 'opens_late', 'is_opened'},
                       "Only an underscore at the beginning makes a name private: `open_` is public.": {'open_'},
                       "Only an underscore at the beginning makes a name private; others do not matter.":
                       {'open_door', 'opens_late', 'is_opened', 'open_'}})
assert_equal([name for name in listed if 'open' not in name.lower()], [], "the names in the list without 'open'", of="piece",
             hint="Only names that hold the piece as it is, letter after letter, belong in the list.")
assert_equal([name for name in listed if name == 'openair'], [], "names in the list that the object does not have", of="case",
             hint="Compare in small letters, but return the names as they are.")
assert_equal([name for name in ('OpenAir', 'OPens') if name not in listed], [], "which of OpenAir and OPens are missing for the piece 'open'", of="case",
             hint="Compare the name in small letters: any of its letters may be a capital.")
assert_equal({'open_door', 'reopen', 'opens_late', 'OpenAir'} - set(names_in_a_shop('OPEN')), set(),
             "the names that are missing in the list for the piece 'OPEN'", of="case",
             hint="The piece may have capital letters as well: compare both, the name and the piece, in small letters.")
assert_equal([name for name in listed if name.startswith('_')], [], "names that begin with an underscore, for 'open'", of="public",
             hint="They are private, or Python's own.")
assert_equal(len(listed), 7, "the number of names in the list for 'open'", of="piece", hint="Each name stands in the list once.")
assert_equal(sorted(names_in_a_shop('_l')), ['opens_late'], "the names for the piece '_l'", of="piece",
             hint="An underscore in the piece is a letter like any other: the name must hold it, too.")
assert_equal(sorted(names_in_a_shop('nd')), [], "the names for the piece 'nd'", of="piece",
             hint="In `open_door` an underscore stands between n and d: the name counts as it is written.")

@probe
def names_in_a_subclass(piece):
    class Shop:
        open_door = 1
    class Bakery(Shop):
        bread = 2
    return names_with(Bakery, piece)

assert_equal(sorted(names_in_a_subclass('OPEN')), ['open_door'], "the names with 'OPEN' of a class that has open_door from another class",
             of="piece", hint="`dir` lists these, too.")
assert_equal(sorted(names_in_a_subclass('')), ['bread', 'open_door'], "the public names for the empty piece", of="piece",
             hint="The empty piece is in every name: all public names belong in the list.")
for piece in '.?':
    assert_equal(sorted(names_in_a_subclass(piece)), [], f"the names for the piece {piece!r}", of="piece", hint="The piece is text, not a pattern.")
### BEGIN HIDDEN TESTS
@probe
def names_in_math(piece):
    import math
    return names_with(math, piece)

@probe
def names_in_a_class(piece):
    class Machine:
        __slots__ = ()
        START, restart, _start_, starT, stop, last_START_, re_ReStArted = 1, 2, 3, 4, 5, 6, 7
        __all__ = ['stop']
    return names_with(Machine, piece)

for piece in ('log', 'sin', 'q', 'perm', 'nothing', '', 's.n'):
    assert_equal(sorted(names_in_math(piece)), sorted(n for n in dir(math) if piece in n and n[0] != '_'),
                 f"the names in math with {piece!r}", of="piece", hint="All public names that `dir(math)` has, and that hold the piece, as text: at the beginning, in the middle or at the end.")
assert_equal({'restart', 'starT', 'START', 'last_START_', 're_ReStArted'} - set(names_in_a_class('STart')), set(),
             "the names of a class with START, restart, starT, last_START_, re_ReStArted that are missing for the piece 'STart'", of="case",
             hint="`dir` lists all names of a thing, whatever it has under `__all__`; compare them in small letters.")
assert_equal(set(names_in_a_class('T_s')), {'last_START_'}, "the names of this class with 'T_s'", of="case", hint="An underscore is part of the name, and of the piece.")
for piece in '*[':
    assert_equal(list(names_in_a_class(piece)), [], f"the names of a class for the piece {piece!r}", of="piece", hint="The piece is text, not a pattern.")
assert_equal([name for name in names_in_a_class('s') if name.startswith('_')], [], "names with an underscore, for the piece 's'", of="public",
             hint="They are private, or Python's own.")
### END HIDDEN TESTS

# %% [markdown] teaches="docstring, help"
# ## What does it do?
#
# Each function carries its own description, the *docstring*. `help(f)` prints it. In a notebook, `f?` in a cell of
# its own opens it below, and `f??` shows the source where there is one. The text itself is `f.__doc__`.

# %% tags=["demo"] teaches="docstring, help"
print('\n'.join(torch.bincount.__doc__.strip().splitlines()[:6]))
print('...')
print('\n'.join(torch.bincount.__doc__.strip().splitlines()[-14:]))

# %% [markdown] teaches="docstring, help"
# Read it in this order. For most functions that are written in C++, such as this one, the **first line** says how it
# is called; for those written in Python `help` prints that above the text. The **first sentence** says what it does. The
# **example** at the end shows the shapes; copy it and change one number at a time. Only then read the rest. A
# docstring belongs to the version that you have installed, which a page found on the internet may not.
#
# Often you know the effect and not the name. Then search the descriptions instead of the names: ask for a word that
# the author is likely to have used. "Frequency", "boundaries", "Cartesian" are better words than "count", "bin",
# "all": the rarer the word, the shorter the list.

# %% teaches="search in docstrings"
def described_with(word):
    """The public functions of torch whose docstring holds the word, in capital or small letters."""
    functions = [name for name in public if inspect.isbuiltin(getattr(torch, name)) or inspect.isfunction(getattr(torch, name))]
    return [name for name in functions if word.lower() in str(getattr(torch, name).__doc__).lower()]


for word in ('cumulative', 'frequency', 'median'):
    print(word, described_with(word))

# %% [markdown] teaches="search in docstrings"
# `getattr(torch, 'bincount')` is `torch.bincount`: the way from a string to what it names. `inspect.isbuiltin` and
# `inspect.isfunction` say whether a thing is a function, written in C++ or in Python. The search sees the
# functions of `torch` itself, not those of its parts such as `torch.linalg`, and no methods of tensors. Then the last step, which
# no description replaces: **try it on an input whose answer you know.**

# %% teaches="search in docstrings"
print(torch.bincount(torch.tensor([2, 0, 2, 5])))
print(getattr(torch, 'cummax')(torch.tensor([1, 4, 2]), 0))

# %% [markdown] task="2.7.1" kind="answer" minutes=10 difficulty=2 core=true needs="search in docstrings, docstring, help"
# ### Six functions to find
#
# Which functions of `torch` do the following? Set `found` to a dictionary from the keys `'a'` to `'f'` to their
# names, as strings: for a function that counts how often 0, 1, 2, ... occur you would write `'bincount'`. Each is
# called with exactly the arguments that are shown.
#
# **You are done when**
# - **form**: `found` is a dictionary with the keys `'a'` to `'f'`, each with a name, a string;
# - **a**: `f(x)` is the mean of the entries of `x`, with those left out that are `nan`: (1, nan, 4) gives 2.5;
# - **b**: `f(x, edges)` gives, for each entry of `x`, the number of the interval between the ascending `edges` in
#   which it lies: (0.5, 7) with the edges (1, 5, 9) gives (0, 2);
# - **c**: `f(x, k)` has the entries of a vector shifted by `k` places to the right; what is shifted beyond the last
#   position comes in again at the first: (1, 2, 3, 4) and 1 gives (4, 1, 2, 3);
# - **d**: `f(x, y)` gives all pairs of an entry of `x` and an entry of `y`, as the rows of a matrix: (1, 2) and (5,
#   6) gives four rows, from (1, 5) to (2, 6);
# - **e**: `f(x, y)` is the length of the longest side of right-angled triangles with the shorter sides `x` and `y`,
#   entry by entry: (3, 5) and (4, 12) gives (5, 13);
# - **f**: `f(A)` is the matrix `A` with zeros above its diagonal.

# %% exercise="2.7.1"
### BEGIN SOLUTION
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}
### END SOLUTION

# %% [markdown] hints="2.7.1"
# 1. Which rare word would the author of each description have used? In geometry, what is the longest side of a
#    right-angled triangle called? What are edges of intervals called, and a matrix with zeros above its diagonal?
# 2. `described_with('boundaries')` lists two names. Read the first sentence of each: `torch.gradient?`
# 3. Another case: the sum that leaves out `nan` is found by the piece `'nan'` in the names.

# %% check="2.7.1" points=3
assert_type(found, dict, "`found`", of="form", hint="A dictionary is written {'a': 'bincount', 'b': ...}.")
assert_equal(set(found), set('abcdef'), "the keys of `found`", of="form", hint="The keys are the six small letters, as strings.")
assert_equal([key for key in sorted(found) if not isinstance(found[key], str)], [], "the keys whose value is no string",
             of="form",
             hint="Write the name in quotes, without `torch.` and brackets: 'bincount'.")

import re

def about(key):
    """The first sentence of the description of the function under this key."""
    texts = [" ".join(text.split()) for text in str(getattr(torch, found[key]).__doc__ or "").strip().split("\n\n")]
    first = next((text for text in texts if text and not text.startswith((f"{found[key]}(", ".."))), "")
    first = re.split(r"(?<=\.)\s", re.sub(r":\w+:|[`*]", "", first))[0]
    return f' help(torch.{found[key]}) says: "{first if len(first) < 170 else first[:160] + " ..."}"' if first else ""

@probe
def called(name, *arguments):
    return getattr(torch, name)(*arguments)

def result_of(key, *arguments):
    """What the function under this key gives; called in a part of this key."""
    name, result, problem = found[key], None, ""
    assert_true(name in dir(torch), f"torch has a name {name!r}",
                hint="Write the bare name, without `torch.`, brackets or spaces: 'bincount'." if set(name) & set('.( ') else
                "Ask `names_with(torch, ...)` or `described_with(...)` which names there are.")
    try:
        result = called(name, *arguments)
    except Exception as error:
        problem = str(error)
    assert_true(problem == "", f"torch.{name} takes the arguments of {key}",
                hint=f"torch.{name} cannot be called like that: {problem}{'' if problem.endswith('.') else '.'}{about(key)}")
    assert_type(result, torch.Tensor, f"what torch.{name} returns for the arguments of {key}",
                hint=("It gives several tensors, and one is asked for." if isinstance(result, tuple) else "") + about(key))
    return result

nan = float('nan')
with part(0.25, "a: the mean without nan", of="a"):
    assert_close(result_of('a', torch.tensor([1., nan, 4.])), torch.tensor(2.5), "the mean of (1, nan, 4)", of="a",
                 hint=lambda: "Only nan is left out: the mean of 1 and 4 is 2.5." + about('a'),
                 mistakes={"In this function nan is not left out.": torch.tensor(nan),
                           "This adds the entries; their mean is asked for.": torch.tensor(5.),
                           "This is the median, one of the entries.": torch.tensor(1.)})
with part(0.25, "b: the number of the interval", of="b"):
    assert_close(result_of('b', torch.tensor([0.5, 7.]), torch.tensor([1., 5., 9.])), torch.tensor([0, 2]), "0.5 and 7 between the edges 1, 5, 9",
                 of="b", hint=lambda: "0.5 lies below the first edge, in interval 0, and 7 between the edges 5 and 9, in interval 2." + about('b'),
                 mistakes={"This function takes its two arguments in the other order.": torch.tensor([1, 1, 2])})
with part(0.25, "c: places to the right", of="c"):
    assert_close(result_of('c', torch.tensor([1., 2., 3., 4.]), 1), torch.tensor([4., 1., 2., 3.]), "(1, 2, 3, 4), one place on", of="c",
                 hint=lambda: "Each entry goes one place on, and the last one comes in at the front." + about('c'),
                 mistakes={"The entries go to the right, not to the left.": torch.tensor([2., 3., 4., 1.]),
                           "This turns the vector round.": torch.tensor([4., 3., 2., 1.])})
with part(0.25, "d: all pairs", of="d"):
    assert_close(result_of('d', torch.tensor([1., 2.]), torch.tensor([5., 6.])), torch.tensor([[1., 5.], [1., 6.], [2., 5.], [2., 6.]]),
                 "the pairs of (1, 2) and (5, 6)", of="d",
                 hint=lambda: "Each row of the result is a pair: an entry of x, then an entry of y." + about('d'),
                 mistakes={"These are all products: the pairs themselves are asked for.": torch.tensor([[5., 6.], [10., 12.]]),
                           "These are all products, in a row: the pairs themselves are asked for.":
                               torch.tensor([5., 6., 10., 12.]),
                           "This pairs each entry with the one in the same place only.": torch.tensor([[1., 5.], [2., 6.]])})
with part(0.25, "e: the longest side", of="e"):
    assert_close(result_of('e', torch.tensor([3., 5.]), torch.tensor([4., 12.])), torch.tensor([5., 13.]), "the longest sides for (3, 5) and (4, 12)",
                 of="e", hint=lambda: "The shorter sides 3 and 4 belong to the longest side 5, and 5 and 12 to 13." + about('e'),
                 mistakes={"This is one distance for the two vectors: each pair of sides has a length of its own.":
                               torch.tensor(50.).sqrt(),
                           "This adds the sides.": torch.tensor([7., 17.]), "This multiplies the sides.": torch.tensor([12., 60.]),
                           "This is the longer one of the two shorter sides.": torch.tensor([4., 12.])})
with part(0.25, "f: zeros above the diagonal", of="f"):
    assert_close(result_of('f', torch.tensor([[1., 2.], [3., 4.]])), torch.tensor([[1., 0.], [3., 4.]]), "the matrix ((1, 2), (3, 4))", of="f",
                 hint=lambda: "All entries stay as they are but those above the diagonal, which become 0." + about('f'),
                 mistakes={"The zeros belong above the diagonal, not below it.": torch.tensor([[1., 2.], [0., 4.]]),
                           "This is the diagonal alone.": torch.tensor([1., 4.])})
### BEGIN HIDDEN TESTS
assert_equal({key: type(name).__name__ for key, name in found.items()}, dict.fromkeys('abcdef', 'str'),
             "the keys, and what is under them", of="form", hint="Under each of the six letters there is a name, a string.")
with part(0.25, "a, other numbers", of="a"):
    assert_close(result_of('a', torch.tensor([[nan, -2.], [6., 5.]])), torch.tensor(3.), "the mean of four entries with a nan", of="a",
                 hint=lambda: "Only nan is left out, whatever the shape." + about('a'))
with part(0.25, "b, other numbers", of="b"):
    assert_close(result_of('b', torch.tensor([9.5, -1., 3.]), torch.tensor([0., 2., 4., 8.])), torch.tensor([4, 0, 2]), "three entries and four edges",
                 of="b", hint=lambda: "There is a number for each entry, in its place: that of its interval." + about('b'))
with part(0.25, "c, other numbers", of="c"):
    assert_close(result_of('c', torch.arange(5), 3), torch.tensor([2, 3, 4, 0, 1]), "five entries, three places on", of="c",
                 hint=lambda: "Each entry goes three places on, and what is beyond the last one comes in at the front." + about('c'))
with part(0.25, "d, other numbers", of="d"):
    pairs = [[x, y] for x in (7., 8.) for y in (1., 2., 3.)]
    assert_close(result_of('d', torch.tensor([7., 8.]), torch.tensor([1., 2., 3.])), torch.tensor(pairs), "the pairs of 2 and 3 entries", of="d",
                 hint=lambda: "Each row of the result is a pair: an entry of x, then an entry of y." + about('d'))
with part(0.25, "e, other numbers", of="e"):
    assert_close(result_of('e', torch.tensor([8., 1.]), torch.tensor([15., 1.])), torch.tensor([17., 2 ** 0.5]), "two other triangles", of="e",
                 hint=lambda: "Each pair of shorter sides has its own longest side." + about('e'))
with part(0.25, "f, other numbers", of="f"):
    square = torch.arange(1., 10.).reshape(3, 3)
    below = torch.tensor([[1., 0., 0.], [4., 5., 0.], [7., 8., 9.]])
    assert_close(result_of('f', square), below, "a matrix of shape (3, 3)", of="f",
                 hint=lambda: "The diagonal and all below it stay as they are." + about('f'))
total()
### END HIDDEN TESTS

# %% [markdown] teaches="signature, default, positional-only, keyword-only"
# ## How may it be called?
#
# The *signature* of a function is the list of its parameters. `inspect.signature(f)` shows it, and `help` begins with
# it. Five things are written in it. Here is a function that has all but one of them:

# %% teaches="signature, default, positional-only, keyword-only"
def shifted(values, by, /, times=1, *, reverse=False):
    """The values, each moved by `by`, `times` times; from the last to the first where `reverse`."""
    moved = [value + by * times for value in values]
    return moved[::-1] if reverse else moved


print(inspect.signature(shifted))
print(shifted([1, 2], 10), shifted([1, 2], 10, 3), shifted([1, 2], 10, times=3), shifted([1, 2], 10, reverse=True))

# %% [markdown] teaches="signature, default, positional-only, keyword-only"
# - `by`: a parameter without a **default** must be given (but for those with a star, below).
# - `times=1`: one with a default may be left out.
# - `/`: the parameters before it are **positional-only**: given by place, never by name.
# - `*`: those after it are **keyword-only**: given by name, never by place.
# - `*things` collects any number of further arguments by place, `**options` any number by name. Neither need be
#   given.
#
# Parameters between `/` and `*`, like `times`, may be given either way. Without a `/` or a `*`, all may.
#
# What is not allowed raises a `TypeError`, whose message says which rule was broken:

# %% tags=["demo"] teaches="signature, positional-only, keyword-only"
for call in ('shifted([1, 2])', 'shifted([1, 2], by=10)', 'shifted([1, 2], 10, 3, True)', 'shifted([1, 2], 10, time=3)'):
    try:
        eval(call)      # runs the code in a string
    except TypeError as error:
        print(f'{call:30} {error}')

# %% [markdown] teaches="signature, keyword-only"
# Many functions of torch are written in C++, and `inspect.signature` finds nothing there. For these the first line of
# the docstring is the signature. It uses the same marks: in `cumsum(input, dim, *, dtype=None, out=None)` the `dim`
# must be given, and `dtype` by name. Where a signature has colons or an arrow, as in the last line below, these tell types: what
# the author expects and what comes back. They change nothing in how the function may be called.

# %% tags=["demo"] teaches="signature"
try:
    inspect.signature(torch.cumsum)
except ValueError as error:
    print('ValueError:', error)
print(torch.cumsum.__doc__.strip().splitlines()[0])
print(inspect.signature(torch.cartesian_prod))

# %% tags=["setup"]
def blend(one, other, /, weight=0.5, *, clip=False, **more):
    """The weighted mean of two numbers, cut off at 0 and 1 where `clip`."""
    mixed = (1 - weight) * one + weight * other
    return min(max(mixed, 0), 1) if clip else mixed


calls = {
    'a': 'blend(1, 2)', 'b': 'blend(1, other=2)', 'c': 'blend(1, 2, 0.3, True)', 'd': 'blend(1, 2, clip=True, weight=0.3)',
    'e': 'blend(1)', 'f': 'blend(1, 2, 0.3)', 'g': 'blend(1, 2, gamma=3)', 'h': 'blend(weight=0.3, clip=True)',
    'i': 'blend(one=1, other=2, weight=0.3)', 'j': 'blend(1, 2, 0.5, False)', 'k': 'blend(1, 2, clip=True)',
    'l': 'blend(1, 2, out=0, clip=True)',
}

# %% [markdown] task="2.7.B" kind="answer" minutes=5 difficulty=2 needs="signature, default, positional-only, keyword-only"
# ### Will it run?
#
# The cell above has a function `blend` and twelve calls. Predict, without running them, which of them raise a
# `TypeError`. Set `raising` to the set of their letters, for example `{'a', 'b'}`.
#
# **You are done when**
# - **letters**: `raising` is a set, a list or a tuple of letters from a to l;
# - **given**: what has no default must be given, what has one need not: a, e, f, h, k;
# - **slash**: what stands before `/` is not given by name: b, i;
# - **star**: what stands after `*` is not given by place, and may be given in any order: c, d, j;
# - **double star**: names that are not in the signature: g, l.

# %% exercise="2.7.B"
### BEGIN SOLUTION
raising = {'b', 'c', 'e', 'h', 'i', 'j'}
### END SOLUTION

# %% [markdown] hints="2.7.B"
# 1. For each call, match the arguments without a name to the parameters from left to right. How far do you get?
# 2. `**more` takes every name that no parameter can take. A positional-only parameter takes nothing by name: what is
#    given by its name goes to `**more`, and the parameter itself is still missing.
# 3. Another case: `shifted(values=[1], by=2)` raises, since both stand before the `/`.

# %% check="2.7.B" points=2
assert_type(raising, (set, frozenset, list, tuple), "`raising`", of="letters", hint="A set is written {'a', 'b'}, with each letter in quotes of its own.")
assert_equal(sorted(str(letter) for letter in raising if letter not in calls), [],
             "entries of `raising` that are no letters of the calls", of="letters",
             hint="Name each call by its letter, the key in `calls`.")
with part(0.25, "given: a and e", of="given"):
    assert_equal({key: key in raising for key in 'ae'}, {'a': False, 'e': True}, "whether a and e raise", of="given",
                 hint="`one` and `other` have no default; `weight` and `clip` have one.",
                 mistakes={"In a `weight` and `clip` are left out, and both have a default.": {'a': True, 'e': True},
                           "In e nothing is given for `other`, which has no default.": {'a': False, 'e': False},
                           "True and False are exchanged here: are these the calls that run?": {'a': True, 'e': False}})
with part(0.25, "slash: b", of="slash"):
    assert_equal('b' in raising, True, "whether b raises", of="slash", hint="`other` stands before the `/`: it is given by place, never by name.")
with part(0.25, "star: c and d", of="star"):
    assert_equal({key: key in raising for key in 'cd'}, {'c': True, 'd': False}, "whether c and d raise", of="star",
                 hint="In c `clip`, which stands after the `*`, is given by place; what d gives by name may come in any order.",
                 mistakes={"In c `clip` is given by place, and stands after the `*`: it is given by name, never by place.":
                               {'c': False, 'd': False},
                           "d is fine: what is given by name may come in any order.": {'c': True, 'd': True}})
with part(0.25, "double star: g", of="double star"):
    assert_equal('g' in raising, False, "whether g raises", of="double star", hint="`**more` collects `gamma=3`: names that the signature does not have.")
### BEGIN HIDDEN TESTS
def raises(call):
    try:
        eval(call, {'blend': blend})
    except TypeError:
        return True
    return False

why = {'f': "In f `weight` is given by place, as it may be.",
       'h': "In h nothing is given for `one` and `other`, which have no default.",
       'k': "In k all is given that must be, and `clip` by name."}
assert_equal([letter for letter in raising if letter not in calls], [], "entries of `raising` that are no letters", of="letters",
             hint="Name each call by its letter, the key in `calls`.")
for of, letters, hint in (("given", 'fhk', "What has no default must be given; what has one need not. `weight` may be given by place."),
                          ("slash", 'i', "What stands before the `/` takes nothing by name: who takes `one=1`, and what is then missing?"),
                          ("star", 'j', "What stands after the `*` is never given by place, not even if it is the default that is given."),
                          ("double star", 'l', "`**more` collects the names that the signature does not have, beside others that it has.")):
    with part(0.25, f"{of}: {', '.join(letters)}", of=of):
        right = {key: raises(calls[key]) for key in letters}
        assert_equal({key: key in raising for key in letters}, right,
                     f"for {', '.join(letters)}, whether the call raises (True) or runs (False)", of=of, hint=hint,
                     mistakes={why[key]: {**right, key: not right[key]} for key in letters if key in why})
total()
### END HIDDEN TESTS

# %% [markdown] task="2.7.2" kind="code" minutes=4 difficulty=3 needs="signature, default"
# ### What must be given
#
# A signature can also be read by a program. `inspect.signature(f).parameters` is a dictionary from the name of each
# parameter to an object `p` with two useful attributes: `p.default`, which is `inspect.Parameter.empty` where there
# is none, and `p.kind`. The kinds of `*things` and `**options` are `p.VAR_POSITIONAL` and `p.VAR_KEYWORD`.
#
# Write `required(f)`: the list of the names of the parameters that every call of `f` must give, in the order of the
# signature.
#
# **You are done when**
# - **no default**: parameters without a default are in the list, positional-only and keyword-only ones, too;
# - **defaults**: those with a default are not, whatever it is: `None`, `0`, `False`, an array or a class;
# - **stars**: `*things` and `**options` are not.

# %% exercise="2.7.2"
def required(f):
    """The names of the parameters of f that a call must give, in order."""
    ### BEGIN SOLUTION
    return [name for name, p in inspect.signature(f).parameters.items()
            if p.default is inspect.Parameter.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    ### END SOLUTION

# %% [markdown] hints="2.7.2"
# 1. Which parameters have no default and may be left out all the same?
# 2. Compare a default with `is inspect.Parameter.empty`; `if p.default:` asks something else.
# 3. For `shifted` above the list is `['values', 'by']`.

# %% check="2.7.2" points=1
@probe
def required_by(number):
    def plain(x, y): ...
    def marked(first, /, middle, *, last): ...
    def falsy(a, b=None, c=0, *, d=False): ...
    def open_ended(x, *things, scale, **options): ...
    def usual(x, y, z=1): ...
    def weighted(x, weights=np.array([1., 2.])): ...
    def typed(_x: int, kind=float, *, scale: float): ...
    names = required([plain, marked, falsy, open_ended, usual, weighted, typed][number])
    if isinstance(names, (list, tuple)):
        return [name if isinstance(name, str) else f'<{type(name).__name__} {name}>' for name in names]
    return names

found_names = required_by(0)
assert_type(found_names, (list, tuple), "what required returns for (x, y)", of="no default", hint="Return a list of names.")
defaults_listed = "z" in str(required_by(4))
assert_equal(found_names, ['x', 'y'], "required for (x, y)", of="no default",
             hint="Neither has a default, so both must be given.",
             mistakes={"These are the parameters that have a default: those without are asked for." if defaults_listed else
                       "Where there is no default, `p.default` is `inspect.Parameter.empty`: that is not None, and it counts as "
                       "true in an `if`.": [],
                       "The list holds the names of the parameters, not the objects `p`.": ['<Parameter x>', '<Parameter y>']})
assert_equal(required_by(1), ['first', 'middle', 'last'], "required for (first, /, middle, *, last)", of="no default",
             mistakes={"A keyword-only parameter without a default must be given, too.": ['first', 'middle'],
                       "A positional-only parameter without a default must be given, too.": ['middle', 'last'],
                       "Positional-only and keyword-only parameters without a default must be given, too.": ['middle'],
                       "The order is that of the signature, not of the alphabet.": ['first', 'last', 'middle'],
                       "The order is that of the signature: keyword-only parameters come last.": ['last', 'first', 'middle']})
assert_equal(required_by(4), ['x', 'y'], "required for (x, y, z=1)", of="defaults", hint="`z` has a default: it need not be given.")
assert_equal(required_by(2), ['a'], "required for (a, b=None, c=0, *, d=False)", of="defaults", hint="None, 0 and False are defaults, too.",
             mistakes={"`d` has a default: it need not be given, though it stands after the `*`.": ['a', 'd']})
assert_equal(required_by(5), ['x'],
             "required for (x, weights=np.array([1., 2.])), with an array as default, which `==` compares entry by entry",
             of="defaults",
             hint="A default may be any object: ask with `is` for the object, not for what it prints or equals.")
assert_equal(required_by(6), ['_x', 'scale'], "required for (_x: int, kind=float, *, scale: float)", of="no default",
             hint="The list has the names alone, without the types after the colons. Types do not decide, and names do not.",
             mistakes={"`kind` has a default, a class: it need not be given.": ['_x', 'kind', 'scale'],
                       "A parameter whose name begins with an underscore must be given like any other.": ['scale'],
                       "A type after a colon is no default: `_x: int` must be given.": []})
assert_equal(required_by(3), ['x', 'scale'], "required for (x, *things, scale, **options)", of="stars",
             hint="`*things` and `**options` need not be given; `x` and `scale` must.",
             mistakes={"What stands after `*things` and has no default must be given, too, by name.": ['x'],
                       "`*things` and `**options` need not be given, whatever they are called: the kind tells them, not the name.":
                       ['x', 'things', 'scale', 'options'],
                       "`*things` need not be given, either.": ['x', 'things', 'scale'],
                       "`**options` need not be given, either.": ['x', 'scale', 'options']})
### BEGIN HIDDEN TESTS
@probe
def required_by_another(number):
    def nothing(): ...
    def letters(z, y, /, x, *, b, a): ...
    def mixed(p, q='', *, r, s=(), t): ...
    def collects(*args, **kwargs): ...
    def late(*rows, key): ...
    def table(rows, *, kept, start=np.zeros((2, 2)), by=torch.ones(3)): ...
    def noted(rows: list, _by: str = 'sum', *, _kept: int, error=ValueError) -> list: ...
    return required([nothing, letters, mixed, collects, late, table, noted][number])

assert_equal(required_by_another(0), [], "required for ()", of="no default",
             hint="A function without parameters needs none: the list is empty.")
assert_equal(required_by_another(1), ['z', 'y', 'x', 'b', 'a'], "required for (z, y, /, x, *, b, a)", of="no default",
             hint="None of the five has a default; the order is that of the signature.")
assert_equal(required_by_another(6), ['rows', '_kept'], "required for (rows: list, _by: str = 'sum', *, _kept: int, error=ValueError)", of="no default",
             hint="Only the default decides, whatever it is: not the type after a colon, nor the name.")
assert_equal(required_by_another(2), ['p', 'r', 't'], "required for (p, q='', *, r, s=(), t)", of="defaults",
             hint="After a `*` parameters without a default may follow those that have one.")
assert_equal(required_by_another(5), ['rows', 'kept'], "required for (rows, *, kept, start=np.zeros((2, 2)), by=torch.ones(3))", of="defaults",
             hint="An array and a tensor are defaults like any other: ask with `is` whether there is one.")
assert_equal(required_by_another(3), [], "required for (*args, **kwargs)", of="stars", hint="Neither of the two need be given.")
assert_equal(required_by_another(4), ['key'], "required for (*rows, key)", of="stars",
             hint="What has a star is told by `p.kind`, whatever its name is; `key` must be given.")
### END HIDDEN TESTS

# %% [markdown] teaches="in-place operation, naming convention for in-place methods"
# ## Does it change what I give it?
#
# A function that works *in place* writes its result into the argument; one that works *out of place* leaves the
# argument alone and returns something new. Torch tells the two apart by the name: **a method that ends with one
# underscore works in place.**

# %% teaches="in-place operation, naming convention for in-place methods"
x = torch.tensor([1., -2., 3.])
y = x.abs()
print('after x.abs():  x', x, ' y', y, ' y is x:', y is x)
y = x.abs_()
print('after x.abs_(): x', x, ' y', y, ' y is x:', y is x)

# %% [markdown] teaches="in-place operation"
# It saves memory, and it is dangerous when somebody else still needs the old numbers. ⚠ The underscore is a promise
# of torch, and only one way. Other things work in place without it: `x += 1` and `x[0] = 5` do, on tensors and NumPy
# arrays. Other libraries have other habits:

# %% teaches="in-place operation"
numbers = [3, 1, 2]
print('sorted(numbers):', sorted(numbers), ' numbers afterwards:', numbers)
print('numbers.sort(): ', numbers.sort(), '     numbers afterwards:', numbers)
array = np.array([3, 1, 2])
print('np.sort(array): ', np.sort(array), ' array afterwards:', array)
print('array.sort():   ', array.sort(), '   array afterwards:', array)
x = torch.tensor([3., 1., 2.])
print('x.sort():       ', x.sort().values, ' x afterwards:', x)

# %% [markdown] teaches="in-place operation"
# `sort` has three meanings: Python's and NumPy's method works in place and returns `None`, torch's does not. A result
# of `None` is a sign of an in-place function. Some methods of pandas have a keyword `inplace=`, and many functions of
# torch have `out=`, a tensor to write into. Where the name does not tell, the docstring often does (for three of four
# in-place methods of torch it says "in-place version of ..."), and where that does not either, an experiment on a copy
# decides.

# %% [markdown] task="2.7.3a" kind="code" minutes=3 difficulty=1 needs="dir, public name, naming convention for in-place methods"
# ### The in-place methods
#
# Write `in_place_names(thing)`: the list of those public names of `thing`, a class or another object, that by torch's
# rule belong to in-place methods.
#
# **You are done when**
# - **one underscore**: the list has the names that end with exactly one underscore, `add_`, not `add`, `odd__` or
#   `add_to`, and has all of these;
# - **public**: names that begin with an underscore, such as `__add__` or `_fill_`, are not in the list.

# %% exercise="2.7.3a"
def in_place_names(thing):
    """The public names of thing that end with exactly one underscore."""
    ### BEGIN SOLUTION
    return [name for name in dir(thing) if name.endswith('_') and not name.endswith('__') and not name.startswith('_')]
    ### END SOLUTION

# %% [markdown] hints="2.7.3a"
# 1. Which three questions must a name answer with yes, no and no?
# 2. `name.startswith(...)` and `name.endswith(...)` ask for the beginning and the end of a string.

# %% check="2.7.3a" points=1
@probe
def in_place_names_of_a_toy():
    class Toy:
        add = add_ = add_to = _fill_ = odd__ = exp_and_log_ = a__b_ = log2_ = more___ = 0
        def zero_(self): ...
    return in_place_names(Toy)

@probe
def in_place_names_of_an_underscore():
    class Toy:
        _ = 0
    return in_place_names(Toy)

found_names = in_place_names_of_a_toy()
assert_type(found_names, (list, tuple),
            "what in_place_names returns for a class with the names add, add_, add_to, _fill_, odd__, zero_, exp_and_log_, "
            "a__b_, log2_, more___",
            of="one underscore", hint="Return a list: square brackets make one, or `list(...)`.")
assert_true(all(isinstance(name, str) for name in found_names), "every entry of the list is a name, a string", of="one underscore",
            hint="The list has the names, not what they stand for.")
toys = {'add', 'add_to', 'odd', 'zero', 'exp_and_log', 'a__b', 'log2', 'more'}
assert_equal([name for name in found_names if name[:1] != '_' and name.rstrip('_') not in toys], [],
             "names in the list that this class does not have",
             of="one underscore", hint="Ask `dir(thing)`: the names are those of the thing that is handed over.")
assert_equal(sorted(name for name in found_names if not name.startswith('_')), ['a__b_', 'add_', 'exp_and_log_', 'log2_', 'zero_'],
             "the names in the list that do not begin with an underscore", of="one underscore",
             hint="The name alone decides: those that end with exactly one underscore are in the list, all of them.",
             mistakes={"`add_to` has an underscore, but ends with another letter.":
                       ['a__b_', 'add_', 'add_to', 'exp_and_log_', 'log2_', 'zero_'],
                       "Digits and other underscores may stand in the name: only its beginning and its end count.":
                       ['add_', 'zero_'],
                       "It does not matter what a name stands for: `zero_` stands for a function here, the others for numbers.":
                       ['zero_'],
                       "It does not matter what a name stands for: `zero_` stands for a function here.":
                       ['a__b_', 'add_', 'exp_and_log_', 'log2_'],
                       "One underscore at the end is asked for, not two.": ['odd__'],
                       "`odd__` and `more___` end with more than one underscore.":
                       ['a__b_', 'add_', 'exp_and_log_', 'log2_', 'more___', 'odd__', 'zero_'],
                       "`more___` ends with three underscores.": ['a__b_', 'add_', 'exp_and_log_', 'log2_', 'more___', 'zero_'],
                       "`odd__` ends with two underscores.": ['a__b_', 'add_', 'exp_and_log_', 'log2_', 'odd__', 'zero_'],
                       "These end with more than one underscore.": ['more___', 'odd__'],
                       "An underscore elsewhere is not enough, and one at the end must be the only one there.":
                       ['a__b_', 'add_', 'add_to', 'exp_and_log_', 'log2_', 'more___', 'odd__', 'zero_'],
                       "Only the end counts: `a__b_` ends with one underscore.": ['add_', 'exp_and_log_', 'log2_', 'zero_'],
                       "Other underscores in the name do not count: `exp_and_log_` ends with one.": ['add_', 'log2_', 'zero_'],
                       "A digit may stand before the underscore: `log2_` belongs in the list.": ['a__b_', 'add_', 'exp_and_log_', 'zero_'],
                       "The list has the names as they are, with the underscore.": ['a__b', 'add', 'exp_and_log', 'log2', 'zero'],
                       "The rule asks for the name alone; there need not be one without the underscore.": ['add_']})
assert_equal([name for name in found_names if name.startswith('_')], [], "the names in the list that begin with an underscore", of="public",
             hint="A name that begins with an underscore is not public, whatever its end.")
assert_equal([name for name in in_place_names_of_an_underscore() if name == '_'], [],
             "names in the list that begin with an underscore, for a class with the name `_`, which is one character long",
             of="public",
             hint="This underscore stands at the beginning, too: the name is not public.")
### BEGIN HIDDEN TESTS
@probe
def in_place_names_of_two():
    from types import SimpleNamespace
    return in_place_names(SimpleNamespace(_=0, a_=1, b=2, c_c=3, d__=4, _e_=5, F_=6, g__h_=7, j1_=8, k___=9)), in_place_names(torch.Tensor)

small, large = in_place_names_of_two()
assert_equal(sorted(name for name in small if name[0] != '_'), ['F_', 'a_', 'g__h_', 'j1_'],
             "the names of an object with _, a_, b, c_c, d__, _e_, F_, g__h_, j1_, k___", of="one underscore",
             hint="A name may be short and have capital letters, digits and other underscores: only its beginning and its end count.")
assert_equal({'add_', 'zero_', 'clamp_', 'index_add_'} - set(large), set(), "in-place methods of torch.Tensor that are missing in the list",
             of="one underscore", hint="`dir` also lists what a class has from another class.")
assert_equal({'add', 'index_add'} & set(large), set(), "names of torch.Tensor in the list that do not end with an underscore", of="one underscore",
             hint="The last character of the name is the underscore.")
assert_equal([name for name in [*small, *large] if name.startswith('_')], [], "names that begin with an underscore", of="public",
             hint="A name that begins with an underscore is not public, whatever its end.")
### END HIDDEN TESTS

# %% [markdown] task="2.7.3b" kind="code" minutes=5 difficulty=2 core=true needs="in-place operation"
# ### Trust, but test
#
# Write `changes_argument(f, x)`: `True` if calling `f(x)` changes the tensor that it gets, else `False`. `f` is a
# function of one tensor, and `x` a tensor without `nan`, of any dtype and shape. Decide by an experiment.
#
# **You are done when**
# - **in place**: `True` where `f` changes values, were it one by very little or only their order, whatever `f` returns:
#   the tensor itself, something else, or `None`;
# - **out of place**: `False` where afterwards all is as before, also if `f` returns the very tensor that it got, or
#   writes the same values again;
# - **shape**: `True` where `f` changes the shape of the tensor, even with the same values in the same order;
# - **x kept**: your own `x` is as it was, whatever `f` does;
# - **one answer**: it is a bool, or the `tensor(True)` or `tensor(False)` that a comparison of tensors without axes
#   gives.

# %% exercise="2.7.3b"
def changes_argument(f, x):
    """Whether f writes into the tensor that it gets; x itself stays as it is."""
    ### BEGIN SOLUTION
    guinea_pig = x.clone()
    f(guinea_pig)
    return not torch.equal(guinea_pig, x)
    ### END SOLUTION

# %% [markdown] hints="2.7.3b"
# 1. What must you keep, to compare with afterwards? What may `f` get its hands on?
# 2. `x.clone()` has memory of its own; `y = x` is a second name for the same tensor. `torch.equal(s, t)` is `True`
#    where shapes and all values agree.
# 3. Another case: whether a function changes a list is seen by `before = numbers.copy()`, a call with `numbers`, and
#    `numbers != before`.

# %% check="2.7.3b" points=2
@probe
def tried(name, x):
    def writes_and_returns_none(t):
        t[0] = 7.
    functions = {'abs': torch.abs, 'abs_': torch.abs_, 'identity': lambda t: t, 'writes': writes_and_returns_none,
                 'turn': lambda t: t.copy_(t.roll(1)), 'add': lambda t: t.add_(1e-9), 'times 1': lambda t: t.mul_(1), 'fill': lambda t: t.fill_(True),
                 'transpose_': lambda t: t.t_(), 'unsqueeze_': lambda t: t.unsqueeze_(0), 'resize_': lambda t: t.resize_(3, 2),
                 'not': lambda t: t.logical_not_()}
    given = x.clone()
    answer = changes_argument(functions[name], given)
    kind = None if answer is None else type(answer).__name__
    if isinstance(answer, torch.Tensor):
        kind, answer = f'Tensor with dtype {answer.dtype} and shape {tuple(answer.shape)}', answer.tolist()
    return kind, str(answer), given

v = torch.tensor([1., -2., 3.])
M = torch.tensor([[1., -2., 3.], [4., 5., -6.]])
seen_of_abs_ = "One entry of three changes: compare every entry with a copy that was made before the call."
if tried('abs_', v)[1] == tried('turn', v)[1] == 'False':
    seen_of_abs_ = ("The two answers are exchanged: True is for a change." if tried('abs', v)[1] == 'True' else
                    "No change is seen, not even of all entries. A second name changes with the tensor, and what f returns does not tell: compare with a copy.")
def truth_of(outcome, what):
    kind, answer, _ = outcome
    assert_type(kind, str, f"the answer for {what}", of="one answer", hint="`changes_argument` returns None here: `return` the answer.")
    assert_true(kind in ('bool', 'bool_', 'Tensor with dtype torch.bool and shape ()'),
                f"changes_argument returns True or False, and nothing of type {kind}", of="one answer",
                hint="`==` and `!=` give an answer for each entry: `torch.equal`, `.all()` or `.any()` make one of them." if "torch.bool" in kind else "")
    return answer == 'True'

assert_equal(truth_of(tried('abs_', v), "torch.abs_ and (1, -2, 3)"), True, "the answer for torch.abs_ and (1, -2, 3)",
             of="in place", hint=seen_of_abs_)
assert_equal(truth_of(tried('abs', v), "torch.abs and (1, -2, 3)"), False, "the answer for torch.abs and (1, -2, 3)",
             of="out of place",
             hint="torch.abs leaves its argument as it is: compare the argument before and after, not the argument with the "
                  "result.")
for name, x, what, hint in (
        ('writes', v, "a function that sets t[0] = 7 and returns None, and (1, -2, 3)",
         "Compare what f got with a copy; neither its result nor its name decides."),
        ('fill', v > 0, "lambda t: t.fill_(True) and (True, False, True)",
         "Compare with `!=` or torch.equal, which know every dtype."),
        ('turn', v, "lambda t: t.copy_(t.roll(1)), which turns (1, -2, 3) into (3, 1, -2)",
         "The numbers are the same, and so is their sum; their order is not."),
        ('add', v.double() + 0.25, "lambda t: t.add_(1e-9) and (1.25, -1.75, 3.25) in float64",
         "A small change is a change: compare exactly, with all digits."),
        ('not', v > 0, "lambda t: t.logical_not_() and (True, False, True)",
         "Call f once: two calls of this one leave all as it was.")):
    assert_equal(truth_of(tried(name, x), what), True, f"the answer for {what}", of="in place", hint=hint)
for name, x, what, hint in (
        ('identity', v, "a function that returns its argument as it is", "Returning the same tensor is not changing it."),
        ('abs', v / 0, "torch.abs and (inf, -inf, inf)",
         "Compare with `!=` or torch.equal: the difference of inf and inf is nan."),
        ('abs', v[:0], "torch.abs and a tensor without entries", "Where there is no entry, none has changed."),
        ('times 1', v, "lambda t: t.mul_(1), after which all values are the same",
         "Compare the values: that they were written again does not count.")):
    assert_equal(truth_of(tried(name, x), what), False, f"the answer for {what}", of="out of place", hint=hint)
assert_close(tried('abs_', v)[2], v, "x after changes_argument(torch.abs_, x)", of="x kept",
             hint="Let f work on a copy with memory of its own: `clone()` makes one.")
assert_shape(tried('unsqueeze_', v)[2], (3,),
             "the shape of x after changes_argument(lambda t: t.unsqueeze_(0), x), for x of shape (3,)", of="x kept",
             hint="Let f work on a copy: f may change the shape of what it gets, too.")
for name, x, what, hint in (
        ('unsqueeze_', v, "lambda t: t.unsqueeze_(0), which makes (1, -2, 3) a 1 by 3 matrix",
         "Compare the shapes, too: `!=` broadcasts, and the values in a row do not show a shape."),
        ('resize_', M, "lambda t: t.resize_(3, 2) and a 2 by 3 matrix",
         "The same values in a row do not make the same tensor: compare the shapes, too."),
        ('transpose_', M, "lambda t: t.t_(), which transposes in place, and a 2 by 3 matrix",
         "Hand f a copy that has the shape of x, and compare the shapes, too.")):
    assert_equal(truth_of(tried(name, x), what), True, f"the answer for {what}", of="shape", hint=hint)
assert_shape(tried('transpose_', M)[2], (2, 3), "the shape of x after changes_argument(lambda t: t.t_(), x)", of="x kept",
             hint="Let f work on a copy.")
### BEGIN HIDDEN TESTS
@probe
def tried_others(name, x):
    def in_a_view(t):
        t.reshape(-1)[-1] += 1
        return t.sum()
    functions = {'view': in_a_view, 'clamp_': lambda t: t.clamp_(min=0), 'clamp': lambda t: t.clamp(min=0), 'add copy': lambda t: t.clone().add_(1),
                 'flat_': lambda t: t.resize_(t.numel()), 'plus': lambda t: t.__iadd__(2), 'none': lambda t: None, 'sort': lambda t: t.sort().values,
                 'flip': lambda t: t.copy_(t.flip(0)), 'little': lambda t: t.add_(1e-9), 'again': lambda t: t.copy_(t.clone()),
                 'other rows': lambda t: t.resize_(2, 3), 'axis': lambda t: t.unsqueeze_(0), 'one not': lambda t: t[1:2].logical_not_()}
    given = x.clone()
    answer = changes_argument(functions[name], given)
    kind = None if answer is None else type(answer).__name__
    if isinstance(answer, torch.Tensor):
        kind, answer = f'Tensor with dtype {answer.dtype} and shape {tuple(answer.shape)}', answer.tolist()
    return kind, str(answer), given

W = torch.tensor([[0.5, -1.5], [2., 3.], [-4., 0.]])
endless = torch.tensor([[torch.inf, -1.5], [2., 3.], [-4., 0.]])
whole = torch.tensor([[2 ** 24, 3], [-7, 2], [5, 2 ** 24]])
for name, x, wanted, of, what in (
        ('view', W, True, "in place", "a function that adds 1 to the last entry, through a view"), ('clamp_', W, True, "in place", "lambda t: t.clamp_(min=0)"),
        ('plus', W, True, "in place", "a function with t += 2"), ('plus', whole, True, "in place", "a function with t += 2, and whole numbers"),
        ('view', whole, True, "in place", "a function that adds 1 to the last entry, a large whole number"),
        ('view', whole + 2 ** 53, True, "in place", "a function that adds 1 to the last entry, a very large whole number"),
        ('clamp_', endless, True, "in place", "lambda t: t.clamp_(min=0), and an entry that is inf"),
        ('one not', W > 0, True, "in place", "a function that turns a row of True and False into its opposite"),
        ('none', W > 0, False, "out of place", "lambda t: None, and True and False"),
        ('flip', W, True, "in place", "a function that turns the rows round"), ('little', W.double() + 0.25, True, "in place", "lambda t: t.add_(1e-9)"),
        ('clamp', W, False, "out of place", "lambda t: t.clamp(min=0)"), ('clamp', endless, False, "out of place", "lambda t: t.clamp(min=0), and an entry that is inf"), ('add copy', W, False, "out of place", "a function that works on a copy"),
        ('none', W, False, "out of place", "lambda t: None"), ('sort', whole, False, "out of place", "a function that sorts, out of place"),
        ('again', W, False, "out of place", "a function that writes the same values again"), ('flat_', W, True, "shape", "lambda t: t.resize_(t.numel())"),
        ('other rows', W, True, "shape", "lambda t: t.resize_(2, 3)"), ('axis', W, True, "shape", "lambda t: t.unsqueeze_(0)")):
    assert_equal(truth_of(tried_others(name, x), f"a 3 by 2 matrix and {what}"), wanted,
                 f"the answer for a 3 by 2 matrix and {what}", of=of,
                 hint="Compare the shape and every value, exactly, with a copy from before the call; what f returns does not matter.")
    after = tried_others(name, x)[2]
    assert_shape(after, (3, 2), f"the shape of x after a call with {what}", of="x kept", hint="Let f work on a copy.")
    assert_close(after, x, f"x after a call with {what}", of="x kept", hint="Let f work on a copy.")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - `dir` lists names; filter it by a piece of a name. Names that begin with an underscore are not for you.
# - `help(f)`, `f?` and `f.__doc__` describe a function. Where you know the effect and not the name, search the
#   docstrings for a rare word.
# - The signature says what must be given, what may be left out, and what only by place (`/`) or by name (`*`).
# - In torch a trailing underscore means in place. Other libraries have other signs; `None` as a result is one of
#   them.
# - An experiment has the last word: a small input with a known answer, on a copy.
#
# From here on, when the book uses a function that you do not know, you know how to ask it. Chapter 3 begins to learn
# from data.
