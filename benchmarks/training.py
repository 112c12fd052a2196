"""One epoch of Fashion-MNIST, training and validation, batch size 256: ours, its peers and the limit.

    python benchmarks/training.py [--rounds 5]

Everything is timed in one Jupyter kernel, so that plots are drawn as a student sees them. The contestants take
turns, and the best of their rounds counts; the two of d2l get two rounds, for they take long. A ratio compares
with the bare loop over tensors in memory. Import time and peak memory come from processes of their own.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BATCH, LR, HIDDEN = 256, 0.1, 256
BARE, OURS, PLOT, D2L = 'bare loop, tensors in memory', 'd2l_utils', 'd2l_utils, live plot', 'd2l 1.0.3, 4 workers'
SLOW = (D2L, 'd2l 1.0.3, 0 workers')
CONTESTANTS = (BARE, OURS, PLOT, 'Lightning, our batches', *SLOW)
MODELS = ('softmax regression', 'MLP')


def network(kind):
    from torch import nn
    layers = [nn.Linear(784, 10)] if kind == MODELS[0] else [nn.Linear(784, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 10)]
    return nn.Sequential(nn.Flatten(), *layers)


def bare(kind):
    """A function that trains for one epoch with nothing but torch."""
    import torch
    from torch.nn.functional import cross_entropy

    import d2l_utils as d2l
    data = d2l.FashionMNIST()
    (X, y), (X_val, y_val) = data.train[:], data.val[:]

    def epoch():
        net = network(kind)
        optimizer = torch.optim.SGD(net.parameters(), lr=LR)
        for rows in torch.randperm(len(X)).split(BATCH):
            loss = cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        hits = 0
        with torch.no_grad():
            for X_batch, y_batch in zip(X_val.split(BATCH), y_val.split(BATCH)):
                Y_hat = net(X_batch)
                cross_entropy(Y_hat, y_batch)
                hits += (Y_hat.argmax(1) == y_batch).sum()
    return epoch


def ours(kind, verbose):
    import d2l_utils as d2l
    data = d2l.FashionMNIST(batch_size=BATCH)

    def epoch():
        model = d2l.SoftmaxRegression(10, LR) if kind == MODELS[0] else d2l.MLP(10, HIDDEN, LR)
        d2l.Trainer(max_epochs=1, verbose=verbose).fit(model, data)
    return epoch


def lightning(kind):
    import logging

    import lightning
    import torch
    from torch.nn.functional import cross_entropy

    import d2l_utils as d2l
    logging.getLogger('lightning.pytorch').setLevel(logging.ERROR)
    warnings.filterwarnings('ignore', module='lightning')
    data = d2l.FashionMNIST(batch_size=BATCH)

    class Model(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = network(kind)

        def training_step(self, batch, i):
            loss = cross_entropy(self.net(batch[0]), batch[1])
            self.log('train_loss', loss)
            return loss

        def validation_step(self, batch, i):
            Y_hat = self.net(batch[0])
            self.log('val_loss', cross_entropy(Y_hat, batch[1]))
            self.log('val_acc', (Y_hat.argmax(1) == batch[1]).float().mean())

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=LR)

    def epoch():
        lightning.Trainer(max_epochs=1, accelerator='cpu', logger=False, enable_checkpointing=False,
                          enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0).fit(
            Model(), data.train_dataloader(), data.val_dataloader())
    return epoch


def reference(kind, num_workers):
    from d2l import torch as d2l
    warnings.filterwarnings('ignore', message='.*worker processes')
    data = d2l.FashionMNIST(batch_size=BATCH)
    data.num_workers = num_workers

    def epoch():
        if kind == MODELS[0]:
            model = d2l.SoftmaxRegression(10, LR)
        else:
            model = d2l.Classifier()
            model.lr, model.net = LR, network(kind)
        d2l.Trainer(max_epochs=1).fit(model, data)
        d2l.plt.close('all')
    return epoch


def contestant(name, kind):
    """The function that trains for one epoch."""
    import d2l_utils  # noqa: F401  first: it cures torchvision, which Lightning and d2l import
    return {BARE: lambda: bare(kind), OURS: lambda: ours(kind, False), PLOT: lambda: ours(kind, True),
            'Lightning, our batches': lambda: lightning(kind), D2L: lambda: reference(kind, 4),
            'd2l 1.0.3, 0 workers': lambda: reference(kind, 0)}[name]()


def measure(rounds):
    """{model: {contestant: best seconds for an epoch}}; runs in the kernel."""
    best = {}
    for kind in MODELS:
        epochs = {name: contestant(name, kind) for name in CONTESTANTS}
        for name in CONTESTANTS:
            if name not in SLOW:
                epochs[name]()  # warm up
        times = {name: [] for name in CONTESTANTS}
        for i in range(rounds):
            for name in CONTESTANTS:
                if name not in SLOW or i < 2:
                    start = time.perf_counter()
                    epochs[name]()
                    times[name].append(time.perf_counter() - start)
        best[kind] = {name: min(seconds) for name, seconds in times.items()}
    return best


def in_kernel(rounds, folder):
    """Run `measure` in a Jupyter kernel that stands in `folder`, and return what it measured."""
    import nbformat
    from nbclient import NotebookClient
    code = (f'import sys, json; sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]\n'
            f'import training; best = training.measure({rounds})\n')
    result = folder / 'best.json'
    code += f'open({str(result)!r}, "w").write(json.dumps(best))'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=1800, resources={'metadata': {'path': str(folder)}}).execute()
    return json.loads(result.read_text())


def own_process(code, folder):
    """Run code in a process of its own and return the number that it prints last."""
    done = subprocess.run([sys.executable, '-W', 'ignore', '-c', code], cwd=folder, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env={**os.environ, 'PYTHONPATH': f'{ROOT}:{Path(__file__).parent}', 'MPLBACKEND': 'Agg'})
    return float(done.stdout.split()[-1])


def peak_memory(name, folder):
    """Peak resident memory in MB of a process that trains the MLP for one epoch, without its worker processes."""
    return own_process(f'import training; training.contestant({name!r}, "MLP")(); print(training.peak())', folder)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == 'linux' else 1024 ** 2)


def import_time(code, folder, after=''):
    """Best of five, in seconds, of importing; `after` is imported first and does not count."""
    program = f'import time\n{after}\nt = time.perf_counter()\n{code}\nprint(time.perf_counter() - t)'
    return min(own_process(program, folder) for _ in range(5))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=5)
    rounds = parser.parse_args().rounds
    sys.path.insert(0, str(ROOT))
    from rich.console import Console
    from rich.table import Table

    import d2l_utils
    with tempfile.TemporaryDirectory() as scratch:  # d2l reads ../data and unpacks there
        raw = Path(scratch, 'data/FashionMNIST/raw')
        raw.mkdir(parents=True)
        for path in (d2l_utils.data_root() / 'FashionMNIST/raw').glob('*.gz'):
            (raw / path.name).symlink_to(path)
        folder = Path(scratch, 'here')
        folder.mkdir()
        best = in_kernel(rounds, folder)
        memory = {name: peak_memory(name, folder) for name in CONTESTANTS}
        own = import_time('import d2l_utils', folder, 'import torch')
        alone = import_time('import torch', folder)
        theirs = import_time('from d2l import torch', folder, 'import torch, d2l_utils')

    table = Table(title='One epoch of Fashion-MNIST, best of the rounds')
    table.add_column('')
    for kind in MODELS:
        for head in (f'{kind}, s', 'x bare', 'd2l is'):
            table.add_column(head, justify='right')
    table.add_column('peak, MB', justify='right')
    for name in CONTESTANTS:
        row = [name]
        for kind in MODELS:
            seconds = best[kind][name]
            row += [f'{seconds:.2f}', f'{seconds / best[kind][BARE]:.2f}', f'{best[kind][D2L] / seconds:.1f} x']
        table.add_row(*row, f'{memory[name]:.0f}')
    console = Console(width=120)
    console.print(table)
    console.print(f'import d2l_utils after torch: {own:.3f} s (torch alone {alone:.2f} s); d2l after torch: {theirs:.2f} s')
    console.print(f'load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores')
    targets = [('d2l_utils / bare loop, MLP', best['MLP'][OURS] / best['MLP'][BARE], '<=', 1.15),
               ('with the live plot / bare loop, MLP', best['MLP'][PLOT] / best['MLP'][BARE], '<=', 1.3),
               ('d2l_utils / bare loop, softmax regression', best[MODELS[0]][OURS] / best[MODELS[0]][BARE], '<=', 1.15),
               ('with the live plot / bare loop, softmax regression', best[MODELS[0]][PLOT] / best[MODELS[0]][BARE],
                '<=', 1.3),
               ('d2l as it comes / d2l_utils, MLP', best['MLP'][D2L] / best['MLP'][OURS], '>=', 10),
               ('import time, s', own, '<=', 0.3)]
    for what, value, sign, target in targets:
        reached = value <= target if sign == '<=' else value >= target
        console.print(f'{what}: {value:.2f} ({sign} {target}) {"reached" if reached else "MISSED"}')


if __name__ == '__main__':
    main()
