"""A network on several devices, a process each: the first one measures, the others go along."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from opperf.core.results.outcome import Outcome
from opperf.networks.data.place import LoaderPlace
from opperf.networks.measuring.attempt import ModelAttempt
from opperf.networks.measuring.opening import open_stepper
from opperf.networks.measuring.stepping import Stepper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.device import Device, Step
    from opperf.core.frameworks.workload import Work
    from opperf.networks.data.loader import Batch, Loader
    from opperf.networks.request import ModelRequest

FIRST, STEP, PHASES, END = range(4)
"""What comes next: a step on the first batch, further steps, one phase by phase, or nothing."""


class Ranks(Protocol):
    """This process among those of all devices; that of rank 0 leads."""

    rank: int
    ranks: int

    def share(self, trainer: Any) -> None:
        """Let the backward of a trainer average the gradients over all processes."""
        ...

    def announce(self, what: int, count: int = 1) -> None:
        """Tell the others what comes next; only the first process does."""
        ...

    def hear(self) -> tuple[int, int]:
        """Wait for what the first process announces."""
        ...

    def wait(self) -> None:
        """Wait until all processes are here."""
        ...


@dataclass(kw_only=True)
class RankStepper(Stepper):
    """Announces each step before its clock starts, so that no process makes one more or less."""

    ranks: Ranks
    device: Device

    def step_on(self, batch: Batch) -> None:
        """Make one step; without gradients to average, all wait for the slowest at its end."""
        super().step_on(batch)
        if not self.training:
            self.device.synchronize()
            self.ranks.wait()

    def work(self, device: Device) -> Work:
        """Return the unsplit step of all devices."""
        return replace(super().work(device), steps=self.announced)

    def announced(self, count: int) -> Sequence[Step]:
        """Return so many steps, which all processes now make."""
        self.ranks.announce(STEP, count)
        return [self.step] * count

    def phases(self, device: Device) -> Mapping[str, float]:
        """Make one step of all devices phase by phase."""
        self.ranks.announce(PHASES)
        return super().phases(device)


@dataclass(kw_only=True)
class RankAttempt(ModelAttempt):
    """A network's task in one of several processes.

    `processors` are those that its loader's processes may run on.
    """

    ranks: Ranks
    processors: tuple[int, ...] = ()

    def open(self, request: ModelRequest) -> tuple[Stepper, Batch]:
        """Return what makes the steps of this process, on its share of the data."""
        place = LoaderPlace(self.ranks.rank, self.ranks.ranks, self.processors)
        alone, first = open_stepper(request, place)
        self.ranks.share(alone.trainer)
        device = self.framework.device(self.task.device)
        stepper = RankStepper(
            alone.trainer, alone.loader, alone.resident, alone.training,
            ranks=self.ranks, device=device,
        )  # fmt: skip
        return stepper, first

    def begin_first_step(self) -> None:
        """Get all processes ready for a step on the first batch."""
        self.ranks.announce(FIRST)
        self.seed()

    def measure(
        self, stepper: Stepper, first: Batch, loader: Loader, request: ModelRequest
    ) -> Outcome:
        """Measure, or go along until the first process says that it has."""
        if self.ranks.rank == 0:
            outcome = super().measure(stepper, first, loader, request)
            self.ranks.announce(END)
            return outcome
        while True:
            what, count = self.ranks.hear()
            if what == END:
                return Outcome(status="skipped")
            if what == FIRST:
                self.seed()
                stepper.step_on(first)
            elif what == STEP:
                for _ in range(count):
                    stepper.step()
            else:
                stepper.phases(self.framework.device(self.task.device))
