"""What a folder's JupyterLab keeps from one start to the next, for its reader alone: token, cookie secret, port.

With them an open tab goes on saving after a new start, a bookmark works, and a second start finds the first.
"""
from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

import psutil


def secret(folder: Path, name: str) -> str:
    """The secret kept in `folder` under this name, made when first asked for; a file of mode 600."""
    path = folder / name
    try:
        kept = path.read_text(encoding="ascii").strip()
        if len(kept) >= 32:
            path.chmod(0o600)
            return kept
    except (OSError, UnicodeDecodeError):
        pass
    path.unlink(missing_ok=True)
    made = secrets.token_hex(32)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(made + "\n")
    return made


def remember(folder: Path, port: int, pid: int) -> None:
    """Notes the server that has started: its port and its process."""
    (folder / "server.json").write_text(json.dumps({"port": port, "pid": pid}), encoding="utf-8")


def last_port(folder: Path) -> int | None:
    """The port of the server that was started last, None where there was none."""
    return _noted(folder)[0]


def running_port(folder: Path) -> int | None:
    """The port on which this folder's server listens now.

    Its process is asked for, and not the port: on a machine of several people the token must not go to whoever listens there.
    """
    port, pid = _noted(folder)
    if port is None or pid is None or not (folder / "token").exists():
        return None
    try:
        listening = [c.laddr.port for c in psutil.Process(pid).net_connections("tcp") if c.status == psutil.CONN_LISTEN]
    except psutil.Error:
        return None
    return port if port in listening else None


def _noted(folder: Path) -> tuple[int | None, int | None]:
    try:
        noted = json.loads((folder / "server.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None, None
    port, pid = (noted.get("port"), noted.get("pid")) if isinstance(noted, dict) else (None, None)
    return (port if type(port) is int and 0 < port < 65536 else None), (pid if type(pid) is int and pid > 0 else None)
