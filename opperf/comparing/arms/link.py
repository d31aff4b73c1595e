"""A virtual environment of the cache at a place of one's own: a link, there whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.comparing.arms.venv import Venv


def check_link(link: Path, folder: Path) -> None:
    """Refuse a place that holds anything but a link to an environment of the cache.

    Raises:
        UsageError: says what is there, or that its folder is not.
    """
    if not link.parent.is_dir():
        raise UsageError(f"--path {quote_path(link)}: there is no directory {link.parent}")
    if os.path.lexists(link) and not is_ours(link, folder):
        raise UsageError(
            f"--path {quote_path(link)}: exists and is no environment of opperf's; "
            "remove it, or give another path"
        )


def is_ours(link: Path, folder: Path) -> bool:
    """Return whether a link leads to an environment of the cache, which may be gone."""
    return link.is_symlink() and link.readlink().parent == folder


def set_link(link: Path, venv: Venv) -> None:
    """Have a link lead to an environment, in one step.

    Raises:
        UsageError: it cannot be written there.
    """
    partial = link.with_name(f".{link.name}.{os.getpid()}.part")
    try:
        partial.symlink_to(venv.path)
        partial.replace(link)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise UsageError(f"--path {quote_path(link)}: {error.strerror}") from None
