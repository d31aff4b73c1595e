"""A journal's line taken apart: its environment, which many results share, and the rest."""

from __future__ import annotations

import json
import re
import zlib
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from opperf.core.errors import UsageError
from opperf.core.moments import to_milliseconds
from opperf.core.result import checked
from opperf.storing.document import LONGEST, parse
from opperf.storing.reading import check_line

MARK = b',"environment":'
"""What stands before the environment, which this package writes as the last field."""
SPACE = b" \t\r\n"
RESULT_ID = re.compile(r"[0-9a-f]{32}")
LEVEL = 6
SHARED = 256
"""How many environments are kept parsed."""


class Line(NamedTuple):
    """A result's fields, its line without the environment, and the environment's JSON."""

    record: dict[str, Any]
    body: bytes
    environment: bytes


def take_apart(line: bytes) -> Line:
    """Return the parts of a line, its record checked.

    Raises:
        NotJsonError: The line is torn.
        UsageError: It is no record.
    """
    check_line(line)
    body, mark, tail = line.rstrip(SPACE).rpartition(MARK)
    if mark and tail.endswith(b"}"):
        try:
            fields, facts = parse(body + b"}"), parse_environment(tail[:-1])
        except UsageError:
            return take_whole(line)
        if isinstance(fields, dict) and "environment" not in fields:
            return Line(checked({**fields, "environment": facts}), body + b"}", tail[:-1])
    return take_whole(line)


def take_whole(line: bytes) -> Line:
    """Return the parts of a line that names its fields in another order than this package does."""
    record = parse(line)
    fields = checked(record)
    rest = {name: value for name, value in dict(record).items() if name != "environment"}  # type: ignore[call-overload]
    return Line(fields, encode(rest), encode(fields["environment"]))


@lru_cache(SHARED)
def parse_environment(text: bytes) -> object:
    """Return the facts; the same for the same text, so nobody may change them."""
    return parse(text)


def put_together(body: bytes, environment: bytes) -> bytes:
    """Return the whole line."""
    return body[:-1] + MARK + environment + b"}\n"


def encode(value: object) -> bytes:
    """Return JSON in one line."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def pack(body: bytes, template: bytes = b"") -> bytes:
    """Return the bytes compressed; what they have in common with a template costs next to none."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=template)
    return packer.compress(body) + packer.flush()


def unpack(packed: bytes, template: bytes = b"") -> bytes:
    """Return what was packed with this template.

    Raises:
        UsageError: It is damaged.
    """
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=template)
    try:
        body = unpacker.decompress(packed, LONGEST)
    except zlib.error as error:
        raise UsageError(f"it is damaged: {error}") from error
    if not unpacker.eof:
        raise UsageError("it is damaged: its end is missing")
    return body


@lru_cache(4096)
def unpack_template(packed: bytes) -> bytes:
    """Return a template, as many rows in a row need the same."""
    return unpack(packed)


@lru_cache(SHARED)
def unpack_environment(packed: bytes, template: bytes) -> bytes:
    """Return the JSON of an environment, as many rows in a row need the same."""
    return unpack(packed, unpack_template(template))


def result_key(result_id: str) -> bytes:
    """Return 16 bytes that stand for a result's id: the id itself where it is of our making."""
    return bytes.fromhex(result_id) if RESULT_ID.fullmatch(result_id) else digest(result_id)


def digest(*texts: str) -> bytes:
    """Return 16 bytes that stand for texts."""
    return sha256("".join(f"{len(text)}:{text}" for text in texts).encode()).digest()[:16]


def milliseconds(time: str) -> int:
    """Return a record's time in milliseconds since 1970; without a zone it counts as UTC."""
    try:
        return to_milliseconds(datetime.fromisoformat(time.replace("Z", "+00:00")))
    except ValueError:
        raise UsageError(f"{time[:40]!r} is no time such as 2026-11-21T03:15:02+00:00") from None
