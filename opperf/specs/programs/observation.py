"""What a framework's program prints about its runs: one JSON object a line, as FAI-PEP reads them.

Such as: Caffe2Observer {"type": "NET", "metric": "latency", "unit": "us", "value": "1234.5"}
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
NET = "NET"
"""The type of the whole model; others are its operators."""
TIMES = ("latency", "delay", "")
"""The metrics that are a time; the first programs said none."""
OBJECT = re.compile(r"\{.*\}")
LONGEST_LINE = 10_000


@dataclass
class Observations:
    """The seconds of each run, of the whole model and of its operators."""

    net: list[float] = field(default_factory=list)
    operators: dict[str, list[float]] = field(default_factory=dict)

    def add(self, kind: str, seconds: list[float]) -> None:
        """Add times of the model or of an operator."""
        if kind == NET:
            self.net += seconds
        else:
            self.operators.setdefault(kind, []).extend(seconds)


def observe(text: str) -> Observations:
    """Return the times that a program has printed; what is no observation is passed over."""
    found = Observations()
    for line in text.splitlines():
        match = OBJECT.search(line) if len(line) <= LONGEST_LINE else None
        said = parse_object(match[0]) if match else {}
        scale = SECONDS.get(str(said.get("unit", "")))
        kind = said.get("type")
        if isinstance(kind, str) and scale and said.get("metric", "") in TIMES:
            found.add(kind[:200], [value * scale for value in values_of(said)])
    return found


def parse_object(text: str) -> dict[str, Any]:
    """Return the object that a text is, an empty one where it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def values_of(observation: dict[str, Any]) -> Iterator[float]:
    """Yield the values of an observation: one, or a list; a number, or its text."""
    given: Any = observation.get("values", observation.get("value"))
    for each in given if isinstance(given, list) else [given]:
        try:
            value = float(each)
        except (TypeError, ValueError, OverflowError):
            continue
        if isfinite(value) and value >= 0:
            yield value
