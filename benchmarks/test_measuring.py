"""What measuring costs beside the calls that are measured: looks at the precision, the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.workload import Work, accept_all
from opperf.core.statistics.summary import half_width, summarize
from opperf.core.timing.measure import measure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_benchmark.fixture import BenchmarkFixture

    from opperf.core.frameworks.device import Step

TIMES = np.random.default_rng(0).normal(1e-3, 1e-5, 640)


@pytest.mark.parametrize("count", [20, 160, 640])
def test_look_at_the_precision(benchmark: BenchmarkFixture, count: int) -> None:
    """The interval of the median, as it is looked at between samples."""
    benchmark.group = "statistics"
    benchmark(half_width, TIMES[:count])


@pytest.mark.parametrize("count", [20, 160, 640])
def test_summarize(benchmark: BenchmarkFixture, count: int) -> None:
    """All statistics of a row, drift and modes included."""
    benchmark.group = "statistics"
    benchmark(summarize, TIMES[:count])


def test_measure_a_row_of_nothing(benchmark: BenchmarkFixture) -> None:
    """Calibration, warming up and 100 samples of 200 us, of which the samples alone take 20 ms."""

    def steps(iterations: int) -> Iterable[Step]:
        return [accept_all] * iterations

    from opperf.core.frameworks.device import Device

    work = Work(device=Device(), steps=steps, no_op=accept_all)
    benchmark.group = "measuring"
    benchmark.pedantic(lambda: measure(work, Settings(runs=100), first_call=0.0), rounds=10)
