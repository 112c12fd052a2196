# %% [markdown]
# # 4.2 Image classification data
#
# The classifiers of chapters 4 and 5 learn from Fashion-MNIST: 70,000 small grey pictures of clothes in ten classes. This
# section looks at the pictures, at the batches in which a training loop reads them, and at the time that reading takes.
# A model waits for its data, so a slow reader is a slow training.

# %% tags=["setup"]
from d2l_utils.check import *
import cProfile
import inspect
import math
import pstats
import time
import numpy as np
import torch
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### The data set
#
# `d2l.FashionMNIST` is a `DataModule`: `train` and `val` are its data sets, `train_dataloader()` and `val_dataloader()`
# its loaders. The files are in the folder `data/` of this book. They are unpacked once, into one tensor of bytes.

# %%
data = d2l.FashionMNIST(batch_size=256)
len(data.train), len(data.val), data.train.data.shape, data.train.data.dtype, data.train.targets.dtype

# %% [markdown]
# A picture is 28 by 28 *pixels*. On disk a pixel is a byte: 0 is black, 255 is white. What the model gets is
# floating point from 0 to 1, with an axis of length 1 for the *channel* in front of height and width: a grey picture has
# one channel, a colour picture three. The label is the number of the class.

# %%
image, label = data.train[0]
image.shape, image.dtype, image.min().item(), image.max().item(), label, data.text_labels([label])

# %% [markdown]
# `data.visualize(batch)` shows the first pictures of a batch under their names. It calls `d2l.show_images(imgs, num_rows,
# num_cols, titles)`, which takes pictures without the axis of the channel.

# %% tags=["demo"]
data.visualize(next(iter(data.val_dataloader())), nrows=2, ncols=8)

# %% [markdown]
# Each class has 6,000 pictures for training and 1,000 for validation. The mean picture of a class is a blurred garment;
# where two of them look alike, a simple classifier will have difficulties.

# %%
data.train.targets.bincount(), data.val.targets.bincount()

# %% tags=["demo"]
means = [data.train.data[data.train.targets == c].float().mean(dim=0) for c in range(10)]
d2l.show_images(means, 1, 10, titles=data.text_labels(range(10)), scale=1.1);

# %% [markdown]
# ### Batches
#
# A loader goes once through the data, a *batch* at a time. Training batches come in a new random order at each pass,
# validation batches in the order of the file. X has the shape (batch, channel, height, width) and the dtype `float32`,
# y has the shape (batch,) and the dtype `int64`, which `cross_entropy` asks for.

# %%
X, y = next(iter(data.train_dataloader()))
print(X.shape, X.dtype, y.shape, y.dtype)
sizes = [len(y) for X, y in data.train_dataloader()]
print(len(sizes), "batches; the last two have", sizes[-2:], "examples")

# %% [markdown]
# 60,000 is no multiple of 256, so the last batch is smaller. A loader with `drop_last=True` leaves it out. For training
# that does little harm, since the order changes and other examples are left out each time. Validation must not drop any.
#
# ### Another size
#
# `resize=(height, width)` changes the size of the pictures as they are read.

# %%
large = d2l.FashionMNIST(batch_size=64, resize=(32, 48))
next(iter(large.val_dataloader()))[0].shape

# %% [markdown]
# ⚠ To make a picture smaller it is not enough to pick every fourth pixel: stripes and edges that fall between the picked
# pixels vanish or turn into patterns that are not there (*aliasing*). Each pixel of the small picture must be a mean of
# the large one's. `FashionMNIST` resizes with `antialias=True`, which does that. Three shirts get a white stripe at every
# third pixel; compare what two ways of resizing make of them:

# %% tags=["demo"]
stripes = (torch.arange(64) % 3 == 0).float().repeat(64, 1)
shirts = data.val.data[data.val.targets == 6][:3] / 255
pictures = torch.nn.functional.interpolate(shirts[:, None], (64, 64), mode="bilinear")[:, 0] * (0.4 + 0.6 * stripes)
picked = pictures[:, ::4, ::4]
averaged = torch.nn.functional.interpolate(pictures[:, None], (16, 16), mode="bilinear", antialias=True)[:, 0]
names = ["64 x 64"] * 3 + ["every fourth"] * 3 + ["antialias"] * 3
axes = d2l.show_images([*pictures, *picked, *averaged], 3, 3, titles=names)
axes[0].figure.tight_layout()
row = torch.nn.functional.interpolate(stripes[None, None], (16, 16), mode="bilinear", antialias=True)[0, 0, 0]
print("a line of the stripes, every fourth pixel:", stripes[0, ::4].int().tolist())
print("the same line with antialias:             ", [round(v, 1) for v in row.tolist()])

# %% [markdown]
# Every fourth pixel shows broad stripes, one in twelve pixels of the original, which nobody drew. The means know that the
# stripes are too fine for 16 pixels and give an even grey.
#
# ## Exercises
#
# ### What a loader gives

# %% [markdown] task="4.2.1a" kind="code" minutes=8 difficulty=2 core=true
# ### The batches of one pass
#
# Whoever knows how many batches there are, and how long each is, finds half of the errors in a training loop without
# running it.
#
# Write `batch_shapes(num_examples, batch_size, size, drop_last=False)`. It returns the list of the shapes of X in one
# pass over `num_examples` grey pictures of `size = (height, width)`. Each shape is a tuple `(rows, 1, height, width)`.
# With `drop_last=True` a last batch with fewer than `batch_size` rows is left out.
#
# **You are done when** the check shows three shapes for 10 pictures in batches of 4, two if the last is dropped, and
# 60,000 single batches for batch size 1 on the training set.

# %% exercise="4.2.1a"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    """The shapes (rows, 1, height, width) of the batches in one pass, a list of tuples."""
    ### BEGIN SOLUTION
    full, rest = divmod(num_examples, batch_size)
    rows = [batch_size] * full
    if rest and not drop_last:
        rows.append(rest)
    return [(n, 1, *size) for n in rows]
    ### END SOLUTION

# %% [markdown] hints="4.2.1a"
# 1. How many full batches fit, and how many examples are left over? When is nothing left over?
# 2. `divmod(a, b)` gives the quotient and the remainder. No loader gives a batch without examples.
# 3. 7 eggs in boxes of 3: `divmod(7, 3)` is `(2, 1)`, so the boxes hold 3, 3 and 1. For 6 eggs there is no third box.

# %% check="4.2.1a" points=2
assert_equal(batch_shapes(10, 4, (28, 28)), [(4, 1, 28, 28), (4, 1, 28, 28), (2, 1, 28, 28)],
             "the shapes for 10 pictures of 28 x 28 in batches of 4")
assert_equal(batch_shapes(10, 4, (28, 28), drop_last=True), [(4, 1, 28, 28), (4, 1, 28, 28)],
             "the shapes for 10 pictures in batches of 4 with drop_last")
assert_equal(len(batch_shapes(60_000, 1, (28, 28))), 60_000, "the number of batches of size 1 in the training set")
### BEGIN HIDDEN TESTS
def real_shapes(num_examples, batch_size, size, drop_last):
    pictures = torch.utils.data.TensorDataset(torch.zeros(num_examples, 1, *size))
    loader = torch.utils.data.DataLoader(pictures, batch_size, drop_last=drop_last)
    return [tuple(X.shape) for X, in loader]

for num, batch, size_ in ((23, 5, (3, 7)), (24, 6, (2, 5)), (5, 8, (4, 2)), (8, 8, (1, 3)), (3, 1, (6, 4))):
    for drop in (False, True):
        words = f"{num} pictures of {size_[0]} x {size_[1]} in batches of {batch}, drop_last={drop}"
        wanted = real_shapes(num, batch, size_, drop)
        assert_equal(len(batch_shapes(num, batch, size_, drop)), len(wanted), f"the number of batches for {words}")
        assert_equal(batch_shapes(num, batch, size_, drop), wanted, f"the shapes for {words}")
### END HIDDEN TESTS

# %% [markdown]
# ### How long reading takes
#
# A loader asks its data set for one batch after another. Each request has a cost of its own, whatever the number of
# rows: a call, a slice, a new tensor, perhaps a disk. `SlowDisk` below makes that cost visible. Every request takes
# `pause` seconds, and it counts the requests in `fetches`.

# %% tags=["setup"]
class SlowDisk(d2l.DataModule):
    """Examples (1, 2, 2) that a slow disk gives out: each request for a batch takes `pause` seconds and is counted."""

    def __init__(self, num_train, num_val, pause, batch_size=32):
        super().__init__()
        self.save_hyperparameters()
        self.fetches = 0

    def __getitem__(self, rows):
        time.sleep(self.pause)
        self.fetches += 1
        return torch.zeros(len(rows), 1, 2, 2), torch.zeros(len(rows), dtype=torch.int64)

    def get_dataloader(self, train):
        rows = torch.randperm(self.num_train) if train else torch.arange(self.num_val)
        batches = torch.utils.data.BatchSampler(rows.tolist(), self.batch_size, drop_last=False)
        return torch.utils.data.DataLoader(self, sampler=batches, batch_size=None)

# %% [markdown] task="4.2.1b" kind="experiment" minutes=20 difficulty=3
# ### Batch size 1
#
# Does the time for one pass over the data depend on the batch size?
#
# Write `reading_table(data, batch_sizes)`. For each batch size it goes once through `data.train_dataloader()` and does
# nothing with the batches but count. It returns a dictionary from the batch size to
# `{"batches": ..., "examples": ..., "seconds": ...}`: the number of batches and of examples that came, and the
# wall-clock time of the pass in seconds. `data` is any `DataModule` whose loaders use `data.batch_size`, such as
# `d2l.FashionMNIST()`. Afterwards `data.batch_size` is what it was before.
#
# Run it on the whole of Fashion-MNIST for the batch sizes 1, 4, 16, 64, 256 and 1024, then answer in words in the cell
# below the check:
# 1. By what factor is the pass with batch size 1 slower than the one with 256? Give your table.
# 2. Between which sizes does the time fall like 1 / batch size, and why does it stop falling?
# 3. The pass with batch size 1 reads the very same pixels. What is the time spent on?
#
# **You are done when** the check finds the right counts on a slow disk, and a time that is at least the sum of its pauses.

# %% exercise="4.2.1b"
def reading_table(data, batch_sizes):
    """Batches, examples and seconds of one pass over the training data, for each batch size."""
    ### BEGIN SOLUTION
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        batches = examples = 0
        start = time.perf_counter()
        for X, y in data.train_dataloader():
            batches += 1
            examples += len(y)
        table[size] = {"batches": batches, "examples": examples, "seconds": time.perf_counter() - start}
    data.batch_size = before
    return table
    ### END SOLUTION

# %% [markdown] hints="4.2.1b"
# 1. Which statements must stand between the two readings of the clock, and which must not?
# 2. `time.perf_counter()` gives seconds, of which only differences mean something. A new loader is needed after each
#    change of `data.batch_size`. Making a loader reads nothing; going through it does.
# 3. Timing a sum: `start = time.perf_counter()`, then `for i in range(10**6): total += i`, then
#    `seconds = time.perf_counter() - start`.

# %% check="4.2.1b" points=2
@probe
def read_slow_disk(num_train, num_val, pause, batch_sizes):
    disk = SlowDisk(num_train, num_val, pause, batch_size=5)
    return reading_table(disk, batch_sizes), disk.fetches, disk.batch_size

table, fetches, size_after = read_slow_disk(10, 3, 0.004, [1, 4])
assert_equal(sorted(table), [1, 4], "the keys of the table")
assert_equal([table[1]["batches"], table[4]["batches"]], [10, 3], "the number of batches for 10 examples, sizes 1 and 4")
assert_equal([table[1]["examples"], table[4]["examples"]], [10, 10], "the number of examples, for sizes 1 and 4")
assert_true(table[1]["seconds"] >= 0.95 * 10 * 0.004, "10 requests of 0.004 s take at least 0.04 s",
            hint="Does the clock run while the batches are read?")
### BEGIN HIDDEN TESTS
sizes, pause = [2, 3, 20], 0.006
table, fetches, size_after = read_slow_disk(17, 5, pause, sizes)
assert_equal({s: table[s]["batches"] for s in sizes}, {s: math.ceil(17 / s) for s in sizes}, "batches of 17 examples")
assert_equal({s: table[s]["examples"] for s in sizes}, {s: 17 for s in sizes}, "examples in one pass over 17",
             hint="Count the rows of each batch; the last one may be smaller.")
assert_equal(fetches, sum(math.ceil(17 / s) for s in sizes), "the number of requests to the disk",
             hint="One pass for each batch size, all of it, and no batch more.")
for s in sizes:
    least = math.ceil(17 / s) * pause
    assert_true(0.95 * least <= table[s]["seconds"], f"the seconds for size {s} are at least the sum of the pauses",
                hint="Does the clock run while the batches are read, all of them?")
    assert_true(table[s]["seconds"] <= 40 * least + 0.5, f"the seconds for size {s} are seconds of that pass alone",
                hint="Are they milliseconds, or do several passes add up?")
assert_equal(size_after, 5, "data.batch_size after the call", hint="It must be what it was before.")
### END HIDDEN TESTS

# %% [markdown] written="4.2.1b" points=3
# ### BEGIN SOLUTION
# The table is printed below the demonstration that follows. Batch size 1 takes tens of times as long as 256; your
# seconds differ.
#
# From 1 to about 16 the time falls almost like 1 / batch size: each request has a fixed cost (Python's loop, the
# loader's bookkeeping, an index tensor, new output tensors), and four times the size is a quarter of the requests. From
# about 64 on the fixed costs are small beside the work on the pixels themselves: copy the bytes and divide by 255. That
# work is the same for every batch size, so the curve is flat. For very large batches the time may rise a little, since a
# batch no longer fits into the processor's cache.
#
# With batch size 1 the time goes into 60,000 requests, not into pixels.
#
# **Rubric**
# - [1] The pass with batch size 1 is much slower (a factor well over 10) than with 256; evidence: a table with the counts
#   and seconds of one's own run; lost by: a claim without numbers, or "the same, since the data are the same"
# - [1] The time falls like 1 / batch size while a fixed cost for each batch dominates, and flattens where the cost of
#   each example dominates; evidence: two rows of the table in each range; lost by: "larger is always faster"
# - [1] The time at size 1 is spent on calls and bookkeeping for each batch; also accepted: allocation, the interpreter,
#   with worker processes the transfer; lost by: "reading the files from disk" (they are in memory)
# ### END SOLUTION

# %% [markdown]
# The curve of a run on the whole training set, both axes logarithmic:

# %% tags=["demo"]
fashion, seconds = d2l.FashionMNIST(), {}
for size in (1, 4, 16, 64, 256, 1024):
    fashion.batch_size, laps = size, []
    for _ in range(3 if size > 4 else 1):
        start = time.perf_counter()
        for _ in fashion.train_dataloader():
            pass
        laps.append(time.perf_counter() - start)
    seconds[size] = min(laps)       # other programs can only add to it
    print(f"batch size {size:5}: {seconds[size]:7.3f} s, {1e6 * seconds[size] / 60_000:7.2f} µs for each picture")
d2l.plot(list(seconds), list(seconds.values()), "batch size", "seconds for one pass", xscale="log", yscale="log", fmts=("o-",))

# %% [markdown]
# ### Find the bottleneck, then remove it
#
# The usual way to read pictures is one at a time: take the bytes of a picture, make a Pillow image, change it, convert it
# into a tensor, and at the end stack the tensors into a batch. For photographs in files that is right. For 55 MB of bytes
# that are in memory already it is slow. Here is such a reader:

# %% tags=["setup"]
from PIL import Image


class PillowReader(torch.utils.data.Dataset):
    """Grey pictures, one at a time through Pillow: (1, height, width) float32 from 0 to 1, and an int."""

    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.to_tensor(self.to_picture(self.images[i])), int(self.labels[i])

    def to_picture(self, pixels):
        return Image.fromarray(pixels.numpy())

    def to_tensor(self, picture):
        return torch.from_numpy(np.array(picture, dtype=np.float32) / 255)[None]

# %% [markdown]
# A *profiler* tells where the time goes. Python's own is `cProfile`: it counts the calls of each function and adds up its
# time, in two columns. `tottime` is the time in the function itself, `cumtime` includes the functions that it calls. The
# outermost function has the largest `cumtime` and is seldom the culprit.

# %%
reader = PillowReader(data.val.data[:1000], data.val.targets[:1000])
profile = cProfile.Profile()
profile.runcall(lambda: [len(y) for X, y in torch.utils.data.DataLoader(reader, batch_size=256)])
pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(8);

# %% [markdown]
# `pstats.Stats(profile).stats` holds the same as a dictionary. A key is `(file, line, name)`, a value `(primitive calls,
# calls, tottime, cumtime, callers)`. The profiler slows each call down, so many small calls look worse than they are:
# use it to find the place, and a clock to measure the gain.

# %% [markdown] task="4.2.2a" kind="code" minutes=12 difficulty=3
# ### The functions that take the time
#
# Write `hot_spots(call, n)`. It runs `call()` once under `cProfile` and returns the names (strings) of the `n` functions
# with the largest *own* time, the largest first. The name is the third entry of the key in `pstats.Stats(...).stats`.
#
# **You are done when** the check finds the function whose own time is largest, though another one calls it.

# %% exercise="4.2.2a"
def hot_spots(call, n):
    """The names of the n functions with the largest own time while call() runs, the largest first."""
    ### BEGIN SOLUTION
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    keys = sorted(found, key=lambda key: found[key][2], reverse=True)
    return [key[2] for key in keys[:n]]
    ### END SOLUTION

# %% [markdown] hints="4.2.2a"
# 1. Which of the two times of the table is large for a function that only calls others?
# 2. `sorted(d, key=lambda k: d[k][2], reverse=True)` sorts the keys of a dictionary by the third entry of their values,
#    the largest first.
# 3. The three longest words of a text: `sorted(set(text.split()), key=len, reverse=True)[:3]`.

# %% check="4.2.2a" points=2
@probe
def profiled(rounds, n):
    def count_up(rounds):
        x = 0
        for i in range(rounds):
            x += i
        return x

    def sum_digits(rounds):
        x = 0
        for i in range(rounds):
            x += i
        return x

    def little():
        return 1

    def outer():
        for _ in range(200):
            little()
        return count_up(rounds[0]) + sum_digits(rounds[1])

    def whole():
        return outer()

    return hot_spots(whole, n)

found_names = profiled([1_500_000, 300_000], 2)
assert_equal(len(found_names), 2, "the number of names for n = 2")
assert_equal(found_names[0], "count_up", "the function with the largest own time",
             mistakes={"It only calls others: that is its cumtime.": "whole",
                       "It is called most often, which is not the same.": "little",
                       "The name is one of the three entries of the key.": ("~", 0, "count_up")})
### BEGIN HIDDEN TESTS
swapped = profiled([300_000, 1_500_000], 2)
assert_equal(swapped[0], "sum_digits", "the function with the largest own time, in another program",
             hint="Sort by own time, the largest first, and give names.")
assert_equal(swapped[1], "count_up", "the function with the second largest own time, in another program")
assert_equal(len(profiled([400_000, 80_000], 1)), 1, "the number of names for n = 1")
assert_equal(len(profiled([400_000, 80_000], 4)), 4, "the number of names for n = 4")
### END HIDDEN TESTS

# %% [markdown] task="4.2.2b" kind="code" minutes=15 difficulty=3 core=true
# ### A whole batch at once
#
# Write `fast_batches(images, labels, batch_size, order)`. `images` is `uint8` of shape (N, height, width), `labels`
# `uint8` of shape (N,), `order` a tensor of row numbers, `int64` of shape (M,). It returns or yields, for each batch,
# a pair (X, y): the next `batch_size` rows in the given order, with X `float32` of shape (rows, 1, height, width) and
# values from 0 to 1, and y `int64` of shape (rows,). The last batch may be smaller. The arguments are not changed.
#
# The work in Python for a batch must not grow with the number of its rows. The check counts operations, calls, and
# steps of Python for batches of 8 rows and of 64.
#
# **You are done when** the check finds the batches of the slow reader, and the same count for both sizes.

# %% exercise="4.2.2b"
def fast_batches(images, labels, batch_size, order):
    """Batches X (rows, 1, height, width) float32 and y (rows,) int64, cut from tensors by index."""
    ### BEGIN SOLUTION
    for rows in order.split(batch_size):
        yield images[rows].unsqueeze(1).float() / 255, labels[rows].long()
    ### END SOLUTION

# %% [markdown] hints="4.2.2b"
# 1. What does `images[rows]` give for a *tensor* of row numbers?
# 2. `order.split(5)` cuts a tensor into pieces of 5, the last one possibly shorter. A function with `yield` hands out one
#    value after another to a `for` loop.
# 3. Rows 2, 0 and 2 of a table, halved: `table[torch.tensor([2, 0, 2])].float() / 2`, without a loop.

# %% check="4.2.2b" points=3
@probe
def batches_of(images, labels, batch_size, order):
    images, labels, order = images.clone(), labels.clone(), order.clone()
    return [[X, y] for X, y in fast_batches(images, labels, batch_size, order)], images, labels, order

@probe
def work(images, labels, batch_size, order):
    """Operations on tensors, calls, and steps of Python while the batches are made."""
    import sys
    from torch.utils._python_dispatch import TorchDispatchMode
    counts = {"operations": 0, "calls": 0, "steps": 0}

    class Counting(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            counts["operations"] += 1
            return func(*args, **(kwargs or {}))

    def called(frame, event, arg):
        counts["calls"] += event in ("call", "c_call")

    def stepped(frame, event, arg):
        frame.f_trace_opcodes = True
        counts["steps"] += event == "opcode"
        return stepped

    old = sys.gettrace(), sys.getprofile()
    for _ in fast_batches(images, labels, batch_size, order):     # the first use of an operation costs more
        pass
    with Counting():
        for _ in fast_batches(images, labels, batch_size, order):
            pass
    sys.settrace(stepped)
    try:
        for _ in fast_batches(images, labels, batch_size, order):
            pass
    finally:
        sys.settrace(old[0])
    sys.setprofile(called)
    try:
        for _ in fast_batches(images, labels, batch_size, order):
            pass
    finally:
        sys.setprofile(old[1])
    return counts

rng = torch.Generator().manual_seed(42)
bytes_, classes = torch.randint(0, 256, (512, 3, 5), generator=rng).byte(), torch.arange(512).remainder(10).byte()
made = batches_of(bytes_[:7], classes[:7], 4, torch.tensor([6, 0, 3, 2, 5]))[0]
slow = [PillowReader(bytes_, classes)[i] for i in (6, 0, 3, 2, 5)]
assert_equal(len(made), 2, "the number of batches for 5 rows in batches of 4")
assert_shape(made[0][0], (4, 1, 3, 5), "the shape of X for 4 pictures of 3 x 5")
assert_dtype(made[0][0], torch.float32, "the dtype of X")
assert_dtype(made[0][1], torch.int64, "the dtype of y")
assert_close(made[0][0], torch.stack([x for x, _ in slow[:4]]), "X of the first batch, against PillowReader",
             mistakes={"A byte of 255 is to become 1: divide by 255.": torch.stack([255 * x for x, _ in slow[:4]]),
                       "These are the first rows: take those that `order` names.": bytes_[:4, None].float() / 255})
assert_equal(made[1][1], [5], "y of the second batch")
few, many = work(bytes_, classes, 8, torch.arange(32)), work(bytes_, classes, 64, torch.arange(256))
assert_true(many["operations"] <= few["operations"] + 8, "as many operations for 4 batches of 64 as for 4 of 8",
            hint=f"{few['operations']} for batches of 8, {many['operations']} for 64: is there work for each picture?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(422)
pixels = torch.randint(0, 256, (23, 4, 6), generator=rng).byte()
kinds = torch.randint(0, 10, (23,), generator=rng).byte()
for size, chosen in ((5, torch.randperm(23, generator=rng)), (4, torch.tensor([22, 1, 1, 7, 0, 3, 9, 2])),
                     (50, torch.randperm(23, generator=rng)[:9]), (1, torch.tensor([13, 5, 8]))):
    words = f"{len(chosen)} of 23 pictures in batches of {size}"
    made, left_images, left_labels, left_order = batches_of(pixels, kinds, size, chosen)
    assert_equal([len(y) for _, y in made], [len(r) for r in chosen.split(size)], f"the rows of each batch, {words}")
    for k, (X_, y_) in enumerate(made):
        rows = chosen.split(size)[k]
        assert_shape(X_, (len(rows), 1, 4, 6), f"the shape of X, {words}")
        assert_dtype(X_, torch.float32, f"the dtype of X, {words}")
        assert_shape(y_, (len(rows),), f"the shape of y, {words}")
        assert_dtype(y_, torch.int64, f"the dtype of y, {words}")
        assert_close(X_, torch.from_numpy(pixels.numpy()[rows.numpy()][:, None] / np.float32(255)), f"X, {words}",
                     hint="Pixels from 0 to 255 become values from 0 to 1, in the order given.")
        assert_close(y_, torch.from_numpy(kinds.numpy()[rows.numpy()].astype("int64")), f"y, {words}")
    assert_close(left_images, pixels, "the argument images after the call")
    assert_close(left_labels, kinds, "the argument labels after the call")
    assert_close(left_order, chosen, "the argument order after the call")
few, many = work(bytes_, classes, 8, torch.arange(48)), work(bytes_, classes, 64, torch.arange(384))
for what_ in ("operations", "calls", "steps"):
    assert_true(many[what_] <= 1.2 * few[what_] + 20, f"as many {what_} for 6 batches of 64 rows as for 6 of 8",
                hint=f"{few[what_]} for batches of 8, {many[what_]} for 64: there is work for each picture.")
### END HIDDEN TESTS

# %% [markdown]
# What the change is worth, on the 10,000 pictures for validation, in batches of 256. A loader with worker processes hides
# the slowness of the reader behind other cores, at the price of starting them and of sending every batch over; it does
# not remove it.

# %% tags=["demo"]
def seconds_of(loader):
    start = time.perf_counter()
    for _ in loader:
        pass
    return time.perf_counter() - start

reader = PillowReader(data.val.data, data.val.targets)
slow = seconds_of(torch.utils.data.DataLoader(reader, batch_size=256))
quick = min(seconds_of(data.val_dataloader()) for _ in range(3))
print(f"one picture at a time through Pillow: {slow:.3f} s")
print(f"a batch at a time:                    {quick:.3f} s, {slow / quick:.0f} times as fast")

# %% [markdown] task="4.2.2c" kind="code" minutes=8 difficulty=2
# ### What a faster reader is worth
#
# A reader that is 100 times as fast does not make the training 100 times as fast, since the model has work of its own.
#
# Write `epoch_speedup(share, factor)`. `share` is the share of an epoch's time that reading takes (0 to 1), `factor`
# how many times faster reading becomes. It returns how many times faster the epoch becomes. Reading and computing take
# turns. `factor` may be `math.inf`, and both arguments may be tensors that broadcast.
#
# **You are done when** the check shows 1 where reading takes no time, and 2 where it takes half of the time and becomes
# infinitely fast.

# %% exercise="4.2.2c"
def epoch_speedup(share, factor):
    """How many times faster an epoch gets if its part `share` gets `factor` times faster (Amdahl's law)."""
    ### BEGIN SOLUTION
    return 1 / (1 - share + share / factor)
    ### END SOLUTION

# %% [markdown] hints="4.2.2c"
# 1. Let an epoch take 1 second. How long does the part that is not reading take, before and after?
# 2. The speed-up is the old time divided by the new time. The new time is a sum of two parts.
# 3. A way of 10 km, 4 km of them by boat at 10 km/h and 6 km by bus at 30 km/h, takes 0.4 + 0.2 = 0.6 h. With a boat
#    twice as fast it takes 0.2 + 0.2 = 0.4 h: 1.5 times as fast, not 2.

# %% check="4.2.2c" points=1
assert_close(epoch_speedup(0.0, 50), 1.0, "reading takes no time")
assert_close(epoch_speedup(0.5, math.inf), 2.0, "reading takes half of the time and becomes infinitely fast",
             mistakes={"This is the new time: the speed-up is the old time divided by it.": 0.5,
                       "A faster reader takes less time: its part of the time is divided by `factor`.": math.inf})
assert_close(epoch_speedup(0.5, 2), 4 / 3, "reading takes half of the time and becomes twice as fast",
             mistakes={"That is the mean of the two speeds; times add up, speeds do not.": 1.5})
### BEGIN HIDDEN TESTS
assert_close(epoch_speedup(0.71, 12), 1 / (0.29 + 0.71 / 12), "a share of 0.71, 12 times as fast")
assert_close(epoch_speedup(1.0, 7), 7.0, "nothing but reading")
assert_close(epoch_speedup(0.3, 0.5), 1 / 1.3, "a reader that becomes half as fast")
shares, factors = torch.tensor([[0.1], [0.55], [0.9]]), torch.tensor([1., 3., 40., math.inf])
new_times = torch.stack([1 - s + s / factors for s in shares.flatten()])
assert_close(epoch_speedup(shares, factors), new_times.reciprocal(), "shares (3, 1) against factors (4,)")
### END HIDDEN TESTS

# %% [markdown]
# ### Which other data sets there are

# %% [markdown] task="4.2.3" kind="explain" minutes=20 difficulty=3
# ### The catalogue of torchvision
#
# The package `torchvision` can read many more data sets. Its documentation lists them, and Python can list them, too:
# `torchvision.datasets.__all__` holds the public names, and `inspect.signature` tells what arguments a class takes.
#
# Write `datasets_with(argument)`. It returns the sorted list of the names in `torchvision.datasets.__all__` that are
# classes whose constructor takes an argument of this name. Functions do not count, nor does an argument that could only
# come in through `**kwargs`.
#
# Then answer in words, with the documentation (`help(torchvision.datasets.CIFAR10)` or the web page):
# 1. FashionMNIST asks for `train=`, others for `split=`. What can a class with `split=` offer that one with `train=`
#    cannot? Name two classes of each kind.
# 2. Name one data set that is *not* made for classification of whole pictures, with its task and the form of its targets.
# 3. You replace Fashion-MNIST by CIFAR-10. What changes in the shapes of the batches, and so in a
#    softmax regression, whose weight has a row for each number of a picture and a column for each class?
#
# **You are done when** the check finds FashionMNIST among the classes that take `train`, and your words answer all three
# questions.

# %% exercise="4.2.3"
def datasets_with(argument):
    """The sorted names of torchvision's data sets whose constructor takes this argument."""
    ### BEGIN SOLUTION
    from torchvision import datasets
    found = []
    for name in datasets.__all__:
        kind = getattr(datasets, name)
        if isinstance(kind, type) and argument in inspect.signature(kind).parameters:
            found.append(name)
    return sorted(found)
    ### END SOLUTION

# %% [markdown] hints="4.2.3"
# 1. How do you get from the string `"CIFAR10"` to the class of that name? How do you tell a class from a function?
# 2. `getattr(module, name)`, `isinstance(x, type)`, and `inspect.signature(x).parameters`, which is a mapping from names.
# 3. For another module: `[n for n in math.__all__]` fails, since `math` has none; `[n for n in dir(math) if
#    callable(getattr(math, n))]` lists its functions.

# %% check="4.2.3" points=2
with_train = datasets_with("train")
assert_type(with_train, list, "what datasets_with returns")
assert_true("FashionMNIST" in with_train, "FashionMNIST takes train=")
assert_true("SVHN" not in with_train, "SVHN does not take train=")
assert_true("SVHN" in datasets_with("split"), "SVHN takes split=")
assert_equal(list(with_train), sorted(with_train), "the names are sorted")
### BEGIN HIDDEN TESTS
def truly_with(argument):
    from torchvision import datasets
    classes = [name for name in datasets.__all__ if isinstance(getattr(datasets, name), type)]
    return sorted(n for n in classes if argument in inspect.getfullargspec(getattr(datasets, n).__init__).args
                  + inspect.getfullargspec(getattr(datasets, n).__init__).kwonlyargs)

for argument_ in ("train", "split", "image_set", "target_keys", "dataset", "images", "num_classes", "no_such_argument"):
    assert_equal(datasets_with(argument_), truly_with(argument_), f"the data sets that take {argument_}=",
                 hint="Classes only, and only arguments that the signature names.")
### END HIDDEN TESTS

# %% [markdown] written="4.2.3" points=3
# ### BEGIN SOLUTION
# 1. `train=` is a truth value, so there are exactly two parts: training and test. `split=` is a string and can name more:
#    `SVHN` has `"train"`, `"test"`, `"extra"`, `STL10` has `"unlabeled"`, `Flowers102` and `DTD` have `"val"`. With
#    `train=`: `CIFAR10`, `MNIST`. A part for validation keeps the test part for the end.
# 2. `VOCDetection`: find objects. Its target is a dictionary with a box and a class for each object, so targets of
#    different pictures differ in length. (Or `VOCSegmentation`: a class for each pixel; `KittiFlow`: a displacement for
#    each pixel; `CocoCaptions`: sentences.)
# 3. CIFAR-10 has colour pictures of 32 by 32: X is (batch, 3, 32, 32), so a picture has 3,072 values in place of 784 and
#    the weight of the softmax regression becomes (3072, 10). y stays (batch,), `int64`, ten classes. There are 50,000
#    pictures for training, so 196 batches of 256.
#
# **Rubric**
# - [1] `split` can name more than two parts (validation, unlabelled, extra); evidence: two classes of each kind; lost by:
#   "two names for the same thing"
# - [1] One data set with another task (detection, segmentation, flow, captions, pairs) and the form of its targets;
#   evidence: what the documentation says of the target; lost by: another data set for classification
# - [1] X becomes (batch, 3, 32, 32) and the weight has 3,072 rows; also accepted: converting to grey and resizing to 28;
#   lost by: "only the number of channels changes, the model stays as it is"
# ### END SOLUTION

# %% [markdown]
# ### From bytes to a batch
#
# ⚠ Bytes are for storage, not for arithmetic. `uint8` wraps around at 256 without a word, and a division in place cannot
# store its result:

# %%
pixel = torch.tensor([100, 200, 255], dtype=torch.uint8)
print("pixel + 100  ", pixel + 100)
print("pixel // 255 ", pixel // 255)
print("pixel / 255  ", pixel / 255)
try:
    pixel /= 255
except RuntimeError as error:
    print("pixel /= 255  raises", error)

# %% [markdown] task="4.2.4" kind="code" minutes=8 difficulty=2 core=true
# ### Shapes and dtypes
#
# Write `as_batch(raw, labels)`. `raw` is `uint8` of shape (n, height, width), `labels` `uint8` of shape (n,). It returns
# the pair (X, y) that a model of this book expects: X `float32` of shape (n, 1, height, width) with values from 0 to 1,
# y `int64` of shape (n,). The arguments stay as they are.
#
# **You are done when** the check shows both shapes and dtypes and the values 0, 0.2 and 1 for the bytes 0, 51 and 255.

# %% exercise="4.2.4"
def as_batch(raw, labels):
    """uint8 (n, height, width) and (n,) -> float32 (n, 1, height, width) from 0 to 1 and int64 (n,)."""
    ### BEGIN SOLUTION
    return raw[:, None].float() / 255, labels.long()
    ### END SOLUTION

# %% [markdown] hints="4.2.4"
# 1. At which position does the axis of the channel stand, and what is its length?
# 2. `float()` converts to `float32`, `double()` to `float64`, `long()` to `int64`. Indexing with `None` puts in an axis.
# 3. For minutes as `int16` of shape (5, 2): `minutes[:, :, None].float() / 60` are hours, `float32`, of shape (5, 2, 1).

# %% check="4.2.4" points=2
one = torch.tensor([[[0, 51, 255], [51, 0, 0]]], dtype=torch.uint8)
X_one, y_one = as_batch(one, torch.tensor([9], dtype=torch.uint8))
assert_shape(X_one, (1, 1, 2, 3), "the shape of X for one picture of 2 x 3")
assert_dtype(X_one, torch.float32, "the dtype of X")
assert_close(X_one[0, 0], torch.tensor([[0., 0.2, 1.], [0.2, 0., 0.]]), "the values for the bytes 0, 51 and 255",
             mistakes={"255 is the largest byte and becomes 1: divide by 255, not by 256.": one[0] / 256,
                       "Integer division rounds down: every byte below 255 becomes 0.": torch.tensor([[0., 0., 1.], [0., 0., 0.]])})
assert_shape(y_one, (1,), "the shape of y")
assert_dtype(y_one, torch.int64, "the dtype of y")
### BEGIN HIDDEN TESTS
@probe
def converted(raw, labels):
    raw, labels = raw.clone(), labels.clone()
    X, y = as_batch(raw, labels)
    return X, y, raw, labels

rng = torch.Generator().manual_seed(424)
for shape in ((6, 5, 3), (2, 1, 4), (0, 3, 2)):
    bytes_of = torch.randint(0, 256, shape, generator=rng).byte()
    labels_of = torch.randint(0, 200, shape[:1], generator=rng).byte()
    X_made, y_made, raw_after, labels_after = converted(bytes_of, labels_of)
    words = f"pictures of shape {shape}"
    assert_shape(X_made, (shape[0], 1, *shape[1:]), f"the shape of X, {words}")
    assert_dtype(X_made, torch.float32, f"the dtype of X, {words}")
    assert_close(X_made, torch.from_numpy(bytes_of.numpy().astype("float32") / 255)[:, None], f"X, {words}",
                 hint="Pixels from 0 to 255 become values from 0 to 1, for any batch.")
    assert_shape(y_made, shape[:1], f"the shape of y, {words}")
    assert_dtype(y_made, torch.int64, f"the dtype of y, {words}")
    assert_close(y_made, torch.tensor(labels_of.tolist(), dtype=torch.int64), f"y, {words}",
                 hint="Labels over 127 need care: which dtype did they pass through?")
    assert_dtype(raw_after, torch.uint8, f"the dtype of the argument raw after the call, {words}")
    assert_close(raw_after, bytes_of, f"the argument raw after the call, {words}")
### END HIDDEN TESTS

# %% [markdown] task="4.2.5" kind="code" minutes=10 difficulty=3
# ### Smaller pictures
#
# Write `shrink(X, k)`. `X` is floating point of shape (n, channels, height, width). Each pixel of the result is the mean
# of a block of `k` by `k` pixels of its channel, so the shape is (n, channels, height / k, width / k). Where `k` does not
# divide height and width, it raises a `ValueError` whose message names the height and the width.
#
# **You are done when** the check shows the four means of a picture of 4 by 4 with k = 2, and a `ValueError` for k = 3.

# %% exercise="4.2.5"
def shrink(X, k):
    """Means of blocks of k x k pixels: (n, c, h, w) -> (n, c, h / k, w / k). Raises ValueError if k does not divide."""
    ### BEGIN SOLUTION
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"pictures of {h} x {w} pixels do not divide into blocks of {k} x {k}")
    return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(3, 5))
    ### END SOLUTION

# %% [markdown] hints="4.2.5"
# 1. An axis of length 6 is 3 blocks of 2. Which shape shows that?
# 2. `reshape(3, 2)` of a vector of length 6 puts block after block into the rows; `mean(dim=1)` is the mean of each.
#    Height and width can be split in one reshape.
# 3. Sums over three weeks of seven days, for 2 shops: `sales.reshape(2, 3, 7).sum(dim=2)` for `sales` of shape (2, 21).

# %% check="4.2.5" points=2
counting = torch.arange(16.).reshape(1, 1, 4, 4)
assert_shape(shrink(counting, 2), (1, 1, 2, 2), "the shape for 4 x 4 pixels and k = 2")
assert_close(shrink(counting, 2)[0, 0], torch.tensor([[2.5, 4.5], [10.5, 12.5]]), "the means for the pixels 0 to 15",
             mistakes={"These blocks are runs of one line: split the height into (h / k, k), and the width likewise.":
                       torch.tensor([[1.5, 5.5], [9.5, 13.5]]),
                       "These are every second pixel, not means of blocks.": torch.tensor([[0., 2.], [8., 10.]]),
                       "These are sums of blocks, not means.": torch.tensor([[10., 18.], [42., 50.]])})
assert_raises(ValueError, shrink, counting, 3, what="4 x 4 pixels with k = 3")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(425)
for shape, k_ in (((3, 2, 6, 9), 3), ((2, 3, 4, 10), 2), ((1, 1, 8, 4), 4), ((4, 3, 5, 2), 1)):
    pictures_ = torch.randn(shape, generator=rng)
    wanted = torch.nn.functional.avg_pool2d(pictures_, k_)
    assert_shape(shrink(pictures_, k_), tuple(wanted.shape), f"the shape for {shape} and k = {k_}")
    assert_close(shrink(pictures_, k_), wanted, f"the means for {shape} and k = {k_}")
assert_raises(ValueError, shrink, torch.zeros(1, 1, 6, 8), 4, what="6 x 8 pixels with k = 4", match="6")
assert_raises(ValueError, shrink, torch.zeros(1, 1, 8, 7), 4, what="8 x 7 pixels with k = 4", match="7")

@probe
def picture_after(X, k):
    X = X.clone()
    shrink(X, k)
    return X

assert_close(picture_after(pictures_, 1), pictures_, "the argument after the call")
### END HIDDEN TESTS

# %% [markdown]
# ### Names and pictures
#
# ⚠ A tensor is a bad key. A dictionary looks keys up by their hash, and the hash of a tensor is that of the object, not
# of its number:

# %%
by_number = {0: "t-shirt", 1: "trouser"}
print("hash(1) == hash(torch.tensor(1)) is", hash(1) == hash(torch.tensor(1)))
print(by_number.get(1), by_number.get(torch.tensor(1)))

# %% [markdown] task="4.2.6" kind="code" minutes=7 difficulty=2
# ### Text labels
#
# Write two functions. `text_labels(indices, names)` returns the list of the names of the classes `indices`. `indices` is a
# list of ints, or a tensor of shape (n,) of any integer dtype; `names` is the list of all names, class 0 first.
# `class_numbers(labels, names)` goes the other way: from a list of names to an `int64` tensor of shape (n,), also
# where n = 0. A name that does not exist raises a `ValueError` or a `KeyError`.
#
# **You are done when** the check translates three classes there and back.

# %% exercise="4.2.6"
def text_labels(indices, names):
    """The names of the classes, a list of strings."""
    ### BEGIN SOLUTION
    return [names[int(i)] for i in indices]


def class_numbers(labels, names):
    """The numbers of the named classes, int64 of shape (n,)."""
    return torch.tensor([names.index(label) for label in labels], dtype=torch.int64)
    ### END SOLUTION

# %% [markdown] hints="4.2.6"
# 1. What do you get when you go through a tensor with `for`: numbers, or tensors?
# 2. `int(t)` or `t.item()` turns a tensor of one entry into a number. `names.index("dress")` finds the position.
# 3. Days from numbers: `[week[int(d)] for d in torch.tensor([0, 6])]` with a list `week` of seven names.

# %% check="4.2.6" points=1
clothes = ["hat", "scarf", "glove", "sock"]
assert_type(text_labels(torch.tensor([2, 0, 2]), clothes), list, "what text_labels returns")
assert_equal(text_labels(torch.tensor([2, 0, 2]), clothes), ["glove", "hat", "glove"], "text_labels for a tensor (2, 0, 2)")
assert_equal(text_labels([3], clothes), ["sock"], "text_labels for a list")
assert_close(class_numbers(["sock", "hat"], clothes), torch.tensor([3, 0]), "class_numbers for sock and hat")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(426)
fashion_names = list(d2l.FashionMNIST().train.classes)
for kind_, names_ in ((torch.uint8, fashion_names), (torch.int32, fashion_names[::-1]), (torch.int64, clothes)):
    chosen = torch.randint(0, len(names_), (13,), generator=rng).to(kind_)
    wanted = [names_[i] for i in chosen.tolist()]
    assert_equal(text_labels(chosen, names_), wanted, f"text_labels for a tensor of {kind_} with {len(names_)} names")
    assert_dtype(class_numbers(wanted, names_), torch.int64, "the dtype of class_numbers")
    assert_close(class_numbers(wanted, names_), chosen.long(), f"class_numbers for 13 of {len(names_)} names")
assert_equal(text_labels([], clothes), [], "text_labels for no classes")
assert_dtype(class_numbers([], clothes), torch.int64, "the dtype of class_numbers for no names")
assert_raises((ValueError, KeyError), class_numbers, ["hat", "shoe"], clothes, what="a name that does not exist")
### END HIDDEN TESTS

# %% [markdown] task="4.2.7" kind="code" minutes=15 difficulty=3
# ### A contact sheet
#
# Many pictures are seen fastest as one. Write `contact_sheet(images, num_cols)`. `images` has shape (n, height, width),
# any dtype. The result, of the same dtype, shows them in rows of `num_cols`, first row first, each row from left to
# right. Its shape is (rows · height, num_cols · width), with as many rows as needed; places without a picture are 0.
#
# **You are done when** the check shows three pictures of 1 by 2 pixels in two columns, and the sheet of the first 40
# validation pictures below looks right.

# %% exercise="4.2.7"
def contact_sheet(images, num_cols):
    """n pictures (n, h, w) in one, (rows * h, num_cols * w), row by row; places that stay empty are 0."""
    ### BEGIN SOLUTION
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    places[:n] = images
    return places.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)
    ### END SOLUTION

# %% [markdown] hints="4.2.7"
# 1. In the sheet, which of these four runs fastest: row of pictures, column of pictures, line of pixels, pixel in a line?
# 2. `reshape` never changes the order of the entries; `permute` does. First give every picture a place (row, column),
#    then bring the axes into the order row, line, column, pixel.
# 3. Two words letter by letter in turn: `torch.stack([a, b]).permute(1, 0).reshape(-1)` is a₀ b₀ a₁ b₁ and so on.

# %% check="4.2.7" points=2
three = torch.tensor([[[1, 2]], [[3, 4]], [[5, 6]]])
assert_shape(contact_sheet(three, 2), (2, 4), "the shape for three pictures of 1 x 2 in two columns")
assert_equal(contact_sheet(three, 2), [[1, 2, 3, 4], [5, 6, 0, 0]], "three pictures of 1 x 2 in two columns")
two = torch.tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
assert_equal(contact_sheet(two, 2), [[1, 2, 5, 6], [3, 4, 7, 8]], "two pictures of 2 x 2 side by side",
             mistakes={"Two lines of one picture stand beside each other: a reshape alone does not move pixels.":
                       [[1, 2, 3, 4], [5, 6, 7, 8]]})
### BEGIN HIDDEN TESTS
def sheet_by_numpy(images, num_cols):
    array = images.numpy()
    blank = np.zeros_like(array[0])
    rows = [list(array[i:i + num_cols]) for i in range(0, len(array), num_cols)]
    return torch.from_numpy(np.block([row + [blank] * (num_cols - len(row)) for row in rows]))

rng = torch.Generator().manual_seed(427)
for shape, cols in (((7, 2, 3), 3), ((6, 4, 1), 2), ((2, 3, 5), 4), ((5, 1, 2), 1), ((12, 3, 2), 4)):
    for kind_ in (torch.uint8, torch.float32):
        pictures_ = torch.randint(1, 256, shape, generator=rng).to(kind_)
        wanted, words = sheet_by_numpy(pictures_, cols), f"pictures of shape {shape} in {cols} columns"
        assert_shape(contact_sheet(pictures_, cols), tuple(wanted.shape), f"the shape for {words}")
        assert_dtype(contact_sheet(pictures_, cols), kind_, f"the dtype for {words}")
        assert_close(contact_sheet(pictures_, cols), wanted, f"{words}")
### END HIDDEN TESTS

# %% tags=["demo"]
sheet = contact_sheet(data.val.data[:40], 10)
if sheet is not None:
    d2l.show_images([sheet], 1, 1, scale=6);
