"""What a figure shows, in words: the alternative text of its picture, for readers who do not see it."""
import importlib.util
import sys

FIGURES = 'matplotlib.figure'
MOST = 8  # names listed of each kind


def describe(figure):
    """What a matplotlib figure shows: for each of its plots title, axes with their range, curves, images."""
    plots = [axes for axes in figure.axes if axes.get_visible()]
    pictures = [axes for axes in plots if axes.images and not axes.lines and not _shown(axes.xaxis)]
    others = [axes for axes in plots if axes not in pictures]
    said = [_plot(axes) for axes in others]
    if pictures:
        titles = [axes.get_title().replace('\n', ', ') for axes in pictures if axes.get_title()]
        said.append(_many(len(pictures), 'image') + (f': {_listed(titles)}' if titles else ''))
    head = figure.get_suptitle()
    return f'Figure{f" {head!r}" if head else ""}: ' + ('; '.join(filter(None, said)) or 'empty') + '.'


def enable(shell):
    """Makes it the text of every figure that the IPython shell shows, whenever matplotlib is imported.

    Not by a formatter of the shell: matplotlib's inline backend removes those for figures with each change of format.
    """
    def know(*_):
        module = sys.modules.get(FIGURES)
        if module:
            module.Figure._repr_pretty_ = lambda figure, printer, cycle: printer.text(describe(figure))
    if FIGURES not in sys.modules:      # the cell that imports matplotlib may show a figure, too
        sys.meta_path.insert(0, _AfterImport(know))
    shell.events.register('pre_run_cell', know)
    shell.events.register('post_execute', know)     # before the inline backend's own, which shows what a cell drew


class _AfterImport:
    """An import hook that calls `then` when matplotlib's figures have been imported, once."""

    def __init__(self, then):
        self.then = then

    def find_spec(self, name, path=None, target=None):
        if name != FIGURES:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def execute_and_tell(module):
            execute(module)
            self.then()
        spec.loader.exec_module = execute_and_tell
        return spec


def _plot(axes):
    found = []
    curves = [line for line in axes.lines if len(line.get_xdata()) > 1]
    if curves:
        names = [line.get_label() for line in curves if not line.get_label().startswith('_')]
        legend = [text.get_text() for text in axes.get_legend().get_texts()] if axes.get_legend() else []
        names = legend if len(legend) >= len(names) else names
        found.append(_many(len(curves), 'curve') + (f' ({_listed(names)})' if names else ''))
    clouds = [one for one in axes.collections if type(one).__name__ == 'PathCollection']
    points = sum(len(line.get_xdata()) == 1 for line in axes.lines) + sum(len(cloud.get_offsets()) for cloud in clouds)
    bars = sum(type(patch).__name__ == 'Rectangle' for patch in axes.patches)
    areas = len(axes.patches) - bars + len(axes.collections) - len(clouds)
    found += [_many(count, what) for count, what in
              [(points, 'point'), (bars, 'bar'), (areas, 'area'), (len(axes.images), 'image')] if count]
    title = axes.get_title().replace('\n', ', ')
    across, up = axes.get_xlabel(), axes.get_ylabel()
    spans = [f'{name} {"" if _shown(axis) else "(no ticks) "}from {low:.3g} to {high:.3g}' for name, axis, (low, high) in
             [(across or 'x', axes.xaxis, axes.get_xlim()), (up or 'y', axes.yaxis, axes.get_ylim())]]
    return f'{title + ": " if title else ""}{", ".join(found) or "nothing drawn"}, {", ".join(spans)}'


def _shown(axis):
    return axis.get_visible() and len(axis.get_ticklocs()) > 0


def _many(count, what):
    return f'{count} {what}{"" if count == 1 else "s"}'


def _listed(names):
    return ', '.join(names[:MOST]) + (f' and {len(names) - MOST} more' if len(names) > MOST else '')
