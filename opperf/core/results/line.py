"""A result in one line, as it shows at a prompt, and why its time is not to be relied on.

A result is `opperf.core.results.result.Result`, which imports this module and not the reverse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.variant import variant_of
from opperf.core.units import coarsest, format_precision, format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opperf.core.results.parts import WarningRecord

UNRELIABLE = ("noisy", "no_interval", "disturbed", "value_drift")
"""The codes of the warnings that make a time unreliable; all others leave it reliable."""
LONGEST = 100
"""Characters of a reason; the record has all of it."""


def result_line(result: Any) -> str:
    """Return "Add forward on mxnet, cpu, lhs=(64,64) rhs=(64,64) float32: 1.26 us +-0.4%"."""
    operator = result.operator
    variant = variant_of(operator.fused)
    form = "" if variant == "only" else variant
    subject = " ".join(filter(None, [operator.name, form, operator.direction]))
    given = [
        *(f"{item.name}={shape_text(item.shape)}" for item in result.inputs),
        *(f"{name}={value}" for name, value in result.attributes.items()),
        *dict.fromkeys(item.dtype for item in result.inputs),
    ]
    where = [operator.framework, operator.device, " ".join(given)]
    return f"{subject} on {', '.join(filter(None, where))}: {outcome_text(result)}"


def shape_text(shape: Any) -> str:
    """Return "(64,64)"."""
    return f"({','.join(map(str, shape))})"


def outcome_text(result: Any) -> str:
    """Return the time with its interval, and why it is unreliable; else the status and why."""
    if result.seconds is None:
        reason = " ".join((result.reason or "").split())
        shown = reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 3]}..."
        return f"{result.status}: {shown}" if shown else result.status
    precision = result.summary and result.summary.precision
    spread = "" if precision is None else f" {format_precision(precision, ascii_only=True)}"
    doubt = "" if result.reliable else f" (unreliable: {unreliability(result)})"
    shown = format_seconds(result.seconds, coarsest(result.seconds, precision))
    return f"{shown}{spread}{doubt}"


def unreliability(result: Any) -> str:
    """Return why a time is not to be relied on, in the words of its warnings."""
    unsaid = "no 95 % interval" if result.interval is None else f"the status is {result.status}"
    return "; ".join(doubts(result.warnings)) or unsaid


def doubts(warnings: Iterable[WarningRecord]) -> Iterator[str]:
    """Yield what makes a time unreliable."""
    for warning in warnings:
        if warning.code in UNRELIABLE:
            yield warning.message
