"""The calibration set: what it names exists where it must, and nothing else is tagged so."""

from __future__ import annotations

import pytest

from opperf.core.calibration import BOUNDS, CALIBRATION, TAG
from opperf.core.frameworks.registry import find_framework
from opperf.declaring.registry import operators


def test_twenty_operators_are_tagged() -> None:
    """Each once, and no variant that is derived from one."""
    names = [name for group in BOUNDS.values() for name in group]
    assert len(names) == len(CALIBRATION) == 20
    assert {name for name, kind in operators().items() if TAG in kind.tags} == CALIBRATION
    assert "core" in operators()["Dot"].tags


@pytest.mark.parametrize("framework", ["mxnet", "pytorch"])
def test_they_are_in_both_frameworks(framework: str) -> None:
    """So that a host that moves is seen in more than one library."""
    table = {kind.name() for kind in find_framework(framework).table}
    assert table >= CALIBRATION
