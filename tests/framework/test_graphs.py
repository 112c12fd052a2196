"""Graphs as pictures: with Graphviz's `dot`, and where it is missing."""
import base64
import re
import shutil
import sysconfig
from pathlib import Path

import graphviz
import nbformat
import pytest
import torch

import d2l_utils as d2l


@pytest.fixture(params=['dot', 'graphviz-pure'])
def program(request, monkeypatch, lacking):
    """Each program in turn; without Graphviz the folder of Python's own programs is not on the PATH either."""
    if request.param == 'dot' and not shutil.which('dot'):
        lacking('No dot here. Install Graphviz (Debian: apt-get install graphviz).')
    if request.param == 'graphviz-pure':
        monkeypatch.setenv('PATH', '')
    return request.param


def words(svg):
    return re.findall(r'<text[^>]*>([^<]*)</text>', svg)


def test_graph_of_a_model_and_of_a_tensor(program, tmp_path):
    graph = d2l.show_graph(d2l.MLP(3, 4, lr=0.1), torch.randn(2, 5), filename=tmp_path / 'graph.svg')
    assert all(name in graph.source for name in ('net.1.weight', 'net.3.bias', 'AddmmBackward0'))
    assert {'net.1.weight', 'AddmmBackward0'} <= set(words((tmp_path / 'graph.svg').read_text()))
    x = torch.ones(2, requires_grad=True)
    graph = d2l.show_graph((x * x).sum(), params={'the weights': x}, show_saved=True)
    assert 'SumBackward0' in graph.source and 'the weights' in graph.source and 'fillcolor=orange' in graph.source
    with pytest.raises(ValueError, match='Tensor without a graph.*requires_grad'):
        d2l.show_graph(torch.ones(2))


def test_a_graph_of_ones_own(program, tmp_path):
    graph = graphviz.Digraph(graph_attr={'rankdir': 'LR'}, node_attr={'fontsize': '11'})
    with graph.subgraph(name='cluster_1') as layer:
        layer.attr(label='layer 1')
        layer.node('h', 'h = σ(W x)', shape='box')
    graph.edge('x', 'h', label='∂h/∂x')
    svg = d2l.show_dot(graph, filename=tmp_path / 'own.PNG').svg()
    assert svg.startswith('<svg') and svg.count('<svg') == 1
    assert {'layer 1', 'h = σ(W x)', 'x', '∂h/∂x'} <= set(words(svg))
    assert (tmp_path / 'own.PNG').read_bytes().startswith(b'\x89PNG')
    assert d2l.show_dot('digraph { a -> b }', filename=str(tmp_path / 'text.gv')).source == (tmp_path / 'text.gv').read_text()
    with pytest.raises(ValueError, match='does not end in .svg, .png'):
        d2l.show_dot(graph, filename='own.docx')


def test_letters_fit_their_boxes_without_dot(monkeypatch):
    monkeypatch.setenv('PATH', '')
    x = torch.ones(3, requires_grad=True)
    svg = d2l.show_graph(1 / x).svg()
    box = re.search(r'<polygon[^>]*points="([^"]*)"/>\s*<text[^>]*font-size="10.00">ReciprocalBackward0<', svg)
    corners = [float(point.split(',')[0]) for point in box[1].split()]
    assert max(corners) - min(corners) > len('ReciprocalBackward0') * 6     # a letter of Courier, 10 points: 6 wide


def test_a_notebook_and_its_page_show_the_picture(program):
    from nbconvert import HTMLExporter
    data = d2l.show_dot('digraph { input -> output }')._repr_mimebundle_()
    assert base64.b64decode(data['image/png']).startswith(b'\x89PNG')      # what a feedback page shows
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(
        'd2l.show_dot(graph)', outputs=[nbformat.v4.new_output('display_data', data=data)])])
    nbformat.validate(notebook)
    page, _ = HTMLExporter(template_name='lab').from_notebook_node(notebook)
    picture = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    assert {'input', 'output'} <= set(words(base64.b64decode(picture[1]).decode()))


def test_without_any_program_it_says_in_words_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv('PATH', '')
    monkeypatch.setattr(sysconfig, 'get_path', lambda name: str(tmp_path))
    graph = d2l.show_graph(torch.ones(2, requires_grad=True) * 2)
    shown = graph._repr_mimebundle_()
    assert 'neither `dot` nor `graphviz-pure` is here' in shown['text/plain'] and 'pip install' in shown['text/html']
    with pytest.raises(RuntimeError, match='pip install graphviz-pure'):
        graph.save(tmp_path / 'graph.svg')


def test_a_mistake_in_a_graph_is_told_without_a_traceback(program):
    graph = d2l.show_dot('digraph { a -> ')
    assert 'syntax error' in graph._repr_mimebundle_()['text/plain']
    with pytest.raises(ValueError, match='has a mistake'):
        graph.svg()


def test_the_program_that_comes_with_the_book_is_installed():
    name = Path(sysconfig.get_path('scripts'), 'graphviz-pure')
    assert name.exists() or name.with_suffix('.exe').exists()
