"""What a framework cannot do with an operator on the inputs at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.limitation import Limitation
    from opperf.core.frameworks.variant import Variant


def known_limitations(
    operator: Any, framework: Framework, direction: str, *, variant: Variant
) -> list[Limitation]:
    """Return the limitations that hold for this combination on the operator's inputs."""
    return [
        limitation
        for limitation in framework.limitations(type(operator))
        if limitation.holds(operator.dtype, direction, variant=variant)
        and limitation.reaches(operator)
    ]


def refuse_limitation(
    operator: Any, framework: Framework, direction: str, *, variant: Variant
) -> None:
    """Raise an UnsupportedError if a declared limitation applies."""
    if operator.dtype not in operator.dtypes:
        forms = ", ".join(operator.dtypes)
        raise UnsupportedError(f"{operator.name()} has no {operator.dtype} form; it has: {forms}")
    for limitation in known_limitations(operator, framework, direction, variant=variant):
        raise UnsupportedError(f"{framework.name}: {limitation.reason}")
