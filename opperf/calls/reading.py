"""Reading operator calls in each of the forms in which people have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.calls.content import read_bytes
from opperf.calls.file import parse_calls
from opperf.calls.logs import BEGIN_OF_LOG, parse_log
from opperf.core.errors import UsageError, written

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.calls.model import CallsRecord

LOOK = 1024
"""Bytes that tell the forms apart."""
FORMS = "a calls file of opperf, a trace of PyTorch's profiler, or a log of operatorbench"


def read_calls(path: Path) -> CallsRecord:
    """Return the operator calls that a file holds, whatever its name.

    Raises:
        UsageError: It cannot be read, or is of no known form, or damaged; says where.
    """
    try:
        return parse(read_bytes(path), path.name.partition(".")[0])
    except OSError as error:
        raise UsageError(f"cannot read {written(path)}: {error.strerror or error}") from None
    except UsageError as error:
        raise UsageError(f"{written(path)}: {error}") from None


def parse(data: bytes, network: str) -> CallsRecord:
    """Return the calls of a file's content, by what it begins with."""
    begin = data[:LOOK].lstrip()
    if begin.startswith(BEGIN_OF_LOG):
        return parse_log(data, network)
    if not begin.startswith(b"{"):
        raise UsageError(f"{'not' if begin else 'empty, and not'} {FORMS}")
    return parse_calls(data)
