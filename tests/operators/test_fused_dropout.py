"""Fused operators that drop elements: judged by the draw that their outputs tell of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.operators.fused.dropout import BiasDropoutAdd, SoftmaxDropout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from opperf.operators.random.dropout import DropoutOperator

KINDS = pytest.mark.parametrize("kind", [SoftmaxDropout, BiasDropoutAdd], ids=lambda k: k.name())


def drawn(expectation: Expectation, seed: int, share: float = 0.5) -> NDArray[Any]:
    """Return training's output with this share of the elements kept."""
    (kept,) = expectation.outputs(training=True)
    dropped = expectation.arrays.get("residual", np.zeros_like(kept))
    return np.where(np.random.default_rng(seed).random(kept.shape) < share, kept, dropped)


@KINDS
def test_gradients_belong_to_the_draw_of_their_outputs(kind: type[DropoutOperator]) -> None:
    """Those of the same draw pass; of another, or with nothing dropped, they are a fault."""
    expectation = Expectation(kind(size="small"), 0)
    outputs = [drawn(expectation, 1)]
    right = expectation.gradients_after(outputs)
    assert expectation.check_gradients(right, outputs).fault is None
    for wrong in (expectation.gradients, expectation.gradients_after([drawn(expectation, 2)])):
        fault = expectation.check_gradients(wrong, outputs).fault
        assert fault is not None
        assert fault.startswith("gradient by data")


@KINDS
def test_gradients_of_a_draw_are_those_of_what_was_kept(kind: type[DropoutOperator]) -> None:
    """Moving an input moves the elements that were kept as the gradient says, and no others."""
    operator = kind(size="small")
    expectation = Expectation(operator, 0)
    output = drawn(expectation, 1)
    (kept,) = expectation.outputs(training=True)
    arrays, step = [*expectation.exact], 1e-6
    arrays[0] = arrays[0].copy()
    arrays[0].flat[0] += step
    (moved,) = operator.evaluate(arrays, training=True)
    (seed,) = expectation.exact_cotangents
    change = (seed * (moved - kept) / step)[output == kept].sum()
    found = expectation.gradients_after([output])["data"].flat[0]
    assert found == pytest.approx(change, rel=1e-4, abs=1e-8)


@KINDS
@pytest.mark.parametrize(
    ("share", "scale", "fault"),
    [(0.5, 1.0, None), (0.3, 1.0, "share of elements kept"), (0.5, 0.9, "output 0")],
    ids=["right", "too few", "not scaled"],
)
def test_what_is_kept_is_counted_and_compared(
    kind: type[DropoutOperator], share: float, scale: float, fault: str | None
) -> None:
    """Half of the elements, each of the size that the probability gives it."""
    expectation = Expectation(kind(size="small"), 0)
    output = drawn(expectation, 1, share) * scale
    found = expectation.check_outputs([output], training=True).fault
    assert (found is None) == (fault is None)
    assert (found or "").startswith(fault or "")
