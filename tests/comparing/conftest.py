"""Records of pairs as a session makes them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import exp
from typing import Any

import pytest
from msgspec import convert

from opperf.core.results.pair import Pair

MakePair = Callable[..., Pair]


@pytest.fixture
def make_pair() -> MakePair:
    """Return what makes a record of a session in which B over A had this logarithm."""
    numbers = count(1)

    def make(ratio: float | None = 0.0, name: str = "Add", **changes: Any) -> Pair:
        number = next(numbers)
        timed = ratio is not None
        fields = {
            "result_id": f"r{number}",
            "run_id": "run",
            "session": number,
            "purpose": "comparison",
            "started_at": "2026-11-21T00:00:00.000+00:00",
            "opperf_version": "0",
            "operator": {
                "name": name, "category": "arithmetic", "framework": "numpy", "size": "small",
                "fused": None, "device": "cpu", "cache": "hot", "threads": 1,
                "direction": "forward",
            },
            "inputs": ({"name": "lhs", "shape": [2, 3], "dtype": "float32"},),
            "attributes": {},
            "a_status": "ok",
            "b_status": "ok",
            "ratio": ratio,
            "a_seconds": 1e-6 if timed else None,
            "b_seconds": 1e-6 * exp(ratio) if timed else None,
            "a_blocks": (1e-6,) * 4 if timed else (),
            "b_blocks": (1e-6,) * 4 if timed else (),
        }  # fmt: skip
        return convert({**fields, **changes}, Pair)

    return make
