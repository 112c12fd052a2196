"""Where the data lie, and that they are what they should be (section 5.7 of D2L, and data/README.md)."""
import hashlib
import os
import tarfile
import tempfile
import urllib.request
import zipfile
from functools import lru_cache
from pathlib import Path

DATA_HUB = {}  # D2L's table: name -> (url, sha1)
DATA_URL = 'https://d2l-data.s3-accelerate.amazonaws.com/'
DEFAULT_ROOT = '../data'  # what D2L writes; here it stands for "where the book's data are"
BOOK_DATA = Path(__file__).resolve().parent.parent / 'data'

_ZALANDO = 'https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/'
# Name under the data folder -> (SHA-256, address or None). data/README.md has sources and licences.
FILES = {
    'FashionMNIST/raw/train-images-idx3-ubyte.gz':
        ('3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84', _ZALANDO),
    'FashionMNIST/raw/train-labels-idx1-ubyte.gz':
        ('a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845', _ZALANDO),
    'FashionMNIST/raw/t10k-images-idx3-ubyte.gz':
        ('346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073', _ZALANDO),
    'FashionMNIST/raw/t10k-labels-idx1-ubyte.gz':
        ('67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5', _ZALANDO),
    'house_tiny.csv': ('1b75bb9639b795a02aeff95ea19ca58cf1ad7a6700ffacdcb0b61bb9f393257f', None),
    'abalone.csv': ('cfdceb878b9cadc3ab012be7a75d5c00d2044993b27f0d9cb6e3c034dbd239eb', None),
    'penguins.csv': ('f2d6493fc64ad958edbabd55eb0fc989af2c5a0458a2c79ccffe7985606feb60', None),
    'ames.csv': ('c66b99e4e350da9ee2556fb5d50d06951b4171008d5a0c04d9c2c47bb83146f3', None),
}


def data_root(root=DEFAULT_ROOT):
    """The folder with the data, as a Path.

    A `root` of your own is taken as it is. D2L's default, `'../data'`, means the folder that the environment
    variable D2L_DATA names, else the book's data/ folder, so it works from a notebook in any folder.
    """
    if str(root) != DEFAULT_ROOT:
        return Path(root)
    if os.environ.get('D2L_DATA'):
        return Path(os.environ['D2L_DATA'])
    return BOOK_DATA if BOOK_DATA.is_dir() else Path(root)


def data_file(name, root=DEFAULT_ROOT):
    """The path (str) of one of the book's data files, for example `pd.read_csv(data_file('penguins.csv'))`.

    The file's checksum is compared when the file is first read. A missing file is fetched where it has an
    address. Errors: KeyError for an unknown name, FileNotFoundError, ValueError for a damaged file.
    """
    if name not in FILES:
        raise KeyError(f'no data file {name!r}; there are {", ".join(FILES)}')
    sha256, address = FILES[name]
    path = data_root(root) / name
    if not path.exists() and address:
        download(address + path.name, path.parent, sha256)
    if not path.exists():
        raise FileNotFoundError(
            f'{path} is missing. Expected a file with SHA-256 {sha256}. Restore it with `git checkout -- data` '
            'in the book\'s folder, or see data/README.md for its source.')
    info = path.stat()
    found = _digest(str(path), 'sha256', info.st_mtime_ns, info.st_size)
    if found != sha256:
        raise ValueError(
            f'{path} is damaged: its SHA-256 is {found}, expected {sha256}. Delete it and restore it with '
            '`git checkout -- data` in the book\'s folder, or see data/README.md for its source.')
    return str(path)


@lru_cache
def _digest(path, algorithm, mtime_ns, size):  # mtime and size: a changed file is read again
    with open(path, 'rb') as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def download(url, folder=DEFAULT_ROOT, sha1_hash=None):
    """Return the path (str) of a file: from `folder` if it is there, else over https (section 5.7).

    `url` may be a name in DATA_HUB. The hash is SHA-1 (40 hex digits) or SHA-256 (64); with one, both the file
    found and the file fetched must match. http:// is changed to https://.
    Errors: FileNotFoundError where the file can neither be found nor fetched, ValueError on a wrong checksum.
    """
    if '://' not in url:
        url, sha1_hash = DATA_HUB[url]
    url = url.replace('http://', 'https://', 1)
    path = data_root(folder) / url.rsplit('/', 1)[-1]
    algorithm = 'sha256' if sha1_hash and len(sha1_hash) == 64 else 'sha1'

    def matches(file):
        info = file.stat()
        return not sha1_hash or _digest(str(file), algorithm, info.st_mtime_ns, info.st_size) == sha1_hash

    if path.exists() and matches(path):
        return str(path)
    place = f'put the file at {path.absolute()}' + (f' ({algorithm} {sha1_hash})' if sha1_hash else '')
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:  # a broken transfer leaves nothing behind
            part = Path(scratch) / path.name
            with urllib.request.urlopen(url, timeout=20) as answer, open(part, 'wb') as file:
                while block := answer.read(1 << 20):
                    file.write(block)
            if not matches(part):
                raise ValueError(f'{url} sent a file with another checksum; {place} from a source you trust')
            part.replace(path)
    except OSError as error:
        raise FileNotFoundError(f'{path.name} is not there and {url} cannot be fetched ({error}): {place}') from None
    return str(path)


def extract(filename, folder=None):
    """Unpack a .zip, .tar or .tar.gz file into `folder`, by default the one that it lies in (section 5.7)."""
    folder = folder or os.path.dirname(filename) or '.'
    if zipfile.is_zipfile(filename):
        with zipfile.ZipFile(filename) as archive:
            archive.extractall(folder)
    elif tarfile.is_tarfile(filename):
        with tarfile.open(filename) as archive:
            if hasattr(tarfile, 'data_filter'):
                archive.extractall(folder, filter='data')  # never outside the folder
            else:  # Python 3.11.0 to 3.11.3, such as Debian 12's, has no filters yet
                archive.extractall(folder, members=_harmless(archive, folder))
    else:
        raise ValueError(f'{filename} is no zip and no tar file; extract() unpacks .zip, .tar, .tar.gz')


def _harmless(archive, folder):
    """The members of a tar file. ValueError where one is no file and no folder, or would lie outside `folder`."""
    root = Path(folder).resolve()
    for member in archive.getmembers():
        if not (member.isfile() or member.isdir()) or not (root / member.name).resolve().is_relative_to(root):
            raise ValueError(f'{member.name} in {archive.name} is a link or leads out of {folder}: nothing was unpacked')
    return archive.getmembers()
