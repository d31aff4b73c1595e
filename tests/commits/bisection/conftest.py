"""The simulation of the benchmark, a state on disk, and sessions without processes."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.commits.bisection.state import SCHEMA, BisectionRequest, Candidate

if TYPE_CHECKING:
    from collections.abc import Callable

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "bisection_simulated.py"


@pytest.fixture(scope="session")
def simulation() -> Any:
    """Return the module that simulates bisections."""
    spec = spec_from_file_location(BENCHMARK.stem, BENCHMARK)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[BENCHMARK.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def make_request() -> Callable[..., BisectionRequest]:
    """Return what makes a request for so many commits after GOOD."""

    def make(count: int, kind: str = "commits", **quest: Any) -> BisectionRequest:
        return BisectionRequest(
            schema=SCHEMA,
            kind=kind,
            source="/there",
            candidates=[
                Candidate(name=f"{at:040x}", title=f"Note {at}") for at in range(count + 1)
            ],
            selection={},
            limits={},
            quest={"direction": "slower", **quest},
        )

    return make
