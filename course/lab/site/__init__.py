"""The book as a web site: static, searchable, readable without a network or a kernel. Sphinx and MyST-NB build it."""
