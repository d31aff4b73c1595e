"""What a call takes of a real GPU's memory, against bytes that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.nd import Add, Conv2D, Exp, IMul, Multiply, Softmax

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.running.operator import Operator

pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("pytorch")]
MIB = 2**20
QUICK: dict[str, Any] = {"runs": 6, "warmup": 1, "framework": "pytorch", "device": "cuda:0"}


def memory_of(operator: Operator) -> dict[str, Mapping[str, int | None]]:
    """Return an operator's memory by direction."""
    return {result.operator.direction: result.memory for result in operator.run_benchmark()}


def test_an_add_takes_its_output_and_no_more() -> None:
    """As on the CPU, to the byte: the allocator counts what was asked for."""
    found = memory_of(Add(**QUICK))
    assert found["forward"] == {"outputs": 4 * MIB, "workspace": 0, "saved": 0}
    assert found["forward_recorded"] == {"outputs": 4 * MIB, "workspace": 0, "saved": 0}


def test_twice_the_tensor_is_twice_the_bytes() -> None:
    """Outputs, gradients and what is saved."""
    shapes = {"lhs": (512, 1024), "rhs": (512, 1024)}, {"lhs": (1024, 1024), "rhs": (1024, 1024)}
    single, double = (memory_of(Multiply(shape, **QUICK))["backward"] for shape in shapes)
    assert (single["outputs"], single["saved"]) == (4 * MIB, 4 * MIB)
    assert (double["outputs"], double["saved"]) == (8 * MIB, 8 * MIB)


def test_what_is_saved_is_what_the_cpu_saves() -> None:
    """A convolution's input and weight, a softmax's output."""
    for kind in (Conv2D, Softmax, Exp):
        on_gpu = memory_of(kind(**QUICK))["backward"]["saved"]
        on_cpu = memory_of(kind(**{**QUICK, "device": "cpu"}))["backward"]["saved"]
        assert on_gpu == pytest.approx(on_cpu, rel=0.1)


def test_an_update_in_place_takes_nothing_more() -> None:
    """Its outputs were there before the call, so that the peak is workspace alone."""
    assert memory_of(IMul(**QUICK))["forward"] == {"outputs": 4 * MIB, "workspace": 0, "saved": 0}
