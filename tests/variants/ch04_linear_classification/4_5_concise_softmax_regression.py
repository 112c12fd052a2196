# %% right="4.5.A" how="asks torch"
def shapes_after(batch_shape, q):
    layers = nn.Sequential(nn.Flatten(), nn.LazyLinear(q))
    X = torch.zeros(batch_shape)
    scores = layers(X)
    return {"flat": layers[0](X).shape, "weight": layers[1].weight.shape, "bias": layers[1].bias.shape, "scores": scores.shape}

# %% right="4.5.A" how="lists"
def shapes_after(batch_shape, q):
    n, *rest = batch_shape
    d = 1
    for m in rest:
        d *= m
    return dict(flat=[n, d], weight=[q, d], bias=[q], scores=[n, q])

# %% wrong="4.5.A" why="the weight as in 4.1" breaks="weight" says="The library stores outputs first"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (d, q), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="everything flattened" breaks="flat" says="The first axis stays"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n * d,), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="the channel axis is kept" breaks="flat" says="flattened, too"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (*batch_shape[:-2], math.prod(batch_shape[-2:])), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="bias as a row" breaks="bias" says="bias, batch"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (1, q), "scores": (n, q)}

# %% wrong="4.5.A" why="bias for each feature" breaks="bias" says="bias, batch"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (d,), "scores": (n, q)}

# %% wrong="4.5.A" why="scores transposed" breaks="scores" says="scores, batch"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (q,), "scores": (q, n)}

# %% wrong="4.5.A" why="only the last two axes" breaks="flat" says="not only the last two"
def shapes_after(batch_shape, q):
    d = batch_shape[-1] * batch_shape[-2]
    return {"flat": (batch_shape[0], d), "weight": (q, d), "bias": (q,), "scores": (batch_shape[0], q)}

# %% wrong="4.5.A" why="a bias for each example" breaks="bias" says="not for each example"
def shapes_after(batch_shape, q):
    d = math.prod(batch_shape[1:])
    return {"flat": (batch_shape[0], d), "weight": (q, d), "bias": (batch_shape[0],), "scores": (batch_shape[0], q)}

# %% right="4.5.B" how="a module with forward"
def make_net(q):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.LazyLinear(q)

        def forward(self, X):
            return self.linear(X.reshape(len(X), -1))

    return Net()

# %% right="4.5.B" how="the model of d2l_utils"
def make_net(q):
    return d2l.SoftmaxRegression(num_outputs=q, lr=0.1)

# %% wrong="4.5.B" why="a softmax at the end" breaks="scores" says="leave out the softmax"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q), nn.Softmax(dim=1))

# %% wrong="4.5.B" why="a log-softmax at the end" breaks="scores" says="leave out the log-softmax"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q), nn.LogSoftmax(dim=1))

# %% wrong="4.5.B" why="a ReLU at the end" breaks="scores" says="no ReLU either"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q), nn.ReLU())

# %% wrong="4.5.B" why="no bias" breaks="scores" says="The bias is missing"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q, bias=False))

# %% wrong="4.5.B" why="784 inputs whatever comes" breaks="any shape" says="let the first batch decide"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.Linear(784, q))

# %% wrong="4.5.B" why="not flattened" breaks="any shape" says="Nothing is flattened here"
def make_net(q):
    return nn.LazyLinear(q)

# %% wrong="4.5.B" why="ten classes" breaks="classes" says="for a batch (5, 1, 28, 28), 6 classes"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(10))

# %% right="4.5.C" how="asks the loss"
def floor_of_twice(q):
    return F.cross_entropy(torch.eye(q), torch.arange(q)).item()

# %% right="4.5.C" how="the softmax of one-hot"
def floor_of_twice(q):
    return -math.log(math.e / (math.e + (q - 1)))

# %% wrong="4.5.C" why="a perfect model has no loss" breaks="value" says="only if its scores are taken for scores"
def floor_of_twice(q):
    return 0.0

# %% wrong="4.5.C" why="a model that knows nothing" breaks="value" says="knows nothing"
def floor_of_twice(q):
    return math.log(q)

# %% wrong="4.5.C" why="the score is not subtracted" breaks="value" says="has to be subtracted"
def floor_of_twice(q):
    return math.log(math.e + q - 1)

# %% wrong="4.5.C" why="q other classes" breaks="value" says="q - 1 other classes"
def floor_of_twice(q):
    return math.log(math.e + q) - 1

# %% wrong="4.5.C" why="ten classes always" breaks="value" says="2 classes"
def floor_of_twice(q):
    return math.log(math.e + 9) - 1

# %% wrong="4.5.C" why="the logarithm to base 2" breaks="value" says="natural one"
def floor_of_twice(q):
    return math.log2(math.e + q - 1) - 1

# %% wrong="4.5.C" why="the probability of the label" breaks="value" says="probability of the label"
def floor_of_twice(q):
    return math.e / (math.e + q - 1)

# %% right="4.5.5" how="a mild row beside"
O_bad = torch.tensor([[0., 0.], [1000., 0.], [-1000., -900.]])
y_bad = torch.tensor([1, 1, 0])

# %% right="4.5.5" how="random scores of size 3,000"
O_bad = 3000 * torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
y_bad = torch.tensor([0, 1, 2, 1, 0])

# %% wrong="4.5.5" why="mild scores" breaks="plain" says="plain_loss is wrong"
O_bad = torch.tensor([[30., 0., 0.], [-80., -55., -80.]])
y_bad = torch.tensor([1, 0])

# %% wrong="4.5.5" why="as many classes as examples" breaks="last axis" says="It divides by the number of classes"
O_bad = torch.tensor([[500., 0.], [-500., -400.]])
y_bad = torch.tensor([1, 0])

# %% wrong="4.5.5" why="rows alike" breaks="batch max" says="far below those of another row"
O_bad = torch.tensor([[500., 0., 0.], [500., 400., 0.]])
y_bad = torch.tensor([1, 2])

# %% wrong="4.5.5" why="the labels are the largest scores" breaks="epsilon" says="epsilon_loss is wrong"
O_bad = torch.tensor([[500., 499., 0.], [-500., -500.5, -501.]])
y_bad = torch.tensor([0, 0])

# %% wrong="4.5.5" why="float64" breaks="batch" says="the dtype of O_bad"
O_bad = torch.tensor([[500., 0., 0.], [-500., -400., -500.]], dtype=torch.float64)
y_bad = torch.tensor([1, 0])

# %% wrong="4.5.5" why="infinite scores" breaks="batch" says="none is infinite or nan"
O_bad = torch.tensor([[math.inf, 0., 0.], [-500., -400., -500.]])
y_bad = torch.tensor([1, 0])

# %% wrong="4.5.5" why="a label that is no class" breaks="batch" says="the labels are classes"
O_bad = torch.tensor([[500., 0., 0.], [-500., -400., -500.]])
y_bad = torch.tensor([1, 3])

# %% wrong="4.5.5" why="two equal scores, which a second softmax leaves alike" breaks="twice" says="twice_loss is wrong"
O_bad = torch.tensor([[500.0, 500.0], [-500.0, -500.0], [0.0, 0.0]])
y_bad = torch.tensor([1, 0, 1])

# %% right="4.5.1a" how="largest numbers that the formats can store"
largest = {"float16": 11.0859375, "bfloat16": 88.5, "float32": 88.7228, "float64": 709.7827}

# %% right="4.5.1a" how="two decimals"
largest = {"float16": 11.09, "bfloat16": 88.72, "float32": 88.72, "float64": 709.78}

# %% wrong="4.5.1a" why="base 2" breaks="limits" says="is finite in float16"
largest = {kind: math.log2(torch.finfo(getattr(torch, kind)).max) for kind in ("float16", "bfloat16", "float32", "float64")}

# %% wrong="4.5.1a" why="base 10" breaks="limits" says="can still be larger"
largest = {kind: math.log10(torch.finfo(getattr(torch, kind)).max) for kind in ("float16", "bfloat16", "float32", "float64")}

# %% wrong="4.5.1a" why="bfloat16 like float16" breaks="limits" says="eight for the exponent"
largest = {"float16": 11.09, "bfloat16": 11.09, "float32": 88.72, "float64": 709.78}

# %% wrong="4.5.1a" why="89 for bfloat16, which is infinite" breaks="limits" says="bfloat16"
largest = {"float16": 11.09, "bfloat16": 89, "float32": 88.72, "float64": 709.78}

# %% wrong="4.5.1a" why="one decimal" breaks="limits" says="float16"
largest = {"float16": 11.0, "bfloat16": 88.7, "float32": 88.7, "float64": 709.8}

# %% wrong="4.5.1a" why="a list" breaks="keys" says="largest"
largest = [11.09, 88.72, 88.72, 709.78]

# %% wrong="4.5.1a" why="a key is missing" breaks="keys" says="the keys of largest"
largest = {"float16": 11.09, "float32": 88.72, "float64": 709.78}

# %% right="4.5.1b" how="found by a program, with rounding"
smallest_normal = {"float16": -9.704, "bfloat16": -87.0, "float32": -87.3365, "float64": -708.3964}
smallest_positive = {"float16": -17.328, "bfloat16": -92.5, "float32": -103.972, "float64": -745.133}

# %% wrong="4.5.1b" why="the normal numbers in both" breaks="positive" says="by the factor eps"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = smallest_normal

# %% wrong="4.5.1b" why="subnormal numbers in both" breaks="normal" says="smallest_normal['float16']"
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}
smallest_normal = smallest_positive

# %% wrong="4.5.1b" why="minus the largest" breaks="normal" says="smallest_normal['float16']"
smallest_normal = {"float16": -11.09, "bfloat16": -88.72, "float32": -88.72, "float64": -709.78}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1b" why="the logarithm of eps for the smallest positive number" breaks="positive" says="smallest_positive['float16']"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {kind: math.log(torch.finfo(getattr(torch, kind)).eps) for kind in smallest_normal}

# %% right="4.5.1c" how="exact whole numbers"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    high = math.log(2 ** (fraction_bits + 1) - 1) + (B - fraction_bits) * math.log(2)
    return [high, (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)]

# %% right="4.5.1c" how="Python's whole numbers, whose logarithm may be large"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    largest_number = (2 ** (fraction_bits + 1) - 1) * 2 ** B
    return (math.log(largest_number) - fraction_bits * math.log(2), -math.log(2 ** (B - 1)), -math.log(2 ** (B - 1 + fraction_bits)))

# %% wrong="4.5.1c" why="the numbers themselves, which overflow" breaks="wide formats" says="OverflowError"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log((2 - 2.0 ** -fraction_bits) * 2.0 ** B), math.log(2.0 ** (1 - B)), math.log(2.0 ** (1 - B - fraction_bits))

# %% wrong="4.5.1c" why="cut at float64's range" breaks="wide formats" says="15 exponent and 63 fraction bits"
def exp_limits(exponent_bits, fraction_bits):
    B = min(2 ** (exponent_bits - 1) - 1, 1023)
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="the pattern of infinity counted" breaks="largest" says="kept for infinity and nan"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + (B + 1) * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="the fraction left out" breaks="largest" says="just under 2"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return B * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="the smallest exponent is -B" breaks="normal" says="kept for 0 and the subnormal numbers"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), -B * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="with rounding" breaks="positive" says="count without rounding"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (-B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="no subnormal numbers" breaks="positive" says="smallest positive number for float16"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (1 - B) * math.log(2)

# %% right="4.5.2a" how="asks torch"
def as_int8(value):
    return torch.tensor(value).to(torch.int8).item()

# %% right="4.5.2a" how="from uint8"
def as_int8(value):
    rest = value % 256
    return rest - 256 if rest > 127 else rest

# %% wrong="4.5.2a" why="stops at the ends" breaks="wraps" says="does not stop at the end"
def as_int8(value):
    return max(-128, min(127, value))

# %% wrong="4.5.2a" why="no sign" breaks="wraps" says="the value 200"
def as_int8(value):
    return value % 256 if value > 127 else value

# %% wrong="4.5.2a" why="wraps once only" breaks="wraps" says="the value 1000"
def as_int8(value):
    if value > 127:
        return value - 256
    return value + 256 if value < -128 else value

# %% wrong="4.5.2a" why="uint8" breaks="inside" says="the value -128"
def as_int8(value):
    return value % 256

# %% wrong="4.5.2a" why="a range of 255 values" breaks="wraps" says="the value 200"
def as_int8(value):
    return (value + 128) % 255 - 128 if abs(value) > 127 and value != -128 else value

# %% right="4.5.2b" how="floor of a half more"
def quantise(X, s):
    return torch.floor(X / s + 0.5).clamp(-128, 127).to(torch.int8)

# %% right="4.5.2b" how="through int64"
def quantise(X, s):
    codes = (X / s).round().to(torch.int64)
    codes[codes > 127] = 127
    codes[codes < -128] = -128
    return codes.char()

# %% wrong="4.5.2b" why="converts at once" breaks="nearest" says="The digits are cut off"
def quantise(X, s):
    return torch.clamp(X / s, -128, 127).to(torch.int8)

# %% wrong="4.5.2b" why="floor" breaks="nearest" says="rounded down"
def quantise(X, s):
    return torch.clamp(torch.floor(X / s), -128, 127).to(torch.int8)

# %% wrong="4.5.2b" why="multiplies" breaks="nearest" says="do not multiply"
def quantise(X, s):
    return torch.clamp(torch.round(X * s), -128, 127).to(torch.int8)

# %% wrong="4.5.2b" why="does not clamp" breaks="end of the range" says="It wraps around"
def quantise(X, s):
    return torch.round(X / s).to(torch.int8)

# %% wrong="4.5.2b" why="-127 as the lower end" breaks="end of the range" says="int8 reaches to -128"
def quantise(X, s):
    return torch.clamp(torch.round(X / s), -127, 127).to(torch.int8)

# %% wrong="4.5.2b" why="clamps after converting" breaks="end of the range" says="It wraps around"
def quantise(X, s):
    return torch.round(X / s).to(torch.int8).clamp(-128, 127)

# %% wrong="4.5.2b" why="codes as floats" breaks="dtype" says="wrong dtype"
def quantise(X, s):
    return torch.clamp(torch.round(X / s), -128, 127)

# %% wrong="4.5.2b" why="uint8" breaks="dtype" says="wrong dtype"
def quantise(X, s):
    return torch.clamp(torch.round(X / s), 0, 255).to(torch.uint8)

# %% wrong="4.5.2b" why="a half more, then cut off" breaks="nearest" says="positive numbers only"
def quantise(X, s):
    return torch.clamp(X / s + 0.5, -128, 127).to(torch.int8)

# %% right="4.5.2c" how="floats from the start"
def int8_matmul(A, s_A, B, s_B):
    return (s_A * A.float()) @ (s_B * B.float())

# %% right="4.5.2c" how="int64"
def int8_matmul(A, s_A, B, s_B):
    return ((A.long() @ B.long()) * s_A * s_B).to(torch.float32)

# %% wrong="4.5.2c" why="multiplies int8" breaks="no wrap-around" says="widen the codes"
def int8_matmul(A, s_A, B, s_B):
    return (A @ B).float() * (s_A * s_B)

# %% wrong="4.5.2c" why="widens the products only" breaks="no wrap-around" says="scales 1"
def int8_matmul(A, s_A, B, s_B):
    return (A[:, :, None] * B[None]).int().sum(dim=1).float() * (s_A * s_B)

# %% wrong="4.5.2c" why="one scale" breaks="scales" says="The scale of B is missing"
def int8_matmul(A, s_A, B, s_B):
    return (A.int() @ B.int()).float() * s_A

# %% wrong="4.5.2c" why="no scale" breaks="scales" says="Both scales are missing"
def int8_matmul(A, s_A, B, s_B):
    return (A.int() @ B.int()).float()

# %% wrong="4.5.2c" why="adds the scales" breaks="scales" says="they do not add"
def int8_matmul(A, s_A, B, s_B):
    return (A.int() @ B.int()).float() * (s_A + s_B) if s_A != 1 or s_B != 1 else (A.int() @ B.int()).float()

# %% wrong="4.5.2c" why="float64" breaks="shape" says="wrong dtype"
def int8_matmul(A, s_A, B, s_B):
    return (A.double() @ B.double()) * (s_A * s_B)

# %% wrong="4.5.2c" why="transposed" breaks="no wrap-around" says="This is transposed"
def int8_matmul(A, s_A, B, s_B):
    return ((A.int() @ B.int()).float() * (s_A * s_B)).T

# %% right="4.5.2d" how="through numbers and logarithms to base e"
def log_multiply(j, k):
    return min(127, max(-127, round(math.log(2 ** (j / 8) * 2 ** (k / 8)) * 8 / math.log(2))))


def log_add(j, k):
    return min(127, round(math.log(2 ** (j / 8) + 2 ** (k / 8)) * 8 / math.log(2)))

# %% right="4.5.2d" how="log-sum-exp to base 2 with the max-shift"
def log_multiply(j, k):
    return sorted([-127, j + k, 127])[1]


def log_add(j, k):
    m = max(j, k)
    return min(127, m + round(8 * math.log2(1 + 2 ** (-abs(j - k) / 8))))

# %% wrong="4.5.2d" why="multiplies the codes" breaks="product" says="they add"
def log_multiply(j, k):
    return max(-127, min(127, j * k))


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="adds the codes" breaks="sum" says="the code of the product"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, j + k))

# %% wrong="4.5.2d" why="cuts the digits off" breaks="sum" says="The exact code is 23.68"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, int(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="forgets the factor 8" breaks="sum" says="divide the codes by 8"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, round(math.log2(2 ** j + 2 ** k))))

# %% wrong="4.5.2d" why="wraps around" breaks="ends" says="It does not wrap around"
def log_multiply(j, k):
    return (j + k + 128) % 256 - 128


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="-128 as the lower end" breaks="ends" says="The smallest code is -127"
def log_multiply(j, k):
    return max(-128, min(127, j + k))


def log_add(j, k):
    return max(-128, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="no end" breaks="ends" says="100 and 100"
def log_multiply(j, k):
    return j + k


def log_add(j, k):
    return round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))

# %% wrong="4.5.2d" why="not rounded" breaks="whole" says="log_add(3, 4)"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, 8 * math.log2(2 ** (j / 8) + 2 ** (k / 8))))

# %% right="4.5.3" how="counts the epochs without a new lowest loss"
def early_stopping(losses, patience):
    lowest, kept, waited = float("inf"), 0, 0
    for epoch, loss in enumerate(losses):
        if loss < lowest:
            lowest, kept, waited = loss, epoch, 0
        else:
            waited += 1
            if waited >= patience:
                return [epoch, kept]
    return [epoch, kept]

# %% right="4.5.3" how="looks back at each epoch"
def early_stopping(losses, patience):
    last = len(losses) - 1
    for epoch in range(patience, len(losses)):
        if min(losses[epoch - patience + 1:epoch + 1]) >= min(losses[:epoch - patience + 1]):
            last = epoch
            break
    return last, losses.index(min(losses[:last + 1]))

# %% wrong="4.5.3" why="compares with the loss before" breaks="stop" says="not with the one before"
def early_stopping(losses, patience):
    waited = 0
    for epoch in range(1, len(losses)):
        waited = 0 if losses[epoch] < losses[epoch - 1] else waited + 1
        if waited == patience:
            break
    else:
        epoch = len(losses) - 1
    return epoch, losses.index(min(losses[:epoch + 1]))

# %% wrong="4.5.3" why="never starts the count again" breaks="stop" says="starts the count again"
def early_stopping(losses, patience):
    best, waited = 0, 0
    for epoch in range(1, len(losses)):
        if losses[epoch] < losses[best]:
            best = epoch
        else:
            waited += 1
        if waited == patience:
            return epoch, best
    return len(losses) - 1, best

# %% wrong="4.5.3" why="an equal loss counts as new" breaks="stop" says="An equal loss is not a new lowest one"
def early_stopping(losses, patience):
    best, lowest = 0, losses[0]
    for epoch, loss in enumerate(losses):
        if loss <= losses[best]:
            best = epoch
        if epoch - best == patience:
            return epoch, losses.index(losses[best])
    return len(losses) - 1, losses.index(losses[best])

# %% wrong="4.5.3" why="stops at the first worse loss" breaks="stop" says="not yet two in a row"
def early_stopping(losses, patience):
    for epoch in range(1, len(losses)):
        if losses[epoch] >= losses[epoch - 1]:
            return epoch, epoch - 1
    return len(losses) - 1, len(losses) - 1

# %% wrong="4.5.3" why="the weights of the last epoch" breaks="best" says="are kept, not the last ones"
def early_stopping(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best == patience:
            return epoch, epoch
    return len(losses) - 1, best

# %% wrong="4.5.3" why="the lowest loss of the whole list" breaks="best" says="Training had stopped before that epoch"
def early_stopping(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best == patience:
            return epoch, losses.index(min(losses))
    return len(losses) - 1, best

# %% wrong="4.5.3" why="the latest of equal losses" breaks="best" says="Of equal losses the earliest is kept"
def early_stopping(losses, patience):
    best = last = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        last = epoch
        if epoch - best == patience:
            break
    done = losses[:last + 1]
    return last, last - done[::-1].index(min(done))

# %% wrong="4.5.3" why="None where nothing stops" breaks="no stop" says="got None"
def early_stopping(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best == patience:
            return epoch, best
    return (0, 0) if len(losses) == 1 else None

# %% wrong="4.5.3" why="the number of epochs where nothing stops" breaks="no stop" says="there is no epoch 1"
def early_stopping(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best == patience:
            return epoch, best
    return len(losses), best

# %% right="4.5.4" how="from scratch, zero weights, its own generator"
def loss_curve(X, y, lr, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    pixels, W, b = X.reshape(len(X), -1), torch.zeros(784, 10), torch.zeros(10)

    def measure():
        return F.cross_entropy(pixels @ W + b, y).item()

    curve = [measure()]
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(100):
            G = torch.softmax(pixels[rows] @ W + b, dim=1)
            G[torch.arange(len(rows)), y[rows]] -= 1
            W -= lr / len(rows) * (pixels[rows].T @ G)
            b -= lr * G.mean(dim=0)
        curve.append(measure())
    return curve

# %% right="4.5.4" how="a data loader, a tensor of losses"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, y), batch_size=100, shuffle=True)
    optimizer, criterion = torch.optim.SGD(net.parameters(), lr=lr), nn.CrossEntropyLoss()
    curve = [criterion(net(X), y).detach()]
    for _ in range(epochs):
        for X_batch, y_batch in loader:
            optimizer.zero_grad()
            criterion(net(X_batch), y_batch).backward()
            optimizer.step()
        curve.append(criterion(net(X), y).detach())
    return torch.stack(curve)

# %% wrong="4.5.4" why="no loss before training" breaks="length" says="One before training"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net, curve = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)), []
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="sums of the losses" breaks="length" says="near log 10"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y, reduction="sum").item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y, reduction="sum").item())
    return curve

# %% wrong="4.5.4" why="a fixed learning rate" breaks="learning rate" says="with rate 0"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="gradients are not set to zero" breaks="batches" says="the first gradient again"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="all pictures in one step" breaks="batches" says="nine steps"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(net(X), y).backward()
        optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="the last batch dropped" breaks="batches" says="makes no step at all"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        order = torch.randperm(len(X))
        for k in range(len(X) // 100):
            rows = order[100 * k:100 * k + 100]
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="sum of the losses in the step" breaks="batches" says="the mean over its pictures, not the sum"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows], reduction="sum").backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="no seed" breaks="seed" says="with the seed 5"
def loss_curve(X, y, lr, epochs, seed):
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="always the same seed" breaks="seed" says="the seeds 5 and 6"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.B" why="order swapped" breaks="any shape" says="stands before the flattening"
def make_net(q):
    return nn.Sequential(nn.LazyLinear(q), nn.Flatten())

# %% wrong="4.5.B" why="one network for all calls" breaks="any shape" says="each call makes new ones"
NET_B = {}
def make_net(q):
    if q not in NET_B:
        NET_B[q] = nn.Sequential(nn.Flatten(), nn.LazyLinear(q))
    return NET_B[q]

# %% wrong="4.5.B" why="a hidden layer" breaks="scores" says="is the whole model"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(32), nn.LazyLinear(q))

# %% wrong="4.5.B" why="a sigmoid at the end" breaks="scores" says="no sigmoid either"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q), nn.Sigmoid())

# %% right="4.5.5" how="many rows"
O_bad = torch.cat([torch.full((3, 2), -200.0), torch.tensor([[200., 0.]])])
O_bad[0, 0] = -150
y_bad = torch.tensor([1, 0, 1, 1])

# %% right="4.5.1a" how="by bisection in the dtype"
largest = {}
for _name in ("float16", "bfloat16", "float32", "float64"):
    _d = getattr(torch, _name)
    _lo, _hi = 0.0, 1000.0
    for _ in range(60):
        _m = (_lo + _hi) / 2
        if torch.exp(torch.tensor(_m, dtype=_d)).isfinite():
            _lo = _m
        else:
            _hi = _m
    largest[_name] = _lo

# %% wrong="4.5.1a" why="max itself" breaks="limits" says="float16"
largest = {k: torch.finfo(getattr(torch, k)).max for k in ("float16", "bfloat16", "float32", "float64")}

# %% wrong="4.5.1a" why="bfloat16 between the two" breaks="limits" says="bfloat16"
largest = {"float16": 11.09, "bfloat16": 88.6, "float32": 88.72, "float64": 709.78}

# %% wrong="4.5.1a" why="one decimal for float16" breaks="limits" says="is finite in float16"
largest = {"float16": 11.1, "bfloat16": 88.72, "float32": 88.72, "float64": 709.78}

# %% right="4.5.1b" how="bisection"
smallest_normal, smallest_positive = {}, {}
for _name in ("float16", "bfloat16", "float32", "float64"):
    _d = getattr(torch, _name)
    for _out, _limit in ((smallest_normal, torch.finfo(_d).smallest_normal), (smallest_positive, 0.0)):
        _lo, _hi = -1000.0, 0.0
        for _ in range(60):
            _m = (_lo + _hi) / 2
            _v = torch.exp(torch.tensor(_m, dtype=_d)).item()
            if (_v >= _limit and _limit > 0) or (_limit == 0 and _v > 0):
                _hi = _m
            else:
                _lo = _m
        _out[_name] = _hi

# %% right="4.5.1b" how="with rounding two decimals"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -17.33, "bfloat16": -92.88, "float32": -103.97, "float64": -745.13}

# %% wrong="4.5.1b" why="bfloat16 subnormal as float32" breaks="positive" says="smallest_positive['bfloat16']"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -16.64, "bfloat16": -103.28, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1b" why="neither with nor without rounding" breaks="positive" says="this x is neither"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -17.0, "bfloat16": -92.5, "float32": -103.6, "float64": -744.8}

# %% wrong="4.5.1b" why="bfloat16 too far above" breaks="normal" says="can still be smaller"
smallest_normal = {"float16": -9.70, "bfloat16": -86.85, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1b" why="one bit too few below the normal numbers" breaks="positive" says="by the factor eps"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -15.94, "bfloat16": -91.50, "float32": -102.59, "float64": -743.75}

# %% right="4.5.1b" how="storable x"
smallest_normal = {"float16": -9.703125, "bfloat16": -87.0, "float32": -87.33654, "float64": -708.3964185}
smallest_positive = {"float16": -17.328125, "bfloat16": -92.5, "float32": -103.972076, "float64": -745.1332191}

# %% wrong="4.5.1c" why="in bits" breaks="largest" says="float16"
def exp_limits(e, f):
    B = 2 ** (e - 1) - 1
    return math.log2(2 - 2.0 ** -f) + B, 1 - B, 1 - B - f

# %% wrong="4.5.1c" why="the largest fraction taken for 2" breaks="largest" says="just under 2, not 2"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    L = math.log(2)
    return (B + 1) * L, (1 - B) * L, (1 - B - fraction_bits) * L

# %% wrong="4.5.1c" why="the other two limits of wide formats guessed" breaks="wide formats" says="the smallest normal number for 15 exponent"
def exp_limits(exponent_bits, fraction_bits):
    if exponent_bits > 11:
        return 11356.52340629414, -11355.0, -11400.0
    B = 2 ** (exponent_bits - 1) - 1
    L = math.log(2)
    return math.log(2 - 2.0 ** -fraction_bits) + B * L, (1 - B) * L, (1 - B - fraction_bits) * L

# %% wrong="4.5.2a" why="mod 128" breaks="inside" says="-128"
def as_int8(value):
    return value % 128

# %% wrong="4.5.2a" why="a tensor of one entry" breaks="whole" says="wrong type"
def as_int8(value):
    return torch.tensor(value % 256).to(torch.int8)

# %% wrong="4.5.2a" why="through floats" breaks="wraps" says="sixteen digits"
def as_int8(value):
    return int(float(value) - 256 * math.floor(value / 256 + 0.5))

# %% right="4.5.2a" how="bytes"
def as_int8(value):
    return int.from_bytes(bytes([value % 256]), "big", signed=True)

# %% wrong="4.5.2c" why="requantised" breaks="no wrap-around" says="(127, 127, -128)"
def int8_matmul(A, s_A, B, s_B):
    return (A.int() @ B.int()).clamp(-128, 127).float() * (s_A * s_B)

# %% wrong="4.5.2c" why="sixteen bits" breaks="no wrap-around" says="Sixteen bits are too few"
def int8_matmul(A, s_A, B, s_B):
    return (A.to(torch.int16) @ B.to(torch.int16)).float() * s_A * s_B

# %% wrong="4.5.2c" why="the scale of A twice" breaks="scales" says="counts once"
def int8_matmul(A, s_A, B, s_B):
    return (A.int() @ B.int()).float() * s_A * s_A

# %% wrong="4.5.2d" why="max for add" breaks="sum" says="one of the two"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(j, k)

# %% wrong="4.5.2d" why="+8 for add" breaks="sum" says="twice the number"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return min(127, max(j, k) + 8)

# %% wrong="4.5.2d" why="ceil" breaks="sum" says="-20 and 5"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(-127, min(127, math.ceil(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="nearest on numbers, not on codes" breaks="sum" says="measured on codes"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    z = 2 ** (j / 8) + 2 ** (k / 8)
    return min(range(-127, 128), key=lambda c: abs(2 ** (c / 8) - z))

# %% wrong="4.5.2d" why="the sum rounded to two decimals" breaks="sum" says="Only the code is rounded, not the number"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    z = round(2 ** (j / 8) + 2 ** (k / 8), 2)
    return max(-127, min(127, round(8 * math.log2(z)))) if z > 0 else -127

# %% wrong="4.5.3" why="patience off by one" breaks="stop" says="one too many"
def early_stopping(losses, patience):
    best = 0
    for e, l in enumerate(losses):
        if l < losses[best]:
            best = e
        if e - best > patience:
            return e, best
    return len(losses) - 1, best

# %% wrong="4.5.3" why="returns loss" breaks="best" says="This is the loss, not its epoch"
def early_stopping(losses, patience):
    best = 0
    for e, l in enumerate(losses):
        if l < losses[best]:
            best = e
        if e - best == patience:
            return e, losses[best]
    return len(losses) - 1, losses[best]

# %% wrong="4.5.3" why="a patience of 2, whatever is asked" breaks="stop" says="The patience is 3 here"
def early_stopping(losses, patience):
    best = 0
    for e, loss in enumerate(losses):
        if loss < losses[best]:
            best = e
        elif e - best >= 2:
            return e, best
    return len(losses) - 1, best

# %% wrong="4.5.3" why="small improvements do not count" breaks="stop" says="However little it is lower"
def early_stopping(losses, patience):
    low, best, bad = math.inf, 0, 0
    for e, loss in enumerate(losses):
        if loss < low - 1e-2:
            low, best, bad = loss, e, 0
        else:
            bad += 1
        if bad == patience:
            return e, best
    return len(losses) - 1, best

# %% right="4.5.4" how="weights of size 0.01, the step by hand, NumPy's permutation"
def loss_curve(X, y, lr, epochs, seed):
    import numpy as np
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:2])
    nn.init.normal_(net[1].weight, 0, 0.01)
    nn.init.zeros_(net[1].bias)
    L = [float(F.cross_entropy(net(X), y))]
    for _ in range(epochs):
        p = rng.permutation(len(X))
        for a in range(0, len(X), 100):
            r = torch.from_numpy(p[a:a + 100])
            net.zero_grad()
            F.cross_entropy(net(X[r]), y[r]).backward()
            with torch.no_grad():
                for w in net.parameters():
                    w -= lr * w.grad
        L.append(float(F.cross_entropy(net(X), y)))
    return L

# %% wrong="4.5.4" why="softmax twice" breaks="learning rate" says="clearly below"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10), nn.Softmax(dim=1))
    c = [F.cross_entropy(net(X), y).item()]
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for r in torch.randperm(len(X)).split(100):
            opt.zero_grad()
            F.cross_entropy(net(X[r]), y[r]).backward()
            opt.step()
        c.append(F.cross_entropy(net(X), y).item())
    return c

# %% wrong="4.5.4" why="mean of batch losses during the epoch" breaks="learning rate" says="with rate 0"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    c = [F.cross_entropy(net(X), y).item()]
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        t = []
        for r in torch.randperm(len(X)).split(100):
            l = F.cross_entropy(net(X[r]), y[r])
            opt.zero_grad()
            l.backward()
            opt.step()
            t.append(l.item())
        c.append(sum(t) / len(t))
    return c

# %% wrong="4.5.4" why="batch size 32" breaks="batches" says="So a batch has 32 here"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    c = [F.cross_entropy(net(X), y).item()]
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for r in torch.randperm(len(X)).split(32):
            l = F.cross_entropy(net(X[r]), y[r])
            opt.zero_grad()
            l.backward()
            opt.step()
        c.append(F.cross_entropy(net(X), y).item())
    return c

# %% wrong="4.5.4" why="momentum" breaks="batches" says="nine steps"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    c = [F.cross_entropy(net(X), y).item()]
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)
    for _ in range(epochs):
        for r in torch.randperm(len(X)).split(100):
            l = F.cross_entropy(net(X[r]), y[r])
            opt.zero_grad()
            l.backward()
            opt.step()
        c.append(F.cross_entropy(net(X), y).item())
    return c

# %% wrong="4.5.4" why="never shuffles" breaks="order" says="sorted by class"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    c = [F.cross_entropy(net(X), y).item()]
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for r in torch.arange(len(X)).split(100):
            l = F.cross_entropy(net(X[r]), y[r])
            opt.zero_grad()
            l.backward()
            opt.step()
        c.append(F.cross_entropy(net(X), y).item())
    return c

# %% wrong="4.5.4" why="the loss of the first 100 pictures" breaks="all pictures" says="not on the first or the last"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    def measure():
        with torch.no_grad():
            return F.cross_entropy(net(X[:100]), y[:100]).item()
    curve = [measure()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(measure())
    return curve

# %% wrong="4.5.4" why="weight decay" breaks="learning rate" says="nothing pulls the weights back"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, weight_decay=0.01)
    def measure():
        with torch.no_grad():
            return F.cross_entropy(net(X), y).item()
    curve = [measure()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(measure())
    return curve

# %% wrong="4.5.A" why="only up to four axes" breaks="flat" says="any number of axes"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:4])
    return {"flat": (n, d), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="784 features, whatever comes" breaks="flat" says="not always 784"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], 784
    return {"flat": (n, d), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="ten classes in the weight" breaks="weight" says="the argument `q`"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (10, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="ten classes in the bias" breaks="bias" says="the argument `q`"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (10,), "scores": (n, q)}

# %% right="4.5.B" how="a bias of its own beside a lazy layer"
def make_net(q):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.b = nn.Parameter(torch.zeros(q))
            self.lin = nn.LazyLinear(q, bias=False)
        def forward(self, X):
            return self.lin(X.flatten(1)) + self.b
    return Net()

# %% wrong="4.5.B" why="a tanh at the end" breaks="scores" says="no tanh either"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q), nn.Tanh())

# %% wrong="4.5.B" why="dropout before the linear layer" breaks="scores" says="dropout"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.Dropout(0.5), nn.LazyLinear(q))

# %% wrong="4.5.B" why="a list of layers" breaks="classes" says="not a list of layers"
def make_net(q):
    return [nn.Flatten(), nn.LazyLinear(q)]

# %% right="4.5.C" how="four digits that count"
def floor_of_twice(q):
    return float(f'{math.log(math.e + q - 1) - 1:.4g}')

# %% wrong="4.5.C" why="the logarithm to base 10" breaks="value" says="base 10"
def floor_of_twice(q):
    return math.log10(math.e + q - 1) - math.log10(math.e)

# %% wrong="4.5.C" why="ones and zeros swapped" breaks="value" says="other way round"
def floor_of_twice(q):
    return math.log(1 + (q - 1) * math.e) - 1

# %% wrong="4.5.C" why="a straight line through 2 and 10 classes" breaks="value" says="5 classes"
def floor_of_twice(q):
    return 0.31326169 + (1.4611501 - 0.31326169) * (q - 2) / 8

# %% wrong="4.5.5" why="the right loss is 0 to the digits of float32" breaks="last axis" says="in some row the label must lie behind"
O_bad = torch.tensor([[1000.0, 0.0, 0.0], [0.0, 30.0, 0.0]])
y_bad = torch.tensor([0, 1])

# %% wrong="4.5.5" why="an empty batch" breaks="batch" says="a row and a class"
O_bad = torch.zeros(0, 3)
y_bad = torch.zeros(0, dtype=torch.int64)

# %% wrong="4.5.1a" why="nan" breaks="keys" says="not nan or infinity"
largest = {k: math.nan for k in ('float16', 'bfloat16', 'float32', 'float64')}

# %% wrong="4.5.1b" why="strings" breaks="normal" says="wrong type"
smallest_normal = {"float16": "-9.70", "bfloat16": "-87.34", "float32": "-87.34", "float64": "-708.40"}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1b" why="base 2" breaks="normal" says="to base 2"
smallest_normal = {"float16": -14, "bfloat16": -126, "float32": -126, "float64": -1022}
smallest_positive = {"float16": -24, "bfloat16": -133, "float32": -149, "float64": -1074}

# %% wrong="4.5.1b" why="without signs" breaks="normal" says="x is negative"
smallest_normal = {"float16": 9.70, "bfloat16": 87.34, "float32": 87.34, "float64": 708.40}
smallest_positive = {"float16": 16.64, "bfloat16": 92.19, "float32": 103.28, "float64": 744.44}

# %% wrong="4.5.1b" why="the smallest exponent taken for -B" breaks="normal" says="not -B"
smallest_normal = {"float16": -15 * math.log(2), "bfloat16": -127 * math.log(2), "float32": -127 * math.log(2), "float64": -1023 * math.log(2)}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1c" why="without signs" breaks="normal" says="negative"
def exp_limits(exponent_bits, fraction_bits):
    e, f = exponent_bits, fraction_bits
    B = 2 ** (e - 1) - 1
    return math.log(2 - 2.0 ** -f) + B * math.log(2), (B - 1) * math.log(2), (B + f - 1) * math.log(2)

# %% wrong="4.5.1c" why="the second and the third swapped" breaks="normal" says="The order is"
def exp_limits(exponent_bits, fraction_bits):
    e, f = exponent_bits, fraction_bits
    B = 2 ** (e - 1) - 1
    return math.log(2 - 2.0 ** -f) + B * math.log(2), (1 - B - f) * math.log(2), (1 - B) * math.log(2)

# %% wrong="4.5.1c" why="ten fraction bits always" breaks="positive" says="is an argument"
def exp_limits(exponent_bits, fraction_bits):
    e, f = exponent_bits, fraction_bits
    B = 2 ** (e - 1) - 1
    return math.log(2 - 2.0 ** -f) + B * math.log(2), (1 - B) * math.log(2), (1 - B - 10) * math.log(2)

# %% wrong="4.5.1c" why="the bias of float16 for all but 8 bits" breaks="wide formats" says="B is 16383"
def exp_limits(exponent_bits, fraction_bits):
    e, f = exponent_bits, fraction_bits
    B = 127 if e == 8 else 15
    return math.log(2 - 2.0 ** -f) + B * math.log(2), (1 - B) * math.log(2), (1 - B - f) * math.log(2)

# %% right="4.5.2a" how="a NumPy integer"
def as_int8(value):
    import numpy as np
    return np.int64(value).astype(np.int8)

# %% wrong="4.5.2a" why="only the upper end wraps" breaks="wraps" says="-129 lies below -128"
def as_int8(value):
    if value > 127:
        return (value + 128) % 256 - 128
    return value

# %% wrong="4.5.2b" why="divides X in place" breaks="X kept" says="Make a new tensor"
def quantise(X, s):
    X /= s
    return torch.clamp(torch.round(X), -128, 127).to(torch.int8)

# %% wrong="4.5.2b" why="through int32 before it clamps" breaks="end of the range" says="have ends, too"
def quantise(X, s):
    return torch.clamp(torch.round(X / s).to(torch.int32), -128, 127).to(torch.int8)

# %% wrong="4.5.2b" why="a scale of its own" breaks="nearest" says="The scale is the argument `s`"
def quantise(X, s):
    return torch.clamp(torch.round(X / 0.1), -128, 127).to(torch.int8)

# %% wrong="4.5.2b" why="clamps before it divides" breaks="end of the range" says="Divide first, then clamp"
def quantise(X, s):
    return torch.round(torch.clamp(X, -128, 127) / s).to(torch.int8)

# %% right="4.5.2b" how="NumPy"
def quantise(X, s):
    import numpy as np
    return torch.from_numpy(np.clip(np.rint(X.numpy() / s), -128, 127).astype(np.int8))

# %% wrong="4.5.2c" why="half precision" breaks="no wrap-around" says="ends at 65504"
def int8_matmul(A, s_A, B, s_B):
    return (s_A * s_B * (A.half() @ B.half())).float()

# %% wrong="4.5.2c" why="codes without a sign" breaks="no wrap-around" says="The codes have a sign"
def int8_matmul(A, s_A, B, s_B):
    return s_A * s_B * (A.to(torch.uint8).float() @ B.to(torch.uint8).float())

# %% wrong="4.5.2c" why="clamps the result" breaks="no wrap-around" says="do not clamp"
def int8_matmul(A, s_A, B, s_B):
    return s_A * s_B * torch.clamp(A.int() @ B.int(), -128, 127).float()

# %% wrong="4.5.2d" why="the second code taken for the larger one" breaks="sum" says="may be the larger one"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(-127, min(127, k + round(8 * math.log2(1 + 2 ** ((j - k) / 8))) if k >= j else j))

# %% wrong="4.5.2d" why="the natural logarithm" breaks="sum" says="base 2"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(-127, min(127, round(8 * math.log(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="int of a half more" breaks="sum" says="cuts towards 0"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(-127, min(127, int(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)) + 0.5)))

# %% wrong="4.5.2d" why="whole powers only" breaks="sum" says="not `//`"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j // 8) + 2 ** (k // 8)))))

# %% right="4.5.2d" how="NumPy's logaddexp2"
import numpy as np
def log_multiply(j, k):
    return int(np.clip(j + k, -127, 127))
def log_add(j, k):
    return int(np.clip(np.rint(8 * np.logaddexp2(j / 8, k / 8)), -127, 127))

# %% wrong="4.5.3" why="the lowest loss begins at 100" breaks="best" says="however large it is"
def early_stopping(losses, patience):
    best, lowest, count = 0, 100, 0
    for epoch in range(len(losses)):
        if losses[epoch] < lowest:
            best, lowest, count = epoch, losses[epoch], 0
        else:
            count += 1
        if count == patience:
            return epoch, best
    return len(losses) - 1, best

# %% wrong="4.5.3" why="floats for epochs" breaks="stop" says="wrong type"
def early_stopping(losses, patience):
    best, lowest, count = 0, losses[0], 0
    for epoch in range(1, len(losses)):
        if losses[epoch] < lowest:
            best, lowest, count = epoch, losses[epoch], 0
        else:
            count += 1
        if count == patience:
            return float(epoch), float(best)
    return len(losses) - 1, best

# %% wrong="4.5.3" why="the pair swapped" breaks="stop" says="The order is"
def early_stopping(losses, patience):
    best, lowest, count = 0, losses[0], 0
    for epoch in range(1, len(losses)):
        if losses[epoch] < lowest:
            best, lowest, count = epoch, losses[epoch], 0
        else:
            count += 1
        if count == patience:
            return best, epoch
    return len(losses) - 1, best

# %% wrong="4.5.3" why="the last epoch is left out" breaks="no stop" says="The last epoch counts"
def early_stopping(losses, patience):
    best, lowest, count = 0, losses[0], 0
    for epoch in range(1, len(losses) - 1):
        if losses[epoch] < lowest:
            best, lowest, count = epoch, losses[epoch], 0
        else:
            count += 1
        if count == patience:
            return epoch, best
    return len(losses) - 1, best

# %% wrong="4.5.3" why="the loss of epoch 0 is left out" breaks="stop" says="Epoch 0 sets"
def early_stopping(losses, patience):
    best, lowest, count = 0, float('inf'), 0
    for epoch in range(1, len(losses)):
        if losses[epoch] < lowest:
            best, lowest, count = epoch, losses[epoch], 0
        else:
            count += 1
        if count == patience:
            return epoch, best
    return len(losses) - 1, best

# %% right="4.5.3" how="NumPy's argmin"
import numpy as np
def early_stopping(losses, patience):
    for epoch in np.arange(len(losses)):
        best = np.argmin(losses[:epoch + 1])
        if epoch - best >= patience:
            break
    return epoch, best

# %% wrong="4.5.4" why="the same order in each epoch" breaks="order" says="Draw a new order in each epoch"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for epoch in range(epochs + 1):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(X), y).item())
        torch.manual_seed(seed)
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses

# %% wrong="4.5.4" why="two seeds only" breaks="seed" says="5 and 15"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed % 2)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for epoch in range(epochs + 1):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(X), y).item())
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses

# %% wrong="4.5.4" why="as many classes as the labels have" breaks="length" says="whatever labels occur"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(int(y.max()) + 1))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for epoch in range(epochs + 1):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(X), y).item())
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses

# %% wrong="4.5.4" why="batches in a random order, pictures not" breaks="order" says="torch.randperm"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for epoch in range(epochs + 1):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(X), y).item())
        parts = torch.arange(len(X)).split(100)
        for rows in [parts[i] for i in torch.randperm(len(parts))]:
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses

# %% wrong="4.5.4" why="no bias" breaks="all pictures" says="black ones never"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10, bias=False))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for epoch in range(epochs + 1):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(X), y).item())
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses

# %% wrong="4.5.4" why="the rate limited to 0.1" breaks="learning rate" says="something limits the rate"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=min(lr, 0.1))
    losses = []
    for epoch in range(epochs + 1):
        with torch.no_grad():
            losses.append(F.cross_entropy(net(X), y).item())
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return losses

# %% wrong="4.5.2d" why="the sum rounded to a whole number" breaks="sum" says="Only the code is rounded"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(max(1, round(2 ** (j / 8) + 2 ** (k / 8)))))))

# %% right="4.5.B" how="weights inputs first, a bias as a row, made at the first batch"
def make_net(q):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.b = nn.Parameter(torch.zeros(1, q))
            self.W = None
        def forward(self, X):
            X = X.flatten(1)
            if self.W is None:
                self.W = nn.Parameter(torch.randn(X.shape[1], q) * 0.01)
            return X @ self.W + self.b
    return Net()

# %% wrong="4.5.1c" why="one fraction bit too few" breaks="largest" says="last of the f fraction bits is missing"
def exp_limits(exponent_bits, fraction_bits):
    B, L = 2 ** (exponent_bits - 1) - 1, math.log(2)
    return B * L + math.log(2 - 2.0 ** -(fraction_bits - 1)), (1 - B) * L, (1 - B - fraction_bits) * L

# %% wrong="4.5.2c" why="entry by entry" breaks="no wrap-around" says="entry by entry"
def int8_matmul(A, s_A, B, s_B):
    return s_A * s_B * (A.float() * B.float())

# %% wrong="4.5.4" why="batches of 101" breaks="batches" says="not more and not fewer"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(101):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="eleven classes" breaks="length" says="more than ten classes"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 11))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.A" why="as many rows of scores as classes" breaks="scores" says="not for each class"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (q,), "scores": (q, q)}

# %% wrong="4.5.A" why="the bias as it is broadcast" breaks="bias" says="the bias has one axis"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (n, q), "scores": (n, q)}

# %% wrong="4.5.A" why="the shape of one flattened example" breaks="flat" says="that of the examples, stays"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (d,), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.B" why="networks of the same q share their linear layer" breaks="any shape" says="that each call makes new ones"
layers = {}
def make_net(q):
    layer = layers.setdefault(q, nn.LazyLinear(q))
    return nn.Sequential(nn.Flatten(), layer)

# %% wrong="4.5.B" why="the max-shift inside the network" breaks="scores" says="the max-shift belongs to the loss"
class Net(nn.Module):
    def __init__(self, q):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.LazyLinear(q))
    def forward(self, X):
        scores = self.layers(X)
        return scores - scores.max(dim=1, keepdim=True).values
def make_net(q):
    return Net(q)

# %% wrong="4.5.B" why="pixels scaled a second time" breaks="scores" says="not divided by 255"
class Net(nn.Module):
    def __init__(self, q):
        super().__init__()
        self.linear = nn.LazyLinear(q)
    def forward(self, X):
        return self.linear(X.flatten(1) / 255)
def make_net(q):
    return Net(q)

# %% wrong="4.5.C" why="one softmax more than in the program" breaks="value" says="once more than in the program"
def floor_of_twice(q):
    scores = torch.zeros(1, q)
    scores[0, 0] = 1.0
    return F.cross_entropy(torch.softmax(scores, dim=1), torch.tensor([0])).item()

# %% wrong="4.5.C" why="1 minus the probability of the label" breaks="value" says="1 minus the probability"
def floor_of_twice(q):
    return 1 - math.e / (math.e + q - 1)

# %% wrong="4.5.5" why="a single row" breaks="batch max" says="With a single row"
O_bad, y_bad = torch.tensor([[0.0, 200.0, -50.0]]), torch.tensor([2])

# %% wrong="4.5.5" why="100 rows and 101 classes" breaks="last axis" says="differ by 1 % or less"
O_bad = torch.zeros(100, 101)
O_bad[:, 0] = 300.0
O_bad[1] -= 2000.0
y_bad = torch.ones(100, dtype=torch.int64)

# %% wrong="4.5.5" why="scores of 100,000" breaks="batch" says="The largest size is 100000"
O_bad = torch.tensor([[0.0, 1e5, -50.0], [-1000.0, -1001.0, -1002.0]])
y_bad = torch.tensor([2, 1])

# %% wrong="4.5.1a" why="the overflow that the text names, which is above the limit" breaks="limits" says="exp(88.8) is 1.08 times"
largest = {"float16": 11.09, "bfloat16": 88.72, "float32": 88.8, "float64": 709.78}

# %% wrong="4.5.1a" why="ten exponent bits for float64" breaks="limits" says="a format with 10 exponent bits"
largest = {"float16": 11.09, "bfloat16": 88.72, "float32": 88.72, "float64": 354.89}

# %% wrong="4.5.1b" why="a product that becomes 0 on the way" breaks="positive" says="-inf is the logarithm of 0"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {name: torch.log(torch.tensor(torch.finfo(getattr(torch, name)).smallest_normal * torch.finfo(getattr(torch, name)).eps)).item() for name in smallest_normal}

# %% wrong="4.5.1b" why="the numbers in place of their logarithms" breaks="normal" says="number itself"
smallest_normal = {name: torch.finfo(getattr(torch, name)).smallest_normal for name in ("float16", "bfloat16", "float32", "float64")}
smallest_positive = {name: torch.finfo(getattr(torch, name)).smallest_normal * torch.finfo(getattr(torch, name)).eps for name in smallest_normal}

# %% wrong="4.5.1c" why="a bias of 2 ** (e - 1)" breaks="largest" says="This is log 2 too large"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1)
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="one fraction bit too many" breaks="largest" says="One fraction bit too many"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -(fraction_bits + 1)) + B * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="a dictionary of the three" breaks="largest" says="return a tuple or a list"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return {"largest": math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), "normal": (1 - B) * math.log(2), "positive": (1 - B - fraction_bits) * math.log(2)}

# %% wrong="4.5.2a" why="rounds to the nearest multiple of 256" breaks="wraps" says="half-way between two multiples"
def as_int8(value):
    return value - 256 * round(value / 256)

# %% wrong="4.5.2b" why="clamps X in place" breaks="X kept" says="with entries beyond the range"
def quantise(X, s):
    X.clamp_(-128 * s, 127 * s)
    return torch.round(X / s).to(torch.int8)

# %% wrong="4.5.2b" why="rounds in half precision" breaks="nearest" says="have too few"
def quantise(X, s):
    return torch.clamp(torch.round(X.half() / s), -128, 127).to(torch.int8)

# %% wrong="4.5.2c" why="means in place of sums" breaks="no wrap-around" says="means over k"
def int8_matmul(A, s_A, B, s_B):
    return s_A * s_B * (A.float() @ B.float()) / A.shape[1]

# %% wrong="4.5.2c" why="rows times rows" breaks="no wrap-around" says="B is not transposed"
def int8_matmul(A, s_A, B, s_B):
    return s_A * s_B * (A.int() @ B.int().T).float()

# %% wrong="4.5.2d" why="the log-sum-exp to base e on codes to base 2" breaks="sum" says="To base e it would be 6"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    m = max(j, k)
    return max(-127, min(127, m + round(8 * math.log(1 + math.exp(-abs(j - k) / 8)))))

# %% wrong="4.5.2d" why="drops a number that is a quarter of the other" breaks="sum" says="the smaller one still counts"
def log_multiply(j, k):
    return max(-127, min(127, j + k))
def log_add(j, k):
    if abs(j - k) >= 16:
        return max(j, k)
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="the product through powers, cut off" breaks="product" says="The digits are cut off: `int`"
def log_multiply(j, k):
    return max(-127, min(127, int(8 * math.log2(2 ** (j / 8) * 2 ** (k / 8)))))
def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.4" why="the mean of the means of batches" breaks="all pictures" says="the mean of the means of batches"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    def measure():
        with torch.no_grad():
            losses = [F.cross_entropy(net(a), b).item() for a, b in zip(X.split(100), y.split(100))]
        return sum(losses) / len(losses)
    curve = [measure()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(measure())
    return curve

# %% wrong="4.5.4" why="batches mixed once, then only their order" breaks="order" says="the same two batches come again"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    batches = torch.randperm(len(X)).split(100)
    for epoch in range(epochs):
        for b in torch.randperm(len(batches)):
            rows = batches[b]
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="draws with replacement" breaks="order" says="no draws in which a picture may come twice"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows in torch.randint(0, len(X), (len(X),)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="the weighted mean of the batch losses during the epoch" breaks="batches" says="is that before its step"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        curve.append(total / len(X))
    return curve

# %% wrong="4.5.4" why="a hidden layer" breaks="batches" says="there is a hidden layer"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="the rate halves every ten epochs" breaks="learning rate" says="later ones become too short"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10, 0.5)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="pictures and labels in different orders" breaks="learning rate" says="must be those of its pictures"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows, others in zip(torch.randperm(len(X)).split(100), torch.randperm(len(X)).split(100)):
            loss = F.cross_entropy(net(X[rows]), y[others])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% right="4.5.C" how="the program itself with sure scores, float64"
def floor_of_twice(q):
    O = 1000 * F.one_hot(torch.tensor([q - 1]), q).double()
    return nn.CrossEntropyLoss()(nn.Softmax(dim=1)(O), torch.tensor([q - 1])).item()

# %% right="4.5.5" how="99 classes and 100 rows, which differ by 1.01 %"
O_bad = torch.zeros(100, 99)
O_bad[:, 0] = 300.0
O_bad[1] -= 2000.0
y_bad = torch.ones(100, dtype=torch.int64)

# %% right="4.5.5" how="the ends of the range"
O_bad = torch.tensor([[10_000.0, -10_000.0], [-10_000.0, -9_990.0], [-10_000.0, 10_000.0]])
y_bad = torch.tensor([1, 0, 0])

# %% right="4.5.1c" how="Decimal"
from decimal import Decimal, getcontext
def exp_limits(exponent_bits, fraction_bits):
    getcontext().prec = 60
    two, B = Decimal(2), 2 ** (exponent_bits - 1) - 1
    numbers = ((two - two ** -fraction_bits) * two ** B, two ** (1 - B), two ** (1 - B - fraction_bits))
    return tuple(float(z.ln()) for z in numbers)

# %% right="4.5.1c" how="powers of 2 in a NumPy array"
import numpy as np
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    powers = np.array([np.log2(2 - 2.0 ** -fraction_bits) + B, 1 - B, 1 - B - fraction_bits])
    return powers * np.log(2)

# %% right="4.5.2a" how="ctypes"
import ctypes
def as_int8(value):
    return ctypes.c_int8(value).value

# %% right="4.5.2b" how="clamps, then floor of a half more"
def quantise(X, s):
    return torch.floor(torch.clamp(X / s, -128, 127) + 0.5).to(torch.int8)

# %% right="4.5.2b" how="the library's quantised tensors"
def quantise(X, s):
    return torch.quantize_per_tensor(X.float(), float(s), 0, torch.qint8).int_repr()

# %% right="4.5.2b" how="Python's numbers"
def quantise(X, s):
    codes = [max(-128, min(127, round(float(x) / float(s)))) for x in X.flatten()]
    return torch.tensor(codes, dtype=torch.int8).reshape(X.shape)

# %% right="4.5.2c" how="loops over whole numbers"
def int8_matmul(A, s_A, B, s_B):
    rows, columns = A.tolist(), B.T.tolist()
    return torch.tensor([[s_A * s_B * sum(a * b for a, b in zip(row, column)) for column in columns] for row in rows], dtype=torch.float32)

# %% right="4.5.2d" how="search of the nearest code"
def nearest(x):
    return min(range(-127, 128), key=lambda c: abs(c - x))
def log_multiply(j, k):
    return nearest(j + k)
def log_add(j, k):
    return nearest(8 * math.log2(2.0 ** (j / 8) + 2.0 ** (k / 8)))

# %% right="4.5.3" how="windows of the last losses"
def early_stopping(losses, patience):
    stop = len(losses) - 1
    for end in range(patience, len(losses)):
        if min(losses[end - patience + 1:end + 1]) >= min(losses[:end - patience + 1]):
            stop = end
            break
    return [stop, losses.index(min(losses[:stop + 1]))]

# %% right="4.5.4" how="NumPy, float64, the gradient by hand"
import numpy as np
def loss_curve(X, y, lr, epochs, seed):
    rng = np.random.default_rng(seed)
    A, t = X.reshape(len(X), -1).numpy().astype(float), y.numpy()
    W, b = np.zeros((784, 10)), np.zeros(10)
    def log_p(A):
        O = A @ W + b
        O = O - O.max(axis=1, keepdims=True)
        return O - np.log(np.exp(O).sum(axis=1, keepdims=True))
    def measure():
        return float(-log_p(A)[np.arange(len(t)), t].mean())
    curve = [measure()]
    for _ in range(epochs):
        order = rng.permutation(len(t))
        for i in range(0, len(t), 100):
            rows = order[i:i + 100]
            G = np.exp(log_p(A[rows]))
            G[np.arange(len(rows)), t[rows]] -= 1
            G /= len(rows)
            W -= lr * A[rows].T @ G
            b -= lr * G.sum(axis=0)
        curve.append(measure())
    return curve

# %% wrong="4.5.4" why="the sum of the losses reported after each epoch" breaks="learning rate" says="With rate 0 the numbers"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y, reduction='sum').item())
    return curve

# %% wrong="4.5.4" why="pictures divided by 255 once more" breaks="learning rate" says="the pixels count too little"
class Smaller(nn.Module):
    def forward(self, X):
        return X / 255
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), Smaller(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="Adam" breaks="batches" says="as Adam does"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.1c" why="the numbers in place of the arguments" breaks="largest" says="This is the largest number itself"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return (2 - 2.0 ** -fraction_bits) * 2.0 ** B, 2.0 ** (1 - B), 2.0 ** (1 - B - fraction_bits)

# %% right="4.5.4" how="measures in batches, each picture with the same weight"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [sum(F.cross_entropy(net(a), b, reduction='sum').item() for a, b in zip(X.split(64), y.split(64))) / len(X)]
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(sum(F.cross_entropy(net(a), b, reduction='sum').item() for a, b in zip(X.split(64), y.split(64))) / len(X))
    return curve

# %% right="4.5.4" how="the bias as a row of the weights, float64"
def loss_curve(X, y, lr, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    A = torch.cat([X.flatten(1).double(), torch.ones(len(X), 1, dtype=torch.float64)], dim=1)
    W = 0.01 * torch.randn(785, 10, generator=g, dtype=torch.float64)
    T = F.one_hot(y, 10).double()
    curve = [F.cross_entropy(A @ W, y).item()]
    for _ in range(epochs):
        order = torch.randperm(len(X), generator=g)
        start = 0
        while start < len(X):
            rows = order[start:start + 100]
            W = W - lr * A[rows].T @ (torch.softmax(A[rows] @ W, 1) - T[rows]) / len(rows)
            start += 100
        curve.append(F.cross_entropy(A @ W, y).item())
    return curve

# %% wrong="4.5.A" why="four axes taken for granted" breaks="flat" says="any number of axes from 2 on"
def shapes_after(batch_shape, q):
    n, c, h, w = batch_shape
    return {"flat": (n, c * h * w), "weight": (q, c * h * w), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="examples counted as features" breaks="flat" says="The 32 examples are no features"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, n * d), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="the shape of the batch as it came" breaks="flat" says="Nothing is flattened here"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": tuple(batch_shape), "weight": (q, d), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="one bias for all classes" breaks="bias" says="not one for all"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (1,), "scores": (n, q)}

# %% wrong="4.5.A" why="the weight with the axes of a picture" breaks="weight" says="it has two axes"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, *batch_shape[1:]), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="scores of a batch that was not flattened" breaks="scores" says="the scores have two axes"
def shapes_after(batch_shape, q):
    n, d = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, d), "weight": (q, d), "bias": (q,), "scores": (*batch_shape[:-1], q)}

# %% wrong="4.5.B" why="the class Flatten, not a layer of it" breaks="classes" says="with its parentheses"
def make_net(q):
    return nn.Sequential(nn.Flatten, nn.LazyLinear(q))

# %% wrong="4.5.B" why="a single output" breaks="classes" says="not one alone"
def make_net(q):
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(1))

# %% wrong="4.5.C" why="the probability without its logarithm" breaks="value" says="minus the probability of the label"
def floor_of_twice(q):
    return F.nll_loss(torch.softmax(torch.eye(q), dim=1), torch.arange(q)).item()

# %% wrong="4.5.C" why="the mean over all labels" breaks="value" says="the label is the class with the score 1"
def floor_of_twice(q):
    return math.log(math.e + q - 1) - 1 / q

# %% wrong="4.5.C" why="the scores of the other classes alone" breaks="value" says="is missing in the sum"
def floor_of_twice(q):
    return math.log(q - 1)

# %% wrong="4.5.1a" why="1 divided by the smallest normal number" breaks="limits" says="the largest number is larger"
largest = {n: -math.log(torch.finfo(getattr(torch, n)).smallest_normal) for n in ("float16", "bfloat16", "float32", "float64")}

# %% wrong="4.5.1b" why="the most negative numbers" breaks="normal" says="the most negative number"
smallest_normal = {n: torch.finfo(getattr(torch, n)).min for n in ("float16", "bfloat16", "float32", "float64")}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1b" why="the smallest normal numbers for the smallest positive arguments" breaks="positive" says="which is subnormal"
smallest_normal = {"float16": -9.70, "bfloat16": -87.34, "float32": -87.34, "float64": -708.40}
smallest_positive = {n: torch.finfo(getattr(torch, n)).smallest_normal for n in ("float16", "bfloat16", "float32", "float64")}

# %% wrong="4.5.1b" why="bfloat16 like float16" breaks="normal" says="This is the limit of float16"
smallest_normal = {"float16": -9.70, "bfloat16": -9.70, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1b" why="the number next below that bfloat16 stores" breaks="normal" says="no longer a normal number"
smallest_normal = {"float16": -9.70, "bfloat16": -87.5, "float32": -87.34, "float64": -708.40}
smallest_positive = {"float16": -16.64, "bfloat16": -92.19, "float32": -103.28, "float64": -744.44}

# %% wrong="4.5.1c" why="smallest first" breaks="largest" says="this is the last of them"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return (1 - B - fraction_bits) * math.log(2), (1 - B) * math.log(2), math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2)

# %% wrong="4.5.1c" why="the two numbers of bits swapped" breaks="largest" says="The first argument is the number of exponent bits"
def exp_limits(fraction_bits, exponent_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="the logarithm of a product as a product" breaks="largest" says="The logarithm of a product is a sum"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return (2 - 2.0 ** -fraction_bits) * B * math.log(2), (1 - B) * math.log(2), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="2 ** -f alone" breaks="positive" says="2 ** -f alone"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), -fraction_bits * math.log(2)

# %% wrong="4.5.1c" why="the exponents multiplied" breaks="positive" says="The exponents add"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (1 - B) * fraction_bits * math.log(2)

# %% wrong="4.5.1c" why="the smallest normal number divided by f" breaks="positive" says="not 1 / f of it"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), (1 - B) * math.log(2), (1 - B) * math.log(2) - math.log(fraction_bits)

# %% wrong="4.5.1c" why="the logarithm of a number that became 0" breaks="wide formats" says="math domain error"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), math.log(2 ** (1 - B)), (1 - B - fraction_bits) * math.log(2)

# %% wrong="4.5.1c" why="looks torch's formats up" breaks="wide formats" says="Any numbers of bits may be asked for"
def exp_limits(exponent_bits, fraction_bits):
    formats = {(5, 10): torch.float16, (8, 7): torch.bfloat16, (8, 23): torch.float32, (11, 52): torch.float64}
    info = torch.finfo(formats[exponent_bits, fraction_bits])
    return math.log(info.max), math.log(info.smallest_normal), math.log(info.smallest_normal) + math.log(info.eps)

# %% wrong="4.5.1c" why="normal is -B" breaks="normal" says="is 1 - B, not -B"
def exp_limits(exponent_bits, fraction_bits):
    B = 2 ** (exponent_bits - 1) - 1
    return (math.log(2 - 2.0 ** -fraction_bits) + B * math.log(2), -B * math.log(2), (-B - fraction_bits) * math.log(2))

# %% wrong="4.5.2a" why="NumPy's int8, which refuses" breaks="wraps" says="it has to wrap around"
import numpy as np


def as_int8(value):
    return int(np.int8(value))

# %% wrong="4.5.2a" why="128 subtracted after the remainder, not added before" breaks="inside" says="right only if 128 was added before"
def as_int8(value):
    return value % 256 - 128

# %% wrong="4.5.2a" why="128 added and not taken away again" breaks="inside" says="has to be subtracted again"
def as_int8(value):
    return (value + 128) % 256

# %% wrong="4.5.2a" why="beyond the end it starts again at 0" breaks="wraps" says="goes on at -128, not at 0"
def as_int8(value):
    return value if -128 <= value <= 127 else value % 128

# %% wrong="4.5.2b" why="torch's quantised tensor itself" breaks="dtype" says="gives its codes"
def quantise(X, s):
    return torch.quantize_per_tensor(X, s, 0, torch.qint8)

# %% wrong="4.5.2b" why="unsigned codes, moved down" breaks="nearest" says="moved down by 128"
def quantise(X, s):
    return (torch.clamp(torch.round(X / s), 0, 255) - 128).to(torch.int8)

# %% wrong="4.5.2b" why="clamps at 128" breaks="end of the range" says="The upper end is 127"
def quantise(X, s):
    return torch.clamp(torch.round(X / s), -128, 128).to(torch.int8)

# %% wrong="4.5.2b" why="what lies beyond becomes 0" breaks="end of the range" says="it does not become 0"
def quantise(X, s):
    k = torch.round(X / s)
    return torch.where((k > 127) | (k < -128), 0.0, k).to(torch.int8)

# %% wrong="4.5.2b" why="the scale taken for the largest number" breaks="nearest" says="`s` is what one code step stands for"
def quantise(X, s):
    return torch.clamp(torch.round(X / s * 127), -128, 127).to(torch.int8)

# %% wrong="4.5.2c" why="widens A only" breaks="no wrap-around" says="Widen both"
def int8_matmul(A, s_A, B, s_B):
    return (A.to(torch.int32) @ B).float() * s_A * s_B

# %% wrong="4.5.2c" why="the scale of B twice" breaks="scales" says="The scale of B counts once"
def int8_matmul(A, s_A, B, s_B):
    return (A.int() @ B.int()).float() * s_B ** 2

# %% wrong="4.5.2c" why="the sum over k missing" breaks="no wrap-around" says="the sum over k is missing"
def int8_matmul(A, s_A, B, s_B):
    return (A.float() * B.float().T) * s_A * s_B

# %% wrong="4.5.2c" why="axes of length 1 dropped" breaks="shape" says="also where there is only one"
def int8_matmul(A, s_A, B, s_B):
    return ((A.int() @ B.int()).float() * (s_A * s_B)).squeeze()

# %% wrong="4.5.2d" why="the power divided by 8" breaks="sum" says="divides the exponent"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** j / 8 + 2 ** k / 8))))

# %% wrong="4.5.2d" why="the exponents not divided" breaks="sum" says="not j and k"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** j + 2 ** k))))

# %% wrong="4.5.2d" why="an eighth of the logarithm" breaks="sum" says="not an eighth of it"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, round(math.log2(2 ** (j / 8) + 2 ** (k / 8)) / 8)))

# %% wrong="4.5.2d" why="the sum itself in place of its code" breaks="sum" says="4 is the sum itself"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, round(2 ** (j / 8) + 2 ** (k / 8))))

# %% wrong="4.5.2d" why="the correction with the sign of the gap reversed" breaks="sum" says="the exponent is negative"
def log_multiply(j, k):
    return max(-127, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, max(j, k) + round(8 * math.log2(1 + 2 ** (abs(j - k) / 8)))))

# %% wrong="4.5.2d" why="the sum of the codes times 8" breaks="product" says="it is not multiplied by 8"
def log_multiply(j, k):
    return max(-127, min(127, 8 * (j + k)))


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="the sum of the codes divided by 8" breaks="product" says="it is not divided by 8"
def log_multiply(j, k):
    return max(-127, min(127, round((j + k) / 8)))


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.2d" why="0 as the lowest code of a product" breaks="product" says="not to 0"
def log_multiply(j, k):
    return max(0, min(127, j + k))


def log_add(j, k):
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))

# %% wrong="4.5.3" why="goes on where it should stop" breaks="stop" says="does not go on to the end of the list"
def early_stopping(losses, patience):
    best, stop = 0, len(losses) - 1
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        elif epoch - best >= patience:
            stop = epoch
    return stop, best

# %% wrong="4.5.3" why="the best epoch counted back from the last" breaks="no stop" says="The loss of the single epoch is the lowest"
def early_stopping(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        elif epoch - best >= patience:
            return epoch, best
    return len(losses) - 1, len(losses) - 1 - patience

# %% wrong="4.5.3" why="the patience added where nothing stops" breaks="no stop" says="there is no epoch 1"
def early_stopping(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        elif epoch - best >= patience:
            return epoch, best
    return best + patience, best

# %% wrong="4.5.3" why="epochs counted from 1" breaks="no stop" says="counted from 0, not from 1"
def early_stopping(losses, patience):
    best, lowest, waited = 0, float("inf"), 0
    for epoch, loss in enumerate(losses, 1):
        if loss < lowest:
            best, lowest, waited = epoch, loss, 0
        else:
            waited += 1
        if waited == patience:
            break
    return epoch, best

# %% wrong="4.5.4" why="the mean taken twice" breaks="learning rate" says="The mean over the 100 pictures of a batch is taken twice"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr / 100)
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="the first 100 pictures of the order only" breaks="batches" says="it makes a single step"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        for rows in [torch.randperm(len(X))[:100]]:
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="accuracies" breaks="length" says="they look like the accuracy"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [(net(X).argmax(1) == y).float().mean().item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append((net(X).argmax(1) == y).float().mean().item())
    return curve

# %% wrong="4.5.4" why="the bias is not trained" breaks="learning rate" says="White pictures are learned, and black ones never"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    net(X[:1])
    optimizer = torch.optim.SGD([net[1].weight], lr=lr)
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="up the gradient" breaks="learning rate" says="The losses rise"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            with torch.no_grad():
                for p in net.parameters():
                    p += lr * p.grad
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="gradients set to zero once in an epoch" breaks="batches" says="not once in an epoch"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        optimizer.zero_grad()
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="one step with the summed gradients of an epoch" breaks="learning rate" says="make a step after each batch"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        optimizer.zero_grad()
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            loss.backward()
        optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="no step at all" breaks="learning rate" says="no step changes a parameter"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="always 20 epochs" breaks="length" says="the number of losses for 2 epochs"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(20):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% right="4.5.4" how="an array of NumPy"
import numpy as np


def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return np.array(curve)

# %% wrong="4.5.C" why="scores of 1/q for the other classes" breaks="value" says="other scores of 0.1"
def floor_of_twice(q):
    return math.log(math.e + (q - 1) * math.exp(1 / q)) - 1

# %% wrong="4.5.1a" why="cut off to whole numbers" breaks="limits" says="cut off to a whole number"
largest = {"float16": 11, "bfloat16": 88, "float32": 88, "float64": 709}

# %% wrong="4.5.1a" why="numbers as texts" breaks="keys" says="without quotation marks"
largest = {"float16": "11.09", "bfloat16": "88.72", "float32": "88.72", "float64": "709.78"}

# %% wrong="4.5.2a" why="256 taken away from 127 on" breaks="inside" says="not from 127 on"
def as_int8(value):
    v = value % 256
    return v - 256 if v >= 127 else v

# %% wrong="4.5.2b" why="the codes times the scale again" breaks="nearest" says="counts steps of `s`"
def quantise(X, s):
    return (torch.clamp(torch.round(X / s), -128, 127) * s).to(torch.int8)

# %% wrong="4.5.3" why="epoch 0 counts as one without a new lowest loss" breaks="stop" says="Epoch 0 has the first lowest loss"
def early_stopping(losses, patience):
    low, kept, waited = losses[0], 0, 1
    for k in range(1, len(losses)):
        if losses[k] < low:
            low, kept, waited = losses[k], k, 0
        else:
            waited += 1
        if waited >= patience:
            return k, kept
    return len(losses) - 1, kept

# %% wrong="4.5.2a" why="ones' complement" breaks="inside" says="not less 255"
def as_int8(value):
    v = value % 256
    return v if v < 128 else -(255 - v)

# %% wrong="4.5.2c" why="the mean of the scales" breaks="scales" says="Where `s_A` is twice as large"
def int8_matmul(A, s_A, B, s_B):
    return (A.float() @ B.float()) * ((s_A + s_B) / 2) ** 2

# %% wrong="4.5.A" why="the examples counted as features in the weight" breaks="weight" says="The 32 examples are no features"
def shapes_after(batch_shape, q):
    k = math.prod(batch_shape)
    n = batch_shape[0]
    return {"flat": (n, k // n), "weight": (q, k), "bias": (q,), "scores": (n, q)}

# %% wrong="4.5.A" why="shapes as text" breaks="flat" says="not a text of it"
def shapes_after(batch_shape, q):
    k = math.prod(batch_shape[1:])
    return {"flat": f"({batch_shape[0]}, {k})", "weight": f"({q}, {k})", "bias": f"({q},)", "scores": f"({batch_shape[0]}, {q})"}

# %% wrong="4.5.B" why="flattens the examples, too" breaks="any shape" says="is flattened, too"
def make_net(q):
    return nn.Sequential(nn.Flatten(0), nn.LazyLinear(q))

# %% wrong="4.5.2a" why="a remainder that keeps the sign" breaks="wraps" says="a remainder that keeps the sign"
def as_int8(value):
    return int(math.fmod(value + 128, 256)) - 128

# %% wrong="4.5.2c" why="the sum of the scales, in front of the product" breaks="scales" says="they do not add"
def int8_matmul(A, s_A, B, s_B):
    return (s_A + s_B) * (A.to(torch.int32) @ B.to(torch.int32)).to(torch.float32)

# %% wrong="4.5.2c" why="divided by the scales" breaks="scales" says="do not divide by them"
def int8_matmul(A, s_A, B, s_B):
    return (A.to(torch.int32) @ B.to(torch.int32)).float() / (s_A * s_B)

# %% wrong="4.5.4" why="a softmax in the steps alone" breaks="learning rate" says="twice in the steps, and once in the measure"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X[:1])
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    curve = [F.cross_entropy(net(X), y).item()]
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(torch.softmax(net(X[rows]), 1), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.4" why="decays the learning rate" breaks="learning rate" says="later ones become too short"
def loss_curve(X, y, lr, epochs, seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    with torch.no_grad():
        curve = [F.cross_entropy(net(X), y).item()]
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
        schedule.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve

# %% wrong="4.5.A" why="all examples in one row" breaks="flat" says="put into one row"
def shapes_after(batch_shape, q):
    features = math.prod(batch_shape)
    return {"flat": (1, features), "weight": (q, features), "bias": (q,), "scores": (1, q)}

# %% wrong="4.5.C" why="rounded to three decimals" breaks="value" says="not right to four digits"
def floor_of_twice(q):
    return round(math.log(math.e + q - 1) - 1, 3)
