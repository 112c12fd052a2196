"""Submissions that crash, hang or exhaust what grades them. Each loses its own points and hears why.

Where the growth of something is stopped, a machine that is too busy may come to the end of the time first.
"""
from __future__ import annotations

from attack import Attack
from forging import FRAME, PLAIN, answer

RIGHT = "\ndef twice(x):\n    return 2 * x\n"


def check(name: str, body: str, says: str, **more) -> Attack:
    """An answer that misbehaves only when the hidden tests call it."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return answer(name, f"import os, sys, time, signal, ctypes, torch\ndef twice(x):\n    if x == 3: return 6\n{lines}",
                  says=says, **more)


ATTACKS = [
    answer("exits", "import os\nos._exit(0)" + RIGHT, says="ended the process"),
    answer("exits-politely", "import sys\nsys.exit(0)" + RIGHT, says="SystemExit"),
    answer("segfault", "import ctypes\nctypes.string_at(0)" + RIGHT, says="SIGSEGV"),
    answer("kills-itself", "import os\nos.kill(os.getpid(), 9)" + RIGHT, says="SIGKILL"),
    answer("aborts", "import os\nos.abort()" + RIGHT, says="SIGABRT"),
    answer("kills-its-parent", "import os\ntry: os.kill(os.getppid(), 9)\nexcept OSError: pass" + RIGHT, earns=(2, 3, 2)),
    answer("closes-everything", "import os\nos.closerange(0, 64)" + RIGHT, says="ended the process"),
    answer("endless-loop", "while True: pass" + RIGHT, says="took longer than"),
    answer("stops-itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)" + RIGHT, says="took longer than"),
    answer("endless-and-deaf", "import re, signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
           "    except (OSError, ValueError): pass\nre.match('(a+)+$', 'a' * 64 + 'b')" + RIGHT, says="took longer than"),
    answer("fork-bomb", "import os\nwhile True: os.fork()" + RIGHT, says="too many processes|BlockingIOError|took longer"),
    answer("thread-bomb", "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()"
           + RIGHT, racy=True),
    answer("100-gigabytes", "x = torch.zeros(25_000_000_000)" + RIGHT, says="memory"),
    answer("100-gigabytes-of-bytes", "x = bytearray(100 << 30)" + RIGHT, says="MemoryError"),
    answer("growing", "x = []\nwhile True: x.append(bytearray(b'1') * (8 << 20))" + RIGHT, says="ran out of memory|took longer"),
    answer("full-disk", "i = 0\nwhile True:\n    i += 1\n    with open(f'/tmp/{i}', 'wb') as f: f.write(b'1' * (64 << 20))"
           + RIGHT, says="No space left"),
    answer("full-of-folders", "import os\nfor i in range(10**7): os.mkdir(f'/tmp/{i}')" + RIGHT, says="No space left"),
    answer("floods-print", "while True: print('a' * 10000)" + RIGHT, says="too much output"),
    answer("floods-write", "import os\nwhile True: os.write(1, b'a' * 10000)" + RIGHT, says="too much output"),
    answer("floods-display", "while True: display('a' * 10000)" + RIGHT, says="too much output"),
    answer("floods-with-a-forged-reply", PLAIN + "send = plain.send\nplain.send = lambda sock, message: send(sock, message | "
           "{'outputs': [{'output_type': 'stream', 'name': 'stdout', 'text': 'a' * (20 << 20)}]})" + RIGHT,
           earns=(2, 3, 2)),
    answer("endless-recursion", "import sys\nsys.setrecursionlimit(10**9)\n"
           "class Deep:\n    def __getattr__(self, name): return getattr(self, name + 'a')\nDeep().a" + RIGHT,
           says="ended the process"),
    answer("syntax-error", "def twice(x) return", says="SyntaxError"),
    answer("raises", "1 / 0" + RIGHT, says="ZeroDivisionError"),
    answer("no-unicode", "print('\\ud800')\nclass E(Exception): pass\nprint('\\0\\x1b]0;pwned\\x07')" + RIGHT, earns=(2, 3, 2)),
    answer("breaks-the-interpreter", "import builtins, sys, gc\ngc.disable()\n"
           "sys.modules.clear()\nbuiltins.__dict__.clear()" + RIGHT, earns=(0, 0, 0)),
    answer("removes-its-folders", "import os, shutil\n[shutil.rmtree(d, ignore_errors=True) for d in "
           "(os.path.expanduser('~'), '/tmp', '/dev', '/run', '/etc')]" + RIGHT,
           earns=(2, 3, 2)),
    answer("sixty-thousand-outputs", "for _ in range(60_000): display({}, raw=True)" + RIGHT, earns=(2, 3, 2)),
    answer("outputs-by-turns", "import sys\nfor _ in range(20_000): print(end='a'); print(end='b', file=sys.stderr)" + RIGHT,
           earns=(2, 3, 2)),
    answer("many-colours", "print('\\x1b[31m.\\x1b[0m' * 100_000)" + RIGHT, earns=(2, 3, 2)),
    answer("descriptors-in-flight", """
import os, socket
KEPT = []
for _ in range(5):
    try:
        one, two = socket.socketpair(); KEPT += [one, two]
        for _ in range(250): socket.send_fds(one, [b"a"], [0])
    except OSError: break
""" + RIGHT, earns=(2, 3, 2)),
    answer("ends-its-other-children", "import os\ndef twice(x):\n    for pid in range(2, 400):\n"
           "        if pid != os.getpid():\n            try: os.kill(pid, 9)\n            except OSError: pass\n    return 2 * x",
           earns=(2, 3, 2), racy=True),
    check("huge-tensor-for-a-number", "return torch.zeros(60_000_000)", "wrong size|took longer"),
    check("check-exits", "os._exit(0)", "ended the process"),
    check("check-segfaults", "ctypes.string_at(0)", "signal 11"),
    check("check-hangs", "while True: pass", "took longer than"),
    check("check-sleeps", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\ntime.sleep(3600)", "took longer than"),
    check("check-grows", "y = []\nwhile True: y.append(bytearray(b'1') * (8 << 20))", "memory|took longer"),
    check("check-forks", "while True: os.fork()", ""),
    check("check-floods", "while True: sys.__stdout__.write('a' * 10**6)", ""),
    check("huge-reply", "return b'a' * (300 << 20)", "300 MiB"),
    check("many-entries", "return list(range(6_000_000))", ""),
    check("deep-reply", "y = []\nfor _ in range(10**5): y = [y]\nreturn y", "nested"),
    check("reply-that-holds-itself", "y = []\ny.append(y)\nreturn y", "nested"),
    answer("endless-reply", PLAIN + FRAME + """
import time
def drip(sock, message):
    os.write(sock.fileno(), struct.pack('>Q', 1 << 20))
    while True:
        os.write(sock.fileno(), b"a")
        time.sleep(0.5)
def twice(x): plain.send = drip
""", says="took longer than"),
]

# What stock nbgrader 0.9.6 gives for 9.9.1, 9.9.2 and 9.9.3 (full marks: 2, 3, 2), measured 2026-11-22 by stock.py
STOCK = {
    "exits": "none, none, none; exit status 1",
    "exits-politely": "0, 3, 2",
    "segfault": "none, none, none; exit status 1",
    "kills-itself": "none, none, none; exit status 1",
    "aborts": "none, none, none; exit status 1",
    "kills-its-parent": "not run: unsafe",
    "closes-everything": "not run: unsafe",
    "endless-loop": "0, 3, 2",
    "stops-itself": "not run: unsafe",
    "endless-and-deaf": "not run: unsafe",
    "fork-bomb": "not run: unsafe",
    "thread-bomb": "not run: unsafe",
    "100-gigabytes": "not run: unsafe",
    "100-gigabytes-of-bytes": "not run: unsafe",
    "growing": "not run: unsafe",
    "full-disk": "not run: unsafe",
    "full-of-folders": "not run: unsafe",
    "floods-print": "not run: unsafe",
    "floods-write": "not run: unsafe",
    "floods-display": "not run: unsafe",
    "floods-with-a-forged-reply": "nothing to attack: aims at our protocol",
    "endless-recursion": "none, none, none; exit status 1",
    "syntax-error": "0, 3, 2",
    "raises": "0, 3, 2",
    "no-unicode": "2, 3, 2",
    "breaks-the-interpreter": "not run: unsafe",
    "removes-its-folders": "not run: unsafe",
    "sixty-thousand-outputs": "not run: unsafe",
    "outputs-by-turns": "2, 3, 2",
    "many-colours": "2, 3, 2",
    "descriptors-in-flight": "not run: unsafe",
    "ends-its-other-children": "not run: unsafe",
    "huge-tensor-for-a-number": "not run: unsafe",
    "check-exits": "none, none, none; exit status 1",
    "check-segfaults": "none, none, none; exit status 1",
    "check-hangs": "0, 3, 2",
    "check-sleeps": "not run: unsafe",
    "check-grows": "not run: unsafe",
    "check-forks": "not run: unsafe",
    "check-floods": "not run: unsafe",
    "huge-reply": "not run: unsafe",
    "many-entries": "not run: unsafe",
    "deep-reply": "0, 3, 2",
    "reply-that-holds-itself": "0, 3, 2",
    "endless-reply": "nothing to attack: aims at our protocol",
}
