"""Files of arrays: whatever is in one is an array of numbers, or refused in a line."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.specs.measuring.arrays import read_array

if TYPE_CHECKING:
    from pathlib import Path

HEADERS = (
    "{'descr': (", "'''", "  x", "[1]", "(" * 5000,
    "{'descr': '<,4', 'fortran_order': False, 'shape': (1,), }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2**99,), }\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (True,), }\n",
    f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({10**30},), }}\n",
    f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({10**13},), }}\n",
)  # fmt: skip
"""Text where the description of the array stands, which NumPy parses as Python."""
CHANGES = 300


def bytes_of(array: object, *, archive: bool = False) -> bytes:
    """Return an array as a file has it."""
    file = BytesIO()
    if archive:
        np.savez(file, array)
    else:
        np.save(file, array)
    return file.getvalue()


def refused(path: Path) -> bool:
    """Return whether a file is refused; it is in one line."""
    line = None
    try:
        read_array(str(path), "golden output '0'")
    except UsageError as error:
        line = str(error)
    assert line is None or line.startswith("golden output '0': ")
    assert line is None or len(line.splitlines()) == 1
    return line is not None


@pytest.mark.parametrize("header", HEADERS, ids=range(len(HEADERS)))
def test_a_hostile_header_is_refused(header: str, tmp_path: Path) -> None:
    """Also one that promises more than any memory holds."""
    text = header.encode()
    path = tmp_path / "golden.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(4))
    assert refused(path)


def test_what_is_no_array_of_numbers_is_refused(tmp_path: Path) -> None:
    """An archive, whole or cut off, texts, nothing at all."""
    path = tmp_path / "golden.npy"
    archive = bytes_of(np.arange(3), archive=True)
    for data in (archive, archive[:50], b"PK\x03\x04", b"", b"\x80\x04.", bytes_of("text")):
        path.write_bytes(data)
        assert refused(path)


def test_a_damaged_file_is_read_or_refused(tmp_path: Path) -> None:
    """A few bytes changed anywhere, or the end cut off."""
    whole, coin = bytes_of(np.ones((2, 3), "float32")), Random(27)  # noqa: S311 - no secret
    path = tmp_path / "golden.npy"
    path.write_bytes(whole)
    assert not refused(path)
    found = set()
    for _ in range(CHANGES):
        data = bytearray(whole)
        for _ in range(coin.randint(1, 4)):
            data[coin.randrange(128)] = coin.choice(b"(){}[]',:0123456789-<>f\n #\"\\\0")
        path.write_bytes(data[: coin.choice([len(data), coin.randrange(len(data))])])
        found.add(refused(path))
    assert found == {True, False}
