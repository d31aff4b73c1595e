"""What the benchmarks of opperf itself share: real results to store and to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from opperf.core.frameworks.workload import DIRECTIONS
from opperf.nd import Add

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

FRAMEWORKS = ("mxnet", "pytorch")


@pytest.fixture(scope="session")
def measured() -> Result:
    """Return a result as a run stores it, with some hundred samples."""
    add = Add({"run_backward": False}, framework="numpy", size="small", runs=100)
    return add.run_benchmark()[0]


@pytest.fixture
def make_results(measured: Result) -> Callable[[int], list[Result]]:
    """Return a function that makes results of different operators, frameworks and directions."""

    def make(count: int) -> list[Result]:
        per_operator = len(FRAMEWORKS) * len(DIRECTIONS)
        return [
            replace(
                measured,
                result_id=f"{number:032x}",
                operator=replace(
                    measured.operator,
                    name=f"Add{number // per_operator}",
                    framework=FRAMEWORKS[number // len(DIRECTIONS) % len(FRAMEWORKS)],
                    direction=DIRECTIONS[number % len(DIRECTIONS)],
                ),
            )
            for number in range(count)
        ]

    return make
