"""The training loop (sections 3.2, 3.4 and 6.7 of D2L), with a history and checkpoints."""
import math

import torch

from . import checkpoint
from .history import History
from .hyperparameters import HyperParameters
from .plots import in_notebook
from .system import best_device, cpu


class Trainer(HyperParameters):
    """Trains a Module on a DataModule (section 3.2).

    max_epochs: how often the training set is gone through.
    num_gpus: 1 asks for a GPU and leaves the model on it; 0 takes the best device there is (CUDA, then MPS, then
        CPU) and brings the model back afterwards; code that makes tensors on the CPU is then trained there. More
        than 1 is refused.
    gradient_clip_val: upper limit of the gradient's norm; 0 means none.
    device: a device of your own choice, such as 'cpu'.
    verbose: False trains silently. Else there is a live plot in a notebook, a progress bar in a terminal.
    checkpoint: a path; the state is written there after every epoch. `fit(..., resume_from=path)` goes on from it.

    After `fit`, `history` has the metrics and `device` says where the model was trained.
    """

    def __init__(self, max_epochs, num_gpus=0, gradient_clip_val=0, device=None, verbose=True, checkpoint=None):
        if num_gpus > 1:
            raise ValueError(f'num_gpus={num_gpus}: this Trainer uses one device. Ask for num_gpus=1, or use '
                             'torch.nn.parallel.DistributedDataParallel for several.')
        self.save_hyperparameters(ignore=['device'])
        self.device = torch.device(device) if device else best_device()
        self._bring_back = not (device or num_gpus)
        if num_gpus == 1 and self.device.type == 'cpu' and verbose:
            print('num_gpus=1, but this machine has no GPU that torch can use: training on the CPU')

    def prepare_data(self, data):
        """Make the loaders and count their batches."""
        if not hasattr(data, 'train_dataloader'):
            raise TypeError(f'fit(model, data) got data of type {type(data).__name__}, expected a DataModule')
        self.train_dataloader = data.train_dataloader()
        self.val_dataloader = data.val_dataloader()
        for name, loader in (('train', self.train_dataloader), ('val', self.val_dataloader)):
            if loader is None and name == 'val':
                continue
            if not hasattr(loader, '__len__'):
                raise TypeError(f'{name}_dataloader() returned a {type(loader).__name__}, which has no length and '
                                'can be read only once; expected a DataLoader (see get_tensorloader)')
        self.num_train_batches = len(self.train_dataloader)
        self.num_val_batches = len(self.val_dataloader) if self.val_dataloader is not None else 0
        if self.num_train_batches == 0:
            raise ValueError('the training loader has no batch: the data set is empty, or smaller than a batch '
                             'that drop_last=True drops')

    def prepare_model(self, model):
        """Tie model and trainer together and move the model to the device."""
        model.trainer = self
        model.board.xlim = [0, self.max_epochs]
        loose = [name for name, value in vars(model).items() if torch.is_tensor(value) and value.requires_grad]
        if loose and self.device.type != 'cpu':
            print(f'{", ".join(loose)} are plain tensors, which .to(device) skips: training on the CPU. '
                  'Make them nn.Parameter to use the GPU.')
            self.device = cpu()
        self.model = model.to(self.device)

    def prepare_batch(self, batch):
        """Check a batch, (inputs..., targets), and move it to the device (section 6.7)."""
        if not isinstance(batch, (tuple, list)) or len(batch) < 2:
            raise TypeError(f'a batch must be (inputs, targets), got {_describe(batch)}')
        if len({len(a) for a in batch if torch.is_tensor(a) and a.dim()}) > 1:
            raise ValueError(f'inputs and targets must have the same number of rows, got {_describe(batch)}')
        if self.device.type == 'cpu':
            return batch
        return [a.to(self.device) if torch.is_tensor(a) else a for a in batch]

    def fit(self, model, data, resume_from=None):
        """Train `model` on `data` for `max_epochs`, or for what is left of them after the checkpoint
        `resume_from`. Resuming repeats the uninterrupted run exactly: the random numbers go on where they were.

        Errors: FloatingPointError when a loss turns NaN, naming epoch and batch; ValueError for an empty data set
        or a model without parameters. What a step raises is raised again with a note on the batch's shape.
        """
        self.history, self.batch_rows = History(), 1
        self.epoch = self.train_batch_idx = self.val_batch_idx = 0
        self.prepare_data(data)
        home = next((p.device for p in model.parameters()), cpu())
        self.prepare_model(model)
        self.optim = self._optimizer()
        first = checkpoint.load(self, resume_from) if resume_from else 0
        counter = model.register_forward_pre_hook(self._count_rows)
        display = model.board.display
        model.board.display = display and self.verbose
        bar = self._progress_bar()
        try:
            for epoch in range(first, self.max_epochs):
                self.epoch = epoch
                try:
                    self.fit_epoch()
                except RuntimeError as error:
                    if not self._falls_back_to_cpu(error):
                        raise
                    self.fit_epoch()
                self._stop_at_nan(*self.history.end_epoch(self.epoch + 1))
                bar.update(1)
                bar.set_postfix({k: v for k, v in self.history[-1].items() if k != 'epoch'})
                if self.checkpoint:
                    self.save_checkpoint(self.checkpoint)
        finally:
            counter.remove()
            bar.close()
            getattr(model.board, 'flush', bool)()
            model.board.display = display
            if self._bring_back:
                model.to(home)

    def fit_epoch(self):
        """Go once through the training data and once through the validation data (section 3.4)."""
        self.model.train()
        for batch in self.train_dataloader:
            loss = self._step(self.model.training_step, batch)
            self.optim.zero_grad()
            loss.backward()
            with torch.no_grad():  # a hand-written optimizer changes the parameters in place
                if self.gradient_clip_val > 0:
                    self.clip_gradients(self.gradient_clip_val, self.model)
                self.optim.step()
            self.train_batch_idx += 1
        if self.val_dataloader is None:
            return
        self.model.eval()
        with torch.no_grad():
            for batch in self.val_dataloader:
                self._step(self.model.validation_step, batch)
                self.val_batch_idx += 1

    def clip_gradients(self, grad_clip_val, model):
        """Scale all gradients together so that their norm is at most `grad_clip_val` (section 9.5)."""
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        if not grads:
            raise ValueError(f'{type(model).__name__} has no parameters with gradients to clip: plain tensors do not '
                             'count, make them nn.Parameter')
        norm = torch.sqrt(sum(torch.sum(g ** 2) for g in grads))
        if norm > grad_clip_val:
            for g in grads:
                g *= grad_clip_val / norm

    def record(self, label, value, rows):
        """Keep a batch's metric in the history; `Module.plot` calls this. A loss of NaN stops the training."""
        self.history.record(label, value, rows)
        if isinstance(value, float) and math.isnan(value):
            self._stop_at_nan(label, len(self.history.open[label][0]))

    def save_checkpoint(self, path):
        """Write the state at the end of an epoch to `path`: see checkpoint.py."""
        checkpoint.save(self, path)

    def _optimizer(self):
        try:
            return self.model.configure_optimizers()
        except ValueError as error:
            if 'empty parameter list' not in str(error):
                raise
            raise ValueError(f'{type(self.model).__name__} has no parameters to train: make a layer or an '
                             'nn.Parameter an attribute of the model in __init__') from None

    def _step(self, step, batch):
        try:
            batch = self.prepare_batch(batch)
            loss = step(batch)
        except (RuntimeError, ValueError, IndexError, TypeError) as error:
            error.add_note(f'This came from {type(self.model).__name__}.{step.__name__} in epoch {self.epoch + 1} '
                           f'on a batch of {_describe(batch)}. Compare these shapes with what the model expects.')
            _leave_out_torch(error.__traceback__)
            raise
        if step.__name__ == 'training_step' and not torch.is_tensor(loss):
            raise TypeError(f'{type(self.model).__name__}.training_step must return the loss, a tensor; '
                            f'it returned {type(loss).__name__}')
        return loss

    def _falls_back_to_cpu(self, error):
        # num_gpus=0 means the CPU in D2L: a mask or a batch made there (sections 3.4, 5.6) meets a model on the GPU.
        if not self._bring_back or self.device.type == 'cpu' or self.train_batch_idx or 'same device' not in str(error):
            return False
        print(f'the code mixes tensors on {self.device} and on the CPU: training on the CPU. To use the GPU, make every '
              'tensor where the input is, as in torch.rand(X.shape, device=X.device).')
        self.device = cpu()
        self.model.to(self.device)
        return True

    def _stop_at_nan(self, label, batch):
        if label and label.endswith('loss'):
            raise FloatingPointError(
                f'{label} is NaN in epoch {self.epoch + 1} of {self.max_epochs}, batch {batch}. Try a smaller '
                'learning rate, clip the gradients, or look for NaN in the data; trainer.history has what came before.')

    def _count_rows(self, module, inputs):
        if inputs:
            self.batch_rows = len(inputs[0])

    def _progress_bar(self):
        from tqdm.auto import tqdm
        live = in_notebook() and self.model.board.display
        # disable=None: no bar where stderr is no terminal
        return tqdm(total=self.max_epochs, initial=self.epoch, unit='epoch', leave=not in_notebook(),
                    disable=True if live or not self.verbose else None)


def _describe(batch):
    if isinstance(batch, (tuple, list)):
        return '(' + ', '.join(_describe(a) for a in batch) + ')'
    return f'{tuple(batch.shape)} {str(batch.dtype)[6:]}' if torch.is_tensor(batch) else type(batch).__name__


def _leave_out_torch(traceback):  # what is left ends in the line that called torch, which may be the student's
    while traceback:
        while traceback.tb_next and traceback.tb_next.tb_frame.f_globals.get('__name__', '').startswith('torch.'):
            traceback.tb_next = traceback.tb_next.tb_next
        traceback = traceback.tb_next
