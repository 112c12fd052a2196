# %% right="9.9.1" how="adds"
def twice(x):
    return x + x

# %% right="9.9.1" how="warns"
import warnings
def twice(x):
    warnings.warn("this is only a warning")
    return x * 2

# %% wrong="9.9.1" why="knows the visible case only" says="negative"
def twice(x):
    return 6

# %% wrong="9.9.1" why="squares" says="twice 3"
def twice(x):
    return x * x

# %% wrong="9.9.1" why="adds two" says="twice 3"
def twice(x):
    return x + 2

# %% wrong="9.9.2" why="sums the columns" says="shape"
def row_sums(X):
    return X.sum(dim=0)

# %% wrong="9.9.2" why="takes the mean" says="the values"
def row_sums(X):
    return X.mean(dim=1)
