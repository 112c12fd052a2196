# %% [markdown]
# # 0 How this book works
#
# This page takes ten minutes. After it you can run a cell, write an answer, read what a check says, unfold a
# hint, start over, and hand in.
#
# ## Cells
#
# A notebook is a list of cells. Click the next cell, the one with code, and press **Shift+Enter**: it runs,
# its result stands below it, and the next cell is selected. Go on so from top to bottom. `[*]` beside a cell
# means that it is still running.

# %% tags=["setup"]
from d2l_utils.check import *
import torch

# %% teaches="an operation on all entries"
temperatures = torch.tensor([0., 100., -40.])
temperatures + 5

# %% [markdown]
# Change `+ 5` to `* 2` and run the cell again. Such cells are there to play with.
#
# Only two kinds of cells are open to you: cells with worked code, like the one above, and the answer cells,
# whose first line says `# Answer ...: this cell is yours.` All others are locked: typing there does nothing.
#
# ## Exercises
#
# An exercise has a task, an answer cell, hints, and a check. **Run the answer cell first, then the check.**
# Ctrl+Shift+Enter, or the button **Check** above the notebook, runs both. The check is yours to run as often as
# you like; nothing is counted.
#
# A task ends with a list, **You are done when**. The check goes through it and says of each point whether it
# held or failed; it stops at the first that fails, and what comes after is *not reached*. The message of a
# point that failed looks like this one, for a function with a mistake:

# %% tags=["demo"]
def area(width, height):
    return width + height


try:
    assert_equal(area(2, 5), 10, "a rectangle 2 wide and 5 high")
except CheckFailed as message:
    print(message)

# %% [markdown] teaches="reading a check"
# Read such a message in three steps: **what was looked at** (a rectangle 2 wide and 5 high), **what came and
# what was expected** (7, not 10), and where it can be said, **what may be wrong**. Then look at your code
# with that input in mind: 7 is 2 + 5.
#
# Where your code stops with an error of Python's own, a *traceback* stands there, the list of calls that led
# to it. Read its last line first: it says what went wrong.
#
# Now it is your turn. For this first exercise, make a mistake on purpose:
#
# 1. Run the check before you have written anything, and read what it says.
# 2. Put `return celsius * 9 / 5` in place of the `...`. Run the answer cell, run the check, read.
# 3. Unfold a hint: click the triangle.
# 4. Mend the answer, run both cells again.

# %% [markdown] task="0.1" kind="code" minutes=3 difficulty=1 core=true needs="reading a check, an operation on all entries"
# ### Celsius to Fahrenheit
#
# Write `to_fahrenheit(celsius)`. It takes a tensor of temperatures in degrees Celsius and returns a tensor of
# the same temperatures in degrees Fahrenheit: nine fifths of the number, plus 32.
#
# **You are done when**
# - **shape**: there are as many temperatures as before, in the same shape, whatever that is;
# - **values**: each is nine fifths of the number, plus 32;
# - **kept**: the tensor `celsius` itself is as it was.

# %% exercise="0.1"
def to_fahrenheit(celsius):
    """Degrees Celsius to degrees Fahrenheit, a tensor of any shape to one of the same shape."""
    ### BEGIN SOLUTION
    return celsius * 9 / 5 + 32
    ### END SOLUTION

# %% [markdown] hints="0.1"
# 1. What is 0 degrees Celsius in Fahrenheit, by the rule in the task, and what does your function return for
#    it?
# 2. Operators work on all entries of a tensor at once: `celsius * 2` doubles every entry.
# 3. Another rule of the same form: kilometres to the fare of a taxi, 3 plus 2 for each, is `kilometres * 2 +
#    3`.

# %% check="0.1" points=1
@probe
def temperatures_after_the_call(celsius):
    to_fahrenheit(celsius)
    return celsius

def kept(celsius):
    assert_close(temperatures_after_the_call(celsius.clone()), celsius, "the temperatures after the call", of="kept",
                 hint="An operation such as `celsius * 2` makes a new tensor; `celsius *= 2` changes the one that was given.")

assert_shape(to_fahrenheit(torch.tensor([0., 100., -40.])), (3,), "three temperatures in, three out", of="shape")
assert_close(to_fahrenheit(torch.tensor([0., 100., -40.])), torch.tensor([32., 212., -40.]), "0, 100 and -40 degrees",
             of="values", mistakes={"The 32 is missing.": torch.tensor([0., 180., -72.]),
                                    "First multiply by nine fifths, then add 32.": torch.tensor([57.6, 237.6, -14.4]),
                                    "This is the way from Fahrenheit to Celsius.":
                                        torch.tensor([-17.777778, 37.777778, -40.]),
                                    "Nothing is multiplied by nine fifths here (`9 // 5` is 1: divide with `/`).":
                                        torch.tensor([32., 132., -8.]),
                                    "The factor is nine fifths, not five ninths.": torch.tensor([32., 87.555556, 9.777778]),
                                    "The factor is nine fifths, 1.8, and not 2.": torch.tensor([32., 232., -48.]),
                                    "This is a rule of thumb, twice the number plus 30: the task has another rule.":
                                        torch.tensor([30., 230., -50.]),
                                    "The factor is nine fifths, 1.8, and not nine fourths.": torch.tensor([32., 257., -58.]),
                                    "The 32 was divided by 5, too: it is added after that.": torch.tensor([6.4, 186.4, -65.6]),
                                    "The 32 is added, not taken off.": torch.tensor([-32., 148., -104.]),
                                    "Here -40 counts as 0: the rule is the same below 0.": torch.tensor([32., 212., 32.]),
                                    "Here -40 counts as 40: its sign is lost.": torch.tensor([32., 212., 104.])},
             hint="0 degrees Celsius become 32, and each degree Celsius more adds 1.8.")
assert_shape(to_fahrenheit(torch.tensor([[10.], [20.]])), (2, 1), "the shape for temperatures of shape (2, 1)", of="shape",
             mistakes={"The two temperatures have lost their shape: they stand in a single row.": (2,)},
             hint="Use the argument, all of it.")
assert_close(to_fahrenheit(torch.tensor([[10.], [20.]])), torch.tensor([[50.], [68.]]), "10 and 20 degrees", of="values",
             hint="The rule is the same for all temperatures.")
kept(torch.tensor([0., 100., -40.]))
### BEGIN HIDDEN TESTS
week = torch.tensor([[18.5, -3., 7.], [21., 0.25, 30.]])
assert_shape(to_fahrenheit(week.clone()), (2, 3), "the shape for temperatures of shape (2, 3)", of="shape")
assert_close(to_fahrenheit(week.clone()), 1.8 * week + 32, "temperatures of shape (2, 3)", of="values",
             hint="The rule holds for every number, below 0 too and between whole ones; nothing is rounded or cut off.")
assert_close(to_fahrenheit(torch.tensor(-7.5)), torch.tensor(18.5), "a single temperature, of shape ()", of="values")
kept(week)
kept(week.double())
### END HIDDEN TESTS

# %% [markdown]
# A passed check says **hidden tests run at grading**. They have other inputs, so that an answer has to be
# right, not only right for the inputs that you see. They are also why a check may say less than you would
# like: in the next exercise it says something of your number that must hold, and not the number.
#
# An answer that is a value goes under the name that the task gives. Replace the `...` by an assignment.

# %% [markdown] task="0.2" kind="answer" minutes=2 difficulty=1 core=true needs="reading a check"
# ### How many numbers to learn
#
# A layer of a neural network with 784 inputs and 256 outputs learns one weight for each pair of an input and
# an output, and one bias for each output. How many numbers is that? Set `parameters` to the answer, for
# example `parameters = 12`; an expression such as `3 * 4` is fine too.
#
# **You are done when**
# - **whole number**: `parameters` is one;
# - **count**: it counts every weight and every bias, each once.

# %% exercise="0.2"
### BEGIN SOLUTION
parameters = 784 * 256 + 256
### END SOLUTION

# %% [markdown] hints="0.2"
# 1. How many pairs are there of one of 784 and one of 256?
# 2. The biases come on top: one for each output.
# 3. A smaller layer, with 3 inputs and 2 outputs: 3 · 2 weights and 2 biases, together 8.

# %% check="0.2" points=1 hidden_only="the number itself is left to the hidden tests, as the page says above the task"
assert_type(parameters, (int, float, torch.Tensor), "`parameters`", of="whole number")
assert_true(parameters > 0 and parameters == int(parameters), "`parameters` is a whole number above 0", of="whole number")
miscounted = {784 + 256: "This adds the two numbers: there is a weight for each pair of an input and an output.",
              784 + 256 + 256: "This adds: there is a weight for each pair of an input and an output.",
              784 * 256 + 784: "This has a bias for each input: each output has one.",
              784 * 256 + 1: "This has one bias for all outputs: each output has one of its own.",
              784 * 256 + 784 + 256: "This has a bias for each input, too: only outputs have one.",
              785 * 257: "This has a bias for each input, too, and one more: only outputs have one."}
assert_equal(parameters % 256, 0, "what is left when `parameters` is shared out among the 256 outputs", of="count",
             hint=miscounted.get(int(parameters),
                                 "Each output has a weight for each input, and one bias; no output has more than another."))
assert_true(parameters != 784 * 256, "there is more to learn than the weights", of="count", hint="The biases are missing.")
### BEGIN HIDDEN TESTS
assert_equal(parameters, 784 * 256 + 256, "the number of parameters", of="count",
             hint="One output has as many weights as there are inputs, and one bias.",
             mistakes={"Each bias counts once, not twice.": 784 * 256 + 2 * 256, "These are the biases alone.": 256,
                       "Here each output has 256 biases: it has one.": 784 * 256 + 256 * 256,
                       "Here each output has 256 weights: it has one for each of the 784 inputs.": 256 * 256 + 256,
                       "Each pair of an input and an output has one weight, not two.": 2 * 784 * 256 + 256,
                       "There are 784 inputs, 28 times 28.": 28 * 256 + 256,
                       "There are 784 inputs, not 748.": 748 * 256 + 256})
assert_true(int(parameters) == float(parameters), "`parameters` is whole", of="whole number")
### END HIDDEN TESTS

# %% [markdown]
# Some exercises ask for words. A person reads them, by a marking scheme, so they are not right or wrong at
# once. Click the text that says so, and write; Shift+Enter ends it. Many of them have something for the check
# to see too, like this one.

# %% [markdown] task="0.3" kind="explain" minutes=4 difficulty=2 core=true needs="reading a check"
# ### Why hidden tests
#
# Suppose that the check of 0.1 had only its first line of values: 0, 100 and -40 degrees, in this order. Write
# `hard_coded(celsius)`, which passes that line and is wrong all the same: for a tensor of these three it returns
# what `to_fahrenheit` should, for other temperatures, in a tensor `celsius` of shape `(1,)`, it returns a tensor
# with something else.
#
# Then answer in two to four sentences: why does a book that hands out its checks need hidden tests, and what
# does a passed visible check tell you about your answer?
#
# **You are done when**
# - **right for three**: for `torch.tensor([0., 100., -40.])` it returns 32, 212 and -40 degrees;
# - **wrong for others**: for `torch.tensor([10.])` and for `torch.tensor([20.])` it returns a tensor that does not
#   hold the right answer alone.
#
# Your words go in place of the line below the check that asks for them.

# %% exercise="0.3"
def hard_coded(celsius):
    """Right for 0, 100 and -40 degrees Celsius, wrong for others."""
    ### BEGIN SOLUTION
    return torch.tensor([32., 212., -40.])
    ### END SOLUTION

# %% [markdown] hints="0.3"
# 1. Which tensor does the visible check of 0.1 expect?
# 2. A function need not look at its argument.
# 3. For a check that asks only whether `double(3)` is 6: `def double(x): return 6`.

# %% check="0.3" points=1
def three(function):
    assert_close(function(torch.tensor([0., 100., -40.])), torch.tensor([32., 212., -40.]), "0, 100 and -40 degrees",
                 of="right for three", hint="For these three it returns what a right `to_fahrenheit` would.")

def one(function, degrees, fahrenheit):
    outcome = function(torch.tensor([degrees]))
    assert_type(outcome, torch.Tensor, f"what is returned for {degrees:g} degrees", of="wrong for others")
    right = outcome.numel() == 1 and abs(float(outcome.reshape(())) - fahrenheit) < 0.01
    assert_true(not right, f"the answer for {degrees:g} degrees is wrong", of="wrong for others",
                hint=f"This function is right for {degrees:g} degrees: it should be wrong for both, 10 and 20.")

three(hard_coded)
one(hard_coded, 10.0, 50.0)
one(hard_coded, 20.0, 68.0)
### BEGIN HIDDEN TESTS
one(hard_coded, 20.0, 68.0)
three(hard_coded)
### END HIDDEN TESTS

# %% [markdown] written="0.3" points=3
# ### BEGIN SOLUTION
# Whoever sees the inputs and the expected values of a check can return those values without solving the task,
# on purpose or by accident, as `hard_coded` does: it never looks at its argument. Hidden tests use other
# inputs, of other values and shapes, so only an answer that solves the task in general passes them. A passed
# visible check shows that the answer has the right form (name, type, shape) and is right for the inputs
# shown; it does not show that it is right for others.
#
# **Rubric**
# - [1] An answer can fit the visible inputs alone; the example of `hard_coded` or another; also accepted: the
#   expected values can be read and copied; lost by "students could see the solution".
# - [1] Hidden tests have other inputs, and so test the general case; also accepted: other shapes or edge
#   cases; lost by "hidden tests are harder" without saying in what they differ.
# - [1] A passed visible check means right for these inputs, no more; also accepted: necessary, not
#   sufficient; lost by "it means that the answer is right".
# ### END SOLUTION

# %% [markdown]
# ## When something is stuck
#
# - **A cell runs for ever:** Kernel > Interrupt Kernel. **Strange results:** Kernel > Restart Kernel and Run
#   All Cells. The cells after a failed check run too.
# - **Start an answer over:** point at its cell and press **Start over**. What you had written is kept; a
#   message says where. For a fresh copy of a whole page, rename yours in `work/` and start `make lab` again.
# - **How far you are** in the whole book, and what comes next, is on the page **Home** (a button above each
#   notebook). It counts what is saved.
# - **Hints** also come on call: `hints("0.1")`. The checks of this page, since the kernel was started:

# %% tags=["demo"]
progress()

# %% [markdown]
# ## Handing in
#
# 1. Save: Ctrl+S.
# 2. Press **Validate** above the notebook. It runs the whole page in a fresh kernel and tells which visible
#    checks fail, if any. So you notice an answer that worked only because of a cell that you have deleted
#    since.
# 3. In a course: menu Nbgrader > Assignment List, then **Submit** beside the chapter. It lists first what is
#    not answered, or fails its visible check. You can submit again; the last one counts.
#
# Learning alone, press **Grade** above the notebook: the hidden tests run on your answers, and the result
# stands beside them. In a course they run at grading, and there is no such button. Your work stays in
# `work/`, and a new edition of the book leaves your answers as they are.
#
# That is all. Go on with section 2.1: chapters and sections have the numbers of the book *Dive into Deep
# Learning*, so that the two can be read side by side, and what there is to compute begins there.
