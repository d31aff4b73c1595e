"""From a case to a workload: the operator on the framework's tensors, ready to be timed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.workload import Workload
from opperf.core.preparing.cold import Ring, in_turn, plan_ring
from opperf.core.preparing.directions import directions
from opperf.core.preparing.footprint import Footprint
from opperf.core.preparing.preparation import Preparation

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.preparing.case import Case


def prepare(framework: Framework, case: Case, *, cache: str = "hot") -> Workload:
    """Move the case to the framework's device and return its directions, ready to be timed.

    With a cold `cache` that is done for a ring of sets of tensors, which are timed in turn.
    """
    implementation = framework.implementation(case.operator, variant=case.variant)
    if implementation is None:
        raise UnsupportedError(
            f"{framework.name} has no implementation of {case.operator.__name__}"
        )
    preparation = Preparation(framework, case, implementation)
    footprint = Footprint(preparation)
    ring = Ring(1) if cache == "hot" else plan_ring(case, preparation.device)
    return Workload(
        implementation=implementation.name,
        works=works(preparation) if ring.sets == 1 else cold_works(preparation, ring.sets),
        inputs=preparation.inputs,
        outputs=preparation.outputs,
        gradients=preparation.gradients,
        footprint=footprint,
        kernels=footprint.kernels,
        warnings=ring.warnings,
    )


def works(preparation: Preparation) -> dict[str, Callable[[], Work]]:
    """Return how to make the work of each direction."""
    return {name: direction.work for name, direction in directions(preparation).items()}


def cold_works(first: Preparation, sets: int) -> dict[str, Callable[[], Work]]:
    """Return how to make the work of each direction on this preparation and others like it."""
    same = first.framework, first.case, first.implementation
    others = (Preparation(*same) for _ in range(sets - 1))
    ring = [works(preparation) for preparation in (first, *others)]
    return {
        direction: partial(in_turn, [made[direction] for made in ring]) for direction in ring[0]
    }
