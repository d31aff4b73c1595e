"""Fake machines, and facts as `opperf.core.environment.collect` returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

QUIET = {
    "machine_key": "0123456789abcdef",
    "cpu": "A CPU",
    "os": "An OS",
    "cores": 8,
    "physical_cores": 8,
    "smt": False,
    "affinity": [*range(8)],
    "governor": "performance",
    "boost": False,
    "hypervisor": False,
    "huge_pages": "madvise",
    "clock": {"resolution": 1e-9, "read_cost": 40e-9},
    "container": {"cpu_quota": None, "memory_limit": None},
    "load_average": [0.0, 0.0, 0.0],
    "gpu": [],
    "packages": {"mxnet": "1.9.1", "torch": "2.13.0"},
}
"""A machine that is made for measuring."""


@pytest.fixture
def facts() -> Callable[..., dict[str, Any]]:
    """Return a function that returns the facts of a quiet machine, with changes."""

    def change(**changes: Any) -> dict[str, Any]:
        return {**QUIET, **changes}

    return change


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Return a function that writes files, by their paths below /, and returns the fake /."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        return tmp_path

    return write
