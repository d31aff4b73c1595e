"""Batches as MXNet's arrays, by Gluon's own DataLoader and its worker processes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mxnet import Context
from mxnet.gluon.data import DataLoader

from opperf.networks.data.source import collate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.networks.data.order import BatchOrder
    from opperf.networks.data.source import HostBatch
    from opperf.networks.data.worker import LoaderSource

SHARED = "cpu_shared"
"""MXNet's device for arrays that processes share."""


def supply(
    source: LoaderSource, order: BatchOrder, processes: int, tensor: Callable[[Any], Any]
) -> Iterator[HostBatch]:
    """Return the batches of an order; its processes hand arrays over in shared memory."""
    convert = partial(shared, tensor=tensor) if processes else tensor
    loader = DataLoader(
        source,
        batch_sampler=order,
        num_workers=processes,
        batchify_fn=partial(collate, batches=source.items_are_batches, tensor=convert),
    )
    return iter(loader)


def shared(array: Any, tensor: Callable[[Any], Any]) -> Any:
    """Return an array as MXNet's, in memory that the loop's process can map."""
    with Context(SHARED):
        return tensor(array)
