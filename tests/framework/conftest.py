"""Shared by the tests of d2l_utils."""
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import d2l_utils as d2l

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault('MPLBACKEND', 'Agg')


@pytest.fixture(autouse=True)
def one_thread_and_seed():
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture
def regression():
    """100 training rows and 40 validation rows in batches of 16: the last batch is smaller in both."""
    return d2l.SyntheticRegressionData(torch.tensor([2, -3.4]), 4.2, num_train=100, num_val=40, batch_size=16)


@pytest.fixture(scope='session')
def fashion():
    return d2l.FashionMNIST(batch_size=256)


@pytest.fixture
def script():
    """Run Python code in a process of its own, without display, terminal or D2L settings; return its stdout."""
    def run(code, **env):
        environment = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'MPLBACKEND', 'D2L_DATA')}
        environment |= {'PYTHONPATH': str(ROOT), 'OMP_NUM_THREADS': '1', **env}
        done = subprocess.run([sys.executable, '-c', code], env=environment, capture_output=True, text=True,
                              timeout=60, check=False, stdin=subprocess.DEVNULL, cwd=env.get('PWD', ROOT))
        assert done.returncode == 0, done.stderr
        assert done.stderr == '', 'nothing may be written on stderr'
        return done.stdout
    return run
