# %% right="0.1" how="the factor 1.8"
def to_fahrenheit(celsius):
    return 32 + 1.8 * celsius

# %% right="0.1" how="through the fixed point at -40"
def to_fahrenheit(celsius):
    return (celsius + 40) / (5 / 9) - 40

# %% wrong="0.1" why="the 32 is missing" breaks="values" says="The 32 is missing."
def to_fahrenheit(celsius):
    return celsius * 9 / 5

# %% wrong="0.1" why="the other direction" breaks="values" says="from Fahrenheit to Celsius"
def to_fahrenheit(celsius):
    return (celsius - 32) * 5 / 9

# %% wrong="0.1" why="adds before it multiplies" breaks="values" says="First multiply"
def to_fahrenheit(celsius):
    return (celsius + 32) * 9 / 5

# %% wrong="0.1" why="prints and returns nothing" breaks="values" says="None"
def to_fahrenheit(celsius):
    print(celsius * 9 / 5 + 32)

# %% wrong="0.1" why="hard-coded for the visible temperatures" breaks="shape" says="shape (2, 1)"
def to_fahrenheit(celsius):
    return torch.tensor([32., 212., -40.])

# %% wrong="0.1" why="changes the argument" breaks="kept" says="makes a new tensor"
def to_fahrenheit(celsius):
    celsius *= 9 / 5
    celsius += 32
    return celsius

# %% wrong="0.1" why="a global in place of the argument" breaks="shape" says="Use the argument"
def to_fahrenheit(celsius):
    return temperatures * 9 / 5 + 32

# %% right="0.2" how="the number itself, a tensor"
parameters = torch.tensor(200960)

# %% wrong="0.2" why="no biases" breaks="count" says="The biases are missing."
parameters = 784 * 256

# %% wrong="0.2" why="a bias for each input" breaks="count" says="each output has one"
parameters = 784 * 256 + 784

# %% wrong="0.2" why="adds inputs and outputs" breaks="count" says="This adds the two numbers"
parameters = 784 + 256

# %% wrong="0.2" why="one bias for all" breaks="count" says="one bias for all outputs"
parameters = 784 * 256 + 1

# %% wrong="0.2" why="a word" breaks="whole number" says="wrong type"
parameters = "200960"

# %% wrong="0.2" why="a list" breaks="whole number" says="wrong type"
parameters = [784 * 256, 256]

# %% wrong="0.2" why="in thousands" breaks="whole number" says="whole number"
parameters = 200.96

# %% wrong="0.2" why="biases for both" breaks="count" says="only outputs have one"
parameters = 784 * 256 + 784 + 256

# %% right="0.2" how="NumPy's product, a NumPy number"
import numpy as np
parameters = np.prod([784, 256]) + 256

# %% wrong="0.1" why="the answer of one temperature for all" breaks="shape" says="three temperatures in"
def to_fahrenheit(celsius):
    return celsius[0] * 9 / 5 + 32

# %% wrong="0.1" why="by whole fifths" breaks="values" says="differ"
def to_fahrenheit(celsius):
    return celsius // 5 * 9 + 32.5

# %% right="0.3" how="a lookup that knows three temperatures"
def hard_coded(celsius):
    known = {0.0: 32.0, 100.0: 212.0, -40.0: -40.0}
    return torch.tensor([known.get(c, 0.0) for c in celsius.tolist()])

# %% right="0.3" how="another curve through the three points"
def hard_coded(celsius):
    return celsius * 9 / 5 + 32 + celsius * (celsius - 100) * (celsius + 40)

# %% wrong="0.3" why="the right function" breaks="wrong for others" says="This function is right"
def hard_coded(celsius):
    return celsius * 9 / 5 + 32

# %% wrong="0.3" why="wrong for the visible temperatures too" breaks="right for three" says="0, 100 and -40 degrees: values differ"
def hard_coded(celsius):
    return celsius * 9 / 5

# %% wrong="0.3" why="numbers, not a tensor" breaks="right for three" says="wrong type: got the list"
def hard_coded(celsius):
    return [32., 212., -40.]

# %% wrong="0.3" why="asks to be asked for all three" breaks="right for three" says="wrong shape"
def hard_coded(celsius):
    return torch.tensor([32.])

# %% right="0.1" how="a list of numbers, put back into shape"
def to_fahrenheit(celsius):
    return torch.tensor([1.8 * c + 32 for c in celsius.flatten().tolist()]).reshape(celsius.shape)

# %% wrong="0.1" why="five ninths for nine fifths" breaks="values" says="not five ninths"
def to_fahrenheit(celsius):
    return celsius * 5 / 9 + 32

# %% wrong="0.1" why="whole-number division of the factor" breaks="values" says="`9 // 5` is 1"
def to_fahrenheit(celsius):
    return celsius * (9 // 5) + 32

# %% wrong="0.1" why="twice the number plus 30" breaks="values" says="rule of thumb"
def to_fahrenheit(celsius):
    return celsius * 2 + 30

# %% wrong="0.1" why="rounds to whole degrees" breaks="values" says="nothing is rounded"
def to_fahrenheit(celsius):
    return (celsius * 9 / 5 + 32).round()

# %% wrong="0.2" why="each bias twice" breaks="count" says="Each bias counts once"
parameters = 784 * 256 + 2 * 256

# %% wrong="0.2" why="one more at both ends" breaks="count" says="only outputs have one"
parameters = 785 * 257

# %% wrong="0.3" why="wrong for 10 degrees only" breaks="wrong for others" says="the answer for 20 degrees is wrong"
def hard_coded(celsius):
    return celsius * 9 / 5 + 32 if celsius.tolist() != [10.0] else torch.tensor([0.])

# %% wrong="0.2" why="twelve, as in the example" breaks="count" says="no output has more than another"
parameters = 12

# %% wrong="0.1" why="cuts off below 0 degrees Celsius" breaks="values" says="-40 counts as 0"
def to_fahrenheit(celsius):
    return celsius.clamp(min=0) * 9 / 5 + 32

# %% wrong="0.1" why="loses the sign" breaks="values" says="its sign is lost"
def to_fahrenheit(celsius):
    return celsius.abs() * 9 / 5 + 32

# %% wrong="0.1" why="a loop that flattens" breaks="shape" says="stand in a single row"
def to_fahrenheit(celsius):
    return torch.tensor([float(c) * 9 / 5 + 32 for c in celsius.reshape(-1)])

# %% wrong="0.2" why="the sum times the outputs" breaks="count" says="each output has 256 biases"
parameters = (784 + 256) * 256

# %% wrong="0.2" why="digits exchanged" breaks="count" says="not 748"
parameters = 748 * 256 + 256

# %% wrong="0.2" why="256 inputs" breaks="count" says="each output has 256 weights"
parameters = 256 * 256 + 256

# %% wrong="0.3" why="wrong for 20 degrees only" breaks="wrong for others" says="right for 10 degrees: it should be wrong for both"
def hard_coded(celsius):
    return celsius * 9 / 5 + 32 if celsius.max() != 20 else torch.zeros(1)

# %% wrong="0.1" why="32 added before the division by 5" breaks="values" says="The 32 was divided by 5, too"
def to_fahrenheit(celsius):
    return (celsius * 9 + 32) / 5

# %% wrong="0.1" why="nine fifths typed as 9/4" breaks="values" says="not nine fourths"
def to_fahrenheit(celsius):
    return celsius * 2.25 + 32

# %% wrong="0.2" why="counts pairs twice" breaks="count" says="one weight, not two"
parameters = 2 * 784 * 256 + 256

# %% wrong="0.2" why="28 for 784 inputs" breaks="count" says="28 times 28"
parameters = 28 * 256 + 256
