"""Counting identical calls while a network runs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import CallTensor, Constant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.calls.format.values import Argument

FORWARD, BACKWARD = "forward", "backward"
Place = tuple[str, str]
"""A module's path and a phase."""


@dataclass
class Tally:
    """The distinct calls in the order in which they come first, and how often each comes where.

    `order` says of each call which of the distinct ones it is.
    """

    places: dict[tuple[str, str], Counter[Place]] = field(default_factory=dict)
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)

    def add(self, operator: str, arguments: Iterable[Argument], place: Place) -> None:
        """Count a call."""
        given = [{"name": each.name, "value": plain(each.value)} for each in arguments]
        key = operator, json.dumps(given, allow_nan=False)
        self.places.setdefault(key, Counter())[place] += 1
        self.order.append(self.numbers.setdefault(key, len(self.numbers)))

    def calls(self) -> list[dict[str, Any]]:
        """Return the distinct calls as a calls file states them."""
        return [
            {
                "operator": operator,
                "arguments": json.loads(arguments),
                "count": sum(places.values()),
                "places": [
                    {"module": module, "phase": phase, "count": count}
                    for (module, phase), count in places.items()
                ],
            }
            for (operator, arguments), places in self.places.items()
        ]


def plain(value: Any) -> Any:
    """Return an argument's value as a calls file states it: what `value_from` reads."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, CallTensor):
        beside = {
            "strides": value.strides and list(value.strides),
            "layout": None if value.layout == "strided" else value.layout,
            "stored": value.stored,
            "coalesced": value.coalesced,
            "values": value.values and dict(value.values),
        }
        stated = {name: each for name, each in beside.items() if each is not None}
        return {"type": "tensor", "shape": list(value.shape), "dtype": value.dtype, **stated}
    if isinstance(value, complex):
        value = Constant("complex", str(value).strip("()"))
    if isinstance(value, float) and not isfinite(value):
        value = Constant("float", str(value))
    if isinstance(value, Constant):
        return {"type": "constant", "kind": value.kind, "name": value.name}
    return value
