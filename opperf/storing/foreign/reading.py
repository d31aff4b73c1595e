"""Finding out which tool wrote a file, and reading its results."""

from __future__ import annotations

import csv
from datetime import datetime, timezone
from hashlib import sha256
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.storing.document import NotJsonError, parse
from opperf.storing.foreign import (
    dlbs_log,
    mxnet_opperf,
    operator_benchmark,
    pytest_benchmark,
)
from opperf.storing.foreign.measure import Measure, Origin, to_result

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from opperf.core.results.result import Result

LARGEST = 256 * 2**20
"""Bytes; such files are read as a whole."""
KNOWN = (
    "a journal, or the files of pytest-benchmark, MXNet opperf and PyTorch operator_benchmark, or "
    "a log of the Deep Learning Benchmarking Suite"
)
DAMAGE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, csv.Error)
"""What comes of a document that has the form at first sight and other things within."""


def read_foreign(path: Path, at: int | None, machine: str) -> list[Result]:
    """Return the results in a file of another tool.

    Args:
        path: The file.
        at: When it was measured, in milliseconds since 1970, for files that do not say so.
        machine: What stands for the machine, for files that do not say so.

    Raises:
        UsageError: It is of no known tool, damaged, or does not say when it was measured.
    """
    data = read_bytes(path)
    run = sha256(data).hexdigest()[:12]
    try:
        return results_of(path, data, run, at, machine)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    except DAMAGE as error:
        reason = f"{type(error).__name__}: {str(error)[:100]}"
        raise UsageError(f"{path}: damaged, or not {KNOWN}: {reason}") from error


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that is not too large."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > LARGEST:
        raise UsageError(f"cannot read {path}: larger than {LARGEST >> 20} MiB")
    return data


def results_of(path: Path, data: bytes, run: str, at: int | None, machine: str) -> list[Result]:
    """Return the results that a file's content describes."""
    if path.suffix == ".csv":
        text = data.decode("utf-8-sig")
        if not operator_benchmark.is_csv(text):
            raise UsageError(f"not {KNOWN}")
        tool, measures = operator_benchmark.TOOL, operator_benchmark.read_csv(text)
        return with_origin(measures, tool, run, at, machine)
    if path.suffix == ".log":
        text = data.decode(errors="replace")
        return with_origin(dlbs_log.read(text), dlbs_log.TOOL, run, at, machine)
    try:
        document = parse(data)
    except NotJsonError as error:
        raise UsageError(f"not {KNOWN}: {error}") from error
    if pytest_benchmark.is_ours(document):
        pairs = pytest_benchmark.read(document, f"{pytest_benchmark.TOOL}-{run}")  # type: ignore[arg-type]
        return [to_result(measure, origin) for measure, origin in pairs]
    for form in (mxnet_opperf, operator_benchmark):
        if form.is_ours(document):
            return with_origin(form.read(document), form.TOOL, run, at, machine)
    raise UsageError(f"not {KNOWN}")


def with_origin(
    measures: Iterable[Measure], tool: str, run: str, at: int | None, machine: str
) -> list[Result]:
    """Return the results of a tool whose files say neither when nor where."""
    if at is None:
        raise UsageError("it does not say when it was measured; give --at DATE")
    moment = datetime.fromtimestamp(at / 1000, timezone.utc).isoformat(timespec="seconds")
    origin = Origin(tool=tool, run=f"{tool}-{run}", at=moment, machine=machine)
    return [to_result(measure, origin) for measure in measures]
