"""Lines such as `__results.time__=12.5` in a log: written after a run, and read from any log.

They are those of the Deep Learning Benchmarking Suite: a key between double underscores, an equals
sign, and a value in JSON. Times are in milliseconds, the throughput in samples per second.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.results.result import Result

LINE = re.compile(r"[ \t]*__([^\s=][^=\r\n]{0,199}?)__[ \t]*=(.*)", re.DOTALL)
"""What the suite's own parser looks for, with a key of bounded length."""
LONGEST = 16 * 2**20
"""Characters of a line with a value; a million times of a batch are fewer."""
MOST_KEYS = 10_000
MOST_FAULTS = 20
MILLISECOND = 1e-3
TIME, SPREAD = "results.time", "results.time_std"
THROUGHPUT, TIMES = "results.throughput", "results.time_data"
STATUS, REASON, TITLE = "results.status", "results.status_msg", "exp.model_title"
OK, FAILURE = "ok", "failure"


@dataclass
class BenchmarkLog:
    """What the lines of a log say: the last value of each key, and which lines were no lines."""

    values: dict[str, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def take(self, key: str, text: str) -> str:
        """Keep a value, or return what is wrong with it."""
        try:
            self.values[key] = parse_value(text)
        except UsageError as error:
            return str(error)
        return ""

    @property
    def seconds(self) -> tuple[float, ...]:
        """The time of each batch, in seconds; of an old log that has a mean only, the mean.

        Raises:
            UsageError: A time is none.
        """
        times = self.values.get(TIMES)
        if times is None:
            times = [self.values[TIME]] if TIME in self.values else []
        if not isinstance(times, list):
            raise UsageError(f"{TIMES}: must be a list of milliseconds, not {quote(times)}")
        return tuple(to_seconds(time) for time in times)

    @property
    def status(self) -> str:
        """Whether the run went well: as it says, and not without a time."""
        works = self.values.get(TIMES) or self.values.get(TIME)
        return OK if works and self.values.get(STATUS, OK) == OK else FAILURE


def to_seconds(time: object) -> float:
    """Return a time of milliseconds in seconds."""
    if isinstance(time, bool) or not isinstance(time, (int, float)) or not 0 < time < math.inf:
        raise UsageError(f"{TIMES}: {quote(time)} is no time in milliseconds above zero")
    return time * MILLISECOND


def lines_of(result: Result) -> list[str]:
    """Return the lines of a network's record: what was run, and its times or that it failed."""
    found = [*write_lines(parameters_of(result))]
    samples = result.samples if result.seconds is not None else None
    if samples is None or not samples.seconds:
        return [*found, *write_lines({STATUS: FAILURE, REASON: result.reason or result.status})]
    seconds = [second / samples.iterations for second in samples.seconds]
    examples = result.attributes.get("effective_batch", 1)
    title = result.attributes.get("title", result.operator.name)
    return [*found, *success_lines(seconds, examples, title)]


def parameters_of(result: Result) -> dict[str, object]:
    """Return what was run, by the names of the parameters of experiments."""
    operator, attributes = result.operator, result.attributes
    values = {
        "exp.framework": operator.framework,
        "exp.model": operator.name,
        "exp.phase": str(attributes.get("of", "")).removesuffix(" step") or None,
        "exp.device_type": "cpu" if operator.device == "cpu" else "gpu",
        "exp.dtype": attributes.get("dtype"),
        "exp.replica_batch": attributes.get("batch"),
        "exp.effective_batch": attributes.get("effective_batch"),
        "exp.num_replicas": attributes.get("devices"),
    }
    return {name: value for name, value in values.items() if value is not None}


def success_lines(seconds: Sequence[float], samples: int, title: str) -> list[str]:
    """Return the lines of a run that went well.

    The throughput is no whole number, as it was in the older suite: of a slow network that was 0,
    which its own parser takes for a failure.

    Args:
        seconds: the time of each batch.
        samples: how many samples a batch has, those of all devices together.
        title: the network's name for people.

    Raises:
        UsageError: There is no batch, or a time is none.
    """
    times = [second / MILLISECOND for second in seconds]
    if not times or not all(0 < time < math.inf for time in times):
        raise UsageError("log lines are written of batches with times above zero")
    mean = math.fsum(times) / len(times)
    spread = math.sqrt(math.fsum((time - mean) ** 2 for time in times) / len(times))
    return write_lines({
        TIME: mean,
        SPREAD: spread,
        THROUGHPUT: samples / (mean * MILLISECOND),
        TITLE: title,
        TIMES: times,
        STATUS: OK,
    })  # fmt: skip


def write_lines(values: Mapping[str, object]) -> list[str]:
    """Return a line for each value, without its end.

    Raises:
        UsageError: A key is none that could be read back.
    """
    lines = [f"__{key}__={json.dumps(value, allow_nan=False)}" for key, value in values.items()]
    for key, line in zip(values, lines, strict=True):
        match = LINE.fullmatch(line)
        if match is None or match[1] != key or not key.isprintable():
            raise UsageError(f"{quote(key)} is no key of a log line")
    return lines


def read_log(lines: Iterable[str]) -> BenchmarkLog:
    """Return what the lines of a log say; the last value of a key is what counts.

    What is no such line is passed over; a value that is none is told of, and left out.
    """
    log = BenchmarkLog()
    for number, line in enumerate(lines, 1):
        match = LINE.match(line) if "__" in line[:400] else None
        if match is None:
            continue
        key = match[1].strip()
        if len(line) > LONGEST or not key.isprintable():
            fault = "too long, or no printable key"
        elif len(log.values) >= MOST_KEYS and key not in log.values:
            fault = f"more than {MOST_KEYS} keys"
        else:
            fault = log.take(key, match[2].strip())
        if fault and len(log.faults) < MOST_FAULTS:
            log.faults.append(f"line {number}: {quote(key)[:80]}: {fault}")
    return log


def parse_value(text: str) -> Any:
    """Return what JSON says; nothing at all is None, as in the older suite."""
    if not text:
        return None
    try:
        return json.loads(text, parse_constant=refuse_nan)
    except (ValueError, RecursionError):
        raise UsageError(f"{quote(text)[:80]} is not JSON") from None


def refuse_nan(text: str) -> NoReturn:
    """Refuse NaN and infinities, which JSON does not know."""
    raise ValueError(text)
