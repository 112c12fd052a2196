"""Graphs as pictures (section 5.3): computational graphs by torchviz, and any graph of the package graphviz.

Graphviz's program `dot` lays them out where it is installed, `graphviz-pure` elsewhere: that one came with the book.
"""
import base64
import re
import shutil
import subprocess
import sysconfig
from html import escape
from pathlib import Path

import torch

FORMATS = ('svg', 'png', 'jpg', 'gv')


class Drawing:
    """A graph that a notebook shows as a picture: `source` is its text in Graphviz's language, `svg()` the picture."""

    def __init__(self, source):
        self.source = source
        self._svg = None

    def svg(self):
        """The picture as SVG text. Errors: RuntimeError where no program draws, ValueError where the graph has a mistake."""
        if self._svg is None:
            picture = _draw(self.source, 'svg').decode()
            self._svg = picture[picture.index('<svg'):].strip() + '\n'
        return self._svg

    def save(self, filename):
        """Write the picture to `filename`; its ending says how: .svg, .png, .jpg, or .gv for the text."""
        path = Path(filename)
        kind = path.suffix[1:].lower()
        if kind not in FORMATS:
            raise ValueError(f"{path.name} does not end in {', '.join('.' + name for name in FORMATS)}.")
        path.write_bytes(self.source.encode() if kind == 'gv' else _draw(self.source, kind))

    def _repr_mimebundle_(self, include=None, exclude=None):
        # Jupyter asks for this; it shows a traceback for an error in it, so say in words what is missing. Feedback
        # pages, and JupyterLab in a notebook that it does not trust, show no SVG: for these the picture as PNG
        try:
            png = base64.b64encode(_draw(self.source, 'png')).decode()
            return {'image/svg+xml': self.svg(), 'image/png': png, 'text/plain': repr(self)}
        except (RuntimeError, ValueError) as error:
            return {'text/plain': str(error), 'text/html': f'<p>{escape(str(error))}</p>'}

    def __repr__(self):
        return f"<a graph of {self.source.count('->')} arrows; a notebook shows it, save('graph.svg') writes it>"


def show_dot(graph, filename=None):
    """Show a graph of your own (a graphviz.Digraph, or text in Graphviz's language), also where `dot` is missing.

        graph = graphviz.Digraph(graph_attr={'rankdir': 'LR'})
        graph.edge('x', 'z', label='W')
        d2l.show_dot(graph)

    As the last line of a cell the graph is shown; in the middle of one, write `display(d2l.show_dot(graph))`.
    `filename`, such as 'graph.svg' or 'graph.png', also writes a file. Returns the Drawing.
    """
    drawing = Drawing(getattr(graph, 'source', graph))
    if filename is not None:
        drawing.save(filename)
    return drawing


def show_graph(target, *inputs, filename=None, params=None, **options):
    """Draw a computational graph with torchviz, also where `dot` is missing.

        d2l.show_graph(loss, params={'W': W, 'b': b})       # the graph that ends in the tensor `loss`
        d2l.show_graph(model, X)                            # that of model(X)

    As the last line of a cell the graph is shown; in the middle of one, write `display(d2l.show_graph(loss))`.
    `target` is a tensor that autograd made, or a model, which is then called with `inputs`. `params` names tensors;
    a model's parameters carry their names. `options` go to torchviz.make_dot: `show_saved=True` adds the tensors that
    are kept for the way back. `filename`, such as 'graph.svg' or 'graph.png', also writes a file.
    Returns the Drawing. Errors: ValueError where there is no graph.
    """
    from torchviz import make_dot
    params = dict(params or {})
    if isinstance(target, torch.nn.Module):
        model, target = target, target(*inputs)
        params = {**dict(model.named_parameters()), **params}
    if not torch.is_tensor(target) or target.grad_fn is None:
        raise ValueError(f'show_graph got {type(target).__name__} without a graph. Give a tensor computed from '
                         'one with requires_grad=True, or a model and its inputs.')
    return show_dot(make_dot(target, params=params, **options), filename)


def _program():
    """The program that lays graphs out, and whether it is Graphviz's own."""
    if dot := shutil.which('dot'):
        return dot, True
    name = 'graphviz-pure'
    pure = shutil.which(name, path=sysconfig.get_path('scripts')) or shutil.which(name)
    if pure is None:
        raise RuntimeError('This graph is not drawn: neither `dot` nor `graphviz-pure` is here. '
                           'Install one with `pip install graphviz-pure` or `conda install graphviz`.')
    return pure, False


def _draw(source, kind):
    """The picture of `source`, a graph in Graphviz's language, in the format `kind`: bytes."""
    program, own = _program()
    if not own:  # it knows the widths of Courier's letters, not those of torchviz's "monospace"
        source = re.sub(r'fontname="?monospace"?', 'fontname=Courier', source)
    try:
        done = subprocess.run([program, f'-T{kind}'], input=source.encode(), capture_output=True, check=False)
    except OSError as error:  # where answers are graded, no program may be started
        raise RuntimeError(f'This graph is not drawn: {Path(program).name} did not start ({error.strerror}).') from error
    if done.returncode or not done.stdout:
        reason = next((line for line in done.stderr.decode(errors='replace').splitlines() if 'rror' in line), '')
        raise ValueError(f'The graph has a mistake, and is not drawn: {reason or done.returncode}')
    return done.stdout
