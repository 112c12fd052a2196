"""The student's process: runs a submission's cells, and answers the judge's questions about what they defined.

`serve(sock)` runs in a sandbox, in a child of a warm parent. Whatever it says is the student's testimony: nothing
here is trusted, and no test, expected value or other submission ever comes here.
"""
from __future__ import annotations

import contextlib
import importlib
import mmap
import os
import random
import socket
import sys
import traceback
from types import CodeType, FunctionType
from typing import Any

import d2l_utils
import numpy as np
import torch

from course.engine import plain
from course.engine.shell import Outputs, Shell, Stream, make_shell

# what torch imports when an optimizer, a module's backward, a profile or the like first runs, seconds in all
LATER = ("torch._dynamo", "torch.fx.experimental.symbolic_shapes", "torch._decomp.decompositions_for_jvp",
         "torch.utils.flop_counter", "torch.profiler._cupti_monitor", "tqdm.auto")
_shell: Shell | None = None


def warm() -> Shell:
    """The shell of this process; made once, in the warm parent, so that its children have it for nothing."""
    global _shell
    if _shell is None:
        _shell = make_shell()
        _shell.run_cell("import torch, matplotlib.pyplot", silent=True)
        # A DataLoader's workers hand tensors over by name: the sandbox sends no descriptors (course.sandbox.calls).
        torch.multiprocessing.set_sharing_strategy("file_system")
    return _shell


def serve(sock: socket.socket) -> None:
    """Answers requests until the other side closes: run a cell; fork a child that answers for one check; how that child
    ended."""
    shell = warm()
    sock.setblocking(True)
    _seed()
    while True:
        try:
            request = plain.receive(sock)
        except plain.Closed:
            return
        if request["op"] == "run":
            before = dict(shell.user_ns) if _setup and request["setup"] else {}
            reply = _run(shell, request["source"], request["label"])
            if request["setup"]:
                _keep_setup(shell, before)
        elif request["op"] == "fork":
            _, fds, _, _ = socket.recv_fds(sock, 1, 1)
            reply = {"pid": _fork(shell, sock, fds[0])}
        elif request["op"] == "ended":
            reply = _ended(request["pid"], request["wait"])
        else:
            reply = {"error": f"unknown request {request['op']!r}"}
        plain.send(sock, reply | {"n": request["n"]})


def _seed() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.default_generator.manual_seed(0)      # torch.manual_seed asks for every kind of device: 1.5 ms


_cells: dict[str, str] = {}         # file name of a compiled cell -> its label


def _run(shell: Shell, source: str, label: str) -> dict:
    outputs = shell.outputs = Outputs()
    saved = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout", outputs, 1), Stream("stderr", outputs, 2)
    before = set(shell.compile._filename_map) if hasattr(shell.compile, "_filename_map") else set()
    try:
        result = shell.run_cell(source, store_history=False, cell_id=label)
        error = result.error_before_exec or result.error_in_exec
    finally:
        sys.stdout, sys.stderr = saved
    for name in set(getattr(shell.compile, "_filename_map", {})) - before:
        _cells[name] = label
    return {"outputs": [dict(o) for o in outputs], "error": _error(error) if error else None}


_setup: dict[str, Any] = {}         # what the setup cells bound, for probes
_used: set[str] = set()             # the global names that functions and methods of setup cells look up


def _keep_setup(shell: Shell, before: dict[str, Any]) -> None:
    """Notes what a setup cell has bound; the first one, all that is there."""
    for name, value in shell.user_ns.items():
        if name not in shell.user_ns_hidden and (name not in before or before[name] is not value):
            _setup[name] = value
            for function in [value, *vars(value).values()] if isinstance(value, type) else [value]:
                if isinstance(function, FunctionType) and function.__globals__ is shell.user_ns:
                    _used.update(_names(function.__code__))


def _names(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(_names(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _as_set_up(shell: Shell) -> dict[str, Any]:
    """The names that a probe sees, in the child of its check: an answer that replaced one of a setup cell, or what a
    function of one looks up, changes nothing for it."""
    shell.user_ns.update({name: _setup[name] for name in _used & set(_setup)})
    return {**shell.user_ns, **_setup}


def _error(error: BaseException) -> dict:
    """An exception as plain data: class names, message, and the innermost line of the student's own code."""
    where = ""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in _cells or "ipykernel" in frame.filename or frame.filename.startswith("<ipython"):
            where = f"line {frame.lineno}: {(frame.line or '').strip()[:100]}"
            break
    try:
        message = str(error)[:2000]
    except Exception:
        message = "(its message could not be read)"
    return {"types": [c.__name__ for c in type(error).__mro__], "message": message, "where": where,
            "name": getattr(error, "name", None) if isinstance(error, NameError) else None}


_wanted: mmap.mmap | None = None    # shared with the checks' children of this process: 1 where one needed what LATER names


def _fork(shell: Shell, sock: socket.socket, fd: int) -> int:
    """A child answers one check's questions on `fd`; whatever it does ends with it. Returns its pid."""
    global _wanted
    if _wanted is None:
        _wanted = mmap.mmap(-1, 1)
    elif _wanted[0]:
        _import_later()     # once here, not again in the child of every check
    pid = os.fork()
    if pid == 0:
        try:
            sock.close()
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
            _answer(shell, socket.socket(fileno=fd))
        finally:
            os._exit(0)
    os.close(fd)
    return pid


def _ended(pid: int, wait: bool) -> dict:
    """How the child of a check ended; nothing where it has not yet, or where the student's code asked before."""
    try:
        found, status = os.waitpid(pid, 0 if wait else os.WNOHANG)
    except ChildProcessError:
        return {}
    if not found:
        return {}
    return {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
            "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1}


def _answer(shell: Shell, sock: socket.socket) -> None:
    """Questions of one check: names, calls, attributes, entries, and probes."""
    _seed()
    handles: dict[int, Any] = {}

    def handle(value: Any) -> dict:
        handles[id(value)] = value
        return {"id": id(value), "type": type(value).__name__, "callable": callable(value),
                "name": str(getattr(value, "__name__", ""))[:100]}

    def live(payload: Any) -> Any:
        return handles[payload["id"]]

    while True:
        try:
            request = plain.receive(sock)
        except plain.WireError:
            return
        try:
            args = plain.decode(request["args"], live)
            kwargs = plain.decode(request["kwargs"], live)
            value = _do(shell, request, handles, args, kwargs)
            reply = {"value": plain.encode(value, None if request["op"] == "probe" else handle)}
        except BaseException as error:
            reply = {"error": _error(error)}
        if LATER[0] in sys.modules:
            _wanted[0] = 1
        try:
            plain.send(sock, reply | {"n": request["n"]})
        except plain.TooLarge as error:
            plain.send(sock, {"error": _error(error), "n": request["n"]})


def _do(shell: Shell, request: dict, handles: dict, args: list, kwargs: dict) -> Any:
    op = request["op"]
    if op == "name":
        name = request["name"]
        if name not in shell.user_ns or name in shell.user_ns_hidden:
            raise NameError(f"name '{name}' is not defined", name=name)
        return shell.user_ns[name]
    if op == "call":
        return handles[request["handle"]](*args, **kwargs)
    if op == "attribute":
        return getattr(handles[request["handle"]], request["name"])
    if op == "item":
        return handles[request["handle"]][args[0]]
    if op == "length":
        return len(handles[request["handle"]])
    if op == "probe":
        names = _as_set_up(shell)
        exec(compile(request["source"], "<probe>", "exec"), names)
        return names[request["name"]](*args, **kwargs)
    raise ValueError(f"unknown request {op!r}")


def _import_later() -> None:
    for name in LATER:
        importlib.import_module(name)


def later() -> None:
    """What takes the warm parent long and only some submissions use: done while the first of them run."""
    _import_later()
    with contextlib.suppress(ImportError):
        importlib.import_module("torchvision")
    with contextlib.suppress(OSError, ValueError):      # a course without this data set
        d2l_utils.FashionMNIST()        # it stays in memory, for all of them


warm()      # importing this module is the warm parent's preparation
