"""--devices and --excluded_devices: those that are named, but for those that are excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, nearest, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.specs.platforms.platform import PlatformDevice


def choose_devices(
    devices: Sequence[PlatformDevice], included: str | None, excluded: str | None, platform: str
) -> tuple[PlatformDevice, ...]:
    """Return the devices to run on, in the platform's order, each once.

    Args:
        devices: all that there are.
        included: identifiers or hashes between commas; None for all devices.
        excluded: likewise; None for none.
        platform: its name, for errors.

    Raises:
        UsageError: a word is of no device, or no device is left; names those that there are.
    """
    chosen = named_by(devices, included, "--devices", platform) if included is not None else devices
    without = named_by(devices, excluded, "--excluded_devices", platform) if excluded else ()
    left = tuple(device for device in devices if device in chosen and device not in without)
    if not left:
        why = "all of them are excluded" if without else "it has no device here"
        raise UsageError(f"platform {platform!r}: {why}; {name_all(devices)}")
    return left


def named_by(
    devices: Sequence[PlatformDevice], text: str, flag: str, platform: str
) -> list[PlatformDevice]:
    """Return the devices that a comma-separated list names."""
    found: list[PlatformDevice] = []
    for word in (part.strip() for part in text.split(",")):
        named = [each for each in devices if word == each.identifier or word.lower() == each.hash]
        if not named:
            words = [word for each in devices for word in (each.identifier, each.hash)]
            near = nearest(word, words)
            hint = f"did you mean {near}? " if near else ""
            raise UsageError(
                f"{flag} {quote(word)}: platform {platform!r} has no such device; "
                f"{hint}{name_all(devices)}"
            )
        found += named
    return found


def name_all(devices: Sequence[PlatformDevice]) -> str:
    """Return which devices there are."""
    return f"there are {', '.join(map(str, devices)) or 'none'}"
