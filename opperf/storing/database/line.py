"""A journal's line taken apart: its environment, which many results share, and the rest."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.conversion import record_part
from opperf.core.results.environment import EnvironmentRecord
from opperf.core.results.reading import from_mapping
from opperf.core.results.status import TIMED
from opperf.core.results.superseding import certainty
from opperf.storing.database.decoding import decode, read_json
from opperf.storing.document import LONGEST, parse
from opperf.storing.lines import check_line

if TYPE_CHECKING:
    from opperf.core.results.result import Result

MARK = b',"environment":'
"""What stands before the environment, which this package writes as the last field."""
SPACE = b" \t\r\n"
RESULT_ID = re.compile(r"[0-9a-f]{32}")
LEVEL = 3
"""Of deflate: 6 takes 1.4 times as long for 0.93 times the bytes."""
MOST = 2**62
"""The largest whole number of a column: a week more still fits into 64 bits."""
SHARED = 256
"""How many environments are remembered."""
KNOWN = 2**15
"""How many series are, by what stands for them: some 10 MB."""


class Line(NamedTuple):
    """A result's line without its environment, the environment's JSON, and what its row is made of.

    `key` stands for its id, `supersedes` for that of the earlier result of its row, if there is
    one (of the two that with the greater `certainty` counts), `shared` for its environment,
    `series` for its series, and `origin` for its machine and framework, 16 bytes each; `columns`
    are those of the row from `started_at` to `n`.
    """

    body: bytes
    environment: bytes
    run: str
    key: bytes
    supersedes: bytes | None
    certainty: tuple[float, ...]
    shared: bytes
    machine: str
    series: bytes
    origin: bytes
    columns: tuple[Any, ...]

    def record(self) -> Result:
        """Return all fields, which are parsed once more: few lines are asked for them."""
        body: Any = parse(self.body)
        return from_mapping({**body, "environment": parse(self.environment)})


def take_apart(line: bytes) -> Line:
    """Return the parts of a line, its record checked.

    Raises:
        NotJsonError: The line is torn.
        UsageError: It is no record, or has numbers or a time that fit into no column.
    """
    check_line(line)
    record = decode(line)
    if record is not None:
        environment = bytes(record.environment)
        body, mark, tail = line.rpartition(MARK)
        if mark and tail == environment + b"}\n":
            with suppress(UsageError):  # which the other way finds as well
                return with_columns(record, body + b"}", environment)
    return take_unusual(line)


def take_unusual(line: bytes) -> Line:
    """Return the parts of a line that this package does not write so, or that is damaged."""
    body, mark, tail = line.rstrip(SPACE).rpartition(MARK)
    if mark and tail.endswith(b"}"):
        try:
            fields, facts = parse(body + b"}"), parse(tail[:-1])
        except UsageError:
            return take_whole(line)
        if isinstance(fields, dict) and "environment" not in fields:
            record = from_mapping({**fields, "environment": facts})
            return with_columns(record, body + b"}", tail[:-1])
    return take_whole(line)


def take_whole(line: bytes) -> Line:
    """Return the parts of a line that names its fields in another order than this package does."""
    document: Any = parse(line)
    record = from_mapping(document)
    rest = {name: value for name, value in document.items() if name != "environment"}
    return with_columns(record, encode(rest), encode(record.environment))


def with_columns(record: Any, body: bytes, environment: bytes) -> Line:
    """Return the parts of a line with what its row is made of."""
    timed = record.summary if record.status in TIMED else None
    median, interval, n = (timed.median, timed.interval, timed.n) if timed else (None, None, None)
    low, high = interval or (None, None)
    for name, count in (("session", record.session), ("n", n)):
        if count is not None and abs(count) > MOST:
            raise UsageError(f"field {name!r} must be below 2**62, not a number so large")
    machine, shared = identify(environment)
    return Line(
        body=body,
        environment=environment,
        run=record.run_id or "",
        key=result_key(record.result_id),
        supersedes=None if record.supersedes is None else result_key(record.supersedes),
        certainty=certainty(record),
        shared=shared,
        machine=machine,
        series=digest_often(record.series_key, record.definition_key, machine),
        origin=digest_often(machine, record.operator.framework),
        columns=(
            milliseconds_of(record.started_at), record.session, record.status,
            *map(as_float, (median, low, high)), n,
        ),
    )  # fmt: skip


def as_float(value: float | None) -> float | None:
    """Return a number as a column of floats takes it."""
    return None if value is None else float(value)


@lru_cache(SHARED)
def identify(environment: bytes) -> tuple[str, bytes]:
    """Return the machine's key, also where nobody found one, and what stands for the environment.

    Many lines share one.
    """
    facts: Any = read_json(environment)
    record_part(facts, EnvironmentRecord, "environment.")
    return str(facts.get("machine_key")), digest(environment.decode())


def put_together(body: bytes, environment: bytes) -> bytes:
    """Return the whole line."""
    return body[:-1] + MARK + environment + b"}\n"


def encode(value: object) -> bytes:
    """Return JSON in one line."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def pack(data: bytes, template: bytes) -> bytes:
    """Return the bytes compressed; what they have in common with a template costs next to none."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=template)
    return packer.compress(data) + packer.flush()


def unpack(body: bytes, template: bytes) -> bytes:
    """Return what was packed with this template.

    Raises:
        UsageError: It is damaged.
    """
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=template)
    try:
        data = unpacker.decompress(body, LONGEST)
    except zlib.error as error:
        raise UsageError(f"it is damaged: {error}") from error
    if not unpacker.eof:
        raise UsageError("it is damaged: its end is missing")
    return data


@lru_cache(SHARED)
def unpack_environment(body: bytes, template: bytes) -> bytes:
    """Return the JSON of an environment, as many rows in a row need the same."""
    return unpack(body, template)


def result_key(result_id: str) -> bytes:
    """Return 16 bytes for a result's id: the id itself if it is one of ours, else a digest."""
    return bytes.fromhex(result_id) if RESULT_ID.fullmatch(result_id) else digest(result_id)


def digest(*texts: str) -> bytes:
    """Return 16 bytes that stand for texts."""
    return sha256("".join(f"{len(text)}:{text}" for text in texts).encode()).digest()[:16]


digest_often = lru_cache(KNOWN)(digest)
"""The same, of what comes again each day."""
