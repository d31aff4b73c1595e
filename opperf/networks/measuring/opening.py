"""From what is asked of a network to the network, its trainer and its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.networks.data.opening import open_data
from opperf.networks.data.place import beside_parent
from opperf.networks.measuring.stepping import Stepper
from opperf.networks.measuring.trainer import make_trainer
from opperf.networks.registry import make_model

if TYPE_CHECKING:
    from opperf.networks.data.loader import Batch
    from opperf.networks.data.place import LoaderPlace
    from opperf.networks.request import ModelRequest


def open_stepper(request: ModelRequest, place: LoaderPlace | None = None) -> tuple[Stepper, Batch]:
    """Return a network that can make steps, and a first batch on its device.

    Its data are all, unless `place` says that there are other processes which share them.

    Raises:
        UsageError: it cannot be made, or its data cannot be read.
    """
    model = make_model(request.entry, request.size)
    loader = open_data(
        request.data, model, request.batch_size, request.entry.framework, place or beside_parent()
    )
    try:
        trainer = make_trainer(model, request)
        first = trainer.place(next(loader))
    except BaseException:
        loader.close()
        raise
    resident = first if request.data.stays else None
    return Stepper(trainer, loader, resident, training=not request.forward_only), first
