"""The memory that forks share: few pages to copy, and none touched without need."""
from __future__ import annotations

import ctypes
import gc
from pathlib import Path

from course.sandbox import rights

_COLLAPSE, _HUGE = 25, 2 << 20      # MADV_COLLAPSE, and the bytes of a huge page


def freeze() -> None:
    """Make later forks of this process cheap, and what they share stay shared."""
    gc.collect()
    gc.freeze()  # a collection in a child would touch, and so copy, every page
    _collapse()


def _collapse() -> None:
    """Ask for huge pages where memory lies close together: a fork copies, and an end frees, an entry for each page.

    Measured on 200 MiB of imports: a fork with its end takes 4.5 ms instead of 10.4. A page that a child writes to is
    still copied alone. Where the kernel cannot (MADV_COLLAPSE came with Linux 6.1), nothing changes but the time.
    """
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return
    for fields in map(str.split, lines):
        first, last = (int(address, 16) for address in fields[0].split("-"))
        first, last = -(-first // _HUGE) * _HUGE, last // _HUGE * _HUGE
        if fields[1] == "rw-p" and fields[4] == "0" and fields[5:] in ([], ["[heap]"]):
            for address in range(first, last, _HUGE):  # one by one: a range ends at the first that was never touched
                rights.libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(_HUGE), _COLLAPSE)
