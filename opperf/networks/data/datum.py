"""The records of Caffe's databases: a reader of the one message that they are.

Caffe's `Datum` is seven fields of Protocol Buffers (caffe.proto). The protobuf package would be a
dependency of 340 kB, with a new major release a year, and a descriptor compiled for it; the wire
format of seven fields is the page below (https://protobuf.dev/programming-guides/encoding).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from opperf.networks.data.source import UnreadableError

CHANNELS, HEIGHT, WIDTH, DATA, LABEL, FLOATS, ENCODED = range(1, 8)
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
KINDS = {
    CHANNELS: (VARINT,), HEIGHT: (VARINT,), WIDTH: (VARINT,), DATA: (BYTES,), LABEL: (VARINT,),
    FLOATS: (FIXED32, BYTES), ENCODED: (VARINT,),
}  # fmt: skip
"""The wire types of each field; floats may be packed."""
LONGEST_VARINT = 10
FLOAT_FIELD = FLOATS << 3 | FIXED32
FLOAT_BYTES = 5
"""Bytes of a float of its own: the field and the value."""


@dataclass(frozen=True)
class Datum:
    """One example as Caffe stores it: pixels, floats or an image file, and its label."""

    channels: int
    height: int
    width: int
    label: int
    data: memoryview
    floats: np.ndarray[Any, Any]
    encoded: bool


def read_datum(value: memoryview) -> Datum:
    """Return a message's fields; UnreadableError unless it is a Datum and nothing else."""
    numbers = dict.fromkeys((CHANNELS, HEIGHT, WIDTH, LABEL, ENCODED), 0)
    data, floats = memoryview(b""), [np.empty(0, "<f4")]
    place = 0
    while place < len(value):
        key, place = varint(value, place)
        number, wire = key >> 3, key & 7
        if wire not in KINDS.get(number, ()):
            raise UnreadableError(f"Caffe's Datum has no field {number} of wire type {wire}")
        if wire == VARINT:
            numbers[number], place = varint(value, place)
        elif wire == FIXED32:
            run, place = separate_floats(value, place - 1)
            floats.append(run)
        else:
            part, place = delimited(value, place)
            if number == DATA:
                data = part
            elif len(part) % 4:
                raise UnreadableError(f"{len(part)} bytes are no row of floats")
            else:
                floats.append(np.frombuffer(part, "<f4"))
    return Datum(
        signed(numbers[CHANNELS]),
        signed(numbers[HEIGHT]),
        signed(numbers[WIDTH]),
        signed(numbers[LABEL]),
        data,
        np.concatenate(floats),
        bool(numbers[ENCODED]),
    )


def varint(value: memoryview, place: int) -> tuple[int, int]:
    """Return the number of seven bits a byte that begins at a place, and the place behind it."""
    number = 0
    for shift, byte in enumerate(value[place : place + LONGEST_VARINT]):
        number |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:  # noqa: PLR2004 - the highest bit says that another byte follows
            return number, place + shift + 1
    raise UnreadableError(f"no number ends after byte {place} of {len(value)}")


def signed(number: int) -> int:
    """Return the signed number that a varint of 64 bits stands for."""
    return number - (1 << 64) if number >> 63 else number


def delimited(value: memoryview, place: int) -> tuple[memoryview, int]:
    """Return the bytes whose length stands at a place, and the place behind them."""
    length, place = varint(value, place)
    if length > len(value) - place:
        raise UnreadableError(f"{length} bytes after byte {place} of {len(value)}: cut off")
    return value[place : place + length], place + length


def separate_floats(value: memoryview, place: int) -> tuple[np.ndarray[Any, Any], int]:
    """Return the floats that follow each other from a place, each with its field before it."""
    most = (len(value) - place) // FLOAT_BYTES
    rows = np.frombuffer(value[place : place + most * FLOAT_BYTES], np.uint8)
    rows = rows.reshape(most, FLOAT_BYTES)
    others = np.flatnonzero(rows[:, 0] != FLOAT_FIELD)
    count = int(others[0]) if len(others) else most
    if not count:
        raise UnreadableError(f"a float after byte {place} of {len(value)}: cut off")
    return np.ascontiguousarray(rows[:count, 1:]).view("<f4").ravel(), place + count * FLOAT_BYTES
