"""The book's launcher: `course lab` opens the book in JupyterLab, `course server` does so for JupyterHub."""
