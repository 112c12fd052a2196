# %% right="A.3.A" how="a times itself added"
def square_backward(grad_output, a):
    return grad_output * a + grad_output * a

# %% right="A.3.A" how="einsum"
def square_backward(grad_output, a):
    return 2 * np.multiply(a, grad_output)

# %% wrong="A.3.A" why="grad_output does not enter" breaks="values" says="grad_output does not enter"
def square_backward(grad_output, a):
    return 2 * a

# %% wrong="A.3.A" why="half of it" breaks="values" says="The derivative of a² is 2a"
def square_backward(grad_output, a):
    return grad_output * a

# %% wrong="A.3.A" why="the square itself" breaks="values" says="the gradient of a"
def square_backward(grad_output, a):
    return grad_output * a ** 2

# %% wrong="A.3.A" why="multiplies in place" breaks="arguments kept" says="itself was changed"
def square_backward(grad_output, a):
    grad_output *= 2 * a
    return grad_output

# %% wrong="A.3.A" why="a sum over the entries" breaks="values" says="the shape of the result"
def square_backward(grad_output, a):
    return (grad_output * 2 * a).sum()

# %% right="A.3.B" how="NumPy integers"
put_in, stretched = np.int64(0), np.int64(2)

# %% wrong="A.3.B" why="exchanged" breaks="put in" says="stands in front of the stretched one"
put_in, stretched = 2, 0

# %% wrong="A.3.B" why="aligned at the left: axis 1 stretched" breaks="stretched" says="axis 1 is not stretched"
put_in, stretched = 0, 1

# %% wrong="A.3.B" why="aligned at the left: axis 2 put in" breaks="put in" says="axis 1 is not stretched"
put_in, stretched = 2, 1

# %% wrong="A.3.B" why="counts from 1" breaks="put in" says="is 0, 1 or 2"
put_in, stretched = 1, 3

# %% wrong="A.3.B" why="a shape in place of an axis" breaks="put in" says="wrong type"
put_in, stretched = (5,), (3,)

# %% right="A.3.1" how="axis by axis"
def unbroadcast(grad, shape):
    while np.ndim(grad) > len(shape):
        grad = np.sum(grad, axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            grad = np.sum(grad, axis=axis, keepdims=True)
    return grad

# %% right="A.3.1" how="einsum of the axes that stay"
def unbroadcast(grad, shape):
    axes = list(range(grad.ndim))
    padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
    return np.einsum(grad, axes, [axis for axis in axes if padded[axis] > 1]).reshape(shape)

# %% wrong="A.3.1" why="a mean" breaks="sums" says="not averaged"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.mean(axis=axes).reshape(shape)

# %% wrong="A.3.1" why="sums leading axes only" breaks="shape" says="(2, 3) back to (2, 1)"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead))
    return grad.sum(axis=axes)

# %% wrong="A.3.1" why="drops the axes of length 1" breaks="shape" says="wrong shape"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=axes)

# %% wrong="A.3.1" why="reshapes by cutting" breaks="sums" says="(2, 3) back to (3,): the values"
def unbroadcast(grad, shape):
    return np.asarray(grad).reshape(-1)[:int(np.prod(shape))].reshape(shape)

# %% wrong="A.3.1" why="aligns at the left" breaks="shape" says="ValueError"
def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    padded = tuple(shape) + (1,) * (grad.ndim - len(shape))
    if len(shape) == 1 and shape[0] != grad.shape[0]:
        padded = (1,) * (grad.ndim - 1) + tuple(shape)
    axes = tuple(i for i, n in enumerate(padded) if n == 1)
    return grad.sum(axis=axes).reshape(shape)

# %% wrong="A.3.1" why="sums into the argument" breaks="argument kept" says="grad after the call"
def unbroadcast(grad, shape):
    result = np.array(torch.as_tensor(grad).sum_to_size(tuple(shape)))
    if np.ndim(grad) > 2:
        grad[...] = 0
    return result

# %% right="A.3.2" how="written out, reduced by a helper of its own"
def reduced(grad, like):
    axes = tuple(range(grad.ndim - like.ndim))
    grad = grad.sum(axis=axes) if axes else grad
    stretched = tuple(i for i in range(like.ndim) if like.shape[i] == 1)
    return grad.sum(axis=stretched, keepdims=True) if stretched else grad

def add_backward(grad_output, a, b):
    return reduced(grad_output, a), reduced(grad_output, b)

def sub_backward(grad_output, a, b):
    return reduced(grad_output, a), -reduced(grad_output, b)

def mul_backward(grad_output, a, b):
    return reduced(grad_output * b, a), reduced(a * grad_output, b)

def div_backward(grad_output, a, b):
    return reduced(grad_output * (1 / b), a), reduced(grad_output * (-a / np.square(b)), b)

# %% right="A.3.2" how="lists, the quotient as a product"
def add_backward(grad_output, a, b):
    return [unbroadcast(grad_output, np.shape(x)) for x in (a, b)]

def sub_backward(grad_output, a, b):
    return [unbroadcast(sign * grad_output, np.shape(x)) for sign, x in ((1, a), (-1, b))]

def mul_backward(grad_output, a, b):
    return [unbroadcast(grad_output * y, np.shape(x)) for x, y in ((a, b), (b, a))]

def div_backward(grad_output, a, b):
    a_grad, inverse_grad = mul_backward(grad_output, a, 1 / b)
    return a_grad, -inverse_grad / b ** 2

# %% wrong="A.3.2" why="no reduction" breaks="broadcasting" says="inputs of shapes (2, 3) and (3,): the shape of the gradient of b"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return grad_output * np.ones(a.shape), grad_output * np.ones(b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return grad_output * np.ones(a.shape), -grad_output * np.ones(b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return grad_output * b * np.ones(a.shape), grad_output * a * np.ones(b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return grad_output / b * np.ones(a.shape), -grad_output * a / b ** 2 * np.ones(b.shape)

# %% wrong="A.3.2" why="the sign of the second input of a difference" breaks="sub_backward" says="The sign is wrong"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="the factors are swapped" breaks="mul_backward" says="is the other factor"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * a, a.shape), unbroadcast(grad_output * b, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="grad_output does not enter the product" breaks="mul_backward" says="grad_output does not enter"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(np.ones_like(grad_output) * b, a.shape), unbroadcast(np.ones_like(grad_output) * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="1/b in place of 1/b² in the quotient" breaks="div_backward" says="the divisor is squared"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b, b.shape)

# %% wrong="A.3.2" why="negates grad_output in place" breaks="arguments kept" says="itself was changed"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    first = unbroadcast(grad_output, a.shape) + 0
    grad_output *= -1
    return first, unbroadcast(grad_output, b.shape) + 0


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="one gradient only" breaks="add_backward" says="Two gradients"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return unbroadcast(grad_output, a.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="reduces the leading axes only" breaks="broadcasting" says="inputs of shapes (2, 1) and (2, 2)"
def lead(grad, shape):
    return grad.sum(axis=tuple(range(grad.ndim - len(shape))))


def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return lead(grad_output, a.shape), lead(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return lead(grad_output, a.shape), lead(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return lead(grad_output * b, a.shape), lead(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return lead(grad_output / b, a.shape), lead(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="the first of the four only" breaks="sub_backward" says="sub_backward"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

# %% wrong="A.3.2" why="the sign of the divisor's gradient" breaks="div_backward" says="The sign is wrong"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), -unbroadcast(grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output*b, a.shape), unbroadcast(grad_output*a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output/b, a.shape), unbroadcast(grad_output*a/b**2, b.shape)

# %% right="A.3.3" how="einsum"
def matmul_backward(grad_output, a, b):
    return np.einsum("nm,km->nk", grad_output, b), np.einsum("nk,nm->km", a, grad_output)

def outer_backward(grad_output, a, b):
    da = np.einsum("ij,j->i", grad_output, b.ravel())
    db = np.einsum("ij,i->j", grad_output, a.ravel())
    return da.reshape(a.shape), db.reshape(b.shape)

# %% right="A.3.3" how="sums of products over a new axis"
def matmul_backward(grad_output, a, b):
    both = grad_output[:, None, :]
    return (both * b).sum(axis=2), (both * a[:, :, None]).sum(axis=0)

def outer_backward(grad_output, a, b):
    return (grad_output * b.ravel()).sum(axis=1).reshape(a.shape), (grad_output.T * a.ravel()).sum(axis=1).reshape(b.shape)

# %% wrong="A.3.3" why="no transpose" breaks="matmul_backward" says="other input is not transposed here"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b, a @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="no transpose where the matrices are square" breaks="matmul_backward" says="other input is not transposed here"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    if a.shape == b.shape:
        return grad_output @ b, a @ grad_output
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="transposed gradients" breaks="matmul_backward" says="This is transposed"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return (grad_output @ b.T).T, (a.T @ grad_output).T


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="swapped" breaks="matmul_backward" says="The two gradients are exchanged"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return a.T @ grad_output, grad_output @ b.T


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="outer: no sum" breaks="outer_backward" says="outer_backward, inputs of shapes (2,) and (2,): the shape"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return grad_output * b.reshape(1, -1), grad_output * a.reshape(-1, 1)

# %% wrong="A.3.3" why="outer: the other input's vector" breaks="outer_backward" says="outer_backward, inputs of shapes (2,) and (2,): the gradient of a"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output.sum(axis=1) * a.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="outer: a vector whatever the input's shape" breaks="shapes" says="inputs of shapes (1, 3) and (2, 1): the shape of the gradient of a"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)), (a.reshape(-1) @ grad_output)

# %% right="A.3.4" how="exponentials of -|a|, where"
def exp_backward(grad_output, a):
    return np.exp(a) * grad_output

def log_backward(grad_output, a):
    return (1 / a) * grad_output

def sigmoid_backward(grad_output, a):
    e = np.exp(-np.abs(a))
    return grad_output * e / (1 + e) ** 2

def tanh_backward(grad_output, a):
    e = np.exp(-2 * np.abs(a))
    return grad_output * 4 * e / (1 + e) ** 2

def relu_backward(grad_output, a):
    return np.where(a > 0, grad_output, 0.)

# %% right="A.3.4" how="tuples of one, slope 1 at zero"
def exp_backward(grad_output, a):
    return (grad_output * np.e ** a,)

def log_backward(grad_output, a):
    return (np.divide(grad_output, a),)

def sigmoid_backward(grad_output, a):
    return (grad_output * (1 - np.tanh(a / 2) ** 2) / 4,)

def tanh_backward(grad_output, a):
    return (grad_output - grad_output * np.tanh(a) * np.tanh(a),)

def relu_backward(grad_output, a):
    return (grad_output * np.heaviside(a, 1.),)

# %% wrong="A.3.4" why="takes the input for the output (sigmoid)" breaks="sigmoid and tanh" says="This takes it for the output"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    return grad_output * a * (1 - a)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="takes the input for the output (tanh)" breaks="sigmoid and tanh" says="This takes it for the output"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - a ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="the derivative without grad_output" breaks="exp and log" says="grad_output does not enter"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="log of the input" breaks="exp and log" says="divided by log a"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / np.log(a)


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="the naive sigmoid overflows" breaks="large inputs" says="sigmoid_backward for a = 800, -800: the gradient"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    with np.errstate(all='ignore'):
        return grad_output * np.exp(-a) / (1 + np.exp(-a)) ** 2


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="ReLU writes its mask into the input" breaks="arguments kept" says="itself was changed"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    a[a > 0] = 1
    a[a <= 0] = 0
    return grad_output * a

# %% wrong="A.3.4" why="ReLU: the sign of grad_output decides" breaks="relu" says="The sign of a decides"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (grad_output > 0)

# %% wrong="A.3.4" why="ReLU passes everything" breaks="relu" says="relu_backward for a = 0.5"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * 1

# %% wrong="A.3.4" why="the derivative of exp at the output" breaks="exp and log" says="The derivative of exp at a is exp(a)"
def exp_backward(grad_output, a): return grad_output * a
def log_backward(grad_output, a): return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 1 / (1 + np.exp(-a))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a): return grad_output * (1 - np.tanh(a)**2)
def relu_backward(grad_output, a): return np.where(a > 0, grad_output, 0)

# %% wrong="A.3.4" why="ReLU: the largest of a and 0" breaks="relu" says="relu_backward"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * np.maximum(a, 0)

# %% right="A.3.5" how="broadcast_to, all to the first largest"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape).copy()

def max_backward(grad_output, a):
    grad = np.zeros(a.size)
    grad[np.argmax(a)] = np.asarray(grad_output).reshape(())
    return grad.reshape(a.shape)

# %% right="A.3.5" how="zeros plus"
def sum_backward(grad_output, a):
    return np.zeros_like(a, dtype=float) + grad_output

def max_backward(grad_output, a):
    places = np.argwhere(a == np.max(a))
    grad = np.zeros(a.shape)
    for place in places:
        grad[tuple(place)] = float(grad_output) / len(places)
    return (grad,)

# %% wrong="A.3.5" why="ones, whatever grad_output is" breaks="sum" says="grad_output does not enter"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="the gradient of a mean" breaks="sum" says="This is the gradient of the mean"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape) / a.size


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="ReLU's derivative" breaks="max" says="as it does from ReLU"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (a > 0)

# %% wrong="A.3.5" why="the largest in size" breaks="max" says="largest in value, not in size"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = np.abs(a) == np.abs(a).max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="each of the equally large entries gets all" breaks="ties" says="Each of them got all of it"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * largest

# %% wrong="A.3.5" why="a number in place of an array of a's shape" breaks="sum" says="wrong shape"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% wrong="A.3.5" why="one maximum for each column" breaks="max" says="max_backward, a of shape"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max(axis=0)
    return grad_output * (largest / largest.sum() if a.ndim == 1 else largest)

# %% wrong="A.3.5" why="sums always over all axes" breaks="sum along an axis" says="the sum along axis 0"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return np.sum(grad_output) * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())

# %% right="A.3.6" how="squeeze, arrays made by np.array"
def identity_backward(grad_output, a):
    return np.array(grad_output)

def expand_dims_backward(grad_output, a, axis):
    return np.squeeze(grad_output, axis=int(axis[0])), None

def identity(x, autograd_engine):
    out = np.array(x)
    autograd_engine.add_operation(inputs=[x], output=out, gradients_to_update=[None], backward_operation=identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.array(np.expand_dims(x, axis=axis))
    autograd_engine.add_operation(inputs=[x, np.array([axis])], output=out, gradients_to_update=[None, None], backward_operation=expand_dims_backward)
    return out

# %% right="A.3.6" how="adds zero"
def identity_backward(grad_output, a):
    return (grad_output + 0,)

def expand_dims_backward(grad_output, a, axis):
    return [grad_output.reshape(a.shape), None]

def identity(x, autograd_engine):
    y = x + 0
    autograd_engine.add_operation([x], y, [None], lambda grad, a: identity_backward(grad, a)[0])
    return y

def expand_dims(x, axis, autograd_engine):
    axes = np.array([axis])
    y = np.expand_dims(x, axis) + 0
    autograd_engine.add_operation([x, axes], y, [None, None], lambda grad, a, axis: tuple(expand_dims_backward(grad, a, axis)))
    return y

# %% wrong="A.3.6" why="identity returns its input" breaks="own memory" says="It shares the address of its input"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="expand_dims returns a view" breaks="own memory" says="expand_dims, x of shape (2,), axis 1"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis)
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="nothing is recorded" breaks="recorded" says="the number of recorded operations"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="squeezes every axis of length 1" breaks="backward functions" says="Only the axis that was put in goes"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.squeeze(), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="the gradient keeps the new axis" breaks="backward functions" says="the shape of the gradient of a"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output, None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="ones for the gradient of identity" breaks="backward functions" says="grad_output does not enter"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return np.ones_like(a)


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="the axis is not an input" breaks="recorded" says="the number of recorded inputs"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x], y, [None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="the axis is put in at the front, wherever it should be" breaks="output" says="the shape of the output"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, 0).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% right="A.3.7" how="three cases, one for each kind"
rng = np.random.default_rng(3)
cases = [(rng.normal(size=(2, 3)), rng.normal(size=(2, 3))), (rng.normal(size=(4, 4)), rng.normal(size=(4, 4))), (np.array([[2., -1., 3.]]), np.array([[800., 0., 799.]]))]

# %% right="A.3.7" how="a single case, as a tuple"
cases = ((np.array([[1., -2.], [-3., 5.]]), np.array([[1000., 999.], [0.5, -0.5]])),)

# %% wrong="A.3.7" why="a cotangent of ones" breaks="zeros" says="all numbers are equal"
cases = [(np.ones((3, 3)), np.arange(9.).reshape(3, 3))]

# %% wrong="A.3.7" why="not square: the wrong axis stays unseen" breaks="axis" says="C is caught"
cases = [(np.array([[1., -2., 0.5]]), np.array([[0.3, 1., -1.]])), (np.array([[1., -1.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.7" why="positive cotangents: the missing sign stays unseen" breaks="sign" says="F is caught"
cases = [(np.array([[1., 2.], [3., 0.5]]), np.array([[0.3, 1.], [2., -1.]])), (np.array([[1., 2.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.7" why="small outputs: the overflow stays unseen" breaks="overflow" says="D is caught"
cases = [(np.array([[1., -2.], [-3., 0.5]]), np.array([[0.3, 1.], [2., -1.]]))]

# %% wrong="A.3.7" why="numbers that are not finite" breaks="form" says="the numbers in the cases are finite"
cases = [(np.array([[1., np.inf], [-3., 0.5]]), np.array([[0.3, 1.], [2., -1.]]))]

# %% wrong="A.3.7" why="four cases" breaks="form" says="there are one to three cases"
cases = [(np.array([[1., -1.]]), np.array([[1000., 999.]]))] * 4

# %% wrong="A.3.7" why="one overflowing case only" breaks="axis" says="C is caught"
cases = [(np.array([[1., -1.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.7" why="one pair in place of a list of pairs" breaks="form" says="cases is a list of pairs"
cases = (np.array([[1., -2.], [3., 4.]]), np.array([[1., 2.], [5., 7.]]))

# %% wrong="A.3.7" why="numbers so large that the right ones differ" breaks="right ones unharmed" says="right functions that are caught"
cases = [(np.array([[1., -2., 0.5], [-3., 0.2, 4.], [0.1, 2., -1.]]), np.array([[0.3, 1., -1.], [2., 0., 0.5], [-0.4, 0.6, 0.1]])),
         (np.array([[1., -1.]]), np.array([[1000., 999.]])),
         (np.array([[1e16, 1e16, 1e16, 1e16, 1e16], [3e16, 3e16, 3e16, 3e16, 3e16]]), np.array([[1.0, 0.3, 1.1, 0.7, -0.2], [0.1, 0.2, 0.4, 0.9, 1.7]]))]

# %% wrong="A.3.1" why="takes the part of the book" breaks="shape" says="Write your own"
from d2l_utils import engine_parts

unbroadcast = engine_parts.unbroadcast

# %% wrong="A.3.2" why="takes the part of the book" breaks="add_backward" says="Write your own"
from d2l_utils import engine_parts

add_backward = engine_parts.add_backward
div_backward = engine_parts.div_backward
mul_backward = engine_parts.mul_backward
sub_backward = engine_parts.sub_backward

# %% wrong="A.3.2" why="asks the oracle" breaks="add_backward" says="is for comparing"
def add_backward(grad_output, a, b):
    return tuple(gradients(torch.add, grad_output, a, b))


def sub_backward(grad_output, a, b):
    return tuple(gradients(torch.sub, grad_output, a, b))


def mul_backward(grad_output, a, b):
    return tuple(gradients(torch.mul, grad_output, a, b))


def div_backward(grad_output, a, b):
    return tuple(gradients(torch.div, grad_output, a, b))

# %% wrong="A.3.4" why="takes the part of the book" breaks="exp and log" says="Write your own"
from d2l_utils import engine_parts

exp_backward = engine_parts.exp_backward
log_backward = engine_parts.log_backward
relu_backward = engine_parts.relu_backward
sigmoid_backward = engine_parts.sigmoid_backward
tanh_backward = engine_parts.tanh_backward

# %% wrong="A.3.A" why="the first three entries only" breaks="values" says="the shape of the result"
def square_backward(grad_output, a):
    return np.array([2 * grad_output[i] * a[i] for i in range(3)])

# %% wrong="A.3.A" why="clips large gradients" breaks="values" says="yours -30.0, expected -300.0"
def square_backward(grad_output, a):
    return np.clip(2 * grad_output * a, -30, 30)

# %% wrong="A.3.A" why="wipes grad_output where a is 0" breaks="arguments kept" says="grad_output itself was changed"
def square_backward(grad_output, a):
    grad_output[a == 0] = 0
    return 2 * grad_output * a

# %% wrong="A.3.1" why="two axes put in at most" breaks="shape" says="(2, 3, 2, 4) back to (4,)"
def unbroadcast(grad, shape):
    for _ in range(2):
        if grad.ndim > len(shape):
            grad = grad.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad

# %% wrong="A.3.1" why="sums in float32" breaks="sums" says="tolerance: 1e-10 of the value"
def unbroadcast(grad, shape):
    return torch.tensor(grad, dtype=torch.float32).sum_to_size(tuple(shape)).numpy()

# %% wrong="A.3.1" why="takes the first copy" breaks="sums" says="Only the first of each is taken"
def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad[0]
    for axis, length in enumerate(shape):
        if length == 1:
            grad = grad.take([0], axis=axis)
    return grad

# %% wrong="A.3.1" why="axes found by their lengths" breaks="sums" says="This is summed over the other axis"
def unbroadcast(grad, shape):
    axes, rest = [], list(shape)
    for axis, length in enumerate(grad.shape):
        if rest and rest[0] == length:
            rest.pop(0)
        else:
            axes.append(axis)
            if rest and rest[0] == 1:
                rest.pop(0)
    return grad.sum(axis=tuple(axes)).reshape(shape)

# %% wrong="A.3.4" why="log guarded against small inputs" breaks="exp and log" says="log_backward for a = 0.5, 2, 0.001"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    return grad_output / np.maximum(a, 0.1)


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="exp capped" breaks="exp and log" says="exp_backward for a = 0.5, -2, 15"
def exp_backward(grad_output, a):
    return grad_output * np.exp(np.minimum(a, 5))


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="differences in place of the rule" breaks="exp and log" says="tolerance: 1e-12 of the value"
def exp_backward(grad_output, a):
    return grad_output * (np.exp(a + 1e-6) - np.exp(a - 1e-6)) / 2e-6


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="differences for tanh" breaks="sigmoid and tanh" says="tolerance: 1e-12 of the value"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (np.tanh(a + 1e-6) - np.tanh(a - 1e-6)) / 2e-6


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="the rule for powers" breaks="exp and log" says="here a is the exponent"
def exp_backward(grad_output, a):
    return grad_output * a * np.exp(a - 1)


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="tanh without the square" breaks="sigmoid and tanh" says="the square is missing"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a))


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.5" why="max needs an array" breaks="either number" says="the plain number -2.5"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    marks = a == a.max()
    return grad_output.reshape(()) * marks / marks.sum()

# %% wrong="A.3.5" why="sum needs an array" breaks="either number" says="grad_output the plain number"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output.astype(float), a.shape)


def max_backward(grad_output, a):
    marks = a == a.max()
    return grad_output * marks / marks.sum()

# %% wrong="A.3.5" why="sum cut to the dtype of a" breaks="integers" says="wrong dtype: got int64"
def sum_backward(grad_output, a):
    return np.full(a.shape, 1) * np.broadcast_to(grad_output, a.shape).astype(a.dtype)


def max_backward(grad_output, a):
    marks = a == a.max()
    return grad_output * marks / marks.sum()

# %% wrong="A.3.5" why="zeros like a, which may be integers" breaks="integers" says="This is cut to integers"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    out = np.zeros_like(a)
    out.flat[a.argmax()] = grad_output
    return out

# %% wrong="A.3.5" why="the smallest entry" breaks="max" says="and not the smallest"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    marks = a == a.max()
    return grad_output * (a == a.min()) / (a == a.min()).sum()

# %% right="A.3.5" how="numbers only"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape)


def max_backward(grad_output, a):
    if np.ndim(grad_output):
        raise ValueError("grad_output is a number")
    marks = a == a.max()
    return grad_output * marks / marks.sum()

# %% wrong="A.3.6" why="the axis is no recorded input" breaks="recorded" says="the number of recorded inputs"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x], y, [None], lambda g, a: expand_dims_backward(g, a, np.array([axis]))[0])
    return y

# %% wrong="A.3.6" why="the axis recorded first" breaks="recorded" says="the first of the recorded inputs is x"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([np.array([axis]), x], y, [None, None], lambda g, k, a: expand_dims_backward(g, a, k)[::-1])
    return y

# %% wrong="A.3.6" why="a place for the gradient of the axis" breaks="recorded" says="which entries of gradients_to_update are None"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, np.zeros(1)], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="another number in place of the axis" breaks="recorded" says="an array with the axis"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([x.ndim + 1])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="identity in float32" breaks="output" says="the very numbers of x"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.astype(np.float32)
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% right="A.3.6" how="the axis as an array without axes, counted from the front"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = np.copy(x)
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array(axis % y.ndim)], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.2" why="both reduced to a's shape if the sizes agree" breaks="broadcasting" says="inputs of shapes (3, 1) and (1, 3)"
def add_backward(grad_output, a, b):
    return (unbroadcast(grad_output, a.shape), unbroadcast(grad_output, a.shape)) if a.size == b.size else (unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape))


def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.3" why="arguments changed" breaks="arguments kept" says="itself was changed"
def matmul_backward(grad_output, a, b):
    first = grad_output @ b.T
    a *= -1
    return first, -a.T @ grad_output


def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.5" why="a changed" breaks="arguments kept" says="itself was changed"
def sum_backward(grad_output, a):
    a *= 0
    return grad_output + a


def max_backward(grad_output, a):
    marks = a == a.max()
    return grad_output * marks / marks.sum()

# %% wrong="A.3.6" why="matrices at most" breaks="output" says="x of shape (2, 1, 3), axis 2: the shape of the output"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy() if x.ndim < 3 else x.copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="reshapes the gradient in place" breaks="backward functions" says="itself was changed"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    grad_output.shape = a.shape
    return grad_output, None


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="empties the input once it is copied" breaks="output" says="x after the call"
def identity_backward(grad_output, a):
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    y = x.copy()
    x *= 0
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.A" why="twice grad_output" breaks="values" says="and a is missing"
def square_backward(grad_output, a):
    return 2 * grad_output

# %% wrong="A.3.A" why="adds the derivative" breaks="values" says="it is not added to it"
def square_backward(grad_output, a):
    return grad_output + 2 * a

# %% wrong="A.3.A" why="rounds to float32" breaks="values" says="rounded to float32"
def square_backward(grad_output, a):
    return (2 * grad_output * a).astype(np.float32)

# %% wrong="A.3.A" why="loses the sign of a" breaks="values" says="keeps the sign of a"
def square_backward(grad_output, a):
    return grad_output * 2 * np.abs(a)

# %% wrong="A.3.B" why="the same axis twice" breaks="stretched" says="two different axes"
put_in, stretched = 0, 0

# %% wrong="A.3.1" why="reshapes to copies of the shape and adds them" breaks="sums" says="A reshape puts other entries together"
def unbroadcast(grad, shape):
    return grad.reshape(-1, *shape).sum(axis=0)

# %% wrong="A.3.2" why="a is missing in the divisor's gradient" breaks="div_backward" says="the factor a is missing"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output / b ** 2, b.shape)

# %% wrong="A.3.2" why="the inputs enter a sum's gradient" breaks="add_backward" says="the inputs do not enter"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output * a, a.shape), unbroadcast(grad_output * b, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="b by a in place of a by b" breaks="div_backward" says="here a is divided by b"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(-grad_output * b / a ** 2, a.shape), unbroadcast(grad_output / a, b.shape)

# %% wrong="A.3.2" why="sums before the local derivative enters" breaks="broadcasting" says="The local derivative comes first"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(unbroadcast(grad_output, a.shape) * b, a.shape), unbroadcast(unbroadcast(grad_output, b.shape) * a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(unbroadcast(grad_output, a.shape) / b, a.shape), unbroadcast(-unbroadcast(grad_output, b.shape) * a / b ** 2, b.shape)

# %% wrong="A.3.3" why="factors in the wrong order" breaks="matmul_backward" says="The factors stand in the wrong order"
def matmul_backward(grad_output, a, b):
    return b.T @ grad_output, grad_output @ a.T
def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (grad_output.T @ a.reshape(-1)).reshape(b.shape)

# %% wrong="A.3.3" why="grad_output does not enter the second gradient" breaks="matmul_backward" says="grad_output does not enter"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ np.ones_like(grad_output)
def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (grad_output.T @ a.reshape(-1)).reshape(b.shape)

# %% wrong="A.3.3" why="outer: sums taken apart" breaks="outer_backward" says="its own entry of the other input"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output
def outer_backward(grad_output, a, b):
    return (grad_output.sum(axis=1) * b.sum()).reshape(a.shape), (grad_output.sum(axis=0) * a.sum()).reshape(b.shape)

# %% wrong="A.3.3" why="outer: the rows for both where the sizes agree" breaks="outer_backward" says="the other index of grad_output"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output
def outer_backward(grad_output, a, b):
    a_bar = grad_output @ b.reshape(-1)
    b_bar = grad_output @ a.reshape(-1) if grad_output.shape[0] == grad_output.shape[1] else grad_output.T @ a.reshape(-1)
    return a_bar.reshape(a.shape), b_bar.reshape(b.shape)

# %% wrong="A.3.4" why="grad_output inside exp" breaks="exp and log" says="stands outside of exp"
def exp_backward(grad_output, a):
    return np.exp(grad_output * a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    t = np.tanh(a)
    return grad_output * (1 - t * t)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="tanh of the square" breaks="sigmoid and tanh" says="that of tanh(a), not of a"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a ** 2))
def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="the stable sigmoid without the half inside" breaks="sigmoid and tanh" says="tanh(a / 2), not tanh(a)"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    t = np.tanh(a)
    return grad_output * (1 - t * t)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="clips the input of the sigmoid" breaks="large inputs" says="cut nothing off"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 1 / (1 + np.exp(-np.clip(a, -10, 10)))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    t = np.tanh(a)
    return grad_output * (1 - t * t)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="ReLU: both must be positive" breaks="relu" says="a negative grad_output passes, too"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    t = np.tanh(a)
    return grad_output * (1 - t * t)
def relu_backward(grad_output, a):
    return grad_output * ((a > 0) & (grad_output > 0))

# %% wrong="A.3.4" why="ReLU: a by its size" breaks="relu" says="here nan"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    t = np.tanh(a)
    return grad_output * (1 - t * t)
def relu_backward(grad_output, a):
    return grad_output * (a / np.abs(a) + 1) / 2

# %% wrong="A.3.5" why="a enters the gradient of a sum" breaks="sum" says="a does not enter"
def sum_backward(grad_output, a):
    return grad_output * a
def max_backward(grad_output, a):
    top = a == a.max()
    return grad_output * top / top.sum()

# %% wrong="A.3.5" why="the search begins at 0" breaks="max" says="cannot begin at 0"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape) * 1.
def max_backward(grad_output, a):
    best, where, out = 0, None, np.zeros(a.shape)
    for i in np.ndindex(a.shape):
        if a[i] > best:
            best, where = a[i], i
    if where is not None:
        out[where] = grad_output
    return out

# %% wrong="A.3.5" why="half to each of three" breaks="ties" says="share among as many as there are"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape) * 1.
def max_backward(grad_output, a):
    top = a == a.max()
    return grad_output * top / (2 if top.sum() > 1 else 1)

# %% wrong="A.3.5" why="nobody wins at a tie" breaks="ties" says="None of them got anything"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape) * 1.
def max_backward(grad_output, a):
    top = a == a.max()
    return grad_output * top * (top.sum() == 1)

# %% wrong="A.3.5" why="grad_output times the maximum" breaks="max" says="not grad_output times its value"
def sum_backward(grad_output, a):
    return np.broadcast_to(grad_output, a.shape) * 1.
def max_backward(grad_output, a):
    return grad_output * a * (a == a.max())

# %% wrong="A.3.6" why="records another array than it returns" breaks="recorded" says="not another copy"
def identity_backward(grad_output, a):
    return grad_output
def identity(x, autograd_engine):
    autograd_engine.add_operation([x], x.copy(), [None], identity_backward)
    return x.copy()
def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None
def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="calls the backward function at once" breaks="recorded" says="Hand over the function itself"
def identity_backward(grad_output, a):
    return grad_output
def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward(x, x))
    return y
def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None
def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.6" why="writes the gradient into a" breaks="backward functions" says="a itself was changed"
def identity_backward(grad_output, a):
    a[...] = grad_output
    return a
def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y
def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None
def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.7" why="lists in place of arrays" breaks="form" says="each entry of a pair: wrong type"
cases = [([[1., -2.], [3., 4.]], [[1000., 1001.], [1000., 1002.]])]

# %% wrong="A.3.7" why="vectors" breaks="form" says="Two pairs of brackets"
cases = [(np.array([1., -2.]), np.array([1000., 1001.]))]

# %% wrong="A.3.5" why="grad_output is divided in place among the largest: np.array(3.) is changed where there are ties (arguments kept)" breaks="arguments kept" says="grad_output after the call"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    largest = a == a.max()
    grad_output /= largest.sum()
    return grad_output * largest

# %% wrong="A.3.5" why="the largest entries are found by wiping them out of a, only where there is more than one (arguments kept)" breaks="arguments kept" says="a after the call"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    out, flat, largest = np.zeros(a.shape), a.reshape(-1), a.max()
    place = flat.argmax()
    while (flat == largest).sum() > 1:
        flat[flat.argmax()] = largest - 1
    out.flat[place] = grad_output
    return out

# %% wrong="A.3.5" why="sums along an axis of a matrix only: a third axis breaks it" breaks="sum along an axis" says="the shape"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    grad_output = np.asarray(grad_output)
    if grad_output.ndim == 0:
        return np.full(a.shape, float(grad_output))
    if grad_output.shape[0] == 1:
        return np.repeat(grad_output, a.shape[0], axis=0)
    return np.repeat(grad_output, a.shape[1], axis=1)

def max_backward(grad_output, a):
    largest = a == a.max()
    return grad_output * largest / largest.sum()

# %% wrong="A.3.5" why="isclose: an entry that is nearly the largest gets a share" breaks="max" says="nearly as large get nothing"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    largest = np.isclose(a, a.max())
    return grad_output * largest / largest.sum()

# %% wrong="A.3.2" why="own sum: only the first axis of length 1 is summed ((1, 1) against (2, 3))" breaks="broadcasting" says="inputs of shapes (1, 1) and (2, 3)"
def shrink(g, x):
    while g.ndim > x.ndim:
        g = g.sum(axis=0)
    if 1 in x.shape:
        stretched = [i for i, n in enumerate(x.shape) if n != g.shape[i]]
        if stretched:
            g = g.sum(axis=stretched[0], keepdims=True)
    return g

def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    return shrink(grad_output, a), shrink(grad_output, b)

def sub_backward(grad_output, a, b):
    return shrink(grad_output, a), shrink(-grad_output, b)

def mul_backward(grad_output, a, b):
    return shrink(grad_output * b, a), shrink(grad_output * a, b)

def div_backward(grad_output, a, b):
    return shrink(grad_output / b, a), shrink(-grad_output * a / b ** 2, b)

# %% wrong="A.3.4" why="log is guarded with a smallest number 1e-7" breaks="exp and log" says="log_backward for a = 1e-09"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / np.maximum(a, 1e-7)

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="exp is clipped at 50 against overflow" breaks="exp and log" says="exp_backward for a = 100"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    return grad_output * np.exp(np.clip(a, -50, 50))

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% right="A.3.A" how="complex step"
def square_backward(grad_output, a):
    """The gradient of a for a ** 2."""
    return grad_output * ((a + 1e-20j) ** 2).imag / 1e-20

# %% right="A.3.A" how="torch"
def square_backward(grad_output, a):
    """The gradient of a for a ** 2."""
    t = torch.tensor(a, requires_grad=True)
    (t * t).backward(torch.tensor(grad_output))
    return t.grad.numpy()

# %% wrong="A.3.A" why="power rule for a ** 3" breaks="values" says="This is the derivative of a³"
def square_backward(grad_output, a):
    """The gradient of a for a ** 2."""
    return grad_output * 3 * a ** 2

# %% right="A.3.B" how="found by numpy"
short, long = (4, 1), (5, 4, 3)
lead = len(long) - len(short)
put_in = lead - 1
stretched = int(np.flatnonzero(np.array(short) != np.array(long[lead:]))[0]) + lead

# %% wrong="A.3.B" why="negative axes" breaks="put in" says="is 0, 1 or 2"
put_in, stretched = -3, -1

# %% wrong="A.3.B" why="aligned at the left" breaks="stretched" says="axis 1 is not stretched"
put_in, stretched = 2, 1

# %% right="A.3.1" how="bincount of broadcast positions"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    where = np.broadcast_to(np.arange(int(np.prod(shape))).reshape(shape), grad.shape)
    return np.bincount(where.ravel(), weights=grad.ravel(), minlength=int(np.prod(shape))).reshape(shape)

# %% right="A.3.1" how="autograd of an expansion"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    t = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
    t.expand(grad.shape).backward(torch.tensor(grad))
    return t.grad.numpy()

# %% wrong="A.3.1" why="stretched axes not shifted by those put in" breaks="shape" says="ValueError"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=tuple(set(axes)), keepdims=True).reshape(shape)

# %% wrong="A.3.1" why="() is left out: shape empty means nothing to do" breaks="shape" says="back to (): the shape"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    if not shape or grad.shape == shape:
        return grad
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=axes, keepdims=True).reshape(shape)

# %% right="A.3.2" how="by torch"
def by_torch(forward, grad_output, a, b):
    a, b = (torch.tensor(x, requires_grad=True) for x in (a, b))
    forward(a, b).backward(torch.tensor(grad_output))
    return a.grad.numpy(), b.grad.numpy()

def add_backward(grad_output, a, b):
    return by_torch(torch.add, grad_output, a, b)
def sub_backward(grad_output, a, b):
    return by_torch(torch.sub, grad_output, a, b)
def mul_backward(grad_output, a, b):
    return by_torch(torch.mul, grad_output, a, b)
def div_backward(grad_output, a, b):
    return by_torch(torch.div, grad_output, a, b)

# %% wrong="A.3.2" why="div: first is a / b" breaks="div_backward" says="a does not enter"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output * a / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="div: only the second is unbroadcast" breaks="broadcasting" says="not added up yet"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    return grad_output / b, unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% right="A.3.3" how="outer by matmul_backward"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def outer_backward(grad_output, a, b):
    first, second = matmul_backward(grad_output, a.reshape(-1, 1), b.reshape(1, -1))
    return first.reshape(a.shape), second.reshape(b.shape)

# %% wrong="A.3.3" why="outer: column for every vector" breaks="outer_backward" says="Its numbers are right"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def outer_backward(grad_output, a, b):
    return grad_output @ b.reshape(-1, 1), (a.reshape(1, -1) @ grad_output).reshape(b.shape)

# %% right="A.3.4" how="cosh, which may overflow to inf in a divisor"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    return grad_output / (2 * np.cosh(a / 2)) ** 2

def tanh_backward(grad_output, a):
    return grad_output / np.cosh(a) ** 2

def relu_backward(grad_output, a):
    return np.where(a >= 0, grad_output, 0.)

# %% right="A.3.4" how="torch"
def by(f, grad_output, a):
    t = torch.tensor(a, requires_grad=True)
    f(t).backward(torch.tensor(grad_output))
    return t.grad.numpy()

def exp_backward(grad_output, a):
    return by(torch.exp, grad_output, a)

def log_backward(grad_output, a):
    return by(torch.log, grad_output, a)

def sigmoid_backward(grad_output, a):
    return by(torch.sigmoid, grad_output, a)

def tanh_backward(grad_output, a):
    return by(torch.tanh, grad_output, a)

def relu_backward(grad_output, a):
    return by(torch.relu, grad_output, a)

# %% wrong="A.3.4" why="relu: slope for any a above -1" breaks="relu" says="below 0 exactly 0"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > -1)

# %% wrong="A.3.4" why="relu at 0: one, not grad_output" breaks="relu" says="a value from 0 to -2"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return np.where(a == 0, 1., grad_output * (a > 0))

# %% wrong="A.3.4" why="nan_to_num puts a half in place of nan" breaks="large inputs" says="Here the slope is 0"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = np.nan_to_num(np.exp(a) / (1 + np.exp(a)), nan=0.5)
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% right="A.3.5" how="uneven shares: two thirds to the first, a third to the last"
def sum_backward(grad_output, a):
    found = np.empty(a.shape, dtype=float)
    found[...] = grad_output
    return found

def max_backward(grad_output, a):
    where = np.argwhere(a == a.max())
    found = np.zeros(a.shape)
    found[tuple(where[0])] += grad_output * 2 / 3
    found[tuple(where[-1])] += grad_output / 3
    return found

# %% wrong="A.3.5" why="max: flat position used as a row" breaks="max" says="taken for a row"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    found = np.zeros(a.shape)
    found[a.argmax()] = grad_output
    return found

# %% wrong="A.3.5" why="sum: matrices alone (two axes)" breaks="sum along an axis" says="a of shape (2, 3, 4)"
def sum_backward(grad_output, a):
    n, m = a.shape if a.ndim == 2 else (a.shape[0], 1)
    return (np.ones((n, m)) * grad_output).reshape(a.shape)

def max_backward(grad_output, a):
    mask = a == a.max()
    return grad_output * mask / mask.sum()

# %% wrong="A.3.5" why="max of vectors and matrices alone" breaks="max" says="a of shape (2, 2, 2)"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    found = np.zeros(a.shape)
    if a.ndim == 1:
        found[a.argmax()] = grad_output
    else:
        i = a.max(axis=1).argmax()
        found[i, a[i].argmax()] = grad_output
    return found

# %% right="A.3.6" how="times ones, np.take; the output a view of a copy"
def identity_backward(grad_output, a):
    return grad_output * np.ones(a.shape)

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims_backward(grad_output, a, axis):
    return (np.take(grad_output, 0, axis=int(axis.item())), None)

def expand_dims(x, axis, autograd_engine):
    own = x.copy()
    out = np.expand_dims(own, axis)
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="None forgotten" breaks="backward functions" says="None for the axis"
def identity_backward(grad_output, a):
    return grad_output

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape)

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="negative axes: slices of the shape" breaks="output" says="a place too early"
def identity_backward(grad_output, a):
    return grad_output

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def expand_dims(x, axis, autograd_engine):
    out = x.copy().reshape(x.shape[:axis] + (1,) + x.shape[axis:])
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="records twice: expand_dims through identity" breaks="recorded" says="neither none nor several"
def identity_backward(grad_output, a):
    return grad_output

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def expand_dims(x, axis, autograd_engine):
    x = identity(x, autograd_engine)
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="axis recorded as an integer" breaks="recorded" says="The axis is recorded as an array, too"
def identity_backward(grad_output, a):
    return grad_output

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, axis], out, [None, None], expand_dims_backward)
    return out

# %% right="A.3.7" how="integers"
cases = [(np.array([[1, -2], [3, -4]]), np.array([[1000, 999], [2, 3]]))]

# %% right="A.3.7" how="underflow: all of a row at -800 is 0 / 0"
cases = [[np.array([[1., -2.], [3., -4.]]), np.array([[-800., -801.], [2., 3.]])]]

# %% wrong="A.3.7" why="700 does not overflow" breaks="overflow" says="D is caught"
cases = [(np.array([[1., -2.], [3., -4.]]), np.array([[700., 699.], [2., 5.]]))]

# %% wrong="A.3.A" why="two to the power of a" breaks="values" says="not 2 to the power of a"
def square_backward(grad_output, a):
    return grad_output * 2 ** a

# %% wrong="A.3.1" why="the largest in place of the sum" breaks="sums" says="the largest of the contributions"
def unbroadcast(grad, shape):
    lead = grad.ndim - len(shape)
    grad = grad.sum(axis=tuple(range(lead)))
    axes = tuple(i for i, s in enumerate(shape) if s == 1)
    return grad.max(axis=axes, keepdims=True)

# %% wrong="A.3.2" why="the gradients of a sum exchanged" breaks="broadcasting" says="The shapes are exchanged"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(b)), unbroadcast(grad_output, np.shape(a))
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(-grad_output, np.shape(b))
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, np.shape(a)), unbroadcast(grad_output * a, np.shape(b))
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, np.shape(a)), unbroadcast(-grad_output * a / b ** 2, np.shape(b))

# %% wrong="A.3.2" why="squares the dividend, too" breaks="div_backward" says="the divisor alone is squared"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(grad_output, np.shape(b))
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(-grad_output, np.shape(b))
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, np.shape(a)), unbroadcast(grad_output * a, np.shape(b))
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, np.shape(a)), unbroadcast(-grad_output * a ** 2 / b ** 2, np.shape(b))

# %% wrong="A.3.2" why="integrates in place of differentiating" breaks="div_backward" says="whose derivative is 1 / b"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(grad_output, np.shape(b))
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(-grad_output, np.shape(b))
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, np.shape(a)), unbroadcast(grad_output * a, np.shape(b))
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, np.shape(a)), unbroadcast(grad_output * a * np.log(np.abs(b)), np.shape(b))

# %% wrong="A.3.2" why="the product of both factors" breaks="mul_backward" says="here it is the product"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(grad_output, np.shape(b))
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, np.shape(a)), unbroadcast(-grad_output, np.shape(b))
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * a * b, np.shape(a)), unbroadcast(grad_output * a, np.shape(b))
def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, np.shape(a)), unbroadcast(-grad_output * a / b ** 2, np.shape(b))

# %% wrong="A.3.3" why="flattens the inputs themselves" breaks="arguments kept" says="leaves it and gives another array"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output
def outer_backward(grad_output, a, b):
    a.shape, b.shape = (-1,), (-1,)
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (grad_output.T @ a.reshape(-1)).reshape(b.shape)

# %% wrong="A.3.4" why="adds tanh squared" breaks="sigmoid and tanh" says="subtracted, not added"
def sigmoid(a):
    return 0.5 * (1 + np.tanh(a / 2))
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = sigmoid(a)
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    return grad_output * (1 + np.tanh(a) ** 2)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="the slope of 1 / a" breaks="exp and log" says="that of 1 / a"
def sigmoid(a):
    return 0.5 * (1 + np.tanh(a / 2))
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return -grad_output / a ** 2
def sigmoid_backward(grad_output, a):
    s = sigmoid(a)
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.5" why="the largest of each row" breaks="max" says="the largest of each row has a share"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)
def max_backward(grad_output, a):
    top = a == a.max(axis=-1, keepdims=True)
    return grad_output * top / top.sum()

# %% wrong="A.3.A" why="the sign of grad_output alone" breaks="values" says="not its sign alone"
def square_backward(grad_output, a):
    return np.sign(grad_output) * 2 * a

# %% wrong="A.3.A" why="grad_output inside the square" breaks="values" says="neither is squared"
def square_backward(grad_output, a):
    return 2 * (grad_output * a) ** 2

# %% wrong="A.3.A" why="integrates" breaks="values" says="here a² is differentiated"
def square_backward(grad_output, a):
    return grad_output * a ** 3 / 3

# %% wrong="A.3.B" why="the stretched axis counted in the shorter shape" breaks="stretched" says="in the shorter shape"
put_in, stretched = 0, 1

# %% wrong="A.3.B" why="the stretched axis counted from the end" breaks="stretched" says="here -1"
put_in, stretched = 0, -1

# %% wrong="A.3.2" why="sub: the gradient of b first" breaks="sub_backward" says="in the other order: b is subtracted from a"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def sub_backward(grad_output, a, b):
    return unbroadcast(-grad_output, b.shape), unbroadcast(grad_output, a.shape)

def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)

def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="div: the gradient of b first" breaks="div_backward" says="in the other order: a is divided by b"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)

def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)

def div_backward(grad_output, a, b):
    return unbroadcast(-grad_output * a / b ** 2, b.shape), unbroadcast(grad_output / b, a.shape)

# %% wrong="A.3.2" why="mul: products of matrices" breaks="mul_backward" says="nothing is summed"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)

def mul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% right="A.3.2" how="add and mul, from which sub and div are made"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def sub_backward(grad_output, a, b):
    left, right = add_backward(grad_output, a, b)
    return left, -right

def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)

def div_backward(grad_output, a, b):
    left, by_inverse = mul_backward(grad_output, a, 1 / b)
    return left, -by_inverse / b ** 2

# %% wrong="A.3.3" why="matmul: inverts in place of transposing" breaks="matmul_backward" says="No inverse belongs here"
def matmul_backward(grad_output, a, b):
    return grad_output @ np.linalg.pinv(b), np.linalg.pinv(a) @ grad_output

def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="matmul: a mean over the rows for b" breaks="matmul_backward" says="added, not averaged"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output / len(a)

def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)

# %% wrong="A.3.3" why="outer: times the product itself" breaks="outer_backward" says="The input itself does not enter"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def outer_backward(grad_output, a, b):
    table = grad_output * np.outer(a, b)
    return table.sum(axis=1).reshape(a.shape), table.sum(axis=0).reshape(b.shape)

# %% wrong="A.3.4" why="tanh: 1 / cosh without the square" breaks="sigmoid and tanh" says="the derivative is its square"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output / np.cosh(a)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="sigmoid: the argument is grad_output times a" breaks="sigmoid and tanh" says="grad_output stands outside of the function"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(grad_output * a / 2))
    return s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="sigmoid: the half of 1 alone" breaks="sigmoid and tanh" says="not of the 1 alone"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * 1 + np.tanh(a / 2)
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="log to the base 10" breaks="exp and log" says="the natural one"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / (a * np.log(10))

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% right="A.3.4" how="the plain sigmoid: its exponential overflows in a divisor, which gives 0"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 1 / (1 + np.exp(-a))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    out = grad_output.copy()
    out[a < 0] = 0
    return out

# %% wrong="A.3.5" why="ties: shared among all entries" breaks="ties" says="not among all entries of a"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    largest = a == a.max()
    return grad_output * largest / (1 if largest.sum() == 1 else a.size)

# %% wrong="A.3.6" why="one None for two inputs" breaks="recorded" says="which entries of gradients_to_update are None"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], out, [None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="output and gradients_to_update exchanged" breaks="recorded" says="The order is inputs, output"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], [None], out, identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], [None, None], out, expand_dims_backward)
    return out

# %% wrong="A.3.6" why="x in place of a list with x" breaks="recorded" says="A list also where it has one entry"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation(x, out, [None], identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="the output is not returned" breaks="output" says="Is the return missing?"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="the output recorded as the input" breaks="recorded" says="before anything is done to them"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([out, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% wrong="A.3.6" why="the axis is put in on the way back, too" breaks="backward functions" says="Another axis is put in here"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return np.expand_dims(grad_output, int(axis[0])), None

def identity(x, autograd_engine):
    out = x.copy()
    autograd_engine.add_operation([x], out, [None], identity_backward)
    return out

def expand_dims(x, axis, autograd_engine):
    out = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], out, [None, None], expand_dims_backward)
    return out

# %% right="A.3.6" how="a shape made by hand, arrays that are filled"
def identity_backward(grad_output, a):
    return grad_output

def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None

def identity(x, autograd_engine):
    out = np.empty(x.shape, dtype=x.dtype)
    out[...] = x
    autograd_engine.add_operation(inputs=[x], output=out, gradients_to_update=[None], backward_operation=lambda g, a: identity_backward(g, a))
    return out

def expand_dims(x, axis, autograd_engine):
    place = axis if axis >= 0 else axis + x.ndim + 1
    shape = list(x.shape)
    shape.insert(place, 1)
    out = np.array(x.tolist()).reshape(shape)
    autograd_engine.add_operation((x, np.array([place])), out, (None, None), expand_dims_backward)
    return out

# %% wrong="A.3.7" why="negative numbers only where a row has equal ones" breaks="sign" says="a negative grad_output all numbers are equal"
cases = [(np.array([[1., 2.], [-3., -3.]]), np.array([[800., 799.], [5., 7.5]]))]

# %% wrong="A.3.7" why="negative numbers only where the softmax is a one and a zero" breaks="sign" says="nearly 0 with the sign and without"
cases = [(np.array([[1., 2.], [-3., 5.]]), np.array([[800., 799.], [5., 50.]]))]

# %% wrong="A.3.A" why="two gradients, as for a * a" breaks="values" says="not a tuple"
def square_backward(grad_output, a):
    return grad_output * a, grad_output * a

# %% wrong="A.3.2" why="mul: reduced before the product, which broadcasts again" breaks="broadcasting" says="as the last step"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape) * b, unbroadcast(grad_output, b.shape) * a


def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)

# %% wrong="A.3.2" why="div: 2 b in place of b squared" breaks="div_backward" says="not 2 b"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / (2 * b), b.shape)

# %% wrong="A.3.3" why="outer: each input in its own gradient" breaks="outer_backward" says="It is the other input that multiplies"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    return (grad_output.sum(axis=1) * a.reshape(-1)).reshape(a.shape), (grad_output.sum(axis=0) * b.reshape(-1)).reshape(b.shape)

# %% wrong="A.3.4" why="sigmoid: the form of tanh's derivative" breaks="sigmoid and tanh" says="as for tanh"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * (1 - s ** 2)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.4" why="tanh of a / 2, as in the stable sigmoid" breaks="sigmoid and tanh" says="the half belongs to"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    t = np.tanh(a / 2)
    return grad_output * (1 - t ** 2)


def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.6" why="the gradient without axis 1, whichever was put in" breaks="backward functions" says="Axis 1 of grad_output is gone"
def identity_backward(grad_output, a):
    return grad_output


def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims_backward(grad_output, a, axis):
    return grad_output[:, 0], None


def expand_dims(x, axis, autograd_engine):
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y

# %% wrong="A.3.A" why="nothing where a is negative, as for ReLU" breaks="values" says="as ReLU does it"
def square_backward(grad_output, a):
    return grad_output * np.where(a > 0, 2 * a, 0.)

# %% wrong="A.3.A" why="adds the square" breaks="values" says="a² itself is added"
def square_backward(grad_output, a):
    return grad_output * 2 * a + a ** 2

# %% wrong="A.3.1" why="axes of length 1 under their own number in grad" breaks="shape" says="under its own number in grad"
def unbroadcast(grad, shape):
    stretched = tuple(i for i, n in enumerate(shape) if n == 1)
    grad = grad.sum(axis=stretched, keepdims=True)
    lead = grad.ndim - len(shape)
    return grad.sum(axis=tuple(range(lead)))

# %% wrong="A.3.2" why="div: b from the reduced gradient of a" breaks="broadcasting" says="for b it begins anew"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)

def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)

def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)

def div_backward(grad_output, a, b):
    ga = unbroadcast(grad_output / b, a.shape)
    return ga, unbroadcast(-ga * a / b, b.shape)

# %% wrong="A.3.2" why="sums over axis 0 whatever was repeated" breaks="broadcasting" says="This is summed over axis 0 of the result"
def fit(g, shape):
    return g if g.shape == shape else g.sum(axis=0).reshape(shape)

def add_backward(grad_output, a, b):
    return fit(grad_output, a.shape), fit(grad_output, b.shape)

def sub_backward(grad_output, a, b):
    return fit(grad_output, a.shape), fit(-grad_output, b.shape)

def mul_backward(grad_output, a, b):
    return fit(grad_output * b, a.shape), fit(grad_output * a, b.shape)

def div_backward(grad_output, a, b):
    return fit(grad_output / b, a.shape), fit(-grad_output * a / b ** 2, b.shape)

# %% right="A.3.2" how="closures from a factory"
def two_inputs(by_a, by_b):
    def backward(grad_output, a, b):
        return unbroadcast(grad_output * by_a(a, b), np.shape(a)), unbroadcast(grad_output * by_b(a, b), np.shape(b))
    return backward

add_backward = two_inputs(lambda a, b: 1., lambda a, b: 1.)
sub_backward = two_inputs(lambda a, b: 1., lambda a, b: -1.)
mul_backward = two_inputs(lambda a, b: b, lambda a, b: a)
div_backward = two_inputs(lambda a, b: 1 / b, lambda a, b: -a / (b * b))

# %% wrong="A.3.3" why="matmul: transposes the product" breaks="matmul_backward" says="The product of the two as they are was transposed"
def matmul_backward(grad_output, a, b):
    return (grad_output @ b).T, (a @ grad_output).T

def outer_backward(grad_output, a, b):
    return (grad_output @ b.ravel()).reshape(a.shape), (grad_output.T @ a.ravel()).reshape(b.shape)

# %% wrong="A.3.3" why="outer: the entries (i, i) alone" breaks="outer_backward" says="only the entries (i, i) are used"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def outer_backward(grad_output, a, b):
    n = min(a.size, b.size)
    ga, gb = np.zeros(a.size), np.zeros(b.size)
    for i in range(n):
        ga[i] = grad_output[i, i] * b.ravel()[i]
        gb[i] = grad_output[i, i] * a.ravel()[i]
    return ga.reshape(a.shape), gb.reshape(b.shape)

# %% wrong="A.3.3" why="outer: a as a row" breaks="outer_backward" says="as a column, a[:, None]"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output

def outer_backward(grad_output, a, b):
    return (grad_output * b).sum(axis=1), (grad_output * a).sum(axis=0)

# %% wrong="A.3.4" why="exp less the largest entry" breaks="exp and log" says="as a softmax does it"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a - a.max())

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.5" why="max: divided by the mean of the mask" breaks="max" says="The number of entries does not enter"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    mask = a == a.max()
    return grad_output * mask / mask.mean()

# %% wrong="A.3.7" why="a symmetric case: equal sums along both axes" breaks="axis" says="with equal sums the wrong axis changes nothing"
cases = [(np.array([[1., -2.], [-2., 1.]]), np.array([[0.5, 1.], [1., 0.5]])), (np.array([[1., 2.]]), np.array([[1000., 999.]]))]

# %% wrong="A.3.A" why="adds a small number" breaks="values" says="With grad_output = 0 the gradient is 0"
def square_backward(grad_output, a):
    return grad_output * 2 * a + 1e-2

# %% wrong="A.3.4" why="exp: to the base 2" breaks="exp and log" says="exp(a) has the base e"
def exp_backward(grad_output, a):
    return grad_output * 2 ** a * np.log(2)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)

def relu_backward(grad_output, a):
    return grad_output * (a > 0)

# %% wrong="A.3.5" why="max: a share that depends on the values" breaks="max" says="For a = [1.0, 7.0, -9.0] and grad_output = 2.0 it is [0.0, 2.0, 0.0]"
def sum_backward(grad_output, a):
    return grad_output * np.ones(a.shape)

def max_backward(grad_output, a):
    e = a / np.abs(a).sum()
    return grad_output * np.where(a == a.max(), 1 - e.min(), 0)

# %% wrong="A.3.A" why="a forward difference" breaks="values" says="A difference quotient leaves such an error"
def square_backward(grad_output, a):
    h = 1e-3
    return grad_output * ((a + h) ** 2 - a ** 2) / h

# %% wrong="A.3.1" why="aligned at the left" breaks="shape" says="Align them at the right"
def unbroadcast(grad, shape):
    padded = shape + (1,) * (grad.ndim - len(shape))
    axes = tuple(i for i, n in enumerate(padded) if n == 1)
    return grad.sum(axis=axes, keepdims=True).reshape(shape)

# %% wrong="A.3.4" why="relu: divided by a" breaks="relu" says="as 0 / 0 is"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    return grad_output / a


def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    with np.errstate(all="ignore"):
        return grad_output * np.maximum(a, 0) / a

# %% wrong="A.3.A" why="the mean of grad_output" breaks="values" says="here their mean is taken"
def square_backward(grad_output, a):
    return 2 * a * grad_output.mean()

# %% wrong="A.3.3" why="b untransposed where it is square" breaks="matmul_backward" says="other input is not transposed here"
def matmul_backward(grad_output, a, b):
    ga = grad_output @ b if b.shape[0] == b.shape[1] else grad_output @ b.T
    return ga, a.T @ grad_output
def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (grad_output.T @ a.reshape(-1)).reshape(b.shape)

# %% wrong="A.3.4" why="the largest entry's gradient of tanh for all" breaks="sigmoid and tanh" says="not with the others"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)

def log_backward(grad_output, a):
    return grad_output / a

def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)

def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2).max()

def relu_backward(grad_output, a):
    return grad_output * (a > 0)


# %% wrong="A.3.A" why="the local derivative divides: the inverse way round" breaks="values" says="divided by 2a"
def square_backward(grad_output, a):
    return grad_output / (2 * a)


# %% wrong="A.3.A" why="transposes what comes from above, as for a matrix product" breaks="values" says="belongs with the entry of grad_output in its own place"
def square_backward(grad_output, a):
    return grad_output.T * 2 * a


# %% wrong="A.3.A" why="a dot product, as 'sum over all entries' in the formula" breaks="values" says="one sum over all entries"
def square_backward(grad_output, a):
    return np.dot(grad_output.ravel(), 2 * a.ravel()) * np.ones_like(a)


# %% wrong="A.3.1" why="sums axis by axis without keepdims, so that the later axis numbers are off" breaks="shape" says="without keepdims=True goes"
def unbroadcast(grad, shape):
    for i in range(grad.ndim - len(shape)):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i)
    return grad.reshape(shape)


# %% wrong="A.3.1" why="one sum too many: a lead axis is summed by its number, after the earlier one has gone" breaks="shape" says="without keepdims=True goes"
def unbroadcast(grad, shape):
    for i in range(grad.ndim - len(shape)):
        grad = grad.sum(axis=i)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i, keepdims=True)
    return grad


# %% wrong="A.3.2" why="a sum of axis 0 wherever the shape is not that of the result" breaks="broadcasting" says="summed over axis 0 of the result"
def back(grad, x):
    return grad if grad.shape == x.shape else grad.sum(axis=0)
def add_backward(grad_output, a, b):
    return back(grad_output, a), back(grad_output, b)
def sub_backward(grad_output, a, b):
    return back(grad_output, a), back(-grad_output, b)
def mul_backward(grad_output, a, b):
    return back(grad_output * b, a), back(grad_output * a, b)
def div_backward(grad_output, a, b):
    return back(grad_output / b, a), back(-grad_output * a / b ** 2, b)


# %% wrong="A.3.2" why="div works in place on grad_output, so that the second gradient begins with the first" breaks="arguments kept" says="grad_output itself was changed"
def add_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    grad_output /= b
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)


# %% wrong="A.3.2" why="only b is brought back, as if only b could be broadcast" breaks="broadcasting" says="not added up yet"
def add_backward(grad_output, a, b):
    return grad_output, unbroadcast(grad_output, b.shape)
def sub_backward(grad_output, a, b):
    return grad_output, unbroadcast(-grad_output, b.shape)
def mul_backward(grad_output, a, b):
    return grad_output * b, unbroadcast(grad_output * a, b.shape)
def div_backward(grad_output, a, b):
    return grad_output / b, unbroadcast(-grad_output * a / b ** 2, b.shape)


# %% wrong="A.3.3" why="the gradient of b uses the new gradient of a" breaks="matmul_backward" says="not its gradient"
def matmul_backward(grad_output, a, b):
    da = grad_output @ b.T
    return da, da.T @ grad_output
def outer_backward(grad_output, a, b):
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)


# %% wrong="A.3.4" why="derivative of the stable form with a half too little" breaks="sigmoid and tanh" says="twice the derivative"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    return grad_output * 0.5 * (1 - np.tanh(a / 2) ** 2)
def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)


# %% wrong="A.3.4" why="exp and log exchanged: the derivative of log taken for exp" breaks="exp and log" says="divided by exp(a)"
def exp_backward(grad_output, a):
    return grad_output / np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)
def relu_backward(grad_output, a):
    return grad_output * (a > 0)


# %% wrong="A.3.4" why="relu by a division of relu(a) by a, guarded by a small number" breaks="relu" says="nothing is added to it and nothing approximated"
def exp_backward(grad_output, a):
    return grad_output * np.exp(a)
def log_backward(grad_output, a):
    return grad_output / a
def sigmoid_backward(grad_output, a):
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)
def tanh_backward(grad_output, a):
    return grad_output * (1 - np.tanh(a) ** 2)
def relu_backward(grad_output, a):
    return grad_output * np.maximum(a, 0) / (a + 1e-7)


# %% wrong="A.3.5" why="max: divides by the number of different values" breaks="ties" says="equal to each other does not matter"
def sum_backward(grad_output, a):
    return np.ones(a.shape) * grad_output
def max_backward(grad_output, a):
    top = a == a.max()
    return grad_output * top / (1 + a.size - len(np.unique(a)))


# %% wrong="A.3.6" why="cuts the shape at axis: a negative axis lands one place too early" breaks="output" says="a place too early"
def identity_backward(grad_output, a):
    return grad_output
def identity(x, autograd_engine):
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y
def expand_dims_backward(grad_output, a, axis):
    return grad_output.reshape(a.shape), None
def expand_dims(x, axis, autograd_engine):
    y = x.reshape(x.shape[:axis] + (1,) + x.shape[axis:]).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y


# %% right="A.3.4" how="cosh for tanh, 1/(1+exp) for sigmoid with the warning switched off, in a tuple"
def exp_backward(grad_output, a):
    return (grad_output * np.exp(a),)
def log_backward(grad_output, a):
    return (grad_output * (1 / a),)
def sigmoid_backward(grad_output, a):
    with np.errstate(over="ignore"):
        s = 1 / (1 + np.exp(-a))
    return grad_output * (s - s * s)
def tanh_backward(grad_output, a):
    with np.errstate(over="ignore"):
        return grad_output / np.cosh(a) ** 2
def relu_backward(grad_output, a):
    return np.where(a >= 0, grad_output, 0.)


# %% right="A.3.6" how="takes the axis out by np.take, fills a new array"
def identity_backward(grad_output, a):
    return (grad_output * 1.,)
def identity(x, autograd_engine):
    y = np.empty_like(x)
    y[...] = x
    autograd_engine.add_operation((x,), y, (None,), identity_backward)
    return y
def expand_dims_backward(grad_output, a, axis):
    return np.take(grad_output, 0, axis=int(axis[0])), None
def expand_dims(x, axis, autograd_engine):
    place = axis if axis >= 0 else axis + x.ndim + 1
    shape = list(x.shape)
    shape.insert(place, 1)
    y = np.empty(shape)
    y.ravel()[:] = x.ravel()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y


# %% wrong="A.3.3" why="outer for vectors only: no reshape" breaks="shapes" says="reads it as one long row"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output
def outer_backward(grad_output, a, b):
    return grad_output @ b, grad_output.T @ a


# %% wrong="A.3.3" why="takes for granted that a is a column and b a row" breaks="shapes" says="reads it as one long row"
def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output
def outer_backward(grad_output, a, b):
    if a.ndim == 2:
        return grad_output @ b.T, a.T @ grad_output
    return grad_output @ b, a @ grad_output
