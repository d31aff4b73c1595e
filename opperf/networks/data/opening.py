"""From what data is asked for to what yields it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.networks.data.place import ALONE
from opperf.networks.data.request import CAFFE_LMDB, IMAGE_FOLDER

if TYPE_CHECKING:
    from opperf.networks.data.loader import Loader
    from opperf.networks.data.place import LoaderPlace
    from opperf.networks.data.request import DataRequest
    from opperf.networks.data.source import DataSource

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - where the system keeps what processes share
AHEAD = 2
"""Batches that each process loads ahead, in both frameworks."""


def check_data(request: DataRequest) -> None:
    """Refuse what cannot be read, before anything is started.

    Raises:
        UsageError: it is not there, or what reads it is not installed.
    """
    request.check()


def open_data(
    request: DataRequest,
    model: Any,
    batch: int,
    framework: str,
    place: LoaderPlace = ALONE,
) -> Loader:
    """Return what yields a model's batches, as tensors of its framework on the host.

    Args:
        request: which data.
        model: what takes them.
        batch: examples of each batch.
        framework: "pytorch" or "mxnet".
        place: which process of several this is, and where its loader's processes run.

    """
    import numpy as np

    from opperf.networks.data.loading import SourceLoader
    from opperf.networks.data.order import BatchOrder
    from opperf.networks.data.resident import ResidentBatch
    from opperf.networks.data.source import DataShape

    if batch < 1:
        raise UsageError(f"a batch of {batch} examples; allowed: 1 and more")
    request.check()
    if request.resident and not request.data_dir:
        return ResidentBatch(model, batch, request.seed, place)
    inputs, labels = model.example(1, np.random.default_rng(request.seed))
    if request.data_dir and len(inputs) > 1:
        raise UsageError(f"the network takes {len(inputs)} inputs; data of a folder are for one")
    nbytes = batch * (sum(array.nbytes for array in inputs) + labels.nbytes)
    check_shared_memory(nbytes, request.threads)
    shape = DataShape(inputs[0].shape[1:], inputs[0].dtype.name, labels.shape[1:], model.classes)
    source = open_source(request, model, batch, shape)
    order = BatchOrder(
        len(source),
        1 if source.items_are_batches else batch,
        shuffle=request.shuffle,
        seed=request.seed,
        rank=place.rank,
        ranks=place.ranks,
    )
    return SourceLoader(
        framework,
        source,
        order,
        model.tensor,
        processes=request.threads,
        processors=place.processors,
    )


def open_source(request: DataRequest, model: Any, batch: int, shape: Any) -> DataSource:
    """Return the examples of a folder, or synthetic batches."""
    if not request.data_dir:
        from opperf.networks.data.synthetic import Synthetic

        return Synthetic(model.example, batch, request.seed)
    folder = str(Path(request.data_dir).absolute())
    if request.backend == CAFFE_LMDB:
        from opperf.networks.data.caffe_lmdb import CaffeLmdb

        return CaffeLmdb(folder, shape, strict=request.strict)
    if request.backend == IMAGE_FOLDER:
        from opperf.networks.data.image_folder import ImageFolder

        return ImageFolder(folder, shape, strict=request.strict)
    from opperf.networks.data.raw import RawArrays

    return RawArrays(folder, shape, strict=request.strict)


def check_shared_memory(nbytes: int, processes: int) -> None:
    """Raise UsageError unless the batches that are loaded ahead fit: who finds no room dies."""
    if not processes or not SHARED_MEMORY.exists():
        return
    found = os.statvfs(SHARED_MEMORY)
    free, wanted = found.f_bavail * found.f_frsize, nbytes * (processes * AHEAD + 1)
    if wanted > free:
        raise UsageError(
            f"{processes} loader processes need {wanted >> 20} MB in {SHARED_MEMORY}, which has"
            f" {free >> 20} MB left; take a smaller batch or fewer with --num_loader_threads"
            " (a container: docker run --shm-size)"
        )
