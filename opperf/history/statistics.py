"""The statistics of a result's samples, and how those of two results differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.statistics.summary import deviation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result

PERCENTILES = (0, 10, 50, 90, 100)
IN_SECONDS = (*(f"p{rank}" for rank in PERCENTILES), "mean", "stdev", "mad")


def net_times(result: Result) -> list[float]:
    """Return the seconds per call of the samples that count, in time order."""
    samples = result.samples
    if samples is None:
        return []
    left_out = set(samples.left_out or ())
    iterations, overhead = samples.iterations, samples.null
    seconds = enumerate(samples.seconds)
    return [value / iterations - overhead for place, value in seconds if place not in left_out]


def statistics(times: Sequence[float]) -> dict[str, float | None]:
    """Return p0 to p100, mean, stdev, mad (all in seconds) and cv, by name; None without times.

    `stdev` is that of a sample (n - 1), `mad` the median absolute deviation from the median, and
    `cv` the stdev over the mean; a single time has neither stdev nor cv.
    """
    names = [f"p{rank}" for rank in PERCENTILES]
    if not times:
        return dict.fromkeys([*names, "mean", "stdev", "mad", "cv"])
    values = np.asarray(times, dtype=float)
    mean = float(values.mean())
    stdev = float(values.std(ddof=1)) if len(values) > 1 else None
    return {
        **dict(zip(names, map(float, np.percentile(values, PERCENTILES)), strict=True)),
        "mean": mean,
        "stdev": stdev,
        "mad": deviation(values),
        "cv": stdev / mean if stdev is not None and mean else None,
    }


def difference(
    before: Mapping[str, float | None], after: Mapping[str, float | None]
) -> dict[str, float | None]:
    """Return each statistic after less before; None where either is missing."""
    pairs = {name: (before[name], after[name]) for name in before}
    return {
        name: None if old is None or new is None else new - old
        for name, (old, new) in pairs.items()
    }
