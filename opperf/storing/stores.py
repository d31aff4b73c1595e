"""Opening a store, which needs packages that nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import NotInstalledError

if TYPE_CHECKING:
    from opperf.storing.database.connection import Database

NEEDED = "sqlalchemy"


def open_at(address: str) -> Database:
    """Return the store at an address.

    Raises:
        NotInstalledError: the packages are not installed.
    """
    store: Database = drivers().open_store(address)
    return store


def drivers() -> Any:
    """Return the module that opens stores."""
    try:
        from opperf.storing.database import connection
    except ModuleNotFoundError as error:
        if error.name != NEEDED:
            raise
        raise NotInstalledError(
            f"a store needs {error.name}: pip install 'opperf[store]'"
        ) from None
    return connection
