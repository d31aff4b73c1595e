"""What the timed loop adds to the callable that it calls.

Each round is 1,000 iterations, so that microseconds a round are nanoseconds an iteration. "bare"
less "empty" is the callable itself; "timed" less "null" is what opperf reports of it.
"""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.workload import no_op_like

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

ITERATIONS = 1000
ARRAYS = (np.zeros(1), np.zeros(1))


def empty() -> None:
    """Call nothing."""
    for _ in repeat(None, ITERATIONS):
        pass


def bare() -> None:
    """Call the callable itself, with as little around it as Python allows."""
    call = np.add
    lhs, rhs = ARRAYS
    for _ in repeat(None, ITERATIONS):
        call(lhs, rhs)


def timed() -> None:
    """Call it as it is measured: bound to its arguments, between two readings of the clock."""
    Device().time(repeat(partial(np.add, *ARRAYS), ITERATIONS))


def null() -> None:
    """Call what does nothing in the same way."""
    Device().time(repeat(no_op_like(partial(np.add, *ARRAYS)), ITERATIONS))


@pytest.mark.parametrize("loop", [empty, bare, timed, null], ids=lambda loop: loop.__name__)
def test_iterations(benchmark: BenchmarkFixture, loop: Callable[[], None]) -> None:
    """A thousand iterations."""
    benchmark.group = "timed loop, 1000 iterations"
    benchmark(loop)
