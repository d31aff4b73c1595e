"""One HTML file that needs no other: skeleton, style, charting library, scripts and the data.

The page shows texts that other people chose. Three things keep them texts: the data stands in a
block that is never executed, with every "<" written as an escape; the scripts set text and never
markup; and the content security policy runs two scripts and one style sheet, known by their
SHA-256, and loads nothing from anywhere.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = files("opperf.reporting.page")
STYLES = ("base", "parts", "print")
STYLES_OF_NETWORKS = ("network",)
SCRIPTS = (
    "data", "units", "dom", "theme", "chart", "controls", "intervals",
    "environment", "sides", "gains", "forest", "heatmap", "scaling", "roofline", "strip", "history",
    "noise", "failures", "coverage", "table", "views", "main",
)  # fmt: skip
"""The page's own files, in the order in which they are joined."""
SCRIPTS_OF_NETWORKS = ("network", "network_bar", "network_roofline", "network_table")
"""Those that only a page has that shows a network; they stand before the last one."""
SCRIPTS_OF_ARMS, STYLES_OF_ARMS = ("matrix",), ("matrix",)
"""Those that only a page has that compares several arms; they stand there, too."""

NOTICES = ("NOTICE-echarts", "LICENSE-d3", "LICENSE-zrender", "LICENSE-tslib")
LICENSED = "Apache ECharts is licensed under https://www.apache.org/licenses/LICENSE-2.0"


def document(report: Mapping[str, Any]) -> str:
    """Return the page of a report as the modules beside this one make it: plain JSON, finite."""
    styles, scripts = parts_of(report)
    style, charts, script = join("style", styles, "css"), library(), join("script", scripts)
    return Template((HERE / "skeleton.html").read_text(encoding="utf-8")).substitute(
        policy=policy(style, charts, script),
        title=html.escape(report["title"]),
        style=style,
        report=embeddable(report),
        charts=charts,
        script=script,
    )


def parts_of(report: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the style sheets and of the scripts that a report needs, in order."""
    parts = [
        *([(STYLES_OF_NETWORKS, SCRIPTS_OF_NETWORKS)] if "networks" in report else []),
        *([(STYLES_OF_ARMS, SCRIPTS_OF_ARMS)] if "arms" in report else []),
    ]
    styles = (*STYLES, *(name for names, _ in parts for name in names))
    scripts = (*SCRIPTS[:-1], *(name for _, names in parts for name in names), SCRIPTS[-1])
    return styles, scripts


@cache
def join(folder: str, names: tuple[str, ...], ending: str = "js") -> str:
    """Return the page's own files of a kind as one text."""
    paths = (HERE / folder / f"{name}.{ending}" for name in names)
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@cache
def library() -> str:
    """Return the charting library as it is vendored, with the notices that its licenses ask for."""
    vendor = HERE / "vendor"
    notices = [(vendor / name).read_text(encoding="utf-8").strip() for name in NOTICES]
    code = (vendor / "echarts.js").read_text(encoding="utf-8")
    return "\n".join(["/*!", *notices, LICENSED, "*/", code])


def policy(style: str, *scripts: str) -> str:
    """Return the content security policy that allows these texts and nothing else."""
    allowed = " ".join(map(source, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {source(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def source(text: str) -> str:
    """Return the policy's name for an inline text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def embeddable(report: Mapping[str, Any]) -> str:
    """Return the data as ASCII JSON in which no tag, comment or entity can begin."""
    text = json.dumps(report, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
