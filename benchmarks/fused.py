"""The update inside of the backward pass (chapter B, LOMO) against the plain loop: time, gradients, memory.

    python benchmarks/fused.py [--rounds 7] [--threads 1]

A deep MLP is trained by SGD and by Adam in five ways that give the same parameters in every bit:
- plain: forward, backward(), step();
- by hand: each layer has a piece of graph and an optimizer of its own;
- hooks, optimizers: one optimizer object for each parameter, stepped by a hook;
- hooks, the rule: one hook with the update rule, a state for each parameter, no optimizer objects;
- by hand, the rule: as by hand, with the same rule.
The ways take turns in each round, the best of the rounds counts, and the ratio is to plain in the same run. Gradients
alive are counted by hooks; peak memory in a step is what torch's profiler saw on the CPU, and what the allocator saw
on a GPU, of which a snapshot is written where there is one.
"""
import argparse
import contextlib
import copy
import os
import platform
import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn.functional import mse_loss

PLAIN, RULE = 'plain', 'hooks, the rule'
SIZES = ((10, 16, 5), (10, 256, 32), (10, 1024, 16))      # layers, width, examples
OPTIMIZERS = {'SGD': lambda params: torch.optim.SGD(params, lr=0.01), 'Adam': lambda params: torch.optim.Adam(params, lr=1e-3)}


def network(layers, width, device):
    torch.manual_seed(0)
    parts = [part for _ in range(layers) for part in (nn.Linear(width, width), nn.ReLU())]
    return nn.Sequential(*parts[:-1]).to(device)


def sgd(net, lr=0.01):
    @torch.no_grad()
    def update(p):
        p.add_(p.grad, alpha=-lr)
        p.grad = None
    return update


def adam(net, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8):
    """The operations of torch.optim.Adam in its order, so that the bits agree."""
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters()}

    @torch.no_grad()
    def update(p):
        state = states[p]
        m, v, t = state
        state[2] = t = t + 1
        g = p.grad
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        denominator = (v.sqrt() / (1 - beta2 ** t) ** 0.5).add_(eps)
        p.addcdiv_(m, denominator, value=-(lr / (1 - beta1 ** t)))
        p.grad = None
    return update


RULES = {'SGD': sgd, 'Adam': adam}


def plain(net, name):
    optimizer = OPTIMIZERS[name](net.parameters())

    def step(X, Y):
        optimizer.zero_grad()
        mse_loss(net(X), Y).backward()
        optimizer.step()
    return step


def pieces(net, update):
    """A step that goes backward layer by layer, and calls update(layer) when the layer has its gradients."""
    def step(X, Y):
        stack = []
        for layer in net:
            start = X.detach().requires_grad_()
            X = layer(start)
            stack.append((layer, start, X))
        top = X.detach().requires_grad_()
        passed, = torch.autograd.grad(mse_loss(top, Y), top)
        while stack:
            layer, start, end = stack.pop()
            end.backward(passed)
            passed = start.grad
            update(layer)
    return step


def by_hand(net, name):
    optimizers = {layer: OPTIMIZERS[name](layer.parameters()) for layer in net if isinstance(layer, nn.Linear)}

    def update(layer):
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return pieces(net, update)


def by_hand_rule(net, name):
    rule = RULES[name](net)

    def update(layer):
        for p in layer.parameters():
            rule(p)
    return pieces(net, update)


def backward_only(net):
    return lambda X, Y: mse_loss(net(X), Y).backward()


def hooks_optimizers(net, name):
    optimizers = {p: OPTIMIZERS[name]([p]) for p in net.parameters()}

    def hook(p):
        optimizers[p].step()
        optimizers[p].zero_grad()
    for p in optimizers:
        p.register_post_accumulate_grad_hook(hook)
    return backward_only(net)


def hooks_rule(net, name):
    rule = RULES[name](net)
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(rule)
    return backward_only(net)


WAYS = {PLAIN: plain, 'by hand': by_hand, 'hooks, optimizers': hooks_optimizers, RULE: hooks_rule,
        'by hand, the rule': by_hand_rule}


def seconds(steps, batch, rounds, device):
    """{way: best seconds of a step}; the ways take turns."""
    best = dict.fromkeys(steps, float('inf'))
    start = time.perf_counter()
    steps[PLAIN](*batch)
    wait(device)
    count = max(1, min(50, int(0.03 / (time.perf_counter() - start))))
    for step in steps.values():
        for _ in range(count + (step is not steps[PLAIN])):     # warm up; all have taken the same number of steps then
            step(*batch)
    for _ in range(rounds):
        for way, step in steps.items():
            wait(device)
            start = time.perf_counter()
            for _ in range(count):
                step(*batch)
            wait(device)
            best[way] = min(best[way], (time.perf_counter() - start) / count)
    return best


def wait(device):
    if device == 'cuda':
        torch.cuda.synchronize()


def gradients(net, step, batch):
    """(most gradients alive at once, most bytes), counted whenever one arrives."""
    found = []

    def arrives(g):
        alive = [g] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(one.nbytes for one in alive)))
    net.zero_grad()
    handles = [p.register_hook(arrives) for p in net.parameters()]
    step(*batch)
    for handle in handles:
        handle.remove()
    return max(n for n, _ in found), max(size for _, size in found)


@contextlib.contextmanager
def quiet():
    """Drops the lines that the profiler's C++ code writes to stderr."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)


def peak_cpu(net, step, batch):
    """Bytes of new memory alive at once in a step, by torch's profiler."""
    from torch.profiler import ProfilerActivity, profile
    for _ in range(2):      # the first profile also holds what torch sets up once
        net.zero_grad()
        with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
            step(*batch)
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == '[memory]']
    now = peak = 0
    for event in sorted(events, key=lambda e: e.start_ns()):
        now += event.nbytes()
        peak = max(peak, now)
    return peak


def peak_cuda(net, step, batch, snapshot):
    """Bytes above the start in a step, by the allocator; the history of the step goes into the file `snapshot`."""
    net.zero_grad()
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.memory._record_memory_history()
    step(*batch)
    torch.cuda.synchronize()
    torch.cuda.memory._dump_snapshot(str(snapshot))
    torch.cuda.memory._record_memory_history(enabled=None)
    return torch.cuda.max_memory_allocated() - before


def measure(name, size, rounds, device, folder):
    """A row for each way: (way, seconds, gradients alive, bytes of them, peak bytes)."""
    layers, width, examples = size
    start = network(layers, width, device)
    nets = {way: copy.deepcopy(start) for way in WAYS}
    steps = {way: make(nets[way], name) for way, make in WAYS.items()}
    torch.manual_seed(1)
    batch = torch.randn(examples, width, device=device), torch.randn(examples, width, device=device)
    best = seconds(steps, batch, rounds, device)
    for way, net in nets.items():
        apart = max((a - b).abs().max().item() for a, b in zip(net.parameters(), nets[PLAIN].parameters()))
        if apart and device == 'cpu':
            raise SystemExit(f'{name}, {way}: the parameters differ from those of the plain loop by up to {apart:.1e}.')
        if apart:           # a GPU's plain loop updates many parameters in one kernel, which may round otherwise
            print(f'note: {name}, {way}, on {device}: the parameters differ from those of the plain loop by up to {apart:.1e}')
    rows = []
    for way, step in steps.items():
        alive, size_alive = gradients(nets[way], step, batch)
        if device == 'cuda':
            file = folder / f'fused_{name}_{width}_{way.replace(", ", "_").replace(" ", "_")}.pickle'
            peak = peak_cuda(nets[way], step, batch, file)
        else:
            peak = peak_cpu(nets[way], step, batch)
        rows.append((way, best[way], alive, size_alive, peak))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--snapshots', type=Path, default=Path('.'), help='folder for the CUDA snapshots')
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    torch.set_num_threads(arguments.threads)
    from rich.console import Console
    from rich.table import Table
    console = Console(width=120)
    console.print(f'torch {torch.__version__}, {arguments.threads} threads, {platform.machine()}, load {os.getloadavg()[0]:.1f}'
                  f' on {os.cpu_count()} cores; best of {arguments.rounds} rounds')
    reached = []
    for device in ('cpu', 'cuda'):
        if device == 'cuda' and not torch.cuda.is_available():
            console.print('CUDA: skipped, this machine has no GPU that torch can use; there is no snapshot.')
            continue
        for name in OPTIMIZERS:
            for size in SIZES:
                rows = measure(name, size, arguments.rounds, device, arguments.snapshots)
                table = Table(title=f'{name} on {device}: {size[0]} layers of width {size[1]}, {size[2]} examples')
                table.add_column('')
                for head in ('ms a step', 'of plain', 'gradients alive', 'their KiB', 'peak of a step, KiB', 'of plain'):
                    table.add_column(head, justify='right')
                for way, best, alive, size_alive, peak in rows:
                    table.add_row(way, f'{1e3 * best:.3f}', f'{best / rows[0][1]:.2f}', str(alive), f'{size_alive / 1024:.0f}',
                                  f'{peak / 1024:.0f}', f'{peak / rows[0][4]:.2f}')
                    if way == RULE:
                        reached.append((f'{name}, width {size[1]}, {device}: {RULE} / plain', best / rows[0][1]))
                console.print(table)
    for what, ratio in reached:
        console.print(f'{what}: {ratio:.2f} (<= 1.0) {"reached" if ratio <= 1 else "MISSED"}')


if __name__ == '__main__':
    main()
