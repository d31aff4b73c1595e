"""Reading and writing a calls file: strictly, and an error says in which call."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Raw, ValidationError
from msgspec.json import decode, encode
from msgspec.structs import replace

from opperf.calls.format.content import LARGEST_OF_CALLS, check_count, check_size
from opperf.calls.format.faults import STRICT
from opperf.calls.format.model import SCHEMA, CallRecord, CallsRecord
from opperf.calls.format.nesting import without_depths
from opperf.core.errors import LONGEST_SHOWN, UsageError, quote, quote_path
from opperf.core.results.conversion import record_part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opperf.calls.format.faults import CallFaults

OPERATOR = re.compile(rb'"operator"\s*:\s*"([^"]{0,200})"')
PLACE = re.compile(r"(?P<said>.*) \(byte (?P<byte>\d+)\)")
MALFORMED = "JSON is malformed: "
TOO_DEEP = "nested deeper than any call is"


def parse_calls(data: bytes, faults: CallFaults = STRICT) -> CallsRecord:
    """Return what a calls file says.

    Args:
        data: the file.
        faults: gets what is wrong with a call, whose others are read then.

    Raises:
        UsageError: It is none, or none of its calls can be read; names the call, its operator and
            the field.
    """
    check_size(data, LARGEST_OF_CALLS)
    head = decode_deep(data, dict[str, Raw])
    if not isinstance(head, dict) or "schema" not in head:
        raise UsageError(f"no calls file: it does not say schema {SCHEMA!r}")
    schema: Any = decode_json(bytes(head["schema"]), object)
    if schema != SCHEMA:
        raise UsageError(f"unknown schema {quote(schema)}; this opperf reads {SCHEMA}")
    lists: Any = decode_json(bytes(head.pop("calls", b"[]")), list[Raw])
    check_count(len(lists))
    fields = {name: decode_json(bytes(raw), object) for name, raw in head.items()}
    record = record_part({**fields, "calls": ()}, CallsRecord)
    calls = [*distinct_calls(lists, faults)]
    if not calls:
        faults.refuse_all()
    return replace(record, calls=tuple(calls))


def distinct_calls(lists: list[Raw], faults: CallFaults) -> Iterator[CallRecord]:
    """Yield the calls; of one that stands there twice nobody knows which count is meant."""
    first: dict[bytes, int] = {}
    for number, raw in enumerate(lists, 1):
        with faults.noted():
            call = call_of(bytes(raw), number)
            other = first.setdefault(identity(call), number)
            if other != number:
                same = f"the same as call {other}; add their counts"
                raise UsageError(f"{name_of(number, call.operator)}: {same}")
            yield call


def decode_deep(data: bytes, kind: Any) -> Any:
    """Return the JSON as this type, of what is nested too deeply the rest."""
    try:
        return decode(data, type=kind)
    except RecursionError:
        shallow = without_depths(data)
    except (DecodeError, UnicodeDecodeError):
        return decode_json(data, kind)
    try:
        return decode(shallow, type=kind)
    except (DecodeError, UnicodeDecodeError):
        raise UsageError(TOO_DEEP) from None


def decode_json(data: bytes, kind: Any) -> Any:
    """Return the JSON as this type, or refuse it in a line."""
    try:
        return decode(data, type=kind)
    except ValidationError as error:
        raise UsageError(f"not as a calls file has it: {error}") from None
    except DecodeError as error:
        raise UsageError(f"not JSON: {place_of(str(error), data)}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"not JSON: not UTF-8: {error.reason}") from None
    except RecursionError:
        raise UsageError(TOO_DEEP) from None


def place_of(message: str, data: bytes) -> str:
    """Return what msgspec has found, and the last operator that stands before it."""
    said = message.removeprefix(MALFORMED)
    found = PLACE.fullmatch(said)
    before = OPERATOR.findall(data, 0, int(found["byte"]) if found else len(data))
    if not before:
        return said
    return f"{said}, in or after {name_of(len(before), before[-1].decode(errors='replace'))}"


def name_of(number: int, operator: object) -> str:
    """Return what an error calls a call."""
    if not isinstance(operator, str):
        return f"call {number}"
    plain = operator.isprintable() and len(operator) <= LONGEST_SHOWN
    return f"call {number} ({operator if plain else quote(operator)})"


def call_of(data: bytes, number: int) -> CallRecord:
    """Return a call, the whole file's `number`-th."""
    try:
        return decode(data, type=CallRecord)
    except (ValidationError, DecodeError, UnicodeDecodeError, RecursionError):
        found = OPERATOR.search(data)
        with naming(number, found and found[1].decode(errors="replace")):
            return record_part(decode_json(data, object), CallRecord)


@contextmanager
def naming(number: int, operator: object) -> Iterator[None]:
    """Put the call before what is wrong with it."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{name_of(number, operator)}: {error}") from None


def identity(call: CallRecord) -> bytes:
    """Return what no other call has: 1, 1.0 and true, which Python takes for equal, differ."""
    return encode((call.operator, call.arguments))


def text_of(record: CallsRecord) -> bytes:
    """Return a calls file, a line a call."""
    head = encode(replace(record, calls=()))
    lines = b",\n".join(map(encode, record.calls))
    return head.removesuffix(b"[]}") + b"[\n" + lines + b"\n]}\n"


def write_calls(record: CallsRecord, path: Path) -> None:
    """Write a calls file, whole or not at all.

    Raises:
        UsageError: It cannot be written, or would not be read as the same.
    """
    data = text_of(record)
    if parse_calls(data) != record:
        raise UsageError(f"cannot write {quote_path(path)}: not the same when it is read")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {quote_path(path)}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
