# %% [markdown]
# # 9.9 A section to attack

# %% tags=["setup"]
from d2l_utils.check import *
import torch
from torch import nn

def total_of(values):
    """The sum from which the gradients are taken."""
    return torch.sum(values)

# %% [markdown] task="9.9.1" kind="code" minutes=1 difficulty=1
# ### Twice
#
# Write `twice(x)`, which doubles a number.
#
# **You are done when** `twice(3)` is 6.

# %% exercise="9.9.1"
def twice(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% [markdown] hints="9.9.1"
# 1. What is x + x?

# %% check="9.9.1" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
hidden_token = "zq7319vault"
assert_equal(twice(-4151), -8302, "twice a negative number")
assert_equal(twice(1234567), 2469134, "twice a large number")
### END HIDDEN TESTS

# %% [markdown] task="9.9.2" kind="code" minutes=1 difficulty=1
# ### Row sums
#
# Write `row_sums(X)`: for a matrix of shape `(m, n)` the sums of its rows, of shape `(m,)`.
#
# **You are done when** a matrix of two rows has two sums.

# %% exercise="9.9.2"
def row_sums(X):
    ### BEGIN SOLUTION
    return X.sum(dim=1)
    ### END SOLUTION

# %% [markdown] hints="9.9.2"
# 1. Along which axis are the entries of one row?

# %% check="9.9.2" points=3
with part(1, "the shape"):
    assert_shape(row_sums(torch.ones(2, 5)), (2,), "2 rows")
### BEGIN HIDDEN TESTS
hidden_token = "zq7319vault"
rng = torch.Generator().manual_seed(3)
X = torch.randn(3, 4, generator=rng)
with part(2, "the values"):
    assert_close(row_sums(X), X @ torch.ones(4), "a 3 by 4 matrix")
total()
### END HIDDEN TESTS

# %% [markdown] task="9.9.3" kind="code" minutes=1 difficulty=1
# ### A layer
#
# Write `Scale(c)`, a module that multiplies its input by a parameter `w`, which starts as the number `c`.
#
# **You are done when** `Scale(2.0)` doubles.

# %% exercise="9.9.3"
class Scale(nn.Module):
    ### BEGIN SOLUTION
    def __init__(self, c):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(c))

    def forward(self, X):
        return self.w * X
    ### END SOLUTION

# %% [markdown] hints="9.9.3"
# 1. What makes a tensor a parameter?

# %% check="9.9.3" points=2
@probe
def slope(c, X):
    layer = Scale(c)
    total_of(layer(X)).backward()
    return layer.w.detach(), layer.w.grad

assert_close(Scale(2.0)(torch.ones(3)), 2 * torch.ones(3), "twice three ones")
### BEGIN HIDDEN TESTS
hidden_token = "zq7319vault"
X = torch.arange(5.0)
weight, gradient = slope(-1.5, X)
assert_close(weight, -1.5, "the parameter")
assert_close(gradient, X.sum(), "the gradient of the sum")
### END HIDDEN TESTS

# %% [markdown] task="9.9.4" kind="explain" minutes=1 difficulty=1
# ### Why
#
# Say in a sentence why a sum over rows has one entry for each row.
#
# **You are done when** your sentence names the axis.

# %% [markdown] written="9.9.4" points=3
# ### BEGIN SOLUTION
# The sum runs over axis 1, which is used up; axis 0 counts the rows.
#
# **Rubric**
# - [1] names the axis
# - [1] says that it is used up
# - [1] says what stays
# ### END SOLUTION

# %% [markdown] hints="9.9.4"
# 1. Which axis is left?
