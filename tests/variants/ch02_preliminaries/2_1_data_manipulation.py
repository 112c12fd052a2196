# %% right="2.1.1a" how="torch.lt, torch.eq, torch.gt"
def compare(X, Y):
    return torch.lt(X, Y), torch.eq(X, Y), torch.gt(X, Y)

# %% right="2.1.1a" how="a list, with the sides swapped"
def compare(X, Y):
    return [Y > X, Y == X, Y < X]

# %% wrong="2.1.1a" why="greater means not less" says="greater, for (1, 2, 5, -1)"
def compare(X, Y):
    return X < Y, X == Y, ~(X < Y)

# %% wrong="2.1.1a" why="greater is what the others leave, so nan is greater" says="`greater` where an entry is nan"
def compare(X, Y):
    return X < Y, X == Y, ~((X < Y) | (X == Y))

# %% wrong="2.1.1a" why="masks of 0 and 1" says="wrong dtype: got int64"
def compare(X, Y):
    return (X < Y).long(), (X == Y).long(), (X > Y).long()

# %% wrong="2.1.1a" why="less and greater swapped" says="less, for (1, 2, 5, -1)"
def compare(X, Y):
    return X > Y, X == Y, X < Y

# %% wrong="2.1.1a" why="one answer for the whole tensor" says="less, for (1, 2, 5, -1)"
def compare(X, Y):
    return (X < Y).any(), torch.tensor(torch.equal(X, Y)), (X > Y).any()

# %% wrong="2.1.1a" why="broadcasts by hand to the shape of X" says="the shape of `less`"
def compare(X, Y):
    Y = Y.expand_as(X) if Y.numel() <= X.numel() else Y[:1].expand_as(X)
    return X < Y, X == Y, X > Y

# %% right="2.1.1b" how="torch.logical_and"
def inside(X, low, high):
    return torch.logical_and(X >= low, X < high)

# %% right="2.1.1b" how="neither below nor above"
def inside(X, low, high):
    return ~((X < low) | (X >= high))

# %% right="2.1.1b" how="the product of two masks"
def inside(X, low, high):
    return (low <= X) * (high > X)

# %% wrong="2.1.1b" why="Python's chained comparison" says="Boolean value of Tensor"
def inside(X, low, high):
    return low <= X < high

# %% wrong="2.1.1b" why="the word and" says="Boolean value of Tensor"
def inside(X, low, high):
    return X >= low and X < high

# %% wrong="2.1.1b" why="without parentheses, & binds first" says="raised"
def inside(X, low, high):
    return X >= low & X < high

# %% wrong="2.1.1b" why="or in place of and" says="This is *or*"
def inside(X, low, high):
    return (X >= low) | (X < high)

# %% wrong="2.1.1b" why="strict at the lower bound" says="The lower bound belongs"
def inside(X, low, high):
    return (X > low) & (X < high)

# %% wrong="2.1.1b" why="the upper bound counted" says="The upper bound does not belong"
def inside(X, low, high):
    return (X >= low) & (X <= high)

# %% wrong="2.1.1b" why="the numbers, not the mask" says="wrong shape"
def inside(X, low, high):
    return X[(X >= low) & (X < high)]

# %% wrong="2.1.1b" why="hard-coded for the visible numbers" says="integers of shape (4, 3, 5)"
def inside(X, low, high):
    return (X >= 0) & (X < 2)
