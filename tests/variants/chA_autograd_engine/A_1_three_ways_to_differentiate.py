# %% right="A.1.A" how="a loop"
def letters(steps):
    count = 1
    for _ in range(steps):
        count += count
    return count

# %% right="A.1.A" how="the formula itself"
def letters(steps):
    text = "x"
    for _ in range(steps):
        text = f"4 * {text} * (1 - {text})"
    return text.count("x")

# %% wrong="A.1.A" why="two more with each step" breaks="count" says="it does not grow by two"
def letters(steps):
    return 2 * steps or 1

# %% wrong="A.1.A" why="one step short" breaks="count" says="letters(0)"
def letters(steps):
    return 2 ** (steps - 1)

# %% wrong="A.1.A" why="counts the operations" breaks="count" says="letters(0)"
def letters(steps):
    return 3 * steps

# %% wrong="A.1.A" why="one step too many" breaks="count" says="letters(0)"
def letters(steps):
    return 2 ** (steps + 1)

# %% wrong="A.1.A" why="the square" breaks="count" says="letters(2)"
def letters(steps):
    return steps ** 2 + 1

# %% right="A.1.1" how="a list of arrays, cosine first"
def symbolic_gradient(x1, x2):
    return [np.divide(1., x1) + x2, -np.cos(x2) + x1]

# %% right="A.1.1" how="one fraction"
def symbolic_gradient(x1, x2):
    by_x1 = (1 + x1 * x2) / x1
    by_x2 = x1 - np.sin(np.pi / 2 - x2)
    return by_x1, by_x2

# %% wrong="A.1.1" why="the sign of the cosine" breaks="by x2" says="The derivative of -sin is -cos"
def symbolic_gradient(x1, x2):
    """(dy/dx1, dy/dx2) for y = ln x1 + x1 x2 - sin x2."""
    return 1 / x1 + x2, x1 + np.cos(x2)

# %% wrong="A.1.1" why="the product rule the wrong way" breaks="by x1" says="The derivative of x1 x2 by x1 is x2"
def symbolic_gradient(x1, x2):
    """(dy/dx1, dy/dx2) for y = ln x1 + x1 x2 - sin x2."""
    return 1 / x1 + x1, x1 - np.cos(x2)

# %% wrong="A.1.1" why="the derivative of sin is sin" breaks="by x2" says="not sin x itself"
def symbolic_gradient(x1, x2):
    """(dy/dx1, dy/dx2) for y = ln x1 + x1 x2 - sin x2."""
    return 1 / x1 + x2, x1 - np.sin(x2 + np.pi / 2 * (np.asarray(x2) == 0))

# %% wrong="A.1.1" why="numbers only" breaks="arrays" says="arrays"
def symbolic_gradient(x1, x2):
    """(dy/dx1, dy/dx2) for y = ln x1 + x1 x2 - sin x2."""
    import math
    if np.ndim(x1):
        x1, x2 = x1.flat[0], x2.flat[0]
    return 1 / x1 + x2, x1 - math.cos(x2)

# %% wrong="A.1.1" why="dy/dx1 only" breaks="by x1" says="the number of derivatives at"
def symbolic_gradient(x1, x2):
    """(dy/dx1, dy/dx2) for y = ln x1 + x1 x2 - sin x2."""
    return (1 / x1 + x2,)

# %% right="A.1.2a" how="copies, with entries set"
def difference_quotients(f, x, i, h):
    up, down = np.array(x, dtype=float), np.array(x, dtype=float)
    up[i] += h
    down[i] -= h
    return [(f(up) - f(x)) / h, (f(up) - f(down)) / h / 2]

# %% right="A.1.2a" how="rows of the identity"
def difference_quotients(f, x, i, h):
    move = h * np.identity(x.size)[i]
    a, b, c = f(x - move), f(x), f(x + move)
    return (c - b) / h, ((c - b) + (b - a)) / (2 * h)

# %% wrong="A.1.2a" why="divides the central difference by h" breaks="central" says="2h apart"
def difference_quotients(f, x, i, h):
    """The one-sided and the central difference quotient of f by entry i at x."""
    step = np.zeros(len(x))
    step[i] = h
    return (f(x + step) - f(x)) / h, (f(x + step) - f(x - step)) / h

# %% wrong="A.1.2a" why="moves all entries" breaks="one entry" says="Move entry i alone"
def difference_quotients(f, x, i, h):
    """The one-sided and the central difference quotient of f by entry i at x."""
    step = h
    return (f(x + step) - f(x)) / h, (f(x + step) - f(x - step)) / (2 * h)

# %% wrong="A.1.2a" why="steps backwards" breaks="one-sided" says="The step goes forward"
def difference_quotients(f, x, i, h):
    """The one-sided and the central difference quotient of f by entry i at x."""
    step = np.zeros(len(x))
    step[i] = h
    return (f(x) - f(x - step)) / h, (f(x + step) - f(x - step)) / (2 * h)

# %% wrong="A.1.2a" why="moves the argument and forgets to move it back" breaks="x kept" says="x after the call"
def difference_quotients(f, x, i, h):
    before = f(x)
    y = x.astype(float)
    y[i] -= h
    below = f(y)
    y[i] += 2 * h
    above = f(y)
    x[i] = y[i]
    return (above - before) / h, (above - below) / (2 * h)

# %% wrong="A.1.2a" why="a copy of integers does not move" breaks="integers" says="Nothing moved"
def difference_quotients(f, x, i, h):
    up, down = x.copy(), x.copy()
    up[i] += h if x.dtype.kind == "f" else int(h)
    down[i] -= h if x.dtype.kind == "f" else int(h)
    return (f(up) - f(x)) / h, (f(up) - f(down)) / (2 * h)

# %% wrong="A.1.2a" why="always the first entry" breaks="one entry" says="Entry 0 was moved, and entry 1 was not"
def difference_quotients(f, x, i, h):
    """The one-sided and the central difference quotient of f by entry i at x."""
    step = np.zeros(len(x))
    step[0] = h
    return (f(x + step) - f(x)) / h, (f(x + step) - f(x - step)) / (2 * h)

# %% wrong="A.1.2a" why="a step of its own" breaks="one-sided" says="the one-sided quotient"
def difference_quotients(f, x, i, h):
    """The one-sided and the central difference quotient of f by entry i at x."""
    h = 1e-6
    step = np.zeros(len(x))
    step[i] = h
    return (f(x + step) - f(x)) / h, (f(x + step) - f(x - step)) / (2 * h)

# %% wrong="A.1.2a" why="the one-sided quotient only" breaks="one-sided" says="Both quotients, in a tuple"
def difference_quotients(f, x, i, h):
    step = h * np.eye(len(x))[i]
    return (f(x + step) - f(x)) / h

# %% right="A.1.2b" how="the rule of thumb: square and cube root"
def best_steps(eps):
    return np.sqrt(eps), np.cbrt(eps)

# %% right="A.1.2b" how="the minimum by search"
def best_steps(eps):
    h = 10. ** np.arange(-12, 1, 0.05)
    return h[np.argmin(h / 2 + 2 * eps / h)], h[np.argmin(h ** 2 / 6 + eps / h)]

# %% wrong="A.1.2b" why="eps itself" breaks="one-sided" says="This is eps itself"
def best_steps(eps):
    return eps, eps

# %% wrong="A.1.2b" why="the square root for both" breaks="central" says="the step for the central quotient"
def best_steps(eps):
    return eps ** 0.5, eps ** 0.5

# %% wrong="A.1.2b" why="constants for float64" breaks="one-sided" says="The step depends on eps"
def best_steps(eps):
    return 3e-8, 8e-6

# %% wrong="A.1.2b" why="swapped" breaks="one-sided" says="best step of the central quotient"
def best_steps(eps):
    return (3 * eps) ** (1 / 3), 2 * eps ** 0.5

# %% wrong="A.1.2b" why="the fourth root for the central one" breaks="central" says="the step for the central quotient"
def best_steps(eps):
    return 2 * eps ** 0.5, eps ** 0.25

# %% right="A.1.3a" how="a tuple, y from the formula"
def trace(x1, x2):
    y = np.log(x1) + x1 * x2 - np.sin(x2)
    return x1, x2, np.log(x1), x1 * x2, np.sin(x2), y + np.sin(x2), y

# %% right="A.1.3a" how="torch, item by item"
def trace(x1, x2):
    v = [torch.tensor(float(x), dtype=torch.float64) for x in (x1, x2)]
    v += [v[0].log(), v[0] * v[1], v[1].sin()]
    v.append(v[2] + v[3])
    v.append(v[5] - v[4])
    return [value.item() for value in v]

# %% wrong="A.1.3a" why="the logarithm to base 10" breaks="values" says="v3 at (2.0, 5.0)"
def trace(x1, x2):
    """[v1, ..., v7]."""
    v1, v2 = x1, x2
    v3, v4, v5 = np.log10(v1), v1 * v2, np.sin(v2)
    v6 = v3 + v4
    return [v1, v2, v3, v4, v5, v6, v6 - v5]

# %% wrong="A.1.3a" why="adds v5" breaks="values" says="v7 at (2.0, 5.0)"
def trace(x1, x2):
    """[v1, ..., v7]."""
    v1, v2 = x1, x2
    v3, v4, v5 = np.log(v1), v1 * v2, np.sin(v2)
    v6 = v3 + v4
    return [v1, v2, v3, v4, v5, v6, v6 + v5]

# %% wrong="A.1.3a" why="the sine of v1" breaks="values" says="v5 at"
def trace(x1, x2):
    """[v1, ..., v7]."""
    v1, v2 = x1, x2
    v3, v4, v5 = np.log(v1), v1 * v2, np.sin(v1)
    v6 = v3 + v4
    return [v1, v2, v3, v4, v5, v6, v6 - v5]

# %% wrong="A.1.3a" why="five values only" breaks="length" says="the number of values"
def trace(x1, x2):
    """[v1, ..., v7]."""
    v1, v2 = x1, x2
    v3, v4, v5 = np.log(v1), v1 * v2, np.sin(v2)
    v6 = v3 + v4
    return [v3, v4, v5, v6, v6 - v5]

# %% wrong="A.1.3a" why="v6 is a product" breaks="values" says="v6 at"
def trace(x1, x2):
    """[v1, ..., v7]."""
    v1, v2 = x1, x2
    v3, v4, v5 = np.log(v1), v1 * v2, np.sin(v2)
    v6 = v3 * v4
    return [v1, v2, v3, v4, v5, v6, v6 - v5]

# %% right="A.1.3b" how="contributions added up in place"
def adjoints(x1, x2):
    bar = np.zeros(7)
    bar[6] += 1
    bar[5] += bar[6]
    bar[4] -= bar[6]
    bar[2] += bar[5]
    bar[3] += bar[5]
    bar[1] += bar[4] * np.cos(x2)
    bar[0] += bar[3] * x2
    bar[1] += bar[3] * x1
    bar[0] += bar[2] / x1
    return bar

# %% right="A.1.3b" how="by torch"
def adjoints(x1, x2):
    v = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in (x1, x2)]
    v += [torch.log(v[0]), v[0] * v[1], torch.sin(v[1])]
    v.append(v[2] + v[3])
    v.append(v[5] - v[4])
    return tuple(g.item() for g in torch.autograd.grad(v[6], v))

# %% wrong="A.1.3b" why="the last contribution replaces the first (v1)" breaks="inputs" says="v1 stands in two equations: this is the contribution of"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x1 + b5 * np.cos(x2)
    b1 = b4 * x2
    return [b1, b2, b3, b4, b5, b6, b7]

# %% wrong="A.1.3b" why="the last contribution replaces the first (v2)" breaks="inputs" says="v2 stands in two equations: this is the contribution of"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x1
    b1 = b4 * x2 + b3 / x1
    return [b1, b2, b3, b4, b5, b6, b7]

# %% wrong="A.1.3b" why="the sign of v5" breaks="middle" says="v5 is subtracted"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, b7
    b3, b4 = b6, b6
    b2 = b4 * x1 + b5 * np.cos(x2)
    b1 = b4 * x2 + b3 / x1
    return [b1, b2, b3, b4, b5, b6, b7]

# %% wrong="A.1.3b" why="sine in place of cosine" breaks="inputs" says="the derivative by v2 at"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x1 + b5 * np.sin(x2)
    b1 = b4 * x2 + b3 / x1
    return [b1, b2, b3, b4, b5, b6, b7]

# %% wrong="A.1.3b" why="each factor gets itself" breaks="inputs" says="the derivative by v"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x2 + b5 * np.cos(x2)
    b1 = b4 * x1 + b3 / x1
    return [b1, b2, b3, b4, b5, b6, b7]

# %% wrong="A.1.3b" why="local derivatives of the values in place of those of the result" breaks="middle" says="that of the result y by v"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x1 + b5 * np.cos(x2)
    b1 = b4 * x2 + b3 / x1
    return [1., 1., 1 / x1, x1, np.cos(x2), 1., 1.]

# %% wrong="A.1.3b" why="the inputs' derivatives only" breaks="order" says="the number of derivatives"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x1 + b5 * np.cos(x2)
    b1 = b4 * x2 + b3 / x1
    return [b1, b2]

# %% wrong="A.1.3b" why="v7 first" breaks="order" says="begins with the derivative by v1"
def adjoints(x1, x2):
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    return [b7, b6, b5, b4, b3, b4 * x1 + b5 * np.cos(x2), b4 * x2 + b3 / x1]

# %% wrong="A.1.3b" why="v1 by the logarithm only" breaks="inputs" says="the contribution of v3 alone"
def adjoints(x1, x2):
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    return [b3 / x1, b4 * x1 + b5 * np.cos(x2), b3, b4, b5, b6, b7]

# %% wrong="A.1.3b" why="v2 by the sine only" breaks="inputs" says="the contribution of v5 alone"
def adjoints(x1, x2):
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    return [b4 * x2 + b3 / x1, b5 * np.cos(x2), b3, b4, b5, b6, b7]

# %% right="A.1.3c" how="the jacobian-vector product of torch"
def tangents(x1, x2, d1, d2):
    def values(x):
        v = [x[0], x[1], x[0].log(), x[0] * x[1], x[1].sin()]
        return torch.stack(v + [v[2] + v[3], v[2] + v[3] - v[4]])
    at, along = (torch.tensor([float(a), float(b)], dtype=torch.float64) for a, b in ((x1, x2), (d1, d2)))
    return torch.func.jvp(values, (at,), (along,))[1].tolist()

# %% right="A.1.3c" how="line by line"
def tangents(x1, x2, d1, d2):
    dot = [d1, d2]
    dot.append(dot[0] / x1)
    dot.append(dot[0] * x2 + dot[1] * x1)
    dot.append(dot[1] * np.cos(x2))
    dot.append(dot[2] + dot[3])
    dot.append(dot[5] - dot[4])
    return tuple(dot)

# %% wrong="A.1.3c" why="one half of the product rule" breaks="unit directions" says="the tangent of v4"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    t3, t4, t5 = d1 / x1, d1 * x2, np.cos(x2) * d2 - x1 * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]

# %% wrong="A.1.3c" why="the product of the tangents" breaks="unit directions" says="A product has two contributions"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    t3, t4, t5 = d1 / x1, d1 * d2, np.cos(x2) * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]

# %% wrong="A.1.3c" why="the direction does not enter the sine" breaks="unit directions" says="The tangent of v2 is a factor"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2)
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]

# %% wrong="A.1.3c" why="adds v5" breaks="unit directions" says="v5 is subtracted"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 + t5]

# %% wrong="A.1.3c" why="always along (1, 0)" breaks="unit directions" says="along (0.0, 1.0)"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    d1, d2 = 1., 0.
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]

# %% wrong="A.1.3c" why="returns the last one only" breaks="length" says="All seven tangents, in a list"
def tangents(x1, x2, d1, d2):
    return d1 / x1 + d1 * x2 + x1 * d2 - np.cos(x2) * d2

# %% wrong="A.1.3c" why="the change of both factors at once counts, too" breaks="any direction" says="the tangent of v4"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2 + d1 * d2, np.cos(x2) * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]

# %% wrong="A.1.3c" why="the direction is made to have length 1" breaks="any direction" says="the tangent of v1"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    length = np.hypot(d1, d2)
    d1, d2 = d1 / length, d2 / length
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]

# %% right="A.1.B" how="a list"
def passes(inputs, results):
    return [inputs, results]

# %% right="A.1.B" how="by name"
def passes(inputs, results):
    forward, reverse = inputs, results
    return forward, reverse

# %% wrong="A.1.B" why="exchanged" breaks="forward" says="pass of forward mode gives all results"
def passes(inputs, results):
    return results, inputs

# %% wrong="A.1.B" why="one pass of reverse mode, always" breaks="reverse" says="One pass gives the derivatives of one result only"
def passes(inputs, results):
    return inputs, 1

# %% wrong="A.1.B" why="one pass of each" breaks="forward" says="One pass gives the derivatives by one input only"
def passes(inputs, results):
    return 1, 1

# %% wrong="A.1.B" why="the product" breaks="forward" says="a pass for each pair"
def passes(inputs, results):
    return inputs * results, results

# %% wrong="A.1.B" why="the smaller number" breaks="reverse" says="A pass of reverse mode gives all inputs"
def passes(inputs, results):
    return inputs, min(inputs, results)

# %% right="A.1.4" how="one run less for the symbolic gradient, all of central"
def operations(N):
    value, tangent, back = N, N, 2 * N
    return dict([("symbolic", float(N) ** 2), ("one-sided", N * value + value), ("central", N * 2 * value), ("forward mode", N * (value + tangent)), ("reverse mode", value + back)])

# %% right="A.1.4" how="the one-sided quotient without the common point"
def operations(N):
    return {"symbolic": N ** 2, "one-sided": N ** 2, "central": 2 * N ** 2, "forward mode": 2 * N ** 2, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="backward as costly as forward" breaks="counts" says="Backward costs twice forward"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": 2 * N * N, "reverse mode": 2 * N}

# %% wrong="A.1.4" why="forward mode without the values" breaks="counts" says="every value and its tangent"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": N * N, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="central as one-sided" breaks="counts" says="the operations by central"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": N * N, "forward mode": 2 * N * N, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="forward mode in one pass" breaks="counts" says="the operations by forward mode"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": 2 * N, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="constants for a thousand" breaks="counts" says="the same for another N"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    N = 1000
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": 2 * N * N, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="a formula costs no more than the program" breaks="counts" says="the operations by symbolic"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    return {"symbolic": N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": 2 * N * N, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="a list in place of a dictionary" breaks="keys" says="what operations(1,000) returns"
def operations(N):
    return [N * N, (N + 1) * N, 2 * N * N, 2 * N * N, 3 * N]

# %% wrong="A.1.4" why="keys of its own" breaks="keys" says="keys that operations(1,000) does not have"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward": 2 * N * N, "reverse": 3 * N}

# %% right="A.1.5" how="arrays"
def gradient_error(f, gradient, x):
    steps = 3e-6 * np.eye(len(x))
    q = np.array([f(x + s) - f(x - s) for s in steps]) / 6e-6
    g = np.asarray(gradient(x.copy()))
    return np.max(np.abs(g - q) / np.maximum(1, np.maximum(np.abs(g), np.abs(q))))

# %% right="A.1.5" how="a quotient of higher order"
def gradient_error(f, gradient, x):
    worst, g, h = 0., gradient(x), 1e-3
    for i in range(len(x)):
        u = np.eye(len(x))[i] * h
        q = (8 * (f(x + u) - f(x - u)) - (f(x + 2 * u) - f(x - 2 * u))) / (12 * h)
        worst = max(worst, abs(g[i] - q) / max(1, abs(g[i]), abs(q)))
    return float(worst)

# %% wrong="A.1.5" why="the absolute error" breaks="formula" says="This is the absolute error"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q))
    return max(errors)

# %% wrong="A.1.5" why="relative to the gradient, which may be 0" breaks="right gradient" says="divide by at least 1"
def gradient_error(f, gradient, x):
    g, unit = np.asarray(gradient(x)), 1e-5 * np.eye(len(x))
    q = np.array([(f(x + u) - f(x - u)) / 2e-5 for u in unit])
    with np.errstate(all="ignore"):
        return np.max(np.abs(g - q) / np.abs(g))

# %% wrong="A.1.5" why="a signed difference, divided by one size for all entries" breaks="formula" says="the gradient of squares"
def gradient_error(f, gradient, x):
    g, unit = np.asarray(gradient(x)), 1e-5 * np.eye(len(x))
    q = np.array([(f(x + u) - f(x - u)) / 2e-5 for u in unit])
    return np.max(g - q) / max(1, np.abs(g).max(), np.abs(q).max())

# %% wrong="A.1.5" why="the mean" breaks="formula" says="not their mean"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return sum(errors) / len(errors)

# %% wrong="A.1.5" why="a step that is far too small" breaks="right gradient" says="the error is below 1e-6"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-14, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="a step that is far too large" breaks="right gradient" says="the error is below 1e-6"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-1, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h) + 0 * h
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="one-sided" breaks="right gradient" says="the error is below 1e-6"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x)) / h
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="the first entry only" breaks="formula" says="the error of the first entry"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(1):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="the last entry only" breaks="formula" says="the error of the last entry"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x) - 1, len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="without absolute values of each entry" breaks="formula" says="An error may be negative"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append((claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="compares along the whole diagonal" breaks="right gradient" says="the error is below 1e-6"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[:] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)

# %% wrong="A.1.5" why="moves x in place and does not put it back" breaks="x kept" says="x after the call"
def gradient_error(f, gradient, x):
    h, claimed, worst = 1e-5, np.array(gradient(x.copy())), 0.
    for i in range(len(x)):
        x[i] += h
        above = f(x)
        x[i] -= 2 * h
        q = (above - f(x)) / (2 * h)
        worst = max(worst, abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return worst

# %% wrong="A.1.5" why="skips the entry where the gradient is 0" breaks="every entry" says="in entry 0"
def gradient_error(f, gradient, x):
    h, claimed, worst = 1e-5, np.array(gradient(x)), 0.
    for i in range(len(x)):
        u = h * np.eye(len(x))[i]
        q = (f(x + u) - f(x - u)) / (2 * h)
        if abs(q) > 1e-9:
            worst = max(worst, abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return float(worst)

# %% right="A.1.6a" how="from the result backwards with a stack"
def needed(graph, result):
    found, todo = set(), [result]
    while todo:
        name = todo.pop()
        if name in graph and name not in found:
            found.add(name)
            todo.extend(graph[name][1:])
    return tuple(name for name in graph if name in found)

# %% right="A.1.6a" how="repeats until nothing is added"
def needed(graph, result):
    names, size = {result}, 0
    while len(names) > size:
        size = len(names)
        for name in list(graph)[::-1]:
            if name in names:
                names |= {value for value in graph[name][1:] if value in graph}
    return [name for name in graph if name in names]

# %% wrong="A.1.6a" why="everything" breaks="no others" says="No way through the inputs leads"
def needed(graph, result):
    """The names that `result` depends on, itself included, in the order of execution."""
    used = {result}
    for name in reversed(graph):
        if name in used:
            used.update(graph[name][1:])
    return [name for name in graph if True]

# %% wrong="A.1.6a" why="in the order of the walk" breaks="order" says="the names in their order"
def needed(graph, result):
    """The names that `result` depends on, itself included, in the order of execution."""
    used = {result}
    for name in reversed(graph):
        if name in used:
            used.update(graph[name][1:])
    return [name for name in reversed(graph) if name in used]

# %% wrong="A.1.6a" why="recursive, names repeated" breaks="order" says="stand in it before"
def needed(graph, result):
    found = [result]
    for name in graph[result][1:]:
        if name in graph:
            found += needed(graph, name)
    return found

# %% wrong="A.1.6a" why="direct inputs only" breaks="needed ones" says="names that are missing"
def needed(graph, result):
    """The names that `result` depends on, itself included, in the order of execution."""
    used = {result}
    used.update(graph[result][1:])
    return [name for name in graph if name in used]

# %% wrong="A.1.6a" why="counts what comes from outside" breaks="no others" says="no names of the graph"
def needed(graph, result):
    """The names that `result` depends on, itself included, in the order of execution."""
    used = {result}
    for name in reversed(graph):
        if name in used:
            used.update(graph[name][1:])
    return [name for name in ['x', 'y', *graph] if name in used]

# %% wrong="A.1.6a" why="everything that some entry uses" breaks="needed ones" says="leads from b to a"
def needed(graph, result):
    """The names that `result` depends on, itself included, in the order of execution."""
    used = {result}
    for name in reversed(graph):
        if True:
            used.update(graph[name][1:])
    return [name for name in graph if name in used]

# %% wrong="A.1.6a" why="recursive" breaks="long chains" says="RecursionError"
def needed(graph, result):
    def parents(name):
        return set().union({name} & set(graph), *(parents(value) for value in graph.get(name, ("",))[1:]))
    found = parents(result)
    return [name for name in graph if name in found]

# %% right="A.1.6b" how="strings as keys, compared with all before"
def first_of(graph):
    first, texts = {}, {}
    for name, entry in graph.items():
        text = " ".join([entry[0]] + [first.get(value, value) for value in entry[1:]])
        if text not in texts:
            texts[text] = name
        first[name] = texts[text]
    return first

# %% right="A.1.6b" how="looks through the entries before"
def first_of(graph):
    first, rewritten = {}, []
    for name, (operation, *inputs) in graph.items():
        entry = [operation] + [first[value] if value in first else value for value in inputs]
        for other, known in rewritten:
            if known == entry:
                first[name] = other
                break
        else:
            first[name] = name
            rewritten.append((name, entry))
    return first

# %% wrong="A.1.6b" why="compares entries as they are written" breaks="any depth" says="so their cosines are, too"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, *inputs)
        first[name] = seen.setdefault(key, name)
    return first

# %% wrong="A.1.6b" why="ignores the order of the inputs" breaks="order of the inputs" says="x - y is not y - x"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, *sorted(first.get(value, value) for value in inputs))
        first[name] = seen.setdefault(key, name)
    return first

# %% wrong="A.1.6b" why="ignores the operation" breaks="same operation and inputs" says="the operations differ"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = ('', *(first.get(value, value) for value in inputs))
        first[name] = seen.setdefault(key, name)
    return first

# %% wrong="A.1.6b" why="the last entry in place of the first" breaks="same operation and inputs" says="its own first here"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, *(first.get(value, value) for value in inputs))
        first[name] = seen[key] = name
    return first

# %% wrong="A.1.6b" why="merges inputs as a set" breaks="order of the inputs" says="differences of x and y"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, len(inputs), first.get(inputs[0], inputs[0]))
        first[name] = seen.setdefault(key, name)
    return first

# %% wrong="A.1.6b" why="rewrites the graph" breaks="graph kept" says="the graph after the call"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, *(first.get(value, value) for value in inputs))
        first[name] = seen.setdefault(key, name)
    for name in list(graph):
        if first[name] != name:
            del graph[name]
    return first

# %% wrong="A.1.6b" why="one level only" breaks="any depth" says="it goes on through any number of steps"
def first_of(graph):
    written, first = {}, {}
    for name, entry in graph.items():
        first[name] = written.setdefault(entry, name)
    seen, second = {}, {}
    for name, (operation, *inputs) in graph.items():
        second[name] = seen.setdefault((operation, *(first.get(value, value) for value in inputs)), name)
    return second

# %% right="A.1.7" how="a string"
traceable = "FECA"

# %% right="A.1.7" how="asks the tracer"
traceable = []
for letter, function in programs.items():
    try:
        torch.fx.symbolic_trace(function)
        traceable.append(letter)
    except Exception:
        pass

# %% wrong="A.1.7" why="no loops" breaks="letters" says="the number of letters that are missing"
traceable = {"A", "E"}

# %% wrong="A.1.7" why="takes where for a branch" breaks="letters" says="the number of letters that are missing"
traceable = {"A", "C", "F"}

# %% wrong="A.1.7" why="loops over values, too" breaks="letters" says="letters that torch.fx cannot trace"
traceable = {"A", "C", "E", "F", "G"}

# %% wrong="A.1.7" why="a while loop on a norm" breaks="letters" says="letters that torch.fx cannot trace"
traceable = {"A", "C", "D", "E", "F"}

# %% wrong="A.1.7" why="all programs that run" breaks="letters" says="B is not among the letters"
traceable = set("ABCDEFG")

# %% right="A.1.8" how="a table of stages"
def bytes_per_device(parameters, devices, stage):
    whole = [16, 4, 2, 0][stage] * parameters
    shared = [0, 12, 14, 16][stage] * parameters
    return whole + shared / devices

# %% right="A.1.8" how="integers, kind by kind"
def bytes_per_device(parameters, devices, stage):
    states, grads, values = 12 * parameters, 2 * parameters, 2 * parameters
    if stage >= 1:
        states //= devices
    if stage >= 2:
        grads //= devices
    if stage == 3:
        values //= devices
    return states + grads + values

# %% wrong="A.1.8" why="every stage shards everything" breaks="stage 1" says="stage 1"
def bytes_per_device(parameters, devices, stage):
    return 16 * parameters / (devices if stage else 1)

# %% wrong="A.1.8" why="everything is always sharded" breaks="stage 0" says="In this stage nothing is divided"
def bytes_per_device(parameters, devices, stage):
    return 16 * parameters / devices

# %% wrong="A.1.8" why="parameters before gradients does not matter, states last does" breaks="stage 1" says="stage 1"
def bytes_per_device(parameters, devices, stage):
    """Bytes of parameters, gradients and states of Adam on each device."""
    sizes = {1: 2, 2: 2, 3: 12}        # states, gradients, parameters, by the stage that shards them
    return sum(size * parameters / (devices if stage >= first else 1) for first, size in sizes.items())

# %% wrong="A.1.8" why="float32 throughout" breaks="stage 1" says="stage 1"
def bytes_per_device(parameters, devices, stage):
    """Bytes of parameters, gradients and states of Adam on each device."""
    sizes = {1: 8, 2: 4, 3: 4}        # states, gradients, parameters, by the stage that shards them
    return sum(size * parameters / (devices if stage >= first else 1) for first, size in sizes.items())

# %% wrong="A.1.8" why="a stage does not include those before" breaks="stage 2" says="stage 2"
def bytes_per_device(parameters, devices, stage):
    """Bytes of parameters, gradients and states of Adam on each device."""
    sizes = {1: 12, 2: 2, 3: 2}        # states, gradients, parameters, by the stage that shards them
    return sum(size * parameters / (devices if stage == first else 1) for first, size in sizes.items())

# %% wrong="A.1.8" why="stage 3 leaves the parameters" breaks="stage 3" says="stage 3"
def bytes_per_device(parameters, devices, stage):
    """Bytes of parameters, gradients and states of Adam on each device."""
    sizes = {1: 12, 2: 2, 4: 2}        # states, gradients, parameters, by the stage that shards them
    return sum(size * parameters / (devices if stage >= first else 1) for first, size in sizes.items())

# %% wrong="A.1.1" why="computes in place" breaks="arrays" says="x1 after the call"
def symbolic_gradient(x1, x2):
    g = 1 / x1 + x2
    x1 -= np.cos(x2)
    return (g, x1)

# %% wrong="A.1.1" why="a mean over the array" breaks="arrays" says="dy/dx2 for x1"
def symbolic_gradient(x1, x2):
    return (1 / x1 + x2, x1 - np.mean(np.cos(x2)))

# %% wrong="A.1.5" why="divides by the sum of the sizes" breaks="formula" says="not by their sum"
def gradient_error(f, gradient, x):
    x = np.array(x, dtype=float)
    h = 1e-05
    q = np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])
    g = np.asarray(gradient(x))
    return float(np.max(np.abs(g - q) / np.maximum(1, np.abs(g) + np.abs(q))))

# %% wrong="A.1.5" why="one size for all entries" breaks="formula" says="divided by its own size"
def gradient_error(f, gradient, x):
    x = np.array(x, dtype=float)
    h = 1e-05
    q = np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])
    g = np.asarray(gradient(x))
    return float(np.max(np.abs(g - q) / max(1, np.abs(g).max(), np.abs(q).max())))

# %% wrong="A.1.6a" why="takes the operation for an input" breaks="no others" says="called cos and sin"
def needed(graph, result):
    want = {result}
    for name in reversed(graph):
        if name in want:
            want |= set(graph[name])
    return [name for name in graph if name in want]

# %% wrong="A.1.6a" why="two inputs at most" breaks="needed ones" says="names that are missing"
def needed(graph, result):
    want = {result}
    for name in reversed(graph):
        if name in want:
            want |= set(graph[name][1:3])
    return [name for name in graph if name in want]

# %% wrong="A.1.6a" why="drops the others from the graph" breaks="graph kept" says="the graph after the call"
def needed(graph, result):
    want = {result}
    for name in reversed(graph):
        if name in want:
            want |= set(graph[name][1:])
    keys = list(graph)
    for k in keys:
        if k not in want:
            del graph[k]
    return [name for name in graph if name in want]

# %% wrong="A.1.6b" why="a few levels" breaks="any depth" says="two chains of six sines"
def first_of(graph):
    g = {k: tuple(v) for k, v in graph.items()}
    for _ in range(4):
        seen = {}
        first = {k: seen.setdefault(v, k) for k, v in g.items()}
        g = {k: (v[0], *[first.get(s, s) for s in v[1:]]) for k, v in g.items()}
    return first

# %% wrong="A.1.6b" why="joined names" breaks="same operation and inputs" says="the sums of a and bc"
def first_of(graph):
    seen, first = ({}, {})
    for name, (op, *ins) in graph.items():
        key = op + ''.join((first.get(s, s) for s in ins))
        first[name] = seen.setdefault(key, name)
    return first

# %% wrong="A.1.6b" why="two inputs at most" breaks="same operation and inputs" says="an operation of three inputs"
def first_of(graph):
    seen, first = ({}, {})
    for name, (op, *ins) in graph.items():
        key = (op, *[first.get(s, s) for s in ins[:2]])
        first[name] = seen.setdefault(key, name)
    return first

# %% right="A.1.3a" how="one tensor"
def trace(x1, x2):
    a, b = (torch.tensor(float(x1), dtype=torch.float64), torch.tensor(float(x2), dtype=torch.float64))
    return torch.stack([a, b, a.log(), a * b, b.sin(), a.log() + a * b, a.log() + a * b - b.sin()])

# %% right="A.1.3b" how="by torch in float32"
def adjoints(x1, x2):
    v = [torch.tensor(float(t), requires_grad=True) for t in (x1, x2)]
    v += [v[0].log(), v[0] * v[1], v[1].sin()]
    v += [v[2] + v[3]]
    v += [v[5] - v[4]]
    return [g.item() for g in torch.autograd.grad(v[6], v)]

# %% right="A.1.3c" how="by differences"
def tangents(x1, x2, d1, d2):

    def tr(a, b):
        return np.array([a, b, np.log(a), a * b, np.sin(b), np.log(a) + a * b, np.log(a) + a * b - np.sin(b)])
    h = 1e-06
    return (tr(x1 + h * d1, x2 + h * d2) - tr(x1 - h * d1, x2 - h * d2)) / (2 * h)

# %% right="A.1.B" how="an array"
def passes(inputs, results):
    return np.array([inputs, results])

# %% right="A.1.7" how="a string with commas"
traceable = 'A, C, E, F'

# %% right="A.1.8" how="a float32 tensor"
def bytes_per_device(parameters, devices, stage):
    s = [1 if stage < k else devices for k in (3, 2, 1)]
    return torch.tensor(2 * parameters / s[0] + 2 * parameters / s[1] + 12 * parameters / s[2])

# %% wrong="A.1.2a" why="half a step to each side" breaks="central" says="each is to be h away"
def difference_quotients(f, x, i, h):
    step = np.zeros(len(x))
    step[i] = h
    return (f(x + step) - f(x)) / h, (f(x + step / 2) - f(x - step / 2)) / h

# %% wrong="A.1.6b" why="only the doubles are keys" breaks="same operation and inputs" says="Every name of the graph is a key"
def first_of(graph):
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, *(first.get(value, value) for value in inputs))
        if key in seen:
            first[name] = seen[key]
        else:
            seen[key] = name
    return first

# %% wrong="A.1.8" why="stage 1 whatever is asked" breaks="stage 0" says="This is the number of stage 1"
def bytes_per_device(parameters, devices, stage):
    return 4 * parameters + 12 * parameters / devices


# %% wrong="A.1.1" why="the common logarithm" breaks="by x1" says="no factor 1 / ln 10"
def symbolic_gradient(x1, x2):
    return 1 / (x1 * np.log(10)) + x2, x1 - np.cos(x2)

# %% wrong="A.1.1" why="the product by x2 taken for x2" breaks="by x2" says="by x2 is x1"
def symbolic_gradient(x1, x2):
    return 1 / x1 + x2, x2 - np.cos(x2)

# %% wrong="A.1.2a" why="the entry before" breaks="one entry" says="Entry 0 was moved, and entry 1 was not"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i - 1] * h
    return (f(x + e) - f(x)) / h, (f(x + e) - f(x - e)) / (2 * h)

# %% wrong="A.1.2a" why="single precision" breaks="central" says="rounded to float32"
def difference_quotients(f, x, i, h):
    e = np.zeros(len(x), dtype=np.float32)
    e[i] = h
    x = x.astype(np.float32)
    return (f(x + e) - f(x)) / h, (f(x + e) - f(x - e)) / (2 * h)

# %% wrong="A.1.2b" why="the smallest errors in place of the steps" breaks="central" says="This is the least error"
def best_steps(eps):
    h, k = 2 * eps ** 0.5, (3 * eps) ** (1 / 3)
    return h / 2 + 2 * eps / h, k ** 2 / 6 + eps / k

# %% wrong="A.1.3b" why="a sum shares its adjoint out" breaks="middle" says="not shared out"
def adjoints(x1, x2):
    return [0.5 * x2 + 0.5 / x1, 0.5 * x1 - np.cos(x2), 0.5, 0.5, -1., 1., 1.]

# %% wrong="A.1.3b" why="y in place of its derivative by itself" breaks="order" says="This is the value of y"
def adjoints(x1, x2):
    return [x2 + 1 / x1, x1 - np.cos(x2), 1., 1., -1., 1., np.log(x1) + x1 * x2 - np.sin(x2)]

# %% wrong="A.1.3b" why="multiplies the contributions" breaks="inputs" says="are added, not multiplied"
def adjoints(x1, x2):
    return [x2 / x1, -x1 * np.cos(x2), 1., 1., -1., 1., 1.]

# %% wrong="A.1.3c" why="the values of v1 and v2 in place of their tangents" breaks="unit directions" says="This is v1 itself"
def tangents(x1, x2, d1, d2):
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    return [x1, x2, t3, t4, t5, t3 + t4, t3 + t4 - t5]

# %% wrong="A.1.B" why="counts the way forward on its own" breaks="reverse" says="The way forward belongs to the pass"
def passes(inputs, results):
    return inputs, results + 1

# %% wrong="A.1.4" why="central with the point in the middle" breaks="counts" says="does not need the point in the middle"
def operations(N):
    return {"symbolic": N * N, "one-sided": N * N, "central": 3 * N * N, "forward mode": 2 * N * N, "reverse mode": 3 * N}

# %% wrong="A.1.5" why="the smallest" breaks="formula" says="not the smallest"
def gradient_error(f, gradient, x):
    g, h = gradient(x), 1e-5
    q = np.array([(f(x + e) - f(x - e)) / (2 * h) for e in np.eye(len(x)) * h])
    return float(np.min(np.abs(g - q) / np.maximum(1, np.maximum(np.abs(g), np.abs(q)))))

# %% wrong="A.1.5" why="all errors" breaks="formula" says="the largest of the errors"
def gradient_error(f, gradient, x):
    g, h = gradient(x), 1e-5
    q = np.array([(f(x + e) - f(x - e)) / (2 * h) for e in np.eye(len(x)) * h])
    return np.abs(g - q) / np.maximum(1, np.maximum(np.abs(g), np.abs(q)))

# %% wrong="A.1.5" why="the last entry is left out" breaks="every entry" says="Entry 2 is wrong, and its error is not in your result"
def gradient_error(f, gradient, x):
    g, h, worst = gradient(x), 1e-5, 0.
    for i in range(len(x) - 1):
        e = np.eye(len(x))[i] * h
        q = (f(x + e) - f(x - e)) / (2 * h)
        worst = max(worst, abs(g[i] - q) / max(1, abs(g[i]), abs(q)))
    return worst

# %% wrong="A.1.6a" why="for the last entry" breaks="no others" says="These are the names for the last entry"
def needed(graph, result):
    wanted = {list(graph)[-1]}
    for n in reversed(graph):
        if n in wanted:
            wanted.update(graph[n][1:])
    return [n for n in graph if n in wanted]

# %% wrong="A.1.6b" why="a word that is an operation is replaced like an input" breaks="same operation and inputs" says="The first word of an entry is the operation"
def first_of(graph):
    seen, first = {}, {}
    for n, e in graph.items():
        key = tuple(first.get(m, m) for m in e)
        first[n] = seen.setdefault(key, n)
    return first

# %% wrong="A.1.6b" why="the equal one before" breaks="same operation and inputs" says="not the one before"
def first_of(graph):
    seen, first, before = {}, {}, {}
    for n, (op, *ins) in graph.items():
        key = (op, *(first.get(m, m) for m in ins))
        first[n] = seen.setdefault(key, n)
        before[n], seen["last", key] = seen.get(("last", key), n), n
    return before

# %% wrong="A.1.7" why="small letters" breaks="letters" says="none of the letters A to G"
traceable = {"a", "c", "e", "f"}

# %% wrong="A.1.8" why="all devices together" breaks="stage 0" says="the sum over all devices"
def bytes_per_device(parameters, devices, stage):
    share = [2 / (devices if stage > 2 else 1), 2 / (devices if stage > 1 else 1), 12 / (devices if stage > 0 else 1)]
    return devices * parameters * sum(share)

# %% wrong="A.1.8" why="the states alone in stage 3" breaks="stage 3" says="and 12 are divided"
def bytes_per_device(parameters, devices, stage):
    return parameters * [16, 4 + 12 / devices, 2 + 14 / devices, 12 / devices][stage]

# %% wrong="A.1.8" why="no states in stage 0" breaks="stage 0" says="the optimizer's states take room, too"
def bytes_per_device(parameters, devices, stage):
    return parameters * [4, 4 + 12 / devices, 2 + 14 / devices, 16 / devices][stage]

# %% wrong="A.1.1" why="the logarithm by the other variable" breaks="by x1" says="enters it through x1 x2 alone"
def symbolic_gradient(x1, x2):
    return 1 / x2 + x2 if np.all(x2) else x2, x1 - np.cos(x2)

# %% wrong="A.1.1" why="the slope of 1 / x" breaks="by x1" says="-1 / x² is that of 1 / x"
def symbolic_gradient(x1, x2):
    return -1 / x1 ** 2 + x2, x1 - np.cos(x2)

# %% wrong="A.1.2a" why="both points ahead" breaks="central" says="here they are x and x + 2h"
def difference_quotients(f, x, i, h):
    e = np.zeros(len(x)); e[i] = h
    one = (f(x + e) - f(x)) / h
    two = (f(x + 2 * e) - f(x)) / (2 * h)
    return one, two

# %% wrong="A.1.2a" why="the difference the other way round" breaks="one-sided" says="What is ahead comes first"
def difference_quotients(f, x, i, h):
    e = np.zeros(len(x)); e[i] = h
    return (f(x) - f(x + e)) / h, (f(x - e) - f(x + e)) / (2 * h)

# %% wrong="A.1.2b" why="an exponent without brackets" breaks="central" says="an exponent that is a fraction needs brackets"
def best_steps(eps):
    return (4 * eps) ** (1 / 2), (3 * eps) ** 1 / 3

# %% wrong="A.1.3b" why="the slope of the cosine in place of that of the sine" breaks="inputs" says="that of the cosine"
def adjoints(x1, x2):
    return [1 / x1 + x2, x1 + np.sin(x2), 1., 1., -1., 1., 1.]

# %% wrong="A.1.3b" why="values in place of derivatives" breaks="middle" says="This is the value of v5 with a minus"
def adjoints(x1, x2):
    return [1 / x1 + x2, x1 - np.cos(x2), np.log(x1), x1 * x2, -np.sin(x2), 1., 1.]

# %% wrong="A.1.3c" why="the minus of v5 too early" breaks="unit directions" says="that of v5 comes in v7"
def tangents(x1, x2, d1, d2):
    d3 = d1 / x1; d4 = d1 * x2 + x1 * d2; d5 = -np.cos(x2) * d2
    return [d1, d2, d3, d4, d5, d3 + d4, d3 + d4 + d5]

# %% wrong="A.1.3c" why="multiplies by v1" breaks="unit directions" says="divided by v1, not multiplied"
def tangents(x1, x2, d1, d2):
    d3 = x1 * d1; d4 = d1 * x2 + x1 * d2; d5 = np.cos(x2) * d2
    return [d1, d2, d3, d4, d5, d3 + d4, d3 + d4 - d5]

# %% wrong="A.1.3c" why="v6 without v3" breaks="unit directions" says="The tangent of v3 is missing"
def tangents(x1, x2, d1, d2):
    d3 = d1 / x1; d4 = d1 * x2 + x1 * d2; d5 = np.cos(x2) * d2
    return [d1, d2, d3, d4, d5, d4, d4 - d5]

# %% wrong="A.1.5" why="the signed difference" breaks="formula" says="whichever is taken from the other"
def gradient_error(f, gradient, x):
    h = 1e-5
    g = gradient(x); q = np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])
    return float(np.max((q - g) / np.maximum(1, np.maximum(np.abs(g), np.abs(q)))))

# %% wrong="A.1.5" why="a verdict in place of a number" breaks="right gradient" says="not whether it is small"
def gradient_error(f, gradient, x):
    h = 1e-5
    g = gradient(x); q = np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])
    return np.allclose(g, q)

# %% wrong="A.1.5" why="squares the difference" breaks="formula" says="The difference is not squared"
def gradient_error(f, gradient, x):
    h = 1e-5
    g = gradient(x); q = np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])
    return float(np.max((g - q) ** 2 / np.maximum(1, np.maximum(np.abs(g), np.abs(q)))))

# %% wrong="A.1.5" why="divides by h" breaks="right gradient" says="and a division by h"
def gradient_error(f, gradient, x):
    h = 1e-5
    g = gradient(x); q = np.array([(f(x + h * e) - f(x - h * e)) / h for e in np.eye(len(x))])
    return float(np.max(np.abs(g - q) / np.maximum(1, np.maximum(np.abs(g), np.abs(q)))))

# %% wrong="A.1.8" why="divides by the stage" breaks="stage 1" says="divided by the stage plus 1"
def bytes_per_device(parameters, devices, stage):
    return 16 * parameters / (stage + 1)

# %% wrong="A.1.8" why="the stages in the other order" breaks="stage 1" says="here it is 2 of the 4 others"
def bytes_per_device(parameters, devices, stage):
    p, g, s = [n * parameters / (devices if stage >= k else 1) for n, k in ((2, 1), (2, 2), (12, 3))]
    return p + g + s

# %% right="A.1.B" how="a count"
def passes(inputs, results):
    return sum(1 for _ in range(inputs)), len(list(range(results)))

# %% right="A.1.3c" how="the complex step"
def tangents(x1, x2, d1, d2):
    h = 1e-20
    a, b = x1 + 1j * h * d1, x2 + 1j * h * d2
    v = [a, b, np.log(a), a * b, np.sin(b)]
    v.append(v[2] + v[3]); v.append(v[5] - v[4])
    return [float(np.imag(t) / h) for t in v]

# %% right="A.1.4" how="sums and products"
def operations(N):
    run = N
    ops = {}
    ops["one-sided"] = (N + 1) * run
    ops["central"] = 2 * N * run
    ops["symbolic"] = sum(N for _ in range(N))
    ops["forward mode"] = N * (run + run)
    ops["reverse mode"] = run + 2 * run
    return ops

# %% wrong="A.1.A" why="one more is added with each step" breaks="count" says="From 4 it does not grow by 3"
def letters(steps):
    return 1 + steps * (steps + 1) // 2

# %% wrong="A.1.A" why="the visible numbers in a table" breaks="count" says="Every further step doubles"
def letters(steps):
    return {0: 1, 1: 2, 2: 4, 3: 8}.get(steps, 0)

# %% wrong="A.1.1" why="sums over the array" breaks="arrays" says="the shape of dy/dx1"
def symbolic_gradient(x1, x2):
    return np.sum(1 / x1 + x2), np.sum(x1 - np.cos(x2))

# %% wrong="A.1.1" why="y stands before its derivatives" breaks="by x1" says="and nothing else"
def symbolic_gradient(x1, x2):
    return np.log(x1) + x1 * x2 - np.sin(x2), 1 / x1 + x2, x1 - np.cos(x2)

# %% wrong="A.1.2a" why="the entries that do not move are set to 0" breaks="one entry" says="Move entry i alone"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i]
    p = e * x
    return (f(p + h * e) - f(p)) / h, (f(p + h * e) - f(p - h * e)) / (2 * h)

# %% wrong="A.1.2a" why="the point behind is made from the one ahead" breaks="central" says="It needs f with entry 1 at x_i - h"
def difference_quotients(f, x, i, h):
    ahead = x.astype(float)
    ahead[i] += h
    behind = ahead.copy()
    behind[i] -= h
    return (f(ahead) - f(x)) / h, (f(ahead) - f(behind)) / (2 * h)

# %% wrong="A.1.3b" why="the mean of the contributions" breaks="inputs" says="half of their sum"
def adjoints(x1, x2):
    return [(1 / x1 + x2) / 2, (x1 - np.cos(x2)) / 2, 1., 1., -1., 1., 1.]

# %% wrong="A.1.3b" why="the slope of the sine at the other input" breaks="inputs" says="its slope is that at v2"
def adjoints(x1, x2):
    return [1 / x1 + x2, x1 - np.cos(x1), 1., 1., -1., 1., 1.]

# %% wrong="A.1.3c" why="the product rule with a minus" breaks="unit directions" says="here the second is taken from the first"
def tangents(x1, x2, d1, d2):
    t3, t4, t5 = d1 / x1, d1 * x2 - x1 * d2, np.cos(x2) * d2
    return [d1, d2, t3, t4, t5, t3 + t4, t3 + t4 - t5]

# %% wrong="A.1.3c" why="the tangents do not enter the product" breaks="unit directions" says="as if both were 1"
def tangents(x1, x2, d1, d2):
    t3, t4, t5 = 1 / x1, x1 + x2, np.cos(x2)
    return [d1, d2, t3, t4, t5, t3 + t4, t3 + t4 - t5]

# %% wrong="A.1.3c" why="values and tangents in pairs" breaks="length" says="the tangents alone"
def tangents(x1, x2, d1, d2):
    v3, v4, v5 = np.log(x1), x1 * x2, np.sin(x2)
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    return [(x1, d1), (x2, d2), (v3, t3), (v4, t4), (v5, t5), (v3 + v4, t3 + t4), (v3 + v4 - v5, t3 + t4 - t5)]

# %% wrong="A.1.4" why="the swell doubles the formula for each parameter" breaks="counts" says="it is to be 4 times as large"
def operations(N):
    return {"symbolic": 2 ** N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": 2 * N * N, "reverse mode": 3 * N}

# %% wrong="A.1.4" why="runs in place of operations" breaks="counts" says="There are N passes, and each costs 2 N"
def operations(N):
    return {"symbolic": N, "one-sided": N + 1, "central": 2 * N, "forward mode": 2 * N, "reverse mode": 3}

# %% wrong="A.1.5" why="one direction for all entries" breaks="formula" says="You move several entries at a time"
def gradient_error(f, gradient, x):
    h, g = 1e-5, gradient(x)
    d = np.ones(len(x)) / np.sqrt(len(x))
    q, s = (f(x + h * d) - f(x - h * d)) / (2 * h), g @ d
    return abs(s - q) / max(1, abs(s), abs(q))

# %% wrong="A.1.5" why="divides by the mean of the sizes" breaks="formula" says="not by their mean"
def gradient_error(f, gradient, x):
    h, g = 1e-5, gradient(x)
    q = np.array([(f(x + e) - f(x - e)) / (2 * h) for e in np.eye(len(x)) * h])
    return float(np.max(np.abs(g - q) / np.maximum(1, (abs(g) + abs(q)) / 2)))

# %% wrong="A.1.5" why="in per cent" breaks="formula" says="not in per cent"
def gradient_error(f, gradient, x):
    h, g = 1e-5, gradient(x)
    q = np.array([(f(x + e) - f(x - e)) / (2 * h) for e in np.eye(len(x)) * h])
    return 100 * float(np.max(np.abs(g - q) / np.maximum(1, np.maximum(abs(g), abs(q)))))

# %% wrong="A.1.6a" why="a set" breaks="order" says="they have an order"
def needed(graph, result):
    wanted = {result}
    for name in reversed(graph):
        if name in wanted:
            wanted.update(graph[name][1:])
    return wanted & set(graph)

# %% wrong="A.1.6b" why="sums and products in both orders are merged" breaks="order of the inputs" says="No rule of arithmetic counts"
def first_of(graph):
    seen, first = {}, {}
    for name, (op, *inputs) in graph.items():
        key = [first.get(i, i) for i in inputs]
        first[name] = seen.setdefault((op, *(sorted(key) if op in ("add", "mul") else key)), name)
    return first

# %% wrong="A.1.6b" why="the entry in place of its name" breaks="same operation and inputs" says="Each value is one name"
def first_of(graph):
    seen, first = {}, {}
    for name, (op, *inputs) in graph.items():
        first[name] = seen.setdefault((op, *(first.get(i, i) for i in inputs)), graph[name])
    return first

# %% wrong="A.1.8" why="in kibibytes" breaks="stage 0" says="These are kibibytes"
def bytes_per_device(parameters, devices, stage):
    p, g, s = 2 * parameters, 2 * parameters, 12 * parameters
    if stage > 0: s /= devices
    if stage > 1: g /= devices
    if stage > 2: p /= devices
    return (p + g + s) / 1024

# %% wrong="A.1.8" why="stage 3 leaves the gradients whole" breaks="stage 3" says="the parameters and the gradients are both divided"
def bytes_per_device(parameters, devices, stage):
    p, g, s = 2 * parameters, 2 * parameters, 12 * parameters
    if stage == 1: s /= devices
    if stage == 2: s /= devices; g /= devices
    if stage == 3: p /= devices; s /= devices
    return p + g + s

# %% right="A.1.5" how="a float copy, moved in place and put back"
def gradient_error(f, gradient, x):
    y = np.array(x, dtype=np.float64)
    h = np.finfo(float).eps ** (1 / 3)
    q = np.empty(len(y))
    for i, value in enumerate(x):
        y[i] = value + h
        up = f(y)
        y[i] = value - h
        q[i] = (up - f(y)) / (2 * h)
        y[i] = value
    g = gradient(y)
    return np.max(np.abs(g - q) / np.maximum.reduce([np.ones(len(y)), np.abs(g), np.abs(q)]))

# %% right="A.1.6b" how="numbers in place of names"
def first_of(graph):
    number, firsts, table = {}, [], {}
    for name, entry in graph.items():
        key = (entry[0],) + tuple(("in", number[i]) if i in number else ("out", i) for i in entry[1:])
        if key not in table:
            table[key] = len(firsts)
            firsts.append(name)
        number[name] = table[key]
    return {name: firsts[k] for name, k in number.items()}

# %% right="A.1.3c" how="a class of dual numbers"
def tangents(x1, x2, d1, d2):
    class Dual:
        def __init__(self, v, t): self.v, self.t = v, t
        def __add__(self, o): return Dual(self.v + o.v, self.t + o.t)
        def __sub__(self, o): return Dual(self.v - o.v, self.t - o.t)
        def __mul__(self, o): return Dual(self.v * o.v, self.t * o.v + self.v * o.t)
        def log(self): return Dual(np.log(self.v), self.t / self.v)
        def sin(self): return Dual(np.sin(self.v), self.t * np.cos(self.v))
    a, b = Dual(x1, d1), Dual(x2, d2)
    v = [a, b, a.log(), a * b, b.sin()]
    v.append(v[2] + v[3]); v.append(v[5] - v[4])
    return [d.t for d in v]

# %% right="A.1.2a" how="a list, entry by entry"
def difference_quotients(f, x, i, h):
    def at(shift):
        return f(np.array([float(v) + (shift if j == i else 0.) for j, v in enumerate(x)]))
    plus, here, minus = at(h), at(0.), at(-h)
    return (plus - here) / h, (plus - minus) / h / 2

# %% right="A.1.1" how="SymPy's formula"
def symbolic_gradient(x1, x2):
    import sympy
    a, b = sympy.symbols("a b")
    y = sympy.log(a) + a * b - sympy.sin(b)
    return tuple(sympy.lambdify((a, b), sympy.diff(y, v), "numpy")(x1, x2) for v in (a, b))

# %% wrong="A.1.1" why="the product of the two slopes" breaks="by x1" says="yours is the product of 1 / x1 and x2"
def symbolic_gradient(x1, x2):
    return x2 / x1, x1 - np.cos(x2)

# %% wrong="A.1.2a" why="divides by 4h" breaks="central" says="yours is half of that quotient"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i] * h
    return (f(x + e) - f(x)) / h, (f(x + e) - f(x - e)) / h / 4

# %% wrong="A.1.2a" why="the sum of the two values" breaks="central" says="not their sum"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i] * h
    return (f(x + e) - f(x)) / h, (f(x + e) + f(x - e)) / (2 * h)

# %% wrong="A.1.3b" why="the slope of the logarithm with a minus" breaks="inputs" says="What v3 contributes, 1 / v1, is added"
def adjoints(x1, x2):
    return [-1 / x1 + x2, x1 - np.cos(x2), 1., 1., -1., 1., 1.]

# %% wrong="A.1.5" why="the median" breaks="formula" says="not the one in the middle"
def gradient_error(f, gradient, x):
    h, g = 1e-5, gradient(x)
    q = np.array([(f(x + e) - f(x - e)) / (2 * h) for e in np.eye(len(x)) * h])
    return float(np.median(np.abs(g - q) / np.maximum(1, np.maximum(abs(g), abs(q)))))

# %% wrong="A.1.5" why="divides by the root of a sum of squares" breaks="formula" says="not by the root of the sum of their squares"
def gradient_error(f, gradient, x):
    h, g = 1e-5, gradient(x)
    q = np.array([(f(x + e) - f(x - e)) / (2 * h) for e in np.eye(len(x)) * h])
    return float(np.max(np.abs(g - q) / np.sqrt(1 + g ** 2 + q ** 2)))

# %% wrong="A.1.8" why="one device less" breaks="stage 1" says="and not by one less"
def bytes_per_device(parameters, devices, stage):
    p, g, s = 2 * parameters, 2 * parameters, 12 * parameters
    d = max(devices - 1, 1)
    if stage > 0: s /= d
    if stage > 1: g /= d
    if stage > 2: p /= d
    return p + g + s

# %% wrong="A.1.A" why="the recursion ends at one step" breaks="count" says="Two is the number after one step"
def letters(steps):
    if steps <= 1:
        return 2
    return 2 * letters(steps - 1)

# %% wrong="A.1.A" why="the x of before is counted once more" breaks="count" says="not counted once more"
def letters(steps):
    n = 1
    for _ in range(steps):
        n = 2 * n + 1
    return n

# %% wrong="A.1.A" why="squares from the second step on" breaks="count" says="from 4 to 4 times 4"
def letters(steps):
    n = 1
    for k in range(steps):
        n = 2 if k == 0 else n * n
    return n

# %% wrong="A.1.1" why="the cosine of the module math" breaks="arrays" says="take single numbers"
import math
def symbolic_gradient(x1, x2):
    return 1 / x1 + x2, x1 - math.cos(x2)

# %% wrong="A.1.1" why="one over the sum" breaks="by x1" says="Where x2 = 0 yours is right"
def symbolic_gradient(x1, x2):
    return 1 / (x1 + x2), x1 - np.cos(x2)

# %% right="A.1.2b" how="both errors equal, an array"
def best_steps(eps):
    return np.array([np.sqrt(4 * eps), np.cbrt(6 * eps)])

# %% wrong="A.1.3a" why="v4 and v5 exchanged" breaks="values" says="This is the value of v5"
def trace(x1, x2):
    v3, v4, v5 = np.log(x1), np.sin(x2), x1 * x2
    return [x1, x2, v3, v4, v5, v3 + v5, v3 + v5 - v4]

# %% wrong="A.1.3a" why="v5 minus v6" breaks="values" says="in this order"
def trace(x1, x2):
    v = [x1, x2, np.log(x1), x1 * x2, np.sin(x2)]
    v.append(v[2] + v[3])
    v.append(v[4] - v[5])
    return v

# %% wrong="A.1.3b" why="the slope of the sine at v5" breaks="inputs" says="not at its value v5"
def adjoints(x1, x2):
    v5 = np.sin(x2)
    return [1 / x1 + x2, x1 - np.cos(v5), 1., 1., -1., 1., 1.]

# %% wrong="A.1.4" why="formulas of twice the size" breaks="counts" says="their swell is not counted here"
def operations(N):
    return {"symbolic": 2 * N ** 2, "one-sided": N ** 2 + N, "central": 2 * N ** 2, "forward mode": 2 * N ** 2, "reverse mode": 3 * N}

# %% wrong="A.1.5" why="only the claimed entry is in the divisor" breaks="formula" says="Where q is larger than g"
def gradient_error(f, gradient, x):
    g = gradient(x)
    q = np.array([(f(x + e) - f(x - e)) / 2e-5 for e in 1e-5 * np.eye(len(x))])
    return float(np.max(np.abs(g - q) / np.maximum(1, np.abs(g))))

# %% wrong="A.1.8" why="parameters in float32" breaks="stage 0" says="In yours 18 bytes"
def bytes_per_device(parameters, devices, stage):
    parts = [12, 2, 4]
    return sum(size * parameters / (devices if k < stage else 1) for k, size in enumerate(parts))

# %% wrong="A.1.A" why="the factor 4 counts" breaks="count" says="the 4 in 4 * x * (1 - x) is a factor"
def letters(steps):
    return 4 ** steps

# %% wrong="A.1.1" why="the terms of y themselves" breaks="by x1" says="their slope is asked"
def symbolic_gradient(x1, x2):
    return np.log(x1) + x1 * x2, x1 - np.cos(x2)

# %% wrong="A.1.1" why="the cosine of x1" breaks="by x2" says="here the cosine is taken of x1"
def symbolic_gradient(x1, x2):
    return 1 / x1 + x2, x1 - np.cos(x1)

# %% wrong="A.1.1" why="difference quotients" breaks="by x1" says="as a difference quotient is"
def symbolic_gradient(x1, x2):
    return (np.log(x1 + 1e-3) - np.log(x1)) / 1e-3 + x2, x1 - np.cos(x2)

# %% wrong="A.1.2a" why="absolute values" breaks="one-sided" says="The sign counts"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i] * h
    return abs(f(x + e) - f(x)) / h, (f(x + e) - f(x - e)) / (2 * h)

# %% wrong="A.1.2a" why="the second difference" breaks="central" says="belongs to the second derivative"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i] * h
    return (f(x + e) - f(x)) / h, (f(x + e) - 2 * f(x) + f(x - e)) / h ** 2

# %% wrong="A.1.2a" why="a single number for f" breaks="one entry" says="f takes a vector"
def difference_quotients(f, x, i, h):
    return (f(x[i] + h) - f(x[i])) / h, (f(x[i] + h) - f(x[i] - h)) / (2 * h)

# %% wrong="A.1.3a" why="v6 without v3" breaks="values" says="v5 comes in v7 alone"
def trace(x1, x2):
    v3, v4, v5 = np.log(x1), x1 * x2, np.sin(x2)
    return [x1, x2, v3, v4, v5, v4 - v5, v3 + v4 - v5]

# %% wrong="A.1.3b" why="twice the sum" breaks="inputs" says="this is twice their sum"
def adjoints(x1, x2):
    return [2 * (1 / x1 + x2), 2 * (x1 - np.cos(x2)), 1., 1., -1., 1., 1.]

# %% wrong="A.1.3c" why="the cosine of v1" breaks="unit directions" says="not that at v1"
def tangents(x1, x2, d1, d2):
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x1) * d2
    return [d1, d2, t3, t4, t5, t3 + t4, t3 + t4 - t5]

# %% wrong="A.1.3c" why="no sign of the direction in the product" breaks="any direction" says="enters with its sign"
def tangents(x1, x2, d1, d2):
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * abs(d2), np.cos(x2) * d2
    return [d1, d2, t3, t4, t5, t3 + t4, t3 + t4 - t5]

# %% wrong="A.1.6b" why="operations alone" breaks="same operation and inputs" says="Equal operations are not enough"
def first_of(graph):
    seen = {}
    return {name: seen.setdefault(entry[0], name) for name, entry in graph.items()}

# %% wrong="A.1.8" why="the bytes of one parameter" breaks="stage 0" says="of a single parameter"
def bytes_per_device(parameters, devices, stage):
    return (16, 4 + 12 / devices, 2 + 14 / devices, 16 / devices)[stage]

# %% wrong="A.1.2a" why="the mean of two one-sided quotients, one with the wrong sign" breaks="central" says="that behind has the wrong sign"
def difference_quotients(f, x, i, h):
    e = np.eye(len(x))[i] * h
    ahead, behind = (f(x + e) - f(x)) / h, (f(x - e) - f(x)) / h
    return ahead, (ahead + behind) / 2

# %% wrong="A.1.3b" why="the inputs as if nothing led from them to y" breaks="inputs" says="the derivative of v1 by itself"
def adjoints(x1, x2):
    return [1., 1., 1., 1., -1., 1., 1.]

# %% wrong="A.1.3c" why="the result divided by the length of the direction" breaks="any direction" says="not divided by its length"
def tangents(x1, x2, d1, d2):
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    return [d1, d2, t3, t4, t5, t3 + t4, (t3 + t4 - t5) / np.hypot(d1, d2)]

# %% wrong="A.1.8" why="gradients in float32" breaks="stage 0" says="2 for the parameter itself, 4 for its gradient"
def bytes_per_device(parameters, devices, stage):
    p, g, s = 2, 4, 12
    return parameters * (p / (devices if stage == 3 else 1) + g / (devices if stage >= 2 else 1) + s / (devices if stage >= 1 else 1))

# %% wrong="A.1.3b" why="the factors of the product exchanged" breaks="inputs" says="hands each factor the other one"
def adjoints(x1, x2):
    return [1 / x1 + x1, x2 - np.cos(x2), 1.0, 1.0, -1.0, 1.0, 1.0]

# %% wrong="A.1.5" why="moves x in place and back: rounding stays" breaks="x kept" says="left another last digit"
def gradient_error(f, gradient, x):
    g, h, worst = np.asarray(gradient(x)), 1e-5, 0.0
    for i in range(len(x)):
        x[i] += h
        up = f(x)
        x[i] -= 2 * h
        down = f(x)
        x[i] += h
        q = (up - down) / (2 * h)
        worst = max(worst, abs(g[i] - q) / max(1, abs(g[i]), abs(q)))
    return worst

# %% right="A.1.5" how="x moved in place, and its entry put back"
def gradient_error(f, gradient, x):
    g, h, worst = np.asarray(gradient(x)), 1e-5, 0.0
    for i in range(len(x)):
        kept = x[i]
        x[i] = kept + h
        up = f(x)
        x[i] = kept - h
        down = f(x)
        x[i] = kept
        q = (up - down) / (2 * h)
        worst = max(worst, abs(g[i] - q) / max(1, abs(g[i]), abs(q)))
    return worst

# %% wrong="A.1.1" why="a row for each place" breaks="arrays" says="both derivatives at one place"
def symbolic_gradient(x1, x2):
    return np.stack([1 / x1 + x2, x1 - np.cos(x2)], axis=-1)

# %% wrong="A.1.3c" why="the slope of the cosine for v5" breaks="unit directions" says="-sin x is that of cos x"
def tangents(x1, x2, d1, d2):
    a, b, c = d1 / x1, d1 * x2 + x1 * d2, -np.sin(x2) * d2
    return [d1, d2, a, b, c, a + b, a + b - c]


# %% wrong="A.1.A" why="counts the letters of all steps together" breaks="count" says="not counted once more"
def letters(steps):
    return 2 ** (steps + 1) - 1


# %% wrong="A.1.A" why="adds two a step" breaks="count" says="Yours adds two in each step"
def letters(steps):
    return 1 + 2 * steps


# %% wrong="A.1.2b" why="integer division 1 // 3" breaks="central" says="any number to the power of 0"
def best_steps(eps):
    return 2 * np.sqrt(eps), (3 * eps) ** (1 // 3)


# %% wrong="A.1.2b" why="the error of rounding is taken as eps h, the best step as eps" breaks="one-sided" says="not like a root of it"
def best_steps(eps):
    return 4 * eps, 3 * eps


# %% wrong="A.1.3c" why="the last is taken as the adjoint, 1" breaks="unit directions" says="but that is an adjoint"
def tangents(x1, x2, d1, d2):
    d3, d4, d5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    return [d1, d2, d3, d4, d5, d3 + d4, 1.0]


# %% wrong="A.1.B" why="exchanged" breaks="forward" says="The two numbers are exchanged"
def passes(inputs, results):
    return results, inputs


# %% wrong="A.1.4" why="counts runs, not operations" breaks="counts" says="together these are N times N"
def operations(N):
    return {"symbolic": N, "one-sided": N + 1, "central": 2 * N, "forward mode": 2 * N, "reverse mode": 3}


# %% wrong="A.1.6a" why="recursion, too deep for long chains" breaks="long chains" says="A loop does not"
def needed(graph, result):
    def below(name):
        found = {name}
        for source in graph[name][1:]:
            if source in graph:
                found |= below(source)
        return found
    names = below(result)
    return [name for name in graph if name in names]


# %% wrong="A.1.8" why="states of 8 bytes, as for two float32" breaks="stage 0" says="8 for the states"
def bytes_per_device(parameters, devices, stage):
    return parameters * [12, 4 + 8 / devices, 2 + 10 / devices, 12 / devices][stage]


# %% right="A.1.2b" how="a search on a grid"
def best_steps(eps):
    h = 10.0 ** np.arange(-20, 1, 0.01)
    return float(h[np.argmin(h / 2 + 2 * eps / h)]), float(h[np.argmin(h ** 2 / 6 + eps / h)])


# %% right="A.1.6a" how="grows until nothing changes, over the entries from the end"
def needed(graph, result):
    keep = [result]
    for name, (operation, *inputs) in reversed(graph.items()):
        if name in keep:
            keep += [one for one in inputs if one in graph]
    return sorted(set(keep), key=list(graph).index)


# %% right="A.1.6b" how="numbers for the values"
def first_of(graph):
    number, known, first = {}, {}, {}
    for name, (operation, *inputs) in graph.items():
        key = operation, tuple(number.get(one, ("outside", one)) for one in inputs)
        if key not in known:
            known[key] = len(known), name
        number[name], first[name] = known[key]
    return first

# %% wrong="A.1.4" why="forward mode: the values once, the tangents in each pass" breaks="counts" says="the values anew each time"
def operations(N):
    return {"symbolic": N * N, "one-sided": N * (N + 1), "central": 2 * N * N, "forward mode": N + N * N, "reverse mode": 3 * N}

# %% wrong="A.1.6a" why="every entry up to the result" breaks="no others" says="Yours has every entry up to c"
def needed(graph, result):
    names = list(graph)
    return names[:names.index(result) + 1]
