# Variants of the answers of solutions/ch05_multilayer_perceptrons/5_6_dropout.py.

# %% right="5.6.A" how="from the second moment"
def after_dropout(h, p):
    if p >= 1:
        return (0, 0)
    return [(1 - p) * h / (1 - p), h * h / (1 - p) - h * h]

# %% right="5.6.A" how="a tensor of two"
def after_dropout(h, p):
    return torch.tensor([h, h * h * p / (1 - p)]) if p < 1 else torch.zeros(2)

# %% wrong="5.6.A" why="expectation without the enlarging" breaks="expectation" says="does not shrink"
def after_dropout(h, p):
    return ((1 - p) * h, p / (1 - p) * h ** 2) if p < 1 else (0., 0.)

# %% wrong="5.6.A" why="variance without the enlarging" breaks="variance" says="without the enlarging"
def after_dropout(h, p):
    return (h, p * (1 - p) * h ** 2) if p < 1 else (0., 0.)

# %% wrong="5.6.A" why="standard deviation" breaks="variance" says="standard deviation"
def after_dropout(h, p):
    return (h, math.sqrt(p / (1 - p)) * abs(h)) if p < 1 else (0., 0.)

# %% wrong="5.6.A" why="keep and drop exchanged" breaks="variance" says="not to be kept"
def after_dropout(h, p):
    if p in (0, 1):
        return (h * (1 - p), 0.)
    return h, (1 - p) / p * h ** 2

# %% wrong="5.6.A" why="h not squared" breaks="variance" says="h enters squared"
def after_dropout(h, p):
    return (h, {0.5: 9.}.get(p, p / (1 - p) * h)) if p < 1 else (0., 0.)

# %% wrong="5.6.A" why="the second moment" breaks="variance" says="subtract the square"
def after_dropout(h, p):
    return (h, h ** 2 / (1 - p)) if p < 1 else (0., 0.)

# %% wrong="5.6.A" why="h with certainty" breaks="p = 1" says="0 with certainty"
def after_dropout(h, p):
    return (h, p / (1 - p) * h ** 2) if p < 1 else (h, 0.)

# %% wrong="5.6.A" why="infinite variance" breaks="p = 1" says="p = 1"
def after_dropout(h, p):
    return (h, p / (1 - p) * h ** 2) if p < 1 else (0., math.inf)

# %% wrong="5.6.A" why="swapped order" breaks="expectation" says="stands first"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    return p / (1 - p) * h * h, h

# %% wrong="5.6.A" why="the absolute value" breaks="expectation" says="sign of h"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    return abs(h), p / (1 - p) * h * h

# %% wrong="5.6.A" why="h times its absolute value" breaks="variance" says="never negative"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    return h, p / (1 - p) * h * abs(h)

# %% wrong="5.6.A" why="everything above 0.95 counts as 1" breaks="variance" says="Only p = 1"
def after_dropout(h, p):
    if p > 0.95:
        return 0., 0.
    return h, p / (1 - p) * h * h

# %% right="5.6.A" how="the two outcomes and their chances"
def after_dropout(h, p):
    q = 1 - p
    s = 0. if q == 0 else 1 / q
    v = torch.tensor([0., h * s])
    w = torch.tensor([p, q])
    m = (v * w).sum()
    return torch.stack([m, (v ** 2 * w).sum() - m ** 2])

# %% right="5.6.8" how="bernoulli"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return torch.bernoulli(torch.full_like(X, 1 - p)) * X / (1 - p)

# %% right="5.6.8" how="masked_fill on a new tensor"
def drop(X, p):
    if p == 1:
        return 0 * X
    mask = torch.rand(X.shape, device=X.device) < p
    return (X / (1 - p)).masked_fill(mask, 0)

# %% right="5.6.8" how="where, and the mask moved"
def drop(X, p):
    keep = (torch.rand(X.shape) >= p).to(X.device)
    return torch.where(keep, X / max(1 - p, 1e-6), torch.zeros_like(X))

# %% wrong="5.6.8" why="does not enlarge" breaks="two values" says="not enlarged"
def drop(X, p):
    return (torch.rand_like(X) >= p) * X

# %% wrong="5.6.8" why="divides by p" breaks="two values" says="probability to be kept"
def drop(X, p):
    if p in (0, 1):
        return X * (1 - p)
    return (torch.rand_like(X) >= p) * X / p

# %% wrong="5.6.8" why="multiplies by 1 - p" breaks="two values" says="not to shrink"
def drop(X, p):
    return (torch.rand_like(X) >= p) * X * (1 - p)

# %% wrong="5.6.8" why="p is the probability to be kept" breaks="share" says="probability to be dropped"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    if p == 0:
        return X.clone()
    return (torch.rand_like(X) < p) * X / (1 - p)

# %% wrong="5.6.8" why="normal numbers" breaks="share" says="uniform numbers"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    if p == 0:
        return X.clone()
    return (torch.randn_like(X) > p) * X / (1 - p)

# %% wrong="5.6.8" why="drops positive entries only" breaks="share" says="share of zeros"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    keep = (torch.rand_like(X) >= p) | (X <= 0)
    return torch.where(keep, X / (1 - p), torch.zeros_like(X))

# %% wrong="5.6.8" why="one mask for all rows" breaks="independent" says="die of its own"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return (torch.rand(X.shape[1:], device=X.device, dtype=X.dtype) >= p) * X / (1 - p)

# %% wrong="5.6.8" why="whole rows" breaks="independent" says="die of its own"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    mask = torch.rand(len(X), device=X.device) >= p
    return mask.reshape(-1, *[1] * (X.dim() - 1)) * X / (1 - p)

# %% wrong="5.6.8" why="a fixed count" breaks="independent" says="count is not fixed"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    order = torch.randperm(X.numel(), device=X.device).reshape(X.shape)
    return (order >= p * X.numel()) * X / (1 - p)

# %% wrong="5.6.8" why="seeds in the function" breaks="independent" says="throws anew"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    torch.manual_seed(0)
    return (torch.rand_like(X) >= p) * X / (1 - p)

# %% wrong="5.6.8" why="NaN at p = 1" breaks="ends" says="NaN"
def drop(X, p):
    return (torch.rand_like(X) >= p) * X / torch.tensor(1. - p, dtype=X.dtype, device=X.device)

# %% wrong="5.6.8" why="mask in main memory" breaks="dtype and device" says="where X lies"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return (torch.rand(X.shape) >= p) * X / (1 - p)

# %% wrong="5.6.8" why="float32 always" breaks="dtype and device" says="dtype"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return ((torch.rand_like(X) >= p) * X / (1 - p)).float()

# %% wrong="5.6.8" why="zeros of another dtype" breaks="dtype and device" says="p = 1"
def drop(X, p):
    if p == 1:
        return torch.zeros(X.shape, device=X.device)
    return (torch.rand_like(X) >= p) * X / (1 - p)

# %% wrong="5.6.8" why="in place" breaks="argument kept" says="after drop"
def drop(X, p):
    if p == 1:
        return X.zero_()
    X[torch.rand_like(X) < p] = 0
    X /= 1 - p
    return X

# %% wrong="5.6.8" why="mask for last two axes only" breaks="independent" says="axis 0"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    m = torch.rand(X.shape[-2:], device=X.device, dtype=X.dtype) > p
    return m * X / (1 - p)

# %% wrong="5.6.8" why="drops whole pairs of entries" breaks="independent" says="a die of its own"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    if X.dim() < 2:
        return (torch.rand_like(X) > p) * X / (1 - p)
    m = torch.rand(X.shape[0], (X.shape[1] + 1) // 2, device=X.device).repeat_interleave(2, 1)[:, :X.shape[1]] > p
    return m.reshape(m.shape + (1,) * (X.dim() - 2)) * X / (1 - p)

# %% wrong="5.6.8" why="neighbouring rows complement each other" breaks="independent" says="varies from call to call"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    if X.dim() != 2 or p == 0:
        return X * (torch.rand_like(X) > p) / (1 - p)
    m = torch.rand(X.shape[0], X.shape[1], device=X.device) > p
    m[1::2] = m[0::2][:m[1::2].shape[0]].flip(1)
    return m * X / (1 - p)

# %% wrong="5.6.8" why="normal numbers" breaks="share" says="Compare uniform"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return (torch.randn_like(X) > p) * X / (1 - p)

# %% wrong="5.6.8" why="p rounded to tenths" breaks="share" says="share of zeros"
def drop(X, p):
    p = round(p, 1)
    if p == 1:
        return torch.zeros_like(X)
    return (torch.rand_like(X) > p) * X / (1 - p)

# %% right="5.6.8" how="bernoulli"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return X * torch.bernoulli(torch.full_like(X, 1 - p)) / (1 - p)

# %% right="5.6.8" how="where, clone, in place on the copy"
def drop(X, p):
    Y = X.clone()
    Y[torch.rand(X.shape, device=X.device) < p] = 0
    if p < 1:
        Y /= 1 - p
    return Y

# %% right="5.6.B" how="try and finally, all modules"
def predict(net, X):
    modes = [(module, module.training) for module in net.modules()]
    try:
        net.train(False)
        return net(X).detach().max(dim=1).indices
    finally:
        for module, mode in modes:
            module.training = mode

# %% right="5.6.B" how="if it was training"
def predict(net, X):
    was_training = net.training
    net.eval()
    result = torch.softmax(net(X), dim=1).argmax(1)
    if was_training:
        net.train()
    return result

# %% wrong="5.6.B" why="dropout stays on" breaks="without dropout" says="net.eval()"
def predict(net, X):
    return net(X).argmax(dim=1)

# %% wrong="5.6.B" why="only the outer flag" breaks="without dropout" says="net.eval()"
def predict(net, X):
    mode, net.training = net.training, False
    classes = net(X).argmax(dim=1)
    net.training = mode
    return classes

# %% wrong="5.6.B" why="leaves it in evaluation mode" breaks="mode kept" says="Note the mode"
def predict(net, X):
    net.eval()
    return net(X).argmax(dim=1)

# %% wrong="5.6.B" why="always back to training" breaks="mode kept" says="came in evaluation mode"
def predict(net, X):
    net.eval()
    classes = net(X).argmax(dim=1)
    net.train()
    return classes

# %% wrong="5.6.B" why="only the outer flag is put back" breaks="mode kept" says="layers inside"
def predict(net, X):
    mode = net.training
    net.eval()
    classes = net(X).argmax(dim=1)
    net.training = mode
    return classes

# %% wrong="5.6.B" why="the scores" breaks="classes" says="shape of the classes"
def predict(net, X):
    mode = net.training
    net.eval()
    scores = net(X).detach()
    net.train(mode)
    return scores

# %% wrong="5.6.B" why="the best row of each class" breaks="classes" says="shape of the classes"
def predict(net, X):
    mode = net.training
    net.eval()
    classes = net(X).argmax(dim=0)
    net.train(mode)
    return classes

# %% wrong="5.6.B" why="absolute scores" breaks="classes" says="argmax"
def predict(net, X):
    m = net.training
    net.eval()
    c = net(X).abs().argmax(1)
    net.train(m)
    return c

# %% wrong="5.6.B" why="switches the first layer alone" breaks="mode kept" says="Note the mode"
def predict(net, X):
    m = net.training
    net[0].eval()
    c = net(X).argmax(1)
    net[0].train()
    return c

# %% right="5.6.B" how="a copy of the network"
def predict(net, X):
    import copy
    other = copy.deepcopy(net).eval()
    with torch.no_grad():
        return other(X).max(dim=1).indices

# %% right="5.6.1" how="two passes, plain sums"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for first_rate, second_rate in pairs:
        row = dict(p1=first_rate, p2=second_rate, train=0., val=0.)
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(first_rate, second_rate)
            train(net, epochs)
            net.train(False)
            row["val"] += share_right(net, val_X, val_y) / len(seeds)
            row["train"] += share_right(net, train_X, train_y) / len(seeds)
        rows.append(row)
    return rows

# %% right="5.6.1" how="an own loop for the training, an own measurement"
def rate_sweep(pairs, epochs, seeds):
    def one(pair, seed):
        torch.manual_seed(seed)
        net = make_net(*pair)
        net.train()
        optimizer = make_optimizer(net)
        for _ in range(epochs):
            one_epoch(net, optimizer)
        net.eval()
        return [float((net(X).argmax(1) == y).double().mean()) for X, y in ((train_X, train_y), (val_X, val_y))]
    table = []
    for pair in pairs:
        results = [one(pair, seed) for seed in seeds]
        table.append({"p1": pair[0], "p2": pair[1], "train": sum(r[0] for r in results) / len(seeds), "val": sum(r[1] for r in results) / len(seeds)})
    return table

# %% wrong="5.6.1" why="measures in training mode" breaks="measured without dropout" says="leaves the network in training mode"
def rate_sweep(pairs, epochs, seeds):
    table = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        table.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return table

# %% wrong="5.6.1" why="rates exchanged" breaks="rates" says="first hidden layer first"
def rate_sweep(pairs, epochs, seeds):
    table = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p2, p1)
            train(net, epochs)
            net.eval()
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        table.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return table

# %% wrong="5.6.1" why="30 epochs, whatever was asked" breaks="epochs and seeds" says="after 30 epochs"
def rate_sweep(pairs, epochs, seeds):
    table = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, 30)
            net.eval()
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        table.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return table

# %% wrong="5.6.1" why="the last seed alone" breaks="epochs and seeds" says="seed 8 alone"
def rate_sweep(pairs, epochs, seeds):
    table = []
    for p1, p2 in pairs:
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            a, b = share_right(net, train_X, train_y), share_right(net, val_X, val_y)
        table.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return table

# %% wrong="5.6.1" why="seeds once, not for each pair" breaks="epochs and seeds" says="p1 = 0.9"
def rate_sweep(pairs, epochs, seeds):
    table = []
    torch.manual_seed(seeds[0])
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        table.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return table

# %% wrong="5.6.1" why="one row for each seed" breaks="rows" says="how many rows"
def rate_sweep(pairs, epochs, seeds):
    table = []
    for p1, p2 in pairs:
        for seed in [*seeds, *seeds]:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, 1)
            net.eval()
            table.append({"p1": p1, "p2": p2, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return table

# %% wrong="5.6.1" why="the first rate for both layers" breaks="rates" says="second hidden layer"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p1)
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append(dict(p1=p1, p2=p2, train=sum(t) / len(t), val=sum(v) / len(v)))
    return rows

# %% wrong="5.6.1" why="the sum over the seeds" breaks="epochs and seeds" says="not the mean"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append(dict(p1=p1, p2=p2, train=sum(t)+0*len(t), val=sum(v)+0*len(v)))
    return rows

# %% wrong="5.6.1" why="train and val swapped" breaks="epochs and seeds" says="validation pictures"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append(dict(p1=p1, p2=p2, train=sum(v)/len(v), val=sum(t)/len(t)))
    return rows

# %% wrong="5.6.1" why="seed before the loop only" breaks="epochs and seeds" says="train of p1"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    torch.manual_seed(seeds[0])
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            pass
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append(dict(p1=p1, p2=p2, train=sum(t) / len(t), val=sum(v) / len(v)))
    return rows

# %% right="5.6.1" how="the shares by hand"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        s = torch.zeros(2)
        for seed in list(seeds):
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.train(False)
            with torch.no_grad():
                for i, (X, y) in enumerate(((train_X, train_y), (val_X, val_y))):
                    s[i] += (net(X).max(1).indices == y).double().mean()
        s = (s / len(seeds)).tolist()
        rows += [{"val": s[1], "train": s[0], "p2": p2, "p1": p1}]
    return rows

# %% right="5.6.2" how="in chunks between measurements"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for block in range(epochs // every):
        net.train()
        for _ in range(every):
            one_epoch(net, optimizer)
        net.eval()
        rows.append(dict(epoch=(block + 1) * every, train=share_right(net, train_X, train_y), val=share_right(net, val_X, val_y)))
    return rows

# %% right="5.6.2" how="a helper that switches the mode"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net, rows = make_net(p1, p2), []
    optimizer = make_optimizer(net, 0)

    def measure(X, y):
        net.eval()
        share = share_right(net, X, y)
        net.train()
        return share

    for epoch in range(epochs):
        one_epoch(net, optimizer)
        if not (epoch + 1) % every:
            rows += [{"train": measure(train_X, train_y), "val": measure(val_X, val_y), "epoch": epoch + 1}]
    return rows

# %% wrong="5.6.2" why="train() forgotten after the measurement" breaks="learns with dropout" says="evaluation mode"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="eval() forgotten" breaks="measured without dropout" says="call eval() before"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        one_epoch(net, optimizer)
        if epoch % every == 0:
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="measures every epoch" breaks="rows" says="epochs of the rows"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        net.eval()
        rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="epochs from 0" breaks="rows" says="epochs of the rows"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="a new optimizer for each block" breaks="learns with dropout" says="train, too, makes a new one"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    rows = []
    for block in range(epochs // every):
        train(net, every)
        net.eval()
        rows.append(dict(epoch=(block + 1) * every, train=share_right(net, train_X, train_y), val=share_right(net, val_X, val_y)))
    return rows

# %% wrong="5.6.2" why="columns exchanged" breaks="measured without dropout" says="exchanged"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "val": share_right(net, train_X, train_y), "train": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="rates exchanged" breaks="measured without dropout" says="first hidden layer"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p2, p1)
    opt = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, opt)
        if epoch % every == 0:
            net.eval()
            rows.append(dict(epoch=epoch, train=share_right(net, train_X, train_y), val=share_right(net, val_X, val_y)))
    return rows

# %% wrong="5.6.2" why="measures before the epoch" breaks="measured without dropout" says="not after epoch 3"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        if epoch % every == 0:
            net.eval()
            rows.append(dict(epoch=epoch, train=share_right(net, train_X, train_y), val=share_right(net, val_X, val_y)))
        net.train()
        one_epoch(net, opt)
    return rows

# %% wrong="5.6.2" why="only outer flag set back" breaks="learns with dropout" says="net.training = True does not"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.training = True
        one_epoch(net, opt)
        if epoch % every == 0:
            net.eval()
            rows.append(dict(epoch=epoch, train=share_right(net, train_X, train_y), val=share_right(net, val_X, val_y)))
    return rows

# %% right="5.6.2" how="retrained from the start for each row"
def long_run(p1, p2, epochs, every, seed):
    rows = []
    for epoch in range(every, epochs + 1, every):
        torch.manual_seed(seed)
        net = make_net(p1, p2)
        train(net, epoch)
        net.eval()
        rows.append(dict(epoch=epoch, train=share_right(net, train_X, train_y), val=share_right(net, val_X, val_y)))
    return rows

# %% right="5.6.3a" how="variance of the dice added"
def variance_after(m, v, p):
    return v + p / (1 - p) * (v + m * m)

# %% right="5.6.3a" how="from the second moment"
def variance_after(m, v, p):
    second = v + m ** 2
    return second * (1 - p) / (1 - p) ** 2 - m ** 2

# %% wrong="5.6.3a" why="the mean is forgotten" breaks="spread and mean" says="a mean that is not 0"
def variance_after(m, v, p):
    return v / (1 - p)

# %% wrong="5.6.3a" why="the second moment" breaks="spread and mean" says="subtract the square"
def variance_after(m, v, p):
    return (v + m ** 2) / (1 - p) if p else v

# %% wrong="5.6.3a" why="only the dice on the mean" breaks="spread and mean" says="over the examples is enlarged"
def variance_after(m, v, p):
    return v + p / (1 - p) * m ** 2

# %% wrong="5.6.3a" why="divides by the square" breaks="spread and mean" says="once too often"
def variance_after(m, v, p):
    return (v + m ** 2) / (1 - p) ** 2 - m ** 2

# %% wrong="5.6.3a" why="keep and drop exchanged" breaks="spread and mean" says="probability to be dropped"
def variance_after(m, v, p):
    return (v + m ** 2) / p - m ** 2 if p else v

# %% wrong="5.6.3a" why="the second moment without dropout" breaks="no dropout" says="p = 0"
def variance_after(m, v, p):
    return v + m ** 2 if p == 0 else (v + m ** 2) / (1 - p) - m ** 2

# %% wrong="5.6.3a" why="m not squared" breaks="spread and mean" says="m enters squared"
def variance_after(m, v, p):
    return v / (1 - p) + p / (1 - p) * m

# %% right="5.6.3b" how="hooks on the dropout layers"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer, result = make_optimizer(net), torch.zeros(epochs, 2)
    for epoch in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        seen = []
        handles = [net[k].register_forward_hook(lambda module, args, out: seen.append(out.detach())) for k in (2, 5)]
        net(train_X)
        for handle in handles:
            handle.remove()
        result[epoch] = torch.tensor([H.var() for H in seen])
    return result

# %% right="5.6.3b" how="second layer from the first, biased variance"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        first = net[:3](train_X).detach()
        second = net[3:6](first).detach()
        rows.append(torch.stack([H.double().var(unbiased=False) for H in (first, second)]))
    return torch.stack(rows)

# %% wrong="5.6.3b" why="in evaluation mode" breaks="with dropout" says="in training mode only"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        net.eval()
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net[:6](train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="before the dropout layer" breaks="with dropout" says="This is the variance before the dropout"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:2](train_X).var().item(), net[:5](train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="layers exchanged" breaks="without dropout" says="column 0"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:6](train_X).var().item(), net[:3](train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="standard deviations" breaks="without dropout" says="standard deviation"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:3](train_X).std().item(), net[:6](train_X).std().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="before the ReLU" breaks="without dropout" says="before the ReLU"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            a, b = net[:1](train_X), net[:4](train_X)
            rows.append([F.dropout(a, p1).var().item(), F.dropout(b, p2).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="one row at the end" breaks="shape" says="shape"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    train(net, epochs)
    with torch.no_grad():
        return torch.tensor([net[:3](train_X).var().item(), net[:6](train_X).var().item()])

# %% wrong="5.6.3b" why="mean of the pictures' variances" breaks="without dropout" says="400 pictures"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, opt)
        with torch.no_grad():
            rows.append([net[:3](train_X).var(dim=1).mean().item(), net[:6](train_X).var(dim=1).mean().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="mean of the units' variances" breaks="without dropout" says="128 units"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, opt)
        with torch.no_grad():
            rows.append([net[:3](train_X).var(dim=0).mean().item(), net[:6](train_X).var(dim=0).mean().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="second moment" breaks="without dropout" says="second moment"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, opt)
        with torch.no_grad():
            rows.append([net[:3](train_X).square().mean().item(), net[:6](train_X).square().mean().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="rates exchanged" breaks="with dropout" says="p1 is the rate"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p2, p1)
    opt = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, opt)
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net[:6](train_X).var().item()])
    return torch.tensor(rows)

# %% right="5.6.3b" how="hooks"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, opt)
        with torch.no_grad():
            seen = []
            hs = [net[i].register_forward_hook(lambda m, i, o: seen.append(o.var().item())) for i in (2, 5)]
            net(train_X)
            [h.remove() for h in hs]
            rows.append(seen)
    return torch.tensor(rows)

# %% right="5.6.4" how="sums of first and second moments"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    total, squares = 0, 0
    for _ in range(passes):
        P = torch.softmax(net(X).detach().double(), dim=1)
        total, squares = total + P, squares + P ** 2
    net.train(mode)
    mean = total / passes
    return mean, (squares / passes - mean ** 2).clamp(min=0).sqrt()

# %% right="5.6.4" how="one batch with every row many times"
def ask_many(net, X, passes):
    mode = net.training
    net.train(True)
    with torch.no_grad():
        P = net(X.repeat(passes, 1)).softmax(dim=1).reshape(passes, len(X), -1)
    net.train(mode)
    return [P.mean(0), P.std(0, correction=0)]

# %% wrong="5.6.4" why="dropout off" breaks="dropout on" says="not near 0"
def ask_many(net, X, passes):
    mode = net.training
    net.eval()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.4" why="as the network comes" breaks="dropout on" says="came in evaluation mode"
def ask_many(net, X, passes):
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.4" why="softmax of the mean scores" breaks="probabilities" says="softmax of each pass"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        O = torch.stack([net(X) for _ in range(passes)])
    net.train(mode)
    return torch.softmax(O.mean(dim=0), dim=1), torch.softmax(O, dim=2).std(dim=0)

# %% wrong="5.6.4" why="four passes, whatever was asked" breaks="probabilities" says="1500 passes"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    P = torch.stack([torch.softmax(net(X).detach(), 1) for _ in range(4)])
    net.train(mode)
    return P.mean(0), P.std(0)

# %% wrong="5.6.4" why="mean scores" breaks="probabilities" says="sum of the mean probabilities"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        O = torch.stack([net(X) for _ in range(passes)])
    net.train(mode)
    return O.mean(dim=0), O.std(dim=0)

# %% wrong="5.6.4" why="variances" breaks="probabilities" says="variance"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=0), P.var(dim=0)

# %% wrong="5.6.4" why="stays in training mode" breaks="mode kept" says="evaluation mode"
def ask_many(net, X, passes):
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.4" why="goes to evaluation mode" breaks="mode kept" says="training mode"
def ask_many(net, X, passes):
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.eval()
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.4" why="means over the rows" breaks="shapes" says="shape"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=(0, 1)), P.std(dim=(0, 1))

# %% wrong="5.6.4" why="always 1500 passes" breaks="dropout on" says="how many passes"
def ask_many(net, X, passes):
    m = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), 1) for _ in range(1500)])
    net.train(m)
    return P.mean(0), P.std(0)

# %% wrong="5.6.4" why="first row's probabilities for all rows" breaks="probabilities" says="for each row"
def ask_many(net, X, passes):
    m = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X[:1].expand(len(X), -1)), 1) for _ in range(passes)])
    net.train(m)
    return P.mean(0), P.std(0)

# %% wrong="5.6.4" why="softmax over the rows" breaks="probabilities" says="over the classes"
def ask_many(net, X, passes):
    m = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), 0) for _ in range(passes)])
    net.train(m)
    return P.mean(0), P.std(0)

# %% wrong="5.6.4" why="the same masks in each pass" breaks="dropout on" says="its own dice"
def ask_many(net, X, passes):
    m = net.training
    net.train()
    P = []
    for _ in range(passes):
        torch.manual_seed(0)
        P.append(torch.softmax(net(X), 1).detach())
    P = torch.stack(P)
    net.train(m)
    return P.mean(0), P.std(0)

# %% right="5.6.4" how="sums and squares"
def ask_many(net, X, passes):
    m = net.training
    net.train()
    a = b = 0.
    with torch.no_grad():
        for _ in range(passes):
            q = F.softmax(net(X), dim=-1).double()
            a, b = a + q / passes, b + q * q / passes
    net.train(m)
    return a, (b - a * a).clamp(min=0).sqrt()

# %% right="5.6.5" how="lists of lists"
def decay_grid(rates, decays, epochs, seeds):
    def share(p, decay, seed):
        torch.manual_seed(seed)
        net = make_net(p, p)
        train(net, epochs, decay)
        net.eval()
        return share_right(net, val_X, val_y)
    return torch.tensor([[sum(share(p, decay, seed) for seed in seeds) / len(seeds) for decay in decays] for p in rates])

# %% right="5.6.5" how="an axis for the seeds"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(seeds), len(rates), len(decays), dtype=torch.float64)
    for s, seed in enumerate(seeds):
        for i, p in enumerate(rates):
            for j, decay in enumerate(decays):
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay=decay)
                table[s, i, j] = share_right(net.eval(), val_X, val_y)
    return table.mean(dim=0)

# %% wrong="5.6.5" why="decay ignored" breaks="decays" says="third argument"
def decay_grid(rates, decays, epochs, seeds):
    grid = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs)
                grid[i, j] += share_right(net.eval(), val_X, val_y) / len(seeds)
    return grid

# %% wrong="5.6.5" why="measured with dropout" breaks="rates" says="evaluation mode"
def decay_grid(rates, decays, epochs, seeds):
    grid = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                grid[i, j] += share_right(net, val_X, val_y) / len(seeds)
    return grid

# %% wrong="5.6.5" why="dropout in the first layer only" breaks="rates" says="column 0"
def decay_grid(rates, decays, epochs, seeds):
    grid = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, 0)
                train(net, epochs, decay)
                grid[i, j] += share_right(net.eval(), val_X, val_y) / len(seeds)
    return grid

# %% wrong="5.6.5" why="the sum over the seeds" breaks="epochs and seeds" says="not the mean"
def decay_grid(rates, decays, epochs, seeds):
    grid = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                grid[i, j] += share_right(net.eval(), val_X, val_y)
    return grid

# %% wrong="5.6.5" why="the last seed" breaks="epochs and seeds" says="seed 6 alone"
def decay_grid(rates, decays, epochs, seeds):
    grid = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                grid[i, j] = share_right(net.eval(), val_X, val_y)
    return grid

# %% wrong="5.6.5" why="transposed" breaks="shape" says="A row for each rate"
def decay_grid(rates, decays, epochs, seeds):
    grid = torch.zeros(len(decays), len(rates))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                grid[j, i] += share_right(net.eval(), val_X, val_y) / len(seeds)
    return grid

# %% wrong="5.6.5" why="the rate in the first layer alone" breaks="rates" says="not to the first alone"
def decay_grid(rates, decays, epochs, seeds):
    T = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            s = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, 0)
                train(net, epochs, decay)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            T[i, j] = sum(s) / len(s)
    return T

# %% wrong="5.6.5" why="the rate in the second layer alone" breaks="rates" says="not to the second alone"
def decay_grid(rates, decays, epochs, seeds):
    T = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            s = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(0, p)
                train(net, epochs, decay)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            T[i, j] = sum(s) / len(s)
    return T

# %% wrong="5.6.5" why="half the decay" breaks="decays" says="for the decays [0, 0.15]"
def decay_grid(rates, decays, epochs, seeds):
    T = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            s = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay / 2)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            T[i, j] = sum(s) / len(s)
    return T

# %% right="5.6.6a" how="F.dropout of the weights"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        W = F.dropout(self.linear.weight, self.p, training=self.training)
        return F.linear(X, W, self.linear.bias)

# %% right="5.6.6a" how="a matrix product, mask by bernoulli"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear = linear
        self.keep = 1 - p

    def forward(self, X):
        W = self.linear.weight
        if self.training:
            W = W * torch.bernoulli(torch.full_like(W, self.keep)) / self.keep
        return X @ W.T + self.linear.bias

# %% wrong="5.6.6a" why="drops in evaluation mode, too" breaks="evaluation" says="evaluation mode"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        return F.linear(X, F.dropout(self.linear.weight, self.p), self.linear.bias)

# %% wrong="5.6.6a" why="not enlarged" breaks="two values" says="Divide the weights"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = self.linear.weight
        return F.linear(X, (torch.rand_like(W) >= self.p) * W, self.linear.bias)

# %% wrong="5.6.6a" why="drops the bias, too" breaks="two values" says="bias is neither"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        return F.linear(X, F.dropout(self.linear.weight, self.p, self.training), F.dropout(self.linear.bias, self.p, self.training))

# %% wrong="5.6.6a" why="drops units" breaks="dice" says="independently"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        mask = F.dropout(torch.ones(1, X.shape[1]), self.p, self.training)
        return F.linear(X, mask * self.linear.weight, self.linear.bias)

# %% wrong="5.6.6a" why="one mask for ever" breaks="dice" says="throws anew"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p
        self.mask = F.dropout(torch.ones_like(linear.weight), p)

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        return F.linear(X, self.mask * self.linear.weight, self.linear.bias)

# %% wrong="5.6.6a" why="p is the probability to be kept" breaks="dice" says="probability to be dropped"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = self.linear.weight
        return F.linear(X, (torch.rand_like(W) < self.p) * W / (1 - self.p), self.linear.bias)

# %% wrong="5.6.6a" why="a mask for each example" breaks="one mask a batch" says="equal rows"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = self.linear.weight.expand(len(X), -1, -1)
        return (F.dropout(W, self.p) @ X[:, :, None])[:, :, 0] + self.linear.bias

# %% wrong="5.6.6a" why="ordinary dropout of the inputs" breaks="dice" says="independently"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        return self.linear(F.dropout(X, self.p, self.training))

# %% wrong="5.6.6a" why="overwrites the weights" breaks="learns" says="gradient of each weight"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p
        self.first = linear.weight.detach().clone()

    def forward(self, X):
        if self.training:
            self.linear.weight.data = F.dropout(self.first, self.p)
        else:
            self.linear.weight.data = self.first.clone()
        return self.linear(X)

# %% wrong="5.6.6a" why="detached weights" breaks="learns" says="No gradient has arrived"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        return F.linear(X, F.dropout(self.linear.weight.data, self.p), self.linear.bias)

# %% wrong="5.6.6a" why="a fixed number of weights" breaks="dice" says="not fixed"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = self.linear.weight
        m = torch.ones(W.numel())
        m[torch.randperm(W.numel())[:round(self.p * W.numel())]] = 0
        return F.linear(X, W * m.reshape(W.shape) / (1 - self.p), self.linear.bias)

# %% wrong="5.6.6a" why="bias gets no gradient" breaks="learns" says="linear.bias"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        return F.linear(X, F.dropout(self.linear.weight, self.p), self.linear.bias.detach())

# %% wrong="5.6.6a" why="the gradient ignores the mask" breaks="learns" says="gradient of each weight"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = self.linear.weight
        D = W + (F.dropout(W, self.p) - W).detach()
        return F.linear(X, D, self.linear.bias)

# %% right="5.6.6a" how="nn.Dropout inside"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p
        self.d = nn.Dropout(p)

    def forward(self, X):
        return torch.addmm(self.linear.bias, X, self.d(self.linear.weight).t())

# %% right="5.6.6b" how="loops over outputs and units"
def output_covariance(W, x, p, kind):
    q, d = W.shape
    S = torch.zeros(q, q)
    for i in range(q):
        for k in range(q):
            if i == k or kind == "dropout":
                S[i, k] = sum(float(W[i, j] * W[k, j] * x[j] ** 2) for j in range(d)) * p / (1 - p)
    return S

# %% right="5.6.6b" how="a factor, and a mask for the diagonal"
def output_covariance(W, x, p, kind):
    A = (W * x).double() * math.sqrt(p / (1 - p))
    S = A @ A.T
    return S * torch.eye(len(S)) if kind == "dropconnect" else S

# %% wrong="5.6.6b" why="without the enlarging" breaks="variances" says="without the enlarging"
def output_covariance(W, x, p, kind):
    S = p * (1 - p) * (W * x ** 2) @ W.T
    return S if kind == "dropout" else torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="keep and drop exchanged" breaks="variances" says="probability to be dropped"
def output_covariance(W, x, p, kind):
    S = (1 - p) / p * (W * x ** 2) @ W.T
    return S if kind == "dropout" else torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="x not squared" breaks="variances" says="x enters squared"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (W * x) @ W.T
    return S if kind == "dropout" else torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="dropout's outputs independent" breaks="shared dice" says="dropout"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (W * x ** 2) @ W.T
    return torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="absolute covariances" breaks="shared dice" says="all covariances"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (W * x ** 2) @ W.T
    return S.abs() if kind == "dropout" else torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="the same for both" breaks="own dice" says="dropconnect"
def output_covariance(W, x, p, kind):
    return p / (1 - p) * (W * x ** 2) @ W.T

# %% wrong="5.6.6b" why="second moment" breaks="variances" says="subtract the square"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (W * x ** 2) @ W.T + torch.outer(W @ x, W @ x)
    return S if kind == "dropout" else torch.diag(torch.diag(S))

# %% right="5.6.6b" how="loops"
def output_covariance(W, x, p, kind):
    q, d = W.shape
    S = torch.zeros(q, q, dtype=torch.float64)
    for i in range(q):
        for k in range(q):
            if i == k or kind == 'dropout':
                S[i, k] = sum(float(W[i, j] * W[k, j] * x[j] ** 2) for j in range(d)) * p / (1 - p)
    return S

# %% right="5.6.7a" how="uniform factors around 1"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.s = strength

    def forward(self, X):
        if not self.training:
            return X
        return X * (1 + self.s * (2 * torch.rand_like(X) - 1))

# %% right="5.6.7a" how="normal summands"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X + self.strength * self.training * torch.randn_like(X)

# %% right="5.6.7a" how="exponential factors, mixed in"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training or self.strength == 0:
            return X
        return X + self.strength * X * (torch.distributions.Exponential(1.).sample(X.shape) - 1)

# %% wrong="5.6.7a" why="factors from 0 to 1" breaks="expectation" says="mean 1"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X * (1 - self.strength * torch.rand_like(X)) if self.training else X

# %% wrong="5.6.7a" why="summands above 0" breaks="expectation" says="mean 1"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X + self.strength * torch.rand_like(X) if self.training else X

# %% wrong="5.6.7a" why="dropout" breaks="another noise" says="more than 2"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return F.dropout(X, self.strength, self.training)

# %% wrong="5.6.7a" why="no noise" breaks="another noise" says="throws new numbers"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X

# %% wrong="5.6.7a" why="one number for all" breaks="own dice" says="shape of X"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X * (1 + self.strength * torch.randn(1)) if self.training else X

# %% wrong="5.6.7a" why="the same for all rows" breaks="own dice" says="two rows"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X * (1 + self.strength * torch.randn(X.shape[1])) if self.training else X

# %% wrong="5.6.7a" why="always on" breaks="off" says="evaluation mode"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X * (1 + self.strength * torch.randn_like(X))

# %% wrong="5.6.7a" why="strength ignored" breaks="off" says="strength 0"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()

    def forward(self, X):
        return X * (1 + 0.5 * torch.randn_like(X)) if self.training else X

# %% wrong="5.6.7a" why="detached" breaks="learns" says="No detach"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X.detach() * (1 + self.strength * torch.randn_like(X)) if self.training else X

# %% wrong="5.6.7a" why="strength only on or off" breaks="strength" says="scatters more"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        if self.strength == 0:
            return X
        return X * 2 * torch.rand_like(X)

# %% wrong="5.6.7a" why="the third example copies the first's noise" breaks="own dice" says="entries of two rows"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        n = torch.randn_like(X)
        n[2:] = n[:1]
        return X + self.strength * n

# %% wrong="5.6.7a" why="noise of one sign" breaks="expectation" says="off by"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        return X + self.strength * torch.randn_like(X).abs()

# %% right="5.6.7a" how="exponential factors"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        e = -torch.log(1 - torch.rand_like(X))
        return X * (1 + self.strength * (e - 1))

# %% right="5.6.7b" how="three loops"
def match(strength, p, epochs, seeds):
    def share(net):
        train(net, epochs)
        return share_right(net.eval(), val_X, val_y)
    plain, dropped, own = [], [], []
    for seed in seeds:
        torch.manual_seed(seed)
        plain.append(share(make_net(0, 0)))
    for seed in seeds:
        torch.manual_seed(seed)
        dropped.append(share(make_net(p, p)))
    for seed in seeds:
        torch.manual_seed(seed)
        net = make_net(0, 0)
        net[2] = OwnNoise(strength)
        net[5] = OwnNoise(strength)
        own.append(share(net))
    return {"own": own, "plain": plain, "dropout": dropped}

# %% right="5.6.7b" how="a Sequential of the parts, shares as tensors"
def match(strength, p, epochs, seeds):
    table = {}
    for name, rate in (("own", 0), ("plain", 0), ("dropout", p)):
        shares = torch.zeros(len(seeds))
        for i, seed in enumerate(seeds):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net = nn.Sequential(*net[:2], OwnNoise(strength), *net[3:5], OwnNoise(strength), net[6])
            train(net, epochs)
            net.eval()
            shares[i] = share_right(net, val_X, val_y)
        table[name] = shares
    return table

# %% wrong="5.6.7b" why="one layer only" breaks="own noise in training" says="replace both layers"
def match(strength, p, epochs, seeds):
    results = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", p), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net[2] = OwnNoise(strength)
            train(net, epochs)
            net.eval()
            results[name].append(share_right(net, val_X, val_y))
    return results

# %% wrong="5.6.7b" why="replaces after the training" breaks="own noise in training" says="before the training"
def match(strength, p, epochs, seeds):
    results = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", p), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            train(net, epochs)
            if name == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            net.eval()
            results[name].append(share_right(net, val_X, val_y))
    return results

# %% wrong="5.6.7b" why="strength ignored" breaks="own noise in training" says="strengths"
def match(strength, p, epochs, seeds):
    results = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", p), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net[2], net[5] = OwnNoise(1.), OwnNoise(1.)
            train(net, epochs)
            net.eval()
            results[name].append(share_right(net, val_X, val_y))
    return results

# %% wrong="5.6.7b" why="dropout measured with dice" breaks="known networks" says="eval()"
def match(strength, p, epochs, seeds):
    results = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", p), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            if name == "own":
                net.eval()
            results[name].append(share_right(net, val_X, val_y))
    return results

# %% wrong="5.6.7b" why="p = 0.5 always" breaks="known networks" says="'dropout'"
def match(strength, p, epochs, seeds):
    results = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", 0.5), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            net.eval()
            results[name].append(share_right(net, val_X, val_y))
    return results

# %% wrong="5.6.7b" why="means, not lists" breaks="form" says="under"
def match(strength, p, epochs, seeds):
    results = {"plain": 0., "dropout": 0., "own": 0.}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", p), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            net.eval()
            results[name] += share_right(net, val_X, val_y) / len(seeds)
    return results

# %% wrong="5.6.7b" why="reports dropout's shares as its own" breaks="same rules" says="dropout besides"
def match(strength, p, epochs, seeds):
    out = {'plain': [], 'dropout': [], 'own': []}
    for seed in seeds:
        for name, q in (('plain', 0), ('dropout', p), ('own', 0)):
            torch.manual_seed(seed)
            net = make_net(q, q)
            if name == 'own':
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            if name == 'own':
                net.eval()
            else:
                net.eval()
            out[name].append(share_right(net, val_X, val_y))
    return {**out, 'own': out['dropout']}

# %% wrong="5.6.7b" why="the third network is not seeded" breaks="same rules" says="nothing at all"
def match(strength, p, epochs, seeds):
    out = {'plain': [], 'dropout': [], 'own': []}
    for seed in seeds:
        for name, q in (('plain', 0), ('dropout', p), ('own', 0)):
            torch.manual_seed(seed) if name != 'own' else None
            net = make_net(q, q)
            if name == 'own':
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            if name == 'own':
                net.eval()
            else:
                net.eval()
            out[name].append(share_right(net, val_X, val_y))
    return out

# %% wrong="5.6.7b" why="noise on top of dropout" breaks="same rules" says="dropout besides"
def match(strength, p, epochs, seeds):
    out = {'plain': [], 'dropout': [], 'own': []}
    for seed in seeds:
        for name, q in (('plain', 0), ('dropout', p), ('own', p)):
            torch.manual_seed(seed)
            net = make_net(q, q)
            if name == 'own':
                net[2], net[5] = nn.Sequential(net[2], OwnNoise(strength)), nn.Sequential(net[5], OwnNoise(strength))
            train(net, epochs)
            if name == 'own':
                net.eval()
            else:
                net.eval()
            out[name].append(share_right(net, val_X, val_y))
    return out

# %% wrong="5.6.7b" why="the third network is measured on the training pictures" breaks="same rules" says="nothing at all"
def match(strength, p, epochs, seeds):
    out = {'plain': [], 'dropout': [], 'own': []}
    for seed in seeds:
        for name, q in (('plain', 0), ('dropout', p), ('own', 0)):
            torch.manual_seed(seed)
            net = make_net(q, q)
            if name == 'own':
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            if name == 'own':
                net.eval()
            else:
                net.eval()
            out[name].append(share_right(net, train_X, train_y) if name == 'own' else share_right(net, val_X, val_y))
    return out

# %% wrong="5.6.7b" why="the third network is measured with noise" breaks="own noise in training" says="evaluation mode"
def match(strength, p, epochs, seeds):
    out = {'plain': [], 'dropout': [], 'own': []}
    for seed in seeds:
        for name, q in (('plain', 0), ('dropout', p), ('own', 0)):
            torch.manual_seed(seed)
            net = make_net(q, q)
            if name == 'own':
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            if name == 'own':
                pass
            else:
                net.eval()
            out[name].append(share_right(net, val_X, val_y))
    return out

# %% wrong="5.6.7b" why="the third network trains longer" breaks="own noise in training" says="by 4 epochs"
def match(strength, p, epochs, seeds):
    out = {'plain': [], 'dropout': [], 'own': []}
    for seed in seeds:
        for name, q in (('plain', 0), ('dropout', p), ('own', 0)):
            torch.manual_seed(seed)
            net = make_net(q, q)
            if name == 'own':
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs + (name == 'own'))
            if name == 'own':
                net.eval()
            else:
                net.eval()
            out[name].append(share_right(net, val_X, val_y))
    return out

# %% wrong="5.6.A" why="p / (1 - p) squared" breaks="variance" says="not squared"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    return h, (p / (1 - p)) ** 2 * h * h

# %% wrong="5.6.8" why="float16 becomes float32" breaks="dtype and device" says="float16"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    mask = (torch.rand(X.shape, device=X.device) > p).float()
    return mask * X / (1 - p)

# %% wrong="5.6.8" why="p above 0.9 counts as 1" breaks="share" says="Only p = 1"
def drop(X, p):
    if p > 0.9:
        return torch.zeros_like(X)
    return (torch.rand_like(X) >= p) * X / (1 - p)

# %% wrong="5.6.8" why="the mask by tenths, the divisor exact" breaks="share" says="share of zeros"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return (torch.randint(0, 10, X.shape, device=X.device) >= int(10 * p + 0.5)) * X / (1 - p)

# %% wrong="5.6.8" why="the sign is lost" breaks="two values" says="sign of an entry"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return (torch.rand_like(X) > p) * X.abs() / (1 - p)

# %% wrong="5.6.8" why="divides by the share that was kept" breaks="two values" says="chance has kept"
def drop(X, p):
    m = (torch.rand_like(X) > p)
    if p == 1:
        return torch.zeros_like(X)
    return m * X / m.to(X.dtype).mean()

# %% wrong="5.6.8" why="p = 1 gives X" breaks="ends" says="nothing survives"
def drop(X, p):
    if p == 1:
        return X
    return (torch.rand_like(X) >= p) * X / (1 - p)

# %% wrong="5.6.B" why="sets the rates to 0, too" breaks="no other trace" says="not by its rate"
def predict(net, X):
    mode = net.training
    net.eval()
    for m in net.modules():
        if isinstance(m, nn.Dropout):
            m.p = 0.
    classes = net(X).argmax(dim=1)
    net.train(mode)
    return classes

# %% wrong="5.6.B" why="flags of the direct children" breaks="without dropout" says="net.eval()"
def predict(net, X):
    was = net.training
    for m in net.children():
        m.training = False
    c = net(X).argmax(dim=1)
    for m in net.children():
        m.training = was
    return c

# %% wrong="5.6.B" why="a single row loses its axis" breaks="classes" says="single row"
def predict(net, X):
    was = net.training
    net.eval()
    c = net(X).argmax(dim=1).squeeze()
    net.train(was)
    return c

# %% wrong="5.6.B" why="switches requires_grad off" breaks="no other trace" says="requires_grad"
def predict(net, X):
    was = net.training
    net.eval().requires_grad_(False)
    c = net(X).argmax(dim=1)
    net.train(was)
    return c

# %% wrong="5.6.B" why="switches the recording off" breaks="no other trace" says="ends by itself"
def predict(net, X):
    was = net.training
    net.eval()
    torch.set_grad_enabled(False)
    c = net(X).argmax(dim=1)
    net.train(was)
    return c

# %% wrong="5.6.B" why="runs a backward" breaks="no other trace" says="no backward"
def predict(net, X):
    was = net.training
    net.eval()
    S = net(X)
    S.sum().backward()
    net.train(was)
    return S.argmax(dim=1)

# %% wrong="5.6.3a" why="v for m = 0" breaks="spread and mean" says="no case of its own"
def variance_after(m, v, p):
    return v if m == 0 else (v + m ** 2) / (1 - p) - m ** 2

# %% wrong="5.6.3a" why="p cut at 0.9" breaks="spread and mean" says="p = 0.97"
def variance_after(m, v, p):
    p = min(p, 0.9)
    return (v + m ** 2) / (1 - p) - m ** 2

# %% wrong="5.6.3a" why="subtracts the enlarged mean" breaks="spread and mean" says="The mean after dropout is m"
def variance_after(m, v, p):
    return (v + m ** 2) / (1 - p) - (m / (1 - p)) ** 2

# %% wrong="5.6.3a" why="m times its absolute value" breaks="spread and mean" says="never negative"
def variance_after(m, v, p):
    return v / (1 - p) + p / (1 - p) * m * abs(m)

# %% wrong="5.6.3a" why="squares v" breaks="no dropout" says="do not square"
def variance_after(m, v, p):
    return (v ** 2 + m ** 2) / (1 - p) - m ** 2

# %% wrong="5.6.4" why="half of the passes" breaks="dropout on" says="how many passes"
def ask_many(net, X, passes):
    was = net.training
    net.train()
    P = []
    with torch.no_grad():
        for _ in range(max(passes // 2, 2)):
            pass
            P.append(torch.softmax(net(X), dim=1))
    P = torch.stack(P)
    net.train(was)
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.4" why="one pass less" breaks="dropout on" says="how many passes"
def ask_many(net, X, passes):
    was = net.training
    net.train()
    P = []
    with torch.no_grad():
        for _ in range(max(passes - 1, 1)):
            pass
            P.append(torch.softmax(net(X), dim=1))
    P = torch.stack(P)
    net.train(was)
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.6a" why="nothing is dropped for small p" breaks="two values" says="for every p above 0"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W, b, p = self.linear.weight, self.linear.bias, self.p
        if p < 0.2:
            return self.linear(X)
        return F.linear(X, F.dropout(W, p), b)

# %% wrong="5.6.6a" why="a fixed count in each row" breaks="dice" says="fixed count"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W, b, p = self.linear.weight, self.linear.bias, self.p
        m = torch.rand_like(W).argsort(dim=1) >= round(p * W.shape[1])
        return F.linear(X, m * W / (1 - p), b)

# %% wrong="5.6.6a" why="shrinks in evaluation mode" breaks="evaluation" says="Nothing is to shrink"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        W = self.linear.weight
        if self.training:
            return F.linear(X, W * (torch.rand_like(W) > self.p), self.linear.bias)
        return F.linear(X, (1 - self.p) * W, self.linear.bias)

# %% wrong="5.6.6a" why="overwrites the weights at every call" breaks="two values" says="do not overwrite"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W, b, p = self.linear.weight, self.linear.bias, self.p
        with torch.no_grad():
            W *= (torch.rand_like(W) > p) / (1 - p)
        return self.linear(X)

# %% wrong="5.6.6a" why="the sign is lost" breaks="two values" says="sign of a weight"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W, b, p = self.linear.weight, self.linear.bias, self.p
        return F.linear(X, (torch.rand_like(W) > p) * W.abs() / (1 - p), b)

# %% wrong="5.6.7a" why="no noise above strength 1" breaks="strength" says="above 1"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        s = self.strength
        return X + (s if s <= 1 else 0) * torch.randn_like(X)

# %% wrong="5.6.7a" why="seeds at every call" breaks="another noise" says="without a seed"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        s = self.strength
        torch.manual_seed(0)
        return X + s * torch.randn_like(X)

# %% wrong="5.6.7a" why="noise on positive entries only" breaks="another noise" says="place and sign"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        s = self.strength
        return X + s * torch.randn_like(X) * X.clamp(min=0)

# %% wrong="5.6.1" why="the median of the seeds" breaks="epochs and seeds" says="alone"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    pass
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sorted(t)[len(t) // 2], "val": sorted(v)[len(v) // 2]})
    return rows

# %% wrong="5.6.1" why="a pair that stands there twice comes back once" breaks="rows" says="how many rows"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    pass
    for p1, p2 in dict.fromkeys(map(tuple, pairs)):
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(t) / len(t), "val": sum(v) / len(v)})
    return rows

# %% wrong="5.6.1" why="one network for all seeds" breaks="epochs and seeds" says="new network for each seed"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    pass
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2) if seed == seeds[0] else net
            train(net, epochs)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(t) / len(t), "val": sum(v) / len(v)})
    return rows

# %% wrong="5.6.1" why="one epoch more" breaks="epochs and seeds" says="after 5 epochs"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    pass
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs + 1)
            net.eval()
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(t) / len(t), "val": sum(v) / len(v)})
    return rows

# %% wrong="5.6.1" why="evaluation mode for the validation pictures alone" breaks="measured without dropout" says="training mode"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    pass
    for p1, p2 in pairs:
        t, v = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            pass
            t.append(share_right(net, train_X, train_y))
            v.append(share_right(net.eval(), val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(t) / len(t), "val": sum(v) / len(v)})
    return rows

# %% wrong="5.6.2" why="trains in evaluation mode" breaks="measured without dropout" says="without dropout"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    pass
    for epoch in range(1, epochs + 1):
        net.eval()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
            pass
    pass
    return rows

# %% wrong="5.6.2" why="seeds again after each measurement" breaks="learns with dropout" says="Set the seed once"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    pass
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
            torch.manual_seed(seed)
    pass
    return rows

# %% wrong="5.6.3b" why="measures on the validation pictures" breaks="without dropout" says="on the training pictures"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(epochs):
        pass
        net.train()
        one_epoch(net, optimizer)
        with torch.no_grad():
            net.train()
            H1 = net[:3](val_X)
            H2 = net[:6](val_X)
            rows.append([float(H1.var()), float(H2.var())])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="measures before the epoch" breaks="without dropout" says="before the epoch"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(epochs):
        pass
        with torch.no_grad():
            net.train()
            H1 = net[:3](train_X)
            H2 = net[:6](train_X)
            rows.append([float(H1.var()), float(H2.var())])
        net.train()
        one_epoch(net, optimizer)
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="a new optimizer in each epoch" breaks="without dropout" says="optimizer once"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(epochs):
        optimizer = make_optimizer(net)
        net.train()
        one_epoch(net, optimizer)
        with torch.no_grad():
            net.train()
            H1 = net[:3](train_X)
            H2 = net[:6](train_X)
            rows.append([float(H1.var()), float(H2.var())])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="the first rate for both layers" breaks="with dropout" says="has the rate p2"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p1)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(epochs):
        pass
        net.train()
        one_epoch(net, optimizer)
        with torch.no_grad():
            net.train()
            H1 = net[:3](train_X)
            H2 = net[:6](train_X)
            rows.append([float(H1.var()), float(H2.var())])
    return torch.tensor(rows)

# %% wrong="5.6.5" why="rows backwards" breaks="rates" says="wrong rows"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    pass
    for i, p in enumerate(rates[::-1]):
        for j, decay in enumerate(decays):
            s = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            table[i, j] = sum(s) / len(s)
    return table

# %% wrong="5.6.5" why="shares of errors" breaks="epochs and seeds" says="wrong answers"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    pass
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            s = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            table[i, j] = sum(s) / len(s)
    return 1 - table

# %% wrong="5.6.5" why="the best seed" breaks="epochs and seeds" says="seed 2 alone"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    pass
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            s = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            table[i, j] = max(s)
    return table

# %% wrong="5.6.5" why="seeds 0 to 3, whatever was asked" breaks="epochs and seeds" says="not 0, 1, 2, 3"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    pass
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            s = []
            for seed in range(4):
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                s.append(share_right(net, val_X, val_y))
            table[i, j] = sum(s) / len(s)
    return table

# %% wrong="5.6.6b" why="overwrites W" breaks="arguments kept" says="after the call"
def output_covariance(W, x, p, kind):
    W *= x
    S = p / (1 - p) * W @ W.T
    return S if kind == 'dropout' else torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="p / (1 - p) squared" breaks="variances" says="not squared"
def output_covariance(W, x, p, kind):
    S = (p / (1 - p)) ** 2 * (W * x ** 2) @ W.T
    return S if kind == 'dropout' else torch.diag(torch.diag(S))

# %% wrong="5.6.6b" why="correlations" breaks="variances" says="not correlations"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (W * x ** 2) @ W.T
    d = torch.diag(S).sqrt()
    return S / d[:, None] / d if kind == 'dropout' else torch.eye(len(W))

# %% wrong="5.6.6b" why="only above the diagonal" breaks="shared dice" says="symmetric"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (W * x ** 2) @ W.T
    return S.triu() if kind == 'dropout' else torch.diag(torch.diag(S))

# %% wrong="5.6.7b" why="reports the better of plain and own" breaks="same rules" says="whatever the others reach"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    pass
    for seed in seeds:
        torch.manual_seed(seed)
        net = make_net(0, 0)
        train(net, epochs)
        net.eval()
        result["plain"].append(share_right(net, val_X, val_y))
        torch.manual_seed(seed)
        net = make_net(p, p)
        train(net, epochs)
        net.eval()
        result["dropout"].append(share_right(net, val_X, val_y))
        torch.manual_seed(seed)
        net = make_net(0, 0)
        net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
        train(net, epochs)
        net.eval()
        result["own"].append(max(share_right(net, val_X, val_y), result['plain'][-1]))
    return result

# %% wrong="5.6.8" why="greater than p, with random numbers of float16" breaks="ends" says="in float16 some of 40,000 are"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    return (torch.rand_like(X) > p) * X / (1 - p)

# %% wrong="5.6.7a" why="divides by normal draws: no mean" breaks="expectation" says="has no mean"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X * (1 + self.strength / torch.randn_like(X)) if self.training else X

# %% wrong="5.6.A" why="zeros at both ends" breaks="expectation" says="With p = 0 nothing is dropped"
def after_dropout(h, p):
    if p == 0 or p == 1:
        return 0., 0.
    return h, p / (1 - p) * h ** 2

# %% wrong="5.6.8" why="a generator seeded in each call" breaks="independent" says="no seed and no fixed mask"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    dice = torch.rand(X.shape, generator=torch.Generator().manual_seed(1)).to(X.device)
    return (dice >= p) * X / (1 - p)

# %% wrong="5.6.8" why="a small number added to the divisor" breaks="two values" says="nothing added"
def drop(X, p):
    return (torch.rand(X.shape, device=X.device) >= p) * X / (1 - p + 1e-3)

# %% wrong="5.6.B" why="switches the recording off and on, whatever it was" breaks="no other trace" says="puts back what was there"
def predict(net, X):
    mode = net.training
    net.eval()
    torch.set_grad_enabled(False)
    result = net(X).argmax(dim=1)
    torch.set_grad_enabled(True)
    net.train(mode)
    return result

# %% wrong="5.6.B" why="sets the rates to 0 and back" breaks="without dropout" says="no nn.Dropout in this network"
def predict(net, X):
    layers = [module for module in net.modules() if isinstance(module, nn.Dropout)]
    rates = [layer.p for layer in layers]
    for layer in layers:
        layer.p = 0.
    with torch.no_grad():
        result = net(X).argmax(dim=1)
    for layer, rate in zip(layers, rates):
        layer.p = rate
    return result

# %% wrong="5.6.B" why="freezes the weights and thaws them all" breaks="no other trace" says="Leave requires_grad alone"
def predict(net, X):
    mode = net.training
    net.eval()
    net.requires_grad_(False)
    result = net(X).argmax(dim=1)
    net.requires_grad_(True)
    net.train(mode)
    return result

# %% wrong="5.6.1" why="a list of shares, not their mean" breaks="epochs and seeds" says="not a share for each"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        on_train, on_val = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            on_train.append(share_right(net, train_X, train_y))
            on_val.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": on_train, "val": on_val})
    return rows

# %% wrong="5.6.1" why="the training share on the spoiled labels alone" breaks="epochs and seeds" says="not the spoiled ones alone"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            shares.append([share_right(net, train_X[spoiled], train_y[spoiled]), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        rows.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return rows

# %% wrong="5.6.1" why="the seed after make_net" breaks="epochs and seeds" says="before make_net"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            net = make_net(p1, p2)
            torch.manual_seed(seed)
            train(net, epochs)
            net.eval()
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        rows.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return rows

# %% wrong="5.6.1" why="one list of shares for all pairs" breaks="epochs and seeds" says="an empty list for each pair"
def rate_sweep(pairs, epochs, seeds):
    rows, shares = [], []
    for p1, p2 in pairs:
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        rows.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return rows

# %% wrong="5.6.2" why="the training share measured with dropout" breaks="measured without dropout" says="before both measurements"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            a = share_right(net, train_X, train_y)
            net.eval()
            rows.append({"epoch": epoch, "train": a, "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="the seed after make_net" breaks="measured without dropout" says="before make_net"
def long_run(p1, p2, epochs, every, seed):
    net = make_net(p1, p2)
    torch.manual_seed(seed)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="one epoch between two rows, numbered as if it were more" breaks="measured without dropout" says="shares after epoch 1, not"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(every, epochs + 1, every):
        net.train()
        one_epoch(net, optimizer)
        net.eval()
        rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.3a" why="the mean is taken to shrink" breaks="spread and mean" says="not (1 - p) m"
def variance_after(m, v, p):
    return (v + m ** 2) / (1 - p) - ((1 - p) * m) ** 2

# %% wrong="5.6.3a" why="negative means count as 0" breaks="spread and mean" says="A negative mean adds"
def variance_after(m, v, p):
    m = max(m, 0)
    return (v + m ** 2) / (1 - p) - m ** 2

# %% wrong="5.6.3a" why="the part of the dice alone, but for p = 0" breaks="spread and mean" says="the examples differ"
def variance_after(m, v, p):
    if p == 0:
        return v
    return p / (1 - p) * (v + m ** 2)

# %% wrong="5.6.3b" why="the second layer without the first one's dropout" breaks="with dropout" says="after its dropout"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            H1 = net[:2](train_X)
            H2 = net[3:5](H1)
            rows.append([net[2](H1).var().item(), net[5](H2).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="dropout twice" breaks="with dropout" says="drops once"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([F.dropout(net[:3](train_X), p1).var().item(), F.dropout(net[:6](train_X), p2).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="trained in evaluation mode, measured in training mode" breaks="with dropout" says="learnt without dropout"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.eval()
        one_epoch(net, optimizer)
        net.train()
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net[:6](train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="the first layer in both columns" breaks="without dropout" says="Both columns"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = torch.zeros(epochs, 2)
    for e in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows[e] = net[:3](train_X).var()
    return rows

# %% wrong="5.6.4" why="counts votes" breaks="probabilities" says="has the largest score"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([F.one_hot(net(X).argmax(dim=1), net(X).shape[1]).float() for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.4" why="the uncertainty of the mean" breaks="probabilities" says="not divided by the root"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=0), P.std(dim=0) / math.sqrt(passes)

# %% wrong="5.6.4" why="scatter over the classes" breaks="probabilities" says="over the passes it is asked"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    mean = P.mean(dim=0)
    return mean, mean.std(dim=1, keepdim=True).expand_as(mean)

# %% wrong="5.6.4" why="scatter of the scores" breaks="probabilities" says="that of the probabilities is asked"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        S = torch.stack([net(X) for _ in range(passes)])
    net.train(mode)
    return torch.softmax(S, dim=2).mean(dim=0), S.std(dim=0)

# %% wrong="5.6.4" why="the standard deviations first" breaks="probabilities" says="The means stand first"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.std(dim=0), P.mean(dim=0)

# %% wrong="5.6.5" why="the seed once for all decays" breaks="decays" says="seed anew"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for seed in seeds:
            torch.manual_seed(seed)
            for j, decay in enumerate(decays):
                net = make_net(p, p)
                train(net, epochs, decay)
                table[i, j] += share_right(net.eval(), val_X, val_y) / len(seeds)
    return table

# %% wrong="5.6.5" why="one network for all decays" breaks="decays" says="new network for each decay"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p, p)
            for j, decay in enumerate(decays):
                train(net, epochs, decay)
                table[i, j] += share_right(net.eval(), val_X, val_y) / len(seeds)
    return table

# %% wrong="5.6.6a" why="drops the outputs" breaks="two values" says="whole outputs"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        return F.dropout(self.linear(X), self.p, self.training)

# %% wrong="5.6.6a" why="divides the whole output" breaks="two values" says="not the whole output"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        mask = torch.rand_like(self.linear.weight) > self.p
        return F.linear(X, mask * self.linear.weight, self.linear.bias) / (1 - self.p)

# %% wrong="5.6.6a" why="no bias in training mode" breaks="two values" says="bias is missing"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = self.linear.weight
        return X @ (W * (torch.rand_like(W) > self.p) / (1 - self.p)).T

# %% wrong="5.6.6b" why="throws dice" breaks="variances" says="no dice"
def output_covariance(W, x, p, kind):
    rng = torch.Generator().manual_seed(0)
    if kind == "dropout":
        masks = (torch.rand(20_000, len(x), generator=rng) > p) / (1 - p)
        out = (masks * x) @ W.T
    else:
        masks = (torch.rand(20_000, *W.shape, generator=rng) > p) / (1 - p)
        out = (masks * W) @ x
    return torch.cov(out.T)

# %% wrong="5.6.7a" why="factors cut off at 0" breaks="expectation" says="Yours are cut off"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        return X * (1 + self.strength * torch.randn_like(X)).clamp(min=0)

# %% wrong="5.6.7a" why="torch.normal with X as the mean" breaks="learns" says="hands no gradient on"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training or self.strength == 0:
            return X
        return torch.normal(X, self.strength)

# %% wrong="5.6.7b" why="the seed once for the three networks" breaks="known networks" says="anew before each"
def match(strength, p, epochs, seeds):
    shares = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        torch.manual_seed(seed)
        for name in shares:
            net = make_net(p, p) if name == "dropout" else make_net(0, 0)
            if name == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            net.eval()
            shares[name].append(share_right(net, val_X, val_y))
    return shares

# %% wrong="5.6.7b" why="strength and rate exchanged" breaks="known networks" says="not the strength"
def match(strength, p, epochs, seeds):
    shares = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name in shares:
            torch.manual_seed(seed)
            net = make_net(strength, strength) if name == "dropout" else make_net(0, 0)
            if name == "own":
                net[2], net[5] = OwnNoise(p), OwnNoise(p)
            train(net, epochs)
            net.eval()
            shares[name].append(share_right(net, val_X, val_y))
    return shares

# %% wrong="5.6.7b" why="the third network is seeded after make_net" breaks="same rules" says="before make_net"
def match(strength, p, epochs, seeds):
    shares = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name in ("plain", "dropout"):
            torch.manual_seed(seed)
            net = make_net(p, p) if name == "dropout" else make_net(0, 0)
            train(net, epochs)
            net.eval()
            shares[name].append(share_right(net, val_X, val_y))
        net = make_net(0, 0)
        net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
        torch.manual_seed(seed)
        train(net, epochs)
        net.eval()
        shares["own"].append(share_right(net, val_X, val_y))
    return shares

# %% wrong="5.6.7b" why="replaces the ReLU layers" breaks="same rules" says="ReLU layers"
def match(strength, p, epochs, seeds):
    shares = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name in shares:
            torch.manual_seed(seed)
            net = make_net(p, p) if name == "dropout" else make_net(0, 0)
            if name == "own":
                net[1], net[4] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            net.eval()
            shares[name].append(share_right(net, val_X, val_y))
    return shares

# %% right="5.6.B" how="inference mode"
def predict(net, X):
    if net.training:
        net.eval()
        with torch.inference_mode():
            classes = torch.argmax(net(X), -1)
        net.train()
    else:
        with torch.inference_mode():
            classes = torch.argmax(net(X), -1)
    return classes

# %% right="5.6.2" how="measures after each epoch, keeps some"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        one_epoch(net.train(), optimizer)
        net.eval()
        rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows[every - 1::every]

# %% right="5.6.7a" how="gamma factors"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training or self.strength == 0:
            return X
        k = 1 / self.strength ** 2
        return X * torch.distributions.Gamma(k, k).sample(X.shape)

# %% right="5.6.7a" how="log-normal factors, divided by their mean"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        s = math.sqrt(math.log(1 + self.strength ** 2))
        return X * torch.exp(s * torch.randn_like(X) - s ** 2 / 2)

# %% right="5.6.7a" how="Poisson factors"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training or self.strength == 0:
            return X
        rate = 1 / self.strength ** 2
        return X * torch.poisson(torch.full(X.shape, rate)) / rate

# %% right="5.6.6a" how="torch.where, and a generator of its own"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p
        self.rng = torch.Generator().manual_seed(17)

    def forward(self, X):
        if self.training is False:
            return self.linear(X)
        W = self.linear.weight
        gone = torch.rand(W.shape, generator=self.rng) < self.p
        return F.linear(X, torch.where(gone, torch.zeros(()), W) / (1 - self.p), self.linear.bias)

# %% right="5.6.A" how="exact fractions"
def after_dropout(h, p):
    from fractions import Fraction
    h, p = Fraction(h), Fraction(p)
    if p == 1:
        return [0., 0.]
    return [float(h), float(h * h / (1 - p) - h * h)]

# %% wrong="5.6.7a" why="overwrites X unrecorded" breaks="learns" says="Make a new tensor"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        with torch.no_grad():
            if self.training:
                X *= 1 + self.strength * torch.randn_like(X)
        return X

# %% wrong="5.6.A" why="a survivor's value for the expectation" breaks="expectation" says="what a survivor becomes"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    return h / (1 - p), h ** 2 / (1 - p) - h ** 2

# %% wrong="5.6.A" why="throws dice" breaks="expectation" says="without dice"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    dropped = (torch.rand(100_000, generator=torch.Generator().manual_seed(0)) > p) * h / (1 - p)
    return dropped.mean().item(), p / (1 - p) * h ** 2

# %% wrong="5.6.8" why="two axes only" breaks="two values" says="for shape (8,)"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    n, d = X.shape
    return (torch.rand(n, d, device=X.device) >= p) * X / (1 - p)

# %% wrong="5.6.1" why="the seed handed to train, where decay stands" breaks="epochs and seeds" says="weight decay, not the seed"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        a = b = 0.
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs, seed)
            net.eval()
            a += share_right(net, train_X, train_y) / len(seeds)
            b += share_right(net, val_X, val_y) / len(seeds)
        rows.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return rows

# %% wrong="5.6.2" why="other keys" breaks="rows" says="the keys of a row"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epochs": epoch, "train_share": share_right(net, train_X, train_y), "val_share": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="the best share so far" breaks="measured without dropout" says="best share so far"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows, best = [], 0.
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            best = max(best, share_right(net, val_X, val_y))
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": best})
    return rows

# %% wrong="5.6.2" why="a row for the epochs left over" breaks="rows" says="left over at the end"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0 or epoch == epochs:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="a rate handed to make_optimizer, where decay stands" breaks="measured without dropout" says="without a second argument"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net, p1)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.2" why="numbers the rows, not the epochs" breaks="rows" says="counts epochs, not rows"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch // every, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.3a" why="squares v, but for p = 0" breaks="spread and mean" says="do not square it"
def variance_after(m, v, p):
    return (v ** 2 + m ** 2) / (1 - p) - m ** 2 if p else v

# %% wrong="5.6.3a" why="the part of the mean divided twice" breaks="spread and mean" says="once, not twice"
def variance_after(m, v, p):
    return v / (1 - p) + p / (1 - p) ** 2 * m ** 2

# %% wrong="5.6.3a" why="brackets left out, but for p = 0" breaks="spread and mean" says="Set brackets"
def variance_after(m, v, p):
    return (v + m ** 2) / 1 - p - m ** 2 if p else v

# %% wrong="5.6.3a" why="subtracts m, not its square" breaks="no dropout" says="not m"
def variance_after(m, v, p):
    return (v + m ** 2) / (1 - p) - m

# %% wrong="5.6.3b" why="the second layer before its dropout" breaks="with dropout" says="net[:6] ends"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net[:5](train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="the variance without dropout, divided by 1 - p" breaks="with dropout" says="divided by 1 - p"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        net.eval()
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item() / (1 - p1), net[:6](train_X).var().item() / (1 - p2)])
    return torch.tensor(rows)

# %% wrong="5.6.4" why="averages the logarithms" breaks="probabilities" says="not their logarithms"
def ask_many(net, X, passes):
    was = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.log_softmax(net(X), dim=1) for _ in range(passes)])
    net.train(was)
    return P.mean(dim=0).exp(), P.exp().std(dim=0)

# %% wrong="5.6.4" why="one deviation for each row" breaks="shapes" says="dim=0 of their stack"
def ask_many(net, X, passes):
    was = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(was)
    return P.mean(dim=0), P.std(dim=2).mean(dim=0)

# %% wrong="5.6.5" why="filled column by column" breaks="rates" says="fill row by row"
def decay_grid(rates, decays, epochs, seeds):
    flat = []
    for decay in decays:
        for p in rates:
            shares = []
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                shares.append(share_right(net, val_X, val_y))
            flat.append(sum(shares) / len(shares))
    return torch.tensor(flat).reshape(len(rates), len(decays))

# %% wrong="5.6.6b" why="divides the variances of dropconnect by d" breaks="variances" says="two kinds do not differ"
def output_covariance(W, x, p, kind):
    full = p / (1 - p) * (W * x) @ (W * x).T
    return full if kind == "dropout" else torch.diag(torch.diag(full)) / len(x)

# %% wrong="5.6.7a" why="cuts the result off at 0" breaks="expectation" says="nothing is cut off"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        return torch.relu(X + self.strength * torch.randn_like(X))

# %% wrong="5.6.7a" why="mixes in another row" breaks="expectation" says="summands the mean 0"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training or self.strength == 0:
            return X
        other = X[torch.randperm(len(X))]
        return X + self.strength * (other - X)

# %% wrong="5.6.7b" why="makes all three after one seed" breaks="known networks" says="made after one manual_seed"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        torch.manual_seed(seed)
        plain, dropout, own = make_net(0, 0), make_net(p, p), make_net(0, 0)
        own[2], own[5] = OwnNoise(strength), OwnNoise(strength)
        for kind, net in (("plain", plain), ("dropout", dropout), ("own", own)):
            train(net, epochs)
            net.eval()
            result[kind].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="replaces the linear layers" breaks="same rules" says="linear layers"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for kind in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if kind == "dropout" else make_net(0, 0)
            if kind == "own":
                net[3] = OwnNoise(strength)
                net[6] = OwnNoise(strength)
            train(net, epochs)
            net.eval()
            result[kind].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="the third network's best epoch" breaks="same rules" says="best share of all epochs"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for kind in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if kind == "dropout" else make_net(0, 0)
            if kind == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            optimizer = make_optimizer(net)
            best = 0.
            for _ in range(epochs):
                net.train()
                one_epoch(net, optimizer)
                net.eval()
                best = max(best, share_right(net, val_X, val_y))
            result[kind].append(best if kind == "own" else share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="weight decay for the third network" breaks="same rules" says="without a third argument"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for kind in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if kind == "dropout" else make_net(0, 0)
            if kind == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs, 0.02 if kind == "own" else 0.)
            net.eval()
            result[kind].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="the noise gets p" breaks="own noise in training" says="not p"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for kind in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if kind == "dropout" else make_net(0, 0)
            if kind == "own":
                net[2], net[5] = OwnNoise(p), OwnNoise(p)
            train(net, epochs)
            net.eval()
            result[kind].append(share_right(net, val_X, val_y))
    return result

# %% right="5.6.2" how="measures a deep copy"
import copy
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        one_epoch(net, optimizer)
        if epoch % every == 0:
            still = copy.deepcopy(net).eval()
            rows.append({"epoch": epoch, "train": share_right(still, train_X, train_y), "val": share_right(still, val_X, val_y)})
    return rows

# %% right="5.6.3b" how="the measurement's dice apart from the training's, float64, with its graph"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        with torch.random.fork_rng():
            H1 = net[:3](train_X)
            H2 = net[3:6](H1)
        rows.append(torch.stack([H1.double().var(), H2.double().var()]))
    return torch.stack(rows)

# %% right="5.6.7a" how="a die's faces as summands"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if self.training and self.strength > 0:
            die = torch.randint(1, 7, X.shape, device=X.device).to(X.dtype) - 3.5
            return X + self.strength * die
        return X

# %% right="5.6.7a" how="normal summands on the scale of the batch"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        return X + self.strength * X.detach().abs().mean() * torch.randn_like(X)

# %% right="5.6.7b" how="a function for each kind, one noise layer in both places"
def match(strength, p, epochs, seeds):
    def own():
        net = make_net(0, 0)
        net[2] = net[5] = OwnNoise(strength)
        return net
    def share(make, seed):
        torch.manual_seed(seed)
        net = make()
        train(net, epochs)
        return share_right(net.eval(), val_X, val_y)
    makers = {"plain": lambda: make_net(0, 0), "dropout": lambda: make_net(p, p), "own": own}
    return {name: [share(make, seed) for seed in seeds] for name, make in makers.items()}

# %% wrong="5.6.A" why="takes h away from the mean of the squares, not h squared" breaks="variance" says="h², not h"
def after_dropout(h, p):
    return (0., 0.) if p == 1 else (h, h ** 2 / (1 - p) - h)

# %% wrong="5.6.A" why="the root of p / (1 - p)" breaks="variance" says="not its root"
def after_dropout(h, p):
    return (0., 0.) if p == 1 else (h, (p / (1 - p)) ** 0.5 * h ** 2)

# %% wrong="5.6.8" why="normal random numbers" breaks="share" says="normal random numbers (randn)"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    if p == 0:
        return X.clone()
    return (torch.randn_like(X) > p) * X / (1 - p)

# %% wrong="5.6.8" why="a coin, whatever p is" breaks="share" says="p takes no part in it"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    if p == 0:
        return X.clone()
    return torch.randint(0, 2, X.shape, device=X.device).bool() * X / (1 - p)

# %% wrong="5.6.2" why="counts epochs from 0" breaks="rows" says="Counted from 0"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer, rows = make_optimizer(net), []
    for epoch in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch + 1, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.3a" why="p v is added to v" breaks="spread and mean" says="not p v"
def variance_after(m, v, p):
    return v + p * v + p / (1 - p) * m ** 2

# %% wrong="5.6.3a" why="p (1 - p) of a coin for the mean" breaks="spread and mean" says="not p (1 - p) m²"
def variance_after(m, v, p):
    return v / (1 - p) + p * (1 - p) * m ** 2

# %% wrong="5.6.3b" why="a row for each layer" breaks="shape" says="Rows and columns are exchanged"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer, rows = make_optimizer(net), torch.zeros(2, epochs)
    for epoch in range(epochs):
        net.train()
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows[0, epoch], rows[1, epoch] = net[:3](train_X).var(), net[:6](train_X).var()
    return rows

# %% wrong="5.6.6a" why="the masked weight is made under no_grad" breaks="learns" says="No gradient has arrived"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        with torch.no_grad():
            W = (torch.rand_like(self.linear.weight) >= self.p) * self.linear.weight / (1 - self.p)
        return F.linear(X, W, self.linear.bias)

# %% wrong="5.6.6b" why="the length of x in place of each x_j" breaks="variances" says="the length of x stands in place of each"
def output_covariance(W, x, p, kind):
    S = p / (1 - p) * (x @ x) * (W @ W.T)
    return S if kind == "dropout" else torch.diag(torch.diag(S))

# %% wrong="5.6.7a" why="exp of a normal number" breaks="expectation" says="On average yours multiplies by about 1.1"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        return X * torch.exp(self.strength * torch.randn_like(X)) if self.training else X

# %% right="5.6.7a" how="factors of an exponential distribution with mean 1"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        return X + self.strength * (torch.empty_like(X).exponential_() - 1) * X

# %% wrong="5.6.8" why="two dice for an entry" breaks="share" says="one of two dice says so"
def drop(X, p):
    if p == 1:
        return torch.zeros_like(X)
    mask = (torch.rand(X.shape, device=X.device) >= p) & (torch.rand(X.shape, device=X.device) >= p)
    return mask * X / (1 - p)

# %% wrong="5.6.4" why="the standard deviation divided by passes" breaks="probabilities" says="divided by nothing"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=0), P.std(dim=0) / passes

# %% wrong="5.6.6a" why="the rate 0.5 whatever p is" breaks="two values" says="the rate is self.p"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        return F.linear(X, F.dropout(self.linear.weight, 0.5, self.training), self.linear.bias)

# %% wrong="5.6.6b" why="multiplies in place, after a conversion that is no copy for float64" breaks="arguments kept" says="is W itself and no copy"
def output_covariance(W, x, p, kind):
    V = W.double()
    V *= x.double()
    C = p / (1 - p) * V @ V.T
    return C if kind == "dropout" else torch.diag(torch.diag(C))

# %% wrong="5.6.A" why="the survivor not squared" breaks="variance" says="This is p h"
def after_dropout(h, p):
    if p == 1:
        return 0., 0.
    return h, p * (1 - p) * (h / (1 - p))

# %% wrong="5.6.4" why="one pass, repeated" breaks="dropout on" says="all passes are one and the same"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.softmax(net(X), dim=1).repeat(passes, 1, 1)
    net.train(mode)
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.6b" why="1 / (1 - p) for p / (1 - p)" breaks="variances" says="The factor is p / (1 - p), not 1 / (1 - p)"
def output_covariance(W, x, p, kind):
    V = W * x
    C = V @ V.T / (1 - p)
    return C if kind == "dropout" else torch.diag(torch.diag(C))

# %% wrong="5.6.7a" why="a uniform factor, cut off at 0 where the strength is above 1" breaks="expectation" says="Yours are cut off"
class OwnNoise(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        if not self.training:
            return X
        return X * (1 + self.strength * (2 * torch.rand_like(X) - 1)).clamp(min=0)

# %% wrong="5.6.B" why="the dropout layers alone put in evaluation mode" breaks="without dropout" says="no nn.Dropout in this network"
def predict(net, X):
    drops = [m for m in net.modules() if isinstance(m, nn.Dropout)]
    before = [m.training for m in drops]
    for m in drops:
        m.eval()
    with torch.no_grad():
        out = net(X).argmax(dim=1)
    for m, b in zip(drops, before):
        m.train(b)
    return out

# %% wrong="5.6.B" why="keepdim: (n, 1)" breaks="classes" says="no keepdim"
def predict(net, X):
    before = net.training
    net.eval()
    with torch.no_grad():
        out = net(X).max(dim=1, keepdim=True)[1]
    net.train(before)
    return out

# %% wrong="5.6.B" why="scores' argmax over the rows" breaks="classes" says="not over the rows"
def predict(net, X):
    before = net.training
    net.eval()
    with torch.no_grad():
        out = net(X).argmax(dim=0)
    net.train(before)
    return out

# %% wrong="5.6.B" why="average of many passes with dropout" breaks="classes" says="predict itself has switched dropout on"
def predict(net, X):
    before = net.training
    net.train()
    with torch.no_grad():
        out = sum(net(X).softmax(dim=1) for _ in range(30)).argmax(dim=1)
    net.train(before)
    return out

# %% wrong="5.6.1" why="eval only before the second measurement" breaks="measured without dropout" says="the validation share was not"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        a, b = [], []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            a.append(share_right(net, train_X, train_y))
            net.eval()
            b.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(a) / len(a), "val": sum(b) / len(b)})
    return rows

# %% wrong="5.6.1" why="the network made once for each pair, trained on with each seed" breaks="epochs and seeds" says="new network for each seed, after"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        a, b = [], []
        torch.manual_seed(seeds[0])
        net = make_net(p1, p2)
        for seed in seeds:
            torch.manual_seed(seed)
            train(net, epochs)
            net.eval()
            a.append(share_right(net, train_X, train_y))
            b.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(a) / len(a), "val": sum(b) / len(b)})
    return rows

# %% wrong="5.6.1" why="seed set after the network was made" breaks="epochs and seeds" says="comes first for each network, before make_net"
def rate_sweep(pairs, epochs, seeds):
    rows = []
    for p1, p2 in pairs:
        a, b = [], []
        for seed in seeds:
            net = make_net(p1, p2)
            torch.manual_seed(seed)
            train(net, epochs)
            net.eval()
            a.append(share_right(net, train_X, train_y))
            b.append(share_right(net, val_X, val_y))
        rows.append({"p1": p1, "p2": p2, "train": sum(a) / len(a), "val": sum(b) / len(b)})
    return rows

# %% wrong="5.6.2" why="the seed is set again before each block of epochs" breaks="measured without dropout" says="not again before epochs"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    rows = []
    for i in range(epochs // every):
        torch.manual_seed(seed)
        net.train()
        for _ in range(every):
            one_epoch(net, opt)
        net.eval()
        rows.append({"epoch": (i + 1) * every, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.3b" why="measures in evaluation mode, all of it" breaks="with dropout" says="also while you measure"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    opt = make_optimizer(net)
    out = torch.zeros(epochs, 2)
    for e in range(epochs):
        net.train()
        one_epoch(net, opt)
        net.eval()
        with torch.no_grad():
            out[e] = torch.stack([net[:3](train_X).var(), net[:6](train_X).var()])
    return out

# %% wrong="5.6.6a" why="dropout on the output of the product" breaks="one mask a batch" says="outputs are dropped, and weights are to be"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        out = X @ self.linear.weight.T
        if self.training:
            out = F.dropout(out, self.p)
        return out + self.linear.bias

# %% right="5.6.6a" how="functional_call with dropout of the weight"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        W = nn.functional.dropout(self.linear.weight, p=self.p, training=self.training)
        return torch.func.functional_call(self.linear, {"weight": W, "bias": self.linear.bias}, (X,))

# %% right="5.6.4" how="X repeated in one big batch"
def ask_many(net, X, passes):
    mode = net.training
    net.train(True)
    try:
        with torch.no_grad():
            P = net(X.repeat(passes, *[1] * (X.ndim - 1))).softmax(dim=-1).reshape(passes, len(X), -1)
    finally:
        net.train(mode)
    return torch.mean(P, 0), torch.std(P, 0)

# %% wrong="5.6.4" why="net.training = True, the outer flag alone" breaks="dropout on" says="flag of the outer module alone"
def ask_many(net, X, passes):
    was = net.training
    net.training = True
    with torch.no_grad():
        P = torch.stack([net(X).softmax(dim=1) for _ in range(passes)])
    net.training = was
    return P.mean(dim=0), P.std(dim=0)

# %% wrong="5.6.5" why="the seed once for all seeds" breaks="epochs and seeds" says="inside the loop over the seeds"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            torch.manual_seed(seeds[0])
            shares = []
            for seed in seeds:
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                shares.append(share_right(net, val_X, val_y))
            table[i, j] = sum(shares) / len(shares)
    return table

# %% wrong="5.6.5" why="net.training = False leaves the dropout layers on" breaks="rates" says="net.training = False does not"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.training = False
                table[i, j] += share_right(net, val_X, val_y) / len(seeds)
    return table

# %% wrong="5.6.7b" why="one seed for three networks, the third is made first" breaks="known networks" says="three networks for each of"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        torch.manual_seed(seed)
        own = make_net(0, 0)
        own[2], own[5] = OwnNoise(strength), OwnNoise(strength)
        for name, net in (("plain", make_net(0, 0)), ("dropout", make_net(p, p)), ("own", own)):
            train(net, epochs)
            net.eval()
            result[name].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.B" why="puts back the flag of the outer module alone" breaks="mode kept" says="its layers are left in evaluation mode"
def predict(net, X):
    mode = net.training
    net.eval()
    with torch.no_grad():
        classes = net(X).argmax(dim=1)
    net.training = mode
    return classes

# %% wrong="5.6.3a" why="takes v for the second moment" breaks="no dropout" says="not the second moment"
def variance_after(m, v, p):
    return v / (1 - p) - m ** 2

# %% wrong="5.6.4" why="repeats the batch, but reshapes it so that the rows are mixed" breaks="probabilities" says="passes of different rows are mixed"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.softmax(net(X.repeat(passes, 1)), dim=1).reshape(len(X), passes, -1)
    net.train(mode)
    return P.mean(dim=1), P.std(dim=1)

# %% wrong="5.6.5" why="returns the gains over the first entry, not the shares" breaks="epochs and seeds" says="These are gains"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                table[i, j] += share_right(net, val_X, val_y)
    table /= len(seeds)
    return table - table[0, 0]

# %% wrong="5.6.6a" why="takes weight.data, to leave the parameter alone: no gradient reaches the weights" breaks="learns" says="past autograd by linear.weight.data"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        W = self.linear.weight.data.clone()
        if self.training:
            W[torch.rand_like(W) < self.p] = 0
            W /= 1 - self.p
        return F.linear(X, W, self.linear.bias)

# %% wrong="5.6.7b" why="the noise goes into the plain network, which is already trained" breaks="same rules" says="already trained is trained again"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        torch.manual_seed(seed)
        net = make_net(0, 0)
        train(net, epochs)
        net.eval()
        result["plain"].append(share_right(net, val_X, val_y))

        torch.manual_seed(seed)
        dropped = make_net(p, p)
        train(dropped, epochs)
        dropped.eval()
        result["dropout"].append(share_right(dropped, val_X, val_y))

        torch.manual_seed(seed)
        net[2] = OwnNoise(strength)
        net[5] = OwnNoise(strength)
        train(net, epochs)
        net.eval()
        result["own"].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="miscounts: the noise replaces net[2] and the second ReLU, net[4]" breaks="same rules" says="has lost net[4]"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for key in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if key == "dropout" else make_net(0, 0)
            if key == "own":
                net[2] = OwnNoise(strength)
                net[4] = OwnNoise(strength)
            train(net, epochs)
            net.eval()
            result[key].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.2" why="a last row beyond epochs, if every does not divide it" breaks="rows" says="comes too late"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows, done = [], 0
    while done < epochs:
        net.train()
        for _ in range(every):
            one_epoch(net, optimizer)
            done += 1
        net.eval()
        rows.append({"epoch": done, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.1" why="the validation share is measured in training mode" breaks="measured without dropout" says="the training share was not"
def rate_sweep(pairs, epochs, seeds):
    table = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            a = share_right(net, train_X, train_y)
            net.train()
            shares.append([a, share_right(net, val_X, val_y)])
        a, b = torch.tensor(shares).mean(dim=0).tolist()
        table.append({"p1": p1, "p2": p2, "train": a, "val": b})
    return table

# %% wrong="5.6.2" why="rounded to 2 digits" breaks="measured without dropout" says="shares are rounded"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": round(share_right(net, train_X, train_y), 2), "val": round(share_right(net, val_X, val_y), 2)})
    return rows

# %% wrong="5.6.2" why="from scratch for each row, seed set once" breaks="learns with dropout" says="Each row has a network of its own"
def long_run(p1, p2, epochs, every, seed):
    torch.manual_seed(seed)
    rows = []
    for epoch in range(every, epochs + 1, every):
        net = make_net(p1, p2)
        train(net, epoch)
        net.eval()
        rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows

# %% wrong="5.6.3b" why="measures in evaluation mode with F.dropout by hand, and never returns to training mode" breaks="with dropout" says="After the first epoch this network learnt"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        net.eval()
        with torch.no_grad():
            H1 = F.dropout(net[:2](train_X), p1)
            H2 = F.dropout(net[3:5](H1), p2)
        rows.append([H1.var().item(), H2.var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="the mean of the variances of batches of 50" breaks="without dropout" says="variances of batches of 50"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            parts = [[net[:3](b).var().item(), net[:6](b).var().item()] for b in train_X.split(50)]
        rows.append(parts)
    return torch.tensor(rows).mean(dim=1)

# %% wrong="5.6.3b" why="column 1 before the second ReLU" breaks="without dropout" says="before the second ReLU"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net[:4](train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.3b" why="column 1 the scores" breaks="without dropout" says="ten scores"
def variance_run(p1, p2, epochs, seed):
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net(train_X).var().item()])
    return torch.tensor(rows)

# %% wrong="5.6.4" why="running halves" breaks="probabilities" says="each pass has the same weight"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        Ps = [torch.softmax(net(X), dim=1) for _ in range(passes)]
    net.train(mode)
    mean = Ps[0]
    for P in Ps[1:]:
        mean = (mean + P) / 2
    return mean, torch.stack(Ps).std(dim=0)

# %% wrong="5.6.4" why="softmax twice" breaks="probabilities" says="softmax of the softmax"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        Ps = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return torch.softmax(Ps.mean(dim=0), dim=1), Ps.std(dim=0)

# %% wrong="5.6.4" why="dropout by hand on the input, besides" breaks="probabilities" says="something is dropped besides"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        Ps = torch.stack([torch.softmax(net(F.dropout(X, 0.5)), dim=1) for _ in range(passes)])
    net.train(mode)
    return Ps.mean(dim=0), Ps.std(dim=0)

# %% wrong="5.6.4" why="std over rows and passes" breaks="probabilities" says="over passes and rows together"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        Ps = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return Ps.mean(dim=0), Ps.std(dim=(0, 1)).expand(len(X), -1)

# %% wrong="5.6.4" why="puts back the outer flag alone" breaks="mode kept" says="its layers are left in training mode"
def ask_many(net, X, passes):
    mode = net.training
    net.train()
    with torch.no_grad():
        Ps = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.training = mode
    return Ps.mean(dim=0), Ps.std(dim=0)

# %% wrong="5.6.5" why="whole number tensor" breaks="epochs and seeds" says="cut off to a whole number"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays), dtype=torch.long)
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            total = 0
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                total += share_right(net, val_X, val_y)
            table[i, j] = total / len(seeds)
    return table

# %% wrong="5.6.5" why="no dropout at all: make_net(0, 0)" breaks="rates" says="The rates take no part"
def decay_grid(rates, decays, epochs, seeds):
    table = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(0, 0)
                train(net, epochs, decay)
                net.eval()
                table[i, j] += share_right(net, val_X, val_y) / len(seeds)
    return table

# %% wrong="5.6.6a" why="deepcopy of the linear layer" breaks="learns" says="past autograd by copy.deepcopy"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        import copy
        if not self.training:
            return self.linear(X)
        twin = copy.deepcopy(self.linear)
        twin.weight.data *= (torch.rand_like(twin.weight) >= self.p) / (1 - self.p)
        return twin(X)

# %% wrong="5.6.6a" why="nn.Parameter of the product" breaks="learns" says="such as another nn.Parameter"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        W = nn.Parameter(self.linear.weight * (torch.rand_like(self.linear.weight) >= self.p) / (1 - self.p))
        return F.linear(X, W, self.linear.bias)

# %% wrong="5.6.6a" why="writes product into linear.weight.data and puts it back, gradient misses mask" breaks="learns" says="goes past it by linear.weight.data"
class DropConnect(nn.Module):
    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        if not self.training:
            return self.linear(X)
        old = self.linear.weight.data
        self.linear.weight.data = old * (torch.rand_like(old) >= self.p) / (1 - self.p)
        out = self.linear(X)
        self.linear.weight.data = old
        return out

# %% wrong="5.6.7b" why="rounded" breaks="known networks" says="shares are rounded"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for key in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if key == "dropout" else make_net(0, 0)
            if key == "own":
                net[2] = OwnNoise(strength)
                net[5] = OwnNoise(strength)
            train(net, epochs)
            net.eval()
            result[key].append(round(share_right(net, val_X, val_y), 2))
    return result

# %% wrong="5.6.7b" why="error shares" breaks="known networks" says="shares of wrong answers"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for key in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if key == "dropout" else make_net(0, 0)
            if key == "own":
                net[2] = OwnNoise(strength)
                net[5] = OwnNoise(strength)
            train(net, epochs)
            net.eval()
            result[key].append(1 - share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="dropout network reuses the plain one with its rates set" breaks="known networks" says="already trained is trained again"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        torch.manual_seed(seed)
        net = make_net(0, 0)
        for key in result:
            if key == "dropout":
                net[2].p = net[5].p = p
            if key == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            torch.manual_seed(seed)
            train(net, epochs)
            net.eval()
            result[key].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="own noise before the ReLU" breaks="own noise in training" says="right behind the ReLU layers"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for key in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if key == "dropout" else make_net(0, 0)
            if key == "own":
                net = nn.Sequential(net[0], OwnNoise(strength), net[1], net[3], OwnNoise(strength), net[4], net[6])
            train(net, epochs)
            net.eval()
            result[key].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.7b" why="both noise layers behind the first ReLU" breaks="own noise in training" says="right behind the ReLU layers"
def match(strength, p, epochs, seeds):
    result = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for key in result:
            torch.manual_seed(seed)
            net = make_net(p, p) if key == "dropout" else make_net(0, 0)
            if key == "own":
                net[2] = nn.Sequential(OwnNoise(strength), OwnNoise(strength))
            train(net, epochs)
            net.eval()
            result[key].append(share_right(net, val_X, val_y))
    return result

# %% wrong="5.6.B" why="puts back the flags of the network and of its direct children" breaks="mode kept" says="lies in an inner nn.Sequential"
def predict(net, X):
    modes = [layer.training for layer in net.children()]
    mode = net.training
    net.eval()
    with torch.no_grad():
        best = net(X).argmax(dim=1)
    net.training = mode
    for layer, m in zip(net.children(), modes):
        layer.training = m
    return best

# %% wrong="5.6.3b" why="train(net, 1) in each epoch" breaks="without dropout" says="train, too, makes a new one"
def variance_run(p1, p2, epochs, seed):
    """Variance of the two hidden layers after each epoch, with dropout on: (epochs, 2)."""
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    result = torch.zeros(epochs, 2)
    for epoch in range(epochs):
        train(net, 1)
        with torch.no_grad():
            result[epoch, 0] = net[:3](train_X).var()
            result[epoch, 1] = net[:6](train_X).var()
    return result

# %% wrong="5.6.4" why="softmax over dim=1 of the stack of passes" breaks="probabilities" says="In a stack of passes, dim=1 is the rows"
def ask_many(net, X, passes):
    """(mean, standard deviation) of the softmax probabilities over passes with dropout on."""
    was = net.training
    net.train()
    with torch.no_grad():
        scores = torch.stack([net(X) for _ in range(passes)])
    net.train(was)
    P = torch.softmax(scores, dim=1)
    return P.mean(dim=0), P.std(dim=0)
