"""d2l_utils as a drop-in: names, signatures, lazy modules, import time's causes, torchvision."""
import inspect
from pathlib import Path

import pytest
import torch

import d2l_utils as d2l

PACKAGE = Path(d2l.__file__).parent


@pytest.fixture(scope='module')
def reference():
    from d2l import torch as reference
    return reference


def test_signatures_are_those_of_d2l(reference):
    """Same parameters in the same order with the same defaults; ours may add more at the end."""
    def parameters(function):
        def plain(default):  # a list as a default is defect 14; ours is the equal tuple
            return tuple(default) if isinstance(default, (list, tuple)) else default
        return [(p.name, plain(p.default)) for p in inspect.signature(function).parameters.values()]

    compared = 0
    for name in d2l.__all__:
        if not hasattr(reference, name) or not callable(getattr(d2l, name)):
            continue
        mine, theirs = getattr(d2l, name), getattr(reference, name)
        pairs = [(mine, theirs)]
        if inspect.isclass(theirs):
            pairs = [(getattr(mine, k), v) for k, v in vars(theirs).items() if inspect.isfunction(v)]
        for ours, original in pairs:
            expected = parameters(original)
            assert parameters(ours)[:len(expected)] == expected, f'{name}: {original.__qualname__}'
            compared += 1
    assert compared > 60


def test_aliases_agree_with_d2l(reference):
    X = torch.arange(6.0).reshape(2, 3)
    for name in d2l.lazy.ALIASES:
        theirs, ours = getattr(reference, name), getattr(d2l, name)
        if isinstance(theirs, torch.dtype) or inspect.ismodule(theirs) or name == 'nn_Module':
            assert ours is theirs
    assert torch.equal(d2l.reduce_sum(X, 1, keepdims=True), reference.reduce_sum(X, 1, keepdims=True))
    assert torch.equal(d2l.reshape(X, (-1, 2)), reference.reshape(X, (-1, 2)))
    assert torch.equal(d2l.transpose(X), X.T) and d2l.size(X) == 6
    assert d2l.astype(X, d2l.int64).dtype == torch.int64
    assert d2l.numpy(X.requires_grad_()).shape == (2, 3)


@pytest.mark.parametrize('name', sorted(set(d2l.lazy.LAZY) - {'check'}) + ['defaultdict'])
def test_modules_are_reached_through_d2l(name, reference):
    assert getattr(d2l, name) is getattr(reference, name, getattr(d2l, name))
    assert name in dir(d2l) or name == 'defaultdict'


def test_an_unknown_name_is_explained():
    with pytest.raises(AttributeError, match="no 'Animator'.*chapters 2 to 5"):
        getattr(d2l, 'Animator')  # noqa: B009


def test_every_public_name_is_documented():
    for name in d2l.__all__:
        thing = getattr(d2l, name)
        if not callable(thing):
            continue
        methods = [m for m in vars(thing).values() if inspect.isfunction(m)] if inspect.isclass(thing) else []
        for function in [thing, *methods]:
            assert function.__doc__ or function.__name__.startswith('_'), f'{name}: {function.__name__}'


def test_modules_stay_short():
    lengths = {path.name: len(path.read_text().splitlines()) for path in PACKAGE.glob('*.py')}
    assert max(lengths.values()) <= 300


def test_import_loads_nothing_heavy_besides_torch(script):
    print(script('''
import sys, torch
before = set(sys.modules)
import d2l_utils
new = {name.split(".")[0] for name in set(sys.modules) - before}
heavy = new & {"torchvision", "pandas", "matplotlib", "IPython", "tqdm", "PIL", "requests", "torchviz", "d2l"}
assert not heavy, heavy
'''))


def test_torchvision_can_be_imported_afterwards(script):
    print(script('''
import sys, d2l_utils as d2l
assert "torchvision" not in sys.modules
import torchvision
from torchvision import transforms
assert d2l.torchvision is torchvision and d2l.transforms is transforms
assert transforms.ToTensor()(torchvision.transforms.functional.to_pil_image(d2l.rand(1, 4, 5))).shape == (1, 4, 5)
'''))


def test_importing_twice_is_harmless(script):
    script('''
import sys, d2l_utils
for name in [n for n in sys.modules if n.startswith("d2l_utils")]:
    del sys.modules[name]
import d2l_utils, torchvision
''')


def test_a_process_forked_from_a_warm_parent_trains(script):
    """torch's threads do not survive a fork; a child that waited for them would hang."""
    print(script('''
import os, signal, torch, d2l_utils as d2l
torch.set_num_threads(2)
data = d2l.FashionMNIST(batch_size=256)
(torch.rand(500, 500) @ torch.rand(500, 500)).exp()  # the parent has used its threads
child = os.fork()
if child == 0:
    signal.alarm(30)
    trainer = d2l.Trainer(1)
    trainer.fit(d2l.SoftmaxRegression(10, 0.1), d2l.FashionMNIST(batch_size=256))
    data.visualize(next(iter(data.val_dataloader())))
    os._exit(0 if trainer.history[-1]["val_acc"] > 0.7 else 1)
assert os.waitpid(child, 0)[1] == 0
''', OMP_NUM_THREADS='2', D2L_DEVICE='cpu', PYTHONWARNINGS='ignore::DeprecationWarning'))    # 3.12 warns of such a fork
