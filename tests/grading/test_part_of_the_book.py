"""A course that is a part of the book, and a book that changes after somebody handed in: nothing of a class is lost."""
import csv
import json
import re
import shutil

import pytest
from nbgrader.api import Gradebook
from small_course import BOOK, CHAPTER, NAME, Course

from course.book import use
from course.book.build import build
from course.grading.results import collect

OTHER = "ch10_other"


def gradebook(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning")


def source(course: Course):
    return course.root / "solutions" / CHAPTER / f"{NAME}.py"


def without(text: str, number: str) -> str:
    """A section's source without an exercise."""
    cells = re.split(r"(?m)^(?=# %%)", text)
    return "".join(cell for cell in cells if f'="{number}"' not in cell.split("\n", 1)[0])


@pytest.fixture
def two(fresh) -> Course:
    """A book of two chapters."""
    text = (BOOK / "solutions.py").read_text().replace("9.9", "10.1")
    path = fresh.root / "solutions" / OTHER / "10_1_other.py"
    path.parent.mkdir()
    path.write_text(text)
    build(fresh.root)
    return fresh


def released(course: Course) -> set[str]:
    return {path.relative_to(course.root / "notebooks").as_posix() for path in (course.root / "notebooks").rglob("*.ipynb")}


def test_chapters_are_taken_out_and_put_back(two):
    assert released(two) == {f"{CHAPTER}/{NAME}.ipynb", f"{OTHER}/10_1_other.ipynb"}
    before = {name: (two.root / "notebooks" / name).read_bytes() for name in released(two)}
    said = two.run("course", "use", "ch09", check=True).stdout
    assert f"{CHAPTER}  9.9 A small section" in said and OTHER not in said and "course build" in said
    two.run("course", "build", check=True)
    assert released(two) == {f"{CHAPTER}/{NAME}.ipynb"} and not (two.root / ".book/source" / OTHER).exists()
    with gradebook(two) as found:
        assert [a.name for a in found.assignments] == [CHAPTER]
    two.run("course", "bundle", str(two.root / "handout"), check=True)
    assert [path.parent.name for path in (two.root / "handout/notebooks").rglob("*.ipynb")] == [CHAPTER]
    two.run("course", "use", "--all", check=True)
    two.run("course", "build", check=True)
    assert {name: (two.root / "notebooks" / name).read_bytes() for name in released(two)} == before
    with gradebook(two) as found:
        assert sorted(a.name for a in found.assignments) == [CHAPTER, OTHER]


def test_what_a_chapter_has_that_is_not_in_use_stays_and_is_left_out_of_reports(two):
    answers = two.root / "submitted/ada" / OTHER / "10_1_other.ipynb"
    answers.parent.mkdir(parents=True)
    shutil.copyfile(two.root / "notebooks" / OTHER / "10_1_other.ipynb", answers)
    two.hand_in("ada", two.notebook())
    two.run("course", "autograde", "--workers", "1")
    mine = two.root / "notebooks" / OTHER / "10_1_other.ipynb"      # somebody answered here
    mine.write_text(mine.read_text().replace("...", "return 4"))
    two.run("course", "use", "9.9", check=True)
    built = two.run("course", "build", check=True).stdout
    assert f"{OTHER} is not in use; the gradebook keeps it, as it has 1 submission." in built
    assert mine.exists()
    assert {e.chapter for e in collect(two.root).exercises.values()} == {CHAPTER}
    graded = two.run("course", "autograde", "--workers", "1").stdout
    assert "1 unchanged" in graded and "this course does not use the chapter" in graded
    two.run("nbgrader", "export", check=True)
    with open(two.root / "grades.csv", newline="") as file:
        assert {row["assignment"] for row in csv.DictReader(file)} == {CHAPTER}
    result = two.run("course", "autograde", OTHER, "--workers", "1")
    assert result.returncode == 2 and f"There are: {CHAPTER}, in this course" in result.stderr


def test_some_exercises_of_a_chapter(two):
    two.run("course", "use", "9.9.2", "ch10_other", check=True)
    two.run("course", "build", check=True)
    text = (two.root / "notebooks" / CHAPTER / f"{NAME}.ipynb").read_text()
    assert "check-9-9-2" in text and "A small section" in text
    assert not [word for word in ("check-9-9-1", "hints-9-9-1", "written-9-9-3", "task-9-9-3") if word in text]
    with gradebook(two) as found:
        assert {cell.name for cell in found.find_notebook(NAME, CHAPTER).grade_cells} == {"check-9-9-2"}


def test_an_exercise_brings_those_that_it_builds_on(fresh):
    text = source(fresh).read_text()
    source(fresh).write_text(text.replace('exercise="9.9.2"', 'exercise="9.9.2" uses="9.9.1"'))
    assert use.parts(fresh.root, ["9.9.2"]) == {source(fresh): {"9.9.1", "9.9.2"}}


@pytest.mark.parametrize("word, said", [
    ("ch11", "The book has no part 'ch11'. Name chapters (ch09_small, ch10_other)"),
    ("9.9.7", "Section 9.9 has no exercise 9.9.7. It has: 9.9.1, 9.9.2, 9.9.3"),
])
def test_a_part_that_is_not_there(two, word, said):
    result = two.run("course", "use", "ch10", word)
    assert result.returncode == 2 and said in result.stderr and not (two.root / "course.use").exists()
    (two.root / "course.use").write_text(f"{word}\n")
    result = two.run("course", "build")
    assert result.returncode == 1 and said in result.stderr


def marks(course: Course, student: str) -> dict[str, tuple]:
    with gradebook(course) as found:
        submission = found.find_submission(CHAPTER, student)
        return {grade.name: (grade.auto_score, grade.manual_score) for notebook in submission.notebooks
                for grade in notebook.grades}


def mark(course: Course, student: str, points: float, comment: str) -> None:
    with gradebook(course) as found:
        grade = found.find_grade("written-9-9-3", NAME, CHAPTER, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        found.find_comment("written-9-9-3", NAME, CHAPTER, student).manual_comment = comment
        found.db.commit()


def test_an_exercise_added_and_one_taken_out_after_grading(fresh):
    text = source(fresh).read_text()
    for student in ("ada", "linus"):
        fresh.hand_in(student, fresh.notebook(a_9_9_1="" if student == "linus" else None))
    fresh.run("course", "autograde", "--workers", "1")
    mark(fresh, "ada", 2.0, "Which axis stays?")
    new = without(text, "9.9.2")
    first = [cell for cell in re.split(r"(?m)^(?=# %%)", text) if '="9.9.1"' in cell.split("\n")[0]]
    added = "".join(first).replace("9.9.1", "9.9.4")
    source(fresh).write_text(new + "\n" + added.replace("twice", "double"))
    said = fresh.run("course", "build", check=True).stdout
    assert f"{CHAPTER} has 2 submissions of the edition before." in said
    assert "New: check 9.9.4." in said and "Taken out: check 9.9.2." in said and "gradebook.db.before-" in said
    found = marks(fresh, "ada")
    assert found == {"check-9-9-1": (2.0, None), "written-9-9-3": (None, 2.0), "check-9-9-4": (None, None)}
    (copy,) = fresh.root.glob("gradebook.db.before-*")
    assert copy.stat().st_size > 10_000
    graded = fresh.run("course", "autograde", "--workers", "1")
    assert "2 notebooks graded" in graded.stdout, graded.stdout + graded.stderr
    assert marks(fresh, "ada")["check-9-9-4"] == (0.0, None) and marks(fresh, "ada")["written-9-9-3"] == (None, 2.0)
    assert marks(fresh, "linus")["check-9-9-1"] == (0.0, None)


def test_marks_of_people_come_back_with_their_exercise(fresh):
    text = source(fresh).read_text()
    for student in ("ada", "linus"):
        fresh.hand_in(student, fresh.notebook())
    fresh.run("course", "autograde", "--workers", "1")
    mark(fresh, "ada", 1.5, "Which axis, stays?\nSay it.")
    source(fresh).write_text(without(text, "9.9.3"))
    said = fresh.run("course", "build", check=True).stdout
    assert "Taken out: written 9.9.3." in said and "2 marks and comments of people" in said
    assert "written-9-9-3" not in marks(fresh, "ada") and (fresh.root / "marks_taken_out.csv").exists()
    source(fresh).write_text(text)
    assert "2 marks and comments of people came back" in fresh.run("course", "build", check=True).stdout
    assert marks(fresh, "ada")["written-9-9-3"][1] == 1.5 and marks(fresh, "linus")["written-9-9-3"][1] is None
    with gradebook(fresh) as found:
        assert found.find_comment("written-9-9-3", NAME, CHAPTER, "ada").manual_comment == "Which axis, stays?\nSay it."
    assert not (fresh.root / "marks_taken_out.csv").exists()


def test_a_section_that_comes_and_goes_after_grading(fresh):
    fresh.hand_in("ada", fresh.notebook())
    fresh.run("course", "autograde", "--workers", "1")
    mark(fresh, "ada", 3.0, "")
    more = source(fresh).with_name("9_10_more.py")
    more.write_text((BOOK / "solutions.py").read_text().replace("9.9", "9.10"))
    assert "New: check 9.10.1, check 9.10.2, written 9.10.3." in fresh.run("course", "build", check=True).stdout
    fresh.run("course", "autograde", "--workers", "1")
    assert marks(fresh, "ada")["check-9-10-1"] == (0.0, None) and marks(fresh, "ada")["written-9-9-3"][1] == 3.0
    text = source(fresh).read_text()
    source(fresh).unlink()
    fresh.run("course", "build", check=True)
    assert set(marks(fresh, "ada")) == {"check-9-10-1", "check-9-10-2", "written-9-10-3"}
    source(fresh).write_text(text)
    fresh.run("course", "build", check=True)
    assert marks(fresh, "ada")["written-9-9-3"][1] == 3.0


def test_other_words_in_a_lesson_touch_no_mark(fresh):
    fresh.hand_in("ada", fresh.notebook())
    fresh.run("course", "autograde", "--workers", "1")
    mark(fresh, "ada", 3.0, "")
    before = marks(fresh, "ada")
    title = "# # 9.9 A small section"
    source(fresh).write_text(source(fresh).read_text().replace(title, f"{title}\n#\n# It has a word more."))
    said = fresh.run("course", "build", check=True).stdout
    assert "Taken out" not in said and marks(fresh, "ada") == before


def test_a_course_starts_anew(fresh):
    fresh.hand_in("ada", fresh.notebook())
    fresh.run("course", "autograde", "--workers", "1")
    said = fresh.run("course", "anew", input="n\n").stdout
    assert "Nothing was moved." in said and (fresh.root / "gradebook.db").exists()
    fresh.run("course", "anew", "--yes", check=True)
    (kept,) = (fresh.root / "archive").iterdir()
    assert {path.name for path in kept.iterdir()} >= {"gradebook.db", "submitted", "autograded", "grades"}
    assert not (fresh.root / "submitted").exists()
    with gradebook(fresh) as found:
        assert [a.name for a in found.assignments] == [CHAPTER] and not found.students
    text = json.loads((kept / f"submitted/ada/{CHAPTER}/{NAME}.ipynb").read_text())
    assert text["cells"]
    assert "the course is new" not in fresh.run("course", "anew", "--yes", check=True).stdout
