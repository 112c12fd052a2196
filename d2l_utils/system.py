"""Devices and clocks: sections 6.7 and 12.5 of D2L."""
import os
import time

import torch

# torch's threads do not survive a fork: where the parent has used them, the child waits for them forever. With one
# thread the child works; torch's own DataLoader workers do the same.
if hasattr(os, 'register_at_fork'):     # Windows forks nothing
    os.register_at_fork(after_in_child=lambda: torch.get_num_threads() > 1 and torch.set_num_threads(1))


def cpu():
    """The CPU as a `torch.device` (section 6.7)."""
    return torch.device('cpu')


def gpu(i=0):
    """The i-th CUDA device as a `torch.device`, whether it exists or not (section 6.7)."""
    return torch.device(f'cuda:{i}')


def num_gpus():
    """How many CUDA devices there are (section 6.7)."""
    return torch.cuda.device_count()


def try_gpu(i=0):
    """`gpu(i)` where it exists, else `cpu()` (section 6.7)."""
    return gpu(i) if num_gpus() > i else cpu()


def try_all_gpus():
    """All CUDA devices, or `[cpu()]` where there is none, so that `[0]` is always a device (section 6.7)."""
    return [gpu(i) for i in range(num_gpus())] or [cpu()]


def best_device():
    """The device that a Trainer takes on its own: what the environment variable D2L_DEVICE names (cpu, say), else CUDA,
    then Apple's MPS, then the CPU."""
    if name := os.environ.get('D2L_DEVICE'):
        try:
            return torch.device(name)
        except RuntimeError as error:
            raise ValueError(f'the environment variable D2L_DEVICE is {name!r}, which is no device of torch. Set it to cpu, '
                             'cuda or mps, or unset it.') from error
    if torch.cuda.is_available():
        return gpu(0)
    if torch.backends.mps.is_available():
        return torch.device('mps')
    return cpu()


class Timer:
    """A stopwatch that keeps every lap, in seconds (section 12.5)."""

    def __init__(self):
        self.times = []
        self.start()

    def start(self):
        """Start a lap."""
        self.tik = time.perf_counter()

    def stop(self):
        """End the lap, keep its length and return it."""
        self.times.append(time.perf_counter() - self.tik)
        return self.times[-1]

    def avg(self):
        """Mean length of a lap."""
        return sum(self.times) / len(self.times)

    def sum(self):
        """Length of all laps together."""
        return sum(self.times)

    def cumsum(self):
        """A list: the time up to the end of each lap."""
        return [sum(self.times[:i + 1]) for i in range(len(self.times))]
