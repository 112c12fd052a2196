"""What a training run measured."""
import math

import torch


class History(list):
    """The metrics of a run: a list with one dict for each epoch.

    `history[-1]` is the last epoch, such as {'epoch': 3, 'train_loss': 0.5, 'val_loss': 0.6}; each value is the
    mean over the epoch's examples. `history['val_loss']` is a metric's list over the epochs, `history.steps`
    has the value of every single batch, and `history.to_frame()` is a pandas DataFrame.
    """

    def __init__(self, state=None):
        state = state or {'epochs': [], 'steps': {}}
        super().__init__(state['epochs'])
        self.steps = state['steps']
        self.open = {}  # label -> (values, rows) of the epoch under way; values on an accelerator stay there

    def __getitem__(self, key):
        if isinstance(key, str):
            return [row[key] for row in self if key in row]
        return super().__getitem__(key)

    def to_frame(self):
        """A pandas DataFrame, one row for each epoch."""
        import pandas as pd
        return pd.DataFrame(list(self))

    def state(self):
        """Plain lists and dicts, from which History(state) is made again."""
        return {'epochs': list(self), 'steps': self.steps}

    def record(self, label, value, rows):
        """Add the value of a batch with `rows` examples."""
        values, counts = self.open.setdefault(label, ([], []))
        values.append(value)
        counts.append(rows)

    def end_epoch(self, epoch):
        """Make a row of the values since the last call. Returns (label, batch) of the first NaN, or (None, 0)."""
        row, nan = {'epoch': epoch}, (None, 0)
        for label, (values, counts) in self.open.items():
            if all(map(torch.is_tensor, values)):
                values = torch.stack([v.flatten() for v in values]).flatten().tolist()  # one copy for the epoch
            values = [float(v) for v in values]
            row[label] = sum(v * n for v, n in zip(values, counts)) / sum(counts)
            self.steps.setdefault(label, []).extend(values)
            if math.isnan(row[label]) and label.endswith('loss') and not nan[0]:
                nan = label, next((i for i, v in enumerate(values, 1) if math.isnan(v)), 0)
        self.append(row)
        self.open = {}
        return nan
