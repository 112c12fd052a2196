"""The Trainer: history, devices, checkpoints and the sentences that it says."""
import io

import pytest
import torch
from torch import nn

import d2l_utils as d2l


class Images(d2l.DataModule):
    """70 random images of 6 x 6 in 3 classes, batches of 16."""

    def __init__(self, X=None, y=None, batch_size=16):
        super().__init__()
        self.save_hyperparameters()
        g = torch.Generator().manual_seed(3)
        self.X = torch.randn(70, 1, 6, 6, generator=g) if X is None else X
        self.y = torch.randint(3, (len(self.X),), generator=g) if y is None else y

    def get_dataloader(self, train):
        return self.get_tensorloader((self.X, self.y), train)


def test_history_holds_epochs_and_steps(regression):
    trainer = d2l.Trainer(max_epochs=3)
    trainer.fit(d2l.LinearRegression(lr=0.1), regression)
    history = trainer.history
    assert [row['epoch'] for row in history] == history['epoch'] == [1, 2, 3]
    steps = torch.tensor(history.steps['train_loss']).reshape(3, 7)
    rows = torch.tensor([16.0] * 6 + [4.0])
    torch.testing.assert_close(torch.tensor(history['train_loss']), steps @ rows / 100)
    frame = history.to_frame()
    assert frame.shape == (3, 3) and frame['val_loss'].iloc[-1] == history[-1]['val_loss']


def test_fit_leaves_no_hook_and_the_boards_switch_as_it_was(regression):
    model = d2l.LinearRegression(lr=0.1)
    model(regression.X)
    hooks = len(model._forward_pre_hooks)
    d2l.Trainer(1, verbose=False).fit(model, regression)
    assert len(model._forward_pre_hooks) == hooks and model.board.display is True


def test_a_seed_repeats_a_run_exactly():
    def run():
        torch.manual_seed(5)
        trainer = d2l.Trainer(max_epochs=2)
        trainer.fit(d2l.DropoutMLP(3, 8, 8, 0.5, 0.5, lr=0.1), Images())
        return trainer.history.steps
    assert run() == run()


class Momentum(d2l.DropoutMLP):
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)


@pytest.mark.parametrize('make', [lambda: Momentum(3, 8, 8, 0.5, 0.5, lr=0.01),
                                  lambda: d2l.DropoutMLPScratch(3, 8, 8, 0.5, 0.5, lr=0.1)])
def test_resuming_repeats_the_uninterrupted_run_exactly(make, tmp_path):
    """Weights, optimizer state, shuffling, dropout masks, history and curves: all go on where they were."""
    path = tmp_path / 'run.pt'

    def run(max_epochs, **where):
        torch.manual_seed(0)
        model, trainer = make(), d2l.Trainer(max_epochs, checkpoint=path)
        if where:
            torch.manual_seed(99)  # what the state is before resuming must not matter
        trainer.fit(model, Images(), **where)
        return model, trainer

    whole, trainer = run(5)
    run(2)
    resumed, second = run(5, resume_from=path)
    assert second.history == trainer.history and len(second.history) == 5
    assert second.history.steps == trainer.history.steps
    assert resumed.board.data == whole.board.data
    assert (second.train_batch_idx, second.val_batch_idx) == (trainer.train_batch_idx, trainer.val_batch_idx)
    for name, value in whole.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name]), name


def test_resuming_restores_a_loader_with_its_own_generator(tmp_path):
    class Own(Images):
        def get_dataloader(self, train):
            data = torch.utils.data.TensorDataset(self.X, self.y)
            return torch.utils.data.DataLoader(data, 16, shuffle=train, generator=torch.Generator().manual_seed(4))

    def run(max_epochs, **where):
        torch.manual_seed(0)
        trainer = d2l.Trainer(max_epochs, checkpoint=tmp_path / 'run.pt')
        trainer.fit(d2l.SoftmaxRegression(3, lr=0.1), Own(), **where)
        return trainer.history.steps

    whole = run(4)
    run(1)
    assert run(4, resume_from=tmp_path / 'run.pt') == whole


def test_the_optimizer_of_the_book_without_state_resumes_too(regression, tmp_path):
    model = d2l.LinearRegressionScratch(2, lr=0.03)
    d2l.Trainer(2, checkpoint=tmp_path / 'a').fit(model, regression)
    again = d2l.LinearRegressionScratch(2, lr=0.03)
    d2l.Trainer(2).fit(again, regression, resume_from=tmp_path / 'a')  # nothing left to train
    assert torch.equal(again.w, model.w)


def test_a_loss_of_nan_is_named_with_epoch_and_batch(regression):
    regression.X[90] = float('nan')
    regression.batch_size = 100
    with pytest.raises(FloatingPointError, match=r'train_loss is NaN in epoch 1 of 3, batch 1\b.*learning rate'):
        d2l.Trainer(max_epochs=3, device='cpu').fit(d2l.LinearRegression(lr=0.1), regression)
    regression.X[90], regression.X[130] = 0, float('nan')
    regression.batch_size = 16
    trainer = d2l.Trainer(max_epochs=3, device='cpu')
    with pytest.raises(FloatingPointError, match=r'val_loss is NaN in epoch 1 of 3, batch 2\b'):
        trainer.fit(d2l.LinearRegression(lr=0.1), regression)
    assert len(trainer.history.open['train_loss'][0]) == 7  # what came before is there


def test_nan_on_an_accelerator_is_found_at_the_end_of_the_epoch():
    """There, values stay tensors until the epoch ends; the History is told so by being given tensors."""
    history = d2l.History()
    for value in (1.0, float('nan'), 2.0):
        history.record('train_loss', torch.tensor(value), 4)
    assert history.end_epoch(1) == ('train_loss', 2)
    assert history.steps['train_loss'][::2] == [1.0, 2.0]


def test_an_empty_data_set_gets_a_sentence():
    with pytest.raises(ValueError, match='training set is empty: 0 examples'):
        d2l.Trainer(1).fit(d2l.SoftmaxRegression(3, 0.1), Images(torch.zeros(0, 1, 6, 6)))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(3, 2)), 4, drop_last=True)
    data = d2l.DataModule()
    data.get_dataloader = lambda train: loader
    with pytest.raises(ValueError, match='training loader has no batch'):
        d2l.Trainer(1).fit(d2l.SoftmaxRegression(3, 0.1), data)


def test_a_model_without_parameters_gets_a_sentence(regression):
    class Empty(d2l.LinearRegression):
        def __init__(self):
            super().__init__(lr=0.1)
            self.net = nn.Identity()
    with pytest.raises(ValueError, match='Empty has no parameters to train: make'):
        d2l.Trainer(1).fit(Empty(), regression)


def test_a_batch_of_the_wrong_shape_gets_a_sentence(regression):
    with pytest.raises(ValueError, match=r'predictions have shape \(16, 1\) but targets \(16,\).*reshape'):
        regression.y = regression.y.flatten()
        d2l.Trainer(1).fit(d2l.LinearRegression(0.1), regression)
    with pytest.raises(TypeError, match=r'batch must be \(inputs, targets\), got \(16, 1, 6, 6\) float32'):
        data = Images()
        data.get_dataloader = lambda train: torch.utils.data.DataLoader(data.X, 16)
        d2l.Trainer(1).fit(d2l.SoftmaxRegression(3, 0.1), data)
    with pytest.raises(ValueError, match=r'same number of rows, got \(\(16, 2\) float32, \(15,\) int64\)'):
        data.get_dataloader = lambda train: [(torch.ones(16, 2), torch.zeros(15, dtype=torch.int64))]
        d2l.Trainer(1).fit(d2l.SoftmaxRegression(3, 0.1), data)


def test_an_error_in_a_step_names_the_batch_and_hides_torchs_frames():
    with pytest.raises(RuntimeError) as info:
        d2l.Trainer(1).fit(d2l.MLPScratch(35, 3, 4, lr=0.1), Images())
    note = info.value.__notes__[0]
    assert 'MLPScratch.training_step in epoch 1' in note and '((16, 1, 6, 6) float32, (16,) int64)' in note
    frames = [entry.frame.f_globals['__name__'] for entry in info.traceback]
    assert frames[-1] == 'd2l_utils.mlp' and not [name for name in frames if name.startswith('torch.')]


@pytest.mark.parametrize('returned, sentence', [(None, 'training_step must return the loss.*NoneType')])
def test_a_step_without_loss_gets_a_sentence(returned, sentence, regression):
    class Silent(d2l.LinearRegression):
        def training_step(self, batch):
            return returned
    with pytest.raises(TypeError, match=sentence):
        d2l.Trainer(1).fit(Silent(0.1), regression)


def test_a_generator_as_loader_gets_a_sentence(regression):
    regression.get_dataloader = lambda train: (batch for batch in [])
    with pytest.raises(TypeError, match='returned a generator.*get_tensorloader'):
        d2l.Trainer(1).fit(d2l.LinearRegression(0.1), regression)


def test_swapped_arguments_get_a_sentence(regression):
    with pytest.raises(TypeError, match='got data of type LinearRegression, expected a DataModule'):
        d2l.Trainer(1).fit(regression, d2l.LinearRegression(0.1))


def test_training_without_validation_data(regression):
    regression.val_dataloader = lambda: None
    trainer = d2l.Trainer(2)
    trainer.fit(d2l.LinearRegression(0.1), regression)
    assert list(trainer.history[-1]) == ['epoch', 'train_loss']


def test_silence(regression, capfd):
    d2l.Trainer(2, verbose=False).fit(d2l.LinearRegression(0.1), regression)
    d2l.Trainer(2).fit(d2l.LinearRegression(0.1), regression)  # no terminal: no progress bar either
    assert capfd.readouterr() == ('', '')


def test_progress_bar_in_a_terminal(regression, monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr('sys.stderr', terminal)
    d2l.Trainer(2).fit(d2l.LinearRegression(0.1), regression)
    assert '2/2' in terminal.getvalue() and 'val_loss=' in terminal.getvalue()


def test_the_books_own_loop_and_plain_tensors_still_run(regression):
    """Section 3.4 registers a loop of its own, and has a model of plain tensors and an optimizer without guard."""
    class Plain(d2l.Module):
        def __init__(self):
            super().__init__()
            self.v = torch.zeros(2, 1, requires_grad=True)

        def forward(self, X):
            return X @ self.v

        def loss(self, y_hat, y):
            return (y_hat - y).square().mean()

        def configure_optimizers(self):
            return Step([self.v])

    class Step:
        def __init__(self, params):
            self.params = params

        def zero_grad(self):
            for p in self.params:
                p.grad = None

        def step(self):
            for p in self.params:
                p -= 0.1 * p.grad

    class Loop(d2l.Trainer):
        def prepare_batch(self, batch):
            return batch

        def fit_epoch(self):
            for batch in self.train_dataloader:
                loss = self.model.training_step(self.prepare_batch(batch))
                self.optim.zero_grad()
                with torch.no_grad():
                    loss.backward()
                    self.optim.step()
                self.train_batch_idx += 1
            for batch in self.val_dataloader:
                with torch.no_grad():
                    self.model.validation_step(self.prepare_batch(batch))

    histories = []
    for cls in (d2l.Trainer, Loop):
        torch.manual_seed(1)
        trainer = cls(max_epochs=3)
        trainer.fit(Plain(), regression)
        histories.append(trainer.history)
    assert histories[0] == histories[1]
    assert histories[0]['train_loss'][-1] < histories[0]['train_loss'][0]


def test_the_environment_may_name_the_device(monkeypatch, regression):
    monkeypatch.setenv('D2L_DEVICE', 'meta')
    assert d2l.best_device() == d2l.Trainer(1).device == torch.device('meta')
    assert d2l.Trainer(1, device='cpu').device == d2l.cpu()
    monkeypatch.setenv('D2L_DEVICE', 'gpu')
    with pytest.raises(ValueError, match="D2L_DEVICE is 'gpu', which is no device of torch"):
        d2l.Trainer(1)
    monkeypatch.setenv('D2L_DEVICE', '')
    assert d2l.best_device().type != 'meta'


def test_clipping_and_summary(capsys):
    d2l.SoftmaxRegression(3, 0.1).layer_summary((2, 1, 6, 6))
    assert capsys.readouterr().out.split('\n')[1] == 'Linear output shape:\t torch.Size([2, 3])'
    model = d2l.MLP(3, 4, 0.1)
    model.apply_init([torch.ones(2, 6)], lambda m: nn.init.ones_(m.weight) if isinstance(m, nn.Linear) else None)
    assert torch.equal(model.net[1].weight, torch.ones(4, 6))
