"""When something has taken too long, on a machine that may have other things to do."""
from __future__ import annotations

import time
from collections.abc import Callable

from course.sandbox import line

BUSY = 10.0     # times its limit that a thing may take on a machine too busy to run it
_WORTH = 0.05   # seconds of waiting that are worth another look


class Deadline:
    """`seconds` of the clock from now, and as many more as the work stood in line for a processor: what takes 15 seconds
    on an idle machine is not stopped after 20 on one that runs four things at once.

    `waited` says how many seconds the processes waited for have stood in line; this thread's own are added. At `most`
    seconds from now, and at BUSY times the limit, it is over in any case. `seconds` of it is the limit on an idle machine.
    """

    def __init__(self, seconds: float, most: float = float("inf"), waited: Callable[[], float] = lambda: 0.0):
        now = time.monotonic()
        self.seconds = min(seconds, most)
        self._end, self._last = now + self.seconds, now + min(BUSY * seconds, most)
        self._waited, self._own, self._given = waited, self._mine(), 0.0

    @staticmethod
    def _mine() -> float:
        return line.waited("/proc/thread-self/schedstat")

    def left(self) -> float:
        """Seconds that are left, 0.0 where it is over."""
        now = time.monotonic()
        if self._end <= now < self._last:
            more = self._mine() - self._own + self._waited() - self._given
            if more > _WORTH:
                self._given += more
                self._end = min(self._end + more, self._last)
        return max(0.0, self._end - now)
