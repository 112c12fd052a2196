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

# %%
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
# The check is yours to run as often as you like; nothing is counted.
#
# A check states one property after the other, and stops at the first that does not hold. Here is one that
# fails, for a function with a mistake:

# %% tags=["demo"]
def area(width, height):
    return width + height


try:
    assert_equal(area(2, 5), 10, "a rectangle 2 wide and 5 high")
except CheckFailed as message:
    print(message)

# %% [markdown]
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

# %% [markdown] task="0.1" kind="code" minutes=3 difficulty=1 core=true
# ### Celsius to Fahrenheit
#
# Write `to_fahrenheit(celsius)`. It takes a tensor of temperatures in degrees Celsius and returns a tensor of
# the same temperatures in degrees Fahrenheit: nine fifths of the number, plus 32.
#
# **You are done when** the check below shows a green line for 0, 100 and -40 degrees.

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
degrees = torch.tensor([0., 100., -40.])
assert_shape(to_fahrenheit(degrees), (3,), "three temperatures in, three out")
assert_close(to_fahrenheit(degrees), torch.tensor([32., 212., -40.]), "0, 100 and -40 degrees",
             mistakes={"The 32 is missing.": torch.tensor([0., 180., -72.])})
### BEGIN HIDDEN TESTS
week = torch.tensor([[18.5, -3., 7.], [21., 0.25, 30.]])
assert_shape(to_fahrenheit(week), (2, 3), "the shape for temperatures of shape (2, 3)")
assert_close(to_fahrenheit(week), 1.8 * week + 32, "temperatures of shape (2, 3)")

@probe
def temperatures_after_the_call(celsius):
    to_fahrenheit(celsius)
    return celsius

assert_close(temperatures_after_the_call(week), week, "the temperatures are left as they were")
### END HIDDEN TESTS

# %% [markdown]
# A passed check says **hidden tests run at grading**. They have other inputs, so that an answer has to be
# right, not only right for the inputs that you see. They are also why a check may say less than you would
# like: in the next exercise it sees only that you handed in a number.
#
# An answer that is a value goes under the name that the task gives. Replace the `...` by an assignment.

# %% [markdown] task="0.2" kind="answer" minutes=2 difficulty=1 core=true
# ### How many numbers to learn
#
# A layer of a neural network with 784 inputs and 256 outputs learns one weight for each pair of an input and
# an output, and one bias for each output. How many numbers is that? Set `parameters` to the answer, for
# example `parameters = 12`; an expression such as `3 * 4` is fine too.
#
# **You are done when** the check accepts a whole number, and you are sure of it.

# %% exercise="0.2"
### BEGIN SOLUTION
parameters = 784 * 256 + 256
### END SOLUTION

# %% [markdown] hints="0.2"
# 1. How many pairs are there of one of 784 and one of 256?
# 2. The biases come on top: one for each output.
# 3. A smaller layer, with 3 inputs and 2 outputs: 3 · 2 weights and 2 biases, together 8.

# %% check="0.2" points=1
assert_type(parameters, (int, float, torch.Tensor), "parameters is a number")
assert_true(parameters > 0 and parameters == int(parameters), "parameters is a whole number above 0")
### BEGIN HIDDEN TESTS
assert_equal(parameters, 784 * 256 + 256, "the number of parameters",
             mistakes={"The biases are missing.": 784 * 256,
                       "Each output has one bias, the inputs have none.": 784 * 256 + 784,
                       "Each pair has a weight: multiply.": 784 + 256,
                       "There is one bias for each output, not one for all.": 784 * 256 + 1})
### END HIDDEN TESTS

# %% [markdown]
# Some exercises ask for words. A person reads them, by a marking scheme, so they are not right or wrong at
# once. Double click the text that says so, press Enter, and write; Shift+Enter ends it. Many of them have
# something for the check to see too, like this one.

# %% [markdown] task="0.3" kind="explain" minutes=4 difficulty=2 core=true
# ### Why hidden tests
#
# Write `hard_coded(celsius)`, which passes the visible check of 0.1 and is wrong all the same: for 0, 100 and
# -40 degrees it returns what `to_fahrenheit` should, for 10 degrees it returns a tensor with something else.
#
# Then answer in two to four sentences: why does a book that hands out its checks need hidden tests, and what
# does a passed visible check tell you about your answer?
#
# **You are done when** the check is green, and your words are in place of the line below it that asks for
# them.

# %% exercise="0.3"
def hard_coded(celsius):
    """Right for 0, 100 and -40 degrees Celsius, wrong for 10."""
    ### BEGIN SOLUTION
    return torch.tensor([32., 212., -40.])
    ### END SOLUTION

# %% [markdown] hints="0.3"
# 1. Which tensor does the visible check of 0.1 expect?
# 2. A function need not look at its argument.
# 3. For a check that asks only whether `double(3)` is 6: `def double(x): return 6`.

# %% check="0.3" points=1
assert_close(hard_coded(torch.tensor([0., 100., -40.])), torch.tensor([32., 212., -40.]), "0, 100 and -40 degrees")
### BEGIN HIDDEN TESTS
outcome = hard_coded(torch.tensor([10.]))
assert_type(outcome, torch.Tensor, "what is returned for 10 degrees")
assert_true(outcome.shape != (1,) or abs(outcome.item() - 50) > 0.01, "the answer for 10 degrees is wrong",
            hint="This function is right: it should not be.")
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
