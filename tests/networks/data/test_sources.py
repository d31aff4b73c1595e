"""Each layout's examples are those that were written."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from opperf.networks.data.caffe_lmdb import CaffeLmdb
from opperf.networks.data.image_folder import ImageFolder
from opperf.networks.data.pixels import fit
from opperf.networks.data.raw import RawArrays
from opperf.networks.data.source import DataShape, DataSource
from opperf.networks.data.synthetic import Synthetic
from tests.networks.data import datasets

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = DataShape((3, datasets.SIZE, datasets.SIZE), "float32", (), datasets.CLASSES)
FULL = DataShape((3, 12, 10), "float32", (), datasets.CLASSES)
"""The size that the images have: nothing is scaled."""


def as_written(number: int) -> np.ndarray:
    """Return an image's bytes as a network of its size gets them."""
    return datasets.pixels(number).transpose(2, 0, 1) / 127.5 - 1


def test_eight_images_of_one_folder_are_one_class(tmp_path: Path) -> None:
    """The folder needs no subfolders."""
    source = ImageFolder(str(datasets.flat_folder(tmp_path)), FULL)
    assert len(source) == 8
    item = source[3]
    assert item.inputs.dtype == np.float32
    np.testing.assert_allclose(item.inputs, as_written(3), atol=1e-6)
    assert item.labels == 0
    assert source.classes == 1


def test_a_subfolder_is_a_class(tmp_path: Path) -> None:
    """At any depth, by the order of the names; other files are none."""
    source = ImageFolder(str(datasets.image_folder(tmp_path)), SHAPE)
    assert [int(source[place].labels) for place in range(len(source))] == [0] * 4 + [1] * 4
    assert {source[place].inputs.shape for place in range(len(source))} == {(3, 8, 8)}
    assert source.classes == 2


def test_the_middle_of_an_image_is_scaled() -> None:
    """The sides are cut off, not squeezed, and a stripe does not become a huge image."""
    wide = np.zeros((4, 12, 3), np.uint8)
    wide[:, 3:9] = 255
    shape = DataShape((3, 2, 2), "float32", (), 1)
    assert (fit(Image.fromarray(wide), shape) == 1).all()
    assert fit(Image.new("RGB", (1, 60000)), SHAPE).shape == (3, 8, 8)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "I;16", "1", "LA"])
def test_images_of_any_mode_have_the_channels_of_the_network(tmp_path: Path, mode: str) -> None:
    """Gray, palette, alpha or sixteen bits."""
    Image.new(mode, (9, 9)).save(tmp_path / "one.png")
    for channels in (1, 3):
        shape = DataShape((channels, 8, 8), "float32", (), 1)
        assert ImageFolder(str(tmp_path), shape)[0].inputs.shape == (channels, 8, 8)


def test_a_database_of_caffe_has_raw_and_encoded_images(tmp_path: Path) -> None:
    """Blue, green and red become red, green and blue."""
    values = [datasets.raw_datum(0, 3), datasets.encoded_datum(1, 9)]
    source = CaffeLmdb(str(datasets.caffe_lmdb(tmp_path, values)), FULL)
    for number, label in enumerate((3, 9)):
        item = source[number]
        np.testing.assert_allclose(item.inputs, as_written(number), atol=1e-6)
        assert item.labels == label


def test_a_database_of_floats_is_read(tmp_path: Path) -> None:
    """One field a float, as Caffe's own message has it, or packed."""
    sizes = b"".join(
        datasets.number_field(number, size) for number, size in enumerate((1, 2, 2), 1)
    )
    floats = np.array([0.5, -1, 2, 3e5], np.float32)
    separate = b"".join(datasets.float_field(6, float(value)) for value in floats)
    packed = datasets.bytes_field(6, floats.tobytes())
    label = datasets.number_field(5, 1)
    folder = datasets.caffe_lmdb(tmp_path, [sizes + separate + label, packed + label + sizes])
    source = CaffeLmdb(str(folder), DataShape((1, 2, 2), "float32", (), 2))
    for number in range(2):
        assert source[number].inputs.ravel().tolist() == floats.tolist()


def test_raw_arrays_stay_in_their_file(tmp_path: Path) -> None:
    """They are mapped, and each example is the written one."""
    source = RawArrays(str(datasets.raw_arrays(tmp_path)), SHAPE)
    assert isinstance(source.mapped()[0], np.memmap)
    written = np.load(tmp_path / "data.npy")
    assert (source[5].inputs == written[5]).all()
    assert source[5].labels == 5
    assert source[5].labels.dtype == np.int64


def all_sources(place: Path) -> list[DataSource]:
    """Return one of each layout."""
    values = [datasets.raw_datum(number, number) for number in range(4)]
    return [
        ImageFolder(str(datasets.flat_folder(place / "images")), SHAPE),
        CaffeLmdb(str(datasets.caffe_lmdb(place / "lmdb", values)), SHAPE),
        RawArrays(str(datasets.raw_arrays(place / "raw")), SHAPE),
        Synthetic(example, 4, seed=3),
    ]


def example(batch: int, generator: np.random.Generator) -> tuple[tuple[np.ndarray], np.ndarray]:
    """Return a network's inputs and labels."""
    images = generator.random((batch, 3, 8, 8), np.float32)
    return (images,), generator.integers(datasets.CLASSES, size=batch)


def test_a_source_can_be_sent_to_another_process(tmp_path: Path) -> None:
    """Small: open files stay behind, and are opened again."""
    for source in all_sources(tmp_path):
        before = source[1]
        sent = pickle.dumps(source)
        source.close()
        assert len(sent) < 2000
        after = pickle.loads(sent)[1]  # noqa: S301 - written two lines above
        assert np.array_equal(before.inputs, after.inputs)
        assert np.array_equal(before.labels, after.labels)


def test_synthetic_batches_differ_and_repeat() -> None:
    """Each has its own number, whichever process draws it."""
    source = Synthetic(example, 4, seed=3)
    first, second = source[0].inputs[0], source[1].inputs[0]
    assert first.shape == (4, 3, 8, 8)
    assert not np.array_equal(first, second)
    assert np.array_equal(first, Synthetic(example, 4, seed=3)[0].inputs[0])
    assert not np.array_equal(first, Synthetic(example, 4, seed=4)[0].inputs[0])
