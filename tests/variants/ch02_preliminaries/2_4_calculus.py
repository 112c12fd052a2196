# %% right="2.4.A" how="the slope between two named points"
def difference_quotient(f, x, h):
    there = x + h
    return (f(there) - f(x)) / (there - x)

# %% right="2.4.A" how="both differences exchanged: the signs cancel"
def difference_quotient(f, x, h):
    return (f(x) - f(x + h)) / -h

# %% wrong="2.4.A" why="forgets to divide by h" breaks="quotient" says="not divided by h"
def difference_quotient(f, x, h):
    return f(x + h) - f(x)

# %% wrong="2.4.A" why="the central quotient" breaks="quotient" says="h to the left and h to the right"
def difference_quotient(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)

# %% wrong="2.4.A" why="looks to the other side" breaks="quotient" says="between x - h and x"
def difference_quotient(f, x, h):
    return (f(x) - f(x - h)) / h

# %% wrong="2.4.A" why="divides by x" breaks="quotient" says="Divide by h, not by x"
def difference_quotient(f, x, h):
    return (f(x + h) - f(x)) / x

# %% wrong="2.4.A" why="whole-number division" breaks="quotient" says="The fraction is cut off"
def difference_quotient(f, x, h):
    return (f(x + h) - f(x)) // h

# %% wrong="2.4.A" why="divides by the absolute value of h" breaks="from the left" says="one of the two has lost"
def difference_quotient(f, x, h):
    return (f(x + h) - f(x)) / abs(h)

# %% wrong="2.4.A" why="turns negative steps round" breaks="from the left" says="This is the quotient for h = +0.5"
def difference_quotient(f, x, h):
    h = abs(h)
    return (f(x + h) - f(x)) / h

# %% right="2.4.B" how="a generator and next"
def vanishing_step(x):
    return next(10.0 ** -k for k in range(1, 21) if x + 10.0 ** -k == x)

# %% right="2.4.B" how="from the smallest step up, until one counts"
def vanishing_step(x):
    k = 20
    while x + 10.0 ** -(k - 1) == x:
        k -= 1
    return 10.0 ** -k

# %% right="2.4.B" how="the width of the gap above x"
def vanishing_step(x):
    return 10.0 ** math.floor(math.log10((math.nextafter(x, math.inf) - x) / 2))

# %% wrong="2.4.B" why="the smallest step that still counts" breaks="vanishes" says="still changes 1.0"
def vanishing_step(x):
    k = 1
    while x + 10.0 ** -(k + 1) != x:
        k += 1
    return 10.0 ** -k

# %% wrong="2.4.B" why="starts with the smallest step" breaks="largest" says="the smallest of the steps"
def vanishing_step(x):
    for k in range(20, 0, -1):
        if x + 10.0 ** -k == x:
            return 10.0 ** -k

# %% wrong="2.4.B" why="a constant for numbers near 1" breaks="size of x" says="-5000.0"
def vanishing_step(x):
    return 1e-16

# %% wrong="2.4.B" why="scales with x, in the wrong direction" breaks="size of x" says="-5000.0"
def vanishing_step(x):
    return 1e-16 / abs(x)

# %% wrong="2.4.B" why="k in place of the step" breaks="vanishes" says="wrong type"
def vanishing_step(x):
    for k in range(1, 21):
        if x + 10.0 ** -k == x:
            return k

# %% right="2.4.1a" how="Pascal's triangle"
def quotient_coefficients(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    return row[1:]

# %% right="2.4.1a" how="each coefficient from the one before"
def quotient_coefficients(n):
    found, now = [], 1
    for k in range(1, n + 1):
        now = now * (n - k + 1) // k
        found.append(now)
    return tuple(found)

# %% wrong="2.4.1a" why="the coefficient of x to the n as well" breaks="coefficients" says="xⁿ cancels"
def quotient_coefficients(n):
    return [math.comb(n, k) for k in range(n + 1)] if n else []

# %% wrong="2.4.1a" why="in reverse order" breaks="coefficients" says="in reverse order"
def quotient_coefficients(n):
    return [math.comb(n, k) for k in range(n)]

# %% wrong="2.4.1a" why="n, n - 1, ..." breaks="coefficients" says="brackets are chosen in another number of ways"
def quotient_coefficients(n):
    return list(range(n, 0, -1))

# %% wrong="2.4.1a" why="a zero for the constant" breaks="constant" says="the list for n = 0"
def quotient_coefficients(n):
    return [math.comb(n, k) for k in range(1, n + 1)] or [0]

# %% wrong="2.4.1a" why="the limit only" breaks="coefficients" says="the list for n = 2"
def quotient_coefficients(n):
    return [n] + [0] * (n - 1) if n else []

# %% right="2.4.1b" how="the hyperbolic sine, from the middle of the step"
def exp_quotient(x, h):
    return math.exp(x + h / 2) * 2 * math.sinh(h / 2) / h

# %% right="2.4.1b" how="torch, in float32"
def exp_quotient(x, h):
    return torch.tensor(x).exp() * torch.expm1(torch.tensor(h)) / h

# %% wrong="2.4.1b" why="the plain difference" breaks="tiny steps" says="loses their digits"
def exp_quotient(x, h):
    return (math.exp(x + h) - math.exp(x)) / h

# %% wrong="2.4.1b" why="factors out, and still subtracts 1" breaks="tiny steps" says="loses their digits"
def exp_quotient(x, h):
    return math.exp(x) * (math.exp(h) - 1) / h

# %% wrong="2.4.1b" why="the derivative itself" breaks="quotient" says="This is the derivative"
def exp_quotient(x, h):
    return math.exp(x)

# %% wrong="2.4.1b" why="loses the factor that does not depend on h" breaks="quotient" says="that does not depend on h is missing"
def exp_quotient(x, h):
    return math.expm1(h) / h

# %% wrong="2.4.1b" why="the factor at the other end of the step" breaks="quotient" says="h = 0.5"
def exp_quotient(x, h):
    return math.exp(x + h) * math.expm1(h) / h

# %% right="2.4.1c" how="torch, in float64"
def log_quotient(x, h):
    t = torch.tensor(h / x, dtype=torch.float64)
    return torch.log1p(t) / (x * t)

# %% right="2.4.1c" how="the plain difference for large steps, the series for small ones"
def log_quotient(x, h):
    t = h / x
    if abs(t) < 1e-4:
        return (1 - t / 2 + t ** 2 / 3) / x
    return (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.1c" why="the plain difference" breaks="tiny steps" says="loses their digits"
def log_quotient(x, h):
    return (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.1c" why="one logarithm, but 1 + t is formed" breaks="tiny steps" says="so does 1 + t"
def log_quotient(x, h):
    return math.log(1 + h / x) / h

# %% wrong="2.4.1c" why="the derivative itself" breaks="quotient" says="This is the derivative"
def log_quotient(x, h):
    return 1 / x

# %% wrong="2.4.1c" why="forgets to divide h by x" breaks="quotient" says="log(1 + h) in place of log(1 + h/x)"
def log_quotient(x, h):
    return math.log1p(h) / h

# %% wrong="2.4.1c" why="divides by t" breaks="quotient" says="divide by h itself"
def log_quotient(x, h):
    return math.log1p(h / x) / (h / x)

# %% right="2.4.2a" how="zip over the pairs"
def sum_rule(u, v):
    return [a + b for a, b in zip(u, v)]

# %% right="2.4.2a" how="as tensors"
def sum_rule(u, v):
    return tuple((torch.tensor(u) + torch.tensor(v)).tolist())

# %% wrong="2.4.2a" why="joins the pairs" breaks="value" says="number of entries"
def sum_rule(u, v):
    return u + v

# %% wrong="2.4.2a" why="multiplies the values" breaks="value" says="the value for the pairs"
def sum_rule(u, v):
    return u[0] * v[0], u[1] + v[1]

# %% wrong="2.4.2a" why="the slope of the product" breaks="slope" says="the slope for the pairs"
def sum_rule(u, v):
    return u[0] + v[0], u[1] * v[0] + u[0] * v[1]

# %% wrong="2.4.2a" why="the mean of the slopes" breaks="slope" says="the slope for the pairs"
def sum_rule(u, v):
    return u[0] + v[0], (u[1] + v[1]) / 2

# %% right="2.4.2b" how="unpacked names, the terms in the other order"
def product_rule(u, v):
    (u, du), (v, dv) = u, v
    return [u * v, u * dv + v * du]

# %% right="2.4.2b" how="by the change of two lines, exact for the limit"
def product_rule(u, v):
    value = u[0] * v[0]
    slopes = [u[1] * v[0], u[0] * v[1]]
    return (value, sum(slopes))

# %% wrong="2.4.2b" why="the product of the slopes" breaks="slope" says="the product of the slopes"
def product_rule(u, v):
    return u[0] * v[0], u[1] * v[1]

# %% wrong="2.4.2b" why="a minus, as in the quotient rule" breaks="slope" says="stands a plus"
def product_rule(u, v):
    return u[0] * v[0], u[1] * v[0] - u[0] * v[1]

# %% wrong="2.4.2b" why="each slope with its own value" breaks="slope" says="the value of the other function"
def product_rule(u, v):
    return u[0] * v[0], u[0] * u[1] + v[0] * v[1]

# %% wrong="2.4.2b" why="adds the corner" breaks="slope" says="the slope for the pairs"
def product_rule(u, v):
    return u[0] * v[0], u[1] * v[0] + u[0] * v[1] + u[1] * v[1]

# %% wrong="2.4.2b" why="the value of the sum" breaks="value" says="the value for the pairs"
def product_rule(u, v):
    return u[0] + v[0], u[1] * v[0] + u[0] * v[1]

# %% wrong="2.4.2b" why="the slope only" breaks="value" says="wrong type"
def product_rule(u, v):
    return u[1] * v[0] + u[0] * v[1]

# %% right="2.4.2c" how="the product with 1 / v"
def quotient_rule(u, v):
    turned = 1 / v[0], -v[1] / v[0] ** 2
    return u[0] * turned[0], u[1] * turned[0] + u[0] * turned[1]

# %% right="2.4.2c" how="solved from u = q v"
def quotient_rule(u, v):
    q = u[0] / v[0]
    return [q, (u[1] - q * v[1]) / v[0]]

# %% wrong="2.4.2c" why="the quotient of the slopes" breaks="slope" says="the quotient of the slopes"
def quotient_rule(u, v):
    return u[0] / v[0], u[1] / v[1]

# %% wrong="2.4.2c" why="the terms exchanged" breaks="slope" says="u' v comes first"
def quotient_rule(u, v):
    return u[0] / v[0], (u[0] * v[1] - u[1] * v[0]) / v[0] ** 2

# %% wrong="2.4.2c" why="v not squared" breaks="slope" says="is the square of v"
def quotient_rule(u, v):
    return u[0] / v[0], (u[1] * v[0] - u[0] * v[1]) / v[0]

# %% wrong="2.4.2c" why="a plus, as in the product rule" breaks="slope" says="stands a minus"
def quotient_rule(u, v):
    return u[0] / v[0], (u[1] * v[0] + u[0] * v[1]) / v[0] ** 2

# %% wrong="2.4.2c" why="the value of v / u" breaks="value" says="roles of u and v are exchanged"
def quotient_rule(u, v):
    return v[0] / u[0], (u[1] * v[0] - u[0] * v[1]) / v[0] ** 2

# %% wrong="2.4.2c" why="whole-number division of the values" breaks="value" says="the value for the pairs"
def quotient_rule(u, v):
    return u[0] // v[0], (u[1] * v[0] - u[0] * v[1]) / v[0] ** 2

# %% right="2.4.3" how="the product rule with (c, 0)"
def constant_multiple(c, f):
    u = (c, 0)
    return u[0] * f[0], u[1] * f[0] + u[0] * f[1]

# %% right="2.4.3" how="a list comprehension"
def constant_multiple(c, f):
    return [c * entry for entry in f]

# %% wrong="2.4.3" why="the factor is lost like a constant term" breaks="slope" says="A factor is not a term"
def constant_multiple(c, f):
    return c * f[0], f[1]

# %% wrong="2.4.3" why="the derivative of c as a factor" breaks="slope" says="A constant factor stays"
def constant_multiple(c, f):
    return c * f[0], 0 * f[1]

# %% wrong="2.4.3" why="the pair of a constant with the slope 1" breaks="slope" says="(c, 0), not (c, 1)"
def constant_multiple(c, f):
    return c * f[0], f[0] + c * f[1]

# %% wrong="2.4.3" why="the value left as it was" breaks="value" says="the value of -4 times"
def constant_multiple(c, f):
    return f[0], c * f[1]

# %% wrong="2.4.3" why="Python's product of a number and a tuple" breaks="value" says="number of entries"
def constant_multiple(c, f):
    return int(c) * f

# %% right="2.4.C" how="step by step"
def chain_slope(df, g, dg, x):
    u = g(x)
    outer, inner = df(u), dg(x)
    return inner * outer

# %% right="2.4.C" how="a quotient of the line that touches the outer function"
def chain_slope(df, g, dg, x):
    def touch(k):
        return df(g(x)) * k
    return touch(dg(x))

# %% wrong="2.4.C" why="the outer slope at x" breaks="inner value" says="it belongs at g(x)"
def chain_slope(df, g, dg, x):
    return df(x) * dg(x)

# %% wrong="2.4.C" why="the inner slope at g(x)" breaks="both slopes" says="The slope of g is taken at g(x)"
def chain_slope(df, g, dg, x):
    return df(g(x)) * dg(g(x))

# %% wrong="2.4.C" why="the inner slope is forgotten" breaks="both slopes" says="The inner slope is missing"
def chain_slope(df, g, dg, x):
    return df(g(x))

# %% wrong="2.4.C" why="divides by the inner slope" breaks="both slopes" says="g(x) = x² at x = 3"
def chain_slope(df, g, dg, x):
    return df(g(x)) / dg(x)

# %% wrong="2.4.C" why="the outer slope at the inner slope" breaks="inner value" says="taken at g'(x)"
def chain_slope(df, g, dg, x):
    return df(dg(x))

# %% right="2.4.4" how="exp of x log x"
def self_power_slope(x):
    u = x * x.log()
    return u.exp() * (1 + x.log())

# %% right="2.4.4" how="two terms, one for the base and one for the exponent"
def self_power_slope(x):
    return x * torch.pow(x, x - 1) + torch.pow(x, x) * torch.log(x)

# %% wrong="2.4.4" why="the rule for a constant exponent" breaks="values" says="the rule for a constant exponent"
def self_power_slope(x):
    return x * x ** (x - 1)

# %% wrong="2.4.4" why="the rule for a constant base" breaks="values" says="the rule for a constant base"
def self_power_slope(x):
    return x ** x * x.log()

# %% wrong="2.4.4" why="the inner derivative alone" breaks="values" says="the factor x^x is missing"
def self_power_slope(x):
    return x.log() + 1

# %% wrong="2.4.4" why="a difference quotient" breaks="values" says="Near, but not exact"
def self_power_slope(x):
    return slope(lambda t: t ** t, x)

# %% wrong="2.4.4" why="computes in float64 always" breaks="shape and dtype" says="the dtype for float32"
def self_power_slope(x):
    x = x.double()
    return x ** x * (x.log() + 1)

# %% wrong="2.4.4" why="a list of numbers" breaks="shape and dtype" says="wrong type"
def self_power_slope(x):
    return [v ** v * (math.log(v) + 1) for v in x.tolist()]

# %% wrong="2.4.4" why="one row" breaks="shape and dtype" says="the shape for a tensor of shape (2, 3)"
def self_power_slope(x):
    x = x.reshape(-1)
    return x ** x * (x.log() + 1)

# %% wrong="2.4.4" why="a fresh tensor, float32" breaks="shape and dtype" says="the dtype for float64"
def self_power_slope(x):
    return torch.tensor([v ** v * (math.log(v) + 1) for v in x.flatten().tolist()]).reshape(x.shape)

# %% right="2.4.5" how="places as decimals, in another order"
flat = {
    'e': {1.0: 'neither'}, 'd': {1.0: 'maximum'},
    'c': {2.0: 'minimum', -2.0: 'maximum'},
    'b': {3.0: 'minimum', 0.0: 'neither'},
    'a': {1.0: 'minimum', -1.0: 'maximum'},
}

# %% right="2.4.5" how="by dict"
flat = dict(a=dict(zip((-1, 1), ('maximum', 'minimum'))), b={3: 'minimum', 0: 'neither'}, c={-2: 'maximum', 2: 'minimum'},
            d={1: 'maximum'}, e={1: 'neither'})

# %% wrong="2.4.5" why="divides by x² and loses its zero" breaks="all of them" says="of which a flat place is missing"
flat = {'a': {-1: 'maximum', 1: 'minimum'}, 'b': {3: 'minimum'}, 'c': {-2: 'maximum', 2: 'minimum'}, 'd': {1: 'maximum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.5" why="the positive root only" breaks="all of them" says="of which a flat place is missing"
flat = {'a': {1: 'minimum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {2: 'minimum'}, 'd': {1: 'maximum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.5" why="where the function is 0, beside where its slope is" breaks="places" says="whose slope is not 0"
flat = {'a': {-1: 'maximum', 0: 'neither', 1: 'minimum'}, 'b': {0: 'neither', 3: 'minimum', 4: 'neither'},
        'c': {-2: 'maximum', 2: 'minimum'}, 'd': {0: 'neither', 1: 'maximum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.5" why="every flat place a minimum or maximum" breaks="kinds" says="with a wrong word"
flat = {'a': {-1: 'maximum', 1: 'minimum'}, 'b': {0: 'maximum', 3: 'minimum'}, 'c': {-2: 'maximum', 2: 'minimum'},
        'd': {1: 'maximum'}, 'e': {1: 'minimum'}}

# %% wrong="2.4.5" why="the larger value is the maximum" breaks="kinds" says="with a wrong word"
flat = {'a': {-1: 'maximum', 1: 'minimum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {-2: 'minimum', 2: 'maximum'},
        'd': {1: 'maximum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.5" why="lists of places without words" breaks="all of them" says="without a dictionary"
flat = {'a': [-1, 1], 'b': [0, 3], 'c': [-2, 2], 'd': [1], 'e': [1]}

# %% wrong="2.4.5" why="keys are the words" breaks="places" says="that are no numbers"
flat = {'a': {'maximum': -1, 'minimum': 1}, 'b': {'neither': 0, 'minimum': 3}, 'c': {'maximum': -2, 'minimum': 2},
        'd': {'maximum': 1}, 'e': {'neither': 1}}

# %% right="2.4.D" how="slope and intercept"
def tangent(value, slope_a, a, x):
    intercept = value - slope_a * a
    return slope_a * x + intercept

# %% right="2.4.D" how="from the other side of the point"
def tangent(value, slope_a, a, x):
    return value - (a - x) * slope_a

# %% wrong="2.4.D" why="the way from 0" breaks="touches" says="not from 0"
def tangent(value, slope_a, a, x):
    return value + slope_a * x

# %% wrong="2.4.D" why="a - x" breaks="slope" says="the way is x - a"
def tangent(value, slope_a, a, x):
    return value + slope_a * (a - x)

# %% wrong="2.4.D" why="forgets the value" breaks="touches" says="at x = 4"
def tangent(value, slope_a, a, x):
    return slope_a * (x - a)

# %% wrong="2.4.D" why="divides by the slope" breaks="slope" says="at x = 8"
def tangent(value, slope_a, a, x):
    return value + (x - a) / slope_a

# %% wrong="2.4.D" why="makes a number of x" breaks="tensor" says="only one element"
def tangent(value, slope_a, a, x):
    return value + slope_a * (float(x) - a)

# %% wrong="2.4.D" why="a list of heights" breaks="tensor" says="wrong type"
def tangent(value, slope_a, a, x):
    if torch.is_tensor(x):
        return [value + slope_a * (t - a) for t in x.tolist()]
    return value + slope_a * (x - a)

# %% right="2.4.6" how="names given to the legend"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x)
    axes.plot(x, 0 + 4 * (x - 1))
    axes.legend(['f', 'tangent'])

# %% right="2.4.6" how="d2l.plot"
import d2l_utils as d2l

def draw(axes, x):
    d2l.plot(x, [x ** 3 - 1 / x, 4 * x - 4], xlabel='x', legend=['f', 'tangent'], axes=axes)

# %% right="2.4.6" how="pyplot with the axes made current, a dot where they touch"
def draw(axes, x):
    points = x.numpy()
    axes.set(xlabel='x', ylabel='y', ylim=(-6, 6))
    tangent_line, = axes.plot(points, 4 * points - 4, 'm--', label='tangent')
    curve, = axes.plot(points, points ** 3 - points ** -1, label='f')
    axes.plot([1], [0], 'o', color='black')
    axes.legend(handles=[curve, tangent_line])
    axes.grid()

# %% right="2.4.6" how="lines without labels, named by the legend in another order"
def draw(axes, x):
    curve, = axes.plot(x, x ** 3 - 1 / x)
    touching, = axes.plot(x, 4 * x - 4)
    axes.legend([touching, curve], ['tangent', 'f'])

# %% wrong="2.4.6" why="the slope of -1/x with the wrong sign" breaks="tangent" says="The slope of -1/x is +1/x²"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 2 * x - 2, label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="the slope without the point" breaks="tangent" says="does not go through (1, 0)"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x, label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="the derivative as a curve" breaks="tangent" says="This is the derivative"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 3 * x ** 2 + 1 / x ** 2, label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="another curve" breaks="curve" says="the heights of 'f'"
def draw(axes, x):
    axes.plot(x, x ** 3 + 1 / x, label='f')
    axes.plot(x, 4 * x - 4, label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="points of its own" breaks="curve" says="the points of the line 'f'"
def draw(axes, x):
    x = torch.arange(0.1, 3, 0.1)
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x - 4, label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="draws into a figure of its own" breaks="axes" says="Draw with `axes.plot`, not with `plt`"
def draw(axes, x):
    figure, axes = plt.subplots()
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x - 4, label='tangent')
    axes.legend()
    plt.close(figure)

# %% wrong="2.4.6" why="no legend" breaks="legend" says="Is `axes.legend()` called"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x - 4, label='tangent')

# %% wrong="2.4.6" why="the legend before the second line" breaks="legend" says="call it after the last `plot`"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.legend()
    axes.plot(x, 4 * x - 4, label='tangent')

# %% right="2.4.E" how="moves the entries of a copy and puts them back"
def numerical_gradient(f, x, h):
    x = x.clone()
    slopes = []
    for i in range(x.shape[0]):
        kept = x[i].item()
        x[i] = kept + h
        up = float(f(x))
        x[i] = kept - h
        down = float(f(x))
        x[i] = kept
        slopes.append((up - down) / (2 * h))
    return torch.tensor(slopes)

# %% right="2.4.E" how="rows of the identity as steps"
def numerical_gradient(f, x, h):
    steps = h * torch.eye(len(x), dtype=x.dtype)
    return torch.tensor([(f(x + s) - f(x - s)) / h / 2 for s in steps], dtype=x.dtype)

# %% wrong="2.4.E" why="the quotient from x to x + h" breaks="central" says="This is the quotient from x to x + h"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result[i] = (f(x + step) - f(x)) / h
    return result

# %% wrong="2.4.E" why="divides by h" breaks="central" says="divide by 2h"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result[i] = (f(x + step) - f(x - step)) / h
    return result

# %% wrong="2.4.E" why="/ 2 * h" breaks="central" says="write `/ (2 * h)`"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result[i] = (f(x + step) - f(x - step)) / 2 * h
    return result

# %% wrong="2.4.E" why="moves all entries at once" breaks="others fixed" says="entries 0 and 1"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    step = torch.zeros_like(x)
    for i in range(len(x)):
        step[i] = h
        kept = step.clone()
        if i == 2:
            kept[:2] = 0
        result[i] = (f(x + kept) - f(x - kept)) / (2 * h)
    return result

# %% wrong="2.4.E" why="the steps of earlier entries stay for the point above" breaks="others fixed" says="entries 0 and 1"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        other = step.clone()
        if i < 2:
            other[2] = h
        result[i] = (f(x + other) - f(x - step)) / (2 * h)
    return result

# %% wrong="2.4.E" why="moves the caller's x and leaves it moved" breaks="x kept" says="from where they were"
def numerical_gradient(f, x, h):
    start, result = x.clone(), torch.zeros_like(x)
    for i in range(len(x)):
        x.copy_(start)
        x[i] = start[i] + h
        up = f(x)
        x[i] = start[i] - h
        result[i] = (up - f(x)) / (2 * h)
    return result

# %% wrong="2.4.E" why="all entries with one step, one number" breaks="shape" says="the shape for three inputs"
def numerical_gradient(f, x, h):
    return torch.as_tensor((f(x + h) - f(x - h)) / (2 * h))

# %% wrong="2.4.E" why="a list" breaks="shape" says="wrong type"
def numerical_gradient(f, x, h):
    result = []
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result.append(float(f(x + step) - f(x - step)) / (2 * h))
    return result

# %% right="2.4.7" how="fills a tensor"
def gradient_of_f(x):
    g = torch.empty_like(x)
    g[0] = 3 * 2 * x[0]
    g[1] = 5 * math.exp(x[1].item())
    return g

# %% right="2.4.7" how="two products of vectors"
def gradient_of_f(x):
    return torch.tensor([6, 5], dtype=x.dtype) * torch.stack([x[0], torch.exp(x[1])])

# %% wrong="2.4.7" why="the two terms of f" breaks="values" says="These are the two terms of f"
def gradient_of_f(x):
    return torch.stack([3 * x[0] ** 2, 5 * x[1].exp()])

# %% wrong="2.4.7" why="the power rule for exp" breaks="values" says="The slope of e^x is e^x"
def gradient_of_f(x):
    return torch.stack([6 * x[0], 5 * x[1] * torch.exp(x[1] - 1)])

# %% wrong="2.4.7" why="a difference quotient" breaks="values" says="a difference quotient does not"
def gradient_of_f(x):
    def f(t):
        return 3 * t[0] ** 2 + 5 * t[1].exp()
    steps = 1e-6 * torch.eye(2, dtype=x.dtype)
    return torch.stack([(f(x + s) - f(x - s)) / 2e-6 for s in steps])

# %% wrong="2.4.7" why="the sum of the slopes" breaks="shape and dtype" says="the shape of the gradient"
def gradient_of_f(x):
    return 6 * x[0] + 5 * x[1].exp()

# %% wrong="2.4.7" why="a tuple" breaks="shape and dtype" says="wrong type"
def gradient_of_f(x):
    return 6 * x[0], 5 * x[1].exp()

# %% wrong="2.4.7" why="torch.tensor of numbers: float32" breaks="shape and dtype" says="the dtype for float64"
def gradient_of_f(x):
    return torch.tensor([6 * x[0].item(), 5 * math.exp(x[1].item())])

# %% wrong="2.4.7" why="writes the result into x" breaks="x kept" says="x after the call"
def gradient_of_f(x):
    result = torch.stack([6 * x[0], 5 * x[1].exp()])
    x.copy_(result)
    return result

# %% right="2.4.F" how="norm by hand, a float for the slope"
def steepest_descent(g):
    size = g.square().sum().sqrt().item()
    return [g / -size, -size]

# %% right="2.4.F" how="the slope as a dot product"
def steepest_descent(g):
    v = -g / torch.linalg.norm(g)
    return v, g @ v

# %% wrong="2.4.F" why="the way up" breaks="direction" says="This is the way up"
def steepest_descent(g):
    return g / g.norm(), -g.norm()

# %% wrong="2.4.F" why="not divided by the length" breaks="length" says="the length of v"
def steepest_descent(g):
    return -g, -g.norm()

# %% wrong="2.4.F" why="the slope without its sign" breaks="slope" says="Downhill the slope is negative"
def steepest_descent(g):
    return -g / g.norm(), g.norm()

# %% wrong="2.4.F" why="the slope in direction -g" breaks="slope" says="This is the squared length"
def steepest_descent(g):
    return -g / g.norm(), -(g @ g)

# %% wrong="2.4.F" why="divides by the sum of the absolute values" breaks="length" says="the length of v"
def steepest_descent(g):
    return -g / g.abs().sum(), -g.norm()

# %% wrong="2.4.F" why="only the input with the largest slope" breaks="direction" says="the direction of v"
def steepest_descent(g):
    v = torch.zeros_like(g)
    v[g.abs().argmax()] = -g[g.abs().argmax()].sign()
    return v, -g.norm()

# %% right="2.4.8a" how="root of the sum of squares, entry by entry"
def norm_gradient(x):
    size = (x ** 2).sum() ** 0.5
    return torch.stack([v / size for v in x])

# %% right="2.4.8a" how="torch's normalize, without its eps"
def norm_gradient(x):
    return torch.nn.functional.normalize(x, dim=0, eps=0.0)

# %% wrong="2.4.8a" why="the 2 of the square is not cancelled" breaks="values" says="the 1/2 of the root cancel"
def norm_gradient(x):
    return 2 * x / x.norm()

# %% wrong="2.4.8a" why="forgets the 2 of the squares" breaks="values" says="The 2 of the squares is missing"
def norm_gradient(x):
    return x / (2 * x.norm())

# %% wrong="2.4.8a" why="the outer slope only" breaks="values" says="The inner gradient, 2x, is missing"
def norm_gradient(x):
    return torch.ones_like(x) / (2 * x.norm())

# %% wrong="2.4.8a" why="the gradient of the squared length" breaks="values" says="gradient of the squared length"
def norm_gradient(x):
    return 2 * x

# %% wrong="2.4.8a" why="divides by the squared length" breaks="values" says="not by its square"
def norm_gradient(x):
    return x / (x @ x)

# %% wrong="2.4.8a" why="written for two entries" breaks="any n" says="n = 1"
def norm_gradient(x):
    size = (x[0] ** 2 + x[-1] ** 2).sqrt()
    return x / size

# %% wrong="2.4.8a" why="float32 inside" breaks="shape and dtype" says="the dtype for float64"
def norm_gradient(x):
    return torch.tensor([v / math.hypot(*x.tolist()) for v in x.tolist()])

# %% wrong="2.4.8a" why="the length itself" breaks="shape and dtype" says="the shape for (3, -4)"
def norm_gradient(x):
    return x.norm()

# %% right="2.4.8b" how="one quotient on each side: it does not depend on |h|"
def slopes_at_the_tip(v):
    return (1.0 * v).norm() / 1.0, (-1.0 * v).norm() / -1.0

# %% right="2.4.8b" how="floats in a list"
def slopes_at_the_tip(v):
    size = math.sqrt(sum(t * t for t in v.tolist()))
    return [size, -size]

# %% wrong="2.4.8b" why="divides by |h|" breaks="left" says="not by |h|"
def slopes_at_the_tip(v):
    return v.norm(), v.norm()

# %% wrong="2.4.8b" why="torch's answer for both" breaks="right" says="the limit from the right"
def slopes_at_the_tip(v):
    return 0.0, 0.0

# %% wrong="2.4.8b" why="for unit vectors only" breaks="right" says="a vector of length 1"
def slopes_at_the_tip(v):
    return 1.0, -v.norm()

# %% wrong="2.4.8b" why="both for unit vectors only" breaks="right" says="a vector of length 1"
def slopes_at_the_tip(v):
    return 1.0, -1.0

# %% wrong="2.4.8b" why="the squared length" breaks="right" says="This is the squared length"
def slopes_at_the_tip(v):
    return v @ v, -(v @ v)

# %% wrong="2.4.8b" why="exchanged" breaks="right" says="are exchanged"
def slopes_at_the_tip(v):
    return -v.norm(), v.norm()

# %% wrong="2.4.8b" why="no slope from the left" breaks="left" says="the limit from the left"
def slopes_at_the_tip(v):
    return v.norm(), 0.0

# %% right="2.4.8c" how="the squared length"
def is_subgradient(g):
    return g.square().sum().item() <= 1

# %% right="2.4.8c" how="tries the worst direction, a tensor as the answer"
def is_subgradient(g):
    return g.norm() >= g @ g

# %% wrong="2.4.8c" why="every entry between -1 and 1" breaks="outside" says="but that is not enough"
def is_subgradient(g):
    return bool((g.abs() <= 1).all())

# %% wrong="2.4.8c" why="the edge left out" breaks="edge" says="(0, -1)"
def is_subgradient(g):
    return bool(g.norm() < 1)

# %% wrong="2.4.8c" why="only torch's choice" breaks="inside" says="(0.7, -0.7)"
def is_subgradient(g):
    return bool((g == 0).all())

# %% wrong="2.4.8c" why="only unit vectors, the limits of the gradient" breaks="inside" says="(0, 0)"
def is_subgradient(g):
    return bool(g.norm() == 1)

# %% wrong="2.4.8c" why="the sum of the entries" breaks="outside" says="(3, -3)"
def is_subgradient(g):
    return bool(g.sum() <= 1)

# %% wrong="2.4.8c" why="the sum of the absolute values, too strict for three entries" breaks="inside" says="(0.7, -0.7)"
def is_subgradient(g):
    return bool(g.abs().sum() <= 1)

# %% right="2.4.9a" how="a product of a vector and a matrix"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    outer = torch.tensor([ux, uy, uz], dtype=torch.float64)
    return tuple((torch.tensor([[xa, ya, za], [xb, yb, zb]], dtype=torch.float64) @ outer).tolist())

# %% right="2.4.9a" how="sums over zip"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    outer = (ux, uy, uz)
    return [sum(s * t for s, t in zip(outer, inner)) for inner in ((xa, ya, za), (xb, yb, zb))]

# %% wrong="2.4.9a" why="adds along the ways" breaks="by a" says="along a way are multiplied"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux + xa + uy + ya + uz + za, ux * xb + uy * yb + uz * zb

# %% wrong="2.4.9a" why="forgets z for a" breaks="by a" says="the one over z"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + uy * ya, ux * xb + uy * yb + uz * zb

# %% wrong="2.4.9a" why="forgets z for b" breaks="by b" says="the one over z"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + uy * ya + uz * za, ux * xb + uy * yb

# %% wrong="2.4.9a" why="the product of two sums" breaks="by a" says="each way has its own two factors"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return (ux + uy + uz) * (xa + ya + za), ux * xb + uy * yb + uz * zb

# %% wrong="2.4.9a" why="the same derivative twice" breaks="by b" says="This is the derivative by a"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    by_a = ux * xa + uy * ya + uz * za
    return by_a, by_a

# %% wrong="2.4.9a" why="exchanged" breaks="by a" says="the two are exchanged"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xb + uy * yb + uz * zb, ux * xa + uy * ya + uz * za

# %% wrong="2.4.9a" why="one number, all added" breaks="by a" says="wrong type"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + uy * ya + uz * za + ux * xb + uy * yb + uz * zb

# %% right="2.4.9b" how="the transpose"
def pull_back(g, J):
    return J.T @ g

# %% right="2.4.9b" how="broadcasting and a sum over the rows"
def pull_back(g, J):
    return (g[:, None] * J).sum(dim=0)

# %% right="2.4.9b" how="loops"
def pull_back(g, J):
    result = torch.zeros(J.shape[1], dtype=J.dtype)
    for j in range(J.shape[1]):
        for i in range(J.shape[0]):
            result[j] += g[i] * J[i, j]
    return result

# %% wrong="2.4.9b" why="J @ g, or its transpose where that does not fit" breaks="values" says="This is J @ g"
def pull_back(g, J):
    return J @ g if J.shape[0] == J.shape[1] else J.T @ g

# %% wrong="2.4.9b" why="the sum over the rows without g" breaks="values" says="without the factor g"
def pull_back(g, J):
    return J.sum(dim=0)

# %% wrong="2.4.9b" why="the mean over the ways" breaks="values" says="the gradient for g = (1, 10)"
def pull_back(g, J):
    return (g[:, None] * J).mean(dim=0)

# %% wrong="2.4.9b" why="the table of all ways" breaks="shape" says="the shape for n = m = 2"
def pull_back(g, J):
    return g[:, None] * J

# %% wrong="2.4.9b" why="a matrix with one row" breaks="shape" says="the shape for n = m = 2"
def pull_back(g, J):
    return g[None] @ J

# %% wrong="2.4.9b" why="J @ g" breaks="shape" says="This is J @ g"
def pull_back(g, J):
    return J @ g

# %% right="2.4.10" how="step by step, a power of -1"
def inverse_slope(df, g, y):
    x = g(y)
    return df(x) ** -1

# %% right="2.4.10" how="Newton's step for the line that touches"
def inverse_slope(df, g, y):
    rise = df(g(y))
    run = 1.0
    return run / rise

# %% wrong="2.4.10" why="the slope of f at y" breaks="place" says="it belongs at the x with f(x) = y"
def inverse_slope(df, g, y):
    return 1 / df(y)

# %% wrong="2.4.10" why="does not turn the slope over" breaks="reciprocal" says="exchanges rise and run"
def inverse_slope(df, g, y):
    return df(g(y))

# %% wrong="2.4.10" why="minus instead of the reciprocal" breaks="reciprocal" says="reciprocal, not opposite"
def inverse_slope(df, g, y):
    return -df(g(y))

# %% wrong="2.4.10" why="the inverse of the slope's value" breaks="place" says="y = 8"
def inverse_slope(df, g, y):
    return 1 / g(df(y)) if abs(df(y) - df(y + 1)) > 1e-12 else 1 / df(y)

# %% wrong="2.4.10" why="a quotient of f' itself, at g(y) twice" breaks="place" says="f(x) = x³, y = 8"
def inverse_slope(df, g, y):
    return 1 / df(g(g(y)))

# %% wrong="2.4.B" why="the absolute value: above -1.0 the gap is half as wide" breaks="size of x" says="above -1.0 the gap is half as wide"
def vanishing_step(x):
    x = abs(x)
    for k in range(1, 21):
        if x + 10.0 ** -k == x:
            return 10.0 ** -k

# %% wrong="2.4.B" why="half of math.ulp, whatever the side" breaks="size of x" says="beside -1.0"
def vanishing_step(x):
    return 10.0 ** math.floor(math.log10(math.ulp(x) / 2))

# %% wrong="2.4.1b" why="the limit below 0.1" breaks="quotient" says="h = 0.05"
def exp_quotient(x, h):
    return math.exp(x) if abs(h) < 0.1 else (math.exp(x + h) - math.exp(x)) / h

# %% wrong="2.4.1b" why="the limit below 0.01" breaks="quotient" says="h = 0.001"
def exp_quotient(x, h):
    return math.exp(x) if abs(h) < 0.01 else (math.exp(x + h) - math.exp(x)) / h

# %% wrong="2.4.1b" why="the limit below 0.0001" breaks="quotient" says="h = -0.00005"
def exp_quotient(x, h):
    return math.exp(x) if abs(h) < 1e-4 else (math.exp(x + h) - math.exp(x)) / h

# %% wrong="2.4.1b" why="divides by |h|" breaks="quotient" says="divided by |h|"
def exp_quotient(x, h):
    return math.exp(x) * math.expm1(h) / abs(h)

# %% right="2.4.1b" how="the limit where it is exact to eight digits"
def exp_quotient(x, h):
    return math.exp(x) if abs(h) < 1e-8 else (math.exp(x + h) - math.exp(x)) / h

# %% wrong="2.4.1c" why="the limit below 0.1" breaks="quotient" says="h = 0.05"
def log_quotient(x, h):
    return 1 / x if abs(h) < 0.1 else (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.1c" why="the limit below 0.0001" breaks="quotient" says="h = -0.00005"
def log_quotient(x, h):
    return 1 / x if abs(h) < 1e-4 else (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.1c" why="a threshold for h that does not look at x" breaks="quotient" says="x = 1e-8, h = 9e-9"
def log_quotient(x, h):
    return 1 / x if abs(h) < 1e-8 else (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.1c" why="a threshold that looks at h alone, and at small x" breaks="tiny steps" says="x = 1e6, h = 1e-7"
def log_quotient(x, h):
    return 1 / x if abs(h) < 1e-8 and x > 1e-4 else (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.1c" why="a threshold for h / x that is too small" breaks="tiny steps" says="x = 2, h = 3e-12"
def log_quotient(x, h):
    return 1 / x if abs(h / x) < 1e-12 else (math.log(x + h) - math.log(x)) / h

# %% right="2.4.1c" how="the limit where h / x is tiny"
def log_quotient(x, h):
    return 1 / x if abs(h / x) < 1e-8 else (math.log(x + h) - math.log(x)) / h

# %% wrong="2.4.2a" why="the product of the slopes" breaks="slope" says="those of a sum add up"
def sum_rule(u, v):
    return u[0] + v[0], u[1] * v[1]

# %% wrong="2.4.2b" why="one strip" breaks="slope" says="One strip is missing"
def product_rule(u, v):
    return u[0] * v[0], u[1] * v[0]

# %% wrong="2.4.2c" why="by the relative slopes: divides by the value of u" breaks="slope" says="ZeroDivisionError"
def quotient_rule(u, v):
    q = u[0] / v[0]
    return q, q * (u[1] / u[0] - v[1] / v[0])

# %% wrong="2.4.2c" why="takes v to be positive" breaks="slope" says="(3, 2) and (-4, 1)"
def quotient_rule(u, v):
    b = abs(v[0])
    return u[0] / v[0], (u[1] * b - u[0] * v[1]) / b ** 2

# %% wrong="2.4.2c" why="whole-number division for whole numbers" breaks="value" says="cuts the fraction off"
def quotient_rule(u, v):
    a, b = u[0], v[0]
    return a // b if isinstance(a, int) else a / b, (u[1] * b - a * v[1]) / b ** 2

# %% wrong="2.4.2c" why="no brackets round the difference" breaks="slope" says="put the difference into brackets"
def quotient_rule(u, v):
    return u[0] / v[0], u[1] * v[0] - u[0] * v[1] / v[0] ** 2

# %% wrong="2.4.C" why="the inner slope inside" breaks="both slopes" says="does not belong into the argument"
def chain_slope(df, g, dg, x):
    return df(g(x) * dg(x))

# %% wrong="2.4.C" why="adds the slopes" breaks="inner value" says="multiplied, not added"
def chain_slope(df, g, dg, x):
    return df(g(x)) + dg(x)

# %% wrong="2.4.4" why="writes into x" breaks="x kept" says="x after self_power_slope(x)"
def self_power_slope(x):
    return x.pow(x) * x.log_().add_(1)

# %% wrong="2.4.5" why="a place read off a drawing" breaks="places" says="whose slope is not 0"
flat = {'a': {-1: 'maximum', 1: 'minimum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {-2: 'maximum', 2.0001: 'minimum'},
        'd': {1: 'maximum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.5" why="far away the slope tends to 0" breaks="places" says="whose slope is not 0"
flat = {'a': {-1: 'maximum', 1: 'minimum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {-2: 'maximum', 2: 'minimum'},
        'd': {1: 'maximum', 20: 'neither'}, 'e': {1: 'neither'}}

# %% wrong="2.4.5" why="the double zero nearly" breaks="places" says="whose slope is not 0"
flat = {'a': {-1: 'maximum', 1: 'minimum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {-2: 'maximum', 2: 'minimum'},
        'd': {1: 'maximum'}, 'e': {1.0001: 'neither'}}

# %% wrong="2.4.5" why="capital letters" breaks="kinds" says="in small letters"
flat = {'a': {-1: 'Maximum', 1: 'Minimum'}, 'b': {0: 'Neither', 3: 'Minimum'}, 'c': {-2: 'Maximum', 2: 'Minimum'},
        'd': {1: 'Maximum'}, 'e': {1: 'Neither'}}

# %% wrong="2.4.D" why="writes into x" breaks="x kept" says="after the call"
def tangent(value, slope_a, a, x):
    x -= a
    return value + slope_a * x

# %% right="2.4.6" how="one colour, told apart by the line, named by the legend"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, color='black')
    axes.plot(x, 4 * x - 4, '--', color='black')
    axes.legend(['f', 'tangent'])

# %% wrong="2.4.6" why="the legend exchanges the names" breaks="legend" says="The legend exchanges the two names"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x - 4, label='tangent')
    axes.legend(['tangent', 'f'])

# %% wrong="2.4.6" why="dots without lines" breaks="axes" says="that no drawn line has"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, '.', label='f')
    axes.plot(x, 4 * x - 4, linestyle='', label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="a capital letter" breaks="axes" says="in small letters"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='F')
    axes.plot(x, 4 * x - 4, label='tangent')
    axes.legend()

# %% wrong="2.4.E" why="puts the entries back by arithmetic" breaks="x kept" says="rounded twice"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        x[i] += h
        up = float(f(x))
        x[i] -= 2 * h
        result[i] = (up - float(f(x))) / (2 * h)
        x[i] += h
    return result

# %% wrong="2.4.E" why="does not put the entries of its copy back" breaks="central" says="put it back before the next"
def numerical_gradient(f, x, h):
    up, down, result = x.clone(), x.clone(), torch.zeros_like(x)
    for i in range(len(x)):
        up[i] += h
        down[i] -= h
        result[i] = (f(up) - f(down)) / (2 * h)
    return result

# %% wrong="2.4.E" why="needs tensors from f" breaks="shape" says="a function that returns a plain number"
def numerical_gradient(f, x, h):
    steps = h * torch.eye(len(x), dtype=x.dtype)
    return torch.stack([(f(x + s) - f(x - s)) / (2 * h) for s in steps])

# %% wrong="2.4.E" why="a plain number becomes float32" breaks="central" says="make a float32 tensor of a plain number"
def numerical_gradient(f, x, h):
    steps = h * torch.eye(len(x), dtype=x.dtype)
    return torch.stack([(torch.as_tensor(f(x + s)) - torch.as_tensor(f(x - s))).to(x.dtype) / (2 * h) for s in steps])

# %% wrong="2.4.7" why="the entries exchanged" breaks="values" says="The two entries are exchanged"
def gradient_of_f(x):
    return torch.stack([5 * x[1].exp(), 6 * x[0]])

# %% wrong="2.4.F" why="adds a little to the length" breaks="length" says="nothing need be added"
def steepest_descent(g):
    size = g.norm() + 1e-6
    return -g / size, -size

# %% wrong="2.4.F" why="divides g itself" breaks="g kept" says="write into g"
def steepest_descent(g):
    size = g.norm()
    g /= -size
    return g, -size

# %% wrong="2.4.8a" why="divides x itself" breaks="x kept" says="writes into x"
def norm_gradient(x):
    x /= x.norm()
    return x

# %% wrong="2.4.8c" why="a little too strict" breaks="edge" says="(0.5, 0.5, -0.5, 0.5)"
def is_subgradient(g):
    return bool(g.norm() < 1 - 1e-6) or g.abs().max().item() == 1

# %% wrong="2.4.8c" why="a margin inside" breaks="inside" says="(-0.6, -0.795)"
def is_subgradient(g):
    return bool(g.norm() == 1 or g.norm() < 0.99)

# %% wrong="2.4.9b" why="multiplies J itself" breaks="arguments kept" says="g and J after the call"
def pull_back(g, J):
    J.mul_(g[:, None])
    return J.sum(dim=0)

# %% wrong="2.4.10" why="one over the inverse" breaks="reciprocal" says="under the bar belongs the slope"
def inverse_slope(df, g, y):
    return 1 / g(y)

# %% wrong="2.4.A" why="a small step of its own" breaks="quotient" says="nearly the limit"
def difference_quotient(f, x, h):
    h = math.copysign(1e-6, h)
    return (f(x + h) - f(x)) / h

# %% wrong="2.4.B" why="x - h" breaks="largest" says="the gap below 1.0"
def vanishing_step(x):
    for k in range(1, 21):
        if x - 10.0 ** -k == x:
            return 10.0 ** -k

# %% wrong="2.4.B" why="the list of steps begins with 0.01" breaks="size of x" says="3000000000000000.0"
def vanishing_step(x):
    for k in range(2, 21):
        if x + 10.0 ** -k == x:
            return 10.0 ** -k

# %% wrong="2.4.B" why="the list of steps ends with 1e-19" breaks="size of x" says="both ends included"
def vanishing_step(x):
    step = 0.1
    for k in range(1, 20):
        step = 10.0 ** -k
        if x + step == x:
            break
    return step

# %% wrong="2.4.1a" why="without the last term" breaks="coefficients" says="the last is the coefficient"
def quotient_coefficients(n):
    return [math.comb(n, k) for k in range(1, n)]

# %% wrong="2.4.1c" why="the length of the step only" breaks="quotient" says="h keeps its sign"
def log_quotient(x, h):
    return math.log1p(abs(h) / x) / abs(h)

# %% wrong="2.4.2a" why="the slope first" breaks="value" says="the value comes first"
def sum_rule(u, v):
    return u[1] + v[1], u[0] + v[0]

# %% wrong="2.4.2c" why="divides by the square of u" breaks="slope" says="not of u"
def quotient_rule(u, v):
    return u[0] / v[0], (u[1] * v[0] - u[0] * v[1]) / u[0] ** 2 if u[0] else 2 / v[0]

# %% wrong="2.4.2c" why="// for the slope" breaks="slope" says="cuts the fraction off"
def quotient_rule(u, v):
    return u[0] / v[0], (u[1] * v[0] - u[0] * v[1]) // v[0] ** 2

# %% wrong="2.4.C" why="times the inner value" breaks="inner value" says="not its value"
def chain_slope(df, g, dg, x):
    return df(g(x)) * g(x)

# %% wrong="2.4.4" why="no brackets" breaks="values" says="belongs to both terms"
def self_power_slope(x):
    return x ** x * x.log() + 1

# %% wrong="2.4.4" why="logarithm to the base 10" breaks="values" says="base 10"
def self_power_slope(x):
    return x ** x * (x.log10() + 1)

# %% wrong="2.4.6" why="a legend that is switched off" breaks="legend" says="can one see the legend"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * (x - 1), label='tangent')
    axes.legend().set_visible(False)

# %% wrong="2.4.6" why="a line that nobody sees" breaks="axes" says="what nobody sees"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f', alpha=0)
    axes.plot(x, 4 * (x - 1), label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="points of its own" breaks="curve" says="handed over as `x`"
def draw(axes, x):
    x = torch.linspace(0.3, 2, 100)
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * (x - 1), label='tangent')
    axes.legend()

# %% wrong="2.4.8a" why="a little added to the length" breaks="values" says="nothing small added"
def norm_gradient(x):
    return x / (x.norm() + 1e-8)

# %% wrong="2.4.8a" why="the sum of absolute values for the length" breaks="values" says="not the sum of absolute values"
def norm_gradient(x):
    return x / x.abs().sum()

# %% wrong="2.4.8b" why="the sum of absolute values for the length" breaks="right" says="not the sum of absolute values"
def slopes_at_the_tip(v):
    return v.abs().sum(), -v.norm()

# %% right="2.4.8c" how="a tensor without axes"
def is_subgradient(g):
    return g.dot(g) <= 1

# %% right="2.4.8c" how="NumPy's norm"
def is_subgradient(g):
    import numpy as np
    return np.linalg.norm(g.numpy()) <= 1

# %% wrong="2.4.8c" why="a tensor with one entry" breaks="one answer" says="one answer, without axes"
def is_subgradient(g):
    return torch.tensor([bool(g.norm() <= 1)])

# %% wrong="2.4.8c" why="0 or 1 as a floating-point tensor" breaks="one answer" says="True or False: compare"
def is_subgradient(g):
    return (g.norm() <= 1).float()

# %% wrong="2.4.8c" why="an answer for each entry" breaks="one answer" says="about the whole vector"
def is_subgradient(g):
    return g.abs() <= 1

# %% right="2.4.9a" how="float32"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    result = torch.tensor([[xa, ya, za], [xb, yb, zb]]) @ torch.tensor([ux, uy, uz])
    return tuple(result.tolist())

# %% wrong="2.4.9a" why="za in the place of zb" breaks="by b" says="belongs to a"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + uy * ya + uz * za, ux * xb + uy * yb + uz * za

# %% wrong="2.4.9a" why="another order of the arguments" breaks="by a" says="in the order xa, ya, za"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + uy * xb + uz * ya, ux * xb + uy * yb + uz * zb



# %% wrong="2.4.A" why="brackets forgotten" breaks="quotient" says="Put the difference into brackets"
def difference_quotient(f, x, h):
    return f(x + h) - f(x) / h


# %% wrong="2.4.A" why="absolute values" breaks="quotient" says="the change keeps its sign"
def difference_quotient(f, x, h):
    return abs(f(x + h) - f(x)) / abs(h)


# %% wrong="2.4.B" why="from eps and the sign" breaks="size of x" says="The gap above this number is 1.1e-16"
def vanishing_step(x):
    gap = torch.finfo(torch.float64).eps * abs(x) / (2 if x > 0 else 4)
    return 10.0 ** math.floor(math.log10(gap))


# %% right="2.4.B" how="half of the gap to the next number"
def vanishing_step(x):
    gap = math.nextafter(x, math.inf) - x
    return next(10.0 ** -k for k in range(1, 21) if 10.0 ** -k < gap / 2)


# %% wrong="2.4.1a" why="factorials divided as floats" breaks="coefficients" says="more than a float holds"
def quotient_coefficients(n):
    return [int(math.factorial(n) / (math.factorial(k) * math.factorial(n - k))) for k in range(1, n + 1)]


# %% wrong="2.4.1a" why="n in the middle" breaks="coefficients" says="in 6 ways"
def quotient_coefficients(n):
    return [n] * (n - 1) + [1] if n else []


# %% wrong="2.4.1b" why="two terms of a series for steps below 0.04" breaks="quotient" says="the first two terms of a series"
def exp_quotient(x, h):
    return math.exp(x) * (1 + h / 2) if abs(h) < 0.04 else (math.exp(x + h) - math.exp(x)) / h


# %% wrong="2.4.1c" why="x by h" breaks="quotient" says="not x / h"
def log_quotient(x, h):
    return math.log1p(abs(x / h)) / h


# %% wrong="2.4.2b" why="a value without its sign" breaks="value" says="keeps its sign"
def product_rule(u, v):
    return abs(u[0] * v[0]), u[1] * v[0] + u[0] * v[1]


# %% wrong="2.4.2b" why="by the logarithm" breaks="slope" says="ZeroDivisionError"
def product_rule(u, v):
    value = u[0] * v[0]
    return value, value * (u[1] / u[0] + v[1] / v[0])


# %% right="2.4.2b" how="a quarter of the difference of two squares"
def product_rule(u, v):
    s, t = (u[0] + v[0], u[1] + v[1]), (u[0] - v[0], u[1] - v[1])
    return (s[0] ** 2 - t[0] ** 2) / 4, (s[0] * s[1] - t[0] * t[1]) / 2


# %% wrong="2.4.C" why="an inner slope of 0 is left out" breaks="both slopes" says="may be 0"
def chain_slope(df, g, dg, x):
    return df(g(x)) * (dg(x) or 1)


# %% wrong="2.4.C" why="the size of the inner slope" breaks="both slopes" says="keep their sign"
def chain_slope(df, g, dg, x):
    return df(g(x)) * abs(dg(x))


# %% wrong="2.4.4" why="the logarithm cut off near 0" breaks="values" says="near 0"
def self_power_slope(x):
    return x ** x * (x.clamp(min=1e-3).log() + 1)


# %% wrong="2.4.4" why="large powers cut off" breaks="values" says="for large slopes, too"
def self_power_slope(x):
    return (x ** x).clamp(max=1e4) * (x.log() + 1)


# %% right="2.4.5" how="places out of NumPy arrays"
import numpy as np
places = np.array([1, -1])
flat = {'a': {places[0]: 'minimum', places[1]: 'maximum'}, 'b': {0: 'neither', 3: 'minimum'},
        'c': {2 * places[0]: 'minimum', 2 * places[1]: 'maximum'}, 'd': {1: 'maximum'}, 'e': {1: 'neither'}}


# %% wrong="2.4.5" why="flat so far to the left that f overflows" breaks="places" says="whose slope is not 0"
flat = {'a': {1: 'minimum', -1: 'maximum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {2: 'minimum', -2: 'maximum'},
        'd': {1: 'maximum', -1000: 'minimum'}, 'e': {1: 'neither'}}


# %% wrong="2.4.D" why="rounded" breaks="slope" says="all its digits"
def tangent(value, slope_a, a, x):
    height = value + slope_a * (x - a)
    return height.round(decimals=1) if isinstance(height, torch.Tensor) else round(height, 1)


# %% wrong="2.4.D" why="in place, and back" breaks="x kept" says="leaves rounding errors"
def tangent(value, slope_a, a, x):
    x -= a
    height = value + slope_a * x
    x += a
    return height


# %% wrong="2.4.6" why="a white line" breaks="axes" says="what nobody sees"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x - 4, color='white', label='tangent')
    axes.legend()


# %% wrong="2.4.6" why="the tangent at the middle point" breaks="tangent" says="it should at x = 1"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    a = x[len(x) // 2]
    axes.plot(x, a ** 3 - 1 / a + (3 * a ** 2 + 1 / a ** 2) * (x - a), label='tangent')
    axes.legend()


# %% right="2.4.6" how="both lines in black, with other dashes, and a dot"
def draw(axes, x):
    first = axes.plot(x, x ** 3 - 1 / x, color='black', label='f')
    second = axes.plot(x, 4 * x - 4, color='black', linestyle='dotted', label='tangent')
    axes.plot([1], [0], 'ko')
    axes.legend(handles=second + first)


# %% wrong="2.4.E" why="one-sided where an entry is 0" breaks="central" says="An entry that is 0"
def numerical_gradient(f, x, h):
    gradient = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        if x[i] == 0:
            gradient[i] = (float(f(x + step)) - float(f(x))) / h
        else:
            gradient[i] = (float(f(x + step)) - float(f(x - step))) / (2 * h)
    return gradient


# %% wrong="2.4.F" why="a tiny number is added to the length" breaks="length" says="nothing need be added"
def steepest_descent(g):
    return -g / (g.norm() + 1e-12), -g.norm()


# %% wrong="2.4.F" why="in place, and back" breaks="g kept" says="leaves rounding errors"
def steepest_descent(g):
    size = g.norm().item()
    g.div_(size)
    v = -g
    g.mul_(size)
    return v, -size


# %% wrong="2.4.8a" why="a least length" breaks="values" says="x may be short"
def norm_gradient(x):
    return x / x.norm().clamp(min=1e-6)


# %% wrong="2.4.8a" why="the first hundred entries" breaks="any n" says="the length of the whole vector"
def norm_gradient(x):
    return x / x[:100].norm()


# %% wrong="2.4.8c" why="tries the diagonal alone" breaks="outside" says="some directions"
def is_subgradient(g):
    x = g.sign()
    return bool(x.norm() >= g @ x)


# %% wrong="2.4.8c" why="tries drawn directions" breaks="outside" says="at random"
def is_subgradient(g):
    x = torch.randn(1000, len(g), generator=torch.Generator().manual_seed(0))
    return bool((x.norm(dim=1) + 1e-6 >= x @ g).all())


# %% wrong="2.4.8c" why="rounded to two places" breaks="outside" says="no rounding, no margin"
def is_subgradient(g):
    return round(g.norm().item(), 2) <= 1


# %% wrong="2.4.9a" why="a slope of 0 is left out" breaks="by a" says="makes the whole way 0"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    def way(outer, inner):
        return outer * inner if inner else outer
    return way(ux, xa) + way(uy, ya) + way(uz, za), ux * xb + uy * yb + uz * zb


# %% wrong="2.4.10" why="without its sign" breaks="reciprocal" says="a function that falls falls, too"
def inverse_slope(df, g, y):
    return abs(1 / df(g(y)))


# %% wrong="2.4.B" why="in float32" breaks="vanishes" says="as Python floats"
def vanishing_step(x):
    x = torch.tensor(x)
    for k in range(1, 21):
        if x + 10.0 ** -k == x:
            return 10.0 ** -k


# %% wrong="2.4.B" why="nearly equal" breaks="vanishes" says="as Python floats"
def vanishing_step(x):
    for k in range(1, 21):
        if math.isclose(x + 10.0 ** -k, x, rel_tol=1e-12):
            return 10.0 ** -k


# %% wrong="2.4.1a" why="n! / k!" breaks="coefficients" says="Divide by (n - k)!, too"
def quotient_coefficients(n):
    return [math.factorial(n) // math.factorial(k) for k in range(1, n + 1)]


# %% right="2.4.1a" how="the digits of one large power"
def quotient_coefficients(n):
    base = 1 << 200
    number, digits = (1 + base) ** n, []
    while number:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits[1:]


# %% wrong="2.4.1b" why="the limit below 1e-12, the plain difference above" breaks="tiny steps" says="h = 3e-12"
def exp_quotient(x, h):
    if abs(h) <= 1e-12:
        return math.exp(x)
    return (math.exp(x + h) - math.exp(x)) / h


# %% wrong="2.4.1b" why="x in the exponent of the inner power, too" breaks="quotient" says="h alone stands in the exponent"
def exp_quotient(x, h):
    return math.exp(x) * math.expm1(x * h) / h


# %% wrong="2.4.1b" why="four terms of the series" breaks="quotient" says="the beginning of a series"
def exp_quotient(x, h):
    return math.exp(x) * (1 + h / 2 + h ** 2 / 6 + h ** 3 / 24)


# %% right="2.4.1b" how="sixty decimal digits"
def exp_quotient(x, h):
    from decimal import Decimal, localcontext
    with localcontext() as context:
        context.prec = 60
        a, d = Decimal(x), Decimal(h)
        return float(((a + d).exp() - a.exp()) / d)


# %% wrong="2.4.1c" why="three terms of the series" breaks="quotient" says="the beginning of a series"
def log_quotient(x, h):
    t = h / x
    return (1 - t / 2 + t ** 2 / 3) / x


# %% right="2.4.1c" how="the inverse of the hyperbolic tangent"
def log_quotient(x, h):
    return 2 * math.atanh(h / (2 * x + h)) / h


# %% wrong="2.4.2b" why="slopes without their signs" breaks="slope" says="keeps its sign"
def product_rule(u, v):
    return u[0] * v[0], abs(u[1]) * v[0] + u[0] * abs(v[1])


# %% wrong="2.4.2b" why="the slopes added, the values multiplied" breaks="slope" says="sum of the slopes times the product"
def product_rule(u, v):
    return u[0] * v[0], (u[1] + v[1]) * u[0] * v[0]


# %% right="2.4.2b" how="matrices of dual numbers"
def product_rule(u, v):
    def matrix(pair):
        return torch.tensor([[pair[0], pair[1]], [0.0, pair[0]]], dtype=torch.float64)
    return (matrix(u) @ matrix(v))[0].tolist()


# %% wrong="2.4.2c" why="the slope of 1/v without the slope of v" breaks="slope" says="In the second term the slope of v is missing"
def quotient_rule(u, v):
    w = (1 / v[0], -1 / v[0] ** 2)
    return u[0] * w[0], u[1] * w[0] + u[0] * w[1]


# %% wrong="2.4.2c" why="v to the third" breaks="slope" says="as by its third power"
def quotient_rule(u, v):
    return u[0] / v[0], (u[1] * v[0] - u[0] * v[1]) / v[0] ** 3


# %% wrong="2.4.3" why="the pair of a constant with the slope c" breaks="slope" says="the slope 0, not c"
def constant_multiple(c, f):
    return c * f[0], c * f[0] + c * f[1]


# %% wrong="2.4.4" why="the slope of x log x with a second 1/x" breaks="values" says="the slope of x is 1, not 1/x"
def self_power_slope(x):
    return torch.exp(x * x.log()) * (x.log() / x + 1)


# %% wrong="2.4.4" why="a little added inside the logarithm" breaks="values" says="nothing small added"
def self_power_slope(x):
    return x ** x * (torch.log(x + 1e-8) + 1)


# %% wrong="2.4.6" why="the tangent at the first point" breaks="tangent" says="at the first of the points"
def draw(axes, x):
    a = x[0]
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, a ** 3 - 1 / a + (3 * a ** 2 + 1 / a ** 2) * (x - a), label='tangent')
    axes.legend()


# %% wrong="2.4.6" why="the slope at each x" breaks="tangent" says="this is no straight line"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, (3 * x ** 2 + 1 / x ** 2) * (x - 1), label='tangent')
    axes.legend()


# %% wrong="2.4.E" why="a result of whole numbers" breaks="shape" says="floating-point dtype"
def numerical_gradient(f, x, h):
    result = torch.zeros(len(x), dtype=torch.int64)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result[i] = int((float(f(x + step)) - float(f(x - step))) / (2 * h))
    return result


# %% right="2.4.E" how="moves x and puts the saved number back"
def numerical_gradient(f, x, h):
    result = torch.empty(x.shape, dtype=x.dtype)
    for i in range(x.shape[0]):
        old = x[i].item()
        x[i] = old + h
        up = float(f(x))
        x[i] = old - h
        down = float(f(x))
        x[i] = old
        result[i] = (up - down) / (2 * h)
    return result


# %% wrong="2.4.7" why="the exponent with the factor 5" breaks="values" says="The exponent is x₂, not 5 x₂"
def gradient_of_f(x):
    return torch.stack([6 * x[0], torch.exp(5 * x[1])])


# %% wrong="2.4.7" why="the exponent as a factor" breaks="values" says="the exponent is no factor"
def gradient_of_f(x):
    return torch.stack([6 * x[0], 5 * x[1] * x[1].exp()])


# %% wrong="2.4.F" why="torch's normalize, with its eps" breaks="length" says="the least length"
def steepest_descent(g):
    v = torch.nn.functional.normalize(-g, dim=0)
    return v, g @ v


# %% right="2.4.F" how="torch's normalize, without its eps"
def steepest_descent(g):
    return -torch.nn.functional.normalize(g, dim=0, eps=0.0), -g.square().sum().sqrt().item()


# %% wrong="2.4.8a" why="torch's normalize, with its eps" breaks="values" says="the least length"
def norm_gradient(x):
    return torch.nn.functional.normalize(x, dim=0)


# %% wrong="2.4.8c" why="the root of the mean of the squares" breaks="outside" says="or their mean"
def is_subgradient(g):
    return bool(g.square().mean().sqrt() <= 1)


# %% right="2.4.8c" how="exact fractions"
def is_subgradient(g):
    from fractions import Fraction
    return sum(Fraction(entry) ** 2 for entry in g.tolist()) <= 1


# %% wrong="2.4.9a" why="two ways of b mixed" breaks="by b" says="The ways over y and z are mixed"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + uy * ya + uz * za, ux * xb + uz * yb + uy * zb


# %% wrong="2.4.9b" why="a vector of one entry becomes a number" breaks="shape" says="also where m is 1"
def pull_back(g, J):
    return (g[None] @ J).squeeze()


# %% wrong="2.4.10" why="measures the inverse, without f'" breaks="reciprocal" says="computed from the slope of f"
def inverse_slope(df, g, y):
    return (g(y + 1e-5) - g(y - 1e-5)) / 2e-5


# %% wrong="2.4.10" why="the inverse of the slope" breaks="reciprocal" says="not to the slope of f"
def inverse_slope(df, g, y):
    return 1 / g(df(y))


# %% wrong="2.4.A" why="divides by 2h" breaks="quotient" says="not 2h"
def difference_quotient(f, x, h):
    return (f(x + h) - f(x)) / (2 * h)


# %% wrong="2.4.D" why="in the order of size" breaks="tensor" says="keep the order of x"
def tangent(value, slope_a, a, x):
    if isinstance(x, torch.Tensor):
        x = x.sort().values
    return value + slope_a * (x - a)


# %% wrong="2.4.E" why="returns inside the loop" breaks="central" says="computed before `return`"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result[i] = (float(f(x + step)) - float(f(x - step))) / (2 * h)
        return result

# %% wrong="2.4.A" why="half a step to each side" breaks="quotient" says="h/2 to the left and h/2 to the right"
def difference_quotient(f, x, h):
    return (f(x + h / 2) - f(x - h / 2)) / h

# %% wrong="2.4.1c" why="the quotient of the logarithms" breaks="quotient" says="This divides log 7 by log 2"
def log_quotient(x, h):
    return math.log(x + h) / math.log(x) / h

# %% wrong="2.4.2a" why="value and slope crosswise" breaks="value" says="the value of u and the slope of v"
def sum_rule(u, v):
    return u[0] + v[1], u[1] + v[0]

# %% wrong="2.4.2b" why="the second strip without a slope" breaks="slope" says="and must be u v', 3 · (-7) = -21"
def product_rule(u, v):
    return u[0] * v[0], u[1] * v[0] + u[0] * v[0]

# %% wrong="2.4.2c" why="the slope of 1/v divided by v, not by its square" breaks="slope" says="by the square of v, too, and not by v"
def quotient_rule(u, v):
    w = (1 / v[0], -v[1] / v[0])
    return u[0] * w[0], u[1] * w[0] + u[0] * w[1]

# %% wrong="2.4.C" why="applies g to its own slope" breaks="inner value" says="g is not applied to it"
def chain_slope(df, g, dg, x):
    return df(g(x)) * g(dg(x))

# %% wrong="2.4.5" why="where the function is 0, for one of the keys" breaks="places" says="There f itself is 0"
flat = {'a': {1: 'minimum', -1: 'maximum'}, 'b': {0: 'neither', 3: 'minimum', 4: 'neither'}, 'c': {2: 'minimum', -2: 'maximum'},
        'd': {1: 'maximum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.6" why="f(1) with a plus" breaks="tangent" says="The slope is right, 4"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 2 + 4 * (x - 1), label='tangent')
    axes.legend()

# %% wrong="2.4.7" why="the other term stays in each entry" breaks="values" says="x₂ is a constant there and must not count"
def gradient_of_f(x):
    return torch.stack([6 * x[0] + 5 * torch.exp(x[1]), 3 * x[0] ** 2 + 5 * torch.exp(x[1])])

# %% wrong="2.4.8a" why="times the length" breaks="values" says="not multiplied by it"
def norm_gradient(x):
    return x * x.norm()

# %% wrong="2.4.10" why="the rule for 1 / v" breaks="reciprocal" says="it must not depend on y"
def inverse_slope(df, g, y):
    return -df(g(y)) / g(y) ** 2

# %% wrong="2.4.1b" why="the limit below 1e-10, the plain difference above" breaks="tiny steps" says="Floats near 50 are 7e-15 apart"
def exp_quotient(x, h):
    if abs(h) < 1e-10:
        return math.exp(x)
    return (math.exp(x + h) - math.exp(x)) / h

# %% wrong="2.4.1b" why="divided by x" breaks="quotient" says="divided by x = 2"
def exp_quotient(x, h):
    return math.exp(x) * math.expm1(h) / x

# %% wrong="2.4.1c" why="the sum x + h inside one logarithm" breaks="tiny steps" says="before it is divided by x"
def log_quotient(x, h):
    return math.log((x + h) / x) / h

# %% wrong="2.4.1c" why="log1p for log" breaks="quotient" says="This is log 8 minus log 3"
def log_quotient(x, h):
    return (math.log1p(x + h) - math.log1p(x)) / h

# %% wrong="2.4.A" why="f(h) for f(x)" breaks="quotient" says="not at f(h)"
def difference_quotient(f, x, h):
    return (f(x + h) - f(h)) / h

# %% wrong="2.4.B" why="eps times x" breaks="vanishes" says="it is none of the steps"
def vanishing_step(x):
    return torch.finfo(torch.float64).eps * abs(x)

# %% wrong="2.4.C" why="returns a function" breaks="inner value" says="It returns a function"
def chain_slope(df, g, dg, x):
    return lambda t: df(g(t)) * dg(t)

# %% wrong="2.4.5" why="a slope by the chain rule without its sign" breaks="places" says="The slope of 'd' at -1 is 5.44"
flat = {'a': {1: 'minimum', -1: 'maximum'}, 'b': {0: 'neither', 3: 'minimum'}, 'c': {2: 'minimum', -2: 'maximum'},
        'd': {1: 'maximum', -1: 'minimum'}, 'e': {1: 'neither'}}

# %% wrong="2.4.D" why="no brackets" breaks="touches" says="into brackets"
def tangent(value, slope_a, a, x):
    return value + slope_a * x - a

# %% wrong="2.4.6" why="a scatter plot" breaks="axes" says="drawn with `scatter`"
def draw(axes, x):
    axes.scatter(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * (x - 1), label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="dots by the format" breaks="axes" says="leaves the line out"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, 'o', label='f')
    axes.plot(x, 4 * (x - 1), label='tangent')
    axes.legend()

# %% wrong="2.4.6" why="lines without labels" breaks="axes" says="they have no label"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x)
    axes.plot(x, 4 * (x - 1))
    axes.legend()

# %% wrong="2.4.6" why="the tangent at the mean of the points" breaks="tangent" says="but at x = 2.167"
def draw(axes, x):
    a = x.mean()
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, a ** 3 - 1 / a + (3 * a ** 2 + 1 / a ** 2) * (x - a), label='tangent')
    axes.legend()

# %% wrong="2.4.E" why="second names in place of copies" breaks="central" says="`up = x` is no copy"
def numerical_gradient(f, x, h):
    out = torch.zeros_like(x)
    x = x.clone()
    for i in range(len(x)):
        kept = x[i].item()
        up = x
        up[i] = kept + h
        down = x
        down[i] = kept - h
        out[i] = (f(up) - f(down)) / (2 * h)
        x[i] = kept
    return out

# %% wrong="2.4.7" why="a rounded e" breaks="values" says="e has more digits"
def gradient_of_f(x):
    return torch.stack([6 * x[0], 5 * 2.718 ** x[1]])

# %% wrong="2.4.F" why="v times v" breaks="slope" says="the product v · v"
def steepest_descent(g):
    v = -g / g.norm()
    return v, v @ v

# %% wrong="2.4.8a" why="the slope of the root alone, one number" breaks="shape and dtype" says="the inner gradient, 2x, is missing"
def norm_gradient(x):
    return 1 / (2 * x.norm())

# %% wrong="2.4.8a" why="the root of each entry" breaks="values" says="and not of each entry"
def norm_gradient(x):
    return 2 * x / (2 * x.sqrt())

# %% wrong="2.4.8c" why="the first two entries" breaks="outside" says="the length of its first two entries"
def is_subgradient(g):
    return bool((g[:2] ** 2).sum() <= 1)

# %% wrong="2.4.8c" why="divides by the length" breaks="inside" says="0 / 0 is nan"
def is_subgradient(g):
    return bool(g @ g / g.norm() <= 1)

# %% wrong="2.4.8c" why="one x alone" breaks="outside" says="at x = (1, ..., 1) alone"
def is_subgradient(g):
    x = torch.ones_like(g)
    return bool(x.norm() >= g @ x)

# %% wrong="2.4.9a" why="the slopes of u left out" breaks="by a" says="is a factor"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return xa + ya + za, ux * xb + uy * yb + uz * zb

# %% wrong="2.4.10" why="g of the slope" breaks="reciprocal" says="This is g(4)"
def inverse_slope(df, g, y):
    return g(df(y))

# %% wrong="2.4.10" why="the slope of f times that of g" breaks="reciprocal" says="the second factor alone"
def inverse_slope(df, g, y):
    return df(g(y)) * slope(g, y)

# %% wrong="2.4.10" why="the argument turned over" breaks="reciprocal" says="not its place"
def inverse_slope(df, g, y):
    return df(1 / g(y))

# %% wrong="2.4.10" why="the slope of the slope" breaks="reciprocal" says="is the slope of f already"
def inverse_slope(df, g, y):
    return 1 / slope(df, g(y))

# %% wrong="2.4.7" why="e with nine digits after the point" breaks="values" says="as with a rounded e"
def gradient_of_f(x):
    return torch.stack([6 * x[0], 5 * 2.718281828 ** x[1]])

# %% wrong="2.4.1a" why="divides with // before it multiplies" breaks="coefficients" says="multiply first"
def quotient_coefficients(n):
    row, c = [], 1
    for k in range(n):
        c = c * ((n - k) // (k + 1))
        row.append(c)
    return row

# %% wrong="2.4.A" why="rounded to one digit" breaks="quotient" says="rounded to one digit"
def difference_quotient(f, x, h):
    return round((f(x + h) - f(x)) / h, 1)

# %% wrong="2.4.A" why="divided by x - h" breaks="quotient" says="not by x - h"
def difference_quotient(f, x, h):
    return (f(x + h) - f(x)) / (x - h)

# %% wrong="2.4.B" why="the gap by eps, cut to a power of ten" breaks="size of x" says="steps up to half of it vanish"
def vanishing_step(x):
    gap = torch.finfo(torch.float64).eps * abs(x)
    return 10.0 ** math.floor(math.log10(gap))

# %% wrong="2.4.2b" why="adds the relative slopes" breaks="slope" says="divided by its own"
def product_rule(u, v):
    return u[0] * v[0], u[1] / u[0] + v[1] / v[0]

# %% wrong="2.4.C" why="the value of g as a factor" breaks="inner value" says="The value of g is no factor"
def chain_slope(df, g, dg, x):
    return df(x) * g(x) * dg(x)

# %% wrong="2.4.4" why="the slope of the exponent as a sum" breaks="values" says="the exponent is their product"
def self_power_slope(x):
    return x ** x * (1 + 1 / x)

# %% wrong="2.4.A" why="the change from the smaller place to the larger" breaks="from the left" says="one of the two has lost"
def difference_quotient(f, x, h):
    low, high = min(x, x + h), max(x, x + h)
    return (f(high) - f(low)) / h

# %% wrong="2.4.D" why="heights in the dtype of x" breaks="tensor" says="the heights have fractions all the same"
def tangent(value, slope_a, a, x):
    if isinstance(x, torch.Tensor):
        y = torch.zeros_like(x)
        for i in range(len(x)):
            y[i] = value + slope_a * (x[i] - a)
        return y
    return value + slope_a * (x - a)

# %% wrong="2.4.1a" why="the coefficients of the limit" breaks="coefficients" says="the derivative alone"
def quotient_coefficients(n):
    return [n] + [0] * (n - 1)

# %% wrong="2.4.6" why="the tangent near 1 only" breaks="tangent" says="The line goes over the points that are handed over"
def draw(axes, x):
    axes.plot(x, x ** 3 - 1 / x, label='f')
    near = x[(x > 0.5) & (x < 1.5)]
    axes.plot(near, 4 * (near - 1), label='tangent')
    axes.legend()

# %% wrong="2.4.8a" why="the squares in float32" breaks="values" says="about seven digits"
def norm_gradient(x):
    return x / math.sqrt(sum(v * v for v in x.float().tolist()))

# %% wrong="2.4.E" why="does not put an entry back" breaks="others fixed" says="put it back before entry 1"
def numerical_gradient(f, x, h):
    result, moved = torch.zeros_like(x), x.clone()
    for i in range(len(x)):
        moved[i] = x[i] + h
        up = float(f(moved))
        moved[i] = x[i] - h
        down = float(f(moved))
        result[i] = (up - down) / (2 * h)
    return result

# %% wrong="2.4.E" why="the other entries are 0" breaks="others fixed" says="the other entries are 0"
def numerical_gradient(f, x, h):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        e = torch.zeros_like(x)
        e[i] = 1
        result[i] = (float(f(x[i] * e + h * e)) - float(f(x[i] * e - h * e))) / (2 * h)
    return result

# %% wrong="2.4.9a" why="adds along a way, multiplies over the ways" breaks="by a" says="the other way round"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return (ux + xa) * (uy + ya) * (uz + za), (ux + xb) * (uy + yb) * (uz + zb)

# %% wrong="2.4.9a" why="ux in all ways by a, uy in all by b" breaks="by a" says="stands in all three ways"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    return ux * xa + ux * ya + ux * za, uy * xb + uy * yb + uy * zb

# %% wrong="2.4.9b" why="a matrix of one row" breaks="shape" says="a matrix of one row"
def pull_back(g, J):
    return g[None] @ J

# %% wrong="2.4.10" why="the rule for 1/f" breaks="reciprocal" says="the slope of 1 / f"
def inverse_slope(df, g, y):
    return -df(g(y)) / y ** 2

# %% wrong="2.4.10" why="g(y) as a factor" breaks="reciprocal" says="here g(y) = 6 is a factor"
def inverse_slope(df, g, y):
    return 1 / (df(g(y)) * g(y))

# %% wrong="2.4.2b" why="the strips multiplied" breaks="slope" says="here they are multiplied"
def product_rule(u, v):
    return u[0] * v[0], (u[1] * v[0]) * (u[0] * v[1])

# %% wrong="2.4.2b" why="value plus slope of each, multiplied" breaks="slope" says="were added in each pair"
def product_rule(u, v):
    return u[0] * v[0], (u[0] + u[1]) * (v[0] + v[1])

# %% wrong="2.4.2b" why="one strip twice" breaks="slope" says="twice; the second strip"
def product_rule(u, v):
    return u[0] * v[0], 2 * u[1] * v[0]

# %% wrong="2.4.F" why="the sum of v for the slope" breaks="slope" says="the sum of the entries of v"
def steepest_descent(g):
    v = -g / g.norm()
    return v, v.sum()

# %% wrong="2.4.D" why="writes into x where double() makes no copy" breaks="x kept" says="of 20 entries"
def tangent(value, slope_a, a, x):
    if not isinstance(x, torch.Tensor):
        return value + slope_a * (x - a)
    heights = x.double()
    heights -= a
    heights *= slope_a
    return heights + value

# %% wrong="2.4.2c" why="divides the quotient rule's short form by the square of v" breaks="slope" says="divided by v once more"
def quotient_rule(u, v):
    q = u[0] / v[0]
    return q, (u[1] - q * v[1]) / v[0] ** 2

# %% wrong="2.4.E" why="all directions at once: f is handed a matrix" breaks="others fixed" says="was given a tensor with 2 axes"
def numerical_gradient(f, x, h):
    steps = h * torch.eye(len(x), dtype=x.dtype)
    return (f(x + steps) - f(x - steps)) / (2 * h)

# %% wrong="2.4.5" why="b: divides by x squared and loses the place 0" breaks="all of them" says="to divide by a factor loses that place"
flat = {
    'a': {1: 'minimum', -1: 'maximum'},
    'b': {3: 'minimum'},
    'c': {2: 'minimum', -2: 'maximum'},
    'd': {1: 'maximum'},
    'e': {1: 'neither'},
}

# %% wrong="2.4.5" why="c: kinds by comparing the heights 4 and -4" breaks="kinds" says="lies lower than its minimum"
flat = {
    'a': {1: 'minimum', -1: 'maximum'},
    'b': {0: 'neither', 3: 'minimum'},
    'c': {2: 'maximum', -2: 'minimum'},
    'd': {1: 'maximum'},
    'e': {1: 'neither'},
}
