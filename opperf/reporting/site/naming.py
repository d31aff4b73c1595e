"""Names of pages: the same for the same thing, whatever a foreign record calls it."""

from __future__ import annotations

import re
from hashlib import sha256

from opperf.storing.run_directory import RUN_ID

OTHERS = re.compile(r"[^A-Za-z0-9]+")
LONGEST = 40
DIGITS = 12
PAGE = re.compile(r"(?:[0-9]{8}T[0-9]{6}-[0-9a-f]{6}|(?:[A-Za-z0-9_]{1,40}-)?[0-9a-f]{12})\.html")
"""What a page's file is called."""


def file_stem(name: str) -> str:
    """Return what the files of a run, an operator or a comparison begin with.

    A run's id stays as it is. Any other name keeps its letters and digits and gets a digest of
    itself, so that none leaves its folder, is a device of Windows, or collides with one that
    differs in case alone.
    """
    if RUN_ID.fullmatch(name):
        return name
    plain = OTHERS.sub("_", name)[:LONGEST].strip("_")
    digest = sha256(name.encode(errors="surrogatepass")).hexdigest()[:DIGITS]
    return f"{plain}-{digest}" if plain else digest


def page_of(folder: str, name: str) -> str:
    """Return the path of a page within the site."""
    return f"{folder}/{file_stem(name)}.html"
