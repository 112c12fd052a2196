# %% right="9.9.1" how="adds"
def twice(x):
    return x + x

# %% wrong="9.9.1" why="knows the visible case only" says="negative"
def twice(x):
    return 6

# %% wrong="9.9.2" why="takes the mean" says="the values"
def row_sums(X):
    return X.mean(dim=1)
