"""What a result is called in a report: clean one-line texts, and None where there is none."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from opperf.core.results.circumstances import marks
from opperf.core.results.status import STATUSES, TIMED
from opperf.core.units import (
    coarsest,
    format_bytes,
    format_precision,
    format_rate,
    format_seconds,
)
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opperf.core.results.parts import InputRecord
    from opperf.core.results.result import Result

DIRECTIONS = {
    "forward": "forward",
    "forward_recorded": "recorded",
    "backward": "backward",
    "forward_backward": "fwd+bwd",
}
"""The short names, in the order in which a report shows them."""

FLAG = "! "
"""Stands before a time that is not to be relied on."""
UNUSABLE = 1.0
"""The precision from which an interval says nothing: it reaches down to zero."""
ONE_DIGIT = 0.0995
"""The share below which a percentage without decimals has a single digit, or none."""


def operator_text(result: Result) -> str:
    """Return "ConvReLU (fused)"; where and how it was measured is named where that is not usual."""
    device = result.operator.device
    place = device if device != "cpu" else ""
    return clean(" ".join(filter(None, [result.operator.name, *marks(result.operator), place])))


def direction_text(direction: object) -> str:
    """Return a direction's short name."""
    return DIRECTIONS.get(str(direction)) or clean(direction)


def inputs_text(inputs: Sequence[InputRecord]) -> str:
    """Return "(64,64)x2" where all shapes are equal, else "data(4,64) bias(64)"."""
    shapes = [value_text(item.shape) for item in inputs]
    if len(shapes) > 1 and len(set(shapes)) > 1:
        named = zip(inputs, shapes, strict=True)
        return " ".join(clean(item.name) + shape for item, shape in named)
    return shapes[0] + (f"x{len(shapes)}" if len(shapes) > 1 else "") if shapes else ""


def attributes_text(attributes: Mapping[str, Any]) -> str:
    """Return "k=10 axis=-1"."""
    return " ".join(f"{clean(name)}={value_text(value)}" for name, value in attributes.items())


def value_text(value: object) -> str:
    """Return a value, with sequences as "(64,64)"."""
    if isinstance(value, (list, tuple)):
        return f"({','.join(map(value_text, value))})"
    return clean(value)


def dtypes(result: Result) -> list[str]:
    """Return the different dtypes among the inputs, in their order."""
    return list(dict.fromkeys(clean(item.dtype) for item in result.inputs))


def given_text(result: Result) -> str:
    """Return what the operator was given: shapes, dtypes other than float32, attributes."""
    kinds = " ".join(kind for kind in dtypes(result) if kind != "float32")
    parts = inputs_text(result.inputs), kinds, attributes_text(result.attributes)
    return " ".join(part for part in parts if part)


def status_text(result: Result) -> str:
    """Return the status in words, such as "crashed SIGSEGV"."""
    return clean(f"{status_words(result.status)} {result.signal or ''}")


def status_words(status: str) -> str:
    """Return "out of memory" for out_of_memory."""
    return clean(status.replace("_", " "))


def counts_text(statuses: Iterable[str]) -> str:
    """Return "94 ok, 1 noisy, 1 crashed", always in the same order."""
    counts = Counter(statuses)
    parts = [f"{counts[status]} {status_words(status)}" for status in STATUSES if counts[status]]
    return ", ".join(parts) or "no results"


def time_parts(result: Result, *, ascii_only: bool = False) -> tuple[str, str]:
    """Return "31.2 ms" and "±0.4%"; where there is no time the status in words and nothing.

    An interval that is missing, or wider than the time is long, is "±?".
    """
    if result.seconds is None:
        return status_text(result), ""
    known = precision(result)
    known = None if known is None or known >= UNUSABLE else known
    unknown = "+-?" if ascii_only else "±?"
    spread = unknown if known is None else format_precision(known, ascii_only=ascii_only)
    return format_seconds(result.seconds, coarsest(result.seconds, known)), spread


def over_text(n: int, left_out: int) -> str:
    """Return over what a mean is: "over 31 reliable pairs; 6 left out"."""
    over = f"over {n} reliable pair{'' if n == 1 else 's'}"
    return f"{over}; {left_out} left out" if left_out else over


def flag(result: Result | None) -> str:
    """Return what stands before a time that is not to be relied on; nothing before another."""
    unsound = result is not None and result.seconds is not None and not result.reliable
    return FLAG if unsound else ""


def rate_text(result: Result) -> str | None:
    """Return FLOP/s, or B/s of an operator that does less than one FLOP a byte.

    Where the machine's peaks were measured, the share of its roof follows: "24.4 GB/s 88%".
    """
    flops, size = number(result.flop_count) or 0, number(result.byte_count) or 0
    if result.seconds is None or not (flops or size):
        return None
    rate, unit = (result.flop_rate, "FLOP/s") if flops >= size else (result.byte_rate, "B/s")
    text, fraction = format_rate(number(rate), unit), number(result.peak_fraction)
    if fraction is None:
        return text
    return f"{text} {fraction:.0%}" if fraction >= ONE_DIGIT else f"{text} {fraction:.1%}"


def memory_text(result: Result) -> str | None:
    """Return what a call takes, outputs and workspace, as "4.19 MB, 3.2 MB saved"."""
    outputs, workspace, saved = (
        number(getattr(result.memory, name)) for name in ("outputs", "workspace", "saved")
    )
    if outputs is None or workspace is None:
        return None
    text = format_bytes(int(outputs + workspace))
    return f"{text}, {format_bytes(int(saved))} saved" if saved else text


def codes(result: Result) -> list[str]:
    """Return the codes of the warnings that its samples gave rise to."""
    return [clean(warning.code) for warning in result.warnings]


def device_notes(result: Result) -> list[str]:
    """Return a GPU's figures beside the headline: "submit 10.1 us", "latency 14.2 us", "graph"."""
    found = result.device_times
    if found is None or result.seconds is None:
        return []
    figures = [(name, number(getattr(found, name))) for name in ("submit", "latency")]
    times = [f"{name} {format_seconds(value)}" for name, value in figures if value is not None]
    return [*times, "graph"] if found.graph else times


def precision(result: Result) -> float | None:
    """Return the relative half-width of its interval, where it has a time and an interval."""
    return timed_number(result, "precision")


def timed_number(result: Result, name: str) -> float | None:
    """Return a number of the summary, or None where the status says that there is no time."""
    return number(getattr(result.summary, name, None)) if result.status in TIMED else None


def number(value: object) -> float | None:
    """Return a finite number, and None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None
