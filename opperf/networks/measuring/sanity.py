"""Whether a network computes what one may be timed for: finite numbers, and a loss that falls."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from opperf.measuring.step import Checks

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Device
    from opperf.networks.data.loader import Batch
    from opperf.networks.measuring.stepping import Stepper

MOST_STEPS = 10
"""Steps on one batch after which its loss must have fallen."""


@dataclass
class FirstSteps:
    """The first steps of a network, all on one batch on the device, and what they tell.

    What is dropped at random is the same in each of them: `seed` sets the framework's. So a loss
    that falls has been learned. `alive` is told after each of them.
    """

    stepper: Stepper
    batch: Batch
    device: Device
    seed: Callable[[], None]
    alive: Callable[[], None]
    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def fault(self) -> str | None:
        """Make steps until the loss is below the first one; return what is wrong with them."""
        for number in range(1, MOST_STEPS + 2):
            self.seed()
            self.seconds.append(self.device.time([partial(self.stepper.step_on, self.batch)]))
            self.alive()
            trainer, found = self.stepper.trainer, self.stepper.last
            if said := trainer.fault(found):
                return said if number == 1 else f"{said} in step {number}"
            if not self.stepper.training:
                if number > 1:
                    return None
                continue
            self.losses.append(trainer.value(found))
            if self.losses[-1] < self.losses[0]:
                return None
        first, least = self.losses[0], min(self.losses[1:])
        return (
            f"the loss of one batch has not fallen in {MOST_STEPS} steps: {first:.6g} at first, "
            f"{least:.6g} at least"
        )


@dataclass(kw_only=True)
class StepChecks(Checks):
    """Looks at the numbers of the last step that was timed."""

    stepper: Stepper

    def compare_again(self) -> str | None:
        """Return what is not finite."""
        return self.stepper.trainer.fault(self.stepper.last)
