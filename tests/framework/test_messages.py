"""What a check says: values that can be compared by eye, and where the difference lies."""
from __future__ import annotations

import pytest
import torch

from d2l_utils.check import assert_close, assert_equal, assert_type
from d2l_utils.check.failure import CheckFailed


def message(check, *args) -> str:
    with pytest.raises(CheckFailed) as failure:
        check(*args)
    return str(failure.value)


def test_a_dictionary_names_the_key_that_differs():
    calls = {f"a_long_name_of_a_method_{i}": i for i in range(8)}
    text = message(assert_equal, calls | {"a_long_name_of_a_method_6": 0}, calls, "the counts")
    assert "first at ['a_long_name_of_a_method_6']: got an integer, 0, expected an integer, 6" in text


def test_a_long_list_names_the_entry_that_differs():
    names = [f"call number {i}" for i in range(30)]
    text = message(assert_equal, names[:20] + ["another"] + names[21:], names, "the calls")
    assert "first at [20]: got a string, 'another', expected a string, 'call number 20'" in text
    assert "got the list [1, 2], expected the list [1, 3]" in message(assert_equal, [1, 2], [1, 3], "two numbers")


def test_keys_that_python_takes_for_equal():
    assert "values differ: got the dict" in message(assert_equal, {True: 2}, {1: 2}, "the keys")


def test_sets_are_shown_in_one_order():
    assert "got the set {'A', 'B', 'D'}, expected the set {'A', 'B', 'C'}" in message(
        assert_equal, {"D", "B", "A"}, {"C", "A", "B"}, "the letters")


def test_small_tensors_show_their_values():
    text = message(assert_equal, torch.tensor([0, 7], dtype=torch.uint8), [0, 255], "two pixels")
    assert "got a tensor of shape (2,), uint8: [0, 7], expected the list [0, 255]" in text
    assert "[0" not in message(assert_equal, torch.zeros(9), [1.0], "too long to read")


def test_bytes_have_no_article():
    assert "got a string, 'x', expected bytes." in message(assert_type, "x", bytes, "the file")


def test_a_known_mistake_keeps_the_place():
    with pytest.raises(CheckFailed) as failure:
        assert_close([1.0, 4.0], [1.0, 2.0], "two numbers", mistakes={"The root is missing.": [1.0, 4.0]})
    assert str(failure.value) == "two numbers, entry 1: values differ: yours 4.0, expected 2.0. The root is missing."
