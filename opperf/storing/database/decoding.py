"""A record as msgspec decodes and checks it in one go, by the classes of `core.results`.

It takes what this package writes and nothing that `from_mapping` would refuse. Whatever is unusual
is no error here: it is left to those who say what is wrong with it, or find nothing.
"""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, UNSET, MsgspecError, Raw, Struct, defstruct
from msgspec.json import Decoder
from msgspec.structs import FieldInfo, fields

from opperf.core.results.identity import SCHEMA
from opperf.core.results.reading import times_something
from opperf.core.results.result import Result
from opperf.core.results.status import STATUSES, TIMED
from opperf.storing.document import DEEPEST, parse

ZEROS = bytes.maketrans(b"123456789", b"000000000")
LONG = b"0" * 40
"""More digits in a row than usual, and fewer than a number may have."""
KNOWN = {"schema": Literal[SCHEMA], "status": Literal[STATUSES], "environment": Raw}
"""A line of this version, and of the environment the JSON: many lines share one."""


def forbid_unknown_fields(kind: Any) -> Any:
    """Return a type like this one, whose objects have no field that it does not name."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        named = [
            (one.name, forbid_unknown_fields(one.type)) if one.default is NODEFAULT
            else (one.name, forbid_unknown_fields(one.type), one.default)
            for one in sorted(fields(kind), key=lambda one: not one.required)
        ]  # fmt: skip
        return defstruct(kind.__name__, named, forbid_unknown_fields=True, gc=False)
    if origin is Annotated:
        typed = (forbid_unknown_fields(arguments[0]), *arguments[1:])
        return Annotated[typed]
    if origin in (Union, UnionType):
        return reduce(or_, map(forbid_unknown_fields, arguments))
    return (
        GenericAlias(tuple, (*map(forbid_unknown_fields, arguments),)) if origin is tuple else kind
    )


def line_field(one: FieldInfo) -> tuple[Any, ...]:
    """Return a field of a line; only what is UNSET by default may be missing."""
    kind = KNOWN.get(one.name) or forbid_unknown_fields(one.type)
    return (one.name, kind, UNSET) if one.default is UNSET else (one.name, kind)


LINE = defstruct(
    "Line", map(line_field, fields(Result)), forbid_unknown_fields=True, gc=False, kw_only=True
)
"""A result of which no field is missing that every line has."""
DECODER, PLAIN = Decoder(LINE), Decoder()


def decode(line: bytes) -> Any | None:
    """Return the fields of a record's line as attributes, or None where it is unusual.

    Of the environment it returns the JSON, whatever that says.
    """
    if not is_usual(line):
        return None
    try:
        record: Any = DECODER.decode(line)
    except MsgspecError:
        return None
    return record if record.status not in TIMED or times_something(record) else None


def read_json(data: bytes) -> object:
    """Return what `parse` returns, and sooner where it is usual."""
    if is_usual(data):
        with suppress(MsgspecError):
            return PLAIN.decode(data)
    return parse(data)


def is_usual(data: bytes) -> bool:
    """Return whether JSON has nothing that msgspec takes and `parse` refuses."""
    return (
        data.isascii()
        and (b"\\" not in data or b"\\u" not in data)
        and LONG not in data.translate(ZEROS)
        and data.count(b"[") + data.count(b"{") <= DEEPEST
    )
