"""A cluster is encrypted or on this machine: README's commands with a real scheduler and worker, and the refusal."""
import json
import os
import subprocess
import sys

import pytest
from small_course import environment

from course.grading.cluster import Exposed, check_address


@pytest.mark.parametrize("address", ["tcp://10.0.0.7:8786", "tcp://grader:8786", "grader:8786", "10.0.0.7:8786",
                                     "tcp://[2001:db8::1]:8786", "tcp://0.0.0.0:8786", "ws://grader:8786"])
def test_an_open_address_is_refused(address):
    with pytest.raises(Exposed, match="neither encrypted nor on this machine"):
        check_address(address)


@pytest.mark.parametrize("address", ["tls://grader:8786", "tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786"])
def test_an_encrypted_or_local_one_is_taken(address):
    check_address(address)


def test_the_command_says_so(fresh):
    done = fresh.run("course", "autograde", "--scheduler", "tcp://192.0.2.1:8786")
    assert done.returncode == 2 and "add --insecure" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_class_is_graded_over_tls_and_who_has_no_key_gets_nothing(fresh):
    fresh.hand_in("ada", fresh.notebook())
    subprocess.run("openssl req -x509 -newkey rsa:3072 -nodes -days 365 -subj /CN=course -keyout key.pem -out cert.pem".split(),
                   cwd=fresh.root, check=True, capture_output=True)
    plain, keys = environment(fresh.root), {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(fresh.root / "cert.pem")}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        for part in ("CERT", "KEY"):
            keys[f"DASK_DISTRIBUTED__COMM__TLS__{who}__{part}"] = str(fresh.root / f"{part.lower()}.pem")
    dask, quiet = [sys.executable, "-m", "dask"], {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    file = fresh.root / "scheduler.json"
    running = [subprocess.Popen([*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--protocol", "tls",
                                 "--scheduler-file", str(file)], env=plain | keys, cwd=fresh.root, **quiet)]
    try:
        import time
        end = time.monotonic() + 90
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        assert address.startswith("tls://")
        running.append(subprocess.Popen([*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
                                        env=plain | keys, cwd=fresh.root, **quiet))
        command = [sys.executable, "-m", "course.cli", "autograde", "--scheduler", address]
        stranger = subprocess.run(command, cwd=fresh.root, env=plain, capture_output=True, text=True, timeout=240)
        assert stranger.returncode == 2 and "No Dask cluster" in stranger.stderr
        done = subprocess.run(command, cwd=fresh.root, env=plain | keys, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0 and "1 notebooks graded" in done.stdout, done.stderr[-1500:]
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert os.path.exists(fresh.root / "gradebook.db")
