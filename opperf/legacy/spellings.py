"""The arguments and the figures of the older package, translated here and unknown further in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.variant import variant_of
from opperf.legacy.names import FORWARD_ONLY, result_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result

DEVICE = re.compile(r"(cpu|gpu|cuda)(?:[:(](\d{1,4})\)?)?$")


def device_name(device: object) -> str:
    """Return "cpu" or "cuda:N" from a name or a framework's own device object."""
    try:
        text = "cpu" if device is None else str(device)
    except (ValueError, RecursionError):  # a number of 5000 digits, a list 1000 deep
        text = quote(device)
    match = DEVICE.match(text)
    if match is None:
        raise UsageError(f"unknown device {quote(text)}; allowed: cpu, cuda:N, such as cuda:0")
    kind, index = match.groups()
    return "cpu" if kind == "cpu" else f"cuda:{int(index or 0)}"


def arguments(positional: Sequence[object], named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the named arguments with the positional ones: inputs alone, or all in their order.

    Raises:
        UsageError: one is given twice, or there are more than names.
    """
    alone = len(positional) == 1 and not is_device(positional[0])
    if len(positional) > len(named):
        raise UsageError(f"{len(positional)} arguments by position; at most {', '.join(named)}")
    found = dict(zip(["inputs"] if alone else named, positional, strict=False))
    for name in found:
        if named[name] is not None:
            raise UsageError(f"{name} is given twice: by its name and by its position")
    return {**named, **found}


def is_device(value: object) -> bool:
    """Return whether a value names a device, as MXNet's contexts do."""
    may_be = isinstance(value, str) or type(value).__module__ != "builtins"
    return may_be and DEVICE.match(str(value)) is not None


def older_figure(results: Sequence[Result], operator: str) -> tuple[str, Result] | None:
    """Return the older package's one figure by its name: both directions, else the forward.

    What was timed forward only still is, and what has a backward only is told by that. Of a fused
    operator it is the fused implementation's.
    """
    found = {
        result.operator.direction: result
        for result in results
        if variant_of(result.operator.fused) != "unfused"
    }
    both, forward = found.get("forward_backward"), found.get("forward")
    one_way = both is None or both.status == "unsupported" or operator in FORWARD_ONLY
    result = forward if one_way else both
    result = result or found.get("backward")
    if result is None:
        return None
    prefix = find_framework(result.operator.framework).prefix
    return f"{result_name(operator, prefix)}_{result.operator.direction.title()}_Time", result
