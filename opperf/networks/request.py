"""What is asked of a network: the flags of `opperf model`, with their types and defaults."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.networks.data.request import DataRequest
from opperf.networks.discovery import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

TRAINING, INFERENCE = "training", "inference"
PHASES = (TRAINING, INFERENCE)
DTYPES = ("float", "float32", "float16")
NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """A network and what it is to do.

    Args:
        model: its name.
        forward_only: whether it infers, and is not trained.
        batch_size: how many examples a device has in a step.
        num_batches: how many steps are timed.
        num_warmup_batches: how many come before them.
        num_gpus: how many GPUs compute; it is of no account on a CPU.
        processes: how many processes compute on a CPU, each of them a device.
        port: at which the processes of several devices meet; 0 for a free one.
        device: where.
        dtype: the element type of parameters and data.
        cudnn_benchmark: whether cuDNN tries its algorithms.
        cudnn_fastest: whether it tries all of them, and takes the fastest.
        data: where batches come from.
        exact: whether just as many steps are timed as `num_batches` says; else fewer do where the
            time is known precisely enough before.
        size: of an input, in pixels, tokens or frames; None for the network's usual one.
        entry: the network, as it was found.

    """

    model: str
    forward_only: bool = False
    batch_size: int = 16
    num_batches: int = 100
    num_warmup_batches: int = 1
    num_gpus: int = 1
    processes: int = 1
    port: int = 0
    device: str = "cpu"
    dtype: str = "float32"
    cudnn_benchmark: bool = True
    cudnn_fastest: bool = False
    data: DataRequest = field(default_factory=DataRequest)
    exact: bool = False
    size: int | None = None
    entry: Entry

    @property
    def phase(self) -> str:
        """Training or inference."""
        return INFERENCE if self.forward_only else TRAINING

    @property
    def devices(self) -> int:
        """How many devices compute."""
        return self.processes if self.device == "cpu" else self.num_gpus

    @property
    def effective_batch(self) -> int:
        """How many examples a step has on all devices."""
        return self.batch_size * self.devices

    def to_mapping(self) -> dict[str, Any]:
        """Return it as JSON."""
        entry = {**asdict(self.entry), "path": str(self.entry.path)}
        return {**asdict(self), "entry": entry}


def request_from(given: Mapping[str, Any]) -> ModelRequest:
    """Return what was asked for, from its JSON."""
    entry = Entry(**{**given["entry"], "path": Path(given["entry"]["path"])})
    data = DataRequest(**given["data"])
    known = {each.name for each in fields(ModelRequest)}
    others = {name: value for name, value in given.items() if name in known}
    return ModelRequest(**{**others, "entry": entry, "data": data})


def attributes_of(request: ModelRequest) -> dict[str, Any]:
    """Return what tells a network's step from others of its name, as its record states it."""
    on_gpu = request.device != "cpu"
    found = {
        "batch": request.batch_size,
        "dtype": request.dtype,
        "size": request.size,
        "devices": request.devices,
        "effective_batch": request.effective_batch,
        **request.data.description(),
        "of": f"{request.phase} step",
        "title": request.entry.title,
        "cudnn_benchmark": request.cudnn_benchmark if on_gpu else NOT_APPLICABLE,
        "cudnn_fastest": request.cudnn_fastest if on_gpu else NOT_APPLICABLE,
    }
    return {name: value for name, value in found.items() if value is not None}
