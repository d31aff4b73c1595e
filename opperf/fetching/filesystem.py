"""File systems of object stores through fsspec, an extra; their keys come from where they belong.

s3fs reads the environment (AWS_*) and ~/.aws, gcsfs the file that GOOGLE_APPLICATION_CREDENTIALS
names: no key passes through opperf.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text, quote
from opperf.fetching.address import FILE, STORES

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.fetching.address import Address

EXTRA = "remote"


def open_store(address: Address) -> Any:
    """Return the file system of an address.

    Raises:
        UsageError: what it needs is not installed, or it cannot be opened.
    """
    extra = STORES.get(address.scheme, EXTRA)
    try:
        return import_module("fsspec").filesystem(address.scheme)
    except ImportError:
        remedy = f"pip install 'opperf[{extra}]'"
        raise UsageError(f"{address.scheme}:// needs another library: {remedy}") from None
    except Exception as error:
        raise UsageError(f"cannot open {address}: {error_text(error)}") from error


def path_in_store(address: Address) -> str:
    """Return the path that a file system knows an address by, without the scheme."""
    if address.scheme == FILE:
        return str(address.path)
    return address.url.partition("://")[2].partition("?")[0]


def copy_from_store(address: Address, target: Path) -> None:
    """Copy one object into a file, or all objects below a path into a folder.

    Raises:
        UsageError: it cannot be had.
        OSError: it cannot be written.
    """
    store, path = open_store(address), path_in_store(address).rstrip("/")
    try:
        if not store.isdir(path):
            store.get_file(path, str(target))
            return
        begin = f"{store._strip_protocol(path)}/"  # noqa: SLF001 - the names of objects begin so
        for name in store.find(path):
            place = target / inner_path(name.removeprefix(begin))
            place.parent.mkdir(parents=True, exist_ok=True)
            store.get_file(name, str(place))
    except FileNotFoundError:
        raise UsageError(f"cannot fetch {address}: there is no such object") from None
    except (OSError, UsageError):
        raise
    except Exception as error:
        raise UsageError(f"cannot fetch {address}: {error_text(error)}") from error


def inner_path(name: str) -> PurePosixPath:
    """Return the path of an object below its folder.

    Raises:
        UsageError: it lies elsewhere.
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise UsageError(f"an object outside of its folder: {quote(name)}")
    return path


def is_folder_in_store(address: Address) -> bool:
    """Return whether objects lie below an address.

    Raises:
        UsageError: nobody can say.
    """
    store = open_store(address)
    try:
        return bool(store.isdir(path_in_store(address).rstrip("/")))
    except Exception as error:
        raise UsageError(f"cannot fetch {address}: {error_text(error)}") from error
