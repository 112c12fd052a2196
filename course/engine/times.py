"""How long a cell, a check and a notebook may take."""
from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """Limits in seconds of the clock; on a machine that has no processor free, what waits for one has longer (see Deadline), the
    notebook as a whole excepted. The environment may set them: COURSE_CELL_SECONDS, COURSE_CHECK_SECONDS,
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
