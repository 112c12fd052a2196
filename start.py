"""The book in JupyterLab where there is no make: `python start.py`. With make, `make lab` does the same.

`python start.py --pip OPTIONS` is `pip install` of both: it says what it is at.
"""
import queue
import shutil
import subprocess
import sys
import threading
import time
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
    for options in (["-r", PINS[0]], ["--no-deps", "-r", PINS[1]], ["--no-deps", "--no-build-isolation", "--editable", HERE]):
        if options[-1] in pins or options[-1] == HERE:
            if pip(*options):
                sys.exit("pip could not install them; the lines above say why. Behind a proxy, set HTTPS_PROXY; without a "
                         "network, put the wheels into a folder, and set PIP_NO_INDEX=1 and PIP_FIND_LINKS to it.")
    STAMP.write_text(f"{HERE}\n", encoding="utf-8")
    print("The environment .venv is ready.")


def pip(*options):
    """Runs `pip install` in .venv, and returns its status. On a terminal one line, which goes away, says what it is at and
    for how long; elsewhere it is silent but for its errors."""
    command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", *options]
    if not sys.stdout.isatty():
        return subprocess.run([*command, "--quiet"], cwd=HERE, check=False).returncode
    said, started, now = queue.Queue(), time.monotonic(), "starting"
    width = max(shutil.get_terminal_size().columns - 1, 20)

    def wipe(words=""):
        print(f"\r{words[:width]:{width}}\r", end="", flush=True)

    def warnings():
        for line in run.stderr:
            wipe()
            print(line, end="", file=sys.stderr, flush=True)
    with subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace") as run:
        threads = [threading.Thread(target=work, daemon=True) for work in (lambda: [*map(said.put, run.stdout)], warnings)]
        for thread in threads:
            thread.start()
        while run.poll() is None:
            try:
                now = doing(said.get(timeout=0.5)) or now
            except queue.Empty:
                pass
            minutes, seconds = divmod(int(time.monotonic() - started), 60)
            wipe(f"  {minutes}:{seconds:02}  {now}")
        for thread in threads:
            thread.join()
    wipe()
    return run.returncode


def doing(line):
    """What a line of pip's says that it does now, in a few words; "" where it says nothing new."""
    word, _, rest = line.strip().partition(" ")
    if word == "Installing" and rest.startswith("collected packages"):
        return f"installing {rest.count(',') + 1} packages"
    return f"{word.lower()} {rest.partition(' (from')[0]}" if word in ("Collecting", "Downloading", "Building") else ""


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pip"]:
        try:
            sys.exit(pip(*sys.argv[2:]))
        except KeyboardInterrupt:
            sys.exit("\nStopped.")
    environment()
    try:
        sys.exit(subprocess.run([PYTHON, "-m", "course", "lab", *sys.argv[1:]], cwd=HERE, check=False).returncode)
    except KeyboardInterrupt:
        pass
