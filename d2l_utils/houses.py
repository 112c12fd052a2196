"""House prices and k-fold cross-validation (section 5.7 of D2L), on the Ames table in data/."""
import torch

from .files import data_file
from .linear import LinearRegression
from .module import DataModule


class KaggleHouse(DataModule):
    """The house sales in Ames, split in two like Kaggle's competition (section 5.7).

    `raw_train` has 1,465 sales with an Id first and the SalePrice in dollars last; `raw_val` has the other 1,465,
    without the price, which `val_price` keeps. The order was shuffled once, with a fixed seed. `preprocess()` makes
    the numeric tables `train` and `val`; both may also be given.
    """

    def __init__(self, batch_size, train=None, val=None):
        super().__init__()
        self.save_hyperparameters()
        if train is None:
            import pandas as pd
            sales = pd.read_csv(data_file('ames.csv', self.root)).rename(columns={'Sale_Price': 'SalePrice'})
            sales.insert(len(sales.columns) - 1, 'SalePrice', sales.pop('SalePrice'))
            sales.insert(0, 'Id', range(1, len(sales) + 1))
            sales = sales.sample(frac=1, random_state=0)
            half = len(sales) // 2
            self.raw_train = sales[:half].reset_index(drop=True)
            self.raw_val = sales[half:].reset_index(drop=True)
            self.val_price = self.raw_val.pop('SalePrice')

    def preprocess(self):
        """Standardise numbers, with missing ones at the mean, and one-hot encode the rest, a missing value being a
        category. Mean, deviation and categories come from the training rows alone."""
        import pandas as pd
        label = 'SalePrice'
        train, val = self.raw_train.drop(columns=['Id', label]), self.raw_val.drop(columns='Id')
        numeric = train.select_dtypes('number').columns
        mean, std = train[numeric].mean(), train[numeric].std().replace(0, 1)

        def encode(table):
            numbers = ((table[numeric] - mean) / std).fillna(0)
            return pd.concat([numbers, pd.get_dummies(table.drop(columns=numeric), dummy_na=True)], axis=1)

        self.train = encode(train)
        self.val = encode(val).reindex(columns=self.train.columns, fill_value=0)
        self.train[label] = self.raw_train[label]

    def get_dataloader(self, train):
        """Batches of features and of the logarithm of the price (batch, 1); None for a table without prices."""
        table = self.train if train else self.val
        if table is None or 'SalePrice' not in table:
            return None
        X, price = (torch.tensor(part.to_numpy(dtype='float32')) for part in
                    (table.drop(columns='SalePrice'), table[['SalePrice']]))
        return self.get_tensorloader((X, torch.log(price)), train)


def k_fold_data(data, k):
    """k KaggleHouse objects; the i-th validates on the i-th k-th part of `data.train` and trains on the rest."""
    size = len(data.train) // k
    folds = [data.train.index[i * size:(i + 1) * size] for i in range(k)]
    return [KaggleHouse(data.batch_size, data.train.drop(index=fold), data.train.loc[fold]) for fold in folds]


def k_fold(trainer, data, k, lr):
    """Train a LinearRegression on each fold, print the mean validation loss, and return the models."""
    losses, models = [], []
    for i, fold in enumerate(k_fold_data(data, k)):
        model = LinearRegression(lr)
        model.board.yscale = 'log'
        model.board.display = i == 0
        trainer.fit(model, fold)
        losses.append(trainer.history[-1]['val_loss'])
        models.append(model)
    print(f'average validation log mse = {sum(losses) / len(losses)}')
    return models
