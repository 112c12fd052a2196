"""The words that stand for a picture."""
import subprocess
import sys

import pytest
import torch
from matplotlib import pyplot as plt

import d2l_utils as d2l
from d2l_utils.alternative import describe


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close('all')


def test_curves_with_their_names_and_axes():
    x = torch.arange(0, 3, 0.5)
    d2l.plot(x, [x**2, 2 * x], 'x', 'f(x)', legend=['f(x)', 'a line'], xlim=(0, 3), ylim=(0, 9))
    assert describe(plt.gcf()) == 'Figure: 2 curves (f(x), a line), x from 0 to 3, f(x) from 0 to 9.'


def test_images_with_their_titles():
    d2l.show_images(torch.rand(10, 4, 4), 2, 5, titles=[f'boot {k}' for k in range(10)])
    words = describe(plt.gcf())
    assert words.startswith('Figure: 10 images: boot 0, boot 1,') and words.endswith('boot 7 and 2 more.')


def test_several_plots_points_and_bars():
    figure, (left, right) = plt.subplots(1, 2)
    left.scatter([1, 2], [3, 4])
    left.set(title='errors', xlim=(0, 5), ylim=(0, 5), xlabel='loss')
    right.bar([1], [3])
    right.set(xlim=(0, 2), ylim=(0, 4))
    figure.suptitle('Both')
    assert describe(figure) == ("Figure 'Both': errors: 2 points, loss from 0 to 5, y from 0 to 5; "
                                '1 bar, x from 0 to 2, y from 0 to 4.')
    assert describe(plt.figure()) == 'Figure: empty.'


def test_every_kind_that_the_book_draws_has_words():
    figure, axes = plt.subplots(2, 3)
    axes[0, 0].hist([1, 2, 2])
    axes[0, 1].contour(torch.rand(4, 4).numpy())
    axes[0, 2].fill_between([0, 1], [1, 2])
    axes[1, 0].imshow(torch.rand(3, 3).numpy())
    axes[1, 1].errorbar([1, 2], [3, 4], [1, 1], label='mean')
    axes[1, 2].axhline(1)
    assert '10 bars' in describe(figure) and '1 image' in describe(figure) and 'nothing drawn' not in describe(figure)


def test_the_cell_that_imports_matplotlib_shows_figures_with_words():
    program = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from d2l_utils import alternative
shell = InteractiveShell.instance()
hooks = len(sys.meta_path)
alternative.enable(shell)
assert 'matplotlib' not in sys.modules
shell.run_cell("from matplotlib.figure import Figure; print(get_ipython().display_formatter.format(Figure())[0]['text/plain'])")
assert len(sys.meta_path) == hooks
"""
    done = subprocess.run([sys.executable, '-c', program],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and 'Figure: empty.' in done.stdout, done.stdout + done.stderr
