"""The packages of the extra `fleet`, and what is said where one is missing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from opperf.core.errors import NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTRAS = {
    "cryptography": "fleet", "dask": "fleet", "dask_jobqueue": "fleet-slurm",
    "distributed": "fleet",
}  # fmt: skip
"""Which extra installs a package."""


@contextmanager
def naming_the_extra() -> Iterator[None]:
    """Say which extra installs a package that is missing.

    Raises:
        NotInstalledError: one of `EXTRAS` cannot be imported.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package not in EXTRAS:
            raise
        raise NotInstalledError(
            f"a fleet needs {package}: pip install 'opperf[{EXTRAS[package]}]'"
        ) from None
