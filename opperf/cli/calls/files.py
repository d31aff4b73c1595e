"""Reading a file of calls for a command, which goes on with those of them that are right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from opperf.calls.format.faults import CallFaults, calls_text
from opperf.calls.reading.reading import read_calls
from opperf.calls.reading.scaling import with_batch
from opperf.cli.common.exit_codes import EMPTY, FAILED, FINE
from opperf.cli.common.messages import say
from opperf.core.errors import quote_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.calls.format.model import CallsRecord


class CallsRead(NamedTuple):
    """The calls of a file that could be read, and what is wrong with the others."""

    record: CallsRecord
    faults: CallFaults


def read_file(name: str, batch: int | None = None) -> CallsRead:
    """Return the calls of a file; say of each that is left out why.

    Args:
        name: the file.
        batch: how many examples a step is to have, None for as many as it was captured with.

    Raises:
        UsageError: the file cannot be read, or none of its calls.
    """
    faults = CallFaults()
    record = read_calls(Path(name), say, faults)
    if batch is not None:
        for line in batch_notes(record, batch):
            say(f"{quote_path(name)}: {line}")
        record = with_batch(record, batch, faults)
    for line in faults.lines():
        say(f"{quote_path(name)}: {line}")
    if faults.count:
        say(f"{quote_path(name)}: left out: {calls_text(faults.count)}")
    return CallsRead(record, faults)


def batch_notes(record: CallsRecord, batch: int) -> Iterator[str]:
    """Yield what another batch cannot tell of the network."""
    if record.batch not in (batch, None):
        if "seconds" in record.measured:
            yield f"the time of its step is not of batch {batch}, and left out"
        if batch == 1:
            yield (
                f"these are the calls of batch {record.batch}, scaled; with 1 example a network "
                "may make others, as a size of 1 broadcasts"
            )


def wrong_calls_of(manifest: Mapping[str, Any]) -> int:
    """Return how many calls of its file a run has left out."""
    return int(manifest.get("wrong_calls", 0))


def exit_code_of(code: int, wrong_calls: int) -> int:
    """Return what a run amounts to where so many calls of its file were left out."""
    return FAILED if wrong_calls and code in (FINE, EMPTY) else code
