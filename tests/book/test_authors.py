"""What an author hears of a mistake in a check, a line that cannot be read, and a picture."""
import base64
import shutil
from pathlib import Path

import commands
import pytest

from course.book.instructor import instructor_notebook
from course.book.section import SourceError
from course.book.source import read

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "tests/grading/small_book/solutions.py"
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")


@pytest.fixture
def source(tmp_path):
    """Reads the small section with one text in place of another."""
    path = tmp_path / "solutions/ch09_small/9_9_small.py"
    path.parent.mkdir(parents=True)

    def change(old: str = "", new: str = ""):
        text = SMALL.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return path
    return change


VISIBLE = 'assert_equal(twice(3), 6, "twice 3")'


@pytest.mark.parametrize("old, new, said", [
    (VISIBLE, "assert twice(3) == 6", "9_9_small.py:25: check 9.9.1 has a bare `assert`: a student reads nothing, and no "
     "requirement is tested by name. Write assert_true(twice(3) == 6,"),
    (VISIBLE, 'assert_equal(twice(0.1), 0.2, "twice 0.1")', "asks for 0.2 to the last bit"),
    ("X = torch.randn(3, 4, generator=rng)", "X = torch.randn(3, 4)",
     "9_9_small.py:52: check 9.9.2 draws other inputs at each run: torch.randn(3, 4). Begin with torch.manual_seed(0)"),
    ('check="9.9.1"', "check=9.9.1", 'the cell\'s line cannot be read at check=9.9.1. Text stands in quotes: check="9.9.1".'),
    ("doubles a number.", "doubles a number. ![two bars](figures/bars.png)", "there is no picture figures/bars.png"),
])
def test_a_mistake_is_named_with_its_line_and_the_mend(source, old, new, said):
    with pytest.raises(SourceError) as error:
        read(source(old, new))
    assert said in str(error.value) and len(error.value.problems) == 1


@pytest.mark.parametrize("new", [
    'assert_equal(twice(0.25), 0.5, "twice a quarter")',
    'torch.manual_seed(1)\nassert_close(twice(torch.rand(2)), torch.rand(2), "a draw")',
    'def drawn():\n    return torch.randn(2)\nassert_equal(twice(3), 6, "twice 3")',
])
def test_what_is_no_mistake(source, new):
    read(source(VISIBLE, new))


def test_a_picture_of_ones_own_travels_in_its_cell(source):
    path = source("doubles a number.", "doubles a number. ![two bars](figures/bars.png)")
    (path.parent / "figures").mkdir()
    (path.parent / "figures/bars.png").write_bytes(PIXEL)
    cell = next(cell for cell in instructor_notebook(read(path)).cells if "two bars" in cell.source)
    assert "![two bars](attachment:bars.png)" in cell.source
    assert base64.b64decode(cell.attachments["bars.png"]["image/png"]) == PIXEL


@pytest.mark.parametrize("alt, name, size, said", [
    ("", "bars.png", 10, "figures/bars.png has no words"),
    ("two bars", "bars.tiff", 10, "no picture that notebooks show"),
    ("two bars", "bars.png", 600_000, "has 600,000 bytes. Make it smaller than 500,000"),
])
def test_a_picture_that_would_not_do(source, alt, name, size, said):
    path = source("doubles a number.", f"doubles a number. ![{alt}](figures/{name})")
    (path.parent / "figures").mkdir()
    (path.parent / "figures" / name).write_bytes(b"x" * size)
    with pytest.raises(SourceError, match=said):
        read(path)


def test_the_gates_of_several_exercises(source):
    root = source().parents[2]
    shutil.copy(ROOT / "nbgrader_config.py", root)

    def check(what):
        return commands.run("course.cli", "check", what, "--gates", cwd=ROOT, timeout=120, env={
            "COURSE_ROOT": str(root), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "HOME": str(root)})
    assert check("9.9.1, 9.9.2").stdout.splitlines()[-1].startswith("9.9: 2 exercises, ")
    lost = check("9.9.1,9.9.77,8.1")
    assert lost.returncode == 2 and "Nothing here is called '8.1' or '9.9.77'. Sections: 9.9;" in lost.stderr + lost.stdout
