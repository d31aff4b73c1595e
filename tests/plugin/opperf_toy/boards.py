"""The toy framework's platform: two boards that are this machine's processor."""

from __future__ import annotations

from opperf.specs.platforms.platform import Platform, PlatformDevice, device_hash


class Boards(Platform):
    """Found by the entry point `opperf.platforms`."""

    name = "boards"

    def devices(self) -> tuple[PlatformDevice, ...]:
        """Return both."""
        return tuple(
            PlatformDevice(identifier=name, hash=device_hash(name), title="a board")
            for name in ("board-1", "board-2")
        )

    def framework_device(self, device: PlatformDevice) -> str:
        """Return what frameworks call a board."""
        del device
        return "cpu"


PLATFORM = Boards()
