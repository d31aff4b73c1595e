"""A network's quantities: its throughput, and its phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.configuration.settings import MINIMUM_SAMPLES
from opperf.core.statistics.summary import summarize
from opperf.core.timing.metric import Metric
from opperf.networks.data.bound import data_bound
from opperf.networks.measuring.stepping import (
    BACKWARD,
    DATA,
    FORWARD,
    HOST_TO_DEVICE,
    UPDATE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.frameworks.device import Device
    from opperf.core.results.outcome import Outcome
    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.networks.measuring.stepping import Stepper
    from opperf.networks.request import ModelRequest

PHASES = DATA, HOST_TO_DEVICE, FORWARD, BACKWARD, UPDATE
SUM = "phases"
STEP = "step"
MOST_BATCHES = 20
SHARE_OF_BUDGET = 0.5


def throughput(outcome: Outcome, request: ModelRequest) -> Iterator[Metric]:
    """Yield the examples of all devices a second, of a step that has a time."""
    summary = outcome.summary
    if summary is None or summary.median <= 0:
        return
    examples, interval = request.effective_batch, None
    if summary.interval is not None and summary.interval[0] > 0:
        interval = examples / summary.interval[1], examples / summary.interval[0]
    yield Metric(
        name="throughput", unit="examples/s", value=examples / summary.median, better="more",
        per="", interval=interval,
    )  # fmt: skip


def phase_samples(stepper: Stepper, device: Device, budget: float) -> list[Mapping[str, float]]:
    """Return the seconds of the phases of as many batches as an interval takes, and the budget."""
    found: list[Mapping[str, float]] = []
    began = device.clock()
    while len(found) < MINIMUM_SAMPLES or (
        len(found) < MOST_BATCHES and device.clock() - began < budget * SHARE_OF_BUDGET * 1e9
    ):
        found.append(stepper.phases(device))
    return found


def phase_metrics(samples: Sequence[Mapping[str, float]]) -> Iterator[Metric]:
    """Yield each phase's seconds with their interval, their sum's, and why others have none."""
    for name in PHASES:
        if name in samples[0]:
            yield seconds_metric(name, [sample[name] for sample in samples])
        else:
            reason = "inference" if name in (BACKWARD, UPDATE) else "the batch stays on the device"
            yield Metric(name=name, unit="s", value=None, per=STEP, reason=reason)
    yield seconds_metric(SUM, [sum(sample.values()) for sample in samples])


def seconds_metric(name: str, seconds: Sequence[float]) -> Metric:
    """Return the median with its interval."""
    summary = summarize(seconds)
    return Metric(name=name, unit="s", value=summary.median, per=STEP, interval=summary.interval)


def loss_metrics(first: Sequence[float], last: Sequence[float]) -> Iterator[Metric]:
    """Yield the loss of one batch at first and after it has fallen, and that of the last batch."""
    named = ("first_loss", first[:1]), ("loss", first[-1:]), ("last_loss", last)
    for name, values in named:
        yield from (Metric(name=name, unit="1", value=value, per=STEP) for value in values)


def data_warning(
    samples: Sequence[Mapping[str, float]], threads: int
) -> Iterator[MeasurementWarning]:
    """Yield that steps wait for their data, which so many threads load, if they surely do."""
    waits = [sample.get(DATA, 0.0) for sample in samples]
    if found := data_bound(waits, [sum(sample.values()) for sample in samples], threads):
        yield found
