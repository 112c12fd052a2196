"""What exceptions mean: each is raised by Python, torch, NumPy or pandas itself, as the pinned versions word it."""
import math
from operator import getitem

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from d2l_utils.check.raised import _COMPILED, meaning

one, two, six = torch.ones(3, 2), torch.ones(2, 3), torch.arange(6.0)
marked = torch.ones(2, requires_grad=True)


class Bare(nn.Module):
    pass


class Named:
    pass


class Late(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)


class Buffered(nn.Module):
    def __init__(self):
        self.weight = nn.Parameter(torch.ones(1))


def call(value):
    value()


def twice():
    y = (marked * marked).sum()
    y.backward()
    y.backward()


class Short(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b

    @staticmethod
    def backward(ctx, above):
        return above[:1]


class Wide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.sum()

    @staticmethod
    def backward(ctx, above):
        return above.repeat(3)


def changed_after_use():
    y = marked * 1
    z = (y * y).sum()
    y += 1
    z.backward()


def local():
    if False:
        late = 1
    return late


def endless(n):
    return endless(n + 1)


def unpack(values):
    a, b = values
    return a, b


def keyword_only(*, x):
    return x


def assign(array, value):
    array[:] = value


def in_place(one, other):
    one += other


RAISED = [
    (lambda: torch.ones(2, 3) + torch.ones(2, 2), 'at axis 1 they have 3 and 2 entries'),
    (lambda: torch.ones(3).expand(2, 2), 'Axis 1 has 3 entries where 2 are needed'),
    (lambda: np.ones(3) + np.ones(2), 'compared from the right'),
    (lambda: assign(np.ones((2, 2)), np.ones(3)), 'What is assigned has shape (3,), and the place for it shape (2,2)'),
    (lambda: assign(torch.ones(2, 2), torch.ones(3)), 'Axis 1 has 3 entries where 2 are needed'),
    (lambda: one @ one, 'on the left (here 2) as rows on the right (here 3)'),
    (lambda: np.ones((2, 3)) @ np.ones((2, 2)), 'on the left (here 3) as rows on the right (here 2)'),
    (lambda: one @ torch.ones(3), 'A matrix with 2 columns takes a vector of 2 entries, and this one has 3'),
    (lambda: torch.ones(2) @ torch.ones(3), 'same length: here 2 and 3'),
    (lambda: six.reshape(2, 2), 'A tensor of shape (2, 2) has 4 entries, and there are 6'),
    (lambda: six.reshape(4), 'A tensor of shape (4,) has 4 entries'),
    (lambda: six.reshape(-1, 4), 'The 6 entries cannot be divided among pieces of 4'),
    (lambda: np.ones(6).reshape(2, 2), 'The 6 entries do not fill the shape (2,2)'),
    (lambda: one.T.view(6), 'reshape() copies them'),
    (lambda: one.sum(2), 'There is no axis 2: the axes here are numbered -2 to 1'),
    (lambda: np.ones(3).sum(1), 'There is no axis 1: this array has 1'),
    (lambda: torch.cat([one, two]), 'Along every axis but 0'),
    (lambda: torch.stack([one, two]), 'tensors of one shape'),
    (lambda: torch.cat([one, six]), 'these have 2 and 1'),
    (lambda: torch.tensor([[1, 2], [3]]), 'rows must have one length: here 2 and 1'),
    (lambda: np.array([[1, 2], [3]]), 'rows must have one length'),
    (lambda: six[6], 'with the indices 0 to 5: there is no 6'),
    (lambda: np.ones(1)[1], 'Axis 0 has 1 entry, with the indices 0 to 0'),
    (lambda: torch.ones(0)[0], 'no entry at all'),
    (lambda: [][0], 'The list is shorter'),
    (lambda: ()[0], 'The tuple is shorter'),
    (lambda: assign.__name__[99], 'The string is shorter'),
    (lambda: six[0, 0], 'fewer axes (1)'),
    (lambda: np.ones(2)[0, 0], 'fewer axes'),
    (lambda: [1, 2][np.array([0, 1])], 'A whole number is needed'),
    (lambda: torch.tensor(1.0)[0], 'single number without axes'),
    (lambda: list(torch.tensor(1.0)), 'single number without axes'),
    (lambda: len(torch.tensor(1.0)), 'single number without axes'),
    (lambda: len(np.array(1.0)), 'single number without axes'),
    (lambda: six.topk(7), 'more entries than the axis has'),
    (lambda: getitem([1], 'a'), 'a str stands in the brackets'),
    (lambda: getitem((1,), 0.0), 'a float stands in the brackets'),
    (lambda: [].pop(), 'no entry left'),
    (lambda: one @ two.double(), 'different dtypes'),
    (lambda: F.linear(six, torch.ones(2, 6).double()), 'different dtypes'),
    (lambda: nn.Linear(6, 2)(six.double()), 'different dtypes'),
    (lambda: one.gather(1, torch.zeros(3, 1)), '.long()'),
    (lambda: six[torch.zeros(2)], '.long()'),
    (lambda: F.cross_entropy(one, torch.zeros(3)), '.long()'),
    (lambda: torch.arange(3).mean(), '.float()'),
    (lambda: torch.arange(3).norm(), '.float()'),
    (lambda: F.softmax(torch.arange(3), 0), '.float()'),
    (lambda: torch.ones(2, 2, dtype=torch.bool) @ torch.ones(2, 2, dtype=torch.bool), '.float()'),
    (lambda: (six > 1) & six > 2, 'in parentheses'),
    (lambda: in_place(torch.arange(3), 0.5), 'a Float result does not fit into Long'),
    (lambda: in_place(np.arange(3), 0.5), 'a float64 result does not fit into int64'),
    (lambda: in_place(np.ones(2), None), 'neither a number nor an array of numbers: None'),
    (lambda: torch.arange(3, requires_grad=True), 'no gradient'),
    (lambda: bool(six > 1), 'one for each entry'),
    (lambda: bool(np.ones(2) > 1), 'one for each entry'),
    (lambda: bool(pd.Series([1, 2]) > 1), 'one for each entry'),
    (lambda: six.item(), 'this tensor has 6 entries'),
    (lambda: float(six), 'several entries or an axis'),
    (lambda: float(np.ones(2)), 'several entries or an axis'),
    (lambda: six.sum().backward(), 'has no graph'),
    (lambda: (marked * 2).backward(), 'single number'),
    (twice, 'retain_graph'),
    (lambda: in_place(marked, 1), 'torch.no_grad()'),
    (changed_after_use, 'changed in place after its use'),
    (lambda: torch.autograd.grad(marked.sum(), torch.ones(1, requires_grad=True)), 'does not depend'),
    (lambda: marked.numpy(), 'detach()'),
    (lambda: six.retain_grad(), 'waits for no gradient'),
    (lambda: six.register_hook(print), 'waits for no gradient'),
    (lambda: F.cross_entropy(one, torch.zeros(2).long()), 'here are 3 rows and 2 labels'),
    (lambda: F.cross_entropy(one, torch.zeros(3, 1).long()), 'The labels have one axis'),
    (lambda: F.cross_entropy(one, torch.full((3,), 2)), 'There is no class 2'),
    (lambda: max([]), 'nothing of which max() could be taken'),
    (lambda: setattr(nn.Linear(2, 1), 'weight', one), 'write into it'),
    (lambda: Bare()(six), 'no method `forward`'),
    (lambda: nn.Sequential([nn.ReLU()]), 'not in a list'),
    (lambda: nn.Sequential(nn.ReLU), 'as in `nn.ReLU()`'),
    (lambda: nn.Sequential(torch.tanh), 'a function stand in a `forward`'),
    (lambda: nn.Sequential(Bare), 'a class must be called'),
    (Late, 'comes first in `__init__`'),
    (Buffered, 'comes first in `__init__`'),
    (lambda: torch.optim.SGD([], lr=1), 'No parameters were found'),
    (lambda: torch.stack([six, 1.0]), 'entry 1 is a float'),
    (lambda: torch.cat(six), 'in one list'),
    (lambda: torch.exp([1.0]), 'takes a tensor, and got a list'),
    (lambda: torch.linalg.inv(torch.zeros(2, 2)), 'no inverse'),
    (lambda: np.linalg.inv(np.zeros((2, 2))), 'no inverse'),
    (lambda: None.shape, 'None here'),
    (lambda: [1].shape, 'belongs to a tensor or an array, and this is a Python list'),
    (lambda: [1].backward(), 'belongs to a tensor, and'),
    (lambda: Bare().weight, 'is it misspelt'),
    (lambda: six.sum.item(), 'are parentheses missing'),
    (lambda: unpack.item, 'are parentheses missing'),
    (lambda: None + 1, 'None here'),
    (lambda: eval('statistics.mean([1])', {}), '`import statistics` is missing'),
    (lambda: [1] - [2], '`-` is not defined between a list and a list'),
    (lambda: [1] + (2,), 'this is of the type tuple'),
    (lambda: getitem(None, 0), 'None here'),
    (lambda: getitem(1, 0), 'a single int, without entries'),
    (lambda: unpack(None), 'None here'),
    (lambda: len(None), 'None here'),
    (lambda: len(1), 'a single int'),
    (lambda: call(six), 'that is a Tensor here'),
    (lambda: None < 1, 'None here'),
    (lambda: unpack(1, 2), 'room for 1, and 2 came'),
    (lambda: unpack(), "asks for 'values'"),
    (lambda: keyword_only(), "asks for 'x'"),
    (lambda: Short.apply(marked, marked).sum().backward(), 'None where there is none): 2, and 1 came'),
    (lambda: Wide.apply(marked).backward(), 'number 0 (from 0) has the shape [2], its gradient [3]'),
    (lambda: (marked * 1).backward(torch.ones(3)), 'the shape of the output: that is [2], and this one is [3]'),
    (lambda: Named(3), 'The class `Named` has no `__init__` that takes something'),
    (lambda: torch.mul(six), 'The function asks for "other"'),
    (lambda: torch.zeros(3).__setitem__(0, torch.ones(3)), 'has the shape [3], the place for it the shape []'),
    (lambda: unpack(values=1, y=2), 'no parameter named `y`'),
    (lambda: unpack(1, values=2), 'given twice'),
    (local, 'a `late` of its own'),
    (lambda: nowhere, '`nowhere` has no value'),      # noqa: F821
    (lambda: 1 / 0, 'divisor is 0'),
    (lambda: 1 // 0, 'divisor is 0'),
    (lambda: 1.0 % 0, 'divisor is 0'),
    (lambda: endless(0), 'as they are where no case ends them'),
    (lambda: math.log(0), 'no value there'),
    (lambda: math.exp(1000), 'larger than a float'),
    (lambda: 10.0 ** 1000, 'larger than a float'),
    (lambda: float(10 ** 400), 'whole numbers among themselves'),
    (lambda: 10 ** 400 / 3, 'whole numbers among themselves'),
    (lambda: unpack([1]), '2 names stand on the left, and 1 value came'),
    (lambda: unpack([1, 2, 3]), '2 names stand on the left, and more values came'),
    (lambda: float('1,5'), "The text '1,5' is no number"),
    (lambda: int('1.5'), "The text '1.5' is no whole number"),
]


@pytest.mark.parametrize('case', range(len(RAISED)))
def test_an_exception_gets_a_sentence(case):
    cause, words = RAISED[case]
    with pytest.raises(Exception) as raised:
        cause()
    assert words in meaning(str(raised.value)), str(raised.value)


def test_every_sentence_is_tried():
    texts = []
    for cause, _ in RAISED:
        with pytest.raises(Exception) as raised:
            cause()
        texts.append(' '.join(str(raised.value).split()))
    first = {next(pattern.pattern for pattern, _ in _COMPILED if pattern.search(text)) for text in texts}
    assert [pattern.pattern for pattern, _ in _COMPILED if pattern.pattern not in first] == []


@pytest.mark.parametrize('text', [
    '', 'rates must be positive', "'Tensor' object has no attribute 'foo'", 'Expected one of cpu',
    "'numpy.float64' object has no attribute 'detach'", '"addmm_impl" not implemented for \'Half\''])
def test_what_is_not_known_gets_none(text):
    assert meaning(text) == ''


@pytest.mark.parametrize('line, words', [
    ('x.grad.zero_()', '`x.grad` is None: `.grad` is so before a backward pass'),
    ('w -= lr * w.grad', '`w.grad` is None: `.grad` is so before a backward pass'),
    ('todo = [n for n, _ in node.next_functions]', '`node` is None here (`node is None` asks for that)'),
    ('y = scale(x) + 1', '`scale(x)` gives None, as a function without `return` does'),
    ('if best < 3: pass', '`best` is None here'),
    ('if len(rows) == 1: pass', '`rows` is None here'),
    ('for a in best[0]: pass', '`best` is None here'),
    ('total += 1', '`total` is None here'),
    ('y = 2 ** total', '`total` is None here'),
    ('total **= 2', '`total` is None here'),
    ('a, b = names', 'Something is None here'),                             # unpacking: names is not looked for
    ('y = left.zero_() + right.zero_()', 'Something is None here'),         # which of the two nobody knows
])
def test_what_was_none_is_named_where_the_line_tells_it(line, words):
    names = dict.fromkeys(('best', 'rows', 'node', 'names', 'total', 'left'))
    names |= {'x': torch.ones(1), 'w': torch.ones(1), 'lr': 1., 'scale': lambda x: None, 'right': torch.ones(1)}
    with pytest.raises((AttributeError, TypeError)) as raised:
        exec(line, names)
    assert 'NoneType' in str(raised.value)
    assert words in meaning(str(raised.value), line)


@pytest.mark.parametrize('line, words', [
    ('return node.name', '`node` is None here'), ('elif node.name:', '`node` is None here'),
    ('with node.name:', '`node` is None here'),
    ('except node.name:', '`node` is None here'), ('found = scale(node.name,', 'Something is None here')])
def test_a_line_may_be_a_piece_of_a_statement(line, words):
    assert words in meaning("'NoneType' object has no attribute 'name'", line)
