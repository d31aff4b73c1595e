"""What a platform has to offer: its devices, and tests or programs that run on them."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from opperf.specs.platforms.program import ProgramRun

HASH_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class PlatformDevice:
    """A device of a platform.

    Args:
        identifier: what --devices calls it, as "cpu", "cuda:0" or an Android serial number.
        hash: 16 hexadecimal digits, the same for as long as the device is.
        title: what people call it.

    """

    identifier: str
    hash: str
    title: str = ""

    def __str__(self) -> str:
        return f"{self.identifier} ({self.hash})"


class Platform(ABC):
    """A platform, by an entry point of the group opperf.platforms: an object of a subclass.

    On a host platform a framework runs the model in a process of this machine. On any other, a
    program of the framework's own is copied to the device and called there.
    """

    name: ClassVar[str]
    host: ClassVar[bool] = True

    @abstractmethod
    def devices(self) -> tuple[PlatformDevice, ...]:
        """Return the devices that are there, in a fixed order.

        Raises:
            UsageError: they cannot be asked for.
        """

    def framework_device(self, device: PlatformDevice) -> str:
        """Return what frameworks call a device of a host platform."""
        return device.identifier

    def run(self, device: PlatformDevice, run: ProgramRun) -> str:
        """Run a program on a device and return what it printed.

        Raises:
            UsageError: this platform runs none.
        """
        del device, run
        raise UsageError(f"platform {self.name!r} runs no programs of its own")


def device_hash(*facts: object) -> str:
    """Return a device's hash from what does not change while it is the same."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:HASH_DIGITS]
