"""Files that are written whole or not at all, also when the process is stopped halfway."""
from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file beside `path` to write to. It takes the place of `path` at the end; after an error nothing has changed.
    An existing file's rights stay; a new one's are the usual ones. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    try:
        if path.exists():
            shutil.copymode(path, name)
        else:
            mask = os.umask(0)              # mkstemp makes files private
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        yield Path(name)
        os.replace(name, path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            raise OSError(errno.ENOSPC, f"No space left on the disk for {path}. Make room and run the same command "
                          "again: what was written before is kept") from error
        raise


def write(path: Path, content: bytes | str) -> None:
    """Text as UTF-8; half a surrogate pair, which is no text, becomes a question mark."""
    with whole(path) as part:
        part.write_bytes(content if isinstance(content, bytes) else content.encode(errors="replace"))
