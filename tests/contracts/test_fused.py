"""Fused operators equal the parts that they replace, and are really fused."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.limitation import known_limitations
from opperf.core.settings import Settings
from opperf.operators.fused import ConvReLU
from opperf.path import Attempt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from opperf.core.framework import Framework
    from opperf.operator import Operator

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")


def outputs_of(
    operator: Operator, framework: Framework, *, fused: bool, training: bool
) -> Sequence[NDArray[Any]]:
    """Return the outputs of one implementation."""
    return Attempt(operator, framework, "cpu", Settings()).workload(fused).outputs(training)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("training", [False, True], ids=["inference", "training"])
def test_fused_and_unfused_outputs_agree(
    fusable: type[Operator], measured: Framework, *, training: bool
) -> None:
    """Both compute the same numbers from the same inputs, up to rounding."""
    operator = fusable(size="small")
    direction = "forward_recorded" if training else "forward"
    for gap in known_limitations(operator, measured.name, direction, fused=True):
        pytest.skip(gap.reason)
    fused, parts = (
        outputs_of(operator, measured, fused=fused, training=training) for fused in (True, False)
    )
    assert len(fused) == len(parts)
    for one, other in zip(fused, parts, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("compiler")
def test_many_shapes_in_one_process_stay_compiled() -> None:
    """PyTorch gives up compiling after some shapes: that must not be timed as fused."""
    torch = pytest.importorskip("torch")
    framework = importlib.import_module("opperf.pytorch_benchmarks").FRAMEWORK
    framework.load(1)
    stats = importlib.import_module("torch._dynamo.utils").counters["stats"]
    with torch._dynamo.config.patch(recompile_limit=1):
        for pixels in (5, 6, 7):
            before = stats["unique_graphs"]
            shapes = {"data": (1, 2, pixels, pixels), "weight": (2, 2, 3, 3), "bias": (2,)}
            operator = ConvReLU(inputs=shapes)
            attempt = Attempt(operator, framework, "cpu", Settings(), check_only=True)
            outcome = attempt.outcome(True, "forward")  # noqa: FBT003 - which implementation
            assert stats["unique_graphs"] > before or outcome.status == "failed"
