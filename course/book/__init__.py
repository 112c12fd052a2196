"""Text to notebooks: a section's source is read, checked, built, and tested against right and wrong answers.

Its face: `source.read` gives a `section.Section`, `build.build` makes the student edition, `variants` are other right
and wrong answers, `gates` test the book with them. Inside, `lint` is what a source must hold, `merge` brings a page
that has answers up to a new edition. `commands` are the author's.
"""
