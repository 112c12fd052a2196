"""What is opened: JupyterLab with the book in it, on this machine or on a student's.

Its face: `start.main` starts JupyterLab on one's copy, `bundle.bundle` makes what students receive. Inside, `server` is
the book's part of Jupyter's server, `session` keeps token and port, `kernels` takes kernels from `warm_kernel`, which
has imported torch; jupyter/ holds the student profile and the page's own scripts, formgrader/ the template that
teachers' pages need, handout/ what a bundle has beside the book.
"""
