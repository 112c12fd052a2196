"""Answers that are alike: what counts as the same, what everybody may write, and the page."""
import pytest

from course.grading.alike import code, find, side_by_side

OWN = """def row_sums(X):
    # my way
    total = torch.zeros(len(X))
    for k, row in enumerate(X):
        total[k] = row.sum() / 2 * 2
    return total"""
RENAMED = """def row_sums(X):
    out = torch.zeros(len(X))
    for i, r in enumerate(X):   # loop
        out[i] = r.sum() / 2 * 2

    return out"""
OTHER = """def row_sums(X):
    columns = [X[:, j] for j in range(X.shape[1])]
    return sum(columns, torch.zeros(X.shape[0])) + 0 * 1"""
WORDS = "Since the axis that is summed is the second one, nothing but the rows is left when it is done, my aunt says."


def test_names_comments_and_layout_do_not_count_but_what_is_called_does():
    assert code(OWN) == code(RENAMED) != code(OTHER)
    assert code("def f(x):\n    return x.sum(1)") != code("def f(x):\n    return x.mean(1)")
    assert code("def f(x: int):\n    'Doc.'\n    return x") == code("def g(y):\n    return y")
    assert code("def f(x:\n  # broken") == "def f(x:"


@pytest.fixture(scope="module")
def graded(course):
    for k in range(8):
        course.hand_in(f"honest{k}", course.notebook(a_9_9_3=f"Number {k}: " + f"{k} says axis {k * 7} goes away. " * (k + 2)))
    course.hand_in("ada", course.notebook(a_9_9_2=OWN, a_9_9_3=WORDS))
    course.hand_in("bob", course.notebook(a_9_9_2=RENAMED, a_9_9_3=WORDS.replace("aunt", "uncle")))
    course.hand_in("eve", course.notebook(a_9_9_2=OTHER, a_9_9_3=""))
    course.run("course", "autograde", "--workers", "2")
    return course


def test_the_pair_that_shares_rare_answers_is_found_and_nobody_else(graded):
    (pair,) = [pair for pair in find(graded.root) if not all(name.startswith("honest") for name in pair.students)]
    assert pair.students == ("ada", "bob") and {one.number for one in pair.same} == {"9.9.2", "9.9.3"}
    assert not any(one.letter for one in pair.same) and pair.same[0].sharing == 2
    assert find(graded.root)[0] is not None and find(graded.root)[0].students == ("ada", "bob")
    numbers = {one.number for pair in find(graded.root) for one in pair.same if pair.students != ("ada", "bob")}
    assert "9.9.1" not in numbers and "9.9.2" not in numbers      # the book's own answers


def test_the_page(graded):
    said = graded.run("course", "alike", check=True).stdout
    assert "ada and bob: 2 exercises" in said
    page = (graded.root / "grades/alike.html").read_text()
    assert "<script" not in page and "my uncle says" in page and "9.9.2: 100 of 100 alike; 2 students share it" in page
    assert graded.run("course", "alike", "ch77").returncode == 2


def test_side_by_side():
    assert side_by_side("a\nb\nc", "a\nx\ny\nc") == [("a", "a", False), ("b", "x", True), ("", "y", True), ("c", "c", False)]
