"""The board on which curves grow while a model trains (section 3.2 of D2L)."""
import io
import sys
import time
from collections import namedtuple

import torch

from .alternative import describe
from .hyperparameters import HyperParameters
from .plots import in_notebook, use_svg_display

Point = namedtuple('Point', ['x', 'y'])


def as_scalar(value):
    """A float, or, for a tensor on an accelerator, the detached tensor: reading it now would stop the device."""
    if not torch.is_tensor(value):
        return float(value)
    if value.numel() != 1:
        raise ValueError(f'a metric must be one number, but this tensor has shape {tuple(value.shape)}: '
                         'average it first')
    return value.item() if value.device.type == 'cpu' else value.detach()


class ProgressBoard(HyperParameters):
    """Plots points as they come, in place (section 3.2).

    `draw` only collects; the figure is redrawn a few times a second, and once more at the end of the cell.
    Outside a notebook nothing is shown: `save(path)` writes the figure. `display=False` shows nothing anywhere.
    `fig` and `axes` place the board in a figure of your own. `data` maps a label to its list of Point(x, y).
    """
    MIN_PAUSE = 0.5  # seconds between two redraws, and before the first
    MAX_SHARE = 0.1  # of the time spent on redraws

    def __init__(self, xlabel=None, ylabel=None, xlim=None, ylim=None, xscale='linear', yscale='linear',
                 ls=('-', '--', '-.', ':'), colors=('C0', 'C1', 'C2', 'C3'), fig=None, axes=None,
                 figsize=(3.5, 2.5), display=True):
        self.save_hyperparameters()
        self.raw_points, self.data = {}, {}
        self._lines = {}
        self._next_redraw, self._waiting, self._own_fig = None, False, False

    def draw(self, x, y, label, every_n=1, weight=1):
        """Add a point to the curve `label`; one point is shown for every `every_n` given, their mean.

        x and y are numbers or tensors of one element. `weight` is the share of y in that mean. A y on an
        accelerator is copied to the host when its mean is shown, not before.
        """
        points = self.raw_points.setdefault(label, [])
        line = self.data.setdefault(label, [])
        points.append((float(x), as_scalar(y), weight))
        if len(points) < every_n:
            return
        total = sum(w for _, _, w in points)
        line.append(Point(sum(x for x, _, _ in points) / len(points),
                          float(sum(y * w for _, y, w in points) / total)))
        points.clear()
        if not self.display:
            return
        if not in_notebook():
            if self.axes is not None:
                self._update_lines()
            return
        if self._next_redraw is None:
            self._next_redraw = time.monotonic() + self.MIN_PAUSE
            if self.fig or self.axes:  # a figure of pyplot's would be shown a second time at the end of the cell
                from matplotlib import pyplot as plt
                plt.close(self.fig or self.axes.figure)
        if time.monotonic() >= self._next_redraw:
            self.flush()
        elif not self._waiting:  # too early: at the latest, the end of the cell shows it
            self._waiting = True
            sys.modules['IPython'].get_ipython().events.register('post_execute', self.flush)

    def flush(self):
        """Show now what has been collected."""
        if self._waiting:
            self._waiting = False
            sys.modules['IPython'].get_ipython().events.unregister('post_execute', self.flush)
        if not (self.display and self.data and in_notebook()):
            return
        from IPython.display import display
        start = time.monotonic()
        self._update_lines()
        # One output for each figure and cell, also where several boards share a figure.
        output = f"d2l-{id(self.fig)}-{sys.modules['IPython'].get_ipython().execution_count}"
        again = getattr(self.fig, 'd2l_output', None) == output
        display(*self._shown(), raw=self._own_fig, display_id=output, update=again)
        self.fig.d2l_output = output
        now = time.monotonic()
        self._next_redraw = now + max(self.MIN_PAUSE, (now - start) / self.MAX_SHARE)

    def _shown(self):
        """What `display` gets. Our own figure has room for its labels: written as it is, in half the time that it
        takes to cut a figure of somebody's to what is drawn on it."""
        if not self._own_fig:
            use_svg_display()
            return [self.fig]
        image = io.StringIO()
        self.fig.savefig(image, format='svg')
        return [{'image/svg+xml': image.getvalue(), 'text/plain': describe(self.fig)}]

    def save(self, path):
        """Write the figure to a file; its ending (.png, .svg, .pdf) gives the format. Needs no display."""
        self._update_lines()
        self.fig.savefig(path, bbox_inches='tight')

    def _update_lines(self):
        if self.axes is None:
            if self.fig is None:
                from matplotlib.figure import Figure  # not pyplot's: no window, nothing left open
                self.fig, self._own_fig = Figure(figsize=self.figsize), True
                self.fig.subplots_adjust(left=0.16, bottom=0.2, right=0.96, top=0.94)
            self.axes = self.fig.gca()
        self.fig, axes = self.axes.figure, self.axes
        for i, (label, points) in enumerate(self.data.items()):
            if label not in self._lines:
                color = self.colors[i] if i < len(self.colors) else f'C{i % 10}'
                self._lines[label], = axes.plot([], [], linestyle=self.ls[i % len(self.ls)], color=color, label=label)
            self._lines[label].set_data([p.x for p in points], [p.y for p in points])
        axes.set(xlabel=self.xlabel, ylabel=self.ylabel)
        if (axes.get_xscale(), axes.get_yscale()) != (self.xscale, self.yscale):
            axes.set(xscale=self.xscale, yscale=self.yscale)
        axes.relim()
        axes.autoscale_view()
        if self.xlim:
            axes.set_xlim(self.xlim)
        if self.ylim:
            axes.set_ylim(self.ylim)
        if self._lines:
            axes.legend(handles=list(self._lines.values()))
