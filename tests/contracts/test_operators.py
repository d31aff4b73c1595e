"""Every operator computes the same thing on every framework, and the check would see it if not.

Each operator is run on each framework, in float32 and float64, small and skewed, and compared in
full with its float64 reference; then one element is spoiled, and the comparison must fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.configuration.settings import Settings
from opperf.measuring.attempt import Attempt
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.comparison.comparison import Greater
from opperf.operators.logical.logical import LogicalNot
from opperf.operators.sorting.sorting import ArgMax, TopK
from tests.contracts.conftest import Contract
from tests.contracts.halves import is_absent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from opperf.core.frameworks.framework import Framework
    from opperf.declaring.declaration import Declaration

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
"""PyTorch's compiler imports what PyTorch has deprecated."""

SPOILING = {"float32": 1e-3, "float64": 1e-5}
MOST_DIFFERENCES = 300
TINY = {"Sort": {"data": (3, 7)}}
"""Inputs for what has a kink wherever two of many elements nearly meet."""


def test_every_direction_is_right_or_a_known_gap(contract: Any) -> None:
    """Outputs of inference and training and every gradient equal the reference's."""
    for direction in contract.operator.directions():
        outcome = contract.outcome(direction)
        expected = "unsupported" if contract.is_limited(direction) else "skipped"
        assert (direction, outcome.status) == (direction, expected), outcome.reason
        if expected == "skipped":
            assert outcome.comparison is not None
            assert outcome.comparison.fault is None


def test_half_precision_is_right_or_a_known_gap(half: Any) -> None:
    """So do those in float16 and bfloat16, but for the forms that a framework is known to lack.

    Where it is the processor that decides, the facts tell which of the two it is; what oneDNN
    refuses for that is not attempted here: it spoils the process, which may die of the next row.
    """
    if half.shortage():
        pytest.skip("this processor lacks what it needs; test_requirements.py attempts such rows")
    attempt = half.attempt_once()
    for direction in half.operator.directions():
        outcome = attempt.outcome(half.variant, direction)
        lacks = half.is_limited(direction) or is_absent(half, direction)
        expected = "unsupported" if lacks else "skipped"
        assert (direction, outcome.status) == (direction, expected), outcome.reason


def test_another_precision_than_declared_is_a_wrong_result(measured: Framework) -> None:
    """However right the values are: the fault names the type returned and the one declared."""

    class Precise(Add):
        def output_dtypes(self) -> tuple[str, ...]:
            """Return what no framework returns for float16."""
            return ("float32",)

        @classmethod
        def table_class(cls) -> type[Declaration]:
            """Return the operator whose implementation this is."""
            return Add

    operator = Precise(inputs={"dtype": "float16"}, size="small")
    attempt = Attempt(operator, measured, "cpu", Settings(), check_only=True)
    outcome = attempt.outcome("only", "forward")
    expected = ("wrong_result", "output 0 is float16, expected float32")
    assert (outcome.status, outcome.reason) == expected


def test_masks_and_positions_may_come_in_any_type(measured: Framework) -> None:
    """MXNet answers in the inputs' dtype, PyTorch in bool and int64: neither is a fault."""
    for kind in (Greater, LogicalNot, ArgMax, TopK):
        operator = kind(inputs={"dtype": "float16"}, size="small")
        attempt = Attempt(operator, measured, "cpu", Settings(), check_only=True)
        assert attempt.outcome("only", "forward").status == "skipped", kind


def test_the_order_of_the_directions_does_not_matter(
    stateful: type[Declaration], measured: Framework
) -> None:
    """What training changes, such as moving statistics, inference does not read."""
    for variant, direction in stateful(size="small").rows():
        contract = Contract(stateful, measured.name, variant, "float32", "small")
        assert "float32" in stateful.dtypes
        for one in (direction, "forward"):
            outcome = contract.outcome(one)
            expected = "unsupported" if contract.is_limited(one) else "skipped"
            assert (direction, one, outcome.status) == (direction, one, expected), outcome.reason


def test_one_spoiled_element_of_an_output_is_a_fault(contract: Any) -> None:
    """The check that every time depends on sees one element that is off by a thousandth."""
    if contract.is_limited("forward"):
        pytest.skip("a known gap: there is no output to spoil")
    workload = contract.attempt.workload(contract.variant)
    outputs = workload.outputs(False)  # noqa: FBT003 - the workload's signature
    check = contract.attempt.expectation.check_outputs
    assert check(outputs, training=False).fault is None
    for position, output in enumerate(outputs):
        spoiled = [
            [*outputs[:position], wrong, *outputs[position + 1 :]]
            for wrong in spoilings(output, contract)
        ]
        assert all(check(wrong, training=False).fault for wrong in spoiled), position


def spoilings(output: NDArray[Any], contract: Any) -> Iterator[NDArray[Any]]:
    """Yield the output with one element changed; of random samples, with many of them changed."""
    if contract.operator.category == "random":
        yield output * 1.1
        yield half_zeroed(output)
    else:
        yield spoil(output, SPOILING.get(contract.dtype, 1e-3))


def half_zeroed(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy with every second of the elements that are not zero made so."""
    changed = array.copy()
    changed.flat[np.flatnonzero(array)[::2]] = 0
    return changed


def spoil(array: NDArray[Any], share: float) -> NDArray[Any]:
    """Return a copy with one element of typical size or more changed by a share of its size."""
    changed = array.copy()
    if array.dtype.kind == "b":
        changed.flat[array.size // 2] ^= True
        return changed
    if array.dtype.kind in "iu" or not np.any(array):
        changed.flat[array.size // 2] += 1
        return changed
    sizes = np.where(np.isfinite(array), np.abs(array.astype(float)), 0)
    typical = float(np.sqrt(np.mean(sizes**2)))
    at = int(np.where(sizes >= typical * (1 - 1e-9), sizes, np.inf).argmin())
    changed.flat[at] *= 1 + share
    return changed


def test_one_spoiled_element_of_a_gradient_is_a_fault(contract: Any) -> None:
    """So does the check of every gradient by every input, where there is one.

    Along random directions no single element is seen, but all that are off by a little are.
    """
    if not contract.operator.differentiable:
        pytest.skip("not differentiable: there is no gradient to spoil")
    if contract.is_limited("backward"):
        pytest.skip("a known gap: there is no gradient to spoil")
    expectation = contract.attempt.expectation
    workload = contract.attempt.workload(contract.variant)
    contract.framework.seed(0)
    outputs = workload.outputs(True)  # noqa: FBT003 - the workload's signature
    contract.framework.seed(0)
    gradients = workload.gradients()
    assert expectation.check_gradients(gradients, outputs).fault is None
    for name, gradient in gradients.items():
        if expectation.gradient_kind == "directional_differences":
            scaled = gradient * (1 + 4 * expectation.gradient_bound.rtol)
            wrongs = [scaled, half_zeroed(gradient)]
        else:
            wrongs = [spoil(gradient, SPOILING[contract.dtype])]
        for wrong in wrongs:
            found = expectation.check_gradients({**gradients, name: wrong}, outputs)
            assert found.fault is not None, name


def test_closed_form_gradients_equal_finite_differences(closed_form: type[Declaration]) -> None:
    """Every formula for a gradient is checked, element by element, against the reference itself.

    Of large inputs a random few hundred elements are.
    """
    inputs = {"dtype": "float64", **TINY.get(closed_form.name(), {})}
    expectation = Expectation(closed_form(inputs=inputs, size="small"), seed=0)
    names = list(expectation.arrays)
    for name, gradient in expectation.gradients.items():
        assert gradient.shape == expectation.arrays[name].shape
        places = np.random.default_rng(0).permutation(gradient.size)[:MOST_DIFFERENCES]
        found = differences(expectation, names.index(name), places)
        scale = np.abs(found) + np.sqrt(np.mean(gradient**2)) + 1e-12
        assert np.max(np.abs(gradient.flat[places] - found) / scale) < 1e-5, name


def differences(
    expectation: Expectation, position: int, places: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return some elements of the gradient by one input, moving one at a time."""
    arrays = [*expectation.exact]
    arrays[position] = moved = arrays[position].copy()
    found = np.empty(len(places))

    def value() -> float:
        outputs = expectation.reference(*arrays)
        return sum(float((o * g).sum()) for o, g in zip(outputs, cotangents, strict=True))

    cotangents = [cotangent.astype(float) for cotangent in expectation.cotangents]
    for row, place in enumerate(places):
        kept = moved.flat[place]
        step = 1e-5 * (max(abs(kept), 1) if np.isfinite(kept) else 1)
        moved.flat[place] = kept + step
        above = value()
        moved.flat[place] = kept - step
        found[row] = (above - value()) / (2 * step)
        moved.flat[place] = kept
    return found
