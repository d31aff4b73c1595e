"""From what data is asked for to what yields it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.networks.data.synthetic import SyntheticLoader

if TYPE_CHECKING:
    from opperf.networks.data.loader import Loader
    from opperf.networks.data.request import DataRequest


def check_data(request: DataRequest) -> None:
    """Refuse what cannot be read, before anything is started.

    Raises:
        UsageError: it is not there.
    """
    if request.data_dir:
        raise UsageError(f"--data_dir {request.data_dir}: only synthetic data so far; leave it out")


def open_data(request: DataRequest, model: Any, batch: int, framework: str) -> Loader:
    """Return what yields a model's batches, as tensors of its framework."""
    del framework
    return SyntheticLoader(request, model, batch)
