"""Cells for programs that would take some texts for something else."""

from __future__ import annotations

import html
import re

from opperf.reporting.text import clean

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001 - Excel takes the wide ones too
MARKDOWN = re.compile(r"([\\`*\[\]|])")


def markdown(value: object) -> str:
    """Return a text that a Markdown table shows as it is: no markup, no link, no new column."""
    return MARKDOWN.sub(r"\\\1", html.escape(clean(value), quote=False))


def csv_cell(value: object) -> object:
    """Return a value that a spreadsheet does not run: numbers as they are, texts disarmed."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = str(value)
    return f"'{clean(text)}" if text.startswith(FORMULA) else disarmed(clean(text))


def disarmed(text: str) -> str:
    """Return the text with a quote before what opens a formula once control characters are gone."""
    return f"'{text}" if text.startswith(FORMULA) else text
