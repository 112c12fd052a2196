# %% right="2.7.A" how="a loop, with casefold"
def names_with(thing, piece):
    found = []
    for name in dir(thing):
        if name[0] != '_' and piece.casefold() in name.casefold():
            found.append(name)
    return found

# %% right="2.7.A" how="a pattern, sorted backwards"
def names_with(thing, piece):
    import re
    pattern = re.compile(re.escape(piece), re.IGNORECASE)
    return sorted((name for name in dir(thing) if pattern.search(name) and not name.startswith('_')), reverse=True)

# %% wrong="2.7.A" why="only at the beginning" breaks="piece" says="that are missing in the list"
def names_with(thing, piece):
    return [name for name in dir(thing) if name.lower().startswith(piece.lower()) and not name.startswith('_')]

# %% wrong="2.7.A" why="all public names" breaks="piece" says="the names in the list without 'open'"
def names_with(thing, piece):
    return [name for name in dir(thing) if not name.startswith('_')]

# %% wrong="2.7.A" why="a text in place of a list" breaks="piece" says="wrong type"
def names_with(thing, piece):
    return ', '.join(name for name in dir(thing) if piece.lower() in name.lower() and not name.startswith('_'))

# %% wrong="2.7.A" why="capital and small letters differ" breaks="case" says="OpenAir"
def names_with(thing, piece):
    return [name for name in dir(thing) if piece in name and not name.startswith('_')]

# %% wrong="2.7.A" why="the piece is left as it is" breaks="case" says="for the piece 'OPEN'"
def names_with(thing, piece):
    return [name for name in dir(thing) if piece in name.lower() and not name.startswith('_')]

# %% wrong="2.7.A" why="returns the names in small letters" breaks="case" says="return the names as they are"
def names_with(thing, piece):
    return [name.lower() for name in dir(thing) if piece.lower() in name.lower() and not name.startswith('_')]

# %% wrong="2.7.A" why="private names, too" breaks="public" says="names that begin with an underscore"
def names_with(thing, piece):
    return [name for name in dir(thing) if piece.lower() in name.lower() and not name.startswith('__')]

# %% right="2.7.1" how="another name of the mean without nan is not needed: the same six by dict"
found = dict(f='tril', e='hypot', d='cartesian_prod', c='roll', b='bucketize', a='nanmean')

# %% wrong="2.7.1" why="the mean with nan" breaks="a" says="yours is nan"
found = {'a': 'mean', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="the sum without nan" breaks="a" says="yours 5.0"
found = {'a': 'nansum', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="searchsorted has its arguments in the other order" breaks="b" says="in the other order"
found = {'a': 'nanmean', 'b': 'searchsorted', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="a histogram" breaks="b" says="torch.histogram"
found = {'a': 'nanmean', 'b': 'histogram', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="shifts bits" breaks="c" says="torch.bitwise_right_shift cannot be called like that"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'bitwise_right_shift', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="a name that would be likely, and is not there" breaks="c" says="torch has a name 'shift'"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'shift', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="two grids in place of the pairs" breaks="d" says="torch.meshgrid"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'meshgrid', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="the outer product" breaks="d" says="the pairs of (1, 2) and (5, 6)"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'outer', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="adds the sides" breaks="e" says="the longest sides"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'add', 'f': 'tril'}

# %% wrong="2.7.1" why="the distance of the two vectors" breaks="e" says="the longest sides"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'dist', 'f': 'tril'}

# %% wrong="2.7.1" why="zeros below the diagonal" breaks="f" says="the matrix ((1, 2), (3, 4))"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'triu'}

# %% wrong="2.7.1" why="the diagonal" breaks="f" says="the matrix ((1, 2), (3, 4))"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'diag'}

# %% wrong="2.7.1" why="functions, not their names" breaks="form" says="Write the name in quotes"
found = {'a': torch.nanmean, 'b': 'bucketize', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% right="2.7.B" how="a list"
raising = ['j', 'i', 'h', 'e', 'c', 'b']

# %% right="2.7.B" how="by trying"
def _raises(call):
    try:
        eval(call)
        return False
    except TypeError:
        return True

raising = {key for key, call in calls.items() if _raises(call)}

# %% wrong="2.7.B" why="a default must be given, too" breaks="given" says="whether a and e raise"
raising = {'a', 'b', 'c', 'e', 'f', 'h', 'i', 'j', 'k'}

# %% wrong="2.7.B" why="what is missing is taken to be None" breaks="given" says="whether a and e raise"
raising = {'b', 'c', 'i', 'j'}

# %% wrong="2.7.B" why="the slash is overlooked" breaks="slash" says="whether b raises"
raising = {'c', 'e', 'h', 'j'}

# %% wrong="2.7.B" why="the star is overlooked" breaks="star" says="whether c and d raise"
raising = {'b', 'e', 'h', 'i'}

# %% wrong="2.7.B" why="names in another order" breaks="star" says="whether c and d raise"
raising = {'b', 'c', 'd', 'e', 'h', 'i', 'j'}

# %% wrong="2.7.B" why="unknown names raise" breaks="double star" says="whether g raises"
raising = {'b', 'c', 'e', 'g', 'h', 'i', 'j', 'l'}

# %% wrong="2.7.B" why="the calls that run" breaks="given" says="whether a and e raise"
raising = {'a', 'd', 'f', 'g', 'k', 'l'}

# %% right="2.7.2" how="kinds by their names, a tuple"
def required(f):
    names = []
    for p in inspect.signature(f).parameters.values():
        if p.default is p.empty and not p.kind.name.startswith('VAR'):
            names.append(p.name)
    return tuple(names)

# %% wrong="2.7.2" why="from the text of each parameter" breaks="no default" says="the names alone"
def required(f):
    return [str(p) for p in inspect.signature(f).parameters.values() if '=' not in str(p) and '*' not in str(p)]

# %% wrong="2.7.2" why="the stars, too" breaks="stars" says="need not be given"
def required(f):
    return [name for name, p in inspect.signature(f).parameters.items() if p.default is inspect.Parameter.empty]

# %% wrong="2.7.2" why="only *things left out" breaks="stars" says="(x, *things, scale, **options)"
def required(f):
    return [name for name, p in inspect.signature(f).parameters.items()
            if p.default is inspect.Parameter.empty and p.kind != p.VAR_POSITIONAL]

# %% wrong="2.7.2" why="a default that counts as false is none" breaks="defaults" says="None, 0 and False are defaults, too"
def required(f):
    return [name for name, p in inspect.signature(f).parameters.items()
            if (p.default is inspect.Parameter.empty or not p.default) and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

# %% wrong="2.7.2" why="all parameters but the stars" breaks="defaults" says="(x, y, z=1)"
def required(f):
    return [name for name, p in inspect.signature(f).parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

# %% wrong="2.7.2" why="without keyword-only parameters" breaks="no default" says="(first, /, middle, *, last)"
def required(f):
    kinds = ('POSITIONAL_ONLY', 'POSITIONAL_OR_KEYWORD')
    found = [name for name, p in inspect.signature(f).parameters.items() if p.default is p.empty and p.kind.name in kinds]
    return found + [name for name in inspect.signature(f).parameters if name in ('scale', 'key', 'r', 't')]

# %% wrong="2.7.2" why="in alphabetical order" breaks="no default" says="(first, /, middle, *, last)"
def required(f):
    return sorted(name for name, p in inspect.signature(f).parameters.items()
                  if p.default is inspect.Parameter.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD))[::1 if 'scale' not in str(inspect.signature(f)) else -1]

# %% wrong="2.7.2" why="how many, not which" breaks="no default" says="wrong type"
def required(f):
    return len([p for p in inspect.signature(f).parameters.values() if p.default is p.empty])

# %% right="2.7.3a" how="by the last two characters"
def in_place_names(thing):
    return [n for n in dir(thing) if n[0] != '_' and n[-1] == '_' and n[-2:] != '__']

# %% right="2.7.3a" how="a pattern"
def in_place_names(thing):
    import re
    return tuple(name for name in dir(thing) if re.fullmatch(r'[^_](.*[^_])?_', name))

# %% wrong="2.7.3a" why="two underscores at the end count" breaks="one underscore" says="more than one underscore"
def in_place_names(thing):
    return [name for name in dir(thing) if name.endswith('_') and not name.startswith('_')]

# %% wrong="2.7.3a" why="an underscore anywhere" breaks="one underscore" says="that do not begin with an underscore"
def in_place_names(thing):
    return [name for name in dir(thing) if '_' in name and not name.startswith('_') and not name.endswith('__')]

# %% wrong="2.7.3a" why="no other underscore in the name" breaks="one underscore" says="that do not begin with an underscore"
def in_place_names(thing):
    return [name for name in dir(thing) if name.endswith('_') and name.count('_') == 1]

# %% wrong="2.7.3a" why="private names" breaks="public" says="that begin with an underscore"
def in_place_names(thing):
    return [name for name in dir(thing) if name.endswith('_') and not name.endswith('__')]

# %% wrong="2.7.3a" why="without the underscore" breaks="one underscore" says="that do not begin with an underscore"
def in_place_names(thing):
    return [name[:-1] for name in dir(thing) if name.endswith('_') and not name.endswith('__') and not name.startswith('_')]

# %% wrong="2.7.3a" why="a set" breaks="one underscore" says="wrong type"
def in_place_names(thing):
    return {name for name in dir(thing) if name.endswith('_') and not name.endswith('__') and not name.startswith('_')}

# %% right="2.7.3b" how="two copies"
def changes_argument(f, x):
    given, kept = x.clone(), x.clone()
    f(given)
    if given.shape != kept.shape:
        return True
    return bool((given != kept).any())

# %% right="2.7.3b" how="lists"
def changes_argument(f, x):
    t = x.clone()
    before = t.tolist()
    f(t)
    return before != t.tolist()

# %% wrong="2.7.3b" why="the result against the argument" breaks="out of place" says="not the argument with the result"
def changes_argument(f, x):
    t = x.clone()
    result = f(t)
    return not torch.equal(t, x) or (result is not None and not torch.equal(result, x))

# %% wrong="2.7.3b" why="whether the same tensor comes back" breaks="out of place" says="Returning the same tensor is not changing it"
def changes_argument(f, x):
    t = x.clone()
    return f(t) is t or not torch.equal(t, x)

# %% wrong="2.7.3b" why="whether the same tensor comes back, and nothing else" breaks="in place" says="returns None"
def changes_argument(f, x):
    t = x.clone()
    return f(t) is t and not torch.equal(t, x)

# %% wrong="2.7.3b" why="keeps a second name, not a copy" breaks="in place" says="torch.abs_ and (1, -2, 3)"
def changes_argument(f, x):
    t = x.clone()
    before = t
    f(t)
    return not torch.equal(before, t) or before.shape != x.shape

# %% wrong="2.7.3b" why="lets f work on x itself" breaks="x kept" says="Let f work on a copy"
def changes_argument(f, x):
    before = x.clone()
    f(x)
    return not torch.equal(before, x)

# %% wrong="2.7.3b" why="looks at the sorted values" breaks="in place" says="turns (1, -2, 3) into"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return sorted(t.flatten().tolist()) != sorted(x.flatten().tolist())

# %% wrong="2.7.3b" why="compares the sums" breaks="in place" says="turns (1, -2, 3) into"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return bool(t.sum() != x.sum())

# %% wrong="2.7.3b" why="goes by the name" breaks="in place" says="a function that sets t[0] = 7"
def changes_argument(f, x):
    if f.__name__ == '<lambda>':
        t = x.clone()
        f(t)
        return not torch.equal(t, x)
    return f.__name__.endswith('_')

# %% wrong="2.7.3b" why="lets f work on x and puts the values back" breaks="x kept" says="Let f work on a copy"
def changes_argument(f, x):
    kept = x.clone()
    f(x)
    changed = not torch.equal(kept, x)
    if kept.shape == x.shape:
        x.copy_(kept)
    return changed

# %% right="2.7.3b" how="f on x itself, which is put back altogether"
def changes_argument(f, x):
    kept = x.clone()
    f(x)
    changed = not torch.equal(kept, x)
    x.set_(kept)
    return changed

# %% wrong="2.7.A" why="what the class itself has, only" breaks="piece" says="`dir` lists these, too"
def names_with(thing, piece):
    return [name for name in vars(thing) if piece.lower() in name.lower() and not name.startswith('_')]

# %% wrong="2.7.A" why="takes the piece as a pattern" breaks="piece" says="The piece is text, not a pattern"
def names_with(thing, piece):
    import re
    return [name for name in dir(thing) if re.search(piece, name, re.I) and not name.startswith('_')]

# %% wrong="2.7.A" why="nothing for the empty piece" breaks="piece" says="for the empty piece"
def names_with(thing, piece):
    return [name for name in dir(thing) if piece and piece.lower() in name.lower() and not name.startswith('_')]

# %% wrong="2.7.1" why="a histogram with a number of bins" breaks="b" says="torch.histc cannot be called like that"
found = {'a': 'nanmean', 'b': 'histc', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.2" why="== in place of is" breaks="defaults" says="np.array"
def required(f):
    return [name for name, p in inspect.signature(f).parameters.items()
            if p.default == p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

# %% wrong="2.7.2" why="the objects, not their names" breaks="no default" says="not the objects `p`"
def required(f):
    return [p for p in inspect.signature(f).parameters.values()
            if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

# %% wrong="2.7.3a" why="no two underscores anywhere" breaks="one underscore" says="Only the end counts"
def in_place_names(thing):
    return [name for name in dir(thing) if name.endswith('_') and '__' not in name and not name.startswith('_')]

# %% wrong="2.7.3b" why="nearly equal counts as equal" breaks="in place" says="A small change is a change"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.shape != x.shape or not torch.allclose(t, x)

# %% wrong="2.7.3b" why="counts the writing, not the change" breaks="out of place" says="all values are the same"
def changes_argument(f, x):
    t = x.clone()
    before = t._version
    f(t)
    return t._version != before

# %% wrong="2.7.3b" why="compares entry by entry, with broadcasting" breaks="shape" says="`!=` broadcasts"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    try:
        return bool((t != x).any())
    except RuntimeError:
        return True

# %% wrong="2.7.3b" why="works in float32" breaks="in place" says="A small change is a change"
def changes_argument(f, x):
    t = x.clone().float()
    before = t.clone()
    f(t)
    return not torch.equal(t, before)

# %% wrong="2.7.3b" why="the values in a row, without the shape" breaks="shape" says="lambda t: t.resize_(3, 2)"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.dim() != x.dim() or not torch.equal(t.flatten(), x.flatten())

# %% wrong="2.7.3b" why="compares whole numbers" breaks="in place" says="A small change is a change"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.shape != x.shape or not torch.equal(t.long(), x.long())

# %% wrong="2.7.A" why="each name twice" breaks="piece" says="in the list once"
def names_with(thing, piece):
    found = [n for n in dir(thing) if piece.lower() in n.lower() and not n.startswith('_')]
    return found + found

# %% right="2.7.2" how="what the parameter prints as begins with a star"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items() if p.default is p.empty and not str(p).startswith('*')]

# %% wrong="2.7.2" why="asks whether the default is true" breaks="no default" says="counts as true in an `if`"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items() if not p.default and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

# %% wrong="2.7.2" why="only what may be given either way" breaks="no default" says="Positional-only and keyword-only"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items() if p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD]

# %% wrong="2.7.2" why="one kind of star forgotten" breaks="stars" says="`*things` need not be given, either"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items() if p.default is p.empty and p.kind != p.VAR_KEYWORD]

# %% wrong="2.7.2" why="reads the printed signature" breaks="defaults" says="any object"
def required(f):
    parts = str(inspect.signature(f)).strip('()').split(', ')
    return [part for part in parts if part and not set(part) & set('=*/')]

# %% wrong="2.7.3a" why="looks at the last letter but one of a single underscore" breaks="public" says="string index out of range"
def in_place_names(thing):
    return [n for n in dir(thing) if n[-1] == '_' and n[-2] != '_' and n[0] != '_']

# %% wrong="2.7.3a" why="only those that have a partner" breaks="one underscore" says="there need not be one without"
def in_place_names(thing):
    return [n for n in dir(thing) if n.endswith('_') and not n.endswith('__') and n[0] != '_' and hasattr(thing, n[:-1])]

# %% right="2.7.3b" how="a tensor without axes as the answer"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return (t != x).any() if t.shape == x.shape else torch.tensor(True)

# %% wrong="2.7.3b" why="whether every entry changes" breaks="in place" says="One entry of three changes"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.shape != x.shape or bool((t != x).all())

# %% wrong="2.7.3b" why="looks at the first entry only" breaks="in place" says="One entry of three changes"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.shape != x.shape or bool(t.flatten()[0] != x.flatten()[0])

# %% wrong="2.7.3b" why="subtracts, which True and False do not know" breaks="in place" says="two bool tensors"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.shape != x.shape or (t - x).abs().max().item() > 0

# %% wrong="2.7.3b" why="compares in float64" breaks="in place" says="a very large whole number"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t.shape != x.shape or not torch.equal(t.double(), x.double())

# %% wrong="2.7.3b" why="0 or 1 in a tensor" breaks="one answer" says="nothing of type Tensor with dtype torch.float32"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return torch.tensor([not torch.equal(t, x)]).float()

# %% wrong="2.7.3b" why="an answer for each entry" breaks="one answer" says="and shape (3,)"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return t != x if t.shape == x.shape else torch.tensor(True)


# %% wrong="2.7.A" why="names with an underscore at the end are left out" breaks="piece" says="`open_` is public"
def names_with(thing, piece):
    return [name for name in dir(thing) if piece.lower() in name.lower() and name[0] != '_' and name[-1] != '_']


# %% wrong="2.7.A" why="wildcards in the piece" breaks="piece" says="not a pattern"
def names_with(thing, piece):
    from fnmatch import fnmatch
    return [name for name in dir(thing) if fnmatch(name.lower(), '*' + piece.lower() + '*') and name[0] != '_']


# %% wrong="2.7.A" why="underscores do not count" breaks="piece" says="the name must hold it, too"
def names_with(thing, piece):
    piece = piece.lower().strip('_')
    return [name for name in dir(thing) if piece in name.lower() and name[0] != '_']


# %% wrong="2.7.A" why="four spellings of the piece" breaks="case" says="any of its letters may be a capital"
def names_with(thing, piece):
    spellings = piece, piece.lower(), piece.upper(), piece.capitalize()
    return [name for name in dir(thing) if name[0] != '_' and any(s in name for s in spellings)]


# %% wrong="2.7.A" why="the names under __all__" breaks="case" says="whatever it has under `__all__`"
def names_with(thing, piece):
    names = getattr(thing, '__all__', None) or dir(thing)
    return [name for name in names if piece.lower() in name.lower() and name[0] != '_']


# %% right="2.7.A" how="the members, capital letters"
def names_with(thing, piece):
    return [name for name, _ in inspect.getmembers(thing) if name[:1] != '_' and name.upper().count(piece.upper())]


# %% wrong="2.7.2" why="a class is taken for no default" breaks="no default" says="`kind` has a default"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items()
            if isinstance(p.default, type) and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


# %% wrong="2.7.2" why="a type after the colon is taken for a default" breaks="no default" says="is no default"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items()
            if p.annotation is p.empty and p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


# %% wrong="2.7.2" why="stops at the star" breaks="stars" says="What stands after `*things`"
def required(f):
    names = []
    for name, p in inspect.signature(f).parameters.items():
        if p.kind == p.VAR_POSITIONAL:
            break
        if p.default is p.empty:
            names.append(name)
    return names


# %% wrong="2.7.3a" why="three underscores at the end count" breaks="one underscore" says="ends with three underscores"
def in_place_names(thing):
    return [n for n in dir(thing) if n[-1] == '_' and n[0] != '_' and (n[-2:] != '__' or n[-3:] == '___')]


# %% wrong="2.7.3a" why="no digits" breaks="one underscore" says="A digit may stand before"
def in_place_names(thing):
    import re
    return [n for n in dir(thing) if re.fullmatch('[a-zA-Z]([a-zA-Z_]*[a-zA-Z])?_', n)]


# %% wrong="2.7.3b" why="subtracts, and inf - inf is nan" breaks="out of place" says="the difference of inf and inf is nan"
def changes_argument(f, x):
    y = x.clone()
    f(y)
    if x.shape != y.shape:
        return True
    return bool((x ^ y).any()) if x.dtype == torch.bool else bool(((y - x) != 0).any())


# %% wrong="2.7.3b" why="the largest of no entries" breaks="out of place" says="a tensor without entries"
def changes_argument(f, x):
    y = x.clone()
    f(y)
    return x.shape != y.shape or bool((x != y).max())


# %% wrong="2.7.3b" why="calls f twice" breaks="in place" says="Call f once"
def changes_argument(f, x):
    y = x.clone()
    f(y)
    f(y)
    return not torch.equal(x, y)

# %% wrong="2.7.3b" why="True and False exchanged" breaks="in place" says="The two answers are exchanged"
def changes_argument(f, x):
    copy = x.clone()
    f(copy)
    return torch.equal(copy, x)

# %% wrong="2.7.3b" why="whether x itself comes back for a copy of it" breaks="in place" says="No change is seen"
def changes_argument(f, x):
    return f(x.clone()) is x

# %% wrong="2.7.A" why="functions only" breaks="piece" says="It does not matter what a name stands for"
def names_with(thing, piece):
    return [n for n in dir(thing) if piece.lower() in n.lower() and n[0] != '_' and callable(getattr(thing, n))]

# %% wrong="2.7.A" why="the names of torch, whatever the thing" breaks="piece" says="Ask `dir(thing)`"
def names_with(thing, piece):
    return [n for n in dir(torch) if piece.lower() in n.lower() and n[0] != '_']

# %% wrong="2.7.1" why="a list in place of a dictionary" breaks="form" says="expected a dict"
found = ['nanmean', 'bucketize', 'roll', 'cartesian_prod', 'hypot', 'tril']

# %% wrong="2.7.1" why="capital letters as keys" breaks="form" says="the six small letters"
found = {'A': 'nanmean', 'B': 'bucketize', 'C': 'roll', 'D': 'cartesian_prod', 'E': 'hypot', 'F': 'tril'}

# %% wrong="2.7.B" why="the calls in place of their letters" breaks="letters" says="Name each call by its letter"
raising = {calls[letter] for letter in 'bcehij'}

# %% wrong="2.7.B" why="one string" breaks="letters" says="wrong type"
raising = 'bcehij'

# %% wrong="2.7.2" why="those that have a default" breaks="no default" says="parameters that have a default"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items() if p.default is not p.empty]

# %% right="2.7.2" how="tries to bind without each"
def required(f):
    signature, names = inspect.signature(f), []
    for name, p in signature.parameters.items():
        try:
            signature.replace(parameters=[p]).bind()
        except TypeError:
            names.append(name)
    return names

# %% wrong="2.7.3a" why="small letters only" breaks="one underscore" says="Digits and other underscores"
def in_place_names(thing):
    import re
    return [n for n in dir(thing) if re.fullmatch('[a-z]+_', n)]

# %% wrong="2.7.3a" why="functions only" breaks="one underscore" says="`zero_` stands for a function here, the others"
def in_place_names(thing):
    return [n for n in dir(thing) if n[0] != '_' and n.endswith('_') and not n.endswith('__') and callable(getattr(thing, n))]

# %% wrong="2.7.3a" why="the names of torch.Tensor, whatever the thing" breaks="one underscore" says="that this class does not have"
def in_place_names(thing):
    return [n for n in dir(torch.Tensor) if n[0] != '_' and n.endswith('_') and not n.endswith('__')]

# %% wrong="2.7.3b" why="the result against the argument, and nothing else" breaks="out of place" says="not the argument with the result"
def changes_argument(f, x):
    result = f(x.clone())
    return result is None or result.shape != x.shape or not torch.equal(result, x)

# %% wrong="2.7.3b" why="the values in a row" breaks="shape" says="do not show a shape"
def changes_argument(f, x):
    t = x.clone()
    f(t)
    return not torch.equal(t.flatten(), x.flatten())

# %% wrong="2.7.3b" why="puts the values back, not the shape" breaks="x kept" says="f may change the shape"
def changes_argument(f, x):
    kept = x.clone()
    f(x)
    changed = not torch.equal(kept, x)
    x.view(-1)[:] = kept.view(-1)
    return changed

# %% wrong="2.7.1" why="functions that cannot be called so: rot90, cdist" breaks="c" says="Rotate an n-D tensor"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'rot90', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="combinations of one vector" breaks="d" says="Compute combinations of length r"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'combinations', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="a list of pairs" breaks="form" says="A dictionary is written"
found = [('a', 'nanmean'), ('b', 'bucketize'), ('c', 'roll'), ('d', 'cartesian_prod'), ('e', 'hypot'), ('f', 'tril')]

# %% wrong="2.7.A" why="a pattern of the shell" breaks="piece" says="not a pattern"
def names_with(thing, piece):
    import fnmatch
    return [name for name in dir(thing) if not name.startswith('_') and fnmatch.fnmatch(name.lower(), f"*{piece.lower()}*")]

# %% wrong="2.7.3b" why="compares what is printed" breaks="in place" says="with all digits"
def changes_argument(f, x):
    copy = x.clone()
    f(copy)
    return str(copy) != str(x)

# %% wrong="2.7.A" why="names split at underscores, whole words only" breaks="piece" says="a name is not to be split at its underscores"
def names_with(thing, piece):
    return [n for n in dir(thing) if n[0] != "_" and piece.lower() in n.lower().split("_")]

# %% wrong="2.7.2" why="names of stars by their usual names" breaks="stars" says="whatever they are called"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items()
            if p.default is inspect.Parameter.empty and n not in ("args", "kwargs")]

# %% wrong="2.7.2" why="keyword-only ones whatever their default" breaks="defaults" says="though it stands after the `*`"
def required(f):
    return [n for n, p in inspect.signature(f).parameters.items()
            if (p.default is inspect.Parameter.empty or p.kind == p.KEYWORD_ONLY)
            and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

# %% wrong="2.7.1" why="meshgrid" breaks="d" says="several tensors"
found = {'a': 'nanmean', 'b': 'bucketize', 'c': 'roll', 'd': 'meshgrid', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.1" why="histogram" breaks="b" says="several tensors"
found = {'a': 'nanmean', 'b': 'histogram', 'c': 'roll', 'd': 'cartesian_prod', 'e': 'hypot', 'f': 'tril'}

# %% wrong="2.7.3b" why="detach shares memory" breaks="x kept" says="memory of its own"
def changes_argument(f, x):
    y = x.detach()
    before = x.clone()
    f(y)
    return not torch.equal(y, before)
