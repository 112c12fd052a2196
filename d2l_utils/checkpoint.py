"""Checkpoints: all that a training run needs to go on exactly as if it had not been interrupted."""
import os
import random

import numpy as np
import torch

from .board import Point
from .history import History


def save(trainer, path):
    """Write model, optimizer, random numbers, history and curves, as they are at the end of an epoch."""
    board = trainer.model.board
    state = {
        'epoch': trainer.epoch + 1,
        'model': trainer.model.state_dict(),
        'batches': (trainer.train_batch_idx, trainer.val_batch_idx),
        'history': trainer.history.state(),
        'curves': {label: [tuple(point) for point in line] for label, line in board.data.items()},
        'pending': {label: [(x, float(y), w) for x, y, w in line] for label, line in board.raw_points.items()},
        'loaders': [generator.get_state() for generator in _generators(trainer)],
        'random': _random_state(),
    }
    if hasattr(trainer.optim, 'state_dict'):  # the SGD written by hand has no state
        state['optim'] = trainer.optim.state_dict()
    torch.save(state, f'{path}.part')
    os.replace(f'{path}.part', path)  # an interruption leaves the last checkpoint whole


def load(trainer, path):
    """Bring a trainer whose model, optimizer and loaders are made into that state; return the epochs done."""
    state = torch.load(path, map_location='cpu', weights_only=True)
    trainer.model.load_state_dict(state['model'])
    if 'optim' in state:
        trainer.optim.load_state_dict(state['optim'])
    trainer.train_batch_idx, trainer.val_batch_idx = state['batches']
    trainer.history = History(state['history'])
    trainer.model.board.data = {label: [Point(*p) for p in line] for label, line in state['curves'].items()}
    trainer.model.board.raw_points = state['pending']
    for generator, saved in zip(_generators(trainer), state['loaders']):
        generator.set_state(saved)
    _set_random_state(state['random'])
    return state['epoch']


def _generators(trainer):  # a loader may shuffle with random numbers of its own
    loaders = (trainer.train_dataloader, trainer.val_dataloader)
    return [g for g in (getattr(loader, 'generator', None) for loader in loaders) if g is not None]


def _random_state():
    name, keys, *rest = np.random.get_state()
    return {'torch': torch.get_rng_state(), 'cuda': torch.cuda.get_rng_state_all(), 'python': random.getstate(),
            'numpy': (name, keys.tolist(), *rest)}


def _set_random_state(state):
    torch.set_rng_state(state['torch'])
    if torch.cuda.device_count() == len(state['cuda']):
        torch.cuda.set_rng_state_all(state['cuda'])
    random.setstate(state['python'])
    np.random.set_state(state['numpy'])
