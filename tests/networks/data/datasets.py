"""Small data sets of each layout, written by the tests that read them."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import TYPE_CHECKING, Any

import lmdb
import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from pathlib import Path

SIZE, CLASSES = 8, 10


def pixels(number: int, height: int = 12, width: int = 10) -> np.ndarray:
    """Return the bytes of an image that no other number has."""
    drawn = np.random.default_rng(number).integers(0, 256, (height, width, 3))
    return drawn.astype(np.uint8)


def encoded(number: int, form: str = "PNG") -> bytes:
    """Return an image file."""
    stream = BytesIO()
    Image.fromarray(pixels(number)).save(stream, form)
    return stream.getvalue()


def flat_folder(place: Path, count: int = 8) -> Path:
    """Write so many PNGs into one folder."""
    place.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (place / f"{number}.png").write_bytes(encoded(number))
    return place


def image_folder(place: Path) -> Path:
    """Write four images of each of two classes, some a folder deeper, of both formats."""
    for label, name in enumerate(("cat", "dog")):
        flat_folder(place / name, 2)
        (place / name / "more").mkdir()
        for number in (2, 3):
            data = encoded(10 * label + number, "JPEG")
            (place / name / "more" / f"{number}.JPG").write_bytes(data)
        (place / name / "notes.txt").write_text("no image")
    return place


def number_field(number: int, value: int) -> bytes:
    """Return a field of Protocol Buffers that holds a whole number."""
    return varint(number << 3) + varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """Return a field of Protocol Buffers that holds bytes."""
    return varint(number << 3 | 2) + varint(len(value)) + value


def float_field(number: int, value: float) -> bytes:
    """Return a field of Protocol Buffers that holds a float."""
    return varint(number << 3 | 5) + struct.pack("<f", value)


def varint(value: int) -> bytes:
    """Return a number in seven bits a byte; a negative one as 64 bits."""
    value &= (1 << 64) - 1
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def raw_datum(number: int, label: int, height: int = 12, width: int = 10) -> bytes:
    """Return an image as Caffe stores it: planes of blue, green and red."""
    planes = pixels(number, height, width)[:, :, ::-1].transpose(2, 0, 1)
    sizes = number_field(1, 3) + number_field(2, height) + number_field(3, width)
    return sizes + bytes_field(4, planes.tobytes()) + number_field(5, label)


def encoded_datum(number: int, label: int) -> bytes:
    """Return an image as Caffe stores it with --encoded."""
    return bytes_field(4, encoded(number)) + number_field(5, label) + number_field(7, 1)


def caffe_lmdb(place: Path, values: list[bytes]) -> Path:
    """Write a database as convert_imageset does."""
    place.mkdir(parents=True, exist_ok=True)
    with (
        lmdb.open(str(place), map_size=1 << 22) as environment,
        environment.begin(write=True) as transaction,
    ):
        for number, value in enumerate(values):
            transaction.put(f"{number:08d}_{number}.png".encode(), value)
    return place


def raw_arrays(place: Path, data: Any = None, labels: Any = None) -> Path:
    """Write six examples, or what is given."""
    place.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(0)
    if data is None:
        data = draw.random((6, 3, SIZE, SIZE), np.float32)
    np.save(place / "data.npy", data)
    np.save(place / "labels.npy", np.arange(len(data)) if labels is None else labels)
    return place
