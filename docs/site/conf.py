"""How Sphinx makes the pages of the documentation; docs/build_site.py puts the texts together."""

import sys
from pathlib import Path

from sphinx.ext.autodoc.mock import MockFinder

from opperf.core.version import VERSION

project = "opperf"
author = "The developers of opperf"
version = release = VERSION
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_title = f"opperf {VERSION}"
html_show_sphinx = False
html_copy_source = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
myst_heading_anchors = 4
nb_execution_mode = "off"  # they are kept with what they showed: docs/execute_notebooks.py
nb_merge_streams = True
suppress_warnings = ["misc.highlighting_failure"]  # of crontabs
autodoc_typehints = "description"
autodoc_member_order = "bysource"
sys.meta_path.insert(0, MockFinder(["mxnet", "torch"]))
"""Their import takes seconds and warns, and their bases say nothing here. `autodoc_mock_imports`
would not do: Sphinx looks for the signatures of bases after it has put the mocks away."""

MENDED = {
    '<p class="caption" role="heading"': '<p class="caption" role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside class="sidebar-drawer" aria-label="Pages"',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">',
    '<div class="output text_html">': '<div class="output text_html" tabindex="0" '
    'style="overflow-x: auto">',
}
"""What the theme leaves out and readers of screens and keyboards need."""


def mend(app, error):  # noqa: ANN001, ANN201 - as Sphinx calls it
    """Put into every page what the theme leaves out."""
    for path in Path(app.outdir).rglob("*.html") if error is None else ():
        text = path.read_text(encoding="utf-8")
        for old, new in MENDED.items():
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


def setup(app):  # noqa: ANN001, ANN201 - as Sphinx calls it
    """Have the pages mended at the end."""
    app.connect("build-finished", mend)
