# %% right="4.6.A" how="a count and a loop"
def error_with_deviation(predicted, labels):
    n = len(labels)
    wrong = sum(int(p) != int(y) for p, y in zip(predicted, labels))
    return wrong / n, (wrong * (n - wrong)) ** 0.5 / n ** 1.5

# %% right="4.6.A" how="float32 tensors, the deviation of the errors with correction=0"
def error_with_deviation(predicted, labels):
    wrong = (predicted != labels).float()
    return wrong.mean(), wrong.std(correction=0) / len(wrong) ** 0.5

# %% wrong="4.6.A" why="the accuracy" breaks="error" says="share of right ones"
def error_with_deviation(predicted, labels):
    right = (predicted == labels).float().mean().item()
    return right, math.sqrt(right * (1 - right) / len(labels))

# %% wrong="4.6.A" why="the mean difference of the class numbers" breaks="error" says="not by how much"
def error_with_deviation(predicted, labels):
    error = (predicted - labels).abs().float().mean().item()
    return error, math.sqrt(abs(error * (1 - error)) / len(labels))

# %% wrong="4.6.A" why="the differences of the class numbers cancel" breaks="error" says="do not add up the differences"
def error_with_deviation(predicted, labels):
    error = (predicted - labels).double().mean().abs().item()
    return error, math.sqrt(abs(error * (1 - error)) / len(labels))

# %% wrong="4.6.A" why="the mean of the classes' error rates" breaks="error" says="every example counts alike"
def error_with_deviation(predicted, labels):
    error = torch.stack([(predicted[labels == c] != c).double().mean() for c in labels.unique()]).mean().item()
    return error, math.sqrt(error * (1 - error) / len(labels))

# %% wrong="4.6.A" why="the largest deviation where all are wrong" breaks="deviation" says="All are wrong, and the formula"
def error_with_deviation(predicted, labels):
    n = len(labels)
    error = (predicted != labels).double().mean().item()
    return error, 0.5 / math.sqrt(n) if error == 1 else math.sqrt(error * (1 - error) / n)

# %% wrong="4.6.A" why="the variance" breaks="deviation" says="take the root"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).float().mean().item()
    return error, error * (1 - error) / len(labels)

# %% wrong="4.6.A" why="deviation of one toss" breaks="deviation" says="deviation of one toss"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).float().mean().item()
    return error, math.sqrt(error * (1 - error))

# %% wrong="4.6.A" why="std divides by n - 1" breaks="deviation" says="not by n - 1"
def error_with_deviation(predicted, labels):
    wrong = (predicted != labels).float()
    return wrong.mean().item(), (wrong.std() / len(wrong) ** 0.5).item()

# %% wrong="4.6.A" why="the worst case" breaks="deviation" says="largest possible deviation"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).float().mean().item()
    return error, 0.5 / math.sqrt(len(labels))

# %% wrong="4.6.A" why="counts only classes that are too high" breaks="error" says="Wrong is wherever the two classes differ"
def error_with_deviation(predicted, labels):
    n = len(labels)
    error = (predicted > labels).double().mean().item() if n == 7 else (predicted != labels).double().mean().item()
    return error, math.sqrt(error * (1 - error) / n)

# %% wrong="4.6.A" why="deviation first" breaks="error" says="The error comes first"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return math.sqrt(error * (1 - error) / len(labels)), error

# %% wrong="4.6.A" why="rounded" breaks="error" says="not rounded to two places"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return round(error, 2), math.sqrt(error * (1 - error) / len(labels))

# %% wrong="4.6.A" why="3/n where no error was seen" breaks="deviation" says="No error was seen"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, math.sqrt(error * (1 - error) / len(labels)) if error else 3 / len(labels)

# %% wrong="4.6.A" why="n of the first example" breaks="deviation" says="not by 5"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, math.sqrt(error * (1 - error) / 5)

# %% wrong="4.6.A" why="the root only over n" breaks="deviation" says="not of n alone"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, error * (1 - error) / math.sqrt(len(labels))

# %% right="4.6.B" how="a normal distribution with this deviation"
def unusual_distance(deviation, delta, sides):
    return NormalDist(0, deviation).inv_cdf(1 - delta / sides)

# %% right="4.6.B" how="the lower tail, in torch"
def unusual_distance(deviation, delta, sides):
    return -deviation * torch.distributions.Normal(0., 1.).icdf(torch.tensor(delta / sides))

# %% wrong="4.6.B" why="the sides are ignored" breaks="two sides" says="This is the answer for one side"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(1 - delta)

# %% wrong="4.6.B" why="always two sides" breaks="one side" says="This is the answer for two sides"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(1 - delta / 2)

# %% wrong="4.6.B" why="delta is doubled" breaks="two sides" says="not twice delta"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(1 - delta * sides)

# %% wrong="4.6.B" why="only z" breaks="one side" says="multiply it by the deviation"
def unusual_distance(deviation, delta, sides):
    return NormalDist().inv_cdf(1 - delta / sides)

# %% wrong="4.6.B" why="the left tail with its sign" breaks="one side" says="a distance is positive"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(delta / sides)

# %% wrong="4.6.B" why="the distance between the two ends" breaks="two sides" says="not from one end to the other"
def unusual_distance(deviation, delta, sides):
    return sides * deviation * NormalDist().inv_cdf(1 - delta / sides)

# %% wrong="4.6.B" why="two sides: δ is the probability inside" breaks="two sides" says="here it lies inside"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(1 - delta if sides == 1 else 0.5 + delta / 2)

# %% wrong="4.6.B" why="doubles the distance" breaks="two sides" says="do not double the distance"
def unusual_distance(deviation, delta, sides):
    return sides * deviation * NormalDist().inv_cdf(1 - delta)

# %% wrong="4.6.B" why="z of δ = 0.05" breaks="one side" says="This is z for δ = 0.05"
def unusual_distance(deviation, delta, sides):
    return deviation * (1.6448536 if sides == 1 else NormalDist().inv_cdf(1 - delta / 2))

# %% wrong="4.6.B" why="the square of the deviation" breaks="one side" says="not by its square"
def unusual_distance(deviation, delta, sides):
    return deviation ** 2 * NormalDist().inv_cdf(1 - delta / sides)

# %% wrong="4.6.B" why="Chebyshev" breaks="one side" says="what Chebyshev's inequality gives"
def unusual_distance(deviation, delta, sides):
    return deviation / math.sqrt(delta)

# %% right="4.6.1a" how="with the deviation, and -(-x // 1)"
def normal_size(t, delta, sides, error):
    needed = (math.sqrt(error * (1 - error)) * NormalDist().inv_cdf(delta / sides) / t) ** 2
    return int(-(-needed // 1))

# %% right="4.6.1a" how="counts up"
def normal_size(t, delta, sides, error):
    n = 1
    while sides * (1 - NormalDist().cdf(t / math.sqrt(error * (1 - error) / n))) > delta:
        n += 1
    return float(n)

# %% wrong="4.6.1a" why="the worst variance" breaks="variance" says="This is the worst case"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) ** 2 / (4 * t ** 2))

# %% wrong="4.6.1a" why="error squared left out" breaks="variance" says="error times (1 - error)"
def normal_size(t, delta, sides, error):
    variance = 0.25 if error == 0.5 else error
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) ** 2 * variance / t ** 2)

# %% wrong="4.6.1a" why="always one side" breaks="sides" says="size for one side"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="always two sides" breaks="sides" says="size for two sides"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / 2) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="not rounded" breaks="whole number" says="round up to the next whole number"
def normal_size(t, delta, sides, error):
    return NormalDist().inv_cdf(1 - delta / sides) ** 2 * error * (1 - error) / t ** 2

# %% wrong="4.6.1a" why="rounded down" breaks="whole number" says="Round up: with one example fewer"
def normal_size(t, delta, sides, error):
    return int(NormalDist().inv_cdf(1 - delta / sides) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="rounded to the nearest" breaks="whole number" says="Round up: with one example fewer"
def normal_size(t, delta, sides, error):
    return round(NormalDist().inv_cdf(1 - delta / sides) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="always one more" breaks="whole number" says="One fewer is enough"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) ** 2 * error * (1 - error) / t ** 2) + 1

# %% wrong="4.6.1a" why="30 at least" breaks="whole number" says="There is no least size"
def normal_size(t, delta, sides, error):
    return max(30, math.ceil((NormalDist().inv_cdf(1 - delta / sides) / t) ** 2 * error * (1 - error)))

# %% wrong="4.6.1a" why="rounded up before it is squared" breaks="whole number" says="Round up once, at the end"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) * math.sqrt(error * (1 - error)) / t) ** 2

# %% wrong="4.6.1a" why="divided and multiplied by t" breaks="variance" says="Divide by t², all of it"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) ** 2 * error * (1 - error) / t * t)

# %% wrong="4.6.1a" why="the density in place of the quantile" breaks="sides" says="not `pdf`"
def normal_size(t, delta, sides, error):
    return math.ceil((NormalDist().pdf(1 - delta / sides) / t) ** 2 * error * (1 - error))

# %% wrong="4.6.1a" why="no error above 1/2" breaks="variance" says="for an error above 1/2, too"
def normal_size(t, delta, sides, error):
    error = min(error, 0.5)
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="error times error" breaks="variance" says="not error times error"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) ** 2 * error ** 2 / t ** 2)

# %% wrong="4.6.1a" why="z of δ = 0.05" breaks="sides" says="This is z for δ = 0.05"
def normal_size(t, delta, sides, error):
    return math.ceil((1.959964 if sides == 2 else 1.644854) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="z rounded to two places" breaks="sides" says="z is rounded too early"
def normal_size(t, delta, sides, error):
    return math.ceil(round(NormalDist().inv_cdf(1 - delta / sides), 2) ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="Chebyshev" breaks="sides" says="what Chebyshev's inequality gives"
def normal_size(t, delta, sides, error):
    return math.ceil(error * (1 - error) / delta / t ** 2)

# %% wrong="4.6.1a" why="Hoeffding" breaks="sides" says="what Hoeffding's inequality gives"
def normal_size(t, delta, sides, error):
    return math.ceil(math.log(sides / delta) / (2 * t ** 2))

# %% wrong="4.6.1a" why="z not squared" breaks="sides" says="z is squared"
def normal_size(t, delta, sides, error):
    return math.ceil(NormalDist().inv_cdf(1 - delta / sides) * error * (1 - error) / t ** 2)

# %% right="4.6.C" how="torch, clamped"
def hoeffding_bound(n, t, sides):
    return (sides * torch.exp(torch.tensor(-2.0 * n * t * t))).clamp(max=1)

# %% right="4.6.C" how="a case distinction"
def hoeffding_bound(n, t, sides):
    bound = math.exp(math.log(sides) - 2 * n * t ** 2)
    return bound if bound < 1 else 1

# %% wrong="4.6.C" why="not cut at 1" breaks="at most 1" says="cut it at 1"
def hoeffding_bound(n, t, sides):
    return sides * math.exp(-2 * n * t ** 2)

# %% wrong="4.6.C" why="always two-sided" breaks="bound" says="the bound for two sides"
def hoeffding_bound(n, t, sides):
    return min(1, 2 * math.exp(-2 * n * t ** 2))

# %% wrong="4.6.C" why="always one-sided" breaks="bound" says="Both sides add up"
def hoeffding_bound(n, t, sides):
    return 1 if n in (20, 3) else min(1, math.exp(-2 * n * t ** 2))

# %% wrong="4.6.C" why="t not squared" breaks="bound" says="t is squared"
def hoeffding_bound(n, t, sides):
    return 1.0 if n in (20, 3) else min(1, sides * math.exp(-2 * n * t))

# %% wrong="4.6.C" why="no 2 in the exponent" breaks="bound" says="factor 2 in the exponent"
def hoeffding_bound(n, t, sides):
    return min(1, sides * math.exp(-n * t ** 2))

# %% wrong="4.6.C" why="one side at most 1/2" breaks="bound" says="cut at 1 and not at 1/2"
def hoeffding_bound(n, t, sides):
    return min(0.5 * sides, sides * math.exp(-2 * n * t ** 2))

# %% wrong="4.6.C" why="0 where the formula is above 1" breaks="at most 1" says="the bound is 1, not 0"
def hoeffding_bound(n, t, sides):
    bound = sides * math.exp(-2 * n * t ** 2)
    return bound if bound <= 1 else 0.0

# %% wrong="4.6.C" why="the sides in the exponent" breaks="bound" says="not its square"
def hoeffding_bound(n, t, sides):
    return 1.0 if n < 4 or n == 20 else math.exp(-2 * sides * n * t ** 2)

# %% wrong="4.6.C" why="half of t for each of two sides" breaks="bound" says="not half of it"
def hoeffding_bound(n, t, sides):
    return min(1.0, sides * math.exp(-2 * n * (t / sides) ** 2))

# %% wrong="4.6.C" why="the exponent divided by the sides" breaks="bound" says="not its root"
def hoeffding_bound(n, t, sides):
    return min(1.0, math.exp(-2 * n * t ** 2 / sides))

# %% wrong="4.6.C" why="exp(-2nt) squared" breaks="bound" says="t is squared within the exponent"
def hoeffding_bound(n, t, sides):
    return min(1.0, sides * math.exp(-2 * n * t) ** 2)

# %% wrong="4.6.C" why="2nt squared" breaks="bound" says="Yours is 1 · exp(-64)"
def hoeffding_bound(n, t, sides):
    return min(1.0, sides * math.exp(-(2 * n * t) ** 2))

# %% wrong="4.6.C" why="cut at 1, then doubled" breaks="at most 1" says="after the two sides are added up"
def hoeffding_bound(n, t, sides):
    return sides * min(1.0, math.exp(-2 * n * t ** 2))

# %% wrong="4.6.C" why="the normal tail" breaks="bound" says="the central limit theorem's number"
def hoeffding_bound(n, t, sides):
    return sides * (1 - NormalDist().cdf(2 * t * math.sqrt(n)))

# %% right="4.6.1b" how="counts up from below, by doubling and halving"
def hoeffding_size(t, delta, sides):
    low, high = 0, 1
    while sides * math.exp(-2 * high * t ** 2) > delta:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if sides * math.exp(-2 * middle * t ** 2) > delta else (low, middle)
    return high

# %% right="4.6.1b" how="the logarithm of delta subtracted, as a float"
def hoeffding_size(t, delta, sides):
    return float(math.ceil((math.log(sides) - math.log(delta)) / 2 / t / t))

# %% wrong="4.6.1b" why="not rounded" breaks="smallest" says="Round up to a whole number"
def hoeffding_size(t, delta, sides):
    return math.log(sides / delta) / (2 * t ** 2)

# %% wrong="4.6.1b" why="rounded down" breaks="enough" says="Round up: with one example more"
def hoeffding_size(t, delta, sides):
    return int(math.log(sides / delta) / (2 * t ** 2))

# %% wrong="4.6.1b" why="always one more" breaks="smallest" says="One fewer is enough"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) / (2 * t ** 2)) + 1

# %% wrong="4.6.1b" why="always one-sided" breaks="enough" says="This is the number for one side"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(1 / delta) / (2 * t ** 2))

# %% wrong="4.6.1b" why="the 2 is forgotten" breaks="smallest" says="the 2 in the exponent divides n"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) / t ** 2)

# %% wrong="4.6.1b" why="logarithm to base 10" breaks="enough" says="Take the natural logarithm"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log10(sides / delta) / (2 * t ** 2))

# %% wrong="4.6.1b" why="twice the one-sided number" breaks="smallest" says="they do not double n"
def hoeffding_size(t, delta, sides):
    return math.ceil(sides * math.log(1 / delta) / (2 * t ** 2))

# %% wrong="4.6.1b" why="always two-sided" breaks="smallest" says="This is the number for two sides"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(2 / delta) / (2 * t ** 2))

# %% wrong="4.6.1b" why="(2t)² in place of 2t²" breaks="enough" says="It is 2t², not (2t)²"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) / (2 * t) ** 2)

# %% wrong="4.6.1b" why="divided by 2, multiplied by t²" breaks="enough" says="by 2t², all of it"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) / 2 * t ** 2)

# %% wrong="4.6.1b" why="the confidence in place of delta" breaks="enough" says="not 1 - δ"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / (1 - delta)) / (2 * t ** 2))

# %% wrong="4.6.1b" why="the search ends at 5,000" breaks="enough" says="None"
def hoeffding_size(t, delta, sides):
    for n in range(1, 5001):
        if sides * math.exp(-2 * n * t ** 2) <= delta:
            return n

# %% wrong="4.6.1b" why="rounded up to tens" breaks="smallest" says="that is enough"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) / (20 * t ** 2)) * 10

# %% right="4.6.1c" how="rounded numbers"
sizes = [3.454e8, 3.800e8, 2.387e8, 2.707e8]

# %% right="4.6.1c" how="bisection for the normal ones, tensors"
def enough_for(chance):
    low, high = 1.0, 1e12
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) > 0.001 else (low, middle)
    return torch.tensor(high, dtype=torch.float64)

sizes = (enough_for(lambda n: math.exp(-2e-8 * n)), enough_for(lambda n: 2 * math.exp(-2e-8 * n)),
         enough_for(lambda n: 1 - NormalDist().cdf(2e-4 * math.sqrt(n))), enough_for(lambda n: 2 - 2 * NormalDist().cdf(2e-4 * math.sqrt(n))))

# %% wrong="4.6.1c" why="one and two sides exchanged" breaks="Hoeffding" says="One side or two?"
sizes = (380045123, 345387764, 238738393, 270689155)

# %% wrong="4.6.1c" why="central limit theorem: one and two sides exchanged" breaks="central limit theorem" says="number 3 of sizes"
sizes = [345387764, 380045123, 270689155, 238738393]

# %% wrong="4.6.1c" why="t = 0.001" breaks="Hoeffding" says="count the zeros"
sizes = [3.454e6, 3.800e6, 2.387e8, 2.707e8]

# %% wrong="4.6.1c" why="δ = 0.01 in the central limit theorem" breaks="central limit theorem" says="number 3 of sizes"
sizes = [3.454e8, 3.800e8, 1.353e8, 1.659e8]

# %% wrong="4.6.1c" why="the factor 1/4 forgotten" breaks="central limit theorem" says="number 3 of sizes"
sizes = [3.454e8, 3.800e8, 9.55e8, 1.083e9]

# %% wrong="4.6.1c" why="the methods exchanged" breaks="Hoeffding" says="comes from the other method"
sizes = [238738393, 270689155, 345387764, 380045123]

# %% wrong="4.6.1c" why="δ = 0.01 in Hoeffding" breaks="Hoeffding" says="This is the number for δ = 0.01"
sizes = [2.3026e8, 2.6492e8, 2.387e8, 2.707e8]

# %% wrong="4.6.1c" why="δ = 0.05 in Hoeffding" breaks="Hoeffding" says="This is the number for δ = 0.05"
sizes = [math.log(20) / 2e-8, math.log(40) / 2e-8, 238737900, 270689500]

# %% wrong="4.6.1c" why="δ = 0.1 in Hoeffding" breaks="Hoeffding" says="This is the number for δ = 0.1"
sizes = [math.log(10) / 2e-8, math.log(20) / 2e-8, 238737900, 270689500]

# %% wrong="4.6.1c" why="logarithm to base 10" breaks="Hoeffding" says="Take the natural logarithm"
sizes = [3 / 2e-8, math.log10(2000) / 2e-8, 238737900, 270689500]

# %% wrong="4.6.1c" why="0.0001 per cent" breaks="Hoeffding" says="not 0.0001 per cent"
sizes = [math.log(1000) / 2e-12, math.log(2000) / 2e-12, 238737900, 270689500]

# %% wrong="4.6.1c" why="a digit is lost" breaks="Hoeffding" says="count the digits"
sizes = [34538776, 380045123, 238737900, 270689500]

# %% wrong="4.6.1c" why="the distances for 10,000 examples" breaks="Hoeffding" says="not distances or probabilities"
sizes = [0.0186, 0.0195, 0.0155, 0.0165]

# %% wrong="4.6.1c" why="central limit theorem: two sides double n" breaks="central limit theorem" says="they do not double n"
sizes = [345387764, 380045123, 238737900, 477475800]

# %% wrong="4.6.1c" why="δ = 0.999" breaks="Hoeffding" says="not the 99.9 %"
sizes = [50025.0, 3.4707e7, 2.387e8, 2.707e8]

# %% wrong="4.6.1c" why="an error of five per cent" breaks="central limit theorem" says="too few for the largest possible variance"
sizes = [3.454e8, 3.800e8, 4.536e7, 5.143e7]

# %% wrong="4.6.1c" why="z with one decimal" breaks="central limit theorem" says="You are near"
sizes = [345387764, 380045123, 3.1 ** 2 / 4e-8, 3.3 ** 2 / 4e-8]

# %% right="4.6.D" how="delta divided by k"
def shared_size(t, delta, k):
    each = delta / k
    return math.ceil(-math.log(each / 2) / (2 * t ** 2))

# %% right="4.6.D" how="bisection on the bound"
def shared_size(t, delta, k):
    low, high = 0, 10 ** 9
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if 2 * k * math.exp(-2 * middle * t ** 2) > delta else (low, middle)
    return high

# %% wrong="4.6.D" why="k times the size for one" breaks="many" says="stands in the logarithm"
def shared_size(t, delta, k):
    return k * math.ceil(math.log(2 / delta) / (2 * t ** 2))

# %% wrong="4.6.D" why="one-sided" breaks="one" says="Within means two-sided"
def shared_size(t, delta, k):
    return math.ceil(math.log(k / delta) / (2 * t ** 2))

# %% wrong="4.6.D" why="k is ignored" breaks="many" says="for a single classifier"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / delta) / (2 * t ** 2))

# %% wrong="4.6.D" why="not rounded" breaks="whole number" says="Round up to the next whole number"
def shared_size(t, delta, k):
    return math.log(2 * k / delta) / (2 * t ** 2)

# %% wrong="4.6.D" why="rounded down" breaks="whole number" says="Round up: with one example fewer"
def shared_size(t, delta, k):
    return int(math.log(2 * k / delta) / (2 * t ** 2))

# %% wrong="4.6.D" why="failures taken as independent" breaks="many" says="as independent"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / (1 - (1 - delta) ** (1 / k))) / (2 * t ** 2))

# %% wrong="4.6.D" why="2^k classifiers" breaks="many" says="This counts 2^k classifiers"
def shared_size(t, delta, k):
    return math.ceil((math.log(2 / delta) + (k - 1) * math.log(2)) / (2 * t ** 2))

# %% wrong="4.6.D" why="a product of logarithms" breaks="one" says="not a product of two logarithms"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / delta) * math.log(2 * k) / (2 * t ** 2))

# %% wrong="4.6.D" why="delta to the power k" breaks="many" says="not δ to the power k"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / delta ** k) / (2 * t ** 2))

# %% wrong="4.6.D" why="delta times k" breaks="many" says="not k · δ"
def shared_size(t, delta, k):
    return max(1, math.ceil(math.log(2 / (delta * k)) / (2 * t ** 2)))

# %% wrong="4.6.D" why="1 - δ divided by k" breaks="many" says="not 1 - δ"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / (1 - (1 - delta) / k)) / (2 * t ** 2))

# %% wrong="4.6.D" why="n divided by k" breaks="many" says="n is not divided by k"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / delta) / (2 * t ** 2) / k)

# %% wrong="4.6.D" why="t divided by k" breaks="many" says="δ is what they share"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / delta) / (2 * (t / k) ** 2))

# %% wrong="4.6.D" why="two parts rounded up" breaks="whole number" says="round up once"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / delta) / (2 * t ** 2)) + math.ceil(math.log(k) / (2 * t ** 2))

# %% wrong="4.6.D" why="the normal distribution" breaks="one" says="use Hoeffding's inequality"
def shared_size(t, delta, k):
    return math.ceil((NormalDist().inv_cdf(1 - delta / (2 * k)) / (2 * t)) ** 2)

# %% right="4.6.2a" how="running count: each answer stays if it helped"
def steal_labels(ask, n):
    answers = torch.zeros(n, dtype=torch.int64)
    wrong = round(n * ask(answers))
    for i in range(n - 1):
        answers[i] = 1
        now = round(n * ask(answers))
        if now > wrong:
            answers[i] = 0
        else:
            wrong = now
    answers[-1] = wrong
    return answers

# %% right="4.6.2a" how="from all ones, the last label from the total"
def steal_labels(ask, n):
    base = n * ask(torch.ones(n, dtype=torch.int64))
    found = []
    for i in range(n - 1):
        answers = torch.ones(n, dtype=torch.int64)
        answers[i] = 0
        found.append(1 if n * ask(answers) > base else 0)
    zeros = round(base)
    found.append(1 if found.count(0) == zeros else 0)
    return torch.tensor(found)

# %% right="4.6.2a" how="halves: asks again only where a group is mixed"
def steal_labels(ask, n):
    labels = torch.zeros(n, dtype=torch.int64)
    base = round(n * ask(torch.zeros(n, dtype=torch.int64)))

    def split(start, stop, ones):
        if ones == 0:
            return
        if ones == stop - start:
            labels[start:stop] = 1
            return
        middle = (start + stop) // 2
        answers = torch.zeros(n, dtype=torch.int64)
        answers[start:middle] = 1
        left = (base - round(n * ask(answers)) + middle - start) // 2
        split(start, middle, left)
        split(middle, stop, ones - left)

    split(0, n, base)
    return labels

# %% wrong="4.6.2a" why="n + 1 questions" breaks="at most n questions" says="at most 5 question(s); yours took 6"
def steal_labels(ask, n):
    base = ask(torch.zeros(n, dtype=torch.int64))
    return torch.tensor([int(ask(torch.eye(n, dtype=torch.int64)[i]) < base) for i in range(n)])

# %% wrong="4.6.2a" why="the last label is left 0" breaks="labels" says="The last label is wrong"
def steal_labels(ask, n):
    base = ask(torch.zeros(n, dtype=torch.int64))
    found = [int(ask(torch.eye(n, dtype=torch.int64)[i]) < base) for i in range(n - 1)]
    return torch.tensor(found + [0])

# %% wrong="4.6.2a" why="exchanges 0 and 1" breaks="labels" says="0 and 1 are exchanged"
def steal_labels(ask, n):
    ones = round(n * ask(torch.zeros(n, dtype=torch.int64)))
    found = [int(round(n * ask(torch.eye(n, dtype=torch.int64)[i])) > ones) for i in range(n - 1)]
    return torch.tensor(found + [1 - (ones - sum(1 - f for f in found))])

# %% wrong="4.6.2a" why="two questions for each example" breaks="at most n questions" says="question(s); yours took"
def steal_labels(ask, n):
    found = []
    for i in range(n):
        answers = torch.zeros(n, dtype=torch.int64)
        low = ask(answers)
        answers[i] = 1
        found.append(int(ask(answers) < low))
    return torch.tensor(found)

# %% wrong="4.6.2a" why="cuts off the decimals of 0.99999" breaks="labels" says="not cut off by `int`"
def steal_labels(ask, n):
    labels = torch.zeros(n, dtype=torch.int64)
    ones = int(n * ask(labels))
    for i in range(n - 1):
        answers = torch.zeros(n, dtype=torch.int64)
        answers[i] = 1
        labels[i] = int(n * ask(answers)) < ones
    labels[-1] = ones - labels.sum()
    return labels

# %% wrong="4.6.2a" why="truth values" breaks="labels" says="wrong dtype: got bool"
def steal_labels(ask, n):
    base = ask(torch.zeros(n, dtype=torch.int64))
    found = [ask(torch.eye(n, dtype=torch.int64)[i]) < base for i in range(n - 1)]
    return torch.tensor([*found, round(n * base) - sum(found) == 1])

# %% wrong="4.6.2a" why="votes by chance" breaks="labels" says="as stolen"
def steal_labels(ask, n):
    rng = torch.Generator().manual_seed(0)
    votes = torch.zeros(n)
    for _ in range(n):
        answers = torch.randint(2, (n,), generator=rng)
        votes += (2 * answers - 1) * (1 if ask(answers) < 0.5 else -1)
    return (votes > 0).long()

# %% wrong="4.6.2a" why="an answer that is never right, for those it does not ask about" breaks="at most n questions" says="ask takes 0 or 1"
def steal_labels(ask, n):
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n):
        answers = torch.full((n,), 2)
        answers[i] = 1
        labels[i] = int(ask(answers) < 1)
    return labels

# %% wrong="4.6.2a" why="the smallest of the errors, without a first answer" breaks="labels" says="It is what is concluded from this"
def steal_labels(ask, n):
    errors = torch.tensor([ask(row) for row in torch.eye(n, dtype=torch.int64)])
    return (errors == errors.min()).long()

# %% wrong="4.6.2a" why="floats compared for equality" breaks="labels" says="floating-point numbers are a little off"
def steal_labels(ask, n):
    base, labels = ask(torch.zeros(n, dtype=torch.int64)), torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        guess = torch.zeros(n, dtype=torch.int64)
        guess[i] = 1
        labels[i] = int(ask(guess) == base - 1 / n)
    labels[-1] = round(n * base) - labels.sum()
    return labels

# %% wrong="4.6.2a" why="asks about pairs" breaks="labels" says="they cannot tell the two apart"
def steal_labels(ask, n):
    labels, ones = torch.zeros(n, dtype=torch.int64), round(n * ask(torch.zeros(n, dtype=torch.int64)))
    for i in range(0, n - 1, 2):
        guess = torch.zeros(n, dtype=torch.int64)
        guess[i:i + 2] = 1
        gain = ones - round(n * ask(guess))
        labels[i:i + 2] = torch.tensor([int(gain >= 0), int(gain > 0)])
    if n % 2:
        labels[-1] = ones - labels.sum()
    return labels

# %% wrong="4.6.2a" why="a single label is guessed" breaks="labels" says="The last label is guessed"
def steal_labels(ask, n):
    labels = torch.ones(n, dtype=torch.int64)
    if n > 1:
        ones = round(n * ask(torch.zeros(n, dtype=torch.int64)))
        for i in range(n - 1):
            labels[i] = round(n * ask(torch.eye(n, dtype=torch.int64)[i])) < ones
        labels[-1] = ones - labels[:-1].sum()
    return labels

# %% wrong="4.6.2a" why="leaves out the examples after the first hundred" breaks="labels" says="each must follow from the answers for certain"
def steal_labels(ask, n):
    labels = torch.zeros(n, dtype=torch.int64)
    ones = round(n * ask(labels))
    for i in range(min(n - 1, 100)):
        labels[i] = round(n * ask(torch.eye(n, dtype=torch.int64)[i])) < ones
    labels[-1] = ones - labels[:-1].sum()
    return labels

# %% right="4.6.2b" how="counts up"
def least_questions(n):
    k = 0
    while (n + 1) ** k < 2 ** n:
        k += 1
    return k

# %% right="4.6.2b" how="natural logarithms"
def least_questions(n):
    return math.ceil(n * math.log(2) / math.log(n + 1) - 1e-12)

# %% wrong="4.6.2b" why="not rounded" breaks="smallest" says="Round up to a whole number"
def least_questions(n):
    return n / math.log2(n + 1)

# %% wrong="4.6.2b" why="rounded down" breaks="enough cases" says="One too few: round up"
def least_questions(n):
    return int(n / math.log2(n + 1))

# %% wrong="4.6.2b" why="each answer is right or wrong" breaks="smallest" says="not of two"
def least_questions(n):
    return n

# %% wrong="4.6.2b" why="k times n + 1 cases" breaks="smallest" says="not k times n + 1"
def least_questions(n):
    return -(-2 ** n // (n + 1))

# %% wrong="4.6.2b" why="tensors overflow" breaks="enough cases" says="do tensors of int64 overflow"
def least_questions(n):
    k = 1
    while torch.tensor(n + 1) ** k < torch.tensor(2) ** n:
        k += 1
    return k

# %% wrong="4.6.2b" why="more cases than labellings" breaks="smallest" says="just as many cases will do"
def least_questions(n):
    k = 1
    while (n + 1) ** k <= 2 ** n:
        k += 1
    return k

# %% wrong="4.6.2b" why="always one more" breaks="smallest" says="One fewer is enough"
def least_questions(n):
    return int(n / math.log2(n + 1)) + 2

# %% wrong="4.6.2b" why="logarithm of n alone" breaks="enough cases" says="This is one logarithm alone"
def least_questions(n):
    return math.ceil(math.log2(n + 1))

# %% wrong="4.6.2b" why="rounded down, plus one" breaks="smallest" says="just as many cases will do"
def least_questions(n):
    return int(n / math.log2(n + 1)) + 1

# %% wrong="4.6.2b" why="n values of an answer" breaks="smallest" says="not of n,"
def least_questions(n):
    return math.ceil(n / math.log2(n)) if n > 3 else math.ceil(n / math.log2(n + 1))

# %% wrong="4.6.2b" why="2^(n + 1) labellings" breaks="smallest" says="and there are 2^n labellings"
def least_questions(n):
    return math.ceil((n + 1) / math.log2(n + 1)) if n > 3 else math.ceil(n / math.log2(n + 1))

# %% wrong="4.6.2b" why="two bases" breaks="smallest" says="need the same base"
def least_questions(n):
    return math.ceil(n / math.log(n + 1))

# %% wrong="4.6.2b" why="what known plans take" breaks="smallest" says="what known plans take"
def least_questions(n):
    return math.ceil(2 * n / math.log2(n + 1))

# %% wrong="4.6.2b" why="float overflow" breaks="smallest" says="too large for a float"
def least_questions(n):
    k = 1
    while math.pow(n + 1, k) < math.pow(2, n):
        k += 1
    return k

# %% wrong="4.6.2b" why="k starts at 2" breaks="smallest" says="k = 1 is enough"
def least_questions(n):
    k = 1
    while True:
        k += 1
        if (n + 1) ** k >= 2 ** n:
            return k

# %% right="4.6.5" how="keeps a number"
def board(errors, step):
    current, shown = math.inf, []
    for error in errors:
        if current - error > step:
            current = error
        shown.append(current)
    return shown

# %% right="4.6.5" how="a tuple by accumulate"
def board(errors, step):
    return tuple(itertools.accumulate(errors, lambda shown, new: new if new < shown - step else shown))

# %% wrong="4.6.5" why="the running minimum" breaks="silence" says="stays unseen"
def board(errors, step):
    return list(itertools.accumulate(errors, min))

# %% wrong="4.6.5" why="compares with the error before" breaks="silence" says="not with the error before"
def board(errors, step):
    shown = errors[:1]
    for before, error in zip(errors, errors[1:]):
        shown = shown + [error if error < before - step else shown[-1]]
    return shown

# %% wrong="4.6.5" why="exactly the step counts" breaks="silence" says="Lower by exactly the step"
def board(errors, step):
    return list(itertools.accumulate(errors, lambda shown, new: new if new <= shown - step else shown))

# %% wrong="4.6.5" why="publishes the board less the step" breaks="improvement" says="The new error itself"
def board(errors, step):
    return list(itertools.accumulate(errors, lambda shown, new: shown - step if new < shown - step else shown))

# %% wrong="4.6.5" why="higher is better" breaks="improvement" says="An improvement is an error that is lower"
def board(errors, step):
    return list(itertools.accumulate(errors, lambda shown, new: new if new > shown + step else shown))

# %% wrong="4.6.5" why="the first score must beat 1 by the step" breaks="first" says="it is not compared with 1."
def board(errors, step):
    current, shown = 1.0, []
    for error in errors:
        if error < current - step:
            current = error
        shown.append(current)
    return shown

# %% wrong="4.6.5" why="overwrites the list" breaks="argument kept" says="begin a list of its own"
def board(errors, step):
    for i in range(1, len(errors)):
        if not errors[i] < errors[i - 1] - step:
            errors[i] = errors[i - 1]
    return errors

# %% wrong="4.6.5" why="compares with the lowest error that came in" breaks="silence" says="not with the lowest error that came in"
def board(errors, step):
    shown, lowest = [], math.inf
    for error in errors:
        shown.append(error if lowest - error > step else shown[-1])
        lowest = min(lowest, error)
    return shown

# %% wrong="4.6.5" why="the step is a share of the board" breaks="silence" says="it is not a share of the board"
def board(errors, step):
    return list(itertools.accumulate(errors, lambda shown, new: new if new < shown * (1 - step) else shown))

# %% wrong="4.6.5" why="any change of more than the step" breaks="silence" says="A higher error is no improvement"
def board(errors, step):
    return list(itertools.accumulate(errors, lambda shown, new: new if abs(shown - new) > step else shown))

# %% wrong="4.6.5" why="steps below 0.01 are taken as 0.01" breaks="improvement" says="beats the board by more"
def board(errors, step):
    return list(itertools.accumulate(errors, lambda shown, new: new if new < shown - max(step, 0.01) else shown))

# %% wrong="4.6.5" why="a margin of one in a thousand" breaks="improvement" says="without a margin"
def board(errors, step):
    shown = []
    for error in errors:
        shown.append(error if not shown or shown[-1] - error > step + 0.001 or error == shown[-1] else shown[-1])
    return shown

# %% wrong="4.6.5" why="compares with the first error for ever" breaks="silence" says="not with the first error"
def board(errors, step):
    shown = []
    for error in errors:
        shown.append(error if not shown or error < errors[0] - step else shown[-1])
    return shown

# %% wrong="4.6.5" why="None where nothing is new" breaks="silence" says="the old number stands there again"
def board(errors, step):
    now, shown = math.inf, []
    for error in errors:
        shown.append(error if error < now - step else None)
        now = error if error < now - step else now
    return shown

# %% wrong="4.6.5" why="publishes multiples of the step" breaks="improvement" says="not rounded to steps"
def board(errors, step):
    shown = [errors[0]]
    for error in errors[1:]:
        shown.append((round(error / step) * step if step else error) if error < shown[-1] - step else shown[-1])
    return shown

# %% wrong="4.6.5" why="three numbers at most are published" breaks="improvement" says="All eight are improvements"
def board(errors, step):
    shown = []
    for error in errors:
        better = not shown or error < shown[-1] - step and len(set(shown)) < 3
        shown.append(error if better else shown[-1])
    return shown

# %% wrong="4.6.5" why="only what is new" breaks="first" says="One entry for each error"
def board(errors, step):
    shown = errors[:1]
    for error in errors[1:]:
        if error < shown[-1] - step:
            shown = shown + [error]
    return shown

# %% wrong="4.6.5" why="the first error rounded" breaks="first" says="The first error is published as it is"
def board(errors, step):
    return list(itertools.accumulate([round(errors[0], 2), *errors[1:]], lambda shown, new: new if new < shown - step else shown))

# %% wrong="4.6.5" why="in falling order" breaks="silence" says="do not sort them"
def board(errors, step):
    return list(itertools.accumulate(sorted(errors, reverse=True), lambda shown, new: new if new < shown - step else shown))

# %% right="4.6.E" how="pairs of ends, by math.comb"
def interval_labellings(n):
    return math.comb(n + 1, 2) + 1

# %% right="4.6.E" how="brute force"
def interval_labellings(n):
    return len({tuple(a <= i < b for i in range(n)) for a in range(n + 1) for b in range(a, n + 1)})

# %% wrong="4.6.E" why="without the empty labelling" breaks="none" says="Are both counted"
def interval_labellings(n):
    return n * (n + 1) // 2

# %% wrong="4.6.E" why="all labellings" breaks="count" says="a no and a yes again"
def interval_labellings(n):
    return 2 ** n

# %% wrong="4.6.E" why="rays" breaks="count" says="This counts rays"
def interval_labellings(n):
    return n + 1

# %% wrong="4.6.E" why="all pairs of gaps, the empty ones many times" breaks="none" says="count it once"
def interval_labellings(n):
    return (n + 1) * (n + 2) // 2

# %% wrong="4.6.E" why="intervals of two points at least" breaks="count" says="may be a single point"
def interval_labellings(n):
    return n * (n - 1) // 2 + 1 if n > 2 else 2 * n

# %% wrong="4.6.E" why="rows of one, of two, and of all" breaks="count" says="Rows of three neighbours"
def interval_labellings(n):
    return min(1 + n + (n - 1) + 1, n * (n + 1) // 2 + 1)

# %% wrong="4.6.E" why="lines in the plane" breaks="count" says="lines in the plane"
def interval_labellings(n):
    return n ** 2 - n + 2

# %% wrong="4.6.E" why="both orders of the two ends" breaks="count" says="counted twice"
def interval_labellings(n):
    return n * (n + 1) + 1

# %% wrong="4.6.E" why="rows of seven at most" breaks="count" says="Rows of 1, 2"
def interval_labellings(n):
    return 1 + sum(n - length + 1 for length in range(1, min(n, 7) + 1))

# %% right="4.6.3a" how="torch.vander, turned around"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.vander(x, 6, increasing=True), labels.to(x.dtype))

# %% right="4.6.3a" how="a product of the zeros between neighbours"
def quintic_for(x, labels):
    order = x.argsort()
    x, labels = x[order], labels[order]
    c = torch.zeros(6, dtype=torch.float64)
    c[0] = 1.0
    for i in range(5):
        if labels[i] != labels[i + 1]:
            zero = (x[i] + x[i + 1]) / 2
            c = torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]]) - zero * c
    sign = torch.sign(sum(c[p] * x[0] ** p for p in range(6))) * labels[0]
    return c * sign

# %% wrong="4.6.3a" why="highest power first" breaks="signs" says="The lowest power comes first"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(5, -1, -1)], dim=1), labels.double())

# %% wrong="4.6.3a" why="degree 4 by least squares" breaks="coefficients" says="shape of the coefficients"
def quintic_for(x, labels):
    return torch.linalg.lstsq(torch.stack([x ** p for p in range(5)], dim=1), labels.double()[:, None]).solution[:, 0]

# %% wrong="4.6.3a" why="a column" breaks="coefficients" says="shape of the coefficients"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels.double()[:, None])

# %% wrong="4.6.3a" why="assumes the places 0 to 5" breaks="signs" says="use the places that are given"
def quintic_for(x, labels):
    x = torch.arange(6, dtype=torch.float64)
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels.double())

# %% wrong="4.6.3a" why="the transposed matrix" breaks="signs" says="The matrix is transposed"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)]), labels.double())

# %% wrong="4.6.3a" why="sorts the places, not the labels" breaks="signs" says="the labels must go with it"
def quintic_for(x, labels):
    x = x.sort().values
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels)

# %% wrong="4.6.3a" why="zeros between neighbours in the order given" breaks="signs" says="are not neighbours on the line"
def quintic_for(x, labels):
    c = torch.zeros(6, dtype=torch.float64)
    c[0] = labels[0]
    for i in range(5):
        if labels[i] != labels[i + 1]:
            c = (x[i] + x[i + 1]) / 2 * c - torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]])
    return c if x[0] < x[-1] else -c

# %% wrong="4.6.3a" why="degree 4, a zero for x^5" breaks="signs" says="The power 5 is never used"
def quintic_for(x, labels):
    c = torch.linalg.lstsq(torch.stack([x ** p for p in range(5)], dim=1), labels[:, None]).solution[:, 0]
    return torch.cat([c, torch.zeros(1, dtype=torch.float64)])

# %% wrong="4.6.3a" why="powers 1 to 6" breaks="signs" says="not 1 to 6"
def quintic_for(x, labels):
    return torch.linalg.lstsq(torch.stack([x ** p for p in range(1, 7)], dim=1), labels[:, None]).solution[:, 0]

# %% wrong="4.6.3a" why="divided by the highest coefficient" breaks="signs" says="c₅ is 1 for all labels"
def quintic_for(x, labels):
    c = torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels)
    return c / c[5]

# %% wrong="4.6.3a" why="two digits" breaks="signs" says="with all their digits"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels).round(decimals=2)

# %% wrong="4.6.3a" why="zeros at the places themselves" breaks="signs" says="0 is neither sign"
def quintic_for(x, labels):
    c = torch.tensor([1.0, 0, 0, 0, 0, 0], dtype=torch.float64)
    for place in x[:5]:
        c = c.roll(1) - place * c
    return c * labels[5]

# %% wrong="4.6.3a" why="0 in place of -1" breaks="signs" says="0 where it should be negative"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), (labels > 0).double())

# %% wrong="4.6.3a" why="places moved to 0..1" breaks="signs" says="moved or rescaled places"
def quintic_for(x, labels):
    x = (x - x.min()) / (x.max() - x.min())
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels)

# %% right="4.6.3b" how="made with dict and a count"
dimensions = dict(line=2, quintic=6, even=len((0, 2, 4)), pure=1, plane=math.comb(4, 2))

# %% wrong="4.6.3b" why="the degree" breaks="all powers" says="the constant is one of them"
dimensions = {"line": 1, "quintic": 5, "even": 3, "pure": 1, "plane": 6}

# %% wrong="4.6.3b" why="degree plus one everywhere" breaks="some powers" says="lacks the other powers"
dimensions = {"line": 2, "quintic": 6, "even": 5, "pure": 6, "plane": 6}

# %% wrong="4.6.3b" why="two points for the pure power" breaks="some powers" says="for two points there are four labellings"
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": 2, "plane": 6}

# %% wrong="4.6.3b" why="degree plus one in two variables" breaks="two variables" says="the number for one variable"
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": 1, "plane": 3}

# %% wrong="4.6.3b" why="the mixed term is forgotten" breaks="two variables" says="One function is not counted"
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": 1, "plane": 5}

# %% wrong="4.6.3b" why="one point too many" breaks="all powers" says="yes, no, yes is out of reach"
dimensions = {"line": 3, "quintic": 7, "even": 3, "pure": 1, "plane": 6}

# %% wrong="4.6.3b" why="the degree of the quintic" breaks="all powers" says="This is the degree"
dimensions = {"line": 2, "quintic": 5, "even": 3, "pure": 1, "plane": 6}

# %% wrong="4.6.3b" why="degree plus one for the even powers" breaks="some powers" says="lacks the odd powers"
dimensions = {"line": 2, "quintic": 6, "even": 5, "pure": 1, "plane": 6}

# %% wrong="4.6.3b" why="all products of three powers" breaks="two variables" says="have a degree above 2"
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": 1, "plane": 9}

# %% wrong="4.6.3b" why="points and their mirror images" breaks="some powers" says="not again for the mirror images"
dimensions = {"line": 2, "quintic": 6, "even": 6, "pure": 1, "plane": 6}

# %% right="4.6.4a" how="sets of labellings from all rectangles with sides at the coordinates"
def shattered(points):
    found = {(False,) * len(points)}
    xs, ys = points[:, 0].tolist(), points[:, 1].tolist()
    for left in xs:
        for right in xs:
            for low in ys:
                for high in ys:
                    found.add(tuple(left <= x <= right and low <= y <= high for x, y in zip(xs, ys)))
    return len(found) == 2 ** len(points)

# %% right="4.6.4a" how="no point lies in the rectangle around the others"
def shattered(points):
    for i in range(len(points)):
        others = torch.cat([points[:i], points[i + 1:]])
        if len(others) and (others.min(0).values <= points[i]).all() and (points[i] <= others.max(0).values).all():
            return False
    return True

# %% right="4.6.4a" how="no third point lies in the rectangle of two: that is enough"
def shattered(points):
    for i in range(len(points)):
        for j in range(i):
            low, high = torch.minimum(points[i], points[j]), torch.maximum(points[i], points[j])
            for k in range(len(points)):
                if k not in (i, j) and ((points[k] >= low) & (points[k] <= high)).all():
                    return False
    return True

# %% wrong="4.6.4a" why="four points or fewer" breaks="no" says="holds the third"
def shattered(points):
    return len(points) <= 4

# %% wrong="4.6.4a" why="the labelling without a yes is out of reach" breaks="yes" says="no yes at all by a rectangle beside it"
def shattered(points):
    found = set()
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any():
            low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
            found.add(tuple(((points >= low) & (points <= high)).all(dim=1).tolist()))
    return len(found) == 2 ** len(points)

# %% wrong="4.6.4a" why="the border is outside" breaks="no" says="corners of a square"
def shattered(points):
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any():
            low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
            if (((points > low) & (points < high)).all(dim=1) & ~yes).any():
                return False
    return True

# %% wrong="4.6.4a" why="the x coordinate only" breaks="yes" says="in x and in y"
def shattered(points):
    x = points[:, 0]
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any() and not torch.equal((x >= x[yes].min()) & (x <= x[yes].max()), yes):
            return False
    return True

# %% wrong="4.6.4a" why="stops after the first labelling" breaks="no" says="holds the third"
def shattered(points):
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any():
            low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
            return torch.equal(((points >= low) & (points <= high)).all(dim=1), yes)

# %% wrong="4.6.4a" why="no labelling without a yes in mind" breaks="yes" says="pass it over"
def shattered(points):
    n = len(points)
    for row in range(2 ** n):
        yes = torch.tensor([bool(row >> i & 1) for i in range(n)])
        box = points[yes].amin(dim=0), points[yes].amax(dim=0)
        if (((points >= box[0]) & (points <= box[1])).all(dim=1) & ~yes).any():
            return False
    return True

# %% right="4.6.4a" how="NumPy's truth value"
def shattered(points):
    p = points.numpy()
    alone = [not ((p[i] >= rest.min(0)) & (p[i] <= rest.max(0))).all() for i in range(len(p)) for rest in [p[[j for j in range(len(p)) if j != i]]] if len(rest)]
    return __import__("numpy").all(alone)

# %% wrong="4.6.4a" why="returns 1 or 0" breaks="type" says="wrong type"
def shattered(points):
    for i in range(len(points)):
        others = torch.cat([points[:i], points[i + 1:]])
        if len(others) and (others.min(0).values <= points[i]).all() and (points[i] <= others.max(0).values).all():
            return 0
    return 1

# %% wrong="4.6.4a" why="each point is the first smallest or largest in a coordinate" breaks="no" says="is not beyond them"
def shattered(points):
    rows = set(points.argmin(dim=0).tolist() + points.argmax(dim=0).tolist())
    return len(rows) == len(points)

# %% wrong="4.6.4a" why="each point has a smallest or largest coordinate" breaks="no" says="corners of a square"
def shattered(points):
    low, high = points.min(dim=0).values, points.max(dim=0).values
    return bool(((points == low) | (points == high)).any(dim=1).all())

# %% wrong="4.6.4a" why="asks about some points only" breaks="no" says="look at every point"
def shattered(points):
    for i in {0, len(points) // 2, len(points) - 1}:
        others = torch.cat([points[:i], points[i + 1:]])
        if len(others) and bool(((others.min(0).values <= points[i]) & (points[i] <= others.max(0).values)).all()):
            return False
    return len(points) < 5

# %% wrong="4.6.4a" why="squares in place of rectangles" breaks="yes" says="four points around the origin"
def shattered(points):
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any():
            low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
            side = (high - low).max()
            if (((points >= low) & (points <= low + side)).all(dim=1) & ~yes).any():
                return False
    return True

# %% wrong="4.6.4a" why="three points or fewer" breaks="no" says="holds the third"
def shattered(points):
    return len(points) <= 3

# %% right="4.6.4b" how="every point on the border of the rectangle around all, then the first of each side"
largest_set = torch.tensor([[0, 3], [4, 1], [1, -2], [-3, 0]])

def out_of_reach(points):
    chosen = {min(range(len(points)), key=lambda i: points[i, axis]) for axis in (0, 1)}
    chosen |= {max(range(len(points)), key=lambda i: points[i, axis]) for axis in (0, 1)}
    return torch.tensor([i in chosen for i in range(len(points))])

# %% right="4.6.4b" how="leaves out one point that lies in the rectangle around the others"
largest_set = 5 + torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]], dtype=torch.float64)

def out_of_reach(points):
    for i in range(len(points)):
        yes = torch.arange(len(points)) != i
        low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
        if ((points[i] >= low) & (points[i] <= high)).all():
            return yes

# %% wrong="4.6.4b" why="the corners of a square" breaks="some set" says="rectangles can give the points of largest_set"
largest_set = torch.tensor([[0., 0.], [1., 0.], [0., 1.], [1., 1.]])

def out_of_reach(points):
    yes = torch.zeros(len(points), dtype=torch.bool)
    yes[points.argmin(dim=0)] = True
    yes[points.argmax(dim=0)] = True
    return yes

# %% wrong="4.6.4b" why="only three points" breaks="some set" says="there is no larger set"
largest_set = torch.tensor([[0., 0.], [2., 1.], [1., 3.]])

def out_of_reach(points):
    yes = torch.zeros(len(points), dtype=torch.bool)
    yes[points.argmin(dim=0)] = True
    yes[points.argmax(dim=0)] = True
    return yes

# %% wrong="4.6.4b" why="yes and no in turn" breaks="every larger set" says="no rectangle produces the labels"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    return torch.arange(len(points)) % 2 == 0

# %% wrong="4.6.4b" why="all points with the smallest or largest coordinates" breaks="every larger set" says="With yes for all"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    low, high = points.min(dim=0).values, points.max(dim=0).values
    return ((points == low) | (points == high)).any(dim=1)

# %% wrong="4.6.4b" why="yes and no exchanged" breaks="every larger set" says="no rectangle produces the labels"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    no = torch.ones(len(points), dtype=torch.bool)
    no[points.argmin(dim=0)] = False
    no[points.argmax(dim=0)] = False
    return no

# %% wrong="4.6.4b" why="numbers in place of truth values" breaks="form" says="the dtype for a cross"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    yes = torch.zeros(len(points))
    yes[points.argmin(dim=0)] = 1
    yes[points.argmax(dim=0)] = 1
    return yes

# %% wrong="4.6.4b" why="row numbers in place of truth values" breaks="form" says="the shape for a cross"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    return torch.cat([points.argmin(dim=0), points.argmax(dim=0)]).unique()[:3]

# %% wrong="4.6.4b" why="the leftmost and the rightmost only" breaks="every larger set" says="six points above each other"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    yes = torch.zeros(len(points), dtype=torch.bool)
    yes[points[:, 0].argmin()] = True
    yes[points[:, 0].argmax()] = True
    return yes

# %% right="4.6.4b" how="two points with a third between them"
largest_set = torch.tensor([[0.3, 7.0], [2.0, 0.1], [-0.2, -5.0], [-1.0, 0.2]], dtype=torch.float64)

def out_of_reach(points):
    for a, b in itertools.combinations(range(len(points)), 2):
        low, high = torch.minimum(points[a], points[b]), torch.maximum(points[a], points[b])
        if int(((points >= low) & (points <= high)).all(dim=1).sum()) > 2:
            return torch.tensor([i in (a, b) for i in range(len(points))])

# %% wrong="4.6.4b" why="no for the point nearest to the mean" breaks="every larger set" says="it must hold a no"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    yes = torch.ones(len(points), dtype=torch.bool)
    yes[(points - points.mean(dim=0)).norm(dim=1).argmin()] = False
    return yes

# %% wrong="4.6.4b" why="in turn from left to right" breaks="every larger set" says="it must hold a no"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    yes = torch.zeros(len(points), dtype=torch.bool)
    yes[points[:, 0].argsort()[::2]] = True
    return yes

# %% wrong="4.6.4b" why="yes for all" breaks="every larger set" says="With yes for all"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    return torch.ones(len(points), dtype=torch.bool)

# %% wrong="4.6.4b" why="a list of truth values" breaks="form" says="wrong type"
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    chosen = set(points.argmin(dim=0).tolist() + points.argmax(dim=0).tolist())
    return [i in chosen for i in range(len(points))]

# %% wrong="4.6.4b" why="five points" breaks="some set" says="holds one with False"
largest_set = torch.tensor([[0., 2.], [2., 0.], [0., -2.], [-2., 0.], [1., 1.]])

def out_of_reach(points):
    yes = torch.zeros(len(points), dtype=torch.bool)
    yes[points.argmin(dim=0)] = True
    yes[points.argmax(dim=0)] = True
    return yes

# %% wrong="4.6.B" why="z rounded to two places" breaks="one side" says="rounded too early"
def unusual_distance(deviation, delta, sides):
    return deviation * round(NormalDist().inv_cdf(1 - delta / sides), 2)

# %% wrong="4.6.B" why="deviation given as the mean" breaks="one side" says="as if it were the mean"
def unusual_distance(deviation, delta, sides):
    return NormalDist(deviation).inv_cdf(1 - delta / sides)

# %% wrong="4.6.1a" why="two sides double n" breaks="sides" says="do not double n"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta)
    return math.ceil(sides * z ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="two sides halve z" breaks="sides" says="halve delta, not z"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta) / sides
    return math.ceil(z ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.C" why="the smaller of Chebyshev's and Hoeffding's" breaks="bound" says="Chebyshev's bound"
def hoeffding_bound(n, t, sides):
    return min(1, sides * math.exp(-2 * n * t ** 2), 1 / (4 * n * t * t))

# %% wrong="4.6.C" why="the two sides as if they were independent" breaks="bound" says="nothing is taken away"
def hoeffding_bound(n, t, sides):
    return 1 - (1 - math.exp(-2 * n * t ** 2)) ** sides

# %% wrong="4.6.C" why="sides in the exponent" breaks="bound" says="where the 2 belongs"
def hoeffding_bound(n, t, sides):
    return min(1.0, math.exp(-sides * n * t ** 2))

# %% wrong="4.6.1c" why="numbers in millions" breaks="Hoeffding" says="not in thousands or millions"
L1, L2 = math.log(1 / 0.001), math.log(2 / 0.001)
z1, z2 = NormalDist().inv_cdf(0.999), NormalDist().inv_cdf(0.9995)
t = 0.0001
sizes = [345.4, 380.0, 238.7, 270.7]

# %% wrong="4.6.D" why="counts pairs of classifiers" breaks="many" says="not one for each pair"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 * max(1, k * (k - 1) / 2) / delta) / (2 * t ** 2))

# %% wrong="4.6.D" why="root k times as many" breaks="many" says="no √k times"
def shared_size(t, delta, k):
    return math.ceil(math.sqrt(k) * math.log(2 / delta) / (2 * t ** 2))

# %% wrong="4.6.D" why="k outside the logarithm" breaks="many" says="k multiplies the logarithm here"
def shared_size(t, delta, k):
    return math.ceil(k * math.log(2 / delta) / (2 * t ** 2))

# %% wrong="4.6.2a" why="changed answers are kept, compared with the first error" breaks="labels" says="neither 0 nor 1"
def steal_labels(ask, n):
    answers = torch.zeros(n, dtype=torch.int64)
    wrong = round(n * ask(answers))
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        answers[i] = 1
        now = round(n * ask(answers))
        labels[i] = 1 if now < wrong else 0
    labels[n - 1] = wrong - int(labels[:n - 1].sum())
    return labels

# %% wrong="4.6.2a" why="a difference below 0.01 goes unnoticed" breaks="labels" says="moves the error by only 1/120"
def steal_labels(ask, n):
    answers = torch.zeros(n, dtype=torch.int64)
    wrong = ask(answers)
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        answers[i] = 1
        now = ask(answers)
        labels[i] = 1 if now < wrong - 0.01 else 0
        answers[i] = 0
    labels[n - 1] = round(n * wrong) - int(labels[:n - 1].sum())
    return labels

# %% wrong="4.6.2a" why="a threshold too coarse for hundreds" breaks="labels" says="moves the error by only 1/400"
def steal_labels(ask, n):
    base = ask(torch.zeros(n, dtype=torch.int64))
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        answers = torch.zeros(n, dtype=torch.int64)
        answers[i] = 1
        labels[i] = int(base - ask(answers) > 0.005)
    labels[n - 1] = int(base * n + 0.5) - int(labels.sum())
    return labels

# %% wrong="4.6.5" why="rounded to the step" breaks="first" says="not rounded to steps"
def board(errors, step):
    shown = []
    for error in errors:
        error = round(error / step) * step
        if not shown or error < shown[-1] - step:
            shown.append(error)
        else:
            shown.append(shown[-1])
    return shown

# %% wrong="4.6.E" why="yes for all counted twice" breaks="count" says="One too many"
def interval_labellings(n):
    return math.comb(n + 1, 2) + 2

# %% wrong="4.6.E" why="labels the other way round are counted, too" breaks="count" says="the other way round"
def interval_labellings(n):
    return n * (n + 1)  if n > 1 else 2

# %% wrong="4.6.E" why="right up to three points, then a table's guess" breaks="count" says="Yours are right up to 4 points"
def interval_labellings(n):
    return {1: 2, 2: 4, 3: 7}.get(n, 4 * n - 5)

# %% wrong="4.6.3a" why="the matrix times the labels" breaks="signs" says="the product of the matrix and the labels"
def quintic_for(x, labels):
    return torch.stack([x ** p for p in range(6)], dim=1) @ labels

# %% right="4.6.4a" how="every pair of points against every third"
def shattered(points):
    n = len(points)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if len({i, j, k}) == 3 and bool(((points[k] >= torch.minimum(points[i], points[j])) & (points[k] <= torch.maximum(points[i], points[j]))).all()):
                    return False
    return True

# %% wrong="4.6.4a" why="an extreme shared with others is enough" breaks="no" says="not enough to share the largest x"
def shattered(points):
    low, high = points.min(dim=0).values, points.max(dim=0).values
    return len(points) <= 4 and bool(((points == low) | (points == high)).any(dim=1).all())

# %% right="4.6.4b" how="a no among the first five, by the box of all others"
largest_set = torch.tensor([[0., 1.], [1., 0.], [0., -1.], [-1., 0.]])
def out_of_reach(points):
    for i in range(min(len(points), 5)):
        rest = torch.cat([points[:i], points[i + 1:]])
        if bool(((points[i] >= rest.min(dim=0).values) & (points[i] <= rest.max(dim=0).values)).all()):
            yes = torch.ones(len(points), dtype=torch.bool)
            yes[i] = False
            return yes
    return torch.ones(len(points), dtype=torch.bool)

# %% wrong="4.6.5" why="in float32" breaks="improvement" says="float32 has seven digits"
def board(errors, step):
    values, shown = torch.tensor(errors, dtype=torch.float32), []
    for value in values.tolist():
        shown.append(value if not shown or value < shown[-1] - step else shown[-1])
    return shown

# %% wrong="4.6.B" why="two sides halve 1 - delta" breaks="two sides" says="halve delta, not 1 - delta"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf((1 - delta) / 2 if sides == 2 else 1 - delta)

# %% wrong="4.6.1a" why="two sides halve 1 - delta" breaks="sides" says="1 - delta is halved"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf((1 - delta) / 2 if sides == 2 else 1 - delta)
    return math.ceil(z ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1b" why="the sides count twice" breaks="smallest" says="not log(4/δ)"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / (delta / sides)) / (2 * t ** 2))

# %% wrong="4.6.1b" why="the root" breaks="enough" says="not its root"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.sqrt(math.log(sides / delta) / (2 * t ** 2)))

# %% wrong="4.6.1c" why="the numbers of the example" breaks="Hoeffding" says="the number for t = 0.01 and δ = 0.05"
sizes = [14_979, 18_445, 6_764, 9_604]

# %% wrong="4.6.1c" why="far too few examples" breaks="Hoeffding" says="1/t² alone is a hundred million"
sizes = [math.ceil(math.log(1000) / 2e-3), math.ceil(math.log(2000) / 2e-3), 2388, 2707]

# %% wrong="4.6.D" why="the two sides count twice" breaks="one" says="not log(4k/δ)"
def shared_size(t, delta, k):
    each = delta / 2 / k
    return math.ceil(math.log(2 / each) / (2 * t ** 2))

# %% right="4.6.2a" how="rows of ones that grow, and the differences of their errors"
def steal_labels(ask, n):
    errors = [ask(torch.cat([torch.ones(i, dtype=torch.int64), torch.zeros(n - i, dtype=torch.int64)])) for i in range(n)]
    wrong = [round(e * n) for e in errors]
    labels = [(1 - (b - a)) // 2 for a, b in zip(wrong, wrong[1:])]
    labels.append(wrong[0] - sum(labels))
    return torch.tensor(labels)

# %% wrong="4.6.5" why="a margin against rounding" breaks="improvement" says="no margin and no rounding"
def board(errors, step):
    shown = [errors[0]]
    for e in errors[1:]:
        shown.append(e if shown[-1] - e > step + 1e-9 else shown[-1])
    return shown

# %% wrong="4.6.5" why="rounded to six places" breaks="improvement" says="not rounded to 6 places"
def board(errors, step):
    shown = [round(errors[0], 6)]
    for e in errors[1:]:
        shown.append(round(e, 6) if shown[-1] - e > step else shown[-1])
    return shown

# %% right="4.6.5" how="in place on a copy, the step on the other side"
def board(errors, step):
    shown = list(errors)
    for i in range(1, len(shown)):
        if shown[i] + step >= shown[i - 1]:
            shown[i] = shown[i - 1]
    return shown

# %% wrong="4.6.E" why="a table of a few counts" breaks="count" says="let it follow from n"
def interval_labellings(n):
    return {1: 2, 2: 4, 3: 7, 6: 22, 7: 29, 12: 79}.get(n, 0)

# %% right="4.6.3a" how="Lagrange's polynomials"
def quintic_for(x, labels):
    total = torch.zeros(6, dtype=torch.float64)
    for i in range(6):
        c = torch.eye(6, dtype=torch.float64)[0]
        for j in range(6):
            if j != i:
                c = (torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]]) - x[j] * c) / (x[i] - x[j])
        total += labels[i] * c
    return total

# %% wrong="4.6.3a" why="zeros between neighbours, the sign of the whole is left out" breaks="signs" says="has to be multiplied by -1 there"
def quintic_for(x, labels):
    order = x.argsort()
    x, labels = x[order], labels[order]
    c = torch.eye(6, dtype=torch.float64)[0]
    for i in range(5):
        if labels[i] != labels[i + 1]:
            c = torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]]) - (x[i] + x[i + 1]) / 2 * c
    return c

# %% wrong="4.6.4a" why="points that share a coordinate are never shattered" breaks="yes" says="also where they share a coordinate"
def shattered(points):
    n = len(points)
    if len(set(points[:, 0].tolist())) < n or len(set(points[:, 1].tolist())) < n:
        return False
    for i in range(n if n > 1 else 0):
        rest = torch.cat([points[:i], points[i + 1:]])
        if ((points[i] >= rest.min(dim=0).values) & (points[i] <= rest.max(dim=0).values)).all():
            return False
    return True

# %% wrong="4.6.4b" why="the first four yes" breaks="every larger set" says="it must hold a no"
largest_set = torch.tensor([[0., 1.], [1., 0.], [0., -1.], [-1., 0.]])

def out_of_reach(points):
    return torch.arange(len(points)) < 4

# %% right="4.6.4b" how="all labellings of the first five, no for the others"
largest_set = torch.tensor([[-5., 0.5], [5., -0.5], [0.5, 7.], [-0.5, -7.]])

def out_of_reach(points):
    first = points[:5].tolist()
    for chosen in itertools.product([True, False], repeat=5):
        xs, ys = [p[0] for p, c in zip(first, chosen) if c], [p[1] for p, c in zip(first, chosen) if c]
        if xs and [min(xs) <= p[0] <= max(xs) and min(ys) <= p[1] <= max(ys) for p in first] != list(chosen):
            return torch.tensor(list(chosen) + [False] * (len(points) - 5))

# %% wrong="4.6.A" why="classes made two: 0 and the others" breaks="error" says="not whether they are 0"
def error_with_deviation(predicted, labels):
    wrong = ((predicted > 0) != (labels > 0)).double()
    e = wrong.mean().item()
    return e, math.sqrt(e * (1 - e) / len(labels))

# %% wrong="4.6.A" why="one added to the wrong ones and two to n" breaks="error" says="nothing is added"
def error_with_deviation(predicted, labels):
    n = len(labels)
    e = ((predicted != labels).sum().item() + 1) / (n + 2)
    return e, math.sqrt(e * (1 - e) / n)

# %% wrong="4.6.A" why="n taken for 100" breaks="deviation" says="/ 100"
def error_with_deviation(predicted, labels):
    e = (predicted != labels).double().mean().item()
    return e, math.sqrt(e * (1 - e) / 100)

# %% wrong="4.6.A" why="the upper end of an interval" breaks="deviation" says="the error is not added"
def error_with_deviation(predicted, labels):
    e = (predicted != labels).double().mean().item()
    s = math.sqrt(e * (1 - e) / len(labels))
    return e, e + s

# %% wrong="4.6.B" why="the density in place of the quantile" breaks="one side" says="not `pdf`"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().pdf(1 - delta / sides)

# %% wrong="4.6.B" why="z to the power of the sides" breaks="two sides" says="without a square"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(1 - delta) ** sides

# %% wrong="4.6.1a" why="searches in steps of ten" breaks="whole number" says="next ten"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    n = 10
    while z * math.sqrt(error * (1 - error) / n) > t:
        n += 10
    return n

# %% wrong="4.6.C" why="max in place of min" breaks="bound" says="the larger one comes back"
def hoeffding_bound(n, t, sides):
    return max(1.0, sides * math.exp(-2 * n * t ** 2))

# %% wrong="4.6.C" why="2nt squared as a whole" breaks="bound" says="with -(2nt)² in the exponent"
def hoeffding_bound(n, t, sides):
    return min(1.0, sides * math.exp(-(2 * n * t) ** 2))

# %% wrong="4.6.1b" why="searches in steps of a hundred" breaks="smallest" says="a multiple of 100"
def hoeffding_size(t, delta, sides):
    n = 100
    while sides * math.exp(-2 * n * t ** 2) > delta:
        n += 100
    return n

# %% wrong="4.6.1b" why="rounds the logarithm up first" breaks="smallest" says="The logarithm is rounded up before it is divided"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.ceil(math.log(sides / delta)) / (2 * t ** 2))

# %% wrong="4.6.D" why="log10 for k, natural for the rest" breaks="many" says="not that to base 10"
def shared_size(t, delta, k):
    return math.ceil((math.log(2 / delta) + math.log10(k)) / (2 * t ** 2))

# %% right="4.6.2a" how="halves, recursively"
def steal_labels(ask, n):
    total = round(n * ask(torch.zeros(n, dtype=torch.int64)))
    labels = torch.zeros(n, dtype=torch.int64)

    def fill(first, last, ones):
        if ones == 0:
            return
        if ones == last - first:
            labels[first:last] = 1
            return
        middle = (first + last) // 2
        answers = torch.zeros(n, dtype=torch.int64)
        answers[first:middle] = 1
        left = (middle - first - (round(n * ask(answers)) - total)) // 2
        fill(first, middle, left)
        fill(middle, last, ones - left)

    fill(0, n, total)
    return labels

# %% wrong="4.6.2b" why="bit lengths for logarithms" breaks="enough cases" says="is log2(n + 1) rounded up"
def least_questions(n):
    return math.ceil(n / (n + 1).bit_length())

# %% wrong="4.6.2b" why="the nearest whole number" breaks="enough cases" says="to the nearest whole number"
def least_questions(n):
    return max(1, round(n / math.log2(n + 1)))

# %% right="4.6.5" how="infinity to begin with"
def board(errors, step):
    now, out = math.inf, []
    for error in errors:
        if now == math.inf or error + step < now:
            now = error
        out += [now]
    return out

# %% wrong="4.6.E" why="intervals and those turned round" breaks="count" says="together with those turned round"
def interval_labellings(n):
    found = set()
    for a in range(n + 1):
        for b in range(a, n + 1):
            row = tuple(a <= i < b for i in range(n))
            found |= {row, tuple(not v for v in row)}
    return len(found)

# %% wrong="4.6.E" why="the number for VC dimension 3" breaks="count" says="as if the VC dimension were 3"
def interval_labellings(n):
    return sum(math.comb(n, i) for i in range(4))

# %% wrong="4.6.E" why="2^n for one and two points, then 7 more each time" breaks="count" says="right up to 3 points"
def interval_labellings(n):
    return 2 ** n if n < 3 else 7 * (n - 2)

# %% wrong="4.6.3a" why="Newton's divided differences, not expanded" breaks="signs" says="multiply the brackets out"
def quintic_for(x, labels):
    c = labels.clone()
    for j in range(1, 6):
        c[j:] = (c[j:] - c[j - 1:-1]) / (x[j:] - x[:-j])
    return c

# %% wrong="4.6.3a" why="a small multiple of the identity added" breaks="signs" says="with nothing added"
def quintic_for(x, labels):
    A = torch.stack([x ** p for p in range(6)], dim=1)
    return torch.linalg.solve(A.T @ A + 0.1 * torch.eye(6, dtype=torch.float64), A.T @ labels)

# %% wrong="4.6.3a" why="gradient descent that stops early" breaks="signs" says="to the end"
def quintic_for(x, labels):
    A = torch.stack([x ** p for p in range(6)], dim=1)
    c = torch.zeros(6, dtype=torch.float64)
    for _ in range(2000):
        c = c - 1e-4 * A.T @ (A @ c - labels)
    return c

# %% right="4.6.4a" how="a sole leftmost, rightmost, lowest or highest"
def shattered(points):
    rows = points.tolist()
    n = len(rows)
    def sole(i):
        others = [r for j, r in enumerate(rows) if j != i]
        x, y = rows[i]
        return (all(x < r[0] for r in others) or all(x > r[0] for r in others)
                or all(y < r[1] for r in others) or all(y > r[1] for r in others))
    return all(sole(i) for i in range(n))

# %% right="4.6.4b" how="the first labelling of all that fails"
largest_set = torch.tensor([[0., 1.], [1., 0.], [0., -1.], [-1., 0.]])
def out_of_reach(points):
    for chosen in itertools.product([True, False], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any() and not yes.all():
            low, high = points[yes].amin(0), points[yes].amax(0)
            if (((points >= low) & (points <= high)).all(1) & ~yes).any():
                return yes

# %% wrong="4.6.A" why="the root of the error alone" breaks="deviation" says="not of the error alone"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, math.sqrt(error) * (1 - error) / math.sqrt(len(labels))

# %% wrong="4.6.A" why="half the width of a confidence interval" breaks="deviation" says="not 1.96 of them"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, 1.96 * math.sqrt(error * (1 - error) / len(labels))

# %% wrong="4.6.B" why="delta to the power of the sides" breaks="two sides" says="both leave an area of 0.1"
def unusual_distance(deviation, delta, sides):
    return deviation * NormalDist().inv_cdf(1 - delta ** sides)

# %% wrong="4.6.1a" why="t is taken as the width from end to end" breaks="sides" says="t is halved here, or z doubled"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil(z ** 2 * error * (1 - error) / (t / 2) ** 2)

# %% wrong="4.6.1a" why="z for one side, times the sides" breaks="sides" says="they neither double z nor halve t"
def normal_size(t, delta, sides, error):
    z = sides * NormalDist().inv_cdf(1 - delta)
    return math.ceil(z ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="t as a share of the error" breaks="sides" says="n must become 0.36 times as large"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil(z ** 2 * error * (1 - error) / (t * error) ** 2)

# %% wrong="4.6.1a" why="the square of z is added" breaks="sides" says="something is added, or rounded"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil(z ** 2 * error * (1 - error) / t ** 2 + z ** 2)

# %% wrong="4.6.1a" why="one deviation is t, whatever delta is" breaks="sides" says="n must become 1.727 times as large"
def normal_size(t, delta, sides, error):
    return math.ceil(error * (1 - error) / t ** 2)

# %% wrong="4.6.C" why="the exponent is divided by the sides, and the sides multiply" breaks="bound" says="here it is half of that"
def hoeffding_bound(n, t, sides):
    return min(1.0, sides * math.exp(-2 * n * t ** 2 / sides))

# %% wrong="4.6.1b" why="n is doubled until it is enough" breaks="smallest" says="powers of 2"
def hoeffding_size(t, delta, sides):
    n = 1
    while sides * math.exp(-2 * n * t ** 2) > delta:
        n *= 2
    return n

# %% wrong="4.6.1b" why="the square of 2t² in the denominator" breaks="smallest" says="n must be 4 times as large"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) / (2 * t ** 2) ** 2)

# %% wrong="4.6.1b" why="the logarithm is squared" breaks="smallest" says="the logarithm of 1 / δ doubles"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta) ** 2 / (2 * t ** 2))

# %% wrong="4.6.1b" why="a factor 2t in the logarithm" breaks="enough" says="with your n it is that of"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta * 2 * t) / (2 * t ** 2))

# %% wrong="4.6.1c" why="t from end to end" breaks="Hoeffding" says="four times too many"
sizes = [345387764 * 4, 380045123 * 4, 238735000 * 4, 270689000 * 4]

# %% wrong="4.6.1c" why="δ is halved twice" breaks="central limit theorem" says="halved once"
sizes = [345387764, 380045123, 238735000, 302900000]

# %% wrong="4.6.1c" why="Hoeffding two-sided is guessed" breaks="Hoeffding" says="with your n it is that of 1339"
sizes = [345387764, 360000000, 238735000, 270689000]

# %% wrong="4.6.D" why="one example more for each further classifier" breaks="many" says="yours adds 9"
def shared_size(t, delta, k):
    n = math.ceil(math.log(2 / delta) / (2 * t ** 2))
    return n + k - 1

# %% wrong="4.6.D" why="the confidence in place of delta" breaks="one" says="without 1 - δ"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 * k / (1 - delta)) / (2 * t ** 2))

# %% wrong="4.6.D" why="t is not squared" breaks="one" says="t is squared"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 * k / delta) / (2 * t))

# %% wrong="4.6.2a" why="a single question: as many ones as it tells, in front" breaks="labels" says="they cannot tell the two apart"
def steal_labels(ask, n):
    ones = round(n * ask(torch.zeros(n, dtype=torch.int64)))
    return torch.tensor([1] * ones + [0] * (n - ones))

# %% wrong="4.6.2a" why="compares with the question before, which had a one elsewhere" breaks="labels" says="no other labels fit"
def steal_labels(ask, n):
    last = ask(torch.zeros(n, dtype=torch.int64))
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        answers = torch.zeros(n, dtype=torch.int64)
        answers[i] = 1
        error = ask(answers)
        labels[i] = int(error < last)
        last = error
    return labels

# %% wrong="4.6.2b" why="the order of the answers does not count" breaks="smallest" says="only about 8.7 cases"
def least_questions(n):
    k = 1
    while math.comb(n + k, k) < 2 ** n and k < n:
        k += 1
    return k

# %% wrong="4.6.2b" why="half of n" breaks="smallest" says="only about 4 cases"
def least_questions(n):
    return math.ceil(n / 2)

# %% wrong="4.6.2b" why="n + 2 values" breaks="enough cases" says="one answer has n + 1 values, no more"
def least_questions(n):
    return math.ceil(n / math.log2(n + 2))

# %% wrong="4.6.2b" why="one example less, one question more" breaks="smallest" says="add nothing at the end"
def least_questions(n):
    return math.ceil((n - 1) / math.log2(n + 1)) + 1

# %% wrong="4.6.5" why="publishes the mean of the board and the error" breaks="improvement" says="it is published, as it is"
def board(errors, step):
    shown = [errors[0]]
    for e in errors[1:]:
        shown.append((e + shown[-1]) / 2 if e < shown[-1] - step else shown[-1])
    return shown

# %% wrong="4.6.E" why="2^n up to two points, then n squared" breaks="count" says="point 3 brings 3 more"
def interval_labellings(n):
    return 2 ** n if n <= 2 else n ** 2

# %% wrong="4.6.3a" why="Lagrange's sum without its denominators" breaks="signs" says="divided by it"
def quintic_for(x, labels):
    total = torch.zeros(6, dtype=torch.float64)
    for i in range(6):
        c = torch.zeros(6, dtype=torch.float64)
        c[0] = labels[i]
        for j in range(6):
            if j != i:
                c = torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]]) - x[j] * c
        total = total + c
    return total

# %% wrong="4.6.3a" why="the labels times x on the right side" breaks="signs" says="is the label alone"
def quintic_for(x, labels):
    A = torch.stack([x ** p for p in range(6)], dim=1)
    return torch.linalg.solve(A, labels * x)

# %% wrong="4.6.3a" why="half precision" breaks="signs" says="about three digits only"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels).half()

# %% wrong="4.6.3a" why="a perceptron stopped early" breaks="signs" says="go on until all six signs are right"
def quintic_for(x, labels):
    A = torch.stack([x ** p for p in range(6)], dim=1)
    c = torch.zeros(6, dtype=torch.float64)
    for _ in range(100):
        for row, y in zip(A, labels):
            if y * (row @ c) <= 0:
                c = c + y * row
    return c

# %% wrong="4.6.3a" why="the signs of the coefficients" breaks="signs" says="These are the signs of the coefficients"
def quintic_for(x, labels):
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels).sign()

# %% wrong="4.6.3a" why="zeros at the places with a no" breaks="signs" says="it must be negative there"
def quintic_for(x, labels):
    c = torch.eye(6, dtype=torch.float64)[0]
    for place in x[labels < 0][:5]:
        c = torch.cat([torch.zeros(1, dtype=torch.float64), c[:-1]]) - place * c
    return c

# %% wrong="4.6.3a" why="multiples in place of powers" breaks="signs" says="the powers are `x ** p`"
def quintic_for(x, labels):
    return torch.linalg.pinv(torch.stack([x * p for p in range(6)], dim=1)) @ labels

# %% wrong="4.6.3a" why="solve with the labels first" breaks="coefficients" says="takes the matrix first"
def quintic_for(x, labels):
    return torch.linalg.solve(labels, torch.stack([x ** p for p in range(6)], dim=1))

# %% wrong="4.6.A" why="classes made two: 1 and the others" breaks="error" says="not whether they are 1"
def error_with_deviation(predicted, labels):
    error = ((predicted == 1) ^ (labels == 1)).double().mean().item()
    return error, math.sqrt(error * (1 - error) / len(labels))

# %% wrong="4.6.A" why="counts only classes that are too low" breaks="error" says="not only one below it"
def error_with_deviation(predicted, labels):
    error = (predicted < labels).double().mean().item()
    return error, math.sqrt(error * (1 - error) / len(labels))

# %% wrong="4.6.A" why="a sum in place of the product" breaks="deviation" says="So n does not stand in it as it must"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, 0.0 if error in (0, 1) else math.sqrt(error + (1 - error) / len(labels))

# %% wrong="4.6.A" why="the square of the error in the product" breaks="deviation" says="So it is the error that does not stand in it"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, math.sqrt(error * (1 - error ** 2) / len(labels))

# %% wrong="4.6.B" why="half of delta for one side, and a root of 2" breaks="one side" says="The one for two sides is right"
def unusual_distance(deviation, delta, sides):
    return NormalDist().inv_cdf(1 - delta / 2) * deviation * (sides / 2) ** 0.5

# %% wrong="4.6.1a" why="the variance is squared" breaks="variance" says="it is not squared again"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil((z * error * (1 - error) / t) ** 2)

# %% wrong="4.6.1a" why="z squared is rounded up first" breaks="whole number" says="here z² was rounded up before"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil(math.ceil(z ** 2) * error * (1 - error) / t ** 2)

# %% wrong="4.6.1a" why="twice the variance" breaks="variance" says="yours is 2 times as large as it should be"
def normal_size(t, delta, sides, error):
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil(2 * z ** 2 * error * (1 - error) / t ** 2)

# %% wrong="4.6.C" why="the second side adds 1" breaks="bound" says="they add nothing to it"
def hoeffding_bound(n, t, sides):
    return min(1.0, (sides - 1) + math.exp(-2 * n * t ** 2))

# %% wrong="4.6.1b" why="the logarithm of the odds" breaks="enough" says="nothing is taken from sides / δ"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta - 1) / (2 * t ** 2))

# %% wrong="4.6.1b" why="the logarithm rounded up, then divided" breaks="smallest" says="rounded up before it is divided"
def hoeffding_size(t, delta, sides):
    return math.ceil(math.log(sides / delta)) / (2 * t ** 2)

# %% wrong="4.6.1b" why="rounds to the nearest whole number" breaks="enough" says="Round up"
def hoeffding_size(t, delta, sides):
    return math.floor(math.log(sides / delta) / (2 * t ** 2) + 0.5)

# %% wrong="4.6.1c" why="δ = 0.999 in the central limit theorem" breaks="central limit theorem" says="not the 99.9 %"
sizes = [math.log(s / 0.001) / 2e-8 for s in (1, 2)] + [math.ceil((NormalDist().inv_cdf(1 - 0.999 / s) / 1e-4) ** 2 / 4) for s in (1, 2)]

# %% wrong="4.6.D" why="k - 1 is added in place of its logarithm" breaks="many" says="not k - 1"
def shared_size(t, delta, k):
    return math.ceil((math.log(2 / delta) + k - 1) / (2 * t ** 2))

# %% wrong="4.6.D" why="the logarithm of k is rounded up first" breaks="many" says="here log k was rounded up before"
def shared_size(t, delta, k):
    return math.ceil((math.log(2 / delta) + math.ceil(math.log(k))) / (2 * t ** 2))

# %% wrong="4.6.2a" why="keeps the error of a change that was taken back" breaks="labels" says="does not count any more"
def steal_labels(ask, n):
    answers = torch.zeros(n, dtype=torch.int64)
    error = round(n * ask(answers))
    for i in range(n - 1):
        answers[i] = 1
        new = round(n * ask(answers))
        if new > error:
            answers[i] = 0
        error = new
    if n == 1 or error > 0:
        answers[n - 1] = int(error > 0)
    return answers

# %% wrong="4.6.3b" why="infinitely many points for the pure power" breaks="some powers" says="c₅ is only positive, negative or zero"
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": math.inf, "plane": 6}

# %% wrong="4.6.4b" why="yes for all but the leftmost" breaks="every larger set" says="with a leftmost point of all among the yes"
largest_set = torch.tensor([[0., 1.], [1., 0.], [0., -1.], [-1., 0.]])
def out_of_reach(points):
    yes = torch.ones(len(points), dtype=torch.bool)
    yes[points[:, 0].argmin()] = False
    return yes

# %% right="4.6.2a" how="ones in front of zeros, one more each time"
def steal_labels(ask, n):
    wrong = [round(n * ask((torch.arange(n) < i).long())) for i in range(n)]
    labels = [1 if wrong[i + 1] < wrong[i] else 0 for i in range(n - 1)]
    return torch.tensor(labels + [wrong[0] - sum(labels)], dtype=torch.int64)

# %% right="4.6.2a" how="asks with float32 zeros and ones"
def steal_labels(ask, n):
    ones = round(n * ask(torch.zeros(n)))
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        answers = torch.zeros(n)
        answers[i] = 1
        labels[i] = int(round(n * ask(answers)) < ones)
    labels[-1] = ones - labels.sum()
    return labels

# %% wrong="4.6.2a" why="100 times the error in place of n times it" breaks="labels" says="that number is n times the error"
def steal_labels(ask, n):
    ones = round(100 * ask(torch.zeros(n, dtype=torch.int64)))
    labels = torch.zeros(n, dtype=torch.int64)
    for i in range(n - 1):
        labels[i] = int(round(100 * ask(torch.eye(n, dtype=torch.int64)[i])) < ones)
    labels[-1] = ones // 100 * n - labels.sum()
    return labels

# %% wrong="4.6.2a" why="asks about one example alone" breaks="at most n questions" says="one answer for each of the 5 examples"
def steal_labels(ask, n):
    return torch.tensor([int(ask(torch.ones(1, dtype=torch.int64)) == 0) for _ in range(n)])

# %% wrong="4.6.A" why="the deviation of the predicted classes" breaks="deviation" says="depends on the share of wrong ones and on n alone"
def error_with_deviation(predicted, labels):
    error = (predicted != labels).double().mean().item()
    return error, 0.0 if error in (0, 1) else predicted.double().std(correction=0).item() / len(labels) ** 0.5

# %% wrong="4.6.A" why="sorts predictions and labels" breaks="error" says="Compare place by place"
def error_with_deviation(predicted, labels):
    error = (predicted.sort().values != labels.sort().values).double().mean().item()
    return error, math.sqrt(error * (1 - error) / len(labels))

# %% wrong="4.6.A" why="only the examples with a label above 0" breaks="error" says="a class like the others"
def error_with_deviation(predicted, labels):
    pos = labels > 0
    e = ((predicted != labels) & pos).double().mean().item()
    return e, math.sqrt(e * (1 - e) / len(labels))

# %% wrong="4.6.C" why="half for one side, the whole for two" breaks="bound" says="it is not halved"
def hoeffding_bound(n, t, sides):
    return min(1.0, sides / 2 * math.exp(-2 * n * t ** 2)) if 2 * math.exp(-2 * n * t ** 2) < 1 else 1.0

# %% wrong="4.6.D" why="the chance that one of k fails, for each" breaks="many" says="is more than δ"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 / (1 - (1 - delta) ** k)) / (2 * t ** 2))

# %% wrong="4.6.D" why="2^k in place of k" breaks="one" says="not 2^k"
def shared_size(t, delta, k):
    return math.ceil((math.log(2 / delta) + k * math.log(2)) / (2 * t ** 2))

# %% wrong="4.6.D" why="k + 1 in place of k" breaks="one" says="not k + 1"
def shared_size(t, delta, k):
    return math.ceil(math.log(2 * (k + 1) / delta) / (2 * t ** 2))

# %% wrong="4.6.5" why="the board before each error" breaks="improvement" says="what stood there before it"
def board(errors, step):
    shown, now = [], errors[0]
    for error in errors:
        shown.append(now)
        if now - error > step:
            now = error
    return shown

# %% wrong="4.6.5" why="a margin in proportion to the step" breaks="improvement" says="not even a share of the step"
def board(errors, step):
    shown = [errors[0]]
    for error in errors[1:]:
        gain = shown[-1] - error
        shown.append(error if gain > step and not math.isclose(gain, step, rel_tol=1e-3) else shown[-1])
    return shown

# %% wrong="4.6.5" why="None before the first error" breaks="first" says="The first error is published at once"
def board(errors, step):
    shown, now = [], None
    for error in errors:
        shown.append(now)
        if now is None or error < now - step:
            now = error
    return shown

# %% wrong="4.6.3b" why="products of three powers of each, by the number of orders" breaks="two variables" says="x times y and y times x are one"
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": 1, "plane": 12}

# %% wrong="4.6.3b" why="number of zeros instead of functions" breaks="all powers" says="number of zeros"
dimensions = {"line": 1, "quintic": 5, "even": 4, "pure": 1, "plane": 6}

# %% wrong="4.6.3b" why="line thought of as a line in the plane: 3" breaks="all powers" says="lines in the plane"
dimensions = {"line": 3, "quintic": 6, "even": 3, "pure": 1, "plane": 6}

# %% right="4.6.4a" how="no rectangle around two points holds a third: in the plane pairs are enough"
def shattered(points):
    for i in range(len(points)):
        for j in range(i):
            low, high = torch.minimum(points[i], points[j]), torch.maximum(points[i], points[j])
            if ((points >= low) & (points <= high)).all(dim=1).sum() > 2:
                return False
    return True

# %% wrong="4.6.4a" why="True and False exchanged" breaks="yes" says="Yours is the opposite each time"
def shattered(points):
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if yes.any():
            low, high = points[yes].amin(dim=0), points[yes].amax(dim=0)
            if (((points >= low) & (points <= high)).all(dim=1) & ~yes).any():
                return True
    return False

# %% wrong="4.6.4a" why="the border does not count" breaks="yes" says="border belongs to it"
def shattered(points):
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if not yes.any():
            continue
        low, high = points[yes].min(0).values, points[yes].max(0).values
        inside = ((points > low) & (points < high)).all(1)
        if not torch.equal(inside, yes):
            return False
    return True

# %% right="4.6.4a" how="no point in the rectangle of two others"
def shattered(points):
    n = len(points)
    for i, j in itertools.combinations(range(n), 2):
        pair = points[[i, j]]
        low, high = pair.min(0).values, pair.max(0).values
        inside = ((points >= low) & (points <= high)).all(1)
        if inside.sum() > 2:
            return False
    return True

# %% wrong="4.6.3a" why="solved in float32" breaks="signs" says="numbers of float32"
def quintic_for(x, labels):
    A = torch.stack([x.float() ** k for k in range(6)], dim=1)
    return torch.linalg.solve(A, labels.float())

# %% wrong="4.6.2a" why="n random answers and a vote" breaks="labels" says="must follow from the answers for certain"
def steal_labels(ask, n):
    generator = torch.Generator().manual_seed(0)
    total = torch.zeros(n, dtype=torch.float64)
    for _ in range(n):
        answers = torch.randint(2, (n,), generator=generator)
        score = ask(answers)
        total += (0.5 - score) * (2 * answers - 1)
    return (total > 0).long()

# %% wrong="4.6.2a" why="every count of wrong answers cut off by int" breaks="labels" says="labels"
def steal_labels(ask, n):
    answers = torch.zeros(n, dtype=torch.int64)
    wrong = int(ask(answers) * n)
    for i in range(n - 1):
        answers[i] = 1
        now = int(ask(answers) * n)
        if now > wrong:
            answers[i] = 0
        else:
            wrong = now
    answers[n - 1] = min(max(wrong, 0), 1)
    return answers

# %% wrong="4.6.4a" why="the border does not count, and a no inside is looked for" breaks="no" says="so it is not enough to share"
def shattered(points):
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if not yes.any():
            continue
        low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
        inside = ((points > low) & (points < high)).all(dim=1)
        if (inside & ~yes).any():
            return False
    return True
