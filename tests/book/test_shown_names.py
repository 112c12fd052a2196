"""Names by machine: what a reference or a hint uses and nothing above it has shown, and what is no such name."""
import pytest
from test_concepts import FIRST, TASK, course, make

from course.book.names import findings
from course.book.source import read, sources



def found(root, body="return x + x", *, lesson="", hint="", starter="", task=""):
    """What is found in 7.2.1, whose reference is `body`, below a lesson."""
    root = make(root)
    path = root / "solutions/ch08_two/7_2_second.py"
    text = path.read_text().replace("    return x + x", "\n".join(f"    {line}" for line in body.split("\n")))
    text = text.replace("# 1. What is 1 and 1?", f"# 1. What is 1 and 1? {hint}").replace(
        "# Write `twice(x)`.", f"# Write `twice(x)`. {task}").replace("def twice(x):\n", f"def twice(x):\n{starter}")
    path.write_text(text.replace("# ## The chain rule\n", f"# ## The chain rule\n{lesson}"))
    sections = [read(path, lint=False) for path in sources(root)]
    return [problem.what for _, problem in findings(sections)]


@pytest.mark.parametrize("body, name", [
    ("return torch.cumsum(x, 0)", "torch.cumsum"),
    ("return x.cumsum(0)", ".cumsum"),
    ("return x.sum(keepdim=True)", ".sum, keepdim="),
    ("from math import lgamma\nreturn lgamma(x)", "math.lgamma"),
    ("return torch.nn.functional.relu(x)", "torch.nn.functional.relu"),
    ("return x.grad_fn", ".grad_fn"),
])
def test_a_name_that_nothing_shows(tmp_path, body, name):
    assert found(tmp_path, body) == [f"the reference of 7.2.1 uses {name}, which nothing above shows."]


@pytest.mark.parametrize("lesson", [
    "\n# %%\ntorch.arange(3).cumsum(0)\n",
    "\n# %% tags=[\"demo\"]\ntorch.cumsum(torch.arange(3), 0)\n",
    "#\n# The running sum is `x.cumsum(0)`.\n",
    "#\n# Look at `torch.cumsum`.\n",
    "#\n# The method `.cumsum` adds up.\n",
    "#\n# ```python\n# torch.cumsum(x, 0)\n# ```\n",
])
def test_a_name_that_a_lesson_shows(tmp_path, lesson):
    """Also under its other form, as a function of torch or as a method."""
    assert found(tmp_path, "return torch.cumsum(x, 0)", lesson=lesson) == []
    assert found(tmp_path, "return x.cumsum(0)", lesson=lesson) == []


@pytest.mark.parametrize("body, more", [
    ("return sorted(x.split(), key=len)", {}),
    ("parts = {}\nparts.setdefault(x, []).append(1)\nreturn max(parts, default=0)", {}),
    ("class Pair:\n    first = 1\n    def both(self, scale):\n        self.kept = scale\n        return self.kept\n"
     "return Pair().both(scale=x), Pair.first", {}),
    ("return x.cumsum(0)", dict(starter="    # x.cumsum\n    torch.arange(3).cumsum(0)\n")),
    ("return x.cumsum(0)", dict(task="Use `x.cumsum`.")),
    ("return x.__class__", {}),
])
def test_what_is_no_such_name(tmp_path, body, more):
    """Python's own, what the answer defines, what its starter or its task shows."""
    assert found(tmp_path, body, **more) == []


def test_hints_are_looked_at_too_and_say_a_name_once(tmp_path):
    assert found(tmp_path, hint="Try `torch.triu(x)`.") == ["a hint of 7.2.1 uses torch.triu, which nothing above shows."]
    assert found(tmp_path, "return torch.triu(x)", hint="Try `torch.triu(x)`, in $O(n)$.") == [
        "the reference of 7.2.1 uses torch.triu, which nothing above shows."]
    assert found(tmp_path, hint="What is `a = 2`? Then `x.shape = (2, 3)` or `h = W x`.") == []


def test_what_an_earlier_reference_uses_was_not_shown(tmp_path):
    root = make(tmp_path)
    first = root / "solutions/ch07_one/7_1_first.py"
    first.write_text((FIRST + TASK.format(n="7.1.1", needs=' needs="doubling"')).replace("return x + x", "return x.cumsum(0)"))
    path = root / "solutions/ch08_two/7_2_second.py"
    path.write_text(path.read_text().replace("return x + x", "return x.cumsum(0)"))
    old = root / "solutions/ch08_two/7_3_old.py"
    old.write_text(old.read_text().replace("return x + x", "return x.cumprod(0)"))
    done = course(root, "concepts", "--names")
    assert done.returncode == 1 and max(map(len, done.stdout.splitlines())) <= 80
    text = " ".join(done.stdout.split())
    assert "reference of 7.1.1 uses .cumsum" in text and "reference of 7.2.1 uses .cumsum" in text
    assert text.endswith("2 findings in rewritten sections, 1 in others.")
    assert course(root, "concepts", "--names", "7.3").returncode == 0
