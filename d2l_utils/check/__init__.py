"""What the book's check cells use: assertions whose messages teach, parts, probes, hints and progress.

Every assertion takes `what`, the property in words; it stands at the head of the message. In the hidden part of
a check the message never holds the expected value.
"""
from d2l_utils.check.asserts import (assert_close, assert_dtype, assert_equal, assert_raises, assert_shape,
                                     assert_table, assert_true, assert_type)
from d2l_utils.check.failure import CheckFailed
from d2l_utils.check.parts import part, probe, total
from d2l_utils.check.notebook import enable as _enable, hints, progress
from d2l_utils.check.trial import where_they_part

__all__ = ["assert_close", "assert_dtype", "assert_equal", "assert_raises", "assert_shape", "assert_table",
           "assert_true", "assert_type", "CheckFailed", "part", "probe", "total", "hints", "progress",
           "where_they_part"]

_enable()
