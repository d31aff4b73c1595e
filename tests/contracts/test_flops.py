"""Declared FLOP counts against torch's own counter, where it knows the operator."""

from __future__ import annotations

import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.preparing.prepare import prepare
from opperf.declaring.registry import operators
from opperf.measuring.attempt import Attempt

PYTORCH = find_framework("pytorch")
pytestmark = pytest.mark.skipif(not PYTORCH.is_installed(), reason="torch is not installed")

HALVED = {"CausalAttention", "CorrCoef", "Cov", "Syrk", "Trmm"}
"""Where torch computes both halves of what is symmetric or masked, one of which is enough."""


def counted(name: str) -> int:
    """Return what torch counts for one forward at size small; 0 where it knows no formula."""
    from torch.utils.flop_counter import FlopCounterMode

    operator = operators()[name](size="small")
    attempt = Attempt(operator, PYTORCH, "cpu", Settings())
    attempt.expectation = Expectation(operator, 0)
    workload = prepare(PYTORCH, attempt.case(operator.variants()[-1]))
    with FlopCounterMode(display=False) as counter:
        workload.outputs(False)  # noqa: FBT003 - not in training mode
    return int(counter.get_total_flops())


def test_flop_counts_agree_with_torch() -> None:
    """A contraction's declared count is torch's, within 5 % for what it adds around it.

    Of a triangle it is that of the triangle, its diagonal included. What is compiled cannot be
    counted: torch compiles nothing under its counter.
    """
    PYTORCH.load(1)
    known = [
        name
        for name, kind in operators().items()
        if (found := PYTORCH.implementation(kind, variant="unfused")) and not found.compiles
    ]
    found = {name: flops for name in known if (flops := counted(name))}
    declared = {name: operators()[name](size="small").flop_count() for name in found}
    assert {"Dot", "Dense", "BatchDot", "Conv2D"} <= set(found), "torch counts fewer than it did"
    halves = {name: declared.pop(name) / found.pop(name) for name in HALVED & set(found)}
    assert halves
    assert all(0.5 < share < 0.6 for share in halves.values()), halves
    assert declared == pytest.approx(found, rel=0.05)
