"""Plots: in a real kernel, and without one."""
from pathlib import Path

import nbformat
import pytest
import torch
from nbclient import NotebookClient

import d2l_utils as d2l

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope='module')
def outputs(tmp_path_factory):
    """Run cells in a real kernel; the outputs of each."""
    cells = ["""
import time, torch, numpy as np, d2l_utils as d2l, IPython.display
from matplotlib import pyplot as plt
""", """
board = d2l.ProgressBoard("x")
print("before")
for i in range(100):
    board.draw(i, np.sin(i), "sin", every_n=2)
    board.draw(i, np.cos(i), "cos", every_n=10)
""", """
data = d2l.SyntheticRegressionData(torch.tensor([2, -3.4]), 4.2)
model = d2l.LinearRegression(0.03)
d2l.Trainer(3).fit(model, data)
print("after")
""", """
d2l.Trainer(3, verbose=False).fit(d2l.LinearRegression(0.03), data)
""", """
model.board.display = False
d2l.Trainer(3).fit(model, data)
""", """
fig, axes = plt.subplots(1, 2)
for k in range(2):
    b = d2l.ProgressBoard(axes=axes[k])
    for i in range(9):
        b.draw(i, i ** k, "a")
""", """
d2l.plot(np.arange(5), [np.arange(5), np.arange(5) ** 2], "x", "y", legend=["a", "b"])
""", """
sent, real = [], IPython.display.display  # count what is sent to the notebook
def count(*args, **kwargs):
    sent.append(time.monotonic())
    return real(*args, **kwargs)
IPython.display.display = count
board = d2l.ProgressBoard("x")
start = time.monotonic()
while time.monotonic() < start + 2:
    board.draw(time.monotonic() - start, 1, "a")
    time.sleep(0.005)
before = -1
while before < len(sent):  # the last point may just have been due: end with one that waits
    before = len(sent)
    board.draw(time.monotonic() - start, 1, "a")
print(len(sent), len(board.data["a"]))
""", """
print(len(sent), board.axes.lines[0].get_xdata()[-1] == board.data["a"][-1].x)
""", """
board.draw(3, 4, "a")
model.board.display = True
model.board.draw(4, 1, "train_loss")
"""]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('PYTHONPATH', str(ROOT))
        patch.delenv('MPLBACKEND', raising=False)
        NotebookClient(book, timeout=60, resources={'metadata': {'path': str(tmp_path_factory.mktemp('nb'))}}).execute()
    return [cell.outputs for cell in book.cells]


def kinds(outputs):
    return ['text' if o.output_type == 'stream' and o.name == 'stdout' else
            'figure' if 'image/svg+xml' in o.get('data', {}) else
            'bar' if 'application/vnd.jupyter.widget-view+json' in o.get('data', {}) else o for o in outputs]


def test_one_figure_for_a_board_and_other_output_stays(outputs):
    assert kinds(outputs[1]) == ['text', 'figure']


def test_training_shows_its_plot_before_what_follows(outputs):
    assert kinds(outputs[2]) == ['figure', 'text']


def test_verbose_false_shows_nothing(outputs):
    assert kinds(outputs[3]) == []


def test_a_progress_bar_where_the_plot_is_off(outputs):
    assert kinds(outputs[4]) == ['bar']


def test_boards_that_share_a_figure_share_its_output(outputs):
    assert kinds(outputs[5]) == ['figure']


def test_plot_shows_one_figure(outputs):
    assert kinds(outputs[6]) == ['figure']


def test_a_fast_stream_of_points_is_redrawn_a_few_times_and_once_at_the_end(outputs):
    sent, points = map(int, next(o.text for o in outputs[7] if 'text' in o).split())
    assert 1 <= sent <= 4 and points > 100
    later, complete = outputs[8][0].text.split()
    assert int(later) == sent + 1 and complete == 'True'


def test_a_new_cell_gets_a_new_figure(outputs):
    assert kinds(outputs[9]) == ['figure', 'figure']


def test_board_averages_every_n_points_with_weights():
    board = d2l.ProgressBoard()
    for i in range(7):
        board.draw(i, torch.tensor(float(i)), 'a', every_n=3)
    assert board.data == {'a': [(1.0, 1.0), (4.0, 4.0)]} and board.data['a'][1].x == 4
    board.draw(0, 1.0, 'b', every_n=2, weight=1)
    board.draw(0, 4.0, 'b', every_n=2, weight=2)
    assert board.data['b'] == [(0, 3.0)]
    with pytest.raises(ValueError, match=r'one number.*shape \(2,\)'):
        board.draw(0, torch.ones(2), 'a')


def test_board_scales_limits_and_labels(tmp_path):
    board = d2l.ProgressBoard('x', 'y', xlim=[0, 9], ylim=[1, 100])
    board.yscale = 'log'
    board.draw(1, 10, 'a')
    board.save(tmp_path / 'a.svg')
    axes = board.axes
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_yscale()) == ('x', 'y', 'log')
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 9), (1, 100))


@pytest.mark.parametrize('args, curves', [
    (([1, 2, 3],), [([0, 1, 2], [1, 2, 3])]),
    ((torch.arange(3), torch.arange(3) ** 2), [([0, 1, 2], [0, 1, 4])]),
    (([0, 1, 2], [[1, 2, 3], [4, 5, 6]]), [([0, 1, 2], [1, 2, 3]), ([0, 1, 2], [4, 5, 6])]),
    (([[0, 1], [5, 6]], [[1, 2], [3, 4]]), [([0, 1], [1, 2]), ([5, 6], [3, 4])]),
    (([1, 2], [[i, i] for i in range(6)]), [([1, 2], [i, i]) for i in range(6)])])
def test_plot_takes_one_or_many_curves(args, curves):
    d2l.plot(*args, xlabel='x', legend=[str(i) for i in range(len(curves))])
    axes = d2l.plt.gca()
    assert [([*line.get_xdata()], [*line.get_ydata()]) for line in axes.lines] == curves
    assert axes.get_xlabel() == 'x'
    d2l.plt.close('all')


def test_plot_refuses_curves_that_do_not_match():
    with pytest.raises(ValueError, match='2 sequences of x and 3 of y'):
        d2l.plot([[1], [2]], [[1], [2], [3]])


def test_show_images_and_visualize(fashion):
    axes = d2l.show_images(torch.rand(1, 5, 4, requires_grad=True), 1, 1, titles=['a'])
    assert len(axes) == 1 and axes[0].get_title() == 'a'
    fashion.visualize(next(iter(fashion.val_dataloader())), nrows=2, ncols=3)
    titles = [ax.get_title() for ax in d2l.plt.gcf().axes]
    assert titles == ['ankle boot', 'pullover', 'trouser', 'trouser', 'shirt', 'trouser']
    d2l.plt.close('all')


def test_timer():
    timer = d2l.Timer()
    timer.stop()
    timer.start()
    timer.stop()
    assert len(timer.times) == 2 and timer.sum() == pytest.approx(timer.cumsum()[-1]) == pytest.approx(2 * timer.avg())
