"""The child that finds the memory of an inference, in which nothing is timed.

It is started as `opperf.measuring.children.memory` is. What is found is what a second inference
takes beside the model and its inputs: a first one makes room that is kept.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from opperf.core.preparing.footprint import merge
from opperf.core.timing.metric import Metric
from opperf.measuring.children.timing import serve
from opperf.specs.measuring.opening import open_inference
from opperf.specs.measuring.task import spec_task_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.measuring.children.timing import Answer
    from opperf.specs.measuring.opening import Inference


def main(arguments: Sequence[str]) -> None:
    """Weigh test by test until told no more."""
    serve(arguments, weigh, timing=False)


def weigh(message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
    """Answer with the bytes that an inference takes, or with none where it cannot be made."""
    if "prefetch" in message:
        answer("prefetched", compiles=False)
    else:
        answer("row", row=0, compiles=False)
        found: list[Metric] = []
        try:
            inference = open_inference(spec_task_from(message), framework)
            inference.call()
            found = [*bytes_of(inference)]
        except Exception:  # noqa: BLE001 - it was measured, so that it lacks memory, say
            framework.discard_errors()
        answer("metrics", row=0, metrics=[asdict(metric) for metric in found])
    answer("done", idle=0, changed=[])


def bytes_of(inference: Inference) -> Iterator[Metric]:
    """Yield the bytes of the outputs, and of what an inference takes beside them."""
    framework, device = inference.framework, inference.device
    device.synchronize()
    tensors, taken = framework.watch(device.name)(inference.call)
    spans = [framework.span(tensor) for tensor in tensors]
    own = merge(span for span in spans if span is not None)
    if None in spans or taken is None:
        return
    yield Metric(name="outputs", unit="B", value=sum(nbytes for _, nbytes in own))
    yield Metric(name="workspace", unit="B", value=taken.beside(own, made=True))
