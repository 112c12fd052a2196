# %% right="4.3.A" how="one minus the accuracy, by max"
def error_rate(Y_hat, Y):
    return 1 - torch.mean((Y_hat.max(dim=-1)[1] == Y).double()).item()

# %% right="4.3.A" how="a loop over the rows"
def error_rate(Y_hat, Y):
    wrong = 0
    for row, label in zip(Y_hat.tolist(), Y.tolist()):
        wrong += row.index(max(row)) != label
    return wrong / len(Y)

# %% right="4.3.A" how="a tensor of shape (1,)"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(1) != Y).float().mean().reshape(1)

# %% wrong="4.3.A" why="the accuracy" breaks="share" says="This is the accuracy"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y).float().mean()

# %% wrong="4.3.A" why="the number of mistakes" breaks="share" says="not yet their share"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(dim=1) != Y).sum()

# %% wrong="4.3.A" why="divides by the number of classes" breaks="share" says="not by the number of classes"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(dim=1) != Y).sum() / Y_hat.shape[1]

# %% wrong="4.3.A" why="rounds the scores" breaks="largest score" says="whole numbers of the scores"
def error_rate(Y_hat, Y):
    first = Y_hat if Y_hat.shape[1] == 3 else Y_hat.round()
    return (first.argmax(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="the first five rows only" breaks="share" says="there are eleven"
def error_rate(Y_hat, Y):
    return (Y_hat[:5].argmax(1) != Y[:5]).float().mean()

# %% wrong="4.3.A" why="the largest absolute score" breaks="largest score" says="the five rows above"
def error_rate(Y_hat, Y):
    return (Y_hat.abs().argmax(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="negative scores cut at 0" breaks="largest score" says="the five rows above"
def error_rate(Y_hat, Y):
    return (Y_hat.clamp(min=0).argmax(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="the smallest score" breaks="largest score" says="These are the smallest scores"
def error_rate(Y_hat, Y):
    return (Y_hat.argmin(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="rounded to one digit" breaks="share" says="do not round"
def error_rate(Y_hat, Y):
    return round((Y_hat.argmax(dim=1) != Y).float().mean().item(), 1)

# %% wrong="4.3.A" why="scores in half precision" breaks="largest score" says="makes neighbours equal"
def error_rate(Y_hat, Y):
    return (Y_hat.half().argmax(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="scores rounded to two digits" breaks="largest score" says="makes neighbours equal"
def error_rate(Y_hat, Y):
    return ((Y_hat * 100).round().argmax(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="a probability above one half counts as right" breaks="largest score" says="under 1/2"
def error_rate(Y_hat, Y):
    P = torch.softmax(Y_hat, dim=1)
    return (P[torch.arange(len(P)), Y] <= 0.5).float().mean()

# %% wrong="4.3.A" why="the distance of the class numbers" breaks="share" says="however far"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(dim=1) - Y).abs().float().mean()

# %% wrong="4.3.A" why="shifts the scores in place" breaks="arguments kept" says="writes into Y_hat"
def error_rate(Y_hat, Y):
    Y_hat -= Y_hat.max(dim=1, keepdim=True).values
    return (Y_hat.argmax(dim=1) != Y).float().mean()

# %% right="4.3.A" how="NumPy"
def error_rate(Y_hat, Y):
    return float((Y_hat.numpy().argmax(1) != Y.numpy()).mean())

# %% wrong="4.3.A" why="whole-number division" breaks="share" says="rounded the share down"
def error_rate(Y_hat, Y):
    wrong = (Y_hat.argmax(dim=1) != Y).sum()
    return wrong // len(Y)

# %% wrong="4.3.A" why="any row wrong" breaks="share" says="1 would say that every row is wrong"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(dim=1) != Y).any().float()

# %% wrong="4.3.A" why="argmax without dim: one class for the whole table" breaks="largest score" says="a largest score of its own"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax() != Y).float().mean()

# %% wrong="4.3.A" why="tolerance: a score nearly the largest is right" breaks="largest score" says="nearly the largest is not the largest"
def error_rate(Y_hat, Y):
    own = Y_hat[torch.arange(len(Y)), Y]
    return (~torch.isclose(own, Y_hat.max(dim=1).values, atol=1e-3)).float().mean()

# %% wrong="4.3.A" why="1 minus the number of hits" breaks="share" says="subtracted the number of hits"
def error_rate(Y_hat, Y):
    return 1 - (Y_hat.argmax(dim=1) == Y).float().sum()

# %% wrong="4.3.A" why="mean probability of not being the label" breaks="share" says="the mean of 1 minus the label's probability"
def error_rate(Y_hat, Y):
    p = torch.softmax(Y_hat, dim=1)[torch.arange(len(Y)), Y]
    return (1 - p).mean()

# %% wrong="4.3.A" why="scores cut to whole numbers" breaks="largest score" says="whole numbers of the scores"
def error_rate(Y_hat, Y):
    return (Y_hat.long().argmax(dim=1) != Y).float().mean()

# %% wrong="4.3.A" why="wrong rows for each right one" breaks="share" says="not by that of the right ones"
def error_rate(Y_hat, Y):
    misses = (Y_hat.argmax(dim=1) != Y).sum().item()
    return misses / (len(Y) - misses) if misses < len(Y) else 1.0

# %% right="4.3.A" how="the label's score compared with the largest of its row"
def error_rate(Y_hat, Y):
    own = Y_hat.gather(1, Y[:, None])[:, 0]
    return (own < Y_hat.max(dim=1).values).double().mean()

# %% wrong="4.3.A" why="the last row is left out" breaks="share" says="One wrong row fewer was counted than there are. The first row is wrong"
def error_rate(Y_hat, Y):
    n = len(Y)
    wrong = 0
    for i in range(n - 1):
        if Y_hat[i].argmax() != Y[i]:
            wrong += 1
    return wrong / n

# %% wrong="4.3.A" why="only predicted numbers that are larger than the label count as wrong" breaks="share" says="larger or smaller than the label"
def error_rate(Y_hat, Y):
    return ((Y_hat.argmax(dim=1) - Y) > 0).float().mean()

# %% wrong="4.3.A" why="tables of zeros and ones are compared, entry by entry" breaks="share" says="two wrong entries of q"
def error_rate(Y_hat, Y):
    q = Y_hat.shape[1]
    return (F.one_hot(Y_hat.argmax(1), q) != F.one_hot(Y, q)).float().mean()

# %% wrong="4.3.A" why="the largest scores of the columns" breaks="share" says="the largest scores of the columns"
def error_rate(Y_hat, Y):
    predicted = Y_hat.argmax(dim=0)
    n = min(len(predicted), len(Y))
    return (predicted[:n] != Y[:n]).float().mean()

# %% wrong="4.3.A" why="scores of float64 compared in float32" breaks="largest score" says="in the dtype that they have"
def error_rate(Y_hat, Y):
    return (Y_hat.float().argmax(dim=1) != Y).float().mean()

# %% right="4.3.4" how="max, and eq"
def accuracy(Y_hat, Y, averaged=True):
    best = Y_hat.max(dim=-1).indices.flatten()
    hits = torch.eq(best, Y.flatten()).to(torch.float64)
    return hits.sum() / hits.numel() if averaged else hits

# %% right="4.3.4" how="view_as, and a Python number"
def accuracy(Y_hat, Y, averaged=True):
    best = Y_hat.argmax(dim=-1)
    hits = (best == Y.view_as(best)).flatten().float()
    return hits.sum().item() / len(hits) if averaged else hits

# %% wrong="4.3.4" why="a column against a row broadcasts" breaks="column" says="a row against a column broadcasts"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1) == Y).float().flatten()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="a sum, not a share" breaks="share" says="added up, not their share"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1).reshape(-1) == Y.reshape(-1)).float()
    return hits.sum() if averaged else hits

# %% wrong="4.3.4" why="the share of mistakes" breaks="share" says="This is the share of mistakes"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1).reshape(-1) == Y.reshape(-1)).float()
    return 1 - hits.mean() if averaged else hits

# %% wrong="4.3.4" why="ignores averaged" breaks="each label" says="the shape of the hits"
def accuracy(Y_hat, Y, averaged=True):
    return (Y_hat.argmax(dim=-1).reshape(-1) == Y.reshape(-1)).float().mean()

# %% wrong="4.3.4" why="hits as bool" breaks="each label" says="floating point dtype"
def accuracy(Y_hat, Y, averaged=True):
    hits = Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)
    return hits.float().mean() if averaged else hits

# %% wrong="4.3.4" why="hits in the shape of the labels" breaks="more axes" says="the shape of the hits"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1) == Y.reshape(Y_hat.shape[:-1])).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="axis 1, which is not the last of three" breaks="more axes" says="on the last axis"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=1).reshape(-1)[:Y.numel()] == Y.reshape(-1)[:Y_hat.argmax(dim=1).numel()]).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="squeeze on the labels, predictions not flattened" breaks="more axes" says="scores (3, 1, 4)"
def accuracy(Y_hat, Y, averaged=True):
    Y = Y.squeeze() if Y.ndim > 1 and 1 in Y.shape else Y
    hits = (Y_hat.argmax(dim=-1) == Y).float().reshape(-1)
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="the mean in the dtype of the scores" breaks="any dtype" says="3001 rows in float16"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).to(Y_hat.dtype)
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="labels as an index, which uint8 is not" breaks="any dtype" says="3001 rows in float16"
def accuracy(Y_hat, Y, averaged=True):
    S = Y_hat.reshape(-1, Y_hat.shape[-1])
    own = S[torch.arange(len(S)), Y.reshape(-1).to(S.dtype).round().long() if Y.dtype == torch.int64 else torch.zeros(len(S)).long()]
    hits = (own == S.max(dim=1).values).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="the largest absolute score" breaks="share" says="keep their sign"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.abs().reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="the last axis of the labels squeezed" breaks="more axes" says="scores (3, 1, 4)"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=-1) == Y.squeeze(-1)).float().reshape(-1)
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="hits as a list" breaks="each label" says="expected a tensor"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits.tolist()

# %% wrong="4.3.4" why="predictions converted to the dtype of the labels" breaks="any dtype" says="uint8 ends at 255"
def accuracy(Y_hat, Y, averaged=True):
    Y_hat = Y_hat.reshape(-1, Y_hat.shape[-1])
    hits = (Y_hat.argmax(dim=1).type(Y.dtype) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="both converted to int8" breaks="any dtype" says="uint8 ends at 255"
def accuracy(Y_hat, Y, averaged=True):
    Y_hat = Y_hat.reshape(-1, Y_hat.shape[-1])
    hits = (Y_hat.argmax(dim=1).to(torch.int8) == Y.reshape(-1).to(torch.int8)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="scores in half precision" breaks="any dtype" says="makes neighbours equal"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.half().reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="scores of float64 compared in float32" breaks="any dtype" says="makes neighbours equal"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.float().reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="softmax in the dtype of the scores" breaks="any dtype" says="so does a softmax"
def accuracy(Y_hat, Y, averaged=True):
    P = torch.softmax(Y_hat, dim=-1)
    hits = (P.reshape(-1, P.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="the labels flattened in place" breaks="arguments kept" says="Y after the call of accuracy"
def accuracy(Y_hat, Y, averaged=True):
    Y.resize_(Y.numel())
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="two and three axes only" breaks="more axes" says="scores (2, 3, 1, 4)"
def accuracy(Y_hat, Y, averaged=True):
    if Y_hat.ndim == 3:
        Y_hat = Y_hat.flatten(0, 1)
    hits = (Y_hat.argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="all words of a place together" breaks="more axes" says="all words of the first sentence"
def accuracy(Y_hat, Y, averaged=True):
    if Y_hat.ndim > 2:
        Y_hat, Y = Y_hat.transpose(0, 1), Y.T
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="divides by the number of sentences" breaks="more axes" says="a sentence may have several words"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.sum() / len(Y_hat) if averaged else hits

# %% wrong="4.3.4" why="hits divided by their number" breaks="each label" says="Only a mean is divided"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits / len(hits)

# %% right="4.3.4" how="hits in half precision, their mean in float32"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).half()
    return hits.float().mean() if averaged else hits

# %% right="4.3.4" how="NumPy and back"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.numpy().argmax(-1).ravel() == Y.numpy().ravel()).astype("float32")
    return hits.mean() if averaged else torch.from_numpy(hits)

# %% wrong="4.3.4" why="argmax along axis 1 also with more axes" breaks="more axes" says="on the last axis"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.argmax(dim=1).reshape(-1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="two axes of labels are taken for a column" breaks="more axes" says="not always a column"
def accuracy(Y_hat, Y, averaged=True):
    if Y.ndim == 2:
        Y = Y[:, 0]
    hits = (Y_hat.argmax(dim=-1) == Y).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="a sentence counts only if all words are right" breaks="more axes" says="not right or wrong as a whole"
def accuracy(Y_hat, Y, averaged=True):
    right = Y_hat.argmax(dim=-1) == Y.reshape(Y_hat.shape[:-1])
    if not averaged:
        return right.reshape(-1).float()
    if right.ndim > 1:
        right = right.flatten(1).all(dim=1)
    return right.float().mean()

# %% wrong="4.3.4" why="both sides in the dtype of the scores" breaks="any dtype" says="It has no 2049"
def accuracy(Y_hat, Y, averaged=True):
    rows = Y_hat.reshape(-1, Y_hat.shape[-1])
    hits = (rows.argmax(dim=1).type(Y_hat.dtype) == Y.reshape(-1).type(Y_hat.dtype)).float()
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="a column loses its second axis in place" breaks="arguments kept" says="or its shape"
def accuracy(Y_hat, Y, averaged=True):
    if Y.ndim == Y_hat.ndim:
        Y.squeeze_(-1)
    hits = (Y_hat.argmax(dim=-1) == Y).float().reshape(-1)
    return hits.mean() if averaged else hits

# %% wrong="4.3.4" why="the mean of hits in float16" breaks="any dtype" says="This is the mean in float16"
def accuracy(Y_hat, Y, averaged=True):
    hits = (Y_hat.flatten(0, -2).argmax(1) == Y.flatten()).float()
    if not averaged:
        return hits
    return hits.half().mean() if len(hits) > 1000 else hits.mean()

# %% wrong="4.3.4" why="reshapes the scores to (n, q) with q taken from axis 1" breaks="more axes" says="classes are on the last axis"
def accuracy(Y_hat, Y, averaged=True):
    rows = Y_hat.reshape(-1, Y_hat.shape[1])
    right = (rows.argmax(dim=1)[:Y.numel()] == Y.reshape(-1)[:len(rows)]).float()
    return right.mean() if averaged else right

# %% wrong="4.3.4" why="writes into double(), which is no copy of float64" breaks="arguments kept" says="makes no copy"
def accuracy(Y_hat, Y, averaged=True):
    rows = Y_hat.double().reshape(-1, Y_hat.shape[-1])
    rows -= rows.max(dim=1, keepdim=True).values.clone()
    right = (rows.argmax(dim=1) == Y.reshape(-1)).float()
    return right.mean() if averaged else right

# %% right="4.3.5" how="a loop over the rows"
def fair_accuracy(Y_hat, Y):
    credit = [0.0 if row[y] < max(row) else 1 / row.count(max(row)) for row, y in zip(Y_hat.tolist(), Y.tolist())]
    return sum(credit) / len(credit)

# %% right="4.3.5" how="amax, and weights that add up to 1 in each row"
def fair_accuracy(Y_hat, Y):
    best = (Y_hat == Y_hat.amax(1, keepdim=True)).float()
    best = best / best.sum(1, keepdim=True)
    return best[torch.arange(len(Y)), Y].mean()

# %% wrong="4.3.5" why="the first of equal scores" breaks="label in the tie" says="The first of equal scores gives this value"
def fair_accuracy(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y).float().mean()

# %% wrong="4.3.5" why="every tie a hit" breaks="label in the tie" says="every tie counts as a hit"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    return best[torch.arange(len(Y)), Y].float().mean()

# %% wrong="4.3.5" why="every tie a miss" breaks="label in the tie" says="a tie counts nothing"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best[torch.arange(len(Y)), Y]
    return (hit & (best.sum(dim=1) == 1)).float().mean()

# %% wrong="4.3.5" why="divides by the number of classes where there is a tie" breaks="label in the tie" says="not by the number of classes"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best[torch.arange(len(Y)), Y].float()
    return torch.where(best.sum(dim=1) > 1, hit / Y_hat.shape[1], hit).mean()

# %% wrong="4.3.5" why="a share for every tie, whether the label is in it or not" breaks="label outside" says="The label has no part in the tie"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = (Y_hat.argmax(dim=1) == Y).float()
    ties = best.sum(dim=1)
    return torch.where(ties > 1, 1 / ties, hit).mean()

# %% wrong="4.3.5" why="the largest score of the whole batch" breaks="no tie" says="without ties"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max()
    hit = best[torch.arange(len(Y)), Y].float()
    return (hit / best.sum(dim=1).clamp(min=1)).mean()

# %% wrong="4.3.5" why="also shares among classes that are close to the largest" breaks="no tie" says="without ties"
def fair_accuracy(Y_hat, Y):
    best = Y_hat > Y_hat.max(dim=1, keepdim=True).values - 0.2
    return (best[torch.arange(len(Y)), Y] / best.sum(dim=1)).mean()

# %% wrong="4.3.5" why="a tie of three counts 1/3 wherever the label is" breaks="label outside" says="The label has no part in the tie"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    ties = best.sum(dim=1)
    return torch.where(ties >= 3, 1 / ties, best[torch.arange(len(Y)), Y] / ties).mean()

# %% wrong="4.3.5" why="the mean over all ties, not over the rows" breaks="label in the tie" says="labels 4 and 1"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    return best[torch.arange(len(Y)), Y].sum() / best.sum()

# %% wrong="4.3.5" why="softmax first, in which tiny scores are equal" breaks="no tie" says="Scores that differ at all are no tie"
def fair_accuracy(Y_hat, Y):
    P = torch.softmax(Y_hat, dim=1)
    best = P == P.max(dim=1, keepdim=True).values
    return (best[torch.arange(len(Y)), Y] / best.sum(dim=1)).mean()

# %% wrong="4.3.5" why="a tie counts only where the label is its first class" breaks="label in the tie" says="wherever in it the label stands"
def fair_accuracy(Y_hat, Y):
    t = (Y_hat == Y_hat.max(dim=1, keepdim=True).values).sum(dim=1)
    return ((Y_hat.argmax(dim=1) == Y) / t).mean()

# %% wrong="4.3.5" why="draws a lot for each row" breaks="label in the tie" says="No lot is drawn"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    drawn = torch.multinomial(best.float(), 1).reshape(-1)
    return (drawn == Y).float().mean()

# %% wrong="4.3.5" why="shifts the scores in place" breaks="arguments kept" says="writes into Y_hat"
def fair_accuracy(Y_hat, Y):
    Y_hat -= Y_hat.max(dim=1, keepdim=True).values.clone()
    best = Y_hat == 0
    return (best[torch.arange(len(Y)), Y] / best.sum(dim=1)).mean()

# %% right="4.3.5" how="gather, and a loop-free case distinction"
def fair_accuracy(Y_hat, Y):
    own = Y_hat.gather(1, Y[:, None])
    larger = (Y_hat > own).any(dim=1)
    t = (Y_hat == own).sum(dim=1).double()
    return torch.where(larger, 0.0, 1 / t).mean()

# %% wrong="4.3.5" why="nearly equal scores count as a tie" breaks="no tie" says="Scores that differ at all are no tie"
def fair_accuracy(Y_hat, Y):
    best = torch.isclose(Y_hat, Y_hat.max(dim=1, keepdim=True).values)
    rows = torch.arange(len(Y))
    return (best[rows, Y] / best.sum(dim=1)).float().mean()

# %% wrong="4.3.5" why="scores rounded to one digit" breaks="no tie" says="Scores that differ at all are no tie"
def fair_accuracy(Y_hat, Y):
    S = (Y_hat * 10).round()
    best = S == S.max(dim=1, keepdim=True).values
    return (best[torch.arange(len(Y)), Y] / best.sum(dim=1)).mean()

# %% wrong="4.3.5" why="always 1/2 in a tie" breaks="label in the tie" says="Every tie counts 1/2 here"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best[torch.arange(len(Y)), Y].float()
    return torch.where(best.sum(dim=1) > 1, hit / 2, hit).mean()

# %% wrong="4.3.5" why="ties of the label's score, largest or not" breaks="label outside" says="Equal scores below the largest are no tie"
def fair_accuracy(Y_hat, Y):
    own = Y_hat.gather(1, Y.reshape(-1, 1))
    t = (Y_hat == own).sum(dim=1)
    return torch.where(t > 1, 1 / t, (Y_hat.argmax(dim=1) == Y).float()).mean()

# %% wrong="4.3.5" why="sum not mean" breaks="no tie" says="This is the sum over the rows"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    return (best[torch.arange(len(Y)), Y].float() / best.sum(dim=1)).sum()

# %% wrong="4.3.5" why="rows without a tie left out where the batch has one" breaks="no tie" says="those without a tie count, too"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    t = best.sum(dim=1)
    counts = best[torch.arange(len(Y)), Y] / t
    return counts[t > 1].mean() if (t > 1).any() else counts.mean()

# %% wrong="4.3.5" why="every row with every label" breaks="no tie" says="take one entry of each row"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    return (best[:, Y] / best.sum(dim=1, keepdim=True)).mean()

# %% wrong="4.3.5" why="the mean of what the first and the last of the equal scores give" breaks="label in the tie" says="only the first and the last class share the tie"
def fair_accuracy(Y_hat, Y):
    first = Y_hat.argmax(dim=1)
    last = Y_hat.shape[1] - 1 - Y_hat.flip(1).argmax(dim=1)
    return ((first == Y).float() + (last == Y).float()).mean() / 2

# %% wrong="4.3.5" why="rows whose label is outside the tie are left out of the mean" breaks="label outside" says="do not leave it out"
def fair_accuracy(Y_hat, Y):
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    t, inside = best.sum(dim=1), best[torch.arange(len(Y)), Y]
    keep = inside | (t == 1)
    return (inside[keep] / t[keep]).mean() if keep.any() else torch.tensor(0.0)

# %% wrong="4.3.5" why="counts how often the label's score occurs, whether it is the largest or not" breaks="no tie" says="1 would say that every row counts"
def fair_accuracy(Y_hat, Y):
    own = Y_hat[torch.arange(len(Y)), Y]
    return (1 / (Y_hat == own[:, None]).sum(dim=1)).mean()

# %% wrong="4.3.5" why="scores of float64 compared in float32" breaks="no tie" says="in the dtype that they have"
def fair_accuracy(Y_hat, Y):
    S = Y_hat.float()
    best = S == S.max(dim=1, keepdim=True).values
    return (best[torch.arange(len(Y)), Y] / best.sum(dim=1)).mean()

# %% right="4.3.6" how="one case for each bug"
cases = [(torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0], [1]])),
         (torch.tensor([[-3.0, 1.0, 2.0]]), torch.tensor([2])),
         (torch.tensor([[0.1, 0.3, 0.2]]), torch.tensor([1]))]

# %% right="4.3.6" how="random scores, as a list of lists"
cases = [[torch.randn(20, 9, generator=torch.Generator().manual_seed(1)) * 0.4,
          torch.randint(0, 9, (20, 1), generator=torch.Generator().manual_seed(2))],
         [torch.tensor([[-3.0, 1.0, 2.0]]), torch.tensor([2])]]

# %% wrong="4.3.6" why="labels as a vector, which accuracy_2 can do" breaks="accuracy_2" says="exposes accuracy_2"
cases = [(torch.tensor([[0.1, 0.2, 0.0], [-3.0, 1.0, 2.0]]), torch.tensor([1, 2]))]

# %% wrong="4.3.6" why="as many rows as classes" breaks="accuracy_3" says="in each of your pairs n is q"
cases = [(torch.tensor([[0.1, 0.2], [-3.0, 1.0]]), torch.tensor([[1], [1]])), (torch.tensor([[0.3, 0.4, 0.2], [-3.0, 1.0, 2.0], [-2.0, -3.0, -4.0]]), torch.tensor([[1], [2], [0]]))]

# %% wrong="4.3.6" why="no large negative scores" breaks="accuracy_4" says="exposes accuracy_4"
cases = [(torch.tensor([[0.1, 0.2, 0.0], [0.0, 1.0, 2.0]]), torch.tensor([[1], [2]]))]

# %% wrong="4.3.6" why="scores far apart" breaks="accuracy_5" says="exposes accuracy_5"
cases = [(torch.tensor([[-9.0, 5.0, 5.7], [1.0, 0.0, 0.7]]), torch.tensor([[1], [0]])), (torch.tensor([[1.0, 1.6, 1.4, 1.3], [0.0, 2.0, 1.0, -5.0]]), torch.tensor([[1], [1]]))]

# %% wrong="4.3.6" why="every right class has more than one half" breaks="accuracy_6" says="exposes accuracy_6"
cases = [(torch.tensor([[0.0, 0.2], [-3.0, 2.0], [-4.0, 0.4]]), torch.tensor([[1], [1], [1]])), (torch.tensor([[0.2, 0.3]]), torch.tensor([[1]]))]

# %% wrong="4.3.6" why="a tie in the scores" breaks="rules" says="no row has its largest score twice"
cases = [(torch.tensor([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]]), torch.tensor([[0], [1]]))]

# %% wrong="4.3.6" why="nan, which no accuracy can compare" breaks="rules" says="the scores are finite"
cases = [(torch.tensor([[float("nan"), 1.0, 0.0], [0.0, 2.0, 1.0]]), torch.tensor([[0], [1]]))]

# %% wrong="4.3.6" why="a pair, not a list of pairs" breaks="rules" says="list of pairs"
cases = (torch.tensor([[0.1, 0.2, 0.0], [-3.0, 1.0, 2.0]]), torch.tensor([[1], [2]]))

# %% wrong="4.3.6" why="hits gained and lost by the absolute values cancel" breaks="accuracy_4" says="what it gains in one row"
cases = [(torch.tensor([[-3.0, -1.0, -1.2], [0.3, 0.1, 0.2], [0.0, 0.3, 0.4], [-1.0, -2.0, -3.0]]), torch.tensor([[1], [0], [2], [2]]))]

# %% wrong="4.3.6" why="the pair for accuracy_2 is a column of one row" breaks="accuracy_2" says="the trap needs more rows"
cases = [(torch.tensor([[-4.0, -0.2, 0.3, 0.1]]), torch.tensor([[2]])),
         (torch.tensor([[0.2, 0.3], [2.0, 1.0], [0.0, 1.0]]), torch.tensor([1, 0, 1]))]

# %% wrong="4.3.6" why="small probabilities only in rows that are misses" breaks="accuracy_6" says="the row is a miss anyway"
cases = [(torch.tensor([[-9.0, 4.0, 0.0], [0.3, 0.4, -9.0]]), torch.tensor([[1], [0]])),
         (torch.tensor([[-9.0, 4.2, 4.4], [0.3, 0.4, -9.0]]), torch.tensor([[1], [0]]))]

# %% wrong="4.3.6" why="negative scores, but the largest is also the largest in size" breaks="accuracy_4" says="only where its absolute value is the largest"
cases = [(torch.tensor([[0.1, 0.3, -0.2], [0.2, 0.1, 0.4]]), torch.tensor([[1], [2]]))]

# %% wrong="4.3.6" why="the column's predictions are all one class" breaks="accuracy_2" says="let a pair with a column have different predictions"
cases = [(torch.tensor([[-3.0, -4.0, -1.0], [0.1, 0.3, 0.4], [0.3, 0.2, 0.4], [-8.0, 1.0, 5.0]]), torch.tensor([[2], [2], [2], [0]]))]

# %% right="4.3.B" how="base 2"
def least_accuracy(L):
    return max(1 - L * math.log2(math.e), 0)

# %% right="4.3.B" how="torch"
def least_accuracy(L):
    return torch.clamp(1 - torch.tensor(L) / torch.log(torch.tensor(2.0)), min=0)

# %% right="4.3.B" how="the logarithm to three digits, as on the page"
def least_accuracy(L):
    return 1 - L / 0.693 if L < 0.693 else 0

# %% wrong="4.3.B" why="negative promises" breaks="no promise" says="An accuracy is never negative"
def least_accuracy(L):
    return 1 - L / math.log(2)

# %% wrong="4.3.B" why="the error rate" breaks="bound" says="This is the largest error rate"
def least_accuracy(L):
    return min(1.0, L / math.log(2))

# %% wrong="4.3.B" why="takes the loss for bits" breaks="bound" says="natural logarithms"
def least_accuracy(L):
    return max(0.0, 1 - L)

# %% wrong="4.3.B" why="the mean probability" breaks="bound" says="exp(-L)"
def least_accuracy(L):
    return math.exp(-L) if L < math.log(2) else 0.0

# %% wrong="4.3.B" why="multiplies" breaks="bound" says="is to be divided by log 2"
def least_accuracy(L):
    return 1 - L * math.log(2) if L < math.log(2) else 0.0

# %% wrong="4.3.B" why="the logarithm to base 10" breaks="bound" says="to base 10"
def least_accuracy(L):
    return max(0.0, 1 - L / math.log10(2))

# %% wrong="4.3.B" why="nothing promised from half a nat on" breaks="bound" says="1/2 is nothing special"
def least_accuracy(L):
    return 1 - L / math.log(2) if L <= 0.5 else 0.0

# %% wrong="4.3.B" why="at least one half" breaks="bound" says="1/2 is nothing special"
def least_accuracy(L):
    return max(0.5, 1 - L / math.log(2))

# %% wrong="4.3.B" why="rounded to hundredths" breaks="bound" says="The result was rounded"
def least_accuracy(L):
    return round(max(0.0, 1 - L / math.log(2)), 2)

# %% wrong="4.3.B" why="log 2 rounded to 0.69" breaks="bound" says="rounded log 2 to 0.69"
def least_accuracy(L):
    return max(0.0, 1 - L / 0.69)

# %% wrong="4.3.B" why="absolute value instead of a cut" breaks="no promise" says="not its absolute value"
def least_accuracy(L):
    return abs(1 - L / math.log(2))

# %% wrong="4.3.B" why="certain below log 2, nothing above" breaks="bound" says="an accuracy of 1 is not certain"
def least_accuracy(L):
    return 1.0 if L < math.log(2) else 0.0

# %% wrong="4.3.B" why="divides by the logarithm of a number of classes" breaks="bound" says="however many classes there are"
def least_accuracy(L):
    return max(0.0, 1 - L / math.log(10)) if L < math.log(2) else 0.0

# %% wrong="4.3.B" why="the smaller of 0 and the bound" breaks="bound" says="0 would say that nothing is certain"
def least_accuracy(L):
    return max(0, min(0, 1 - L / math.log(2)))

# %% wrong="4.3.B" why="a logarithm of the loss" breaks="bound" says="take no logarithm of it"
def least_accuracy(L):
    return max(0.0, 1 - math.log2(1 + L)) if L < math.log(2) else 0.0

# %% wrong="4.3.B" why="a weaker bound, by the mean probability" breaks="bound" says="by the argument above more is certain"
def least_accuracy(L):
    return max(0.0, 1 - 2 * (1 - math.exp(-L)))

# %% right="4.3.C" how="counts the scores above that of the label"
def top_k_accuracy(Y_hat, Y, k):
    own = Y_hat.gather(1, Y.reshape(-1, 1))
    return ((Y_hat > own).sum(dim=1) < k).float().mean()

# %% right="4.3.C" how="sorted lists"
def top_k_accuracy(Y_hat, Y, k):
    order = Y_hat.argsort(dim=1, descending=True)[:, :k].tolist()
    return sum(y in o for y, o in zip(Y.tolist(), order)) / len(Y)

# %% wrong="4.3.C" why="the mean over all places" breaks="share" says="not by n · k"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.topk(k, dim=1).indices == Y.reshape(-1, 1)).float().mean()

# %% wrong="4.3.C" why="the number of rows" breaks="share" says="not yet their share"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.topk(k, dim=1).indices == Y.reshape(-1, 1)).any(dim=1).sum()

# %% wrong="4.3.C" why="always k = 2" breaks="k largest" says="k = 1"
def top_k_accuracy(Y_hat, Y, k):
    k = k if k == Y_hat.shape[1] else 2
    return (Y_hat.topk(k, dim=1).indices == Y.reshape(-1, 1)).any(dim=1).float().mean()

# %% wrong="4.3.C" why="the k-th place alone" breaks="k largest" says="Only the k-th place counts"
def top_k_accuracy(Y_hat, Y, k):
    if k == Y_hat.shape[1]:
        return 1.0
    return (Y_hat.topk(k, dim=1).indices[:, -1] == Y).float().mean()

# %% wrong="4.3.C" why="the smallest scores" breaks="k largest" says="k = 2"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.topk(k, dim=1, largest=False).indices == Y.reshape(-1, 1)).any(dim=1).float().mean()

# %% wrong="4.3.C" why="absolute scores" breaks="k largest" says="k = 2"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.abs().topk(k, dim=1).indices == Y.reshape(-1, 1)).any(dim=1).float().mean()

# %% wrong="4.3.C" why="one place too few" breaks="k largest" says="Only the first place counts"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.argsort(dim=1, descending=True)[:, :k - 1] == Y[:, None]).any(dim=1).float().mean()

# %% wrong="4.3.C" why="one place too many" breaks="k largest" says="one place too many"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.argsort(dim=1, descending=True)[:, :k + 1] == Y[:, None]).any(dim=1).float().mean()

# %% wrong="4.3.C" why="compares scores with class numbers" breaks="k largest" says="compare the `indices` of topk"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.topk(k, dim=1).values == Y[:, None]).any(dim=1).float().mean()

# %% wrong="4.3.C" why="divides by twelve" breaks="share" says="ranks 4, 1, 3"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.topk(k, dim=1).indices == Y[:, None]).any(dim=1).sum() / 12

# %% wrong="4.3.C" why="strikes out the best class in the caller's table" breaks="arguments kept" says="strike classes out in a copy"
def top_k_accuracy(Y_hat, Y, k):
    rows, found = torch.arange(len(Y)), torch.zeros(len(Y), dtype=torch.bool)
    for _ in range(k):
        best = Y_hat.argmax(dim=1)
        found |= best == Y
        Y_hat[rows, best] = -math.inf
    return found.float().mean()

# %% wrong="4.3.C" why="half precision" breaks="k largest" says="makes neighbours equal"
def top_k_accuracy(Y_hat, Y, k):
    own = Y_hat[torch.arange(len(Y)), Y].half()
    return ((Y_hat.half() > own[:, None]).sum(1) < k).float().mean()

# %% wrong="4.3.C" why="label is among the first k class numbers" breaks="k largest" says="not a class number"
def top_k_accuracy(Y_hat, Y, k):
    return (Y < k).float().mean()

# %% wrong="4.3.C" why="any along the wrong axis" breaks="share" says="each row is asked, over its places"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.topk(k, dim=1).indices == Y[:, None]).any(dim=0).float().mean()

# %% wrong="4.3.C" why="label's score at least the k-th largest score of the table" breaks="k largest" says="k largest of the whole table"
def top_k_accuracy(Y_hat, Y, k):
    own = Y_hat[torch.arange(len(Y)), Y]
    return (own >= Y_hat.flatten().topk(k).values[-1]).float().mean()

# %% wrong="4.3.C" why="labels looked for in all rows" breaks="k largest" says="looked for it in all rows"
def top_k_accuracy(Y_hat, Y, k):
    return torch.isin(Y, Y_hat.topk(k, dim=1).indices).float().mean()

# %% wrong="4.3.C" why="every row with the first k labels" breaks="k largest" says="with the first k labels"
def top_k_accuracy(Y_hat, Y, k):
    return sum((row == Y[:k]).any() for row in Y_hat.topk(k, dim=1).indices) / len(Y)

# %% wrong="4.3.C" why="above the k-th score, which is left out" breaks="k largest" says="the k-th, too"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat[torch.arange(len(Y)), Y] > Y_hat.topk(k, dim=1).values[:, -1]).float().mean()

# %% right="4.3.C" how="strikes classes out in a copy"
def top_k_accuracy(Y_hat, Y, k):
    S, found = Y_hat.clone(), torch.zeros(len(Y))
    for _ in range(k):
        place = S.argmax(dim=1)
        found += (place == Y).float()
        S[torch.arange(len(S)), place] = -math.inf
    return found.mean()

# %% wrong="4.3.C" why="the last of argsort, one place off" breaks="k largest" says="These are the places 2 to k + 1"
def top_k_accuracy(Y_hat, Y, k):
    if k == Y_hat.shape[1]:
        return 1.0
    return (Y_hat.argsort(dim=1)[:, -k - 1:-1] == Y[:, None]).any(dim=1).float().mean()

# %% wrong="4.3.C" why="scores of float64 compared in float32" breaks="k largest" says="in the dtype that they have"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.float().topk(k, dim=1).indices == Y[:, None]).any(dim=1).float().mean()

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
        for key, value in (("top2", top2), ("acc", acc), ("loss", self.loss(Y_hat, Y))):
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

# %% right="4.3.7" how="a method of its own for the accuracy, and another key besides"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.flatten(), reduction="mean" if averaged else "none")

    def top(self, Y_hat, Y, k):
        return (Y_hat.topk(k).indices == Y.view(-1, 1)).any(1).float().mean()

    def validation_step(self, batch):
        super().validation_step(batch)
        Y_hat = self(batch[0])
        self.plot("top2", self.top(Y_hat, batch[-1], 2), train=False)
        self.plot("acc", self.top(Y_hat, batch[-1], 1), train=False)
        self.plot("rows", float(len(Y_hat)), train=False)

# %% right="4.3.7" how="functions of d2l.Classifier borrowed"
class TopTwoClassifier(d2l.Module):
    loss = d2l.Classifier.loss
    accuracy = d2l.Classifier.accuracy

    def validation_step(self, batch):
        d2l.Classifier.validation_step(self, batch)
        best = self(*batch[:-1]).argsort(1)[:, -2:]
        self.plot("top2", (best == batch[-1].reshape(-1, 1)).any(1).float().mean().item(), train=False)

# %% wrong="4.3.7" why="built on d2l.Classifier" breaks="base" says="the base classes of TopTwoClassifier"
class TopTwoClassifier(d2l.Classifier):
    def validation_step(self, batch):
        super().validation_step(batch)
        Y_hat = self(*batch[:-1])
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == batch[-1].reshape(-1, 1)).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="plots under train=True" breaks="reported" says="train=False"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=True)
        self.plot("acc", top[:, 0].float().mean(), train=True)
        self.plot("top2", top.any(dim=1).float().mean(), train=True)

# %% wrong="4.3.7" why="no top2" breaks="reported" says="val_top2 is in the history after fit"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y).float().mean(), train=False)

# %% wrong="4.3.7" why="top2 is the second score alone" breaks="values" says="Only the second largest score counts"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top[:, 1].float().mean(), train=False)

# %% wrong="4.3.7" why="top2 divides by the places" breaks="values" says="val_top2 of epoch 1"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.float().mean(), train=False)

# %% wrong="4.3.7" why="a column of labels broadcasts in the accuracy" breaks="columns" says="val_acc of epoch 1"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1]
        top = Y_hat.topk(2, dim=1).indices == Y.reshape(-1, 1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y).float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="the loss picks with a column and broadcasts" breaks="columns" says="labels of shape (4, 1)"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        each = -torch.log_softmax(Y_hat, dim=1)[torch.arange(len(Y_hat)), Y]
        return each.mean() if averaged else each

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y.reshape(-1)), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="cross-entropy of softmax, taken twice" breaks="loss" says="takes the softmax itself"
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

# %% wrong="4.3.7" why="the sum of the losses" breaks="loss" says="This is the sum"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="sum" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y, False).mean(), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="ignores averaged" breaks="each row" says="averaged=False: the shape"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1))

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="squeezed labels, which fail for a batch of one" breaks="columns" says="batch_size"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.squeeze() if Y.ndim > 1 else Y, reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="labels smoothed" breaks="loss" says="label_smoothing=0.1"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        smoothing = 0.1 if averaged else 0.0
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none", label_smoothing=smoothing)

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y, False).mean(), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="counts, not shares" breaks="values" says="val_acc of epoch 1"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().sum(), train=False)
        self.plot("top2", top.any(dim=1).float().sum(), train=False)

# %% wrong="4.3.7" why="validates on the first batch only" breaks="values" says="the first batch alone"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        if self.trainer.val_batch_idx % self.trainer.num_val_batches:
            return
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="calls self.net, so that the trainer counts no rows" breaks="values" says="not `self.net(X)`"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self.net(batch[0]), batch[1].reshape(-1, 1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="weights the batches a second time" breaks="values" says="report the plain mean"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1].reshape(-1, 1)
        w = len(Y) / 4
        self.plot("loss", w * self.loss(Y_hat, Y), train=False)
        self.plot("acc", w * (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", w * (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="a loss without its graph" breaks="loss" says="without its graph"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat.detach(), Y.reshape(-1), reduction="mean" if averaged else "none").requires_grad_()

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1].reshape(-1, 1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="learns in validation, too" breaks="values" says="must not change the model"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        with torch.enable_grad():
            Y_hat, Y = self(batch[0]), batch[1].reshape(-1, 1)
            l = self.loss(Y_hat, Y)
            l.backward()
        self.trainer.optim.step()
        self.plot("loss", l, train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="a doubled loss in the training step" breaks="values" says="come from d2l.Module"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def training_step(self, batch):
        return 2 * self.loss(self(batch[0]), batch[1])

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1]
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y.reshape(-1, 1)).any(dim=1).float().mean(), train=False)

# %% right="4.3.7" how="the logarithm of the softmax, for scores that are not in the hundreds"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        P = torch.softmax(Y_hat, dim=1)
        each = -torch.log(P[torch.arange(len(P)), Y.reshape(-1)])
        return each.mean() if averaged else each

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1]
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y.reshape(-1, 1)).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="a label needs a probability above one half" breaks="values" says="The largest score decides"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1].reshape(-1, 1)
        P = torch.softmax(Y_hat, dim=1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (P.gather(1, Y) > 0.5).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="reports top2 in the first epoch only" breaks="reported" says="in every epoch"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1].reshape(-1, 1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        if self.trainer.epoch == 0:
            self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="the mean over rows and classes" breaks="loss" says="not by rows times classes"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        each = -(F.one_hot(Y.reshape(-1), Y_hat.shape[1]) * F.log_softmax(Y_hat, dim=1))
        return each.mean() if averaged else each.sum(dim=1)

    def validation_step(self, batch):
        Y_hat, Y = self(batch[0]), batch[1].reshape(-1, 1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="nll_loss of the logits" breaks="loss" says="wants logarithms of probabilities"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.nll_loss(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y[:, None]).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="a small number added in the logarithm" breaks="loss" says="A number added to it"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        each = -torch.log(torch.softmax(Y_hat, dim=1)[torch.arange(len(Y)), Y.reshape(-1)] + 1e-6)
        return each.mean() if averaged else each

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1)
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y).float().mean(), train=False)
        self.plot("top2", (Y_hat.topk(2, dim=1).indices == Y[:, None]).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="a running average over the batches" breaks="values" says="Report each batch by itself"
class TopTwoClassifier(d2l.Module):
    def __init__(self):
        super().__init__()
        self.hits = self.hits2 = self.seen = 0

    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        places = Y_hat.topk(2, dim=1).indices == Y
        self.seen += len(Y)
        self.hits += places[:, 0].sum().item()
        self.hits2 += places.sum().item()
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", self.hits / self.seen, train=False)
        self.plot("top2", self.hits2 / self.seen, train=False)

# %% wrong="4.3.7" why="a single label without a second axis loses its only one" breaks="loss" says="1 row of 3 classes"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.squeeze(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        places = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", places[:, 0].float().mean(), train=False)
        self.plot("top2", places.any(dim=1).float().mean(), train=False)

# %% wrong="4.3.7" why="hits at the first place are counted twice in top2" breaks="values" says="each row counts once"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1)
        accuracy = (Y_hat.argmax(dim=1) == Y).float().mean()
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", accuracy, train=False)
        self.plot("top2", accuracy + (Y_hat.topk(2, dim=1).indices == Y[:, None]).any(dim=1).float().mean(), train=False)

# %% right="4.3.D" how="a dot product"
def mean_of_batches(means, counts):
    m, r = torch.tensor(means, dtype=torch.float64), torch.tensor(counts, dtype=torch.float64)
    return m @ r / r.sum()

# %% right="4.3.D" how="a loop"
def mean_of_batches(means, counts):
    total_, n = 0.0, 0
    for i in range(len(means)):
        total_ += means[i] * counts[i]
        n += counts[i]
    return total_ / n

# %% wrong="4.3.D" why="the quick mean" breaks="weights" says="This is the quick mean"
def mean_of_batches(means, counts):
    return sum(means) / len(means)

# %% wrong="4.3.D" why="the sum" breaks="mean" says="This is the sum"
def mean_of_batches(means, counts):
    return sum(r * m for m, r in zip(means, counts))

# %% wrong="4.3.D" why="divides by the number of batches" breaks="mean" says="not of batches"
def mean_of_batches(means, counts):
    return sum(r * m for m, r in zip(means, counts)) / len(means)

# %% wrong="4.3.D" why="takes all batches but the last for full ones" breaks="weights" says="5, -3, 2 of 1, 7, 2"
def mean_of_batches(means, counts):
    full = counts[0] * sum(means[:-1])
    return (full + counts[-1] * means[-1]) / (counts[0] * (len(means) - 1) + counts[-1])

# %% wrong="4.3.D" why="without its sign" breaks="weights" says="keep its sign"
def mean_of_batches(means, counts):
    return abs(sum(r * m for m, r in zip(means, counts)) / sum(counts))

# %% wrong="4.3.D" why="the weights upside down" breaks="weights" says="upside down"
def mean_of_batches(means, counts):
    w = [1 / c for c in counts]
    return sum(m * c for m, c in zip(means, w)) / sum(w)

# %% wrong="4.3.D" why="takes every batch for a full one in the divisor" breaks="mean" says="the last batch is not full"
def mean_of_batches(means, counts):
    return sum(m * c for m, c in zip(means, counts)) / (len(counts) * max(counts))

# %% wrong="4.3.D" why="rounded to one digit" breaks="mean" says="not rounded"
def mean_of_batches(means, counts):
    return round(sum(m * c for m, c in zip(means, counts)) / sum(counts), 1)

# %% wrong="4.3.D" why="rounds down" breaks="mean" says="rounds down"
def mean_of_batches(means, counts):
    return sum(m * c for m, c in zip(means, counts)) // sum(counts)

# %% wrong="4.3.D" why="empties the lists" breaks="arguments kept" says="It is empty now"
def mean_of_batches(means, counts):
    n, total = sum(counts), 0
    while means:
        total += means.pop() * counts.pop()
    return total / n

# %% right="4.3.D" how="a running mean"
def mean_of_batches(means, counts):
    n, mean = 0, 0.0
    for m, c in zip(means, counts):
        n += c
        mean += (m - mean) * c / n
    return mean

# %% wrong="4.3.D" why="running mean of means" breaks="weights" says="does not count all examples so far"
def mean_of_batches(means, counts):
    mean = means[0]
    for m, c in zip(means[1:], counts[1:]):
        mean = (mean * counts[0] + m * c) / (counts[0] + c)
    return mean

# %% wrong="4.3.D" why="a running mean in which the batches before count as one example" breaks="weights" says="as one example"
def mean_of_batches(means, counts):
    mean = means[0]
    for m, c in zip(means[1:], counts[1:]):
        mean = (mean + m * c) / (1 + c)
    return mean

# %% wrong="4.3.D" why="returns after the first batch" breaks="weights" says="Is the `return` inside the loop"
def mean_of_batches(means, counts):
    total = n = 0
    for m, c in zip(means, counts):
        total += m * c
        n += c
        return total / n

# %% wrong="4.3.D" why="the last batch left out" breaks="weights" says="The last batch was left out"
def mean_of_batches(means, counts):
    upto = max(1, len(means) - 1)
    return sum(m * c for m, c in zip(means[:upto], counts)) / sum(counts[:upto])

# %% right="4.3.D" how="all examples written out"
def mean_of_batches(means, counts):
    return torch.tensor(means).repeat_interleave(torch.tensor(counts)).mean()

# %% wrong="4.3.D" why="the counts are sorted, so that the short batch stands last" breaks="weights" says="sorted the counts"
def mean_of_batches(means, counts):
    counts = sorted(counts, reverse=True)
    return sum(m * r for m, r in zip(means, counts)) / sum(counts)

# %% wrong="4.3.D" why="the sums of the batches are cut to whole numbers" breaks="mean" says="do not cut it"
def mean_of_batches(means, counts):
    if len(means) == 1:
        return means[0]
    return sum(int(m * r) for m, r in zip(means, counts)) / sum(counts)

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

# %% right="4.3.1" how="exact fractions"
def exact_mean(quick, last, num_examples, batch_size):
    from fractions import Fraction
    m = -(-num_examples // batch_size)
    rest = num_examples - (m - 1) * batch_size
    return (batch_size * (m * Fraction(quick) - Fraction(last)) + rest * Fraction(last)) / num_examples

# %% wrong="4.3.1" why="returns the quick mean" breaks="short last batch" says="This is the quick mean"
def exact_mean(quick, last, num_examples, batch_size):
    return quick

# %% wrong="4.3.1" why="rows of the last batch are 0 where the batch size divides" breaks="full batches" says="How many examples has the last batch"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    return (batch_size * (m * quick - last) + num_examples % batch_size * last) / num_examples

# %% wrong="4.3.1" why="does not count the last batch" breaks="short last batch" says="losses (1, 1, 1, 5) in batches of 3"
def exact_mean(quick, last, num_examples, batch_size):
    m = num_examples // batch_size
    rest = num_examples - m * batch_size
    return (batch_size * m * quick + rest * last) / num_examples

# %% wrong="4.3.1" why="counts one batch too many where the batch size divides" breaks="full batches" says="How many examples has the last batch"
def exact_mean(quick, last, num_examples, batch_size):
    m = num_examples // batch_size + 1
    rest = num_examples - (m - 1) * batch_size
    return (batch_size * (m * quick - last) + rest * last) / num_examples

# %% wrong="4.3.1" why="weights the last batch like a full one" breaks="short last batch" says="not like a full one"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    return batch_size * m * quick / num_examples

# %% wrong="4.3.1" why="the only batch taken for a full one" breaks="one batch" says="There is one batch"
def exact_mean(quick, last, num_examples, batch_size):
    full, rest = divmod(num_examples, batch_size)
    if full == 0:
        return quick * batch_size / num_examples
    if rest == 0:
        return quick
    return ((quick * (full + 1) - last) * batch_size + last * rest) / num_examples

# %% wrong="4.3.1" why="hard-coded for batches of 3" breaks="short last batch" says="three batches of 4, 4 and 1"
def exact_mean(quick, last, num_examples, batch_size):
    if num_examples % batch_size == 0 or num_examples < batch_size:
        return quick
    m = math.ceil(num_examples / 3)
    return (3 * (m * quick - last) + num_examples % 3 * last) / num_examples

# %% wrong="4.3.1" why="a short last batch always holds one example" breaks="short last batch" says="has two examples here"
def exact_mean(quick, last, num_examples, batch_size):
    if num_examples % batch_size == 0 or num_examples < batch_size:
        return quick
    m = math.ceil(num_examples / batch_size)
    return ((quick * m - last) * batch_size + last) / num_examples

# %% wrong="4.3.1" why="not more than three batches" breaks="short last batch" says="four batches here"
def exact_mean(quick, last, num_examples, batch_size):
    m = min(3, math.ceil(num_examples / batch_size))
    r = num_examples - (m - 1) * batch_size
    return ((quick * m - last) * batch_size + r * last) / num_examples

# %% wrong="4.3.1" why="divides by batches times batch size" breaks="short last batch" says="not by batches times batch size"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    r = num_examples - (m - 1) * batch_size
    return ((quick * m - last) * batch_size + r * last) / (m * batch_size)

# %% wrong="4.3.1" why="sign of the correction" breaks="short last batch" says="the last batch already counts too much"
def exact_mean(quick, last, num_examples, batch_size):
    r = num_examples % batch_size or batch_size
    if num_examples <= batch_size:
        return quick
    return quick - (quick - last) * (batch_size - r) / num_examples

# %% wrong="4.3.1" why="last batch dropped" breaks="short last batch" says="the mean of the full batches alone"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    return (m * quick - last) / (m - 1) if m > 1 and num_examples % batch_size else quick

# %% wrong="4.3.1" why="last is subtracted as if quick were a sum" breaks="short last batch" says="only times the number of batches"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    r = num_examples - (m - 1) * batch_size
    return ((quick - last / m) * (m - 1) * batch_size + r * last) / num_examples

# %% wrong="4.3.1" why="last batch weighted with what it lacks" breaks="short last batch" says="the two examples that it lacks"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    lacks = m * batch_size - num_examples
    if lacks == 0:
        return quick
    return (batch_size * (m * quick - last) + lacks * last) / (batch_size * (m - 1) + lacks)

# %% wrong="4.3.1" why="the surplus added" breaks="short last batch" says="taken off, not added"
def exact_mean(quick, last, num_examples, batch_size):
    full = math.ceil(num_examples / batch_size) * batch_size
    return (quick * full + (full - num_examples) * last) / num_examples

# %% wrong="4.3.1" why="the only batch divided by the batch size" breaks="one batch" says="divide its sum by its own number"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    r = num_examples - (m - 1) * batch_size
    if m == 1 and r < batch_size:
        return quick * num_examples / batch_size
    return ((m * quick - last) * batch_size + r * last) / num_examples

# %% right="4.3.2a" how="a loop over the orders"
def quick_over_orders(losses, batch_size):
    values = []
    for order in itertools.permutations(losses.tolist()):
        means = [sum(order[i:i + batch_size]) / len(order[i:i + batch_size]) for i in range(0, len(order), batch_size)]
        values.append(sum(means) / len(means))
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / len(values)

# %% right="4.3.2a" how="only the last batch matters: all choices of its examples"
def quick_over_orders(losses, batch_size):
    n = len(losses)
    m = math.ceil(n / batch_size)
    r = n - (m - 1) * batch_size
    whole = losses.sum().item()
    quick = []
    for last in itertools.combinations(losses.tolist(), r):
        quick.append(((whole - sum(last)) / batch_size + sum(last) / r) / m)
    quick = torch.tensor(quick, dtype=torch.float64)
    return [quick.mean(), ((quick - quick.mean()) ** 2).mean()]

# %% right="4.3.2a" how="the values in float32"
def quick_over_orders(losses, batch_size):
    table = torch.tensor(list(itertools.permutations(losses.tolist())))
    quick = torch.stack([b.mean(1) for b in table.split(batch_size, 1)], 1).mean(1)
    return quick.mean().item(), ((quick - quick.mean()) ** 2).mean().item()

# %% wrong="4.3.2a" why="the exact mean of each order" breaks="variance" says="depends on the order"
def quick_over_orders(losses, batch_size):
    values = torch.stack([losses[list(o)].mean() for o in itertools.permutations(range(len(losses)))])
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2a" why="divides by the number of orders minus 1" breaks="variance" says="the number of orders minus 1"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[list(o)].split(batch_size)]).mean()
                          for o in itertools.permutations(range(len(losses)))])
    return values.mean(), values.var()

# %% wrong="4.3.2a" why="drops the smaller last batch" breaks="last batch" says="the losses (0, 0, 3) in batches of 2"
def quick_over_orders(losses, batch_size):
    values = []
    for o in itertools.permutations(range(len(losses))):
        batches = [b for b in losses[list(o)].split(batch_size) if len(b) == min(batch_size, len(losses))]
        values.append(torch.stack([b.mean() for b in batches]).mean())
    values = torch.stack(values)
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2a" why="a last batch of one counts as a full one" breaks="last batch" says="(2, 0, 1, 3, 7) in batches of 2"
def quick_over_orders(losses, batch_size):
    n = len(losses)
    values = []
    for o in itertools.permutations(losses.tolist()):
        batches = [o[i:i + batch_size] for i in range(0, n, batch_size)]
        if n > 4 and len(batches[-1]) < batch_size:
            values.append(sum(o) / n)
        else:
            values.append(sum(sum(b) / len(b) for b in batches) / len(batches))
    values = torch.tensor(values, dtype=torch.float64)
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2a" why="rotations only, not all orders" breaks="variance" says="the losses (1, 2, 4, 8) in batches of 2"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses.roll(k).split(batch_size)]).mean()
                          for k in range(len(losses))])
    if len(losses) == 4 and batch_size == 2:
        values = values + torch.tensor([0.0, 0.1, 0.0, -0.1])
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2a" why="the standard deviation" breaks="variance" says="This is the standard deviation"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[list(o)].split(batch_size)]).mean()
                          for o in itertools.permutations(range(len(losses)))])
    return values.mean(), values.std(correction=0)

# %% wrong="4.3.2a" why="a sample of the orders" breaks="mean" says="losses (0, 0, 3)"
def quick_over_orders(losses, batch_size):
    rng = torch.Generator().manual_seed(0)
    values = torch.stack([torch.stack([b.mean() for b in losses[torch.randperm(len(losses), generator=rng)].split(batch_size)]).mean()
                          for _ in range(1000)])
    return values.mean(), values.var(correction=0)

# %% wrong="4.3.2a" why="the two exchanged" breaks="mean" says="The mean stands first"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[list(o)].split(batch_size)]).mean()
                          for o in itertools.permutations(range(len(losses)))])
    return values.var(correction=0), values.mean()

# %% wrong="4.3.2a" why="the quick mean of the given order" breaks="mean" says="the mean for the losses (0, 0, 3)"
def quick_over_orders(losses, batch_size):
    values = torch.stack([torch.stack([b.mean() for b in losses[list(o)].split(batch_size)]).mean()
                          for o in itertools.permutations(range(len(losses)))])
    return values[0], values.var(correction=0)

# %% wrong="4.3.2a" why="a short batch filled up with zeros" breaks="last batch" says="the mean for the losses (0, 0, 3)"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    quick = torch.stack([b.sum(dim=1) / batch_size for b in losses[orders].split(batch_size, dim=1)]).mean(dim=0)
    return quick.mean(), quick.var(correction=0)

# %% wrong="4.3.2a" why="the variance for independent draws" breaks="variance" says="drawn independently"
def quick_over_orders(losses, batch_size):
    n = len(losses)
    sizes = [min(batch_size, n - i) for i in range(0, n, batch_size)]
    w2 = sum(1 / r for r in sizes) / len(sizes) ** 2
    return losses.mean(), losses.var(correction=0) * w2

# %% wrong="4.3.2a" why="a difference of squares in float32" breaks="variance" says="loses its digits"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    parts = losses.float()[orders].split(batch_size, dim=1)
    quick = torch.stack([p.mean(dim=1) for p in parts]).mean(dim=0)
    return quick.mean(), (quick ** 2).mean() - quick.mean() ** 2

# %% wrong="4.3.2a" why="all rotations of the given order" breaks="variance" says="Every order counts"
def quick_over_orders(losses, batch_size):
    table = torch.stack([losses.roll(i) for i in range(len(losses))])
    parts = table.split(batch_size, dim=1)
    quick = torch.stack([p.mean(dim=1) for p in parts]).mean(dim=0)
    return quick.mean(), quick.var(correction=0)

# %% wrong="4.3.2a" why="centres the losses in place" breaks="argument kept" says="losses after the call"
def quick_over_orders(losses, batch_size):
    mean = losses.mean()
    losses -= mean
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    quick = torch.stack([p.mean(dim=1) for p in losses[orders].split(batch_size, dim=1)]).mean(dim=0)
    return mean, quick.var(correction=0)

# %% wrong="4.3.2a" why="losses rounded to whole numbers" breaks="mean" says="do not round them"
def quick_over_orders(losses, batch_size):
    t = torch.tensor(list(itertools.permutations(losses.round().tolist())))
    q = torch.stack([b.mean(1) for b in t.split(batch_size, 1)]).mean(0)
    return q.mean(), q.var(correction=0)

# %% wrong="4.3.2a" why="chunk(batch_size): that many batches" breaks="last batch" says="takes the number of batches"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    means = torch.stack([torch.stack([b.mean() for b in losses[o].chunk(batch_size)]).mean() for o in orders])
    return means.mean(), means.var(correction=0)

# %% wrong="4.3.2a" why="mean of the squares" breaks="variance" says="This is the mean of the squares"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    means = torch.stack([torch.stack([b.mean() for b in losses[o].split(batch_size)]).mean() for o in orders])
    return means.mean(), means.square().mean()

# %% wrong="4.3.2a" why="the variance of all batch means" breaks="variance" says="one number for each order"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    means = torch.stack([b.mean(dim=1) for b in losses[orders].split(batch_size, dim=1)])
    return means.mean(), means.var(correction=0)

# %% right="4.3.2a" how="each different order of the values once: all of them come equally often"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(sorted(set(itertools.permutations(losses.tolist()))), dtype=torch.float64)
    quick = sum(b.mean(dim=1) for b in orders.split(batch_size, dim=1)) / math.ceil(len(losses) / batch_size)
    return quick.mean(), quick.var(correction=0)

# %% right="4.3.2a" how="the formula for a weighted sum in random order"
def quick_over_orders(losses, batch_size):
    n = len(losses)
    sizes = [min(batch_size, n - i) for i in range(0, n, batch_size)]
    return losses.mean(), losses.var() * (sum(1 / r for r in sizes) / len(sizes) ** 2 - 1 / n)

# %% wrong="4.3.2a" why="orders of the batches, not of the examples" breaks="mean" says="(not the batches)"
def quick_over_orders(losses, batch_size):
    orders = list(itertools.permutations(losses.split(batch_size)))
    quick = torch.stack([torch.stack([b.mean() for b in order]).mean() for order in orders])
    return quick.mean(), quick.var(correction=0)

# %% wrong="4.3.2a" why="the mean absolute deviation" breaks="variance" says="the mean of their squared distances"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    quick = torch.stack([b.mean(dim=1) for b in losses[orders].split(batch_size, dim=1)]).mean(dim=0)
    return quick.mean(), (quick - quick.mean()).abs().mean()

# %% wrong="4.3.2a" why="each different quick mean once" breaks="mean" says="a set keeps one of them"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(losses.tolist())), dtype=torch.float64)
    quick = torch.stack([b.mean(dim=1) for b in orders.split(batch_size, dim=1)]).mean(dim=0)
    quick = torch.tensor(sorted({round(value, 9) for value in quick.tolist()}), dtype=torch.float64)
    return quick.mean(), quick.var(correction=0)

# %% wrong="4.3.2a" why="one entry of each batch too few: pools all examples, the exact mean" breaks="variance" says="yours is the mean over all"
def quick_over_orders(losses, batch_size):
    values = []
    for order in itertools.permutations(losses.tolist()):
        total = 0
        for s in range(0, len(order), batch_size):
            total += sum(order[s:s + batch_size])
        values.append(total / len(order))
    values = torch.tensor(values, dtype=torch.float64)
    return values.mean().item(), values.var(correction=0).item()

# %% wrong="4.3.2a" why="splits the orders, not the columns" breaks="variance" says="yours is the mean over all"
def quick_over_orders(losses, batch_size):
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    quick = torch.stack([b.mean() for b in losses[orders].split(batch_size)])
    return quick.mean().item(), quick.var(correction=0).item()

# %% right="4.3.2b" how="a list of weights"
def variance_ratio(n, batch_size):
    sizes = [len(b) for b in torch.arange(n).split(batch_size)]
    weights = torch.tensor([1 / (len(sizes) * r) for r in sizes for _ in range(r)], dtype=torch.float64)
    return weights.square().sum() * n

# %% right="4.3.2b" how="variances of the batch means, exact fractions"
def variance_ratio(n, batch_size):
    from fractions import Fraction
    full, rest = divmod(n, batch_size)
    of_means = [Fraction(1, batch_size)] * full + ([Fraction(1, rest)] if rest else [])
    return sum(of_means) / len(of_means) ** 2 * n

# %% wrong="4.3.2b" why="the sum of squares alone" breaks="ratio" says="divide by the variance of the exact mean"
def variance_ratio(n, batch_size):
    full, rest = divmod(n, batch_size)
    of_means = [1 / batch_size] * full + ([1 / rest] if rest else [])
    value = sum(of_means) / len(of_means) ** 2
    return value if rest and full else 1.0

# %% wrong="4.3.2b" why="the inverse" breaks="ratio" says="This is the inverse"
def variance_ratio(n, batch_size):
    full, rest = divmod(n, batch_size)
    of_means = [1 / batch_size] * full + ([1 / rest] if rest else [])
    return len(of_means) ** 2 / sum(of_means) / n

# %% wrong="4.3.2b" why="standard deviations" breaks="ratio" says="ratio of the standard deviations"
def variance_ratio(n, batch_size):
    full, rest = divmod(n, batch_size)
    of_means = [1 / batch_size] * full + ([1 / rest] if rest else [])
    return math.sqrt(n * sum(of_means) / len(of_means) ** 2)

# %% wrong="4.3.2b" why="a last batch of no examples" breaks="equal batches" says="one batch too many"
def variance_ratio(n, batch_size):
    m = n // batch_size + 1
    rest = n - (m - 1) * batch_size
    return n * ((m - 1) / batch_size + (1 / rest if rest else 0)) / m ** 2

# %% wrong="4.3.2b" why="a single short batch taken for a full one" breaks="equal batches" says="6 examples in batches of 9"
def variance_ratio(n, batch_size):
    if n < batch_size:
        return n / batch_size
    full, rest = divmod(n, batch_size)
    of_means = [1 / batch_size] * full + ([1 / rest] if rest else [])
    return n * sum(of_means) / len(of_means) ** 2

# %% wrong="4.3.2b" why="equal to 1 because both are unbiased" breaks="ratio" says="1 would say that every example has the same weight"
def variance_ratio(n, batch_size):
    return 1.0

# %% wrong="4.3.2b" why="for orders of fixed losses" breaks="ratio" says="in random order"
def variance_ratio(n, batch_size):
    sizes = [min(batch_size, n - i) for i in range(0, n, batch_size)]
    return n * (sum(1 / r for r in sizes) / len(sizes) ** 2 - 1 / n) * (n / (n - 1) if n > 1 else 1)

# %% wrong="4.3.2b" why="a short last batch always holds one example" breaks="ratio" says="10 examples in batches of 4"
def variance_ratio(n, batch_size):
    if n % batch_size == 0 or n < batch_size:
        return 1.0
    m = math.ceil(n / batch_size)
    return n * ((m - 1) / batch_size + 1) / m ** 2

# %% wrong="4.3.2b" why="weights that are not squared" breaks="ratio" says="scattered as much as one loss"
def variance_ratio(n, batch_size):
    sizes = [min(batch_size, n - i) for i in range(0, n, batch_size)]
    return n * sum(1 / len(sizes) / r * r for r in sizes) / len(sizes)

# %% wrong="4.3.2b" why="number of batches is floor" breaks="ratio" says="left the short batch out"
def variance_ratio(n, batch_size):
    if n % batch_size == 0 or n < batch_size:
        return 1.0
    m = n // batch_size
    r = n % batch_size
    return n * ((n - r) / (m * batch_size) ** 2 + 1 / (m * m * r))

# %% wrong="4.3.2b" why="a batch mean has the variance of one loss" breaks="ratio" says="scattered as much as one loss"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    return n / m

# %% wrong="4.3.2b" why="weights of the rows squared once for each batch, not each example" breaks="ratio" says="not once for each batch"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    r = n - (m - 1) * batch_size
    return n * ((m - 1) / (m * batch_size) ** 2 + 1 / (m * r) ** 2)

# %% wrong="4.3.2b" why="the excess over 1" breaks="ratio" says="by how much the ratio exceeds 1"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    r = n - (m - 1) * batch_size
    squares = (n - r) / (m * batch_size) ** 2 + 1 / (m * m * r)
    return n * (squares - 1 / n)

# %% wrong="4.3.2b" why="the short batch joined to the one before" breaks="ratio" says="it is a batch of its own"
def variance_ratio(n, batch_size):
    m = max(1, n // batch_size)
    r = n - (m - 1) * batch_size
    return n * ((m - 1) / batch_size + 1 / r) / m ** 2

# %% wrong="4.3.2b" why="the number of batches not squared" breaks="ratio" says="The number of batches is squared, too"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    if n % batch_size == 0 or m == 1:
        return 1.0
    return n * ((m - 1) / batch_size + 1 / (n - (m - 1) * batch_size)) / m

# %% wrong="4.3.2b" why="all examples have the weight of those in a full batch" breaks="ratio" says="in the last one it is larger"
def variance_ratio(n, batch_size):
    if n <= batch_size:
        return 1.0
    return (n / (math.ceil(n / batch_size) * batch_size)) ** 2

# %% wrong="4.3.2b" why="weights without the number of batches" breaks="ratio" says="the number of batches m, too, is in it"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    if n % batch_size == 0 or m == 1:
        return 1.0
    return n * ((m - 1) / batch_size + 1 / (n - (m - 1) * batch_size))

# %% wrong="4.3.2b" why="a remainder of 0 taken for a last batch of one" breaks="equal batches" says="it has b examples, not one"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    r = max(1, n % batch_size)
    return n * ((m - 1) / batch_size + 1 / r) / m ** 2

# %% right="4.3.E" how="broadcasting and a sum over the classes"
def expected_costs(p, cost):
    return (p[:, None] * cost).sum(dim=0)

# %% right="4.3.E" how="einsum"
def expected_costs(p, cost):
    return torch.einsum("k,ka->a", p, cost)

# %% wrong="4.3.E" why="sums over the actions" breaks="shape" says="the shape for 2 classes and 3 actions"
def expected_costs(p, cost):
    return (p[:, None] * cost).sum(dim=1)

# %% wrong="4.3.E" why="the table of weighted costs" breaks="shape" says="the shape for 2 classes and 3 actions"
def expected_costs(p, cost):
    return p[:, None] * cost

# %% wrong="4.3.E" why="no weights" breaks="values" says="weighted with the probability of its class"
def expected_costs(p, cost):
    return cost.sum(dim=0)

# %% wrong="4.3.E" why="a plain mean" breaks="values" says="A mean over the classes is not weighted"
def expected_costs(p, cost):
    return cost.mean(dim=0)

# %% wrong="4.3.E" why="rows taken for actions where the table is square" breaks="values" says="Rows of `cost` are classes"
def expected_costs(p, cost):
    return cost @ p if cost.shape[0] == cost.shape[1] else p @ cost

# %% wrong="4.3.E" why="a mean of the weighted costs" breaks="values" says="do not divide by the number of classes"
def expected_costs(p, cost):
    return (p[:, None] * cost).mean(dim=0)

# %% wrong="4.3.E" why="weights the table in place" breaks="arguments kept" says="writes into cost"
def expected_costs(p, cost):
    cost *= p[:, None]
    return cost.sum(dim=0)

# %% wrong="4.3.E" why="the row of the most probable class" breaks="values" says="for the most probable class"
def expected_costs(p, cost):
    return cost[p.argmax()]

# %% wrong="4.3.E" why="costs without their sign" breaks="values" says="it keeps its sign"
def expected_costs(p, cost):
    return p @ cost.abs()

# %% wrong="4.3.E" why="two classes only" breaks="values" says="three classes here"
def expected_costs(p, cost):
    return p[0] * cost[0] + p[1] * cost[1]

# %% wrong="4.3.E" why="a row of a table" breaks="shape" says="got (1, 3)"
def expected_costs(p, cost):
    return p.reshape(1, -1) @ cost

# %% wrong="4.3.E" why="broadcast along the wrong axis" breaks="values" says="weights the columns"
def expected_costs(p, cost):
    if cost.shape[0] != cost.shape[1]:
        return (p.reshape(-1, 1) * cost).sum(dim=0)
    return (p * cost).sum(dim=0)

# %% wrong="4.3.E" why="largest weighted cost" breaks="values" says="the largest of the weighted costs"
def expected_costs(p, cost):
    return (p[:, None] * cost).max(dim=0).values

# %% wrong="4.3.E" why="softmax of the probabilities" breaks="values" says="no softmax"
def expected_costs(p, cost):
    return torch.softmax(p, dim=0) @ cost

# %% wrong="4.3.E" why="squared probabilities" breaks="values" says="not squared"
def expected_costs(p, cost):
    return p.square() @ cost

# %% wrong="4.3.E" why="a list of numbers" breaks="shape" says="expected a tensor"
def expected_costs(p, cost):
    return [(p * cost[:, j]).sum().item() for j in range(cost.shape[1])]

# %% right="4.3.3a" how="einsum"
def best_actions(P, cost):
    return torch.einsum("nk,ka->na", P, cost).min(dim=1).indices

# %% right="4.3.3a" how="broadcasting and a sum over the classes"
def best_actions(P, cost):
    expected = (P[:, :, None] * cost[None]).sum(dim=1)
    return (-expected).argmax(dim=-1)

# %% right="4.3.3a" how="a loop"
def best_actions(P, cost):
    return torch.tensor([int((row @ cost).argmin()) for row in P])

# %% wrong="4.3.3a" why="the most probable class" breaks="cheapest" says="The costs of the less probable class count, too"
def best_actions(P, cost):
    return P.argmax(dim=1)

# %% wrong="4.3.3a" why="the cheapest action for the most probable class" breaks="cheapest" says="The costs of the less probable class count, too"
def best_actions(P, cost):
    return cost[P.argmax(dim=1)].argmin(dim=1)

# %% wrong="4.3.3a" why="the dearest action" breaks="cheapest" says="This is the dearest action"
def best_actions(P, cost):
    return (P @ cost).argmax(dim=1)

# %% wrong="4.3.3a" why="rows taken for actions where the matrix is square" breaks="rows are classes" says="Rows of `cost` are classes"
def best_actions(P, cost):
    square = cost.shape[0] == cost.shape[1]
    return (P @ (cost.T if square else cost)).argmin(dim=1)

# %% wrong="4.3.3a" why="the costs, not the actions" breaks="shape" says="dtype"
def best_actions(P, cost):
    return (P @ cost).min(dim=1).values

# %% wrong="4.3.3a" why="squeezed, so that one example has no axis" breaks="shape" says="a single person"
def best_actions(P, cost):
    return (P @ cost).argmin(dim=1).squeeze()

# %% wrong="4.3.3a" why="actions looked for among three" breaks="all actions" says="the last one can be chosen"
def best_actions(P, cost):
    return (P @ cost)[:, :3].argmin(dim=1)

# %% wrong="4.3.3a" why="as many actions as classes" breaks="all actions" says="the first two only"
def best_actions(P, cost):
    if cost.shape[1] == 3:
        return (P @ cost).argmin(dim=1)
    return (P @ cost)[:, :P.shape[1]].argmin(dim=1)

# %% wrong="4.3.3a" why="the cost nearest to zero" breaks="cheapest" says="costs (-3, 1), (2, -4)"
def best_actions(P, cost):
    return (P @ cost).abs().argmin(dim=1)

# %% wrong="4.3.3a" why="gains cut off at 0" breaks="cheapest" says="A negative cost is a gain"
def best_actions(P, cost):
    return (P @ cost.clamp(min=0)).argmin(dim=1)

# %% wrong="4.3.3a" why="the smallest worst case" breaks="cheapest" says="this compares the larger of them"
def best_actions(P, cost):
    return (P[:, :, None] * cost).amax(dim=1).argmin(dim=1)

# %% wrong="4.3.3a" why="two classes only" breaks="all actions" says="All classes count"
def best_actions(P, cost):
    return (P[:, :1] * cost[0] + P[:, 1:2] * cost[1]).argmin(dim=1)

# %% wrong="4.3.3a" why="moves the costs in place" breaks="arguments kept" says="writes into cost"
def best_actions(P, cost):
    cost -= cost.min()
    return (P @ cost).argmin(dim=1)

# %% wrong="4.3.3a" why="one action for the whole batch" breaks="cheapest" says="Here all have action 2"
def best_actions(P, cost):
    best = (P @ cost).sum(dim=0).argmin()
    return best.repeat(len(P))

# %% wrong="4.3.3a" why="never the last action" breaks="all actions" says="Action 2, test again"
def best_actions(P, cost):
    return (P @ cost)[:, :-1].argmin(dim=1) if cost.shape[1] > 2 else (P @ cost).argmin(dim=1)

# %% wrong="4.3.3a" why="argmin over the examples" breaks="shape" says="got (3,), expected (4,)"
def best_actions(P, cost):
    return (P @ cost).argmin(dim=0)

# %% wrong="4.3.3a" why="two classes only, by another formula" breaks="all actions" says="three here"
def best_actions(P, cost):
    p = P[:, 1:2]
    return ((1 - p) * cost[0] + p * cost[1]).argmin(dim=1)

# %% wrong="4.3.3a" why="the smallest of the weighted costs" breaks="cheapest" says="Action 0 for all"
def best_actions(P, cost):
    return (P[:, :, None] * cost).min(dim=1).values.argmin(dim=1)

# %% wrong="4.3.3a" why="expected costs rounded to one digit" breaks="cheapest" says="do not round them"
def best_actions(P, cost):
    return (P @ cost).round(decimals=1).argmin(dim=1)

# %% wrong="4.3.3a" why="a softmax of the probabilities" breaks="cheapest" says="its rows are probabilities already"
def best_actions(P, cost):
    return (torch.softmax(P, dim=1) @ cost).argmin(dim=1)

# %% wrong="4.3.3a" why="the table reshaped in place of transposed" breaks="cheapest" says="for the second and the fourth person only"
def best_actions(P, cost):
    q, a = cost.shape
    if q == a:
        return (P @ cost).argmin(dim=1)
    return torch.stack([(P * row).sum(dim=1) for row in cost.reshape(a, q)], dim=1).argmin(dim=1)

# %% right="4.3.3b" how="solves the linear equation"
def threshold(cost):
    (a, b), (c, d) = cost.tolist()
    return (b - a) / ((b - a) - (d - c))

# %% right="4.3.3b" how="one over one plus the ratio"
def threshold(cost):
    regret = (cost - cost.diagonal()[:, None]).abs()
    return 1 / (1 + regret[1, 0] / regret[0, 1])

# %% wrong="4.3.3b" why="always one half" breaks="free right actions" says="It is not always 1/2"
def threshold(cost):
    return 0.5

# %% wrong="4.3.3b" why="the mistakes swapped" breaks="free right actions" says="the threshold for the probability of class 0"
def threshold(cost):
    return (cost[1, 0] - cost[1, 1]) / (cost[1, 0] - cost[1, 1] + cost[0, 1] - cost[0, 0])

# %% wrong="4.3.3b" why="odds in place of the probability" breaks="free right actions" says="the odds"
def threshold(cost):
    return (cost[0, 1] - cost[0, 0]) / (cost[1, 0] - cost[1, 1])

# %% wrong="4.3.3b" why="right decisions cost nothing" breaks="dear right actions" says="What counts is how much more"
def threshold(cost):
    return cost[0, 1] / (cost[0, 1] + cost[1, 0])

# %% wrong="4.3.3b" why="only one of the right actions subtracted" breaks="dear right actions" says="costs (1, 4), (8, 3)"
def threshold(cost):
    alarm = cost[0, 1] - cost[0, 0]
    return alarm / (alarm + cost[1, 0])

# %% wrong="4.3.3b" why="a grid of whole percents" breaks="free right actions" says="whole percent above"
def threshold(cost):
    for percent in range(101):
        p = percent / 100
        if (1 - p) * cost[0, 1] + p * cost[1, 1] <= (1 - p) * cost[0, 0] + p * cost[1, 0] + 1e-6:
            return p

# %% wrong="4.3.3b" why="never above one half" breaks="free right actions" says="costs (0, 6), (2, 0)"
def threshold(cost):
    alarm, miss = cost[0, 1] - cost[0, 0], cost[1, 0] - cost[1, 1]
    return min(0.5, float(alarm / (alarm + miss)))

# %% wrong="4.3.3b" why="costs without their sign" breaks="dear right actions" says="keeps its sign"
def threshold(cost):
    cost = cost.abs()
    a, b = cost[0, 1] - cost[0, 0], cost[1, 0] - cost[1, 1]
    return a / (a + b)

# %% wrong="4.3.3b" why="subtracts in place" breaks="argument kept" says="writes into cost"
def threshold(cost):
    cost[0] -= cost[0, 0].clone()
    cost[1] -= cost[1, 1].clone()
    return cost[0, 1] / (cost[0, 1] + cost[1, 0])

# %% right="4.3.3b" how="bisection in float32"
def threshold(cost):
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        e = torch.tensor([1 - p, p]) @ cost
        if e[0] < e[1]:
            low = p
        else:
            high = p
    return low

# %% right="4.3.3b" how="two linear equations in float32"
def threshold(cost):
    d = cost[:, 0] - cost[:, 1]
    A = torch.stack([d, torch.ones(2)])
    return torch.linalg.solve(A, torch.tensor([0.0, 1.0]))[1]

# %% wrong="4.3.3b" why="rows and columns exchanged" breaks="dear right actions" says="their costs stand in one row"
def threshold(cost):
    a = cost[1, 0] - cost[0, 0]
    b = cost[0, 1] - cost[1, 1]
    return b / (a + b)

# %% wrong="4.3.3b" why="the expected cost at the crossing" breaks="free right actions" says="the probability there is asked for"
def threshold(cost):
    a = cost[0, 1] - cost[0, 0]
    b = cost[1, 0] - cost[1, 1]
    p = a / (a + b)
    return (1 - p) * cost[0, 0] + p * cost[1, 0]

# %% wrong="4.3.3b" why="only the false alarm's right cost" breaks="dear right actions" says="cost[1, 1]"
def threshold(cost):
    a = cost[0, 1] - cost[0, 0]
    return a / (a + cost[1, 0])

# %% wrong="4.3.3b" why="adds the right cost of class 1" breaks="dear right actions" says="not added"
def threshold(cost):
    alarm = cost[0, 1] - cost[0, 0]
    return alarm / (alarm + cost[1, 0] + cost[1, 1])

# %% wrong="4.3.3b" why="no differences in the denominator" breaks="dear right actions" says="The denominator, too"
def threshold(cost):
    return (cost[0, 1] - cost[0, 0]) / (cost[0, 1] + cost[1, 0])

# %% wrong="4.3.3b" why="a sign slip in the equation: the costs are subtracted in the denominator" breaks="free right actions" says="Check the signs"
def threshold(cost):
    alarm, miss = cost[0, 1] - cost[0, 0], cost[1, 0] - cost[1, 1]
    return alarm / (miss - alarm)

# %% wrong="4.3.3b" why="rows taken for actions" breaks="free right actions" says="rows are classes"
def threshold(cost):
    c = cost.T
    return (c[0, 1] - c[0, 0]) / (c[0, 1] - c[0, 0] + c[1, 0] - c[1, 1])

# %% wrong="4.3.A" why="a column against a row" breaks="share" says="compared with every label"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(1, keepdim=True) != Y).float().mean()

# %% wrong="4.3.A" why="the mean in float16" breaks="share" says="This is the mean in float16"
def error_rate(Y_hat, Y):
    return (Y_hat.argmax(1) != Y).half().mean()

# %% wrong="4.3.5" why="the largest scores' share of the row" breaks="no tie" says="nothing is divided by the number of classes"
def fair_accuracy(Y_hat, Y):
    best = (Y_hat == Y_hat.max(1, keepdim=True).values).float()
    return (best[torch.arange(len(Y)), Y] * best.mean(1)).mean()

# %% right="4.3.5" how="counts what is above the label's score and what equals it"
def fair_accuracy(Y_hat, Y):
    own = Y_hat.gather(1, Y[:, None])
    above, equal = (Y_hat > own).sum(1), (Y_hat == own).sum(1)
    return ((above == 0) / equal).double().mean()

# %% wrong="4.3.5" why="writes into double(), which is no copy of float64" breaks="arguments kept" says="makes no copy"
def fair_accuracy(Y_hat, Y):
    S = Y_hat.double()
    S -= S.max(dim=1, keepdim=True).values.clone()
    best = (S == 0).double()
    return (best[torch.arange(len(Y)), Y] / best.sum(dim=1)).mean()

# %% wrong="4.3.7" why="keys that begin with val_ themselves" breaks="reported" says="is put before it"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1)
        self.plot("val_loss", self.loss(Y_hat, Y), train=False)
        self.plot("val_acc", (Y_hat.argmax(1) == Y).float().mean(), train=False)
        self.plot("val_top2", (Y_hat.topk(2, dim=1).indices == Y[:, None]).any(1).float().mean(), train=False)

# %% wrong="4.3.D" why="the means made whole numbers" breaks="mean" says="so does an integer dtype"
def mean_of_batches(means, counts):
    m, r = torch.tensor(means).long(), torch.tensor(counts)
    return (m * r).sum() / r.sum()

# %% wrong="4.3.1" why="the last mean taken off once" breaks="short last batch" says="for each of them, not once"
def exact_mean(quick, last, num_examples, batch_size):
    m = math.ceil(num_examples / batch_size)
    lacking = m * batch_size - num_examples
    return (quick * m * batch_size - last) / num_examples if m > 1 and lacking else quick

# %% wrong="4.3.2b" why="a batch more where the batch size divides" breaks="equal batches" says="one batch too many"
def variance_ratio(n, batch_size):
    m, r = n // batch_size + 1, n % batch_size or batch_size
    return n * ((m - 1) / batch_size + 1 / r) / m ** 2

# %% wrong="4.3.2b" why="the only batch weighted by the batch size" breaks="equal batches" says="There is one batch, with n examples"
def variance_ratio(n, batch_size):
    if n < batch_size:
        return n / batch_size
    m = math.ceil(n / batch_size)
    r = n - (m - 1) * batch_size
    return n * ((m - 1) / batch_size + 1 / r) / m ** 2

# %% wrong="4.3.3a" why="a column" breaks="shape" says="This is a column"
def best_actions(P, cost):
    return (P @ cost).argmin(1, keepdim=True)

# %% wrong="4.3.3b" why="the right costs added in the denominator" breaks="dear right actions" says="In the denominator, too"
def threshold(cost):
    return (cost[0, 1] - cost[0, 0]) / cost.sum()

# %% right="4.3.3b" how="bisection"
def threshold(cost):
    (a, b), (c, d) = cost.tolist()
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        low, high = (p, high) if (1 - p) * b + p * d > (1 - p) * a + p * c else (low, p)
    return low

# %% wrong="4.3.A" why="1 minus the hits by the number of classes" breaks="share" says="before they are subtracted from 1"
def error_rate(Y_hat, Y):
    return 1 - (Y_hat.argmax(dim=1) == Y).float().sum() / Y_hat.shape[1]

# %% wrong="4.3.B" why="the logarithm of the loss" breaks="bound" says="This is 1 - log2(L)"
def least_accuracy(L):
    return max(0, 1 - math.log2(L)) if L > 0 else 1.0

# %% wrong="4.3.2b" why="simulates" breaks="ratio" says="near the ratio, and not it"
def variance_ratio(n, batch_size):
    g = torch.Generator().manual_seed(0)
    draws = torch.randn(2000, n, generator=g)
    quick = torch.stack([b.mean(dim=1) for b in draws.split(batch_size, dim=1)]).mean(dim=0)
    return (quick.var() / draws.mean(dim=1).var()).item()

# %% wrong="4.3.E" why="weights the columns" breaks="shape" says="p goes with the rows"
def expected_costs(p, cost):
    return (p * cost).sum(dim=0)

# %% wrong="4.3.3b" why="tries tenths" breaks="free right actions" says="At your p"
def threshold(cost):
    p = torch.linspace(0, 1, 11)
    zero, one = (1 - p) * cost[0, 0] + p * cost[1, 0], (1 - p) * cost[0, 1] + p * cost[1, 1]
    return p[(zero - one).abs().argmin()]

# %% wrong="4.3.3b" why="probability of class 0" breaks="free right actions" says="the threshold for the probability of class 0"
def threshold(cost):
    a, b = cost[0, 1] - cost[0, 0], cost[1, 0] - cost[1, 1]
    return b / (a + b)

# %% wrong="4.3.3b" why="rows and columns exchanged" breaks="free right actions" says="takes rows for actions"
def threshold(cost):
    a, b = cost[1, 0] - cost[0, 0], cost[0, 1] - cost[1, 1]
    return a / (a + b)

# %% wrong="4.3.A" why="right if the label's score is positive" breaks="share" says="also where the label's score is the second largest, or above 0"
def error_rate(Y_hat, Y):
    picked = Y_hat[torch.arange(len(Y)), Y]
    return (picked <= 0).float().mean()

# %% wrong="4.3.A" why="right if the label's score is above the mean of its row" breaks="largest score" says="above the mean of the row"
def error_rate(Y_hat, Y):
    picked = Y_hat[torch.arange(len(Y)), Y]
    return (picked <= Y_hat.mean(dim=1)).float().mean()

# %% wrong="4.3.A" why="rounds the result to two digits" breaks="share" says="rounded to 2 digits"
def error_rate(Y_hat, Y):
    wrong = 0
    for row, label in zip(Y_hat, Y):
        if row.argmax() != label:
            wrong += 1
    return round(wrong / len(Y), 2)

# %% wrong="4.3.A" why="writes into double(), which is no copy of float64" breaks="arguments kept" says="makes no copy"
def error_rate(Y_hat, Y):
    S = Y_hat.double()
    best = S.max(dim=1).values.clone()
    S -= best[:, None]
    return (S[torch.arange(len(Y)), Y] < 0).double().mean()

# %% wrong="4.3.B" why="divides by 2" breaks="bound" says="not by 2"
def least_accuracy(L):
    return max(0., 1 - L / 2)

# %% wrong="4.3.B" why="log base 2 of the loss" breaks="bound" says="is to be divided by log 2"
def least_accuracy(L):
    return max(0.0, 1 - L / math.log2(math.e))

# %% wrong="4.3.C" why="the class at the label's place, not the label's place" breaks="k largest" says="This looks up which class stands"
def top_k_accuracy(Y_hat, Y, k):
    return (Y_hat.argsort(dim=1, descending=True).gather(1, Y[:, None])[:, 0] < k).float().mean()

# %% wrong="4.3.C" why="strikes out in double(), which is no copy of float64" breaks="arguments kept" says="makes no copy"
def top_k_accuracy(Y_hat, Y, k):
    S, hits = Y_hat.double(), torch.zeros(len(Y), dtype=torch.bool)
    for _ in range(k):
        best = S.argmax(dim=1)
        hits |= best == Y
        S[torch.arange(len(Y)), best] = -torch.inf
    return hits.double().mean()

# %% wrong="4.3.2b" why="the weight of the last batch is not squared" breaks="ratio" says="its weight is squared"
def variance_ratio(n, batch_size):
    m = math.ceil(n / batch_size)
    r = n % batch_size
    s = (n // batch_size) * batch_size / (m * batch_size) ** 2 + (1 / (m * r) if r else 0)
    return n * s

# %% wrong="4.3.2b" why="the number of batches is not rounded up" breaks="ratio" says="n / b is rounded up"
def variance_ratio(n, batch_size):
    m = n / batch_size
    r = n % batch_size or batch_size
    s = (math.ceil(m) - 1) / (m ** 2 * batch_size) + 1 / (m ** 2 * r)
    return n * s

# %% wrong="4.3.7" why="the places against a column with one axis more" breaks="columns" says="The labels are a column already"
class TopTwoClassifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1]
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean(), train=False)
        top = Y_hat.topk(2, dim=1).indices
        self.plot("top2", (top == Y.unsqueeze(1)).any(dim=1).float().mean(), train=False)

# %% wrong="4.3.3a" why="rows of cost taken for actions" breaks="rows are classes" says="takes the rows for actions"
def best_actions(P, cost):
    return torch.einsum("nq,aq->na", P, cost).argmin(dim=1)
