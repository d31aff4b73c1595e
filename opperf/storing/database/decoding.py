"""A record as msgspec decodes and checks it in one go, by the tables of `core.validation`.

It takes what this package writes and nothing that `checked` would refuse. Whatever is unusual is no
error here: it is left to those who say what is wrong with it, or find nothing.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, MsgspecError, Raw, defstruct
from msgspec.json import Decoder

from opperf.core.results import validation
from opperf.core.results.result import SCHEMA
from opperf.core.results.status import STATUSES, TIMED
from opperf.core.statistics.plausible import is_time
from opperf.storing.document import DEEPEST, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NUMBER = Annotated[float, Meta(ge=-validation.LARGEST, le=validation.LARGEST)]
WITHIN = {
    "operator": ("backward_method", "cache", "companion", "cores", "mode", "process", "threads"),
    "inputs": ("layout", "nbytes"),
    "samples": ("left_out", "method", "steady", "stop_reason"),
    "summary": (
        "bimodal", "drift", "iqr", "mad", "mean", "minimum", "n_eff", "outlier_share", "p5", "p90",
        "p99", "stop_reason",
    ),
}  # fmt: skip
"""Fields of any type. Others are unusual, for what is not decoded is not checked either."""
ZEROS = bytes.maketrans(b"123456789", b"000000000")
LONG = b"0" * 40
"""More digits in a row than usual, and fewer than a number may have."""


def make_type(
    fields: Mapping[str, tuple[type, ...]], others: Sequence[str] = (), **types: Any
) -> Any:
    """Return the type of an object with these fields and no others, some of them of these types."""
    required = [(name, types.get(name, reduce(or_, kinds))) for name, kinds in fields.items()]
    optional = [(name, Any, None) for name in others]
    return defstruct("Object", [*required, *optional], forbid_unknown_fields=True, gc=False)


SUMMARY = make_type(
    validation.SUMMARY_FIELDS,
    WITHIN["summary"],
    median=NUMBER,
    interval=tuple[NUMBER, NUMBER] | None,
    precision=NUMBER | None,
    warnings=list[make_type(validation.WARNING_FIELDS)],  # type: ignore[misc]
)
FUSION = make_type(
    validation.FUSION_FIELDS,
    kernels=list[str] | None,
    parts=list[str],
    bandwidth=NUMBER | None,
)
RECORD = make_type(
    {"schema": (str,), **validation.FIELDS},
    schema=Literal[SCHEMA],
    operator=make_type(validation.OPERATOR_FIELDS, WITHIN["operator"]),
    inputs=list[make_type(validation.INPUT_FIELDS, WITHIN["inputs"], shape=list[int])],  # type: ignore[misc]
    tags=list[str],
    status=Literal[STATUSES],
    samples=make_type(validation.SAMPLE_FIELDS, WITHIN["samples"], seconds=list[NUMBER]) | None,
    summary=SUMMARY | None,
    fusion=FUSION | None,
    environment=Raw,
)
DECODER, PLAIN = Decoder(RECORD), Decoder()


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
    return record if record.status not in TIMED or has_time(record) else None


def has_time(record: Any) -> bool:
    """Return whether there is a summary, and its median is a time."""
    if record.summary is None:
        return False
    return is_time(record.summary.median, record.samples.null if record.samples else 0.0)


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
