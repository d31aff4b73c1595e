"""Taking times as opperf takes them: calls and operators through the package's own core."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import measure, time_first_call
from opperf.measuring.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.statistics.summary import Summary
    from opperf.core.timing.measure import Samples
    from opperf.declaring.declaration import Declaration


def pytorch() -> Framework:
    """Return PyTorch, loaded with one thread."""
    framework = find_framework("pytorch")
    framework.load(1)
    return framework


def calling(step: Step, device: Device | None = None) -> Work:
    """Return the work that makes one call again and again."""
    return Work(device=device or Device(), steps=partial(repeat, step), no_op=no_op_like(step))


def sample(work: Work, settings: Settings) -> tuple[Samples, Summary]:
    """Measure a work and summarize it; where outputs come to lie is the caller's to settle."""
    samples = measure(work, settings, first_call=time_first_call(work))
    return samples, summarize(samples.times())


def seconds(work: Work, settings: Settings) -> float:
    """Return the headline: the median net seconds of one call."""
    return sample(work, settings)[1].median


def forward(operator: Declaration, framework: Framework, settings: Settings) -> Work:
    """Return an operator's forward, its inputs filled and moved to the framework, unchecked."""
    attempt = Attempt(operator, framework, "cpu", settings)
    return attempt.workload(operator.variants()[-1]).works["forward"]()


@contextmanager
def step_of(work: Work) -> Iterator[Any]:
    """Lend the call that a work makes, in its context, for another tool to time."""
    with work.context():
        (step,) = work.steps(1)
        yield step
