"""A module whose `later` fails: the warm parent serves on without it."""
from sandbox_targets import serve  # noqa: F401


def later():
    raise OSError("not here")
