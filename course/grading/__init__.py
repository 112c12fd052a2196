"""A class: what students handed in is collected, graded on all cores, recorded in nbgrader's gradebook, reported.

Its face: `autograde.autograde`, `plugins` for nbgrader's own commands, `report`. Inside, `unit` is the work of one
submission, `graft` puts its answers onto the released notebook, `worker`, `prefetch` and `cluster` say where that runs,
`gradebook` writes, `exchange` collects, `demo` is a class to look at. `commands` are the teacher's.
"""
