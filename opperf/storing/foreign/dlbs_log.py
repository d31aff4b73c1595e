"""A log of the Deep Learning Benchmarking Suite, or with our log lines: one network's step.

    __exp.framework__="pytorch"
    __exp.model__="resnet50"
    __results.time__=33.4
    __results.time_data__=[33.1, 33.7]

Times are in milliseconds. A run that failed has no time, and is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote
from opperf.core.results.identity import NETWORK
from opperf.networks.log_lines import OK, REASON, TITLE, read_log
from opperf.storing.foreign.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.networks.log_lines import BenchmarkLog

TOOL = "dlbs"
DIRECTIONS = {"training": "forward_backward", "inference": "forward"}
TOLD = ("exp.replica_batch", "exp.effective_batch", "exp.num_replicas", "exp.data")
"""What is kept of the parameters, without the `exp.`."""


def read(text: str) -> Iterator[Measure]:
    """Yield the time of a log.

    Raises:
        UsageError: It has none, or does not say what was run.
    """
    log = read_log(text.splitlines())
    if not log.values:
        raise UsageError("no line of it is a log line, such as __results.time__=12.5")
    if log.status != OK:
        why = log.values.get(REASON) or "; ".join(log.faults[:1]) or "it has no time"
        raise UsageError(f"the run of this log failed: {quote(why)}")
    name = word(log, "exp.model") or word(log, TITLE)
    if not name:
        raise UsageError("it does not say which network was run: exp.model is missing")
    phase = word(log, "exp.phase") or "training"
    yield Measure(
        name=name,
        kind=NETWORK,
        framework=word(log, "exp.framework") or "unknown",
        direction=DIRECTIONS.get(phase, "forward"),
        device="cuda:0" if word(log, "exp.device_type") == "gpu" else "cpu",
        dtype=word(log, "exp.dtype") or "unknown",
        attributes=attributes_of(log, phase),
        seconds=log.seconds,
    )


def word(log: BenchmarkLog, key: str) -> str:
    """Return a text of a log, empty where there is none."""
    value = log.values.get(key, "")
    if not isinstance(value, str) or not value.isprintable():
        raise UsageError(f"{key}: {quote(value)} is no text")
    return value


def attributes_of(log: BenchmarkLog, phase: str) -> dict[str, object]:
    """Return what else tells this step from others."""
    found: dict[str, object] = {"of": f"{phase} step"}
    for key in TOLD:
        value = log.values.get(key)
        if isinstance(value, (str, int)):
            found[key.removeprefix("exp.")] = value
    return found
