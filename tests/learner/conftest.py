"""A learner's copy of the book: the first section, with its hidden tests and variants."""
import shutil

import pytest
from learner_book import CHAPTER, ROOT, Book

from course.learner.work import sync


@pytest.fixture
def bare(tmp_path) -> Book:
    """The book before `make lab`: no work/."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for name in (f"solutions/{CHAPTER}", f"notebooks/{CHAPTER}", f"tests/variants/{CHAPTER}"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return Book(tmp_path)


@pytest.fixture
def book(bare) -> Book:
    sync(bare.root)
    return bare
