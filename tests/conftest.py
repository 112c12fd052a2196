"""How the suite is shared out among processes (`make test` runs one for each core)."""
import pytest

APART = {"test_gates_1_to_6", "test_gate_7_stock_nbgrader_agrees"}      # one section each, minutes in all


@pytest.hookimpl(tryfirst=True)         # xdist reads the marks in a hook of its own
def pytest_collection_modifyitems(items):
    """A module stays in one process, as its fixtures are dear: a class that was graded, a server; but the gates on the
    book's sections, most of the suite's time, are shared out one by one, and begin first."""
    for item in items:
        if item.originalname not in APART:
            item.add_marker(pytest.mark.xdist_group(item.module.__name__ + item.path.parent.name))
    items.sort(key=lambda item: item.originalname not in APART)
