"""Timing one's own callable with the core that times the operators: ``opperf.measure(f, x)``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.configuration.settings import PLAIN, Settings
from opperf.core.environment import collect
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.results import record
from opperf.core.results.outcome import Subject
from opperf.core.results.reading import from_mapping
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.timing.sample_warnings import changed_share, value_drift
from opperf.measuring.step import Checks, measure_work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.results.result import Result
    from opperf.core.tensors.tensor import Array

UNCHECKED = MeasurementWarning("unchecked", "nobody compared what it returns with a reference")


def measure_callable(
    function: Callable[..., object], *arguments: object, name: str | None = None, **settings: Any
) -> Result:
    """Time a call and return its record; its output is not checked, and the record says so.

    The device is awaited as for operators where an argument is a tensor of MXNet or PyTorch. Bind
    keyword arguments of the callable with `functools.partial`.

    Args:
        function: what to call, again and again, with the same arguments.
        arguments: its positional arguments.
        name: what the record calls it; by default its own name.
        settings: precision, budget, runs, warmup; see
            `opperf.core.configuration.settings.Settings`.

    Raises:
        UsageError: a setting is out of its range.
    """
    chosen = replace(Settings(**settings), process=PLAIN)  # for nobody has set this process up
    framework = framework_of(arguments)
    device = framework.device("cpu") if framework else Device()
    step = partial(function, *arguments)
    work = Work(device=device, steps=partial(repeat, step), no_op=no_op_like(step))
    started_at = record.now()
    checks = ArgumentChecks(warnings=[UNCHECKED], values=partial(values_of, arguments, framework))
    outcome = measure_work(work, chosen, checks, fill_holes=True)
    subject = describe(function, arguments, name, framework, chosen)
    environment = collect(framework.facts() if framework else None)
    return from_mapping(record.assemble(subject, "forward", outcome, environment, started_at))


@dataclass(kw_only=True)
class ArgumentChecks(Checks):
    """What is checked of a callable: whether its arguments stay what they are.

    `values` returns those that are tensors, as they are now.
    """

    values: Callable[[], Sequence[Array]]

    def __post_init__(self) -> None:
        self.before = [value.copy() for value in self.values()]

    def drift(self) -> Iterator[MeasurementWarning]:
        """Yield a warning where arguments are not what they were."""
        yield from value_drift(changed_share(self.before, self.values()))


def framework_of(arguments: Sequence[object]) -> Framework | None:
    """Return the measured framework whose tensor is among the arguments."""
    roots = {type(argument).__module__.partition(".")[0] for argument in arguments}
    for name in MEASURED:
        framework = find_framework(name)
        if framework.module in roots:
            return framework
    return None


def values_of(arguments: Sequence[object], framework: Framework | None) -> list[Array]:
    """Return the values of the arguments that are tensors, as they are now."""
    found: list[Array] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            found.append(argument)
        elif framework and hasattr(argument, "shape"):
            found.append(framework.array(argument))
    return found


def describe(
    function: Callable[..., object],
    arguments: Sequence[object],
    name: str | None,
    framework: Framework | None,
    settings: Settings,
) -> Subject:
    """Return what is measured, as its record states it."""
    qualified = getattr(function, "__qualname__", type(function).__qualname__)
    return Subject(
        operator={
            "name": name or qualified,
            "category": "callable",
            "framework": framework.name if framework else "python",
            "implementation": f"{getattr(function, '__module__', None)}.{qualified}",
            "size": None,
            "fused": None,
            "device": "cpu",
            "cache": settings.cache,
            "process": settings.process,
            "cores": settings.cores,
            "threads": settings.threads,
        },
        inputs=[describe_tensor(at, a) for at, a in enumerate(arguments) if hasattr(a, "shape")],
        attributes={},
        initializer=None,
        seed=settings.seed,
        threads=settings.threads,
        counts={},
        output_bytes=None,
        definition={},
    )


def describe_tensor(position: int, tensor: Any) -> dict[str, object]:
    """Return a tensor argument as its record states it."""
    dtype = getattr(tensor.dtype, "__name__", None) or str(tensor.dtype).rpartition(".")[2]
    shape = [int(size) for size in tensor.shape]
    nbytes = int(getattr(tensor, "nbytes", 0)) or None
    return {"name": str(position), "shape": shape, "dtype": dtype} | {
        "layout": "unknown",
        "nbytes": nbytes,
    }
