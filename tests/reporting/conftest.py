"""Results to report on, made to order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

from opperf.core.results.status import TIMED
from tests.records import result_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result

HOSTILE = '</script>\x1b[2J|\n=cmd()\u202e<img src=x onerror="alert(1)">'
"""A name that means something to a terminal, a table, a spreadsheet and a browser."""

SAMPLES = {"iterations": 1, "first_call": 0.5, "null": 0.0}


class Make(Protocol):
    """How `make` is called."""

    def __call__(self, *, name: str = ..., **changes: Any) -> Result:
        """Return a result."""


@pytest.fixture
def hostile() -> str:
    """Return a name that means something to everything that might show it."""
    return HOSTILE


@pytest.fixture
def make() -> Make:
    """Return a function that makes results, by default of one ok forward on MXNet."""
    return result


def result(  # noqa: PLR0913 - every test changes another one
    *,
    name: str = "Dot",
    framework: str = "mxnet",
    direction: str = "forward",
    seconds: float | None = 0.0312,
    precision: float | None = 0.004,
    status: str = "ok",
    warnings: Sequence[str] = (),
    shapes: Sequence[Sequence[int]] = ((1024, 1024), (1024, 1024)),
    fused: bool | None = None,
    device: str = "cpu",
    dtype: str = "float32",
    flop_count: int | None = 2**31,
    **changes: Any,
) -> Result:
    """Return a result of that operator."""
    timed = status in TIMED and seconds is not None
    fields: dict[str, Any] = {
        "result_id": f"{name}-{framework}-{direction}",
        "started_at": "2026-11-21T00:00:00.000+00:00",
        "opperf_version": "0.1.0",
        "status": status,
        "operator": {
            "name": name,
            "category": "gemm",
            "framework": framework,
            "implementation": f"{framework}.dot",
            "direction": direction,
            "size": "typical",
            "fused": fused,
            "device": device,
        },
        "inputs": tuple(
            {"name": label, "shape": list(shape), "dtype": dtype}
            for label, shape in zip(("lhs", "rhs", "bias"), shapes, strict=False)
        ),
        "series_key": "series",
        "definition_key": direction,
        "samples": SAMPLES | {"seconds": [seconds]} if timed else None,
        "summary": summary(seconds, precision, warnings) if timed and seconds else None,
        "flop_count": flop_count,
        "byte_count": 12 * 2**20,
        "flop_rate": flop_count / seconds if timed and seconds and flop_count else None,
        "byte_rate": 12 * 2**20 / seconds if timed and seconds else None,
        "memory": {"outputs": 4 * 2**20},
    }
    return result_of(**{**fields, **changes})


def summary(seconds: float, precision: float | None, warnings: Sequence[str]) -> dict[str, Any]:
    """Return the parts of a summary that reports read."""
    half = seconds * (precision or 0)
    return {
        "n": 40,
        "median": seconds,
        "interval": None if precision is None else [seconds - half, seconds + half],
        "precision": precision,
        "warnings": [{"code": code, "message": f"it is {code}"} for code in warnings],
    }
