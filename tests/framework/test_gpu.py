"""The Trainer on a graphics card, and what of the book must work beside one. Left out where torch finds no GPU."""
import pickle

import pytest
import torch
from torch import nn

import d2l_utils as d2l

from test_trainer import Images, Momentum

pytestmark = pytest.mark.skipif(not (torch.cuda.is_available() or torch.backends.mps.is_available()), reason='needs a GPU')
CUDA = pytest.mark.skipif(not torch.cuda.is_available(), reason='needs a CUDA GPU')


@pytest.fixture(autouse=True)
def no_choice(monkeypatch):
    """An Engine in this process has told it to use the CPU."""
    monkeypatch.delenv('D2L_DEVICE', raising=False)


def test_a_gpu_is_taken_and_the_model_comes_back():
    seen = set()

    class Watch(d2l.SoftmaxRegression):
        def training_step(self, batch):
            seen.add(batch[0].device.type)
            return super().training_step(batch)

    model = Watch(3, 0.1)
    trainer = d2l.Trainer(1)
    trainer.fit(model, Images())
    assert seen == {trainer.device.type} != {'cpu'}
    assert {p.device.type for p in model.parameters()} == {'cpu'}
    d2l.Trainer(1, num_gpus=1).fit(model, Images())
    assert {p.device.type for p in model.parameters()} == {trainer.device.type}


def test_the_history_is_that_of_the_cpu(regression):
    histories = []
    for device in (None, 'cpu'):
        torch.manual_seed(1)
        trainer = d2l.Trainer(3, device=device, verbose=False)
        trainer.fit(d2l.LinearRegressionScratch(2, lr=0.03), regression)
        histories.append(trainer.history)
    assert histories[0].to_frame().columns.tolist() == histories[1].to_frame().columns.tolist()
    one, other = (torch.tensor(history['val_loss']) for history in histories)
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)


def test_a_checkpoint_goes_on_exactly(tmp_path):
    """Dropout draws on the GPU: its generator's state is in the file."""
    def run(epochs, resume=None, path=None):
        torch.manual_seed(5)
        model = Momentum(3, 8, 8, 0.5, 0.5, lr=0.01)
        model.apply_init([torch.zeros(2, 1, 6, 6)])
        trainer = d2l.Trainer(epochs, verbose=False, checkpoint=path)
        trainer.fit(model, Images(), resume_from=resume)
        return trainer.history
    whole = run(4)
    run(2, path=tmp_path / 'two.pt')
    torch.rand(7), torch.rand(7, device=d2l.best_device())     # resuming must not depend on what was drawn since
    assert run(4, resume=tmp_path / 'two.pt')['train_loss'] == whole['train_loss']


def test_nan_is_named_at_the_end_of_the_epoch(regression):
    regression.X[90] = float('nan')
    regression.batch_size = 100
    with pytest.raises(FloatingPointError, match=r'train_loss is NaN in epoch 1 of 3, batch 1\b'):
        d2l.Trainer(max_epochs=3).fit(d2l.LinearRegression(lr=0.1), regression)


def test_a_mask_made_on_the_cpu_is_said_and_trained_there(capsys):
    class Masked(d2l.SoftmaxRegression):
        def forward(self, X):
            return super().forward(X * (torch.rand(X.shape) > 0.5))

    trainer = d2l.Trainer(2)
    trainer.fit(Masked(3, 0.1), Images())
    assert trainer.device.type == 'cpu' and len(trainer.history['val_acc']) == 2
    assert 'training on the CPU' in capsys.readouterr().out


def test_plain_tensors_are_said_and_trained_on_the_cpu(capsys, regression):
    class Plain(d2l.LinearRegressionScratch):
        def __init__(self):
            super().__init__(2, lr=0.03)
            del self.w, self.b
            self.w, self.b = torch.zeros(2, 1, requires_grad=True), torch.zeros(1, requires_grad=True)

    trainer = d2l.Trainer(1)
    trainer.fit(Plain(), regression)
    assert trainer.device.type == 'cpu' and 'Make them nn.Parameter' in capsys.readouterr().out


@CUDA
def test_a_child_forked_before_the_gpus_first_use_trains_on_it(script):
    """As the book's kernels do, which a warm parent forks: what it does, and imports while idle, may not touch the GPU."""
    print(script('''
import contextlib, importlib, os, signal
from course.lab import warm_kernel
for name in (*warm_kernel.PRELOAD, *warm_kernel.LATER):
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
warm_kernel._warm_up()
import torch, d2l_utils as d2l
child = os.fork()
if child == 0:
    signal.alarm(50)
    trainer = d2l.Trainer(1, verbose=False)
    trainer.fit(d2l.SoftmaxRegression(10, 0.1), d2l.FashionMNIST(batch_size=256))
    os._exit(0 if trainer.device.type == "cuda" and trainer.history[-1]["val_acc"] > 0.7 else 1)
assert os.waitpid(child, 0)[1] == 0
'''))


@CUDA
def test_grading_sees_no_gpu():
    """A process that has used a GPU cannot fork, and each check is answered by a fork."""
    from course.engine.notebook import Engine
    from course.engine.warm import warm_parent
    from nbformat.v4 import new_code_cell, new_notebook

    setup = 'from d2l_utils.check import assert_equal\nimport torch, d2l_utils as d2l'
    answer = """x = torch.ones(2, requires_grad=True)
(x * x).sum().backward()
def seen():
    (2 * x).sum().backward()
    return [torch.cuda.is_available(), d2l.Trainer(1).device.type]
"""
    check = 'assert_equal(seen(), [False, "cpu"], "what an answer sees")\nassert d2l.Trainer(1).device.type == "cpu"'
    cells = []
    for name, source in (('setup-1', setup), ('answer-1-1', answer), ('check-1-1', check)):
        cells.append(new_code_cell(source, metadata={'nbgrader': {
            'grade_id': name, 'schema_version': 3, 'grade': name == 'check-1-1', 'points': 1, 'task': False,
            'solution': name == 'answer-1-1', 'locked': name != 'answer-1-1'}}))
    notebook = new_notebook(cells=cells)
    with warm_parent(sandbox=False) as zygote:
        verdicts = Engine(zygote).grade(notebook, skip_unanswered=False).verdicts
    assert [(v.state, v.message) for v in verdicts] == [('passed', '')]


@CUDA
def test_the_memory_history_shows_the_stairs_of_chapter_b(tmp_path):
    """Chapter B.3 reads the allocator's events: what they add up to is the peak that the allocator counts."""
    net = nn.Sequential(*[nn.Linear(256, 256) for _ in range(4)]).cuda()
    X = torch.ones(2, 256, device='cuda')
    net(X).sum().backward()
    net.zero_grad()
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.memory._record_memory_history(clear_history=True)
    net(X).sum().backward()
    torch.cuda.synchronize()
    events = torch.cuda.memory._snapshot()['device_traces'][0]
    torch.cuda.memory._dump_snapshot(str(tmp_path / 'one.pickle'))
    torch.cuda.memory._record_memory_history(enabled=None)
    with open(tmp_path / 'one.pickle', 'rb') as file:
        assert pickle.load(file)['device_traces']
    signs = {'alloc': 1, 'free_requested': -1}
    stairs = torch.tensor([signs[e['action']] * e['size'] for e in events if e['action'] in signs]).cumsum(0)
    counted = torch.cuda.max_memory_allocated() - before        # in blocks of 512 bytes
    assert 0 <= counted - stairs.max().item() < 512 * len(events)
