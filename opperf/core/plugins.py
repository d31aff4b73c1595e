"""What other packages add by entry points: an error in one is a line that names the package."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint


def plug_ins(group: str, name: str | None = None) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, or those of one name in it."""
    points = points_on(tuple(sys.path)).select(group=group)
    return tuple(point for point in points if name in (None, point.name))


@cache
def points_on(path: tuple[str, ...]) -> Any:
    """Return the entry points of all packages on sys.path, which take 15 ms to look through."""
    del path  # only to look again when it changes
    return entry_points()


@contextmanager
def plugin_errors(point: EntryPoint, fault: str = "cannot be loaded") -> Iterator[None]:
    """Run a plug-in's code; whatever it raises is a UsageError that says which one is broken.

    That includes its sys.exit, which would end this process in silence, but no Ctrl-C.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())
        raise UsageError(
            f"plug-in {point.name!r} ({point.value}) {fault}: {words}; mend or uninstall it"
            f"{removal(point)}"
        ) from error


def removal(point: EntryPoint) -> str:
    """Return ": pip uninstall NAME" with the distribution's name, nothing where it is unknown."""
    return f": pip uninstall {point.dist.name}" if point.dist else ""
