"""The IPython shell in which a submission's cells run, and what of it becomes a cell's outputs."""
from __future__ import annotations

import base64
import io
import os

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

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
    return {str(k): base64.b64encode(v).decode() if isinstance(v, bytes) else v for k, v in data.items()
            if isinstance(v, (str, bytes))}


def make_shell() -> Shell:
    """A shell that shows figures in the notebook's way."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.display_pub_class = Publisher
    config.InteractiveShell.displayhook_class = Hook
    # instance(), not the constructor: pylab looks for the instance, or figures print as text
    shell = Shell.instance(config=config, display_pub_class=Publisher, displayhook_class=Hook)
    shell.outputs = Outputs()
    shell.enable_matplotlib("inline")
    return shell
