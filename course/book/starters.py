"""The student edition's starters: nbgrader's ClearSolutions, but the placeholder of an answer in words names its exercise.

nbgrader's Validate shows a cell without an answer by its text alone.
"""
from __future__ import annotations

from nbgrader.preprocessors import ClearSolutions

from course.engine.notebook import number_of, role


class ClearAnswers(ClearSolutions):
    """As ClearSolutions; in its `text_stub`, {number} becomes the exercise's."""

    def preprocess_cell(self, cell, resources, cell_index):
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if role(cell) == "written" and cell.source == self.text_stub:
            cell.source = self.text_stub.replace("{number}", number_of(cell))
        return cell, resources
