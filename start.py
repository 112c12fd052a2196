"""The book in JupyterLab where there is no make: `python start.py`. With make, `make lab` does the same."""
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
STAMP = VENV / "made-here"          # holds the folder's path: scripts in .venv know it
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
PINS = [HERE / name for name in ("requirements.txt", "requirements-no-deps.txt", "pyproject.toml")]
VERSIONS = (3, 11), (3, 13)         # the first and the last that the pins have wheels for


def environment() -> None:
    """Makes .venv, or makes it again where a pin has changed or the folder was moved."""
    pins = [path for path in PINS if path.exists()]
    if STAMP.exists() and STAMP.read_text(encoding="utf-8").strip() == str(HERE) \
            and all(path.stat().st_mtime <= STAMP.stat().st_mtime for path in pins):
        return
    if not VERSIONS[0] <= sys.version_info[:2] <= VERSIONS[1]:
        sys.exit(f"This is Python {sys.version.split()[0]}; the book needs 3.11, 3.12 or 3.13. Install one of them, and start "
                 "with it: py -3.11 start.py on Windows, python3.11 start.py elsewhere.")
    if STAMP.exists() and STAMP.read_text(encoding="utf-8").strip() != str(HERE):
        print("This folder was moved: making .venv again.")
    print("Installing the packages of requirements.txt into .venv; the first time takes some minutes.", flush=True)
    venv.create(VENV, with_pip=True, clear=not PYTHON.exists())
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for options in (["-r", PINS[0]], ["--no-deps", "-r", PINS[1]], ["--no-deps", "--no-build-isolation", "--editable", HERE]):
        if options[-1] in pins or options[-1] == HERE:
            if subprocess.run([*pip, *options], cwd=HERE, check=False).returncode:
                sys.exit("pip could not install them; the lines above say why. Behind a proxy, set HTTPS_PROXY; without a "
                         "network, put the wheels into a folder, and set PIP_NO_INDEX=1 and PIP_FIND_LINKS to it.")
    STAMP.write_text(f"{HERE}\n", encoding="utf-8")
    print("The environment .venv is ready.")


if __name__ == "__main__":
    environment()
    try:
        sys.exit(subprocess.run([PYTHON, "-m", "course", "lab", *sys.argv[1:]], cwd=HERE, check=False).returncode)
    except KeyboardInterrupt:
        pass
