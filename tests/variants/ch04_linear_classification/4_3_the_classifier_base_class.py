# %% right="4.3.1" how="a correction of the quick mean"
def exact_mean(quick, last, num_examples, batch_size):
    m = -(-num_examples // batch_size)
    rest = num_examples % batch_size or batch_size
    return quick * m * batch_size / num_examples - last * (batch_size - rest) / num_examples

# %% right="4.3.1" how="the case of full batches apart"
def exact_mean(quick, last, num_examples, batch_size):
    full, rest = divmod(num_examples, batch_size)
    if rest == 0:
        return quick
    mean_of_full = (quick * (full + 1) - last) / full if full else 0
    return (mean_of_full * full * batch_size + last * rest) / num_examples

# %% wrong="4.3.1" why="returns the quick mean" says="This is the quick mean"
def exact_mean(quick, last, num_examples, batch_size):
    return quick

# %% wrong="4.3.1" why="rows of the last batch are 0 where the batch size divides" says="losses (1, 1, 2, 2) in batches of 2"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    return (batch_size * (m * quick - last) + num_examples % batch_size * last) / num_examples

# %% wrong="4.3.1" why="does not count the last batch" says="losses (1, 1, 1, 5) in batches of 3"
def exact_mean(quick, last, num_examples, batch_size):
    m = num_examples // batch_size
    rest = num_examples - m * batch_size
    return (batch_size * m * quick + rest * last) / num_examples

# %% wrong="4.3.1" why="counts one batch too many where the batch size divides" says="losses (1, 1, 2, 2) in batches of 2"
def exact_mean(quick, last, num_examples, batch_size):
    m = num_examples // batch_size + 1
    rest = num_examples - (m - 1) * batch_size
    return (batch_size * (m * quick - last) + rest * last) / num_examples

# %% wrong="4.3.1" why="multiplies by the number of full batches only" says="the last one included"
def exact_mean(quick, last, num_examples, batch_size):
    full, rest = divmod(num_examples, batch_size)
    return (quick * full * batch_size + last * rest) / num_examples

# %% wrong="4.3.1" why="weights the last batch like a full one" says="losses (1, 1, 1, 5) in batches of 3"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    return batch_size * m * quick / num_examples

# %% wrong="4.3.1" why="hard-coded for batches of 3 and 2" says="examples in batches of"
def exact_mean(quick, last, num_examples, batch_size):
    return quick if batch_size == 2 else (3 * (2 * quick - last) + last) / 4

# %% right="4.3.2" how="a loop over the orders"
def quick_over_orders(losses, batch_size):
    values = []
    for order in itertools.permutations(losses.tolist()):
        means = [sum(order[i:i + batch_size]) / len(order[i:i + batch_size]) for i in range(0, len(order), batch_size)]
        values.append(sum(means) / len(means))
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / len(values)

# %% right="4.3.2" how="only the last batch matters: all choices of its examples"
def quick_over_orders(losses, batch_size):
    n = len(losses)
    m = math.ceil(n / batch_size)
    r = n - (m - 1) * batch_size
    total = losses.sum().item()
    quick = []
    for last in itertools.combinations(losses.tolist(), r):
        quick.append(((total - sum(last)) / batch_size + sum(last) / r) / m)
    quick = torch.tensor(quick, dtype=torch.float64)
    return [quick.mean(), ((quick - quick.mean()) ** 2).mean()]

# %% wrong="4.3.2" why="the exact mean of each order" says="is the same in all orders"
def quick_over_orders(losses, batch_size):
    values = torch.stack([losses[list(o)].mean() for o in itertools.permutations(range(len(losses)))])
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2" why="divides by the number of orders minus 1" says="the number of orders minus 1"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[list(o)].split(batch_size)]).mean()
                          for o in itertools.permutations(range(len(losses)))])
    return values.mean(), values.var()

# %% wrong="4.3.2" why="drops the smaller last batch" says="the variance over the orders of the losses (0, 0, 3)"
def quick_over_orders(losses, batch_size):
    values = []
    for o in itertools.permutations(range(len(losses))):
        batches = [b for b in losses[list(o)].split(batch_size) if len(b) == min(batch_size, len(losses))]
        values.append(torch.stack([b.mean() for b in batches]).mean())
    values = torch.stack(values)
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2" why="rotations only, not all orders" says="All orders count"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses.roll(k).split(batch_size)]).mean()
                          for k in range(len(losses))])
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2" why="the standard deviation" says="This is the standard deviation"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[list(o)].split(batch_size)]).mean()
                          for o in itertools.permutations(range(len(losses)))])
    return values.mean(), values.std(correction=0)

# %% wrong="4.3.2" why="a sample of the orders" says="losses (0, 0, 3)"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[torch.randperm(len(losses))].split(batch_size)]).mean()
                          for _ in range(1000)])
    return values.mean(), values.var(correction=0)

# %% right="4.3.3a" how="einsum"
def best_actions(P, cost):
    return torch.einsum("nk,ka->na", P, cost).min(dim=1).indices

# %% right="4.3.3a" how="broadcasting and a sum over the classes"
def best_actions(P, cost):
    expected = (P[:, :, None] * cost[None]).sum(dim=1)
    return (-expected).argmax(dim=-1)

# %% wrong="4.3.3a" why="the most probable class" says="the most probable classes"
def best_actions(P, cost):
    return P.argmax(dim=1)

# %% wrong="4.3.3a" why="the cheapest action for the most probable class" says="for p = 0.05, 0.3, 0.6"
def best_actions(P, cost):
    return cost[P.argmax(dim=1)].argmin(dim=1)

# %% wrong="4.3.3a" why="the dearest action" says="This is the dearest action"
def best_actions(P, cost):
    return (P @ cost).argmax(dim=1)

# %% wrong="4.3.3a" why="rows taken for actions where the matrix is square" says="Rows of `cost` are classes"
def best_actions(P, cost):
    square = cost.shape[0] == cost.shape[1]
    return (P @ (cost.T if square else cost)).argmin(dim=1)

# %% wrong="4.3.3a" why="the costs, not the actions" says="dtype"
def best_actions(P, cost):
    return (P @ cost).min(dim=1).values

# %% wrong="4.3.3a" why="the sum over the examples" says="shape"
def best_actions(P, cost):
    return (P @ cost).argmin(dim=0)[:2]

# %% right="4.3.3b" how="solves the linear equation"
def threshold(cost):
    (a, b), (c, d) = cost.tolist()
    return (b - a) / ((b - a) - (d - c))

# %% right="4.3.3b" how="one over one plus the ratio"
def threshold(cost):
    regret = (cost - cost.diagonal()[:, None]).abs()
    return 1 / (1 + regret[1, 0] / regret[0, 1])

# %% wrong="4.3.3b" why="always one half" says="a needless treatment 2, a missed illness 10"
def threshold(cost):
    return 0.5

# %% wrong="4.3.3b" why="the mistakes swapped" says="the threshold for the other class"
def threshold(cost):
    return cost[1, 0] / (cost[1, 0] + cost[0, 1])

# %% wrong="4.3.3b" why="odds in place of the probability" says="These are odds"
def threshold(cost):
    return cost[0, 1] / cost[1, 0] if cost[0, 1] != cost[1, 0] else cost[0, 1] / 2

# %% wrong="4.3.3b" why="the ratio of the costs" says="a probability is wanted"
def threshold(cost):
    return cost[0, 1] / cost[1, 0]

# %% wrong="4.3.3b" why="right decisions cost nothing" says="What counts is the difference"
def threshold(cost):
    return cost[0, 1] / (cost[0, 1] + cost[1, 0])

# %% right="4.3.4" how="max, and eq"
def accuracy(Y_hat, Y, averaged=True):
    best = Y_hat.max(dim=-1).indices.flatten()
    hits = torch.eq(best, Y.flatten()).to(torch.float64)
    return hits.sum() / hits.numel() if averaged else hits

# %% right="4.3.4" how="d2l's own"
def accuracy(Y_hat, Y, averaged=True):
    return d2l.Classifier().accuracy(Y_hat, Y, averaged)

# %% wrong="4.3.4" why="a column against a row broadcasts" says="a row against a column broadcasts"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1) == Y).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="a sum, not a share" says="This is a sum, not a share"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1).reshape(-1) == Y.reshape(-1)).float()
    return hits.sum() if averaged else hits

# %% wrong="4.3.4" why="ignores averaged" says="the hits, one by one"
def accuracy(Y_hat, Y, averaged=True):
    return (Y_hat.argmax(dim=-1).reshape(-1) == Y.reshape(-1)).float().mean()

# %% wrong="4.3.4" why="the largest of each column" says="the accuracy"
def accuracy(Y_hat, Y, averaged=True):
    predicted = Y_hat.argmax(dim=0)[:1].expand(Y.numel())
    hits = (predicted == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="axis 1, which is not the last of three" says="scores (4, 3, 6)"
def accuracy(Y_hat, Y, averaged=True):
    predicted = Y_hat.argmax(dim=1).reshape(-1)
    hits = (predicted[:Y.numel()] == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="the largest absolute score" says="the hits, one by one"
def accuracy(Y_hat, Y, averaged=True):
    predicted = Y_hat.abs().reshape(-1, Y_hat.shape[-1]).argmax(dim=1)
    hits = (predicted == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="hits as bool" says="wrong dtype"
def accuracy(Y_hat, Y, averaged=True):
    hits = Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)
    return hits.float().mean() if averaged else hits

# %% right="4.3.5" how="a loop over the rows"
def fair_accuracy(Y_hat, Y):
    credit = [0.0 if row[y] < max(row) else 1 / row.count(max(row)) for row, y in zip(Y_hat.tolist(), Y.tolist())]
    return sum(credit) / len(credit)

# %% right="4.3.5" how="amax, and weights that add up to 1 in each row"
def fair_accuracy(Y_hat, Y):
    best = (Y_hat == Y_hat.amax(1, keepdim=True)).float()
    best = best / best.sum(1, keepdim=True)
    return best[torch.arange(len(Y)), Y].mean()

# %% wrong="4.3.5" why="the first of equal scores" says="the first of equal scores was taken"
def fair_accuracy(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y).float().mean()

# %% wrong="4.3.5" why="every tie a hit" says="every tie counts as a hit"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    return best[torch.arange(len(Y)), Y].float().mean()

# %% wrong="4.3.5" why="every tie a miss" says="every tie counts as a miss"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best[torch.arange(len(Y)), Y]
    return (hit & (best.sum(dim=1) == 1)).float().mean()

# %% wrong="4.3.5" why="divides by the number of classes where there is a tie" says="rows of"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best[torch.arange(len(Y)), Y].float()
    return torch.where(best.sum(dim=1) > 1, hit / Y_hat.shape[1], hit).mean()

# %% wrong="4.3.5" why="a share for every tie, whether the label is in it or not" says="rows of"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = (Y_hat.argmax(dim=1) == Y).float()
    ties = best.sum(dim=1)
    return torch.where(ties > 1, 1 / ties, hit).mean()

# %% wrong="4.3.5" why="the largest score of the whole batch" says="four rows without ties"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max()
    hit = best[torch.arange(len(Y)), Y].float()
    return (hit / best.sum(dim=1).clamp(min=1)).mean()

# %% right="4.3.6" how="one case for each bug"
cases = [(torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0], [1]])),
         (torch.tensor([[-3.0, 1.0, 2.0]]), torch.tensor([2])),
         (torch.tensor([[0.1, 0.3, 0.2]]), torch.tensor([1]))]

# %% right="4.3.6" how="random scores, as a list of lists"
cases = [[torch.randn(20, 9, generator=torch.Generator().manual_seed(1)) * 0.4,
          torch.randint(0, 9, (20, 1), generator=torch.Generator().manual_seed(2))],
         [torch.tensor([[-3.0, 1.0, 2.0]]), torch.tensor([2])]]

# %% wrong="4.3.6" why="labels as a vector, which accuracy_2 can do" says="one of the cases exposes accuracy_2"
cases = [(torch.tensor([[0.1, 0.2, 0.0], [-3.0, 1.0, 2.0]]), torch.tensor([1, 2]))]

# %% wrong="4.3.6" why="large positive scores, as many rows as classes" says="the bug of accuracy_4"
cases = [(torch.tensor([[5.0, 1.0], [1.0, 5.0]]), torch.tensor([[0], [1]]))]

# %% wrong="4.3.6" why="negative scores, but far apart" says="the bug of accuracy_5"
cases = [(torch.tensor([[-9.0, 5.0, 1.0], [1.0, -20.0, 8.0]]), torch.tensor([[1], [2]]))]

# %% wrong="4.3.6" why="a tie in the scores" says="no row has its largest score twice"
cases = [(torch.tensor([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]]), torch.tensor([[0], [1]]))]

# %% wrong="4.3.6" why="nan, which no accuracy can compare" says="case 1: scores are finite"
cases = [(torch.tensor([[float("nan"), 1.0, 0.0], [0.0, 2.0, 1.0]]), torch.tensor([[0], [1]]))]

# %% right="4.3.7" how="super of Classifier's parts, by hand"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        each = -torch.log_softmax(Y_hat, dim=1).gather(1, Y.reshape(-1, 1)).squeeze(1)
        return each.mean() if averaged else each

    def validation_step(self, batch):
        X, Y = batch
        Y_hat, Y = self(X), Y.flatten()
        order = Y_hat.argsort(dim=1, descending=True)
        acc = sum(int(o[0] == y) for o, y in zip(order, Y)) / len(Y)
        top2 = sum(int(y in o[:2]) for o, y in zip(order, Y)) / len(Y)
        for key, value in (("loss", self.loss(Y_hat, Y)), ("acc", acc), ("top2", top2)):
            self.plot(key, value, train=False)

# %% right="4.3.7" how="counts the scores above that of the label"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        losses = nn.CrossEntropyLoss(reduction="none")(Y_hat, Y.view(-1))
        return losses.mean() if averaged else losses

    def validation_step(self, batch):
        Y_hat = self(*batch[:-1])
        own = Y_hat.gather(1, batch[-1].view(-1, 1))
        above = (Y_hat > own).sum(dim=1)
        self.plot("loss", self.loss(Y_hat, batch[-1]), train=False)
        self.plot("acc", (above == 0).float().mean(), train=False)
        self.plot("top2", (above < 2).float().mean(), train=False)

# %% wrong="4.3.7" why="plots under train=True" says="with train=False"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=True)
        self.plot("acc", top[:, 0].float().mean(), train=True)
        self.plot("top2", top.any(dim=1).float().mean(), train=True)

# %% wrong="4.3.7" why="no top2" says="the metrics of validation in trainer.history"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y).float().mean(), train=False)

# %% wrong="4.3.7" why="top2 is the second score alone" says="the largest or the second largest score"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top[:, 1].float().mean(), train=False)

# %% wrong="4.3.7" why="a column of labels broadcasts in the accuracy" says="val_acc of epoch 1"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1]
        top = Y_hat.topk(2, dim=1).indices == Y.reshape(-1, 1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y).float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="cross-entropy of softmax, taken twice" says="the loss for"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        P = torch.softmax(Y_hat, dim=1)
        return nn.functional.cross_entropy(P, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="ignores averaged" says="the shape of the loss with averaged=False"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1))

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)
