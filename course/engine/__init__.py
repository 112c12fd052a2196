"""One notebook to verdicts: the judge runs its checks, the student process its cells, a wire between the two.

Its face: `notebook.Engine` grades, `warm.warm_parent` is what it forks student processes from, `judge.Verdict` is what
comes out. Inside, `judge` asks through `remote`, in `plain` data and `frames`; `student` answers, in its `shell`;
`mistakes` names known wrong answers; `outputs` and `markup` are what a graded notebook shows.
"""
