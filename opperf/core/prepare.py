"""From a case to a workload: the operator on the framework's tensors, ready to be timed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.directions import works
from opperf.core.errors import UnsupportedError
from opperf.core.preparation import Preparation
from opperf.core.workload import Workload

if TYPE_CHECKING:
    from opperf.core.case import Case
    from opperf.core.framework import Framework


def prepare(framework: Framework, case: Case) -> Workload:
    """Move the case to the framework's device and return its directions, ready to be timed."""
    implementation = framework.implementation(case.operator, fused=case.fused)
    if implementation is None:
        raise UnsupportedError(
            f"{framework.name} has no implementation of {case.operator.__name__}"
        )
    preparation = Preparation(framework, case, implementation)
    return Workload(
        implementation=implementation.name,
        works=works(preparation),
        inputs=preparation.inputs,
        outputs=preparation.outputs,
        gradients=preparation.gradients,
    )
