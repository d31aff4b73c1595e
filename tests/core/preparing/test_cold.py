"""Cold caches: sets of tensors in turn, outputs kept, and what cannot be done is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import Work
from opperf.core.preparing.cold import MOST_SETS, in_turn, plan_ring
from opperf.measuring.attempt import Attempt
from opperf.operators.arithmetic.arithmetic import Add, IMul, Negative

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.framework import Framework
    from opperf.core.preparing.case import Case

NUMPY = find_framework("numpy")
MB = 2**20
DEVICE = Device(cache_bytes=30 * MB)


@pytest.fixture
def case() -> Case:
    """Return a negation of 1 MB."""
    operator = Negative({"data": (512, 512), "run_backward": False})
    return Attempt(operator, NUMPY, "cpu", Settings()).case("only")


def test_the_ring_holds_three_caches(case: Case) -> None:
    """By the time a set comes again, three caches' worth of others have been used."""
    ring = plan_ring(case, DEVICE, free=100_000 * MB)
    assert (ring.sets, ring.warnings) == (90, ())


def test_a_ring_takes_a_quarter_of_the_free_memory_at_most(case: Case) -> None:
    """What does not fit is trimmed, outputs included, and said."""
    ring = plan_ring(case, DEVICE, free=80 * MB)
    assert ring.sets == 10
    assert [note.code for note in ring.warnings] == ["ring_trimmed"]
    assert "10.5 MB of the 94.4 MB" in ring.warnings[0].message


def test_many_tiny_sets_are_trimmed(case: Case) -> None:
    """Binding millions of sets would take longer than measuring."""
    tiny = replace(case, arrays={"data": np.zeros(1, dtype="float32")})
    ring = plan_ring(tiny, DEVICE, free=100_000 * MB)
    assert ring.sets == MOST_SETS
    assert [note.code for note in ring.warnings] == ["ring_trimmed"]


def test_one_set_larger_than_three_caches_is_cold_by_itself(case: Case) -> None:
    """Hot and cold are then the same, and the record says so."""
    ring = plan_ring(case, Device(cache_bytes=MB // 4), free=100_000 * MB)
    assert ring.sets == 1
    assert [note.code for note in ring.warnings] == ["cold_is_hot"]


def numbered(log: list[int], number: int) -> Callable[[], Work]:
    """Return how to make the work of one set, which logs its number."""

    def step() -> int:
        log.append(number)
        return number

    return lambda: Work(device=Device(), steps=lambda n: [step] * n, no_op=lambda: None)


def test_the_sets_take_turns_across_batches() -> None:
    """A batch goes on where the last one ended: its first set must not be the one just used."""
    log: list[int] = []
    work = in_turn([numbered(log, number) for number in range(3)])
    for step in [*work.steps(4), *work.steps(3)]:
        step()
    assert log == [0, 1, 2, 0, 1, 2, 0]


def test_a_batch_covers_the_ring() -> None:
    """No fewer calls than there are sets, also where fewer would be prepared at once."""
    work = in_turn([numbered([], number) for number in range(5)])
    assert work.least == 5
    limited = in_turn([lambda: Work(device=Device(), steps=list, no_op=list, limit=2)] * 5)
    assert limited.limit == 5


@pytest.mark.parametrize("direction", ["forward", "forward_backward", "backward"])
def test_a_cold_measurement_uses_every_set(measured: Framework, direction: str) -> None:
    """Each sample goes through the ring at least once, and the record says that it was cold."""
    operator = Add({"lhs": (64, 1024), "rhs": (64, 1024)})
    settings = Settings(cache="cold", runs=6, warmup=0)
    rows = [("only", direction)]
    (result,) = Attempt(operator, measured, "cpu", settings).results(rows)
    assert result.status in {"ok", "noisy"}, result.reason
    assert result.operator.cache == "cold"
    assert result.samples is not None
    assert result.samples.iterations > 1


def test_an_operator_in_place_can_be_cold() -> None:
    """Each set restores its own copies."""
    settings = Settings(cache="cold", runs=6, warmup=0)
    rows = [("only", "forward")]
    (result,) = Attempt(IMul(size="small"), NUMPY, "cpu", settings).results(rows)
    assert result.status in {"ok", "noisy"}, result.reason


def test_hot_and_cold_are_different_series() -> None:
    """Their times must never be taken for the same thing."""
    keys = set()
    for cache in ("hot", "cold"):
        settings = Settings(cache=cache, runs=6, warmup=0)
        operator = Add({"lhs": (64, 1024), "rhs": (64, 1024), "run_backward": False})
        (result,) = Attempt(operator, NUMPY, "cpu", settings).results()
        keys.add(result.series_key)
    assert len(keys) == 2


def test_another_cache_is_refused() -> None:
    """One line names what is allowed."""
    with pytest.raises(UsageError, match=r"unknown cache 'warm'; allowed: cold, hot"):
        Settings(cache="warm")
