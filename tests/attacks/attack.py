"""What an attack is, and the answers of an honest student.

What stock nbgrader gives each stands in STOCK, below the attacks of each file.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

FULL, NOTHING = (2, 3, 2), (0, 0, 0)

HONEST = {
    1: "def twice(x):\n    return x + x",
    2: "def row_sums(X):\n    return X.sum(dim=1)",
    3: ("class Scale(nn.Module):\n    def __init__(self, c):\n        super().__init__()\n"
        "        self.w = nn.Parameter(torch.tensor(c))\n    def forward(self, X):\n        return X * self.w"),
    4: "The sum runs over axis 1; axis 0 stays.",
}
WRONG = "\ndef twice(x):\n    return 6\n"     # right for the visible case only


@dataclass
class Attack:
    """A submission that is not honest, or not sound.

    Attributes:
        name: of the student who hands it in.
        answers: the sources of answer cells, by exercise; the others are honest. `ROOT`, `PORT` and `ABSTRACT` in them
            stand for the course folder, a listening TCP port and a listening abstract socket of the machine.
        change: makes of the notebook what is handed in: a notebook, text, or bytes.
        place: does what a notebook cannot, with the path of the notebook handed in: links, further files.
        earns: the points of 9.9.1, 9.9.2 and 9.9.3 that it may get, all and no more.
        racy: chance decides whether it loses more than that.
        says: what the automatic comment says, as a regular expression.
    """
    name: str
    answers: dict[int, str] | None = None
    earns: tuple[float, float, float] = (0, 3, 2)
    says: str = ""
    racy: bool = False
    change: Callable | None = None
    place: Callable | None = None

    def source(self, number: int, **values: str) -> str:
        text = (self.answers or {}).get(number, HONEST[number])
        for key, value in values.items():
            text = text.replace(key, value)
        return text
