"""The limits of a cell and of a check are those of a machine with a processor to spare, and longer on a busy one."""
from __future__ import annotations

import os

import pytest

from course.engine.times import PATIENCE, Times


@pytest.mark.parametrize("load, factor", [(0.0, 1), (1.0, 1), (2.5, 2.5), (1000.0, PATIENCE)])
def test_the_limits_follow_the_load_of_each_processor(monkeypatch, load, factor):
    monkeypatch.setattr(os, "getloadavg", lambda: (load * os.cpu_count(), 0.0, 0.0))
    assert Times(cell=30, check=20, notebook=300).here() == Times(cell=30 * factor, check=20 * factor, notebook=300)


def test_a_system_without_that_number_keeps_its_limits(monkeypatch):
    monkeypatch.delattr(os, "getloadavg")
    assert Times().here() == Times()


def test_the_limits_can_be_asked_for_on_this_machine():
    here = Times().here()
    assert Times().check <= here.check <= PATIENCE * Times().check
