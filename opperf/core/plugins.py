"""What other packages add by entry points: an error in one is a line that names the package."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint


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
