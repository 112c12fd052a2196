"""One's own copy of the book: work/, how far one is, one's own grading, the solution after a pass.

Its face: `work.sync` makes and updates the copy, `progress.pages` reads it, `grader.Grader` grades it. Inside, `watch`
grades at each save, `solution` shows the book's answers, `service` is the grader behind a notebook's window. `commands`
are the learner's.
"""
