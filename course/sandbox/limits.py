"""What a sandbox may use, and why a machine may refuse to build one."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

MIB, GIB = 1 << 20, 1 << 30


class SandboxUnavailable(RuntimeError):
    """The machine cannot build the sandbox; the message says what failed and what would help."""


@dataclass(frozen=True)
class Limits:
    """What one sandbox may use. Sizes in bytes; wall-clock time is the caller's (`kill_check`, `kill`)."""

    memory: int = 2 * GIB  # growth over the warm parent, summed over all processes
    processes: int = 64  # processes and threads together
    waiting: int = 0  # further ones, for checks that wait for their questions
    file_size: int = 256 * MIB  # one file
    tmp_size: int = 512 * MIB  # /tmp, the home folder and /dev/shm together
    output: int = 1 * MIB  # written to file descriptors 1 and 2 between two calls of `kill_check`
    cpu: int = 600  # seconds, for each process


_SWITCHES = {  # a file, its value where namespaces are forbidden, what that means
    "/proc/sys/user/max_user_namespaces": ("0", "user namespaces are off: sysctl user.max_user_namespaces=10000"),
    "/proc/sys/kernel/unprivileged_userns_clone": (
        "0",
        "only root may make user namespaces: sysctl kernel.unprivileged_userns_clone=1, or grade as root",
    ),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "AppArmor takes their rights away: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or grade as root",
    ),
}


def explain(failure: str) -> list[str]:
    """Reasons, for an instructor, why the step that is named in `failure` was refused."""
    reasons = [failure]
    if sys.platform != "linux":
        return [f"the sandbox needs Linux namespaces; this is {platform.system()}. Grade on a Linux machine"]
    version = tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2])
    if version < (5, 14):
        reasons.append(f"Linux {platform.release()} is too old: 5.14 or later is needed")
    for path, (value, reason) in _SWITCHES.items():
        if os.path.exists(path) and Path(path).read_text().strip() == value:
            reasons.append(reason)
    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        options = " ".join(f"--security-opt {name}=unconfined" for name in ("seccomp", "apparmor", "systempaths"))
        reasons.append(f"this is a container, and most forbid namespaces: start it with {options}, or --privileged")
    return reasons
