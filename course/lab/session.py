"""What a folder's JupyterLab keeps from one start to the next, for its reader alone: token, cookie secret, port.

With them an open tab goes on saving after a new start, a bookmark works, and a second start finds the first.
"""
from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen


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


def remember(folder: Path, port: int) -> None:
    """Notes the port of the server that now starts."""
    (folder / "server.json").write_text(json.dumps({"port": port}), encoding="utf-8")


def last_port(folder: Path) -> int | None:
    """The port of the server that was started last, None where there was none."""
    try:
        port = json.loads((folder / "server.json").read_text(encoding="utf-8"))["port"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return port if type(port) is int and 0 < port < 65536 else None


def running_port(folder: Path) -> int | None:
    """The port on which this folder's server answers now. Only it knows the token."""
    port = last_port(folder)
    if port is None or not (folder / "token").exists():
        return None
    asked = Request(f"http://127.0.0.1:{port}/api/status", headers={"Authorization": f"token {secret(folder, 'token')}"})
    try:
        with urlopen(asked, timeout=5) as answer:
            return port if "last_activity" in json.load(answer) else None
    except (URLError, OSError, ValueError):
        return None
