"""How long a cell, a check and a notebook may take."""
from __future__ import annotations

import os
from dataclasses import dataclass, replace

PATIENCE = 5.0      # times its seconds that a cell or a check gets at most on a busy machine


@dataclass(frozen=True)
class Times:
    """Wall-clock limits in seconds on a machine that has a processor to spare. The environment may set them: COURSE_CELL_SECONDS, COURSE_CHECK_SECONDS,
    COURSE_NOTEBOOK_SECONDS."""
    cell: float = 30.0
    check: float = 20.0
    notebook: float = 300.0
    restarts: int = 4

    @classmethod
    def configured(cls) -> "Times":
        """The defaults, and what the environment sets. Raises ValueError for what is no positive number."""
        found = {}
        for name in ("cell", "check", "notebook"):
            given = os.environ.get(variable := f"COURSE_{name.upper()}_SECONDS")
            try:
                if given is not None and not 0 < float(given) < float("inf"):
                    raise ValueError
                found |= {name: float(given)} if given is not None else {}
            except ValueError:
                raise ValueError(f"{variable} is {given!r}; it must be a positive number of seconds, for example 60. "
                                 "Set it so, or unset it.") from None
        return cls(**found)

    def here(self) -> "Times":
        """These limits on this machine as busy as it is: what shares its processors does not take a right answer's time.

        The notebook's limit stays: it ends what goes on for ever, whoever else is at work.
        """
        longer = busy()
        return replace(self, cell=round(self.cell * longer, 1), check=round(self.check * longer, 1))


def busy() -> float:
    """How many processes wanted each processor in the last minute, from 1 to PATIENCE; 1 where the system does not tell."""
    try:
        return min(max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0), PATIENCE)
    except (AttributeError, OSError):       # Windows has no such number
        return 1.0
