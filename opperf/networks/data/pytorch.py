"""Batches as PyTorch's tensors, by its own DataLoader and its worker processes."""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import DataLoader

from opperf.networks.data.source import collate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.networks.data.order import BatchOrder
    from opperf.networks.data.source import HostBatch
    from opperf.networks.data.worker import LoaderSource


def supply(
    source: LoaderSource, order: BatchOrder, processes: int, tensor: Callable[[Any], Any]
) -> Iterator[HostBatch]:
    """Return the batches of an order; its processes hand tensors over in shared memory."""
    with warnings.catch_warnings():
        # It advises against more processes than processors; the record says how many there are.
        warnings.filterwarnings("ignore", "This DataLoader will create", UserWarning)
        loader = DataLoader(
            source,
            batch_sampler=order,
            num_workers=processes,
            collate_fn=partial(collate, batches=source.items_are_batches, tensor=tensor),
            # Its own: what the network draws must not depend on the loader.
            generator=torch.Generator().manual_seed(order.seed),
        )
        return iter(loader)
