"""The points that a run adds to histories, kept in a file beside its page.

A later call reads these files in the place of all journals: 3,000 results are some 100 KB here and
10 MB there.
"""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import MsgspecError, Raw, Struct
from msgspec.json import Decoder, encode

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.circumstances import marks
from opperf.core.results.json_key import json_key
from opperf.core.results.parts import InputRecord
from opperf.core.results.status import TIMED
from opperf.history.differences import IGNORED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result

MAGIC = b"opperf.site-points/1\n"
LEVEL = 4
"""Of zlib: a tenth larger than its usual 6, and in half the time."""
LARGEST = 2**28
"""Bytes of a file once it is unpacked: some million results."""


class PointEntry(Struct, array_like=True, frozen=True, gc=False):
    """A result as a history has it; `environment` is a key of the run's environments."""

    at: int
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    status: str
    session: int
    environment: str


class SeriesEntry(Struct, array_like=True, frozen=True):
    """A series, and its points of one run in the order of the run."""

    name: str
    category: str
    framework: str
    direction: str
    device: str
    size: str | None
    inputs: tuple[InputRecord, ...]
    attributes: dict[str, Any]
    series_key: str
    definition_key: str
    machine_key: str
    cpu: str
    marks: tuple[str, ...]
    points: list[PointEntry]


class RunPoints(Struct, frozen=True):
    """The series of each operator, each still as JSON, and the environments by their keys."""

    environments: dict[str, Raw]
    operators: dict[str, Raw]


DECODER = Decoder(RunPoints)
SERIES = Decoder(list[SeriesEntry])


def pack_points(results: Sequence[Result]) -> bytes:
    """Return the file of a run's points."""
    operators: dict[str, dict[tuple[str, ...], SeriesEntry]] = {}
    environments: dict[str, dict[str, Any]] = {}
    keys: dict[int, tuple[str, str]] = {}
    for result in results:
        facts = result.environment
        if id(facts) not in keys:
            keys[id(facts)] = machine_of(facts), remember(facts, environments)
        machine, environment = keys[id(facts)]
        known = operators.setdefault(result.operator.name, {})
        key = (result.series_key, result.definition_key, machine)
        if key not in known:
            known[key] = series_of(result, machine)
        known[key].points.append(point_of(result, environment))
    body = {
        "environments": environments,
        "operators": {name: [*found.values()] for name, found in sorted(operators.items())},
    }
    return MAGIC + zlib.compress(encode(body), LEVEL)


def unpack_points(data: bytes) -> RunPoints:
    """Return the points of a run.

    Raises:
        UsageError: The file is damaged.
    """
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(data.removeprefix(MAGIC), LARGEST)
        if not (data.startswith(MAGIC) and unpacker.eof):
            raise UsageError("it is damaged")
        return DECODER.decode(body)
    except (zlib.error, MsgspecError) as error:
        raise UsageError(f"it is damaged: {error}") from error


def machine_of(facts: Mapping[str, Any]) -> str:
    """Return the machine's key, also where nobody found one."""
    return str(facts.get("machine_key"))


def remember(facts: Mapping[str, Any], environments: dict[str, dict[str, Any]]) -> str:
    """Return the key of an environment, which is added without what differs between processes."""
    kept = lasting("", facts)
    key = sha256(json_key(kept).encode()).hexdigest()[:16]
    environments[key] = kept
    return key


def lasting(prefix: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that a change may come of."""
    return {
        name: lasting(f"{prefix}{name}.", value) if isinstance(value, dict) else value
        for name, value in facts.items()
        if not f"{prefix}{name}".startswith(IGNORED)
    }


def series_of(result: Result, machine: str) -> SeriesEntry:
    """Return a result's series, with no point yet; its name is what a store calls it, too."""
    operator = result.operator
    keys = (result.series_key, result.definition_key, machine)
    return SeriesEntry(
        name=series_name(*keys),
        category=operator.category,
        framework=operator.framework,
        direction=operator.direction,
        device=operator.device,
        size=operator.size,
        inputs=result.inputs,
        attributes=result.attributes,
        series_key=result.series_key,
        definition_key=result.definition_key,
        machine_key=machine,
        cpu=str(result.environment.get("cpu")),
        marks=tuple(marks(operator)),
        points=[],
    )


def series_name(*keys: str) -> str:
    """Return what stands for the keys of a series, definition and machine."""
    text = "".join(f"{len(key)}:{key}" for key in keys)
    return sha256(text.encode(errors="surrogatepass")).digest()[:16].hex()


def point_of(result: Result, environment: str) -> PointEntry:
    """Return a result as a point; one without a sound time has no value."""
    timed = result.summary if result.status in TIMED else None
    low, high = (timed.interval if timed else None) or (None, None)
    return PointEntry(
        at=milliseconds_of(result.started_at),
        value=timed.median if timed else None,
        low=low,
        high=high,
        n=timed.n if timed else None,
        status=result.status,
        session=result.session,
        environment=environment,
    )
