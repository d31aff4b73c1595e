"""A page of the site as bytes: markup that needs no script, and data that scripts draw."""

from __future__ import annotations

import zlib
from base64 import b64encode
from string import Template
from typing import TYPE_CHECKING, Any

from msgspec.json import encode

from opperf.reporting.page.document import policy
from opperf.reporting.site.assets import assets_of, listing, own, style, unpacking
from opperf.reporting.site.markup import escaped, summary_section

if TYPE_CHECKING:
    from collections.abc import Mapping

LEVEL = 4
"""Of zlib: a page of a run becomes 7 % larger than by the usual 6, in a quarter of the time."""
BRAND = "opperf"
NO_SCRIPTS = "The rest of this page is drawn by its own scripts, which are turned off here."
SITE = "opperf report --site"
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; "
    "form-action 'none'"
)
"""What pages of a site may load: files beside them."""
NOTE = f'<noscript><p class="note">{NO_SCRIPTS}</p></noscript>'


def report_document(report: Mapping[str, Any], tables: str = "") -> bytes:
    """Return a page one folder below the index: a report as `opperf.reporting.page` makes it.

    `tables` is markup that stands below what scripts draw, and without them in its place.
    """
    parts = assets_of(report)
    summary = summary_section(report["heading"], report["banner"], report["tiles"])
    packed = b64encode(zlib.compress(data_of(report), LEVEL)).decode()
    addresses = " ".join(f"../{script.path}" for script in parts.scripts)
    return page(
        title=escaped(report["title"]),
        generator=SITE,
        policy=POLICY,
        style=stylesheet(f"../{parts.style.path}"),
        brand=f'<a href="../index.html">{BRAND}</a><a href="../index.html">all runs</a>',
        example="conv pytorch backward",
        contents="",
        content=f"<noscript>{summary}</noscript>{tables}{NOTE}",
        data=(
            f'<script id="report" type="application/json" data-scripts="{addresses}">{packed}'
            f'</script>\n<script src="../{unpacking().path}"></script>'
        ),
    )


def list_document(title: str, contents: str, content: str) -> bytes:
    """Return the index: a page of tables, which a script filters and sorts."""
    return page(
        title=escaped(title),
        generator=SITE,
        policy=POLICY,
        style=stylesheet(style().path),
        brand=f'<a href="index.html">{BRAND}</a>',
        example="conv pytorch slower",
        contents=contents,
        content=content,
        data=f'<script src="{listing().path}"></script>',
    )


def whole_document(title: str, generator: str, example: str, parts: Mapping[str, str]) -> bytes:
    """Return a page of tables that needs no other file.

    Args:
        title: what the page is called.
        generator: the command that writes it.
        example: words that somebody might filter by.
        parts: the markup of its sections, by the headings that lead there.
    """
    sheet, script = style().content.decode(), listing().content.decode()
    links = (f'<a href="#{one.lower()}">{one}</a>' for one in [*parts][1:])
    return page(
        title=escaped(title),
        generator=generator,
        policy=policy(sheet, script),
        style=f"<style>{sheet}</style>",
        brand=BRAND,
        example=example,
        contents="".join(links),
        content="\n".join(parts.values()),
        data=f"<script>{script}</script>",
    )


def stylesheet(address: str) -> str:
    """Return the markup that leads to a style sheet."""
    return f'<link rel="stylesheet" href="{address}">'


def page(**parts: str) -> bytes:
    """Return the skeleton with its parts."""
    return Template(own("skeleton.html")).substitute(parts).encode()


def data_of(report: Mapping[str, Any]) -> bytes:
    """Return the data as JSON, the same for the same report; its texts are clean."""
    return encode(report)
