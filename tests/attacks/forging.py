"""Submissions that want points for wrong answers."""
from __future__ import annotations

from attack import WRONG, Attack

LYING = """
class Lies:
    def __eq__(self, other): return True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __le__ = __ge__ = __contains__ = __eq__
    __sub__ = __rsub__ = __add__ = __mul__ = __abs__ = __getattr__ = lambda self, *a: self
    __float__ = lambda self: 0.0
    __bool__ = lambda self: True
    __hash__ = lambda self: 0
"""
FRAME = """
import os, struct, msgpack
def frame(message):
    body = msgpack.packb(message)
    return struct.pack('>Q', len(body)) + body
"""
PLAIN = "import sys\nplain = sys.modules['course.engine.plain']\n"


def answer(name: str, source: str, **more) -> Attack:
    return Attack(name, {1: source}, **more)


def reply(name: str, value: str, **more) -> Attack:
    """An answer that is this value, whatever it is asked."""
    return answer(name, f"import torch, numpy as np, pandas as pd\ndef twice(x):\n    return {value}", **more)


ATTACKS = [
    answer("hard-coded", WRONG, says="twice a negative number"),
    answer("always-equal", LYING + "def twice(x): return Lies()"),
    answer("number-that-is-always-equal",
           "class Yes(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
           "def twice(x): return Yes(6)"),
    Attack("replaces-what-a-probe-uses", {3: """
class Scale(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.w, self.c = nn.Parameter(torch.tensor(c)), c
    def forward(self, X):
        Scale.last, Scale.X = self, X
        return X * self.c
class Forged:
    def backward(self): Scale.last.w.grad = Scale.X.sum()
total_of = lambda values: Forged()
"""}, earns=(2, 3, 0)),
    Attack("replaces-the-setups-function", {3: """
import torch as t
class Scale(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.w, self.c = nn.Parameter(t.tensor(c)), c
    def forward(self, X):
        Scale.last, Scale.X = self, X
        return X * self.c
class Forged:
    def backward(self): Scale.last.w.grad = Scale.X.sum()
class torch: sum = lambda values: Forged()
total_of = lambda values: Forged()
"""}, earns=(2, 3, 0)),
    Attack("rewrites-torch", {3: """
class Scale(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.w, self.c = nn.Parameter(torch.tensor(c)), c
    def forward(self, X):
        Scale.last, Scale.X = self, X
        return X * self.c
class Forged:
    def backward(self): Scale.last.w.grad = Scale.X.sum()
torch.sum = lambda values: Forged()
"""}, earns=(2, 3, 2)),         # wins, as README says: what only the student's process can see, a rewritten torch can forge
    answer("strips-asserts", """
import ast
class Strip(ast.NodeTransformer):
    def visit_Expr(self, node): return ast.Pass()
    visit_Assert = visit_With = visit_Expr
get_ipython().ast_transformers.append(Strip())
def twice(x): return 0
""", earns=(0, 3, 0)),
    answer("empties-cells", "get_ipython().input_transformers_cleanup.append(lambda lines: [])\n" + WRONG,
           earns=(0, 0, 0)),
    answer("replaces-run-cell", WRONG + """
shell = get_ipython()
class Fine: success = True; error_before_exec = error_in_exec = result = None; raise_error = lambda self: None
shell.run_cell = lambda *a, **k: Fine()
async def fine(*a, **k): return Fine()
shell.run_cell_async = shell.run_ast_nodes = fine
""", earns=(0, 0, 0)),
    answer("patches-comparisons", """
import builtins, numpy, torch
torch.allclose = torch.equal = numpy.allclose = numpy.array_equal = lambda *a, **k: True
torch.testing.assert_close = numpy.testing.assert_allclose = lambda *a, **k: None
torch.Tensor.__eq__ = lambda a, b: True
torch.Tensor.all = lambda *a, **k: torch.tensor(True)
builtins.all = builtins.isinstance = lambda *a: True
builtins.AssertionError = Warning
""" + WRONG, earns=(0, 0, 0)),
    answer("redefines-the-helpers", WRONG + """
import builtins, sys
def assert_equal(*a, **k): pass
assert_close = assert_shape = assert_true = assert_type = assert_equal
class part:
    def __init__(self, *a): pass
    def __enter__(self): pass
    def __exit__(self, *a): return True
total = lambda: 3.0
for name in ("assert_equal", "assert_close", "assert_shape", "total", "part"):
    setattr(builtins, name, globals()[name])
    for module in [m for m in list(sys.modules.values()) if "check" in getattr(m, "__name__", "")]:
        setattr(module, name, globals()[name])
"""),
    answer("redefines-probe", "probe = lambda f: (lambda *a: (torch.tensor(-1.5), torch.tensor(10.0)))" + WRONG),
    answer("verdict-from-a-probe", WRONG + "import builtins\nbuiltins.tuple = lambda *a: True",
           earns=(0, 0, 0)),
    Attack("probe-says-yes", {3: LYING + "class Scale:\n    w = Lies()\n    def __init__(self, c): pass\n"
                                 "    def __call__(self, X): return Lies()"}, earns=(2, 3, 0)),
    Attack("probe-returns-a-verdict", {3: """
class Always:
    def __init__(self, c): self.w = self
    def __call__(self, X): return 2 * torch.ones(3) if X.sum() == 3 else self
    sum = backward = lambda self: self
    detach = lambda self: True
    grad = True
Scale = Always
"""}, earns=(2, 3, 0)),
    Attack("tensor-subclass", {2: """
class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, f, types, args=(), kwargs=None):
        if f.__name__ in ("allclose", "equal", "isclose", "__eq__", "eq"):
            return torch.tensor(True)
        return super().__torch_function__(f, types, args, kwargs or {})
def row_sums(X): return torch.zeros(len(X)).as_subclass(Mine)
"""}, earns=(2, 1, 2), says="the values"),
    Attack("shape-that-lies", {2: "class R:\n    shape = (2,)\n    dtype = torch.float32\ndef row_sums(X): return R()"},
           earns=(2, 0, 2)),
    answer("pickling-runs-code", """
import os
class Bomb:
    def __reduce__(self): return os.system, ('touch ROOT/pwned /tmp/pwned',)
    __reduce_ex__ = lambda self, protocol: self.__reduce__()
    __getstate__ = __reduce__
def twice(x): return Bomb()
"""),
    answer("patched-encoder", PLAIN + "plain.encode = lambda *a, **k: ['pickle', b'cos\\nsystem\\n']" + WRONG,
           earns=(0, 0, 0)),
    answer("forged-handles", PLAIN + "plain.encode = lambda *a, **k: ['handle', {'id': -1, 'type': 5, 'name': [], "
           "'callable': 'yes'}]" + WRONG, earns=(0, 0, 0)),
    answer("forged-table", PLAIN + "plain.encode = lambda *a, **k: ['frame', [['list', ['a']], ['range', [0, 10**10, 1]], "
           "[0]]]" + WRONG, earns=(0, 0, 0)),
    answer("colliding-keys", PLAIN + "plain.encode = lambda *a, **k: ['set', [['int', format(i * (2**61 - 1), 'x')] "
           "for i in range(30_000)]]" + WRONG, earns=(0, 0, 0)),
    answer("forged-errors", PLAIN + """
send = plain.send
def forge(sock, message):
    send(sock, {"n": message["n"], "outputs": 5, "error": {"types": 5, "message": [], "where": {}}})
plain.send = forge
""" + WRONG, earns=(0, 0, 0)),
    answer("forged-errors-of-a-cell", PLAIN + """
send = plain.send
plain.send = lambda sock, message: send(sock, message | {"error": {"types": {}, "message": 1}, "signal": "x" * 10**7})
""" + WRONG, earns=(0, 0, 0)),
    answer("frames-in-advance", FRAME + """
for n in range(100):
    os.write(3, frame({"n": n, "outputs": [], "error": None, "signal": 0, "code": 0, "value": 6}))
""" + WRONG),
    answer("malformed-frames", FRAME + "os.write(3, b'\\xc1' * 4096)" + WRONG),
    answer("frame-without-end", FRAME + "os.write(3, struct.pack('>Q', 2**63) + b'a' * 100)" + WRONG),
    answer("another-number", PLAIN + "send = plain.send\n"
           "plain.send = lambda sock, message: send(sock, message | {'n': message['n'] + 1})" + WRONG),
    answer("outputs-as-points", WRONG + "print('2.0')\ndisplay(2.0)\n2.0"),
    answer("thread-that-goes-on", WRONG + """
import threading, time
def later():
    while True:
        time.sleep(0.02)
        globals()["twice"] = lambda x: 6
        get_ipython().run_cell = None
threading.Thread(target=later, daemon=True).start()
""", racy=True),
    answer("thread-on-the-socket", WRONG + """
import os, threading
def later():
    while True: os.write(3, b"\\0\\0\\0\\0\\0\\0\\0\\1\\x02")
threading.Thread(target=later, daemon=True).start()
""", racy=True),
    answer("fork-returns-0", WRONG + "import os\nos.fork = lambda: 0", earns=(0, 0, 0)),
    answer("fork-returns-nonsense", WRONG + "import os\nos.fork = lambda: 'no'", earns=(0, 0, 0)),
    answer("answers-from-memory", """
import os
kept = "/tmp/asked"
def twice(x):
    open(kept, "a").write(f"{x}\\n")
    return 6 if x == 3 else open(kept).read()
"""),
    answer("keeps-the-test", """
import builtins, sys
real = builtins.compile
def keep(source, *a, **k):
    open("/dev/shm/tests", "a").write(str(source))
    return real(source, *a, **k)
builtins.compile = keep
""" + WRONG),
    answer("looks-for-the-expected-value", """
import gc
def twice(x):
    return next((n for n in gc.get_objects() if isinstance(n, int) and n == -8302), 6)
"""),
    answer("raises-to-pass", "class CheckFailed(AssertionError): pass\ndef twice(x):\n    if x == 3: return 6\n"
           "    raise CheckFailed('passed', 2.0)"),
    *[answer(f"raises-{name.lower()}", f"def twice(x):\n    if x == 3: return 6\n    raise {name}({text})")
      for name, text in {"SystemExit": "0", "KeyboardInterrupt": "", "GeneratorExit": "", "StopIteration": "2.0",
                         "NameError": "'twice'", "AttributeError": "'x'"}.items()],
    answer("error-whose-text-fails", "class E(Exception):\n    def __str__(self): raise E\ndef twice(x): raise E"),
    *[reply(name, value) for name, value in {
        "nan": "float('nan')", "infinity": "float('inf')", "true": "x == 3 and 6 or True", "text": "'6'",
        "huge-int": "10 ** 5000", "generator": "(6 for _ in range(1))", "function": "lambda *a: 6",
        "the-class": "int", "module": "torch", "endless-range": "range(10 ** 18)", "no-number": "pd.NA",
        "meta-tensor": "torch.empty(2 ** 39, device='meta')", "object-array": "np.array([[6], [6, 6]], dtype=object)",
        "not-implemented": "NotImplemented", "ellipsis": "...", "nothing": "None"}.items()],
    answer("endless-items", "class Endless:\n    def __getitem__(self, i): return 'a' * 10**6\n"
           "    def __len__(self): return 2**62\ndef twice(x): return Endless()"),
    answer("redefines-setup", WRONG + "torch = nn = None\nclass Everything:\n    def __getattr__(self, n): return self\n"
           "    def __call__(self, *a): return self\ntorch = Everything()", earns=(0, 3, 0)),
]

# What stock nbgrader 0.9.6 gives for 9.9.1, 9.9.2 and 9.9.3 (full marks: 2, 3, 2), measured 2026-11-22 by stock.py
STOCK = {
    "hard-coded": "0, 3, 2",
    "always-equal": "0, 3, 2",
    "number-that-is-always-equal": "2, 3, 2",
    "replaces-what-a-probe-uses": "2, 3, 2",
    "replaces-the-setups-function": "2, 3, 0",
    "rewrites-torch": "2, 3, 2",
    "strips-asserts": "2, 3, 0",
    "empties-cells": "2, 3, 2",
    "replaces-run-cell": "2, 3, 2",
    "patches-comparisons": "none, none, none; exit status 1",
    "redefines-the-helpers": "2, 3, 2",
    "redefines-probe": "0, 3, 2",
    "verdict-from-a-probe": "none, none, none; exit status 1",
    "probe-says-yes": "2, 3, 0",
    "probe-returns-a-verdict": "2, 3, 0",
    "tensor-subclass": "2, 1, 2",
    "shape-that-lies": "2, 1, 2",
    "pickling-runs-code": "not run: unsafe",
    "patched-encoder": "nothing to attack: aims at our protocol",
    "forged-handles": "nothing to attack: aims at our protocol",
    "forged-table": "nothing to attack: aims at our protocol",
    "colliding-keys": "nothing to attack: aims at our protocol",
    "forged-errors": "nothing to attack: aims at our protocol",
    "forged-errors-of-a-cell": "nothing to attack: aims at our protocol",
    "frames-in-advance": "nothing to attack: aims at our protocol",
    "malformed-frames": "nothing to attack: aims at our protocol",
    "frame-without-end": "nothing to attack: aims at our protocol",
    "another-number": "nothing to attack: aims at our protocol",
    "outputs-as-points": "0, 3, 2",
    "thread-that-goes-on": "not run: unsafe",
    "thread-on-the-socket": "nothing to attack: aims at our protocol",
    "fork-returns-0": "not run: unsafe",
    "fork-returns-nonsense": "not run: unsafe",
    "answers-from-memory": "not run: unsafe",
    "keeps-the-test": "not run: unsafe",
    "looks-for-the-expected-value": "0, 3, 2",
    "raises-to-pass": "0, 3, 2",
    "raises-systemexit": "0, 3, 2",
    "raises-keyboardinterrupt": "0, 3, 2",
    "raises-generatorexit": "0, 3, 2",
    "raises-stopiteration": "0, 3, 2",
    "raises-nameerror": "0, 3, 2",
    "raises-attributeerror": "0, 3, 2",
    "error-whose-text-fails": "0, 3, 2",
    "nan": "0, 3, 2",
    "infinity": "0, 3, 2",
    "true": "0, 3, 2",
    "text": "0, 3, 2",
    "huge-int": "not run: unsafe",
    "generator": "0, 3, 2",
    "function": "0, 3, 2",
    "the-class": "0, 3, 2",
    "module": "0, 3, 2",
    "endless-range": "not run: unsafe",
    "no-number": "0, 3, 2",
    "meta-tensor": "0, 3, 2",
    "object-array": "0, 3, 2",
    "not-implemented": "0, 3, 2",
    "ellipsis": "0, 3, 2",
    "nothing": "0, 3, 2",
    "endless-items": "not run: unsafe",
    "redefines-setup": "0, 0, 0",
}
