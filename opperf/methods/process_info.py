"""process_info.log: what a method's processes took over time, a line of JSON a sample."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.watching.log import RotatedLog
from opperf.watching.usage import TreeSample

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "process_info.log"
LONGEST_LINE = 2**12
MOST_LINES = 5_000_000
"""Of a file that is read: five days at ten samples a second."""


class ProcessInfoLog(RotatedLog):
    """The file, of bounded size: what is older gives way, as in the log beside it."""

    def take(self, sample: TreeSample) -> None:
        """Add a sample."""
        percent, time = round(sample.cpu_percent, 1), round(sample.time, 3)
        entry = sample._replace(time=time, cpu_percent=percent)._asdict()
        self.write(json.dumps(entry).encode() + b"\n")


def read_samples(path: Path) -> list[TreeSample]:
    """Return the samples of a file.

    Raises:
        UsageError: It cannot be read, or a line of it is no sample; names the line.
    """
    try:
        with path.open("rb") as file:
            found = [*samples_in(file, quote_path(path))]
    except OSError as error:
        raise UsageError(f"cannot read {quote_path(path)}: {error.strerror}") from error
    if not found:
        raise UsageError(f"{quote_path(path)} has no samples")
    return found


def samples_in(file: Iterator[bytes], name: str) -> Iterator[TreeSample]:
    """Yield the sample of each line."""
    rule = f"must be JSON with the numbers {', '.join(TreeSample._fields)}"
    for number, line in enumerate(file, start=1):
        if number > MOST_LINES:
            raise UsageError(f"{name}: more than {MOST_LINES} lines")
        try:
            entry = json.loads(line if len(line) <= LONGEST_LINE else b"")
            sample = TreeSample(*(float(entry[key]) for key in TreeSample._fields))
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            raise UsageError(f"{name}, line {number}: {rule}") from None
        if not all(map(isfinite, sample)):
            raise UsageError(f"{name}, line {number}: {rule}")
        yield sample
