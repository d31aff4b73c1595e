"""Description of an operator for its record."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.variant import as_recorded
from opperf.core.results.outcome import Subject
from opperf.core.tensors.tensor import ITEMSIZE

if TYPE_CHECKING:
    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration


def describe(
    operator: Declaration,
    framework: Framework,
    device: str,
    settings: Settings,
    variant: Variant,
) -> Subject:
    """Return what is measured, as its record states it, without importing a framework."""
    implementation = framework.implementation(type(operator), variant=variant)
    return Subject(
        operator={
            "name": operator.name(),
            "category": operator.category,
            "framework": framework.name,
            "implementation": implementation.name if implementation else None,
            "size": operator.size,
            "fused": as_recorded(variant),
            "device": device,
            "cache": settings.cache,
            "process": settings.process,
            "cores": settings.cores,
            "threads": settings.threads,
        },
        inputs=describe_inputs(operator),
        attributes=operator.keywords,
        initializer=initializer_name(operator),
        seed=settings.seed,
        threads=settings.threads,
        counts=operator.counts(),
        output_bytes=operator.output_bytes(),
        definition=definition(operator),
        parts=[describe(part, framework, device, settings, "only") for part in operator.parts()],
    )


def describe_inputs(operator: Declaration) -> list[dict[str, Any]]:
    """Return name, shape, dtype, layout and bytes of each input tensor."""
    described = []
    for name, shape in operator.shapes.items():
        tensor = operator.tensors[name]
        dtype = tensor.dtype or operator.dtype
        nbytes = prod(shape) * ITEMSIZE[dtype]
        described.append(
            {"name": name, "shape": list(shape), "dtype": dtype}
            | {"layout": tensor.layout, "nbytes": nbytes}
        )
    return described


def plain_inputs(operator: Declaration) -> dict[str, Any]:
    """Return the inputs as JSON values."""
    name = {"initializer": initializer_name(operator)} if operator.tensors else {}
    return {**operator.inputs, **name}


def initializer_name(operator: Declaration) -> str | None:
    """Return the name of the initializer function."""
    initializer = operator.inputs.get("initializer")
    return getattr(initializer, "__name__", repr(initializer)) if initializer else None


def definition(operator: Declaration) -> dict[str, Any]:
    """Return what else the declaration decides: value ranges, FLOP, and the computing dtype."""
    ranges = {name: [tensor.low, tensor.high] for name, tensor in operator.domains().items()}
    return {"ranges": ranges, "flop_count": operator.flop_count(), "dtype": operator.computed_in}
