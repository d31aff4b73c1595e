"""Runs to write in other tools' formats."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.registry import require_form
from opperf.reporting.subjects import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

MACHINE = {
    "machine_key": "1f2e3d4c5b6a7988",
    "cpu": "AMD EPYC 9B14",
    "architecture": "x86_64",
    "cores": 2,
    "caches": {"L1d": 32768, "L2": 1048576, "L3": None},
    "memory_bytes": 8 * 2**30 + 5,
    "gpu": [],
    "packages": {"numpy": "1.26.4", "mxnet": "1.9.1", "torch": None},
}
"""What a record says of its machine, as far as these formats ask."""


@pytest.fixture
def machine() -> dict[str, Any]:
    """Return the facts of a machine."""
    return dict(MACHINE)


@pytest.fixture
def document() -> Callable[..., Any]:
    """Return what is written of results in a form, as JSON."""

    def write(form: str, *results: Result) -> Any:
        stream = io.StringIO()
        require_form(form, Run).write(Run(name="20261121T031502-7f3a9c", results=results), stream)
        return json.loads(stream.getvalue())

    return write
