"""Both frameworks' loaders hand over the same batches, with processes or without."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil
import pytest

from opperf.networks.data.opening import open_data
from opperf.networks.data.place import LoaderPlace
from opperf.networks.data.request import DataRequest
from tests.networks.data import datasets
from tests.networks.data.models import FRAMEWORKS, model_for, numpy_of, request_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=FRAMEWORKS)
def framework(request: pytest.FixtureRequest) -> str:
    """Return each framework's name."""
    return str(request.param)


def labels_of(loader: Any, count: int) -> list[list[int]]:
    """Return the labels of so many batches."""
    return [numpy_of(next(loader)[1]).astype(int).tolist() for _ in range(count)]


@pytest.mark.parametrize("threads", [0, 2])
def test_a_batch_larger_than_the_data_goes_on_with_the_next_epoch(
    tmp_path: Path, framework: str, threads: int
) -> None:
    """Six examples make batches of four, and of eight."""
    folder = datasets.raw_arrays(tmp_path)
    for batch, wanted in ((4, [[0, 1, 2, 3], [4, 5, 0, 1]]), (8, [[0, 1, 2, 3, 4, 5, 0, 1]])):
        request = request_for(folder, "raw", threads=threads)
        loader = open_data(request, model_for(framework), batch, framework)
        assert labels_of(loader, len(wanted)) == wanted
        repeated = [note.code for note in loader.notes()]
        assert repeated == (["data_repeated"] if batch > 6 else [])
        loader.close()


def test_processes_load_what_the_loop_would(tmp_path: Path, framework: str) -> None:
    """In the same order, shuffled by the seed, images included."""
    folder = datasets.image_folder(tmp_path)
    for backend, place in (("image_folder", folder), ("raw", datasets.raw_arrays(tmp_path / "r"))):
        batches = []
        for threads in (0, 2):
            request = request_for(place, backend, threads=threads, shuffle=True, seed=5)
            loader = open_data(request, model_for(framework), 3, framework)
            batches.append([next(loader) for _ in range(6)])
            loader.close()
        for (here,), labels in batches[0]:
            (there,), others = batches[1].pop(0)
            assert numpy_of(here).shape == (3, 3, 8, 8)
            assert np.array_equal(numpy_of(here), numpy_of(there))
            assert np.array_equal(numpy_of(labels), numpy_of(others))


def test_a_database_is_read_by_processes(tmp_path: Path, framework: str) -> None:
    """Each opens it for itself."""
    values = [datasets.raw_datum(number, number) for number in range(5)]
    request = request_for(datasets.caffe_lmdb(tmp_path, values), "caffe_lmdb", threads=2)
    loader = open_data(request, model_for(framework), 2, framework)
    assert labels_of(loader, 4) == [[0, 1], [2, 3], [4, 0], [1, 2]]
    assert loader.notes() == []
    loader.close()


def test_an_epoch_has_each_example_once(tmp_path: Path) -> None:
    """Shuffled: another order in each epoch, the same with the same seed."""
    folder = datasets.raw_arrays(tmp_path)

    def epochs(seed: int) -> list[list[int]]:
        request = request_for(folder, "raw", shuffle=True, seed=seed)
        return labels_of(open_data(request, model_for("pytorch"), 6, "pytorch"), 3)

    found = epochs(1)
    assert all(sorted(epoch) == list(range(6)) for epoch in found)
    assert found[0] != found[1]
    assert found == epochs(1) != epochs(2)


def test_ranks_share_each_global_batch(tmp_path: Path) -> None:
    """Two ranks of two take what one of four does."""
    folder = datasets.raw_arrays(tmp_path)
    request = request_for(folder, "raw", shuffle=True)

    def labels(batch: int, place: LoaderPlace) -> list[list[int]]:
        return labels_of(open_data(request, model_for("pytorch"), batch, "pytorch", place), 3)

    both = zip(*(labels(2, LoaderPlace(rank, 2)) for rank in range(2)), strict=True)
    assert [sorted(first + second) for first, second in both] == [
        sorted(batch) for batch in labels(4, LoaderPlace())
    ]


def test_ranks_share_a_resident_batch() -> None:
    """As if one process had drawn all of it."""
    model = model_for("pytorch")

    def images(batch: int, place: LoaderPlace) -> Any:
        return numpy_of(next(open_data(DataRequest(), model, batch, "pytorch", place))[0][0])

    whole = images(4, LoaderPlace())
    for rank in range(2):
        assert np.array_equal(images(2, LoaderPlace(rank, 2)), whole[rank::2])


def test_synthetic_batches_are_drawn_by_processes(framework: str) -> None:
    """Anew for each step, unless one stays on the device."""
    model = model_for(framework)
    loader = open_data(DataRequest(resident=False, threads=2), model, 4, framework)
    first, second = (numpy_of(next(loader)[0][0]) for _ in range(2))
    assert first.shape == (4, 3, 8, 8)
    assert not np.array_equal(first, second)
    loader.close()
    resident = open_data(DataRequest(), model, 4, framework)
    assert next(resident)[0][0] is next(resident)[0][0]


def below() -> Iterator[psutil.Process]:
    """Yield the processes below this one that are alive."""
    for process in psutil.Process().children(recursive=True):
        if process.status() != psutil.STATUS_ZOMBIE:
            yield process


def test_a_closed_loader_has_no_processes(tmp_path: Path, framework: str) -> None:
    """They are ended and awaited, whatever they had loaded ahead."""
    before = {process.pid for process in below()}
    request = request_for(datasets.raw_arrays(tmp_path), "raw", threads=2)
    loader = open_data(request, model_for(framework), 2, framework)
    next(loader)
    started = {process.pid for process in below()} - before
    assert len(started) == 2
    loader.close()
    assert not started & {process.pid for process in below()}


def test_what_cannot_be_read_is_skipped_and_said(tmp_path: Path, framework: str) -> None:
    """Once, however often it is met; the next one takes its place."""
    folder = datasets.flat_folder(tmp_path, 4)
    damaged = folder / "1.png"
    damaged.write_bytes(damaged.read_bytes()[:100])
    for threads in (0, 1):
        loader = open_data(request_for(folder, threads=threads), model_for(framework), 4, framework)
        images = [numpy_of(next(loader)[0][0]) for _ in range(3)][2]
        assert np.array_equal(images[1], images[2])
        (note,) = loader.notes()
        said = f"1 of 4 examples cannot be read and were left out: {damaged}: "
        assert note.message.startswith(said)
        loader.close()


def test_batches_go_on_without_end(tmp_path: Path) -> None:
    """Epoch after epoch."""
    request = request_for(datasets.raw_arrays(tmp_path), "raw")
    loader = open_data(request, model_for("pytorch"), 5, "pytorch")
    assert len(list(islice(iter(loader.__next__, None), 40))) == 40
