"""What all pages of a site share, each file by a name that holds its digest."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from opperf.reporting.page.document import (
    STYLES,
    STYLES_OF_ARMS,
    STYLES_OF_NETWORKS,
    join,
    library,
    parts_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "assets"
HERE = files("opperf.reporting.site")
NAME = re.compile(r"[a-z]+-[0-9a-f]{16}\.(?:js|css)")


class Asset(NamedTuple):
    """A file that pages share: its path within the site, and its content."""

    path: str
    content: bytes


class ReportAssets(NamedTuple):
    """What the page of a report needs: its style sheet, and its scripts in order."""

    style: Asset
    scripts: tuple[Asset, ...]


def asset(name: str, ending: str, *texts: str) -> Asset:
    """Return texts as one file of the site."""
    content = "\n".join(texts).encode()
    return Asset(f"{FOLDER}/{name}-{sha256(content).hexdigest()[:16]}.{ending}", content)


def own(path: str) -> str:
    """Return a file of this room."""
    return HERE.joinpath(path).read_text(encoding="utf-8")


@cache
def style() -> Asset:
    """Return the one style sheet."""
    names = (*STYLES, *STYLES_OF_NETWORKS, *STYLES_OF_ARMS)
    return asset("style", "css", join("style", names, "css"), own("style/site.css"))


@cache
def unpacking() -> Asset:
    """Return the script that unpacks a page's data and starts the others."""
    return asset("unpack", "js", own("script/unpack.js"))


@cache
def charts() -> Asset:
    """Return the charting library."""
    return asset("echarts", "js", library())


@cache
def listing() -> Asset:
    """Return the script of a page of tables."""
    return asset(
        "list", "js", '"use strict";', join("script", ("theme",)), own("script/list.js"),
        own("script/keep_theme.js"),
    )  # fmt: skip


@cache
def drawing(names: tuple[str, ...]) -> Asset:
    """Return the scripts that draw a report, as one file."""
    return asset("report", "js", join("script", names), own("script/keep_theme.js"))


def assets_of(report: Mapping[str, Any]) -> ReportAssets:
    """Return what the page of a report refers to."""
    _, names = parts_of(report)
    return ReportAssets(style(), (charts(), drawing(names)))


def all_assets() -> list[Asset]:
    """Return every file that some page may refer to."""
    kinds: list[dict[str, Any]] = [{}, {"networks": ()}, {"arms": ()}, {"networks": (), "arms": ()}]
    drawn = [drawing(parts_of(kind)[1]) for kind in kinds]
    return [style(), unpacking(), charts(), listing(), *drawn]
