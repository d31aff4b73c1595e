"""Reading operator calls in each of the forms in which people have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Raw

from opperf.calls.format.content import read_bytes
from opperf.calls.format.faults import STRICT
from opperf.calls.format.file import decode_deep, parse_calls
from opperf.calls.reading.logs import BEGIN_OF_LOG, parse_log
from opperf.calls.reading.traces import parse_trace
from opperf.core.errors import UsageError, quote_path
from opperf.core.frameworks.registry import find_framework, require_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from opperf.calls.format.faults import CallFaults
    from opperf.calls.format.model import CallsRecord
    from opperf.core.frameworks.calling import Overload

LOOK = 1024
"""Bytes that tell the forms apart."""
FORMS = "a calls file of opperf, a trace of PyTorch's profiler, or a log of operatorbench"


def nobody(_line: str) -> None:
    """Tell nobody."""


def read_calls(
    path: Path, tell: Callable[[str], None] = nobody, faults: CallFaults = STRICT
) -> CallsRecord:
    """Return the operator calls that a file holds, whatever its name.

    Args:
        path: the file, which may be packed by gzip.
        tell: gets a line about what a trace does not say of a call.
        faults: gets what is wrong with a call, whose others are read then.

    Raises:
        UsageError: It cannot be read, or is of no known form, or damaged; says where.
    """
    try:
        return parse(read_bytes(path), path.name.partition(".")[0], tell, faults)
    except OSError as error:
        raise UsageError(f"cannot read {quote_path(path)}: {error.strerror or error}") from None
    except UsageError as error:
        raise UsageError(f"{quote_path(path)}: {error}") from None


def parse(
    data: bytes, network: str, tell: Callable[[str], None], faults: CallFaults
) -> CallsRecord:
    """Return the calls of a file's content, by what it begins with."""
    begin = data[:LOOK].lstrip()
    if begin.startswith(BEGIN_OF_LOG):
        return parse_log(data, network, faults)
    if not begin.startswith(b"{"):
        raise UsageError(f"{'not' if begin else 'empty, and not'} {FORMS}")
    if "traceEvents" in decode_deep(data, dict[str, Raw]):
        return parse_trace(data, network, overloads, tell)
    return parse_calls(data, faults)


def overloads(names: Sequence[str]) -> Mapping[str, Sequence[Overload]]:
    """Return the overloads of ATen's operators, as the PyTorch here has them.

    Raises:
        NotInstalledError: There is none.
    """
    framework = find_framework("pytorch")
    require_installed(framework)
    return framework.calling.overloads(names)
