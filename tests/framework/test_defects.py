"""One test for each defect of d2l 1.0.3 that d2l_utils does not have; the numbers are those of the design."""
import ast
import hashlib
import http.server
import inspect
import os
import shutil
import ssl
import subprocess
import threading
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import d2l_utils as d2l

PACKAGE = Path(d2l.__file__).parent


def test_01_add_to_class_keeps_the_name_of_the_function():
    class A:
        pass

    @d2l.add_to_class(A)
    def double(self, x):
        return 2 * x

    assert A().double(3) == 6
    assert double(None, 4) == 8


def test_02_linear_regression_starts_near_zero(regression):
    wide = d2l.LinearRegression(lr=0.1)
    wide(torch.ones(1, 5000))
    w, b = wide.get_w_b()
    assert w.std().item() == pytest.approx(0.01, rel=0.1)  # torch's own start would be 0.008, uniform
    assert w.abs().max() > 0.03  # a normal start has tails: three deviations among 5,000 weights
    assert b.item() == 0


def test_03_one_batch_an_epoch_still_draws_the_training_loss():
    data = d2l.SyntheticRegressionData(torch.tensor([1.0]), 0.0, num_train=8, num_val=8, batch_size=8)
    model = d2l.LinearRegression(lr=0.1)
    d2l.Trainer(max_epochs=3).fit(model, data)
    assert len(model.board.data['train_loss']) == 3


def test_04_board_without_xlabel_can_be_drawn(tmp_path):
    board = d2l.ProgressBoard()
    board.draw(1, 2, 'a')
    board.save(tmp_path / 'a.png')
    assert (tmp_path / 'a.png').stat().st_size > 1000


def test_05_every_series_is_drawn_each_in_its_own_style(tmp_path):
    board = d2l.ProgressBoard()
    for i in range(6):
        board.draw(0, i, f'series {i}')
    board.save(tmp_path / 'a.png')
    assert len({(line.get_color(), line.get_linestyle()) for line in board.axes.lines}) == 6
    assert len(board.axes.get_legend().get_texts()) == 6


def test_06_a_board_redraws_in_place_on_the_axes_it_is_given():
    _, axes = d2l.plt.subplots(1, 2)
    board = d2l.ProgressBoard(axes=axes[1])
    for i in range(50):
        board.draw(i, i ** 2, 'a')
    assert len(axes[0].lines) == 0
    assert len(axes[1].lines) == 1
    assert axes[1].lines[0].get_ydata()[-1] == 49 ** 2
    d2l.plt.close('all')


@pytest.mark.parametrize('model, names', [
    (d2l.LinearRegressionScratch(2, 0.1), ['w', 'b']), (d2l.WeightDecayScratch(2, 3, 0.1), ['w', 'b']),
    (d2l.SoftmaxRegressionScratch(4, 3, 0.1), ['W', 'b']), (d2l.MLPScratch(4, 3, 5, 0.1), ['W1', 'b1', 'W2', 'b2']),
    (d2l.MulMLPScratch(4, 3, [5, 6], 0.1), ['Ws.0', 'Ws.1', 'Ws.2', 'bs.0', 'bs.1', 'bs.2'])])
def test_07_scratch_models_have_parameters_that_move_save_and_clip(model, names, regression):
    assert list(model.state_dict()) == names
    assert all(p.dtype == torch.float64 for p in model.double().parameters())
    if isinstance(model, d2l.LinearRegressionScratch):
        d2l.Trainer(max_epochs=1, gradient_clip_val=0.01).fit(model.float(), regression)
        assert sum((p.grad ** 2).sum() for p in model.parameters()).sqrt() <= 0.01 * 1.0001


def test_08_hyperparameters_are_the_arguments_and_those_of_the_base_stay():
    class Base(d2l.HyperParameters):
        def __init__(self, a, _private=1, *rest, b=2, **more):
            stray = a + b  # noqa: F841
            self.save_hyperparameters()

    class Derived(Base):
        def __init__(self, c, dropped=0):
            super().__init__(1, 5, 6, b=7, d=8)
            self.save_hyperparameters(ignore=['dropped'])

    thing = Derived(3)
    assert thing.hparams == {'a': 1, 'b': 7, 'rest': (6,), 'more': {'d': 8}, 'c': 3}
    assert (thing.a, thing.b, thing.c, hasattr(thing, 'stray'), hasattr(thing, 'dropped')) == (1, 7, 3, False, False)


def test_09_a_gpu_that_is_not_there_is_said_and_several_are_refused(capsys):
    with pytest.raises(ValueError, match='num_gpus=2.*one device'):
        d2l.Trainer(max_epochs=1, num_gpus=2)
    trainer = d2l.Trainer(max_epochs=1, num_gpus=1)
    has_gpu = torch.cuda.is_available() or torch.backends.mps.is_available()
    assert (trainer.device.type == 'cpu') == (not has_gpu)
    assert ('no GPU' in capsys.readouterr().out) == (not has_gpu)


def test_10_metrics_are_kept_apart_from_the_plot_and_read_late(regression):
    model = d2l.LinearRegression(lr=0.1)
    model.board.display = False
    trainer = d2l.Trainer(max_epochs=2)
    trainer.fit(model, regression)
    assert list(trainer.history.to_frame().columns) == ['epoch', 'train_loss', 'val_loss']
    assert len(trainer.history.steps['train_loss']) == 2 * 7
    # A tensor on another device is read when its point is due, not before; one on 'meta' cannot be read at all.
    unreadable = torch.empty((), device='meta')
    board = d2l.ProgressBoard()
    board.draw(0, unreadable, 'a', every_n=2)
    with pytest.raises((RuntimeError, NotImplementedError)):
        board.draw(1, unreadable, 'a', every_n=2)


def test_11_validation_metrics_weigh_batches_by_their_size():
    X, y = torch.randn(11, 3), torch.tensor([0] * 10 + [1])

    class Data(d2l.DataModule):
        batch_size = 4  # validation batches of 4, 4 and 3

        def get_dataloader(self, train):
            return self.get_tensorloader((X, y), train)

    model, trainer = d2l.SoftmaxRegression(2, lr=0.1), d2l.Trainer(max_epochs=1)
    trainer.fit(model, Data())
    with torch.no_grad():
        Y_hat = model(X)
    for metric, value in (('val_acc', model.accuracy(Y_hat, y)), ('val_loss', model.loss(Y_hat, y))):
        assert trainer.history[-1][metric] == pytest.approx(value.item(), rel=1e-6)
        assert model.board.data[metric][-1].y == pytest.approx(value.item(), rel=1e-6)


def test_12_the_two_squared_losses_keep_their_factor_of_two_and_say_so():
    y_hat, y = torch.randn(7, 1), torch.randn(7, 1)
    scratch, concise = d2l.LinearRegressionScratch(1, 0.1), d2l.LinearRegression(0.1)
    assert concise.loss(y_hat, y).item() == pytest.approx(2 * scratch.loss(y_hat, y).item())
    assert 'half' in scratch.loss.__doc__ and 'twice' in concise.loss.__doc__


def test_13_scratch_weight_decay_validates_without_the_penalty():
    model, y = d2l.WeightDecayScratch(3, lambd=2, lr=0.1), torch.zeros(4, 1)
    with torch.no_grad():
        model.w.fill_(1)
    assert model.train().loss(y, y).item() == pytest.approx(2 * 3 / 2)
    assert model.eval().loss(y, y).item() == 0


def test_14_errors_are_sentences_and_defaults_cannot_be_changed():
    with pytest.raises(NotImplementedError, match='Module has no loss'):
        d2l.Module().loss(1, 1)
    with pytest.raises(NotImplementedError, match='Module has no network'):
        d2l.Module()(1)
    with pytest.raises(NotImplementedError, match='DataModule has no data'):
        d2l.DataModule().train_dataloader()
    with pytest.raises(RuntimeError, match='no trainer yet'):
        d2l.Module().plot('loss', 1.0, train=True)
    for name in d2l.__all__:
        thing = getattr(d2l, name)
        functions = [f for _, f in inspect.getmembers(thing, inspect.isfunction)] if inspect.isclass(thing) else [thing]
        for function in filter(inspect.isfunction, functions):
            if function.__module__.startswith('d2l_utils'):
                for parameter in inspect.signature(function).parameters.values():
                    assert not isinstance(parameter.default, (list, dict, set)), f'{name}.{function.__name__}'
    for path in PACKAGE.glob('*.py'):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.ExceptHandler) and node.type is None), f'bare except in {path.name}'
            assert not isinstance(node, ast.Assert), f'assert in {path.name}: raise an error with a sentence'


def test_15_backward_runs_with_gradients_enabled(regression):
    seen = []

    class Model(d2l.LinearRegression):
        def training_step(self, batch):
            loss = super().training_step(batch)
            loss.backward = lambda: (seen.append(torch.is_grad_enabled()), torch.Tensor.backward(loss))
            return loss

    d2l.Trainer(max_epochs=1).fit(Model(lr=0.1), regression)
    assert seen and all(seen)


def test_16_the_dropout_mask_is_made_on_the_device_of_its_input():
    X = torch.ones(3, 4, device='meta', dtype=torch.float64)
    out = d2l.dropout_layer(X, 0.5)
    assert (out.device.type, out.dtype, out.shape) == ('meta', torch.float64, X.shape)


def test_17_house_prices_are_preprocessed_on_pandas_3_and_from_training_rows_alone():
    assert int(version('pandas').split('.')[0]) >= 3
    data = d2l.KaggleHouse(batch_size=64)
    data.preprocess()
    assert data.train['LotArea'].mean() == pytest.approx(0, abs=1e-9)
    assert data.train['LotArea'].std() == pytest.approx(1)
    before = data.train.copy()
    data.raw_val.loc[0, 'LotArea'] = 10 ** 9
    data.raw_val.loc[0, 'Street'] = 'a kind not seen in training'
    data.preprocess()
    pd.testing.assert_frame_equal(data.train, before)
    assert list(data.val.columns) == [c for c in before.columns if c != 'SalePrice']
    assert not data.val.isna().any(axis=None)
    assert np.isfinite(data.train.to_numpy(dtype=float)).all()


def test_18_images_come_in_batches_without_pillow_or_worker_processes(script):
    print(script('''
import sys, psutil, torch, d2l_utils as d2l
data = d2l.FashionMNIST(batch_size=256)
for X, y in data.train_dataloader():
    assert not psutil.Process().children()
    assert (X.dtype, y.dtype, X.shape[1:]) == (torch.float32, torch.int64, (1, 28, 28))
    assert X.min() == 0 and X.max() == 1
assert len(X) == 60000 % 256
assert not {'PIL', 'torchvision'} & set(sys.modules)
'''))


def test_19_it_runs_beside_todays_packages_and_without_d2l(script):
    script('''
import sys
sys.modules["d2l"] = None  # importing it would now fail
import d2l_utils as d2l, torch, numpy, pandas, matplotlib
assert int(numpy.__version__.split(".")[0]) >= 2 and int(pandas.__version__.split(".")[0]) >= 3
data = d2l.SyntheticRegressionData(torch.tensor([1.0]), 0.0)
trainer = d2l.Trainer(1)
trainer.fit(d2l.LinearRegression(0.1), data)
trainer.history.to_frame()
''')


def test_20_plots_work_without_display_and_do_not_block(script, tmp_path):
    script(f'''
import torch, d2l_utils as d2l
x = torch.arange(0, 3, 0.1, requires_grad=True)
d2l.use_svg_display()
d2l.plot(x, [x ** 2, torch.sin(x)], "x", "f(x)", legend=["square", "sine"])
d2l.plt.savefig({str(tmp_path / "plot.svg")!r})
d2l.show_images(torch.rand(4, 5, 5), 2, 2, titles=list("abcd"))
d2l.plt.savefig({str(tmp_path / "images.png")!r})
model = d2l.LinearRegression(0.1)
d2l.Trainer(2).fit(model, d2l.SyntheticRegressionData(torch.tensor([1.0]), 0.0))
model.board.save({str(tmp_path / "board.pdf")!r})
''')
    assert {p.name: p.stat().st_size > 1000 for p in tmp_path.iterdir()} == {
        'plot.svg': True, 'images.png': True, 'board.pdf': True}


@pytest.mark.skipif(not shutil.which('openssl'), reason='needs openssl to make a certificate')
def test_21_downloads_use_https_a_checksum_and_a_clear_error(tmp_path, monkeypatch):
    (tmp_path / 'site').mkdir()
    (tmp_path / 'site/a.txt').write_text('some data')
    sha1 = hashlib.sha1(b'some data').hexdigest()
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'cert.pem',
                    '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
                   cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / 'cert.pem', tmp_path / 'key.pem')

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(tmp_path / 'site'))

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(('localhost', 0), Quiet)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv('SSL_CERT_FILE', str(tmp_path / 'cert.pem'))
    monkeypatch.setenv('no_proxy', 'localhost')
    url = f'http://localhost:{server.server_port}/'  # asked for over http, fetched over https
    try:
        path = d2l.download(url + 'a.txt', tmp_path / 'got', sha1)
        assert Path(path).read_text() == 'some data'
        with pytest.raises(ValueError, match='another checksum'):
            d2l.download(url + 'a.txt', tmp_path / 'other', '0' * 40)
        assert os.listdir(tmp_path / 'other') == []
        with pytest.raises(FileNotFoundError, match=r'b\.txt.*put the file at .*got/b\.txt.*sha1 ' + sha1):
            d2l.download(url + 'b.txt', tmp_path / 'got', sha1)
    finally:
        server.shutdown()
        server.server_close()
    assert d2l.download(url + 'a.txt', tmp_path / 'got', sha1) == path  # the server is gone: the folder serves
    assert d2l.DATA_URL.startswith('https://')


def test_22_accuracy_holds_for_any_dtype_of_labels():
    model, scores = d2l.Classifier(), torch.eye(300)[[256, 3]]
    for dtype in (torch.uint8, torch.int8, torch.int32, torch.float32):
        labels = torch.tensor([0, 3]).to(dtype)      # 256 would be 0 as uint8
        assert model.accuracy(scores, labels).item() == 0.5
