"""Files of several processes: locked, replaced as a whole, and what is said of a full disk."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FULL = frozenset({ENOSPC, EDQUOT, EFBIG})
MADE = "made-"
"""What the folders are called in which something is made."""
LARGEST = 2**16
"""Bytes of a small file of facts."""


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Hold a lock file, which the system lets go of however the process ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        flock(file, LOCK_EX)
        yield


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """Give an empty folder on the disk of `folder`, whose lock is held: nothing of it stays.

    What a process left that was killed is removed first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{MADE}*"):
        remove_tree(left)
    made = Path(mkdtemp(prefix=MADE, dir=folder))
    try:
        yield made
    finally:
        remove_tree(made)


def remove_tree(path: Path) -> None:
    """Remove a folder as far as it can be, also where what was extracted forbids it."""
    for where, folders, _ in os.walk(path):
        for name in folders:
            if not (inner := Path(where, name)).is_symlink():
                inner.chmod(0o700)
    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def explaining(what: str, remedy: str) -> Iterator[None]:
    """Turn an error of the system into one line; `what` could not be done."""
    try:
        yield
    except OSError as error:
        advice = f"; {remedy}" if error.errno in FULL else ""
        named = f": {quote_path(error.filename)}" if error.filename else ""
        raise UsageError(f"cannot {what}: {error.strerror or error}{named}{advice}") from error


def write_facts(path: Path, facts: Mapping[str, Any]) -> None:
    """Write a small object of JSON as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        beside.write_text(json.dumps(facts), encoding="utf-8")
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def read_facts(path: Path) -> dict[str, Any]:
    """Return what such a file holds, nothing where there is none or it is damaged."""
    try:
        with path.open("rb") as file:
            facts = json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}
