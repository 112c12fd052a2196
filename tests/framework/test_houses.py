"""House prices (section 5.7): the shipped table in the competition's form, and code written for the competition's files."""
import pandas as pd
import pytest
import torch

import d2l_utils as d2l
from d2l_utils.houses import COMPETITION

# What code written for the original does, in its own order: fetch both files by the original's address and checksum,
# tell numbers from text by `dtypes != 'object'`, standardise, one-hot encode, train on k folds, and write a submission.
ORIGINAL = '''
import pandas as pd
import torch
import d2l_utils as d2l

class Houses(d2l.DataModule):
    def __init__(self, batch_size, train=None, val=None):
        super().__init__()
        self.save_hyperparameters()
        if self.train is None:
            self.raw_train = pd.read_csv(d2l.download(d2l.DATA_URL + 'kaggle_house_pred_train.csv', self.root,
                                                      sha1_hash='585e9cc93e70b39160e7921475f9bcd7d31219ce'))
            self.raw_val = pd.read_csv(d2l.download(d2l.DATA_URL + 'kaggle_house_pred_test.csv', self.root,
                                                    sha1_hash='fa19780a7b011d9b009e8bff8e99922a8ee2eb90'))

data = Houses(batch_size=64)
print(data.raw_train.shape, data.raw_val.shape, list(data.raw_train.columns[[0, 1, 2, 3, -3, -2, -1]]))

table = pd.concat((data.raw_train.drop(columns=['Id', 'SalePrice']), data.raw_val.drop(columns=['Id'])))
numeric = table.dtypes[table.dtypes != 'object'].index
table[numeric] = table[numeric].apply(lambda column: (column - column.mean()) / column.std())
table[numeric] = table[numeric].fillna(0)
table = pd.get_dummies(table, dummy_na=True)
rows = data.raw_train.shape[0]
data.train, data.val = table[:rows].copy(), table[rows:].copy()
data.train['SalePrice'] = data.raw_train['SalePrice']
assert len(numeric) > 20 and table.shape[1] > 200 and not table.isna().any(axis=None)

@d2l.add_to_class(Houses)
def get_dataloader(self, train):
    part = self.train if train else self.val
    if 'SalePrice' not in part:
        return
    tensor = lambda x: torch.tensor(x.values.astype(float), dtype=torch.float32)
    return self.get_tensorloader((tensor(part.drop(columns=['SalePrice'])),
                                  torch.log(tensor(part['SalePrice'])).reshape((-1, 1))), train)

fold = Houses(64, data.train.drop(index=range(293)), data.train.loc[range(293)])
model = d2l.LinearRegression(0.01)
trainer = d2l.Trainer(max_epochs=3)
trainer.fit(model, fold)
print('loss', float(model.board.data['val_loss'][-1].y))
prices = torch.exp(model(torch.tensor(data.val.values.astype(float), dtype=torch.float32)))[:, 0]
submission = pd.DataFrame({'Id': data.raw_val.Id, 'SalePrice': prices.detach().numpy()})
submission.to_csv('submission.csv', index=False)
'''


def test_code_for_the_competitions_files_runs_unchanged_without_them(script, tmp_path):
    printed = script(ORIGINAL, https_proxy='http://localhost:1', PWD=str(tmp_path))  # no network
    assert printed.count('cannot be fetched: the book\'s own sales') == 2
    assert "(1465, 73) (1465, 72) ['Id', 'MSSubClass', 'MSZoning', 'LotFrontage', 'SaleType', 'SaleCondition', " in printed
    assert 0 < float(printed.split('loss')[1].split()[0]) < 200
    submission = pd.read_csv(tmp_path / 'submission.csv')
    assert submission.columns.tolist() == ['Id', 'SalePrice'] and submission['Id'].tolist() == list(range(1466, 2931))


def test_the_shipped_table_has_the_competitions_form(capsys):
    data = d2l.KaggleHouse(batch_size=64)
    assert 'takes the book\'s own sales' in capsys.readouterr().out
    assert data.raw_train.shape == (1465, 73) and data.raw_val.shape == (1465, 72) and data.val_price.shape == (1465,)
    names = list(data.raw_train)
    assert names[0] == 'Id' and names[-1] == 'SalePrice' and names[:-1] == list(data.raw_val)
    assert {'1stFlrSF', '2ndFlrSF', '3SsnPorch', 'YrSold', 'BsmtFinSF1', 'MasVnrType', 'GrLivArea'} <= set(names)
    assert not [name for name in names if '_' in name]
    together = pd.concat([data.raw_train['SalePrice'], data.val_price])
    assert sorted(together) == sorted(pd.read_csv(d2l.data_file('ames.csv'))['Sale_Price'])


def test_the_competitions_files_are_taken_where_they_are(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv('D2L_DATA', str(tmp_path))
    table = pd.DataFrame({'Id': [1, 2, 3], 'LotArea': [10., None, 30.], 'Street': ['Pave', 'Grvl', 'Pave'],
                          'SalePrice': [100., 200., 300.]})
    for name, columns in zip(COMPETITION, (list(table), list(table)[:-1])):
        table[columns].to_csv(tmp_path / name, index=False)
    data = d2l.KaggleHouse(batch_size=2)
    assert capsys.readouterr().out == ''
    assert data.raw_train.shape == (3, 4) and data.raw_val.shape == (3, 3) and data.val_price is None
    data.preprocess()
    assert data.train['LotArea'].mean() == pytest.approx(0) and data.train['LotArea'][1] == 0


def test_a_file_of_the_competition_is_read_with_text_as_object(script, tmp_path):
    (tmp_path / next(iter(COMPETITION))).write_text('Id,Street,SalePrice\n1,Pave,100\n')
    printed = script(f'''
import pandas as pd
import d2l_utils as d2l
table = pd.read_csv(d2l.download(d2l.DATA_URL + {next(iter(COMPETITION))!r}, {str(tmp_path)!r}))
print(list(table.dtypes != 'object'))
''')
    assert printed.strip() == '[True, False, True]'  # and no note: the file was there


def test_other_files_have_no_stand_in(monkeypatch, tmp_path):
    monkeypatch.setenv('https_proxy', 'http://localhost:1')
    with pytest.raises(FileNotFoundError, match='put the file at'):
        d2l.download(d2l.DATA_URL + 'kaggle_house_pred.csv', tmp_path)


def test_folds_share_nothing_and_a_submission_can_be_judged():
    data = d2l.KaggleHouse(batch_size=64)
    data.preprocess()
    models = d2l.k_fold(d2l.Trainer(max_epochs=10, verbose=False), data, k=5, lr=0.01)
    X = torch.tensor(data.val.to_numpy(dtype='float32'))
    logs = torch.cat([model(X).detach() for model in models], 1).mean(1)
    price = torch.tensor(data.val_price.to_numpy(dtype='float32'))
    assert (logs - price.log()).square().mean().sqrt() < 0.5
