"""What is wrong with the data is said in one line, which names it."""

from __future__ import annotations

import os
import re
import struct
import sys
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.errors import OpperfError, UsageError
from opperf.networks.data import opening
from opperf.networks.data.opening import check_data, open_data
from opperf.networks.data.request import BACKENDS, DataRequest
from tests.networks.data import datasets
from tests.networks.data.models import ImageModel, TokenModel, request_for

if TYPE_CHECKING:
    from pathlib import Path

MODEL = ImageModel()


def refuse(request: DataRequest, *patterns: str, model: Any = MODEL, batch: int = 2) -> None:
    """Expect one line, that has all the patterns, at opening or at the first batch."""
    with pytest.raises(OpperfError) as raised:
        next(open_data(request, model, batch, "pytorch"))
    said = str(raised.value)
    assert isinstance(raised.value, UsageError)
    assert "\n" not in said
    for pattern in patterns:
        assert re.search(pattern, said), said


def test_the_parent_refuses_what_is_not_there(tmp_path: Path) -> None:
    """A folder, a backend's files, and its name."""
    (tmp_path / "file").write_text("")
    wrong = {
        f"data folder {tmp_path}/none does not exist": request_for(tmp_path / "none"),
        f"data folder {tmp_path}/file is not a folder": request_for(tmp_path / "file"),
        "has no data.mdb, which caffe_lmdb": request_for(tmp_path, "caffe_lmdb"),
        "has no data.npy, which raw": request_for(tmp_path, "raw"),
        "unknown data backend 'image_foldr'; did you mean 'image_folder'": request_for(
            tmp_path, "image_foldr"
        ),
        "--num_loader_threads -1; allowed: 0": DataRequest(threads=-1),
        "--num_loader_threads 100000; allowed: 0": DataRequest(threads=100000),
    }
    for said, request in wrong.items():
        with pytest.raises(UsageError, match=re.escape(said)):
            check_data(request)


@pytest.mark.parametrize(
    ("module", "backend", "said"),
    [
        ("lmdb", "caffe_lmdb", r"needs lmdb, .* pip install 'opperf\[lmdb\]'"),
        ("PIL", "image_folder", r"needs Pillow, .* pip install 'opperf\[images\]'"),
        ("PIL", "caffe_lmdb", r"needs Pillow, .* pip install 'opperf\[images\]'"),
    ],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, backend: str, said: str
) -> None:
    """With the command that installs it."""
    (tmp_path / "data.mdb").write_text("")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=said):
        check_data(request_for(tmp_path, backend))


def test_a_folder_without_images_is_refused(tmp_path: Path) -> None:
    """Its files are named unlike images, or are no files."""
    (tmp_path / "cat").mkdir()
    (tmp_path / "notes.txt").write_text("no image")
    os.mkfifo(tmp_path / "cat" / "pipe.png")
    refuse(request_for(tmp_path), "has no images; image_folder reads .png, .jpg, .jpeg")


def truncate(path: Path) -> None:
    """Cut off the second half of a file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def bomb(path: Path, side: int = 20000) -> None:
    """Write a PNG that says that it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(bytes(1000)))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b""))


DAMAGES = {
    "truncated": (truncate, "(?i)truncated"),
    "empty": (lambda path: path.write_bytes(b""), "cannot identify"),
    "text": (lambda path: path.write_text("no image"), "cannot identify"),
    "bomb": (bomb, "exceeds limit of .* decompression bomb"),
    "less than a bomb": (lambda path: bomb(path, 10000), "exceeds limit of .* decompression bomb"),
    "gone": (lambda path: path.unlink(), "No such file"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_an_image_that_cannot_be_read_is_named(tmp_path: Path, damage: str, form: str) -> None:
    """It is left out and counted, and fails the run with --strict-data."""
    spoil, said = DAMAGES[damage]
    for number in range(3):
        (tmp_path / f"{number}.jpeg").write_bytes(datasets.encoded(number, form))
    loader = open_data(request_for(tmp_path), MODEL, 3, "pytorch")
    strict = open_data(request_for(tmp_path, strict=True), MODEL, 3, "pytorch")
    spoil(tmp_path / "1.jpeg")
    (images,), _ = next(loader)
    assert np.array_equal(images[1], images[2])
    (note,) = loader.notes()
    assert note.code == "data_left_out"
    assert note.message.startswith(
        f"1 of 3 examples cannot be read and were left out: {tmp_path}/1.jpeg: "
    )
    assert re.search(said, note.message), note
    assert "\n" not in note.message
    with pytest.raises(UsageError, match=f"{tmp_path}/1.jpeg: .*; without --strict-data"):
        next(strict)


def test_images_none_of_which_can_be_read_end_the_run(tmp_path: Path) -> None:
    """A batch is never made of nothing."""
    for number in range(3):
        (tmp_path / f"{number}.png").write_text("no image")
    refuse(request_for(tmp_path), "3 examples in a row cannot be read in .*, the first: .*/0.png")


def test_more_classes_than_the_network_has_are_refused(tmp_path: Path) -> None:
    """Labels beyond them would be read beyond its scores."""
    for label in range(11):
        datasets.flat_folder(tmp_path / f"{label:02}", 1)
    refuse(request_for(tmp_path), "has 11 classes, and the network 10")


@pytest.mark.parametrize("backend", BACKENDS)
def test_networks_of_tokens_take_no_images(tmp_path: Path, backend: str) -> None:
    """A network with several inputs takes nothing of a folder."""
    datasets.flat_folder(tmp_path)
    datasets.raw_arrays(tmp_path)
    (tmp_path / "data.mdb").write_text("")
    refuse(request_for(tmp_path, backend), "takes 2 inputs", model=TokenModel())


@pytest.mark.parametrize("batch", [0, -1])
def test_a_batch_of_nothing_is_refused(batch: int) -> None:
    """Whichever the data."""
    refuse(DataRequest(), f"a batch of {batch} examples; allowed: 1 and more", batch=batch)


def arrays(dtype: Any = np.float32, *shape: int) -> np.ndarray:
    """Return zeros."""
    return np.zeros(shape or (4, 3, 8, 8), dtype)


@pytest.mark.parametrize(
    ("data", "labels", "said"),
    [
        (arrays(np.float64), None, r"data.npy is float64\[4, 3, 8, 8\]; the network takes float32"),
        (arrays(np.uint8), None, r"takes float32\[examples, 3, 8, 8\]"),
        (arrays(np.float32, 4, 3, 9, 8), None, r"is float32\[4, 3, 9, 8\]"),
        (arrays(np.float32, 4), None, r"is float32\[4\]"),
        (arrays(), np.zeros(3, np.int64), "has 3 labels for 4 examples"),
        (arrays(), np.zeros(5, np.int64), "has 5 labels for 4 examples"),
        (arrays(), np.zeros((4, 2), np.int64), r"labels.npy is int64\[4, 2\]"),
        (arrays(), np.zeros(4, np.float32), r"labels.npy is float32\[4\]; labels are whole"),
        (arrays(), np.array([0, 1, 2, 10]), "labels from 0 to 10; the network has 10 classes"),
        (arrays(), np.array([0, 1, -1, 3], np.int8), "labels from -1 to 3"),
        (arrays(), np.array([0, 1, 2, 2**64 - 1], np.uint64), "labels from 0 to 18446744"),
        (np.array([{}] * 4, object), None, "data.npy cannot be read: .*Python objects"),
        (np.float32(1), np.int64(0), "data.npy holds no array|cannot be read"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(
    tmp_path: Path, data: Any, labels: Any, said: str
) -> None:
    """By their dtypes, shapes, lengths and values."""
    labels = np.zeros(4, np.int64) if labels is None else labels
    refuse(request_for(datasets.raw_arrays(tmp_path, data, labels), "raw"), said)


@pytest.mark.parametrize(
    "content", [b"", b"no array", b"\x93NUMPY\x01\x00\xff\xff{", "half", "zip"]
)
def test_files_that_hold_no_array_are_refused(tmp_path: Path, content: bytes | str) -> None:
    """Empty, cut off, or of another format."""
    folder = datasets.raw_arrays(tmp_path)
    path = folder / "data.npy"
    if content == "half":
        truncate(path)
    elif content == "zip":
        np.savez(tmp_path / "other.npz", data=arrays())
        (tmp_path / "other.npz").rename(path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    refuse(request_for(folder, "raw"), f"{path} (cannot be read: |holds no array)")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A text, nothing, or half of one; reading beyond its end would kill the process."""
    values = [datasets.raw_datum(number, 0, 200, 200) for number in range(8)]
    folder = datasets.caffe_lmdb(tmp_path, values)
    path = folder / "data.mdb"
    truncate(path)
    refuse(request_for(folder, "caffe_lmdb"), f"{path} has \\d+ bytes of \\d+: it is cut off")
    for content in (b"no database" * 1000, b"short", b""):
        path.write_bytes(content)
        refuse(request_for(folder, "caffe_lmdb"), f"{path} is not an LMDB database: ")


DATUM = datasets.raw_datum(0, 1)
SIZES = b"".join(datasets.number_field(number, 2) for number in (1, 2, 3))
VALUES = {
    "text": (b"no Datum", "Caffe's Datum has no field 13 of wire type 6"),
    "json": (b'{"label": 3}', "Caffe's Datum has no field"),
    "another field": (DATUM + b"\x48\x01", "Caffe's Datum has no field 9 of wire type 0"),
    "cut off": (DATUM[:-20], r"\d+ bytes after byte \d+ of \d+: cut off"),
    "no end of a number": (b"\x08" + b"\xff" * 20, "no number ends after byte 1 of 21"),
    "half a float": (b"\x35\x00", "a float after byte 0 of 2: cut off"),
    "packed floats": (datasets.bytes_field(6, b"12345"), "5 bytes are no row of floats"),
    "nothing": (b"", r"0 bytes and 0 floats for an image of \[0, 0, 0\]"),
    "too few bytes": (SIZES + datasets.bytes_field(4, b"1234"), "4 bytes and 0 floats for"),
    "two channels": (SIZES + datasets.bytes_field(4, b"12345678"), "2 channels; allowed: 1 or 3"),
    "negative size": (datasets.number_field(1, -3) + DATUM[2:], r".* of \[-3, 12, 10\]"),
    "no image": (datasets.bytes_field(4, b"JPEG") + datasets.number_field(7, 1), "cannot identify"),
}  # fmt: skip


@pytest.mark.parametrize("case", VALUES)
def test_a_database_of_something_else_is_refused(tmp_path: Path, case: str) -> None:
    """The first value tells; one amid others is left out."""
    value, said = VALUES[case]
    folder = datasets.caffe_lmdb(tmp_path / "all", [value])
    request = request_for(folder, "caffe_lmdb")
    refuse(request, f"^{folder}/data.mdb, key 00000000_0.png: {said}.*: it is damaged, or none of")
    folder = datasets.caffe_lmdb(tmp_path / "one", [DATUM, value])
    loader = open_data(request_for(folder, "caffe_lmdb"), MODEL, 2, "pytorch")
    next(loader)
    (note,) = loader.notes()
    assert re.search(f"key 00000001_1.png: {said}", note.message), note


def test_an_empty_database_and_one_of_databases_are_refused(tmp_path: Path) -> None:
    """Caffe's has values, and no databases within."""
    import lmdb

    request = request_for(datasets.caffe_lmdb(tmp_path / "empty", []), "caffe_lmdb")
    refuse(request, "is empty")
    folder = tmp_path / "nested"
    with lmdb.open(str(folder), max_dbs=1, map_size=1 << 20) as environment:
        environment.open_db(b"inner")
    refuse(request_for(folder, "caffe_lmdb"), "it is damaged, or none of Caffe's")


@pytest.mark.parametrize("label", [10, -1, 2**31])
def test_a_label_beyond_the_classes_always_fails(tmp_path: Path, label: int) -> None:
    """It is no damage that may be left out."""
    folder = datasets.caffe_lmdb(tmp_path, [DATUM, datasets.encoded_datum(1, label)])
    refuse(
        request_for(folder, "caffe_lmdb"),
        f"00000001_1.png: label {label}; the network has 10 classes, 0 to 9",
    )


def test_floats_of_another_size_are_refused(tmp_path: Path) -> None:
    """They are no pixels, and are not scaled."""
    floats = b"".join(datasets.float_field(6, 0.5) for _ in range(8))
    folder = datasets.caffe_lmdb(tmp_path, [SIZES + floats])
    refuse(request_for(folder, "caffe_lmdb"), r"floats of \[2, 2, 2\]; the network takes")


def test_too_little_shared_memory_is_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loader's process that finds no room is killed by a bus error."""

    class Little:
        f_bavail, f_frsize = 10, 512

    monkeypatch.setattr(opening.os, "statvfs", lambda _path: Little)
    request = DataRequest(resident=False, threads=4)
    refuse(request, "4 loader processes need .* which has .*--num_loader_threads.*--shm-size")
    next(open_data(replace(request, threads=0), MODEL, 2, "pytorch"))
