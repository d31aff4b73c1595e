"""Description of a specification's test for its record, without the framework."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import SPEC
from opperf.core.results.outcome import Subject
from opperf.core.tensors.tensor import CONTIGUOUS, ITEMSIZE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.specs.measuring.parts import SpecInput, SpecModel

INFERENCE = "inference"


def describe_test(
    model: SpecModel,
    tensors: Sequence[SpecInput],
    place: Mapping[str, str],
    given: Mapping[str, Any],
    settings: Settings,
) -> Subject:
    """Return what is measured: an inference of a model on inputs of these shapes.

    Args:
        model: the model.
        tensors: its inputs.
        place: the framework and the device.
        given: what else tells the test from others of the model.
        settings: how it is measured.

    """
    return Subject(
        kind=SPEC,
        operator={
            "name": model.name,
            "category": SPEC,
            "implementation": model.format,
            "size": None,
            "fused": None,
            **place,
            "cache": settings.cache,
            "process": settings.process,
            "cores": settings.cores,
            "threads": settings.threads,
        },
        inputs=[describe_input(tensor) for tensor in tensors],
        attributes={"of": INFERENCE}
        | {name: value for name, value in given.items() if value is not None},
        initializer=initializer_of(tensors),
        seed=settings.seed,
        threads=settings.threads,
        counts={},
        output_bytes=None,
        definition={"files": dict(model.digests), "options": dict(model.options)},
    )


def describe_input(tensor: SpecInput) -> dict[str, Any]:
    """Return name, shape, dtype, layout and bytes of an input."""
    size = ITEMSIZE.get(tensor.dtype)
    return {
        "name": tensor.name,
        "shape": list(tensor.shape),
        "dtype": tensor.dtype,
        "layout": CONTIGUOUS,
        "nbytes": None if size is None else prod(tensor.shape) * size,
    }


def initializer_of(tensors: Sequence[SpecInput]) -> str | None:
    """Return where the values come from, where they are not all drawn as is usual."""
    said = [
        f"{tensor.name} of a file" if tensor.file else f"{tensor.name} below {tensor.below}"
        for tensor in tensors
        if tensor.file or tensor.below is not None
    ]
    return ", ".join(said) or None
