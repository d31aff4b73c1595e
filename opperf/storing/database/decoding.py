"""A record as msgspec decodes and checks it in one go, by the form of `core.results.validation`.

It takes what this package writes and nothing that `checked` would refuse. Whatever is unusual is no
error here: it is left to those who say what is wrong with it, or find nothing.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, MsgspecError, Raw, defstruct
from msgspec.json import Decoder

from opperf.core.results.forms import NUMBERS, Field, Form
from opperf.core.results.result import SCHEMA
from opperf.core.results.status import STATUSES, TIMED, has_time
from opperf.core.results.validation import RECORD
from opperf.storing.document import DEEPEST, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

ZEROS = bytes.maketrans(b"123456789", b"000000000")
LONG = b"0" * 40
"""More digits in a row than usual, and fewer than a number may have."""
LARGEST_INT = 2**63 - 1
"""The bounds that msgspec can hold an integer against."""


def struct_of(form: Form, **known: Any) -> Any:
    """Return the type of an object of a form and no other field, some of them of known types."""
    fields = [
        (name, type_of(field), None) if field.optional else (name, type_of(field))
        for name, field in form.fields.items()
        if name not in known
    ]
    given = [*known.items()]
    fields.sort(key=len)  # those without a default first
    return defstruct("Object", [*given, *fields], forbid_unknown_fields=True, gc=False)


def type_of(field: Field) -> Any:
    """Return the type of what a field may hold."""
    return reduce(or_, types_of(field))


def types_of(field: Field) -> Iterator[Any]:
    """Yield the types of which a field may hold any."""
    for kind in field.types:
        if kind is float:
            yield Annotated[float, Meta(ge=field.least, le=field.most)]
        elif kind is int and float not in field.types:
            least, most = max(field.least, -LARGEST_INT), min(field.most, LARGEST_INT)
            yield Annotated[int, Meta(ge=int(least), le=int(most))]
        elif kind is list and field.within is not None:
            within = field.within
            item = struct_of(within) if isinstance(within, Form) else type_of(within)
            yield GenericAlias(tuple, (item,) * field.count if field.count else (item, ...))
        elif kind is dict and isinstance(field.within, Form):
            yield struct_of(field.within)
        elif kind not in NUMBERS:
            yield kind


RECORD_TYPE = struct_of(RECORD, schema=Literal[SCHEMA], status=Literal[STATUSES], environment=Raw)
DECODER, PLAIN = Decoder(RECORD_TYPE), Decoder()


def decode(line: bytes) -> Any | None:
    """Return the fields of a record's line as attributes, or None where it is unusual.

    Of the environment it returns the JSON, whatever that says.
    """
    if not is_usual(line):
        return None
    try:
        record = DECODER.decode(line)
    except MsgspecError:
        return None
    if record.status not in TIMED:
        return record
    median = record.summary and record.summary.median
    overhead = record.samples and record.samples.null
    return record if has_time(record.status, median, overhead) else None


def read_json(data: bytes) -> object:
    """Return what `parse` returns, and sooner where it is usual."""
    if is_usual(data):
        try:
            return PLAIN.decode(data)
        except MsgspecError:
            pass
    return parse(data)


def is_usual(data: bytes) -> bool:
    """Return whether JSON has nothing that msgspec takes and `parse` refuses."""
    return (
        data.isascii()
        and (b"\\" not in data or b"\\u" not in data)
        and LONG not in data.translate(ZEROS)
        and data.count(b"[") + data.count(b"{") <= DEEPEST
    )
