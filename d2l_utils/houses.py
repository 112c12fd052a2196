"""House prices and k-fold cross-validation (section 5.7 of D2L), on the competition's files or the Ames table in data/."""
import atexit
import shutil
import tempfile
import warnings
from functools import lru_cache
from pathlib import Path

import torch

from . import files
from .files import DEFAULT_ROOT, data_file
from .linear import LinearRegression
from .module import DataModule

# The competition's two files, as D2L calls them, and whether the prices are in them.
COMPETITION = {'kaggle_house_pred_train.csv': True, 'kaggle_house_pred_test.csv': False}
# The competition's names for columns of data/ames.csv that differ in more than an underscore.
RENAMED = {'First_Flr_SF': '1stFlrSF', 'Second_Flr_SF': '2ndFlrSF', 'Three_season_porch': '3SsnPorch',
           'Year_Sold': 'YrSold'}


def shipped_sales(root=DEFAULT_ROOT):
    """The book's table in the competition's form: a table of 1,465 sales with the price, one of 1,465 without, and
    the prices of the second. Id first, SalePrice last, the competition's names; the order was shuffled with a fixed
    seed. Longitude and latitude are left out, which the competition does not give."""
    import pandas as pd
    sales = pd.read_csv(data_file('ames.csv', root)).drop(columns=['Longitude', 'Latitude'])
    sales = sales.rename(columns={name: RENAMED.get(name, name.replace('_', '')) for name in sales})
    sales.insert(len(sales.columns) - 1, 'SalePrice', sales.pop('SalePrice'))
    sales = sales.sample(frac=1, random_state=0, ignore_index=True)
    sales.insert(0, 'Id', range(1, len(sales) + 1))
    half = len(sales) // 2
    val = sales[half:].reset_index(drop=True)
    return sales[:half].copy(), val.drop(columns='SalePrice'), val['SalePrice']


def download(url, folder=DEFAULT_ROOT, sha1_hash=None):
    """Return the path (str) of a file, from `folder` or over https: see files.download.

    The two files of the house price competition have a stand-in: where they can neither be found nor fetched, the
    book's own table is written in their form to a temporary folder, and a note says so. For them pandas 3 is also set
    to read text as `object`, as it did when D2L's cells were written (they look for `dtypes != 'object'`).
    """
    name = url.rsplit('/', 1)[-1]
    if name not in COMPETITION:
        return files.download(url, folder, sha1_hash)
    _read_text_as_object()
    try:
        return files.download(url, folder, sha1_hash)
    except FileNotFoundError:
        print(f'{name} is not there and cannot be fetched: the book\'s own sales in Ames (data/ames.csv), in the same '
              'form, take its place')
        return str(_stand_ins() / name)


@lru_cache
def _stand_ins():
    """A temporary folder with the book's table as the competition's two files."""
    folder = Path(tempfile.mkdtemp(prefix='d2l_houses_'))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, table in zip(COMPETITION, shipped_sales()):
        table.to_csv(folder / name, index=False)
    return folder


def _read_text_as_object():
    import pandas as pd
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # pandas 3 says that pandas 4 will not have the option
        try:
            pd.set_option('future.infer_string', False)
        except KeyError:  # no such option
            pass


class KaggleHouse(DataModule):
    """The house sales in Ames, split in two like Kaggle's competition (section 5.7).

    `raw_train` has the sales with their Id first and the SalePrice in dollars last, `raw_val` others without the
    price. They are the competition's, where its files (`kaggle_house_pred_train.csv` and `_test.csv`) lie in the data
    folder; else the book's own table, 1,465 sales each, under the same column names, and a note says so. Then
    `val_price` has the second table's prices; the competition keeps them, and it is None. `preprocess()` makes the
    numeric tables `train` and `val`; both may also be given.
    """

    def __init__(self, batch_size, train=None, val=None):
        super().__init__()
        self.save_hyperparameters()
        if train is None:
            import pandas as pd
            paths = [Path(self.root) / name for name in COMPETITION]
            if all(path.exists() for path in paths):
                self.raw_train, self.raw_val = map(pd.read_csv, paths)
                self.val_price = None
            else:
                print(f'{" and ".join(COMPETITION)} are not in the data folder: KaggleHouse takes the book\'s own '
                      'sales in Ames (data/ames.csv)')
                self.raw_train, self.raw_val, self.val_price = shipped_sales(self.root)

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
