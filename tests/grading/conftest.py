"""Courses of the small book (small_course.py)."""
import pytest
from small_course import Course


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    """A course for the tests of one module."""
    return Course(tmp_path_factory.mktemp("course"))


@pytest.fixture
def fresh(tmp_path) -> Course:
    """A course of this test's own."""
    return Course(tmp_path)
