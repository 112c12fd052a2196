"""Whatever file is handed in, grading has a notebook: the released cells, in their order, with answers or without."""
import json

import nbformat
from hypothesis import HealthCheck, given, settings, strategies as st

from course.grading.graft import graft, load

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4), max_leaves=10)
fields = st.sampled_from(["id", "cell_type", "source", "metadata", "outputs", "attachments", "nbgrader", "grade_id", "tags"])
kinds = st.sampled_from(["code", "markdown", "raw", "other"])
ids = st.sampled_from(["answer-9-9-1", "check-9-9-1", "written-9-9-4", "task-9-9-1", "setup-1", "new", ""])


def cells(of):
    """Cells that look like some, in which anything may be anything."""
    graded = st.fixed_dictionaries({}, optional={
        "grade_id": ids | json_values, "grade": json_values, "solution": json_values, "locked": json_values,
        "points": json_values})
    like = st.fixed_dictionaries({}, optional={
        "cell_type": kinds | json_values, "id": ids | json_values,
        "source": st.text(max_size=40) | st.lists(st.text(max_size=9)) | of,
        "metadata": st.fixed_dictionaries({}, optional={"nbgrader": graded | json_values, "tags": json_values}) | json_values,
        "attachments": json_values, "outputs": json_values, "execution_count": json_values})
    return like | st.dictionaries(fields, json_values, max_size=4) | json_values


notebooks = st.fixed_dictionaries({"cells": st.lists(cells(json_values), max_size=12)}, optional={
    "metadata": json_values, "nbformat": json_values, "nbformat_minor": json_values})
SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(notebooks)
def test_any_notebook_is_grafted(course, tmp_path, submission):
    path = tmp_path / "submitted.ipynb"
    path.write_text(json.dumps(submission), encoding="utf-8")
    check(course, path)


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(st.binary(max_size=300) | st.text(max_size=100).map(lambda text: text.encode("utf-16")) | json_values.map(
    lambda value: json.dumps(value).encode()) | st.integers(1, 3000).map(lambda n: b"[" * n))
def test_any_file_is_grafted(course, tmp_path, content):
    path = tmp_path / "submitted.ipynb"
    path.write_bytes(content)
    check(course, path)


def check(course, path) -> None:
    released = course.blank()
    submission, reason = load(path)
    assert (submission is None) == bool(reason) and "\n" not in reason
    made = graft(released, submission, reason)
    kept = [cell for cell in made.notebook.cells if "own" not in cell.metadata.get("tags", [])]
    assert [cell.get("id") for cell in kept] == [cell.get("id") for cell in released.cells]
    for was, cell in zip(released.cells, kept):
        assert cell.cell_type == was.cell_type
        assert cell.metadata.get("nbgrader") == was.metadata.get("nbgrader")
        if not was.metadata.get("nbgrader", {}).get("solution"):
            assert cell.source == was.source        # tests, tasks and lessons are the book's
    nbformat.validate(nbformat.reads(nbformat.writes(made.notebook), 4))
    assert all("\n" not in warning for warning in made.warnings)
