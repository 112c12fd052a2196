"""Sphinx's settings for the site; `make` writes the values in capitals before it."""
import itertools
import os

import myst_nb.core.render
from myst_nb.core.utils import coalesce_streams

project = "Deep learning, exercise by exercise"
author = copyright = ""
html_show_copyright = html_show_sphinx = False
extensions = ["myst_nb"]
html_theme = "sphinx_book_theme"
html_title = project
templates_path, exclude_patterns = [], []
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_extra_path = ["_extra"]
html_copy_source = html_show_sourcelink = False
myst_enable_extensions = []             # formulas are MathML already
myst_heading_anchors = 0
suppress_warnings = ["myst.xref_missing", "myst.header", "mystnb.unknown_mime_type"]
nb_execution_mode = "cache"
nb_execution_cache_path = os.environ["SITE_CACHE"]
nb_execution_timeout = 600
nb_execution_raise_on_error = False
nb_execution_show_tb = True
nb_merge_streams = True
nb_code_prompt_show, nb_code_prompt_hide = "Show the check", "Hide the check"
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
html_theme_options = {
    "use_download_button": False, "use_fullscreen_button": False, "use_source_button": False, "navigation_with_keys": False,
    "show_toc_level": 2, "home_page_in_toc": True,
    "navbar_persistent": [],        # else there is a second field to search above the page
    "pygments_light_style": "a11y-high-contrast-light", "pygments_dark_style": "a11y-high-contrast-dark",
}
if os.environ.get("SITE_REPOSITORY"):
    html_theme_options |= {
        "repository_url": os.environ["SITE_REPOSITORY"], "repository_branch": os.environ["SITE_BRANCH"],
        "path_to_docs": "notebooks", "use_repository_button": True,
        "launch_buttons": {"notebook_interface": "jupyterlab", "binderhub_url": "https://mybinder.org",
                           "colab_url": "https://colab.research.google.com"}}


def in_order(outputs):
    """Joins what a cell printed in pieces. What it printed after a picture stays after it: myst-nb itself moves it to the top."""
    runs = itertools.groupby(outputs, lambda output: output["output_type"] == "stream")
    return [output for printed, run in runs for output in (coalesce_streams(list(run)) if printed else run)]


myst_nb.core.render.coalesce_streams = in_order


def open_the_readers_copy(app, pagename, templatename, context, doctree):
    """Binder's link opens the page in work/, which .binder/postBuild made; Colab's the one in notebooks/."""
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            if button.get("text") == "Binder":
                button["url"] = button["url"].replace("/tree/notebooks/", "/tree/work/")


def setup(app):
    app.connect("html-page-context", open_the_readers_copy, priority=900)       # after the theme has made them
