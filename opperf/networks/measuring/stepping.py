"""A network's step: unsplit as it is timed, and phase by phase with the device awaited between."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.workload import Work, no_op_like

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.device import Device
    from opperf.networks.data.loader import Batch, Loader
    from opperf.networks.measuring.trainer import Trainer

DATA, HOST_TO_DEVICE, FORWARD, BACKWARD, UPDATE = (
    "data", "host_to_device", "forward", "backward", "update",
)  # fmt: skip
SHORTEST = 1e-9
"""Seconds that a sample has to last: one step is one sample, however short."""


@dataclass
class Stepper:
    """A network with what yields its batches.

    `resident` is the one batch of all steps, on the device; without it each step takes the next.
    `last` is what the last forward returned.
    """

    trainer: Trainer
    loader: Loader
    resident: Batch | None
    training: bool
    last: Any = field(default=None, init=False)

    def step(self) -> None:
        """Make one step; a device may still be at it when this returns."""
        batch = self.resident
        if batch is None:
            batch = self.trainer.place(next(self.loader))
        self.step_on(batch)

    def step_on(self, batch: Batch) -> None:
        """Make one step on a batch that is on the device."""
        trainer = self.trainer
        self.last = found = trainer.forward(batch)
        if self.training:
            trainer.backward(found)
            trainer.update()

    def work(self, device: Device) -> Work:
        """Return the unsplit step as what is timed, each by itself."""
        return Work(
            device=replace(device, interval=SHORTEST, constant=0.0),
            steps=partial(repeat, self.step),
            no_op=no_op_like(self.step),
        )

    def phases(self, device: Device) -> Mapping[str, float]:
        """Make one step and return the seconds of its phases, each awaited before the next."""
        trainer, clock, synchronize = self.trainer, device.clock, device.synchronize
        names, moments = [], []

        def ended(name: str) -> None:
            synchronize()
            names.append(name)
            moments.append(clock())

        synchronize()
        start = clock()
        batch = self.resident
        if batch is None:
            host = next(self.loader)
            ended(DATA)
            batch = trainer.place(host)
            ended(HOST_TO_DEVICE)
        self.last = found = trainer.forward(batch)
        ended(FORWARD)
        if self.training:
            trainer.backward(found)
            ended(BACKWARD)
            trainer.update()
            ended(UPDATE)
        begins = [start, *moments[:-1]]
        times = (end - begin for begin, end in zip(begins, moments, strict=True))
        return {name: nanoseconds * 1e-9 for name, nanoseconds in zip(names, times, strict=True)}
