"""Plots of functions and images (sections 2.4 and 4.2 of D2L).

Nothing here blocks or needs a display: outside a notebook, `d2l.plt.savefig(path)` writes the current figure.
"""
import itertools
import sys

import torch


def in_notebook():
    """True where a Jupyter kernel runs this code, so that a figure can be shown."""
    ipython = sys.modules.get('IPython')
    return hasattr(ipython and ipython.get_ipython(), 'kernel')


def use_svg_display():
    """Show figures as SVG; without effect outside a notebook (section 2.4)."""
    if in_notebook():
        from matplotlib_inline.backend_inline import set_matplotlib_formats
        set_matplotlib_formats('svg')


def set_figsize(figsize=(3.5, 2.5)):
    """Set the size in inches of the figures to come (section 2.4)."""
    from matplotlib import pyplot as plt
    use_svg_display()
    plt.rcParams['figure.figsize'] = figsize


def set_axes(axes, xlabel, ylabel, xlim, ylim, xscale, yscale, legend):
    """Set labels, scales, limits and legend of matplotlib axes, and show the grid (section 2.4)."""
    axes.set(xlabel=xlabel, ylabel=ylabel, xscale=xscale, yscale=yscale)
    axes.set(xlim=xlim, ylim=ylim)
    if legend:
        axes.legend(legend)
    axes.grid()


def plot(X, Y=None, xlabel=None, ylabel=None, legend=(), xlim=None, ylim=None, xscale='linear', yscale='linear',
         fmts=('-', 'm--', 'g-.', 'r:'), figsize=(3.5, 2.5), axes=None):
    """Plot one curve or several (section 2.4).

    X and Y are each a sequence or tensor of numbers (one curve) or a list of them (one for each curve); one X
    serves all Y. With X alone, its values are drawn over 0, 1, 2, ... The `fmts` repeat where curves outnumber
    them. Draws into `axes`, by default the current ones, which are cleared first.
    """
    from matplotlib import pyplot as plt

    def curves(data):  # a list with one sequence for each curve
        one = getattr(data, 'ndim', None) == 1 or (len(data) > 0 and not hasattr(data[0], '__len__'))
        return [_array(curve) for curve in ([data] if one else data)]

    X = curves(X)
    if Y is None:
        X, Y = [range(len(y)) for y in X], X
    else:
        Y = curves(Y)
        X = X * len(Y) if len(X) == 1 else X
    if len(X) != len(Y):
        raise ValueError(f'plot got {len(X)} sequences of x and {len(Y)} of y; give one x for all, or one for each')
    set_figsize(figsize)
    axes = plt.gca() if axes is None else axes
    axes.cla()
    for x, y, fmt in zip(X, Y, itertools.cycle(fmts)):
        axes.plot(x, y, fmt)
    set_axes(axes, xlabel, ylabel, xlim, ylim, xscale, yscale, legend)


def show_images(imgs, num_rows, num_cols, titles=None, scale=1.5):
    """Show images, each (height, width) or (height, width, 3), in a grid (section 4.2).

    `scale` is the side of a picture in inches. Returns the flat array of matplotlib axes.
    """
    from matplotlib import pyplot as plt
    _, axes = plt.subplots(num_rows, num_cols, figsize=(num_cols * scale, num_rows * scale), squeeze=False)
    axes = axes.flatten()
    for i, (ax, img) in enumerate(zip(axes, imgs)):
        ax.imshow(_array(img))
        ax.xaxis.set_visible(False)
        ax.yaxis.set_visible(False)
        if titles:
            ax.set_title(titles[i])
    return axes


def _array(data):  # a tensor may be on a GPU or need gradients, which matplotlib cannot read
    return data.detach().cpu().numpy() if torch.is_tensor(data) else data
