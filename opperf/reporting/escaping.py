"""Cells for programs that would take some texts for something else."""

from __future__ import annotations

import html
import re

from opperf.reporting.text import clean

CONTROL = ("\t", "\r")
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What opens a formula; the last four are full-width, which Excel takes as well."""
MARKDOWN = re.compile(r"([\\`*\[\]|]|~(?=~)|(?<=~)~|(?<![^\W_])_|_(?![^\W_]))")
"""Markup, and underscores but those within a word, which Markdown leaves alone."""

AUTOMATIC = re.compile(
    r"@(?=\w)|\b(?:https?|ftp|mailto)(?=:)|\bwww(?=\.)|(?:[#!$%~]|&amp;|\bGH-)(?=\d)", re.IGNORECASE
)
"""What opens a mention or a link without any markup, as #7 does, which is also listed at issue 7;
GitLab knows !7, $7, %7, ~7 and &7 besides."""


def markdown(value: object) -> str:
    """Return a text that a Markdown table shows as it is: no markup, no link, no new column.

    GitHub and GitLab make links and mentions of bare text, which a comment in its middle prevents.
    """
    escaped = MARKDOWN.sub(r"\\\1", html.escape(clean(value), quote=False))
    return AUTOMATIC.sub(r"\g<0><!-- -->", escaped)


def csv_cell(value: object) -> object:
    """Return a value that a spreadsheet does not run: numbers as they are, texts disarmed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, (int, float)):
        return value
    items = value if isinstance(value, (list, tuple)) else [value]
    text = ", ".join(map(clean, items))
    return (
        f"'{text}"
        if str(items[0] if items else "").startswith(CONTROL) or text.startswith(FORMULA)
        else text
    )
