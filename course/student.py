"""The student's process: runs a submission's cells, and answers the judge's questions about what they defined.

`serve(sock)` runs in a sandbox, in a child of a warm parent. Whatever it says is the student's testimony: nothing
here is trusted, and no test, expected value or other submission ever comes here.
"""
from __future__ import annotations

import io
import os
import random
import socket
import sys
import traceback
from typing import Any

import numpy as np
import torch
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course import plain

MAX_OUTPUT = 4 << 20            # characters of output of one cell
TOO_MUCH_OUTPUT = 77            # exit code, read by the judge


class Outputs(list):
    """The outputs of the running cell in nbformat's form, in order."""

    size = 0

    def add(self, output: dict) -> None:
        if output["output_type"] == "stream" and self and self[-1].get("name") == output["name"]:
            self[-1]["text"] += output["text"]
        else:
            self.append(output)

    def grow(self, size: int) -> None:
        self.size += size
        if self.size > MAX_OUTPUT:
            os._exit(TOO_MUCH_OUTPUT)


class Stream(io.TextIOBase):
    """sys.stdout or sys.stderr of a cell."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: Outputs, fd: int):
        self.name, self.outputs, self.fd = name, outputs, fd

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.outputs.grow(len(text))
        if text:
            self.outputs.add({"output_type": "stream", "name": self.name, "text": str(text)})
        return len(text)

    def fileno(self) -> int:
        return self.fd


class Publisher(DisplayPublisher):
    """`display(...)` into the cell's outputs."""

    def publish(self, data, metadata=None, *, transient=None, update=False, **kwargs):
        outputs = self.shell.outputs
        outputs.grow(sum(len(v) for v in data.values() if isinstance(v, (str, bytes))))
        found = {"output_type": "display_data", "data": _texts(data), "metadata": {}}
        name = (transient or {}).get("display_id")
        if update and name:
            for i, old in enumerate(outputs):
                if old.get("display_id") == name:
                    outputs[i] = found | {"display_id": name}
                    return
        outputs.add(found | ({"display_id": name} if name else {}))

    def clear_output(self, wait=False):
        self.shell.outputs.clear()


class Hook(DisplayHook):
    """The value of a cell's last expression into its outputs."""

    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.outputs.grow(sum(len(v) for v in format_dict.values() if isinstance(v, str)))
        self.shell.outputs.add({"output_type": "execute_result", "data": _texts(format_dict), "metadata": {},
                                "execution_count": self.shell.execution_count})

    def finish_displayhook(self):
        pass


class Shell(InteractiveShell):
    """IPython without a terminal, history or files of its own."""

    outputs: Outputs

    def enable_gui(self, gui=None):
        pass

    def _showtraceback(self, etype, evalue, stb):
        self.outputs.add({"output_type": "error", "ename": etype.__name__, "evalue": str(evalue)[:2000],
                          "traceback": [str(line) for line in stb]})


def _texts(data: dict) -> dict:
    import base64
    return {str(k): base64.b64encode(v).decode() if isinstance(v, bytes) else v for k, v in data.items()
            if isinstance(v, (str, bytes))}


_shell: Shell | None = None


def warm() -> Shell:
    """The shell of this process; made once, in the warm parent, so that its children have it for nothing."""
    global _shell
    if _shell is None:
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "NoColor"
        config.InteractiveShell.display_pub_class = Publisher
        config.InteractiveShell.displayhook_class = Hook
        # instance(), not the constructor: pylab looks for the instance, or figures print as text
        _shell = Shell.instance(config=config, display_pub_class=Publisher, displayhook_class=Hook)
        _shell.outputs = Outputs()
        _shell.enable_matplotlib("inline")
        _shell.run_cell("import torch, matplotlib.pyplot", silent=True)
    return _shell


def serve(sock: socket.socket) -> None:
    """Answers requests until the other side closes: run a cell, or fork a child that answers for one check."""
    shell = warm()
    sock.setblocking(True)
    _seed()
    while True:
        try:
            request = plain.receive(sock)
        except plain.Closed:
            return
        if request["op"] == "run":
            reply = _run(shell, request["source"], request["label"])
        elif request["op"] == "fork":
            _, fds, _, _ = socket.recv_fds(sock, 1, 1)
            reply = _fork(shell, sock, fds[0])
        else:
            reply = {"error": f"unknown request {request['op']!r}"}
        plain.send(sock, reply | {"n": request["n"]})


def _seed() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


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


def _fork(shell: Shell, sock: socket.socket, fd: int) -> dict:
    """A child answers one check's questions on `fd`; whatever it does ends with it."""
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
    _, status = os.waitpid(pid, 0)
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
        names = dict(shell.user_ns)
        exec(compile(request["source"], "<probe>", "exec"), names)
        return names[request["name"]](*args, **kwargs)
    raise ValueError(f"unknown request {op!r}")


warm()      # importing this module is the warm parent's preparation
