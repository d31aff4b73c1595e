"""A loader that cannot keep up is said where it is sure."""

from __future__ import annotations

import numpy as np
import pytest

from opperf.networks.data.bound import data_bound, waiting


def test_a_network_that_waits_is_said_to() -> None:
    """With the share and its interval."""
    warning = data_bound([0.63] * 20, [1.0] * 20)
    assert warning is not None
    assert warning.code == "data_bound"
    assert warning.message.startswith(
        "data-bound: 63% of the step is spent waiting for a batch (63% to 63% at 95 %)"
    )


def test_a_loader_that_keeps_up_is_no_matter() -> None:
    """A hundredth of a step is what taking a batch costs."""
    assert data_bound([0.01] * 20, [1.0] * 20) is None
    assert data_bound([0.0] * 20, [0.0] * 20) is None


def test_chance_alone_says_nothing() -> None:
    """One late batch among many, or too few batches."""
    waits = [0.0] * 19 + [2.0]
    steps = [1.0 + wait for wait in waits]
    assert sum(waits) / sum(steps) > 0.09
    assert data_bound(waits, steps) is None
    assert data_bound([0.9, 0.9], [1.0, 1.0]) is None


def test_batches_that_come_together_are_one_block() -> None:
    """Four processes are awaited at every fourth batch: half of the steps wait for none of them."""
    waits = [4.0, 0, 0, 0] * 10 + [4.0]
    steps = [1.0 + wait for wait in waits]
    together, apart = waiting(waits, steps, 4), waiting(waits, steps, 1)
    assert together is not None
    assert apart is not None
    assert together[0] == apart[0] == pytest.approx(44 / 85)
    assert together[2] - together[1] < apart[2] - apart[1]
    assert data_bound(waits, steps, 4) is not None
    # More processes than a third of the batches leave three blocks.
    assert waiting(waits, steps, 100) is not None


def test_the_interval_holds_the_share() -> None:
    """In about 95 of 100 runs of batches whose waits and steps vary together."""
    drawn = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        waits = drawn.exponential(0.3, 30)
        found = waiting(waits.tolist(), (waits + drawn.uniform(0.6, 0.8, 30)).tolist())
        assert found is not None
        held += found[1] <= 0.3 <= found[2]
    assert 360 <= held <= 396
