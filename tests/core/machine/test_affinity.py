"""A measuring process runs on cores of its own, as many as it needs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from opperf.core.machine.affinity import SIBLINGS, distinct_cores, usable_processors

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def two_per_core(tmp_path: Path) -> Path:
    """Return a machine of four processors on two cores: 0 and 2, 1 and 3."""
    for number, siblings in enumerate(("0,2", "1,3", "0,2", "1,3")):
        file = tmp_path / SIBLINGS.format(number)
        file.parent.mkdir(parents=True)
        file.write_text(siblings + "\n")
    return tmp_path


def test_two_threads_get_two_cores(two_per_core: Path) -> None:
    """No two on the same core, and the last ones first."""
    assert distinct_cores(range(4), 2, two_per_core) == [3, 2]
    assert distinct_cores(range(4), 1, two_per_core) == [3]


def test_more_threads_than_cores_stay_where_they_may_be(two_per_core: Path) -> None:
    """The scheduler then does better than we."""
    assert distinct_cores(range(4), 3, two_per_core) == []
    assert distinct_cores([1, 3], 2, two_per_core) == []


def test_a_machine_without_topology_has_a_core_a_processor(tmp_path: Path) -> None:
    """Where nothing says that two share a core, none do."""
    assert distinct_cores([5, 7], 2, tmp_path) == [7, 5]


def test_usable_processors_are_those_of_the_affinity() -> None:
    """A process that was pinned by its user counts only those."""
    assert usable_processors() == len(os.sched_getaffinity(0))
