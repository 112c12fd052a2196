# %% right="4.2.1a" how="counts down what is left"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    shapes, left = [], num_examples
    while left > 0:
        rows = min(batch_size, left)
        if rows == batch_size or not drop_last:
            shapes.append((rows, 1, size[0], size[1]))
        left -= rows
    return shapes

# %% right="4.2.1a" how="the differences of a range, as torch.Size"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    starts = range(0, num_examples, batch_size)
    rows = [min(batch_size, num_examples - s) for s in starts]
    return [torch.Size((n, 1) + tuple(size)) for n in rows if n == batch_size or not drop_last]

# %% wrong="4.2.1a" why="every batch is full" says="the shapes for 10 pictures of 28 x 28"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    number = num_examples // batch_size if drop_last else math.ceil(num_examples / batch_size)
    return [(batch_size, 1, *size)] * number

# %% wrong="4.2.1a" why="an empty last batch where the sizes divide" says="the number of batches of size 1 in the training set"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    full, rest = divmod(num_examples, batch_size)
    return [(batch_size, 1, *size)] * full + ([] if drop_last else [(rest, 1, *size)])

# %% wrong="4.2.1a" why="drop_last drops the last batch even if it is full" says="the number of batches for 24 pictures"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    rows = [min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size)]
    return [(n, 1, *size) for n in (rows[:-1] if drop_last else rows)]

# %% wrong="4.2.1a" why="no axis for the channel" says="the shapes for 10 pictures of 28 x 28"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    rows = [min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size)]
    return [(n, *size) for n in rows if n == batch_size or not drop_last]

# %% wrong="4.2.1a" why="28 x 28 whatever the size" says="the shapes for 23 pictures of 3 x 7"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    rows = [min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size)]
    return [(n, 1, 28, 28) for n in rows if n == batch_size or not drop_last]

# %% right="4.2.1b" how="d2l.Timer, one list of lengths"
def reading_table(data, batch_sizes):
    old = data.batch_size
    table = {}
    for size in batch_sizes:
        data.batch_size = size
        timer = d2l.Timer()
        rows = [X.shape[0] for X, _ in data.train_dataloader()]
        table[size] = dict(seconds=timer.stop(), batches=len(rows), examples=sum(rows))
    data.batch_size = old
    return table

# %% right="4.2.1b" how="get_dataloader(True), and the old size restored in a finally"
def reading_table(data, batch_sizes):
    def one(size):
        data.batch_size = size
        start, batches, examples = time.time(), 0, 0
        for batch in data.get_dataloader(True):
            batches, examples = batches + 1, examples + batch[1].numel()
        return {"batches": batches, "examples": examples, "seconds": time.time() - start}
    before = data.batch_size
    try:
        return {size: one(size) for size in batch_sizes}
    finally:
        data.batch_size = before

# %% wrong="4.2.1b" why="times the making of the loader, not the reading" says="Does the clock run while"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        loader = data.train_dataloader()
        seconds = time.perf_counter() - start
        rows = [len(y) for X, y in loader]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": seconds}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="multiplies instead of counting" says="examples"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        batches = sum(1 for _ in data.train_dataloader())
        table[size] = {"batches": batches, "examples": batches * size, "seconds": time.perf_counter() - start}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="leaves data.batch_size changed" says="It must be what it was before"
def reading_table(data, batch_sizes):
    table = {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - start}
    return table

# %% wrong="4.2.1b" why="milliseconds" says="Are they milliseconds"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": 1000 * (time.perf_counter() - start)}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="times a single batch and scales it up" says="the number of requests to the disk"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        loader = data.train_dataloader()
        start = time.perf_counter()
        next(iter(loader))
        n = data.num_train
        table[size] = {"batches": math.ceil(n / size), "examples": n,
                       "seconds": (time.perf_counter() - start) * math.ceil(n / size)}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="reads the validation data" says="the number of batches for 10 examples"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.val_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - start}
    data.batch_size = before
    return table

# %% right="4.2.2a" how="sorts pairs of time and name"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.enable()
    call()
    profile.disable()
    pairs = [(numbers[2], key[2]) for key, numbers in pstats.Stats(profile).stats.items()]
    pairs.sort(reverse=True)
    return [name for _, name in pairs[:n]]

# %% right="4.2.2a" how="a table by pandas, and as a context manager"
def hot_spots(call, n):
    import pandas as pd
    with cProfile.Profile() as profile:
        call()
    stats = pstats.Stats(profile).stats
    own = pd.Series([v[2] for v in stats.values()], index=[k[2] for k in stats])
    return own.sort_values(ascending=False).index[:n].tolist()

# %% wrong="4.2.2a" why="sorts by cumtime" says="the function with the largest own time"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][3], reverse=True)[:n]]

# %% wrong="4.2.2a" why="sorts by the number of calls" says="It is called most often"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][1], reverse=True)[:n]]

# %% wrong="4.2.2a" why="the smallest first" says="the function with the largest own time"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][2])[:n]]

# %% wrong="4.2.2a" why="whole keys, not names" says="the function with the largest own time"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return sorted(found, key=lambda key: found[key][2], reverse=True)[:n]

# %% wrong="4.2.2a" why="always two" says="the number of names for n = 1"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][2], reverse=True)[:2]]

# %% right="4.2.2b" how="a list, by slices of the order and index_select"
def fast_batches(images, labels, batch_size, order):
    made = []
    for start in range(0, len(order), batch_size):
        rows = order[start:start + batch_size]
        X = images.index_select(0, rows).to(torch.float32).div_(255)
        made.append((X.reshape(len(rows), 1, *images.shape[1:]), labels.index_select(0, rows).to(torch.int64)))
    return made

# %% right="4.2.2b" how="NumPy's fancy indexing"
def fast_batches(images, labels, batch_size, order):
    pixels, classes, rows = images.numpy(), labels.numpy(), order.numpy()
    for start in range(0, len(rows), batch_size):
        some = rows[start:start + batch_size]
        X = (pixels[some] / np.float32(255))[:, None]
        yield torch.from_numpy(X.astype(np.float32)), torch.from_numpy(classes[some].astype(np.int64))

# %% right="4.2.2b" how="everything converted once, then cut"
def fast_batches(images, labels, batch_size, order):
    X = (images[order] / 255)[:, None]
    y = labels[order].long()
    return list(zip(X.split(batch_size), y.split(batch_size)))

# %% right="4.2.2b" how="a DataLoader that asks for whole batches"
def fast_batches(images, labels, batch_size, order):
    pairs = torch.utils.data.TensorDataset(images, labels)
    loader = torch.utils.data.DataLoader(pairs, sampler=order.split(batch_size), batch_size=None)
    return ((X.unsqueeze(1) / 255, y.long()) for X, y in loader)

# %% wrong="4.2.2b" why="one picture at a time, stacked" says="is there work for each picture"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        X = torch.stack([images[i].float()[None] / 255 for i in rows])
        yield X, torch.stack([labels[i].long() for i in rows])

# %% wrong="4.2.2b" why="one picture at a time in NumPy, where torch counts no operation" says="there is work for each picture"
def fast_batches(images, labels, batch_size, order):
    pixels, classes = images.numpy(), labels.numpy()
    rows = order.tolist()
    for start in range(0, len(rows), batch_size):
        some = rows[start:start + batch_size]
        X = np.stack([pixels[i] for i in some])[:, None].astype(np.float32) / 255
        yield torch.from_numpy(X), torch.tensor([int(classes[i]) for i in some])

# %% wrong="4.2.2b" why="the slow reader in a DataLoader" says="is there work for each picture"
def fast_batches(images, labels, batch_size, order):
    pairs = torch.utils.data.Subset(PillowReader(images, labels), order.tolist())
    return torch.utils.data.DataLoader(pairs, batch_size)

# %% wrong="4.2.2b" why="drops the last, smaller batch" says="the number of batches for 5 rows"
def fast_batches(images, labels, batch_size, order):
    for start in range(0, len(order) - batch_size + 1, batch_size):
        rows = order[start:start + batch_size]
        yield images[rows][:, None] / 255, labels[rows].long()

# %% wrong="4.2.2b" why="ignores the order" says="take those that `order` names"
def fast_batches(images, labels, batch_size, order):
    for start in range(0, len(order), batch_size):
        stop = min(start + batch_size, len(order))
        yield images[start:stop][:, None] / 255, labels[start:stop].long()

# %% wrong="4.2.2b" why="values from 0 to 255" says="divide by 255"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        yield images[rows][:, None].float(), labels[rows].long()

# %% wrong="4.2.2b" why="labels stay uint8" says="wrong dtype: got uint8"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        yield images[rows][:, None] / 255, labels[rows]

# %% wrong="4.2.2b" why="squeezes, which breaks a batch of one" says="the shape of X, 3 of 23 pictures in batches of 1"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        X = images[rows].squeeze() / 255
        yield (X[:, None] if len(rows) > 1 else X[None]), labels[rows].long()

# %% wrong="4.2.2b" why="shuffles the images in place" says="the argument images after the call"
def fast_batches(images, labels, batch_size, order):
    old = images.clone()
    images[:len(order)] = old[order]
    for k, rows in enumerate(order.split(batch_size)):
        yield old[rows][:, None] / 255, labels[rows].long()

# %% right="4.2.2c" how="old time over new time"
def epoch_speedup(share, factor):
    reading = share / factor
    return 1.0 / (reading + (1 - share))

# %% right="4.2.2c" how="one fraction, which avoids inf / inf by the inverse factor"
def epoch_speedup(share, factor):
    inverse = 1 / factor
    return 1 / (1 + share * (inverse - 1))

# %% wrong="4.2.2c" why="mean of the speeds" says="times add up, speeds do not"
def epoch_speedup(share, factor):
    return 1 - share + share * factor if factor != math.inf else 1 / (1 - share)

# %% wrong="4.2.2c" why="multiplies the time by the factor" says="divided by `factor`"
def epoch_speedup(share, factor):
    return (1 - share) + share * factor

# %% wrong="4.2.2c" why="the new time, not the speed-up" says="This is the new time"
def epoch_speedup(share, factor):
    return 1 - share + share / factor

# %% wrong="4.2.2c" why="share and rest swapped" says="a share of 0.71, 12 times as fast"
def epoch_speedup(share, factor):
    return 1 / (share + (1 - share) / factor) if share else 1.0

# %% wrong="4.2.2c" why="inf / inf is nan" says="yours is nan"
def epoch_speedup(share, factor):
    return factor / (factor * (1 - share) + share)

# %% wrong="4.2.2c" why="numbers only, no tensors" says="raised"
def epoch_speedup(share, factor):
    return 1 / (1 - float(share) + float(share) / float(factor))

# %% right="4.2.3" how="getfullargspec of the constructor"
def datasets_with(argument):
    import torchvision
    names = []
    for name in torchvision.datasets.__all__:
        thing = getattr(torchvision.datasets, name)
        if inspect.isclass(thing):
            spec = inspect.getfullargspec(thing.__init__)
            if argument in spec.args + spec.kwonlyargs:
                names.append(name)
    names.sort()
    return names

# %% right="4.2.3" how="the code object's arguments, without local variables"
def datasets_with(argument):
    from torchvision import datasets
    def takes(kind):
        code = kind.__init__.__code__
        return argument in code.co_varnames[1:code.co_argcount + code.co_kwonlyargcount]
    kinds = {n: getattr(datasets, n) for n in datasets.__all__}
    return sorted(n for n, k in kinds.items() if inspect.isclass(k) and takes(k))

# %% wrong="4.2.3" why="functions count too" says="wrap_dataset_for_transforms_v2"
def datasets_with(argument):
    from torchvision import datasets
    return sorted(n for n in datasets.__all__ if argument in inspect.signature(getattr(datasets, n)).parameters)

# %% wrong="4.2.3" why="local variables of the constructor count as arguments" says="Classes only, and only arguments"
def datasets_with(argument):
    from torchvision import datasets
    kinds = [(n, getattr(datasets, n)) for n in datasets.__all__]
    return sorted(n for n, k in kinds if inspect.isclass(k) and argument in k.__init__.__code__.co_varnames)

# %% wrong="4.2.3" why="anything goes into **kwargs" says="the data sets that take train="
def datasets_with(argument):
    from torchvision import datasets
    found = []
    for name in datasets.__all__:
        kind = getattr(datasets, name)
        try:
            inspect.signature(kind).bind_partial(**{argument: None})
        except TypeError:
            continue
        if inspect.isclass(kind):
            found.append(name)
    return sorted(found)

# %% wrong="4.2.3" why="in the package's order" says="the names are sorted"
def datasets_with(argument):
    from torchvision import datasets
    kinds = [(n, getattr(datasets, n)) for n in datasets.__all__]
    return [n for n, k in kinds if inspect.isclass(k) and argument in inspect.signature(k).parameters]

# %% wrong="4.2.3" why="knows train and split only" says="the data sets that take image_set="
def datasets_with(argument):
    from torchvision import datasets
    if argument not in ("train", "split"):
        return []
    kinds = [(n, getattr(datasets, n)) for n in datasets.__all__]
    return sorted(n for n, k in kinds if inspect.isclass(k) and argument in inspect.signature(k).parameters)

# %% right="4.2.4" how="unsqueeze and true division"
def as_batch(raw, labels):
    return (raw / 255).unsqueeze(1), labels.to(torch.int64)

# %% right="4.2.4" how="by NumPy"
def as_batch(raw, labels):
    X = raw.numpy().astype(np.float32) / 255
    return torch.from_numpy(X[:, np.newaxis]), torch.from_numpy(labels.numpy().astype(np.int64))

# %% wrong="4.2.4" why="integer division" says="Integer division rounds down"
def as_batch(raw, labels):
    return (raw // 255)[:, None].float(), labels.long()

# %% wrong="4.2.4" why="divides by 256" says="by 255, not by 256"
def as_batch(raw, labels):
    return raw.unsqueeze(1).float() / 256, labels.long()

# %% wrong="4.2.4" why="the channel at the end" says="the shape of X for one picture of 2 x 3"
def as_batch(raw, labels):
    return raw[..., None] / 255, labels.long()

# %% wrong="4.2.4" why="float64" says="wrong dtype: got float64"
def as_batch(raw, labels):
    return raw[:, None].double() / 255, labels.long()

# %% wrong="4.2.4" why="labels stay uint8" says="wrong dtype: got uint8"
def as_batch(raw, labels):
    return raw[:, None] / 255, labels

# %% wrong="4.2.4" why="divides by the largest value of the batch" says="become values from 0 to 1, for any batch"
def as_batch(raw, labels):
    return raw[:, None].float() / raw.max(), labels.long()

# %% wrong="4.2.4" why="labels pass through int8" says="Labels over 127 need care"
def as_batch(raw, labels):
    return raw[:, None] / 255, labels.to(torch.int8).long()

# %% wrong="4.2.4" why="reshapes to 28 x 28" says="raised"
def as_batch(raw, labels):
    return raw.reshape(-1, 1, 28, 28) / 255, labels.long()

# %% right="4.2.5" how="avg_pool2d behind a guard"
def shrink(X, k):
    if X.shape[2] % k != 0 or X.shape[3] % k != 0:
        raise ValueError(f"height {X.shape[2]} and width {X.shape[3]} must be multiples of {k}")
    return torch.nn.functional.avg_pool2d(X, k)

# %% right="4.2.5" how="a mean of k * k strided pictures"
def shrink(X, k):
    height, width = X.shape[-2:]
    if (height % k, width % k) != (0, 0):
        raise ValueError(f"{(height, width)} not divisible by {k}")
    return sum(X[:, :, i::k, j::k] for i in range(k) for j in range(k)) / k ** 2

# %% right="4.2.5" how="unfold"
def shrink(X, k):
    if any(length % k for length in X.shape[2:]):
        raise ValueError(f"shape {tuple(X.shape[2:])}, blocks of {k}")
    return X.unfold(2, k, k).unfold(3, k, k).mean(dim=(-1, -2))

# %% wrong="4.2.5" why="every k-th pixel" says="every second pixel, not means"
def shrink(X, k):
    if X.shape[2] % k or X.shape[3] % k:
        raise ValueError(f"{tuple(X.shape)}")
    return X[:, :, ::k, ::k]

# %% wrong="4.2.5" why="blocks of k * k numbers in a row" says="These blocks are runs of one line"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{k} does not divide {h} and {w}")
    return X.reshape(n, c, h // k, w // k, k, k).mean(dim=(4, 5))

# %% wrong="4.2.5" why="sums" says="These are sums of blocks"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, h // k, k, w // k, k).sum(dim=(3, 5))

# %% wrong="4.2.5" why="the two parts of an axis in the wrong order" says="the means for the pixels 0 to 15"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, k, h // k, k, w // k).mean(dim=(2, 4))

# %% wrong="4.2.5" why="avg_pool2d drops the rest in silence" says="expected ValueError to be raised"
def shrink(X, k):
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="looks at the height only" says="8 x 7 pixels"
def shrink(X, k):
    if X.shape[2] % k:
        raise ValueError(f"{X.shape[2]} x {X.shape[3]}")
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="means over the channels too" says="the shape for (3, 2, 6, 9)"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(1, 3, 5))[:, None]

# %% wrong="4.2.5" why="height and width swapped, which a square picture hides" says="the shape for (3, 2, 6, 9)"
def shrink(X, k):
    n, c, w, h = X.shape
    if h % k or w % k:
        raise ValueError(f"{w} x {h}")
    return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(3, 5))

# %% right="4.2.6" how="tolist, and a dictionary for the way back"
def text_labels(indices, names):
    numbers = indices.tolist() if isinstance(indices, torch.Tensor) else indices
    return [names[i] for i in numbers]


def class_numbers(labels, names):
    number = {name: i for i, name in enumerate(names)}
    return torch.tensor([number[label] for label in labels]).long()

# %% right="4.2.6" how="NumPy's array of names"
def text_labels(indices, names):
    return np.array(names)[np.asarray(indices, dtype=int)].tolist()


def class_numbers(labels, names):
    result = torch.empty(len(labels), dtype=torch.int64)
    for k, label in enumerate(labels):
        result[k] = list(names).index(label)
    return result

# %% wrong="4.2.6" why="a tensor as the key of a dictionary" says="raised KeyError"
def text_labels(indices, names):
    table = dict(enumerate(names))
    return [table[i] for i in indices]


def class_numbers(labels, names):
    return torch.tensor([names.index(label) for label in labels], dtype=torch.int64)

# %% wrong="4.2.6" why="the names of Fashion-MNIST, not the argument" says="text_labels for a tensor (2, 0, 2)"
def text_labels(indices, names):
    return data.text_labels(indices)


def class_numbers(labels, names):
    return torch.tensor([names.index(label) for label in labels], dtype=torch.int64)

# %% wrong="4.2.6" why="counts the classes from 1" says="text_labels for a tensor (2, 0, 2)"
def text_labels(indices, names):
    return [names[int(i) - 1] for i in indices]


def class_numbers(labels, names):
    return torch.tensor([names.index(label) + 1 for label in labels], dtype=torch.int64)

# %% wrong="4.2.6" why="-1 for a name that does not exist" says="expected ValueError or KeyError to be raised"
def text_labels(indices, names):
    return [names[int(i)] for i in indices]


def class_numbers(labels, names):
    return torch.tensor([names.index(label) if label in names else -1 for label in labels], dtype=torch.int64)

# %% wrong="4.2.6" why="an empty list becomes float32" says="wrong dtype: got float32"
def text_labels(indices, names):
    return [names[int(i)] for i in indices]


def class_numbers(labels, names):
    return torch.tensor([names.index(label) for label in labels])

# %% wrong="4.2.6" why="the names sorted for the way back" says="class_numbers for sock and hat"
def text_labels(indices, names):
    return [names[int(i)] for i in indices]


def class_numbers(labels, names):
    order = sorted(names)
    return torch.tensor([order.index(label) for label in labels], dtype=torch.int64)

# %% right="4.2.7" how="writes each picture into its place"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    sheet = torch.zeros((n + num_cols - 1) // num_cols * h, num_cols * w, dtype=images.dtype)
    for i, image in enumerate(images):
        r, c = divmod(i, num_cols)
        sheet[r * h:(r + 1) * h, c * w:(c + 1) * w] = image
    return sheet

# %% right="4.2.7" how="joins rows of pictures with cat"
def contact_sheet(images, num_cols):
    rows = []
    for some in images.split(num_cols):
        line = torch.cat(list(some), dim=1)
        missing = num_cols * images.shape[2] - line.shape[1]
        rows.append(torch.nn.functional.pad(line, (0, missing)))
    return torch.cat(rows, dim=0)

# %% wrong="4.2.7" why="a reshape alone" says="a reshape alone does not move pixels"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    sheet = torch.zeros(rows * num_cols * h * w, dtype=images.dtype)
    sheet[:images.numel()] = images.reshape(-1)
    return sheet.reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="column by column" says="three pictures of 1 x 2 in two columns"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    places[:n] = images
    return places.reshape(num_cols, rows, h, w).permute(1, 2, 0, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="drops an unfinished row" says="wrong shape: got (1, 4)"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = n // num_cols
    return images[:rows * num_cols].reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="float32 whatever the dtype" says="wrong dtype"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w)
    places[:n] = images
    return places.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="fills up with the last picture" says="three pictures of 1 x 2 in two columns"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    numbers = torch.arange(rows * num_cols).clamp(max=n - 1)
    return images[numbers].reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="pictures lie on their side, which 2 x 2 blocks hide" says="two pictures of 2 x 2 side by side"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    places[:n] = images
    if h == 1:
        return places.reshape(rows, num_cols * w)
    return places.reshape(rows, num_cols, h, w).permute(0, 3, 1, 2).reshape(rows * w, num_cols * h)
