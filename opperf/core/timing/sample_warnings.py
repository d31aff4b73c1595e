"""What has to be said of a measurement: of its samples, its directions and its values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.configuration.settings import MINIMUM_SAMPLES
from opperf.core.statistics.plausible import NO_TIME, is_time
from opperf.core.statistics.reliability import is_noisy, widest_reliable
from opperf.core.statistics.warning import MeasurementWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opperf.core.configuration.settings import Settings
    from opperf.core.statistics.summary import Summary
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.measure import Samples

DRIFT = 0.03
OUTLIER_SHARE = 0.2
DISAGREEMENT = 0.05
MARKED_SHARE = 0.2
LEAST_SHOWN = 0.0001
RECORDING_DIRECTIONS = ("forward_recorded", "backward", "forward_backward")


def is_unreliable(samples: Samples, summary: Summary, settings: Settings) -> bool:
    """Return whether the status says that the median is not to be relied on.

    Samples that something disturbed count against it where they could not be left out; a number of
    samples asked for by the user is kept as it is.
    """
    marked = (samples.noise.marked or 0) if samples.noise else 0
    kept = not samples.left_out and settings.runs is None
    return is_noisy(
        summary,
        precision=settings.precision,
        disturbed=kept and marked > MARKED_SHARE,
    )


def sample_warnings(
    samples: Samples, summary: Summary, settings: Settings
) -> Iterator[MeasurementWarning]:
    """Yield what the samples of one direction say against their own median."""
    yield from precision_warnings(summary, settings)
    if not samples.steady:
        yield MeasurementWarning(
            "no_steady_state", "the warm-up ended before the times stood still"
        )
    if abs(summary.drift) > DRIFT:
        yield MeasurementWarning(
            "drift", f"the times moved by {summary.drift:+.1%} while they were sampled"
        )
    if summary.bimodal:
        yield MeasurementWarning(
            "bimodal", "the times fall into two groups; the median stands for neither"
        )
    if summary.outlier_share > OUTLIER_SHARE:
        yield MeasurementWarning(
            "outliers", f"{summary.outlier_share:.0%} of the samples are outliers"
        )
    if samples.noise and (samples.noise.marked or 0) > MARKED_SHARE:
        marked = (
            f"something else had the processor beside {samples.noise.marked:.0%} of the samples"
        )
        ending = (
            ", which are left out" if samples.left_out else "; too few others to leave them out"
        )
        yield MeasurementWarning("disturbed", marked + ending)


def ending(
    samples: Samples, summary: Summary, settings: Settings, warnings: Iterable[MeasurementWarning]
) -> tuple[str, str | None]:
    """Return the status of what was sampled, and why where there is no time in it."""
    if not is_time(summary.median, samples.loop_overhead):
        return "no_time", NO_TIME
    noisy = is_unreliable(samples, summary, settings) or any(
        w.code == "value_drift" for w in warnings
    )
    return "noisy" if noisy else "ok", None


def precision_warnings(summary: Summary, settings: Settings) -> Iterator[MeasurementWarning]:
    """Yield what the interval's width says."""
    if summary.precision is None:
        few = summary.n < MINIMUM_SAMPLES
        cause = f"needs {MINIMUM_SAMPLES} samples" if few else "the median is not above zero"
        yield MeasurementWarning("no_interval", f"no 95 % interval: {cause}")
    elif summary.precision > widest_reliable(settings.precision):
        message = f"the median is known to {summary.precision:.1%} only; quiet the machine"
        yield MeasurementWarning("noisy", message)
    elif settings.runs is None and summary.precision > settings.precision:
        message = f"stopped at {summary.precision:.2%}, asked for {settings.precision:.2%}"
        yield MeasurementWarning("imprecise", f"{message}; give a larger --budget")


def cross_check(medians: Mapping[str, float]) -> Iterator[MeasurementWarning]:
    """Yield a warning where the backward alone and by subtraction disagree."""
    if not set(RECORDING_DIRECTIONS) <= set(medians):
        return
    recorded, backward, both = (medians[name] for name in RECORDING_DIRECTIONS)
    gap = (both - recorded - backward) / backward if backward > 0 else 0.0
    if abs(gap) > DISAGREEMENT:
        yield MeasurementWarning(
            "backward_disagrees",
            f"forward_backward less forward_recorded differs from backward alone by {gap:+.0%}",
        )


def changed_share(before: Iterable[Array], after: Iterable[Array]) -> float:
    """Return the share of the values that are not what they were; NaN stays what it is."""
    changed = total = 0
    for old, new in zip(before, after, strict=True):
        same = np.equal(old, new)
        if not same.all():
            same |= np.not_equal(old, old) & np.not_equal(new, new)
        changed += same.size - int(np.count_nonzero(same))
        total += same.size
    return changed / total if total else 0.0


def value_drift(fraction: float) -> Iterator[MeasurementWarning]:
    """Yield a warning where inputs are not what they were: later calls computed something else."""
    if fraction:
        share = f"{fraction:.2%}" if fraction >= LEAST_SHOWN else f"under {LEAST_SHOWN:.2%}"
        message = f"{share} of the inputs' values changed while it was timed"
        yield MeasurementWarning("value_drift", message)
