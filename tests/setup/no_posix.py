"""Takes away what Python lacks on Windows, then runs a module as `python -m` does: no_posix.py MODULE ARGUMENTS."""
import os
import runpy
import signal
import socket
import sys

MISSING = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "readline", "_posixsubprocess"}


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in MISSING - {"_posixsubprocess"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


if __name__ == "__main__":
    import asyncio  # noqa: F401  (what these have loaded is theirs: on Windows they load something else)
    import multiprocessing.util  # noqa: F401
    import subprocess  # noqa: F401
    import tempfile  # noqa: F401

    import jupyterlab.labapp  # noqa: F401
    import nbgrader.apps  # noqa: F401
    import pandas  # noqa: F401
    import psutil  # noqa: F401
    import torch.multiprocessing  # noqa: F401  (its Linux build wants os.register_at_fork)
    for name in MISSING - {"_posixsubprocess"}:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Finder())
    for name in ("fork", "register_at_fork", "getuid", "geteuid", "getgid", "getegid", "setsid", "killpg", "pidfd_open",
                 "memfd_create", "mkfifo", "getpgid"):
        if hasattr(os, name):
            delattr(os, name)
    for name in ("SIGKILL", "SIGALRM", "SIGHUP", "SIGUSR1", "setitimer", "alarm"):
        if hasattr(signal, name):
            delattr(signal, name)
    if hasattr(socket, "AF_UNIX"):
        del socket.AF_UNIX
    sys.argv = sys.argv[1:]
    sys.path[0] = os.getcwd()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
