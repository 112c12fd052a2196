# %% [markdown]
# # A.2 An engine for arrays
#
# The engine of A.0 worked on single numbers: an object for each product and each sum. This one works on NumPy arrays, and its record is a plain list. `loss.backward()` does the same thing, for any program made of known operations.
#
# At the end you can
# - say why a list, walked from its end, is enough, and what it has to do with topological order;
# - keep gradients for arrays that have no attribute `.grad`, and say where that goes wrong;
# - write the engine: record, walk, clear.
#
# Names and interfaces are those of the homework "autograd" of CMU's course 11-785 (part 1, bonus), and there is more here: `outer`, `sigmoid`, `relu_backward`, `identity` and `expand_dims` (A.3) are not in the homework, and its `max_backward` is that of ReLU. Engines written for it fit here; a complete homework does
# not pass without these.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import numpy as np
import torch
from d2l_utils.engine_parts import gradient_of, lend, sound

lend()      # of the book's own parts none works on this page: here you write yours


def page():
    """The names of this page; the checks put a part of the book into it where one of yours is not ready."""
    return globals()

# %% [markdown] teaches="list of operations, backward function"
# ## 1. A list is enough
#
# In A.0 the order of the way back took some work: a value may pass on only when everything that uses it has done so. Here is a shortcut. A program runs its operations one after another, and each value is made before it is used. So **the order of execution is a topological order**, and it comes for nothing, if every operation is written down when it
# runs. The list of operations *is* the computational graph. Walk it from its end: whatever uses a value comes later in the list, so it has been visited when the value's own operation is reached.
#
# What has to be written down of an operation? For numbers it was the slopes. For arrays a slope would be a huge table, nearly all zero. In its place the operation brings a *backward function*: `f(grad_output, *inputs)` gets the gradient of the final result with respect to the operation's output, and returns that with respect to each input.
# (The star hands over the entries of a list one by one: `f(g, *[a, b])` is `f(g, a, b)`.)
#
# By hand, for $c = a + b$ and $d = c \cdot b$ at $a = 2$, $b = 3$. The list is [sum, product]. In reverse the product comes first. The value $b$ is used by both, so its two contributions add up.

# %% teaches="list of operations"
def sum_back(g, a, b):
    return g, g                             # the sum hands its gradient on to both

def product_back(g, c, b):
    return g * b, g * c                     # each factor gets the other one

a, b = 2., 3.
c = a + b
d = c * b
d_d = 1.                                    # the derivative of the result by itself
d_c, d_b = product_back(d_d, c, b)
d_a, more = sum_back(d_c, a, b)
d_b = d_b + more
t = torch.tensor([2., 3.], requires_grad=True)
((t[0] + t[1]) * t[1]).backward()
print("by the list:", d_a, d_b, "  torch:", t.grad.tolist())

# %% [markdown]
# The list as a picture: boxes are values, ellipses the operations in the order in which they ran. The walk visits 2 before 1.

# %% tags=["demo"]
display(d2l.show_dot("""digraph { rankdir=LR; node [shape=box, fontsize=11]; s [label="1: sum", shape=ellipse]; p [label="2: product", shape=ellipse];
    a [label="a = 2"]; b [label="b = 3"]; c [label="c = 5"]; d [label="d = 15"]; a -> s; b -> s; s -> c; c -> p; b -> p; p -> d; }"""))

# %% [markdown]
# torch keeps no common list. Each of its tensors points to the node that made it (`grad_fn`), as in A.0, and `backward()` finds an order first. A list is simpler, and it has a price: it holds every operation, needed or not, until somebody clears it.

# %% [markdown] task="A.2.A" kind="answer" minutes=4 difficulty=2 needs="list of operations"
# ### Walk it
#
# The list is $p = x \cdot y$, then $q = p + x$, then $r = q \cdot p$, at $x = 2$, $y = 3$. Walk it from its end by hand. Hand in `q_bar`, `p_bar` and `x_bar`, the gradients $\partial r/\partial q$, $\partial r/\partial p$ and $\partial r/\partial x$ at the end of the walk.
#
# **You are done when**
# - **q**: `q_bar` is right;
# - **p**: `p_bar` has both contributions;
# - **x**: `x_bar` has both.

# %% exercise="A.2.A"
### BEGIN SOLUTION
q_bar, p_bar, x_bar = 6., 14., 48.
### END SOLUTION

# %% [markdown] hints="A.2.A"
# 1. What are the values of p, q and r?
# 2. The product r gives q and p a contribution each. Then q passes on what it has to p and to x. Only then p passes on, all of it.
# 3. For $p = x y$, $q = p x$ at $x = 2$, $y = 3$: p is 6; q hands on 2 to p and 6 to x. Then p hands on 2 · 3 = 6 to x, which has 12.

# %% check="A.2.A" points=1
for name, value in (("q_bar", q_bar), ("p_bar", p_bar), ("x_bar", x_bar)):
    assert_type(value, (int, float, torch.Tensor, np.ndarray), name, of=name[0])
    assert_true(np.prod(np.shape(value)) == 1, f"{name} is one number", of=name[0])

def as_number(value):
    return float(value.reshape(()) if isinstance(value, (torch.Tensor, np.ndarray)) else value)

def from_q(name, factor):
    """What is left of an answer beside the part that comes from q, in words."""
    rest = as_number(p_bar if name == "p" else x_bar) - as_number(q_bar)
    return f" From q it has q_bar, which is {as_number(q_bar):g} in yours; the rest, {rest:g} in yours, is to be {factor}."

rest_of_p, rest_of_x = from_q("p", "the value of q"), from_q("x", f"p_bar, in yours {as_number(p_bar):g}, times the other factor of p")
assert_true(as_number(q_bar) not in (288., 384.), "the walk begins with 1, the derivative of r by itself, and not with the value of r", of="q")
assert_true((as_number(q_bar), as_number(p_bar)) != (4., 3.), "the bars are gradients of r by q and by p, not those of q and of p by x", of="q")
assert_true(as_number(q_bar) != 8., "q_bar is the other factor of r = q p", of="q", hint="The gradient of a factor is the other factor.")
assert_true(as_number(q_bar) != 1., "r = q p is a product, so q_bar is the other factor, and not 1 as in a sum", of="q")
assert_true((as_number(q_bar), as_number(p_bar)) != (14., 6.), "q_bar and p_bar are not exchanged", of="q")
assert_true(as_number(q_bar) < 8, "q_bar is below 8", of="q", hint="The walk begins with 1 for r. As a factor of r, q gets the value of the other factor.")
assert_true(as_number(q_bar) != 5., "q_bar is the value of p = x y, the product of x and y, and not their sum", of="q")
assert_true((as_number(q_bar), as_number(p_bar), as_number(x_bar)) != (6., 15., 36.), "the gradients are those at x = 2 and y = 3, not at x = 3 and y = 2", of="p")
assert_true((as_number(p_bar), as_number(x_bar)) != (24., 108.), "q = p + x is a sum, not a product", of="p")
assert_true(as_number(p_bar) not in (6., 8.), "p_bar has two contributions, and here is one: p is used by q and by r", of="p")
assert_true(as_number(p_bar) > 13, "p_bar is above 13", of="p", hint="Are the values of p and q right? As a factor of r, p gets the value of q; as a part of q it gets q_bar." + rest_of_p)
assert_true(as_number(p_bar) != 15., "p_bar is q_bar and the value of q = p + x, added up", of="p", hint=rest_of_p.strip())
assert_true(as_number(p_bar) != 20., "p_bar has q_bar in it once, and as it is", of="p", hint="The sum q = p + x hands q_bar on to p, without a factor.")
assert_true(as_number(p_bar) < 20, "p_bar is below 20", of="p", hint="What comes back to p from q and from r is added, not multiplied." + rest_of_p)
assert_true(as_number(x_bar) not in (30., 32.), "x_bar has the whole gradient of p in it", of="x", hint="q hands its gradient to p and to x before p hands on what it has: p needs both its contributions first.")
assert_true(as_number(x_bar) not in (20., 28., 34., 36.), "p = x y hands to x the gradient of p times the other factor, y", of="x", hint="The two contributions to x add up." + rest_of_x)
assert_true(as_number(x_bar) not in (6., 42.), "x_bar has two contributions, and here is one: x is used by p and by q", of="x", hint="Either use gives x a contribution, and the two add up.")
assert_true(as_number(x_bar) != 43., "the sum q = p + x hands q_bar on to x, not 1", of="x")
assert_true(as_number(x_bar) > 42, "x_bar is above 42", of="x", hint="From q comes q_bar; from p = x y comes p_bar times the other factor. The two add up." + rest_of_x)
assert_true(as_number(x_bar) not in (54., 60.), "x_bar has q_bar in it once, and as it is", of="x", hint="The sum q = p + x hands q_bar on to x, without a factor. The rest of x_bar comes from p = x y.")
assert_true(as_number(x_bar) != 56., "the sum q = p + x hands q_bar on to x, not p_bar", of="x")
assert_true(as_number(x_bar) < 50, "x_bar is below 50", of="x", hint="x is used twice, once by p and once by q: two contributions, which are added." + rest_of_x)
### BEGIN HIDDEN TESTS
leaf_x, leaf_y = torch.tensor(2., requires_grad=True), torch.tensor(3., requires_grad=True)
node_p = leaf_x * leaf_y
node_q = node_p + leaf_x
right = [g.item() for g in torch.autograd.grad(node_q * node_p, (node_q, node_p, leaf_x))]
for name, value, wanted in zip("qpx", (q_bar, p_bar, x_bar), right):
    assert_close(as_number(value), wanted, f"{name}_bar", of=name, hint={
        "q": "q is a factor of r = q p: its gradient is the value of the other factor.", "p": "As a factor of r, p gets the value of q; as a part of q it gets q_bar. The two add up." + rest_of_p,
        "x": "As a part of q, x gets q_bar; as a factor of p it gets p_bar times the other factor. The two add up." + rest_of_x}[name])
### END HIDDEN TESTS

# %% [markdown] teaches="address of an array"
# ## 2. Where the gradients are kept
#
# While the walk is on, the gradient of each intermediate value must be kept somewhere. A NumPy array has no attribute `.grad`, and it cannot be the key of a dictionary. CMU's engine takes the *memory address* of an array's first entry as the key, an integer. It is cheap, and the same array passed to two operations is recognised.

# %% teaches="address of an array"
def address(array):
    return array.__array_interface__["data"][0]     # the entry "data" is a pair; its first part is the address

W = np.arange(6.).reshape(2, 3)
same, other = W, np.arange(6.).reshape(2, 3)
print("another name for W:", address(same) == address(W), "  an equal array:", address(other) == address(W))

# %% [markdown] teaches="views share an address, freed addresses are used again"
# ⚠ An address says where data lies, not which array it is. Three things go wrong:

# %%
print("W.T has the address of W:  ", address(W.T) == address(W), "with shapes", W.T.shape, W.shape)
print("W[None] has it, too:       ", address(W[None]) == address(W))
print("and so has the first row:  ", address(W[:1]) == address(W))

def of_a_temporary():
    return address(np.ones(50_000) * 2)      # this array is gone when the function returns

print("20 arrays that no longer exist, the number of their addresses:", len({of_a_temporary() for _ in range(20)}))
print("a sum is no array but a", type(W.sum()).__name__)

# %% [markdown] teaches="remedies for addresses as keys"
# A view that begins at the first entry has the address of what it looks at: they would share a gradient. The address of an array that is gone is given to the next one. And a NumPy number is no array with a lasting address.
#
# The remedies, which this chapter uses everywhere:
#
# - the list holds the inputs and the output of every operation. As long as it does, no address is given away again;
# - an operation that would return a view of its input (a copy, a new axis, a reshape) returns a **copy**;
# - the gradient of a *parameter* is not kept under an address at all: the operation is handed the array to add it to. So `W.T` can be an input: its gradient goes into the view `dW.T`, and so into `dW`;
# - a number that is an input or output is wrapped into an array, `np.array(number)`.

# %% tags=["setup"]
X = np.arange(6.).reshape(2, 3)
expressions = {"A": "X.T", "B": "X.copy()", "C": "X[None]", "D": "X.reshape(6)", "E": "X[1:]", "F": "X[:, :1]", "G": "X + 0",
               "H": "np.expand_dims(X, 1)", "I": "X.astype(float)", "J": "np.asarray(X)", "K": "X.flatten()", "L": "X.ravel()"}

# %% [markdown] task="A.2.2" kind="explain" minutes=12 difficulty=3 needs="views share an address, freed addresses are used again, remedies for addresses as keys"
# ### Whose address is it?
#
# The cell above lists twelve expressions. Which of them give an array with the address of `X`? Predict first, then try. Hand in `same_address`,
# a set, a list or a string of letters, such as `{"A", "B"}`.
#
# Then explain in words: what does an engine with addresses as keys compute for `y = x[None]` recorded as an operation, and why; why is the address of
# an array that nobody holds no good key; and what are the remedies, for views, for freed arrays and for parameters such as `W.T`?
#
# **You are done when**
# - **letters**: all right letters are in `same_address`, and no wrong one; and your text answers the three questions.

# %% exercise="A.2.2"
### BEGIN SOLUTION
same_address = {"A", "C", "D", "F", "H", "J", "L"}
### END SOLUTION

# %% [markdown] hints="A.2.2"
# 1. Which of these have to move numbers in memory, and which only describe the same numbers in another way?
# 2. A view begins where its first entry lies, which is not always the first entry of `X`. `flatten` always copies, `ravel` only if it must;
#    `astype` copies unless told otherwise.
# 3. For a vector `v` of 9 entries: `v[::2]` begins at the first entry and shares the address, `v[::-1]` begins at the last one and does not.

# %% check="A.2.2" points=1 hidden_only="the answer is letters: a visible part that asked for each would be the answer"
assert_type(same_address, (set, frozenset, list, tuple, str, dict), "same_address", of="letters", hint='A set, a list or a string of letters, such as {"A", "B"}.')
assert_true(len(same_address) > 0, "same_address holds letters", of="letters", hint="Compare addresses: `.base is X` holds for none of the twelve, as X is a view itself; reshape made it.")
assert_true(set(same_address) <= set(expressions), "each letter is one of A to L, a capital", of="letters", hint="The letters are the keys of `expressions`; nothing else stands between them.")
assert_true("A" in list(same_address), "A, the transpose, is among the letters", of="letters", hint="It describes the same numbers in another way; none of them moves.")
assert_true("B" not in list(same_address), "B, the copy, is not among the letters", of="letters", hint="A copy has memory of its own.")
### BEGIN HIDDEN TESTS
places = {letter: eval(text, {"np": np, "X": X}).__array_interface__["data"][0] for letter, text in expressions.items()}
wanted = {letter for letter, place in places.items() if place == X.__array_interface__["data"][0]}
elsewhere = {"B": "copy() makes an array of its own.", "E": "X[1:] is a view, and it begins with the second row.", "G": "X + 0 is computed into a new array, though 0 changes no number.",
             "I": "astype copies, unless it is told otherwise.", "K": "flatten copies, always; ravel does so only where it must."}
alike = {"A": "The transpose begins at the same entry.", "C": "A new axis moves no number.", "D": "Here a reshape moves no number.", "F": "A view that leaves out the later columns begins at the same entry.",
         "H": "A new axis moves no number.", "J": "np.asarray copies nothing where it gets an array.", "L": "ravel copies only where it must, and here the numbers lie in one row."}
too_many, too_few = sorted(set(same_address) - wanted), sorted(wanted - set(same_address))
assert_equal(too_many, [], "letters that do not have the address of X", of="letters", hint=" ".join(elsewhere[letter] for letter in too_many[:2]))
assert_equal(len(too_few), 0, "the number of letters that are missing", of="letters", hint=" ".join(dict.fromkeys(alike[letter] for letter in too_few[:2])))
### END HIDDEN TESTS

# %% [markdown] written="A.2.2" points=3
# ### BEGIN SOLUTION
# `x[None]` is a view, so input and output of the operation have one and the same entry in the buffer. In reverse, the gradient of the output is already in that
# entry when the operation is reached; the operation reads it, hands it on to its input, and so adds it to itself: the gradient of x comes out doubled (or the shapes
# clash, since the entry has the shape of the first one of the two). Once an array is freed, the next one of its size may get its address: the engine then takes the new array for the
# old one and mixes their gradients. Remedies: operations return copies in place of views; the operations in the list hold their inputs and outputs, so nothing in it
# is freed before `zero_grad`; gradients of parameters go into arrays that the operation is handed (`dW`, or its view `dW.T`), so no address is looked up.
#
# **Rubric**
# - [1] Input and output share one entry, so the gradient is counted twice or shapes clash; also accepted: a worked number; lost by "the view has no gradient".
# - [1] Freed addresses are used again, so two arrays are taken for one; also accepted: an example with a temporary; lost by "the address changes over time".
# - [1] Remedies for all three: copy, keep references, hand over the gradient's array; also accepted: keys that include shape, or `id` with references held; lost by "call clear() more often".
# ### END SOLUTION

# %% [markdown] teaches="gradient buffer"
# ### The buffer
#
# So a *gradient buffer* is a dictionary from addresses to gradients, with a few methods around it. One trap is left. The first gradient that arrives is an array, and so is the entry that it becomes. If the entry *is* that array, then adding the second gradient in place changes an array that belongs to somebody else:

# %%
first, second = np.array([10., 20.]), np.array([1., 2.])
entry = first                   # another name for the same array
entry += second                 # in place
print("the caller's first gradient is now", first)
first, entry = np.array([10., 20.]), np.zeros(2)
entry += first
entry += second
print("begun with zeros: entry", entry, " first", first)

# %% [markdown] task="A.2.B" kind="code" minutes=3 difficulty=1 needs="gradient buffer"
# ### A purse for each guest
#
# Write `put(purses, name, coins)`. `purses` is a dictionary from names to arrays; `coins` is an array of float64, of any shape. It adds `coins` to the purse of `name`, which it makes first if there is none.
#
# **You are done when**
# - **adds up**: after several calls, each purse holds the sum, to the last of 20,000,001 coins, and no other dictionary plays a part;
# - **coins kept**: the arrays handed over are as they were, whatever comes later.

# %% exercise="A.2.B"
def put(purses, name, coins):
    """Adds coins to the purse of name, in the dictionary."""
    ### BEGIN SOLUTION
    if name not in purses:
        purses[name] = np.zeros(coins.shape)
    purses[name] = purses[name] + coins
    ### END SOLUTION

# %% [markdown] hints="A.2.B"
# 1. What should a new purse hold?
# 2. `name in purses` asks whether there is an entry. `np.zeros(coins.shape)` has the shape of the coins.
# 3. Counting words: `if word not in counts: counts[word] = 0`, then `counts[word] = counts[word] + 1`.

# %% check="A.2.B" points=1
@probe
def after_the_party(names, gifts):
    purses, own_call = {}, []
    for name, coins in zip(names, gifts):
        try:
            put(purses, name, coins)
        except ValueError as problem:
            if "broadcast" in str(problem):
                return {"problem": str(problem), "shape": coins.shape}
            raise
        except KeyError as problem:
            if problem.args != (name,):
                raise
            return {"no purse": f"KeyError: {problem}"}
        own_call.append(coins.copy())
    second = {}
    put(second, names[0], gifts[0].copy())
    return {"purses": purses, "gifts": gifts, "own call": own_call, "second": second}

def party(names, gifts, what):
    found = after_the_party(names, [gift.copy() for gift in gifts])
    wanted = {}
    for name, gift in zip(names, gifts):
        wanted[name] = wanted.get(name, 0) + gift
    assert_true("no purse" not in found, f"{what}: no error is raised for a guest without a purse; it raised {found.get('no purse')}", of="adds up",
                hint="`purses[name]` raises it where there is no entry: a name that is not in the dictionary yet gets its purse first.")
    assert_true("problem" not in found, f"{what}: the coins fit into the purse", of="adds up",
                hint=f"It says: {found.get('problem')}. A purse has the shape of its coins, here {tuple(found.get('shape', ()))}, with all its axes: `coins.shape`.")
    assert_equal(sorted(found["purses"]), sorted(wanted), f"{what}: who has a purse", of="adds up",
                 mistakes={"put changes the dictionary that it is handed; one that it makes is seen by nobody.": []}
                 | ({"Only the purse of the last guest is left: those of the others stay in the dictionary.": names[-1:]} if len(wanted) > 1 else {}))
    first = after_the_party(names[:1], [0 * gifts[0]])["purses"].get(names[0], 0)
    twice = after_the_party(names[:1] * 2, [gifts[0].copy(), gifts[0].copy()]).get("purses", {}).get(names[0], 0)
    empty = "The purse is still empty: the gift that makes it is added to it, too." if np.any(twice) else (
        "The purse is still empty, after a second gift, too: what is computed is to stand in the dictionary, as purses[name].")
    beginning = f" A first gift of zeros makes a purse of {np.ravel(first)[:3].tolist()} here: it is to begin with zeros." if np.size(first) and np.any(first) else ""
    for name in wanted:
        theirs = [gift for guest, gift in zip(names, gifts) if guest == name]
        later = [gift for gift in gifts[names.index(name):] if gift.shape == theirs[0].shape]
        assert_type(found["purses"][name], np.ndarray if theirs[0].ndim else (np.ndarray, float), f"{what}: the purse of {name}", of="adds up", hint="A purse is an array, to which coins are added.")
        assert_shape(found["purses"][name], theirs[0].shape, f"{what}: the shape of the purse of {name}", of="adds up", hint="A purse has the shape of the coins.")
        kind = np.asarray(found["purses"][name]).dtype
        assert_true(kind.kind == "f", f"{what}: the purse of {name} is of numbers with a decimal point, here: {kind}", of="adds up", hint="Whole numbers cannot hold half a coin; np.zeros(shape) is of float64.")
        assert_close(found["purses"][name], wanted[name], f"{what}: the purse of {name}", of="adds up", rtol=1e-12, atol=1e-12, hint=f"It holds the sum of the gifts to {name}, entry by entry." + beginning, mistakes={
            "Float32 keeps about seven digits: a purse is of float64.": np.sum(np.array(theirs, dtype=np.float32), axis=0, dtype=np.float32)} | ({
            "Gifts to others are in it, too: coins go into the purse of their name alone.": sum(later)} if len(later) > len(theirs) else {}) | (
            {"What was there is lost: add to it.": theirs[-1], "This is the mean of the gifts; a purse holds their sum.": sum(theirs) / len(theirs)} if len(theirs) > 1 else
            {empty: 0 * theirs[0], "The gift that makes the purse is counted twice.": 2 * theirs[0]}))
    assert_close(found["own call"], gifts, f"{what}: each array that was handed over, right after its own call of put", of="coins kept", rtol=0, atol=0,
                 hint="put changes coins itself: what is added up goes into the purse, and coins stays as it is.")
    assert_close(found["gifts"], gifts, f"{what}: the arrays that were handed over, at the end", of="coins kept", rtol=0, atol=0,
                 hint="Right after its own call each was as before, and a later call changed it: a purse is the very array that was handed over. Let it begin with zeros, or a copy.")
    assert_equal(sorted(found["second"]), names[:1], f"{what}: who has a purse in a second dictionary, with the first gift alone", of="adds up",
                 hint="What is in a purse stands in the dictionary that was handed over, and nowhere else.")
    assert_close(found["second"][names[0]], gifts[0], f"{what}: the purse of {names[0]} in a second dictionary, with the first gift alone", of="adds up", rtol=1e-12, atol=0,
                 hint="What is in a purse stands in the dictionary that was handed over, and nowhere else.")

party(["Bo"], [np.array([20_000_001., 0.5])], "one gift")
party(["Ada", "Bo", "Ada"], [np.array([1., 20_000_001.]), np.array([5.]), np.array([0.5, 0.25])], "Ada, Bo, and Ada again")
party(["Ada", "Bo", "Ada", "Bo"], [np.array([1., 2.]), np.array([10., 20.]), np.array([0.5, 0.25]), np.array([3., 7.])], "Ada and Bo, twice each, with equal shapes")
party(["Bo", "Bo"], [np.array([[1., 2., 3.], [4., 5., 6.]]), np.array([[0.5, 0.5, 0.5], [7., 7., 7.]])], "two gifts of shape (2, 3)")
### BEGIN HIDDEN TESTS
draw = np.random.default_rng(920)
party(["x", "y", "x", "x", "z"], [draw.normal(size=s) for s in ((2, 3), (2,), (2, 3), (2, 3), ())], "five gifts to three")
party(["u", "v", "u", "v"], list(draw.normal(size=(4, 3, 2))), "four gifts of one shape to two")
### END HIDDEN TESTS

# %% [markdown] task="A.2.1" kind="code" minutes=12 difficulty=2 core=true needs="gradient buffer, address of an array"
# ### The gradient buffer
#
# Write the class `GradientBuffer`. Its attribute `memory` is a dictionary from addresses to gradients, empty at first.
#
# - `get_memory_loc(np_array)`: the address of the array's first entry, an integer (as `address` above)
# - `is_in_memory(np_array)`: whether `memory` has an entry for it
# - `add_spot(np_array)`: makes an entry
# - `update_param(np_array, gradient)`: adds `gradient` to the entry
# - `get_param(np_array)`: the entry
# - `clear()`: forgets all entries
#
# **You are done when**
# - **address**: `get_memory_loc` gives the address, and it is the key in `memory`;
# - **zeros**: a new entry is zeros of float64 in the array's shape, also for an array of integers;
# - **adds up**: several gradients add up, and each array has an entry of its own; `add_spot` for an array that has an entry changes nothing;
# - **gradient kept**: the gradient handed over is as it was;
# - **unknown arrays**: `is_in_memory` is False for them, for one that equals a known one, too, and `update_param` and `get_param` raise an error, of any kind;
# - **clear**: `memory` is empty after `clear()`, and the buffer can be used again; a new buffer is empty, whatever others hold.

# %% exercise="A.2.1"
class GradientBuffer:
    """The gradients of arrays that are no parameters, by the address of the array."""
    ### BEGIN SOLUTION
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()
    ### END SOLUTION

# %% [markdown] hints="A.2.1"
# 1. What must a value that is used in two operations find in the buffer after the second `add_spot`, and after both updates?
# 2. `memory[key]` of a dictionary raises a `KeyError` by itself where there is no entry. `np.zeros(shape)` is of float64,
#    `np.zeros_like(x)` is of the dtype of `x`. `self.memory` is made in `__init__`.
# 3. A purse for each guest: `if name not in purses: purses[name] = 0.0`, then `purses[name] = purses[name] + coins`.

# %% check="A.2.1" points=3
@probe
def filled(a, b, first, second):
    buffer = GradientBuffer()
    before = len(buffer.memory)
    buffer.add_spot(a)
    buffer.add_spot(b)
    if len(buffer.memory) < 2:
        return {"sizes": [before, len(buffer.memory)]}
    fresh = buffer.get_param(b)
    if not isinstance(fresh, (np.ndarray, np.number)):
        return {"sizes": [before, len(buffer.memory)], "entry": type(fresh).__name__}
    fresh = np.array(fresh)
    if len(buffer.memory) < 2:
        return {"sizes": [before, 2], "gone": 1}
    buffer.update_param(a, first)
    once, read_again = np.array(buffer.get_param(a)), np.array(buffer.get_param(a))
    buffer.add_spot(a)
    still = np.array(buffer.get_param(a))
    buffer.update_param(a, second)
    found, begin = buffer.get_memory_loc(a), a.__array_interface__["data"][0]

    def from_begin(where):
        return int(where) - begin if isinstance(where, (int, np.integer)) else f"no integer: {type(where).__name__}"

    return {"kind": type(found).__name__, "once": once, "read again": read_again, "still": still, "a": np.array(buffer.get_param(a)), "b": fresh, "b at the end": np.array(buffer.get_param(b)), "handed over": [first, second],
            "sizes": [before, len(buffer.memory)], "offset": [from_begin(key) for key in buffer.memory],
            "location": from_begin(found)}

@probe
def others(a, b):
    def asks(array):
        try:
            return int(buffer.is_in_memory(array))
        except KeyError:
            return "a KeyError"

    buffer = GradientBuffer()
    buffer.add_spot(a)
    said = [asks(a), asks(b), len(buffer.memory)]
    for attempt in (lambda: buffer.get_param(b), lambda: buffer.update_param(b, b)):
        before = len(buffer.memory)
        try:
            said.append(f"no error, {type(attempt()).__name__} comes back" + (", and there is an entry now" if len(buffer.memory) > before else ""))
        except Exception:
            said.append("error")
    return said

@probe
def cleared(a, b):
    buffer = GradientBuffer()
    buffer.add_spot(a)
    buffer.add_spot(b)
    buffer.update_param(a, 3 * a)
    buffer.clear()
    memory = getattr(buffer, "memory", None)
    if not hasattr(memory, "values"):
        return {"kind": type(memory).__name__}
    left, entries = len(memory), [np.array(entry) for entry in list(memory.values())[:1] if isinstance(entry, np.ndarray)]
    try:
        known = int(buffer.is_in_memory(a))
    except KeyError:
        known = "a KeyError"
    if left or known:
        return {"left": left, "entries": entries, "known": known}
    buffer.add_spot(a)
    zero = np.array(buffer.get_param(a))
    if not len(buffer.memory):
        return {"gone": 1}
    buffer.update_param(a, a)
    return {"left": left, "entries": entries, "known": known, "zero": zero, "again": np.array(buffer.get_param(a))}

@probe
def beside_another(a):
    GradientBuffer().add_spot(a)
    return [len(GradientBuffer().memory)]

def buffer_agrees(a, b, first, second, what):
    found = filled(a, b, first.copy(), second.copy())
    assert_type(found, dict, f"{what}: entries for both, two gradients for the first, and both entries asked for", of="adds up")
    assert_equal(found["sizes"][0], 0, f"{what}: the number of entries of a new buffer", of="clear", hint="Each buffer has a dictionary of its own, made in __init__.")
    assert_equal(found["sizes"][1], 2, f"{what}: the number of entries after add_spot of both", of="adds up", mistakes={
        "Two arrays lie at two addresses, also where their shapes or numbers are equal: each has an entry of its own.": 1})
    assert_true("gone" not in found, f"{what}: the second one's entry is still in memory after get_param", of="adds up", hint="get_param reads an entry and leaves it where it is; `pop` takes it out.")
    assert_true("entry" not in found, f"{what}: a new entry is an array, here: {found.get('entry')}", of="zeros", hint="An entry is an array of zeros in the shape of its array, from the beginning, and get_param returns it.")
    assert_true("int" in found["kind"], f"{what}: get_memory_loc returns an integer; found: {found['kind']}", of="address",
                hint="`__array_interface__` is a dictionary, and its entry \"data\" a pair, the first of which is the address.")
    assert_equal(found["location"], 0, f"{what}: get_memory_loc minus the array's address", of="address",
                 hint="The address is that of the first entry's place in memory, as `address` above gives it. What id() gives is another number.")
    assert_true(0 in found["offset"], f"{what}: one of the keys of memory is the first array's address; found, minus this address: {', '.join(map(str, found['offset']))}", of="address", hint="The key is what get_memory_loc gives for the array.")
    assert_shape(found["b"], b.shape, f"{what}: a new entry, its shape", of="zeros", hint="An entry is an array of zeros in the shape of its array, from the beginning.")
    assert_close(np.asarray(found["b"], dtype=float), np.zeros(b.shape), f"{what}: a new entry", of="zeros", hint="Gradients are added to it, so it begins with zeros, whatever the array holds.")
    assert_true(found["b"].dtype == np.float64, f"{what}: a new entry is of float64, here {found['b'].dtype}", of="zeros", hint="np.zeros(shape) is.")
    assert_close(found["once"], first, f"{what}: the entry of the first array, after update_param with one gradient", of="adds up", rtol=1e-12, atol=1e-12, hint="It began with zeros, so it is this gradient now.", mistakes={
        "Nothing has arrived: what update_param computes is to be in memory afterwards.": 0 * first, "It is taken off, not added.": -first})
    assert_close(found["read again"], first, f"{what}: the same entry, when get_param is called a second time", of="adds up", rtol=1e-12, atol=1e-12,
                 hint="get_param reads an entry, and leaves it as it is.")
    assert_close(found["still"], first, f"{what}: the same entry, after add_spot once more", of="adds up", rtol=1e-12, atol=1e-12, mistakes={"add_spot begins it anew: it leaves an entry alone that is there.": 0 * first})
    assert_close(found["a"], first + second, f"{what}: two gradients for one array", of="adds up", rtol=1e-12, atol=1e-12, mistakes={
        "The first gradient is lost: update_param adds the second one to it, and does not put it in its place.": second,
        "This is the mean of the two gradients; they add up.": (first + second) / 2, "The first gradient is counted twice.": 2 * first + second, "The second gradient is counted twice.": first + 2 * second, "The second gradient has not arrived.": first})
    assert_close(found["b at the end"], np.zeros(b.shape), f"{what}: the entry of the second array, after two gradients for the first", of="adds up", rtol=0, atol=0, hint="Each array has an entry of its own.")
    assert_close(found["handed over"], [first, second], f"{what}: the two gradients handed over, afterwards", of="gradient kept", rtol=0, atol=0,
                 hint="The caller's array was changed in place.", mistakes={
                     "The entry is the very array that was handed over, and the second gradient was added to it in place: an entry is an array of its own.": [first + second, second],
                     "The entry was added to the second gradient, in place: it is the gradient that is added to the entry.": [first, first + second]})

def strangers(a, b, what):
    found = others(a, b)
    assert_equal(found[0], 1, f"{what}: is_in_memory for the first, which has an entry (1: True)", of="unknown arrays",
                 hint="add_spot has just made its entry: the question is whether the array's address is a key of memory.")
    assert_equal(found[1], 0, f"{what}: is_in_memory for the second, which has no entry (0: False)", of="unknown arrays",
                 hint="`memory[key]` raises an error where there is no entry; `key in memory` only asks." if found[1] == "a KeyError" else
                 "The question is whether this array's own address is a key of memory.")
    assert_equal(found[2], 1, f"{what}: the number of entries after one add_spot and two questions", of="unknown arrays", hint="A question makes no entry.")
    for method, said in zip(("get_param", "update_param"), found[3:]):
        assert_equal(said, "error", f"{what}: what {method} does for the second, which has no entry", of="unknown arrays", hint=
                     "None is no error: `.get(key)` of a dictionary gives None where there is no entry, `[key]` raises an error." if method == "get_param" and "NoneType" in said else
                     "Only add_spot makes an entry: where there is none, the call raises an error. `memory[key]` does so by itself, as long as nothing asks before or makes one." if "entry now" in said else
                     "What comes back is no entry of memory. `memory[key]` raises an error by itself where there is none; `.get(key, ...)`, `if` and `try` keep it from that." if method == "get_param" else
                     "Here it passed over it in silence. `memory[key]` raises an error by itself where there is no entry; `if` and `try` keep it from that.")

def clears(a, b, what):
    assert_equal(beside_another(a), [0], f"{what}: the number of entries of a new buffer, after add_spot in another one", of="clear", hint="Each buffer has a dictionary of its own, made in __init__.")
    found = cleared(a, b)
    assert_type(found, dict, f"{what}: add_spot for both, an update of the first, clear(), and the first once more", of="clear")
    assert_true("gone" not in found, f"{what}: after clear() and add_spot the first one's entry is still in memory after get_param", of="clear", hint="get_param reads an entry and leaves it where it is; `pop` takes it out.")
    assert_true("kind" not in found, f"{what}: the attribute `memory` is a dictionary after clear()", of="clear", hint="clear() takes all entries out of it; the dictionary itself stays, or a new one takes its place.")
    assert_equal(found["left"], 0, f"{what}: the number of entries that clear() leaves", of="clear", hint="clear() takes all entries out of the attribute `memory`" + (
", keys and all; it puts nothing else in their place." if found["left"] and not found["entries"] else
        "; it does not set them to zero." if not np.any(found["entries"]) else ". Here they are as they were: is it `self.memory` that is emptied?"))
    assert_equal(found["known"], 0, f"{what}: is_in_memory for the first after clear() (0: False)", of="clear", hint=
                 "`memory[key]` raises an error where there is no entry; `key in memory` only asks." if found["known"] == "a KeyError" else
                 "memory is empty now: the answer follows from its keys, and from nothing that is kept beside it.")
    assert_close(found["zero"], 0. * a, f"{what}: the entry that add_spot makes after clear()", of="clear", hint="It is zeros again, an array in the shape of its own array, as in a new buffer.", mistakes={
        "It holds what was there before clear().": 3. * a, "It holds the numbers of its array: it begins with zeros.": 1. * a})
    assert_close(found["again"], a, f"{what}: the entry after clear(), add_spot and one update", of="clear", hint="It is this one gradient: it began with zeros.", mistakes={
        "What was there before clear() is still counted.": 4. * a})

@probe
def of_views(x):
    buffer, found = GradientBuffer(), []
    for view in (x[1:], x[:, 1:], x.T, x[::-1]):
        where = buffer.get_memory_loc(view)
        found.append(int(where) - x.__array_interface__["data"][0] if isinstance(where, (int, np.integer)) else type(where).__name__)
    return found

def views_agree(x, right):
    what, found = "get_memory_loc of x[1:], x[:, 1:], x.T and x[::-1]", of_views(x)
    other = [one for one in found if isinstance(one, str)]
    assert_true(not other, f"{what}: each is an integer; found: {' and '.join(dict.fromkeys(other))}", of="address", hint="`__array_interface__` is a dictionary, and its entry \"data\" a pair, the first of which is the address." if "tuple" in other else
                "The address is a number, as `address` above gives it.")
    assert_equal(found, right, f"{what} minus the address of x, for x of shape {x.shape}", of="address",
                 hint="The address of the first entry of the array itself, wherever it lies.", mistakes={
                     "x[::-1] begins at the last row of x: the address of its first entry is not the lowest one that it uses.": [*right[:3], 0],
                     "A view has an address of its own, that of its first entry; this is the address of x for each.": [0] * 4})

@probe
def methods_of_gradientbuffer():
    return sorted(method for kind in GradientBuffer.__mro__[:-1] for method in vars(kind))

for method, of in (("add_spot", "zeros"), ("get_memory_loc", "address"), ("is_in_memory", "unknown arrays"), ("update_param", "adds up"), ("get_param", "adds up"), ("clear", "clear")):
    assert_true(method in methods_of_gradientbuffer(), f"GradientBuffer has the method {method}", of=of, hint="Is the class written, and the method in it, with this name?")
with part(1, "a vector, and an array of integers"):
    buffer_agrees(np.array([1., 2.]), np.array([1., 2.]), np.array([10., 20.]), np.array([0.1, 0.25]), "two equal vectors")
    buffer_agrees(np.array([[1, 2, 3], [4, 5, 6]]), np.array([[1], [2]]), np.full((2, 3), 0.5), np.array([[1., 2., 3.], [0., 0., -1.]]), "arrays of integers")
with part(1, "unknown arrays and clear"):
    clears(np.array([1., 2.]), np.array([3.]), "vectors of lengths 2 and 1")
    strangers(np.array([1., 2.]), np.array([3.]), "vectors of lengths 2 and 1")
    strangers(np.array([1., 2.]), np.array([3., 4.]), "vectors of one length")
    strangers(np.array([1., 2.]), np.array([1., 2.]), "two equal vectors")
    views_agree(np.arange(8.).reshape(4, 2), [16, 8, 0, 48])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(921)
with part(1, "other arrays"):
    buffer_agrees(rng.integers(0, 9, (2, 3)), rng.integers(0, 9, (4, 1)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), "random integers")
    buffer_agrees(np.array([1., 2.]), np.array([np.inf, np.nan]), np.array([1., -2.]), np.array([3., 4.]), "a value that is not finite")
    views_agree(np.arange(6.).reshape(3, 2), [16, 8, 0, 32])
    buffer_agrees(np.array(2.5), rng.normal(size=(2, 1, 3)), np.array(0.5), np.array(-3.), "an array with one number")
    buffer_agrees(np.ones((3, 2)), np.zeros((3, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), "two matrices")
    clears(rng.normal(size=(3, 2)), rng.normal(size=(2, 2)), "two matrices")
    strangers(rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), "two matrices")
    strangers(np.ones((2, 1)), np.ones((2, 1)), "two equal columns")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="record of an array operation"
# ## 3. The engine
#
# An entry of the list holds four things: the inputs, the output, the backward function, and for each input a place for its gradient. For an intermediate value this place is `None`: it is in the buffer. For a parameter it is an array that the layer owns, such as `dW`, to which the engine adds *in place*.

# %% [markdown] task="A.2.3" kind="code" minutes=4 difficulty=1 core=true needs="record of an array operation"
# ### An operation
#
# Write the class `Operation` with `__init__(self, inputs, output, gradients_to_update, backward_operation)`. It keeps the four as its
# attributes `inputs`, `outputs`, `gradients_to_update` and `backward_function`. (Later versions of the homework call the second and the last `output` and
# `backward_operation`; the check takes both.)
#
# **You are done when**
# - **inputs and output**: each operation keeps its own, the very arrays, not copies, those of integers, too;
# - **gradients to update**: they are kept, arrays as the very arrays, `None` as `None`;
# - **backward function**: the function itself is kept, and not called.

# %% exercise="A.2.3"
class Operation:
    """What ran: its inputs (a list of arrays), its output, and how to go back through it."""
    ### BEGIN SOLUTION
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs = inputs
        self.outputs = output
        self.gradients_to_update = gradients_to_update
        self.backward_function = backward_operation
    ### END SOLUTION

# %% [markdown] hints="A.2.3"
# 1. What has to be kept so that one can go back later?
# 2. `self.name = value` makes an attribute. The function is kept, not called.
# 3. For a point: `def __init__(self, x, y): self.x, self.y = x, y`.

# %% check="A.2.3" points=1
@probe
def attributes(inputs, out, targets):
    try:
        made = Operation(inputs, out, targets, lambda *values: values)
    except (TypeError, ValueError) as problem:
        if "takes no arguments" not in str(problem) and "inhomogeneous" not in str(problem):
            raise
        return [f"{type(problem).__name__}: {str(problem)[:58]}"]
    pairs = (("inputs",), ("outputs", "output"), ("gradients_to_update",), ("backward_function", "backward_operation"))
    missing = [names[0] for names in pairs if not any(hasattr(made, name) for name in names)]
    return missing + ["has: " + ", ".join(getattr(made, "__dict__", {}))] if missing else []

@probe
def kept(inputs, out, targets):
    made = Operation(inputs, out, targets, lambda *values: values)
    output = made.outputs if hasattr(made, "outputs") else made.output
    for array in [*inputs, out, *[target for target in targets if target is not None]]:
        array += 1
    return {"kind": type(made.gradients_to_update).__name__, "inputs": list(made.inputs), "output": output, "targets": ["None" if t is None else t for t in made.gradients_to_update]}

@probe
def function_kept(inputs, out, targets):
    calls = []
    def as_they_came(*values):
        calls.append(1)
        return values
    made = Operation(inputs, out, targets, as_they_came)
    before, function = len(calls), made.backward_function if hasattr(made, "backward_function") else made.backward_operation
    if not callable(function):
        return {"calls": before, "kind": type(function).__name__}
    if getattr(function, "__self__", None) is made:
        return {"calls": before, "kind": "method of the class"}
    try:
        return {"calls": before, "kind": "function", "result": function(2., *[3. + i for i in range(len(inputs))])}
    except TypeError as problem:
        return {"calls": before, "kind": "another function", "problem": str(problem)}

@probe
def first_of_two(inputs, out, targets):
    made = Operation(inputs, out, targets, lambda *values: values)
    Operation([array + 10 for array in inputs], out + 10, [t if t is None else t + 10 for t in targets], lambda *values: 10)
    return {"inputs": list(made.inputs), "output": made.outputs if hasattr(made, "outputs") else made.output, "targets": ["None" if t is None else t for t in made.gradients_to_update]}

def keeps(inputs, out, targets, what):
    missing = attributes([array.copy() for array in inputs], out.copy(), [target if target is None else target.copy() for target in targets])
    trouble, has = [one for one in missing if "Error: " in one], [one[5:] for one in missing if one.startswith("has: ")]
    assert_true(not trouble, f"{what}: an Operation is made of the four; it raised {' '.join(trouble)}", of="inputs and output", hint=
                "A new object calls the method `__init__`, with two underscores on either side; here the class has none of this name." if "no arguments" in "".join(trouble) else
                "The arrays have shapes of their own, and do not fit into one array: keep the list as it is.")
    for name, of in (("inputs", "inputs and output"), ("outputs", "inputs and output"), ("gradients_to_update", "gradients to update"), ("backward_function", "backward function")):
        assert_true(name not in missing, f"{what}: an Operation has the attribute {name}", of=of, hint=f"`self.{name} = ...` makes it." + (
            f" Yours has the attributes {has[0]}." if has and has[0].count(",") > 2 else " A name without self is gone when __init__ has run."))
    made = function_kept([array.copy() for array in inputs], out.copy(), [target if target is None else target.copy() for target in targets])
    assert_equal(made["calls"], 0, f"{what}: how often the backward function was called when the operation was made", of="backward function", hint="It is kept for later; the engine calls it.")
    assert_equal(made["kind"], "function", f"{what}: the type of the attribute backward_function", of="backward function", hint=
                 f"The function itself is kept; called with grad_output and {len(inputs)} inputs, the one kept says: {made['problem']}." if "problem" in made else
                 "An attribute of the class is shared by all operations, and a function there becomes a method, which is handed the operation first. Each keeps its own: `self.name = value`." if "method" in made["kind"] else
                 "The function itself is kept: neither its name nor what it returns, and it is the fourth argument.")
    assert_close(made["result"], [2.] + [3. + i for i in range(len(inputs))], f"{what}: what the backward function returns when it is called; this one returns what it is called with", of="backward function", hint="Keep the function itself.")
    found = kept([array.copy() for array in inputs], out.copy(), [target if target is None else target.copy() for target in targets])
    assert_true(not any(isinstance(entry, (list, tuple)) for entry in found["inputs"]), f"{what}: each entry of inputs is an array, not a list of them", of="inputs and output",
                hint="Keep the list itself, without another one around it. A comma at the end of the line, `self.inputs = inputs,`, makes a tuple with the list in it.")
    among = any(np.array_equal(entry, out + 1) for entry in found["inputs"][len(inputs):])
    assert_equal(len(found["inputs"]), len(inputs), f"{what}: the number of inputs", of="inputs and output", mistakes={
        "This is the length of the output: are inputs and output exchanged?": len(out)} if len(out) > len(inputs) + 1 else None,
                 hint="The output stands among the inputs, too: it is kept in an attribute of its own." if among else
                 "The whole list is kept, however long it is.")
    assert_close(found["inputs"], [array + 1 for array in inputs], f"{what}: the inputs, all of which changed after the operation was made", of="inputs and output", hint="The arrays themselves are kept, not copies; an array turned into another dtype is a copy, too.")
    assert_close(found["output"], out + 1, f"{what}: the output, which changed after the operation was made", of="inputs and output", hint="The array itself is kept.")
    assert_true("dict" not in found["kind"], f"{what}: gradients_to_update is kept as the list that it is, here: {found['kind']}", of="gradients to update")
    arrays = sum(target is not None for target in targets)
    assert_true(not any(isinstance(entry, (list, tuple)) for entry in found["targets"]), f"{what}: each entry of gradients_to_update is None or an array, not a list", of="gradients to update",
                hint="Keep the list itself, without another one around it. A comma at the end of the line makes a tuple with the list in it.")
    assert_equal(len(found["targets"]), len(targets), f"{what}: the number of gradients_to_update", of="gradients to update", mistakes={
        "This is the number of arrays among them. None is an entry, too: it keeps the place of its input.": arrays} if arrays < len(targets) else None)
    for place, yours, target in zip(("first", "second", "third"), found["targets"], targets):
        if target is None:
            assert_true(isinstance(yours, str), f"{what}: the {place} entry of gradients_to_update is None", of="gradients to update", hint="None stays None: it says that the gradient of this input goes to the buffer.")
        else:
            assert_close(yours, target + 1, f"{what}: the {place} entry of gradients_to_update, an array that changed after the operation was made", of="gradients to update", hint="The arrays themselves are kept, not copies.",
                         mistakes={"The array was set to zero when the operation was made: what is in there stays.": 0 * target + 1} if np.all(target > 0) else None)
    again = first_of_two([array.copy() for array in inputs], out.copy(), [target if target is None else target.copy() for target in targets])
    for name, yours, right, of in (("inputs", again["inputs"], inputs, "inputs and output"), ("output", again["output"], out, "inputs and output"),
                                   ("gradients_to_update", again["targets"], ["None" if target is None else target for target in targets], "gradients to update")):
        assert_equal(yours, right, f"{what}: {name} of an operation, after a second one was made from other arrays", of=of,
                     hint="Each operation has attributes of its own, set by `self.name = value`; those of the class are shared by all.")

keeps([np.array([1.]), np.array([2., 3.])], np.array([5., 6., 7., 8.]), [None, np.zeros(2)], "two vectors")
keeps([np.array([1.]), np.array([2.]), np.array([4, 3])], np.array([5.]), [None, np.full(1, 7.), np.zeros(2)], "three vectors, the last of integers")
### BEGIN HIDDEN TESTS
keeps([np.array([1., 2.]), np.array([[2.], [3.]])], np.array([[7.]]), [np.array([4., 4.]), None], "a vector and a column")
keeps([np.array([[1., 2.]])], np.array([7.]), [np.array([[4., 5.]])], "a row")
keeps([np.array([1, 2]), np.array([[2.], [3.]]), np.array([6.])], np.array([[7.]]), [None, np.zeros((2, 1)), None], "three arrays, the first of integers")
### END HIDDEN TESTS

# %% [markdown] teaches="walk of the engine, parameters and intermediate values"
# ### The walk
#
# Now the walk, step by step, for $u = 2p$ and $v = 3u$, where $p$ is intermediate, too. The list is [double, triple], the buffer has spots for $p$ and $u$, with zeros.
#
# | step | operation | `grad_output` | from | returns | goes to |
# |---|---|---|---|---|---|
# | 1 | triple | 1 | the divergence | 3 | the buffer's entry of $u$: 0 + 3 |
# | 2 | double | 3 | the buffer's entry of its output $u$ | 6 | the buffer's entry of $p$: 0 + 6 |
#
# The last operation gets the *divergence*: so CMU's homework calls the gradient at the end. Every other one asks the buffer for the gradient of its output. It is complete by then. An output that no later operation uses has no entry in the buffer, and its operation nothing to hand on; the divergence is not for it.
#
# Two conventions. A backward function of a single input returns its gradient itself (for arrays of shape `()` NumPy makes it a number, `np.float64`); one of several inputs returns a tuple, a gradient for each. A gradient of
# `None` means that this input needs none (labels, for example): it is left out. A second program has a tuple and a `None`: $u = p\,w$ with $p = 2$ and a parameter $w = 5$, then half the squared distance of $u = 10$ from the label 7. The place of $w$ is an array, `dw`; those of $p$, $u$ and the label are `None`:
#
# | step | operation | inputs | `grad_output` | returns | goes to |
# |---|---|---|---|---|---|
# | 1 | half square | $u$, label | 1, the divergence | (3, `None`) | 3 to the buffer's entry of $u$; nothing for the label |
# | 2 | product | $p$, $w$ | 3, from the buffer | (15, 6) | 15 to the buffer's entry of $p$; 6 is added to `dw`, in place |
#
# So `None` has two meanings, in two places: as a *place* it says "to the buffer", as a *gradient* it says "nowhere".
#
# ⚠ *Twice without clearing.* If the walk is done a second time and the buffer still holds the gradients of the first, these are passed on once more. Here is the buffer of the table as a dictionary, for two walks; and torch beside it:

# %%
buffer = {"p": 0., "u": 0.}
for walk in (1, 2):
    buffer["u"] += 3 * 1.                       # triple: gets the divergence
    buffer["p"] += 2 * buffer["u"]              # double: gets what the buffer holds for u
    print("walk", walk, "- the gradient of p in the buffer:", buffer["p"])
p = torch.tensor(1., requires_grad=True)
v = 3 * (2 * p)
for walk in (1, 2):
    v.backward(retain_graph=True)
    print("walk", walk, "- p.grad in torch:", p.grad.item())

# %% [markdown]
# torch adds up in the leaves alone: 6, then 12, the sum of two right gradients. In this engine the old gradient of $u$ is counted again on its way: 6, then 18. So `zero_grad()` comes before each forward pass.

# %% [markdown] task="A.2.4" kind="code" minutes=25 difficulty=4 core=true needs="walk of the engine, parameters and intermediate values, list of operations"
# ### The engine
#
# Write the class `Autograd`. Its attributes are `operation_list`, an empty list, and `gradient_buffer`, a `GradientBuffer`. (If your `GradientBuffer` or `Operation` is not ready, the check puts a right one in its place.)
#
# - `add_operation(inputs, output, gradients_to_update, backward_operation)`: makes a spot in the buffer for each input (one whose place is an array may do without) and appends an
#   `Operation` to the list (its attributes have the names that you gave them in A.2.3). `inputs` and `gradients_to_update` are
#   lists of equal length.
# - `backward(divergence)`: walks the list from its end, and leaves it as it is. `divergence` is a number or an array. The gradient of input $i$ is added
#   to `gradients_to_update[i]` if this is an array, and to the buffer's entry of the input if it is `None`.
# - `zero_grad()`: forgets all operations and clears the buffer. Gradients of parameters stay.
#
# **You are done when**
# - **record**: each call of `add_operation` makes the spots and appends one `Operation`, with what it was handed, the very arrays, those of integers, too; after `backward` the spots and the operations are still there, these in the same order;
# - **chains**: the gradients along a chain are right, for operations with one, two or three inputs, and for any divergence;
# - **fan-out**: what comes back to a value from several operations, or twice from one, adds up;
# - **parameters**: their gradients are added, in place, to the arrays in `gradients_to_update`, whatever is in there before, zeros too, and not to the buffer;
# - **no gradient**: an input whose gradient is `None` is left out, wherever it stands among the inputs, whether its place is `None` or an array, and also where it is the only one; the others are not;
# - **unused**: an operation whose output no later one uses does not get the divergence: `backward` leaves it out, or raises an error;
# - **zero_grad**: afterwards list and buffer are empty, a second pass is right, and gradients of parameters have stayed;
# - **long chains**: 1,500 operations in a row work (Python stops a function that calls itself more than about 1,000 times).

# %% exercise="A.2.4"
class Autograd:
    """Records operations, and computes gradients by walking the record in reverse."""
    ### BEGIN SOLUTION
    def __init__(self):
        self.operation_list = []
        self.gradient_buffer = GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        if len(inputs) != len(gradients_to_update):
            raise ValueError(f"{len(inputs)} inputs, but {len(gradients_to_update)} entries in gradients_to_update")
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()
    ### END SOLUTION

# %% [markdown] hints="A.2.4"
# 1. Which operation's gradient is known at the start? In which order must the others follow so that each output's gradient is complete?
# 2. `reversed(list)` walks from the end, `f(grad, *inputs)` hands over a list. `target += grad` changes an array in place, `target = target + grad` makes a new one that nobody else sees.
# 3. The table above is a case worked out. What is returned for one input is no tuple: make one of it, `(grad,)`, and the rest is the same for all operations.

# %% check="A.2.4" points=4
@probe
def program(leaves, lines, divergence):
    def add(g, a, b):
        return g, g
    def mul(g, a, b):
        return g * b, g * a
    def sin(g, a):
        return g * np.cos(a)
    with sound(page(), "GradientBuffer", "Operation"):
        engine, values = Autograd(), [np.array(leaf) for leaf in leaves]
        for name, *at in lines:
            inputs = [values[i] for i in at]
            if name == "sin":
                values.append(np.array(np.sin(inputs[0])))
                engine.add_operation(inputs, values[-1], [None], sin)
            else:
                values.append(np.array(inputs[0] + inputs[1] if name == "add" else inputs[0] * inputs[1]))
                engine.add_operation(inputs, values[-1], [None, None], add if name == "add" else mul)
        count = len(engine.operation_list)
        engine.backward(divergence)
        kept = [int(engine.gradient_buffer.is_in_memory(v)) for v in values[:-1]]
        return {"grads": [gradient_of(engine, v) for v in values[:-1]], "count": count, "kept": kept}

def program_by_torch(leaves, lines, divergence):
    values = [torch.tensor(leaf, dtype=torch.float64, requires_grad=True) for leaf in leaves]
    for name, *at in lines:
        a, b = values[at[0]], values[at[-1]]
        values.append(torch.sin(a) if name == "sin" else a + b if name == "add" else a * b)
    grads = torch.autograd.grad(values[-1], values[:-1], torch.tensor(np.asarray(divergence, dtype=float)).expand_as(values[-1]), allow_unused=True)
    return [np.zeros(v.shape) if g is None else g.numpy() for g, v in zip(grads, values)]

def follows(leaves, lines, divergence, what, of, mistakes=None, of_results=None):
    leaves = [np.asarray(leaf, dtype=float) for leaf in leaves]
    right, found = program_by_torch(leaves, lines, divergence), program(leaves, lines, divergence)
    assert_type(found, dict, f"{what}: recording it, and the walk", of=of)
    names = ["xyzw"[i] if i < len(leaves) else f"the result of operation {i - len(leaves) + 1}" for i in range(len(right))]
    assert_equal(found["count"], len(lines), f"{what}: the number of operations in the list", of="record", hint="Each call of add_operation appends one.")
    gone = [names[i] for i, kept in enumerate(found["kept"]) if not kept and any(i in at for _, *at in lines)]
    assert_true(not gone, f"{what}: after the walk each input still has its entry in the buffer; without one: {', '.join(gone[:3])}", of="record",
                hint="add_operation makes the spots, and the walk leaves them there; zero_grad() clears the buffer.")
    strayed = max((i for i, (yours, grad) in enumerate(zip(found["grads"], right)) if np.shape(yours) != grad.shape or not np.allclose(yours, grad, rtol=1e-9, atol=1e-9)), default=0)
    users = [f"operation {k} ({name})" for k, (name, *at) in enumerate(lines, 1) if strayed in at]
    hint = f"The walk comes from the end, and the first gradient on its way that is not right is that of {names[strayed]}, an input of {' and of '.join(users) if len(users) < 4 else f'{len(users)} operations'}." if users else ""
    for i, (yours, grad) in enumerate(zip(found["grads"], right)):
        if len(right) < 30 or i < len(leaves):
            assert_close(yours, grad, f"{what}: the gradient of {names[i]}", of=of, rtol=1e-9, atol=1e-9, mistakes=mistakes if i == 0 else of_results if i >= len(leaves) else None, hint=hint)

@probe
def layer(x, W, s, labels, c, dW, ds, divergence, times, at):
    def product(g, x, W_t):
        return g @ W_t.T, x.T @ g
    def exponential(g, s):
        return g * np.exp(s)
    def scaled(g, z, e):
        return g * e, (g * z).sum(axis=0)
    no_gradient = None
    def pick(g, *three):
        y, c = three[:at] + three[at + 1:]
        found = [g * three[at] * c, g * three[at] * y]
        return (*found[:at], no_gradient, *found[at:])
    with sound(page(), "GradientBuffer", "Operation"):
        engine, seen, turned = Autograd(), [], W.T
        for i in range(times):
            engine.zero_grad()
            z = x @ turned
            engine.add_operation([x, turned], z, [None, dW.T], product)
            e = np.exp(s)
            engine.add_operation([s], e, [ds], exponential)
            y = z * e
            engine.add_operation([z, e], y, [None, None], scaled)
            out = np.array((y * labels * c).sum())
            three = [y, c]
            three.insert(at, labels)
            engine.add_operation(three, out, [None, None, None], pick)
            engine.backward(divergence * (i + 1))
            seen.append([gradient_of(engine, array) for array in (x, c, labels, turned, s)])
        if times > 1:
            engine.zero_grad()
        return {"seen": seen, "dW": dW, "ds": ds, "sizes": [len(engine.operation_list), len(engine.gradient_buffer.memory)]}

@probe
def on_the_list(a, b, out, d):
    def times(g, a, b):
        return g * b, g * a
    with sound(page(), "GradientBuffer", "Operation"):
        Autograd().add_operation([a, b], out, [None, d], times)
        engine = Autograd()
        new = len(engine.operation_list)
        engine.add_operation([a, b], out, [None, d], times)
        before, entry, spot = len(engine.operation_list), engine.operation_list[-1], int(engine.gradient_buffer.is_in_memory(a))
        try:
            engine.backward(np.ones(out.shape))
        except ValueError as problem:
            if "ambiguous" in str(problem):
                return {"problem": str(problem)}
            raise
        output = [getattr(entry, name) for name in ("outputs", "output") if hasattr(entry, name)][:1]
        address = [[array.__array_interface__["data"][0] for array in arrays] for arrays in ((a, b), getattr(entry, "inputs", ()), [out], output)]
        return {"new": new, "spot": [spot, int(engine.gradient_buffer.is_in_memory(a))], "sizes": [before, len(engine.operation_list)], "kinds": [kind.__name__ for kind in type(entry).__mro__], "address": address,
                "inputs": [np.array(array) for array in getattr(entry, "inputs", [])], "targets": len(getattr(entry, "gradients_to_update", []))}

@probe
def just_recorded(a, b, out, d):
    """What one call of add_operation leaves, before any walk."""
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        engine.add_operation([a, b], out, [None, d], lambda g, a, b: (g * b, g * a))
        entry = engine.operation_list[-1] if len(engine.operation_list) else None
        function = [getattr(entry, name) for name in ("backward_function", "backward_operation") if hasattr(entry, name)][:1]
        inputs, output = getattr(entry, "inputs", None), [getattr(entry, name) for name in ("outputs", "output") if hasattr(entry, name)][:1]
        copied = [i for i, (yours, array) in enumerate(zip(inputs, (a, b)))
                  if isinstance(yours, np.ndarray) and not np.shares_memory(yours, array)] if isinstance(inputs, (list, tuple)) else []
        return {"copied": copied, "spots": len(getattr(engine.gradient_buffer, "memory", ())),
                "count": len(engine.operation_list), "operation": int(entry is not None and "Operation" in [kind.__name__ for kind in type(entry).__mro__]), "spot": int(engine.gradient_buffer.is_in_memory(a)), "function": [type(one).__name__ for one in function if not callable(one)],
                "inputs": len(inputs) if isinstance(inputs, (list, tuple)) else type(inputs).__name__, "output": [type(one).__name__ for one in output if not isinstance(one, np.ndarray)]}

@probe
def handed_over(a, b, out):
    calls = []
    def noting(*values):
        calls.append([type(value).__name__ for value in values])
        return 0 * a, 0 * b
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        engine.add_operation([a, b], out, [None, None], noting)
        try:
            engine.backward(np.ones(out.shape))
        except LookupError as problem:
            if not calls or isinstance(problem, IndexError):
                raise
            return f"{type(problem).__name__}: {problem}"
    return calls

@probe
def recorded_integers(a, b, out):
    with sound(page(), "GradientBuffer", "Operation"):
        engine, four = Autograd(), ([a, b], out, [None, None], lambda g, a, b: (g * b, g * a))
        engine.add_operation(*four)
        found = {"handed over": [a, b, out]}
        for made, how in ((engine.operation_list[-1], "recorded"), (page()["Operation"](*four), "by Operation alone")):
            found[how] = [*made.inputs, made.outputs if hasattr(made, "outputs") else made.output]
        addresses = {how: [array.__array_interface__["data"][0] for array in arrays] for how, arrays in found.items()}
        return addresses | {"spots": [int(engine.gradient_buffer.is_in_memory(array)) for array in (a, b)]}

@probe
def order_of_three(x):
    def times(g, a, b):
        return g * b, g * a
    with sound(page(), "GradientBuffer", "Operation"):
        engine, values, visited = Autograd(), [x], []
        def noting(k):
            def back(g, a, b):
                visited.append(k)
                return times(g, a, b)
            return back
        for k in (1, 2, 3):
            values.append(values[-1] * x)
            engine.add_operation([values[-2], x], values[-1], [None, None], noting(k))
        places = {value.__array_interface__["data"][0]: i for i, value in enumerate(values)}
        order = []
        for _ in range(2):
            outputs = [entry.outputs if hasattr(entry, "outputs") else getattr(entry, "output", x) for entry in engine.operation_list]
            order.append([places.get(output.__array_interface__["data"][0], 0) for output in outputs])
            if len(order) < 2:
                engine.backward(np.ones(x.shape))
        return [*order, list(dict.fromkeys(visited))]

@probe
def all_places(a, b, da, db, divergence):
    def times(g, a, b):
        return g * b, g * a
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        engine.add_operation([a, b], a * b, [da, db], times)
        engine.backward(divergence)
        return {"buffer": [gradient_of(engine, a), gradient_of(engine, b)], "da": da, "db": db}

@probe
def with_none_at(at, values, divergence):
    without = None
    def pick(g, *three):
        found = [(i + 2) * g * value for i, value in enumerate(three)]
        found[at:at + 1] = [without] * len(found[at:at + 1])        # at 3 there is none
        return tuple(found)
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        engine.add_operation(values, sum(values), [None, None, None], pick)
        before = all(engine.gradient_buffer.is_in_memory(value) for value in values)
        try:
            engine.backward(divergence)
        except TypeError as problem:
            if "NoneType" not in str(problem):
                raise
            return {"problem": str(problem)}
        return {"grads": [gradient_of(engine, value) for value in values], "before": int(before), "spots": [int(engine.gradient_buffer.is_in_memory(value)) for value in values]}

@probe
def none_for_a_place(a, w, c, dw, divergence):
    without = None
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        engine.add_operation([a, w, c], a * w * c, [None, dw, None], lambda g, a, w, c: (g * w * c, without, g * a * w))
        try:
            engine.backward(divergence)
        except TypeError as problem:
            return {"problem": str(problem)}
        return {"dw": dw, "grads": [gradient_of(engine, a), gradient_of(engine, c)]}

@probe
def with_a_single_none(x, labels, table, divergence):
    def walk(gradient):
        engine, u, rows = Autograd(), 2 * x, table[labels]
        engine.add_operation([x], u, [None], lambda g, x: 2 * g)
        engine.add_operation([labels], rows, [None], lambda g, labels: gradient)
        engine.add_operation([u, rows], u * rows, [None, None], lambda g, a, b: (g * b, g * a))
        engine.backward(divergence)
        return {"grads": [gradient_of(engine, x), gradient_of(engine, labels)]}
    with sound(page(), "GradientBuffer", "Operation"):
        try:
            return walk(None)
        except TypeError as problem:
            walk(0. * labels)                       # zeros in place of None: stops here, too, if None is not the reason
            return {"problem": str(problem)}

@probe
def beside_an_unused_one(x, divergence):
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        engine.add_operation([x], np.sin(x), [None], lambda g, a: g * np.cos(a))
        engine.add_operation([x, x], x * x, [None, None], lambda g, a, b: (g * b, g * a))
        try:
            engine.backward(divergence)
        except Exception:
            return "an error"
        return gradient_of(engine, x)

@probe
def before_an_unused_one(x, divergence):
    with sound(page(), "GradientBuffer", "Operation"):
        engine, u = Autograd(), x * x
        engine.add_operation([x, x], u, [None, None], lambda g, a, b: (g * b, g * a))
        engine.add_operation([u], np.sin(u), [None], lambda g, a: g * np.cos(a))
        engine.add_operation([u], 3 * u, [None], lambda g, a: 3 * g)
        try:
            engine.backward(divergence)
        except Exception:
            return "an error"
        return gradient_of(engine, x)

def list_agrees(a, b):
    what = f"one operation with inputs of shapes {a.shape} and {b.shape}"
    found = on_the_list(a, b, a * b, np.zeros(b.shape))
    assert_type(found, dict, f"{what}: recording it, and the walk", of="record")
    assert_true("problem" not in found, f"{what}: the walk works", of="chains",
                hint=f"It says: {found.get('problem', '').split('.')[0]}. Whether there is an array or None is asked by `is None`: an array has no single truth value.")
    assert_equal(found["new"], 0, f"{what}: the length of a new engine's list, after another engine recorded this operation", of="record", hint="Each engine has a list of its own, made in __init__.")
    assert_equal(found["sizes"], [1, 1], f"{what}: the length of the list before and after backward()", of="record", mistakes={"The walk took the operation off the list: zero_grad() does that.": [1, 0]})
    assert_true("Operation" in found["kinds"], f"{what}: the entry of the list is an Operation, here: {found['kinds'][0]}", of="record", hint="add_operation makes an Operation from the four things that it gets, and appends this.")
    assert_close(found["inputs"], [a, b], f"{what}: the inputs of the entry", of="record", hint="The list of inputs is the first thing that Operation gets.", mistakes={
        "The inputs are there in the opposite order.": [b, a]})
    assert_true(found["address"][0] == found["address"][1], f"{what}: the inputs of the entry are the very arrays that add_operation got", of="record", hint="A copy has another address, and so another entry in the buffer.")
    assert_true(found["address"][2] == found["address"][3], f"{what}: the output of the entry is the very array that add_operation got", of="record", hint="A copy has another address, and so another entry in the buffer.")
    assert_equal(found["targets"], 2, f"{what}: the length of the entry's gradients_to_update", of="record", hint="It has a place for each input, None among them: the third thing that Operation gets, the whole list.")
    assert_equal(found["spot"][0], 1, f"{what}: is_in_memory of the buffer for the first input, whose place is None, after add_operation (1: True)", of="record", hint="add_operation makes the spot, before any walk.")
    assert_equal(found["spot"][1], 1, f"{what}: is_in_memory of the buffer for the first input after backward() (1: True)", of="record", hint="The walk leaves the entries in the buffer; zero_grad() clears it.")

def entry_agrees(a, b):
    found, what = just_recorded(a, b, a * b, np.zeros(b.shape)), f"one operation with inputs of shapes {a.shape} and {b.shape}, before any walk"
    assert_equal(found["count"], 1, f"{what}: the number of operations in the list", of="record", hint="Each call of add_operation appends one.")
    if found["operation"]:
        four = " An Operation is made of inputs, output, gradients_to_update and backward_operation, in this order."
        assert_equal(found["inputs"], 2, f"{what}: the number of inputs that the entry holds", of="record", hint="The list of inputs is the first thing that Operation gets." + four)
        assert_true(not found["copied"], f"{what}: the inputs of the entry are the very arrays that add_operation got", of="record",
                    hint="A copy has another address, and so no entry in the buffer.")
        assert_true(not found["output"], f"{what}: the entry's output is an array, here: {' '.join(found['output'])}", of="record", hint="The output is the second thing that Operation gets." + four)
        assert_true(not found["function"], f"{what}: the entry's backward function can be called, here it is: {' '.join(found['function'])}", of="record", hint="It is the fourth thing that Operation gets." + four)
    assert_equal(found["spot"], 1, f"{what}: is_in_memory of the buffer for the first input, whose place is None (1: True)", of="record", hint=
                 "There are spots in the buffer, but none for this very array: a copy has another address." if found["spots"] else
                 "add_operation makes the spot of each input, before any walk: `self.gradient_buffer.add_spot(...)`.")

def call_agrees(a, b):
    calls = handed_over(a, b, a * b)
    what = f"one operation with inputs of shapes {a.shape} and {b.shape}, a walk"
    assert_true(not isinstance(calls, str), f"{what}: no error is raised; it raised {calls if isinstance(calls, str) else 'none'}", of="chains",
                hint="It was raised after the call of the backward function. If it is the buffer that has no entry for an input: add_operation made one, so is the buffer a new one by then, or the array a copy?")
    assert_equal(len(calls), 1, f"{what}: how often its backward function is called", of="chains", hint=
                 "The walk ends with the first operation of the list, whose index is 0, and here the list has no other; `range(n - 1, 0, -1)` leaves it out." if not calls else
                 "The walk calls the backward function of each operation once.")
    assert_equal(len(calls[0]), 3, f"{what}: how many arguments its backward function gets", of="chains", hint=
                 "It gets grad_output and then the inputs one by one, not the list of them: the star in `f(g, *inputs)` hands them over so." if calls[0][1:] in (["list"], ["tuple"]) else
                 "It gets grad_output and the two inputs.")

def integers_agree(a, b):
    what = f"one operation with inputs and output of integers, of shape {a.shape}"
    found = recorded_integers(a, b, a * b)
    assert_type(found, dict, f"{what}: recording it", of="record")
    right, yours, alone = found["handed over"], found["recorded"], found["by Operation alone"]
    for name, part in (("inputs", slice(2)), ("output", slice(2, None))):     # what Operation alone does is a matter of A.2.3
        assert_true(yours[part] == right[part] or alone[part] != right[part], f"{what}: what the entry holds as {name} is what add_operation got, no copy", of="record",
                    hint="What add_operation gets is recorded as it is: integers made float are a copy, at another address.")
    assert_equal(found["spots"], [1, 1], f"{what}: is_in_memory of the buffer for the two inputs, after add_operation (1: True)", of="record", hint="add_operation makes the spots for the very arrays that it gets.")

def order_agrees(x):
    before, after, visited = order_of_three(x)
    assert_equal(before, [1, 2, 3], f"three operations, x of shape {x.shape}: which is first, second and third in the list", of="record", mistakes={
        "The newest operation stands first: append puts it at the end.": [3, 2, 1]})
    assert_equal(after, [1, 2, 3], f"three operations, x of shape {x.shape}: which is first, second and third in the list after backward()", of="record", mistakes={
        "The walk turned the list round: reversed(list) walks from the end and leaves it as it is.": [3, 2, 1], "The walk took the operations off the list: zero_grad() does that.": []})
    assert_equal(visited, [3, 2, 1], f"three operations in a chain, x of shape {x.shape}: whose backward functions backward() calls, in their order", of="chains", hint=
                 "No backward function was called." if not visited else f"The walk begins with the last operation; here it begins with {('the first', 'the second')[visited[0] - 1]}." if visited[0] != 3 else
                 "It goes on from the last operation to the one before, and so on to the first.")

def one_sine(x, divergence):
    slope = np.cos(x)
    follows([x], [["sin", 0]], divergence, f"one operation, sin(x), x of shape {np.shape(x)}", "chains", {
        "The divergence does not enter.": slope, "The divergence is handed on as it is; here its mean was.": np.mean(divergence) * slope, "The divergence is handed on as it is; here its entries were added up.": np.sum(divergence) * slope,
        "The gradient of a single input comes back as an array, no tuple: its first entry alone was taken.": np.ones(np.shape(x)) * (divergence * slope)[0],
        "Nothing came back to x.": 0 * slope})

def one_product(x, y, divergence):
    follows([x, y], [["mul", 0, 1]], divergence, f"one operation, x times y, of shape {np.shape(x)}", "chains", {
        "The gradients of several inputs come back in a tuple: take them apart, one for each input.": np.stack([divergence * y, divergence * x]),
        "x got the gradient of y.": divergence * x, "x got what came back for y, too: each input gets its own.": divergence * (x + y), "The divergence does not enter.": y, "Nothing came back to x.": 0 * y})

def sine_of_a_sine(x, divergence):
    u = np.sin(x)
    follows([x], [["sin", 0], ["sin", 1]], divergence, "u = sin(x), then sin(u)", "chains", {
        "The divergence is for the last operation of the list alone; the sine of x gets what the buffer holds for u.": divergence * np.cos(x),
        "The divergence enters twice: the sine of x gets what the buffer holds for u, as it is.": divergence ** 2 * np.cos(u) * np.cos(x),
        "Nothing came back to x: its sine gets as grad_output what the buffer holds for u, its output, which is not zero by then.": 0 * x, "Only the sine of x was visited, with a gradient of ones.": np.cos(x),
        "This is the gradient of u: the walk goes on to the operation before.": divergence * np.cos(u)})

def zero_on_the_way(x, divergence):
    zero = np.zeros(x.shape)
    follows([x, zero], [["mul", 0, 0], ["mul", 2, 1]], divergence, "u = x x, then u times 0, so that the gradient of u is zero", "chains", {
        "A gradient of zeros is a gradient, too: x x got the divergence in its place.": 2 * x * divergence, "A gradient of zeros is a gradient, too: x x got ones in its place.": 2 * x})

def places_agree(a, b, divergence):
    da, db = np.full(a.shape, 0.5), np.full(b.shape, -2.)
    what = "one operation, a times b, with an array in gradients_to_update for each"
    found = all_places(a, b, da.copy(), db.copy(), divergence)
    assert_type(found, dict, f"{what}: recording it, and the walk", of="parameters")
    for name, entry, right in zip("ab", found["buffer"], (divergence * b, divergence * a)):
        assert_close(entry, 0 * a, f"{what}: the buffer's entry of {name}", of="parameters", rtol=0, atol=0, mistakes={
            "What comes back for an input with an array in gradients_to_update goes into that array, and not to the buffer.": right})
    for name, start, right, other, factor in (("da", da, divergence * b, divergence * a, b), ("db", db, divergence * a, divergence * b, a)):
        assert_close(found[name], start + right, f"{what}: {name}, which was not zero before", of="parameters", rtol=1e-9, atol=1e-9, mistakes={
            "Nothing arrived in it: add to this very array, in place, not to a copy or to a new one.": start,
            "Gradients are added to what is there, they do not replace it.": right, "It is added twice.": start + 2 * right,
            "It is taken off, not added.": start - right, "The gradients of the two inputs are exchanged.": start + other, "The divergence does not enter.": start + factor})

def none_agrees(at, values, divergence):
    place = ("first", "second", "third", "none")
    found = with_none_at(at, values, divergence)
    of = "chains" if at == 3 else "no gradient"
    assert_type(found, dict, f"one operation with three inputs, None for {'none' if at == 3 else 'the ' + place[at]}: recording it, and the walk", of=of)
    assert_true("problem" not in found, f"one operation with three inputs, None for {'none' if at == 3 else 'the ' + place[at]}: the walk works", of=of,
                hint=f"It says: {found.get('problem')}. A gradient of None is left out before anything is added.")
    assert_equal(found["spots"], [1, 1, 1], "one operation, which of three inputs have an entry in the buffer after the walk (1: has one)", of=of,
                 hint="The walk leaves the entries in the buffer; zero_grad() clears it." if found["before"] else
                 "add_operation makes a spot for each input whose place is None, for the very array.")
    right = [(k + 2) * divergence * value for k, value in enumerate(values)]
    for i, yours in enumerate(found["grads"]):
        what = f"one operation with three inputs, None for the {place[at]}: the buffer's entry of the {place[i]}"
        if at == 3:
            assert_close(yours, right[i], f"one operation, the gradient of the {place[i]} of three inputs", of="chains", rtol=1e-9, atol=1e-9, mistakes={
                "Nothing came back to it: an operation has any number of inputs.": 0 * values[i],
                "It got what came back for all three: each input gets its own.": sum(right)})
        elif i == at:
            assert_close(yours, 0 * values[i], what, of="no gradient", rtol=0, atol=0, hint="An input for which None comes back gets nothing.",
                         mistakes={f"It got the gradient of the {place[k]} input: None keeps its place.": right[k] for k in range(3) if k != at})
        else:
            assert_close(yours, right[i], what, of="no gradient", rtol=1e-9, atol=1e-9, mistakes={
                "Nothing came back to it: an input with None is left out alone, the others are not.": 0 * values[i]}
                | {f"It got the gradient of the {place[k]} input: None keeps its place.": right[k] for k in range(3) if k not in (i, at)})

def place_of_none_agrees(a, w, c, dw, divergence):
    what = f"a times w times c of shape {a.shape}, the array dw in gradients_to_update for w, and None comes back for w"
    found = none_for_a_place(a, w, c, dw.copy(), divergence)
    assert_type(found, dict, f"{what}: recording it, and the walk", of="no gradient")
    assert_true("problem" not in found, f"{what}: the walk works", of="no gradient",
                hint=f"It says: {found.get('problem')}. None is left out before anything is added, to an array in gradients_to_update, too.")
    assert_close(found["dw"], dw, f"{what}: dw afterwards", of="no gradient", rtol=0, atol=0, hint="An input for which None comes back gets nothing.")
    for name, yours, right in zip("ac", found["grads"], (divergence * w * c, divergence * a * w)):
        assert_close(yours, right, f"{what}: the gradient of {name}", of="no gradient", rtol=1e-9, atol=1e-9, mistakes={
            "Nothing came back to it: an input with None is left out alone, the others are not.": 0 * right})

def lone_none_agrees(x, labels, table, divergence):
    what = f"u = 2 x, then rows that labels pick from a table, an operation with one input and None for it, then u times rows, x of shape {x.shape}"
    found = with_a_single_none(x, labels, table, divergence)
    assert_type(found, dict, f"{what}: recording it, and the walk", of="no gradient")
    assert_true("problem" not in found, f"{what}: the walk works", of="no gradient",
                hint="Here None itself comes back, in no tuple: it is the gradient of the only input, and is left out before anything is added."
                f" Python says: {found.get('problem')}.")
    right = 2 * divergence * table[labels]
    assert_close(found["grads"][0], right, f"{what}: the gradient of x", of="no gradient", rtol=1e-9, atol=1e-9, mistakes={
        "The walk ended where None came back: that operation has nothing to hand on, and the walk goes on.": 0 * right})
    assert_close(np.asarray(found["grads"][1], dtype=float), np.zeros(labels.shape), f"{what}: the buffer's entry of labels", of="no gradient", rtol=0, atol=0, hint="An input for which None comes back gets nothing.")

def unused_agrees(x, divergence):
    found, wanted = beside_an_unused_one(x, divergence), 2 * x * divergence
    assert_close(wanted if isinstance(found, str) else found, wanted, f"sin(x), which nothing uses, then x times x, x of shape {x.shape}: the gradient of x", of="unused", rtol=1e-9, atol=1e-9,
                 mistakes={"The sine got the divergence, too.": wanted + np.cos(x) * divergence, "The sine got ones: where the buffer has nothing for an operation's output, the operation is left out.": wanted + np.cos(x)})
    found, wanted = before_an_unused_one(x, divergence), 6 * x * divergence
    assert_close(wanted if isinstance(found, str) else found, wanted, f"u = x times x, then sin(u), which nothing uses, then 3 u, x of shape {x.shape}: the gradient of x", of="unused", rtol=1e-9, atol=1e-9,
                 mistakes={"The walk ended at the operation that nothing uses: it is left out alone, and the walk goes on.": 0 * x})

@probe
def after_zero_grad(a, da):
    with sound(page(), "GradientBuffer", "Operation"):
        engine = Autograd()
        b = 2 * a
        engine.add_operation([a], b, [None], lambda g, a: 2 * g)
        engine.add_operation([b, a], b * a, [None, da], lambda g, b, a: (g * a, g * b))
        engine.backward(np.ones(a.shape))
        walked = np.array(da)
        engine.zero_grad()
        return {"sizes": [len(engine.operation_list), len(engine.gradient_buffer.memory)], "change": da - walked}

def zero_grad_agrees(a, da):
    what = f"two operations with an input of shape {a.shape}, a walk, zero_grad()"
    found = after_zero_grad(a, da)
    assert_equal(found["sizes"][0], 0, f"{what}: the operations in the list", of="zero_grad", hint="zero_grad() forgets all of them.")
    assert_equal(found["sizes"][1], 0, f"{what}: the entries of the buffer", of="zero_grad", hint="The buffer's clear() takes them out.")
    assert_close(found["change"], 0 * a, f"{what}: by how much zero_grad() changed the gradient of a parameter", of="zero_grad", rtol=0, atol=0, hint="What is in the arrays of gradients_to_update stays.")

def layer_agrees(n, k, m, times, divergence, seed, before="which was not zero before", at=2):
    draw = np.random.default_rng(seed)
    x, W, s, labels, dW, ds, c = (draw.normal(size=shape) for shape in ((n, k), (m, k), (m,), (n, m), (m, k), (m,), (n, m)))
    if before == "zeros before":
        dW, ds = np.zeros((m, k)), np.zeros(m)
    leaves = [torch.tensor(t, requires_grad=True) for t in (x, W, s, c)]
    g_x, g_W, g_s, g_c = (g.numpy() for g in torch.autograd.grad(((leaves[0] @ leaves[1].T) * leaves[2].exp() * torch.tensor(labels) * leaves[3]).sum(), leaves))
    what = f"a layer with the parameters W and s, {n} examples" + (f", {times} passes" if times > 1 else "")
    found = layer(x, W, s, labels, c, dW.copy(), ds.copy(), divergence, times, at)
    scale, no_tuple = divergence * times * (times + 1) / 2, "A backward function of a single input returns its gradient itself, no tuple."
    assert_type(found, dict, f"{what}: recording it, and the walk", of="zero_grad" if times > 1 else "no gradient")
    if times > 1:
        assert_equal(found["sizes"], [0, 0], f"{what}: the operations in the list and the entries of the buffer after zero_grad()", of="zero_grad",
                     hint="zero_grad() empties the list, and the buffer by its clear().")
    x_bar, c_bar, labels_bar, turned_bar, s_bar = found["seen"][-1]
    assert_close(x_bar, times * divergence * g_x, f"{what}: the gradient of the layer's input", of="zero_grad" if times > 1 else "no gradient", rtol=1e-9, atol=1e-9,
                 mistakes={"Nothing came back to it.": 0 * g_x} | ({"Something of the pass before is still in the buffer or the list.": scale * g_x} if times > 1 else {}))
    if times == 1:
        place = ("first", "second", "third")
        assert_close(c_bar, divergence * g_c, f"{what}: the gradient of the {place[1 if at == 2 else 2]} of three inputs", of="chains", rtol=1e-9, atol=1e-9, mistakes={
            "Nothing came back to it: of the three inputs the labels alone are left out.": 0 * c})
        assert_close(labels_bar, np.zeros((n, m)), f"{what}: the buffer's entry of the labels, for which None came back, {place[at]} of three gradients", of="no gradient", rtol=0, atol=0, hint="An input for which None comes back gets nothing.")
    for name, start, grad in (("dW", dW, g_W), ("ds", ds, g_s)):
        assert_close(found[name], start + scale * grad, f"{what}: {name}, {before}", of="zero_grad" if times > 1 else "parameters", rtol=1e-9, atol=1e-9, mistakes={
            ("An array of zeros is an array, too, and the gradient goes into it: ask `is None`." if before == "zeros before" else
             "Nothing arrived in this array: each input has its own place in gradients_to_update, None or an array, to which the engine adds in place."): start,
            "Gradients are added to what is there, they do not replace it.": scale * grad, "It is taken off, not added.": start - scale * grad}
            | ({"The gradient of the last pass has replaced what was there: gradients are added.": divergence * times * grad} if times > 1 else {})
            | ({"It is zero: zero_grad() leaves the gradients of parameters as they are.": 0 * start} if times > 1 else {})
            | ({no_tuple: start + scale * grad[0]} if name == "ds" else {}))
    if times == 1:
        assert_close([turned_bar, s_bar], [np.zeros((k, m)), np.zeros(m)], f"{what}: the buffer's entries of W.T and s, whose gradients go to dW.T and ds", of="parameters", rtol=0, atol=0,
                     hint="What comes back for an input with an array in gradients_to_update goes into that array, and not to the buffer.")

def chain_agrees(x, y, divergence, what):
    lines = [["mul", 0, 1], ["sin", 2], ["sin", 3]]
    first = np.ones(np.shape(x)) * (divergence * np.cos(np.sin(x * y)))[0]      # what zip makes of an array that is no tuple
    follows([x, y], lines, divergence, what, "chains", {
        "A backward function of a single input returns its gradient itself, no tuple.": np.ones(np.shape(x)) * (first * np.cos(x * y))[0] * y,
        "The last operation gets the divergence, whatever it is.": program_by_torch([x, y], lines, np.ones(np.shape(x)))[0]})

diamond = [["add", 0, 0], ["mul", 1, 1], ["add", 1, 2]]
long_one = [["mul", 0, 1]] + [["add", i + 2, 1] for i in range(1499)]
@probe
def methods_of_autograd():
    return sorted(method for kind in Autograd.__mro__[:-1] for method in vars(kind))

assert_true("add_operation" in methods_of_autograd(), "Autograd has the method add_operation", of="chains", hint="Is the class written?")
with part(1, "the record, chains and fan-out"):
    entry_agrees(np.array([1., 2.]), np.array([3., -4.]))
    call_agrees(np.array([1., 2.]), np.array([3., -4.]))
    list_agrees(np.array([1., 2.]), np.array([3., -4.]))
    integers_agree(np.array([1, 2]), np.array([3, -4]))
    order_agrees(np.array([2., 0.5]))
    one_sine(np.array([0.5, -1.]), np.array([3., -5.]))
    one_product(np.array([0.5, -1.]), np.array([2., 3.]), np.array([3., -5.]))
    sine_of_a_sine(np.array([0.5, -1.]), np.array([3., -5.]))
    follows([[5.]], [["add", 0, 0]], np.array([3.]), "b = x + x", "fan-out", {"Here an operation has an input twice: what comes back for its first place and for its second adds up.": np.array([3.])})
    follows([[5.]], [["add", 0, 0], ["add", 1, 1]], np.array([1.]), "b = x + x, c = b + b", "fan-out", {
        "Contributions add up.": np.array([1.]),
        "Half of what comes back is missing: each operation gets all that the buffer holds for its output, and each use of an input counts.": np.array([2.])}, {
        "The buffer's entry of b is an array that the walk uses elsewhere, too, and adds to in place: an entry is an array of its own.": np.array([4.])})
    follows([[0.5, -1.]], [["sin", 0], ["mul", 0, 1]], np.array([3., -5.]), "s = sin(x), then x times s", "fan-out", {
        "x is used by two operations: what comes back from the sine adds up with what came from the product; here it has taken its place.": np.array([3., -5.]) * np.array([0.5, -1.]) * np.cos([0.5, -1.]),
        "x is used by two operations: what comes back from the product is here, and what comes from the sine is missing.": np.array([3., -5.]) * np.sin([0.5, -1.])})
    follows([[0.5, -1.], [2., 4.]], [["add", 1, 0], ["mul", 2, 0]], np.array([3., -5.]), "u = y + x, then u times x", "fan-out", {
        "x is used by two operations: what comes back from the sum adds up with what came from the product; here it has taken its place.": np.array([3., -5.]) * np.array([0.5, -1.]),
        "x is used by two operations: what comes back from the product is here, and what comes from the sum is missing.": np.array([3., -5.]) * np.array([2.5, 3.])})
    zero_on_the_way(np.array([0.5, -1.]), np.array([3., -2.]))
    chain_agrees(np.array([0.5, -1.]), np.array([2., 3.]), np.array([1., -2.]), "a product and two sines")
    follows([[1., 2.]], diamond, np.array([0., 3.]), "b = x + x, c = b b, d = b + c, a divergence with a zero", "fan-out")
    follows([0.5, 2.], [["mul", 0, 1], ["sin", 2]], 3., "sin(x y), arrays of shape (), for which the backward functions return numbers, not arrays", "chains")
with part(1, "parameters, and inputs without a gradient"):
    places_agree(np.array([1., 2.]), np.array([3., -4.]), np.array([3., -2.]))
    for place in (3, 2, 1, 0):
        none_agrees(place, [np.array([1., -2.]), np.array([3., 4.]), np.array([-5., 6.])], np.array([2., -1.]))
    lone_none_agrees(np.array([0.5, -1., 3.]), np.array([1, 0, 1]), np.array([4., -2.]), np.array([1., 3., -2.]))
    place_of_none_agrees(np.array([1., -2.]), np.array([3., 4.]), np.array([-5., 6.]), np.array([0.5, 7.]), np.array([2., -1.]))
    layer_agrees(5, 3, 2, 1, 1.5, 1)
    layer_agrees(3, 2, 4, 1, 1.0, 6, "zeros before", at=0)
    unused_agrees(np.array([0.5, 2.]), 3.)
with part(1, "zero_grad, and long chains"):
    zero_grad_agrees(np.array([1., 2.]), np.array([5., -1.]))
    layer_agrees(4, 2, 3, 2, -0.5, 2)
    follows([[0.1, -0.2], [0.05, 0.07]], long_one, np.array([1., 2.]), "1,500 operations in a row", "long chains")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(924)

def random_program(length):
    """Three leaves; each line uses the value before it, so that all of them count, and any earlier one."""
    lines = [["mul", 0, 1], ["add", 3, 2]]
    for last in range(4, 4 + length):
        name = ["add", "mul", "sin"][rng.integers(3)]
        at = [last] if name == "sin" else [last, int(rng.integers(0, last + 1))]
        lines.append([name, *at[::int(rng.choice([1, -1]))]])
    return lines

with part(1, "other programs"):
    chain_agrees(rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), "other numbers: a product and two sines")
    follows([0.3, -1.2], [["add", 0, 1], ["sin", 2], ["mul", 3, 1]], -1.5, "arrays of shape (), for which the backward functions return numbers, not arrays", "chains")
    follows([rng.normal(size=4), rng.normal(size=4)], [["mul", 0, 0], ["mul", 2, 1], ["add", 3, 0], ["mul", 4, 4]], rng.normal(size=4), "squares and a value used three times", "fan-out")
    follows([[1., 2., -0.5]], diamond, np.array([2., 0., -3.]), "three numbers: b = x + x, c = b b, d = b + c, a divergence with a zero", "fan-out")
    follows([[1., 2.]], diamond, -3., "b = x + x, c = b b, d = b + c, the divergence a number", "fan-out")
    follows([rng.normal(size=3)], [["mul", 0, 0], ["sin", 1], ["add", 1, 2], ["mul", 3, 2], ["add", 4, 1]], rng.normal(size=3), "nested diamonds", "fan-out")
    for k in range(5):
        follows([rng.normal(size=(2, 3)) / 2 for _ in range(3)], random_program(8), rng.normal(size=(2, 3)), f"random program {k}", "fan-out")
    layer_agrees(3, 4, 2, 1, -2., 925, at=1)
    layer_agrees(2, 4, 3, 1, -0.5, 7, "zeros before", at=0)
    layer_agrees(6, 2, 3, 3, 0.7, 926, at=1)
    entry_agrees(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    call_agrees(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    list_agrees(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    integers_agree(rng.integers(1, 9, (3, 1)), rng.integers(1, 9, (3, 1)))
    order_agrees(rng.normal(size=(2, 3)))
    zero_on_the_way(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    places_agree(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    none_agrees(1, list(rng.normal(size=(3, 2, 2))), rng.normal(size=(2, 2)))
    lone_none_agrees(rng.normal(size=4), np.array([2, 0, 1, 2]), rng.normal(size=3), rng.normal(size=4))
    place_of_none_agrees(*rng.normal(size=(5, 2, 3)))
    unused_agrees(rng.normal(size=(3, 1)), rng.normal(size=(3, 1)))
    zero_grad_agrees(np.ones((2, 3)), rng.normal(size=(2, 3)))
    follows([rng.normal(size=2) / 9, rng.normal(size=2) / 9], long_one, rng.normal(size=2), "other numbers: 1,500 operations in a row", "long chains")
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Operations that are written down when they run stand in a topological order; the list is the graph.
# - The walk begins with the divergence, and each operation asks the buffer for the gradient of its output, which is complete by then.
# - Keys are addresses, and an address is not an array: views share one, and freed ones are used again. Copies, references and arrays handed over are the remedies.
# - Gradients of parameters go into arrays of their own, in place; those of intermediate values live until `zero_grad()`.
# - What an operation does on the way back is a function. A.3 writes these functions, and finds out how to test them.
