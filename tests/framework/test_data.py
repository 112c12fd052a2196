"""Data files: there, whole, verified, and found from any folder."""
import gzip
import hashlib
import os
import shutil
import tarfile
import zipfile

import pytest
import torch

import d2l_utils as d2l
from d2l_utils.fashion_mnist import read_idx
from d2l_utils.files import BOOK_DATA, FILES


@pytest.mark.parametrize('name', FILES)
def test_every_file_is_there_whole_and_in_the_readme(name):
    assert os.path.samefile(d2l.data_file(name), BOOK_DATA / name)
    assert f'| `{FILES[name][0]}` | `{name}` |' in (BOOK_DATA / 'README.md').read_text()


def test_tables_have_the_rows_that_the_readme_says():
    rows = {name: len(d2l.pd.read_csv(d2l.data_file(name))) for name in FILES if name.endswith('.csv')}
    assert rows == {'house_tiny.csv': 4, 'abalone.csv': 4174, 'penguins.csv': 344, 'ames.csv': 2930}


@pytest.mark.parametrize('kind, name, shape, md5', [
    ('train', 'images-idx3', (60000, 28, 28), 'f4a8712d7a061bf5bd6d2ca38dc4d50a'),
    ('train', 'labels-idx1', (60000,), '9018921c3c673c538a1fc5bad174d6f9'),
    ('t10k', 'images-idx3', (10000, 28, 28), '8181f5470baa50b63fa0f6fddb340f0a'),
    ('t10k', 'labels-idx1', (10000,), '15d484375f8d13e6eb1aabb0c3f46965')])
def test_idx_files_are_the_published_ones(kind, name, shape, md5):
    path = d2l.data_file(f'FashionMNIST/raw/{kind}-{name}-ubyte.gz')
    assert read_idx(path).shape == shape
    with gzip.open(path) as file:
        assert hashlib.md5(file.read()).hexdigest() == md5


def test_data_are_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(d2l.FashionMNIST().val) == 10000
    assert d2l.DataModule().root == str(BOOK_DATA)


def test_another_folder_by_variable_or_argument(tmp_path, monkeypatch):
    shutil.copy(BOOK_DATA / 'penguins.csv', tmp_path)
    assert d2l.data_file('penguins.csv', root=tmp_path) == str(tmp_path / 'penguins.csv')
    monkeypatch.setenv('D2L_DATA', str(tmp_path))
    assert d2l.DataModule().root == str(tmp_path)
    assert d2l.data_file('penguins.csv') == str(tmp_path / 'penguins.csv')
    assert d2l.DataModule(root='elsewhere').root == 'elsewhere'


def test_a_missing_file_gets_its_name_checksum_and_source(tmp_path):
    with pytest.raises(FileNotFoundError, match=f'penguins.csv is missing.*{FILES["penguins.csv"][0]}.*git checkout'):
        d2l.data_file('penguins.csv', root=tmp_path)
    with pytest.raises(KeyError, match="no data file 'penguin.csv'; there are .*penguins.csv"):
        d2l.data_file('penguin.csv')


def test_missing_images_that_cannot_be_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv('https_proxy', 'http://localhost:1')  # no network
    with pytest.raises(FileNotFoundError, match='train-images-idx3-ubyte.gz is not there.*put the file at.*sha256'):
        d2l.FashionMNIST(root=tmp_path)


def test_a_damaged_file_is_refused_also_after_a_good_read(tmp_path):
    path = tmp_path / 'penguins.csv'
    shutil.copy(BOOK_DATA / 'penguins.csv', path)
    d2l.data_file('penguins.csv', root=tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match=r'penguins.csv is damaged: its SHA-256 is \w+, expected f2d6.*git checkout'):
        d2l.data_file('penguins.csv', root=tmp_path)


def test_nothing_is_written_into_the_data_folder(tmp_path, script):
    shutil.copytree(BOOK_DATA, tmp_path / 'data', ignore=shutil.ignore_patterns('*-ubyte'))
    before = sorted(tmp_path.rglob('*'))
    for path in (tmp_path / 'data').rglob('*'):
        if path.is_dir():
            path.chmod(0o555)
    script('import d2l_utils as d2l; d2l.FashionMNIST(); d2l.KaggleHouse(64).preprocess()', D2L_DATA=str(tmp_path / 'data'))
    assert sorted(tmp_path.rglob('*')) == before
    for path in (tmp_path / 'data').rglob('*'):
        path.chmod(0o755)


def test_no_idx_file(tmp_path):
    with gzip.open(tmp_path / 'a.gz', 'wb') as file:
        file.write(b'hello world')
    with pytest.raises(ValueError, match='no IDX file of uint8: it begins with 68656c6c'):
        read_idx(str(tmp_path / 'a.gz'))


@pytest.mark.parametrize('index', [[3, 1], torch.tensor([3, 1]), slice(1, 4, 2)])
def test_a_batch_equals_its_single_examples(fashion, index):
    X, y = fashion.val[index]
    rows = [1, 3] if isinstance(index, slice) else [3, 1]
    assert X.shape == (2, 1, 28, 28)
    for k, i in enumerate(rows):
        image, label = fashion.val[i]
        assert torch.equal(X[k], image) and y[k] == label


def test_a_boolean_mask_selects(fashion):
    mask = fashion.val.targets == 7
    X, y = fashion.val[mask]
    assert len(X) == 1000 and (y == 7).all()


def test_a_dataloader_of_your_own(fashion):
    loader = torch.utils.data.DataLoader(fashion.val, batch_size=300)
    X, y = next(iter(loader))
    assert torch.equal(X, fashion.val[:300][0]) and torch.equal(y, fashion.val.targets[:300])


def test_changing_labels_leaves_the_next_data_set_alone(fashion):
    other = d2l.FashionMNIST()
    other.train.targets[:] = 0
    assert d2l.FashionMNIST().train.targets[0] == 9


def test_loaders_visit_every_row_once_and_shuffle_only_training(regression):
    X = torch.cat([X for X, _ in regression.train_dataloader()])
    assert not torch.equal(X, regression.X[:100])
    assert torch.equal(X.sort(0).values, regression.X[:100].sort(0).values)
    assert torch.equal(torch.cat([X for X, _ in regression.val_dataloader()]), regression.X[100:])
    assert len(regression.train_dataloader()) == 7 == len(list(regression.train_dataloader()))


def test_k_fold(capsys):
    data = d2l.KaggleHouse(batch_size=64)
    data.preprocess()
    folds = d2l.k_fold_data(data, 4)
    seen = [row for fold in folds for row in fold.val.index]
    assert sorted(seen) == list(range(1464)) and all(len(f.train) + len(f.val) == 1465 for f in folds)
    assert data.val_dataloader() is None  # prices of the test houses are not in the table
    trainer = d2l.Trainer(max_epochs=5)
    models = d2l.k_fold(trainer, data, k=3, lr=0.01)
    loss = float(capsys.readouterr().out.split('=')[1])
    assert len(models) == 3 and 0 < loss < 10


def test_extract(tmp_path):
    (tmp_path / 'a.txt').write_text('text')
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as archive:
        archive.write(tmp_path / 'a.txt', 'in_zip.txt')
    with tarfile.open(tmp_path / 'a.tar.gz', 'w:gz') as archive:
        archive.add(tmp_path / 'a.txt', 'in_tar.txt')
    d2l.extract(str(tmp_path / 'a.zip'))
    d2l.extract(str(tmp_path / 'a.tar.gz'), str(tmp_path / 'other'))
    assert (tmp_path / 'in_zip.txt').read_text() == (tmp_path / 'other/in_tar.txt').read_text() == 'text'
    with pytest.raises(ValueError, match='no zip and no tar'):
        d2l.extract(str(tmp_path / 'a.txt'))


@pytest.mark.parametrize('name, link', [('../out.txt', ''), ('link', '/etc/passwd')])
@pytest.mark.parametrize('filters', [True, False], ids=['filters', 'before 3.11.4'])
def test_extract_unpacks_nothing_outside(tmp_path, monkeypatch, name, link, filters):
    if not filters:
        monkeypatch.delattr(tarfile, 'data_filter', raising=False)
    with tarfile.open(tmp_path / 'a.tar', 'w') as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = (tarfile.SYMTYPE, link) if link else (tarfile.REGTYPE, '')
        archive.addfile(member)
    with pytest.raises((ValueError, tarfile.TarError)):
        d2l.extract(str(tmp_path / 'a.tar'), str(tmp_path / 'inside'))
    assert not (tmp_path / 'out.txt').exists() and not (tmp_path / 'inside/link').is_symlink()
