# %% [markdown]
# # 4.2 Image classification data
#
# So far our examples were rows of a few numbers. Now they are pictures: 70,000 small grey photographs of clothes, in ten classes. The classifiers of chapters 4 and 5 learn from them.
# A picture file is bytes; a model wants batches of floating point numbers. Somebody has to turn the one into the other, correctly and quickly. An error on the way raises no exception. The training just gets worse, or slower, and one looks for the fault in the model.
#
# At the end you can
# - turn bytes into a batch, with every axis and dtype as a model expects them;
# - say how many batches a pass over the data has, and which shapes;
# - make a picture smaller without inventing patterns that are not there;
# - find out what a slow program spends its time on, mend it, and say beforehand what that will be worth.

# %% tags=["setup"]
from d2l_utils.check import *
import cProfile
import inspect
import math
import pstats
import time
import numpy as np
import torch
from torch.nn import functional as F
import d2l_utils as d2l

# %% [markdown] teaches="pixel, picture as a tensor, validation set"
# ## 1. A picture is a table of numbers
#
# The data set is called Fashion-MNIST. `d2l.FashionMNIST` is a data module, as in section 3.2: `train` and `val` are its data sets. The files are in the folder `data/` of this book. They are unpacked once and then lie in memory, each set as one tensor.

# %% teaches="pixel, picture as a tensor"
data = d2l.FashionMNIST(batch_size=256)
print("training:  ", tuple(data.train.data.shape), data.train.data.dtype, " labels", tuple(data.train.targets.shape), data.train.targets.dtype)
print("validation:", tuple(data.val.data.shape), data.val.data.dtype, " labels", tuple(data.val.targets.shape), data.val.targets.dtype)

# %% [markdown]
# Read the shape from the left: 60,000 pictures, each with 28 rows (its height) of 28 *pixels* (its width). A pixel is one byte, a whole number from 0 to 255; torch calls that `uint8`. 0 is black and 255 is white. Here are a few rows from the middle of the first picture, and the picture itself:

# %% tags=["demo"] teaches="pixel"
import matplotlib.pyplot as plt

first = data.train.data[0]                                # (28, 28)
print(first[12:16, 8:20])
figure, axes = plt.subplots(figsize=(2.6, 2.4), layout="constrained")
shown = axes.imshow(first, cmap="gray", vmin=0, vmax=255)
axes.set(xlabel="column", ylabel="row")
figure.colorbar(shown, label="byte")
plt.show()

# %% [markdown]
# It is an ankle boot, light on a black ground. The bar on the right says which byte has which grey. (matplotlib draws a table in *colours* unless it is told otherwise; `cmap="gray"` asks for grey.)
#
# ⚠ The makers of Fashion-MNIST call the 10,000 pictures its *test set*. This book, like many others, looks at them after every epoch: it uses them as a *validation set*. Whoever picks the best of many models by them has no test set left (section 3.6), and the accuracy of the winner is flattering. To be strict, one cuts a validation set from the 60,000.

# %% [markdown] teaches="wrap-around of uint8"
# ### Bytes are for storage
#
# ⚠ One byte has no room for 256. Arithmetic on `uint8` wraps around without a word, a whole-number division rounds almost everything to 0, and a division in place has nowhere to put its result:

# %% tags=["demo"] teaches="wrap-around of uint8, bytes to floats"
pixel = torch.tensor([100, 200, 255], dtype=torch.uint8)
print("pixel + 100  ", pixel + 100)
print("pixel // 255 ", pixel // 255)
print("pixel / 255  ", pixel / 255)
print("float first  ", pixel.float() + 100)
for words, attempt in (("pixel /= 255 ", lambda: pixel.div_(255)), ("pixel.mean() ", lambda: pixel.mean())):
    try:
        attempt()
    except RuntimeError as error:
        print(words, "raises:", str(error)[:75])

# %% [markdown] teaches="bytes to floats"
# 200 + 100 became 44, which is 300 - 256. So the rule is: first to floating point, then arithmetic. A model gets values from 0 to 1, the byte divided by 255. Divide by 255 and not by 256: the largest byte is 255, and it is to become exactly 1.
# A mean over several axes at once is `mean(dim=(1, 2))`: of shape (n, h, w) only (n,) is left.

# %% [markdown] task="4.2.A" kind="code" minutes=3 difficulty=1 core=true needs="pixel, bytes to floats, mean along an axis"
# ### How bright is each picture?
#
# Write `brightness(images)` for `uint8` pictures of shape (n, height, width). It returns the mean of the pixels of each picture, as a floating point tensor (a NumPy array will do): 0 for a black picture, 1 for a white one.
#
# **You are done when**
# - **one for each picture**: the result has shape (n,), also for a single picture;
# - **values**: each entry is the mean of that picture's bytes, divided by 255.

# %% exercise="4.2.A"
def brightness(images):
    """The mean pixel of each picture, from 0 to 1: uint8 (n, h, w) -> floating point (n,)."""
    ### BEGIN SOLUTION
    return images.float().mean(dim=(1, 2)) / 255
    ### END SOLUTION

# %% [markdown] hints="4.2.A"
# 1. Which axes go, and which one stays?
# 2. `mean` refuses bytes. `float()` makes `float32` of them.
# 3. The mean temperature of each of 3 towns, for `t` of shape (3, 12, 30) in tenths of a degree: `t.float().mean(dim=(1, 2)) / 10`.

# %% check="4.2.A" points=1
def which_divisor(got, rows):
    """What the values say about the division: `rows` holds the bytes of each picture."""
    got = torch.as_tensor(got)
    if got.dtype in (torch.float16, torch.bfloat16):
        return f"{str(got.dtype)[6:]} keeps only two or three digits: `float()` makes float32, which keeps seven."
    pixels = rows.sum(dim=1) / got.double() / 255
    if len(rows) > 1 and torch.isfinite(pixels).all() and torch.allclose(pixels, pixels[:1], rtol=1e-4):
        return (f"These are the sums of the bytes divided by {pixels[0].item():.4g} and by 255: a picture has {rows.shape[1]} "
                f"pixels here, height times width.")
    return ""

def check_brightness(pictures, words, worked=""):
    """`brightness` of uint8 pictures, against NumPy's float64."""
    assert_type(brightness(pictures.clone()), (torch.Tensor, np.ndarray), f"what brightness returns for {words}",
                of="one for each picture",
                hint="A tensor (or an array) is asked, with a number for each picture.")
    n, h, w = pictures.shape
    got, wanted = brightness(pictures.clone()), pictures.numpy().astype("float64").reshape(len(pictures), -1).mean(axis=1) / 255
    axes = {"The mean goes over the height alone here; the width goes, too.": (n, w),
            "The mean goes over the width alone here; the height goes, too.": (n, h),
            "This is the mean picture: the mean goes over height and width, and the pictures stay.": (h, w),
            "The axes of height and width are still there, with length 1.": (n, 1, 1),
            "One axis is asked: this is a column.": (n, 1),
            "These are as many numbers as a picture has rows: the pictures were averaged, too, and they are to stay.": (h,),
            "This is one number for all pictures together: the mean goes over height and width alone." if n > 1 else
            "A single picture, too, has its entry along an axis: `squeeze` takes away every axis of length 1.": ()}
    assert_shape(got, (n,), f"the shape of the result for {words}", of="one for each picture",
                 hint="One entry for each picture, and no other axis.",
                 mistakes=axes)
    rows_of = pictures.double().flatten(1)
    slips = {"The bytes were divided as whole numbers: all but 255 became 0.": (rows_of == 255).double().mean(dim=1), "This is the median pixel; the mean is asked for.": rows_of.median(dim=1).values / 255,
             "This is the root of the mean square; the mean itself is asked for.": rows_of.square().mean(dim=1).sqrt() / 255,
             "These are sums of the pixels; the mean is asked for.": rows_of.sum(dim=1) / 255, "These are the lightest pixels; the mean is asked for.": rows_of.amax(dim=1) / 255,
             "Divide by the number of pixels of these pictures; not all have 28 by 28.": rows_of.sum(dim=1) / (28 * 28 * 255),
             "The lightest pixel of these pictures was taken for white; white is 255.": rows_of.mean(dim=1) / rows_of.max(),
             **({"The lightest pixel of each picture was taken for white; white is 255.":
                 rows_of.mean(dim=1) / rows_of.amax(dim=1).clamp(min=1)} if n > 1 else {}),
             **({"This mean goes over the pictures and the height; it goes over height and width, and the pictures stay.":
                 pictures.double().mean(dim=(0, 1)) / 255} if n == w else {}),
             "Black pixels count, too: the mean is over all pixels of a picture.":
                 rows_of.sum(dim=1) / (rows_of > 0).sum(dim=1).clamp(min=1) / 255,
             "These are rounded to two decimals: nothing is rounded.": torch.from_numpy(wanted).round(decimals=2),
             "This is the largest of the means of the columns; the mean goes over all pixels.":
                 pictures.double().mean(dim=1).amax(dim=1) / 255,
             "This is the largest of the means of the rows; the mean goes over all pixels.":
                 pictures.double().mean(dim=2).amax(dim=1) / 255,
             "The sum does not fit into a byte: first to floating point, then add up.":
                 rows_of.sum(dim=1) % 256 / rows_of.shape[1] / 255,
             "This is the share of the pixels that are not black; how light they are counts, too.":
                 (rows_of > 0).double().mean(dim=1),
             "This is half-way between the darkest and the lightest pixel; the mean takes all of them.":
                 (rows_of.amin(dim=1) + rows_of.amax(dim=1)) / 2 / 255,
             "This is the median of the means of the rows; the mean is asked for.":
                 pictures.double().mean(dim=2).median(dim=1).values / 255,
             "This is the median of the means of the columns; the mean is asked for.":
                 pictures.double().mean(dim=1).median(dim=1).values / 255,
             "Only the first row of each picture was averaged.": pictures[:, 0].double().mean(dim=1) / 255,
             "Only the first column of each picture was averaged.": pictures[:, :, 0].double().mean(dim=1) / 255,
             "The means were cut to whole bytes: floating point to the end.": rows_of.mean(dim=1).floor() / 255,
             "The means were rounded to whole bytes: floating point to the end.": rows_of.mean(dim=1).round() / 255}
    assert_close(torch.as_tensor(got).double(), torch.from_numpy(wanted), f"the brightness of {words}", of="values", rtol=1e-5, atol=1e-6,
                 hint=(lambda: which_divisor(got, rows_of), worked or "Entry i is the mean of all the bytes of picture i, divided by 255."),
                 mistakes={s: value for s, value in slips.items() if not np.allclose(value, wanted)} | {"These are means of the bytes, from 0 to 255: divide by 255.": torch.from_numpy(wanted * 255), "The largest byte is 255, and it becomes 1: divide by 255, not by 256.": torch.from_numpy(wanted * 255 / 256)})

two_pictures = torch.tensor([[[51, 0], [102, 204], [0, 0]], [[255, 204], [255, 255], [255, 255]]], dtype=torch.uint8)
check_brightness(two_pictures, "the pictures (51, 0; 102, 204; 0, 0) and (255, 204; 255, 255; 255, 255)",
                 "The six bytes of the first picture add up to 357, their mean is 59.5, and 59.5 / 255 is 0.2333.")
check_brightness(two_pictures[:1], "the first of these alone")
### BEGIN HIDDEN TESTS
bright_source = torch.Generator().manual_seed(4201)
for shape_ in ((5, 4, 3), (1, 28, 28), (7, 1, 2)):
    check_brightness(torch.randint(0, 256, shape_, generator=bright_source).byte(), f"random pictures of shape {shape_}")
### END HIDDEN TESTS

# %% [markdown] teaches="channel, order of axes of a picture"
# ### The axis of the channel
#
# A colour picture has three numbers for each pixel: red, green and blue. These three tables are its *channels*. A grey picture has one. Models are written for both, so even a grey picture gets an axis for its channel, of length 1. In torch it stands *in front of* height and width:

# %% teaches="channel, order of axes of a picture"
image, label = data.train[0]
print("one example:", tuple(image.shape), image.dtype, "from", image.min().item(), "to", image.max().item(), " label", label)
print("an axis put in:", tuple(data.train.data[:5, None].shape), tuple(data.train.data[:5].unsqueeze(1).shape))

# %% [markdown]
# ⚠ Image files keep the channels *last*: (height, width, 3), the three numbers of a pixel side by side. To bring them to the front, the axes must be exchanged: `permute(2, 0, 1)` says which old axis stands first, second, third. `reshape` gives the same shape, and shuffles the colours. A picture of one row with a red and a green pixel:

# %% teaches="order of axes of a picture"
row = torch.tensor([[[255, 0, 0], [0, 255, 0]]])          # (1, 2, 3): one row, two pixels, three channels
print("permute: red, green, blue =", row.permute(2, 0, 1).tolist())
print("reshape: red, green, blue =", row.reshape(3, 1, 2).tolist())

# %% [markdown]
# `permute` has red on the left and green on the right. `reshape` makes the left pixel red *and blue*, which is violet, and the right one black. Both have shape (3, 1, 2), and no error is raised.

# %% [markdown] task="4.2.4" kind="code" minutes=8 difficulty=2 core=true needs="bytes to floats, channel, order of axes of a picture, new axis, dtype"
# ### From bytes to a batch
#
# Write `as_batch(raw, labels)`. `raw` is `uint8`, either grey pictures of shape (n, height, width), or colour pictures as files hold them, of shape (n, height, width, channels). `labels` is `uint8` of shape (n,): a file of labels holds bytes, too, and `data.train.targets` above was made `int64` when it was read. It returns the pair (X, y) that a model of this book expects.
#
# **You are done when**
# - **shape**: X has shape (n, 1, height, width) for grey and (n, channels, height, width) for colour pictures; y has shape (n,);
# - **values**: X holds byte / 255, each pixel and each channel at its place, whatever the largest byte is;
# - **labels**: y holds the labels, also those over 127;
# - **dtypes**: X is `float32`, y is `int64`;
# - **arguments kept**: `raw` and `labels` are as they were.

# %% exercise="4.2.4"
def as_batch(raw, labels):
    """uint8 (n, h, w) or (n, h, w, c) and (n,) -> float32 (n, c, h, w) from 0 to 1 and int64 (n,)."""
    ### BEGIN SOLUTION
    if raw.dim() == 3:
        raw = raw.unsqueeze(3)
    return raw.permute(0, 3, 1, 2).float() / 255, labels.long()
    ### END SOLUTION

# %% [markdown] hints="4.2.4"
# 1. At which position does the axis of the channel stand, before and after? What tells grey from colour: how many axes has `raw`?
# 2. `raw.dim()` is the number of axes. `float()` converts to `float32`, `double()` to `float64`, `long()` to `int64`.
# 3. From (week, day, hour) to (week, hour, day): `t.permute(0, 2, 1)`.

# %% check="4.2.4" points=3
@probe
def after_as_batch(raw, labels):
    raw, labels = raw.clone(), labels.clone()
    as_batch(raw, labels)
    return [raw, labels]

@probe
def wrong_permutes(raw, labels):
    try:
        as_batch(raw.clone(), labels.clone())
    except RuntimeError as error:
        return int("permute" in str(error) and "number of dimensions" in str(error))
    except Exception:
        return 0
    return 0

def check_as_batch(raw, labels, words):
    """`as_batch` of bytes, against NumPy."""
    assert_equal(wrong_permutes(raw, labels), 0, f"how many errors of permute as_batch raises for {words}", of="shape",
                 hint=f"`permute` names each axis of its tensor once: a grey `raw` has three axes, a colour one four, and this one "
                 f"has {raw.dim()}.")
    assert_type(as_batch(raw.clone(), labels.clone()), (tuple, list), f"what as_batch returns for {words}, a pair", of="shape",
                hint="The pair (X, y) is asked: `return X, y`.")
    made = as_batch(raw.clone(), labels.clone())
    assert_equal(len(made), 2, f"the number of results for {words}", of="shape",
                 hint="The pair (X, y) is asked, and nothing besides.")
    X_made, y_made = made
    array = raw.numpy()
    array = array[..., None] if array.ndim == 3 else array
    wanted = torch.from_numpy(np.moveaxis(array, -1, 1).astype("float64") / 255)
    assert_type(X_made, torch.Tensor, f"X for {words}", of="shape")
    assert_type(y_made, torch.Tensor, f"y for {words}", of="shape")
    n, c, h, w = wanted.shape
    axes = [((n, h, w), "The axis of the channel is missing: a grey picture has one of length 1."),
            ((1, n, h, w), "The new axis stands in front of the pictures; that of the channel comes after them."),
            ((c, n, h, w) if c > 1 else (), "The channels stand in front of the pictures; their axis comes after that of the "
             "pictures."),
            ((n, 1, h, w, c), "A colour picture has an axis for its channels already: it is moved, and none is put in."),
            ((n, h, w, c), "The channel stands last; it stands in front of height and width."),
            ((n, c, w, h), "Height and width are exchanged."), ((n, 1, h, w), f"Each of the {c} channels is to be kept."),
            ((n, w, c, h), "`permute(0, 2, 3, 1)` brings channels from the front to the end; here they stand at the end, and "
             "come to the front."),
            ((n, 1, h, w * c) if c > 1 else (), "A `raw` of four axes holds colour pictures, whatever the number of channels: here "
             "they were put side by side, as if it were grey."),
            ((n, 3, h, w), f"A picture has as many channels as `raw` gives it, here {c}; not always 3.")]
    found = [sentence for shape, sentence in axes if shape == tuple(X_made.shape)]
    assert_shape(X_made, tuple(wanted.shape), f"the shape of X for {words}", of="shape",
                 hint=found[0] if len(set(found)) == 1 and tuple(X_made.shape) != tuple(wanted.shape)
                 else "The axes are picture, channel, height, width; a grey picture has one channel.")
    assert_shape(y_made, (len(raw),), f"the shape of y for {words}", of="shape",
                 hint="A label is one class number: these are rows of several numbers, one row for each picture."
                 if y_made.dim() == 2 and y_made.shape[0] == n and y_made.shape[1] > 1
                 else "One label for each picture, along a single axis.")
    assert_dtype(X_made, torch.float32, f"the dtype of X for {words}", of="dtypes",
                 hint="`float()` makes float32 of bytes; `double()`, and NumPy's division, make float64.")
    slips = {"The largest byte is 255, and it becomes 1: divide by 255, not by 256.": wanted * 255 / 256,
             "These are values from 0 to 255.": wanted * 255, "These are values from -1 to 1; black is to be 0.": 2 * wanted - 1,
             "A division of whole numbers rounds down: all but 255 becomes 0.": (wanted == 1).double(),
             "The largest byte of these pictures was taken for white; white is 255.": wanted / wanted.max(),
             "The channels stand in reverse order.": wanted.flip(1), "The rows stand in reverse order.": wanted.flip(2),
             "The columns stand in reverse order.": wanted.flip(3),
             "A reshape has mixed pixels and channels: exchange the axes with permute.":
                 torch.from_numpy(array.astype("float64").reshape(wanted.shape) / 255)}
    assert_close(X_made.double(), wanted, f"X for {words}", of="values", rtol=1e-5, atol=1e-6, hint="Every byte is divided by 255, and a picture keeps its rows, columns and channels.",
                 mistakes={s: value for s, value in slips.items() if not torch.allclose(value, wanted)})
    assert_dtype(y_made, torch.int64, f"the dtype of y for {words}", of="dtypes",
                 hint="The labels are converted, too: `long()` makes int64 of them.")
    kinds = labels.tolist()
    slips = {"Labels over 127 need care: they do not fit into int8.": [(label + 128) % 256 - 128 for label in kinds],
             "A label is a class number: only the pixels are divided by 255.": [label // 255 for label in kinds],
             "Classes count from 0: a label stays as it is.": [label - 1 for label in kinds],
             "The labels were sorted: each stays beside its picture.": sorted(kinds)}
    assert_equal(y_made.tolist(), kinds, f"y for {words}", of="labels",
                 hint="y holds the numbers of `labels`, unchanged and in order.",
                 mistakes={s: value for s, value in slips.items() if value != kinds})
    raw_after, labels_after = after_as_batch(raw, labels)
    assert_dtype(raw_after, torch.uint8, f"the dtype of raw after the call, {words}", of="arguments kept")
    assert_shape(raw_after, tuple(raw.shape), f"the shape of raw after the call, {words}", of="arguments kept",
                 hint="The caller's own tensor got another shape.")
    assert_equal(raw_after.tolist(), raw.tolist(), f"raw after the call, {words}", of="arguments kept")
    assert_equal(labels_after.tolist(), labels.tolist(), f"labels after the call, {words}", of="arguments kept")

check_as_batch(torch.tensor([[[0, 51, 255], [51, 0, 0]]], dtype=torch.uint8), torch.tensor([9], dtype=torch.uint8), "one grey picture of 2 x 3")
check_as_batch(torch.tensor([[[0, 51, 255], [51, 0, 0]], [[5, 0, 0], [0, 0, 250]]], dtype=torch.uint8),
               torch.tensor([9, 1], dtype=torch.uint8),
               "two grey pictures of 2 x 3")
check_as_batch(torch.arange(48, dtype=torch.uint8).reshape(2, 3, 4, 2) * 5, torch.tensor([200, 3], dtype=torch.uint8),
               "two pictures of 3 x 4 with two channels, labels 200 and 3")
check_as_batch(torch.tensor([[[[255, 0, 0], [0, 255, 0]]]], dtype=torch.uint8), torch.tensor([4], dtype=torch.uint8), "a picture of 1 x 2, a red and a green pixel")
check_as_batch(torch.tensor([[[[10, 20, 30, 40, 250]]]], dtype=torch.uint8), torch.tensor([0], dtype=torch.uint8), "a picture of one pixel with five channels")
### BEGIN HIDDEN TESTS
batch_source = torch.Generator().manual_seed(424)
for shape_ in ((6, 5, 3), (2, 1, 4), (1, 7, 7), (3, 5, 4, 3), (4, 2, 6, 3), (2, 3, 2, 1), (2, 3, 2, 4)):
    raw_ = torch.randint(0, 250, shape_, generator=batch_source).byte()
    check_as_batch(raw_, torch.randint(0, 256, shape_[:1], generator=batch_source).byte(), f"raw of shape {shape_}")
### END HIDDEN TESTS

# %% [markdown] teaches="class number, hash of a tensor"
# ## 2. Numbers and names
#
# A label is a *class number* from 0 to 9. People prefer names. The names stand in a list, class 0 first, and `data.text_labels` translates:

# %% teaches="class number"
names = data.train.classes
print(names)
print(data.text_labels(data.train.targets[:4]), "are the classes", data.train.targets[:4].tolist(), " trouser is number", names.index("trouser"))

# %% [markdown]
# ⚠ A dictionary from number to name looks just as good, until a label comes as a tensor. A dictionary finds a key by its *hash*, a number that Python computes from the key. The hash of a tensor belongs to the object, not to the number in it. So the key is not found:

# %% teaches="hash of a tensor"
by_number = dict(enumerate(names))
one = torch.tensor(1)                                     # as an entry of data.train.targets comes
print("one == 1:", bool(one == 1), "  by_number.get(1):", by_number.get(1), "  by_number.get(one):", by_number.get(one), "  by_number.get(int(one)):", by_number.get(int(one)))

# %% [markdown]
# They are equal, and yet only one of them is found. `int(one)` makes an ordinary number of a tensor with one entry; `tolist()` does it for all entries at once. (A *list* accepts a tensor as index: `names[one]` works.)

# %% [markdown] task="4.2.6a" kind="code" minutes=4 difficulty=2 needs="class number, hash of a tensor, item and tolist, dtype"
# ### Names from numbers
#
# Write `text_labels(indices, names)`: the names of the classes `indices`, a list of ints or a tensor of shape (n,) of any integer dtype. `names` is the list of all names, class 0 first.
#
# **You are done when**
# - **list**: the result is a list, the empty list for no indices;
# - **names**: it holds the name of each index, in order, taken from the argument `names`;
# - **tensors**: tensors of any integer dtype give what a list of ints gives.

# %% exercise="4.2.6a"
def text_labels(indices, names):
    """The names of the classes, a list of strings."""
    ### BEGIN SOLUTION
    return [names[int(i)] for i in indices]
    ### END SOLUTION

# %% [markdown] hints="4.2.6a"
# 1. What do you get when you go through a tensor with `for`: numbers, or tensors?
# 2. `int(t)` or `t.item()` turns a tensor of one entry into a number.
# 3. The sum of two entries of a list `prices`, at the places in a tensor p: `prices[int(p[0])] + prices[int(p[1])]`.

# %% check="4.2.6a" points=1
@probe
def keys_not_found(indices, names):
    try:
        text_labels(indices, names)
    except KeyError:
        return 1
    return 0

def check_names(indices, all_names, words, of):
    """`text_labels` for a list or tensor of indices."""
    if isinstance(indices, torch.Tensor):
        assert_equal(keys_not_found(indices, all_names), 0, f"how many KeyErrors text_labels raises for {words}", of="tensors",
                     hint="A dictionary does not find a tensor among its keys, though a number in it is equal to one: make an "
                     "ordinary number of it first, `int(...)`.")
    assert_type(text_labels(indices, all_names), list, f"what text_labels returns for {words}", of="list",
                hint="A list of strings is asked: `[... for ... in ...]` makes one.")
    got = text_labels(indices, all_names)
    numbers = [int(j) for j in indices]
    wanted, fashion = [all_names[i] for i in numbers], d2l.FashionMNIST().train.classes
    slips = {"A tensor is not found among the keys of a dictionary: make an ordinary number of it first.": [None] * len(numbers),
             "Class 0 is the first of the names; this is one off.": [all_names[i - 1] for i in numbers],
             "Each index gives a name, in the order of the indices, also when it comes again.": [all_names[i] for i in sorted(set(numbers))],
             "These are the names of Fashion-MNIST; take them from the argument `names`.": [fashion[i % 10] for i in numbers],
             "Numbers over 127 became others: they do not fit into int8.": [all_names[(i + 128) % 256 - 128] for i in numbers if i < 300 and len(all_names) > 255],
             "Numbers over 255 became others: they do not fit into uint8.": [all_names[i % 256] for i in numbers],
             "Counted from the end of the names: class i is entry i from the beginning.": [all_names[-i] for i in numbers],
             "A name comes as often as its number.": [all_names[i] for i in dict.fromkeys(numbers)],
             "Not every list has ten names: a number over 9 stays what it is.":
                 [all_names[i % 10 % len(all_names)] for i in numbers]}
    assert_equal(got, wanted, f"text_labels for {words}", of=of, hint="For each number i in turn, entry i of `names`.",
                 mistakes={s: value for s, value in slips.items() if value != wanted and numbers})

wardrobe = ["hat", "scarf", "glove", "sock"]
check_names([3], wardrobe, "the list [3] and the names hat, scarf, glove, sock", "names")
check_names([1, 0, 2, 1], wardrobe, "the list [1, 0, 2, 1]", "names")
check_names([], wardrobe, "an empty list", "list")
check_names(torch.tensor([2, 0, 2]), wardrobe, "a tensor (2, 0, 2)", "tensors")
check_names(torch.tensor([3, 1], dtype=torch.uint8), wardrobe, "a uint8 tensor (3, 1)", "tensors")
check_names(torch.tensor([2, 1], dtype=torch.int32), wardrobe, "an int32 tensor (2, 1)", "tensors")
check_names(torch.tensor([130, 299]), [f"kind {i}" for i in range(300)], "an int64 tensor (130, 299) and the names kind 0 to kind 299", "tensors")
### BEGIN HIDDEN TESTS
name_source = torch.Generator().manual_seed(426)
fashion_names = list(d2l.FashionMNIST().train.classes)
for kind_, list_ in ((torch.uint8, fashion_names), (torch.int32, fashion_names[::-1]), (torch.int64, wardrobe), (torch.int16, fashion_names)):
    chosen_ = torch.randint(0, len(list_), (13,), generator=name_source)
    check_names(chosen_.tolist(), list_, f"a list of 13 numbers, with {len(list_)} names", "names")
    check_names(chosen_.to(kind_), list_, f"a tensor of 13 in {str(kind_)[6:]}, with {len(list_)} names", "tensors")
check_names(torch.tensor([271, 128, 5], dtype=torch.int32), [f"sort {i}" for i in range(280)], "three of 280 names, int32", "tensors")
check_names(torch.tensor([], dtype=torch.int64), fashion_names, "an empty tensor", "list")
### END HIDDEN TESTS

# %% [markdown] task="4.2.6b" kind="code" minutes=4 difficulty=2 needs="class number, dtype"
# ### Numbers from names
#
# Write `class_numbers(labels, names)`, the way back: from a list of n names to a tensor of shape (n,).
#
# **You are done when**
# - **numbers**: it holds the number of each label, its position in `names`, in order;
# - **int64**: the tensor is `int64` of shape (n,), also where n = 0;
# - **unknown name**: a label that is not in `names` raises a `ValueError` or a `KeyError`.

# %% exercise="4.2.6b"
def class_numbers(labels, names):
    """The numbers of the named classes, int64 of shape (n,)."""
    ### BEGIN SOLUTION
    return torch.tensor([names.index(label) for label in labels], dtype=torch.int64)
    ### END SOLUTION

# %% [markdown] hints="4.2.6b"
# 1. Which dtype has `torch.tensor([])`?
# 2. `names.index("dress")` finds the position, or raises. `torch.tensor(numbers, dtype=...)` takes a dtype.
# 3. Ages in whole years, as bytes: `torch.tensor([round(a) for a in ages], dtype=torch.uint8)`.

# %% check="4.2.6b" points=1
def check_numbers(chosen, all_names, words, of="numbers"):
    """`class_numbers` of the names with the numbers `chosen`."""
    assert_type(class_numbers([all_names[i] for i in chosen], list(all_names)), torch.Tensor,
                f"what class_numbers returns for {words}", of="int64",
                hint="`torch.tensor(numbers, dtype=torch.int64)` makes a tensor of a list.")
    got = class_numbers([all_names[i] for i in chosen], list(all_names))
    assert_shape(got, (len(chosen),), f"the shape of class_numbers for {words}", of="int64",
                 hint="One number for each label, along a single axis.")
    assert_dtype(got, torch.int64, f"the dtype of class_numbers for {words}", of="int64",
                 hint="Without entries torch.tensor takes float32: say which dtype is meant." if not chosen else "Say which "
                 "dtype is meant: `dtype=torch.int64`.")
    slips = {"A name in which the label is only a part is another name: they must be equal.":
             [next(j for j, name in enumerate(all_names) if all_names[i] in name) for i in chosen],
             "Class 0 is the first of the names: count from 0.": [i + 1 for i in chosen],
             "The numbers stand in the order of the labels; they are not sorted.": sorted(chosen),
             "The labels were numbered as they come, each new one with the next number; the number of a label is its place in "
             "`names`.":
             [list(dict.fromkeys(chosen)).index(i) for i in chosen],
             "These are places in `labels`; the number of a label is its place in `names`.":
             [list(chosen).index(i) for i in range(len(all_names)) if i in chosen],
             "The names were sorted first: a number is the position in `names` as it "
             "is.": [sorted(all_names).index(all_names[i]) for i in chosen]}
    assert_equal(got.tolist(), list(chosen), f"class_numbers for {words}", of=of,
                 hint="The number of a label is its position in `names`, from 0.",
                 mistakes={s: value for s, value in slips.items() if value != list(chosen)})

check_numbers([3, 0], ["hat", "scarf", "glove", "sock"], "sock and hat out of hat, scarf, glove, sock")
check_numbers([1, 0], ["raincoat", "coat"], "coat and raincoat out of raincoat, coat")
check_numbers([1, 1, 2], ["hat", "scarf", "glove", "sock"], "scarf, scarf and glove")
check_numbers([], ["hat", "scarf", "glove", "sock"], "no labels", "int64")
assert_raises((ValueError, KeyError), class_numbers, ["hat", "shoe"], ["hat", "scarf"],
              what="class_numbers for shoe, a name that does not exist", of="unknown name",
              hint="`names.index(label)` raises an error for a name that is not there, and so does a dictionary's `d[label]`. To "
              "skip the label, or to put a number in its place, hides it.")
assert_raises((ValueError, KeyError), class_numbers, ["ankle shoe", "hat"], ["hat", "ankle boot"], what="class_numbers for ankle shoe and hat, of which only hat is a name", of="unknown name")
### BEGIN HIDDEN TESTS
number_source = torch.Generator().manual_seed(4261)
for list_ in (list(d2l.FashionMNIST().train.classes), ["d", "b", "e", "a", "c"], ["one"]):
    check_numbers(torch.randint(0, len(list_), (13,), generator=number_source).tolist(), list_, f"13 labels out of {len(list_)}")
check_numbers([], ["d", "b"], "no labels out of two", "int64")
assert_raises((ValueError, KeyError), class_numbers, ["Dress"], ["dress", "coat"], what="class_numbers for Dress with a capital letter", of="unknown name")
assert_raises((ValueError, KeyError), class_numbers, ["coat", "rain", "dress"], ["dress", "rain coat", "coat"], what="class_numbers for rain, a part of a name", of="unknown name")
### END HIDDEN TESTS

# %% [markdown] teaches="mean picture, show_images"
# ## 3. Look at the data
#
# Before any training: look. `data.visualize(batch)` shows the first pictures of a batch under their names. It calls `d2l.show_images(imgs, num_rows, num_cols, titles)`, which takes pictures without the axis of the channel. The first line below tells matplotlib to draw tables in grey from now on.

# %% tags=["demo"] teaches="show_images"
plt.rcParams["image.cmap"] = "gray"
data.visualize(next(iter(data.val_dataloader())), nrows=2, ncols=8)
plt.tight_layout()
plt.show()

# %% [markdown]
# Would you have told the pullover from the coat? At 28 by 28 pixels people are often wrong, too.
#
# How often does each class occur, and what does a class look like on average? `data.train.targets == c` is a boolean mask, True where the label is c. It picks the pictures of the class, and their *mean picture* is the mean over the first axis.

# %% teaches="mean picture"
print("training:  ", data.train.targets.bincount().tolist())
print("validation:", data.val.targets.bincount().tolist())
bags = data.train.data[data.train.targets == 8]
print("bags:", tuple(bags.shape), " darkest and lightest pixel of their mean:", round(bags.float().mean(dim=0).min().item(), 2), round(bags.float().mean(dim=0).max().item(), 2))

# %% tags=["demo"] teaches="mean picture"
means = [data.train.data[data.train.targets == c].float().mean(dim=0) for c in range(10)]
d2l.show_images(means, 2, 5, titles=names, scale=1.3)
plt.tight_layout()
plt.show()

# %% [markdown]
# All classes are equally frequent, 6,000 and 1,000 each, so a classifier that always says the same is right in one case of ten. The means are blurred garments. Trouser and bag are unlike all others. Pullover, coat and shirt have nearly the same mean: there a simple classifier will fail.

# %% [markdown] task="4.2.B" kind="code" minutes=3 difficulty=1 needs="mean picture, boolean mask, bytes to floats"
# ### The difference of two classes
#
# Write `class_contrast(images, labels, a, b)` for `uint8` pictures (n, height, width) and labels (n,): the mean picture of class a minus the mean picture of class b, pixel by pixel, in units of bytes (-255 to 255), as a floating point tensor. Both classes occur.
#
# **You are done when**
# - **shape**: the result has shape (height, width);
# - **means**: the result is the difference of the two means, in bytes, each over the pictures of its own class, however many it has;
# - **sign**: it is positive where class a is lighter, negative where b is.

# %% exercise="4.2.B"
def class_contrast(images, labels, a, b):
    """Mean picture of class a minus that of class b: (n, h, w), (n,) -> floating point (h, w)."""
    ### BEGIN SOLUTION
    return images[labels == a].float().mean(dim=0) - images[labels == b].float().mean(dim=0)
    ### END SOLUTION

# %% [markdown] hints="4.2.B"
# 1. Which pictures belong to class a? Over which axis is their mean taken?
# 2. First `float()`, then subtract: bytes have no negative numbers.
# 3. How much more men than women pay, for `paid` (n,) and `sex` (n,): `paid[sex == 1].mean() - paid[sex == 0].mean()`.

# %% check="4.2.B" points=1
def which_mean(pictures, classes, a, b, mean_a, mean_b):
    """With the pictures of one of the classes black: which of the two means is not right."""
    alone = []
    for kept, mean in ((a, mean_a), (b, -mean_b)):
        black = pictures.clone()
        black[classes != kept] = 0
        made = class_contrast(black, classes.clone(), a, b)
        alone.append(tuple(made.shape) == tuple(mean.shape) and torch.allclose(made.double(), mean, rtol=1e-4, atol=1e-3))
    return {(True, False): f"Where all other pictures are black the mean of class {a} is right. That of class {b} is not: it is "
            f"the mean over the pictures of this class alone.",
            (False, True): f"Where all other pictures are black the mean of class {b} is right. That of class {a} is not: it is "
            f"the mean over the pictures of this class alone.",
            (True, True): f"Where all other pictures are black, the mean of class {a} is right, and so is that of class {b}: "
            f"pictures of other classes have come in, or the difference was not taken in floating point.",
            (False, False): "Asked for is the mean of the pictures of one class, as floating point numbers, minus that of the "
            "other, and the difference as it is."}[tuple(alone)]

def which_step(got, wanted, *arguments):
    """Whether the difference was changed afterwards; else which of the means is not right."""
    got, there = got.double(), wanted != 0
    factors = got[there] / wanted[there]
    if len(factors) > 1 and bool(factors[0] != 0) and torch.allclose(factors, factors[:1], rtol=1e-4):
        return (f"This is the difference of the means, multiplied by {abs(factors[0].item()):.4g} here: it is to stay as it is, "
                f"in bytes.")
    return which_mean(*arguments)

def check_contrast(pictures, classes, a, b, words):
    """`class_contrast` against NumPy in float64."""
    array, kinds = pictures.numpy().astype("float64"), classes.numpy()
    wanted = torch.from_numpy(array[kinds == a].mean(axis=0) - array[kinds == b].mean(axis=0))
    assert_type(class_contrast(pictures.clone(), classes.clone(), a, b), torch.Tensor,
                f"what class_contrast returns for {words}", of="shape")
    got = class_contrast(pictures.clone(), classes.clone(), a, b)
    said = {(): "This is one number: the mean goes over the pictures alone, and the pixels stay.",
            (1, *wanted.shape): "The axis of the pictures is still there, with length 1."}
    assert_shape(got, tuple(wanted.shape), f"the shape of the contrast for {words}", of="shape",
                 hint=said.get(tuple(got.shape), "The mean goes over the axis of the pictures, and height and width stay."))
    of_a, of_b = torch.from_numpy(array[kinds == a]), torch.from_numpy(array[kinds == b])
    fewer = min(len(of_a), len(of_b))
    slips = {"These are the pictures number a and number b: a mask, `labels == a`, picks those of class a.":
             torch.from_numpy(array[a] - array[b]),
             "The mean of class b is to be subtracted, not that of all "
             "pictures.": of_a.mean(dim=0) - torch.from_numpy(array.mean(axis=0)),
             "Of the larger class only as many pictures were used as the smaller one "
             "has.": (of_a[:fewer] - of_b[:fewer]).mean(dim=0),
             "These are sums over the classes, not means.": of_a.sum(dim=0) - of_b.sum(dim=0),
             "Both sums were divided by the number of all pictures; each class has its own "
             "number.": (of_a.sum(dim=0) - of_b.sum(dim=0)) / len(array),
             "These are values up to 1; asked for are bytes, up to 255.": wanted / 255, "Only the first picture of each class was used.": of_a[0] - of_b[0],
             "Only the last picture of each class was used.": of_a[-1] - of_b[-1],
             "This is half the difference of the means; the difference itself is asked for.": wanted / 2,
             "The difference of the means was divided by their sum; asked for is the difference itself, in bytes.":
                 wanted / (of_a.mean(dim=0) + of_b.mean(dim=0)).clamp(min=1e-8),
             "The difference of the means was stretched until its largest value is 255; it is to stay as it is.":
                 wanted / wanted.abs().max() * 255,
             "This is the quotient of the two means; their difference is asked for.": of_a.mean(dim=0) / of_b.mean(dim=0),
             "The sums were divided by one less than the number of pictures: a mean is divided by their number.":
                 of_a.sum(dim=0) / max(len(of_a) - 1, 1) - of_b.sum(dim=0) / max(len(of_b) - 1, 1),
             "The mean of class a was cut to whole bytes: floating point to the end.":
                 of_a.mean(dim=0).floor() - of_b.mean(dim=0),
             "The mean of class b was cut to whole bytes: floating point to the end.":
                 of_a.mean(dim=0) - of_b.mean(dim=0).floor(),
             "The means were rounded to whole bytes: floating point to the end.":
                 of_a.mean(dim=0).round() - of_b.mean(dim=0).round(),
             "The other class is b alone, not all pictures that are not of class a.": of_a.mean(dim=0) - torch.from_numpy(array[kinds != a].mean(axis=0)),
             "A difference of bytes below 0 wraps around: floating point to the end.":
                 (of_a.mean(dim=0).long() - of_b.mean(dim=0).long()).remainder(256).double(),
             "The means were cut to whole bytes: floating point to the end.": of_a.mean(dim=0).floor() - of_b.mean(dim=0).floor(),
             "The contrast was rounded to whole bytes: floating point to the end.": wanted.round(),
             "These are medians of the classes, not means.": of_a.median(dim=0).values - of_b.median(dim=0).values,
             "Both sums were divided by the number of pictures of class a; each class has its own number.":
                 (of_a.sum(dim=0) - of_b.sum(dim=0)) / len(of_a),
             "Both sums were divided by the number of pictures of class b; each class has its own number.":
                 (of_a.sum(dim=0) - of_b.sum(dim=0)) / len(of_b),
             "Both sums were divided by the number of pictures of both classes; each class has its own number.":
                 (of_a.sum(dim=0) - of_b.sum(dim=0)) / (len(of_a) + len(of_b)),
             "This is the contrast of the classes 1 and 0; here they are others.":
                 torch.from_numpy(array[kinds == 1].mean(axis=0) - array[kinds == 0].mean(axis=0)) if {a, b} != {0, 1}
                 else wanted}
    for cut, kind, lighter in ((wanted.clamp(min=0), "negative", b), (wanted.clamp(max=0), "positive", a)):
        if not torch.equal(cut, wanted) and torch.allclose(got.double(), cut, rtol=1e-4, atol=1e-3):
            assert_close(got.double(), wanted, f"the contrast for {words}", of="sign", rtol=1e-4, atol=1e-3,
                         hint=f"It is 0 in place of every {kind} number here: where class {lighter} is lighter, the contrast is "
                         f"{kind}.")
    assert_close(got.double().abs(), wanted.abs(), f"the contrast for {words}, without its sign", of="means", rtol=1e-4,
                 atol=1e-3, hint=lambda: "" if torch.allclose(got.double().abs(), wanted.abs(), rtol=1e-4, atol=1e-3)
                 else which_step(got, wanted, pictures, classes, a, b, of_a.mean(dim=0), of_b.mean(dim=0)),
                 mistakes={s: value.abs() for s, value in slips.items() if not torch.allclose(value.abs(), wanted.abs())})
    assert_close(got.double(), wanted, f"the contrast for {words}", of="sign", rtol=1e-4, atol=1e-3, hint=f"Class {a} minus class {b}.",
                 mistakes={"This is class b minus class a.": -wanted, "The signs are lost: where class b is lighter, the contrast is negative.": wanted.abs()} if bool((wanted < 0).any() and (wanted > 0).any()) else {})

six_pictures = torch.tensor([[[0, 7, 255]], [[20, 0, 91]], [[10, 200, 30]], [[61, 50, 20]], [[42, 102, 60]], [[30, 60, 22]]],
                            dtype=torch.uint8)
check_contrast(six_pictures, torch.tensor([2, 0, 1, 0, 1, 1]), 1, 0,
               "(0, 7, 255), (20, 0, 91), (10, 200, 30), (61, 50, 20), (42, 102, 60), (30, 60, 22) of classes 2, 0, 1, 0, 1, 1, "
               "with a = 1 and b = 0")
check_contrast(six_pictures, torch.tensor([2, 0, 1, 0, 1, 1]), 2, 1, "the same pictures with a = 2 and b = 1")
### BEGIN HIDDEN TESTS
contrast_source = torch.Generator().manual_seed(4202)
for shape_, a_, b_ in (((30, 4, 3), 2, 4), ((17, 1, 5), 3, 0), ((40, 6, 2), 1, 3)):
    classes_ = torch.cat([torch.arange(5), torch.randint(0, 5, (shape_[0] - 5,), generator=contrast_source)])
    check_contrast(torch.randint(0, 256, shape_, generator=contrast_source).byte(), classes_, a_, b_, f"random pictures of shape {shape_}, a = {a_}, b = {b_}")
### END HIDDEN TESTS

# %% [markdown] teaches="tiles in one picture"
# ### Many pictures in one
#
# A hundred pictures are seen fastest as *one*. For that the pixels must move. Say there are four pictures of 2 by 3 pixels, shape (4, 2, 3), to stand in 2 rows and 2 columns. The sheet has 4 lines of 6 pixels, and its first line is the first line of picture 0, then the first line of picture 1.
#
# Split the 4 pictures into rows and columns of the sheet: (4, 2, 3) → (2, 2, 2, 3), that is (row of the sheet, column of the sheet, line, pixel). In the sheet the *line* must run before the column: first all that stands on line 0, from left to right. So exchange these two axes, and only then melt them together. One row of pictures, to see it:

# %% teaches="tiles in one picture"
pair = torch.tensor([[[1, 1, 1], [2, 2, 2]], [[5, 5, 5], [6, 6, 6]]])          # (2, 2, 3): two pictures of two lines
print("permuted first:\n", pair.permute(1, 0, 2).reshape(2, 6))              # (line, picture, pixel) -> (2, 6)
print("a reshape alone:\n", pair.reshape(2, 6))

# %% [markdown] task="4.2.7" kind="code" minutes=15 difficulty=3 needs="tiles in one picture, reshape, slice assignment"
# ### A contact sheet
#
# Write `contact_sheet(images, num_cols)`. `images` has shape (n, height, width) and any dtype, n at least 1. The result shows the pictures in rows of `num_cols`, first row first, each row from left to right, with as many rows as needed.
#
# **You are done when**
# - **shape**: the result has shape (rows · height, num_cols · width), also where n is less than `num_cols`;
# - **places**: every picture stands whole at its place;
# - **empty places**: places without a picture are 0;
# - **dtype**: it is that of the pictures.
#
# Then try it in a cell of your own: `d2l.show_images([contact_sheet(data.val.data[:40], 10)], 1, 1, scale=6)`.

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
# 1. How many places has the sheet, `math.ceil` of what? Fill them up first. Then: in which order do the four axes run in the sheet?
# 2. `reshape` never changes the order of the entries; `permute` does. First give every picture a place (row, column), then bring the axes into the order row, line, column, pixel.
# 3. Two words letter by letter in turn: `torch.stack([a, b]).permute(1, 0).reshape(-1)` is a₀ b₀ a₁ b₁ and so on.

# %% check="4.2.7" points=2
def first_wrong_place(sheet, array, cols):
    """What stands at the first place that does not show its picture."""
    h, w = array.shape[1:]
    for i in range(len(array)):
        r, c = divmod(i, cols)
        shown = sheet[r * h:(r + 1) * h, c * w:(c + 1) * w]
        if not np.array_equal(shown, array[i]):
            other = next((j for j in range(len(array)) if np.array_equal(shown, array[j])), None)
            if other is not None:
                return f"At row {r} and column {c} of the sheet, where picture {i} belongs, stands picture {other}."
            return (f"At row {r} and column {c} of the sheet, where picture {i} belongs, no picture stands whole: in the sheet "
                    f"the axes run row of the sheet, line, column of the sheet, pixel.")
    return ""

def sheets_of_mistakes(array, cols):
    """What known mistakes make of the pictures: sentence -> sheet."""
    (n, h, w), rows = array.shape, math.ceil(len(array) / cols)
    cells = np.zeros((rows * cols, h, w), array.dtype)
    cells[:n] = array
    in_rows = cells.reshape(rows, cols, h, w)
    in_turns = np.stack([row[::-1] if r % 2 else row for r, row in enumerate(in_rows)])
    ways = {"The pictures run down the columns; they run along the rows, from left to right.":
                cells.reshape(cols, rows, h, w).transpose(1, 2, 0, 3),
            "The pictures run from right to left in each row; they run from left to right.":
                in_rows[:, ::-1].transpose(0, 2, 1, 3),
            "The pictures run from right to left in every second row; they run from left to right in all.":
                in_turns.transpose(0, 2, 1, 3),
            "The last row of pictures stands first.": in_rows[::-1].transpose(0, 2, 1, 3),
            "The empty places stand first; they come after the last picture.":
                np.roll(cells, len(cells) - n, axis=0).reshape(in_rows.shape).transpose(0, 2, 1, 3),
            "The lines of each picture stand in reverse order.": in_rows[:, :, ::-1].transpose(0, 2, 1, 3),
            "The whole sheet is mirrored, left and right exchanged.":
                in_rows.transpose(0, 2, 1, 3).reshape((rows * h, cols * w))[:, ::-1 if cols > 1 else 1],
            "The whole sheet is upside down.":
                in_rows.transpose(0, 2, 1, 3).reshape((rows * h, cols * w))[::-1 if rows > 1 else 1],
            "Rows and columns of each picture are exchanged.": in_rows.transpose(0, 3, 1, 2),
            "The pictures alternate pixel by pixel: in a line of the sheet all pixels of one picture come first, then those of "
            "the next.": in_rows.transpose(0, 2, 3, 1),
            "A last row that is not full stands at the right edge; it is to begin at the left, in column 0.":
                np.concatenate([in_rows[:-1], np.roll(in_rows[-1:], -n % cols, axis=1)]).transpose(0, 2, 1, 3),
            "Numbers below 0 or over 255 became others: they do not fit into bytes.":
                in_rows.transpose(0, 2, 1, 3).astype(np.int64) % 256}
    return {way: sheet.reshape(rows * h, cols * w) for way, sheet in ways.items()}

def which_way(sheet, array, cols, wanted):
    """The one known mistake that explains this sheet, and a larger one where several do; else the first wrong place."""
    alike = {way for way, wrong in sheets_of_mistakes(array, cols).items()
             if np.array_equal(sheet, wrong) and not np.array_equal(wrong, wanted)}
    if len(alike) > 1:
        more = torch.arange(1, 49, dtype=torch.uint8).reshape(8, 2, 3)      # 3 rows of the sheet, the last one not full
        again = contact_sheet(more.clone(), 3).numpy()
        alike &= {way for way, wrong in sheets_of_mistakes(more.numpy(), 3).items() if np.array_equal(again, wrong)}
    return alike.pop() if len(alike) == 1 else first_wrong_place(sheet, array, cols)

def check_sheet(pictures, cols, words):
    """`contact_sheet` against NumPy's block."""
    array = pictures.numpy()
    tiles = [[array[r + c] if r + c < len(array) else np.zeros_like(array[0]) for c in range(cols)] for r in range(0, len(array), cols)]
    wanted, (h, w) = np.block(tiles), array.shape[1:]
    assert_type(contact_sheet(pictures.clone(), cols), torch.Tensor, f"what contact_sheet returns for {words}", of="shape")
    got = contact_sheet(pictures.clone(), cols)
    full, needed = len(array) // cols, len(tiles)
    said = {(full * h, cols * w): "The pictures that are left over need a row, too.", ((full + 1) * h, cols * w): "The last row is full; no empty row follows.",
            (needed * h, min(cols, len(array)) * w): "The sheet is `num_cols` pictures wide, also with fewer pictures.",
            **({(h, len(array) * w): "All pictures stand in one row: after `num_cols` of them the next row begins.",
                (len(array) * h, w): "All pictures stand in one column: `num_cols` of them stand beside each other."}
                if needed > 1 and cols > 1 else {})}
    assert_shape(got, wanted.shape, f"the shape of the sheet for {words}", of="shape", hint=said.get(tuple(got.shape), "It has rows · height lines and num_cols · width pixels in each."))
    assert_dtype(got, pictures.dtype, f"the dtype of the sheet for {words}", of="dtype",
                 hint="The sheet has the dtype of `images`.")
    filled = np.block([[np.ones((h, w)) if r + c < len(array) else np.zeros((h, w)) for c in range(cols)] for r in range(0, len(array), cols)]) > 0
    alone = np.concatenate([array.reshape(-1), np.zeros(wanted.size - array.size, array.dtype)]).reshape(wanted.shape)
    slips = {} if np.array_equal(alone, wanted) else {"Lines of one picture stand beside each other: a reshape alone does not move pixels.": alone[filled].tolist()}
    assert_equal(got.numpy()[filled].tolist(), wanted[filled].tolist(), f"the places of the pictures, line by line, for {words}",
                 of="places", mistakes=slips,
                 hint=lambda: which_way(got.numpy(), array, cols, wanted))
    assert_equal(got.numpy()[~filled].tolist(), [0] * int((~filled).sum()), f"the empty places for {words}", of="empty places",
                 hint="A place without a picture is 0 (black).")

check_sheet(torch.tensor([[[1, 2]], [[3, 4]], [[5, 6]]]), 2, "three pictures of 1 x 2, (1, 2), (3, 4), (5, 6), in two columns")
check_sheet(torch.tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], dtype=torch.uint8), 2, "two uint8 pictures of 2 x 2, (1, 2; 3, 4) and (5, 6; 7, 8), side by side")
check_sheet(torch.arange(1., 13.).reshape(2, 2, 3), 3, "two float pictures of 2 x 3 in three columns")
check_sheet(torch.arange(1., 31.).reshape(5, 3, 2), 2, "five pictures of 3 x 2 in two columns")
check_sheet(torch.tensor([[[-1, 2]], [[-300, 4]], [[5, -6]]], dtype=torch.int16), 2, "three int16 pictures of 1 x 2, (-1, 2), (-300, 4), (5, -6), in two columns")
### BEGIN HIDDEN TESTS
sheet_source = torch.Generator().manual_seed(427)
for shape_, cols_ in (((7, 2, 3), 3), ((6, 4, 1), 2), ((2, 3, 5), 4), ((5, 1, 2), 1), ((12, 3, 2), 4)):
    for kind_ in (torch.uint8, torch.float32):
        check_sheet(torch.randint(1, 256, shape_, generator=sheet_source).to(kind_), cols_, f"pictures of shape {shape_} in {cols_} columns, {str(kind_)[6:]}")
    for kind_ in (torch.int32, torch.float64):
        check_sheet(torch.randint(1, 256, shape_, generator=sheet_source).neg().to(kind_), cols_, f"negative pictures of shape {shape_} in {cols_} columns, {str(kind_)[6:]}")
### END HIDDEN TESTS

# %% [markdown] teaches="batch of pictures, order of a pass, number of batches"
# ## 4. Batches
#
# A model learns from a *batch* at a time, and a *loader* gives them out: `train_dataloader()` and `val_dataloader()`. One pass over the training loader is an epoch. Training batches come in a new random order at each pass, validation batches in the order of the file.

# %% teaches="batch of pictures, number of batches"
X, y = next(iter(data.train_dataloader()))
print("X", tuple(X.shape), X.dtype, "  y", tuple(y.shape), y.dtype)
sizes = [len(y) for X, y in data.train_dataloader()]
print(len(sizes), "batches; the last two have", sizes[-2:], "examples;  divmod(60000, 256) =", divmod(60000, 256))

# %% teaches="order of a pass"
torch.manual_seed(0)
for number in (1, 2):
    train_labels, val_labels = next(iter(data.train_dataloader()))[1], next(iter(data.val_dataloader()))[1]
    print(f"pass {number}: training labels begin {train_labels[:8].tolist()}, validation labels {val_labels[:8].tolist()}")

# %% [markdown]
# X has the shape (batch, channel, height, width). y holds class numbers in `int64`, which the cross-entropy asks for. 60,000 is no multiple of 256: `divmod` gives the quotient 234 and the remainder 96, so there are 234 full batches and one of 96. Where the remainder is 0, there is no such last batch.
#
# A loader with `drop_last=True` leaves an *incomplete* last batch out. In training that does little harm, since the order changes, and other examples are left out each time. Validation must not drop any: its order is always the same, so the examples at the end of the file would never be seen.

# %% [markdown] task="4.2.1a" kind="code" minutes=8 difficulty=2 core=true needs="batch of pictures, number of batches, drop_last"
# ### The batches of one pass
#
# Whoever knows how many batches there are, and how long each is, finds half of the errors in a training loop without running it.
#
# Write `batch_shapes(num_examples, batch_size, size, drop_last=False)`: the list of the shapes of X in one pass over `num_examples` grey pictures of `size = (height, width)`, in order. Each shape is a tuple (a list or a `torch.Size` will do).
#
# **You are done when**
# - **shapes**: each shape is `(rows, 1, height, width)`;
# - **last batch**: the last batch has the rows that are left over, also where it is the only one;
# - **no empty batch**: if nothing is left over, the last batch is a full one;
# - **drop_last**: `drop_last=True` leaves out a last batch with fewer than `batch_size` rows, and no other.

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
# 2. `divmod(a, b)` gives the quotient and the remainder. `(n, 1, *size)` is a tuple of four, if `size` has two entries.
# 3. 7 eggs in boxes of 3: `divmod(7, 3)` is `(2, 1)`, so the boxes hold 3, 3 and 1. For 6 eggs there is no third box.

# %% check="4.2.1a" points=2
@probe
def shapes_of(num_examples, batch_size, size, drop_last):
    made = batch_shapes(num_examples, batch_size, size, drop_last) if drop_last else batch_shapes(num_examples, batch_size, size)
    return [tuple(shape) if isinstance(shape, (list, tuple)) else (shape,) for shape in made] if isinstance(made, (list, tuple)) else made

@probe
def kind_of_shapes(num_examples, batch_size, size):
    return type(batch_shapes(num_examples, batch_size, size)).__name__

def why_not_four(shape, size):
    if any(isinstance(entry, (tuple, list)) for entry in shape):
        return "`size` stands in the shape as one entry, a pair: `*size` puts its two numbers there."
    if len(shape) == 5 and shape[2:] == (1, *size):
        return "Another number stands in front of the four: the list holds the shape of each batch, one after the other."
    if shape[1:] == tuple(size):
        return "The axis of the channel is missing: a grey picture has one of length 1."
    return "A shape has four: those of batch, channel, height, width."

def check_shapes(num, batch, size, of, rows, drop=False):
    """`rows`: those of each batch."""
    words = f"{num} pictures of {size[0]} x {size[1]} in batches of {batch}" + (", drop_last=True" if drop else "")
    kind = kind_of_shapes(num, batch, size)
    assert_true(kind != "generator", f"batch_shapes returns a list for {words} (yours: a {kind})", of="shapes",
                hint="With `yield` a function gives an iterator: collect the shapes in a list, and return it.")
    got = shapes_of(num, batch, size, drop)
    assert_type(got, (list, tuple), f"what batch_shapes returns for {words}", of="shapes")
    assert_equal([len(shape) for shape in got], [4] * len(got), f"the number of entries in each shape for {words}", of="shapes",
                 hint=lambda: next((why_not_four(shape, size) for shape in got if len(shape) != 4), ""))
    h, w = size
    slips = {"Width stands before height.": (1, w, h),
             "The channel stands last; it stands in front of height and width.": (h, w, 1),
             "A grey picture has one channel, not three.": (3, h, w),
             "Height and width come from `size`; they are not always 28.": (1, 28, 28)}
    assert_equal([shape[1:] for shape in got[:1]], [(1, h, w)] * len(got[:1]),
                 f"channel, height and width of the first batch of {words}", of="shapes",
                 hint="The order of the axes is batch, channel, height, width.",
                 mistakes={s: [value] for s, value in slips.items() if value != (1, h, w)})
    left_out = num - sum(rows)
    if rows and rows[-1] < batch:
        slips = {"The last batch has no more rows than are left over.": [batch] * len(rows),
                 "The smaller batch comes last.": rows[::-1],
                 "The examples were shared out evenly; every batch but the last has `batch_size` rows.":
                 [len(part) for part in np.array_split(np.arange(num), len(rows))],
                 "What is left over makes a batch of its own.": rows[:-2] + [sum(rows[-2:])],
                 "What is left over makes a last, smaller batch.": rows[:-1],
                 "This is the number of batches: a shape for each of them is asked, with its rows.": [len(rows)]}
    elif left_out:
        slips = {"The last batch is incomplete here, and drop_last=True leaves it out, also where it is the only one.":
                     rows + [left_out],
                 "The last batch is left out, not filled up.": rows + [batch],
                 "A full batch was left out as well.": rows[:-1]}
    else:
        slips = {"Nothing is left over here: there is no batch of 0 rows.": rows + [0],
                 "There is one full batch too many.": rows + [batch],
                 "Nothing is left over here: the last batch is a full one, not one of 0 rows.": rows[:-1] + [0],
                 "Nothing is left over here: the last batch is full, and stays.": rows[:-1]}
    assert_equal([shape[0] for shape in got], rows, f"the rows of each batch of {words}", of=of,
                 mistakes={s: value for s, value in slips.items() if value != rows},
                 hint=f"Full batches: {rows.count(batch)}; rows left over: {num - batch * rows.count(batch)}{', which drop_last=True leaves out' if left_out else ''}.")
    assert_equal(got, [(n, 1, h, w) for n in rows], f"the shapes for {words}", of="shapes")

check_shapes(10, 4, (28, 28), "last batch", [4, 4, 2])
check_shapes(7, 5, (3, 6), "last batch", [5, 2])
check_shapes(3, 8, (2, 5), "last batch", [3])
check_shapes(12, 4, (28, 28), "no empty batch", [4, 4, 4])
check_shapes(10, 4, (28, 28), "drop_last", [4, 4], drop=True)
check_shapes(12, 4, (3, 6), "drop_last", [4, 4, 4], drop=True)
check_shapes(3, 8, (2, 5), "drop_last", [], drop=True)
### BEGIN HIDDEN TESTS
def rows_of_loader(num_examples, batch_size, drop_last):
    pictures = torch.utils.data.TensorDataset(torch.zeros(num_examples, 1))
    return [len(X) for X, in torch.utils.data.DataLoader(pictures, batch_size, drop_last=drop_last)]

for num_, batch_, size_ in ((23, 5, (3, 7)), (5, 8, (4, 2)), (31, 30, (1, 3))):
    check_shapes(num_, batch_, size_, "last batch", rows_of_loader(num_, batch_, False))
    check_shapes(num_, batch_, size_, "drop_last", rows_of_loader(num_, batch_, True), drop=True)
for num_, batch_, size_ in ((24, 6, (2, 5)), (8, 8, (1, 3)), (3, 1, (6, 4))):
    check_shapes(num_, batch_, size_, "no empty batch", rows_of_loader(num_, batch_, False))
    check_shapes(num_, batch_, size_, "drop_last", rows_of_loader(num_, batch_, True), drop=True)
### END HIDDEN TESTS

# %% [markdown] teaches="bytes of a tensor"
# ### Why not convert everything at once?
#
# One could turn all the bytes into `float32` when the program starts. Then a loader would only have to cut. The price is memory: an entry of `float32` takes 4 bytes.

# %% teaches="bytes of a tensor"
print("an entry takes", torch.uint8.itemsize, "byte as uint8,", torch.float32.itemsize, "bytes as float32")
print("training set:", data.train.data.numel() * 1 / 1e6, "MB as uint8,", data.train.data.numel() * 4 / 1e6, "MB as float32")
print("math.prod of a shape multiplies its entries:", math.prod((60000, 28, 28)))

# %% [markdown]
# 47 MB against 188 MB. Here that would do. For colour photographs of 224 by 224 pixels it would not. So the data stay bytes, and each batch is converted when it is read.

# %% [markdown] task="4.2.C" kind="code" minutes=3 difficulty=1 needs="bytes of a tensor, batch of pictures"
# ### The memory of one batch
#
# Write `batch_bytes(shape, dtype)`: the number of bytes that a tensor of this shape and dtype takes for its entries.
#
# **You are done when**
# - **entries**: all axes of the shape count;
# - **dtype**: an entry has the size of this dtype, in bytes, for floating point and whole numbers alike.

# %% exercise="4.2.C"
def batch_bytes(shape, dtype):
    """Bytes of a tensor's entries."""
    ### BEGIN SOLUTION
    return math.prod(shape) * dtype.itemsize
    ### END SOLUTION

# %% [markdown] hints="4.2.C"
# 1. How many entries has a tensor of shape (256, 1, 28, 28)?
# 2. `torch.int64.itemsize` is 8.
# 3. 3 pictures of 2 by 5 pixels with 3 channels in `float64`: 3 · 3 · 2 · 5 entries of 8 bytes are 720 bytes.

# %% check="4.2.C" points=1
def check_bytes(shape, dtype, of):
    """`batch_bytes` against an empty tensor."""
    import sys
    wanted, number = torch.empty(shape, dtype=dtype).nbytes, math.prod(shape)
    units = (number, 8 * wanted, wanted / 1000, wanted / 1024, wanted / 1e6, wanted / 1024 ** 2)
    made = batch_bytes(shape, dtype)
    if type(made) in (int, float) and made != wanted and made in units:       # all axes are in it
        of = "dtype"
    slips = {sentence: value for sentence, value in {"This is the number of entries.": number, "This is 4 bytes for each entry; an entry of this dtype has another size.": 4 * number,
                                                     "This is the size of Python's object alone: the entries lie elsewhere.":
                                                         sys.getsizeof(torch.empty(0)),
                                                     "These are bits: a byte has 8.": 8 * wanted, "The lengths of the axes are multiplied, not added.": sum(shape) * dtype.itemsize,
                                                     "Axes are missing: the lengths of all axes are multiplied.": math.prod(shape[-2:]) * dtype.itemsize,
                                                     "This is 8 bytes for each entry; an entry of this dtype has another size.": 8 * number,
                                                     "The labels of a batch are another tensor: they are no part of this one.":
                                                         wanted + 8 * shape[0],
                                                     "The first axis counts, too.": math.prod(shape[1:]) * dtype.itemsize,
                                                     "The axis of the channel counts, too.":
                                                         math.prod(shape) // shape[1] * dtype.itemsize if len(shape) == 4
                                                         else wanted,
                                                     "These are thousands of bytes; asked for are bytes.": wanted / 1000,
                                                     "These are kilobytes of 1024 bytes; asked for are bytes.": wanted / 1024,
                                                     "These are megabytes; asked for are bytes.": wanted / 1e6,
                                                     "These are megabytes of 1024 · 1024 bytes; asked for are bytes.":
                                                         wanted / 1024 ** 2}.items() if value != wanted}
    assert_equal(batch_bytes(shape, dtype), wanted, f"the bytes of a tensor of shape {shape} in {str(dtype)[6:]}", of=of,
                 mistakes=slips, hint=f"There are {number:,} entries (the lengths multiplied) of {8 * dtype.itemsize} bits.")

check_bytes((64, 3, 10, 20), torch.float32, "entries")
check_bytes((256, 1, 28, 28), torch.float32, "entries")
check_bytes((11,), torch.int16, "dtype")
check_bytes((3, 3, 2, 5), torch.float64, "dtype")
check_bytes((5, 7), torch.uint8, "dtype")
### BEGIN HIDDEN TESTS
for shape_ in ((17, 1, 9, 4), (3,), (2, 3, 5, 7, 2)):
    check_bytes(shape_, torch.float32, "entries")
    for dtype_ in (torch.uint8, torch.float16, torch.int64, torch.int32):
        check_bytes(shape_, dtype_, "dtype")
### END HIDDEN TESTS

# %% [markdown] teaches="resize, aliasing"
# ## 5. Another size
#
# `resize=(height, width)` changes the size of the pictures as they are read. Some networks ask for larger ones.

# %% teaches="resize"
large = d2l.FashionMNIST(batch_size=64, resize=(32, 48))
print(tuple(next(iter(large.val_dataloader()))[0].shape))

# %% [markdown]
# ⚠ To make a picture *smaller*, it is not enough to pick every fourth pixel. What lies between the picked pixels is lost, or worse: it turns into a pattern that is not there. Follow it in one line of 24 pixels, in which every fourth one is white:

# %% teaches="aliasing, blocks by reshape"
line = (torch.arange(24) % 4 == 0).float()
print("the line:              ", line.int().tolist())
print("every fourth pixel:    ", line[::4].int().tolist())
print("the same, one later:   ", line[1::4].int().tolist())
print("means of blocks of four:", line.reshape(6, 4).mean(dim=1).tolist())

# %% [markdown] teaches="blocks by reshape"
# A line that is three quarters black becomes all white, and all black if one starts a pixel later. That is *aliasing*: detail too fine for the new pixels poses as something coarse. The mean of each block tells the truth, a quarter of white everywhere.
#
# How the means were made: `reshape(6, 4)` of the 24 pixels puts the first four into row 0, the next four into row 1, and `mean(dim=1)` averages each row. (24,) → (6, 4) → (6,). In a picture, *one* axis can be split in the same way while the others stay: the height of a (4, 3) picture in blocks of two lines,

# %% teaches="blocks by reshape"
small_picture = torch.tensor([[0., 1, 2], [10, 11, 12], [20, 21, 22], [30, 31, 32]])
print(small_picture.reshape(2, 2, 3).mean(dim=1))          # (4, 3) -> (block, line in the block, column) -> (2, 3)

# %% [markdown]
# Lines 0 and 1 give the first row of means, lines 2 and 3 the second. Now real pictures. Three shirts get a white stripe at every third pixel, at 64 by 64 pixels; two ways make 16 by 16 of them. (`interpolate` is torch's function for resizing; with `antialias=True` it takes means, and `FashionMNIST` does so, too.)

# %% tags=["demo"] teaches="aliasing"
stripes = (torch.arange(64) % 3 == 0).float().repeat(64, 1)
shirts = data.val.data[data.val.targets == 6][:3, None] / 255                              # (3, 1, 28, 28)
striped = F.interpolate(shirts, (64, 64), mode="bilinear") * (0.4 + 0.6 * stripes)
picked = striped[:, :, ::4, ::4]
averaged = F.interpolate(striped, (16, 16), mode="bilinear", antialias=True)
figure, axes = plt.subplots(3, 3, figsize=(6, 6.4), layout="constrained")
for i in range(3):
    for j, (title, pictures) in enumerate((("64 by 64", striped), ("every fourth pixel", picked), ("antialias=True", averaged))):
        axes[i, j].imshow(pictures[i, 0], vmin=0, vmax=1)
        axes[i, j].set_axis_off()
        axes[0, j].set_title(title)
plt.show()

# %% [markdown]
# In the middle column there are a few broad stripes, one in twelve pixels of the original, which nobody drew. On the right the stripes, too fine for 16 pixels, have become an even grey, and the shirts are still shirts.

# %% [markdown] task="4.2.D" kind="code" minutes=3 difficulty=1 needs="blocks by reshape"
# ### Blocks of a signal
#
# Write `block_means(v, k)` for a floating point tensor of shape (n,), where k divides n: the means of each k neighbours in turn.
#
# **You are done when**
# - **shape**: the result has shape (n / k,);
# - **means**: entry i is the mean of the entries i·k to i·k + k - 1.

# %% exercise="4.2.D"
def block_means(v, k):
    """Means of blocks of k neighbours: (n,) -> (n / k,)."""
    ### BEGIN SOLUTION
    return v.reshape(-1, k).mean(dim=1)
    ### END SOLUTION

# %% [markdown] hints="4.2.D"
# 1. Which table has a block in each row?
# 2. `v.reshape(-1, 5)` has five columns, and as many rows as are needed.
# 3. The total of each week from days: `days.reshape(-1, 7).sum(dim=1)`.

# %% check="4.2.D" points=1
def check_blocks(v, k, words, wanted):
    """`wanted`: the means."""
    assert_type(block_means(v.clone(), k), torch.Tensor, f"what block_means returns for {words}", of="shape")
    got = block_means(v.clone(), k)
    said = {k: f"These are k = {k} numbers; there are n / k blocks, and each has one mean.", len(v) - k + 1: "The blocks do not overlap: the second begins where the first ends."}
    many, given = len(v) // k, got.double().flatten()
    columns = torch.stack([v[j::k].double().mean() for j in range(k)])
    if got.numel() == k != many and torch.allclose(given, v.unfold(0, many, many).double().mean(dim=1)):
        said[k] = f"These are the means of k = {k} blocks; asked for are blocks of k entries, and there are n / k = {many}."
    elif got.numel() == k != many and torch.allclose(given, columns):
        said[k] = (f"These are means of entries that stand k = {k} apart, as down the columns of a table with a block in each row; "
                   f"a mean goes along its row.")
    assert_shape(got, tuple(wanted.shape), f"the shape for {words}", of="shape",
                 hint=said.get(got.numel(), "One mean for each of the n / k blocks."),
                 mistakes={"The axis of the block is still there, with length 1: one axis is asked.": (len(v) // k, 1)})
    sums = (k * wanted).double()
    divisor = (sums[sums != 0] / got.double()[sums != 0]).tolist()
    even = len(divisor) > 1 and 0 < divisor[0] < math.inf and np.allclose(divisor, divisor[0], rtol=1e-3)
    slips = {"These are sums of the blocks, not means.": k * wanted, "The sum of a block is divided by k, not by n.": k * wanted / len(v), "These are medians of the blocks, not means.": v.unfold(0, k, k).median(dim=1).values, "These are the largest entries of the blocks, not means.": v.unfold(0, k, k).amax(dim=1),
             "These entries stand k apart: neighbours belong together.": v.reshape(k, -1).mean(dim=0),
             "Every k-th entry was picked: average the blocks.": v[::k],
             "Only the first two entries of each block were averaged; a block has k.": (v[::k] + v[min(1, k - 1)::k]) / 2,
             "Only the first and the last entry of each block were averaged.": (v[::k] + v[k - 1::k]) / 2,
             "These are half-way between the smallest and the largest entry of each block; the mean takes all of them.":
                 (v.unfold(0, k, k).amin(dim=1) + v.unfold(0, k, k).amax(dim=1)) / 2,
             "Each block took in the first entry of the next one: a slice `a:b` ends in front of b.":
                 torch.cat([(k * wanted[:-1] + v[k::k]) / (k + 1), wanted[-1:]]),
             "The entries were cut to whole numbers before they were averaged.": v.trunc().unfold(0, k, k).mean(dim=1),
             "The entries were rounded to whole numbers before they were averaged.": v.round().unfold(0, k, k).mean(dim=1),
             "The means were rounded to whole numbers.": wanted.round(), "The means were cut to whole numbers.": wanted.trunc()}
    assert_close(got.double(), wanted.double(), f"the means for {words}", of="means", rtol=1e-5, atol=1e-6,
                 hint=f"These are the sums of the blocks divided by {divisor[0]:.3g}: a block has k = {k} entries." if even else
                 f"Entry i is the mean of the {k} entries from number i · {k} on.",
                 mistakes={s: value.double() for s, value in slips.items()
                           if value.shape == wanted.shape and not torch.allclose(value, wanted)})

check_blocks(torch.tensor([1., 11., 3., 20., 0., -8.]), 3, "(1, 11, 3, 20, 0, -8) and k = 3", torch.tensor([5., 4.]))
check_blocks(torch.tensor([1., 4., 10., 21., 0., -4.]), 2, "(1, 4, 10, 21, 0, -4) and k = 2", torch.tensor([2.5, 15.5, -2.]))
check_blocks(torch.tensor([0.5, 2.75, -1.25, 7.75, -0.5, 1.]), 3, "(0.5, 2.75, -1.25, 7.75, -0.5, 1) and k = 3",
             torch.tensor([2 / 3, 2.75]))
### BEGIN HIDDEN TESTS
block_source = torch.Generator().manual_seed(4203)
for n_, k_ in ((20, 4), (9, 9), (7, 1), (30, 5)):
    signal_ = torch.randn(n_, generator=block_source)
    check_blocks(signal_, k_, f"{n_} random numbers and k = {k_}", torch.nn.functional.avg_pool1d(signal_[None], k_)[0])
### END HIDDEN TESTS

# %% [markdown] task="4.2.5" kind="code" minutes=10 difficulty=3 needs="blocks by reshape, batch of pictures"
# ### Smaller pictures
#
# Write `shrink(X, k)` for `float32` pictures X of shape (n, channels, height, width): each pixel of the result is the mean of a block of k by k pixels.
#
# **You are done when**
# - **shape**: the result has shape (n, channels, height / k, width / k), for height and width of any ratio;
# - **means**: each pixel is the mean of its block, in its own picture and channel;
# - **refusal**: if k does not divide both height and width, a `ValueError` is raised;
# - **message**: the error's message contains the height and the width.

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
# 1. An axis of length 6 is 3 blocks of 2. Which shape shows that for height *and* width?
# 2. Height and width can be split in one `reshape`, to six axes. `mean` takes several axes at once. `a % b` is the remainder; `raise ValueError("words")` raises.
# 3. Sums over three weeks of seven days, for 2 shops: `sales.reshape(2, 3, 7).sum(dim=2)` for `sales` of shape (2, 21).

# %% check="4.2.5" points=2
def check_shrink(pictures, k, words):
    """`shrink` against torch's pooling."""
    assert_type(shrink(pictures.clone(), k), torch.Tensor, f"what shrink returns for {words}", of="shape")
    got, wanted = shrink(pictures.clone(), k), torch.nn.functional.avg_pool2d(pictures, k)
    n, c, h, w = pictures.shape
    assert_shape(got, tuple(wanted.shape), f"the shape for {words}", of="shape",
                 hint="The height is divided by k, and so is the width; pictures and channels stay.",
                 mistakes={"Height and width are exchanged: X has shape (n, channels, height, width).": (n, c, w // k, h // k),
                           "Only the height was divided by k; so is the width.": (n, c, h // k, w),
                           "Only the width was divided by k; so is the height.": (n, c, h, w // k),
                           "These are k by k pixels: the blocks are averaged over, and their pixels stay, where it is to be the "
                           "other way round.": (n, c, k, k),
                           "The result is a square of h / k: the width is divided by k for itself.": (n, c, h // k, h // k),
                           "The result is a square of w / k: the height is divided by k for itself.": (n, c, w // k, w // k),
                           "The axes within a block are still there, with length 1.": (n, c, h // k, 1, w // k, 1)} if h != w
                 else {"The blocks overlap here; the next one begins where one ends.": (n, c, h - k + 1, w - k + 1)})
    square = {"Height and width of the result are exchanged.": wanted.transpose(2, 3)} if h == w else {}
    blocks = pictures.reshape(n, c, h // k, k, w // k, k).transpose(3, 4).flatten(4)
    slips = {"The sum of a block is divided by k here: a block has k · k pixels.": wanted * k, **square,
             "These are medians of the blocks, not means.": blocks.median(dim=4).values,
             "These blocks are runs of one line: split the height into (h / k, k), and the width likewise.":
                 pictures.reshape(n, c, h // k, w // k, k * k).mean(dim=4),
             "These are picked pixels, not means of blocks.": pictures[:, :, ::k, ::k], "These are sums of blocks, not means.": wanted * k * k, "These are the lightest pixels of the blocks, not means.": torch.nn.functional.max_pool2d(pictures, k),
             "The channels were mixed: each has means of its own.": wanted.mean(dim=1, keepdim=True).expand_as(wanted), "The pictures were mixed: each has means of its own.": wanted.mean(dim=0, keepdim=True).expand_as(wanted),
             "These means are of pixels that stand far apart: in an axis (h / k, k) the block comes first, and the mean goes over "
             "the second.":
                 pictures.reshape(n, c, k, h // k, k, w // k).mean(dim=(2, 4)),
             "Only the lines of a block were averaged, and of its columns the first was picked.":
                 pictures.reshape(n, c, h // k, k, w).mean(dim=3)[..., ::k],
             "Only the columns of a block were averaged, and of its lines the first was picked.":
                 pictures.reshape(n, c, h, w // k, k).mean(dim=4)[:, :, ::k],
             "Antialiasing takes in pixels from beyond the block; asked for is the mean of the block.":
                 torch.nn.functional.interpolate(pictures, (h // k, w // k), mode="bilinear", antialias=True),
             "These are pixels from the middle of the blocks, not means of blocks.": pictures[:, :, k // 2::k, k // 2::k],
             "This interpolation looks at the middle of each block alone.":
                 torch.nn.functional.interpolate(pictures, (h // k, w // k), mode="bilinear")}
    assert_close(got, wanted, f"the means for {words}", of="means", rtol=1e-4, atol=1e-4,
                 hint=f"Pixel (i, j) is the mean of {k} lines from i · {k} on, in {k} columns from j · {k} on.",
                 mistakes={s: value for s, value in slips.items() if not torch.allclose(value, wanted, atol=1e-2)})

check_shrink((torch.arange(16.) * 7 % 16).reshape(1, 1, 4, 4), 2,
             "the picture (0, 7, 14, 5; 12, 3, 10, 1; 8, 15, 6, 13; 4, 11, 2, 9) and k = 2")
check_shrink((torch.arange(72.) % 7).reshape(2, 2, 3, 6), 3, "two pictures of 3 x 6 with two channels, the pixels arange(72) % 7, and k = 3")
@probe
def refused(tall, wide, k):
    try:
        shrink(torch.zeros(1, 1, tall, wide), k)
    except ValueError:
        return 1
    except Exception:
        return 2
    return 0

def who_is_refused():
    """Which k are refused: one that divides neither, the width, the height, (2 x 3) the height, (6 x 10) the product alone."""
    both = "Ask both, the height and the width, before anything is cut: if k does not divide one of them, that is enough."
    cases = refused(15, 21, 2), refused(22, 16, 4), refused(16, 22, 4), refused(2, 3, 2), refused(6, 10, 4)
    if set(cases) == {2}:
        return "Each such k ends in an error of another kind: `raise ValueError(...)` raises the one that is asked for."
    return {(0, 0, 0, 0, 0): "No such k is refused with a ValueError, whichever side it does not divide.",
            (1, 0, 0, 0, 0): "It was refused only where it does not divide the number of pixels, height times width.",
            (1, 0, 0, 0, 1): "This k was refused only where it divides neither: one that it does not divide is enough.",
            (1, 1, 0, 0, 1): "Only the height is asked here: the width counts as well.",
            (1, 0, 1, 1, 1): "Only the width is asked here: the height counts as well.",
            (1, 0, 0, 1, 1): "A k of 2 was refused for 2 x 3 pixels, and one of 4 for 16 x 22 was not: 16 · 22 = 352 is a "
            "multiple of 4 · 4, and 2 · 3 is none of 2 · 2. Ask the height and the width, each alone."}.get(
        tuple(case % 2 for case in cases), both)

for tall, wide, blocks in ((16, 22, 4), (22, 16, 4), (15, 21, 2), (16, 22, 40)):
    which = "the width alone" if tall % blocks else "the height alone"
    which = "neither height nor width" if tall % blocks and wide % blocks else which
    assert_raises(ValueError, shrink, torch.zeros(1, 1, tall, wide), blocks,
                  what=f"{tall} x {wide} pixels with k = {blocks}, which divides {which}", of="refusal",
                  hint=who_is_refused)
    for side in (tall, wide):
        assert_raises(ValueError, shrink, torch.zeros(1, 1, tall, wide), blocks,
                      what=f"the message for {tall} x {wide} pixels with k = {blocks}", match=str(side),
                      hint="(The message is to name height and width, whichever of them k does not divide.)", of="message")
### BEGIN HIDDEN TESTS
shrink_source = torch.Generator().manual_seed(425)
for shape_, k_ in (((3, 2, 6, 9), 3), ((2, 3, 4, 10), 2), ((1, 1, 8, 4), 4), ((4, 3, 5, 2), 1)):
    check_shrink(torch.randn(shape_, generator=shrink_source), k_, f"pictures of shape {shape_} and k = {k_}")
for tall_, wide_, k_ in ((18, 24, 4), (24, 26, 3), (35, 49, 6), (18, 24, 70)):
    assert_raises(ValueError, shrink, torch.zeros(2, 3, tall_, wide_), k_, what=f"{tall_} x {wide_} pixels with k = {k_}", of="refusal")
    for side_ in (tall_, wide_):
        assert_raises(ValueError, shrink, torch.zeros(2, 3, tall_, wide_), k_, what=f"the message for {tall_} x {wide_} pixels with k = {k_}", match=str(side_), of="message")
### END HIDDEN TESTS

# %% [markdown] teaches="fixed cost of a request, timing with a clock"
# ## 6. How long does reading take?
#
# A model waits for its data, so a slow reader is a slow training. Each request for a batch has a cost of its own, however many rows it brings: a call, a new tensor, perhaps a disk. Each row has a cost, too: its bytes must be copied and divided. With a seconds for each request and c seconds for each row, a pass over N examples in batches of B takes about
#
# $$T(B) = a \left\lceil \frac{N}{B} \right\rceil + c\,N ,$$
#
# where ⌈ ⌉ rounds up, since the last, smaller batch is a request like any other. The first term falls like 1 / B. The second does not depend on B. To measure, read a clock before and after:

# %% tags=["demo"] teaches="timing with a clock"
start = time.perf_counter()                # a clock in seconds; only differences mean something
total_sum = sum(range(1_000_000))
seconds = time.perf_counter() - start
print(f"adding up a million numbers took {1000 * seconds:.1f} ms")

# %% [markdown] task="4.2.E" kind="code" minutes=3 difficulty=1 core=true needs="fixed cost of a request, number of batches"
# ### What the model says
#
# Write `pass_seconds(num_examples, batch_size, per_request, per_row)`: the time T of the formula, in seconds.
#
# **You are done when**
# - **requests**: each batch costs `per_request`, an incomplete last one as much as a full one;
# - **rows**: each example costs `per_row` once.

# %% exercise="4.2.E"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    """Seconds of one pass: a cost for each request and one for each row."""
    ### BEGIN SOLUTION
    return per_request * math.ceil(num_examples / batch_size) + per_row * num_examples
    ### END SOLUTION

# %% [markdown] hints="4.2.E"
# 1. How many requests are there for 10 examples in batches of 4?
# 2. `math.ceil(2.5)` is 3.
# 3. 10 guests in taxis for 4, 20 euro a taxi and 3 euro a guest: 3 · 20 + 10 · 3 = 90 euro.

# %% check="4.2.E" points=1
assert_close(pass_seconds(10, 4, 2.0, 0.0), 6.0, "10 examples in batches of 4, 2 s for each request, 0 s for each row",
             of="requests", mistakes={"An incomplete batch is a request, too: round up.": 4.0,
                                      "A request costs its 2 s even if the batch is not full.": 5.0,
                                      "`per_request` and `per_row` are exchanged."
                                      if abs(float(pass_seconds(10, 4, 0.0, 0.5)) - 1.5) < 1e-9 else "Each example was charged as a request: the 2 s are the cost of each batch.": 20.0,
                                      "The cost of the requests is missing, or multiplied with the other: the two add up.": 0.0,
                                      "These are milliseconds; asked for are seconds.": 6000.0,
                                      "Each batch is charged once, not once for each of its rows.": 24.0},
             hint="The batches have 4, 4 and 2 rows: three requests of 2 s.")
assert_close(pass_seconds(12, 4, 2.0, 0.0), 6.0, "12 examples in batches of 4, 2 s for each request, 0 s for each row",
             of="requests", mistakes={"There is no empty batch at the end.": 8.0},
             hint="The batches have 4, 4 and 4 rows: three requests of 2 s.")
assert_close(pass_seconds(10, 4, 0.0, 0.5), 5.0, "10 examples in batches of 4, 0 s for each request, 0.5 s for each row",
             of="rows", mistakes={"The last batch has only two rows.": 6.0, "The cost of the rows is missing.": 0.0,
                                  "All 10 rows cost 0.5 s, not those of one batch alone.": 2.0,
                                  "Each of the 10 rows costs 0.5 s, not each batch.": 1.5,
                                  "The cost of all rows was charged with each of the three requests; each row costs once.": 15.0,
                                  "The last batch has two rows, and they cost 0.5 s each as well.": 4.0},
             hint="Ten rows of 0.5 s each, once.")
assert_close(pass_seconds(7, 10, 3.0, 0.25), 4.75, "7 examples in batches of 10, 3 s for each request, 0.25 s for each row",
             of="rows", hint="One request of 3 s and seven rows of 0.25 s.",
             mistakes={"The larger of the two costs was taken; they add up.": 3.0, "The cost of the request is missing.": 1.75,
                       "The batch has seven rows, not ten.": 5.5})
### BEGIN HIDDEN TESTS
for num_, batch_, request_, row_ in ((101, 10, 0.5, 0.0), (60_000, 256, 0.125, 0.0), (5, 1, 3.0, 0.0), (100, 20, 1.5, 0.0)):
    assert_close(pass_seconds(num_, batch_, request_, row_), request_ * len(range(0, num_, batch_)), f"{num_} examples in batches of {batch_}, {request_} s for each request, 0 s for each row", of="requests")
for num_, batch_, request_, row_ in ((101, 10, 0.0, 0.25), (33, 4, 2.0, 0.5), (3, 8, 0.5, 4.0)):
    assert_close(pass_seconds(num_, batch_, request_, row_), request_ * len(range(0, num_, batch_)) + row_ * num_, f"{num_} examples in batches of {batch_}, {request_} s for each request, {row_} s for each row", of="rows")
### END HIDDEN TESTS

# %% [markdown]
# Does the formula hold? To try a program that measures, one wants a data module whose cost is known. `SlowDisk` below is one: every request takes `pause` seconds, whatever the number of rows, and `journal` keeps when each began and ended. Its loader asks for whole batches, as that of Fashion-MNIST does, and reads `batch_size` at the moment when the loader is made.

# %% tags=["setup"]
class SlowDisk(d2l.DataModule):
    """Examples (1, 2, 2) that a slow disk gives out: each request for a batch takes `pause` seconds and is noted."""
    journal = []                           # (batch size, begin, end) of each request

    def __init__(self, num_train, num_val, pause, batch_size=32):
        super().__init__()
        self.save_hyperparameters()

    def __getitem__(self, rows):
        begin = time.perf_counter()
        time.sleep(self.pause)
        SlowDisk.journal.append((self.batch_size, begin, time.perf_counter()))
        return torch.zeros(len(rows), 1, 2, 2), torch.zeros(len(rows), dtype=torch.int64)

    def get_dataloader(self, train):
        rows = torch.randperm(self.num_train) if train else torch.arange(self.num_val)
        batches = torch.utils.data.BatchSampler(rows.tolist(), self.batch_size, drop_last=False)
        return torch.utils.data.DataLoader(self, sampler=batches, batch_size=None)

# %% [markdown] task="4.2.1b" kind="experiment" minutes=20 difficulty=3 needs="fixed cost of a request, timing with a clock, data module, data loader"
# ### Batch size 1
#
# Does the time for one pass over the data depend on the batch size?
#
# Write `reading_table(data, batch_sizes)`. For each batch size it goes once through `data.train_dataloader()` and does nothing with the batches but count. It returns a dictionary from the batch size to `{"batches": ..., "examples": ..., "seconds": ...}`. `data` is any data module whose loaders use `data.batch_size`, such as `d2l.FashionMNIST()`.
#
# **You are done when**
# - **table**: there is one entry for each batch size, a dictionary with these three keys;
# - **counts**: `batches` and `examples` are what came out of the loader;
# - **one pass**: for each batch size the whole of the training loader is read, once;
# - **seconds**: `seconds` is the wall-clock time of that one pass, in seconds;
# - **size restored**: afterwards `data.batch_size` is what it was before.
#
# Run it on the whole of Fashion-MNIST for the batch sizes 1, 4, 16, 64, 256 and 1024, then answer in words in the cell below the check:
# 1. By what factor is the pass with batch size 1 slower than the one with 256? Give your table.
# 2. Between which sizes does the time fall like 1 / batch size, and why does it stop falling?
# 3. The pass with batch size 1 reads the very same pixels. What is the time spent on?

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
# 2. A new loader is needed after each change of `data.batch_size`. Making a loader reads nothing; going through it does.
# 3. Timing three sums, each alone: `for n in (10, 100, 1000): start = time.perf_counter(); sum(range(n)); print(time.perf_counter() - start)`.

# %% check="4.2.1b" points=2
@probe
def journey(num_train, num_val, pause, batch_sizes, size_before):
    SlowDisk.journal.clear()
    disk = SlowDisk(num_train, num_val, pause, batch_size=size_before)
    begun = time.perf_counter()
    made = reading_table(disk, batch_sizes)
    return [made, begun, [list(entry) for entry in SlowDisk.journal], time.perf_counter(), disk.batch_size]

@probe
def seconds_and_work(num_train, num_val, pause, batch_sizes, size_before):
    """The seconds in the table, and those that the processor worked: where the disk waits, then where it computes."""
    def compute(pause):
        begin = time.process_time()
        while time.process_time() < begin + pause:
            pass

    kept, found = time.sleep, []
    for rest in (kept, compute):
        begin, time.sleep = time.process_time(), rest
        try:
            made = reading_table(SlowDisk(num_train, num_val, pause, batch_size=size_before), batch_sizes)
        finally:
            time.sleep = kept
        found.append([sum(float(entry["seconds"]) for entry in made.values()), time.process_time() - begin])
    return found

def why_short(*arguments):
    if all(0.4 * work < seconds <= 1.01 * work for seconds, work in seconds_and_work(*arguments)):
        return ("The time is too short: where the disk waits, yours is that of the processor, which works only in between. This "
                "clock stands still while the program waits; time.perf_counter and time.time do not.")
    return ("The time is too short. It is to run from right before the loop over the loader to right after its end, and to be "
            "divided by nothing. (To make a loader reads nothing.)")

def check_reading(num_train, num_val, pause, batch_sizes, size_before=5):
    """`reading_table` on a slow disk whose requests are known to the moment."""
    words = f"{num_train} training examples on a slow disk"
    made, begun, journal, ended, size_after = journey(num_train, num_val, pause, batch_sizes, size_before)
    assert_type(made, dict, f"what reading_table returns for {words}", of="table",
                hint="A dictionary is asked, with an entry for each batch size.")
    assert_equal(sorted(made), sorted(batch_sizes), f"the keys of the table for batch sizes {batch_sizes}", of="table",
                 hint=f"The entry of batch size {batch_sizes[1]} is missing: each size has one. (A `return` in the body of the "
                 f"loop over the sizes ends it with the first.)" if len(batch_sizes) > 1 and list(made) == batch_sizes[:1]
                 else "The keys are the batch sizes themselves.")
    for s in batch_sizes:
        assert_type(made[s], dict, f"the entry for batch size {s}", of="table")
        assert_equal(sorted(made[s]), ["batches", "examples", "seconds"], f"the keys of the entry for batch size {s}", of="table")
    number = {s: math.ceil(num_train / s) for s in batch_sizes}
    assert_equal({s: made[s]["batches"] for s in batch_sizes}, number, f"the number of batches of {words}", of="counts", mistakes={"These are the batches of the validation data.": {s: math.ceil(num_val / s) for s in batch_sizes},
                 "A loader keeps the batch size of the moment when it was made: make one for each size.":
                     {s: math.ceil(num_train / size_before) for s in batch_sizes},
                 "The number of the last batch, counted from 0, is one less than there are batches.":
                     {s: number[s] - 1 for s in batch_sizes},
                 "The count goes on from one batch size to the next: it is to begin at 0 for each.":
                     dict(zip(batch_sizes, np.cumsum(list(number.values())).tolist()))},
                 hint="One for each batch that comes out of the training loader, the last one too.")
    assert_equal({s: made[s]["examples"] for s in batch_sizes}, {s: num_train for s in batch_sizes},
                 f"the number of examples of {words}", of="counts", hint="Count the rows of each batch; the last one may be "
                 "smaller.",
                 mistakes={"This is the number of batches times the batch size: the last batch may be "
                           "smaller.": {s: number[s] * s for s in batch_sizes},
                           "These are the examples of the validation data.": {s: num_val for s in batch_sizes},
                           "The count goes on from one batch size to the next: it is to begin at 0 for each.":
                               {s: i * num_train for i, s in enumerate(batch_sizes, start=1)},
                           "These are the batches; the examples are asked here.": number,
                           "These are the entries of the pictures, 4 in each; the examples are "
                           "asked.": {s: 4 * num_train for s in batch_sizes},
"These are the rows of the last batch alone.": {s: num_train - (number[s] - 1) * s for s in batch_sizes}})
    times = [sum(entry[0] == s for entry in journal) / number[s] for s in batch_sizes]
    assert_equal({s: sum(entry[0] == s for entry in journal) for s in batch_sizes}, number,
                 f"the requests to the disk with each batch size, {words}", of="one pass",
                 hint=f"The data were read {times[0]:g} times for each size: one pass is asked for, and it is counted and timed "
                 f"as it runs." if times[0] > 1
                 and times[0] == int(times[0]) and len(set(times)) == 1 else "One pass for each batch size, all of it, and no "
                 "batch more.",
                 mistakes={"The data were read twice for each size: count and time the batches of the same pass.":
                               {s: 2 * number[s] for s in batch_sizes},
                           "Only one batch was read for each size: the pass goes through the whole loader.":
                               {s: 1 for s in batch_sizes},
                           "Nothing was read: making a loader reads nothing, going through it does.":
                               {s: 0 for s in batch_sizes}})
    for s in batch_sizes:
        own = [entry for entry in journal if entry[0] == s]
        first, last = min(entry[1] for entry in own), max(entry[2] for entry in own)
        earlier = max([begun] + [entry[2] for entry in journal if entry[2] < first])
        later = min([ended] + [entry[1] for entry in journal if entry[1] > last])
        spent = float(made[s]["seconds"])
        whole_pass = (last - first - 0.002, later - earlier + 0.002)
        long = ""
        if begun <= spent <= ended:
            long = "This is a reading of the clock: asked for is the reading after the pass minus the one before it."
        elif spent > 1e9 and abs(spent - time.time()) < 1e6:
            long = "This is the time of day: asked for is the reading after the pass minus the one before it."
        elif whole_pass[0] <= spent / 1e3 <= whole_pass[1]:
            long = "These are milliseconds; asked for are seconds."
        elif whole_pass[0] <= spent / 1e9 <= whole_pass[1]:
            long = "These are nanoseconds; asked for are seconds."
        coarse = f"A time of {spent:g} s looks rounded: keep all digits of the clock." if spent == round(spent, 2) else ""
        assert_true(float(made[s]["seconds"]) >= last - first - 0.002,
                    f"the seconds for batch size {s} reach from its first request to the end of its last, {words}", of="seconds",
                    hint=lambda: coarse or why_short(num_train, num_val, pause, batch_sizes, size_before)
                    if float(made[s]["seconds"]) < last - first - 0.002 else "")
        assert_true(float(made[s]["seconds"]) <= later - earlier + 0.002, f"the seconds for batch size {s} are seconds of that pass alone, {words}", of="seconds",
                    hint=long or coarse or (
                        "This is longer than the whole call took. Asked for are the seconds from before the pass to its end."
                        if spent > ended - begun + 0.002
                        else "Work before this pass was timed, too: read the clock anew before each pass."))
    assert_equal(size_after, size_before, f"data.batch_size after the call, {words}", of="size restored", hint="It must be what it was before.",
                 mistakes={"It must be what it was before: here it is the last of `batch_sizes`.": batch_sizes[-1]})

check_reading(10, 3, 0.004, [1, 4])
### BEGIN HIDDEN TESTS
check_reading(17, 5, 0.005, [2, 20, 3], 7)
check_reading(6, 9, 0.005, [6, 1])
### END HIDDEN TESTS

# %% [markdown] written="4.2.1b" points=3
# ### BEGIN SOLUTION
# My table for the 60,000 pictures had 60,000, 15,000, 3,750, 938, 235 and 59 batches. The pass with batch size 1 took tens of times as long as the one with 256. (Seconds depend on the machine, the counts do not.)
#
# From 1 to about 16 the time falls almost like 1 / batch size. Each request has a fixed cost: Python's loop, the loader's bookkeeping, an index tensor, new output tensors. Four times the size means a quarter of the requests. From about 64 on, the fixed costs are small beside the work on the pixels themselves: copy the bytes and divide by 255. That work is the same for every batch size, c·N in the formula, so the curve is flat. For very large batches the time may rise a little, since a batch no longer fits into the processor's cache.
#
# With batch size 1 the time goes into 60,000 requests, not into pixels: the pixels were no more at size 256, and took a small part of that time.
#
# **Rubric**
# - [1] The pass with batch size 1 is clearly slower than with 256; evidence: a table with counts and seconds of one's own run, and the factor from it (whatever it is on that machine); lost by: a claim without numbers, or "the same, since the data are the same"
# - [1] The time falls like 1 / batch size while a fixed cost for each batch dominates, and flattens where the cost of each example dominates; evidence: rows of one's table in both ranges; lost by: "larger is always faster", or a reason for only one of the two ranges
# - [1] The time at size 1 is spent on calls and bookkeeping for each batch; also accepted: allocation of tensors, the interpreter, with worker processes the transfer; lost by: "reading the files from disk" (they are in memory) or "copying the pixels"
# ### END SOLUTION

# %% [markdown]
# Here is the curve for the 10,000 validation pictures on the machine that ran this page, the best of three passes each, since other programs can only add to a time. Both axes are logarithmic, so a fall like 1 / batch size is a straight line (dashed).

# %% tags=["demo"] teaches="fixed cost of a request"
fashion, best_seconds = d2l.FashionMNIST(), {}
for size in (1, 4, 16, 64, 256, 1024):
    fashion.batch_size, laps = size, []
    for _ in range(3):
        start = time.perf_counter()
        for _ in fashion.val_dataloader():
            pass
        laps.append(time.perf_counter() - start)
    best_seconds[size] = min(laps)
    print(f"batch size {size:5}: {1000 * min(laps):7.1f} ms, {1e6 * min(laps) / 10_000:6.2f} µs for each picture, {1e6 * min(laps) / math.ceil(10_000 / size):8.1f} µs for each batch")
figure, axes = plt.subplots(figsize=(5, 3.2), layout="constrained")
axes.loglog(list(best_seconds), list(best_seconds.values()), "o-", label="measured")
axes.loglog([1, 64], [best_seconds[1], best_seconds[1] / 64], "--", color="grey", label="1 / batch size")
axes.set(xlabel="batch size", ylabel="seconds for one pass")
axes.grid(alpha=0.4)
axes.legend(loc="upper right")
plt.show()

# %% [markdown]
# On the left the points follow the dashed line: there the requests are what costs. Then the curve leaves it and becomes flat: there the pixels cost. In the printed table, the cost of a *batch* changes much less than its size at first, and the cost of a *picture* changes little at the end.

# %% [markdown] teaches="reader of single pictures"
# ## 7. Find the slow place, then mend it
#
# The usual way to read pictures is one at a time: take a picture, make an image object of the package Pillow, change it, convert it into a tensor, and at the end stack the tensors into a batch. For photographs in files that is right. For 55 MB of bytes that are in memory already, it is slow. Here is such a reader. A `DataLoader` asks it for one row after another and stacks what it gets.

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

# %% [markdown] teaches="profiler, own time and cumulative time"
# Where does its time go? Do not guess: a *profiler* tells. Python's own is `cProfile`. It notes each call of each function and adds up two times. `tottime` is the function's *own time*, spent in its own lines. `cumtime`, the *cumulative* time, includes the functions that it calls. Take a small program first, in which we know the answer:

# %% tags=["demo"] teaches="profiler, own time and cumulative time"
def slow_sum():
    result = 0
    for i in range(300_000):
        result += i
    return result

def quick_sum():
    result = 0
    for i in range(300):
        result += i
    return result

def everything():
    for _ in range(50):
        quick_sum()
    return slow_sum()

profile = cProfile.Profile()
profile.runcall(everything)                # runs everything() and watches
found = pstats.Stats(profile).stats        # a dictionary, one entry for each function
for (file, at_line, name), (_, calls, own, cumulative, _) in found.items():
    print(f"{name[:16]:16} {calls:3} calls, own time {1000 * own:7.2f} ms, cumulative {1000 * cumulative:7.2f} ms")

# %% [markdown]
# (The line `<method 'disable` is the profiler switching itself off.) `everything` has the largest cumulative time, and does almost nothing itself. `quick_sum` is called most often, and costs little. The culprit is the function with the largest *own* time, in all its calls together.
#
# A key of the dictionary is `(file, line, name)`, a value is `(primitive calls, calls, tottime, cumtime, callers)`. To sort, say what to sort by: `sorted(words, key=len, reverse=True)` puts the longest word first. Now the reader:

# %% tags=["demo"] teaches="profiler"
reader = PillowReader(data.val.data[:1000], data.val.targets[:1000])
profile = cProfile.Profile()
profile.runcall(lambda: [len(y) for X, y in torch.utils.data.DataLoader(reader, batch_size=256)])
pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(8);

# %% [markdown]
# Look at the column `ncalls`: functions that are called 1,000 times, once for each picture. No single one is slow. There are too many calls. (The profiler slows each call down, so small calls look worse than they are: use it to find the place, and a clock to measure the gain.)

# %% [markdown] task="4.2.2a" kind="code" minutes=12 difficulty=3 needs="profiler, own time and cumulative time"
# ### The functions that take the time
#
# Write `hot_spots(call, n)`. It runs `call()` under `cProfile` and returns the names of the n functions with the largest own time, all calls of a function together.
#
# **You are done when**
# - **names**: the result is a list of n strings, the third entries of the keys in `pstats.Stats(...).stats` (at least n functions run);
# - **own time**: they are the n largest by total own time, the largest first;
# - **one run**: `call()` is run exactly once.

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
# 2. `sorted(d, key=lambda k: d[k][1])` sorts the keys of a dictionary by the second entry of their values, the smallest first.
# 3. The three longest words of a text: `sorted(set(text.split()), key=len, reverse=True)[:3]`.

# %% check="4.2.2a" points=2
@probe
def profiled(rounds, n):
    runs = []

    def count_up(k):
        x = 0
        for i in range(k):
            x += i
        return x

    def sum_digits(k):
        x = 0
        for i in range(k):
            x += i
        return x

    def little(k):
        x = 0
        for i in range(k):
            x += i
        return x

    def outer():
        for _ in range(40):
            little(rounds[2] // 40)
        return count_up(rounds[0]) + sum_digits(rounds[1])

    def whole():
        runs.append(1)
        return outer()

    made = hot_spots(whole, n)
    kind = type(made).__name__
    if isinstance(made, pstats.Stats):
        made = kind                        # an object that cannot be sent
    return [made, len(runs), kind]

@probe
def profiled_sum(size):
    def add_up():
        return sum(range(size))

    return hot_spots(add_up, 1)

@probe
def results_called():
    """How often hot_spots calls what call() returns."""
    calls = []

    def result():
        calls.append(1)

    def program():
        for _ in range(1000):
            pass
        return result

    hot_spots(program, 1)
    return len(calls)

@probe
def profiled_twins(size):
    def first_of_two():
        def part():
            for _ in range(size):
                pass
        part()

    def second_of_two():
        def part():
            for _ in range(size // 2):
                pass
        part()

    def both():
        first_of_two()
        second_of_two()

    return hot_spots(both, 2)

def check_hot_spots(rounds, n, wanted, words):
    """`hot_spots` of a program whose loops have known lengths."""
    for _ in range(3):                     # a busy machine may hold up the shorter loop: then measure again
        got, runs, kind = profiled(rounds, n)
        if isinstance(got, (list, tuple)) and list(got[:len(wanted)]) == wanted:
            break
    assert_true(kind != "Stats", f"hot_spots returns a list for {words} (yours: pstats.Stats)", of="names",
                hint="`sort_stats` and `print_stats` return the statistics themselves, and `print_stats` prints a table. Asked for "
                "are the names.")
    assert_type(got, (list, tuple), f"what hot_spots returns for {words}", of="names")
    assert_equal(len(got), n, f"the number of names for n = {n}, {words}", of="names",
                 hint="A name for each of the n functions; at least n run while call() is watched.")
    assert_equal([type(name).__name__ for name in got], ["str"] * n, f"the types of the names, {words}", of="names", hint="A key has three entries, of which the name is one.")
    files = [name for name in got if name == "~" or name.startswith(("<probe", "(")) or "/" in name and name[0] != "<"]
    assert_equal(files, [], f"entries that are no names, {words}", of="names",
                 hint="A key is (file, line, name), of which the third entry is asked for.")
    said = "Sort by own time, all calls of a function together, the largest first."
    if got[0] == "little" != wanted[0]:
        said = "`little` is called most often, but in all its calls takes less than the two others."
    elif got[0] == "count_up" != wanted[0] == "little":
        said = "`count_up` takes longest in one call; but `little`, in its 40 calls together, takes more."
    elif len(wanted) > 1 and got[0] == wanted[1] and wanted[0] not in got:
        said = f"`{wanted[0]}`, which has the largest own time, is left out: your list begins with the second."
    elif set(got) <= {"whole", "outer"}:
        said = "From these the others are called: their cumulative time is the largest, and their own time is small."
    elif got[0] not in ("whole", "outer", "little", "count_up", "sum_digits"):
        said = f"`{got[0]}` takes next to no time here: the function with the largest own time comes first."
        if "whole" not in profiled(rounds, 5)[0]:
            said = "With n = 5, too, not one function that call() runs is in the list: it has run where the profiler does not watch."
    assert_equal(list(got[:len(wanted)]), wanted, f"the functions with the largest own time, {words}", of="own time", hint=said,
                 mistakes={"These are the right functions, in the wrong order: the largest first.": wanted[::-1]} if len(wanted) > 1 else {})
    assert_equal(runs, 1, f"how often call() was run, {words}", of="one run",
                 hint="To watch it, `runcall` or `enable` and `disable` around one call is enough: a run before that, or a "
                 "second one, is not asked for.")

assert_equal(results_called(), 0, "how often hot_spots calls what call() returns, with n = 1 and a call that returns a function",
             of="own time",
             hint="`runcall` takes the function itself, without parentheses. What stands with them, `call()`, has run before the "
             "profiler watches, and it is its result that is called.")
check_hot_spots([300_000, 1_600_000, 40_000], 2, ["sum_digits", "count_up"],
                "a program in which sum_digits adds 1,600,000 numbers in one call, count_up 300,000 in one, and little 40,000 in "
                "40 calls")
check_hot_spots([400_000, 80_000, 1_800_000], 1, ["little"], "a program in which little adds 1,800,000 numbers in 40 calls, and count_up 400,000 in one")
assert_equal(list(profiled_sum(1_000_000)), ["<built-in method builtins.sum>"], "hot_spots with n = 1 of a program that calls sum(range(1_000_000))", of="names", hint="Built-in functions have their entries, too.")
assert_equal(list(profiled_twins(1_000_000)), ["part", "part"],
             "hot_spots with n = 2 of a program in which two functions, both named part, take nearly all of the time", of="names",
             hint="Two functions may have the same name: they are two entries.")
### BEGIN HIDDEN TESTS
check_hot_spots([1_600_000, 300_000, 40_000], 4, ["count_up", "sum_digits"], "another program")
check_hot_spots([80_000, 400_000, 1_800_000], 3, ["little", "sum_digits", "count_up"], "a program of many calls")
assert_equal(list(profiled_sum(2_000_000)), ["<built-in method builtins.sum>"], "hot_spots of a long sum", of="names")
assert_equal(list(profiled_twins(2_000_000)), ["part", "part"], "hot_spots of a program with two functions named part", of="names", hint="Two functions may have the same name: they are two entries.")
### END HIDDEN TESTS

# %% [markdown] teaches="indexing with a tensor of rows, work of a batch"
# ### A whole batch at once
#
# The remedy is known from section 2.1: no loop over rows in Python, one operation for all. A tensor of row numbers, used as an index, picks these rows in that order, repeated ones too, and `split` cuts a tensor into pieces:

# %% teaches="indexing with a tensor of rows"
table = torch.tensor([[0, 0], [10, 11], [20, 21], [30, 31]])
print("rows 2, 0, 2:", table[torch.tensor([2, 0, 2])].tolist())
print("pieces of 3: ", [piece.tolist() for piece in torch.arange(7).split(3)])

# %% [markdown]
# The rows of pictures come in the same way: of (60000, 28, 28), 256 row numbers pick (256, 28, 28), in one operation.
#
# A function that hands out one batch after another is best written with `yield` (section 3.3): it makes each batch when it is asked for.

# %% [markdown] task="4.2.2b" kind="code" minutes=15 difficulty=3 core=true needs="indexing with a tensor of rows, bytes to floats, channel, batch of pictures, yield"
# ### The fast reader
#
# Write `fast_batches(images, labels, batch_size, order)`, which replaces the slow reader. `images` is `uint8` of shape (N, height, width), `labels` `uint8` of shape (N,), `order` a tensor of row numbers, `int64` of shape (M,), M at least 1. It returns or yields a pair (X, y) for each batch.
#
# **You are done when**
# - **rows**: each batch holds the next `batch_size` rows that `order` names, the last batch those that are left; a row may be named twice;
# - **pictures**: X is `float32` of shape (rows, 1, height, width), each byte divided by 255;
# - **labels**: y is `int64` of shape (rows,), also for a batch of one;
# - **no work for each row**: Python does as much for a batch of 64 rows as for one of 8; operations on tensors, calls, and steps of Python are counted;
# - **arguments kept**: `images`, `labels` and `order` are as they were.

# %% exercise="4.2.2b"
def fast_batches(images, labels, batch_size, order):
    """Batches X (rows, 1, height, width) float32 and y (rows,) int64, cut from tensors by index."""
    ### BEGIN SOLUTION
    for rows in order.split(batch_size):
        yield images[rows].unsqueeze(1).float() / 255, labels[rows].long()
    ### END SOLUTION

# %% [markdown] hints="4.2.2b"
# 1. What does `images[rows]` give for a *tensor* of row numbers? Which shape has it?
# 2. `order.split(5)` cuts a tensor into pieces of 5, the last one possibly shorter. `unsqueeze(1)` puts in an axis.
# 3. Rows 2, 0 and 2 of a table, halved: `table[torch.tensor([2, 0, 2])].float() / 2`, without a loop.

# %% check="4.2.2b" points=3
@probe
def batches_of(images, labels, batch_size, order):
    images, labels, order = images.clone(), labels.clone(), order.clone()
    made = fast_batches(images, labels, batch_size, order)
    return [made if made is None else [list(pair) for pair in made], images, labels, order]

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

    images, labels, order = images.clone(), labels.clone(), order.clone()
    old = sys.gettrace(), sys.getprofile()
    for _ in fast_batches(images, labels, batch_size, order):     # the first use of an operation costs more
        pass
    with Counting():
        for _ in fast_batches(images, labels, batch_size, order):
            pass
    sys._getframe().f_trace_opcodes = True      # Python 3.12 counts opcodes only if this was set before
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

def check_batches(images, labels, batch_size, order, words):
    """`fast_batches` against NumPy's indexing."""
    made, images_after, labels_after, order_after = batches_of(images, labels, batch_size, order)
    pieces = [order.numpy()[i:i + batch_size] for i in range(0, len(order), batch_size)]
    assert_type(made, list, f"what fast_batches gives for {words}", of="rows")
    for number, pair in enumerate(made):
        where = f"batch {number} of {words}"
        assert_equal([len(pair), *[type(part_).__name__ for part_ in pair]], [2, "Tensor", "Tensor"],
                     f"length and types of {where}, a pair of tensors", of="pictures",
                     hint="Each batch is a pair (X, y) of two tensors.")
        assert_true(pair[1].dim() < 3, f"the second of the pair holds labels, {where}", of="pictures",
                    hint=f"It has shape {tuple(pair[1].shape)}, like pictures: each batch is a pair (X, y) of its own.")
    sizes, full = [len(rows) for rows in pieces], len(order) // batch_size
    left_over = "The rows that are left over make a last, smaller batch."
    if len(made) == 1 < len(pieces) and len(batches_of(images, labels, 1, order)[0] or []) == 1:
        left_over = "Only the first batch comes, here and in batches of 1: a `return` inside a loop ends it."
    slips = {"These are batches of all the pictures; `order` names the rows to be read.":
                 [len(part_) for part_ in images.split(batch_size)], "All rows stand in one batch.": [len(order)],
             "All batches but the last have `batch_size` rows; `chunk(k)` makes k pieces, `split(k)` pieces of k rows.":
                 [len(part_) for part_ in order.chunk(batch_size)],
             "All batches but the last have `batch_size` rows: nothing is spread evenly.":
                 [len(part_) for part_ in order.chunk(math.ceil(len(order) / batch_size))],
             left_over: [batch_size] * full,
             "A row that is named twice comes twice.": [len(part_) for part_ in order.unique().split(batch_size)],
             "Nothing is left over here: there is no empty batch.": [*sizes, 0]}
    of_X = [len(pair[0]) if pair[0].dim() else 1 for pair in made]
    if of_X[:len(sizes)] == sizes:
        slips = {f"X has {of_X} rows, as many as it should; y has not: the same row numbers pick its labels.":
                     [pair[1].numel() for pair in made]}
    assert_equal([pair[1].numel() for pair in made], sizes, f"the number of rows in each batch for {words}", of="rows",
                 mistakes={s: value for s, value in slips.items() if value != sizes},
                 hint="A batch for each `batch_size` rows of `order`, a smaller last one for the rest, and no empty one.")
    for number, (pair, rows) in enumerate(zip(made, pieces)):
        where, begin = f"batch {number} of {words}", batch_size * number
        X_got, y_got = pair
        assert_shape(y_got, (len(rows),), f"the shape of y, {where}", of="labels" if len(rows) == 1 else "rows",
                     hint="Also a batch of one row has its label in a tensor with one axis." if len(rows) == 1
                     else "One label for each row of the batch, along a single axis.")
        by_file, whose = labels.numpy()[begin:begin + len(rows)].tolist(), labels.numpy()[rows].tolist()
        ordered = [labels.numpy()[np.sort(order.numpy())[begin:begin + len(rows)]].tolist(),
                   labels.numpy()[np.sort(rows)].tolist()]
        mine = [int(v) for v in y_got.tolist()]
        slips = {"These labels stand in the order of the file: label i of the batch is that of the i-th row that `order` names.":
                     by_file,
                 "The rows were sorted; they come as `order` names them.": mine if mine in ordered else whose}
        assert_equal(mine, whose, f"whose labels y holds, {where}", of="rows", hint="The rows that `order` names, in its order.",
                     mistakes={s: value for s, value in slips.items() if value != whose})
        assert_dtype(y_got, torch.int64, f"the dtype of y, {where}", of="labels",
                     hint="The labels are converted, too: `long()` makes int64 of them.")
        k, h, w = len(rows), *images.shape[1:]
        axes = {"The axis of the channel is missing.": (k, h, w),
                "The channel stands last; it stands in front of height and width.": (k, h, w, 1),
                "The new axis stands in front of the pictures; that of the channel comes after them.": (1, k, h, w)}
        assert_shape(X_got, (k, 1, h, w), f"the shape of X, {where}", of="pictures",
                     hint="The axes are picture, channel, height, width; a grey picture has one channel.", mistakes=axes)
        assert_dtype(X_got, torch.float32, f"the dtype of X, {where}", of="pictures",
                     hint="`float()` makes float32 of bytes; `double()`, and NumPy's division, make float64.")
        assert_close(X_got.double(), torch.from_numpy(images.numpy()[rows][:, None] / 255.0), f"X, {where}", of="pictures", rtol=1e-5, atol=1e-6, hint="Each byte divided by 255, in the order given.",
                     mistakes=pixel_slips(images.numpy(), rows, begin))
    for name_, before_, after_ in (("images", images, images_after), ("labels", labels, labels_after), ("order", order, order_after)):
        assert_shape(after_, tuple(before_.shape), f"the shape of the argument {name_} after the call, {words}",
                     of="arguments kept", hint="The caller's own tensor got another shape.")
        assert_equal(after_.tolist(), before_.tolist(), f"the argument {name_} after the call, {words}", of="arguments kept",
                     hint="The caller's own tensor was changed.")

def pixel_slips(pixels, rows, begin):
    """What known mistakes give for these rows, of which the first is number `begin` of the order."""
    own = pixels[rows][:, None].astype("float64")
    slips = {"These are values from 0 to 255: divide by 255.": own,
             "The largest byte is 255, and it becomes 1: divide by 255, not by 256.": own / 256,
             "The largest byte of the batch was taken for white; white is 255.": own / own.max(),
             "These pictures stand in the order of the file; `order` names the rows.":
                 pixels[begin:begin + len(rows)][:, None] / 255.0,
             "These are values from -1 to 1: black is 0.": own / 127.5 - 1,
             "A division of whole numbers rounds down: all but 255 becomes 0.": (own == 255).astype("float64")}
    return {s: torch.from_numpy(value) for s, value in slips.items()
            if len(value) == len(rows) and not np.allclose(value, own / 255)}

def check_work(images, labels, number, words):
    few, many = work(images, labels, 8, torch.arange(8 * number)), work(images, labels, 64, torch.arange(64 * number))
    for what_ in ("operations", "calls", "steps"):
        assert_true(many[what_] <= 1.2 * few[what_] + 20, f"as many {what_} for {number} batches of 64 rows as for {number} of 8, {words}", of="no work for each row",
                    hint=f"{few[what_]} for batches of 8, {many[what_]} for 64: is there work for each picture, or for each row number?")

byte_source = torch.Generator().manual_seed(42)
some_bytes, some_kinds = torch.randint(0, 256, (384, 3, 5), generator=byte_source).byte(), torch.arange(384).remainder(200).byte()
check_batches(some_bytes[:7], some_kinds[:7], 4, torch.tensor([6, 0, 3, 2, 5]), "the rows 6, 0, 3, 2, 5 of 7 pictures of 3 x 5 in batches of 4")
check_batches(some_bytes[:7], some_kinds[:7], 3, torch.tensor([1, 1, 4, 0, 6, 1]), "the rows 1, 1, 4, 0, 6, 1 of 7 pictures in batches of 3")
check_work(some_bytes, some_kinds, 4, "pictures of 3 x 5")
### BEGIN HIDDEN TESTS
fast_source = torch.Generator().manual_seed(422)
pixels_, kinds_ = torch.randint(0, 256, (23, 4, 6), generator=fast_source).byte(), torch.randperm(250, generator=fast_source)[:23].byte()
for size_, chosen_ in ((5, torch.randperm(23, generator=fast_source)), (4, torch.tensor([22, 1, 1, 7, 0, 3, 9, 2])), (50, torch.randperm(23, generator=fast_source)[:9]), (1, torch.tensor([13, 5, 8]))):
    check_batches(pixels_, kinds_, size_, chosen_, f"{len(chosen_)} of 23 pictures in batches of {size_}")
check_work(some_bytes, some_kinds, 6, "six batches")
### END HIDDEN TESTS

# %% [markdown]
# What is the change worth? Here are the 10,000 validation pictures in batches of 256, read by the slow reader and by the loader of `d2l.FashionMNIST`, which cuts whole batches. A loader with worker processes hides a slow reader behind other cores, at the price of starting them and sending every batch over. It does not make the reader faster.

# %% tags=["demo"] teaches="work of a batch"
def seconds_of(loader):
    start = time.perf_counter()
    for _ in loader:
        pass
    return time.perf_counter() - start

slow = seconds_of(torch.utils.data.DataLoader(PillowReader(data.val.data, data.val.targets), batch_size=256))
quick = min(seconds_of(data.val_dataloader()) for _ in range(3))
print(f"one picture at a time through Pillow: {slow:.3f} s")
print(f"a batch at a time:                    {quick:.3f} s, {slow / quick:.0f} times as fast")

# %% [markdown] teaches="amdahl's law"
# ### Is it worth the trouble?
#
# A reader that is dozens of times as fast does not make the *training* so much faster: the model has work of its own. Say an epoch takes 10 s, 4 s of them for reading. A reader twice as fast saves 2 s: 8 s are left, and the epoch is 10 / 8 = 1.25 times as fast. A reader that takes no time at all saves 4 s: 10 / 6 = 1.67 times, and never more. *The part that is not improved sets the limit*; this is Amdahl's law. `math.inf` is Python's infinity:

# %% teaches="amdahl's law"
print("4 s of reading, twice as fast:      ", 4 / 2, "s, the epoch", 6 + 4 / 2, "s, speed-up", 10 / (6 + 4 / 2))
print("4 s of reading, infinitely fast:    ", 4 / math.inf, "s, the epoch", 6 + 4 / math.inf, "s, speed-up", round(10 / (6 + 4 / math.inf), 2))

# %% [markdown] task="4.2.2c" kind="code" minutes=6 difficulty=2 needs="amdahl's law, broadcasting"
# ### What a faster reader is worth
#
# Write `epoch_speedup(share, factor)`. `share` is the share of an epoch's time that reading takes (0 to 1), `factor` how many times as fast reading becomes. It returns how many times as fast the epoch becomes. Reading and computing take turns.
#
# **You are done when**
# - **speed-up**: the result is the old time divided by the new time, also where `factor` is below 1;
# - **infinitely fast**: `factor` may be `math.inf`, for a share below 1;
# - **tensors**: both arguments may be tensors that broadcast, with infinite factors among the others.

# %% exercise="4.2.2c"
def epoch_speedup(share, factor):
    """How many times faster an epoch gets if its part `share` gets `factor` times faster (Amdahl's law)."""
    ### BEGIN SOLUTION
    return 1 / (1 - share + share / factor)
    ### END SOLUTION

# %% [markdown] hints="4.2.2c"
# 1. Let an epoch take 1 second. How long does the part that is not reading take, before and after?
# 2. The new time is a sum of two parts. A number divided by infinity is 0, but infinity divided by infinity is not a number.
# 3. A way of 10 km, 4 km of them by boat at 10 km/h and 6 km by bus at 30 km/h, takes 0.4 + 0.2 = 0.6 h. With a boat twice as fast it takes 0.2 + 0.2 = 0.4 h: 1.5 times as fast, not 2.

# %% check="4.2.2c" points=1
assert_close(epoch_speedup(0.0, 50.0), 1.0, "reading takes no time", of="speed-up", rtol=1e-5,
             mistakes={"Reading takes no time here: a reader 50 times as fast changes nothing.": 50.0,
                       "An epoch that takes as long as before has the speed-up 1, not 0.": 0.0},
             hint="The old time is the new one.")
assert_close(epoch_speedup(0.4, 2.0), 1.25, "reading takes 0.4 of the time and becomes twice as fast", of="speed-up", rtol=1e-5,
             mistakes={"This is the new time: the speed-up is the old time divided by it.": 0.8, "Reading became faster, so its part of the time is divided by `factor`; and times add up, speeds do not.": 1.4,
                       "This is the speed-up of an epoch whose reader takes twice as long: divide its part of the time by `factor`.": 1 / 1.4, "Not the computing but the reading becomes faster.": 1 / 0.7, "This adds the share that is saved to 1; the speed-up is the old time divided by the new one.": 1.2,
                       "This is 1 / 0.6, as if reading took no time: it still takes half of its 0.4, and that comes on top of "
                       "the 0.6. The two take turns.": 1 / 0.6},
             hint="Of 10 s, 6 s stay and 4 s become 2 s: 10 / 8.")
assert_close(epoch_speedup(0.25, 0.5), 0.8, "reading takes a quarter of the time and becomes half as fast", of="speed-up", rtol=1e-5,
             mistakes={"A slower reader makes the epoch slower: the result is below 1.": 1.0,
                       "This is a new time of 1/2, as 1 - 1/4 · 2 gives. But 1/4 · 2 is what reading takes now, not what is saved: it comes on "
                       "top of the other 3/4.": 2.0},
             hint="Of 4 s, 3 s stay and 1 s becomes 2 s: 4 / 5.")
endless = float(epoch_speedup(0.5, math.inf))
assert_close(endless, 2.0, "reading takes half of the time and becomes infinitely fast", of="infinitely fast", rtol=1e-5,
             hint="This is near: infinity counts as it is, and no large number stands for it. `share / factor` is 0."
             if abs(endless - 2) < 0.1 else "The part that is not reading is left. (inf / inf and 0 * inf are nan; `share / factor` is 0.)")
assert_close(epoch_speedup(torch.tensor([[0.0], [0.5]]), torch.tensor([1.0, 2.0, 4.0, math.inf])),
             torch.tensor([[1.0, 1.0, 1.0, 1.0], [1.0, 4 / 3, 1.6, 2.0]]),
             "the shares ((0), (0.5)) and the factors (1, 2, 4, inf), tensors of shapes (2, 1) and (4,)", of="tensors", rtol=1e-5,
             hint="Each share meets each factor, which gives shape (2, 4); a tensor may hold infinity, too.")
### BEGIN HIDDEN TESTS
assert_close(epoch_speedup(0.71, 12.0), 1 / (0.29 + 0.71 / 12), "a share of 0.71, 12 times as fast", of="speed-up", rtol=1e-5)
assert_close(epoch_speedup(1.0, 7.0), 7.0, "nothing but reading, 7 times as fast", of="speed-up", rtol=1e-5)
assert_close(epoch_speedup(0.3, 0.5), 1 / 1.3, "a reader that becomes half as fast", of="speed-up", rtol=1e-5)
assert_close(epoch_speedup(0.2, math.inf), 1.25, "a share of 0.2, infinitely fast", of="infinitely fast", rtol=1e-5)
shares_, factors_ = torch.tensor([[0.1], [0.55], [0.9]]), torch.tensor([1., 3., 40., math.inf])
new_times_ = torch.stack([1 - s + s / factors_ for s in shares_.flatten()])
assert_close(epoch_speedup(shares_, factors_), new_times_.reciprocal(), "shares (3, 1) against factors (4,)", of="tensors", rtol=1e-5)
### END HIDDEN TESTS

# %% [markdown] teaches="catalogue of data sets, arguments of a class"
# ## 8. Which other data sets are there?
#
# The package `torchvision` can read many more. `torchvision.datasets.__all__` lists the public names as strings, and `getattr` turns such a string into the thing that has this name. Most of them are classes; `isinstance(thing, type)` is True for a class. `inspect.signature` (section 2.7) tells what arguments a class takes:

# %% teaches="catalogue of data sets, arguments of a class"
from torchvision import datasets

print(len(datasets.__all__), "names, such as", datasets.__all__[3:8])
thing = getattr(datasets, "SVHN")
print("SVHN is a class:", isinstance(thing, type), "  arguments:", list(inspect.signature(thing).parameters))
print("split" in inspect.signature(thing).parameters, "train" in inspect.signature(thing).parameters)

# %% [markdown] task="4.2.3" kind="explain" minutes=20 difficulty=3 needs="catalogue of data sets, arguments of a class, signature, batch of pictures"
# ### The catalogue of torchvision
#
# Write `datasets_with(argument)`: the names in `torchvision.datasets.__all__` of the classes whose constructor takes an argument of this name.
#
# **You are done when**
# - **named arguments**: the signature itself names the argument; one that could only come in through `**kwargs` does not count;
# - **classes**: functions do not count;
# - **sorted**: the result is a list (a tuple will do) in alphabetical order, as `sorted` gives it; empty if there is none.
#
# Then answer in words, with the documentation (`help(torchvision.datasets.CIFAR10)` or the web page):
# 1. FashionMNIST asks for `train=`, others for `split=`. What can a class with `split=` offer that one with `train=` cannot? Name two classes of each kind.
# 2. Name one data set that is *not* made for classification of whole pictures, with its task and the form of its targets.
# 3. You replace Fashion-MNIST by CIFAR-10. What changes in the shapes of the batches, and so in a softmax regression, whose weight has a row for each number of a picture and a column for each class?

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
# 2. `inspect.signature(x).parameters` is a mapping whose keys are the names; `in` asks for a key.
# 3. For another module: `[n for n in dir(math) if callable(getattr(math, n))]` lists its functions.

# %% check="4.2.3" points=2
@probe
def names_with(argument):
    found = datasets_with(argument)
    return [[name if isinstance(name, str) else repr(name) for name in found],
            [type(name).__name__ for name in found]] if isinstance(found, (list, tuple)) else [found, []]

def check_datasets(argument, wanted, of, in_small_letters=()):
    """`wanted`: the names, sorted; `in_small_letters`: those for the argument in small letters."""
    got, types = names_with(argument)
    assert_type(got, list, f"what datasets_with({argument!r}) returns", of="sorted",
                hint="Where no class takes this argument, it is an empty list." if not wanted else "")
    assert_equal(types, ["str"] * len(types), f"the types of the entries that datasets_with({argument!r}) returns", of="sorted",
                 hint="They are names, strings from `torchvision.datasets.__all__`.")
    import torchvision
    kinds = {name: getattr(torchvision.datasets, name) for name in torchvision.datasets.__all__}
    signatures = {name: inspect.signature(kind) for name, kind in kinds.items() if inspect.isclass(kind)}

    def without_default(this):
        taken = {name: signature.parameters.get(this) for name, signature in signatures.items()}
        return sorted(name for name in taken if taken[name] and taken[name].default is inspect.Parameter.empty)

    slips = {"A part of a name, or of the signature's text, was taken for it: the argument must have this very name.":
                 sorted(name for name, taken in signatures.items() if argument in str(taken)),
             "An argument that could only come in through **kwargs does not count.": sorted({*wanted, *(name for name, taken in signatures.items() if "**kwargs" in str(taken))}),
             "An argument that has a default counts as well.": without_default(argument) or wanted,
             "These are the classes with an attribute of this name; asked are those whose signature names it.":
                 sorted(name for name in signatures if hasattr(kinds[name], argument)) or wanted,
             "Capital letters count: `Background` is not `background`.": sorted(in_small_letters or wanted)}
    missing, extra = sorted(set(wanted) - set(got)), sorted(set(got) - set(wanted))

    def why_none():
        """Nothing was found: two arguments that tell why."""
        if names_with("split")[0] == without_default("split"):
            return "An argument that has a default counts as well."
        if sorted(names_with("download")[0]) == sorted(name for name in signatures if hasattr(kinds[name], "download")):
            return ("What you find are attributes of the class (for 'download' a method of this name). Asked is the signature of "
                    "its constructor.")
        return ""

    if missing:
        has_it = next(kind for kind in kinds[missing[0]].__mro__ if "__init__" in vars(kind)).__name__
        said = (f"{missing[0]} is missing: its constructor" + (f", which it has from {has_it}," if has_it != missing[0] else "")
                + f" takes `{argument}`.")
    elif extra:
        named_inside = extra[0] in signatures and argument in kinds[extra[0]].__init__.__code__.co_varnames
        said = f"{extra[0]} does not belong here: " + (f"the signature of its constructor does not name `{argument}`"
                                                       + ("; it is a variable inside of it." if named_inside else ".")
                                                       if extra[0] in signatures else "it is a function." if extra[0] in kinds
                                                       else "`torchvision.datasets.__all__` has no such name.")
    else:
        said = "Each name comes once."
    assert_equal(sorted(got), wanted, f"the names that datasets_with({argument!r}) finds", of=of,
                 hint=(why_none, said) if wanted and not got else said,
                 mistakes={s: value for s, value in slips.items() if value != wanted})
    slips = {"Capital letters and small ones were taken for equal; `sorted` puts capital letters first.":
                 sorted(wanted, key=str.lower), "This is the order of `__all__`.": [name for name in kinds if name in wanted],
             "The order is the reverse of the alphabet's.": sorted(wanted, reverse=True)}
    assert_equal(got, wanted, f"the order of the names for {argument!r}", of="sorted",
                 hint="They stand as `sorted` puts them.",
                 mistakes={s: value for s, value in slips.items() if value != wanted})

check_datasets("train", ["CIFAR10", "CIFAR100", "FashionMNIST", "HMDB51", "KMNIST", "Kitti", "MNIST", "PhotoTour", "QMNIST", "UCF101", "USPS"], "named arguments")
check_datasets("image_set", ["LFWPairs", "LFWPeople", "SBDataset", "VOCDetection", "VOCSegmentation"], "named arguments")
check_datasets("background", ["Omniglot"], "named arguments")
check_datasets("target_keys", [], "classes")
check_datasets("version", ["INaturalist"], "named arguments")
check_datasets("images", [], "named arguments")
check_datasets("no_such_argument", [], "named arguments")
check_datasets("Background", [], "named arguments", in_small_letters=["Omniglot"])
check_datasets("name", ["PhotoTour"], "classes")
### BEGIN HIDDEN TESTS
def truly_with(argument):
    import torchvision
    kinds = {name: getattr(torchvision.datasets, name) for name in torchvision.datasets.__all__}
    specs = {name: inspect.getfullargspec(kind.__init__) for name, kind in kinds.items() if inspect.isclass(kind)}
    return sorted(name for name, spec in specs.items() if argument in spec.args + spec.kwonlyargs)

for argument_ in ("train", "split", "target_type", "num_classes", "mode", "splits_dir", "download", "SPLIT"):
    check_datasets(argument_, truly_with(argument_), "named arguments", truly_with(argument_.lower()))
for argument_ in ("dataset", "name"):
    check_datasets(argument_, truly_with(argument_), "classes")
### END HIDDEN TESTS

# %% [markdown] written="4.2.3" points=3
# ### BEGIN SOLUTION
# 1. `train=` is a truth value, so there are exactly two parts: training and test. `split=` is a string and can name more: `SVHN` has `"train"`, `"test"`, `"extra"`, `STL10` has `"unlabeled"`, `Flowers102` and `DTD` have `"val"`. With `train=`: `CIFAR10`, `MNIST`. A part for validation keeps the test part for the end.
# 2. `VOCDetection`: find objects. Its target is a dictionary with a box and a class for each object, so targets of different pictures differ in length. (Or `VOCSegmentation`: a class for each pixel; `KittiFlow`: a displacement for each pixel; `CocoCaptions`: sentences.)
# 3. CIFAR-10 has colour pictures of 32 by 32: X is (batch, 3, 32, 32), so a picture has 3,072 values in place of 784, and the weight of the softmax regression becomes (3072, 10). y stays (batch,), `int64`, ten classes. There are 50,000 pictures for training, so 196 batches of 256.
#
# **Rubric**
# - [1] `split` can name more than two parts (validation, unlabelled, extra, folds); evidence: two classes of each kind; lost by: "two names for the same thing", or classes of one kind only
# - [1] One data set with another task (detection, segmentation, flow, captions, pairs, or another that its documentation says) and the form of its targets; lost by: another data set for classification of whole pictures, or a task without the form of the targets
# - [1] X becomes (batch, 3, 32, 32) and the weight has 3,072 rows; also accepted: the weight with the axes the other way round, (10, 3072), or converting to grey and resizing to 28, said with its consequence that nothing changes; lost by: "only the number of channels changes, the model stays as it is", or 1,024 rows
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - A batch of pictures is X of shape (batch, channel, height, width) in `float32`, from 0 to 1, and y of shape (batch,) in `int64`. Bytes are for storage: first to floating point, then arithmetic; axes are exchanged by `permute`, not by `reshape`.
# - A pass over N examples has ⌈N / B⌉ batches, the last of which may be smaller. Training batches come in a new order each time; validation reads everything, in order. Here the validation set is what the makers call the test set.
# - A smaller picture is made of means. Picked pixels show patterns that are not there.
# - A request has a fixed cost, a row has another: batches that are too small waste the first. A profiler finds the place by *own* time, a clock measures the gain, and Amdahl's law says beforehand what it is worth.
# - Section 4.3 builds the class in which all classifiers of this book measure themselves, and section 4.4 trains the first one on these pictures.
