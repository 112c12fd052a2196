"""Names that the book reaches through `d2l`, and a cure for torchvision; both cost nothing until used."""
import importlib
import importlib.util
import sys
from pathlib import Path

import torch

# Attribute of d2l -> what is imported when it is first used. The book writes d2l.plt.plot, d2l.np.array, ...
LAZY = {
    'np': 'numpy', 'pd': 'pandas', 'plt': 'matplotlib.pyplot', 'torchvision': 'torchvision',
    'transforms': 'torchvision.transforms', 'data': 'torch.utils.data', 'Image': 'PIL.Image',
    'display': 'IPython.display', 'backend_inline': 'matplotlib_inline.backend_inline', 'check': 'd2l_utils.check',
    **{name: name for name in ('collections', 'hashlib', 'inspect', 'math', 'os', 'random', 're', 'requests',
                               'shutil', 'sys', 'tarfile', 'time', 'zipfile')},
}

# D2L's names for tensor operations, so that one text serves several libraries: functions of torch ...
ALIASES = {name: getattr(torch, name) for name in (
    'ones_like', 'ones', 'zeros_like', 'zeros', 'tensor', 'arange', 'meshgrid', 'sin', 'sinh', 'cos', 'cosh',
    'tanh', 'linspace', 'exp', 'log', 'normal', 'rand', 'randn', 'matmul', 'int32', 'int64', 'float32', 'stack',
    'abs', 'eye', 'sigmoid', 'nn')}
ALIASES |= {'torch': torch, 'F': torch.nn.functional, 'nn_Module': torch.nn.Module, 'concat': torch.cat,
            'batch_matmul': torch.bmm, 'numpy': lambda x, *args, **kwargs: x.detach().numpy(*args, **kwargs)}


def _method(name):
    def call(x, *args, **kwargs):
        return getattr(x, name)(*args, **kwargs)
    call.__name__, call.__doc__ = name, f'`x.{name}(...)` as a function of the tensor x.'
    return call


# ... and methods of tensors.
ALIASES |= {alias: _method(name) for alias, name in {
    'size': 'numel', 'reshape': 'reshape', 'to': 'to', 'reduce_sum': 'sum', 'argmax': 'argmax', 'astype': 'type',
    'transpose': 't', 'reduce_mean': 'mean', 'expand_dims': 'unsqueeze', 'swapaxes': 'swapaxes',
    'repeat': 'repeat'}.items()}


def load(name):
    """The module behind the attribute `name` of d2l_utils. Errors: AttributeError."""
    if name == 'defaultdict':
        return importlib.import_module('collections').defaultdict
    if name not in LAZY:
        raise AttributeError(f'd2l_utils has no {name!r}. It covers chapters 2 to 5 of D2L; dir(d2l_utils) lists '
                             'its names.')
    return importlib.import_module(LAZY[name])


def cure_torchvision():
    """Let `import torchvision` work beside a build of torch that its compiled operators do not match.

    Its import describes two operators that then do not exist ("operator torchvision::nms does not exist").
    Where they cannot be loaded, declare their schemas; data sets and transforms need no more. Does not import
    torchvision. Returns what was declared, or None. The caller keeps it: the schemas live as long as it does.
    """
    spec = importlib.util.find_spec('torchvision') if 'torchvision' not in sys.modules else None
    if spec is None or hasattr(torch.ops.torchvision, 'nms'):
        return None
    for library in Path(spec.origin).parent.glob('_C*'):
        try:
            torch.ops.load_library(str(library))
            return None
        except OSError:  # built for another torch
            pass
    schemas = torch.library.Library('torchvision', 'DEF')
    for name in ('nms', 'qnms'):
        schemas.define(f'{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor')
    return schemas
