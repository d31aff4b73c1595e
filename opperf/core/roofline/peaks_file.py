"""Keeping a machine's peaks between runs: one file a machine, under the user's cache directory.

History of the format:

* opperf.peaks/1 (2026-11): the first.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, fields
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.roofline.peaks import Bandwidth, Peaks, Product

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "opperf.peaks/1"
LONGEST = 2**24
"""Bytes that are read of a file; what is longer was not written by opperf."""
TEXTS = ("device", "kind", "way", "dtype")
NUMBERS = ("threads", "nbytes", "rate")


def peaks_path(machine_key: str, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return where a machine's peaks are kept, None where the user has no directory at all."""
    given = environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if Path(given).is_absolute() else None
    if base is None and environ.get("HOME"):
        base = Path(environ["HOME"], ".cache")
    return base / "opperf" / "peaks" / f"{machine_key}.json" if base else None


def store_peaks(peaks: Peaks, environ: Mapping[str, str] = os.environ) -> Path:
    """Write the peaks, whole or not at all, and return where.

    Raises:
        OSError: there is no such directory, and none can be made, or it cannot be written.
    """
    path = peaks_path(peaks.machine_key, environ)
    if path is None:
        raise FileNotFoundError(None, "neither XDG_CACHE_HOME nor HOME is set")
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_text(json.dumps({"schema": SCHEMA, **asdict(peaks)}, indent=1))
        partial.replace(path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    read_peaks.cache_clear()
    return path


def load_peaks(machine_key: object, environ: Mapping[str, str] = os.environ) -> Peaks | None:
    """Return the peaks kept of a machine; None where there are none, or they are damaged."""
    path = peaks_path(machine_key, environ) if isinstance(machine_key, str) else None
    return read_peaks(path) if path else None


@cache
def read_peaks(path: Path) -> Peaks | None:
    """Return the peaks in a file, read once a process; None for whatever is no such file."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(LONGEST))
        if found["schema"] != SCHEMA or found["machine_key"] != path.stem:
            return None
        return Peaks(
            machine_key=found["machine_key"],
            measured_at=str(found["measured_at"]),
            bandwidths=tuple(dataclass_from(Bandwidth, item) for item in found["bandwidths"]),
            products=tuple(dataclass_from(Product, item) for item in found["products"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def dataclass_from(kind: type[Any], item: Mapping[str, Any]) -> Any:
    """Return a dataclass from JSON, or raise a ValueError where a type or a range is wrong."""
    values = {field.name: item[field.name] for field in fields(kind)}
    texts = [values[name] for name in TEXTS if name in values]
    numbers = [values[name] for name in NUMBERS if name in values]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a text is none")
    if any(isinstance(n, bool) or not isfinite(n) or n <= 0 for n in numbers):
        raise ValueError("a number is none, or not above zero")
    return kind(**values)
