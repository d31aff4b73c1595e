"""The spellings of the older package, translated at the face and unknown further in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, shown
from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result

DEVICE = re.compile(r"(cpu|gpu|cuda)(?:[:(](\d{1,4})\)?)?$")


def device_name(device: object) -> str:
    """Return "cpu" or "cuda:N" from a name or a framework's own device object."""
    try:
        text = "cpu" if device is None else str(device)
    except (ValueError, RecursionError):  # a number of 5000 digits, a list 1000 deep
        text = shown(device)
    match = DEVICE.match(text)
    if match is None:
        raise UsageError(f"unknown device {shown(text)}; allowed: cpu, cuda:N, such as cuda:0")
    kind, index = match.groups()
    return "cpu" if kind == "cpu" else f"cuda:{int(index or 0)}"


def older_figure(results: Sequence[Result], name: str) -> tuple[str, Result] | None:
    """Return the older package's one figure by its name: both directions, else the forward.

    What has a backward only is told by that. Of a fused operator it is the fused implementation's.
    """
    found = {
        result.operator["direction"]: result
        for result in results
        if result.operator["fused"] is not False
    }
    both, forward = found.get("forward_backward"), found.get("forward")
    result = forward if both is None or both.status == "unsupported" else both
    result = result or found.get("backward")
    if result is None:
        return None
    prefix = find_framework(result.operator["framework"]).prefix
    return f"{prefix}_{name}_{result.operator['direction'].title()}_Time", result
