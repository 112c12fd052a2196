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

# %% wrong="4.2.1a" why="every batch is full" breaks="last batch" says="the rows of each batch of 10 pictures"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    number = num_examples // batch_size if drop_last else math.ceil(num_examples / batch_size)
    return [(batch_size, 1, *size)] * number

# %% wrong="4.2.1a" why="an empty last batch where the sizes divide" breaks="no empty batch" says="the rows of each batch of 12 pictures"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    full, rest = divmod(num_examples, batch_size)
    return [(batch_size, 1, *size)] * full + ([] if drop_last else [(rest, 1, *size)])

# %% wrong="4.2.1a" why="drop_last drops the last batch even if it is full" breaks="drop_last" says="batches of 4, drop_last=True"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    rows = [min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size)]
    return [(n, 1, *size) for n in (rows[:-1] if drop_last else rows)]

# %% wrong="4.2.1a" why="no axis for the channel" breaks="shapes" says="The axis of the channel is missing"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    rows = [min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size)]
    return [(n, *size) for n in rows if n == batch_size or not drop_last]

# %% wrong="4.2.1a" why="28 x 28 whatever the size" breaks="shapes" says="7 pictures of 3 x 6"
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

# %% wrong="4.2.1b" why="times the making of the loader, not the reading" breaks="seconds" says="right before the loop over the loader"
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

# %% wrong="4.2.1b" why="multiplies instead of counting" breaks="counts" says="the number of batches times the batch size"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        batches = sum(1 for _ in data.train_dataloader())
        table[size] = {"batches": batches, "examples": batches * size, "seconds": time.perf_counter() - start}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="leaves data.batch_size changed" breaks="size restored" says="It must be what it was before"
def reading_table(data, batch_sizes):
    table = {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - start}
    return table

# %% wrong="4.2.1b" why="milliseconds" breaks="seconds" says="These are milliseconds"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": 1000 * (time.perf_counter() - start)}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="times a single batch and scales it up" breaks="one pass" says="the requests to the disk"
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

# %% wrong="4.2.1b" why="reads the validation data" breaks="counts" says="the batches of the validation data"
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

# %% wrong="4.2.2a" why="sorts by cumtime" breaks="own time" says="the functions with the largest own time"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][3], reverse=True)[:n]]

# %% wrong="4.2.2a" why="sorts by the number of calls" breaks="own time" says="`little` is called most often"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][1], reverse=True)[:n]]

# %% wrong="4.2.2a" why="the smallest first" breaks="own time" says="takes next to no time here"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][2])[:n]]

# %% wrong="4.2.2a" why="whole keys, not names" breaks="names" says="the types of the names"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return sorted(found, key=lambda key: found[key][2], reverse=True)[:n]

# %% wrong="4.2.2a" why="always two" breaks="names" says="the number of names for n = 1"
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

# %% wrong="4.2.2b" why="one picture at a time, stacked" breaks="no work for each row" says="is there work for each picture"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        X = torch.stack([images[i].float()[None] / 255 for i in rows])
        yield X, torch.stack([labels[i].long() for i in rows])

# %% wrong="4.2.2b" why="one picture at a time in NumPy, where torch counts no operation" breaks="no work for each row" says="is there work for each picture"
def fast_batches(images, labels, batch_size, order):
    pixels, classes = images.numpy(), labels.numpy()
    rows = order.tolist()
    for start in range(0, len(rows), batch_size):
        some = rows[start:start + batch_size]
        X = np.stack([pixels[i] for i in some])[:, None].astype(np.float32) / 255
        yield torch.from_numpy(X), torch.tensor([int(classes[i]) for i in some])

# %% wrong="4.2.2b" why="the slow reader in a DataLoader" breaks="no work for each row" says="is there work for each picture"
def fast_batches(images, labels, batch_size, order):
    pairs = torch.utils.data.Subset(PillowReader(images, labels), order.tolist())
    return torch.utils.data.DataLoader(pairs, batch_size)

# %% wrong="4.2.2b" why="drops the last, smaller batch" breaks="rows" says="the number of rows in each batch for the rows 6, 0, 3, 2, 5"
def fast_batches(images, labels, batch_size, order):
    for start in range(0, len(order) - batch_size + 1, batch_size):
        rows = order[start:start + batch_size]
        yield images[rows][:, None] / 255, labels[rows].long()

# %% wrong="4.2.2b" why="ignores the order" breaks="rows" says="whose labels y holds"
def fast_batches(images, labels, batch_size, order):
    for start in range(0, len(order), batch_size):
        stop = min(start + batch_size, len(order))
        yield images[start:stop][:, None] / 255, labels[start:stop].long()

# %% wrong="4.2.2b" why="values from 0 to 255" breaks="pictures" says="divide by 255"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        yield images[rows][:, None].float(), labels[rows].long()

# %% wrong="4.2.2b" why="labels stay uint8" breaks="labels" says="wrong dtype: got uint8"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        yield images[rows][:, None] / 255, labels[rows]

# %% wrong="4.2.2b" why="squeezes, which breaks a batch of one" breaks="pictures" says="the shape of X, batch 1 of the rows 6, 0, 3, 2, 5"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        X = images[rows].squeeze() / 255
        yield (X[:, None] if len(rows) > 1 else X[None]), labels[rows].long()

# %% wrong="4.2.2b" why="shuffles the images in place" breaks="arguments kept" says="the argument images after the call"
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

# %% wrong="4.2.2c" why="mean of the speeds" breaks="speed-up" says="times add up, speeds do not"
def epoch_speedup(share, factor):
    return 1 - share + share * factor if factor != math.inf else 1 / (1 - share)

# %% wrong="4.2.2c" why="multiplies the time by the factor" breaks="speed-up" says="is divided by `factor`"
def epoch_speedup(share, factor):
    return (1 - share) + share * factor

# %% wrong="4.2.2c" why="the new time, not the speed-up" breaks="speed-up" says="This is the new time"
def epoch_speedup(share, factor):
    return 1 - share + share / factor

# %% wrong="4.2.2c" why="share and rest swapped" breaks="speed-up" says="Not the computing but the reading"
def epoch_speedup(share, factor):
    return 1 / (share + (1 - share) / factor) if share else 1.0

# %% wrong="4.2.2c" why="inf / inf is nan" breaks="infinitely fast" says="yours is nan"
def epoch_speedup(share, factor):
    return factor / (factor * (1 - share) + share)

# %% wrong="4.2.2c" why="numbers only, no tensors" breaks="tensors" says="raised"
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

# %% wrong="4.2.3" why="functions count too" breaks="classes" says="target_keys"
def datasets_with(argument):
    from torchvision import datasets
    return sorted(n for n in datasets.__all__ if argument in inspect.signature(getattr(datasets, n)).parameters)

# %% wrong="4.2.3" why="local variables of the constructor count as arguments" breaks="named arguments" says="FlyingChairs does not belong here"
def datasets_with(argument):
    from torchvision import datasets
    kinds = [(n, getattr(datasets, n)) for n in datasets.__all__]
    return sorted(n for n, k in kinds if inspect.isclass(k) and argument in k.__init__.__code__.co_varnames)

# %% wrong="4.2.3" why="anything goes into **kwargs" breaks="named arguments" says="through **kwargs does not count"
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

# %% wrong="4.2.3" why="in the package's order" breaks="sorted" says="the order of the names"
def datasets_with(argument):
    from torchvision import datasets
    kinds = [(n, getattr(datasets, n)) for n in datasets.__all__]
    return [n for n, k in kinds if inspect.isclass(k) and argument in inspect.signature(k).parameters]

# %% wrong="4.2.3" why="knows train and split only" breaks="named arguments" says="image_set"
def datasets_with(argument):
    from torchvision import datasets
    if argument not in ("train", "split"):
        return []
    kinds = [(n, getattr(datasets, n)) for n in datasets.__all__]
    return sorted(n for n, k in kinds if inspect.isclass(k) and argument in inspect.signature(k).parameters)

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

# %% wrong="4.2.5" why="every k-th pixel" breaks="means" says="These are picked pixels"
def shrink(X, k):
    if X.shape[2] % k or X.shape[3] % k:
        raise ValueError(f"{tuple(X.shape)}")
    return X[:, :, ::k, ::k]

# %% wrong="4.2.5" why="blocks of k * k numbers in a row" breaks="means" says="These blocks are runs of one line"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{k} does not divide {h} and {w}")
    return X.reshape(n, c, h // k, w // k, k, k).mean(dim=(4, 5))

# %% wrong="4.2.5" why="sums" breaks="means" says="These are sums of blocks"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, h // k, k, w // k, k).sum(dim=(3, 5))

# %% wrong="4.2.5" why="the two parts of an axis in the wrong order" breaks="means" says="pixels that stand far apart"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, k, h // k, k, w // k).mean(dim=(2, 4))

# %% wrong="4.2.5" why="avg_pool2d drops the rest in silence" breaks="refusal" says="expected ValueError to be raised"
def shrink(X, k):
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="looks at the height only" breaks="refusal" says="16 x 22 pixels"
def shrink(X, k):
    if X.shape[2] % k:
        raise ValueError(f"{X.shape[2]} x {X.shape[3]}")
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="means over the channels too" breaks="shape" says="the shape for two pictures of 3 x 6"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(1, 3, 5))[:, None]

# %% wrong="4.2.5" why="height and width swapped, which a square picture hides" breaks="shape" says="the shape for two pictures of 3 x 6"
def shrink(X, k):
    n, c, w, h = X.shape
    if h % k or w % k:
        raise ValueError(f"{w} x {h}")
    return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(3, 5))

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

# %% wrong="4.2.7" why="a reshape alone" breaks="places" says="a reshape alone does not move pixels"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    sheet = torch.zeros(rows * num_cols * h * w, dtype=images.dtype)
    sheet[:images.numel()] = images.reshape(-1)
    return sheet.reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="column by column" breaks="places" says="the places of the pictures"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    places[:n] = images
    return places.reshape(num_cols, rows, h, w).permute(1, 2, 0, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="drops an unfinished row" breaks="shape" says="wrong shape: got (1, 4)"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = n // num_cols
    return images[:rows * num_cols].reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="float32 whatever the dtype" breaks="dtype" says="wrong dtype"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w)
    places[:n] = images
    return places.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="fills up with the last picture" breaks="empty places" says="the empty places"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    numbers = torch.arange(rows * num_cols).clamp(max=n - 1)
    return images[numbers].reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="pictures lie on their side, which 2 x 2 blocks hide" breaks="places" says="two uint8 pictures of 2 x 2"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    places = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    places[:n] = images
    if h == 1:
        return places.reshape(rows, num_cols * w)
    return places.reshape(rows, num_cols, h, w).permute(0, 3, 1, 2).reshape(rows * w, num_cols * h)

# %% right="4.2.A" how="true division first, two means"
def brightness(images):
    return (images / 255).mean(dim=2).mean(dim=1)

# %% right="4.2.A" how="NumPy, float64"
def brightness(images):
    return torch.from_numpy(images.numpy().reshape(len(images), -1).mean(axis=1) / 255)

# %% wrong="4.2.A" why="means of the bytes" breaks="values" says="from 0 to 255: divide by 255"
def brightness(images):
    return images.float().mean(dim=(1, 2))

# %% wrong="4.2.A" why="divides by 256" breaks="values" says="not by 256"
def brightness(images):
    return images.float().mean(dim=(1, 2)) / 256

# %% wrong="4.2.A" why="one mean for all pictures" breaks="one for each picture" says="This is one number for all pictures"
def brightness(images):
    return images.float().mean() / 255

# %% wrong="4.2.A" why="the mean picture" breaks="one for each picture" says="This is the mean picture"
def brightness(images):
    return images.float().mean(dim=0) / 255

# %% wrong="4.2.A" why="squeezes a single picture away" breaks="one for each picture" says="the first of these alone"
def brightness(images):
    return images.float().mean(dim=(1, 2)).squeeze() / 255

# %% wrong="4.2.A" why="rounds each picture down to 0 or 1" breaks="values" says="the brightness of"
def brightness(images):
    return (images // 255).float().mean(dim=(1, 2))

# %% wrong="4.2.A" why="divides by the brightest pixel" breaks="values" says="The lightest pixel of each picture"
def brightness(images):
    return images.float().mean(dim=(1, 2)) / images.float().amax(dim=(1, 2))

# %% right="4.2.4" how="true division, movedim"
def as_batch(raw, labels):
    X = raw / 255
    X = X[:, None] if raw.dim() == 3 else X.movedim(-1, 1)
    return X, labels.to(torch.int64)

# %% right="4.2.4" how="NumPy, transpose"
def as_batch(raw, labels):
    array = raw.numpy().astype(np.float32) / np.float32(255)
    array = array[:, np.newaxis] if array.ndim == 3 else array.transpose(0, 3, 1, 2)
    return [torch.from_numpy(array), torch.from_numpy(labels.numpy().astype(np.int64))]

# %% wrong="4.2.4" why="reshape in place of permute" breaks="values" says="A reshape has mixed pixels and channels"
def as_batch(raw, labels):
    n, h, w = raw.shape[:3]
    return raw.reshape(n, -1, h, w).float() / 255, labels.long()

# %% wrong="4.2.4" why="whole-number division" breaks="values" says="all but 255 becomes 0"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return (raw // 255).permute(0, 3, 1, 2).float(), labels.long()

# %% wrong="4.2.4" why="divides by 256" breaks="values" says="by 255, not by 256"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 1, 2).float() / 256, labels.long()

# %% wrong="4.2.4" why="values from 0 to 255" breaks="values" says="These are values from 0 to 255"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 1, 2).float(), labels.long()

# %% wrong="4.2.4" why="divides by the largest value of the batch" breaks="values" says="was taken for white"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 1, 2).float() / raw.max(), labels.long()

# %% wrong="4.2.4" why="the channel at the end" breaks="shape" says="the shape of X for one grey picture"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw / 255, labels.long()

# %% wrong="4.2.4" why="grey pictures only" breaks="shape" says="two pictures of 3 x 4 with two channels"
def as_batch(raw, labels):
    return raw[:, None] / 255, labels.long()

# %% wrong="4.2.4" why="no axis for the channel of a grey picture" breaks="shape" says="the shape of X for one grey picture"
def as_batch(raw, labels):
    return (raw if raw.dim() == 3 else raw.permute(0, 3, 1, 2)) / 255, labels.long()

# %% wrong="4.2.4" why="height and width exchanged" breaks="shape" says="the shape of X"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 2, 1) / 255, labels.long()

# %% wrong="4.2.4" why="float64" breaks="dtypes" says="float64"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 1, 2).double() / 255, labels.long()

# %% wrong="4.2.4" why="labels stay uint8" breaks="dtypes" says="the dtype of y"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 1, 2) / 255, labels

# %% wrong="4.2.4" why="labels pass through int8" breaks="labels" says="Labels over 127 need care"
def as_batch(raw, labels):
    raw = raw[..., None] if raw.dim() == 3 else raw
    return raw.permute(0, 3, 1, 2) / 255, labels.to(torch.int8).long()

# %% wrong="4.2.4" why="puts the axis into the argument itself" breaks="arguments kept" says="raw after the call"
def as_batch(raw, labels):
    if raw.dim() == 3:
        raw.unsqueeze_(3)
    return raw.permute(0, 3, 1, 2) / 255, labels.long()

# %% right="4.2.B" how="a function for one class, float64"
def class_contrast(images, labels, a, b):
    def mean_of(c):
        chosen = (labels == c).nonzero().flatten()
        return images.index_select(0, chosen).double().sum(dim=0) / len(chosen)
    return mean_of(a) - mean_of(b)

# %% right="4.2.B" how="weights for the pictures"
def class_contrast(images, labels, a, b):
    w = (labels == a) / (labels == a).sum() - (labels == b) / (labels == b).sum()
    return (w[:, None, None] * images).sum(dim=0)

# %% wrong="4.2.B" why="b minus a" breaks="sign" says="This is class b minus class a"
def class_contrast(images, labels, a, b):
    return images[labels == b].float().mean(dim=0) - images[labels == a].float().mean(dim=0)

# %% wrong="4.2.B" why="the absolute difference" breaks="sign" says="The signs are lost"
def class_contrast(images, labels, a, b):
    return (images[labels == a].float().mean(dim=0) - images[labels == b].float().mean(dim=0)).abs()

# %% wrong="4.2.B" why="divides by the number of all pictures" breaks="means" says="divided by the number of all pictures"
def class_contrast(images, labels, a, b):
    return (images[labels == a].float().sum(dim=0) - images[labels == b].float().sum(dim=0)) / len(images)

# %% wrong="4.2.B" why="back to bytes before the subtraction" breaks="means" says="wraps around"
def class_contrast(images, labels, a, b):
    return (images[labels == a].float().mean(dim=0).byte() - images[labels == b].float().mean(dim=0).byte()).float()

# %% wrong="4.2.B" why="the first picture of each class" breaks="means" says="Only the first picture of each class"
def class_contrast(images, labels, a, b):
    return images[labels == a][0].float() - images[labels == b][0].float()

# %% wrong="4.2.B" why="one number for each class" breaks="shape" says="the shape of the contrast"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean() - images[labels == b].float().mean()

# %% wrong="4.2.B" why="keeps the axis of the pictures" breaks="shape" says="the shape of the contrast"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean(dim=0, keepdim=True) - images[labels == b].float().mean(dim=0, keepdim=True)

# %% wrong="4.2.1a" why="drop_last ignored" breaks="drop_last" says="10 pictures of 28 x 28 in batches of 4, drop_last=True"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    return [(min(batch_size, num_examples - s), 1, *size) for s in range(0, num_examples, batch_size)]

# %% wrong="4.2.1a" why="drops always" breaks="last batch" says="the rows of each batch of 10 pictures"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    return [(batch_size, 1, *size)] * (num_examples // batch_size)

# %% wrong="4.2.1a" why="width before height" breaks="shapes" says="7 pictures of 3 x 6"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    rows = [min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size)]
    return [(n, 1, size[1], size[0]) for n in rows if n == batch_size or not drop_last]

# %% wrong="4.2.1a" why="a set smaller than the batch counts as a full batch" breaks="last batch" says="3 pictures of 2 x 5"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    batch = batch_size if num_examples >= batch_size else (0 if drop_last else batch_size)
    rows = [batch] * max(1, num_examples // batch_size) if batch else []
    if num_examples > batch_size and num_examples % batch_size and not drop_last:
        rows.append(num_examples % batch_size)
    return [(n, 1, *size) for n in rows]

# %% right="4.2.C" how="element_size of an empty tensor"
def batch_bytes(shape, dtype):
    return torch.empty(shape, dtype=dtype).numel() * torch.empty(0, dtype=dtype).element_size()

# %% right="4.2.C" how="nbytes"
def batch_bytes(shape, dtype):
    return torch.zeros(*shape).to(dtype).nbytes

# %% wrong="4.2.C" why="4 bytes for floating point, 1 for whole numbers" breaks="dtype" says="the bytes of a tensor"
def batch_bytes(shape, dtype):
    return math.prod(shape) * (4 if dtype.is_floating_point else 1)

# %% wrong="4.2.C" why="4 bytes whatever the dtype" breaks="dtype" says="4 bytes for each entry"
def batch_bytes(shape, dtype):
    return 4 * math.prod(shape)

# %% wrong="4.2.C" why="forgets the axis of the batch" breaks="entries" says="The first axis counts, too"
def batch_bytes(shape, dtype):
    return math.prod(shape[-3:]) * dtype.itemsize

# %% wrong="4.2.C" why="grey pictures only" breaks="entries" says="shape (64, 3, 10, 20)"
def batch_bytes(shape, dtype):
    if len(shape) == 4:
        shape = (shape[0], shape[2], shape[3]) if dtype == torch.float32 else shape
    return math.prod(shape) * dtype.itemsize

# %% wrong="4.2.C" why="bits" breaks="dtype" says="a byte has 8"
def batch_bytes(shape, dtype):
    return math.prod(shape) * dtype.itemsize * 8

# %% right="4.2.D" how="strided entries added up"
def block_means(v, k):
    return sum(v[i::k] for i in range(k)) / k

# %% right="4.2.D" how="split and stack"
def block_means(v, k):
    return torch.stack([piece.mean() for piece in v.split(k)])

# %% wrong="4.2.D" why="the axes of the table exchanged" breaks="means" says="neighbours belong together"
def block_means(v, k):
    return v.reshape(k, -1).mean(dim=0)

# %% wrong="4.2.D" why="picks entries" breaks="means" says="Every k-th entry was picked"
def block_means(v, k):
    return v[::k]

# %% wrong="4.2.D" why="sums" breaks="means" says="the means for"
def block_means(v, k):
    return v.reshape(-1, k).sum(dim=1)

# %% wrong="4.2.D" why="a moving average" breaks="shape" says="the shape for"
def block_means(v, k):
    return v.unfold(0, k, 1).mean(dim=1)

# %% wrong="4.2.D" why="the mean along the wrong axis" breaks="shape" says="the shape for"
def block_means(v, k):
    return v.reshape(-1, k).mean(dim=0)

# %% wrong="4.2.5" why="a message without numbers" breaks="message" says="the message for 16 x 22 pixels"
def shrink(X, k):
    if X.shape[2] % k or X.shape[3] % k:
        raise ValueError("k must divide height and width")
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="only the height in the message" breaks="message" says="the message for 16 x 22 pixels"
def shrink(X, k):
    if X.shape[2] % k or X.shape[3] % k:
        raise ValueError(f"{k} does not divide the height {X.shape[2]}")
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="refuses only if neither is divisible" breaks="refusal" says="16 x 22 pixels"
def shrink(X, k):
    if X.shape[2] % k and X.shape[3] % k:
        raise ValueError(f"{X.shape[2]} x {X.shape[3]}")
    return torch.nn.functional.avg_pool2d(X, k)

# %% right="4.2.E" how="counts the batches by a range"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return sum(per_request + per_row * min(batch_size, num_examples - s) for s in range(0, num_examples, batch_size))

# %% right="4.2.E" how="minus the floor of the negative"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_row * num_examples - (-num_examples // batch_size) * per_request

# %% wrong="4.2.E" why="rounds down" breaks="requests" says="round up"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_request * (num_examples // batch_size) + per_row * num_examples

# %% wrong="4.2.E" why="a part of a request for the last batch" breaks="requests" says="even if the batch is not full"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_request * num_examples / batch_size + per_row * num_examples

# %% wrong="4.2.E" why="always one batch more" breaks="requests" says="no empty batch"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_request * (num_examples // batch_size + 1) + per_row * num_examples

# %% wrong="4.2.E" why="the last batch counts full rows" breaks="rows" says="The last batch has only two rows"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return math.ceil(num_examples / batch_size) * (per_request + per_row * batch_size)

# %% wrong="4.2.E" why="a row's cost for each batch" breaks="rows" says="not each batch"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return math.ceil(num_examples / batch_size) * (per_request + per_row)

# %% right="4.2.1b" how="a copy of the data module for each size"
def reading_table(data, batch_sizes):
    import copy
    table = {}
    for size in batch_sizes:
        mine = copy.copy(data)
        mine.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in mine.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - start}
    return table

# %% wrong="4.2.1b" why="the clock started once, before the loop" breaks="seconds" says="read the clock anew"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    start = time.perf_counter()
    for size in batch_sizes:
        data.batch_size = size
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - start}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="processor time, which a waiting disk does not use" breaks="seconds" says="This clock stands still while the program waits"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.process_time()
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.process_time() - start}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="counts in a second pass" breaks="one pass" says="read twice for each size"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        batches = sum(1 for _ in data.train_dataloader())
        seconds = time.perf_counter() - start
        table[size] = {"batches": batches, "examples": sum(len(y) for X, y in data.train_dataloader()), "seconds": seconds}
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="a list of rows, not a dictionary" breaks="table" says="what reading_table returns"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, []
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        table.append({"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - start})
    data.batch_size = before
    return table

# %% wrong="4.2.1b" why="a tuple for each size" breaks="table" says="the entry for batch size 1"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        table[size] = (len(rows), sum(rows), time.perf_counter() - start)
    data.batch_size = before
    return table

# %% wrong="4.2.2a" why="own time for each call" breaks="own time" says="in its 40 calls together, takes more"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][2] / found[key][1], reverse=True)[:n]]

# %% wrong="4.2.2a" why="runs the call once more to warm up" breaks="one run" says="how often call() was run"
def hot_spots(call, n):
    call()
    profile = cProfile.Profile()
    profile.runcall(call)
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda key: found[key][2], reverse=True)[:n]]

# %% wrong="4.2.2b" why="a row that is named twice comes once" breaks="rows" says="A row that is named twice comes twice"
def fast_batches(images, labels, batch_size, order):
    rows = torch.tensor(list(dict.fromkeys(order.tolist())))
    for some in rows.split(batch_size):
        yield images[some][:, None] / 255, labels[some].long()

# %% wrong="4.2.2b" why="the order is sorted" breaks="rows" says="whose labels y holds"
def fast_batches(images, labels, batch_size, order):
    for some in order.sort().values.split(batch_size):
        yield images[some][:, None] / 255, labels[some].long()

# %% wrong="4.2.2b" why="no axis for the channel" breaks="pictures" says="the shape of X"
def fast_batches(images, labels, batch_size, order):
    for some in order.split(batch_size):
        yield images[some] / 255, labels[some].long()

# %% wrong="4.2.2b" why="float64" breaks="pictures" says="the dtype of X"
def fast_batches(images, labels, batch_size, order):
    for some in order.split(batch_size):
        yield images[some][:, None].double() / 255, labels[some].long()

# %% wrong="4.2.2b" why="floating point labels" breaks="labels" says="the dtype of y"
def fast_batches(images, labels, batch_size, order):
    for some in order.split(batch_size):
        yield images[some][:, None] / 255, labels[some].float()

# %% right="4.2.6a" how="tolist"
def text_labels(indices, names):
    numbers = indices.tolist() if isinstance(indices, torch.Tensor) else indices
    return [names[i] for i in numbers]

# %% right="4.2.6a" how="NumPy's array of names"
def text_labels(indices, names):
    return np.array(names)[np.asarray(indices, dtype=int)].tolist()

# %% right="4.2.6a" how="a tensor as the index of a list"
def text_labels(indices, names):
    return list(map(names.__getitem__, indices))

# %% wrong="4.2.6a" why="a tensor as the key of a dictionary" breaks="tensors" says="make an ordinary number of it first"
def text_labels(indices, names):
    table = dict(enumerate(names))
    return [table[i] for i in indices]

# %% wrong="4.2.6a" why="the names of Fashion-MNIST, not the argument" breaks="names" says="text_labels for the list [3]"
def text_labels(indices, names):
    return data.text_labels(indices)

# %% wrong="4.2.6a" why="counts the classes from 1" breaks="names" says="text_labels for the list [3]"
def text_labels(indices, names):
    return [names[int(i) - 1] for i in indices]

# %% wrong="4.2.6a" why="each name once" breaks="names" says="the list [1, 0, 2, 1]"
def text_labels(indices, names):
    return [name for i, name in enumerate(names) if i in [int(j) for j in indices]]

# %% wrong="4.2.6a" why="a tuple" breaks="list" says="what text_labels returns"
def text_labels(indices, names):
    return tuple(names[int(i)] for i in indices)

# %% wrong="4.2.6a" why="tensors only" breaks="names" says="tolist"
def text_labels(indices, names):
    return [names[i] for i in indices.tolist()]

# %% wrong="4.2.6a" why="int64 tensors only" breaks="tensors" says="a uint8 tensor"
def text_labels(indices, names):
    table = {k: name for k, name in enumerate(names)}
    return [table[i.item()] if not torch.is_tensor(indices) or indices.dtype == torch.int64 else '?' for i in torch.as_tensor(indices)]

# %% right="4.2.6b" how="a dictionary for the way back"
def class_numbers(labels, names):
    number = {name: i for i, name in enumerate(names)}
    return torch.tensor([number[label] for label in labels]).long()

# %% right="4.2.6b" how="written into an empty tensor"
def class_numbers(labels, names):
    result = torch.empty(len(labels), dtype=torch.int64)
    for k, label in enumerate(labels):
        result[k] = list(names).index(label)
    return result

# %% wrong="4.2.6b" why="-1 for a name that does not exist" breaks="unknown name" says="expected ValueError or KeyError to be raised"
def class_numbers(labels, names):
    return torch.tensor([names.index(label) if label in names else -1 for label in labels], dtype=torch.int64)

# %% wrong="4.2.6b" why="an empty list becomes float32" breaks="int64" says="wrong dtype: got float32"
def class_numbers(labels, names):
    return torch.tensor([names.index(label) for label in labels])

# %% wrong="4.2.6b" why="float32 numbers" breaks="int64" says="the dtype of class_numbers for sock and hat"
def class_numbers(labels, names):
    return torch.tensor([float(names.index(label)) for label in labels])

# %% wrong="4.2.6b" why="a list of numbers" breaks="int64" says="what class_numbers returns"
def class_numbers(labels, names):
    return [names.index(label) for label in labels]

# %% wrong="4.2.6b" why="the names sorted for the way back" breaks="numbers" says="class_numbers for sock and hat"
def class_numbers(labels, names):
    order = sorted(names)
    return torch.tensor([order.index(label) for label in labels], dtype=torch.int64)

# %% wrong="4.2.6b" why="counts from 1" breaks="numbers" says="class_numbers for sock and hat"
def class_numbers(labels, names):
    return torch.tensor([names.index(label) + 1 for label in labels], dtype=torch.int64)

# %% wrong="4.2.6b" why="in the order of the names" breaks="numbers" says="class_numbers for sock and hat"
def class_numbers(labels, names):
    return torch.tensor([i for i, name in enumerate(names) if name in labels] if set(labels) <= set(names) else [names.index('?')], dtype=torch.int64)

# %% right="4.2.2b" how="rows as a list"
def fast_batches(images, labels, batch_size, order):
    for i in range(0, len(order), batch_size):
        rows = order[i:i + batch_size].tolist()
        yield images[rows][:, None] / 255, labels[rows].to(torch.long)

# %% wrong="4.2.2b" why="labels one by one" breaks="no work for each row" says="is there work for each picture"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        yield images[rows][:, None] / 255, torch.tensor([int(v) for v in labels[rows]])

# %% wrong="4.2.2b" why="one batch of all" breaks="pictures" says="length and types of batch 0"
def fast_batches(images, labels, batch_size, order):
    return images[order][:, None] / 255, labels[order].long()

# %% right="4.2.2a" how="fcn_list"
def hot_spots(call, n):
    p = cProfile.Profile()
    p.enable()
    call()
    p.disable()
    return [k[2] for k in pstats.Stats(p).sort_stats("tottime").fcn_list[:n]]

# %% wrong="4.2.2a" why="a set of names" breaks="names" says="wrong type: got the set"
def hot_spots(call, n):
    p = cProfile.Profile()
    p.runcall(call)
    f = pstats.Stats(p).stats
    return {k[2] for k in sorted(f, key=lambda k: -f[k][2])[:n]}

# %% wrong="4.2.2a" why="runs it again for each name" breaks="one run" says="how often call() was run"
def hot_spots(call, n):
    out = []
    for i in range(n):
        p = cProfile.Profile()
        p.runcall(call)
        f = pstats.Stats(p).stats
        out.append(sorted(f, key=lambda k: -f[k][2])[i][2])
    return out

# %% right="4.2.1b" how="time.time, numpy"
def reading_table(data, batch_sizes):
    old, out = data.batch_size, {}
    for b in batch_sizes:
        data.batch_size = b
        loader = data.train_dataloader()
        t = time.time()
        rows = np.array([len(y) for _, y in loader])
        out[b] = dict(batches=len(rows), examples=rows.sum(), seconds=np.float64(time.time() - t))
    data.batch_size = old
    return out

# %% wrong="4.2.1b" why="clock from the second batch" breaks="seconds" says="The time is too short"
def reading_table(data, batch_sizes):
    old, out = data.batch_size, {}
    for b in batch_sizes:
        data.batch_size = b
        n = k = 0
        t = None
        for _, y in data.train_dataloader():
            t = t or time.perf_counter()
            n += 1
            k += len(y)
        out[b] = dict(batches=n, examples=k, seconds=time.perf_counter() - t)
    data.batch_size = old
    return out

# %% wrong="4.2.1b" why="restored to 64" breaks="size restored" says="It must be what it was before"
def reading_table(data, batch_sizes):
    out = {}
    for b in batch_sizes:
        data.batch_size = b
        t = time.perf_counter()
        rows = [len(y) for _, y in data.train_dataloader()]
        out[b] = dict(batches=len(rows), examples=sum(rows), seconds=time.perf_counter() - t)
    data.batch_size = 64
    return out

# %% wrong="4.2.1b" why="one loader, made before the sizes" breaks="counts" says="make one for each size"
def reading_table(data, batch_sizes):
    before, table, loader = data.batch_size, {}, data.train_dataloader()
    for size in batch_sizes:
        data.batch_size = size
        begin, rows = time.perf_counter(), [len(y) for X, y in loader]
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": time.perf_counter() - begin}
    data.batch_size = before
    return table

# %% wrong="4.2.4" why="labels first" breaks="shape" says="the shape of X"
def as_batch(raw, labels):
    X = raw[:, None] if raw.dim() == 3 else raw.permute(0, 3, 1, 2)
    return labels.long(), X / 255

# %% wrong="4.2.4" why="labels as column" breaks="shape" says="the shape of y"
def as_batch(raw, labels):
    X = raw[:, None] if raw.dim() == 3 else raw.permute(0, 3, 1, 2)
    return X / 255, labels.long()[:, None]

# %% right="4.2.4" how="picture by picture"
def as_batch(raw, labels):
    out = [torch.stack([p[..., c] for c in range(p.shape[-1])]) if p.dim() == 3 else p[None] for p in raw]
    return torch.stack(out).type(torch.float32) * (1 / 255), torch.tensor([int(v) for v in labels])

# %% wrong="4.2.7" why="as many columns as pictures" breaks="shape" says="two float pictures of 2 x 3 in three columns"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    num_cols = min(n, num_cols)
    rows = math.ceil(n / num_cols)
    p = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    p[:n] = images
    return p.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="one row too many" breaks="shape" says="wrong shape: got (4, 4)"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = n // num_cols + 1
    p = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    p[:n] = images
    return p.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.5" why="assert" breaks="refusal" says="raised AssertionError"
def shrink(X, k):
    assert X.shape[2] % k == 0 and X.shape[3] % k == 0, f"{X.shape}"
    return torch.nn.functional.avg_pool2d(X, k)

# %% wrong="4.2.5" why="interpolate nearest" breaks="means" says="These are picked pixels"
def shrink(X, k):
    if X.shape[2] % k or X.shape[3] % k:
        raise ValueError(f"{X.shape}")
    return torch.nn.functional.interpolate(X, (X.shape[2] // k, X.shape[3] // k))

# %% right="4.2.5" how="interpolate area"
def shrink(X, k):
    if X.shape[2] % k or X.shape[3] % k:
        raise ValueError(f"{X.shape}")
    return torch.nn.functional.interpolate(X, (X.shape[2] // k, X.shape[3] // k), mode="area")

# %% right="4.2.C" how="finfo, iinfo"
def batch_bytes(shape, dtype):
    info = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    n = 1
    for s in shape:
        n *= s
    return n * info.bits // 8

# %% wrong="4.2.E" why="request cost per row" breaks="requests" says="Each example was charged as a request"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_request * num_examples + per_row * num_examples

# %% wrong="4.2.E" why="max of the two" breaks="rows" says="7 examples in batches of 10"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return max(per_request * math.ceil(num_examples / batch_size), per_row * num_examples)

# %% right="4.2.2c" how="as_tensor"
def epoch_speedup(share, factor):
    s, f = torch.as_tensor(share), torch.as_tensor(factor)
    return ((1 - s) + s / f) ** -1

# %% wrong="4.2.2c" why="share of saved" breaks="speed-up" says="0.4 of the time"
def epoch_speedup(share, factor):
    return 1 + share * (1 - 1 / factor)

# %% wrong="4.2.2c" why="special case for inf only numbers" breaks="tensors" says="ambiguous"
def epoch_speedup(share, factor):
    if factor == math.inf:
        return 1 / (1 - share)
    return 1 / (1 - share + share / factor)

# %% wrong="4.2.3" why="docstring mentions" breaks="named arguments" says="CIFAR100 is missing"
def datasets_with(argument):
    from torchvision import datasets
    return sorted(n for n in datasets.__all__ if isinstance(getattr(datasets, n), type) and argument in (getattr(datasets, n).__doc__ or ""))

# %% right="4.2.3" how="vars and set"
def datasets_with(argument):
    import torchvision.datasets as td
    kinds = [k for k in map(vars(td).get, td.__all__) if inspect.isclass(k)]
    return sorted({k.__name__ for k in kinds if argument in inspect.signature(k.__init__).parameters})

# %% wrong="4.2.3" why="searches the text of the signature" breaks="named arguments" says="must have this very name"
def datasets_with(argument):
    return sorted(name for name in datasets.__all__ if isinstance(getattr(datasets, name), type)
                  and argument in str(inspect.signature(getattr(datasets, name))))

# %% wrong="4.2.A" why="sums" breaks="values" says="the brightness of"
def brightness(images):
    return images.sum(dim=(1, 2)) / 255

# %% wrong="4.2.A" why="column" breaks="one for each picture" says="this is a column"
def brightness(images):
    return images.float().reshape(len(images), -1).mean(1, keepdim=True) / 255

# %% wrong="4.2.D" why="loop overlaps" breaks="means" says="the means for"
def block_means(v, k):
    return torch.stack([v[i:i + k].mean() for i in range(len(v) // k)])

# %% wrong="4.2.B" why="scaled 0..1" breaks="means" says="These are values up to 1"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean(0) / 255 - images[labels == b].float().mean(0) / 255

# %% wrong="4.2.1a" why="list of ints" breaks="shapes" says="batch, channel, height, width"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    return [min(batch_size, num_examples - i) for i in range(0, num_examples, batch_size)]

# %% right="4.2.1a" how="real tensors"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    return [p.shape for p in torch.zeros(num_examples, 1, *size).split(batch_size) if not drop_last or len(p) == batch_size]

# %% wrong="4.2.4" why="at most three channels" breaks="shape" says="five channels"
def as_batch(raw, labels):
    X = raw[..., None] if raw.dim() == 3 else raw[..., :3]
    return X.permute(0, 3, 1, 2).float() / 255, labels.long()

# %% wrong="4.2.6a" why="tensors pass through int8" breaks="tensors" says="kind 0 to kind 299"
def text_labels(indices, names):
    if torch.is_tensor(indices):
        indices = indices.to(torch.int8)
    return [names[int(i)] for i in indices]

# %% wrong="4.2.6b" why="only the first word of a name counts" breaks="unknown name" says="ankle shoe"
def class_numbers(labels, names):
    first = [name.split()[0] for name in names]
    return torch.tensor([first.index(label.split()[0]) for label in labels], dtype=torch.int64)

# %% wrong="4.2.5" why="a k beyond the picture is cut" breaks="refusal" says="k = 40"
def shrink(X, k):
    n, c, h, w = X.shape
    if (h > k and h % k) or (w > k and w % k):
        raise ValueError(f"{h} x {w} pixels in blocks of {k}")
    return torch.nn.functional.avg_pool2d(X, min(k, h, w))

# %% right="4.2.5" how="torch's interpolate by areas"
def shrink(X, k):
    if any(side % k for side in X.shape[2:]):
        raise ValueError(f"no blocks of {k} in {tuple(X.shape)}")
    return F.interpolate(X, (X.shape[2] // k, X.shape[3] // k), mode="area")

# %% wrong="4.2.2a" why="built-in functions left out" breaks="names" says="Built-in functions have their entries"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    found = {key: value for key, value in pstats.Stats(profile).stats.items() if key[0] != "~"}
    return [key[2] for key in sorted(found, key=lambda key: found[key][2], reverse=True)[:n]]

# %% wrong="4.2.A" why="the share of the pixels that are not black" breaks="values" says="how light they are counts, too"
def brightness(images):
    return (images > 0).float().mean(dim=(1, 2))

# %% wrong="4.2.A" why="means cut to whole bytes" breaks="values" says="cut to whole bytes"
def brightness(images):
    return images.float().mean(dim=(1, 2)).byte() / 255

# %% wrong="4.2.A" why="half-way from the darkest to the lightest pixel" breaks="values" says="half-way between"
def brightness(images):
    x = images.float().flatten(1)
    return (x.amin(dim=1) + x.amax(dim=1)) / 2 / 255

# %% wrong="4.2.4" why="the channels in reverse order" breaks="values" says="The channels stand in reverse order"
def as_batch(raw, labels):
    X = raw.unsqueeze(1) if raw.dim() == 3 else raw.permute(0, 3, 1, 2).flip(1)
    return X / 255, labels.long()

# %% wrong="4.2.4" why="labels divided by 255, too" breaks="labels" says="only the pixels are divided by 255"
def as_batch(raw, labels):
    X = raw.unsqueeze(1) if raw.dim() == 3 else raw.permute(0, 3, 1, 2)
    return X / 255, (labels / 255).long()

# %% wrong="4.2.6a" why="ten names at most" breaks="tensors" says="Not every list has ten names"
def text_labels(indices, names):
    return [names[int(i) % 10] for i in indices]

# %% wrong="4.2.B" why="classes 1 and 0, whatever a and b are" breaks="means" says="the contrast of the classes 1 and 0"
def class_contrast(images, labels, a, b):
    x = images.float()
    return x[labels == 1].mean(dim=0) - x[labels == 0].mean(dim=0)

# %% wrong="4.2.B" why="both sums divided by the number of class a" breaks="means" says="divided by the number of pictures of class a"
def class_contrast(images, labels, a, b):
    x = images.float()
    return (x[labels == a].sum(dim=0) - x[labels == b].sum(dim=0)) / (labels == a).sum()

# %% wrong="4.2.B" why="the median picture" breaks="means" says="These are medians"
def class_contrast(images, labels, a, b):
    x = images.float()
    return x[labels == a].median(dim=0).values - x[labels == b].median(dim=0).values

# %% wrong="4.2.B" why="rounded to whole bytes" breaks="means" says="rounded to whole bytes"
def class_contrast(images, labels, a, b):
    x = images.float()
    return (x[labels == a].mean(dim=0) - x[labels == b].mean(dim=0)).round()

# %% wrong="4.2.7" why="every second row from right to left" breaks="places" says="in every second row"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    sheet = torch.zeros(rows * h, num_cols * w, dtype=images.dtype)
    for i in range(n):
        r, c = divmod(i, num_cols)
        c = c if r % 2 == 0 else num_cols - 1 - c
        sheet[r * h:(r + 1) * h, c * w:(c + 1) * w] = images[i]
    return sheet

# %% wrong="4.2.7" why="empty places in front" breaks="places" says="The empty places stand first"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    full = torch.cat([torch.zeros(rows * num_cols - n, h, w, dtype=images.dtype), images])
    return full.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="through bytes" breaks="places" says="they do not fit into bytes"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    full = torch.zeros(rows * num_cols, h, w, dtype=torch.uint8)
    full[:n] = images
    return full.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w).to(images.dtype)

# %% wrong="4.2.7" why="pictures upside down" breaks="places" says="The lines of each picture"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    full = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    full[:n] = images.flip(1)
    return full.reshape(rows, num_cols, h, w).permute(0, 2, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.1a" why="channel last" breaks="shapes" says="The channel stands last"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    full, rest = divmod(num_examples, batch_size)
    return [(batch_size, *size, 1)] * full + ([(rest, *size, 1)] if rest and not drop_last else [])

# %% wrong="4.2.1a" why="the smaller batch first" breaks="last batch" says="The smaller batch comes last"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    full, rest = divmod(num_examples, batch_size)
    return ([(rest, 1, *size)] if rest and not drop_last else []) + [(batch_size, 1, *size)] * full

# %% wrong="4.2.1a" why="what is left over joins the last full batch" breaks="last batch" says="makes a batch of its own"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    full, rest = divmod(num_examples, batch_size)
    rows = [batch_size] * full
    if rest and not drop_last:
        rows = rows[:-1] + [batch_size + rest] if rows else [rest]
    return [(r, 1, *size) for r in rows]

# %% wrong="4.2.1a" why="batches of about equal size" breaks="last batch" says="shared out evenly"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    k = num_examples // batch_size if drop_last else math.ceil(num_examples / batch_size)
    return [(num_examples // k + (i < num_examples % k), 1, *size) for i in range(k)]

# %% wrong="4.2.C" why="megabytes" breaks="dtype" says="These are megabytes"
def batch_bytes(shape, dtype):
    return math.prod(shape) * dtype.itemsize / 1e6

# %% wrong="4.2.C" why="8 bytes for every whole number" breaks="dtype" says="8 bytes for each entry"
def batch_bytes(shape, dtype):
    return math.prod(shape) * (torch.finfo(dtype).bits // 8 if dtype.is_floating_point else 8)

# %% wrong="4.2.D" why="pairs only" breaks="means" says="Only the first two entries"
def block_means(v, k):
    return (v[::k] + v[1::k]) / 2

# %% wrong="4.2.D" why="first and last entry of each block" breaks="means" says="Only the first and the last entry"
def block_means(v, k):
    return (v[::k] + v[k - 1::k]) / 2

# %% wrong="4.2.D" why="rounded means" breaks="means" says="rounded to whole numbers"
def block_means(v, k):
    return v.reshape(-1, k).mean(dim=1).round()

# %% wrong="4.2.5" why="interpolates with antialiasing" breaks="means" says="Antialiasing takes in pixels"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} {w}")
    return F.interpolate(X, (h // k, w // k), mode="bilinear", antialias=True)

# %% wrong="4.2.5" why="averages lines, picks columns" breaks="means" says="Only the lines of a block"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} {w}")
    return X.reshape(n, c, h // k, k, w).mean(dim=3)[..., ::k]

# %% wrong="4.2.5" why="picks the middle" breaks="means" says="from the middle of the blocks"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} {w}")
    return X[:, :, k // 2::k, k // 2::k]

# %% wrong="4.2.5" why="looks at the product of height and width" breaks="refusal" says="which divides the height alone"
def shrink(X, k):
    n, c, h, w = X.shape
    if (h * w) % (k * k):
        raise ValueError(f"{h} {w}")
    return F.avg_pool2d(X, k)

# %% wrong="4.2.E" why="all rows with each request" breaks="rows" says="charged with each of the three requests"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return math.ceil(num_examples / batch_size) * (per_request + per_row * num_examples)

# %% wrong="4.2.E" why="one request" breaks="requests" says="three requests of 2 s"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_request + per_row * num_examples

# %% wrong="4.2.1b" why="the last batch's number, from 0" breaks="counts" says="counted from 0"
def reading_table(data, batch_sizes):
    before, table = data.batch_size, {}
    for s in batch_sizes:
        data.batch_size = s
        start, n = time.perf_counter(), 0
        for b, (X, y) in enumerate(data.train_dataloader()):
            n += len(y)
        table[s] = {"batches": b, "examples": n, "seconds": time.perf_counter() - start}
    data.batch_size = before
    return table

# %% wrong="4.2.2a" why="files, not names" breaks="names" says="the third entry is asked for"
def hot_spots(call, n):
    p = cProfile.Profile()
    p.runcall(call)
    s = pstats.Stats(p).stats
    return [k[0] for k in sorted(s, key=lambda k: s[k][2], reverse=True)[:n]]

# %% wrong="4.2.2a" why="one entry for functions of one name" breaks="names" says="Two functions may have the same name"
def hot_spots(call, n):
    p = cProfile.Profile()
    p.runcall(call)
    own = {name: v[2] for (_, _, name), v in pstats.Stats(p).stats.items()}
    return sorted(own, key=own.get, reverse=True)[:n]

# %% wrong="4.2.2b" why="chunk in place of split" breaks="rows" says="`chunk(k)` makes k pieces"
def fast_batches(images, labels, batch_size, order):
    for rows in order.chunk(batch_size):
        yield images[rows].unsqueeze(1) / 255, labels[rows].long()

# %% wrong="4.2.2b" why="divides by the largest byte of the batch" breaks="pictures" says="was taken for white"
def fast_batches(images, labels, batch_size, order):
    for rows in order.split(batch_size):
        X = images[rows].unsqueeze(1).float()
        yield X / X.max(), labels[rows].long()

# %% wrong="4.2.2b" why="two lists, of X and of y" breaks="pictures" says="each batch is a pair (X, y)"
def fast_batches(images, labels, batch_size, order):
    return [images[r].unsqueeze(1) / 255 for r in order.split(batch_size)], [labels[r].long() for r in order.split(batch_size)]

# %% wrong="4.2.2b" why="puts the axis into images itself" breaks="arguments kept" says="got another shape"
def fast_batches(images, labels, batch_size, order):
    images.unsqueeze_(1)
    for rows in order.split(batch_size):
        yield images[rows] / 255, labels[rows].long()

# %% wrong="4.2.2b" why="labels in the order of the file" breaks="rows" says="These labels stand in the order of the file"
def fast_batches(images, labels, batch_size, order):
    for i, rows in enumerate(order.split(batch_size)):
        yield images[rows].unsqueeze(1) / 255, labels[i * batch_size:i * batch_size + len(rows)].long()

# %% wrong="4.2.2b" why="pictures in the order of the file" breaks="pictures" says="These pictures stand in the order of the file"
def fast_batches(images, labels, batch_size, order):
    for i, rows in enumerate(order.split(batch_size)):
        yield images[i * batch_size:i * batch_size + len(rows)].unsqueeze(1) / 255, labels[rows].long()

# %% wrong="4.2.2c" why="in percent" breaks="speed-up" says="has the speed-up 1, not 0"
def epoch_speedup(share, factor):
    return (1 / (1 - share + share / factor) - 1) * 100

# %% wrong="4.2.2c" why="infinity as a number only" breaks="tensors" says="a tensor may hold infinity"
def epoch_speedup(share, factor):
    if not isinstance(factor, torch.Tensor) and factor == math.inf:
        return 1 / (1 - share)
    return factor / (factor * (1 - share) + share)

# %% wrong="4.2.3" why="the classes, not their names" breaks="sorted" says="They are names"
def datasets_with(argument):
    return [getattr(datasets, n) for n in sorted(datasets.__all__) if isinstance(getattr(datasets, n), type) and argument in inspect.signature(getattr(datasets, n)).parameters]

# %% wrong="4.2.3" why="sorted without regard to capitals" breaks="sorted" says="Capital letters and small ones"
def datasets_with(argument):
    return sorted([n for n in datasets.__all__ if isinstance(getattr(datasets, n), type) and argument in inspect.signature(getattr(datasets, n)).parameters], key=str.lower)

# %% wrong="4.2.3" why="arguments without a default only" breaks="named arguments" says="An argument that has a default counts as well"
def datasets_with(argument):
    out = []
    for n in datasets.__all__:
        c = getattr(datasets, n)
        if isinstance(c, type):
            p = inspect.signature(c).parameters
            if argument in p and p[argument].default is inspect.Parameter.empty:
                out.append(n)
    return sorted(out)

# %% right="4.2.4" how="einsum"
def as_batch(raw, labels):
    X = torch.einsum("nhwc->nchw", raw if raw.dim() == 4 else raw[..., None])
    return X * (1 / 255), labels + torch.zeros(1, dtype=torch.int64)

# %% right="4.2.B" how="index_add"
def class_contrast(images, labels, a, b):
    k = int(labels.max()) + 1
    sums = torch.zeros(k, *images.shape[1:]).index_add(0, labels, images.float())
    means = sums / labels.bincount(minlength=k).clamp(min=1)[:, None, None]
    return means[a] - means[b]

# %% right="4.2.7" how="a place for each pixel of the sheet"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    line, column = torch.arange(rows * h)[:, None], torch.arange(num_cols * w)[None]
    which = line // h * num_cols + column // w
    picked = images[which.clamp(max=n - 1), line % h, column % w]
    return torch.where(which < n, picked, torch.zeros_like(picked))

# %% right="4.2.D" how="differences of cumulative sums"
def block_means(v, k):
    total = torch.cat([torch.zeros(1, dtype=torch.float64), v.double().cumsum(0)])
    return (total[k::k] - total[:-k:k]) / k

# %% right="4.2.5" how="matrices that average"
def shrink(X, k):
    n, c, h, w = X.shape
    if h // k * k != h or w // k * k != w:
        raise ValueError("height " + str(h) + ", width " + str(w))
    rows = torch.eye(h // k).repeat_interleave(k, dim=1) / k
    cols = torch.eye(w // k).repeat_interleave(k, dim=1) / k
    return rows @ X @ cols.T

# %% right="4.2.5" how="the error of reshape, translated"
def shrink(X, k):
    n, c, h, w = X.shape
    try:
        return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(3, 5))
    except RuntimeError:
        raise ValueError(f"height {h} and width {w} are not both multiples of {k}") from None

# %% right="4.2.2b" how="take_along_dim and gather"
def fast_batches(images, labels, batch_size, order):
    X = torch.take_along_dim(images, order[:, None, None], dim=0)[:, None].to(torch.float32) / 255.0
    y = labels.gather(0, order).to(torch.int64)
    return [(X[i:i + batch_size], y[i:i + batch_size]) for i in range(0, len(order), batch_size)]

# %% right="4.2.2b" how="a class with an iterator"
class _Batches:
    def __init__(self, *parts):
        self.parts = parts

    def __iter__(self):
        images, labels, size, order = self.parts
        for start in range(0, order.numel(), size):
            rows = order.narrow(0, start, min(size, order.numel() - start))
            yield images.index_select(0, rows)[:, None] * (1 / 255), labels.index_select(0, rows).long()

def fast_batches(images, labels, batch_size, order):
    return _Batches(images, labels, batch_size, order)

# %% right="4.2.C" how="a tensor without memory"
def batch_bytes(shape, dtype):
    t = torch.empty(shape, dtype=dtype, device="meta")
    return t.numel() * t.element_size()

# %% wrong="4.2.A" why="a mean over the height alone" breaks="one for each picture" says="The mean goes over the height alone"
def brightness(images):
    return images.float().mean(dim=1) / 255

# %% wrong="4.2.4" why="the new axis in front of the pictures" breaks="shape" says="The new axis stands in front of the pictures"
def as_batch(raw, labels):
    X = raw[None] if raw.dim() == 3 else raw.permute(0, 3, 1, 2)
    return X.float() / 255, labels.long()

# %% wrong="4.2.B" why="sums over the classes" breaks="means" says="These are sums over the classes"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().sum(dim=0) - images[labels == b].float().sum(dim=0)

# %% wrong="4.2.B" why="against the mean of all pictures" breaks="means" says="not that of all pictures"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean(dim=0) - images.float().mean(dim=0)

# %% wrong="4.2.B" why="pairs of pictures, as many as the smaller class has" breaks="means" says="as many pictures were used as the smaller one has"
def class_contrast(images, labels, a, b):
    of_a, of_b = images[labels == a].float(), images[labels == b].float()
    number = min(len(of_a), len(of_b))
    return (of_a[:number] - of_b[:number]).mean(dim=0)

# %% wrong="4.2.7" why="the line stands before the row of the sheet" breaks="places" says="no picture stands whole"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    full = torch.zeros(rows * num_cols, h, w, dtype=images.dtype)
    full[:n] = images
    return full.reshape(rows, num_cols, h, w).permute(2, 0, 1, 3).reshape(rows * h, num_cols * w)

# %% wrong="4.2.1a" why="size as one entry" breaks="shapes" says="`*size` puts its two numbers there"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    full, rest = divmod(num_examples, batch_size)
    return [(batch_size, 1, size)] * full + [(rest, 1, size)] * (rest > 0 and not drop_last)

# %% wrong="4.2.D" why="blocks of four, whatever k is, in the division" breaks="means" says="These are the sums of the blocks divided by 4"
def block_means(v, k):
    return v.reshape(-1, k).sum(dim=1) / 4

# %% wrong="4.2.1b" why="the best of three passes" breaks="one pass" says="The data were read 3 times for each size"
def reading_table(data, batch_sizes):
    table, before = {}, data.batch_size
    for size in batch_sizes:
        data.batch_size, runs = size, []
        for _ in range(3):
            start = time.perf_counter()
            rows = [len(y) for X, y in data.train_dataloader()]
            runs.append(time.perf_counter() - start)
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": min(runs)}
    data.batch_size = before
    return table

# %% wrong="4.2.2b" why="as many pieces as there are batches, of about equal size" breaks="rows" says="nothing is spread evenly"
def fast_batches(images, labels, batch_size, order):
    for rows in order.chunk(math.ceil(len(order) / batch_size)):
        yield images[rows].unsqueeze(1).float() / 255, labels[rows].long()

# %% wrong="4.2.2c" why="reading and computing at the same time" breaks="speed-up" says="The two take turns"
def epoch_speedup(share, factor):
    share, factor = torch.as_tensor(share), torch.as_tensor(factor)
    return 1 / torch.maximum(1 - share, share / factor)

# %% wrong="4.2.1b" why="the mean time of a batch" breaks="seconds" says="to be divided by nothing"
def reading_table(data, batch_sizes):
    table, before = {}, data.batch_size
    for size in batch_sizes:
        data.batch_size = size
        start = time.perf_counter()
        rows = [len(y) for X, y in data.train_dataloader()]
        seconds = (time.perf_counter() - start) / len(rows)
        table[size] = {"batches": len(rows), "examples": sum(rows), "seconds": seconds}
    data.batch_size = before
    return table

# %% wrong="4.2.1a" why="a generator function" breaks="shapes" says="With `yield` a function gives an iterator"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    for start in range(0, num_examples, batch_size):
        rows = min(batch_size, num_examples - start)
        if rows == batch_size or not drop_last:
            yield rows, 1, *size

# %% wrong="4.2.B" why="pictures number a and b" breaks="means" says="These are the pictures number a and number b"
def class_contrast(images, labels, a, b):
    return images[a].float() - images[b].float()

# %% wrong="4.2.B" why="one picture of class b" breaks="means" says="the mean of class 1 is right. That of class 0 is not"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean(dim=0) - images[labels == b][-1].float()

# %% wrong="4.2.6b" why="the first name that holds the label" breaks="numbers" says="A name in which the label is only a part"
def class_numbers(labels, names):
    found = [[i for i, name in enumerate(names) if label in name] for label in labels]
    if not all(found):
        raise ValueError("unknown name")
    return torch.tensor([places[0] for places in found], dtype=torch.int64)

# %% wrong="4.2.5" why="the sum of a block divided by k" breaks="means" says="a block has k · k pixels"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, h // k, k, w // k, k).sum(dim=(3, 5)) / k

# %% wrong="4.2.D" why="divides by k - 1" breaks="means" says="These are the sums of the blocks divided by 2"
def block_means(v, k):
    return v.reshape(-1, k).sum(dim=1) / max(k - 1, 1)

# %% wrong="4.2.2a" why="the right functions in alphabetical order" breaks="own time" says="in the wrong order"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    stats = pstats.Stats(profile).stats
    return sorted(key[2] for key in sorted(stats, key=lambda key: stats[key][2], reverse=True)[:n])

# %% wrong="4.2.A" why="a mean over the pictures, where an axis has gone" breaks="one for each picture" says="the pictures were averaged, too"
def brightness(images):
    return images.float().mean(dim=2).mean(dim=0) / 255

# %% wrong="4.2.A" why="divides by the height squared" breaks="values" says="divided by 9 and by 255"
def brightness(images):
    n, h, w = images.shape
    return images.float().sum(dim=(1, 2)) / (h * h) / 255

# %% wrong="4.2.A" why="the root of the mean square" breaks="values" says="the root of the mean square"
def brightness(images):
    return (images.float() ** 2).mean(dim=(1, 2)).sqrt() / 255

# %% wrong="4.2.4" why="one-hot labels" breaks="shape" says="rows of several numbers"
def as_batch(raw, labels):
    X = raw.unsqueeze(1) if raw.dim() == 3 else raw.permute(0, 3, 1, 2)
    return X.float() / 255, F.one_hot(labels.long())

# %% wrong="4.2.4" why="grey recognised by the length of the last axis" breaks="shape" says="names each axis of its tensor once"
def as_batch(raw, labels):
    if raw.shape[-1] in (1, 3):
        X = raw.permute(0, 3, 1, 2)
    else:
        X = raw.unsqueeze(1)
    return X.float() / 255, labels.long()

# %% wrong="4.2.B" why="the mean of class a cut to whole bytes" breaks="means" says="The mean of class a was cut"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean(dim=0).byte().float() - images[labels == b].float().mean(dim=0)

# %% wrong="4.2.B" why="the last picture of each class" breaks="means" says="Only the last picture"
def class_contrast(images, labels, a, b):
    return images[labels == a][-1].float() - images[labels == b][-1].float()

# %% wrong="4.2.B" why="the quotient of the means" breaks="means" says="This is the quotient"
def class_contrast(images, labels, a, b):
    return images[labels == a].float().mean(dim=0) / images[labels == b].float().mean(dim=0)

# %% wrong="4.2.1a" why="drop_last keeps a batch that is the only one" breaks="drop_last" says="also where it is the only one"
def batch_shapes(num_examples, batch_size, size, drop_last=False):
    if num_examples < batch_size:
        return [(num_examples, 1, *size)]
    full, rest = divmod(num_examples, batch_size)
    return [(batch_size, 1, *size)] * full + ([(rest, 1, *size)] if rest and not drop_last else [])

# %% wrong="4.2.C" why="a table of four dtypes, 4 bytes for all others" breaks="dtype" says="This is 4 bytes for each entry"
def batch_bytes(shape, dtype):
    sizes = {torch.float32: 4, torch.float64: 8, torch.uint8: 1, torch.int64: 8}
    return math.prod(shape) * sizes.get(dtype, 4)

# %% wrong="4.2.D" why="a slice one too long" breaks="means" says="Each block took in the first entry of the next"
def block_means(v, k):
    return torch.stack([v[i:i + k + 1].mean() for i in range(0, len(v), k)])

# %% wrong="4.2.5" why="blocks that overlap" breaks="shape" says="The blocks overlap here"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{k} does not divide {h} x {w}")
    return F.avg_pool2d(X, k, stride=1)

# %% wrong="4.2.5" why="a square, whatever the width" breaks="shape" says="The result is a square of h / k"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{k} does not divide {h} x {w}")
    return F.interpolate(X, size=h // k, mode="area")

# %% wrong="4.2.1b" why="rounds to a tenth of a second" breaks="seconds" says="looks rounded"
def reading_table(data, batch_sizes):
    table, before = {}, data.batch_size
    for size in batch_sizes:
        data.batch_size = size
        start, batches, examples = time.perf_counter(), 0, 0
        for X, y in data.train_dataloader():
            batches += 1
            examples += len(y)
        table[size] = {"batches": batches, "examples": examples, "seconds": round(time.perf_counter() - start, 1)}
    data.batch_size = before
    return table

# %% wrong="4.2.2a" why="gives the profiler the result of the call" breaks="own time" says="without parentheses"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call())
    found = pstats.Stats(profile).stats
    return [key[2] for key in sorted(found, key=lambda k: found[k][2], reverse=True)[:n]]

# %% wrong="4.2.2b" why="the labels cut from the file" breaks="rows" says="as many as it should; y has not"
def fast_batches(images, labels, batch_size, order):
    for rows, y in zip(order.split(batch_size), labels.split(batch_size)):
        yield images[rows][:, None].float() / 255, y.long()

# %% wrong="4.2.2c" why="takes what is left of the reading for what is saved" breaks="speed-up" says="not what is saved"
def epoch_speedup(share, factor):
    return 1 / (1 - share * (1 / factor))

# %% wrong="4.2.A" why="the median of the means of the rows" breaks="values" says="the median of the means of the rows"
def brightness(images):
    x = images.float() / 255
    return x.mean(dim=2).median(dim=1).values

# %% wrong="4.2.A" why="the first row alone" breaks="values" says="Only the first row"
def brightness(images):
    return images[:, 0].float().mean(dim=1) / 255

# %% wrong="4.2.B" why="divided by the sum of the means" breaks="means" says="divided by their sum"
def class_contrast(images, labels, a, b):
    x = images.float()
    of_a, of_b = x[labels == a].mean(0), x[labels == b].mean(0)
    return (of_a - of_b) / (of_a + of_b + 1e-8)

# %% wrong="4.2.B" why="stretched to 255" breaks="means" says="stretched until its largest value is 255"
def class_contrast(images, labels, a, b):
    x = images.float()
    d = x[labels == a].mean(0) - x[labels == b].mean(0)
    return d / d.abs().max() * 255

# %% wrong="4.2.B" why="half the difference" breaks="means" says="half the difference of the means"
def class_contrast(images, labels, a, b):
    x = images.float()
    return (x[labels == a].mean(0) - x[labels == b].mean(0)) / 2

# %% wrong="4.2.B" why="a tenth of the difference" breaks="means" says="multiplied by 0.1 here"
def class_contrast(images, labels, a, b):
    x = images.float()
    return (x[labels == a].mean(0) - x[labels == b].mean(0)) / 10

# %% wrong="4.2.B" why="cut at 0" breaks="sign" says="It is 0 in place of every negative number"
def class_contrast(images, labels, a, b):
    x = images.float()
    return (x[labels == a].mean(0) - x[labels == b].mean(0)).clamp(min=0)

# %% wrong="4.2.3" why="everything that can be called in the module" breaks="classes" says="__getattr__ does not belong here"
def datasets_with(argument):
    out = []
    for n in dir(datasets):
        thing = getattr(datasets, n)
        if callable(thing):
            try:
                if argument in inspect.signature(thing).parameters:
                    out.append(n)
            except ValueError:
                pass
    return sorted(out)

# %% wrong="4.2.3" why="attributes of the class" breaks="named arguments" says="What you find are attributes of the class"
def datasets_with(argument):
    return sorted(n for n in datasets.__all__ if isinstance(getattr(datasets, n), type) and hasattr(getattr(datasets, n), argument))

# %% wrong="4.2.1b" why="a reading of the clock" breaks="seconds" says="This is a reading of the clock"
def reading_table(data, batch_sizes):
    table, old = {}, data.batch_size
    for b in batch_sizes:
        data.batch_size = b
        sizes = [len(y) for X, y in data.train_dataloader()]
        table[b] = {"batches": len(sizes), "examples": sum(sizes), "seconds": time.perf_counter()}
    data.batch_size = old
    return table

# %% wrong="4.2.1b" why="the time of day" breaks="seconds" says="This is the time of day"
def reading_table(data, batch_sizes):
    table, old = {}, data.batch_size
    for b in batch_sizes:
        data.batch_size = b
        sizes = [len(y) for X, y in data.train_dataloader()]
        table[b] = {"batches": len(sizes), "examples": sum(sizes), "seconds": time.time()}
    data.batch_size = old
    return table

# %% wrong="4.2.1b" why="nanoseconds" breaks="seconds" says="These are nanoseconds"
def reading_table(data, batch_sizes):
    table, old = {}, data.batch_size
    for b in batch_sizes:
        data.batch_size = b
        start = time.perf_counter_ns()
        sizes = [len(y) for X, y in data.train_dataloader()]
        table[b] = {"batches": len(sizes), "examples": sum(sizes), "seconds": time.perf_counter_ns() - start}
    data.batch_size = old
    return table

# %% wrong="4.2.1b" why="counters that are not set back" breaks="counts" says="The count goes on from one batch size to the next"
def reading_table(data, batch_sizes):
    table, old = {}, data.batch_size
    batches = examples = 0
    for b in batch_sizes:
        data.batch_size = b
        start = time.perf_counter()
        for X, y in data.train_dataloader():
            batches += 1
            examples += len(y)
        table[b] = {"batches": batches, "examples": examples, "seconds": time.perf_counter() - start}
    data.batch_size = old
    return table

# %% wrong="4.2.1b" why="only the examples are not set back" breaks="counts" says="The count goes on from one batch size to the next"
def reading_table(data, batch_sizes):
    table, old, examples = {}, data.batch_size, 0
    for b in batch_sizes:
        data.batch_size, batches, start = b, 0, time.perf_counter()
        for X, y in data.train_dataloader():
            batches += 1
            examples += len(y)
        table[b] = {"batches": batches, "examples": examples, "seconds": time.perf_counter() - start}
    data.batch_size = old
    return table

# %% wrong="4.2.1b" why="returns in the loop over the sizes" breaks="table" says="The entry of batch size 4 is missing"
def reading_table(data, batch_sizes):
    table, old = {}, data.batch_size
    for b in batch_sizes:
        data.batch_size = b
        start = time.perf_counter()
        sizes = [len(y) for X, y in data.train_dataloader()]
        table[b] = {"batches": len(sizes), "examples": sum(sizes), "seconds": time.perf_counter() - start}
        data.batch_size = old
        return table

# %% wrong="4.2.7" why="axes row, line, pixel, column" breaks="places" says="alternate pixel by pixel"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    pad = images.new_zeros(rows * num_cols - n, h, w)
    return torch.cat([images, pad]).reshape(rows, num_cols, h, w).permute(0, 2, 3, 1).reshape(rows * h, num_cols * w)

# %% wrong="4.2.7" why="the last row at the right edge" breaks="places" says="it is to begin at the left"
def contact_sheet(images, num_cols):
    n, h, w = images.shape
    rows = math.ceil(n / num_cols)
    sheet = images.new_zeros(rows * h, num_cols * w)
    for i in range(n):
        r, c = divmod(i, num_cols)
        if r == rows - 1 and n % num_cols:
            c += num_cols - n % num_cols
        sheet[r * h:(r + 1) * h, c * w:(c + 1) * w] = images[i]
    return sheet

# %% wrong="4.2.D" why="whole numbers first" breaks="means" says="cut to whole numbers before"
def block_means(v, k):
    return v.long().reshape(-1, k).float().mean(dim=1)

# %% wrong="4.2.2a" why="the largest is left out" breaks="own time" says="is left out: your list begins with the second"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    s = pstats.Stats(profile).stats
    return [k[2] for k in sorted(s, key=lambda k: s[k][2], reverse=True)[1:n + 1]]

# %% wrong="4.2.2a" why="prints a table" breaks="names" says="Asked for are the names"
def hot_spots(call, n):
    profile = cProfile.Profile()
    profile.runcall(call)
    return pstats.Stats(profile).sort_stats("tottime").print_stats(n)

# %% wrong="4.2.C" why="the number of entries" breaks="dtype" says="This is the number of entries"
def batch_bytes(shape, dtype):
    return math.prod(shape)

# %% wrong="4.2.A" why="the largest mean of a column" breaks="values" says="the largest of the means of the columns"
def brightness(images):
    return images.float().mean(dim=1).amax(dim=1) / 255

# %% wrong="4.2.A" why="leaves black pixels out" breaks="values" says="Black pixels count, too"
def brightness(images):
    x = images.float()
    return x.sum(dim=(1, 2)) / (x > 0).sum(dim=(1, 2)).clamp(min=1) / 255

# %% wrong="4.2.A" why="rounds to two decimals" breaks="values" says="rounded to two decimals"
def brightness(images):
    return torch.round(images.float().mean(dim=(1, 2)) / 255, decimals=2)

# %% wrong="4.2.A" why="the mean over the axes 0 and 1" breaks="values" says="goes over the pictures and the height"
def brightness(images):
    return images.float().mean(dim=(0, 1)) / 255

# %% wrong="4.2.4" why="permute(0, 2, 3, 1)" breaks="shape" says="brings channels from the front to the end"
def as_batch(raw, labels):
    X = raw[:, None] if raw.dim() == 3 else raw.permute(0, 2, 3, 1)
    return X.float() / 255, labels.long()

# %% wrong="4.2.4" why="takes pictures for colour only with three channels" breaks="shape" says="as if it were grey"
def as_batch(raw, labels):
    X = raw.permute(0, 3, 1, 2) if raw.shape[-1] == 3 and raw.dim() == 4 else raw.reshape(len(raw), 1, raw.shape[1], -1)
    return X.float() / 255, labels.long()

# %% wrong="4.2.6b" why="numbers by first occurrence" breaks="numbers" says="The labels were numbered as they come"
def class_numbers(labels, names):
    seen = list(dict.fromkeys(labels))
    return torch.tensor([seen.index(x) for x in labels], dtype=torch.int64)

# %% wrong="4.2.6b" why="places in labels" breaks="numbers" says="These are places in `labels`"
def class_numbers(labels, names):
    return torch.tensor([labels.index(n) for n in names if n in labels], dtype=torch.int64)

# %% wrong="4.2.C" why="adds the labels" breaks="entries" says="no part of this one"
def batch_bytes(shape, dtype):
    return math.prod(shape) * dtype.itemsize + shape[0] * 8

# %% wrong="4.2.5" why="right reshape, mean over the blocks" breaks="means" says="the mean goes over the second"
def shrink(X, k):
    n, c, h, w = X.shape
    if h % k or w % k:
        raise ValueError(f"{h} x {w}")
    return X.reshape(n, c, h // k, k, w // k, k).mean(dim=(2, 4))

# %% wrong="4.2.5" why="asks the number of pixels" breaks="refusal" says="height times width"
def shrink(X, k):
    h, w = X.shape[-2:]
    if (h * w) % k:
        raise ValueError(f"{h} x {w}")
    return F.avg_pool2d(X, k)

# %% wrong="4.2.E" why="the two costs exchanged" breaks="requests" says="are exchanged"
def pass_seconds(num_examples, batch_size, per_request, per_row):
    return per_row * math.ceil(num_examples / batch_size) + per_request * num_examples

# %% wrong="4.2.1b" why="reads one batch and multiplies" breaks="one pass" says="Only one batch was read"
def reading_table(data, batch_sizes):
    old, out = data.batch_size, {}
    for b in batch_sizes:
        data.batch_size = b
        loader = data.train_dataloader()
        start = time.perf_counter()
        X, y = next(iter(loader))
        seconds = time.perf_counter() - start
        k = math.ceil(data.num_train / b) if hasattr(data, "num_train") else len(loader)
        out[b] = {"batches": k, "examples": getattr(data, "num_train", k * b), "seconds": seconds * k}
    data.batch_size = old
    return out

# %% wrong="4.2.2c" why="1000 in place of infinity" breaks="infinitely fast" says="no large number stands for it"
def epoch_speedup(share, factor):
    f = torch.as_tensor(factor, dtype=torch.float64).clamp(max=1e3)
    return 1 / (1 - share + share / f)

# %% wrong="4.2.3" why="local variables of the constructor" breaks="named arguments" says="it is a variable inside of it"
def datasets_with(argument):
    out = []
    for n in datasets.__all__:
        c = getattr(datasets, n)
        if isinstance(c, type) and argument in c.__init__.__code__.co_varnames:
            out.append(n)
    return sorted(out)

# %% wrong="4.2.3" why="direct subclasses alone" breaks="named arguments" says="which it has from CIFAR10"
def datasets_with(argument):
    return sorted(n for n in datasets.__all__ if isinstance(getattr(datasets, n), type) and getattr(datasets, n).__mro__[1] is datasets.VisionDataset
                  and argument in inspect.signature(getattr(datasets, n)).parameters)

# %% wrong="4.2.3" why="constructors of the class's own alone" breaks="named arguments" says="which it has from CIFAR10"
def datasets_with(argument):
    out = []
    for n in datasets.__all__:
        c = getattr(datasets, n)
        if isinstance(c, type) and "__init__" in vars(c) and argument in inspect.signature(vars(c)["__init__"]).parameters:
            out.append(n)
    return sorted(out)

# %% wrong="4.2.5" why="an assertion in place of the ValueError" breaks="refusal" says="error of another kind"
def shrink(X, k):
    n, c, h, w = X.shape
    assert h % k == 0 and w % k == 0, f"{h} x {w} by {k}"
    return F.avg_pool2d(X, k)

# %% wrong="4.2.2a" why="the call runs before the profiler is on" breaks="own time" says="where the profiler does not watch"
def hot_spots(call, n):
    profile = cProfile.Profile()
    result = call()
    profile.runcall(lambda: result)
    stats = pstats.Stats(profile).stats
    keys = sorted(stats, key=lambda k: stats[k][2], reverse=True)
    return [k[2] for k in keys[:n]]
